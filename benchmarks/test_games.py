"""Whole games, one thread, beside full deals and the slow twin in plain Python."""

import sys
import time
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest
from test_deals import _deals

import tlsim
from tlsim.engine.blocks import Block
from tlsim.engine.games import GameWork
from tlsim.engine.policies import read_policies
from tlsim.kernels.deal import GROUP
from tlsim.kernels.game import begin, pass_lead_on
from tlsim.kernels.hall import begin_game, deal_games, finish_game, play_games, seat_players
from tlsim.kernels.matches import S_GAMES, S_PLAYS, empty_sums
from tlsim.kernels.settlement import settle
from tlsim.kernels.table import carry_over, instant_win, play_on

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

MATCHES = 2048


def _work(preset, policies, players=4):
    rules = tlsim.load_rules(preset)
    return GameWork(0, rules, players, read_policies(policies, players), rules.match_length)


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
        ("luckywin", "smart", None), ("doithuong", "random", None), ("mien_bac", "random", None),
        ("doithuong", "lowest", None), ("mien_bac", "lowest", None),
        ("sam_loc", "lowest", 26), ("sam_loc", "random[sam=0]", None), ("sam_loc", "smart", None),
        ("tong_thong", "lowest", 50), ("tong_thong", "random", None), ("tong_thong", "smart", None),
    ],
)  # fmt: skip
def test_games(bench, preset, policy, floor):
    """The ratio is deals per game: how many full deals fit into one game; floors go by the decisions of a game."""
    work = _work(preset, policy)
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
    sums = work(Block(0, MATCHES)).batches[:2].sum(axis=(0, 1))
    assert sums[S_GAMES] == games
    assert 20 < sums[S_PLAYS] / games < 130
    assert work(Block(0, 8)) == work(Block(0, 8))


@pytest.mark.parametrize("preset", ["luckywin", "doithuong"])
def test_rollout(bench, preset):
    """One seat that tries its plays out in 50 games each, among smart ones."""
    work = _work(preset, "rollout[n=50],smart,smart,smart")
    begin = time.perf_counter()
    tally = work(Block(0, work.unit))
    seconds = time.perf_counter() - begin
    games = int(tally.batches[:2, :, S_GAMES].sum())
    bench.single(f"whole games, {preset}, one rollout[n=50] among smart", "game", [seconds / games])
    assert games == work.unit * work.match_length


STAGES = ("deal and look for tới trắng", "seat the players", "ask every seat to the end", "settle", "add up")


@numba.njit
def _play_to(stage, key, dealer, tests, hall, number, sums):
    """Play a game of each match of a group, up to a stage."""
    game, script = hall.game, hall.game[:0]
    deal_games(key, dealer, tests, None, hall, 0, (0, GROUP), number)
    for match in range(GROUP if stage else 0):
        seat_players(None, hall, 0, match)
        begin_game(key, None, hall, match, number)
        begin(game)
        if stage > 1 and not instant_win(game):
            pass_lead_on(game)
            play_on(game, script, None, None, None, None)
            if stage > 2:
                settle(game)
        if stage > 2:
            carry_over(game)
        if stage > 3:
            finish_game(hall, sums, match, number)


@pytest.mark.parametrize("preset", ["luckywin", "doithuong"])
def test_what_each_stage_costs(bench, preset):
    """Stages added one after another, in turn; the differences are what each costs."""
    work = _work(preset, "lowest")
    key, dealer, tests = work._fixed  # noqa: SLF001 (stages are no work of their own)
    hall, sums = work._hall(), empty_sums(4)  # noqa: SLF001
    play_games(
        key, dealer, tests, None, hall, None, None, None, None, None, 0, (0, GROUP), (0, 1), sums, np.zeros(1, np.int64)
    )
    best = [float("inf")] * len(STAGES)
    for number in range(1, 60):
        for stage in range(len(STAGES)):
            begin_ = time.perf_counter()
            _play_to(stage, key, dealer, tests, hall, number, sums)
            best[stage] = min(best[stage], (time.perf_counter() - begin_) / GROUP)
    for stage, name in enumerate(STAGES):
        bench.single(f"{preset}, lowest: {name}", "game", [best[stage] - (best[stage - 1] if stage else 0)])
    assert sums.batches[:2, :, S_GAMES].sum() >= 59 * GROUP
