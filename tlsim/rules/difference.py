"""The clauses of a rule set, and how two rule sets differ."""

from typing import Any

from tlsim.cards import RANKS, format_cards
from tlsim.rules.keypath import LISTS, leaves, spell
from tlsim.rules.schema import InstantWinEntry, RuleSet


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
