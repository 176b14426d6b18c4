"""Games around the hand of one seat: it is known or of a pattern, and plays from every distance from the leader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from tlsim.cards import count_cards, format_cards, hand_of
from tlsim.engine.drawn import DrawnDeals, room_left
from tlsim.engine.games import GameWork
from tlsim.engine.paired import Lane, PairedWork
from tlsim.engine.policies import Policy
from tlsim.errors import CardError, UsageError, shorten, suggestion
from tlsim.exact.hands import patterns_of
from tlsim.rules import InstantWin, Rules

_PATTERN_ID = re.compile("[a-z]+(_[a-z0-9]+)+")
Cards: TypeAlias = str | int | Iterable[int] | None


@dataclass(frozen=True)
class Around:
    """Games around one seat's hand: who plays what, from where.

    Parameters
    ----------
    rules, players, opening, seed
        What is played, by how many, whether it is an opening game, seed of the deals.
    policies
        Policies of the seats, from the one with the hand on.
    """

    rules: Rules
    players: int
    opening: bool
    seed: int
    policies: tuple[Policy, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards of each seat."""
        return self.rules.seat_sizes(self.players)

    @property
    def wins(self) -> tuple[InstantWin, ...]:
        """The tới trắng patterns, the strongest first."""
        return self.rules.instant_wins(self.opening, self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The policies in words."""
        return tuple(map(str, self.policies))

    @property
    def optional(self) -> bool:
        """Whether a tới trắng may be declined."""
        return self.rules.toi_trang is not None and self.rules.toi_trang.declare == "optional"

    def check_choice(self) -> None:
        """Refuse rules that leave no choice whether to declare."""
        if not self.wins:
            which = "an opening" if self.opening else "a regular"
            raise UsageError(f"{self.rules.name} has no tới trắng in {which} game, so there is nothing to declare")
        if not self.optional:
            raise UsageError(
                f"{self.rules.name} counts every tới trắng at once, so there is no choice; "
                f"ask with toi_trang.declare = 'optional'"
            )

    def index(self, pattern: str) -> int:
        """Return the index of a pattern of the list."""
        ids = [win.id for win in self.wins]
        if pattern not in ids:
            which = "opening" if self.opening else "regular"
            raise UsageError(
                f"pattern {pattern!r}: the {which} list of {self.rules.name} has {', '.join(ids) or 'none'}"
                f"{suggestion(str(pattern), ids)}"
            )
        return ids.index(pattern)

    def distances(self, distance: int | None) -> tuple[int | None, ...]:
        """Return the distances that are played."""
        if distance is None:
            return (None,) if self.opening else tuple(range(self.players))
        if self.opening:
            raise UsageError("the deal says who leads an opening game: leave the distance from the leader out")
        if isinstance(distance, bool | float) or distance not in range(self.players):
            raise UsageError(f"distance = {shorten(distance)}: must be 0 (the hand leads) to {self.players - 1}")
        return (distance,)

    def deals(self, hand: Cards, dead: Cards) -> DrawnDeals:
        """Return the deals around a hand, or around hands of a pattern."""
        lack = 0 if dead is None else _cards("dead", dead)
        if isinstance(hand, str) and _PATTERN_ID.fullmatch(hand.strip()):
            number = self.index(hand.strip())
            found = self.drawn(0, number, lack)
            if not found.possible:
                raise UsageError(f"no hand has {hand.strip()!r} as its strongest pattern with these cards dead")
            return found
        held = _cards("hand", hand)
        if held.bit_count() not in self.sizes:
            wanted = " or ".join(map(str, sorted(set(self.sizes))))
            raise CardError(
                f"{count_cards(held.bit_count())} given; a hand of {self.rules.name} has {wanted}"
                f"{', or give the id of a pattern' if self.wins else ''}"
            )
        if both := held & lack:
            raise CardError(f"{format_cards(both)} cannot be both in the hand and dead")
        return self.drawn(held, None, lack)

    def drawn(self, hand: int, pattern: int | None, dead: int) -> DrawnDeals:
        """Return deals of which the seat with the hand leads, or of an opening game."""
        needed, left = sum(self.sizes), room_left(dead)
        if left < needed:
            raise CardError(
                f"dead names {count_cards(dead.bit_count())}, but {self.rules.name} deals {needed} of 52 to "
                f"{self.players} players; {'no card can be' if needed == 52 else f'at most {52 - needed} can be'} dead"
            )
        seat = 0 if hand == 0 else self.sizes.index(hand.bit_count())
        cards = tuple(hand if at == seat else 0 for at in range(self.players))
        held = None if pattern is None else (seat, pattern)
        return DrawnDeals(self.rules, (cards,), (-1 if self.opening else seat,), held, dead=dead)

    def counts_as(self, deals: DrawnDeals) -> InstantWin | None:
        """Return the strongest pattern of the hand."""
        if deals.pattern is not None:
            return self.wins[deals.pattern[1]]
        seat = deals.holder
        held = patterns_of(deals.cards[0][seat], [win.pattern for win in self.wins], self.sizes[seat])
        return self.wins[held[0]] if held else None

    def paired(
        self, deals: DrawnDeals, distances: tuple[int | None, ...], ways: dict[str, Policy]
    ) -> tuple[PairedWork, dict[str, Lane], tuple[int, ...]]:
        """Return the work of playing the deals in each way from each distance, and its columns."""
        seat = deals.holder
        runs: list[GameWork] = []
        begins: dict[Policy, int] = {}  # the first run of a policy: ways that are the same are played once
        for policy in ways.values():
            if policy not in begins:
                begins[policy] = len(runs)
                runs += self._runs(deals, distances, policy, seat)
        at = {name: begins[policy] for name, policy in ways.items()}
        count = len(distances)
        calls = [(at["call"] + i, at["silent"] + i, seat) for i in range(count)] if "call" in at else []
        work = PairedWork(tuple(runs), tuple(((number, seat),) for number in range(len(runs))), tuple(calls))
        lanes = {
            name: Lane(
                *(tuple(column + begin + i for i in range(count)) for column in (work.money, work.firsts))
            )
            for name, begin in at.items()
        }  # fmt: skip
        return work, lanes, tuple(work.call_column(i) for i in range(len(calls)))

    def _runs(
        self, deals: DrawnDeals, distances: tuple[int | None, ...], policy: Policy, seat: int
    ) -> Iterator[GameWork]:
        n = self.players
        seated = (policy, *self.policies[1:])
        policies = tuple(seated[(at - seat) % n] for at in range(n))
        for distance in distances:
            leader = -1 if distance is None else (seat - distance) % n
            yield GameWork(self.seed, self.rules, n, policies, 1, replace(deals, leaders=(leader,)))


def _cards(name: str, given: Any) -> int:
    """Return cards as 52 bits, or say which argument cannot be read."""
    whole = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not whole and not (isinstance(given, str) or np.iterable(given)):
        raise CardError(f"{name} = {shorten(given)}: must be text such as '2S 2H', card numbers 0 … 51, or 52 bits")
    try:
        return hand_of(given)
    except (CardError, TypeError, ValueError) as error:
        raise CardError(f"{name}: {error}") from None
