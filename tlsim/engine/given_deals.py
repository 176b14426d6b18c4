"""Deals of which something is given: cards of some seats, the pattern of one, or a hand around which all are drawn."""

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np

from tlsim.cards import N_CARDS, format_cards
from tlsim.errors import Sentence, joined
from tlsim.exact.automaton import HandBook, HandCounts
from tlsim.kernels.given import Given
from tlsim.kernels.rng import DRAWS, GIVEN, bounded_numbers
from tlsim.kernels.row import Ints
from tlsim.rules import InstantWin, Rules

_WORDS = 64  # of a deal that is drawn; one for each card, the rest unused
_LAST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class GivenDeals:
    """What is given of the deals; match m goes by deal m modulo their number, and is one game."""

    rules: Rules
    cards: tuple[tuple[int, ...], ...]  # by deal, by seat: cards that it surely has, as 52 bits
    leaders: tuple[int, ...]  # by deal: who leads a regular game, -1 for an opening game
    pattern: tuple[int, int] | None = None  # a seat, and the index of the tới trắng pattern that it holds
    barred: tuple[int, ...] = (-1,)  # by deal: who may not have a tới trắng, -1 for nobody
    titles: tuple[tuple[int, ...], ...] = ((),)  # by deal: seats by their places in the game before, in Tổng thống

    @property
    def _wins(self) -> tuple[InstantWin, ...]:
        wins: tuple[InstantWin, ...] = self.rules.instant_wins(self.leaders[0] < 0, len(self.cards[0]))
        return wins

    @cached_property
    def _book(self) -> HandBook:
        """Counts of the hands of the seat that holds a pattern, uniformly among all that do."""
        (cards,) = self.cards
        seat = self.pattern[0] if self.pattern else 0
        others = sum(hand for other, hand in enumerate(cards) if other != seat)
        size = self.rules.seat_sizes(len(cards))[seat]
        return HandBook(tuple(win.pattern for win in self._wins), size, holding=cards[seat], dead=others)

    @property
    def possible(self) -> bool:
        """Whether some hand holds the pattern with the known cards."""
        return self.pattern is None or bool(self._book.count().holds[self.pattern[1]])

    @property
    def digest(self) -> str:
        """Hex SHA-256 of all that is given."""
        known = [f.name for f in fields(self) if f.name != "rules"]
        what = [getattr(self, name) for name in known if name != "lacking" or getattr(self, name)]  # few runs have it
        return hashlib.sha256(repr(what).encode()).hexdigest()

    def describe(self) -> str:
        """Return what is given in words, or for many deals their number and a digest."""
        if len(self.cards) > 1:
            text = repr((self.cards, self.leaders, self.barred, self.titles)).encode()
            return Sentence("{n} deals {digest}", n=len(self.cards), digest=hashlib.sha256(text).hexdigest()[:12])
        said = [f"{seat}: {format_cards(hand)}" for seat, hand in enumerate(self.cards[0]) if hand]
        if self.pattern is not None:
            said.append(f"{self.pattern[0]}: {self._wins[self.pattern[1]].id}")
        if self.leaders[0] >= 0:
            said.append(Sentence("seat {seat} leads", seat=self.leaders[0]))
        return joined(said)

    def of(self, key: Ints, first: int, matches: int) -> Given:
        """Return what is given of some matches; key : key of the seed."""
        cards, players = np.array(self.cards, dtype=np.int64), len(self.cards[0])
        leaders, barred = (np.resize(np.array(each, np.int64), len(cards)) for each in (self.leaders, self.barred))
        titles = np.resize(np.array([each or (-1,) * players for each in self.titles]), (len(cards), players))
        dealers = np.array([self.rules.dealer_of(hands) for hands in self.cards], np.int64)
        if self.pattern is None:
            first = 0
        else:
            seat, at = self.pattern
            numbers = np.zeros(matches, dtype=np.int64)
            bounded_numbers(key, DRAWS, first, self._book.count().holds[at], numbers)
            cards = np.repeat(cards, matches, axis=0)
            cards[:, seat] = self._book.find(numbers, at)
        return Given(cards, leaders, barred, titles, dealers, first, min(self.rules.hand_sizes(players)))


@dataclass(frozen=True)
class DrawnDeals(GivenDeals):
    """Deals around one seat's hand, every card of them drawn here; deal m depends on the seed and m alone.

    ``cards`` has one row: the known hand, and 0 for the others; with ``pattern`` the hand is uniform among those for
    which it is the strongest. Who leads changes no card.
    """

    dead: int = 0  # cards that nobody holds, as 52 bits
    lacking: int = 0  # cards that the holder of a pattern does not hold

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
        patterns = tuple(win.pattern for win in self._wins)
        return HandBook(patterns, self._sizes[self.holder], dead=self.dead | self.lacking)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return self.rules.seat_sizes(len(self.cards[0]))

    @property
    def possible(self) -> bool:
        """Whether some hand counts as the pattern."""
        return self.pattern is None or bool(self.counted.counts[self.pattern[1]])

    def describe(self) -> str:
        """Return what is given in words, the leader left out."""
        hand = format_cards(self.cards[0][self.holder]) if self.pattern is None else self._wins[self.pattern[1]].id
        return f"{self.holder}: {hand}"

    def hands(self, key: Ints, first: int, matches: int) -> Ints:
        """Return the hands of deals ``first`` …, int64[matches, players]; key : key of the seed. Not to be changed.

        The cards left are dealt in the order of random words of 63 bits, two of which are equal once in 2**52 deals.
        """
        own = None if self.pattern is None else (self._book, self.pattern[1])
        asked = self.cards[0], self.holder, self._sizes, self.dead, own
        return _hands(asked, (int(key[0]), int(key[1])), first, matches)

    def of(self, key: Ints, first: int, matches: int) -> Given:
        """Return some matches as whole deals; all but the cards is the same for every one of them."""
        hands = self.hands(key, first, matches)
        one = GivenDeals(self.rules, (tuple(hands[0].tolist()),), self.leaders).of(key, 0, 1)
        every = one._asdict().items()
        same: dict[str, Any] = {name: np.repeat(value, matches, axis=0) for name, value in every if np.ndim(value)}
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
