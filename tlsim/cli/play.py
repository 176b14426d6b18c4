"""``tlsim play`` and ``tlsim replay``: records of games, for machines or to be read."""

from __future__ import annotations

from typing import Any

import click

from tlsim.cards import format_cards, parse_cards
from tlsim.cli.options import chosen_hands, chosen_rules, flags, size
from tlsim.cli.output import json_line, stream, write
from tlsim.terms import language, term

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
            write_on(_written(record, fmt, language(lang), rules.unit))


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
    write(_written(record, fmt, language(lang), rules.unit), out)


def _written(record: dict[str, Any], fmt: str, lang: str, unit: str) -> str:
    if fmt == "jsonl":
        return json_line(record)
    return as_text(record, lang, unit)


def as_text(record: dict[str, Any], lang: str, unit: str) -> str:
    """Return a game as a person would follow it."""

    def cards(names: list[str]) -> str:
        return format_cards(parse_cards(" ".join(names)), symbols=True) if names else ""

    def word(key: str) -> str:
        return term(key, lang)

    source = record.get("source", {})
    head = f"{record['rules']}, {word('game_word')} {source.get('match', '?')}/{source.get('game', '?')}"
    lines = [head + (f", {word('opening_word')}" if record["opening"] else "")]
    seat = word("seat_word")
    for at, hand in enumerate(record["hands"]):
        policy = source.get("policies", [""] * record["players"])[at]
        lines.append(f"  {seat} {at} {policy:8} {cards(hand)}")
    lines += [f"  {seat} {call['seat']}: {word(call.get('pattern', call['call']))}" for call in record["calls"]]
    owner, passed = None, set[int]()
    for entry in record["plays"]:
        if entry.get("stuck"):
            lines.append(f"  {seat} {entry['seat']}: {word('stuck_word')}")
            continue
        lead = owner is None or owner == entry["seat"] or len(passed) >= record["players"] - 1
        if not entry["cards"]:
            passed.add(entry["seat"])
            lines.append(f"    {seat} {entry['seat']}: {word('passes')}")
            continue
        mark = f"  [{word('free_chop')}]" if entry.get("interrupt") else f"  [{entry['as']}]" if "as" in entry else ""
        lines.append(f"  {'>' if lead else ' '} {seat} {entry['seat']}: {cards(entry['cards'])}{mark}")
        owner, passed = entry["seat"], passed - {entry["seat"]} if not lead else set()
    lines.append(f"  {word('places_word')}: {' '.join(map(str, record['places']))}")
    for transfer in record["transfers"]:
        payer, receiver = transfer["from"], transfer["to"]
        lines += [f"  {payer} → {receiver}: {transfer['amount']:g} {unit} ({transfer['reason']})"]
    net = "  ".join(f"{seat} {at} {value:+g}" for at, value in enumerate(record["net"]))
    return "\n".join([*lines, f"  {word('net')}: {net} {unit}"]) + "\n\n"
