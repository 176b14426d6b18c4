"""`Played`: whole games behind what cannot be counted: 2s and bombs, kết 3 bích, reasons, seats, skill."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tlsim.fairness.items import ITEM_COLUMNS, item_rows
from tlsim.fairness.ket import KET_COLUMNS, ket_rows
from tlsim.fairness.leading import DIRECTION_COLUMNS, LEADING_COLUMNS, direction_rows, leading_rows
from tlsim.fairness.questions import VIEWS_OF, Answer, Ask, questions_of
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
_NEEDS = {view: (question,) for question, views in VIEWS_OF.items() for view in views} | {
    "reasons": ("games", "sample"), "game_rake": ("games", "sample"),
}  # fmt: skip


@dataclass(frozen=True)
class Played:
    """Games of a rule set, played when they are first asked for.

    Parameters
    ----------
    rules, policies
        What is played, and by whom.
    players, games, seed
        Seats; how many games for each question, and the seed of their deals.
    ask
        Plays the games of a question; see `tlsim.fairness.questions`.
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
    ask: Ask = field(compare=False, repr=False)
    skill: str = "smart,lowest"
    rake: Fraction | None = None

    @cached_property
    def _answers(self) -> dict[str, Answer]:
        return {}

    def answer(self, question: str) -> Answer:
        """Return the games of a question; they are played when this is first asked for."""
        if question not in self._answers:
            self._answers[question] = self.ask(question)
        return self._answers[question]

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked for was interrupted."""
        return all(answer.complete for answer in self._answers.values())

    @property
    def stopped(self) -> str:
        """Why the games stopped, where that was not for their number."""
        reasons = {answer.stopped for answer in self._answers.values()} - {"size"}
        return next((reason for reason in ("failure", "interrupt", "time", "stored") if reason in reasons), "")

    @property
    def has_all(self) -> bool:
        """Whether every question has games to be judged by."""
        return all(self.answer(question).games for question in questions_of(self.rules))

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
        return list(self.answer("skill").found[: self.players])

    @cached_property
    def _views(self) -> dict[str, list[Row]]:
        return {}

    def rows(self, view: str) -> list[Row]:
        """Return the rows of one of `PLAYED_VIEWS`."""
        if view not in self._views:
            asked = self._applies(view) and all(self.answer(question).games for question in _NEEDS[view])
            self._views[view] = getattr(self, f"_{view}")() if asked else []
        return self._views[view]

    def _applies(self, view: str) -> bool:
        """Whether there is anything to ask: two seats have one neighbour each, points are no money to share."""
        if view == "ket_3_bich":
            return self.rules.ket_3_bich is not None
        if view == "game_rake":
            return self.rake is not None and self.rules.place_points is None
        return view != "direction" or self.players > 2

    def _items(self) -> list[Row]:
        return item_rows(self.rules, self.stats)

    def _risks(self) -> list[Row]:
        return risk_rows(self.rules, self.sample)

    def _ket_3_bich(self) -> list[Row]:
        return ket_rows(self.rules, self.answer("ket_3_bich").found)

    def _reasons(self) -> list[Row]:
        return reason_rows(self.stats, self.sample)

    def _covariances(self) -> list[Row]:
        return covariance_rows(self.sample)

    def _seats(self) -> list[Row]:
        return seat_rows(self.stats)

    def _leading(self) -> list[Row]:
        return leading_rows(self.answer("leading").found)

    def _direction(self) -> list[Row]:
        own, other = self.contests, self.answer("skill").found[self.players :]
        return direction_rows(*((other, own) if self.rules.turn.alternate_direction_each_hand else (own, other)))

    def _skill(self) -> list[Row]:
        points = self.rules.place_points is not None
        return [skill_row(self.contests, self.skill_names, self.rake, points=points)]

    def _game_rake(self) -> list[Row]:
        assert self.rake is not None  # noqa: S101 (for mypy; `_applies`)
        return game_rake_rows(self.sample, self.stats.policies, self.rake)
