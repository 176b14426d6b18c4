"""Reading the TOML of a rule file, whatever the file may be."""

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from tlsim.errors import Fault, RulesError, Sentence, UsageError, reason, suggestion
from tlsim.folders import existing
from tlsim.rules.keypath import nodes

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
