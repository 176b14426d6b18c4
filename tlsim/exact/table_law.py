"""What comes up at a table: exact where the joint law is in reach, otherwise rigorous bounds."""

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, comb, factorial, floor, prod
from typing import Any, TypeAlias

from tlsim.cards import N_CARDS
from tlsim.exact.classes import Classes, Law, class_law
from tlsim.exact.joint import STATE_LIMIT, Leader, OutOfReachError
from tlsim.exact.table_counts import Bounds, Priority, Table, TableCounts

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


AllBounds: TypeAlias = tuple[Bounds, tuple[Bounds, ...], tuple[Bounds, ...]]
"""Deals in which someone holds a pattern; by pattern, that it wins; by number of seats 0 … n, that so many hold one."""


def few_hands_bounds(laws: Sequence[Law], players: int, patterns: int, deals: int, priority: str) -> AllBounds:
    """Bound a table of exchangeable seats by the laws of the classes of one, two and three of its hands."""
    every = range(1, patterns + 1)
    sums = _sums(laws, players, every, deals)
    seats = [_exactly(sums, k, len(laws)) for k in range(players + 1)]
    wins = [_win(laws, at, players, patterns, priority) for at in every]
    return (
        _within(deals - seats[0][1], deals - seats[0][0], deals),
        tuple(_within(low * deals, high * deals, deals) for low, high in wins),
        tuple(_within(low, high, deals) for low, high in seats),
    )


def strongest_bounds(laws: Sequence[Law], players: int, patterns: int, deals: int) -> tuple[Bounds, ...]:
    """Bound, per pattern, the deals in which some seat has it as its strongest; as in `few_hands_bounds`."""
    none = [_exactly(_sums(laws, players, [c], deals), 0, len(laws)) for c in range(1, patterns + 1)]
    return tuple(_within(deals - high, deals - low, deals) for low, high in none)


def _sums(laws: Sequence[Law], players: int, classes: Sequence[int], deals: int) -> list[Fraction]:
    """Return, for k = 0, 1, …, the sum over all sets of k seats of the deals in which all have one of the classes."""
    sums = [Fraction(deals)]
    sums += [comb(players, k) * _share(law, [classes] * k) * deals for k, law in enumerate(laws, 1)]
    given = sums[len(laws)] / comb(players, len(laws))
    while len(sums) < players + 2:  # so many given seats hold one at most as often as the few of the last law do
        sums.append(given * comb(players, len(sums)))
    return sums


def union_bounds(law: Law, players: int, patterns: int, deals: int) -> tuple[Any, ...]:
    """Bound a table whose first seat is told apart, by Boole's inequality and the law of seat 0 and one other seat."""
    total = sum(law.values())

    def share(seat: int, classes: Sequence[int]) -> Fraction:
        return Fraction(sum(n for entry, n in law.items() if entry[seat][0] in classes), total)

    every = range(1, patterns + 1)
    single = [share(0, every), share(1, every)]
    union = single[0] + (players - 1) * single[1]
    wins = [share(0, [c]) + (players - 1) * share(1, [c]) for c in every]
    least = [max(share(0, [c]), share(1, [c])) for c in every]
    someone = _within(max(single) * deals, union * deals, deals)
    return (
        someone,
        tuple(_within(Fraction(0), high * deals, deals) for high in wins),
        (
            (deals - someone[1], deals - someone[0]),
            *((0, _within(union, union * deals / k, deals)[1]) for k in range(1, players + 1)),
        ),
        tuple(_within(low * deals, high * deals, deals) for low, high in zip(least, wins, strict=True)),
    )


def _within(low: Fraction, high: Fraction, deals: int) -> Bounds:
    return max(0, ceil(low)), min(deals, floor(high))


def _share(law: Law, wanted: Sequence[Sequence[int]]) -> Fraction:
    """Probability that seats 1, 2, … have classes among those wanted; seats are exchangeable."""
    matching = sum(
        n * sum(all(c in w for c, w in zip(order, wanted, strict=True)) for order in permutations(entry[0]))
        for entry, n in law.items()
    )
    return Fraction(matching, sum(law.values()) * factorial(len(wanted)))


def _exactly(sums: Sequence[Fraction], k: int, known: int) -> tuple[Fraction, Fraction]:
    """Bound the deals with exactly k holders by sums of Σ (-1)^(j-k) C(j, k) S_j; above ``known`` S_j is a bound."""
    low, high, partial = Fraction(0), sums[min(k, len(sums) - 1)], Fraction(0)
    for j in range(k, min(known + 2, len(sums))):
        term = (-1) ** (j - k) * comb(j, k) * sums[j]
        partial += term
        low = max(low, partial) if term <= 0 else low  # a term of 0 ends the sum
        high = min(high, partial) if term >= 0 else high
    return low, high


def _win(laws: Sequence[Law], at: int, players: int, patterns: int, priority: str) -> tuple[Fraction, Fraction]:
    """Bound the probability that a pattern wins: a seat holds it and no other seat goes before."""
    stronger, every = range(1, at), range(1, patterns + 1)
    low = high = Fraction(0)
    for distance in range(players):
        nearer, farther = (range(1, at + 1), stronger) if priority == "strength" else (every, ())
        before = [nearer] * distance + [farther] * (players - 1 - distance)
        single = _share(laws[0], [[at]])
        if len(laws) == 1:
            high += single
            continue
        pairs = [_share(laws[1], [[at], other]) for other in before if other]
        low += max(Fraction(0), single - sum(pairs))
        above = single - max(pairs, default=Fraction(0))
        if len(laws) == 3:
            triples = (_share(laws[2], [[at], *two]) for two in combinations(before, 2) if all(two))
            above = min(above, single - sum(pairs) + sum(triples))
        high += above
    return low, high
