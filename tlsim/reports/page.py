"""The HTML page of a report: what its template, where sentences and sections stand, is given; pictures; edits."""

import base64
import hashlib
import io
import json
import math
import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tlsim.catalogue import LANGUAGES, say
from tlsim.columns import Column, Row, Table
from tlsim.fairness.notion import tolerances
from tlsim.fairness.price_list import Prices
from tlsim.fairness.repricing import with_prices
from tlsim.plotting.axes import new_axes
from tlsim.questions.report import EVENING, Chapter
from tlsim.rules.keypath import write_value
from tlsim.show import Asked, numbers, rendered
from tlsim.show.cells import Grid, cell, grid, pattern_name
from tlsim.show.formats import plain
from tlsim.show.page import provenance_line
from tlsim.terms import term, term_of

if TYPE_CHECKING:
    from tlsim.reports import Report

_FIRST = 20  # rows of a table from which on the others are shown when asked for
_SAID = 24  # rows of a picture that its text alternative tells
_OF_FAIRNESS = {"reasons": "reasons", "flows": "flows", "seats": "seats", "leading": "leading", "skill": "convergence"}
_OF_GAMES = ("distribution", "sam_calls", "titles")
_CELLS = ("fair_price", "ratio", "heo", "one_in", "cost_per_1000")


def page_of(report: "Report", lang: str, stake: int | None) -> str:
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


class Panel(NamedTuple):
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
        self._made: dict[str, Panel] = {}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """All tables."""
        return self.chapter.tables(self.lang)

    def shown(self, names: list[str]) -> list[Panel]:
        """Return those of these views that have rows; rows that the view passes over stand below the others."""
        there = [self.tables[name] for name in names if name in self.tables and self.tables[name].rows]
        self._made |= {table.view.name: self._shown(table) for table in there if table.view.name not in self._made}
        return [self._made[table.view.name] for table in there]

    def _shown(self, table: Table) -> Panel:
        keep, name = table.view.keep or (lambda _row: True), table.view.name
        rows = sorted(table.rows, key=lambda row: not keep(row))
        every = grid(replace(table, view=replace(table.view, keep=None), rows=rows), self.lang, self.stake)
        first = len(every.rows) - sum(not keep(row) for row in rows)
        svg = ""
        if self.fairness.played is not None and self.chapter.played and name in (*_OF_FAIRNESS, *_OF_GAMES):
            of = self.fairness if name in _OF_FAIRNESS else self.fairness.played.stats
            svg = as_svg(of.plot(new_axes(), _OF_FAIRNESS.get(name, name), self.lang).figure, self.salt + name)
        return Panel(every, _FIRST if first > _FIRST + 4 else first, svg, _alternative(every) if svg else "")

    @cached_property
    def lists(self) -> list[dict[str, Any]]:
        """The price lists as they stand first: with their pictures, and what is wrong marked."""
        return [self._list(prices) for prices in self.fairness.lists]

    def _list(self, prices: Prices) -> dict[str, Any]:
        table = replace(self.fairness.table_of("prices"), rows=prices.rows())
        picture = self.fairness.plot(new_axes(), lang=self.lang, opening=prices.which == "opening")
        table = table if prices.heo else replace(table, view=table.view.without("heo"))
        verdicts = [each for each in self.fairness.verdicts if each.list == prices.which]
        kinds = {each.pattern: each.kind for each in verdicts if each.finding and each.kind != "order"}
        wrong = {pair[key] for pair in prices.wrong_pairs for key in ("pattern", "rarer")}
        apart = {at: abs(prices.prices[at] - fair) * prices.probabilities[at] for at in prices.judged
                 if (fair := prices.fair[at]) is not None}  # fmt: skip
        most = max(apart, key=apart.__getitem__, default=None)  # paid beyond the fair price, or short of it
        rows = []
        for row in table.rows:
            ident, shown = row["pattern"], [key for key in _CELLS if key in table.view.keys]
            rows.append({
                "id": ident, "price": row["price"], "name": pattern_name(ident, table, self.lang),
                "cells": {key: cell(table.view[key], row, table, self.lang) for key in shown},
                "marks": [*filter(None, [kinds.get(ident)]), *["wrong"] * (ident in wrong)],
            })  # fmt: skip
        return {
            "rules": self.rules.name, "unit": self.rules.unit, "several": len(self.fairness.lists) > 1,
            "which": prices.which, "known": prices.known, "verdicts": verdicts, "rows": rows, "dear": bool(kinds),
            "summary": next(row for row in self.fairness.rows("summary") if row["list"] == prices.which),
            "first": rows[most] if most is not None and apart[most] else None,
            "headings": [term_of(table.view[key].heading, self.lang) for key in _CELLS if key in table.view.keys],
            "svg": as_svg(picture.figure, self.salt + prices.which),
            "alternative": _alternative(grid(table, self.lang)),
        }  # fmt: skip

    @property
    def swing(self) -> tuple[float, float] | None:
        """Spread of a seat's money in a game and in an evening, whose games may hang together; None without games."""
        played = self.fairness.played
        if played is None or not self.chapter.played:
            return None
        rows, keys = played.stats.rows("seats"), ("spread", "std_error")
        game, error = (math.sqrt(sum((row[key] or 0) ** 2 for row in rows) / len(rows)) for key in keys)
        return game, error * math.sqrt(played.stats.games * EVENING) or game * math.sqrt(EVENING)

    def amount(self, value: float, error: float | None = None) -> str:
        """Return an amount in the way of the language."""
        return numbers.local(numbers.amount(value, error), self.lang)

    def percent(self, value: float | None) -> str:
        """Return a share in percent."""
        return "–" if value is None else numbers.local(f"{100 * value:.1f}%", self.lang)


def as_svg(figure: Any, salt: str) -> str:
    """Return a figure as SVG that may stand among others: its ids are its own, text stays text, the ground is clear."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = re.sub(r"<metadata>.*?</metadata>", "", out.getvalue(), flags=re.DOTALL)
    text = text[text.index("<svg") :]
    used = set(re.findall(r"(?:#|url\(#)([\w-]+)", text))
    text = re.sub(r'\s(?:id)="([\w-]+)"', lambda m: m[0] if m[1] in used else "", text)
    text = re.sub(r'\swidth="[\d.]+pt" height="[\d.]+pt"', "", text, count=1)
    return re.sub(r"\n\s*", "\n", text)


def _alternative(shown: Grid) -> str:
    """Return what a picture of a table shows in words: its rows, as far as they can be listened to."""
    return ". ".join([shown.title, *("; ".join(filter(None, row[:4])) for row in shown.rows[:_SAID])])


def _beside(report: "Report", lang: str) -> list[Panel]:
    """Return rule sets side by side: their lists in one row each, and the price of every pattern in all of them."""
    tables, rows = report.in_words(lang), dict[tuple[str, str], Row]()
    every, keys = tables["prices"], ("list", "pattern")
    for row in every.rows:
        named = {key: row[key] for key in keys}
        rows.setdefault((row["list"], row["pattern"]), named)[row["rules"]] = row["price"]
    columns = (*(every.view[key] for key in keys), *(Column(each.rules.name, "price") for each in report.chapters))
    prices = replace(every, view=replace(every.view, title="pays", columns=columns), rows=list(rows.values()))
    whole = tables["summary"]
    brief = replace(whole, view=whole.view.without("patterns", "someone", "tau_strength", "tau_price"))
    return [Panel(each, len(each.rows)) for each in (grid(table, lang) for table in (brief, prices))]


_PRICE = 987654.5  # stands where a price is to be put in; no rule file has it


def edits_of(chapter: Chapter) -> dict[str, Any]:
    """Return all lists of a rule set that can be edited, and the rule file around them."""
    lists = [prices for prices in chapter.fairness.lists if prices.known]
    return {
        "rules": chapter.rules.name, "players": lists[0].players if lists else 0,
        "lists": [_list(prices, chapter) for prices in lists], "file": _file(chapter, lists),
    }  # fmt: skip


def _list(prices: Prices, chapter: Chapter) -> dict[str, Any]:
    notion, tolerance = prices.notion, tolerances(chapter.fairness.tolerance)
    return {
        "list": prices.which, "by_price": notion.by_price, "method": notion.method, "judge_from": notion.judge_from,
        "cap": notion.cap, "step": notion.step, "tolerance": tolerance,
        "prices": {entry.id: entry.pays for entry in prices.listed},
        "names": {entry.id: {lang: entry.name(lang) for lang in LANGUAGES} for entry in prices.listed},
        "orders": {"force": _order(prices), "rarity": _order(chapter.by_rarity.get(prices.which, prices))},
    }  # fmt: skip


def _order(prices: Prices) -> list[dict[str, Any]]:
    """Return patterns, the strongest first: the chance to win the table, its bounds, and what đếm heo adds."""
    every = zip(prices.listed, prices.probabilities, prices.bounds, prices.added, prices.noise, strict=True)
    return [{"id": entry.id, "p": float(p), "low": float(low), "high": float(high), "heo": float(heo),
             "noise": float(noise)} for entry, p, (low, high), heo, noise in every]  # fmt: skip


def _file(chapter: Chapter, lists: list[Prices]) -> dict[str, Any]:
    """Return the rule file in pieces: what stands before the lists, and each pattern before and after its price."""
    rules = chapter.rules
    if not lists:
        return {"name": "", "head": "", "patterns": {}}
    name, label = f"{rules.name[:100]}-edited", f"{rules.label[:100]} *"
    changed = rules.replace({"name": name, "label": label})
    for prices in lists:
        order = tuple((entry.id, Fraction(entry.pays)) for entry in prices.listed)
        changed = with_prices(changed, prices.which, order, prices.players)
    text = changed.to_toml()
    written, which = tomllib.loads(text)["toi_trang"], "|".join(prices.which for prices in lists)
    head = re.sub(rf"^\[\[toi_trang\.({which})\]\]\n(?:(?!\[).*\n)*", "", text, flags=re.MULTILINE)
    return {"name": name, "head": head, "patterns": {
        prices.which: {entry["id"]: _pieces(entry, prices.players) for entry in written[prices.which]}
        for prices in lists
    }}  # fmt: skip


def _pieces(entry: dict[str, Any], players: int) -> list[str]:
    """Return a pattern as it is written, before and after its price."""
    pays = entry.get("pays")
    priced = pays | {str(players): _PRICE} if isinstance(pays, dict) else _PRICE
    text = "".join(f"{key} = {write_value(value)}\n" for key, value in (entry | {"pays": priced}).items())
    return text.split(write_value(_PRICE))
