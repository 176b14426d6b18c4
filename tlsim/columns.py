"""What a column and a view are: declared once, in ``views.toml``; all that is printed, written or drawn follows.

A `Column` says what kind of value it is; its dtype in a frame, its heading, the number of digits, ``±``, ``%``, the
stake and the sign follow from that. A `View` is its columns. A result has views and gives their rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeAlias

from tlsim.folders import brought

Row: TypeAlias = dict[str, Any]
Write: TypeAlias = Callable[[Any, Row, str], str | None]
"""Writes a value of a row for people in a language."""
Kind: TypeAlias = Literal[
    "pattern", "term", "event", "reason", "text", "sentence", "cards", "flag", "list",  # words
    "count", "index", "whole",  # whole numbers: with separators, without, of any size
    "probability", "rate", "one_in", "share", "money", "price", "amount", "number", "correlation",
    "error", "end",  # which belong to another column
    "interval",  # made of two columns
]  # fmt: skip
WORDS = {"pattern", "term", "event", "reason", "text", "sentence", "cards", "flag", "list"}
_DTYPES = {"count": "Int64", "index": "Int64", "flag": "bool", "whole": "object"}


@dataclass(frozen=True)
class Column:
    """A column of a view."""

    key: str  # its name in frames, CSV and JSON
    kind: Kind  # what kind of value it holds
    word: str = ""  # id of its heading in the glossary; default its key
    error: str = ""  # key of the column that holds its standard error, which people read behind a ±
    ends: tuple[str, str] | tuple[()] = ()  # keys of the columns that hold its 95 % interval
    signed: bool = False  # whether people read a plus before what is above zero
    leave: int = 0  # where room is short, columns with the highest number are left out first; 0 is never left out
    shown: bool = True  # whether people see it as a column of its own; files always have it
    filed: bool = True  # whether files have it; what is made of other columns for people they have not
    known: bool = False  # whether people see it only where some row has a value
    prefix: str = ""  # before the value, where its id in the glossary has one: ``by_`` of ``by_price``
    varies: bool = False  # whether people see it only where its rows differ
    write: Write | None = None  # writes a value of a row for people in a language
    none: str = ""  # id of the term that people read where a row has no value

    @property
    def dtype(self) -> str:
        """Type of the column in a frame."""
        return "object" if self.kind in WORDS - {"flag"} else _DTYPES.get(self.kind, "float64")

    @property
    def heading(self) -> str:
        """Id of its heading in the glossary."""
        return self.word or self.key

    @property
    def is_money(self) -> bool:
        """Whether a stake makes it an amount of money."""
        return self.kind in {"money", "price"}


def known(value: Any) -> Any:
    """Return a value, or None where it is no number."""
    return None if value != value else value  # noqa: PLR0124 (not a number)


def error(key: str) -> Column:
    """Return the column of a standard error, which people read beside what it belongs to."""
    return Column(key, "error", shown=False)


def ends(low: str = "ci_low", high: str = "ci_high") -> tuple[Column, Column]:
    """Return the columns of the ends of an interval."""
    return Column(low, "end", shown=False), Column(high, "end", shown=False)


def interval(low: str = "ci_low", high: str = "ci_high", word: str = "interval", *, leave: int = 3) -> Column:
    """Return the column that people read of two ends."""
    return Column(f"{low}…{high}", "interval", word, ends=(low, high), signed=True, leave=leave, filed=False)


Keep: TypeAlias = Callable[[Row], bool]
"""Whether people see a row."""
Prepare: TypeAlias = Callable[[Sequence[Row], str], tuple[Sequence[Row], tuple[Column, ...]]]
"""Makes the rows that people see of the rows that files have, and their columns, where these differ."""


@dataclass(frozen=True)
class View:
    """A table of a result."""

    name: str  # in JSON, and after ``--view``
    columns: tuple[Column, ...]  # in order
    title: str = ""  # id of its title in the glossary; default ``view_`` and its name
    keep: Keep | None = field(default=None, compare=False)  # which rows people see; files have all
    first: bool = True  # whether people see it without asking for it
    people: bool = True  # whether people see it at all
    files: bool = True  # whether files have it
    prepare: Prepare | None = field(default=None, compare=False)
    about: str = field(default="", compare=False)  # what it shows, for the documentation

    @property
    def heading(self) -> str:
        """Id of its title in the glossary."""
        return self.title or f"view_{self.name}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its rows, in order."""
        return tuple(column.key for column in self.columns if column.filed)

    def __getitem__(self, key: str) -> Column:
        return next(column for column in self.columns if column.key == key)

    def row(self, **values: Any) -> Row:
        """Return a row: None for what is not known, fractions as floats; of an estimate with its error both columns."""
        row: Row = dict.fromkeys(self.keys)
        for key, value in values.items():
            pair = isinstance(value, tuple)
            row |= dict(zip((key, self[key].error), value, strict=True)) if pair else {key: value}
        return {key: known(float(value) if isinstance(value, Fraction) else value) for key, value in row.items()}

    def without(self, *keys: str) -> "View":
        """Return the view without some of its columns."""
        return replace(self, columns=tuple(column for column in self.columns if column.key not in keys))


def declared(place: str, keep: Keep | None = None, prepare: Prepare | None = None, **writes: Write) -> View:
    """Return a view of ``views.toml``; ``writes`` write values for people, by headings of columns or what those say."""
    question, _, name = place.partition(".")
    said = {"name": name} | _views()[question][name]
    return View(**said | {"columns": tuple(_columns(said["columns"], writes)), "keep": keep, "prepare": prepare})


@cache
def _views() -> dict[str, Any]:
    return brought("views.toml")


def _columns(said: Sequence[Row], writes: Mapping[str, Write]) -> list[Column]:
    found: list[Column] = []
    for each in said:
        if "use" in each:
            found += _columns(_views()["shared"][each["use"]], writes)
        elif "low" in each:
            found += ends(**each)
        elif "between" in each:
            low, high = each["between"]
            found.append(interval(low, high, each.get("word", "interval"), leave=each["leave"]))
        else:
            own: Row = {key: tuple(value) if isinstance(value, list) else value for key, value in each.items()}
            own.setdefault("shown", each["kind"] not in {"error", "end"})
            found.append(Column(**own | {"write": writes.get(each.get("write") or each.get("word") or each["key"])}))
            if "error" in each and each["error"] not in [column.key for column in found]:  # one of several columns
                found.append(error(each["error"]))
    return found


@dataclass(frozen=True)
class Table:
    """Rows of a view, with what is needed to put them into words."""

    view: View
    rows: Sequence[Row]  # as files have them
    unit: str = ""  # of the money
    points: bool = False  # whether it is about points, not about money
    names: Mapping[str, str] = field(default_factory=dict)  # what to call patterns that the glossary does not know


def frame(rows: Sequence[Row], columns: Sequence[Column]) -> Any:
    """Return rows as a pandas frame; whole numbers stay whole, those of any size are Python integers."""
    import pandas as pd

    filed = {column: [row.get(column.key) for row in rows] for column in columns if column.filed}
    return pd.DataFrame({c.key: pd.Series(values, dtype=_dtype(c, values)) for c, values in filed.items()})


def _dtype(column: Column, values: Sequence[Any]) -> str:
    """Return the dtype of a column; a column of numbers that holds a word is one of objects."""
    if column.dtype == "bool" and any(value is None for value in values):
        return "object"
    return "object" if any(isinstance(value, str) for value in values) else column.dtype
