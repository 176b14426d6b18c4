"""Prices against rarity, counted by hand."""

import math
from fractions import Fraction

import pytest
from small_lists import BOTH, DEALS, SPADE, TWO, twice

import tlsim
from tlsim.fairness.price_list import tau

WITHOUT_HEO = tlsim.load_rules("doithuong").replace("toi_trang.count_heo", value=False)

# --- the tiny table ---


def test_probabilities_of_the_tiny_table(tiny):
    prices = tlsim.payout_fairness(tiny(), players=2).lists[0]
    assert prices.probabilities == (Fraction(SPADE, DEALS), Fraction(TWO - BOTH, DEALS))
    assert prices.exact


def test_cost_and_fair_prices_of_the_tiny_table(tiny):
    """102 deals at 1 and 388 at 3 are 1,266; each pattern should cost 633. A player loses half of the deals won."""
    prices = tlsim.payout_fairness(tiny(), players=2).lists[0]
    assert prices.paid == Fraction(1266, DEALS)
    assert prices.cost == Fraction(633, DEALS)
    assert prices.fair == (Fraction(633, 102), Fraction(633, 388))
    assert prices.ratios == (Fraction(102, 633), Fraction(3 * 388, 633))
    assert prices.misplaced == Fraction(633 - 102, 1266)


def test_frame_of_the_tiny_table(tiny):
    frame = tlsim.payout_fairness(tiny(), players=2).to_frame().set_index("pattern")
    assert list(frame["strength_rank"]) == [1, 2]
    assert list(frame["rarity_rank"]) == [1, 2]
    assert frame.loc["co_heo", "one_in"] == pytest.approx(DEALS / 388, rel=1e-15)
    assert frame.loc["co_heo", "hand_one_in"] == 13
    assert frame.loc["co_heo", "cost_per_1000"] == pytest.approx(1000 * 3 * 388 / DEALS / 2, rel=1e-15)
    assert set(frame["kind"]) == {"exact"}


def test_a_pair_that_only_the_price_puts_wrong(tiny):
    pair = tlsim.payout_fairness(tiny(), players=2).rows("pairs")[0]
    assert (pair["pattern"], pair["rarer"], pair["by"]) == ("co_heo", "co_3_bich", "price")
    assert pair["factor"] == pytest.approx(388 / 102, rel=1e-15)


# --- lists made up ---


def test_fair_prices_cost_the_same_each_and_as_much_together(listed):
    prices = listed([("a", 5, 7), ("b", 3, 20), ("c", 3, 1)])
    each = {fair * p for fair, p in zip(prices.fair, prices.probabilities, strict=True)}
    assert len(each) == 1
    assert 3 * each.pop() == prices.paid == Fraction(35 + 60 + 3, 1000)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_player_does_not_pay_where_he_wins(listed, players):
    prices = listed([("a", 5, 10)], players=players)
    assert prices.cost == Fraction(50, 1000) * Fraction(players - 1, players)


def test_fair_prices_are_fair(listed):
    prices = listed([("a", 6, 1), ("b", 3, 2), ("c", 1, 6)])
    assert prices.ratios == (1, 1, 1)
    assert prices.misplaced == 0
    assert prices.wrong_pairs == ()


@pytest.mark.parametrize(
    ("entries", "by"),
    [
        ([("a", 2, 9), ("b", 1, 3)], "both"),  # a is stronger, dearer and comes up three times as often
        ([("a", 1, 9), ("b", 1, 3)], "strength"),
        ([("a", 1, 9), ("b", 2, 3)], "strength"),
        ([("a", 1, 3), ("b", 2, 9)], "price"),
    ],
)
def test_what_puts_a_pair_wrong(listed, entries, by):
    (pair,) = listed(entries).wrong_pairs
    assert (pair["by"], pair["factor"]) == (by, 3)


@pytest.mark.parametrize(
    "entries", [[("a", 2, 3), ("b", 1, 9)], [("a", 1, 3), ("b", 1, 9)], [("a", 2, 3), ("b", 1, 3)]]
)
def test_pairs_in_order(listed, entries):
    assert listed(entries).wrong_pairs == ()


def test_where_the_order_alone_is_judged_dem_heo_makes_no_pair_wrong():
    """With 6.48 for 2s and bombs, 5 pairs in a row at 4 cost more than four triples at 8: no order could mend that."""
    rules = tlsim.load_rules("doithuong").replace({"toi_trang.nam_doi_thong.pays": 4, "toi_trang.bon_bo_ba.pays": 8})
    pairs = {
        method: {(row["pattern"], row["rarer"]) for row in tlsim.payout_fairness(rules, method=method).rows("pairs")}
        for method in ("proportional", "reordered")
    }
    assert ("nam_doi_thong", "bon_bo_ba") in pairs["proportional"] - pairs["reordered"]
    assert ("sanh_rong", "bon_bo_ba") in pairs["reordered"]


def test_pairs_come_with_the_worst_first(listed):
    found = listed([("a", 1, 9), ("b", 1, 3), ("c", 1, 1)]).wrong_pairs
    assert [(pair["pattern"], pair["rarer"], pair["factor"]) for pair in found] == [
        ("a", "c", 9), ("a", "b", 3), ("b", "c", 3),
    ]  # fmt: skip


def test_ranks_by_rarity_are_shared(listed):
    assert listed([("a", 1, 5), ("b", 1, 2), ("c", 1, 5), ("d", 1, 9)]).rarity == (2, 1, 2, 4)


def test_what_never_wins_has_no_fair_price_and_takes_no_share(listed):
    prices = listed([("a", 4, 1), ("b", 9, 0), ("c", 2, 2)])
    assert prices.fair == (4, None, 2)
    assert prices.ratios == (1, None, 1)
    assert prices.misplaced == 0


def test_what_never_wins_takes_no_part_in_ranks_and_pairs(listed):
    """Of three pairs one stands wrong: c comes up more often than d, and is stronger; so τ = (2 − 1) / 3."""
    prices = listed([("a", 4, 1), ("b", 9, 0), ("c", 2, 3), ("d", 2, 2), ("e", 1, 0)])
    assert prices.rarity == (1, None, 3, 2, None)
    assert prices.strength == (1, None, 2, 3, None)
    assert [(pair["pattern"], pair["rarer"], pair["factor"]) for pair in prices.wrong_pairs] == [("c", "d", 1.5)]
    summary = prices.summary()
    assert (summary["patterns"], summary["pairs"], summary["wrong_pairs"]) == (5, 3, 1)
    assert summary["tau_strength"] == pytest.approx(1 / 3)
    assert summary["tau_price"] == pytest.approx(2 / math.sqrt(3 * 2))  # of three pairs one is tied in price
    assert [row["rarity_rank"] for row in prices.rows()] == [1, None, 3, 2, None]


@pytest.mark.parametrize("first", [0, 1])
def test_the_same_pattern_twice(tiny, first):
    """3♠ again below itself, or above: the stronger one wins its 102 deals, the other none."""
    rules = twice(tlsim.load_rules(tiny()), "co_3_bich", first)
    prices = tlsim.payout_fairness(rules, players=2, games=0).lists[0]
    assert [prices.listed[at].id for at in prices.covered] == [("nua", "co_3_bich")[first]]
    assert {prices.listed[at].id: prices.probabilities[at] * DEALS for at in prices.winning} == {
        ("co_3_bich", "nua")[first]: SPADE, "co_heo": TWO - BOTH,
    }  # fmt: skip
    assert prices.pairs == 1


def test_a_price_of_zero(listed):
    prices = listed([("a", 0, 1), ("b", 2, 1)])
    assert prices.ratios == (0, 2)
    assert prices.misplaced == Fraction(1, 2)
    assert prices.worst == 0


def test_all_prices_zero(listed):
    prices = listed([("a", 0, 1), ("b", 0, 1)])
    assert prices.paid == 0
    assert prices.ratios == (None, None)
    assert prices.misplaced is None
    assert prices.summary()["worst_ratio"] is None


# --- bounds ---


def test_tight_bounds_give_prices_by_their_middle(listed):
    prices = listed([("a", 1, (9, 11)), ("b", 1, (20, 20))])
    assert not prices.exact
    assert prices.known
    assert prices.probabilities == (Fraction(1, 100), Fraction(1, 50))
    row = prices.rows()[0]
    assert (row["kind"], row["probability_low"], row["probability_high"]) == ("bounds", 0.009, 0.011)


def test_a_pair_is_wrong_only_where_bounds_are_apart(listed):
    assert listed([("a", 1, (10, 12)), ("b", 1, (9, 10))]).wrong_pairs == ()
    assert len(listed([("a", 1, (11, 12)), ("b", 1, (9, 10))]).wrong_pairs) == 1


def test_wide_bounds_give_no_price(listed):
    prices = listed([("a", 1, (0, 11)), ("b", 1, (20, 20))])
    assert not prices.known
    assert prices.fair == (None, None)
    assert prices.rows()[0]["probability"] is None
    assert prices.summary()["cost_per_1000"] is None


# --- agreement of ranks ---


def test_tau_of_the_five_pairs_of_a_known_example():
    """Three of the ten pairs of 1 2 3 4 5 and 2 1 4 3 5 … stand as they should, two not: (8 − 2) / 10."""
    assert tau([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) == pytest.approx(0.6)


def test_tau_b_allows_for_ties():
    """1 1 2 against 1 2 3: two pairs agree, one is tied; τ-b = 2 / √(3 · 2) (Kendall 1945)."""
    assert tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(6))


def test_tau_without_order():
    assert tau([1, 1], [1, 2]) is None
    assert tau([1], [1]) is None


def test_tau_of_prices_and_of_strength(listed):
    """Stronger is commoner throughout, the prices are in order."""
    summary = listed([("a", 1, 9), ("b", 2, 3), ("c", 5, 1)]).summary()
    assert (summary["tau_strength"], summary["tau_price"]) == (-1, 1)


# --- the presets ---


def test_doithuong_is_as_the_seed_prices_it():
    """Its list by strength against single hands of known rarity: 8 of 28 pairs are wrong, so τ = (20 − 8) / 28.

    One in … hands (RULES F10): sảnh rồng 1,720, 6 đôi thông 60,800, 4 bộ ba 93,800, 2 tứ quý 7,500, 12 of a suit
    3·10⁸, 5 đôi thông 1,542, tứ quý 2 377, 6 đôi 223.
    """
    one_in = [1720, 60_800, 93_800, 7500, 3e8, 1542, 377, 223]
    wrong = [(i, j) for i in range(8) for j in range(i + 1, 8) if one_in[i] < one_in[j]]
    fairness = tlsim.payout_fairness(WITHOUT_HEO, judge_from=0)
    ids = [entry.id for entry in fairness.lists[0].listed]
    found = {(ids.index(pair["pattern"]), ids.index(pair["rarer"])) for pair in fairness.rows("pairs")}
    assert found == set(wrong)
    assert fairness.rows("summary")[0]["tau_strength"] == pytest.approx((28 - 2 * len(wrong)) / 28)
    assert {pair["by"] for pair in fairness.rows("pairs")} == {"both"}


def test_probabilities_add_up_to_a_win():
    fairness = tlsim.payout_fairness("sam_loc")
    assert [prices.which for prices in fairness.lists] == ["regular", "opening"]
    for prices in fairness.lists:
        low, high = prices.odds.table.someone
        assert low == high
        assert sum(prices.probabilities) == Fraction(low, prices.odds.table.deals)


def test_sam_opening_outranks_the_rarer_straight():
    """Four 3s (48 over 6, of 52 over 10: 1 in 1,289) stand above 3 to Q (4¹⁰ hands: 1 in 15,087)."""
    pairs = tlsim.payout_fairness("sam_loc", opening=True).rows("pairs")
    assert [(pair["pattern"], pair["rarer"], pair["by"]) for pair in pairs] == [
        ("tu_quy_3", "sanh_rong_3_q", "strength")
    ]


@pytest.mark.parametrize(("name", "lists"), [("doithuong", 1), ("hue", 1), ("tong_thong", 0), ("luckywin", 2)])
def test_lists_of_the_presets(name, lists):
    assert len(tlsim.payout_fairness(name).lists) == lists
