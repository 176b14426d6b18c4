"""A run that is kept in a store: what is done already, and finished blocks on their way to the disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.engine.blocks import CHUNK, Block, Range
from tlsim.engine.identity import refuse_other
from tlsim.engine.store import Part, Store, StoredRun, StoreError
from tlsim.errors import UsageError, shorten, suggestion

_COMMIT_EVERY = 1.0  # seconds; what a killed run loses at most, and does again
_MOST_WAITING = 1 << 26  # bytes of tallies that wait to be committed


@dataclass(frozen=True)
class Keep:
    """Where and under which name a run is kept.

    Parameters
    ----------
    file
        A store: a file that is made if it is not there. Runs of many kinds may share it.
    label
        Name of the run in it; default the command and the name of the rules, such as ``"odds zing"``.
    shard
        ``(i, n)``: do part i of n of the run here, counting from 1; merge the stores afterwards.
    frozen
        Do nothing: give what is stored.

    Examples
    --------
    >>> Keep("runs.db", label="night", shard=(2, 4)).shard
    (2, 4)
    """

    file: str | Path
    label: str | None = None
    shard: tuple[int, int] = (1, 1)
    frozen: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.file, str | Path) or not str(self.file):
            raise UsageError(f"store = {shorten(self.file)}: must be the path of a file")
        if self.label is not None and (not isinstance(self.label, str) or not self.label.strip()):
            raise UsageError(f"label = {shorten(self.label)}: must be a text")
        number, count = self.shard
        if not 1 <= number <= count:
            raise UsageError(f"shard = {number}/{count}: must be one of 1/{count} to {count}/{count}")

    def beside(self, label: str) -> Keep:
        """Return where a second run of the same question is kept, under a label of its own.

        >>> Keep("runs.db", "night").beside("against").label
        'night, against'
        """
        return replace(self, label=", ".join(filter(None, [self.label, label])))


@contextmanager
def kept_in(
    where: Keep | str | Path | None, label: str, work: Any, recipe: dict[str, Any], wanted: int
) -> Iterator[Kept | None]:
    """Open the store of a run.

    Parameters
    ----------
    where
        Where it is kept; None for nowhere.
    label
        Its label by default.
    work, recipe, wanted
        What is done, what it takes to show it again, how many deals (or matches) are wanted.
    """
    if where is None:
        yield None
        return
    keep = where if isinstance(where, Keep) else Keep(where)
    unit = getattr(work, "unit", CHUNK)
    with Store(keep.file, make=not keep.frozen) as store:
        run = StoredRun(keep.label or label, work.identity(), recipe, unit, wanted)
        if keep.frozen:
            run = found(store, run)
        yield Kept(store, run, work.zero(), shard=keep.shard, frozen=keep.frozen)


def found(store: Store, run: StoredRun) -> StoredRun:
    """Return a run as it is stored; refuse one whose answer would be another one here."""
    stored = store.find(run.label)
    if stored is None:
        labels = [other.label for other in store.runs()]
        has = f"it has {', '.join(map(repr, labels))}" if labels else "it has none"
        raise StoreError(f"{str(store.file)!r} has no run {run.label!r}; {has}{suggestion(run.label, labels)}")
    refuse_other(run.label, str(store.file), stored.identity, run.identity, StoreError)
    return stored


class Kept:
    """The kept side of a run.

    Parameters
    ----------
    store
        Where it is kept.
    run
        What is run; begun anew, or gone on with.
    zero
        The tally of nothing.
    shard
        Which part of how many parts of the run is to be done here, counting from 1; all of it by default.
    frozen
        Only look: nothing is done and nothing written.
    """

    def __init__(
        self, store: Store, run: StoredRun, zero: Any, *, shard: tuple[int, int] = (1, 1), frozen: bool = False
    ) -> None:
        self._store, self._zero, self._shard, self.frozen = store, zero, shard, frozen
        self._run = run if frozen else store.begin(run)
        self._waiting: list[tuple[Range, int, Any]] = []
        self._bytes, self._written = 0, time.monotonic()

    def within(self) -> Range:
        """Return the range of units that is to be done here; empty where only looking."""
        number, count = self._shard
        units = 0 if self.frozen else -(-self._run.wanted // self._run.unit)
        return units * (number - 1) // count, units * number // count

    def done(self) -> Iterator[tuple[Range, Block, Any]]:
        """Yield the ranges of units that are done, each as a block with its tally.

        A unit that was cut, and of which more is wanted now, is not done.
        """
        for part, tally in self._store.tallies(self._run, self._zero):
            if self._counts(part):
                yield (part.first, part.end), Block(part.first, part.deals), tally

    def _counts(self, part: Part) -> bool:
        unit, reached = self._run.unit, self._run.reached
        if self.frozen and reached:
            return part.end <= reached
        return part.is_whole(unit) or self.frozen or part.first * unit + part.deals >= self._run.wanted

    def add(self, block: Block, tally: Any) -> None:
        """Keep a finished block; it is on the disk within a second."""
        end = block.first + -(-block.deals // self._run.unit)
        self._waiting.append(((block.first, end), block.deals, tally))
        self._bytes += sum(np.asarray(getattr(tally, f.name)).nbytes for f in fields(tally))
        if self._bytes > _MOST_WAITING or time.monotonic() - self._written > _COMMIT_EVERY:
            self.flush()

    def flush(self) -> None:
        """Commit what waits."""
        if self._waiting:
            self._store.write(self._run, self._waiting, self._zero)
            self._waiting, self._bytes = [], 0
        self._written = time.monotonic()

    def stop(self, reason: str, reached: int) -> None:
        """Commit what waits, why the run stopped, and at which set point where one ended it."""
        if not self.frozen:
            self.flush()
            self._store.stop(self._run, reason, reached)
