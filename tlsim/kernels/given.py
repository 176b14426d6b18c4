"""Deals of which some cards are given: the rest is dealt uniformly."""

from __future__ import annotations

from typing import NamedTuple

from tlsim.bits import popcount
from tlsim.jit import step
from tlsim.kernels.deal import GROUP
from tlsim.kernels.draw import draw_cards, set_stream
from tlsim.kernels.rng import GIVEN, ODD_CARDS, stream
from tlsim.kernels.row import (
    ALL_CARDS,
    DEALER_ROTATES,
    N_ODD_CARDS,
    PLAYERS,
    Ints,
)  # fmt: skip


class Given(NamedTuple):
    """Cards that seats surely have, and who leads; match ``first + n`` goes by row n modulo their number.

    cards : int64[n, players]; leaders : int64[n], -1 for an opening game; size : cards of a hand that gets no odd card
    """

    cards: Ints
    leaders: Ints
    first: int
    size: int


@step
def given_leader(given, index):
    """Return who leads a match, -1 where the deal decides."""
    return given.leaders[(index - given.first) % len(given.leaders)]


@step
def gets_odd_card(game, seat, number):
    """Return 1 where a seat gets one of the cards that are over in game ``number`` of a match, else 0 (L1, M22)."""
    players = game[PLAYERS]
    dealer = number % players if game[DEALER_ROTATES] else 0
    return int((seat - dealer - 1) % players < game[N_ODD_CARDS])


@step
def deal_odd_cards(key, game, hands, group, begin, end, number):
    """Deal the cards that are over, one each to the first seats after the dealer; which is which is drawn."""
    for match in range(begin, end):
        left = ALL_CARDS
        for seat in range(game[PLAYERS]):
            left &= ~hands[seat, match]
        set_stream(game, 0, stream(key, ODD_CARDS, (number << 40) + group * GROUP + match))
        for seat in range(game[PLAYERS]):
            if gets_odd_card(game, seat, number):
                card = draw_cards(game, 0, left, 1)
                hands[seat, match] |= card
                left ^= card


@step
def deal_given(key, given, game, hands, group, begin, end, number):
    """Deal game ``number`` of the matches ``begin`` … ``end`` of a group; the row lends its random numbers."""
    for match in range(begin, end):
        index = group * GROUP + match
        fixed = given.cards[(index - given.first) % len(given.cards)]
        left = ALL_CARDS
        for seat in range(len(fixed)):
            left &= ~fixed[seat]
        set_stream(game, 0, stream(key, GIVEN, (number << 40) + index))
        for seat in range(len(fixed)):
            size = given.size + gets_odd_card(game, seat, number)
            cards = draw_cards(game, 0, left, size - popcount(fixed[seat]))
            left ^= cards
            hands[seat, match] = fixed[seat] | cards
