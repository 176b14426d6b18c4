"""The automaton of a list of patterns: reads a hand rank by rank and says which patterns it holds.

One layer a rank, in the order 2 3 4 … A (a 2 first: early news about the 2s keeps later layers small, and runs, which
lie within 3 … A, stay in one piece). A symbol is the nibble of the rank, 0 … 15: which of its four suits are held.
A state keeps, for each elementary test, one small integer, and how many cards the hand has so far. States that cannot
lead to a full hand are dropped, and states with the same future are merged, from the last layer back to the first.
A `HandBook` counts hands by it, and finds them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.cards import N_RANKS, count_cards
from tlsim.errors import UsageError
from tlsim.patterns import Count, Flush, Holds, Lacks, Pattern, Run, Test, Ways, position_rank

Ints = NDArray[np.int64]

READ_ORDER = (12, *range(12))
NIBBLES = np.arange(16)
BITS_OF = np.array([n.bit_count() for n in range(16)])


class _RunColumn:
    """Bit w of the state: window w can still be a run; ``done`` once a whole window is."""

    def __init__(self, test: Run) -> None:
        suits = range(4) if test.level == 0 else (0,)
        self.level = test.level
        self.windows = [
            ({position_rank(s + i) for i in range(test.length)}, suit) for s in test.starts for suit in suits
        ]
        self.start = (1 << len(self.windows)) - 1
        self.done = 1 << len(self.windows)
        self.size = self.done + 1

    def step(self, state: Ints, layer: int, nibble: Ints, room: Ints) -> Ints:
        rank, unread = READ_ORDER[layer], set(READ_ORDER[layer + 1 :])
        kill = np.zeros(16, dtype=np.int64)
        complete = 0
        for bit, (ranks, suit) in enumerate(self.windows):
            if rank in ranks:
                fails = self.level > BITS_OF if self.level else (NIBBLES >> suit) & 1 == 0
                kill[fails] |= 1 << bit
            if not ranks & unread:
                complete |= 1 << bit
        after = state & ~kill[nibble]
        done = (state == self.done) | (after & complete != 0)
        alive = done.copy()
        for bit, (ranks, _) in enumerate(self.windows):
            alive |= (after >> bit & 1 == 1) & (len(ranks & unread) * max(self.level, 1) <= room)
        return np.where(alive, np.where(done, self.done, after), 0)


class _CountColumn:
    """The number of groups so far, capped at the number asked for, plus one."""

    def __init__(self, test: Count) -> None:
        self.groups = (test.size <= BITS_OF) + ((BITS_OF == 4) & (test.quad_as == 2)).astype(np.int64)
        self.test, self.start, self.size = test, 1, test.needed + 2

    def step(self, state: Ints, layer: int, nibble: Ints, room: Ints) -> Ints:
        test, most = self.test, self.test.needed + 1
        if READ_ORDER[layer] in test.ranks:
            state = np.where(state == 0, 0, np.minimum(state + self.groups[nibble], most))
        unread = len(set(READ_ORDER[layer + 1 :]) & set(test.ranks)) * test.quad_as
        missing = most - state
        return np.where((missing <= unread) & (missing * test.size <= room), state, 0)


class _FlushColumn:
    """How many more cards outside the part may come, plus one."""

    def __init__(self, others: int, part: int) -> None:
        self.part = part
        self.start = max(others + 1, 0)  # dead at once where more cards are asked for than a hand has
        self.size = self.start + 1

    def step(self, state: Ints, layer: int, nibble: Ints, room: Ints) -> Ints:  # noqa: ARG002
        outside = NIBBLES & ~(self.part >> 4 * READ_ORDER[layer] & 15)
        left: Ints = np.maximum(state - BITS_OF[outside][nibble], 0)
        return left


class _HoldsColumn:
    """1 while no card is missing."""

    def __init__(self, test: Holds) -> None:
        self.cards, self.start, self.size = test.cards, 1, 2

    def step(self, state: Ints, layer: int, nibble: Ints, room: Ints) -> Ints:
        need, *unread = (self.cards >> 4 * rank & 15 for rank in READ_ORDER[layer:])
        complete = (NIBBLES & need) == need
        return np.where(complete[nibble] & (sum(map(int.bit_count, unread)) <= room), state, 0)


class _WaysColumn:
    """Which sets of demands can still be met by the ranks that are unread, numbered from 1."""

    def __init__(self, test: Ways) -> None:
        start = frozenset(tuple(demand >> 4 * rank & 15 for rank in READ_ORDER) for demand in test.demands)
        numbers = {start: 1}
        states = [start]
        table: list[list[int]] = [[0] * 5]
        while len(table) <= len(states):
            ways = states[len(table) - 1]
            row = []
            for number in range(5):
                left = frozenset(way[1:] for way in ways if way and way[0] <= number)
                if left and left not in numbers:
                    numbers[left] = len(states) + 1
                    states.append(left)
                row.append(numbers.get(left, 0))
            table.append(row)
        self.table = np.array(table, dtype=np.int64)
        self.least = np.array([0] + [min(map(sum, ways)) for ways in states], dtype=np.int64)
        self.start, self.size = 1, len(table)

    def step(self, state: Ints, layer: int, nibble: Ints, room: Ints) -> Ints:  # noqa: ARG002
        moved = self.table[state, BITS_OF[nibble]]
        return np.where(self.least[moved] <= room, moved, 0)


_Column = _RunColumn | _CountColumn | _FlushColumn | _HoldsColumn | _WaysColumn
"""What a test keeps: ``start``, and by ``step`` the state after a rank, given room for so many more cards; 0 is dead.
States lie below ``size``."""


def _columns(test: Test) -> list[_Column]:
    """Return the columns of a test; it holds if any of them is alive at the end."""
    match test:
        case Flush(others, parts):
            return [_FlushColumn(others, part) for part in parts]
        case Lacks(cards):
            return [_FlushColumn(0, ~cards)]
    kinds: Any = {Run: _RunColumn, Count: _CountColumn, Holds: _HoldsColumn, Ways: _WaysColumn}
    return [kinds[type(test)](test)]


@dataclass(frozen=True)
class Automaton:
    """A layered automaton over the nibbles of a hand, one layer for each rank in the order of `READ_ORDER`."""

    hand_size: int
    following: tuple[Ints, ...]  # by layer: int64[states, 16], the state in the next layer, -1 where no hand goes
    cards: tuple[Ints, ...]  # by layer, 0 … 13: int64[states], cards read so far
    output: Ints  # int64[last states]: bits of the patterns held, or what `with_output` made of them


def build(patterns: Sequence[Pattern], hand_size: int) -> Automaton:
    """Return the minimal automaton whose output has bit *i* set where ``patterns[i]`` is held; 62 at most."""
    return _minimise(_unfold(patterns, hand_size))


def with_output(automaton: Automaton, output: Callable[[int], int]) -> Automaton:
    """Return the minimal automaton that tells ``output(held)`` in place of the bits ``held``."""
    values = np.array([output(held) for held in automaton.output.tolist()], dtype=np.int64)
    return _minimise(replace(automaton, output=values))


def strongest(held: int) -> int:
    """Return the class of a hand: one more than the index of the strongest pattern in ``held``, or 0."""
    return (held & -held).bit_length()


def _unfold(patterns: Sequence[Pattern], hand_size: int) -> Automaton:
    """Follow every reachable combination of column states, forward."""
    tests = list(dict.fromkeys(test for pattern in patterns for test in pattern.tests(hand_size)))
    columns = [_columns(test) for test in tests]
    flat = [column for group in columns for column in group]
    needs = [[tests.index(test) for test in pattern.tests(hand_size)] for pattern in patterns]
    owner = np.repeat(np.arange(len(tests)), [len(group) for group in columns])
    state = np.array([[0, *(column.start for column in flat)]], dtype=np.int64)
    sizes = [hand_size + 1, *(column.size for column in flat)]
    following, cards = [], [state[:, 0]]
    for layer in range(N_RANKS):
        nibble = np.tile(NIBBLES, len(state))
        wide = np.repeat(state, 16, axis=0)
        wide[:, 0] += BITS_OF[nibble]
        room = hand_size - wide[:, 0]
        alive = np.zeros((len(tests), len(wide)), dtype=bool)
        for at, column in enumerate(flat):
            wide[:, at + 1] = column.step(wide[:, at + 1], layer, nibble, room)
            alive[owner[at]] |= wide[:, at + 1] > 0
        wanted = np.zeros_like(alive)  # by a pattern that is still in reach; other columns are cleared
        for need in needs:
            wanted[need] |= alive[need].all(axis=0)
        wide[:, 1:][~wanted[owner].T] = 0
        fits = (room >= 0) & (room <= 4 * (N_RANKS - 1 - layer))
        state, number = _distinct(wide[fits], sizes)
        target = np.full(len(wide), -1, dtype=np.int64)
        target[fits] = number
        following.append(target.reshape(-1, 16))
        cards.append(state[:, 0])
    held = np.zeros(len(state), dtype=np.int64)
    met = [(state[:, 1:][:, owner == at] > 0).any(axis=1) for at in range(len(tests))]
    for bit, need in enumerate(needs):
        held |= np.logical_and.reduce([met[at] for at in need]).astype(np.int64) << bit
    return Automaton(hand_size, tuple(following), tuple(cards), held)


def _distinct(rows: Ints, sizes: Sequence[int]) -> tuple[Ints, Ints]:
    """Return the distinct rows and the number of each row's own among them; entries lie below ``sizes``."""
    key = np.zeros(len(rows), dtype=np.int64)
    span = 1
    for column, size in zip(rows.T, sizes, strict=True):
        if span * size >= 1 << 62:
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        key = key * size + column
        span *= size
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], number


def _minimise(automaton: Automaton) -> Automaton:
    """Merge states with the same future, from the last layer back."""
    last = automaton.cards[-1] == automaton.hand_size
    values, number = np.unique(automaton.output[last], return_inverse=True)
    merged = np.full(len(last), -1, dtype=np.int64)
    merged[last] = number
    output, cards, following = values, [np.full(len(values), automaton.hand_size)], []
    for targets, read in zip(reversed(automaton.following), reversed(automaton.cards[:-1]), strict=True):
        future = np.where(targets >= 0, merged[targets], -1)
        useful = (future >= 0).any(axis=1)
        rows, number = np.unique(np.column_stack([read, future])[useful], axis=0, return_inverse=True)
        merged = np.full(len(read), -1, dtype=np.int64)
        merged[useful] = number
        following.append(rows[:, 1:].copy())
        cards.append(rows[:, 0].copy())
    return Automaton(automaton.hand_size, tuple(reversed(following)), tuple(reversed(cards)), output)


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
        weights = [np.array(wanted, dtype=np.int64)]  # in how many ways the rest can be read so that it is wanted
        for layer in range(len(self.automaton.following) - 1, -1, -1):
            targets = self.automaton.following[layer][:, self._allowed(layer)]
            weights.insert(0, np.where(targets >= 0, weights[0][targets], 0).sum(axis=1))
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
