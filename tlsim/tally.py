"""Integer tallies of simulated deals, which add exactly in any order.

Every sum is kept in 256 batches (number of the chunk modulo 256), so that two runs over the same deals can be compared
pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BATCHES = 256


@dataclass(frozen=True, eq=False)
class OddsTally:
    """Counts of the tới trắng patterns of a list over deals; all int64, first axis batches.

    Parameters
    ----------
    deals
        Number of deals, shape (256,).
    held, counts
        Per pattern: hands that hold it; hands for which it is the strongest. Shape (256, patterns).
    held_squares, counts_squares
        The same number of hands of one deal, squared, summed over deals; shape (256, patterns).
    wins
        Per pattern: deals that it wins; shape (256, patterns).
    seats
        Deals by the number of seats that hold a pattern; shape (256, seats + 1).
    heo, heo_squares
        What đếm heo adds for the winner, in half units, and its square, summed over deals; shape (256,).
    """

    deals: Ints
    held: Ints
    held_squares: Ints
    counts: Ints
    counts_squares: Ints
    wins: Ints
    seats: Ints
    heo: Ints
    heo_squares: Ints

    @classmethod
    def zero(cls, patterns: int, seats: int) -> OddsTally:
        """Return the tally of no deals."""
        one, each = (BATCHES,), (BATCHES, patterns)
        shapes = (one, each, each, each, each, each, (BATCHES, seats + 1), one, one)
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def __add__(self, other: OddsTally) -> OddsTally:
        return OddsTally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OddsTally):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]

    def total(self, name: str) -> Ints:
        """Return one of the sums over all batches."""
        return np.asarray(getattr(self, name).sum(axis=0))
