"""Saying that something takes a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SLOW = 4.0  # seconds after which a user wants to know what goes on


@contextmanager
def patience(message: str) -> Iterator[None]:
    """Say on standard error what goes on: in a terminal at once, elsewhere only where it takes a while."""
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(message):
            yield
        return
    note = threading.Timer(SLOW, click.echo, (message,), {"err": True})
    note.daemon = True
    note.start()
    try:
        yield
    finally:
        note.cancel()
