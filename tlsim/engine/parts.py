"""The compiled parts that a game needs: where they are called is written into its row, with the rooms for them."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from tlsim.jit import Part
from tlsim.kernels import policies as k
from tlsim.kernels import row as r
from tlsim.kernels.row import Ints
from tlsim.rules import Rules
from tlsim.warm import ready

_PARTS = {k.RANDOM: "choices", k.SMART: "smart", k.ROLLOUT: "rollout", k.EXPERT: "expert", k.OWN: "own"}
"""The part, and module of it, that decides for a policy by number; for the lowest cards the table does."""
_NEEDS = {k.ROLLOUT: {k.SMART, k.RANDOM}, k.EXPERT: {k.SMART, k.RANDOM}, k.OWN: {k.RANDOM}}


class Rooms(NamedTuple):
    """Arrays to which a row holds addresses: they must live as long as it is played on."""

    rollout: Ints
    sheet: Ints
    expert: Ints


def part_of(policy: int) -> Part | None:
    """Return the part that decides for a policy by number; None where that is the table itself."""
    name = _PARTS.get(policy)
    return getattr(import_module(f"tlsim.kernels.{name}"), name) if name else None


def _with_needs(policies: Iterable[int]) -> set[int]:
    """Return policies and those that their parts call."""
    used = set(policies)
    return used.union(*(_NEEDS.get(policy, ()) for policy in used))


def link_numbers(row: Ints, policies: Iterable[int], *, strengths: bool) -> Rooms:
    """Write into a row where the parts of policies are called; return their rooms; strengths : of hands are noted."""
    from tlsim.kernels.table import table

    used, rooms = _with_needs(policies), Rooms(*(np.zeros(0, np.int64) for _ in range(3)))
    if strengths:
        used.add(k.SMART)
    row[r.TABLE_PART] = table.address
    for at, policy in ((r.CHOICES_PART, k.RANDOM), (r.SMART_PART, k.SMART)):
        part: Any = part_of(policy)
        row[at] = part.address if policy in used else 0
    row[r.BY_CHANCE] = bool(used & {k.RANDOM, k.ROLLOUT, k.OWN, k.EXPERT})
    if k.ROLLOUT in used:
        from tlsim.kernels.rollout import N_ROOM

        rooms = rooms._replace(rollout=np.zeros(N_ROOM, np.int64))
    if k.EXPERT in used:
        from tlsim.kernels.expert import N_EXPERT_ROOM

        rooms = rooms._replace(expert=np.zeros(N_EXPERT_ROOM, np.int64))
    if k.OWN in used:
        from tlsim.kernels.own import own_room

        rooms = rooms._replace(sheet=own_room())
    row[r.ROLLOUT_ROOM], row[r.SHEET] = rooms.rollout.ctypes.data, rooms.sheet.ctypes.data
    row[r.EXPERT_ROOM] = rooms.expert.ctypes.data
    return rooms


def names_of(policies: Iterable[Any], rules: Rules) -> set[str]:
    """Return the names of the parts that whole games need; see `tlsim.warm.PARTS`."""
    used = _with_needs(number for each in policies for number in each.numbers)
    names = {_PARTS[policy] for policy in used if policy in _PARTS}
    return names | {"hands", "hall", "table"} | ({"smart"} if rules.bao_sam is not None else set())


def link(row: Ints, policies: Iterable[Any], rules: Rules) -> Rooms:
    """Write into a row where the parts are called that policies need; see `link_numbers`."""
    ready(*names_of(policies, rules))
    numbers = [number for policy in policies for number in policy.numbers]
    told = any(policy.sam is not None for policy in policies)
    return link_numbers(row, numbers, strengths=rules.bao_sam is not None and (told or set(numbers) != {k.LOWEST}))
