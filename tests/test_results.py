"""Results, from tallies and counts written down here; expected values by numpy or by hand."""

import math
from dataclasses import replace
from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pytest
from scipy.stats import beta

from tlsim.cards import hand_of
from tlsim.errors import UsageError
from tlsim.exact.automaton import HandCounts
from tlsim.exact.table_counts import TableCounts
from tlsim.results.estimated import DealLaw, EstimatedOdds, EventOdds, shown_estimate, shown_z
from tlsim.results.exact import ExactOdds
from tlsim.results.hand_report import HandReport
from tlsim.results.provenance import Listed, Provenance
from tlsim.tally import OddsTally

RARE = Listed("sanh_rong", "Sảnh rồng", 9.0, count_heo=True)
COMMON = Listed("sau_doi", "6 <đôi>", 2.5)
LISTED = (RARE, COMMON)
HAND = HandCounts(hands=10**20, holds=(10**18, 3 * 10**19), counts=(10**18, 29 * 10**18))
PROVENANCE = Provenance(version="0.1.0", rules="r", digest="ab", unit="cược", players=2, opening=False, hand_size=13,
                        names={entry.id: entry.label for entry in LISTED})  # fmt: skip


def no_law():
    raise AssertionError("not needed")


def deal_law():
    """Two hands of a deal: never two rare ones; common ones independent."""
    rare, common = Fraction(1, 100), Fraction(3, 10)
    held = ((1 - 2 * rare, 2 * rare, Fraction(0)), ((1 - common) ** 2, 2 * common * (1 - common), common**2))
    counts = (Fraction(0), Fraction(29, 100) ** 2)
    return DealLaw((Fraction(0), common**2), counts, lambda at: held[at], lambda at: held[at] if at == 0 else None)


def tally(deals, heo=()):
    """Add up deals given as pairs of sets of pattern numbers, one set per hand."""
    found = OddsTally.zero(2, 2)
    for number, hands in enumerate(deals):
        at = number % 256
        held = np.array([[p in hand for p in (0, 1)] for hand in hands], dtype=np.int64)
        counts = np.array([[p == min(hand, default=-1) for p in (0, 1)] for hand in hands], dtype=np.int64)
        found.deals[at] += 1
        for name, each in (("held", held), ("counts", counts)):
            getattr(found, name)[at] += each.sum(axis=0)
            getattr(found, f"{name}_squares")[at] += each.sum(axis=0) ** 2
        found.seats[at, counts.sum()] += 1
        if counts.any():
            found.wins[at, min(set.union(*hands))] += 1
    for number, halves in enumerate(heo):
        found.heo[number] += halves
        found.heo_squares[number] += halves**2
    return found


# 100 deals: 20 with two common hands, 30 with one, 2 where a rare hand is common as well, 48 with nothing
DEALS = [({1}, {1})] * 20 + [(set(), {1})] * 30 + [({0, 1}, set())] * 2 + [(set(), set())] * 48
COMMON_PER_DEAL = np.array([2] * 20 + [1] * 32 + [0] * 48)


def estimated(deals=DEALS, seed=0, law=deal_law, heo=(), **more):
    return EstimatedOdds(
        replace(PROVENANCE, deals=len(deals), seed=seed), LISTED, tally(deals, heo), 2, HAND, law, **more
    )


def table_counts(someone=(40, 40)):
    return TableCounts(deals=1000, someone=someone, wins=((10, 10), (30, 30)), seats=((960, 960), (30, 30), (10, 10)))


# --- exact ---


def test_exact_frame():
    frame = ExactOdds(PROVENANCE, LISTED, HAND, no_law).to_frame()
    assert list(frame) == [
        "pattern", "hands", "probability", "one_in", "counts_hands", "counts_probability", "counts_one_in",
    ]  # fmt: skip
    assert frame["pattern"].tolist() == ["sanh_rong", "sau_doi"]
    assert frame["counts_hands"].tolist() == [10**18, 29 * 10**18]
    assert all(type(n) is int for n in frame["hands"])
    assert frame["probability"].tolist() == [0.01, 0.3]
    assert frame["one_in"].tolist() == [100.0, pytest.approx(10 / 3)]


def test_exact_any():
    assert ExactOdds(PROVENANCE, LISTED, HAND, no_law).any == Fraction(30, 100)


def test_impossible_pattern():
    hand = HandCounts(hands=10, holds=(0, 1), counts=(0, 1))
    first = ExactOdds(PROVENANCE, LISTED, hand, no_law).to_frame().iloc[0]
    assert (first["hands"], first["probability"], first["one_in"]) == (0, 0.0, math.inf)


def test_table_is_computed_once():
    calls = []
    odds = ExactOdds(PROVENANCE, LISTED, HAND, lambda: calls.append(1) or table_counts())
    assert not calls
    assert odds.table is odds.table
    assert calls == [1]


def test_exact_table_frame():
    frame = ExactOdds(PROVENANCE, LISTED, HAND, table_counts).table_frame()
    assert list(frame)[:6] == ["quantity", "pattern", "seats", "probability", "one_in", "deals"]
    assert frame["quantity"].tolist() == ["someone", "wins", "wins", "seats", "seats", "seats"]
    assert frame["pattern"].tolist()[1:3] == ["sanh_rong", "sau_doi"]
    assert frame["seats"].tolist()[3:] == [0, 1, 2]
    assert frame["seats"].isna().tolist() == [True] * 3 + [False] * 3
    assert frame["deals"].tolist() == [40, 10, 30, 960, 30, 10]
    assert all(type(n) is int for n in frame["deals"])
    assert frame["probability"].tolist() == [0.04, 0.01, 0.03, 0.96, 0.03, 0.01]
    assert (frame["kind"] == "exact").all()
    assert frame[["probability_low", "probability_high"]].isna().all(axis=None)


def test_bounds_are_labelled():
    odds = ExactOdds(PROVENANCE, LISTED, HAND, lambda: table_counts(someone=(30, 50)))
    first = odds.table_frame().iloc[0]
    assert first["kind"] == "bounds"
    assert (first["probability_low"], first["probability_high"]) == (0.03, 0.05)
    assert math.isnan(first["probability"])
    assert math.isnan(first["one_in"])
    assert first["deals"] is None


def test_expected_payment():
    # 10 of 1000 deals pay 9, 30 pay 2½
    odds = ExactOdds(PROVENANCE, LISTED, HAND, table_counts)
    assert odds.expected_payment == Fraction(10 * 9, 1000) + Fraction(75, 1000)
    loose = TableCounts(1000, (40, 40), ((10, 20), (30, 30)), ((960, 960), (30, 30), (10, 10)))
    odds = ExactOdds(PROVENANCE, LISTED, HAND, lambda: loose)
    assert odds.expected_payment is None
    assert odds.payment_bounds == (Fraction(165, 1000), Fraction(255, 1000))


def test_exact_without_a_list(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    odds = ExactOdds(PROVENANCE, (), HandCounts(10, (), ()), no_law)
    assert (len(odds.to_frame()), len(odds.table_frame())) == (0, 0)
    assert next(iter(odds.to_frame())) == "pattern"
    assert "no instant win" in odds._repr_html_()


# --- estimated ---


def test_estimated_frame():
    frame = estimated().to_frame()
    each = ["count", "estimate", "std_error", "ci_low", "ci_high", "exact", "z", "tail"]
    assert list(frame) == ["pattern", *each, *(f"counts_{name}" for name in each)]
    rare, common = (row for _, row in frame.iterrows())
    assert (common["count"], common["estimate"]) == (72, 0.36)
    assert common["std_error"] == pytest.approx(COMMON_PER_DEAL.std(ddof=1) / 10 / 2)
    # exact: 200 hands of 0.3, independent: z = (72 - 60) / sqrt(200 * 0.3 * 0.7)
    assert common["z"] == pytest.approx(12 / math.sqrt(42))
    assert math.isnan(common["tail"])
    assert common["ci_low"] < 0.36 < common["ci_high"]
    # 2 expected: no z, but P(X <= 2) and P(X >= 2) of 100 deals at 0.02 (scipy: binom.cdf(2, 100, .02) = 0.67669)
    assert math.isnan(rare["z"])
    assert rare["tail"] == 1.0
    assert (rare["count"], rare["exact"], common["counts_count"], common["counts_exact"]) == (2, 0.01, 70, 0.29)


def test_interval_uses_the_exact_design_effect():
    # never two rare hands in a deal: deff = 1 - 0.01 / 0.99
    row = estimated().rows()[0]
    hits, misses = 2 / (1 - 1 / 99), 198 / (1 - 1 / 99)
    assert row["ci_low"] == pytest.approx(beta.ppf(0.025, hits, misses + 1))
    assert row["ci_high"] == pytest.approx(beta.ppf(0.975, hits + 1, misses))


def test_z_starts_at_25_expected_hits():
    # the rare pattern: 0.02 expected hits a deal
    few, many = (estimated(DEALS[:1] * n, law=deal_law).rows()[0] for n in (1249, 1250))
    assert few["z"] is None
    assert few["tail"] == pytest.approx(2 * 0.98**1249)
    assert many["tail"] is None
    assert many["z"] == pytest.approx(-25 / math.sqrt(1250 * 0.02 * 0.98))


def test_a_tail_out_of_reach_is_empty():
    row = estimated(DEALS[:3]).rows()[1]
    assert row["counts_tail"] is None
    assert row["counts_z"] is None


def test_a_pair_law_out_of_reach():
    law = replace(deal_law(), held=(None, None))
    rare, common = estimated(law=lambda: law).rows()
    assert common["z"] is None
    assert rare["tail"] == 1.0
    # the design effect as the deals show it: the interval of Clopper and Pearson for so many fewer hands
    deff = common["std_error"] ** 2 / (0.36 * 0.64 / 200)
    hits, misses = 72 / deff, 128 / deff
    assert common["ci_low"] == pytest.approx(beta.ppf(0.025, hits, misses + 1))
    assert common["ci_high"] == pytest.approx(beta.ppf(0.975, hits + 1, misses))


def test_one_hand_a_deal_needs_no_law():
    found = replace(estimated(law=no_law), hands_per_deal=1)
    row = found.rows()[0]
    # P(X >= 2) of 100 hands at 0.01 (R: 1 - pbinom(1, 100, 0.01) = 0.2642380)
    assert row["tail"] == pytest.approx(2 * 0.2642380, abs=1e-6)
    assert found.hands == 100


def test_estimates_need_nothing_exact():
    assert [row["count"] for row in estimated(law=no_law).estimates()] == [2, 72]


def test_any_row():
    row = estimated(law=no_law).any_row()
    per_deal = np.array([2] * 20 + [1] * 32 + [0] * 48)
    assert (row["count"], row["estimate"]) == (72, 0.36)
    assert row["std_error"] == pytest.approx(per_deal.std(ddof=1) / 10 / 2)


def test_estimated_table_frame():
    frame = estimated(heo=[3, 0, 1]).table_frame()
    assert frame["quantity"].tolist() == ["someone", "wins", "wins", "seats", "seats", "seats", "dem_heo"]
    assert frame["count"].tolist()[:6] == [52, 2, 50, 48, 32, 20]
    assert frame["seats"].tolist()[3:6] == [0, 1, 2]
    assert frame["probability"].tolist()[:6] == [0.52, 0.02, 0.5, 0.48, 0.32, 0.2]
    assert frame["one_in"][1] == 50.0
    assert frame["std_error"][0] == pytest.approx(np.std([1] * 52 + [0] * 48, ddof=1) / 10)
    # half units 3 and 1 in 100 deals
    heo = frame.iloc[6]
    assert heo["estimate"] == pytest.approx(0.02)
    assert heo["std_error"] == pytest.approx(np.std([1.5, 0.5] + [0] * 98, ddof=1) / 10)
    assert math.isnan(heo["probability"])


def test_payment_is_simulated_too():
    mean, error = estimated().payment()
    assert mean == pytest.approx((2 * 9 + 50 * 2.5) / 100)
    assert error == pytest.approx(np.std([9] * 2 + [2.5] * 50 + [0] * 48, ddof=1) / 10)


def test_no_dem_heo_where_nothing_is_charged():
    found = replace(estimated(), listed=(COMMON, COMMON))
    assert "dem_heo" not in found.table_frame()["quantity"].tolist()


def test_no_deals_yet():
    found = estimated([])
    row = found.rows()[0]
    assert math.isnan(row["estimate"])
    assert (row["ci_low"], row["ci_high"]) == (0.0, 1.0)
    assert len(found.table_frame()) == 7
    assert "nan" not in found._repr_html_()


def test_estimated_without_a_list():
    found = EstimatedOdds(PROVENANCE, (), OddsTally.zero(0, 2), 2, HandCounts(10, (), ()), no_law)
    assert (len(found.to_frame()), len(found.table_frame())) == (0, 0)


# --- adding ---


def test_results_of_two_seeds_add():
    one, two = estimated(DEALS[:60], seed=1, seconds=1.0), estimated(DEALS[60:], seed=2, seconds=2.0)
    both = one + two
    assert [row["count"] for row in both.estimates()] == [2, 72]
    assert (both.deals, both.provenance.deals, both.provenance.seed, both.seconds) == (100, 100, (1, 2), 3.0)
    assert both == two + one
    assert (both + estimated(seed=3)).provenance.seed == (1, 2, 3)


def test_a_partial_result_makes_the_sum_partial():
    assert not (estimated(seed=1) + estimated(seed=2, complete=False)).complete


def test_the_same_seed_does_not_add():
    with pytest.raises(UsageError, match=r"both results come from seed 5.*another seed"):
        (estimated(seed=4) + estimated(seed=5)) + estimated(seed=5)


@pytest.mark.parametrize(("name", "value"), [("digest", "cd"), ("players", 3), ("opening", True), ("dead", "3S")])
def test_other_questions_do_not_add(name, value):
    other = estimated(seed=1)
    other = replace(other, provenance=replace(other.provenance, **{name: value}))
    with pytest.raises(UsageError, match=f"different questions: {name} = "):
        estimated(seed=0) + other


def test_other_things_do_not_add():
    with pytest.raises(TypeError):
        estimated() + 1


def test_results_are_frozen():
    with pytest.raises(AttributeError):
        estimated().complete = False


# --- events ---


def test_event_odds():
    odds = EventOdds(Provenance(version="0.1.0", predicate="m.f", hand_size=13, deals=925, seed=3), count=682)
    row = odds.to_frame().iloc[0]
    assert (row["predicate"], row["hands"], row["count"]) == ("m.f", 925, 682)
    # R, ?binom.test
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(0.7076683, abs=5e-8), pytest.approx(0.7654066, abs=5e-8))
    assert row["std_error"] == pytest.approx(np.std([1] * 682 + [0] * 243, ddof=1) / math.sqrt(925))
    assert row["one_in"] == pytest.approx(925 / 682)
    assert "m.f" in odds._repr_html_()


def test_event_that_was_never_seen():
    odds = EventOdds(Provenance(version="0.1.0", deals=100), count=0)
    assert odds.interval() == (0.0, pytest.approx(1 - 0.025**0.01))
    assert odds.rows()[0]["one_in"] == math.inf


# --- hands ---


def groups(cards, **more):
    rows = HandReport(PROVENANCE, hand_of(cards), (), **more).groups()
    return [(row["group"], row["size"], row["cards"]) for row in rows]


def test_groups_of_a_hand():
    assert groups("3S 3C 4S 4D 5H 5C 6S 6C 6D 9H 2S 2C 2D") == [
        ("pair", 2, "3S 3C"),
        ("pair", 2, "4S 4D"),
        ("pair", 2, "5C 5H"),
        ("triple", 3, "6S 6C 6D"),
        ("triple", 3, "2S 2C 2D"),
        ("straight", 4, "3S 3C 4S 4D 5C 5H 6S 6C 6D"),
        ("pair_run", 4, "3S 3C 4S 4D 5C 5H 6S 6C 6D"),
        ("spades", 4, "3S 4S 6S 2S"),
        ("clubs", 4, "3C 5C 6C 2C"),
        ("diamonds", 3, "4D 6D 2D"),
        ("hearts", 2, "5H 9H"),
        ("black", 8, "3S 3C 4S 5C 6S 6C 2S 2C"),
        ("red", 5, "4D 5H 6D 9H 2D"),
    ]


def test_a_2_is_in_no_run():
    assert not [
        row for row in groups("QS QC KS KC AS AC 2S 2C") if "2" in row[2] and row[0] in {"straight", "pair_run"}
    ]


def test_low_straights_of_sam():
    straights = [row for row in groups("AS 2S 3S QS KS", low_straights=True) if row[0] == "straight"]
    assert straights == [("straight", 3, "3S AS 2S"), ("straight", 3, "QS KS AS")]
    assert not [row for row in groups("AS 2S 3S", low_straights=False) if row[0] == "straight"]


def test_hand_report():
    report = HandReport(PROVENANCE, hand_of("3S"), LISTED)
    assert report.counts == RARE
    frame = report.to_frame()
    assert frame["pattern"].tolist() == ["sanh_rong", "sau_doi"]
    assert frame["counts"].tolist() == [True, False]
    assert frame["pays"].tolist() == [9.0, 2.5]
    assert HandReport(PROVENANCE, 1, ()).counts is None


# --- words ---


def test_names():
    own = Listed("nam_doi_mot_sam", "5 đôi + 1 sám", 3.0)
    assert [own.name(lang) for lang in ("vi", "en")] == ["5 đôi + 1 sám"] * 2
    assert [RARE.name(lang) for lang in ("vi", "en")] == ["Sảnh rồng", "Dragon straight"]


def test_estimates_in_words():
    """With its error; never seen: the upper end of its interval; not known: nothing."""
    row = {"std_error": 2.1e-5, "ci_high": 0.3}
    assert shown_estimate(5.8125e-4, row, "en") == "0.0005812 ± 2.1e-05"
    assert shown_estimate(0.0, {"std_error": 0.0, "ci_high": 3.1e-7}, "en") == "0 (≤ 3.1e-07)"
    assert shown_estimate(0.25, {"counts_std_error": 0.01}, "en", "counts_") == "0.2500 ± 0.010"
    assert shown_estimate(math.nan, row, "en") is None


def test_z_in_words():
    assert [shown_z(None, {"z": z, "tail": tail}, "en") for z, tail in ((-1.5, None), (None, 0.001), (None, None))] == [
        "-1.50",
        "p 0.001",
        None,
    ]


def test_html_is_escaped(monkeypatch):
    monkeypatch.setenv("LC_ALL", "vi_VN.UTF-8")
    for result in (ExactOdds(PROVENANCE, LISTED, HAND, no_law), estimated(), HandReport(PROVENANCE, 1, LISTED)):
        text = result._repr_html_()
        assert "6 &lt;đôi&gt;" in text
        assert "<đôi>" not in text


def test_partial_is_said(monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert "partial" in estimated(complete=False)._repr_html_()
    assert "partial" not in estimated()._repr_html_()


# --- pictures ---


@pytest.mark.parametrize("result", [ExactOdds(PROVENANCE, LISTED, HAND, no_law), estimated()])
def test_plot(result):
    from tlsim.plotting.axes import new_axes

    axes = new_axes()
    assert result.plot(axes, lang="en") is axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Dragon straight", "6 pairs"]


def test_plot_makes_its_own_axes():
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    axes = estimated().plot(lang="vi")
    assert axes.get_yticklabels()[0].get_text() == "Sảnh rồng"
    plt.close(axes.figure)
