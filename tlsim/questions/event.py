"""How often a hand meets a predicate of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from tlsim.engine.odds_work import Counter, EventTally, EventWork
from tlsim.engine.run import Outcome
from tlsim.options import option
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import Question
from tlsim.results.estimated import EventOdds
from tlsim.results.provenance import Provenance
from tlsim.version import __version__


@dataclass(frozen=True)
class Event(Question[EventOdds]):
    """How often a hand meets a predicate, found by dealing single hands."""

    predicate: Callable[[int], bool] | str = option("predicate")
    deals: int = option("deals")
    hand_size: int = option("hand_size")
    seed: int = option("seed")
    compiled: bool = field(default=True, kw_only=True, repr=False)

    command, usual, headline = "event", "event", "event"

    def _settle(self) -> None:
        if self.compiled:
            counter = Counter(self.predicate)
            self._set(predicate=getattr(counter.predicate, "__qualname__", counter.name))
            object.__setattr__(self, "_counter", counter)

    @property
    def label(self) -> str:
        """Return what its run is called in a store, by default."""
        return f"event {self.predicate}"

    def work(self) -> EventWork:
        """Return the dealing of hands."""
        return EventWork(self.seed, self.hand_size, self._counter)  # type: ignore[attr-defined]

    def to_json(self) -> dict[str, Any]:
        """Return what it takes to show its result again; the predicate itself stays where it is."""
        asked = {"command": self.command, "predicate": self.predicate, "hand_size": self.hand_size}
        return asked | {"seed": self.seed, "each": 1}

    @classmethod
    def from_json(cls, asked: dict[str, Any]) -> Self:
        """Return the question again, without what counts: the predicate may be anywhere."""
        names = ("predicate", "deals", "hand_size", "seed")
        return cls(**{key: asked[key] for key in names if key in asked}, compiled=False)

    def result(self, outcome: Outcome[EventTally]) -> EventOdds:
        """Return the estimate."""
        provenance = Provenance(
            version=__version__, predicate=str(self.predicate), hand_size=self.hand_size, deals=outcome.tally.hands,
            seed=self.seed,
        )  # fmt: skip
        return EventOdds(provenance, outcome.tally.count, **outcome.ended)


@asks(Event)
def estimate_event(question: Event, how: How) -> EventOdds:
    """Deal single hands and count those that meet a predicate of your own.

    >>> import numba
    >>> @numba.njit
    ... def has_red_twos(hand):
    ...     return (hand >> 50) & 3 == 3
    >>> odds = estimate_event(has_red_twos, deals=200_000, seed=1)
    >>> abs(odds.estimate - 13 * 12 / (52 * 51)) < 6 * odds.std_error
    True
    """
    return run(question, how)
