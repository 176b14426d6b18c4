"""Policies by name: ``lowest``, ``smart[hold_3s=1]``, ``rollout[n=50]``, ``package.module:function``."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import signature
from typing import Any

import numpy as np

from tlsim.engine import functions as f
from tlsim.engine.nets import check_family, digest_of, nets, read_nets
from tlsim.engine.parts import part_of
from tlsim.errors import UsageError, shorten, suggestion
from tlsim.kernels import policies as k
from tlsim.kernels.row import ALWAYS, AS_IT_SEES_FIT, MOST_SEATS, N_OPTIONS, NEVER, Ints
from tlsim.rules import Rules

POLICIES = {"lowest": k.LOWEST, "random": k.RANDOM, "smart": k.SMART, "rollout": k.ROLLOUT, "expert": k.EXPERT}
DEFAULT_PLAYOUTS = 50
MOST_PLAYOUTS = 100_000
_BASES = ("smart", "expert")
_USUAL_OPTIONS = ("declare", "sam")
_OPTIONS = {
    "smart": ("hold_3s", *_USUAL_OPTIONS), "rollout": ("n", "base", "weights", *_USUAL_OPTIONS),
    "expert": ("weights", *_USUAL_OPTIONS),
}  # fmt: skip
_PARAMETERS = ("plays", "hand", "table", "log", "random")


@dataclass(frozen=True)
class Policy:
    """How a seat decides."""

    name: str  # one of `POLICIES`, or ``package.module:function``
    hold_3s: bool = False  # keep 3♠ for the end (``smart``)
    n: int = DEFAULT_PLAYOUTS  # games that ``rollout`` plays for each decision
    base: str = "smart"  # how ``rollout`` plays on: ``smart`` or ``expert``
    weights: str = ""  # file of the networks of an expert; empty for those that come with tlsim
    declare: bool = True  # a tới trắng, where the rules leave that to the holder
    sam: bool | None = None  # call Sâm whenever asked, or never; None leaves it to the policy
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)  # a user's, given as such

    def __str__(self) -> str:
        told = {"n": self.n} if self.name == "rollout" else {}
        told |= {f.name: getattr(self, f.name) for f in fields(self)[1:-1] if getattr(self, f.name) != f.default}
        said = [f"{key}={int(value) if isinstance(value, bool) else value}" for key, value in told.items()]
        return f"{self.name}[{','.join(said)}]" if said else self.name

    @property
    def is_own(self) -> bool:
        """Whether it is a user's function."""
        return self.name not in POLICIES

    @property
    def learned(self) -> bool:
        """Whether it uses networks."""
        return "expert" in (self.name, self.base)

    @property
    def numbers(self) -> tuple[int, ...]:
        """What kernels call it, and the policy that it plays on by."""
        return (self.number, k.EXPERT) if self.learned else (self.number,)

    @property
    def number(self) -> int:
        """What kernels call it."""
        return POLICIES.get(self.name, k.OWN)

    def compiled(self) -> Callable[..., Any]:
        """Return the user's compiled function."""
        return self.function or f.load_function(self.name, "policies")

    @property
    def source(self) -> str | None:
        """Digest of the source of a user's function, or of the networks of an expert; None for other policies."""
        if self.learned:
            return digest_of(self.weights)
        return f.source_digest(self.compiled()) if self.is_own else None

    def __getstate__(self) -> dict[str, Any]:
        """Give another process the place of a user's function and the digest of its source, never the function."""
        if self.is_own:
            f.check_travels(self.compiled(), "policies")
        return vars(self) | {"function": None, "source": self.source}

    def __setstate__(self, state: dict[str, Any]) -> None:
        source = state.pop("source")
        vars(self).update(state)
        if source is not None:
            f.check_source(str(self.source), source, str(self), "policies")

    def options(self) -> Ints:
        """Return what the row of a game says of a seat, int64[N_OPTIONS]; see `tlsim.kernels.row.POLICY`."""
        address = nets(self.weights).ctypes.data if self.learned else 0
        if self.is_own:
            address = address_of(self.compiled(), self.name)
        call = AS_IT_SEES_FIT if self.sam is None else ALWAYS if self.sam else NEVER
        part = part_of(self.number)
        base: Any = part_of(k.EXPERT) if self.base == "expert" else None
        told = (self.hold_3s, not self.declare, call, self.n, base.address if base else 0, address)
        return np.array([self.number, part.address if part else 0, *told], np.int64)


def options_of(policies: Sequence[Policy]) -> Ints:
    """Return what the row of a game says of all seats, int64[N_OPTIONS, MOST_SEATS]."""
    seats = np.zeros((N_OPTIONS, MOST_SEATS), np.int64)
    for seat, policy in enumerate(policies):
        seats[:, seat] = policy.options()
    return seats


def split_policies(text: str) -> list[str]:
    """Return names that commas part, but for those in brackets."""
    return re.split(r",(?![^\[]*\])", text)


def read_policies(policies: Any, players: int) -> tuple[Policy, ...]:
    """Return the policy of each seat, from one name for all, names with commas, or names and compiled functions."""
    words = split_policies(policies) if isinstance(policies, str) else policies
    words = list(words) if isinstance(words, Sequence) else [words]
    read = tuple(map(_read, words))
    if len(read) == 1:
        read *= players
    if len(read) != players:
        raise UsageError("policies names {number} policies; give one for all, or one for each of {players} seats",
                         number=len(read), players=players)  # fmt: skip
    return read


def policies_for(rules: Rules, policies: Any, players: int) -> tuple[Policy, ...]:
    """Return the policy of each seat, refusing an option that means nothing under the rules; see `read_policies`."""
    chosen = read_policies(policies, players)
    automatic = rules.toi_trang is not None and rules.toi_trang.declare == "automatic"
    if automatic and any(not policy.declare for policy in chosen):
        raise UsageError("policies: declare=0: {rules} counts every tới trắng at once; change that by "
                         "toi_trang.declare = 'optional'", rules=rules.name)  # fmt: skip
    if rules.bao_sam is None and any(policy.sam is not None for policy in chosen):
        raise UsageError("policies: sam: {rules} has no call of Sâm (bao_sam); leave the option out", rules=rules.name)
    for policy in chosen:
        if policy.learned:
            check_family(policy.weights, rules)
    return chosen


def _read(word: Any) -> Policy:
    if isinstance(word, Policy):
        return word
    if callable(word):
        name = f.place_of(word)
        address_of(word, name)
        return Policy(name, function=word)
    found = re.fullmatch(r"\s*([\w.:]+)\s*(?:\[(.*)\])?\s*", str(word))
    if found is None:
        raise UsageError("policies: {word}: must be a name such as smart or smart[hold_3s=1]", word=shorten(word))
    name, options = found.groups()
    if name not in POLICIES and ":" not in name:
        raise UsageError("policies: {name!r}: must be one of {names}, or package.module:function{near}", name=name,
                         names=", ".join(POLICIES), near=suggestion(name, POLICIES))  # fmt: skip
    policy = Policy(name)
    for text in (options or "").split(",") if options else ():
        policy = replace(policy, **_option(name, text.strip()))
    if policy.is_own:
        address_of(f.load_function(name, "policies"), name)
    return policy


def _option(name: str, text: str) -> dict[str, Any]:
    allowed = _OPTIONS.get(name, _USUAL_OPTIONS)
    key, _, value = (part.strip() for part in text.partition("="))
    text = shorten(text, 60).strip("'")
    if key == "base" and key in allowed:
        if value not in _BASES:
            raise UsageError("policies: {name}[{text}]: base must be one of {names}{near}", name=name, text=text,
                             names=", ".join(_BASES), near=suggestion(value, _BASES))  # fmt: skip
        return {"base": value}
    if key == "weights" and key in allowed:
        return {"weights": read_nets(value)}
    if key not in allowed:
        raise UsageError("policies: {name}[{text}]: {key}: must be one of {names}{near}", name=name, text=text,
                         key=shorten(key), names=", ".join(allowed), near=suggestion(key, allowed))  # fmt: skip
    if key == "n":
        if not value.isdecimal() or len(value) > 9 or not 1 <= int(value) <= MOST_PLAYOUTS:
            raise UsageError("policies: {name}[{text}]: n must be a number of games, 1 to {most}", name=name, text=text,
                             most=MOST_PLAYOUTS)  # fmt: skip
        return {"n": int(value)}
    if value not in {"0", "1"}:
        raise UsageError("policies: {name}[{text}]: {key} must be 0 or 1", name=name, text=text, key=key)
    return {key: value == "1"}


_entries: dict[Any, Any] = {}  # compiled entries, kept for as long as a kernel might call them


def address_of(function: Callable[..., Any], name: str) -> int:
    """Return where a user's policy can be called."""
    if function not in _entries:
        if not hasattr(function, "py_func"):
            raise UsageError("policies: {name!r} is not compiled; decorate the function with @numba.njit", name=name)
        try:
            signature(function.py_func).bind(*_PARAMETERS)
        except TypeError as error:
            raise UsageError("policies: {name!r} cannot be called as f({parameters}): {error}; see tlsim.policy",
                             name=name, parameters=", ".join(_PARAMETERS), error=error) from None  # fmt: skip
        from numba.core import types
        from numba.core.errors import NumbaError

        from tlsim.kernels.own import entry_of

        numbers = types.Array(types.int64, 1, "C")
        try:
            shown = types.Array(types.int64, 2, "C"), types.int64, numbers, numbers, numbers
            returned, is_whole = f.answer_of(function, *shown)
            if not is_whole:
                raise UsageError("policies: {name!r} returns {returned}: must return a whole number, the row of the "
                                 "chosen play; see tlsim.policy", name=name, returned=str(returned))  # fmt: skip
            _entries[function] = entry_of(function)
        except NumbaError as error:
            raise UsageError("policies: {name!r} does not compile as f({parameters}) -> int: {reason}; see "
                             "tlsim.policy", name=name, parameters=", ".join(_PARAMETERS),
                             reason=shorten(f.compiler_words(error), 200)) from None  # fmt: skip
    return int(_entries[function].address)
