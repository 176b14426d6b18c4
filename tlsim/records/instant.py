"""Which seats hold a tới trắng, and what their hands count as."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tlsim.engine.rule_numbers import pattern_tests
from tlsim.kernels.detect import bench, detect_all
from tlsim.rules import Rules


def strongest_patterns(rules: Rules, hands: Sequence[int], opening: bool) -> dict[int, int]:
    """Return the seats that hold a pattern of the list, with the index of the strongest."""
    tests = pattern_tests(rules, opening, len(hands), hands[0].bit_count())
    if not tests.patterns:
        return {}
    room = bench(len(hands))
    detect_all(tests, np.array(hands, dtype=np.int64), room)
    return {seat: (held & -held).bit_length() - 1 for seat, held in enumerate(room.held.tolist()) if held}
