"""Clauses of house rules that no preset has: by hand, and on the engine and its slow twin."""

import os
import random
from collections import Counter

import numpy as np
import pytest
from both_engines import fair, hostile, same_by_chance, same_lowest, same_settled, start, start_of, table_sizes, told
from game_variants import FAMILIES, hands_of, has, variant_of
from naive_game import PASS, Game, Play

import tlsim
from tlsim.cards import hand_of
from tlsim.kernels import row as c
from tlsim.kernels.policies import SCRIPT
from tlsim.kernels.table import play_script

GAMES = int(os.environ.get("TLSIM_CLAUSE_GAMES", "40"))  # of every clause and number of players
BY = {"ba_doi_thong": 1, "tu_quy": 2, "bon_doi_thong": 3, "nam_doi_thong": 4.5, "sau_doi_thong": 5}
EVERY_LONG = ["ba_doi_thong", "tu_quy", "bon_doi_thong", "nam_doi_thong", "sau_doi_thong"]
LONG = {"combinations.pair_run.long_runs": "superset_of_4"}
# Clause: preset, changes, and beginnings of what must have had an effect.
CLAUSES = {
    "báo 1 in games by places": (
        "luckywin",
        {"den_bao": {"min_active": 2, "requires_effect": False}},
        ("K9 đền báo", "M15 pays place"),
    ),
    "báo 1 of two, with effect": ("zing", {"den_bao": {"min_active": 3, "requires_effect": True}}, ("K9 đền báo",)),
    "báo 1 where a 2 counts last": (
        "mien_bac",
        {"den_bao": {"min_active": 2, "requires_effect": False}},
        ("K9 đền báo",),
    ),
    "a fine for a last 2, cards counted": ("doithuong", {"finish.two_fine": 5}, ("fine for going out",)),
    "a fine for a last 2, by places": ("zing", {"finish.two_fine": 0.5}, ("fine for going out",)),
    "a chop costs by the bomb": (
        "zing",
        {"chop.by": BY},
        ("by the bomb: tu_quy", "by the bomb: ba_doi_thong", "by the bomb: bon_doi_thong"),
    ),
    "by the bomb, each his own, long runs": (
        "doithuong",
        {"chop.by": BY, "chop.chain": "each_pays_own"} | LONG,
        ("by the bomb: nam_doi_thong",),
    ),
    "own prices of two and three 2s": (
        "zing",
        {"chop.prices.doi_heo": 7, "chop.prices.ba_heo": 11, "chop.triple2_beaten_by": EVERY_LONG},
        ("own price: pair", "own price: triple"),
    ),
    "own prices of long runs": (
        "luckywin",
        {"chop.prices.nam_doi_thong": 7, "chop.prices.sau_doi_thong": 9} | LONG,
        ("own price: pair_run of 5",),
    ),
    "six pairs and three pairs chop three 2s": (
        "zing",
        {"chop.triple2_beaten_by": ["ba_doi_thong", "sau_doi_thong"]},
        ("C13 three 2s chopped",),
    ),
    "every link is doubled": ("zing", {"chop.chain": "doubling_links"}, ("E2 doubling_links",)),
    "every link is doubled, twos too": (
        "doithuong",
        {"chop.chain": "doubling_links", "chop.chain_includes_overlaid_twos": True},
        ("E2 doubling_links",),
    ),
    "cóng counts twice": ("doithuong", {"cong.times": 2, "cong.items": False, "cong.fine": 0}, ("cóng counted",)),
    "cóng counts three times, added": (
        "doithuong",
        {"cong.times": 3, "cong.items": False, "count_cards.items": "add", "thoi.ba_bich": 2},
        ("cóng counted",),
    ),
    "thối of cóng counts twice": ("zing", {"cong.items_times": 2}, ("G2 items",)),
    "thối of cóng for the table": ("luckywin_cong_table", {"cong.items": True, "cong.items_times": 3}, ("G7 items",)),
    "a bomb that ends doubles": (
        "doithuong",
        {"finish.double": EVERY_LONG},
        ("win doubled: cards", "win doubled: cong"),
    ),
    "a bomb that ends doubles places": (
        "luckywin",
        {"finish.double": ["tu_quy", "ba_doi_thong"]},
        ("win doubled: place",),
    ),
    "double, and báo 1": (
        "zing",
        {"finish.double": EVERY_LONG, "den_bao": {"min_active": 2, "requires_effect": False}},
        ("K9 đền báo", "win doubled"),
    ),
    "3♠ is priced, cards replaced": ("doithuong", {"thoi.ba_bich": 4}, ("J5 3♠ left",)),
    "four pairs kept": ("zing", {"chop.four_pairs_bonus": 1}, ("J6 bonus",)),
    "Sâm with doubles and by the bomb": (
        "sam_loc",
        {"finish.double": EVERY_LONG, "chop.by": BY, "cong.times": 2},
        ("win doubled: cards", "cóng counted"),
    ),
    "exchange by number": (
        "tong_thong",
        {
            "deal.min_players": 3,
            "president.titles": {
                "3": ["tong_thong", "thuong_dan", "dan_ngheo"],
                "4": ["tong_thong", "pho_tong_thong", "can_ngheo", "dan_ngheo"],
                "5": ["tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo", "dan_ngheo"],
            },
            "place_points": {"3": [2, 1, 0], "4": [3, 2, 1, 0], "5": [4, 3, 2, 1, 0]},
            "president.exchange": {
                "3": [{"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 1}],
                "4": [
                    {"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 2},
                    {"from_title": "can_ngheo", "to_title": "pho_tong_thong", "cards": 1},
                ],
                "5": [],
            },
        },
        (),
    ),
}


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


def long_prices(rng):
    """Prices of some of the bombs."""
    return {name: rng.randint(0, 9) / 2 for name in EVERY_LONG if rng.random() < 0.5} or False


def sometimes(draw):
    return lambda rng: draw(rng) if rng.random() < 0.7 else None


HOUSE = {  # new clauses, drawn beside those of a variant
    "finish.two_fine": sometimes(lambda rng: rng.randint(1, 9) / 2),
    "finish.double": sometimes(lambda rng: [name for name in EVERY_LONG if rng.random() < 0.6]),
    "chop.by": sometimes(long_prices),
    **{
        f"chop.prices.{name}": sometimes(lambda rng: rng.randint(0, 9) / 2)
        for name in ("doi_heo", "ba_heo", "nam_doi_thong", "sau_doi_thong")
    },
    "chop.triple2_beaten_by": lambda rng: [name for name in EVERY_LONG if rng.random() < 0.5],
    "chop.chain": lambda rng: rng.choice(["doubling_links", "each_pays_own", "doubling"]),
    "cong.times": sometimes(lambda rng: rng.choice([1, 2, 3])),
    "cong.items_times": sometimes(lambda rng: rng.choice([1, 2, 3])),
    "den_bao": lambda rng: {"min_active": rng.choice([2, 2, 3]), "requires_effect": rng.random() < 0.5},
}


def house_variant(rng, name, family):
    """A variant of a preset with some of the new clauses, and all changes; None where they do not go together."""
    rules, changes = variant_of(rng, name, family)
    ours = {key: draw(rng) for key, draw in HOUSE.items() if rng.random() < 0.5}
    ours = {key: value for key, value in ours.items() if value is not None and has(rules, key)}
    if "cong.times" in ours:
        ours["cong.items"] = False
    try:
        return rules.replace(ours), changes | ours
    except tlsim.UsageError:
        return None, None


def play_variants(family, number, seed):
    """Play stacked deals under variants with new clauses on both engines; return how many, and what fired."""
    played, fired = 0, Counter()
    for at in range(number):
        name, rng = family.presets[at % len(family.presets)], random.Random(f"{seed} {at}")
        rules, changes = house_variant(rng, name, family)
        if rules is None or rules.unplayable():
            continue
        deal = start_of(rules, hands_of(rng, rules, rng.choice(table_sizes(name))), rng)
        with told(name, changes, deal):
            for game in (same_lowest(rules, deal), same_by_chance(rules, deal, rng)):
                fired.update(game.fired)
                played += 1
    return played, fired


@pytest.mark.parametrize("family", ["tien_len", "sam_loc", "doithuong with calls"])
def test_variants_with_new_clauses(family):
    assert play_variants(FAMILIES[family], 2 * GAMES, "house")[0] > GAMES


@pytest.mark.slow
@pytest.mark.parametrize("family", ["tien_len", "sam_loc", "doithuong with calls"])
def test_many_variants_with_new_clauses(family):
    number = int(os.environ.get("TLSIM_CLAUSE_SLOW_GAMES", "20000"))
    _, fired = play_variants(FAMILIES[family], number, "house, at length")
    for wanted in ("by the bomb", "own price: pair", "cóng counted", "fine for going out", "win doubled", "K9 đền báo"):
        assert any(name.startswith(wanted) for name in fired), wanted


def rules_of(clause):
    preset, changes, _ = CLAUSES[clause]
    return tlsim.load_rules(preset).replace(changes)


def play_both(clause, games):
    """Play games of a clause on both engines, at every number of players; return how often clauses had an effect."""
    rules, fired = rules_of(clause), Counter()
    plain = rules.replace("toi_trang", False)
    for players in range(rules.deal.min_players, rules.deal.max_players + 1):
        rng = random.Random(f"{clause} {players}")
        for at in range(games):
            if at % 5 == 4:
                fired.update(same_settled(rules, players, rng).fired)
                continue
            hands = fair(rng, plain, players) if at % 4 == 0 else hostile(rng, plain, players)
            deal = start_of(plain, hands, rng)
            with told(clause, CLAUSES[clause][1], deal):
                fired.update((same_by_chance(plain, deal, rng) if at % 4 < 2 else same_lowest(plain, deal)).fired)
    return fired


@pytest.mark.parametrize("clause", CLAUSES)
def test_both_engines_agree(clause):
    fired = play_both(clause, GAMES)
    assert fired


@pytest.mark.slow
@pytest.mark.parametrize("clause", CLAUSES)
def test_both_engines_agree_in_many_games(clause):
    """20,000 games of every clause; each has had its effect."""
    rules = rules_of(clause)
    tables = rules.deal.max_players + 1 - rules.deal.min_players
    fired = play_both(clause, int(os.environ.get("TLSIM_CLAUSE_SLOW_GAMES", "20000")) // tables)
    for wanted in CLAUSES[clause][2]:
        if not any(name.startswith(wanted) for name in fired):
            fired.update(play_aimed(rules.replace("toi_trang", False), clause))
        assert any(name.startswith(wanted) for name in fired), (wanted, fired)


THREE_TWOS = ["2S 2C 2D 3S 4S", "4C 4D 5C 5D 6C 6D 9S", "7S 8S 9C", "TS JS QS"]  # and three pairs in a row beside them


def play_aimed(rules, clause):
    """Play deals in which three 2s meet three pairs, by chance."""
    fired, rng = Counter(), random.Random(clause)
    for _ in range(300):
        deal = start_of(rules, [hand_of(hand) for hand in THREE_TWOS], None, False)
        fired.update(same_by_chance(rules, deal, rng).fired)
    return fired


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
