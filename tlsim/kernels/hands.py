"""Hands dealt and looked at for tới trắng: a part of its own, which odds and games call by its address."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.jit import address_of, kernel
from tlsim.kernels.deal import GROUP, Dealer, Desk, deal_group
from tlsim.kernels.detect import Bench, Tests, detect

NOT_DEALT = -1  # in place of the number of a group


@kernel
def deal_hands(
    dealer: Dealer, of: tuple[int, int], group: int, room: Desk, hands: NDArray[np.int64],
    tests: Tests, players: int, bench: Bench,
) -> None:  # fmt: skip
    """Deal a group, and write into ``bench`` which patterns the hands of the first seats hold.

    of : the stream of the chunk; group : its number in the chunk, `NOT_DEALT` where the hands are there;
    hands : int64[seats, 256]
    """
    if group != NOT_DEALT:
        deal_group(dealer, of, group, room, hands)
    if tests.patterns:
        detect(tests, hands.reshape(-1)[: players * GROUP], bench)


def where_dealt(dealer: Dealer, room: Desk, hands: NDArray[np.int64], tests: Tests, bench: Bench) -> int:
    """Return the address of `deal_hands` for arguments like these."""
    of: Any = np.uint64(0), np.uint64(0)
    return address_of(deal_hands, dealer, of, 0, room, hands, tests, 0, bench)
