"""Tables dealt, and who holds what at them; single hands, and which meet a user's own compiled predicate."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tlsim.engine import functions as f
from tlsim.engine.identity import Identity, identity_of
from tlsim.engine.work import CHUNK, Flag, Work
from tlsim.errors import Sentence, UsageError, reason, wrong
from tlsim.exact.table_counts import Priority
from tlsim.kernels.deal import Dealer, deal, dealer
from tlsim.kernels.detect import Tests, compile_tests
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.odds import Question, count_block, empty_sums, named_sums
from tlsim.kernels.rng import stream_key
from tlsim.patterns import Pattern
from tlsim.tally import BATCHES, OddsTally, Tally
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


_SLICE = 16  # chunks dealt at once; the hands fit the second-level cache


@dataclass(frozen=True, eq=False)
class EventTally(Tally):
    """Hands looked at, and hands that meet the predicate."""

    hands: int = 0
    count: int = 0


class Counter:
    """Counts the hands of an array that meet a predicate: a function, compiled or not yet, or where one is."""

    def __init__(self, predicate: Callable[[int], bool] | str) -> None:
        if isinstance(predicate, str) and ":" in predicate:
            predicate = f.load_function(predicate, "predicate")
        if not callable(predicate):
            raise wrong("predicate", predicate, _WANTED)
        self.predicate = predicate
        self.name = getattr(predicate, "__name__", type(predicate).__name__)
        try:
            is_compiled = isinstance(predicate, numba.core.registry.CPUDispatcher)
            compiled = predicate if is_compiled else numba.njit(predicate)
            answer, is_whole = f.answer_of(compiled, numba.types.int64)
            if is_whole:
                self._count = _counting(compiled)
        except Exception as error:  # noqa: BLE001 (the compiler raises errors of many kinds)
            raise UsageError("predicate {name!r} does not compile: {reason}; {wanted}", name=self.name,
                             reason=f.compiler_words(error)[:300], wanted=_WANTED) from None  # fmt: skip
        if not is_whole:
            raise UsageError("predicate {name!r} must answer true or false, not {answer}; {wanted}", name=self.name,
                             answer=answer, wanted=_WANTED)  # fmt: skip

    def __call__(self, hands: NDArray[np.int64]) -> int:
        """Return the number of hands that meet the predicate."""
        try:
            return int(self._count(hands))
        except Exception as error:
            raise UsageError("predicate {name!r} raised {kind}: {error}; it must answer for every hand", name=self.name,
                             kind=type(error).__name__, error=reason(error)) from error  # fmt: skip

    @property
    def source(self) -> str:
        """Digest of the source of the predicate."""
        return f.source_digest(self.predicate)

    def __reduce__(self) -> tuple[Any, ...]:
        """Give another process the place of the predicate and the digest of its source, never the function."""
        f.check_travels(self.predicate, "predicate")
        return _found_again, (f.place_of(self.predicate), self.source)


def _found_again(path: str, source: str) -> Counter:
    counter = Counter(path)
    f.check_source(f.source_digest(counter.predicate), source, path, "predicate")
    return counter


_WANTED = Sentence(
    "it must be a function f(hand: int64) -> bool, compiled by @numba.njit or such that it can be, or its place as "
    "'package.module:function'; a hand is 52 bits, 3♠ is bit 0; numbers, arrays, other compiled functions may be used"
)


def _counting(predicate: Any) -> Callable[[NDArray[np.int64]], int]:
    """Return a compiled function that counts."""

    @numba.njit(nogil=True)
    def count(hands: Any) -> Any:
        met = 0
        for hand in hands:
            if predicate(hand):
                met += 1
        return met

    count(np.zeros(0, dtype=np.int64))
    return count


@dataclass(frozen=True)
class EventWork(Work[EventTally]):
    """Deal single hands and count those that meet a predicate."""

    seed: int
    hand_size: int
    counter: Counter

    def zero(self) -> EventTally:
        """Return the tally of no hands."""
        return EventTally()

    def identity(self) -> Identity:
        """Return what changes the answer: seed, size of a hand, source of the predicate."""
        return identity_of("event", seed=self.seed, hand_size=self.hand_size, source=self.counter.source)

    @cached_property
    def _tables(self) -> tuple[NDArray[np.uint64], Dealer]:
        return stream_key(self.seed), dealer(1, self.hand_size)

    def tally_of(self, first: int, number: int, stop: Flag) -> EventTally | None:
        """Return the tally of so many hands from one on, or None where it was stopped."""
        count = 0
        for done in range(0, number, _SLICE * CHUNK):
            if stop is not None and stop[0]:
                return None
            hands = min(_SLICE * CHUNK, number - done)
            dealt = deal(*self._tables, (first + done) // CHUNK, -(-hands // CHUNK))
            count += int(self.counter(dealt[0, :hands]))
        return EventTally(number, count)
