"""Tables that fit: no number is ever cut and no row loses its name, however narrow the screen.

Which columns fit is decided before anything is drawn: first the least needed ones go, then the table is stacked, each
row a block of its own with one value a line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tlsim.show.cells import Grid, Heading

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
    """Return which columns fit into a line of so many cells, and how wide; wide : all, stacked if need be."""
    spans = [_span(heading, [row[at] for row in grid.rows]) for at, heading in enumerate(grid.headings)]
    columns = list(range(len(grid.headings)))
    if width is None:
        return Fitted(tuple(columns), tuple(most for *_, most in spans), ())
    leaving = [] if wide else sorted((heading.leave, at) for at, heading in enumerate(grid.headings) if heading.leave)
    while (room := width + _GAP - sum(spans[at][0] + _GAP for at in columns)) < 0 and leaving:
        columns.remove(leaving.pop()[1])
    kept = [spans[at] for at in columns if room >= 0]
    widths = [least for least, *_ in kept]
    for wish in (1, 2):  # room goes to cells, then to headings
        for at, span in enumerate(kept):
            more = min(span[wish] - widths[at], room)
            widths[at], room = widths[at] + more, room - more
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
