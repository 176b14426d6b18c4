"""How many hands of one deal hold a pattern: the exact law behind simulated counts."""

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
