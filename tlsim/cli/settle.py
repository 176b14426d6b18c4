"""``tlsim settle``: referee records; what is wrong, or who pays whom."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from tlsim.cli.options import chosen_rules, flags
from tlsim.cli.output import FORMATS, emit, json_line, stream
from tlsim.errors import UsageError
from tlsim.terms import language, term

_MOST_ROWS = 40  # of a table for people
_TITLES = {"games": "view_games", "scores": "settled", "transfers": "view_transfers"}

Rows = list[dict[str, Any]]


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--rules", "rules_name", metavar="NAME|FILE", help="Rules to go by. [default: those that a record names]")
@flags("set", "stake", "lang")
@click.option(
    "--format", "fmt", type=click.Choice((*FORMATS, "jsonl")), default="table", show_default=True,
    help="How to print; jsonl: the settled records themselves, each as soon as it is settled.",
)  # fmt: skip
@flags("out")
def settle(
    *, file: str, rules_name: str | None, settings: tuple[str, ...], stake: int | None, lang: str | None, fmt: str,
    out: str | None,
) -> None:  # fmt: skip
    """Referee game records: what is wrong, or who pays whom.

    FILE holds one JSON object a line (format tlsim-game/1); '-' reads standard input. A record needs: format
    ("tlsim-game/1"), rules, players, opening, leader, hands, calls, plays. Cards are rank and
    suit, such as "3S" or "10H"; a play is {"seat": 2, "cards": ["3S", "3C"]}, a pass has no cards.

    A record that is wrong is named on standard error and does not count; the others do. Exit status 1 where something
    is wrong. A file may have any number of records: table, markdown and jsonl need no more memory for more of them.
    """
    from tlsim.records import RecordError, read_records, settle_all

    _check_usage(file, rules_name, settings, stake, fmt, out)
    rules = chosen_rules(rules_name, settings) if rules_name else None
    sheet = _Sheet(stake, most=_MOST_ROWS if fmt in {"table", "markdown"} else None)
    faulty, stopped = False, None
    with stream(out) if fmt == "jsonl" else contextlib.nullcontext() as write:
        try:
            for where, done in settle_all(read_records(_lines(file), _name(file)), rules):
                if isinstance(done, RecordError):
                    faulty = True
                    click.echo(str(done), err=True)
                else:
                    sheet.games += 1
                    if write is not None:
                        write(json_line(done.record))
                    else:
                        sheet.add(where, done)
        except (KeyboardInterrupt, UsageError) as error:  # what was settled before is printed all the same
            stopped = error
    if stopped is not None and not sheet.games:
        raise stopped
    if not sheet.games and not faulty:
        faulty = True
        click.echo(f"{_name(file)}: holds no record; a record is one JSON object on a line", err=True)
    if fmt in {"json", "csv"} or (sheet.games and fmt != "jsonl"):
        sheet.print(fmt, language(lang), out, complete=stopped is None, legal=not faulty)
    if stopped is not None:
        raise stopped
    if faulty:
        raise click.exceptions.Exit(1)


@dataclass
class _Sheet:
    """The score sheet: sums by seat, and the rows that the format shows (no more than ``most``, else none)."""

    stake: int | None
    most: int | None
    games: int = 0
    rows: Rows = field(default_factory=list)
    transfers: Rows = field(default_factory=list)
    scores: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)  # (unit, seat): games, net

    def add(self, where: str, game: Any) -> None:
        """Note a game."""
        number = self.games - 1
        for seat, value in enumerate(game.net):
            games, net = self.scores.get((game.unit, seat), (0, 0))
            self.scores[game.unit, seat] = games + 1, net + value
        if self.most is None or len(self.rows) <= self.most:
            self.rows.append({"game": number, "line": int(where.rpartition(":")[2])} | _row(game, self.stake))
        if self.most is None or len(self.transfers) <= self.most:
            self.transfers += [{"game": number} | transfer for transfer in game.record["transfers"]]

    def print(self, fmt: str, lang: str, out: str | None, *, complete: bool, legal: bool) -> None:
        """Print what was settled."""
        from tlsim import __version__

        tables: dict[str, Rows] = {"games": self.rows, "scores": self._scores(), "transfers": self.transfers}
        if self.most is not None:
            tables = {view: rows for view, rows in tables.items() if view == "scores" or len(rows) <= self.most}
        notes = [term("no_fault", lang)] if legal else []
        emit(
            "settle", {"version": __version__, "games": self.games}, tables, fmt=fmt, lang=lang, out=out,
            complete=complete, titles={view: term(word, lang) for view, word in _TITLES.items()}, notes=notes,
        )  # fmt: skip

    def _scores(self) -> Rows:
        """Return the sum of every seat; units of different rules are never added."""
        rows = []
        for (unit, seat), (games, net) in sorted(self.scores.items()):
            row = {"seat": seat, "games": games, "net": net, "unit": unit}
            rows.append(row | {f"net × {self.stake:,}": net * self.stake} if self.stake else row)
        return rows


def _row(game: Any, stake: int | None) -> dict[str, Any]:
    row: dict[str, Any] = {"places": " ".join(map(str, game.places))}
    row |= {f"net {seat}": value for seat, value in enumerate(game.net)}
    return row | {f"net {seat} × {stake:,}": value * stake for seat, value in enumerate(game.net)} if stake else row


def _name(file: str) -> str:
    return "-" if file == "-" else Path(file).name or file


def _check_usage(
    file: str, rules_name: str | None, settings: tuple[str, ...], stake: int | None, fmt: str, out: str | None
) -> None:
    if settings and rules_name is None:
        raise UsageError("--set changes a rule set; name it with --rules")
    if stake is not None and fmt == "jsonl":
        raise UsageError("--stake is for the score sheet; jsonl holds the records alone")
    if out is not None and _is_same(file, out):
        raise UsageError(f"--out {out!r} is the file that is read; name another one")


def _is_same(file: str, out: str) -> bool:
    """Whether a file would be written over while it is read."""
    try:
        return file != "-" and Path(out).samefile(file)
    except (OSError, ValueError):
        return False


def _lines(file: str) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input; of one too long to be a record only the beginning."""
    from tlsim.records.model import MOST_BYTES

    if file == "-" and sys.stdin is None:
        raise UsageError("standard input is closed; name a FILE, or pipe records in")
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
            while line := stream.readline(MOST_BYTES + 1):
                yield line
                while len(line) > MOST_BYTES and not line.endswith(b"\n"):
                    line = stream.readline(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {file!r}: {getattr(error, 'strerror', None) or error}") from None
