"""Whether a price list is fair, and what whole games cost and bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

from tlsim.engine.paired import TogetherWork
from tlsim.engine.policies import policies_for, split_policies
from tlsim.engine.run import Outcome
from tlsim.errors import UsageError
from tlsim.fairness.around import around
from tlsim.fairness.judgement import Fairness
from tlsim.fairness.notion import ALL, Notion
from tlsim.fairness.plays import Answer, Played, parts_of
from tlsim.fairness.price_list import Prices, Which
from tlsim.fairness.risks import readings
from tlsim.fairness.sample import SampleWork
from tlsim.fairness.skill import check_skill, directions
from tlsim.fairness.swings import check_rake
from tlsim.fairness.verdicts import games_of
from tlsim.options import MOST_GAMES, one_of, option, whole
from tlsim.questions.games import Games
from tlsim.questions.hand import Declare
from tlsim.questions.how import How, Shares, asks, run
from tlsim.questions.odds import ListOdds
from tlsim.questions.question import AnyRules, OfRules, R
from tlsim.results.provenance import Provenance
from tlsim.results.worth import DeclareWorth
from tlsim.rules import Rules, list_rules
from tlsim.terms import find_pattern

DECLARED = 20  # games for each deal around a pattern, which is played from every distance in both ways
SAMPLE = 12_000  # most games that are looked at one by one
HOLDERS = "smart[hold_3s=1]"  # who keep 3♠ for the end


class _OfPrices(OfRules[R]):
    """What both questions have alike: policies that can play."""

    policies: str
    skill: str

    def _settle(self) -> None:
        super()._settle()
        policies_for(self.rules, self.policies, self.seats)
        policies_for(self.rules, check_skill(self.skill), 2)


@dataclass(frozen=True)
class FairGames(_OfPrices[Answer]):
    """The games of one part of what is asked about whole games; see `tlsim.fairness.plays`."""

    rules: AnyRules = option("rules")
    play: str = field(default="games")
    games: int = option("fair.games", check=whole(1, MOST_GAMES))
    players: int | None = option("players")
    policies: str = option("policies")
    skill: str = option("skill")
    seed: int = option("seed")
    beside: bool = field(default=False)  # whether findings of others are held against these games

    command, size, headline = "fair", "games", "seat_0"

    def _settle(self) -> None:
        super()._settle()
        one_of(*parts_of(self.own_rules))("play", self.play)
        self._set(part=f"{self.play}, {self.policies}" if self.beside else self.play)

    @cached_property
    def runs(self) -> tuple[Games, ...]:
        """What is played, all over the same deals: other rules, policies or leaders."""
        rules, seats = self.own_rules, range(self.seats)
        if self.play == "ket_3_bich":
            return tuple(self._run(each, HOLDERS) for each in readings(rules))
        if self.play == "leading":
            return tuple(self._run(rules, self.policies, leader) for leader in seats)
        if self.play != "skill":
            return (self._run(rules, self.policies),)
        one, others = check_skill(self.skill)
        rotated = [",".join(one if at == seat else others for at in seats) for seat in seats]
        other = directions(rules)[not rules.turn.alternate_direction_each_hand]
        both = (rules, other) if len(seats) > 2 else (rules,)  # two seats have one neighbour each: no direction
        return tuple(self._run(each, policies) for each in both for policies in rotated)

    def _run(self, rules: Rules, policies: str, leader: int | None = None) -> Games:
        return Games(rules, 1, self.players, policies, None, self.seed, leader=leader)

    @property
    def _shared(self) -> int:
        """How many runs share the games: those that see the same deals from all seats."""
        return self.seats if self.play in {"leading", "skill"} else 1

    @property
    def each(self) -> int:
        """Games of a match, in all runs."""
        return self.runs[0].each * len(self.runs)

    @property
    def wanted(self) -> int:
        """Matches that are wanted of each run."""
        games = min(self.games, SAMPLE) if self.play == "sample" else -(-self.games // self._shared)
        return -(-games // self.runs[0].each)

    def work(self) -> Any:
        """Return the playing of matches, in every run or looked at game by game."""
        works = tuple(each.work() for each in self.runs)
        return SampleWork(works[0], -(-SAMPLE // self.runs[0].each)) if self.play == "sample" else TogetherWork(works)

    def result(self, outcome: Outcome[Any]) -> Answer:
        """Return the games, and the views that follow from them."""
        if self.play == "sample":
            found = outcome.tally.played
            games = found.games
        else:
            each = zip(self.runs, outcome.tally.tallies, strict=True)
            found = [asked.result(replace(outcome, tally=tally)) for asked, tally in each]
            games = found[0].games
        return Answer(self.provenance(), self.own_rules, self.skill, self.play, found, games, **outcome.ended)

    @classmethod
    def from_json(cls, asked: dict[str, Any]) -> Self:
        """Return the question again; a store counts the games of all runs together."""
        found = super().from_json(asked)
        return replace(found, games=found.games * found._shared // len(found.runs))  # noqa: SLF001 (its own)


@dataclass(frozen=True)
class Fair(_OfPrices[Fairness]):
    """Whether the prices of a rule set are fair; games are played when they are first looked at."""

    rules: AnyRules = option("rules")
    players: int | None = option("players")
    opening: bool | None = option("opening_list")
    tolerance: Any = option("tolerance")
    rake: Any = option("rake", check=lambda _name, value: check_rake(value))
    games: int = option("fair.games", kw_only=True)
    policies: str = option("policies", kw_only=True)
    skill: str = option("skill", kw_only=True)
    seed: int = option("seed", kw_only=True)
    method: str | None = option("method", kw_only=True)
    bankroll: float | None = option("bankroll", kw_only=True)
    games_per_hour: float | None = option("games_per_hour", kw_only=True)
    judge_from: float | None = option("judge_from", kw_only=True)
    across: str | None = option("across", kw_only=True)
    origin: str | None = field(default=None, kw_only=True)

    command, size = "fair", "games"

    def _settle(self) -> None:
        asked = self.rules
        super()._settle()
        if not isinstance(self.tolerance, float):
            named = self.own_rules.patterns()
            own = ((key if key == ALL else find_pattern(key, named), factor) for key, factor in self.tolerance)
            self._set(tolerance=tuple(own))
        for name in self.others:
            policies_for(self.own_rules, name, self.seats)
        if self.origin is None:
            name = self.own_rules.name
            known = name if name in list_rules() else None
            self._set(origin=str(asked) if isinstance(asked, str | Path) else known)

    def provenance(self, **more: Any) -> Provenance:
        """Return what its numbers rest on: they are exact, but for the games, which say their seed."""
        return super().provenance(seed=None, **more)

    def parts(self) -> Sequence[FairGames]:
        """Return the runs that it takes; none where no games are asked for."""
        return [self.part_of(play) for play in parts_of(self.own_rules)] if self.games else []

    def part_of(self, play: str, policies: str = "") -> FairGames:
        """Return the question about one part of whole games, perhaps by other policies."""
        games = games_of(policies, self.games) if policies else self.games
        return FairGames(self.rules, play, games, self.players, policies or self.policies, self.skill, self.seed,
                         bool(policies))  # fmt: skip

    @property
    def others(self) -> list[str]:
        """Other policies against which findings are held."""
        names = split_policies(self.across) if self.across and self.games else []
        return [name for name in dict.fromkeys(map(str.strip, names)) if name != self.policies]

    def together(self, found: Sequence[Answer]) -> Fairness:
        """Return what there is to say, all games having been played."""
        return self.judged(How(), {answer.part: answer for answer in found}.__getitem__)

    def judged(self, how: How, play: Callable[[str], Answer] | None = None) -> Fairness:
        """Return what there is to say of the lists; games are played when they are first asked for."""
        if how.until is not None and how.until.looks:
            raise UsageError("until: fairness asks several questions, which no one error ends; give max_time alone")
        if not self.games and (how.store is not None or how.until is not None):
            raise UsageError("games = 0: there is nothing to keep or to stop; leave store and until out")
        rules = self.own_rules
        shares = Shares(how.until, len(parts_of(rules)) + 3 * len(self.others))

        def answer(part: str, policies: str = "") -> Answer:
            found = run(self.part_of(part, policies), replace(how, until=shares.next()))
            shares.took(found.seconds)
            return found

        def declare() -> DeclareWorth | None:
            """Play the declaring of each pattern of the regular list; nothing where there is no choice."""
            lists = rules.toi_trang
            if lists is None or lists.declare != "optional" or not lists.regular or self.opening is True:
                return None
            games = -(-self.games // DECLARED)
            asked = Declare(rules, self.players, self.policies, games=games, seed=self.seed)
            return run(asked, replace(how, until=shares.next()))

        played = Played(rules, self.policies, self.seats, self.games, self.seed, play or answer, self.skill,
                        self.rake, self.bankroll, self.games_per_hour, declare) if self.games else None  # fmt: skip
        others = tuple(
            Played(rules, name, self.seats, games_of(name, self.games), self.seed, partial(answer, policies=name),
                   self.skill)
            for name in self.others
        )  # fmt: skip
        notion = Notion.of(rules, self.method, self.judge_from)
        lists = (replace(self._ask(rules, which), notion=notion) for which in self._lists())
        return Fairness(
            self.provenance(), rules, tuple(prices for prices in lists if prices.listed), self._ask, self.tolerance,
            self.rake, self.origin, played, others,
        )  # fmt: skip

    def _lists(self) -> tuple[Which, ...]:
        """Return which lists there are to ask about; one list that serves every game is asked about once."""
        if self.opening is not None:
            return ("opening",) if self.opening else ("regular",)
        toi_trang = self.own_rules.toi_trang
        one = toi_trang is None or toi_trang.opening_list_mode == "one_list"
        return ("regular",) if one else ("regular", "opening")

    def _ask(self, rules: Rules, which: Which) -> Prices:
        """Return a list with its exact odds, and what đếm heo adds to its prices."""
        opening, players = which == "opening", self.seats
        odds = ListOdds(rules, players, opening).counted()
        heo = {
            entry.id: around(rules, at, players, opening=opening).heo()
            for at, (entry, hands) in enumerate(zip(odds.listed, odds.hand.counts, strict=True))
            if entry.count_heo and hands and rules.prices is not None
        }
        return Prices(which, odds, heo=heo)


@asks(Fair)
def payout_fairness(question: Fair, how: How) -> Fairness:
    """Hold the prices of a rule set against exact odds: whether a list is fair, and what list would be.

    Fair means that every pattern costs a player the same on average: price × probability of winning the table is the
    same for all patterns of a list. The fair price of a pattern is ``(Σ price·p / n) / p``, where n patterns win at
    all; so the list costs as much as it does now.

    The policies of the view ``ket_3_bich`` are its own, which keep 3♠ for the end. In a store each part is a run of its
    own, named after the label and the part: ``games``, ``sample``, ``ket_3_bich``, ``leading``, ``skill``. Of ``until``
    there is ``max_time`` alone, the time of all parts, of which each may take an equal share: no one error ends them.

    Returns
    -------
    Fairness
        ``to_frame()``, ``verdicts``, ``plot()``, and ``fair_table(method)``, which can be written as a rule file. The
        exact law of the table is computed at once, in about two seconds to two minutes, and kept on disk.

    >>> fairness = payout_fairness("doithuong", players=4)
    >>> fairness.to_frame().set_index("pattern").loc[["sanh_rong", "sau_doi_thong"], ["price", "fair_price"]].round(1)
                   price  fair_price
    pattern
    sanh_rong        9.0         7.1
    sau_doi_thong    8.0       252.4
    >>> fairness.verdicts[0].sentence("en")[:50]
    '8 of 21 pairs stand in the wrong order; the worst:'
    >>> [win.id for win in fairness.fair_table("reordered").rules.instant_wins()][:3]
    ['muoi_hai_dong_chat', 'bon_bo_ba', 'sau_doi_thong']
    """
    return question.judged(how)
