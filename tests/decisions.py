"""Single decisions: a game stopped where a seat is asked, and the same with what the seat cannot see dealt anew.

What a seat cannot see are the cards of the others and those that are nobody's, and in Tổng thống what others gave and
returned. A call of Sâm is public.
"""

from __future__ import annotations

import naive_president
import numpy as np
from compiled import kept

from tlsim.engine.nets import nets
from tlsim.engine.parts import link_numbers, part_of
from tlsim.engine.rule_numbers import game_row
from tlsim.jit import pointer
from tlsim.kernels import row as c
from tlsim.kernels.before import ask_before, is_return, take_before
from tlsim.kernels.before import start as start_before
from tlsim.kernels.expert import N_EXPERT_ROOM
from tlsim.kernels.game import ask, begin, pass_lead_on, take
from tlsim.kernels.own import own_room
from tlsim.kernels.policies import EXPERT, LOWEST, OWN, RANDOM, REFUSED, ROLLOUT, SMART, decide_lowest, decide_script
from tlsim.kernels.rollout import N_ROOM
from tlsim.kernels.table import decide, table

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac",
)  # fmt: skip
TABLES = [
    *((preset, players) for preset in PRESETS for players in (2, 3, 4)),
    *(("sam_loc", players) for players in (2, 3, 4, 5)), ("tong_thong", 4), ("tong_thong", 5),
]  # fmt: skip
POLICIES = {"lowest": LOWEST, "random": RANDOM, "smart": SMART, "rollout": ROLLOUT, "expert": EXPERT, "own": OWN}
BY_SEAT = (c.POLICY, c.HOLD_3S, c.DECLINES, c.PLAYOUTS, c.ADDRESS)


@kept
def start(row):
    game = pointer(row)
    begin(game)
    start_before(game)


@kept
def next_asked(row):
    """Return the seat that is asked next, before the first play too; -1 where the game is over."""
    game = pointer(row)
    if game[c.STAGE] != c.AT_PLAY:
        seat = ask_before(game)
        if seat >= 0:
            return seat
        pass_lead_on(game)
    return ask(game)


@kept
def go_on(row, seat, play):
    game = pointer(row)
    if game[c.STAGE] != c.AT_PLAY:
        take_before(game, seat, play)
    else:
        take(game, seat, play)


@kept
def answer_of(row, seat):
    game = pointer(row)
    game[c.ASKED_SEAT] = seat
    if game[c.POLICY + seat] == LOWEST and game[c.ASKED] < c.CALL:
        return decide_lowest(game, game[c.HANDS + seat], seat, game[c.ASKED])
    return decide(game, seat)


@kept
def answer_before(game, seat, question, caller, step):
    """Answer what is asked before the first play up to a question, or all of it; return whether that can be."""
    while True:
        asked = ask_before(game)
        if asked < 0 or (asked == seat and game[c.ASKED] == question and game[c.STEP] == step):
            return asked == seat
        answer = np.int64(asked == caller)
        if game[c.ASKED] == c.RETURN:
            answer = game[c.SCRIPTED + game[c.STEP]]
            if not is_return(game, game[c.HANDS + asked], answer):
                return False
        take_before(game, asked, answer)


@kept
def stand_at_entry(row, at, seat, question, caller, step):
    """Play a log up to where a seat is asked a question after so many entries; return whether it comes to that.

    caller : the seat that calls Sâm, -1 for nobody; step : how many have been asked before the first play, where it is
    asked then; what is returned in an exchange stands in the row
    """
    game = pointer(row)
    begin(game)
    start_before(game)
    if question >= c.CALL:
        return answer_before(game, seat, question, caller, step)
    if not answer_before(game, -1, question, caller, step):
        return False
    pass_lead_on(game)
    while True:
        asked = ask(game)
        if asked < 0:
            return False
        if game[c.PLAYS] == at and asked == seat and game[c.ASKED] == question:
            return True
        play = decide_script(game, game[c.HANDS + asked], asked, game[c.ASKED])
        if play == REFUSED:
            return False
        take(game, asked, play)


def stand_at(game, script, at, seat, question, caller, step):
    """Play a script up to a question; see `stand_at_entry`."""
    game[c.SCRIPT_LENGTH], game[c.SCRIPT_PLAYS : c.SCRIPT_PLAYS + len(script)] = len(script), script
    return stand_at_entry(game, at, seat, question, caller, step)


class Seats:
    """Rooms of policies, and how a seat with one answers where a game stands."""

    def __init__(self):
        self.rollout, self.sheet = np.zeros(N_ROOM, np.int64), own_room()
        self.expert = np.zeros(N_EXPERT_ROOM, np.int64)

    def answer(self, game, seat, policy, *, hold=0, playouts=6, address=0, stream=12345):
        """Let a policy decide; the game is changed but for its state."""
        address = nets("").ctypes.data if policy == "expert" else address
        for first, value in zip(BY_SEAT, (POLICIES[policy], hold, 0, playouts, address), strict=True):
            game[first + seat] = value
        game[c.STREAMS + 3 * seat : c.STREAMS + 3 * seat + 3] = stream, 2 * stream + 1, 0
        part = part_of(POLICIES[policy])
        game[c.PART + seat] = part.address if part else 0
        link_numbers(game, [POLICIES[policy]], strengths=True)
        game[c.ROLLOUT_ROOM], game[c.SHEET] = self.rollout.ctypes.data, self.sheet.ctypes.data
        game[c.EXPERT_ROOM] = self.expert.ctypes.data
        self.sheet[:] = 0
        return answer_of(game, seat)


def row_of(rules, hands, *, leader=0, opening=False, titles=None):
    """Return a row at the beginning of a game; an opening game is led by whom the rules say."""
    row = game_row(rules, len(hands))
    row[c.DEALT : c.DEALT + len(hands)] = hands
    row[c.OPENING], row[c.LEADER], row[c.LEAD_CARD], row[c.REQUIRED_FIRST] = opening, leader, 0, 0
    row[c.TITLES] = -1
    if titles is not None:
        row[c.TITLES : c.TITLES + len(hands)] = titles
    if opening:
        table(row, c.FIND_LEAD)
    start(row)
    return row


def play_through(row, seats, policies, first=0, caller=None):
    """Play a game that has begun; yield a copy of the row at each decision, with the seat that is asked.

    caller : the seat that calls Sâm, -1 for nobody; without it the policies decide
    """
    while (seat := next_asked(row)) >= 0:
        yield seat, row.copy()
        play = seats.answer(row, seat, policies[seat], stream=1000 * int(row[c.PLAYS]) + seat)
        if row[c.ASKED] == c.CALL and caller is not None:
            play = int(seat == caller)
        go_on(row, seat, first if first and row[c.PLAYS] == 0 and row[c.ASKED] < c.CALL else play)


def mask(cards):
    return sum(1 << card for card in cards)


def cards_of(hand):
    return [card for card in range(52) if hand >> card & 1]


def hands_of(row):
    """Return the hands as they are; in a revolution the row holds them upside down."""
    hands = row[c.HANDS : c.HANDS + row[c.PLAYERS]].tolist()
    return [mask(51 - card for card in cards_of(hand)) for hand in hands] if row[c.REVERSED] else hands


def laid_by(row):
    """Return the cards that each seat has laid."""
    laid = [0] * int(row[c.PLAYERS])
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        laid[entry >> c.SEAT_SHIFT & 7] |= entry & c.ALL_CARDS
    return laid


# What is known of hidden cards


def exchanges_of(row):
    """Return who gave whom how many cards, what, and what came back, 0 where nothing has yet."""
    if not row[c.HAS_TITLES] or row[c.TITLES] < 0:
        return []
    found = []
    for at in range(row[c.N_EXCHANGES]):
        giver, getter = (int(row[c.TITLES + row[c.EXCHANGES + 3 * at + side]]) for side in range(2))
        done = row[c.STAGE] != c.AT_EXCHANGE or row[c.STEP] > at
        found.append((giver, getter, int(row[c.GIFTS + at]), int(row[c.RETURNS + at]) if done else 0))
    return found


def highest(row, hand, number):
    """Return what somebody has to give of a hand."""
    tie = "highest_suit_first" if row[c.HIGH_SUIT_FIRST] else "lowest_suit_first"
    return naive_president.highest(hand, number, tie)


def surely_held(row, laid, seat=None):
    """Return what is known of the cards of each seat, and the cards that nobody can have been dealt.

    From the log, and where a ``seat`` is given from the cards that it has exchanged.
    """
    sure, never = [0] * len(laid), 0
    if row[c.OPENING]:
        card, usual = int(row[c.LEAD_CARD]), 1 << int(row[c.OPENING_CARD])
        sure[row[c.LEADER]] |= card  # by which he leads
        if card != usual:  # the usual card is not in play, nor any below the one that is the lowest instead
            never = usual | (card - 1 if card else 0)
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        if entry & c.AS_QUAD:  # what is left of four 3s
            sure[entry >> c.SEAT_SHIFT & 7] |= 15
    for giver, getter, gift, returned in exchanges_of(row):
        if seat == giver:
            sure[getter] |= gift & ~returned
        if seat == getter:
            sure[giver] |= returned
    return [held & ~out for held, out in zip(sure, laid, strict=True)], never


def may_hold(row, seat):
    """Return for each other seat the cards beside the sure ones that it may hold as far as a seat knows."""
    allowed = [c.ALL_CARDS] * int(row[c.PLAYERS])
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        if entry & c.IS_STUCK:  # a leader with nothing but 2s (K10)
            allowed[entry >> c.SEAT_SHIFT & 7] &= c.TWOS
    for giver, getter, gift, _ in exchanges_of(row):
        if seat == getter:  # the giver kept nothing above what he gave
            size = gift.bit_count()
            allowed[giver] &= mask(card for card in range(52) if highest(row, gift | 1 << card, size) == gift)
    return allowed


def deal_anew(rng, row, seat):
    """Deal what a seat cannot see anew, as it knows of it; return what each seat was dealt, and what was returned."""
    while True:
        full = _hold_anew(rng, row, seat)
        found = dealt_before(rng, row, seat, full)
        if found is not None:
            return found


def _hold_anew(rng, row, seat):
    """Return other cards that the seats have had since the exchange."""
    laid, hands = laid_by(row), hands_of(row)
    sure, never = surely_held(row, laid, seat)
    hidden = c.ALL_CARDS & ~(hands[seat] | sum(laid) | never)
    full = [held | out for held, out in zip(sure, laid, strict=True)]
    full[seat] = hands[seat] | laid[seat]
    others = [other for other in range(len(laid)) if other != seat]
    for other in others:
        hidden &= ~sure[other]
    allowed = may_hold(row, seat)
    for other in sorted(others, key=lambda other: allowed[other].bit_count()):
        number = hands[other].bit_count() - sure[other].bit_count()
        taken = mask(rng.sample(cards_of(hidden & allowed[other]), number))
        full[other] |= taken
        hidden &= ~taken
    return full


def dealt_before(rng, row, seat, full):
    """Return what was dealt and what was returned, from what the seats have had since; others gave other cards.

    None where those whose return is still to come cannot have had such hands.
    """
    dealt, returns = list(full), []
    for giver, getter, gift, returned in exchanges_of(row):
        up, back = gift, returned
        if seat not in (giver, getter):
            up, back = _exchange_anew(rng, row, full[giver], full[getter], gift.bit_count(), done=returned != 0)
            if up == 0:
                return None
        assert highest(row, full[giver] & ~back | up, gift.bit_count()) == up
        dealt[giver], dealt[getter] = full[giver] & ~back | up, (full[getter] | back) & ~up
        returns.append(back)
    return dealt, returns


def _exchange_anew(rng, row, giver, getter, number, *, done):
    """Return cards that may have gone up and back between two hands as they are now; 0, 0 where there are none."""
    for at in range(40):
        back = mask(rng.sample(cards_of(giver), number)) if done else 0
        pool = cards_of(getter | back)
        up = mask(rng.sample(pool, number)) if at < 20 else highest(row, mask(pool), number)
        if highest(row, giver & ~back | up, number) == up:
            return up, back
    up = highest(row, giver, number)  # and all of them came back
    return (up, up) if done else (0, 0)


def stacked(rng, players, size=13):
    """Deal; every other deal so that ranks stay together and bombs abound.

    size : of a hand, or the sizes of all
    """
    sizes = (size,) * players if isinstance(size, int) else size
    deck = list(range(52))
    rng.shuffle(deck)
    if rng.random() < 0.5:
        ranks = list(range(13))
        rng.shuffle(ranks)
        deck.sort(key=lambda card: ranks[card >> 2] // 2 + rng.random() * 2)
        cut = rng.randrange(52)
        deck = deck[cut:] + deck[:cut]
    ends = [sum(sizes[: seat + 1]) for seat in range(players)]
    return [mask(deck[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
