"""The situations of RULES.md on tới trắng, as far as they concern holding and winning, by number.

Each hand is judged three times: by the automaton of the preset's list, by the declared meaning of its patterns, and by
the text of F2, F3 and K7 (the last two in `naive`). RULES.md has no T61, T63, T66, T71, T73, T75, T77 and T143. What
only a whole game shows (who declares, money, the lead after T74, T76 and T145) is for the tests of the engine.
"""

import pytest
from naive import class_of, hand_set, held, leader_of, mask_of, named, winner

from tlsim.cards import hand_of
from tlsim.exact.hands import patterns_of
from tlsim.rules import load_rules

TLMN = ["doithuong", "luckywin", "zing", "hue"]


def list_of(rules, opening):
    rules = load_rules(rules)
    return rules.deal.hand_size, rules.instant_wins(opening)


def judge(rules, text, opening=False):
    """Ids of the patterns held, strongest first; three ways to tell agree."""
    size, wins = list_of(rules, opening)
    patterns = [win.pattern for win in wins]
    mask = mask_of(text)
    assert mask == hand_of(text)
    assert len(hand_set(mask)) == size
    ids = [wins[at].id for at in held(patterns, mask, size)]
    assert [wins[at].id for at in patterns_of(mask, patterns, size)] == ids
    assert [win.id for win in wins if named(win.id, hand_set(mask))] == ids
    return ids


def pays(rules, ident, opening=False):
    return {win.id: win.pays for win in list_of(rules, opening)[1]}[ident]


def play(rules, hands, leader, opening=False):
    """(seat, id of the pattern, price per loser) of who wins the table if all declare, or None."""
    size, wins = list_of(rules, opening)
    patterns = [win.pattern for win in wins]
    masks = [mask_of(text) for text in hands]
    assert sum(mask.bit_count() for mask in masks) == len(set().union(*map(hand_set, masks)))
    classes = [class_of(patterns, mask, size) for mask in masks]
    for mask, found in zip(masks, classes, strict=True):
        assert min((at + 1 for at in patterns_of(mask, patterns, size)), default=0) == found
    won = winner(classes, leader, load_rules(rules).priority(opening))
    return won and (won[0], wins[won[1] - 1].id, wins[won[1] - 1].pays)


DRAGON = "3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC 2H"


def test_t58_a_dragon_has_any_13th_card():
    assert judge("doithuong", DRAGON) == ["sanh_rong"]
    assert judge("doithuong", DRAGON.replace("2H", "3H")) == ["sanh_rong"]
    assert judge("doithuong", DRAGON.replace("2H", "AH")) == ["sanh_rong"]
    assert judge("doithuong", DRAGON.replace("4D", "2D")) == []
    assert pays("doithuong", "sanh_rong") == 9  # (+27, -9, -9, -9)


def test_t59_four_triples_with_twos():
    assert judge("doithuong", "2S 2C 2D 4S 4C 4D 5S 5C 5D TS TC TD AH") == ["bon_bo_ba"]
    assert pays("doithuong", "bon_bo_ba") == 7  # (+21, -7, -7, -7)


def test_t60_six_pairs_of_two_quads():
    text = "3S 3C 3D 3H 5S 5C 5D 5H 8C 8D TS TC 7C"
    assert judge("luckywin", text) == ["sau_doi"]
    assert pays("luckywin", "sau_doi") == 1  # (+3, -1, -1, -1)
    # 000 and 002 list two quads as well, and these are stronger
    assert judge("doithuong", text) == ["hai_tu_quy", "sau_doi"]
    assert judge("zing", text) == ["hai_tu_quy", "sau_doi"]


def test_t62_dragon_and_twelve_of_one_suit():
    text = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2S AC"
    assert judge("doithuong", text) == ["sanh_rong", "muoi_hai_dong_chat"]
    assert pays("doithuong", "sanh_rong") == 9
    assert judge("luckywin", text) == ["sanh_rong", "muoi_hai_dong_mau"]  # its ace is A♣, so no thùng phá sảnh
    assert judge("luckywin", text.replace("AC", "AS"))[0] == "sanh_rong_dong_hoa"
    assert judge("zing", text) == ["sanh_rong", "muoi_hai_dong_mau"]


@pytest.mark.parametrize("preset", ["luckywin", "zing"])
def test_t64_thirteen_black_cards(preset):
    text = "3S 4S 5C 6S 7C 8S 9C JS QC KS AS 2C 4C"
    assert judge(preset, text) == ["muoi_hai_dong_mau"]
    assert judge(preset, text.replace("4C", "4D")) == ["muoi_hai_dong_mau"]  # twelve
    assert judge(preset, text.replace("4C", "4D").replace("2C", "2D")) == []  # eleven
    assert judge("doithuong", text) == []  # 000 means one suit (F4)


@pytest.mark.parametrize("preset", TLMN)
def test_t65_six_pairs_with_a_pair_of_twos(preset):
    assert judge(preset, "3S 3H 5S 5D 7S 7C 9S 9C JS JD 2S 2C KD") == ["sau_doi"]


@pytest.mark.parametrize("preset", ["luckywin", "zing", "da_nang"])
def test_t67_three_pairs_with_the_3_of_spades_in_an_opening_game(preset):
    text = "3S 3C 4S 4D 5C 5H 8S 9D JC QS KD AH 2C"
    assert judge(preset, text, opening=True) == ["ba_doi_thong_3_bich"]
    assert judge(preset, text) == []
    assert judge(preset, text.replace("3S", "3D"), opening=True) == []


@pytest.mark.parametrize("preset", ["luckywin", "zing", "da_nang"])
def test_t68_the_3_of_spades_outside_the_run(preset):
    assert judge(preset, "3S 6S 6C 7S 7D 8C 8H 9D JC QS KD AH 2C", opening=True) == []


@pytest.mark.parametrize("preset", ["luckywin", "zing"])
def test_t69_a_dragon_does_not_win_an_opening_game(preset):
    assert judge(preset, DRAGON, opening=True) == []
    additional = load_rules(preset).replace("toi_trang.opening_list_mode", "additional")
    assert judge(additional, DRAGON, opening=True) == ["sanh_rong"]  # alt
    assert judge("doithuong", DRAGON, opening=True) == ["sanh_rong"]  # 000 has one list


@pytest.mark.parametrize("preset", ["luckywin", "zing"])
def test_t70_four_threes_in_another_game(preset):
    text = "3S 3C 3D 3H 5S 6C 7S 8S 9D JS QH KD AC"
    assert judge(preset, text) == []
    assert judge(preset, text, opening=True) == ["tu_quy_3"]


T72 = [
    "3S 4C 5D 6H 8S 8C 9D TH JS QC KD KH 2S",
    "3H 3C 5S 5H 7S 7C 9S 9C JD JH 2C 2D KS",
    "3D 4D 5C 6C 7H 8D 9H TS JC QS KC AC 2H",
    "4S 4H 6S 6D 7D 8H TC TD QD QH AS AD AH",
]


def test_t72_six_pairs_before_a_dragon():
    assert judge("zing", T72[1]) == ["sau_doi"]
    assert judge("zing", T72[2]) == ["sanh_rong"]
    for seat in (0, 3):
        assert judge("zing", T72[seat]) == judge("doithuong", T72[seat]) == []
    assert play("zing", T72, leader=0) == (1, "sau_doi", 1)  # the nearest to the leader (002#R27)
    assert play("doithuong", T72, leader=0) == (2, "sanh_rong", 9)  # the strongest (000#R17): C +27
    assert play("zing", T72, leader=2) == (2, "sanh_rong", 1)  # the leader himself is nearest
    assert play("zing", T72, leader=3) == (1, "sau_doi", 1)


def test_t74_six_pairs_in_a_run_and_no_dem_heo():
    hands = [
        "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C TS TC 3D",
        "3S 4D 5D 6D 8D 9D JC QD KC AC AD 2S 2H",
        "3C 4C 5H 6H 8H TD JD QH KD KH AH 2C 2D",
        "3H 4S 4H 7D 7H 9H TH JS JH QS QC KS AS",
    ]
    assert judge("doithuong", hands[0]) == ["sau_doi_thong", "nam_doi_thong", "sau_doi"]
    assert play("doithuong", hands, leader=1) == (0, "sau_doi_thong", 8)  # (+24, -8, -8, -8)
    with_heo = [win.id for win in load_rules("doithuong").instant_wins() if win.count_heo]
    assert with_heo == ["nam_doi_thong"]  # 000#R12 alone, F9


@pytest.mark.parametrize("preset", ["luckywin", "zing"])
def test_t76_the_opening_list_applies_after_a_toi_trang(preset):
    rules = load_rules(preset)
    assert rules.toi_trang.after_instant_win == "opening_hand"
    assert judge(preset, DRAGON, opening=True) == []
    assert judge(preset, "3S 3C 3D 3H 5S 6C 7S 8S 9D JS QH KD AC", opening=True) == ["tu_quy_3"]


def test_t142_four_threes_before_three_pairs_in_sam():
    text = "3S 3C 3D 3H 4S 4C 5S 5C 8D JH"
    assert judge("sam_loc", text, opening=True) == ["tu_quy_3", "ba_doi_thong_3"]
    hands = [
        "4D 5D 6D 7D 8S 9D TD JD QD KD",  # no 3, so nothing of the first list
        text,
        "4H 5H 6H 7H 8H 9H TH QH KH AH",
    ]
    for seat in (0, 2):
        assert judge("sam_loc", hands[seat], opening=True) == []
    for leader in range(3):
        assert play("sam_loc", hands, leader, opening=True) == (1, "tu_quy_3", 20)


def test_t142_a_dragon_and_three_pairs_can_meet():
    hands = ["3S 3C 4S 4C 5S 5C 9D JD KD 2S", "3D 4D 5D 6D 7D 8D 9S TD JH QD", "3H 6H 7H 8H 9H TH QH KH AH 2H"]
    assert judge("sam_loc", hands[0], opening=True) == ["ba_doi_thong_3"]
    assert judge("sam_loc", hands[1], opening=True) == ["sanh_rong_3_q"]
    assert leader_of([mask_of(text) for text in hands]) == 0
    for leader in range(3):  # 003#R39: by strength, wherever the leader sits
        assert play("sam_loc", hands, leader, opening=True) == (1, "sanh_rong_3_q", 20)


def test_t142_three_pairs_need_no_3_of_spades_in_sam():  # K7
    assert judge("sam_loc", "3D 3H 4S 4C 5S 5C 9D JD KD 2S", opening=True) == ["ba_doi_thong_3"]
    assert judge("sam_loc", "4D 4H 5S 5C 6S 6C 9D JD KD 3S", opening=True) == []


def test_t144_the_nearest_holder_wins_in_sam():
    hands = [
        "3S 4C 6D 7H 9S TC JD QH AS 8C",
        "4S 4D 6S 6C 8S 8D TS TD KS KC",
        "3C 5D 5H 7S 9C 9D JS QC QD AC",
        "2S 2C 2D 2H 3D 5S 7C 9H JC KD",
    ]
    assert judge("sam_loc", hands[1]) == ["nam_doi"]
    assert judge("sam_loc", hands[3]) == ["tu_quy_2"]
    assert play("sam_loc", hands, leader=0) == (1, "nam_doi", 20)
    assert play("sam_loc", hands, leader=2) == (3, "tu_quy_2", 20)
    assert play("sam_loc", hands, leader=3) == (3, "tu_quy_2", 20)


def test_t145_five_pairs_do_not_win_right_after_a_toi_trang_in_sam():
    rules = load_rules("sam_loc")
    assert rules.toi_trang.after_instant_win == "opening_hand"
    assert rules.toi_trang.bars_last_winner
    five_pairs = "4S 4D 6S 6C 8S 8D TS TD KS KC"
    assert judge("sam_loc", five_pairs) == ["nam_doi"]
    assert judge("sam_loc", five_pairs, opening=True) == []


def test_t153_five_players_of_ten_cards():
    sizes = load_rules("sam_loc").hand_sizes(5)
    assert sizes == (10,) * 5
    assert 52 - sum(sizes) == 2


def test_k7_m14_ten_in_a_row_from_ace_to_five():
    names = "A23456789TJQKA2"
    for start in range(6):
        text = " ".join(rank + "SCDH"[at % 4] for at, rank in enumerate(names[start : start + 10]))
        assert judge("sam_loc", text) == (["sanh_rong"] if start < 5 else [])
        assert judge("sam_loc", text, opening=True) == (["sanh_rong_3_q"] if start == 2 else [])


def test_f2_the_quad_of_threes_gives_the_3_of_spades_to_a_run_too():
    text = "3S 3C 3D 3H 4S 4D 5C 5H 6S 6D JC QS KD"
    assert judge("luckywin", text, opening=True) == ["bon_doi_thong_3_bich", "tu_quy_3", "ba_doi_thong_3_bich"]
    assert judge("zing", text, opening=True) == ["tu_quy_3", "ba_doi_thong_3_bich"]


def test_j1_mien_bac_and_hue():
    """Miền Bắc has four threes alone in opening games and no five pairs in a run; Huế has no opening list."""
    five = "5S 5C 6S 6D 7C 7H 8S 8D 9C 9H JS KD 2H"
    assert judge("mien_bac", five) == []
    assert judge("zing", five) == ["nam_doi_thong"]
    assert [win.id for win in load_rules("mien_bac").instant_wins(opening=True)] == ["tu_quy_3"]
    assert load_rules("hue").instant_wins(opening=True) == ()
    assert load_rules("tong_thong").instant_wins() == ()
