"""The automaton of a list of patterns: reads a hand rank by rank and says which patterns it holds.

One layer a rank, in the order 2 3 4 … A (a 2 first: early news about the 2s keeps later layers small, and runs, which
lie within 3 … A, stay in one piece). A symbol is the nibble of the rank, 0 … 15: which of its four suits are held.
A state keeps, for each elementary test, one small integer, and how many cards the hand has so far. States that cannot
lead to a full hand are dropped, and states with the same future are merged, from the last layer back to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tlsim.cards import N_RANKS
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

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:
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
        return np.where((state == self.done) | (after & complete != 0), self.done, after)

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:
        """Whether a run can still come, given room for so many more cards."""
        unread = set(READ_ORDER[layer + 1 :])
        result: NDArray[np.bool_] = state == self.done
        for bit, (ranks, _) in enumerate(self.windows):
            result |= (state >> bit & 1 == 1) & (len(ranks & unread) * max(self.level, 1) <= room)
        return result


class _CountColumn:
    """The number of groups so far, capped at the number asked for, plus one; 0 is dead."""

    def __init__(self, test: Count) -> None:
        groups = (test.size <= BITS_OF).astype(np.int64)
        if test.quad_as == 2:
            groups += BITS_OF == 4
        self.groups = groups
        self.test = test
        self.start = 1
        self.size = test.needed + 2

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:
        if READ_ORDER[layer] not in self.test.ranks:
            return state
        return np.where(state == 0, 0, np.minimum(state + self.groups[nibble], self.test.needed + 1))

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:
        """Whether enough groups can still come."""
        unread = len(set(READ_ORDER[layer + 1 :]) & set(self.test.ranks)) * self.test.quad_as
        missing = self.test.needed + 1 - state
        return (state > 0) & (missing <= unread) & (missing * self.test.size <= room)


class _FlushColumn:
    """How many more cards outside the part may come, plus one; 0 is dead."""

    def __init__(self, others: int, part: int) -> None:
        self.part = part
        self.start = max(others + 1, 0)  # dead at once where more cards are asked for than a hand has
        self.size = self.start + 1

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:
        inside = self.part >> 4 * READ_ORDER[layer] & 15
        left: Ints = np.maximum(state - BITS_OF[NIBBLES & ~inside][nibble], 0)
        return left

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:  # noqa: ARG002
        """Whether the flush can still come."""
        return state > 0


class _HoldsColumn:
    """1 while no card is missing; 0 is dead."""

    def __init__(self, test: Holds) -> None:
        self.cards = test.cards
        self.start = 1
        self.size = 2

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:
        need = self.cards >> 4 * READ_ORDER[layer] & 15
        complete = (NIBBLES & need) == need
        return np.where(complete[nibble], state, 0)

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:
        """Whether the cards can still all come."""
        unread = sum((self.cards >> 4 * rank & 15).bit_count() for rank in READ_ORDER[layer + 1 :])
        return np.asarray((state > 0) & (unread <= room))


class _LacksColumn:
    """1 while none of the cards has come; 0 is dead."""

    def __init__(self, test: Lacks) -> None:
        self.cards = test.cards
        self.start = 1
        self.size = 2

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:
        none = NIBBLES & (self.cards >> 4 * READ_ORDER[layer] & 15) == 0
        return np.where(none[nibble], state, 0)

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:  # noqa: ARG002
        """Whether none has come."""
        return state > 0


class _WaysColumn:
    """Which sets of demands can still be met by the ranks that are unread, numbered from 1; 0 is dead."""

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
        self.start = 1
        self.size = len(table)

    def step(self, state: Ints, layer: int, nibble: Ints) -> Ints:  # noqa: ARG002
        moved: Ints = self.table[state, BITS_OF[nibble]]
        return moved

    def alive(self, state: Ints, layer: int, room: Ints) -> NDArray[np.bool_]:  # noqa: ARG002
        """Whether a demand can still be met, given room for so many more cards."""
        return np.asarray((state > 0) & (self.least[state] <= room))


_Column = _RunColumn | _CountColumn | _FlushColumn | _HoldsColumn | _LacksColumn | _WaysColumn


def _columns(test: Test) -> list[_Column]:
    """Columns of a test; it holds if any of them is alive at the end."""
    match test:
        case Run():
            return [_RunColumn(test)]
        case Count():
            return [_CountColumn(test)]
        case Flush():
            return [_FlushColumn(test.others, part) for part in test.parts]
        case Holds():
            return [_HoldsColumn(test)]
        case Lacks():
            return [_LacksColumn(test)]
        case Ways():
            return [_WaysColumn(test)]


@dataclass(frozen=True)
class Automaton:
    """A layered automaton over the nibbles of a hand.

    Parameters
    ----------
    hand_size
        Cards of a hand.
    following
        ``following[layer][state, nibble]``: the state after it in the next layer, or -1 where no hand goes;
        shape (states of the layer, 16), int64. One entry per rank in the order of `READ_ORDER`.
    cards
        ``cards[layer][state]``: cards read so far; layers 0 … 13.
    output
        ``output[state]`` of the last layer: bits of the patterns held, or what `with_output` made of them.
    """

    hand_size: int
    following: tuple[Ints, ...]
    cards: tuple[Ints, ...]
    output: Ints

    @property
    def states(self) -> list[int]:
        """States per layer."""
        return [len(cards) for cards in self.cards]


def build(patterns: Sequence[Pattern], hand_size: int) -> Automaton:
    """Build the minimal automaton whose output has bit *i* set where ``patterns[i]`` is held.

    Parameters
    ----------
    patterns
        At most 62 patterns.
    hand_size
        Cards of a hand, 1 … 52.

    Returns
    -------
    Automaton
    """
    return _minimise(_unfold(patterns, hand_size))


def with_output(automaton: Automaton, output: Callable[[int], int]) -> Automaton:
    """Return the minimal automaton that tells ``output(held)`` in place of the bits ``held``."""
    values = np.array([output(held) for held in automaton.output.tolist()], dtype=np.int64)
    return _minimise(replace(automaton, output=values))


def strongest(held: int) -> int:
    """Return the class of a hand: one more than the index of the strongest pattern in ``held``, or 0.

    >>> strongest(0b1100), strongest(0)
    (3, 0)
    """
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
            moved = column.step(wide[:, at + 1], layer, nibble)
            wide[:, at + 1] = np.where(column.alive(moved, layer, room), moved, 0)
            alive[owner[at]] |= wide[:, at + 1] > 0
        _forget_lost_patterns(wide, alive, needs, owner)
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


def _forget_lost_patterns(wide: Ints, alive: NDArray[np.bool_], needs: list[list[int]], owner: Ints) -> None:
    """Clear the columns that no pattern still in reach depends on."""
    wanted = np.zeros_like(alive)
    for need in needs:
        possible = np.logical_and.reduce(alive[need])
        wanted[need] |= possible
    wide[:, 1:][~wanted[owner].T] = 0


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
