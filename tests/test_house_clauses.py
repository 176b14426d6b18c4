"""Clauses of house rules that no preset has: by hand, and on the engine and its slow twin."""

import os
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import clause_counts
import numpy as np
import pytest
from both_engines import fair, hostile, same_by_chance, same_lowest, same_settled, start, start_of, told
from game_variants import FAMILIES, aim_variants, check_variants
from naive import hand_set, holds
from naive_game import PASS, Game, Play

import tlsim
from tlsim.cards import hand_of
from tlsim.kernels import row as c
from tlsim.kernels.policies import SCRIPT
from tlsim.kernels.table import play_script

GAMES = int(os.environ.get("TLSIM_CLAUSE_GAMES", "40"))  # of every table and number of players
AT_LENGTH = int(os.environ.get("TLSIM_CLAUSE_SLOW_GAMES", "20000"))  # of every clause
BLOCK = 500
DOCUMENTS = Path(__file__).parents[1] / "docs" / "house_rules"
EVERY_LONG = list(clause_counts.EVERY_LONG)
NEW = {*clause_counts.house(), "E2 doubling_links", "M15 pays place of another"}
# What no table above rules out, whatever is dealt, and every table of house rules has together.
CHOPS = {
    "chop.by": {"ba_doi_thong": 1, "tu_quy": 2, "bon_doi_thong": 3, "nam_doi_thong": 4.5, "sau_doi_thong": 5},
    "chop.prices.doi_heo": 7, "chop.prices.ba_heo": 11, "chop.prices.nam_doi_thong": 7, "chop.prices.sau_doi_thong": 9,
    "combinations.pair_run.long_runs": "superset_of_4", "chop.four_pairs_bonus": 1,
}  # fmt: skip
BAO_1 = {"den_bao": {"min_active": 2, "requires_effect": False}}
TITLES = ["tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo", "dan_ngheo"]
# Preset and changes; every clause that no preset has is in one of them.
TABLES = {
    "everything, by places": (
        "luckywin",
        CHOPS | BAO_1 | {
            "finish.two_fine": 0.5, "finish.double": EVERY_LONG, "chop.triple2_beaten_by": EVERY_LONG,
            "chop.chain": "doubling_links", "cong.items_times": 2, "thoi.receiver": "first",
        },
    ),
    "everything, cards counted": (
        "doithuong",
        CHOPS | {
            "finish.two_fine": 5, "finish.double": EVERY_LONG, "chop.chain": "doubling_links",
            "chop.chain_includes_overlaid_twos": True, "cong.times": 2,
            "cong.items": False, "cong.fine": 0, "thoi.ba_bich": 4,
            "chop.triple2_beaten_by": ["ba_doi_thong", "sau_doi_thong"],
        },
    ),
    "báo 1 by effect, each pays his own": (
        "zing",
        {"den_bao": {"min_active": 3, "requires_effect": True}} | CHOPS
        | {"chop.chain": "each_pays_own", "chop.triple2_beaten_by": ["tu_quy"], "finish.double": ["tu_quy"]},
    ),
    "báo 1 where a 2 counts last": ("mien_bac", BAO_1),
    "cóng counts three times, cards on top": (
        "doithuong",
        {
            "cong.times": 3, "cong.items": False, "count_cards.items": "add", "thoi.ba_bich": 2,
            "finish.double": ["ba_doi_thong"], "chop.triple2_beaten_by": ["nam_doi_thong"],
        },
    ),
    "thối of cóng for the table": (
        "luckywin_cong_table", {"cong.items": True, "cong.items_times": 3, "finish.double": EVERY_LONG},
    ),
    "Sâm": (
        "sam_loc",
        CHOPS | {"finish.double": EVERY_LONG, "cong.times": 2, "finish.two_fine": 3, "finish.on_two": "allow"},
    ),
    "exchange by number": (
        "tong_thong",
        {
            "deal.min_players": 3,
            "president.titles": {"3": TITLES[::2], "4": [*TITLES[:2], *TITLES[3:]], "5": TITLES},
            "place_points": {"3": [2, 1, 0], "4": [3, 2, 1, 0], "5": [4, 3, 2, 1, 0]},
            "president.exchange": {
                "3": [{"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 1}],
                "4": [
                    {"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 2},
                    {"from_title": "can_ngheo", "to_title": "pho_tong_thong", "cards": 1},
                ],
                "5": [{"from_title": "can_ngheo", "to_title": "tong_thong", "cards": 3}],
            },
        },
    ),
}  # fmt: skip


def rules_of(table):
    preset, changes = TABLES[table]
    return tlsim.load_rules(preset).replace(changes)


def sizes_of(rules_):
    return range(rules_.deal.min_players, rules_.deal.max_players + 1)


def play_table(table, players, games, seed=""):
    """Play games of a table on both engines; return how often clauses had an effect."""
    rules, fired, rng = rules_of(table), Counter(), random.Random(f"{table} {players}{seed}")
    plain = rules.replace("toi_trang", False)
    for at in range(games):
        if at % 5 == 4:
            fired.update(same_settled(rules, players, rng).fired)
            continue
        hands = fair(rng, plain, players) if at % 4 == 0 else hostile(rng, plain, players)
        deal = start_of(plain, hands, rng)
        with told(table, TABLES[table][1], deal):
            fired.update((same_by_chance(plain, deal, rng) if at % 4 < 2 else same_lowest(plain, deal)).fired)
    return fired


@pytest.mark.parametrize("table", TABLES)
def test_both_engines_agree(table):
    rules = rules_of(table)
    for players in sizes_of(rules):
        beyond = set(play_table(table, players, GAMES)) - clause_counts.can_happen(rules, players)
        assert sorted(beyond) == []


def test_variants():
    """Every parameter of house rules drawn anew, beside those of presets."""
    seen, _, could = check_variants(FAMILIES["house rules"], 2 * GAMES)
    assert seen["reason ve_heo"]
    assert sorted(NEW - could - {"N11 exchange by the number of players"}) == []


def in_force(games):
    """In how many games every new clause could have an effect, of so many with each number of players, by table."""
    number = Counter()
    for table in TABLES:
        for players in sizes_of(rules_of(table)):
            number.update(dict.fromkeys(NEW & clause_counts.can_happen(rules_of(table), players), games[table]))
    return number


def test_every_new_clause_is_in_some_table():
    assert sorted(NEW - set(in_force(dict.fromkeys(TABLES, 1)))) == []


@pytest.mark.slow
def test_tables_at_length(capsys):
    """20,000 games of every table and more of every new clause; prints in how many each could happen, and did."""
    sizes = {table: sizes_of(rules_of(table)) for table in TABLES}
    each = {table: -(-AT_LENGTH // len(sizes[table])) for table in TABLES}
    blocks = [
        (table, players, min(BLOCK, each[table] - at), f" from {at}")
        for at in range(0, max(each.values()), BLOCK)
        for table in TABLES
        for players in sizes[table]
        if at < each[table]
    ]
    fired, done = Counter(), 0
    cores = int(os.environ.get("TLSIM_SLOW_CORES", os.cpu_count() or 1))
    with ProcessPoolExecutor(cores, get_context("fork")) as pool:
        waiting = {pool.submit(play_table, *block): block[2] for block in blocks}
        for ready in as_completed(waiting):
            fired.update(ready.result())
            done += waiting[ready]
            with capsys.disabled():
                print(f"{done:,} of {sum(waiting.values()):,} games of house rules", flush=True)  # noqa: T201
    aim_variants(FAMILIES["house rules"], NEW - {"N11 exchange by the number of players"}, fired)
    could = in_force(each)
    with capsys.disabled():
        columns = {"could": could, "fired": Counter({name: fired[name] for name in NEW})}
        print(f"\n{clause_counts.table(columns)}", flush=True)  # noqa: T201
    assert min(could.values()) >= AT_LENGTH
    assert sorted(NEW - set(fired)) == []


def money(rules, hands, plays, leader=0):
    """Settle a game that is told play by play, passes left out; return the net money and the transfers."""
    names = ("An", "Bình", "Chi", "Dũng", "Em")[: len(hands)]
    laid = {name: " ".join(cards.lstrip("!") for who, cards in plays if who == name) for name in names}
    left = [
        " ".join(card for card in hand.split() if card not in laid[name].split())
        for name, hand in zip(names, hands, strict=True)
    ]
    text = [f"rules {rules.name}", f"players {' '.join(names)}", f"game leader {names[leader]}"]
    text += [f"{who} {cards}" for who, cards in plays]
    text += [f"left {name} {cards}" for name, cards in zip(names, left, strict=True) if cards]
    settled = tlsim.settle("\n".join(text), rules)
    return list(settled.net), {(t["from"], t["to"], t["reason"]): t["amount"] for t in settled.record["transfers"]}


# By hand


def rules(preset, **changes):
    """A preset without tới trắng, changed; dots of key paths are two underscores."""
    changed = {key.replace("__", "."): value for key, value in changes.items()}
    return tlsim.load_rules(preset).replace({"toi_trang": False} | changed)


LAST_TWO = ["3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S", "3C 3D 5C 6C 7C 8C 9C TC JC QC KC AC 4D"]


def test_a_fine_for_going_out_on_a_2():
    """An lays twelve spades and 2♠; Bình, who laid nothing, is cóng: 26, and the fine of 5 goes to him."""
    plays = [("An", "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"), ("An", "2S")]
    net, paid = money(rules("doithuong", finish__two_fine=5), LAST_TWO, plays)
    assert paid == {(1, 0, "cong"): 26, (0, 1, "ve_heo"): 5}
    assert net == [21, -21]
    assert money(rules("doithuong"), LAST_TWO, plays)[0] == [26, -26]


CHOPPED = [
    "3S 2S 2H 4S 6S 7S 9S TS QS KS AS 4D 6D",
    "5S 5C 5D 5H 8S 8C 9C 9D TC TD 3C 3D 6C",
]


@pytest.mark.parametrize(
    ("changes", "chop"),
    [({}, 0.5), ({"chop__by": {"tu_quy": 2}}, 2.5), ({"chop__prices": {"heo_bich": 3}, "chop__by": {"tu_quy": 1}}, 4)],
)
def test_a_chop_costs_by_the_bomb(changes, chop):
    """A black 2 (½) chopped by a quad; then Bình leads 8s, 9s, tens and threes, and 6♣ is his last."""
    plays = [("An", "2S"), ("Bình", "5S 5C 5D 5H"), ("Bình", "8S 8C"), ("Bình", "9C 9D"), ("Bình", "TC TD")]
    plays += [("Bình", "3C 3D"), ("Bình", "6C")]
    _, paid = money(rules("luckywin", **changes), CHOPPED, plays)
    assert paid[0, 1, "chop"] == chop


@pytest.mark.parametrize(
    ("chain", "chop"), [("last_pays_sum", 0.5 + 2), ("doubling", 2 * 0.5), ("doubling_links", 0.5 + 2 * 2)]
)
def test_links_are_doubled(chain, chop):
    """2♠ (½) is chopped by a quad (2), and that by four pairs: the sum, the first price doubled, or the second link."""
    hands = [
        "2S 3S 3C 4S 5S 7S 8S 8C 9S AS AC AD AH",
        "6S 6C 6D 6H 3H 4H 5H 7H 9H TH JH QH KH",
        "TS TC JS JC QS QC KS KC 3D 4D 5D 7D 9D",
    ]
    plays = [("An", "2S"), ("Bình", "6S 6C 6D 6H"), ("Chi", "TS TC JS JC QS QC KS KC")]
    plays += [("Chi", "9D"), ("An", "AS"), ("An", "3S 3C"), ("An", "8S 8C"), ("An", "AC AD AH")]
    plays += [
        ("An", "9S"),
        ("Bình", "TH"),
        ("Bình", "3H 4H 5H"),
        *(("Bình", card) for card in ("7H", "9H", "JH", "QH", "KH")),
    ]
    plays += [("Chi", "3D"), ("An", "4S"), ("Chi", "7D"), ("Chi", "4D"), ("An", "5S"), ("Chi", "5D")]
    _, paid = money(rules("luckywin", chop__chain=chain), hands, plays)
    assert paid == {(1, 2, "chop"): chop, (0, 1, "place"): 1}


@pytest.mark.parametrize(("double", "times"), [(["ba_doi_thong"], 2), (["tu_quy", "bon_doi_thong"], 1)])
def test_a_last_bomb_doubles_the_win(double, times):
    """An goes out by three pairs in a row; Bình has laid 3♦ and still holds ten cards (1 each), 2♣ (3) and 2♥ (6)."""
    hands = ["3S 4S 5S 6S 7S 8S AS JS JC QS QC KS KC", "3C 3D 5C 6C 7C 8C 9C TC 4D AC KD 2C 2H"]
    plays = [("An", "3S"), ("Bình", "3D"), ("An", "AS"), ("An", "4S 5S 6S 7S 8S"), ("An", "JS JC QS QC KS KC")]
    _, paid = money(rules("doithuong", finish__double=double), hands, plays)
    assert paid == {(1, 0, "cards"): 10 * times, (1, 0, "thoi"): 9 * times}


def test_cong_counts_twice():
    """Bình has laid nothing: eleven cards and 2♣ 2♥ (3 and 6) cost 11 + 9, twice; in place of 26 and 9."""
    hands = ["3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S", "3C 3D 5C 6C 7C 8C 9C TC 4D AC KD 2C 2H"]
    plays = [("An", "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"), ("An", "2S")]
    usual = money(rules("doithuong"), hands, plays)[1]
    assert usual == {(1, 0, "cong"): 26, (1, 0, "thoi"): 9}
    twice = money(rules("doithuong", cong__times=2, cong__items=False, cong__fine=0), hands, plays)[1]
    assert twice == {(1, 0, "cards"): 22, (1, 0, "thoi"): 18}
    dearer = money(rules("doithuong", cong__items_times=2), hands, plays)[1]
    assert dearer == {(1, 0, "cong"): 26, (1, 0, "thoi"): 18}


def scripted(rules_, hands, leader, *plays):
    """Play small hands on the engine and its twin: seat and cards, "" for a pass; return net money and places."""
    deal = start_of(rules_, [hand_of(hand) for hand in hands], None, False)._replace(leader=leader)
    game = start(rules_, deal)
    game[c.POLICY : c.POLICY + len(hands)] = SCRIPT
    script = [seat << c.SEAT_SHIFT | (hand_of(cards) if cards else 0) for seat, cards in plays]
    play_script(game, np.array(script))
    assert game[c.FAULT] == c.FINE
    twin = Game(rules_, [hand_of(hand) for hand in hands], leader, False)
    for seat, cards in plays:
        assert twin.asked[0] == seat
        twin.choose(Play(hand_of(cards)) if cards else PASS)
    assert twin.asked is None
    places = game[c.PLACES : c.PLACES + game[c.N_PLACES]].tolist()
    assert (game[c.NET : c.NET + len(hands)].tolist(), places) == (list(twin.net), twin.places)
    return [halves / 2 for halves in twin.net], places


def test_going_out_on_a_2_beside_a_cong_seat():
    """M24: An is first; Bình, cóng, pays him 2; Chi goes out on 2♠ after him and pays Dũng, the second, ½."""
    plays = [(2, "3S"), (3, "4S"), (0, "5S"), (1, ""), (2, ""), (3, ""), (0, "9H"), (2, "2S")]
    found = scripted(rules("mien_bac", den_ca_lang=False), ["5S 9H", "7C 6D", "3S 2S", "4S 8D"], 2, *plays)
    assert found == ([2, -2, -0.5, 0.5], [0, 3, 2, 1])


@pytest.mark.parametrize(
    ("requires_effect", "last", "of_dung"), [(False, "6S", -1.5), (True, "6S", -1.5), (True, "2H", -0.5)]
)
def test_bao_1_by_places(requires_effect, last, of_dung):
    """Dũng, before An with one card, leads 5♠ though he holds A♦; An goes out, and he pays what Bình, last, would.

    As the third he pays Chi, the second, his ½ all the same. A 2♥ he could not have held: by effect he pays nothing.
    """
    hands = [f"3S {last}", "3C 7H TH", "4C KC", "4D 5S 6D AD"]
    plays = [(0, "3S"), (1, "3C"), (2, "4C"), (3, "4D"), (0, ""), (1, ""), (2, ""), (3, "5S"), (0, last), (1, "")]
    plays += [(2, ""), (3, ""), (1, "7H")] if last == "2H" else []
    plays += [(2, "KC"), (3, "AD"), *([(1, "")] if last == "2H" else []), (3, "6D")]
    changed = rules("luckywin", den_bao={"min_active": 3, "requires_effect": requires_effect})
    net, places = scripted(changed, hands, 0, *plays)
    assert places == [0, 2, 3, 1]
    assert net == [1, -0.5 - of_dung - 1, 0.5, of_dung]


# Patterns of the documented files: a hand, and the ids that it holds of those that are new


@pytest.mark.parametrize(
    ("file", "hand", "held"),
    [
        ("sam_khong_hinh", "3S 3C 4S 5D 5H 7S 8S 9C TS TD", True),
        ("sam_khong_hinh", "3S 3C 4S 5D 5H 7S 8S 9C TS JD", False),
        ("sam_khong_hinh", "2S 3C 4S 5D 5H 7S 8S 9C TS TD", False),
        ("dem_la_nhan_doi", "4S 4C 4D 4H 6S 6C 7S 7C 8S 8C TD JD QS", True),
        ("dem_la_nhan_doi", "4S 4C 4D 4H 3S 3C 5S 5C 6S 6C TD JD QS", False),  # the run would take two of the 4s
        ("dem_la_nhan_doi", "4S 4C 4D 4H 3S 3C 5S 5C 6S 6C 7D 7S QS", True),  # 5 6 7 beside them
        ("dem_la_nhan_doi", "2S 2C 2D 2H QS QC KS KC AS AC 3D 5D 7S", True),
        ("dem_la_nhan_doi", "4S 4C 4D 4H 6S 6C 7S 7C 9S 9C TD JD QS", False),
    ],
)
def test_patterns_of_the_documents(file, hand, held):
    ids = {"khong_hinh", "tu_quy_kem_ba_doi_thong"}
    rules_ = tlsim.load_rules(DOCUMENTS / f"{file}.toml")
    (pattern,) = [win.pattern for win in rules_.instant_wins() if win.id in ids]
    assert holds(pattern, hand_set(hand_of(hand)), rules_.deal.hand_size) is held  # by its definition
    assert any(found.id == pattern.id for found in tlsim.classify_hand(hand, rules_).held) is held
