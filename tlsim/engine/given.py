"""Deals of which some cards are given, or the pattern that a seat holds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from tlsim.cards import format_cards
from tlsim.errors import Sentence, joined
from tlsim.exact.hand_book import HandBook
from tlsim.kernels.given import Given
from tlsim.kernels.rng import DRAWS, bounded_numbers
from tlsim.kernels.row import Ints
from tlsim.rules import Rules


@dataclass(frozen=True)
class GivenDeals:
    """What is given of the deals; match m goes by deal m modulo their number, and is one game.

    Parameters
    ----------
    rules
        Rules of the game.
    cards
        By deal, by seat: cards that it surely has, as 52 bits.
    leaders
        By deal: who leads a regular game, -1 for an opening game.
    barred
        By deal: who may not have a tới trắng, -1 for nobody.
    titles
        By deal: seats by their places in the game before, in Tổng thống; empty where there was none.
    pattern
        A seat, and the index of the tới trắng pattern that it holds, uniformly among such hands.
    """

    rules: Rules
    cards: tuple[tuple[int, ...], ...]
    leaders: tuple[int, ...]
    pattern: tuple[int, int] | None = None
    barred: tuple[int, ...] = (-1,)
    titles: tuple[tuple[int, ...], ...] = ((),)

    @cached_property
    def _book(self) -> HandBook:
        """Counts of the hands of the seat that holds a pattern."""
        (cards,) = self.cards
        seat, players = self.pattern[0] if self.pattern else 0, len(cards)
        wins = self.rules.instant_wins(self.leaders[0] < 0, players)
        others = sum(hand for other, hand in enumerate(cards) if other != seat)
        size = self.rules.seat_sizes(players)[seat]
        return HandBook(tuple(win.pattern for win in wins), size, holding=cards[seat], dead=others)

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
            seat, at = self.pattern
            said.append(f"{seat}: {self.rules.instant_wins(self.leaders[0] < 0, len(self.cards[0]))[at].id}")
        if self.leaders[0] >= 0:
            said.append(Sentence("seat {seat} leads", seat=self.leaders[0]))
        return joined(said)

    def of(self, key: Ints, first: int, matches: int) -> Given:
        """Return what is given of some matches; key : key of the seed."""
        cards, players = np.array(self.cards, dtype=np.int64), len(self.cards[0])
        deals = range(len(cards))
        leaders, barred = (np.array([_nth(each, at) for at in deals], np.int64) for each in (self.leaders, self.barred))
        titles = np.array([_nth(self.titles, at) or (-1,) * players for at in deals], np.int64)
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


def _nth(values: Sequence[Any], at: int) -> Any:
    """Return the entry of a deal; one entry is for all."""
    return values[at % len(values)]
