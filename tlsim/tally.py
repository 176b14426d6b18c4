"""Integer tallies, which add exactly in any order.

Sums are kept in 256 batches (number of the chunk, or of the group of matches, modulo 256), so that two runs over the
same deals can be compared pair by pair.
"""

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BATCHES = 256


class Tally:
    """Sums that add field by field; a subclass is a frozen dataclass of whole numbers, int64 arrays, other tallies."""

    def __add__(self, other: Self) -> Self:
        return type(self)(**{name: _sum(one, two) for name, one, two in self._beside(other)})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(one == two if isinstance(one, tuple) else np.array_equal(one, two)
                   for _, one, two in self._beside(other))  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def _beside(self, other: Any) -> list[tuple[str, Any, Any]]:
        return [(f.name, getattr(self, f.name), getattr(other, f.name)) for f in fields(self)]  # type: ignore[arg-type]


def _sum(one: Any, two: Any) -> Any:
    return tuple(map(_sum, one, two)) if isinstance(one, tuple) else one + two


@dataclass(frozen=True, eq=False)
class OddsTally(Tally):
    """Counts of the tới trắng patterns of a list over deals; all int64, first axis batches."""

    deals: Ints  # [256]: number of deals
    held: Ints  # [256, patterns]: hands that hold each pattern
    held_squares: Ints  # [256, patterns]: the same number of hands of one deal, squared, summed over deals
    counts: Ints  # [256, patterns]: hands for which it is the strongest
    counts_squares: Ints
    wins: Ints  # [256, patterns]: deals that it wins
    seats: Ints  # [256, seats + 1]: deals by the number of seats that hold a pattern
    heo: Ints  # [256]: what đếm heo adds for the winner, in half units, summed over deals
    heo_squares: Ints  # [256]: and its square

    @classmethod
    def zero(cls, patterns: int, seats: int) -> "OddsTally":
        """Return the tally of no deals."""
        one, each = (BATCHES,), (BATCHES, patterns)
        shapes = (one, each, each, each, each, each, (BATCHES, seats + 1), one, one)
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def total(self, name: str) -> Ints:
        """Return one of the sums over all batches."""
        return np.asarray(getattr(self, name).sum(axis=0))
