"""The end of a game: places, and all that is paid then, by how the game ended. All amounts in half units."""

from __future__ import annotations

from tlsim.bits import highest, popcount
from tlsim.jit import scalar_step
from tlsim.kernels.combos import RUN_RANKS, describe, ranks_of, run_tops, target_of
from tlsim.kernels.leftover import counted_value, items_value
from tlsim.kernels.money import pay
from tlsim.kernels.moves import is_legal, lowest_chop, lowest_follow_same
from tlsim.kernels.row import (
    ACTIVE,
    ALL_CARDS,
    BA_BICH,
    BEATEN_LAST,
    BLOCKED,
    BLOCKER,
    CALL_BLOCKED,
    CALL_MADE,
    CALL_STUCK,
    CALLER,
    CARDS,
    CARDS_ON,
    CHOP,
    CONG,
    CONG_FINE,
    CONG_ITEMS,
    CONG_SEATS,
    COUNT_CARDS,
    DEALT,
    DEN_BAO,
    DEN_BAO_EFFECT,
    DEN_BAO_MIN_ACTIVE,
    DEN_CONG,
    DEN_MIN_OPPONENTS,
    DUT,
    DUT_BOTH_TO_FIRST,
    DUT_FIRST,
    DUT_SECOND,
    ENDING,
    EV_DEN_BAO,
    EV_THOI,
    EVENTS,
    FINISHED,
    FINISHERS,
    FIRST_OUT,
    FLOWS,
    FOLLOW,
    FOUR_PAIRS_BONUS,
    HANDS,
    HAS_DEN,
    HAS_DEN_BAO,
    HAS_PLACES,
    HAS_POINTS,
    HAS_THOI,
    INTERRUPT,
    IS_STUCK,
    ITEMS,
    JUNK_PRICE,
    KET_3_BICH,
    KET_PAYS,
    KIND,
    LATE,
    LATE_FINISHERS,
    LENGTH,
    LIABLE,
    LOG,
    N_FLOWS,
    N_PLACES,
    N_TRANSFERS,
    NET,
    NORMAL,
    OWNER,
    PLACE,
    PLACES,
    PLAY_FIRST,
    PLAYERS,
    PLAYS,
    POINTS,
    POINTS_GIVEN,
    RUN_MIN,
    SAM,
    SAM_BLOCKED,
    SAM_BY_PLAYERS,
    SAM_FAIL_PAYS,
    SAM_ITEMS,
    SAM_PAYS,
    SAM_TO_EACH,
    SCRATCH,
    SEAT_SHIFT,
    SINGLE,
    SOLE_HOLDER,
    TARGET,
    THOI,
    THOI_TO_FIRST,
    THREE_SPADES,
    THUI_3_BICH,
    TO_EACH,
    TOP,
    TRANSFERS,
    TRYING,
    WHOLE_TABLE_CONG,
)  # fmt: skip

ADD = 2  # of game[COUNT_CARDS]


@scalar_step
def settle(game):
    """Write the places and pay all that is paid at the end, by how the game ended."""
    ending = game[ENDING]
    if ending == THREE_SPADES:
        for seat in range(game[PLAYERS]):
            if (game[ACTIVE] >> seat) & 1:
                pay(game, KET_3_BICH, seat, game[TRYING], game[KET_PAYS])
        _place(game, game[TRYING])
    elif ending == BLOCKED or ending == BEATEN_LAST:
        _place(game, game[BLOCKER])
    elif ending >= CALL_MADE:
        _settle_call(game, ending)
    elif ending == WHOLE_TABLE_CONG:
        _settle_whole_table(game)
        _pay_four_pairs(game)
    elif ending == DUT:
        _settle_dut(game)
    elif ending == NORMAL:
        _settle_normal(game)
    else:
        _place_finishers(game)
        if game[FINISHED]:
            _settle_cong(game)


@scalar_step
def _place(game, seat):
    game[PLACES + game[N_PLACES]] = seat
    game[N_PLACES] += 1


@scalar_step
def _settle_normal(game):
    _all_places(game)
    first_payment = game[N_FLOWS]
    first = game[PLACES]
    _settle_cong(game)
    if game[HAS_PLACES]:
        _pay_by_place(game)
    if game[HAS_POINTS]:
        _give_points(game)
    if game[COUNT_CARDS]:
        for seat in range(game[PLAYERS]):
            if (game[ACTIVE] >> seat) & 1 and seat != first:
                _count_cards(game, game[HANDS + seat], seat, first)
    elif game[HAS_THOI]:
        _settle_thoi(game)
    if game[HAS_DEN_BAO] and game[FINISHED]:
        liable = careless_seat(game)
        if liable >= 0:
            _pay_for_others(game, liable, first_payment)
    _pay_four_pairs(game)


@scalar_step
def _settle_call(game, ending):
    """Pay for a call of Sâm: everybody the caller, or he who beat him (K2, K3), or stuck everybody (M14)."""
    caller, blocker, fine = game[CALLER] - 1, game[BLOCKER], game[SAM_FAIL_PAYS]
    if ending != CALL_STUCK:
        _place(game, caller if ending == CALL_MADE else blocker)
    for seat in range(game[PLAYERS]):
        if seat == caller:
            continue
        if ending == CALL_MADE:
            pay(game, SAM, seat, caller, game[SAM_PAYS])
            if game[SAM_ITEMS]:
                pay(game, THOI, seat, caller, rotten(game, game[HANDS + seat]))
        elif ending == CALL_STUCK or game[SAM_TO_EACH]:
            pay(game, SAM_BLOCKED, caller, seat, fine)
        else:
            pay(game, SAM_BLOCKED, caller, blocker, fine)
    if ending == CALL_BLOCKED and game[SAM_BY_PLAYERS]:
        pay(game, SAM_BLOCKED, caller, blocker, fine)


@scalar_step
def careless_seat(game):
    """Return who must đền báo: the seat before the winner, if it let his last card through; -1 where nobody must.

    It must have been asked last when the winner held one card, and then have laid a single card that was not its
    highest, or passed on a single card that it could have beaten (K9, M15).
    """
    winner, players, at = game[FINISHERS], game[PLAYERS], game[PLAYS] - 1
    seat, last = (winner + players - 1) % players, game[LOG + at] & ALL_CARDS
    if popcount(last) != 1 or popcount(game[ACTIVE] | game[CONG_SEATS]) + 1 < game[DEN_BAO_MIN_ACTIVE]:
        return -1
    while (game[LOG + at] >> SEAT_SHIFT) & 7 != seat or game[LOG + at] & IS_STUCK:  # to be stuck is no decision
        at -= 1
        if at < 0:
            return -1
        if (game[LOG + at] >> SEAT_SHIFT) & 7 == winner and game[LOG + at] & ALL_CARDS:
            return -1  # the winner held more cards then
    entry = game[LOG + at]
    cards = entry & ALL_CARDS
    hand = game[HANDS + seat] | cards
    if popcount(cards) > 1 or (cards and highest(cards) >> 2 == highest(hand) >> 2):
        return -1
    if cards == 0 and not _could_beat(game, seat, hand, at):
        return -1
    if game[DEN_BAO_EFFECT] and highest(last) >> 2 > highest(hand) >> 2:
        return -1
    return seat


@scalar_step
def _could_beat(game, seat, hand, at):
    """Whether a seat that passed at an entry of the log could have beaten a single card."""
    while game[LOG + at] & ALL_CARDS == 0:
        at -= 1
    play = game[LOG + at] & ~(7 << SEAT_SHIFT | INTERRUPT)
    put_on_table(game, (game[LOG + at] >> SEAT_SHIFT) & 7, play)
    return game[KIND] == SINGLE and _beats_table(game, seat, hand)


@scalar_step
def _beats_table(game, seat, hand):
    """Whether a hand holds something that beats the set on the table, in turn."""
    play = lowest_follow_same(game, hand)
    return (play and is_legal(game, hand, seat, FOLLOW, play)) or lowest_chop(game, hand, seat, FOLLOW)


@scalar_step
def _pay_for_others(game, liable, first):
    """Let one seat pay what the other losers would have paid since a payment; his own share stays (003#R50)."""
    game[EVENTS + EV_DEN_BAO] += 1
    for at in range(FLOWS + 4 * first, FLOWS + 4 * game[N_FLOWS], 4):
        reason, payer, amount = game[at], game[at + 1], game[at + 3]
        if payer != liable and (reason == CARDS or reason == THOI or reason == CONG or reason == THUI_3_BICH):
            game[NET + payer] += amount
            game[NET + liable] -= amount
            game[at], game[at + 1] = DEN_BAO, liable


@scalar_step
def _pay_by_place(game):
    """Pay by place; a cóng seat has paid (E8)."""
    for at in range(TRANSFERS, TRANSFERS + 3 * game[N_TRANSFERS], 3):
        if max(game[at], game[at + 1]) >= game[N_PLACES]:
            continue
        payer, receiver = game[PLACES + game[at]], game[PLACES + game[at + 1]]
        if ((game[CONG_SEATS] >> payer) | (game[CONG_SEATS] >> receiver)) & 1 == 0:
            pay(game, PLACE, payer, receiver, game[at + 2])


@scalar_step
def _give_points(game):
    """Add points by place to the money; a cóng seat gets none (E8, M9)."""
    for at in range(game[N_PLACES]):
        seat = game[PLACES + at]
        if (game[CONG_SEATS] >> seat) & 1 == 0:
            game[NET + seat] += game[POINTS + at]
            game[POINTS_GIVEN] += game[POINTS + at]


@scalar_step
def _all_places(game):
    """Place finishers in order, who still holds cards, cóng seats in turn from the winner, late ones (M5, M13).

    A game that stops at the first player out has a first place and no other (A1, K12).
    """
    _place_finishers(game)
    if not game[FIRST_OUT]:
        _place_rest(game)
    elif game[FINISHED] == 0:
        _place_holders(game)


@scalar_step
def _place_finishers(game):
    for at in range(game[FINISHED]):
        _place(game, game[FINISHERS + at])


@scalar_step
def _place_holders(game):
    for seat in range(game[PLAYERS]):
        if (game[ACTIVE] >> seat) & 1:
            _place(game, seat)


@scalar_step
def _place_rest(game):
    """Place behind the finishers who still holds cards, then cóng seats in turn from the first, then late ones."""
    _place_holders(game)
    first = game[PLACES]
    for distance in range(1, game[PLAYERS]):
        seat = (first + distance) % game[PLAYERS]
        if (game[CONG_SEATS] >> seat) & 1:
            _place(game, seat)
    for at in range(game[LATE] - 1, -1, -1):
        _place(game, game[LATE_FINISHERS + at])


@scalar_step
def _settle_cong(game):
    """Cóng seats pay the winner; where one of them could have played, he pays for all (G3-G6, M7)."""
    cong, winner = game[CONG_SEATS], game[FINISHERS]
    if cong == 0:
        return False
    liable = -1
    everybody = (1 << game[PLAYERS]) - 1 & ~(1 << winner)
    if game[HAS_DEN] and cong == everybody and popcount(cong) >= game[DEN_MIN_OPPONENTS]:
        liable = liable_seat(game, winner)
    game[LIABLE] = liable + 1
    for_others = 0
    for seat in range(game[PLAYERS]):
        if (cong >> seat) & 1:
            items = rotten(game, game[HANDS + seat]) if game[CONG_ITEMS] else 0
            if liable >= 0 and seat != liable:
                for_others += game[CONG_FINE] + items
            else:
                pay(game, CONG, seat, winner, game[CONG_FINE])
                pay(game, THOI, seat, winner, items)
    if liable >= 0:
        pay(game, DEN_CONG, liable, winner, for_others)
    return True


@scalar_step
def liable_seat(game, winner):
    """Return who must đền: he could have beaten a play of the winner but the last; -1 where nobody must (G4, M8).

    Nobody but the winner has played, so every entry with cards is a lead of his, and every other hand is as dealt.
    """
    players, last, able_ever = game[PLAYERS], 0, 0
    for at in range(game[PLAYS]):
        if game[LOG + at] & ALL_CARDS:
            last = at
    for at in range(last):
        play = game[LOG + at] & ~(7 << SEAT_SHIFT)
        if play & ALL_CARDS == 0:
            continue
        able, first = _able(game, play, winner)
        if game[SOLE_HOLDER] and able & (able - 1):
            continue
        if able and game[PLAY_FIRST]:
            return first
        able_ever |= able
    for distance in range(1, players):
        seat = (winner + distance) % players
        if (able_ever >> seat) & 1:
            return seat
    return -1


@scalar_step
def _able(game, play, winner):
    """Return the bits of the seats that can beat a play, and the first of them in turn from the winner."""
    put_on_table(game, winner, play)
    able, first = 0, -1
    for distance in range(1, game[PLAYERS]):
        seat = (winner + distance) % game[PLAYERS]
        if _beats_table(game, seat, game[DEALT + seat]):
            able |= 1 << seat
            first = seat if first < 0 else first
    return able, first


@scalar_step
def put_on_table(game, owner, play):
    """Let a set lie on the table."""
    kind, length, top = describe(game, play)
    game[OWNER], game[CARDS_ON], game[KIND], game[LENGTH], game[TOP] = owner, play & ALL_CARDS, kind, length, top
    game[TARGET] = target_of(game, kind, length, top)


@scalar_step
def _settle_whole_table(game):
    """One cóng seat is as good as the whole table: the fine of every loser, split among the cóng seats (G7, M10)."""
    players, cong, winner = game[PLAYERS], game[CONG_SEATS], game[FINISHERS]
    count = popcount(cong)
    _place(game, winner)
    if game[ACTIVE] & (game[ACTIVE] - 1) == 0:
        _place_rest(game)
    for receiver in range(players):
        if (cong >> receiver) & 1:
            continue
        if receiver == winner:
            total = game[CONG_FINE] * (count if game[TO_EACH] else players - 1)
        else:
            total = game[CONG_FINE] if game[TO_EACH] else 0
        part, odd = total // count, total % count
        for distance in range(1, players):
            seat = (winner + distance) % players
            if (cong >> seat) & 1:
                pay(game, CONG, seat, receiver, part + (1 if odd > 0 else 0))
                odd -= 1
    if game[CONG_ITEMS]:
        for seat in range(players):
            if (cong >> seat) & 1:
                pay(game, THOI, seat, winner, rotten(game, game[HANDS + seat]))


@scalar_step
def _settle_dut(game):
    """Settle that going out with 3♠ as first or second makes all that are left last (J4, M11)."""
    players, first, count = game[PLAYERS], game[FINISHERS], game[FINISHED]
    last = game[FINISHERS + count - 1]
    _place_finishers(game)
    holders = popcount(game[ACTIVE])
    if holders <= 1:
        _place_rest(game)
    cong = _settle_cong(game)
    for distance in range(1, players):
        seat = (last + distance) % players
        if (game[ACTIVE] >> seat) & 1:
            holders -= 1
            if count == 1:
                pay(game, PLACE, seat, first, game[DUT_FIRST])
            else:
                to_first = game[DUT_BOTH_TO_FIRST] or (holders == 0 and not cong)
                pay(game, PLACE, seat, first if to_first else last, game[DUT_SECOND])


@scalar_step
def _count_cards(game, hand, payer, receiver):
    """Let a loser pay for the cards that he holds (H4-H6, M7)."""
    junk, items = popcount(hand), 0
    if game[HAS_THOI]:
        if game[COUNT_CARDS] == ADD:
            items = rotten(game, hand)
        else:
            items, kinds, junk = counted_value(game[ITEMS:], hand, game[JUNK_PRICE], game[SCRATCH:])
            _count_items(game, hand, kinds)
        _pay_3_bich(game, hand, payer, receiver)
    pay(game, CARDS, payer, receiver, junk * game[JUNK_PRICE])
    pay(game, THOI, payer, receiver, items)


@scalar_step
def _settle_thoi(game):
    """Let the last place, or every loser of a game that stops at the first player out, pay for what rots (H2, H3)."""
    if not game[FIRST_OUT] and (game[CONG_SEATS] or game[LATE]):
        return
    to_first = game[THOI_TO_FIRST] or game[FIRST_OUT]
    receiver = game[PLACES] if to_first else game[PLACES + game[N_PLACES] - 2]
    for seat in range(game[PLAYERS]):
        if (game[ACTIVE] >> seat) & 1 and seat != receiver:
            pay(game, THOI, seat, receiver, rotten(game, game[HANDS + seat]))
            _pay_3_bich(game, game[HANDS + seat], seat, receiver)


@scalar_step
def _pay_3_bich(game, hand, payer, receiver):
    """Pay for a 3♠ that is left (I5)."""
    if hand & 1 and game[BA_BICH]:
        pay(game, THUI_3_BICH, payer, receiver, game[BA_BICH])
        game[EVENTS + EV_THOI + 7] += 1


@scalar_step
def rotten(game, hand):
    """Return the value of the twos and bombs that rot in a hand, and count them."""
    value, kinds = items_value(game[ITEMS:], hand, game[SCRATCH:])
    _count_items(game, hand, kinds)
    return value


@scalar_step
def _count_items(game, hand, kinds):
    """Count the twos of a hand, and its bombs.

    kinds : numbers of bombs, six bits each
    """
    for suit in range(4):
        game[EVENTS + EV_THOI + suit] += (hand >> (48 + suit)) & 1
    if kinds:
        for kind in range(3):
            game[EVENTS + EV_THOI + 4 + kind] += (kinds >> (6 * kind)) & 63


@scalar_step
def _pay_four_pairs(game):
    """Every other seat pays who still holds four pairs in a row (J6)."""
    if game[FOUR_PAIRS_BONUS] == 0 or game[RUN_MIN] == 0 or game[RUN_MIN] > 4:
        return
    for holder in range(game[PLAYERS]):
        if run_tops(ranks_of(game[HANDS + holder], 2) & RUN_RANKS, 4):
            for payer in range(game[PLAYERS]):
                pay(game, CHOP, payer, holder, game[FOUR_PAIRS_BONUS])
