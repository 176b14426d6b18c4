"""Rules as the flat numbers that a game runs on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.kernels import row as c
from tlsim.kernels.detect import MOST_PATTERNS, Tests, compile_tests
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.weights import SAM, TIEN_LEN, TITLES
from tlsim.rules import InstantWin, Rules
from tlsim.rules.schema_values import amount_at, half_units

Ints = NDArray[np.int64]

REASONS = (
    "toi_trang", "chop", "cards", "thoi", "cong", "den_cong", "place", "ket_3_bich", "chan_3_bich", "thui_3_bich",
    "den_ca_lang", "sam", "sam_blocked", "den_bao", "four_pairs", "ve_heo",
)  # fmt: skip

_BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
_LONG_BOMBS = (*_BOMBS, "nam_doi_thong", "sau_doi_thong")
_TARGETS = {
    "heo": c.TWO, "doi_heo": c.TWO_TWOS, "ba_doi_thong": c.ON_RUN_3, "tu_quy": c.ON_QUAD, "bon_doi_thong": c.ON_RUN_4,
}  # fmt: skip
_TWOS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co")


@lru_cache(maxsize=64)
def rules_row(rules: Rules, players: int) -> Ints:
    """Return the row of a game with the rules in it, int64[N_ROW]; computed once, so not to be changed."""
    row = np.zeros(c.N_ROW, dtype=np.int64)
    row[c.PLAYERS], row[c.BARRED] = players, -1
    for fill in (_combinations, _passing, _chops, _endings, _specials, _calls, _titles, _lead, _instant_wins):
        for at, value in fill(rules, players).items():
            row[at] = value
    row[c.ITEMS : c.ITEMS + c.N_PRICES] = leftover_prices(rules).row()
    weights = TITLES if rules.president else SAM if rules.bao_sam else TIEN_LEN
    row[c.WEIGHTS : c.WEIGHTS + c.N_WEIGHTS] = weights.row()
    row.flags.writeable = False
    return row


def game_row(rules: Rules, players: int) -> Ints:
    """Return a row to play games in, with the rules in it, int64[N_ROW]."""
    return rules_row(rules, players).copy()


@lru_cache(maxsize=64)
def pattern_tests(rules: Rules, opening: bool, players: int, hand_size: int) -> Tests:
    """Return the tests of a tới trắng list for hands of so many cards; computed once, so not to be changed."""
    return compile_tests([win.pattern for win in rules.instant_wins(opening, players)], hand_size)


def _at(value: str, *words: str) -> int:
    return words.index(value)


def _combinations(rules: Rules, _: int) -> dict[int, Any]:
    sets, finish = rules.combinations, rules.finish
    straight, run = sets.straight, sets.pair_run
    return {
        c.TOP_RANK_ONLY: sets.compare == "top_rank",
        c.SUIT_MATCH: _at(sets.suit_match, "off", "north", "match_first_card_only"),
        c.STRAIGHT_MIN: straight.min_length if straight else 0,
        c.STRAIGHT_LOW: bool(straight and straight.low),
        c.LONGER_BEATS: bool(straight and straight.longer_beats),
        c.RUN_MIN: run.min_length if run else 0,
        c.SUPERSET: bool(run and run.long_runs == "superset_of_4"),
        c.TRUMP: bool(run and run.three == "trump"),
        c.ON_TWO: _at(finish.on_two, "allow", "counts_last", "forbid"),
        c.ON_TWO_IN_STRAIGHT: finish.on_two_in_straight,
        c.WITH_HANG: finish.with_hang,
        c.TWO_FINE: half_units(finish.two_fine or 0),
        c.DOUBLED_BY: sum(1 << c.RUN_3 + _LONG_BOMBS.index(bomb) for bomb in finish.double or ()),
    }


def _passing(rules: Rules, _: int) -> dict[int, Any]:
    chop = rules.chop
    numbers: dict[int, Any] = {
        c.PASS_LOCKS: rules.turn.pass_locks,
        c.PASS_RESET_ON_CHOP: rules.turn.pass_reset_on_chop,
    }
    if chop is None:
        return numbers
    after = {c.RUN_3 + _BOMBS.index(bomb) for bomb in chop.after_pass}
    if chop.free_4dt_mode == "after_pass_in_turn":
        after.add(c.RUN_4)
    if c.RUN_4 in after:
        after |= {c.RUN_5, c.RUN_6}
    if chop.free_4dt_mode == "any_time":  # who may chop at any time needs no leave after a pass
        after -= {c.RUN_4, c.RUN_5, c.RUN_6}
    free_of_runs = "bon_doi_thong" in chop.free_targets
    long_targets = 1 << c.ON_RUN_5 | 1 << c.ON_RUN_6 if free_of_runs else 0  # 5 and 6 pairs, where they are bombs
    return numbers | {
        c.CHOP_AFTER_PASS: sum(1 << bomb for bomb in after),
        c.ANY_TIME: chop.free_4dt_mode == "any_time",
        c.FREE_TARGETS: _bits(chop.free_targets) | long_targets,
    }


def _bits(targets: Sequence[str]) -> int:
    return sum(1 << _TARGETS[target] for target in targets)


def _chops(rules: Rules, _: int) -> dict[int, Any]:
    chop, prices, run = rules.chop, rules.prices, rules.combinations.pair_run
    if chop is None:
        return {}
    rows = [0, _bits(chop.beats.ba_doi_thong), _bits(chop.beats.tu_quy), _bits(chop.beats.bon_doi_thong), 0, 0]
    for name in chop.triple2_beaten_by:
        bomb = c.RUN_3 + _LONG_BOMBS.index(name)
        for beats in (bomb, c.RUN_6) if bomb == c.RUN_5 else (bomb,):
            rows[beats] |= 1 << c.THREE_TWOS
    if run and run.long_runs == "superset_of_4":  # 5 and 6 pairs are four pairs, higher ones (C6)
        rows[c.RUN_5], rows[c.RUN_6] = rows[c.RUN_4] | rows[c.RUN_5], rows[c.RUN_4] | rows[c.RUN_6]
        longer = {c.RUN_3: (5, 6), c.QUAD_BOMB: (5, 6), c.RUN_5: (5,), c.RUN_6: (5, 6)}
        for bomb, lengths in longer.items():
            if rows[bomb] >> c.ON_RUN_4 & 1:
                rows[bomb] |= sum(1 << c.ON_RUN_4 + length - 4 for length in lengths)
    numbers: dict[int, Any] = {c.CHOPS + bomb: bits for bomb, bits in enumerate(rows)}

    def price(name: str) -> int:
        own = getattr(chop.prices, name)
        return half_units(own if own is not None else getattr(prices, name) if prices else 0)

    def own(name: str, usual: int) -> int:
        value = getattr(chop.prices, name)
        return usual if value is None else half_units(value)

    bombs = [price(name) for name in _BOMBS]
    bombs += [own(name, bombs[-1]) for name in ("nam_doi_thong", "sau_doi_thong")]
    numbers |= {c.TWO_PRICES + suit: price(name) for suit, name in enumerate(_TWOS)}
    numbers |= {c.PAIR_PRICE: own("doi_heo", -1), c.TRIPLE_PRICE: own("ba_heo", -1)}
    numbers |= {c.BOMB_PRICES + bomb: value for bomb, value in enumerate(bombs, c.RUN_3)}
    numbers |= (
        {c.CHOP_BY + bomb: half_units(getattr(chop.by, name) or 0) for bomb, name in enumerate(_LONG_BOMBS, c.RUN_3)}
        if chop.by
        else {}
    )
    return numbers | {
        c.CHAIN: _at(chop.chain, "last_pays_sum", "each_pays_own", "doubling", "doubling_links"),
        c.OVERLAID_TWOS: chop.chain_includes_overlaid_twos,
        c.VOID_SCOPE: _at(chop.finisher_void_scope, "none", "chain_if_last_victim_out", "link"),
        c.PAY_SAME_CLASS: chop.pay_same_class,
        c.PAY_LED_HANG: chop.pay_led_hang,
        c.FOUR_TWOS_AS_QUAD: chop.four_twos_price == "quad",
        c.FOUR_PAIRS_BONUS: half_units(chop.four_pairs_bonus),
    }


def _endings(rules: Rules, players: int) -> dict[int, Any]:
    thoi, cong, den = rules.thoi, rules.cong, rules.den_cong
    numbers: dict[int, Any] = {
        c.FIRST_OUT: rules.end_condition == "first_out",
        c.COUNT_CARDS: _at(rules.count_cards.items, "none", "replace", "add") if rules.count_cards else 0,
        c.JUNK_PRICE: half_units(rules.prices.rac) if rules.prices else 0,
        c.HAS_PLACES: rules.place_transfers is not None,
        c.HAS_POINTS: rules.place_points is not None,
    }
    numbers |= _by_place(rules, players)
    if thoi:
        numbers |= {
            c.HAS_THOI: 1,
            c.THOI_TO_FIRST: thoi.receiver == "first",
            c.BA_BICH: half_units(thoi.ba_bich),
        }
    if cong:
        numbers |= {
            c.HAS_CONG: 1,
            c.CONG_FINE: half_units(amount_at(cong.fine, players)),
            c.CONG_ITEMS: cong.items * (cong.items_times or 1),
            c.CONG_TIMES: cong.times or 0,
            c.WHOLE_TABLE: cong.method == "whole_table",
            c.TO_EACH: cong.payee == "to_each",
        }
    if den:
        numbers |= {
            c.HAS_DEN: 1,
            c.SOLE_HOLDER: den.method == "sole_holder",
            c.PLAY_FIRST: den.scan == "play_first",
            c.DEN_MIN_OPPONENTS: den.min_opponents,
        }
    return numbers


def _by_place(rules: Rules, players: int) -> dict[int, Any]:
    """Return transfers between places, one for each pair of them, and points."""
    sums: Counter[tuple[int, int]] = Counter()
    for transfer in dict(rules.place_transfers or ()).get(players, ()):
        sums[transfer.from_place - 1, transfer.to_place - 1] += half_units(transfer.pays)
    numbers: dict[int, Any] = {c.N_TRANSFERS: len(sums)}
    for at, ((payer, receiver), pays) in enumerate(sorted(sums.items())):
        numbers |= {c.TRANSFERS + 3 * at + column: value for column, value in enumerate((payer, receiver, pays))}
    points = dict(rules.place_points or ()).get(players, ())
    return numbers | {c.POINTS + place: half_units(value) for place, value in enumerate(points)}


def _lead(rules: Rules, _: int) -> dict[int, Any]:
    lead = rules.lead
    words = ("", "cong_streak", "sam_caller", "den_payer", "winner", "last_place")
    return {c.ENTITLED + at: _at(word, *words) for at, word in enumerate(lead.next)} | {
        c.OPENING_CARD: lead.opening_card,
        c.MUST_INCLUDE: lead.opening_must_include,
        c.LOWEST_MUST: lead.opening_fallback == "lowest_must_include",
        c.RANDOM_LEADER: lead.opening_fallback == "random",
        c.CONG_STREAK: lead.cong_streak or 0,
        c.ALTERNATES: rules.turn.alternate_direction_each_hand,
    }


def _instant_wins(rules: Rules, players: int) -> dict[int, Any]:
    lists = rules.toi_trang
    numbers: dict[int, Any] = {}
    for opening in (False, True):
        wins: tuple[InstantWin, ...] = rules.instant_wins(opening, players)
        numbers |= {
            c.INSTANT_PATTERNS + opening: len(wins),
            c.INSTANT_BY_TURN + opening: rules.priority(opening) == "turn",
            c.INSTANT_HEO + opening: sum(1 << at for at, win in enumerate(wins) if win.count_heo),
        }
        numbers |= {c.INSTANT_PAYS + MOST_PATTERNS * opening + at: win.pays_half for at, win in enumerate(wins)}
    if lists:
        numbers |= {
            c.THEN_OPENING: lists.after_instant_win == "opening_hand",
            c.BARS_WINNER: lists.bars_last_winner,
        }
    return numbers


def _specials(rules: Rules, _: int) -> dict[int, Any]:
    ket, dut, residual, village = rules.ket_3_bich, rules.dut_3_bich, rules.residual, rules.den_ca_lang
    numbers: dict[int, Any] = {}
    if ket:
        numbers |= {
            c.HAS_KET: 1,
            c.KET_PAYS: half_units(ket.pays),
            c.KET_BLOCK_PAYS: half_units(ket.block_pays),
            c.KET_WINDOW: ket.window == "response",
            c.KET_SINGLE_ONLY: ket.single_only,
            c.KET_PAYEES: _at(ket.block_payees, "active", "not_passed", "laid_card", "blocker_only"),
            c.KET_CONTINUES: ket.after_block == "continue",
        }
    if dut:
        numbers |= {
            c.HAS_DUT: 1,
            c.DUT_FIRST: half_units(dut.first_pays),
            c.DUT_SECOND: half_units(dut.second_pays),
            c.DUT_BOTH_TO_FIRST: dut.dut_second_payee == "both_to_first",
        }
    if residual:
        numbers |= {
            c.RESIDUAL_QUAD: _at(residual.quad3_residual, "none", "3S_alone", "remaining_threes"),
            c.RESIDUAL_RUN: residual.pair_run_4,
        }
    if village:
        numbers |= {
            c.HAS_DEN_CA_LANG: 1,
            c.DEN_CA_LANG_PAYS: half_units(village.pays),
            c.DEN_CA_LANG_ENDS: village.hand_ends,
        }
    return numbers


def _calls(rules: Rules, _: int) -> dict[int, Any]:
    sam, den = rules.bao_sam, rules.den_bao
    numbers: dict[int, Any] = {}
    if sam:
        numbers |= {
            c.HAS_SAM: 1,
            c.SAM_PAYS: half_units(sam.pays),
            c.SAM_FAIL_PAYS: half_units(sam.fail_pays),
            c.SAM_BY_PLAYERS: sam.fail_multiplier == "players",
            c.SAM_TO_EACH: sam.fail_payee == "each_opponent",
            c.SAM_ITEMS: sam.items,
            c.SAM_CHOP_MONEY: sam.chop_money,
        }
    if den:
        numbers |= {c.HAS_DEN_BAO: 1, c.DEN_BAO_MIN_ACTIVE: den.min_active, c.DEN_BAO_EFFECT: den.requires_effect}
    return numbers


def _titles(rules: Rules, players: int) -> dict[int, Any]:
    president = rules.president
    sizes = rules.hand_sizes(players)
    numbers: dict[int, Any] = {
        c.N_ODD_CARDS: sum(sizes) - min(sizes) * players,
        c.DEALER_ROTATES: rules.deal.uneven_deal == "rotating_dealer",
    }
    if president:
        titles = dict(president.titles)[players]
        numbers |= {
            c.HAS_TITLES: 1,
            c.REVOLUTION: president.revolution,
            c.HIGH_SUIT_FIRST: president.exchange_tie == "highest_suit_first",
            c.N_EXCHANGES: len(rules.exchanges(players)),
        }
        for at, row in enumerate(rules.exchanges(players)):
            both = titles.index(row.from_title), titles.index(row.to_title)
            numbers |= {c.EXCHANGES + 3 * at + column: value for column, value in enumerate((*both, row.cards))}
    return numbers


def leftover_prices(rules: Rules) -> ItemPrices:
    """Return the prices of twos and bombs that are left in a hand; an unknown set is no bomb (J10)."""
    prices, thoi = rules.prices, rules.thoi
    if prices is None:
        return ItemPrices((0, 0, 0, 0), 0, 0, 0, False)
    hang = thoi is None or thoi.hang
    run = rules.combinations.pair_run
    shortest = run.min_length if run and hang else 5
    greedy = thoi is not None and thoi.hang_partition == "greedy"
    bich, chuon, ro, co = (half_units(getattr(prices, name)) for name in _TWOS)
    return ItemPrices(
        (bich, chuon, ro, co),
        pair_run_3=half_units(prices.ba_doi_thong) if shortest <= 3 else 0,
        quad=half_units(prices.tu_quy) if hang else 0,
        pair_run_4=half_units(prices.bon_doi_thong) if shortest <= 4 else 0,
        greedy=greedy,
    )
