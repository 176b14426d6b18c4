"""What comes up at a table: exact where the joint law is in reach, otherwise rigorous bounds."""

from contextlib import suppress
from fractions import Fraction
from math import comb, prod

from tlsim.cards import N_CARDS
from tlsim.exact.bounds import few_hands_bounds, strongest_bounds, union_bounds
from tlsim.exact.classes import Classes, Law, class_law
from tlsim.exact.joint import STATE_LIMIT, Leader, OutOfReachError
from tlsim.exact.table_counts import Priority, Table, TableCounts

_QUICKER = 6  # bounds follow a search that failed; they should not take as long again


def count_table(table: Table, *, limit: int = STATE_LIMIT) -> TableCounts:
    """Count the deals by who holds and who wins: exact where the law is in reach within the limit, else bounds."""
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
    seats, strongest = [0] * (table.players + 1), [0] * len(table.patterns)
    for law, leader, weight in _laws(table, limit):
        for entry, n in law.items():
            classes = [c for role in entry for c in role]
            holders = [c for c in classes if c]
            seats[len(holders)] += weight * n * leaders
            for c in set(holders):
                strongest[c - 1] += weight * n * leaders
            for winner, share in _winners(entry, holders, leader, table.priority):
                wins[winner - 1] += weight * n * leaders * share
    each = (tuple((int(n), int(n)) for n in numbers) for numbers in (wins, seats, strongest))
    return TableCounts(deals, (deals - seats[0], deals - seats[0]), *each)


def _laws(table: Table, limit: int) -> list[tuple[Law, int | None, int]]:
    """Return joint laws with the role of the leader, if it matters, and the number of seats that each stands for."""
    n, known = table.players, table.holding | table.dead
    if table.opening_card is None or table.priority == "strength":
        return [(_law(table, (1, n - 1) if known else (n,), limit), None, 1)]
    undealt = n * table.hand_size < N_CARDS
    if table.opening_card >= 4 or (undealt and table.opening_random):  # the deck is read so that a 3 tells the leader
        raise OutOfReachError
    roles = [((1, n - 1), 0, 1 if known else n), ((1, 1, n - 2), 1, n - 1 if known else 0)]
    return [
        (_law(table, seats, limit, Leader(role, table.opening_card)), role, weight)
        for seats, role, weight in roles
        if weight
    ]


def _law(table: Table, seats: tuple[int, ...], limit: int, leader: Leader | None = None) -> Law:
    """Return the law of some of the hands of a table."""
    return class_law(
        table.patterns, table.hand_size, [n for n in seats if n], holding=table.holding, dead=table.dead,
        leader=leader, limit=limit,
    )  # fmt: skip


def _winners(entry: Classes, holders: list[int], leader: int | None, by: Priority) -> list[tuple[int, Fraction]]:
    """Return the classes that may win, each with its share of the deals of an entry.

    By turn every holder is equally often the nearest to the leader, once the leader itself holds nothing.
    """
    if not holders:
        return []
    if by == "strength":
        return [(min(holders), Fraction(1))]
    if leader is not None and entry[leader][0]:
        return [(entry[leader][0], Fraction(1))]
    return [(c, Fraction(1, len(holders))) for c in holders]


def _bounded(table: Table, limit: int = STATE_LIMIT) -> TableCounts:
    """Bound all numbers by the laws of as few hands as are in reach."""
    deals, n, count = all_deals(table) * _leaders(table), table.players, len(table.patterns)
    if table.holding | table.dead or table.opening_card is not None:
        try:
            return TableCounts(deals, *union_bounds(_law(table, (1, 1), limit), n, count, deals))
        except OutOfReachError:
            anything = (0, deals)
            return TableCounts(deals, anything, (anything,) * count, (anything,) * (n + 1), (anything,) * count)
    laws: list[Law] = []
    with suppress(OutOfReachError):  # what came before counts; the law of one hand never is
        for hands in range(1, min(n, 3) + 1):
            laws += [_law(table, (hands,), limit if hands == 1 else limit // _QUICKER)]
    strongest = strongest_bounds(laws, n, count, deals)
    return TableCounts(deals, *few_hands_bounds(laws, n, count, deals, table.priority), strongest)
