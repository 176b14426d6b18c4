"""`Played`: whole games behind what cannot be counted: 2s and bombs, kết 3 bích, reasons, seats, skill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Protocol, TypeAlias

from tlsim.fairness.items import ITEM_COLUMNS, item_rows
from tlsim.fairness.ket import KET_COLUMNS, ket_rows
from tlsim.fairness.leading import DIRECTION_COLUMNS, LEADING_COLUMNS, direction_rows, directions, leading_rows
from tlsim.fairness.rake import GAME_RAKE_COLUMNS, game_rake_rows
from tlsim.fairness.reasons import COVARIANCE_COLUMNS, REASON_COLUMNS, covariance_rows, reason_rows
from tlsim.fairness.risks import RISK_COLUMNS, risk_rows
from tlsim.fairness.sample import Sample
from tlsim.fairness.seats import SEAT_COLUMNS, seat_rows
from tlsim.fairness.skill import SKILL_COLUMNS, check_skill, skill_row
from tlsim.results.games import GameStats
from tlsim.results.parts import Row
from tlsim.rules import Rules

PLAYED_VIEWS = {
    "items": ITEM_COLUMNS, "risks": RISK_COLUMNS, "ket_3_bich": KET_COLUMNS, "reasons": REASON_COLUMNS,
    "covariances": COVARIANCE_COLUMNS, "seats": SEAT_COLUMNS, "leading": LEADING_COLUMNS,
    "direction": DIRECTION_COLUMNS, "skill": SKILL_COLUMNS, "game_rake": GAME_RAKE_COLUMNS,
}  # fmt: skip
HOLDERS = "smart[hold_3s=1]"  # who keep 3♠ for the end
SAMPLE = 12_000  # most games that are looked at one by one

Look: TypeAlias = Callable[[int], Sample]


class Play(Protocol):
    """Plays games over the deals of the run."""

    def __call__(self, rules: Rules, policies: str, games: int, leader: int | None = None, /) -> GameStats:
        """Play so many games by some rules and policies; of a leader: regular games that he leads."""
        ...  # pragma: no cover (a form)


@dataclass(frozen=True)
class Played:
    """Games of a rule set, played when they are first asked for.

    Parameters
    ----------
    rules, policies
        What is played, and by whom.
    players, games, seed
        Seats; how many games for each question, and the seed of their deals.
    play
        Plays games by some rules or policies, over the same deals.
    look
        Looks at so many of the games one by one.
    skill
        A better policy and that of the others, such as ``smart,lowest``.
    rake
        Share that the house takes, or None.
    """

    rules: Rules
    policies: str
    players: int
    games: int
    seed: int
    play: Play = field(compare=False, repr=False)
    look: Look = field(compare=False, repr=False)
    skill: str = "smart,lowest"
    rake: Fraction | None = None

    @cached_property
    def stats(self) -> GameStats:
        """The games."""
        return self.play(self.rules, self.policies, self.games)

    @cached_property
    def sample(self) -> Sample:
        """The first of the games, looked at one by one."""
        return self.look(min(self.games, SAMPLE))

    @property
    def _each(self) -> int:
        """Games for each of the seats, where the same deals are seen from all of them."""
        return -(-self.games // self.players)

    @property
    def skill_names(self) -> tuple[str, str]:
        """The better policy, and that of the others."""
        return check_skill(self.skill)

    def rotated(self, rules: Rules) -> list[GameStats]:
        """Play the same deals with the better player in every seat, one after another."""
        one, others = self.skill_names
        seats = range(self.players)
        return [self.play(rules, ",".join(one if at == seat else others for at in seats), self._each) for seat in seats]

    @cached_property
    def contests(self) -> list[GameStats]:
        """The games of a better player among others, by the rules."""
        return self.rotated(self.rules)

    @cached_property
    def _views(self) -> dict[str, list[Row]]:
        return {}

    def rows(self, view: str) -> list[Row]:
        """Return the rows of one of `PLAYED_VIEWS`."""
        if view not in self._views:
            self._views[view] = getattr(self, f"_{view}")()
        return self._views[view]

    def _items(self) -> list[Row]:
        return item_rows(self.rules, self.stats)

    def _risks(self) -> list[Row]:
        return risk_rows(self.rules, self.sample)

    def _ket_3_bich(self) -> list[Row]:
        return ket_rows(self.rules, lambda rules: self.play(rules, HOLDERS, self.games))

    def _reasons(self) -> list[Row]:
        return reason_rows(self.stats, self.sample)

    def _covariances(self) -> list[Row]:
        return covariance_rows(self.sample)

    def _seats(self) -> list[Row]:
        return seat_rows(self.stats)

    def _leading(self) -> list[Row]:
        seats = range(self.players)
        return leading_rows([self.play(self.rules, self.policies, self._each, leader) for leader in seats])

    def _direction(self) -> list[Row]:
        if self.players < 3:  # two seats have one neighbour each
            return []
        pair = [self.contests if each == self.rules else self.rotated(each) for each in directions(self.rules)]
        return direction_rows(*pair)

    def _skill(self) -> list[Row]:
        points = self.rules.place_points is not None
        return [skill_row(self.contests, self.skill_names, self.rake, points=points)]

    def _game_rake(self) -> list[Row]:
        if self.rake is None or self.rules.place_points is not None:  # points are no money to take a share of
            return []
        return game_rake_rows(self.sample, self.stats.policies, self.rake)
