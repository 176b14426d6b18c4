"""Money and spread by reason, from tallies small enough to check by hand."""

from math import sqrt

import numpy as np
import pytest
from small_samples import CHOP, PLACE, sample_of

import tlsim
from tlsim.fairness.swings import Spread, covariance_rows, reason_rows
from tlsim.fairness.views import COVARIANCES, REASONS
from tlsim.kernels import matches as m


@pytest.fixture
def four_games():
    """Two matches of two games of two seats: seat 0 gets 2, −2, 6, 2 by place and 1, 0, −1, 4 by chops."""
    nets = [[(2, 1), (-2, 0)], [(6, -1), (2, 4)]]
    return sample_of([[[{PLACE: p, CHOP: c}, {PLACE: -p, CHOP: -c}] for p, c in match] for match in nets])


def test_variance_within_seats(four_games):
    """By place about the mean 2: 0, 16, 16, 0; by chops about 1: 0, 1, 4, 9; together 0, 4, −8, 0. Of 4 each."""
    spread = Spread(four_games)
    assert spread.alone[PLACE] == 8
    assert spread.alone[CHOP] == 14 / 4
    assert spread.covariance[PLACE, CHOP] == spread.covariance[CHOP, PLACE] == -1
    assert spread.total == 8 + 14 / 4 - 2


def test_shares_of_the_spread(four_games):
    """Of 9.5: 8 − 1 by place and 3.5 − 1 by chops."""
    place = Spread(four_games).shares(PLACE)
    assert place["spread_alone"] == pytest.approx(8 / 9.5)
    assert place["spread_together"] == pytest.approx(-1 / 9.5)
    assert place["spread_share"][0] == pytest.approx(7 / 9.5)


def test_error_of_a_share_of_the_spread(four_games):
    """Per match by place 16 + 4 and 16 − 8 over 4 hands (each twice), of all 16 + 1 + 8 and 16 + 13 − 16."""
    place, whole = np.array([(16 + 4) / 2, (16 - 8) / 2]), np.array([(16 + 1 + 8) / 2, (16 + 13 - 16) / 2])
    off = place - place.sum() / whole.sum() * whole
    assert Spread(four_games).shares(PLACE)["spread_share"][1] == pytest.approx(sqrt(2 * (off**2).sum()) / whole.sum())


def test_covariances_in_the_unit(four_games):
    """−1 in half units squared; correlation −1 / √(8 · 3.5); matches have −1/4 more and less: (4 − 8)/2 ± 3."""
    (row,) = covariance_rows(four_games)
    assert tuple(row) == COVARIANCES.keys
    assert (row["reason"], row["other"], row["covariance"]) == ("chop", "place", -1 / 4)
    assert row["correlation"] == pytest.approx(-1 / sqrt(28))
    assert row["covariance_error"] == pytest.approx(3 / 4)


@pytest.mark.parametrize("name", ["doithuong", "luckywin_points", "sam_loc"])
def test_shares_add_up(name):
    rows = tlsim.payout_fairness(name, opening=True, players=2, games=480).rows("reasons")
    assert all(tuple(row) == REASONS.keys for row in rows)
    assert sum(row["share"] or 0 for row in rows) == pytest.approx(1)
    assert sum(row["spread_share"] for row in rows) == pytest.approx(1)
    assert sum(row["spread_alone"] + row["spread_together"] for row in rows) == pytest.approx(1)


def test_the_whole_spread_is_that_of_a_seat():
    """Variances and twice the covariances make the variance that the run itself tells of each seat."""
    fairness = tlsim.payout_fairness("doithuong", games=480, opening=True)
    spreads = [row["spread"] for row in fairness.played.stats.rows("seats")]
    assert Spread(fairness.played.sample).total / 4 == pytest.approx(sum(s**2 for s in spreads) / 4)


def test_money_by_reason_has_an_error_over_matches():
    """240 games are 20 matches, each in a batch of its own."""
    played = tlsim.payout_fairness("luckywin", games=240, opening=True).played
    row = next(row for row in played.rows("reasons") if row["reason"] == "place")
    by_match = played.stats.tally.batches[:2, :20, m.S_REASONS + 2 * PLACE + 1].sum(axis=0) / 2 / 12
    assert row["money_per_game"] == pytest.approx(by_match.mean())
    assert row["money_error"] == pytest.approx(by_match.std(ddof=1) / sqrt(20))


def test_points_alone_are_no_money():
    assert tlsim.payout_fairness("tong_thong", games=48).rows("reasons") == []


def test_reasons_of_a_single_match_have_no_error():
    stats = tlsim.simulate("luckywin", games=12)
    rows = reason_rows(stats, sample_of([[[{PLACE: 2}, {PLACE: -2}], [{PLACE: -2}, {PLACE: 2}]]]))
    assert all(row["money_error"] is None for row in rows)
    assert next(row for row in rows if row["reason"] == "place")["spread_error"] is None
