"""The ledger of a run: what is done, and its sums up to every set point."""

from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

from tlsim.engine.blocks import Block, point, stretch


class Adds(Protocol):
    """What blocks return: it adds."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Adds)


@dataclass(frozen=True)
class _State(Generic[T]):
    """Sums at one moment; an interrupt, which may come between any two steps, finds this one or the next."""

    prefix: T
    number: int = 0
    deals: int = 0
    sums: dict[int, T] = field(default_factory=dict)
    missing: dict[int, int] = field(default_factory=dict)


class Ledger(Generic[T]):
    """Adds up blocks, of units of so many deals, that come in any order; memory does not grow with the run.

    What lies between two set points is a stretch. Stretches that are whole, from the first on, are one sum; the few
    after them that are under way have one each.
    """

    def __init__(self, zero: T, unit: int) -> None:
        self._zero, self._unit = zero, unit
        self._state: _State[T] = _State(zero)

    @property
    def deals(self) -> int:
        """Deals that are done."""
        return self._state.deals

    @property
    def total(self) -> T:
        """The sum of all that is done."""
        return sum(self._state.sums.values(), start=self._state.prefix)

    def add(self, block: Block, tally: T) -> list[tuple[int, T]]:
        """Add what was done between two set points; return the set points that are reached now, and the sums there."""
        state, at = self._state, stretch(block.first)
        prefix, number, sums, missing = state.prefix, state.number, dict(state.sums), dict(state.missing)
        sums[at] = sums.get(at, self._zero) + tally
        missing[at] = missing.get(at, (point(at + 1) - point(at)) * self._unit) - block.deals
        reached = []
        while missing.get(number) == 0:
            prefix = prefix + sums.pop(number)
            del missing[number]
            number += 1
            reached.append((point(number), prefix))
        self._state = _State(prefix, number, state.deals + block.deals, sums, missing)
        return reached
