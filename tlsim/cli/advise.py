"""``tlsim advise``: what to play with a hand, or at a decision of a game that is written down."""

from tlsim.catalogue import N_
from tlsim.cli.flags import SHOW, Given, command
from tlsim.cli.play import FILE, game_of_file
from tlsim.cli.running import Done
from tlsim.errors import UsageError
from tlsim.questions.advise import Advise, advised
from tlsim.records.model import read_record

_TOLD = ("hand", "so_far", "seat", "leader", "opening", "players")


@command(
    "advise", Advise, FILE, "replay.line", "advise.at", "threads", "executor", "max_time", "abs_error", "at_least",
    shows=(*SHOW, "plot"),
)  # fmt: skip
def advise(given: Given) -> None:
    """Answer ``tlsim advise``."""
    question = _of_file(given) if given["file"] is not None else _of_hand(given)
    done = Done.of(advised, question, given.how)
    done.finish(given, done.result.page(given.command, given.lang), plot=done.result.plot)


def _of_hand(given: Given) -> Advise:
    if given["hand"] is None:
        raise UsageError("name --hand CARDS and what was played --so-far, or a FILE of games and --at")
    given.refuse(("line", "at"), N_("--{flag} is of a FILE of games; leave it out, or name the FILE"))
    return given.question(Advise)


def _of_file(given: Given) -> Advise:
    given.refuse(_TOLD, N_("--{flag}: a game of a FILE says that itself; leave it out"))
    if given["at"] is None:
        raise UsageError("name the decision of the game: --at 0 is the first play")
    settled = game_of_file(given)
    asked = {key: given[key] for key in ("policies", "games", "seed")}
    return Advise.of_record(read_record(settled.record), settled.rules, given["at"], given["file"], **asked)
