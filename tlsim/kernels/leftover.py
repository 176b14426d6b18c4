"""What the cards left in a hand cost: twos by suit, bombs by the best way to take the hand apart (H4)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import popcount
from tlsim.jit import kernel, offset, pointer, step
from tlsim.kernels import row as r
from tlsim.kernels.combos import RUN_RANKS

_STATES = 27  # pairs taken, 0 … 2, of three ranks
_NEVER = -(1 << 60)

# Prices are a row of int64: twos by suit, then bombs. A price of a bomb holds the half units in its high bits, and in
# its low bits a one in the place where bombs of its kind are counted, so a sum says what it is a sum of.
RUN_3_PRICE, QUAD_PRICE, RUN_4_PRICE, IS_GREEDY = 4, 5, 6, 7
_COUNTS = 18  # bits: six for each kind


class ItemPrices(NamedTuple):
    """Prices in half units; 0 of a bomb that is none."""

    twos: tuple[int, int, int, int]  # by suit
    pair_run_3: int
    quad: int
    pair_run_4: int
    greedy: bool  # take the dearest bomb first, not the best sum

    def row(self) -> NDArray[np.int64]:
        """Return the prices as kernels take them, int64[N_PRICES]."""
        bombs = self.pair_run_3, self.quad, self.pair_run_4
        coded = [price << _COUNTS | 1 << 6 * at if price else 0 for at, price in enumerate(bombs)]
        return np.array([*self.twos, *coded, self.greedy], dtype=np.int64)


@kernel
def add_values(hands, prices, out):
    """Write what rots in each row of hands; hands : int64[n, seats]; prices : int64[N_PRICES]; out : int64[n]."""
    room, row = np.zeros(r.N_SCRATCH, np.int64), pointer(prices)
    for at in range(len(hands)):
        out[at] = 0
        for hand in hands[at]:
            value, _ = items_value(row, hand, pointer(room))
            out[at] += value


@step
def items_value(prices, hand, room):
    """Return the value of the twos and bombs of a hand in half units, and which bombs; a quad of twos is four twos.

    room : int64[N_SCRATCH]; of the bombs six bits count each kind
    """
    value = twos_value(prices, hand)
    if not has_bombs(hand):
        return value, 0
    if prices[IS_GREEDY]:
        bombs, _ = _greedy_bombs(prices, _counts(hand))
    else:
        bombs = _best_bombs(_counts(hand), prices[RUN_3_PRICE], prices[QUAD_PRICE], prices[RUN_4_PRICE], room)
    return value + (bombs >> _COUNTS), bombs & ((1 << _COUNTS) - 1)


@step
def twos_value(prices, hand):
    """Return what the twos of a hand cost; prices : by suit."""
    value = np.int64(0)
    for suit in range(4):
        value += ((hand >> (48 + suit)) & 1) * prices[suit]
    return value


@step
def counted_value(prices, hand, junk, room):
    """Return what twos and bombs cost where every other card costs ``junk``, which bombs, and how many other cards.

    Of the partitions with the greatest total the one with most cards in bombs is taken. room : int64[N_SCRATCH]
    """
    value, cards = twos_value(prices, hand), popcount(hand & RUN_RANKS)
    if not has_bombs(hand):
        return value, 0, cards
    if prices[IS_GREEDY]:
        bombs, left = _greedy_bombs(prices, _counts(hand))
        others = np.int64(0)
        for rank in range(12):
            others += (left >> (4 * rank)) & 15
        return value + (bombs >> _COUNTS), bombs & ((1 << _COUNTS) - 1), others
    run_3, run_4 = _over_junk(prices[RUN_3_PRICE], 6, junk), _over_junk(prices[RUN_4_PRICE], 8, junk)
    best = _best_bombs(_counts(hand), run_3, _over_junk(prices[QUAD_PRICE], 4, junk), run_4, room)
    taken = (best >> _COUNTS) & 63
    return value + (best >> (_COUNTS + 6)) + taken * junk, best & ((1 << _COUNTS) - 1), cards - taken


@step
def _over_junk(price, cards, junk):
    """Return the gain of a bomb over its cards as junk; then six bits for the number of cards, which breaks ties."""
    kinds = price & ((1 << _COUNTS) - 1)
    return ((((price >> _COUNTS) - cards * junk) << 6) + cards << _COUNTS) + kinds


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
        room[state] = 0 if state == 0 else _NEVER
    for rank in range(12):
        best, after = offset(room, _STATES * (rank % 2)), offset(room, _STATES * (1 - rank % 2))
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
    return room[0]


@step
def _greedy_bombs(prices, counts):
    """Return the total of bombs taken dearest first, the longer of equal ones, then the lowest; and the counts left."""
    total, price = np.int64(0), np.int64(1)
    while price > 0:
        price, taken = np.int64(0), np.int64(0)
        for length in (4, 1, 3):
            offered = prices[RUN_4_PRICE if length == 4 else QUAD_PRICE if length == 1 else RUN_3_PRICE]
            needed = 4 if length == 1 else 0x2222 >> (16 - 4 * length)  # cards of each rank, 4 or less: no borrow
            guard = 0x8888 >> (16 - 4 * length)
            for rank in range(13 - length):
                if offered > price and ((counts >> 4 * rank | guard) - needed) & guard == guard:
                    price, taken = offered, needed << (4 * rank)
        total += price
        counts -= taken
    return total, counts
