"""Kết 3 bích: how often trying succeeds, and from which chance of success on it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from tlsim.intervals import korn_graubard, ratio_mean
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.results.games import GameStats
from tlsim.results.parts import Row, known
from tlsim.rules import Rules
from tlsim.rules.schema import Ket3Bich

KET_COLUMNS = (
    "block_payees", "in_force", "tried_per_1000", "tried", "made", "success", "success_low", "success_high", "gain",
    "loss", "break_even", "net_if_tried", "net_error", "opponent", "opponent_error",
)  # fmt: skip
READINGS: tuple[str, ...] = get_args(Ket3Bich.model_fields["block_payees"].annotation)


def readings(rules: Rules) -> list[Rules]:
    """Return the rules under each reading of who receives where 3♠ is blocked."""
    return [rules.replace("ket_3_bich.block_payees", reading) for reading in READINGS]


def ket_rows(rules: Rules, games: Sequence[GameStats]) -> list[Row]:
    """Return one row per reading of who receives where 3♠ is blocked.

    ``gain`` is what a success brings, ``loss`` what a block costs on average. Trying pays where a success has a chance
    over ``break_even = loss / (gain + loss)``, against going on without winning or losing anything. ``net_if_tried`` is
    what a try brought on average, ``opponent`` what it brought each of the others; errors are over matches.

    Parameters
    ----------
    rules
        The rules.
    games
        Games under each of the `readings`.
    """
    return [_row(rules, each, reading) for each, reading in zip(games, READINGS, strict=True)]


def _row(rules: Rules, games: GameStats, reading: str) -> Row:
    counts = {row["event"]: row["count"] for row in games.rows("events")}
    made, blocked = counts["ket_3_bich_made"], counts["ket_3_bich_blocked"]
    tried = counts["ket_3_bich_tried"]
    gain = _mean(games, "ket_3_bich", made) if made else float(_ket(rules).pays * (games.players - 1))
    loss = _mean(games, "chan_3_bich", blocked) if blocked else None
    low, high = korn_graubard(made, tried) if tried else (None, None)
    return {
        "block_payees": reading, "in_force": reading == _ket(rules).block_payees,
        "tried_per_1000": 1000 * tried / max(1, games.games), "tried": tried, "made": made,
        "success": made / tried if tried else None, "success_low": low, "success_high": high, "gain": gain,
        "loss": loss, "break_even": None if loss is None else loss / (gain + loss) if gain + loss else None,
    } | _nets(games)  # fmt: skip


def _nets(games: GameStats) -> Row:
    """Return what a try brought who tried, and each of the others."""
    sums, others = games.tally.batches[:2].sum(axis=0), games.players - 1
    won, lost = (sums[:, m.S_REASONS + 2 * reason + 1] for reason in (c.KET_3_BICH, c.CHAN_3_BICH))
    net, error = (known(value / 2) for value in ratio_mean(won - lost, sums[:, m.S_EVENTS + c.EV_KET_TRIED]))
    row: Row = {"net_if_tried": net, "net_error": error, "opponent": None, "opponent_error": None}
    if net is not None:
        row["opponent"] = -net / others
    if error is not None:
        row["opponent_error"] = error / others
    return row


def _ket(rules: Rules) -> Any:
    return rules.ket_3_bich


def _mean(games: GameStats, reason: str, times: int) -> float:
    """Return the money of a reason each time that it is due."""
    money: float = next(row["money"] for row in games.rows("reasons") if row["reason"] == reason)
    return money / times
