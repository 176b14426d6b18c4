"""Tables for programs: JSON, CSV, Markdown. Nothing is left out of them.

JSON holds everything: ``{"command", "provenance", "complete", "tables": {view: [rows]}}``; whole numbers over 2**53 and
fractions are strings, what is no finite number is null. CSV holds the rows alone, full precision; with more than one
table its first column is ``view`` and a row leaves the columns of other tables empty.
"""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tlsim.columns import Row, Table
from tlsim.show.cells import Grid

SAFE_INTEGER = 2**53  # what a double, so most readers of JSON, can hold
Tables = Mapping[str, Sequence[Row]]


def rows_for_files(table: Table, stake: int | None = None) -> list[Row]:
    """Return the rows of a table as files have them: all, and with their money times a stake as well."""
    rows = [dict(row) for row in table.rows]
    if stake is None or table.points:
        return rows
    money = [column for column in table.view.columns if column.filed and column.is_money]
    keys = [key for column in money for key in (column.key, column.error) if key]
    for row in rows:
        row |= {f"{key} × {stake:,}": None if row[key] is None else row[key] * stake for key in keys if key in row}
    return rows


def as_json(command: str, provenance: Mapping[str, Any], tables: Tables, *, complete: bool) -> str:
    """Return the document of a command."""
    views = {view: [plain(row) for row in rows] for view, rows in tables.items()}
    document = {"command": command, "provenance": plain(provenance), "complete": complete, "tables": views}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def json_line(value: Any) -> str:
    """Return a value as a line of JSON."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
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


def as_csv(tables: Tables, columns: Mapping[str, Sequence[str]], *, excel: bool = False) -> str:
    """Return all rows; for spreadsheets with semicolons, decimal commas, and no text that is a formula."""
    text = io.StringIO("\ufeff" if excel else "", newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text, lineterminator="\r\n" if excel else "\n", delimiter=";" if excel else ",")
    cell = _spreadsheet_cell if excel else _cell
    several = len(tables) > 1
    names = list(dict.fromkeys(name for view in tables for name in _keys(tables[view], columns.get(view, ()))))
    writer.writerow((["view"] if several else []) + list(map(cell, names)))
    for view, rows in tables.items():
        for row in rows:
            writer.writerow(([view] if several else []) + [cell(row.get(name)) for name in names])
    return text.getvalue()


def _keys(rows: Sequence[Row], columns: Sequence[str]) -> list[str]:
    """Return the columns of rows in order: those that are declared and there, then what comes beside."""
    there = dict.fromkeys(key for row in rows for key in row)
    return [*dict.fromkeys([*(key for key in columns if key in there), *there])] if there else [*columns]


def _cell(value: Any) -> str:
    """Return a value for CSV: full precision, lists as JSON."""
    value = plain(value)
    if isinstance(value, list | dict | bool):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _spreadsheet_cell(value: Any) -> str:
    if isinstance(plain(value), float):
        return _cell(value).replace(".", ",")
    text = _cell(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def as_markdown(grids: Sequence[Grid], notes: Sequence[str]) -> str:
    """Return tables in words as Markdown."""
    parts = []
    for grid in grids:
        lines = [f"### {grid.title}", ""]
        if grid.rows:
            marks = ["---:" if heading.number else ":---" for heading in grid.headings]
            cells = [[heading.text for heading in grid.headings], marks, *grid.rows]
            lines += ["| " + " | ".join(map(_one_line, row)) + " |" for row in cells]
        else:
            lines.append("–")
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, *filter(None, notes)]) + "\n"


def _one_line(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\r", "").replace("\n", "<br>")
