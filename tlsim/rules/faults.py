"""Turning what pydantic finds in a tree into faults that a person can mend."""

import re
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from tlsim.catalogue import N_
from tlsim.errors import Fault, Sentence, reason, suggestion
from tlsim.rules.keypath import Path, Tree, at, model_at, spell

# Keys of a file that are worked off before the schema sees it.
FILE_KEYS: dict[Path, tuple[str, ...]] = {(): ("extends", "set", "sources"), ("toi_trang",): ("add", "remove")}
KINDS = ("'groups'", "'straight'", "'flush'", "'holds'", "'lacks'")
EXTEND = Sentence('; extends = "…" takes over what another rule set says')
_TAGS = ("union_tag_not_found", "union_tag_invalid")


def in_words(detail: Any, tree: Tree | None = None, path: Path = ()) -> str:
    """Return what is wrong with a value, of whatever pydantic says."""
    tell = _MESSAGES.get(detail["type"], _says(N_("is not of the kind that belongs here")))
    return tell(detail, {} if tree is None else tree, path)


def faults_of(error: ValidationError, tree: Tree) -> list[tuple[Path, Fault]]:
    """Return the faults of a validated tree, each with its path in the tree."""
    found = []
    for detail in error.errors(include_url=False):
        path = _path(detail["loc"], tree, detail["type"])
        value = None if detail["type"] == "missing" else at(tree, path)
        known = detail["type"] == "too_short" and isinstance(value, list) and len(value) >= detail["ctx"]["min_length"]
        if not known:  # a list is called too short where its entries have faults of their own
            found.append((path, Fault(spell(path), value, in_words(detail, tree, path))))
    return found


def _path(loc: tuple[int | str, ...], tree: Any, kind: str) -> Path:
    """Drop from pydantic's location what is not in the tree: tags of unions and names of validators."""
    path: list[int | str] = []
    node = tree
    for step in loc:
        inside = isinstance(step, int) and step < len(node) if isinstance(node, list) else False
        if inside or (isinstance(node, dict) and step in node):
            path.append(step)
            node = node[step]
    if kind == "missing":
        path.append(loc[-1])
    elif kind in _TAGS and isinstance(node, dict):
        path.append("kind")
    return tuple(path)


def _says(text: str, key: str = "", one: str = "") -> Callable[[Any, Tree, Path], str]:
    """Return what says a sentence, with a number that pydantic gives; one : for the number 1."""

    def tell(detail: Any, _tree: Tree, _path: Path) -> str:
        number = int(detail["ctx"][key]) if key else 0
        return Sentence(one if one and number == 1 else text, number=number)

    return tell


def _wrong_word(detail: Any, tree: Tree, path: Path) -> str:
    return _one_of(re.findall(r"'[^']*'|\d+", detail["ctx"]["expected"]), at(tree, path))


def _wrong_kind(_detail: Any, tree: Tree, path: Path) -> str:
    kind = at(tree, path)
    if kind is None:
        return Sentence("is missing; it must be one of {names}", names=", ".join(KINDS))
    return _one_of(KINDS, kind)


def _one_of(allowed: Any, value: Any) -> str:
    near = suggestion(value, [word.strip("'") for word in allowed]) if isinstance(value, str) else ""
    text = "must be one of {names}{near}" if len(allowed) > 1 else N_("must be {names}{near}")
    return Sentence(text, names=", ".join(allowed), near=near)


def _missing(_detail: Any, tree: Tree, path: Path) -> str:
    table = model_at(tree, path[:-1])
    field = table.model_fields.get(str(path[-1])) if table else None
    words = re.findall(r"Literal\[([^\]]*)\]", str(field.annotation)) if field else []
    allowed = Sentence("; allowed: {words}", words=", ".join(words)) if words else ""
    return Sentence("is missing{allowed}{extend}", allowed=allowed, extend="" if path[1:] else EXTEND)


def _unknown_key(_detail: Any, tree: Tree, path: Path) -> str:
    table = model_at(tree, path[:-1])
    keys = [*table.model_fields, *FILE_KEYS.get(path[:-1], ())] if table else []
    here = Sentence("; keys here: {keys}", keys=", ".join(keys)) if keys else ""
    return Sentence("unknown key{near}", near=suggestion(str(path[-1]), keys) or here)


_MESSAGES: dict[str, Callable[[Any, Tree, Path], str]] = {
    "value_error": lambda detail, _tree, _path: reason(detail["ctx"]["error"]),
    "int_type": _says(N_("must be a whole number")),
    "float_type": _says(N_("must be a number")),
    "bool_type": _says(N_("must be true or false")),
    "string_type": _says(N_("must be text in quotes")),
    "tuple_type": _says(N_("must be a list in square brackets")),
    "list_type": _says(N_("must be a list in square brackets")),
    "dict_type": _says(N_("must be a table")),
    "model_type": _says(N_("must be a table")),
    "model_attributes_type": _says(N_("must be a table")),
    "finite_number": _says(N_("must be a finite number")),
    "string_too_short": _says(N_("must not be empty")),
    "string_too_long": _says(N_("must have at most {number} characters"), "max_length"),
    "greater_than_equal": _says(N_("must be at least {number:,}"), "ge"),
    "less_than_equal": _says(N_("must be at most {number:,}"), "le"),
    "too_short": _says(N_("must hold at least {number} entries"), "min_length", N_("must hold at least 1 entry")),
    "too_long": _says(N_("must hold at most {number} entries"), "max_length", N_("must hold at most 1 entry")),
    "literal_error": _wrong_word,
    "union_tag_not_found": _wrong_kind,
    "union_tag_invalid": _wrong_kind,
    "missing": _missing,
    "extra_forbidden": _unknown_key,
}
