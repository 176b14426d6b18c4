"""The joint law of the classes of all hands of a deal: which pattern counts in each, exact.

A pattern of suits (so many of one suit or colour, a straight in one suit) is rare and needs many states, one set for
each suit it may still come in. So it is taken apart from the patterns of ranks: the class of a hand is its class by
ranks, corrected where it holds a stronger pattern of suits. Multiplied out over the seats, the law is a sum over the
seats that are corrected, and these *marked* seats only allow the few hands with such a pattern.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tlsim.exact.automaton import Automaton, build, strongest, with_output
from tlsim.exact.joint import REJECTED, STATE_LIMIT, Leader, OutOfReachError, Role, joint_law
from tlsim.jit import cores
from tlsim.patterns import Flush, Pattern, Run

Classes: TypeAlias = tuple[tuple[int, ...], ...]
"""The classes of all hands, sorted for each role."""
Law: TypeAlias = dict[Classes, int]


def class_law(
    patterns: Sequence[Pattern],
    hand_size: int,
    seats: Sequence[int],
    *,
    holding: int = 0,
    dead: int = 0,
    leader: Leader | None = None,
    limit: int = STATE_LIMIT,
    stop: NDArray[np.int64] | None = None,
) -> Law:
    """Count the deals (ordered by seat) by the classes of all hands, sorted for each role.

    A role is so many exchangeable seats: ``(4,)``, or ``(1, 3)`` with one told apart, to which ``holding`` and ``dead``
    belong. The class of a hand is one more than the index of its strongest pattern, or 0. The rest: see `joint_law`.
    """
    tests = [pattern.tests(hand_size) for pattern in patterns]
    of_suits = (any(isinstance(t, Flush) or (isinstance(t, Run) and t.level == 0) for t in each) for each in tests)
    by_suit = sum(suits << at for at, suits in enumerate(of_suits))
    held = build(patterns, hand_size)
    plain = with_output(held, lambda bits: strongest(bits & ~by_suit))
    marked = with_output(held, lambda bits: _marked(bits, by_suit, len(patterns)))

    def part(counts: tuple[int, ...]) -> Counter[Classes]:
        """Return the terms with so many marked seats in each role."""
        roles, owner = _roles(plain, marked, seats, counts, (holding, dead))
        lead = None if leader is None else Leader(owner.index(leader.role), leader.opening_suit)
        ways = prod(comb(n, k) for n, k in zip(seats, counts, strict=True))
        terms: Counter[Classes] = Counter()
        for outputs, deals in joint_law(roles, lead, limit=limit, stop=flag).items():
            for classes, sign in _corrected(outputs, owner, counts, len(patterns)):
                terms[classes] += sign * ways * deals
        return terms

    law: Counter[Classes] = Counter()
    flag = np.zeros(1, dtype=np.int64) if stop is None else stop
    with ThreadPoolExecutor(cores()) as pool:  # the kernel releases the interpreter lock
        try:
            parts = product(*(range(n + 1) if by_suit else (0,) for n in seats))
            for done in as_completed([pool.submit(part, counts) for counts in parts]):
                law.update(done.result())
        except BaseException:  # an interrupt too: the threads end at once
            flag[0] = 1
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return {classes: deals for classes, deals in law.items() if deals}


def _marked(held: int, by_suit: int, patterns: int) -> int:
    """Return both classes of a hand, by ranks and corrected, in one number; `REJECTED` where they are the same."""
    by_rank, true = strongest(held & ~by_suit), strongest(held)
    return REJECTED if by_rank == true else by_rank * (patterns + 1) + true


def _roles(
    plain: Automaton, marked: Automaton, seats: Sequence[int], counts: Sequence[int], known: tuple[int, int]
) -> tuple[list[Role], list[int]]:
    """Split each role into plain and marked seats; return the parts, and the role that each part is of."""
    roles, owner = [], []
    for role, (n, k) in enumerate(zip(seats, counts, strict=True)):
        holding, dead = known if role == 0 else (0, 0)
        for count, automaton in ((n - k, plain), (k, marked)):
            if count:
                roles.append(Role(count, automaton, holding, dead))
                owner.append(role)
    return roles, owner


def _corrected(outputs: Classes, owner: list[int], counts: Sequence[int], types: int) -> Iterator[tuple[Classes, int]]:
    """Multiply out: each marked seat counts once with its true class, and minus once with its class by ranks."""
    options: list[list[tuple[int, int, int]]] = []  # (role, class, sign) of each seat
    last = [max(at for at, role in enumerate(owner) if role == r) for r in range(len(counts))]
    for at, (role, values) in enumerate(zip(owner, outputs, strict=True)):
        marked = counts[role] > 0 and at == last[role]
        for value in values:
            by_rank, true = divmod(value, types + 1)
            options.append([(role, true, 1), (role, by_rank, -1)] if marked else [(role, value, 1)])
    for seats in product(*options):
        classes = tuple(tuple(sorted(c for role, c, _ in seats if role == r)) for r in range(len(counts)))
        yield classes, prod(sign for _, _, sign in seats)


QUICK = 300_000  # states; a check of a simulation is worth some seconds, not minutes
INSTANT = 3_000  # states; who has interrupted a run does not wait


@dataclass(frozen=True)
class DealCounts:
    """The hands of one deal that hold a pattern, or for which it is the strongest; None for what is out of reach."""

    patterns: tuple[Pattern, ...]  # strongest first
    hand_size: int
    players: int
    limit: int = QUICK  # most states of a product in one layer
    stop: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64), compare=False)  # as of the law

    def pairs_held(self) -> tuple[Fraction | None, ...]:
        """Per pattern: probability that two given hands both hold it."""
        laws = (self._numbers(build([pattern], self.hand_size), 2) for pattern in self.patterns)
        return tuple(None if law is None else law[2] for law in laws)

    def pairs_counted(self) -> tuple[Fraction | None, ...]:
        """Per pattern: probability that it is the strongest of two given hands."""
        try:
            law = class_law(self.patterns, self.hand_size, (2,), limit=self.limit, stop=self.stop)
        except OutOfReachError:
            return (None,) * len(self.patterns)
        total = sum(law.values())
        return tuple(Fraction(law.get(((c, c),), 0), total) for c in range(1, len(self.patterns) + 1))

    def held(self, at: int) -> tuple[Fraction, ...] | None:
        """Probability that 0, 1, … hands of a deal hold a pattern."""
        return self._numbers(build([self.patterns[at]], self.hand_size), self.players)

    def counted(self, at: int) -> tuple[Fraction, ...] | None:
        """Probability that a pattern is the strongest of 0, 1, … hands of a deal."""
        return self._numbers(with_output(self._all, lambda held: int(strongest(held) == at + 1)), self.players)

    @cached_property
    def _all(self) -> Automaton:
        return build(self.patterns, self.hand_size)

    def _numbers(self, automaton: Automaton, hands: int) -> tuple[Fraction, ...] | None:
        """Return the probabilities that the automaton says 1 of 0, 1, … of so many hands, else 0."""
        try:
            law = joint_law([Role(hands, automaton)], limit=self.limit, stop=self.stop)
        except OutOfReachError:
            return None
        total = sum(law.values())
        ones = [(0,) * (hands - n) + (1,) * n for n in range(hands + 1)]
        return tuple(Fraction(law.get((entry,), 0), total) for entry in ones)
