"""Deals of which one hand is known, or drawn among those that count as a pattern; others are drawn, none is dead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np

from tlsim.cards import DECK, N_CARDS, format_cards
from tlsim.engine.given_deals import GivenDeals
from tlsim.exact.hand_book import HandBook, HandCounts
from tlsim.kernels.given import Given
from tlsim.kernels.rng import DRAWS, GIVEN, bounded_numbers
from tlsim.kernels.row import Ints

_WORDS = 64  # of a deal; one for each card, the rest unused
_LAST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class DrawnDeals(GivenDeals):
    """Deals around one seat's hand, every card of them drawn here; deal m depends on the seed and m alone.

    Parameters
    ----------
    dead
        Cards that nobody holds, as 52 bits.

    Notes
    -----
    ``cards`` has one row: the known hand, and 0 for the others. With ``pattern`` the hand is uniform among those for
    which that pattern is the strongest, as in `tlsim.draw_hands` with ``counting``. Who leads changes no card.
    """

    dead: int = 0

    @property
    def holder(self) -> int:
        """The seat with the hand."""
        (cards,) = self.cards
        return self.pattern[0] if self.pattern else next(seat for seat, hand in enumerate(cards) if hand)

    @property
    def counted(self) -> HandCounts:
        """How many hands the holder may have, and for how many each pattern is the strongest."""
        return _counted(self._book)

    @cached_property
    def _book(self) -> HandBook:
        """All hands that the holder may have."""
        (cards,) = self.cards
        wins = self.rules.instant_wins(self.leaders[0] < 0, len(cards))
        return HandBook(tuple(win.pattern for win in wins), self._sizes[self.holder], dead=self.dead)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return self.rules.seat_sizes(len(self.cards[0]))

    @property
    def possible(self) -> bool:
        """Whether some hand counts as the pattern."""
        return self.pattern is None or bool(self.counted.counts[self.pattern[1]])

    def describe(self) -> str:
        """Return what is given in words, the leader left out."""
        (cards,) = self.cards
        if self.pattern is None:
            said = [f"{seat}: {format_cards(hand)}" for seat, hand in enumerate(cards) if hand]
        else:
            seat, at = self.pattern
            said = [f"{seat}: {self.rules.instant_wins(self.leaders[0] < 0, len(cards))[at].id}"]
        return "; ".join(said)

    def hands(self, key: Ints, first: int, matches: int) -> Ints:
        """Return the hands of deals ``first`` …, int64[matches, players]; key : key of the seed. Not to be changed.

        The cards that are left lie in the order of random words of 63 bits, and are dealt from the lowest on; two
        words of a deal are equal with a probability of 2**-52, which is what the deals lack to be uniform.
        """
        own = None if self.pattern is None else (self._book, self.pattern[1])
        asked = self.cards[0], self.holder, self._sizes, self.dead, own
        return _hands(asked, (int(key[0]), int(key[1])), first, matches)

    def of(self, key: Ints, first: int, matches: int) -> Given:
        """Return some matches as whole deals; all but the cards is the same for every one of them."""
        hands = self.hands(key, first, matches)
        one = GivenDeals(self.rules, (tuple(hands[0].tolist()),), self.leaders).of(key, 0, 1)
        same: dict[str, Any] = {
            name: np.repeat(value, matches, axis=0) for name, value in one._asdict().items() if np.ndim(value)
        }
        return one._replace(**same | {"cards": hands.copy(), "first": first})


_Asked: TypeAlias = tuple[tuple[int, ...], int, tuple[int, ...], int, tuple[HandBook, int] | None]
"""Known hands, who holds the one asked about, cards of each seat, dead cards; hands to draw from, and the pattern."""


@lru_cache(maxsize=64)
def _counted(book: HandBook) -> HandCounts:
    return book.count()


@lru_cache(maxsize=32)
def _hands(asked: _Asked, key: tuple[int, int], first: int, matches: int) -> Ints:
    """Return the hands of some deals; kept for a while, since every way to play has the same."""
    cards, holder, sizes, dead, own = asked
    words_of = np.array(key, np.uint64)
    hands = np.repeat(np.array([cards], np.int64), matches, axis=0)
    if own is not None:
        book, at = own
        numbers = np.zeros(matches, np.int64)
        bounded_numbers(words_of, DRAWS, first, _counted(book).counts[at], numbers)
        hands[:, holder] = book.find(numbers, at, counting=True)
    words = np.zeros(matches * _WORDS, np.int64)
    bounded_numbers(words_of, GIVEN, first * _WORDS, _LAST, words)
    words = words.reshape(matches, _WORDS)[:, :N_CARDS]
    away = hands[:, holder] | dead
    words[away[:, None] >> np.arange(N_CARDS) & 1 == 1] = _LAST
    order, begin = words.argsort(axis=1), 0
    for seat, size in enumerate(sizes):
        if seat != holder:
            hands[:, seat] = (1 << order[:, begin : begin + size]).sum(axis=1)
            begin += size
    hands.flags.writeable = False
    return hands


def room_left(dead: int) -> int:
    """Return how many cards can be dealt."""
    return (DECK & ~dead).bit_count()
