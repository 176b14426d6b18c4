"""``tlsim settle``: referee records; what is wrong, or who pays whom."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tlsim.cli.options import chosen_rules, flags
from tlsim.cli.output import emit
from tlsim.errors import UsageError
from tlsim.terms import language, term

_MOST_ROWS = 40


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option("--rules", "rules_name", metavar="NAME|FILE", help="Rules to go by. [default: those that a record names]")
@flags("set", "stake", "lang", "format", "out")
def settle(
    *, file: str, rules_name: str | None, settings: tuple[str, ...], stake: int | None, lang: str | None, fmt: str,
    out: str | None,
) -> None:  # fmt: skip
    """Referee game records: what is wrong, or who pays whom.

    FILE holds one JSON object a line (format tlsim-game/1); '-' reads standard input. A record needs: format
    ("tlsim-game/1"), rules, players, opening, leader, hands, calls, plays. Cards are rank and
    suit, such as "3S" or "10H"; a play is {"seat": 2, "cards": ["3S", "3C"]}, a pass has no cards. Exit status 1 where
    something is wrong.
    """
    from tlsim import games as api
    from tlsim.records import read_records

    if settings and rules_name is None:
        raise UsageError("--set changes a rule set; name it with --rules")
    rules = chosen_rules(rules_name, settings) if rules_name else None
    settled, faults = api.settle_all(read_records(_lines(file), "-" if file == "-" else Path(file).name), rules)
    if not settled and not faults:
        faults = [f"{file}: holds no record; a record is one JSON object on a line"]
    spoken = language(lang)
    rows = [_row(number, game, stake) for number, game in enumerate(settled)]
    tables: dict[str, list[dict[str, Any]]] = {"games": rows, "scores": _scores(settled, stake)}
    tables["transfers"] = [
        {"game": number} | transfer for number, game in enumerate(settled) for transfer in game.record["transfers"]
    ]
    if fmt in {"table", "markdown"}:
        tables = {view: shown for view, shown in tables.items() if view == "scores" or len(shown) <= _MOST_ROWS}
    verdict = term("no_fault", spoken) if not faults else ""
    from tlsim import __version__

    emit(
        "settle", {"version": __version__, "games": len(settled)}, tables, fmt=fmt, lang=spoken, out=out,
        titles={"scores": term("settled", spoken)}, notes=[verdict],
    )  # fmt: skip
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)


def _lines(file: str) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input."""
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as lines:
            yield from lines
    except OSError as error:
        raise UsageError(f"cannot read {file!r}: {error.strerror or error}") from None


def _row(number: int, game: Any, stake: int | None) -> dict[str, Any]:
    row: dict[str, Any] = {"game": number, "places": " ".join(map(str, game.places))}
    row |= {f"net {seat}": value for seat, value in enumerate(game.net)}
    return row | {f"net {seat} × {stake:,}": value * stake for seat, value in enumerate(game.net)} if stake else row


def _scores(settled: list[Any], stake: int | None) -> list[dict[str, Any]]:
    """Return the sum of every seat; units of different rules are never added."""
    units = sorted({game.unit for game in settled})
    rows = []
    for unit in units:
        games = [game for game in settled if game.unit == unit]
        for seat in range(max(len(game.net) for game in games)):
            net = [game.net[seat] for game in games if seat < len(game.net)]
            row = {"seat": seat, "games": len(net), "net": sum(net), "unit": unit}
            rows.append(row | {f"net × {stake:,}": sum(net) * stake} if stake else row)
    return rows
