"""A task: one run of a question – what is done, what is made of it, where it is kept; and how it is run."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tlsim.engine.blocks import CHUNK
from tlsim.engine.kept import Keep, as_keep, kept_in
from tlsim.engine.until import Measure, Until
from tlsim.errors import UsageError, shorten

if TYPE_CHECKING:
    from tlsim.engine.run import Outcome

Progress: TypeAlias = Callable[[int, int, Any], None]
R = TypeVar("R")
_SAY_EVERY = 1.0  # seconds between looks at the estimate, on the bar
_WORST_FIRST = ("failure", "interrupt", "time", "error", "size", "stored")


@dataclass(frozen=True)
class How:
    """How a task is run: what does it, who is told, when it stops, where it is kept; see `tlsim.estimate_odds`."""

    executor: Executor | str | None = None
    threads: int | None = None
    progress: Progress | None = None
    until: Until | None = None
    store: Keep | str | Path | None = None

    def __post_init__(self) -> None:
        if self.until is not None and not isinstance(self.until, Until):
            raise UsageError(f"until = {shorten(self.until)}: must be a tlsim.Until, such as tlsim.Until(max_time=60)")
        keep = self.store
        if self.until and self.until.looks and isinstance(keep, Keep) and keep.shard != (1, 1):
            raise UsageError(
                f"shard = {keep.shard[0]}/{keep.shard[1]}: errors are looked at from the beginning of a run on, which "
                f"a shard does not have: do the shards without rel_error and abs_error, merge them, then ask for it"
            )


@dataclass(frozen=True)
class Task(Generic[R]):
    """One run of a question.

    Parameters
    ----------
    label
        Its label in a store, by default.
    work, wanted
        What is done with a block, and how many deals (or matches) are wanted.
    recipe
        What it takes to show the run again when it is kept.
    result
        Makes the result of an outcome.
    usual
        The quantity whose error ends it, where none is named.
    size, each
        What is counted, and how many of them one deal (or match) is.
    question
        Which of several runs of one question it is: a second part of its label.
    """

    label: str
    work: Any
    wanted: int
    recipe: dict[str, Any]
    result: Callable[[Outcome[Any]], R]
    usual: str
    size: str = "deals"
    each: int = 1
    question: str = ""

    @property
    def name(self) -> str:
        """Its label and its question."""
        return ", ".join(filter(None, [self.label, self.question]))

    @property
    def unit(self) -> int:
        """Deals (or matches) of a unit of work."""
        return int(getattr(self.work, "unit", CHUNK))

    def outcome(self, how: How) -> Outcome[Any]:
        """Run it, as far as it goes."""
        from tlsim.engine.run import run

        until = how.until and replace(how.until, at_least=-(-how.until.at_least // self.each))
        recipe = self.recipe | {"each": self.each}
        store = how.store if not self.question or how.store is None else as_keep(how.store).beside(self.question)
        with (
            kept_in(store, self.label, self.work, recipe, self.wanted) as kept,
            _Told(how.progress, self) as tell,
        ):
            return run(
                self.work, self.wanted, self.work.zero(), executor=how.executor, threads=how.threads, progress=tell,
                unit=self.unit, kept=kept, until=until, measure=self._measure(how.until),
            )  # fmt: skip

    def run(self, how: How) -> R:
        """Return its result; a run that could not go on raises its error, which holds what there is."""
        outcome = self.outcome(how)
        found = self.result(outcome)
        if outcome.error is not None:
            outcome.error.result = found
            raise outcome.error
        return found

    def _measure(self, until: Until | None) -> Measure | None:
        """Return what tells the quantity that ends the run, from a tally; None where none does."""
        if until is None or not until.looks:
            return None
        from tlsim.engine.run import Outcome
        from tlsim.results.quantities import quantity

        def measure(tally: Any) -> tuple[float, float]:
            return quantity(self.result(Outcome(tally, True, 0.0)), until.of or self.usual, until.floor)

        measure(self.work.zero())  # an unknown quantity is refused before anything is run
        return measure


class Shares:
    """A time that several runs share: each may take an equal part of what the runs before it have left.

    Examples
    --------
    >>> shares = Shares(Until(max_time=60.0), runs=3)
    >>> shares.next().max_time
    20.0
    >>> shares.took(10.0)  # it was done sooner
    >>> shares.next().max_time
    25.0
    """

    def __init__(self, until: Until | None, runs: int) -> None:
        self._until, self._runs = until, runs
        self._left = None if until is None else until.max_time

    def next(self) -> Until | None:
        """Return when the next run stops."""
        runs, self._runs = max(1, self._runs), self._runs - 1
        if self._until is None or self._left is None:
            return self._until
        return replace(self._until, max_time=max(self._left / runs, 1e-3))

    def took(self, seconds: float) -> None:
        """Take notice of the time that a run took."""
        if self._left is not None:
            self._left = max(0.0, self._left - seconds)


def worst(reasons: Iterable[str]) -> str:
    """Return why several runs stopped, in one word: what most keeps them from being complete; see `engine.run.REASONS`.

    >>> worst(["size", "interrupt", "stored"]), worst([])
    ('interrupt', '')
    """
    found = set(reasons)
    return next((reason for reason in _WORST_FIRST if reason in found), "")


def _bar(**options: Any) -> Any:
    """Return a bar: that of notebooks where they can show one, otherwise one that only terminals show.

    ``TQDM_DISABLE=1`` hides that of notebooks.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has no bar, which is no fault of its user
        from tqdm.auto import tqdm

    if not any(kind.__module__ == "tqdm.notebook" for kind in tqdm.__mro__):
        return tqdm(disable=None, **options)
    # The output of a notebook is no terminal, so the stream cannot say whether to show a bar.
    return tqdm(disable=bool(os.environ.get("TQDM_DISABLE")), **options)


class _Told:
    """Report progress to the caller's function, or on a bar in a terminal or notebook."""

    def __init__(self, progress: Progress | None, task: Task[Any]) -> None:
        if progress is not None and not callable(progress):
            raise UsageError(f"progress = {shorten(progress)}: must be a function f(done, total, partial_result)")
        self._progress, self._task = progress, task
        self._bar: Any = None
        self._said = 0.0

    def __enter__(self) -> Callable[[int, int, Any, float], None]:
        if self._progress is None:
            unit = f" {self._task.size if self._task.each == 1 else 'matches'}"
            self._bar = _bar(
                total=self._task.wanted, desc=self._task.name, unit=unit, unit_scale=True, delay=1, leave=False
            )
        return self._tell

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _tell(self, done: int, total: int, tally: Any, seconds: float) -> None:
        from tlsim.engine.run import Outcome

        if self._progress is not None:
            self._progress(done, total, self._task.result(Outcome(tally, done == total, seconds)))
            return
        self._bar.total = total
        if seconds - self._said > _SAY_EVERY and not self._bar.disable:
            from tlsim.results.quantities import headline

            self._said = seconds
            said = headline(self._task.result(Outcome(tally, False, seconds)))
            self._bar.set_postfix_str(said, refresh=False)
        self._bar.update(done - self._bar.n)
