"""Ordinary tricks in one loop: whoever cannot beat the set on the table passes, who plays the lowest lays and leads it.

Nearly all that happens in a game is that. The loop does what `tlsim.kernels.game` does with such answers, on numbers
that stay in registers, and leaves the row as that would; whoever has a choice, and all else, it leaves to be asked.
"""

from __future__ import annotations

from tlsim.bits import highest, trailing_zeros
from tlsim.jit import call_part, inner_step, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import describe, target_of
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.moves import lowest_over
from tlsim.kernels.policies import LOWEST, RANDOM, SCRIPT, lowest_lead

NOBODY_ANSWERS = -2


@inner_step
def is_ordinary(game):
    """Whether a set lies on the table that only a higher one of its kind and length can beat, for no money."""
    kind = game[r.KIND]
    if kind == r.NOTHING or kind > _last_kind(game) or kind == r.QUAD or game[r.ENDING] != r.PLAYING:
        return False
    if game[r.SUIT_MATCH] | game[r.TRUMP] | game[r.CALLER] | game[r.REVERSED]:
        return False
    if game[r.HAS_DEN_CA_LANG] and game[r.PLAYED] & (game[r.PLAYED] - 1) == 0:
        return False
    if game[r.TRYING] & game[r.RESIDUAL_SEAT] != -1:
        return False
    return game[r.TARGET] == r.NO_TARGET or nobody_chops(game)


@inner_step
def _last_kind(game):
    return r.TRIPLE if game[r.STRAIGHT_LOW] | game[r.LONGER_BEATS] else r.STRAIGHT


@scalar_step
def nobody_chops(game):
    """Whether no hand holds a bomb, four 2s among them, and nothing has been chopped in this trick."""
    some = game[r.CHAIN_LINKS] | game[r.CHAIN_PENDING] | game[r.CHAIN_BROKEN]
    for seat in range(game[r.PLAYERS]):
        hand = game[r.HANDS + seat]
        some |= has_bombs(hand) | (hand & r.TWOS == r.TWOS)
    return some == 0


@inner_step
def go_on(game):  # noqa: PLR0915 (one loop)
    """Let seats follow, and lead, until there is no ordinary answer, and return it: the last set, a 2 that is chopped.

    Or return `NOBODY_ANSWERS`, where who is next has to be asked otherwise.
    """
    kind, length, top, owner, passed = game[r.KIND], game[r.LENGTH], game[r.TOP], game[r.OWNER], game[r.PASSED]
    active, seat, plays = game[r.ACTIVE], game[r.SEAT], game[r.PLAYS]
    by_suit, locked, last_kind = not game[r.TOP_RANK_ONLY], -game[r.PASS_LOCKS], _last_kind(game)
    while True:
        waiting = active & ~passed & ~(1 << owner)
        if waiting:
            later = waiting & (-2 << seat)
            asked = trailing_zeros(later or waiting)
            hand, policy = game[r.HANDS + asked], game[r.POLICY + asked]
            play = lowest_over(hand, kind, length, top, by_suit)
            if policy >= SCRIPT:
                return NOBODY_ANSWERS
            if play == 0:
                if policy == RANDOM:  # it draws among no choices but a pass
                    game[r.STREAMS + 3 * asked + 2] += 1
            elif policy == LOWEST:
                if play == hand:
                    return NOBODY_ANSWERS
            else:
                game[r.ASKED], game[r.ASKED_SEAT] = r.FOLLOW, asked
                play = call_part(game[r.PART + asked], game, r.DECIDE, play if play != hand else 0)
                if play < 0 or play > r.ALL_CARDS or play == hand:
                    return play
            if play & r.TWOS:
                if game[r.TARGET] != r.NO_TARGET or not nobody_chops(game):
                    game[r.ASKED], game[r.ASKED_SEAT] = r.FOLLOW, asked
                    return play
                game[r.TARGET], game[r.FREE_SEATS] = target_of(game, kind, length, highest(play)), 0
            lead, laid = 0, game[r.LAID]
        else:
            asked, hand, policy = owner, game[r.HANDS + owner], game[r.POLICY + owner]
            if hand & ~r.TWOS == 0:  # who is out leads nothing
                return NOBODY_ANSWERS
            game[r.KIND], game[r.TARGET], game[r.FREE_SEATS], game[r.PASSED] = r.NOTHING, r.NO_TARGET, 0, 0
            game[r.LAID], game[r.SEAT], game[r.ASKED], game[r.ASKED_SEAT] = 0, owner, r.LEAD, owner
            if policy == LOWEST:
                play, kind, length = lowest_lead(game, hand)
            elif policy >= SCRIPT:
                return NOBODY_ANSWERS
            else:
                play = call_part(game[r.PART + asked], game, r.DECIDE, 0)
                if play < 0 or play > r.ALL_CARDS or play & r.TWOS:
                    return play
                kind, length, _ = describe(game, play)
            if play == hand or kind == r.QUAD or kind > last_kind:
                return play
            game[r.KIND], game[r.LENGTH], passed, lead, laid = kind, length, 0, 1, 0
        bit = 1 << asked
        if play:
            owner, top, passed = asked, highest(play), passed & ~bit & locked
            game[r.HANDS + asked] = hand ^ play
            game[r.OWNER], game[r.CARDS_ON], game[r.TOP], game[r.LED], game[r.WENT_OUT] = owner, play, top, lead, 0
            game[r.LAID] = laid | bit
            game[r.PLAYED] |= bit
        else:
            passed |= bit
        seat = asked
        game[r.LOG + plays] = asked << r.SEAT_SHIFT | play
        plays += 1
        game[r.PASSED], game[r.SEAT], game[r.PLAYS] = passed, seat, plays
