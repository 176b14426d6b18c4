"""What the cards left in a hand cost: twos by suit, bombs by the best way to take the hand apart (H4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tlsim.bits import popcount
from tlsim.jit import kernel, step
from tlsim.kernels.combos import RUN_RANKS

_STATES = 27  # pairs taken, 0 … 2, of three ranks
_NEVER = -(1 << 60)


class ItemPrices(NamedTuple):
    """Prices in half units.

    twos : by suit; pair_run_3, quad, pair_run_4; greedy : take the dearest bomb first, not the best sum
    """

    twos: tuple[int, int, int, int]
    pair_run_3: int
    quad: int
    pair_run_4: int
    greedy: bool


@kernel
def add_values(hands, prices, out):
    """Write the summed value of the twos and bombs of each row of hands; hands : int64[n, hands], out : int64[n]."""
    room = np.zeros((2, _STATES), np.int64)
    for at in range(len(hands)):
        out[at] = 0
        for hand in hands[at]:
            out[at] += items_value(hand, prices, room)


@step
def items_value(hand, prices, room):
    """Return the value of the twos and bombs of a hand, in half units; a quad of twos is four twos.

    room : int64[2, 27]
    """
    value = np.int64(0)
    for suit in range(4):
        value += ((hand >> (48 + suit)) & 1) * prices.twos[suit]
    if not has_bombs(hand):
        return value
    counts = _counts(hand)
    if prices.greedy:
        return value + _greedy_bombs(counts, prices)[0]
    return value + _best_bombs(counts, prices.pair_run_3, prices.quad, prices.pair_run_4, room)


@step
def counted_value(hand, prices, junk, room):
    """Return what twos and bombs cost where every other card costs ``junk``, and the number of other cards.

    Of the partitions with the greatest total the one with most cards in bombs is taken. room : int64[2, 27]
    """
    value = np.int64(0)
    for suit in range(4):
        value += ((hand >> (48 + suit)) & 1) * prices.twos[suit]
    cards = popcount(hand & RUN_RANKS)
    if not has_bombs(hand):
        return value, cards
    counts = _counts(hand)
    if prices.greedy:
        bombs, left = _greedy_bombs(counts, prices)
        others = np.int64(0)
        for rank in range(12):
            others += (left >> (4 * rank)) & 15
        return value + bombs, others
    # The gain over junk in the high bits, the number of cards in the low six, so that it breaks ties.
    gain = _best_bombs(
        counts,
        (prices.pair_run_3 - 6 * junk) * 64 + 6,
        (prices.quad - 4 * junk) * 64 + 4,
        (prices.pair_run_4 - 8 * junk) * 64 + 8,
        room,
    )
    taken = gain & 63
    return value + (gain >> 6) + taken * junk, cards - taken


@step
def has_bombs(hand):
    """Return whether a hand holds four of a rank, or three pairs in a row."""
    twos = hand - ((hand >> 1) & 0x555555555555)
    counts = (twos & 0x333333333333) + ((twos >> 2) & 0x333333333333)
    pairs = (counts + 0x666666666666) & 0x888888888888
    return (pairs & (pairs >> 4) & (pairs >> 8)) | (counts & 0x444444444444) != 0


@step
def _counts(hand):
    """Return a nibble per rank 3 … A: its number of cards."""
    counts = np.int64(0)
    for rank in range(12):
        counts |= popcount((hand >> (4 * rank)) & 15) << (4 * rank)
    return counts


@step
def _best_bombs(counts, pair_run_3, quad, pair_run_4, room):
    """Return the greatest total of disjoint bombs.

    Rank by rank; a state is how many pairs (0 … 2) the runs begun so far take of this rank, the next and the one after.
    """
    for state in range(_STATES):
        room[0, state] = 0 if state == 0 else _NEVER
    for rank in range(12):
        best, after = room[rank % 2], room[1 - rank % 2]
        cards = (counts >> (4 * rank)) & 15
        for state in range(_STATES):
            after[state] = _NEVER
        for state in range(_STATES):
            here, second, third = state % 3, state // 3 % 3, state // 9
            free = cards // 2 - here
            if best[state] == _NEVER or free < 0:
                continue
            for threes in range(free + 1):
                for fours in range(free - threes + 1):
                    runs = threes + fours
                    if second + runs > 2 or third + runs > 2:
                        continue
                    value = best[state] + threes * pair_run_3 + fours * pair_run_4
                    if cards == 4 and here == 0 and runs == 0:
                        value += max(quad, 0)
                    to = second + runs + 3 * (third + runs) + 9 * fours
                    after[to] = max(after[to], value)
    return room[0, 0]


@step
def _greedy_bombs(counts, prices):
    """Return the total of bombs taken dearest first, and the counts left.

    Of equal prices the longer, of one kind the lowest rank.
    """
    total = np.int64(0)
    price = np.int64(1)
    while price > 0:
        price, taken = np.int64(0), np.int64(0)
        for length in (4, 1, 3):
            offered = prices.pair_run_4 if length == 4 else prices.quad if length == 1 else prices.pair_run_3
            for rank in range(13 - length):
                if offered > price and _has_bomb(counts, rank, length):
                    price = offered
                    taken = (4 if length == 1 else 0x2222 >> (16 - 4 * length)) << (4 * rank)
        total += price
        counts -= taken
    return total, counts


@step
def _has_bomb(counts, rank, length):
    """Whether a run of pairs of this length, or for length 1 a quad, starts at a rank."""
    for at in range(rank, rank + length):  # noqa: SIM110 (compiled code has no all())
        if (counts >> (4 * at)) & 15 < (4 if length == 1 else 2):
            return False
    return True
