"""How often tới trắng patterns come up: counted exactly, and dealt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from tlsim.cards import DECK, count_cards, format_cards
from tlsim.engine.run import Outcome
from tlsim.errors import CardError, wrong
from tlsim.exact.hands import HandBook
from tlsim.exact.kept import kept_table
from tlsim.exact.question import Table
from tlsim.options import option
from tlsim.questions.public import asks
from tlsim.questions.question import AnyCards, AnyRules, How, Question, cards_text, index_of, read_hand, run, seats_of
from tlsim.results.estimated import EstimatedOdds
from tlsim.results.exact import ExactOdds
from tlsim.results.law import DealLaw
from tlsim.results.provenance import Listed, Provenance
from tlsim.rules import InstantWin, Rules, load_rules
from tlsim.tally import OddsTally


class _AList:
    """What questions about a tới trắng list have alike; mixed into a question with these fields."""

    rules: Any
    players: int | None
    opening: bool
    holding: Any
    dead: Any

    def _settle(self) -> None:
        rules: Rules = load_rules(self.rules)
        seats = seats_of(rules, self.players)
        sizes = rules.hand_sizes(seats)
        if rules.instant_wins(self.opening, seats) and len(set(sizes)) > 1:
            raise wrong("players", seats, "{rules} deals {sizes} cards, and odds need hands of one size; ask for "
                        "another number of players, or set deal.hand_size", rules=rules.name,
                        sizes=", ".join(map(str, sizes)))  # fmt: skip
        hold, lack = _known_cards(self.holding, self.dead, sizes[0])
        self._set(rules=rules, players=seats, holding=hold, dead=lack)  # type: ignore[attr-defined]

    @cached_property
    def wins(self) -> tuple[InstantWin, ...]:
        """The patterns of the list, strongest first."""
        wins: tuple[InstantWin, ...] = self.rules.instant_wins(self.opening, self.players)
        return wins

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

    def provenance(self, **sizes: Any) -> Provenance:
        """Return what its numbers rest on."""
        return Provenance.of(
            self.rules, players=self.players, opening=self.opening, hand_size=self.book.hand_size,
            holding=cards_text(self.holding), dead=cards_text(self.dead), **sizes,
        )  # fmt: skip

    def index(self, pattern: str) -> int:
        """Return the index of a pattern of the list."""
        return index_of(pattern, self.wins, self.rules.name, opening=self.opening)


def _known_cards(holding: AnyCards, dead: AnyCards, hand_size: int) -> tuple[int, int]:
    """Return the known cards as 52 bits each, or say why they cannot be."""
    hold = 0 if holding is None else read_hand("holding", holding)
    lack = 0 if dead is None else read_hand("dead", dead)
    if both := hold & lack:
        shown = format_cards(both, symbols=True)
        raise CardError("{cards} cannot be both in the hand (holding) and elsewhere (dead)", cards=shown)
    if hold.bit_count() > hand_size:
        raise CardError("holding names {cards}; a hand has {hand_size}", cards=count_cards(hold.bit_count()),
                        hand_size=hand_size)  # fmt: skip
    if (DECK & ~lack).bit_count() < hand_size:
        raise CardError("dead names {cards}, which leaves too few for a hand of {hand_size}",
                        cards=count_cards(lack.bit_count()), hand_size=hand_size)  # fmt: skip
    return hold, lack


@dataclass(frozen=True)
class ListOdds(_AList, Question[ExactOdds]):
    """How often each pattern of a list comes up, counted exactly."""

    rules: AnyRules = option("rules")
    players: int | None = option("players")
    opening: bool = option("opening")
    holding: AnyCards = option("holding")
    dead: AnyCards = option("dead")

    command = "exact"

    def counted(self) -> ExactOdds:
        """Return the exact odds; nothing of them is simulated, so there is nothing to run."""

        def table() -> Any:
            return kept_table(Table(players=self.players or 0, **self.deal))

        def alone(at: int) -> Any:
            one = {"patterns": self.book.patterns[at : at + 1], "priority": "strength", "opening_card": None}
            return kept_table(Table(players=self.players or 0, **self.deal | one))

        return ExactOdds(self.provenance(), self.listed, self.book.count(), table, alone)


@dataclass(frozen=True)
class Odds(_AList, Question[EstimatedOdds]):
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
        from tlsim.engine.work import OddsWork

        return OddsWork(seed=self.seed, players=self.players or 0, **self.deal, **self._heo())

    def _heo(self) -> dict[str, Any]:
        """Return which patterns have đếm heo, and the prices that it goes by."""
        bits = sum(1 << at for at, win in enumerate(self.wins) if win.count_heo)
        if not bits or self.rules.prices is None:  # type: ignore[union-attr]
            return {}
        from tlsim.engine.tables import leftover_prices

        return {"count_heo": bits, "prices": leftover_prices(self.rules)}  # type: ignore[arg-type]

    def result(self, outcome: Outcome[OddsTally]) -> EstimatedOdds:
        """Return the estimates."""
        done = int(outcome.tally.total("deals"))
        return EstimatedOdds(
            self.provenance(deals=done, seed=self.seed), self.listed, outcome.tally, self._work.counted,
            self._counted, partial(self._law, outcome.complete), outcome.complete, outcome.seconds, outcome.stopped,
        )  # fmt: skip

    @cached_property
    def _counted(self) -> Any:
        return self.book.count()

    def _law(self, complete: bool) -> DealLaw:
        """Return how the hands of a deal hang together."""
        from tlsim.exact.deals import INSTANT, QUICK, DealCounts

        limit = QUICK if complete else INSTANT
        counts = DealCounts(self.book.patterns, self.book.hand_size, self.players or 0, limit)
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

    Parameters
    ----------
    rules
        Name of a preset, path of a rule file, or rules.
    players
        Number of seats; default 4, or the nearest number that the rules allow.
    opening
        Whether the game is an opening game (*ván khởi đầu*), which may have its own list.
    holding, dead
        Cards known to be in the hand, and known to be elsewhere: text such as ``"2S 2H"``, card numbers 0 … 51, or
        52 bits. At the table they are those of seat 0.

    Returns
    -------
    ExactOdds
        The counts of one hand are there at once. ``deals`` and `table_frame` need the joint law of all hands: they
        compute it when first asked for, in about two seconds to two minutes, and keep it on disk.

    Raises
    ------
    UsageError
        If the rules are unknown, the players out of range, or the cards impossible.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> odds = exact_odds("doithuong", players=4)
    >>> odds.to_frame().set_index("pattern").loc["tu_quy_2", "hands"]
    1677106640
    """
    return question.counted()


@asks(Odds)
def estimate_odds(question: Odds, how: How) -> EstimatedOdds:
    """Deal whole tables and count how often each tới trắng pattern comes up, beside the exact values.

    Parameters
    ----------
    rules, players, opening, holding, dead
        As in `exact_odds`. Where cards are known, hands are counted for seat 0 alone.
    deals
        Number of deals, 1 … 10**12.
    seed
        Seed of the random streams, 0 or more. The same seed gives the same numbers on any number of threads, and the
        same deals whatever the rules and the number of players.
    executor
        None: threads of this process; ``"processes"``; the address of a Dask scheduler, ``"tcp://host:port"``; or any
        `concurrent.futures.Executor`. The numbers are the same.
    threads
        Number of threads or processes; default all cores, or what an executor says.
    progress
        Called now and then as ``progress(done, total, partial_result)``. Without it a bar is shown in terminals and
        notebooks where the run takes longer than a second.
    until
        When to stop before ``deals``: after some time, or at an error of a quantity; see `tlsim.Until`.
    store
        File in which finished blocks are kept, or where and how; see `tlsim.Keep`. The same call goes on where the run
        was, after whatever ended it, and more deals later go on with it.

    Returns
    -------
    EstimatedOdds
        An interrupt (Ctrl-C) gives what was computed, with ``complete`` False.

    Raises
    ------
    UsageError
        If an argument is out of its allowed values.
    RulesError
        If a rule file has faults.
    RunError
        If the executor broke, or the store cannot be used; its ``result`` is the partial result.

    Examples
    --------
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
