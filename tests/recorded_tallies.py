"""Digests of the tallies of some two million games: a change of the kernels that is no change of the rules keeps them.

``python tests/recorded_tallies.py`` records them anew, for a change of rules or of policies; the changelog says which.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.kernels import matches as m
from tlsim.kernels import row as r

FILE = Path(__file__).with_name("recorded_tallies.json")
RECORDED_REASONS = 14  # up to đền báo
POLICIES = ("lowest", "random", "smart", "mixed", "rollout")
_MIXED = ("smart[hold_3s=1]", "random", "lowest", "smart[declare=0]", "random[declare=0]")
# Matches of a case: of `make test`, of `make slow`.
_MATCHES = {"rollout": (1, 20)}
_QUICK = (16, 1700)


def cases():
    """Presets, seats, policies."""
    return [
        (preset, players, policy)
        for preset in tlsim.list_rules()
        for players in _tables(tlsim.load_rules(preset).deal)
        for policy in POLICIES
    ]


def _tables(deal):
    return range(deal.min_players, deal.max_players + 1)


def digest_of(preset, players, policy, *, whole):
    """Digest each array of the tally, eight digits each: what has changed can be told."""
    rules = tlsim.load_rules(preset)
    seats = {"mixed": _MIXED[:players], "rollout": ["rollout[n=8]", *["smart"] * (players - 1)]}.get(policy, policy)
    if policy == "mixed" and rules.toi_trang is not None and rules.toi_trang.declare == "automatic":
        seats = [name.replace("[declare=0]", "") for name in seats]
    work = GameWork(20261201, rules, players, read_policies(seats, players), rules.match_length)
    tally = work.tally_of(40, _MATCHES.get(policy, _QUICK)[whole], None)
    return " ".join(
        f"{name}:{hashlib.sha256(np.ascontiguousarray(_recorded(name, array)).tobytes()).hexdigest()[:8]}"
        for name, array in vars(tally).items()
    )


def _recorded(name, array):
    """Leave out the reasons that came later, which no preset pays."""
    if name == "flows":
        axis = array.shape.index(r.N_REASONS)
        kept, later = np.split(array, [RECORDED_REASONS], axis)
    elif name == "batches":
        columns = np.arange(m.S_REASONS + 2 * RECORDED_REASONS, m.S_REASONS + 2 * r.N_REASONS)
        kept, later = np.delete(array, columns, -1), array[..., columns]
    else:
        return array
    assert not later.any()
    return kept


def record():
    """Write the digests of this code."""
    found = {" ".join(map(str, case)): [digest_of(*case, whole=whole) for whole in (False, True)] for case in cases()}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(record())
