"""How often tới trắng patterns come up: counted exactly, and dealt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from tlsim.cards import DECK, count_cards, format_cards
from tlsim.engine.run import Outcome
from tlsim.errors import CardError, wrong
from tlsim.exact.automaton import HandBook
from tlsim.exact.table_counts import Table, kept_table
from tlsim.options import option
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import AnyCards, AnyRules, OfAList, R, read_hand
from tlsim.results.estimated import DealLaw, EstimatedOdds
from tlsim.results.exact import ExactOdds
from tlsim.results.provenance import Listed, Provenance
from tlsim.tally import OddsTally


class _Counted(OfAList[R]):
    """What questions about how often patterns come up have alike; a subclass has these fields."""

    holding: Any
    dead: Any

    def _settle(self) -> None:
        super()._settle()
        rules, seats = self.own_rules, self.seats
        sizes = rules.hand_sizes(seats)
        if self.wins and len(set(sizes)) > 1:
            raise wrong("players", seats, "{rules} deals {sizes} cards, and odds need hands of one size; ask for "
                        "another number of players, or set deal.hand_size", rules=rules.name,
                        sizes=", ".join(map(str, sizes)))  # fmt: skip
        hold, lack = (0 if cards is None else read_hand(name, cards) for name, cards in
                      (("holding", self.holding), ("dead", self.dead)))  # fmt: skip
        if both := hold & lack:
            raise CardError("{cards} cannot be both in the hand (holding) and elsewhere (dead)",
                            cards=format_cards(both, symbols=True))  # fmt: skip
        if hold.bit_count() > sizes[0]:
            raise CardError("holding names {cards}; a hand has {hand_size}", cards=count_cards(hold.bit_count()),
                            hand_size=sizes[0])  # fmt: skip
        if (DECK & ~lack).bit_count() < sizes[0]:
            raise CardError("dead names {cards}, which leaves too few for a hand of {hand_size}",
                            cards=count_cards(lack.bit_count()), hand_size=sizes[0])  # fmt: skip
        self._set(holding=hold, dead=lack)

    @cached_property
    def book(self) -> HandBook:
        """All hands, by what they hold."""
        size = self.rules.hand_sizes(self.players)[0]
        return HandBook(tuple(win.pattern for win in self.wins), size, self.holding, self.dead)

    @property
    def listed(self) -> tuple[Listed, ...]:
        """The entries of the list."""
        return tuple(map(Listed.of, self.wins))

    @property
    def deal(self) -> dict[str, Any]:
        """What the exact side and the simulation both need to know of the table, but the number of players."""
        lead = self.rules.lead
        return {
            "patterns": self.book.patterns, "hand_size": self.book.hand_size,
            "priority": self.rules.priority(self.opening), "holding": self.holding, "dead": self.dead,
            "opening_card": lead.opening_card if self.opening else None,
            "opening_random": lead.opening_fallback == "random",
        }  # fmt: skip

    def provenance(self, **more: Any) -> Provenance:
        """Return what its numbers rest on."""
        known = {"holding": format_cards(self.holding) or None, "dead": format_cards(self.dead) or None}
        return super().provenance(hand_size=self.book.hand_size, **known | more)


@dataclass(frozen=True)
class ListOdds(_Counted[ExactOdds]):
    """How often each pattern of a list comes up, counted exactly."""

    rules: AnyRules = option("rules")
    players: int | None = option("players")
    opening: bool = option("opening")
    holding: AnyCards = option("holding")
    dead: AnyCards = option("dead")

    command = "exact"

    def counted(self) -> ExactOdds:
        """Return the exact odds; nothing of them is simulated, so there is nothing to run."""

        def table(**one: Any) -> Any:
            return kept_table(Table(players=self.seats, **self.deal | one))

        def alone(at: int) -> Any:
            return table(patterns=self.book.patterns[at : at + 1], priority="strength", opening_card=None)

        return ExactOdds(self.provenance(), self.listed, self.book.count(), table, alone)


@dataclass(frozen=True)
class Odds(_Counted[EstimatedOdds]):
    """How often each pattern of a list comes up, found by dealing whole tables."""

    rules: AnyRules = option("rules")
    deals: int = option("deals")
    players: int | None = option("players")
    opening: bool = option("opening")
    holding: AnyCards = option("holding")
    dead: AnyCards = option("dead")
    seed: int = option("seed")

    command, usual, headline = "odds", "worst", "someone"

    def work(self) -> Any:
        """Return the dealing of tables."""
        from tlsim.engine.odds_work import OddsWork

        return OddsWork(seed=self.seed, players=self.seats, **self.deal, **self._heo())

    def _heo(self) -> dict[str, Any]:
        """Return which patterns have đếm heo, and the prices that it goes by."""
        bits = sum(1 << at for at, win in enumerate(self.wins) if win.count_heo)
        if not bits or self.own_rules.prices is None:
            return {}
        from tlsim.engine.rule_numbers import leftover_prices

        return {"count_heo": bits, "prices": leftover_prices(self.own_rules)}

    def result(self, outcome: Outcome[OddsTally]) -> EstimatedOdds:
        """Return the estimates."""
        done = int(outcome.tally.total("deals"))
        return EstimatedOdds(
            self.provenance(deals=done), self.listed, outcome.tally, self.own_work.counted,
            self._counted, partial(self._law, outcome.complete), self._most_heo, **outcome.ended,
        )  # fmt: skip

    @property
    def _most_heo(self) -> float:
        prices = self._heo().get("prices")
        if prices is None:
            return 0.0
        dearest = max(prices.pair_run_3, prices.quad, prices.pair_run_4)
        return float(sum(prices.twos) + ((self.players or 1) - 1) * dearest) / 2  # they are in half units

    @cached_property
    def _counted(self) -> Any:
        return self.book.count()

    def _law(self, complete: bool) -> DealLaw:
        """Return how the hands of a deal hang together."""
        from tlsim.exact.classes import INSTANT, QUICK, DealCounts

        limit = QUICK if complete else INSTANT
        counts = DealCounts(self.book.patterns, self.book.hand_size, self.seats, limit)
        # An interrupt, which comes to the main thread, must not meet the compiler; nor wait for the other thread.
        with ThreadPoolExecutor(1) as worker:
            try:
                held, counted = (worker.submit(pairs) for pairs in (counts.pairs_held, counts.pairs_counted))
                return DealLaw(held.result(), counted.result(), counts.held, counts.counted)
            except BaseException:
                counts.stop[0] = 1
                raise


@asks(ListOdds, runs=False)
def exact_odds(question: ListOdds) -> ExactOdds:
    """Count exactly how often each tới trắng pattern of a rule set comes up, in one hand and at the table.

    The counts of one hand are there at once. ``deals`` and `table_frame` need the joint law of all hands: they compute
    it when first asked for, in about two seconds to two minutes, and keep it on disk.

    >>> odds = exact_odds("doithuong", players=4)
    >>> odds.to_frame().set_index("pattern").loc["tu_quy_2", "hands"]
    1677106640
    """
    return question.counted()


@asks(Odds)
def estimate_odds(question: Odds, how: How) -> EstimatedOdds:
    """Deal whole tables and count how often each tới trắng pattern comes up, beside the exact values.

    >>> one, two = (estimate_odds("doithuong", deals=100_000, seed=7, threads=n) for n in (1, 2))
    >>> one.tally == two.tally
    True
    >>> one.deals, one.hands
    (100000, 400000)
    """
    return estimate(question, how)


def estimate(question: Odds, how: How) -> EstimatedOdds:
    """Run the question; where the list is empty there is nothing to deal."""
    if not question.wins:
        return question.result(Outcome(question.work().zero(), True, 0.0))
    return run(question, how)
