"""What the commands that simulate share: a run may end before it is complete, and prints what there is all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tlsim.cli.options import TARGETS
from tlsim.engine.executors import cores
from tlsim.engine.kept import Keep, as_keep, left_to_do
from tlsim.engine.until import Until
from tlsim.errors import RunError, UsageError
from tlsim.tasks import How, Shares, Task
from tlsim.terms import term

_SAMPLE = 1.0  # seconds that a dry run computes
_A_BLOCK, _A_FAR_BLOCK = 0.05, 1.0  # seconds of a block: of threads, and where work and tally travel


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
    """Return what the flags of `tlsim.cli.options.RUNNING` and `TARGETS` mean for the public functions."""
    if how["store"] is None and (how["label"] is not None or how["shard"]):
        raise UsageError("--label and --shard say how a run is kept; give --store FILE with them")
    if how["dask"] and how["executor"]:
        raise UsageError("--dask and --executor both say what runs the simulation; leave one of them out")
    store = None if how["store"] is None else Keep(how["store"], how["label"], how["shard"] or (1, 1))
    asked = {key: how[key] for key in ("max_time", *TARGETS) if how.get(key) is not None}
    if not asked.get("at_least"):  # its default is 0
        asked.pop("at_least", None)
    until = Until(**asked, floor=how.get("floor", 0.0)) if asked else None
    return {
        "executor": how["dask"] or how["executor"], "threads": how["threads"], "until": until, "store": store,
    }  # fmt: skip


def stopped_note(result: Any, lang: str) -> str:
    """Return in words why a run stopped, where that was not for its size."""
    return "" if result.stopped in {"", "size"} else f"{term('stopped', lang)}: {term(f'stop_{result.stopped}', lang)}"


def forecasts(tasks: Sequence[Task[Any]], running: dict[str, Any]) -> list[dict[str, Any]]:
    """Compute for a second and say how long each run takes.

    Parameters
    ----------
    tasks
        What would be run.
    running
        What `arguments` returned.
    """
    how, shares = How(**running), Shares(running["until"], len(tasks))
    return [_forecast(task, replace(how, until=shares.next()), _SAMPLE / len(tasks)) for task in tasks]


def _forecast(task: Task[Any], how: How, seconds: float) -> dict[str, Any]:
    """Run a task for so long and return how long all of it takes."""
    until, keep, wanted = how.until or Until(), None, task.wanted
    if how.store is not None:
        keep = as_keep(how.store)
        keep = keep.beside(task.question) if task.question else keep
    sample = task.outcome(replace(how, until=Until(max_time=seconds), store=None, progress=lambda *_: None))
    if sample.error is not None:
        raise sample.error
    if not sample.complete:
        raise KeyboardInterrupt
    done = max(1, sample.deals)
    if until.looks:
        from tlsim.results.quantities import quantity

        estimate, error = quantity(task.result(sample), until.of or task.usual, until.floor)
        goals = [until.abs_error, until.rel_error and until.rel_error * abs(estimate)]
        goal = min(value for value in goals if value is not None)
        needed = done * (error / goal) ** 2 if goal and error == error else math.inf  # noqa: PLR0124 (not a number)
        wanted = int(min(wanted, max(needed, until.at_least / task.each)))
    stored, left = left_to_do(keep, task.label, task.work, wanted)
    took = max(sample.seconds, 1e-9)
    whole = min(left * took / done, until.max_time or math.inf)
    block = _A_BLOCK if how.executor in {None, "threads"} else _A_FAR_BLOCK
    return {
        "run": task.name, task.size: wanted * task.each, "stored": stored * task.each, "left": left * task.each,
        "blocks": math.ceil(whole * (how.threads or cores()) / block), "seconds": round(whole, 1),
        "per_second": round(done * task.each / took),
    }  # fmt: skip
