"""How far money swings, and bankrolls: laws known by hand, and the largest loss by the rules."""

from fractions import Fraction
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from small_samples import CHOP, PLACE, sample_of

import tlsim
from tlsim.fairness.swings import PATHS, bankroll_rows, largest_loss, paths, swing_rows
from tlsim.fairness.views import BANKROLL, SWING
from tlsim.numerals import cost_move

TOGETHER = np.array([[[1.0, -1.0], [1.0, -1.0]], [[-1.0, 1.0], [-1.0, 1.0]]])
"""Two matches of two games of two seats: whoever wins a game wins the next one of the match, too."""


@pytest.fixture
def sample():
    """Seat 0 gets 2, −2, 6, 2 half units by place and 1, 0, −1, 4 by chops, in two matches of two games."""
    nets = [[(2, 1), (-2, 0)], [(6, -1), (2, 4)]]
    return sample_of([[[{PLACE: p, CHOP: c}, {PLACE: -p, CHOP: -c}] for p, c in match] for match in nets])


def test_spread_of_a_game_and_of_a_match(sample):
    """3, −2, 5, 6 half units have the mean 3 and the variance 38 / 4; matches of 1 and 11 the variance 25."""
    row = swing_rows(sample, ("smart", "lowest"), tlsim.load_rules("zing"))[0]
    assert tuple(row) == SWING.keys
    assert (row["seat"], row["policy"]) == (0, "smart")
    assert row["spread_game"] == pytest.approx(sqrt(38 / 4) / 2)
    assert row["spread_match"] == pytest.approx(5 / 2)
    assert row["largest_seen"] == 1


def test_shares_of_its_sources(sample):
    """Cov of 2, −2, 6, 2 (mean 2) with 3, −2, 5, 6 (mean 3) is 28 / 4; of 1, 0, −1, 4 (mean 1) it is 10 / 4."""
    row = swing_rows(sample, ("smart", "lowest"), tlsim.load_rules("zing"))[0]
    assert row["cards"] == pytest.approx(28 / 38)  # places are what a game is about
    assert row["chop"] == pytest.approx(10 / 38)
    assert sum(row[key] for key in ("toi_trang", "chop", "cong", "cards", "other")) == pytest.approx(1)


def test_games_of_a_match_hang_together():
    """Four games are two matches of ±2: −4, 0, 4 with 1/4, 1/2, 1/4, which independent games would have with 1/16, 3/8.

    Of 5,000 evenings, within five errors of a share: a false alarm in 2 million seeds, and 7 % off would show.
    """
    total, lowest = paths(TOGETHER, 4, np.random.default_rng(1))
    for money, share in ((-4, 0.25), (0, 0.5), (4, 0.25)):
        assert abs((total == money).mean() - share) < 5 * sqrt(share * (1 - share) / PATHS)
    assert abs((lowest <= -2).mean() - 0.5) < 5 * sqrt(0.25 / PATHS)  # the first match is lost
    assert abs((lowest <= -4).mean() - 0.25) < 5 * sqrt(0.1875 / PATHS)


def test_a_match_may_be_cut_and_money_may_be_lost_inside_one():
    """Of three games the last is half a match; who falls to −3 and comes back within a match was at −3."""
    total, _ = paths(TOGETHER, 3, np.random.default_rng(1))
    assert set(total.tolist()) == {-3, -1, 1, 3}
    dip = np.array([[[-3.0, 3.0], [3.0, -3.0]]])
    total, lowest = paths(dip, 2, np.random.default_rng(1))
    assert set(total.tolist()) == {0}
    assert set(lowest.tolist()) == {-3, 0}


def test_what_is_not_known_of_the_mean_widens_the_bands():
    """One seat of eight matches of ±4: their mean has an error of 4 / √7 a match, so after 400 it is worth far more."""
    nets = np.array([[[2.0], [2.0]], [[-2.0], [-2.0]]] * 4)
    total, _ = paths(nets, 800, np.random.default_rng(1))
    assert total.std() == pytest.approx(sqrt(400 * 16 + (400 * 4 / sqrt(7)) ** 2), rel=0.06)


def test_bankrolls(sample):
    rows = bankroll_rows(sample, ("smart", "lowest"), 3, Fraction(1, 10), 20.0)
    assert [(row["policy"], row["games"]) for row in rows] == [
        (policy, games) for policy in ("smart", "lowest") for games in (100, 1000, 10_000)
    ]
    for row in rows:
        assert tuple(row) == BANKROLL.keys
        bands = [row[f"q{q}"] for q in (5, 25, 50, 75, 95)]
        assert bands == sorted(bands)
    assert all(one["lost"] <= two["lost"] for one, two in pairwise(rows) if two["games"] > 100)


def test_the_bankroll_that_is_called_enough_is_lost_by_one_in_a_hundred():
    nets = np.zeros((1, 1, 2))
    nets[0, 0] = 1, -1
    total, lowest = paths(nets, 100, np.random.default_rng(2))
    needed = -float(np.quantile(lowest, 0.01, method="lower"))
    assert (lowest < -needed).mean() <= 0.01 < (lowest <= -needed + 1).mean()
    assert abs(total.mean()) < 5 * 10 / sqrt(PATHS)


def test_a_rake_takes_from_every_win_and_one_is_too_much():
    """At the rake from which skill gains nothing the better player's mean is 0."""
    plain = tlsim.payout_fairness("luckywin", games=480, policies="lowest")
    (row,) = plain.rows("skill")
    raked = tlsim.payout_fairness("luckywin", games=480, policies="lowest", rake=round(row["rake_even"], 9))
    assert raked.rows("skill")[0]["mean_after_rake"] == pytest.approx(0, abs=1e-6)
    for one, two in zip(plain.rows("bankroll"), raked.rows("bankroll"), strict=True):
        assert two["q50"] < one["q50"]
        assert two["bankroll_needed"] > one["bankroll_needed"]


def test_the_house_per_hour():
    fairness = tlsim.payout_fairness("luckywin", games=240, policies="lowest", rake=0.05, games_per_hour=30)
    whole, paid = fairness.rows("game_rake")[-1], sum(row["money_per_game"] for row in fairness.rows("reasons"))
    assert whole["house_per_hour"] == pytest.approx(30 * whole["house_per_1000"] / 1000)
    assert whole["hold"] == pytest.approx(whole["house_per_1000"] / 1000 / paid)
    assert 0 < whole["hold"] <= 0.05  # money that goes to and fro is paid twice and won once


@pytest.mark.parametrize("rules", tlsim.list_rules())
def test_no_game_costs_more_than_the_rules_let_it(rules):
    loaded = tlsim.load_rules(rules)
    for players in {loaded.deal.min_players, loaded.deal.max_players}:
        most = largest_loss(loaded, players)
        for policies in ("random", "lowest"):
            stats = tlsim.simulate(loaded, 1200, players=players, policies=policies, seed=5)
            seen = [row["value"] for row in stats.rows("extremes") if row["extreme"] == "largest_loss"]
            assert all(value <= most for value in seen), (players, policies, seen, most)


def test_the_largest_loss_by_hand(tiny):
    """One card each: tới trắng at 3 and no more; or a 2 of 1 left (luckywin) and no bomb in one card."""
    rules = tlsim.load_rules(tiny(1, 30))
    assert largest_loss(rules, 2) >= 30
    assert largest_loss(tlsim.load_rules(tiny(1, 300, name="b.toml")), 2) == largest_loss(rules, 2) + 270


@pytest.mark.parametrize("bankroll", [0, -1, float("nan"), True])
def test_bad_bankrolls(bankroll):
    with pytest.raises(tlsim.errors.UsageError, match="must be a number over 0"):
        tlsim.payout_fairness("zing", bankroll=bankroll)


def test_a_cost_that_may_move():
    assert (cost_move("+15%"), cost_move("-0.1"), cost_move("5 %")) == ((0, 0.15), (0.1, 0), (0.05, 0.05))
