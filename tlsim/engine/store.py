"""The store: finished blocks of runs in a SQLite file, committed as they come.

A run is known by its label and its identity: everything that changes the answer and nothing else. What is stored of it
are parts: ranges of units with their tallies, none across a set point, neighbours put together; so a store stays small
however long the run. A part is there whole or not at all, whenever the power fails. Its checksum covers where it is and
the identity of its run: what was moved or cut to another size by hand is damaged, and done again.
"""

import json
import logging
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from tlsim.catalogue import N_, say
from tlsim.engine.identity import Identity, refuse_other
from tlsim.engine.packed import PackedError, pack, unpack
from tlsim.engine.work import stretch
from tlsim.errors import RunError, Sentence, reason, shorten
from tlsim.folders import existing

log = logging.getLogger("tlsim")

APPLICATION = int.from_bytes(b"tlsi", "big")
VERSION = 2
NOT_ENDED = "not ended"  # it runs, or was killed, or the disk was full
UNFINISHED = {"interrupt", "failure", NOT_ENDED}  # reasons that leave less than was asked for
_PATIENCE = 60.0  # seconds to wait for another process that writes


class StoreError(RunError):
    """A store that cannot be read or written, or holds another run under the label."""


@dataclass(frozen=True)
class Part:
    """Some units of a run: all deals from unit ``first`` up to unit ``end``, the last of which may be cut."""

    first: int
    end: int
    deals: int

    def is_possible(self, unit: int, wanted: int) -> bool:
        """Whether a run of which so much was asked for can have it."""
        whole = all(isinstance(value, int) for value in (self.first, self.end, self.deals))
        within = whole and 0 <= self.first < self.end <= -(-wanted // unit)
        return within and 0 <= (self.end - self.first) * unit - self.deals < unit

    def is_whole(self, unit: int) -> bool:
        """Whether no unit of it is cut."""
        return self.deals == (self.end - self.first) * unit


@dataclass(frozen=True)
class StoredRun:
    """A run as a store knows it."""

    label: str
    identity: Identity
    recipe: dict[str, Any]  # what it takes to show it again
    unit: int  # deals (or matches) of a unit
    wanted: int  # deals that were asked for last
    stopped: str = NOT_ENDED  # why it stopped last
    reached: int = 0  # units of the set point that ended it; 0 where it gives all that is stored
    number: int = 0  # in the file

    def place(self, part: Part) -> str:
        """Return where a part belongs, for its checksum."""
        return _text([self.identity, self.unit, part.first, part.end, part.deals])


class Store:
    """An open store; one that is not there is made, where it may be."""

    def __init__(self, file: str | Path, *, make: bool = True) -> None:
        self.file, self._make = existing(file), make
        try:
            there, exists = self.file.is_file(), self.file.exists()
        except (OSError, ValueError) as error:  # a name too long, a zero byte
            why = reason(error)
            raise StoreError("the store {file!r} cannot be opened: {why}", file=str(file), why=why) from None
        if self.file.is_dir():
            raise StoreError("{file!r} is a folder; a store is a file, name one", file=str(file))
        if (exists and not there) or str(file) == ":memory:":
            raise StoreError("{file!r} is no file that keeps anything; a store is a file, name one", file=str(file))
        if not make and not there:
            raise StoreError("there is no store {file!r}", file=str(file))
        with self._told(N_("opened")):
            self._base = sqlite3.connect(self.file, timeout=_PATIENCE, isolation_level=None)
            self._base.text_factory = partial(str, encoding="utf-8", errors="replace")
            try:
                self._check()
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def _check(self) -> None:
        """Make the tables of a new file; refuse what is no store of this version."""
        self._base.execute("PRAGMA foreign_keys = ON")
        self._base.execute("PRAGMA synchronous = FULL")
        application, version = (self._value(f"PRAGMA {name}") for name in ("application_id", "user_version"))
        if (application, version) == (0, 0) and not self._value("SELECT count(*) FROM sqlite_master"):
            if not self._make:  # an empty file stays as it is, and has no runs
                self._base.close()
                self._base = sqlite3.connect(":memory:", isolation_level=None)
            with self._writing():
                if not self._value("SELECT count(*) FROM sqlite_master"):
                    for statement in Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").split(";"):
                        self._base.execute(statement)
                    self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._base.execute(f"PRAGMA user_version = {VERSION}")
            return
        if application != APPLICATION:
            raise StoreError("{file!r} belongs to another program; give the store a file of its own",
                             file=str(self.file))  # fmt: skip
        if version != VERSION:
            raise StoreError("{file!r} is a store of form {version}, this tlsim reads form {ours}; use the version of "
                             "tlsim that made it, or begin a new store", file=str(self.file), version=version,
                             ours=VERSION)  # fmt: skip
        found = self._value("PRAGMA quick_check")
        if found != "ok":
            raise sqlite3.DatabaseError(str(found))

    def _value(self, statement: str, *arguments: Any) -> Any:
        row = self._base.execute(statement, arguments).fetchone()
        return None if row is None else row[0]

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Say in clear words why the file cannot be used."""
        try:
            yield
        except sqlite3.Error as error:
            advice = next((said for word, said in _ADVICE.items() if word in str(error)), _DAMAGED)
            raise StoreError("the store {file!r} cannot be {what}: {error}; {advice}", file=str(self.file),
                             what=Sentence(what), error=reason(error), advice=Sentence(advice)) from error  # fmt: skip

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Do all of what follows or nothing of it; within the same of a caller, all or nothing of that."""
        if self._base.in_transaction:
            yield
            return
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Do all that is done within or nothing of it."""
        with self._told(N_("written")), self._writing():
            yield

    # Runs

    def labels(self) -> list[str]:
        """Return the labels of all runs in order, also of damaged ones."""
        return [str(row[0]) for row in self._rows()]

    def runs(self) -> list[StoredRun]:
        """Return all runs, by label."""
        return [self._read(row) for row in self._rows()]

    def find(self, label: str) -> StoredRun | None:
        """Return the run with a label; None where there is none."""
        return next((self._read(row) for row in self._rows() if str(row[0]) == label), None)

    def _rows(self) -> list[Any]:
        select = "SELECT label, identity, recipe, unit, wanted, stopped, reached, id FROM runs ORDER BY label, id"
        with self._told(N_("read")):
            return self._base.execute(select).fetchall()

    def _read(self, row: Any) -> StoredRun:
        """Return a run as a row has it; refuse a damaged one by its name."""
        label, identity, recipe, unit, wanted, stopped, reached, number = row
        try:
            identity, recipe = json.loads(identity), json.loads(recipe)
        except (ValueError, TypeError, RecursionError):
            raise self.damaged(str(label), "its identity or its recipe is no JSON") from None
        for name, value, key in (("identity", identity, "version"), ("recipe", recipe, "command")):
            if not isinstance(value, dict) or not isinstance(value.get(key), str):
                raise self.damaged(str(label), "its {name} has no {key}", name=name, key=key)
        for name, value, least in (("unit", unit, 1), ("wanted", wanted, 1), ("reached", reached, 0)):
            if not isinstance(value, int) or value < least:
                raise self.damaged(str(label), "{name} = {value}", name=name, value=shorten(value))
        return StoredRun(str(label), identity, recipe, unit, wanted, str(stopped), reached, number)

    def damaged(self, label: str, why: str, **values: Any) -> StoreError:
        """Return the error of a run that cannot be understood; why is a sentence with its values."""
        return StoreError("the run {label!r} in {file!r} is damaged: {why}; restore the file from a copy, or begin "
                          "the run anew under another label", label=label, file=str(self.file),
                          why=Sentence(why, **values))  # fmt: skip

    def begin(self, run: StoredRun) -> StoredRun:
        """Return the run of that label as it is kept from now on; it is made where there is none."""
        with self.at_once():
            stored = self.find(run.label)
            if stored is None:
                row = (run.label, _text(run.identity), _text(run.recipe), run.unit, run.wanted, run.stopped)
                self._base.execute("INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", (*row, run.reached))
                number = self._value("SELECT last_insert_rowid()")
                return replace(run, number=number, identity=json.loads(_text(run.identity)))
            refuse_other(run.label, str(self.file), stored.identity, run.identity, StoreError)
            self._base.execute("UPDATE runs SET wanted = max(wanted, ?), stopped = ? WHERE id = ?",
                               (run.wanted, run.stopped, stored.number))  # fmt: skip
            return replace(run, number=stored.number, identity=stored.identity)

    def stop(self, run: StoredRun, reason: str, reached: int) -> None:
        """Note why a run stopped, and at which set point where one ended it."""
        with self.at_once():
            self._base.execute("UPDATE runs SET stopped = ?, reached = ? WHERE id = ?", (reason, reached, run.number))

    # Parts

    def ranges(self, run: StoredRun) -> list[Part]:
        """Return the parts of a run in order, without their tallies; none that cannot be."""
        return [part for part, possible in self._parts(run) if possible]

    def _parts(self, run: StoredRun) -> list[tuple[Part, bool]]:
        """Return the parts of a run in order, and whether the run can have each."""
        with self._told(N_("read")):
            wanted = self._value("SELECT wanted FROM runs WHERE id = ?", run.number)
            select = 'SELECT first, "end", deals FROM parts WHERE run = ? ORDER BY first'
            parts = [Part(*row) for row in self._base.execute(select, (run.number,))]
        return [(part, part.is_possible(run.unit, wanted)) for part in parts]

    def tallies(self, run: StoredRun, like: Any, *, mend: bool = True) -> Iterator[tuple[Part, Any]]:
        """Yield the parts of a run with their tallies; damaged ones are told, left out, and removed to ``mend``."""
        text = N_("{file}: units {first} to {end} are damaged and are done again")
        left = N_("{file}: units {first} to {end} are damaged and are left out")
        for part, possible in self._parts(run):
            if possible and (tally := self.tally(run, part, like)) is not None:
                yield part, tally
                continue
            log.warning(say(text if mend else left, file=self.file, first=part.first, end=part.end))
            if mend:
                with self.at_once():
                    self._remove(run, [part])

    def tally(self, run: StoredRun, part: Part, like: Any) -> Any:
        """Return the tally of a part; None where it is damaged."""
        with self._told(N_("read")):
            data = self._value("SELECT tally FROM parts WHERE run = ? AND first = ?", run.number, part.first)
        try:
            return unpack(data if isinstance(data, bytes) else b"", like, run.place(part))
        except PackedError as error:
            if "checksum" in str(error):
                return None
            raise StoreError("the store {file!r} holds a run that this version cannot read: {error}",
                             file=str(self.file), error=reason(error)) from None  # fmt: skip

    def write(self, run: StoredRun, parts: Iterable[tuple[Part, Any]], like: Any) -> tuple[int, int, int]:
        """Commit parts, all or none; what is there stays as it is. Return the numbers of new, known, crossing ones."""
        with self.at_once():
            placed = Counter(self._place(run, part, tally) for part, tally in parts)
            self._join(run, like)
        return placed["new"], placed["known"], placed["crossing"]

    def _place(self, run: StoredRun, part: Part, tally: Any) -> str:
        """Add a part where nothing of it is there, or in the place of parts that it holds more than."""
        there = [other for other in self.ranges(run) if other.first < part.end and part.first < other.end]
        if there:
            covers = part.first <= there[0].first and there[-1].end <= part.end
            if not covers or part.deals <= sum(other.deals for other in there):
                inside = any(other.first <= part.first and part.end <= other.end for other in there)
                return "known" if inside or covers else "crossing"
            self._remove(run, there)
        self._insert(run, part, tally)
        return "new"

    def _insert(self, run: StoredRun, part: Part, tally: Any) -> None:
        row = (run.number, part.first, part.end, part.deals, pack(tally, run.place(part)))
        self._base.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)", row)  # in that of an impossible one

    def _join(self, run: StoredRun, like: Any) -> None:
        """Put neighbours between the same set points together."""
        groups: list[list[Part]] = [[]]
        for part in filter(lambda part: part.is_whole(run.unit), self.ranges(run)):
            if groups[-1] and (groups[-1][-1].end != part.first or stretch(groups[-1][-1].first) < stretch(part.first)):
                groups.append([])
            groups[-1].append(part)
        for parts in groups:
            tallies: list[Any] = [self.tally(run, part, like) for part in parts] if len(parts) > 1 else [None]
            if all(tally is not None for tally in tallies):  # a damaged one is told when the run is read
                self._remove(run, parts)
                whole = Part(parts[0].first, parts[-1].end, sum(part.deals for part in parts))
                self._insert(run, whole, sum(tallies[1:], start=tallies[0]))

    def _remove(self, run: StoredRun, parts: Iterable[Part]) -> None:
        for part in parts:
            self._base.execute("DELETE FROM parts WHERE run = ? AND first = ?", (run.number, part.first))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


_MAKE_ROOM = N_("what was committed before is kept: make room on the disk and give the same command again")
_WRITABLE = N_("the folder must exist and be writable, and so must the file")
_DAMAGED = N_("the file is damaged, or is no store: restore it from a copy, or begin a new store")
_ADVICE = {
    "full": _MAKE_ROOM, "I/O": _MAKE_ROOM, "readonly": _WRITABLE, "unable to open": _WRITABLE,
    "locked": N_("another process has been writing for a minute; give the same command again"),
}  # fmt: skip
