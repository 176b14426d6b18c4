"""The smart policy: its plays are legal, and 3♠ is held; what it may know and how good it is: `test_policies`."""

import random

import numpy as np
import pytest
from both_engines import seat_policies
from decisions import stacked

import tlsim
from tlsim.engine.rule_numbers import game_row
from tlsim.kernels import row as c
from tlsim.kernels.policies import LOWEST, SCRIPT, SMART
from tlsim.kernels.table import play_script

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac",
)  # fmt: skip
NO_SCRIPT = np.zeros(0, np.int64)


class Table:
    """A table of a preset at which games are played one by one."""

    def __init__(self, name, players):
        self.rules = tlsim.load_rules(name)
        self.game, self.players = game_row(self.rules, players), players

    def play(self, hands, leader, policies, script=NO_SCRIPT, *, opening=False, hold=0):
        """Play a game; return its log and the money of each seat in half units."""
        game, players = self.game, self.players
        game[c.DEALT : c.DEALT + players] = hands
        game[c.HOLD_3S : c.HOLD_3S + players] = hold
        game[c.LEADER], game[c.OPENING], game[c.REQUIRED_FIRST] = leader, opening, 0
        if opening and self.rules.lead.opening_must_include:
            card = 1 << self.rules.lead.opening_card
            game[c.REQUIRED_FIRST] = card if hands[leader] & card else 0
        rooms = seat_policies(game, policies)
        play_script(game, np.asarray(script, np.int64))
        del rooms
        return game[c.LOG : c.LOG + game[c.PLAYS]].copy(), game[c.NET : c.NET + players].copy()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", PRESETS)
def test_plays_are_legal(name, players):
    table, rng = Table(name, players), random.Random(f"{name} {players}")
    for game in range(150):
        hands, opening = stacked(rng, players), game % 3 == 0
        leader = rng.randrange(players)
        if opening:
            card = 1 << table.rules.lead.opening_card
            leader = next((seat for seat in range(players) if hands[seat] & card), leader)
        log, net = table.play(hands, leader, [SMART] * players, opening=opening, hold=game % 2)
        again, paid = table.play(hands, leader, [SCRIPT] * players, log, opening=opening)
        assert table.game[c.FAULT] == 0
        assert np.array_equal(log, again)
        assert np.array_equal(net, paid)


@pytest.mark.parametrize("players", [2, 4])
def test_three_of_spades_is_held(players):
    """With the option a seat lays 3♠ only when it has nothing else."""
    table, rng = Table("hue", players), random.Random(5)
    for _ in range(200):
        hands, leader = stacked(rng, players), rng.randrange(players)
        log, _ = table.play(hands, leader, [SMART] + [LOWEST] * (players - 1), hold=1)
        left = hands[0]
        for entry in map(int, log):
            if entry >> c.SEAT_SHIFT & 7 == 0:
                assert not entry & 1 or left == 1
                left &= ~(entry & c.ALL_CARDS)
