"""The errors of tlsim.

::

    TlsimError                 what a user can put right; the command line prints it without a traceback
    ├── UsageError             a wrong argument or option            (exit status 2)
    │   └── CardError          a card that cannot be read, or is twice
    ├── RunError               a run that could not go on; it holds what was computed
    └── RulesError             faults inside a rule file, all at once (exit status 1)
"""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Self
from unicodedata import category

MOST_FAULTS = 20  # of a file, that are told


class Sentence(str):
    """A sentence in English that can be said in another language: it keeps its text and what stands in it."""

    __slots__ = ("change", "text", "values")
    text: str
    values: dict[str, Any]
    change: Callable[[str], str] | None

    def __new__(cls, text: str, /, **values: Any) -> Self:
        """Return the sentence, with its values filled in where it has any; one that is made already as it is."""
        if type(text) is cls and not values:
            return text
        found = super().__new__(cls, text.format(**values) if values else text)
        found.text, found.values, found.change = text, values, None
        return found

    def changed(self, change: Callable[[str], str]) -> "Sentence":
        """Return it with what is to be changed once it is said, in whatever language."""
        found = str.__new__(Sentence, change(self))
        before = self.change or str
        found.text, found.values, found.change = self.text, self.values, lambda text: change(before(text))
        return found


class TlsimError(Exception):
    """Base of every error that a user can put right; `tlsim.catalogue.told` says it in a language.

    It is made of the message, as the catalogue has it, with ``{names}`` of values, and of what stands in it: text,
    numbers, other sentences.
    """

    exit_code = 2

    def __init__(self, text: str = "", /, **values: Any) -> None:
        self.sentence = Sentence(text, **values)
        super().__init__(visible(self.sentence))


class UsageError(TlsimError, ValueError):
    """An argument is out of its allowed values; the message names both."""


class CardError(UsageError):
    """A text cannot be read as cards, or the cards do not make what was asked for.

    ``at`` is where in the text the word begins that is no card; None where that is not what is wrong.
    """

    at: int | None = None


class RunError(TlsimError, RuntimeError):
    """A run could not go on: an executor broke, or a store could not be written.

    ``result`` is the partial result over all blocks that were finished; None where there is none. ``stuck`` tells
    whether a thread is left that cannot be ended.
    """

    result: Any = None
    stuck: bool = False


@dataclass(frozen=True)
class Fault:
    """One fault of a rule file."""

    where: str  # key path inside the file, such as ``toi_trang.regular[3].pays``
    value: Any  # what stands there
    message: str  # what is wrong, what is allowed, and where possible the likely mend
    alike: bool = False  # whether it follows, as one that is told, from what the file says elsewhere

    @property
    def sentence(self) -> Sentence:
        """All of it, to be said in a language."""
        place, message = self.where or Sentence("(whole file)"), Sentence(self.message)
        if self.value is None:
            return Sentence("{place}: {message}", place=place, message=message)
        return Sentence("{place} = {value}: {message}", place=place, value=shorten(self.value), message=message)

    def __str__(self) -> str:
        return str(self.sentence)


class RulesError(TlsimError, ValueError):
    """A rule file has faults; ``faults`` lists all of them."""

    exit_code = 1

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        self.told = [fault for fault in self.faults if not fault.alike][:MOST_FAULTS]
        lines = [Sentence("{file}: {fault}", file=file, fault=fault.sentence) for fault in self.told]
        super().__init__(joined([*lines, *self.more], "\n"))

    @property
    def more(self) -> list[Sentence]:
        """How many faults are not told, where there are so many, or some are alike."""
        number = len(self.faults) - len(self.told)
        return [Sentence("{file}: and {number} more faults", file=self.file, number=number)] if number > 0 else []


def visible(text: str) -> str:
    """Return text in which nothing is hidden: controls, also those that turn the direction, by their code points."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(f"\\u{ord(c):04x}" if category(c) in hidden and c not in "\n\t" else c for c in text)


def shorten(value: Any, limit: int = 80) -> str:
    """Show a value in a message, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list within lists within lists …
        text = Sentence("a value ({kind}) too large to show", kind=type(value).__name__)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def suggestion(word: str, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for a near miss, or an empty string."""
    near = difflib.get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return Sentence("; did you mean {word!r}?", word=near[0]) if near else ""


def joined(said: Iterable[str], gap: str = "; ") -> Sentence:
    """Return sentences one after the other, each of which is said in the language of the whole."""
    parts = {f"part_{number}": each for number, each in enumerate(said)}
    return Sentence(gap.join(f"{{{key}}}" for key in parts), **parts) if parts else Sentence("")


def either(these: Iterable[Any]) -> str:
    """Return what there is to choose from in words: ``10 or 13``; what is no sentence, such as a key, stays."""
    *most, last = (each if isinstance(each, Sentence) else str(each) for each in these)
    return Sentence("{one} or {other}", one=either(most), other=last) if most else last


def reason(error: BaseException) -> Sentence:
    """Return what an error says, without the number and file of the system's; the catalogue has the usual ones."""
    said = error.sentence if isinstance(error, TlsimError) else error.args[0] if error.args else ""
    return said if isinstance(said, Sentence) else Sentence(getattr(error, "strerror", None) or str(error))


def wrong(name: str, value: Any, text: str, /, **values: Any) -> UsageError:
    """Return the error of a value: ``name = value: what it must be``, the last a sentence with its values."""
    return UsageError("{name} = {value}: {must}", name=name, value=shorten(value), must=Sentence(text, **values))


def unknown(name: str, value: Any, allowed: Iterable[str]) -> UsageError:
    """Return the error of a word that is none of those allowed, with the likely one."""
    allowed = list(allowed)
    near = suggestion(str(value), allowed)
    return wrong(name, value, "must be one of {names}{near}", names=", ".join(allowed), near=near)


def unwritable(file: Any, error: BaseException) -> UsageError:
    """Return the error of a file that cannot be written."""
    return UsageError("cannot write {file!r}: {why}", file=str(file), why=reason(error))
