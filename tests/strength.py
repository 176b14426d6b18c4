"""How much better than the others one policy does, its seat rotated over the same deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import tlsim


class Advantage(NamedTuple):
    """Mean money of the one per game above the mean of the whole table, and its standard error.

    Where money sums to zero that is the mean money itself; points do not.
    """

    mean: float
    error: float
    games: int

    @property
    def errors(self):
        return self.mean / self.error


def advantage(preset, players, one, others, *, matches, match_length=None, seed=1):
    """Play the same deals with the one in each seat in turn; matches over all seats are the independent unit."""
    money, games = np.zeros(256), 0
    for seat in range(players):
        stats = tlsim.simulate(
            preset, games=matches * (match_length or tlsim.load_rules(preset).match_length), players=players,
            policies=[one if other == seat else others for other in range(players)], match_length=match_length,
            seed=seed,
        )  # fmt: skip
        net = stats.seat_money() / 2
        money += net[:, seat] - net.mean(axis=1)
        games += stats.batch_games()
    mean = money.sum() / games.sum()
    error = np.sqrt(256 / 255 * ((money - mean * games) ** 2).sum()) / games.sum()
    return Advantage(float(mean), float(error), int(games.sum()))
