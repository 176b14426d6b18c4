"""What things cost and bring, from tallies counted by hand."""

from math import sqrt

import numpy as np
import pytest

import tlsim
from tlsim.fairness.risks import held, risk_rows
from tlsim.fairness.sample import CHOPPED, CHOPPED_COST, GAIN, LEFT, LEFT_COST, MONEY, THINGS, USED, Sample
from tlsim.fairness.views import RISKS


@pytest.fixture
def sample():
    """Two matches of two games of four seats: 16 hands. Quads: 3 of 8 half units rot, 1 is chopped, 4 chop for 20."""
    things = np.zeros((2, len(THINGS), 6), np.int64)
    quad, cong = THINGS.index("tu_quy"), THINGS.index("cong")
    things[0, quad, [LEFT, LEFT_COST, CHOPPED, CHOPPED_COST, USED, GAIN]] = 1, 16, 1, 10, 3, 30
    things[1, quad, [LEFT, LEFT_COST, USED, GAIN]] = 2, 32, 1, 10
    things[:, cong, [LEFT, LEFT_COST]] = [[1, 52], [1, 52]]
    money = np.zeros((2, 4, len(MONEY)), np.int64)
    products, nets = np.zeros((2, len(MONEY), len(MONEY)), np.int64), np.zeros((2, 2, 4), np.int64)
    return Sample(np.ones(2, np.int64), things, money, products, money[..., 0], nets)


def rows_of(sample, rules="doithuong"):
    return {row["thing"]: row for row in risk_rows(tlsim.load_rules(rules), sample)}


def test_rates_and_money_per_1000_hands(sample):
    row = rows_of(sample)["tu_quy"]
    assert tuple(row) == RISKS.keys
    assert (row["left"], row["chopped"], row["used"]) == (3000 / 16, 1000 / 16, 4000 / 16)
    assert (row["left_cost"], row["chopped_cost"], row["gain"]) == (24_000 / 16, 5000 / 16, 20_000 / 16)


def test_holder_and_others_come_to_zero(sample):
    """−18 + … of 8 units to 4 hands: what the holder loses three others share."""
    row = rows_of(sample)["tu_quy"]
    assert row["net"] == row["gain"] - row["left_cost"] - row["chopped_cost"] == -9000 / 16
    assert row["net"] + 3 * row["opponent"] == 0
    assert row["opponent_error"] == pytest.approx(row["net_error"] / 3)


def test_errors_are_over_matches(sample):
    """Net of the matches: (30 − 26) / 2 and (10 − 32) / 2 over 8 hands each."""
    row = rows_of(sample)["tu_quy"]
    means = np.array([2, -11]) / 8 * 1000
    assert row["net_error"] == pytest.approx(means.std(ddof=1) / sqrt(2))


def test_per_hand_that_has_it(sample):
    row = rows_of(sample)["tu_quy"]
    share = float(held("tu_quy", 13))
    assert row["held"] == share
    assert row["net_if_held"] == pytest.approx(-9 / 16 / share)
    assert row["net_if_held_error"] == pytest.approx(row["net_error"] / 1000 / share)


def test_cong_is_a_row_of_its_own(sample):
    row = rows_of(sample)["cong"]
    assert (row["left"], row["left_cost"], row["net"]) == (2000 / 16, 52_000 / 16, -52_000 / 16)
    assert row["opponent"] == 52_000 / 16 / 3
    assert row["held"] is row["net_if_held"] is None
    assert row["left_error"] is None  # both matches alike show none


def test_what_has_no_price_has_no_row(sample):
    assert "ba_bich" in rows_of(sample)
    assert rows_of(sample)["ba_bich"]["held"] == 0.25
    assert not {"ba_bich", "bao_sam"} & rows_of(sample, "luckywin").keys()
    assert "bao_sam" in rows_of(sample, "sam_loc")
    assert "ba_bich" in rows_of(sample, "hue")  # thúi 3 bích
    assert rows_of(sample, "tong_thong") == {}


def test_a_mean_of_many_games_is_that_of_a_run():
    """2s left over in the rows are those that the run counted, whose errors are alike."""
    fairness = tlsim.payout_fairness("doithuong", games=2400, seed=3, opening=True)
    items = {row["item"]: row for row in fairness.rows("items")}
    for row in fairness.rows("risks")[:7]:
        assert row["left"] == pytest.approx(1000 * items[row["thing"]]["left_per_hand"])
        assert row["used"] == pytest.approx(1000 * (items[row["thing"]]["chops_per_hand"] or 0))
        if row["left"] > 20:
            assert row["left_error"] == pytest.approx(1000 * items[row["thing"]]["left_error"], rel=0.1)
