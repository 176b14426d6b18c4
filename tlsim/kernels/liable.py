"""Who must pay for others: he who let the last card of the winner through, or could have beaten him (đền)."""

from tlsim.bits import highest, popcount
from tlsim.jit import scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import describe, target_of
from tlsim.kernels.moves import is_legal, lowest_chop, lowest_follow_same


@scalar_step
def last_play(game, seat):
    """Return where the last play of a seat stands in the log."""
    at = game[r.PLAYS] - 1
    while (game[r.LOG + at] >> r.SEAT_SHIFT) & 7 != seat or game[r.LOG + at] & r.ALL_CARDS == 0:
        at -= 1
    return at


@scalar_step
def careless_seat(game, winner, last):
    """Return who must đền báo: the seat before the winner, if it let his last card through; -1 where nobody must.

    It must have been asked last when the winner held one card, and then have laid a single card that was not its
    highest, or passed on a single card that it could have beaten (K9, M15).

    last : where the last play of the winner stands in the log
    """
    players, at, card = game[r.PLAYERS], last, game[r.LOG + last] & r.ALL_CARDS
    seat = (winner + players - 1) % players
    active = players  # who held cards before that play
    for late in range(game[r.LATE]):
        active -= last_play(game, game[r.LATE_FINISHERS + late]) < last
    if popcount(card) != 1 or active < game[r.DEN_BAO_MIN_ACTIVE]:
        return -1
    while (game[r.LOG + at] >> r.SEAT_SHIFT) & 7 != seat or game[r.LOG + at] & r.IS_STUCK:  # to be stuck is no decision
        at -= 1
        if at < 0:
            return -1
        if (game[r.LOG + at] >> r.SEAT_SHIFT) & 7 == winner and game[r.LOG + at] & r.ALL_CARDS:
            return -1  # the winner held more cards then
    cards, hand = game[r.LOG + at] & r.ALL_CARDS, game[r.HANDS + seat]
    for later in range(at, game[r.PLAYS]):
        if (game[r.LOG + later] >> r.SEAT_SHIFT) & 7 == seat:
            hand |= game[r.LOG + later] & r.ALL_CARDS
    if popcount(cards) > 1 or (cards and highest(cards) >> 2 == highest(hand) >> 2):
        return -1
    if cards == 0 and not _could_beat(game, seat, hand, at):
        return -1
    if game[r.DEN_BAO_EFFECT] and highest(card) >> 2 > highest(hand) >> 2:
        return -1
    return seat


@scalar_step
def _could_beat(game, seat, hand, at):
    """Whether a seat that passed at an entry of the log could have beaten a single card."""
    while game[r.LOG + at] & r.ALL_CARDS == 0:
        at -= 1
    play = game[r.LOG + at] & ~(7 << r.SEAT_SHIFT | r.INTERRUPT)
    _put_on_table(game, (game[r.LOG + at] >> r.SEAT_SHIFT) & 7, play)
    return game[r.KIND] == r.SINGLE and _beats_table(game, seat, hand)


@scalar_step
def liable_seat(game, winner):
    """Return who must đền: he could have beaten a play of the winner but the last; -1 where nobody must (G4, M8).

    Nobody but the winner has played, so every entry with cards is a lead of his, and every other hand is as dealt.
    """
    players, able_ever = game[r.PLAYERS], 0
    for at in range(last_play(game, winner)):
        play = game[r.LOG + at] & ~(7 << r.SEAT_SHIFT)
        if play & r.ALL_CARDS == 0:
            continue
        _put_on_table(game, winner, play)
        able = 0
        for seat in range(players):
            if seat != winner and _beats_table(game, seat, game[r.DEALT + seat]):
                able |= 1 << seat
        if game[r.SOLE_HOLDER] and able & (able - 1):
            continue
        able_ever |= able
        if able and game[r.PLAY_FIRST]:
            break
    for distance in range(1, players):
        seat = (winner + distance) % players
        if (able_ever >> seat) & 1:
            return seat
    return -1


@scalar_step
def _beats_table(game, seat, hand):
    """Whether a hand holds something that beats the set on the table, in turn."""
    play = lowest_follow_same(game, hand)
    return (play and is_legal(game, hand, seat, r.FOLLOW, play)) or lowest_chop(game, hand, seat, r.FOLLOW)


@scalar_step
def _put_on_table(game, owner, play):
    """Let a set lie on the table."""
    game[r.OWNER], game[r.CARDS_ON] = owner, play & r.ALL_CARDS
    game[r.KIND], game[r.LENGTH], game[r.TOP] = kind, length, top = describe(game, play)
    game[r.TARGET] = target_of(game, kind, length, top)
