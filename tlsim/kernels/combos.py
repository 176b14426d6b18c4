"""Combinations: what a set of cards is, and what it beats.

The ranks of a hand that has one, two, three or four cards of them are nibble masks: bit 4 * rank. Straights are looked
for in *slots*: A, 2, 3, 4 … K, A, the first two used only where straights may be low (C9).
"""

from tlsim.bits import highest, popcount, reverse_bits, trailing_zeros
from tlsim.jit import scalar_step
from tlsim.kernels import row as r

ONES = 0x1111111111111
TWO_RANK = 12
_ACE_SHIFT = 44
TWO_AT = 48  # where the nibble of the 2s begins
RUN_RANKS = (1 << 48) - 1  # ranks 3 … A
BLACK, RED = 3, 12  # suits of a colour
FORBID, COUNTS_LAST = 2, 1  # values of game[ON_TWO]
NORTH, FIRST_CARD = 1, 2  # values of game[SUIT_MATCH]
ORDINARY, CHOPPED = 1, 2  # how a set beats another
# What is left of a bomb: powers of the leader of an opening game over the rest of the bomb of his first play (M11).
POWER_3S, POWER_THREES, POWER_RUN = 1, 2, 4
SIXES, THREES = 15 << 12, 15


@scalar_step
def mirrored(cards):
    """Return cards upside down: the lowest is the highest."""
    return (reverse_bits(cards) >> 12) & r.ALL_CARDS


@scalar_step
def true_cards(game, cards):
    """Return the cards that the row means: in a revolution it holds them upside down."""
    return mirrored(cards) if game[r.REVERSED] else cards


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
def tops_of(hand, kind, length, low):
    """Return the nibble mask of the ranks on top of all sets of a kind and length; low : straights from an ace too."""
    if kind <= r.QUAD:
        return ranks_of(hand, kind)
    if kind == r.STRAIGHT:
        return run_tops(slots_of(ranks_of(hand, 1), low), length) >> 8
    return run_tops(ranks_of(hand, 2) & RUN_RANKS, length)


@scalar_step
def lowest_of(nibble, size):
    """Return the lowest cards of a rank, so many of them."""
    left = nibble
    for _ in range(size):
        left &= left - 1
    return nibble ^ left


@scalar_step
def describe(game, play):
    """Return kind, length in ranks and highest card of a set; kind `NOTHING` where it is none."""
    cards = play & r.ALL_CARDS
    if play & r.AS_QUAD:
        return r.QUAD, 1, 3
    if play & r.AS_RUN_4:
        return r.PAIR_RUN, 4, highest(cards)
    size, top = popcount(cards), highest(cards)
    low_rank = trailing_zeros(cards) >> 2
    if size == 0:
        return r.NOTHING, 0, 0
    if low_rank == top >> 2:
        ok = size != 2 or game[r.SUIT_MATCH] != NORTH or one_colour(cards)
        return (size if ok else r.NOTHING), 1, top
    kind, length, top = _describe_straight(game, cards, size)
    return (kind, length, top) if kind != r.NOTHING else _describe_pair_run(game, cards, size)


@scalar_step
def one_colour(cards):
    """Return whether all cards are black or all red."""
    return (cards & (ONES * BLACK)) == 0 or (cards & (ONES * RED)) == 0


@scalar_step
def _describe_straight(game, cards, size):
    ranks = ranks_of(cards, 1)
    fine = game[r.STRAIGHT_MIN] > 0 and size >= game[r.STRAIGHT_MIN] and popcount(ranks) == size
    suited = game[r.SUIT_MATCH] != NORTH or cards & ~(ONES << (trailing_zeros(cards) & 3)) == 0
    if not (fine and suited) or (cards & r.TWOS and not game[r.STRAIGHT_LOW]):
        return r.NOTHING, 0, 0
    slots = slots_of(ranks, True) & ~(1 << 52) if cards & r.TWOS else slots_of(ranks, False)  # an ace by a 2 is low
    top = highest(slots) >> 2
    if top < 2 or slots != (ONES >> (4 * (13 - size))) << (4 * (top - size + 1)):
        return r.NOTHING, 0, 0
    return r.STRAIGHT, size, highest(cards & (15 << (4 * (top - 2))))


@scalar_step
def _describe_pair_run(game, cards, size):
    length = size >> 1
    pairs = ranks_of(cards, 2)
    fine = game[r.RUN_MIN] > 0 and size % 2 == 0 and length >= game[r.RUN_MIN] and popcount(pairs) == length
    low = trailing_zeros(cards) >> 2
    if not fine or cards & r.TWOS or pairs != ((ONES >> (4 * (13 - length))) << (4 * low)):
        return r.NOTHING, 0, 0
    return r.PAIR_RUN, length, highest(cards)


@scalar_step
def bomb_of(game, kind, length):
    """Return which bomb a set is, if any."""
    if kind == r.QUAD:
        return r.QUAD_BOMB
    if kind == r.PAIR_RUN and (3 <= length <= 4 or (game[r.SUPERSET] and 5 <= length <= 6)):
        return r.RUN_3 if length == 3 else length - 1
    return r.NO_BOMB


@scalar_step
def set_of(bomb):
    """Return kind and length of a bomb."""
    return (r.QUAD, 1) if bomb == r.QUAD_BOMB else (r.PAIR_RUN, 3 if bomb == r.RUN_3 else bomb + 1)


@scalar_step
def target_of(game, kind, length, top):
    """Return what a set is for a bomb."""
    if kind <= r.TRIPLE:
        if top >> 2 != TWO_RANK:
            return r.NO_TARGET
        return r.TWO if kind == r.SINGLE else r.TWO_TWOS if kind == r.PAIR else r.THREE_TWOS
    bomb = bomb_of(game, kind, length)
    return r.NO_TARGET if bomb == r.NO_BOMB else r.ON_RUN_3 + bomb - r.RUN_3


@scalar_step
def how_it_beats(game, play, kind, length, top):
    """Return how a set beats the one on the table: 0 not at all, `ORDINARY`, or `CHOPPED`."""
    bomb = bomb_of(game, kind, length)
    listed = bomb != r.NO_BOMB and (game[r.CHOPS + bomb] >> game[r.TARGET]) & 1
    if game[r.TARGET] == r.THREE_TWOS and kind == r.PAIR_RUN and length >= 5:  # these may be no bombs (C13)
        listed = (game[r.CHOPS + min(length - 1, r.RUN_6)] >> r.THREE_TWOS) & 1
    if kind == game[r.KIND] and length == game[r.LENGTH]:
        if not _higher(game, play & r.ALL_CARDS, kind, top):
            return 0
        return CHOPPED if listed else ORDINARY
    if listed:
        return CHOPPED
    if kind == r.STRAIGHT and game[r.KIND] == r.STRAIGHT and game[r.LONGER_BEATS] and length > game[r.LENGTH]:
        if game[r.SUIT_MATCH] == NORTH:  # it has the suit that it must have (C2, J7)
            return ORDINARY if (top & 3) == (game[r.TOP] & 3) else 0
        first, other = trailing_zeros(play & r.ALL_CARDS), trailing_zeros(game[r.CARDS_ON])
        return ORDINARY if game[r.SUIT_MATCH] != FIRST_CARD or (first & 3) == (other & 3) else 0
    if game[r.SUPERSET] and kind == r.PAIR_RUN == game[r.KIND] and length > max(game[r.LENGTH], 3):
        return ORDINARY
    if bomb == r.RUN_3 and game[r.TRUMP] and game[r.TARGET] == r.NO_TARGET and (game[r.CARDS_ON] & r.TWOS) == 0:
        return ORDINARY
    return 0


@scalar_step
def _higher(game, cards, kind, top):
    """Whether a set is higher than the one of its kind and length on the table (C1-C5, J7)."""
    old, on = game[r.TOP], game[r.CARDS_ON]
    if game[r.SUIT_MATCH] == NORTH and kind != r.PAIR_RUN:  # twos beat all others, and one another by suit
        if kind == r.TRIPLE or kind == r.QUAD or (kind <= r.PAIR and top >> 2 == TWO_RANK):
            return top > old
        follows = one_colour(cards | on) if kind == r.PAIR else (top & 3) == (old & 3)
        return top >> 2 > old >> 2 and follows
    if game[r.SUIT_MATCH] == FIRST_CARD and kind != r.TRIPLE and kind != r.QUAD:
        twos_on_others = top >> 2 == TWO_RANK and old >> 2 != TWO_RANK
        if not twos_on_others and (trailing_zeros(cards) & 3) != (trailing_zeros(on) & 3):
            return False
    return top >> 2 > old >> 2 if game[r.TOP_RANK_ONLY] else top > old


@scalar_step
def may_finish(game, hand, play, kind, length):
    """Whether a set may be laid from a hand: the last set may be barred from holding a 2 or being a bomb (K10, C12)."""
    if play & r.ALL_CARDS != hand:
        return True
    if game[r.ON_TWO] == FORBID and play & r.TWOS and not (kind == r.STRAIGHT and game[r.ON_TWO_IN_STRAIGHT]):
        return False
    return bool(game[r.WITH_HANG]) or bomb_of(game, kind, length) == r.NO_BOMB


@scalar_step
def give_powers(game, seat, play):
    """Give the leader of an opening game the powers that are left of the bomb of his first play (J2, J3, M11)."""
    cards, dealt, card = play & r.ALL_CARDS, game[r.DEALT + seat], 1 << game[r.OPENING_CARD]
    powers = 0
    if dealt & 15 == 15 and cards & card and game[r.RESIDUAL_QUAD] == 1 and cards & 1 == 0:
        powers |= POWER_3S
    if dealt & 15 == 15 and cards & 15 == card and game[r.RESIDUAL_QUAD] == 2:
        powers |= POWER_THREES
    if game[r.RESIDUAL_RUN] and cards & card and popcount(cards) == 6 and ranks_of(cards, 2) & 0x111 == 0x111:
        if ranks_of(dealt, 2) & 0x1111 == 0x1111:
            powers |= POWER_RUN
    if powers:
        game[r.RESIDUAL_SEAT], game[r.RESIDUAL_POWERS] = seat, powers


@scalar_step
def keep_powers(game, seat, play):
    """Take the powers for which the cards have been laid, or that have been used."""
    hand, powers, card = game[r.HANDS + seat], game[r.RESIDUAL_POWERS], 1 << game[r.OPENING_CARD]
    if hand & 1 == 0:
        powers &= ~POWER_3S
    if hand & 15 != 15 & ~card:
        powers &= ~POWER_THREES
    if play & r.AS_RUN_4 or popcount((hand >> 12) & 15) < 2:
        powers &= ~POWER_RUN
    game[r.RESIDUAL_POWERS] = powers


@scalar_step
def has_power(game, seat, play):
    """Whether the residual power that a play claims is there (M11)."""
    if play & (r.AS_QUAD | r.AS_RUN_4) == 0:
        return True
    if seat != game[r.RESIDUAL_SEAT]:
        return False
    powers, cards = game[r.RESIDUAL_POWERS], play & r.ALL_CARDS
    if play & r.AS_RUN_4:
        return bool(powers & POWER_RUN) and popcount(cards) == 2 and (cards & ~SIXES) == 0
    if cards == 1 and powers & POWER_3S:
        return True
    return bool(powers & POWER_THREES) and cards == THREES & ~(1 << game[r.OPENING_CARD])
