"""The same matches played in several runs, what was dealt in them, and the same deals tried with several answers.

Runs differ in policies, leader or rules. Together each has its tally. Paired, a column is a whole number of every
match: money of a seat, how often it was first, a call, what was dealt. Sums of products of columns say all about means
and differences over the same deals.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import takewhile
from math import comb
from typing import Any, TypeAlias

import numpy as np

from tlsim.cards import N_CARDS, N_RANKS
from tlsim.engine.game_work import GameTally, GameWork
from tlsim.engine.identity import Identity, identity_of_all
from tlsim.engine.moments import Moments, Weights
from tlsim.engine.parts import link
from tlsim.engine.policies import Policy, options_of
from tlsim.engine.work import Flag, Work
from tlsim.folders import brought
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.deal import CHUNK, GROUP, deal, dealer
from tlsim.kernels.rng import DEALS, GAMES, stream_key
from tlsim.kernels.row import Ints
from tlsim.rules import Rules
from tlsim.tally import Tally
from tlsim.warm import ready

Asked: TypeAlias = tuple[tuple[int, int], ...]
"""Runs and seats that are added up: (run, seat), …"""
Call: TypeAlias = tuple[int, int, int]
"""A run in which a seat calls Sâm, one in which it does not, and the seat."""
PER_CALL = 4


@dataclass(frozen=True)
class Lane:
    """Columns of one way to play: money in half units, and first places, by distance from the leader."""

    money: tuple[int, ...]
    firsts: tuple[int, ...]

    def at(self, which: int | None) -> "Lane":
        """Return the lane of one distance alone; None for all of them."""
        return self if which is None else Lane((self.money[which],), (self.firsts[which],))

    @property
    def mean_money(self) -> Weights:
        """The mean money over the distances."""
        return dict.fromkeys(self.money, 0.5 / len(self.money))

    @property
    def mean_first(self) -> Weights:
        """The mean share of first places over the distances."""
        return dict.fromkeys(self.firsts, 1 / len(self.firsts))


@dataclass(frozen=True, eq=False)
class TogetherTally(Tally):
    """The tally of each run, over the same matches."""

    tallies: tuple[GameTally, ...]


@dataclass(frozen=True)
class TogetherWork(Work[Any]):
    """Play the same matches in several runs, all with one seed and one length of matches."""

    runs: tuple[GameWork, ...]

    @property
    def unit(self) -> int:
        """Matches of a unit of work."""
        return min(run.unit for run in self.runs)

    def zero(self) -> Any:
        """Return the tally of no games."""
        return TogetherTally(tuple(run.zero() for run in self.runs))

    def identity(self) -> Identity:
        """Return what changes the answer: what each run plays."""
        return identity_of_all("together", [run.identity() for run in self.runs])

    def tally_of(self, first: int, number: int, stop: Flag) -> Any:
        """Return the tally of so many matches from one on, or None where it was stopped."""
        tallies = self._played(first, number, stop)
        return TogetherTally(tuple(tallies)) if tallies else None

    def _played(self, first: int, matches: int, stop: Flag) -> list[GameTally]:
        """Return the tally of each run over some matches; none where it was stopped."""
        played = takewhile(lambda tally: tally is not None, (run.tally_of(first, matches, stop) for run in self.runs))
        tallies: list[Any] = list(played)
        return tallies if len(tallies) == len(self.runs) else []


@dataclass(frozen=True)
class PairedWork(TogetherWork):
    """Play the same matches in several runs, and note what each of them brings.

    Columns: 1; the controls; money of each asked in half units; first places of each asked; and for each call: whether
    it stood (no tới trắng, nobody called before), whether it succeeded, its money where it stood, and the money
    without the call where it stood.
    """

    asked: tuple[Asked, ...] = ()  # whose money and first places are wanted
    calls: tuple[Call, ...] = ()  # of Sâm that are wanted; matches must be of one game
    controls: "DealtControls | None" = None  # what was dealt, for free deals

    @property
    def money(self) -> int:
        """The first column of money."""
        return 1 + (self.controls.number if self.controls else 0)

    @property
    def firsts(self) -> int:
        """The first column of first places."""
        return self.money + len(self.asked)

    def call_column(self, call: int) -> int:
        """Return the first column of a call."""
        return self.firsts + len(self.asked) + PER_CALL * call

    def identity(self) -> Identity:
        """Return what changes the answer: what each run plays, and which columns are summed up."""
        by_seat, each = self.controls and self.controls.by_seat, [run.identity() for run in self.runs]
        return identity_of_all("paired", each, asked=self.asked, called=self.calls, controls=by_seat)

    def zero(self) -> Moments:
        """Return the sums of no matches."""
        return Moments.zero(self.call_column(len(self.calls)))

    def tally_of(self, first: int, number: int, stop: Flag) -> Moments | None:
        """Return the sums of so many matches from one on, or None where it was stopped."""
        total = self.zero()
        for at in range(first, first + number, self.unit):
            matches = min(self.unit, first + number - at)
            tallies = self._played(at, matches, stop)
            if not tallies:
                return None
            total += Moments.of(self._columns(tallies, at, matches), at)
        return total

    def _columns(self, tallies: list[GameTally], first: int, matches: int) -> Ints:
        """Return the columns of some matches of one group: each is a batch of its own."""
        rows = slice(first % GROUP, first % GROUP + matches)
        columns: list[Ints] = [np.ones((matches, 1), np.int64)]
        if self.controls:
            columns.append(self.controls.of(first, matches))
        batches = [tally.batches[m.ALL_GAMES][rows] for tally in tallies]
        games = [tally.batches[: m.ALL_GAMES, rows].sum(axis=0) for tally in tallies]
        for wanted, source in ((m.NET_SUM, batches), (m.PLACE_COUNTS, games)):
            columns += [
                sum((source[run][:, _column(seat, wanted)] for run, seat in each), np.zeros(matches, np.int64))[:, None]
                for each in self.asked
            ]
        for run, silent, seat in self.calls:
            noted = tallies[run].calls[rows, seat].sum(axis=1)
            stood, made = noted[:, m.C_CALLED] - noted[:, m.C_VOID], noted[:, m.C_MADE]
            money, without = (batches[at][:, _column(seat, m.NET_SUM)] for at in (run, silent))
            columns.append(np.stack([stood, made, stood * money, stood * without], axis=1))
        return np.concatenate(columns, axis=1)


def _column(seat: int, what: int) -> int:
    return m.S_SEATS + seat * m.N_PER_SEAT + what


UNIT = 16
"""Deals of a unit of tryouts."""


@dataclass(frozen=True, eq=False)
class Tryouts(Work[Moments]):
    """Try answers to a question on the same deals of what is hidden."""

    seed: int
    rules: Rules
    row: Ints  # a game that waits for an answer, int64[N_ROW]
    policies: tuple[Policy, ...]  # by which all play on, by position
    answers: tuple[int, ...]
    begin: int  # number of the first deal
    deals: Ints  # hands of every deal that is possible, int64[n, seats]; empty where deals are drawn

    unit = UNIT

    def zero(self) -> Moments:
        """Return the sums of no deals."""
        from tlsim.kernels.rollout import N_FOUND

        return Moments.zero(1 + N_FOUND * len(self.answers))

    def tally_of(self, first: int, number: int, stop: Flag) -> Moments | None:
        """Return the sums of so many deals from one on, or None where it was stopped."""
        ready("tryout")
        from tlsim.kernels.rng import stream_key
        from tlsim.kernels.rollout import N_FOUND, N_ROOM, try_answers

        game, first = self.row.copy(), self.begin + first
        rooms = link(game, self.policies, self.rules)
        game[c.POLICY : c.POLICY + c.N_OPTIONS * c.MOST_SEATS] = options_of(self.policies).ravel()
        found = np.zeros((number, len(self.answers), N_FOUND), np.int64)
        flag = np.zeros(1, np.int64) if stop is None else stop
        room = np.zeros(N_ROOM, np.int64)
        answers = np.array(self.answers, np.int64)
        done = try_answers(stream_key(self.seed), game, room, answers, self.deals, first, flag, found)
        del rooms  # the row holds their addresses up to here
        if not done:
            return None
        columns = found.transpose(0, 2, 1).reshape(number, -1)
        return Moments.of(np.concatenate([np.ones((number, 1), np.int64), columns], axis=1), first)


_LOWEST = sum(1 << 4 * rank for rank in range(N_RANKS))  # the lowest card of every rank
_STEP = 0x9E3779B97F4A7C15  # between purposes, in a key of streams


@dataclass(frozen=True)
class Control:
    """A number of cards of some ranks in a hand, or of groups: windows of consecutive ranks with so many cards in each.

    It says how it is counted in dealt hands, by bits, and what its exact mean is, by counting hands.
    """

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


CONTROLS = tuple(Control(name, **each) for name, each in brought("engine/controls.toml").items())


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
