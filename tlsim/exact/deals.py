"""How many hands of one deal hold a pattern: the exact law behind simulated counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from tlsim.exact.automaton import Automaton, build, strongest, with_output
from tlsim.exact.classes import class_law
from tlsim.exact.joint import OutOfReachError, Role, joint_law
from tlsim.patterns import Pattern

_QUICK = 300_000  # states; a check of a simulation is worth some seconds, not minutes


@dataclass(frozen=True)
class DealCounts:
    """The hands of one deal that hold a pattern, or for which it is the strongest.

    Parameters
    ----------
    patterns
        Strongest first.
    hand_size, players
        Cards of a hand, number of seats.
    """

    patterns: tuple[Pattern, ...]
    hand_size: int
    players: int

    def pairs_held(self) -> tuple[Fraction, ...]:
        """Per pattern: probability that two given hands both hold it."""
        laws = [joint_law([Role(2, build([pattern], self.hand_size))]) for pattern in self.patterns]
        return tuple(Fraction(law.get(((1, 1),), 0), sum(law.values())) for law in laws)

    def pairs_counted(self) -> tuple[Fraction | None, ...]:
        """Per pattern: probability that it is the strongest of two given hands; None where out of reach."""
        try:
            law = class_law(self.patterns, self.hand_size, (2,), limit=_QUICK)
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
            law = joint_law([Role(self.players, automaton)], limit=_QUICK)
        except OutOfReachError:
            return None
        total = sum(law.values())
        numbers = [0] * (self.players + 1)
        for entry, deals in law.items():
            numbers[sum(entry[0])] += deals
        return tuple(Fraction(deals, total) for deals in numbers)
