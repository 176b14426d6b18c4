"""Skill and luck: closed forms, brute force over matches, records, and resampled matches."""

from itertools import permutations
from math import sqrt
from statistics import NormalDist, mean, stdev
from types import SimpleNamespace

import numpy as np
import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness.skill import Contest, check_skill, contest, mean_win, skill_row
from tlsim.fairness.views import SKILL
from tlsim.kernels import matches as m

NORMAL = NormalDist()


def one_of(mean=1.0, variance=100.0, lead_variance=200.0, lead_covariance=100.0, rivals=3, length=12):
    return Contest(length, mean, 0.1, variance, lead_variance, lead_covariance, rivals)


def test_chance_above_zero():
    """After 24 games, two matches: mean 2, spread √200."""
    assert one_of().chance_above_zero(24) == pytest.approx(NORMAL.cdf(2 / sqrt(200)))


def test_games_to_lead_zero():
    """1.6449² · 100 / 1² matches of 12 games, rounded up."""
    matches = NORMAL.inv_cdf(0.95) ** 2 * 100
    assert one_of().games_to_lead_zero() == int(matches * 12) + 1


def test_against_one_rival():
    """The lead is twice the mean, as his loss is the other's gain."""
    found = one_of(rivals=1).chance_above_all(36)
    assert found == pytest.approx(NORMAL.cdf(2 * 3 / sqrt(3 * 200)))


@pytest.mark.parametrize("rivals", [1, 2, 3, 4])
def test_among_equals_everybody_leads_as_often(rivals):
    """Leads over equal others have correlation 1/2."""
    assert one_of(mean=0.0, rivals=rivals).chance_above_all(120) == pytest.approx(1 / (rivals + 1), abs=1e-9)


def test_leads_that_have_nothing_in_common():
    lead = NORMAL.cdf(4 / 3 / sqrt(200))
    assert one_of(lead_covariance=0.0).chance_above_all(12) == pytest.approx(lead**3, abs=1e-12)


def test_leads_that_are_one():
    assert one_of(lead_covariance=200.0).chance_above_all(12) == pytest.approx(NORMAL.cdf(4 / 3 / sqrt(200)))


def test_leads_against_each_other_are_bounded():
    alone = NORMAL.cdf(4 / 3 / sqrt(200))
    assert one_of(lead_covariance=-10.0).chance_above_all(12) == pytest.approx(1 - 3 * (1 - alone))


def test_the_number_of_games_is_the_least():
    found = one_of()
    for games, chance in (
        (found.games_to_lead_all(), found.chance_above_all),
        (found.games_to_lead_zero(), found.chance_above_zero),
    ):
        assert chance(games) >= 0.95 > chance(games - 1)


@pytest.mark.parametrize("value", [0.0, -0.5, float("nan")])
def test_who_is_not_better_never_leads(value):
    assert one_of(mean=value).games_to_lead_zero() is None
    assert one_of(mean=value).games_to_lead_all() is None


# --- moments ---


def made_up(players, totals, matches=256, length=4):
    """Return games of random matches, each in a batch of its own, and their money by run, match and seat.

    The one in seat r of run r wins 60 half units more; the seat after him makes up for the wanted total.
    """
    rng = np.random.default_rng(players)
    money = rng.integers(-40, 41, (players, matches, players)) * rng.integers(1, 4, (players, matches, 1))
    runs = []
    for run in range(players):
        money[run, :, run] += 60
        money[run, :, (run + 1) % players] += totals[:matches] - money[run].sum(axis=1)
        batches = np.zeros((3, 256, m.N_SUMS), np.int64)
        batches[m.ALL_GAMES][:matches, seats_at(players)] = money[run]
        batches[m.ALL_GAMES][:matches, [at + m.NET_SQUARES for at in seats_at(players)]] = money[run] ** 2
        runs.append(
            SimpleNamespace(
                players=players,
                match_length=length,
                matches=matches,
                tally=SimpleNamespace(batches=batches),
                seat_money=lambda sums=batches: sums[m.ALL_GAMES][:, seats_at(players)],
                batch_games=lambda: np.where(np.arange(256) < matches, length, 0),
            )
        )
    return runs, money / 2


def seats_at(players):
    return [m.S_SEATS + seat * m.N_PER_SEAT for seat in range(players)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moments_where_money_sums_to_zero(players):
    """Against all matches with the others in all orders."""
    check_moments(*made_up(players, np.zeros(256, np.int64)), players)


@pytest.mark.parametrize("players", [3, 4])
def test_moments_of_points(players):
    """Totals that differ from match to match: what counts is what the one is above the table's mean."""
    check_moments(*made_up(players, 10 * np.arange(256) % 310), players)


def check_moments(runs, money, players):
    found = contest(runs)
    one, leads, pairs = [], [], []
    for run in range(players):
        others = [seat for seat in range(players) if seat != run]
        for order in permutations(others):
            one.append(money[run, :, run] - money[run].mean(axis=1))
            leads.append(money[run, :, run] - money[run, :, order[0]])
            pairs.append(money[run, :, run] - money[run, :, order[-1]])
    one, leads, pairs = map(np.concatenate, (one, leads, pairs))
    assert found.mean == pytest.approx(one.mean())
    assert found.variance == pytest.approx(one.var(), rel=0.02)
    assert found.lead_variance == pytest.approx(leads.var(), rel=0.02)
    if players > 2:
        assert found.lead_covariance == pytest.approx(np.cov(leads, pairs)[0, 1], rel=0.05)


# --- real games ---


@pytest.fixture(scope="module")
def games():
    return [tlsim.simulate("luckywin", 96, policies=who(seat), seed=4) for seat in range(4)]


def who(seat):
    return ",".join("smart" if at == seat else "lowest" for at in range(4))


@pytest.fixture(scope="module")
def records():
    return [list(tlsim.play("luckywin", 96, policies=who(seat), seed=4)) for seat in range(4)]


def test_mean_and_error_against_records(games, records):
    """The one's money of each of the 8 matches, over all four seats."""
    row = skill_row(games, ("smart", "lowest"), None, points=False)
    assert tuple(row) == SKILL.keys
    money = [0.0] * 8
    for seat in range(4):
        for record in records[seat]:
            money[record["source"]["match"]] += record["net"][seat] / 4 / 12
    assert row["mean"] == pytest.approx(mean(money))
    assert row["std_error"] == pytest.approx(stdev(money) / sqrt(8))
    assert row["ci_high"] - row["ci_low"] == pytest.approx(2 * 2.364624 * row["std_error"])  # Student, 7 degrees
    assert row["mean_after_rake"] is None


def test_spread_against_records(games, records):
    """Standard deviation of his matches, per root of 12 games."""
    money = np.zeros((4, 8))
    for seat in range(4):
        for record in records[seat]:
            money[seat, record["source"]["match"]] += record["net"][seat]
    row = skill_row(games, ("smart", "lowest"), None, points=False)
    assert row["spread"] == pytest.approx(money.ravel().std(ddof=1) / sqrt(12))


def test_rake_of_the_better_player(games, records):
    won = mean(max(0, record["net"][seat]) for seat in range(4) for record in records[seat])
    assert mean_win(games) == pytest.approx(won)
    row = skill_row(games, ("smart", "lowest"), 0.1, points=False)
    assert row["mean_after_rake"] == pytest.approx(row["mean"] - 0.1 * won)


def test_a_better_mean_takes_fewer_games(games):
    row = skill_row(games, ("smart", "lowest"), None, points=False)
    assert row["games_to_lead_zero_low"] < row["games_to_lead_zero"]
    high = row["games_to_lead_zero_high"]
    assert high is None or high > row["games_to_lead_zero"]
    assert row["games_to_lead_zero"] < row["games_to_lead_all"]


def test_one_match_tells_no_number_of_games():
    row = skill_row([tlsim.simulate("luckywin", 12, policies=who(seat)) for seat in range(4)], ("a", "b"), None,
                    points=False)  # fmt: skip
    assert row["games_to_lead_zero"] is row["games_to_lead_all"] is row["std_error"] is None


@pytest.mark.parametrize("rules", ["doithuong", "luckywin"])
def test_the_normal_distribution_against_resampled_matches(rules):
    """Totals of matches drawn from 2,048 real ones, each seat its own, as often as they would decide it.

    20,000 draws: a share of 0.95 has error 0.0015; 0.02 is allowed for skewness, and for what 2,048 matches do not
    show of the mean (its error moves the chance by up to 0.007 each way, taken 4.9 times over the two: 0.035 in all,
    false alarms under 1e-6). A spread 25 % off would move it by 0.045.
    """
    runs = [[tlsim.simulate(rules, 256 * 12, policies=who(at), seed=seed) for at in range(4)] for seed in (21, 22)]
    totals = []
    for games in runs:
        for seat, each in enumerate(games):  # 256 matches, so each batch is one of them
            totals.append(np.roll(each.seat_money(), -seat, axis=1) / 2)
    pool = np.concatenate(totals)
    found = contest(runs[0])
    rng = np.random.default_rng(7)
    for games, chance, wins in (
        (found.games_to_lead_zero(), found.chance_above_zero, lambda sums: sums[:, 0] > 0),
        (found.games_to_lead_all(), found.chance_above_all, lambda sums: (sums[:, :1] > sums[:, 1:]).all(axis=1)),
    ):
        matches = -(-games // 12)
        drawn = pool[rng.integers(0, len(pool), (20_000, matches))]
        orders = rng.permuted(np.tile([1, 2, 3], (20_000, matches, 1)), axis=2)  # seats drawn anew
        others = np.take_along_axis(drawn, orders, axis=2)
        sums = np.concatenate([drawn[:, :, :1], others], axis=2).sum(axis=1)
        share = (wins(sums) + 0.5 * (sums[:, 0] == 0) * (chance == found.chance_above_zero)).mean()
        assert share == pytest.approx(chance(12 * matches), abs=0.035)


@pytest.mark.parametrize(
    ("skill", "words"),
    [
        ("smart,lowest,random", "names 3 policies"),
        ("smart,lowes", "did you mean 'lowest'"),
        (3, "must name two policies"),
    ],
)
def test_bad_skill(skill, words):
    with pytest.raises(UsageError, match=words):
        check_skill(skill)


def test_skill_is_checked_at_once():
    with pytest.raises(UsageError, match="skill = 'smrt'"):
        tlsim.payout_fairness("luckywin", skill="smrt")


def test_options_have_commas_of_their_own():
    assert check_skill("rollout[n=20,declare=0],smart") == ("rollout[n=20,declare=0]", "smart")
