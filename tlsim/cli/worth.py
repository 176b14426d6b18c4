"""``tlsim hand --ev``: what a hand, a pattern or a whole list is worth, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from tlsim.cli.options import RUNNING, TARGETS
from tlsim.cli.output import Number
from tlsim.cli.stats import plus_minus
from tlsim.errors import UsageError
from tlsim.results.parts import Row, shown, shown_one_in
from tlsim.results.value import HandValue, where_name
from tlsim.results.worth import DeclareWorth
from tlsim.rules import Rules
from tlsim.terms import term

WHOLE_LIST = "toi_trang"
_ONLY_WITH_EV = (
    "players", "policies", "games", "distance", "dead", "seed", *RUNNING, *TARGETS, "stake", "plot",
)  # fmt: skip
_MONEY = ("mean", "declare", "play_on", "call_mean", "silent_mean", "difference")
View = tuple[dict[str, list[Row]], dict[str, Any], list[str]]
"""Tables, provenance and notes."""


def check_flags(context: click.Context, *, ev: bool, rules_name: str) -> None:
    """Refuse flags of games where no games are asked for, and a worth under all rules at once."""
    if ev and rules_name == "all":
        raise UsageError("--ev plays by one rule set: choose it with --rules NAME")
    default = click.core.ParameterSource.DEFAULT
    told = [name for name in _ONLY_WITH_EV if context.get_parameter_source(name) is not default]
    if told and not ev:
        raise UsageError(f"--{told[0].replace('_', '-')} is for games with the hand: add --ev")


def check_hand(text: str, *, ev: bool, plot: str | None) -> None:
    """Refuse a pattern without games to play, and a picture of the whole list."""
    if not ev and is_pattern_word(text):
        raise UsageError(f"{text!r} is no hand: add --ev to ask what such hands are worth, or write cards")
    if plot and text.strip() == WHOLE_LIST:
        raise UsageError("--plot draws the worth of one hand or one pattern: name one, or leave --plot out")


def asks_for_pattern(text: str, rules: Rules, *, opening: bool) -> bool:
    """Whether the words on the command line name a pattern of the list, or the whole list, and no cards."""
    return is_pattern_word(text) or any(text.strip() == win.id for win in rules.instant_wins(opening))


def is_pattern_word(text: str) -> bool:
    """Whether a text looks like the id of a pattern, or asks for the whole list.

    >>> is_pattern_word("tu_quy_2"), is_pattern_word("3S 4S")
    (True, False)
    """
    return "_" in text


def tables(found: HandValue | DeclareWorth, lang: str, stake: int | None, *, people: bool) -> View:
    """Return the tables of what was found, in words for people."""
    views = ("patterns", "total") if isinstance(found, DeclareWorth) else ("value", "declare", "sam")
    rows = {view: found.rows(view) for view in views}
    provenance = found.provenance.as_dict() | {"policies": ",".join(found.policies), "games": found.games}
    if found.stopped not in {"", "size"}:
        provenance["stopped"] = found.stopped
    if not people:
        return {view: _staked(each, stake) for view, each in rows.items()}, provenance, []
    names = {each.entry.id: each.entry.name(lang) for each in found.patterns} if isinstance(found, DeclareWorth) else {}
    write: dict[str, Callable[[Row, str], Row]] = {"value": _value, "declare": _declare, "sam": _sam}
    if names:
        write |= {"patterns": lambda row, spoken: _pattern(row, names, spoken), "total": _declare}
    shown_tables = {
        view: [write[view](row, lang) | _times(row, stake) for row in each] for view, each in rows.items() if each
    }
    notes = ["note_drawn" if isinstance(found, DeclareWorth) else "note_value"]
    if isinstance(found, HandValue) and found.declared:
        notes.insert(0, "note_declared")
        if any(row["ci_low"] is None for row in rows["value"]):
            notes.insert(1, "note_one_kind")
    said = [term(note, lang).format(games=f"{found.games:,}") for note in notes]
    return shown_tables, provenance, [*found.verdicts(lang), *said]


def titles(lang: str) -> dict[str, str]:
    """Return the headings of all tables."""
    views = {"value": "view_value", "declare": "view_declare", "sam": "view_sam", "patterns": "view_declare",
             "total": "view_total"}  # fmt: skip
    return {view: term(key, lang) for view, key in views.items()}


def _staked(rows: Sequence[Row], stake: int | None) -> list[Row]:
    """Return rows with their money times a stake as well."""
    if stake is None:
        return list(rows)
    times = f" × {stake:,}"
    return [row | {key + times: row[key] * stake for key in _MONEY if row.get(key) is not None} for row in rows]


def _times(row: Row, stake: int | None) -> Row:
    """Return the column of the money that a row is about, times a stake."""
    key = "mean" if "mean" in row else "difference"
    if stake is None or row.get(key) is None:
        return {}
    return {f"× {stake:,}": Number(f"{row[key] * stake:+,.0f}")}


def _value(row: Row, lang: str) -> Row:
    return {
        term("distance", lang): where_name(row, lang),
        term("win", lang): _share(row, "win", "win_low", "win_high"),
        term("mean", lang): plus_minus(row["mean"], row["std_error"]),
        term("interval", lang): _between(row),
        term("spread", lang): Number(f"{row['spread']:.4g}"),
    }


def _declare(row: Row, lang: str) -> Row:
    cells: Row = {term("distance", lang): where_name(row, lang)} if "which" in row else {}
    for key, error in (("declare", "declare_std_error"), ("play_on", "play_on_std_error"), ("difference", "std_error")):
        cells[term(key, lang)] = plus_minus(row[key], row[error])
    cells[term("interval", lang)] = _between(row)
    if "pays" in row:
        cells[term("pays", lang)] = Number(f"{row['pays']:g}")
        even, error = row["break_even"], row["break_even_std_error"]
        cells[term("price_even", lang)] = None if even is None else Number(plus_minus(even, error).lstrip("+"))
    return cells


def _pattern(row: Row, names: dict[str, str], lang: str) -> Row:
    head = {term("pattern", lang): names[row["pattern"]], term("one_in", lang): Number(shown_one_in(row["one_in"]))}
    return head | _declare(row, lang)


def _sam(row: Row, lang: str) -> Row:
    cells: Row = {
        term("distance", lang): where_name(row, lang),
        term("stands", lang): Number(f"{100 * row['stands']:.2f}"),
        term("success_share", lang): None,
    }
    if row["difference"] is None:
        return cells
    cells[term("success_share", lang)] = _share(row, "success", "success_low", "success_high")
    for key, error in (
        ("call_mean", "call_mean_std_error"),
        ("silent_mean", "silent_mean_std_error"),
        ("difference", "std_error"),
    ):
        cells[term(key, lang)] = plus_minus(row[key], row[error])
    cells[term("interval", lang)] = _between(row)
    if row["break_even"] is not None:
        cells[term("success_even", lang)] = Number(shown(100 * row["break_even"]))
    return cells


def _share(row: Row, key: str, low: str, high: str) -> Number:
    share, bottom, top = (100 * row[name] for name in (key, low, high))
    return Number(f"{share:.2f} ({bottom:.2f} … {top:.2f})")


def _between(row: Row) -> Number | None:
    if row["ci_low"] is None:
        return None
    return Number(f"{row['ci_low']:+.4g} … {row['ci_high']:+.4g}")
