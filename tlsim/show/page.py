"""The one renderer: what a command or a notebook shows of a result, in any format, any width, either language."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from tlsim.cards import as_seen
from tlsim.catalogue import N_, language, say, told
from tlsim.columns import Table
from tlsim.errors import Sentence, UsageError, suggestion, unknown
from tlsim.options import FORMATS
from tlsim.show import formats
from tlsim.show.cells import Grid, drawn, fit, grid
from tlsim.show.numbers import general, local
from tlsim.show.output import screen_width, write
from tlsim.terms import known_term, term

_LEFT_OUT = N_("Columns left out where room is short: {columns}; --wide shows them.")
_CARDS = {"hand", "holding", "dead", "given"}
_ERROR = N_("± one standard error")
_MORE = N_("There is more: --view {views}, or --view all.")


class Note(str):  # noqa: SLOT000 (it has views)
    """A sentence below the tables that is about some views, and is said where one of them is shown."""

    views: tuple[str, ...]

    @classmethod
    def on(cls, text: str, *views: str) -> "Note":
        """Return a note on these views."""
        note = cls(text)
        note.views = views
        return note


@dataclass(frozen=True)
class Page:
    """What there is to show of an answer."""

    command: str
    provenance: Mapping[str, Any]  # what the numbers rest on: version, rules, digest, seed, sizes
    tables: Sequence[Table]  # in order; those for people and those for files may differ
    complete: bool = True  # False for an interrupted run; every format says so
    said: Sequence[str] = ()  # sentences above the tables, for people
    notes: Sequence[str] = ()  # and below them

    def noted(self, *notes: str, complete: bool = True) -> "Page":
        """Return it with more notes; perhaps not complete."""
        return replace(self, notes=[*self.notes, *filter(None, notes)], complete=self.complete and complete)


@dataclass(frozen=True)
class Asked:
    """How a page is to be shown; the flags of every command that prints tables."""

    format: str = "table"
    lang: str | None = None
    stake: int | None = None
    view: tuple[str, ...] = ()
    wide: bool = False
    out: str | Path | None = None
    excel: bool = False


def show(page: Page, asked: Asked) -> None:
    """Print a page."""
    write(rendered(page, asked, None if asked.out is not None else screen_width()), asked.out)


def rendered(page: Page, asked: Asked, width: int | None = None) -> str:
    """Return the text of a page, for a terminal of so many cells; None: for a pipe or a file, without colours."""
    if asked.format not in FORMATS:
        raise unknown("format", asked.format, FORMATS)
    lang, people = language(asked.lang), asked.format in {"table", "markdown"}
    tables, more = _chosen(page, asked, people=people)
    if not people:
        rows = {table.view.name: formats.rows_for_files(table, asked.stake) for table in tables}
        if asked.format == "json":
            return formats.as_json(page.command, page.provenance, rows, complete=page.complete)
        return formats.as_csv(rows, {table.view.name: table.view.keys for table in tables}, excel=asked.excel)
    files_too = asked.format == "markdown"
    grids = [grid(table, lang, asked.stake, whole=asked.wide, every=files_too) for table in tables]
    if asked.format == "table" and (not asked.view or "all" in asked.view):
        grids = [each for each in grids if each.rows]
    view_more = [say(_MORE, lang, views=" | ".join(more))] if more else []
    rests = [say(_ERROR, lang)] if any("±" in cell for each in grids for row in each.rows for cell in row) else []
    rests.append(provenance_line(page.provenance, lang))
    notes = [*_notes(page, tables), *view_more, " · ".join(filter(None, rests))]
    said = _said(replace(page, said=()) if asked.view and "all" not in asked.view else page, lang)
    if asked.format == "markdown":
        return formats.as_markdown(grids, [*said, *notes])
    return _text(grids, said, notes, lang, width, wide=asked.wide)


def _chosen(page: Page, asked: Asked, *, people: bool) -> tuple[list[Table], list[str]]:
    """Return the tables that are shown, and the names of those that could be."""
    there = [table for table in page.tables if (table.view.people if people else table.view.files)]
    names = list(dict.fromkeys(table.view.name for table in page.tables))
    for name in asked.view:
        if name not in names and name != "all":
            known = ", ".join([*names, "all"])
            must = Sentence("must be one of {names}{near}", names=known, near=suggestion(name, [*names, "all"]))
            if takes := known_term(f"takes_{name}"):
                must = Sentence("takes {takes}; here there are {names}", takes=takes, names=known)
            raise UsageError("--view {name}: {must}", name=name, must=must)
    if asked.view and "all" not in asked.view:
        return [table for name in asked.view for table in page.tables if table.view.name == name], []
    if asked.view or asked.format != "table" or not any(t.view.first and t.rows for t in there):
        return there, []
    return [t for t in there if t.view.first], [t.view.name for t in there if not t.view.first and t.rows]


def _text(
    grids: Sequence[Grid], said: Sequence[str], notes: Sequence[str], lang: str, width: int | None, *, wide: bool
) -> str:
    from rich.console import Console
    from rich.text import Text

    fitted = [fit(each, width, wide=wide) for each in grids]
    out, terminal = io.StringIO(), width is not None
    tables = [sum(how.widths) + 2 * len(how.widths) for how in fitted]
    widest = max([200, *tables, *(2 * len(line) for line in (*said, *notes, *(each.title for each in grids)))])
    console = Console(
        file=out, width=width or widest, height=100, force_terminal=terminal, color_system="auto" if terminal else None,
        force_jupyter=False, highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    for line in said:
        console.print(Text(line))
    if said:
        console.print()
    for each, how in zip(grids, fitted, strict=True):
        for part in drawn(each, how):
            console.print(part)
    left = list(dict.fromkeys(name for how in fitted for name in how.left_out))
    if left:
        notes = [say(_LEFT_OUT, lang, columns=", ".join(left)), *notes]
    for note in filter(None, notes):
        console.print(Text(note, style="dim"))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _notes(page: Page, tables: Sequence[Table]) -> list[str]:
    """Return what is said below these tables."""
    names = {table.view.name for table in tables if table.rows}
    return [note for note in page.notes if not isinstance(note, Note) or names & {*note.views}]


def _said(page: Page, lang: str) -> list[str]:
    """Return what stands above the tables; first of all, that a run was not complete."""
    return list(page.said) if page.complete else [term("partial", lang), *page.said]


def provenance_line(provenance: Mapping[str, Any], lang: str) -> str:
    """Return what the numbers rest on in one line; twelve digits of a digest tell rules apart."""
    said = []
    for key, value in provenance.items():
        if value is None or value is False or value == "" or key == "stopped":  # which a note says
            continue
        shown = value[:12] if key == "digest" else as_seen(value) if key in _CARDS else _known(value, lang)
        said.append(f"{known_term(key, lang) or key} {shown}")
    return " · ".join(said)


def _known(value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, int | float):
        return local(f"{value:,}" if isinstance(value, int) else general(value), lang)
    return ", ".join(_known(item, lang) for item in value) if isinstance(value, list | tuple) else told(value, lang)


def as_html(page: Page, lang: str | None = None) -> str:
    """Return a page for a notebook: the tables that people see first, all text escaped."""
    spoken = language(lang)
    tables, _ = _chosen(page, Asked(), people=True)
    grids = [each for each in (grid(table, spoken) for table in tables) if each.rows]
    lines = "".join(f"<li>{escape(line)}</li>" for line in _said(page, spoken))
    notes = [*filter(None, _notes(page, tables)), provenance_line(page.provenance, spoken)]
    small = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes)
    return (f"<ul>{lines}</ul>" if lines else "") + "".join(map(_html_table, grids)) + small


def _html_table(grid: Grid) -> str:
    marks = [' style="text-align:right"' if heading.number else ' style="text-align:left"' for heading in grid.headings]

    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}{m}>{escape(c)}</{tag}>" for m, c in zip(marks, cells, strict=True)) + "</tr>"

    head = line("th", [heading.text for heading in grid.headings])
    body = "".join(line("td", row) for row in grid.rows)
    return f"<table><caption>{escape(grid.title)}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"
