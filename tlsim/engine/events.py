"""Events: a user's own compiled predicate on a hand, counted over simulated hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import CHUNK, Block
from tlsim.errors import UsageError
from tlsim.kernels.deal import Dealer, deal, dealer
from tlsim.kernels.rng import stream_key

_SLICE = 16  # chunks dealt at once; the hands fit the second-level cache


@dataclass(frozen=True)
class EventTally:
    """Hands looked at, and hands that meet the predicate."""

    hands: int = 0
    count: int = 0

    def __add__(self, other: EventTally) -> EventTally:
        return EventTally(self.hands + other.hands, self.count + other.count)


def counter_of(predicate: Callable[[int], bool]) -> Callable[[NDArray[np.int64]], int]:
    """Return a compiled function that counts the hands of an array that meet a predicate.

    Raises
    ------
    UsageError
        If the predicate does not compile for an int64.
    """
    if not callable(predicate):
        raise UsageError(
            f"predicate = {predicate!r}: must be a function f(hand: int64) -> bool, compiled by @numba.njit"
        )
    if not isinstance(predicate, numba.core.registry.CPUDispatcher):
        predicate = numba.njit(predicate)

    @numba.njit(nogil=True)
    def count(hands: Any) -> Any:
        met = 0
        for hand in hands:
            if predicate(hand):
                met += 1
        return met

    try:
        count(np.zeros(0, dtype=np.int64))
    except numba.core.errors.NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith("Failed in nopython")), lines[0])
        raise UsageError(
            f"predicate {predicate.__name__!r} does not compile: {reason}; it gets one int64 (52 bits, 3♠ is bit 0) "
            f"and may use numbers, arrays and other compiled functions"
        ) from None
    return count


@dataclass(frozen=True)
class EventWork:
    """Deal single hands and count those that meet a predicate; threads only, since it carries compiled code."""

    seed: int
    hand_size: int
    counter: Callable[[NDArray[np.int64]], int]

    @cached_property
    def _tables(self) -> tuple[NDArray[np.uint64], Dealer]:
        return stream_key(self.seed), dealer(1, self.hand_size)

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> EventTally | None:
        """Return the tally of a block, or None where it was stopped."""
        count = 0
        for done in range(0, block.deals, _SLICE * CHUNK):
            if stop is not None and stop[0]:
                return None
            hands = min(_SLICE * CHUNK, block.deals - done)
            dealt = deal(*self._tables, block.first + done // CHUNK, -(-hands // CHUNK))
            count += int(self.counter(dealt[0, :hands]))
        return EventTally(block.deals, count)
