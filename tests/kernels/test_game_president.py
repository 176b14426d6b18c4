"""Games of Tổng thống on the compiled engine and on the slow twin (`both_engines`): titles, exchange, revolution.

Games start with titles drawn by chance and hands of any size; variants have exchanges of several rows in which the same
title may give and get more than once, of 1 to 6 cards.
"""

from __future__ import annotations

import clause_counts
import pytest
from both_engines import GAMES, aim, check_clauses, check_matches, check_preset
from game_variants import FAMILIES, PRESIDENT, aim_variants, check_matters, check_variants
from legal_plays import check_legal_plays

import tlsim
from tlsim import load_rules

TURNING, PLAIN = FAMILIES["tong_thong"], FAMILIES["tong_thong without revolution"]
BOTH = pytest.mark.parametrize("family", [TURNING, PLAIN], ids=["revolution", "no revolution"])
PLAYERS = [4, 5]


@pytest.mark.parametrize("players", PLAYERS)
def test_presets(players):
    rules = load_rules("tong_thong")
    fired = check_preset("tong_thong", players, 2 * GAMES) + check_matches(rules, players, GAMES, seed=21)
    aim("tong_thong", players, fired)
    check_clauses("tong_thong", players, fired)


@BOTH
def test_variants(family):
    """Every clause of titles that could fire under one of the variants does."""
    seen, fired, could = check_variants(family, 2 * GAMES)
    wanted = {clause for clause in could if clause.startswith(("004#", "L", "B7", "H1", "E8"))}
    aim_variants(family, wanted, fired, seen)
    assert sorted(wanted - set(fired)) == [], "never fired"
    of_titles = {clause for clause in clause_counts.CLAUSES if clause.startswith(("004#", "L"))}
    turning = {clause for clause in of_titles if clause.startswith(("L9", "L12", "004#R23", "004#R24"))}
    assert of_titles - could == ({"L11 quad without a revolution"} if family is TURNING else turning)
    assert [what for what in ("exchange", "exchange of 3 and more") if not seen[what]] == []
    assert bool(seen["two or more revolutions"]) is (family is TURNING)


EXCHANGES = {
    "none": [],
    "round": [("dan_ngheo", "tong_thong", 3), ("tong_thong", "pho_tong_thong", 2), ("pho_tong_thong", "dan_ngheo", 1)],
    "there and back": [("dan_ngheo", "tong_thong", 6), ("tong_thong", "dan_ngheo", 6), ("dan_ngheo", "tong_thong", 1)],
    "one gives to all": [("dan_ngheo", title, 2) for title in ("tong_thong", "pho_tong_thong", "can_ngheo")],
    "six rows": [("can_ngheo", "tong_thong", 1)] * 3 + [("tong_thong", "can_ngheo", 1)] * 3,
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_matches_with_other_exchanges(name):
    """Whole matches of the engine, fixed and rotating dealers, on the twin."""
    rows = [{"from_title": one, "to_title": two, "cards": cards} for one, two, cards in EXCHANGES[name]]
    for dealer, players in (("fixed_dealer", 5), ("rotating_dealer", 5), ("rotating_dealer", 4)):  # 52 cards are 4 × 13
        changes = {"president.exchange": rows, "deal.uneven_deal": dealer, "match_length": 6}
        check_matches(load_rules("tong_thong").replace(changes), players, 18, seed=len(name))


# Every parameter matters

MOOT_IN_A_REVOLUTION = {"turn.pass_reset_on_chop", "finish.on_two_in_straight"}  # without chops, without straights
MOOT = {"thoi.payer", "den_cong.min_opponents"}  # with cards in hand at the end: the last (H2); of three at least


@pytest.mark.parametrize("key", TURNING.parameters)
def test_every_parameter_matters(key):
    check_matters(key, TURNING, MOOT_IN_A_REVOLUTION)


@pytest.mark.parametrize("key", [*(key for key in PLAIN.parameters if key in PRESIDENT), *sorted(MOOT)])
def test_every_parameter_matters_without_revolution(key):
    check_matters(key, PLAIN, MOOT)


def test_revolution_and_dealer_matter():
    """The two parameters that no variant may draw: one needs rules without runs, the other decides the deal."""
    for key, value in (("president.revolution", False), ("deal.uneven_deal", "fixed_dealer")):
        one, two = (tlsim.play(rules, 200, 5, "lowest", seed=1) for rules in with_and_without(key, value))
        assert [record["net"] for record in one] != [record["net"] for record in two]


def with_and_without(key, value):
    rules = load_rules("tong_thong")
    return rules, rules.replace(key, value)


@BOTH
def test_legal_plays_are_those_of_the_definition(family):
    check_legal_plays(family, "tong_thong", GAMES // 2)
