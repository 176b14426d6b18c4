"""What leading is worth, and whether the direction rule evens seats out: the same deals, seen from every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tlsim.intervals import joint_reach, ratio_mean
from tlsim.kernels import matches as m
from tlsim.kernels.row import Ints
from tlsim.results.games import GameStats
from tlsim.results.parts import Row, known
from tlsim.rules import Rules

LEADING_COLUMNS = ("at", "mean", "std_error", "ci_low", "ci_high", "ahead", "ahead_error")
DIRECTION_COLUMNS = (
    "at", "straight", "straight_error", "alternating", "alternating_error", "difference", "std_error", "ci_low",
    "ci_high",
)  # fmt: skip
DIRECTION = "turn.alternate_direction_each_hand"

PlayLed: TypeAlias = Callable[[int], GameStats]


def leading_rows(led: Sequence[GameStats]) -> list[Row]:
    """Return mean money of a regular game by distance from the leader, over deals in which every seat led once.

    ``ahead`` is the mean less that of the others; of the leader (distance 0) that is what leading is worth. The
    luck of the cards is the same for all distances, as every hand is at each of them once. Errors are over deals, the
    intervals of all distances hold together.

    Parameters
    ----------
    led
        Games over the same deals: led by seat 0, by seat 1 …
    """
    players = led[0].players
    money = sum(_money(games, m.S_ROLES) for games in led)
    deals = sum(games.batch_games() for games in led)
    return [_row(at, *money_and_ahead(money, at), deals, joint_reach(players)) for at in range(players)]


def _money(games: GameStats, first: int) -> Ints:
    """Return money by batch, and by seat or distance from the leader; int64, shape (256, players)."""
    at = [first + number * m.N_PER_SEAT for number in range(games.players)]
    money: Ints = games.tally.batches[m.ALL_GAMES][:, at]
    return money


def money_and_ahead(money: Any, at: int) -> tuple[Any, Any]:
    """Return the money of one by batch, and how far it is ahead of the mean of the others, in units.

    >>> [each.tolist() for each in money_and_ahead(np.array([[6, 2, -2]]), 0)]
    [[3.0], [3.0]]
    """
    others = (money.sum(axis=1) - money[:, at]) / (money.shape[1] - 1)
    return money[:, at] / 2, (money[:, at] - others) / 2


def _row(at: int, money: Any, ahead: Any, games: Any, reach: float) -> Row:
    (mean, error), (lead, lead_error) = (ratio_mean(values, games) for values in (money, ahead))
    return {
        "at": at, "mean": mean, "std_error": known(error), "ci_low": known(mean - reach * error),
        "ci_high": known(mean + reach * error), "ahead": lead, "ahead_error": known(lead_error),
    }  # fmt: skip


def direction_rows(straight: Sequence[GameStats], alternating: Sequence[GameStats]) -> list[Row]:
    """Return mean money by distance from the one player who plays otherwise, without and with the direction rule.

    Seats of equal players are alike by any rule, so one plays better (or worse) than the others: at distance 0, in
    every seat once, over the same deals. The one after him is always the same without the rule; with it the neighbours
    change places from game to game. The last row (no distance) is the neighbour after him less the one before him,
    which a rule that evens seats out brings to 0. ``difference`` is paired over the deals; its intervals hold together.

    Parameters
    ----------
    straight, alternating
        Games over the same deals without and with the rule: the one in seat 0, in seat 1 …
    """
    players = straight[0].players
    if players < 3:
        return []
    games = sum(each.batch_games() for each in straight)
    off, on = by_distance(straight), by_distance(alternating)
    rows = [_pair(at, off[:, at], on[:, at], games, joint_reach(players + 1)) for at in range(players)]
    gaps = [each[:, 1] - each[:, players - 1] for each in (off, on)]
    return [*rows, _pair(None, gaps[0], gaps[1], games, joint_reach(players + 1))]


def by_distance(games: Sequence[GameStats]) -> Any:
    """Return money by batch and distance from seat 0 in the first games, from seat 1 in the next …; half units."""
    return sum(np.roll(each.seat_money(), -seat, axis=1) for seat, each in enumerate(games))


def _pair(at: int | None, off: Any, on: Any, games: Any, reach: float) -> Row:
    (without, without_error), (having, having_error), (difference, error) = (
        ratio_mean(values / 2, games) for values in (off, on, on - off)
    )
    return {
        "at": at, "straight": without, "straight_error": known(without_error), "alternating": having,
        "alternating_error": known(having_error), "difference": difference, "std_error": known(error),
        "ci_low": known(difference - reach * error), "ci_high": known(difference + reach * error),
    }  # fmt: skip


def directions(rules: Rules) -> tuple[Rules, Rules]:
    """Return the rules without and with the direction rule."""
    return rules.replace(DIRECTION, value=False), rules.replace(DIRECTION, value=True)
