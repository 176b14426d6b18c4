"""Detection: which patterns of a list each hand holds, one vectorised pass per elementary test.

A hand has a nibble per rank. From it come masks with one bit per rank (the lowest of its nibble): the ranks with at
least 1, 2, 3, 4 cards. A test is a row of integers that a pass takes as
constants; its loop over a block of hands has no branch and no popcount (AVX2 has none), so that the compiler makes
vectors of it. A pass clears the bit of its pattern in the hands that fail the test; what is left at the end is held.
Hands dealt and looked at are a part of their own, which odds and games call by its address.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tlsim.bits import popcount
from tlsim.jit import address_of, kernel, step
from tlsim.kernels.deal import GROUP, Dealer, Desk, Ints, deal_group
from tlsim.patterns import LOW_POSITIONS, Count, Flush, Holds, Lacks, Pattern, Run, Test, Ways

_RUN, _LOW_RUN, _FEW, _COUNT, _FLUSH, _HOLDS, _WAYS = range(7)
_WIDTH = 8  # integers of a row
_EVERY_RANK = 0x1111111111111
MOST_PATTERNS = 62
NOT_DEALT = -1  # in place of the number of a group


class Tests(NamedTuple):
    """The tests of a list of patterns as rows: kind, bit of the pattern, then up to six parameters."""

    rows: Ints  # int64[tests, 8]
    patterns: int
    ways: Ints  # int64[demands], the cards of each rank, for rows of `Ways`


class Bench(NamedTuple):
    """Room for a block of hands."""

    masks: Ints  # int64[5, hands], row 0 the hands, row n the ranks with at least n cards
    held: Ints  # int64[hands], the bits of patterns


def compile_tests(patterns: Sequence[Pattern], hand_size: int) -> Tests:
    """Return the rows of a list of at most 62 patterns for hands of ``hand_size`` cards."""
    ways: list[int] = []
    rows = [_row(test, bit, ways) for bit, pattern in enumerate(patterns) for test in pattern.tests(hand_size)]
    table = np.array(rows, dtype=np.int64).reshape(len(rows), _WIDTH)
    return Tests(table, len(patterns), np.array(ways, dtype=np.int64))


def bench(hands: int) -> Bench:
    """Return room for the masks of so many hands."""
    return Bench(np.zeros((5, hands), dtype=np.int64), np.zeros(hands, dtype=np.int64))


def _row(test: Test, bit: int, ways: list[int]) -> list[int]:
    match test:
        case Run(level, length, starts):
            nibble = 1 if level else 0b1111
            low = min(starts) < LOW_POSITIONS  # from A or 2: the ranks have to be laid on the line of positions
            where = sum(nibble << 4 * (start if low else start - LOW_POSITIONS) for start in starts)
            row = [_LOW_RUN if low else _RUN, bit, level, where, *_shifts(length)]
        case Count(size, needed, ranks, quad_as):
            kind = _FEW if needed <= 2 and quad_as == 1 else _COUNT
            row = [kind, bit, size, sum(1 << 4 * rank for rank in ranks), needed, quad_as]
        case Flush(others, _) if others < 0:  # more cards than a hand has: no rank is among none
            row = [_COUNT, bit, 1, 0, 1, 1]
        case Flush(others, parts):
            row = [_FLUSH, bit, others, *parts]
        case Holds(cards):
            row = [_HOLDS, bit, cards, cards]
        case Lacks(cards, none):
            row = [_HOLDS, bit, cards, none]
        case Ways(demands):
            row = [_WAYS, bit, len(ways), len(ways) + len(demands)]
            ways += demands
    return row + [0] * (_WIDTH - len(row))


def _shifts(length: int) -> list[int]:
    """Return four shifts whose and-ing leaves the starts of runs of ``length`` nibbles."""
    shifts, reach = [], 1
    while reach < length:
        step = min(reach, length - reach)
        shifts.append(4 * step)
        reach += step
    return shifts + [0] * (4 - len(shifts))


@step
def detect(tests, hands, room):
    """Write into ``room.held`` the bits of the patterns that each hand holds; hands : int64[n]."""
    _lay_out(hands, room.masks, (1 << tests.patterns) - 1, room.held)
    for at in range(len(tests.rows)):
        row = tests.rows[at]
        kind, keep = row[0], ~(1 << row[1])
        if kind == _RUN:
            _pass_run(room.masks[row[2]], row, 0, keep, room.held)
        elif kind == _LOW_RUN:
            _pass_run(room.masks[row[2]], row, 8, keep, room.held)
        elif kind == _FEW:
            _pass_few(room.masks[row[2]], row, keep, room.held)
        elif kind == _COUNT:
            _pass_count(room.masks[row[2]], room.masks[4], row, keep, room.held)
        elif kind == _FLUSH:
            _pass_flush(room.masks[0], row, keep, room.held)
        elif kind == _HOLDS:
            _pass_holds(room.masks[0], row[2], row[3], keep, room.held)
        else:
            _pass_ways(room.masks, tests.ways[row[2] : row[3]], keep, room.held)


@step
def _lay_out(hands, masks, every, held):
    """Write the masks of all hands; two adders give the number of cards of each rank."""
    for at in range(len(held)):
        hand = hands[at]
        low, high = hand & 0x5555555555555, (hand >> 1) & 0x5555555555555
        both, one = low & high, low ^ high  # of the suits 0 1 and 2 3: two cards, one card
        both_low, both_high = both & _EVERY_RANK, (both >> 2) & _EVERY_RANK
        one_low, one_high = one & _EVERY_RANK, (one >> 2) & _EVERY_RANK
        masks[0, at] = hand
        masks[1, at] = both_low | both_high | one_low | one_high
        masks[2, at] = both_low | both_high | (one_low & one_high)
        masks[3, at] = (both_low & (both_high | one_high)) | (both_high & one_low)
        masks[4, at] = both_low & both_high
        held[at] = every


@step
def _pass_run(masks, row, up, keep, held):
    """Keep the pattern where consecutive nibbles of a mask are set, from one of the starts.

    up : 8 on the line A 2 3 … K A 2 of fifteen nibbles, where A and 2 can be low ends; 0 on that of the ranks
    """
    where, a, b, c, d = row[3], row[4], row[5], row[6], row[7]
    down = 44 if up else 63
    for at in range(len(held)):
        run = (masks[at] << up) | (masks[at] >> down)
        run &= run >> a
        run &= run >> b
        run &= run >> c
        run &= run >> d
        held[at] &= keep | -np.int64((run & where) != 0)


@step
def _pass_few(masks, row, keep, held):
    """Keep the pattern where one or two nibbles are set; clearing the lowest leaves a second."""
    ranks = row[3]
    skip = 0 if row[4] == 2 else -1
    for at in range(len(held)):
        groups = masks[at] & ranks
        groups &= (groups - 1) | skip
        held[at] &= keep | -np.int64(groups != 0)


@step
def _pass_count(masks, quads, row, keep, held):
    """Keep the pattern where enough nibbles are set; a sum of nibbles by halves, no sum passes 13."""
    ranks, count = row[3], row[4]
    extra = ranks if row[5] == 2 else 0
    for at in range(len(held)):
        groups = (masks[at] & ranks) + (quads[at] & extra)
        groups += groups >> 32
        groups += groups >> 16
        groups += groups >> 8
        groups += groups >> 4
        held[at] &= keep | -np.int64((groups & 15) >= count)


@step
def _pass_flush(hands, row, keep, held):
    """Keep the pattern where at most so many cards lie outside one of two or four parts of the deck.

    At most one: clearing the lowest bit leaves nothing, which needs no popcount.
    """
    others, p, q, r, s = row[2], row[3], row[4], row[5], row[6]
    strict = -1 if others == 0 else 0
    if others > 1:
        for at in range(len(held)):
            hand = hands[at]
            fits = (popcount(hand & ~p) <= others) | (popcount(hand & ~q) <= others)
            fits |= (popcount(hand & ~r) <= others) | (popcount(hand & ~s) <= others)
            held[at] &= keep | -np.int64(fits)
    elif r == 0:
        for at in range(len(held)):
            x, y = hands[at] & ~p, hands[at] & ~q
            fits = ((x & (x - 1 | strict)) == 0) | ((y & (y - 1 | strict)) == 0)
            held[at] &= keep | -np.int64(fits)
    else:
        for at in range(len(held)):
            x, y, z, w = hands[at] & ~p, hands[at] & ~q, hands[at] & ~r, hands[at] & ~s
            fits = ((x & (x - 1 | strict)) == 0) | ((y & (y - 1 | strict)) == 0)
            fits |= ((z & (z - 1 | strict)) == 0) | ((w & (w - 1 | strict)) == 0)
            held[at] &= keep | -np.int64(fits)


@step
def _pass_holds(hands, cards, wanted, keep, held):
    """Keep the pattern where of some cards just those that are wanted are in the hand: all of them, or none."""
    for at in range(len(held)):
        held[at] &= keep | -np.int64((hands[at] & cards) == wanted)


@step
def _pass_ways(masks, demands, keep, held):
    """Keep the pattern where a hand has as many cards of each rank as one of the demands; a nibble borrows nothing."""
    guard = _EVERY_RANK << 3
    for at in range(len(held)):
        cards = (masks[1, at] + masks[2, at] + masks[3, at] + masks[4, at]) | guard
        met = False
        for demand in demands:
            met |= (cards - demand) & guard == guard
        held[at] &= keep | -np.int64(met)


@kernel
def detect_all(tests: Tests, hands: Ints, room: Bench) -> None:
    """Write into ``room.held`` which patterns each hand holds; hands : int64[as many as the room is for]."""
    detect(tests, hands, room)


@kernel
def deal_hands(dealer, of, group, room, hands, tests, players, bench):
    """Deal a group, and write into ``bench`` which patterns the hands of the first seats hold.

    of : the stream of the chunk; group : its number in the chunk, `NOT_DEALT` where the hands are there;
    hands : int64[seats, 256]
    """
    if group != NOT_DEALT:
        deal_group(dealer, of, group, room, hands)
    if tests.patterns:
        detect(tests, hands.reshape(-1)[: players * GROUP], bench)


def where_dealt(dealer: Dealer, room: Desk, hands: Ints, tests: Tests, bench: Bench) -> int:
    """Return the address of `deal_hands` for arguments like these."""
    of: Any = np.uint64(0), np.uint64(0)
    return address_of(deal_hands, dealer, of, 0, room, hands, tests, 0, bench)
