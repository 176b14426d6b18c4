"""Sums of products, and what follows from them."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

from tlsim.engine.moments import FOLDS, Moments


def sums(*columns, first=0):
    return Moments.of(np.stack([np.ones(len(columns[0])), *columns], axis=1).astype(np.int64), first)


def test_mean_error_and_ratio_are_those_of_the_values():
    rng = np.random.default_rng(1)
    x, y = rng.integers(-50, 50, 1000), rng.integers(1, 9, 1000)
    moments = sums(x, y)
    found = moments.mean({1: 0.5, 2: -1.0})
    values = 0.5 * x - y
    assert found.mean == pytest.approx(values.mean())
    assert found.std_error == pytest.approx(values.std(ddof=1) / math.sqrt(1000))
    ratio = moments.ratio({1: 1.0}, {2: 1.0})
    share = x.sum() / y.sum()
    assert ratio.mean == pytest.approx(share)
    assert ratio.std_error == pytest.approx((x - share * y).std(ddof=1) / math.sqrt(1000) / y.mean())
    assert moments.ratio({1: 1.0}, {}) is None
    assert moments.product(1, 2) == (x * y).sum()


def test_parts_add_however_they_are_cut():
    values = np.random.default_rng(2).integers(-1000, 1000, (700, 3))
    whole = sums(*values.T)
    for cuts in ([0, 16, 700], [0, 256, 512, 700], [0, 1, 699, 700]):
        total = Moments.zero(4)
        for begin, end in pairwise(cuts):
            total += sums(*values[begin:end].T, first=begin)
        assert total == whole
    assert whole.products[3, 0, 0] == len(range(3, 700, FOLDS))


def test_large_numbers_stay_exact():
    values = np.array([2**30 + 1, 2**30 + 3, -(2**30) - 7, 5])
    moments = sums(values)
    assert moments.product(1, 1) == sum(int(v) ** 2 for v in values)
    assert moments.mean({1: 1.0}).std_error == pytest.approx(values.std(ddof=1) / 2)


def test_too_few_matches():
    assert math.isnan(Moments.zero(2).mean({1: 1.0}).mean)
    one = sums(np.array([4])).mean({1: 1.0})
    assert (one.mean, one.std_error, one.interval()) == (4.0, None, (-math.inf, math.inf))


def linear(rng, n, slope=3):
    """A control with mean 2, and what it explains nine tenths of."""
    x = rng.integers(0, 5, n)
    return x, slope * x + rng.integers(-3, 4, n)


def test_controls_take_the_known_luck_out():
    """Variance 18 of the control, 4 of the rest: 5.5 times as many games; at 100,000 matches known to 2 %."""
    x, y = linear(np.random.default_rng(3), 100_000)
    moments = sums(x, y)
    plain, adjusted = moments.mean({2: 1.0}), moments.adjusted({2: 1.0}, [1], [Fraction(2)])
    assert (plain.std_error / adjusted.std_error) ** 2 == pytest.approx(5.5, rel=0.05)
    assert abs(adjusted.mean - 6) < 5 * adjusted.std_error


def test_controls_that_say_nothing_new_do_no_harm():
    """One that never varies, one that is there twice, one that is twice another."""
    x, y = linear(np.random.default_rng(4), 2000)
    one = sums(x, y).adjusted({2: 1.0}, [1], [Fraction(2)])
    more = sums(x, x, 2 * x, np.full(2000, 13), y).adjusted(
        {5: 1.0}, [1, 2, 3, 4], [Fraction(n) for n in (2, 2, 4, 13)]
    )
    assert (more.mean, more.std_error) == pytest.approx((one.mean, one.std_error), rel=1e-9)


def test_few_matches_go_without_controls():
    x, y = linear(np.random.default_rng(5), 40)
    moments = sums(x, y)
    assert moments.adjusted({2: 1.0}, [1], [Fraction(2)]) == moments.mean({2: 1.0})
    assert moments.adjusted({2: 1.0}, [], []) == moments.mean({2: 1.0})


def test_the_adjusted_mean_is_unbiased_where_regression_is_not():
    """y = x² of a skewed x and few matches: coefficients of the same matches are biased, by some 14 standard errors.

    2,000 runs of 24 matches, 5 standard errors: false alarm 6e-7; a bias of 0.21 is noticed.
    """
    rng = np.random.default_rng(6)
    x = rng.geometric(0.5, (2000, 24)) - 1  # mean 1, mean square 3
    found = [sums(row, row**2).adjusted({2: 1.0}, [1], [Fraction(1)], enough=10).mean for row in x]
    assert abs(np.mean(found) - 3) < 5 * np.std(found) / math.sqrt(len(found))
    mine, other = x - x.mean(axis=1, keepdims=True), x**2
    slopes = (mine * other).sum(axis=1) / np.maximum(1e-9, (mine**2).sum(axis=1))
    biased = other.mean(axis=1) - slopes * (x.mean(axis=1) - 1)
    assert abs(np.mean(biased) - 3) > 8 * np.std(biased) / math.sqrt(len(biased))  # the test can see it


def test_intervals_cover_as_they_claim():
    """8 controls and 100 matches, 1,000 runs; 95 % of intervals hold the mean, false alarm 1e-6.

    The bounds are 91.3 and 98.0 %: errors that are a fifth too small or a third too large would be noticed.
    """
    rng, hits, runs = np.random.default_rng(7), 0, 1000
    means = [Fraction(2)] * 8
    for _ in range(runs):
        x = rng.integers(0, 5, (100, 8))
        y = x[:, :3].sum(axis=1) + rng.integers(-3, 4, 100)
        low, high = sums(*x.T, y).adjusted({9: 1.0}, list(range(1, 9)), means, enough=10).interval()
        hits += low <= 6 <= high
    assert binom.ppf(5e-7, runs, 0.95) <= hits <= binom.ppf(1 - 5e-7, runs, 0.95)
