"""Turning what pydantic finds in a tree into faults that a person can mend."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path as FilePath
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
SAID = tomllib.loads(FilePath(__file__).with_name("faults.toml").read_text(encoding="utf-8"))


def in_words(detail: Any, tree: Tree | None = None, path: Path = ()) -> str:
    """Return what is wrong with a value, of whatever pydantic says."""
    if look := _LOOKED_INTO.get(detail["type"]):
        return look(detail, {} if tree is None else tree, path)
    said = SAID.get(detail["type"], SAID["other"])
    number = int(detail["ctx"][said["number"]]) if "number" in said else 0
    return Sentence(said.get("one", said["says"]) if number == 1 else said["says"], number=number)


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


_LOOKED_INTO: dict[str, Callable[[Any, Tree, Path], str]] = {
    "value_error": lambda detail, _tree, _path: reason(detail["ctx"]["error"]),
    "literal_error": _wrong_word,
    **dict.fromkeys(_TAGS, _wrong_kind),
    "missing": _missing,
    "extra_forbidden": _unknown_key,
}
