"""Variants of presets: every parameter that the engine honours may be drawn anew; and whether each matters.

A family is what presets have in common: Tiến Lên, Sâm lốc, Tổng thống. Rules that a game cannot be played by are drawn
again.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import NamedTuple

import both_engines as both
import clause_counts
import naive_game
from aimed_deals import AIMED
from game_deals import aimed_deal, calls_of, can_exchange, in_quads, stacked, start_of, went_before, with_patterns

from tlsim import load_rules
from tlsim.cards import hand_of
from tlsim.errors import UsageError
from tlsim.kernels import row as c
from tlsim.kernels.policies import LOWEST, RANDOM

TIEN_LEN = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac",
)  # fmt: skip
BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
TARGETS = ("heo", "doi_heo", *BOMBS)
TRIES = 3  # by chance, of an aimed deal under one variant


def some(rng, words):
    return [word for word in words if rng.random() < 0.6]


def points_by_place(rng, sizes):
    return {str(n): [rng.randint(0, 8) / 2 for _ in range(n)] for n in sizes}


def by_place(rng, sizes):
    """A settlement by place, of points or of money."""
    if rng.random() < 0.5:
        return {"place_points": points_by_place(rng, sizes), "place_transfers": False, "count_cards": False}
    rows = {}
    for n in sizes:
        ends = [rng.sample(range(1, n + 1), 2) for _ in range(rng.randint(1, 3))]
        rows[str(n)] = [{"from_place": a, "to_place": b, "pays": rng.randint(0, 6) / 2} for a, b in ends]
    return {"place_points": False, "place_transfers": rows, "count_cards": False}


def counted(rng, _):
    items = {"items": rng.choice(["replace", "add"])}
    return {"place_points": False, "place_transfers": False, "count_cards": items}


def price(rng):
    return rng.randint(0, 12) / 2


def one_of(*values):
    return lambda rng: rng.choice(values)


YES_NO = one_of(True, False)

# By the way of drawing a value.
PLAY = {
    "turn.pass_locks": YES_NO,
    "turn.pass_reset_on_chop": YES_NO,
    "lead.opening_card": one_of("3S", "3C", "3H", "4D"),
    "lead.opening_must_include": YES_NO,
    "lead.opening_fallback": one_of("lowest_must_include", "lowest_free", "random"),
    "combinations.compare": one_of("top_card", "top_rank"),
    "combinations.suit_match": one_of("off", "north", "match_first_card_only"),
    "combinations.straight.min_length": one_of(3, 3, 4, 5),
    "combinations.straight.low": YES_NO,
    "combinations.straight.longer_beats": YES_NO,
    "combinations.pair_run.min_length": one_of(3, 3, 3, 4),
    "combinations.pair_run.long_runs": one_of("as_ordinary", "superset_of_4"),
    "combinations.pair_run.three": one_of("ordinary", "trump"),
    "finish.on_two": one_of("allow", "counts_last", "forbid"),
    "finish.on_two_in_straight": YES_NO,
    "finish.with_hang": YES_NO,
}
MONEY = {
    **{f"prices.{name}": price for name in ("rac", *naive_game.HEO, *BOMBS)},
    **{f"chop.prices.{name}": price for name in (*naive_game.HEO, *BOMBS)},
    **{f"chop.beats.{name}": (lambda rng: some(rng, TARGETS)) for name in BOMBS},
    "chop.triple2_beaten_by": lambda rng: some(rng, ["tu_quy", "bon_doi_thong", "nam_doi_thong"]),
    "chop.after_pass": lambda rng: some(rng, BOMBS),
    "chop.free_4dt_mode": one_of("any_time", "after_pass_in_turn", "none"),
    "chop.free_targets": lambda rng: some(rng, TARGETS),
    "chop.chain": one_of("last_pays_sum", "each_pays_own", "doubling"),
    "chop.chain_includes_overlaid_twos": YES_NO,
    "chop.finisher_void_scope": one_of("none", "chain_if_last_victim_out", "link"),
    "chop.pay_same_class": YES_NO,
    "chop.pay_led_hang": YES_NO,
    "chop.four_twos_price": one_of("heo_sum", "quad"),
    "chop.four_pairs_bonus": one_of(0, 0, 1.5),
    "end_condition": one_of("first_out", "last_one"),
    "thoi.payer": one_of("last", "losers"),
    "thoi.receiver": one_of("above_last", "first"),
    "thoi.hang": YES_NO,
    "thoi.hang_partition": one_of("max_total", "greedy"),
    "thoi.ba_bich": one_of(0, 1, 2.5),
    "cong.fine": price,
    "cong.items": YES_NO,
    "cong.method": one_of("per_player", "per_player", "whole_table"),
    "cong.payee": one_of("on_behalf", "to_each"),
    "den_cong.method": one_of("sole_holder", "first_in_order"),
    "den_cong.scan": one_of("seat_first", "play_first"),
    "den_cong.min_opponents": one_of(1, 2, 3),
}
SPECIAL = {
    "ket_3_bich.pays": price,
    "ket_3_bich.block_pays": price,
    "ket_3_bich.window": one_of("response", "response", "none"),
    "ket_3_bich.single_only": YES_NO,
    "ket_3_bich.block_payees": one_of("active", "not_passed", "laid_card", "blocker_only"),
    "ket_3_bich.after_block": one_of("hand_ends", "continue"),
    "dut_3_bich.first_pays": price,
    "dut_3_bich.second_pays": price,
    "dut_3_bich.dut_second_payee": one_of("third_to_second", "both_to_first"),
    "residual.quad3_residual": one_of("3S_alone", "remaining_threes", "none"),
    "residual.pair_run_4": YES_NO,
    "den_ca_lang.pays": price,
    "den_ca_lang.hand_ends": YES_NO,
}
CALLS = {
    "lead.next": one_of(
        ["cong_streak", "sam_caller", "winner"], ["sam_caller", "cong_streak", "winner"], ["cong_streak", "last_place"],
        ["winner"], ["last_place"], ["sam_caller"], ["cong_streak"], ["sam_caller", "last_place", "winner"],
    ),
    "lead.cong_streak": one_of(2, 2, 3, 10),
    "bao_sam.pays": price,
    "bao_sam.fail_pays": price,
    "bao_sam.fail_multiplier": one_of("opponents", "players"),
    "bao_sam.fail_payee": one_of("blocker", "each_opponent"),
    "bao_sam.items": YES_NO,
    "bao_sam.chop_money": YES_NO,
    "den_bao.min_active": one_of(2, 3, 4, 5),
    "den_bao.requires_effect": YES_NO,
}  # fmt: skip
TOI_TRANG = {
    "toi_trang.declare": one_of("optional", "automatic"),
    "toi_trang.opening_list_mode": one_of("exclusive", "additional"),
    "toi_trang.priority": one_of("strength", "turn"),
    "toi_trang.opening_priority": one_of("strength", "turn"),
    "toi_trang.instant_pay": price,
    "toi_trang.after_instant_win": one_of("opening_hand", "winner_leads"),
    "toi_trang.bars_last_winner": YES_NO,
}


TITLES = ("tong_thong", "pho_tong_thong", "can_ngheo", "dan_ngheo")  # at every table


def some_exchange(rng):
    """One row to six, of 1 to 6 cards; the same title may give and get more than once."""
    rows = [
        (*rng.sample(TITLES, 2), rng.choice([1, 1, 1, 2, 2, 3, 4, 5, 6])) for _ in range(rng.choice([0, 1, 2, 3, 6]))
    ]
    return [{"from_title": one, "to_title": two, "cards": cards} for one, two, cards in rows]


def other_titles(rng):
    names = {n: rng.sample(TITLES, 4) for n in (4, 5)}
    names[5].insert(rng.randrange(5), "thuong_dan")
    return {str(n): titles for n, titles in names.items()}


PRESIDENT = {
    "president.revolution": one_of(True, True, False),
    "president.exchange_tie": one_of("lowest_suit_first", "highest_suit_first"),
    "president.exchange": some_exchange,
    "president.titles": other_titles,
    "place_points": lambda rng: points_by_place(rng, (4, 5)),
    "lead.next": one_of(["last_place"], ["winner"], ["last_place", "winner"]),
}
# Tables that a game may be without, and what they are where a preset has none; None: every preset has it.
TABLES = {
    "thoi": {"payer": "last", "receiver": "above_last", "hang": True, "hang_partition": "max_total", "ba_bich": 1},
    "cong": {"fine": 2, "items": True, "method": "per_player", "payee": "on_behalf"},
    "den_cong": {"method": "first_in_order", "scan": "seat_first", "min_opponents": 2},
    "ket_3_bich": {
        "pays": 26, "block_pays": 13, "window": "response", "single_only": True, "block_payees": "active",
        "after_block": "hand_ends",
    },
    "dut_3_bich": {"first_pays": 1, "second_pays": 1.5, "dut_second_payee": "third_to_second"},
    "residual": {"quad3_residual": "3S_alone", "pair_run_4": True},
    "den_ca_lang": {"pays": 1, "hand_ends": True},
    "chop": None,
    "combinations.pair_run": {"min_length": 3, "long_runs": "as_ordinary", "three": "ordinary"},
    "combinations.straight": None,
}  # fmt: skip
# Those of calls, for sets that count cards and stop at the first player out; and what a set by title may have.
CALL_TABLES = {
    "bao_sam": {
        "pays": 20, "fail_pays": 20, "fail_multiplier": "opponents", "fail_payee": "blocker", "items": False,
        "chop_money": False,
    },
    "den_bao": {"min_active": 3, "requires_effect": False},
}  # fmt: skip
HEO_PRICES = {"heo_bich": 1, "heo_chuon": 1.5, "heo_ro": 2, "heo_co": 2.5}
PRICES = {
    "rac": 1, "heo_bich": 1, "heo_chuon": 1.5, "heo_ro": 2, "heo_co": 2.5, "ba_doi_thong": 3, "tu_quy": 3.5,
    "bon_doi_thong": 4,
}  # fmt: skip
CHOP = {
    "beats": {
        "ba_doi_thong": ["heo", "ba_doi_thong"], "tu_quy": ["heo", "doi_heo", "ba_doi_thong", "tu_quy"],
        "bon_doi_thong": [*TARGETS],
    },
    "triple2_beaten_by": [], "after_pass": ["bon_doi_thong"], "free_4dt_mode": "any_time", "free_targets": [*TARGETS],
    "chain": "last_pays_sum", "chain_includes_overlaid_twos": False, "finisher_void_scope": "none",
    "pay_same_class": True, "pay_led_hang": True, "four_twos_price": "heo_sum", "four_pairs_bonus": 0,
}  # fmt: skip


EVERY_LONG = (*BOMBS, "nam_doi_thong", "sau_doi_thong")


def long_prices(rng):
    """Prices of some of the bombs, by the bomb."""
    return {name: price(rng) for name in EVERY_LONG if rng.random() < 0.5}


# Clauses that no preset has.
HOUSE = {
    "combinations.pair_run.long_runs": one_of("superset_of_4", "superset_of_4", "as_ordinary"),
    "finish.two_fine": price,
    "finish.double": lambda rng: some(rng, EVERY_LONG),
    "chop.by": long_prices,
    **{f"chop.prices.{name}": price for name in ("doi_heo", "ba_heo", "nam_doi_thong", "sau_doi_thong")},
    "chop.triple2_beaten_by": lambda rng: some(rng, EVERY_LONG),
    "chop.chain": one_of("doubling_links", "doubling_links", "last_pays_sum"),
    "cong.times": one_of(1, 2, 3),
    "cong.items": YES_NO,
    "cong.items_times": one_of(1, 2, 3),
    "thoi.ba_bich": one_of(0, 1, 2.5),
    "den_bao.min_active": one_of(2, 3, 4),
    "den_bao.requires_effect": YES_NO,
}


class Family(NamedTuple):
    """Presets, changes that all variants have, their parameters, and the tables that they may have or not.

    ``beside``: parameters that are drawn too, seldom, and are looked at in another family. ``playable``: rules that
    `rules check` refuses for whole games are no variants.
    """

    presets: tuple[str, ...]
    base: dict
    parameters: dict
    tables: dict
    settlements: tuple = ()
    whole: float = 0.0  # the share of variants with tới trắng
    beside: dict = {}  # noqa: RUF012 (never changed)
    playable: bool = False


def without(parameters, *beginnings):
    return {key: draw for key, draw in parameters.items() if not key.startswith(beginnings)}


FAMILIES = {
    "tien_len": Family(TIEN_LEN, {}, PLAY | MONEY | SPECIAL, TABLES, (by_place, counted)),
    "sam_loc": Family(
        ("sam_loc",), {}, without(PLAY | MONEY | SPECIAL | CALLS | TOI_TRANG, "end_"), TABLES | CALL_TABLES, (counted,),
        whole=0.5,
    ),
    "doithuong with calls": Family(
        ("doithuong",), CALL_TABLES, without(PLAY | MONEY | SPECIAL | CALLS, "end_"), TABLES | CALL_TABLES, (counted,),
    ),
    "tong_thong": Family(
        ("tong_thong",), {},
        without(PLAY | PRESIDENT, "combinations.s", "combinations.p", "finish.on_two", "president.revolution"),
        {"cong": TABLES["cong"] | {"items": False}},
    ),
    "tong_thong without revolution": Family(
        ("tong_thong",), {"president.revolution": False, "prices": PRICES},
        without(PLAY | MONEY | PRESIDENT, "end_", "president.revolution", "place_points", "cong.method", "cong.payee"),
        {
            "chop": CHOP, "thoi": TABLES["thoi"], "cong": TABLES["cong"], "den_cong": TABLES["den_cong"],
            "combinations.pair_run": TABLES["combinations.pair_run"],
            "combinations.straight": {"min_length": 3, "low": True, "longer_beats": False},
        },
        (by_place, counted),
    ),
    "house rules": Family(
        ("doithuong", "luckywin", "zing", "sam_loc", "doithuong", "hue", "luckywin_cong_table", "mien_bac"), {}, HOUSE,
        TABLES | {"den_bao": CALL_TABLES["den_bao"]}, (by_place, counted),
        beside=PLAY | MONEY | SPECIAL, playable=True,
    ),
}  # fmt: skip


def variant_of(rng, name, family):
    """A preset with some parameters drawn anew, and what was changed."""
    while True:
        whole = rng.random() < family.whole
        base, changes = (load_rules(name) if whole else both.plain(name)).replace(family.base), {}
        for table, usual in family.tables.items():
            if rng.random() < 0.1:
                changes[table] = False
            elif usual and rng.random() < 0.35:
                changes[table] = usual
        if family.settlements and rng.random() < 0.4:
            changes |= rng.choice(family.settlements)(rng, both.table_sizes(name))
        share = rng.choice([0.05, 0.2, 0.5])
        for key, draw in (family.beside | family.parameters).items():
            if rng.random() < (share if key in family.parameters else 0.05):
                changes[key] = draw(rng)
        rules = changed(base, changes, family)
        if rules:
            return rules, changes


def changed(rules, changes, family):
    """Rules with changes, those left out whose table is not there; None where the rest is refused."""
    known = family.beside | family.parameters
    inner = {key: value for key, value in changes.items() if key in known and "." in key}
    try:
        rules = rules.replace({key: value for key, value in changes.items() if key not in inner})
        rules = rules.replace({key: value for key, value in inner.items() if has(rules, key)})
    except UsageError:
        return None
    return None if family.playable and rules.unplayable() else rules


def has(rules, key):
    """Whether the table of a parameter is there."""
    at = rules
    for part in key.split(".")[:-1]:
        at = getattr(at, part)
        if at is None:
            return False
    return True


def hands_of(rng, rules, players):
    """Hands of all sizes; where they matter, such as the order turns over in, and patterns of tới trắng."""
    if rules.president and rng.random() < 0.6:
        return in_quads(rng, players)
    return stacked(rng, players)


def check_variants(family, number, seed="variants"):
    """Play stacked deals under variants of every preset in turn; return what happened, what fired, what could have."""
    seen, fired, could = Counter(), Counter(), set()
    for at in range(number):
        name = family.presets[at % len(family.presets)]
        rng = random.Random(f"{seed} {at}")
        rules, changes = variant_of(rng, name, family)
        for _ in range(2):
            players = rng.choice(both.table_sizes(name))
            could |= clause_counts.can_happen(rules, players)
            deal = start_of(rules, hands_of(rng, rules, players), rng)
            play_variant(rules, changes, name, deal, rng, fired, seen)
        if rules.toi_trang:
            opening = rng.random() < 0.5
            deal = start_of(rules, with_patterns(rng, rules, players, opening), rng, opening)
            play_variant(rules, changes, name, deal, rng, fired, seen)
    return seen, fired, could


def play_variant(rules, changes, name, deal, rng, fired, seen=None):
    """Play a deal by both policies; only what can happen under the rules may have fired."""
    possible = clause_counts.can_happen(rules, len(deal.hands))
    with both.told(name, changes, deal):
        for game in both.same_lowest(rules, deal, seen), both.same_by_chance(rules, deal, rng, seen):
            beyond = sorted(set(game.fired) - possible)
            assert beyond == [], f"cannot fire under these rules: {beyond}"
            fired.update(game.fired)


def aim_variants(family, wanted, fired, seen=None):
    """Play deals aimed at the clauses that have not fired, under variants under which they can."""
    for at in range(both.MOST_ROUNDS):
        missing = wanted - set(fired)
        if not missing:
            return
        name, rng = family.presets[at % len(family.presets)], random.Random(f"aimed variant {at}")
        rules, changes = variant_of(rng, name, family)
        for players in both.table_sizes(name):
            possible = missing & clause_counts.can_happen(rules, players)
            for aimed in AIMED:
                if any(clause.startswith(aimed.clauses) for clause in possible):
                    for _ in range(TRIES):
                        play_variant(rules, changes, name, aimed_deal(rules, aimed, players), rng, fired, seen)
            if rules.toi_trang and any(clause.startswith(clause_counts.OF_TOI_TRANG) for clause in possible):
                fired.update(both.same_with_patterns(name, rules, players, rng, changes).fired)


# Every parameter matters


@cache
def deals_to_try(name, with_calls):
    """A fixed set of deals, whatever the rules: hands, whether an opening game, what went before, and a seed."""
    calls = CALL_TABLES | {"lead.cong_streak": 2} if with_calls else {}
    rng, rules = random.Random("deals"), load_rules(name).replace(calls)
    sizes = both.table_sizes(name)
    able = [hand_of(text) for text in ("9S 6H KS", "4C 7C", "TS 4D", "5D 4H")]  # who must đền depends on the scan
    starts = [(hands_of(rng, rules, sizes[at % len(sizes)]), rng.random() < 0.5, rng) for at in range(120)]
    starts += [(able, False, None)] * 240
    for aimed in AIMED:
        rare = aimed.caller is not None or any(clause.startswith(("K8", "K9", "K10")) for clause in aimed.clauses)
        rarer = any(clause.startswith(("C13", "C14", "E5", "J3", "K10 out", "N")) for clause in aimed.clauses)
        for players in [*sizes] * (12 if rarer else rare):
            starts.append((aimed.hands_of(players), aimed.opening or rng.random() < 0.5, rng))
    for at in range(160):
        players, opening = sizes[at % len(sizes)], at % 2 == 0
        if rules.toi_trang and rules.toi_trang.bars_last_winner:
            starts.append((with_patterns(rng, rules, players, opening), opening, rng))
        elif rules.president:
            starts.append((both.fair(rng, rules, players), False, rng))
    return [
        (hands, opening, all_before(rules, hands, opening, drawn), f"deal {at}")
        for at, (hands, opening, drawn) in enumerate(starts)
    ]


def all_before(rules, hands, opening, rng):
    """What went before a game, everything of it so that no other rules draw it: by chance, or as little as can be."""
    least = {"barred": None, "streaks": None, "titles": None, "calls": calls_of(len(hands), None), "declines": ()}
    return least | (went_before(rules, hands, opening, rng, in_match=False) if rng else {})


def outcomes(rules, name, family):
    """What the engine makes of them: log, exchange, payments, places, and what carries over."""
    for hands, opening, before, seed in deals_to_try(name, with_calls="bao_sam" in family.base):
        titles = before.get("titles")
        possible = titles is None or can_exchange(rules, hands, titles)
        fixed = before if possible else before | {"titles": None}
        deal = start_of(rules, hands, random.Random(seed), opening, **fixed)
        rng = random.Random(seed)
        words = [(rng.getrandbits(64), rng.getrandbits(64) | 1) for _ in hands]
        for policy in (LOWEST, RANDOM):
            game = both.engine_game(rules, deal, policy, words)
            yield (
                both.log_of(game).tobytes(),
                both.flows_of(game).tobytes(),
                both.places_of(game),
                game[c.NET : c.NET + len(hands)].tolist(),
                both.exchange_of(game),
                both.carried_by(game),
            )


def check_matters(key, family, moot):
    """Check that changing a parameter changes some game; that a moot one does not is seen from fewer games."""
    assert matters(key, family.parameters[key], family, tries=20 if key in moot else 400) is (key not in moot)


def matters(key, value, family, tries=400):
    """Whether changing a parameter alone changes a game; ``value`` draws its new value."""
    table = next((table for table in family.tables if key == table or key.startswith(f"{table}.")), None)
    for at in range(tries):
        rng, name = random.Random(f"{key} {at}"), family.presets[at % len(family.presets)]
        rules, _ = variant_of(rng, name, family)
        needed = {
            part: family.tables[part]
            for part in ((table, "cong") if table == "den_cong" else (table,))
            if part and family.tables[part] and not has(rules, f"{part}.any")
        }
        rules = changed(rules, needed, family)
        if rules is None or not has(rules, f"{table}.any" if table else key):
            continue
        other = changed(rules, {key: value(rng)}, family)
        if other is None or other.digest == rules.digest:
            continue
        if differ(rules, other, name, family):
            return True
    return False


def differ(rules, other, name, family):
    """Whether some game goes otherwise."""
    games = zip(outcomes(rules, name, family), outcomes(other, name, family), strict=True)
    return any(one != two for one, two in games)
