"""Whole games, one thread, beside full deals and the slow twin in plain Python."""

import sys
import time
from pathlib import Path
from random import Random

import pytest
from test_deals import _deals

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.parts import link
from tlsim.engine.policies import read_policies
from tlsim.engine.work import Block
from tlsim.jit import Part
from tlsim.kernels import row as r
from tlsim.kernels.matches import S_GAMES, S_PLAYS

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
        ("luckywin", "lowest", "floor 40 deals, goal 0.9 µs"), ("luckywin", "random", "floor 150 deals, goal 3 µs"),
        ("luckywin", "smart", "goal 5 µs"), ("doithuong", "random", None), ("mien_bac", "random", None),
        ("doithuong", "lowest", None), ("mien_bac", "lowest", None),
        ("sam_loc", "lowest", 26), ("sam_loc", "random[sam=0]", None), ("sam_loc", "smart", "goal 7 µs"),
        ("tong_thong", "lowest", 50), ("tong_thong", "random", None), ("tong_thong", "smart", "goal 10 µs"),
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
    work.tally_of(0, 1, None)  # compile, and fill the caches
    begin = time.perf_counter()
    tally = work(Block(0, work.unit))
    seconds = time.perf_counter() - begin
    games = int(tally.batches[:2, :, S_GAMES].sum())
    bench.single(
        f"whole games, {preset}, one rollout[n=50] among smart", "game", [seconds / games], floor="goal 2.5 ms"
    )
    assert games == work.unit * work.match_length


@pytest.mark.parametrize("policy", ["lowest", "smart"])
def test_games_one_by_one(bench, policy, tmp_path):
    """Processor seconds of one thread, compressing and writing among them; what starts up is taken off."""
    seconds = []
    for at, games in enumerate((1200, 1200, 61_200)):
        begin = time.process_time()
        assert tlsim.write_games(tmp_path / str(at), rules="luckywin", games=games, policies=policy, threads=1) == games
        seconds.append(time.process_time() - begin)
    each = (seconds[2] - seconds[1]) / 60_000
    bench.single(f"games one by one on disk, luckywin, {policy}", "game", [each], floor="goal 20 µs")


@Part
def nothing(game, what, value):  # noqa: ARG001
    """Play no game."""
    game[r.N_PLACES] = 0
    return 0


@pytest.mark.parametrize("preset", ["luckywin", "doithuong"])
def test_what_each_stage_costs(bench, preset, monkeypatch):
    """Whole games, and all but the games: dealing, looking for tới trắng, seating, adding up."""
    work = _work(preset, "lowest")
    games = 256 * work.match_length

    def seconds():
        begin = time.perf_counter()
        tally = work(Block(0, 256))
        return time.perf_counter() - begin, tally

    def without(row, *more):
        rooms = link(row, *more)
        row[r.TABLE_PART] = nothing.address
        return rooms

    seconds()
    whole = [seconds()[0] / games for _ in range(15)]
    monkeypatch.setattr("tlsim.engine.game_work.link", without)
    seconds()
    beside = [seconds()[0] / games for _ in range(15)]
    bench.single(f"{preset}, lowest: the game itself", "game", [min(whole) - min(beside)])
    bench.single(f"{preset}, lowest: dealing, seating, adding up", "game", beside)
    assert seconds()[1].batches[:2, :, S_GAMES].sum() == games
