"""The compiled parts that a game needs: where they are called is written into its row, with the rooms for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tlsim.jit import Part
from tlsim.kernels import policies as k
from tlsim.kernels import row as r
from tlsim.kernels.row import Ints
from tlsim.rules import Rules
from tlsim.warm import ready

_NEEDS = {
    "lowest": set[str](), "random": {"choices"}, "smart": {"smart"}, "rollout": {"rollout", "smart", "choices"},
    "own": {"own", "choices"},
}  # fmt: skip


class Rooms(NamedTuple):
    """Arrays to which a row holds addresses: they must live as long as it is played on."""

    rollout: Ints
    sheet: Ints


def part_of(policy: int) -> Part | None:
    """Return the part that decides for a policy by number; None where that is the table itself."""
    if policy == k.RANDOM:
        from tlsim.kernels.choices import choices as part
    elif policy == k.SMART:
        from tlsim.kernels.smart import smart as part
    elif policy == k.ROLLOUT:
        from tlsim.kernels.rollout import rollout as part
    elif policy == k.OWN:
        from tlsim.kernels.own import own as part
    else:
        return None
    return part


def link_numbers(row: Ints, policies: Iterable[int], *, strengths: bool) -> Rooms:
    """Write into a row where the parts are called that these policies need, and return the rooms for them.

    strengths : whether seats that are asked for a call of Sâm have the strengths of their hands noted
    """
    from tlsim.kernels.table import table

    used, rooms = set(policies), Rooms(np.zeros(0, np.int64), np.zeros(0, np.int64))
    needs: dict[int, set[int]] = {k.ROLLOUT: {k.SMART, k.RANDOM}, k.OWN: {k.RANDOM}}
    for policy in tuple(used):
        used |= needs.get(policy, set())
    if strengths:
        used.add(k.SMART)
    row[r.TABLE_PART] = table.address
    for at, policy in ((r.CHOICES_PART, k.RANDOM), (r.SMART_PART, k.SMART)):
        part: Any = part_of(policy)
        row[at] = part.address if policy in used else 0
    row[r.BY_CHANCE] = bool(used & {k.RANDOM, k.ROLLOUT, k.OWN})
    if k.ROLLOUT in used:
        from tlsim.kernels.rollout import N_ROOM

        rooms = rooms._replace(rollout=np.zeros(N_ROOM, np.int64))
    if k.OWN in used:
        from tlsim.kernels.own import own_room

        rooms = rooms._replace(sheet=own_room())
    row[r.ROLLOUT_ROOM], row[r.SHEET] = rooms.rollout.ctypes.data, rooms.sheet.ctypes.data
    return rooms


def names_of(policies: Iterable[Any], rules: Rules) -> set[str]:
    """Return the names of the parts that whole games need; see `tlsim.warm.PARTS`."""
    names = {"hands", "hall", "table"}
    for policy in policies:
        names |= _NEEDS["own" if policy.is_own else policy.name]
    return names | ({"smart"} if rules.bao_sam is not None else set())


def link(row: Ints, policies: Iterable[Any], rules: Rules) -> Rooms:
    """Write into a row where the parts are called that policies need; see `link_numbers`."""
    ready(*names_of(policies, rules))
    numbers = [int(policy.options()[0]) for policy in policies]
    told = any(policy.sam is not None for policy in policies)
    return link_numbers(row, numbers, strengths=rules.bao_sam is not None and (told or set(numbers) != {k.LOWEST}))
