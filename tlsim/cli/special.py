"""The tables that only Sâm lốc and Tổng thống have, and differences of two runs, as people read them."""

from __future__ import annotations

from typing import Any

from tlsim.cli.output import Number
from tlsim.cli.stats import heading, plus_minus, with_error
from tlsim.kernels.matches import MOST_IN_A_ROW
from tlsim.results.parts import Row
from tlsim.results.titles import matrix
from tlsim.terms import term

_PERCENT = ("success", "break_even", "share", "other_share", "matches_won")
_SIGNED = ("difference", "call_mean", "silent_mean")
_ERROR = {"share": "std_error", "difference": "std_error"}  # of other columns: name_std_error
_NOT_SHOWN = ("std_error", "ci_low", "ci_high", "strength_to")


def special_rows(view: str, rows: list[Row], lang: str) -> list[Row]:
    """Return the rows of a view in words: errors beside what they belong to, shares in percent, moves as a matrix."""
    if view in {"titles", "difference_titles"}:
        return _matrix_rows(view, rows, lang)
    return [
        {
            _heading(key, lang): _cell(key, value, row, lang)
            for key, value in row.items()
            if key not in _NOT_SHOWN and not key.endswith("_std_error")
        }
        for row in rows
    ]


def _matrix_rows(view: str, rows: list[Row], lang: str) -> list[Row]:
    signed = view.startswith("difference")
    names, cells = matrix(rows, "difference" if signed else "share", lang)
    return [
        {term("old_title", lang): name}
        | {new: _percent(*cell, signed=signed) for new, cell in zip(names, row, strict=True)}
        for name, row in zip(names, cells, strict=True)
    ]


def _heading(key: str, lang: str) -> str:
    if key == "strength_from":
        return term("strength", lang)
    return heading(key, lang) + (" %" if key in _PERCENT else "")


def _cell(key: str, value: Any, row: Row, lang: str) -> Any:
    if key == "strength_from":
        return term("all_strengths", lang) if value is None else f"{100 * value:.0f}–{100 * row['strength_to']:.0f} %"
    if key == "title":
        return term(value, lang)
    if key == "games_held":
        return Number(f"{value}+" if value == MOST_IN_A_ROW else f"{value}")
    return _number(key, value, row) if isinstance(value, float) else value


def _number(key: str, value: float, row: Row) -> Number | None:
    if key == "success":
        low, high = 100 * row["ci_low"], 100 * row["ci_high"]
        digits = 0 if high - low > 10 else 1 if high - low > 1 else 2
        return Number(f"{100 * value:.{max(1, digits)}f} ({low:.{digits}f}–{high:.{digits}f})")
    error = row.get(_ERROR.get(key, f"{key}_std_error"))
    if key in _PERCENT:
        return _percent(value, error)
    return plus_minus(value, error) if key in _SIGNED else with_error(value, error)


def _percent(value: float | None, error: float | None, *, signed: bool = False) -> Number | None:
    if value is None:
        return None
    of_100 = None if error is None else 100 * error
    return plus_minus(100 * value, of_100) if signed else with_error(100 * value, of_100)
