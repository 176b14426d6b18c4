"""``tlsim play`` and ``tlsim replay``: records of games, for machines or to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from tlsim.cli.game_text import as_text
from tlsim.cli.options import chosen_hands, chosen_rules, flags, size
from tlsim.cli.output import json_line, stream, write
from tlsim.errors import UsageError
from tlsim.rules import Rules
from tlsim.terms import language

_FLAGS = ("rules", "set", "players", "policies", "match_length", "hand", "leader", "deal", "seed", "lang", "out")
_FORMAT: dict[str, Any] = {
    "type": click.Choice(("text", "jsonl", "notation")), "show_default": True,
    "help": "Text to read, records, or the notation that people type.",
}  # fmt: skip


@click.command()
@flags(*_FLAGS)
@click.option("--games", type=size, metavar="N", help="Games, in whole matches. [default: 1, or those of --deal]")
@click.option("--format", "fmt", default="jsonl", **_FORMAT)
def play(
    *, rules_name: str, settings: tuple[str, ...], players: int | None, policies: str, match_length: int | None,
    hands: tuple[str, ...], leader: int | None, deals: str | None, seed: int, lang: str | None, out: str | None,
    games: int | None, fmt: str,
) -> None:  # fmt: skip
    """Play games and write their records.

    One JSON object a line, or text to read; each as soon as it is played.
    """
    from tlsim import games as api

    rules = chosen_rules(rules_name, settings)
    records = api.play_each(
        rules, games, players, policies, match_length, seed, hands=chosen_hands(hands), leader=leader, deals=deals
    )
    written = _writer(rules, fmt, language(lang))
    with stream(out) as write_on:
        for record in records:
            write_on(written(record))


@click.command()
@click.argument("file", metavar="[FILE]", required=False)
@flags(*_FLAGS)
@click.option("--match", type=size, metavar="N", help="Match of the simulation, from 0.")
@click.option("--game", type=size, metavar="N", help="Game of the match, from 0.")
@click.option("--line", type=size, metavar="N", help="Line of FILE that the game stands on. [default: its first game]")
@click.option("--format", "fmt", default="text", **_FORMAT)
@click.pass_context
def replay(
    context: click.Context, *, file: str | None, rules_name: str, settings: tuple[str, ...], players: int | None,
    policies: str, match_length: int | None, hands: tuple[str, ...], leader: int | None, deals: str | None, seed: int,
    lang: str | None, out: str | None, match: int | None, game: int | None, line: int | None, fmt: str,
) -> None:  # fmt: skip
    """Show one game of a simulation, or of a FILE of records or notation.

    Of a simulation: rules, players, policies, match length and seed must be those of the simulation. Of a FILE the
    rules are those that it names; --rules FILE gives rules of one's own.
    """
    from tlsim import games as api

    if file is not None:
        from tlsim.records import settled_game

        named = context.get_parameter_source("rules_name") == click.core.ParameterSource.COMMANDLINE
        if match is not None or game is not None:
            raise UsageError("--match and --game are of a simulation; a game of a FILE is chosen by --line")
        settled = settled_game(file, line, chosen_rules(rules_name, settings) if named or settings else None)
        record, rules = settled.record, settled.rules
    elif match is None or game is None or line is not None:
        raise UsageError("name --match and --game of a simulation, or a FILE of records (and --line)")
    else:
        rules = chosen_rules(rules_name, settings)
        record = api.replay(
            rules, seed, match, game, players, policies, match_length, hands=chosen_hands(hands), leader=leader,
            deals=deals,
        )  # fmt: skip
    write(_writer(rules, fmt, language(lang))(record), out)


def _writer(rules: Rules, fmt: str, lang: str) -> Callable[[dict[str, Any]], str]:
    """Return what writes one record after another."""
    if fmt == "notation":
        from tlsim.records import Notation

        notation = Notation()
        return lambda record: notation.write(record, rules)
    return json_line if fmt == "jsonl" else lambda record: as_text(record, rules, lang)
