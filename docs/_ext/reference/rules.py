"""The chapters of rule keys and presets."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from reference.codes import linked
from reference.text import cell, code, log, table
from tlsim import terms
from tlsim.rules import keypath, list_rules, load_rules
from tlsim.rules.keypath import write_value
from tlsim.rules.schema import RuleSet
from tlsim.terms import known_term


def rule_keys() -> list[str]:
    """Return every key of a rule file by tables: values, meaning, and what the presets have and why."""
    meanings = {key: both.en for key, both in terms.rule_keys().items()}
    paths = keypath.known_paths()
    above_others = {path.rpartition(".")[0] for path in paths}
    tables: dict[str, list[list[str]]] = {"": []}
    about = {"": ""}
    for path in paths:
        above, _, key = path.rpartition(".")
        owner = keypath.model_at({}, keypath.read_path(above)) if above else RuleSet
        field = owner.model_fields[key]
        if path in above_others:
            tables[path], about[path] = [], (keypath.models_in(field.annotation)[0].__doc__ or "").strip()
            continue
        said = meanings.get(path) or comments(owner).get(key, "")
        if not said:
            log.warning("the rule key %s is explained neither in tlsim/terms/rule_keys.toml nor in the schema", path)
        names = "" if path in {"name", "label", "toi_trang.regular", "toi_trang.opening"} else in_presets(path)
        tables[above].append([code(path), allowed(field.annotation, field.metadata), linked(cell(said)), names])
    for name in meanings:
        if name not in paths:
            log.warning("tlsim/terms/rule_keys.toml explains %s, which the schema does not have", name)
    lines: list[str] = []
    for name, rows in tables.items():
        if rows:
            lines += ["", f"## {code(f'[{name}]') if name else 'Above the tables'}", "", about[name]]
            lines += table(["key", "values", "what it means", "in the presets, with sources"], rows)
    return lines


def comments(model: type[BaseModel]) -> dict[str, str]:
    """Return the comment behind each field of a table of the schema."""
    found = re.findall(r"^    (\w+): .*?#\s*(.+)$", inspect.getsource(model), re.MULTILINE)
    return dict(found)


def allowed(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """Return in words which values a key of the schema takes."""
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return allowed(inside[0], [*inside[1:], *metadata])
    if origin is typing.Literal:
        said = ", ".join(code(write_value(value)) for value in inside)
    elif origin is tuple:
        said = f"a list of: {allowed(inside[0])}"
    elif origin is dict:
        said = f"by number of players: {allowed(inside[1])}"
    elif inside:
        parts = dict.fromkeys(allowed(each) for each in inside if each is not type(None))
        said = " or ".join(filter(None, parts))
    else:
        said = plainly(annotation, metadata)
    return said


def plainly(kind: Any, metadata: Sequence[Any]) -> str:
    """Return in words which values a plain type takes."""
    if kind is int and any("read_card" in str(each) for each in metadata):
        return 'a card, such as `"3S"`'
    bounds = {name: getattr(each, name) for each in expanded(metadata) for name in ("ge", "le") if hasattr(each, name)}
    between = f" from {bounds['ge']:,} to {bounds['le']:,}" if len(bounds) == 2 else ""
    words = {bool: "`true` or `false`", int: f"a whole number{between}", float: "money, in steps of ½", str: "text"}
    return words.get(kind, "a table")


def expanded(metadata: Sequence[Any]) -> list[Any]:
    """Return marks of an annotation, those within a field included."""
    return [one for each in metadata for one in (each, *getattr(each, "metadata", ()))]


def in_presets(path: str) -> str:
    """Return which presets have which value of a key, each with its source."""
    by_value: dict[tuple[str, str], list[str]] = {}
    for name in list_rules():
        clauses = load_rules(name).clauses()
        found = [clause for clause in clauses if not clause[0].removeprefix(path).strip(".0123456789")]
        if found:
            values = [f"{at.removeprefix(path + '.')}: {write_value(value)}" if at != path else write_value(value)
                      for at, value, _ in found]  # fmt: skip
            source = (found[0][2] or "").removeprefix("inherited: ")
            by_value.setdefault(("; ".join(values), source), []).append(name)
    shown = [f"{code(value)} {', '.join(names)}{f' ({linked(source)})' if source else ''}"
             for (value, source), names in by_value.items()]  # fmt: skip
    return "<br>".join(shown)


def presets() -> list[str]:
    """Return the presets, and the tới trắng lists of each with prices and sources."""
    rows = []
    lines: list[str] = []
    for name in list_rules():
        rules = load_rules(name)
        seats = f"{rules.deal.min_players}–{rules.deal.max_players}"
        rows.append([code(name), cell(rules.label), rules.unit, seats, code(rules.digest[:12])])
        lists = {"regular": rules.instant_wins(), "opening": rules.instant_wins(opening=True)}
        if lists["regular"] == lists["opening"]:
            lists = {"every game": lists["regular"]}
        wins = [(which, win) for which, found in lists.items() for win in found]
        if wins:
            lines += ["", f"### {name}"]
            lines += table(
                ["list", "pattern", "name", "pattern in English", "each loser pays", "source"],
                [[which, code(win.id), cell(win.label), cell(known_term(win.id, "en") or ""), f"{win.pays_half / 2:g}",
                  linked(cell(win.source))] for which, win in wins],
            )  # fmt: skip
    head = table(["name", "label", "unit", "players", "digest begins with"], rows)
    return [*head, "", "## The tới trắng lists, strongest first", *lines]
