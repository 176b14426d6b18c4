"""What leading and sitting are worth: against records counted in plain Python."""

from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.special import stdtrit

import tlsim
from tlsim.fairness import views
from tlsim.fairness.skill import DIRECTION_RULE, direction_rows, leading_rows
from tlsim.fairness.skill import directions as both_ways

GAMES = 40


@pytest.fixture(scope="module", params=[("doithuong", 4), ("luckywin_points", 3)])
def led(request):
    """Return the rows, and the money of each deal by distance from the leader, each seat leading once."""
    rules, players = request.param
    rows = leading_rows(
        [tlsim.simulate(rules, GAMES, players, "smart", seed=6, leader=leader) for leader in range(players)]
    )
    money = np.zeros((GAMES, players))
    for leader in range(players):
        for record in tlsim.play(rules, GAMES, players, "smart", seed=6, leader=leader):
            for seat in range(players):
                money[record["source"]["match"], (seat - leader) % players] += record["net"][seat]
    return rows, money


def test_means_by_distance(led):
    """Every deal counts once for each leader; deals are the independent unit."""
    rows, money = led
    players = money.shape[1]
    for at, row in enumerate(rows):
        assert tuple(row) == views.LEADING.keys
        assert row["at"] == at
        assert row["mean"] == pytest.approx(mean(money[:, at]) / players)
        assert row["std_error"] == pytest.approx(stdev(money[:, at]) / players / sqrt(GAMES))


def test_ahead_is_paired(led):
    rows, money = led
    players = money.shape[1]
    for at, row in enumerate(rows):
        ahead = money[:, at] - np.delete(money, at, axis=1).mean(axis=1)
        assert row["ahead"] == pytest.approx(ahead.mean() / players)
        assert row["ahead_error"] == pytest.approx(ahead.std(ddof=1) / players / sqrt(GAMES))


def test_intervals_hold_together(led):
    rows, money = led
    reach = stdtrit(GAMES - 1, 1 - 0.05 / 2 / money.shape[1])
    for row in rows:
        assert row["ci_high"] - row["mean"] == pytest.approx(reach * row["std_error"])
        assert row["mean"] - row["ci_low"] == pytest.approx(reach * row["std_error"])


def test_the_luck_of_the_cards_falls_away():
    """With the same cards seen from every seat the error is smaller than of games in which each deal is led once."""
    rows = leading_rows([tlsim.simulate("luckywin", 3000, policies="lowest", seed=2, leader=at) for at in range(4)])
    once = tlsim.simulate("luckywin", 12_000, policies="lowest", seed=3, leader=0).rows("roles")[0]
    assert rows[0]["std_error"] < 0.9 * once["std_error"]
    assert abs(rows[0]["mean"] - once["mean"]) < 5.4 * (rows[0]["std_error"] + once["std_error"])


# --- direction ---


@pytest.fixture(scope="module")
def directions():
    """Return the rows, and money by match and distance from the one smart seat, without and with the rule."""
    matches, found = 12, []
    rules = [tlsim.load_rules("luckywin").replace(DIRECTION_RULE, value) for value in (False, True)]
    stats, policies = [], [",".join("smart" if at == seat else "lowest" for at in range(4)) for seat in range(4)]
    for each in rules:
        stats.append([tlsim.simulate(each, 12 * matches, policies=who, seed=8) for who in policies])
        money = np.zeros((matches, 4))
        for seat, who in enumerate(policies):
            for record in tlsim.play(each, 12 * matches, policies=who, seed=8):
                for at in range(4):
                    money[record["source"]["match"], at] += record["net"][(seat + at) % 4]
        found.append(money / 4 / 12)
    return direction_rows(*stats), *found


def test_means_around_the_better_player(directions):
    rows, off, on = directions
    assert [row["at"] for row in rows] == [0, 1, 2, 3, None]
    for row in rows[:4]:
        assert tuple(row) == views.DIRECTION.keys
        at = row["at"]
        for name, money in (("straight", off), ("alternating", on)):
            assert row[name] == pytest.approx(money[:, at].mean())
            assert row[f"{name}_error"] == pytest.approx(money[:, at].std(ddof=1) / sqrt(12))


def test_the_difference_is_paired(directions):
    rows, off, on = directions
    reach = stdtrit(12 - 1, 1 - 0.05 / 2 / 5)
    for row in rows[:4]:
        gap = on[:, row["at"]] - off[:, row["at"]]
        assert row["difference"] == pytest.approx(gap.mean(), abs=1e-12)
        assert row["std_error"] == pytest.approx(gap.std(ddof=1) / sqrt(12))
        assert row["ci_high"] - row["difference"] == pytest.approx(reach * row["std_error"])


def test_the_last_row_is_who_plays_after_less_who_plays_before(directions):
    rows, off, on = directions
    assert rows[-1]["straight"] == pytest.approx((off[:, 1] - off[:, 3]).mean())
    gap = on[:, 1] - on[:, 3] - off[:, 1] + off[:, 3]
    assert rows[-1]["difference"] == pytest.approx(gap.mean())
    assert rows[-1]["std_error"] == pytest.approx(gap.std(ddof=1) / sqrt(12))


def test_two_players_have_one_neighbour():
    assert tlsim.payout_fairness("luckywin", 2, games=24, opening=True).rows("direction") == []


def test_among_equal_players_no_seat_is_better():
    """Exactly so: over the same deals from every seat, whatever the one wins here he loses there."""
    off, on = ([tlsim.simulate(rules, 60, policies="lowest")] * 4 for rules in both_ways(tlsim.load_rules("luckywin")))
    rows = direction_rows(off, on)
    assert len(rows) == 5
    for row in rows:
        assert row["straight"] == row["alternating"] == row["std_error"] == 0


def test_a_rule_that_alternates_evens_the_neighbours_out():
    """Without it they are 0.14 apart. False alarms 1e-6 (4.9 errors of 0.008); 0.08 apart would be seen."""
    fairness = tlsim.payout_fairness("luckywin", games=24_000, opening=True, seed=5)
    row = fairness.rows("direction")[-1]
    assert abs(row["alternating"]) < 0.02 + 4.9 * row["alternating_error"]
    assert row["straight"] < -0.14 + 4.9 * row["straight_error"]
    assert row["alternating_error"] < 0.012
