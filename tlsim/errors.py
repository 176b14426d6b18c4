"""The errors of tlsim.

::

    TlsimError                 what a user can put right; the command line prints it without a traceback
    ├── UsageError             a wrong argument or option            (exit status 2)
    │   └── CardError          a card that cannot be read, or is twice
    ├── RunError               a run that could not go on; it holds what was computed
    └── RulesError             faults inside a rule file, all at once (exit status 1)
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self
from unicodedata import category

MOST_FAULTS = 20  # of a file, that are told


class Sentence(str):
    """A sentence in English that can be said in another language: it keeps its text and what stands in it.

    Examples
    --------
    >>> said = Sentence("there is no card {card!r}", card="1X")
    >>> said, said.text, said.values
    ("there is no card '1X'", 'there is no card {card!r}', {'card': '1X'})
    """

    __slots__ = ("text", "values")
    text: str
    values: dict[str, Any]

    def __new__(cls, text: str, **values: Any) -> Self:
        """Return the sentence, with its values filled in where it has any."""
        found = super().__new__(cls, text.format(**values) if values else text)
        found.text, found.values = text, values
        return found


class TlsimError(Exception):
    """Base of every error that a user can put right; `tlsim.catalogue.told` says it in a language.

    Parameters
    ----------
    text
        The message, as the catalogue has it, with ``{names}`` of values.
    values
        What stands in it: text, numbers, other sentences.
    """

    exit_code = 2

    def __init__(self, text: str = "", **values: Any) -> None:
        self.sentence = text if isinstance(text, Sentence) and not values else Sentence(text, **values)
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
    """One fault of a rule file.

    Parameters
    ----------
    where
        Key path inside the file, such as ``toi_trang.regular[3].pays``.
    value
        What stands there.
    message
        What is wrong, what is allowed, and where possible the likely mend.
    """

    where: str
    value: Any
    message: str

    def __str__(self) -> str:
        place = self.where or "(whole file)"
        shown = "" if self.value is None else f" = {shorten(self.value)}"
        return f"{place}{shown}: {self.message}"


class RulesError(TlsimError, ValueError):
    """A rule file has faults; ``faults`` lists all of them."""

    exit_code = 1

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        lines = [f"{file}: {fault}" for fault in self.faults[:MOST_FAULTS]]
        super().__init__("{lines}", lines="\n".join([*lines, *self.more]))

    @property
    def more(self) -> list[Sentence]:
        """How many faults are not told, where there are so many."""
        number = len(self.faults) - MOST_FAULTS
        return [Sentence("{file}: and {number} more faults", file=self.file, number=number)] if number > 0 else []


def visible(text: str) -> str:
    r"""Return text in which nothing is hidden: controls, also those that turn the direction, by their code points.

    >>> visible("10\u202e♥")
    '10\\u202e♥'
    """
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(f"\\u{ord(c):04x}" if category(c) in hidden and c not in "\n\t" else c for c in text)


def shorten(value: Any, limit: int = 80) -> str:
    """Show a value in a message, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list within lists within lists …
        text = f"a value ({type(value).__name__}) too large to show"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def suggestion(word: str, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for a near miss, or an empty string.

    >>> suggestion("doithong", ["doithuong", "zing"])
    "; did you mean 'doithuong'?"
    """
    near = difflib.get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return Sentence("; did you mean {word!r}?", word=near[0]) if near else ""
