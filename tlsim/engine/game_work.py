"""Whole games as work: matches in groups of 256, rules as values out, integer sums back."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np

from tlsim.engine.given_deals import GivenDeals
from tlsim.engine.identity import Identity, identity_of
from tlsim.engine.parts import link
from tlsim.engine.policies import Policy, options_of
from tlsim.engine.rule_numbers import game_row, pattern_tests
from tlsim.engine.work import Flag, Work
from tlsim.errors import UsageError
from tlsim.kernels.deal import GROUP, dealer, desk
from tlsim.kernels.detect import bench, where_dealt
from tlsim.kernels.given import Given, nothing_given
from tlsim.kernels.hall import FAULTY, KEPT_OF_GAME, KEPT_OF_SEAT, STOPPED, Hall, play_games
from tlsim.kernels.matches import N_CARRIED, S_UNBALANCED, Sums, empty_sums
from tlsim.kernels.own import T_SEAT, TABLE, failure
from tlsim.kernels.rng import stream_key
from tlsim.kernels.row import ADDRESS, LESSON_PART, LESSON_ROOM, MOST_SEATS, Ints
from tlsim.rules import Rules
from tlsim.tally import Tally

Play: TypeAlias = Callable[[Given, int, int, tuple[int, int]], bool]
"""Plays some games of matches of one group, and says whether it was not stopped."""
_NOT_STOPPED = np.zeros(1, np.int64)
_QUICK, _LONG = GROUP, 16  # matches of a unit of work; fewer where a policy thinks long


@dataclass(frozen=True, eq=False)
class GameTally(Tally):
    """Integer sums over games; see `tlsim.kernels.matches.Sums`."""

    batches: Ints
    flows: Ints
    patterns: Ints
    money: Ints
    lengths: Ints
    extremes: Ints
    calls: Ints
    titles: Ints

    def __add__(self, other: Self) -> Self:
        """Add; of extremes the greater one stays, of equal ones the earlier, whatever the order of adding."""
        both = np.stack([self.extremes, other.extremes], axis=1).tolist()
        first = [min(pair, key=lambda row: (-row[0], row[1], row[2])) for pair in both]
        return replace(super().__add__(other), extremes=np.array(first, dtype=np.int64))


@dataclass(frozen=True)
class GameWork(Work[GameTally]):
    """Play matches and add them up."""

    seed: int
    rules: Rules
    players: int
    policies: tuple[Policy, ...]  # of each seat
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
        return options_of(self.policies)

    def _hall(self, kept: int = 0) -> Hall:
        """Return room for a group of matches; kept : of so many games of a match is kept what happened."""
        deck = self._fixed[1]
        shapes: tuple[tuple[int, ...], ...] = (
            (deck.seats, GROUP), (GROUP, N_CARRIED), (GROUP, 3, 2 * MOST_SEATS), (GROUP, 3),
            (GROUP, kept, KEPT_OF_GAME + MOST_SEATS * KEPT_OF_SEAT),
        )  # fmt: skip
        hands, carried, net, played, games = (np.zeros(shape, np.int64) for shape in shapes)
        opening, regular = (bench(self.players * GROUP) for _ in range(2))
        row = game_row(self.rules, self.players)
        return Hall(row, self._seats, hands, carried, net, played, desk(), opening, regular, games)

    def _given(self, first: int, matches: int) -> Given:
        return self.given.of(self._fixed[0], first, matches) if self.given else nothing_given()

    @cached_property
    def _where(self) -> int:
        """Where hands are dealt and looked at; to find it takes as long as some hundred games."""
        hall = self._hall()
        return where_dealt(self._fixed[1], hall.desk, hall.hands, self._fixed[2][0], hall.regular)

    def tally_of(self, first: int, number: int, stop: Flag) -> GameTally | None:
        """Return the tally of so many matches from one on, or None where it was stopped."""
        sums = self._sums()
        if not all(self._spans(first, number, stop, sums, self._hall())):
            return None
        if sums.batches[:, :, S_UNBALANCED].any():
            raise AssertionError("the money of a game did not sum to zero, or to the points that it gave")
        return GameTally(*sums)

    def games(self, first: int, matches: int, stop: Flag = None) -> Ints | None:
        """Return what is kept of games, [matches, games, KEPT_OF_GAME + players * KEPT_OF_SEAT]; None if stopped."""
        found, hall = [], self._hall(self.match_length)
        for span in self._spans(first, matches, stop, self._sums(), hall):
            if span is None:
                return None
            found.append(hall.games[slice(*span), :, : KEPT_OF_GAME + self.players * KEPT_OF_SEAT].copy())
        return np.concatenate(found)

    def _spans(self, first: int, matches: int, stop: Flag, sums: Sums, hall: Hall) -> Iterator[tuple[int, int] | None]:
        """Play matches, and yield which of a group have just been played; None where that was stopped."""
        end, given, play = first + matches, self._given(first, matches), self._player(hall, sums, stop)
        while first < end:
            until = min(end, first - first % GROUP + GROUP)
            going = play(given, first, until, (0, self.match_length))
            yield (first % GROUP, first % GROUP + until - first) if going else None
            first = until

    def games_of(self, *matches: int) -> Iterator[Hall]:
        """Play the games of matches; yield where each was played, and what carried over, before the next is."""
        hall = self._hall()
        play = self._player(hall, self._sums())
        for match in matches:
            given = self._given(match, 1)
            for game in range(self.match_length):
                play(given, match, match + 1, (game, game + 1))
                yield hall

    def _player(self, hall: Hall, sums: Sums, stop: Flag = None) -> Play:
        """Return what plays some games of matches of one group in a hall, and says whether it was not stopped."""
        (key, deck, tests), where = self._fixed, self._where
        rooms, flag = link(hall.game, self.policies, self.rules), _NOT_STOPPED if stop is None else stop

        def play(given: Given, first: int, end: int, games: tuple[int, int]) -> bool:
            group, at = divmod(first, GROUP)
            span = at, at + end - first
            played = play_games(key, deck, tests, given, hall, where, group, span, games, sums, flag)
            if played == FAULTY:
                raise self._no_choice(hall, rooms.sheet)
            return bool(played != STOPPED)

        return play

    def lesson_player(self, net: Ints, book: Ints, seats: int = MOST_SEATS, stop: Flag = None) -> tuple[Given, Play]:
        """Return what plays matches while the first seats play by a network and write lessons into a ``book``.

        See `tlsim.kernels.lesson`.
        """
        from tlsim.kernels.lesson import LEARNS, lesson

        hall = self._hall()
        hall.seats[-1, :seats] = book[LEARNS] = net.ctypes.data
        play = self._player(hall, self._sums(), stop)
        hall.game[LESSON_PART], hall.game[LESSON_ROOM] = lesson.address, book.ctypes.data
        return self._given(0, 1), play

    def _no_choice(self, hall: Hall, sheet: Ints) -> UsageError:
        """Return the error of a user's function that chose no play."""
        address = hall.game[ADDRESS + sheet[TABLE + T_SEAT]]
        policy = next(policy for policy in self.policies if policy.is_own and policy.options()[-1] == address)
        text = failure(policy.compiled(), hall.game, sheet)
        return UsageError("policies: {name!r} {text}; see tlsim.policy", name=policy.name, text=text)
