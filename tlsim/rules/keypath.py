"""Trees of rule files: their key paths, which of them the schema knows, how two sets differ, and as TOML.

A path is a tuple of table keys (``str``) and list positions (``int``, or a pattern id where the list holds patterns),
written ``toi_trang.regular[sau_doi].pays``.
"""

import difflib
import functools
import json
import re
import textwrap
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from pydantic import BaseModel

from tlsim.cards import RANKS, format_cards
from tlsim.errors import Sentence, UsageError, shorten, suggestion
from tlsim.rules.schema import InstantWinEntry, RuleSet, ToiTrang
from tlsim.terms import rule_keys, term

Path: TypeAlias = tuple[str | int, ...]
Tree: TypeAlias = dict[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STEP = re.compile(r"""(?:^|\.)\s*(?P<key>[^\s.\[\]"']+)\s*|\[\s*(?P<item>[^\[\]"']+?)\s*\]\s*""")
MOST_STEPS = 16
LISTS = ("opening", "regular")


def spell(path: Path) -> str:
    """Write a path as TOML spells it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            key = step if _BARE.fullmatch(step) else '"' + step.replace("\\", "\\\\").replace('"', '\\"') + '"'
            text += f".{key}" if text else key
    return text


def read_path(text: str) -> Path:
    """Read a path such as ``cong.fine`` or ``toi_trang.regular[sau_doi].pays``."""
    steps: list[str | int] = []
    at = 0
    while at < len(text) and len(steps) <= MOST_STEPS and (match := _STEP.match(text, at)):
        item = match["item"]
        if item is None:
            steps.append(match["key"])
        else:
            steps.append(int(item) if item.isdecimal() and len(item) < 4 else f"[{item}]")
        at = match.end()
    if not steps or at < len(text):
        raise UsageError("{text} is not a key path; write it like 'cong.fine'", text=shorten(text))
    return tuple(steps)


def locate(tree: Any, path: Path) -> Path:
    """Replace pattern ids in a path (``[sau_doi]``) by their positions in the tree."""
    found: list[str | int] = []
    node = tree
    for step in path:
        if isinstance(step, str) and step.startswith("["):
            ids = [entry.get("id") for entry in node if isinstance(entry, dict)] if isinstance(node, list) else []
            if step[1:-1] not in ids:
                near = suggestion(step[1:-1], [i for i in ids if isinstance(i, str)])
                raise UsageError("{path} has no pattern {pattern!r}{near}", path=spell(tuple(found)),
                                 pattern=step[1:-1], near=near)  # fmt: skip
            found.append(ids.index(step[1:-1]))
        else:
            found.append(step)
        node = child(node, found[-1])
    return tuple(found)


def entries_of(tree: Tree, name: str) -> list[Any]:
    """Return the patterns of a list; what stands there and is no list has none."""
    entries = at(tree, ("toi_trang", name))
    return entries if isinstance(entries, list) else []


def pattern_ids(tree: Tree, names: Iterable[str] = LISTS) -> list[str]:
    """Return the ids of the patterns of lists."""
    found = [at(entry, ("id",)) for name in names for entry in entries_of(tree, name)]
    return [ident for ident in found if isinstance(ident, str)]


def targets(tree: Tree, text: str) -> list[Path]:
    """Return the places that a key names: one, or two where it names a pattern that stands in both lists."""
    problem = unknown_path(text)
    try:
        path = read_path(text)
    except UsageError as error:
        raise UsageError(problem or error.sentence) from None
    one = len(path) > 3 and path[1] in LISTS and isinstance(path[2], str) and not path[2].startswith("[")
    ident, rest = path[1 + one : 2 + one], path[2 + one :]
    if path[0] == "toi_trang" and rest and isinstance(ident[0], str) and ident[0] not in ToiTrang.model_fields:
        names = [path[1]] if one else [*LISTS]
        there = [name for name in names if ident[0] in pattern_ids(tree, [str(name)])]
        if not there:
            near = suggestion(ident[0], pattern_ids(tree))
            told = {"place": spell(path[: 1 + one]), "name": ident[0], "near": near}
            raise UsageError("{place} has no pattern {name!r}{near}", **told)
        return [locate(tree, ("toi_trang", name, f"[{ident[0]}]", *rest)) for name in there]
    if path[0] in pattern_ids(tree):
        raise UsageError("no such key; did you mean {key!r}?", key=f"toi_trang.{text.strip()}")
    if problem:
        raise UsageError(problem)
    return [locate(tree, path)]


def child(node: Any, step: str | int) -> Any:
    """Return what stands one step below a node, or ``None``."""
    if isinstance(node, dict):
        return node.get(step)
    if isinstance(node, list) and isinstance(step, int) and -len(node) <= step < len(node):
        return node[step]
    return None


def at(tree: Any, path: Path) -> Any:
    """Return what stands at a path, or ``None``."""
    return functools.reduce(child, path, tree)


def put(tree: Tree, path: Path, value: Any) -> None:
    """Set the value at a path, making tables on the way; a table laid on a table is merged into it."""
    node: Any = tree
    for step in path[:-1]:
        below = child(node, step)
        if not isinstance(below, dict | list):
            if isinstance(node, list):
                raise UsageError("{path}: there is no entry [{step}]", path=spell(path), step=step)
            node[step] = below = {}
        node = below
    last = path[-1]
    if isinstance(node, list) and not (isinstance(last, int) and last < len(node)):
        raise UsageError("{path}: there is no entry [{last}]; the list has {number} entries", path=spell(path),
                         last=last, number=len(node))  # fmt: skip
    if isinstance(node, dict) and isinstance(last, int):
        raise UsageError("{path}: a table has no numbered entries", path=spell(path))
    old = node.get(last) if isinstance(node, dict) else None  # an entry of a list is replaced whole
    node[last] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value


def overlap(one: Path, two: Path) -> bool:
    """Whether two paths are the same, or one leads into the other."""
    return one[: len(two)] == two[: len(one)]


def merge(parent: Tree, over: Tree) -> Tree:
    """Lay a table over its parent: tables merge, everything else replaces."""
    merged = dict(parent)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def leaves(node: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value of a tree that is no table, with its path."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, key))
    else:
        yield path, node


def nodes(node: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of everything in a tree, lists entered, each before what is inside it."""
    if path:
        yield path
    for step, below in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from nodes(below, (*path, step))


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """Return the tables that an annotation can hold, through options, lists and tables by number of players."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in typing.get_args(annotation) for model in models_in(part)]


def model_at(tree: Any, path: Path) -> type[BaseModel] | None:
    """Return the table of the schema that a path leads to."""
    model: type[BaseModel] | None = RuleSet
    for depth, step in enumerate(path):
        if model is None:
            return None
        if isinstance(step, str) and step in model.model_fields:
            models = list(dict.fromkeys(models_in(model.model_fields[step].annotation)))
            if len(models) > 1:  # the kinds of condition
                kind = child(at(tree, path[: depth + 2]), "kind")
                models = [m for m in models if kind in typing.get_args(m.model_fields["kind"].annotation)]
            model = models[0] if models else None
        elif isinstance(step, str) and not step.isdecimal():
            return None
    return model


@functools.cache
def known_paths() -> tuple[str, ...]:
    """Every key path of the schema, lists and tables by number of players not entered."""

    def walk(model: type[BaseModel], before: str) -> Iterator[str]:
        for name, field in model.model_fields.items():
            yield before + name
            models = models_in(field.annotation)
            # a list (of patterns, transfers) is one value here; only plain tables are entered
            if len(models) == 1 and "tuple[" not in str(field.annotation):
                yield from walk(models[0], f"{before}{name}.")

    return tuple(walk(RuleSet, ""))


def unknown_path(text: str) -> str | None:
    """Say what is wrong with a path that the schema does not know, or ``None`` if it knows it."""
    known = known_paths()
    plain = re.split(r"\[", text, maxsplit=1)[0]
    if plain in known or (plain.rpartition(".")[0] in known and plain.rpartition(".")[2].isdecimal()):
        return None
    table, _, leaf = text.rpartition(".")
    same = [path for path in known if path.rpartition(".")[2] == leaf]
    if same:
        *others, last = map(repr, difflib.get_close_matches(text, same, 3, 0.0))
        if not others:
            return Sentence("no such key; did you mean {key}?", key=last)
        return Sentence("no such key; did you mean {keys} or {key}?", keys=", ".join(others), key=last)
    beside = [path for path in known if table and path.rpartition(".")[0] == table]
    if beside:
        keys = ", ".join(path.rpartition(".")[2] for path in beside)
        near = suggestion(text, beside) or Sentence("; {table} holds {keys}", table=table, keys=keys)
        return Sentence("no such key{near}", near=near)
    near = suggestion(text, known) or suggestion(leaf, known)
    return Sentence("no such key{near}", near=near or Sentence("; `tlsim rules show NAME` lists the keys"))


SourceOf = Callable[[str], str | None]
_NAMES = {("name",), ("label",)}
_WIDE = 78  # letters of a line of comments


def write_rules(tree: Tree, source_of: SourceOf, lang: str | None = None) -> str:
    """Return a resolved tree as the text of a rule file; lang : of comments that say what each clause means."""
    head = [term("note_sources", lang), ""] if lang else []
    return "\n".join([*head, *_table(tree, (), source_of, lang)]).lstrip("\n") + "\n"


def _comment(path: str, lang: str | None) -> list[str]:
    """Return in comments what a clause means, where that is asked for and known."""
    known = rule_keys().get(path) if lang else None
    said = known.said(lang) if known and lang else ""
    return [f"# {line}" for line in textwrap.wrap(said, _WIDE, break_on_hyphens=False)]


def write_value(value: Any) -> str:
    """Return a value in TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    if isinstance(value, dict):
        items = ", ".join(f"{spell((key,))} = {write_value(item)}" for key, item in value.items())
        return f"{{ {items} }}" if items else "{}"
    return str(value)


def _table(table: Tree, path: tuple[str, ...], source_of: SourceOf, lang: str | None) -> list[str]:
    lines = ["", *_comment(spell(path), lang), f"[{spell(path)}]"] if path else []
    below: list[str] = []
    for key, value in table.items():
        here = (*path, key)
        if isinstance(value, dict):
            below += _table(value, here, source_of, lang)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "id" in value[0]:
            below += ["", *told] if (told := _comment(spell(here), lang)) else []
            for entry in value:
                below += [f"\n[[{spell(here)}]]", *(f"{k} = {write_value(v)}" for k, v in entry.items())]
        else:
            source = None if here in _NAMES else source_of(spell(here))
            lines += _comment(spell(here), lang)
            lines.append(f"{spell((key,))} = {write_value(value)}" + (f"  # {source}" if source else ""))
    return lines + below


def clauses(rules: RuleSet) -> dict[str, Any]:
    """Return key path → value of every clause; the clauses of a pattern go by its id."""
    tree = rules.model_dump(mode="json", exclude_none=True, include=set(RuleSet.model_fields) - {"name", "label"})
    lists = tree.get("toi_trang", {})
    patterns = {name: lists.pop(name) for name in LISTS if name in lists}
    found = {spell(path): value for path, value in leaves(tree)}
    for name, entries in patterns.items():
        found[f"toi_trang.{name}"] = [entry["id"] for entry in entries]
        for entry, parsed in zip(entries, getattr(rules.toi_trang, name), strict=True):
            entry["all_of"] = [_spelled(condition.model_dump(exclude_defaults=True)) for condition in parsed.all_of]
            for key in InstantWinEntry.model_fields:
                if key in entry and key not in ("id", "label", "source"):
                    found[f"toi_trang.{name}[{entry['id']}].{key}"] = entry[key]
    return found


def differences(ours: RuleSet, theirs: RuleSet) -> list[tuple[str, Any, Any]]:
    """Return path and both values of what differs; a pattern that one side lacks shows in its list alone."""
    a, b = clauses(ours), clauses(theirs)
    apart = [path for path in {**a, **b} if a.get(path) != b.get(path)]
    return [(path, a.get(path), b.get(path)) for path in apart if "[" not in path or _shared(path, a, b)]


def _shared(path: str, a: dict[str, Any], b: dict[str, Any]) -> bool:
    name, _, rest = path.partition("[")
    ident = rest.partition("]")[0]
    return ident in a.get(name, ()) and ident in b.get(name, ())


def _spelled(condition: dict[str, Any]) -> dict[str, Any]:
    """Write the cards and ranks of a condition as a file does."""
    spelled = dict(condition)
    for key in ("cards", "containing"):
        if key in spelled:
            spelled[key] = format_cards([spelled[key]] if isinstance(spelled[key], int) else spelled[key])
    for key in ("ranks", "starts"):
        if key in spelled:
            spelled[key] = [RANKS[rank] for rank in spelled[key]]
    return spelled
