"""The state machine of a game: who is asked, what a play does, when it is over.

One machine simulates, replays and referees: only who decides differs. Seats are positions in turn, so the direction
of play is none of its business. Each function is one rule or a list of named steps.
"""

from __future__ import annotations

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import scalar_step
from tlsim.kernels.combos import (
    CHOPPED,
    COUNTS_LAST,
    bomb_of,
    describe,
    how_it_beats,
    mirrored,
    target_of,
    true_cards,
)  # fmt: skip
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.money import add_link, break_chain, pay, pay_block, pay_chain, start_chain
from tlsim.kernels.moves import POWER_3S, POWER_RUN, POWER_THREES, lowest_chop, no_lead
from tlsim.kernels.row import (
    ACTIVE,
    AFTER_PASS,
    ALL_CARDS,
    ALL_STUCK,
    ANY_TIME,
    AS_RUN_4,
    ASKED,
    ASKED_SEAT,
    BEATEN_LAST,
    BLOCKED,
    BLOCKER,
    CALL_BLOCKED,
    CALL_MADE,
    CALL_STUCK,
    CALLER,
    CARDS_ON,
    CHOP_AFTER_PASS,
    CONG_SEATS,
    DEALT,
    DEN_CA_LANG,
    DEN_CA_LANG_ENDS,
    DEN_CA_LANG_PAYS,
    DUT,
    END_OF_STATE,
    ENDING,
    EV_FREE_CHOP,
    EV_HUONG_SAI,
    EV_KET_BLOCKED,
    EV_KET_MADE,
    EV_KET_TRIED,
    EV_OUT_ON_TWO,
    EV_REVOLUTION,
    EVENTS,
    FINISHED,
    FINISHERS,
    FIRST_OUT,
    FOLLOW,
    FREE,
    FREE_SEATS,
    FREE_TARGETS,
    HANDS,
    HAS_CONG,
    HAS_DEN_CA_LANG,
    HAS_DUT,
    HAS_KET,
    INTERRUPT,
    IS_STUCK,
    KET_CONTINUES,
    KET_SINGLE_ONLY,
    KET_WINDOW,
    KIND,
    LAID,
    LATE,
    LATE_FINISHERS,
    LEAD,
    LEADER,
    LED,
    LENGTH,
    LOG,
    NO_TARGET,
    NORMAL,
    NOTHING,
    ON_TWO,
    ON_TWO_IN_STRAIGHT,
    OPENING,
    OPENING_CARD,
    OWNER,
    PASS_LOCKS,
    PASS_RESET_ON_CHOP,
    PASSED,
    PLAYED,
    PLAYERS,
    PLAYING,
    PLAYS,
    QUAD,
    REQUIRED,
    REQUIRED_FIRST,
    RESIDUAL_POWERS,
    RESIDUAL_QUAD,
    RESIDUAL_RUN,
    RESIDUAL_SEAT,
    REVERSED,
    REVOLUTION,
    SAM_CHOP_MONEY,
    SEAT,
    SEAT_SHIFT,
    STRAIGHT,
    STRAIGHT_LOW,
    STUCK,
    TARGET,
    THREE_SPADES,
    TOP,
    TRUMP,
    TRYING,
    TWOS,
    WENT_OUT,
    WHOLE_TABLE,
    WHOLE_TABLE_CONG,
    WINDOW,
)  # fmt: skip


@scalar_step
def begin(game):
    """Set a game up: everybody holds what he was dealt, the leader is to lead."""
    for at in range(REQUIRED, END_OF_STATE):
        game[at] = 0
    for seat in range(game[PLAYERS]):
        game[HANDS + seat] = game[DEALT + seat]
    game[REQUIRED] = game[REQUIRED_FIRST]
    game[ACTIVE] = (1 << game[PLAYERS]) - 1
    game[SEAT], game[TRYING], game[BLOCKER], game[RESIDUAL_SEAT] = game[LEADER], -1, -1, -1


@scalar_step
def ask(game):
    """Close tricks until somebody is asked; return his seat, -1 where the game is over."""
    while game[ENDING] == PLAYING:
        seat = next_question(game)
        if seat >= 0:
            game[ASKED_SEAT] = seat
            return seat
        close_trick(game)
    return -1


@scalar_step
def take(game, seat, play):
    """Take the answer of the seat that was asked: a play, or 0 for a pass."""
    if play == 0:
        _pass(game, seat)
    else:
        lay(game, seat, play)


@scalar_step
def next_question(game):
    """Return the seat to ask and note what it is asked; -1 where the trick closes."""
    if game[KIND] == NOTHING:
        game[ASKED] = LEAD
        return game[SEAT]
    if game[TARGET] != NO_TARGET:
        if game[FREE_SEATS]:
            seat = _window(game)
            if seat >= 0:
                return seat
        if game[CHOP_AFTER_PASS]:
            return _next_with_chops(game)
    game[ASKED], game[WINDOW] = FOLLOW, 0
    return _next_in_turn(game)


@scalar_step
def _next_in_turn(game):
    """Return the next seat in turn that may follow and has not passed, or -1."""
    waiting = game[ACTIVE] & ~game[PASSED] & ~(1 << game[OWNER])
    later = waiting & (-2 << game[SEAT])
    return trailing_zeros(later or waiting) if waiting else -1


@scalar_step
def free_seats(game):
    """Return the seats that might chop the set on the table freely: those that hold a bomb, or the rest of one."""
    if not game[ANY_TIME] or (game[FREE_TARGETS] >> game[TARGET]) & 1 == 0:
        return 0
    seats = (
        has_bombs(game[HANDS])
        | has_bombs(game[HANDS + 1]) << 1
        | has_bombs(game[HANDS + 2]) << 2
        | has_bombs(game[HANDS + 3]) << 3
        | has_bombs(game[HANDS + 4]) << 4
    )
    return seats if game[RESIDUAL_SEAT] < 0 else seats | 1 << game[RESIDUAL_SEAT]


@scalar_step
def _window(game):
    """Return the next seat in order from the owner that can chop freely and has not been asked, or -1 (D4)."""
    players = game[PLAYERS]
    while game[WINDOW] < players - 1:
        game[WINDOW] += 1
        seat = (game[OWNER] + game[WINDOW]) % players
        if ((game[ACTIVE] & game[FREE_SEATS]) >> seat) & 1 and lowest_chop(game, game[HANDS + seat], seat, FREE):
            game[ASKED] = FREE
            return seat
    return -1


@scalar_step
def _next_with_chops(game):
    """Return the next seat in turn that may follow, or that has passed and can chop all the same (D2)."""
    game[WINDOW] = 0
    seat = game[SEAT]
    for _ in range(game[PLAYERS]):
        seat = (seat + 1) % game[PLAYERS]
        if seat == game[OWNER]:
            break
        if (game[ACTIVE] >> seat) & 1:
            if (game[PASSED] >> seat) & 1 == 0:
                game[ASKED] = FOLLOW
                return seat
            if lowest_chop(game, game[HANDS + seat], seat, AFTER_PASS):
                game[ASKED] = AFTER_PASS
                return seat
    return -1


@scalar_step
def _pass(game, seat):
    """Note a pass; who declines to chop out of turn leaves no entry (M21)."""
    if game[ASKED] == FREE:
        return
    game[SEAT] = seat
    if game[ASKED] == FOLLOW:
        game[PASSED] |= 1 << seat
        _write(game, seat, 0)


@scalar_step
def _write(game, seat, play):
    if game[REVERSED]:
        play = play & ~ALL_CARDS | mirrored(play & ALL_CARDS)
    game[LOG + game[PLAYS]] = seat << SEAT_SHIFT | play
    game[PLAYS] += 1


@scalar_step
def turn_over(game):
    """Turn the order of the cards over, as a quad does in a revolution (004#R23, L9-L12).

    The row holds hands and the set on the table upside down from then on, so nothing that compares cards needs to know.
    """
    game[REVERSED] ^= 1
    for seat in range(game[PLAYERS]):
        game[HANDS + seat] = mirrored(game[HANDS + seat])
    game[CARDS_ON] = mirrored(game[CARDS_ON])
    game[TOP] = highest(game[CARDS_ON])


@scalar_step
def _described(game, play):
    """Describe a legal set: of as many cards as the one on the table it is of the same kind, which needs no look.

    But for three pairs as a trump, for what is left of a bomb, and for straights whose highest card is no top.
    """
    if game[KIND] != NOTHING and play <= ALL_CARDS and not (game[TRUMP] or game[STRAIGHT_LOW]):
        if popcount(play) == popcount(game[CARDS_ON]):
            return game[KIND], game[LENGTH], highest(play)
    return describe(game, play)


@scalar_step
def lay(game, seat, play):
    """Lay a set: what it does to the one on the table, to the trick and to the game."""
    kind, length, top = _described(game, play)
    bit, lead = 1 << seat, game[KIND] == NOTHING
    if _out_of_turn(game, seat):
        game[EVENTS + EV_FREE_CHOP] += 1
        _write(game, seat, play | INTERRUPT)
    else:
        _write(game, seat, play)
    ended = PLAYING
    if not lead:
        ended = _beat(game, seat, play, kind, length, top)
    game[HANDS + seat] &= ~(play & ALL_CARDS)
    if game[PLAYED] == 0 and game[OPENING]:
        give_powers(game, seat, play)
    elif game[RESIDUAL_SEAT] == seat:
        keep_powers(game, seat, play)
    game[PLAYED] |= bit
    game[LAID] |= bit
    game[REQUIRED], game[STUCK], game[WINDOW] = 0, 0, 0
    game[PASSED] &= ~bit if game[PASS_LOCKS] else 0
    game[OWNER] = game[SEAT] = seat
    game[CARDS_ON], game[KIND], game[LENGTH], game[TOP] = play & ALL_CARDS, kind, length, top
    game[TARGET] = target_of(game, kind, length, top)
    game[FREE_SEATS] = free_seats(game)
    game[LED], game[WENT_OUT] = lead, game[HANDS + seat] == 0
    if ended != PLAYING:
        _end(game, ended)
    elif game[HANDS + seat] == 0:
        _go_out(game, seat, play, kind)
    elif game[ACTIVE] == bit:  # the last 3♠ is blocked by the only one left
        _end(game, NORMAL)
    if kind == QUAD and game[REVOLUTION]:
        game[EVENTS + EV_REVOLUTION] += 1
        if game[ENDING] == PLAYING:
            turn_over(game)


@scalar_step
def _out_of_turn(game, seat):
    """Whether a free chop is not what this seat would have been asked next anyway."""
    return game[ASKED] == AFTER_PASS or (game[ASKED] == FREE and _next_in_turn(game) != seat)


@scalar_step
def _beat(game, seat, play, kind, length, top):
    """Settle what it means that the set on the table is beaten; return how the game ends, if it does."""
    if game[TARGET] != NO_TARGET:
        chopped = how_it_beats(game, play, kind, length, top) == CHOPPED
        if chopped:
            add_link(game, seat, bomb_of(game, kind, length))
            if game[PASS_RESET_ON_CHOP]:
                game[PASSED] = 0
        else:
            break_chain(game, target_of(game, kind, length, top))
    ended = PLAYING
    if game[HAS_DEN_CA_LANG] and game[PLAYED] == 1 << game[OWNER] and game[CALLER] == 0:
        ended = _den_ca_lang(game, seat)
    if game[TRYING] >= 0:
        ended = _block(game, seat)
    if game[CALLER]:  # Sâm was called, and the caller is beaten (K4)
        game[BLOCKER] = seat
        ended = CALL_BLOCKED
    return ended


@scalar_step
def _den_ca_lang(game, seat):
    """Who is beaten with one set left, before anybody else has played, pays every house (J9, M13)."""
    owner = game[OWNER]
    kind, _, _ = describe(game, game[HANDS + owner])
    if kind == NOTHING:
        return PLAYING
    for other in range(game[PLAYERS]):
        if other != owner:
            pay(game, DEN_CA_LANG, owner, other, game[DEN_CA_LANG_PAYS])
    game[BLOCKER] = seat
    return BEATEN_LAST if game[DEN_CA_LANG_ENDS] else PLAYING


@scalar_step
def _block(game, seat):
    """Settle that the last 3♠ is beaten (I2, I3)."""
    from_seat = game[TRYING]
    game[EVENTS + EV_KET_BLOCKED] += 1
    pay_block(game, from_seat, seat)
    game[TRYING], game[BLOCKER] = -1, seat
    if not game[KET_CONTINUES]:
        return BLOCKED
    game[LATE_FINISHERS + game[LATE]] = from_seat
    game[LATE] += 1
    return PLAYING


@scalar_step
def give_powers(game, seat, play):
    """Give the leader of an opening game the powers that are left of the bomb of his first play (J2, J3, M11)."""
    cards, dealt, card = play & ALL_CARDS, game[DEALT + seat], 1 << game[OPENING_CARD]
    powers = 0
    if dealt & 15 == 15 and cards & card and game[RESIDUAL_QUAD] == 1 and cards & 1 == 0:
        powers |= POWER_3S
    if dealt & 15 == 15 and cards & 15 == card and game[RESIDUAL_QUAD] == 2:
        powers |= POWER_THREES
    if game[RESIDUAL_RUN] and cards & card and popcount(cards) == 6 and _pairs_345(cards) and _pairs_345(dealt):
        if popcount((dealt >> 12) & 15) >= 2:
            powers |= POWER_RUN
    if powers:
        game[RESIDUAL_SEAT], game[RESIDUAL_POWERS] = seat, powers


@scalar_step
def keep_powers(game, seat, play):
    """Take the powers for which the cards have been laid, or that have been used."""
    hand, powers, card = game[HANDS + seat], game[RESIDUAL_POWERS], 1 << game[OPENING_CARD]
    if hand & 1 == 0:
        powers &= ~POWER_3S
    if hand & 15 != 15 & ~card:
        powers &= ~POWER_THREES
    if play & AS_RUN_4 or popcount((hand >> 12) & 15) < 2:
        powers &= ~POWER_RUN
    game[RESIDUAL_POWERS] = powers


@scalar_step
def _pairs_345(cards):
    """Whether there are two cards or more of each of 3, 4 and 5."""
    for rank in range(3):  # noqa: SIM110 (compiled code has no all())
        if popcount((cards >> (4 * rank)) & 15) < 2:
            return False
    return True


@scalar_step
def close_trick(game):
    """Settle the chain; the owner of the last set leads, or where he is out the next seat after him (B9)."""
    pay_chain(game)
    start_chain(game)
    if game[TRYING] >= 0:
        _end(game, THREE_SPADES)
        return
    game[EVENTS + EV_HUONG_SAI] += game[WENT_OUT]
    game[KIND], game[TARGET], game[PASSED], game[LAID] = NOTHING, NO_TARGET, 0, 0
    game[SEAT] = _active_from(game, game[OWNER])
    pass_lead_on(game)


@scalar_step
def pass_lead_on(game):
    """Let the next seat lead while the leader is stuck; the game ends where all are (K10)."""
    while no_lead(game, game[HANDS + game[SEAT]]):
        _write(game, game[SEAT], IS_STUCK)
        game[STUCK] |= 1 << game[SEAT]
        if game[CALLER]:
            _end(game, CALL_STUCK)
            return
        if game[STUCK] == game[ACTIVE]:
            _end(game, ALL_STUCK)
            return
        game[SEAT] = _active_from(game, (game[SEAT] + 1) % game[PLAYERS])


@scalar_step
def _active_from(game, seat):
    """Return the first seat with cards in turn, beginning with this one."""
    while (game[ACTIVE] >> seat) & 1 == 0:
        seat = (seat + 1) % game[PLAYERS]
    return seat


@scalar_step
def _go_out(game, seat, play, kind):
    """Note that a seat has laid its last cards: its place, cóng, and whether the game is over."""
    game[ACTIVE] &= ~(1 << seat)
    game[EVENTS + EV_OUT_ON_TWO] += true_cards(game, play & ALL_CARDS) & TWOS != 0
    if game[CALLER]:
        _end(game, CALL_MADE)
        return
    alone = game[ACTIVE] & (game[ACTIVE] - 1) == 0
    if _counts_last(game, play, kind):
        game[LATE_FINISHERS + game[LATE]] = seat
        game[LATE] += 1
        if alone:
            _end(game, NORMAL)
        return
    if _tries_3_bich(game, play):
        game[TRYING] = seat
        game[EVENTS + EV_KET_TRIED] += 1
        if not game[KET_WINDOW]:
            _end(game, THREE_SPADES)
        return
    game[FINISHERS + game[FINISHED]] = seat
    game[FINISHED] += 1
    if game[FINISHED] == 1 and game[HAS_CONG]:
        game[CONG_SEATS] = game[ACTIVE] & ~game[PLAYED]
        game[ACTIVE] &= ~game[CONG_SEATS]
        alone = game[ACTIVE] & (game[ACTIVE] - 1) == 0
    if game[CONG_SEATS] and game[WHOLE_TABLE]:
        _end(game, WHOLE_TABLE_CONG)
    elif game[HAS_DUT] and play == 1 and game[FINISHED] <= 2:
        _end(game, DUT)
    elif alone or game[FIRST_OUT]:
        _end(game, NORMAL)


@scalar_step
def _counts_last(game, play, kind):
    """Whether going out with this play counts as last (J8)."""
    return game[ON_TWO] == COUNTS_LAST and play & TWOS and not (kind == STRAIGHT and game[ON_TWO_IN_STRAIGHT])


@scalar_step
def _tries_3_bich(game, play):
    """Whether the last play is a kết 3 bích (I1)."""
    if not game[HAS_KET] or game[FINISHED] or play & 1 == 0:
        return False
    return play & ALL_CARDS == 1 or not game[KET_SINGLE_ONLY]


@scalar_step
def _end(game, ending):
    """End the game; the chain on the table is settled as it stands (M1, M2)."""
    if game[CALLER] and not game[SAM_CHOP_MONEY]:
        start_chain(game)
    pay_chain(game)
    start_chain(game)
    if game[REVERSED]:
        turn_over(game)
    game[EVENTS + EV_KET_MADE] += ending == THREE_SPADES
    game[ENDING] = ending
