"""The report: one HTML page of many views, and what can be edited in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Column, Row, Table, View
from tlsim.questions.how import How, asks
from tlsim.questions.report import Chapter, Reporting
from tlsim.results.result import Result
from tlsim.show import Page
from tlsim.show.output import write

_RULES = Column("rules", "text")


@dataclass(frozen=True)
class Report(Result):
    """Everything there is to say about the prices of one rule set or several.

    Views are those of `tlsim.payout_fairness`, of its proposed table and of `tlsim.simulate`, and ``odds`` (exact and
    simulated, in a hand, at the table, in an evening), ``distances`` (declare or play on, by distance from the leader),
    ``clauses`` (the rules), ``rests`` (what every view rests on). Of several rule sets a first column names the rules.
    """

    question: Reporting  # what was asked
    chapters: tuple[Chapter, ...] = field(repr=False)  # what there is to say about each rule set

    @classmethod
    def of(cls, question: Reporting, chapters: tuple[Chapter, ...]) -> Report:
        """Return the report of what was asked; it rests on what the numbers about the first rule set rest on."""
        return cls(chapters[0].fairness.provenance, question, chapters)

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """False where it was interrupted."""
        return all(chapter.complete for chapter in self.chapters)

    @property
    def stopped(self) -> str:  # type: ignore[override]
        """Why games stopped, where that was not for their number."""
        return next(filter(None, (chapter.fairness.stopped for chapter in self.chapters)), "")

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views that there are."""
        return tuple(self._tables)

    def view(self, name: str) -> View:
        """Return what the columns of a view are."""
        return self._tables[name].view

    def _rows_of(self, view: str) -> list[Row]:
        return list(self._tables[view].rows)

    def table_of(self, view: str) -> Table:
        """Return a view with its rows."""
        self.check_view(view)
        return self._tables[view]

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it; of several rule sets all names and digests."""
        about, rules = self.chapters[0].fairness.about(), [chapter.rules for chapter in self.chapters]
        if len(rules) > 1:
            about |= {"rules": [each.name for each in rules], "digest": [each.digest for each in rules]}
        return about | {key: said for key in ("title", "author") if (said := getattr(self.question, key))}

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return self.in_words(None)

    def in_words(self, lang: str | None) -> dict[str, Table]:
        """Return all tables in order; of several rule sets their rows, one after another."""
        found: dict[str, list[tuple[str, Table]]] = {}
        for chapter in self.chapters:
            for name, table in chapter.tables(lang).items():
                found.setdefault(name, []).append((chapter.rules.name, table))
        several = len(self.chapters) > 1
        return {name: _together(tables) if several else tables[0][1] for name, tables in found.items()}

    def page(self, command: str = "report", lang: str | None = None) -> Page:
        """Return what a command shows of it, in other formats than HTML."""
        spoken = language(lang)
        notes = self.chapters[0].fairness.notes(spoken)
        return Page(command, self.about(), list(self.in_words(spoken).values()), self.complete, (), notes)

    def html(self, lang: str | None = None, stake: int | None = None) -> str:
        """Return the report as one HTML page, which needs nothing else.

        Parameters
        ----------
        lang
            Language that is shown first, ``vi`` or ``en``; the page has both.
        stake
            Show money times this amount too.
        """
        from tlsim.reports.page import page_of

        return page_of(self, language(lang), stake)

    def write(self, file: str | Path, lang: str | None = None, stake: int | None = None) -> None:
        """Write the HTML page to a file; `UsageError` if it cannot be written."""
        write(self.html(lang, stake), file)


def _together(tables: Sequence[tuple[str, Table]]) -> Table:
    """Return the tables of one view as one, whose first column names the rules."""
    first = tables[0][1]
    rows = [{"rules": rules} | row for rules, table in tables for row in table.rows]
    view = replace(first.view, columns=(_RULES, *first.view.columns), prepare=None)
    return replace(first, view=view, rows=rows, names={k: v for _, table in tables for k, v in table.names.items()})


@asks(Reporting)
def report(question: Reporting, how: How) -> Report:
    """Put together everything there is to say about the prices of rule sets: a page to be handed over.

    Exact odds, prices beside fair prices, a fairer table, whole games and what single things cost in them, whether to
    declare or to play on, the rules with their sources, and what every figure rests on. ``games=0`` plays none: then
    prices alone are judged. In a store runs have labels that begin with ``report`` and the name of the rules; of
    ``until`` there is ``max_time`` alone, of which each part may take an equal share.

    Returns
    -------
    Report
        ``html()``, ``write(file)``, and its views as frames: ``to_frame("prices")``. An interrupt gives what there is,
        with ``complete`` False; the page says so.

    >>> found = report("zing", games=0)
    >>> found.to_frame("summary")["wrong_pairs"].tolist()
    [0, 0]
    >>> page = found.html("en")
    >>> page.startswith("<!doctype html>"), "The price list" in page, "Bảng giá" in page
    (True, True, True)
    """
    return Report.of(question, question.chapters(how))
