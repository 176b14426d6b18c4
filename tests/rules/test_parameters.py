"""Every parameter that the specification names can be reached, with every alternative that it names."""

import pytest

from tlsim.errors import UsageError
from tlsim.rules import load_rules

# name in the specification, preset, key path, the default there, alternatives
PARAMETERS = [
    ("end_condition", "doithuong", "end_condition", "first_out", ["last_one"]),
    ("hand_counts_public", "zing", "hand_counts_public", False, [True]),
    ("opening_fallback", "zing", "lead.opening_fallback", "lowest_must_include", ["lowest_free", "random"]),
    ("after_instant_win", "zing", "toi_trang.after_instant_win", "opening_hand", ["winner_leads"]),
    ("alternate_direction_each_hand", "doithuong", "turn.alternate_direction_each_hand", True, [False]),
    ("direction", "doithuong", "turn.direction", "counter_clockwise", ["clockwise"]),
    ("compare", "zing", "combinations.compare", "top_card", ["top_rank"]),
    ("straight_longer_beats", "zing", "combinations.straight.longer_beats", False, [True]),
    ("long_runs", "zing", "combinations.pair_run.long_runs", "as_ordinary", ["superset_of_4"]),
    ("sam_low_straights", "sam_loc", "combinations.straight.low", True, [False]),
    ("finish_with_hang", "zing", "finish.with_hang", True, [False]),
    ("triple2_beaten_by", "zing", "chop.triple2_beaten_by", [], [["bon_doi_thong"], ["nam_doi_thong"]]),
    ("four_twos_price", "zing", "chop.four_twos_price", "heo_sum", ["quad"]),
    ("sam_quad_chops_two_pair", "sam_loc", "chop.beats.tu_quy", ["ba_doi_thong", "heo", "tu_quy"],
     [["heo", "doi_heo", "ba_doi_thong", "tu_quy"]]),
    ("pass_reset_on_chop", "zing", "turn.pass_reset_on_chop", False, [True]),
    ("chop_after_pass", "zing", "chop.after_pass", ["bon_doi_thong"], [["ba_doi_thong", "tu_quy", "bon_doi_thong"]]),
    ("free_4dt_mode", "luckywin", "chop.free_4dt_mode", "any_time", ["after_pass_in_turn", "none"]),
    ("chain", "zing", "chop.chain", "last_pays_sum", ["each_pays_own", "doubling"]),
    ("chain_includes_overlaid_twos", "zing", "chop.chain_includes_overlaid_twos", False, [True]),
    ("finisher_void_scope", "zing", "chop.finisher_void_scope", "chain_if_last_victim_out", ["link"]),
    ("pay_same_class", "zing", "chop.pay_same_class", True, [False]),
    ("pay_led_hang", "zing", "chop.pay_led_hang", True, [False]),
    ("sam_chop_price", "sam_loc", "chop.prices.heo_co", None, [15]),
    ("opening_list_mode", "zing", "toi_trang.opening_list_mode", "exclusive", ["additional"]),
    ("instant_priority", "doithuong", "toi_trang.priority", "strength", ["turn"]),
    ("declare", "doithuong", "toi_trang.declare", "optional", ["automatic"]),
    ("instant_pay", "zing", "toi_trang.instant_pay", 1, [2, {"2": 1, "3": 2, "4": 3}]),
    ("count_heo_patterns", "zing", "toi_trang.count_heo", False, [True]),
    ("dragon_exact_13", "doithuong", "toi_trang.regular[sanh_rong].all_of[0]",
     None, [{"kind": "groups", "size": 1, "count": 13}]),
    ("same_colour_min", "luckywin", "toi_trang.regular[muoi_hai_dong_mau].all_of[0].count", None, [13]),
    ("six_pairs_quad_counts_two", "zing", "toi_trang.regular[sau_doi].all_of[0].quad_as", None, [1]),
    ("six_pairs_allow_twos", "zing", "toi_trang.regular[sau_doi].all_of[0].ranks", None, ["3-A"]),
    ("quads_needed", "luckywin", "toi_trang.regular[ba_tu_quy].all_of[0].count", None, [2]),
    ("same_kind", "doithuong", "toi_trang.regular[muoi_hai_dong_chat].all_of[0].of", None, ["colour"]),
    ("cong", "zing", "cong.fine", 2, [26, 1]),
    ("den_method", "luckywin", "den_cong.method", "sole_holder", ["first_in_order"]),
    ("den_scan", "zing", "den_cong.scan", "seat_first", ["play_first"]),
    ("den_min_opponents", "zing", "den_cong.min_opponents", 2, [3]),
    ("cong_table_method", "luckywin", "cong.method", "per_player", ["whole_table"]),
    ("cong_table_payee", "luckywin_cong_table", "cong.payee", "on_behalf", ["to_each"]),
    ("place_transfers", "zing", "place_transfers.3", [{"from_place": 3, "to_place": 1, "pays": 1}],
     [[{"from_place": 3, "to_place": 2, "pays": 1}]]),
    ("thoi_receiver", "zing", "thoi.receiver", "above_last", ["first"]),
    ("hang_partition", "doithuong", "thoi.hang_partition", "max_total", ["greedy"]),
    ("heo_replace_cards", "doithuong", "count_cards.items", "replace", ["add"]),
    ("sam_heo_mode", "sam_loc", "count_cards.items", "add", ["replace"]),
    ("spade3_finish.window", "doithuong", "ket_3_bich.window", "response", ["none"]),
    ("spade3_finish.single_only", "doithuong", "ket_3_bich.single_only", True, [False]),
    ("block_payees", "doithuong", "ket_3_bich.block_payees", "active", ["not_passed", "laid_card", "blocker_only"]),
    ("after_block", "doithuong", "ket_3_bich.after_block", "hand_ends", ["continue"]),
    ("quad3_residual", "hue", "residual.quad3_residual", "3S_alone", ["remaining_threes"]),
    ("dut_second_payee", "hue", "dut_3_bich.dut_second_payee", "third_to_second", ["both_to_first"]),
    ("danang_3dt", "da_nang", "combinations.pair_run.three", "ordinary", ["trump"]),
    ("four_pairs_bonus", "da_nang", "chop.four_pairs_bonus", 0, [1]),
    ("suit_match", "mien_bac", "combinations.suit_match", "north", ["match_first_card_only", "off"]),
    ("finish_on_two", "mien_bac", "finish.on_two", "counts_last", ["allow", "forbid"]),
    ("den_ca_lang", "mien_bac", "den_ca_lang.hand_ends", True, [False]),
    ("sam_fail_multiplier", "sam_loc", "bao_sam.fail_multiplier", "opponents", ["players"]),
    ("sam_fail_payee", "sam_loc", "bao_sam.fail_payee", "blocker", ["each_opponent"]),
    ("sam_opening_run_needs_3S", "sam_loc", "toi_trang.opening[ba_doi_thong_3].all_of[0].containing", None, ["3S"]),
    ("den_bao_requires_effect", "sam_loc", "den_bao.requires_effect", False, [True]),
    ("finish_on_two_in_straight", "sam_loc", "finish.on_two_in_straight", True, [False]),
    ("uneven_deal", "tong_thong", "deal.uneven_deal", "rotating_dealer", ["fixed_dealer"]),
    ("opening_must_include", "tong_thong", "lead.opening_must_include", False, [True]),
    ("exchange_tie", "tong_thong", "president.exchange_tie", "lowest_suit_first", ["highest_suit_first"]),
    ("hands", "tong_thong", "match_length", 4, [8]),
    ("revolution", "tong_thong", "president.revolution", True, [False]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "preset", "path", "default", "alternatives"), PARAMETERS, ids=lambda v: str(v)[:40])
def test_parameter(name, preset, path, default, alternatives):
    rules = load_rules(preset)
    clauses = {key: value for key, value, _ in rules.clauses()}
    assert clauses.get(path) == default, name
    for alternative in alternatives:
        changed = rules.replace(path, alternative)
        counts = path != "hand_counts_public"
        assert (changed.digest != rules.digest) is counts
        assert changed.describe_difference(rules)


def test_dem_heo_by_one_switch():
    on = load_rules("luckywin").replace("toi_trang.count_heo", value=True)
    assert {win.id for win in on.instant_wins() if not win.count_heo} == {"tu_quy_2", "sau_doi"}
    assert not any(win.count_heo for win in on.instant_wins(opening=True))


@pytest.mark.parametrize("table", ["combinations.pair_run", "ket_3_bich", "den_cong", "thoi"])
def test_a_table_is_switched_off_by_false(table):
    rules = load_rules("doithuong")
    changes = {table: False} | ({"lead.next": ["winner"]} if table == "den_cong" else {})
    changed = rules.replace(changes)
    assert changed.digest != rules.digest
    assert not [path for path, _, _ in changed.clauses() if path.startswith(table)]


def test_what_leads_needs_its_table():
    with pytest.raises(UsageError, match=r"lead\.next\[0\] = 'den_payer': needs den_cong"):
        load_rules("doithuong").replace("den_cong", value=False)
