"""Deal, detect and tally: hands per second, beside the same work written first; and on all cores."""

import subprocess
import sys
from pathlib import Path

import baselines
import numpy as np
import pytest

import tlsim
from tlsim.engine.odds_work import OddsWork
from tlsim.engine.work import Block
from tlsim.exact.automaton import HandBook

DEALS = 512 * 1024


def _work(name, players=4, opening=False):
    rules = tlsim.load_rules(name)
    wins = rules.instant_wins(opening, players)
    size = rules.hand_sizes(players)[0]
    return OddsWork(0, tuple(win.pattern for win in wins), size, players, rules.priority(opening))


def _agrees(held, exact, hands):
    """Counts within eight standard errors: a wrong detector is far outside, chance is not (1e-15 a pattern)."""
    expected = np.array(exact.holds) / exact.hands * hands
    return bool((np.abs(held - expected) < 8 * np.sqrt(expected) + 8).all())


def test_doithuong(bench):
    work = _work("doithuong")
    exact = HandBook(work.patterns, 13).count()
    rows = {
        "Fisher-Yates": (lambda: baselines.odds_fisher_yates(1, 20_000), 80_000),
        "numpy": (lambda: baselines.odds_numpy(1, 4_000), 16_000),
    }
    floor = "floor 10 ns, 10x, 50x"
    bench.paired(
        "deal + detect + tally, doithuong",
        "hand",
        lambda: work(Block(0, DEALS)),
        4 * DEALS,
        baselines=rows,
        floor=floor,
    )
    assert _agrees(work(Block(0, DEALS)).total("held"), exact, 4 * DEALS)
    held, counts, wins, seats = baselines.odds_fisher_yates(1, 200_000)
    assert _agrees(held, exact, 800_000)
    assert counts.sum() == (np.arange(5) * seats).sum()
    assert wins.sum() == seats[1:].sum()


@pytest.mark.parametrize(
    ("name", "players", "opening"), [("luckywin", 4, False), ("luckywin", 4, True), ("sam_loc", 5, False)]
)
def test_other_lists(bench, name, players, opening):
    work = _work(name, players, opening)
    exact = HandBook(work.patterns, work.hand_size).count()
    title = f"deal + detect + tally, {name}{', opening list' if opening else ''}, {players} seats"
    bench.paired(title, "hand", lambda: work(Block(0, DEALS)), players * DEALS)
    assert _agrees(work(Block(0, DEALS)).total("held"), exact, players * DEALS)


def test_two_threads(bench):
    """Two threads of one process beside two independent processes, started together."""
    deals, ratios, seconds = 8 * DEALS, [], []
    one = tlsim.estimate_odds("doithuong", deals=2 * deals, threads=1, progress=lambda *_: None)
    command = [sys.executable, str(Path(__file__).with_name("alone.py"))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as first, subprocess.Popen(command, **pipes) as second:
        apart = (first, second)
        assert [process.stdout.readline() for process in apart] == ["ready\n"] * 2
        for _ in range(7):
            two = tlsim.estimate_odds("doithuong", deals=2 * deals, threads=2, progress=lambda *_: None)
            for process in apart:
                process.stdin.write(f"{deals}\n")
                process.stdin.flush()
            ratios.append(max(float(process.stdout.readline()) for process in apart) / two.seconds)
            seconds.append(two.seconds / (8 * deals))
        for process in apart:
            process.stdin.close()
    ratio = {"two processes": float(np.median(ratios))}
    bench.single("the same, two threads", "hand", seconds, ratios=ratio, floor="floor 0.85x")
    assert one.tally == two.tally
