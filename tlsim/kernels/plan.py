"""A hand taken apart into sets: bombs first, then straights, then what goes together by rank."""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import inner_step, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import NORTH, ONES, one_colour, ranks_of, run_tops
from tlsim.kernels.moves import lowest_groups


@inner_step
def peel(game, rest, stage, straights):
    """Return the next set of what is left of a hand, and its stage: 0 of bombs, 1 of straights, 2 of a rank."""
    cards = 0
    if stage == 0:
        cards = peel_bomb(game, rest & ~r.TWOS)
        stage += cards == 0
    if stage == 1:
        cards = _peel_straight(game, rest & ~r.TWOS) if straights else 0
        stage += cards == 0
    return (_peel_group(game, rest) if stage == 2 else cards), stage


@scalar_step
def peel_bomb(game, hand):
    """Return a quad, or the longest run of three pairs or more, of a hand without 2s; or 0."""
    quads = ranks_of(hand, 4)
    if game[r.RUN_MIN]:
        pairs = ranks_of(hand, 2)
        tops, length = run_tops(pairs, 3), 3
        if tops:
            more = tops & (pairs << 12)
            while more:
                tops, length = more, length + 1
                more = (more << 4) & tops
            if length > 3 or quads == 0:
                low = trailing_zeros(tops) - 4 * (length - 1)
                return lowest_groups(hand, (ONES >> (4 * (13 - length))) << low, 2)
    return 15 << trailing_zeros(quads) if quads else 0


@inner_step
def _peel_straight(game, hand):
    """Return the straight that spares most plays, of a hand without 2s and bombs; or 0."""
    ranks = ranks_of(hand, 1)
    starts = ranks & (ranks >> 4) & (ranks >> 8)
    return _sparing_straight(game, hand, ranks, starts) if starts and game[r.STRAIGHT_MIN] else 0


@scalar_step
def _sparing_straight(game, hand, ranks, starts):
    if game[r.SUIT_MATCH] == NORTH:
        return _straight_north(game, hand)
    least = game[r.STRAIGHT_MIN]
    singles = ranks & ~ranks_of(hand, 2)
    best, most, left = 0, 0, starts | starts << 4 | starts << 8
    while left:
        low = left & -left
        filled = left * 15  # whole nibbles, so that a carry runs through a run
        run = filled & ~(filled + low) & ONES
        left &= ~run
        inner = run & singles
        spared = popcount(inner)
        if spared <= most or popcount(run) < least:
            continue
        segment = run & -(inner & -inner) & ((2 << highest(inner)) - 1)  # pairs at the ends stay whole
        while popcount(segment) < least:
            segment |= (segment << 4 if segment << 4 & run & ~segment else segment >> 4) & run
        best, most = segment, spared
    more = (hand << 1 & ~ONES) | (hand << 2 & ~(ONES * 3)) | (hand << 3 & (ONES * 8))  # cards over another of a rank
    return hand & (best * 15) & ~more


@scalar_step
def _straight_north(game, hand):
    """Return the longest straight of one suit, of a hand without 2s; or 0."""
    best = 0
    for suit in range(4):
        own = (hand >> suit) & ONES
        if own & own >> 4 & own >> 8 == 0:
            continue
        for length in range(12, max(2, popcount(best)), -1):
            tops = run_tops(own, length)
            if tops and length >= game[r.STRAIGHT_MIN]:
                at = trailing_zeros(tops)
                best = ((ONES >> (4 * (13 - length))) << (at - 4 * (length - 1))) << suit
                break
    return best


@scalar_step
def _peel_group(game, hand):
    """Return the cards of the lowest rank that go together, of a hand without bombs."""
    at = trailing_zeros(hand) & ~3
    nibble = (hand >> at) & 15
    if at == 48:
        return hand & -hand
    if game[r.SUIT_MATCH] == NORTH and popcount(nibble) == 2 and not one_colour(nibble):
        return hand & -hand
    return nibble << at
