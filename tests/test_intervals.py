"""Intervals, clustered errors, exact z and tails, against scipy, published values and enumeration."""

import itertools
import math
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from tlsim import intervals

# --- korn_graubard ---


@pytest.mark.parametrize("trials", [1, 2, 7, 100, 12_345, 10**9])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999999])
def test_without_clusters_it_is_clopper_pearson(trials, level):
    for count in sorted({0, 1, trials // 3, trials - 1, trials}):
        theirs = stats.binomtest(count, trials).proportion_ci(level, method="exact")
        # scipy searches for the ends, to some 1e-12
        assert intervals.korn_graubard(count, trials, level=level) == pytest.approx(tuple(theirs), rel=1e-9, abs=4e-12)


def test_no_event_in_a_billion():
    # The upper end u solves (1 - u)**n = 0.025, so n u is close to -log 0.025.
    assert intervals.korn_graubard(0, 10**9)[1] == pytest.approx(-math.log(0.025) * 1e-9, rel=1e-8)


def test_published_interval():
    # R, ?binom.test, Mendel's peas (Conover 1971): binom.test(682, 682 + 243, p = 3/4) gives 0.7076683 0.7654066
    assert intervals.korn_graubard(682, 925) == pytest.approx((0.7076683, 0.7654066), abs=5e-8)


def test_a_design_effect_divides_the_sample():
    assert intervals.korn_graubard(20, 200, deff=2) == pytest.approx(intervals.korn_graubard(10, 100))
    assert intervals.korn_graubard(0, 200, deff=2)[1] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert intervals.korn_graubard(200, 200, deff=2) == pytest.approx((0.025 ** (1 / 100), 1.0))


def test_the_ends_solve_their_equations():
    low, high = intervals.korn_graubard(7, 50, level=0.9)
    assert stats.binom.sf(6, 50, low) == pytest.approx(0.05)
    assert stats.binom.cdf(7, 50, high) == pytest.approx(0.05)


@pytest.mark.parametrize("p", [1e-3, 0.02, 0.3, 0.9])
def test_covers_hits_that_come_in_twos(p):
    # 200 trials in 100 twins, both hits or none: deff 2. The coverage is summed over all outcomes, so it is exact.
    covered = 0.0
    for twins in range(101):
        low, high = intervals.korn_graubard(2 * twins, 200, deff=2)
        covered += stats.binom.pmf(twins, 100, p) * (low <= p <= high)
    assert covered >= 0.95


def test_no_trials():
    assert intervals.korn_graubard(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("arguments", [(-1, 5), (6, 5), (1, 5, 1.0, 0.0), (1, 5, 1.0, 1.0)])
def test_wrong_arguments(arguments):
    with pytest.raises(ValueError, match="must"):
        intervals.korn_graubard(*arguments)


# --- clustered errors ---


def test_clustered_error_is_the_error_of_a_mean_of_deals():
    deals = np.array([0, 0, 4, 1, 0, 2, 0, 0, 1, 3])
    expected = deals.std(ddof=1) / math.sqrt(len(deals)) / 4
    found = intervals.clustered_error(int(deals.sum()), int((deals**2).sum()), len(deals), per_deal=4)
    assert found == pytest.approx(expected)


def test_clustered_error_does_not_cancel():
    # 10**12 deals, all with one hit but two: the two terms agree in 24 digits
    deals, hits = 10**12, 10**12 - 2
    assert intervals.clustered_error(hits, hits, deals) == pytest.approx(math.sqrt(2) * 1e-12, rel=1e-9)


def test_too_few_deals_have_no_error():
    assert math.isnan(intervals.clustered_error(0, 0, 0))
    assert math.isnan(intervals.clustered_error(1, 1, 1))


@pytest.mark.parametrize(("total", "squares", "deals"), [(0, 0, 9), (1, 1, 9), (36, 144, 9), (2, 2, 1), (9, 9, 9)])
def test_design_effect_that_cannot_be_estimated_is_one(total, squares, deals):
    assert intervals.estimated_design_effect(total, squares, deals, 4) == 1.0


def test_design_effect_of_hits_that_come_in_fours():
    # 100 of 1,000,000 deals with 4 hits each: close to 4
    assert intervals.estimated_design_effect(400, 1600, 1_000_000, 4) == pytest.approx(4, rel=1e-3)


# --- exact variance ---


def _enumerated(m):
    """All deals of m seats with 2 cards each of a deck of 8; a hit is a hand with two of the cards 0, 1, 2."""
    per_deal = [Fraction(0)] * (m + 1)
    deals = list(_deals(frozenset(range(8)), m))
    for hands in deals:
        per_deal[sum(hand < {0, 1, 2} or hand == {0, 1, 2} for hand in hands)] += Fraction(1, len(deals))
    p = Fraction(comb(3, 2), comb(8, 2))
    pair = Fraction(sum(all(h < {0, 1, 2} for h in hands[:2]) for hands in deals), len(deals))
    return per_deal, p, pair


def _deals(deck, seats):
    if not seats:
        yield ()
        return
    for hand in itertools.combinations(sorted(deck), 2):
        for rest in _deals(deck - set(hand), seats - 1):
            yield (frozenset(hand), *rest)


@pytest.mark.parametrize("m", [2, 3])
def test_variance_of_a_deal_by_enumeration(m):
    per_deal, p, pair = _enumerated(m)
    mean = sum(k * share for k, share in enumerate(per_deal))
    variance = sum((k - mean) ** 2 * share for k, share in enumerate(per_deal))
    assert mean == m * p
    assert intervals.deal_variance(m, p, pair) == variance
    assert intervals.design_effect(m, p, pair) == pytest.approx(float(variance / (m * p * (1 - p))))


def test_design_effect_of_independent_hands():
    assert intervals.design_effect(4, Fraction(1, 7), Fraction(1, 49)) == 1.0
    assert intervals.design_effect(4, Fraction(0), Fraction(0)) == 1.0
    assert intervals.design_effect(4, Fraction(1), Fraction(1)) == 1.0


def test_z_by_hand():
    # 10,000 deals of 4 hands, p = 1/100, never two in a deal: variance per deal 4/100 * 96/100
    expected = (450 - 400) / math.sqrt(10_000 * 0.04 * 0.96)
    assert intervals.z_score(450, 10_000, 4, Fraction(1, 100), Fraction(0)) == pytest.approx(expected)


def test_z_of_what_cannot_vary():
    assert intervals.z_score(20, 5, 4, Fraction(1), Fraction(1)) == 0.0
    assert intervals.z_score(19, 5, 4, Fraction(1), Fraction(1)) == -math.inf
    assert intervals.z_score(1, 5, 4, Fraction(0), Fraction(0)) == math.inf
    assert math.isnan(intervals.z_score(0, 0, 4, Fraction(1, 2), Fraction(1, 4)))


# --- tails ---


def _two_sided(count, law):
    return min(Fraction(1), 2 * min(sum(law[: count + 1]), sum(law[count:])))


@pytest.mark.parametrize("deals", [1, 2, 5, 12])
def test_tail_by_convolution_of_fractions(deals):
    per_deal, _, _ = _enumerated(3)
    law = [Fraction(1)]
    for _ in range(deals):
        law = [
            sum((law[i] * per_deal[n - i] for i in range(len(law)) if 0 <= n - i < len(per_deal)), Fraction(0))
            for n in range(len(law) + len(per_deal) - 1)
        ]
    for count in range(len(law)):
        expected = float(_two_sided(count, law))
        assert intervals.tail_probability(count, deals, per_deal) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("deals", "p"),
    [
        (10**7, Fraction(1, 10**6)),
        (10**12, Fraction(3, 10**12)),
        (2000, Fraction(1, 100)),
        (30, Fraction(4, 5)),
        (40, 1 - Fraction(1, 10**9)),  # no hit in a deal is next to impossible: the whole-number way
        (24, Fraction(1)),
        (10**6, Fraction(0)),
    ],
)
def test_tail_of_single_hands_is_binomial(deals, p):
    for count in (n for n in (0, 1, 5, 24, 30, 60) if n <= deals):
        sides = stats.binom.cdf(count, deals, float(p)), stats.binom.sf(count - 1, deals, float(p))
        expected = min(1.0, 2 * min(sides))
        assert intervals.tail_probability(count, deals, [1 - p, p]) == pytest.approx(expected, rel=1e-6, abs=1e-290)


def test_far_tail_keeps_its_digits():
    # P(X >= 60) for Poisson(10) is about 5e-27; a difference of sums would be lost in rounding
    expected = 2 * stats.poisson.sf(59, 10)
    assert intervals.tail_probability(60, 10**9, [1 - Fraction(1, 10**8), Fraction(1, 10**8)]) == pytest.approx(
        expected, rel=1e-5
    )


def test_hits_that_come_in_fours():
    # 4 X with X binomial(1000, 1/500): whatever lies between has the tails of its neighbours
    per_deal = [Fraction(499, 500), 0, 0, 0, Fraction(1, 500)]
    for fours in (0, 2, 9):
        sides = stats.binom.cdf(fours, 1000, 0.002), stats.binom.sf(fours - 1, 1000, 0.002)
        assert intervals.tail_probability(4 * fours, 1000, per_deal) == pytest.approx(min(1, 2 * min(sides)), rel=1e-9)
    above = stats.binom.sf(2, 1000, 0.002)
    assert intervals.tail_probability(10, 1000, per_deal) == pytest.approx(2 * min(above, 1 - above), rel=1e-9)


def test_counts_that_cannot_be():
    assert intervals.tail_probability(3, 2, [Fraction(1, 2), Fraction(1, 2)]) == 0.0
    assert intervals.tail_probability(-1, 2, [Fraction(1, 2), Fraction(1, 2)]) == 0.0


def test_tail_refuses_what_it_is_not_for():
    with pytest.raises(ValueError, match="sum to 1"):
        intervals.tail_probability(1, 10, [Fraction(1, 2), Fraction(1, 3)])
    with pytest.raises(ValueError, match="200 hits are expected"):
        intervals.tail_probability(1, 400, [Fraction(1, 2), Fraction(1, 2)])


# --- by hand ---


def test_intervals_of_what_never_happened_and_of_batches():
    low, high = intervals.korn_graubard(0, 100)
    assert (low, round(high, 4)) == (0.0, 0.0362)  # 1 - 0.025**(1 / 100)
    assert [intervals.level_after(why) for why in ("size", "error")] == [0.95, 0.962]
    alike, clustered = ([5, 4, 6, 5, 5], [0, 10, 0, 10, 5])
    found = [intervals.clustered_interval(np.array(counts), np.full(5, 10)) for counts in (alike, clustered)]
    assert [round(end, 2) for ends in found for end in ends] == [0.41, 0.59, 0.03, 0.97]


def test_intervals_of_rates_and_of_amounts():
    low, high = intervals.rate_interval(0, 100)
    assert (low, round(high, 4)) == (0.0, 0.0369)  # -log(0.025) / 100
    none, equal = intervals.amount_interval(0, 0, 5, 100), intervals.amount_interval(5 * 3, 25 * 3, 5, 100)
    assert none[0] == 0
    assert round(none[1] / 5, 4) == round(high, 4)
    assert [round(end / 5, 6) for end in equal] == [round(end, 6) for end in intervals.rate_interval(3, 100)]


def test_means_and_errors_of_clusters():
    assert intervals.ratio_design_effect(np.array([10, 14, 6, 10]), np.array([100] * 4)) == pytest.approx(16 / 15)
    assert intervals.ratio_mean(np.array([1, 3]), np.array([2, 2])) == (1.0, 0.5)  # means 0.5 and 1.5
    reach = [intervals.joint_reach(*asked) for asked in ((1, 10_000), (1, 20), (4, 10_000))]
    assert [round(each, 3) for each in reach] == [1.96, 2.093, 2.498]
    assert intervals.clustered_error(total=2, squares=2, deals=4) == pytest.approx(1 / 12**0.5)  # 0 0 1 1: variance 1/3
    twos = intervals.estimated_design_effect(total=200, squares=400, deals=10_000, per_deal=4)
    assert round(twos, 2) == 1.99  # hits come in twos


def test_exact_variances_and_tails():
    assert intervals.deal_variance(4, Fraction(1, 2), Fraction(1, 4)) == 1  # independent
    assert intervals.design_effect(4, Fraction(1, 100), Fraction(0)) == pytest.approx(32 / 33)  # one hand of a deal
    assert intervals.z_score(60, 100, 1, Fraction(1, 2), Fraction(0)) == 2
    law = [Fraction(9, 10), Fraction(1, 10)]
    assert intervals.tail_probability(0, 2, law) == 1  # twice 0.9 ** 2, at most 1
    assert intervals.tail_probability(2, 2, law) == pytest.approx(0.02)
