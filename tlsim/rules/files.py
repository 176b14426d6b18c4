"""Reading the TOML of a rule file, whatever the file may be."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from tlsim.errors import Fault, RulesError, UsageError, reason, suggestion

MOST_BYTES = 1 << 20
MOST_DEPTH = 12
# A dotted key costs its reader time by the square of its length; no honest line has so many dots.
MOST_DOTS = 64
SUFFIX = ".toml"
_SETS = resources.files("tlsim.rules") / "sets"


def list_rules() -> list[str]:
    """Return the names of the rule sets that come with tlsim.

    Returns
    -------
    list of str
        Preset names, sorted.

    Examples
    --------
    >>> import tlsim.rules
    >>> "doithuong" in tlsim.rules.list_rules()
    True
    """
    return sorted(entry.name.removesuffix(SUFFIX) for entry in _SETS.iterdir() if entry.name.endswith(SUFFIX))


def read_preset(name: str) -> dict[str, Any]:
    """Return the tree of a preset as its file has it."""
    return parse((_SETS / f"{name}{SUFFIX}").read_bytes(), f"{name}{SUFFIX}")


def find(name_or_path: str | Path) -> str | Path:
    """Tell a preset name from the path of a rule file.

    Raises
    ------
    UsageError
        If it is neither.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in list_rules():
        return text
    path = Path(text or "?")
    looks_like_path = isinstance(name_or_path, Path) or text.endswith(SUFFIX) or re.search(r"[/\\]", text)
    try:
        exists, folder = path.exists(), path.is_dir()
    except (OSError, ValueError) as error:  # a name too long, a zero byte
        raise UsageError(f"{text[:80]!r} cannot be a rule file: {error}") from None
    if folder:
        raise UsageError(f"{text!r} is a folder; name a rule file inside it")
    if exists:
        return path
    if looks_like_path:
        beside = [entry.name for entry in path.parent.glob(f"*{SUFFIX}")] if path.parent.is_dir() else []
        raise UsageError(f"there is no rule file {text!r}{suggestion(path.name, beside)}")
    names = list_rules()
    near = suggestion(text.lower(), names) or f"; presets: {', '.join(names)}"
    raise UsageError(f"there is no rule set {text[:80]!r}{near}")


def read_file(path: Path) -> dict[str, Any]:
    """Return the tree of a rule file.

    Raises
    ------
    UsageError
        If the file cannot be read.
    RulesError
        If it does not hold a TOML document of sensible size.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read rule file {str(path)!r}: {reason(error)}") from None
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
        line = data.count(b"\n", 0, error.start) + 1
        raise _broken(file, f"is not UTF-8 text (line {line}, byte {error.start}); save it as UTF-8") from None
    for number, line_text in enumerate(text.splitlines(), 1):
        if line_text.count(".") > MOST_DOTS and not line_text.lstrip().startswith("#"):
            raise _broken(file, f"line {number} has more than {MOST_DOTS} dots; no key is nested that deep")
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise _broken(file, "is nested too deep to be a rule file") from None
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise _broken(file, f"is not valid TOML: {_sentence(error)}") from None
    if too_deep(tree):
        raise _broken(file, f"is nested too deep to be a rule file (more than {MOST_DEPTH} levels)")
    if not tree:
        raise _broken(file, 'is empty; start with extends = "doithuong" and name = "…"')
    return tree


def _sentence(error: ValueError) -> str:
    text = str(error)
    return "a number has too many digits" if "integer string conversion" in text else text


def too_deep(tree: Any) -> bool:
    """Tell whether tables and lists are nested deeper than any rule file needs."""
    level = [tree]
    for _ in range(MOST_DEPTH):
        level = [
            value
            for node in level
            for value in (node.values() if isinstance(node, dict) else node)
            if isinstance(value, dict | list)
        ]
        if not level:
            return False
    return True
