"""`EstimatedOdds` and `EventOdds`: what `tlsim.estimate_odds` and `tlsim.estimate_event` return."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from tlsim import intervals
from tlsim.columns import Row, declared
from tlsim.exact.automaton import HandCounts
from tlsim.results.exact import OddsOfAList
from tlsim.results.pictures import ODDS
from tlsim.results.provenance import Known, one_in
from tlsim.results.result import RunResult
from tlsim.show.numbers import plus_minus, probability
from tlsim.tally import OddsTally


def shown_estimate(value: float | None, row: Row, _lang: str, prefix: str = "") -> str | None:
    """Return an estimate with its error; of what was never seen, the upper end of its interval."""
    if value is None or math.isnan(value):
        return None
    high = row.get(f"{prefix}ci_high")
    if value == 0 and high is not None:
        return f"0 (≤ {high:.2g})"
    return probability(value) + plus_minus(row.get(f"{prefix}std_error"))


def shown_z(_value: float | None, row: Row, _lang: str, prefix: str = "") -> str | None:
    """Return z of a row, or the tail probability where there is none."""
    z, tail = row.get(f"{prefix}z"), row.get(f"{prefix}tail")
    if z is not None:
        return f"{z:+.2f}"
    return None if tail is None else f"p {tail:.2g}" if tail < 0.01 else f"p {tail:.2f}"


HANDS = declared(
    "odds.simulated", holds_it=shown_estimate, is_strongest=partial(shown_estimate, prefix="counts_"), z=shown_z,
    counts_z=partial(shown_z, prefix="counts_"),
)  # fmt: skip
TABLE = declared("odds.simulated_table", simulated=shown_estimate)


@dataclass(frozen=True)
class DealLaw:
    """How the hands of one deal hang together, exact; what a simulated count is measured against.

    Probabilities by pattern that two given hands of a deal both hold it, or have it as the strongest; and functions of
    the index of a pattern, that k = 0, 1, … hands of a deal do. None is what is out of reach.
    """

    held: tuple[Fraction | None, ...]
    counts: tuple[Fraction | None, ...]
    per_deal_held: Callable[[int], Sequence[Fraction] | None]
    per_deal_counts: Callable[[int], Sequence[Fraction] | None]


@dataclass(frozen=True)
class EstimatedOdds(OddsOfAList, RunResult):
    """Simulated odds of the patterns of a list, beside the exact ones. Two results over different seeds add by ``+``.

    Errors are clustered by deal, intervals those of Korn and Graubard. With prefix ``counts_``: that a pattern is the
    strongest of the hand. The table is that of `table_frame`.
    """

    tally: OddsTally  # counts over the deals
    hands_per_deal: int  # hands of each deal that are counted: all seats, or 1 where cards of seat 0 are known
    exact: HandCounts  # exact numbers of hands
    law_source: Callable[[], DealLaw] = field(compare=False, repr=False)  # called when first needed; not for one hand
    most_heo: float = field(default=0.0, compare=False)  # what đếm heo adds to a win at most: all 2s, dearest bombs

    VIEWS = (HANDS, TABLE)
    PICTURES = ODDS
    TOLD = ("stopped",)

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:
        """Return all quantities by name, with their errors.

        ``tu_quy_2``: a hand holds it; ``counts_tu_quy_2``: it is the strongest; ``wins_tu_quy_2``: it wins the deal;
        ``someone``; ``worst``: the pattern, among those as common as ``floor``, whose error is the largest part of it.
        """
        found: dict[str, tuple[float, float]] = {}
        for name, prefix in (("held", ""), ("counts", "counts_")):
            for at, entry in enumerate(self.listed):
                found[prefix + entry.id] = self._known(*self._sums(name, at), self.hands_per_deal)
        for entry, total in zip(self.listed, self.tally.total("wins").tolist(), strict=True):
            found[f"wins_{entry.id}"] = self._known(total, total, 1)
        someone = int(self.tally.total("seats")[1:].sum())
        found["someone"] = self._known(someone, someone, 1)
        held = zip(self.listed, self.exact.holds, strict=True)
        common = [found[entry.id] for entry, holds in held if holds >= floor * self.exact.hands and holds]
        apart = {known: known[1] / known[0] if known[0] and known[1] == known[1] else math.inf for known in common}
        return {**found, "worst": max(apart, key=apart.__getitem__, default=(math.nan, math.nan))}

    def _known(self, total: int, squares: int, each: int) -> tuple[float, float]:
        """Return a mean per hand, of so many of each deal, and its error."""
        error = intervals.clustered_error(total, squares, self.deals, each)
        return total / (self.deals * each) if self.deals else math.nan, error

    def __add__(self, other: "EstimatedOdds") -> "EstimatedOdds":
        if not isinstance(other, EstimatedOdds):
            return NotImplemented
        return self._added(other, tally=self.tally + other.tally)

    @property
    def deals(self) -> int:
        """Number of deals."""
        return int(self.tally.total("deals"))

    @property
    def hands(self) -> int:
        """Number of hands that were counted."""
        return self.deals * self.hands_per_deal

    @cached_property
    def law(self) -> DealLaw:
        """How the hands of a deal hang together, exact."""
        if self.hands_per_deal > 1:
            return self.law_source()
        none = (Fraction(0),) * len(self.listed)
        shares = [[Fraction(n, self.exact.hands) for n in each] for each in (self.exact.holds, self.exact.counts)]
        held, counts = ([(1 - share, share) for share in each] for each in shares)
        return DealLaw(none, none, held.__getitem__, counts.__getitem__)

    def estimates(self) -> list[Row]:
        """Return ``pattern``, ``count``, ``estimate``, ``std_error`` only; needs nothing exact, so it is quick."""
        return [{"pattern": entry.id} | self._mean(*self._sums("held", at)) for at, entry in enumerate(self.listed)]

    def any_row(self) -> Row:
        """Return ``count``, ``estimate`` and ``std_error`` of the hands that hold any pattern."""
        total = int(self.tally.total("counts").sum())
        seats = self.tally.total("seats").tolist()
        squares = sum(k * k * n for k, n in enumerate(seats)) if self.hands_per_deal > 1 else total
        return self._mean(total, squares)

    def _simulated(self) -> list[Row]:
        rows = []
        for at, entry in enumerate(self.listed):
            held, counts = self._row("held", at), self._row("counts", at)
            rows.append({"pattern": entry.id} | held | {f"counts_{name}": value for name, value in counts.items()})
        return rows

    def _simulated_table(self) -> list[Row]:
        wins, seats = (self.tally.total(name).tolist() for name in ("wins", "seats"))
        rows = self._at_the_table(self._of_deals, self.deals - seats[0], wins, seats)
        if not any(entry.count_heo for entry in self.listed):
            return rows
        total, squares = int(self.tally.total("heo")), int(self.tally.total("heo_squares"))
        mean, error = self._halved(total, squares)
        low, high = intervals.amount_interval(total, squares, 2 * self.most_heo, self.deals, self.level)
        heo = {"quantity": "dem_heo", "estimate": mean, "std_error": error, "ci_low": low / 2, "ci_high": high / 2}
        return [*rows, dict.fromkeys(TABLE.keys) | heo]

    def payment(self) -> tuple[float, float]:
        """Return the mean payment of one loser per deal and its standard error, in the unit of the rules.

        Without đếm heo.
        """
        halves = [int(2 * entry.pays) for entry in self.listed]
        wins = self.tally.total("wins").tolist()
        total = sum(price * n for price, n in zip(halves, wins, strict=True))
        squares = sum(price * price * n for price, n in zip(halves, wins, strict=True))
        return self._halved(total, squares)

    def _halved(self, total: int, squares: int) -> tuple[float, float]:
        """Return a mean of half units per deal, and its error, in whole ones."""
        mean, error = self._known(total, squares, 1)
        return mean / 2, error / 2

    def table_frame(self) -> Any:
        """Return the odds at the table as a pandas frame.

        One row for ``someone``, one per pattern for ``wins`` (every holder declares), one per number of ``seats``:
        ``estimate`` and its twin ``probability`` are shares of the deals. Where đếm heo is played, ``dem_heo`` has as
        ``estimate`` what it adds for the winner: mean per deal, in the unit of the rules.
        """
        return self.to_frame("simulated_table")

    def _sums(self, name: str, at: int) -> tuple[int, int]:
        return int(self.tally.total(name)[at]), int(self.tally.total(f"{name}_squares")[at])

    def _mean(self, total: int, squares: int, per_deal: int | None = None) -> Row:
        mean, error = self._known(total, squares, per_deal or self.hands_per_deal)
        return {"count": total, "estimate": mean, "std_error": error}

    def _row(self, name: str, at: int) -> Row:
        """Return how often hands hold a pattern, or have it as the strongest, beside the exact share."""
        total, squares = self._sums(name, at)
        hands = (self.exact.holds if name == "held" else self.exact.counts)[at]
        each, p = self.hands_per_deal, Fraction(hands, self.exact.hands)
        pair, per_deal = getattr(self.law, name)[at], getattr(self.law, f"per_deal_{name}")
        if pair is None:
            deff = intervals.estimated_design_effect(total, squares, self.deals, each)
        else:
            deff = intervals.design_effect(each, p, pair)
        low, high = intervals.korn_graubard(total, self.hands, deff, self.level)
        row = self._mean(total, squares) | {"ci_low": low, "ci_high": high, "exact": float(p), "z": None, "tail": None}
        if self.hands * p >= intervals.FEW:
            row["z"] = None if pair is None else intervals.z_score(total, self.deals, each, p, pair)
        elif (law := per_deal(at)) is not None:
            row["tail"] = intervals.tail_probability(total, self.deals, law)
        return row

    def _of_deals(self, known: int) -> Row:
        low, high = intervals.korn_graubard(known, self.deals, level=self.level)
        row = self._mean(known, known, per_deal=1)  # 0 or 1 in each deal
        return row | {"ci_low": low, "ci_high": high, "probability": row["estimate"], "one_in": one_in(row["estimate"])}


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
