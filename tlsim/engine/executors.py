"""Executors: whatever follows `concurrent.futures.Executor` runs the blocks."""

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.catalogue import say
from tlsim.engine.work import heed
from tlsim.errors import UsageError, reason, wrong
from tlsim.jit import cores

log = logging.getLogger("tlsim")

MOST_THREADS = 4096
_QUICK, _LONG = 0.05, 1.0  # seconds of a block: in this process, and where work and tally must travel
_MERGED = 50  # tallies a second that one process and its network take with ease: 80 MB of whole games
_PATIENCE = 10  # seconds to reach a scheduler


@dataclass
class Pool:
    """What runs the blocks."""

    executor: Executor
    count: Callable[[], int]  # returns how many blocks it works on at once
    shared: bool  # whether work and stop flag are this process's own objects
    stop: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))  # flag that blocks heed
    anew: Callable[[], Executor] | None = None  # makes it once more after a process died, where that is ours to do
    left: bool = False  # whether threads of it are left behind, with work that does not end

    @property
    def workers(self) -> int:
        """Blocks that it works on at once."""
        return max(1, self.count())

    @property
    def seconds(self) -> float:
        """Time that a block is to take: so long that sending it, and adding up what all send, costs under 1 %."""
        return _QUICK if self.shared else _LONG * max(1.0, self.workers / _MERGED)

    def give_up(self) -> None:
        """Leave work that does not end: our own processes are ended, a thread cannot be."""
        self.left = self.shared
        for process in (getattr(self.executor, "_processes", None) or {}).values() if self.anew else ():
            process.kill()

    def rebuild(self) -> bool:
        """Put a new executor in the place of one that broke; return whether that could be done."""
        if self.anew is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)
            self.executor = self.anew()
        return self.anew is not None


@contextmanager
def opened(executor: Executor | str | None, threads: int | None) -> Iterator[Pool]:
    """Open what runs the blocks: threads (None), ``"processes"``, the address of a Dask scheduler, or an executor.

    ``threads`` is by default all cores, or what an executor of one's own, which stays open, says that it works on.
    """
    if threads is not None and (type(threads) is not int or not 1 <= threads <= MOST_THREADS):
        raise wrong("threads", threads, "must be a whole number from 1 to {most}", most=MOST_THREADS)
    workers = threads or cores()
    if isinstance(executor, Executor):
        count = _count_of(executor) if threads is None else lambda: workers
        yield Pool(executor, count, isinstance(executor, ThreadPoolExecutor))
    elif executor in (None, "threads"):
        own = Pool(ThreadPoolExecutor(workers), lambda: workers, shared=True)
        try:
            yield own
        finally:
            own.executor.shutdown(wait=not own.left)
    elif executor == "processes" or (isinstance(executor, str) and "://" in executor):
        with _processes(workers) if executor == "processes" else _dask(executor, threads) as own:
            yield own
    else:
        raise wrong("executor", executor, "must be None or 'threads', 'processes', the address of a Dask scheduler "
                    "(tcp://host:port), or a concurrent.futures.Executor")  # fmt: skip


@contextmanager
def _processes(workers: int) -> Iterator[Pool]:
    """Open processes that stop when the flag says so, and end when this process does, however that comes."""
    context = _Context()
    flag = context.RawArray("q", 1)

    def make() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, mp_context=context, initializer=begin_process, initargs=(flag,))

    pool = Pool(make(), lambda: workers, shared=False, stop=np.frombuffer(flag, dtype=np.int64), anew=make)
    try:
        yield pool
    finally:
        pool.stop[0] = 1
        pool.executor.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Block Ctrl-C; processes that start meanwhile have it blocked for good, also while they load."""
    if not hasattr(signal, "pthread_sigmask"):  # not a POSIX system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Process(SpawnProcess):
    """A process that does not run the program that starts it once more, and that no Ctrl-C meets while it loads.

    So a program needs no ``if __name__ == "__main__":``; what it defines itself is refused before (`check_travels`).
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 (as multiprocessing has it)
        program = sys.modules["__main__"]
        with _no_interrupts():
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                return SpawnProcess._Popen(process_obj)  # noqa: SLF001 (no public way)
            finally:
                sys.modules["__main__"] = program


class _Context(SpawnContext):
    Process = _Process


def release(executor: Executor) -> None:
    """Free an executor of processes that reads on for ever, as a process was killed while it sent a tally.

    Once its other processes are gone and the queue is closed, it sees that it is broken.
    """
    processes = list((getattr(executor, "_processes", None) or {}).values())
    if not isinstance(executor, ProcessPoolExecutor) or not any(process.exitcode for process in processes):
        return
    for process in processes:
        process.kill()
    with suppress(AttributeError, OSError):
        executor._result_queue._writer.close()  # type: ignore[attr-defined]  # noqa: SLF001 (no public way)


def begin_process(flag: Any) -> None:
    """Begin a process of a pool: it leaves interrupts to its parent, and does not outlive it."""
    with suppress(ValueError):  # not in the main thread of a process
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    heed(flag)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _dask(address: str, threads: int | None) -> Iterator[Pool]:
    """Open the workers of a Dask scheduler."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UsageError("executor = {address!r} needs Dask: pip install 'tlsim[dask]'", address=address) from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError("executor = {address!r}: cannot reach a Dask scheduler there within {seconds} seconds "
                         "({error}); start one by 'dask scheduler' and workers by 'dask worker {address}'",
                         address=address, seconds=_PATIENCE, error=reason(error)) from None  # fmt: skip
    with client:
        if not client.nthreads():
            log.warning(say("no workers at {address} yet; start them by 'dask worker {address}'", address=address))
        executor = client.get_executor()
        yield Pool(executor, (lambda: threads) if threads else _count_of(executor), shared=False)


def _count_of(executor: Executor) -> Callable[[], int]:
    """Return what tells how many blocks an executor works on at once: processors, where it does not say."""
    client: Any = getattr(executor, "_client", None)  # of Dask; workers come and go
    if hasattr(client, "nthreads"):
        return lambda: sum(client.nthreads().values())
    for name in ("num_workers", "_max_workers"):  # of mpi4py, of the standard library
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return lambda: count
    return cores
