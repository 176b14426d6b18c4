"""Calls of Sâm: what `simulate` says is what can be counted in the records, and tallies made by hand."""

import math
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.results.titles import CallStakes, call_difference_rows, call_rows

POLICIES = "smart[sam=1],smart,lowest,smart"
EVEN = CallStakes(gain=60, loss=60)


def asked_in(record):
    """Seats that are asked, in order from the leader to the caller, and who that is (003#R47, K1)."""
    caller = next((call["seat"] for call in record["calls"] if call["call"] == "sam"), None)
    players = record["players"]
    order = [(record["leader"] + record["direction"] * step) % players for step in range(players)]
    return (order if caller is None else order[: order.index(caller) + 1]), caller


def counted(records, policies):
    """Outcomes of calls by policy, from records; `lowest` weighs no hand."""
    seen, money = defaultdict(Counter), defaultdict(Counter)
    for record in records:
        asked, caller = asked_in(record)
        for seat in asked:
            policy = policies[seat]
            if policy == "lowest":
                continue
            seen[policy]["hands"] += 1
            calls = seat == caller
            money[policy]["call" if calls else "silent"] += record["net"][seat]
            if calls:
                seen[policy]["calls"] += 1
                seen[policy]["void"] += any(call["call"] == "toi_trang" for call in record["calls"])
                seen[policy]["made"] += any(transfer["reason"] == "sam" for transfer in record["transfers"])
    return seen, money


@pytest.mark.parametrize("players", [2, 4, 5])
def test_calls_are_those_of_the_records(players):
    policies = (POLICIES + ",smart[sam=0]").split(",")[:players]
    options = {"games": 600, "players": players, "policies": ",".join(policies), "seed": 7}
    stats, records = tlsim.simulate("sam_loc", **options), tlsim.play("sam_loc", **options)
    seen, money = counted(records, policies)
    rows = stats.rows("sam_calls")
    totals = {row["policy"]: row for row in rows if row["strength_from"] is None}
    assert set(totals) == {policy for policy in policies if policy != "lowest"} == set(seen)
    assert totals["smart[sam=1]"]["calls"] == totals["smart[sam=1]"]["hands"] > 0
    assert players < 5 or totals["smart[sam=0]"]["calls"] == 0
    for policy, row in totals.items():
        found = {key: row[key] for key in ("hands", "calls", "void", "made")}
        assert found == {key: seen[policy][key] for key in found}
        calls = found["calls"]
        assert (row["call_mean"] or 0) * calls == pytest.approx(money[policy]["call"])
        assert (row["silent_mean"] or 0) * (found["hands"] - calls) == pytest.approx(money[policy]["silent"])
        played = calls - found["void"]
        assert row["success"] == (found["made"] / played if played else None)
        bins = [each for each in rows if each["policy"] == policy and each["strength_from"] is not None]
        assert {key: sum(each[key] for each in bins) for key in found} == found
        assert all(each["hands"] for each in bins)
        assert all(each["strength_to"] - each["strength_from"] == pytest.approx(0.05) for each in bins)
    events = {row["event"]: row["count"] for row in stats.rows("events")}
    made = sum(any(transfer["reason"] == "sam" for transfer in record["transfers"]) for record in records)
    blocked = sum(any(transfer["reason"] == "sam_blocked" for transfer in record["transfers"]) for record in records)
    assert events["sam_called"] == sum(asked_in(record)[1] is not None for record in records)
    assert events["sam_made"] == made == sum(row["made"] for row in totals.values())
    assert events["sam_blocked"] + events["sam_stuck"] == blocked


def test_errors_are_those_of_matches():
    """50 matches, each a batch: the error of a ratio, worked out from the records."""
    options = {"games": 600, "policies": POLICIES, "seed": 7}
    stats, records = tlsim.simulate("sam_loc", **options), tlsim.play("sam_loc", **options)
    row = next(r for r in stats.rows("sam_calls") if r["policy"] == "smart[sam=1]" and r["strength_from"] is None)
    made, played, won, called = (np.zeros(50) for _ in range(4))
    for record in records:
        at = record["source"]["match"]
        if asked_in(record)[1] == 0:
            void = any(call["call"] == "toi_trang" for call in record["calls"])
            played[at] += not void
            made[at] += any(transfer["reason"] == "sam" for transfer in record["transfers"])
            called[at] += 1
            won[at] += record["net"][0]
    for top, under, key in ((made, played, "success"), (won, called, "call_mean")):
        ratio, used = top.sum() / under.sum(), under > 0
        n = used.sum()
        error = math.sqrt(((top - ratio * under)[used] ** 2).sum() * n / (n - 1)) / under.sum()
        assert row[key] == pytest.approx(ratio)
        assert row[f"{key}_std_error"] == pytest.approx(error)


def test_strengths_are_those_of_the_row_of_the_game():
    """Thousandths in the row, steps of 5 % in the table."""
    rules = tlsim.load_rules("sam_loc")
    work = GameWork(3, rules, 4, read_policies("smart", 4), 12)
    seen = Counter()
    for match in range(40):
        for hall in work.games_of(match):
            for position in range(4):
                strength = int(hall.game[c.STRENGTHS + position]) - 1
                if strength >= 0:
                    seen[min(strength // 50, 19)] += 1
    rows = tlsim.simulate(rules, games=480, policies="smart", seed=3).rows("sam_calls")
    assert {round(20 * row["strength_from"]): row["hands"] for row in rows if row["strength_to"]} == seen
    assert len(seen) > 5


def test_a_table_of_lowest_weighs_nothing():
    stats = tlsim.simulate("sam_loc", games=120, policies="lowest", seed=1)
    assert stats.rows("sam_calls") == []
    assert len(stats.to_frame("sam_calls")) == 0
    assert stats.plot(view="sam_calls", lang="en").texts[0].get_text() == "nothing to draw"


# What is at stake


@pytest.mark.parametrize(
    ("changes", "players", "gain", "loss"),
    [
        ({}, 4, 60, 60),  # 003#R48, K3: 20 from each of three; 20 for each of three
        ({}, 2, 20, 20),
        ({"fail_multiplier": "players"}, 4, 60, 80),
        ({"fail_payee": "each_opponent"}, 5, 80, 80),
        ({"fail_payee": "each_opponent", "fail_multiplier": "players"}, 5, 80, 100),
        ({"pays": 10, "fail_pays": 30}, 3, 20, 60),
    ],
)
def test_stakes(changes, players, gain, loss):
    rules = tlsim.load_rules("sam_loc").replace({f"bao_sam.{key}": value for key, value in changes.items()})
    stakes = CallStakes.of(rules, players)
    assert stakes == CallStakes(gain, loss)
    assert stakes.break_even == loss / (gain + loss)
    records = tlsim.play(rules, games=240, players=players, policies="smart[sam=1]", seed=2)
    ends = {"sam": set(), "sam_blocked": set()}
    for record in records:
        caller = asked_in(record)[1]
        for reason in {transfer["reason"] for transfer in record["transfers"]} & set(ends):
            ends[reason].add(record["net"][caller])
    assert ends["sam"] == {gain}
    assert ends["sam_blocked"] - {-20 * (players - 1)} <= {-loss}  # stuck without a blocker: each opponent, M14
    assert -loss in ends["sam_blocked"]


def test_no_stakes():
    assert CallStakes.of(tlsim.load_rules("luckywin"), 4) is None
    assert CallStakes(0, 0).break_even is None
    assert CallStakes(0, 0).against(5.0) is None
    assert EVEN.against(None) is None


def tally(*entries):
    """Sums of calls: (batch, seat, bin, asked, called, void, made, money, silent money), amounts in half units."""
    calls = np.zeros((256, 4, m.N_STRENGTHS, m.N_CALL_SUMS), np.int64)
    for batch, seat, at, *sums in entries:
        calls[batch, seat, at] += sums
    return calls


def test_a_tally_by_hand():
    calls = tally(
        (0, 0, 12, 5, 3, 1, 2, 120, 40), (1, 0, 12, 4, 2, 0, 0, -240, 20), (0, 2, 12, 1, 0, 0, 0, 0, -10),
        (3, 2, 19, 1, 1, 0, 1, 120, 0), (0, 1, 0, 7, 0, 0, 0, 0, 70),
    )  # fmt: skip
    rows = call_rows(calls, ("smart", "random", "smart", "lowest"), EVEN)
    assert [(row["policy"], row["strength_from"], row["hands"]) for row in rows] == [
        ("smart", 0.6, 10), ("smart", 0.95, 1), ("smart", None, 11), ("random", 0.0, 7), ("random", None, 7),
    ]  # fmt: skip
    one, surely, whole, never, _ = rows
    assert (one["calls"], one["void"], one["made"], one["success"]) == (5, 1, 2, 0.5)
    assert one["call_mean"] == pytest.approx((60 - 120) / 5)
    assert one["silent_mean"] == pytest.approx((20 + 10 - 5) / 5)
    assert one["ci_low"] < 0.2
    assert one["ci_high"] > 0.8
    # all made, in one batch: no error, but an interval down to 0.025
    assert (surely["success"], surely["success_std_error"], surely["ci_low"]) == (1.0, None, pytest.approx(0.025))
    assert (surely["call_mean"], surely["call_mean_std_error"], surely["silent_mean"]) == (60.0, None, None)
    assert (whole["calls"], whole["made"]) == (6, 3)
    assert (never["success"], never["call_mean"], never["silent_mean"]) == (None, None, 5.0)
    assert (never["ci_low"], never["ci_high"]) == (0.0, 1.0)
    assert {row["break_even"] for row in rows} == {0.5}


def test_a_difference_by_hand():
    calling = tally((0, 0, 12, 2, 2, 0, 1, 0, 0), (1, 0, 12, 3, 2, 0, 2, 240, 6), (5, 1, 3, 9, 9, 9, 0, 99, 0))
    silent = tally((0, 0, 12, 2, 0, 0, 0, 0, 20), (1, 0, 12, 3, 0, 0, 0, 0, 60), (2, 0, 19, 1, 0, 0, 0, 0, 30))
    for calls, sign in (((calling, silent), 1), ((silent, calling), -1)):
        rows = call_difference_rows(calls, [0], (EVEN, EVEN))
        assert [row["strength_from"] for row in rows] == [0.6, 0.95, None]
        row, alone, whole = rows
        assert (row["hands"], row["other_hands"]) == (5, 5)
        assert row["difference"] == pytest.approx(sign * (246 - 80) / 2 / 5)
        # residuals by batch over five hands: of the one run 0 - 2 · 49.2, 246 - 3 · 49.2, of the other 20 - 32, 60 - 48
        off = [(0 - 98.4) - (20 - 32), (246 - 147.6) - (60 - 48)]
        assert row["std_error"] == pytest.approx(math.sqrt(sum(x * x for x in off) * 2) / 5 / 2)
        assert row["success"] == 0.75
        # of 80 halves that silent hands win, the four that are called in the other run win all but 6
        assert row["break_even"] == pytest.approx((74 / 2 / 4 + 60) / 120)
        assert (alone["difference"], alone["success"], alone["std_error"]) == (None, None, None)
        assert {alone["hands"], alone["other_hands"]} == {0, 1}
        # the runs ask other numbers of hands, so all there is is what a call wins, less the difference over its calls
        assert whole["break_even"] == pytest.approx((30 - (246 / 2 / 5 - 110 / 2 / 6) * 5 / 4 + 60) / 120)


def test_hands_that_a_toi_trang_settles_do_not_count_against_silence():
    """32 hands, all called: two hold a tới trắng and win 60 either way, the others 60 by calling, else 1,220 in all."""
    calling, silent = tally((0, 0, 19, 32, 32, 2, 30, 3840, 0)), tally((0, 0, 19, 32, 0, 0, 0, 0, 2 * (1220 + 120)))
    row, _ = call_difference_rows((calling, silent), [0], (EVEN, EVEN))
    assert row["success"] == 1
    assert row["break_even"] == pytest.approx((1220 / 30 + 60) / 120)


def test_calling_against_not_calling_over_the_same_deals():
    options = {"games": 240, "leader": 0, "seed": 5}
    first = [f"smart[sam={sam}],smart,smart,smart" for sam in (1, 0)]
    runs = [tlsim.simulate("sam_loc", policies=policies, **options) for policies in first]
    gap = tlsim.compare(*runs)
    assert gap.views == ("seats", "reasons", "sam_calls")
    whole = gap.rows("sam_calls")[-1]
    games = [tlsim.play("sam_loc", policies=policies, **options) for policies in first]
    won = [[record["net"][0] for record in each] for each in games]
    apart = np.array(won[0]) - np.array(won[1])  # 240 matches of one game, each a batch
    assert (whole["hands"], whole["other_hands"]) == (240, 240)
    assert whole["difference"] == pytest.approx(apart.mean()) == pytest.approx(gap.rows()[0]["difference"])
    assert whole["std_error"] == pytest.approx(apart.std(ddof=1) / math.sqrt(240))
    assert whole["std_error"] == pytest.approx(gap.rows()[0]["std_error"])
    played = [not any(call["call"] == "toi_trang" for call in record["calls"]) for record in games[0]]
    assert 0 < sum(played) < 240
    assert whole["break_even"] == pytest.approx((np.array(won[1])[played].mean() + 60) / 120)
    assert sum(row["hands"] for row in gap.rows("sam_calls")[:-1]) == 240


def test_all_seats_are_looked_at_where_no_policy_differs():
    rules = tlsim.load_rules("sam_loc")
    runs = [tlsim.simulate(each, games=120, policies="smart", seed=5) for each in (
        rules, rules.replace("bao_sam.pays", 10))]  # fmt: skip
    rows = [stats.rows("sam_calls")[-1] for stats in runs]
    whole = tlsim.compare(*runs).rows("sam_calls")[-1]
    assert (whole["hands"], whole["other_hands"]) == (rows[0]["hands"], rows[1]["hands"])


def test_rules_with_and_without_calls_compare_by_seats_alone():
    rules = tlsim.load_rules("sam_loc")
    runs = [tlsim.simulate(each, games=120, policies="smart", seed=5) for each in (
        rules, rules.replace({"bao_sam": False, "lead.next": ["cong_streak", "winner"]}))]  # fmt: skip
    assert tlsim.compare(*runs).views == ("seats", "reasons")
    with pytest.raises(tlsim.UsageError, match="must be one of seats"):
        tlsim.compare(*runs).to_frame("sam_calls")


def test_one_batch_has_no_errors():
    runs = [tlsim.simulate("sam_loc", games=12, policies=p, seed=5) for p in ("smart", "smart[sam=0]")]
    assert all(row["std_error"] is None for view in ("seats", "sam_calls") for row in tlsim.compare(*runs).rows(view))
    assert all(row["std_error_unpaired"] is None for row in tlsim.compare(*runs).rows())
    frame = tlsim.compare(*runs).to_frame("sam_calls")
    assert len(frame) == len(tlsim.compare(*runs).rows("sam_calls"))
    assert frame["hands"].tolist()[-1] >= frame["hands"].tolist()[0]


def test_results_add():
    one, two = (tlsim.simulate("sam_loc", games=240, policies="smart", seed=seed) for seed in (1, 2))
    hands = [stats.rows("sam_calls")[-1]["hands"] for stats in (one, two, one + two)]
    assert hands[0] + hands[1] == hands[2]
    assert (one + two).stakes == one.stakes
    assert replace(one, stakes=None).views == tlsim.simulate("luckywin", games=12).views


def test_den_bao_is_counted_as_in_the_records():
    options = {"games": 1200, "policies": "random", "seed": 4}
    stats, records = tlsim.simulate("sam_loc", **options), tlsim.play("sam_loc", **options)
    paid = sum(any(transfer["reason"] == "den_bao" for transfer in record["transfers"]) for record in records)
    count = next(row["count"] for row in stats.rows("events") if row["event"] == "den_bao")
    assert count >= paid > 0


def test_a_surer_hand_succeeds_more_often():
    """Hands over 80 % against those under 20 %; false alarm under 1e-6 (4.9 errors), 20 points would show."""
    rows = tlsim.simulate("sam_loc", games=24_000, policies="smart[sam=1]", seed=8).rows("sam_calls")
    groups = [[row for row in rows if row["strength_from"] is not None and low <= row["strength_from"] < high]
              for low, high in ((0.8, 1), (0, 0.2))]  # fmt: skip
    made, played = ([sum(f(row) for row in group) for group in groups]
                    for f in (lambda row: row["made"], lambda row: row["calls"] - row["void"]))  # fmt: skip
    shares = [a / b for a, b in zip(made, played, strict=True)]
    error = math.sqrt(sum(p * (1 - p) / n for p, n in zip(shares, played, strict=True)))
    assert shares[0] - shares[1] > 4.9 * error
    assert error < 0.2 / 4.9
