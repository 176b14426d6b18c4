"""The slow twin of the random streams and the dealer: plain Python, one word at a time.

It takes the thresholds of the dealer's alias tables as they are (`test_deal` holds these to exact fractions); all else
is computed anew.
"""

from functools import cache
from itertools import chain, product
from math import comb

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DECK = (1 << 52) - 1
DEALS = 1  # the purpose
CHUNK, GROUP, DRAWS = 1024, 256, 8


def slow_mix(x):
    """The finaliser of SplitMix64."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def slow_stream(key, purpose, index):
    start = slow_mix((key[1] + index * GOLDEN) & MASK) ^ slow_mix((key[0] + purpose * GOLDEN) & MASK)
    return slow_mix(start), slow_mix((start + GOLDEN) & MASK) | 1


def slow_word(of, number):
    return slow_mix((of[0] + number * of[1]) & MASK)


def slow_deposit(source, mask):
    result = taken = 0
    for bit in range(52):
        if mask >> bit & 1:
            result |= (source >> taken & 1) << bit
            taken += 1
    return result


@cache
def words_with(ones):
    return [word for word in range(1 << 13) if word.bit_count() == ones]


def rows_of(*hands):
    """All ways to spread each hand over blocks of 13 positions, in order: (width, cards) of every block."""
    ways = []
    for positions, size in hands:
        widths = [min(13, positions - at) for at in range(0, positions, 13)]
        ways.append([
            list(zip(widths, cards, strict=True))
            for cards in product(*(range(min(w, size) + 1) for w in widths))
            if sum(cards) == size
        ])  # fmt: skip
    return [list(chain(*parts)) for parts in product(*ways)]


def slow_draw(made, draw, rows, of, first, at):
    """The words of the blocks that a draw gives; also how many words were rejected."""
    begin = int(made.begin[draw])
    column, fraction = divmod(slow_word(of, first + at) * len(rows), 1 << 64)
    row = column
    if fraction > int(made.threshold[begin + column]):
        row = int(made.choice[begin + column]) >> 16
    ways = [comb(width, cards) for width, cards in rows[row]]
    times = 0
    while True:
        rest = slow_word(of, first + GROUP + at + (times << 40))
        numbers = []
        for n in ways:
            number, rest = divmod(rest * n, 1 << 64)
            numbers.append(number)
        if rest >= int(made.least[begin + row]):
            return [words_with(cards)[k] for (_, cards), k in zip(rows[row], numbers, strict=True)], times
        times += 1


def join(words):
    return sum(word << 13 * at for at, word in enumerate(words))


def first_word(group, draw):
    """Where the words of a draw begin: eight draws of 256 deals for each group, then the next eight."""
    eights, draw = divmod(draw, DRAWS)
    return 2 * GROUP * (eights * DRAWS * CHUNK // GROUP + group * DRAWS + draw)


def slow_table(key, made, players, size, holding, dead, chunk, at):
    """The hands of one deal; also how many words were rejected."""
    of = slow_stream(tuple(map(int, key)), DEALS, chunk)
    group, at = divmod(at, GROUP)
    rejected = 0
    free = DECK & ~(holding | dead)
    seats, left = [], free
    for seat in range(1 if size == 13 and players > 1 else players):
        positions, cards = (free.bit_count(), size - holding.bit_count()) if seat == 0 else (left.bit_count(), size)
        words, times = slow_draw(made, seat, rows_of((positions, cards)), of, first_word(group, seat), at)
        hand = slow_deposit(join(words), left) | (holding if seat == 0 else 0)
        left = (DECK if seat == 0 else left) & ~hand
        seats.append(hand)
        rejected += times
    if size == 13 and players > 1:
        words, times = slow_draw(made, 1, rows_of((39, 13), (26, 13)), of, first_word(group, 1), at)
        one = slow_deposit(join(words[:3]), left)
        two = slow_deposit(join(words[3:]), left & ~one)
        seats += [one, two, left & ~one & ~two]
        rejected += times
    return seats, rejected
