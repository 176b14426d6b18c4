"""The glossary: every term that tlsim prints, in Vietnamese and in English.

``PATTERNS`` are the ids of the presets' patterns, ``GAME`` the words of the games, ``OUTPUT`` headings, titles,
quantities and notes. Vietnamese is written with all marks, composed (NFC).
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
    # notes
    "partial": Term("chưa trọn: bị ngắt giữa chừng", "partial: the run was interrupted"),
    "stopped": Term("dừng vì", "stopped"),
    "stop_error": Term("đã đạt sai số yêu cầu", "the wanted error is reached"),
    "stop_time": Term("hết thời gian cho phép", "the time is over"),
    "stop_stored": Term("kho lưu đã có đủ", "the store had it all"),
    "stop_interrupt": Term("bị ngắt", "interrupted"),
    "stop_failure": Term("không chạy tiếp được", "it could not go on"),
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

_TERMS = {**PATTERNS, **GAME, **EVENTS, **OUTPUT}


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
