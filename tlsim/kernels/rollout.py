"""A seat that tries its plays out: it deals the hidden cards anew and lets smart seats play each game to its end.

What it knows is its own hand, the rules, the public state and the log; the cards of the others are drawn uniformly from
what these leave possible. Every play is tried on the same deals, so what differs is the play.
"""

import math

from tlsim.bits import popcount, trailing_zeros
from tlsim.jit import Part, call_part, kernel, offset, pointer, row_at, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.before import not_above, party, returned_cards
from tlsim.kernels.combos import give_powers, keep_powers, lowest_of, true_cards
from tlsim.kernels.draw import draw_cards, set_stream
from tlsim.kernels.game import free_seats
from tlsim.kernels.moves import ANY_SUIT
from tlsim.kernels.policies import EXPERT, SMART
from tlsim.kernels.rng import TRYOUTS, stream

MOST_TRIED = 64
# Room of a rollout: plays; sums of what each brings more than the first, and of its square; the game that is tried out;
# how it stood before.
PLAYS_TRIED, SUMS, SQUARES, COPY = (MOST_TRIED * at for at in range(4))
STOOD = COPY + r.N_ROW
N_ROOM = STOOD + r.END_OF_HANDS
_THREES = 15
_BY_CHANCE = 0.8  # standard errors by which a play must be better than the smart one
MONEY, FIRST, CONG, N_FOUND = range(4)  # of an answer tried: money in half units, whether first, whether cóng
_STREAMS = 8  # of a deal: one for each seat, one to deal by
_FIRST_PART = 4  # of the playouts, the part on which all plays are tried; the better third goes on


@scalar_step
def _best_of(game, hand, seat, number, room):
    """Return the answer that is best over the playouts: the smart one, unless another is better by more than chance."""
    _copy_public(game, seat, room)
    playouts = game[r.PLAYOUTS + seat]
    first = max(1, playouts // _FIRST_PART)
    for at in range(playouts):
        if at == first:
            number = _better_third(room, number)
        deal_hidden(game, hand, seat, offset(room, STOOD))
        usual = play_out(room, seat, room[PLAYS_TRIED])
        for tried in range(1, number):
            more = play_out(room, seat, room[PLAYS_TRIED + tried]) - usual
            room[SUMS + tried] += more
            room[SQUARES + tried] += more * more
    best, most = 0, 0.0
    for at in range(1, number):
        clear = room[SUMS + at] - _BY_CHANCE * math.sqrt(room[SQUARES + at])
        if clear > most:
            best, most = at, clear
    return room[PLAYS_TRIED + best]


@scalar_step
def list_answers(game, hand, question, room, usual):
    """Write what is to be tried, the usual answer first, and return how many."""
    number = _add_play(room, 0, usual)
    if question == r.CALL:
        return _add_play(room, number, 1 - usual)
    return _list_returns(game, hand, room) if question == r.RETURN else _list_plays(game, question, room)


@scalar_step
def _list_returns(game, hand, room):
    """Write returns of other ranks behind the usual one; of more than two cards just the lowest."""
    number, most, left = 1, returned_cards(game, game[r.STEP]), hand
    if most > 2:
        return _add_play(room, number, lowest_of(hand, most))
    while left:  # of a rank the lowest card; the second may be of the same
        low = left & -left
        others = left & ~low if most == 2 else 0
        if others == 0 and most == 1:
            number = _add_play(room, number, low)
        while others:
            number = _add_play(room, number, low | others & -others)
            others &= ~(15 << (trailing_zeros(others) & ~3))
        left &= ~(15 << (trailing_zeros(low) & ~3))
    return number


@scalar_step
def _list_plays(game, question, room):
    """Write a play of every choice behind the usual one, then a pass."""
    number = 1
    for choice in range(call_part(game[r.CHOICES_PART], game, r.LIST_CHOICES, 0)):
        play = call_part(game[r.CHOICES_PART], game, r.PLAY_OF, choice << 4 | ANY_SUIT)
        if play:
            number = _add_play(room, number, play)
    return number if question == r.LEAD else _add_play(room, number, 0)


@scalar_step
def _add_play(room, number, play):
    for at in range(number):
        if room[PLAYS_TRIED + at] == play:
            return number
    if number == MOST_TRIED:
        return number
    room[PLAYS_TRIED + number], room[SUMS + number], room[SQUARES + number] = play, 0, 0
    return number + 1


@scalar_step
def copy_game(game, room):
    """Copy how a game stands, and its log, to where answers are played out."""
    for at in range(r.END_OF_HANDS):
        room[STOOD + at] = game[at]
    for at in range(game[r.PLAYS]):
        room[COPY + r.LOG + at] = game[r.LOG + at]


@scalar_step
def _copy_public(game, seat, room):
    """Copy rules, state and log; how others decide is unknown: they are taken as smart, or expert, without options."""
    base = game[r.BASE + seat]
    copy_game(game, room)
    for other in range(game[r.PLAYERS]):
        room[STOOD + r.POLICY + other] = EXPERT if base else SMART
        room[STOOD + r.PART + other] = base or game[r.SMART_PART]
        room[STOOD + r.ADDRESS + other] = game[r.ADDRESS + seat]
        room[STOOD + r.HOLD_3S + other], room[STOOD + r.CALLS_SAM + other] = 0, r.AS_IT_SEES_FIT


@scalar_step
def play_out(room, seat, play):
    """Return the money that an answer brings where all seats are smart from then on."""
    copy = offset(room, COPY)
    for at in range(r.END_OF_HANDS):
        copy[at] = room[STOOD + at]
    had = copy[r.NET + seat]
    call_part(copy[r.TABLE_PART], copy, r.PLAY_ON, play)
    return copy[r.NET + seat] - had


@scalar_step
def _better_third(room, number):
    """Bring the plays with the best sums behind the smart one, and return how many go on: a third, but two at least."""
    kept = max(2, (number + 2) // 3)
    for at in range(1, min(kept, number)):
        best = at
        for other in range(at + 1, number):
            if room[SUMS + other] > room[SUMS + best]:
                best = other
        for part in (PLAYS_TRIED, SUMS, SQUARES):
            room[part + at], room[part + best] = room[part + best], room[part + at]
    return min(kept, number)


@scalar_step
def deal_hidden(game, hand, seat, to):
    """Deal what the seat cannot know, uniformly among the deals that agree with its hand and the log.

    That nobody has declared a tới trắng is not looked at.
    """
    laid, twos_only, threes_of = 0, 0, -1
    players, hand = game[r.PLAYERS], true_cards(game, hand)
    for other in range(players):
        to[r.HANDS + other] = to[r.DEALT + other] = 0
    for at in range(game[r.PLAYS]):
        entry = game[r.LOG + at]
        other = (entry >> r.SEAT_SHIFT) & 7
        to[r.DEALT + other] |= entry & r.ALL_CARDS
        laid |= entry & r.ALL_CARDS
        if entry & r.IS_STUCK:  # a leader who may not lead has nothing but 2s (K10)
            twos_only |= 1 << other
        if entry & r.AS_QUAD:  # who lays what is left of four 3s was dealt all of them (M11)
            threes_of = other
    to[r.HANDS + seat] = hand
    hidden, leader = r.ALL_CARDS & ~(laid | hand), game[r.LEADER]
    card, usual = game[r.LEAD_CARD], 1 << game[r.OPENING_CARD]
    if game[r.OPENING] and card != usual:  # by another card, or by lot: nobody has that one, nor one below (B2)
        hidden &= ~(usual | (card - 1 if card else 0))
    if game[r.LEAD_CARD] & hidden:  # who leads an opening game has the card that he leads it by
        to[r.HANDS + leader] = game[r.LEAD_CARD]
        hidden &= ~game[r.LEAD_CARD]
    if threes_of >= 0 and threes_of != seat:
        to[r.HANDS + threes_of] |= hidden & _THREES
        hidden &= ~_THREES
    if game[r.HAS_TITLES] and game[r.TITLES] >= 0:
        hidden = _deal_exchanged(game, seat, hidden, to)
    for of_twos in (True, False):
        for other in range(players):
            if other != seat and ((twos_only >> other) & 1 != 0) == of_twos:
                left = popcount(game[r.HANDS + other]) - popcount(to[r.HANDS + other])
                cards = draw_cards(game, seat, hidden & r.TWOS if of_twos else hidden, left)
                to[r.HANDS + other] |= cards
                hidden &= ~cards
    for other in range(players):
        to[r.DEALT + other] |= to[r.HANDS + other]
        to[r.HANDS + other] = true_cards(game, to[r.HANDS + other])
    recall(game, to)


@scalar_step
def _deal_exchanged(game, seat, hidden, to):
    """Deal to whom this seat has exchanged cards with what it knows of him; return what is still hidden.

    Who has got cards knows which he has returned, and that the other kept nothing above those that he gave up.
    """
    for at in range(game[r.N_EXCHANGES]):
        giver, getter = party(game, at, 0), party(game, at, 1)
        done = game[r.STAGE] != r.AT_EXCHANGE or game[r.STEP] > at
        if seat == giver:
            sure = game[r.GIFTS + at] & hidden
            to[r.HANDS + getter] |= sure
            hidden &= ~sure
        elif seat == getter:
            sure = game[r.RETURNS + at] & hidden if done else 0
            hidden &= ~sure
            kept = hidden & not_above(game, game[r.GIFTS + at])
            cards = draw_cards(game, seat, kept, popcount(game[r.HANDS + giver]) - popcount(to[r.HANDS + giver] | sure))
            to[r.HANDS + giver] |= sure | cards
            hidden &= ~cards
    return hidden


@scalar_step
def recall(game, to):
    """Find anew what the state says of hidden cards: who might chop freely, what is left of a bomb."""
    if game[r.OPENING] and game[r.PLAYED]:
        to[r.RESIDUAL_SEAT], to[r.RESIDUAL_POWERS] = -1, 0
        for at in range(game[r.PLAYS]):
            play = game[r.LOG + at] & ~(7 << r.SEAT_SHIFT)
            other = (game[r.LOG + at] >> r.SEAT_SHIFT) & 7
            if play & r.ALL_CARDS == 0:
                continue
            if to[r.RESIDUAL_SEAT] < 0:
                give_powers(to, other, play)
                if to[r.RESIDUAL_SEAT] < 0:
                    break
            elif to[r.RESIDUAL_SEAT] == other:
                keep_powers(to, other, play)
    to[r.FREE_SEATS] = free_seats(to)


@Part
def rollout(game, what, value):  # noqa: ARG001
    """Choose the answer with the best mean money over the playouts, for the seat that is asked."""
    seat, question, room = game[r.ASKED_SEAT], game[r.ASKED], row_at(game[r.ROLLOUT_ROOM])
    hand, usual = game[r.HANDS + seat], call_part(game[r.BASE + seat] or game[r.SMART_PART], game, r.DECIDE, 0)
    number = list_answers(game, hand, question, room, usual)
    return usual if number == 1 and question < r.CALL else _best_of(game, hand, seat, number, room)


@kernel
def try_answers(key, game, room, answers, deals, first, stop, found):
    """Try answers on the deals ``first``, ``first + 1``, …; return whether it was not stopped.

    game : int64[N_ROW], a game that waits for an answer, with the policies by which all play on; room : int64[N_ROOM];
    answers : int64[answers]; deals : int64[n, seats], the hands of all seats in every deal that is possible, empty
    where they are drawn; found : int64[deals, answers, N_FOUND]
    """
    row, tried, seat = pointer(game), pointer(room), game[r.ASKED_SEAT]
    stood = offset(tried, STOOD)
    for deal in range(len(found)):
        if stop[0]:
            return False
        copy_game(row, tried)
        for other in range(row[r.PLAYERS]):
            set_stream(stood, other, stream(key, TRYOUTS, (first + deal) * _STREAMS + other))
        if len(deals):
            _hand_out(row, deals[first + deal], stood)
        else:
            set_stream(row, seat, stream(key, TRYOUTS, (first + deal) * _STREAMS + r.MOST_SEATS))
            deal_hidden(row, row[r.HANDS + seat], seat, stood)
        for at in range(len(answers)):
            play_out(tried, seat, answers[at])
            copy, brought = offset(tried, COPY), found[deal, at]
            brought[MONEY] = copy[r.NET + seat]
            brought[FIRST] = copy[r.N_PLACES] > 0 and copy[r.PLACES] == seat
            brought[CONG] = (copy[r.CONG_SEATS] >> seat) & 1
    return True


@scalar_step
def _hand_out(game, hands, to):
    """Give every seat what it holds in a deal that is possible."""
    for seat in range(game[r.PLAYERS]):
        laid = game[r.DEALT + seat] & ~true_cards(game, game[r.HANDS + seat])
        to[r.DEALT + seat] = laid | hands[seat]
        to[r.HANDS + seat] = true_cards(game, hands[seat])
    recall(game, to)
