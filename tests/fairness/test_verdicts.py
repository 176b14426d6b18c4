"""Verdicts: what crosses a threshold, and what is said."""

import unicodedata

import pytest
from small_lists import entries_of, twice

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness.verdicts import verdicts_on
from tlsim.options import OPTIONS


def kinds(prices, tolerance=2.0):
    return [(verdict.kind, verdict.finding, verdict.pattern) for verdict in verdicts_on(prices, tolerance)]


def test_a_fair_list(listed):
    prices = listed([("a", 6, 1), ("b", 3, 2), ("c", 1, 6)])
    assert kinds(prices) == [("in_order", False, None), ("in_line", False, None)]


def test_prices_out_of_line__the_most_money_first(listed):
    """Paid are 10, 1 and 1 of 12; fair are 4 each: a is 2.5 times too dear, the others 4 times too cheap."""
    prices = listed([("a", 10, 1), ("b", 1, 1), ("c", 1, 1)])
    assert kinds(prices)[1:] == [("dear", True, "a"), ("cheap", True, "b"), ("cheap", True, "c")]
    dear, cheap = verdicts_on(prices, 2.0)[1:3]
    assert (dear.figure, dear.threshold) == (2.5, 2)
    assert (cheap.figure, cheap.threshold) == (0.25, 0.5)


@pytest.mark.parametrize(("tolerance", "found"), [(2.4, 3), (2.5, 2), (3.9, 2), (4, 0), (float("inf"), 0)])
def test_the_threshold_itself_is_allowed(listed, tolerance, found):
    prices = listed([("a", 10, 1), ("b", 1, 1), ("c", 1, 1)])
    assert sum(finding for _, finding, _ in kinds(prices, tolerance)) == found


def test_the_order(listed):
    prices = listed([("a", 2, 9), ("b", 1, 3), ("c", 1, 1)])
    verdict = verdicts_on(prices, 1e9)[0]
    assert (verdict.kind, verdict.figure, verdict.threshold, verdict.finding) == ("order", 3, 0, True)
    assert verdict.sentence("en") == (
        "3 of 3 pairs stand in the wrong order; the worst: A outranks and costs more than C, and comes up 9 times as "
        "often (threshold: no pair)"
    )
    assert verdict.sentence("vi") == (
        "3 trên 3 cặp đứng sai thứ tự; nặng nhất: A mạnh hơn và đắt hơn C mà hay ra gấp 9 lần (ngưỡng: không cặp nào)"
    )


def test_a_price_in_words(listed):
    verdict = verdicts_on(listed([("a", 10, 1), ("b", 1, 1), ("c", 1, 1)]), 2.0)[2]
    assert verdict.sentence("en") == "B costs 1, fair is 4: 4 times too cheap (threshold: 2 times)"


def test_zero_and_never(listed):
    prices = listed([("a", 0, 1), ("b", 2, 1), ("c", 9, 0)])
    found = kinds(prices)
    assert ("free", True, "a") in found
    assert ("never", False, "c") in found
    assert "nothing" in verdicts_on(listed([("a", 0, 1)]), 2.0)[-1].sentence("en")
    assert kinds(listed([("a", 0, 1)]))[-1] == ("all_free", True, None)


def test_why_a_pattern_never_wins(listed, tiny):
    covered = verdicts_on(listed([("a", 1, 2), ("b", 1, 0), ("c", 1, 2)]), 2.0)[1]
    assert covered.sentence("en").startswith("B never wins: who holds it always holds a stronger pattern, which covers")
    both = {"id": "ca_hai", "pays": 7, "all_of": [
        {"kind": "holds", "cards": "3S"}, {"kind": "groups", "size": 1, "count": 1, "ranks": ["2"]}]}  # fmt: skip
    rules = tlsim.load_rules(tiny())
    rules = rules.replace("toi_trang.regular", [both, *entries_of(rules)])
    held = tlsim.payout_fairness(rules, players=2, games=0).verdicts[-1]
    assert held.sentence("en").startswith("ca_hai never wins: no hand holds it")


def test_nothing_is_said_of_infinity_where_a_pattern_never_wins(tiny):
    rules = twice(tlsim.load_rules(tiny(1, 3)), "co_heo", pays=9)
    fairness = tlsim.payout_fairness(rules, players=2, games=0)
    said = [verdict.sentence("en") for verdict in fairness.verdicts]
    assert not any("∞" in sentence for sentence in said)
    assert said[0].startswith("the only pair stands in the wrong order: Có heo costs more than Có 3♠")
    assert sum("Nữa never wins" in sentence for sentence in said) == 1


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([("a", 2, 1)], "there is no pair whose order could be wrong"),
        ([("a", 2, 1), ("b", 1, 2)], "the order follows rarity: the only pair stands right"),
        ([("a", 2, 1), ("b", 1, 2), ("c", 1, 3)], "the order follows rarity: none of 3 pairs stands wrong"),
        ([("a", 2, 2), ("b", 1, 1)], "the only pair stands in the wrong order: A outranks and costs more than B, and"),
        ([("a", 2, 2), ("b", 1, 1), ("c", 1, 3)], "1 of 3 pairs stands in the wrong order: A outranks"),
    ],
)
def test_one_pair_is_spoken_of_as_one(listed, entries, words):
    assert verdicts_on(listed(entries), 1e9)[0].sentence("en").startswith(words)


def test_with_an_infinite_tolerance_prices_are_not_judged(listed):
    order, prices = verdicts_on(listed([("a", 10, 1), ("b", 1, 1)]), float("inf"))
    assert order.kind == "in_order"
    assert (prices.kind, prices.finding, prices.figure) == ("unjudged", False, None)
    assert "not the prices" in prices.sentence("en")


def test_wide_bounds_are_no_finding(listed):
    assert kinds(listed([("a", 1, (0, 11)), ("b", 1, (20, 20))])) == [("bounds", False, None)]


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_sentences_have_all_their_words(listed, lang):
    lists = [
        listed([("a", 6, 1), ("b", 3, 2)]), listed([("a", 9, 9), ("b", 1, 1), ("c", 0, 1), ("d", 1, 0)]),
        listed([("a", 0, 1)]), listed([("a", 1, (0, 11))]),
    ]  # fmt: skip
    said = [verdict.sentence(lang) for prices in lists for verdict in verdicts_on(prices, 2.0)]
    assert len(said) == 10
    assert not any("{" in sentence or "None" in sentence for sentence in said)
    assert all(unicodedata.is_normalized("NFC", sentence) for sentence in said)


@pytest.mark.parametrize("tolerance", [0.5, -1, float("nan"), True, "2"])
def test_bad_tolerance(tolerance):
    with pytest.raises(UsageError, match="must be a factor of 1 or more"):
        OPTIONS["tolerance"].check("tolerance", tolerance)
