"""``tlsim rules``: list, show, check and compare rule sets."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from tlsim.catalogue import N_, say, told
from tlsim.cli.flags import Given, Group, argument
from tlsim.columns import Column, Row, Table, View, declared
from tlsim.errors import Fault, RulesError, Sentence
from tlsim.rules import Rules, list_rules, load_rules, moot_here
from tlsim.rules.keypath import LISTS
from tlsim.rules.toml import write_value
from tlsim.show.output import write

_SHOWS = ("lang", "format", "wide", "out")
_LISTS = [f"toi_trang.{name}" for name in LISTS]


def _as_toml(value: Any, _row: Row, _lang: str) -> str | None:
    return None if value is None else write_value(value)


def _apart(value: Any, row: Row, lang: str, *, other: str) -> str | None:
    """Return a value; of a list of patterns those that the other side lacks, where it is not the order that differs."""
    theirs = row.get(other) if row["key"] in _LISTS else None
    if isinstance(value, list) and isinstance(theirs, list) and {*value} != {*theirs}:
        value = [each for each in value if each not in theirs] or None
    return _as_toml(value, row, lang)


LIST, GOOD, MOOT = declared("rules.list"), declared("rules.good"), declared("rules.moot")
CLAUSES, FAULTS = declared("rules.clauses", value=_as_toml), declared("rules.faults", value=_as_toml)

rules = Group("rules")


@rules.of("list", None, shows=_SHOWS)
def list_command(given: Given) -> None:
    """Answer ``tlsim rules list``."""
    given.show_tables(Table(LIST, [_summary(load_rules(name)) for name in list_rules()]))


@rules.of("show", None, argument("name", "NAME|FILE"), "set", "price", shows=("lang", "rules.format", "wide", "out"))
def show(given: Given) -> None:
    """Answer ``tlsim rules show``."""
