"""Whole games as work: matches in groups of 256, rules as values out, integer sums back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import Block
from tlsim.engine.given_deals import GivenDeals
from tlsim.engine.identity import Identity, identity_of
from tlsim.engine.parts import link
from tlsim.engine.policies import Policy
from tlsim.engine.tables import game_row, pattern_tests
from tlsim.errors import UsageError
from tlsim.kernels.deal import GROUP, dealer, desk
from tlsim.kernels.detect import bench
from tlsim.kernels.given import Given, nothing_given
from tlsim.kernels.hall import FAULTY, STOPPED, Hall, play_games
from tlsim.kernels.hands import where_dealt
from tlsim.kernels.matches import N_CARRIED, S_UNBALANCED, Sums, empty_sums
from tlsim.kernels.own import asked_seat, failure
from tlsim.kernels.rng import stream_key
from tlsim.kernels.row import ADDRESS, MOST_SEATS, N_OPTIONS, Ints
from tlsim.rules import Rules

_NOT_STOPPED = np.zeros(1, np.int64)
_QUICK, _LONG = GROUP, 16  # matches of a unit of work; fewer where a policy thinks long


@dataclass(frozen=True, eq=False)
class GameTally:
    """Integer sums over games; see `tlsim.kernels.matches.Sums`."""

    batches: Ints
    flows: Ints
    patterns: Ints
    money: Ints
    lengths: Ints
    extremes: Ints
    calls: Ints
    titles: Ints

    def __add__(self, other: GameTally) -> GameTally:
        added = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        mine, theirs = self.extremes, other.extremes
        first = [_first(one, two) for one, two in zip(mine.tolist(), theirs.tolist(), strict=True)]
        return GameTally(**(added | {"extremes": np.array(first, dtype=np.int64)}))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTally):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]


def _first(one: list[int], two: list[int]) -> list[int]:
    """Return the greater extreme; of equal ones the earlier, whatever the order of adding."""
    return min(one, two, key=lambda row: (-row[0], row[1], row[2]))


@dataclass(frozen=True)
class GameWork:
    """Play matches and add them up.

    Parameters
    ----------
    seed
        Seed of deals and choices.
    rules, players
        What is played, by how many.
    policies
        Policy of each seat.
    match_length
        Games of a match.
    given
        What is given of the deals; None for free deals.
    """

    seed: int
    rules: Rules
    players: int
    policies: tuple[Policy, ...]
    match_length: int
    given: GivenDeals | None = None

    def zero(self) -> GameTally:
        """Return the tally of no games."""
        return GameTally(*self._sums())

    def _sums(self) -> Sums:
        rules = self.rules
        return empty_sums(self.players, calls=rules.bao_sam is not None, titles=rules.president is not None)

    def identity(self) -> Identity:
        """Return what changes the answer: seed, rules, players, policies with the source of users' own."""
        clauses = {table: value for table, value in self.rules.outcome().items() if table != "match_length"}
        return identity_of(
            "games", seed=self.seed, players=self.players, policies=list(map(str, self.policies)),
            sources=[policy.source for policy in self.policies], match_length=self.match_length, rules=clauses,
            given=self.given and [self.given.describe(), self.given.digest],
        )  # fmt: skip

    def recipe(self) -> dict[str, Any]:
        """Return what it takes to show a kept run again."""
        policies = [asdict(replace(policy, function=None)) for policy in self.policies]
        given = self.given and {f.name: getattr(self.given, f.name) for f in fields(self.given) if f.name != "rules"}
        return {
            "command": "simulate", "rules": self.rules.to_toml(), "players": self.players, "policies": policies,
            "match_length": self.match_length, "seed": self.seed, "given": given,
        }  # fmt: skip

    @property
    def unit(self) -> int:
        """Matches of a unit of work."""
        long = any(policy.is_own or policy.name == "rollout" for policy in self.policies)
        return _LONG if long else _QUICK

    @cached_property
    def _fixed(self) -> tuple[Any, ...]:
        size = min(self.rules.hand_sizes(self.players))
        tests = tuple(pattern_tests(self.rules, opening, self.players, size) for opening in (False, True))
        return stream_key(self.seed), dealer(self.players, size), tests

    @cached_property
    def _seats(self) -> Ints:
        """What the row of a game says of each seat, int64[N_OPTIONS, MOST_SEATS]."""
        seats = np.zeros((N_OPTIONS, MOST_SEATS), np.int64)
        for seat, policy in enumerate(self.policies):
            seats[:, seat] = policy.options()
        return seats

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was computed: addresses hold in this process alone."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def _hall(self) -> Hall:
        """Return room for a group of matches."""
        deck = self._fixed[1]
        return Hall(
            game_row(self.rules, self.players),
            self._seats,
            np.zeros((deck.seats, GROUP), np.int64),
            np.zeros((GROUP, N_CARRIED), np.int64),
            np.zeros((GROUP, 3, 2 * MOST_SEATS), np.int64),
            np.zeros((GROUP, 3), np.int64),
            desk(),
            bench(self.players * GROUP),
            bench(self.players * GROUP),
        )

    def _given(self, first: int, matches: int) -> Given:
        return self.given.of(self._fixed[0], first, matches) if self.given else nothing_given()

    @cached_property
    def _where(self) -> int:
        """Where hands are dealt and looked at; to find it takes as long as some hundred games."""
        hall = self._hall()
        return where_dealt(self._fixed[1], hall.desk, hall.hands, self._fixed[2][0], hall.regular)

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> GameTally | None:
        """Return the tally of a block of matches, or None where it was stopped."""
        return self.tally_of(block.first * self.unit, block.deals, stop)

    def tally_of(self, first: int, matches: int, stop: NDArray[np.int64] | None = None) -> GameTally | None:
        """Return the tally of so many matches from one on, or None where it was stopped."""
        key, deck, tests = self._fixed
        hall, sums = self._hall(), self._sums()
        rooms, where = link(hall.game, self.policies, self.rules), self._where
        end = first + matches
        given = self._given(first, matches)
        while first < end:
            group, at = divmod(first, GROUP)
            until = min(GROUP, at + end - first)
            played = play_games(
                key, deck, tests, given, hall, where, group, (at, until), (0, self.match_length), sums,
                _NOT_STOPPED if stop is None else stop,
            )  # fmt: skip
            if played == STOPPED:
                return None
            if played == FAULTY:
                raise self._no_choice(hall, rooms.sheet)
            first += until - at
        if sums.batches[:, :, S_UNBALANCED].any():
            raise AssertionError("the money of a game did not sum to zero, or to the points that it gave")
        return GameTally(*sums)

    def _no_choice(self, hall: Hall, sheet: Ints) -> UsageError:
        """Return the error of a user's function that chose no play."""
        address = hall.game[ADDRESS + asked_seat(sheet)]
        policy = next(policy for policy in self.policies if policy.is_own and policy.options()[-1] == address)
        text = failure(policy.compiled(), hall.game, sheet)
        return UsageError("policies: {name!r} {text}; see tlsim.policy", name=policy.name, text=text)

    def games_of(self, *matches: int) -> Iterator[Hall]:
        """Play the games of matches; yield where each was played, and what carried over, before the next is."""
        key, deck, tests = self._fixed
        hall, sums = self._hall(), self._sums()
        rooms, where = link(hall.game, self.policies, self.rules), self._where
        for match in matches:
            group, at = divmod(match, GROUP)
            given = self._given(match, 1)
            for game in range(self.match_length):
                played = play_games(
                    key, deck, tests, given, hall, where, group, (at, at + 1), (game, game + 1), sums, _NOT_STOPPED
                )
                if played == FAULTY:
                    raise self._no_choice(hall, rooms.sheet)
                yield hall


__all__ = ["GameTally", "GameWork", "Sums"]
