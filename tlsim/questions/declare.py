"""Whether to declare a tới trắng or to play on: for every pattern of a list, over hands drawn given the pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tlsim.catalogue import N_
from tlsim.engine.given_deals import DrawnDeals
from tlsim.engine.moments import Moments
from tlsim.engine.paired import Lane, PairedWork
from tlsim.engine.run import Outcome, worst
from tlsim.errors import UsageError
from tlsim.options import option
from tlsim.questions.holder import OfAHolder
from tlsim.questions.how import How, run
from tlsim.questions.public import asks
from tlsim.questions.question import AnyRules
from tlsim.results.provenance import Listed
from tlsim.results.worth import DeclareWorth, PatternWorth


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
            self.index(self.pattern)
            self._set(part=self.pattern)

    def parts(self) -> Sequence[Declare]:
        """Return the questions about each pattern that a hand can have as its strongest."""
        each = [self] if self.pattern else [replace(self, pattern=win.id) for win in self.wins]
        return [one for one in each if one.deals.possible]

    @cached_property
    def deals(self) -> DrawnDeals:
        """The deals around hands of the pattern."""
        return self.drawn(pattern=self.index(self.pattern or ""))

    @cached_property
    def _played(self) -> tuple[PairedWork, dict[str, Lane], tuple[int, ...]]:
        ways = self.ways("declare", "declare", "play_on")
        return self.paired(self.deals, ways, own_seed(self.seed, self.index(self.pattern or "")))

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
        return DeclareWorth(self.provenance(), self.names, (found,) if found.games else (), **outcome.ended)

    def together(self, found: Sequence[DeclareWorth]) -> DeclareWorth:
        """Return what all patterns are worth."""
        return DeclareWorth(
            self.provenance(), self.names, tuple(each for one in found for each in one.patterns),
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

    Examples
    --------
    >>> worth = worth_of_declaring("doithuong", pattern="sanh_rong", games=500)
    >>> worth.rows()[0]["break_even"] > 9          # three losers would have to pay more than the 9 that they do
    True
    """
    return run(question, how)
