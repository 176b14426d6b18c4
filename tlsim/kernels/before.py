"""Before the first play: cards that titles exchange, and calls of Sâm.

Like `tlsim.kernels.game` it says who is asked and what an answer does; a return is answered by cards, a call by 1 or 0.
"""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import scalar_step
from tlsim.kernels import row as r


@scalar_step
def start(game):
    """Let cards be given up where the last game gave titles; then the first is asked."""
    if game[r.HAS_TITLES] and game[r.TITLES] >= 0:
        game[r.STAGE] = r.AT_EXCHANGE
        for at in range(game[r.N_EXCHANGES]):
            giver = party(game, at, 0)
            gift = game[r.TOLD_GIFTS + at]
            if gift == 0:
                gift = _highest_cards(game, game[r.HANDS + giver] & game[r.DEALT + giver], returned_cards(game, at))
            game[r.GIFTS + at] = gift
            _hand_over(game, giver, party(game, at, 1), gift)
    else:
        game[r.STAGE] = r.AT_CALLS


@scalar_step
def ask_before(game):
    """Return the seat that is asked before the first play, and note what; -1 where play begins."""
    if game[r.STAGE] == r.AT_EXCHANGE:
        if game[r.STEP] < game[r.N_EXCHANGES]:
            game[r.ASKED], game[r.ASKED_SEAT] = r.RETURN, party(game, game[r.STEP], 1)
            return game[r.ASKED_SEAT]
        game[r.STAGE], game[r.STEP] = r.AT_CALLS, 0
    if game[r.STAGE] == r.AT_CALLS:
        if game[r.HAS_SAM] and game[r.CALLER] == 0 and game[r.STEP] < game[r.PLAYERS]:
            game[r.ASKED], game[r.ASKED_SEAT] = r.CALL, (game[r.LEADER] + game[r.STEP]) % game[r.PLAYERS]
            return game[r.ASKED_SEAT]
        game[r.STAGE] = r.AT_PLAY
    return -1


@scalar_step
def take_before(game, seat, answer):
    """Take the answer of the seat that was asked: cards that it returns, or whether it calls."""
    if game[r.STAGE] == r.AT_EXCHANGE:
        game[r.RETURNS + game[r.STEP]] = answer
        _hand_over(game, seat, party(game, game[r.STEP], 0), answer)
    elif answer:  # who calls leads, and what he leads is free (K1, M14)
        game[r.CALLER], game[r.SEAT], game[r.REQUIRED] = seat + 1, seat, 0
        game[r.EVENTS + r.EV_CALLS] += 1
    game[r.STEP] += 1


@scalar_step
def party(game, at, side):
    """Return a seat of an exchange: 0 who gives up cards, 1 who gets them."""
    return game[r.TITLES + game[r.EXCHANGES + 3 * at + side]]


@scalar_step
def returned_cards(game, at):
    """Return how many cards go up and back in an exchange."""
    return game[r.EXCHANGES + 3 * at + 2]


@scalar_step
def is_return(game, hand, cards):
    """Whether a seat that is asked for a return may give these cards: any of its hand, of the right number (L15)."""
    return cards & ~hand == 0 and popcount(cards) == returned_cards(game, game[r.STEP])


@scalar_step
def _hand_over(game, giver, getter, cards):
    game[r.HANDS + giver] &= ~cards
    game[r.HANDS + getter] |= cards


@scalar_step
def not_above(game, gift):
    """Return the cards that somebody may have kept who gave up these as his highest."""
    low = gift & -gift  # of the lowest rank that was given
    rank = trailing_zeros(low) & ~3
    nibble = (gift >> rank) & 15
    if game[r.HIGH_SUIT_FIRST]:
        return low - 1
    return ((1 << rank) - 1) | (15 & ~((2 << highest(nibble)) - 1)) << rank


@scalar_step
def _highest_cards(game, hand, number):
    """Return so many cards of the highest ranks; of equal ones as the rules say which suit first (L13)."""
    taken = 0
    for _ in range(min(number, popcount(hand))):
        rank = highest(hand) & ~3
        nibble = (hand >> rank) & 15
        suit = highest(nibble) if game[r.HIGH_SUIT_FIRST] else trailing_zeros(nibble)
        taken |= 1 << (rank + suit)
        hand &= ~(1 << (rank + suit))
    return taken
