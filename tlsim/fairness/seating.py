"""What seats are worth: each by itself, to lead from it, and beside a better player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tlsim.columns import Row
from tlsim.intervals import joint_reach, ratio_mean
from tlsim.kernels import matches as m
from tlsim.results.game_stats import GameStats
from tlsim.results.provenance import known
from tlsim.rules import Rules

DIRECTION = "turn.alternate_direction_each_hand"


def seat_rows(games: GameStats) -> list[Row]:
    """Return mean money per game by seat and by distance from the leader (0), over all and over regular games.

    The intervals hold together with 95 %: each has 1 − 0.05 / seats (C. E. Bonferroni, 1936). Errors are over matches.
    """
    reach = joint_reach(games.players, _clusters(games.batch_games()))
    rows = []
    for view, at in (("seats", "seat"), ("roles", "role")):
        for prefix, which in (("", "all"), ("regular_", "regular")):
            for row in games.rows(view):
                mean, error = row[f"{prefix}mean"], row[f"{prefix}std_error"]
                if mean is not None and error is not None:
                    where = {"group": at, "at": row[at], "which": which}
                    rows.append(where | _joint("mean", mean, error, reach))
    return rows


def leading_rows(led: Sequence[GameStats]) -> list[Row]:
    """Return mean money of a regular game by distance from the leader, over the same deals led by each seat in turn.

    ``ahead``, the mean less that of the others, is of the leader what leading is worth. Errors are over deals.
    """
    players = led[0].players
    at_role = [m.S_ROLES + role * m.N_PER_SEAT for role in range(players)]
    money = sum(games.tally.batches[m.ALL_GAMES][:, at_role] for games in led)
    deals = sum(games.batch_games() for games in led)
    return [_led(at, money, deals, joint_reach(players, _clusters(deals))) for at in range(players)]


def _led(at: int, money: Any, deals: Any, reach: float) -> Row:
    """Return the row of a distance from the leader, of money by batch and distance in half units."""
    others = (money.sum(axis=1) - money[:, at]) / (money.shape[1] - 1)
    mean, error = ratio_mean(money[:, at] / 2, deals)
    ahead, ahead_error = ratio_mean((money[:, at] - others) / 2, deals)
    return {"at": at, **_joint("mean", mean, error, reach), "ahead": ahead, "ahead_error": known(ahead_error)}


def _clusters(games: Any) -> int:
    """Return how many batches have games."""
    return int((games > 0).sum())


def _joint(key: str, value: float, error: float, reach: float) -> Row:
    """Return an estimate, its error, and the ends of its interval."""
    ends = {"ci_low": known(value - reach * error), "ci_high": known(value + reach * error)}
    return {key: value, "std_error": known(error), **ends}


def direction_rows(straight: Sequence[GameStats], alternating: Sequence[GameStats]) -> list[Row]:
    """Return mean money by distance from the one player who plays otherwise, without and with the direction rule.

    Seats of equal players are alike by any rule, so one is not: at distance 0, in every seat once over the same deals.
    The last row (no distance) is the neighbour after him less the one before him, which a rule that evens seats out
    brings to 0. ``difference`` is paired over the deals.
    """
    players = straight[0].players
    if players < 3:
        return []
    games = sum(each.batch_games() for each in straight)
    off, on = by_distance(straight), by_distance(alternating)
    reach = joint_reach(players + 1, _clusters(games))
    rows = [_pair(at, off[:, at], on[:, at], games, reach) for at in range(players)]
    gaps = [each[:, 1] - each[:, players - 1] for each in (off, on)]
    return [*rows, _pair(None, gaps[0], gaps[1], games, reach)]


def by_distance(games: Sequence[GameStats]) -> Any:
    """Return money by batch and distance from seat 0 in the first games, from seat 1 in the next …; half units."""
    return sum(np.roll(each.seat_money(), -seat, axis=1) for seat, each in enumerate(games))


def _pair(at: int | None, off: Any, on: Any, games: Any, reach: float) -> Row:
    row: Row = {"at": at}
    for key, money in (("straight", off), ("alternating", on)):
        mean, error = ratio_mean(money / 2, games)
        row |= {key: mean, f"{key}_error": known(error)}
    return row | _joint("difference", *ratio_mean((on - off) / 2, games), reach)


def directions(rules: Rules) -> tuple[Rules, Rules]:
    """Return the rules without and with the direction rule."""
    return rules.replace(DIRECTION, value=False), rules.replace(DIRECTION, value=True)
