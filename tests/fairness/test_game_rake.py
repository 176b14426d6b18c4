"""A rake on whole games."""

from fractions import Fraction

import numpy as np
import pytest

import tlsim
from tlsim.fairness.sample import MONEY, THINGS, Sample
from tlsim.fairness.swings import game_rake_rows
from tlsim.fairness.views import GAME_RAKE


@pytest.fixture
def rows():
    """Two matches of two games of two seats: seat 0 wins 10 and 4 units, then −6 and 0."""
    money = np.zeros((2, 2, len(MONEY)), np.int64)
    money[:, 0, 0], money[:, 1, 0] = [28, -12], [-28, 12]
    nets = np.array([[[20, -20], [8, -8]], [[-12, 12], [0, 0]]])
    none = np.zeros((2, len(MONEY), len(MONEY)), np.int64)
    sample = Sample(np.ones(2, np.int64), np.zeros((2, len(THINGS), 6), np.int64), money, none, none[:, :2], nets)
    return game_rake_rows(sample, ("smart", "lowest"), Fraction(1, 10))


def test_of_a_seat(rows):
    """Seat 0 wins 14 in 2 of 4 games: 7 each, 0.7 of it go; of 8 that he has 1.4 go; matches 12.6 and −6 over 2."""
    row = rows[0]
    assert tuple(row) == GAME_RAKE.keys
    assert (row["seat"], row["policy"], row["wins"]) == (0, "smart", 0.5)
    assert (row["received"], row["house"], row["left"]) == (7, pytest.approx(0.7), pytest.approx(6.3))
    assert row["house_per_1000"] == pytest.approx(1.4 / 4 * 1000)
    assert row["house_error"] == pytest.approx(np.std([0.7, 0.0], ddof=1) / np.sqrt(2) * 1000)
    assert row["net_per_1000"] == pytest.approx((8 - 1.4) / 4 * 1000)
    assert row["net_error"] == pytest.approx(np.std([6.3, -3.0], ddof=1) / np.sqrt(2) * 1000)


def test_of_the_table(rows):
    """20 are won in three wins, 2 go to the house, each of two players loses 1 in 4 games."""
    row = rows[-1]
    assert (row["seat"], row["policy"], row["wins"]) == (None, None, 0.75)
    assert row["received"] == pytest.approx(20 / 3)
    assert row["house_per_1000"] == pytest.approx(2 / 4 * 1000)
    assert row["net_per_1000"] == pytest.approx(-1 / 4 * 1000)


def test_what_the_house_takes_the_players_lose():
    rows = tlsim.payout_fairness("sam_loc", players=3, games=240, rake=0.05, opening=True).rows("game_rake")
    assert sum(row["house_per_1000"] for row in rows[:-1]) == pytest.approx(rows[-1]["house_per_1000"])
    assert rows[-1]["net_per_1000"] == pytest.approx(-rows[-1]["house_per_1000"] / 3)


@pytest.mark.parametrize(("rules", "rake"), [("luckywin_points", 0.05), ("tong_thong", 0.05), ("luckywin", None)])
def test_nothing_of_points_and_without_a_rake(rules, rake):
    assert tlsim.payout_fairness(rules, games=12, rake=rake, opening=True).rows("game_rake") == []


def test_a_seat_that_never_wins():
    none = np.zeros((1, len(MONEY), len(MONEY)), np.int64)
    with_net, nets = np.zeros((1, 2, len(MONEY)), np.int64), np.zeros((1, 1, 2), np.int64)
    sample = Sample(
        np.ones(1, np.int64), np.zeros((1, len(THINGS), 6), np.int64), np.zeros((1, 2, len(MONEY)), np.int64), none,
        with_net, nets,
    )  # fmt: skip
    row = game_rake_rows(sample, ("a", "b"), Fraction(1, 2))[0]
    assert row["received"] is row["house"] is row["house_error"] is None
    assert row["house_per_1000"] == 0
