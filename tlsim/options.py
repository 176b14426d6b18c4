"""What can be asked for: every option declared once, in ``options.toml``; signatures, flags and their words follow.

A question (`tlsim.questions`) is a frozen dataclass whose fields are options, as in ``players: int | None =
option("players")``. The public function and its documentation, the command's flag, its help and the error for a wrong
value follow from the declaration.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, TypeGuard

from tlsim import numerals
from tlsim.catalogue import N_
from tlsim.errors import UsageError, shorten, unknown, wrong
from tlsim.folders import brought

MOST_DEALS, MOST_GAMES, MOST_SEED = 10**12, 10**11, 2**128 - 1
Check = Callable[[str, Any], Any]


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole(least: int, most: int) -> Check:
    """Return a check of whole numbers in a range; 0 stands for none where it is allowed."""

    def check(name: str, value: Any) -> int:
        if is_whole(value) and least <= value <= most:
            return int(value)
        if least == 0:
            raise wrong(name, value, "must be a whole number from 0 (none) to {most:,}", most=most)
        raise wrong(name, value, "must be a whole number from {least} to {most:,}", least=least, most=most)

    return check


def _must(holds: Callable[[Any], object], text: str, kind: Callable[[Any], Any] = float) -> Check:
    """Return a check of what values must be; they are made of a kind."""

    def check(name: str, value: Any) -> Any:
        if not holds(value):
            raise wrong(name, value, text)
        return kind(value)

    return check


def one_of(*allowed: str) -> Check:
    """Return a check of words."""

    def check(name: str, value: Any) -> str:
        if value in allowed:
            return str(value)
        raise unknown(name, value, allowed)

    return check


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value is a number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _tolerance(name: str, value: Any) -> Any:
    if isinstance(value, Mapping | tuple | list):
        pairs = [*(value.items() if isinstance(value, Mapping) else value)]
        if len(dict(pairs)) < len(pairs):
            raise UsageError("{name} = {value}: names a pattern twice", name=name, value=shorten(value))
        factors = tuple((key, _tolerance(name, factor)) for key, factor in pairs)
        return (dict(factors)["all"] if [key for key, _ in factors] == ["all"] else factors) if factors else TOLERANCE
    if is_number(value) and value >= 1:
        return float(value)
    raise wrong(name, value, "must be a factor of 1 or more, such as 2 (half to twice the fair price)")


truth = _must(
    lambda value: isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"},  # numpy's too
    N_("must be True or False"), bool,
)  # fmt: skip
_CHECKS = {
    "truth": truth,
    "seed": _must(lambda seed: is_whole(seed) and 0 <= seed <= MOST_SEED,
                  N_("must be a whole number from 0 to 2**128 - 1"), int),
    "which list": _must(lambda opening: opening is None or isinstance(opening, bool),
                        N_("must be True, False, or None for both lists"), lambda opening: opening),
    "part": _must(lambda part: is_number(part) and 0 <= part <= 1, N_("must be from 0 to 1, such as 1e-6")),
    "over zero": _must(lambda value: is_number(value) and 0 < value < math.inf, N_("must be a number over 0")),
    "names": _must(lambda value: isinstance(value, str), N_("must be names of policies, with commas"), str),
    "text": _must(lambda value: isinstance(value, str), N_("must be text"), str),
    "deals": whole(1, MOST_DEALS), "games": whole(1, MOST_GAMES), "games or none": whole(0, MOST_GAMES),
    "tolerance": _tolerance,
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    """Something that can be asked for."""

    name: str  # in Python
    help: str  # what it is, a sentence of the catalogue
    default: Any = None
    read: Callable[[str], Any] | None = str  # makes a value of text; None for a flag that is there or not
    # of the name and the value: returns the value as it is used, or raises UsageError; by default as it is given
    check: Check = field(default=lambda _name, value: value)
    flag: str = ""  # where that is not the name; with a slash and a second one for yes and no
    metavar: str = "N"  # what stands for its value in the help
    group: str = N_("Question")  # under which heading the help has it
    many: bool = False  # whether the flag may be repeated
    choices: tuple[str, ...] = ()  # the words that are allowed, for the help and for completion
    usual: str = ""  # what its default is, in words, where that depends on something
    hidden: bool = False  # whether the help leaves it out
    about: str = ""  # what the documentation of Python says, where the help does not say it

    @property
    def flags(self) -> str:
        """Its flag on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def documented(self) -> str:
        """What the documentation of Python says."""
        return self.about or self.help + (f" By default {self.usual}." if self.usual else "")


def _declared() -> dict[str, Option]:
    """Return the options of the file."""
    found: dict[str, Option] = {}
    for key, declared in brought("options.toml").items():
        said: dict[str, Any] = {"name": key.rpartition(".")[2]}
        said |= {each: tuple(value) if isinstance(value, list) else value for each, value in declared.items()}
        if "read" in said:
            said["read"] = None if said["read"] == "flag" else getattr(numerals, said["read"])
        if "whole" in said:
            said["check"] = whole(*said.pop("whole"))
        elif "check" in said:
            said["check"] = _CHECKS[said["check"]]
        elif "choices" in said:
            said["check"] = one_of(*said["choices"])
        if said.pop("optional", False):
            said["default"] = None
        like = said.pop("like", None)
        found[key] = replace(found[like], **said) if like else Option(**said)
    return found


OPTIONS = _declared()
METHODS, FORMATS = OPTIONS["method"].choices[:-1], OPTIONS["format"].choices
EQUAL_COST, TOLERANCE = METHODS[1], OPTIONS["tolerance"].default


def option(name: str, default: Any = ..., *, kw_only: bool = False, **changed: Any) -> Any:
    """Return the field of a question that is an option of `OPTIONS`, with what is ``changed`` of it."""
    found = replace(OPTIONS[name], **changed)
    if default is not ...:
        found = replace(found, default=default)
    return field(default=found.default, kw_only=kw_only, metadata={"option": found})
