"""Running: hand the blocks to an executor and add up what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Generic

from tlsim.engine.blocks import CHUNK, Block, Pace, Plan
from tlsim.engine.executors import Pool, opened
from tlsim.engine.ledger import Ledger, T
from tlsim.engine.ship import Done, Parcel, Work, do
from tlsim.errors import RunError

_IN_FLIGHT = 3  # blocks per worker that are handed out and not yet back
_TELL_EVERY = 0.1  # seconds between reports of progress
_COUNT_EVERY = 5.0  # seconds after which workers are counted again
_MOST_DEATHS = 3  # of processes, with not one block finished between them


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The sum over all finished blocks, whether that is all of them, and the seconds it took.

    Parameters
    ----------
    tally, complete, seconds
        What was just said.
    error
        Why the run could not go on; None where it could.
    """

    tally: T
    complete: bool
    seconds: float
    error: RunError | None = None


def run(
    work: Work[T],
    deals: int,
    zero: T,
    *,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int, T, float], None] | None = None,
    unit: int = CHUNK,
) -> Outcome[T]:
    """Do the work of ``deals`` deals.

    An interrupt stops the work within a second and keeps the finished blocks; so does an executor that breaks.

    Parameters
    ----------
    work
        What to do with a block.
    deals
        Number of deals.
    zero
        The tally of nothing.
    executor, threads
        See `tlsim.engine.executors.opened`.
    unit
        Deals of a unit of work that is never cut.
    progress
        Called now and then with the deals done, the deals wanted, the tally so far and the seconds so far.
    """
    ledger, plan = Ledger(zero, unit), Plan(deals, unit)
    error = None
    begin = told = time.perf_counter()
    with opened(executor, threads) as pool:
        hands = _Hands(pool, work)
        try:
            hands.warm()
            begin = told = time.perf_counter()
            for block, tally in hands.results(plan, unit):
                ledger.add(block, tally)
                now = time.perf_counter()
                if progress and (now - told > _TELL_EVERY or ledger.deals == deals):
                    told = now
                    progress(ledger.deals, deals, ledger.total, now - begin)
        except KeyboardInterrupt:
            pass
        except RunError as broken:
            error = broken
        finally:
            pool.stop[0] = 1
    return Outcome(ledger.total, ledger.deals == deals, time.perf_counter() - begin, error)


class _Hands:
    """Hands blocks out to a pool and takes back what they become; only so many are out at a time."""

    def __init__(self, pool: Pool, work: Work[T]) -> None:
        self._pool = pool
        self._work: Any = work if pool.shared else Parcel.of(work)
        self._extra = (pool.stop,) if pool.shared else ()
        self._out: dict[Future[Done[Any]], Block] = {}
        self._deaths = 0
        self._failure: RunError | None = None

    def warm(self) -> None:
        """Have kernels compiled or loaded before the clock starts.

        By a worker, since an interrupt, which comes to the main thread, must not meet the compiler at work.
        """
        self._hand_out(Block(0, 1))
        while self._out:
            self._take_back()
        if self._failure:
            raise self._failure

    def results(self, plan: Plan, unit: int) -> Iterator[tuple[Block, Any]]:
        """Yield finished blocks with their tallies."""
        pace = Pace(self._pool.seconds)
        workers, counted = self._pool.workers, time.perf_counter()
        try:
            while True:
                if time.perf_counter() - counted > _COUNT_EVERY:
                    workers, counted = self._pool.workers, time.perf_counter()
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

    def _hand_out(self, block: Block) -> None:
        try:
            self._out[self._pool.executor.submit(do, self._work, block, *self._extra)] = block
        except BrokenProcessPool as error:
            self._begin_again(error, block)
        except Exception as error:  # whatever an executor raises that was shut down, or lost its cluster
            raise _broken(error) from error

    def _take_back(self) -> list[tuple[Block, Done[Any]]]:
        """Wait for some blocks; those that died with a process are handed out again."""
        found = []
        for future in wait(self._out, return_when=FIRST_COMPLETED).done:
            block = self._out.pop(future, None)
            if block is None:  # handed out again
                continue
            try:
                found.append((block, future.result()))
                self._deaths = 0
            except BrokenProcessPool as error:
                self._begin_again(error, block)
            except Exception as error:  # noqa: BLE001 (of any executor); raised once the others are taken back
                self._failure = _broken(error)
        return found

    def _begin_again(self, error: BrokenProcessPool, *blocks: Block) -> None:
        """Hand out all blocks again to new processes, unless none of ours broke or they die over and over."""
        self._deaths += 1
        if self._deaths > _MOST_DEATHS or not self._pool.rebuild():
            raise _broken(error, self._deaths) from error
        lost, self._out = [*blocks, *self._out.values()], {}
        for block in lost:
            self._hand_out(block)


def _broken(error: Exception, deaths: int = 0) -> RunError:
    """Return the error of an executor that could not do what it was given."""
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if deaths > _MOST_DEATHS:
        return RunError(
            f"processes died {deaths} times and finished nothing between ({reason}); is there enough memory? Fewer "
            f"'threads' need less; executor='threads' shows what goes wrong"
        )
    return RunError(
        f"the executor broke ({reason}); the blocks finished before are kept. Start a new executor and run again"
    )
