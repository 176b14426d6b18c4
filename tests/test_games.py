"""Whole games: what simulate adds up is what the replayed games say, on any number of threads."""

import itertools
from collections import Counter

import numpy as np
import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.results.game_views import GAME_VIEWS, SAM_CALLS, TITLE_VIEWS

VIEWS = [view.name for view in GAME_VIEWS if view not in (SAM_CALLS, *TITLE_VIEWS)]

MONEY = ["doithuong", "luckywin", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"]


@pytest.fixture(scope="module")
def luckywin():
    return tlsim.simulate("luckywin", games=12 * 600, seed=5)


@pytest.mark.parametrize("preset", [*MONEY, "luckywin_points"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sums_are_those_of_the_replayed_games(preset, players):
    stats = tlsim.simulate(preset, games=36, players=players, seed=11)
    records = tlsim.play(preset, games=36, players=players, seed=11)
    assert stats.games == len(records) == 36
    for seat, row in enumerate(stats.rows("seats")):
        assert row["mean"] * 36 == pytest.approx(sum(record["net"][seat] for record in records))
    money = dict.fromkeys((row["reason"] for row in stats.rows("reasons")), 0)
    for record in records:
        for transfer in record["transfers"]:
            money[transfer["reason"]] += transfer["amount"]
    assert {row["reason"]: row["money"] for row in stats.rows("reasons")} == money
    assert sum(row["entries"] * row["games"] for row in stats.rows("length")) == sum(len(r["plays"]) for r in records)


@pytest.mark.parametrize("preset", MONEY)
def test_money_sums_to_zero_in_every_batch(preset):
    stats = tlsim.simulate(preset, games=12 * 300, seed=2)
    assert not stats.seat_money().sum(axis=1).any()
    assert stats.seat_money().any()


def test_threads_and_blocks_change_nothing(luckywin):
    assert tlsim.simulate("luckywin", games=12 * 600, seed=5, threads=1).tally == luckywin.tally
    assert tlsim.simulate("luckywin", games=12 * 600, seed=6).tally != luckywin.tally


def test_the_policy_of_a_seat_changes_no_deal():
    one = tlsim.play("luckywin", games=12, seed=3, policies="lowest")
    two = tlsim.play("luckywin", games=12, seed=3, policies="lowest,random,random,random")
    assert [record["hands"] for record in one] == [record["hands"] for record in two]
    assert one != two


def test_a_match_opens_and_the_winner_leads():
    records = tlsim.play("luckywin", games=60, seed=1)
    for before, record in itertools.pairwise(records):
        first = record["source"]["game"] == 0
        after_instant = bool(before["calls"])
        assert record["opening"] == (first or after_instant)  # 001#R23
        if not record["opening"]:
            assert record["leader"] == before["places"][0]  # 001#R25
        if record["opening"] and record["plays"]:
            assert "3S" in record["plays"][0]["cards"]  # 001#R24


def test_the_direction_turns_after_every_game_of_doithuong():
    records = tlsim.play("doithuong", games=12, seed=1)
    assert [record["direction"] for record in records] == [1, -1] * 6  # 000#R40, B6


def test_results_add(luckywin):
    other = tlsim.simulate("luckywin", games=1200, seed=6)
    both = luckywin + other
    assert both.games == luckywin.games + other.games
    assert both.tally == (other + luckywin).tally
    with pytest.raises(UsageError, match="seed 5"):
        _ = luckywin + luckywin
    with pytest.raises(UsageError, match="digest"):
        _ = luckywin + tlsim.simulate("zing", games=12, seed=9)


def test_extremes_can_be_replayed(luckywin):
    loss, chain, game = luckywin.rows("extremes")
    for row in (loss, chain, game):
        record = tlsim.replay("luckywin", seed=5, match=row["match"], game=row["game"])
        if row is loss:
            assert -min(record["net"]) == row["value"]
        if row is game:
            assert len(record["plays"]) == row["value"]


def test_compare_is_paired_and_refuses_what_does_not_belong_together(luckywin):
    dearer = tlsim.simulate(tlsim.load_rules("luckywin").replace("prices.tu_quy", 4), games=12 * 600, seed=5)
    rows = tlsim.compare(dearer, luckywin).rows()
    assert sum(row["difference"] for row in rows) == pytest.approx(0)
    assert all(row["std_error"] < row["std_error_unpaired"] / 3 for row in rows)
    with pytest.raises(UsageError, match="seed"):
        tlsim.compare(luckywin, tlsim.simulate("luckywin", games=12 * 600, seed=6))
    with pytest.raises(UsageError, match="matches"):
        tlsim.compare(luckywin, tlsim.simulate("luckywin", games=12, seed=5))


def test_a_smart_seat_earns_from_lowest_ones():
    """False alarm under 1e-6 (4.75 standard errors under no advantage); a mean of 0.1 would pass with certainty."""
    row = tlsim.simulate("doithuong", games=12 * 2000, policies="smart,lowest,lowest,lowest", seed=8).rows("seats")[0]
    assert row["mean"] > 4.75 * row["std_error"]


def test_the_error_is_that_of_independent_matches(luckywin):
    games = luckywin.batch_games()
    assert games.sum() == luckywin.games
    row = luckywin.rows("seats")[0]
    means = luckywin.seat_money()[:, 0] / 2 / games
    between = means.std(ddof=1) / np.sqrt(256)
    assert between == pytest.approx(row["std_error"], rel=0.25)  # 256 batches: the error of an error is 4.4 %


def test_quantiles_are_those_of_the_games():
    stats, records = (f("doithuong", games=600, seed=4) for f in (tlsim.simulate, tlsim.play))
    for seat, row in enumerate(stats.rows("distribution")):
        won = sorted(record["net"][seat] for record in records)
        assert [row["q1"], row["q25"], row["q50"], row["q99"]] == [won[at] for at in (5, 149, 299, 593)]
    huge = tlsim.load_rules("doithuong").replace({"prices.rac": 1000})
    row = tlsim.simulate(huge, games=120, seed=4).rows("distribution")[0]
    assert (row["q5"], row["q99"]) == (-float("inf"), float("inf"))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_a_frame(luckywin, view):
    assert len(luckywin.to_frame(view)) == len(luckywin.rows(view))


def test_plot(luckywin):
    axes = luckywin.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"seat {n}: {p}" for n, p in enumerate(luckywin.policies)
    ]
    money = [row["money_per_game"] for row in luckywin.rows("reasons") if row["payments"]]
    axes = luckywin.plot(view="reasons", lang="vi")
    assert [bar.get_width() for bar in axes.patches] == money
    assert "chặt" in [label.get_text() for label in axes.get_yticklabels()]
    for view in ("seats", "roles"):
        drawn = luckywin.plot(view=view).containers[0].lines[0].get_xdata()
        assert list(drawn) == [row["mean"] for row in luckywin.rows(view)]
    happened = [row["event"] for row in luckywin.rows("events") if row["count"]]
    assert len(luckywin.plot(view="events").get_yticks()) == len(happened)
    with pytest.raises(UsageError, match="did you mean 'seats'"):
        luckywin.plot(view="seat")


def test_a_notebook_shows_the_seats(luckywin, monkeypatch):
    monkeypatch.setenv("TLSIM_LANG", "en")
    shown = luckywin._repr_html_()
    assert "policies smart" in shown
    assert "By seat: money per game" in shown


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"policies": "lowst"}, "did you mean 'lowest'"),
        ({"policies": "lowest,random"}, "one for each of 4 seats"),
        ({"games": 0}, "games = 0"),
        ({"match_length": 0}, "match_length = 0"),
        ({"players": 5}, "2 to 4 players"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_wrong_arguments(arguments, word):
    with pytest.raises(UsageError, match=word):
        tlsim.simulate("luckywin", **({"games": 12} | arguments))


@pytest.mark.parametrize(("rules", "policies", "several"), [
    ("sam_loc", "random", {"sam_blocked", "den_bao"}), ("luckywin", "random", {"chop"}), ("hue", "smart", set()),
])  # fmt: skip
def test_payments_are_counted_as_records_have_them(rules, policies, several):
    """What a seat pays another for one reason in a game is one payment (M23), though it may come about in parts."""
    stats = tlsim.simulate(rules, games=1200, players=4, policies=policies, seed=5)
    number, money = Counter(), Counter()
    for record in tlsim.play(rules, games=1200, players=4, policies=policies, seed=5):
        for entry in record["transfers"]:
            number[entry["reason"]] += 1
            money[entry["reason"]] += entry["amount"]
    counted = {row["reason"]: (row["payments"], row["money"]) for row in stats.rows("reasons") if row["payments"]}
    assert counted == {reason: (number[reason], money[reason]) for reason in number}
    assert several <= set(number)
