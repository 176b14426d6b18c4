"""The networks of expert seats: whole numbers in a file, one network for each family of rules."""

import hashlib
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from tlsim.errors import Sentence, UsageError, reason, shorten
from tlsim.kernels.features import N_NET
from tlsim.kernels.row import Ints
from tlsim.rules import Rules

FAMILIES = ("places", "cards", "north", "sam", "titles")
"""Families of rules: paid by places, by the cards that are left, by the suits of the North, Sâm lốc, Tổng thống."""
TAUGHT = Path(__file__).parent.parent / "weights" / "expert.npz"


def family_of(rules: Rules) -> int:
    """Return the number of the family that rules belong to."""
    if rules.president is not None:
        return 4
    if rules.bao_sam is not None:
        return 3
    if rules.combinations.suit_match == "north":
        return 2
    return 1 if rules.count_cards is not None else 0


_BROKEN = (OSError, ValueError, TypeError, EOFError, BadZipFile, zlib.error)  # of a file that holds something else
_read: dict[tuple[str, int], tuple[Ints, set[str]]] = {}  # a game holds the address, so nothing is ever let go


def nets(path: str = "") -> Ints:
    """Return the networks of a file, int64[families, N_NET]; families that it lacks are those that tlsim brings."""
    return _read_file(path)[0]


def _read_file(path: str) -> tuple[Ints, set[str]]:
    """Return the networks of a file, read once for as long as it is the same, and the families that it was taught."""
    key = path, Path(path or TAUGHT).stat().st_mtime_ns
    if key not in _read:
        found = nets().copy() if path else np.zeros((len(FAMILIES), N_NET), np.int64)
        kept = _arrays(path or TAUGHT)
        for name, numbers in kept.items():
            if name not in FAMILIES or numbers.shape != (N_NET,) or numbers.dtype != np.int16:
                raise ValueError(name)
            found[FAMILIES.index(name)] = numbers
        found.flags.writeable = False
        _read[key] = found, set(kept)
    return _read[key]


def _arrays(path: str | Path) -> dict[str, Any]:
    with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


def digest_of(path: str) -> str:
    """Return the digest of the networks of a file."""
    return hashlib.sha256(nets(path).tobytes()).hexdigest()[:20]


def read_nets(path: str) -> str:
    """Return the path of a file of networks, if they can be read."""
    try:
        nets(path or " ")
    except _BROKEN as error:
        raise UsageError("policies: weights={path}: cannot be read ({why}); must be a file that tlsim train "
                         "has written", path=shorten(path), why=_why(error)) from None  # fmt: skip
    return path


def check_family(path: str, rules: Rules) -> None:
    """Refuse the networks of a file that has none for the family of some rules."""
    taught, ours = _read_file(path)[1], FAMILIES[family_of(rules)]
    if ours not in taught:
        raise UsageError("policies: weights={path}: was taught for {theirs}, and {rules} is of {ours}; teach one by "
                         "tlsim train --rules {rules}", path=shorten(path), theirs=", ".join(sorted(taught)),
                         rules=rules.name, ours=ours)  # fmt: skip


def _why(error: Exception) -> str | Sentence:
    return reason(error) if isinstance(error, OSError) else Sentence("it holds something else")


def read_arrays(path: Path, name: str) -> dict[str, Any]:
    """Return the arrays of a file that an option names."""
    try:
        return _arrays(path)
    except _BROKEN as error:
        raise UsageError("{name} = {path}: cannot be read ({why}); must be a file that tlsim train keeps, or a new one",
                         name=name, path=shorten(str(path)), why=_why(error)) from None  # fmt: skip


def write_arrays(path: Path, **arrays: Any) -> None:
    """Write arrays to a file, first beside it, so that a torn one is never met."""
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        np.savez_compressed(file, **arrays)
    beside.replace(path)
