"""Chops read from logs: held against the counts of the engine, which never looks at a log."""

from collections import Counter

import numpy as np
import pytest

import tlsim
from tlsim.cards import hand_of
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.fairness.sample import Link, links_of, paid_links
from tlsim.kernels import row as c

RULES = ["doithuong", "luckywin", "hue", "da_nang", "mien_bac", "sam_loc"]
VARIANTS = [
    ("luckywin", {"combinations.pair_run.long_runs": "superset_of_4", "turn.pass_reset_on_chop": True}, 4),
    ("luckywin", {"turn.pass_locks": False}, 3),
    ("luckywin", {"chop.chain": "each_pays_own", "chop.triple2_beaten_by": ["tu_quy", "nam_doi_thong"]}, 4),
    ("da_nang", {"chop.free_4dt_mode": "after_pass_in_turn"}, 3),
    ("doithuong", {}, 2),
]
TARGETS = {c.TWO: 0, c.TWO_TWOS: 1, c.THREE_TWOS: 2, c.ON_RUN_3: 3, c.ON_QUAD: 4}


def games(rules, players, policy, matches):
    work = GameWork(5, rules, players, read_policies(policy, players), rules.match_length)
    return (hall.game for hall in work.games_of(*range(matches)))


def check(rows):
    """Compare every game; return the number of chops."""
    seen = 0
    for row in rows:
        counted = Counter({at: int(n) for at, n in enumerate(row[c.EV_CHOPS + c.EVENTS :][:18]) if n})
        links = links_of(row)
        assert Counter(6 * (min(link.bomb, c.RUN_4) - 1) + TARGETS.get(link.target, 5) for link in links) == counted
        flows = row[c.FLOWS : c.FLOWS + 4 * row[c.N_FLOWS]].reshape(-1, 4).tolist()
        paid = paid_links(links, flows, each_own=row[c.CHAIN] == 1)
        assert sum(amount for *_, amount in paid) == sum(flow[3] for flow in flows if flow[0] == c.CHOP)
        assert all((link.victim, link.chopper) == (payer, receiver) for link, payer, receiver, _ in paid)
        seen += len(links)
    return seen


@pytest.mark.parametrize("policy", ["lowest", "smart"])
@pytest.mark.parametrize("name", RULES)
def test_chops_are_those_that_the_engine_counted(name, policy):
    assert check(games(tlsim.load_rules(name), 4, policy, 40)) > 5


@pytest.mark.parametrize(("name", "changes", "players"), VARIANTS)
def test_chops_under_other_rules(name, changes, players):
    assert check(games(tlsim.load_rules(name).replace(changes), players, "lowest", 120)) > 5


# --- who paid for which chop ---

HEO = Link(1, 0, 1, c.TWO, c.RUN_3, 1 << 51)
RUN = Link(1, 1, 2, c.ON_RUN_3, c.QUAD_BOMB, 0b110011_0011)
LATER = Link(3, 0, 1, c.TWO, c.QUAD_BOMB, 1 << 50)


def test_the_last_victim_pays_for_all():
    """0's 2♥ was chopped by 1, 1 by 2: 1 pays 2, and that is the cost of his three pairs."""
    assert paid_links([HEO, RUN, LATER], [[c.CHOP, 1, 2, 5], [c.CHOP, 0, 1, 2]]) == [(RUN, 1, 2, 5), (LATER, 0, 1, 2)]


def test_other_payments_are_left_out_and_a_bonus_belongs_to_no_chop():
    assert paid_links([HEO], [[c.CARDS, 0, 1, 9], [c.CHOP, 0, 1, 2], [c.CHOP, 3, 2, 4]]) == [
        (HEO, 0, 1, 2),
        (None, 3, 2, 4),
    ]


def test_twice_in_a_trick_by_the_same():
    """The last one stands for the chain; where each pays for himself, each stands for itself."""
    again = HEO._replace(cards=1 << 49)
    assert paid_links([HEO, RUN, again], [[c.CHOP, 0, 1, 7]]) == [(again, 0, 1, 7)]
    both = [[c.CHOP, 0, 1, 2], [c.CHOP, 0, 1, 1]]
    assert [link for link, *_ in paid_links([HEO, RUN, again], both, each_own=True)] == [HEO, again]


# --- games made up by hand ---


def made(dealt, plays, **clauses):
    """Return the row of a game: cards dealt by seat, and (seat, cards) in order; no cards is a pass."""
    row = np.zeros(c.N_ROW, np.int64)
    row[c.PLAYERS], row[c.PLAYS], row[c.PASS_LOCKS] = len(dealt), len(plays), 1
    row[c.DEALT : c.DEALT + len(dealt)] = [hand_of(cards) for cards in dealt]
    row[c.LOG : c.LOG + len(plays)] = [hand_of(cards) | seat << c.SEAT_SHIFT for seat, cards in plays]
    row[c.CHOPS + c.RUN_3] = 1 << c.TWO
    row[c.CHOPS + c.QUAD_BOMB] = 1 << c.TWO | 1 << c.TWO_TWOS | 1 << c.ON_RUN_3
    row[c.CHOPS + c.RUN_5] = 1 << c.ON_QUAD
    for name, value in clauses.items():
        row[getattr(c, name)] = value
    return row


RUN_OF_3, QUAD_5, RUN_OF_5 = "TS TC JS JC QS QC", "5S 5C 5D 5H", "6D 6H 7D 7H 8D 8H 9D 9H TD TH"


def who_chopped(row):
    return [(link.victim, link.chopper) for link in links_of(row)]


@pytest.mark.parametrize(("reset", "links"), [(1, [(0, 2), (2, 1)]), (0, [(0, 2)])])
def test_a_chop_clears_passes_where_the_rules_say_so(reset, links):
    """Seat 1 passes on a 2, which 2 chops; then it may play again, and chops, or leads the next trick."""
    dealt = ["2S KS", f"{QUAD_5} KC", f"{RUN_OF_3} KD", "KH AH"]
    plays = [(0, "2S"), (1, ""), (2, RUN_OF_3), (3, ""), (0, ""), (1, QUAD_5)]
    assert who_chopped(made(dealt, plays, PASS_RESET_ON_CHOP=reset)) == links


@pytest.mark.parametrize(("cong", "links"), [(0b1000, []), (0, [(0, 1)])])
def test_who_is_cong_need_not_pass(cong, links):
    """Seat 0 goes out on a 2; where 3 is cóng the trick is over after two passes, and a quad is led."""
    dealt = ["2S", f"7S {QUAD_5} KC", "KD QD", "KH AH"]
    plays = [(0, "2S"), (1, ""), (2, ""), (1, QUAD_5)]
    assert who_chopped(made(dealt, plays, CONG_SEATS=cong, FINISHED=1, FINISHERS=0, PASS_LOCKS=0)) == links


@pytest.mark.parametrize(("superset", "links"), [(1, [(0, 1)]), (0, [])])
def test_five_pairs_are_a_bomb_where_they_can_do_what_four_can(superset, links):
    dealt = [f"{QUAD_5} KC", f"{RUN_OF_5} KD"]
    assert who_chopped(made(dealt, [(0, QUAD_5), (1, RUN_OF_5)], SUPERSET=superset)) == links
