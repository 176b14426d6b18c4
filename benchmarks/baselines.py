"""What tlsim is measured against: the same work as one would write it first.

`fisher_yates`: numba, a 52-entry array shuffled with inlined xoshiro256++ and Lemire's bounded draws, then a detector
that counts ranks and suits in arrays. `numpy_hands`: `Generator.permuted`, then the same detector.
"""

from __future__ import annotations

import numba
import numpy as np

PATTERNS = 8  # of doithuong, strongest first
_U = np.uint64


@numba.njit(inline="always")
def _rotated(x, bits):
    return (x << _U(bits)) | (x >> _U(64 - bits))


@numba.njit(inline="always")
def _next(a, b, c, d):
    word = _rotated(a + d, 23) + a
    shifted = b << _U(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return word, a, b, c, _rotated(d, 45)


@numba.njit
def _shuffle(deck, a, b, c, d):
    for at in range(52):
        deck[at] = at
    for at in range(51, 0, -1):
        bound = _U(at + 1)
        word, a, b, c, d = _next(a, b, c, d)
        product = (word >> _U(32)) * bound
        low = product & _U(0xFFFFFFFF)
        if low < bound:
            least = (_U(1 << 32) - bound) % bound
            while low < least:
                word, a, b, c, d = _next(a, b, c, d)
                product = (word >> _U(32)) * bound
                low = product & _U(0xFFFFFFFF)
        to = np.int64(product >> _U(32))
        deck[at], deck[to] = deck[to], deck[at]
    return a, b, c, d


@numba.njit
def deal_fisher_yates(seed, deals):
    """Deal four hands of 13; return the exclusive or of all first hands, so that the work is not left out."""
    a, b, c, d = _U(seed), _U(2), _U(3), _U(4)
    deck, hands, mixed = np.zeros(52, np.int64), np.zeros(4, np.int64), 0
    for _ in range(deals):
        a, b, c, d = _shuffle(deck, a, b, c, d)
        for seat in range(4):
            hands[seat] = 0
            for card in deck[13 * seat : 13 * seat + 13]:
                hands[seat] |= 1 << card
        mixed ^= hands[0]
    return mixed


@numba.njit
def held_by(cards, ranks, suits):
    """Return the bits of the patterns of doithuong in a hand given as card numbers."""
    ranks[:] = 0
    suits[:] = 0
    for card in cards:
        ranks[card // 4] += 1
        suits[card % 4] += 1
    held, run, longest, dragon, pairs, triples, quads = 0, 0, 0, 0, 0, 0, 0
    for rank in range(13):
        pairs += ranks[rank] // 2
        triples += ranks[rank] >= 3
        quads += ranks[rank] == 4
        if rank < 12:
            dragon += ranks[rank] > 0
            run = run + 1 if ranks[rank] >= 2 else 0
            longest = max(longest, run)
    held |= (dragon == 12) << 0
    held |= (longest >= 6) << 1
    held |= (triples >= 4) << 2
    held |= (quads >= 2) << 3
    held |= (max(suits) >= 12) << 4
    held |= (longest >= 5) << 5
    held |= (ranks[12] == 4) << 6
    held |= (pairs >= 6) << 7
    return held


@numba.njit
def _tally(cards, ranks, suits, held, counts, wins, seats):
    """Tally one deal of four hands, cards : int64[52]."""
    holders, strongest = 0, 64
    for seat in range(4):
        bits = held_by(cards[13 * seat : 13 * seat + 13], ranks, suits)
        if bits:
            holders += 1
            first = 0
            while not (bits >> first) & 1:
                first += 1
            counts[first] += 1
            strongest = min(strongest, first)
            for pattern in range(PATTERNS):
                held[pattern] += (bits >> pattern) & 1
    seats[holders] += 1
    if strongest < 64:
        wins[strongest] += 1


@numba.njit
def odds_fisher_yates(seed, deals):
    """Deal, detect and tally; return held, counts, wins per pattern and deals by holders."""
    a, b, c, d = _U(seed), _U(2), _U(3), _U(4)
    deck, ranks, suits = np.zeros(52, np.int64), np.zeros(13, np.int64), np.zeros(4, np.int64)
    held, counts, wins = np.zeros((3, PATTERNS), np.int64)
    seats = np.zeros(5, np.int64)
    for _ in range(deals):
        a, b, c, d = _shuffle(deck, a, b, c, d)
        _tally(deck, ranks, suits, held, counts, wins, seats)
    return held, counts, wins, seats


@numba.njit
def _tally_all(decks):
    ranks, suits = np.zeros(13, np.int64), np.zeros(4, np.int64)
    held, counts, wins = np.zeros((3, PATTERNS), np.int64)
    seats = np.zeros(5, np.int64)
    for deck in decks:
        _tally(deck, ranks, suits, held, counts, wins, seats)
    return held, counts, wins, seats


def deal_numpy(seed, deals):
    """Shuffle decks with numpy; int64, shape (deals, 52)."""
    decks = np.broadcast_to(np.arange(52), (deals, 52))
    return np.random.default_rng(seed).permuted(decks, axis=1)


def masks_numpy(seed, deals):
    """Deal with numpy, as four hands of 52 bits; int64, shape (deals, 4)."""
    bits = np.left_shift(1, deal_numpy(seed, deals)).reshape(deals, 4, 13)
    return np.bitwise_or.reduce(bits, axis=2)


def odds_numpy(seed, deals):
    """Do `odds_fisher_yates` with numpy's shuffle."""
    return _tally_all(deal_numpy(seed, deals))
