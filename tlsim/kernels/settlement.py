"""The end of a game: places, and all that is paid then, by how the game ended. All amounts in half units."""

from tlsim.bits import popcount
from tlsim.jit import offset, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import RUN_RANKS, describe, ranks_of, run_tops
from tlsim.kernels.leftover import counted_value, items_value
from tlsim.kernels.liable import careless_seat, last_play, liable_seat
from tlsim.kernels.money import pay

ADD = 2  # of game[COUNT_CARDS]


@scalar_step
def settle(game):
    """Write the places and pay all that is paid at the end, by how the game ended."""
    ending, since = game[r.ENDING], game[r.N_FLOWS]
    for at in range(game[r.FINISHED]):
        _place(game, game[r.FINISHERS + at])
    if ending == r.THREE_SPADES:
        for seat in range(game[r.PLAYERS]):
            if (game[r.ACTIVE] >> seat) & 1:
                pay(game, r.KET_3_BICH, seat, game[r.TRYING], game[r.KET_PAYS])
        _place(game, game[r.TRYING])
    elif ending == r.BLOCKED or ending == r.BEATEN_LAST:
        _place(game, game[r.BLOCKER])
    elif ending >= r.CALL_MADE:
        _settle_call(game, ending)
    elif ending == r.WHOLE_TABLE_CONG:
        _settle_whole_table(game)
        _double(game, game[r.FINISHERS], since)
        _pay_four_pairs(game)
    elif ending == r.DUT:
        _settle_dut(game)
        _double(game, game[r.FINISHERS], since)
    elif ending == r.NORMAL:
        _settle_normal(game, since)
    elif game[r.FINISHED]:
        _settle_cong(game)


@scalar_step
def _place(game, seat):
    game[r.PLACES + game[r.N_PLACES]] = seat
    game[r.N_PLACES] += 1


@scalar_step
def _settle_normal(game, since):
    """Settle a game that was played out; where it stops at the first player out there is no other place (A1, K12)."""
    if not game[r.FIRST_OUT]:
        _place_rest(game)
    elif game[r.FINISHED] == 0:
        _place_holders(game)
    first = game[r.PLACES]
    _settle_cong(game)
    _pay_by_place(game)
    _settle_hands(game)
    if game[r.FINISHED]:
        _double(game, first, since)
        liable = careless_seat(game, first, last_play(game, first)) if game[r.HAS_DEN_BAO] else -1
        if liable >= 0:
            _pay_for_others(game, liable, first, since)
    _pay_four_pairs(game)


@scalar_step
def _settle_call(game, ending):
    """Pay for a call of Sâm: everybody the caller, or he who beat him (K2, K3), or stuck everybody (M14)."""
    caller, blocker, fine = game[r.CALLER] - 1, game[r.BLOCKER], game[r.SAM_FAIL_PAYS]
    if ending != r.CALL_STUCK:
        _place(game, caller if ending == r.CALL_MADE else blocker)
    for seat in range(game[r.PLAYERS]):
        if seat == caller:
            continue
        if ending == r.CALL_MADE:
            pay(game, r.SAM, seat, caller, game[r.SAM_PAYS])
            if game[r.SAM_ITEMS]:
                pay(game, r.THOI, seat, caller, rotten(game, game[r.HANDS + seat]))
        elif ending == r.CALL_STUCK or game[r.SAM_TO_EACH]:
            pay(game, r.SAM_BLOCKED, caller, seat, fine)
        else:
            pay(game, r.SAM_BLOCKED, caller, blocker, fine)
    if ending == r.CALL_BLOCKED and game[r.SAM_BY_PLAYERS]:
        pay(game, r.SAM_BLOCKED, caller, blocker, fine)


@scalar_step
def _double(game, winner, since):
    """Let the winner be paid double since a payment, where he went out by a set that the rules name."""
    if game[r.DOUBLED_BY] == 0:
        return
    play = game[r.LOG + last_play(game, winner)]
    kind, length, _ = describe(game, play & ~(7 << r.SEAT_SHIFT | r.INTERRUPT))
    bomb = r.QUAD_BOMB if kind == r.QUAD else r.NO_BOMB
    if kind == r.PAIR_RUN and length <= 6:
        bomb = r.RUN_3 if length == 3 else length - 1
    if (game[r.DOUBLED_BY] >> bomb) & 1:
        for at in range(r.FLOWS + 4 * since, r.FLOWS + 4 * game[r.N_FLOWS], 4):
            if game[at + 2] == winner:
                game[r.NET + winner] += game[at + 3]
                game[r.NET + game[at + 1]] -= game[at + 3]
                game[at + 3] *= 2


@scalar_step
def _pay_for_others(game, liable, winner, since):
    """Let one seat pay what the others would have paid the winner since a payment; his own share stays (003#R50)."""
    game[r.EVENTS + r.EV_DEN_BAO] += 1
    for at in range(r.FLOWS + 4 * since, r.FLOWS + 4 * game[r.N_FLOWS], 4):
        reason, payer, amount = game[at], game[at + 1], game[at + 3]
        if payer != liable and game[at + 2] == winner and reason != r.DEN_CONG:
            game[r.NET + payer] += amount
            game[r.NET + liable] -= amount
            game[at], game[at + 1] = r.DEN_BAO, liable


@scalar_step
def _pay_by_place(game):
    """Pay by place, and add points by place to the money; a cóng seat has paid, and gets none (E8, M9)."""
    for at in range(r.TRANSFERS, r.TRANSFERS + 3 * game[r.N_TRANSFERS], 3):
        if max(game[at], game[at + 1]) >= game[r.N_PLACES]:
            continue
        payer, receiver = game[r.PLACES + game[at]], game[r.PLACES + game[at + 1]]
        if ((game[r.CONG_SEATS] >> payer) | (game[r.CONG_SEATS] >> receiver)) & 1 == 0:
            pay(game, r.PLACE, payer, receiver, game[at + 2])
    for at in range(game[r.N_PLACES]):
        seat = game[r.PLACES + at]
        if (game[r.CONG_SEATS] >> seat) & 1 == 0:
            game[r.NET + seat] += game[r.POINTS + at]
            game[r.POINTS_GIVEN] += game[r.POINTS + at]


@scalar_step
def _place_holders(game):
    for seat in range(game[r.PLAYERS]):
        if (game[r.ACTIVE] >> seat) & 1:
            _place(game, seat)


@scalar_step
def _place_rest(game):
    """Place behind the finishers who still holds cards, late ones, cóng seats in turn from the first (M5, M13, M24)."""
    _place_holders(game)
    first = game[r.PLACES]
    for at in range(game[r.LATE] - 1, -1, -1):
        _place(game, game[r.LATE_FINISHERS + at])
    for distance in range(1, game[r.PLAYERS]):
        seat = (first + distance) % game[r.PLAYERS]
        if (game[r.CONG_SEATS] >> seat) & 1:
            _place(game, seat)


@scalar_step
def _settle_cong(game):
    """Cóng seats pay the winner; where one of them could have played, he pays for all (G3-G6, M7)."""
    cong, winner = game[r.CONG_SEATS], game[r.FINISHERS]
    if cong == 0:
        return
    liable, for_others, others = -1, 0, (1 << game[r.PLAYERS]) - 1 & ~(1 << winner)
    if game[r.HAS_DEN] and cong == others and popcount(cong) >= game[r.DEN_MIN_OPPONENTS]:
        liable = liable_seat(game, winner)
    game[r.LIABLE] = liable + 1
    for seat in range(game[r.PLAYERS]):
        if (cong >> seat) & 1:
            hand, cards = game[r.HANDS + seat], 0
            items = game[r.CONG_ITEMS] * rotten(game, hand) if game[r.CONG_ITEMS] else 0
            if game[r.CONG_TIMES]:
                cards, items = _counted(game, hand)
                items += hand & 1 and game[r.BA_BICH]
                cards, items = game[r.CONG_TIMES] * cards, game[r.CONG_TIMES] * items
            if liable >= 0 and seat != liable:
                for_others += game[r.CONG_FINE] + cards + items
            else:
                pay(game, r.CONG, seat, winner, game[r.CONG_FINE])
                pay(game, r.CARDS, seat, winner, cards)
                pay(game, r.THOI, seat, winner, items)
    if liable >= 0:
        pay(game, r.DEN_CONG, liable, winner, for_others)


@scalar_step
def _settle_whole_table(game):
    """One cóng seat is as good as the whole table: the fine of every loser, split among the cóng seats (G7, M10)."""
    players, cong, winner = game[r.PLAYERS], game[r.CONG_SEATS], game[r.FINISHERS]
    count = popcount(cong)
    if game[r.ACTIVE] & (game[r.ACTIVE] - 1) == 0:
        _place_rest(game)
    for receiver in range(players):
        if (cong >> receiver) & 1:
            continue
        fines = 1 if game[r.TO_EACH] else 0
        if receiver == winner:
            fines = count if game[r.TO_EACH] else players - 1
        part, odd = game[r.CONG_FINE] * fines // count, game[r.CONG_FINE] * fines % count
        for distance in range(1, players):
            seat = (winner + distance) % players
            if (cong >> seat) & 1:
                pay(game, r.CONG, seat, receiver, part + (odd > 0))
                odd -= 1
    if game[r.CONG_ITEMS]:
        for seat in range(players):
            if (cong >> seat) & 1:
                pay(game, r.THOI, seat, winner, game[r.CONG_ITEMS] * rotten(game, game[r.HANDS + seat]))


@scalar_step
def _settle_dut(game):
    """Settle that going out with 3♠ as first or second makes all that are left last (J4, M11)."""
    players, first, count = game[r.PLAYERS], game[r.FINISHERS], game[r.FINISHED]
    last = game[r.FINISHERS + count - 1]
    holders = popcount(game[r.ACTIVE])
    if holders <= 1:
        _place_rest(game)
    _settle_cong(game)
    for distance in range(1, players):
        seat = (last + distance) % players
        if (game[r.ACTIVE] >> seat) & 1:
            holders -= 1
            if count == 1:
                pay(game, r.PLACE, seat, first, game[r.DUT_FIRST])
            else:
                to_first = game[r.DUT_BOTH_TO_FIRST] or (holders == 0 and game[r.CONG_SEATS] == 0)
                pay(game, r.PLACE, seat, first if to_first else last, game[r.DUT_SECOND])


@scalar_step
def _settle_hands(game):
    """Let losers pay for what they hold: for every card, or the last place or all for what rots (H2-H6, J5, M7)."""
    all_pay = game[r.FIRST_OUT] or game[r.COUNT_CARDS]
    if not (game[r.HAS_THOI] or game[r.COUNT_CARDS]) or (not all_pay and (game[r.CONG_SEATS] or game[r.LATE])):
        return
    receiver = game[r.PLACES] if all_pay or game[r.THOI_TO_FIRST] else game[r.PLACES + game[r.N_PLACES] - 2]
    for seat in range(game[r.PLAYERS]):
        if (game[r.ACTIVE] >> seat) & 1 and seat != receiver:
            hand = game[r.HANDS + seat]
            cards, items = _counted(game, hand) if game[r.COUNT_CARDS] else (0, rotten(game, hand))
            pay(game, r.CARDS, seat, receiver, cards)
            pay(game, r.THOI, seat, receiver, items)
            if game[r.HAS_THOI] and hand & 1 and game[r.BA_BICH]:
                pay(game, r.THUI_3_BICH, seat, receiver, game[r.BA_BICH])
                game[r.EVENTS + r.EV_THOI + 7] += 1


@scalar_step
def _counted(game, hand):
    """Return what the cards of a hand cost, junk and then twos and bombs (H4-H6)."""
    junk, items, price = popcount(hand), 0, game[r.JUNK_PRICE]
    if not game[r.HAS_THOI]:
        return junk * price, 0
    if game[r.COUNT_CARDS] == ADD:
        return junk * price, rotten(game, hand)
    items, kinds, junk = counted_value(offset(game, r.ITEMS), hand, price, offset(game, r.SCRATCH))
    if hand & 1 and game[r.BA_BICH]:  # 3♠ has a price of its own, where it is in no bomb
        rest, others, fewer = counted_value(offset(game, r.ITEMS), hand & ~1, price, offset(game, r.SCRATCH))
        if rest + (fewer + 1) * price >= items + junk * price:
            items, kinds, junk = rest, others, fewer
    _count_items(game, hand, kinds)
    return junk * price, items


@scalar_step
def rotten(game, hand):
    """Return the value of the twos and bombs that rot in a hand, and count them."""
    value, kinds = items_value(offset(game, r.ITEMS), hand, offset(game, r.SCRATCH))
    _count_items(game, hand, kinds)
    return value


@scalar_step
def _count_items(game, hand, kinds):
    """Count the twos of a hand, and its bombs; kinds : numbers of bombs, six bits each."""
    for suit in range(4):
        game[r.EVENTS + r.EV_THOI + suit] += (hand >> (48 + suit)) & 1
    for kind in range(3 if kinds else 0):
        game[r.EVENTS + r.EV_THOI + 4 + kind] += (kinds >> (6 * kind)) & 63


@scalar_step
def _pay_four_pairs(game):
    """Every other seat pays who still holds four pairs in a row (J6)."""
    if game[r.FOUR_PAIRS_BONUS] == 0 or game[r.RUN_MIN] == 0 or game[r.RUN_MIN] > 4:
        return
    for holder in range(game[r.PLAYERS]):
        if run_tops(ranks_of(game[r.HANDS + holder], 2) & RUN_RANKS, 4):
            for payer in range(game[r.PLAYERS]):
                pay(game, r.FOUR_PAIRS, payer, holder, game[r.FOUR_PAIRS_BONUS])
