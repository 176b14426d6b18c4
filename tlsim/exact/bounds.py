"""Rigorous bounds on what comes up at a table, from the exact laws of a few of its hands.

Inclusion and exclusion over the seats, cut after an odd or an even term, is too high or too low: C. E. Bonferroni,
*Teoria statistica delle classi e calcolo delle probabilità* (1936); for exactly k seats, C. Jordan's sums.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, comb, factorial, floor
from typing import Any, TypeAlias

from tlsim.exact.classes import Law
from tlsim.exact.table_counts import Bounds

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
