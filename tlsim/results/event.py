"""`EventOdds`: what `tlsim.estimate_event` returns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from tlsim import intervals, terms
from tlsim.results.parts import Provenance, Row, frame, html, one_in, provenance_note, shown, shown_error, shown_one_in

COLUMNS = ("predicate", "hands", "count", "estimate", "std_error", "ci_low", "ci_high", "one_in")


@dataclass(frozen=True)
class EventOdds:
    """Simulated odds that one hand meets a user's predicate; one hand of each deal is looked at.

    Parameters
    ----------
    provenance
        What the number rests on; ``deals`` is the number of hands.
    count
        Hands that meet the predicate.
    complete
        False where the run was interrupted.
    seconds
        Time that the deals took.
    stopped
        Why it stopped; see `tlsim.engine.run.REASONS`.

    Examples
    --------
    >>> odds = EventOdds(Provenance(version="0.1.0", predicate="f", deals=400, seed=0), count=100)
    >>> odds.estimate, round(odds.std_error, 4)
    (0.25, 0.0217)
    >>> [round(end, 3) for end in odds.interval()]
    [0.208, 0.295]
    """

    provenance: Provenance
    count: int
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.provenance.deals or 0

    @property
    def estimate(self) -> float:
        """Share of the hands; NaN without hands."""
        return self.count / self.hands if self.hands else math.nan

    @property
    def std_error(self) -> float:
        """Standard error of `estimate`; NaN for fewer than two hands."""
        return intervals.clustered_error(self.count, self.count, self.hands)

    def interval(self, level: float | None = None) -> tuple[float, float]:
        """Return the confidence interval of Clopper and Pearson; by default it covers with 95 %."""
        return intervals.korn_graubard(self.count, self.hands, level=level or intervals.level_after(self.stopped))

    def rows(self) -> list[Row]:
        """Return one row with the columns of `to_frame`."""
        low, high = self.interval()
        return [{
            "predicate": self.provenance.predicate, "hands": self.hands, "count": self.count,
            "estimate": self.estimate, "std_error": self.std_error, "ci_low": low, "ci_high": high,
            "one_in": one_in(self.estimate),
        }]  # fmt: skip

    def to_frame(self) -> Any:
        """Return one row as a pandas frame: count, estimate, standard error, 95 % interval."""
        return frame(self.rows(), COLUMNS)

    def _repr_html_(self) -> str:
        low, high = self.interval()
        cells = [[shown(self.estimate), shown_error(self.std_error), f"{shown(low)} … {shown(high)}",
                  shown_one_in(one_in(self.estimate))]]  # fmt: skip
        headings = [terms.term(key) for key in ("simulated", "std_error", "interval", "one_in")]
        title = self.provenance.predicate or ""
        note = provenance_note(self.provenance)
        return html(title, headings, cells, note if self.complete else f"{terms.term('partial')} · {note}")
