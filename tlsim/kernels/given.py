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
    """Cards that seats surely have, and what a game starts from; match ``first + n`` has row n, over and over."""

    cards: Ints  # int64[n, players]
    leaders: Ints  # int64[n], -1 for an opening game
    barred: Ints  # int64[n], seat or -1
    titles: Ints  # int64[n, players], seats by place in the game before, the first -1 where there was none
    dealers: Ints  # int64[n]
    first: int
    size: int  # cards of a hand that gets no odd card


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
def deal_rest(key, given, game, hands, group, begin, end, number):
    """Deal what is not given in game ``number`` of the matches ``begin`` … ``end`` of a group.

    Or, where nothing is, the cards that are over, one each, at random; the dealer moves on by a seat a game (L1, M22).
    The row lends its random numbers.
    """
    dealer, purpose = number % game[r.PLAYERS] if game[r.DEALER_ROTATES] else 0, ODD_CARDS
    for match in range(begin, end):
        index, left, size = group * GROUP + match, r.ALL_CARDS, popcount(hands[0, match])
        if is_given(given):
            dealer, purpose, size = given.dealers[given_row(given, index)], GIVEN, given.size
            for seat in range(game[r.PLAYERS]):
                hands[seat, match] = given.cards[(index - given.first) % len(given.cards), seat]
        for seat in range(game[r.PLAYERS]):
            left &= ~hands[seat, match]
        set_stream(game, 0, stream(key, purpose, (number << 40) + index))
        for seat in range(game[r.PLAYERS]):
            more = size + gets_odd_card(game, seat, dealer) - popcount(hands[seat, match])
            cards = draw_cards(game, 0, left, more)
            hands[seat, match] |= cards
            left ^= cards
