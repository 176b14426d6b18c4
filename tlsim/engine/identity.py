"""The identity of a run: everything that changes its answer and nothing else, in words that can be compared."""

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from tlsim.catalogue import N_
from tlsim.errors import Sentence, TlsimError, joined, shorten
from tlsim.version import __version__

Identity: TypeAlias = dict[str, Any]
_MOST_NAMED = 3


def identity_of(work: str, **what: Any) -> Identity:
    """Return an identity as JSON can hold it: the version, which work it is, and what the work says of itself."""
    return {"version": __version__, "work": work} | {key: _plain(value) for key, value in what.items()}


def identity_of_all(work: str, each: Sequence[Identity], **what: Any) -> Identity:
    """Return the identity of work that is several pieces of work: what all have alike, and what each has of its own."""
    alike = {key: value for key, value in each[0].items() if all(one.get(key) == value for one in each)}
    apart = [{key: value for key, value in one.items() if key not in alike} for one in each]
    return identity_of(**alike | {"work": work}, runs=apart, **what)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def differences(one: Identity, two: Identity) -> list[tuple[str, Any, Any]]:
    """Return what differs, by name; what is within tables and lists goes by its path.

    >>> differences({"seed": 1, "rules": {"cong.fine": 10}}, {"seed": 1, "rules": {"cong.fine": 20}})
    [('rules.cong.fine', 10, 20)]
    """
    ours, theirs = dict(_leaves("", one)), dict(_leaves("", two))
    return [(k, ours.get(k), theirs.get(k)) for k in {**ours, **theirs} if ours.get(k) != theirs.get(k)]


def _leaves(path: str, value: Any) -> Any:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(f"{path}.{key}" if path else key, item)
    elif isinstance(value, list) and value:
        for at, item in enumerate(value):
            yield from _leaves(f"{path}[{at}]", item)
    else:
        yield path, value


def apart_in_words(kept: Identity, now: Identity, words: str = N_("{name} is {one} there and {two} here")) -> list[str]:
    """Return what differs, in words, the most telling first; digests are cut to what tells them apart."""
    apart = differences(kept, now)
    names, leaves = {name for name, _, _ in apart}, dict(_leaves("", now))
    apart.sort(key=lambda each: _FIRST.index(each[0]) if each[0] in _FIRST else len(_FIRST))
    said: list[str] = []
    for name, one, two in apart:
        of = _SOURCE.fullmatch(name)
        policy = of and next((at for at in (f"{of[1]}policies{of[2]}", f"policies{of[2]}") if at in leaves), None)
        if policy in names:  # another policy has another source
            continue
        said.append(Sentence(words, name=_spoken(name, leaves.get(policy)), one=_shown(one), two=_shown(two)))
    return said


_FIRST = ("work", "version")
_SOURCE = re.compile(r"(.*?)sources?(\[\d+\])?")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DIGITS = 12


def _spoken(name: str, policy: Any) -> str:
    """Return what a part of an identity is called."""
    if name == "work":
        return Sentence("the kind of run")
    if _SOURCE.fullmatch(name):
        return Sentence("the source of {what} has changed: its digest", what=policy or Sentence("the predicate"))
    return Sentence("the digest of the given cards") if name.endswith("given[1]") else name


def _shown(value: Any) -> str:
    return f"{value[:_DIGITS]}…" if isinstance(value, str) and _DIGEST.fullmatch(value) else shorten(value)


def some_of(said: list[str]) -> str:
    """Return the first of what differs, and how much more does."""
    more = [Sentence("and {number} more", number=len(said) - _MOST_NAMED)] if len(said) > _MOST_NAMED else []
    return joined([*said[:_MOST_NAMED], *more])


def refuse_other(label: str, file: str, stored: Identity, now: Identity, error: type[TlsimError]) -> None:
    """Refuse to go on with a run whose answer would be another one, naming what differs."""
    if apart := apart_in_words(stored, now):
        raise error(Sentence("{file!r} has another run under the label {label!r}: {differences}. Put that right to go "
                             "on with it, or choose another label", file=file, label=label,
                             differences=some_of(apart)))  # fmt: skip
