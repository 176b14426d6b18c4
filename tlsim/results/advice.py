"""`Advice`: what `tlsim.advise` returns; `Reviewed`: what every decision gave away, and luck apart from skill."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tlsim.cards import as_seen, format_cards
from tlsim.columns import Row, declared, known
from tlsim.engine.moments import Estimate, Moments
from tlsim.intervals import ratio_mean
from tlsim.kernels.rollout import CONG, FIRST, MONEY, N_FOUND
from tlsim.results.pictures import means
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult
from tlsim.results.worth import HandValue
from tlsim.rules import Rules
from tlsim.show.numbers import amount, general, local, plus_minus, with_error
from tlsim.terms import term

PASS, CALL, SILENT = "pass", "call", "silent"


def spoken_answer(value: Any, _row: Row, lang: str) -> str:
    """Return an answer in words: cards, a pass, a call."""
    return term(f"answer_{value}", lang) if value in (PASS, CALL, SILENT) else as_seen(value)


PLAYS = declared("advise.plays", answer=spoken_answer, behind_best=lambda value, row, _lang: with_error(
    0.0 - value, row["difference_error"]))  # fmt: skip


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

    @property
    def proven(self) -> bool:
        """Whether its means are called exact: of many deals all were played, or the only one was solved."""
        return self.solved or (self.exact and self.games > 1)

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
                "leaves": self.leaves[answer], "exact": self.proven,
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
            sure, unsure = "advice_exact" if self.proven else "advice_best", "advice_close"
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
    return local(amount(value, noise, sign) + plus_minus(noise), lang)


def answer_text(question_is_call: bool, answer: int, cards: int) -> str:
    """Return an answer as files have it: cards as text, or one of `PASS`, `CALL`, `SILENT`."""
    if question_is_call:
        return CALL if answer else SILENT
    return format_cards(cards) if cards else PASS


MARKS = {"blunder": 0.3, "bad": 0.15, "doubtful": 0.05}
"""What a play is called that gives away so many basic stakes or more."""
CLEAR = 3.0  # standard errors that a loss must exceed before anything is said of the play
TAKEN_OFF = 0.75  # of the luck: who plays otherwise than the policies makes less of his cards
_WORST = 5
_PARTS = ("seat", "hand", "others", "lost", "rest")
_ANSWERS: Any = {"played": spoken_answer, "better_play": spoken_answer}
WORST = declared("review.worst", **_ANSWERS)
DECISIONS = declared("review.decisions", keep=lambda row: not row["forced"], **_ANSWERS)
PLAYERS, LUCK = declared("review.players"), declared("review.luck", adjusted=lambda value, row, _lang: with_error(
    value, row["std_error"], "+") if row["std_error"] else amount(value, row["rest_error"], "+"))  # fmt: skip


class Decided(NamedTuple):
    """A decision, and once it was looked at what it lost."""

    game: int
    line: int  # of its file
    at: int | None  # its number in the record, None for a chop out of turn that was declined
    player: str
    answers: tuple[str, ...]  # all that the rules allow
    played: int
    best: int = 0
    loss: Estimate = Estimate(0.0, 0.0, 0)
    exact: bool = False

    @property
    def clear(self) -> bool:
        """Whether it surely lost something."""
        return self.loss.mean > CLEAR * (self.loss.std_error or 0.0)


class Dealt(NamedTuple):
    """What a game brought a player, and what his cards were worth with all playing by the policies."""

    game: int
    player: str
    net: float
    seat: Estimate  # over all deals
    hand: Estimate  # how much more with his hand
    others: Estimate  # with that of another player, summed over these
    cards: Estimate  # all of that


def basic_stake(rules: Rules, players: int) -> float:
    """Return what a plain game is about: a whole hand of cards, or half of what lies between first and last place."""
    if rules.count_cards is not None and rules.prices is not None:
        return max(rules.hand_sizes(players)) * float(rules.prices.rac)
    places = [float(points) for points in dict(rules.place_points or ()).get(players, [0] * players)]
    for transfer in dict(rules.place_transfers or ()).get(players, ()):
        places[transfer.from_place - 1] -= transfer.pays
        places[transfer.to_place - 1] += transfer.pays
    return (max(places) - min(places)) / 2


@dataclass(frozen=True)
class Reviewed(RunResult):
    """What players gave away in games that are written down, and luck apart from skill."""

    policies: tuple[str, ...]  # by which all play on
    deals: int  # for each decision
    stake: float  # the basic one
    decided: tuple[Decided, ...]  # what was looked at
    dealt: tuple[Dealt, ...]
    left: int = 0  # decisions and deals at which nobody has looked

    VIEWS = (DECISIONS, PLAYERS, LUCK, WORST)
    TOLD = ("policies", "deals")
    PICTURES: ClassVar = {"players": partial(means, "per_game", ("player",))}

    def mark(self, each: Decided) -> str | None:
        """Return what a play is called that clearly gives money away."""
        grave = (mark for mark, least in MARKS.items() if each.loss.mean >= least * self.stake)
        return next(grave, None) if each.clear else None

    def marks(self, lang: str) -> dict[int, str]:
        """Return what is said beside the plays of a game, by their numbers in its record."""
        return {
            each.at: term("mark_text", lang).format(
                mark=term(f"mark_{mark}", lang), best=spoken_answer(each.answers[each.best], {}, lang),
                loss=local(with_error(*each.loss.known), lang),
            )
            for each in self.decided if each.at is not None and (mark := self.mark(each))
        }  # fmt: skip

    def _open(self, *players: str) -> list[Decided]:
        """Return the decisions that were not forced, of some players or of all."""
        return [each for each in self.decided if len(each.answers) > 1 and each.player in (players or self._names)]

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.player for each in self.dealt))

    def _row(self, each: Decided) -> Row:
        return {
            "game": each.game, "line": each.line, "at": each.at, "player": each.player,
            "played": each.answers[each.played], "best": each.answers[each.best], "loss": each.loss.mean,
            "loss_error": each.loss.std_error, "mark": self.mark(each),
        }  # fmt: skip

    def _decisions(self) -> list[Row]:
        own = [{"answers": len(e.answers), "exact": e.exact, "forced": len(e.answers) == 1} for e in self.decided]
        return [self._row(each) | more for each, more in zip(self.decided, own, strict=True)]

    def _worst(self) -> list[Row]:
        clear = [each for each in self._open() if each.clear]
        return [self._row(each) for each in sorted(clear, key=lambda each: -each.loss.mean)[:_WORST]]

    def _by_game(self, *players: str) -> tuple[list[float], list[int]]:
        """Return what each game lost, and how many decisions it had that were not forced."""
        games = {each.game: [0.0, 0.0] for each in self.dealt if each.player in (players or self._names)}
        for each in self._open(*players):
            games[each.game] = [games[each.game][0] + each.loss.mean, games[each.game][1] + 1]
        return [loss for loss, _ in games.values()], [int(number) for _, number in games.values()]

    def _noise(self, player: str) -> float:
        """Return how well the sum of a player's losses is known."""
        return math.hypot(*(each.loss.std_error or 0.0 for each in self._open(player)))

    def _players(self) -> list[Row]:
        rows = []
        for player in self._names:
            own, (losses, numbers) = self._open(player), self._by_game(player)
            forced = sum(each.player == player for each in self.decided) - len(own)
            row: Row = {"player": player, "games": len(losses), "decisions": len(own), "forced": forced}
            row |= {mark: sum(self.mark(each) == mark for each in own) for mark in reversed(MARKS)}
            for key, trials in (("per_decision", numbers), ("per_game", [1] * len(losses))):
                mean, noise = ratio_mean(losses, trials)
                alone = self._noise(player) / max(1, sum(trials))  # of a single game
                row |= {key: known(mean), f"{key}_error": alone if len(losses) == 1 else known(noise)}
            rows.append(row | {"within": 1 - sum(each.clear for each in own) / len(own) if own else None})
        return rows

    def _luck(self) -> list[Row]:
        rows = []
        for player in self._names:
            own, lost = [each for each in self.dealt if each.player == player], sum(self._by_game(player)[0])
            plain = _total([each.net for each in own])
            fair = _total([each.net - TAKEN_OFF * (each.hand.mean + each.others.mean) for each in own])
            parts = {key: sum(getattr(each, key).mean for each in own) for key in _PARTS[:3]}
            parts |= {"lost": lost, "rest": plain.mean - sum(parts.values()) + lost}
            noise = {key: math.hypot(*(getattr(each, key).std_error for each in own)) for key in (*_PARTS[:3], "cards")}
            noise |= {"lost": self._noise(player), "rest": math.hypot(noise["cards"], self._noise(player))}
            low, high = fair.interval()
            ratio = (plain.std_error / fair.std_error) ** 2 if plain.std_error and fair.std_error else None
            rows.append({"player": player, "games": len(own), "net": plain.mean} | parts | {
                **{f"{key}_error": noise[key] for key in _PARTS}, "adjusted": fair.mean, "std_error": fair.std_error,
                "ci_low": low, "ci_high": high, "plain_std_error": plain.std_error, "variance_ratio": ratio,
            })  # fmt: skip
        return rows

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (there are no rare ones)
        """Return what a decision that was not forced lost on average."""
        mean, noise = ratio_mean(*self._by_game())
        return {"per_decision": (known(mean), known(noise))}

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        least = {mark: local(general(part * self.stake), lang) for mark, part in MARKS.items()}
        names, deals = ", ".join(dict.fromkeys(self.policies)), local(f"{self.deals:,}", lang)
        return [
            term("note_review", lang).format(games=deals, policies=names),
            term("note_marks", lang).format(**least, unit=self.provenance.unit, errors=f"{CLEAR:g}"),
            term("note_luck", lang), *([term("note_left", lang).format(left=self.left)] if self.left else []),
        ]  # fmt: skip


def _total(values: Sequence[float]) -> Estimate:
    """Return a sum over games with the error of its expectation."""
    n = len(values)
    return Estimate(sum(values), math.sqrt(n) * float(np.std(values, ddof=1)) if n > 1 else None, n)
