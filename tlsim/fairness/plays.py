"""Whole games behind what cannot be counted: the parts in which they are played, and what follows from each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from tlsim.columns import Row
from tlsim.engine.run import worst
from tlsim.fairness import views as v
from tlsim.fairness.price_list import DEALS
from tlsim.fairness.risks import item_rows, ket_rows, risk_rows
from tlsim.fairness.sample import Sample
from tlsim.fairness.skill import check_skill, direction_rows, leading_rows, seat_rows, skill_row
from tlsim.fairness.swings import bankroll_rows, covariance_rows, game_rake_rows, reason_rows, swing_rows
from tlsim.results.game_stats import GameStats
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult
from tlsim.results.worth import DeclareWorth
from tlsim.rules import Rules


def _direction(it: "Answer | Played", games: list[GameStats]) -> list[Row]:
    players = games[0].players
    ways = [games[:players], games[players:]]
    return direction_rows(*ways[:: -1 if it.rules.turn.alternate_direction_each_hand else 1]) if ways[1] else []


def _game_rake(it: "Played", games: list[GameStats], sample: Sample) -> list[Row]:
    rows = game_rake_rows(sample, games[0].policies, it.rake or Fraction(0))
    each, paid = rows[-1]["house_per_1000"] / DEALS, sum(row["money_per_game"] for row in it.rows("reasons"))
    hour = None if it.games_per_hour is None else each * it.games_per_hour
    rows[-1] |= {"hold": each / paid if paid else None, "house_per_hour": hour}
    return rows


_ROWS: dict[str, tuple[str, Callable[..., list[Row]]]] = {
    "items": ("games", lambda it, games: item_rows(it.rules, games[0])),
    "seats": ("games", lambda _, games: seat_rows(games[0])),
    "risks": ("sample", lambda it, sample: risk_rows(it.rules, sample)),
    "covariances": ("sample", lambda _, sample: covariance_rows(sample)),
    "ket_3_bich": ("ket_3_bich", lambda it, games: ket_rows(it.rules, games)),
    "leading": ("leading", lambda _, games: leading_rows(games)),
    "direction": ("skill", _direction),
    "skill": ("skill", lambda it, games: [skill_row(games[: games[0].players], check_skill(it.skill), it.rake,
                                                    points=it.rules.place_points is not None)]),
    "reasons": ("games sample", lambda _, games, sample: reason_rows(games[0], sample)),
    "game_rake": ("games sample", _game_rake),
    "bankroll": ("games sample", lambda it, games, sample: bankroll_rows(
        sample, games[0].policies, it.seed, None if it.rules.place_points is not None else it.rake, it.bankroll)),
    "swing": ("games sample", lambda it, games, sample: swing_rows(sample, games[0].policies, it.rules)),
}  # fmt: skip
"""Of each view the parts that it needs, and what makes its rows of what was asked and what they found."""
_PARTS = dict.fromkeys(part for part, _ in _ROWS.values() if " " not in part)
VIEWS_OF = {part: tuple(view for view, (needs, _) in _ROWS.items() if needs == part) for part in _PARTS}
"""The views that follow from the games of each part alone."""


def parts_of(rules: Rules) -> tuple[str, ...]:
    """Return the parts that there are under some rules."""
    return tuple(part for part in VIEWS_OF if part != "ket_3_bich" or rules.ket_3_bich is not None)


@dataclass(frozen=True)
class Answer(RunResult):
    """The games of a part, and the views that follow from them alone: `VIEWS_OF`."""

    rules: Rules
    skill: str
    part: str
    found: Any = field(repr=False)  # one result for each seating, or games looked at one by one
    games: int  # that it rests on; 0 where there was no time for any

    VIEWS = v.PLAYED_VIEWS
    rake: ClassVar[None] = None  # of which a part alone knows nothing

    def applies(self, view: str) -> bool:
        """Whether a view follows from this part."""
        return view in VIEWS_OF[self.part]

    def _rows_of(self, view: str) -> list[Row]:
        return _ROWS[view][1](self, self.found) if self.games else []

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:
        """Return the mean money of the seats in the first seating; nothing of games looked at one by one."""
        return self.found[0].quantities(floor) if isinstance(self.found, list) else {}


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
            self._answers[part] = self.play(part)
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
    def had(self) -> int:
        """Number of games that there were: those asked for, or fewer where they ended too soon."""
        return min(self.games, self._answers["games"].games) if "games" in self._answers else self.games

    @property
    def stats(self) -> GameStats:
        """The games."""
        return self.answer("games").found[0]  # type: ignore[no-any-return]

    @property
    def sample(self) -> Sample:
        """The first of the games, looked at one by one."""
        return self.answer("sample").found  # type: ignore[no-any-return]

    def rows(self, view: str) -> list[Row]:
        """Return the rows of a view of whole games; empty where there is nothing to ask."""
        if view not in self._views:
            self._views[view] = self._found(view)
        return self._views[view]

    def _found(self, view: str) -> list[Row]:
        no_rake = self.rake is None or self.rules.place_points is not None  # points are no money to share
        if (view == "ket_3_bich" and self.rules.ket_3_bich is None) or (view == "game_rake" and no_rake):
            return []
        needs, made = _ROWS[view]
        answers = [self.answer(part) for part in needs.split()]
        return made(self, *(answer.found for answer in answers)) if all(answer.games for answer in answers) else []
