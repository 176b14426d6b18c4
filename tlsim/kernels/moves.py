"""Legal plays: the check of one, and the lowest of a kind."""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels.leftover import has_bombs

ANY_SUIT = 15


@scalar_step
def is_legal(game, hand, seat, question, play):
    """Whether a play answers a question by the rules; 0 is a pass."""
    cards = play & r.ALL_CARDS
    if play == 0:
        return question != r.LEAD
    if cards & ~hand or not c.has_power(game, seat, play):
        return False
    kind, length, top = c.describe(game, play)
    if kind == r.NOTHING or not c.may_finish(game, hand, play, kind, length):
        return False
    if question == r.LEAD:
        return game[r.REQUIRED] == 0 or (cards & game[r.REQUIRED]) != 0
    how = c.how_it_beats(game, play, kind, length, top)
    if question >= r.FREE:
        return how == c.CHOPPED and may_chop(game, c.bomb_of(game, kind, length), question)
    return how != 0


@scalar_step
def may_chop(game, bomb, question):
    """Whether a bomb may be used out of turn, or after a pass, on the set on the table (D2-D4); never on three 2s."""
    if game[r.TARGET] == r.THREE_TWOS:
        return False
    free = bomb >= r.RUN_4 and (game[r.FREE_TARGETS] >> game[r.TARGET]) & 1
    if question == r.FREE:
        return bool(free)
    return bool((game[r.CHOP_AFTER_PASS] >> bomb) & 1) and (bomb < r.RUN_4 or bool(free))


@scalar_step
def lowest_groups(hand, ranks, size):
    """Return the lowest cards, ``size`` each, of the ranks of a mask."""
    cards = 0
    while ranks:
        at = trailing_zeros(ranks)
        cards |= c.lowest_of((hand >> at) & 15, size) << at
        ranks &= ranks - 1
    return cards


@scalar_step
def lowest_run(hand, top_slot, length):
    """Return the straight of the lowest cards with this top slot."""
    cards = 0
    for slot in range(top_slot - length + 1, top_slot + 1):
        at = 4 * ((slot + 11) % 13)
        nibble = (hand >> at) & 15
        cards |= (nibble & -nibble) << at
    return cards


@inner_step
def lowest_over(hand, kind, length, top, by_suit):
    """Return the lowest set of a kind and length over one with a top, or 0; suits break ties or not at all.

    Straights do not begin with an ace or a 2.
    """
    if kind == r.SINGLE:
        above = hand & ((-2 if by_suit else -16) << (top if by_suit else top & ~3))
        return above & -above
    if kind <= r.QUAD:
        return _lowest_group(hand, kind, top, by_suit)
    return _lowest_run_over(hand, kind, length, top, by_suit, False)


@scalar_step
def _lowest_group(hand, kind, top, by_suit):
    rank = top & ~3
    if kind == r.PAIR and by_suit:
        nibble = (hand >> rank) & 15
        if popcount(nibble) == 2 and highest(nibble) > top & 3:
            return nibble << rank
    ranks = c.ranks_of(hand, kind) & (-16 << rank)
    at = trailing_zeros(ranks)
    return c.lowest_of((hand >> at) & 15, kind) << at if ranks else 0


@scalar_step
def _lowest_run_over(hand, kind, length, top, by_suit, low):
    """Return the lowest run of a length over one with a top, or 0; low : whether straights may begin with an ace."""
    rank, tops = top & ~3, c.tops_of(hand, kind, length, low)
    plain = tops & (-16 << rank) & (-1 << (4 * (length - 1)))
    if low and plain and rank < 4 * (length - 1):  # a straight that begins with an ace or a 2 holds a high card
        return _build(hand, kind, length, trailing_zeros(plain))
    if by_suit and (tops >> rank) & 1:
        nibble = (hand >> rank) & 15
        if kind == r.STRAIGHT:
            higher = nibble & (-2 << (top & 3))
            own = higher & -higher
        else:
            own = nibble if popcount(nibble) == 2 and highest(nibble) > top & 3 else 0
        if own:
            return _build(hand & ~(15 << rank) | own << rank, kind, length, rank)
    tops &= -16 << rank
    return _build(hand, kind, length, _lowest_top(tops, length)) if tops else 0


@scalar_step
def _lowest_top(tops, length):
    """Return the top of the lowest run: of straights that begin with an ace or a 2 the one that has no ace."""
    plain = tops & (-1 << (4 * (length - 1)))
    return trailing_zeros(plain) if plain else highest(tops)


@scalar_step
def _build(hand, kind, length, at):
    """Return the lowest straight or pair run whose top rank stands at bit ``at``."""
    if kind == r.STRAIGHT:
        return lowest_run(hand, (at >> 2) + 2, length)
    return lowest_groups(hand, (c.ONES >> (4 * (13 - length))) << (at - 4 * (length - 1)), 2)


@scalar_step
def some_play(game, hand, seat, question, kind, at, length, tops):
    """Return a legal play of a choice, top rank at bit ``at``, or 0: every part that matters is tried.

    tops : suits that the highest card may have
    """
    size = kind if kind <= r.QUAD else 1 if kind == r.STRAIGHT else 2
    first = 0
    if kind > r.QUAD:
        start = at // 4 + 2 - (length - 1)
        first = 0 if start < 2 else 4 * (start - 2)  # the lowest card: of A-2-3 the 3
    must = trailing_zeros(game[r.REQUIRED]) & ~3 if question == r.LEAD and game[r.REQUIRED] else -1
    for suit in range(4 if kind == r.STRAIGHT and game[r.SUIT_MATCH] == c.NORTH else 1):
        own = hand & (c.ONES << suit) if kind == r.STRAIGHT and game[r.SUIT_MATCH] == c.NORTH else hand
        for high in range(1, 16):
            if popcount(high) != size or high & ~((own >> at) & 15) or (tops >> highest(high)) & 1 == 0:
                continue
            for low in range(1, 16):
                if first == at or kind <= r.QUAD:
                    if low > 1:
                        break
                elif popcount(low) != size or low & ~((own >> first) & 15):
                    continue
                play = high << at
                if kind > r.QUAD:
                    for slot in range(at // 4 + 2 - (length - 1), at // 4 + 2):
                        here = 4 * ((slot + 11) % 13)
                        if here == first:
                            play |= low << here
                        elif here == must:
                            play |= _part_with(own, here, game[r.REQUIRED], size)
                        else:
                            play |= _part_with(own, here, 0, size)
                if kind > r.QUAD and popcount(play) != size * length:
                    continue
                if is_legal(game, hand, seat, question, play):
                    return play
    return 0


@scalar_step
def _part_with(hand, at, must, size):
    """Return cards of a rank, the lowest beside one that must be there."""
    nibble, taken = (hand >> at) & 15, (must >> at) & 15
    for _ in range(size - popcount(taken)):
        left = nibble & ~taken
        taken |= left & -left
    return taken << at


@scalar_step
def _lowest_matching(game, hand, length):
    """Return the lowest set of the kind on the table and a length that beats it, or 0, where suits must be followed."""
    kind = game[r.KIND]
    for at in range(4 * (length - 1), 52 if kind <= r.QUAD else 48, 4):  # of the top card
        play = some_play(game, hand, 0, r.FOLLOW, kind, at, length, ANY_SUIT)
        if play:
            return play
    if kind == r.STRAIGHT and game[r.STRAIGHT_LOW]:  # from a 2, from an ace
        for at in (4 * (length - 2), 4 * (length - 3)):
            play = some_play(game, hand, 0, r.FOLLOW, kind, at, length, ANY_SUIT)
            if play:
                return play
    return 0


@scalar_step
def lowest_north(game, hand):
    """Return the lowest single, pair, triple or quad that follows suit or colour, or a 2 on what is none (J7, M13)."""
    kind, top = game[r.KIND], game[r.TOP]
    rank = top & ~3
    if kind == r.SINGLE:
        suited = hand & (c.ONES << (top & 3)) & (-16 << rank) | hand & r.TWOS
        above = hand & (-2 << top) if rank == c.TWO_AT else suited
        return above & -above
    if kind != r.PAIR:
        return _lowest_group(hand, kind, top, False)
    black, red = hand & (hand >> 1) & c.ONES, (hand >> 2) & (hand >> 3) & c.ONES
    if rank == c.TWO_AT:
        return 12 << rank if game[r.CARDS_ON] & (3 << rank) and red >> rank & 1 else 0
    is_black = game[r.CARDS_ON] & (3 << rank) != 0
    own = (black if is_black else red) & (-16 << rank)
    if own & ~r.TWOS:
        return (3 if is_black else 12) << trailing_zeros(own)
    return 3 << c.TWO_AT if black >> c.TWO_AT & 1 else 12 << c.TWO_AT if red >> c.TWO_AT & 1 else 0


@scalar_step
def lowest_follow_same(game, hand):
    """Return the lowest set of the kind on the table that beats it, or 0."""
    kind, length, matching, low = game[r.KIND], game[r.LENGTH], game[r.SUIT_MATCH], game[r.STRAIGHT_LOW]
    if not matching and kind == r.STRAIGHT:
        play = _lowest_run_over(hand, kind, length, game[r.TOP], not game[r.TOP_RANK_ONLY], low)
    elif not matching:
        play = lowest_over(hand, kind, length, game[r.TOP], not game[r.TOP_RANK_ONLY])
    elif matching == c.NORTH and kind <= r.QUAD:
        play = lowest_north(game, hand)
    else:
        play = _lowest_matching(game, hand, length)
    while play == 0 and kind == r.STRAIGHT and game[r.LONGER_BEATS] and length < 13:
        length += 1
        tops = c.tops_of(hand, kind, length, low)
        if tops == 0:
            break
        play = 0 if matching else _build(hand, kind, length, _lowest_top(tops, length))
        play = play or _lowest_matching(game, hand, length)
    return play


@scalar_step
def _lowest_bomb(game, hand, seat, bomb):
    """Return the lowest bomb of a class that might beat the set on the table, or 0."""
    residual = _residual(game, hand, seat, bomb)
    if residual:
        return residual
    kind, length = c.set_of(bomb)
    if kind == game[r.KIND] and length == game[r.LENGTH]:
        return lowest_follow_same(game, hand)
    tops = c.tops_of(hand, kind, length, False)
    if tops == 0 or (kind == r.PAIR_RUN and not 0 < game[r.RUN_MIN] <= length):
        return 0
    return 15 << trailing_zeros(tops) if kind == r.QUAD else _build(hand, kind, length, trailing_zeros(tops))


@scalar_step
def _residual(game, hand, seat, bomb):
    """Return the play of a residual power as a bomb that beats the set on the table, or 0 (M11)."""
    if seat != game[r.RESIDUAL_SEAT] or game[r.RESIDUAL_POWERS] == 0:
        return 0
    play = 0
    if bomb == r.QUAD_BOMB and game[r.RESIDUAL_POWERS] & c.POWER_3S and hand & 1:
        play = 1 | r.AS_QUAD
    elif bomb == r.QUAD_BOMB and game[r.RESIDUAL_POWERS] & c.POWER_THREES:
        play = (c.THREES & ~(1 << game[r.OPENING_CARD])) | r.AS_QUAD
    elif bomb == r.RUN_4 and game[r.RESIDUAL_POWERS] & c.POWER_RUN and popcount(hand & c.SIXES) >= 2:
        play = c.lowest_of((hand >> 12) & 15, 2) << 12 | r.AS_RUN_4
    if play == 0 or play & r.ALL_CARDS & ~hand:
        return 0
    kind, length, top = c.describe(game, play)
    fits = c.how_it_beats(game, play, kind, length, top) != 0 and c.may_finish(game, hand, play, kind, length)
    return play if fits else 0


@scalar_step
def lowest_chop(game, hand, seat, question):
    """Return the lowest bomb that answers a question, or 0."""
    if game[r.TARGET] == r.NO_TARGET and not (game[r.TRUMP] and question < r.FREE):
        return 0
    long_runs = game[r.SUPERSET] or game[r.TARGET] == r.THREE_TWOS
    if not has_bombs(hand) and hand & r.TWOS != r.TWOS and seat != game[r.RESIDUAL_SEAT]:
        return 0
    for bomb in range(r.RUN_3, (r.RUN_6 if long_runs else r.RUN_4) + 1):
        if question >= r.FREE and not may_chop(game, bomb, question):
            continue
        play = _lowest_bomb(game, hand, seat, bomb)
        if play and is_legal(game, hand, seat, question, play):
            return play
    return 0
