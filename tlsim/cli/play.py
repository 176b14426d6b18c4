"""``tlsim play`` and ``tlsim replay``: records of games, for machines or to be read."""

from collections.abc import Callable
from typing import Any

from tlsim.cli.flags import Given, argument, command
from tlsim.errors import UsageError
from tlsim.questions.playing import Played, Replayed
from tlsim.questions.review import Review, reviewed
from tlsim.records import Settlement, settled_game
from tlsim.records.text import as_text
from tlsim.rules import Rules
from tlsim.show.formats import json_line
from tlsim.show.output import stream, write

FILE = argument("file", "FILE", metavar="[FILE]", required=False)


@command("play", Played, shows=("lang", "out", "play.format"))
def play(given: Given) -> None:
    """Answer ``tlsim play``."""
    question, written = given.question(Played), _writer(given.rules, given)
    with stream(given["out"]) as write_on:
        for record in question.records():
            write_on(written(record))


@command("replay", Replayed, FILE, "replay.line", "replay.review", shows=("lang", "out", "replay.format"))
def replay(given: Given) -> None:
    """Answer ``tlsim replay``."""
    simulated = given["match"] is not None or given["game"] is not None
    if given["file"] is not None:
        if simulated:
            raise UsageError("--match and --game are of a simulation; a game of a FILE is chosen by --line")
        settled = game_of_file(given)
        record, rules = settled.record, settled.rules
    elif given["match"] is None or given["line"] is not None:
        raise UsageError("name --match (and --game) of a simulation, or a FILE of records (and --line)")
    else:
        record, rules = given.question(Replayed, game=given["game"] or 0).record(), given.rules
    if not given["review"]:
        write(_writer(rules, given)(record), given["out"])
        return
    if given["format"] != "text":
        raise UsageError("--review marks the plays of a text; leave --format out")
    found = reviewed(Review([record], rules), given.how)
    write(as_text(record, rules, given.lang, found.marks(given.lang)), given["out"])
    if not found.complete:
        raise KeyboardInterrupt


def game_of_file(given: Given) -> Settlement:
    """Return the settled game of FILE that LINE chooses, by the rules that it names or those that were told."""
    named = given.told("rules") or given["set"] or given["price"]
    return settled_game(given["file"], given["line"], given.rules if named else None)


def _writer(rules: Rules, given: Given) -> Callable[[dict[str, Any]], str]:
    if given["format"] == "notation":
        from tlsim.records import Notation

        notation = Notation()
        return lambda record: notation.write(record, rules)
    return json_line if given["format"] == "jsonl" else lambda record: as_text(record, rules, given.lang)
