"""The situations of RULES.md §3 (Tiến Lên presets) and the bug kinds of §4.1, played on every engine, by number.

Expected values come from RULES.md alone. How a situation is written stands in `situations`. Cases named after a rule
(E5, M8 …) instead of a number are its alternatives and details; B12 is bug 12 of §4.1.
"""

import math
import random
from typing import NamedTuple

import naive_game
import pytest
from situations import Move, Rows, Situation, Twin, hands_of, moves_of

from tlsim import load_rules
from tlsim.cards import DECK, cards_in, hand_of

TLMN = ("doithuong", "luckywin", "zing", "hue")
SOUTH = (*TLMN, "luckywin_points", "luckywin_cong_table")
ALL = (*SOUTH, "da_nang", "mien_bac")
RANKED = ("luckywin", "zing", "hue", "da_nang")  # by place, cóng by player


@pytest.fixture(params=[Twin, Rows], ids=["twin", "compiled"])
def engine(request):
    return request.param()


# Situations


class Case(NamedTuple):
    situation: Situation
    expected: object
    move: Move | None = None


def rules_of(name, changes=None, toi_trang=False):
    """A preset without tới trắng, which small hands would win by, unless it is the point."""
    return load_rules(name).replace(({} if toi_trang else {"toi_trang": False}) | (changes or {}))


IDS = set()


def param(case, number, name, note=""):
    ident = "-".join(filter(None, (number, name, note)))
    if ident in IDS and case.move:
        ident += f" {case.move.cards or 'pass'}"
    while ident in IDS:
        ident += "'"
    IDS.add(ident)
    return pytest.param(case, id=ident)


def filled(*texts, each=1):
    """Hands with some more plain cards, so that nobody goes out and nothing depends on it."""
    hands = hands_of(*texts)
    spare = [card for card in cards_in(DECK & ~sum(hands)) if card < 48]
    for seat in range(len(hands)):
        for _ in range(each):
            hands[seat] |= 1 << spare.pop(0)
    return hands


def full(*texts, shuffle=7):
    """Hands of 13: those given, the rest from the other cards in an order without meaning."""
    hands = hands_of(*texts) + [0] * (4 - len(texts))
    rest = sorted(cards_in(DECK & ~sum(hands)), key=lambda card: card * shuffle % 53)
    for seat in range(4):
        while hands[seat].bit_count() < 13:
            hands[seat] |= 1 << rest.pop()
    return hands


LEGAL, MONEY, NEXT = [], [], []


def legal(number, names, expected, hands, moves, move, changes=None, leader=0, opening=False, note="", toi_trang=False):
    for name in names:
        rules = rules_of(name, changes, toi_trang)
        case = Case(Situation(rules, hands, leader, opening, moves_of(moves)), expected, moves_of(move)[0])
        LEGAL.append(param(case, number, name, note))


def on(number, names, top, offered, expected, changes=None, note=""):
    """A leads, B offers a beat in his turn."""
    hands = filled(top, offered, "", "")
    legal(number, names, expected, hands, f"A {top}", f"B {offered}", changes, note=note or f"{offered} on {top}")


def lead(number, names, cards, expected, changes=None):
    legal(number, names, expected, filled(cards, "", "", ""), "", f"A {cards}", changes, note=f"lead {cards}")


def money(number, names, net, hands, moves, places=None, changes=None, leader=0, opening=False, note="", **more):
    """`net` may be by preset; `places` in letters."""
    toi_trang = more.pop("toi_trang", False)
    for name in names:
        nets = net[name] if isinstance(net, dict) else net
        expected = nets, places and ["ABCD".index(seat) for seat in places]
        rules = rules_of(name, changes, toi_trang)
        case = Case(Situation(rules, hands, leader, opening, moves_of(moves), **more), expected)
        MONEY.append(param(case, number, name, note))


def next_lead(number, names, expected, hands, moves, changes=None, leader=0, opening=False, note="", **more):
    toi_trang = more.pop("toi_trang", False)
    for name in names:
        rules = rules_of(name, changes, toi_trang)
        case = Case(Situation(rules, hands, leader, opening, moves_of(moves), **more), expected)
        NEXT.append(param(case, number, name, note))


# Where everybody has played: first all lay a queen, the last of them A, who leads; at the end all hold one jack.

QUEENS = {4: "B QS, C QC, D QD, A QH, B, C, D", 3: "B QS, C QC, A QH, B, C", 2: "B QS, A QH, B"}


def played(*texts):
    """Hands and opening moves of a table where everybody has played a queen and A leads."""
    number = len(texts)
    queens = ["QH", "QS", "QC", "QD"]
    return hands_of(*(f"{text} {queen}" for text, queen in zip(texts, queens, strict=False))), QUEENS[number] + ", "


def tail(first):
    """One jack each, in the order of going out: hands, and the moves from `first`, who leads, to the end."""
    order = ["ABCD"[(first + step) % 4] for step in range(4)]
    jacks = dict(zip(order, ("JS", "JC", "JD", "JH"), strict=True))
    moves = [f"{seat} {jacks[seat]}" for seat in order[:3]]
    return [jacks[seat] for seat in "ABCD"], moves


def settled(name, first):
    """What the tail pays: by place, in place points, or a card each where the cards are counted."""
    by_place = {"doithuong": (3, -1, -1, -1), "luckywin_points": (3, 2, 1, 0)}.get(name, (1, 0.5, -0.5, -1))
    return tuple(by_place[(seat - first) % 4] for seat in range(4))


def chain(number, prices, owned, trick, winner, transfers=None, changes=None, note=""):
    """A trick with chops, led by A, among four who have all played, then the tail from the trick's winner.

    `prices` by preset; `transfers` are (from, to) with the price, by default from the last victim named there.
    """
    last = "ABCD".index(winner)
    for name, price in prices.items():
        jacks, moves = tail(last)
        if name == "doithuong":
            moves = moves[:1]  # it stops at the first out
        hands, queens = played(*(f"{cards} {jack}" for cards, jack in zip(owned, jacks, strict=True)))
        net = list(settled(name, last))
        for payer, receiver in transfers or ():
            net["ABCD".index(payer)] -= price
            net["ABCD".index(receiver)] += price
        rules = rules_of(name, changes)
        situation = Situation(rules, hands, 1, False, moves_of(queens + trick + ", " + ", ".join(moves)))
        case = Case(situation, (tuple(net), None))
        MONEY.append(param(case, number, name, note))


FOUR_7 = "7S 7C 8S 8C 9S 9C TS TC"  # 4 pairs from 7
FOUR_6 = "6S 6C 7S 7C 8S 8C 9S 9C"
THREE_4 = "4S 4C 5S 5C 6S 6C"
FOUR_3 = "3S 3C 4S 4C 5S 5C 6S 6C"
KINGS = "KS KC KD KH"
NINES = "9S 9C 9D 9H"

# 3.1 Combinations and comparison

on("T1", TLMN, "3S", "3C", True)
on("T2", TLMN, "9H", "TS", True)
on("T2", TLMN, "TS", "9H", False)
on("T3", TLMN, "4C 4D", "4S 4H", True)
on("T3", TLMN, "4S 4H", "4C 4D", False)
on("T4", TLMN, "4D 4H", "5C 5D", True)
on("T5", TLMN, "5H 6H 7S", "5D 6S 7C", True)
on("T5", TLMN, "5D 6S 7C", "5H 6H 7S", False)
on("T6", TLMN, "TC JD QH", "QS KD AS", True)
on("T7", TLMN, "4C 5C 6C", "6H 7S 8H 9C", False)
on("C2", TLMN, "4C 5C 6C", "3H 4S 5H 6D", True, {"combinations.straight.longer_beats": True}, "longer_beats")
on("C2", TLMN, "3H 4S 5H 6D", "7C 8C 9C", False, {"combinations.straight.longer_beats": True}, "shorter")
lead("T8", TLMN, "KD AH 2C", False)
lead("T8", TLMN, "AS 2S 3D", False)
lead("T9", TLMN, "KS KC AS AC 2S 2C", False)
lead("T10", TLMN, "4S 4C 5S 5C", False)
on("T12", TLMN, "3S 3C 3D", "4S 4C 4D 4H", False)
on("T13", TLMN, "2S 2C 2D", NINES, False)
on("T13", TLMN, "2S 2C 2D", FOUR_3, False)
on("C13", TLMN, "2S 2C 2D", NINES, True, {"chop.triple2_beaten_by": ["tu_quy"]}, "tu_quy")
on("C13", TLMN, "2S 2C 2D", FOUR_3, True, {"chop.triple2_beaten_by": ["bon_doi_thong"]}, "bon_doi_thong")
on("C13", TLMN, "2S 2C 2D", FOUR_3, False, {"chop.triple2_beaten_by": ["tu_quy", "nam_doi_thong"]}, "four of five")
on("C13", TLMN, "2S 2C 2D", f"{FOUR_3} 7S 7C", True, {"chop.triple2_beaten_by": ["nam_doi_thong"]}, "nam_doi_thong")
SEVENS, EIGHTS = "7S 7C 7D 7H", "8S 8C 8D 8H"
on("T14", TLMN, SEVENS, EIGHTS, True)
on("T14", TLMN, EIGHTS, SEVENS, False)
SUPERSET = {"combinations.pair_run.long_runs": "superset_of_4"}
FIVE_4, FOUR_3_RED = "4S 4C 5S 5C 6S 6C 7S 7C 8S 8C", "3S 3D 4D 4H 5D 5H 6D 6H"
on("T15", TLMN, FOUR_3_RED, FIVE_4, False)
on("T15", TLMN, FOUR_3_RED, FIVE_4, True, SUPERSET, "superset_of_4")
on("C6", TLMN, "2H", FIVE_4, False, note="five pairs chop nothing")
on("C6", TLMN, "2H", FIVE_4, True, SUPERSET, "superset_of_4")
on("C6", TLMN, "4D 4H 5D 5H 6D 6H", FOUR_6, True, note="4 pairs on 3")
on("C5", TLMN, "5S 5C 6S 6C 7S 7D", "5D 5H 6D 6H 7C 7H", True)
legal("T17", ("luckywin", "zing"), True, hands_of("AH 3S", "2S", "3C 4C", "3D 4D"), "A AH", "B 2S")
SIX_7 = "7S 7C 8S 8C 9S 9C"
T18 = hands_of(SIX_7, "3C 4C", "3D 4D", "3H 4H")
legal("T18", TLMN, True, T18, "", f"A {SIX_7}")
legal("C12", TLMN, False, T18, "", f"A {SIX_7}", {"finish.with_hang": False}, note="with_hang=false")
legal("C12", TLMN, False, hands_of(KINGS, "3C", "3D", "3H"), "", f"A {KINGS}", {"finish.with_hang": False})
legal("C12", TLMN, True, hands_of(KINGS, "3C", "3D", "3H"), "", f"A {KINGS}")
legal("K10", TLMN, False, hands_of("AH 3S", "2S", "3C", "3D"), "A AH", "B 2S", {"finish.on_two": "forbid"})
legal("K10", TLMN, True, hands_of("AH 3S", "2S 4S", "3C", "3D"), "A AH", "B 2S", {"finish.on_two": "forbid"})
lead("T24", ("mien_bac",), "3S 3C 4S 4C 5S 5C", False)

# 3.2 Chop legality and the free 4ĐT

on("T25", SOUTH, "2H", THREE_4, True)
on("T25", ("da_nang", "mien_bac"), "2H", THREE_4, False)
on("T26", (*SOUTH, "da_nang"), "2S 2H", THREE_4, False)
on("T26", ("mien_bac",), "2D 2H", THREE_4, False)
on("T27", (*SOUTH, "da_nang"), "2S 2H", NINES, True)
on("T27", ("mien_bac",), "2D 2H", NINES, True)
on("T29", SOUTH, "2H", FOUR_3, True)
on("T29", ("da_nang",), "2H", FOUR_3, False)
on("T30", TLMN, "KS", NINES, False)
on("C18", TLMN, "KS KC", NINES, False)
on("C19", TLMN, THREE_4, NINES, True)
on("C17", TLMN, "QS QC KS KC AS AC", "4S 4C 4D 4H", True)
on("C21", TLMN, "2S", "2H", True)
on("C14", TLMN, "2S 2C 2D 2H", FOUR_3, True)
on("C14", TLMN, "2S 2C 2D 2H", "AS AC AD AH", False)
on("T32", TLMN, "AS AC AD AH", FOUR_3, True)
on("T32", ("da_nang",), "AS AC AD AH", FOUR_3, False)
on("J6", ("da_nang",), "3D 3H 4D 4H 5D 5H", FOUR_6, True, note="4 pairs on 3")
on("J6", ("da_nang",), "3D 3H 4D 4H 5D 5H", THREE_4, True, note="3 pairs on 3")
on("J6", ("da_nang",), "KS", THREE_4, False)
on("J6", ("da_nang",), "KS KD", THREE_4, True, {"combinations.pair_run.three": "trump"}, "trump")
on("J6", ("da_nang",), "2S", THREE_4, False, {"combinations.pair_run.three": "trump"}, "trump")
on("T34", TLMN, NINES, "3S 3C 4S 4C 5S 5C", False)

T37 = filled("5S 2H", FOUR_6, "TS", "3D")
T37_MOVES = "A 5S, B, C TS, D, A 2H"
legal("T37", TLMN, True, T37, T37_MOVES, f"B! {FOUR_6}")
AFTER_TURN = {"chop.free_4dt_mode": "after_pass_in_turn"}
NO_FREE = {"chop.free_4dt_mode": "none", "chop.after_pass": []}
legal("T37", TLMN, True, T37, T37_MOVES, f"B! {FOUR_6}", AFTER_TURN, note="after_pass_in_turn")
legal("T37", TLMN, False, T37, T37_MOVES, f"B! {FOUR_6}", NO_FREE, note="none")
D2 = filled("3S 2H", f"{NINES} {THREE_4}", "TS", "3D")
D2_MOVES = "A 3S, B, C TS, D, A 2H"
for bomb, name in ((NINES, "tu_quy"), (THREE_4, "ba_doi_thong")):
    legal("D2", TLMN, False, D2, D2_MOVES, f"B! {bomb}", note=name)
    legal("D2", TLMN, True, D2, D2_MOVES, f"B! {bomb}", {"chop.after_pass": [name]}, note=f"after_pass {name}")

T38 = filled("2H", "5S", "5C", FOUR_6)
legal("T38", TLMN, True, T38, "A 2H", f"D! {FOUR_6}")
legal("T38", TLMN, False, T38, "A 2H", f"D! {FOUR_6}", AFTER_TURN, note="after_pass_in_turn")
legal("T38", TLMN, True, T38, "A 2H, B, C", f"D {FOUR_6}", AFTER_TURN, note="D's turn")
legal("T38", TLMN, True, filled("2H", "3S", "3C", FIVE_4), "A 2H", f"D! {FIVE_4}", SUPERSET, note="superset_of_4")
legal("T39", TLMN, False, filled("AS", "5S", "5C", FOUR_6), "A AS", f"D! {FOUR_6}")
legal("T40", TLMN, False, filled("", "5S", "5C", f"2H {FOUR_6}"), "D 2H", f"D! {FOUR_6}", leader=3)
T42 = filled("2H 5C", "4S", "4C", FOUR_6)
legal("T42", TLMN, False, T42, "A 2H, B, C, D, A 5C", f"D! {FOUR_6}")
legal("T42", TLMN, True, T42, "A 2H, B, C, D", f"D! {FOUR_6}", note="before it closes")
T43 = hands_of("2H 5C", "4S TD", "4D TC", f"{FOUR_6} 3D 3H")
T43_MOVES = f"A 2H, D! {FOUR_6}, A, B, C, D 3D, A 5C"
money("T43", ("luckywin", "zing"), (3, -2, -2, 1), T43, T43_MOVES, "ADBC")
money("T43", ("doithuong",), (47, -26, -26, 5), T43, T43_MOVES, "A")
T44 = filled("4D 4H 2S 2D", "5D 5H", "", FOUR_3)
legal("T44", ("da_nang",), True, T44, "A 4D 4H, B 5D 5H, C, D, A 2S 2D", f"D! {FOUR_3}")
legal(
    "J6",
    ("da_nang",),
    False,
    filled("4D 4H 2S 2D", "AS AC AD AH", "", FOUR_3),
    "B AS AC AD AH",
    f"A! {FOUR_3}",
    leader=1,
)
T41 = filled("2H", "5S", "5C 5D", FOUR_6)
legal("T41", TLMN, True, T41, f"A 2H, D! {FOUR_6}, A, B, C", "D 3C" if "3C" in naive_game.names_of(T41[3]) else "D 3H")
legal("T41", TLMN, True, T41, f"A 2H, D! {FOUR_6}", "A", note="next after the chopper")
legal("T41", TLMN, False, T41, f"A 2H, D! {FOUR_6}", "B", note="not who was interrupted")
BACK = {"turn.pass_reset_on_chop": True}
D1 = filled("5S 2H", "6S", f"TS {NINES}", "6C")
D1_MOVES = f"A 5S, B, C TS, D, A 2H, C {NINES}"
legal("D1", TLMN, False, D1, D1_MOVES, "D", note="a chop lets nobody in")
legal("D1", TLMN, True, D1, D1_MOVES, "D", BACK, note="pass_reset_on_chop")
legal("D1", TLMN, True, D1, "A 5S, B, C TS, D, A 2H", "B", {"turn.pass_locks": False}, note="no locks: B again")
legal("D1", TLMN, False, D1, "A 5S, B, C TS, D, A 2H", "B", note="locks: not B")

# 3.3 Chop money

KNOWN = ("doithuong", "luckywin", "zing", "luckywin_points")


def by_preset(*prices):
    return dict(zip(KNOWN, prices, strict=True))


chain("T14", by_preset(8, 2, 1.5, 4), (SEVENS, EIGHTS, "", ""), f"A {SEVENS}, B {EIGHTS}, C, D, A", "B", ["AB"])
BOMB_ON_2S = ("2S", THREE_4, "", "")
chain("T46", {"luckywin": 0.5}, BOMB_ON_2S, f"A 2S, B {THREE_4}, C, D, A", "B", ["AB"])
CHAIN = ("2H", THREE_4, KINGS, FOUR_7)
CHAIN_MOVES = f"A 2H, B {THREE_4}, C {KINGS}, D {FOUR_7}, A, B, C"
chain("T47", by_preset(20, 4.5, 3.5, 12), CHAIN, CHAIN_MOVES, "D", ["CD"])
chain("E2", by_preset(24, 4, 4, 16), CHAIN, CHAIN_MOVES, "D", ["CD"], {"chop.chain": "doubling"}, "doubling")
for name, own in by_preset((6, 6, 8), (1, 1.5, 2), (1, 1, 1.5), (4, 4, 4)).items():
    (first, second, third), rest = own, settled(name, 3)
    jacks, moves = tail(3)
    hands, queens = played(*(f"{cards} {jack}" for cards, jack in zip(CHAIN, jacks, strict=True)))
    text = queens + CHAIN_MOVES + ", " + ", ".join(moves[:1] if name == "doithuong" else moves)
    net = (rest[0] - first, rest[1] + first - second, rest[2] + second - third, rest[3] + third)
    money("E2", (name,), net, hands, text, None, {"chop.chain": "each_pays_own"}, 1, note="each_pays_own")
PAIR_OF_2S = ("2S 2H", NINES, "", "")
chain("T48", by_preset(9, 1.5, 1.5, 5), PAIR_OF_2S, f"A 2S 2H, B {NINES}, C, D, A", "B", ["AB"])
chain("T49", by_preset(12, 2, 2, 7), ("2D 2H", FOUR_3, "", ""), f"A 2D 2H, B {FOUR_3}, C, D, A", "B", ["AB"])
LED = (THREE_4, NINES, "", "")
chain("T50", by_preset(6, 1.5, 1, 4), LED, f"A {THREE_4}, B {NINES}, C, D, A", "B", ["AB"])
LED_FREE = {"chop.pay_led_hang": False}
chain("E6", by_preset(0, 0, 0, 0), LED, f"A {THREE_4}, B {NINES}, C, D, A", "B", (), LED_FREE, "pay_led_hang")
SAME = {"chop.pay_same_class": False}
SAME_MOVES = f"A {SEVENS}, B {EIGHTS}, C, D, A"
chain("E6", by_preset(0, 0, 0, 0), (SEVENS, EIGHTS, "", ""), SAME_MOVES, "B", (), SAME, "pay_same_class")
OVERLAID = ("2S", "2H", NINES, "")
OVERLAID_MOVES = f"A 2S, B 2H, C {NINES}, D, A, B"
chain("E3", by_preset(6, 1, 1, 4), OVERLAID, OVERLAID_MOVES, "C", ["BC"])
OVER = {"chop.chain_includes_overlaid_twos": True}
chain("E3", by_preset(9, 1.5, 1.5, 5), OVERLAID, OVERLAID_MOVES, "C", ["BC"], OVER, "chain_includes_overlaid_twos")
ALL_2S = ("2S 2C 2D 2H", FOUR_3, "", "")
ALL_2S_MOVES = f"A 2S 2C 2D 2H, B {FOUR_3}, C, D, A"
chain("C14", by_preset(18, 3, 3, 10), ALL_2S, ALL_2S_MOVES, "B", ["AB"])
chain("C14", by_preset(8, 2, 1.5, 4), ALL_2S, ALL_2S_MOVES, "B", ["AB"], {"chop.four_twos_price": "quad"}, "quad")
DEARER = {"chop.prices.heo_co": 7}
chain("E7", by_preset(7, 7, 7, 7), ("2H", NINES, "", ""), f"A 2H, B {NINES}, C, D, A", "B", ["AB"], DEARER)
J6_UNPAID = ("3D 3H 4D 4H 5D 5H", THREE_4, KINGS, "")
J6_MOVES = f"A 3D 3H 4D 4H 5D 5H, B {THREE_4}, C"
chain("J6", {"da_nang": 0}, (*J6_UNPAID[:2], "", ""), f"{J6_MOVES}, D, A", "B", ())
chain("M3", {"da_nang": 1}, J6_UNPAID, f"{J6_MOVES} {KINGS}, D, A, B", "C", ["BC"], note="an unpaid link starts anew")
FREE = ("2H", "", "", FOUR_6)
chain(
    "B18", by_preset(6, 1, 1, 4), FREE, f"A 2H, B, D! {FOUR_6}, A, C", "D", ["AD"], note="the free chop is paid alike"
)

T51, FIRST = played("2H", f"{NINES} JS", "JC", "JD")
T51_MOVES = FIRST + f"A 2H, B {NINES}, C, D, B JS, C JC"
money("T51", ("luckywin", "zing", "da_nang"), (1, 0.5, -0.5, -1), T51, T51_MOVES, "ABCD", leader=1)
VOID = "chop.finisher_void_scope"
money("E5", ("luckywin",), (0, 1.5, -0.5, -1), T51, T51_MOVES, "ABCD", {VOID: "none"}, 1, note="none")
T52, _ = played("2H JD", THREE_4, f"{KINGS} JS", "JC")
T52_MOVES = FIRST + f"A 2H, B {THREE_4}, C {KINGS}, D, A, C JS, D JC"
money("T52", ("luckywin", "zing"), (-1, 1, 0.5, -0.5), T52, T52_MOVES, "BCDA", leader=1)
money("T52", ("luckywin",), (-2, 2, 0.5, -0.5), T52, T52_MOVES, "BCDA", {VOID: "link"}, 1, note="link")
money("T52", ("luckywin",), (-1, -1.5, 3, -0.5), T52, T52_MOVES, "BCDA", {VOID: "none"}, 1, note="none")
E5, _ = played("2H", f"{KINGS} JD", f"{FOUR_7} JS", "JC")
E5_MOVES = FIRST + f"A 2H, B {KINGS}, C {FOUR_7}, D, B, C JS, D JC"
money("E5ii", ("luckywin",), (1, -4, 3.5, -0.5), E5, E5_MOVES, "ACDB", leader=1)
money("E5ii", ("luckywin",), (1, -3, 2.5, -0.5), E5, E5_MOVES, "ACDB", {VOID: "link"}, 1, note="link")
T55, _ = played("2H", NINES, "JC", "JD")
money("T55", ("doithuong",), (10, -8, -1, -1), T55, FIRST + "A 2H", "A", leader=1)
legal("T55", ("doithuong",), False, T55, FIRST + "A 2H", f"B {NINES}", leader=1)

# 3.4 Tới trắng

DRAGON = "3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC 2H"
BARE = ("luckywin", "zing")
WIN = (3, -1, -1, -1)


def instant(number, names, net, *texts, declared="A", opening=False, leader=0, changes=None, note="", winner="A"):
    seats = tuple("ABCD".index(seat) for seat in declared)
    hands = full(*texts)
    money(number, names, net, hands, "", winner, changes, leader, opening, note, declared=seats, toi_trang=True)


def none(number, names, expected, *texts, opening=False, changes=None, note=""):
    """No tới trắng: A has to lead, and may lead his lowest card."""
    hands = full(*texts)
    low = naive_game.names_of(hands[0])[0]
    legal(number, names, expected, hands, "", f"A {low}", changes, 0, opening, note, toi_trang=True)


instant("T58", ("doithuong",), (27, -9, -9, -9), DRAGON)
instant("T59", ("doithuong",), (21, -7, -7, -7), "2S 2C 2D 4S 4C 4D 5S 5C 5D TS TC TD AH")
instant("T60", ("luckywin",), WIN, "3S 3C 3D 3H 5S 5C 5D 5H 8C 8D TS TC 7C")
T62 = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2S AC"
instant("T62", ("doithuong",), (27, -9, -9, -9), T62)
instant("T62", BARE, WIN, T62)
instant("T64", BARE, WIN, "3S 4S 5C 6S 7C 8S 9C JS QC KS AS 2C 4C")
T65 = "3S 3H 5S 5D 7S 7C 9S 9C JS JD 2S 2C KD"
instant("T65", ("doithuong",), (6, -2, -2, -2), T65)
instant("T65", ("luckywin", "zing", "hue"), WIN, T65)
T67 = "3S 3C 4S 4D 5C 5H 8S 9D JC QS KD AH 2C"
instant("T67", (*BARE, "da_nang"), WIN, T67, opening=True)
none("J10", ("mien_bac",), True, T67, opening=True)
none("T68", BARE, True, "3S 6S 6C 7S 7D 8C 8H 9D JC QS KD AH 2C", opening=True)
none("T69", BARE, True, DRAGON, opening=True)
instant(
    "T69", BARE, WIN, DRAGON, opening=True, changes={"toi_trang.opening_list_mode": "additional"}, note="additional"
)
none("T70", BARE, True, "3S 3C 3D 3H 5S 6C 7D 9H TS JC QD KH AS")
SIX_PAIRS = "4S 4H 5S 5D 7S 7C 9S 9C JS JD 2S 2C KD"
T72 = ("", SIX_PAIRS, "3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC 2H")
instant("T72", ("zing",), (-1, 3, -1, -1), *T72, declared="BC", winner="B")
instant("T72", ("doithuong",), (-9, -9, 27, -9), *T72, declared="BC", winner="C")
SIX_RUN = "4S 4C 5S 5C 6S 6C 7S 7C 8S 8C 9S 9C KH"
TWOS = "2S 2H 3S TC TD JC JD QC QD KD AC AD 4H"
instant("T74", ("doithuong",), (24, -8, -8, -8), SIX_RUN, TWOS, "2C 2D")
FIVE_RUN = "4S 4C 5S 5C 6S 6C 7S 7C 8S 8C 9S TH 2D"
F9 = (FIVE_RUN, "2S 2H 2C 3S TC JC 5D 6D QD KD 7D AD 4D", "3C 3D 4H 6H 7H 8D 9D TS JS QS KS AS QC")
instant("F9", ("doithuong",), (24, -16, -4, -4), *F9, note="heo counted")
next_lead("T76", BARE, (None, True), full("3S 3C 3D 3H 5S 5C 5D 5H 8C 8D TS TC 7C"), "", toi_trang=True)
WINNER_LEADS = {"toi_trang.after_instant_win": "winner_leads"}
T76 = full("3S 3C 3D 3H 5S 5C 5D 5H 8C 8D TS TC 7C")
next_lead("B4", BARE, (0, False), T76, "", WINNER_LEADS, toi_trang=True)
none("F7", ("doithuong",), True, DRAGON, note="not declared")

# 3.5 Lead, pass, hưởng sái

T78 = filled("3S 4C 5D", "6S", "6C", "6D")
SPADE_OPENS = ("doithuong", "luckywin", "zing")
legal("T78", SPADE_OPENS, False, T78, "", "A 4C", opening=True)
legal("T78", SPADE_OPENS, True, T78, "", "A 3S 4C 5D", opening=True)
legal("T78", SPADE_OPENS, True, T78, "", "A 3S", opening=True, note="3S alone")
legal("T78", SPADE_OPENS, False, T78, "", "A", opening=True, note="pass")
legal("T78", SPADE_OPENS, True, T78, "", "A 4C", note="no opening game")
T81 = filled("5S KS", "AS", "8S", "JS")
legal("T81", TLMN, False, T81, "A 5S, B, C 8S, D JS, A KS", "B AS")
legal("T81", TLMN, True, T81, "A 5S, B, C 8S, D JS, A KS", "C", note="C is asked")
T82 = hands_of("5S KS", "6C 6D", "7S 9C", "8S 9D")
T82_MOVES = "A 5S, B, C 7S, D 8S, A KS, C, D"
PLAY_ON = {"end_condition": "last_one"}
NO_CONG = {"cong": False, "den_cong": False, "lead.next": ["winner"]}
for presets, changes in ((RANKED, NO_CONG), (("doithuong",), PLAY_ON | NO_CONG)):  # for B has not played
    legal("T82", presets, True, T82, T82_MOVES, "B 6C 6D", changes)
    legal("T82", presets, False, T82, T82_MOVES, "C 9C", changes)
    legal("T82", presets, False, T82, T82_MOVES, "B", changes, note="no pass")
T83, QUEENS_4 = played("3D 9D KS", "4S", "5C TC TH", "6C TD JD")
T83_MOVES = QUEENS_4 + "A 3D, B 4S, C 5C, D 6C, A 9D, C, D, A KS, C, D"
for presets, changes in ((RANKED, None), (("doithuong",), PLAY_ON)):
    legal("T83", presets, True, T83, T83_MOVES, "C TC TH", changes, leader=1)
    legal("T83", presets, False, T83, T83_MOVES, "D TD", changes, leader=1)
T85 = filled("2H 4S 4C", "5S", "5C", "5D")
legal("T85", TLMN, True, T85, "A 2H, B, C, D", "A 4S 4C")
legal("T85", TLMN, False, T85, "A 2H, B, C, D", "A")
legal("T85", TLMN, False, T85, "A 2H, B, C, D", "B 5S")
T86 = filled("3S", "", "3C 4C", "")
legal("T86", ("hue",), False, T86, "", "C 4C", leader=2, opening=True)
legal("T86", ("hue",), True, T86, "", "C 3C", leader=2, opening=True)
legal("B2", SPADE_OPENS, False, hands_of("4C 5S", "3D 7S", "6S 8S"), "", "B 7S", leader=1, opening=True)
legal("B2", SPADE_OPENS, True, hands_of("4C 5S", "3D 7S", "6S 8S"), "", "B 3D", leader=1, opening=True)
FREE_LOWEST = {"lead.opening_fallback": "lowest_free"}
legal("B2", SPADE_OPENS, True, hands_of("4C 5S", "3D 7S", "6S 8S"), "", "B 7S", FREE_LOWEST, 1, True, "lowest_free")
T88 = hands_of("5S 6S", "4S", "4C", "7D")
T88_MOVES = "A 5S, B, C, D, A 6S"
next_lead("T88", ("doithuong", *RANKED), (3, False), T88, T88_MOVES)
next_lead("T88", ("luckywin",), (0, False), hands_of("5S 6S", "4S", "4C", "4D"), T88_MOVES, note="no đền")

# 3.6 Settlement by place and thối


def places(number, names, net, last, changes=None, note=""):
    """A, B, C go out on jacks in this order (or on what `last` says), the last player keeps his cards."""
    hands, queens = played(*last)
    firsts = [f"{seat} {cards}" for seat, cards in zip("ABCD", last[:-1], strict=False)]
    money(number, names, net, hands, queens + ", ".join(firsts), "ABCD"[: len(last)], changes, 1, note=note)


places("T90", RANKED, (1, 0.5, -0.5, -1), ("JS", "JC", "JD", "JH"))
places("T90", ("luckywin_points",), (3, 2, 1, 0), ("JS", "JC", "JD", "JH"))
places("T91", RANKED, (1, 0.5, 0, -1.5), ("JS", "JC", "JD", "2S"))
places("H3", ("luckywin",), (1.5, 0.5, -0.5, -1.5), ("JS", "JC", "JD", "2S"), {"thoi.receiver": "first"})
places("T93", ("luckywin",), (1, 1, -2), ("JS", "JC", "2H"))
places("T94", ("luckywin",), (3, -3), ("JS", NINES))
places("T94", ("zing",), (2.5, -2.5), ("JS", NINES))
places("T96", RANKED, (1, 0.5, -0.5, -1), ("JS", "JC", "2H", "JH"))
PARTITION = "4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 7S 7C"
places("H4", ("luckywin",), (5, -5), ("JS", PARTITION))  # 4 + 1: two quads
GREEDY = {"thoi.hang_partition": "greedy"}
places("H4", ("luckywin",), (1 + 2.5, -1 - 2.5), ("JS", PARTITION), GREEDY, "greedy")
places("thoi", ("luckywin",), (1.5, -1.5), ("JS", "2S 9S 9C 9D 9H"), {"thoi.hang": False}, "only twos")
places("thoi", ("luckywin",), (1, -1), ("JS", "2S 9S 9C 9D 9H"), {"thoi": False}, "none")

# 3.7 Cóng and đền

T98 = hands_of("QS QH JS", "QC 5C", "4C 5S", "4D 5D")
T98_MOVES = "A QS, B QC, C, D, A QH, B, A JS"
money("T98", RANKED, (4, 0, -2, -2), T98, T98_MOVES, "ABCD")
money("M9", ("luckywin_points",), (15, 2, -6, -6), T98, T98_MOVES, "ABCD")
T99 = hands_of("AH KS", "4C 5C", "4D 5D", "4H 5H")
T99_MOVES = "A AH, B, C, D, A KS"
money("T99", RANKED, (6, -2, -2, -2), T99, T99_MOVES, "ABCD")
money("G2", ("doithuong",), (78, -26, -26, -26), T99, T99_MOVES, "A")
T102 = hands_of("AH 5S", "4C 6C", "4D", "4H")
money("T102", RANKED, (6, -2, -2, -2), T102, "A AH, B, C, D, A 5S", "ABCD")
G4 = hands_of("5S 6S KS", "4C", "7D 4D", "7H 4H")
G4_MOVES = "A 5S, B, C, D, A 6S, B, C, D, A KS"
money("G4", ("luckywin",), (6, -2, -2, -2), G4, G4_MOVES, "ABCD", note="two could: nobody")
money("G4", ("zing", "hue", "da_nang"), (6, 0, -6, 0), G4, G4_MOVES, "ABCD", note="first in order")
money("G4", ("luckywin",), (6, 0, -6, 0), G4, G4_MOVES, "ABCD", {"den_cong.method": "first_in_order"}, note="option")
money("G4", ("zing",), (6, -2, -2, -2), G4, G4_MOVES, "ABCD", {"den_cong.method": "sole_holder"}, note="option")
M8 = hands_of("5S 6H KS", "4C", "6D 4D", "6S AH")
M8_MOVES = "A 5S, B, C, D, A 6H, B, C, D, A KS"
money("M8", ("luckywin",), (6, 0, 0, -6), M8, M8_MOVES, "ABCD", note="a later play")
money("G4", ("zing",), (6, 0, -6, 0), M8, M8_MOVES, "ABCD", note="seat first")
G4_PLAYS = hands_of("9S 6H KS", "4C 5C", "TS 4D", "7S 4H")
money("G4", ("zing",), (6, 0, -6, 0), G4_PLAYS, "A 9S, B, C, D, A 6H, B, C, D, A KS", "ABCD", note="seat C first")
G4_SEATS = hands_of("9S 6H KS", "4C 7C", "TS 4D", "5D 4H")
G4_SEATS_MOVES = "A 9S, B, C, D, A 6H, B, C, D, A KS"
money("G4", ("zing",), (6, -6, 0, 0), G4_SEATS, G4_SEATS_MOVES, "ABCD", note="seat_first: B, though C could before")
PLAY_FIRST = {"den_cong.scan": "play_first"}
money("G4", ("zing",), (6, 0, -6, 0), G4_SEATS, G4_SEATS_MOVES, "ABCD", PLAY_FIRST, note="play_first: C")
G6 = hands_of("5S 6S KS", "4C 2S", "4D 5D", f"4H {NINES}")
money("G6", ("zing",), (8, -8, 0, 0), G6, G4_MOVES, "ABCD", note="items of all")
T104 = hands_of("5S 6S", "4C 7C", "4D")
T104_MOVES = "A 5S, B, C, A 6S"
money("T104", ("zing", "luckywin"), (4, -4, 0), T104, T104_MOVES, "ABC")
money("G5", ("zing",), (4, -2, -2), T104, T104_MOVES, "ABC", {"den_cong.min_opponents": 3})
money("T105", ("zing", "luckywin"), (2, -2), hands_of("5S 6S", "4C 7C"), "A 5S, B, A 6S", "AB")
TABLE = ("luckywin_cong_table",)
T106 = hands_of("QS KS JS", "QC 5C", "QD 4C", "4D 5D")
money("T106", TABLE, (3, 0, 0, -3), T106, "A QS, B QC, C QD, D, A KS, B, C, A JS", "A", note="one")
money("T106", TABLE, (3, 0, -1.5, -1.5), T98, T98_MOVES, "ABCD", note="two")
money("T106", TABLE, (3, -1, -1, -1), T99, T99_MOVES, "ABCD", note="three")
EACH = {"cong.payee": "to_each"}
money("G7", TABLE, (1, 1, 1, -3), T106, "A QS, B QC, C QD, D, A KS, B, C, A JS", "A", EACH, note="to_each")
G3 = hands_of("QS KS JS", "QC AC 5C", "QD 5H", "4D 2S")
G3_MOVES = "A QS, B QC, C QD, D, A KS, B, C, A JS, B AC, C, B 5C"
money("G3", RANKED, (2.5, 0.5, -0.5, -2.5), G3, G3_MOVES, "ABCD", note="one cóng, his heo to the first")
M6 = hands_of("QS KS JS", "QC AC 5C", "QD 2H", "4D 5D")
money("M6", ("luckywin",), (2, 0.5, -0.5, -2), M6, G3_MOVES, "ABCD", note="no thối for C")

# 3.8 doithuong: đếm lá

COUNT = ("doithuong",)
ADD = {"count_cards.items": "add"}


def counted(number, net, *left, changes=None, note="", names=COUNT, last="JS"):
    """A goes out, the others hold these cards; everybody has played."""
    hands, queens = played(last, *left)
    money(number, names, net, hands, queens + f"A {last}", "A", changes, 1, note=note)


T108 = ("5C 9D 2S", "4S 4C 4D 4H 7S", "KS KH")
counted("T108", (16, -5, -9, -2), *T108)
counted("T108", (21, -6, -13, -2), *T108, changes=ADD, note="add")
counted("T108", (10, -3, -5, -2), *T108, changes={"thoi": False}, note="no thối")
counted("T109", (12, -12), "2D 2H")
counted("T110", (6, -6), "2S 2C")
counted("T110", (9, -9), "2C 2D")
counted("T111", (12, -12), "6S 6C 7S 7C 8S 8C 2H")
counted("T113", (14, -14), "5S 5C 5D 5H 6S 6C 7S 7C 8S 8C")
counted("H4", (20, -20), PARTITION)
counted("H4", (16, -16), PARTITION, changes=GREEDY, note="greedy")
T115 = hands_of("QS JS", "2H 4S 4C 4D 4H 3S 6C 7D 9H TS JC QD KH")
money("T115", COUNT, (40, -40), T115, "A QS, B, A JS", "A")
T116, _ = played("3S", "JC", "JD", "JH")
money("T116", COUNT, (78, -26, -26, -26), T116, FIRST + "A 3S, B, C, D", "A", leader=1)
money("I1", COUNT, (78, -26, -26, -26), T116, FIRST + "A 3S", "A", {"ket_3_bich.window": "none"}, 1, note="window none")
money("R29", COUNT, (-78, 26, 26, 26), T116, FIRST + "A 3S, B, C JD", "C", leader=1)
PAYEES = "ket_3_bich.block_payees"
money("I2", COUNT, (-52, 0, 26, 26), T116, FIRST + "A 3S, B, C JD", "C", {PAYEES: "not_passed"}, 1)
money("I2", COUNT, (-26, 0, 26, 0), T116, FIRST + "A 3S, B, C JD", "C", {PAYEES: "laid_card"}, 1, note="laid_card")
money(
    "I2", COUNT, (-26, 0, 26, 0), T116, FIRST + "A 3S, B, C JD", "C", {PAYEES: "blocker_only"}, 1, note="blocker_only"
)
next_lead("I3", COUNT, (2, False), T116, FIRST + "A 3S, B, C JD", leader=1)
CONTINUE = {"ket_3_bich.after_block": "continue"}
I3, _ = played("3S", "JC TD", "JD TH", "JH TS")
I3_MOVES = FIRST + "A 3S, B, C JD, D, C TH"
money("I3", COUNT, (-78, 26 - 2, 26 + 4, 26 - 2), I3, I3_MOVES, "C", CONTINUE, 1, note="continue")
counted("T118", (3, -1, -1, -1), "JC", "JD", "JH", last="3S 3C")
T118, _ = played("3S 3C", "JC", "JD", "JH")
ANY_3S = {"ket_3_bich.single_only": False}
money("T118", COUNT, (78, -26, -26, -26), T118, FIRST + "A 3S 3C, B, C, D", "A", ANY_3S, 1, note="single_only=false")
counted("T119", (1, -1), "3S")

# 3.9 Regions

HUE = ("hue",)
T120, _ = played("3S", "JC", "JD", "JH")
money("T120", HUE, (3, -1, -1, -1), T120, FIRST + "A 3S", "A", leader=1)
J4, _ = played("JS", "KS 3S", "JC", "JD")
J4_MOVES = FIRST + "A JS, B KS, C, D, B 3S"
money("J4", HUE, (1, 1, -1, -1), J4, J4_MOVES, "AB", leader=1)
BOTH = {"dut_3_bich.dut_second_payee": "both_to_first"}
money("J4", HUE, (2, 0, -1, -1), J4, J4_MOVES, "AB", BOTH, 1, note="both_to_first")
M11, TWO_QUEENS = played("3S", "JC")
money("M11", HUE, (1, -1), M11, TWO_QUEENS + "A 3S", leader=1)
places("T122", HUE, (1, 0.5, 0.5, -2), ("JS", "JC", "JD", "3S 8D"))
T123 = hands_of("3S 3C 3D 3H 4D QH", "QS JC", "QC 2H JD", "QD JH")
T123_MOVES = "A 3C, B QS, C QC, D QD, A QH, B, C, D, A 4D, B, C 2H, D"
T123_REST = ", A 3S=quad, C, A 3D 3H, B, C, D, B JC, C JD"
legal("T123", HUE, True, T123, T123_MOVES, "A 3S=quad", opening=True)
legal("T123", HUE, False, T123, T123_MOVES, "A 3S", opening=True)
money("T123", HUE, (2, 0.5, -1.5, -1), T123, T123_MOVES + T123_REST, "ABCD", opening=True)
T124_MOVES = T123_MOVES.replace("A 3C, B QS, C QC, D QD, A QH, B, C, D", "A 3S 3C, B, C, D")
legal("T124", HUE, False, T123, T124_MOVES, "A 3D", opening=True)
legal("T124", HUE, False, T123, T124_MOVES, "A 3D=quad", opening=True)
REMAINING = {"residual.quad3_residual": "remaining_threes"}
legal("J2", HUE, True, T123, T123_MOVES, "A 3S 3D 3H=quad", REMAINING, opening=True)
legal("J2", HUE, False, T123, T123_MOVES, "A 3S=quad", REMAINING, opening=True)
legal("J2", HUE, False, T123, T123_MOVES, "A 3S=quad", {"residual": False}, opening=True, note="none")
legal("T126", HUE, False, T123, T123_MOVES, "A 3S=quad")
J3 = hands_of("3S 3C 4S 4C 5S 5C 6S 6C 6D 7S", "8S KC", "8C 2H KD", "8D KH")
J3_MOVES = "A 3S 3C 4S 4C 5S 5C, B, C, D, A 7S, B, C 2H"
legal("J3", HUE, True, J3, J3_MOVES, "A! 6S 6D=pair_run_4", opening=True, note="free")
legal("J3", HUE, True, J3, J3_MOVES + ", D", "A 6S 6C=pair_run_4", opening=True)
legal("J3", HUE, False, J3, J3_MOVES + ", D", "A 6S 6C", opening=True)
legal("J3", HUE, False, J3, J3_MOVES + ", D", "A 6S 6C=pair_run_4", note="hand 2")
NORTH = ("mien_bac",)
on("T127", NORTH, "7H", "9S", False)
on("T127", NORTH, "7H", "9H", True)
on("T127", NORTH, "7H", "2S", True)
on("T127", NORTH, "2S", "2H", True)
on("J7", NORTH, "7S 7C", "9S 9C", True)
on("J7", NORTH, "7S 7C", "9D 9H", False)
on("J7", NORTH, "7S 7C", "2D 2H", True)
on("J7", NORTH, "7S 7C 7D", "9S 9C 9D", True)
on("J7", NORTH, "5S 6S 7S", "8S 9S TS", True)
on("J7", NORTH, "5S 6S 7S", "8H 9H TH", False)
lead("J7", NORTH, "7S 7D", False)
lead("M13", NORTH, "2S 2D", False)
FIRST_CARD = {"combinations.suit_match": "match_first_card_only"}
on("J7", NORTH, "5S 6D 7S", "6S 7H 8D", True, FIRST_CARD, "match_first_card_only")
on("J7", NORTH, "5S 6D 7S", "6H 7D 8D", False, FIRST_CARD, "match_first_card_only, hearts")
lead("T129", NORTH, "5S 6S 7S", True)
lead("T129", NORTH, "5S 6D 7S", False)
T130 = hands_of("4H 8H 2H", "5H 9S", "6H TS", "7H JS")
T130_MOVES = "A 4H, B 5H, C 6H, D 7H, A 8H, B, C, D, A 2H, B, C, D, B 9S, C TS"
money("T130", NORTH, (-1, 1, 0.5, -0.5), T130, T130_MOVES, "BCDA")
money("J8", NORTH, (1, 0.5, -0.5, -1), T130, T130_MOVES, "ABCD", {"finish.on_two": "allow"}, note="allow")
FORBID = {"finish.on_two": "forbid"}
legal("J8", NORTH, False, hands_of("3S 5C", "2H", "6C", "7C"), "A 3S", "B 2H", FORBID, note="forbid")
TWO_LATE = hands_of("4H 8H 2H", "5H 2S 3S", "6H TC", "7H JC")
TWO_LATE_MOVES = "A 4H, B 5H, C 6H, D 7H, A 8H, B, C, D, A 2H, B, C, D, B 3S, C, D, B 2S, C, D, C TC"
money("M13", NORTH, (-1, -0.5, 1, 0.5), TWO_LATE, TWO_LATE_MOVES, "CDBA", note="two go out on a 2")
T132 = hands_of("3S 5S KS 7C 7D 7H", "AS 4D 4C", "4S 8D", "6D 8C")
T132_MOVES = "A 3S, B, C 4S, D, A 5S, C, A KS, B AS"
legal("T132", NORTH, True, T132, T132_MOVES, "C")
J9 = hands_of("3S KS 7C 7D 7H", "AS 4D 4C", "4S 8D", "6D 8C")
J9_MOVES = "A 3S, B, C, D, A KS, B AS"
money("J9", NORTH, (-3, 1, 1, 1), J9, J9_MOVES, "B")
next_lead("J9", NORTH, (1, False), J9, J9_MOVES)
legal("J9", NORTH, False, J9, J9_MOVES, "C", note="the hand is over")
GOES_ON = {"den_ca_lang.hand_ends": False}
legal("J9", NORTH, True, J9, J9_MOVES, "C", GOES_ON, note="hand_ends=false")
places("T133", ("da_nang",), (1, 0.5, 1.5, -3), ("JS", "JC", "JD", FOUR_3))
BONUS = {"chop.four_pairs_bonus": 1}
places("J6", ("da_nang",), (0, -0.5, 0.5, 0), ("JS", "JC", "JD", FOUR_3), BONUS, "four_pairs_bonus")


@pytest.mark.parametrize("case", LEGAL)
def test_legal(engine, case):
    assert engine.legal(case.situation, case.move) is case.expected


@pytest.mark.parametrize("case", MONEY)
def test_money(engine, case):
    found = engine.outcome(case.situation)
    expected, order = case.expected
    assert found.net == expected
    assert order is None or found.places == order


@pytest.mark.parametrize("case", NEXT)
def test_lead_after(engine, case):
    found = engine.outcome(case.situation)
    assert (found.next_leader, found.next_opening) == case.expected


@pytest.mark.parametrize(
    ("name", "hands", "seat"),
    [
        pytest.param("hue", ("3S", "4S", "3C 4C", "5S"), 2, id="T86-hue"),
        pytest.param("luckywin", ("3C", "4S", "3S 4C", "5S"), 2, id="T76-luckywin"),
        pytest.param("zing", ("4C 5S", "3D 7S", "3H 8S"), 1, id="B2-zing"),
        pytest.param("hue", ("3S 5S", "3D 7S"), 0, id="B2-hue"),
    ],
)
def test_opening_leader(engine, name, hands, seat):
    assert engine.opening_leader(load_rules(name), hands_of(*hands)) == seat


def test_direction_turns_after_every_hand():
    """B6: doithuong alone; the seat after A is D in the next game."""
    for name in ALL:
        game = naive_game.play(rules_of(name), hands_of("3S", "4S", "5S"), 0, True)
        assert game.next_direction == (-1 if name == "doithuong" else 1), name
    game = naive_game.Game(rules_of("luckywin"), filled("3S", "4S", "5S"), 0, False, direction=-1)
    game.choose(naive_game.Play(hand_of("3S")))
    assert game.asked == (2, "follow")


# §3.12 and the bugs of §4.1 that are properties of all games, not situations


def dealt(rng, players, cards, size):
    rng.shuffle(cards)
    return [sum(1 << card for card in cards[seat * size : (seat + 1) * size]) for seat in range(players)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ALL)
def test_whole_games(name, players):
    """Money sums to zero (in `Game`), no card twice, none lost, the game ends (properties 1 and 2; B10, B24, B51)."""
    rng = random.Random(f"{name} {players}")
    rules = load_rules(name)
    for decide in (naive_game.lowest, naive_game.at_random(rng)) * 3:
        hands = dealt(rng, players, list(range(52)), 13)
        opening = rng.random() < 0.5
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
        game = naive_game.play(rules, hands, leader, opening, rng.choice([1, -1]), decide)
        record = naive_game.record_of(game)
        laid = [card for entry in record["plays"] for card in entry["cards"]]
        left = [card for hand in game.hands for card in naive_game.names_of(hand)]
        assert len({*laid, *left, *record["undealt"]}) == 52 == len(laid + left + record["undealt"])
        assert math.isclose(sum(record["net"]), sum(record.get("points", [])))


@pytest.mark.parametrize("name", ALL)
def test_the_legal_set_is_all_that_is_legal(name):
    """Properties 3 and 4: what is generated is what the definition admits, of all sets of cards; a leader can lead."""
    rng = random.Random(name)
    rules = load_rules(name)

    def decide(game):
        seat, what = game.asked
        if what != "declare":
            hand = game.hands[seat]
            found = {naive_game.Play(cards, as_) for cards in subsets(hand) for as_ in (None, "quad", "pair_run_4")}
            found = {play for play in found if game.is_legal(play)}
            assert game.legal() == (found if what == "lead" else found | {naive_game.PASS})
            assert found or what != "lead"
        return at_random(game)

    at_random = naive_game.at_random(rng)
    for _ in range(4):
        low = rng.randrange(6)
        hands = dealt(rng, 3, list(range(4 * low, 4 * low + 28)), 8)
        opening = rng.random() < 0.5
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(3)
        naive_game.play(rules, hands, leader, opening, 1, decide)


def subsets(hand):
    """Every set of cards of a hand but the empty one."""
    cards = hand
    while cards:
        yield cards
        cards = (cards - 1) & hand
