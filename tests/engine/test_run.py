"""Any executor, cut and order give identical tallies; interrupts and errors lose nothing."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import tlsim
from tlsim.engine import run as module
from tlsim.engine.run import _IN_FLIGHT, run
from tlsim.engine.work import CHUNK, Block, Plan
from tlsim.errors import UsageError
from tlsim.questions.odds import Odds

DEALS = 40 * CHUNK + 321


def odds_work(name="doithuong", players=4, opening=False, seed=5):
    return Odds(name, players=players, opening=opening, seed=seed).work()


WORK = odds_work()


@pytest.fixture(scope="module")
def whole():
    return WORK(Block(0, DEALS))


def tally(work=WORK, deals=DEALS, **how):
    outcome = run(work, deals, work.zero(), **how)
    assert outcome.complete
    return outcome.tally


# The same numbers


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads(threads, whole):
    assert tally(threads=threads) == whole


def test_processes_of_ones_own(whole, processes):
    assert tally(executor=processes) == whole


@pytest.mark.parametrize("seed", range(2))
def test_any_cut_and_order(seed, whole, monkeypatch):
    rng = random.Random(seed)

    class OtherPlan(Plan):
        def take(self, _units, workers):
            if not hasattr(self, "blocks"):
                cut = super().take
                self.blocks = list(iter(lambda: cut(rng.randrange(1, 12), workers), None))
                rng.shuffle(self.blocks)
            return self.blocks.pop() if self.blocks else None

    monkeypatch.setattr(module, "Plan", OtherPlan)
    assert tally(threads=2) == whole


@pytest.mark.parametrize("opening", [False, True])
def test_all_presets_with_one_and_with_three_threads(opening):
    for name in tlsim.list_rules():
        rules = tlsim.load_rules(name)
        if rules.instant_wins(opening):
            work = odds_work(name, rules.deal.max_players, opening)
            assert tally(work, 10_000, threads=1) == tally(work, 10_000, threads=3)


def test_other_seeds_give_other_numbers_and_equal_ones_the_same():
    assert tally(replace(WORK, seed=6)) != tally()
    assert tally(replace(WORK)) == tally()


def test_common_random_numbers():
    """Other rules and other numbers of players see the same deals: seats 0 and 1 are dealt the same hands."""
    two, four = odds_work(players=2), odds_work(players=4)
    only_two = replace(four, players=2)
    assert tally(two) == tally(only_two)
    alone = replace(four, patterns=four.patterns[-1:], count_heo=0)
    assert (tally(alone).held[:, 0] == tally(four).held[:, -1]).all()


# What is handed out


def test_progress_comes_ten_times_a_second_at_most(nothing):
    def slow(block, _stop=None):
        time.sleep(0.01)
        return replace(nothing, deals=block.deals)

    told = []
    begin = time.perf_counter()
    run(slow, 60 * 8 * CHUNK, nothing, threads=1, progress=lambda *what: told.append(what))
    assert len(told) <= (time.perf_counter() - begin) * 10 + 2
    assert len(told) >= 2


# Errors


class BrokenError(Exception):
    pass


def test_the_error_of_a_worker_is_not_swallowed(nothing):
    def broken(block, _stop=None):
        if block.first == 16:
            raise BrokenError("here")
        return replace(nothing, deals=block.deals)

    with pytest.raises(BrokenError, match="here"):
        run(broken, 100 * CHUNK, nothing, threads=2)


def test_after_an_error_little_more_is_done(nothing):
    seen = []

    def broken(block, _stop=None):
        seen.append(block)
        if len(seen) == 5:
            raise BrokenError
        return replace(nothing, deals=block.deals)

    with pytest.raises(BrokenError):
        run(broken, 10_000 * CHUNK, nothing, threads=2)
    assert len(seen) <= 5 + 2 * _IN_FLIGHT


def test_the_error_of_a_callback_comes_out(recorder, nothing):
    def tell(*_):
        raise BrokenError

    with pytest.raises(BrokenError):
        run(recorder, CHUNK, nothing, progress=tell)


# Interrupts


def test_an_interrupt_keeps_the_finished_blocks():
    """Raised from a callback, as Ctrl-C is in the main thread; what is kept is a true tally of its deals."""
    told = []

    def tell(_done, _total, partial, _seconds):
        told.append(partial)
        if len(told) == 2:
            raise KeyboardInterrupt

    begin = time.perf_counter()
    outcome = run(WORK, 10**10, WORK.zero(), threads=2, progress=tell)
    assert time.perf_counter() - begin < 5
    assert not outcome.complete
    assert outcome.tally == told[-1]
    deals = int(outcome.tally.total("deals"))
    assert 0 < deals < 10**10
    assert outcome.tally.total("seats").sum() == deals
    assert abs(int(outcome.tally.total("held")[-1]) / (4 * deals) - 0.0045) < 0.001


def test_an_interrupt_of_known_blocks_gives_their_sum(monkeypatch):
    seen = []

    def tell(*_):
        if len(seen) >= 3:
            raise KeyboardInterrupt

    def noted(block, stop=None):
        found = WORK(block, stop)
        seen.append((block, found))
        return found

    monkeypatch.setattr(module, "_TELL_EVERY", 0)
    outcome = run(noted, 10**9, WORK.zero(), threads=1, progress=tell)
    finished = [found for block, found in seen[1:] if found is not None]  # the first is there to load the kernels
    assert len(finished) < 10  # few are out at once; which of them have been taken back is left open
    some = [each for n in range(len(finished) + 1) for each in combinations(finished, n)]
    sums = [sum(each, start=WORK.zero()) for each in some]
    assert outcome.tally in sums
    assert not outcome.complete


def test_an_interrupt_with_processes():
    def tell(*_):
        raise KeyboardInterrupt

    outcome = run(WORK, 10**9, WORK.zero(), executor="processes", threads=1, progress=tell)
    assert not outcome.complete
    assert 0 < int(outcome.tally.total("deals")) < 10**9


def test_an_interrupt_before_anything_is_done():
    def interrupted(_block, _stop=None):
        raise KeyboardInterrupt

    outcome = run(interrupted, 10**6, WORK.zero(), threads=1)
    assert not outcome.complete
    assert outcome.tally == WORK.zero()


STARTED = """
import runpy, sys
from tlsim.engine.odds_work import OddsWork
call, told = OddsWork.__call__, []
def started(self, block, stop=None):
    if block.first and not told:
        told.append(sys.stderr.write("started\\n"))  # at once: two threads may come here together
        sys.stderr.flush()
    return call(self, block, stop)
OddsWork.__call__ = started
sys.argv = ["tlsim", *sys.argv[1:]]
runpy.run_module("tlsim", run_name="__main__")
"""


def interrupted(number, *arguments, wait=0.3):
    """Run the program, send a signal once deals are dealt; return the exit status, both outputs, and the seconds."""
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])}
    program = subprocess.Popen(
        [sys.executable, "-P", "-c", STARTED, *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    told = []
    for line in program.stderr:
        told.append(line)
        if "started" in line:
            break
    time.sleep(wait)
    begin = time.perf_counter()
    program.send_signal(number)
    out, err = program.communicate(timeout=60)
    return program.returncode, out, "".join(told) + err, time.perf_counter() - begin


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_shows_what_was_computed(number, status):
    tlsim.estimate_odds("doithuong", deals=1).rows()  # now the kernels are kept
    arguments = ("odds", "--deals", "1e10", "--format", "json", "--threads", "2")
    found, out, err, seconds = interrupted(number, *arguments)
    assert found == status, err
    assert "Traceback" not in err
    answer = json.loads(out)
    assert answer["complete"] is False
    deals = int(answer["provenance"]["deals"])
    assert 1024 < deals < 10**10
    rows = next(iter(answer["tables"].values()))
    assert len(rows) == len(WORK.patterns)
    assert seconds < 4  # 1.5 on a quiet machine


def test_the_stop_flag_acts_within_a_second():
    stop = np.zeros(1, dtype=np.int64)
    found = []
    thread = threading.Thread(target=lambda: found.append(WORK(Block(0, 10**9), stop)))
    thread.start()
    time.sleep(0.1)
    begin = time.perf_counter()
    stop[0] = 1
    thread.join(10)
    assert time.perf_counter() - begin < 1
    assert found == [None]


# Memory

MEMORY = """
import tlsim
def size():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
tlsim.estimate_odds("doithuong", deals=1_000_000, threads=2)
small = size()
tlsim.estimate_odds("doithuong", deals=50_000_000, threads=2)
print(size() - small)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the size of the process from /proc")
def test_memory_does_not_grow_with_the_number_of_deals():
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])}
    answer = subprocess.run(
        [sys.executable, "-P", "-c", MEMORY], env=environment, capture_output=True, text=True, check=True
    )
    assert int(answer.stdout) < 10_000_000


def test_a_wrong_executor_is_refused_before_anything_is_done(recorder, nothing):
    with pytest.raises(UsageError):
        run(recorder, 5, nothing, executor="cloud")
    assert not recorder.seen
