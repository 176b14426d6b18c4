"""When a run stops: at set points alone, for a reason that it states, and its intervals cover as they claim."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from faulty import Counted

import tlsim
from tlsim.engine import run as module
from tlsim.engine.run import REASONS, Until
from tlsim.engine.work import CHUNK, point
from tlsim.errors import UsageError
from tlsim.intervals import korn_graubard, level_after
from tlsim.questions.how import quantity

GOAL = Until(rel_error=0.05, of="sanh_rong")


def stopping(**how):
    return tlsim.estimate_odds("doithuong", deals=10**9, seed=3, until=GOAL, **how)


@pytest.fixture(scope="module")
def stopped():
    return stopping(threads=1)


def test_it_stops_at_the_first_set_point_where_the_error_is_reached(stopped):
    assert stopped.stopped == "error"
    assert stopped.complete
    points = [CHUNK * point(number) for number in range(1, 12)]
    reached = []
    for deals in points:
        odds = tlsim.estimate_odds("doithuong", deals=deals, seed=3)
        estimate, error = quantity(odds, "sanh_rong")
        if error <= 0.05 * estimate:
            reached.append((deals, odds.tally))
            break
    assert reached == [(stopped.deals, stopped.tally)]
    assert stopped.deals > points[1]


def test_it_stops_there_whatever_does_the_work(stopped, processes):
    for how in ({"threads": 3}, {"executor": processes, "threads": 2}):
        assert stopping(**how).tally == stopped.tally


def test_games_stop_by_the_error_of_a_seat_or_an_event():
    until = Until(abs_error=0.02, of="seat_1")
    one, two = (tlsim.simulate("luckywin", games=10**6, until=until, threads=n, seed=1) for n in (1, 2))
    assert one.tally == two.tally
    assert one.stopped == "error"
    assert quantity(one, "seat_1")[1] <= 0.02
    event = tlsim.simulate("luckywin", games=10**6, until=Until(rel_error=0.05, of="cong_one"), seed=1)
    assert quantity(event, "cong_one")[1] <= 0.05 * quantity(event, "cong_one")[0]
    later = tlsim.simulate("luckywin", games=10**6, until=Until(abs_error=0.02, at_least=50_000), seed=1)
    assert later.games >= 50_000 > one.games


def test_the_worst_of_the_common_patterns():
    odds = tlsim.estimate_odds("doithuong", deals=10**8, until=Until(rel_error=0.1, floor=1e-4), seed=3)
    known = odds.quantities(1e-4)
    common = ("sanh_rong", "hai_tu_quy", "nam_doi_thong", "tu_quy_2", "sau_doi")  # by exact count over 1e-4
    assert all(known[name][1] <= 0.1 * known[name][0] for name in common)
    assert known["worst"] == known["hai_tu_quy"]
    assert known["sau_doi_thong"][1] > 0.1 * known["sau_doi_thong"][0]


def test_both_errors_must_be_reached():
    both = Until(rel_error=0.1, abs_error=0.5, of="x")
    assert not both.reached(100.0, 0.6, 1000)
    assert not both.reached(1.0, 0.4, 1000)
    assert both.reached(100.0, 0.5, 1000)


@pytest.mark.parametrize("error", [0.0, math.nan, math.inf])
def test_what_is_not_known_is_not_small(error):
    """No event yet has no error; it is not known well."""
    assert not Until(abs_error=1.0, of="x").reached(0.0, error, 10**6)


def test_the_number_of_deals_is_never_exceeded():
    odds = tlsim.estimate_odds("doithuong", deals=5000, until=Until(rel_error=0.0001, of="sau_doi"))
    assert (odds.deals, odds.stopped) == (5000, "size")


@dataclass(frozen=True)
class Counting:
    """Sums its units."""

    def __call__(self, block, _stop=None):
        return Counted(block.deals, sum(range(block.first, block.first + block.deals)))


def test_no_work_is_begun_when_the_time_is_over(monkeypatch):
    """The time is over after the third look at the clock; what was begun is finished and counts."""
    now = [0.0]
    clock = module.time.perf_counter

    def perf_counter():
        now[0] += 1.0
        return now[0]

    monkeypatch.setattr(module.time, "perf_counter", perf_counter)
    outcome = module.run(Counting(), 10**6, Counted(), threads=1, unit=1, until=Until(max_time=20.0))
    monkeypatch.setattr(module.time, "perf_counter", clock)
    assert outcome.stopped == "time"
    assert outcome.complete
    assert 0 < outcome.tally.deals < 10**6
    assert outcome.tally.units == sum(range(outcome.tally.deals))


def test_there_is_always_something(monkeypatch):
    """The time is over before anything can be handed out; one look at the clock takes a quarter of an hour."""
    now = [0.0]

    def perf_counter():
        now[0] += 1000.0
        return now[0]

    monkeypatch.setattr(module.time, "perf_counter", perf_counter)
    outcome = module.run(Counting(), 10**6, Counted(), threads=1, unit=1, until=Until(max_time=20.0))
    monkeypatch.undo()
    assert outcome.stopped == "time"
    assert 0 < outcome.tally.deals < 100


def test_a_run_within_its_time_is_whole():
    outcome = module.run(Counting(), 100, Counted(), threads=1, unit=1, until=Until(max_time=1e6))
    assert (outcome.stopped, outcome.tally.deals) == ("size", 100)


def test_every_reason_has_words():
    from tlsim.terms import term

    assert all(term(f"stop_{reason}", lang) for reason in REASONS if reason != "size" for lang in ("vi", "en"))


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"max_time": 0}, "max_time"), ({"max_time": math.nan}, "max_time"), ({"rel_error": 0.2}, "at most 0.1"),
        ({"rel_error": -1}, "rel_error"), ({"abs_error": "1"}, "abs_error"), ({"of": "x"}, "give rel_error"),
        ({"at_least": 5}, "give rel_error"), ({"rel_error": 0.1, "at_least": -1}, "at_least"),
        ({"rel_error": 0.1, "floor": 1.0}, "floor"), ({"rel_error": True}, "rel_error"),
    ],
)  # fmt: skip
def test_arguments_that_are_refused(wrong, word):
    with pytest.raises(UsageError, match=word):
        Until(**wrong)


def test_an_unknown_quantity_is_named_with_those_there_are():
    with pytest.raises(UsageError, match=r"of = 'sau_do': must be one of .*; did you mean 'sau_doi'"):
        tlsim.estimate_odds("doithuong", deals=10**5, until=Until(rel_error=0.1, of="sau_do"))
    with pytest.raises(UsageError, match=r"of = 'seat_4': must be one of seat_0, "):
        tlsim.simulate("luckywin", games=10**5, until=Until(rel_error=0.1, of="seat_4"))


# What stopping does to intervals


def simulated_coverage(until, per_unit, runs, seed):
    """Share of simulated runs whose interval holds the true share, the runs ending as the engine ends them."""
    rng = np.random.default_rng(seed)
    p, covered = per_unit / CHUNK, 0
    first = max(1, next(n for n in range(1, 60) if per_unit * point(n) > 0.2 / until.rel_error**2) - 1)
    for _ in range(runs):
        count, number = int(rng.binomial(point(first) * CHUNK, p)), first
        while True:
            deals = point(number) * CHUNK
            if until.reached(count / deals, math.sqrt(count * (1 - count / deals)) / deals, deals):
                break
            count += int(rng.binomial((point(number + 1) - point(number)) * CHUNK, p))
            number += 1
        low, high = korn_graubard(count, deals, level=level_after("error"))
        covered += low <= p <= high
    return covered / runs


@pytest.mark.parametrize(
    ("rel_error", "phase", "runs"),
    [(0.02, -1.95, 60_000), (0.1, -1.95, 20_000), (0.02, 0.0, 20_000), (0.1, 1.0, 20_000)],
)
def test_intervals_after_stopping_cover(rel_error, phase, runs):
    """At a look where the mean lies ``phase`` standard deviations above the wanted count; -1.95 is the worst.

    True coverage is 0.95 or more, so a test fails once in a million times (4.75 standard deviations); the seeds are
    fixed. Intervals of 95 % cover 0.941 in the first case, five standard deviations under what it allows.
    """
    wanted, number = 1 / rel_error**2, 13  # the next look is half as far again, which is worse than a third
    per_unit = (wanted + phase * math.sqrt(wanted)) / point(number)
    allowed = 0.95 - 4.75 * math.sqrt(0.05 * 0.95 / runs)
    assert simulated_coverage(Until(rel_error=rel_error), per_unit, runs, seed=5) >= allowed


def test_results_use_that_level():
    plain = tlsim.estimate_odds("doithuong", deals=point(7) * CHUNK, seed=3)
    until = Until(rel_error=0.1, of="sau_doi", at_least=point(7) * CHUNK)
    early = tlsim.estimate_odds("doithuong", deals=10**8, seed=3, until=until)
    assert early.tally == plain.tally
    for one, two in zip(plain.rows(), early.rows(), strict=True):
        if one["count"]:
            assert two["ci_low"] < one["ci_low"] < one["ci_high"] < two["ci_high"]
