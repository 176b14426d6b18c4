"""Policies: what they may know, how they are named, users' own, and how well they play."""

from __future__ import annotations

import random
from collections import Counter

import numba
import numpy as np
import pytest
from decisions import BY_SEAT, PRESETS, Seats, deal_anew, laid_by, play_through, row_of, stacked, stand_at

import tlsim
from tlsim.cards import hand_of
from tlsim.engine.policies import address_of
from tlsim.kernels import row as c


@numba.njit
def by_all(plays, hand, table, log, random):
    """Choose by everything that is shown, so that a change of any of it changes the choice."""
    value = hand * 31 + random[0]
    for part in (plays.reshape(-1), table, log):
        for number in part:
            value = (value * 1000003) ^ number
    return (value >> 8) % len(plays)


# Policy, whether 3♠ is held.
DECIDING = [("lowest", 0), ("random", 0), ("smart", 0), ("smart", 1), ("rollout", 0), ("own", 0)]
# Hands and their opening plays under Huế: something is left of a bomb.
RESIDUAL = (
    ("3S 3C 3D 3H 2S 2C 9S TS KS", "3C"), ("3S 3C 3D 3H 2S 2C 9S TS KS", "3C 3D"),
    ("3S 3C 4S 4C 5S 5C 6S 6C 2S 2D KS", "3S 3C 4S 4C 5S 5C"),
)  # fmt: skip
FREE_CHOPS = ("4S 4C 5S 5C 6S 6C 7S 7C", "2S 2C 2D 2H 3D 4D 5D 6D")
AFTER_A_PASS = "after a pass"


@pytest.fixture(scope="module")
def seats():
    return Seats()


def deal_with(rng, players, *fixed):
    """Deal hands of which the first few hold given cards, in any order of seats."""
    rest = [card for card in range(52) if not sum(map(hand_of, fixed)) >> card & 1]
    rng.shuffle(rest)
    hands = []
    for seat in range(players):
        hand = hand_of(fixed[seat]) if seat < len(fixed) else 0
        while hand.bit_count() < 13:
            hand |= 1 << rest.pop()
        hands.append(hand)
    rng.shuffle(hands)
    return hands


def other_seats_changed(rng, row, seat):
    """Change what a row says of how the others decide, and their random numbers."""
    for other in range(row[c.PLAYERS]):
        if other != seat:
            for first in BY_SEAT:
                row[first + other] = rng.randrange(2)
            row[c.STREAMS + 3 * other : c.STREAMS + 3 * other + 3] = [rng.randrange(1 << 60) for _ in range(3)]
            row[c.HELD + other] = rng.randrange(1 << 8)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", [*PRESETS, AFTER_A_PASS])
def test_hidden_cards_change_no_decision(seats, preset, players):
    """Cards that a seat has not seen are dealt anew as the log allows: it is asked the same and answers the same.

    What the row says of hidden cards, such as who might chop freely, changes with them, and is seen to change.
    """
    rng, seen = random.Random(f"{preset} {players}"), Counter()
    rules = tlsim.load_rules("luckywin" if preset == AFTER_A_PASS else preset)
    if preset == AFTER_A_PASS:
        rules = rules.replace("chop.free_4dt_mode", "after_pass_in_turn")
    for number in range(84):
        first, opening = 0, number % 2 == 1
        hands = stacked(rng, players) if number % 3 else deal_with(rng, players, *FREE_CHOPS)
        if rules.residual and number % 4 == 1:
            fixed, led = rng.choice(RESIDUAL)
            hands, first = deal_with(rng, players, fixed), hand_of(led)
        game = row_of(rules, hands, leader=rng.randrange(players), opening=opening)
        policies = [rng.choice(["lowest", "random", "smart"]) for _ in range(players)]
        stands = list(play_through(game, seats, policies, first))
        chops = [(seat, row) for seat, row in stands if row[c.ASKED] >= c.FREE]
        bombs = [(seat, row) for seat, row in stands if row[c.FREE_SEATS] & ~(1 << seat)]
        rests = [(seat, row) for seat, row in stands if row[c.RESIDUAL_POWERS]]
        for some in (stands, bombs, chops, rests):
            for seat, row in rng.sample(some, min(3, len(some))):
                compare(seats, rng, seat, row, seen)
    least = {"compared": 200, "opening": 100, "other hands": 150}
    if preset == AFTER_A_PASS:
        least |= {"question 3": 2} if players > 2 else {}
    elif preset != "mien_bac":
        least |= {"question 2": 2, "other free seats": 8}
    if preset == "hue":
        least |= {"other residual seat": 10, "own residual": 10}
    assert {key: seen[key] for key in least if seen[key] < least[key]} == {}
    assert seen["not reached"] <= (4 if preset == "mien_bac" else 0)  # with other cards đền cả làng ends that game


def compare(seats, rng, seat, row, seen):
    """Compare the decisions of all policies where a game stands with those over other hidden cards."""
    players = int(row[c.PLAYERS])
    new = row.copy()
    new[c.DEALT : c.DEALT + players] = deal_anew(rng, row, seat)
    log, question = row[c.LOG : c.LOG + row[c.PLAYS]].copy(), row[c.ASKED]
    if not stand_at(new, log, len(log), seat, question):
        seen["not reached"] += 1
        return
    assert laid_by(new) == laid_by(row)
    assert new[c.HANDS + seat] == row[c.HANDS + seat]
    seen.update(["compared", f"question {question}"])
    seen["opening"] += int(row[c.OPENING])
    seen["other hands"] += not np.array_equal(new[c.HANDS : c.HANDS + players], row[c.HANDS : c.HANDS + players])
    seen["other free seats"] += int(new[c.FREE_SEATS] != row[c.FREE_SEATS])
    seen["other residual seat"] += int(new[c.RESIDUAL_SEAT] != row[c.RESIDUAL_SEAT])
    seen["own residual"] += int(row[c.RESIDUAL_SEAT] == seat)
    other_seats_changed(rng, new, seat)
    stream, address = rng.randrange(1 << 60), address_of(by_all, "by_all")
    for policy, hold in DECIDING:
        was, sheets = [], []
        for game in (row.copy(), new.copy()):
            was.append(seats.answer(game, seat, policy, hold=hold, address=address, stream=stream))
            sheets.append(seats.own.sheet.copy())
        assert was[0] == was[1], (policy, hold)
        assert np.array_equal(*sheets)
