"""The same deals played several times, by other policies or with another leader; what each match brings is kept apart.

A column is a whole number of every match: money of a seat, how often it was first, a call of Sâm, what it was dealt.
Sums of the products of all pairs of columns say everything about means and differences over the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import Block
from tlsim.engine.controls import DealtControls
from tlsim.engine.game_work import GameTally, GameWork
from tlsim.engine.identity import Identity, identity_of_all
from tlsim.engine.moments import Moments, Weights
from tlsim.kernels import matches as m
from tlsim.kernels.deal import GROUP
from tlsim.kernels.row import Ints

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


@dataclass(frozen=True)
class PairedWork:
    """Play the same matches in several runs.

    Parameters
    ----------
    runs
        What is played; all with one seed, number of players and length of matches.
    asked
        Whose money and first places are wanted.
    calls
        Whose calls of Sâm are wanted; matches must be of one game.
    controls
        What was dealt, for free deals.

    Notes
    -----
    Columns: 1; the controls; money of each asked in half units; first places of each asked; and for each call: whether
    it stood (no tới trắng, nobody called before), whether it succeeded, its money where it stood, and the money
    without the call where it stood.
    """

    runs: tuple[GameWork, ...]
    asked: tuple[Asked, ...]
    calls: tuple[Call, ...] = ()
    controls: DealtControls | None = None

    @property
    def unit(self) -> int:
        """Matches of a unit of work."""
        return self.runs[0].unit

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
        by_seat = None if self.controls is None else self.controls.by_seat
        each = [run.identity() for run in self.runs]
        return identity_of_all("paired", each, asked=self.asked, called=self.calls, controls=by_seat)

    def zero(self) -> Moments:
        """Return the sums of no matches."""
        return Moments.zero(self.call_column(len(self.calls)))

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> Moments | None:
        """Return the sums of a block of matches, or None where it was stopped."""
        total = self.zero()
        for at in range(0, block.deals, self.unit):
            part = Block(block.first + at // self.unit, min(self.unit, block.deals - at))
            tallies = []
            for each in self.runs:
                tally = each(part, stop)
                if tally is None:
                    return None
                tallies.append(tally)
            first = part.first * self.unit
            total += Moments.of(self._columns(tallies, first, part.deals), first)
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
