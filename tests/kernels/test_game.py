"""Games of Tiến Lên on the compiled engine and on the slow twin (`both_engines`): presets, and variants of them.

Variants of their parameters are played on stacked deals, and where a clause has not fired yet on deals aimed at it
(`aimed_deals`): every clause that can fire under the rules has to (`clause_counts`). TLSIM_TEST_GAMES sets the games
per preset and number of players. `test_game_sam` and `test_game_president` play the other games, `test_game_at_length`
all of them for hours.
"""

from __future__ import annotations

import random

import clause_counts
import naive_game
import pytest
from both_engines import (
    ENDINGS,
    GAMES,
    aim,
    check_clauses,
    check_matches,
    check_preset,
    plain,
    same_by_chance,
    same_lowest,
)
from game_deals import Deal
from game_variants import FAMILIES, TABLES, TIEN_LEN, aim_variants, check_matters, check_variants, matters
from legal_plays import check_legal_plays

from tlsim import load_rules
from tlsim.cards import hand_of
from tlsim.engine.rule_numbers import REASONS

FAMILY = FAMILIES["tien_len"]
VARIANTS = 4 * GAMES  # rule sets with changed parameters, one preset after the other
# Every preset at the number of players where most of its clauses can fire, and some at two; Đà Nẵng at three, since it
# differs from zing in its chops alone, which four players hardly meet.
TABLES_PLAYED = [
    ("doithuong", 2), ("doithuong", 4), ("luckywin", 4), ("luckywin_points", 4), ("luckywin_cong_table", 4),
    ("zing", 4), ("hue", 2), ("hue", 4), ("da_nang", 3), ("mien_bac", 2), ("mien_bac", 4),
]  # fmt: skip


def test_the_tables_that_are_played_have_every_clause():
    """What can fire under any preset with any number of players can at one of the tables."""
    every = [(name, players) for name in TIEN_LEN for players in (2, 3, 4)]
    all_of, played = (
        set().union(*(clause_counts.can_happen(load_rules(name), players) for name, players in tables))
        for tables in (every, TABLES_PLAYED)
    )
    assert played == all_of
    assert {name for name, _ in TABLES_PLAYED} == set(TIEN_LEN)


@pytest.mark.parametrize(("name", "players"), TABLES_PLAYED)
def test_presets(name, players):
    fired = check_preset(name, players, GAMES) + check_matches(load_rules(name), players, GAMES // 2, seed=21)
    aim(name, players, fired)
    check_clauses(name, players, fired)


def test_variants():
    seen, fired, _ = check_variants(FAMILY, VARIANTS)
    wanted = set(clause_counts.CLAUSES) - clause_counts.NOT_OF_TIEN_LEN
    wanted = {clause for clause in wanted if not clause.startswith(clause_counts.OF_TOI_TRANG)}
    aim_variants(FAMILY, wanted, fired, seen)
    assert sorted(wanted - set(fired)) == [], "never fired"
    expected = [f"ending {ending}" for ending in ENDINGS.values() if ending[:4] not in ("sam_", "toi_")]
    expected += ["declined", "interrupt", "as quad", "late finisher", "liable", "longer chain", "four 2s"]
    expected += ["low straight", "5 or 6 pairs", "stuck leader, play goes on", "kind straight", "kind pair_run"]
    elsewhere = ("toi_trang", "sam", "sam_blocked", "den_bao", "ve_heo")  # the last in test_house_clauses.py
    expected += [f"reason {reason}" for reason in REASONS if reason not in elsewhere]
    assert [what for what in expected if not seen[what]] == []


# Deals on which the two engines once differed

FOUND = {
    "a game to the first out has no second place": (
        "luckywin", {"end_condition": "first_out"}, ["7C KD 2H", "JC 2C"], 0,
    ),
    "late ones of such a game have none": (
        "luckywin", {"end_condition": "first_out", "finish.on_two": "counts_last"}, ["7C KD 2H", "JC 2C"], 0,
    ),
    "windows of free chops beside bombs after a pass": (
        "zing", {"chop.after_pass": [*naive_game.RUN_BOMBS.values(), "tu_quy"], "finish.with_hang": True},
        ["4S 5D 5H 6S 7H 8S 8H JS AD", "6C 9H TH JH QS QC", "3S 3C 3D 3H JD KH 2S 2C 2H", "4C 4D 4H 5S 5C 6D 6H 7S 7C"],
        2,
    ),
    "after đút a single holder has the last place": ("hue", {}, ["5C 9S QH", "3S 9D TC", "6S 8D 8H"], 2),
    "a longer straight follows suit too": (
        "luckywin", {"combinations.suit_match": "match_first_card_only", "combinations.straight.longer_beats": True},
        ["3S 3C 3D 3H 4S 5H 6C 6H 9S", "4D 5S 6S TD QS QC QD QH 2H"], 1,
    ),
    "who cannot lay his last set need not đền": (
        "hue", {"finish.with_hang": False}, ["6S 6C 6D 6H", "TH QC QH 2D 2H", "4C 5D AS", "3S 3C 3D 3H KD"], 3,
    ),
    "a beat without money leaves the chain before it": (
        "doithuong", {"chop.pay_same_class": False}, ["2S 4D JS", "5S 5C 5D 5H 8S 8C", "9S 9C 9D 9H JC"], 0,
    ),
    "a void chain takes back what each has paid": (
        "luckywin", {"chop.chain": "each_pays_own"},
        ["2S 4D JS", "5S 5C 5D 5H 8S", "9S 9C 9D 9H", "TS TC JC JD QS QC KS KC"], 0,
    ),
    "a straight of one suit from an ace": (
        "luckywin", {"combinations.suit_match": "north", "combinations.straight.low": True},
        ["3S 3C 4C 5C 6C 6H 7C AD 2H", "4S 6S 7S 8S 8C 8D 8H JS KS", "3D 3H 4H 5S 5D 9C 9H TC JD"], 0,
    ),
    "of low straights the lowest cards": (
        "luckywin", {"combinations.straight.low": True}, ["3S 4S 5S AS 2S 9D", "4C 5C 6C 2C 3C TD", "7S 8C 2D 3D"], 0,
    ),
    "the first leader is stuck": ("luckywin", {"finish.on_two": "forbid"}, ["8H 2C", "2S 2D 2H", "3S TC KS"], 1),
    "a blocked 3♠ leaves one": (
        "doithuong", {"end_condition": "last_one", "ket_3_bich.after_block": "continue"},
        ["7D JS JC JD JH QC QH", "3S"], 1,
    ),
    "runs too short to be played are worth nothing": (
        "luckywin", {"combinations.pair_run.min_length": 4},
        ["KC KD AS", "3S 3C 3D 3H 6S 6C 6D 6H", "5S 9C JS JD JH QS QC KS KH", "9S QH"], 3,
    ),
    "four pairs on three where the table does not say so": (
        "luckywin", {"combinations.pair_run.long_runs": "superset_of_4", "chop.beats.bon_doi_thong": ["heo"]},
        ["TS TC JD JH QC QD 4D", "3D 3H 4S 4C 5S 5H 6S 6C KS"], 0,
    ),
    "pair runs do not follow suit in the North": (
        "luckywin", {"combinations.suit_match": "north"}, ["3S 3C 4S 4C 5D 5H KS", "4H 5S 5C 6S 6H 7S 7C"], 0,
    ),
    "who chops out of turn and lets all back in": (
        "luckywin", {"turn.pass_reset_on_chop": True},
        ["3S 3C 4C 4D 4H 5S 5C 6S 6H 7S 8C", "3D 3H 5H 6D 9S 9H TS TD TH JS JC KS KD", "4S 7H 9D JD JH AS 2S 2H"], 1,
    ),
    "cóng for the whole table comes before đút": (
        "luckywin_cong_table", {"dut_3_bich": TABLES["dut_3_bich"]}, ["3S", "5S KC AC"], 0,
    ),
    "the bonus for four pairs is paid with cóng for the whole table": (
        "luckywin_cong_table", {"chop.four_pairs_bonus": 1}, ["AS", "5S 5C 6S 6C 7S 7C 8S 8C", "9S"], 0,
    ),
    "cóng stays where all the others are stuck": (
        "luckywin", {"finish.on_two": "forbid"}, ["3S 4S", "2S 6S", "2C 5C", "2D 2H"], 0,
    ),
    "five pairs on three 2s": (
        "luckywin", {"chop.triple2_beaten_by": ["nam_doi_thong"]},
        ["2S 2C 2D 4H", "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C KD"], 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_once_different(what):
    name, changes, texts, leader = FOUND[what]
    rules, rng = plain(name).replace(changes), random.Random(what)
    deal = Deal([hand_of(text) for text in texts], leader, opening=False, required=0)
    same_lowest(rules, deal)
    for _ in range(20):
        same_by_chance(rules, deal, rng)


# Every parameter matters

MOOT = {"thoi.payer"}  # with cards in hand at the end: the last, or every loser, who is last too (H2, K12)


@pytest.mark.parametrize("key", FAMILY.parameters)
def test_every_parameter_matters(key):
    check_matters(key, FAMILY, MOOT)


@pytest.mark.parametrize("table", TABLES)
def test_every_table_matters(table):
    assert matters(table, lambda _: False, FAMILY)


@pytest.mark.parametrize("name", TIEN_LEN)
def test_legal_plays_are_those_of_the_definition(name):
    check_legal_plays(FAMILY, name, GAMES // 4)
