"""Verdicts on whole games: on each side of each threshold."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

import tlsim
from tlsim.fairness.verdicts import verdicts_on_games

ROWS = {
    "leading": [{"ahead": 1.0, "ahead_error": 0.1}],
    "direction": [{}, {"straight": 0.5, "straight_error": 0.1, "alternating": 0.1, "alternating_error": 0.1}],
    "skill": [
        {"policy": "smart", "others": "lowest", "mean": 2.0, "std_error": 0.1, "games_to_lead_zero": 50,
         "games_to_lead_all": 90, "mean_after_rake": 1.5},
    ],
    "reasons": [
        {"reason": "cards", "spread_share": 0.7, "spread_error": 0.01, "share": 0.6},
        {"reason": "chop", "spread_share": 0.1, "spread_error": 0.01, "share": 0.1},
        {"reason": "cong", "spread_share": 0.2, "spread_error": 0.01, "share": 0.1},
    ],
    "risks": [
        {"thing": "heo_co", "held": 0.1, "net_if_held": -1.0, "net_if_held_error": 0.1},
        {"thing": "tu_quy", "held": 0.1, "net_if_held": 3.0, "net_if_held_error": 0.1},
        {"thing": "ba_doi_thong", "held": 0.1, "net_if_held": 1.0, "net_if_held_error": 0.1},
    ],
    "ket_3_bich": [
        {"in_force": True, "tried": 100, "break_even": 0.5, "success": 0.5, "success_low": 0.4, "success_high": 0.6,
         "best": 0.5},
        {"in_force": False, "tried": 100, "break_even": 0.9, "success": 0.5, "success_low": 0.4, "success_high": 0.6,
         "best": 0.5},
    ],
}  # fmt: skip


def verdicts(view=None, at=0, rules="doithuong", rake=None, **changes):
    """Return verdicts by kind; seats have a spread of 10, so leading may be worth 5, a neighbour 1."""
    rows = {name: [dict(row) for row in found] for name, found in ROWS.items()}
    if view:
        rows[view][at] |= changes
    if rake is None:
        rows["skill"][0]["mean_after_rake"] = None
    played = SimpleNamespace(
        rows=rows.__getitem__, rules=tlsim.load_rules(rules), rake=rake,
        stats=SimpleNamespace(rows=lambda _: [{"spread": 9.0}, {"spread": 11.0}]),
    )  # fmt: skip
    return {verdict.kind: verdict for verdict in verdicts_on_games(played)}


def test_nothing_is_found_in_a_fair_game():
    found = verdicts()
    assert not any(verdict.finding for verdict in found.values())
    assert list(found) == ["leads", "neighbours_alternating", "skill", "spread", "bombs", "3_bich"]
    assert all(verdict.list == "all" for verdict in found.values())


@pytest.mark.parametrize(
    ("kind", "figure", "threshold"),
    [
        ("leads", 1.0, 5.0), ("neighbours_alternating", 0.1, 1.0), ("skill", 90, 1000), ("spread", 0.2, 0.5),
        ("bombs", 1.0, 0.0), ("3_bich", 0.5, 0.5),
    ],
)  # fmt: skip
def test_figure_and_threshold(kind, figure, threshold):
    found = verdicts()[kind]
    assert (found.figure, found.threshold) == (figure, threshold)


@pytest.mark.parametrize(
    ("kind", "view", "at", "changes", "finding"),
    [
        ("leads", "leading", 0, {"ahead": 5.1}, True),
        ("leads", "leading", 0, {"ahead": -5.1}, True),
        ("leads", "leading", 0, {"ahead": 5.1, "ahead_error": 1.3}, False),  # under 4 errors
        ("leads", "leading", 0, {"ahead": 4.9}, False),
        ("neighbours_alternating", "direction", 1, {"alternating": 1.1}, True),
        ("neighbours_alternating", "direction", 1, {"straight": 3.0}, False),  # not in force
        ("skill", "skill", 0, {"games_to_lead_all": 1001}, True),
        ("skill", "skill", 0, {"games_to_lead_all": 1000}, False),
        ("no_skill", "skill", 0, {"games_to_lead_all": None, "games_to_lead_zero": None, "mean": -1.0}, True),
        ("spread", "reasons", 2, {"spread_share": 0.55}, True),
        ("spread", "reasons", 2, {"spread_share": 0.53}, False),  # under 4 errors
        ("bomb", "risks", 1, {"net_if_held": -0.5}, True),
        ("bombs", "risks", 1, {"net_if_held": -0.3}, False),  # under 4 errors
        ("3_bich", "ket_3_bich", 0, {"best": 0.49}, True),
        ("3_bich", "ket_3_bich", 1, {"best": 0.0}, False),  # not in force
    ],
)
def test_thresholds(kind, view, at, changes, finding):
    assert verdicts(view, at, **changes)[kind].finding is finding


def test_the_direction_in_force_is_judged():
    found = verdicts("direction", 1, "luckywin", straight=1.1)
    assert found["neighbours_straight"].finding
    assert "with a new direction each game +0.1" in found["neighbours_straight"].sentence("en")


@pytest.mark.parametrize(("after", "finding"), [(1.5, False), (-0.39, False), (-0.41, True)])
def test_a_rake_that_takes_more_than_skill_brings(after, finding):
    found = verdicts("skill", rake=Fraction(1, 20), mean_after_rake=after)["rake"]
    assert (found.finding, found.figure, found.threshold) == (finding, after, 0)
    assert found.sentence("en").startswith("a rake of 5% leaves smart among lowest")


def test_sentences_have_figures_and_thresholds():
    found = verdicts()
    assert found["leads"].sentence("en") == (
        "leading is worth +1.00 ± 0.10 a game over the others, on the same deals (threshold: 5, half the spread of a "
        "seat)"
    )
    assert found["spread"].sentence("vi") == (
        "ngoài tiền chính, cóng làm dao động nhất: 20% ± 1,0% của độ dao động, 10% của tiền (ngưỡng: 50%)"
    )
    assert "3 pairs in a row" in found["bombs"].sentence("en")
    assert "50 ván thì 95% trên 0, 90 ván thì 95% hơn mọi nhà" in found["skill"].sentence("vi")


@pytest.mark.parametrize(("brings", "said"), [(-0.1, "more games tell whether"), (0.3, "more games tell whether"),
                                              (0.5, "no bomb costs")])  # fmt: skip
def test_what_is_open_is_not_said_to_be_so(brings, said):
    """Of four errors of 0.1 a bomb is surely worth something, with less of it nobody knows."""
    found = verdicts("risks", 2, net_if_held=brings)["bombs"]
    assert (found.open, found.finding) == (brings < 0.4, False)
    assert found.sentence("en").startswith(said)


def test_no_figure_says_more_than_its_error():
    sentence = verdicts("leading", 0, ahead=1.2345, ahead_error=4.0)["leads"].sentence("en")
    assert "+1.2 ± 4.0 a game" in sentence
    other = verdicts("direction", 1, straight=0.01234, straight_error=0.3)["neighbours_alternating"].sentence("en")
    assert "in one direction +0.01 (" in other
    assert "after 12,000 games" in verdicts("skill", games_to_lead_zero=12_345)["skill"].sentence("en")
    assert "in 40 … 60% of 100 tries; it pays over 50%" in verdicts()["3_bich"].sentence("en")


def test_small_rakes_are_said_exactly():
    found = verdicts("skill", rake=Fraction(1, 400), mean_after_rake=1.9)["rake"]
    assert found.sentence("en").startswith("a rake of 0.25% leaves")


@pytest.mark.parametrize("error", [None, 0.0])
def test_a_bomb_that_never_came_up_is_left_out(error):
    found = verdicts("risks", 2, net_if_held=0.0, net_if_held_error=error)
    assert (found["bombs"].figure, "a quad" in found["bombs"].sentence("en")) == (3.0, True)
    assert verdicts("risks", 2, net_if_held=-9.0, net_if_held_error=error).keys() == found.keys()


@pytest.mark.parametrize(
    ("view", "at", "changes", "gone"),
    [
        ("leading", 0, {"ahead": 50.0, "ahead_error": None}, {"leads"}),
        ("direction", 1, {"alternating": 50.0, "alternating_error": None}, {"neighbours_alternating"}),
        ("skill", 0, {"mean": -9.0, "mean_after_rake": -9.0, "std_error": None, "games_to_lead_all": None},
         {"skill", "rake"}),
        ("reasons", 2, {"spread_share": 0.9, "spread_error": None}, set()),  # the next one is spoken of
    ],
)  # fmt: skip
def test_of_one_match_alone_nothing_is_said(view, at, changes, gone):
    """It has no error to be held against."""
    found, usual = verdicts(view, at, rake=Fraction(1, 20), **changes), verdicts(rake=Fraction(1, 20))
    assert set(usual) - set(found) == gone
    assert not any(verdict.finding for verdict in found.values())
    assert not any("?" in verdict.sentence("en") for verdict in found.values())


def test_points_are_above_the_mean_of_the_table():
    found = verdicts(rules="tong_thong")["skill"].sentence("en")
    assert found.startswith("smart among lowest is +2.00 ± 0.10 points a game from the table's mean; above it with 95%")
    assert "trên 0" not in verdicts(rules="tong_thong")["skill"].sentence("vi")


def test_of_real_games():
    """In doithuong nobody gets through with 3♠ (I1), so keeping it for the end does not pay."""
    fairness = tlsim.payout_fairness("doithuong", games=2400, opening=True, rake=0.05)
    kinds = [verdict.kind for verdict in fairness.game_verdicts]
    assert kinds == ["leads", "neighbours_alternating", "skill", "spread", "bombs", "3_bich", "rake"]
    assert "3_bich" in [verdict.kind for verdict in fairness.game_verdicts if verdict.finding]
    assert fairness.rows("game_verdicts", "vi")[0]["list"] == "all"


def test_without_games_nothing_is_said():
    assert tlsim.payout_fairness("tong_thong", games=0).game_verdicts == ()


def test_a_bomb_that_no_hand_can_hold_is_left_out():
    found = verdicts("risks", 2, held=0.0, net_if_held=None, net_if_held_error=None)
    assert found["bombs"].figure == 3.0
