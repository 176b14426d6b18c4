"""The networks of expert seats: whole numbers in a file, one network for each family of rules."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.errors import UsageError, reason, shorten
from tlsim.kernels.net import N_NET
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


_read: dict[tuple[str, int], Ints] = {}  # what was read; a game holds the address, so nothing is ever let go


def nets(path: str = "") -> Ints:
    """Return the networks of a file, int64[families, N_NET]; families that it lacks are those that tlsim brings."""
    key = path, Path(path or TAUGHT).stat().st_mtime_ns
    if key not in _read:
        found = nets().copy() if path else np.zeros((len(FAMILIES), N_NET), np.int64)
        with np.load(path or TAUGHT, allow_pickle=False) as kept:
            for name in kept.files:
                found[FAMILIES.index(name)] = kept[name]
        found.flags.writeable = False
        _read[key] = found
    return _read[key]


def digest_of(path: str) -> str:
    """Return the digest of the networks of a file."""
    return hashlib.sha256(nets(path).tobytes()).hexdigest()[:20]


def read_nets(path: str) -> str:
    """Return the path of a file of networks, if they can be read."""
    try:
        nets(path)
    except (OSError, ValueError) as error:
        raise UsageError("policies: weights={path}: cannot be read ({why}); must be a file that tlsim train "
                         "has written", path=shorten(path), why=reason(error)) from None  # fmt: skip
    return path


def read_arrays(path: Path, name: str) -> dict[str, Any]:
    """Return the arrays of a file that an option names."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except (OSError, ValueError) as error:
        raise UsageError("{name} = {path}: cannot be read ({why}); must be a file that tlsim train keeps, or a new one",
                         name=name, path=shorten(str(path)), why=reason(error)) from None  # fmt: skip


def write_arrays(path: Path, **arrays: Any) -> None:
    """Write arrays to a file, first beside it, so that a torn one is never met."""
    beside = path.with_name(path.name + ".part")
    with beside.open("wb") as file:
        np.savez_compressed(file, **arrays)
    beside.replace(path)
