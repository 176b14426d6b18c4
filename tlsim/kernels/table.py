"""One game from the first question to the last payment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.jit import kernel, step
from tlsim.kernels.choices import list_choices
from tlsim.kernels.clauses import FAULT, MOST_FLOWS, MOST_PLAYS, N_STATE
from tlsim.kernels.game import begin, play_on
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.money import settle

Ints = NDArray[np.int64]


class Room(NamedTuple):
    """Working space of a game.

    state : int64[N_STATE]; hands, dealt : int64[players]; log : int64[MOST_PLAYS]; flows : int64[MOST_FLOWS, 4];
    partition : int64[2, 27]; streams : uint64[players, 3];
    policies : int64[players]
    """

    state: Ints
    hands: Ints
    dealt: Ints
    log: Ints
    flows: Ints
    partition: Ints
    streams: NDArray[np.uint64]
    policies: Ints


def room(players: int) -> Room:
    """Return working space for a game."""
    sizes = ((N_STATE,), (players,), (players,), (MOST_PLAYS,), (MOST_FLOWS, 4), (2, 27))
    state, hands, dealt, log, flows, partition = (np.zeros(size, np.int64) for size in sizes)
    streams, policies = np.zeros((players, 3), np.uint64), np.zeros(players, np.int64)
    return Room(state, hands, dealt, log, flows, partition, streams, policies)


@step
def play_game(rules, prices, transfers, room, leader, opening, required, policies, script, choices, smart=None):
    """Play a game and settle it; ``room.dealt`` holds the hands. A refused script leaves the reason in the state."""
    players = len(room.dealt)
    for seat in range(players):
        room.hands[seat] = room.dealt[seat]
    begin(room.state, players, leader, opening, required)
    play_on(
        rules,
        room.state,
        room.hands,
        room.dealt,
        room.log,
        room.flows,
        policies,
        script,
        choices,
        room.streams,
        smart,
    )
    if room.state[FAULT] == 0:
        settle(rules, prices, room.state, room.hands, room.dealt, room.log, transfers, room.flows, room.partition)


@kernel
def play_one(
    rules: Ints,
    prices: ItemPrices,
    transfers: Ints,
    room: Room,
    leader: int,
    opening: int,
    required: int,
    policies: Ints,
    script: Ints,
    choices: Ints | None,
    smart: Ints | None = None,
) -> None:
    """Play one game; see `play_game`."""
    play_game(rules, prices, transfers, room, leader, opening, required, policies, script, choices, smart)


@kernel
def choices_of(rules: Ints, state: Ints, hand: int, seat: int, question: int, out: Ints) -> int:
    """Write the legal choices of a seat and return their number; see `list_choices`."""
    return list_choices(rules, state, hand, seat, question, out)  # type: ignore[no-any-return]
