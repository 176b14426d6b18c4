"""`Played`: whole games behind what cannot be counted: 2s and bombs, kết 3 bích, seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tlsim.fairness.items import ITEM_COLUMNS, REASON_COLUMNS, item_rows, reason_rows
from tlsim.fairness.ket import KET_COLUMNS, ket_rows
from tlsim.fairness.seats import SEAT_COLUMNS, seat_rows
from tlsim.results.games import GameStats
from tlsim.results.parts import Row
from tlsim.rules import Rules

Play: TypeAlias = Callable[[Rules, str], GameStats]
PLAYED_VIEWS = {"items": ITEM_COLUMNS, "ket_3_bich": KET_COLUMNS, "reasons": REASON_COLUMNS, "seats": SEAT_COLUMNS}
HOLDERS = "smart[hold_3s=1]"  # who keep 3♠ for the end


@dataclass(frozen=True)
class Played:
    """Games of a rule set, played when they are first asked for.

    Parameters
    ----------
    rules, policies
        What is played, and by whom.
    games, seed
        How many games, and the seed of their deals.
    play
        Plays so many games by other rules or policies, over the same deals.
    """

    rules: Rules
    policies: str
    games: int
    seed: int
    play: Play = field(compare=False, repr=False)

    @cached_property
    def stats(self) -> GameStats:
        """The games."""
        return self.play(self.rules, self.policies)

    def rows(self, view: str) -> list[Row]:
        """Return the rows of one of `PLAYED_VIEWS`."""
        if view == "items":
            return item_rows(self.rules, self.stats)
        if view == "ket_3_bich":
            return ket_rows(self.rules, lambda rules: self.play(rules, HOLDERS))
        return reason_rows(self.stats) if view == "reasons" else seat_rows(self.stats)
