"""Whole games behind what cannot be counted: the parts in which they are played, and what follows from each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from tlsim.columns import Row
from tlsim.engine.run import worst
from tlsim.fairness import views as v
from tlsim.fairness.rake import game_rake_rows
from tlsim.fairness.reasons import covariance_rows, reason_rows
from tlsim.fairness.risks import item_rows, ket_rows, risk_rows
from tlsim.fairness.sample import Sample
from tlsim.fairness.seating import direction_rows, leading_rows, seat_rows
from tlsim.fairness.skill import check_skill, skill_row
from tlsim.results.games import GameStats
from tlsim.results.provenance import Provenance
from tlsim.results.result import Known, Result
from tlsim.rules import Rules

VIEWS_OF = {
    "games": ("items", "seats"), "sample": ("risks", "covariances"), "ket_3_bich": ("ket_3_bich",),
    "leading": ("leading",), "skill": ("direction", "skill"),
}  # fmt: skip
"""The views that follow from the games of each part alone."""
_NEEDS = {view: (part,) for part, views in VIEWS_OF.items() for view in views} | dict.fromkeys(
    ("reasons", "game_rake"), ("games", "sample")
)


def parts_of(rules: Rules) -> tuple[str, ...]:
    """Return the parts that there are under some rules."""
    return tuple(part for part in VIEWS_OF if part != "ket_3_bich" or rules.ket_3_bich is not None)


@dataclass(frozen=True)
class Answer(Result):
    """The games of a part, and the views that follow from them alone: `VIEWS_OF`.

    Parameters
    ----------
    rules, players, skill, seed, part
        What was asked.
    found
        One result for each seating, or games looked at one by one.
    games
        Games that it rests on; 0 where there was no time for any.
    complete, seconds, stopped
        Whether that is all, the time that it took, and why it stopped.
    rake
        Share that the house takes, or None.
    """

    rules: Rules
    players: int
    skill: str
    seed: int
    part: str
    found: Any = field(repr=False)
    games: int
    complete: bool = True
    seconds: float = 0.0
    stopped: str = ""
    rake: Fraction | None = None

    VIEWS = v.PLAYED_VIEWS

    @property
    def provenance(self) -> Provenance:  # type: ignore[override]
        """What the numbers rest on."""
        return Provenance.of(self.rules, players=self.players, seed=self.seed)

    @property
    def points(self) -> bool:
        """Whether it is about points, not about money."""
        return self.rules.place_points is not None

    def applies(self, view: str) -> bool:
        """Whether a view follows from this part."""
        return view in VIEWS_OF[self.part]

    def rows(self, view: str | None = None) -> list[Row]:
        """Return the rows of a view; none where nothing was played."""
        return super().rows(view) if self.games else []

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:
        """Return the mean money of the seats in the first seating; nothing of games looked at one by one."""
        return self.found[0].quantities(floor) if isinstance(self.found, list) else {}

    def _items(self) -> list[Row]:
        return item_rows(self.rules, self.found[0])

    def _seats(self) -> list[Row]:
        return seat_rows(self.found[0])

    def _risks(self) -> list[Row]:
        return risk_rows(self.rules, self.found)

    def _covariances(self) -> list[Row]:
        return covariance_rows(self.found)

    def _ket_3_bich(self) -> list[Row]:
        return ket_rows(self.rules, self.found)

    def _leading(self) -> list[Row]:
        return leading_rows(self.found)

    @property
    def contests(self) -> list[GameStats]:
        """The games of a better player among others, by the rules: he in every seat, one after another."""
        return list(self.found[: self.players])

    def _direction(self) -> list[Row]:
        own, other = self.contests, self.found[self.players :]
        if not other:
            return []
        return direction_rows(*((other, own) if self.rules.turn.alternate_direction_each_hand else (own, other)))

    def _skill(self) -> list[Row]:
        return [skill_row(self.contests, check_skill(self.skill), self.rake, points=self.points)]


Play: TypeAlias = Callable[[str], Answer]


@dataclass(frozen=True)
class Played:
    """Games of a rule set, played part by part when they are first asked for.

    Parameters
    ----------
    rules, policies
        What is played, and by whom.
    players, games, seed
        Seats; how many games for each part, and the seed of their deals.
    play
        Plays the games of a part.
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
    skill: str = "smart,lowest"
    rake: Fraction | None = None

    @cached_property
    def _answers(self) -> dict[str, Answer]:
        return {}

    @cached_property
    def _views(self) -> dict[str, list[Row]]:
        return {}

    def answer(self, part: str) -> Answer:
        """Return the games of a part; they are played when this is first asked for."""
        if part not in self._answers:
            self._answers[part] = replace(self.play(part), rake=self.rake)
        return self._answers[part]

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked for was interrupted."""
        return all(answer.complete for answer in self._answers.values())

    @property
    def stopped(self) -> str:
        """Why the games stopped, where that was not for their number."""
        return worst(answer.stopped for answer in self._answers.values() if answer.stopped != "size")

    @property
    def has_all(self) -> bool:
        """Whether every part has games to be judged by."""
        return all(self.answer(part).games for part in parts_of(self.rules))

    @property
    def stats(self) -> GameStats:
        """The games."""
        stats: GameStats = self.answer("games").found[0]
        return stats

    @property
    def sample(self) -> Sample:
        """The first of the games, looked at one by one."""
        sample: Sample = self.answer("sample").found
        return sample

    @property
    def skill_names(self) -> tuple[str, str]:
        """The better policy, and that of the others."""
        return check_skill(self.skill)

    @property
    def contests(self) -> list[GameStats]:
        """The games of a better player among others, by the rules: he in every seat, one after another."""
        return self.answer("skill").contests

    def rows(self, view: str) -> list[Row]:
        """Return the rows of a view of whole games; empty where there is nothing to ask."""
        if view not in self._views:
            self._views[view] = self._found(view)
        return self._views[view]

    def _found(self, view: str) -> list[Row]:
        if view == "ket_3_bich" and self.rules.ket_3_bich is None:
            return []
        if view == "game_rake" and (self.rake is None or self.rules.place_points is not None):
            return []  # points are no money to share
        answers = [self.answer(part) for part in _NEEDS[view]]
        if not all(answer.games for answer in answers):
            return []
        if view == "reasons":
            return reason_rows(self.stats, self.sample)
        if view == "game_rake" and self.rake is not None:
            return game_rake_rows(self.sample, self.stats.policies, self.rake)
        return answers[0].rows(view)
