"""What happens in games, by name: how they end, what is counted in them, why money moves."""

from tlsim.kernels import row as c
from tlsim.terms import BOMBS

ENDINGS = {
    c.NORMAL: "played_out", c.WHOLE_TABLE_CONG: "cong_table", c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang",
    c.ALL_STUCK: "all_stuck", c.INSTANT: "toi_trang", c.CALL_MADE: "sam_made", c.CALL_BLOCKED: "sam_blocked",
    c.CALL_STUCK: "sam_stuck",
}  # fmt: skip
TARGETS = ("heo", "doi_heo", "ba_heo", *BOMBS)
ITEMS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co", *BOMBS, "ba_bich")
EVENTS = {
    **{f"chop_{bomb}_{target}": c.EV_CHOPS + c.N_TARGETS * i + j
       for i, bomb in enumerate(BOMBS) for j, target in enumerate(TARGETS)},
    **{f"chain_of_{n + 1}": c.EV_CHAINS + n for n in range(c.MOST_LINKS)},
    "void_chain": c.EV_VOID_CHAIN, "free_chop": c.EV_FREE_CHOP, "huong_sai": c.EV_HUONG_SAI,
    "out_on_two": c.EV_OUT_ON_TWO, "ket_3_bich_tried": c.EV_KET_TRIED, "ket_3_bich_made": c.EV_KET_MADE,
    "ket_3_bich_blocked": c.EV_KET_BLOCKED, **{f"thoi_{item}": c.EV_THOI + n for n, item in enumerate(ITEMS)},
    "sam_called": c.EV_CALLS, "den_bao": c.EV_DEN_BAO, "revolution": c.EV_REVOLUTION,
}  # fmt: skip
CONG = ("one", "two", "three", "four")
