"""What of a rule set changes an outcome, and how two rule sets differ."""

from __future__ import annotations

from typing import Any

from tlsim.rules.keypath import leaves, spell
from tlsim.rules.schema import InstantWinEntry, RuleSet

# No game goes otherwise for these.
_NAMES = {"name", "label", "hand_counts_public"}
_LISTS = ("opening", "regular")


def outcome(rules: RuleSet) -> dict[str, Any]:
    """Return everything of a rule set that changes an outcome, as plain values."""
    tree = rules.model_dump(mode="json", exclude_none=True, include=set(RuleSet.model_fields) - _NAMES)
    for name in _LISTS:
        for entry in tree.get("toi_trang", {}).get(name, ()):
            for key in ("id", "label", "source"):
                entry.pop(key, None)
    return tree


def differences(ours: RuleSet, theirs: RuleSet) -> list[tuple[str, Any, Any]]:
    """Return key path and both values of every clause that differs; an absent one is ``None``."""
    a, b = _clauses(ours), _clauses(theirs)
    return [(path, a.get(path), b.get(path)) for path in {**a, **b} if a.get(path) != b.get(path)]


def _clauses(rules: RuleSet) -> dict[str, Any]:
    tree = rules.model_dump(mode="json", exclude_none=True, include=set(RuleSet.model_fields) - {"name", "label"})
    lists = tree.get("toi_trang", {})
    patterns = {name: lists.pop(name, []) for name in _LISTS}
    clauses = {spell(path): value for path, value in leaves(tree)}
    for name, entries in patterns.items():
        if entries:
            clauses[f"toi_trang.{name}"] = [entry["id"] for entry in entries]
        for entry in entries:
            for key in InstantWinEntry.model_fields.keys() - {"id", "label", "source"}:
                if key in entry:
                    clauses[f"toi_trang.{name}[{entry['id']}].{key}"] = entry[key]
    return clauses
