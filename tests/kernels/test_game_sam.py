"""Games of Sâm lốc on the compiled engine and on the slow twin (`both_engines`): calls, đền báo, streaks of cóng.

Games start in the middle of a match: with games of cóng in a row, below, at and above the limit, with a seat barred
from tới trắng, with calls drawn by chance, made and blocked. Doithuong is played with calls and đền báo as well.
"""

from __future__ import annotations

import clause_counts
import pytest
from both_engines import GAMES, aim, check_clauses, check_matches, check_preset
from game_variants import CALLS, FAMILIES, TOI_TRANG, aim_variants, check_matters, check_variants, matters
from legal_plays import check_legal_plays

from tlsim import load_rules

SAM, WITH_CALLS = FAMILIES["sam_loc"], FAMILIES["doithuong with calls"]
PLAYERS = [2, 3, 4, 5]
MOST_CLAUSES = [2, 5]  # with five players all can fire but those of too few players, and that all are stuck


@pytest.mark.parametrize("players", MOST_CLAUSES)
def test_presets(players):
    rules = load_rules("sam_loc")
    clauses = [set().union(*(clause_counts.can_happen(rules, n) for n in each)) for each in (PLAYERS, MOST_CLAUSES)]
    assert clauses[0] == clauses[1]
    fired = check_preset("sam_loc", players, 2 * GAMES) + check_matches(rules, players, GAMES, seed=21)
    aim("sam_loc", players, fired)
    check_clauses("sam_loc", players, fired)


@pytest.mark.parametrize(("family", "number"), [(SAM, 2 * GAMES), (WITH_CALLS, GAMES)], ids=["sam", "with calls"])
def test_variants(family, number):
    """Every clause of Sâm that could fire under one of the variants does."""
    seen, fired, could = check_variants(family, number)
    wanted = (could & clause_counts.NOT_OF_TIEN_LEN) - set(clause_counts.house())  # of those in test_house_clauses.py
    aim_variants(family, wanted, fired, seen)
    assert sorted(wanted - set(fired)) == [], "never fired"
    calls = {clause for clause in clause_counts.CLAUSES if clause.startswith(("K1 ", "K2", "K3 S", "K4", "K9"))}
    assert sorted(calls - could) == []
    expected = ["ending sam_made", "ending sam_blocked", "ending normal", "reason sam", "reason sam_blocked"]
    expected += ["reason chop", "reason cards", "reason cong"]
    if family is SAM:
        expected += ["ending sam_stuck", "ending stuck", "stuck leader, play goes on", "several streaks at the limit"]
        expected += ["declined", "interrupt", "reason den_bao"]
    assert [what for what in expected if not seen[what]] == []


def test_variants_of_what_carries_over():
    """Whole matches of the engine under rules that change who leads, who is barred, and the direction."""
    for number, changes in enumerate((
        {"toi_trang.bars_last_winner": False}, {"toi_trang.after_instant_win": "winner_leads"},
        {"turn.alternate_direction_each_hand": True},
        {"lead.cong_streak": 3, "lead.next": ["cong_streak", "last_place"]},
        {"lead.next": ["winner"]}, {"lead.next": ["sam_caller", "cong_streak", "winner"], "cong": False},
        {"toi_trang.priority": "strength", "toi_trang.opening_priority": "turn", "turn.pass_locks": False},
    )):  # fmt: skip
        rules = load_rules("sam_loc").replace({"match_length": 20} | changes)
        for players in PLAYERS[number % 2 :: 2]:
            check_matches(rules, players, 2 * 20, seed=number)


# Every parameter of calls and tới trắng matters, and of the others what differs from Tiến Lên (`test_game`)

GAME = ("thoi", "cong", "den_cong", "combinations.pair_run", "bao_sam", "den_bao")

MOOT = {
    "thoi.payer", "thoi.receiver",  # every loser pays the first (K12)
    "toi_trang.declare",  # who declares is the seats' affair
}  # fmt: skip


@pytest.mark.parametrize("key", [*CALLS, *TOI_TRANG, "thoi.payer", "thoi.receiver"])
def test_every_parameter_matters(key):
    check_matters(key, SAM, MOOT)


@pytest.mark.parametrize("table", [table for table, usual in SAM.tables.items() if usual is None or table in GAME])
def test_every_table_matters(table):
    assert matters(table, lambda _: False, SAM)


def test_legal_plays_are_those_of_the_definition():
    check_legal_plays(SAM, "sam_loc", GAMES // 2)
