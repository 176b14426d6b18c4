"""What stands in a table for people: words and numbers by the kind of the column; and tables that fit a screen."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Literal

from tlsim.cards import as_seen
from tlsim.catalogue import language
from tlsim.columns import WORDS, Column, Row, Table
from tlsim.show import numbers
from tlsim.terms import event_name, known_term, reason_name, term, term_of

_YES, _NO = "✓", "–"


@dataclass(frozen=True)
class Heading:
    """A column as people see it: its words, whether it holds numbers, what is to be left out first."""

    text: str
    number: bool
    leave: int = 0
    folds: bool = False


@dataclass(frozen=True)
class Grid:
    """A table in words: its title, headings and cells."""

    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]


def grid(
    table: Table, lang: str | None = None, stake: int | None = None, *, whole: bool = False, every: bool = False
) -> Grid:
    """Return a table in words, money times a stake too; whole : all rows and columns; every : all columns."""
    spoken = language(lang)
    view, rows, columns = table.view, table.rows, table.view.columns
    if view.prepare is not None:
        rows, columns = view.prepare(list(rows), spoken)
    if view.keep is not None and not whole:
        rows = [row for row in rows if view.keep(row)]
    shown = [column for column in columns if column.shown and _applies(column, rows)]
    if not (whole or every):
        shown = [column for column in shown if not column.varies or len({row.get(column.key) for row in rows}) > 1]
    made: list[tuple[Column, int | None]] = []  # each column, and its money times the stake
    for column in shown:
        staked = stake is not None and column.is_money and not table.points
        made += [(column, None), (column, stake)] if staked else [(column, None)]
    return Grid(
        term_of(view.heading, spoken, points=table.points),
        tuple(_heading(*each, spoken, points=table.points) for each in made),
        tuple(tuple(_text(*each, row, table, spoken) for each in made) for row in rows),
    )


def _applies(column: Column, rows: Sequence[Row]) -> bool:
    """Whether a column has anything to say: some never have under some rules."""
    if column.ends:
        return any(row.get(end) is not None for row in rows for end in column.ends)
    if column.known:
        return any(row.get(column.key) for row in rows)
    return not rows or any(column.key in row for row in rows)


def _heading(column: Column, stake: int | None, lang: str, *, points: bool) -> Heading:
    known = known_term(column.heading, lang)  # a column named by a user's own word keeps it
    text = term_of(column.heading, lang, points=points) if known else column.heading
    if stake is not None:
        text += f" × {numbers.local(f'{stake:,}', lang)}"
    folds = column.kind in {"sentence", "text", "list", "cards"}
    settled = column.kind == "money" and not column.error and not column.leave  # it goes for all players, or for none
    leave = column.leave if stake is None or settled else column.leave + 2
    return Heading(text, column.kind not in WORDS, leave, folds)


def _text(column: Column, stake: int | None, row: Row, table: Table, lang: str) -> str:
    if stake is None:
        return cell(column, row, table, lang)
    if row.get(column.key) is None:
        return ""
    value, sign = row[column.key], "+" if column.signed else ""
    money = value * stake
    if 2 * value % 1 == 0 and not column.error:  # no estimate: what is paid is told to the last half
        return numbers.local(f"{money:{sign},.1f}".removesuffix(".0"), lang)
    return numbers.local(f"{money:{sign},.0f}" if abs(money) >= 100 else numbers.general(money, sign, 4), lang)


def cell(column: Column, row: Row, table: Table, lang: str) -> str:
    """Return the text of a cell."""
    if column.none and row.get(column.key) is None:
        return term(column.none, lang)
    if column.write is not None:
        written = column.write(row.get(column.key), row, lang)
        return "" if written is None else written if column.kind in WORDS else numbers.local(written, lang)
    if column.kind == "interval":
        low, high = (row.get(end) for end in column.ends)
        if low is None and high is None:
            return ""
        low, high = (-math.inf if low is None else low), (math.inf if high is None else high)
        return numbers.local(numbers.between(low, high, "+" if column.signed else ""), lang)
    value = row.get(column.key)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return (
        _word(column, value, table, lang) if column.kind in WORDS else numbers.local(_number(column, value, row), lang)
    )


def _word(column: Column, value: Any, table: Table, lang: str) -> str:
    if column.kind == "flag":
        return _YES if value else _NO
    if column.kind == "pattern":
        return pattern_name(value, table, lang)
    if column.kind == "term":
        return known_term(f"{column.prefix}{value}", lang) or str(value)
    if column.kind in _NAMED:
        return _NAMED[column.kind](value, lang)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_NAMED: dict[str, Callable[[str, str], str]] = {
    "event": event_name, "reason": reason_name, "cards": lambda value, _lang: as_seen(str(value)),
}  # fmt: skip


def pattern_name(ident: str, table: Table, lang: str) -> str:
    """Return what a pattern is called: in Vietnamese as its rules call it, otherwise from the glossary."""
    known = known_term(ident, lang) if lang != "vi" else None
    return known or table.names.get(ident) or known_term(ident, lang) or ident


Writer = Callable[[Any, float | None, str], str]
"""Writes a value with its error and its sign in the C form."""
_WRITERS: dict[str, Writer] = {
    "count": lambda value, _, __: f"{value:,}" if isinstance(value, int) else numbers.general(value),
    "index": lambda value, _, __: f"{value}",
    "share": numbers.percent,
    "money": lambda value, error, sign: (  # without an error whole halves are exact, all else is a mean
        numbers.with_error(value, error, sign) if error or 2 * value % 1 == 0 else numbers.general(value, sign, 4)
    ),
    "probability": lambda value, error, _: numbers.probability(value) + numbers.plus_minus(error),
    "one_in": lambda value, _, __: numbers.one_in(value),
    "correlation": lambda value, _, __: f"{value:+.3f}",
    "amount": lambda value, error, _: numbers.amount(value, error) + numbers.plus_minus(error),
}
_WRITERS |= {"whole": _WRITERS["count"], "rate": _WRITERS["probability"]}
_WRITERS |= {"number": _WRITERS["money"], "price": _WRITERS["money"]}


def _number(column: Column, value: Any, row: Row) -> str:
    """Return a number in the C form, with its error or its interval where it has one."""
    error = row.get(column.error) if column.error else None
    text = _WRITERS.get(column.kind, _WRITERS["amount"])(value, error, "+" if column.signed else "")
    low, high = (row.get(end) for end in column.ends or ("", ""))
    if low is None or high is None:
        return text
    if column.kind != "share":
        return f"{text} ({numbers.general(low, digits=4)} … {numbers.general(high, digits=4)})"
    return f"{text} ({numbers.percents(low, high)})"


_TALL = 4  # lines of a heading
_GAP = 2  # between columns: one of padding, one that the box has
_NAME = 20  # letters that a name, or a text that folds, is not made narrower than, where it is longer
_FOLD = 28


@dataclass(frozen=True)
class Fitted:
    """A table that fits: the places of its columns and their widths; stacked where there are none."""

    columns: tuple[int, ...]
    widths: tuple[int, ...]
    left_out: tuple[str, ...]

    @property
    def stacked(self) -> bool:
        """Whether each row is a block of lines."""
        return not self.widths


def fit(grid: Grid, width: int | None, *, wide: bool = False) -> Fitted:
    """Return which columns fit into a line of so many cells, and how wide; wide : all, stacked if need be.

    No number is ever cut and no row loses its name: first the least needed columns go; a table that is stacked has all.
    """
    spans = [_span(heading, [row[at] for row in grid.rows]) for at, heading in enumerate(grid.headings)]
    columns = list(range(len(grid.headings)))
    if width is None:
        return Fitted(tuple(columns), tuple(most for *_, most in spans), ())
    leaving = [] if wide else sorted((heading.leave, at) for at, heading in enumerate(grid.headings) if heading.leave)
    while (room := width + _GAP - sum(spans[at][0] + _GAP for at in columns)) < 0 and leaving:
        columns.remove(leaving.pop()[1])
    widths, texts = list[int](), [grid.headings[at].text for at in columns]
    for least, cells, _ in (spans[at] for at in columns):  # room goes to cells, then to the tallest headings
        widths.append(least + max(0, min(cells - least, room)))
        room -= widths[-1] - least
    while (tallest := max(lines := list(map(len, map(wrap, texts, widths))))) > 1 and room > 0:
        widths[lines.index(tallest)] += 1
        room -= 1
    if room < 0 or tallest > _TALL:
        return Fitted(tuple(range(len(grid.headings))), (), ())
    left_out = (heading.text for at, heading in enumerate(grid.headings) if at not in columns)
    return Fitted(tuple(columns), tuple(widths), tuple(left_out))


def _span(heading: Heading, cells: Sequence[str]) -> tuple[int, int, int]:
    """Return the least width of a column, that of its cells, and that of its heading, too.

    Numbers are never folded, headings at their blanks.
    """
    from rich.cells import cell_len

    longest = max(map(cell_len, cells), default=0)
    words = max(map(cell_len, heading.text.split()), default=0)
    least = longest
    if not heading.number:
        word = max((cell_len(part) for cell in cells for part in cell.split()), default=0)
        least = max(word, min(longest, _FOLD if heading.folds else _NAME))
    return max(least, words), max(longest, words), max(longest, cell_len(heading.text))


def drawn(grid: Grid, fitted: Fitted) -> Iterator[Any]:
    """Yield what rich prints of a table that fits."""
    from rich.text import Text

    yield Text(grid.title, style="bold")
    if not grid.rows:
        yield Text("–")
    elif fitted.stacked:
        yield from _stacked(grid, fitted)
    else:
        yield _table(grid, fitted)
    yield Text("")


def _table(grid: Grid, fitted: Fitted) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for at, width in zip(fitted.columns, fitted.widths, strict=True):
        heading = grid.headings[at]
        side: Literal["right", "left"] = "right" if heading.number else "left"
        table.add_column(Text(heading.text), justify=side, overflow="fold", width=width)
    for row in grid.rows:
        table.add_row(*(Text(row[at]) for at in fitted.columns))
    return table


def _stacked(grid: Grid, fitted: Fitted) -> Iterator[Any]:
    """Yield a block for each row: its name, then a line for each value that it has."""
    from rich.text import Text

    first, *others = fitted.columns
    for row in grid.rows:
        yield Text(f"{grid.headings[first].text}: {row[first]}", style="bold")
        for at in others:
            if row[at]:
                yield Text(f"  {grid.headings[at].text}: {row[at]}")
