"""The state machine of a game: who is asked, what a play does, when it is over.

One machine simulates, replays and referees: only who decides differs. Seats are positions in turn, so the direction
of play is none of its business. Each function is one rule or a list of named steps.
"""

from __future__ import annotations

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import step
from tlsim.kernels.choices import decide_random
from tlsim.kernels.clauses import (
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
    CARDS_ON,
    CHOP_AFTER_PASS,
    CONG_SEATS,
    DEN_CA_LANG,
    DEN_CA_LANG_ENDS,
    DEN_CA_LANG_PAYS,
    DUT,
    ENDING,
    FINISHED,
    FINISHERS,
    FIRST_OUT,
    FOLLOW,
    FREE,
    FREE_SEATS,
    FREE_TARGETS,
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
    LED,
    LENGTH,
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
    REQUIRED,
    RESIDUAL_POWERS,
    RESIDUAL_QUAD,
    RESIDUAL_RUN,
    RESIDUAL_SEAT,
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
from tlsim.kernels.combos import (
    CHOPPED,
    COUNTS_LAST,
    bomb_of,
    describe,
    how_it_beats,
    target_of,
)  # fmt: skip
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.money import add_link, break_chain, pay, pay_block, pay_chain, start_chain
from tlsim.kernels.moves import POWER_3S, POWER_RUN, POWER_THREES, lowest_chop, no_lead
from tlsim.kernels.policies import LOWEST, RANDOM, REFUSED, SMART, decide_lowest, decide_script
from tlsim.kernels.smart import decide_smart


@step
def begin(state, players, leader, opening, required):
    """Set a game up: everybody holds cards, the leader is to lead. required : cards one of which the first play has."""
    for at in range(len(state)):
        state[at] = 0
    state[PLAYERS], state[OPENING], state[REQUIRED] = players, opening, required
    state[ACTIVE] = (1 << players) - 1
    state[SEAT], state[TRYING], state[BLOCKER] = leader, -1, -1
    state[RESIDUAL_SEAT] = -1
    start_chain(state)


@step
def play_on(rules, state, hands, dealt, log, flows, policies, script, choices, streams, smart=None):
    """Play until the game is over or a script is refused."""
    if state[PLAYS] == 0:
        pass_lead_on(rules, state, hands, log, flows)
    while state[ENDING] == PLAYING:
        seat = next_question(rules, state, hands)
        if seat < 0:
            close_trick(rules, state, hands, log, flows)
            continue
        state[ASKED_SEAT] = seat
        play = decide(rules, state, hands[seat], seat, policies[seat], script, choices, streams, log, smart)
        if play == REFUSED:
            return
        if play == 0:
            _pass(state, log, seat)
        else:
            lay(rules, state, hands, dealt, log, flows, seat, play)


@step
def decide(rules, state, hand, seat, policy, script, choices, streams, log, smart):
    """Ask the policy of a seat; ``choices`` and ``smart`` are None where no seat needs them, so none is compiled."""
    if policy == LOWEST:
        return decide_lowest(rules, state, hand, seat, state[ASKED])
    if choices is not None:
        if policy == RANDOM:
            return decide_random(rules, state, hand, seat, state[ASKED], choices, streams)
    if smart is not None:
        if policy == SMART:
            return decide_smart(rules, state, hand, seat, state[ASKED], log, smart)
    return decide_script(rules, state, hand, seat, state[ASKED], script)


@step
def next_question(rules, state, hands):
    """Return the seat to ask and note what it is asked; -1 where the trick closes."""
    if state[KIND] == NOTHING:
        state[ASKED] = LEAD
        return state[SEAT]
    if state[TARGET] != NO_TARGET:
        if state[FREE_SEATS]:
            seat = _window(rules, state, hands)
            if seat >= 0:
                return seat
        if rules[CHOP_AFTER_PASS]:
            return _next_with_chops(rules, state, hands)
    state[ASKED], state[WINDOW] = FOLLOW, 0
    return _next_in_turn(state)


@step
def _next_in_turn(state):
    """Return the next seat in turn that may follow and has not passed, or -1."""
    waiting = state[ACTIVE] & ~state[PASSED] & ~(1 << state[OWNER])
    later = waiting & (-2 << state[SEAT])
    return trailing_zeros(later or waiting) if waiting else -1


@step
def _free_seats(rules, state, hands):
    """Return the seats that might chop the set on the table freely: those that hold a bomb, or the rest of one."""
    seats = 0
    if rules[ANY_TIME] and (rules[FREE_TARGETS] >> state[TARGET]) & 1:
        for seat in range(state[PLAYERS]):
            if has_bombs(hands[seat]) or seat == state[RESIDUAL_SEAT]:
                seats |= 1 << seat
    return seats


@step
def _window(rules, state, hands):
    """Return the next seat in order from the owner that can chop freely and has not been asked, or -1 (D4)."""
    players = state[PLAYERS]
    while state[WINDOW] < players - 1:
        state[WINDOW] += 1
        seat = (state[OWNER] + state[WINDOW]) % players
        if ((state[ACTIVE] & state[FREE_SEATS]) >> seat) & 1 and lowest_chop(rules, state, hands[seat], seat, FREE):
            state[ASKED] = FREE
            return seat
    return -1


@step
def _next_with_chops(rules, state, hands):
    """Return the next seat in turn that may follow, or that has passed and can chop all the same (D2)."""
    state[WINDOW] = 0
    seat = state[SEAT]
    for _ in range(state[PLAYERS]):
        seat = (seat + 1) % state[PLAYERS]
        if seat == state[OWNER]:
            break
        if (state[ACTIVE] >> seat) & 1:
            if (state[PASSED] >> seat) & 1 == 0:
                state[ASKED] = FOLLOW
                return seat
            if lowest_chop(rules, state, hands[seat], seat, AFTER_PASS):
                state[ASKED] = AFTER_PASS
                return seat
    return -1


@step
def _pass(state, log, seat):
    """Note a pass; who declines to chop out of turn leaves no entry (M21)."""
    if state[ASKED] == FREE:
        return
    state[SEAT] = seat
    if state[ASKED] == FOLLOW:
        state[PASSED] |= 1 << seat
        _write(state, log, seat, 0)


@step
def _write(state, log, seat, play):
    log[state[PLAYS]] = seat << SEAT_SHIFT | play
    state[PLAYS] += 1


@step
def _described(rules, state, play):
    """Describe a legal set: of as many cards as the one on the table it is of the same kind, which needs no look.

    But for three pairs as a trump, for what is left of a bomb, and for straights whose highest card is no top.
    """
    if state[KIND] != NOTHING and play <= ALL_CARDS and not (rules[TRUMP] or rules[STRAIGHT_LOW]):
        if popcount(play) == popcount(state[CARDS_ON]):
            return state[KIND], state[LENGTH], highest(play)
    return describe(rules, play)


@step
def lay(rules, state, hands, dealt, log, flows, seat, play):
    """Lay a set: what it does to the one on the table, to the trick and to the game."""
    kind, length, top = _described(rules, state, play)
    bit, lead = 1 << seat, state[KIND] == NOTHING
    _write(state, log, seat, play | (INTERRUPT if _out_of_turn(state, seat) else 0))
    ended = PLAYING
    if not lead:
        ended = _beat(rules, state, hands, flows, seat, play, kind, length, top)
    hands[seat] &= ~(play & ALL_CARDS)
    if state[RESIDUAL_SEAT] == seat or (state[PLAYED] == 0 and state[OPENING]):
        _residual_powers(rules, state, hands[seat], dealt[seat], seat, play)
    state[PLAYED] |= bit
    state[LAID] |= bit
    state[REQUIRED], state[STUCK], state[WINDOW] = 0, 0, 0
    state[PASSED] &= ~bit if rules[PASS_LOCKS] else 0
    state[OWNER] = state[SEAT] = seat
    state[CARDS_ON], state[KIND], state[LENGTH], state[TOP] = play & ALL_CARDS, kind, length, top
    state[TARGET] = target_of(rules, kind, length, top)
    state[FREE_SEATS] = _free_seats(rules, state, hands)
    state[LED], state[WENT_OUT] = lead, hands[seat] == 0
    if ended != PLAYING:
        _end(rules, state, flows, ended)
    elif hands[seat] == 0:
        _go_out(rules, state, flows, seat, play, kind)
    elif state[ACTIVE] == bit:  # the last 3♠ is blocked by the only one left
        _end(rules, state, flows, NORMAL)


@step
def _out_of_turn(state, seat):
    """Whether a free chop is not what this seat would have been asked next anyway."""
    return state[ASKED] == AFTER_PASS or (state[ASKED] == FREE and _next_in_turn(state) != seat)


@step
def _beat(rules, state, hands, flows, seat, play, kind, length, top):
    """Settle what it means that the set on the table is beaten; return how the game ends, if it does."""
    if state[TARGET] != NO_TARGET:
        chopped = how_it_beats(rules, state, play, kind, length, top) == CHOPPED
        if chopped:
            add_link(rules, state, flows, seat, bomb_of(rules, kind, length))
            if rules[PASS_RESET_ON_CHOP]:
                state[PASSED] = 0
        else:
            break_chain(rules, state, target_of(rules, kind, length, top))
    ended = PLAYING
    if rules[HAS_DEN_CA_LANG] and state[PLAYED] == 1 << state[OWNER]:
        ended = _den_ca_lang(rules, state, hands, flows, seat)
    if state[TRYING] >= 0:
        ended = _block(rules, state, flows, seat)
    return ended


@step
def _den_ca_lang(rules, state, hands, flows, seat):
    """Who is beaten with one set left, before anybody else has played, pays every house (J9, M13)."""
    owner = state[OWNER]
    kind, _, _ = describe(rules, hands[owner])
    if kind == NOTHING:
        return PLAYING
    for other in range(state[PLAYERS]):
        if other != owner:
            pay(state, flows, DEN_CA_LANG, owner, other, rules[DEN_CA_LANG_PAYS])
    state[BLOCKER] = seat
    return BEATEN_LAST if rules[DEN_CA_LANG_ENDS] else PLAYING


@step
def _block(rules, state, flows, seat):
    """Settle that the last 3♠ is beaten (I2, I3)."""
    from_seat = state[TRYING]
    pay_block(rules, state, flows, from_seat, seat)
    state[TRYING], state[BLOCKER] = -1, seat
    if not rules[KET_CONTINUES]:
        return BLOCKED
    state[LATE_FINISHERS + state[LATE]] = from_seat
    state[LATE] += 1
    return PLAYING


@step
def _residual_powers(rules, state, hand, dealt, seat, play):
    """Give and take the powers that are left of a bomb in an opening game (J2, J3, M11)."""
    cards, card = play & ALL_CARDS, 1 << rules[OPENING_CARD]
    if state[PLAYED] == 0:
        powers = 0
        if dealt & 15 == 15 and cards & card and rules[RESIDUAL_QUAD] == 1 and cards & 1 == 0:
            powers |= POWER_3S
        if dealt & 15 == 15 and cards & 15 == card and rules[RESIDUAL_QUAD] == 2:
            powers |= POWER_THREES
        if rules[RESIDUAL_RUN] and cards & card and popcount(cards) == 6 and _pairs_345(cards) and _pairs_345(dealt):
            if popcount((dealt >> 12) & 15) >= 2:
                powers |= POWER_RUN
        if powers:
            state[RESIDUAL_SEAT], state[RESIDUAL_POWERS] = seat, powers
        return
    powers = state[RESIDUAL_POWERS]
    if hand & 1 == 0:
        powers &= ~POWER_3S
    if hand & 15 != 15 & ~card:
        powers &= ~POWER_THREES
    if play & AS_RUN_4 or popcount((hand >> 12) & 15) < 2:
        powers &= ~POWER_RUN
    state[RESIDUAL_POWERS] = powers


@step
def _pairs_345(cards):
    """Whether there are two cards or more of each of 3, 4 and 5."""
    for rank in range(3):  # noqa: SIM110 (compiled code has no all())
        if popcount((cards >> (4 * rank)) & 15) < 2:
            return False
    return True


@step
def close_trick(rules, state, hands, log, flows):
    """Settle the chain; the owner of the last set leads, or where he is out the next seat after him (B9)."""
    pay_chain(rules, state, flows)
    start_chain(state)
    if state[TRYING] >= 0:
        _end(rules, state, flows, THREE_SPADES)
        return
    state[KIND], state[TARGET], state[PASSED], state[LAID] = NOTHING, NO_TARGET, 0, 0
    state[SEAT] = _active_from(state, state[OWNER])
    pass_lead_on(rules, state, hands, log, flows)


@step
def pass_lead_on(rules, state, hands, log, flows):
    """Let the next seat lead while the leader is stuck; the game ends where all are (K10)."""
    while no_lead(rules, hands[state[SEAT]]):
        _write(state, log, state[SEAT], IS_STUCK)
        state[STUCK] |= 1 << state[SEAT]
        if state[STUCK] == state[ACTIVE]:
            _end(rules, state, flows, ALL_STUCK)
            return
        state[SEAT] = _active_from(state, (state[SEAT] + 1) % state[PLAYERS])


@step
def _active_from(state, seat):
    """Return the first seat with cards in turn, beginning with this one."""
    while (state[ACTIVE] >> seat) & 1 == 0:
        seat = (seat + 1) % state[PLAYERS]
    return seat


@step
def _go_out(rules, state, flows, seat, play, kind):
    """Note that a seat has laid its last cards: its place, cóng, and whether the game is over."""
    state[ACTIVE] &= ~(1 << seat)
    alone = state[ACTIVE] & (state[ACTIVE] - 1) == 0
    if _counts_last(rules, play, kind):
        state[LATE_FINISHERS + state[LATE]] = seat
        state[LATE] += 1
        if alone:
            _end(rules, state, flows, NORMAL)
        return
    if _tries_3_bich(rules, state, play):
        state[TRYING] = seat
        if not rules[KET_WINDOW]:
            _end(rules, state, flows, THREE_SPADES)
        return
    state[FINISHERS + state[FINISHED]] = seat
    state[FINISHED] += 1
    if state[FINISHED] == 1 and rules[HAS_CONG]:
        state[CONG_SEATS] = state[ACTIVE] & ~state[PLAYED]
        state[ACTIVE] &= ~state[CONG_SEATS]
        alone = state[ACTIVE] & (state[ACTIVE] - 1) == 0
    if state[CONG_SEATS] and rules[WHOLE_TABLE]:
        _end(rules, state, flows, WHOLE_TABLE_CONG)
    elif rules[HAS_DUT] and play == 1 and state[FINISHED] <= 2:
        _end(rules, state, flows, DUT)
    elif alone or rules[FIRST_OUT]:
        _end(rules, state, flows, NORMAL)


@step
def _counts_last(rules, play, kind):
    """Whether going out with this play counts as last (J8)."""
    return rules[ON_TWO] == COUNTS_LAST and play & TWOS and not (kind == STRAIGHT and rules[ON_TWO_IN_STRAIGHT])


@step
def _tries_3_bich(rules, state, play):
    """Whether the last play is a kết 3 bích (I1)."""
    if not rules[HAS_KET] or state[FINISHED] or play & 1 == 0:
        return False
    return play & ALL_CARDS == 1 or not rules[KET_SINGLE_ONLY]


@step
def _end(rules, state, flows, ending):
    """End the game; the chain on the table is settled as it stands (M1, M2)."""
    pay_chain(rules, state, flows)
    start_chain(state)
    state[ENDING] = ending
