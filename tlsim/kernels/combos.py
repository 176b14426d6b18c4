"""Combinations: what a set of cards is, and what it beats.

The ranks of a hand that has one, two, three or four cards of them are nibble masks: bit 4 * rank. Straights are looked
for in *slots*: A, 2, 3, 4 … K, A, the first two used only where straights may be low (C9).
"""

from __future__ import annotations

from tlsim.bits import highest, popcount, reverse_bits, trailing_zeros
from tlsim.jit import scalar_step
from tlsim.kernels.row import (
    ALL_CARDS,
    AS_QUAD,
    AS_RUN_4,
    CARDS_ON,
    CHOPS,
    KIND,
    LENGTH,
    LONGER_BEATS,
    NO_BOMB,
    NO_TARGET,
    NOTHING,
    ON_RUN_3,
    ON_TWO,
    ON_TWO_IN_STRAIGHT,
    PAIR,
    PAIR_RUN,
    QUAD,
    QUAD_BOMB,
    REVERSED,
    RUN_3,
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
    TRIPLE,
    TRUMP,
    TWO,
    TWO_TWOS,
    TWOS,
    WITH_HANG,
)  # fmt: skip

ONES = 0x1111111111111
TWO_RANK = 12
_ACE_SHIFT, _TWO_SHIFT = 44, 48
RUN_RANKS = (1 << 48) - 1  # ranks 3 … A
BLACK, RED = 3, 12  # suits of a colour
FORBID, COUNTS_LAST = 2, 1  # values of game[ON_TWO]
NORTH, FIRST_CARD = 1, 2  # values of game[SUIT_MATCH]
ORDINARY, CHOPPED = 1, 2  # how a set beats another


@scalar_step
def mirrored(cards):
    """Return cards upside down: the lowest is the highest."""
    return (reverse_bits(cards) >> 12) & ALL_CARDS


@scalar_step
def true_cards(game, cards):
    """Return the cards that the row means: in a revolution it holds them upside down."""
    return mirrored(cards) if game[REVERSED] else cards


@scalar_step
def ranks_of(hand, least):
    """Return the nibble mask of the ranks with at least so many cards, 1 … 4."""
    twos = hand - ((hand >> 1) & 0x5555555555555)
    counts = (twos & 0x3333333333333) + ((twos >> 2) & 0x3333333333333)
    return ((counts + (8 - least) * ONES) >> 3) & ONES


@scalar_step
def slots_of(ranks, low):
    """Return the slots A 2 3 … A of the ranks that a straight may use; the first two only where it may be low."""
    slots = (ranks & RUN_RANKS) << 8
    return slots | ((ranks >> _ACE_SHIFT) & 0x11) if low else slots


@scalar_step
def run_tops(slots, length):
    """Return the bits of the highest slots of all runs of a length."""
    for _ in range(length - 1):
        slots &= slots << 4
    return slots


@scalar_step
def run_slots(top_slot, length):
    """Return the slots of a run: bits 4 * slot."""
    return ((ONES << 4 | 1) >> (4 * (14 - length))) << (4 * (top_slot - length + 1))


@scalar_step
def lowest_of(nibble, size):
    """Return the lowest cards of a rank, so many of them."""
    taken = 0
    for _ in range(size):
        bit = nibble & -nibble
        taken |= bit
        nibble ^= bit
    return taken


@scalar_step
def describe(game, play):
    """Return kind, length in ranks and highest card of a set; kind `NOTHING` where it is none."""
    cards = play & ALL_CARDS
    if play & AS_QUAD:
        return QUAD, 1, 3
    if play & AS_RUN_4:
        return PAIR_RUN, 4, highest(cards)
    size, top = popcount(cards), highest(cards)
    low_rank = trailing_zeros(cards) >> 2
    if size == 0:
        return NOTHING, 0, 0
    if low_rank == top >> 2:
        ok = size != 2 or game[SUIT_MATCH] != NORTH or one_colour(cards)
        return (size if ok else NOTHING), 1, top
    kind, length, top = _describe_straight(game, cards, size)
    return (kind, length, top) if kind != NOTHING else _describe_pair_run(game, cards, size)


@scalar_step
def one_colour(cards):
    """Return whether all cards are black or all red."""
    return (cards & (ONES * BLACK)) == 0 or (cards & (ONES * RED)) == 0


@scalar_step
def _describe_straight(game, cards, size):
    ranks = ranks_of(cards, 1)
    fine = game[STRAIGHT_MIN] > 0 and size >= game[STRAIGHT_MIN] and popcount(ranks) == size
    if fine and game[SUIT_MATCH] == NORTH:
        suit = trailing_zeros(cards) & 3
        fine = (cards & ~(ONES << suit)) == 0
    if not fine:
        return NOTHING, 0, 0
    if cards & TWOS:
        if not game[STRAIGHT_LOW]:
            return NOTHING, 0, 0
        slots = slots_of(ranks, True) & ~(1 << 52)  # an ace beside a 2 is low
    else:
        slots = slots_of(ranks, False)
    top = highest(slots) >> 2
    if top < 2 or slots != run_slots(top, size):
        return NOTHING, 0, 0
    return STRAIGHT, size, highest(cards & (15 << (4 * (top - 2))))


@scalar_step
def _describe_pair_run(game, cards, size):
    length = size >> 1
    pairs = ranks_of(cards, 2)
    fine = game[RUN_MIN] > 0 and size % 2 == 0 and length >= game[RUN_MIN] and popcount(pairs) == length
    low = trailing_zeros(cards) >> 2
    if not fine or cards & TWOS or pairs != ((ONES >> (4 * (13 - length))) << (4 * low)):
        return NOTHING, 0, 0
    return PAIR_RUN, length, highest(cards)


@scalar_step
def bomb_of(game, kind, length):
    """Return which bomb a set is, if any."""
    if kind == QUAD:
        return QUAD_BOMB
    if kind == PAIR_RUN and (3 <= length <= 4 or (game[SUPERSET] and 5 <= length <= 6)):
        return RUN_3 if length == 3 else length - 1
    return NO_BOMB


@scalar_step
def target_of(game, kind, length, top):
    """Return what a set is for a bomb."""
    if kind <= TRIPLE:
        if top >> 2 != TWO_RANK:
            return NO_TARGET
        return TWO if kind == SINGLE else TWO_TWOS if kind == PAIR else THREE_TWOS
    bomb = bomb_of(game, kind, length)
    return NO_TARGET if bomb == NO_BOMB else ON_RUN_3 + bomb - RUN_3


@scalar_step
def how_it_beats(game, play, kind, length, top):
    """Return how a set beats the one on the table: 0 not at all, `ORDINARY`, or `CHOPPED`."""
    bomb = bomb_of(game, kind, length)
    listed = bomb != NO_BOMB and (game[CHOPS + bomb] >> game[TARGET]) & 1
    if game[TARGET] == THREE_TWOS and kind == PAIR_RUN and length >= 5:  # these may be no bombs (C13)
        listed = (game[CHOPS + min(length - 1, RUN_6)] >> THREE_TWOS) & 1
    if kind == game[KIND] and length == game[LENGTH]:
        if not _higher(game, play & ALL_CARDS, kind, top):
            return 0
        return CHOPPED if listed else ORDINARY
    if listed:
        return CHOPPED
    if kind == STRAIGHT and game[KIND] == STRAIGHT and game[LONGER_BEATS] and length > game[LENGTH]:
        return ORDINARY if _suits_match(game, play & ALL_CARDS, top) else 0
    if game[SUPERSET] and kind == PAIR_RUN == game[KIND] and length > max(game[LENGTH], 3):
        return ORDINARY
    if bomb == RUN_3 and game[TRUMP] and game[TARGET] == NO_TARGET and (game[CARDS_ON] & TWOS) == 0:
        return ORDINARY
    return 0


@scalar_step
def _suits_match(game, cards, top):
    """Whether a longer straight has the suit that it must have (C2, J7)."""
    if game[SUIT_MATCH] == NORTH:
        return (top & 3) == (game[TOP] & 3)
    return game[SUIT_MATCH] != FIRST_CARD or (trailing_zeros(cards) & 3) == (trailing_zeros(game[CARDS_ON]) & 3)


@scalar_step
def _higher(game, cards, kind, top):
    """Whether a set is higher than the one of its kind and length on the table (C1-C5, J7)."""
    old, on = game[TOP], game[CARDS_ON]
    if game[SUIT_MATCH] == NORTH and kind != PAIR_RUN:
        return _higher_north(on, old, cards, kind, top)
    if game[SUIT_MATCH] == FIRST_CARD and kind != TRIPLE and kind != QUAD:
        twos_on_others = top >> 2 == TWO_RANK and old >> 2 != TWO_RANK
        if not twos_on_others and (trailing_zeros(cards) & 3) != (trailing_zeros(on) & 3):
            return False
    return top >> 2 > old >> 2 if game[TOP_RANK_ONLY] else top > old


@scalar_step
def _higher_north(on, old, cards, kind, top):
    """Follow suit (singles, straights) or colour (pairs); twos beat all others, and one another by suit."""
    if kind == TRIPLE or kind == QUAD:
        return top > old
    if kind <= PAIR and top >> 2 == TWO_RANK:
        return top > old
    if kind == PAIR:
        return top >> 2 > old >> 2 and one_colour(cards | on)
    return top >> 2 > old >> 2 and (top & 3) == (old & 3)


@scalar_step
def may_finish(game, hand, play, kind, length):
    """Whether a set may be laid from a hand: the last set may be barred from holding a 2 or being a bomb (K10, C12)."""
    if play & ALL_CARDS != hand:
        return True
    if game[ON_TWO] == FORBID and play & TWOS and not (kind == STRAIGHT and game[ON_TWO_IN_STRAIGHT]):
        return False
    return bool(game[WITH_HANG]) or bomb_of(game, kind, length) == NO_BOMB
