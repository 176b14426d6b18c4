"""Tables around hands of a pattern: who wins them, what losers hold, and what that does to a price."""

import math
from fractions import Fraction

import numpy as np
import pytest
from small_lists import BOTH, TWO

import tlsim
from tlsim.fairness.around import HANDS, Around, around
from tlsim.fairness.price_list import Heo, Prices
from tlsim.intervals import ratio_mean


@pytest.mark.parametrize(
    ("name", "players", "opening"), [("doithuong", 4, False), ("zing", 3, True), ("sam_loc", 2, False)]
)
def test_they_are_won_as_often_as_the_exact_law_says(name, players, opening):
    """P(the pattern wins) = seats · P(a hand counts as it) · P(its table is won): within six errors each.

    A false alarm in 10⁷ lots of hands for 20 patterns; a share of tables that is 2 % off would show.
    """
    rules = tlsim.load_rules(name)
    odds = tlsim.exact_odds(rules, players=players, opening=opening)
    everybody = np.ones((len(odds.listed), players), np.bool_)
    for at, (low, high) in enumerate(odds.table.wins):
        if odds.hand.counts[at]:
            won = around(rules, at, players, opening=opening).won(everybody)
            share, error = ratio_mean(won.sum(axis=1), np.full(HANDS, won.shape[1]))
            exact = Fraction(low + high, 2 * odds.table.deals) / players * odds.hand.hands / odds.hand.counts[at]
            assert abs(share - exact) <= 6 * error + 1e-12, odds.listed[at].id
            assert error < 0.003


def test_who_declares_only_where_he_leads(tiny):
    """2s are dealt to 408 seats of the 2,652 deals, 204 of them lead, and nobody else is to declare: of 388 wins.

    With 3♠ to be declared from everywhere, 4 of these 204 are lost to it.
    """
    rules = tlsim.load_rules(tiny())
    seats = 2 * 4 * 51
    for spade, wins in (([True, False], seats / 2), ([True, True], seats / 2 - 4)):
        kept, error = around(rules, 1, 2, opening=False).kept(np.array([spade, [True, False]]))
        assert abs(kept - wins / (TWO - BOTH)) < 6 * error + 1e-9
        assert error < 0.002
    assert around(rules, 0, 2, opening=False).kept(np.array([[True, False], [True, True]])) == (0.5, 0.0)


def test_dem_heo_is_known_to_a_thousandth():
    """Losers of 5 đôi thông: within six errors of 1,048,576 deals that the engine drew, 6.4856 ± 0.0013."""
    mean, error, _ = around(tlsim.load_rules("doithuong"), 5, 4, opening=False).heo()
    assert error < 0.00105 * mean
    assert abs(mean - 6.4856) < 6 * math.hypot(error, 0.0013)


def test_dem_heo_counts_in_everything(listed):
    """a wins 10 of 1,000 and costs 1 + 3; b wins 20 and costs 2. Both cost 40 per 1,000: fair, no pair wrong."""
    plain = listed([("a", 1, 10), ("b", 2, 20)])
    prices = Prices("regular", plain.odds, plain.notion, {"a": Heo(3.0, 0.1)})
    assert prices.prices == (4, 2)
    assert prices.ratios == (1, 1)
    assert prices.misplaced == 0
    assert (len(plain.wrong_pairs), len(prices.wrong_pairs)) == (1, 0)
    assert prices.cost == Fraction(80, 1000) * Fraction(3, 4)
    assert prices.spread == pytest.approx(math.sqrt(3 * (0.01 * 16 + 0.02 * 4)))
    noisy = Prices("regular", plain.odds, plain.notion, {"a": Heo(3.0, 0.1, 8.0)})
    assert noisy.spread == pytest.approx(math.sqrt(3 * (0.01 * 16 + 0.02 * 4) + 0.01 * 8))


def test_the_noise_of_dem_heo_is_that_of_what_is_won_and_of_what_is_lost():
    """Seat 0 wins all: a player gets 3c + Σh or pays c + h; the mean square is that of the means, and the noise."""
    rng = np.random.default_rng(1)
    value = rng.integers(0, 9, (50, 2, 3))
    nobody, all_lead = np.full((50, 2, 4), 1), np.ones((50, 2, 4), np.bool_)
    nobody[..., 0] = 0
    found = Around(nobody, all_lead, value, by_turn=False).heo()
    c, h = 4, value / 2
    squares = ((3 * c + h.sum(axis=2)) ** 2 + ((c + h) ** 2).sum(axis=2)) / 4
    assert found.mean == pytest.approx(h.mean())
    assert squares.mean() == pytest.approx(3 * (c + found.mean) ** 2 + found.noise)


def test_the_spread_of_doithuong_is_what_somebody_else_found():
    """Who knew the rules alone dealt 500,000 tables around 5 đôi thông: 1.418; by the mean of đếm heo it is 1.398."""
    (row,) = tlsim.payout_fairness("doithuong", judge_from=0).rows("summary")
    assert row["spread"] == pytest.approx(1.418, abs=0.002)


def test_its_error_is_carried_on(listed):
    """a costs 40 ± 1 of 80: ratio 2·(40 ± 1)/(80 ± 1), fair price (80 ± 1)/20, misplaced |40 ± 1 − fair share|."""
    plain = listed([("a", 1, 10), ("b", 2, 20)])
    row, other = Prices("regular", plain.odds, plain.notion, {"a": Heo(3.0, 0.1)}).rows()
    assert (row["heo"], row["heo_error"], row["price"]) == (3.0, 0.1, 1.0)
    assert row["cost_error"] == pytest.approx(1 * 3 / 4)
    assert row["fair_error"] == pytest.approx(1 / 20)
    assert row["ratio_error"] == pytest.approx(82 / 81 - 1)
    assert other["ratio_error"] == pytest.approx(1 - 80 / 81)
    assert other["cost_error"] is None
    summary = Prices("regular", plain.odds, plain.notion, {"a": Heo(3.0, 0.1)}).summary()
    assert summary["cost_error"] == pytest.approx(0.75)
    assert summary["misplaced_error"] == pytest.approx(0.5 / 81)


def test_the_list_of_doithuong_costs_what_the_seed_says_and_dem_heo():
    """Without it 74.9 per 1,000, with it 87.1; 5 đôi thông is 0.81 or so of its fair price, or too dear."""
    with_heo = tlsim.payout_fairness("doithuong", judge_from=0)
    without = tlsim.payout_fairness(tlsim.load_rules("doithuong").replace("toi_trang.count_heo", value=False))
    (row,), (other,) = with_heo.rows("summary"), without.rows("summary")
    assert other["cost_per_1000"] == pytest.approx(74.9, abs=0.05)
    each = row["heo_per_1000"]
    assert row["cost_per_1000"] == pytest.approx(74.9 + each, abs=0.05)
    assert each == pytest.approx(1000 * 0.0025187 * 6.4856 * 3 / 4, rel=0.005)
    ratio = {found["pattern"]: found["ratio"] for found in with_heo.rows()}["nam_doi_thong"]
    assert 1.8 < ratio < 1.84


def test_the_exact_equal_cost_list_swings_two_hundred_times_as_far():
    """12 of a suit at 1/8 of what is paid: the spread is √(3 Σ p c²), of it alone √(3 · paid² / 64 p)."""
    (prices,) = tlsim.payout_fairness(WITHOUT, judge_from=0).lists
    rare = min(prices.probabilities)
    assert prices.spread == pytest.approx(1.1, abs=0.05)
    assert max(prices.fair) == pytest.approx(1_150_151, rel=1e-6)
    assert math.sqrt(3 * float(prices.paid) ** 2 / 64 / float(rare)) == pytest.approx(208, abs=1)


WITHOUT = tlsim.load_rules("doithuong").replace("toi_trang.count_heo", value=False)


def test_the_least_that_is_misplaced_under_a_cap(listed):
    """a wins 1, b 9: fair are 5 and 5/9 of a cost of 10. Under a cap of 4, 1 of 10 is misplaced at the least."""
    prices = listed([("a", 1, 1), ("b", 1, 9)])
    assert prices.fair == (5, Fraction(5, 9))
    assert prices.least_misplaced(4) == Fraction(1, 10)
    assert prices.least_misplaced(5) == 0
    assert float(listed([("a", 4, 1), ("b", 6 / 9, 9)]).misplaced) == pytest.approx(0.1)
