"""Paired timings: two pieces of work in turn, round by round, and the ratio within each round.

Machines drift by a third within minutes; the median of the ratios within rounds does not. Every benchmark asserts the
answer of what it times; none asserts a time. The table is printed at the end.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # `baselines` stands beside this file


@dataclass
class Row:
    """A line of the table: what it is per what, nanoseconds, and ratios to baselines."""

    name: str
    unit: str
    best: float
    median: float
    ratios: dict[str, float] = field(default_factory=dict)
    floor: str = ""


@dataclass
class Bench:
    """Collects rows."""

    rows: list[Row] = field(default_factory=list)

    def paired(self, name, unit, work, units, *, baselines=None, rounds=15, floor=""):
        """Time ``work()`` of ``units`` units beside baselines ``{name: (work, units)}``; return the row."""
        baselines = baselines or {}
        for one in (work, *(b for b, _ in baselines.values())):
            one()  # compile, and fill the caches
        times = {key: [] for key in ("", *baselines)}
        for _ in range(rounds):
            for key, (one, n) in {"": (work, units), **baselines}.items():
                begin = time.perf_counter()
                one()
                times[key].append((time.perf_counter() - begin) / n * 1e9)
        ratios = {
            key: statistics.median(base / own for base, own in zip(times[key], times[""], strict=True))
            for key in baselines
        }
        row = Row(name, unit, min(times[""]), statistics.median(times[""]), ratios, floor)
        self.rows.append(row)
        return row

    def single(self, name, unit, seconds, *, ratios=None, floor=""):
        """Add a row of whole seconds, measured by the caller; the best and the median of them."""
        nanoseconds = [s * 1e9 for s in seconds]
        row = Row(name, unit, min(nanoseconds), statistics.median(nanoseconds), ratios or {}, floor)
        self.rows.append(row)
        return row


_BENCH = Bench()


@pytest.fixture
def bench():
    """Return the collector of this run."""
    return _BENCH


def _shown(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def pytest_addoption(parser):
    parser.addoption("--bench-json", help="write the table to this file as JSON")


def pytest_terminal_summary(terminalreporter, config):
    if not _BENCH.rows:
        return
    terminalreporter.section("benchmarks: best and median; ratios are medians within rounds")
    for row in _BENCH.rows:
        ratios = ", ".join(f"{ratio:.3g}x {name}" for name, ratio in row.ratios.items())
        best, median = _shown(row.best), _shown(row.median)
        line = f"{row.name:<58} {best:>9} {median:>9} a {row.unit:<6} {ratios:<44} {row.floor}"
        terminalreporter.write_line(line.rstrip())
    if config.getoption("--bench-json"):
        rows = [vars(row) for row in _BENCH.rows]
        Path(config.getoption("--bench-json")).write_text(json.dumps(rows, indent=1), encoding="utf-8")
