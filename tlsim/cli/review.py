"""``tlsim review``: what was played in games that are written down."""

from tlsim.cli.flags import SHOW, Given, argument, command
from tlsim.cli.running import Done
from tlsim.cli.settle import lines_of, rules_of
from tlsim.questions.review import Review, reviewed

_FILE = argument("file", "FILE", metavar="GAMES|-")


@command(
    "review", Review, _FILE, "settle.rules", "threads", "executor", "dask", "max_time", "review.abs_error", "store",
    "label", "shard", shows=(*SHOW, "plot"), without=("records", "rules"),
)  # fmt: skip
def review(given: Given) -> None:
    """Answer ``tlsim review``."""
    file = given["file"]
    records = list(lines_of(file)) if file == "-" else file
    question = given.question(Review, records=records, rules=rules_of(given))
    done = Done.of(reviewed, question, given.how)
    done.finish(given, done.result.page(given.command, given.lang), plot=done.result.plot)
