"""Running: hand the blocks to an executor and add up what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import CHUNK, MOST_CHUNKS, Block, plan
from tlsim.engine.executors import Pool, opened

_IN_FLIGHT = 3  # blocks per worker that are handed out and not yet back
_TELL_EVERY = 0.1  # seconds between reports of progress


class Tally(Protocol):
    """What blocks return: it adds."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Tally)
T_co = TypeVar("T_co", covariant=True)


class Work(Protocol[T_co]):
    """A piece of work: picklable, so that processes and machines can do it."""

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> T_co | None:
        """Return the tally of a block, or None where it was stopped."""


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """The sum over all finished blocks, whether that is all of them, and the seconds it took."""

    tally: T
    complete: bool
    seconds: float


def run(
    work: Work[T],
    deals: int,
    zero: T,
    *,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int, T, float], None] | None = None,
    unit: int = CHUNK,
    most: int = MOST_CHUNKS,
) -> Outcome[T]:
    """Do the work of ``deals`` deals.

    An interrupt stops the threads within a chunk of 1,024 deals and keeps the finished blocks.

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
    unit, most
        Deals of a unit of work that is never cut, and most units of a block.
    progress
        Called now and then with the deals done, the deals wanted, the tally so far and the seconds so far.
    """
    total, done = zero, 0
    stop = np.zeros(1, dtype=np.int64)
    begin = told = time.perf_counter()
    with opened(executor, threads) as pool:
        try:
            # Kernels are compiled or loaded before the clock starts; by a worker, since an interrupt, which comes to
            # the main thread, must not meet the compiler at work.
            pool.executor.submit(work, Block(0, 1)).result()
            begin = told = time.perf_counter()
            for block, tally in _results(pool, work, plan(deals, pool.workers, unit, most), stop):
                total, done = total + tally, done + block.deals
                now = time.perf_counter()
                if progress and (now - told > _TELL_EVERY or done == deals):
                    told = now
                    progress(done, deals, total, now - begin)
        except KeyboardInterrupt:
            stop[0] = 1
    return Outcome(total, done == deals, time.perf_counter() - begin)


def _results(pool: Pool, work: Work[T], blocks: Iterable[Block], stop: NDArray[np.int64]) -> Any:
    """Yield finished blocks with their tallies; only so many are handed out at a time."""
    waiting: dict[Future[T | None], Block] = {}
    left = iter(blocks)
    extra = (stop,) if pool.shared else ()
    try:
        while True:
            while len(waiting) < _IN_FLIGHT * pool.workers and (block := next(left, None)):
                waiting[pool.executor.submit(work, block, *extra)] = block
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                block = waiting.pop(future)
                tally = future.result()
                if tally is not None:
                    yield block, tally
    finally:
        for future in waiting:
            future.cancel()
