"""Decisions as the engine's log has them, and as a record has them."""

from __future__ import annotations

from typing import Literal

from tlsim.kernels import row as c
from tlsim.records.model import Entry, GameRecord

_LAYS = c.ALL_CARDS | c.AS_QUAD | c.AS_RUN_4


def code_of(entry: Entry, record: GameRecord) -> int:
    """Return an entry of a record as the engine's log has it."""
    bits = entry.cards | record.seat_at(entry.seat) << c.SEAT_SHIFT
    bits |= c.INTERRUPT if entry.interrupt else 0
    bits |= c.IS_STUCK if entry.stuck else 0
    return bits | (0 if entry.as_ is None else c.AS_QUAD if entry.as_ == "quad" else c.AS_RUN_4)


def entry_of(code: int, turn: int, players: int) -> Entry:
    """Return an entry of the engine's log as a record has it; turn : the direction of the game."""
    as_: Literal["quad", "pair_run_4"] | None = None
    if code & (c.AS_QUAD | c.AS_RUN_4):
        as_ = "quad" if code & c.AS_QUAD else "pair_run_4"
    return Entry.model_construct(
        seat=(code >> c.SEAT_SHIFT & 7) * turn % players, cards=code & c.ALL_CARDS,
        interrupt=bool(code & c.INTERRUPT), as_=as_, stuck=bool(code & c.IS_STUCK),
    )  # fmt: skip


def lays_cards(code: int) -> bool:
    """Whether an entry of the log is neither a pass nor a leader who is stuck."""
    return code & _LAYS != 0
