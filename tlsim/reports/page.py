"""The HTML page of a report: what its template is given. Sentences and the order of sections stand in the template."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tlsim.catalogue import LANGUAGES, say
from tlsim.columns import Column, Row, Table
from tlsim.fairness import Prices
from tlsim.questions.report import EVENING, Chapter
from tlsim.reports import drawing
from tlsim.reports.edits import edits_of
from tlsim.show import Asked, numbers, rendered
from tlsim.show.cells import Grid, cell, grid, pattern_name
from tlsim.show.formats import plain
from tlsim.show.page import provenance_line
from tlsim.terms import term, term_of

if TYPE_CHECKING:
    from tlsim.reports import Report

_FIRST = 20  # rows of a table from which on the others are shown when asked for
_CELLS = ("fair_price", "ratio", "heo", "one_in", "cost_per_1000")


def page_of(report: Report, lang: str, stake: int | None) -> str:
    """Return a report as HTML, in both languages, one of which is shown first."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("tlsim.reports")
    env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    style, script = (loader.get_source(env, f"report.{kind}")[0] for kind in ("css", "js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    order = sorted(LANGUAGES, key=lambda each: each != lang)
    contents = [(each, [Part(chapter, number, each, stake) for number, chapter in enumerate(report.chapters)])
                for each in order]  # fmt: skip
    labels = " · ".join(chapter.rules.label for chapter in report.chapters)
    page: str = env.get_template("report.html").render(
        report=report, question=report.question, lang=lang, languages=order, contents=contents, say=say, term=term,
        title=report.question.title or labels, style=style, script=script, digest=digest, evening=EVENING,
        edits=plain([edits_of(chapter) for chapter in report.chapters]), beside=partial(_beside, report),
        views=json.loads(rendered(report.page(lang=lang), Asked("json", lang))),
        about=lambda each: provenance_line(report.about(), each).split(" · "),
    )  # fmt: skip
    return page


class Shown(NamedTuple):
    """A table with its picture, and how many rows are shown at first."""

    grid: Grid
    first: int
    svg: str = ""
    alternative: str = ""


class Part:
    """What a report says of one rule set in one language, as the template asks for it."""

    def __init__(self, chapter: Chapter, number: int, lang: str, stake: int | None) -> None:
        self.chapter, self.number, self.lang, self.stake = chapter, number, lang, stake
        self.fairness, self.rules, self.salt = chapter.fairness, chapter.rules, f"{lang}{number}"
        self._made: dict[str, Shown] = {}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """All tables."""
        return self.chapter.tables(self.lang)

    def shown(self, names: list[str]) -> list[Shown]:
        """Return those of these views that have rows; rows that the view passes over stand below the others."""
        there = [self.tables[name] for name in names if name in self.tables and self.tables[name].rows]
        self._made |= {table.view.name: self._shown(table) for table in there if table.view.name not in self._made}
        return [self._made[table.view.name] for table in there]

    def _shown(self, table: Table) -> Shown:
        keep, name = table.view.keep or (lambda _row: True), table.view.name
        rows = sorted(table.rows, key=lambda row: not keep(row))
        every = grid(replace(table, view=replace(table.view, keep=None), rows=rows), self.lang, self.stake)
        first = len(every.rows) - sum(not keep(row) for row in rows)
        svg = drawing.of_view(self.chapter, name, self.lang, self.salt + name)
        alternative = drawing.alternative(every) if svg else ""
        return Shown(every, _FIRST if first > _FIRST + 4 else first, svg, alternative)

    @cached_property
    def lists(self) -> list[dict[str, Any]]:
        """The price lists as they stand first: with their pictures, and what is wrong marked."""
        return [self._list(prices) for prices in self.fairness.lists]

    def _list(self, prices: Prices) -> dict[str, Any]:
        table = replace(self.fairness.table_of("prices"), rows=prices.rows())
        table = table if prices.heo else replace(table, view=table.view.without("heo"))
        verdicts = [each for each in self.fairness.verdicts if each.list == prices.which]
        kinds = {each.pattern: each.kind for each in verdicts if each.finding and each.kind != "order"}
        wrong = {pair[key] for pair in prices.wrong_pairs for key in ("pattern", "rarer")}
        rows = [self._cells(table, row) for row in table.rows]
        for row in rows:
            row["marks"] = [*filter(None, [kinds.get(row["id"])]), *["wrong"] * (row["id"] in wrong)]
        return {
            "which": prices.which, "known": prices.known, "verdicts": verdicts, "rows": rows, "dear": bool(kinds),
            "summary": next(row for row in self.fairness.rows("summary") if row["list"] == prices.which),
            "first": None if (first := misplaced_most(prices)) is None else rows[first],
            "headings": [term_of(table.view[key].heading, self.lang) for key in _CELLS if key in table.view.keys],
            "svg": drawing.of_prices(self.chapter, prices.which, self.lang, self.salt + prices.which),
            "alternative": drawing.alternative(grid(table, self.lang)),
        }  # fmt: skip

    def _cells(self, table: Table, row: Row) -> dict[str, Any]:
        cells = {key: cell(table.view[key], row, table, self.lang) for key in _CELLS if key in table.view.keys}
        return {"id": row["pattern"], "price": row["price"], "cells": cells,
                "name": pattern_name(row["pattern"], table, self.lang)}  # fmt: skip

    @property
    def swing(self) -> tuple[float, float] | None:
        """Spread of a seat's money in a game and in an evening, whose games may hang together; None without games."""
        played = self.fairness.played
        if played is None or not self.chapter.played:
            return None
        rows = played.stats.rows("seats")
        game, error = (
            math.sqrt(sum((row[key] or 0) ** 2 for row in rows) / len(rows)) for key in ("spread", "std_error")
        )
        return game, error * math.sqrt(played.stats.games * EVENING) or game * math.sqrt(EVENING)

    def amount(self, value: float) -> str:
        """Return an amount in the way of the language."""
        return numbers.local(numbers.amount(value), self.lang)

    def percent(self, value: float | None) -> str:
        """Return a share in percent."""
        return "–" if value is None else numbers.local(f"{100 * value:.1f}%", self.lang)


def misplaced_most(prices: Prices) -> int | None:
    """Return the place of the pattern for which most money is paid beyond the fair price, or short of it."""
    apart = {at: abs(prices.prices[at] - fair) * prices.probabilities[at] for at in prices.judged
             if (fair := prices.fair[at]) is not None}  # fmt: skip
    return max(apart, key=lambda at: apart[at]) if apart and max(apart.values()) else None


def _beside(report: Report, lang: str) -> list[Shown]:
    """Return rule sets side by side: their lists in one row each, and the price of every pattern in all of them."""
    tables, rows = report.in_words(lang), dict[tuple[str, str], Row]()
    every, keys = tables["prices"], ("list", "pattern")
    for row in every.rows:
        named = {key: row[key] for key in keys}
        rows.setdefault((row["list"], row["pattern"]), named)[row["rules"]] = row["price"]
    columns = (*(every.view[key] for key in keys), *(Column(each.rules.name, "price") for each in report.chapters))
    prices = replace(every, view=replace(every.view, title="pays", columns=columns), rows=list(rows.values()))
    return [Shown(each, len(each.rows)) for each in (grid(table, lang) for table in (tables["summary"], prices))]
