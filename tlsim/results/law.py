"""How the hands of one deal hang together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class DealLaw:
    """How the hands of one deal hang together, exact; what a simulated count is measured against.

    Parameters
    ----------
    held, counts
        Per pattern: probability that two given hands of a deal both hold it; that it is the strongest of both. None
        where that is out of reach.
    per_deal_held, per_deal_counts
        Functions of the index of a pattern: probability that k = 0, 1, … hands of a deal hold it, or have it as the
        strongest. None where that is out of reach.
    """

    held: tuple[Fraction | None, ...]
    counts: tuple[Fraction | None, ...]
    per_deal_held: Callable[[int], Sequence[Fraction] | None]
    per_deal_counts: Callable[[int], Sequence[Fraction] | None]
