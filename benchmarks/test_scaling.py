"""Whole games on 1 and 2 threads, 2 processes and Dask with 2 workers, beside two independent processes.

All are given the same games, in turn within each round. `alone_games.py` is a process that works by itself. What
travels is weighed too: the bytes of work and of a tally, and the time to pack, to open and to add them.
"""

import pickle
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.engine.work import Block, Parcel

GAMES = 480_000  # under half a second on two quiet cores
ROUNDS = 3


def _work():
    rules = tlsim.load_rules("luckywin")
    return GameWork(0, rules, 4, read_policies("lowest", 4), rules.match_length)


def _seconds(**how):
    """Seconds of a run, without opening its executor."""
    return tlsim.simulate("luckywin", games=GAMES, policies="lowest", progress=lambda *_: None, **how)


@contextmanager
def _apart():
    """Start two processes that work by themselves."""
    command = [sys.executable, str(Path(__file__).with_name("alone_games.py"))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as first, subprocess.Popen(command, **pipes) as second:
        yield first, second


def _ask(apart, matches):
    for process in apart:
        process.stdin.write(f"{matches}\n")
        process.stdin.flush()
    return max(float(process.stdout.readline()) for process in apart)


@pytest.mark.filterwarnings("default")  # of a library with threads and sockets of its own
def test_scaling(bench):
    distributed = pytest.importorskip("distributed")
    with _apart() as apart:
        _compare(bench, distributed, apart)


def _compare(bench, distributed, apart):
    assert [process.stdout.readline() for process in apart] == ["ready\n"] * 2
    matches = GAMES // 12 // 2
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        ways = {
            "1 thread": {"threads": 1},
            "2 threads": {"threads": 2},
            "2 processes": {"threads": 2, "executor": "processes"},
            "Dask, 2 workers": {"executor": client.get_executor()},
        }
        seconds, ratios, tallies = {way: [] for way in ways}, {way: [] for way in ways}, []
        for _ in range(ROUNDS):
            base = _ask(apart, matches)
            for way, how in ways.items():
                stats = _seconds(**how)
                seconds[way].append(stats.seconds)
                ratios[way].append(base / stats.seconds)
                tallies.append(stats.tally)
    assert all(tally == tallies[0] for tally in tallies)
    for way in ways:
        bench.single(
            f"whole games, luckywin, lowest, {way}", "game", [s / GAMES for s in seconds[way]],
            ratios={"two processes apart": statistics.median(ratios[way])},
        )  # fmt: skip


def _per_call(work, times):
    begin = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begin) / times


def test_what_travels(bench):
    """The share of a block of a second that goes into packing, opening and adding what travels."""
    work = _work()
    parcel, tally = Parcel.of(work), work(Block(0, 8 * 256))
    sent, back = pickle.dumps(parcel), pickle.dumps(tally, protocol=5)
    parts = {
        "pack the work": _per_call(lambda: pickle.dumps(parcel), 200),
        "open the work": _per_call(lambda: pickle.loads(sent), 200),
        "pack a tally": _per_call(lambda: pickle.dumps(tally, protocol=5), 20),
        "open a tally": _per_call(lambda: pickle.loads(back), 20),
        "add a tally": _per_call(lambda: tally + tally, 20),
    }
    for name, seconds in parts.items():
        bench.single(f"{name} ({len(sent):,} bytes out, {len(back):,} back)", "block", [seconds])
    assert pickle.loads(back) == tally
    assert len(sent) < 20_000
