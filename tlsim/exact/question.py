"""A question about a table, and its answer: plain values, which need nothing compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from tlsim.patterns import Pattern

Bounds: TypeAlias = tuple[int, int]  # lowest and highest number of deals; equal where exact
Priority = Literal["strength", "turn"]


@dataclass(frozen=True)
class Table:
    """A table at which every holder of a pattern declares.

    Parameters
    ----------
    patterns
        Strongest first.
    hand_size, players
        Cards of a hand, number of seats.
    priority
        Who wins among several holders: the ``strength`` of the pattern, then the ``turn`` from the leader; or the turn
        alone.
    holding, dead
        Cards (52 bits) that seat 0 surely has, or surely lacks.
    opening_card
        Card that names the leader, where the leader matters and depends on the deal (an opening game); else None, and
        the leader is any seat.
    opening_random
        Whether any seat leads where that card was not dealt, instead of the seat with the lowest card.
    """

    patterns: tuple[Pattern, ...]
    hand_size: int
    players: int
    priority: Priority
    holding: int = 0
    dead: int = 0
    opening_card: int | None = None
    opening_random: bool = False


@dataclass(frozen=True)
class TableCounts:
    """Numbers of deals, lowest and highest possible; equal where the law is exact.

    Parameters
    ----------
    deals
        Number of all deals, ordered by seat; counted once for each leader where known cards tell seat 0 apart and any
        seat may lead, so that all numbers stay whole.
    someone
        Deals in which at least one seat holds a pattern.
    wins
        Per pattern: deals that it wins.
    seats
        Per number of seats 0, 1, …: deals in which so many hold a pattern.
    strongest
        Per pattern: deals in which at least one seat has it as the strongest of its hand.
    """

    deals: int
    someone: Bounds
    wins: tuple[Bounds, ...]
    seats: tuple[Bounds, ...]
    strongest: tuple[Bounds, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all numbers are exact."""
        return all(low == high for low, high in (self.someone, *self.wins, *self.seats))

    def payment(self, pays: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """Mean payment of one loser per deal, at the price per loser of each pattern; in the unit of the prices."""
        low, high = (
            sum((price * bounds[end] for price, bounds in zip(pays, self.wins, strict=True)), Fraction(0))
            for end in range(2)
        )
        return low / self.deals, high / self.deals
