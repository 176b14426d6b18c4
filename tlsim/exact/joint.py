"""The joint law of the hands of one deal, in exact integers.

The automata of all seats read the deck together: rank by rank, the four cards are shared out among the seats and the
rest of the deck in every possible way, and the number of ways is kept per tuple of states. Three things keep the
product small:

- seats of the same role are exchangeable, so their states are kept sorted;
- a seat whose output no longer depends on its further cards is *decided*: it joins the rest of the deck. The pool of
  the rest takes cards without a state; when a seat with room for r cards joins a pool with room for p,
  the cards that the pool will take can be split in C(p + r, r) ways;
- where no state cares for suits, a rank is shared out by numbers of cards, each way with its multinomial weight.

Numbers of ways stay below the number of deals, at most 52! / (10!⁵ 2!) ≈ 6·10³⁴ < 2¹²⁸, and are held in two words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import wide_multiply_add
from tlsim.cards import N_CARDS, N_RANKS, N_SUITS
from tlsim.exact.automaton import BITS_OF, READ_ORDER, Automaton
from tlsim.jit import kernel, step

Ints = NDArray[np.int64]

_FIRST_OF = (0, 1, 3, 7, 15)  # a nibble with so many cards, where suits do not matter
_CHOOSE = np.array([[comb(n, k) for k in range(N_CARDS + 1)] for n in range(N_CARDS + 1)], dtype=np.uint64)
_KEY_BITS = 60
STATE_LIMIT = 3_000_000  # reached after about half a minute


class OutOfReachError(Exception):
    """The product of the automata has more states than memory is set aside for."""


REJECTED = -1  # output of hands that a role does not allow
_NO_HAND, _NOT_ALLOWED = -1, -2  # marks in Automaton.following


@dataclass(frozen=True)
class Role:
    """Exchangeable seats: how many, and what their hands are read by."""

    seats: int
    automaton: Automaton  # its outputs are 0 or more; hands with the output `REJECTED` are not allowed
    holding: int = 0  # cards (52 bits) that each seat surely has
    dead: int = 0  # and surely lacks


@dataclass(frozen=True)
class Leader:
    """The leader of an opening game: who got the opening card or, where that was not dealt, the lowest card dealt."""

    role: int  # of one seat
    opening_suit: int = 0  # of the opening card, which is a 3


def joint_law(
    roles: Sequence[Role], leader: Leader | None = None, *, limit: int = STATE_LIMIT, stop: Ints | None = None
) -> dict[tuple[tuple[int, ...], ...], int]:
    """Count the deals (ordered by seat) by the outputs of all seats, sorted for each role.

    With a ``leader`` only deals count that it leads. Out of reach is what has more than ``limit`` states in one layer,
    what another thread ends by setting ``stop``, int64[1], and a leader where no more than four cards are dealt.
    """
    if leader is not None and sum(role.seats * role.automaton.hand_size for role in roles) <= N_SUITS:
        raise OutOfReachError  # with nothing but 2s dealt a 2 leads, and they are read before that is known
    outputs = sorted({int(value) for role in roles for value in role.automaton.output} - {REJECTED})
    seats = sum(role.seats for role in roles)
    layers = _lay_out(roles, outputs)
    width = _KEY_BITS // seats
    if max(len(layer.following) for layer in layers) + len(outputs) >= 1 << width:
        raise OutOfReachError
    bounds = np.cumsum([0, *(role.seats for role in roles)])
    states = np.repeat(range(len(roles)), [role.seats for role in roles]) + len(outputs)
    led = leader is None
    key = sum(int(state) << width * seat for seat, state in enumerate(states)) | led << _KEY_BITS
    size = _Size(len(outputs), width, -1 if leader is None else int(bounds[leader.role]), limit)
    table = np.array([[key, 0, 1, 0]])
    flag = np.zeros(1, np.int64) if stop is None else stop
    for at, layer in enumerate(layers):
        shares = _share_table(seats, min(at, 2), 0 if leader is None else leader.opening_suit)
        table, within = _advance(table, layer, shares, bounds, _CHOOSE, 4 * (N_RANKS - at), size, flag)
        if not within:
            raise OutOfReachError
        table = table[table[:, 0] >= 0]
    law: dict[tuple[tuple[int, ...], ...], int] = {}
    for key, high, low in zip(table[:, 0].tolist(), *table[:, 1:3].T.astype(np.uint64).tolist(), strict=True):
        found = [outputs[key >> width * seat & (1 << width) - 1] for seat in range(seats)]
        entry = tuple(tuple(sorted(found[a:b])) for a, b in pairwise(bounds))
        law[entry] = law.get(entry, 0) + (high << 64) + low
    return law


class _Layer(NamedTuple):
    """One rank's table of the automata of all roles; states are numbered as in the keys, less the decided ones."""

    following: Ints  # [states, 16], negative for none
    room: Ints  # [states]
    by_suit: NDArray[np.bool_]  # [states]
    next_room: Ints  # [next states]
    decided: Ints  # [next states], number of the output or -1


class _Size(NamedTuple):
    outputs: int  # numbers below are decided seats, by output
    width: int  # bits of a seat in a key
    leader: int  # seat that must get the first card dealt, or -1
    limit: int


class _Shares(NamedTuple):
    """The ways to share out one rank among the undecided seats; the pool takes the rest."""

    nibbles: Ints  # [ways, seats]
    skip: Ints  # [ways, seats], the next way in which this seat or one before it differs
    weight: NDArray[np.uint64]  # [ways]
    dealt: Ints  # [ways], cards that go to the seats
    owner: Ints  # [ways], the seat that gets the first card dealt, or -1
    begin: Ints  # [(seats + 1)² + 1]: ``begin[n]`` … for ``n = by_card * (seats + 1) + by_number`` undecided seats


@cache
def _ways(by_card: int, by_number: int, order: tuple[int, ...]) -> list[tuple[int, list[int], int, int]]:
    """Share out one rank: card by card among the first seats, then by numbers of cards among the others."""
    ways = []
    for owners in product(range(by_card + 1), repeat=4):
        nibbles = [sum(1 << suit for suit in range(4) if owners[suit] == seat) for seat in range(by_card)]
        rest = owners.count(by_card)
        first = next((owners[suit] for suit in order if owners[suit] < by_card), -1)
        for numbers in product(range(rest + 1), repeat=by_number):
            pool = rest - sum(numbers)
            if pool >= 0:
                weight = factorial(rest) // prod(factorial(n) for n in (*numbers, pool))
                ways.append((4 - pool, nibbles + [_FIRST_OF[n] for n in numbers], weight, first))
    return sorted(ways, key=lambda way: way[1])


@cache
def _share_table(seats: int, layer: int, opening_suit: int) -> _Shares:
    """Return the ways for a layer: 2s lead only where nothing else is dealt, the opening card is one of the 3s."""
    suits = sorted(range(4), key=lambda suit: layer == 1 and suit != opening_suit)
    order = () if layer == 0 else tuple(suits)
    tables = [_ways(a, b, order) if a + b <= seats else [] for a in range(seats + 1) for b in range(seats + 1)]
    rows = [way for table in tables for way in table]
    begin = np.cumsum([0, *map(len, tables)])
    nibbles, skip = np.zeros((2, len(rows), seats), dtype=np.int64)
    for first, end in pairwise(begin):
        for at in range(end - 1, first - 1, -1):
            for seat in range(len(rows[at][1])):
                same = at + 1 < end and rows[at + 1][1][: seat + 1] == rows[at][1][: seat + 1]
                skip[at, seat] = skip[at + 1, seat] if same else at + 1
                nibbles[at, seat] = rows[at][1][seat]
    dealt, _, weight, owner = zip(*rows, strict=True)
    return _Shares(nibbles, skip, np.array(weight, np.uint64), np.array(dealt), np.array(owner), begin)


def _lay_out(roles: Sequence[Role], outputs: list[int]) -> list[_Layer]:
    """Lay the automata of all roles into one table per rank; each begins in the state of its number."""
    tables = [_restricted(role) for role in roles]
    outlooks = [_outlook(role.automaton, table, outputs) for role, table in zip(roles, tables, strict=True)]
    layers = []
    read = [[role.automaton.hand_size - cards for cards in role.automaton.cards] for role in roles]
    rooms = [np.concatenate(room) for room in zip(*read, strict=True)]
    for at in range(N_RANKS):
        following, offset = [], 0
        for table, outlook in zip(tables, outlooks, strict=True):
            there = (table[at] >= 0) & (outlook[at + 1][table[at]] != _LOST)
            following.append(np.where(there, table[at] + offset, _NO_HAND))
            offset += len(outlook[at + 1])
        targets = np.concatenate(following)
        by_suit = (targets != targets[:, [_FIRST_OF[n] for n in BITS_OF]]).any(axis=1)
        decided = np.concatenate([outlook[at + 1] for outlook in outlooks])
        layers.append(_Layer(targets, rooms[at], by_suit, rooms[at + 1], decided))
    return layers


def _restricted(role: Role) -> list[Ints]:
    """Return the transitions with those marked that known cards do not allow."""
    tables = []
    for rank, targets in zip(READ_ORDER, role.automaton.following, strict=True):
        hold, dead = (cards >> 4 * rank & 15 for cards in (role.holding, role.dead))
        allowed = np.array([n & hold == hold and not n & dead for n in range(16)])
        tables.append(np.where(allowed | (targets < 0), targets, _NOT_ALLOWED))
    return tables


_OPEN, _LOST = -1, -2


def _outlook(automaton: Automaton, table: list[Ints], outputs: list[int]) -> list[Ints]:
    """Per layer and state: the number of its output if every full hand has that one, else `_OPEN`, or `_LOST`."""
    last = [_LOST if value == REJECTED else outputs.index(value) for value in automaton.output.tolist()]
    result = [np.array(last, dtype=np.int64)]
    for targets in reversed(table):
        seen = np.where(targets == _NOT_ALLOWED, _LOST, result[-1][targets])
        counted = targets != _NO_HAND
        low = np.where(counted, seen, len(outputs)).min(axis=1)
        high = np.where(counted, seen, _LOST).max(axis=1)
        result.append(np.where(low == high, low, _OPEN))
    return result[::-1]


@kernel
def _advance(table, layer, shares, bounds, choose, unread, size, stop):
    """Read one rank for all tuples of states; say False where they become more than ``size.limit``, or on ``stop``.

    table : int64[tuples, 4]: key, high and low word of the number of ways, unused. ``unread`` cards are in the deck.
    stop : int64[1], looked at before every tuple
    """
    to, filled, seats = _empty(1 << 12), 0, bounds[-1]
    state, place = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    target, new = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    batch = np.zeros((len(shares.weight), 4), np.int64)
    for at in range(len(table)):
        if stop[0]:
            return to, False
        key = table[at, 0]
        led = key >> 60 == 1
        by_card, undecided, pool = _unpack(key, layer, size, unread, state, place)
        number = by_card * (seats + 1) + undecided - by_card
        way, found = shares.begin[number], 0
        while way < shares.begin[number + 1]:
            lost = _move(layer, shares, way, state, undecided, target)
            if lost >= 0:
                way = shares.skip[way, lost]
                continue
            left, first = pool - 4 + shares.dealt[way], shares.owner[way]
            if left >= 0 and (led or first < 0 or place[first] == size.leader):
                for seat in range(seats):
                    new[seat] = _seat(key, seat, size.width)
                settled = led or first >= 0
                ways = (np.uint64(table[at, 1]), np.uint64(table[at, 2]))
                ways = wide_multiply_add((np.uint64(0), np.uint64(0)), ways, shares.weight[way])
                ways = _settle(layer, size, target, place, undecided, settled, left, ways, choose, new)
                batch[found, 0] = _pack(new, bounds, settled, size.width)
                batch[found, 1], batch[found, 2] = np.int64(ways[0]), np.int64(ways[1])
                found += 1
            way += 1
        if filled > size.limit:
            return to, False
        if 2 * (filled + found) > len(to):
            to = _grow(to)
        filled += _insert(to, batch, found)
    return to, True


@step
def _insert(to, batch, found):
    """Add a batch of ways to the hash table; return how many keys are new.

    All slots are looked at before any is changed: the processor then fetches them together, and most of the time goes
    into waiting for memory.
    """
    for at in range(found):
        batch[at, 3] = _slot(batch[at, 0], len(to))
    seen = 0
    for at in range(found):
        seen += to[batch[at, 3], 0] & 1
    fresh = min(0, seen)
    for at in range(found):
        key, slot = batch[at, 0], batch[at, 3]
        while to[slot, 0] != key and to[slot, 0] != -1:
            slot = (slot + 1) & (len(to) - 1)
        fresh += to[slot, 0] == -1
        to[slot, 0] = key
        total = (np.uint64(to[slot, 1]), np.uint64(to[slot, 2]))
        total = wide_multiply_add(total, (np.uint64(batch[at, 1]), np.uint64(batch[at, 2])), np.uint64(1))
        to[slot, 1], to[slot, 2] = np.int64(total[0]), np.int64(total[1])
    return fresh


@step
def _slot(key, slots):
    """Return the first place to look for a key in a table of 2^k slots."""
    mixed = key * -7046029254386353131
    return (mixed ^ (mixed >> 29) ^ (mixed >> 43)) & (slots - 1)


@step
def _seat(key, seat, width):
    return (key >> (width * seat)) & ((1 << width) - 1)


@step
def _move(layer, shares, way, state, undecided, target):
    """Write the states after a way of sharing; return the first seat that has none, or -1."""
    for seat in range(undecided):
        target[seat] = layer.following[state[seat], shares.nibbles[way, seat]]
        if target[seat] < 0:
            return seat
    return -1


@step
def _settle(layer, size, target, place, undecided, settled, left, ways, choose, new):
    """Write the states into the tuple; let decided seats join the pool, which has room for ``left`` cards."""
    for seat in range(undecided):
        after = target[seat]
        new[place[seat]] = after + size.outputs
        if settled and layer.decided[after] >= 0:
            new[place[seat]] = layer.decided[after]
            left += layer.next_room[after]
            ways = wide_multiply_add((np.uint64(0), np.uint64(0)), ways, choose[left, layer.next_room[after]])
    return ways


@step
def _unpack(key, layer, size, unread, state, place):
    """Write states and places of the undecided seats, those that care for suits first; return numbers and the pool.

    While the leader is not known, every seat counts as caring for suits.
    """
    by_card, by_number, pool = 0, 0, unread
    last = len(state)
    for seat in range(len(state)):
        number = _seat(key, seat, size.width) - size.outputs
        if number < 0:
            continue
        pool -= layer.room[number]
        if layer.by_suit[number] or key >> 60 == 0:
            state[by_card], place[by_card] = number, seat
            by_card += 1
        else:
            by_number += 1
            state[last - by_number], place[last - by_number] = number, seat
    for at in range(by_number):
        state[by_card + at], place[by_card + at] = state[last - by_number + at], place[last - by_number + at]
    return by_card, by_card + by_number, pool


@step
def _pack(new, bounds, settled, width):
    """Sort the states of each role in place and return the key."""
    for role in range(len(bounds) - 1):
        for at in range(bounds[role] + 1, bounds[role + 1]):
            value, to = new[at], at
            while to > bounds[role] and new[to - 1] > value:
                new[to] = new[to - 1]
                to -= 1
            new[to] = value
    key = np.int64(settled) << 60
    for seat in range(len(new)):
        key |= new[seat] << (width * seat)
    return key


@kernel
def _empty(slots):
    """Return an open hash table; a key of -1 marks a free slot."""
    table = np.zeros((slots, 4), np.int64)
    table[:, 0] = -1
    return table


@kernel
def _grow(table):
    """Return the hash table with four times the slots."""
    wider = _empty(4 * len(table))
    for at in range(len(table)):
        if table[at, 0] >= 0:
            slot = _slot(table[at, 0], len(wider))
            while wider[slot, 0] != -1:
                slot = (slot + 1) & (len(wider) - 1)
            for word in range(4):  # a whole row at once takes seconds to compile
                wider[slot, word] = table[at, word]
    return wider
