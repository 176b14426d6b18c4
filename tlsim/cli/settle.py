"""``tlsim settle``: referee records; what is wrong, or who pays whom."""

import contextlib
from dataclasses import replace
from pathlib import Path

import click

from tlsim.catalogue import told
from tlsim.cli.flags import Given, argument, command
from tlsim.errors import UsageError
from tlsim.records.game_files import NO_GAME, lines_of, settle_lines
from tlsim.records.model import RecordError, broken
from tlsim.records.sheet import Evening
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
    sheet = Evening(given["sheet"], None if fmt in {"json", "csv"} else _MOST_ROWS)
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
        given.show(replace(_page(sheet, faulty, given), complete=stopped is None))
    if stopped is not None:
        raise stopped
    if faulty:
        raise click.exceptions.Exit(1)


def _page(sheet: Evening, faulty: int, given: Given) -> Page:
    lang, kinds = given.lang, sheet.units
    if given["stake"] is not None and len(kinds) > 1:
        raise UsageError("--stake is what one unit is worth; these games are in {units}: settle each kind by itself, "
                         "or leave --stake out", units=", ".join(kinds.values()))  # fmt: skip
    notes = [] if faulty else [term("no_fault", lang)]
    if sheet.whole and (units := sheet.unpayable):
        notes.append(term("note_unpayable", lang).format(unit=", ".join(units)))
    if len({unit for unit, _ in kinds}) < len(kinds):
        notes.append(term("note_units", lang))
    said = [term("note_faulty", lang).format(n=faulty)] if faulty and sheet.games else []
    return Page("settle", {"version": __version__, "games": sheet.games}, sheet.tables(), said=said, notes=notes)


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
