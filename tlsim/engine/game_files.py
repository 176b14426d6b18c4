"""Games one by one on disk: a partitioned Parquet data set, one row per game and player."""

import json
import logging
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.catalogue import say
from tlsim.engine.game_work import GameWork
from tlsim.engine.identity import apart_in_words
from tlsim.engine.work import Flag, Work
from tlsim.errors import UsageError, reason
from tlsim.kernels import hall as h
from tlsim.kernels import row as c
from tlsim.kernels.row import Ints
from tlsim.tally import Tally

log = logging.getLogger("tlsim")

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
_NAME = re.compile(r"matches-(\d{12,})-(\d{12,})\.parquet")


@dataclass(frozen=True, eq=False)
class FileTally(Tally):
    """Files written, or there already, and their games."""

    files: int = 0
    games: int = 0


@dataclass(frozen=True)
class GamesOut(Work[FileTally]):
    """Work that writes the games of each unit of matches to a file of its own; a file is there whole or not at all."""

    work: GameWork
    folder: str
    matches: int  # of the run

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

    def tally_of(self, first: int, number: int, stop: Flag) -> FileTally | None:
        """Write the files of so many matches from one on; None where it was stopped."""
        total, end = FileTally(), first + number
        if end % self.unit and end != self.matches:  # it is there to load the kernels
            return total
        while first < end:
            last = min(first + self.unit, end)
            if not self._write(first, last, stop):
                return None
            total += FileTally(1, (last - first) * self.work.match_length)
            first = last
        return total

    def _write(self, first: int, last: int, stop: Flag) -> bool:
        """Write a file unless its matches are there, maybe in a longer one; return whether they are there now."""
        if any(end >= last for end in self._from(first)):
            return True
        games = self.work.games(first, last - first, stop)
        if games is None:
            return False
        self._save(self._file(first, last), self._columns(first, games))
        there = self._from(first)  # the last file of a run of fewer games; a longer one of another process
        for end in set(there) - {max(there)}:
            self._file(first, end).unlink(missing_ok=True)
        return True

    def _file(self, first: int, end: int) -> Path:
        return Path(self.folder) / f"matches-{first:012}-{end - 1:012}.parquet"

    def _from(self, first: int) -> list[int]:
        """Return where files end that begin with a match."""
        files = Path(self.folder).glob(f"matches-{first:012}-*.parquet")
        return [int(named[2]) + 1 for file in files if (named := _NAME.fullmatch(file.name))]

    def _save(self, file: Path, columns: dict[str, Any]) -> None:
        pa, pq = _arrow()
        schema = pa.schema({name: getattr(pa, kind)() for name, kind in COLUMNS.items()})
        columns = {name: pa.array(columns[name]).cast(schema.field(name).type) for name in COLUMNS}
        table = pa.table(columns, schema=schema.with_metadata({"tlsim": self._identity}))
        part = file.with_name(f".{file.stem}.{os.getpid()}-{id(columns)}.part")  # readers pass over such names
        try:
            pq.write_table(table, part, compression="zstd")
            _onto_disk(part)
            part.replace(file)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise UsageError("cannot write {file!r}: {reason}; whole files are kept, the same command goes on",
                             file=str(file), reason=reason(error)) from None  # fmt: skip
        with suppress(OSError):  # not every system lets a folder be opened
            _onto_disk(file.parent)

    def _columns(self, first: int, games: Ints) -> dict[str, Any]:
        """Return the columns of the games of matches, a row for each seat; games : see `GameWork.games`."""
        pa, _ = _arrow()
        matches, number, _ = games.shape
        of_seats = games[:, :, h.KEPT_OF_GAME :].reshape(matches, number, -1, h.KEPT_OF_SEAT)
        shape = of_seats.shape[:3]

        def spread(values: Any, axis: int) -> Any:
            return np.broadcast_to(np.expand_dims(values, tuple({0, 1, 2} - {axis})), shape).ravel()

        def of_game(column: int) -> Ints:
            return np.repeat(games[:, :, column].ravel(), shape[2])

        def named(numbers: Ints, names: list[str]) -> Any:
            return pa.DictionaryArray.from_arrays(numbers, names).dictionary_decode()

        place = of_seats[..., h.KEPT_PLACE].ravel()
        endings = [_ENDINGS.get(number, "other") for number in range(c.N_ENDINGS)]
        return {
            "match": spread(np.arange(first, first + matches), 0), "game": spread(np.arange(number), 1),
            "seat": spread(np.arange(shape[2]), 2),
            "policy": named(spread(np.arange(shape[2]), 2), list(map(str, self.work.policies))),
            "opening": of_game(h.KEPT_OPENING) != 0, "role": of_seats[..., h.KEPT_ROLE].ravel(),
            "place": pa.array(place, mask=place == 0), "net": of_seats[..., h.KEPT_NET].ravel() / 2,
            "cards_left": of_seats[..., h.KEPT_CARDS].ravel(),
            "ending": named(of_game(h.KEPT_ENDING), endings), "plays": of_game(h.KEPT_PLAYS),
        }  # fmt: skip

    def check(self) -> None:
        """Make the folder; refuse one of another run, or that cannot be written in; torn files are written again."""
        _arrow()
        if not self.folder.strip():
            raise UsageError("the folder of the games is {folder!r}: give it a name", folder=self.folder)
        folder = Path(self.folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
            torn = [file for file in sorted(folder.glob("*.parquet")) if not self._is_whole(file)]
            for file in torn:
                log.warning(say("{file} is damaged and is written again", file=file))
                file.unlink()
            for part in folder.glob(".*.part"):  # of a run that was killed
                part.unlink()
            for file, later in pairwise(sorted(folder.glob("*.parquet"))):  # of one start the longer is later
                if file.name.split("-")[1] == later.name.split("-")[1]:
                    file.unlink()
        except UsageError:
            raise
        except (OSError, ValueError) as error:
            raise UsageError("cannot write in {folder!r}: {reason}", folder=self.folder, reason=reason(error)) from None

    def _is_whole(self, file: Path) -> bool:
        """Whether a file has all its rows, as far as its footer says; refuse one that is no part of this run."""
        pa, pq = _arrow()
        named = _NAME.fullmatch(file.name)
        first, end = (int(named[1]), int(named[2]) + 1) if named else (0, 0)
        if first % self.unit or not first < end <= first + self.unit:
            raise UsageError("{file!r} is no file of the games of this run; name another folder", file=str(file))
        try:
            footer = pq.read_metadata(file)
        except (pa.ArrowException, OSError) as error:
            if getattr(error, "errno", None):  # it may be whole: it cannot be read
                raise
            return False
        apart = apart_in_words(_identity_in(footer), json.loads(self._identity))
        if apart:
            raise UsageError("{folder!r} has games of another run: {difference}; name another folder",
                             folder=self.folder, difference=apart[0])  # fmt: skip
        rows = (end - first) * self.work.match_length * self.work.players
        return bool(footer.num_rows == rows and _matches_of(footer) == (first, end))


def _identity_in(footer: Any) -> Any:
    """Return the identity of the run that wrote a file; an empty one where there is none."""
    try:
        found = json.loads((footer.metadata or {}).get(b"tlsim", b"{}"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _matches_of(footer: Any) -> tuple[int, int] | None:
    """Return the first match of a file and where they end, as its footer says."""
    found = [footer.row_group(at).column(0).statistics for at in range(footer.num_row_groups)]
    if not found or not all(each is not None and each.has_min_max for each in found):
        return None
    return min(each.min for each in found), max(each.max for each in found) + 1


def _onto_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("games one by one need pyarrow: pip install 'tlsim[parquet]'") from None
    return pa, pq
