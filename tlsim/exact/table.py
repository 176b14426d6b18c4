"""What comes up at a table: exact where the joint law is in reach, otherwise rigorous bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import Literal

from tlsim.cards import N_CARDS
from tlsim.exact.bounds import Bounds, few_hands_bounds, union_bounds
from tlsim.exact.classes import Law, class_law
from tlsim.exact.joint import STATE_LIMIT, Leader, OutOfReachError
from tlsim.patterns import Pattern

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
    """

    deals: int
    someone: Bounds
    wins: tuple[Bounds, ...]
    seats: tuple[Bounds, ...]

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


def count_table(table: Table, *, limit: int = STATE_LIMIT) -> TableCounts:
    """Count the deals by who holds and who wins.

    Returns
    -------
    TableCounts
        Exact where the product of the automata has at most ``limit`` states in each layer, else bounds.
    """
    try:
        return _exact(table, limit)
    except OutOfReachError:
        return _bounded(table)


def all_deals(table: Table) -> int:
    """Return the number of deals, ordered by seat, that agree with the known cards."""
    unknown = N_CARDS - (table.holding | table.dead).bit_count()
    own = comb(unknown, table.hand_size - table.holding.bit_count())
    rest = N_CARDS - table.hand_size
    others = [comb(rest - table.hand_size * seat, table.hand_size) for seat in range(table.players - 1)]
    return own * prod(others)


def _leaders(table: Table) -> int:
    """Return how often each deal is counted: once for each leader where the turn from it can split a deal unevenly."""
    any_seat = table.priority == "turn" and (table.opening_card is None or table.opening_random)
    return table.players if any_seat and table.holding | table.dead else 1


def _exact(table: Table, limit: int) -> TableCounts:
    deals, leaders = all_deals(table) * _leaders(table), _leaders(table)
    wins = [Fraction(0)] * len(table.patterns)
    seats = [0] * (table.players + 1)
    for law, leader, weight in _laws(table, limit):
        for entry, n in law.items():
            classes = [c for role in entry for c in role]
            holders = [c for c in classes if c]
            seats[len(holders)] += weight * n * leaders
            for winner, share in _winners(entry, holders, leader, table.priority):
                wins[winner - 1] += weight * n * leaders * share
    exact_wins = tuple((int(w), int(w)) for w in wins)
    return TableCounts(
        deals=deals,
        someone=(deals - seats[0], deals - seats[0]),
        wins=exact_wins,
        seats=tuple((n, n) for n in seats),
    )


def _laws(table: Table, limit: int) -> list[tuple[Law, int | None, int]]:
    """Return joint laws with the role of the leader, if it matters, and the number of seats that each stands for."""
    n, known = table.players, table.holding | table.dead
    size = table.hand_size
    if table.opening_card is None or table.priority == "strength":
        roles: tuple[int, ...] = (1, n - 1) if known else (n,)
        return [(class_law(table.patterns, size, roles, holding=table.holding, dead=table.dead, limit=limit), None, 1)]
    undealt = n * size < N_CARDS
    if table.opening_card >= 4 or (undealt and table.opening_random):  # the deck is read so that a 3 tells the leader
        raise OutOfReachError
    laws: list[tuple[Law, int | None, int]] = []
    for roles, role, weight in [((1, n - 1), 0, 1 if known else n), ((1, 1, n - 2), 1, n - 1 if known else 0)]:
        if weight:
            leader = Leader(role, table.opening_card)
            law = class_law(
                table.patterns, size, [r for r in roles if r], holding=table.holding, dead=table.dead, leader=leader,
                limit=limit,
            )  # fmt: skip
            laws.append((law, role, weight))
    return laws


def _winners(
    entry: tuple[tuple[int, ...], ...], holders: list[int], leader: int | None, priority: Priority
) -> list[tuple[int, Fraction]]:
    """Return the classes that may win, each with its share of the deals of an entry.

    Seats of one role are exchangeable, so under the priority of turn every holder is equally often the nearest to the
    leader, once the leader itself holds nothing.
    """
    if not holders:
        return []
    if priority == "strength":
        return [(min(holders), Fraction(1))]
    if leader is not None and entry[leader][0]:
        return [(entry[leader][0], Fraction(1))]
    return [(c, Fraction(1, len(holders))) for c in holders]


def _bounded(table: Table) -> TableCounts:
    deals, n = all_deals(table) * _leaders(table), table.players
    if table.holding | table.dead or table.opening_card is not None:
        law = class_law(table.patterns, table.hand_size, (1, 1), holding=table.holding, dead=table.dead)
        someone, wins, seats = union_bounds(law, n, len(table.patterns), deals)
    else:
        laws = [class_law(table.patterns, table.hand_size, (k,)) for k in range(1, min(n, 3) + 1)]
        someone, wins, seats = few_hands_bounds(laws, n, len(table.patterns), deals, table.priority)
    return TableCounts(deals, someone, wins, seats)
