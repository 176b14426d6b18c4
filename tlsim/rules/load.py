"""From a rule file to `Rules`: inheritance, changes by key path, added patterns, validation."""

import functools
from pathlib import Path as FilePath
from typing import Any

from tlsim.errors import Fault, RulesError, Sentence, UsageError, suggestion
from tlsim.folders import existing
from tlsim.rules.extend import Draft, lay_over, places
from tlsim.rules.files import SUFFIX, find, list_rules, parse, read_file, read_preset
from tlsim.rules.keypath import at, spell
from tlsim.rules.ruleset import PATTERN_LISTS, Rules, build

MOST_PARENTS = 16


def load_rules(name_or_path: str | FilePath | Rules) -> Rules:
    """Load a rule set.

    Parameters
    ----------
    name_or_path
        Name of a preset (see `list_rules`), path of a rule file, or rules, which are returned as they are.

    Returns
    -------
    Rules
        The validated rules.

    Raises
    ------
    UsageError
        If there is no such preset or file.
    RulesError
        If the file has faults; it lists all of them.

    Examples
    --------
    >>> import tlsim.rules
    >>> rules = tlsim.rules.load_rules("doithuong")
    >>> rules.label, rules.unit, rules.family
    ('Tiến lên đổi thưởng', 'cược', 'đếm lá')
    """
    if isinstance(name_or_path, Rules):
        return name_or_path
    if not isinstance(name_or_path, str | FilePath):
        raise UsageError("rules must be a preset name or the path of a rule file, not {name_or_path!r}",
                         name_or_path=name_or_path)  # fmt: skip
    found = find(name_or_path)
    return _preset(found) if isinstance(found, str) else _load_file(found, ())


def rules_of_text(text: str) -> Rules:
    """Return rules from the text of a whole rule file, such as `Rules.to_toml` gives."""
    file = f"rules{SUFFIX}"
    return _finish(lay_over(None, parse(text.encode(), file), file, {}))


@functools.cache
def _preset(name: str) -> Rules:
    own = read_preset(name)
    order = places(own)
    parent = own.pop("extends", None)
    return _finish(lay_over(_preset(parent) if parent else None, own, f"{name}{SUFFIX}", order))


def _load_file(path: FilePath, children: tuple[FilePath, ...]) -> Rules:
    own = read_file(path)
    order = places(own)
    own.setdefault("name", path.stem or "rules")
    own.setdefault("label", own["name"])
    extends, family, parent = own.pop("extends", None), (*children, path), None
    preset = isinstance(extends, str) and extends in list_rules()
    problem = None if extends is None or preset else _problem(extends, path, family)
    if extends is not None and not problem:
        parent = _preset(extends) if preset else _load_file(existing(path.parent / extends), family)
    draft = lay_over(parent, own, str(path), order)
    if problem:
        draft.faults.insert(0, Fault("extends", extends, problem))
        draft.orphan = True
    return _finish(draft)


def _problem(extends: Any, path: FilePath, family: tuple[FilePath, ...]) -> str | None:
    """Say why a file cannot extend another one, or ``None``."""
    if not isinstance(extends, str):
        return Sentence("must be the name of a preset or of a rule file, in quotes")
    if not extends.endswith(SUFFIX):
        names = list_rules()
        presets = Sentence("; presets: {names}; a file ends in {suffix}", names=", ".join(names), suffix=SUFFIX)
        near = suggestion(extends.lower(), names) or presets
        return Sentence("there is no such rule set{near}", near=near)
    above = existing(path.parent / extends)
    if not above.is_file():
        return Sentence("there is no file {file!r}", file=str(above))
    if any(above.samefile(file) for file in family):
        return Sentence("goes round in a circle: {files}", files=" → ".join(file.name for file in (*family, above)))
    too_many = Sentence("has more than {most} generations of files", most=MOST_PARENTS)
    return too_many if len(family) > MOST_PARENTS else None


def _finish(draft: Draft) -> Rules:
    """Validate a draft; raise all its faults at once."""
    rules, found = build(draft.tree, draft.sources)
    if draft.orphan:  # what is missing may be in the parent that could not be read
        found = [(path, fault) for path, fault in found if any(path == own[: len(path)] for own in draft.stated)]
    faults = [*draft.faults, *(draft.as_written(path, fault) for path, fault in found)]
    if faults or rules is None:
        raise RulesError(draft.file, sorted({str(fault): fault for fault in faults}.values(), key=draft.place))
    added = [path for path in draft.written if path[:2] in PATTERN_LISTS and len(path) == 3]
    ids = {f"{spell(path[:2])}[{at(draft.tree, path)['id']}]" for path in added}
    rules._stated = frozenset({*map(spell, draft.stated), *ids})  # noqa: SLF001 (our own class)
    return rules
