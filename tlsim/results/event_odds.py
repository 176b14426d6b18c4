"""`EventOdds`: what `tlsim.estimate_event` returns."""

import math
from dataclasses import dataclass

from tlsim import intervals
from tlsim.columns import Row, declared
from tlsim.results.provenance import Known, one_in
from tlsim.results.result import RunResult

EVENT = declared("event.event")


@dataclass(frozen=True)
class EventOdds(RunResult):
    """Simulated odds that one hand meets a user's predicate; one hand of each deal is looked at."""

    count: int  # hands that meet the predicate

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
        return intervals.korn_graubard(self.count, self.hands, level=level or self.level)

    VIEWS = (EVENT,)

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (there is one)
        """Return its one quantity: ``event``."""
        return {"event": (self.estimate, self.std_error)}

    def _event(self) -> list[Row]:
        low, high = self.interval()
        known = {"predicate": self.provenance.predicate, "hands": self.hands, "count": self.count}
        found = {"estimate": self.estimate, "std_error": self.std_error, "ci_low": low, "ci_high": high}
        return [known | found | {"one_in": one_in(self.estimate)}]
