"""``tlsim rules``: list, show, check and compare rule sets."""

import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

from tlsim.catalogue import N_, say, told
from tlsim.cli.flags import Given, Group, argument
from tlsim.columns import Column, Row, Table, View, declared
from tlsim.errors import Fault, RulesError, Sentence
from tlsim.rules import Rules, list_rules, load_rules, moot_here
from tlsim.rules.keypath import LISTS, write_value
from tlsim.show.output import wrapped, write
from tlsim.terms import clause_said, term

_SHOWS = ("lang", "format", "wide", "out")
_LISTS = [f"toi_trang.{name}" for name in LISTS]


def _as_toml(value: Any, row: Row, _lang: str, *, other: str = "") -> str | None:
    """Return a value; of a list of patterns those that the other side lacks, where it is not the order that differs."""
    theirs = row.get(other) if row.get("key") in _LISTS else None
    if value and theirs and {*value} != {*theirs}:
        value = [each for each in value if each not in theirs] or None
    return None if value is None else write_value(value)


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
    shown = given.chosen(given["name"])
    if given["format"] in {"table", "toml"}:
        write(shown.to_toml(given.lang if given["format"] == "table" else None), given["out"])
        return
    rows = [{"key": key, "value": value, "source": source} for key, value, source in shown.clauses()]
    given.show_tables(Table(CLAUSES, rows), rules=shown.name, digest=shown.digest)


@rules.of("check", None, argument("files", "FILE", nargs=-1, required=True, metavar="FILE..."), shows=_SHOWS)
def check(given: Given) -> None:
    """Answer ``tlsim rules check``."""
    good, faults, idle, lines = list[Row](), list[Row](), list[Row](), list[str]()
    for file in given["files"]:
        try:
            found = load_rules(file)
        except RulesError as error:
            faults += _fault_rows(error.file, error.faults)
            lines.append(told(error))
            continue
        wrong = found.unplayable()
        faults += _fault_rows(file, wrong)
        lines += [f"{file}: {told(fault.sentence)}" for fault in wrong]
        if not wrong:
            good.append({"file": file, **_summary(found)})
            text = N_("{file}: no faults ({rules}, digest {digest})")
            lines.append(say(text, file=file, rules=found.name, digest=found.digest[:12]))
        moot = [(path, told(Sentence(why))) for path, why in moot_here(found)]
        idle += [{"file": file, "where": path, "why": why} for path, why in moot]
        lines += [say("{file}: {path}: cannot matter: {why}", file=file, path=path, why=why) for path, why in moot]
    if given["format"] == "table":
        write(wrapped(lines, sys.stdout) if given["out"] is None else "\n".join(lines) + "\n", given["out"])
    else:
        given.show_tables(Table(GOOD, good), Table(FAULTS, faults), Table(MOOT, idle))
    given.context.exit(1 if faults else 0)


@rules.of("diff", None, *(argument(side, "NAME|FILE", metavar="NAME|FILE") for side in "ab"), shows=_SHOWS)
def diff(given: Given) -> None:
    """Answer ``tlsim rules diff``."""
    a, b = given["a"], given["b"]
    ours, theirs = load_rules(a), load_rules(b)
    names = ("a", "b") if ours.name == theirs.name else (ours.name, theirs.name)
    found = ours.describe_difference(theirs)
    rows = [{"key": key, names[0]: one, names[1]: two} for key, one, two in found]
    sides = zip(names, names[::-1], strict=True)
    both = (Column(name, "text", write=partial(_as_toml, other=other)) for name, other in sides)
    means = Column("key", "sentence", "means", filed=False, write=clause_said)
    view = View("diff", (Column("key", "text"), *both, means), "diff_word")
    notes = [] if found else [term("no_difference", given.lang)]
    given.show_tables(Table(view, rows), notes=notes, a=f"{a} {ours.digest[:12]}", b=f"{b} {theirs.digest[:12]}")
    given.context.exit(1 if found else 0)


def _fault_rows(file: str, faults: Iterable[Fault]) -> list[Row]:
    return [{"file": file, "where": f.where, "value": f.value, "fault": told(f.message)} for f in faults]


def _summary(found: Rules) -> Row:
    deal = found.deal
    return {
        "name": found.name, "label": found.label, "family": found.family, "unit": found.unit,
        "players": f"{deal.min_players}–{deal.max_players}", "cards": deal.hand_size,
        "toi_trang": len(found.instant_wins(opening=False)),
        "toi_trang_opening": len(found.instant_wins(opening=True)), "digest": found.digest[:12],
    }  # fmt: skip
