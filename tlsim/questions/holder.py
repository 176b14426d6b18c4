"""Games around the hand of one seat, its holder: it is known or of a pattern, and plays from every distance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tlsim.cards import DECK, count_cards
from tlsim.engine.game_work import GameWork
from tlsim.engine.given_deals import DrawnDeals
from tlsim.engine.paired import Lane, PairedWork
from tlsim.engine.policies import Policy, policies_for
from tlsim.errors import CardError, Sentence, UsageError, wrong
from tlsim.questions.question import OfAList, R


class OfAHolder(OfAList[R]):
    """What questions about a hand have alike; policies are those of the seats from its holder on."""

    policies: Any
    games: int
    distance: int | None
    seed: int

    def _settle(self) -> None:
        super()._settle()
        seats = self.seats
        self._set(policies=policies_for(self.rules, self.policies, seats))
        if self.distance is None:
            return
        if self.opening:
            raise UsageError("the deal says who leads an opening game: leave the distance from the leader out")
        if isinstance(self.distance, bool | float) or self.distance not in range(seats):
            raise wrong("distance", self.distance, "must be 0 (the hand leads) to {most}", most=seats - 1)

    @property
    def distances(self) -> tuple[int | None, ...]:
        """The distances from the leader that are played; none in an opening game, whose leader the deal names."""
        if self.opening:
            return (None,)
        return tuple(range(self.seats)) if self.distance is None else (self.distance,)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards of each seat."""
        return self.own_rules.seat_sizes(self.seats)

    @property
    def names(self) -> tuple[str, ...]:
        """The policies in words."""
        return tuple(map(str, self.policies))

    @property
    def optional(self) -> bool:
        """Whether a tới trắng may be declined."""
        return self.rules.toi_trang is not None and self.rules.toi_trang.declare == "optional"

    def drawn(self, hand: int = 0, pattern: int | None = None, dead: int = 0, out_of_play: int = 0) -> DrawnDeals:
        """Return the deals around a hand, or around hands of a pattern, of which the holder leads if anybody may."""
        sizes = self.sizes
        needed, left = sum(sizes), (DECK & ~out_of_play).bit_count()
        if left < needed:
            most = Sentence("at most {n} can be out of play", n=52 - needed)
            if needed == 52:
                most = Sentence("no card can be out of play; cards that others may hold are dead")
            raise CardError("out_of_play names {cards}, but {rules} deals {needed} of 52 to {players} players; {most}",
                            cards=count_cards(out_of_play.bit_count()), rules=self.rules.name, needed=needed,
                            players=self.players, most=most)  # fmt: skip
        seat = 0 if hand == 0 else sizes.index(hand.bit_count())
        cards = tuple(hand if at == seat else 0 for at in range(len(sizes)))
        held = None if pattern is None else (seat, pattern)
        return DrawnDeals(self.rules, (cards,), (-1 if self.opening else seat,), held, dead=out_of_play, lacking=dead)

    def ways(self, option: str, yes: str, no: str) -> dict[str, Policy]:
        """Return the policy of the holder that does something and that does not, under the names of these ways."""
        return {way: replace(self.policies[0], **{option: way == yes}) for way in (yes, no)}

    def paired(
        self, deals: DrawnDeals, ways: Mapping[str, Policy], seed: int
    ) -> tuple[PairedWork, dict[str, Lane], tuple[int, ...]]:
        """Return the work of playing deals in each way from each distance, its columns, and those of calls of Sâm."""
        seat, count = deals.holder, len(self.distances)
        runs: list[GameWork] = []
        begins: dict[Policy, int] = {}  # the first run of a policy: ways that are the same are played once
        for policy in ways.values():
            if policy not in begins:
                begins[policy] = len(runs)
                runs += self._runs(deals, policy, seed)
        at = {way: begins[policy] for way, policy in ways.items()}
        calls = [(at["call"] + i, at["silent"] + i, seat) for i in range(count)] if "call" in at else []
        work = PairedWork(tuple(runs), tuple(((number, seat),) for number in range(len(runs))), tuple(calls))
        lanes = {
            way: Lane(*(tuple(first + begin + i for i in range(count)) for first in (work.money, work.firsts)))
            for way, begin in at.items()
        }
        return work, lanes, tuple(map(work.call_column, range(len(calls))))

    def _runs(self, deals: DrawnDeals, policy: Policy, seed: int) -> Iterator[GameWork]:
        n, seat = len(self.policies), deals.holder
        seated = (policy, *self.policies[1:])
        policies = tuple(seated[(at - seat) % n] for at in range(n))
        for distance in self.distances:
            leader = -1 if distance is None else (seat - distance) % n
            yield GameWork(seed, self.rules, n, policies, 1, replace(deals, leaders=(leader,)))
