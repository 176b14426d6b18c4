"""``tlsim bench``: the speed reached on this machine."""

from __future__ import annotations

import platform
from typing import Any

from tlsim.cli.flags import Given, command
from tlsim.columns import Column, Row, Table, View
from tlsim.speed import measure_speed
from tlsim.terms import term


def _work(value: str, row: Row, lang: str) -> str:
    return term(f"bench_{value}", lang) + (f": {row['threads']}" if row["threads"] > 1 else "")


SPEED = View("speed", (
    Column("work", "text", write=_work), Column("threads", "index", shown=False), Column("unit", "text", shown=False),
    Column("best", "count", "per_second_best"), Column("median", "count", "per_second_median"),
    Column("nanoseconds", "amount"),
), "speed")  # fmt: skip


@command("bench", None, "threads", shows=("lang", "format", "out"))
def bench(given: Given) -> None:
    """Measure the speed reached on this machine.

    Every answer that is timed is checked.
    """
    rows: list[dict[str, Any]] = [
        {"work": speed.what, "threads": speed.threads, "unit": speed.unit, "best": speed.best, "median": speed.median,
         "nanoseconds": speed.nanoseconds}
        for speed in measure_speed(given["threads"])
    ]  # fmt: skip
    machine = platform.processor() or platform.machine()
    given.show_tables(Table(SPEED, rows), rules="doithuong", players=4, machine=machine)
