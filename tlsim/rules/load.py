"""Rule files: read, whatever they may be, laid over their parents, and made `Rules`."""

import functools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tlsim.errors import Fault, RulesError, Sentence, UsageError, reason, suggestion
from tlsim.folders import existing
from tlsim.rules.extend import Draft, lay_over, places
from tlsim.rules.keypath import at, nodes, spell
from tlsim.rules.ruleset import PATTERN_LISTS, Rules, build
from tlsim.terms import known_pattern

MOST_BYTES = 1 << 20
MOST_DEPTH = 12
MOST_PARENTS = 16
# A dotted key costs its reader time by the square of its length; no honest line has so many dots.
MOST_DOTS = 64
SUFFIX = ".toml"
_SETS = Path(__file__).with_name("sets")


def list_rules() -> list[str]:
    """Return the names of the rule sets that come with tlsim, sorted.

    >>> import tlsim.rules
    >>> "doithuong" in tlsim.rules.list_rules()
    True
    """
    return sorted(entry.name.removesuffix(SUFFIX) for entry in _SETS.iterdir() if entry.name.endswith(SUFFIX))


def preset(text: str) -> str | None:
    """Return the preset that a text names, by its id or label, with marks, capitals and gaps or without."""
    names = list_rules()
    found = text if text in names else known_pattern(text, {name: _preset(name).label for name in names})
    return found if found in names else None


def load_rules(name_or_path: str | Path | Rules) -> Rules:
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
    if not isinstance(name_or_path, str | Path):
        raise UsageError("rules must be a preset name or the path of a rule file, not {name_or_path!r}",
                         name_or_path=name_or_path)  # fmt: skip
    found = find(name_or_path)
    return _preset(found) if isinstance(found, str) else _load_file(found, ())


def rules_of_text(text: str) -> Rules:
    """Return rules from the text of a whole rule file, such as `Rules.to_toml` gives."""
    file = f"rules{SUFFIX}"
    return _finish(lay_over(None, parse(text.encode(), file), file, {}))


def find(name_or_path: str | Path) -> str | Path:
    """Tell a preset name from the path of a rule file; raise where it is neither."""
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in list_rules():
        return text
    path = existing(text or "?")
    try:
        exists, folder = path.exists(), path.is_dir()
    except (OSError, ValueError) as error:  # a name too long, a zero byte
        raise UsageError("{file!r} cannot be a rule file: {why}", file=text[:80], why=reason(error)) from None
    if folder:
        raise UsageError("{text!r} is a folder; name a rule file inside it", text=text)
    if exists:
        return path
    if isinstance(name_or_path, Path) or text.endswith(SUFFIX) or re.search(r"[/\\]", text):
        beside = [entry.name for entry in path.parent.glob(f"*{SUFFIX}")] if path.parent.is_dir() else []
        raise UsageError("there is no rule file {text!r}{near}", text=text, near=suggestion(path.name, beside))
    if (known := preset(text)) is not None:
        return known
    names = list_rules()
    near = suggestion(text.lower(), names) or Sentence("; presets: {names}", names=", ".join(names))
    raise UsageError("there is no rule set {text!r}{near}", text=text[:80], near=near)


def read_file(path: Path) -> dict[str, Any]:
    """Return the tree of a rule file, of sensible size."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError("cannot read rule file {path!r}: {reason}", path=str(path), reason=reason(error)) from None
    if len(data) > MOST_BYTES:
        raise _broken(str(path), "is larger than 1 MiB; a rule file has a few kilobytes")
    return parse(data, str(path))


def _broken(file: str, message: str) -> RulesError:
    return RulesError(file, [Fault("", None, message)])


def parse(data: bytes, file: str) -> dict[str, Any]:
    """Parse the bytes of a rule file."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _broken(file, "is UTF-16 text; save it as UTF-8")
    if b"\0" in data:
        raise _broken(file, "is not text (it holds zero bytes); a rule file is TOML in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = data.count(b"\n", 0, error.start) + 1
        raise _broken(file, Sentence("is not UTF-8 text (line {line}, byte {byte}); save it as UTF-8",
                                     line=line_number, byte=error.start)) from None  # fmt: skip
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MOST_DOTS and not line.lstrip().startswith("#"):
            raise _broken(file, Sentence("line {number} has more than {most} dots; no key is nested that deep",
                                         number=number, most=MOST_DOTS))  # fmt: skip
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise _broken(file, "is nested too deep to be a rule file") from None
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise _broken(file, Sentence("is not valid TOML: {why}", why=_sentence(error, text))) from None
    if any(len(path) > MOST_DEPTH for path in nodes(tree)):
        raise _broken(file, Sentence("is nested too deep to be a rule file (more than {most} levels)", most=MOST_DEPTH))
    if not tree:
        raise _broken(file, 'is empty; start with extends = "doithuong" and name = "…"')
    return tree


def _sentence(error: ValueError, text: str) -> Sentence:
    if "integer string conversion" in str(error):
        return Sentence("a number has too many digits")
    what, _, where = str(error).partition(" (at ")
    if found := re.fullmatch(r"line (\d+), column (\d+)\)", where):
        said = Sentence("{what} (at line {line}, column {column})", what=Sentence(what), line=found[1], column=found[2])
        if re.search(r"=\s*\d+,\d", text.splitlines()[int(found[1]) - 1]):
            return Sentence("{said}; a number has a point, such as 2.5", said=said)
        return said
    return Sentence("{what} (at end of document)", what=Sentence(what)) if where else Sentence(what)


@functools.cache
def _preset(name: str) -> Rules:
    file = f"{name}{SUFFIX}"
    own = parse((_SETS / file).read_bytes(), file)
    order, parent = places(own), own.pop("extends", None)
    return _finish(lay_over(_preset(parent) if parent else None, own, file, order))


def _load_file(path: Path, children: tuple[Path, ...]) -> Rules:
    own = read_file(path)
    order = places(own)
    own.setdefault("name", path.stem or "rules")
    own.setdefault("label", own["name"])
    extends, family, parent = own.pop("extends", None), (*children, path), None
    brought = extends in list_rules()
    problem = None if extends is None or brought else _problem(extends, path, family)
    if extends is not None and not problem:
        parent = _preset(extends) if brought else _load_file(existing(path.parent / extends), family)
    draft = lay_over(parent, own, str(path), order)
    if problem:
        draft.faults.insert(0, Fault("extends", extends, problem))
        draft.orphan = True
    return _finish(draft)


def _problem(extends: Any, path: Path, family: tuple[Path, ...]) -> str | None:
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


def _of_lists(faults: list[Fault], draft: Draft) -> Iterator[Fault]:
    """Yield faults; of patterns that the file takes over, and that something else in it makes wrong, one tells all."""
    seen = set()
    for fault in faults:
        pattern, text = fault.where.partition("]")[0], Sentence(fault.message).text
        over = pattern.startswith(("toi_trang.regular[", "toi_trang.opening[")) and f"{pattern}]" not in draft.order
        yield replace(fault, alike=over and text in seen)
        seen |= {text} if over else set()


def _finish(draft: Draft) -> Rules:
    """Validate a draft; raise all its faults at once."""
    rules, found = build(draft.tree, draft.sources)
    if draft.orphan:  # what is missing may be in the parent that could not be read
        found = [(path, fault) for path, fault in found if any(path == own[: len(path)] for own in draft.stated)]
    faults = [*draft.faults, *(draft.as_written(path, fault) for path, fault in found)]
    if faults or rules is None:
        in_order = sorted({str(fault): fault for fault in faults}.values(), key=draft.place)
        raise RulesError(draft.file, _of_lists(in_order, draft))
    added = [path for path in draft.written if path[:2] in PATTERN_LISTS and len(path) == 3]
    ids = {f"{spell(path[:2])}[{at(draft.tree, path)['id']}]" for path in added}
    rules._stated = frozenset({*map(spell, draft.stated), *ids})  # noqa: SLF001 (our own class)
    return rules
