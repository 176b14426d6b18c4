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
from typing import Any


class TlsimError(Exception):
    """Base of every error that a user can put right."""

    exit_code = 2


class UsageError(TlsimError, ValueError):
    """An argument is out of its allowed values; the message names both."""


class CardError(UsageError):
    """A text cannot be read as cards, or the cards do not make what was asked for."""


class RunError(TlsimError, RuntimeError):
    """A run could not go on: an executor broke, or a store could not be written.

    ``result`` is the partial result over all blocks that were finished; None where there is none.
    """

    result: Any = None


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
        super().__init__("\n".join(f"{file}: {fault}" for fault in self.faults))


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
    return f"; did you mean {near[0]!r}?" if near else ""
