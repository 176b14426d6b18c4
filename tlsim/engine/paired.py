"""The same matches played in several runs, and the same deals tried with several answers.

Runs differ in policies, leader or rules. Together each has its tally. Paired, a column is a whole number of every
match: money of a seat, how often it was first, a call, what was dealt. Sums of products of columns say all about means
and differences over the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any, TypeAlias

import numpy as np

from tlsim.engine.controls import DealtControls
from tlsim.engine.game_work import GameTally, GameWork
from tlsim.engine.identity import Identity, identity_of_all
from tlsim.engine.moments import Moments, Weights
from tlsim.engine.parts import link
from tlsim.engine.policies import Policy, options_of
from tlsim.engine.work import Flag, Work
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.deal import GROUP
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

    def at(self, which: int | None) -> Lane:
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
    controls: DealtControls | None = None  # what was dealt, for free deals

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
