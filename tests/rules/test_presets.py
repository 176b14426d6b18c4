"""The ten presets hold the values of the specification's table of presets (section 2.0), preset by preset."""

import pytest

from tlsim.cards import hand_of
from tlsim.rules import list_rules, load_rules

TLMN = ("doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac")
RANKED = TLMN[1:]
PRESETS = (*TLMN, "sam_loc", "tong_thong")
EVERY_TARGET = ("ba_doi_thong", "bon_doi_thong", "doi_heo", "heo", "tu_quy")


def value(preset, path):
    node = load_rules(preset)
    for step in path.split("."):
        node = getattr(node, step)
    return node


def expect(path, expected, *presets):
    return [(preset, path, expected) for preset in presets]


NAMES = [
    *expect("deal.min_players", 2, *TLMN, "sam_loc"),
    *expect("deal.max_players", 4, *TLMN),
    *expect("deal.max_players", 5, "sam_loc", "tong_thong"),
    *expect("deal.min_players", 4, "tong_thong"),
    *expect("deal.hand_size", 13, *TLMN),
    *expect("deal.hand_size", 10, "sam_loc"),
    *expect("deal.hand_size", "all", "tong_thong"),
    *expect("match_length", 12, *TLMN, "sam_loc"),
    *expect("match_length", 4, "tong_thong"),
    *expect("turn.direction", "counter_clockwise", *PRESETS),
    *expect("turn.alternate_direction_each_hand", True, "doithuong"),
    *expect("turn.alternate_direction_each_hand", False, *RANKED, "sam_loc", "tong_thong"),
    *expect("turn.pass_locks", True, *TLMN, "sam_loc"),
    *expect("turn.pass_locks", False, "tong_thong"),
    *expect("turn.pass_reset_on_chop", False, *PRESETS),
    *expect("combinations.compare", "top_card", *TLMN),
    *expect("combinations.compare", "top_rank", "sam_loc", "tong_thong"),
    *expect("combinations.suit_match", "north", "mien_bac"),
    *expect("combinations.suit_match", "off", "doithuong", "zing", "hue", "da_nang", "sam_loc", "tong_thong"),
    *expect("combinations.straight.min_length", 3, *TLMN, "sam_loc"),
    *expect("combinations.straight.low", False, *TLMN),
    *expect("combinations.straight.low", True, "sam_loc"),
    *expect("combinations.straight.longer_beats", False, *TLMN, "sam_loc"),
    *expect("combinations.straight", None, "tong_thong"),
    *expect("combinations.pair_run.min_length", 3, *TLMN[:-1], "sam_loc"),
    *expect("combinations.pair_run", None, "mien_bac", "tong_thong"),
    *expect("lead.opening_card", hand_of("3S").bit_length() - 1, *TLMN[:5], "da_nang", "mien_bac", "sam_loc"),
    *expect("lead.opening_card", hand_of("3C").bit_length() - 1, "hue", "tong_thong"),
    *expect("lead.opening_must_include", True, *TLMN, "sam_loc"),
    *expect("lead.opening_must_include", False, "tong_thong"),
    *expect("lead.opening_fallback", "lowest_must_include", *TLMN, "sam_loc"),
    *expect("lead.next", ("den_payer", "winner"), "doithuong", "luckywin", "zing", "hue", "da_nang", "mien_bac"),
    *expect("lead.next", ("cong_streak", "sam_caller", "winner"), "sam_loc"),
    *expect("lead.next", ("last_place",), "tong_thong"),
    *expect("chop.beats.ba_doi_thong", ("ba_doi_thong", "heo"), *TLMN[:6], "sam_loc"),
    *expect("chop.beats.ba_doi_thong", (), "da_nang", "mien_bac"),
    *expect("chop.beats.tu_quy", ("ba_doi_thong", "doi_heo", "heo", "tu_quy"), *TLMN[:7]),
    *expect("chop.beats.tu_quy", ("doi_heo", "heo", "tu_quy"), "mien_bac"),
    *expect("chop.beats.tu_quy", ("ba_doi_thong", "heo", "tu_quy"), "sam_loc"),
    *expect("chop.beats.bon_doi_thong", EVERY_TARGET, *TLMN[:6], "sam_loc"),
    *expect("chop.beats.bon_doi_thong", ("ba_doi_thong", "bon_doi_thong", "doi_heo"), "da_nang"),
    *expect("chop.beats.bon_doi_thong", (), "mien_bac"),
    *expect("chop.free_4dt_mode", "any_time", *TLMN[:7], "sam_loc"),
    *expect("chop.free_4dt_mode", "none", "mien_bac"),
    *expect("chop.free_targets", EVERY_TARGET, *TLMN[:6], "sam_loc"),
    *expect("chop.free_targets", ("doi_heo",), "da_nang"),
    *expect("chop.after_pass", ("bon_doi_thong",), *TLMN[:7], "sam_loc"),
    *expect("chop.triple2_beaten_by", (), *TLMN, "sam_loc"),
    *expect("chop.chain", "last_pays_sum", *TLMN, "sam_loc"),
    *expect("chop.chain_includes_overlaid_twos", False, *TLMN, "sam_loc"),
    *expect("chop.finisher_void_scope", "chain_if_last_victim_out", *RANKED),
    *expect("chop.pay_same_class", True, *TLMN, "sam_loc"),
    *expect("chop.pay_led_hang", True, *TLMN, "sam_loc"),
    *expect("chop.four_twos_price", "heo_sum", *TLMN),
    *expect("chop.four_pairs_bonus", 0, "da_nang"),
    *expect("chop", None, "tong_thong"),
    *expect("toi_trang.declare", "optional", "doithuong"),
    *expect("toi_trang.declare", "automatic", *RANKED, "sam_loc"),
    *expect("toi_trang.opening_list_mode", "one_list", "doithuong"),
    *expect("toi_trang.opening_list_mode", "exclusive", *RANKED, "sam_loc"),
    *expect("toi_trang.after_instant_win", "opening_hand", *TLMN, "sam_loc"),
    *expect("toi_trang.bars_last_winner", False, *TLMN),
    *expect("toi_trang.bars_last_winner", True, "sam_loc"),
    *expect("toi_trang", None, "tong_thong"),
    *expect("end_condition", "first_out", "doithuong", "sam_loc"),
    *expect("end_condition", "last_one", *RANKED, "tong_thong"),
    *expect("count_cards.items", "replace", "doithuong"),
    *expect("count_cards.items", "add", "sam_loc"),
    *expect("thoi.payer", "losers", "doithuong", "sam_loc"),
    *expect("thoi.payer", "last", *RANKED),
    *expect("thoi.receiver", "first", "doithuong", "sam_loc"),
    *expect("thoi.receiver", "above_last", *RANKED),
    *expect("thoi.hang", True, *TLMN),
    *expect("thoi.hang", False, "sam_loc"),
    *expect("thoi.hang_partition", "max_total", *TLMN, "sam_loc"),
    *expect("thoi.ba_bich", 1, "hue"),
    *expect("thoi.ba_bich", 0, "zing", "da_nang", "mien_bac"),
    *expect("cong.fine", 26, "doithuong"),
    *expect("cong.fine", 2, "luckywin", "zing", "hue", "da_nang", "mien_bac"),
    *expect("cong.fine", ((2, 2), (3, 4), (4, 6)), "luckywin_points"),
    *expect("cong.fine", 15, "sam_loc"),
    *expect("cong.items", True, "doithuong", "luckywin", "luckywin_points", "zing", "hue", "da_nang", "mien_bac"),
    *expect("cong.items", False, "luckywin_cong_table", "sam_loc"),
    *expect("cong.method", "whole_table", "luckywin_cong_table"),
    *expect("cong.method", "per_player", "doithuong", "luckywin", "zing", "sam_loc"),
    *expect("cong.payee", "on_behalf", "luckywin_cong_table"),
    *expect("den_cong.method", "sole_holder", "luckywin", "luckywin_points"),
    *expect("den_cong.method", "first_in_order", "doithuong", "zing", "hue", "da_nang", "mien_bac"),
    *expect("den_cong.scan", "play_first", "luckywin", "luckywin_points"),
    *expect("den_cong.scan", "seat_first", "doithuong", "zing", "hue", "da_nang", "mien_bac"),
    *expect("den_cong.min_opponents", 2, "doithuong", "luckywin", "zing"),
    *expect("den_cong", None, "luckywin_cong_table", "sam_loc", "tong_thong"),
    *expect("finish.on_two", "allow", *TLMN[:7], "tong_thong"),
    *expect("finish.on_two", "counts_last", "mien_bac"),
    *expect("finish.on_two", "forbid", "sam_loc"),
    *expect("finish.on_two_in_straight", True, "sam_loc"),
    *expect("finish.with_hang", True, *PRESETS),
    *expect("ket_3_bich.pays", 26, "doithuong"),
    *expect("ket_3_bich.block_pays", 26, "doithuong"),
    *expect("ket_3_bich.window", "response", "doithuong"),
    *expect("ket_3_bich.single_only", True, "doithuong"),
    *expect("ket_3_bich.block_payees", "active", "doithuong"),
    *expect("ket_3_bich.after_block", "hand_ends", "doithuong"),
    *expect("ket_3_bich", None, *RANKED, "sam_loc", "tong_thong"),
    *expect("dut_3_bich.dut_second_payee", "third_to_second", "hue"),
    *expect("dut_3_bich", None, "doithuong", "zing", "da_nang", "mien_bac", "sam_loc"),
    *expect("residual.quad3_residual", "3S_alone", "hue"),
    *expect("residual.pair_run_4", True, "hue"),
    *expect("den_ca_lang.pays", 1, "mien_bac"),
    *expect("den_ca_lang.hand_ends", True, "mien_bac"),
    *expect("bao_sam.pays", 20, "sam_loc"),
    *expect("bao_sam.fail_pays", 20, "sam_loc"),
    *expect("bao_sam.fail_multiplier", "opponents", "sam_loc"),
    *expect("bao_sam.fail_payee", "blocker", "sam_loc"),
    *expect("bao_sam.chop_money", False, "sam_loc"),
    *expect("den_bao.requires_effect", False, "sam_loc"),
    *expect("den_bao.min_active", 3, "sam_loc"),
    *expect("lead.cong_streak", 2, "sam_loc"),
    *expect("hand_counts_public", False, *TLMN),
    *expect("hand_counts_public", True, "sam_loc", "tong_thong"),
    *expect("president.revolution", True, "tong_thong"),
    *expect("president.exchange_tie", "lowest_suit_first", "tong_thong"),
    *expect("place_points", ((4, (3, 2, 1, 0)), (5, (4, 3, 2, 1, 0))), "tong_thong"),
    *expect("place_points", ((2, (1, 0)), (3, (2, 1, 0)), (4, (3, 2, 1, 0))), "luckywin_points"),
    *expect("place_points", None, "doithuong", "luckywin", "zing", "sam_loc"),
    *expect("place_transfers", None, "doithuong", "luckywin_points", "sam_loc", "tong_thong"),
    *expect("unit", "cược", "doithuong", "luckywin", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"),
    *expect("unit", "điểm", "luckywin_points", "tong_thong"),
    *expect("unit", "lá", "sam_loc"),
    *expect("family", "đếm lá", "doithuong", "sam_loc"),
    *expect("family", "ăn bét", *RANKED),
    *expect("family", "tổng thống", "tong_thong"),
]


def test_the_ten_presets_are_listed():
    assert list_rules() == sorted(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_values(preset):
    expected = {path: expected for name, path, expected in NAMES if name == preset}
    assert {path: value(preset, path) for path in expected} == expected


# black 2 (♠, ♣), red 2 (♦, ♥), three pairs, quad, four pairs
PRICES = {
    "doithuong": (3, 3, 6, 6, 6, 8, 12),
    "luckywin": (0.5, 0.5, 1, 1, 1.5, 2, 2.5),
    "luckywin_cong_table": (0.5, 0.5, 1, 1, 1.5, 2, 2.5),
    "luckywin_points": (1, 2, 3, 4, 4, 4, 4),
    "zing": (0.5, 0.5, 1, 1, 1, 1.5, 2),
    "hue": (0.5, 0.5, 1, 1, 1, 1.5, 2),
    "da_nang": (0.5, 0.5, 1, 1, 1, 1.5, 2),
    "mien_bac": (0.5, 0.5, 1, 1, 1, 1.5, 2),
    "sam_loc": (10, 10, 10, 10, 20, 20, 20),
}


@pytest.mark.parametrize(("preset", "expected"), PRICES.items())
def test_prices(preset, expected):
    prices = load_rules(preset).prices
    items = ("heo_bich", "heo_chuon", "heo_ro", "heo_co", "ba_doi_thong", "tu_quy", "bon_doi_thong")
    assert tuple(getattr(prices, item) for item in items) == expected
    assert prices.rac == (1 if preset in ("doithuong", "sam_loc") else 0)


@pytest.mark.parametrize("preset", ["luckywin", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"])
def test_place_transfers_last_to_first_one_and_third_to_second_a_half(preset):
    table = {
        players: [(row.from_place, row.to_place, row.pays) for row in rows]
        for players, rows in load_rules(preset).place_transfers
    }
    assert table == {2: [(2, 1, 1)], 3: [(3, 1, 1)], 4: [(4, 1, 1), (3, 2, 0.5)]}


def test_president_titles_and_exchange():
    president = load_rules("tong_thong").president
    assert dict(president.titles) == {
        4: ("tong_thong", "pho_tong_thong", "can_ngheo", "dan_ngheo"),
        5: ("tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo", "dan_ngheo"),
    }
    assert [(row.from_title, row.to_title, row.cards) for row in president.exchange] == [
        ("dan_ngheo", "tong_thong", 2),
        ("can_ngheo", "pho_tong_thong", 1),
    ]


def test_doithuong_list_has_the_order_and_the_prices_of_its_description():
    expected = [
        ("sanh_rong", 9),
        ("sau_doi_thong", 8),
        ("bon_bo_ba", 7),
        ("hai_tu_quy", 6),
        ("muoi_hai_dong_chat", 5),
        ("nam_doi_thong", 4),
        ("tu_quy_2", 3),
        ("sau_doi", 2),
    ]
    rules = load_rules("doithuong")
    for opening in (False, True):
        wins = rules.instant_wins(opening)
        assert [(win.id, win.pays) for win in wins] == expected
        assert [win.id for win in wins if win.count_heo] == ["nam_doi_thong"]
        assert rules.priority(opening) == "strength"


LISTS = {
    ("luckywin", True): {"ba_doi_thong_3_bich", "tu_quy_3", "bon_doi_thong_3_bich"},
    ("luckywin", False): {
        "tu_quy_2", "nam_doi_thong", "sau_doi_thong", "sau_doi", "ba_bo_ba_thong", "bon_bo_ba_thong", "bon_bo_ba",
        "ba_tu_quy", "sanh_rong", "muoi_hai_dong_mau", "sanh_rong_dong_hoa",
    },
    ("zing", True): {"tu_quy_3", "ba_doi_thong_3_bich"},
    ("zing", False): {
        "sanh_rong", "sau_doi", "nam_doi_thong", "bon_bo_ba", "hai_tu_quy", "tu_quy_2", "muoi_hai_dong_mau",
    },
    ("hue", True): set(),
    ("da_nang", True): {"tu_quy_3", "ba_doi_thong_3_bich"},
    ("mien_bac", True): {"tu_quy_3"},
    ("mien_bac", False): {"sanh_rong", "sau_doi", "bon_bo_ba", "hai_tu_quy", "tu_quy_2", "muoi_hai_dong_mau"},
    ("sam_loc", True): {"tu_quy_3", "sanh_rong_3_q", "ba_doi_thong_3"},
    ("sam_loc", False): {"sanh_rong", "nam_doi", "ba_bo_ba", "tu_quy_2", "hai_tu_quy", "muoi_dong_mau"},
    ("tong_thong", True): set(),
    ("tong_thong", False): set(),
}  # fmt: skip


@pytest.mark.parametrize(("preset", "opening"), LISTS)
def test_lists(preset, opening):
    wins = load_rules(preset).instant_wins(opening)
    assert {win.id for win in wins} == LISTS[preset, opening]
    assert len(wins) == len(LISTS[preset, opening])
    assert not any(win.count_heo for win in wins)  # đếm heo is an option there, off


@pytest.mark.parametrize("preset", ["hue", "da_nang"])
def test_regions_keep_the_other_list_of_the_south(preset):
    assert [w.id for w in load_rules(preset).instant_wins()] == [w.id for w in load_rules("zing").instant_wins()]


def test_prices_of_toi_trang_elsewhere():
    for preset in ("luckywin", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"):
        assert {win.pays for win in load_rules(preset).instant_wins()} == {1}
    assert {win.pays for win in load_rules("sam_loc").instant_wins()} == {20}
    for players in (2, 3, 4):
        assert {win.pays for win in load_rules("luckywin_points").instant_wins(players=players)} == {players - 1}


def test_who_has_priority():
    for preset in ("luckywin", "zing", "hue", "da_nang", "mien_bac"):
        assert {load_rules(preset).priority(opening) for opening in (True, False)} == {"turn"}
    assert load_rules("sam_loc").priority(opening=True) == "strength"
    assert load_rules("sam_loc").priority(opening=False) == "turn"
