"""What the commands that simulate share: a run may end before it is complete, and prints what there is all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tlsim.errors import RunError


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
