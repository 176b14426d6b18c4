"""The state machine of a game: who is asked, what a play does, when it is over.

One machine simulates, replays and referees: only who decides differs. Seats are positions in turn, so the direction
of play is none of its business. Each function is one rule or a list of named steps.
"""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.money import add_link, break_chain, pay, pay_block, pay_chain, start_chain
from tlsim.kernels.moves import lowest_chop


@scalar_step
def begin(game):
    """Set a game up: everybody holds what he was dealt, the leader is to lead."""
    for at in range(r.REQUIRED, r.END_OF_STATE):
        game[at] = 0
    for seat in range(game[r.PLAYERS]):
        game[r.HANDS + seat] = game[r.DEALT + seat]
    game[r.REQUIRED] = game[r.REQUIRED_FIRST]
    game[r.ACTIVE] = (1 << game[r.PLAYERS]) - 1
    game[r.SEAT], game[r.TRYING], game[r.BLOCKER], game[r.RESIDUAL_SEAT] = game[r.LEADER], -1, -1, -1


@inner_step
def ask(game):
    """Close tricks until somebody is asked; return his seat, -1 where the game is over."""
    while game[r.ENDING] == r.PLAYING:
        seat = next_question(game)
        if seat >= 0:
            game[r.ASKED_SEAT] = seat
            return seat
        close_trick(game)
    return -1


@inner_step
def take(game, seat, play):
    """Take the answer of the seat that was asked: a play, or 0 for a pass."""
    if play:
        _lay(game, seat, play)
    elif game[r.ASKED] != r.FREE:  # who declines to chop out of turn leaves no entry (M21)
        game[r.SEAT] = seat
        if game[r.ASKED] == r.FOLLOW:
            game[r.PASSED] |= 1 << seat
            _write(game, seat, 0)


@inner_step
def next_question(game):
    """Return the seat to ask and note what it is asked; -1 where the trick closes."""
    if game[r.KIND] == r.NOTHING:
        game[r.ASKED] = r.LEAD
        return game[r.SEAT]
    if game[r.TARGET] != r.NO_TARGET:
        if game[r.FREE_SEATS]:
            seat = _window(game)
            if seat >= 0:
                return seat
        if game[r.CHOP_AFTER_PASS]:
            return _next_with_chops(game)
    game[r.ASKED], game[r.WINDOW] = r.FOLLOW, 0
    return _next_in_turn(game)


@scalar_step
def _next_in_turn(game):
    """Return the next seat in turn that may follow and has not passed, or -1."""
    waiting = game[r.ACTIVE] & ~game[r.PASSED] & ~(1 << game[r.OWNER])
    later = waiting & (-2 << game[r.SEAT])
    return trailing_zeros(later or waiting) if waiting else -1


@scalar_step
def free_seats(game):
    """Return the seats that might chop the set on the table freely: those that hold a bomb, or the rest of one."""
    if not game[r.ANY_TIME] or (game[r.FREE_TARGETS] >> game[r.TARGET]) & 1 == 0:
        return 0
    seats = 1 << game[r.RESIDUAL_SEAT] if game[r.RESIDUAL_SEAT] >= 0 else 0
    for seat in range(r.MOST_SEATS):
        seats |= has_bombs(game[r.HANDS + seat]) << seat
    return seats


@scalar_step
def _window(game):
    """Return the next seat in order from the owner that can chop freely and has not been asked, or -1 (D4)."""
    players, able = game[r.PLAYERS], game[r.ACTIVE] & game[r.FREE_SEATS]
    while game[r.WINDOW] < players - 1:
        game[r.WINDOW] += 1
        seat = (game[r.OWNER] + game[r.WINDOW]) % players
        if (able >> seat) & 1 and lowest_chop(game, game[r.HANDS + seat], seat, r.FREE):
            game[r.ASKED] = r.FREE
            return seat
    return -1


@scalar_step
def _next_with_chops(game):
    """Return the next seat in turn that may follow, or that has passed and can chop all the same (D2)."""
    game[r.WINDOW] = 0
    seat = game[r.SEAT]
    for _ in range(game[r.PLAYERS]):
        seat = (seat + 1) % game[r.PLAYERS]
        if seat == game[r.OWNER]:
            break
        if (game[r.ACTIVE] >> seat) & 1:
            if (game[r.PASSED] >> seat) & 1 == 0:
                game[r.ASKED] = r.FOLLOW
                return seat
            if lowest_chop(game, game[r.HANDS + seat], seat, r.AFTER_PASS):
                game[r.ASKED] = r.AFTER_PASS
                return seat
    return -1


@scalar_step
def _write(game, seat, play):
    cards = c.true_cards(game, play & r.ALL_CARDS)
    game[r.LOG + game[r.PLAYS]] = seat << r.SEAT_SHIFT | play & ~r.ALL_CARDS | cards
    game[r.PLAYS] += 1


@scalar_step
def turn_over(game):
    """Turn the order of the cards over, as a quad does in a revolution (004#R23, L9-L12).

    The row holds hands and the set on the table upside down from then on, so nothing that compares cards needs to know.
    """
    game[r.REVERSED] ^= 1
    for seat in range(game[r.PLAYERS]):
        game[r.HANDS + seat] = c.mirrored(game[r.HANDS + seat])
    game[r.CARDS_ON] = c.mirrored(game[r.CARDS_ON])
    game[r.TOP] = highest(game[r.CARDS_ON])


@scalar_step
def _described(game, play):
    """Describe a legal set: of as many cards as the one on the table it is of the same kind, which needs no look.

    But for three pairs as a trump, for what is left of a bomb, and for straights whose highest card is no top.
    """
    if game[r.KIND] != r.NOTHING and play <= r.ALL_CARDS and not (game[r.TRUMP] or game[r.STRAIGHT_LOW]):
        if popcount(play) == popcount(game[r.CARDS_ON]):
            return game[r.KIND], game[r.LENGTH], highest(play)
    return c.describe(game, play)


@inner_step
def _lay(game, seat, play):
    """Lay a set: what it does to the one on the table, to the trick and to the game."""
    kind, length, top = _described(game, play)
    bit, lead = 1 << seat, game[r.KIND] == r.NOTHING
    # A free chop of who would have been asked next anyway is in turn.
    interrupts = game[r.ASKED] == r.AFTER_PASS or (game[r.ASKED] == r.FREE and _next_in_turn(game) != seat)
    game[r.EVENTS + r.EV_FREE_CHOP] += interrupts
    _write(game, seat, play | r.INTERRUPT if interrupts else play)
    ended = r.PLAYING if lead else _beat(game, seat, play, kind, length, top)
    game[r.HANDS + seat] &= ~(play & r.ALL_CARDS)
    if game[r.PLAYED] == 0 and game[r.OPENING]:
        c.give_powers(game, seat, play)
    elif game[r.RESIDUAL_SEAT] == seat:
        c.keep_powers(game, seat, play)
    game[r.PLAYED] |= bit
    game[r.LAID] |= bit
    game[r.REQUIRED], game[r.STUCK], game[r.WINDOW] = 0, 0, 0
    game[r.PASSED] &= ~bit if game[r.PASS_LOCKS] else 0
    game[r.OWNER] = game[r.SEAT] = seat
    game[r.CARDS_ON], game[r.KIND], game[r.LENGTH], game[r.TOP] = play & r.ALL_CARDS, kind, length, top
    game[r.TARGET] = c.target_of(game, kind, length, top)
    game[r.FREE_SEATS] = free_seats(game)
    game[r.LED], game[r.WENT_OUT] = lead, game[r.HANDS + seat] == 0
    if ended != r.PLAYING:
        _end(game, ended)
    elif game[r.HANDS + seat] == 0:
        _go_out(game, seat, play, kind)
    elif game[r.ACTIVE] == bit:  # the last 3♠ is blocked by the only one left
        _end(game, r.NORMAL)
    if kind == r.QUAD and game[r.REVOLUTION]:
        game[r.EVENTS + r.EV_REVOLUTION] += 1
        if game[r.ENDING] == r.PLAYING:
            turn_over(game)


@scalar_step
def _beat(game, seat, play, kind, length, top):
    """Settle what it means that the set on the table is beaten; return how the game ends, if it does."""
    if game[r.TARGET] != r.NO_TARGET:
        if c.how_it_beats(game, play, kind, length, top) == c.CHOPPED:
            add_link(game, seat, c.bomb_of(game, kind, length), length)
            if game[r.PASS_RESET_ON_CHOP]:
                game[r.PASSED] = 0
        else:
            break_chain(game, c.target_of(game, kind, length, top))
    ended = r.PLAYING
    if game[r.HAS_DEN_CA_LANG] and game[r.PLAYED] == 1 << game[r.OWNER] and game[r.CALLER] == 0:
        ended = _den_ca_lang(game, seat)
    if game[r.TRYING] >= 0:
        ended = _block(game, seat)
    if game[r.CALLER]:  # Sâm was called, and the caller is beaten (K4)
        game[r.BLOCKER] = seat
        ended = r.CALL_BLOCKED
    return ended


@scalar_step
def _den_ca_lang(game, seat):
    """Who is beaten with one set left, before anybody else has played, pays every house (J9, M13)."""
    owner = game[r.OWNER]
    if c.describe(game, game[r.HANDS + owner])[0] == r.NOTHING:
        return r.PLAYING
    for other in range(game[r.PLAYERS]):
        pay(game, r.DEN_CA_LANG, owner, other, game[r.DEN_CA_LANG_PAYS])
    game[r.BLOCKER] = seat
    return r.BEATEN_LAST if game[r.DEN_CA_LANG_ENDS] else r.PLAYING


@scalar_step
def _block(game, seat):
    """Settle that the last 3♠ is beaten (I2, I3)."""
    from_seat = game[r.TRYING]
    game[r.EVENTS + r.EV_KET_BLOCKED] += 1
    pay_block(game, from_seat, seat)
    game[r.TRYING], game[r.BLOCKER] = -1, seat
    if not game[r.KET_CONTINUES]:
        return r.BLOCKED
    game[r.LATE_FINISHERS + game[r.LATE]] = from_seat
    game[r.LATE] += 1
    return r.PLAYING


@scalar_step
def close_trick(game):
    """Settle the chain; the owner of the last set leads, or where he is out the next seat after him (B9)."""
    pay_chain(game)
    start_chain(game)
    if game[r.TRYING] >= 0:
        _end(game, r.THREE_SPADES)
        return
    game[r.EVENTS + r.EV_HUONG_SAI] += game[r.WENT_OUT]
    game[r.KIND], game[r.TARGET], game[r.PASSED], game[r.LAID] = r.NOTHING, r.NO_TARGET, 0, 0
    game[r.SEAT] = _active_from(game, game[r.OWNER])
    pass_lead_on(game)


@scalar_step
def pass_lead_on(game):
    """Let the next seat lead while the leader is stuck with 2s, none of which may be the last (K10, M14)."""
    while game[r.ON_TWO] == c.FORBID and game[r.HANDS + game[r.SEAT]] & ~r.TWOS == 0:
        _write(game, game[r.SEAT], r.IS_STUCK)
        game[r.STUCK] |= 1 << game[r.SEAT]
        if game[r.CALLER] or game[r.STUCK] == game[r.ACTIVE]:
            _end(game, r.CALL_STUCK if game[r.CALLER] else r.ALL_STUCK)
            return
        game[r.SEAT] = _active_from(game, (game[r.SEAT] + 1) % game[r.PLAYERS])


@scalar_step
def _active_from(game, seat):
    """Return the first seat with cards in turn, beginning with this one."""
    while (game[r.ACTIVE] >> seat) & 1 == 0:
        seat = (seat + 1) % game[r.PLAYERS]
    return seat


@scalar_step
def _go_out(game, seat, play, kind):
    """Note that a seat has laid its last cards: its place, cóng, and whether the game is over."""
    game[r.ACTIVE] &= ~(1 << seat)
    on_two = c.true_cards(game, play & r.ALL_CARDS) & r.TWOS != 0
    game[r.EVENTS + r.EV_OUT_ON_TWO] += on_two
    spared = kind == r.STRAIGHT and game[r.ON_TWO_IN_STRAIGHT] != 0
    if game[r.CALLER]:
        _end(game, r.CALL_MADE)
        return
    alone = game[r.ACTIVE] & (game[r.ACTIVE] - 1) == 0
    if game[r.ON_TWO] == c.COUNTS_LAST and play & r.TWOS and not spared:  # going out so counts as last (J8)
        game[r.LATE_FINISHERS + game[r.LATE]] = seat
        game[r.LATE] += 1
        if alone:
            _end(game, r.NORMAL)
        return
    tries = play & r.ALL_CARDS == 1 or (play & 1 and not game[r.KET_SINGLE_ONLY])  # a kết 3 bích (I1)
    if tries and game[r.HAS_KET] and game[r.FINISHED] == 0:
        game[r.TRYING] = seat
        game[r.EVENTS + r.EV_KET_TRIED] += 1
        if not game[r.KET_WINDOW]:
            _end(game, r.THREE_SPADES)
        return
    for other in range(game[r.PLAYERS] if game[r.TWO_FINE] and on_two and not spared else 0):
        pay(game, r.VE_HEO, seat, other, game[r.TWO_FINE])
    game[r.FINISHERS + game[r.FINISHED]] = seat
    game[r.FINISHED] += 1
    if game[r.FINISHED] == 1 and game[r.HAS_CONG]:
        game[r.CONG_SEATS] = game[r.ACTIVE] & ~game[r.PLAYED]
        game[r.ACTIVE] &= ~game[r.CONG_SEATS]
        alone = game[r.ACTIVE] & (game[r.ACTIVE] - 1) == 0
    if game[r.CONG_SEATS] and game[r.WHOLE_TABLE]:
        _end(game, r.WHOLE_TABLE_CONG)
    elif game[r.HAS_DUT] and play == 1 and game[r.FINISHED] <= 2:
        _end(game, r.DUT)
    elif alone or game[r.FIRST_OUT]:
        _end(game, r.NORMAL)


@scalar_step
def _end(game, ending):
    """End the game; the chain on the table is settled as it stands (M1, M2)."""
    if game[r.CALLER] == 0 or game[r.SAM_CHOP_MONEY]:
        pay_chain(game)
    start_chain(game)
    if game[r.REVERSED]:
        turn_over(game)
    game[r.EVENTS + r.EV_KET_MADE] += ending == r.THREE_SPADES
    game[r.ENDING] = ending
