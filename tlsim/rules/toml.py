"""The clauses of a rule set: how two sets differ, and as TOML, the source of each clause behind it."""

import json
import textwrap
from collections.abc import Callable
from typing import Any

from tlsim.cards import RANKS, format_cards
from tlsim.rules.keypath import LISTS, Tree, leaves, spell
from tlsim.rules.schema import InstantWinEntry, RuleSet
from tlsim.terms import rule_keys

SourceOf = Callable[[str], str | None]
_NAMES = {("name",), ("label",)}
_WIDE = 78  # letters of a line of comments


def write_rules(tree: Tree, source_of: SourceOf, lang: str | None = None) -> str:
    """Return a resolved tree as the text of a rule file; lang : of comments that say what each clause means."""
    return "\n".join(_table(tree, (), source_of, lang)).lstrip("\n") + "\n"


def _comment(path: str, lang: str | None) -> list[str]:
    """Return in comments what a clause means, where that is asked for and known."""
    said = rule_keys().get(path) if lang else None
    return (
        [f"# {line}" for line in textwrap.wrap(getattr(said, lang or ""), _WIDE, break_on_hyphens=False)]
        if said
        else []
    )


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
