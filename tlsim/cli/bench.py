"""``tlsim bench``: the speed reached on this machine."""

from __future__ import annotations

import platform
from typing import Any

import click

from tlsim import __version__
from tlsim.cli.options import flags
from tlsim.cli.output import Number, emit
from tlsim.speed import Speed, measure_speed
from tlsim.terms import language, term


@click.command()
@flags("threads", "lang", "format", "out")
def bench(*, threads: int | None, lang: str | None, fmt: str, out: str | None) -> None:
    """Measure the speed reached on this machine.

    Every answer that is timed is checked.
    """
    spoken = language(lang)
    shown = _for_people if fmt in {"table", "markdown"} else _for_programs
    rows = [shown(speed, spoken) for speed in measure_speed(threads)]
    machine = platform.processor() or platform.machine()
    about = {"version": __version__, "rules": "doithuong", "players": 4, "machine": machine}
    titles = {"speed": term("speed", spoken)}
    emit("bench", about, {"speed": rows}, fmt=fmt, titles=titles, lang=spoken, out=out)


def _for_programs(speed: Speed, _lang: str) -> dict[str, Any]:
    rates = {"best": speed.best, "median": speed.median, "nanoseconds": speed.nanoseconds}
    return {"work": speed.what, "threads": speed.threads, "unit": speed.unit} | rates


def _for_people(speed: Speed, lang: str) -> dict[str, Any]:
    what = term(f"bench_{speed.what}", lang) + (f": {speed.threads}" if speed.threads > 1 else "")
    return {
        term("work", lang): what,
        term("per_second_best", lang): Number(f"{speed.best:,.0f}"),
        term("per_second_median", lang): Number(f"{speed.median:,.0f}"),
        term("nanoseconds", lang): Number(f"{speed.nanoseconds:,.1f}"),
    }
