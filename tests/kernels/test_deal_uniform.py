"""Whether the dealer deals uniformly: cards, pairs of cards, suits, blocks; in each seat and across seats.

All tests of this file together fail with probability at most 1e-6 where the dealer is right: each of the ``TESTS``
chi-squares has its share, half of it on each side. What they would catch is stated, and shown on spoilt deals below.
Errors of the rarest compositions are beyond any sample; `test_deal` shows from the tables that they are below 2**-60.
"""

from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
import uniform
from naive import mask_of
from scipy import stats
from uniform import positions_among

from tlsim.kernels.deal import CHUNK, deal, dealer
from tlsim.kernels.rng import stream_key

FALSE_ALARM = 1e-6
TESTS = 250  # at most; asserted
DEALS = 2048 * CHUNK
DECK = (1 << 52) - 1
HOLDING, DEAD = mask_of("3S 2S 2H"), mask_of("2D AH 7C 8C")
TAIL = FALSE_ALARM / TESTS / 2


@cache
def hands(players, hand_size, holding=0, dead=0):
    return deal(stream_key(2024), dealer(players, hand_size, holding, dead), 5_000_000, DEALS // CHUNK)


def four():
    return hands(4, 13)


def five():
    return hands(5, 10)


def known():
    return hands(4, 13, HOLDING, DEAD)


def left(seats):
    """The cards that are left when these seats have theirs."""
    return DECK & ~np.bitwise_or.reduce(seats)


UNKNOWN = np.full(DEALS, DECK & ~HOLDING & ~DEAD)
SAMPLES = {  # positions, size, and the words
    **{f"4 x 13, seat {s}": (52, 13, lambda s=s: four()[s]) for s in range(4)},
    **{f"4 x 13, seats {s} and {s + 1}": (52, 26, lambda s=s: four()[s] | four()[s + 1]) for s in range(3)},
    **{
        f"4 x 13, seat {s} among the cards left": (n, 13, lambda s=s: positions_among(four()[s], left(four()[:s])))
        for s, n in ((1, 39), (2, 26))
    },
    **{f"5 x 10, seat {s}": (52, 10, lambda s=s: five()[s]) for s in range(5)},
    **{f"5 x 10, seats {s} and {t}": (52, 20, lambda s=s, t=t: five()[s] | five()[t]) for s, t in ((0, 4), (2, 3))},
    "5 x 10, seat 4 among the cards left": (12, 10, lambda: positions_among(five()[4], left(five()[:4]))),
    "known cards, seat 0 among the unknown": (45, 10, lambda: positions_among(known()[0] & ~HOLDING, UNKNOWN)),
    **{
        f"known cards, seat {s} among the cards left": (
            39,
            13,
            lambda s=s: positions_among(known()[s], left(known()[:1])),
        )
        for s in (1, 2, 3)
    },
}
ACES = [(4, 13, 0, 1), (4, 13, 1, 3), (5, 10, 0, 4), (5, 10, 2, 3)]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_uniform(name):
    n, h, words = SAMPLES[name]
    for test, value, freedom in uniform.chi_squares(words(), n, h):
        assert stats.chi2.ppf(TAIL, freedom) < value < stats.chi2.isf(TAIL, freedom), test


def test_so_many_tests_share_the_false_alarm_rate():
    assert sum(4 + len(uniform.blocks(n)) for n, _, _ in SAMPLES.values()) + len(ACES) <= TESTS


@pytest.mark.parametrize(("players", "size", "one", "two"), ACES)
def test_how_two_seats_share_the_aces(players, size, one, two):
    """Exact fractions. Catches a split with probability 0.05 that is off by 3.5 %."""
    aces = np.int64(mask_of("AS AC AD AH"))
    dealt = hands(players, size)
    found = np.zeros((5, 5), dtype=np.int64)
    np.add.at(found, (np.bitwise_count(dealt[one] & aces), np.bitwise_count(dealt[two] & aces)), 1)
    shares = np.zeros((5, 5))
    for a, b in product(range(5), repeat=2):
        if a + b <= 4:
            shares[a, b] = comb(size, a) * comb(size, b) * comb(52 - 2 * size, 4 - a - b) / comb(52, 4)
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    value, freedom = uniform.of_cells(found.ravel(), shares.ravel())
    assert stats.chi2.ppf(TAIL, freedom) < value < stats.chi2.isf(TAIL, freedom)
    assert uniform.least_noncentrality(freedom, TAIL) < DEALS * 0.05 * 0.035**2


# What would be caught


def worst(words, n, h):
    """The names of the tests that fail."""
    return {test for test, value, freedom in uniform.chi_squares(words, n, h) if value > stats.chi2.isf(TAIL, freedom)}


def swap(words, give, take, among, chance, rng):
    """In a share of those hands replace a card by another."""
    hit = among & (rng.random(len(words)) < chance)
    return np.where(hit, words ^ give ^ take, words)


def has(words, with_cards, without):
    return (words & with_cards == with_cards) & (words & without == 0)


def test_a_card_that_comes_1_percent_too_often_is_caught():
    """One card 1.1 % too often and another as much too seldom: the smallest such bias with probability 0.999."""
    bias, p = 0.011, 13 / 52
    noncentrality = 2 * DEALS * (p * bias) ** 2 / uniform.card_variance(52, 13)
    assert noncentrality > uniform.least_noncentrality(51, TAIL)
    much, little = 1 << 20, 1 << 37
    words = four()[0]
    among = has(words, little, much)
    spoilt = swap(words, little, much, among, bias * p / float(among.mean()), np.random.default_rng(1))
    assert "cards" in worst(spoilt, 52, 13)


def test_pairs_of_cards_that_come_3_percent_too_often_are_caught():
    """Two pairs 2.7 % too often, two as much too seldom, each card as often as it should."""
    bias, p = 0.027, uniform.inside(52, 13, 2)
    noncentrality = 4 * DEALS * (p * bias) ** 2 / uniform.pair_variance(52, 13)
    assert noncentrality > uniform.least_noncentrality(1274, TAIL)
    i, j, k, l = (1 << card for card in (3, 18, 29, 44))
    words, rng = four()[0], np.random.default_rng(2)
    first, second = has(words, i | l, j | k), has(words, j | k, i | l)
    chance = bias * p / float(first.mean())
    spoilt = swap(swap(words, l, k, first, chance, rng), k, l, second, chance, rng)
    assert worst(spoilt, 52, 13) == {"pairs"}


def test_a_word_of_a_block_that_never_comes_is_caught():
    """One of the 8,192 words replaced by its neighbour in the table of words."""
    made = dealer(4, 13)
    words = made.words.copy()
    words[200] = words[201]  # two words of three bits, each once in a thousand hands
    assert words[200].bit_count() == made.words[200].bit_count() == 3
    spoilt = deal(stream_key(2024), made._replace(words=words), 0, DEALS // CHUNK)
    assert {f"value of block {at}" for at in range(4)} <= worst(spoilt[0], 52, 13)


@pytest.mark.parametrize("players", [4, 5])
def test_an_alias_taken_the_wrong_way_round_is_caught(players):
    made = dealer(players, 13 if players == 4 else 10)
    spoilt = deal(stream_key(1), made._replace(threshold=~made.threshold), 0, 256)
    assert "blocks" in worst(spoilt[0], 52, 13 if players == 4 else 10)


def test_hands_of_two_seats_that_hang_together_are_caught():
    """Each seat alone stays uniform: seat 1 gets two of its cards by the hand of seat 0."""
    one, two = four()[0], four()[1].copy()
    high, low = 1 << 50, 1 << 9
    rng = np.random.default_rng(3)
    key = one & 1 != 0  # where seat 0 has 3♠, seat 1 has the high card a little too often, elsewhere too seldom
    third = four()[2]
    for wanted, give, take, chance in ((key, low, high, 0.24), (~key, high, low, 0.08)):
        among = wanted & has(two, give, take) & has(third, take, give)
        hit = among & (rng.random(len(two)) < chance)
        two = np.where(hit, two ^ give ^ take, two)
    assert "cards" not in worst(two, 52, 13)
    assert "pairs" in worst(one | two, 52, 26)
