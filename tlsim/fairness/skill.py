"""Seats and skill: what a seat is worth, what leading is, how much a better player wins and in how many games."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tlsim.columns import Row
from tlsim.errors import Sentence, UsageError, wrong
from tlsim.fairness.views import DIRECTION, LEADING, SEATS, SKILL
from tlsim.intervals import joint_reach, ratio_mean
from tlsim.kernels import matches as m
from tlsim.kernels.row import Ints
from tlsim.results.game_stats import GameStats
from tlsim.rules import Rules

DIRECTION_RULE = "turn.alternate_direction_each_hand"
SURE = 0.95
_NODES = 64  # of the quadrature


# --- seats ---


def seat_rows(games: GameStats) -> list[Row]:
    """Return mean money per game by seat and by distance from the leader, over all and over regular games.

    The intervals hold together with 95 %: each has 1 − 0.05 / seats (C. E. Bonferroni, 1936).
    """
    reach = _reach(games.players, games.batch_games())
    return [
        SEATS.row(group=at, at=row[at], which=which, **_joint("mean", (row[f"{of}mean"], row[f"{of}std_error"]), reach))
        for view, at in (("seats", "seat"), ("roles", "role"))
        for of, which in (("", "all"), ("regular_", "regular"))
        for row in games.rows(view)
        if row[f"{of}std_error"] is not None
    ]


def leading_rows(led: Sequence[GameStats]) -> list[Row]:
    """Return mean money of a regular game by distance from the leader, over the same deals led by each seat in turn."""
    players = led[0].players
    at_role = [m.S_ROLES + role * m.N_PER_SEAT for role in range(players)]
    money: Any = sum(games.tally.batches[m.ALL_GAMES][:, at_role] for games in led)
    deals, rows = sum(games.batch_games() for games in led), []
    for at, own in enumerate(money.T):
        others = (money.sum(axis=1) - own) / (players - 1)
        mean = _joint("mean", ratio_mean(own / 2, deals), _reach(players, deals))
        rows.append(LEADING.row(at=at, **mean, ahead=ratio_mean((own - others) / 2, deals)))
    return rows


def _reach(estimates: int, games: Any) -> float:
    """Return how many standard errors make intervals hold together, over the batches that have games."""
    return joint_reach(estimates, int((games > 0).sum()))


def _joint(key: str, found: tuple[float, float], reach: float) -> Row:
    """Return an estimate with its error, and the ends of its interval."""
    value, error = found
    return {key: found, "ci_low": value - reach * error, "ci_high": value + reach * error}


def direction_rows(straight: Sequence[GameStats], alternating: Sequence[GameStats]) -> list[Row]:
    """Return mean money by distance from the one player who plays otherwise, without and with the direction rule.

    The last row (no distance) is the neighbour after him less the one before him, which a rule that evens seats out
    brings to 0. ``difference`` is paired over the deals.
    """
    players = straight[0].players
    if players < 3:
        return []
    games = sum(each.batch_games() for each in straight)
    ways = [by_distance(each) / 2 for each in (straight, alternating)]
    pairs = [(at, *(money[:, at] for money in ways)) for at in range(players)]
    rows = []
    for at, off, on in [*pairs, (None, *(money[:, 1] - money[:, players - 1] for money in ways))]:
        gap = _joint("difference", ratio_mean(on - off, games), _reach(players + 1, games))
        rows.append(DIRECTION.row(at=at, straight=ratio_mean(off, games), alternating=ratio_mean(on, games), **gap))
    return rows


def by_distance(games: Sequence[GameStats]) -> Any:
    """Return money by batch and distance from seat 0 in the first games, from seat 1 in the next …; half units."""
    return sum(np.roll(each.seat_money(), -seat, axis=1) for seat, each in enumerate(games))


def directions(rules: Rules) -> tuple[Rules, Rules]:
    """Return the rules without and with the direction rule."""
    return rules.replace(DIRECTION_RULE, value=False), rules.replace(DIRECTION_RULE, value=True)


# --- skill ---


@dataclass(frozen=True)
class Contest:
    """One player among others who play alike, seats drawn anew for each match; money is above the table's mean."""

    length: int  # games of a match
    mean: float  # of his money of a match
    error: float
    variance: float
    lead_variance: float  # of his lead over one of the others in a match
    lead_covariance: float  # of his leads over two of them
    rivals: int

    def chance_above_zero(self, games: float, mean: float | None = None) -> float:
        """Return the chance that his total over so many games is above zero, by the normal distribution."""
        from scipy.special import ndtr

        matches, mean = games / self.length, self.mean if mean is None else mean
        return float(ndtr(mean * math.sqrt(matches / self.variance))) if self.variance else float(mean > 0)

    def chance_above_all(self, games: float, mean: float | None = None) -> float:
        """Return the chance that his total is above that of every other, by the normal distribution.

        Leads are equally correlated: by a common part, over which the mean is taken, and one of its own.
        """
        from scipy.special import ndtr

        mean = self.mean if mean is None else mean
        lead, matches = mean * (self.rivals + 1) / self.rivals, games / self.length
        common, own = self.lead_covariance, self.lead_variance - self.lead_covariance
        if not self.lead_variance:
            return float(lead > 0)
        if self.rivals == 1 or common < 0 or own <= 0:
            alone = float(ndtr(lead * math.sqrt(matches / self.lead_variance)))
            return 1 - self.rivals * (1 - alone) if own > 0 else alone
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        each = ndtr((lead * math.sqrt(matches) + math.sqrt(common) * nodes) / math.sqrt(own))
        return float(weights @ each**self.rivals / weights.sum())

    def games_to_lead_zero(self, mean: float | None = None) -> int | None:
        """Return from how many games on his total is above zero with 95 %; None where that never comes."""
        return self._first(self.chance_above_zero, mean)

    def games_to_lead_all(self, mean: float | None = None) -> int | None:
        """Return from how many games on his total is above that of every other with 95 %; None where never."""
        return self._first(self.chance_above_all, mean)

    def _first(self, chance: Callable[[float, float], float], mean: float | None) -> int | None:
        mean = self.mean if mean is None else mean
        if not mean > 0 or math.isnan(self.error):  # one match alone tells no spread
            return None
        high = 1
        while chance(high, mean) < SURE:
            high *= 2
        return bisect_left(range(high), SURE, high // 2 + 1, key=lambda games: chance(games, mean))


def contest(games: Sequence[GameStats]) -> Contest:
    """Return what is known of the one from games over the same deals, the one being in each seat in turn."""
    players, length = games[0].players, games[0].match_length
    matches = np.array([each.matches for each in games])
    money = by_distance(games) / 2
    per_batch = np.sum([each.batch_games() for each in games], axis=0) / length
    table = money.sum(axis=1)
    mean, error = ratio_mean(money[:, 0] - table / players, per_batch)
    own = _variance([(each, seat) for seat, each in enumerate(games)], matches)
    others = [(each, at) for seat, each in enumerate(games) for at in range(players) if at != seat]
    other = _variance(others, np.repeat(matches, players - 1))
    with_table, of_table = _with_table(games)
    rivals = players - 1
    of_one = (with_table - own) / rivals  # of the one and another
    between = (of_table - own - rivals * other - 2 * rivals * of_one) / (rivals * max(1, rivals - 1))
    return Contest(
        length, mean, error, own - 2 * with_table / players + of_table / players**2, own + other - 2 * of_one,
        own - 2 * of_one + between, rivals,
    )  # fmt: skip


def _variance(seats: list[tuple[GameStats, int]], matches: Ints) -> float:
    """Return the variance of the money of a match, over the given seats, drawn alike."""
    sums, squares = 0, 0
    for games, seat in seats:
        at = m.S_SEATS + seat * m.N_PER_SEAT
        sums += int(games.tally.batches[m.ALL_GAMES][:, at + m.NET_SUM].sum())
        squares += int(games.tally.batches[m.ALL_GAMES][:, at + m.NET_SQUARES].sum())
    n = int(matches.sum())
    return float(Fraction(squares * n - sums * sums, 4 * n * max(1, n - 1)))


def _with_table(games: Sequence[GameStats]) -> tuple[float, float]:
    """Return the covariance of the one's money of a match with the whole table's, and the latter's variance."""
    found = []  # each run by itself, as runs over the same deals hang together
    for seat, each in enumerate(games):
        money, matches = each.seat_money() / 2, each.batch_games() / each.match_length
        table = money.sum(axis=1)
        found.append([_covariance(values, table, matches) for values in (money[:, seat], table)])
    one, table = np.mean(found, axis=0).tolist()
    return one, table


def _covariance(one: Any, two: Any, matches: Any) -> float:
    """Return the covariance of two sums of a match, from sums of batches of matches."""
    used = matches > 0
    n = matches[used]
    parts = [values[used] - values.sum() / n.sum() * n for values in (one, two)]
    return float((parts[0] * parts[1]).sum() / n.sum() * len(n) / max(1, len(n) - 1))


def skill_row(games: Sequence[GameStats], names: tuple[str, str], rake: Fraction | None, *, points: bool) -> Row:
    """Return what a better player wins per game above the table's mean, and in how many games that shows with 95 %."""
    one, length, won = contest(games), games[0].match_length, mean_win(games)
    reach = _reach(1, sum(each.batch_games() for each in games))
    mean, error, (low, high) = one.mean, one.error, (one.mean + times * one.error * reach for times in (-1, 1))
    found: Row = {
        "policy": names[0], "others": names[1], "mean": (mean / length, error / length), "ci_low": low / length,
        "ci_high": high / length, "spread": math.sqrt(max(0.0, one.variance) / length),
    }  # fmt: skip
    for name in ("games_to_lead_zero", "games_to_lead_all"):
        count = getattr(one, name)
        found |= {name: count(), f"{name}_low": count(high), f"{name}_high": count(low)}
    if not points and won:
        after = None if rake is None else mean / length - float(rake) * won
        found |= {"rake_even": (mean / length / won, error / length / won), "mean_after_rake": after}
    return SKILL.row(**found)


def mean_win(games: Sequence[GameStats]) -> float:
    """Return what the one wins per game where he wins, as a mean over all games."""
    amounts = (np.arange(2 * m.HALF_WIDTH + 1) - m.HALF_WIDTH).clip(min=0)
    won = sum(int((each.tally.money[:, seat].sum(axis=0) * amounts).sum()) for seat, each in enumerate(games))
    return won / 2 / sum(each.games for each in games)


def check_skill(skill: str) -> tuple[str, str]:
    """Return the two policies of a text such as ``smart,lowest``, or refuse it; two that are the same tell no skill."""
    from tlsim.engine.policies import read_policies

    wanted = Sentence("must name two policies that differ, the better one first, such as 'smart,lowest'")
    if not isinstance(skill, str):
        raise wrong("skill", skill, wanted)
    try:
        one, others = map(str, read_policies(skill, 2))
    except UsageError as error:
        raise wrong("skill", skill, "{wanted}: {error}", wanted=wanted, error=error) from None
    if one == others:
        raise wrong("skill", skill, "{wanted}; {one} among {others} has nothing to be better by", wanted=wanted,
                    one=one, others=others)  # fmt: skip
    return one, others
