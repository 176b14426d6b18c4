"""The glossary: every term that tlsim prints, in Vietnamese and in English.

``PATTERNS`` are the ids of the presets' patterns, ``GAME`` the words of the games, ``TITLES`` those of Tổng thống,
``EVENTS`` what happens in games, ``OUTPUT`` headings, quantities and notes, ``FAIRNESS`` those of prices,
``VALUES`` those of what hands are worth. Vietnamese is written with all marks, composed (NFC).
"""

from __future__ import annotations

import locale
import os
import unicodedata
from typing import Literal, NamedTuple, TypeAlias

from tlsim.cards import strip_marks
from tlsim.errors import UsageError, suggestion

Language: TypeAlias = Literal["vi", "en"]
LANGUAGES: tuple[Language, ...] = ("vi", "en")


class Term(NamedTuple):
    """A term in both languages."""

    vi: str
    en: str


PATTERNS = {
    "sanh_rong": Term("Sảnh rồng", "Dragon straight"),
    "sanh_rong_dong_hoa": Term("Thùng phá sảnh", "Dragon straight in one suit"),
    "sanh_rong_3_q": Term("Sảnh rồng 3 → Q", "Dragon straight 3 to Q"),
    "nam_doi": Term("5 đôi", "5 pairs"),
    "sau_doi": Term("6 đôi", "6 pairs"),
    "nam_doi_thong": Term("5 đôi thông", "Run of 5 pairs"),
    "sau_doi_thong": Term("6 đôi thông", "Run of 6 pairs"),
    "ba_doi_thong_3": Term("3 đôi thông có 3", "Run of 3 pairs from the 3s"),
    "ba_doi_thong_3_bich": Term("3 đôi thông có 3♠", "Run of 3 pairs with 3♠"),
    "bon_doi_thong_3_bich": Term("4 đôi thông có 3♠", "Run of 4 pairs with 3♠"),
    "ba_bo_ba": Term("3 bộ ba", "3 triples"),
    "bon_bo_ba": Term("4 bộ ba", "4 triples"),
    "ba_bo_ba_thong": Term("3 bộ ba thông", "Run of 3 triples"),
    "bon_bo_ba_thong": Term("4 bộ ba thông", "Run of 4 triples"),
    "hai_tu_quy": Term("2 tứ quý", "2 quads"),
    "ba_tu_quy": Term("3 tứ quý", "3 quads"),
    "tu_quy_2": Term("Tứ quý 2", "Four 2s"),
    "tu_quy_3": Term("Tứ quý 3", "Four 3s"),
    "muoi_dong_mau": Term("10 lá đồng màu", "10 cards of one colour"),
    "muoi_hai_dong_mau": Term("12 lá đồng màu", "12 cards of one colour"),
    "muoi_hai_dong_chat": Term("12 lá đồng chất", "12 cards of one suit"),
}

GAME = {
    "toi_trang": Term("tới trắng", "instant win"),
    "opening": Term("ván khởi đầu", "opening game"),
    "regular": Term("ván thường", "regular game"),
    "dem_heo": Term("đếm heo", "twos and bombs counted"),
    "cong": Term("cóng", "shut out"),
    "thoi": Term("thối", "left with twos or bombs"),
    "den": Term("đền", "paying for the table"),
    "den_cong": Term("đền cóng", "paying for a table shut out"),
    "ket_3_bich": Term("kết 3 bích", "going out with 3♠"),
    "dut_3_bich": Term("đút 3 bích", "all others last by 3♠"),
    "bao_sam": Term("báo Sâm", "calling Sâm"),
    "chop": Term("chặt", "chop"),
    "stake": Term("cược", "stake"),
    "two": Term("heo", "two"),
    "bomb": Term("hàng", "bomb"),
    "single": Term("rác", "single"),
    "pair": Term("đôi", "pair"),
    "triple": Term("bộ ba", "triple"),
    "quad": Term("tứ quý", "quad"),
    "straight": Term("sảnh", "straight"),
    "pair_run": Term("đôi thông", "pair run"),
}

# Titles of Tổng thống, best first.
TITLES = {
    "tong_thong": Term("Tổng thống", "President"),
    "pho_tong_thong": Term("Phó tổng thống", "Vice-president"),
    "thuong_dan": Term("Thường dân", "Commoner"),
    "can_ngheo": Term("Cận nghèo", "Near-pauper"),
    "dan_ngheo": Term("Dân nghèo", "Pauper"),
}

# What happens in games; chops and what is left over are put together from bombs and targets.
EVENTS = {
    "heo": Term("heo", "a 2"),
    "doi_heo": Term("đôi heo", "two 2s"),
    "ba_heo": Term("ba heo", "three 2s"),
    "ba_doi_thong": Term("3 đôi thông", "3 pairs in a row"),
    "tu_quy": Term("tứ quý", "a quad"),
    "bon_doi_thong": Term("4 đôi thông", "4 pairs in a row"),
    "heo_bich": Term("heo bích", "2♠"),
    "heo_chuon": Term("heo chuồn", "2♣"),
    "heo_ro": Term("heo rô", "2♦"),
    "heo_co": Term("heo cơ", "2♥"),
    "ba_bich": Term("3 bích", "3♠"),
    "chopped_by": Term("{bomb} chặt {target}", "{bomb} chops {target}"),
    "left_with": Term("thối {item}", "left with {item}"),
    "chain_of": Term("dây chặt {n} lần", "chain of {n} chops"),
    "void_chain": Term("dây chặt không tính", "chain that is not paid"),
    "huong_sai": Term("hưởng sái", "leading after one who is out"),
    "out_on_two": Term("về bằng heo", "going out on a 2"),
    "opening_games": Term("ván khởi đầu", "opening games"),
    "played_out": Term("đánh đến hết", "played out"),
    "cong_table": Term("cóng tính cả bàn", "shut out, counted as the whole table"),
    "den_ca_lang": Term("đền cả làng", "paying every house"),
    "all_stuck": Term("mọi nhà đều treo", "all stuck"),
    "cong_one": Term("cóng một nhà", "one shut out"),
    "cong_two": Term("cóng hai nhà", "two shut out"),
    "cong_three": Term("cóng ba nhà", "three shut out"),
    "cong_four": Term("cóng bốn nhà", "four shut out"),
    "ket_3_bich_tried": Term("kết 3 bích: thử", "going out with 3♠: tried"),
    "ket_3_bich_made": Term("kết 3 bích: được", "going out with 3♠: made"),
    "ket_3_bich_blocked": Term("kết 3 bích: bị chặn", "going out with 3♠: blocked"),
    "cards_left": Term("đếm lá", "cards left"),
    "place": Term("tiền hơn thua theo thứ tự", "by place"),
    "chan_3_bich": Term("chặn 3 bích", "blocked 3♠"),
    "thui_3_bich": Term("thúi 3 bích", "left with 3♠"),
    "sam": Term("Sâm", "Sâm"),
    "sam_called": Term("báo Sâm", "Sâm called"),
    "sam_made": Term("Sâm thành công", "Sâm made"),
    "sam_blocked": Term("Sâm bị chặn", "Sâm blocked"),
    "sam_stuck": Term("nhà báo Sâm bị treo", "Sâm caller stuck"),
    "den_bao": Term("đền báo", "paying for letting the last card by"),
    "revolution": Term("tứ quý đảo chiều", "order turned over by a quad"),
    "largest_loss": Term("thua nhiều nhất", "largest loss"),
    "longest_chain": Term("dây chặt dài nhất", "longest chain"),
    "longest_game": Term("ván dài nhất", "longest game"),
}

OUTPUT = {
    # headings, and what stands below them
    "pattern": Term("mẫu bài", "pattern"),
    "exact": Term("chính xác", "exact"),
    "one_in": Term("1 trong", "1 in"),
    "simulated": Term("mô phỏng", "simulated"),
    "std_error": Term("± sai số", "± error"),
    "z": Term("z", "z"),
    "pays": Term("giá", "price"),
    "any": Term("bất kỳ mẫu nào", "any pattern"),
    "quantity": Term("đại lượng", "quantity"),
    "bounds": Term("giữa hai cận", "between bounds"),
    "group": Term("nhóm", "group"),
    "cards": Term("lá bài", "cards"),
    "rules": Term("luật", "rules"),
    "counts_here": Term("được tính", "counts"),
    "black": Term("đen", "black"),
    "red": Term("đỏ", "red"),
    "spades": Term("bích", "spades"),
    "clubs": Term("chuồn", "clubs"),
    "diamonds": Term("rô", "diamonds"),
    "hearts": Term("cơ", "hearts"),
    # titles
    "one_hand": Term("Một tay bài", "One hand"),
    "table": Term("Cả bàn", "The table"),
    "payment": Term("Tiền", "Money"),
    "held": Term("Mẫu tới trắng đang giữ", "Instant-win patterns held"),
    "groups": Term("Cách ghép bài", "How the cards group"),
    # quantities
    "someone": Term("có người tới trắng", "someone has one"),
    "wins": Term("thắng bằng", "wins by"),
    "seats_holding": Term("số nhà có mẫu", "seats that hold one"),
    "per_loser": Term("mỗi người thua trả, trung bình mỗi ván", "paid by each loser, mean per deal"),
    "per_deal": Term("người thắng nhận, trung bình mỗi ván", "received by the winner, mean per deal"),
    "dem_heo_mean": Term("đếm heo thêm, trung bình mỗi ván", "added by đếm heo, mean per deal"),
    # sizes
    "deals": Term("ván", "deals"),
    "hands": Term("tay bài", "hands"),
    "per_second": Term("mỗi giây", "per second"),
    # speed
    "speed": Term("Tốc độ", "Speed"),
    "work": Term("việc", "work"),
    "bench_deal": Term("chia đủ bốn nhà (ván)", "deal four hands (deals)"),
    "bench_deal_detect": Term("chia và dò mẫu, một luồng (tay bài)", "deal and detect, one thread (hands)"),
    "bench_deal_detect_threads": Term("chia và dò mẫu, số luồng (tay bài)", "deal and detect, threads (hands)"),
    "bench_exact_hand": Term("đếm chính xác một tay bài (bảng)", "exact counts of one hand (lists)"),
    "per_second_best": Term("mỗi giây, cao nhất", "a second, best"),
    "per_second_median": Term("mỗi giây, trung vị", "a second, median"),
    "nanoseconds": Term("nano giây mỗi cái", "nanoseconds each"),
    "machine": Term("máy", "machine"),
    # provenance
    "version": Term("phiên bản", "version"),
    "digest": Term("mã luật", "digest"),
    "unit": Term("đơn vị", "unit"),
    "players": Term("số nhà", "players"),
    "hand_size": Term("số lá mỗi nhà", "cards a hand"),
    "holding": Term("đang giữ", "holding"),
    "dead": Term("biết là ở nơi khác", "known elsewhere"),
    "hand": Term("tay bài", "hand"),
    "seed": Term("hạt giống", "seed"),
    "net": Term("được thua", "net money"),
    "per_game": Term("mỗi ván", "per game"),
    "policy": Term("cách đánh", "policy"),
    "mean": Term("trung bình", "mean"),
    "spread": Term("độ lệch", "spread"),
    "place_1": Term("nhất %", "1st %"),
    "place_2": Term("nhì %", "2nd %"),
    "place_3": Term("ba %", "3rd %"),
    "place_4": Term("bét %", "4th %"),
    "place_5": Term("năm %", "5th %"),
    "opening_mean": Term("ván khởi đầu", "opening games"),
    "regular_mean": Term("ván thường", "regular games"),
    "role": Term("cách nhà đi đầu", "after the leader"),
    "event": Term("việc", "event"),
    "reason": Term("lý do", "reason"),
    "count": Term("số lần", "count"),
    "per_hand": Term("mỗi tay bài", "per hand"),
    "per_opening_game": Term("mỗi ván khởi đầu", "per opening game"),
    "per_regular_game": Term("mỗi ván thường", "per regular game"),
    "list": Term("danh sách", "list"),
    "exact_per_hand": Term("chính xác mỗi tay bài", "exact per hand"),
    "payments": Term("số lần trả", "payments"),
    "payments_per_game": Term("lần trả mỗi ván", "payments per game"),
    "money": Term("tổng tiền", "money"),
    "money_per_game": Term("tiền mỗi ván", "money per game"),
    "extreme": Term("đặc biệt", "extreme"),
    "value": Term("mức", "value"),
    "match": Term("trận", "match"),
    "game": Term("ván", "game"),
    "policies": Term("cách đánh", "policies"),
    "match_length": Term("ván mỗi trận", "games of a match"),
    "matches": Term("số trận", "matches"),
    "games": Term("số ván", "games"),
    "given": Term("cho trước", "given"),
    "games_played": Term("ván đã đánh", "games played"),
    "view_seats": Term("Từng nhà: tiền mỗi ván", "By seat: money per game"),
    "view_roles": Term("Theo chỗ ngồi tính từ nhà đi đầu", "By distance from the leader"),
    "view_events": Term("Việc xảy ra, mỗi ván", "Events, per game"),
    "view_toi_trang": Term("Tới trắng", "Instant wins"),
    "view_reasons": Term("Tiền theo lý do", "Money by reason"),
    "view_distribution": Term("Phân vị tiền mỗi ván", "Quantiles of money per game"),
    "view_extremes": Term("Ván đặc biệt (xem lại bằng tlsim replay)", "Extreme games (see tlsim replay)"),
    "view_sam_calls": Term("Báo Sâm theo sức bài", "Calls of Sâm by strength of the hand"),
    "view_titles": Term("Từ danh hiệu ván trước đến ván sau, %", "From the title of one game to the next, %"),
    "view_title_runs": Term("Giữ được danh hiệu", "Titles kept"),
    "view_title_worth": Term("Danh hiệu đáng giá bao nhiêu", "What titles are worth"),
    "view_match_wins": Term("Thắng trận", "Matches won"),
    "view_difference_seats": Term("Chênh lệch từng nhà, mỗi ván", "Difference by seat, per game"),
    "view_difference_sam_calls": Term("Chênh lệch theo sức bài báo Sâm",
                                      "Difference by strength of the hand for a call of Sâm"),
    "view_difference_titles": Term("Chênh lệch tỉ lệ chuyển danh hiệu, điểm %",
                                   "Difference of the moves between titles, points of %"),
    "view_difference_title_worth": Term("Chênh lệch điểm ván sau theo danh hiệu",
                                        "Difference of the points after a title"),
    # calls of Sâm and titles
    "strength": Term("sức bài", "strength"),
    "all_strengths": Term("tất cả", "all"),
    "calls": Term("báo", "calls"),
    "void": Term("có tới trắng", "void"),
    "made": Term("thành công", "made"),
    "success": Term("tỉ lệ thành công", "success"),
    "call_mean": Term("tiền khi báo", "money where called"),
    "silent_mean": Term("tiền khi không báo", "money where not"),
    "break_even": Term("hòa vốn", "break-even"),
    "other_hands": Term("tay bài bên kia", "hands, other"),
    "difference": Term("chênh lệch", "difference"),
    "std_error_unpaired": Term("± nếu khác ván bài", "± if over other deals"),
    "against": Term("so với", "against"),
    "title": Term("danh hiệu", "title"),
    "old_title": Term("danh hiệu ván trước", "title of the game before"),
    "next_title": Term("danh hiệu ván sau", "title of the next game"),
    "share": Term("tỉ lệ", "share"),
    "other_share": Term("tỉ lệ bên kia", "share, other"),
    "games_held": Term("số ván giữ liên tiếp", "games in a row"),
    "at_risk": Term("số lần", "times"),
    "kept": Term("giữ được", "kept"),
    "keeps_title": Term("giữ được ở ván sau", "kept in the next game"),
    "next_points": Term("điểm ván sau", "points in the next game"),
    "other_next_points": Term("điểm ván sau bên kia", "points in the next game, other"),
    "games_lasts": Term("giữ được mấy ván", "games that it lasts"),
    "matches_won": Term("thắng trận", "matches won"),
    "alone": Term("thắng một mình", "won alone"),
    "together": Term("cùng thắng", "won together"),
    "axis_strength": Term("sức bài: cơ hội báo Sâm thành công theo ước lượng",
                          "strength of the hand: estimated chance that a call succeeds"),
    "as_estimated": Term("đúng như ước lượng", "as estimated"),
    "nothing_to_draw": Term("không có gì để vẽ", "nothing to draw"),
    "leads": Term("đi đầu", "leads"),
    "passes": Term("bỏ lượt", "passes"),
    "free_chop": Term("chặt tự do", "free chop"),
    "stuck_word": Term("treo", "stuck"),
    "game_word": Term("ván", "game"),
    "opening_word": Term("ván khởi đầu", "opening game"),
    "seat_word": Term("nhà", "seat"),
    "places_word": Term("thứ tự", "places"),
    "settled": Term("Bảng điểm", "Score sheet"),
    "view_games": Term("Từng ván", "Game by game"),
    "view_transfers": Term("Ai trả ai", "Who pays whom"),
    "no_fault": Term("hợp lệ", "all legal"),
    # games to read
    "barred_text": Term("nhà {seat} không được tới trắng: vừa tới trắng ván trước",
                        "seat {seat} may not have an instant win: it won the last game by one"),
    "titles_text": Term("danh hiệu từ ván trước", "titles by the last game"),
    "gives_text": Term("nhà {giver} nộp cho nhà {getter}", "seat {giver} gives up to seat {getter}"),
    "returns_text": Term("nhà {giver} trả lại nhà {getter}", "seat {giver} returns to seat {getter}"),
    "calls_sam": Term("báo Sâm", "calls Sâm"),
    "turned_over": Term("đảo chiều: lá nhỏ thắng lá lớn", "order turned over: low cards beat high ones"),
    "turned_back": Term("đảo chiều trở lại: lá lớn thắng lá nhỏ", "order turned back: high cards beat low ones"),
    # notes
    "note_strength": Term(
        "sức bài: cơ hội báo Sâm thành công theo ước lượng của cách đánh smart, thang 5 %; "
        "trong ngoặc: khoảng tin cậy 95 %",
        "strength: the chance that a call of Sâm succeeds as the policy smart estimates it, in steps of 5 %; "
        "in brackets: 95 % interval",
    ),
    "note_against": Term("chênh lệch: lần chơi này trừ đi lần so với, trên cùng ván bài",
                         "difference: this run less the one against which it stands, over the same deals"),
    "partial": Term("chưa trọn: bị ngắt giữa chừng", "partial: the run was interrupted"),
    "no_list": Term("luật này không có mẫu tới trắng cho câu hỏi này", "these rules have no instant win here"),
    "no_pattern": Term("không có mẫu nào", "none"),
    "computing_table": Term("đang tính luật của cả bàn; danh sách dài mất chừng một phút, chỉ một lần …",
                            "computing the law of the table; a long list takes about a minute, and only once …"),
    "other_hand_size": Term("bỏ qua: chơi với số lá khác", "skipped: played with another number of cards"),
    "tail": Term("xác suất đuôi hai phía", "two-sided tail"),
    "note_z": Term("z: độ lệch so với giá trị chính xác; p: xác suất đuôi khi dưới 25 lần được chờ đợi",
                   "z: distance from the exact value; p: tail probability where under 25 hits are expected"),
    "note_declare": Term("cả bàn: coi như ai có cũng báo", "table: every holder is taken to declare"),
    "axis_probability": Term("xác suất mỗi tay bài (thang log)", "probability per hand (log scale)"),
    "interval": Term("khoảng tin cậy 95 %", "95 % interval"),
    "not_seen": Term("không gặp: cận trên", "not seen: upper end"),
}  # fmt: skip

FAIRNESS = {
    # headings
    "fair_prices": Term("Giá và độ hiếm", "Prices and rarity"),
    "view_prices": Term("Giá tới trắng so với giá công bằng", "Prices of instant wins against fair prices"),
    "view_summary": Term("Cả bảng giá", "The whole list"),
    "view_pairs": Term("Các cặp sai thứ tự", "Pairs in the wrong order"),
    "view_verdicts": Term("Kết luận", "Verdicts"),
    "view_rake": Term("Tiền phế", "Rake"),
    "view_table": Term("Bảng giá đề nghị", "Proposed prices"),
    "view_table_summary": Term("Bảng giá đề nghị: trước và sau", "Proposed prices: before and after"),
    "wins_table": Term("xác suất thắng bàn", "wins the table"),
    "cost_per_1000": Term("tốn mỗi 1000 ván", "cost per 1000 deals"),
    "fair_price": Term("giá công bằng", "fair price"),
    "ratio": Term("giá / giá công bằng", "price / fair price"),
    "strength_rank": Term("hạng mạnh", "rank by strength"),
    "rarity_rank": Term("hạng hiếm", "rank by rarity"),
    "commoner": Term("mẫu hay ra hơn", "the commoner"),
    "rarer": Term("mẫu hiếm hơn", "the rarer"),
    "factor": Term("hay ra gấp", "times as often"),
    "by": Term("sai vì", "wrong by"),
    "by_strength": Term("mạnh hơn", "strength"),
    "by_price": Term("đắt hơn", "price"),
    "by_both": Term("mạnh hơn và đắt hơn", "strength and price"),
    "rarer_price": Term("giá mẫu hiếm", "price of the rarer"),
    "patterns": Term("số mẫu", "patterns"),
    "misplaced": Term("tiền đặt sai chỗ", "misplaced money"),
    "worst_ratio": Term("lệch nhất: giá / giá công bằng", "furthest off: price / fair price"),
    "wrong_pairs": Term("cặp sai thứ tự", "pairs in the wrong order"),
    "tau_strength": Term("τ-b mạnh và hiếm", "τ-b of strength and rarity"),
    "tau_price": Term("τ-b giá và hiếm", "τ-b of price and rarity"),
    "verdict": Term("kết luận", "verdict"),
    "finding": Term("vượt ngưỡng", "finding"),
    "received": Term("người thắng nhận", "winner receives"),
    "house": Term("nhà cái lấy", "house takes"),
    "left": Term("còn lại", "left to the winner"),
    "house_per_1000": Term("nhà cái, mỗi 1000 ván", "house, per 1000 deals"),
    "loss_per_1000": Term("mỗi nhà mất, mỗi 1000 ván", "each player loses, per 1000 deals"),
    "whole_list": Term("cả bảng, trung bình một lần thắng", "whole list, mean of a win"),
    "price_before": Term("giá cũ", "old price"),
    "new_price": Term("giá mới", "new price"),
    "strength_before": Term("hạng mạnh cũ", "old rank by strength"),
    "method": Term("cách xếp giá", "method"),
    "tolerance_used": Term("lệch cho phép (lần)", "tolerance (times)"),
    "cap": Term("giá cao nhất", "cap"),
    "units": Term("bước giá", "units"),
    "before": Term("trước", "before"),
    "after": Term("sau", "after"),
    "cost_change": Term("chi phí thay đổi", "change of cost"),
    "method_reordered": Term("xếp lại theo độ hiếm", "reordered by rarity"),
    "method_proportional": Term("giá tỉ lệ với độ hiếm", "proportional to rarity"),
    "method_logarithmic": Term("giá theo log độ hiếm", "by the log of rarity"),
    # whole games
    "view_items": Term("Heo và hàng, mỗi tay bài (mô phỏng)", "2s and bombs, per hand (simulated)"),
    "view_ket_3_bich": Term("Kết 3 bích: khi nào đáng thử (mô phỏng)", "Going out with 3♠: when it pays (simulated)"),
    "item": Term("món", "item"),
    "held_one_in": Term("có, 1 trong", "dealt, 1 in"),
    "left_per_hand": Term("bị thối", "left over"),
    "left_if_held": Term("thối nếu có", "left over if dealt"),
    "cost_per_1000_games": Term("tốn mỗi 1000 ván", "cost per 1000 games"),
    "chops_per_hand": Term("chặt được", "chops"),
    "chopped_per_hand": Term("bị chặt", "is chopped"),
    "block_payees": Term("bị chặn thì trả cho", "who receives if blocked"),
    "in_force": Term("luật đang dùng", "in force"),
    "tried_per_1000": Term("thử mỗi 1000 ván", "tries per 1000 games"),
    "tried": Term("số lần thử", "tries"),
    "gain": Term("được thì lãi", "gain if made"),
    "loss": Term("bị chặn thì lỗ", "loss if blocked"),
    "active": Term("mọi nhà còn bài", "all still playing"),
    "not_passed": Term("nhà chưa bỏ lượt", "who has not passed"),
    "laid_card": Term("nhà đã ra bài trong vòng", "who laid a card in the trick"),
    "blocker_only": Term("nhà chặn", "the blocker"),
    "at": Term("số", "number"),
    "which": Term("loại ván", "games of"),
    "all": Term("mọi ván", "all games"),
    "seat": Term("nhà", "seat"),
    "interval_together": Term("khoảng 95 % chung", "joint 95 % interval"),
    "note_games": Term(
        "Mô phỏng {games} ván, cách đánh {policies}; riêng kết 3 bích: ai cũng giữ 3♠ đến cuối. "
        "Có lợi từ: lỗ / (lãi + lỗ)",
        "{games} simulated games, policies {policies}; for 3♠ everyone keeps it for the end. "
        "Pays from: loss / (gain + loss)",
    ),
    # the picture
    "axis_price": Term("giá mỗi người thua trả", "price per loser"),
    "axis_fair": Term("giá công bằng", "fair price"),
    "log_scale": Term("thang log", "log scale"),
    "line_fair": Term("giá = giá công bằng", "price = fair price"),
    "too_cheap": Term("rẻ hơn công bằng", "cheaper than fair"),
    "too_dear": Term("đắt hơn công bằng", "dearer than fair"),
    "no_prices": Term("không có giá nào để vẽ", "no prices to draw"),
    # verdicts
    "verdict_order": Term(
        "{figure} trên {all} cặp đứng sai thứ tự; nặng nhất: {pattern} {how} {rarer} mà hay ra gấp {factor} lần "
        "(ngưỡng: không cặp nào)",
        "{figure} of {all} pairs stand in the wrong order; the worst: {pattern} {how} {rarer}, and comes up {factor} "
        "times as often (threshold: no pair)",
    ),
    "how_strength": Term("mạnh hơn", "outranks"),
    "how_price": Term("đắt hơn", "costs more than"),
    "how_both": Term("mạnh hơn và đắt hơn", "outranks and costs more than"),
    "verdict_in_order": Term(
        "thứ tự đúng độ hiếm: không cặp nào trong {all} cặp đứng sai",
        "the order follows rarity: none of {all} pairs stands wrong",
    ),
    "verdict_dear": Term(
        "{pattern} giá {price}, công bằng là {fair}: đắt gấp {factor} lần (ngưỡng: {limit} lần)",
        "{pattern} costs {price}, fair is {fair}: {factor} times too dear (threshold: {limit} times)",
    ),
    "verdict_cheap": Term(
        "{pattern} giá {price}, công bằng là {fair}: rẻ đi {factor} lần (ngưỡng: {limit} lần)",
        "{pattern} costs {price}, fair is {fair}: {factor} times too cheap (threshold: {limit} times)",
    ),
    "verdict_in_line": Term(
        "không giá nào lệch quá {limit} lần so với giá công bằng; lệch nhất {factor} lần",
        "no price is more than {limit} times off its fair price; the furthest is {factor} times off",
    ),
    "verdict_free": Term(
        "{pattern} thắng mà giá 0; công bằng là {fair} (ngưỡng: trên 0)",
        "{pattern} wins at a price of 0; fair is {fair} (threshold: over 0)",
    ),
    "verdict_all_free": Term(
        "mọi mẫu đều giá 0: không có gì để so (ngưỡng: trên 0)",
        "all prices are 0: there is nothing to compare (threshold: over 0)",
    ),
    "verdict_never": Term(
        "{pattern} không bao giờ thắng: không tay bài nào có, hoặc mẫu mạnh hơn luôn che mất",
        "{pattern} never wins: no hand holds it, or a stronger pattern always covers it",
    ),
    "verdict_bounds": Term(
        "danh sách quá dài để đếm chính xác cho số nhà này; cận quá rộng để so giá. Hãy hỏi với ít nhà hơn",
        "the list is too long for exact odds at so many seats, and bounds are too wide to judge prices; ask for fewer",
    ),
    # notes
    "note_fair": Term(
        "Công bằng: mọi mẫu tốn người chơi như nhau, giá × xác suất thắng bàn bằng nhau; "
        "giá công bằng = (Σ giá·p / n) / p, tổng chi phí giữ nguyên. Coi như ai có cũng báo",
        "Fair: every pattern costs a player the same, price × probability of winning the table being equal; "
        "fair price = (Σ price·p / n) / p, at the same total cost. Every holder is taken to declare",
    ),
    "note_cost": Term(
        "Tốn: một nhà trả trung bình mỗi 1000 ván, giá × p × (số nhà − 1) / số nhà, không kể đếm heo. "
        "Tiền đặt sai chỗ: phần tiền phải chuyển sang mẫu khác thì mới công bằng",
        "Cost: what one player pays per 1000 deals on average, price × p × (seats − 1) / seats, without đếm heo. "
        "Misplaced money: the share that would have to be paid for other patterns to be fair",
    ),
    "note_bounds": Term(
        "xác suất chỉ biết giữa hai cận; giá công bằng tính theo điểm giữa",
        "probabilities are only known between bounds; fair prices go by the middle",
    ),
    "note_no_opening": Term(
        "ván khởi đầu không có danh sách tới trắng", "opening games have no list of instant wins"
    ),
    "note_one_price": Term(
        "mọi giá đều bằng nhau: không có gì để xếp lại", "all prices are equal: there is nothing to reorder"
    ),
    "note_unchanged": Term("giá đã đúng như vậy: không có gì thay đổi", "prices are so already: nothing changes"),
    "note_circle": Term(
        "mỗi thứ tự lại làm một thứ tự khác công bằng hơn; đã lấy thứ tự công bằng nhất trong vòng",
        "each order makes another one fairer, in a circle; the fairest of them was taken",
    ),
    "note_written": Term("đã ghi {file}", "wrote {file}"),
}  # fmt: skip

VALUES = {
    # headings
    "view_value": Term("Tay bài đáng giá bao nhiêu", "What the hand is worth"),
    "view_declare": Term("Báo tới trắng hay đánh tiếp", "Declare, or play on"),
    "view_sam": Term("Báo Sâm hay không", "Call Sâm or not"),
    "view_total": Term("Cả danh sách, mỗi 1000 tay bài được chia", "The whole list, per 1,000 hands dealt"),
    "view_precise": Term("Tiền mỗi ván, đã trừ may rủi của bài chia", "Money per game, less the luck of the deal"),
    "distance": Term("cách nhà đi đầu", "after the leader"),
    "any_distance": Term("mọi chỗ ngồi", "all distances"),
    "win": Term("về nhất %", "first %"),
    "declare": Term("báo", "declare"),
    "play_on": Term("đánh tiếp", "play on"),
    "price_even": Term("giá hòa", "break-even price"),
    "stands": Term("được báo %", "call stands %"),
    "success_even": Term("đáng báo từ %", "pays from %"),
    "success_share": Term("ăn Sâm %", "success %"),
    "plain_mean": Term("trung bình thường", "plain mean"),
    "variance_ratio": Term("bằng mấy lần số ván", "worth so many times the games"),
    # verdicts
    "verdict_declare": Term(
        "nên báo: được {declare} mỗi ván, đánh tiếp {play_on}, hơn {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "declare: {declare} a game against {play_on} by playing on, {gap} more (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_play_on": Term(
        "nên đánh tiếp: được {play_on} mỗi ván, báo {declare}, hơn {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "play on: {play_on} a game against {declare} by declaring, {gap} more (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_either": Term(
        "chưa phân biệt được sau {games} ván chia: báo {declare}, đánh tiếp {play_on} (khoảng 95 %: "
        "{ci_low} … {ci_high})",
        "too close to tell after {games} deals: {declare} by declaring, {play_on} by playing on (95 %: "
        "{ci_low} … {ci_high})",
    ),
    "verdict_break_even": Term(
        "hòa ở giá {even} mỗi người thua (đang là {pays})", "equal at a price of {even} per loser (it is {pays})"
    ),
    "verdict_any_price": Term(
        "giá nào cũng nên báo (đang là {pays})", "declaring pays at any price (it is {pays})"
    ),
    "verdict_call": Term(
        "nên báo Sâm: ăn {success} ({success_low} … {success_high}), được {call} mỗi ván, không báo {silent}, "
        "hơn {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "call: it succeeds in {success} ({success_low} … {success_high}) and brings {call} a game against {silent} "
        "without, {gap} more (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_no_call": Term(
        "không nên báo Sâm: ăn {success} ({success_low} … {success_high}), được {call} mỗi ván, không báo {silent}, "
        "kém {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "do not call: it succeeds in {success} ({success_low} … {success_high}) and brings {call} a game against "
        "{silent} without, {gap} less (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_call_either": Term(
        "chưa phân biệt được sau {games} ván chia: báo Sâm ăn {success} ({success_low} … {success_high}), được {call} "
        "mỗi ván, không báo {silent} (khoảng 95 %: {ci_low} … {ci_high})",
        "too close to tell after {games} deals: a call succeeds in {success} ({success_low} … {success_high}) and "
        "brings {call} a game, {silent} without (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_call_from": Term("đáng báo từ {even}", "it pays from {even} on"),
    # notes
    "note_value": Term(
        "{games} ván chia, bài các nhà khác rút từ những lá còn lại; mỗi ván chia được đánh một lần từ mỗi chỗ ngồi và "
        "mỗi cách đánh, nên so sánh trên cùng ván bài",
        "{games} deals, the other hands drawn from the remaining cards; each deal is played once from every distance "
        "and in every way, so comparisons are over the same deals",
    ),
    "note_drawn": Term(
        "{games} ván chia cho mỗi mẫu, rút đều trong các tay bài mà mẫu ấy là mạnh nhất; trọng số chính xác",
        "{games} deals of each pattern, drawn uniformly among hands of which it is the strongest; weights are exact",
    ),
    "note_rotated": Term(
        "mỗi ván chia được đánh với từng người ở từng ghế; hàng là của người bắt đầu ở ghế ấy",
        "every deal is played with each player in each seat; a row is that of the player who begins there",
    ),
    "note_few_matches": Term(
        "quá ít trận để trừ may rủi của bài chia: đây là trung bình thường",
        "too few matches to take the luck of the deal out: these are plain means",
    ),
    "note_precise": Term(
        "heo, át, đôi, sám, tứ quý, sảnh, đôi thông được chia: trung bình biết chính xác, nên trừ được phần may rủi ấy",
        "2s, aces, pairs, triples, quads, straights, pair runs dealt: their means are exact, so that luck is taken out",
    ),
}  # fmt: skip

_TERMS = {**PATTERNS, **GAME, **TITLES, **EVENTS, **OUTPUT, **FAIRNESS, **VALUES}


def term(key: str, lang: str | None = None) -> str:
    """Return a term.

    Parameters
    ----------
    key
        Its id.
    lang
        ``vi``, ``en``, or None for the language of the locale.

    Raises
    ------
    KeyError
        If the glossary has no such id.

    Examples
    --------
    >>> term("pair_run", "vi"), term("pair_run", "en")
    ('đôi thông', 'pair run')
    """
    return str(getattr(_TERMS[key], language(lang)))


def language(lang: str | None = None) -> Language:
    """Return the language to print in.

    Parameters
    ----------
    lang
        ``vi`` or ``en``; None asks the locale: English where it is of another language than Vietnamese. A locale that
        names no language (``C``) is answered in the language of the games.

    Raises
    ------
    UsageError
        If it is another language.

    Examples
    --------
    >>> language("vi")
    'vi'
    """
    if lang is None:
        # As POSIX has it: the first that is set and not empty decides. Elsewhere the system is asked.
        names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
        chosen = next(filter(None, names), None) or locale.getlocale()[0] or ""
        named = chosen.lower().partition(".")[0]
        return "vi" if named in {"", "c", "posix"} or named.startswith("vi") else "en"
    for known in LANGUAGES:
        if lang == known:
            return known
    raise UsageError(f"lang = {lang!r}: must be one of {', '.join(LANGUAGES)}")


def find(text: str) -> str:
    """Return the id of a pattern or of a word of the games.

    Parameters
    ----------
    text
        An id, or the Vietnamese (with or without marks) or English term, in any case.

    Raises
    ------
    UsageError
        If the glossary has no such term.

    Examples
    --------
    >>> find("đôi thông"), find("Tu quy 2"), find("four 2s"), find("sau_doi")
    ('pair_run', 'tu_quy_2', 'tu_quy_2', 'sau_doi')
    """
    forms = {_form(form): key for key, both in {**GAME, **PATTERNS}.items() for form in (key, *both)}
    wanted = _form(text)
    if wanted not in forms:
        raise UsageError(f"{text!r} is not in the glossary{suggestion(wanted, forms)}")
    return forms[wanted]


def _form(text: str) -> str:
    """Return what is compared: no marks, no case, one kind of gap."""
    return " ".join(strip_marks(unicodedata.normalize("NFC", text)).casefold().replace("_", " ").split())
