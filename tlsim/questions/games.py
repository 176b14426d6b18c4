"""Whole games with all their money; its mean less the luck of the deal, as far as that is known exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from tlsim.engine.game_work import GameTally, GameWork
from tlsim.engine.given_deals import GivenDeals
from tlsim.engine.moments import Moments
from tlsim.engine.paired import DealtControls, PairedWork
from tlsim.engine.policies import policies_for
from tlsim.engine.run import Outcome
from tlsim.errors import UsageError, either, wrong
from tlsim.exact.automaton import HandBook
from tlsim.kernels import matches as m
from tlsim.options import option
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import AnyRules, OfRules, Question, tuples
from tlsim.results.difference import Difference, difference
from tlsim.results.game_stats import GameStats, MeanMoney
from tlsim.results.provenance import Provenance
from tlsim.results.titles import CallStakes, Ladder
from tlsim.rules import InstantWin, load_rules

if TYPE_CHECKING:
    from tlsim.engine.game_files import FileTally, GamesOut

Policies: TypeAlias = Any
"""Names of policies, with commas or in a sequence, or compiled functions; see `simulate`."""
Hands: TypeAlias = Mapping[int, Any]
"""Cards, or the id of a pattern, by seat."""
Deals: TypeAlias = str | Path | Sequence[Any]
"""A file of deals, or a list of them."""


@dataclass(frozen=True)
class Games(OfRules[GameStats]):
    """How whole games end, found by playing them in matches of consecutive games."""

    rules: AnyRules = option("rules")
    games: int | None = option("games")
    players: int | None = option("players")
    policies: Policies = option("policies")
    match_length: int | None = option("match_length")
    seed: int = option("seed")
    hands: Hands | None = option("hands", kw_only=True)
    leader: int | None = option("leader", kw_only=True)
    deals: Deals | None = option("given_deals", kw_only=True)
    given: GivenDeals | None = field(default=None, kw_only=True)
    part: str = field(default="", kw_only=True)

    command, size, usual, headline = "simulate", "games", "seat_0", "seat_0"

    def _settle(self) -> None:
        self._set(rules=load_rules(self.rules))
        self.own_rules.check_playable()
        given = self._given_deals()
        super()._settle()
        rules, players = self.own_rules, self.seats
        if self.hands is not None or self.leader is not None:
            from tlsim.records.game_files import given_hands

            given = given_hands(rules, players, self.hands, self.leader)
        policies = policies_for(rules, self.policies, players)
        if given is not None and self.match_length not in (None, 1):
            raise wrong("match_length", self.match_length, "with given cards every match is one game; leave it out")
        length = 1 if given else rules.match_length if self.match_length is None else self.match_length
        self._set(policies=policies, match_length=length, given=given)
        self._set(hands=None, leader=None, deals=None)  # they are what is given

    def _given_deals(self) -> GivenDeals | None:
        """Return the deals that are given, which say how many seats there are."""
        if self.deals is not None and (self.hands is not None or self.leader is not None):
            raise UsageError("deals say which hands are given and who leads; give no hands and no leader beside them")
        given = self.given
        if self.deals is not None:
            from tlsim.records.game_files import read_deals

            given = read_deals(self.own_rules, self.deals)
        if given is not None:
            dealt = len(given.cards[0])
            if self.players not in (None, dealt):
                raise wrong("players", self.players, "the deals have {dealt} hands", dealt=dealt)
            self._set(players=dealt)
        return given

    @property
    def each(self) -> int:
        """Games of a match."""
        return self.match_length or 1

    def work(self) -> GameWork:
        """Return the playing of matches."""
        return GameWork(self.seed, self.own_rules, self.seats, self.policies, self.each, self.given)

    def to_json(self) -> dict[str, Any]:
        """Return what it takes to ask again, as JSON has it."""
        given = self.given and {f.name: getattr(self.given, f.name) for f in fields(self.given) if f.name != "rules"}
        return super().to_json() | {"given": given}

    @classmethod
    def from_json(cls, asked: dict[str, Any]) -> Self:
        """Return the question again."""
        found = super().from_json(asked | {"given": None})
        if not asked["given"]:
            return found
        given = GivenDeals(found.own_rules, **{key: tuples(value) for key, value in asked["given"].items()})
        return super().from_json(asked | {"given": given})

    def provenance(self, **more: Any) -> Provenance:
        """Return what its numbers rest on."""
        return super().provenance(given=self.given.describe() if self.given else None, **more)

    @cached_property
    def _lists(self) -> tuple[tuple[InstantWin, ...], ...]:
        return tuple(self.own_rules.instant_wins(opening, self.players) for opening in (False, True))

    @cached_property
    def _books(self) -> tuple[HandBook | None, ...]:
        """All hands sorted by what they hold, for exact shares; none where cards are given."""
        if self.given is not None:
            return None, None
        size = self.own_rules.hand_sizes(self.seats)[0]
        return tuple(HandBook(tuple(win.pattern for win in wins), size) for wins in self._lists)

    def result(self, outcome: Outcome[GameTally]) -> GameStats:
        """Return the games."""
        rules, players = self.own_rules, self.seats
        regular, opening = (tuple(win.id for win in wins) for wins in self._lists)
        done = int(outcome.tally.batches[:, :, m.S_GAMES].sum()) // self.each
        return GameStats(
            self.provenance(), tuple(map(str, self.policies)), self.each, done, outcome.tally, (regular, opening),
            (self._books[0], self._books[1]), CallStakes.of(rules, players), Ladder.of(rules, players),
            **outcome.ended,
        )  # fmt: skip


@asks(Games)
def simulate(question: Games, how: How) -> GameStats:
    """Play whole games with all their money, in matches of consecutive games.

    >>> stats = simulate("luckywin", games=1200, seed=7)
    >>> stats.games, abs(sum(row["mean"] for row in stats.rows("seats"))) < 1e-12
    (1200, True)
    """
    return run(question, how)


@dataclass(frozen=True)
class GamesInFiles(Question[int]):
    """Games written one by one; their number is the answer."""

    asked: Games
    folder: str | Path

    command, size, label = "games", "games", "games"

    @property
    def each(self) -> int:
        """Games of a match."""
        return self.asked.each

    @property
    def wanted(self) -> int:
        """Matches that are wanted."""
        return self.asked.wanted

    def work(self) -> GamesOut:
        """Return the writing of matches; the folder is made and looked through."""
        from tlsim.engine.game_files import GamesOut

        if not isinstance(self.folder, str | Path):
            raise wrong("folder", self.folder, "must be the path of a folder")
        out = GamesOut(self.asked.own_work, str(self.folder), self.wanted)
        out.check()
        return out

    def result(self, outcome: Outcome[FileTally]) -> int:
        """Return the number of games in the whole files."""
        return outcome.tally.games


@asks(Games, "folder")
def write_games(folder: str | Path, question: Games, how: How) -> int:
    """Write games one by one, as a partitioned Parquet data set: one row per game and player.

    Parameters
    ----------
    folder
        Where the files go, each of whole matches; `tlsim.engine.game_files.COLUMNS` has the columns. Matches that are
        there are not written again, so the same call goes on after whatever ended it; torn files are.

    Returns
    -------
    int
        Games in the whole files; fewer than asked for where it was interrupted.

    Raises
    ------
    UsageError
        If the folder holds games of another run, or cannot be written, or pyarrow is not installed.
    """
    return run(GamesInFiles(question, folder), how)


def compare(one: GameStats, two: GameStats) -> Difference:
    """Return the differences of two results over the same deals, with their paired and so smaller errors.

    By seat, and where both rules have them by strength of the hand for a call of Sâm, and by title; see
    `Difference`.

    Raises
    ------
    UsageError
        If the results are not over the same deals; the message says why.

    Examples
    --------
    >>> a = simulate("luckywin", games=3000, policies="lowest,random,random,random")
    >>> b = simulate("luckywin", games=3000, policies="random")
    >>> compare(a, b).rows()[0]["difference"] > 0
    True
    >>> calls, silent = (simulate("sam_loc", games=4000, policies=f"smart[sam={sam}],smart,smart,smart", leader=0)
    ...                  for sam in (1, 0))
    >>> whole = compare(calls, silent).to_frame("sam_calls").iloc[-1]  # to call with any hand is no good
    >>> bool(whole["difference"] < -4 * whole["std_error"])
    True
    """
    return difference(one, two)


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
