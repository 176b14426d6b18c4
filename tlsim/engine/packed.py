"""Tallies as bytes: any frozen dataclass of whole numbers and int64 arrays, with names, shapes and a checksum."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

FORMAT = 1
_DTYPE = np.dtype("<i8")
T = TypeVar("T")


class PackedError(Exception):
    """Bytes that are no tally of the wanted form, or are damaged."""


def pack(tally: Any) -> bytes:
    """Return a tally as bytes.

    Examples
    --------
    >>> from tlsim.engine.events import EventTally
    >>> unpack(pack(EventTally(hands=5, count=3)), EventTally())
    EventTally(hands=5, count=3)
    """
    arrays = _arrays(tally)
    head = json.dumps(_head(tally, arrays)).encode()
    body = zlib.compress(b"".join(array.tobytes() for array in arrays.values()), level=1)
    rest = len(head).to_bytes(4, "little") + head + body
    return hashlib.sha256(rest).digest() + rest


def unpack(data: bytes, like: T) -> T:
    """Return the tally that bytes hold.

    Parameters
    ----------
    data
        What `pack` made.
    like
        A tally of the same form.

    Raises
    ------
    PackedError
        If the bytes are damaged, or hold a tally of another form.
    """
    digest, rest = data[:32], data[32:]
    if hashlib.sha256(rest).digest() != digest:
        raise PackedError("the checksum is wrong")
    size = int.from_bytes(rest[:4], "little")
    found, wanted = json.loads(rest[4 : 4 + size]), _head(like, _arrays(like))
    if found != wanted:
        raise PackedError(f"it holds {_apart(found, wanted)}")
    body, at, values = zlib.decompress(rest[4 + size :]), 0, {}
    for name, array in _arrays(like).items():
        flat = np.frombuffer(body, dtype=_DTYPE, count=array.size, offset=at)
        at += array.nbytes
        whole = isinstance(getattr(like, name), int)
        values[name] = int(flat[0]) if whole else flat.reshape(array.shape).astype(np.int64)
    return type(like)(**values)


def _arrays(tally: Any) -> dict[str, Any]:
    """Return the fields of a tally as arrays; numpy refuses what does not fit into 64 bits."""
    return {f.name: np.asarray(getattr(tally, f.name), dtype=_DTYPE) for f in fields(tally)}


def _head(tally: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    return {"format": FORMAT, "tally": type(tally).__name__, "dtype": _DTYPE.str, "shapes": shapes}


def _apart(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """Return the first thing in which two heads differ, in words."""
    for key in ("format", "tally", "dtype"):
        if found.get(key) != wanted[key]:
            return f"{key} {found.get(key)!r}, not {wanted[key]!r}"
    one, two = found["shapes"], wanted["shapes"]
    name = next(name for name in {**one, **two} if one.get(name) != two.get(name))
    return f"{name} of shape {one.get(name)}, not {two.get(name)}"
