"""Deals around one hand."""

import pytest

import tlsim
from tlsim.cards import hand_of
from tlsim.engine.given_deals import DrawnDeals
from tlsim.kernels.rng import stream_key

KEY = stream_key(3)
HAND = hand_of("3S 4D 5H 6C 7H 8D 9D 10S JH QS")
DEAD = hand_of("2S 2C 2D")


def around(rules="sam_loc", hand=HAND, players=4, seat=1, leader=1, **more):
    cards = tuple(hand if at == seat else 0 for at in range(players))
    return DrawnDeals(tlsim.load_rules(rules), (cards,), (leader,), **more)


def test_hands_are_whole_and_apart():
    for hands in around(dead=DEAD).hands(KEY, 0, 300).tolist():
        assert hands[1] == HAND
        assert [hand.bit_count() for hand in hands] == [10] * 4
        assert sum(hands).bit_count() == 40
        assert not sum(hands) & DEAD


def test_other_hands_are_uniform():
    """Each of the 39 free cards is with each of three seats 10 times in 39; 20,000 deals.

    5.5 standard errors over 117 counts, false alarm 5e-6; off by 5 % it would be noticed.
    """
    hands = around(dead=DEAD).hands(KEY, 0, 20_000)
    free = [card for card in range(52) if not (HAND | DEAD) >> card & 1]
    spread = (20_000 * 10 / 39 * 29 / 39) ** 0.5
    for seat in (0, 2, 3):
        for card in free:
            assert abs(int((hands[:, seat] >> card & 1).sum()) - 20_000 * 10 / 39) < 5.5 * spread


def test_two_cards_of_a_seat_are_independent_of_each_other():
    """Two given cards are both with a seat 10 · 9 times in 39 · 38; 5 standard errors, false alarm 6e-7 each."""
    hands = around(dead=DEAD).hands(KEY, 0, 20_000)
    p = 10 * 9 / (39 * 38)
    for two in ("2H AH", "3C 4S", "KS AS"):
        both = int((hands[:, 0] & hand_of(two) == hand_of(two)).sum())
        assert abs(both - 20_000 * p) < 5 * (20_000 * p * (1 - p)) ** 0.5


def test_a_deal_depends_on_its_number_alone_and_not_on_who_leads():
    whole = around(dead=DEAD).hands(KEY, 0, 512)
    part = around(dead=DEAD, leader=3).hands(KEY, 300, 20)
    assert (whole[300:320] == part).all()
    given = around(dead=DEAD, leader=3).of(KEY, 300, 20)
    assert (given.cards == part).all()
    assert (given.first, set(given.leaders.tolist())) == (300, {3})


def test_hands_of_a_pattern_are_those_that_draw_hands_gives():
    """sau_doi is 8th on the list of doithuong; drawn where it is the strongest."""
    deals = around("doithuong", 0, seat=0, leader=2, pattern=(0, 7))
    drawn = tlsim.draw_hands("doithuong", "sau_doi", n=300, seed=3, counting=True)
    hands = deals.hands(KEY, 0, 300)
    assert (hands[:, 0] == drawn).all()
    assert (hands.sum(axis=1) == (1 << 52) - 1).all()
    assert deals.describe() == "0: sau_doi"


@pytest.mark.parametrize(("dead", "possible"), [("2S", False), ("3S", True)])
def test_a_dead_card_of_a_pattern(dead, possible):
    deals = around("doithuong", 0, players=3, seat=0, leader=0, pattern=(0, 6), dead=hand_of(dead))
    assert deals.possible is possible
