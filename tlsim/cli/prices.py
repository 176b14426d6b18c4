"""The tables of ``tlsim fair``, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tlsim.cli.output import Number
from tlsim.errors import UsageError
from tlsim.fairness import Fairness, FairTable
from tlsim.fairness.played import PLAYED_VIEWS
from tlsim.fairness.verdicts import amount
from tlsim.results.game_events import reason_name
from tlsim.results.parts import Row, shown, shown_error, shown_one_in
from tlsim.terms import term

Tables = dict[str, list[Row]]
_ERRORS = {
    "left_per_hand": "left_error", "cost_per_1000": "cost_error", "chops_per_hand": "chops_error",
    "chopped_per_hand": "chopped_error", "mean": "std_error",
}  # fmt: skip
_TERMS = {"list", "by", "item", "block_payees", "which", "group"}
_LEFT_OUT = {
    "ci_low",
    "ci_high",
    "success_low",
    "success_high",
    "held",
    "kind",
    "probability_low",
    "probability_high",
    "hand_one_in",
    "dem_heo",
    "pairs",
    "figure",
    "threshold",
}
_HEADINGS = {"price": "pays", "probability": "wins_table", "sentence": "verdict"}
_MONEY = {"price", "rarer_price", "price_before", "received", "house", "left"}


def tables(fairness: Fairness, table: FairTable | None, lang: str) -> tuple[Tables, str]:
    """Return all tables as the frames have them, and why those of games are left out, if they are."""
    views = ("prices", "pairs", "summary", "rake") if fairness.rake is not None else ("prices", "pairs", "summary")
    found = {view: fairness.rows(view) for view in views}
    if table is not None:
        found |= {"table": table.rows(), "table_summary": table.summary()}
    found["verdicts"] = fairness.rows("verdicts", lang)
    try:
        return found | {view: fairness.rows(view) for view in PLAYED_VIEWS if fairness.played}, ""
    except UsageError as error:  # games that cannot be played; prices can be judged all the same
        return found, str(error)


def question(fairness: Fairness, table: FairTable | None, cap: float | None, units: str) -> Row:
    """Return what was asked for, beside the rules."""
    asked: Row = {"tolerance": fairness.tolerance}
    if fairness.rake is not None:
        asked["rake"] = float(fairness.rake)
    if fairness.played is not None:
        played = fairness.played
        asked |= {"games": played.games, "policies": played.policies, "seed": played.seed}
    return asked if table is None else asked | {"method": table.method, "cap": cap, "units": units}


def notes(fairness: Fairness, table: FairTable | None, lang: str, *, playable: bool) -> list[str]:
    """Return what is to be said below the tables."""
    if not fairness.lists:
        return [term("no_list", lang)]
    said = [term("note_fair", lang), term("note_cost", lang)]
    if fairness.lacks_opening:
        said.append(term("note_no_opening", lang))
    if not all(prices.exact for prices in fairness.lists):
        said.append(term("note_bounds", lang))
    if fairness.played is not None and playable:
        played = fairness.played
        said.append(term("note_games", lang).format(games=f"{played.games:,}", policies=played.policies))
    for each in table.lists if table else ():
        which = term(each.before.which, lang)
        said += [f"{which}: {term(key, lang)}" for key in each.notes]
    return said


def in_words(provenance: Row, lang: str) -> Row:
    """Return the provenance in words; twelve digits of a digest tell rules apart."""
    found = {"tolerance": "tolerance_used", "rake": "view_rake", "cap": "cap"}
    cut = {"digest": provenance["digest"][:12]}
    return {term(found.get(key, key), lang): value for key, value in (provenance | cut).items()}


def for_people(tables: Tables, fairness: Fairness, lang: str, stake: int | None) -> Tables:
    """Return the tables in words; of the proposed table, before and after stand below each other."""
    names = {entry.id: entry.name(lang) for prices in fairness.lists for entry in prices.listed}
    found: Tables = {}
    for view, rows in tables.items():
        split = [part for row in rows for part in _before_and_after(row, lang)] if view == "table_summary" else rows
        found[view] = [_in_words(view, row, names, lang, stake) for row in split]
    return {view: rows for view, rows in found.items() if rows}


def _before_and_after(row: Row, lang: str) -> list[Row]:
    """Split a row that holds both into two rows."""
    keys = ("misplaced", "worst_ratio", "wrong_pairs", "tau_strength", "tau_price")
    before = {"cost_per_1000": row["cost_per_1000_before"], "cost_change": None}
    before |= {key: row[f"{key}_before"] for key in keys}
    after = {key: row[key] for key in ("cost_per_1000", "cost_change", *keys)}
    return [{"list": row["list"], "": term(when, lang)} | part for when, part in (("before", before), ("after", after))]


def _in_words(view: str, row: Row, names: Mapping[str, str], lang: str, stake: int | None) -> Row:
    cells: Row = {}
    for key, value in row.items():
        if key in _LEFT_OUT or key in _ERRORS.values() or (view == "verdicts" and key in {"kind", "pattern"}):
            continue
        heading = _heading(view, key, lang)
        cells[heading] = _cell(key, value, names, lang)
        if value is not None and key in _ERRORS and row.get(_ERRORS[key]) is not None:
            cells[heading] = Number(f"{cells[heading]} {shown_error(row[_ERRORS[key]])}")
        if stake is not None and key in _MONEY and value is not None:
            cells[f"{heading} × {stake:,}"] = Number(f"{value * stake:,.0f}")
    if "ci_low" in row:
        cells[term("interval_together", lang)] = Number(f"{row['ci_low']:+.3f} … {row['ci_high']:+.3f}")
    if row.get("kind") == "bounds" and "probability" in row:
        ends = [shown(row[f"probability_{end}"]) for end in ("low", "high")]
        cells[term("wins_table", lang)] = Number(" … ".join(ends))
    return cells


def _heading(view: str, key: str, lang: str) -> str:
    if view == "items" and key == "cost_per_1000":
        return term("cost_per_1000_games", lang)
    if view == "table" and key == "price":
        return term("new_price", lang)
    return term(_HEADINGS.get(key, key), lang) if key else ""


_WRITE: dict[str, Callable[[Any], str]] = {
    "probability": shown, "someone": shown, "one_in": shown_one_in, "factor": amount, "fair_price": amount,
    "ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "worst_ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "tau_strength": lambda value: f"{value:+.3f}", "tau_price": lambda value: f"{value:+.3f}",
    "left_per_hand": shown, "chops_per_hand": shown, "chopped_per_hand": shown, "left_if_held": shown,
    "held_one_in": shown_one_in, "mean": lambda value: f"{value:+.3f}", "share": lambda value: f"{value:.1%}",
    "success": lambda value: f"{value:.2%}", "break_even": lambda value: f"{value:.1%}",
    "misplaced": lambda value: f"{value:.1%}", "cost_change": lambda value: f"{value:+.2%}",
}  # fmt: skip


def _cell(key: str, value: Any, names: Mapping[str, str], lang: str) -> Any:
    """Return a value as people read it."""
    if key in {"pattern", "rarer"}:
        return term("whole_list", lang) if value is None else names[value]
    if key in _TERMS:
        return term(f"by_{value}" if key == "by" else value, lang)
    if key == "reason":
        return reason_name(value, lang)
    if value is None or isinstance(value, bool | str | int):
        return value
    write = _WRITE.get(key, lambda number: f"{number:,.4g}" if abs(number) < 1e4 else f"{number:,.0f}")
    return Number(write(value))
