"""``tlsim report``: everything about price lists on one page."""

import sys
from contextlib import ExitStack

from tlsim.cli.flags import Given, command
from tlsim.cli.running import patience, stopped_note
from tlsim.errors import UsageError
from tlsim.questions.report import Reporting
from tlsim.reports import Report
from tlsim.show.output import complain, write
from tlsim.terms import term

_RUN = ("threads", "executor", "dask", "max_time", "store")


@command("report", Reporting, *_RUN, shows=("view", "wide", "stake", "lang", "report.format", "out"))
def report(given: Given) -> None:
    """Answer ``tlsim report``."""
    page, file = given["format"] == "html", given["out"]
    if page and file is None and sys.stdout.isatty():
        raise UsageError("a page is for a browser: write it to a file, --out report.html, or choose another --format")
    named = [("--rules", name) for name in given.rule_names] + [("--set", each) for each in given["set"] or ()]
    named += [("--price", f"{pattern}={pays:.12g}") for pattern, pays in given["price"] or ()]
    rules = tuple(map(given.chosen, given.rule_names))
    question = given.question(Reporting, rules=rules, named=tuple(word for pair in named for word in pair))
    with ExitStack() as waiting:
        waiting.enter_context(patience(term("computing_table", given.lang)))
        found = Report.of(question, question.chapters(given.how, waiting.close))
    if page:
        write(found.html(given.lang, given["stake"]), file)
    else:
        given.show(found.page("report", given.lang).noted(stopped_note(found.stopped, given.lang)))
    said = (["note_written"] if file else []) + (["partial"] if page and not found.complete else [])
    complain(*(term(each, given.lang).format(file=file) for each in said))
    if not found.complete:
        raise next((each.fairness.ended for each in found.chapters if each.fairness.ended), KeyboardInterrupt())
