"""How every command prints its tables: for people, as JSON, as CSV, as Markdown.

Data goes to standard output (or ``--out FILE``), everything else to standard error. Nothing is ever cut off: where
standard output is no terminal a table is as wide as it needs to be, in a terminal long texts fold, numbers never.

JSON holds everything: ``{"command", "provenance", "complete", "tables": {view: [rows]}}``; whole numbers over 2**53 and
fractions are strings, what is no finite number is null. CSV holds the rows alone, full precision; with more than one
table its first column is ``view`` and a row leaves the columns of other tables empty.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from tlsim.errors import UsageError
from tlsim.terms import term

FORMATS = ("table", "json", "csv", "markdown")
SAFE_INTEGER = 2**53  # what a double, so most readers of JSON, can hold
_WIDE = 10_000
_NARROWEST = 76
has_written = False  # whether anything was printed, or written to the file that was asked for


class Number(str):
    """A number already put into words, such as ``"≤ 3.1e-7"``: it stands right in its column, as numbers do."""

    __slots__ = ()


Row: TypeAlias = Mapping[str, Any]
Tables: TypeAlias = Mapping[str, Sequence[Row]]


def emit(
    command: str,
    provenance: Mapping[str, Any],
    tables: Tables,
    *,
    fmt: str = "table",
    complete: bool = True,
    titles: Mapping[str, str] | None = None,
    columns: Mapping[str, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
    lang: str | None = None,
    out: str | Path | None = None,
) -> None:
    """Print the tables of a command.

    Parameters
    ----------
    command
        Name of the command.
    provenance
        What the numbers rest on: version, rules, digest, seed, sizes.
    tables
        View → rows; a row maps column → value.
    fmt
        One of `FORMATS`.
    complete
        False for an interrupted run; every format for people says so, JSON has it as a key.
    titles
        View → heading, for people; default the view's name.
    columns
        View → columns in order, for all formats but JSON; default all, in the order of the rows.
    notes
        Lines below the tables, for people.
    lang
        Language of the word that a run was interrupted; default by the locale.
    out
        File to write instead of standard output.

    Raises
    ------
    UsageError
        If the format is unknown or the file cannot be written.
    """
    if fmt not in FORMATS:
        raise UsageError(f"format = {fmt!r}: must be one of {', '.join(FORMATS)}")
    shown = {view: _grid(rows, (columns or {}).get(view)) for view, rows in tables.items()}
    lines = [] if complete else [term("partial", lang)]
    lines += [*notes, " · ".join(f"{key} {_people(value)}" for key, value in provenance.items() if value is not None)]
    headings = {view: (titles or {}).get(view, view) for view in tables}
    if fmt == "json":
        write(_json(command, provenance, tables, complete=complete), out)
    elif fmt == "csv":
        write(_csv(shown), out)
    elif fmt == "markdown":
        write(_markdown(shown, headings, lines), out)
    else:
        _table(shown, headings, lines, out)


def write(text: str, out: str | Path | None = None) -> None:
    """Write text to a file, or to standard output in UTF-8 whatever the locale.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    global has_written  # noqa: PLW0603 (a command has one output)
    has_written = True
    if out is not None:
        try:
            Path(out).write_text(text, encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"cannot write {str(out)!r}: {reason}") from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except UnicodeEncodeError:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        with suppress(OSError):  # what could not be written must not be tried again when the program ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UsageError(f"cannot write to standard output: {reason}; --out FILE writes to a file") from None


@contextmanager
def stream(out: str | Path | None) -> Iterator[Callable[[str], Any]]:
    """Give a function that writes text as it comes, to a file or to standard output.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    if out is None:
        yield write
        return
    try:
        with Path(out).open("w", encoding="utf-8", newline="\n") as file:
            yield file.write
    except OSError as error:
        raise UsageError(f"cannot write {str(out)!r}: {error.strerror or error}") from None


def json_line(value: Any) -> str:
    """Return a value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def nothing_yet(command: str) -> str:
    """Return the JSON document of a command that was interrupted before it had anything to print."""
    return _json(command, {}, {}, complete=False)


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it.

    >>> plain([2**60, Fraction(1, 3), float("nan"), 0.5])
    ['1152921504606846976', '1/3', None, 0.5]
    """
    if hasattr(value, "item") and not hasattr(value, "__len__"):  # a numpy scalar
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset) or hasattr(value, "tolist"):
        return [plain(item) for item in value]
    return str(value)


def _json(command: str, provenance: Mapping[str, Any], tables: Tables, *, complete: bool) -> str:
    views = {view: [plain(row) for row in rows] for view, rows in tables.items()}
    document = {"command": command, "provenance": plain(provenance), "complete": complete, "tables": views}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


Grid: TypeAlias = tuple[list[str], list[list[Any]]]


def _grid(rows: Sequence[Row], columns: Sequence[str] | None) -> Grid:
    """Return columns and values, every row with every column."""
    names = list(columns) if columns is not None else list(dict.fromkeys(key for row in rows for key in row))
    return names, [[row.get(name) for name in names] for row in rows]


def _csv(shown: Mapping[str, Grid]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    several = len(shown) > 1
    names = list(dict.fromkeys(name for columns, _ in shown.values() for name in columns))
    writer.writerow((["view"] if several else []) + names)
    for view, (columns, rows) in shown.items():
        for row in rows:
            cells = dict(zip(columns, map(_cell, row), strict=True))
            writer.writerow(([view] if several else []) + [cells.get(name, "") for name in names])
    return text.getvalue()


def _cell(value: Any) -> str:
    """Return a value for CSV: full precision, lists as JSON."""
    value = plain(value)
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _people(value: Any) -> str:
    """Return a value as people read it."""
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if value is None or value != value:  # noqa: PLR0124 (not a number)
        return ""
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, int | float):
        whole = isinstance(value, int) or (value.is_integer() and abs(value) < SAFE_INTEGER)
        return f"{value:,.0f}" if whole and isinstance(value, float) else f"{value:,}" if whole else f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_people(item)}" for key, item in value.items())
    return ", ".join(map(_people, value)) if isinstance(value, list | tuple) else str(value)


def _numeric(values: list[Any]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(
        not isinstance(value, bool) and (isinstance(value, int | float | Fraction | Number) or hasattr(value, "item"))
        for value in known
    )


def _numeric_columns(grid: Grid) -> list[bool]:
    columns, rows = grid
    return [_numeric([row[i] for row in rows]) for i in range(len(columns))]


def _markdown(shown: Mapping[str, Grid], headings: Mapping[str, str], notes: list[str]) -> str:
    parts = []
    for view, grid in shown.items():
        columns, rows = grid
        lines = [f"### {headings[view]}", ""]
        if columns:
            marks = ["---:" if number else ":---" for number in _numeric_columns(grid)]
            cells = [columns, marks, *([_people(value) for value in row] for row in rows)]
            lines += ["| " + " | ".join(_one_line(cell) for cell in row) + " |" for row in cells]
        else:
            lines.append("–")
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, *filter(None, notes)]) + "\n"


def _one_line(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\r", "").replace("\n", "<br>")


def rich_table(heading: str, rows: Sequence[Row], columns: Sequence[str] | None = None) -> Any:
    """Return rows as a table that rich can print."""
    return _rich_table(heading, _grid(rows, columns))


def _rich_table(heading: str, grid: Grid) -> Any:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    columns, rows = grid
    if not columns:
        return Text(f"{heading}: –")
    table = Table(title=Text(heading), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    for name, number in zip(columns, _numeric_columns(grid), strict=True):
        table.add_column(Text(name), justify="right" if number else "left", overflow="fold", no_wrap=number)
    for row in rows:
        table.add_row(*(Text(_people(value)) for value in row))
    return table


def _table(shown: Mapping[str, Grid], headings: Mapping[str, str], notes: list[str], out: str | Path | None) -> None:
    from rich.console import Console
    from rich.text import Text

    terminal = out is None and sys.stdout.isatty()
    text = io.StringIO()
    # In a very narrow terminal its own wrapping is ugly, but loses no digit.
    console = (
        Console(width=max(Console().width, _NARROWEST))
        if terminal
        else Console(file=text, width=_WIDE, color_system=None)
    )
    for view, grid in shown.items():
        console.print(_rich_table(headings[view], grid))
    for note in filter(None, notes):
        console.print(Text(note, style="dim"), soft_wrap=True)
    if not terminal:
        write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n", out)
