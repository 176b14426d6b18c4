"""Mean money of every seat, less the luck of the deal as far as it is known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tlsim.engine.controls import DealtControls
from tlsim.engine.game_work import GameWork
from tlsim.engine.moments import Moments
from tlsim.engine.paired import PairedWork
from tlsim.engine.policies import policies_for
from tlsim.engine.run import Outcome
from tlsim.errors import either, wrong
from tlsim.options import option
from tlsim.questions.how import How, run
from tlsim.questions.public import asks
from tlsim.questions.question import AnyRules, OfRules
from tlsim.results.mean_money import MeanMoney


@dataclass(frozen=True)
class Money(OfRules[MeanMoney]):
    """Mean money of every seat, or of every player in each seat in turn."""

    rules: AnyRules = option("rules")
    games: int = option("money.games")
    players: int | None = option("players")
    policies: Any = option("policies")
    match_length: int | None = option("match_length")
    seed: int = option("seed")
    rotate: bool = option("rotate", kw_only=True)

    command, size, usual, headline = "money", "games", "seat_0", "seat_0"

    def _settle(self) -> None:
        super()._settle()
        rules, n = self.own_rules, self.seats
        length = rules.match_length if self.match_length is None else self.match_length
        sizes = sorted(set(rules.seat_sizes(n)))
        if len(sizes) > 1:
            raise wrong("players", n, "{rules} deals {sizes} cards, and exact means need hands of one size; ask for "
                        "another number of players, or use simulate", rules=rules.name,
                        sizes=either(sizes))  # fmt: skip
        self._set(policies=policies_for(rules, self.policies, n), match_length=length)

    @property
    def _turns(self) -> range:
        return range(self.seats if self.rotate else 1)

    @property
    def each(self) -> int:
        """Games of a match, in each turn of the seats."""
        return (self.match_length or 1) * len(self._turns)

    def work(self) -> PairedWork:
        """Return the playing of matches, and what is counted of their deals."""
        n, rules, length = self.seats, self.own_rules, self.match_length or 1
        size = rules.seat_sizes(n)[0]
        controls = DealtControls(self.seed, n, size, length, by_seat=not self.rotate)
        runs = tuple(
            GameWork(self.seed, rules, n, tuple(self.policies[(seat - turn) % n] for seat in range(n)), length)
            for turn in self._turns
        )
        asked = tuple(tuple((turn, (seat + turn) % n) for turn in self._turns) for seat in range(n))
        return PairedWork(runs, asked, controls=controls)

    def result(self, outcome: Outcome[Moments]) -> MeanMoney:
        """Return the means."""
        controls, seats = self.own_work.controls, range(self.seats)
        chosen = [controls.own(seat) + controls.table for seat in seats]
        return MeanMoney(
            self.provenance(), tuple(map(str, self.policies)), self.rotate, self.match_length or 1, outcome.tally,
            tuple(self.own_work.money + seat for seat in seats),
            tuple(([1 + at for at in columns], [controls.means[at] for at in columns]) for columns in chosen),
            **outcome.ended,
        )  # fmt: skip


@asks(Money)
def mean_money(question: Money, how: How) -> MeanMoney:
    """Estimate the mean money of every seat from fewer games, by what is known exactly about the deals.

    How many 2s, aces, bombs, straights … a seat and the table were dealt explains a part of the money; their means are
    exact, so that part of the luck is taken out. The estimate stays unbiased (coefficients come from other matches),
    and its error is that of what is left.

    The quantities of ``until`` are ``seat_0`` …

    >>> found = mean_money("luckywin", games=24_000, policies="lowest", seed=1)
    >>> row = found.rows()[0]
    >>> bool(row["ci_low"] < 0 < row["ci_high"]), bool(row["variance_ratio"] > 1)
    (True, True)
    """
    return run(question, how)
