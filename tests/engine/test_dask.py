"""Dask for real: a cluster of separate processes gives the numbers of one thread, also when a worker dies."""

import os
import signal
import time

import pytest
from faulty import Counted, Slow

import tlsim
from tlsim.engine import run as module
from tlsim.engine.executors import opened
from tlsim.errors import RunError, UsageError

distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # of a library with threads and sockets of its own


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as made:
        yield made


def test_the_numbers_are_those_of_one_thread(client):
    how = {"deals": 3_000_001, "seed": 11}
    assert tlsim.estimate_odds("doithuong", executor=client.get_executor(), **how).tally == (
        tlsim.estimate_odds("doithuong", threads=1, **how).tally
    )


def test_whole_games_by_address(cluster):
    how = {"games": 6000, "seed": 2, "policies": "smart,lowest,lowest,lowest"}
    there = tlsim.simulate("luckywin", executor=cluster.scheduler_address, **how)
    assert there.tally == tlsim.simulate("luckywin", threads=1, **how).tally


def test_as_many_workers_as_the_cluster_has(client):
    with opened(client.get_executor(), None) as pool:
        assert (pool.workers, pool.shared) == (2, False)


def test_a_worker_killed_in_mid_run(tmp_path):
    """Each block of one unit takes 20 ms; a worker is killed once both have worked."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        killed = []

        def kill(*_):
            workers = list(tmp_path.iterdir())
            if len(workers) == 2 and not killed:
                killed.append(int(workers[0].name.partition("-")[2]))
                os.kill(killed[0], signal.SIGKILL)

        outcome = module.run(
            Slow(str(tmp_path), pause=0.02), 300, Counted(), executor=client.get_executor(), unit=1, progress=kill
        )
    assert killed
    assert outcome.error is None
    assert outcome.tally == Counted(300, sum(range(300)))


def test_a_cluster_that_goes_away_keeps_the_finished_blocks(tmp_path):
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50)
    client = distributed.Client(cluster, set_as_default=False)

    def go_away(done, *_):
        if done >= 20 and client.status == "running":
            client.close()

    outcome = module.run(
        Slow(str(tmp_path), pause=0.02), 10_000, Counted(), executor=client.get_executor(), unit=1, progress=go_away
    )
    cluster.close()
    assert isinstance(outcome.error, RunError)
    assert "the executor broke" in str(outcome.error)
    assert 20 <= outcome.tally.deals < 10_000
    assert not outcome.complete


def test_an_interrupt_does_not_wait_for_the_cluster(client, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    begin = time.monotonic()
    work = Slow(str(tmp_path), pause=0.05)
    outcome = module.run(work, 10**6, Counted(), executor=client.get_executor(), unit=1, progress=interrupt)
    assert not outcome.complete
    assert time.monotonic() - begin < 60


def test_nobody_at_that_address(monkeypatch):
    monkeypatch.setattr("tlsim.engine.executors._PATIENCE", 0.5)
    with pytest.raises(UsageError, match=r"'tcp://127\.0\.0\.1:1': cannot reach a Dask scheduler .*'dask scheduler'"):
        tlsim.estimate_odds("doithuong", deals=10, executor="tcp://127.0.0.1:1")
    with pytest.raises(UsageError, match="cannot reach a Dask scheduler"):
        tlsim.estimate_odds("doithuong", deals=10, executor="nonsense://here")


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(UsageError, match=r"needs Dask: pip install 'tlsim\[dask\]'"):
        tlsim.estimate_odds("doithuong", deals=10, executor="tcp://127.0.0.1:1")
