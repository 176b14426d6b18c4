"""The words of ``tlsim fair``: a chapter of the glossary."""

from __future__ import annotations

from tlsim.terms.entry import Term

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
    "heo_per_1000": Term("đếm heo tốn thêm", "added by đếm heo"),
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
    "rake": Term("tiền phế", "rake"),
    "tolerance": Term("lệch cho phép (lần)", "tolerance (times)"),
    "cap": Term("giá cao nhất", "cap"),
    "units": Term("bước giá", "units"),
    "before_after": Term("lúc", "when"),
    "before": Term("trước", "before"),
    "after": Term("sau", "after"),
    "cost_change": Term("chi phí thay đổi", "change of cost"),
    "method_reordered": Term("xếp lại theo độ hiếm", "reordered by rarity"),
    "method_proportional": Term("giá tỉ lệ với độ hiếm", "proportional to rarity"),
    "method_logarithmic": Term("giá theo log độ hiếm", "by the log of rarity"),
    # whole games
    "view_items": Term(
        "Heo và hàng, mỗi tay bài (mô phỏng; xác suất có: chính xác)",
        "2s and bombs, per hand (simulated; how often dealt: exact)",
    ),
    "view_ket_3_bich": Term("Kết 3 bích: khi nào đáng thử (mô phỏng)", "Going out with 3♠: when it pays (simulated)"),
    "view_risks": Term(
        "Heo, hàng, 3♠, cóng: tốn và lãi mỗi 1000 tay bài (mô phỏng; xác suất có: chính xác)",
        "2s, bombs, 3♠, shut out: cost and gain per 1000 hands (simulated; how often dealt: exact)",
    ),
    "view_covariances": Term("Hiệp phương sai tiền theo lý do", "Covariances of money by reason"),
    "view_leading": Term(
        "Đi đầu đáng bao nhiêu: cùng bài, mỗi nhà đi đầu một lần",
        "What leading is worth: the same deals, led once from every seat",
    ),
    "view_direction": Term(
        "Ngồi cạnh người hơn tay: đi một chiều và đổi chiều mỗi ván",
        "Seats around a better player: one direction, and a new one each game",
    ),
    "view_skill": Term("Hơn tay và may rủi", "Skill and luck"),
    "view_game_rake": Term("Tiền phế của cả ván", "Rake on whole games"),
    "view_game_verdicts": Term("Kết luận về cả ván", "Verdicts on whole games"),
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
    "share_of_money": Term("phần của tổng tiền", "share of all money"),
    "at": Term("số", "number"),
    "which": Term("loại ván", "games of"),
    "all": Term("mọi ván", "all games"),
    "seat": Term("nhà", "seat"),
    "interval_together": Term("khoảng 95 % chung", "joint 95 % interval"),
    "note_games": Term(
        "Mô phỏng {games} ván, cách đánh {policies}", "{games} simulated games, policies {policies}"
    ),
    "note_ket": Term(
        "Kết 3 bích: ai cũng giữ 3♠ đến cuối. Có lợi từ: lỗ / (lãi + lỗ)",
        "Going out with 3♠: everyone keeps it for the end. Pays from: loss / (gain + loss)",
    ),
    # what things cost and bring
    "thing": Term("món", "thing"),
    "lost": Term("bị thối", "left over"),
    "chopped": Term("bị chặt, bị chặn", "chopped, blocked"),
    "used": Term("chặt được, làm được", "chops, makes it"),
    "left_cost": Term("tốn vì thối", "cost of leftovers"),
    "chopped_cost": Term("tốn vì bị chặt", "cost of being chopped"),
    "net_of_all": Term("người có: lãi trừ lỗ", "holder, all in all"),
    "opponent": Term("mỗi nhà kia", "each of the others"),
    "net_if_held": Term("người có, mỗi lần có", "holder, each time dealt"),
    "net_if_tried": Term("người thử, mỗi lần thử", "who tries, each try"),
    "points": Term("điểm theo thứ tự", "points by place"),
    # reasons
    "spread_alone": Term("độ dao động: riêng nó", "of the spread: alone"),
    "spread_together": Term("cùng lý do khác", "with other reasons"),
    "spread_share": Term("phần của độ dao động", "share of the spread"),
    "other": Term("và", "and"),
    "covariance": Term("hiệp phương sai", "covariance"),
    "correlation": Term("tương quan", "correlation"),
    # seats
    "after_leader": Term("cách nhà đi đầu", "after the leader"),
    "after_better": Term("cách người hơn tay", "after the better player"),
    "neighbours": Term("nhà sau trừ nhà trước", "after less before him"),
    "ahead": Term("hơn trung bình các nhà kia", "ahead of the mean of the others"),
    "straight_way": Term("đi một chiều", "one direction"),
    "alternating": Term("đổi chiều mỗi ván", "new direction each game"),
    # skill
    "skill": Term("hơn tay, các nhà kia", "better player, others"),
    "others": Term("các nhà kia", "the others"),
    "games_to_lead_zero": Term("số ván để 95 % trên 0", "games to be above 0 with 95 %"),
    "games_to_lead_all": Term("số ván để 95 % hơn mọi nhà", "games to be above all others with 95 %"),
    "mean_after_rake": Term("trung bình sau tiền phế", "mean after the rake"),
    # rake
    "ahead_per_game": Term("lần thắng mỗi ván", "wins per game"),
    "net_per_1000": Term("mỗi nhà còn, mỗi 1000 ván", "each player after it, per 1000 games"),
    "house_per_1000_games": Term("nhà cái, mỗi 1000 ván", "house, per 1000 games"),
    "whole_table": Term("cả bàn", "whole table"),
    # verdicts on whole games
    "verdict_leads": Term(
        "đi đầu đáng {value} ± {error} mỗi ván so với các nhà kia, cùng bài (ngưỡng: {limit}, nửa độ lệch một nhà)",
        "leading is worth {value} ± {error} a game over the others, on the same deals (threshold: {limit}, half the "
        "spread of a seat)",
    ),
    "verdict_neighbours_straight": Term(
        "luật đi một chiều: ngồi ngay sau người hơn tay được {value} ± {error} mỗi ván so với ngồi ngay trước; đổi "
        "chiều mỗi ván thì {other} (ngưỡng: {limit}, 1/10 độ lệch của một nhà)",
        "in one direction, the seat after a better player is worth {value} ± {error} a game against the one before; "
        "with a new direction each game {other} (threshold: {limit}, a tenth of the spread of a seat)",
    ),
    "verdict_neighbours_alternating": Term(
        "luật đổi chiều mỗi ván: ngồi ngay sau người hơn tay được {value} ± {error} mỗi ván so với ngồi ngay trước; đi "
        "một chiều thì {other} (ngưỡng: {limit}, 1/10 độ lệch của một nhà)",
        "with a new direction each game, the seat after a better player is worth {value} ± {error} a game against the "
        "one before; in one direction {other} (threshold: {limit}, a tenth of the spread of a seat)",
    ),
    "verdict_skill": Term(
        "{policy} giữa các {others} được {value} ± {error} mỗi ván; {zero} ván thì 95 % trên 0, {all} ván thì 95 % hơn "
        "mọi nhà (ngưỡng: {limit} ván)",
        "{policy} among {others} wins {value} ± {error} a game; above 0 with 95 % after {zero} games, above all others "
        "after {all} (threshold: {limit} games)",
    ),
    "verdict_no_skill": Term(
        "{policy} giữa các {others} được {value} ± {error} mỗi ván: không bao giờ chắc hơn mọi nhà (ngưỡng: trên 0)",
        "{policy} among {others} wins {value} ± {error} a game: never surely above the others (threshold: over 0)",
    ),
    "verdict_spread": Term(
        "ngoài tiền chính, {reason} làm dao động nhất: {value} ± {error} của độ dao động, {money} của tiền (ngưỡng: "
        "{limit})",
        "beside what the game is about, the largest swings come from: {reason}, {value} ± {error} of the spread, "
        "{money} of the money (threshold: {limit})",
    ),
    "verdict_bomb": Term(
        "có {thing} mà tính ra lỗ: {value} ± {error} mỗi lần có (ngưỡng: 0)",
        "to be dealt {thing} costs on the whole: {value} ± {error} each time (threshold: 0)",
    ),
    "verdict_bombs": Term(
        "hàng nào cũng không lỗ; kém nhất là {thing}: {value} ± {error} mỗi lần có (ngưỡng: 0)",
        "no bomb costs who holds it; the least it brings is {value} ± {error} each time: {thing} (threshold: 0)",
    ),
    "verdict_3_bich": Term(
        "giữ 3♠ để kết: {tried} lần thử được {value} ({low} … {high}); phải trên {limit} mới có lợi",
        "keeping 3♠ for the end: of {tried} tries {value} succeed ({low} … {high}); it pays over {limit} (threshold)",
    ),
    "verdict_rake": Term(
        "phế {rake} thì {policy} giữa các {others} còn {value} ± {error} mỗi ván, trước phế {mean} (ngưỡng: 0)",
        "a rake of {rake} leaves {policy} among {others} {value} ± {error} a game, {mean} before it (threshold: 0)",
    ),
    "note_no_stakes": Term(
        "luật này không ăn tiền: chỉ có điểm theo thứ tự và chức (tlsim simulate), không có giá nào để xét công bằng; "
        "còn hỏi được chỗ ngồi, đi đầu, hơn tay",
        "these rules are not for money: there are points by place and titles (tlsim simulate), and no stakes to be "
        "fair; what applies: seats, leading, skill",
    ),
    "note_points_rake": Term("điểm không phải tiền: không có phế của cả ván",
                             "points are no money: no rake on whole games"),
    "note_sample": Term(
        "Từ {games} ván đầu trong số đó, xem từng ván: {what}",
        "From the first {games} of them, looked at one by one: {what}",
    ),
    "sampled_risks": Term("tốn và lãi của từng món", "what things cost and bring"),
    "sampled_reasons": Term("độ dao động theo lý do", "the spread by reason"),
    "sampled_game_rake": Term("phế của cả ván", "the rake on games"),
    "note_skill": Term(
        "Hơn tay: {one} giữa các {others}, mỗi nhà một lần, cùng bài; số ván theo phân phối chuẩn, mỗi trận bốc chỗ",
        "Skill: {one} among {others}, once in every seat over the same deals; numbers of games by the normal "
        "distribution, seats drawn anew for each match",
    ),
    # where nothing is for money
    "view_seats_points": Term("Từng nhà: điểm mỗi ván", "By seat: points per game"),
    "view_reasons_points": Term("Điểm theo lý do", "Points by reason"),
    "view_covariances_points": Term("Hiệp phương sai điểm theo lý do", "Covariances of points by reason"),
    "money_per_game_points": Term("điểm mỗi ván", "points per game"),
    "share_of_money_points": Term("phần của tổng điểm", "share of all points"),
    "misplaced_points": Term("điểm đặt sai chỗ", "misplaced points"),
    "skill_mean": Term("trung bình", "mean"),
    "skill_mean_points": Term("hơn trung bình cả bàn", "above the table's mean"),
    "games_to_lead_zero_points": Term(
        "số ván để 95 % hơn trung bình cả bàn", "games to be above the table's mean with 95 %"
    ),
    "verdict_skill_points": Term(
        "{policy} giữa các {others} được {value} ± {error} điểm mỗi ván so với trung bình cả bàn; {zero} ván thì 95 % "
        "hơn trung bình, {all} ván thì 95 % hơn mọi nhà (ngưỡng: {limit} ván)",
        "{policy} among {others} is {value} ± {error} points a game from the table's mean; above it with 95 % after "
        "{zero} games, above all others after {all} (threshold: {limit} games)",
    ),
    "verdict_no_skill_points": Term(
        "{policy} giữa các {others} được {value} ± {error} điểm mỗi ván so với trung bình cả bàn: không bao giờ chắc "
        "hơn mọi nhà (ngưỡng: trên 0)",
        "{policy} among {others} is {value} ± {error} points a game from the table's mean: never surely above the "
        "others (threshold: over 0)",
    ),
    # the pictures
    "receives": Term("người nhận", "who receives"),
    "pays_out": Term("người trả", "who pays"),
    "mean_so_far": Term("trung bình đến lúc ấy", "mean so far"),
    "seats_at_table": Term("nhà", "seats"),
    "picture_reasons": Term("Tiền theo lý do", "Money by reason"),
    "picture_reasons_points": Term("Điểm theo lý do", "Points by reason"),
    "picture_flows": Term("Ai trả ai bao nhiêu", "Who pays whom"),
    "picture_seats": Term("Từng nhà được bao nhiêu", "What each seat wins"),
    "picture_leading": Term("Đi đầu đáng bao nhiêu", "What leading is worth"),
    "picture_convergence": Term(
        "{one} giữa các {others}: ước lượng dần ổn định", "{one} among {others}: how the estimate settles"
    ),
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
    "verdict_order_1": Term(
        "1 trên {all} cặp đứng sai thứ tự: {pattern} {how} {rarer} mà hay ra gấp {factor} lần (ngưỡng: không cặp nào)",
        "1 of {all} pairs stands in the wrong order: {pattern} {how} {rarer}, and comes up {factor} times as often "
        "(threshold: no pair)",
    ),
    "verdict_order_1_of_1": Term(
        "cặp duy nhất đứng sai thứ tự: {pattern} {how} {rarer} mà hay ra gấp {factor} lần (ngưỡng: không cặp nào)",
        "the only pair stands in the wrong order: {pattern} {how} {rarer}, and comes up {factor} times as often "
        "(threshold: no pair)",
    ),
    "how_strength": Term("mạnh hơn", "outranks"),
    "how_price": Term("đắt hơn", "costs more than"),
    "how_both": Term("mạnh hơn và đắt hơn", "outranks and costs more than"),
    "verdict_in_order": Term(
        "thứ tự đúng độ hiếm: không cặp nào trong {all} cặp đứng sai",
        "the order follows rarity: none of {all} pairs stands wrong",
    ),
    "verdict_in_order_1": Term(
        "thứ tự đúng độ hiếm: cặp duy nhất đứng đúng", "the order follows rarity: the only pair stands right"
    ),
    "verdict_no_pair": Term(
        "không có cặp nào để xét thứ tự", "there is no pair whose order could be wrong"
    ),
    "verdict_unjudged": Term(
        "chỉ xét thứ tự, không xét giá (ngưỡng: ∞)", "only the order is judged, not the prices (threshold: ∞)"
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
        "{pattern} không bao giờ thắng: luôn có nhà khác được tính trước",
        "{pattern} never wins: another seat always comes before it",
    ),
    "verdict_never_held": Term(
        "{pattern} không bao giờ thắng: không tay bài nào có; không xét giá và thứ tự của nó",
        "{pattern} never wins: no hand holds it; its price and place are not judged",
    ),
    "verdict_never_covered": Term(
        "{pattern} không bao giờ thắng: ai có nó cũng có mẫu mạnh hơn che mất; không xét giá và thứ tự của nó",
        "{pattern} never wins: who holds it always holds a stronger pattern, which covers it; its price and place are "
        "not judged",
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
        "Tốn: một nhà trả trung bình mỗi 1000 ván, giá × p × (số nhà − 1) / số nhà{but}. "
        "Tiền đặt sai chỗ: phần tiền phải chuyển sang mẫu khác thì mới công bằng",
        "Cost: what one player pays per 1000 deals on average, price × p × (seats − 1) / seats{but}. "
        "Misplaced money: the share that would have to be paid for other patterns to be fair",
    ),
    "but_heo": Term(", không kể đếm heo", ", without đếm heo"),
    "note_heo": Term(
        "đếm heo: chỉ tính được bằng {deals} ván chia thử; sai số là một độ lệch chuẩn",
        "đếm heo: known by dealing only, {deals} deals; the error is one standard error",
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
    "note_rounded_same": Term(
        "tính theo cách này rồi làm tròn thì giá vẫn như cũ: không có gì thay đổi",
        "by this method, and rounded, prices are what they were: nothing changes",
    ),
    "note_no_better": Term(
        "mỗi thứ tự lại làm một thứ tự khác công bằng hơn, và không bảng nào như vậy công bằng hơn bảng đang có: giữ "
        "nguyên, không ghi gì",
        "each order makes another one fairer, in a circle, and no table of this kind is fairer than the one in force: "
        "it stays, and nothing is written",
    ),
    "note_unchanged": Term("giá đã đúng như vậy: không có gì thay đổi", "prices are so already: nothing changes"),
    "note_circle": Term(
        "mỗi thứ tự lại làm một thứ tự khác công bằng hơn; đã lấy thứ tự công bằng nhất trong vòng",
        "each order makes another one fairer, in a circle; the fairest of them was taken",
    ),
    "note_written": Term("đã ghi {file}", "wrote {file}"),
}  # fmt: skip
