"""The tables of ``tlsim fair``, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tlsim.cli.output import Number
from tlsim.fairness import Fairness, FairTable
from tlsim.fairness.verdicts import amount
from tlsim.results.parts import Row, shown, shown_one_in
from tlsim.terms import term

Tables = dict[str, list[Row]]
_LEFT_OUT = {"kind", "probability_low", "probability_high", "hand_one_in", "dem_heo", "pairs", "figure", "threshold"}
_HEADINGS = {"price": "pays", "probability": "wins_table", "sentence": "verdict"}
_MONEY = {"price", "rarer_price", "price_before", "received", "house", "left"}


def tables(fairness: Fairness, table: FairTable | None, lang: str) -> Tables:
    """Return all tables as the frames have them."""
    views = ("prices", "pairs", "summary", "rake") if fairness.rake is not None else ("prices", "pairs", "summary")
    found = {view: fairness.rows(view) for view in views}
    if table is not None:
        found |= {"table": table.rows(), "table_summary": table.summary()}
    return found | {"verdicts": fairness.rows("verdicts", lang)}


def question(fairness: Fairness, table: FairTable | None, cap: float | None, units: str) -> Row:
    """Return what was asked for, beside the rules."""
    asked: Row = {"tolerance": fairness.tolerance}
    if fairness.rake is not None:
        asked["rake"] = float(fairness.rake)
    return asked if table is None else asked | {"method": table.method, "cap": cap, "units": units}


def notes(fairness: Fairness, table: FairTable | None, lang: str) -> list[str]:
    """Return what is to be said below the tables."""
    if not fairness.lists:
        return [term("no_list", lang)]
    said = [term("note_fair", lang), term("note_cost", lang)]
    if fairness.lacks_opening:
        said.append(term("note_no_opening", lang))
    if not all(prices.exact for prices in fairness.lists):
        said.append(term("note_bounds", lang))
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
        if key in _LEFT_OUT or (view == "verdicts" and key in {"kind", "pattern"}):
            continue
        heading = _heading(view, key, lang)
        cells[heading] = _cell(key, value, names, lang)
        if stake is not None and key in _MONEY and value is not None:
            cells[f"{heading} × {stake:,}"] = Number(f"{value * stake:,.0f}")
    if row.get("kind") == "bounds" and "probability" in row:
        ends = [shown(row[f"probability_{end}"]) for end in ("low", "high")]
        cells[term("wins_table", lang)] = Number(" … ".join(ends))
    return cells


def _heading(view: str, key: str, lang: str) -> str:
    if view == "table" and key == "price":
        return term("new_price", lang)
    return term(_HEADINGS.get(key, key), lang) if key else ""


_WRITE: dict[str, Callable[[Any], str]] = {
    "probability": shown, "someone": shown, "one_in": shown_one_in, "factor": amount, "fair_price": amount,
    "ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "worst_ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "tau_strength": lambda value: f"{value:+.3f}", "tau_price": lambda value: f"{value:+.3f}",
    "misplaced": lambda value: f"{value:.1%}", "cost_change": lambda value: f"{value:+.2%}",
}  # fmt: skip


def _cell(key: str, value: Any, names: Mapping[str, str], lang: str) -> Any:
    """Return a value as people read it."""
    if key in {"pattern", "rarer"}:
        return term("whole_list", lang) if value is None else names[value]
    if key == "list":
        return term(value, lang)
    if key == "by":
        return term(f"by_{value}", lang)
    if value is None or isinstance(value, bool | str | int):
        return value
    write = _WRITE.get(key, lambda number: f"{number:,.4g}" if abs(number) < 1e4 else f"{number:,.0f}")
    return Number(write(value))
