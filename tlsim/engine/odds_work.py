"""Tables dealt, and who holds what at them: rules as values and a key go out, an integer tally comes back."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import CHUNK
from tlsim.engine.identity import Identity, identity_of
from tlsim.engine.work import Flag, Work
from tlsim.exact.table_counts import Priority
from tlsim.kernels.deal import Dealer, dealer
from tlsim.kernels.detect import Tests, compile_tests
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.odds import Question, count_block, empty_sums, named_sums
from tlsim.kernels.rng import stream_key
from tlsim.patterns import Pattern
from tlsim.tally import BATCHES, OddsTally
from tlsim.warm import ready


@dataclass(frozen=True)
class OddsWork(Work[OddsTally]):
    """Deal tables, as of `tlsim.exact.table_counts.Table`; count who holds which pattern, and who wins."""

    seed: int
    patterns: tuple[Pattern, ...]
    hand_size: int
    players: int
    priority: Priority
    holding: int = 0
    dead: int = 0
    opening_card: int | None = None
    opening_random: bool = False
    count_heo: int = 0  # bits of the patterns with đếm heo
    prices: ItemPrices | None = None  # that it goes by

    @property
    def counted(self) -> int:
        """Hands of each deal that are counted: that of seat 0 alone where its cards are known."""
        return 1 if self.holding | self.dead else self.players

    def zero(self) -> OddsTally:
        """Return the tally of no deals."""
        return OddsTally.zero(len(self.patterns), self.players)

    def identity(self) -> Identity:
        """Return what changes the answer: seed, table, and the tests that the patterns come down to."""
        patterns = [[repr(test) for test in pattern.tests(self.hand_size)] for pattern in self.patterns]
        prices = self.prices and self.prices._asdict()
        return identity_of("odds", **self.__getstate__() | {"patterns": patterns, "prices": prices})

    @cached_property
    def _tables(self) -> tuple[NDArray[np.uint64], Dealer, Tests, Question]:
        opening = -1 if self.opening_card is None else self.opening_card
        by_turn = self.priority == "turn"
        question = Question(self.players, self.counted, by_turn, opening, not self.opening_random, self.count_heo)
        deck = dealer(self.players, self.hand_size, self.holding, self.dead)
        return stream_key(self.seed), deck, compile_tests(self.patterns, self.hand_size), question

    def tally_of(self, first: int, number: int, stop: Flag) -> OddsTally | None:
        """Return the tally of so many deals from one on, or None where it was stopped."""
        ready("hands", "odds")
        sums = empty_sums(BATCHES, self.players, len(self.patterns))
        flag = np.zeros(1, dtype=np.int64) if stop is None else stop
        done = count_block(*self._tables, self.prices, first // CHUNK, number, flag, sums)
        return OddsTally(**named_sums(sums, self.players)) if done else None
