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
_TITLES = {
    "games": "view_games", "scores": "settled", "transfers": "view_transfers", "running": "view_running",
    "payments": "view_payments",
}  # fmt: skip
_RECORDS = ("jsonl", "notation")

Rows = list[dict[str, Any]]


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--rules", "rules_name", metavar="NAME|FILE", help="Rules to go by. [default: those that a record names]")
@flags("set", "stake", "lang")
@click.option(
    "--format", "fmt", type=click.Choice((*FORMATS, *_RECORDS)), default="table", show_default=True,
    help="How to print; jsonl, notation: the settled games themselves, each as soon as it is settled.",
)  # fmt: skip
@click.option(
    "--sheet",
    "evening",
    is_flag=True,
    help="Show how everybody stands after each game, and who pays whom at the end in the fewest payments.",
)
@flags("out")
def settle(
    *, file: str, rules_name: str | None, settings: tuple[str, ...], stake: int | None, lang: str | None, fmt: str,
    evening: bool, out: str | None,
) -> None:  # fmt: skip
    """Referee game records: what is wrong, or who pays whom.

    FILE holds games in the notation that people type (rules, players, game, then lines such as "An 3S 3C"; see
    docs/records.md), or JSON (format tlsim-game/1), one object a line, indented or in an array; '-' reads standard
    input. A JSON record needs: format, rules, players, opening, leader, hands, calls, plays. Cards are rank and suit.

    A record that is wrong is named on standard error and does not count; the others do. Exit status 1 where something
    is wrong. A file may have any number of records: table, markdown and jsonl need no more memory for more of them.
    """
    from tlsim.records import Notation, RecordError, settle_lines

    _check_usage(file, rules_name, settings, stake, fmt, out, evening)
    rules = chosen_rules(rules_name, settings) if rules_name else None
    sheet = _Sheet(stake, evening, most=_MOST_ROWS if fmt in {"table", "markdown"} else None)
    faulty, stopped, notation = False, None, Notation()
    with stream(out) if fmt in _RECORDS else contextlib.nullcontext() as write:
        try:
            for where, done in settle_lines(_lines(file), _name(file), rules):
                if isinstance(done, RecordError):
                    faulty = True
                    click.echo(str(done), err=True)
                else:
                    sheet.games += 1
                    click.echo("".join(f"{notice}\n" for notice in done.notices), err=True, nl=False)
                    if write is None:
                        sheet.add(where, done)
                    else:
                        write(json_line(done.record) if fmt == "jsonl" else notation.write(done.record, done.rules))
        except (KeyboardInterrupt, UsageError) as error:  # what was settled before is printed all the same
            stopped = error
    if stopped is not None and not sheet.games:
        raise stopped
    if not sheet.games and not faulty:
        faulty = True
        click.echo(
            f"{_name(file)}: holds no game; a game is one JSON object on a line, or notation (docs/records.md)",
            err=True,
        )
    if fmt in {"json", "csv"} or (sheet.games and fmt not in _RECORDS):
        sheet.print(fmt, language(lang), out, complete=stopped is None, legal=not faulty)
    if stopped is not None:
        raise stopped
    if faulty:
        raise click.exceptions.Exit(1)


@dataclass
class _Sheet:
    """The score sheet: sums by seat, and the rows that the format shows (no more than ``most``, else none)."""

    stake: int | None
    evening: bool
    most: int | None
    games: int = 0
    by_name: Any = None
    rows: Rows = field(default_factory=list)
    transfers: Rows = field(default_factory=list)
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
            self.rows.append({"game": number, "line": int(where.rpartition(":")[2])} | _row(game, self.stake))
        if self.most is None or len(self.transfers) <= self.most:
            self.transfers += [{"game": number} | transfer for transfer in game.record["transfers"]]

    def print(self, fmt: str, lang: str, out: str | None, *, complete: bool, legal: bool) -> None:
        """Print what was settled."""
        from tlsim import __version__

        tables: dict[str, Rows] = {"games": self.rows, "scores": self._scores(), "transfers": self.transfers}
        if self.by_name is not None:
            tables |= {
                "running": self.by_name.running,
                "payments": [self._staked(row) for row in self.by_name.payments()],
            }
        if self.most is not None:
            tables = {
                view: rows for view, rows in tables.items() if view in {"scores", "payments"} or len(rows) <= self.most
            }
        notes = [term("no_fault", lang)] if legal else []
        if self.by_name is not None and (units := self.by_name.unpayable):
            notes.append(term("note_unpayable", lang).format(unit=", ".join(units)))
        emit(
            "settle", {"version": __version__, "games": self.games}, tables, fmt=fmt, lang=lang, out=out,
            complete=complete, titles={view: term(word, lang) for view, word in _TITLES.items()}, notes=notes,
        )  # fmt: skip

    def _staked(self, row: dict[str, Any]) -> dict[str, Any]:
        return row | {f"amount × {self.stake:,}": row["amount"] * self.stake} if self.stake else row

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
    file: str, rules_name: str | None, settings: tuple[str, ...], stake: int | None, fmt: str, out: str | None,
    evening: bool,
) -> None:  # fmt: skip
    if settings and rules_name is None:
        raise UsageError("--set changes a rule set; name it with --rules")
    if (stake is not None or evening) and fmt in _RECORDS:
        option = "--stake" if stake is not None else "--sheet"
        raise UsageError(f"{option} is for the score sheet; {fmt} holds the records alone")
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
