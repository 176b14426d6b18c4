"""Writing a rule set as TOML, the source of each clause behind it."""

import json
from collections.abc import Callable
from typing import Any

from tlsim.rules.keypath import Tree, spell

SourceOf = Callable[[str], str | None]
_NAMES = {("name",), ("label",)}


def write_rules(tree: Tree, source_of: SourceOf) -> str:
    """Return a resolved tree as the text of a rule file."""
    return "\n".join(_table(tree, (), source_of)).lstrip("\n") + "\n"


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


def _table(table: Tree, path: tuple[str, ...], source_of: SourceOf) -> list[str]:
    lines = [f"\n[{spell(path)}]"] if path else []
    below: list[str] = []
    for key, value in table.items():
        here = (*path, key)
        if isinstance(value, dict):
            below += _table(value, here, source_of)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "id" in value[0]:
            for entry in value:
                below += [f"\n[[{spell(here)}]]", *(f"{k} = {write_value(v)}" for k, v in entry.items())]
        else:
            source = None if here in _NAMES else source_of(spell(here))
            lines.append(f"{spell((key,))} = {write_value(value)}" + (f"  # {source}" if source else ""))
    return lines + below
