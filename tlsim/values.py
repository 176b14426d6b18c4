"""The public functions about what hands and seats are worth: hand_value, worth_of_declaring, mean_money."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from tlsim import __version__
from tlsim.api import AnyCards, AnyRules, check_seed, check_size, usual_players
from tlsim.cards import format_cards
from tlsim.engine.around import Around
from tlsim.engine.controls import DealtControls
from tlsim.engine.games import GameWork
from tlsim.engine.kept import Keep
from tlsim.engine.moments import Moments
from tlsim.engine.paired import PairedWork
from tlsim.engine.policies import Policy, policies_for
from tlsim.engine.run import Outcome
from tlsim.engine.until import Until
from tlsim.errors import RunError, UsageError, shorten
from tlsim.results.calls import CallStakes
from tlsim.results.mean_money import MeanMoney
from tlsim.results.parts import Listed, Provenance
from tlsim.results.value import HandValue
from tlsim.results.worth import DeclareWorth, PatternWorth
from tlsim.rules import InstantWin, load_rules
from tlsim.tasks import How, Progress, Shares, Task, worst

DEFAULT_GAMES = 20_000
DEFAULT_MONEY_GAMES = 240_000
MOST_GAMES = 10**10


def hand_value(
    hand: AnyCards,
    rules: AnyRules,
    players: int | None = None,
    policies: Any = "smart",
    *,
    games: int = DEFAULT_GAMES,
    distance: int | None = None,
    opening: bool = False,
    dead: AnyCards = None,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> HandValue:
    """Play games with a hand and find out what it is worth: chance to win, mean money, spread.

    The other hands are drawn from the cards that remain. Every deal is played once from each distance from the leader,
    and where the hand may be declared or Sâm may be called, once in each way: all comparisons are over the same deals.

    Parameters
    ----------
    hand
        A whole hand: text such as ``"3S 3C 4D …"``, card numbers or 52 bits; or the id of a tới trắng pattern: then the
        hand is drawn for every deal, uniformly among those for which that pattern is the strongest.
    rules
        Name of a preset, path of a rule file, or rules.
    players
        Number of seats; default 4, or the nearest number that the rules allow.
    policies
        One policy for all seats, or one for each from the seat with the hand on; see `tlsim.simulate`.
    games
        Number of deals.
    distance
        Seats from the leader to the hand in playing order, 0 where it leads; by default all of them in turn.
    opening
        An opening game, led by the holder of the opening card, instead of a regular one.
    dead
        Cards that nobody holds, where not all cards are dealt.
    seed, executor, threads, progress, until, store
        As in `tlsim.estimate_odds`. The quantity of ``until`` is ``mean`` (mean money) where it names none; there are
        also ``win``, ``declare`` and ``sam`` (what declaring and calling bring, over the same deals), ``distance_0`` …

    Returns
    -------
    HandValue
        An interrupt gives what was computed, with ``complete`` False.

    Raises
    ------
    UsageError
        If the hand is impossible, or another argument out of its allowed values.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> value = hand_value("3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "doithuong", games=500)
    >>> row = value.rows("declare")[0]             # it leads. Declare the dragon straight: 3 · 9; play on: far more
    >>> row["declare"], row["ci_high"] < 0
    (27.0, True)
    """
    task = hand_task(
        hand, rules, players, policies, games=games, distance=distance, opening=opening, dead=dead, seed=seed
    )
    return task.run(How(executor, threads, progress, until, store))


def hand_task(
    hand: AnyCards,
    rules: AnyRules,
    players: int | None = None,
    policies: Any = "smart",
    *,
    games: int = DEFAULT_GAMES,
    distance: int | None = None,
    opening: bool = False,
    dead: AnyCards = None,
    seed: int = 0,
) -> Task[HandValue]:
    """Return what `hand_value` runs."""
    table = _table(rules, players, policies, opening, seed)
    check_size("games", games, MOST_GAMES)
    deals = table.deals(hand, dead)
    distances = table.distances(distance)
    held = table.counts_as(deals)
    ways: dict[str, Policy] = {"value": table.policies[0]}
    if held is not None and table.optional:
        ways |= {name: replace(ways["value"], declare=name == "declare") for name in ("declare", "play_on")}
    if table.rules.bao_sam is not None and (held is None or table.optional):  # else it has won before anybody calls
        ways |= {name: replace(ways["value"], sam=name == "call") for name in ("call", "silent")}
    work, lanes, calls = table.paired(deals, distances, ways)
    provenance = _provenance(
        table,
        given=deals.describe(), dead=format_cards(deals.dead) or None,
        hand_size=table.sizes[deals.holder],
    )  # fmt: skip

    def result(outcome: Outcome[Moments]) -> HandValue:
        shown = {name: lane for name, lane in lanes.items() if name not in {"call", "silent"}}
        return HandValue(
            provenance, table.names, distances, outcome.tally, shown, calls,
            CallStakes.of(table.rules, table.players), _listed(held), outcome.complete, outcome.seconds,
            outcome.stopped,
        )  # fmt: skip

    known = deals.cards[0][deals.holder]
    cards = format_cards(known) if deals.pattern is None else table.wins[deals.pattern[1]].id
    recipe = _recipe("hand", table, distance=distance, dead=deals.dead, hand=cards)
    return Task(f"hand {table.rules.name}, {cards}", work, games, recipe, result, "mean")


def worth_of_declaring(
    rules: AnyRules,
    players: int | None = None,
    policies: Any = "smart",
    *,
    pattern: str | None = None,
    games: int = DEFAULT_GAMES,
    distance: int | None = None,
    opening: bool = False,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> DeclareWorth:
    """Find out for every tới trắng pattern whether to declare it or to play on, and from which price on it pays.

    Hands are drawn exactly: uniformly among those for which the pattern is the strongest. Declaring and playing on are
    over the same deals. With the exact probabilities of the patterns as weights, that gives what the whole list is
    worth to a seat, with a small part of the games that free deals would take.

    Parameters
    ----------
    rules, players, policies, distance, opening, seed, executor, threads, progress
        As in `hand_value`. A declared hand and one that is played on with have the policy of the first seat.
    until, store
        As in `hand_value`, for each pattern; the time is that of all of them. The quantity is ``declare``. In a store
        each pattern is a run of its own, named after the label and the pattern.
    pattern
        Id of one pattern; by default all.
    games
        Number of deals of each pattern.

    Returns
    -------
    DeclareWorth

    Raises
    ------
    UsageError
        If the rules leave no choice, have no such pattern, or an argument is out of its allowed values.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> worth = worth_of_declaring("doithuong", pattern="sanh_rong", games=500)
    >>> worth.rows()[0]["break_even"] > 9          # three losers would have to pay more than the 9 that they do
    True
    """
    how = How(executor, threads, progress, until, store)
    table = _table(rules, players, policies, opening, seed)
    tasks = _declare_tasks(table, pattern, games, distance)
    shares = Shares(until, len(tasks))
    found: list[PatternWorth] = []
    for task in tasks:
        try:
            each = task.run(replace(how, until=shares.next()))
        except RunError as error:
            if error.result is not None:
                error.result = _together(table, [*found, error.result])
            raise
        shares.took(each.seconds)
        found.append(each)
        if not each.complete:
            break
    return _together(table, found)


def declared(
    rules: AnyRules, players: int | None, policies: Any, *, opening: bool, seed: int, found: list[PatternWorth]
) -> DeclareWorth:
    """Return what patterns are worth that were played before."""
    return _together(_table(rules, players, policies, opening, seed), found)


def _together(table: Around, found: list[PatternWorth]) -> DeclareWorth:
    """Return what patterns are worth, those left out of which nothing was played."""
    return DeclareWorth(
        _provenance(table), table.names, tuple(each for each in found if each.moments.matches),
        all(each.complete for each in found), sum(each.seconds for each in found),
        worst(each.stopped for each in found),
    )  # fmt: skip


def declare_tasks(
    rules: AnyRules,
    players: int | None = None,
    policies: Any = "smart",
    *,
    pattern: str | None = None,
    games: int = DEFAULT_GAMES,
    distance: int | None = None,
    opening: bool = False,
    seed: int = 0,
) -> list[Task[PatternWorth]]:
    """Return what `worth_of_declaring` runs: a task for each pattern that a hand can have as its strongest."""
    return _declare_tasks(_table(rules, players, policies, opening, seed), pattern, games, distance)


def _declare_tasks(table: Around, pattern: str | None, games: int, distance: int | None) -> list[Task[PatternWorth]]:
    check_size("games", games, MOST_GAMES)
    table.check_choice()
    distances = table.distances(distance)
    asked = [table.index(pattern)] if pattern else range(len(table.wins))
    found = (_declare_task(table, number, games, distance, distances) for number in asked)
    return [task for task in found if task is not None]


def _declare_task(
    table: Around, number: int, games: int, distance: int | None, distances: tuple[int | None, ...]
) -> Task[PatternWorth] | None:
    """Return the task of one pattern; None where it is no hand's strongest."""
    own = replace(table, seed=_own_seed(table.seed, number))
    deals = own.drawn(0, number, 0)
    if not deals.possible:
        return None
    ways = {name: replace(own.policies[0], declare=name == "declare") for name in ("declare", "play_on")}
    work, lanes, _ = own.paired(deals, distances, ways)
    entry, counted = _listed(table.wins[number]), deals.counted
    assert entry is not None  # noqa: S101 (for mypy)

    def result(outcome: Outcome[Moments]) -> PatternWorth:
        return PatternWorth(
            entry, counted.counts[number], counted.hands, outcome.tally, lanes["declare"], lanes["play_on"],
            outcome.complete, outcome.seconds, outcome.stopped,
        )  # fmt: skip

    recipe = _recipe("declare", table, distance=distance, pattern=entry.id)
    return Task(f"declare {table.rules.name}", work, games, recipe, result, "declare", question=entry.id)


def mean_money(
    rules: AnyRules,
    games: int = DEFAULT_MONEY_GAMES,
    players: int | None = None,
    policies: Any = "smart",
    match_length: int | None = None,
    seed: int = 0,
    *,
    rotate: bool = False,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> MeanMoney:
    """Estimate the mean money of every seat from fewer games, by what is known exactly about the deals.

    How many 2s, aces, bombs, straights … a seat and the table were dealt explains a part of the money; their means are
    exact, so that part of the luck is taken out. The estimate stays unbiased (coefficients come from other matches),
    and its error is that of what is left.

    Parameters
    ----------
    rules, players, policies, match_length, seed, executor, threads, progress, until, store
        As in `tlsim.simulate`; the games are the same. The quantities of ``until`` are ``seat_0`` …
    games
        Number of games, rounded up to whole matches.
    rotate
        Play every deal once with each player in each seat, which takes out what cards and seats do, and leaves what
        players do; rows are then those of the players, by the seat in which they begin.

    Returns
    -------
    MeanMoney

    Raises
    ------
    UsageError
        If an argument is out of its allowed values, or hands are not of one size.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> found = mean_money("luckywin", games=24_000, policies="lowest", seed=1)
    >>> row = found.rows()[0]
    >>> bool(row["ci_low"] < 0 < row["ci_high"]), bool(row["variance_ratio"] > 1)
    (True, True)
    """
    task = money_task(rules, games, players, policies, match_length, seed, rotate=rotate)
    return task.run(How(executor, threads, progress, until, store))


def money_task(
    rules: AnyRules,
    games: int = DEFAULT_MONEY_GAMES,
    players: int | None = None,
    policies: Any = "smart",
    match_length: int | None = None,
    seed: int = 0,
    *,
    rotate: bool = False,
) -> Task[MeanMoney]:
    """Return what `mean_money` runs."""
    table = _table(rules, players, policies, False, seed)
    check_size("games", games, MOST_GAMES)
    length = table.rules.match_length if match_length is None else match_length
    check_size("match_length", length, 1000)
    if not isinstance(rotate, bool):
        raise UsageError(f"rotate = {shorten(rotate)}: must be True or False")
    n, sizes = table.players, sorted(set(table.sizes))
    if len(sizes) > 1:
        raise UsageError(
            f"players = {n}: {table.rules.name} deals {' or '.join(map(str, sizes))} cards, and exact means need hands "
            f"of one size; ask for another number of players, or use simulate"
        )
    turns = range(n if rotate else 1)
    controls = DealtControls(table.seed, n, sizes[0], length, by_seat=not rotate)
    runs = tuple(
        GameWork(table.seed, table.rules, n, tuple(table.policies[(seat - turn) % n] for seat in range(n)), length)
        for turn in turns
    )
    asked = tuple(tuple((turn, (seat + turn) % n) for turn in turns) for seat in range(n))
    work = PairedWork(runs, asked, controls=controls)
    chosen = [controls.own(seat) + controls.table for seat in range(n)]

    def result(outcome: Outcome[Moments]) -> MeanMoney:
        return MeanMoney(
            replace(_provenance(table), opening=None), table.names, rotate, length, outcome.tally,
            tuple(work.money + seat for seat in range(n)),
            tuple(([1 + at for at in columns], [controls.means[at] for at in columns]) for columns in chosen),
            outcome.complete, outcome.seconds, outcome.stopped,
        )  # fmt: skip

    each = length * len(turns)
    recipe = _recipe("money", table, match_length=length, rotate=rotate)
    return Task(f"money {table.rules.name}", work, -(-games // each), recipe, result, "seat_0", "games", each)


def _table(rules: AnyRules, players: int | None, policies: Any, opening: bool, seed: int) -> Around:
    """Check the arguments that all questions share."""
    chosen = load_rules(rules)
    seats = usual_players(chosen) if players is None else players
    chosen.check_players(seats)
    if not isinstance(opening, bool | np.bool_):
        raise UsageError(f"opening = {shorten(opening)}: must be True or False")
    return Around(chosen, seats, bool(opening), check_seed(seed), policies_for(chosen, policies, seats))


def _provenance(table: Around, **more: Any) -> Provenance:
    rules = table.rules
    return Provenance(
        version=__version__, rules=rules.name, digest=rules.digest, unit=rules.unit, players=table.players,
        opening=table.opening, seed=table.seed, **more,
    )  # fmt: skip


def _listed(win: InstantWin | None) -> Listed | None:
    return None if win is None else Listed(win.id, win.label, win.pays, win.count_heo)


def _own_seed(seed: int, number: int) -> int:
    """Return a seed of its own for a part of a question, of 128 bits, so that parts have independent deals."""
    words = np.random.SeedSequence([seed, number]).generate_state(2, np.uint64)
    return int(words[0]) << 64 | int(words[1])


def _recipe(command: str, table: Around, **asked: Any) -> dict[str, Any]:
    """Return what it takes to show a kept run again: the arguments of the question."""
    policies = [asdict(replace(policy, function=None)) for policy in table.policies]
    return {
        "command": command, "rules": table.rules.to_toml(), "players": table.players, "policies": policies,
        "opening": table.opening, "seed": table.seed, **asked,
    }  # fmt: skip
