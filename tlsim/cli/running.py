"""What the commands that simulate share: a run may end before it is complete, and shows what there is all the same."""

import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from tlsim.cli.flags import Given
from tlsim.columns import Column, Row, Table, View
from tlsim.engine.executors import opened
from tlsim.engine.keep import left_to_do
from tlsim.engine.run import Until
from tlsim.errors import RunError
from tlsim.questions.how import How, Shares, outcome_of, quantity
from tlsim.questions.question import Question
from tlsim.show import Page
from tlsim.show.output import complain
from tlsim.terms import term

SLOW = 4.0  # seconds after which a user wants to know what goes on
_SAMPLE = 1.0  # seconds that a dry run computes
_BEGIN = 0.1  # seconds of work after which processes have begun
_A_BLOCK, _A_FAR_BLOCK = 0.05, 1.0  # seconds of a block: of threads, and where work and tally travel
_PLANNED = ("stored", "left", "blocks", "workers", "seconds", "per_second")


@contextmanager
def patience(message: str) -> Iterator[None]:
    """Say on standard error what goes on: in a terminal at once, elsewhere only where it takes a while."""
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(message):
            yield
        return
    note = threading.Timer(SLOW, complain, (message,))
    note.daemon = True
    note.start()
    try:
        yield
    finally:
        note.cancel()


@dataclass
class Done:
    """What a run computed, and what ended it before it was complete: an interrupt, an executor that broke."""

    result: Any
    ended: BaseException | None

    @classmethod
    def of(cls, run: Callable[..., Any], *asked: Any) -> "Done":
        """Run; what ends it is raised by `finish`, once what there is was shown."""
        try:
            result = run(*asked)
        except RunError as error:
            if error.result is None:
                raise
            return cls(error.result, error)
        return cls(result, None if result.complete else KeyboardInterrupt())

    def finish(
        self, given: Given, page: Page, *notes: str, plot: Callable[..., Any] | None = None, **asked: Any
    ) -> None:
        """Show a page of it, and say why it stopped; draw it where ``--plot`` asks for it; raise what ended it."""
        complete = self.ended is None
        given.show(page.noted(stopped_note(self.result.stopped, given.lang), *notes, complete=complete))
        if given["plot"] and plot is not None:
            save_picture(given["plot"], plot, lang=given.lang, **asked)
        if self.ended is not None:
            raise self.ended


def stopped_note(stopped: str, lang: str) -> str:
    """Return in words why a run stopped, where that was not for its size."""
    return "" if stopped in {"", "size"} else f"{term('stopped', lang)}: {term(f'stop_{stopped}', lang)}"


def save_picture(file: str, plot: Callable[..., Any], **asked: Any) -> Any:
    """Draw ``plot(axes, **asked)`` to a file; return the axes."""
    from tlsim.plotting.axes import new_axes, save

    axes = plot(new_axes(), **asked)
    save(axes.figure, file)
    return axes


def planned(given: Given, questions: Sequence[Question[Any]]) -> None:
    """Where ``--dry-run`` asks for it: show how many blocks each run takes, and about how long; then end."""
    if not given["dry_run"]:
        return
    how = given.how
    shares = Shares(how.until, len(questions))
    rows = [_forecast(each, replace(how, until=shares.next()), _SAMPLE / len(questions)) for each in questions]
    rules = cast(Any, questions[0]).rules.name if questions else None
    columns = [Column("run", "text"), Column(questions[0].size if questions else "games", "count")]
    columns += [Column(key, "count", f"plan_{key}") for key in _PLANNED]
    note = term("note_plan_processes" if _is_far(how) else "note_plan_threads")
    note = note.format(n=", ".join(sorted({str(row["workers"]) for row in rows})))
    given.show(Page(given.command, {"rules": rules}, [Table(View("plan", tuple(columns)), rows)], notes=[note]))
    given.context.exit()


def _is_far(how: How) -> bool:
    """Whether work and tallies travel."""
    return how.executor not in {None, "threads"}


def _forecast(question: Question[Any], how: How, seconds: float) -> Row:
    """Run a question for so long and return how long all of it takes."""
    until, wanted, each = how.until or Until(), question.wanted, question.each
    far = _is_far(how)
    with opened(how.executor, how.threads) as pool:
        workers = pool.workers
        for flag in (True, False) if far else (False,):  # processes take time to begin, which is no measure of them
            sample = outcome_of(question, replace(
                how, executor=pool.executor, threads=workers, until=Until(max_time=_BEGIN if flag else seconds),
                store=None, progress=lambda *_: None,
            ))  # fmt: skip
    if sample.error is not None:
        raise sample.error
    if not sample.complete:
        raise KeyboardInterrupt
    done = max(1, sample.deals)
    if until.looks:
        estimate, error = quantity(question.result(sample), until.of or question.usual, until.floor)
        goals = [until.abs_error, until.rel_error and until.rel_error * abs(estimate)]
        goal = min(value for value in goals if value is not None)
        needed = done * (error / goal) ** 2 if goal and error == error else math.inf  # noqa: PLR0124 (not a number)
        wanted = int(min(wanted, max(needed, until.at_least / each)))
    stored, left = left_to_do(question.kept_in(how.store), question.label, question.work(), wanted)
    took = max(sample.seconds, 1e-9)
    whole = min(left * took / done, until.max_time or math.inf)
    block = _A_FAR_BLOCK if far else _A_BLOCK
    return {
        "run": question.name, question.size: wanted * each, "stored": stored * each, "left": left * each,
        "blocks": math.ceil(whole * workers / block), "workers": workers, "seconds": round(whole, 1),
        "per_second": round(done * each / took),
    }  # fmt: skip
