"""Samples of games small enough to check by hand."""

from itertools import product

import numpy as np

from tlsim.fairness.sample import MONEY, THINGS, Sample

CHOP, PLACE = MONEY.index("chop"), MONEY.index("place")


def sample_of(games):
    """Return a sample of matches of games: by seat, half units by reason."""
    matches, length, players = len(games), len(games[0]), len(games[0][0])
    money = np.zeros((matches, players, len(MONEY)), np.int64)
    products = np.zeros((matches, len(MONEY), len(MONEY)), np.int64)
    with_net = np.zeros((matches, players, len(MONEY)), np.int64)
    nets = np.zeros((matches, length, players), np.int64)
    for match, game in product(range(matches), range(length)):
        for seat, paid in enumerate(games[match][game]):
            row = np.zeros(len(MONEY), np.int64)
            for reason, amount in paid.items():
                row[reason] = amount
            money[match, seat] += row
            products[match] += np.outer(row, row)
            with_net[match, seat] += row * row.sum()
            nets[match, game, seat] = row.sum()
    return Sample(
        np.ones(matches, np.int64), np.zeros((matches, len(THINGS), 6), np.int64), money, products, with_net, nets
    )
