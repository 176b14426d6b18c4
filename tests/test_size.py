"""10¹² deals' worth of counts: nothing overflows, and a store holds them; shown by merging synthetic tallies."""

from dataclasses import fields

import numpy as np
import pytest

import tlsim
from tlsim.engine.packed import pack, unpack

DEALS = 1_000_448  # 977 chunks, of a real run
DOUBLINGS = 20  # to 1.05 · 10¹² deals
GAMES = 98_304  # 32 units of matches
GAME_DOUBLINGS = 23  # to 0.8 · 10¹² games


def doubled(tally, times):
    for _ in range(times):
        tally = tally + tally
    return tally


def sums(tally, name):
    """Return a field of a tally as Python's whole numbers, which know no size."""
    return np.asarray(getattr(tally, name)).astype(object)


@pytest.mark.parametrize(("rules", "opening"), [("doithuong", False), ("luckywin", True)])
def test_odds(rules, opening):
    odds = tlsim.estimate_odds(rules, deals=DEALS, opening=opening, seed=1)
    huge = doubled(odds.tally, DOUBLINGS)
    for field in fields(huge):
        assert (sums(huge, field.name) == sums(odds.tally, field.name) * 2**DOUBLINGS).all(), field.name
    assert int(huge.total("deals")) == DEALS * 2**DOUBLINGS > 10**12
    assert unpack(pack(huge), odds.tally) == huge


@pytest.mark.parametrize("rules", [name for name in tlsim.list_rules() if name not in ("sam_loc", "tong_thong")])
def test_games(rules):
    stats = tlsim.simulate(rules, games=GAMES, players=4, policies="lowest", seed=1)
    huge = doubled(stats.tally, GAME_DOUBLINGS)
    for field in fields(huge):
        factor = 1 if field.name == "extremes" else 2**GAME_DOUBLINGS
        assert (sums(huge, field.name) == sums(stats.tally, field.name) * factor).all(), field.name
    assert unpack(pack(huge), stats.tally) == huge


@pytest.mark.parametrize("rules", ["doithuong", "luckywin", "sam_loc"])
def test_hands_and_means(rules):
    money = tlsim.mean_money(rules, games=24_000, policies="lowest", seed=1)
    huge = doubled(money.moments, 20)
    assert (sums(huge, "products") == sums(money.moments, "products") * 2**20).all()
    assert unpack(pack(huge), money.moments) == huge


def test_sums_that_would_not_fit_are_refused():
    money = tlsim.mean_money("doithuong", games=2400, policies="lowest", seed=1)
    with pytest.raises(tlsim.UsageError, match=r"the sums of this run do not fit into 64 bits: ask for fewer games"):
        doubled(money.moments, 63)


def test_a_result_of_that_size_is_right():
    """The same shares, and errors smaller by the root of the factor."""
    from dataclasses import replace

    stats = tlsim.simulate("luckywin", games=GAMES, policies="lowest", seed=1)
    huge = replace(
        stats, tally=doubled(stats.tally, GAME_DOUBLINGS), matches=stats.matches * 2**GAME_DOUBLINGS
    )  # fmt: skip
    assert huge.games == stats.games * 2**GAME_DOUBLINGS
    for small, large in zip(stats.rows("seats"), huge.rows("seats"), strict=True):
        assert large["mean"] == small["mean"]
        assert large["std_error"] == pytest.approx(small["std_error"] / 2 ** (GAME_DOUBLINGS / 2), rel=1e-4)
    for small, large in zip(stats.rows("events"), huge.rows("events"), strict=True):
        assert large["per_game"] == small["per_game"]
