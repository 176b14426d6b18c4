"""Deals of which some cards are given: the rest is dealt uniformly."""

from __future__ import annotations

from typing import NamedTuple

from tlsim.bits import popcount
from tlsim.jit import step
from tlsim.kernels.deal import GROUP
from tlsim.kernels.draw import draw_cards, set_stream
from tlsim.kernels.rng import GIVEN, stream
from tlsim.kernels.row import (
    ALL_CARDS,
    Ints,
)  # fmt: skip


class Given(NamedTuple):
    """Cards that seats surely have, and who leads; match ``first + n`` goes by row n modulo their number.

    cards : int64[n, players]; leaders : int64[n], -1 for an opening game; size : cards of a hand
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
            cards = draw_cards(game, 0, left, given.size - popcount(fixed[seat]))
            left ^= cards
            hands[seat, match] = fixed[seat] | cards
