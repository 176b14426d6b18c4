"""What was played in games that are written down: what each decision gave away, and luck apart from skill."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.engine.game_work import GameWork
from tlsim.engine.given_deals import GivenDeals
from tlsim.engine.identity import Identity, identity_of
from tlsim.engine.moments import Estimate, Moments
from tlsim.engine.paired import UNIT, Tryouts
from tlsim.engine.policies import Policy, policies_for
from tlsim.engine.run import Outcome, Until
from tlsim.engine.work import Block, Flag, Work
from tlsim.errors import Sentence, UsageError, unknown, wrong
from tlsim.kernels import hall as h
from tlsim.kernels import row as c
from tlsim.kernels.given import Given
from tlsim.options import option
from tlsim.questions.advise import Advise
from tlsim.questions.games import Policies
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import Question
from tlsim.records.game_files import NO_GAME, lines_of, settle_lines
from tlsim.records.model import GameRecord, RecordError, broken, read_record
from tlsim.records.position import Position, positions_of
from tlsim.records.referee import Settlement
from tlsim.records.text import names_of
from tlsim.records.words import plain
from tlsim.results.advice import Dealt, Decided, Reviewed, answer_text, basic_stake
from tlsim.results.provenance import Provenance
from tlsim.rules import Rules, load_rules
from tlsim.tally import Tally

_DEAL = -1  # what is looked at of a game beside its decisions: its cards
# What is found of a decision: deals, the best answer, sum of what was lost, of its square, whether these are all deals;
# of a deal: how often it was played, then the sums of each seat.
DEALS, BEST, LOST, SQUARES, EXACT, N_FOUND = range(6)
_DEALT = 8  # sums of a seat: what it is worth, what its hand adds, what the other hands add, all that; and squares


@lru_cache(maxsize=8)
def _game(text: str, rules: Rules) -> tuple[GameRecord, list[tuple[int | None, Position]]]:
    """Return a record, and the game before each of its decisions."""
    record = read_record(json.loads(text))
    return record, positions_of(record, rules)


@dataclass(frozen=True, eq=False)
class ReviewTally(Tally):
    """What is found of every decision and every deal, 0 where nobody has looked."""

    decisions: c.Ints  # int64[looks, N_FOUND]
    deals: c.Ints  # int64[games, 1 + _DEALT * MOST_SEATS]


@dataclass(frozen=True)
class AsDealt(GivenDeals):
    """Deals by the dealer of a whole one."""

    whole: tuple[int, ...] = ()

    def of(self, key: c.Ints, first: int, matches: int) -> Given:
        """Return what is given of some matches; key : key of the seed."""
        found = super().of(key, first, matches)
        return found._replace(dealers=np.full_like(found.dealers, self.rules.dealer_of(self.whole)))


@dataclass(frozen=True)
class Reviews(Work[ReviewTally]):
    """Look at decisions, and at what the deals were worth."""

    seed: int
    rules: Rules
    policies: tuple[Policy, ...]
    games: int
    error: float | None
    records: tuple[str, ...]
    looks: tuple[tuple[int, int], ...]  # a game, and which of its decisions, or `_DEAL`

    unit = 1

    def zero(self) -> ReviewTally:
        """Return what is found of nothing."""
        shapes = (len(self.looks), N_FOUND), (len(self.records), 1 + _DEALT * c.MOST_SEATS)
        return ReviewTally(*(np.zeros(shape, np.int64) for shape in shapes))

    def identity(self) -> Identity:
        """Return what changes the answer."""
        what = hashlib.sha256(repr((self.records, self.looks)).encode()).hexdigest()
        return identity_of(
            "review", seed=self.seed, games=self.games, error=self.error, policies=list(map(str, self.policies)),
            sources=[policy.source for policy in self.policies], rules=self.rules.outcome(), records=what,
        )  # fmt: skip

    def __call__(self, block: Block, stop: Flag = None) -> ReviewTally | None:
        """Return what is found of some looks, or None where it was stopped."""
        found = self.zero()
        for look in range(block.first, block.first + block.deals):
            game, at = self.looks[look]
            record, positions = _game(self.records[game], self.rules)
            try:
                row = self._deal(game, record, stop) if at == _DEAL else self._loss(game, at, positions[at][1], stop)
            except _Stopped:
                return None
            (found.deals[game] if at == _DEAL else found.decisions[look])[: len(row)] = row
        return found

    def _loss(self, game: int, at: int, position: Position, stop: Flag) -> list[int]:
        """Find the best answer on half of the deals, and what was lost against it on the other half.

        On the deals by which the best was chosen a loss would be too great on average.
        """
        half, own = self.games // 2, self.policies[: position.players]
        asked = Advise(self.rules, 0, position=position, policies=own, games=half,
                       seed=self.seed ^ (game + 1 << 96 | at << 64))  # fmt: skip
        played = asked.answers.index(position.played or 0)
        if len(asked.answers) == 1:
            return [1, played, 0, 0, True]
        stage: Advise | None = asked
        while stage is not None:
            sums = asked.solved or _tried(stage.work(), 0, stage.wanted, stop)
            found = stage.result(Outcome(sums, True, 0.0))
            stage = None if self._fine(found.behind(played, found.order[0])) else stage.after(found)
        best = found.order[0]
        pair = found.sums(best, played)
        if not found.exact and best != played:
            work = replace(asked, stages=found.stages, chosen=(best, played)).work()
            pair = work.zero()
            while pair.matches < half and not self._fine(pair.mean({1: 0.5, 2: -0.5})):
                more = half if self.error is None else max(UNIT, pair.matches)
                pair += _tried(work, pair.matches, min(more, half - pair.matches), stop)
        p = pair.products.sum(axis=0)
        return [p[0, 0], best, p[0, 1] - p[0, 2], p[1, 1] - 2 * p[1, 2] + p[2, 2], found.proven]

    def _fine(self, gap: Estimate) -> bool:
        """Whether a difference is known well enough."""
        return self.error is not None and gap.std_error is not None and gap.std_error <= self.error

    def _deal(self, game: int, record: GameRecord, stop: Flag) -> list[int]:
        """Play deals around each hand, and free ones, all by the policies."""
        n, turned = record.players, [record.seat_at(position) for position in range(record.players)]
        hands = tuple(record.hands[seat] for seat in turned)
        rows = [*([hand * (at == own) for at, hand in enumerate(hands)] for own in range(n)), [0] * n]
        deals = AsDealt(
            self.rules, tuple(map(tuple, rows)), (-1 if record.opening else record.seat_at(record.leader),),
            barred=(-1 if record.barred is None else record.seat_at(record.barred),),
            titles=(tuple(map(record.seat_at, record.titles or ())),), whole=hands,
        )  # fmt: skip
        policies, number = tuple(self.policies[seat] for seat in turned), self.games * len(rows)
        kept = GameWork(self.seed, self.rules, n, policies, 1, deals).games(game * number, number, stop)
        if kept is None:
            raise _Stopped
        nets = kept[:, 0, h.KEPT_OF_GAME + h.KEPT_NET :: h.KEPT_OF_SEAT].reshape(self.games, len(rows), n)
        free, more = nets[:, n], (nets[:, :n] - nets[:, n:]).swapaxes(1, 2)  # of a seat by the hand that is known
        own, every = more[:, range(n), range(n)], more.sum(axis=2)
        found = np.stack([free, own, every - own, free + every], axis=2)[:, turned]
        return [self.games, *np.stack([found.sum(axis=0), (found**2).sum(axis=0)], axis=2).ravel()]


class _Stopped(Exception):  # noqa: N818 (no error)
    """A block is to stop."""


def _tried(work: Tryouts, first: int, deals: int, stop: Flag) -> Moments:
    sums = work(Block(first // UNIT, deals), stop)
    if sums is None:
        raise _Stopped
    return sums


@dataclass(frozen=True)
class Review(Question[Reviewed]):
    """What was played in games that are written down."""

    records: Any = option("records")
    rules: Any = option("review.rules")
    player: str | None = option("player", kw_only=True)
    policies: Policies = option("policies", kw_only=True)
    games: int = option("review.games", kw_only=True)
    seed: int = option("seed", kw_only=True)
    error: float | None = field(default=None, kw_only=True)  # of a loss that is known well enough
    decisions: int | None = field(default=None, kw_only=True)  # and deals that are looked at; default all
    lines: tuple[int, ...] = field(default=(), kw_only=True)  # of the games in their file

    command, size, usual, headline = "review", "decisions", "per_decision", "per_decision"

    def _settle(self) -> None:
        settled = list(_settled(self.records, None if self.rules is None else load_rules(self.rules)))
        ways = {game.rules.digest: game.rules for _, game in settled}
        if not settled:
            if isinstance(self.records, str | Path):
                raise broken(Path(self.records).name, NO_GAME)
            raise UsageError("records: {fault}", fault=Sentence(NO_GAME))
        if len(ways) > 1:
            raise UsageError("records: the games are of several rules ({names}); review those of each apart",
                             names=", ".join(rules.name for rules in ways.values()))  # fmt: skip
        rules, players = settled[0][1].rules, max(game.record["players"] for _, game in settled)
        self._set(
            records=tuple(json.dumps(game.record, ensure_ascii=False) for _, game in settled), rules=rules,
            policies=policies_for(rules, self.policies, players), lines=self.lines or tuple(at for at, _ in settled),
        )  # fmt: skip
        if self.player is not None:
            names = list(dict.fromkeys(name for record in self.told for name in names_of(record)))
            found = sorted((name for name in names if plain(name) == plain(self.player)), key=self.player.__ne__)
            if not found:
                raise unknown("player", self.player, names)
            self._set(player=found[0])

    @property
    def told(self) -> list[dict[str, Any]]:
        """The games."""
        return list(map(json.loads, self.records))

    @cached_property
    def choices(self) -> dict[tuple[int, int], Decided]:
        """All decisions of the players asked about, by game and number."""
        found = {}
        for game, record in enumerate(self.told):
            for number, (at, position) in enumerate(_game(self.records[game], self.rules)[1]):
                player, answers, call = names_of(record)[position.seat], position.answers(), position.question == c.CALL
                if self.player in (None, player):
                    said = tuple(answer_text(call, answer, position.true(answer)) for answer in answers)
                    played = answers.index(position.played or 0)
                    found[game, number] = Decided(game, self.lines[game], at, player, said, played)
        return found

    @cached_property
    def looks(self) -> tuple[tuple[int, int], ...]:
        """The decisions and deals that are looked at, game after game."""
        return tuple(sorted([*self.choices, *((game, _DEAL) for game in range(len(self.records)))]))

    @property
    def wanted(self) -> int:
        """How many decisions and deals are to be looked at."""
        return min(len(self.looks), self.decisions or len(self.looks))

    def work(self) -> Reviews:
        """Return the looking at decisions and deals."""
        return Reviews(self.seed, self.rules, self.policies, self.games, self.error, self.records, self.looks)

    def provenance(self) -> Provenance:
        """Return what its numbers rest on."""
        return Provenance.of(self.rules, players=len(self.policies), seed=self.seed)

    def result(self, outcome: Outcome[ReviewTally]) -> Reviewed:
        """Return what was found of the decisions and deals so far."""
        rows = [outcome.tally.deals[game] if at == _DEAL else outcome.tally.decisions[look]
                for look, (game, at) in enumerate(self.looks)]  # fmt: skip
        found = {look: row.tolist() for look, row in zip(self.looks, rows, strict=True) if row[DEALS]}
        told, rules = self.told, self.rules
        dealt = [
            Dealt(game, name, told[game]["net"][seat], *_worth(found[game, _DEAL], seat))
            for game in range(len(told)) if (game, _DEAL) in found
            for seat, name in enumerate(names_of(told[game])) if self.player in (None, name)
        ]  # fmt: skip
        decided = []
        for at, each in self.choices.items():
            if {at, (at[0], _DEAL)} <= found.keys():
                row, exact = found[at], bool(found[at][EXACT])
                loss = _mean(row[DEALS], row[LOST], row[SQUARES])
                loss = replace(loss, std_error=0.0) if exact else loss
                decided.append(each._replace(best=row[BEST], loss=loss, exact=exact))
        return Reviewed(
            self.provenance(), tuple(map(str, self.policies)), self.games, basic_stake(rules, len(self.policies)),
            tuple(decided), tuple(dealt), len(self.looks) - len(found), **outcome.ended,
        )  # fmt: skip


def _worth(row: list[int], seat: int) -> Iterator[Estimate]:
    """Yield what is found of a deal for a seat."""
    sums = row[1 + _DEALT * seat :][:_DEALT]
    return (_mean(row[DEALS], *pair) for pair in zip(sums[::2], sums[1::2], strict=True))


def _mean(n: int, total: int, squares: int) -> Estimate:
    """Return a mean of money from sums of half units."""
    return Estimate(total / n / 2, max(0.0, (squares - total * total / n) / max(1, n - 1) / n) ** 0.5 / 2, n)


def _settled(records: Any, rules: Rules | None) -> Iterator[tuple[int, Settlement]]:
    """Yield the games of a file, of a record or of several, each with its line."""
    if isinstance(records, str | Path):
        found = settle_lines(lines_of(records), Path(records).name, rules)
    else:
        if not isinstance(records, Iterable):
            raise wrong("records", records, "must be the path of a file, a record, or several records")
        each = [records] if isinstance(records, Mapping) else records
        lines = [one if isinstance(one, str | bytes) else json.dumps(one) for one in each]
        found = settle_lines(lines, "records", rules)
    for where, done in found:
        if isinstance(done, RecordError):
            raise done
        yield int(where.rpartition(":")[2]), done


@asks(Review)
def review(question: Review, how: How) -> Reviewed:
    """Say what was played in games that are written down: what each decision gave away, and luck apart from skill.

    Every decision is tried as by `advise`, on deals of what the seat could not know: what was played against the best
    play that is known. What the cards gave is what the deal brings with all playing by the policies, less what deals
    bring on average.

    Raises
    ------
    RecordError
        If a game is against the rules.
    UsageError
        If an argument is out of its allowed values, or the games are of several rules.

    >>> import tlsim
    >>> found = review(tlsim.play("luckywin", games=1, policies="lowest", seed=7), games=200)
    >>> row = found.rows("luck")[0]
    >>> abs(row["seat"] + row["hand"] + row["others"] - row["lost"] + row["rest"] - row["net"]) < 1e-9
    True
    """
    return reviewed(question, how)


def reviewed(question: Review, how: How) -> Reviewed:
    """Review games; the error at which to stop is that of each loss."""
    until = how.until
    if until is not None and until.abs_error is not None:
        question = replace(question, error=until.abs_error)
        how = replace(how, until=Until(max_time=until.max_time))
    return run(question, how)
