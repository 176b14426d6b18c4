"""Deals of which some cards are given: the rest is dealt uniformly."""

from typing import NamedTuple

import numpy as np

from tlsim.bits import popcount
from tlsim.jit import step
from tlsim.kernels import row as r
from tlsim.kernels.deal import GROUP
from tlsim.kernels.draw import draw_cards, set_stream
from tlsim.kernels.rng import GIVEN, ODD_CARDS, stream
from tlsim.kernels.row import Ints


class Given(NamedTuple):
    """Cards that seats surely have, and what a game starts from; match ``first + n`` goes by row n modulo their number.

    cards : int64[n, players]; leaders : int64[n], -1 for an opening game; barred : int64[n], seat or -1;
    titles : int64[n, players], seats by place in the game before, the first -1 where there was none;
    dealers : int64[n]; size : cards of a hand that gets no odd card
    """

    cards: Ints
    leaders: Ints
    barred: Ints
    titles: Ints
    dealers: Ints
    first: int
    size: int


def nothing_given() -> Given:
    """Return what stands for free deals."""
    none = np.zeros(0, np.int64)
    return Given(np.zeros((0, 0), np.int64), none, none, np.zeros((0, 0), np.int64), none, 0, 0)


@step
def is_given(given):
    """Return whether anything is given."""
    return len(given.leaders) > 0


@step
def given_row(given, index):
    """Return which row a match goes by, but for its cards."""
    return (index - given.first) % len(given.leaders)


@step
def gets_odd_card(game, seat, dealer):
    """Return 1 where a seat gets one of the cards that are over, as the first seats after the dealer do, else 0."""
    return int((seat - dealer - 1) % game[r.PLAYERS] < game[r.N_ODD_CARDS])


@step
def deal_odd_cards(key, game, hands, group, begin, end, number):
    """Deal the cards that are over, one each, at random; the dealer moves on by a seat a game (L1, M22)."""
    dealer = number % game[r.PLAYERS] if game[r.DEALER_ROTATES] else 0
    for match in range(begin, end):
        left = r.ALL_CARDS
        for seat in range(game[r.PLAYERS]):
            left &= ~hands[seat, match]
        set_stream(game, 0, stream(key, ODD_CARDS, (number << 40) + group * GROUP + match))
        for seat in range(game[r.PLAYERS]):
            if gets_odd_card(game, seat, dealer):
                card = draw_cards(game, 0, left, 1)
                hands[seat, match] |= card
                left ^= card


@step
def deal_given(key, given, game, hands, group, begin, end, number):
    """Deal game ``number`` of the matches ``begin`` … ``end`` of a group; the row lends its random numbers."""
    for match in range(begin, end):
        index = group * GROUP + match
        fixed = given.cards[(index - given.first) % len(given.cards)]
        left = r.ALL_CARDS
        for seat in range(len(fixed)):
            left &= ~fixed[seat]
        set_stream(game, 0, stream(key, GIVEN, (number << 40) + index))
        for seat in range(len(fixed)):
            size = given.size + gets_odd_card(game, seat, given.dealers[given_row(given, index)])
            cards = draw_cards(game, 0, left, size - popcount(fixed[seat]))
            left ^= cards
            hands[seat, match] = fixed[seat] | cards
