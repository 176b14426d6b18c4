"""``tlsim settle``: referee records; what is wrong, or who pays whom."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from tlsim.catalogue import told
from tlsim.cli.flags import Given, argument, command
from tlsim.errors import UsageError, reason
from tlsim.folders import existing
from tlsim.records.game_files import NO_GAME, settle_lines
from tlsim.records.model import MOST_BYTES, RecordError, broken
from tlsim.records.sheet import Evening, Sheet
from tlsim.records.text import Notation
from tlsim.rules import Rules
from tlsim.show import Page
from tlsim.show.formats import json_line
from tlsim.show.output import complain, stream
from tlsim.terms import term
from tlsim.version import __version__

_MOST_ROWS = 40  # of a table for people
_RECORDS = ("jsonl", "notation")


@command("settle", None, argument("file", "FILE", metavar="FILE|-"), "settle.rules", "settle.sheet",
         shows=("view", "wide", "stake", "lang", "settle.format", "out"))  # fmt: skip
def settle(given: Given) -> None:
    """Answer ``tlsim settle``."""
    _check_usage(given)
    file, fmt = given["file"], given["format"]
    name = Path(file).name or file
    rules = rules_of(given)
    sheet = Sheet(Evening() if given["sheet"] else None, None if fmt in {"json", "csv"} else _MOST_ROWS)
    faulty, stopped, notation = 0, None, Notation()
    try:
        with stream(given["out"]) if fmt in _RECORDS else contextlib.nullcontext() as write:
            for where, done in settle_lines(lines_of(file), name, rules):
                if isinstance(done, RecordError):
                    faulty += 1
                    complain(told(done))
                else:
                    sheet.add(where, done)
                    complain(*map(told, done.notices))
                    if write is not None:
                        write(json_line(done.record) if fmt == "jsonl" else notation.write(done.record, done.rules))
    except (KeyboardInterrupt, UsageError) as error:  # what was settled before is printed all the same
        stopped = error
    if stopped is not None and not sheet.games:
        raise stopped
    if not sheet.games and not faulty:
        faulty = 1
        complain(told(broken(name, NO_GAME)))
    if fmt in {"json", "csv"} or (sheet.games and fmt not in _RECORDS):
        given.show(replace(_page(sheet, faulty, given.lang), complete=stopped is None))
    if stopped is not None:
        raise stopped
    if faulty:
        raise click.exceptions.Exit(1)


def _page(sheet: Sheet, faulty: int, lang: str) -> Page:
    notes = [] if faulty else [term("no_fault", lang)]
    if sheet.evening is not None and (units := sheet.evening.unpayable):
        notes.append(term("note_unpayable", lang).format(unit=", ".join(units)))
    said = [term("note_faulty", lang).format(n=faulty)] if faulty and sheet.games else []
    about = {"version": __version__, "games": sheet.games}
    return Page("settle", about, sheet.tables(), said=said, notes=notes)


def rules_of(given: Given) -> Rules | None:
    """Return the rules that were told, None for those that records name."""
    if (given["set"] or given["price"]) and given["rules"] is None:
        raise UsageError("--set and --price change a rule set; name it with --rules")
    return given.chosen(given["rules"]) if given["rules"] else None


def _check_usage(given: Given) -> None:
    if (given["stake"] is not None or given["sheet"]) and given["format"] in _RECORDS:
        option = "--stake" if given["stake"] is not None else "--sheet"
        raise UsageError("{option} is for the score sheet; {form} holds the records alone", option=option,
                         form=given["format"])  # fmt: skip
    same = False  # a file would be written over while it is read
    with contextlib.suppress(OSError, ValueError):
        same = given["out"] is not None and given["file"] != "-" and Path(given["out"]).samefile(given["file"])
    if same:
        raise UsageError("--out {out!r} is the file that is read; name another one", out=given["out"])


def lines_of(file: str) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input; of one too long to be a record only the beginning."""
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
