"""`Advice`: what `tlsim.advise` returns: every answer to a question with what it brings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from tlsim.cards import as_seen, format_cards
from tlsim.columns import Row, declared
from tlsim.engine.moments import Estimate, Moments
from tlsim.kernels.rollout import CONG, FIRST, MONEY, N_FOUND
from tlsim.results.pictures import means
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult
from tlsim.results.value import HandValue
from tlsim.show.numbers import about, local, plus_minus
from tlsim.terms import term

PASS, CALL, SILENT = "pass", "call", "silent"


def spoken_answer(value: Any, _row: Row, lang: str) -> str:
    """Return an answer in words: cards, a pass, a call."""
    return term(f"answer_{value}", lang) if value in (PASS, CALL, SILENT) else as_seen(value)


PLAYS = declared("advise.plays", answer=spoken_answer)


@dataclass(frozen=True)
class Stage:
    """Answers that were tried on the same deals."""

    answers: tuple[int, ...]  # their numbers among all answers
    moments: Moments = field(repr=False)

    def part(self, chosen: Sequence[int]) -> Moments:
        """Return the sums of some of its answers alone."""
        at = [self.answers.index(answer) for answer in chosen]
        columns = [0, *(1 + found * len(self.answers) + n for found in range(N_FOUND) for n in at)]
        return Moments(self.moments.products[:, columns][:, :, columns])


@dataclass(frozen=True)
class Advice(RunResult):
    """What every answer to a question brings: mean money, chances, and how sure it is which is best."""

    policies: tuple[str, ...]  # by which all play on, by seat
    hand: str  # the hand that decides, as text
    seat: int
    answers: tuple[str, ...]  # all of them, as text
    leaves: tuple[str, ...]  # what each leaves in the hand
    stages: tuple[Stage, ...]  # what was tried
    exact: bool = False  # whether every possible deal was played once, so that no mean has an error of chance
    solved: bool = False  # whether the one possible deal was solved: both seats that are left play their best
    value: HandValue | None = None  # what declaring a tới trắng is worth, where that may be done

    VIEWS = (PLAYS,)
    TOLD = ("hand", "seat", "policies", "games")
    PICTURES: ClassVar = {"plays": partial(means, "mean", ("cards",))}

    @property
    def games(self) -> int:
        """Number of deals on which the last answers were tried."""
        return sum(stage.moments.matches for stage in self.stages)

    def sums(self, *answers: int) -> Moments:
        """Return the sums of answers over the deals on which all of them were tried."""
        parts = [stage.part(answers) for stage in self.stages if set(answers) <= set(stage.answers)]
        return Moments(np.sum([part.products for part in parts], axis=0))

    def mean(self, found: int, answer: int) -> Estimate:
        """Return the mean of what is found of an answer."""
        return self.sums(answer).mean({1 + found: 0.5 if found == MONEY else 1.0})

    def behind(self, answer: int, best: int) -> Estimate:
        """Return how much more an answer brings than another, over the same deals."""
        return self.sums(answer, best).mean({1: 0.5, 2: -0.5}) if answer != best else Estimate(0.0, 0.0, self.games)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The answers, the best first: those that were tried longest before the others."""
        tried = {answer: len(stage.answers) for stage in self.stages for answer in stage.answers}
        best = max(self.stages[-1].answers, key=lambda answer: (self.mean(MONEY, answer).mean, -answer))
        back = {answer: self.behind(answer, best).mean for answer in range(len(self.answers))}
        return tuple(sorted(range(len(self.answers)), key=lambda a: (a != best, tried[a], -back[a], a)))

    def contenders(self, errors: float) -> tuple[int, ...]:
        """Return the answers that may be the best: not so many standard errors behind."""
        best, found = self.order[0], []
        for answer in self.stages[-1].answers:
            gap = self.behind(answer, best)
            if answer == best or -gap.mean <= errors * (gap.std_error or 0.0) or self.exact:
                found.append(answer)
        return tuple(found)

    def _better(self, answer: int) -> float:
        """Return how likely an answer is better than the one that seems best."""
        gap = self.behind(answer, self.order[0])
        return NormalDist().cdf(gap.mean / gap.std_error) if gap.std_error and not self.exact else 0.0

    def _plays(self) -> list[Row]:
        best, rows = self.order[0], []
        gaps = {self.behind(answer, best): answer for answer in self.order[1:]}  # alike but for a suit: counted once
        others = sum(map(self._better, gaps.values()))
        for answer in self.order:
            mean, gap = self.mean(MONEY, answer), self.behind(answer, best)
            same = gap.mean == 0.0 and not gap.std_error
            rows.append({
                "cards": self.answers[answer], "mean": mean.mean, "std_error": 0.0 if self.exact else mean.std_error,
                "difference": gap.mean, "difference_error": 0.0 if self.exact else gap.std_error,
                "first": self.mean(FIRST, answer).mean, "cong": self.mean(CONG, answer).mean,
                "sure": max(0.0, 1.0 - others) if same else self._better(answer),
                "leaves": self.leaves[answer], "exact": self.exact,
            })  # fmt: skip
        return rows

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (there are no rare ones)
        """Return the mean of the best answer, and how much more it brings than the next one that differs from it."""
        best = self.mean(MONEY, self.order[0])
        gaps = [self.behind(answer, self.order[0]) for answer in self.contenders(math.inf) if answer != self.order[0]]
        apart = [gap for gap in gaps if gap.std_error]
        nearest = max(apart, key=lambda gap: gap.mean, default=None)
        known = (None, None) if nearest is None else (-nearest.mean, nearest.std_error)
        return {"mean": (best.mean, best.std_error), "difference": known}

    def said(self, lang: str) -> list[str]:
        """Return what to do, in words."""
        rows = self.rows()
        best = rows[0]
        words = {
            "play": spoken_answer(best["cards"], best, lang),
            "mean": _money(best["mean"], best["std_error"], lang),
        }
        same = [row for row in rows[1:] if row["difference"] == 0 and not row["difference_error"]]
        if same:
            words["play"] += " = " + ", ".join(spoken_answer(row["cards"], row, lang) for row in same)
        rest = [row for row in rows[1:] if row not in same]
        if not rest:
            text = term("advice_alike" if same else "advice_only", lang).format(**words)
        else:
            sure, unsure = "advice_exact" if self.exact else "advice_best", "advice_close"
            key = sure if best["sure"] > 0.95 or self.exact else unsure
            gap = _money(-rest[0]["difference"], rest[0]["difference_error"], lang, sign="")
            text = term(key, lang).format(**words, other=spoken_answer(rest[0]["cards"], rest[0], lang), gap=gap)
        return [*(self.value.said(lang) if self.value is not None else []), text]

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        if self.solved:
            return [term("note_advice_solved", lang)]
        key = "note_advice_exact" if self.exact else "note_advice"
        names = ", ".join(dict.fromkeys(self.policies))
        return [term(key, lang).format(games=local(f"{self.games:,}", lang), policies=names)]


def _money(value: float, noise: float | None, lang: str, sign: str = "+") -> str:
    return local(about(value, noise, sign) + plus_minus(noise), lang)


def answer_text(question_is_call: bool, answer: int, cards: int) -> str:
    """Return an answer as files have it: cards as text, or one of `PASS`, `CALL`, `SILENT`."""
    if question_is_call:
        return CALL if answer else SILENT
    return format_cards(cards) if cards else PASS
