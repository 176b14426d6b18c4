"""What a hand is worth in whole games, and whether to declare with it or to call Sâm."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tlsim.cards import count_cards, format_cards
from tlsim.engine.given_deals import DrawnDeals
from tlsim.engine.moments import Moments
from tlsim.engine.paired import Lane, PairedWork
from tlsim.engine.run import Outcome
from tlsim.errors import CardError, Sentence, UsageError, either
from tlsim.exact.hand_book import patterns_of
from tlsim.options import option
from tlsim.questions.holder import OfAHolder
from tlsim.questions.how import How, run
from tlsim.questions.public import asks
from tlsim.questions.question import AnyCards, AnyRules, read_hand
from tlsim.results.calls import CallStakes
from tlsim.results.provenance import Listed, Provenance
from tlsim.results.value import HandValue

_PATTERN_ID = re.compile("[a-z]+(_[a-z0-9]+)+")


def is_pattern_word(text: str) -> bool:
    """Whether a text looks like the id of a pattern, and not like cards."""
    return _PATTERN_ID.fullmatch(text.strip()) is not None


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
        names, word = ("dead", "out_of_play"), self.hand.strip() if isinstance(self.hand, str) else ""
        away = {name: 0 if (cards := getattr(self, name)) is None else read_hand(name, cards) for name in names}
        named = is_pattern_word(word) or any(word == win.id for win in self.wins)
        self._set(**away, hand=word if named else read_hand("hand", self.hand))
        if not named:
            self._check_cards(self.hand, away["dead"] | away["out_of_play"])  # type: ignore[arg-type]
        elif not self.deals.possible:
            raise UsageError("no hand has {pattern!r} as its strongest pattern with these cards dead", pattern=word)

    def _check_cards(self, hand: int, dead: int) -> None:
        if hand.bit_count() not in self.sizes:
            wanted = either(sorted(set(self.sizes)))
            other = Sentence(", or give the id of a pattern") if self.wins else ""
            raise CardError("{cards} given; a hand of {rules} has {wanted}{other}", cards=count_cards(hand.bit_count()),
                            rules=self.own_rules.name, wanted=wanted, other=other)  # fmt: skip
        if both := hand & dead:
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
    def _played(self) -> tuple[PairedWork, dict[str, Lane], tuple[int, ...]]:
        ways, held = {"value": self.policies[0]}, self.counts_as
        if held is not None and self.optional:
            ways |= self.ways("declare", "declare", "play_on")
        if self.own_rules.bao_sam is not None and (held is None or self.optional):
            ways |= self.ways("sam", "call", "silent")  # else it has won before anybody calls
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
            self.provenance(), self.names, self.distances, outcome.tally, shown, calls,
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

    Examples
    --------
    >>> value = hand_value("3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "doithuong", games=500)
    >>> row = value.rows("declare")[0]             # it leads. Declare the dragon straight: 3 · 9; play on: far more
    >>> row["declare"], row["ci_high"] < 0
    (27.0, True)
    """
    return run(question, how)
