"""All legal choices of a seat: a choice is a kind, a top rank and a length; its suits are another matter.

Where suits only break ties the tops of a kind are a mask that costs a few instructions; the rarer rules (suits to
follow, a card that must be played, a last play that is barred) filter that mask, one rank at a time.
"""

from __future__ import annotations

import numpy as np

from tlsim.bits import deposit, highest, popcount, trailing_zeros, wide_product
from tlsim.jit import step
from tlsim.kernels.clauses import (
    AS_QUAD,
    AS_RUN_4,
    FREE,
    KIND,
    LEAD,
    LENGTH,
    LONGER_BEATS,
    NO_TARGET,
    ON_TWO,
    PAIR_RUN,
    QUAD,
    QUAD_BOMB,
    REQUIRED,
    RESIDUAL_POWERS,
    RESIDUAL_SEAT,
    RUN_3,
    RUN_4,
    RUN_6,
    RUN_MIN,
    SINGLE,
    STRAIGHT,
    STRAIGHT_LOW,
    STRAIGHT_MIN,
    SUIT_MATCH,
    SUPERSET,
    TARGET,
    THREE_TWOS,
    TOP,
    TOP_RANK_ONLY,
    TRUMP,
    WITH_HANG,
)  # fmt: skip
from tlsim.kernels.combos import FORBID, NORTH, ONES, RUN_RANKS, ranks_of, run_tops, slots_of
from tlsim.kernels.moves import is_legal
from tlsim.kernels.rng import mix

REST_OF_QUAD, REST_OF_RUN = 7, 8  # kinds of choice: what is left of a bomb (M11)
MOST_CHOICES = 160
_TRIES = 1000


@step
def list_choices(rules, state, hand, seat, question, out):
    """Write the legal choices, a pass not among them, and return their number; out : int64[MOST_CHOICES, 3]."""
    n = 0
    if question == LEAD:
        for kind in range(SINGLE, QUAD + 1):
            n = _add(out, n, kind, 1, tops(rules, state, hand, seat, question, kind, 1))
        n = _list_runs(rules, state, hand, seat, out, n, STRAIGHT)
        n = _list_runs(rules, state, hand, seat, out, n, PAIR_RUN)
    else:
        kind, length = state[KIND], state[LENGTH]
        if question < FREE:
            n = _add(out, n, kind, length, tops(rules, state, hand, seat, question, kind, length))
            if kind == STRAIGHT and rules[LONGER_BEATS]:
                for longer in range(length + 1, 14):
                    n = _add(out, n, STRAIGHT, longer, tops(rules, state, hand, seat, question, STRAIGHT, longer))
        if state[TARGET] != NO_TARGET or rules[TRUMP]:
            n = _list_bombs(rules, state, hand, seat, question, out, n)
    if seat == state[RESIDUAL_SEAT] and state[RESIDUAL_POWERS]:
        if rest_of(rules, state, hand, seat, question, REST_OF_QUAD):
            n = _add(out, n, REST_OF_QUAD, 1, 1)
        if rest_of(rules, state, hand, seat, question, REST_OF_RUN):
            n = _add(out, n, REST_OF_RUN, 4, 1 << 12)
    return n


@step
def _list_runs(rules, state, hand, seat, out, n, kind):
    """Write the straights or pair runs of all lengths that may be led; a run of one more card is a part of two."""
    length = rules[STRAIGHT_MIN] if kind == STRAIGHT else rules[RUN_MIN]
    if length == 0:
        return n
    steps = slots_of(ranks_of(hand, 1), rules[STRAIGHT_LOW]) if kind == STRAIGHT else ranks_of(hand, 2) & RUN_RANKS
    runs = run_tops(steps, length)
    while runs and length < 14:
        ranks = runs >> 8 if kind == STRAIGHT else runs
        n = _add(out, n, kind, length, _allowed(rules, state, hand, seat, LEAD, kind, length, ranks))
        runs = steps & (runs << 4)
        length += 1
    return n


@step
def _list_bombs(rules, state, hand, seat, question, out, n):
    long_runs = rules[SUPERSET] or state[TARGET] == THREE_TWOS
    for bomb in range(RUN_3, (RUN_6 if long_runs else RUN_4) + 1):
        kind = QUAD if bomb == QUAD_BOMB else PAIR_RUN
        length = 1 if bomb == QUAD_BOMB else 3 if bomb == RUN_3 else bomb + 1
        same = kind == state[KIND] and length == state[LENGTH]
        if same and question < FREE:
            continue  # listed as a set of the same kind
        n = _add(out, n, kind, length, tops(rules, state, hand, seat, question, kind, length))
    return n


@step
def _add(out, n, kind, length, ranks):
    while ranks:
        out[n, 0], out[n, 1], out[n, 2] = kind, trailing_zeros(ranks) >> 2, length
        n += 1
        ranks &= ranks - 1
    return n


@step
def tops(rules, state, hand, seat, question, kind, length):
    """Return the nibble mask of the ranks that can be on top of a legal play of a kind and length."""
    if kind <= QUAD:
        ranks = ranks_of(hand, kind)
    elif kind == STRAIGHT:
        ranks = run_tops(slots_of(ranks_of(hand, 1), rules[STRAIGHT_LOW]), length) >> 8
    elif rules[RUN_MIN] == 0 or length < rules[RUN_MIN]:
        ranks = 0
    else:
        ranks = run_tops(ranks_of(hand, 2) & RUN_RANKS, length)
    return _allowed(rules, state, hand, seat, question, kind, length, ranks)


@step
def _is_plain(rules, state, hand, size):
    """Whether a set of so many cards is under no rarer rule: suits to follow, a required card, a barred last play."""
    if rules[SUIT_MATCH] or state[REQUIRED]:
        return False
    return size != popcount(hand) or (rules[ON_TWO] != FORBID and bool(rules[WITH_HANG]))


@step
def _size(kind, length):
    """Return the number of cards of a choice."""
    return kind if kind <= QUAD else length if kind == STRAIGHT else 2 * length


@step
def _allowed(rules, state, hand, seat, question, kind, length, ranks):
    """Return those of the top ranks that a hand has which are legal."""
    if ranks == 0:
        return 0
    if not _is_plain(rules, state, hand, _size(kind, length)):
        return _filtered(rules, state, hand, seat, question, kind, length, ranks)
    if question == LEAD:
        return ranks
    if kind == state[KIND] and length == state[LENGTH]:
        rank = state[TOP] & ~3
        above = ranks & (-16 << rank)
        if (ranks >> rank) & 1 and not rules[TOP_RANK_ONLY] and kind != 3 and kind != QUAD:
            nibble = (hand >> rank) & 15
            if highest(nibble) > state[TOP] & 3:
                above |= 1 << rank
        if question >= FREE:
            return _filtered(rules, state, hand, seat, question, kind, length, above)
        return above
    if kind == STRAIGHT:  # a longer one
        return ranks
    return _filtered(rules, state, hand, seat, question, kind, length, ranks)


@step
def _filtered(rules, state, hand, seat, question, kind, length, ranks):
    kept, left = 0, ranks
    while left:
        bit = left & -left
        left ^= bit
        if some_play(rules, state, hand, seat, question, kind, trailing_zeros(bit), length):
            kept |= bit
    return kept


@step
def some_play(rules, state, hand, seat, question, kind, at, length):
    """Return a legal play of a choice, top rank at bit ``at``, or 0: every part that matters is tried."""
    size = kind if kind <= QUAD else 1 if kind == STRAIGHT else 2
    first = 0
    if kind > QUAD:
        start = at // 4 + 2 - (length - 1)
        first = 0 if start < 2 else 4 * (start - 2)  # the lowest card: of A-2-3 the 3
    must = trailing_zeros(state[REQUIRED]) & ~3 if question == LEAD and state[REQUIRED] else -1
    for suit in range(4 if kind == STRAIGHT and rules[SUIT_MATCH] == NORTH else 1):
        own = hand & (ONES << suit) if kind == STRAIGHT and rules[SUIT_MATCH] == NORTH else hand
        for high in range(1, 16):
            if popcount(high) != size or high & ~((own >> at) & 15):
                continue
            for low in range(1, 16):
                if first == at or kind <= QUAD:
                    if low > 1:
                        break
                elif popcount(low) != size or low & ~((own >> first) & 15):
                    continue
                play = high << at
                if kind > QUAD:
                    for slot in range(at // 4 + 2 - (length - 1), at // 4 + 2):
                        here = 4 * ((slot + 11) % 13)
                        if here == first:
                            play |= low << here
                        elif here == must:
                            play |= _part_with(own, here, state[REQUIRED], size)
                        else:
                            play |= _part_with(own, here, 0, size)
                if kind > QUAD and popcount(play) != size * length:
                    continue
                if is_legal(rules, state, hand, seat, question, play):
                    return play
    return 0


@step
def _part_with(hand, at, must, size):
    """Return cards of a rank, the lowest beside one that must be there."""
    nibble, taken = (hand >> at) & 15, (must >> at) & 15
    for _ in range(size - popcount(taken)):
        left = nibble & ~taken
        taken |= left & -left
    return taken << at


@step
def rest_of(rules, state, hand, seat, question, kind):
    """Return a legal play of what is left of a bomb, or 0."""
    if kind == REST_OF_RUN:
        nibble = (hand >> 12) & 15
        low = nibble & -nibble
        play = (low | (nibble ^ low) & -(nibble ^ low)) << 12 | AS_RUN_4
        return play if popcount(nibble) >= 2 and is_legal(rules, state, hand, seat, question, play) else 0
    for play in (1, hand & 15):
        if play and is_legal(rules, state, hand, seat, question, play | AS_QUAD):
            return play | AS_QUAD
    return 0


@step
def draw_play(rules, state, hand, seat, question, kind, rank, length, streams):
    """Return a play of a choice, its suits uniform among the legal ones.

    Cards are drawn rank by rank and drawn again until they are legal, so what is kept is uniform.
    """
    if kind >= REST_OF_QUAD:
        play = rest_of(rules, state, hand, seat, question, kind)
        if kind == REST_OF_RUN:
            play = _part_of(hand, 12, 2, streams, seat) | AS_RUN_4
        return play
    size = kind if kind <= QUAD else 1 if kind == STRAIGHT else 2
    surely = _is_plain(rules, state, hand, _size(kind, length)) and (question == LEAD or rank > state[TOP] >> 2)
    for _ in range(_TRIES):
        own = hand
        if kind == STRAIGHT and rules[SUIT_MATCH] == NORTH:
            own = hand & (ONES << below(streams, seat, 4))
        play = _part_of(own, 4 * rank, size, streams, seat)
        if kind > QUAD:
            for slot in range(rank + 2 - (length - 1), rank + 2):
                play |= _part_of(own, 4 * ((slot + 11) % 13), size, streams, seat)
        if surely or is_legal(rules, state, hand, seat, question, play):
            return play
    return some_play(rules, state, hand, seat, question, kind, 4 * rank, length)


@step
def _part_of(hand, at, size, streams, seat):
    """Return so many cards of a rank, all choices equally likely."""
    nibble = (hand >> at) & 15
    n = popcount(nibble)
    if n <= size:
        return nibble << at
    if size == 1:
        return deposit(1 << below(streams, seat, n), nibble) << at
    if size == n - 1:
        return (nibble & ~deposit(1 << below(streams, seat, n), nibble)) << at
    pair = below(streams, seat, 6)  # two of four
    return (0x3569AC >> (4 * pair) & 15) << at


@step
def below(streams, seat, bound):
    """Return the next number of a seat's stream, uniform below a bound; the bias is under bound / 2**64.

    streams : uint64[players, 3]: start, step, words used
    """
    used = streams[seat, 2]
    streams[seat, 2] = used + np.uint64(1)
    high, _ = wide_product(mix(streams[seat, 0] + used * streams[seat, 1]), np.uint64(bound))
    return np.int64(high)


@step
def decide_random(rules, state, hand, seat, question, choices, streams):
    """Choose uniformly among the legal choices, a pass being one more; then the suits."""
    n = list_choices(rules, state, hand, seat, question, choices)
    pick = below(streams, seat, n if question == LEAD else n + 1)
    if pick == n:
        return 0
    return draw_play(rules, state, hand, seat, question, choices[pick, 0], choices[pick, 1], choices[pick, 2], streams)
