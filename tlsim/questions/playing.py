"""Games one by one: played, replayed, refereed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from tlsim.errors import wrong
from tlsim.options import MOST_GAMES, is_whole, option
from tlsim.questions.games import Deals, Games, Hands, Policies
from tlsim.questions.how import asks
from tlsim.questions.question import AnyRules, Question
from tlsim.records.game_files import settle_text
from tlsim.records.model import read_record
from tlsim.records.referee import Settlement
from tlsim.records.settling import settle_read
from tlsim.records.written import record_of
from tlsim.rules import load_rules


@dataclass(frozen=True)
class Played(Games):
    """Games to be written down, whole matches one after another."""

    games: int | None = option("play.games")

    command = "play"

    def _settle(self) -> None:
        super()._settle()
        if self.games is None:
            self._set(games=len(self.given.cards) if self.given else 1)

    def records(self) -> Iterator[dict[str, Any]]:
        """Return an iterator over the records, each made when it is asked for."""
        halls = ((m, at, hall) for m in range(self.wanted) for at, hall in enumerate(self.own_work.games_of(m)))
        return (record_of(self.own_work, hall, match, game) for match, game, hall in halls)


@dataclass(frozen=True)
class Replayed(Question[dict[str, Any]]):
    """One game of a simulation."""

    rules: AnyRules = option("rules")
    seed: int = option("seed")
    match: int | None = option("match")
    game: int | None = option("game")
    players: int | None = option("players")
    policies: Policies = option("policies")
    match_length: int | None = option("match_length")
    hands: Hands | None = option("hands", kw_only=True)
    leader: int | None = option("leader", kw_only=True)
    deals: Deals | None = option("given_deals", kw_only=True)

    command = "replay"

    def _settle(self) -> None:
        self._set(rules=load_rules(self.rules))
        if not is_whole(self.match) or not 0 <= self.match < MOST_GAMES:
            raise wrong("match", self.match, "must be a number from 0 to {most:,}", most=MOST_GAMES - 1)
        length = self.simulation.each
        if not is_whole(self.game) or not 0 <= self.game < length:
            raise wrong("game", self.game, "must be 0 to {most}, the games of a match", most=length - 1)

    @cached_property
    def simulation(self) -> Games:
        """The games of which it is one."""
        return Games(
            self.rules, 1, self.players, self.policies, self.match_length, self.seed, hands=self.hands,
            leader=self.leader, deals=self.deals,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the record of the game."""
        work = self.simulation.work()
        match, game = self.match or 0, self.game or 0
        hall = next(islice(work.games_of(match), game, None))
        return record_of(work, hall, match, game)


@asks(Played, runs=False)
def play(question: Played) -> list[dict[str, Any]]:
    """Play games and return their records, whole matches one after another.

    >>> [record["source"]["game"] for record in play("luckywin", games=2, match_length=2, seed=7)]
    [0, 1]
    """
    return list(question.records())


@asks(Replayed, runs=False)
def replay(question: Replayed) -> dict[str, Any]:
    """Return the record of one game of a simulation.

    >>> record = replay("luckywin", seed=7, match=12, game=3)
    >>> sum(record["net"]) == 0
    True
    """
    return question.record()


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
