"""The situations of RULES.md §3 on Sâm lốc and the bug kinds of §4.2, played on every engine, by number.

Expected values come from RULES.md alone. How a situation is written stands in `situations`. Hands are whole, filled up
with cards on which nothing depends, so that the compiled engine can referee every situation as a record. §3.10 leaves
out T137, T140, T143, T149 and T154; what they would be stands here under its rule (K4, R17, R39, R50, K14). Cases named
after a rule instead of a number are its alternatives and details; R50 is 003#R50, S9 a reading that the engines share,
B27 bug 27 of §4.2.
"""

from typing import NamedTuple

import naive_game
import pytest
from situations import (
    SEATS,
    Move,
    Records,
    Situation,
    Twin,
    balanced,
    changed,
    deal,
    holders,
    line,
    moves_of,
    record_of,
)

import tlsim
from tlsim.records.model import RecordError

ENGINES = pytest.mark.parametrize("engine", [Twin(), Records()], ids=["twin", "compiled"])


class Case(NamedTuple):
    situation: Situation
    expected: object
    move: Move | None = None


LEGAL, MONEY, PAYMENTS, NEXT, ACCEPTED, FOLLOWS = [], [], [], [], [], []
IDS = set()


def param(case, number, note=""):
    ident = "-".join(filter(None, (number, note)))
    if ident in IDS and case.move:
        ident += f" {case.move.cards or 'pass'}"
    while ident in IDS:
        ident += "'"
    IDS.add(ident)
    return pytest.param(case, id=ident)


def dealt(*texts, players=4, opening=False, white=False, out=""):
    """Whole hands without a tới trắng; with `white` those that are given may hold one."""
    rules = tlsim.load_rules("sam_loc")
    given = {seat for seat, text in enumerate(texts) if text} if white else set()

    def good(hands):
        return all(
            set(holders(rules, hands, opening=each)) <= given for each in ({opening} if not white else {True, False})
        )

    return deal(*texts, sizes=[10] * players, out=out, good=good)


def situation(hands, moves, changes=None, leader="A", **more):
    """Letters are seats; a caller leads."""
    rules = changed("sam_loc", changes)
    lead = SEATS.index(leader)
    sam = tuple(SEATS.index(seat) for seat in more.pop("sam", ""))
    direction, players = more.get("direction", 1), len(hands)
    first = next((s for step in range(players) if (s := (lead + direction * step) % players) in sam), lead)
    if isinstance(moves, str):
        moves = line(moves, hands, first, direction, locks=rules.turn.pass_locks)
    return Situation(rules, hands, lead, moves=moves, sam=sam, **more)


def legal(number, expected, hands, moves, move, changes=None, note="", **more):
    LEGAL.append(param(Case(situation(hands, moves, changes, **more), expected, moves_of(move)[0]), number, note))


def on(number, top, offered, expected, changes=None, note="", players=4, **more):
    """A leads, B offers a beat in his turn."""
    hands = dealt(top, offered, players=players)
    legal(number, expected, hands, f"A {top}", f"B {offered}", changes, note or f"{offered} on {top}", **more)


def lead(number, cards, expected, changes=None, note="", **more):
    hands = dealt(cards, white=bool(changes))
    legal(number, expected, hands, "", f"A {cards}", changes, note or f"lead {cards}", **more)


def pays(number, net, hands, moves, changes=None, note="", places=None, **more):
    """What a whole game pays, and who is placed, in letters."""
    expected = net, None if places is None else [SEATS.index(seat) for seat in places]
    MONEY.append(param(Case(situation(hands, moves, changes, **more), expected), number, note))


def paid(number, expected, hands, moves, changes=None, note="", **more):
    """Payments for some reasons: {"chop": {"BC": 30}} is all that is paid for chops."""
    PAYMENTS.append(param(Case(situation(hands, moves, changes, **more), expected), number, note))


def next_lead(number, expected, hands, moves, changes=None, note="", **more):
    """Who leads next, in a letter, or None after which the deal decides."""
    after = (None, True) if expected is None else (SEATS.index(expected), False)
    NEXT.append(param(Case(situation(hands, moves, changes, **more), after), number, note))


def lowest(hand):
    return naive_game.names_of(hand)[0]


def second(hand):
    return naive_game.names_of(hand)[1]


def highest(hand):
    return naive_game.names_of(hand)[-1]


def accepted(number, expected, hands, changes=None, note="", **more):
    """Whether a game may begin so: leader, calls."""
    ACCEPTED.append(param(Case(situation(hands, "", changes, **more), expected), number, note))


SEVENS, EIGHTS, NINES = "7S 7C 7D 7H", "8S 8C 8D 8H", "9S 9C 9D 9H"
THREE_4, THREE_4_RED = "4S 4C 5S 5C 6S 6C", "4D 4H 5D 5H 6D 6H"
FOUR_3, FOUR_6 = "3S 3C 4S 4C 5S 5C 6S 6C", "6S 6C 7S 7C 8S 8C 9S 9C"
FIVE_4 = f"{THREE_4} 7S 7C 8S 8C"
NO_WHITE = {"toi_trang": False}

# 3.1 Combinations and comparison (003#R1-R3, R5, R19-R31)

on("T7", "4C 5C 6C", "6H 7S 8H 9C", False)
on("C2", "4C 5C 6C", "3H 4S 5H 6D", True, {"combinations.straight.longer_beats": True}, "longer_beats")
for cards in ("3S", "2H", "4S 4D", "4S 4C 4D", NINES, "3S 4D 5C", "JS QD KC AH", "QS QC KS KC AS AC", FOUR_3):
    lead("R19", cards, True)
lead("R23", "3S 4D", False)
lead("T8", "KD AH 2C", False)
lead("T8", "JD QH KD AH 2C", False)
lead("T9", "KS KC AS AC 2S 2C", False)
lead("R25", "AS AC 2S 2C 3S 3C", False)
lead("R25", "2S 2C 3S 3C 4S 4C", False)
lead("T10", "4S 4C 5S 5C", False)
lead("R19", "4S 5S", False)
lead("R19", "4S 4C 4D 5S 5C 5D", False)
lead("R19", "4S 4C 4D 5S", False)
on("T12", "3S 3C 3D", "4S 4C 4D 4H", False)
on("T13", "2S 2C 2D", NINES, False)
on("T13", "2S 2C 2D", FOUR_3, False)
on("C13", "2S 2C 2D", NINES, True, {"chop.triple2_beaten_by": ["tu_quy"]}, "tu_quy")
on("T13", "AS AC AD", "2S 2C 2D", True)
T15 = dealt("3S 3D 4D 4H 5D 5H 6D 6H", FIVE_4, white=True)
T15_LEAD = "A 3S 3D 4D 4H 5D 5H 6D 6H"
LONG = {"combinations.pair_run.long_runs": "superset_of_4"}
legal("T15", False, T15, T15_LEAD, f"B {FIVE_4}", NO_WHITE)
legal("T15", True, T15, T15_LEAD, f"B {FIVE_4}", NO_WHITE | LONG, "superset_of_4")
legal("C6", True, T15, "", f"B {FIVE_4}", NO_WHITE, "five pairs may be led", leader="B")
on("T20", "7S", "7H", False)
on("T20", "7H", "8C", True)
on("T20", "TH", "8C", False)
on("T21", "AC 2D 3D", "2S 3S 4H", True)
on("T21", "2S 3S 4H", "3H 4S 5S", True)
on("T21", "3H 4S 5S", "AC 2D 3D", False)
on("C9", "JS QS KS", "QD KD AD", True)
on("C9", "QD KD AD", "AC 2D 3D", False)
on("C9", "AC 2D 3D", "3S 4C 5C", True)
on("C10", "AC 2D 3D 4D", "2S 3S 4H 5D", True)
on("C10", "2S 3S 4H 5D", "AC 2D 3D 4D", False)
on("C10", "3S 4S 5S 6S", "2D 3D 4D 5D", False)
lead("T22", "KS AS 2S", False)
lead("T22", "QS KS AS", True)
lead("C9", "AS 2S 3D", True)
lead("C9", "2S 3D 4S", True)
lead("C9", "AS 2S 3D", False, {"combinations.straight.low": False}, "low=false")
lead("C9", "2S 3D 4S", False, {"combinations.straight.low": False}, "low=false 234")
lead("C10", "AS 2S 3D 4S 5S", True)
lead("C10", "AS 2D 3S 4D 5S 6D 7S 8D 9S TD", True, NO_WHITE, "A to 10")
lead("C10", "2D 3S 4D 5S 6D 7S 8D 9S TD JS", True, NO_WHITE, "2 to J")
lead("R24", "3S 4D 5S 6D 7S 8D 9S TD JS QD", True, NO_WHITE, "3 to Q")
on("T23", "2S", "2H", False)
on("C21", "2D 2H", "AS AC", False)
on("R2", "4C 4D", "4S 4H", False)
on("R2", "4C 4D", "4S 4H", True, {"combinations.compare": "top_card"}, "top_card")
on("R2", "5D 6S 7C", "5H 6H 7H", False)
on("R2", "5S 5C 6S 6C 7S 7D", "5D 5H 6D 6H 7C 7H", False)
on("R31", "4S 4D 4H", "5S 5D 5H", True)
on("R31", "5S 5D 5H", "4S 4D 4H", False)
on("R31", "6H 7H 8H", "JH QH KS", True)
on("R29", "6H 7H 8H", "KS", False)
on("R29", "6H", "7S 7C", False)
on("R29", "6H 6S", "9C", False)
T18 = dealt("7S 7C 8S 8C 9S 9C 3D 4D 5D 6D")
legal("T18", True, T18, "A 3D 4D 5D 6D /", "A 7S 7C 8S 8C 9S 9C")
legal("C12", True, dealt(f"{NINES} 3D 4D 5D 6D 7D 8D"), "A 3D 4D 5D 6D 7D 8D /", f"A {NINES}")
HANG = {"finish.with_hang": False}
legal("C12", False, dealt(f"{NINES} 3D 4D 5D 6D 7D 8D"), "A 3D 4D 5D 6D 7D 8D /", f"A {NINES}", HANG, "with_hang=false")

# 3.2 Chops, passes, the free 4ĐT (003#R7-R10, R27, R32-R36)

for two in ("2S", "2C", "2D", "2H"):
    on("C16", two, NINES, True)
on("T25", "2H", THREE_4, True)
on("T26", "2S 2H", THREE_4, False)
on("T27", "2S 2H", NINES, False)
QUAD_ON_PAIR = {"chop.beats.tu_quy": ["heo", "doi_heo", "ba_doi_thong", "tu_quy"]}
on("C20", "2S 2H", NINES, True, QUAD_ON_PAIR, "quad on a pair of 2s")
on("T29", "2H", FOUR_3, True)
on("R35", "2S 2H", FOUR_3, True)
on("R33", THREE_4_RED, "5S 5C 6S 6C 7S 7C", True)
on("R33", "5S 5C 6S 6C 7S 7C", THREE_4_RED, False)
on("R34", "QS QC KS KC AS AC", SEVENS, True)
on("R34", SEVENS, EIGHTS, True)
on("R34", EIGHTS, SEVENS, False, note="B38: 7s on a led quad of 8s")
on("T34", NINES, "3S 3C 4S 4C 5S 5C", False)
on("R35", THREE_4_RED, FOUR_6.replace("6S 6C", "TS TC"), True)
on("T32", "AS AC AD AH", FOUR_3, True)
on("R35", "3D 3H 4D 4H 5D 5H 6D 6H", "4S 4C 5S 5C 6S 6C 7S 7C", True)
on("R35", "4S 4C 5S 5C 6S 6C 7S 7C", "3D 3H 4D 4H 5D 5H 6D 6H", False)
on("T30", "KS", NINES, False)
on("C18", "KS KC", NINES, False)
on("C18", "KS", FOUR_3, False)
on("C18", "AS AC AD", FOUR_3, False)
on("C18", "7H 8D 9D", FOUR_3, False)

T35 = dealt("3S 2H", SEVENS, "5S", "")
T35_MOVES = "A 3S, B, C 5S, D, A 2H"
legal("T35", False, T35, T35_MOVES, f"B {SEVENS}")
legal("T35", False, T35, T35_MOVES, f"B! {SEVENS}", note="out of turn")
legal("T35", True, T35, T35_MOVES, "C", note="C is asked")
legal("T35", False, T35, T35_MOVES, "B", note="B is not asked to pass again")
legal("D2", True, T35, T35_MOVES, f"B! {SEVENS}", {"chop.after_pass": ["tu_quy"]}, "after_pass tu_quy")
D2 = dealt("3S 2H", THREE_4, "TS", "")
legal("D2", False, D2, "A 3S, B, C TS, D, A 2H", f"B! {THREE_4}")
T37 = dealt("5S 2H", FOUR_6, "TS", "")
T37_MOVES = "A 5S, B, C TS, D, A 2H"
AFTER_TURN = {"chop.free_4dt_mode": "after_pass_in_turn"}
NO_FREE = {"chop.free_4dt_mode": "none", "chop.after_pass": []}
legal("T37", True, T37, T37_MOVES, f"B! {FOUR_6}")
legal("T37", True, T37, T37_MOVES, f"B! {FOUR_6}", AFTER_TURN, "after_pass_in_turn")
legal("T37", False, T37, T37_MOVES, f"B! {FOUR_6}", NO_FREE, "none")
legal("T37", False, T37, "A 5S, B, C TS, D", f"B! {FOUR_6}", note="nothing to chop")
T38 = dealt("2H", "", "", FOUR_6)
legal("T38", True, T38, "A 2H", f"D! {FOUR_6}")
legal("T38", False, T38, "A 2H", f"D! {FOUR_6}", AFTER_TURN, "after_pass_in_turn")
legal("T38", True, T38, "A 2H, B, C", f"D {FOUR_6}", AFTER_TURN, "D's turn")
legal(
    "D4.6", True, dealt("5S 2S 2H", "", "TS TC", f"{FOUR_6} 5C KH"), "A 2S 2H, B, C, D", f"D! {FOUR_6}", note="own pass"
)
legal("T39", False, dealt("AS", "", "", FOUR_6), "A AS", f"D! {FOUR_6}")
legal("T40", False, dealt("", "", "", f"2H {FOUR_6}"), "D 2H", f"D! {FOUR_6}", leader="D")
T42 = dealt("2H 5C", "", "", FOUR_6)
legal("T42", False, T42, "A 2H /, A 5C", f"D! {FOUR_6}")
legal("T42", True, T42, "A 2H, B, C, D", f"D! {FOUR_6}", note="before it closes")
T41 = dealt("2H", "", "", f"{FOUR_6} 3C 4H")
legal("T41", True, T41, f"A 2H, D! {FOUR_6} /", "D 3C", note="D leads")
legal("T41", True, T41, f"A 2H, D! {FOUR_6}", "A", note="next after the chopper")
legal("T41", False, T41, f"A 2H, D! {FOUR_6}", "B", note="not who was interrupted")
T81 = dealt("5S KS", "AS", "8S", "JS")
legal("T81", False, T81, "A 5S, B, C 8S, D JS, A KS", "B AS")
legal("T81", True, T81, "A 5S, B, C 8S, D JS, A KS", "C", note="C is asked")
NO_LOCKS = {"turn.pass_locks": False}
legal("D1", True, T81, "A 5S, B, C 8S, D JS, A KS", "B AS", NO_LOCKS, "no locks")
D1 = dealt("5S 2H", "", f"TS {NINES}", "")
legal("D1", False, D1, f"A 5S, B, C TS, D, A 2H, C {NINES}", "D", note="a chop lets nobody in")
BACK = {"turn.pass_reset_on_chop": True}
legal("D1", True, D1, f"A 5S, B, C TS, D, A 2H, C {NINES}", "D", BACK, "pass_reset_on_chop")
legal("R6", True, dealt("5S", "6S", "", "6C"), "A 5S", "B 6S", note="to the right")
legal("R6", False, dealt("5S", "6S", "", "6C"), "A 5S", "D 6C", note="not to the left")
legal("R6", True, dealt("5S", "6S", "", "6C"), "A 5S", "D 6C", note="the other direction", direction=-1)
T85 = dealt("2H 4S 4C", "", "", "")
legal("R8", True, T85, "A 2H /", "A 4S 4C")
legal("R8", False, T85, "A 2H /", "A", note="a leader may not pass")
legal("R8", False, T85, "A 2H /", f"B {lowest(T85[1])}", note="the owner leads")

# 3.3 Chop money (003#R27, R36; E2-E9, M2, M3, G8)


def chop(number, expected, texts, trick, winner, changes=None, note="", **more):
    """A trick that A leads, then its winner runs out; all that is paid for chops, by seats."""
    paid(number, {"chop": expected}, dealt(*texts), f"{trick} /, {winner} *", changes, note, **more)


chop("E9", {"AB": 10}, ("2S", THREE_4, "", ""), f"A 2S, B {THREE_4}", "B", note="a black 2")
chop("E9", {"AB": 10}, ("2H", NINES, "", ""), f"A 2H, B {NINES}", "B", note="a red 2")
chop("E4", {"AB": 20}, ("2S 2H", FOUR_3, "", ""), f"A 2S 2H, B {FOUR_3}", "B", note="a pair of 2s")
chop("E9", {"AB": 20}, (THREE_4, NINES, "", ""), f"A {THREE_4}, B {NINES}", "B", note="3 pairs")
chop("E6", {"AB": 20}, (SEVENS, EIGHTS, "", ""), f"A {SEVENS}, B {EIGHTS}", "B", note="a quad")
FOUR_4 = "4S 4C 5S 5C 6S 6C 7S 7C"
FOUR_3_RED = "3D 3H 4D 4H 5D 5H 6D 6H"
chop("E9", {"AB": 20}, (FOUR_3_RED, FOUR_4, "", ""), f"A {FOUR_3_RED}, B {FOUR_4}", "B", note="4 pairs")
LED = {"chop.pay_led_hang": False}
chop("E6", {}, (THREE_4, NINES, "", ""), f"A {THREE_4}, B {NINES}", "B", LED, "pay_led_hang")
chop(
    "E6", {}, (SEVENS, EIGHTS, "", ""), f"A {SEVENS}, B {EIGHTS}", "B", {"chop.pay_same_class": False}, "pay_same_class"
)
DEARER = {"chop.prices.heo_co": 15}
chop("E9", {"AB": 15}, ("2H", NINES, "", ""), f"A 2H, B {NINES}", "B", DEARER, "sam_chop_price")
CHAIN = ("2H", THREE_4, NINES, "TS TC JS JC QS QC KS KC")
CHAIN_MOVES = f"A 2H, B {THREE_4}, C {NINES}, D TS TC JS JC QS QC KS KC"
chop("R36", {"CD": 50}, CHAIN, CHAIN_MOVES, "D", note="đè: the last victim pays 10 + 20 + 20")
OWN = {"AB": 10, "BC": 20, "CD": 20}
chop("E2", OWN, CHAIN, CHAIN_MOVES, "D", {"chop.chain": "each_pays_own"}, "each_pays_own")
chop("E2", {"CD": 40}, CHAIN, CHAIN_MOVES, "D", {"chop.chain": "doubling"}, "doubling")
chop("B2", {"BC": 30}, CHAIN, f"A 2H, B {THREE_4}, C {NINES}", "C", note="two links")
chop("D3", {"AD": 10}, ("2H", "", "", FOUR_6), f"A 2H, B, D! {FOUR_6}", "D", note="the free chop is paid alike")
C14 = dealt("3S 2S 2C 2D 2H", FOUR_4, "", "", opening=True)
C14_MOVES = f"A 3S /, A 2S 2C 2D 2H, B {FOUR_4} /, B *"
paid("C14", {"chop": {"AB": 40}}, C14, C14_MOVES, opening=True)
paid("C14", {"chop": {"AB": 20}}, C14, C14_MOVES, {"chop.four_twos_price": "quad"}, "quad", opening=True)
legal("C14", False, dealt("3S 2S 2C 2D 2H", NINES, opening=True), "A 3S /, A 2S 2C 2D 2H", f"B {NINES}", opening=True)
legal("C14", True, dealt("2S 2C 2D 2H", f"3S {NINES}", opening=True), f"B 3S /, B {NINES}, C, D", "A 2S 2C 2D 2H",
      opening=True, leader="B", note="the highest quad")  # fmt: skip
M2_HANDS = dealt("2H 2D 4S 5S 8D TD JD KD AS 4C", f"3S 4D 5D 6D 7D QS {NINES}", "", "")
M2_MOVES = f"B 3S 4D 5D 6D 7D /, B QS, A 2H, B {NINES}"
paid("M2", {"chop": {"AB": 10}}, M2_HANDS, M2_MOVES, note="a chop with the last cards", leader="B")
pays("M2", (-29, 59, -15, -15), M2_HANDS, M2_MOVES, places="B", leader="B")  # A: chop 10, 9 cards, a 2
G8 = dealt("2H", f"{NINES} QS QC 3D 4H 5D 6H", "", "")
paid(
    "G8",
    {"chop": {"AB": 10}, "cong": {"CB": 15, "DB": 15}},
    G8,
    f"A 2H, B {NINES} /, B 3D 4H 5D 6H /, B QS QC",
    note="chops beside cóng",
)

# 3.5 Lead (003#R12-R18; B2, B3, T78, T80)

T78 = dealt("3S 4C 5D", "", "", "", opening=True)
legal("R13", False, T78, "", "A 4C", opening=True)
legal("R13", True, T78, "", "A 3S 4C 5D", opening=True)
legal("R13", True, T78, "", "A 3S", opening=True, note="3S alone")
legal("R13", False, T78, "", "A", opening=True, note="pass")
legal("R13", True, T78, "", "A 4C", note="no opening game")
legal("R13", False, dealt("3S 4C", "", opening=True, players=2), "", "A 4C", opening=True, note="two players")
accepted("R13", True, T78, opening=True)
accepted("R13", False, T78, opening=True, leader="B", note="the 3S is not B's")
NO_3 = "3S 3C 3D"
T80 = dealt("4C", "5S", "", "3H 4S 5C", opening=True, out=NO_3)
accepted("T80", True, T80, opening=True, leader="D")
accepted("T80", False, T80, opening=True, leader="A", note="A")
legal("T80", True, T80, "", "D 3H", opening=True, leader="D")
legal("T80", True, T80, "", "D 3H 4S 5C", opening=True, leader="D", note="in a set")
legal("T80", False, T80, "", "D 4S", opening=True, leader="D")
FREE = {"lead.opening_fallback": "lowest_free"}
legal("B2", True, T80, "", "D 4S", FREE, "lowest_free", opening=True, leader="D")
accepted("B2", True, T80, {"lead.opening_fallback": "random"}, "random", opening=True, leader="A")
B3 = dealt("4S 3H", "3D 4H", opening=True, out="3S 3C", players=2)
accepted("B3", True, B3, opening=True, leader="B", note="3D before 3H")
accepted("B3", False, B3, opening=True, leader="A", note="not 3H")
legal("B3", True, B3, "", "B 3D", opening=True, leader="B")
legal("B3", False, B3, "", "B 4H", opening=True, leader="B")
B2_FOURS = dealt("4H 5S", "4C 6S", "5C", opening=True, out="3S 3C 3D 3H 4S", players=3)
accepted("R14", True, B2_FOURS, opening=True, leader="B", note="no 3 at all")
legal("R14", False, B2_FOURS, "", "B 6S", opening=True, leader="B", note="no 3 at all")

# 3.4 Tới trắng (003#R37-R42; K5-K7)

FIVE_PAIRS, TWOS = "4S 4D 6S 6C 8S 8D TS TD KS KC", "2S 2C 2D 2H"
QUAD_3 = "3S 3C 3D 3H 4S 4C 5S 5C 8D JH"
DRAGON_3 = "3D 4D 5D 6D 7D 8D 9S TD JH QD"
RUN_3 = "3D 3H 4S 4C 5S 5C"


def white(number, winner, *texts, changes=None, note="", each=20, players=4, **more):
    """Somebody wins before the first card, in letters."""
    hands = dealt(*texts, white=True, players=players)
    net = [-each] * players
    net[SEATS.index(winner)] = each * (players - 1)
    pays(number, tuple(net), hands, "", changes, note, winner, **more)


white("T142", "B", "", QUAD_3, opening=True, leader="B")
T142 = dealt("", QUAD_3, white=True)
for pattern, right in (("tu_quy_3", True), ("ba_doi_thong_3", False)):
    call = ({"seat": 1, "call": "toi_trang", "pattern": pattern},)
    accepted("T142", right, T142, opening=True, leader="B", calls=call, note=pattern)
R39 = ("3S", RUN_3.replace("3D", "3C"), "", DRAGON_3)
white("R39", "D", *R39, opening=True, note="dragon before 3 pairs")
BY_TURN = {"toi_trang.opening_priority": "turn"}
white("R39", "B", *R39, opening=True, changes=BY_TURN, note="opening_priority=turn")
white("K7", "B", "3S", RUN_3, opening=True, note="3 pairs without 3S")
T144 = ("", FIVE_PAIRS, "", TWOS)
white("T144", "B", *T144)  # B is not charged D's heo, nor D his own: R37
white("T144", "B", *T144, leader="B", note="leader B")
white("T144", "D", *T144, leader="C", note="leader C")
white("T144", "D", *T144, leader="D", note="leader D")
white("T144", "D", *T144, direction=-1, note="the other direction")
for leader, winner in zip("ABCDE", "BBDDB", strict=True):
    white("B27", winner, *T144, leader=leader, players=5, note=f"five players, leader {leader}")
for players in (2, 3):
    white("K6", "A", FIVE_PAIRS, players=players, note=f"{players} players", leader="B")
white("K6", "B", *T144, changes={"toi_trang.instant_pay": 7}, each=7, note="instant_pay")
TRIPLES = "7S 7C 7D 9S 9C 9D JS JC JD 3H"
white("F5", "B", "", FIVE_PAIRS, TRIPLES, note="nearest")
white("F5", "C", "", FIVE_PAIRS, TRIPLES, changes={"toi_trang.priority": "strength"}, note="priority=strength")
white("M14", "A", "AS 2D 3S 4D 5S 6D 7S 8D 9S TD", note="A to 10")
white("M14", "A", "2D 3S 4D 5S 6D 7S 8D 9S TD JS", note="2 to J")
white("K7", "A", "5S 6D 7S 8D 9S TD JS QD KS AD", note="5 to A")
PATTERNS = {
    "hai_tu_quy": f"{SEVENS} {NINES} 3S JD",
    "ba_bo_ba": TRIPLES,
    "muoi_dong_mau": "3S 4C 5S 7C 8S 9C JS QC AS 2C",
    "nam_doi": f"{NINES} 3S 3D 5S 5D JS JD",
    "tu_quy_2": f"{TWOS} 3S 4D 6S 8D TS QD",
}
for pattern, text in PATTERNS.items():
    white("R40", "A", text, note=pattern)
F6 = dealt("", f"{SEVENS} {NINES} JS JD", white=True)
for pattern, right in (("hai_tu_quy", True), ("nam_doi", False)):
    call = ({"seat": 1, "call": "toi_trang", "pattern": pattern},)
    accepted("F6", right, F6, calls=call, note=f"the strongest of one hand: {pattern}")
HEO = {"toi_trang.count_heo": True, "toi_trang.regular[nam_doi].count_heo": True}
F9 = dealt("3S 3C 5S 7D 9D", FIVE_PAIRS, f"{TWOS} 3D 5D 7C 9S JS QH", "", white=True)
pays("F9", (-20, 100, -60, -20), F9, "", HEO, "heo counted", "B")
pays("R37", (-20, 60, -20, -20), F9, "", note="heo not counted", places="B")
REGULAR = dealt("3S", FIVE_PAIRS, "", "", white=True)
legal("F1", True, REGULAR, "", "A 3S", note="the other list does not count in an opening game", opening=True)
MORE = {"toi_trang.opening_list_mode": "additional"}
pays("F1", (-20, 60, -20, -20), REGULAR, "", MORE, "additional", "B", opening=True)
legal("F1", True, dealt("4D", QUAD_3, white=True), "", "A 4D", note="four 3s are nothing in another game")
F7 = {"toi_trang.declare": "optional"}
pays("F7", (-20, -20, -20, 60), dealt(*T144, white=True), "", F7, "only D declares", "D", declared=(3,))
next_lead("R42", None, dealt(*T144, white=True), "")
next_lead("B4", "B", dealt(*T144, white=True), "", {"toi_trang.after_instant_win": "winner_leads"}, "winner_leads")

R42 = dealt(f"{RUN_3} 7S 9D JS KD", "3S", "", "", white=True)
accepted("T145", True, R42, opening=True, leader="B", barred=0, calls=())
accepted("T145", False, R42, opening=True, leader="B", calls=(), note="not barred: it must be called")
RUN_CALL = ({"seat": 0, "call": "toi_trang", "pattern": "ba_doi_thong_3"},)
accepted("T145", False, R42, opening=True, leader="B", barred=0, calls=RUN_CALL, note="barred: no call")
accepted("T145", True, R42, opening=True, leader="B", barred=2, calls=RUN_CALL, note="another is barred")
legal("T145", True, R42, "", "B 3S", opening=True, leader="B", barred=0)
pays("R42", (-20, 60, -20, -20), dealt(DRAGON_3, RUN_3.replace("3D", "3S"), white=True), "", opening=True, leader="B",
     barred=0, places="B", note="the other three may")  # fmt: skip
T145 = dealt(FIVE_PAIRS, "", "", "3S", white=True)
legal("T145", True, T145, "", "D 3S", opening=True, leader="D", barred=0, note="5 pairs")
legal("T145", False, T145, "", f"D {second(T145[3])}", opening=True, leader="D", barred=0, note="3S must be led")
accepted("T145", False, T145, opening=True, leader="A", barred=0, note="A does not lead")

# Counting the cards (003#R11, R43-R46; K10-K13)

COUNT = dealt(
    "5S 6C 7C 8C 9C TC 3S KS 4S 4H",
    "3C 4C 5C 6D 7D 8D JS JD QD TD",
    "4D 5D 6S 7S 8S 9S QS 2S JC KC",
    "2C 2D",
)
COUNT_MOVES = "B 3C 4C 5C 6D 7D 8D, C 4D 5D 6S 7S 8S 9S, A 5S 6C 7C 8C 9C TC /, A 3S, C QS, A KS /, A 4S 4H"


def counted(number, net, changes=None, note="", hands=COUNT):
    pays(number, net, hands, COUNT_MOVES, changes, note, "A", leader="B")


counted("T134", (32, -4, -13, -15))
paid("T135", {"cong": {"DA": 15}, "thoi": {"CA": 10}, "cards": {"BA": 4, "CA": 3}}, COUNT, COUNT_MOVES, leader="B")
counted("K11", (31, -4, -12, -15), {"count_cards.items": "replace"}, "replace")
counted("R46", (22, -4, -3, -15), {"thoi": False}, "no thối")
counted("K13", (52, -4, -13, -35), {"cong.items": True}, "heo of cóng")
counted("K13", (37, -4, -13, -20), {"cong.fine": 20}, "fine")
counted("K13", (47, -4, -13, -30), {"cong": False}, "no cóng: 10 cards and two 2s")
counted("R11", (39, -8, -16, -15), {"prices.rac": 2}, "two a card")
K12 = dealt(
    "5S 6C 7C 8C 9C TC 3S KS 4S 4H",
    "3C 4C 5C 6D 7D 8D JS JD 2C 2D",
    "4D 5D 6S 7S 8S 9S QS 2S JC KC",
    "",
)
counted("K12", (52, -24, -13, -15), note="every loser pays for his heo, each one", hands=K12)
K12_QUAD = dealt(
    "5S 6C 7C 8C 9C TC 3S KS 4S 4H",
    "3C 4C 5C 6D 7D 8D JS JC JD JH",
    "4D 5D 6S 7S 8S 9S QS 2S KD KC",
    "",
)
counted("R45", (32, -4, -13, -15), note="only heo rots", hands=K12_QUAD)
counted("R45", (52, -24, -13, -15), {"thoi.hang": True}, "hang=true", K12_QUAD)
next_lead("R15", "A", COUNT, COUNT_MOVES, leader="B")
T43 = dealt("2H 5D 6D 7S 8D 9D TD JD QD KD", "", "", f"{FOUR_3} 4H 5H")
pays("T43", (21, -15, -15, 9), T43, f"A 2H, D! {FOUR_3} /, D 4H, A 5D /, A 6D 7S 8D 9D TD JD QD KD",
     note="a free chop is a play", places="A")  # fmt: skip

LAST_2 = dealt("", "4D 5S 6D 7S 8D 9S TD JS QS 2H", "AS", "")
STUCK = "B 4D 5S 6D 7S 8D 9S TD JS QS /, B #"
legal("T146", False, LAST_2, f"{STUCK}, C AS, D, A", "B 2H", leader="B")
legal("T146", True, LAST_2, f"{STUCK}, C AS, D, A", "B", leader="B")
legal("T147", False, LAST_2, "B 4D 5S 6D 7S 8D 9S TD JS QS /", "B 2H", leader="B")
legal("T147", True, LAST_2, STUCK, "C AS", leader="B", note="the next seat leads")
legal("T147", False, LAST_2, STUCK, "C", leader="B", note="it may not pass")
MAY = {"finish.on_two": "allow"}
legal("K10", True, LAST_2, "B 4D 5S 6D 7S 8D 9S TD JS QS /", "B 2H", MAY, "on_two=allow", leader="B")
T147 = dealt("", "4D 5S 6D 7S 8D 9S TD JS QS 2H", "AS KS TS 9C 8C 7C 5C 4C 3C 3D", "")
pays("T147", (-15, -11, 41, -15), T147, f"{STUCK}, C *", leader="B", places="C")
next_lead("T147", "C", T147, f"{STUCK}, C *", leader="B")
TWO_2S = dealt("", "3S 4D 5S 6D 7S 8D 9S TD 2S 2H", "AS AC", "")
TWO_STUCK = "B 3S 4D 5S 6D 7S 8D 9S TD /, B #"
legal("M14", False, TWO_2S, "B 3S 4D 5S 6D 7S 8D 9S TD /", "B 2H", leader="B", note="two 2s cannot be led")
legal("M14", False, TWO_2S, "B 3S 4D 5S 6D 7S 8D 9S TD /", "B 2S 2H", leader="B", note="nor as a pair")
legal("K10", True, TWO_2S, f"{TWO_STUCK}, C AS, D, A", "B 2H", leader="B", note="a 2 follows, not the last")
legal("K10", False, TWO_2S, f"{TWO_STUCK}, C AS AC, D, A", "B 2S 2H", leader="B", note="a pair of 2s as the last")
legal("K10", False, dealt("", "3S 4D 5S 6D 7S 8D 9S 2S 2C 2D", "AS AC AD", ""), "B 3S 4D 5S 6D 7S 8D 9S /, B #, "
      "C AS AC AD, D, A", "B 2S 2C 2D", leader="B", note="three 2s as the last")  # fmt: skip
FOUR_2S = dealt("", f"3S 4D 5S 6D 7S 8D {TWOS}", NINES, "", white=True)
legal("K10", False, FOUR_2S, f"B 3S 4D 5S 6D 7S 8D /, B #, C {NINES}, D, A", f"B {TWOS}", NO_WHITE, leader="B",
      note="four 2s as the last")  # fmt: skip
PLAIN_AND_2 = dealt("", "3S 4D 5S 6D 7S 8D 9S TD 2S KH", "AS AC", "")
legal("K10", True, PLAIN_AND_2, "B 3S 4D 5S 6D 7S 8D 9S TD /", "B KH", leader="B", note="(a): leaving a 2 is allowed")
legal("K10", True, PLAIN_AND_2, "B 3S 4D 5S 6D 7S 8D 9S TD /", "B 2S", leader="B", note="a 2 before the last")
T148 = dealt("AS 2S 3S 5S 6D 7S 8D 9S TD JS")
legal("T148", True, T148, "A 5S 6D 7S 8D 9S TD JS /", "A AS 2S 3S")
STRICT = {"finish.on_two_in_straight": False}
legal("T148", False, T148, "A 5S 6D 7S 8D 9S TD JS /", "A AS 2S 3S", STRICT, "on_two_in_straight=false")
legal("T148", True, T148, "A 5S 6D 7S 8D 9S TD JS /", "A AS", STRICT, "on_two_in_straight=false: not stuck")
legal("K10", True, dealt("2S 3S 4S 6D 7S 8D 9S TD JS QD"), "A 6D 7S 8D 9S TD JS QD /", "A 2S 3S 4S", note="2-3-4")
BOTH = dealt("", "AS 4C 5D 6C 7D 8C 9D TC JD 2D", "4D 5S 6D 7S 8D 9S TD JS QS 2H", "KS 3H")
BOTH_STUCK = "C 4D 5S 6D 7S 8D 9S TD JS QS /, C #, D KS, B AS /, B 4C 5D 6C 7D 8C 9D TC JD /, B #, C #"
legal("M14", True, BOTH, BOTH_STUCK, "D 3H", leader="C", note="two in a row are stuck")
legal("M14", False, BOTH, BOTH_STUCK, f"A {lowest(BOTH[0])}", leader="C", note="not the third")
ROWS = [" ".join(f"{rank}{'SCDH'[(at + seat) % 4]}" for at, rank in enumerate("456789TJQ")) for seat in range(4)]
ALL_STUCK = dealt(*(f"{row} 2{suit}" for row, suit in zip(ROWS, "DHSC", strict=True)))
ALL_STUCK_MOVES = (
    ", ".join(f"{seat} {row} /, {seat} #" for seat, row in zip("ABCD", ROWS, strict=True)) + ", A #, B #, C #"
)
pays("M14", (0, 0, 0, 0), ALL_STUCK, ALL_STUCK_MOVES, places="", note="all are stuck")
next_lead("M14", None, ALL_STUCK, ALL_STUCK_MOVES, note="all are stuck")

# Báo Sâm (003#R47-R49; K1-K5, K14, M14, M22)

SURE = "KS 3D 4H 5D 6H 7D 8H 9D TH JD"  # a call of these: a king, then nine in a row
SURE_REST = "3D 4H 5D 6H 7D 8H 9D TH JD"
CALLED = dealt(SURE, "AS", "2S", "2C 2D")
MADE = f"A KS /, A {SURE_REST}"
pays("T136", (60, -20, -20, -20), CALLED, MADE, leader="B", sam="A", places="A")
paid("T136", {"sam": {"BA": 20, "CA": 20, "DA": 20}, "cards": {}, "cong": {}, "thoi": {}, "chop": {}, "den_bao": {}},
     CALLED, MADE, leader="B", sam="A")  # fmt: skip
for players in (2, 3, 5):
    net = (20 * (players - 1), *[-20] * (players - 1))
    pays("T136", net, dealt(SURE, players=players), MADE, leader="B", sam="A", note=f"{players} players")
pays("K2", (75, -25, -25, -25), CALLED, MADE, {"bao_sam.pays": 25}, "pays", leader="B", sam="A")
ITEMS = dealt(SURE, "2S", "QS QC QD QH 2C 2D", "")
pays("K2", (90, -30, -40, -20), ITEMS, MADE, {"bao_sam.items": True}, "items", leader="B", sam="A")
HANG_TOO = {"bao_sam.items": True, "thoi.hang": True}
pays("K2", (110, -30, -60, -20), ITEMS, MADE, HANG_TOO, "items, bombs too", leader="B", sam="A")
pays("K2", (60, -20, -20, -20), ITEMS, MADE, leader="B", sam="A", note="no items")
T138 = dealt("", "", SURE, "")
legal("T138", True, T138, "", "C KS", leader="B", sam="AC")
legal("T138", False, T138, "", f"A {lowest(T138[0])}", leader="B", sam="AC")
legal("T138", False, T138, "", f"B {lowest(T138[1])}", leader="B", sam="AC", note="not the leader")
legal("K1", True, T138, "", f"A {lowest(T138[0])}", leader="B", sam="AC", note="the other direction",
      direction=-1)  # fmt: skip
SAM_C, SAM_A = {"seat": 2, "call": "sam"}, {"seat": 0, "call": "sam"}
accepted("T138", True, T138, leader="B", sam="AC", calls=(SAM_C,), note="one call is written")
accepted("T138", False, T138, leader="B", sam="AC", calls=(SAM_C, SAM_A), note="two calls")
legal("K1", False, T138, "C KS", f"A {highest(T138[0])}", leader="B", sam="C", note="turns go on from him")
legal("K1", True, T138, "C KS", "D", leader="B", sam="C", note="turns go on from him")
next_lead("T139", "C", dealt("", "", SURE, ""), MADE.replace("A ", "C "), leader="A", sam="C")
WINNER_LEADS = {"lead.next": ["winner"]}
next_lead("S8", "C", dealt("", "", SURE, ""), MADE.replace("A ", "C "), WINNER_LEADS, leader="A", sam="C")

pays("K4", (-60, 60, 0, 0), CALLED, "A KS, B AS", leader="B", sam="A", places="B", note="failed")
next_lead("K4", "B", CALLED, "A KS, B AS", leader="C", sam="A", note="the blocker leads")
pays("K4", (-60, 0, 0, 60), CALLED, "A KS, D 2C", leader="B", sam="A", places="D", note="the last in turn blocks")
next_lead("K4", "D", CALLED, "A KS, D 2C", leader="B", sam="A", note="D blocks")
legal("K4", False, CALLED, "A KS, B AS", "C 2S", leader="B", sam="A", note="the hand stops at once")
legal("K4", False, CALLED, "A KS, B AS", "C", leader="B", sam="A", note="the hand stops: no pass")
LATE = dealt("KS 3D 4H 5D 6H 7D 8H 9D TH 3H", "", "AS", "")
pays(
    "R49", (-60, 0, 60, 0), LATE, "A 3D 4H 5D 6H 7D 8H 9D TH /, A KS, C AS", leader="B", sam="A", note="even once, late"
)
PLAYERS = {"bao_sam.fail_multiplier": "players"}
pays("K3", (-80, 80, 0, 0), CALLED, "A KS, B AS", PLAYERS, "players", leader="B", sam="A")
for players in (2, 3, 5):
    hands = dealt(SURE, "AS", players=players)
    rest = [0] * (players - 2)
    owed = 20 * (players - 1)
    pays("K3", (-owed, owed, *rest), hands, "A KS, B AS", leader="B", sam="A", note=f"{players} players")
    owed = 20 * players
    pays("K3", (-owed, owed, *rest), hands, "A KS, B AS", PLAYERS, f"players, {players}", leader="B", sam="A")
EACH = {"bao_sam.fail_payee": "each_opponent"}
pays("K3", (-60, 20, 20, 20), CALLED, "A KS, B AS", EACH, "each_opponent", leader="B", sam="A")
pays("S3", (-80, 20, 20, 40), CALLED, "A KS, D 2C", EACH | PLAYERS, "each_opponent, players", leader="B", sam="A")
pays("K3", (-90, 90, 0, 0), CALLED, "A KS, B AS", {"bao_sam.fail_pays": 30}, "fail_pays", leader="B", sam="A")
B30 = dealt("2H KS", NINES, "", "")
paid("B30", {"chop": {}, "sam_blocked": {"AB": 60}}, B30, f"A 2H, B {NINES}", leader="B", sam="A")
pays("B30", (-60, 60, 0, 0), B30, f"A 2H, B {NINES}", leader="B", sam="A", places="B", note="no chop money")
CHOPS = {"bao_sam.chop_money": True}
pays("K4", (-70, 70, 0, 0), B30, f"A 2H, B {NINES}", CHOPS, "chop_money", leader="B", sam="A")
paid("K4", {"chop": {"AB": 10}, "sam_blocked": {"AB": 60}}, B30, f"A 2H, B {NINES}", CHOPS, "chop_money", leader="B",
     sam="A")  # fmt: skip
pays("K4", (-60, 60, 0, 0), CALLED, "A KS, B AS", CHOPS, "chop_money without a chop", leader="B", sam="A")
K14 = dealt("2H KS", "AS", "", FOUR_6)
pays("K14", (-60, 0, 0, 60), K14, f"A 2H, D! {FOUR_6}", leader="B", sam="A", places="D", note="a free chop blocks")
pays("K14", (-60, 0, 0, 60), K14, f"A 2H, B, C, D, D! {FOUR_6}", leader="B", sam="A", places="D", note="after a pass")
legal("K14", False, K14, f"A 2H, D! {FOUR_6}", "A", leader="B", sam="A", note="the hand stops")
legal("K14", False, K14, "A KS", f"D! {FOUR_6}", leader="B", sam="A", note="not on a king")
K14_QUAD = dealt(f"{NINES} KS", "AS", "", FOUR_3)
pays("K14", (-60, 0, 0, 60), K14_QUAD, f"A {NINES}, D! {FOUR_3}", leader="B", sam="A", places="D", note="on a quad")
next_lead("K14", "D", K14, f"A 2H, D! {FOUR_6}", leader="B", sam="A")
M14 = dealt(SURE, "3S AS", "", "", opening=True)
legal("M14", True, M14, "", "A KS", opening=True, leader="B", sam="A", note="a caller need not play 3S")
legal("M14", False, M14, "", "B 3S", opening=True, leader="B", sam="A", note="the holder of 3S does not lead")
pays("M14", (60, -20, -20, -20), M14, MADE, opening=True, leader="B", sam="A", note="in an opening game")
legal("M14", True, dealt("3S KS", opening=True), "", "A KS", opening=True, sam="A", note="nor the holder himself")
legal("M14", False, dealt("3S KS", opening=True), "", "A KS", opening=True, note="he must where he has not called")
STUCK_CALL = dealt("2H 4H 5D 6H 7D 8H 9D TH JD QS", "AS", "", "")
STUCK_MOVES = "A 4H 5D 6H 7D 8H 9D TH JD QS /, A #"
pays("M14", (-60, 20, 20, 20), STUCK_CALL, STUCK_MOVES, leader="B", sam="A", places="", note="a stuck caller")
pays("S5", (-60, 20, 20, 20), STUCK_CALL, STUCK_MOVES, PLAYERS, "players", leader="B", sam="A", places="")
next_lead("M22", None, STUCK_CALL, STUCK_MOVES, leader="B", sam="A")
legal("M14", False, STUCK_CALL, STUCK_MOVES, "B AS", leader="B", sam="A", note="the game is over")
pays("K2", (60, -20, -20, -20), dealt("AS 2S 3S 5S 6D 7S 8D 9S TD JS"), "A 5S 6D 7S 8D 9S TD JS /, A AS 2S 3S",
     leader="B", sam="A", note="out on A-2-3")  # fmt: skip

# tới trắng beats a call (003#R37, K5, S1)

K5 = dealt("", FIVE_PAIRS, "", "", white=True)
pays("K5", (-20, 60, -20, -20), K5, "", leader="A", sam="C", places="B")
next_lead("K5", None, K5, "", leader="A", sam="C")
pays("K5", (-20, -20, 60, -20), dealt("", "", FIVE_PAIRS, "", white=True), "", sam="C", places="C", note="his own")
S1 = dealt("", FIVE_PAIRS, "", TWOS, white=True)
pays(
    "S1", (-20, 60, -20, -20), S1, "", leader="A", sam="C", places="B", note="nearest to the leader, not to the caller"
)
WHITE_B = {"seat": 1, "call": "toi_trang", "pattern": "nam_doi"}
accepted("K5", True, K5, sam="C", calls=(SAM_C, WHITE_B))
accepted("K5", False, K5, sam="C", calls=(SAM_C,), note="it counts at once")

# Trách nhiệm (003#R50; K9, M15, S9): C comes down to one card, B sits before it

BAO = ("4C 5C 6C 7D 8D TH TD KC AC KH", "5S 6S 7H 8C QS KS 9S 5H 3H JD", "6H 7S 8H 9C 3C 3D JS JC 4D AD",
       "3S 4S 5D 6D TS TC 8S 9D QD JH")  # fmt: skip
STRAIGHTS = "D 3S 4S 5D 6D, A 4C 5C 6C 7D, B 5S 6S 7H 8C, C 6H 7S 8H 9C /"
DOWN = f"{STRAIGHTS}, C 3C 3D, D TS TC, C JS JC /, C 4D"
LIABLE = (0, -13, 13, 0)  # in T150 A has 6 cards, B 4 and D 3
LOWER = "D 8S, B QS /, B 9S, C AD"


def instead(seat, **cards):
    """The hands of T150, but that a seat has other cards: _4D="2H"."""
    texts = list(BAO)
    for old, new in cards.items():
        assert old[1:] in texts[SEATS.index(seat)]
        texts[SEATS.index(seat)] = texts[SEATS.index(seat)].replace(old[1:], new)
    return texts


def bao(number, net, end, changes=None, note="", texts=BAO, down=DOWN, leader="D", **more):
    hands = dealt(*texts, players=len(net))
    pays(number, net, hands, f"{down}, {end}" if down else end, changes, note, leader=leader, **more)


bao("T150", (-6, -4, 13, -3), "D 8S, B QS /, B KS, C AD", places="C")
bao("R50", LIABLE, LOWER, places="C", note="a lower card led")
R50_PAID = {"den_bao": {"BC": 9}, "cards": {"BC": 4}, "cong": {}, "thoi": {}}
paid("R50", R50_PAID, dealt(*BAO), f"{DOWN}, {LOWER}", leader="D")
next_lead("R50", "C", dealt(*BAO), f"{DOWN}, {LOWER}", leader="D")
bao("R50", (-6, -4, 13, -3), LOWER, {"den_bao": False}, "no đền báo")
bao("K9", (-6, -5, 14, -3), "D 8S, B KS, C AD", note="follows with his highest")
bao("K9", (0, -14, 14, 0), "D 8S, B QS, C AD", note="follows with a lower card")
bao("K9", (0, -15, 15, 0), "D 8S, B, C AD", note="passes, though he could beat")
bao("K9", (-6, -6, 15, -3), "D KD, B, C AD", note="passes, he could not beat", texts=instead("D", _8S="KD"))
bao("M15", (0, -16, 16, 0), "D, A, B, C AD", note="passes, and the one card leads")
bao("K9", (-6, -6, 18, -6), "C 4D /, C 3C 3D /, C JS JC /, C AD", note="passes on a pair that he could beat",
    texts=instead("B", _JD="QH"), down=STRAIGHTS)  # fmt: skip
bao("M15", (-6, -6, 14, -2), "C JS JC /, C 3C 3D, D TS TC /, D 8S, A, B, C 9H, D QD, C AD", note="locked: free",
    texts=instead("C", _4D="9H"), down=STRAIGHTS)  # fmt: skip
TWO_LEFT = instead("C", _4D="2H")
bao("K9", (-6, -6, 16, -4), "C AD", note="passes on a 2", texts=TWO_LEFT, down=DOWN.replace("4D", "2H /"))
QUAD_Q = [*TWO_LEFT]
QUAD_Q[1], QUAD_Q[3] = "5S 6S 7H 8C QS QC QD QH 3H JD", BAO[3].replace("QD", "KD")
bao("K9", (0, -16, 16, 0), "C AD", note="passes on a 2 with a quad", texts=QUAD_Q, down=DOWN.replace("4D", "2H /"))
bao("K9", (0, -23, 23, 0), "D 8S, B QS /, B KS, C AD", note="a 2 is his highest", texts=instead("B", _3H="2S"))
PAIRS = instead("B", _5H="KD", _3H="9H", _JD="2S")
bao("K9", (-6, -11, 20, -3), "D 8S, B QS /, B KS KD /, B 9S 9H /, B #, C AD", note="leads a pair", texts=PAIRS)
NINE = instead("B", _5H="KD", _3H="2S")
bao("M15", (0, -20, 20, 0), "D 8S, B QS /, B KS KD /, B JD /, B 9S /, B #, C AD", texts=NINE,
    note="to be stuck is no decision: the 9 was below a 2")  # fmt: skip
STUCK_2S = instead("B", _5H="KD", _3H="2S", _JD="2C")
bao("M15", (0, -31, 31, 0), "D 8S, B QS /, B KS KD /, B 9S /, B #, C AD", note="nor with two 2s left", texts=STUCK_2S)
ONE_TWO = ("", "4S 3D 4D 5H 6D 7H 8D 9H TD 2S", "4C 5S 6C 7S 8C 9S TC JD KS 3C", "")
ONE_TWO_MOVES = "B 4S /, B 3D 4D 5H 6D 7H 8D 9H TD, C 4C 5S 6C 7S 8C 9S TC JD /, C KS /, C 3C"
bao("S9", (-15, -11, 41, -15), ONE_TWO_MOVES, note="the last 2 is no beat", texts=ONE_TWO, down="", leader="B")
TWO_TWOS = ("", "2C 3D 4D 5H 6D 7H 8D 9H TD 2S", "4C 5S 6C 7S 8C 9S TC JD KS 3C", "")
bao("S9", (0, -52, 52, 0), ONE_TWO_MOVES.removeprefix("B 4S /, "), note="one of two 2s is", texts=TWO_TWOS, down="",
    leader="B")  # fmt: skip
T151 = ("", "8S 3D 4H 5D 6H 7H 8H QS 5S 4D", "3C 4C 5C 6C 7S 8C 9C JC TC 7D", "")
T151_MOVES = "C 3C, B 8S /, B 3D 4H 5D 6H 7H 8H, C 4C 5C 6C 7S 8C 9C /, C JC /, C TC, B QS /"
bao("T151", (-15, -1, 31, -15), f"{T151_MOVES}, B 5S, C 7D", texts=T151, down="", leader="C")
bao("T151", (0, -31, 31, 0), f"{T151_MOVES}, B 4D, C 7D", note="leads the lower", texts=T151, down="", leader="C")
T152 = dealt(BAO[2], BAO[1], players=2)
T152_MOVES = "B 5S 6S 7H 8C, A 6H 7S 8H 9C /, A 3C 3D /, A JS JC /, A 4D, B QS /, B 9S, A AD"
pays("T152", (4, -4), T152, T152_MOVES, leader="B")
paid("T152", {"den_bao": {}}, T152, T152_MOVES, leader="B")
THREE = dealt(BAO[1], BAO[2], BAO[3], players=3)
THREE_MOVES = ("C 3S 4S 5D 6D, A 5S 6S 7H 8C, B 6H 7S 8H 9C /, B 3C 3D, C TS TC, B JS JC /, B 4D, C 8S, A QS /, "
               "A 9S, B AD")  # fmt: skip
pays("K9", (-7, 7, 0), THREE, THREE_MOVES, note="three players", leader="C")
pays("K9", (-4, 7, -3), THREE, THREE_MOVES, {"den_bao.min_active": 4}, "min_active=4", leader="C")
bao("K9", LIABLE, LOWER, {"den_bao.min_active": 4}, "min_active=4, four players")
bao("K9", (0, -28, 28, 0, 0), LOWER, note="five players, one cóng")
SWAPPED = dict(zip("ADCB", BAO, strict=True))
TURNED = line(f"{DOWN}, {LOWER}", dealt(*BAO), 3)
pays("M15", (0, 0, 13, -13), dealt(*(SWAPPED[seat] for seat in "ABCD")),
     [move._replace(seat=(0, 3, 2, 1)[move.seat]) for move in TURNED], leader="B", direction=-1,
     note="the other direction")  # fmt: skip
EFFECT = {"den_bao.requires_effect": True}
bao("K9", (-6, -4, 13, -3), LOWER, EFFECT, "requires_effect: his king would not have held an ace")
bao("K9", (-6, -6, 15, -3), "D 8S, B, C AD", EFFECT, "requires_effect: nor on a pass")
bao("K9", LIABLE, LOWER, EFFECT, "requires_effect: his ace would have held", texts=instead("B", _KS="AS"))
bao("K9", LIABLE, LOWER.replace("AD", "QC"), EFFECT, "requires_effect: his king would have held a queen",
    texts=instead("C", _AD="QC"))  # fmt: skip
SHARES = instead("D", _QD="2D")
NO_A = DOWN.replace("A 4C 5C 6C 7D, ", "")
bao("M15", (0, -32, 32, 0), LOWER, note="cóng and thối of the others", texts=SHARES, down=NO_A)
M15_PAID = {"den_bao": {"BC": 28}, "cards": {"BC": 4}, "cong": {}, "thoi": {}}
paid("M15", M15_PAID, dealt(*SHARES), f"{NO_A}, {LOWER}", note="cóng and thối of the others", leader="D")
bao("M15", (0, -24, 24, 0), "D 8S, B, C AD", note="himself cóng", down=DOWN.replace("B 5S 6S 7H 8C, ", ""))
CHOPPED = ("4C 5C 6C 7D TS TC TD TH KC AC", BAO[1], BAO[2], "3S 4S 5D 6D 9D 9H 8S 2D QD JH")
CHOPPED_MOVES = ("D 2D, A TS TC TD TH /, A 4C 5C 6C 7D, B 5S 6S 7H 8C, C 6H 7S 8H 9C /, C 3C 3D, D 9D 9H, "
                 f"C JS JC /, C 4D, {LOWER}")  # fmt: skip
bao("M15", (10, -12, 12, -10), CHOPPED_MOVES, note="chops stand", texts=CHOPPED, down="")
IN_A_CALL = dealt("", "KS", "6H 7S 8H 9H TC JC QC KC QH 4D", "")
pays("S4", (-20, -20, 60, -20), IN_A_CALL, "C 6H 7S 8H 9H TC JC QC KC /, C QH /, C 4D", leader="B", sam="C",
     note="no đền báo in a called game")  # fmt: skip


@ENGINES
@pytest.mark.parametrize("case", LEGAL)
def test_legal(engine, case):
    assert engine.legal(case.situation, case.move) is case.expected


@ENGINES
@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(engine, case):
    assert engine.accepts(case.situation) is case.expected


@ENGINES
@pytest.mark.parametrize("case", MONEY)
def test_money(engine, case):
    found = engine.outcome(case.situation)
    expected, order = case.expected
    assert found.net == expected
    assert balanced(found.net)
    assert order is None or found.places == order


@ENGINES
@pytest.mark.parametrize("case", PAYMENTS)
def test_payments(engine, case):
    found = engine.outcome(case.situation)
    for reason, expected in case.expected.items():
        paid = {SEATS[a] + SEATS[b]: amount for (a, b, why), amount in found.payments.items() if why == reason}
        assert paid == expected, reason


@ENGINES
@pytest.mark.parametrize("case", NEXT)
def test_lead_after(engine, case):
    found = engine.outcome(case.situation)
    assert (found.next_leader, found.next_opening) == case.expected


# Games one after another (003#R12, R15-R18, R42; K8, M16, S7)


def plain(leader, winner, cong="", players=4, direction=1, changes=None, **more):
    """A game where the leader lays 3S and all others one card, but those who are cóng; then the winner goes out."""
    order = [(SEATS.index(leader) + direction * step) % players for step in range(players)]
    spades = ["3S", "4S", "5S", "6S", "7S"]
    texts, moves = [""] * players, []
    for seat in order:
        if SEATS[seat] not in cong:
            texts[seat] = spades.pop(0)
            moves.append(f"{SEATS[seat]} {texts[seat]}")
    last = moves[-1][0]
    texts[SEATS.index(winner)] += " AS 3D 4H 5D 6H 7D 8H 9D TH"
    moves.append(f"{'/' if last == winner else ''}, {winner} AS /, {winner} 3D 4H 5D 6H 7D 8H 9D TH")
    hands = dealt(*texts, players=players, opening=more.get("opening", False))
    return situation(hands, ", ".join(moves), changes, leader, direction=direction, **more)


def called(leader, caller, blocker=None, players=4, changes=None, **more):
    """A game that is called: made, or blocked."""
    texts = [""] * players
    texts[SEATS.index(caller)] = SURE
    moves = MADE.replace("A ", f"{caller} ")
    if blocker:
        texts[SEATS.index(blocker)] = "AS"
        moves = f"{caller} KS, {blocker} AS"
    return situation(dealt(*texts, players=players), moves, changes, leader, sam=caller, **more)


def won_white(leader, winner, changes=None, **more):
    """A game that ends before the first card."""
    texts = [""] * 4
    texts[SEATS.index(winner)] = RUN_3 if more.get("opening") else FIVE_PAIRS
    texts[SEATS.index(leader)] += " 3S"
    return situation(dealt(*texts, white=True), "", changes, leader, **more)


def led_by(seat, players=4, **more):
    """Any game that this seat leads."""
    return plain(seat, seat, "", players, **more)


def then(number, leader, *games, note=""):
    """After these games this seat leads and nobody else."""
    FOLLOWS.append(pytest.param(games, leader, id="-".join(filter(None, (number, note)))))


def first(winner, cong="", **more):
    """The first game of a match."""
    return plain("A", winner, cong, opening=True, **more)


then("R15", "C", first("C"))
then("R15", "C", first("A"), plain("A", "C", "D"))
then("R17", "D", first("A", "D"), plain("A", "A", "D"))
then("R17", "D", first("A", "D"), plain("A", "C", "BD"), note="B once")
then("R17", "C", first("A", "D"), plain("A", "C"), note="not in a row")
then("R17", "C", first("A", "D"), plain("A", "A"), plain("A", "C", "D"), note="not in a row, again")
then("T141", "B", first("A", "BD"), plain("A", "A", "BD"))
then("R18", "D", first("C", "BD"), plain("C", "C", "BD"), note="nearest to C")
then("R18", "D", first("A", "BD"), plain("A", "C", "BD"), note="nearest to the last winner, not to the leader")
then("R18", "D", first("A", "BD", direction=-1), plain("A", "A", "BD", direction=-1), note="the other direction")
then("R18", "E", first("A", "BE", players=5), plain("A", "D", "BE", players=5), note="five players")
then("R18", "B", first("A", "BE", players=5), plain("A", "A", "BE", players=5), note="five players, winner A")
LONG_STREAK = {"lead.cong_streak": 3}
then("R17", "A", first("A", "D", changes=LONG_STREAK), plain("A", "A", "D", changes=LONG_STREAK), note="two of three")
then("R17", "D", first("A", "D", changes=LONG_STREAK), plain("A", "A", "D", changes=LONG_STREAK),
     plain("A", "A", "D", changes=LONG_STREAK), note="three of three")  # fmt: skip
NO_STREAK = {"lead.next": ["sam_caller", "winner"]}
then(
    "K8",
    "A",
    first("A", "D", changes=NO_STREAK),
    plain("A", "A", "D", changes=NO_STREAK),
    note="no streak in lead.next",
)
STREAK_D = (first("A", "D"), plain("A", "A", "D"))
then("M16", "A", *STREAK_D, plain("D", "A"), note="leading uses it up")
then("M16", "B", *STREAK_D, called("D", "D", "B"), note="his own call uses it up")
then("M16", "D", *STREAK_D, called("D", "D"), note="his own call, made")
then("S7", "D", *STREAK_D, called("D", "A"), note="another's call leaves it: before the caller")
then("S7", "D", *STREAK_D, called("D", "A", "B"), note="another's call leaves it: before the blocker")
SAM_FIRST = {"lead.next": ["sam_caller", "cong_streak", "winner"]}
STREAK_FIRST = (first("A", "D", changes=SAM_FIRST), plain("A", "A", "D", changes=SAM_FIRST))
then("K8", "A", *STREAK_FIRST, called("D", "A", changes=SAM_FIRST), note="the caller before the streak")
then("M16", "D", first("A", "D"), called("A", "A"), plain("A", "A", "D"), note="a call does not break it")
then("M16", "D", first("A", "D"), called("A", "A", "B"), plain("B", "B", "D"), note="nor a failed one")
then("M16", "A", first("A", "D"), called("A", "A"), note="a call does not add")
then("M16", "B", first("A", "D"), called("A", "A", "B"), note="nor a failed one adds")
then("T139", "C", first("A"), called("A", "C"))
then("M16", "B", first("A", "D"), won_white("A", "B"), plain("C", "B", "D", opening=True, barred=1),
     note="a tới trắng breaks it")  # fmt: skip
then("M16", "D", first("A", "D"), won_white("A", "B"), plain("C", "B", "D", opening=True, barred=1),
     plain("B", "B", "D"), note="and it begins anew")  # fmt: skip
then(
    "M16", "B", *STREAK_D, won_white("D", "B"), plain("C", "B", "A", opening=True, barred=1), note="a streak of two too"
)
BOTH_LEAD = (first("A", "BD"), plain("A", "A", "BD"))
then("K8", "D", *BOTH_LEAD, plain("B", "B", "D"), note="B has used it up, D has three")
then("K8", "B", *BOTH_LEAD, plain("B", "B"), note="D has played")


@ENGINES
@pytest.mark.parametrize(("games", "leader"), FOLLOWS)
def test_who_leads_after_several_games(engine, games, leader):
    last = games[-1]
    for seat in SEATS[: len(last.hands)]:
        follow = led_by(seat, len(last.hands), direction=last.direction)._replace(rules=last.rules)
        assert engine.follows([*games, follow]) == (None if seat == leader else len(games)), seat


@ENGINES
@pytest.mark.parametrize(
    ("follow", "right"),
    [
        (plain("C", "C", opening=True, barred=1), True),
        (plain("B", "B", barred=1), False),  # not the winner of tới trắng, as a plain engine has it (B4)
        (plain("C", "C", barred=1), False),  # it must be an opening game: 3S is to be played
        (plain("C", "C", opening=True), False),  # nobody barred
        (plain("C", "C", opening=True, barred=2), False),
    ],
    ids=["right", "winner leads", "no opening game", "nobody barred", "another barred"],
)
def test_r42_the_game_after_a_toi_trang(engine, follow, right):
    assert engine.follows([won_white("A", "B", opening=True), follow]) == (None if right else 1)


@ENGINES
def test_r42_the_bar_is_for_one_game(engine):
    games = [won_white("A", "B", opening=True), plain("C", "C", opening=True, barred=1)]
    assert engine.follows([*games, won_white("C", "B")]) is None
    assert engine.follows([*games, plain("C", "C", barred=1)]) == 2


@ENGINES
def test_m22_after_a_stuck_caller_comes_an_opening_game(engine):
    stuck = situation(STUCK_CALL, STUCK_MOVES, leader="B", sam="A")
    start = first("B")
    assert engine.follows([start, stuck, plain("C", "C", opening=True)]) is None
    assert engine.follows([start, stuck, plain("C", "C")]) == 2


# What only a record can get wrong


def refused(situation, **changes):
    """Whether the referee refuses a record before any decision."""
    with pytest.raises(RecordError) as caught:
        tlsim.settle(record_of(situation) | changes, situation.rules)
    return caught.value.decision is None


def test_t153_five_players_of_ten_cards():
    game = plain("A", "A", players=5)
    record = tlsim.settle(record_of(game)).record
    assert len(record["undealt"]) == 2
    hands = [naive_game.names_of(hand) for hand in game.hands]
    assert refused(game, hands=[*hands[:4], hands[4][1:]])
    assert refused(game, hands=[*hands[:4], hands[4] + record["undealt"][:1]])
    assert refused(game, hands=[*hands[:4], hands[4][1:] + hands[3][:1]])


def test_k1_one_call_at_most_and_by_a_seat_at_the_table():
    game = called("A", "C")
    assert refused(game, calls=[{"seat": 2, "call": "sam"}, {"seat": 2, "call": "sam"}])
    assert refused(game, calls=[{"seat": 4, "call": "sam"}])
    assert refused(game, titles=[0, 1, 2, 3])
    none = {"bao_sam": False, "lead.next": ["cong_streak", "winner"]}
    assert refused(game._replace(rules=changed("sam_loc", none)))


def test_k4_money_of_a_failed_call_is_checked():
    game = situation(CALLED, "A KS, B AS", leader="B", sam="A")
    assert refused(game, net=[-80, 80, 0, 0])
    assert refused(game, places=[1, 0])
    assert not tlsim.settle(record_of(game) | {"net": [-60, 60, 0, 0], "places": [1]}).next_opening
