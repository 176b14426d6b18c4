"""What the cards left in a hand cost: twos by suit, bombs by the best way to take the hand apart (H4)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tlsim.bits import popcount
from tlsim.jit import kernel, step

_STATES = 27  # pairs taken, 0 … 2, of three ranks


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
    counts = 0  # a nibble per rank 3 … A: its number of cards
    for rank in range(12):
        counts |= popcount((hand >> (4 * rank)) & 15) << (4 * rank)
    return value + (_greedy_bombs(counts, prices) if prices.greedy else _best_bombs(counts, prices, room))


@step
def _best_bombs(counts, prices, room):
    """Return the greatest total of disjoint bombs.

    Rank by rank; a state is how many pairs (0 … 2) the runs begun so far take of this rank, the next and the one after.
    """
    for state in range(_STATES):
        room[0, state] = 0 if state == 0 else -1
    for rank in range(12):
        best, after = room[rank % 2], room[1 - rank % 2]
        cards = (counts >> (4 * rank)) & 15
        for state in range(_STATES):
            after[state] = -1
        for state in range(_STATES):
            here, second, third = state % 3, state // 3 % 3, state // 9
            free = cards // 2 - here
            if best[state] < 0 or free < 0:
                continue
            for threes in range(free + 1):
                for fours in range(free - threes + 1):
                    runs = threes + fours
                    if second + runs > 2 or third + runs > 2:
                        continue
                    value = best[state] + threes * prices.pair_run_3 + fours * prices.pair_run_4
                    if cards == 4 and here == 0 and runs == 0:
                        value += prices.quad
                    to = second + runs + 3 * (third + runs) + 9 * fours
                    after[to] = max(after[to], value)
    return room[0, 0]


@step
def _greedy_bombs(counts, prices):
    """Return the total of bombs taken dearest first; of equal prices the longer, of one kind the lowest rank."""
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
    return total


@step
def _has_bomb(counts, rank, length):
    """Whether a run of pairs of this length, or for length 1 a quad, starts at a rank."""
    for at in range(rank, rank + length):  # noqa: SIM110 (compiled code has no all())
        if (counts >> (4 * at)) & 15 < (4 if length == 1 else 2):
            return False
    return True
