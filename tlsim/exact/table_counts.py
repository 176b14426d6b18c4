"""What is asked of a table, its exact numbers, and a file for each: a law can take a minute, and never changes.

A file is named by a digest of all that its numbers depend on, sources included. Nothing here is compiled.
"""

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

from tlsim.folders import cache_folder
from tlsim.patterns import Pattern

Bounds: TypeAlias = tuple[int, int]
"""Lowest and highest number of deals; equal where exact."""
Priority = Literal["strength", "turn"]
"""Who wins among several holders: the strongest pattern, then the turn from the leader; or the turn alone."""
_SOURCES = ("exact/*.py", "patterns.py", "cards.py", "bits.py")


@dataclass(frozen=True)
class Table:
    """A table at which every holder of a pattern declares."""

    patterns: tuple[Pattern, ...]  # strongest first
    hand_size: int
    players: int
    priority: Priority
    holding: int = 0  # cards (52 bits) that seat 0 surely has
    dead: int = 0  # and surely lacks
    opening_card: int | None = None  # that names the leader of an opening game, where he matters; else any seat leads
    opening_random: bool = False  # whether any seat leads where it was not dealt, instead of that of the lowest card


@dataclass(frozen=True)
class TableCounts:
    """Numbers of deals, lowest and highest possible, of all ``deals``, ordered by seat.

    They are counted for each leader where known cards tell seat 0 apart and any may lead: so all numbers stay whole.
    """

    deals: int
    someone: Bounds  # at least one seat holds a pattern
    wins: tuple[Bounds, ...]  # by pattern: it wins
    seats: tuple[Bounds, ...]  # by number of seats 0, 1, …: so many hold a pattern
    strongest: tuple[Bounds, ...] = ()  # by pattern: at least one seat has it as the strongest of its hand

    @property
    def exact(self) -> bool:
        """Whether all numbers are exact."""
        return all(low == high for low, high in (self.someone, *self.wins, *self.seats))

    def payment(self, pays: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """Return the ends of the mean payment of one loser per deal, at the price per loser of each pattern."""
        low, high = (
            sum((price * bounds[end] for price, bounds in zip(pays, self.wins, strict=True)), Fraction(0))
            for end in range(2)
        )
        return low / self.deals, high / self.deals


_FORM = TypeAdapter(TableCounts)


def kept_table(table: Table) -> TableCounts:
    """Return `count_table` of a table, from disk where it is there."""
    file = cache_folder() / "tables" / f"{_digest(table)}.json"
    try:
        return _FORM.validate_json(file.read_bytes())
    except (OSError, ValueError):
        from tlsim.exact.table_law import count_table  # compiled code: loaded where there is something to compute

        counts = count_table(table)
    _write(file, counts)
    return counts


def _digest(table: Table) -> str:
    """Return the digest of a question; names of patterns do not matter, their order does."""
    tests = [pattern.tests(table.hand_size) for pattern in table.patterns]
    rest = [value for name, value in vars(table).items() if name != "patterns"]
    return hashlib.sha256(repr((_sources_digest(), tests, rest)).encode()).hexdigest()[:32]


@cache
def _sources_digest() -> str:
    package = Path(__file__).parents[1]
    files = (path for pattern in _SOURCES for path in sorted(package.glob(pattern)))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _write(file: Path, counts: TableCounts) -> None:
    """Write beside the file and move it there, so that nobody reads half a file."""
    beside = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(_FORM.dump_json(counts))
        beside.replace(file)
    except OSError:
        with suppress(OSError):
            beside.unlink()
