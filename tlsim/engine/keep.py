"""A run that is kept in a store: what is done already, and finished blocks on their way to the disk."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tlsim.engine.identity import refuse_other
from tlsim.engine.packed import size
from tlsim.engine.store import Part, Store, StoredRun, StoreError
from tlsim.engine.work import Block, Plan, Range
from tlsim.errors import Sentence, suggestion, visible, wrong

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
    question
        Which of several runs of one question it is: a second part of the label.

    Examples
    --------
    >>> Keep("runs.db", label="night", shard=(2, 4)).shard
    (2, 4)
    """

    file: str | Path
    label: str | None = None
    shard: tuple[int, int] = (1, 1)
    frozen: bool = False
    question: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.file, str | Path) or not str(self.file):
            raise wrong("store", self.file, "must be the path of a file")
        if self.label is not None and (not isinstance(self.label, str) or not self.label.strip()):
            raise wrong("label", self.label, "must be a text")
        self.label_of("")
        whole = isinstance(self.shard, tuple) and len(self.shard) == 2 and {type(part) for part in self.shard} == {int}
        if not whole or not 1 <= self.shard[0] <= self.shard[1]:
            raise wrong("shard", self.shard, "must be a part and the number of parts, such as (1, 4)")

    def beside(self, question: str) -> "Keep":
        """Return where one of several runs of a question is kept; it gives no more deals than it is asked for."""
        return replace(self, question=question)

    def label_of(self, usual: str) -> str:
        """Return the label of a run that is called so by default."""
        label = ", ".join(filter(None, [self.label or usual, self.question]))
        if visible(label) != label or set(label) & {"\n", "\t"}:
            raise wrong("label", label, "must be one line of text, without control characters")
        return label


def as_keep(where: Keep | str | Path) -> Keep:
    """Return where a run is kept, of a file or of all that there is to say."""
    return where if isinstance(where, Keep) else Keep(where)


@contextmanager
def kept_in(
    where: Keep | str | Path | None, label: str, work: Any, recipe: dict[str, Any], wanted: int
) -> "Iterator[Kept | None]":
    """Open the store of a run, whose label is by default the one that is given."""
    if where is None:
        yield None
        return
    keep = as_keep(where)
    with Store(keep.file, make=not keep.frozen) as store:
        run = StoredRun(keep.label_of(label), work.identity(), recipe, work.unit, wanted)
        yield Kept(store, found(store, run) if keep.frozen else store.begin(run), work.zero(), keep)


def left_to_do(where: Keep | str | Path | None, label: str, work: Any, wanted: int) -> tuple[int, int]:
    """Return how many deals of a run are stored, and how many are left to be done here; nothing is written."""
    keep, unit, parts = None if where is None else as_keep(where), work.unit, list[Part]()
    if keep is not None and Path(keep.file).is_file():
        with Store(keep.file, make=False) as store:
            run = StoredRun(keep.label_of(label), work.identity(), {}, unit, wanted)
            parts = store.ranges(found(store, run)) if store.find(run.label) else []
    whole = [part for part in parts if part.is_whole(unit) or part.first * unit + part.deals >= wanted]
    within = None if keep is None else _part(keep.shard, wanted, unit)
    plan = Plan(wanted, unit, [(part.first, part.end) for part in whole], within)
    return sum(part.deals for part in whole), plan.deals_left


def _part(shard: tuple[int, int], wanted: int, unit: int) -> Range:
    """Return the units of a shard."""
    (number, count), units = shard, -(-wanted // unit)
    return units * (number - 1) // count, units * number // count


def no_run(store: Store, label: str | None) -> StoreError:
    """Return the error of a label that a store does not have, or that is missing, naming those that it has."""
    file, labels = str(store.file), store.labels()
    has = Sentence("it has {labels}", labels=", ".join(map(repr, labels)))
    if not labels:
        return StoreError("{file!r} holds no run", file=file)
    if label is None:
        return StoreError("{file!r} needs a label; {has}", file=file, has=has)
    near = suggestion(label, labels)
    return StoreError("{file!r} has no run {label!r}; {has}{near}", file=file, label=label, has=has, near=near)


def found(store: Store, run: StoredRun) -> StoredRun:
    """Return a run as it is stored; refuse one whose answer would be another one here."""
    stored = store.find(run.label)
    if stored is None:
        raise no_run(store, run.label)
    refuse_other(run.label, str(store.file), stored.identity, run.identity, StoreError)
    return stored


class Kept:
    """The kept side of a run: what a store has of it, and finished blocks on their way there."""

    def __init__(self, store: Store, run: StoredRun, zero: Any, keep: Keep) -> None:
        self._store, self._run, self._zero, self._keep = store, run, zero, keep
        self._waiting: list[tuple[Part, Any]] = []
        self._bytes, self._written = 0, time.monotonic()

    def within(self) -> Range:
        """Return the range of units that is to be done here; empty where only looking."""
        return _part(self._keep.shard, 0 if self._keep.frozen else self._run.wanted, self._run.unit)

    def done(self) -> Iterator[tuple[Part, Any]]:
        """Yield the parts that are done and need no more deals, with their tallies."""
        every = self._store.tallies(self._run, self._zero, mend=not self._keep.frozen)
        return ((part, tally) for part, tally in every if self._counts(part))

    def _counts(self, part: Part) -> bool:
        unit, wanted, reached = self._run.unit, self._run.wanted, self._run.reached
        if self._keep.frozen:
            return not reached or part.end <= reached
        last = part.first * unit + part.deals
        if self._keep.question and last > wanted:  # what is compared must be of one size
            return False
        return part.is_whole(unit) or last >= wanted

    def add(self, block: Block, tally: Any) -> None:
        """Keep a finished block; it is on the disk within a second."""
        end = block.first + -(-block.deals // self._run.unit)
        self._waiting.append((Part(block.first, end, block.deals), tally))
        self._bytes += size(tally)
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
        if not self._keep.frozen:
            self.flush()
            self._store.stop(self._run, reason, reached)
