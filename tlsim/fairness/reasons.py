"""Which reason to pay moves how much of the money, and how much of its spread."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tlsim.columns import Row
from tlsim.fairness.sample import MONEY, Sample
from tlsim.fairness.views import REASONS
from tlsim.intervals import ratio_mean
from tlsim.kernels import matches as m
from tlsim.results.game_stats import GameStats
from tlsim.results.provenance import known

Floats = NDArray[np.float64]


def reason_rows(games: GameStats, sample: Sample) -> list[Row]:
    """Return per reason how much money it moves, of all games, and how much of a seat's spread it makes, of a sample.

    With X the money of a seat in a game and X_r that by reason r, ``spread_alone = Var X_r / Var X`` and
    ``spread_together`` the covariances with the other reasons; their sums, ``spread_share``, add up to 1.
    """
    spread = Spread(sample)
    rows = []
    for at, reason in enumerate(MONEY):
        row: Row = dict.fromkeys(REASONS.keys) | {"reason": reason}
        if at < len(MONEY) - 1:
            row |= _moved(games, at)
        if row["payments_per_game"] or spread.alone[at]:
            rows.append(row | spread.row(at))
    return [] if [row["reason"] for row in rows] == ["points"] else rows  # where nobody pays there is nothing to share


def _moved(games: GameStats, at: int) -> Row:
    """Return what a reason moves per game, and its share of all that moves."""
    sums = games.tally.batches[:2].sum(axis=0)
    halves = sums[:, m.S_REASONS + 1 : m.S_REASONS + 2 * (len(MONEY) - 1) : 2]
    mean, error = ratio_mean(halves[:, at], sums[:, m.S_GAMES])
    share, share_error = ratio_mean(halves[:, at], halves.sum(axis=1))
    return {
        "payments_per_game": int(sums[:, m.S_REASONS + 2 * at].sum()) / max(1, games.games),
        "money_per_game": mean / 2, "money_error": known(error / 2),
        "share": known(share), "share_error": known(share_error),
    }  # fmt: skip


class Spread:
    """Variance of a seat's money per game, by reason; in half units, within seats."""

    def __init__(self, sample: Sample) -> None:
        games, mean = sample.length, sample.money.sum(axis=0) / sample.games
        cross = np.einsum("msr,sq->mrq", sample.money, mean)
        about_means = sample.products - cross - cross.transpose(0, 2, 1) + games * (mean.T @ mean)
        self.by_match: Floats = about_means / (games * sample.players)
        self.covariance: Floats = self.by_match.mean(axis=0)
        self.total = float(self.covariance.sum())
        self.alone: Floats = np.diagonal(self.covariance)

    def row(self, at: int) -> Row:
        """Return what of the spread is due to a reason."""
        if not self.total:
            return {}
        alone, whole = float(self.alone[at]), float(self.covariance[at].sum())
        _, error = ratio_mean(self.by_match[:, at].sum(axis=1), self.by_match.sum(axis=(1, 2)))
        return {
            "spread_alone": alone / self.total, "spread_together": (whole - alone) / self.total,
            "spread_share": whole / self.total, "spread_error": known(error),
        }  # fmt: skip


def covariance_rows(sample: Sample) -> list[Row]:
    """Return the covariance of a seat's money by any two reasons, in squares of the unit, and their correlation."""
    spread = Spread(sample)
    moving = [at for at in range(len(MONEY)) if spread.alone[at]]
    rows = []
    for one, two in combinations(moving, 2):
        covariance, error = ratio_mean(spread.by_match[:, one, two], np.ones(sample.matches))
        scale = float(np.sqrt(spread.alone[one] * spread.alone[two]))
        rows.append(
            {"reason": MONEY[one], "other": MONEY[two], "covariance": covariance / 4,
             "covariance_error": known(error / 4), "correlation": covariance / scale}
        )  # fmt: skip
    return rows
