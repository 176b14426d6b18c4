"""What the commands that simulate share: a run may end before it is complete, and prints what there is all the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tlsim.engine.executors import cores
from tlsim.engine.kept import Keep
from tlsim.engine.until import Until
from tlsim.errors import RunError, UsageError
from tlsim.terms import term

_SAMPLE = 1.0  # seconds that a dry run computes
_A_BLOCK = 0.05  # seconds of a block of threads


def computed(run: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Return what a run computed, and what is to be raised once that is printed: an interrupt, an executor that broke.

    >>> class Result:
    ...     complete = False
    >>> result, stopped = computed(Result)
    >>> stopped
    KeyboardInterrupt()
    """
    try:
        result = run()
    except RunError as error:
        if error.result is None:
            raise
        return error.result, error
    return result, None if result.complete else KeyboardInterrupt()


def arguments(how: dict[str, Any]) -> dict[str, Any]:
    """Return what the flags of `tlsim.cli.options.RUNNING` mean for the public functions."""
    if how["store"] is None and (how["label"] or how["shard"]):
        raise UsageError("--label and --shard say how a run is kept; give --store FILE with them")
    store = how["store"] and Keep(how["store"], how["label"], how["shard"] or (1, 1))
    asked = {key: how[key] for key in ("max_time", "rel_error", "abs_error", "of", "at_least") if how[key]}
    until = Until(**asked, floor=how["floor"]) if asked else None
    return {
        "executor": how["dask"] or how["executor"], "threads": how["threads"], "until": until, "store": store or None,
    }  # fmt: skip


def stopped_note(result: Any, lang: str) -> str:
    """Return in words why a run stopped, where that was not for its size."""
    return "" if result.stopped in {"", "size"} else f"{term('stopped', lang)}: {term(f'stop_{result.stopped}', lang)}"


def forecast(run: Callable[..., Any], wanted: int, how: dict[str, Any], size: str) -> dict[str, Any]:
    """Compute for a second and say how long the whole takes.

    Parameters
    ----------
    run
        Runs with these arguments.
    wanted
        Deals or games that are asked for.
    how
        What `arguments` returned.
    size
        Name of the number of deals or games of a result.
    """
    from tlsim.results.quantities import quantity

    until: Until = how["until"] or Until()
    sample = run(**(how | {"until": Until(max_time=_SAMPLE), "store": None}), progress=lambda *_: None)
    done = getattr(sample, size)
    stored = _stored(how["store"])
    if until.looks:
        usual = "worst" if size == "deals" else "seat_0"
        estimate, error = quantity(sample, until.of or usual, until.floor)
        goals = [until.abs_error, until.rel_error and until.rel_error * abs(estimate)]
        goal = min(value for value in goals if value is not None)
        needed = done * (error / goal) ** 2 if goal and error == error else math.inf  # noqa: PLR0124 (not a number)
        wanted = int(min(wanted, max(needed, until.at_least)))
    left = max(0, wanted - stored)
    seconds = min(left * sample.seconds / max(1, done), until.max_time or math.inf)
    workers = how["threads"] or cores()
    return {
        size: wanted, "stored": stored, "left": left, "blocks": math.ceil(seconds * workers / _A_BLOCK),
        "seconds": round(seconds, 1), "per_second": round(done / sample.seconds),
    }  # fmt: skip


def _stored(keep: Keep | None) -> int:
    from pathlib import Path

    if keep is None or not Path(keep.file).is_file():
        return 0
    from tlsim.runs import list_runs

    return sum(row["done"] for row in list_runs(keep.file) if row["label"] == keep.label)
