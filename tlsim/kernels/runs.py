"""Stretches of a trick in which nothing can happen but passes and beats: no 2s, no bombs, nobody goes out.

They are most of a game, so they are played with the state in registers; everything else is asked seat by seat.
"""

from __future__ import annotations

from tlsim.bits import highest, trailing_zeros
from tlsim.jit import step
from tlsim.kernels.combos import RUN_RANKS, ranks_of, run_tops
from tlsim.kernels.moves import lowest_group, lowest_run
from tlsim.kernels.policies import LOWEST
from tlsim.kernels.row import (
    ACTIVE,
    CARDS_ON,
    HANDS,
    HAS_DEN_CA_LANG,
    KIND,
    LAID,
    LED,
    LENGTH,
    LOG,
    MOST_SEATS,
    OWNER,
    PASS_LOCKS,
    PASSED,
    PLAYED,
    PLAYERS,
    PLAYS,
    POLICY,
    RESIDUAL_SEAT,
    SEAT,
    SEAT_SHIFT,
    SINGLE,
    STRAIGHT,
    TOP,
    TOP_RANK_ONLY,
    TRIPLE,
    TRYING,
    TWOS,
    WENT_OUT,
)  # fmt: skip


@step
def run_on(game):
    """Let seats pass that must, and seats beat that play the lowest; return the next that is to be asked, or -1."""
    players, kind, length = game[PLAYERS], game[KIND], game[LENGTH]
    by_suit, locks, every = not game[TOP_RANK_ONLY], game[PASS_LOCKS], (1 << players) - 1
    runs = _plays_itself(game, kind)
    last, top, owner, passed = game[CARDS_ON], game[TOP], game[OWNER], game[PASSED]
    first, laid = game[SEAT] + 1, 0
    while True:
        first = 0 if first == players else first
        waiting = game[ACTIVE] & ~(passed | 1 << owner)
        waiting = (waiting >> first | waiting << (players - first)) & every  # bit 0: the next in turn
        able = _seats_with_higher(game, kind, length, top, by_suit)
        able = (able >> first | able << (players - first)) & waiting
        passing = waiting & ((able & -able) - 1)
        _write_passes(game, passing, first, players)
        passed |= (passing << first | passing >> (players - first)) & every
        if able == 0:
            seat = -1
            break
        seat = first + trailing_zeros(able)
        seat = seat - players if seat >= players else seat
        if not runs or game[POLICY + seat] != LOWEST:
            break
        hand = game[HANDS + seat]
        play = lowest_group(hand, kind, top, by_suit) if kind != STRAIGHT else _lowest_straight(hand, length, top)
        if play == 0 or play == hand or play & TWOS:
            break
        game[HANDS + seat] = hand ^ play
        game[LOG + game[PLAYS]] = seat << SEAT_SHIFT | play
        game[PLAYS] += 1
        passed = passed if locks else 0
        last, top, owner, first, laid = play, highest(play), seat, seat + 1, laid | 1 << seat
    game[PASSED] = passed
    if laid:
        game[CARDS_ON], game[TOP], game[OWNER], game[SEAT] = last, top, owner, owner
        game[LED] = game[WENT_OUT] = 0
        game[LAID] |= laid
        game[PLAYED] |= laid
    return seat


@step
def _plays_itself(game, kind):
    """Whether a beat means nothing but itself: no last 3♠, nothing left of a bomb, no đền cả làng, an ordinary kind."""
    alone = game[HAS_DEN_CA_LANG] and game[PLAYED] == 1 << game[OWNER]
    return game[TRYING] < 0 and game[RESIDUAL_SEAT] < 0 and not alone and (kind <= TRIPLE or kind == STRAIGHT)


@step
def _write_passes(game, passing, seat, players):
    """Write the passes of the seats from this one on, bit by bit; an entry that is none is written over."""
    at = LOG + game[PLAYS]
    for turn in range(MOST_SEATS - 1):
        game[at] = seat << SEAT_SHIFT
        at += (passing >> turn) & 1
        seat = 0 if seat + 1 == players else seat + 1
    game[PLAYS] = at - LOG


@step
def _seats_with_higher(game, kind, length, top, by_suit):
    """Return the bits of the seats that may hold something higher of a kind; no loop, which would be slower."""
    at_least = -1 << (top & ~3)
    if kind == SINGLE:
        above = -2 << top if by_suit else -16 << (top & ~3)
        return (
            (game[HANDS] & above != 0)
            | (game[HANDS + 1] & above != 0) << 1
            | (game[HANDS + 2] & above != 0) << 2
            | (game[HANDS + 3] & above != 0) << 3
            | (game[HANDS + 4] & above != 0) << 4
        )
    if kind <= TRIPLE:
        return (
            (ranks_of(game[HANDS], kind) & at_least != 0)
            | (ranks_of(game[HANDS + 1], kind) & at_least != 0) << 1
            | (ranks_of(game[HANDS + 2], kind) & at_least != 0) << 2
            | (ranks_of(game[HANDS + 3], kind) & at_least != 0) << 3
            | (ranks_of(game[HANDS + 4], kind) & at_least != 0) << 4
        )
    return (1 << MOST_SEATS) - 1 if kind != STRAIGHT else _seats_with_straights(game, length, at_least)


@step
def _seats_with_straights(game, length, at_least):
    return (
        (_straight_tops(game[HANDS], length) & at_least != 0)
        | (_straight_tops(game[HANDS + 1], length) & at_least != 0) << 1
        | (_straight_tops(game[HANDS + 2], length) & at_least != 0) << 2
        | (_straight_tops(game[HANDS + 3], length) & at_least != 0) << 3
        | (_straight_tops(game[HANDS + 4], length) & at_least != 0) << 4
    )


@step
def _straight_tops(hand, length):
    return run_tops(ranks_of(hand, 1) & RUN_RANKS, length)


@step
def _lowest_straight(hand, length, top):
    """Return the lowest straight of a length whose top rank is higher, or 0; one of the same rank is asked for."""
    rank = top & ~3
    tops = _straight_tops(hand, length)
    if (tops >> rank) & 1 or tops & (-16 << rank) == 0:
        return 0
    return lowest_run(hand, (trailing_zeros(tops & (-16 << rank)) >> 2) + 2, length)
