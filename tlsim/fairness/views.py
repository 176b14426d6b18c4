"""The views about fairness, and how people read what is special in them; their columns stand in ``views.toml``."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tlsim.columns import Column, Row, declared
from tlsim.results.exact import exactly
from tlsim.results.provenance import one_in
from tlsim.show import numbers
from tlsim.terms import distance_name, term

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
COMPARED = ("misplaced", "spread", "worst_ratio", "wrong_pairs", "tau_strength", "tau_price")
"""What is told of a list before and after."""
_SLIGHT = 0.005  # correlation of reasons whose money hardly hangs together


def _small(write: Callable[[float], str]) -> Callable[[Any, Row, str], str | None]:
    """Return what writes a number, and what is under a thousandth by its power of ten."""
    return lambda value, _row, _lang: None if value is None else f"{value:.1e}" if 0 < value < 1e-3 else write(value)


def _distances(value: str | None, _row: Row, lang: str) -> str | None:
    """Return distances from the leader in words."""
    if value is None:
        return None
    return ", ".join(distance_name(int(at), lang) for at in value.split()) or term("never_word", lang)


def _until(value: int | None, row: Row, _lang: str, *, key: str) -> str | None:
    """Return a number of games and its interval, which may be without end."""
    if value is None:
        return None
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    return f"{value:,} ({low:,} … {'∞' if high is None else f'{high:,}'})"


_view = partial(
    declared,
    wins=exactly,
    ratio=_small(numbers.amount),
    exactly=_small(partial(numbers.general, digits=4)),
    distances=_distances,
    as_one_in=lambda value, _row, _lang: None if value is None else numbers.one_in(one_in(value)),
    mark=lambda found, _row, _lang: "▲" if found else "–",  # as the sentences have it
    until_ahead_of_zero=partial(_until, key="games_to_lead_zero"),
    until_ahead_of_all=partial(_until, key="games_to_lead_all"),
)

PRICES, SUMMARY, NOTIONS, PAIRS, VERDICTS, RAKE, TABLE = (
    _view(f"fair.{name}") for name in ("prices", "summary", "notions", "pairs", "verdicts", "rake", "table")
)
ITEMS, RISKS, KET_3_BICH, REASONS = (_view(f"fair.{name}") for name in ("items", "risks", "ket_3_bich", "reasons"))
COVARIANCES = _view("fair.covariances", keep=lambda row: abs(row["correlation"]) >= _SLIGHT)
SEATS, LEADING, DIRECTION, SKILL, GAME_RAKE, SWING, BANKROLL, DECLARING, ACROSS = (
    _view(f"fair.{name}")
    for name in ("seats", "leading", "direction", "skill", "game_rake", "swing", "bankroll", "declaring", "across")
)
GAME_VERDICTS = replace(VERDICTS, name="game_verdicts", about="What is found about whole games, in words.")


def _stacked(rows: Sequence[Row], _lang: str) -> tuple[list[Row], tuple[Column, ...]]:
    """Return what was before and what is after below each other."""
    shown: list[Row] = []
    for row in rows:
        before = {key: row[f"{key}_before"] for key in ("cost_per_1000", *COMPARED)}
        after = {key: row[key] for key in ("cost_per_1000", "cost_change", *COMPARED)}
        shown += [{"list": row["list"], "when": "before", **before}, {"list": row["list"], "when": "after", **after}]
    return shown, (*_view("fair.before_and_after").columns, *(SUMMARY[key] for key in COMPARED))


TABLE_SUMMARY = _view("fair.table_summary", prepare=_stacked)
PLAYED_VIEWS = (ITEMS, RISKS, KET_3_BICH, REASONS, COVARIANCES, SEATS, LEADING, DIRECTION, SKILL, GAME_RAKE, SWING,
                BANKROLL, DECLARING)  # fmt: skip
VIEWS = (PRICES, SUMMARY, NOTIONS, PAIRS, VERDICTS, RAKE, *PLAYED_VIEWS, GAME_VERDICTS, ACROSS)
