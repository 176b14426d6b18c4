"""The identity of a run: everything that changes its answer and nothing else, in words that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from tlsim.errors import shorten
from tlsim.version import __version__

Identity: TypeAlias = dict[str, Any]
_MOST_NAMED = 3


def identity_of(work: str, **what: Any) -> Identity:
    """Return an identity as JSON can hold it: the version, which work it is, and what the work says of itself.

    >>> identity_of("odds", seed=7, cards=(1, 2))["cards"]
    [1, 2]
    """
    return {"version": __version__, "work": work} | {key: _plain(value) for key, value in what.items()}


def identity_of_all(work: str, each: Sequence[Identity], **what: Any) -> Identity:
    """Return the identity of work that is several pieces of work: what all have alike, and what each has of its own.

    >>> one, two = identity_of("games", seed=7, leader=0), identity_of("games", seed=7, leader=1)
    >>> found = identity_of_all("paired", [one, two])
    >>> found["work"], found["seed"], found["runs"]
    ('paired', 7, [{'leader': 0}, {'leader': 1}])
    """
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


def refuse_other(label: str, file: str, stored: Identity, now: Identity, error: type[Exception]) -> None:
    """Refuse to go on with a run whose answer would be another one, naming what differs."""
    apart = differences(stored, now)
    if not apart:
        return
    said = [f"{name} is {shorten(one)} there and {shorten(two)} here" for name, one, two in apart[:_MOST_NAMED]]
    if len(apart) > _MOST_NAMED:
        said.append(f"and {len(apart) - _MOST_NAMED} more")
    raise error(
        f"{file!r} has another run under the label {label!r}: {'; '.join(said)}. Put that right to go on with it, or "
        f"choose another label"
    )
