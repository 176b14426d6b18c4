"""The situations of RULES.md §3.11 (Tổng thống) and the bug kinds of §4.3 on it, played on every engine, by number.

Expected values come from RULES.md alone. How a situation is written stands in `situations`; the whole deck is dealt, so
every situation is a record that the compiled engine can referee. §3.11 has no T157, T164 and T166; what they would be
stands here under its rule (L9, R20, L8). Cases named after a rule instead of a number are its alternatives and details;
R19 is 004#R19, P2 a reading that the engines share.
"""

from typing import NamedTuple

import pytest
from situations import (
    SEATS,
    Move,
    Records,
    Situation,
    Twin,
    changed,
    deal,
    line,
    moves_of,
    record_of,
)

import tlsim
from tlsim.cards import card_name, cards_in, hand_of
from tlsim.records.model import RecordError

ENGINES = pytest.mark.parametrize("engine", [Twin(), Records()], ids=["twin", "compiled"])
SIZES = {4: (13, 13, 13, 13), 5: (11, 11, 10, 10, 10)}


class Case(NamedTuple):
    situation: Situation
    expected: object
    move: Move | None = None


LEGAL, POINTS, ACCEPTED = [], [], []
IDS = set()


def param(case, number, note=""):
    ident = "-".join(filter(None, (number, note)))
    if ident in IDS and case.move:
        ident += f" {case.move.cards or 'pass'}"
    while ident in IDS:
        ident += "'"
    IDS.add(ident)
    return pytest.param(case, id=ident)


def dealt(*texts, players=4, sizes=None):
    return deal(*texts, sizes=sizes or SIZES[players])


# The exchange, from its definition (004#R14, R15, R25; L13, L14)

ROWS = {4: ((3, 0, 2), (2, 1, 1)), 5: ((4, 0, 2), (3, 1, 1))}  # from place, to place, cards


def gifts_of(hands, titles):
    """Gifts up: the highest cards, of equal ranks the lowest suits."""
    found = []
    for giver, taker, number in ROWS[len(hands)]:
        cards = sorted(cards_in(hands[titles[giver]]), key=lambda card: (-(card // 4), card % 4))[:number]
        found.append((titles[giver], titles[taker], " ".join(card_name(card) for card in sorted(cards))))
    return found


def exchanged(hands, titles, returns=None):
    """Gifts, then what is returned: by default the very cards, so that all hands stay as dealt."""
    gifts = gifts_of(hands, titles)
    returns = returns or [cards for _, _, cards in gifts]
    return (*gifts, *((taker, giver, cards) for (giver, taker, _), cards in zip(gifts, returns, strict=True)))


def after(hands, exchange):
    hands = list(hands)
    for giver, taker, cards in exchange:
        hands[giver] &= ~hand_of(cards)
        hands[taker] |= hand_of(cards)
    return hands


def situation(hands, moves="", changes=None, leader=None, titles=None, returns=None, **more):
    """An opening game led by the holder of 3C, or with titles (letters, best first) one led by the last of them."""
    rules = changed("tong_thong", changes)
    opening = more.pop("opening", titles is None)
    exchange = more.pop("exchange", None)
    seats = titles and tuple(SEATS.index(seat) for seat in titles)
    if exchange is None:
        exchange = exchanged(hands, seats, returns) if titles else ()
    first = seats[-1] if titles else next(seat for seat, hand in enumerate(hands) if hand & hand_of("3C"))
    lead = first if leader is None else SEATS.index(leader)
    if isinstance(moves, str):
        held = after(hands, exchange)
        moves = line(moves, held, lead, more.get("direction", 1), locks=rules.turn.pass_locks, stops=False)
    return Situation(rules, hands, lead, opening, moves, titles=seats, exchange=tuple(exchange), **more)


def legal(number, expected, hands, moves, move, changes=None, note="", **more):
    LEGAL.append(param(Case(situation(hands, moves, changes, **more), expected, moves_of(move)[0]), number, note))


def lead(number, cards, expected, changes=None, note=""):
    """A holds 3C and leads a first game."""
    hands = dealt(cards if "3C" in cards else f"3C {cards}")
    legal(number, expected, hands, "", f"A {cards}", changes, note or f"lead {cards}")


def on(number, top, offered, expected, changes=None, note=""):
    """A leads, B offers a beat in his turn."""
    hands = dealt(top if "3C" in top else f"3C {top}", offered)
    legal(number, expected, hands, f"A {top}", f"B {offered}", changes, note or f"{offered} on {top}")


def points(number, expected, hands, moves, places, changes=None, note="", **more):
    case = Case(situation(hands, moves, changes, **more), (expected, [SEATS.index(seat) for seat in places]))
    POINTS.append(param(case, number, note))


def accepted(number, expected, hands, changes=None, note="", **more):
    """Whether a game may begin so: titles, exchange, leader."""
    ACCEPTED.append(param(Case(situation(hands, "", changes, **more), expected), number, note))


FIVES, SEVENS, NINES = "5S 5C 5D 5H", "7S 7C 7D 7H", "9S 9C 9D 9H"
OFF = {"president.revolution": False}

# What may be played (004#R6-R9, R26; T155, T156, T168)

for cards in ("3C", "KS", "KS KD", "KS KC KD", NINES, "3C 3D", "2H"):
    lead("T155" if cards == "KS KD" else "R7", cards, True)
lead("T155", "KS KD", False, {"lead.opening_must_include": True}, "opening_must_include")
accepted("T155", True, dealt("3C KS KD"))
accepted("T155", False, dealt("3C KS KD"), leader="B", note="B leads")
accepted("T155", False, dealt("3C", "3S"), leader="B", note="3S does not lead")
lead("T168", "4S 5S 6S", False)
lead("T168", "4S 4C 5S 5C 6S 6C", False)
lead("R7", "4S 5S", False)
lead("R7", "4S 4C 5S 5C", False)
lead("R7", "4S 4C 4D 5S 5C", False)
lead("R7", "QS KS AS", False)
on("T156", "9S 9D", "JS JD", True)
on("T156", "9S 9D", "2H", False)
on("T156", "9S 9D", "9C 9H", False)
on("R8", "9S 9D", "8C 8H", False)
on("R8", "9S 9D", "JS JC JD", False)
on("R8", "9S 9D", "4S 4C 4D 4H", False, note="a quad is no bomb")
on("R8", "2S", NINES, False, note="nor on a 2")
on("R8", "9S", "TS", True)
on("R8", "9S", "9H", False)
on("R8", "9H", "9S", False)
on("R8", "9S", "9H", True, {"combinations.compare": "top_card"}, "top_card")
on("R8", "9H", "8S", False)
on("R6", "AS", "2C", True)
on("R6", "2C", "AS", False)
on("R6", "2S", "2H", False)
on("R6", "KS KC KD", "AS AC AD", True)
on("R6", "KS KC KD", "QS QC QD", False)
on("R6", NINES, "TS TC TD TH", True, OFF, "quads")
on("R26", "9S 9D", "2S", False, note="a lone 2 on a pair")
on("R26", "9S 9D", "2S 2H", True, note="a pair of 2s")
T89 = dealt("3C 9S 9D", "QS QC", "JS JC", "")
T89_MOVES = "A 9S 9D, B, C JS JC, D, A"
legal("T89", True, T89, T89_MOVES, "B QS QC")
legal("L4", False, T89, T89_MOVES, "B QS QC", {"turn.pass_locks": True}, "pass_locks")
legal("R9", True, T89, "A 9S 9D", "B", note="always a pass")
legal("R9", False, T89, "", "A", note="a leader may not pass")
legal("R9", False, T89, "A 9S 9D /", "A", note="a leader may not pass, later")
L6 = dealt("2S 3C", "4S", "", "")
legal("L6", False, L6, "A 2S", "A 3C", note="a 2 clears nothing")
legal("L6", True, L6, "A 2S", "B", note="all are asked")
legal("L6", True, L6, "A 2S /", "A 3C", note="when all have passed")
legal("R10", False, L6, "A 2S /", "B 4S", note="the last player leads")
L7 = dealt("3C TS", "6S", "7S", "5S 8S")
legal("L7", True, L7, "A 3C, B, C, D 5S, A", "B 6S", note="a pass is forgotten")
legal("L7", False, L7, "A 3C, B, C, D 5S, A", "D 8S", note="three passes, not in a row")
legal("L7", False, L7, "A 3C, B, C, D 5S, A, B", "D 8S", note="C is still to pass")
legal("L7", True, L7, "A 3C, B, C, D 5S, A, B", "C 7S")
legal("L7", True, L7, "A 3C, B, C, D 5S, A, B, C", "D 8S", note="all have passed since the last play")
legal("L7", True, L7, "A 3C, B, C, D 5S, A TS, B, C", "D", note="D too has to pass again")
legal("L7", True, L7, "A 3C, B, C 7S, D, A, B", f"C {card_name(min(cards_in(L7[2])))}", note="C leads")
RIGHT = dealt("3C", "5S", "", "5C")
legal("M18", True, RIGHT, "A 3C", "B 5S", note="the next seat number")
legal("M18", False, RIGHT, "A 3C", "D 5C")
legal("M18", True, RIGHT, "A 3C", "D 5C", note="the other direction", direction=-1)

# Who leads after a player is out (004#R11; T165, L8)

OUT_ON_KS = ("3S 3C 3D 4S 4C 4D 5S 5C 5D 6S 6C 6D KS", "7S 7C 7D 8S 8C 8D 9S 9C 9D TS TC TD AS", "KC AC", "2S QS")
T165 = dealt(*OUT_ON_KS)
FOUR_TRIPLES = "A 3S 3C 3D /, A 4S 4C 4D /, A 5S 5C 5D /, A 6S 6C 6D /, A KS"
legal("T165", True, T165, f"{FOUR_TRIPLES} /", "B 7S")
legal("T165", False, T165, f"{FOUR_TRIPLES} /", "C KC", note="not C")
legal("T165", False, T165, f"{FOUR_TRIPLES} /", "D QS", note="not D, the last passer")
legal("T165", False, T165, f"{FOUR_TRIPLES} /", "B", note="B may not pass")
legal("T165", True, T165, f"{FOUR_TRIPLES} /", "D QS", note="the other direction", direction=-1)
legal("L8", True, T165, FOUR_TRIPLES, "B AS", note="others may beat his last card")
legal("L8", False, T165, FOUR_TRIPLES, "B 7S", note="but not lead yet")
legal("L8", True, T165, f"{FOUR_TRIPLES}, B, C AC, D", "B", note="the circuit goes on without him")
legal("L8", True, T165, f"{FOUR_TRIPLES}, B, C AC, D, B", "C KC", note="the beater leads")
legal("L8", False, T165, f"{FOUR_TRIPLES}, B, C AC, D, B", "B 7S", note="not the next seat")
B_TRIPLES = f"{FOUR_TRIPLES} /, B 7S 7C 7D /, B 8S 8C 8D /, B 9S 9C 9D /, B TS TC TD /, B AS"
legal("R11", True, T165, f"{B_TRIPLES} /", "C KC", note="the next but one, for B is out too")
legal("R11", False, T165, f"{B_TRIPLES} /", "D QS", note="not D")
legal("L16", False, T165, f"{B_TRIPLES}, D 2S, C", "C KC", note="D leads")
D_OUT = ("3S 3C 3D 4S 4C 4D 5S 5C 5D 6S 6C 6D KS", "", "", "7S 7C 7D 8S 8C 8D 9S 9C 9D TS TC TD AS")
D_OUT_MOVES = f"{FOUR_TRIPLES}, D AS /, D 7S 7C 7D /, D 8S 8C 8D /, D 9S 9C 9D /, D TS TC TD"
D_HANDS = dealt(*D_OUT)
legal(
    "R11",
    True,
    D_HANDS,
    f"{D_OUT_MOVES} /",
    f"B {card_name(min(cards_in(D_HANDS[1])))}",
    note="past the end of the table (B50)",
)

# Revolution (004#R4, R23-R25; L9-L12, T158, T159)

T158 = dealt(f"3C {SEVENS} 5S", "3D 9H 2S 5D 4S 4C 6S 6C", "3H", "")
REVERSED = f"A {SEVENS} /, A 5S"
for cards, right in (("3D", True), ("9H", False), ("2S", False), ("4S", True), ("5D", False)):
    legal("T158", right, T158, REVERSED, f"B {cards}", note=cards)
    legal("T159", cards in ("9H", "2S"), T158, REVERSED, f"B {cards}", OFF, note=cards)
R23 = dealt(f"3C {SEVENS} 2S 2C 3D 8S 8C", "3S AS 2H 6S 6C 9S 9C 4S", "", "")
legal("R23", True, R23, f"A {SEVENS} /, A 2S", "B AS", note="2 is the lowest")
legal("R23", True, R23, f"A {SEVENS} /, A 2S", "B 3S", note="3 is the highest")
legal("R23", False, R23, f"A {SEVENS} /, A 2S", "B 2H", note="equal")
legal("R23", False, R23, f"A {SEVENS} /, A 3C", "B 4S", note="nothing beats a 3")
legal("R23", False, R23, f"A {SEVENS} /, A 3C", "B 2H", note="nor a 2")
legal("R23", True, R23, f"A {SEVENS} /, A 8S 8C", "B 6S 6C", note="pairs")
legal("R23", False, R23, f"A {SEVENS} /, A 8S 8C", "B 9S 9C", note="pairs")
legal("R24", True, R23, "A 8S 8C", "B 9S 9C", note="as long as no quad is laid")
QUADS = dealt(f"3C {SEVENS}", f"{FIVES} {NINES} 8S", "3S 4S 4C 4D 4H 8C 8D 8H", "6S 6C 6D 6H")
legal("L9", True, QUADS, f"A {SEVENS}", f"B {FIVES}")
legal("L9", False, QUADS, f"A {SEVENS}", f"B {NINES}")
legal("L11", False, QUADS, f"A {SEVENS}", f"B {FIVES}", OFF, "without a revolution")
legal("L11", True, QUADS, f"A {SEVENS}", f"B {NINES}", OFF, "without a revolution")
AGAIN = f"A {SEVENS}, B {FIVES}, C"
legal("L9", True, QUADS, AGAIN, "D 6S 6C 6D 6H", note="in the order restored 6s beat 5s")
legal("L9", False, QUADS, f"A {SEVENS}, B {FIVES}", "C 4S 4C 4D 4H", note="in the order restored 4s do not beat 5s")
legal("L10", False, QUADS, f"A {SEVENS}", "B 9S 9C 9D", note="a quad takes four cards")
legal("L10", True, QUADS, f"A {SEVENS}", "B", note="it stays on top: others are asked")
legal("L10", True, QUADS, f"A {SEVENS} /", "A 3C", note="and its owner leads")
legal("R24", True, QUADS, f"A {SEVENS}, B {FIVES} /, B 8S", f"C {card_name(max(cards_in(QUADS[2])))}",
      note="two quads: the usual order")  # fmt: skip
legal("R24", False, QUADS, f"A {SEVENS}, B {FIVES} /, B 8S", "C 3S", note="two quads: the usual order")
LED_TWICE = dealt(f"3C {SEVENS} {NINES} 6S", "3D KS", "", "")
legal("R24", True, LED_TWICE, f"A {SEVENS} /, A {NINES} /, A 6S", "B KS", note="restored in another trick")
legal("R24", False, LED_TWICE, f"A {SEVENS} /, A {NINES} /, A 6S", "B 3D", note="restored in another trick")
legal("R23", True, LED_TWICE, f"A {SEVENS} /, A 6S", "B 3D", note="once")
FOLLOWED = dealt(f"3C {SEVENS}", f"{NINES} TS", "3S KC 6S", "")
legal("R23", True, FOLLOWED, f"A 3C, B TS /, B {NINES} /, B {card_name(min(cards_in(FOLLOWED[1])))}", "C",
      note="any seat's quad")  # fmt: skip
L12 = dealt(f"3S 3C 3D 4S 4C 4D 5S 5C 5D {SEVENS}", "9S", "8S TS", "")
L12_MOVES = f"A 3S 3C 3D /, A 4S 4C 4D /, A 5S 5C 5D /, A {SEVENS} /, B 9S"
legal("L12", True, L12, L12_MOVES, "C 8S", note="a quad as the last play turns the order")
legal("L12", False, L12, L12_MOVES, "C TS", note="a quad as the last play turns the order")
legal("L12", True, L12, L12_MOVES, "C TS", OFF, "without a revolution")
legal(
    "R24", True, dealt(f"3C {SEVENS}", FIVES, "", ""), f"A {SEVENS}, B {FIVES}", "C", note="pass in the order restored"
)

# Titles and the exchange (004#R12-R18; L13-L15, L18, T160-T162, T169)

T160 = dealt("3S 3D 4S 2C", "5S 2D", "AC KC 3C", "2S 2H AS KD 3H")
GIFTS = ((3, 0, "2S 2H"), (2, 1, "AC"))


def exchange(number, expected, *gifts, hands=T160, changes=None, note="", titles="ABCD", **more):
    accepted(number, expected, hands, changes, note, titles=titles, exchange=gifts, **more)


exchange("T160", True, *GIFTS, (0, 3, "2S 2H"), (1, 2, "AC"), note="the same cards come back")
exchange("T160", True, *GIFTS, (0, 3, "3S 3D"), (1, 2, "5S"), note="others")
exchange("L15", True, *GIFTS, (0, 3, "3S 2H"), (1, 2, "AC"), note="one of each")
exchange("T160", False, (3, 0, "2S AS"), GIFTS[1], (0, 3, "3S 3D"), (1, 2, "5S"), note="not the highest")
exchange("T160", False, (3, 0, "2S"), GIFTS[1], (0, 3, "3S"), (1, 2, "5S"), note="one card")
exchange("T160", False, (3, 0, "2S 2H AS"), GIFTS[1], (0, 3, "3S 3D 4S"), (1, 2, "5S"), note="three cards")
exchange("R15", False, GIFTS[0], (2, 1, "KC"), (0, 3, "3S 3D"), (1, 2, "5S"), note="not the highest")
exchange("R15", False, GIFTS[0], (2, 1, "AC KC"), (0, 3, "3S 3D"), (1, 2, "5S"), note="two cards")
exchange("R14", False, *GIFTS, (0, 3, "3S"), (1, 2, "5S"), note="one returned")
exchange("R14", False, *GIFTS, (0, 3, "3S 3D 4S"), (1, 2, "5S"), note="three returned")
exchange("R14", False, *GIFTS, (0, 3, "3S 5S"), (1, 2, "5S"), note="a card of another's returned")
exchange("R14", False, *GIFTS, (0, 3, "3S AS"), (1, 2, "5S"), note="a card returned that he has not got")
exchange("R14", False, *GIFTS, (0, 2, "3S 3D"), (1, 3, "5S"), note="returned to the wrong seats")
exchange("R14", False, (3, 1, "2S 2H"), (2, 0, "AC"), (1, 3, "2S 2H"), (0, 2, "AC"), note="given to the wrong seats")
exchange("R14", False, note="no exchange")
exchange("R14", False, GIFTS[0], (0, 3, "2S 2H"), note="one pair only")
accepted("R19", False, dealt("3C"), exchange=GIFTS, note="no exchange in the first game")
accepted(
    "R12", False, T160, titles="ABCC", exchange=(*GIFTS, (0, 3, "2S 2H"), (1, 2, "AC")), leader="D", note="C twice"
)
legal("T169", True, T160, "", "D 3H", titles="ABCD")
legal("T169", False, T160, "", "A 4S", titles="ABCD", note="not A")
legal("T169", False, T160, "", "C 3C", titles="ABCD", note="not C, though he has 3C")
RETURNED = {"titles": "ABCD", "returns": ("3S 3D", "5S")}
legal("T160", True, T160, "", "D 3S", **RETURNED, note="he holds what was returned")
legal("T160", True, T160, "", "D 3S 3D 3H", **RETURNED, note="with his own")
legal("T160", False, T160, "", "D 2S", **RETURNED, note="and no more what he gave")
legal("T160", True, T160, "D 3S", "A 2S", **RETURNED, note="A holds what was given")
legal("T160", False, T160, "D 3H", "A 4S 3S", **RETURNED, note="and no more what he returned")
legal("R15", True, T160, "D 3S, A, B", "C 5S", **RETURNED, note="C holds what B returned")
legal("R15", False, T160, "D 3S, A, B", "C AC", **RETURNED, note="and no more what he gave")
BACK = ((0, 3, "3C 4S"), (1, 2, "3S"))
L13 = dealt("2S 2C 2H 3C 4S", "3S", "AD AH KS 3D", "AS AC 2D 3H")
exchange("L13", True, (3, 0, "AS 2D"), (2, 1, "AD"), *BACK, hands=L13, note="the lowest suit first")
exchange("L13", False, (3, 0, "AC 2D"), (2, 1, "AD"), *BACK, hands=L13, note="not another")
exchange("L13", False, (3, 0, "AS 2D"), (2, 1, "AH"), *BACK, hands=L13, note="not another")
HIGH = {"president.exchange_tie": "highest_suit_first"}
exchange("L13", True, (3, 0, "AC 2D"), (2, 1, "AH"), *BACK, hands=L13, changes=HIGH, note="highest_suit_first")
exchange(
    "L13", False, (3, 0, "AS 2D"), (2, 1, "AD"), *BACK, hands=L13, changes=HIGH, note="highest_suit_first: not these"
)
T162 = dealt("3S 3D 2H", "5S AD", "2S 2C 2D", "AC KC 3C", "AS AH KD 3H", players=5)
T162_GIFTS = ((4, 0, "AS AH"), (3, 1, "AC"))
exchange("T162", True, *T162_GIFTS, (0, 4, "3S 3D"), (1, 3, "5S"), hands=T162, titles="ABCDE")
exchange("T162", False, (4, 0, "AS AH"), (2, 1, "2S"), (0, 4, "3S 3D"), (1, 2, "5S"), hands=T162, titles="ABCDE",
         note="Thường dân is not Cận nghèo")  # fmt: skip
legal("T162", True, T162, "E 3H, A, B", "C 2S", titles="ABCDE", note="he keeps his 2s")
legal("T162", True, T162, "", "E KD", titles="ABCDE", note="E leads")
# Gifts are computed from the hands as dealt, whatever has been received (L14)
CHAIN = {
    "president.exchange": [
        {"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 2},
        {"from_title": "tong_thong", "to_title": "pho_tong_thong", "cards": 1},
    ]
}
L14 = dealt("KS 4S 3C", "5S", "AC 2C 2D", "2S 2H AS 3H")
exchange("L14", True, (3, 0, "2S 2H"), (0, 1, "KS"), (0, 3, "4S 3C"), (1, 0, "5S"), hands=L14, changes=CHAIN,
         note="of what was dealt")  # fmt: skip
exchange("L14", False, (3, 0, "2S 2H"), (0, 1, "2S"), (0, 3, "4S 3C"), (1, 0, "5S"), hands=L14, changes=CHAIN,
         note="not of what was received")  # fmt: skip
TWICE = {
    "president.exchange": [
        {"from_title": "dan_ngheo", "to_title": "tong_thong", "cards": 2},
        {"from_title": "dan_ngheo", "to_title": "pho_tong_thong", "cards": 1},
    ]
}
exchange("P2", True, (3, 0, "2S 2H"), (3, 1, "AS"), (0, 3, "4S 3C"), (1, 3, "5S"), hands=L14, changes=TWICE,
         note="of what he still has")  # fmt: skip

# Sizes (L1, M22)

for dealer in range(5):
    sizes = [SIZES[5][(seat - dealer) % 5] for seat in range(5)]
    accepted("L1", True, dealt(players=5, sizes=sizes), note=f"from seat {dealer} on")

# Points (004#R20, R21; T163)


def ending(order, hands, leader, titles=None, returns=None):
    """Moves by which the players go out in this order: each takes the lead with his highest card and lays all."""
    exchange = exchanged(hands, titles, returns) if titles else ()
    left = after(hands, exchange)
    seats, lead, moves = [SEATS.index(seat) for seat in order], leader, []
    still = set(seats)
    for seat in seats[:-1]:
        if lead != seat:
            low, high = min(cards_in(left[lead])), max(cards_in(left[seat]))
            assert high // 4 > low // 4, "he cannot take the lead"
            moves.append(f"{SEATS[lead]} {card_name(low)}, {SEATS[seat]} {card_name(high)} /")
            left[lead] &= ~(1 << low)
            left[seat] &= ~(1 << high)
        moves.append(f"{SEATS[seat]} *")
        still.discard(seat)
        lead = next(s for step in range(1, len(hands)) if (s := (seat + step) % len(hands)) in still)
    return ", ".join(moves)


def whole(order, leader="A", titles=None, players=4, sizes=None, returns=None, **more):
    """A whole game that ends in this order; an opening game is led by the holder of 3C."""
    texts = [""] * players
    if titles is None:
        texts[SEATS.index(leader)] = "3C"
    hands = dealt(*texts, players=players, sizes=sizes)
    seats = titles and [SEATS.index(seat) for seat in titles]
    first = seats[-1] if titles else SEATS.index(leader)
    return situation(hands, ending(order, hands, first, seats, returns), titles=titles, returns=returns, **more)


def scored(number, expected, order, note="", **more):
    POINTS.append(param(Case(whole(order, **more), (expected, [SEATS.index(seat) for seat in order])), number, note))


scored("T163", (4, 3, 2, 1, 0), "ABCDE", players=5)
scored("T163", (1, 4, 0, 3, 2), "BDEAC", players=5, note="another order")
scored("R20", (3, 2, 1, 0), "ABCD")
scored("R20", (1, 3, 0, 2), "BDAC", note="another order")
scored("R20", (0, 1, 2, 3), "DCBA", leader="C", note="the leader is third")
scored("R20", (2, 0, 3, 1), "CADB", titles="BCDA", note="with an exchange")
scored("R21", (0, 2, 1, 4, 3), "DEBCA", titles="EDCBA", players=5, note="with an exchange")
scored("E8", (9, 6, 2, 0), "ABCD", changes={"place_points.4": [9, 6, 2, 0]}, note="place_points")


@ENGINES
@pytest.mark.parametrize("case", LEGAL)
def test_legal(engine, case):
    assert engine.legal(case.situation, case.move) is case.expected


@ENGINES
@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(engine, case):
    assert engine.accepts(case.situation) is case.expected


@ENGINES
@pytest.mark.parametrize("case", POINTS)
def test_points(engine, case):
    """Points alone: no money moves (004#R28, L19)."""
    found = engine.outcome(case.situation)
    expected, order = case.expected
    assert (found.net, found.places) == (expected, order)
    assert not found.payments
    assert (found.next_leader, found.next_opening) == (order[-1], False)  # 004#R18, L3


# Games one after another (004#R12-R19, R25)


@ENGINES
@pytest.mark.parametrize(
    ("follow", "right"),
    [
        (whole("ABCD", titles="BDAC"), True),
        (whole("ABCD", titles="DBAC"), False),
        (whole("ABCD", titles="BDCA"), False),
        (whole("ABCD", titles="BDAC")._replace(leader=1), False),
        (whole("ABCD"), False),
    ],
    ids=["titles are the places", "other titles", "the last two swapped", "the winner leads", "no opening game"],
)
def test_r12_places_are_the_next_titles(engine, follow, right):
    assert engine.follows([whole("BDAC"), follow]) == (None if right else 1)


@ENGINES
def test_r12_over_a_match(engine):
    games = [whole("BDAC"), whole("CABD", titles="BDAC"), whole("DCBA", titles="CABD"), whole("ABCD", titles="DCBA")]
    assert engine.follows(games) is None
    assert engine.follows([*games[:3], whole("ABCD", titles="CABD")]) == 3


REVOLT = dealt(f"3S 3C 3D 4S 4C 4D 5S 5C 5D {SEVENS}", "", "", "")
REVOLT_ORDER = "A 3S 3C 3D /, A 4S 4C 4D /, A 5S 5C 5D /, A 7S 7C 7D 7H /, B *, C *"


@ENGINES
def test_t161_r25_each_game_begins_in_the_usual_order(engine):
    """After a game that ended in a revolution the highest cards are given by the usual order, which is in force."""
    ended = situation(REVOLT, REVOLT_ORDER)
    assert engine.outcome(ended).places == [0, 1, 2, 3]
    follow = situation(T160, ending("ABCD", T160, 3, (0, 1, 2, 3)), titles="ABCD")
    assert follow.exchange[:2] == GIFTS
    assert engine.follows([ended, follow]) is None
    usual = situation(T160, "D 3H", titles="ABCD")
    assert engine.legal(usual, moves_of("A 4S")[0])


@ENGINES
def test_m17_the_game_ends_when_the_last_but_one_goes_out(engine):
    """The last card of the last but one is not beaten, nor passed on."""
    game = whole("ABCD")
    over = game._replace(moves=game.moves)
    assert engine.outcome(over).places == [0, 1, 2, 3]
    for move in ("D", f"D {card_name(max(cards_in(game.hands[3])))}"):
        assert not engine.legal(over, moves_of(move)[0])


# What only a record can get wrong


def refused(situation, **changes):
    """Whether the referee refuses a record before any decision."""
    with pytest.raises(RecordError) as caught:
        tlsim.settle(record_of(situation) | changes, situation.rules)
    return caught.value.decision is None


def test_t169_in_a_record():
    game = whole("ABCD", titles="BDAC")
    assert refused(game, leader=1)  # not the winner (B35)
    assert refused(game, titles=None)
    assert refused(game, titles=[1, 3, 0])
    assert refused(game, titles=[1, 3, 0, 0])
    assert refused(game, titles=[3, 1, 0, 2])  # the exchange is of other seats then
    assert refused(game, exchange=[])
    assert refused(game, exchange=record_of(game)["exchange"][:2])
    assert refused(game, calls=[{"seat": 0, "call": "sam"}])
    assert refused(game, barred=0)


def test_r19_no_titles_in_the_first_game():
    game = whole("ABCD")
    assert refused(game, titles=[0, 1, 2, 3])
    assert refused(game, opening=False)
    assert refused(game, leader=1)


def test_l1_sizes_in_a_record():
    """P9: a rotation of 11 11 10 10 10."""
    for sizes in ((11, 10, 11, 10, 10), (10, 11, 10, 11, 10), (12, 10, 10, 10, 10), (11, 11, 11, 10, 9)):
        assert refused(whole("ABCDE", players=5, sizes=sizes))
    assert refused(whole("ABCD", sizes=(14, 13, 13, 12)))
    game = whole("ABCD")
    assert refused(game, hands=[*record_of(game)["hands"][:3]], players=3)  # for four or five (004#R1)


def test_r28_points_and_no_money_in_a_record():
    game = whole("BDAC")
    assert tlsim.settle(record_of(game)).record["points"] == [1, 3, 0, 2]
    assert refused(game, points=[3, 2, 1, 0])
    assert refused(game, transfers=[{"from": 0, "to": 1, "amount": 1, "reason": "place"}])
