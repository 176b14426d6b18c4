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
from tlsim.fairness.price_list import DEALS
from tlsim.fairness.rake import game_rake_rows
from tlsim.fairness.reasons import covariance_rows, reason_rows
from tlsim.fairness.risks import item_rows, ket_rows, risk_rows
from tlsim.fairness.sample import Sample
from tlsim.fairness.seating import direction_rows, leading_rows, seat_rows
from tlsim.fairness.skill import check_skill, skill_row
from tlsim.fairness.swings import bankroll_rows, swing_rows
from tlsim.results.game_stats import GameStats
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult
from tlsim.results.worth import DeclareWorth
from tlsim.rules import Rules

VIEWS_OF = {
    "games": ("items", "seats"), "sample": ("risks", "covariances"), "ket_3_bich": ("ket_3_bich",),
    "leading": ("leading",), "skill": ("direction", "skill"),
}  # fmt: skip
"""The views that follow from the games of each part alone."""
_NEEDS = {view: (part,) for part, views in VIEWS_OF.items() for view in views} | dict.fromkeys(
    ("reasons", "game_rake", "swing", "bankroll"), ("games", "sample")
)


def parts_of(rules: Rules) -> tuple[str, ...]:
    """Return the parts that there are under some rules."""
    return tuple(part for part in VIEWS_OF if part != "ket_3_bich" or rules.ket_3_bich is not None)


@dataclass(frozen=True)
class Answer(RunResult):
    """The games of a part, and the views that follow from them alone: `VIEWS_OF`."""

    rules: Rules
    players: int
    skill: str
    part: str
    found: Any = field(repr=False)  # one result for each seating, or games looked at one by one
    games: int  # that it rests on; 0 where there was no time for any
    rake: Fraction | None = None

    VIEWS = v.PLAYED_VIEWS

    def applies(self, view: str) -> bool:
        """Whether a view follows from this part."""
        return view in VIEWS_OF[self.part]

    def rows(self, view: str | None = None) -> list[Row]:
        """Return the rows of a view; none where nothing was played."""
        name = view or self.views[0]
        self.check_view(name)
        return _ROWS[name](self) if self.games else []

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:
        """Return the mean money of the seats in the first seating; nothing of games looked at one by one."""
        return self.found[0].quantities(floor) if isinstance(self.found, list) else {}

    @property
    def contests(self) -> list[GameStats]:
        """The games of a better player among others, by the rules: he in every seat, one after another."""
        return list(self.found[: self.players])


def _direction(answer: Answer) -> list[Row]:
    ways = [answer.contests, answer.found[answer.players :]]
    return direction_rows(*ways[:: -1 if answer.rules.turn.alternate_direction_each_hand else 1]) if ways[1] else []


_ROWS: dict[str, Callable[[Answer], list[Row]]] = {
    "items": lambda answer: item_rows(answer.rules, answer.found[0]),
    "seats": lambda answer: seat_rows(answer.found[0]),
    "risks": lambda answer: risk_rows(answer.rules, answer.found),
    "covariances": lambda answer: covariance_rows(answer.found),
    "ket_3_bich": lambda answer: ket_rows(answer.rules, answer.found),
    "leading": lambda answer: leading_rows(answer.found),
    "direction": _direction,
    "skill": lambda it: [skill_row(it.contests, check_skill(it.skill), it.rake, points=it.provenance.points)],
}
Play: TypeAlias = Callable[[str], Answer]


@dataclass(frozen=True)
class Played:
    """Games of a rule set, played part by part when they are first asked for."""

    rules: Rules
    policies: str
    players: int
    games: int  # for each part
    seed: int
    play: Play = field(compare=False, repr=False)
    skill: str = "smart,lowest"  # a better policy and that of the others
    rake: Fraction | None = None
    bankroll: float | None = None
    games_per_hour: float | None = None
    declare: Callable[[], DeclareWorth | None] = field(default=lambda: None, compare=False, repr=False)
    _answers: dict[str, Answer] = field(default_factory=dict, init=False, compare=False, repr=False)
    _views: dict[str, list[Row]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def answer(self, part: str) -> Answer:
        """Return the games of a part; they are played when this is first asked for."""
        if part not in self._answers:
            self._answers[part] = replace(self.play(part), rake=self.rake)
        return self._answers[part]

    @cached_property
    def declared(self) -> DeclareWorth | None:
        """What declaring each pattern is worth; None where the rules leave no choice."""
        return self.declare()

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked for was interrupted."""
        worth = self.__dict__.get("declared")
        return all(answer.complete for answer in self._answers.values()) and (worth is None or worth.complete)

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
        return self.answer("games").found[0]  # type: ignore[no-any-return]

    @property
    def sample(self) -> Sample:
        """The first of the games, looked at one by one."""
        return self.answer("sample").found  # type: ignore[no-any-return]

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
        no_rake = self.rake is None or self.rules.place_points is not None  # points are no money to share
        if (view == "ket_3_bich" and self.rules.ket_3_bich is None) or (view == "game_rake" and no_rake):
            return []
        answers = [self.answer(part) for part in _NEEDS[view]]
        if not all(answer.games for answer in answers):
            return []
        return _OF_BOTH[view](self) if view in _OF_BOTH else answers[0].rows(view)


def _game_rake(played: Played) -> list[Row]:
    rows = game_rake_rows(played.sample, played.stats.policies, Fraction(played.rake or 0))
    each = rows[-1]["house_per_1000"] / DEALS
    paid = sum(row["money_per_game"] for row in played.rows("reasons"))
    hour = None if played.games_per_hour is None else each * played.games_per_hour
    rows[-1] |= {"hold": each / paid if paid else None, "house_per_hour": hour}
    return rows


def _bankroll(played: Played) -> list[Row]:
    rake = None if played.rules.place_points is not None else played.rake
    return bankroll_rows(played.sample, played.stats.policies, played.seed, rake, played.bankroll)


_OF_BOTH: dict[str, Callable[[Played], list[Row]]] = {
    "reasons": lambda played: reason_rows(played.stats, played.sample), "game_rake": _game_rake,
    "swing": lambda played: swing_rows(played.sample, played.stats.policies, played.rules), "bankroll": _bankroll,
}  # fmt: skip
