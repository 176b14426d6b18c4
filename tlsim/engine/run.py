"""Running: hand the blocks to an executor and add up what comes back; when a run stops."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from tlsim.engine.executors import Pool, opened, release
from tlsim.engine.keep import Kept
from tlsim.engine.store import StoreError
from tlsim.engine.work import CHUNK, Block, Done, Ledger, Pace, Parcel, Plan, T, Work, do
from tlsim.errors import RunError, Sentence, UsageError, wrong
from tlsim.options import is_number

_IN_FLIGHT = 3  # blocks per worker that are handed out and not yet back
_TELL_EVERY = 0.1  # seconds between reports of progress
_BLOCKS_IN_TIME = 8  # for each worker, at least, where the time is limited
_LOOK_EVERY = 2.0  # seconds without a block after which to look whether a process was killed
_COUNT_EVERY = 5.0  # seconds after which workers are counted again
_HEEDED = 10.0  # seconds in which all that was begun heeds the stop flag, a game of a slow policy included
_STUCK, _FAR_STUCK = 60.0, 600.0  # seconds after its time in which all must end: here, and where kernels compile unseen
_MOST_DEATHS = 3  # of processes, with not one block finished between them


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
            if value is not None and not (is_number(value) and 0 < value <= most and math.isfinite(value)):
                if math.isfinite(most):
                    raise wrong(name, value, "must be a number over 0, at most {most:g}", most=most)
                raise wrong(name, value, "must be a number over 0")
        if not is_number(self.floor) or not 0 <= self.floor < 1:
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


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The sum over all finished blocks, whether that is all that was asked for, and the seconds it took."""

    tally: T
    complete: bool
    seconds: float
    stopped: str = "size"  # why it stopped: one of `REASONS`
    error: RunError | None = None  # why the run could not go on
    deals: int = 0  # deals (or matches) in the tally

    @property
    def ended(self) -> dict[str, Any]:
        """What a result says of its run."""
        return {"complete": self.complete, "seconds": self.seconds, "stopped": self.stopped}


REASONS = ("failure", "interrupt", "time", "error", "size", "stored")
"""It could not go on; it was interrupted; reached its time; its error; did all deals; all was stored before."""


def worst(reasons: Iterable[str]) -> str:
    """Return why several runs stopped, in one word of `REASONS`: what most keeps them from being complete."""
    found = set(reasons)
    return next((reason for reason in REASONS if reason in found), "")


Tell: TypeAlias = Callable[[int, int, T, float], None]
"""Told now and then of the deals done, the deals wanted, the tally so far and the seconds so far."""


class _Reached(Exception):  # noqa: N818 (no error)
    """A set point at which the wanted error is reached."""


def run(
    work: Work[T],
    deals: int,
    zero: T,
    *,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Tell[T] | None = None,
    unit: int = CHUNK,
    kept: Kept | None = None,
    until: Until | None = None,
    measure: Measure | None = None,
) -> Outcome[T]:
    """Do the work of so many deals; ``zero`` is the tally of nothing, ``measure`` what ``until`` looks at.

    An interrupt, or an executor that breaks, stops it within a second; finished blocks are kept.
    """
    running = _Running(work, deals, zero, unit, kept, until or Until(), measure)
    stopped, error = "failure", None
    try:
        running.load()
        stopped = "stored" if running.ledger.deals else "size"
        if running.plan.left:
            stopped = running.go(executor, threads, progress)
    except KeyboardInterrupt:
        stopped = "interrupt"
    except _Reached:
        stopped = "error"
    except RunError as broken:
        stopped, error = "failure", broken
    if kept is not None and not isinstance(error, StoreError):
        try:
            kept.stop(stopped, running.reached)
        except StoreError as full:
            stopped, error = "failure", full
    complete = stopped not in {"interrupt", "failure"}
    return Outcome(running.tally, complete, running.seconds, stopped, error, running.deals)


class _Running(Generic[T]):
    """A run under way."""

    def __init__(
        self, work: Work[T], deals: int, zero: T, unit: int, kept: Kept | None, until: Until, measure: Measure | None
    ) -> None:
        self._work, self._deals, self._unit, self._kept = work, deals, unit, kept
        self._until, self._measure = until, measure
        self.ledger: Ledger[T] = Ledger(zero, unit)
        self.plan = Plan(0, unit)
        self.reached = 0  # units of the set point that ended the run
        self._at_reached: T | None = None
        self.begun = time.perf_counter()

    @property
    def tally(self) -> T:
        """The sum up to the set point that ended the run, or of all that is done."""
        return self.ledger.total if self._at_reached is None else self._at_reached

    @property
    def deals(self) -> int:
        """Deals in that sum."""
        return self.reached * self._unit or self.ledger.deals

    @property
    def seconds(self) -> float:
        """Seconds since work began."""
        return time.perf_counter() - self.begun

    def load(self) -> None:
        """Take in what a store holds, and plan what is left."""
        done = []
        for part, tally in self._kept.done() if self._kept else ():
            done.append((part.first, part.end))
            self._add(Block(part.first, part.deals), tally)
        self.plan = Plan(self._deals, self._unit, done, self._kept.within() if self._kept else None)

    def go(self, executor: Executor | str | None, threads: int | None, progress: Tell[T] | None) -> str:
        """Do what is left; return why that ended."""
        wanted = self.ledger.deals + self.plan.deals_left
        with opened(executor, threads) as pool:
            hands = _Hands(pool, self._work, self._until.max_time)
            try:
                hands.warm()
                self.begun = told = time.perf_counter()
                for block, tally in hands.results(self.plan, self._unit):
                    try:
                        if self._kept is not None:
                            self._kept.add(block, tally)
                    finally:  # it counts, also where it cannot be kept
                        self._add(block, tally)
                    now = time.perf_counter()
                    if progress and (now - told > _TELL_EVERY or self.ledger.deals == wanted):
                        told = now
                        progress(self.ledger.deals, wanted, self.ledger.total, now - self.begun)
            finally:
                pool.stop[0] = 1
                hands.leave()
        return "time" if self.plan.left or hands.dropped else "size"

    def _add(self, block: Block, tally: T) -> None:
        """Add a block; raise `_Reached` where the error is small enough at a set point that is reached by it."""
        for units, prefix in self.ledger.add(block, tally):
            if self._measure is None or not self._until.looks or units * self._unit > self._deals:
                continue
            if self._until.reached(*self._measure(prefix), units * self._unit):
                self.reached, self._at_reached = units, prefix
                raise _Reached


class _Hands:
    """Hands blocks out to a pool and takes back what they become; only so many are out at a time."""

    def __init__(self, pool: Pool, work: Work[T], max_time: float | None) -> None:
        self._pool, self._max_time = pool, math.inf if max_time is None else max_time
        self._work: Any = work if pool.shared else Parcel.of(work)
        self._extra = (pool.stop,) if pool.shared else ()
        self._out: dict[Future[Done[Any]], Block] = {}
        self._deaths = 0
        self._due = math.inf  # when the time is over
        self._failure: RunError | KeyboardInterrupt | None = None
        self.dropped = 0  # blocks that were handed out and not begun when the time was over

    def warm(self) -> None:
        """Have workers load kernels before the clock starts, so that no interrupt meets the compiler at work."""
        self._due = time.perf_counter() + self._max_time
        for _ in range(self._pool.workers if self._pool.anew else 1):
            self._hand_out(Block(0, 1))
        while self._out:
            self._take_back()
        if self._failure:
            raise self._failure

    def results(self, plan: Plan, unit: int) -> Iterator[tuple[Block, Any]]:
        """Yield finished blocks with their tallies."""
        pace = Pace(min(self._pool.seconds, self._max_time / _BLOCKS_IN_TIME))
        begun = counted = time.perf_counter()
        self._due, workers = begun + self._max_time, self._pool.workers
        try:
            while True:
                now = time.perf_counter()
                if now - counted > _COUNT_EVERY:
                    workers, counted = self._pool.workers, now
                if now - begun > self._max_time and pace.noted:  # there is always something
                    self._drop()
                else:
                    while len(self._out) < _IN_FLIGHT * workers and (block := plan.take(pace.units, workers)):
                        self._hand_out(block)
                if not self._out:
                    return
                for block, done in self._take_back():
                    tally = done.result()
                    pace.note(-(-block.deals // unit), done.seconds)
                    if tally is not None:
                        yield block, tally
                if self._failure:
                    raise self._failure
        finally:
            for future in self._out:
                future.cancel()

    def _drop(self) -> None:
        """Take back what no worker has begun; all else is finished, or slow blocks would be missing more often."""
        for future in [future for future in self._out if future.cancel()]:
            del self._out[future]
            self.dropped += 1

    def _hand_out(self, block: Block) -> None:
        try:
            self._out[self._pool.executor.submit(do, self._work, block, *self._extra)] = block
        except BrokenProcessPool as error:
            self._begin_again(error, block)
        except Exception as error:  # whatever an executor raises that was shut down, or lost its cluster
            raise _broken(error) from error

    def _take_back(self) -> list[tuple[Block, Done[Any]]]:
        """Wait for some blocks; those that died with a process are handed out again, errors are told last."""
        found, lost = [], {}
        finished = wait(self._out, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED).done
        if not finished:
            release(self._pool.executor)
            self._heed_time()
        for future in finished:
            block = self._out.pop(future)
            try:
                found.append((block, future.result()))
                self._deaths = 0
            except BrokenProcessPool as error:
                lost[block] = error
            except KeyboardInterrupt as interrupt:
                self._failure = interrupt
            except Exception as error:  # noqa: BLE001 (of any executor)
                self._failure = _broken(error)
        if lost:
            try:
                self._begin_again(next(iter(lost.values())), *lost)
            except RunError as error:
                self._failure = error
        return found

    def _heed_time(self) -> None:
        """Give up work that has not ended long after its time: a policy that never returns."""
        late, shared = time.perf_counter() - self._due, self._pool.shared
        if late < (_STUCK if shared else _FAR_STUCK):
            return
        if shared and is_compiling():
            self._due = time.perf_counter()
            return
        self._pool.give_up()
        error = RunError("a block has not ended {seconds:.0f} seconds after its time: does the policy, or predicate, "
                         "always return?", seconds=late)  # fmt: skip
        error.stuck = self._pool.left
        raise error

    def leave(self) -> None:
        """Wait until what is begun heeds the stop flag; a policy that never returns is left behind."""
        begun = [future for future in self._out if not future.cancel()]
        while self._pool.shared and not self._pool.left and wait(begun, timeout=_HEEDED).not_done:
            if not is_compiling():
                self._pool.give_up()

    def _begin_again(self, error: BrokenProcessPool, *blocks: Block) -> None:
        """Hand out all blocks again to new processes, unless none of ours broke or they die over and over."""
        self._deaths += 1
        if self._deaths > _MOST_DEATHS or not self._pool.rebuild():
            raise _broken(error, self._deaths) from error
        lost, self._out = [*blocks, *self._out.values()], {}
        for block in lost:
            self._hand_out(block)


def is_compiling() -> bool:
    """Whether a thread compiles a kernel."""
    from numba.core.compiler_lock import global_compiler_lock

    lock = global_compiler_lock._lock  # noqa: SLF001 (no public way)
    if free := lock.acquire(blocking=False):
        lock.release()
    return not free


def _broken(error: Exception, deaths: int = 0) -> RunError:
    """Return the error of an executor that could not do what it was given."""
    reason = ": ".join(filter(None, [type(error).__name__, str(error)]))
    if deaths > _MOST_DEATHS:
        return RunError("processes died {deaths} times and finished nothing between ({reason}); is there enough "
                        "memory? Fewer 'threads' need less; executor='threads' shows what goes wrong", deaths=deaths,
                        reason=reason)  # fmt: skip
    if type(error).__name__ in {"CancelledError", "CommClosedError"}:
        reason = Sentence("its scheduler or its workers are gone: {reason}", reason=reason)
    return RunError("the executor broke ({reason}); the blocks finished before are kept. Start a new executor and run "
                    "again", reason=reason)  # fmt: skip
