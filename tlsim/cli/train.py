"""``tlsim train``: teach an expert for rules of one's own."""

from tlsim.catalogue import say
from tlsim.cli.flags import Given, command
from tlsim.cli.running import stopped_note
from tlsim.columns import Row
from tlsim.questions.train import Train
from tlsim.show.numbers import amount, local, plus_minus
from tlsim.show.output import complain


@command("train", Train, "threads", "max_time", "store", shows=("lang", "format", "train.weights"))
def train(given: Given) -> None:
    """Answer ``tlsim train``."""

    def tell(row: Row) -> None:
        gain = local(amount(row["mean"], row["std_error"], "+") + plus_minus(row["std_error"]), given.lang)
        minutes = local(f"{row['seconds'] / 60:.1f}", given.lang)
        complain(say("round {round}, after {minutes} min: one expert gains {gain} a game among {against}", given.lang,
                       round=row["round"], minutes=minutes, gain=gain, against=row["against"]))  # fmt: skip

    question = given.question(Train, rules=tuple(map(given.chosen, given.rule_names)))
    found = question.taught(given["weights"], given.how, tell)
    given.show(found.page("train", given.lang).noted(stopped_note(found.stopped, given.lang)))
    if not found.complete and found.stopped == "interrupt":
        raise KeyboardInterrupt
