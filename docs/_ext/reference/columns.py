"""The chapter of views and columns."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from reference.text import cell, code, held, load, log, table
from tlsim.columns import Column, View
from tlsim.terms import known_term

# Which questions the views of a module belong to; other modules go by the first line of their docstring.

SECTIONS = {
    "tlsim.results.odds_page": "tlsim odds and tlsim.estimate_event",
    "tlsim.results.exact": "tlsim odds and tlsim.estimate_event",
    "tlsim.results.estimated": "tlsim odds and tlsim.estimate_event",
    "tlsim.results.hand_report": "tlsim hand",
    "tlsim.results.worth": "tlsim hand --ev",
    "tlsim.results.game_views": "tlsim simulate",
    "tlsim.results.game_stats": "tlsim simulate",
    "tlsim.results.advice": "tlsim advise and tlsim review",
    "tlsim.results.training": "tlsim train",
    "tlsim.cli.warm": "tlsim warm",
    "tlsim.results.difference": "tlsim.compare and tlsim simulate --against-…",
    "tlsim.fairness": "tlsim fair",
    "tlsim.questions.report": "tlsim report",
    "tlsim.questions.kept": "tlsim runs",
    "tlsim.records.sheet": "tlsim settle",
    "tlsim.cli.rules": "tlsim rules",
    "tlsim.cli.bench": "tlsim bench",
}
DRAWN = ("amounts",)  # views that only a picture is made of
ROOMS = ("tlsim.results", "tlsim.fairness", "tlsim.questions", "tlsim.records", "tlsim.cli")
KINDS = {
    "pattern": "an id of a pattern",
    "term": "a word of the glossary",
    "event": "an event",
    "reason": "a reason to pay",
    "text": "text",
    "sentence": "a sentence",
    "cards": "cards",
    "flag": "true or false",
    "list": "a list",
    "count": "a whole number",
    "index": "a whole number that counts from 0 or names something",
    "whole": "a whole number of any size",
    "probability": "a probability, from 0 to 1",
    "rate": "a number per game or per hand",
    "one_in": "one divided by a probability",
    "share": "a share, from 0 to 1; people read a percentage",
    "money": "money (or points), in the unit of the rules",
    "price": "a price, in the unit of the rules",
    "amount": "a number",
    "number": "a number",
    "correlation": "a correlation, from -1 to 1",
    "error": "the standard error of the column that it belongs to",
    "end": "an end of a 95 % interval",
    "interval": "a 95 % interval, for people; files have its two ends",
}
LANGUAGES = ("en", "vi")


def columns() -> list[str]:
    """Return the views of every question with their columns: both headings, kind and meaning."""
    meanings = held("columns")
    known: set[str] = set()
    lines: list[str] = []
    for title, found in views().items():
        lines += ["", f"## {title}"]
        for view in found:
            heading = [known_term(view.heading, lang) or view.name for lang in LANGUAGES]
            lines += ["", f"### {view.name}: {heading[0]} / {heading[1]}", "", *seen_by(view)]
            places = [f"{title}: {view.name}", view.name]
            lines += [view.about, ""] if view.about else []
            rows = []
            for column in view.columns:
                keys = [*(f"{place}.{column.key}" for place in places), column.key]
                known |= {*keys}
                said = next((meanings["columns"][key] for key in keys if key in meanings["columns"]), "")
                said = cell(said) or follows(view, column)
                rows.append([code(column.key), *headings(column), KINDS.get(column.kind, column.kind), said])
            lines += table(["column", "heading", "tiêu đề", "kind", "what it means"], rows)
    for name in meanings["columns"]:
        if name not in known:
            log.warning("docs/_ext/reference/columns.toml explains %s, which no view has", name)
    return lines


def views() -> dict[str, list[View]]:
    """Return the views that the program declares, by the question that they belong to."""
    found: dict[str, list[View]] = {}
    seen: list[View] = []
    for module in modules():
        room = next((key for key in (module.__name__, module.__name__.rpartition(".")[0]) if key in SECTIONS), "")
        title = SECTIONS.get(room) or (module.__doc__ or module.__name__).strip().split("\n")[0].rstrip(".")
        for value in vars(module).values():
            for view in views_in(value):
                if view not in seen and view.columns and view.name not in DRAWN:
                    seen.append(view)
                    found.setdefault(title, []).append(view)
    order = list(SECTIONS.values())
    return dict(sorted(found.items(), key=lambda each: order.index(each[0]) if each[0] in order else len(order)))


def views_in(value: Any) -> list[View]:
    """Return a view, or the views in a tuple of them or a dict."""
    if isinstance(value, View):
        return [value]
    if isinstance(value, tuple | list):
        return [view for each in value for view in views_in(each)]
    return [view for each in value.values() for view in views_in(each)] if isinstance(value, dict) else []


def modules() -> Iterator[ModuleType]:
    """Yield the modules that may declare views."""
    for room in ROOMS:
        package = load(room)
        if package is None:
            continue
        yield package
        for each in pkgutil.iter_modules(getattr(package, "__path__", []), f"{room}."):
            module = load(each.name)
            if module is not None:
                yield module


def seen_by(view: View) -> list[str]:
    """Return who sees a view, where not everybody does."""
    if not view.files:
        return ["People see this view; files have the views that it is made of.", ""]
    if not view.people:
        return ["Files have this view; people see a view that is made of it.", ""]
    return [] if view.first else [f"People see this view by `--view {view.name}` or `--view all`.", ""]


def headings(column: Column) -> list[str]:
    """Return the heading of a column in both languages."""
    if column.kind in {"error", "end"} and not column.shown:
        return ["", ""]
    return [cell(known_term(column.heading, lang) or column.heading) for lang in LANGUAGES]


def follows(view: View, column: Column) -> str:
    """Return what follows of a column from how it is declared."""
    if column.kind == "interval" and column.ends:
        return f"Made of `{column.ends[0]}` and `{column.ends[1]}`."
    if column.kind not in {"error", "end"}:
        return ""
    of = f" of `{owner(view, column)}`"
    if column.kind == "error":
        return f"Standard error{of}."
    return f"The {'lower' if 'low' in column.key else 'upper'} end of the 95 % interval{of}."


def owner(view: View, column: Column) -> str:
    """Return which column an error or an end belongs to: the one that names it, or the value before it."""
    naming = [each.key for each in view.columns if each.filed and column.key in {each.error, *each.ends}]
    before = view.columns[: view.columns.index(column)]
    return (naming or [each.key for each in before if each.filed and each.kind not in {"error", "end"}][-1:])[0]
