"""``tlsim play`` and ``tlsim replay``: records of games, for machines or to be read."""

from __future__ import annotations

from typing import Any

import click

from tlsim.cli.game_text import as_text
from tlsim.cli.options import chosen_hands, chosen_rules, flags, size
from tlsim.cli.output import json_line, stream, write
from tlsim.rules import Rules
from tlsim.terms import language

_FLAGS = ("rules", "set", "players", "policies", "match_length", "hand", "leader", "deal", "seed", "lang", "out")
_FORMAT: dict[str, Any] = {
    "type": click.Choice(("text", "jsonl")), "show_default": True, "help": "Text to read, or records.",
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
    with stream(out) as write_on:
        for record in records:
            write_on(_written(record, rules, fmt, language(lang)))


@click.command()
@flags(*_FLAGS)
@click.option("--match", type=size, required=True, metavar="N", help="Match of the simulation, from 0.")
@click.option("--game", type=size, required=True, metavar="N", help="Game of the match, from 0.")
@click.option("--format", "fmt", default="text", **_FORMAT)
def replay(
    *, rules_name: str, settings: tuple[str, ...], players: int | None, policies: str, match_length: int | None,
    hands: tuple[str, ...], leader: int | None, deals: str | None, seed: int, lang: str | None, out: str | None,
    match: int, game: int, fmt: str,
) -> None:  # fmt: skip
    """Show one game of a simulation.

    Rules, players, policies, match length and seed must be those of the simulation.
    """
    from tlsim import games as api

    rules = chosen_rules(rules_name, settings)
    record = api.replay(
        rules, seed, match, game, players, policies, match_length, hands=chosen_hands(hands), leader=leader, deals=deals
    )
    write(_written(record, rules, fmt, language(lang)), out)


def _written(record: dict[str, Any], rules: Rules, fmt: str, lang: str) -> str:
    return json_line(record) if fmt == "jsonl" else as_text(record, rules, lang)
