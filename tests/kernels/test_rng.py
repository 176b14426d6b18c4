"""Random streams against SplitMix64 in plain Python, and the uniformity of bounded numbers.

The five words of the reference generator started at 1234567 are those that the authors' C program prints (S. Vigna,
``splitmix64.c``); they are quoted in many libraries as a test vector.

Each statistical test fails with probability at most 1e-6 where the code is right (and, the seed being fixed, in every
run or in none), and says which error it would catch with probability 0.999.
"""

import random
from itertools import pairwise

import numba
import numpy as np
import pytest
from scipy import stats
from slow_deal import GOLDEN, MASK, slow_mix, slow_stream, slow_word

from tlsim.kernels.rng import DEALS, DRAWS, bounded_numbers, fill_words, mix, stream, stream_key, word_again

VECTOR = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
FALSE_ALARM = 1e-6


def slow_bounded(key, purpose, first, bound, n):
    """Lemire's method, word by word; return the numbers and how many words were rejected."""
    of, numbers, rejected = slow_stream(key, purpose, 0), [], 0
    for at in range(first, first + n):
        times = 0
        while (product := slow_word(of, at + (times << 40)) * bound) % 2**64 < 2**64 % bound:
            times += 1
        rejected += times
        numbers.append(product >> 64)
    return numbers, rejected


@numba.njit
def mixed(x):
    return mix(x)


@numba.njit
def start_and_step(key, purpose, index):
    return stream(key, purpose, index)


@numba.njit
def words(key, purpose, index, first, out):
    fill_words(stream(key, purpose, index), first, out)


@numba.njit
def words_of(start, step, out):
    fill_words((start, step), 0, out)


@numba.njit
def again(key, purpose, index, number, times):
    return word_again(stream(key, purpose, index), number, times)


def some_words(seed, purpose, index, first, n):
    out = np.zeros(n, dtype=np.uint64)
    words(stream_key(seed), purpose, index, first, out)
    return out


def numbers(seed, bound, n, first=0, purpose=DRAWS):
    out = np.zeros(n, dtype=np.int64)
    bounded_numbers(stream_key(seed), purpose, first, bound, out)
    return out


def test_the_published_vector():
    out = np.zeros(5, dtype=np.uint64)
    words_of(np.uint64(1234567 + GOLDEN), np.uint64(GOLDEN), out)
    assert out.tolist() == VECTOR
    assert [slow_mix(1234567 + k * GOLDEN & MASK) for k in range(1, 6)] == VECTOR


def test_mix_is_the_slow_mix():
    rng = random.Random(1)
    for x in [0, 1, MASK, 1 << 63, *(rng.getrandbits(64) for _ in range(500))]:
        assert int(mixed(np.uint64(x))) == slow_mix(x)


def test_mix_can_be_undone():
    """A bijection: undoing each step gives the word back, so no two indices share a start."""

    def undo_shift(x, shift):
        result = x
        for _ in range(64 // shift):
            result = x ^ (result >> shift)
        return result

    rng = random.Random(2)
    for x in (rng.getrandbits(64) for _ in range(200)):
        y = undo_shift(slow_mix(x), 31) * pow(0x94D049BB133111EB, -1, 2**64) & MASK
        y = undo_shift(y, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
        assert undo_shift(y, 30) == x


@pytest.mark.parametrize("seed", [0, 1, 2**64 + 5, 2**128 - 1])
def test_streams_are_those_of_the_slow_twin(seed):
    key = stream_key(seed)
    assert key.dtype == np.uint64
    plain = tuple(map(int, key))
    for purpose in (DEALS, DRAWS, 77):
        for index in (0, 1, 255, 1024, 10**9, 2**40 + 3, 2**62):
            of = slow_stream(plain, purpose, index)
            assert tuple(map(int, start_and_step(key, purpose, index))) == of
            first = 12_345
            assert some_words(seed, purpose, index, first, 9).tolist() == [slow_word(of, first + k) for k in range(9)]
            for times in (0, 1, 3):
                assert int(again(key, purpose, index, 17, times)) == slow_word(of, 17 + (times << 40))


def test_a_key_is_that_of_numpy():
    """`SeedSequence` with small seeds is documented to mix them well; equal seeds give equal keys, others do not."""
    keys = {tuple(stream_key(seed).tolist()) for seed in [*range(1000), 2**32, 2**64, 2**127]}
    assert len(keys) == 1003
    assert stream_key(9).tolist() == stream_key(9).tolist()


def test_every_step_is_odd_so_that_no_word_comes_twice_in_2_64():
    key = stream_key(3)
    assert all(int(start_and_step(key, DEALS, index)[1]) % 2 == 1 for index in range(1000))


def test_streams_of_other_seeds_purposes_or_indices_share_no_word():
    """Among so many random words two are equal with probability 6e-8."""
    cases = [(seed, purpose, index) for seed in (0, 1) for purpose in (DEALS, DRAWS) for index in range(4096)]
    n = 64 * len(cases)
    assert n * n / 2 / 2**64 < 1e-7
    found = np.concatenate([some_words(*case, 0, 64) for case in cases])
    assert len(np.unique(found)) == n


def test_neighbouring_words_and_streams_differ_in_half_of_their_bits():
    """Also every bit is set half of the time. Catches a frequency that is off by 0.0006, for one bit by 0.0043."""
    rows = np.stack([some_words(5, DEALS, index, 0, 512) for index in range(2049)])
    n = 2048 * 511 * 64
    limit = stats.norm.isf(FALSE_ALARM / 2 / (2 + 64))
    for other in (rows[1:, :-1], rows[:-1, 1:]):
        differing = np.bitwise_count(rows[:-1, :-1] ^ other).sum(dtype=np.int64)
        assert abs(differing - n / 2) < limit * (n / 4) ** 0.5
    m = rows.size
    assert (limit + stats.norm.isf(0.001)) / 2 * n**-0.5 < 0.0006
    assert (limit + stats.norm.isf(0.001)) / 2 * m**-0.5 < 0.0043
    for bit in range(64):
        ones = int((rows >> np.uint64(bit) & np.uint64(1)).sum())
        assert abs(ones - m / 2) < limit * (m / 4) ** 0.5


@pytest.mark.parametrize(
    "bound", [1, 2, 3, 52, 10**6, 2**32 - 1, 1_677_106_640, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1]
)
def test_bounded_numbers_are_those_of_the_slow_twin(bound):
    seed, first = 11, 1000
    expected, rejected = slow_bounded(tuple(map(int, stream_key(seed))), DRAWS, first, bound, 2000)
    assert numbers(seed, bound, 2000, first).tolist() == expected
    assert all(0 <= n < bound for n in expected)
    if bound == 2**62 + 1:  # every fourth word would favour some number
        assert 500 < rejected < 900


def test_the_first_numbers_do_not_depend_on_how_many_are_drawn():
    bound = 2**62 + 1
    whole = numbers(4, bound, 3000)
    assert numbers(4, bound, 1000).tolist() == whole[:1000].tolist()
    assert numbers(4, bound, 500, first=2500).tolist() == whole[2500:].tolist()
    assert numbers(5, bound, 1000).tolist() != whole[:1000].tolist()
    assert numbers(4, bound, 1000, purpose=DEALS).tolist() != whole[:1000].tolist()


def cells(found, bound, n):
    """Numbers by n equal or nearly equal cells, with the expected share of each; exact."""
    ends = [-(-bound * k // n) for k in range(n + 1)]
    count = np.diff(np.searchsorted(np.sort(found), ends))
    return count, np.array([(b - a) / bound for a, b in pairwise(ends)])


def chi_square(found, bound, n=200):
    count, share = cells(found, bound, n)
    expected = share * len(found)
    return float(((count - expected) ** 2 / expected).sum())


BOUNDS = [200, 1000, 635_013_559_600, 3 * 2**60, 2**62 + 1, 2**63 - 1]


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounded_numbers_are_uniform(bound):
    """In 200 cells, 1,000,000 numbers. Catches a half of the range with 50.8 % of the numbers."""
    value = chi_square(numbers(21, bound, 1_000_000), bound)
    tail = FALSE_ALARM / 2 / len(BOUNDS)
    assert stats.chi2.ppf(tail, 199) < value < stats.chi2.isf(tail, 199)


def test_a_modulo_bias_would_be_caught():
    """The very error that rejection avoids, at its worst; and two halves that differ just as much as is stated."""
    bound = 3 * 2**61
    words_ = some_words(21, DRAWS, 0, 0, 1_000_000)
    biased = (words_ >> np.uint64(1)) % np.uint64(bound)  # 63 bits, folded at the bound
    assert chi_square(biased.astype(np.int64), bound) > stats.chi2.isf(FALSE_ALARM, 199)
    limit = stats.chi2.isf(FALSE_ALARM / 2 / len(BOUNDS), 199)
    assert stats.ncx2.sf(limit, 199, 1_000_000 * 0.016**2) > 0.999
    halves = np.concatenate([numbers(21, bound // 2, 492_000), bound // 2 + numbers(22, bound // 2, 508_000)])
    assert chi_square(halves, bound) > limit
