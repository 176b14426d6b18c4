"""Single decisions: a game stopped where a seat is asked, and the same with what the seat cannot see dealt anew."""

from __future__ import annotations

import numba
import numpy as np

from tlsim.engine.tables import game_row
from tlsim.kernels import row as c
from tlsim.kernels.game import ask, begin, pass_lead_on, take
from tlsim.kernels.own import own_room
from tlsim.kernels.policies import LOWEST, OWN, RANDOM, REFUSED, ROLLOUT, SMART, decide_script
from tlsim.kernels.rollout import N_ROOM
from tlsim.kernels.table import decide, find_opening

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac",
)  # fmt: skip
POLICIES = {"lowest": LOWEST, "random": RANDOM, "smart": SMART, "rollout": ROLLOUT, "own": OWN}
BY_SEAT = (c.POLICY, c.HOLD_3S, c.DECLINES, c.PLAYOUTS, c.ADDRESS)


@numba.njit
def start(game):
    begin(game)
    pass_lead_on(game)


@numba.njit
def next_asked(game):
    return ask(game)


@numba.njit
def go_on(game, seat, play):
    take(game, seat, play)


@numba.njit
def answer_of(game, seat, rollout, own):
    return decide(game, seat, game[:0], 1, 1, rollout, own)


@numba.njit
def stand_at(game, script, at, seat, question):
    """Play a log up to where a seat is asked a question after so many entries; return whether it comes to that."""
    begin(game)
    pass_lead_on(game)
    while True:
        asked = ask(game)
        if asked < 0:
            return False
        if game[c.PLAYS] == at and asked == seat and game[c.ASKED] == question:
            return True
        play = decide_script(game, game[c.HANDS + asked], asked, game[c.ASKED], script)
        if play == REFUSED:
            return False
        take(game, asked, play)


class Seats:
    """Rooms of policies, and how a seat with one answers where a game stands."""

    def __init__(self):
        self.rollout, self.own = np.zeros(N_ROOM, np.int64), own_room()

    def answer(self, game, seat, policy, *, hold=0, playouts=6, address=0, stream=12345):
        """Let a policy decide; the game is changed but for its state."""
        for first, value in zip(BY_SEAT, (POLICIES[policy], hold, 0, playouts, address), strict=True):
            game[first + seat] = value
        game[c.STREAMS + 3 * seat : c.STREAMS + 3 * seat + 3] = stream, 2 * stream + 1, 0
        self.own.sheet[:] = 0
        return answer_of(game, seat, self.rollout, self.own)


def row_of(rules, hands, *, leader=0, opening=False):
    """Return a row at the beginning of a game; an opening game is led by whom the rules say."""
    row = game_row(rules, len(hands))
    row[c.DEALT : c.DEALT + len(hands)] = hands
    row[c.OPENING], row[c.LEADER], row[c.LEAD_CARD], row[c.REQUIRED_FIRST] = opening, leader, 0, 0
    if opening:
        find_opening(row)
    start(row)
    return row


def play_through(row, seats, policies, first=0):
    """Play a game that has begun; yield a copy of the row at each decision, with the seat that is asked."""
    while (seat := next_asked(row)) >= 0:
        yield seat, row.copy()
        play = seats.answer(row, seat, policies[seat], stream=1000 * int(row[c.PLAYS]) + seat)
        go_on(row, seat, first if first and row[c.PLAYS] == 0 else play)


def mask(cards):
    return sum(1 << card for card in cards)


def cards_of(hand):
    return [card for card in range(52) if hand >> card & 1]


def laid_by(row):
    """Return the cards that each seat has laid."""
    laid = [0] * int(row[c.PLAYERS])
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        laid[entry >> c.SEAT_SHIFT & 7] |= entry & c.ALL_CARDS
    return laid


def surely_held(row, laid):
    """Return what the log tells of the cards of each seat, and the cards that nobody can have been dealt."""
    sure, never = [0] * len(laid), 0
    if row[c.OPENING]:
        card, usual = int(row[c.LEAD_CARD]), 1 << int(row[c.OPENING_CARD])
        sure[row[c.LEADER]] |= card  # by which he leads
        if card != usual:  # the usual card is not in play, nor any below the one that is the lowest instead
            never = usual | (card - 1 if card else 0)
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        if entry & c.AS_QUAD:  # what is left of four 3s
            sure[entry >> c.SEAT_SHIFT & 7] |= 15
    return [held & ~out for held, out in zip(sure, laid, strict=True)], never


def deal_anew(rng, row, seat):
    """Deal what a seat cannot see anew, as the log allows; return what each seat was dealt."""
    players, laid = int(row[c.PLAYERS]), laid_by(row)
    own = int(row[c.HANDS + seat])
    sure, never = surely_held(row, laid)
    hidden = c.ALL_CARDS & ~(own | sum(laid) | never)
    dealt = [0] * players
    dealt[seat] = own | laid[seat]
    for other in range(players):
        if other != seat:
            hidden &= ~sure[other]
    cards = cards_of(hidden)
    rng.shuffle(cards)
    for other in range(players):
        if other != seat:
            left = int(row[c.HANDS + other]).bit_count() - sure[other].bit_count()
            dealt[other] = laid[other] | sure[other] | mask(cards[:left])
            cards = cards[left:]
    return dealt


def stacked(rng, players, size=13):
    """Deal; every other deal so that ranks stay together and bombs abound."""
    deck = list(range(52))
    rng.shuffle(deck)
    if rng.random() < 0.5:
        ranks = list(range(13))
        rng.shuffle(ranks)
        deck.sort(key=lambda card: ranks[card >> 2] // 2 + rng.random() * 2)
        cut = rng.randrange(52)
        deck = deck[cut:] + deck[:cut]
    return [mask(deck[size * seat : size * seat + size]) for seat in range(players)]
