"""Results in small: what a reader can work out by hand."""

from fractions import Fraction

import numpy as np
import pytest

from tlsim.cards import hand_of
from tlsim.columns import Column, View, error
from tlsim.exact.automaton import HandCounts
from tlsim.exact.table_counts import TableCounts
from tlsim.fairness.notion import level, tolerances
from tlsim.fairness.price_list import Prices, tau
from tlsim.fairness.swings import check_rake
from tlsim.plotting.rows import _bars
from tlsim.results.batches import jackknife, mean, paired, share
from tlsim.results.estimated import EventOdds, shown_z
from tlsim.results.exact import ExactOdds
from tlsim.results.hand_report import HandReport
from tlsim.results.pictures import _lines_of
from tlsim.results.provenance import Listed, Provenance, one_in
from tlsim.results.titles import CallStakes, Ladder
from tlsim.results.worth import amount, gap_ends, less, verdict_of
from tlsim.rules import load_rules

TEN = np.array([10, 10, 10])


def test_a_row_of_a_view():
    row = View(
        "v",
        (
            Column("mean", "money", error="std_error"),
            error("std_error"),
            Column("n", "count"),
            Column("p", "probability"),
        ),
    ).row
    assert row(mean=(0.5, float("nan")), p=Fraction(1, 4)) == {"mean": 0.5, "std_error": None, "n": None, "p": 0.25}


def test_what_numbers_rest_on():
    about = Provenance(version="0.1.0", rules="zing", players=4, opening=False, names={"a": "A"}).as_dict()
    assert about == {"version": "0.1.0", "rules": "zing", "players": 4, "opening": False}


def test_names_and_one_in():
    assert [Listed("tu_quy_2", "Tứ quý heo", 3.0).name(lang) for lang in ("vi", "en")] == ["Tứ quý heo", "Four 2s"]
    assert (one_in(Fraction(1, 8)), one_in(0)) == (8.0, float("inf"))


def test_a_share_over_batches():
    found = share(np.array([4, 6, 5, 5]), np.array([10, 10, 10, 10]))
    assert (found["share"], round(found["std_error"], 4)) == (0.5, 0.0408)
    assert found["ci_low"] < 0.5 < found["ci_high"]
    never = share(np.array([0, 0]), np.array([50, 50]), of="success")
    assert (never["success"], never["success_std_error"], round(never["ci_high"], 4)) == (0.0, None, 0.0362)


def test_means_and_differences_over_batches():
    assert mean(np.array([1, 3]), np.array([2, 2])) == (1.0, 0.5)
    assert mean(np.array([1, 0]), np.array([2, 0])) == (0.5, None)
    assert mean(np.array([0]), np.array([0])) == (None, None)
    found, error = paired((np.array([5, 50, 500]), TEN), (np.array([4, 50, 498]), TEN))
    assert (found, round(error, 6)) == (0.1, 0.057735)  # 1, 0 and 2 over 10
    ratio = jackknife(np.array([[1, 2], [3, 2]]), lambda sums: float(sums[0] / sums[1]))
    assert ratio == (1.0, 0.5)  # as `mean` where trials are equal


def test_exact_odds():
    hand = HandCounts(hands=1000, holds=(10,), counts=(8,))
    deals = TableCounts(deals=100, someone=(4, 4), wins=((4, 4),), seats=((96, 96), (4, 4), (0, 0)))
    odds = ExactOdds(Provenance(version="0", players=2), (Listed("sau_doi", "6 đôi", 2.0),), hand, lambda: deals)
    assert odds.rows()[0]["counts_one_in"] == 125.0
    assert (odds.any, odds.expected_payment) == (Fraction(1, 125), Fraction(2, 25))


def test_odds_of_an_event():
    odds = EventOdds(Provenance(version="0.1.0", predicate="f", deals=400, seed=0), count=100)
    assert (odds.estimate, round(odds.std_error, 4)) == (0.25, 0.0217)
    assert [round(end, 3) for end in odds.interval()] == [0.208, 0.295]
    assert shown_z(None, {"z": 1.234, "tail": None}, "en") == "+1.23"
    assert shown_z(None, {"z": None, "tail": 0.5}, "en") == "p 0.50"


def test_groups_of_a_hand():
    report = HandReport(Provenance(version="0.1.0", rules="zing"), hand_of("3S 3C 4S 4D 5H 5C 2H 2D 2S"), ())
    found = [(row["group"], row["cards"]) for row in report.groups()]
    assert found[:3] == [("pair", "3S 3C"), ("pair", "4S 4D"), ("pair", "5C 5H")]
    run = "3S 3C 4S 4D 5C 5H"
    assert found[3:6] == [("triple", "2S 2D 2H"), ("straight", run), ("pair_run", run)]


def test_titles_and_stakes_of_rules():
    assert Ladder.of(load_rules("tong_thong"), players=4).titles == (
        "tong_thong", "pho_tong_thong", "can_ngheo", "dan_ngheo",
    )  # fmt: skip
    sam_loc = load_rules("sam_loc")
    assert CallStakes.of(sam_loc, players=4) == CallStakes(gain=60.0, loss=60.0)
    each = CallStakes.of(sam_loc.replace("bao_sam.fail_multiplier", "players"), players=4)
    assert each.break_even == pytest.approx(4 / 7, abs=1e-15)
    assert CallStakes(gain=60, loss=60).against(30) == 0.75


def test_words_on_differences():
    assert less({1: 0.5}, {1: 0.5, 2: 1.0}) == {1: 0.0, 2: -1.0}
    assert (amount(2.345, "en"), amount(2.345, "vi", "+")) == ("2.35", "+2,35")
    assert gap_ends({"ci_low": -3.0, "ci_high": -1.0}, "en") == {"ci_low": "1.00", "ci_high": "3.00"}
    assert gap_ends({"ci_low": -1.5, "ci_high": 2.0}, "vi") == {"ci_low": "-1,50", "ci_high": "+2,00"}
    assert verdict_of({"ci_low": 1.0, "ci_high": 2.0}) == "declare"
    assert verdict_of({"ci_low": -1.0, "ci_high": 2.0}) == "either"


def test_facts_below_a_title_are_kept_whole():
    first = " · ".join(["deals 1,000"] * 7) + " ·"
    assert _lines_of(" · ".join(["deals 1,000"] * 8)) == [first, "deals 1,000"]


def test_bars_of_a_distribution():
    assert _bars([-1, 0, 1], [0.5, 0.2, 0.3]) == ([-1, 0, 1], [0.5, 0.2, 0.3], 1)


def test_prices():
    """One price; the first pattern wins 1 table in 100, the second 3, so fair prices are 4 and 4/3."""
    listed = Listed("tu_quy_2", "Tứ quý 2", 2.0), Listed("sau_doi", "6 đôi", 2.0)
    deals = TableCounts(deals=100, someone=(4, 4), wins=((1, 1), (3, 3)), seats=((96, 96), (4, 4), (0, 0)))
    hand = HandCounts(hands=100, holds=(1, 2), counts=(1, 2))
    prices = Prices("regular", ExactOdds(Provenance(version="0", players=2), listed, hand, lambda: deals))
    assert (prices.fair, prices.ratios) == ((4, Fraction(4, 3)), (Fraction(1, 2), Fraction(3, 2)))
    assert prices.misplaced == Fraction(1, 4)  # of what is paid; a quarter is paid for the first pattern, not half


def test_levels_tolerances_and_shares():
    assert level([1, 2, 100], [0.5, 0.25, 0.01], 2.0, 0.5, 20).tolist() == [1.8, 3.6, 20.0]  # 0.9 + 0.9 + 0.2 = 2
    assert tolerances(3.0) == {"all": 3.0}
    assert tolerances((("sanh_rong", 10.0),)) == {"all": 2.0, "sanh_rong": 10.0}
    assert (round(tau([1, 2, 3], [1, 3, 2]), 6), tau([1, 1], [1, 2])) == (0.333333, None)
    assert check_rake(0.05) == Fraction(1, 20)
