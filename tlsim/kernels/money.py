"""Money: chains of chops while a game runs, everything else once it is over. All amounts in half units.

Every payment is one row of ``flows``: reason, payer, receiver, amount. Rows are added, and taken back only with a chain
that turns out void; what one pays another gets, so the sum over seats is zero by construction.
"""

from __future__ import annotations

from tlsim.bits import popcount
from tlsim.jit import step
from tlsim.kernels.clauses import (
    ACTIVE,
    ALL_CARDS,
    BA_BICH,
    BEATEN_LAST,
    BLOCKED,
    BLOCKER,
    BOMB_PRICES,
    CARDS,
    CARDS_ON,
    CHAIN,
    CHAIN_BROKEN,
    CHAIN_CHOPPER,
    CHAIN_FIRST,
    CHAIN_LINKS,
    CHAIN_PENDING,
    CHAIN_SUM,
    CHAIN_VICTIM,
    CHAIN_VICTIM_OUT,
    CHAN_3_BICH,
    CHOP,
    CONG,
    CONG_FINE,
    CONG_ITEMS,
    CONG_SEATS,
    COUNT_CARDS,
    DEN_CONG,
    DEN_MIN_OPPONENTS,
    DUT,
    DUT_BOTH_TO_FIRST,
    DUT_FIRST,
    DUT_SECOND,
    ENDING,
    FINISHED,
    FINISHERS,
    FIRST_OUT,
    FOLLOW,
    FOUR_PAIRS_BONUS,
    FOUR_TWOS_AS_QUAD,
    HAS_DEN,
    HAS_PLACES,
    HAS_THOI,
    JUNK_PRICE,
    KET_3_BICH,
    KET_BLOCK_PAYS,
    KET_PAYEES,
    KET_PAYS,
    KIND,
    LAID,
    LATE,
    LATE_FINISHERS,
    LED,
    LENGTH,
    LIABLE,
    LONGEST_CHAIN,
    N_FLOWS,
    N_PLACES,
    NET,
    NORMAL,
    ON_QUAD,
    ON_RUN_3,
    OVERLAID_TWOS,
    OWNER,
    PASSED,
    PAY_LED_HANG,
    PAY_SAME_CLASS,
    PLACE,
    PLACES,
    PLAY_FIRST,
    PLAYERS,
    PLAYS,
    RUN_4,
    RUN_MIN,
    SEAT_SHIFT,
    SOLE_HOLDER,
    TARGET,
    THOI,
    THOI_TO_FIRST,
    THREE_SPADES,
    THREE_TWOS,
    THUI_3_BICH,
    TO_EACH,
    TOP,
    TRYING,
    TWO,
    TWO_PRICES,
    TWO_TWOS,
    TWOS,
    VOID_SCOPE,
    WENT_OUT,
    WHOLE_TABLE_CONG,
)  # fmt: skip
from tlsim.kernels.combos import RUN_RANKS, describe, ranks_of, run_tops, target_of
from tlsim.kernels.leftover import counted_value, items_value
from tlsim.kernels.moves import is_legal, lowest_chop, lowest_follow_same

LAST_PAYS_SUM, EACH_PAYS_OWN, DOUBLING = range(3)
VOID_NOTHING, VOID_CHAIN, VOID_LINK = range(3)
REPLACE, ADD = 1, 2
PAYEES_ACTIVE, PAYEES_NOT_PASSED, PAYEES_LAID, PAYEES_BLOCKER = range(4)


@step
def pay(state, flows, reason, payer, receiver, amount):
    """Note a payment."""
    if amount == 0 or payer == receiver:
        return
    at = state[N_FLOWS]
    flows[at, 0], flows[at, 1], flows[at, 2], flows[at, 3] = reason, payer, receiver, amount
    state[N_FLOWS] += 1
    state[NET + payer] -= amount
    state[NET + receiver] += amount


@step
def start_chain(state):
    """No chop yet in this trick."""
    state[CHAIN_SUM] = state[CHAIN_LINKS] = state[CHAIN_FIRST] = state[CHAIN_PENDING] = 0
    state[CHAIN_VICTIM_OUT] = state[CHAIN_BROKEN] = 0


@step
def price_on_table(rules, state):
    """Return what the set on the table costs when it is chopped: twos per card (E4), bombs by class (E7, C14)."""
    target = state[TARGET]
    twos = state[CARDS_ON] & TWOS
    if twos and (target != ON_QUAD or not rules[FOUR_TWOS_AS_QUAD]):
        price = 0
        for suit in range(4):
            price += ((twos >> (48 + suit)) & 1) * rules[TWO_PRICES + suit]
        return price
    return rules[BOMB_PRICES + target - ON_RUN_3 + 1]


@step
def add_link(rules, state, flows, chopper, bomb):
    """Note that a bomb chops the set on the table (E2-E6, M3)."""
    target = state[TARGET]
    on_bomb = target >= ON_RUN_3 and target != THREE_TWOS
    same = on_bomb and min(target - ON_RUN_3 + 1, RUN_4) == min(bomb, RUN_4)
    if (same and not rules[PAY_SAME_CLASS]) or (on_bomb and state[LED] and not rules[PAY_LED_HANG]):
        state[CHAIN_BROKEN] = 1
        return
    if state[CHAIN_BROKEN]:
        _take_back(rules, state, flows)
        start_chain(state)
    if state[WENT_OUT] and rules[VOID_SCOPE] == VOID_LINK:
        pay_chain(rules, state, flows)
        start_chain(state)
        return
    value = price_on_table(rules, state) + state[CHAIN_PENDING]
    state[CHAIN_PENDING] = 0
    if rules[CHAIN] == EACH_PAYS_OWN and state[CHAIN_LINKS]:
        _pay_link(state, flows, state[CHAIN_FIRST])
    state[CHAIN_FIRST] = value if rules[CHAIN] == EACH_PAYS_OWN or state[CHAIN_LINKS] == 0 else state[CHAIN_FIRST]
    state[CHAIN_SUM] += value
    state[CHAIN_LINKS] += 1
    state[LONGEST_CHAIN] = max(state[LONGEST_CHAIN], state[CHAIN_LINKS])
    state[CHAIN_VICTIM], state[CHAIN_CHOPPER] = state[OWNER], chopper
    state[CHAIN_VICTIM_OUT] = state[WENT_OUT]


@step
def break_chain(rules, state, target):
    """Another beat than a chop: it starts the chain anew, or adds overlaid twos to the next chop (E3)."""
    overlaid = state[TARGET] == target and (target == TWO or target == TWO_TWOS)
    if overlaid and rules[OVERLAID_TWOS]:
        state[CHAIN_PENDING] += price_on_table(rules, state)
    elif state[CHAIN_LINKS]:
        state[CHAIN_BROKEN] = 1


@step
def _take_back(rules, state, flows):
    """Take back what earlier links of a void chain have paid: where each pays his own, all but the last link."""
    if rules[CHAIN] != EACH_PAYS_OWN or state[CHAIN_LINKS] < 2:
        return
    left, at = state[CHAIN_SUM] - state[CHAIN_FIRST], state[N_FLOWS] - 1
    while left > 0:
        if flows[at, 0] == CHOP:
            left -= flows[at, 3]
            state[NET + flows[at, 1]] += flows[at, 3]
            state[NET + flows[at, 2]] -= flows[at, 3]
            state[N_FLOWS] -= 1
            for later in range(at, state[N_FLOWS]):
                for column in range(4):
                    flows[later, column] = flows[later + 1, column]
        at -= 1


@step
def _pay_link(state, flows, value):
    pay(state, flows, CHOP, state[CHAIN_VICTIM], state[CHAIN_CHOPPER], value)


@step
def pay_chain(rules, state, flows):
    """Settle a chain: the last victim pays the last chopper, unless the chopped play was his last (E2, E5)."""
    if state[CHAIN_LINKS] == 0:
        return
    if state[CHAIN_VICTIM_OUT] and rules[VOID_SCOPE] == VOID_CHAIN:
        _take_back(rules, state, flows)
        return
    if rules[CHAIN] == DOUBLING:
        _pay_link(state, flows, state[CHAIN_FIRST] << (state[CHAIN_LINKS] - 1))
    else:
        _pay_link(state, flows, state[CHAIN_FIRST] if rules[CHAIN] == EACH_PAYS_OWN else state[CHAIN_SUM])


@step
def pay_block(rules, state, flows, payer, blocker):
    """Pay everybody who takes part in the last round (000#R29, I2)."""
    payees = state[ACTIVE]
    if rules[KET_PAYEES] == PAYEES_NOT_PASSED:
        payees &= ~state[PASSED]
    elif rules[KET_PAYEES] == PAYEES_LAID:
        payees = state[LAID]
    elif rules[KET_PAYEES] == PAYEES_BLOCKER:
        payees = 0
    payees |= 1 << blocker
    for seat in range(state[PLAYERS]):
        if (payees >> seat) & 1 and seat != payer:
            pay(state, flows, CHAN_3_BICH, payer, seat, rules[KET_BLOCK_PAYS])


@step
def settle(rules, prices, state, hands, dealt, log, transfers, flows, room):
    """Write the places and pay all that is paid at the end, by how the game ended."""
    ending = state[ENDING]
    if ending == THREE_SPADES:
        for seat in range(state[PLAYERS]):
            if (state[ACTIVE] >> seat) & 1:
                pay(state, flows, KET_3_BICH, seat, state[TRYING], rules[KET_PAYS])
        _place(state, state[TRYING])
    elif ending == BLOCKED or ending == BEATEN_LAST:
        _place(state, state[BLOCKER])
    elif ending == WHOLE_TABLE_CONG:
        _settle_whole_table(rules, prices, state, hands, flows, room)
        _pay_four_pairs(rules, state, hands, flows)
    elif ending == DUT:
        _settle_dut(rules, prices, state, hands, dealt, log, flows, room)
    elif ending == NORMAL:
        _settle_normal(rules, prices, state, hands, dealt, log, transfers, flows, room)
    else:
        for at in range(state[FINISHED]):
            _place(state, state[FINISHERS + at])
        if state[FINISHED]:
            _settle_cong(rules, prices, state, hands, dealt, log, flows, room)


@step
def _place(state, seat):
    state[PLACES + state[N_PLACES]] = seat
    state[N_PLACES] += 1


@step
def _settle_normal(rules, prices, state, hands, dealt, log, transfers, flows, room):
    _all_places(rules, state)
    first = state[PLACES]
    _settle_cong(rules, prices, state, hands, dealt, log, flows, room)
    if rules[HAS_PLACES]:
        for at in range(len(transfers)):
            if max(transfers[at, 0], transfers[at, 1]) >= state[N_PLACES]:
                continue
            payer, receiver = state[PLACES + transfers[at, 0]], state[PLACES + transfers[at, 1]]
            if ((state[CONG_SEATS] >> payer) | (state[CONG_SEATS] >> receiver)) & 1 == 0:
                pay(state, flows, PLACE, payer, receiver, transfers[at, 2])
    if rules[COUNT_CARDS]:
        for seat in range(state[PLAYERS]):
            if (state[ACTIVE] >> seat) & 1 and seat != first:
                _count_cards(rules, prices, state, hands[seat], flows, seat, first, room)
    elif rules[HAS_THOI]:
        _settle_thoi(rules, prices, state, hands, flows, room)
    _pay_four_pairs(rules, state, hands, flows)


@step
def _all_places(rules, state):
    """Place finishers in order, who still holds cards, cóng seats in turn from the winner, late ones (M5, M13).

    A game that stops at the first player out has a first place and no other (A1, K12).
    """
    for at in range(state[FINISHED]):
        _place(state, state[FINISHERS + at])
    if not rules[FIRST_OUT] or state[FINISHED] == 0:
        for seat in range(state[PLAYERS]):
            if (state[ACTIVE] >> seat) & 1:
                _place(state, seat)
    if not rules[FIRST_OUT]:
        _place_cong(state, state[PLACES])
        _place_late(state)


@step
def _place_late(state):
    for at in range(state[LATE] - 1, -1, -1):
        _place(state, state[LATE_FINISHERS + at])


@step
def _place_cong(state, winner):
    for distance in range(1, state[PLAYERS]):
        seat = (winner + distance) % state[PLAYERS]
        if (state[CONG_SEATS] >> seat) & 1:
            _place(state, seat)


@step
def _settle_cong(rules, prices, state, hands, dealt, log, flows, room):
    """Cóng seats pay the winner; where one of them could have played, he pays for all (G3-G6, M7)."""
    cong, winner = state[CONG_SEATS], state[FINISHERS]
    if cong == 0:
        return False
    liable = -1
    everybody = (1 << state[PLAYERS]) - 1 & ~(1 << winner)
    if rules[HAS_DEN] and cong == everybody and popcount(cong) >= rules[DEN_MIN_OPPONENTS]:
        liable = liable_seat(rules, state, dealt, log, winner)
    state[LIABLE] = liable + 1
    for seat in range(state[PLAYERS]):
        if (cong >> seat) & 1:
            items = items_value(hands[seat], prices, room) if rules[CONG_ITEMS] else 0
            if liable >= 0 and seat != liable:
                pay(state, flows, DEN_CONG, liable, winner, rules[CONG_FINE] + items)
            else:
                pay(state, flows, CONG, seat, winner, rules[CONG_FINE])
                pay(state, flows, THOI, seat, winner, items)
    return True


@step
def liable_seat(rules, state, dealt, log, winner):
    """Return who must đền: he could have beaten a play of the winner but the last; -1 where nobody must (G4, M8).

    Nobody but the winner has played, so every entry with cards is a lead of his, and every other hand is as dealt.
    """
    players, last, able_ever = state[PLAYERS], 0, 0
    for at in range(state[PLAYS]):
        if log[at] & ALL_CARDS:
            last = at
    for at in range(last):
        play = log[at] & ~(7 << SEAT_SHIFT)
        if play & ALL_CARDS == 0:
            continue
        able, first = _able(rules, state, dealt, play, winner)
        if rules[SOLE_HOLDER] and able & (able - 1):
            continue
        if able and rules[PLAY_FIRST]:
            return first
        able_ever |= able
    for distance in range(1, players):
        seat = (winner + distance) % players
        if (able_ever >> seat) & 1:
            return seat
    return -1


@step
def _able(rules, state, dealt, play, winner):
    """Return the bits of the seats that can beat a play, and the first of them in turn from the winner."""
    put_on_table(rules, state, winner, play)
    able, first = 0, -1
    for distance in range(1, state[PLAYERS]):
        seat = (winner + distance) % state[PLAYERS]
        hand = dealt[seat]
        play = lowest_follow_same(rules, state, hand)
        if (play and is_legal(rules, state, hand, seat, FOLLOW, play)) or lowest_chop(rules, state, hand, seat, FOLLOW):
            able |= 1 << seat
            first = seat if first < 0 else first
    return able, first


@step
def put_on_table(rules, state, owner, play):
    """Let a set lie on the table."""
    kind, length, top = describe(rules, play)
    state[OWNER], state[CARDS_ON], state[KIND], state[LENGTH], state[TOP] = owner, play & ALL_CARDS, kind, length, top
    state[TARGET] = target_of(rules, kind, length, top)


@step
def _settle_whole_table(rules, prices, state, hands, flows, room):
    """One cóng seat is as good as the whole table: the fine of every loser, split among the cóng seats (G7, M10)."""
    players, cong, winner = state[PLAYERS], state[CONG_SEATS], state[FINISHERS]
    count = popcount(cong)
    _place(state, winner)
    if state[ACTIVE] & (state[ACTIVE] - 1) == 0:
        for seat in range(players):
            if (state[ACTIVE] >> seat) & 1:
                _place(state, seat)
        _place_cong(state, winner)
        _place_late(state)
    for receiver in range(players):
        if (cong >> receiver) & 1:
            continue
        if receiver == winner:
            total = rules[CONG_FINE] * (count if rules[TO_EACH] else players - 1)
        else:
            total = rules[CONG_FINE] if rules[TO_EACH] else 0
        part, odd = total // count, total % count
        for distance in range(1, players):
            seat = (winner + distance) % players
            if (cong >> seat) & 1:
                pay(state, flows, CONG, seat, receiver, part + (1 if odd > 0 else 0))
                odd -= 1
    if rules[CONG_ITEMS]:
        for seat in range(players):
            if (cong >> seat) & 1:
                pay(state, flows, THOI, seat, winner, items_value(hands[seat], prices, room))


@step
def _settle_dut(rules, prices, state, hands, dealt, log, flows, room):
    """Settle that going out with 3♠ as first or second makes all that are left last (J4, M11)."""
    players, first, count = state[PLAYERS], state[FINISHERS], state[FINISHED]
    last = state[FINISHERS + count - 1]
    for at in range(count):
        _place(state, state[FINISHERS + at])
    holders = popcount(state[ACTIVE])
    if holders <= 1:
        for seat in range(players):
            if (state[ACTIVE] >> seat) & 1:
                _place(state, seat)
        _place_cong(state, first)
        _place_late(state)
    cong = _settle_cong(rules, prices, state, hands, dealt, log, flows, room)
    for distance in range(1, players):
        seat = (last + distance) % players
        if (state[ACTIVE] >> seat) & 1:
            holders -= 1
            if count == 1:
                pay(state, flows, PLACE, seat, first, rules[DUT_FIRST])
            else:
                to_first = rules[DUT_BOTH_TO_FIRST] or (holders == 0 and not cong)
                pay(state, flows, PLACE, seat, first if to_first else last, rules[DUT_SECOND])


@step
def _count_cards(rules, prices, state, hand, flows, payer, receiver, room):
    """Let a loser pay for the cards that he holds (H4-H6, M7)."""
    junk, items = popcount(hand), 0
    if rules[HAS_THOI]:
        if rules[COUNT_CARDS] == ADD:
            items = items_value(hand, prices, room)
        else:
            items, junk = counted_value(hand, prices, rules[JUNK_PRICE], room)
        if hand & 1:
            pay(state, flows, THUI_3_BICH, payer, receiver, rules[BA_BICH])
    pay(state, flows, CARDS, payer, receiver, junk * rules[JUNK_PRICE])
    pay(state, flows, THOI, payer, receiver, items)


@step
def _settle_thoi(rules, prices, state, hands, flows, room):
    """Let the last place, or every loser of a game that stops at the first player out, pay for what rots (H2, H3)."""
    if not rules[FIRST_OUT] and (state[CONG_SEATS] or state[LATE]):
        return
    to_first = rules[THOI_TO_FIRST] or rules[FIRST_OUT]
    receiver = state[PLACES] if to_first else state[PLACES + state[N_PLACES] - 2]
    for seat in range(state[PLAYERS]):
        if (state[ACTIVE] >> seat) & 1 and seat != receiver:
            pay(state, flows, THOI, seat, receiver, items_value(hands[seat], prices, room))
            if hands[seat] & 1:
                pay(state, flows, THUI_3_BICH, seat, receiver, rules[BA_BICH])


@step
def _pay_four_pairs(rules, state, hands, flows):
    """Every other seat pays who still holds four pairs in a row (J6)."""
    if rules[FOUR_PAIRS_BONUS] == 0 or rules[RUN_MIN] == 0 or rules[RUN_MIN] > 4:
        return
    for holder in range(state[PLAYERS]):
        if run_tops(ranks_of(hands[holder], 2) & RUN_RANKS, 4):
            for payer in range(state[PLAYERS]):
                pay(state, flows, CHOP, payer, holder, rules[FOUR_PAIRS_BONUS])
