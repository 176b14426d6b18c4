"""What hands are worth in whole games: one hand, or those of a pattern; whether to declare with them, or to call Sâm.

Games are played around the hand of one seat, its holder: it is known or of a pattern, and plays from every distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from tlsim.cards import DECK, count_cards, format_cards
from tlsim.catalogue import N_
from tlsim.engine.game_work import GameWork
from tlsim.engine.given_deals import DrawnDeals
from tlsim.engine.moments import Moments
from tlsim.engine.paired import Lane, PairedWork
from tlsim.engine.policies import Policy, policies_for
from tlsim.engine.run import Outcome, worst
from tlsim.errors import CardError, Sentence, UsageError, either, wrong
from tlsim.exact.automaton import patterns_of
from tlsim.options import option
from tlsim.patterns import is_pattern_word
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import AnyCards, AnyRules, OfAList, R, read_hand
from tlsim.results.provenance import Listed, Provenance
from tlsim.results.titles import CallStakes
from tlsim.results.worth import DeclareWorth, HandValue, PatternWorth
from tlsim.terms import known_pattern

Played: TypeAlias = tuple[PairedWork, dict[str, Lane], tuple[int, ...]]
"""Work that plays deals in several ways, the columns of each way, and those of calls of Sâm."""


class OfAHolder(OfAList[R]):
    """What questions about a hand have alike; policies are those of the seats from its holder on."""

    policies: Any
    games: int
    distance: int | None
    seed: int

    def _settle(self) -> None:
        super()._settle()
        seats = self.seats
        self._set(policies=policies_for(self.rules, self.policies, seats))
        if self.distance is None:
            return
        if self.opening:
            raise UsageError("the deal says who leads an opening game: leave the distance from the leader out")
        if isinstance(self.distance, bool | float) or self.distance not in range(seats):
            raise wrong("distance", self.distance, "must be 0 (the hand leads) to {most}", most=seats - 1)

    @property
    def distances(self) -> tuple[int | None, ...]:
        """The distances from the leader that are played; none in an opening game, whose leader the deal names."""
        if self.opening:
            return (None,)
        return tuple(range(self.seats)) if self.distance is None else (self.distance,)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards of each seat."""
        return self.own_rules.seat_sizes(self.seats)

    @property
    def optional(self) -> bool:
        """Whether a tới trắng may be declined."""
        return self.rules.toi_trang is not None and self.rules.toi_trang.declare == "optional"

    def drawn(self, hand: int = 0, pattern: int | None = None, dead: int = 0, out_of_play: int = 0) -> DrawnDeals:
        """Return the deals around a hand, or around hands of a pattern, of which the holder leads if anybody may."""
        sizes = self.sizes
        needed, left = sum(sizes), (DECK & ~out_of_play).bit_count()
        if left < needed:
            most = Sentence("at most {n} can be out of play", n=52 - needed)
            if needed == 52:
                most = Sentence("no card can be out of play; cards that others may hold are dead")
            raise CardError("out_of_play names {cards}, but {rules} deals {needed} of 52 to {players} players; {most}",
                            cards=count_cards(out_of_play.bit_count()), rules=self.rules.name, needed=needed,
                            players=self.players, most=most)  # fmt: skip
        seat = 0 if hand == 0 else sizes.index(hand.bit_count())
        cards = tuple(hand if at == seat else 0 for at in range(len(sizes)))
        held = None if pattern is None else (seat, pattern)
        return DrawnDeals(self.rules, (cards,), (-1 if self.opening else seat,), held, dead=out_of_play, lacking=dead)

    def ways(self, yes: str, no: str, option: str = "declare") -> dict[str, Policy]:
        """Return the policy of the holder that does something and that does not, under the names of these ways."""
        return {way: replace(self.policies[0], **{option: way == yes}) for way in (yes, no)}

    def paired(self, deals: DrawnDeals, ways: Mapping[str, Policy], seed: int) -> Played:
        """Return the work of playing deals in each way from each distance, its columns, and those of calls of Sâm."""
        seat, count = deals.holder, len(self.distances)
        runs: list[GameWork] = []
        begins: dict[Policy, int] = {}  # the first run of a policy: ways that are the same are played once
        for policy in ways.values():
            if policy not in begins:
                begins[policy] = len(runs)
                runs += self._runs(deals, policy, seed)
        at = {way: begins[policy] for way, policy in ways.items()}
        calls = [(at["call"] + i, at["silent"] + i, seat) for i in range(count)] if "call" in at else []
        work = PairedWork(tuple(runs), tuple(((number, seat),) for number in range(len(runs))), tuple(calls))
        lanes = {
            way: Lane(*(tuple(first + begin + i for i in range(count)) for first in (work.money, work.firsts)))
            for way, begin in at.items()
        }
        return work, lanes, tuple(map(work.call_column, range(len(calls))))

    def _runs(self, deals: DrawnDeals, policy: Policy, seed: int) -> Iterator[GameWork]:
        n, seat = len(self.policies), deals.holder
        seated = (policy, *self.policies[1:])
        policies = tuple(seated[(at - seat) % n] for at in range(n))
        for distance in self.distances:
            leader = -1 if distance is None else (seat - distance) % n
            yield GameWork(seed, self.rules, n, policies, 1, replace(deals, leaders=(leader,)))


@dataclass(frozen=True)
class Hand(OfAHolder[HandValue]):
    """What a hand, or the hands of a pattern, are worth in whole games."""

    hand: AnyCards = option("hand")
    rules: AnyRules = option("rules")
    players: int | None = option("players")
    policies: Any = option("policies")
    games: int = option("hand.games", kw_only=True)
    distance: int | None = option("distance", kw_only=True)
    opening: bool = option("opening", kw_only=True)
    dead: AnyCards = option("dead", kw_only=True)
    out_of_play: AnyCards = option("out_of_play", kw_only=True)
    seed: int = option("seed", kw_only=True)

    command, size, usual, headline = "hand", "games", "mean", "mean"

    def _settle(self) -> None:
        super()._settle()
        names, listed = ("dead", "out_of_play"), {win.id: win.label for win in self.wins}
        word = known_pattern(self.hand, listed) if isinstance(self.hand, str) else ""
        away = {name: 0 if (cards := getattr(self, name)) is None else read_hand(name, cards) for name in names}
        named = is_pattern_word(word) or word in listed
        self._set(**away, hand=word if named else read_hand("hand", self.hand))
        if named:
            if not self.deals.possible:
                raise UsageError("no hand has {pattern!r} as its strongest pattern with these cards dead", pattern=word)
            return
        hand: Any = self.hand
        if hand.bit_count() not in self.sizes:
            wanted = either(sorted(set(self.sizes)))
            other = Sentence(", or give the id of a pattern") if self.wins else ""
            raise CardError("{cards} given; a hand of {rules} has {wanted}{other}", cards=count_cards(hand.bit_count()),
                            rules=self.own_rules.name, wanted=wanted, other=other)  # fmt: skip
        if both := hand & (away["dead"] | away["out_of_play"]):
            raise CardError("{cards} cannot be both in the hand and dead", cards=format_cards(both, symbols=True))

    @property
    def pattern(self) -> str | None:
        """The id of the pattern that it is about; None for a hand."""
        return self.hand if isinstance(self.hand, str) else None

    @cached_property
    def deals(self) -> DrawnDeals:
        """The deals around it."""
        known: Any = {"hand": self.hand} if self.pattern is None else {"pattern": self.index(self.pattern)}
        return self.drawn(**known | {"dead": self.dead, "out_of_play": self.out_of_play})

    @property
    def label(self) -> str:
        """Return what its run is called in a store, by default."""
        return f"{super().label}, {self.pattern or format_cards(self.hand)}"  # type: ignore[arg-type]

    @cached_property
    def counts_as(self) -> Listed | None:
        """The strongest pattern of the hand."""
        if self.pattern is not None:
            return Listed.of(self.wins[self.index(self.pattern)])
        hand: Any = self.hand
        held = patterns_of(hand, [win.pattern for win in self.wins], hand.bit_count())
        return Listed.of(self.wins[held[0]]) if held else None

    @cached_property
    def _played(self) -> Played:
        ways, held = {"value": self.policies[0]}, self.counts_as
        if held is not None and self.optional:
            ways |= self.ways("declare", "play_on")
        if self.own_rules.bao_sam is not None and (held is None or self.optional):
            ways |= self.ways("call", "silent", "sam")  # else it has won before anybody calls
        return self.paired(self.deals, ways, self.seed)

    def work(self) -> PairedWork:
        """Return the playing of the deals in each way from each distance."""
        return self._played[0]

    def provenance(self, **more: Any) -> Provenance:
        """Return what its numbers rest on."""
        away = {name: format_cards(getattr(self, name)) or None for name in ("dead", "out_of_play")}
        return super().provenance(given=self.deals.describe(), hand_size=self.sizes[self.deals.holder], **away, **more)

    def result(self, outcome: Outcome[Moments]) -> HandValue:
        """Return what it is worth."""
        _, lanes, calls = self._played
        rules = self.own_rules
        shown = {way: lane for way, lane in lanes.items() if way not in {"call", "silent"}}
        return HandValue(
            self.provenance(), tuple(map(str, self.policies)), self.distances, outcome.tally, shown, calls,
            CallStakes.of(rules, self.seats), self.counts_as, rules.president is not None, **outcome.ended,
        )  # fmt: skip


@asks(Hand)
def hand_value(question: Hand, how: How) -> HandValue:
    """Play games with a hand and find out what it is worth: chance to win, mean money, spread.

    The other hands are drawn from the cards that remain. Every deal is played once from each distance from the leader,
    and where the hand may be declared or Sâm may be called, once in each way: all comparisons are over the same deals.

    One policy is for all seats; several are for the seats from the holder of the hand on. The quantities of ``until``
    are ``mean`` (mean money), ``win``, ``declare`` and ``sam`` (what declaring and calling bring, over the same deals),
    ``distance_0`` …

    >>> value = hand_value("3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "doithuong", games=500)
    >>> row = value.rows("declare")[0]             # it leads. Declare the dragon straight: 3 · 9; play on: far more
    >>> row["declare"], row["ci_high"] < 0
    (27.0, True)
    """
    return run(question, how)


@dataclass(frozen=True)
class Declare(OfAHolder[DeclareWorth]):
    """Whether to declare, for one pattern of a list, or for each: then every pattern is a part with its own run."""

    rules: AnyRules = option("rules")
    players: int | None = option("players")
    policies: Any = option("policies")
    pattern: str | None = option("pattern", kw_only=True)
    games: int = option("hand.games", kw_only=True)
    distance: int | None = option("distance", kw_only=True)
    opening: bool = option("opening", kw_only=True)
    seed: int = option("seed", kw_only=True)

    command, size, usual, headline = "declare", "games", "declare", "declare"

    def _settle(self) -> None:
        super()._settle()
        if not self.wins:
            text = N_("{rules} has no tới trắng in a regular game, so there is nothing to declare")
            if self.opening:
                text = N_("{rules} has no tới trắng in an opening game, so there is nothing to declare")
            raise UsageError(text, rules=self.own_rules.name)
        if not self.optional:
            raise UsageError("{name} counts every tới trắng at once, so there is no choice; ask with "
                             "toi_trang.declare = 'optional'", name=self.own_rules.name)  # fmt: skip
        if self.pattern is not None:
            found = self.wins[self.index(self.pattern)].id
            self._set(pattern=found, part=found)

    def parts(self) -> Sequence[Declare]:
        """Return the questions about each pattern that a hand can have as its strongest."""
        each = [self] if self.pattern else [replace(self, pattern=win.id) for win in self.wins]
        return [one for one in each if one.deals.possible]

    @cached_property
    def deals(self) -> DrawnDeals:
        """The deals around hands of the pattern."""
        return self.drawn(pattern=self.index(self.pattern or ""))

    @cached_property
    def _played(self) -> Played:
        seed = own_seed(self.seed, self.index(self.pattern or ""))
        return self.paired(self.deals, self.ways("declare", "play_on"), seed)

    def work(self) -> PairedWork:
        """Return the playing of the deals, declared and played on."""
        return self._played[0]

    def result(self, outcome: Outcome[Moments]) -> DeclareWorth:
        """Return what declaring the pattern is worth; nothing where nothing was played."""
        at, counted, lanes = self.index(self.pattern or ""), self.deals.counted, self._played[1]
        found = PatternWorth(
            Listed.of(self.wins[at]), counted.counts[at], counted.hands, outcome.tally, lanes["declare"],
            lanes["play_on"], outcome.stopped,
        )  # fmt: skip
        patterns = (found,) if found.games else ()
        return DeclareWorth(self.provenance(), tuple(map(str, self.policies)), patterns, **outcome.ended)

    def together(self, found: Sequence[DeclareWorth]) -> DeclareWorth:
        """Return what all patterns are worth."""
        return DeclareWorth(
            self.provenance(), tuple(map(str, self.policies)), tuple(each for one in found for each in one.patterns),
            complete=all(one.complete for one in found), seconds=sum(one.seconds for one in found),
            stopped=worst(one.stopped for one in found),
        )  # fmt: skip


def own_seed(seed: int, number: int) -> int:
    """Return a seed of its own for a part of a question, of 128 bits, so that parts have independent deals."""
    words = np.random.SeedSequence([seed, number]).generate_state(2, np.uint64)
    return int(words[0]) << 64 | int(words[1])


@asks(Declare)
def worth_of_declaring(question: Declare, how: How) -> DeclareWorth:
    """Find out for every tới trắng pattern whether to declare it or to play on, and from which price on it pays.

    Hands are drawn exactly: uniformly among those for which the pattern is the strongest. Declaring and playing on are
    over the same deals. With the exact probabilities of the patterns as weights, that gives what the whole list is
    worth to a seat, with a small part of the games that free deals would take.

    Each pattern is a run of its own: of ``games``, until its own error is reached, and in a store under the label and
    the pattern; the time of ``until`` is that of all. A declared hand and one that is played on with have the policy of
    the first seat.

    Raises
    ------
    UsageError
        If the rules leave no choice, have no such pattern, or an argument is out of its allowed values.

    >>> worth = worth_of_declaring("doithuong", pattern="sanh_rong", games=500)
    >>> worth.rows()[0]["break_even"] > 9          # three losers would have to pay more than the 9 that they do
    True
    """
    return run(question, how)
