"""Whole games, one thread, beside full deals and the slow twin in plain Python."""

import sys
import time
from pathlib import Path
from random import Random

import pytest
from test_deals import _deals

import tlsim
from tlsim.engine.blocks import Block
from tlsim.engine.games import POLICIES, GameWork
from tlsim.kernels.matches import S_GAMES, S_PLAYS

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

MATCHES = 2048


def _work(preset, policies, players=4):
    rules = tlsim.load_rules(preset)
    return GameWork(0, rules, players, tuple(POLICIES[name] for name in policies), rules.match_length)


def _twin():
    """Seconds of a game of the slow twin."""
    import naive_game

    rules, rng = tlsim.load_rules("luckywin").replace("toi_trang", False), Random(1)
    begin, games = time.perf_counter(), 10
    for _ in range(games):
        deck = rng.sample(range(52), 52)
        hands = [sum(1 << card for card in deck[13 * seat : 13 * seat + 13]) for seat in range(4)]
        naive_game.play(rules, hands, 0, False)
    return (time.perf_counter() - begin) / games


@pytest.mark.parametrize(
    ("preset", "policy", "floor"),
    [
        ("luckywin", "lowest", "floor 40 deals"), ("luckywin", "random", "floor 150 deals"),
        ("luckywin", "smart", None),
        ("doithuong", "lowest", None), ("mien_bac", "lowest", None),
    ],
)  # fmt: skip
def test_games(bench, preset, policy, floor):
    """The ratio is deals per game: how many full deals fit into one game."""
    work = _work(preset, [policy] * 4)
    games = MATCHES * work.match_length
    deal, deals = _deals(4, 13)
    rows = {"full deals": (deal, deals)}
    if (preset, policy) == ("luckywin", "lowest"):
        twin = _twin()
    extra = {"floor": floor} if floor else {}
    bench.paired(f"whole games, {preset}, {policy}, 4 seats", "game", lambda: work(Block(0, MATCHES)), games,
                 baselines=rows, **extra)  # fmt: skip
    if (preset, policy) == ("luckywin", "lowest"):
        bench.single("the slow twin in plain Python, luckywin, lowest", "game", [twin])
    sums = work(Block(0, MATCHES)).batches.sum(axis=0)
    assert sums[S_GAMES] == games
    assert 20 < sums[S_PLAYS] / games < 130
    assert work(Block(0, 8)) == work(Block(0, 8))
