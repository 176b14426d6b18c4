"""How many hands of one deal hold a pattern: what simulated counts are compared with."""

from fractions import Fraction
from math import comb

import pytest
from hostile import pattern

from tlsim.exact.automaton import HandBook
from tlsim.exact.classes import DealCounts, class_law
from tlsim.rules import load_rules


def of_preset(preset, players):
    rules = load_rules(preset)
    return DealCounts(tuple(win.pattern for win in rules.instant_wins()), rules.deal.hand_size, players)


@pytest.mark.parametrize(("preset", "players"), [("doithuong", 3), ("sam_loc", 3)])
def test_means_are_those_of_single_hands(preset, players):
    counts = of_preset(preset, players)
    single = HandBook(counts.patterns, counts.hand_size).count()
    for at in range(len(counts.patterns)):
        for law, hands in ((counts.held(at), single.holds[at]), (counts.counted(at), single.counts[at])):
            if law is None:  # too many states for a check
                continue
            assert sum(law) == 1
            assert sum(n * p for n, p in enumerate(law)) == players * Fraction(hands, single.hands)


@pytest.mark.parametrize(("preset", "players"), [("doithuong", 3), ("sam_loc", 3)])
def test_pairs_are_those_of_the_numbers(preset, players):
    """Given two of the seats both hold: Σ n (n - 1) p(n) over seats times seats less one."""
    counts = of_preset(preset, players)
    for pairs, numbers in ((counts.pairs_held(), counts.held), (counts.pairs_counted(), counts.counted)):
        for at, pair in enumerate(pairs):
            law = numbers(at)
            if law is not None:
                assert sum(n * (n - 1) * p for n, p in enumerate(law)) == players * (players - 1) * pair


def test_held_is_not_counted():
    """Four 2s are at one seat at most; two given seats can both have one suit's cards, but not both 3♠."""
    patterns = (
        pattern({"kind": "holds", "cards": "3S"}),
        pattern({"kind": "holds", "cards": "2S 2C 2D 2H"}),
        pattern({"kind": "flush", "count": 13, "of": "suit"}),
    )
    counts = DealCounts(patterns, 13, 4)
    assert counts.pairs_held() == (0, 0, Fraction(12, comb(52, 13) * comb(39, 13)))
    # the strongest pattern of a hand in one suit is 3♠ where it has that card, so only three suits are counted
    assert counts.pairs_counted() == (0, 0, Fraction(6, comb(52, 13) * comb(39, 13)))
    assert counts.held(0) == (0, 1, 0, 0, 0)
    one = 4 * Fraction(comb(48, 9), comb(52, 13))
    assert counts.held(1) == (1 - one, one, 0, 0, 0)
    assert counts.counted(1)[1] == 4 * Fraction(comb(48, 9) - comb(47, 8), comb(52, 13))


def test_pairs_counted_are_those_of_the_law():
    counts = of_preset("doithuong", 2)
    law = class_law(counts.patterns, 13, (2,))
    total = sum(law.values())
    assert counts.pairs_counted() == tuple(Fraction(law.get(((c, c),), 0), total) for c in range(1, 9))


def test_what_is_out_of_reach_is_none_and_a_stopped_count_ends():
    patterns = (pattern({"kind": "flush", "count": 5, "of": "suit"}), *of_preset("doithuong", 4).patterns)
    small = DealCounts(patterns, 13, 4, limit=50)
    assert small.pairs_held()[0] is None
    assert small.pairs_counted() == (None,) * len(patterns)
    assert small.held(0) is None
    stopped = DealCounts(patterns, 13, 4)
    stopped.stop[0] = 1
    assert stopped.pairs_held() == stopped.pairs_counted() == (None,) * len(patterns)
