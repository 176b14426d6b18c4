"""Deals per second, one thread, beside numba's Fisher–Yates and numpy's shuffle."""

import baselines
import numpy as np

from tlsim.kernels.deal import CHUNK, deal_chunks, dealer, desk
from tlsim.kernels.rng import stream_key

CHUNKS = 16  # 512 KiB of hands: they stay in the second-level cache


def _deals(players, hand_size):
    tables, key = dealer(players, hand_size), stream_key(0)
    hands = np.zeros((tables.seats, CHUNKS * CHUNK), np.int64)
    group, room = np.zeros((tables.seats, 256), np.int64), desk()

    def work():
        for first in range(0, 20 * CHUNKS, CHUNKS):
            deal_chunks(key, tables, first, hands, room, group)
        return hands

    return work, 20 * CHUNKS * CHUNK


def test_four_hands_of_13(bench):
    work, deals = _deals(4, 13)
    rows = {
        "Fisher-Yates": (lambda: baselines.deal_fisher_yates(1, 20_000), 20_000),
        "numpy": (lambda: baselines.masks_numpy(1, 4_000), 4_000),
    }
    bench.paired("full deals, four hands of 13", "deal", work, deals, baselines=rows, floor="floor 7x, 60x")
    hands = work()
    assert np.array_equal(np.bitwise_or.reduce(hands, axis=0), np.full(hands.shape[1], (1 << 52) - 1))
    assert {int(hand).bit_count() for hand in hands[:, :2000].ravel()} == {13}


def test_five_hands_of_10(bench):
    work, deals = _deals(5, 10)
    bench.paired("full deals, five hands of 10", "deal", work, deals)
    hands = work()
    assert {int(hand).bit_count() for hand in hands[:, :2000].ravel()} == {10}
    assert np.array_equal(np.bitwise_or.reduce(hands, axis=0), hands.sum(axis=0))
