"""Figures from outside (DESIGN §6), rough frequencies (RULES F4, F10), and symmetries of single hands."""

from itertools import permutations
from math import comb

import pytest
from hostile import pattern
from naive import hand_set, mask_of

from tlsim.exact.automaton import HandBook
from tlsim.rules import load_rules

PAIRS = {"kind": "groups", "size": 2}
PAIR_RUN = PAIRS | {"consecutive": True}


def count(size, *conditions):
    return HandBook((pattern(*conditions),), size).count().holds[0]


def preset_count(preset, ident, opening=False):
    rules = load_rules(preset)
    patterns = {win.id: win.pattern for win in rules.instant_wins(opening)}
    return HandBook((patterns[ident],), rules.deal.hand_size).count().holds[0]


@pytest.mark.parametrize(
    ("preset", "ident", "hands"),
    [
        ("doithuong", "tu_quy_2", 1_677_106_640),
        ("doithuong", "sanh_rong", 369_098_752),
        ("luckywin", "sau_doi", 2_856_863_152),
        ("zing", "sau_doi", 2_856_863_152),
        ("sam_loc", "tu_quy_2", 12_271_512),
    ],
)
def test_figures_of_the_presets(preset, ident, hands):
    assert preset_count(preset, ident) == hands


def test_figures_of_all_hands():
    three = (pattern({"kind": "holds", "cards": "3S"}),)
    assert HandBook(three, 13).count().hands == 635_013_559_600
    assert HandBook(three, 10).count().hands == 15_820_024_220
    assert count(13, {"kind": "groups", "size": 1, "count": 13}) == 67_108_864


def test_suit_shape_12_1_0_0():
    twelve, thirteen = (count(13, {"kind": "flush", "count": n, "of": "suit"}) for n in (12, 13))
    assert thirteen == 4
    assert twelve - thirteen == 2_028


@pytest.mark.parametrize(
    ("conditions", "hands"),
    [
        # by counting, each on its own
        ([{"kind": "straight", "length": 12, "same_suit": True}], 4 * 40),
        ([{"kind": "flush", "count": 12, "of": "colour"}], 2 * (comb(26, 12) * 26 + comb(26, 13))),
        ([{"kind": "flush", "count": 13, "of": "colour"}], 2 * comb(26, 13)),
        ([{"kind": "groups", "size": 4, "count": 3}], comb(13, 3) * 40),
        ([{"kind": "groups", "size": 4, "count": 2}], comb(13, 2) * comb(44, 5) - 2 * comb(13, 3) * 40),
        ([{"kind": "groups", "size": 4, "count": 1, "ranks": "3"}], comb(48, 9)),
        ([{"kind": "holds", "cards": "3S"}], comb(51, 12)),
        ([{"kind": "holds", "cards": "3S"}, {"kind": "holds", "cards": "3S 2H"}], comb(50, 11)),
        ([PAIR_RUN | {"count": 6, "ranks": "3-8"}, {"kind": "holds", "cards": "2H"}], 6**6),
        # 5 đôi + 1 sám, a user's own (DESIGN §4): five ranks with two cards and one with three
        ([PAIRS | {"count": 6}, {"kind": "groups", "size": 3, "count": 1}], comb(13, 6) * 6 * 4 * 6**5),
    ],
)
def test_hands_of_13_by_counting(conditions, hands):
    assert count(13, *conditions) == hands


def test_hands_of_10_by_counting():
    assert preset_count("sam_loc", "muoi_dong_mau") == 2 * comb(26, 10)
    assert preset_count("sam_loc", "sanh_rong") == 5 * 4**10  # no ten cards are two dragons
    assert preset_count("sam_loc", "sanh_rong_3_q", opening=True) == 4**10
    assert preset_count("sam_loc", "hai_tu_quy") == comb(13, 2) * comb(44, 2)


@pytest.mark.parametrize(
    ("one_in", "conditions"),
    [
        (1_720, [{"kind": "straight", "length": 12}]),
        (60_800, [PAIR_RUN | {"count": 6}]),
        (93_800, [{"kind": "groups", "size": 3, "count": 4}]),
        (7_500, [{"kind": "groups", "size": 4, "count": 2}]),
        (1_210, [{"kind": "flush", "count": 12, "of": "colour"}]),
        (30_500, [{"kind": "flush", "count": 13, "of": "colour"}]),
        (313_000_000, [{"kind": "flush", "count": 12, "of": "suit"}]),
        (1_542, [PAIR_RUN | {"count": 5}]),
        (55_500_000, [{"kind": "groups", "size": 4, "count": 3}]),
        (9_870, [{"kind": "groups", "size": 3, "count": 3, "consecutive": True}]),
        (223, [PAIRS | {"count": 6, "quad_as": 2}]),
        (249, [PAIRS | {"count": 6}]),
        (408, [PAIRS | {"count": 6, "quad_as": 2, "ranks": "3-A"}]),
        (377, [{"kind": "holds", "cards": "2S 2C 2D 2H"}]),
        (379, [{"kind": "holds", "cards": "3S 3C 3D 3H"}]),
        (201, [PAIR_RUN | {"count": 3, "containing": "3S"}]),
        (1_659, [PAIR_RUN | {"count": 4, "containing": "3S"}]),
        (29, [{"kind": "groups", "size": 4, "count": 1}]),
        (104, [PAIR_RUN | {"count": 4}]),
    ],
)
def test_rough_frequencies_of_f4_and_f10(one_in, conditions):
    """They come from a simulation that has nothing to do with tlsim; 2 % is its noise and its rounding."""
    assert comb(52, 13) / count(13, *conditions) == pytest.approx(one_in, rel=0.02)


def test_rough_frequency_of_any_pattern():
    any_000 = HandBook(tuple(win.pattern for win in load_rules("doithuong").instant_wins()), 13).count()
    assert any_000.any / any_000.hands == pytest.approx(0.0083, rel=0.02)
    opening = HandBook(tuple(win.pattern for win in load_rules("luckywin").instant_wins(opening=True)), 13).count()
    assert opening.hands / opening.any == pytest.approx(131, rel=0.02)
    assert comb(52, 13) / count(13, PAIR_RUN | {"count": 3}) == pytest.approx(12, abs=0.5)


def test_counts_of_a_list():
    """A hand counts once; what a stronger pattern contains still holds."""
    rules = load_rules("doithuong")
    book = HandBook(tuple(win.pattern for win in rules.instant_wins()), 13)
    found = book.count()
    assert found.counts[0] == found.holds[0]
    assert all(c <= h for c, h in zip(found.counts, found.holds, strict=True))
    assert max(found.holds) <= found.any <= sum(found.holds)
    for at in range(1, len(book.patterns) + 1):  # a pattern counts for what it adds to those before it
        shorter = HandBook(book.patterns[:at], 13).count()
        assert shorter.any == sum(found.counts[:at])


COLOUR_KEEPING = [p for p in permutations(range(4)) if {p[0], p[1]} in ({0, 1}, {2, 3})]


def renamed(mask, suits):
    return mask_of({(rank, suits[suit]) for rank, suit in hand_set(mask)})


@pytest.mark.parametrize("opening", [False, True])
def test_renaming_suits_does_not_change_sam(opening):
    """RULES §3.12, 7: known cards under other suits give the same counts. One colour stays one colour."""
    rules = load_rules("sam_loc")
    patterns = tuple(win.pattern for win in rules.instant_wins(opening))
    renamings = list(permutations(range(4))) if opening else COLOUR_KEEPING
    assert len(renamings) == (24 if opening else 8)
    holding, dead = mask_of("3S 4S 4C 9D"), mask_of("5S 7H 2C")
    counts = {HandBook(patterns, 10, renamed(holding, suits), renamed(dead, suits)).count() for suits in renamings}
    assert len(counts) == 1


def test_renaming_suits_changes_what_names_a_suit():
    patterns = tuple(win.pattern for win in load_rules("zing").instant_wins(opening=True))
    counts = [HandBook(patterns, 13, mask_of(cards)).count() for cards in ("3S", "3C", "3D", "3H")]
    assert counts[1] == counts[2] == counts[3] != counts[0]


@pytest.mark.parametrize("number", [7, 8, 13])
def test_colours_are_alike(number):
    colour = (pattern({"kind": "flush", "count": number, "of": "colour"}),)
    black, red = mask_of("4S 9C KC"), mask_of("4D 9H KD")
    assert HandBook(colour, 13, black, red).count() == HandBook(colour, 13, red, black).count()
    suit = (pattern({"kind": "flush", "count": number, "of": "suit"}),)
    one = [HandBook(suit, 13, mask_of(f"4{s} 9{s}"), mask_of(f"K{s}")).count() for s in "SCDH"]
    assert one.count(one[0]) == 4
