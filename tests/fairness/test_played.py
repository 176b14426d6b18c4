"""What is learned from games: 2s and bombs, 3♠, reasons, seats."""

from math import comb

import pytest
from scipy.special import stdtrit

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness.risks import READINGS, held
from tlsim.fairness.views import PLAYED_VIEWS

GAMES = 2400


@pytest.fixture(scope="module")
def fairness():
    return tlsim.payout_fairness("doithuong", games=GAMES, seed=3)


def test_how_often_a_hand_is_dealt_a_quad():
    """Of 13 ranks, one, two or three may be complete: inclusion and exclusion."""
    some = 13 * comb(48, 9) - comb(13, 2) * comb(44, 5) + comb(13, 3) * comb(40, 1)
    assert held("tu_quy", 13) == pytest.approx(some / comb(52, 13), rel=1e-15)


@pytest.mark.parametrize(("item", "one_in"), [("ba_doi_thong", 12), ("tu_quy", 29), ("bon_doi_thong", 104)])
def test_how_often_a_hand_is_dealt_a_bomb(item, one_in):
    """RULES F10: any run of 3 pairs, quad, run of 4 pairs: 1 in 12, 29, 104."""
    assert round(1 / float(held(item, 13))) == one_in


def test_what_is_left_over_adds_up_to_the_money(fairness):
    """Every payment of thối is for items, each at its price."""
    thoi = next(row for row in fairness.rows("reasons") if row["reason"] == "thoi")
    paid = sum(row["left_per_hand"] * row["price"] for row in fairness.rows("items"))
    assert paid * 4 == pytest.approx(thoi["money_per_game"], rel=1e-12)


def test_items_are_the_events_per_hand(fairness):
    events = {row["event"]: row for row in fairness.played.stats.rows("events")}
    row = next(row for row in fairness.rows("items") if row["item"] == "tu_quy")
    chops = [name for name in events if name.startswith("chop_tu_quy_")]
    chopped = [name for name in events if name.startswith("chop_") and name.endswith("_tu_quy")]
    assert row["chops_per_hand"] == pytest.approx(sum(events[name]["count"] for name in chops) / GAMES / 4)
    assert row["chopped_per_hand"] == pytest.approx(sum(events[name]["count"] for name in chopped) / GAMES / 4)
    assert row["left_if_held"] == pytest.approx(row["left_per_hand"] / row["held"])
    assert row["cost_per_1000"] == pytest.approx(1000 * 8 * row["left_per_hand"])
    assert row["cost_error"] == pytest.approx(8000 * events["thoi_tu_quy"]["std_error"] / 4)


def test_reasons_share_all_money(fairness):
    assert sum(row["share"] for row in fairness.rows("reasons")) == pytest.approx(1)


def test_trying_3_bich(fairness):
    """A success brings 3 · 26; blocked, the reading in force pays as much (000#R29), the last one 26 to the blocker."""
    rows = {row["block_payees"]: row for row in fairness.rows("ket_3_bich")}
    assert tuple(rows) == READINGS
    assert [name for name, row in rows.items() if row["in_force"]] == ["active"]
    assert (rows["active"]["gain"], rows["active"]["loss"], rows["active"]["break_even"]) == (78, 78, 0.5)
    assert (rows["blocker_only"]["loss"], rows["blocker_only"]["break_even"]) == (26, 0.25)
    assert len({row["tried"] for row in rows.values()}) == 1  # the same deals and decisions
    assert rows["active"]["tried"] > 20


def test_what_a_try_brings_who_tries_and_the_others(fairness):
    """In doithuong every try is blocked: 78 to three others, or 26 to one of them."""
    rows = {row["block_payees"]: row for row in fairness.rows("ket_3_bich")}
    assert (rows["active"]["net_if_tried"], rows["active"]["opponent"]) == (-78, 26)
    assert (rows["blocker_only"]["net_if_tried"], rows["blocker_only"]["opponent"]) == (-26, 26 / 3)


def test_a_try_that_cannot_be_blocked():
    rules = tlsim.load_rules("doithuong").replace("ket_3_bich.window", "none")
    rows = tlsim.payout_fairness(rules, games=480, opening=True).rows("ket_3_bich")
    assert {(row["success"], row["net_if_tried"], row["opponent"]) for row in rows} == {(1, 78, -26)}


def test_no_3_bich_where_it_brings_nothing():
    assert tlsim.payout_fairness("luckywin", games=12).rows("ket_3_bich") == []


def test_seats_have_intervals_that_hold_together(fairness):
    rows = fairness.rows("seats")
    reach = stdtrit(GAMES // 12 - 1, 1 - 0.05 / 4 / 2)
    for row in rows:
        assert row["ci_high"] - row["mean"] == pytest.approx(reach * row["std_error"])
        assert row["mean"] - row["ci_low"] == pytest.approx(reach * row["std_error"])
    for group in ("seat", "role"):
        means = [row["mean"] for row in rows if (row["group"], row["which"]) == (group, "all")]
        assert len(means) == 4
        assert sum(means) == pytest.approx(0, abs=1e-12)


def test_without_games(tiny):
    fairness = tlsim.payout_fairness(tiny(), players=2, games=0)
    assert all(fairness.rows(view.name) == [] for view in PLAYED_VIEWS)


@pytest.mark.parametrize("games", [-1, 1.5, 10**12])
def test_bad_number_of_games(games):
    with pytest.raises(UsageError, match=r"games = .*: must be a whole number from 0"):
        tlsim.payout_fairness("doithuong", games=games)
