"""What holds whatever runs the blocks, on a toy: threads, processes, executors of the user, Dask.

Real work is run once on each: odds in `test_run`, games and prices in `test_dask`, functions of a user in
`test_functions`. How processes and clusters die stands in `test_processes` and `test_dask`.
"""

import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext

import pytest
from faulty import Adding, Counted, Raising

from tlsim.engine.run import _IN_FLIGHT, run

DEALS = 400
WHOLE = Counted(DEALS, sum(range(DEALS)))


class Backwards(Executor):
    """Does what was handed out last first, and only once it must."""

    def __init__(self):
        self.left = []
        self.most = 0

    def submit(self, function, /, *arguments):
        future = Future()
        self.left.append((future, function, arguments))
        self.most = max(self.most, len(self.left))
        threading.Timer(0.002, self.work).start()
        return future

    def work(self):
        try:
            future, function, arguments = self.left.pop()
        except IndexError:
            return
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(function(*arguments))
        except Exception as error:  # noqa: BLE001 (as an executor does)
            future.set_exception(error)


@contextmanager
def dask():
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client.get_executor()


MADE = {"own threads": lambda: ThreadPoolExecutor(2), "own order": lambda: nullcontext(Backwards()), "dask": dask}
HOWS = ["one thread", "seven threads", "own threads", "own order", "own processes", "dask"]


@pytest.fixture(scope="module", params=HOWS)
def how(request):
    if request.param.endswith(("thread", "seven threads")):
        yield {"threads": 1 if request.param == "one thread" else 7}
    elif request.param == "own processes":
        yield {"executor": request.getfixturevalue("processes"), "threads": 2}
    else:
        with MADE[request.param]() as executor:
            yield {"executor": executor, "threads": 2}


@pytest.mark.filterwarnings("default")  # of Dask, which has threads and sockets of its own
class TestExecutor:
    """One executor for all that it is asked here: it must be of use after each."""

    def test_every_block_counts_once(self, how):
        for deals in (1, DEALS):
            outcome = run(Adding(), deals, Counted(), unit=1, **how)
            assert (outcome.tally, outcome.complete, outcome.error) == (Counted(deals, sum(range(deals))), True, None)

    def test_progress_comes_in_order_and_ends_with_all(self, how):
        told = []
        run(Adding(), DEALS, Counted(), unit=1, progress=lambda *what: told.append(what), **how)
        assert told[-1][:3] == (DEALS, DEALS, WHOLE)
        assert [what[0] for what in told] == sorted(what[0] for what in told)

    def test_so_many_blocks_are_out_at_once(self, how):
        if isinstance(how.get("executor"), Backwards):
            assert 0 < how["executor"].most <= 2 * _IN_FLIGHT

    def test_the_error_of_the_work_comes_out_as_it_is(self, how):
        with pytest.raises(ZeroDivisionError, match="of block work"):
            run(Raising(), DEALS, Counted(), unit=1, **how)

    def test_an_interrupt_keeps_true_sums(self, how):
        """Raised from a callback, as Ctrl-C is in the main thread: what is kept is what was told last, or more."""
        told = []

        def tell(_done, _total, partial, _seconds):
            told.append(partial)
            raise KeyboardInterrupt

        outcome = run(Adding(pause=0.001), 10**6, Counted(), unit=1, progress=tell, **how)
        assert not outcome.complete
        assert told[0].deals <= outcome.tally.deals < 10**6

    def test_it_is_of_use_afterwards(self, how):
        if "executor" in how:
            assert how["executor"].submit(int, "3").result() == 3
        assert run(Adding(), DEALS, Counted(), unit=1, **how).tally == WHOLE
