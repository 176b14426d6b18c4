"""Exact numbers of tables, kept on disk: a table's law can take a minute, and never changes.

A file per question, named by a digest of everything that the numbers depend on, the sources of the exact side included.
What cannot be read or written is computed again.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from tlsim.exact.question import Table, TableCounts
from tlsim.folders import cache_folder

_SOURCES = ("exact/*.py", "patterns.py", "cards.py", "bits.py")


def kept_table(table: Table) -> TableCounts:
    """Return `count_table` of a table, from disk where it is there."""
    file = cache_folder() / "tables" / f"{_digest(table)}.json"
    try:
        return _read(file)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        from tlsim.exact.table import count_table  # compiled code: loaded where there is something to compute

        counts = count_table(table)
    _write(file, counts)
    return counts


def _digest(table: Table) -> str:
    """Return the digest of a question; names of patterns do not matter, their order does."""
    tests = [pattern.tests(table.hand_size) for pattern in table.patterns]
    rest = (table.hand_size, table.players, table.priority, table.holding, table.dead)
    opening = (table.opening_card, table.opening_random)
    return hashlib.sha256(repr((_sources_digest(), tests, rest, opening)).encode()).hexdigest()[:32]


@cache
def _sources_digest() -> str:
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(package.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(file: Path) -> TableCounts:
    held = json.loads(file.read_text(encoding="utf-8"))
    return TableCounts(
        deals=int(held["deals"]),
        someone=_bounds(held["someone"]),
        wins=tuple(map(_bounds, held["wins"])),
        seats=tuple(map(_bounds, held["seats"])),
        strongest=tuple(map(_bounds, held["strongest"])),
    )


def _bounds(texts: list[str]) -> tuple[int, int]:
    low, high = map(int, texts)
    return low, high


def _write(file: Path, counts: TableCounts) -> None:
    """Write beside the file and move it there, so that nobody reads half a file."""
    held = {
        "deals": str(counts.deals),
        "someone": list(map(str, counts.someone)),
        "wins": [list(map(str, bounds)) for bounds in counts.wins],
        "seats": [list(map(str, bounds)) for bounds in counts.seats],
        "strongest": [list(map(str, bounds)) for bounds in counts.strongest],
    }
    beside = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(held, indent=1), encoding="utf-8")
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink()
