"""Games one by one on disk: a partitioned Parquet data set, one row per game and player."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import Block
from tlsim.engine.games import GameWork
from tlsim.engine.identity import differences
from tlsim.errors import UsageError, shorten
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.deal import GROUP
from tlsim.kernels.matches import Hall

ROWS = 1 << 15  # of a file, about
_ENDINGS = {
    c.NORMAL: "played_out", c.WHOLE_TABLE_CONG: "cong_table", c.THREE_SPADES: "ket_3_bich", c.BLOCKED: "blocked",
    c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang", c.ALL_STUCK: "all_stuck", c.INSTANT: "toi_trang",
}  # fmt: skip
COLUMNS = {
    "match": "int64", "game": "int16", "seat": "int8", "policy": "string", "opening": "bool_", "role": "int8",
    "place": "int8", "net": "float64", "cards_left": "int8", "ending": "string", "plays": "int16",
}  # fmt: skip
"""Columns and their types: role is the distance from the leader, place counts from 1 (none where the game left it
open), net is in the unit of the rules, plays are plays and passes of the game."""


@dataclass(frozen=True)
class FileTally:
    """Files written, or there already, and their games."""

    files: int = 0
    games: int = 0

    def __add__(self, other: FileTally) -> FileTally:
        return FileTally(self.files + other.files, self.games + other.games)


@dataclass(frozen=True)
class GamesOut:
    """Work that writes the games of each unit of matches to a file of its own; a file is there whole or not at all.

    Parameters
    ----------
    work
        The games.
    folder
        Where the files go.
    matches
        Matches of the run.
    """

    work: GameWork
    folder: str
    matches: int

    @property
    def unit(self) -> int:
        """Matches of a file."""
        return max(1, ROWS // (self.work.match_length * self.work.players))

    def zero(self) -> FileTally:
        """Return the tally of no files."""
        return FileTally()

    @cached_property
    def _identity(self) -> str:
        return json.dumps(self.work.identity(), sort_keys=True)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was computed."""
        return {"work": self.work, "folder": self.folder, "matches": self.matches}

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> FileTally | None:
        """Write the files of a block; None where it was stopped."""
        total = FileTally()
        first, end = block.first * self.unit, block.first * self.unit + block.deals
        if end % self.unit and end != self.matches:  # it is there to load the kernels
            return total
        while first < end:
            last = min(first + self.unit, end)
            if not self._write(first, last, stop):
                return None
            total += FileTally(1, (last - first) * self.work.match_length)
            first = last
        return total

    def _write(self, first: int, last: int, stop: NDArray[np.int64] | None) -> bool:
        """Write a file unless it is there; return whether it is there now."""
        file = Path(self.folder) / f"matches-{first:012}-{last - 1:012}.parquet"
        if file.exists():
            return True
        columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        for match in range(first, last):
            if stop is not None and stop[0]:
                return False
            for game, hall in enumerate(self.work.games_of(match)):
                for seat in self._seats(hall, match, game):
                    for name, value in seat.items():
                        columns[name].append(value)
        self._save(file, columns)
        return True

    def _save(self, file: Path, columns: dict[str, list[Any]]) -> None:
        pa, pq = _arrow()
        schema = pa.schema({name: getattr(pa, kind)() for name, kind in COLUMNS.items()})
        table = pa.table(columns, schema=schema.with_metadata({"tlsim": self._identity}))
        part = file.with_name(f".{file.stem}.{os.getpid()}-{id(columns)}.part")  # readers pass over such names
        try:
            pq.write_table(table, part, compression="zstd")
            part.replace(file)
            for shorter in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.parquet"):
                if shorter.name < file.name:  # the last file of a run of fewer games
                    shorter.unlink()
        except OSError as error:
            part.unlink(missing_ok=True)
            raise UsageError(
                f"cannot write {str(file)!r}: {error.strerror or error}; whole files are kept, the same command goes on"
            ) from None

    def _seats(self, hall: Hall, match: int, game: int) -> Iterator[dict[str, Any]]:
        """Yield the row of each seat of the game that has just been played."""
        row, carried = hall.game, hall.carried[match % GROUP]
        turn, players = int(carried[m.WENT]), self.work.players
        places = row[c.PLACES : c.PLACES + row[c.N_PLACES]].tolist()
        for seat in range(players):
            position = seat * turn % players
            yield {
                "match": match, "game": game, "seat": seat, "policy": str(self.work.policies[seat]),
                "opening": bool(row[c.OPENING]), "role": int(position - row[c.LEADER]) % players,
                "place": places.index(position) + 1 if position in places else None,
                "net": row[c.NET + position] / 2, "cards_left": int(row[c.HANDS + position]).bit_count(),
                "ending": _ENDINGS.get(int(row[c.ENDING]), "other"), "plays": int(row[c.PLAYS]),
            }  # fmt: skip

    def check(self) -> None:
        """Make the folder; refuse one that holds games of another run, or in which nothing can be written."""
        _, pq = _arrow()
        folder = Path(self.folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
            for part in folder.glob(".*.part"):  # of a run that was killed
                part.unlink()
        except OSError as error:
            raise UsageError(f"cannot write in {self.folder!r}: {error.strerror or error}") from None
        for file in sorted(folder.glob("*.parquet"))[:1]:
            stored = (pq.read_schema(file).metadata or {}).get(b"tlsim", b"{}")
            apart = differences(json.loads(stored), json.loads(self._identity))
            if apart:
                name, one, two = apart[0]
                raise UsageError(
                    f"{self.folder!r} has games of another run: {name} is {shorten(one)} there and {shorten(two)} "
                    f"here; name another folder"
                )


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("games one by one need pyarrow: pip install 'tlsim[parquet]'") from None
    return pa, pq
