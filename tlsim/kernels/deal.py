"""Deals: uniformly random hands of all seats, as 52-bit words.

Seats are dealt one after another from the cards that are left. A hand of k of m cards is a uniform k-subset of m
positions. Cut into blocks of 13, the numbers of cards per block follow the multivariate hypergeometric law; they are
drawn from an alias table (Walker 1977, Vose 1991) with thresholds of 64 bits from exact integers. Within a block every
word with that many bits is equally likely and is found by its number; the numbers of all blocks come from one random
word by repeated multiplication (Brackett-Rozinsky & Lemire, *Batched ranged random integer generation*, 2024), drawn
again in the rare case that would favour some. ``pdep`` lays the subset onto the cards left.

So the only bias is that of the last bit of the thresholds: each composition's probability is off by less than 2⁻⁶⁰.

A group of 256 deals is dealt step by step, each step a short loop over arrays that stay in the first-level cache:
the processor then works on many deals at once, which is worth a factor of two over dealing whole deals in turn.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import deposit, wide_product
from tlsim.cards import DECK, N_CARDS
from tlsim.jit import kernel, step
from tlsim.kernels.rng import DEALS, fill_words, stream, word_again

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Halves = NDArray[np.uint16]

BLOCK = 13  # positions of a block
GROUP = 256  # deals that are dealt together; part of what a seed means
CHUNK = 1024  # deals of one stream
ROW = 10  # entries of a row of blocks
DRAWS = 8  # draws of two words a deal that stand together in a stream; part of what a seed means


class Dealer(NamedTuple):
    """What it takes to deal a table; see `dealer`. The tables of all draws stand one after another."""

    seats: int
    singles: int  # seats that are dealt one by one first
    whole: bool  # two more seats are dealt by one draw and the last takes what is left
    holding: int
    free: int
    threshold: Words  # uint64[rows]
    choice: Words  # uint64[rows], own row in the low 16 bits, the other in the next
    blocks: Halves  # uint16[rows * ROW], for each of five blocks the number of words, then for each where they begin
    least: Words  # uint64[rows], remainders below it are drawn again
    begin: Ints  # int64[draws + 1]
    bound: Words  # uint64[draws], the highest of ``least``
    words: Halves  # uint16[8192], all words of 13 bits by their number of bits


@cache
def _words() -> Halves:
    """All words of 13 bits by number of bits, then by value; those below 2**w come first, C(w, k) of them."""
    return np.array(sorted(range(1 << BLOCK), key=lambda word: (word.bit_count(), word)), dtype=np.uint16)


def _compositions(positions: int, size: int) -> list[list[tuple[int, int]]]:
    """Return all ways to spread a subset over blocks of 13, as (width, cards) of each block."""
    widths = [min(BLOCK, positions - at) for at in range(0, positions, BLOCK)]
    counts = product(*(range(min(width, size) + 1) for width in widths))
    return [list(zip(widths, row, strict=True)) for row in counts if sum(row) == size]


def alias_table(weights: Sequence[int]) -> tuple[Words, Ints]:
    """Build an alias table from integer weights, exact but for the last of 64 bits: threshold, alias.

    Column c gives c where a fraction of 64 bits is at most ``threshold[c]``, else ``alias[c]``.
    """
    n, total = len(weights), sum(weights)
    left = [weight * n for weight in weights]  # a full column holds ``total``
    threshold, alias = [(1 << 64) - 1] * n, list(range(n))
    small = [c for c in range(n) if left[c] < total]
    large = [c for c in range(n) if left[c] >= total]
    while small:
        low, high = small.pop(), large[-1]
        threshold[low], alias[low] = max(0, (left[low] << 64) // total - 1), high
        left[high] -= total - left[low]
        if left[high] < total:
            small.append(large.pop())
    return np.array(threshold, dtype=np.uint64), np.array(alias, dtype=np.int64)


@cache
def _draw(*hands: tuple[int, int]) -> tuple[Words, Words, Halves, Words]:
    """Return the tables of a draw of one hand over up to four blocks, or of two over three and two.

    Each is so many cards out of so many positions.
    """
    rows = [[block for hand in parts for block in hand] for parts in product(*(_compositions(*h) for h in hands))]
    first = np.cumsum([0, *(comb(BLOCK, cards) for cards in range(BLOCK))]).tolist()
    ways = [[comb(width, cards) for width, cards in row] + [1] * (5 - len(row)) for row in rows]
    offsets = [[first[cards] for _, cards in row] + [0] * (5 - len(row)) for row in rows]
    weights = [prod(row) for row in ways]
    threshold, alias = alias_table(weights)
    choice = np.arange(len(rows), dtype=np.uint64) | alias.astype(np.uint64) << np.uint64(16)
    blocks = np.array([w + o for w, o in zip(ways, offsets, strict=True)], dtype=np.uint16).ravel()
    return threshold, choice, blocks, np.array([(1 << 64) % weight for weight in weights], dtype=np.uint64)


def dealer(players: int, hand_size: int, holding: int = 0, dead: int = 0) -> Dealer:
    """Return the tables to deal hands to ``players`` seats; seat 0 surely has and lacks some cards (52 bits).

    With 13 cards, seats 1 and 2 are dealt by one draw and seat 3 takes the rest, whatever the number of players: so
    tables of 2, 3 and 4 players see the same hands.
    """
    free = DECK & ~(holding | dead)
    draws = [_draw((free.bit_count(), hand_size - holding.bit_count()))]
    whole = players > 1 and hand_size * 4 == N_CARDS
    if whole:
        draws.append(_draw((39, 13), (26, 13)))
    else:
        draws += [_draw((N_CARDS - hand_size * seat, hand_size)) for seat in range(1, players)]
    tables = tuple(map(np.concatenate, zip(*draws, strict=True)))
    begin, bound = np.cumsum([0, *(len(draw[3]) for draw in draws)]), np.array([draw[3].max() for draw in draws])
    seats, singles = (4, 1) if whole else (players, players)
    return Dealer(seats, singles, whole, holding, free, *tables, begin, bound, _words())


class Desk(NamedTuple):
    """Room to deal one group in; uint64 or int64, one entry a deal."""

    words: Words
    rows: Words
    left: Ints


def desk() -> Desk:
    """Return room to deal one group in."""
    return Desk(np.zeros(GROUP, np.uint64), np.zeros(GROUP, np.uint64), np.zeros(GROUP, np.int64))


@kernel
def deal_chunks(key, dealer, first, hands, room, group):
    """Deal whole chunks, the ``first`` and on; hands : int64[seats, chunks * 1024]; group : int64[seats, 256], room."""
    for at in range(hands.shape[1] // GROUP):
        of = stream(key, DEALS, first + at * GROUP // CHUNK)
        deal_group(dealer, of, at % (CHUNK // GROUP), room, group)
        for seat in range(len(hands)):
            for deal in range(GROUP):
                hands[seat, at * GROUP + deal] = group[seat, deal]


def deal(key: Words, dealer: Dealer, first: int, chunks: int) -> Ints:
    """Return the hands of some chunks of deals, int64, shape (seats, chunks * 1024)."""
    hands = np.zeros((dealer.seats, chunks * CHUNK), np.int64)
    deal_chunks(key, dealer, first, hands, desk(), np.zeros((dealer.seats, GROUP), np.int64))
    return hands


@step
def deal_group(dealer, of, group, room, hands):
    """Deal a group; of : the stream of its chunk; group : its number in that; hands : int64[seats, 256], is filled."""
    first = np.int64(group) * 2 * DRAWS * GROUP
    for deal in range(GROUP):
        room.left[deal] = dealer.free
    for seat in range(dealer.singles):
        _choose_rows(dealer, seat, of, first, room)
        _lay(dealer, seat, of, first + GROUP, room, hands[seat:], False)
        for deal in range(GROUP if seat == 0 and dealer.free != DECK else 0):  # what it surely has, and surely lacks
            hands[0, deal] |= dealer.holding
            room.left[deal] = DECK & ~hands[0, deal]
        first += 2 * GROUP
        if seat % DRAWS == DRAWS - 1:  # go on behind the words of all groups
            first += 2 * DRAWS * (CHUNK - GROUP)
    if dealer.whole:
        _choose_rows(dealer, dealer.singles, of, first, room)
        _lay(dealer, dealer.singles, of, first + GROUP, room, hands[1:], True)


@step
def _choose_rows(dealer, draw, of, first, room):
    """Draw the composition of each deal: own row or alias, a shift to a half of a word in place of a branch."""
    fill_words(of, first, room.words)
    begin, end = dealer.begin[draw], dealer.begin[draw + 1]
    threshold, choice = dealer.threshold[begin:end], dealer.choice[begin:end]
    n = np.uint64(end - begin)
    for deal in range(GROUP):
        column, fraction = wide_product(room.words[deal], n)
        other = np.uint64(fraction > threshold[column]) << np.uint64(4)
        room.rows[deal] = np.uint64(begin) + ((choice[column] >> other) & np.uint64(0xFFFF))


@step
def _lay(dealer, draw, of, first, room, hands, pair):
    """Draw the words of the blocks and lay them onto the cards left; hands : int64[1 or 3, 256], see `_lay_blocks`."""
    fill_words(of, first, room.words)
    bound, doubtful = dealer.bound[draw], 0
    if pair:
        for deal in range(GROUP):
            doubtful += _lay_blocks(dealer, room, hands, deal, room.words[deal], True) < bound
    else:
        for deal in range(GROUP):
            doubtful += _lay_blocks(dealer, room, hands, deal, room.words[deal], False) < bound
    for deal in range(GROUP if doubtful else 0):  # apart from the loop above, which stays free of branches
        times = 0
        room.left[deal] ^= hands[0, deal]
        while _lay_blocks(dealer, room, hands, deal, room.words[deal], pair) < dealer.least[room.rows[deal]]:
            times += 1
            room.left[deal] ^= hands[0, deal]
            room.words[deal] = word_again(of, first + deal, times)


@step
def _lay_blocks(dealer, room, hands, deal, word, pair):
    """Lay the blocks of a row by a random word, and return the remainder of the word.

    pair : whether three are for one seat and two for the next, and a third takes the rest; else up to four for one
    """
    blocks, words, left, at = dealer.blocks, dealer.words, room.left[deal], room.rows[deal] * np.uint64(ROW)
    n0, rest = wide_product(word, np.uint64(blocks[at]))
    n1, rest = wide_product(rest, np.uint64(blocks[at + np.uint64(1)]))
    n2, rest = wide_product(rest, np.uint64(blocks[at + np.uint64(2)]))
    n3, rest = wide_product(rest, np.uint64(blocks[at + np.uint64(3)]))
    chosen = _word(words, blocks, at + np.uint64(5), n0) | (_word(words, blocks, at + np.uint64(6), n1) << 13)
    chosen |= _word(words, blocks, at + np.uint64(7), n2) << 26
    last = _word(words, blocks, at + np.uint64(8), n3)
    hand = deposit(chosen if pair else chosen | last << 39, left)
    hands[0, deal], room.left[deal] = hand, left ^ hand
    if pair:
        n4, rest = wide_product(rest, np.uint64(blocks[at + np.uint64(4)]))
        other = deposit(last | (_word(words, blocks, at + np.uint64(9), n4) << 13), left ^ hand)
        hands[1, deal], hands[2, deal] = other, left ^ hand ^ other
    return rest


@step
def _word(words, blocks, at, number):
    """Return the word of a block by its number among those with as many bits."""
    return np.int64(words[np.uint64(blocks[at]) + number])
