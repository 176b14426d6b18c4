"""What may run the blocks, and what is refused."""

import os
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from tlsim.engine.executors import MOST_THREADS, cores, opened
from tlsim.errors import UsageError


@pytest.mark.parametrize("executor", [None, "threads"])
def test_threads_of_this_process(executor):
    with opened(executor, 3) as pool:
        assert isinstance(pool.executor, ThreadPoolExecutor)
        assert (pool.workers, pool.shared) == (3, True)
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.executor.submit(int)


def test_all_cores_by_default():
    with opened(None, None) as pool:
        assert pool.workers == cores()
    assert 1 <= cores() <= os.cpu_count()


def test_as_many_cores_as_the_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 9}, raising=False)
    assert cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


def test_processes_are_spawned():
    with opened("processes", 1) as pool:
        assert isinstance(pool.executor, ProcessPoolExecutor)
        assert (pool.workers, pool.shared) == (1, False)
        assert pool.executor._mp_context.get_start_method() == "spawn"


class Other(Executor):
    pass


def test_an_open_executor_is_neither_shared_nor_closed_unless_it_has_threads_of_this_process():
    mine = Other()
    with opened(mine, 5) as pool:
        assert pool.executor is mine
        assert (pool.workers, pool.shared) == (5, False)
    with ThreadPoolExecutor(1) as threads:
        with opened(threads, None) as pool:
            assert pool.shared
        assert threads.submit(int, "2").result() == 2


@pytest.mark.parametrize("executor", ["cloud", "thread", "", 4, object(), ThreadPoolExecutor, ["processes"], True, {}])
def test_anything_else_is_refused(executor):
    with pytest.raises(UsageError) as caught, opened(executor, 1):
        pass
    for word in ("executor = ", "'threads'", "'processes'", "concurrent.futures.Executor"):
        assert word in str(caught.value)


@pytest.mark.parametrize("threads", [0, -1, MOST_THREADS + 1, 10**18, 1.5, 2.0, "2", True, [2]])
@pytest.mark.parametrize("executor", [None, "processes", Other()])
def test_numbers_of_threads_that_are_refused(threads, executor):
    with pytest.raises(UsageError) as caught, opened(executor, threads):
        pass
    assert str(caught.value) == f"threads = {threads!r}: must be a whole number from 1 to {MOST_THREADS}"
