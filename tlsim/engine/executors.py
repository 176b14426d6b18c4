"""Executors: whatever follows `concurrent.futures.Executor` runs the blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from tlsim.errors import UsageError

MOST_THREADS = 4096


@dataclass(frozen=True)
class Pool:
    """An executor, how many blocks it works on at once, and whether it shares this process's memory."""

    executor: Executor
    workers: int
    shared: bool


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def opened(executor: Executor | str | None, threads: int | None) -> Iterator[Pool]:
    """Open what runs the blocks.

    Parameters
    ----------
    executor
        None or ``"threads"``: threads of this process; ``"processes"``: one process for each of ``threads``; or an
        open executor, which stays open.
    threads
        Number of threads or processes; default all cores.

    Raises
    ------
    UsageError
        If there is no such executor, or the number is out of range.
    """
    if threads is not None and (
        isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS
    ):
        raise UsageError(f"threads = {threads!r}: must be a whole number from 1 to {MOST_THREADS}")
    workers = threads or cores()
    if isinstance(executor, Executor):
        yield Pool(executor, workers, isinstance(executor, ThreadPoolExecutor))
    elif executor in (None, "threads"):
        with ThreadPoolExecutor(workers) as pool:
            yield Pool(pool, workers, shared=True)
    elif executor == "processes":
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield Pool(pool, workers, shared=False)
    else:
        raise UsageError(
            f"executor = {executor!r}: must be None or 'threads', 'processes', or a concurrent.futures.Executor"
        )
