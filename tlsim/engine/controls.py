"""What a hand is dealt, in whole numbers whose means are known exactly: controls for mean money.

A control is a number of cards of some ranks, or of groups: windows of consecutive ranks with so many cards in each. It
says how it is counted in dealt hands, by bits, and what its exact mean is, by counting hands.
"""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from pathlib import Path

import numpy as np

from tlsim.cards import N_CARDS, N_RANKS
from tlsim.kernels.deal import CHUNK, deal, dealer
from tlsim.kernels.rng import DEALS, GAMES, stream_key
from tlsim.kernels.row import Ints

_LOWEST = sum(1 << 4 * rank for rank in range(N_RANKS))  # the lowest card of every rank
_STEP = 0x9E3779B97F4A7C15  # between purposes, in a key of streams


@dataclass(frozen=True)
class Control:
    """A whole number that every hand has."""

    name: str
    first: int  # of the ranks 0 … 12 that count
    last: int
    level: int = 0  # cards that each rank of a group needs; 0 counts the cards of the ranks
    length: int = 1  # consecutive ranks of a group

    def mean(self, size: int) -> Fraction:
        """Return its exact mean over hands of so many cards."""
        ranks = self.last - self.first + 1
        if not self.level:
            return Fraction(size * 4 * ranks, N_CARDS)
        ways = [1]  # to choose so many cards from the ranks of a window
        for _ in range(self.length):
            after = [0] * (len(ways) + 4)
            for have, number in enumerate(ways):
                for more in range(self.level, 5):
                    after[have + more] += number * comb(4, more)
            ways = after
        rest = N_CARDS - 4 * self.length
        hands = sum(number * comb(rest, size - have) for have, number in enumerate(ways) if have <= size)
        return Fraction((ranks - self.length + 1) * hands, comb(N_CARDS, size))

    def count(self, marked: Ints) -> Ints:
        """Return it, from the marks of `marks` at its level."""
        window = marked & ((1 << 4 * (self.last + 1)) - (1 << 4 * self.first))
        if self.length > 1:
            span = window
            for step in range(1, self.length):
                window = window & span >> 4 * step
        found: Ints = np.bitwise_count(window).astype(np.int64)
        return found


def marks(hands: Ints) -> list[Ints]:
    """Return by level 0 … 4: all cards of hands, then the lowest bit of each rank of which they have so many cards."""
    a, b, c, d = (hands >> suit & _LOWEST for suit in range(4))
    some, both, other, others = a | b, a & b, c | d, c & d
    return [hands, some | other, both | others | (some & other), (both & other) | (some & others), both & others]


CONTROLS = tuple(
    Control(name, **each)
    for name, each in tomllib.loads(Path(__file__).with_name("controls.toml").read_text(encoding="utf-8")).items()
)


@dataclass(frozen=True)
class DealtControls:
    """The controls of free deals, summed over the games of a match."""

    seed: int
    players: int
    size: int  # cards of a hand
    games: int  # of a match
    by_seat: bool = True  # whether each seat has its own controls before those of the whole table

    @property
    def number(self) -> int:
        """Number of columns."""
        return len(CONTROLS) * (self.players * self.by_seat + 1)

    def own(self, seat: int) -> list[int]:
        """Return the columns of one seat."""
        return list(range(seat * len(CONTROLS), (seat + 1) * len(CONTROLS))) if self.by_seat else []

    @property
    def table(self) -> list[int]:
        """The columns of the whole table."""
        return list(range(self.number - len(CONTROLS), self.number))

    @cached_property
    def means(self) -> list[Fraction]:
        """The exact mean of each column."""
        one = [self.games * control.mean(self.size) for control in CONTROLS]
        return one * (self.players if self.by_seat else 0) + [self.players * mean for mean in one]

    def of(self, first: int, matches: int) -> Ints:
        """Return the columns of some matches of one group of 256, int64[matches, number]."""
        counts = _chunk_counts(self.seed, self.players, self.size, self.games, first // CHUNK)
        counts = counts[first % CHUNK : first % CHUNK + matches]
        parts = [counts.reshape(matches, -1)] if self.by_seat else []
        return np.concatenate([*parts, counts.sum(axis=1)], axis=1)


@lru_cache(maxsize=16)
def _chunk_counts(seed: int, players: int, size: int, games: int, chunk: int) -> Ints:
    """Return the controls of the 1,024 matches of a chunk, int64[1024, players, controls]; not to be changed."""
    counts = np.zeros((len(CONTROLS), players, CHUNK), np.int64)
    for game in range(games):
        levels = marks(dealt_hands(seed, players, size, game, chunk))
        for at, control in enumerate(CONTROLS):
            counts[at] += control.count(levels[control.level])
    return np.ascontiguousarray(counts.T)


def dealt_hands(seed: int, players: int, size: int, game: int, chunk: int) -> Ints:
    """Return what is dealt in game ``game`` of the 1,024 matches of a chunk, int64[seats, 1024].

    A stream follows from a key and a purpose, which is added to a word of the key: moved, the stream of deals is that
    of games.
    """
    key = stream_key(seed).copy()
    key[0] = np.uint64((int(key[0]) + (GAMES - DEALS) * _STEP) % 2**64)
    hands: Ints = deal(key, dealer(players, size), (game << 40) + chunk, 1)
    return hands[:players]
