"""The order of a list without an order of its own runs from the rarest pattern to the commonest (M20).

The counts here come from a small dynamic programme over ranks (or a formula), apart from all code of tlsim.
"""

from collections import defaultdict
from math import comb

import pytest

from tlsim.rules import load_rules

A, TWO = 11, 12


def count(size, step, want, ways=lambda _rank, k: comb(4, k)):
    """Hands of ``size`` cards whose rank counts, read from 3 to 2, lead ``step`` to a state that ``want`` accepts."""
    states = {(0, 0): 1}
    for rank in range(13):
        after = defaultdict(int)
        for (cards, state), number in states.items():
            for k in range(min(4, size - cards) + 1):
                after[cards + k, step(state, rank, k)] += number * ways(rank, k)
        states = after
    return sum(number for (cards, state), number in states.items() if cards == size and want(state))


def groups(hand, size, need, quad_as=1):
    def step(state, _rank, k):
        return min(need, state + (quad_as if k == 4 else k >= size))

    return count(hand, step, lambda state: state == need)


def run(hand, size, need):
    def step(state, rank, k):
        return need if state == need else (state + 1 if k >= size and rank <= A else 0)

    return count(hand, step, lambda state: state == need)


def first_ranks(hand, size, need, ways=lambda _rank, k: comb(4, k)):
    def step(state, rank, k):
        return state + (rank < need and k >= size)

    return count(hand, step, lambda state: state == need, ways)


def with_3_of_spades(rank, k):
    return (comb(3, k - 1) if k else 0) if rank == 0 else comb(4, k)


def one_colour(hand, least):
    return 2 * sum(comb(26, k) * comb(26, hand - k) for k in range(least, hand + 1))


THIRTEEN = {
    "sanh_rong_dong_hoa": 4 * 40,
    "ba_tu_quy": groups(13, 4, 3),
    "bon_bo_ba_thong": run(13, 3, 4),
    "bon_bo_ba": groups(13, 3, 4),
    "sau_doi_thong": run(13, 2, 6),
    "ba_bo_ba_thong": run(13, 3, 3),
    "hai_tu_quy": groups(13, 4, 2),
    "sanh_rong": run(13, 1, 12),
    "nam_doi_thong": run(13, 2, 5),
    "muoi_hai_dong_mau": one_colour(13, 12),
    "tu_quy_2": comb(48, 9),
    "tu_quy_3": comb(48, 9),
    "sau_doi": groups(13, 2, 6, quad_as=2),
    "bon_doi_thong_3_bich": first_ranks(13, 2, 4, with_3_of_spades),
    "ba_doi_thong_3_bich": first_ranks(13, 2, 3, with_3_of_spades),
}
TEN = {
    "hai_tu_quy": groups(10, 4, 2),
    "ba_bo_ba": groups(10, 3, 3),
    "sanh_rong": 5 * 4**10,
    "muoi_dong_mau": 2 * comb(26, 10),
    "nam_doi": groups(10, 2, 5, quad_as=2),
    "tu_quy_2": comb(48, 6),
}


def test_the_counts_agree_with_figures_from_outside():
    assert THIRTEEN["sanh_rong"] == 369_098_752
    assert THIRTEEN["sau_doi"] == 2_856_863_152
    assert THIRTEEN["tu_quy_2"] == 1_677_106_640
    assert TEN["tu_quy_2"] == 12_271_512


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize(
    "preset", ["luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"]
)
def test_from_the_rarest_to_the_commonest(preset, opening):
    counts = [THIRTEEN[win.id] for win in load_rules(preset).instant_wins(opening)]
    assert counts == sorted(counts)


def test_sam_regular_list_from_the_rarest_to_the_commonest():
    counts = [TEN[win.id] for win in load_rules("sam_loc").instant_wins(opening=False)]
    assert counts == sorted(counts)


def test_sam_opening_list_has_its_own_order():
    assert [win.id for win in load_rules("sam_loc").instant_wins(opening=True)] == [
        "tu_quy_3",
        "sanh_rong_3_q",
        "ba_doi_thong_3",
    ]


def test_an_additional_opening_list_stands_before_the_regular_one():
    zing = load_rules("zing")
    both = zing.replace("toi_trang.opening_list_mode", "additional")
    assert both.instant_wins(opening=True) == zing.instant_wins(opening=True) + zing.instant_wins(opening=False)
    assert both.instant_wins(opening=False) == zing.instant_wins(opening=False)
