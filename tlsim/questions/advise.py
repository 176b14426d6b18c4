"""What to play: every answer to a question tried on deals of what the seat cannot see."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from tlsim.cards import format_cards
from tlsim.engine.moments import Moments
from tlsim.engine.paired import UNIT, Tryouts
from tlsim.engine.policies import policies_for
from tlsim.engine.run import Outcome
from tlsim.errors import UsageError
from tlsim.kernels import row as c
from tlsim.options import option
from tlsim.questions.games import Policies
from tlsim.questions.hand import Hand
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import AnyCards, AnyRules, OfRules, read_hand
from tlsim.records.model import GameRecord
from tlsim.records.position import Position, position_at, possible_deals, solve, told_position
from tlsim.results.advice import Advice, Stage, answer_text
from tlsim.results.worth import HandValue
from tlsim.rules import Rules

_FIRST_PART = 8  # of the deals, those on which all answers are tried; then on as many again, twice, four times as many
_OUT = 4.0  # standard errors behind the best from which on an answer is tried no longer
_MOST_DEALS = 2_000  # that are possible, up to which each is played once
_CERTAIN = ("lowest", "smart")  # policies that leave nothing to chance


@dataclass(frozen=True)
class Advise(OfRules[Advice]):
    """What to play with a hand after what was played so far; or the next stage of trying that out."""

    rules: AnyRules = option("rules")
    hand: AnyCards = option("advise.hand")
    so_far: str = option("so_far")
    players: int | None = option("players")
    seat: int = option("seat", kw_only=True)
    leader: int | None = option("advise.leader", kw_only=True)
    opening: bool = option("opening", kw_only=True)
    policies: Policies = option("policies", kw_only=True)
    games: int = option("advise.games", kw_only=True)
    seed: int = option("seed", kw_only=True)
    position: Position | None = field(default=None, kw_only=True, repr=False, compare=False)
    stages: tuple[Stage, ...] = field(default=(), kw_only=True, repr=False, compare=False)
    chosen: tuple[int, ...] = field(default=(), kw_only=True)

    command, size, usual, headline = "advise", "games", "difference", ""

    def _settle(self) -> None:
        super()._settle()
        position, rules = self.position, self.own_rules
        if position is None:
            hand = read_hand("hand", self.hand)
            position = told_position(rules, hand, self.so_far, self.seats, self.seat, self.leader, opening=self.opening)
        self._set(
            players=position.players, seat=position.seat, position=position, hand=position.hand,
            opening=bool(position.row[c.OPENING]), policies=policies_for(rules, self.policies, position.players),
        )  # fmt: skip
        self._set(chosen=self.chosen or tuple(range(len(self.answers))))

    @classmethod
    def of_record(cls, record: GameRecord, rules: Rules, at: int, where: str = "record", **more: Any) -> Advise:
        """Return what to play at a decision of a record; see `position_at`."""
        return cls(rules, 0, position=position_at(record, rules, where, at), **more)

    @property
    def asked(self) -> Position:
        """The game that waits for an answer."""
        assert self.position is not None  # noqa: S101 (it is made when the question is checked)
        return self.position

    @cached_property
    def answers(self) -> tuple[int, ...]:
        """All that the rules allow."""
        return self.asked.answers()

    @cached_property
    def deals(self) -> c.Ints:
        """Every deal that is possible, where they are few and play leaves nothing to chance; else none."""
        certain = all(policy.name in _CERTAIN for policy in self.policies)
        found = possible_deals(self.asked, min(_MOST_DEALS, self.games)) if certain else None
        return np.zeros((0, 0), np.int64) if found is None else found

    @cached_property
    def solved(self) -> Moments | None:
        """What every answer brings where nothing is hidden and two seats are left, both playing their best."""
        found = solve(self.asked) if len(self.deals) == 1 else None
        return None if found is None else Moments.of(np.array([[1, *np.array(found).T.ravel()]], np.int64), 0)

    @property
    def wanted(self) -> int:
        """How many deals of this stage are wanted."""
        if len(self.deals):
            return len(self.deals)
        return min(max(UNIT, self.games // _FIRST_PART, self.begun), self.games - self.begun)

    @property
    def begun(self) -> int:
        """Deals of the stages before this one."""
        return sum(stage.moments.matches for stage in self.stages)

    def work(self) -> Tryouts:
        """Return the trying of the answers of this stage."""
        turned = tuple(self.policies[self.asked.seat_at(at)] for at in range(self.seats))
        answers = tuple(self.answers[at] for at in self.chosen)
        return Tryouts(self.seed, self.own_rules, self.asked.row, turned, answers, self.begun, self.deals)

    def result(self, outcome: Outcome[Moments]) -> Advice:
        """Return what is known after this stage."""
        asked, hand = self.asked, self.asked.hand
        call = asked.question == c.CALL
        cards = [0 if call else asked.true(answer) for answer in self.answers]
        return Advice(
            self.provenance(), tuple(map(str, self.policies)), format_cards(hand), asked.seat,
            tuple(answer_text(call, answer, laid) for answer, laid in zip(self.answers, cards, strict=True)),
            tuple(format_cards(hand & ~laid) for laid in cards),
            (*self.stages, Stage(self.chosen, outcome.tally)), len(self.deals) > 0, self.solved is not None,
            **outcome.ended,
        )  # fmt: skip

    def after(self, found: Advice) -> Advise | None:
        """Return the next stage after a result; None where there is nothing more to be tried."""
        left = found.contenders(_OUT)
        done = found.exact or not found.complete or found.stopped != "size" or found.games >= self.games
        alike = all(not found.behind(answer, found.order[0]).std_error for answer in left)
        return None if done or alike else replace(self, stages=found.stages, chosen=left)


@asks(Advise)
def advise(question: Advise, how: How) -> Advice:
    """Say what to play: every play that the rules allow, with what it brings on average.

    The cards that the seat cannot see are dealt anew, uniformly among the deals that agree with its hand and with what
    was played. Every answer is tried on the same deals, all seats playing on by the policies, so differences have
    paired errors. Answers that fall far behind are tried no longer. Where few deals are possible each is played once,
    and the means are exact for these policies.

    Raises
    ------
    RecordError
        If the rules do not allow what is told, or another seat is to play.

    >>> found = advise("luckywin", "7S 2H", "0 3S 3C; 0 4S 4C; 0 5S 5C; 0 6S 6C; 0 9D 9H; 0 KD; 1 AS", players=2)
    >>> [row["cards"] for row in found.rows()]        # 2♥ takes the trick for sure, and 7♠ goes out next
    ['2H', 'pass']
    """
    return advised(question, how)


def advised(question: Advise, how: How) -> Advice:
    """Try the answers in stages, and return what each brings; what falls far behind is tried no longer."""
    if how.store is not None:
        raise UsageError("store: advice is not kept, it takes seconds; leave it out")
    if question.solved is not None:
        return question.result(Outcome(question.solved, True, 0.0))
    until, seconds = how.until, 0.0
    stage: Advise | None = question
    while stage is not None:
        if until is not None and until.max_time is not None:
            how = replace(how, until=replace(until, max_time=max(until.max_time - seconds, 1e-3)))
        found = run(stage, how)
        seconds += found.seconds
        stage = stage.after(found)
    clear = found.stopped == "size" and not found.exact and found.games < question.games
    found = replace(found, stopped="clear") if clear else found
    return replace(found, seconds=seconds, value=_declared(question, how) if found.complete else None)


def _declared(question: Advise, how: How) -> HandValue | None:
    """Return what declaring is worth, where the hand holds a tới trắng that may be declared or not."""
    asked, rules = question.asked, question.own_rules
    lists = rules.toi_trang
    if asked.row[c.PLAYS] or asked.question > c.FOLLOW or lists is None or lists.declare != "optional":
        return None
    at, n = int(asked.row[c.ASKED_SEAT]), asked.players
    seats = [asked.seat_at(at + step) for step in range(n)]
    distance = None if question.opening else (at - int(asked.row[c.LEADER])) % n
    held = Hand(asked.hand, rules, n, [question.policies[seat] for seat in seats], games=question.games,
                distance=distance, opening=question.opening, seed=question.seed)  # fmt: skip
    return run(held, replace(how, until=None)) if held.counts_as is not None else None
