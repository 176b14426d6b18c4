"""Tallies as bytes: frozen dataclasses of whole numbers, int64 arrays, other tallies; names, shapes, a checksum."""

import hashlib
import json
import zlib
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from tlsim.errors import Sentence

FORMAT = 1
_DTYPE = np.dtype("<i8")
T = TypeVar("T")


class PackedError(Exception):
    """Bytes that are no tally of the wanted form, or are damaged."""


def pack(tally: Any, place: str = "") -> bytes:
    """Return a tally as bytes; the checksum covers the place where it belongs, so that it is damaged anywhere else."""
    arrays = _arrays(tally)
    head = json.dumps(_head(tally, arrays)).encode()
    body = zlib.compress(b"".join(array.tobytes() for array in arrays.values()), level=1)
    rest = len(head).to_bytes(4, "little") + head + body
    return _checksum(place, rest) + rest


def unpack(data: bytes, like: T, place: str = "") -> T:
    """Return the tally that bytes hold which were found at a place; refuse one of another form than ``like``."""
    digest, rest = data[:32], data[32:]
    if _checksum(place, rest) != digest:
        raise PackedError(Sentence("the checksum is wrong"))
    head = 4 + int.from_bytes(rest[:4], "little")
    found, wanted = json.loads(rest[4:head]), _head(like, _arrays(like))
    if found != wanted:
        raise PackedError(_apart(found, wanted))
    numbers, at = np.frombuffer(zlib.decompress(rest[head:]), dtype=_DTYPE).astype(np.int64), 0
    values: dict[str, Any] = {}
    for name, array in _arrays(like).items():
        values[name], at = numbers[at : at + array.size].reshape(array.shape), at + array.size
    tally: T = _filled(like, values)
    return tally


def _checksum(place: str, rest: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(place.encode()).digest() + rest).digest()


def size(tally: Any) -> int:
    """Return the bytes that a tally takes in memory."""
    return sum(array.nbytes for array in _arrays(tally).values())


def _arrays(tally: Any, above: str = "") -> dict[str, Any]:
    """Return the fields of a tally as arrays by name; numpy refuses what does not fit into 64 bits."""
    found: dict[str, Any] = {}
    for f in fields(tally):
        value, name = getattr(tally, f.name), above + f.name
        if isinstance(value, tuple):
            for at, part in enumerate(value):
                found |= _arrays(part, f"{name}[{at}].")
        else:
            found[name] = np.asarray(value, dtype=_DTYPE)
    return found


def _filled(like: Any, values: dict[str, Any], above: str = "") -> Any:
    """Return a tally of the form of another with arrays by name."""

    def value(name: str, old: Any) -> Any:
        if isinstance(old, tuple):
            return tuple(_filled(part, values, f"{name}[{at}].") for at, part in enumerate(old))
        return int(values[name]) if isinstance(old, int) else values[name]

    return type(like)(**{f.name: value(above + f.name, getattr(like, f.name)) for f in fields(like)})


def _head(tally: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    return {"format": FORMAT, "tally": type(tally).__name__, "dtype": _DTYPE.str, "shapes": shapes}


def _apart(found: dict[str, Any], wanted: dict[str, Any]) -> Sentence:
    """Return the first thing in which two heads differ, in words."""
    for key in ("format", "tally", "dtype"):
        if found.get(key) != wanted[key]:
            return Sentence("it holds {key} {one!r}, not {two!r}", key=key, one=found.get(key), two=wanted[key])
    one, two = found["shapes"], wanted["shapes"]
    name = next(name for name in {**one, **two} if one.get(name) != two.get(name))
    return Sentence("it holds {name} of shape {one}, not {two}", name=name, one=one.get(name), two=two.get(name))
