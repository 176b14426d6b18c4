"""The questions about whole games: what is played for each, and which views follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tlsim.fairness.ket import readings
from tlsim.fairness.leading import directions
from tlsim.fairness.skill import check_skill
from tlsim.rules import Rules
from tlsim.terms import term

SAMPLE = 12_000  # most games that are looked at one by one
HOLDERS = "smart[hold_3s=1]"  # who keep 3♠ for the end
VIEWS_OF = {
    "games": ("items", "seats"), "sample": ("risks", "covariances"), "ket_3_bich": ("ket_3_bich",),
    "leading": ("leading",), "skill": ("direction", "skill"),
}  # fmt: skip
"""The views that follow from the games of each question alone."""


@dataclass(frozen=True)
class Seating:
    """Rules, who plays by them, and who leads (regular games; None for games in matches)."""

    rules: Rules
    policies: str
    leader: int | None = None


@dataclass(frozen=True)
class Answer:
    """The games of a question: one result for each seating, or games looked at one by one.

    Parameters
    ----------
    found
        The result.
    games
        Games that it rests on; 0 where there was no time for any.
    complete, seconds, stopped
        Whether that is all, the time that it took, and why it stopped.
    """

    found: Any
    games: int
    complete: bool = True
    seconds: float = 0.0
    stopped: str = ""

    def headline(self, lang: str | None = None) -> tuple[str, float | None, float | None]:
        """Return what is shown while it runs: mean money of the first seat; nothing of games looked at one by one."""
        if not isinstance(self.found, list):
            return "", None, None
        row = self.found[0].rows("seats")[0]
        return f"{term('seat_word', lang)} 0", row["mean"], row["std_error"]


Ask: TypeAlias = Callable[[str], Answer]


def questions_of(rules: Rules) -> tuple[str, ...]:
    """Return the questions that rules leave to be asked."""
    return tuple(name for name in VIEWS_OF if name != "ket_3_bich" or rules.ket_3_bich is not None)


def games_of(question: str, games: int, players: int) -> int:
    """Return how many games each seating of a question plays; seen from all seats, these share them."""
    if question == "sample":
        return min(games, SAMPLE)
    return -(-games // players) if question in {"leading", "skill"} else games


def seatings(question: str, rules: Rules, policies: str, players: int, skill: str) -> tuple[Seating, ...]:
    """Return what is played for a question, all over the same deals."""
    if question in {"games", "sample"}:
        return (Seating(rules, policies),)
    if question == "ket_3_bich":
        return tuple(Seating(each, HOLDERS) for each in readings(rules))
    if question == "leading":
        return tuple(Seating(rules, policies, leader) for leader in range(players))
    own = _rotated(rules, players, skill)
    if players < 3:  # two seats have one neighbour each, so there is no direction
        return own
    other = directions(rules)[not rules.turn.alternate_direction_each_hand]
    return own + _rotated(other, players, skill)


def _rotated(rules: Rules, players: int, skill: str) -> tuple[Seating, ...]:
    """Return the seatings of the better player in every seat, one after another."""
    one, others = check_skill(skill)
    seats = range(players)
    return tuple(Seating(rules, ",".join(one if at == seat else others for at in seats)) for seat in seats)
