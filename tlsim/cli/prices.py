"""The tables of ``tlsim fair``, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tlsim.cli.output import Number
from tlsim.errors import RunError, UsageError
from tlsim.fairness import METHODS, Fairness, FairTable
from tlsim.fairness.played import PLAYED_VIEWS
from tlsim.fairness.report import HEO_DEALS
from tlsim.fairness.verdicts import amount
from tlsim.results.parts import Row, shown, shown_error, shown_one_in
from tlsim.terms import reason_name, term, term_of

Tables = dict[str, list[Row]]
_ERRORS = {
    "heo_per_1000": "heo_error",
    "left_per_hand": "left_error", "cost_per_1000": "cost_error", "chops_per_hand": "chops_error",
    "chopped_per_hand": "chopped_error", "mean": "std_error", "left": "left_error", "chopped": "chopped_error",
    "used": "used_error", "left_cost": "left_cost_error", "chopped_cost": "chopped_cost_error", "gain": "gain_error",
    "net": "net_error", "opponent": "opponent_error", "net_if_held": "net_if_held_error", "net_if_tried": "net_error",
    "money_per_game": "money_error", "share": "share_error", "spread_share": "spread_error",
    "covariance": "covariance_error", "ahead": "ahead_error", "straight": "straight_error",
    "alternating": "alternating_error", "difference": "std_error", "house_per_1000": "house_error",
    "net_per_1000": "net_error",
}  # fmt: skip
_TERMS = {"list", "by", "item", "thing", "block_payees", "which", "group"}
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
    *(f"games_to_lead_{whom}_{end}" for whom in ("zero", "all") for end in ("low", "high")),
}
_HEADINGS = {"price": "pays", "probability": "wins_table", "sentence": "verdict"}
_HEADINGS_OF = {
    "items": {"cost_per_1000": "cost_per_1000_games"},
    "table": {"price": "new_price"},
    "risks": {"left": "lost", "net": "net_of_all", "held": "held_one_in"},
    "reasons": {"share": "share_of_money"},
    "leading": {"at": "after_leader"},
    "direction": {"at": "after_better", "straight": "straight_way"},
    "game_rake": {"wins": "ahead_per_game", "house_per_1000": "house_per_1000_games"},
}
_MONEY = {"price", "rarer_price", "price_before", "received", "house", "left"}
_SLIGHT = 0.005
_MONEY_VIEWS = {"prices", "pairs", "table", "rake", "game_rake"}


def tables(fairness: Fairness, table: FairTable | None, lang: str) -> Tables:
    """Return the tables of prices as the frames have them."""
    views = ("prices", "pairs", "summary", "rake") if fairness.rake is not None else ("prices", "pairs", "summary")
    found = {view: fairness.rows(view) for view in views}
    if table is not None:
        found |= {"table": table.rows(), "table_summary": table.summary()}
    return found | {"verdicts": fairness.rows("verdicts", lang)}


def game_tables(fairness: Fairness, lang: str) -> tuple[Tables, str, BaseException | None]:
    """Return the tables of whole games and the verdicts on them.

    Also why they are left out, if they are; and what ended them too soon, after which come no more tables and no
    verdicts.
    """
    found: Tables = {}
    if fairness.played is None:
        return found, "", None
    try:
        fairness.rules.check_playable()
    except UsageError as error:  # prices can be judged all the same; whatever else is wrong is for the user to mend
        return found, str(error), None
    try:
        for view in PLAYED_VIEWS:
            found[view] = fairness.rows(view)
            if not fairness.played.complete:
                return found, "", KeyboardInterrupt()
        return {"verdicts": fairness.rows("game_verdicts", lang)} | found, "", None
    except KeyboardInterrupt as interrupt:
        return found, "", interrupt
    except RunError as error:
        if error.result is None:
            raise
        return found, "", error


def question(fairness: Fairness, table: FairTable | None, cap: float | None, units: str) -> Row:
    """Return what was asked for, beside the rules."""
    asked: Row = {"tolerance": fairness.tolerance}
    if fairness.rake is not None:
        asked["rake"] = float(fairness.rake)
    if fairness.played is not None:
        played = fairness.played
        asked |= {"games": played.games, "policies": played.policies, "skill": played.skill, "seed": played.seed}
        asked |= {"stopped": played.stopped} if played.stopped else {}
    if table is None or table.method == METHODS[0]:
        return asked if table is None else asked | {"method": table.method}
    return asked | {"method": table.method, "cap": cap, "units": units}


def notes(fairness: Fairness, table: FairTable | None, lang: str, *, playable: bool) -> list[str]:
    """Return what is to be said below the tables."""
    points = fairness.rules.place_points is not None
    heo = any(entry.count_heo for prices in fairness.lists for entry in prices.listed)
    cost = term("note_cost", lang).format(but=term("but_heo", lang) if heo else "")
    said = [term("note_fair", lang), cost] if fairness.lists else [term("no_list", lang)]
    if points and fairness.rules.prices is None:
        said.append(term("note_no_stakes", lang))
    if fairness.lacks_opening:
        said.append(term("note_no_opening", lang))
    if not all(prices.exact for prices in fairness.lists):
        said.append(term("note_bounds", lang))
    if any(row["heo_per_1000"] is not None for row in fairness.rows("summary")):
        said.append(term("note_heo", lang).format(deals=f"{HEO_DEALS:,}"))
    if fairness.played is not None and playable:
        played = fairness.played
        said.append(term("note_games", lang).format(games=f"{played.games:,}", policies=played.policies))
        said += [term("note_ket", lang)] if played.rows("ket_3_bich") else []
        sampled = [term(f"sampled_{view}", lang) for view in ("risks", "reasons", "game_rake") if played.rows(view)]
        if sampled:
            what = ", ".join(sampled)
            said.append(term("note_sample", lang).format(games=f"{played.sample.games:,}", what=what))
        one, others = played.skill_names
        said.append(term("note_skill", lang).format(one=one, others=others))
        if points and fairness.rake is not None:
            said.append(term("note_points_rake", lang))
    for each in table.lists if table else ():
        which = term(each.before.which, lang)
        said += [f"{which}: {term(key, lang)}" for key in each.notes]
    return said


def in_words(provenance: Row, lang: str) -> Row:
    """Return the provenance in words; twelve digits of a digest tell rules apart."""
    found = {"tolerance": "tolerance_used", "rake": "rake_used", "cap": "cap"}
    cut = {"digest": provenance["digest"][:12]}
    if "rake" in provenance:
        cut["rake"] = f"{100 * provenance['rake']:g} %"
    return {term(found.get(key, key), lang): value for key, value in (provenance | cut).items()}


def for_people(tables: Tables, fairness: Fairness, lang: str, stake: int | None) -> Tables:
    """Return the tables in words; of the proposed table, before and after stand below each other."""
    names = {entry.id: entry.name(lang) for prices in fairness.lists for entry in prices.listed}
    found: Tables = {}
    for view, rows in tables.items():
        split = [part for row in rows for part in _before_and_after(row, lang)] if view == "table_summary" else rows
        words = partial(_heading, view, lang=lang, points=in_points(fairness))
        found[view] = [_in_words(view, row, names, lang, stake, words) for row in split if not _is_slight(view, row)]
    return {view: rows for view, rows in found.items() if rows}


def in_points(fairness: Fairness) -> bool:
    """Whether a table is about points, not about money."""
    return fairness.rules.place_points is not None


def title_of(view: str, fairness: Fairness, lang: str) -> str:
    """Return the heading of a table."""
    return term_of(f"view_{view}", lang, points=in_points(fairness))


def _is_slight(view: str, row: Row) -> bool:
    """Whether people need not see a row: reasons whose money hardly hangs together."""
    return view == "covariances" and abs(row["correlation"]) < _SLIGHT


def _before_and_after(row: Row, lang: str) -> list[Row]:
    """Split a row that holds both into two rows."""
    keys = ("misplaced", "worst_ratio", "wrong_pairs", "tau_strength", "tau_price")
    before = {"cost_per_1000": row["cost_per_1000_before"], "cost_change": None}
    before |= {key: row[f"{key}_before"] for key in keys}
    after = {key: row[key] for key in ("cost_per_1000", "cost_change", *keys)}
    return [{"list": row["list"], "": term(when, lang)} | part for when, part in (("before", before), ("after", after))]


def _in_words(
    view: str, row: Row, names: Mapping[str, str], lang: str, stake: int | None, words: Callable[[str], str]
) -> Row:  # fmt: skip
    cells: Row = {}
    for key, value in row.items():
        if _is_left_out(view, key) or (key in _ONLY_WHERE_KNOWN and value is None):
            continue
        heading = words(key)
        cells[heading] = _place(view, value, lang) if key in _PLACES else _cell(key, value, names, lang)
        if view == "risks" and key == "held":
            cells[heading] = None if value is None else Number(shown_one_in(1 / value))
        if value is not None and key in _ERRORS and row.get(_ERRORS[key]):
            error = row[_ERRORS[key]]
            shown_so = f"± {error:.2%}" if str(cells[heading]).endswith("%") else shown_error(error)
            cells[heading] = Number(f"{cells[heading]} {shown_so}")
        if stake is not None and key in _MONEY and view in _MONEY_VIEWS and value is not None:
            cells[f"{heading} × {stake:,}"] = Number(f"{value * stake:,.0f}")
        if key == _HAS_INTERVAL.get(view):  # right behind it
            low, high = row["ci_low"], row["ci_high"]
            interval = None if low is None else Number(f"{low:+.3f} … {high:+.3f}")
            cells[term("interval" if view == "skill" else "interval_together", lang)] = interval
    for key in ("games_to_lead_zero", "games_to_lead_all"):
        if row.get(key) is not None:
            low, high = row[f"{key}_low"], row[f"{key}_high"]
            cells[words(key)] = Number(f"{row[key]:,} ({low:,} … {'∞' if high is None else f'{high:,}'})")
    if row.get("kind") == "bounds" and "probability" in row:
        ends = [shown(row[f"probability_{end}"]) for end in ("low", "high")]
        cells[term("wins_table", lang)] = Number(" … ".join(ends))
    return cells


_HAS_INTERVAL = {"seats": "mean", "leading": "mean", "skill": "mean", "direction": "difference"}
_ONLY_WHERE_KNOWN = {"heo_per_1000", "mean_after_rake"}
_PLACES = {"at", "seat"}  # seats and distances; none means all of them together


def _is_left_out(view: str, key: str) -> bool:
    if view == "risks" and key == "held":
        return False
    return key in _LEFT_OUT or key in _ERRORS.values() or (view == "verdicts" and key in {"kind", "pattern"})


def _place(view: str, value: int | None, lang: str) -> Any:
    if value is None:
        return term("neighbours" if view == "direction" else "whole_table", lang)
    return value


def _heading(view: str, key: str, lang: str, *, points: bool = False) -> str:
    if not key:
        return ""
    if points and view == "skill" and key == "mean":
        return term("skill_mean_points", lang)
    return term_of(_HEADINGS_OF.get(view, {}).get(key) or _HEADINGS.get(key, key), lang, points=points)


_WRITE: dict[str, Callable[[Any], str]] = {
    "probability": shown, "someone": shown, "one_in": shown_one_in, "factor": amount, "fair_price": amount,
    "ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "worst_ratio": lambda value: amount(value) if value >= 1e-3 else f"{value:.1e}",
    "tau_strength": lambda value: f"{value:+.3f}", "tau_price": lambda value: f"{value:+.3f}",
    "left_per_hand": shown, "chops_per_hand": shown, "chopped_per_hand": shown, "left_if_held": shown,
    "held_one_in": shown_one_in, "share": lambda value: f"{value:.1%}", "spread_alone": lambda value: f"{value:.1%}",
    "spread_together": lambda value: f"{value:+.1%}", "spread_share": lambda value: f"{value:.1%}",
    **dict.fromkeys(
        ("mean", "ahead", "straight", "alternating", "difference", "net_if_held", "net_if_tried", "mean_after_rake",
         "correlation"),
        lambda value: f"{value:+.3f}",
    ),
    "success": lambda value: f"{value:.2%}", "break_even": lambda value: f"{value:.1%}",
    "misplaced": lambda value: f"{value:.1%}", "cost_change": lambda value: f"{value:+.2%}",
}  # fmt: skip


def _cell(key: str, value: Any, names: Mapping[str, str], lang: str) -> Any:
    """Return a value as people read it."""
    if key in {"pattern", "rarer"}:
        return term("whole_list", lang) if value is None else names[value]
    if key in _TERMS:
        return term(f"by_{value}" if key == "by" else value, lang)
    if key in {"reason", "other"}:
        return reason_name(value, lang)
    if value is None or isinstance(value, bool | str | int):
        return value
    write = _WRITE.get(key, lambda number: f"{number:,.4g}" if abs(number) < 1e4 else f"{number:,.0f}")
    return Number(write(value))
