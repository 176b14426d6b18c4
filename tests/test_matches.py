"""Matches of Sâm lốc and Tổng thống: what carries over from game to game, the uneven deal, who wins a match.

The slow twin is led through every game of a match and says itself how the next begins.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from follow import follow_matches
from scipy import stats as law
from uniform import bit_matrix, least_noncentrality

import tlsim
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.errors import UsageError
from tlsim.kernels import matches as m
from tlsim.kernels.row import MOST_SEATS

SAM = [
    ("lowest", 4, 140, {}, {"K9 đền báo, followed lower", "K9 đền báo, led lower", "K10 stuck leader"}),
    ("smart", 2, 240, {}, {"ended sam_made", "ended sam_blocked", "M16 a streak ends"}),
    ("random", 5, 140, {}, {"K5 tới trắng before the call", "M14 caller leads without the opening card"}),
    ("random[sam=0]", 3, 240, {}, {"K9 đền báo, passed", "M15 passed before a lead"}),
    ("smart", 5, 240, {}, {"M16 a streak grows", "M16 leading uses a streak up", "ended sam_made"}),
    ("smart[sam=1],lowest,random[sam=0]", 3, 140, {"bao_sam.fail_multiplier": "players"}, {"ended sam_blocked"}),
    ("smart[sam=1]", 2, 240, {"bao_sam.chop_money": True, "bao_sam.items": True}, {"ended sam_made"}),
    (
        "random[sam=0],smart,smart,smart",
        4,
        240,
        {"lead.cong_streak": 3, "den_bao.requires_effect": True},
        {"M16 a streak grows"},
    ),
    ("lowest,random[sam=0]", 2, 140, {"toi_trang.after_instant_win": "winner_leads"}, {"ended normal"}),
]
PRESIDENT = [
    ("lowest", 4, {}, {"004#R23 revolution", "004#R24 beats in the reversed order"}),
    ("random", 5, {}, {"L13 of equal ranks, lowest_suit_first", "004#R16 returns a card just received"}),
    ("smart", 5, {}, {"004#R23 revolution"}),
    ("random", 4, {"president.exchange_tie": "highest_suit_first"}, {"L13 of equal ranks, highest_suit_first"}),
    ("lowest", 4, {"president.revolution": False}, {"ended normal"}),
    ("random", 5, {"president.exchange": [], "deal.uneven_deal": "fixed_dealer"}, {"ended normal"}),
]


@pytest.mark.parametrize(("policies", "players", "games", "changes", "clauses"), SAM)
def test_matches_of_sam_on_the_twin(policies, players, games, changes, clauses):
    rules = tlsim.load_rules("sam_loc").replace(changes)
    fired = follow_matches(rules, tlsim.play(rules, games, players, policies, seed=5))
    assert clauses - set(fired) == set()


@pytest.mark.parametrize(("policies", "players", "changes", "clauses"), PRESIDENT)
def test_matches_of_president_on_the_twin(policies, players, changes, clauses):
    rules = tlsim.load_rules("tong_thong").replace(changes)
    fired = follow_matches(rules, tlsim.play(rules, 104, players, policies, match_length=8, seed=5))
    assert clauses - set(fired) == set()


def test_points_are_the_stated_sum():
    """004#R20, R21: 3 + 2 + 1 + 0 at four seats, 4 + 3 + 2 + 1 + 0 at five, in every game."""
    for players, whole in ((4, 6), (5, 10)):
        for record in tlsim.play("tong_thong", 80, players, "random", seed=1):
            assert sorted(record["points"]) == list(range(players))
            assert sum(record["net"]) == whole
            assert record["transfers"] == []


def test_the_dealer_moves_on():
    """L1, M22: at five seats the two after the dealer hold eleven cards; the dealer is the number of the game."""
    records = tlsim.play("tong_thong", 8, 5, match_length=8, seed=1)
    sizes = [[len(hand) for hand in record["hands"]] for record in records]
    assert sizes[:3] == [[10, 11, 11, 10, 10], [10, 10, 11, 11, 10], [10, 10, 10, 11, 11]]
    assert sizes[3:6] == [[11, 10, 10, 10, 11], [11, 11, 10, 10, 10], [10, 11, 11, 10, 10]]
    fixed = tlsim.load_rules("tong_thong").replace("deal.uneven_deal", "fixed_dealer")
    assert {tuple(map(len, record["hands"])) for record in tlsim.play(fixed, 8, 5, seed=1)} == {(10, 11, 11, 10, 10)}


def test_the_cards_that_are_over_are_dealt_fairly():
    """Chi-square of the cards of each seat; false alarm 1e-6 each.

    Caught with 0.999: a card too frequent by a third; the lower of the two odd cards always going to the same seat,
    which moves the share of a card by up to an eleventh, evenly from one end of the deck to the other.
    """
    work = GameWork(3, tlsim.load_rules("tong_thong"), 5, read_policies("lowest", 5), match_length=1)
    deals = np.array([next(work.games_of(match)).hands[:, match % 256] for match in range(6000)])
    for seat in range(5):
        size = 11 if seat in (1, 2) else 10
        assert (np.bitwise_count(deals[:, seat]) == size).all()
        counts = bit_matrix(deals[:, seat].copy(), 52).sum(axis=0, dtype=np.int64)
        share = size / 52
        variance = 6000 * share * (1 - share) * 52 / 51  # of a contrast: the counts of a hand are no independent ones
        assert ((counts - 6000 * share) ** 2).sum() / variance < law.chi2.isf(1e-6, 51)
        least = least_noncentrality(51, 1e-6)
        assert (6000 * share / 3) ** 2 / variance > least
        assert 52 / 3 * (6000 / 52) ** 2 / variance > least


def test_every_game_deals_all_cards_once():
    for record in tlsim.play("tong_thong", 40, 5, "smart", seed=2):
        assert sorted(card for hand in record["hands"] for card in hand) == sorted(
            {c for h in record["hands"] for c in h}
        )
        assert record["undealt"] == []


def test_rules_and_policies_change_no_deal():
    plain = tlsim.play("tong_thong", 8, 5, "lowest", seed=3)
    for other in (
        tlsim.play("tong_thong", 8, 5, "random,smart,lowest,random,smart", seed=3),
        tlsim.play(tlsim.load_rules("tong_thong").replace("president.exchange", []), 8, 5, seed=3),
    ):
        assert [record["hands"] for record in other] == [record["hands"] for record in plain]


def test_a_replayed_game_is_that_of_the_match():
    for rules, policies in (
        ("sam_loc", "random[sam=0],smart,lowest"),
        ("tong_thong", "smart,random,lowest,smart,lowest"),
    ):
        players = policies.count(",") + 1
        records = tlsim.play(rules, 24, players, policies, match_length=12, seed=4)
        assert (
            tlsim.replay(rules, seed=4, match=1, game=7, players=players, policies=policies, match_length=12)
            == records[19]
        )


def test_sums_are_those_of_the_games_on_any_number_of_threads():
    for rules, players, policies in (("sam_loc", 3, "random[sam=0],smart,lowest[sam=1]"), ("tong_thong", 5, "random")):
        length = 12
        records = tlsim.play(rules, 1200, players, policies, match_length=length, seed=6)
        stats = tlsim.simulate(rules, 1200, players, policies, match_length=length, seed=6, threads=1)
        assert (
            tlsim.simulate(rules, 1200, players, policies, match_length=length, seed=6, threads=2).tally == stats.tally
        )
        for seat, row in enumerate(stats.rows("seats")):
            assert row["mean"] * 1200 == pytest.approx(sum(record["net"][seat] for record in records))


def test_calls_add_up_to_those_of_the_records():
    """Games called, made, in vain, and the money of the callers, counted in the records."""
    policies = ["random", "smart[sam=1]", "smart[sam=0]"]
    records = tlsim.play("sam_loc", 2400, 3, policies, seed=7)
    sums = tlsim.simulate("sam_loc", 2400, 3, policies, seed=7).tally.calls.sum(axis=(0, 2))
    found: Counter = Counter()
    for record in records:
        callers = [call["seat"] for call in record["calls"] if call["call"] == "sam"]
        for seat in callers:
            found[seat, m.C_CALLED] += 1
            found[seat, m.C_VOID] += any(call["call"] == "toi_trang" for call in record["calls"])
            found[seat, m.C_MADE] += any(entry["reason"] == "sam" for entry in record["transfers"])
            found[seat, m.C_MONEY] += 2 * record["net"][seat]
        order = [(record["leader"] + distance) % 3 for distance in range(3)]
        for seat in order[: order.index(callers[0]) + 1 if callers else 3]:  # K1: nobody is asked after the first yes
            found[seat, m.C_ASKED] += 1
            if seat not in callers:
                found[seat, m.C_SILENT_MONEY] += 2 * record["net"][seat]
    assert {(s, k): int(sums[s, k]) for s in range(3) for k in range(m.N_CALL_SUMS)} == {
        (s, k): found[s, k] for s in range(3) for k in range(m.N_CALL_SUMS)
    }
    assert found[1, m.C_VOID]
    assert found[2, m.C_CALLED] == 0


def test_titles_add_up_to_those_of_the_records():
    """Moves between places, games kept in a row, winners of matches, counted in the records."""
    length, players = 16, 5
    records = tlsim.play("tong_thong", 60 * length, players, "random", match_length=length, seed=8)
    sums = tlsim.simulate("tong_thong", 60 * length, players, "random", match_length=length, seed=8).tally.titles.sum(
        axis=0
    )
    found: Counter = Counter()
    for match in range(60):
        games = records[match * length : (match + 1) * length]
        kept = [1] * players
        for one, two in itertools.pairwise(games):
            for seat in range(players):
                old, new = one["places"].index(seat), two["places"].index(seat)
                found[m.T_MOVES + MOST_SEATS * old + new] += 1
                at = m.T_RUNS + 2 * (m.MOST_IN_A_ROW * old + min(kept[seat], m.MOST_IN_A_ROW) - 1)
                found[at] += 1
                found[at + 1] += old == new
                kept[seat] = kept[seat] + 1 if old == new else 1
        points = [sum(record["points"][seat] for record in games) for seat in range(players)]
        winners = [seat for seat in range(players) if points[seat] == max(points)]
        for seat in winners:
            for first in (m.T_WON + m.N_WON * seat, m.T_WON_FIRST + m.N_WON * games[0]["places"].index(seat)):
                found[first + (m.WON_ALONE if len(winners) == 1 else m.WON_TOGETHER)] += 1
                found[first + m.WON_SHARES] += Fraction(m.WHOLE_SHARE, len(winners))
    assert {at: int(n) for at, n in enumerate(sums) if n} == {at: int(n) for at, n in found.items() if n}


def test_who_calls_is_an_option_of_sam_alone():
    with pytest.raises(UsageError, match=r"luckywin has no call of Sâm \(bao_sam\)"):
        tlsim.simulate("luckywin", 12, policies="smart[sam=1]")
    always = tlsim.play("sam_loc", 60, 4, "lowest[sam=1]", seed=1)
    never = tlsim.play("sam_loc", 60, 4, "random[sam=0]", seed=1)
    assert all(record["calls"][0] == {"seat": record["leader"], "call": "sam"} for record in always)
    assert not any(call["call"] == "sam" for record in never for call in record["calls"])
