"""How many hands of one deal hold a pattern: the exact law behind simulated counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tlsim.exact.automaton import Automaton, build, strongest, with_output
from tlsim.exact.classes import class_law
from tlsim.exact.joint import OutOfReachError, Role, joint_law
from tlsim.patterns import Pattern

QUICK = 300_000  # states; a check of a simulation is worth some seconds, not minutes
INSTANT = 3_000  # states; who has interrupted a run does not wait


@dataclass(frozen=True)
class DealCounts:
    """The hands of one deal that hold a pattern, or for which it is the strongest.

    Parameters
    ----------
    patterns
        Strongest first.
    hand_size, players
        Cards of a hand, number of seats.
    limit
        Most states of a product in one layer.
    stop
        int64, shape (1,): once another thread sets it, everything is out of reach.
    """

    patterns: tuple[Pattern, ...]
    hand_size: int
    players: int
    limit: int = QUICK
    stop: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64), compare=False)

    def pairs_held(self) -> tuple[Fraction | None, ...]:
        """Per pattern: probability that two given hands both hold it; None where out of reach."""
        return tuple(self._pair_held(pattern) for pattern in self.patterns)

    def _pair_held(self, pattern: Pattern) -> Fraction | None:
        try:
            law = joint_law([Role(2, build([pattern], self.hand_size))], limit=self.limit, stop=self.stop)
        except OutOfReachError:
            return None
        return Fraction(law.get(((1, 1),), 0), sum(law.values()))

    def pairs_counted(self) -> tuple[Fraction | None, ...]:
        """Per pattern: probability that it is the strongest of two given hands; None where out of reach."""
        try:
            law = class_law(self.patterns, self.hand_size, (2,), limit=self.limit, stop=self.stop)
        except OutOfReachError:
            return (None,) * len(self.patterns)
        total = sum(law.values())
        return tuple(Fraction(law.get(((c, c),), 0), total) for c in range(1, len(self.patterns) + 1))

    def held(self, at: int) -> tuple[Fraction, ...] | None:
        """Probability that 0, 1, … hands of a deal hold a pattern; None where out of reach."""
        return self._numbers(build([self.patterns[at]], self.hand_size))

    def counted(self, at: int) -> tuple[Fraction, ...] | None:
        """Probability that a pattern is the strongest of 0, 1, … hands of a deal; None where out of reach."""
        return self._numbers(with_output(self._all, lambda held: int(strongest(held) == at + 1)))

    @cached_property
    def _all(self) -> Automaton:
        return build(self.patterns, self.hand_size)

    def _numbers(self, automaton: Automaton) -> tuple[Fraction, ...] | None:
        try:
            law = joint_law([Role(self.players, automaton)], limit=self.limit, stop=self.stop)
        except OutOfReachError:
            return None
        total = sum(law.values())
        numbers = [0] * (self.players + 1)
        for entry, deals in law.items():
            numbers[sum(entry[0])] += deals
        return tuple(Fraction(deals, total) for deals in numbers)
