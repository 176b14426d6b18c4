"""Deals per second, one thread, beside numba's Fisher–Yates and numpy's shuffle."""

import baselines
import numba
import numpy as np

from tlsim.kernels.deal import CHUNK, GROUP, deal, deal_group, dealer, desk
from tlsim.kernels.rng import DEALS, stream, stream_key

CHUNKS = 200


@numba.njit
def _deal_and_mix(key, tables, chunks, room, hands):
    """Deal; return the exclusive or of some hands, as the baseline does."""
    mixed = 0
    for chunk in range(chunks):
        of = stream(key, DEALS, chunk)
        for group in range(CHUNK // GROUP):
            deal_group(tables, of, group, room, hands)
            mixed ^= hands[0, 0]
    return mixed


def _deals(players, hand_size):
    tables, key = dealer(players, hand_size), stream_key(0)
    group, room = np.zeros((tables.seats, GROUP), np.int64), desk()
    return lambda: _deal_and_mix(key, tables, CHUNKS, room, group), CHUNKS * CHUNK


def test_four_hands_of_13(bench):
    work, deals = _deals(4, 13)
    rows = {
        "Fisher-Yates": (lambda: baselines.deal_fisher_yates(1, 20_000), 20_000),
        "numpy": (lambda: baselines.masks_numpy(1, 4_000), 4_000),
    }
    bench.paired("full deals, four hands of 13", "deal", work, deals, baselines=rows, floor="floor 7x, 60x")
    hands = deal(stream_key(0), dealer(4, 13), 0, CHUNKS)
    assert work() == np.bitwise_xor.reduce(hands[0, ::GROUP])
    assert np.array_equal(np.bitwise_or.reduce(hands, axis=0), np.full(hands.shape[1], (1 << 52) - 1))
    assert {int(hand).bit_count() for hand in hands[:, :2000].ravel()} == {13}


def test_five_hands_of_10(bench):
    work, deals = _deals(5, 10)
    bench.paired("full deals, five hands of 10", "deal", work, deals)
    hands = deal(stream_key(0), dealer(5, 10), 0, CHUNKS)
    assert work() == np.bitwise_xor.reduce(hands[0, ::GROUP])
    assert {int(hand).bit_count() for hand in hands[:, :2000].ravel()} == {10}
    assert np.array_equal(np.bitwise_or.reduce(hands, axis=0), hands.sum(axis=0))
