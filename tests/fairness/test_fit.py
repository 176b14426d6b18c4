"""Prices of a shape: levelled and rounded, against all ways to do it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlsim.fairness.repricing import NEAR, level, rounded


def test_level_without_ends_is_in_proportion():
    """k (0.5 · 1 + 0.25 · 2 + 0.1 · 10) = 6 gives k = 3."""
    assert level([1, 2, 10], [0.5, 0.25, 0.1], 6.0, 0.5, 1000) == pytest.approx([3, 6, 30])


def test_level_makes_up_for_the_cap():
    """The last is held at 10; the others must pay 6 − 0.1 · 10 = 5 = k · (0.5 + 0.5)."""
    assert level([1, 2, 10], [0.5, 0.25, 0.1], 6.0, 0.5, 10) == pytest.approx([5, 10, 10])


def test_level_makes_up_for_the_smallest_price():
    """In proportion the first would be 0.3; held at 0.5 it leaves 0.35 = k (0.5 + 0.5)."""
    found = level([1, 2, 5], [0.5, 0.25, 0.1], 0.6, 0.5, 100)
    assert found == pytest.approx([0.5, 0.7, 1.75])


@pytest.mark.parametrize(("paid", "price"), [(0.001, 0.5), (1e6, 100)])
def test_level_out_of_reach_stays_at_the_end(paid, price):
    assert level([1, 2], [0.5, 0.1], paid, 0.5, 100).tolist() == [price, price]


def test_level_of_what_never_wins_is_the_cap():
    assert level([1, np.inf], [0.5, 0.0], 1.0, 0.5, 7) == pytest.approx([2, 7])


def test_level_of_nothing_but_what_never_wins():
    assert level([np.inf], [0.0], 1.0, 0.5, 7).tolist() == [7]


CHANCES = st.lists(st.floats(1e-9, 0.1), min_size=1, max_size=6, unique=True)


@given(CHANCES, st.floats(0.6, 40), st.sampled_from([0.5, 1.0]))
def test_level_pays_what_is_wanted_within_the_ends(p, price, low):
    paid = price * sum(p)
    found = level([1 / x for x in p], p, paid, low, 50)
    assert (found >= low).all()
    assert (found <= 50).all()
    if low * sum(p) <= paid <= 50 * sum(p):
        assert found @ p == pytest.approx(paid, rel=1e-9)


@given(CHANCES, st.floats(0.6, 40))
def test_rounded__no_way_to_round_is_nearer(p, price):
    """Every way to round up or down that keeps the order is tried; a thousandth more may be given for fairness."""
    paid, step, high = price * sum(p), 0.5, 60.0
    ideal = level([1 / x for x in p], p, paid, step, high)
    found = rounded(ideal, p, paid, step, high)
    ways = itertools.product(*({np.floor(x / step) * step, np.ceil(x / step) * step} for x in ideal))
    by_rarity = np.argsort(np.negative(p))
    in_order = [w for w in ways if min(w) >= step and (np.diff(np.array(w)[by_rarity]) >= 0).all()]
    best = min(abs(np.array(w) @ p - paid) for w in in_order)
    assert abs(found @ p - paid) <= (best + NEAR * paid) * (1 + 1e-9)
    assert (np.diff(found[by_rarity]) >= 0).all()
    assert (found >= step).all()
    assert (found <= high).all()
    assert (found / step == np.rint(found / step)).all()


def test_rounded__fairness_decides_among_what_is_near_enough():
    """1 pays 10.001 and 2 pays 10.002, both within a thousandth of 10.0011; by ratio 2 is nearer to 1.6."""
    assert rounded(np.array([1.6, 20000.0]), [0.001, 0.0005], 10.0011, 1.0, 1e6).tolist() == [2, 20000]


def test_rounded__what_is_missing_is_made_up_beyond_the_next_step():
    """0.4 · 1 is rounded up from 0.6, which is 0.16 too much; each step of the rare one makes up 0.02: 8 of them."""
    found = rounded(np.array([0.6, 20.0]), [0.4, 0.02], 0.64, 1.0, 100)
    assert found.tolist() == [1, 12]


def test_rounded__a_rare_price_is_not_moved_for_nothing():
    """2 or 3 for 2.5 pay 0.2 or 0.3 where 0.25 is wanted; the rare ones pay 1e-9 a step, a 50-millionth of that.

    2.5 is nearer to 3 by ratio, and 7.3, 12.2 are rounded to the nearest, whichever way what is missing lies.
    """
    p = [0.1, 1e-9, 1e-9 / 2]
    for paid in (0.25, 0.2501, 0.2499):
        found = rounded(np.array([2.5, 7.3, 12.2]), p, paid, 1.0, 100)
        assert found.tolist()[1:] == [7, 12]


def test_rounded__rare_prices_stay_at_the_cap():
    """They pay 0.6 + 0.0006, which is 0.0012 too much: no step down of 2e-6 makes up a part of that."""
    found = rounded(np.array([1.0, 100.0, 100.0]), [0.6, 4e-6, 2e-6], 0.5994, 0.5, 100)
    assert found.tolist() == [1, 100, 100]


@pytest.mark.parametrize(
    ("rare", "price"),
    [
        (0.02, 12),  # a step makes up 0.02 of 0.16, an eighth of it: 8 of them
        (0.012, 20),  # 0.012 of 0.16 is less than a tenth
    ],
)
def test_rounded__a_step_must_make_up_a_tenth(rare, price):
    """0.4 · 0.6 is rounded up to 0.4, 0.16 too much."""
    found = rounded(np.array([0.6, 20.0]), [0.4, rare], 0.24 + 20 * rare, 1.0, 100)
    assert found.tolist() == [1, price]
