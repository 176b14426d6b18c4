"""``tlsim play``, ``replay``, ``advise`` and ``review``: games written down, what to play in them, what was played."""

from collections.abc import Callable
from typing import Any

from tlsim.catalogue import N_
from tlsim.cli.flags import SHOW, Given, argument, command
from tlsim.cli.running import Done
from tlsim.cli.settle import rules_of
from tlsim.errors import UsageError
from tlsim.questions.advise import Advise, advised
from tlsim.questions.playing import Played, Replayed
from tlsim.questions.review import Review, reviewed
from tlsim.records.game_files import lines_of, settled_game
from tlsim.records.model import read_record
from tlsim.records.referee import Settlement
from tlsim.records.text import Notation, as_text
from tlsim.rules import Rules
from tlsim.show.formats import json_line
from tlsim.show.output import stream, write

FILE = argument("file", "FILE", metavar="[FILE]", required=False)
_GAMES = argument("file", "FILE", metavar="GAMES|-")
_TOLD = ("hand", "so_far", "seat", "leader", "opening", "players")


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
        notation = Notation()
        return lambda record: notation.write(record, rules)
    return json_line if given["format"] == "jsonl" else lambda record: as_text(record, rules, given.lang)


@command(
    "advise", Advise, FILE, "replay.line", "advise.at", "threads", "executor", "max_time", "abs_error", "at_least",
    shows=(*SHOW, "plot"),
)  # fmt: skip
def advise(given: Given) -> None:
    """Answer ``tlsim advise``."""
    if given["file"] is None:
        if given["hand"] is None:
            raise UsageError("name --hand CARDS and what was played --so-far, or a FILE of games and --at")
        given.refuse(("line", "at"), N_("--{flag} is of a FILE of games; leave it out, or name the FILE"))
        question = given.question(Advise)
    else:
        given.refuse(_TOLD, N_("--{flag}: a game of a FILE says that itself; leave it out"))
        if given["at"] is None:
            raise UsageError("name the decision of the game: --at 0 is the first play")
        settled, asked = game_of_file(given), {key: given[key] for key in ("policies", "games", "seed")}
        record = read_record(settled.record)
        question = Advise.of_record(record, settled.rules, given["at"], given["file"], **asked)
    done = Done.of(advised, question, given.how)
    done.finish(given, done.result.page(given.command, given.lang), plot=done.result.plot)


@command(
    "review", Review, _GAMES, "settle.rules", "threads", "executor", "dask", "max_time", "review.abs_error", "store",
    "label", "shard", shows=(*SHOW, "plot"), without=("records", "rules"),
)  # fmt: skip
def review(given: Given) -> None:
    """Answer ``tlsim review``."""
    file = given["file"]
    records = list(lines_of(file)) if file == "-" else file
    question = given.question(Review, records=records, rules=rules_of(given))
    done = Done.of(reviewed, question, given.how)
    done.finish(given, done.result.page(given.command, given.lang), plot=done.result.plot)
