"""Policies that use their arrays as they should not."""

import numba


@numba.njit
def writes_outside(plays, hand, table, log, random):  # noqa: ARG001
    """Write far behind the plays."""
    plays[len(plays) + 200_000, 0] = 7
    return 0


@numba.njit
def _mark(table, at):
    table[at] = 1


@numba.njit
def writes_outside_below(plays, hand, table, log, random):  # noqa: ARG001
    """Let another function write behind the table."""
    _mark(table, 1_000_000)
    return len(plays) - 1


@numba.njit
def writes_late(plays, hand, table, log, random):  # noqa: ARG001
    """Write a little behind the log, where the sheet still is, once the log is long."""
    if len(log) > 20:
        log[len(log)] = 0
    return 0


@numba.njit
def last(plays, hand, table, log, random):  # noqa: ARG001
    """Choose the last play that is shown."""
    return len(plays) - 1
