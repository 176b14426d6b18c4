"""What is left of a bomb: powers of the leader of an opening game over the rest of the bomb of his first play (M11)."""

from __future__ import annotations

from tlsim.bits import popcount
from tlsim.jit import scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import ranks_of

POWER_3S, POWER_THREES, POWER_RUN = 1, 2, 4
SIXES, THREES = 15 << 12, 15


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
    return (bool(powers & POWER_3S) and cards == 1) or (
        bool(powers & POWER_THREES) and cards == THREES & ~(1 << game[r.OPENING_CARD])
    )
