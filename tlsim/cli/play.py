"""``tlsim play`` and ``tlsim replay``: records of games, for machines or to be read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tlsim.catalogue import N_
from tlsim.cli.flags import Given, command
from tlsim.options import OPTIONS
from tlsim.questions.playing import Played, Replayed
from tlsim.records.text import as_text
from tlsim.rules import Rules
from tlsim.show.files import json_line
from tlsim.show.output import stream, write

_FORMAT = replace(OPTIONS["format"], help=N_("Text to read, or records."), choices=("text", "jsonl"))


@command("play", Played, shows=("lang", "out"), flags=(replace(_FORMAT, default="jsonl"),))
def play(given: Given) -> None:
    """Play games and write their records.

    One JSON object a line, or text to read; each as soon as it is played.
    """
    question = given.question(Played)
    with stream(given["out"]) as write_on:
        for record in question.records():
            write_on(_written(record, given))


@command("replay", Replayed, shows=("lang", "out"), flags=(replace(_FORMAT, default="text"),))
def replay(given: Given) -> None:
    """Show one game of a simulation.

    Rules, players, policies, match length and seed must be those of the simulation.
    """
    write(_written(given.question(Replayed).record(), given), given["out"])


def _written(record: dict[str, Any], given: Given) -> str:
    rules: Rules = given.rules
    return json_line(record) if given["format"] == "jsonl" else as_text(record, rules, given.lang)
