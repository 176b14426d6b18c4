"""The public functions about whole games: simulate, compare, play, replay, settle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tlsim import __version__
from tlsim.api import AnyRules, check_seed, check_size, usual_players
from tlsim.engine.games import GameTally, GameWork
from tlsim.engine.kept import Keep
from tlsim.engine.policies import policies_for
from tlsim.engine.run import Outcome
from tlsim.engine.until import Until
from tlsim.errors import UsageError, shorten
from tlsim.exact.hands import HandBook
from tlsim.kernels import matches as m
from tlsim.records import Settlement, record_of, settle_read, settle_text
from tlsim.records.deals import given_hands, read_deals
from tlsim.records.model import read_record
from tlsim.results.calls import CallStakes
from tlsim.results.difference import Difference, difference
from tlsim.results.games import GameStats
from tlsim.results.parts import Provenance
from tlsim.results.titles import Ladder
from tlsim.rules import InstantWin, load_rules
from tlsim.tasks import How, Progress, Task

if TYPE_CHECKING:
    from tlsim.engine.gamesout import FileTally, GamesOut

Policies: TypeAlias = Any
"""Names of policies, with commas or in a sequence, or compiled functions; see `simulate`."""
Hands: TypeAlias = Mapping[int, Any]
"""Cards, or the id of a pattern, by seat."""
Deals: TypeAlias = str | Path | Sequence[Any]
"""A file of deals, or a list of them."""
MOST_GAMES = 10**11
MOST_LENGTH = 1000
DEFAULT_GAMES = 1_000_000


def simulate(
    rules: AnyRules,
    games: int = DEFAULT_GAMES,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
    until: Until | None = None,
    store: Keep | str | Path | None = None,
) -> GameStats:
    """Play whole games with all their money, in matches of consecutive games.

    Parameters
    ----------
    rules
        Name of a preset, path of a rule file, or rules.
    games
        Number of games, rounded up to whole matches.
    players
        Number of seats; default 4, or the nearest number that the rules allow.
    policies
        One name for all seats, or one per seat (a list, or names with commas): ``"lowest"`` sheds its lowest cards,
        ``"random"`` chooses uniformly, ``"smart"`` plans its hand, ``"rollout[n=50]"`` tries each play out in 50 games;
        or a compiled function of your own (see `tlsim.policy`), itself or as ``"package.module:function"``. Options in
        brackets: ``"smart[hold_3s=1]"`` keeps 3♠ for the end; ``"lowest[declare=0]"`` declines a tới trắng;
        ``"smart[sam=1]"`` calls Sâm whenever it is asked, ``sam=0`` never does.
    match_length
        Games of a match; default that of the rules. A match begins with an opening game.
    seed, executor, threads, progress
        As in `tlsim.estimate_odds`. The deal of game g of match m depends on nothing but the seed, g and m.
    hands
        Given cards by seat: cards in any notation, part of a hand or all of it, or the id of a tới trắng pattern that
        one seat is to hold. The rest is dealt. Every match is then one game.
    leader
        Seat that leads a regular game; by default a game with given cards is an opening game.
    deals
        Given deals instead: a file of JSON Lines with ``hands`` (records will do) or a list of such dicts; match m is
        deal m modulo their number.
    until, store
        As in `tlsim.estimate_odds`; the quantity is ``seat_0`` where ``until`` names none.

    Returns
    -------
    GameStats
        An interrupt gives what was computed, with ``complete`` False.

    Raises
    ------
    UsageError
        If an argument is out of its allowed values.
    RulesError
        If a rule file has faults.

    Examples
    --------
    >>> stats = simulate("luckywin", games=1200, seed=7)
    >>> stats.games, abs(sum(row["mean"] for row in stats.rows("seats"))) < 1e-12
    (1200, True)
    """
    task = games_task(rules, games, players, policies, match_length, seed, hands=hands, leader=leader, deals=deals)
    return task.run(How(executor, threads, progress, until, store))


def games_task(
    rules: AnyRules,
    games: int = DEFAULT_GAMES,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
) -> Task[GameStats]:
    """Return what `simulate` runs."""
    work = game_work(rules, players, policies, match_length, seed, hands=hands, leader=leader, deals=deals)
    check_size("games", games, MOST_GAMES)
    return work_task(work, games)


def work_task(work: GameWork, games: int) -> Task[GameStats]:
    """Return the task of playing so many games of some work."""
    recipe, matches = work.recipe(), -(-games // work.match_length)
    return Task(
        f"simulate {work.rules.name}", work, matches, recipe, stats_of(work), "seat_0", "games", work.match_length
    )


def stats_of(work: GameWork) -> Callable[[Outcome[GameTally]], GameStats]:
    """Return what makes the result of the games of some work."""
    wins = [work.rules.instant_wins(opening, work.players) for opening in (False, True)]
    ids = tuple(tuple(win.id for win in each) for each in wins)
    books = tuple(_book(work, each) for each in wins)
    provenance = Provenance(
        version=__version__, rules=work.rules.name, digest=work.rules.digest, unit=work.rules.unit,
        players=work.players, seed=work.seed, given=work.given.describe() if work.given else None,
    )  # fmt: skip

    def result(outcome: Outcome[GameTally]) -> GameStats:
        done = int(outcome.tally.batches[:, :, m.S_GAMES].sum()) // work.match_length
        return GameStats(
            provenance,
            tuple(map(str, work.policies)),
            work.match_length,
            done,
            outcome.tally,
            (ids[0], ids[1]),
            (books[0], books[1]),
            CallStakes.of(work.rules, work.players),
            Ladder.of(work.rules, work.players),
            outcome.complete,
            outcome.seconds,
            outcome.stopped,
        )

    return result


def write_games(
    folder: str | Path,
    rules: AnyRules,
    games: int = DEFAULT_GAMES,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    executor: Executor | str | None = None,
    threads: int | None = None,
    **given: Any,
) -> int:
    """Write games one by one, as a partitioned Parquet data set: one row per game and player.

    Parameters
    ----------
    folder
        Where the files go, each of whole matches; `tlsim.engine.gamesout.COLUMNS` has the columns. Matches that are
        there are not written again, so the same call goes on after whatever ended it; torn files are.
    rules, games, players, policies, match_length, seed, executor, threads
        As in `simulate`; the games are the same.
    given
        ``hands``, ``leader``, ``deals``, as in `simulate`.

    Returns
    -------
    int
        Games in the whole files; fewer than asked for where it was interrupted.

    Raises
    ------
    UsageError
        If the folder holds games of another run, or cannot be written, or pyarrow is not installed.
    """
    out = games_out(folder, rules, games, players, policies, match_length, seed, **given)

    def written(outcome: Outcome[FileTally]) -> int:
        return outcome.tally.games

    return Task("games", out, out.matches, {}, written, "", "games", out.work.match_length).run(How(executor, threads))


def games_out(
    folder: str | Path,
    rules: AnyRules,
    games: int = DEFAULT_GAMES,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    **given: Any,
) -> GamesOut:
    """Return the work of `write_games`, whose folder was made and looked through; nothing is played."""
    from tlsim.engine.gamesout import GamesOut

    if not isinstance(folder, str | Path):
        raise UsageError(f"folder = {shorten(folder)}: must be the path of a folder")
    work = game_work(rules, players, policies, match_length, seed, **given)
    check_size("games", games, MOST_GAMES)
    out = GamesOut(work, str(folder), -(-games // work.match_length))
    out.check()
    return out


def _book(work: GameWork, wins: tuple[InstantWin, ...]) -> HandBook | None:
    """Return all hands sorted by what they hold, for exact shares; none where cards are given."""
    if work.given is not None:
        return None
    return HandBook(tuple(win.pattern for win in wins), work.rules.hand_sizes(work.players)[0])


def compare(one: GameStats, two: GameStats) -> Difference:
    """Return the differences of two results over the same deals, with their paired and so smaller errors.

    By seat, and where both rules have them by strength of the hand for a call of Sâm, and by title; see
    `Difference.to_frame`.

    Raises
    ------
    UsageError
        If the results are not over the same deals; the message says why.

    Examples
    --------
    >>> a = simulate("luckywin", games=3000, policies="lowest,random,random,random")
    >>> b = simulate("luckywin", games=3000, policies="random")
    >>> compare(a, b).rows[0]["difference"] > 0
    True
    >>> calls, silent = (simulate("sam_loc", games=4000, policies=f"smart[sam={sam}],smart,smart,smart", leader=0)
    ...                  for sam in (1, 0))
    >>> whole = compare(calls, silent).to_frame("sam_calls").iloc[-1]  # to call with any hand is no good
    >>> bool(whole["difference"] < -4 * whole["std_error"])
    True
    """
    return difference(one, two)


def play(
    rules: AnyRules,
    games: int | None = None,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
) -> list[dict[str, Any]]:
    """Play games and return their records, whole matches one after another.

    Parameters
    ----------
    rules, players, policies, match_length, seed, hands, leader, deals
        As in `simulate`.
    games
        Number of games, rounded up to whole matches; default 1, or as many as there are given deals.

    Examples
    --------
    >>> [record["source"]["game"] for record in play("luckywin", games=2, match_length=2, seed=7)]
    [0, 1]
    """
    return list(play_each(rules, games, players, policies, match_length, seed, hands=hands, leader=leader, deals=deals))


def play_each(
    rules: AnyRules,
    games: int | None = None,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    seed: int = 0,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
) -> Iterator[dict[str, Any]]:
    """Return an iterator over the records of `play`, each made when it is asked for."""
    work = game_work(rules, players, policies, match_length, seed, hands=hands, leader=leader, deals=deals)
    if games is None:
        games = len(work.given.cards) if work.given else 1
    check_size("games", games, MOST_GAMES)
    matches = range(-(-games // work.match_length))
    return (record_of(work, hall, match, game) for match in matches for game, hall in enumerate(work.games_of(match)))


def replay(
    rules: AnyRules,
    seed: int,
    match: int,
    game: int,
    players: int | None = None,
    policies: Policies = "lowest",
    match_length: int | None = None,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
) -> dict[str, Any]:
    """Return the record of one game of a simulation.

    Parameters
    ----------
    rules, seed, players, policies, match_length, hands, leader, deals
        Those of the simulation; see `simulate`.
    match, game
        Which match, and which game of it, both from 0.

    Examples
    --------
    >>> record = replay("luckywin", seed=7, match=12, game=3)
    >>> sum(record["net"]) == 0
    True
    """
    work = game_work(rules, players, policies, match_length, seed, hands=hands, leader=leader, deals=deals)
    if not isinstance(match, int) or not 0 <= match < MOST_GAMES:
        raise UsageError(f"match = {shorten(match)}: must be a number from 0 to {MOST_GAMES - 1:,}")
    if not isinstance(game, int) or not 0 <= game < work.match_length:
        raise UsageError(f"game = {shorten(game)}: must be 0 to {work.match_length - 1}, the games of a match")
    hall = next(islice(work.games_of(match), game, None))
    return record_of(work, hall, match, game)


def settle(record: dict[str, Any] | str, rules: AnyRules | None = None) -> Settlement:
    """Referee a game record: check every decision, and say who pays whom.

    Parameters
    ----------
    record
        A record as a dict or as JSON text, or one game in the notation that people type. A record needs ``format rules
        players opening leader hands calls plays``; what else it says is checked.
    rules
        Rules to go by; default the preset that the record names.

    Returns
    -------
    Settlement

    Raises
    ------
    RecordError
        At the first decision that is against the rules, with its place, the rule, and what was legal; or where the
        record does not name the rules.
    UsageError
        If there are no such rules as were asked for.

    Examples
    --------
    >>> record = replay("luckywin", seed=7, match=0, game=0)
    >>> settle({key: record[key] for key in ("format", "rules", "players", "opening", "leader", "hands", "calls",
    ...     "plays")}).record["net"] == record["net"]
    True
    """
    chosen = None if rules is None else load_rules(rules)
    return settle_read(read_record(record), chosen) if isinstance(record, dict) else settle_text(record, chosen)


def game_work(
    rules: AnyRules,
    players: int | None,
    policies: Policies,
    match_length: int | None,
    seed: int,
    *,
    hands: Hands | None = None,
    leader: int | None = None,
    deals: Deals | None = None,
) -> GameWork:
    """Check the arguments of a run of games; return the work."""
    chosen = load_rules(rules)
    chosen.check_playable()
    given = None
    if deals is not None:
        if hands is not None or leader is not None:
            raise UsageError("deals say which hands are given and who leads; give no hands and no leader beside them")
        given = read_deals(chosen, deals)
        dealt = len(given.cards[0])
        if players not in (None, dealt):
            raise UsageError(f"players = {players}: the deals have {dealt} hands")
        players = dealt
    seats = usual_players(chosen) if players is None else players
    chosen.check_players(seats)
    if hands is not None or leader is not None:
        given = given_hands(chosen, seats, hands, leader)
    if given is not None and match_length not in (None, 1):
        raise UsageError(f"match_length = {match_length}: with given cards every match is one game; leave it out")
    length = 1 if given else chosen.match_length if match_length is None else match_length
    check_size("match_length", length, MOST_LENGTH)
    chosen_policies = policies_for(chosen, policies, seats)
    return GameWork(check_seed(seed), chosen, seats, chosen_policies, length, given)
