"""When a run stops: after so many deals, after some time, or once a quantity is known well enough."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tlsim.errors import UsageError, wrong

MOST_REL_ERROR = 0.1
"""Above it a run stops on so few events that intervals after it no longer cover as they claim."""
Measure = Callable[[Any], tuple[float, float]]
"""From a tally, the estimate of a quantity and its standard error."""


@dataclass(frozen=True)
class Until:
    """When a run stops, beside its number of deals or games, which it never exceeds.

    Errors are standard errors, as the tables show them. A run looks at them only at set points: 8, 12, 16, 24, 32 …
    units (of 1,024 deals, or of 256 matches), each 1½ or 1⅓ times the one before. Where it stops is therefore the same
    for any number of threads and after any interruption, and it gives the numbers of that set point.

    Parameters
    ----------
    max_time
        Seconds after which no new work is begun.
    rel_error, abs_error
        Standard error to be reached: as a share of the estimate (0.1 at most), and in the unit of the quantity. Of two
        both must be reached.
    of
        The quantity: see the ``quantities()`` of the result. ``"worst"`` is the pattern, among those that are as
        common as ``floor`` by exact count, whose error is largest; the default for odds.
    floor
        Least probability of a pattern that ``"worst"`` looks at.
    at_least
        Deals (or games) before which a run does not stop for its errors.

    Examples
    --------
    >>> Until(rel_error=0.01, of="sau_doi").reached(100.0, 0.9, 5000)
    True
    """

    max_time: float | None = None
    rel_error: float | None = None
    abs_error: float | None = None
    of: str | None = None
    floor: float = 1e-5
    at_least: int = 0

    def __post_init__(self) -> None:
        for name, most in (("max_time", math.inf), ("rel_error", MOST_REL_ERROR), ("abs_error", math.inf)):
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and 0 < value <= most):
                if math.isfinite(most):
                    raise wrong(name, value, "must be a number over 0, at most {most:g}", most=most)
                raise wrong(name, value, "must be a number over 0")
        if not _is_number(self.floor) or not 0 <= self.floor < 1:
            raise wrong("floor", self.floor, "must be a probability under 1")
        if isinstance(self.at_least, bool) or not isinstance(self.at_least, int) or self.at_least < 0:
            raise wrong("at_least", self.at_least, "must be a whole number, 0 or more")
        if (self.of is not None or self.at_least) and not self.looks:
            raise UsageError("of and at_least say when to look at an error; give rel_error or abs_error with them")

    @property
    def looks(self) -> bool:
        """Whether it looks at errors at all."""
        return self.rel_error is not None or self.abs_error is not None

    def reached(self, estimate: float, error: float, deals: int) -> bool:
        """Return whether an error is small enough after so many deals."""
        if deals < self.at_least or not math.isfinite(error) or error <= 0:
            return False
        if self.abs_error is not None and error > self.abs_error:
            return False
        return self.rel_error is None or error <= self.rel_error * abs(estimate)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
