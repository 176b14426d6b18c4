"""The words of what hands and decisions are worth: a chapter of the glossary."""

from __future__ import annotations

from tlsim.terms.entry import Term

VALUES = {
    # headings
    "view_value": Term("Tay bài đáng giá bao nhiêu", "What the hand is worth"),
    "view_declare": Term("Báo tới trắng hay đánh tiếp", "Declare, or play on"),
    "view_sam": Term("Báo Sâm hay không", "Call Sâm or not"),
    "view_total": Term("Cả danh sách, mỗi 1000 tay bài được chia", "The whole list, per 1,000 hands dealt"),
    "view_precise": Term("Tiền mỗi ván, đã trừ may rủi của bài chia", "Money per game, less the luck of the deal"),
    "distance": Term("cách nhà đi đầu", "after the leader"),
    "any_distance": Term("mọi chỗ ngồi", "all distances"),
    "win": Term("về nhất", "first"),
    "declare": Term("báo", "declare"),
    "play_on": Term("đánh tiếp", "play on"),
    "price_even": Term("giá hòa", "break-even price"),
    "stands": Term("được báo", "call stands"),
    "success_even": Term("đáng báo từ", "pays from"),
    "success_share": Term("ăn Sâm", "success"),
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
        "nên báo Sâm: ăn {success} ({success_low} … {success_high}), được {call} ở ván báo được ({stands} số ván), "
        "không báo {silent}, hơn {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "call: it succeeds in {success} ({success_low} … {success_high}) and brings {call} where it stands "
        "({stands} of games) against {silent} without, {gap} more (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_no_call": Term(
        "không nên báo Sâm: ăn {success} ({success_low} … {success_high}), được {call} ở ván báo được "
        "({stands} số ván), không báo {silent}, kém {gap} (khoảng 95 %: {ci_low} … {ci_high})",
        "do not call: it succeeds in {success} ({success_low} … {success_high}) and brings {call} where it stands "
        "({stands} of games) against {silent} without, {gap} less (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_call_either": Term(
        "chưa phân biệt được sau {games} ván chia: báo Sâm ăn {success} ({success_low} … {success_high}), được {call} "
        "ở ván báo được ({stands} số ván), không báo {silent} (khoảng 95 %: {ci_low} … {ci_high})",
        "too close to tell after {games} deals: a call succeeds in {success} ({success_low} … {success_high}) and "
        "brings {call} where it stands ({stands} of games), {silent} without (95 %: {ci_low} … {ci_high})",
    ),
    "verdict_call_from": Term("đáng báo từ {even}", "it pays from {even} on"),
    # notes
    "note_value": Term(
        "{games} ván chia, bài các nhà khác rút từ những lá còn lại; mỗi ván chia được đánh một lần từ mỗi chỗ ngồi và "
        "mỗi cách đánh, nên so sánh trên cùng ván bài",
        "{games} deals, the other hands drawn from the remaining cards; each deal is played once from every distance "
        "and in every way, so comparisons are over the same deals",
    ),
    "note_declared": Term(
        "bảng đầu là khi báo tới trắng; đánh tiếp thì xem bảng báo hay đánh tiếp",
        "the first table is of declaring the hand; the next one says what playing on brings, where there is a choice",
    ),
    "note_one_kind": Term(
        "chỗ trống: mọi ván đều như nhau, nên chưa biết ván hiếm khác đi thì mất bao nhiêu; hãy chia nhiều ván hơn",
        "no interval: all games went alike, and what a rare other one costs is not known; play more of them",
    ),
    "note_no_exchange": Term(
        "ván này không có đổi bài: danh hiệu của các nhà không được cho biết",
        "these games have no exchange of cards: nobody's title is given",
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
