"""Turning what pydantic finds in a tree into faults that a person can mend."""

from __future__ import annotations

import re
from typing import Any

from pydantic import ValidationError

from tlsim.errors import Fault, suggestion
from tlsim.rules.keypath import Path, at, model_at, spell

# Keys of a file that are worked off before the schema sees it.
FILE_KEYS: dict[Path, tuple[str, ...]] = {
    (): ("extends", "set", "sources"),
    ("toi_trang",): ("add", "remove"),
}
_TYPES = {
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be text in quotes",
    "tuple_type": "must be a list in square brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "finite_number": "must be a finite number",
    "string_too_short": "must not be empty",
}
_LIMITS = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}


def faults_of(error: ValidationError, tree: Any) -> list[tuple[Path, Fault]]:
    """Return the faults of a validated tree, each with its path in the tree."""
    found = []
    for detail in error.errors(include_url=False):
        path = _path(detail["loc"], tree, detail["type"])
        value = None if detail["type"] == "missing" else at(tree, path)
        message = _message(detail, tree, path)
        found.append((path, Fault(spell(path), value, message)))
    return found


def _path(loc: tuple[int | str, ...], tree: Any, kind: str) -> Path:
    """Drop from pydantic's location what is not in the tree: tags of unions and names of validators."""
    path: list[int | str] = []
    node = tree
    for step in loc:
        if (isinstance(node, dict) and step in node) or (isinstance(node, list) and isinstance(step, int) and step < len(node)):
            path.append(step)
            node = node[step]
    if kind == "missing":
        path.append(loc[-1])
    elif kind in ("union_tag_not_found", "union_tag_invalid") and isinstance(node, dict):
        path.append("kind")
    return tuple(path)


def _message(detail: Any, tree: Any, path: Path) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    value = at(tree, path)
    if kind == "value_error":
        return str(context["error"])
    if kind in _TYPES:
        return _TYPES[kind]
    if kind in _LIMITS:
        words, key = _LIMITS[kind]
        return f"must be {words} {context[key]:,}"
    if kind == "literal_error":
        return _one_of(value, _quoted(context["expected"]) or [context["expected"]])
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _one_of(value, ["groups", "straight", "flush", "holds"], missing="is missing; it ")
    if kind == "missing":
        return f"is missing{_allowed_here(tree, path)}"
    if kind == "extra_forbidden":
        return _unknown_key(tree, path)
    if kind in ("too_short", "too_long"):
        limit = context.get("min_length", context.get("max_length"))
        return f"must hold {'at least' if kind == 'too_short' else 'at most'} {limit} entries"
    if kind == "string_too_long":
        return f"must be at most {context['max_length']} characters long"
    return str(detail["msg"]).removeprefix("Value error, ")


def _one_of(value: Any, allowed: list[str], missing: str = "") -> str:
    near = suggestion(value, [word.strip("'") for word in allowed]) if isinstance(value, str) else ""
    start = missing if value is None else ""
    return f"{start}must be {'' if len(allowed) == 1 else 'one of '}{', '.join(allowed)}{near}"


def _quoted(expected: str) -> list[str]:
    return re.findall(r"'[^']*'|\d+", expected)


def _allowed_here(tree: Any, path: Path) -> str:
    table = model_at(tree, path[:-1])
    field = table.model_fields.get(str(path[-1])) if table else None
    words = re.findall(r"Literal\[([^\]]*)\]", str(field.annotation)) if field else []
    allowed = f"; allowed: {', '.join(words)}" if words else ""
    return f'{allowed}; a file that starts with extends = "…" takes it over' if len(path) == 1 else allowed


def _unknown_key(tree: Any, path: Path) -> str:
    table = model_at(tree, path[:-1])
    keys = [*table.model_fields, *FILE_KEYS.get(path[:-1], ())] if table else []
    here = f"; keys here: {', '.join(keys)}" if keys else ""
    return f"unknown key{suggestion(str(path[-1]), keys) or here}"
