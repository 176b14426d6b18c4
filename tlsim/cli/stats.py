"""The tables of ``tlsim simulate`` as people read them."""

from __future__ import annotations

import math
from typing import Any

from tlsim.cli.output import Number
from tlsim.results.game_events import event_name, reason_name
from tlsim.results.parts import Row, shown
from tlsim.terms import term

VIEWS = ("seats", "roles", "events", "toi_trang", "reasons", "distribution", "extremes")
_WITH_ERROR = {"mean": "std_error", "opening_mean": "opening_std_error", "regular_mean": "regular_std_error"}
_IN_MONEY = ("seats", "roles", "reasons", "sam_calls", "difference_seats", "difference_sam_calls")
_LEFT_OUT = {*_WITH_ERROR.values(), "ci_low", "ci_high"}


def for_people(view: str, rows: list[Row], lang: str) -> list[Row]:
    """Return the rows of a view in words: what did not happen left out, errors beside what they belong to."""
    happened = [row for row in rows if row.get("count", 1) or row.get("hands")]
    happened = [row for row in happened if row.get("payments", 1)]
    unused = {key for key in _keys(happened) if key.startswith("place_") and not any(row[key] for row in happened)}
    happened = [{key: value for key, value in row.items() if key not in unused} for row in happened]
    return [{heading(key, lang): value for key, value in _cells(view, row, lang).items()} for row in happened]


def _keys(rows: list[Row]) -> set[str]:
    return {key for row in rows for key in row}


def with_stake(view: str, rows: list[Row], stake: int | None) -> list[Row]:
    """Return rows with their money times a stake as well; shares have none."""
    if stake is None or view not in _IN_MONEY:
        return rows
    money = ("mean", "difference", "std_error", "money_per_game", "call_mean", "silent_mean")
    return [row | {f"{key} × {stake:,}": row[key] * stake for key in money if row.get(key) is not None} for row in rows]


def plus_minus(value: float, error: float | None) -> Number:
    """Return an amount with its sign and its error, both to the second digit of the error.

    >>> plus_minus(0.12345, 0.0123), plus_minus(-3.0, None), plus_minus(0.5, 0.0)
    ('+0.123 ± 0.012', '-3', '+0.5')
    """
    return with_error(value, error, "+")


def with_error(value: float, error: float | None, sign: str = "") -> Number:
    """Return a value with its error, both to the second digit of the error.

    >>> with_error(12.345, 0.123), with_error(3.0, None)
    ('12.35 ± 0.12', '3')
    """
    if not error or math.isnan(error):
        return Number(f"{value:{sign}.6g}")
    digits = max(0, 1 - math.floor(math.log10(error)))
    return Number(f"{value:{sign}.{digits}f} ± {error:.{digits}f}")


def heading(key: str, lang: str) -> str:
    """Return the heading of a column; one of a stake keeps the stake."""
    base, times, stake = key.partition(" × ")
    name = {"seat": "seat_word", "pattern": "pattern"}.get(base, base)
    try:
        return term(name, lang) + times + stake
    except KeyError:
        return key


def _cells(view: str, row: Row, lang: str) -> Row:
    cells: dict[str, Any] = {}
    for key, value in row.items():
        if key in _WITH_ERROR:
            cells[key] = None if value is None else plus_minus(value, row.get(_WITH_ERROR[key]))
        elif key == "per_game":
            cells[key] = _rate(value, row.get("std_error"))
        elif key in _LEFT_OUT or key.startswith("std_error"):
            continue
        elif key.startswith("place_"):
            cells[key] = Number(f"{100 * value:.2f}")
        elif key.startswith("per_") or key.endswith("_per_hand"):
            cells[key] = None if value is None else Number(shown(value))
        else:
            cells[key] = _word(view, key, value, lang)
    return cells


def _rate(value: float, error: float | None) -> Number:
    return Number(shown(value) + (f" ± {error:.1g}" if error else ""))


def _word(view: str, key: str, value: Any, lang: str) -> Any:
    """Return what names a row in words."""
    if key == "event":
        return event_name(value, lang)
    if key == "reason":
        return reason_name(value, lang)
    if key == "extreme" or (view == "toi_trang" and key in {"list", "pattern"}):
        return _known(value, lang)
    return value


def _known(value: str, lang: str) -> str:
    """Return a term; a pattern of one's own keeps its id."""
    try:
        return term(value, lang)
    except KeyError:
        return value
