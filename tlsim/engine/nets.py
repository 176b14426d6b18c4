"""The networks of expert seats: whole numbers in a file, one network for each family of rules."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

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


@lru_cache(maxsize=8)
def nets(path: str) -> Ints:
    """Return the networks of a file, int64[families, N_NET]; families that it lacks are those that tlsim brings."""
    found = np.zeros((len(FAMILIES), N_NET), np.int64) if path == "" else nets("").copy()
    with np.load(path or TAUGHT) as kept:
        for number, family in enumerate(FAMILIES):
            if family in kept:
                found[number] = kept[family]
    found.flags.writeable = False
    return found


@lru_cache(maxsize=8)
def digest_of(path: str) -> str:
    """Return the digest of the networks of a file."""
    return hashlib.sha256(nets(path).tobytes()).hexdigest()[:20]


def read_nets(path: str) -> str:
    """Return the path of a file of networks, if they can be read."""
    try:
        nets(path)
    except (OSError, ValueError) as error:
        raise UsageError("policies: expert[weights={path}]: cannot be read ({why}); must be a file that "
                         "tlsim train has written", path=shorten(path), why=reason(error)) from None  # fmt: skip
    return path
