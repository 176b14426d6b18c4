"""Exact counts of single hands, and of pairs of hands of one deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tlsim.cards import count_cards
from tlsim.errors import UsageError
from tlsim.exact.automaton import READ_ORDER, Automaton, build, strongest
from tlsim.patterns import Pattern

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class HandCounts:
    """How many hands there are, hold each pattern, and have it as their strongest."""

    hands: int
    holds: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def any(self) -> int:
        """Number of hands that hold at least one pattern."""
        return sum(self.counts)


@dataclass(frozen=True)
class HandBook:
    """All hands of one size, given known cards, sorted by what they hold; counts and finds them.

    >>> quad_2 = Pattern(id="tu_quy_2", all_of=[{"kind": "groups", "size": 4, "count": 1, "ranks": ["2"]}])
    >>> HandBook((quad_2,), 13).count().holds
    (1677106640,)
    """

    patterns: tuple[Pattern, ...]  # strongest first
    hand_size: int
    holding: int = 0  # cards (52 bits) that are surely in the hand
    dead: int = 0  # and surely elsewhere

    @cached_property
    def automaton(self) -> Automaton:
        """The automaton that tells which patterns a hand holds."""
        return build(self.patterns, self.hand_size)

    def count(self) -> HandCounts:
        """Count the hands that hold each pattern."""
        ways = np.ones(1, dtype=np.int64)  # at most C(52, 13) = 635,013,559,600
        for layer, targets in enumerate(self.automaton.following):
            after = np.zeros(len(self.automaton.cards[layer + 1]), dtype=np.int64)
            for nibble in self._allowed(layer):
                there = targets[:, nibble] >= 0
                np.add.at(after, targets[there, nibble], ways[there])
            ways = after
        by_held = list(zip(self.automaton.output.tolist(), ways.tolist(), strict=True))
        each = range(len(self.patterns))
        return HandCounts(
            hands=sum(n for _, n in by_held),
            holds=tuple(sum(n for held, n in by_held if held >> at & 1) for at in each),
            counts=tuple(sum(n for held, n in by_held if strongest(held) == at + 1) for at in each),
        )

    def find(self, numbers: Ints, pattern: int, *, counting: bool = False) -> Ints:
        """Return the hands with these numbers 0 … n - 1 among the n that hold a pattern, or count as it; int64[m]."""
        wanted = [strongest(h) == pattern + 1 if counting else h >> pattern & 1 for h in self.automaton.output.tolist()]
        weights = self._completions(np.array(wanted, dtype=np.int64))
        hands = np.zeros(len(numbers), dtype=np.int64)
        state = np.zeros(len(numbers), dtype=np.int64)
        left = numbers.astype(np.int64)
        for layer, targets in enumerate(self.automaton.following):
            there = targets >= 0
            there[:, [n for n in range(16) if n not in self._allowed(layer)]] = False
            below = np.cumsum(np.where(there, weights[layer + 1][targets], 0), axis=1)
            nibble = (left[:, None] >= below[state]).sum(axis=1)
            left -= np.where(nibble > 0, below[state, nibble - 1], 0)
            hands |= nibble << 4 * READ_ORDER[layer]
            state = targets[state, nibble]
        return hands

    def _completions(self, wanted: Ints) -> list[Ints]:
        """Per layer and state: in how many ways the rest of the hand can be read so that it is wanted."""
        result = [wanted]
        for layer in range(len(self.automaton.following) - 1, -1, -1):
            targets = self.automaton.following[layer][:, self._allowed(layer)]
            result.append(np.where(targets >= 0, result[-1][targets], 0).sum(axis=1))
        return result[::-1]

    def _allowed(self, layer: int) -> list[int]:
        rank = READ_ORDER[layer]
        hold, dead = (cards >> 4 * rank & 15 for cards in (self.holding, self.dead))
        return [nibble for nibble in range(16) if nibble & hold == hold and not nibble & dead]


def patterns_of(hand: int, patterns: Sequence[Pattern], hand_size: int) -> list[int]:
    """Return the indices of the patterns that one hand holds, by walking the automaton."""
    if hand.bit_count() != hand_size:
        raise UsageError("the hand has {cards}; it must have {hand_size}", cards=count_cards(hand.bit_count()),
                         hand_size=hand_size)  # fmt: skip
    automaton = build(patterns, hand_size)
    state = 0
    for rank, targets in zip(READ_ORDER, automaton.following, strict=True):
        state = int(targets[state, hand >> 4 * rank & 15])
    held = int(automaton.output[state])
    return [at for at in range(len(patterns)) if held >> at & 1]
