"""``tlsim settle``: referee records; what is wrong, or who pays whom."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from tlsim.catalogue import N_, say, told
from tlsim.cli.flags import Given, argument, command
from tlsim.columns import Column, Row, Table, View
from tlsim.errors import UsageError, reason
from tlsim.folders import existing
from tlsim.options import FORMATS, OPTIONS, Option
from tlsim.show import Page
from tlsim.show.formats import json_line
from tlsim.show.output import stream
from tlsim.terms import term
from tlsim.version import __version__

_MOST_ROWS = 40  # of a table for people
_SEATS = range(5)
GAMES = View("games", (
    Column("game", "index"), Column("line", "index", leave=3), Column("places", "text", "places_word"),
    *(Column(f"net {seat}", "money", f"net_{seat}", signed=True) for seat in _SEATS),
))  # fmt: skip
SCORES = View("scores", (
    Column("seat", "index", "seat_word"), Column("games", "count"), Column("net", "money", signed=True),
    Column("unit", "text"),
), "settled")  # fmt: skip
TRANSFERS = View("transfers", (
    Column("game", "index"), Column("from", "index", "payer"), Column("to", "index", "receiver"),
    Column("amount", "money", "money"), Column("reason", "reason"),
))  # fmt: skip
PAYMENTS = View("payments", (
    Column("from", "text", "payer"), Column("to", "text", "receiver"), Column("amount", "money", "money"),
    Column("unit", "text"),
))  # fmt: skip
_RULES = replace(OPTIONS["rules"], default=None, help=N_("Rules to go by."), usual=N_("those that a record names"))
_RECORDS = ("jsonl", "notation")
_FORMAT = replace(
    OPTIONS["format"], choices=(*FORMATS, *_RECORDS),
    help=N_("How to print; jsonl, notation: the settled games themselves, each as soon as it is settled."),
)  # fmt: skip
_SHEET = Option(
    "sheet", N_("Show how everybody stands after each game, and who pays whom at the end in the fewest payments."),
    False, None,
)  # fmt: skip


@command("settle", None, argument("file", "FILE", metavar="FILE|-"), _RULES, _SHEET,
         shows=("view", "wide", "stake", "lang"), flags=(_FORMAT, OPTIONS["out"]))  # fmt: skip
def settle(given: Given) -> None:
    """Referee game records: what is wrong, or who pays whom.

    FILE holds games in the notation that people type (rules, players, game, then lines such as "An 3S 3C"; see
    docs/records.md), or JSON (format tlsim-game/1), one object a line, indented or in an array; '-' reads standard
    input. A JSON record needs: format, rules, players, opening, leader, hands, calls, plays. Cards are rank and suit.

    A record that is wrong is named on standard error and does not count; the others do. Exit status 1 where something
    is wrong. A file may have any number of records: table, markdown and jsonl need no more memory for more of them.
    """
    from tlsim.records import Notation, RecordError, settle_lines

    file, fmt, out = given["file"], given["format"], given["out"]
    name = Path(file).name or file
    _check_usage(given)
    rules = given.chosen(given["rules"]) if given["rules"] else None
    sheet = _Sheet(bool(given["sheet"]), most=_MOST_ROWS if fmt in {"table", "markdown"} else None)
    faulty, stopped, notation = 0, None, Notation()
    with stream(out) if fmt in _RECORDS else contextlib.nullcontext() as write:
        try:
            for where, done in settle_lines(_lines(file), name, rules):
                if isinstance(done, RecordError):
                    faulty += 1
                    click.echo(told(done), err=True)
                else:
                    sheet.games += 1
                    click.echo("".join(f"{told(notice)}\n" for notice in done.notices), err=True, nl=False)
                    if write is None:
                        sheet.add(where, done)
                    else:
                        write(json_line(done.record) if fmt == "jsonl" else notation.write(done.record, done.rules))
        except (KeyboardInterrupt, UsageError) as error:  # what was settled before is printed all the same
            stopped = error
    if stopped is not None and not sheet.games:
        raise stopped
    if not sheet.games and not faulty:
        faulty = 1
        text = N_("{file}: holds no game; a game is one JSON object on a line, or notation (docs/records.md)")
        click.echo(say(text, file=name), err=True)
    if fmt in {"json", "csv"} or (sheet.games and fmt not in _RECORDS):
        given.show(sheet.page(given.lang, complete=stopped is None, faulty=faulty))
    if stopped is not None:
        raise stopped
    if faulty:
        raise click.exceptions.Exit(1)


@dataclass
class _Sheet:
    """The score sheet: sums by seat, and the rows that the format shows (no more than ``most``, else none)."""

    evening: bool
    most: int | None
    games: int = 0
    by_name: Any = None
    rows: list[Row] = field(default_factory=list)
    transfers: list[Row] = field(default_factory=list)
    scores: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)  # (unit, seat): games, net

    def add(self, where: str, game: Any) -> None:
        """Note a game."""
        from tlsim.records import Evening

        number = self.games - 1
        if self.evening:
            self.by_name = self.by_name or Evening()
            self.by_name.add(where, game)
        for seat, value in enumerate(game.net):
            games, net = self.scores.get((game.unit, seat), (0, 0))
            self.scores[game.unit, seat] = games + 1, net + value
        if self.most is None or len(self.rows) <= self.most:
            row = {"game": number, "line": int(where.rpartition(":")[2]), "places": " ".join(map(str, game.places))}
            self.rows.append(row | {f"net {seat}": value for seat, value in enumerate(game.net)})
        if self.most is None or len(self.transfers) <= self.most:
            self.transfers += [{"game": number} | transfer for transfer in game.record["transfers"]]

    def page(self, lang: str, *, complete: bool, faulty: int) -> Page:
        """Return what was settled; units of different rules are never added."""
        scores = [
            {"seat": seat, "games": games, "net": net, "unit": unit}
            for (unit, seat), (games, net) in sorted(self.scores.items())
        ]
        tables = [Table(GAMES, self.rows), Table(SCORES, scores), Table(TRANSFERS, self.transfers)]
        if self.by_name is not None:
            running = self.by_name.running
            tables += [Table(_running(running), running), Table(PAYMENTS, self.by_name.payments())]
        if self.most is not None:
            tables = [t for t in tables if t.view in (SCORES, PAYMENTS) or len(t.rows) <= self.most]
        notes = [] if faulty else [term("no_fault", lang)]
        said = [term("note_faulty", lang).format(n=faulty)] if faulty and self.games else []
        if self.by_name is not None and (units := self.by_name.unpayable):
            notes.append(term("note_unpayable", lang).format(unit=", ".join(units)))
        return Page("settle", {"version": __version__, "games": self.games}, tables, complete, said, notes)


def _running(rows: Sequence[Row]) -> View:
    """Return the view of how everybody stands after each game: a column for each name."""
    names = dict.fromkeys(key for row in rows for key in row if key not in {"game", "line", "unit"})
    fixed = (Column("game", "index"), Column("line", "index", leave=3), Column("unit", "text", leave=2))
    return View("running", (*fixed, *(Column(name, "money", signed=True) for name in names)))


def _check_usage(given: Given) -> None:
    if (given["set"] or given["price"]) and given["rules"] is None:
        raise UsageError("--set and --price change a rule set; name it with --rules")
    if (given["stake"] is not None or given["sheet"]) and given["format"] in _RECORDS:
        option = "--stake" if given["stake"] is not None else "--sheet"
        raise UsageError("{option} is for the score sheet; {form} holds the records alone", option=option,
                         form=given["format"])  # fmt: skip
    if given["out"] is not None and _is_same(given["file"], given["out"]):
        raise UsageError("--out {out!r} is the file that is read; name another one", out=given["out"])


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
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else existing(file).open("rb") as stream:
            while line := stream.readline(MOST_BYTES + 1):
                yield line
                while len(line) > MOST_BYTES and not line.endswith(b"\n"):
                    line = stream.readline(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError("cannot read {file!r}: {reason}", file=file, reason=reason(error)) from None
