"""Processes that die, executors that break: nothing is lost, nothing counted twice, and the message says what to do."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import pytest
from faulty import Counted, Deadly, Raising, Slow, Torn

import tlsim
from tlsim.engine import run as module
from tlsim.engine import work as work_module
from tlsim.engine.work import Block, Parcel, do
from tlsim.errors import RunError, TlsimError

DEALS = 400
WHOLE = Counted(DEALS, sum(range(DEALS)))


def spawned(workers=1):
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def assert_all_before_the_deadly_block(tally):
    """One worker goes in order; the block of unit 100 begins at the set point 96 or after."""
    assert 96 <= tally.deals <= 100
    assert tally.units == sum(range(tally.deals))


def test_our_own_processes_are_started_anew(tmp_path):
    deaths = 3
    outcome = module.run(
        Deadly(str(tmp_path), deaths=deaths), DEALS, Counted(), executor="processes", threads=2, unit=1
    )
    assert len(list(tmp_path.iterdir())) == deaths
    assert outcome.error is None
    assert outcome.complete
    assert outcome.tally == WHOLE


def test_processes_that_die_over_and_over_end_the_run(tmp_path):
    outcome = module.run(Deadly(str(tmp_path), deaths=100), DEALS, Counted(), executor="processes", threads=1, unit=1)
    assert isinstance(outcome.error, RunError)
    assert "died 4 times and finished nothing between" in str(outcome.error)
    assert "memory" in str(outcome.error)
    assert not outcome.complete
    assert_all_before_the_deadly_block(outcome.tally)


def test_a_broken_executor_of_the_user_keeps_the_finished_blocks(tmp_path):
    with spawned() as pool:
        outcome = module.run(Deadly(str(tmp_path)), DEALS, Counted(), executor=pool, unit=1)
    assert "the executor broke (BrokenProcessPool" in str(outcome.error)
    assert "Start a new executor" in str(outcome.error)
    assert not outcome.complete
    assert_all_before_the_deadly_block(outcome.tally)


class Breaking(Executor):
    """Does what it is given at once, until it breaks: finished and lost blocks come back together."""

    def submit(self, function, work, block, *more):
        future = Future()
        if block.first + block.deals > 100:
            future.set_exception(BrokenProcessPool("broken"))
        else:
            future.set_result(function(work, block, *more))
        return future


def test_blocks_that_come_back_with_a_broken_one_are_kept(tmp_path):
    outcome = module.run(Deadly(str(tmp_path), deaths=0), DEALS, Counted(), executor=Breaking(), threads=4, unit=1)
    assert "the executor broke (BrokenProcessPool" in str(outcome.error)
    assert_all_before_the_deadly_block(outcome.tally)


def test_a_process_killed_while_it_sends_a_tally(tmp_path):
    """Half a message is left, which an executor would wait for for ever."""
    outcome = module.run(Torn(str(tmp_path)), DEALS, Counted(), executor="processes", threads=2, unit=1)
    assert (tmp_path / "torn").exists()
    assert outcome.error is None
    assert outcome.tally == WHOLE


def test_an_executor_of_the_user_with_half_a_tally_is_broken(tmp_path):
    with spawned() as pool:
        outcome = module.run(Torn(str(tmp_path)), DEALS, Counted(), executor=pool, unit=1)
    assert "the executor broke (BrokenProcessPool" in str(outcome.error)
    assert_all_before_the_deadly_block(outcome.tally)


def test_the_public_functions_raise_and_hold_what_was_finished():
    pool = spawned()

    def tell(_done, _total, partial):
        if partial.deals >= 50_000:
            for process in pool._processes.values():
                process.kill()

    with pool, pytest.raises(RunError, match="the executor broke") as caught:
        tlsim.estimate_odds("doithuong", deals=10**9, seed=3, executor=pool, progress=tell)
    result = caught.value.result
    assert not result.complete
    assert 50_000 <= result.deals < 10**9
    assert result.tally.total("seats").sum() == result.deals


def test_an_executor_that_was_shut_down(tmp_path):
    for pool in (spawned(), ThreadPoolExecutor(1)):
        pool.shutdown()
        outcome = module.run(Deadly(str(tmp_path)), DEALS, Counted(), executor=pool, unit=1)
        assert "after shutdown" in str(outcome.error)
        assert outcome.tally == Counted()


def test_the_error_of_the_work_comes_out_of_a_process_as_it_is():
    with spawned() as pool:
        with pytest.raises(ZeroDivisionError, match="of block work"):
            module.run(Raising(), DEALS, Counted(), executor=pool, unit=1)
        with pytest.raises(RuntimeError, match="StubbornError: here I stay"):
            module.run(Raising(stubborn=True), DEALS, Counted(), executor=pool, unit=1)
        assert pool.submit(int, "3").result() == 3  # it is not broken


def test_an_interrupt_reaches_processes_in_mid_block(tmp_path):
    """The block would take a quarter of an hour; the pool closes as soon as its process sees the flag."""

    def interrupt():
        while not list(tmp_path.iterdir()):
            time.sleep(0.05)
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    work = Slow(str(tmp_path), pause=0.001)
    outcome = module.run(work, 10**9, Counted(), executor="processes", threads=1, unit=10**6)
    assert not outcome.complete
    assert outcome.tally == Counted()


STARTED = """
import sys, tlsim
from faulty import Counted, Slow
from tlsim.engine.run import run
if __name__ == "__main__":
    run(Slow(sys.argv[1], pause=0.05), 10**6, Counted(), executor="processes", threads=2, unit=1)
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_do_not_outlive_a_killed_parent(tmp_path, number):
    script = tmp_path / "script.py"
    script.write_text(STARTED, encoding="utf-8")
    folder = tmp_path / "processes"
    folder.mkdir()
    paths = [str(Path(tlsim.__file__).parents[1]), str(Path(__file__).parents[1])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    program = subprocess.Popen([sys.executable, str(script), str(folder)], env=environment)
    patience = time.monotonic() + 60
    while len(list(folder.iterdir())) < 2 and time.monotonic() < patience:
        time.sleep(0.05)
    workers = [int(file.name.partition("-")[2]) for file in folder.iterdir()]
    assert len(workers) == 2
    program.send_signal(number)
    program.wait(60)
    while any(map(alive, workers)) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not any(map(alive, workers))


# What is sent


def test_a_parcel_is_small_and_holds_no_tables():
    from tlsim.engine.game_work import GameWork
    from tlsim.engine.policies import read_policies

    rules = tlsim.load_rules("luckywin")
    work = GameWork(0, rules, 4, read_policies("smart", 4), 12)
    before = Parcel.of(work)
    work(Block(0, 4))  # now it has its tables
    after = Parcel.of(work)
    assert max(len(before.content), len(after.content)) < 20_000


def test_a_parcel_is_opened_once():
    parcel = Parcel.of(Raising())
    assert parcel.open() is Parcel(parcel.version, bytes(bytearray(parcel.content))).open()


def test_a_worker_of_another_version_refuses(monkeypatch):
    parcel = Parcel.of(Raising())
    monkeypatch.setattr(work_module, "__version__", "0.9.9")
    done = do(parcel, Block(0, 1))
    with pytest.raises(TlsimError, match=rf"started by tlsim {tlsim.__version__}, this worker has 0\.9\.9"):
        done.result()


NO_GUARD = """
import tlsim
for executor in (None, "processes"):
    print(tlsim.estimate_odds("doithuong", deals=5000, seed=1, executor=executor, threads=2).to_frame()["count"].sum())
print("end")
"""


@pytest.mark.parametrize("how", ["file", "module", "standard input", "-c"])
def test_a_program_needs_no_guard(tmp_path, how):
    (tmp_path / "program.py").write_text(NO_GUARD, encoding="utf-8")
    words = {"file": ["program.py"], "module": ["-m", "program"], "standard input": ["-"], "-c": ["-c", NO_GUARD]}[how]
    done = subprocess.run(
        [sys.executable, *words], input=NO_GUARD, cwd=tmp_path, text=True, capture_output=True, check=False,
        timeout=300, env=os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    one, two, end = done.stdout.splitlines()
    assert (one, end) == (two, "end")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_work_that_never_ends_is_given_up(tmp_path, executor):
    """A policy that does not return: what was asked to end by --max-time ends, and says why."""
    (tmp_path / "own.py").write_text(
        "import numba\n@numba.njit\ndef forever(plays, hand, table, log, random):\n"
        "    n = 0\n    while len(plays) > 0:\n        n += 1\n    return 0\n",
        encoding="utf-8",
    )
    code = (
        "import sys, tlsim.engine.run as run\nrun._STUCK = 1.0\nrun._FAR_STUCK = 8.0\n"
        "from tlsim.cli import main\nsys.exit(main())"
    )
    words = ("simulate", "--games", "96", "--policies", "own:forever", "--max-time", "1s", "--executor", executor)
    done = subprocess.run(
        [sys.executable, "-c", code, *words, "--format", "json", "--threads", "1"], cwd=tmp_path, text=True,
        capture_output=True, check=False, timeout=300,
        env=os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert json.loads(done.stdout)["complete"] is False
    assert "seconds after its time: does the policy, or predicate, always return?" in done.stderr
    assert "Traceback" not in done.stderr


def test_work_that_compiles_is_waited_for(monkeypatch):
    monkeypatch.setattr(module, "_STUCK", 0.0)
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.1)
    release = threading.Event()
    busy = iter([True, True])

    def compiling():
        if next(busy, False):
            return True
        release.set()
        return True

    monkeypatch.setattr(module, "is_compiling", compiling)

    def slow(block, _stop=None):
        release.wait(30)
        return Counted(block.deals, 0)

    outcome = module.run(slow, 1, Counted(), unit=1, until=tlsim.Until(max_time=0.1))
    assert outcome.error is None
    assert outcome.deals == 1
