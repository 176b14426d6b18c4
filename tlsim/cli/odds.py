"""``tlsim odds``: odds of every tới trắng pattern, exact and simulated."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tlsim.catalogue import N_, language
from tlsim.cli.flags import RUN, SHOW, TARGETS, Given, command
from tlsim.cli.running import Done, patience, planned
from tlsim.questions.how import spoken_headline
from tlsim.questions.odds import ListOdds, Odds, estimate
from tlsim.results.estimated import EstimatedOdds
from tlsim.results.exact import Chances, ExactOdds
from tlsim.results.odds_page import HANDS, hand_rows, odds_page
from tlsim.show import Asked, Page, rendered
from tlsim.show.numbers import local
from tlsim.show.output import screen_width
from tlsim.terms import term

Progress = Callable[[int, int, EstimatedOdds], None]
_OF_DEALS = ("seed", "floor", *TARGETS, *RUN, "plot")


@command("odds", Odds, "patterns", "evening", "claim", *RUN, *TARGETS, "floor", shows=(*SHOW, "plot"))
def odds(given: Given) -> None:
    """Answer ``tlsim odds``."""
    question = given.question(Odds)
    planned(given, [question])
    exact = given.question(ListOdds).counted()
    chances = _chances(exact, given)
    if chances is not None and not given.told("deals"):
        given.show(chances.page(given.command, given.lang))
        return
    with _watch(exact, question, live=given["format"] == "table" and given["out"] is None) as progress:
        done = Done.of(estimate, question, replace(given.how, progress=progress))
    if done.ended is None and exact.listed:
        try:
            with patience(term("computing_table", given.lang)):
                _ = exact.table
        except KeyboardInterrupt as interrupt:  # the simulation is done: show it
            done.ended = interrupt
    page = odds_page(exact, done.result, given.lang, table=done.ended is None)
    if chances is not None:
        page = replace(page, tables=[*chances.tables(), *page.tables], said=chances.said(given.lang))
        page = page.noted(*chances.notes(given.lang))
    done.finish(given, page, plot=done.result.plot)


def _chances(exact: ExactOdds, given: Given) -> Chances | None:
    """Return what ``--pattern`` asks for; refuse what means nothing beside it, or without it."""
    if not given["pattern"]:
        given.refuse(("evening", "claim"), N_("--{flag} is about one pattern: give --pattern with it"))
        return None
    if not given.told("deals"):
        given.refuse(_OF_DEALS, N_("--{flag}: --pattern is counted exactly; give --deals too, to deal"))
    with patience(term("computing_table", given.lang)):
        return exact.chances(given["pattern"], given["evening"], given["claim"])


@contextmanager
def _watch(exact: ExactOdds, question: Odds, *, live: bool) -> Iterator[Progress | None]:
    """In a terminal show the exact odds at once, and beside them the simulated ones as they come."""
    if not live or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    width = screen_width() or 80

    def table(found: EstimatedOdds | None, line: str) -> Any:
        rows = exact.provenance.table(HANDS, hand_rows(exact, found))
        return Text.from_ansi(rendered(Page("odds", {}, [rows], notes=[line]), Asked(), width))

    with Live(table(None, ""), console=Console(stderr=True), transient=True) as screen:

        def fill(done: int, total: int, found: EstimatedOdds) -> None:
            rate = f"{local(f'{done / found.seconds:,.0f}', language())} / s" if found.seconds else ""
            share = f"{term('deals')} {100 * done // max(1, total)}%"
            screen.update(table(found, " · ".join(filter(None, [share, spoken_headline(question, found), rate]))))

        yield fill
