"""Decisions as the engine's log has them, and a game in which they become known one after another, passes left out."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from tlsim.kernels import row as c
from tlsim.kernels.table import play_script
from tlsim.records.model import Entry, GameRecord
from tlsim.records.start import begin_game
from tlsim.rules import Rules

_LAYS = c.ALL_CARDS | c.AS_QUAD | c.AS_RUN_4


def code_of(entry: Entry, record: GameRecord) -> int:
    """Return an entry of a record as the engine's log has it."""
    bits = entry.cards | record.seat_at(entry.seat) << c.SEAT_SHIFT
    bits |= c.INTERRUPT if entry.interrupt else 0
    bits |= c.IS_STUCK if entry.stuck else 0
    return bits | (0 if entry.as_ is None else c.AS_QUAD if entry.as_ == "quad" else c.AS_RUN_4)


def entry_of(code: int, turn: int, players: int) -> Entry:
    """Return an entry of the engine's log as a record has it; turn : the direction of the game."""
    as_ = "quad" if code & c.AS_QUAD else "pair_run_4" if code & c.AS_RUN_4 else None
    return Entry.model_construct(
        seat=(code >> c.SEAT_SHIFT & 7) * turn % players, cards=code & c.ALL_CARDS,
        interrupt=bool(code & c.INTERRUPT), as_=cast(Any, as_), stuck=bool(code & c.IS_STUCK),
    )  # fmt: skip


def turned_cards(game: c.Ints, play: int) -> int:
    """Return cards as the row holds them, or as they are: in a revolution it holds them upside down."""
    return play & ~c.ALL_CARDS | int(f"{play & c.ALL_CARDS:052b}"[::-1], 2) if game[c.REVERSED] else play


def lays_cards(code: int) -> bool:
    """Whether an entry of the log is neither a pass nor a leader who is stuck."""
    return code & _LAYS != 0


class Steps:
    """The decisions of a game so far, those too that nobody names; what the record says of plays is not looked at.

    refused : the decisions after which one was not taken, where its seat was last asked, or all.
    """

    def __init__(self, record: GameRecord, rules: Rules, where: str) -> None:
        self._start = begin_game(record, rules, where)
        self.refused: list[int] = []
        self.go_to([])

    def go_to(self, log: Sequence[int]) -> None:
        """Go to the state after some decisions; leaders who are stuck behind them are added."""
        self.state = self._after(log)
        self.log = self.state[c.LOG : c.LOG + self.state[c.PLAYS]].tolist()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state[c.FAULT] == c.FINE)

    def finish(self) -> bool:
        """Let all pass who may; return whether that ends the game."""
        while self.skip():
            pass
        return self.over

    def take(self, code: int) -> bool:
        """Take a decision at the first moment at which it is legal, with passes before it; else take nothing."""
        self.refused = log = self.log
        while not self.over:
            if code >> c.SEAT_SHIFT & 7 == self.state[c.ASKED_SEAT]:
                self.refused = self.log
            if self._after([*self.log, code])[c.PLAYS] > len(self.log):
                self.go_to([*self.log, code])
                return True
            if not self.skip():
                break
        self.go_to(log)
        return False

    def skip(self) -> bool:
        """Let the seat that is asked pass; return whether it may."""
        if self.over or self.state[c.ASKED] != c.FOLLOW:
            return False
        self.go_to([*self.log, int(self.state[c.ASKED_SEAT]) << c.SEAT_SHIFT])
        return True

    def tell(self, log: Sequence[int]) -> list[tuple[int, bool]]:
        """Go through a whole game; return what must be named for the rest to follow, and whether it leads a trick."""
        told: list[tuple[int, bool]] = []
        at = 0
        while at < len(log):
            before = self.log
            lays = next((n for n in range(at, len(log)) if lays_cards(log[n])), len(log))
            if not (self.take(log[lays]) if lays < len(log) else self.finish()) or self.log != log[: len(self.log)]:
                lays = at  # a pass that nobody would take for granted
                self.go_to([*before, log[at]])
            told += [(code, bool(self.state[c.LED]) and lays_cards(code)) for code in log[lays : lays + 1]]
            at = len(self.log)
        return told

    def _after(self, log: Sequence[int]) -> c.Ints:
        game = self._start.copy()
        play_script(game, np.array(log, np.int64).reshape(-1))
        return game
