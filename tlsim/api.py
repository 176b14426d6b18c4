"""The public functions: check the arguments, plan, run, wrap the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tlsim import __version__
from tlsim.cards import DECK, N_CARDS, count_cards, format_cards, hand_of
from tlsim.engine.kept import Keep
from tlsim.engine.until import Until
from tlsim.errors import CardError, UsageError, shorten, suggestion
from tlsim.exact.hands import HandBook, patterns_of
from tlsim.exact.kept import kept_table
from tlsim.exact.question import Table
from tlsim.results import DealLaw, EstimatedOdds, EventOdds, ExactOdds, HandReport, Listed, Provenance
from tlsim.rules import InstantWin, Rules, load_rules
from tlsim.tasks import How, Progress, Task

AnyRules: TypeAlias = str | Path | Rules
AnyCards: TypeAlias = str | int | Iterable[int] | None
MOST_DEALS = 10**12
MOST_HANDS = 10**8
DEFAULT_DEALS = 10_000_000
USUAL_PLAYERS = 4


def exact_odds(
    rules: AnyRules,
    players: int | None = None,
    opening: bool = False,
    holding: AnyCards = None,
    dead: AnyCards = None,
) -> ExactOdds:
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
        The counts of one hand are there at once. ``table`` and `table_frame` need the joint law of all hands: they
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
    case = _Case.of(rules, players, opening, holding, dead)

    def table() -> Any:
        return kept_table(Table(players=case.players, **case.deal))

    return ExactOdds(case.provenance(), case.listed, case.book.count(), table)


def estimate_odds(
    rules: AnyRules,
    deals: int = DEFAULT_DEALS,
    players: int | None = None,
    opening: bool = False,
    holding: AnyCards = None,
    dead: AnyCards = None,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> EstimatedOdds:
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
    task = odds_task(rules, deals, players, opening, holding, dead, seed)
    if not task.work.patterns:
        from tlsim.engine.run import Outcome

        return task.result(Outcome(task.work.zero(), True, 0.0))
    return task.run(How(executor, threads, progress, until, store))


def odds_task(
    rules: AnyRules,
    deals: int = DEFAULT_DEALS,
    players: int | None = None,
    opening: bool = False,
    holding: AnyCards = None,
    dead: AnyCards = None,
    seed: int = 0,
) -> Task[EstimatedOdds]:
    """Return what `estimate_odds` runs."""
    case = _Case.of(rules, players, opening, holding, dead)
    check_size("deals", deals, MOST_DEALS)
    seed = check_seed(seed)
    exact = case.book.count()

    from tlsim.engine.run import Outcome
    from tlsim.engine.work import OddsWork
    from tlsim.tally import OddsTally

    def law(complete: bool) -> DealLaw:
        from tlsim.exact.deals import INSTANT, QUICK, DealCounts

        limit = QUICK if complete else INSTANT
        counts = DealCounts(case.book.patterns, case.book.hand_size, case.players, limit)
        # An interrupt, which comes to the main thread, must not meet the compiler; nor wait for the other thread.
        with ThreadPoolExecutor(1) as worker:
            try:
                held, counted = (worker.submit(pairs) for pairs in (counts.pairs_held, counts.pairs_counted))
                return DealLaw(held.result(), counted.result(), counts.held, counts.counted)
            except BaseException:
                counts.stop[0] = 1
                raise

    work = OddsWork(seed=seed, players=case.players, **case.deal, **case.heo())

    def result(outcome: Outcome[OddsTally]) -> EstimatedOdds:
        done = int(outcome.tally.total("deals"))
        provenance = case.provenance(deals=done, seed=seed)
        source = partial(law, outcome.complete)
        return EstimatedOdds(
            provenance, case.listed, outcome.tally, work.counted, exact, source, outcome.complete, outcome.seconds,
            outcome.stopped,
        )  # fmt: skip

    return Task(f"odds {case.rules.name}", work, deals, case.recipe(seed), result, "worst")


def estimate_event(
    predicate: Callable[[int], bool] | str,
    deals: int = DEFAULT_DEALS,
    hand_size: int = 13,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> EventOdds:
    """Deal single hands and count those that meet a predicate of your own.

    Parameters
    ----------
    predicate
        A function ``f(hand: int64) -> bool``, compiled by ``@numba.njit`` (a plain function is compiled for you). Bit
        ``rank * 4 + suit`` of the hand is a card; ranks 3 … A, 2 are 0 … 12, suits ♠ ♣ ♦ ♥ are 0 … 3. Or its place,
        ``"package.module:function"``. One that is defined in a notebook runs on threads only: other processes find it
        by its place.
    deals
        Number of hands, 1 … 10**12.
    hand_size
        Cards of a hand, 1 … 51.
    seed, executor, threads, progress, until, store
        As in `estimate_odds`.

    Returns
    -------
    EventOdds

    Raises
    ------
    UsageError
        If the predicate does not compile, or an argument is out of its allowed values.

    Examples
    --------
    >>> import numba
    >>> @numba.njit
    ... def has_red_twos(hand):
    ...     return (hand >> 50) & 3 == 3
    >>> odds = estimate_event(has_red_twos, deals=200_000, seed=1)
    >>> abs(odds.estimate - 13 * 12 / (52 * 51)) < 6 * odds.std_error
    True
    """
    check_size("deals", deals, MOST_DEALS)
    check_size("hand_size", hand_size, N_CARDS - 1)
    seed = check_seed(seed)

    from tlsim.engine.events import Counter, EventTally, EventWork
    from tlsim.engine.run import Outcome

    counter = Counter(predicate)
    name = getattr(counter.predicate, "__qualname__", counter.name)

    def result(outcome: Outcome[EventTally]) -> EventOdds:
        provenance = Provenance(
            version=__version__, predicate=name, hand_size=hand_size, deals=outcome.tally.hands, seed=seed
        )
        return EventOdds(provenance, outcome.tally.count, outcome.complete, outcome.seconds, outcome.stopped)

    recipe = {"command": "event", "predicate": name, "hand_size": hand_size, "seed": seed}
    task = Task(f"event {name}", EventWork(seed, hand_size, counter), deals, recipe, result, "event")
    return task.run(How(executor, threads, progress, until, store))


def draw_hands(
    rules: AnyRules,
    pattern: str,
    n: int = 1000,
    opening: bool = False,
    seed: int = 0,
    holding: AnyCards = None,
    dead: AnyCards = None,
    counting: bool = False,
) -> NDArray[np.int64]:
    """Draw uniformly random hands among those that hold a pattern; exact, without rejection.

    Parameters
    ----------
    rules, opening, holding, dead
        As in `exact_odds`.
    pattern
        Id of a pattern of the list.
    n
        Number of hands, 1 … 10**8; hands may repeat.
    seed
        Seed; the first hands are the same whatever ``n``.
    counting
        Draw among the hands for which the pattern is the strongest, not among all that hold it.

    Returns
    -------
    numpy.ndarray
        Hands of 52 bits, int64, shape (n,).

    Raises
    ------
    UsageError
        If the rules have no such pattern, or no hand holds it with the known cards.

    Examples
    --------
    >>> from tlsim.cards import format_cards
    >>> hands = draw_hands("doithuong", "tu_quy_2", n=1000, seed=3)
    >>> bool(((hands >> 48) == 15).all())
    True
    """
    case = _Case.of(rules, None, opening, holding, dead)
    check_size("n", n, MOST_HANDS)
    seed = check_seed(seed)
    at = case.index(pattern)
    counts = case.book.count()
    hands = (counts.counts if counting else counts.holds)[at]
    if not hands:
        raise UsageError(f"no hand {'counts as' if counting else 'holds'} {pattern!r} with these known cards")

    from tlsim.kernels.rng import DRAWS, bounded_numbers, stream_key

    numbers = np.zeros(n, dtype=np.int64)
    bounded_numbers(stream_key(seed), DRAWS, 0, hands, numbers)
    return case.book.find(numbers, at, counting=counting)


def classify_hand(cards: str | int | Iterable[int], rules: AnyRules, opening: bool = False) -> HandReport:
    """Tell which tới trắng patterns a hand holds under a rule set, and how its cards group.

    Parameters
    ----------
    cards
        The hand: text such as ``"3S 3C 4D …"``, card numbers, or 52 bits.
    rules, opening
        As in `exact_odds`.

    Returns
    -------
    HandReport

    Raises
    ------
    UsageError
        If the cards cannot be read, or are not as many as the rules deal.

    Examples
    --------
    >>> report = classify_hand("3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "doithuong")
    >>> [entry.id for entry in report.held]
    ['sanh_rong']
    """
    rules = load_rules(rules)
    _check_opening(opening)
    hand = _read("cards", cards)
    sizes = sorted({size for n in _numbers_of_players(rules) for size in rules.hand_sizes(n)})
    if hand.bit_count() not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise CardError(f"{count_cards(hand.bit_count())} given; a hand of {rules.name} has {wanted}")
    wins = rules.instant_wins(opening)
    held = patterns_of(hand, [win.pattern for win in wins], hand.bit_count()) if wins else []
    provenance = Provenance(
        version=__version__, rules=rules.name, digest=rules.digest, unit=rules.unit, opening=opening,
        hand_size=hand.bit_count(),
    )  # fmt: skip
    straight = rules.combinations.straight
    low = straight is not None and straight.low
    return HandReport(provenance, hand, tuple(_listed(wins[at]) for at in held), low)


@dataclass(frozen=True)
class _Case:
    """A question about a list: checked arguments."""

    rules: Rules
    players: int
    opening: bool
    wins: tuple[InstantWin, ...]
    book: HandBook

    @classmethod
    def of(cls, rules: AnyRules, players: int | None, opening: bool, holding: AnyCards, dead: AnyCards) -> _Case:
        rules = load_rules(rules)
        seats = usual_players(rules) if players is None else players
        _check_opening(opening)
        sizes = rules.hand_sizes(seats)
        size = sizes[0]
        wins = rules.instant_wins(opening, seats)
        if wins and len(set(sizes)) > 1:
            raise UsageError(
                f"players = {seats}: {rules.name} deals {', '.join(map(str, sizes))} cards, and odds need hands of one "
                f"size; ask for another number of players, or set deal.hand_size"
            )
        hold, lack = _known_cards(holding, dead, size)
        return cls(rules, seats, opening, wins, HandBook(tuple(win.pattern for win in wins), size, hold, lack))

    @property
    def listed(self) -> tuple[Listed, ...]:
        return tuple(map(_listed, self.wins))

    @property
    def deal(self) -> dict[str, Any]:
        """What the exact side and the simulation both need to know of the table, but the number of players."""
        lead = self.rules.lead
        return {
            "patterns": self.book.patterns,
            "hand_size": self.book.hand_size,
            "priority": self.rules.priority(self.opening),
            "holding": self.book.holding,
            "dead": self.book.dead,
            "opening_card": lead.opening_card if self.opening else None,
            "opening_random": lead.opening_fallback == "random",
        }

    def recipe(self, seed: int) -> dict[str, Any]:
        """Return what it takes to show a kept run again."""
        return {
            "command": "odds", "rules": self.rules.to_toml(), "players": self.players, "opening": bool(self.opening),
            "holding": self.book.holding, "dead": self.book.dead, "seed": seed,
        }  # fmt: skip

    def heo(self) -> dict[str, Any]:
        """Return which patterns have đếm heo, and the prices that it goes by."""
        bits = sum(1 << at for at, win in enumerate(self.wins) if win.count_heo)
        if not bits or self.rules.prices is None:
            return {}
        from tlsim.engine.tables import leftover_prices

        return {"count_heo": bits, "prices": leftover_prices(self.rules)}

    def provenance(self, **sizes: Any) -> Provenance:
        return Provenance(
            version=__version__,
            rules=self.rules.name,
            digest=self.rules.digest,
            unit=self.rules.unit,
            players=self.players,
            opening=self.opening,
            hand_size=self.book.hand_size,
            holding=format_cards(self.book.holding) or None,
            dead=format_cards(self.book.dead) or None,
            **sizes,
        )

    def index(self, pattern: str) -> int:
        """Return the index of a pattern of the list."""
        ids = [win.id for win in self.wins]
        if pattern not in ids:
            which = "opening" if self.opening else "regular"
            has = ", ".join(ids) or "none"
            near = suggestion(str(pattern), ids)
            raise UsageError(f"pattern = {pattern!r}: the {which} list of {self.rules.name} has {has}{near}")
        return ids.index(pattern)


def _listed(win: InstantWin) -> Listed:
    return Listed(win.id, win.label, win.pays, win.count_heo)


def _numbers_of_players(rules: Rules) -> range:
    return range(rules.deal.min_players, rules.deal.max_players + 1)


def usual_players(rules: Rules) -> int:
    """Return four players, or as near to it as the rules allow."""
    allowed = _numbers_of_players(rules)
    return min(max(USUAL_PLAYERS, allowed[0]), allowed[-1])


def _known_cards(holding: AnyCards, dead: AnyCards, hand_size: int) -> tuple[int, int]:
    """Return the known cards as 52 bits each, or say why they cannot be."""
    hold = 0 if holding is None else _read("holding", holding)
    lack = 0 if dead is None else _read("dead", dead)
    if both := hold & lack:
        raise CardError(f"{format_cards(both)} cannot be both in the hand (holding) and elsewhere (dead)")
    if hold.bit_count() > hand_size:
        raise CardError(f"holding names {count_cards(hold.bit_count())}; a hand has {hand_size}")
    if (DECK & ~lack).bit_count() < hand_size:
        raise CardError(f"dead names {count_cards(lack.bit_count())}, which leaves too few for a hand of {hand_size}")
    return hold, lack


def _read(name: str, cards: Any) -> int:
    """Return cards as 52 bits, or say which argument cannot be read."""
    several = np.iterable(cards) and not isinstance(cards, str | bytes)
    cards = tuple(cards) if several else cards  # what can be read once only
    if not isinstance(cards, str) and not all(map(_is_whole, cards if several else (cards,))):
        raise CardError(f"{name} = {shorten(cards)}: must be text such as '2S 2H', card numbers 0 … 51, or 52 bits")
    try:
        return hand_of(cards)
    except CardError as error:
        raise CardError(f"{name}: {error}") from None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_size(name: str, value: int, most: int, least: int = 1) -> None:
    """Refuse a number that is not whole or out of range; 0 stands for none where it is allowed."""
    if not _is_whole(value) or not least <= value <= most:
        none = " (none)" if least == 0 else ""
        raise UsageError(f"{name} = {value!r}: must be a whole number from {least}{none} to {most:,}")


def _check_opening(opening: bool) -> None:
    if not isinstance(opening, bool | np.bool_):
        raise UsageError(f"opening = {shorten(opening)}: must be True or False")


def check_seed(seed: int) -> int:
    """Return a seed, or refuse it."""
    if not _is_whole(seed) or not 0 <= seed < 2**128:
        raise UsageError(f"seed = {seed!r}: must be a whole number from 0 to 2**128 - 1")
    return int(seed)
