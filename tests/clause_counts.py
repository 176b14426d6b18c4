"""Which clauses of RULES.md can have an effect under which rules, and the table of how often each did.

The slow twin counts them (`naive_game.Game.fired`); here is the list of their names, each with the rules under which it
can happen. What can happen follows from the rules and the number of players alone, whatever has been seen: a run in
which a clause that can happen never did is too short or badly stacked, and one that did though it cannot is a mistake.
Hands may be of any size: a game of tests may begin where a real one is half over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import NamedTuple

from aimed_deals import pattern_hands
from naive_president import exchange_rows
from naive_sets import ENGLISH, HEO

from tlsim.cards import hand_of

BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
TARGETS = ("heo", "doi_heo", *BOMBS)
LONG = ("nam_doi_thong", "sau_doi_thong")
EVERY_LONG = (*BOMBS, *LONG)
OF_TOI_TRANG = ("F", "B4", "M18", "K5", "M16 tới", "003#R42")  # of games that begin with it, and of both directions
EVERY_GAME = ("winner", "last_place")  # has them, unless it ends without a winner


class Case(NamedTuple):
    """Rules for a number of players, with the questions that several clauses ask."""

    rules: object
    n: int

    # Combinations and chops

    @property
    def runs(self):
        return self.rules.combinations.pair_run

    @property
    def match(self):
        return self.rules.combinations.suit_match

    @property
    def long_runs(self):
        return self.runs is not None and self.runs.long_runs == "superset_of_4"

    def has_kind(self, kind: str) -> bool:
        forms = self.rules.combinations
        return {"straight": forms.straight, "pair_run": forms.pair_run}.get(kind, True) is not None

    def has_bomb(self, bomb: str) -> bool:
        return bomb == "tu_quy" or (self.runs is not None and (bomb == "bon_doi_thong" or self.runs.min_length <= 3))

    def chops(self, bomb: str, target: str) -> bool:
        if self.rules.chop is None or not self.has_bomb(bomb) or (target in BOMBS and not self.has_bomb(target)):
            return False
        return target in getattr(self.rules.chop.beats, bomb)

    def any_chop(self, bombs=BOMBS, targets=TARGETS) -> bool:
        return any(self.chops(bomb, target) for bomb in bombs for target in targets)

    def chops_triple(self, *bombs: str) -> bool:
        """C13: one of these bombs may be laid on three 2s; without names, any."""
        if self.rules.chop is None:
            return False
        names = set(self.rules.chop.triple2_beaten_by)
        if self.long_runs and "bon_doi_thong" in names:
            names.add("nam_doi_thong")
        if "nam_doi_thong" in names:  # or more
            names.add("sau_doi_thong")
        return any(self.has_set(name) for name in names & set(bombs or EVERY_LONG))

    def has_set(self, name: str) -> bool:
        """Four of a kind, or a run of so many pairs, may be laid, as a bomb or not."""
        return self.has_bomb(name) if name in BOMBS else self.runs is not None

    def some_chop(self) -> bool:
        return self.any_chop() or self.chops_triple()

    def pays(self, bomb: str, target: str) -> bool:
        """A chop that moves money, at least where the target was not led."""
        if not self.chops(bomb, target):
            return False
        chop = self.rules.chop
        if bomb == target and not chop.pay_same_class:
            return False
        return target not in BOMBS or chop.pay_led_hang or self.some_beat_by(target)

    def some_beat_by(self, bomb: str) -> bool:
        """Whether a bomb can lie on something, so that it is no lead."""
        return self.any_chop([bomb]) or self.chops_triple() or bomb == "tu_quy" or self.has_bomb(bomb)

    def links(self, number: int, target: str | None = None) -> bool:
        """Whether there can be a chain of so many paid chops."""
        if number == 0:
            return True
        if target is None and number == 1 and self.chops_triple():
            return True
        if target is None and self.chops_triple() and any(self.links(number - 1, bomb) for bomb in BOMBS):
            return True
        starts = TARGETS if target is None else [target]
        return any(self.pays(bomb, start) and self.links(number - 1, bomb) for start in starts for bomb in BOMBS)

    def unchopped(self, bomb: str) -> bool:
        """M12: it may be laid on one of its kind without being a chop."""
        return self.has_bomb(bomb) and (not self.chops(bomb, bomb) or (self.long_runs and bomb != "tu_quy"))

    def unpaid_bomb(self) -> bool:
        return any(map(self.unchopped, BOMBS))

    def starts_anew(self, bomb: str) -> bool:
        """M3: it has chopped, one of its kind is laid on it without money, and that is chopped."""
        unpaid = self.unchopped(bomb) or (self.chops(bomb, bomb) and not self.rules.chop.pay_same_class)
        return unpaid and (self.any_chop([bomb]) or self.chops_triple()) and any(self.pays(b, bomb) for b in BOMBS)

    def free(self, target: str) -> bool:
        """D4: four pairs may be laid on it at any time."""
        chop = self.rules.chop
        any_time = chop is not None and chop.free_4dt_mode == "any_time" and target in chop.free_targets
        return any_time and self.chops("bon_doi_thong", target)

    def some_free(self) -> bool:
        return any(map(self.free, TARGETS))

    def after_pass(self, bomb: str) -> bool:
        """D2, D3 (a): a bomb that a locked seat may lay when the turn reaches it."""
        chop = self.rules.chop
        if chop is None or not self.rules.turn.pass_locks or self.n < 3:
            return False
        if bomb != "bon_doi_thong":
            return bomb in chop.after_pass and self.any_chop([bomb])
        named = bomb in chop.after_pass or chop.free_4dt_mode == "after_pass_in_turn"
        return named and chop.free_4dt_mode != "any_time" and self.any_chop([bomb], chop.free_targets)

    # The end

    @property
    def last_one(self):
        return self.rules.end_condition == "last_one"

    @property
    def on_two(self):
        return self.rules.finish.on_two

    @property
    def late(self):
        """Somebody can be out behind everybody."""
        ket = self.rules.ket_3_bich
        return self.on_two == "counts_last" or bool(ket and ket.window == "response" and ket.after_block == "continue")

    def all_stuck(self) -> bool:
        """M14: there are four 2s, one for each who still plays."""
        return self.on_two == "forbid" and (self.n < 5 or self.last_one)

    def out_and_on(self) -> bool:
        """The owner of a trick can be out while two others still play."""
        return self.n > 2 and (self.last_one or self.on_two == "counts_last")

    def out_with_3s(self) -> bool:
        """The owner of a trick can be out with a bomb that has a 3♠ in it, wait for an answer, and be chopped (I1)."""
        waits = self.ket("response") and not self.rules.ket_3_bich.single_only and self.rules.finish.with_hang
        return waits and any(self.pays(bomb, target) for bomb in BOMBS for target in BOMBS)

    @property
    def placed(self):
        """The game is settled by place, not by the cards left."""
        return self.rules.count_cards is None

    def fewest_active(self) -> int:
        """How few players can hold cards when the first place is taken, him among them."""
        if self.on_two == "counts_last":
            return 2
        return max(2, self.n - 1) if self.late else self.n

    # Who leads next

    def leads(self, word: str) -> bool:
        """It can decide who leads: it is in the order, and nothing that every game has stands before it."""
        order = self.rules.lead.next
        return word in order and not set(EVERY_GAME) & set(order[: order.index(word)])

    def leads_by_streak(self) -> bool:
        """A seat can have a streak after a game: of cóng, or one that a called game leaves."""
        kept = self.rules.bao_sam is not None and self.streaks()
        return self.leads("cong_streak") and (self.cong() or kept)

    def streaks(self) -> bool:
        return self.rules.lead.cong_streak is not None

    # Sâm

    def sam(self, **values) -> bool:
        """Sâm can be called, under these values of its clauses."""
        rule = self.rules.bao_sam
        return rule is not None and all(getattr(rule, key) == value for key, value in values.items())

    def den_bao(self, others: bool = False) -> bool:
        """Somebody can be liable; ``others``: there are more losers than him."""
        rule = self.rules.den_bao
        return rule is not None and self.n >= rule.min_active and (not others or self.n > 2)

    def thoi_to_first(self) -> bool:
        rules = self.rules
        if rules.thoi is None:
            return False
        return rules.count_cards is not None or not self.last_one or rules.thoi.receiver == "first"

    def pays_first(self) -> bool:
        return self.last_one and any(row.to_place == 1 for row in self.rows())

    def doubles(self, bomb: str) -> bool:
        """The first to go out may do so by a set that doubles what he is paid."""
        finish = self.rules.finish
        is_bomb = bomb in BOMBS or self.long_runs
        return bomb in (finish.double or ()) and self.has_set(bomb) and (finish.with_hang or not is_bomb)

    # President

    def president(self, **values) -> bool:
        rule = self.rules.president
        return rule is not None and all(getattr(rule, key) == value for key, value in values.items())

    def gifts(self) -> list[int]:
        """The sizes of what is given up."""
        return [row.cards for row in exchange_rows(self.rules.president, self.n)] if self.rules.president else []

    def idle_title(self) -> bool:
        rows = exchange_rows(self.rules.president, self.n) if self.rules.president else ()
        busy = {title for row in rows for title in (row.from_title, row.to_title)}
        return bool(rows) and bool(set(dict(self.rules.president.titles)[self.n]) - busy)

    # Cóng and 3♠

    def cong(self, number: int = 1) -> bool:
        return self.rules.cong is not None and self.n > number

    def one_by_one(self) -> bool:
        return self.rules.cong is not None and self.rules.cong.method == "per_player"

    def table(self) -> bool:
        return self.rules.cong is not None and self.rules.cong.method == "whole_table"

    def den(self) -> bool:
        rule = self.rules.den_cong
        return self.one_by_one() and rule is not None and self.n - 1 >= rule.min_opponents

    def odd_shares(self) -> bool:
        """M10: half units that do not divide among the cóng seats."""
        if not self.table():
            return False
        fine = self.rules.cong.fine
        fine = round(2 * (dict(fine)[self.n] if isinstance(fine, tuple) else fine))
        whole = self.rules.cong.payee == "on_behalf"
        return any((fine * (self.n - 1) if whole else fine) % seats for seats in range(1, self.n - (not whole)))

    def ket(self, window: str = "") -> bool:
        return self.rules.ket_3_bich is not None and window in ("", self.rules.ket_3_bich.window)

    def quad_residual(self, *kinds: str) -> bool:
        residual = self.rules.residual
        if residual is None or residual.quad3_residual not in kinds:
            return False
        return residual.quad3_residual != "3S_alone" or self.rules.lead.opening_card != 0

    def run_residual(self) -> bool:
        return self.rules.residual is not None and self.rules.residual.pair_run_4 and self.has_bomb("ba_doi_thong")

    def dut(self, players: int = 2) -> bool:
        return self.rules.dut_3_bich is not None and self.n >= players

    # Tới trắng

    def wins(self, opening: bool):
        return self.rules.instant_wins(opening, self.n)

    def instant(self) -> bool:
        return bool(self.wins(opening=True) or self.wins(opening=False))

    def priority(self, word: str) -> bool:
        """Two seats can hold patterns of a list: not where each takes the 3♠ or all 3s (002#R27)."""
        return any(
            self.rules.priority(opening=opening) == word and self._two_can_hold(self.wins(opening))
            for opening in (True, False)
        )

    def _two_can_hold(self, wins) -> bool:
        examples = [map(hand_of, pattern_hands(self.rules)[win.id]) for win in wins]
        hands = [hand for some in examples for hand in some]
        return any(not one & other for one, other in combinations_with_replacement(hands, 2))

    def calls(self, declare: str) -> bool:
        return self.instant() and self.rules.toi_trang.declare == declare

    def rows(self):
        return dict(self.rules.place_transfers)[self.n] if self.placed and self.rules.place_transfers else ()


Condition = Callable[[Case], object]


def always(_: Case) -> bool:
    return True


def _deal_and_lead() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {
        "A1 first out ends the game": lambda o: not o.last_one,
        "A2 the last holder ends the game": lambda o: o.last_one,
        "B1 cards lie aside": always,
        "B2 the opening card leads": always,
    }
    for word in ("lowest_must_include", "lowest_free", "random"):
        clauses[f"B2 it is not dealt, {word}"] = lambda o, w=word: o.rules.lead.opening_fallback == w
    for word in ("opening_hand", "winner_leads"):
        clauses[f"B4 after tới trắng, {word}"] = lambda o, w=word: (
            o.instant() and o.rules.toi_trang.after_instant_win == w
        )
    return clauses | {
        "B6 the direction turns": lambda o: o.rules.turn.alternate_direction_each_hand,
        "B7 next leads: winner": lambda o: o.leads("winner") or not set(EVERY_GAME) & set(o.rules.lead.next),
        "B7 next leads: last_place": lambda o: o.leads("last_place"),
        "B7 next leads: den_payer": lambda o: o.den() and o.leads("den_payer"),
        "B7 next leads: sam_caller": lambda o: o.sam() and o.leads("sam_caller"),
        "B7 next leads: cong_streak": Case.leads_by_streak,
        "B7 next leads: nobody": lambda o: o.all_stuck() or (o.sam() and o.on_two == "forbid"),
        "B8 the first play has the card": lambda o: o.rules.lead.opening_must_include,
        "B8 the first play has the card in a set": lambda o: o.rules.lead.opening_must_include,
        "B9 next seat leads": Case.out_and_on,
        "B9 it has passed in the trick": Case.out_and_on,
    }


def _combinations() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for kind in ("single", "pair", "straight", "pair_run"):
        clauses[f"C1 {kind} by the suit"] = lambda o, k=kind: (
            o.has_kind(k)
            and o.rules.combinations.compare == "top_card"
            and (o.match == "off" or (o.match == "north" and k == "pair_run"))
        )
    for bomb in BOMBS:
        for target in TARGETS:
            name = f"C16 {ENGLISH[bomb]} on {ENGLISH[target]}"
            clauses[name] = lambda o, b=bomb, t=target: o.chops(b, t)
    for word in ("heo_sum", "quad"):
        clauses[f"C14 four 2s chopped, {word}"] = lambda o, w=word: (
            o.any_chop(["ba_doi_thong", "bon_doi_thong"], ["tu_quy"]) and o.rules.chop.four_twos_price == w
        )
    return clauses | {
        "C2 longer straight": lambda o: o.has_kind("straight") and o.rules.combinations.straight.longer_beats,
        "C4 triple on triple": always,
        "C6 five pairs or more on as many": lambda o: o.runs is not None,
        "C6 longer run": lambda o: (
            o.long_runs and not (o.chops("bon_doi_thong", "ba_doi_thong") and o.chops("bon_doi_thong", "bon_doi_thong"))
        ),
        "C6 five pairs chop": lambda o: o.long_runs and o.any_chop(["bon_doi_thong"]),
        "C6 five pairs are chopped": lambda o: o.long_runs and o.any_chop(targets=["bon_doi_thong"]),
        "C9 low straight": lambda o: o.has_kind("straight") and o.rules.combinations.straight.low,
        "C10 long low straight": lambda o: o.has_kind("straight") and o.rules.combinations.straight.low,
        "C11 bomb is led": always,
        "C11 quad on quad": always,
        "C12 out with a bomb": lambda o: o.rules.finish.with_hang,
        "C12 not out with a bomb": lambda o: not o.rules.finish.with_hang,
        "C13 three 2s": always,
        "C13 three 2s unbeaten": always,
        "C13 three 2s chopped": Case.chops_triple,
        "C14 four 2s": always,
        "C21 2 on a 2": lambda o: o.rules.combinations.compare == "top_card" and o.match == "off",
    }


def _passing() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for bomb in BOMBS:
        clauses[f"D2 {ENGLISH[bomb]} after a pass"] = lambda o, b=bomb: o.after_pass(b)
    for target in TARGETS:
        clauses[f"D4 free chop on {ENGLISH[target]}"] = lambda o, t=target: o.free(t)
    return clauses | {
        "D1 locked seat is left out": lambda o: o.rules.turn.pass_locks and o.n > 2,
        "D1 plays again after a pass": lambda o: (
            o.n > 2 and (not o.rules.turn.pass_locks or (o.rules.turn.pass_reset_on_chop and o.some_chop()))
        ),
        "D1 a chop lets passers in": lambda o: (
            o.n > 2 and o.rules.turn.pass_locks and o.rules.turn.pass_reset_on_chop and o.some_chop()
        ),
        "D4 free chop out of turn": lambda o: o.some_free() and o.n > 2,
        "D4.4 free chop before the trick closes": Case.some_free,
        "D4.6 free chop after a pass": Case.some_free,
        "D4.8 free chop on one who is out": lambda o: (
            o.some_free() and (o.out_and_on() or (o.out_with_3s() and any(map(o.free, BOMBS))))
        ),
        "D5 free chop is the first play": Case.some_free,
        "D6 pass": always,
        "M21 chop declined": lambda o: o.some_free() or any(map(o.after_pass, BOMBS)),
    }


def _chop_money() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {
        "E2 chain of 1": lambda o: o.links(1),
        "E2 chain of 2": lambda o: o.links(2),
        "E2 chain of 3 or more": lambda o: o.links(3),
    }
    for word in ("last_pays_sum", "each_pays_own", "doubling", "doubling_links"):
        clauses[f"E2 {word}"] = lambda o, w=word: o.links(2) and o.rules.chop.chain == w
    for colour in ("black", "mixed", "red"):
        clauses[f"E4 two 2s, {colour}"] = lambda o, c=colour: (
            o.any_chop(targets=["doi_heo"]) and not (c == "mixed" and o.match == "north")
        )
    return clauses | {
        "E3 the beaten 2 counts": lambda o: (
            o.any_chop(targets=["heo", "doi_heo"]) and o.rules.chop.chain_includes_overlaid_twos
        ),
        "E3 the beaten 2 does not count": lambda o: (
            o.any_chop(targets=["heo", "doi_heo"])
            and not o.rules.chop.chain_includes_overlaid_twos
            and (o.match == "north" or (o.match == "off" and o.rules.combinations.compare == "top_card"))
        ),
        "E5 chain is void": lambda o: _void(o, "chain_if_last_victim_out"),
        "E5 chain stands, an earlier victim is out": lambda o: (
            o.links(2) and o.out_and_on() and _void(o, "chain_if_last_victim_out")
        ),
        "E5 link is void": lambda o: _void(o, "link"),
        "E5 nothing is void": lambda o: _void(o, "none"),
        "E6 same kind is paid": lambda o: any(o.pays(bomb, bomb) for bomb in BOMBS),
        "E6 same kind is not paid": lambda o: (
            any(o.chops(bomb, bomb) for bomb in BOMBS) and not o.rules.chop.pay_same_class
        ),
        "E6 led bomb is paid": lambda o: o.any_chop(targets=BOMBS) and o.rules.chop.pay_led_hang,
        "E6 led bomb is not paid": lambda o: o.any_chop(targets=BOMBS) and not o.rules.chop.pay_led_hang,
        "M1 chain open at the end": lambda o: o.links(1),
        "M2 chop with the last card": lambda o: o.links(1),
        "M3 own earlier victim": lambda o: o.links(2),
        "M3 chain starts anew": lambda o: any(map(o.starts_anew, BOMBS)),
        "M12 bomb beats bomb, no chop": Case.unpaid_bomb,
    }


def _void(case: Case, scope: str) -> bool:
    """E5; the chopped play can be the last where a 2 or a bomb may be."""
    finish = case.rules.finish
    if not case.links(1) or case.rules.chop.finisher_void_scope != scope:
        return False
    return (case.out_and_on() and (finish.on_two != "forbid" or finish.with_hang)) or case.out_with_3s()


def _toi_trang(patterns) -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for pattern in patterns:
        clauses[f"F3 {pattern}"] = lambda o, p=pattern: (
            p in {win.id for win in (*o.wins(opening=True), *o.wins(opening=False))}
        )
    return clauses | {
        "F1 opening list": lambda o: o.wins(opening=True),
        "F1 other list": lambda o: o.wins(opening=False),
        "F5 several, turn": lambda o: o.priority("turn"),
        "F5 several, strength": lambda o: o.priority("strength"),
        "F5 the nearer before the stronger": lambda o: o.priority("turn"),
        "F5 the stronger before the nearer": lambda o: o.priority("strength"),
        "F7 everybody calls": lambda o: o.calls("automatic"),
        "F7 called": lambda o: o.calls("optional"),
        "F7 not called": lambda o: o.calls("optional"),
        "F9 heo and hàng counted": lambda o: any(
            win.count_heo for win in (*o.wins(opening=True), *o.wins(opening=False))
        ),
        "M18 the other direction": lambda o: o.rules.turn.alternate_direction_each_hand,
    }


def _cong() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for number in (1, 2, 3, 4):
        clauses[f"G1 cóng of {number}"] = lambda o, k=number: o.cong(k)
    for method in ("sole_holder", "first_in_order"):
        for scan in ("seat_first", "play_first"):
            clauses[f"G4 đền, {method}, {scan}"] = lambda o, m=method, s=scan: (
                o.den() and (o.rules.den_cong.method, o.rules.den_cong.scan) == (m, s)
            )
    for payee in ("on_behalf", "to_each"):
        clauses[f"G7 whole table, {payee}"] = lambda o, p=payee: o.table() and o.rules.cong.payee == p
    return clauses | {
        "G2 items of cóng": lambda o: o.one_by_one() and o.rules.cong.items,
        "G3 two or more play on beside cóng": lambda o: o.one_by_one() and o.last_one and o.n > 3,
        "G3 second beside cóng pays nothing": lambda o: o.one_by_one() and o.last_one and o.n > 2,
        "G4 nobody must đền": Case.den,
        "G4 the scan decides": lambda o: o.den() and o.n > 2,
        "G4 two were able, nobody must đền": lambda o: o.den() and o.rules.den_cong.method == "sole_holder" and o.n > 2,
        "G5 too few for đền": lambda o: o.one_by_one() and o.rules.den_cong is not None and not o.den(),
        "G6 đền pays for another": lambda o: o.den() and o.n > 2,
        "G7 items of cóng": lambda o: o.table() and o.rules.cong.items,
        "G8 chops stand beside cóng": lambda o: o.cong() and o.n > 2 and o.links(1),
        "G9 counted beside cóng": lambda o: o.one_by_one() and o.n > 2 and o.rules.count_cards is not None,
        "M5 late finisher and cóng": lambda o: o.cong() and o.n > 2 and o.late,
        "M6 place money of cóng falls away": lambda o: o.one_by_one() and o.last_one and bool(o.rows()),
        "M9 cóng without points": lambda o: o.one_by_one() and o.last_one and o.rules.place_points is not None,
        "M10 odd half units": Case.odd_shares,
    }


def _settlement() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for payer in (1, 2, 3, 4, 5):
        for receiver in (1, 2, 3, 4, 5):
            if payer != receiver:
                clauses[f"H1 place {payer} pays place {receiver}"] = lambda o, ends=(payer, receiver): (
                    o.last_one and ends in {(row.from_place, row.to_place) for row in o.rows()}
                )
    for bomb in BOMBS:
        clauses[f"H4 {ENGLISH[bomb]} left"] = lambda o, b=bomb: o.has_bomb(b) and _hang(o)
    for word in ("replace", "add"):
        clauses[f"H5 priced cards {word}"] = lambda o, w=word: (
            bool(o.rules.count_cards and o.rules.thoi) and o.rules.count_cards.items == w
        )
    return clauses | {
        "E8 points by place": lambda o: o.rules.place_points is not None,
        "H2 thối of the last": lambda o: o.rules.thoi and o.last_one and o.placed,
        "H2 thối of every loser": lambda o: o.rules.thoi and not o.last_one and o.placed,
        "H3 it goes to the first": lambda o: (
            o.rules.thoi and o.last_one and o.placed and (o.n == 2 or o.rules.thoi.receiver == "first")
        ),
        "H3 it goes to the place above": lambda o: (
            o.rules.thoi and o.last_one and o.placed and o.n > 2 and o.rules.thoi.receiver == "above_last"
        ),
        "H4 heo left": lambda o: _hang(o) or o.rules.thoi,
        "H4 the best partition is not the greedy one": lambda o: (
            _hang(o) and o.has_bomb("ba_doi_thong") and _bombs_compete(o.rules.prices)
        ),
        "H5 cards counted": lambda o: o.rules.count_cards is not None,
        "H7 no thối beside cóng": lambda o: o.rules.thoi and o.last_one and o.placed and o.one_by_one(),
        "M13 last on a 2 pays no thối": lambda o: o.rules.thoi and o.last_one and o.placed and o.late,
    }


def _hang(case: Case) -> bool:
    """Bombs left in a hand are looked at."""
    rules = case.rules
    if rules.thoi is not None:
        return rules.thoi.hang
    return bool((rules.cong and rules.cong.items) or (rules.bao_sam and rules.bao_sam.items))


def _bombs_compete(prices) -> bool:
    """H4: the dearest bomb first can leave less than the best partition (44 44 55 55 66 77, 44 44 55 66)."""
    return any(getattr(prices, bomb) > 0 for bomb in BOMBS)


def _specials() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for word in ("active", "not_passed", "laid_card", "blocker_only"):
        clauses[f"I2 blocked, {word}"] = lambda o, w=word: o.ket("response") and o.rules.ket_3_bich.block_payees == w
    for word in ("hand_ends", "continue"):
        clauses[f"I3 after the block, {word}"] = lambda o, w=word: (
            o.ket("response") and o.rules.ket_3_bich.after_block == w
        )
    for word in ("third_to_second", "both_to_first"):
        clauses[f"J4 two are last, {word}"] = lambda o, w=word: (
            o.dut(4) and o.last_one and o.rules.dut_3_bich.dut_second_payee == w
        )
    for kind in ("single", "pair", "straight"):
        clauses[f"J7 {kind} follows suit"] = lambda o, k=kind: o.match == "north" and o.has_kind(k)
    for kind in ("single", "pair", "straight", "pair_run"):
        clauses[f"J7 {kind} follows the lowest card's suit"] = lambda o, k=kind: (
            o.match == "match_first_card_only" and o.has_kind(k)
        )
    return clauses | {
        "I1 3♠ is the last play": Case.ket,
        "I1 3♠ is in the last play": lambda o: o.ket() and not o.rules.ket_3_bich.single_only,
        "I1 3♠ without an answer": lambda o: o.ket("none"),
        "I3 3♠ unbeaten": lambda o: o.ket("response"),
        "M4 block with the last card": lambda o: o.ket("response"),
        "J2 3♠ as a quad": lambda o: o.quad_residual("3S_alone"),
        "J2 three 3s as a quad": lambda o: o.quad_residual("remaining_threes"),
        "J2 it is led": lambda o: o.quad_residual("3S_alone", "remaining_threes"),
        "J2 it chops": lambda o: o.quad_residual("3S_alone", "remaining_threes") and o.any_chop(["tu_quy"]),
        "J2 it is chopped": lambda o: (
            o.quad_residual("3S_alone", "remaining_threes") and o.any_chop(targets=["tu_quy"])
        ),
        "J2 power lost": lambda o: o.quad_residual("3S_alone", "remaining_threes"),
        "J3 sixes as four pairs": Case.run_residual,
        "J3 they are chopped": lambda o: o.run_residual() and o.any_chop(targets=["bon_doi_thong"]),
        "J4 đút as the first": Case.dut,
        "J4 đút as the second": lambda o: o.dut(3) and o.last_one,
        "M11 cóng fines beside đút": lambda o: o.dut() and o.one_by_one(),
        "J5 3♠ left": lambda o: o.rules.thoi and o.rules.thoi.ba_bich > 0,
        "J5 four 3s left": lambda o: o.rules.thoi and o.rules.thoi.ba_bich > 0,
        "J6 bonus for four pairs": lambda o: o.rules.chop and o.rules.chop.four_pairs_bonus > 0 and o.runs,
        "J6 three pairs as a trump": lambda o: o.has_bomb("ba_doi_thong") and o.runs.three == "trump",
        "J7 single of 2s on others": lambda o: o.match == "north",
        "J7 single of 2s on 2s": lambda o: o.match == "north",
        "J7 pair of 2s on others": lambda o: o.match == "north",
        "J7 pair of 2s on 2s": lambda o: o.match == "north",
        "J8 out on a 2": lambda o: o.on_two == "allow",
        "J8 out on a 2 is last": lambda o: o.on_two == "counts_last",
        "J8 not out on a 2": lambda o: o.on_two == "forbid",
        "J9 pays the table, the game ends": lambda o: o.rules.den_ca_lang and o.rules.den_ca_lang.hand_ends,
        "J9 pays the table, the game goes on": lambda o: o.rules.den_ca_lang and not o.rules.den_ca_lang.hand_ends,
        "K10 out on a straight with a 2": lambda o: (
            o.rules.finish.on_two_in_straight and o.has_kind("straight") and o.rules.combinations.straight.low
        ),
        "K10 stuck leader": lambda o: o.on_two == "forbid",
        "M13 his last set has a 2": lambda o: o.rules.den_ca_lang,
        "M13 the beat is a paid chop": lambda o: o.rules.den_ca_lang and o.links(1),
        "M13 two are out on a 2": lambda o: o.on_two == "counts_last" and o.n > 2,
        "M14 all are stuck": Case.all_stuck,
    }


def _sam() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for times in ("opponents", "players"):
        for payee in ("blocker", "each_opponent"):
            clauses[f"K3 Sâm is blocked, {times}, {payee}"] = lambda o, t=times, p=payee: o.sam(
                fail_multiplier=t, fail_payee=p
            )
    return clauses | {
        "K1 Sâm is called": Case.sam,
        "K1 Sâm is not called": Case.sam,
        "K1 the caller is not the leader": Case.sam,
        "K2 Sâm is made": Case.sam,
        "K2 heo and hàng of a made Sâm": lambda o: o.sam(items=True),
        "K3 blocked with the last card": Case.sam,
        "K3 a 2 is the block": Case.sam,
        "K4 chop money": lambda o: o.sam(chop_money=True) and o.links(1),
        "K4 no chop money": lambda o: o.sam(chop_money=False) and o.links(1),
        "K5 caller wins by tới trắng": lambda o: o.sam() and o.instant(),
        "K5 tới trắng before the call": lambda o: o.sam() and o.instant(),
        "K8 of several the nearest": lambda o: o.leads_by_streak() and o.n > 2,
        "K8 a streak before the caller": lambda o: (
            o.sam() and o.leads_by_streak() and "sam_caller" not in _before(o, "cong_streak")
        ),
        "K14 blocked out of turn": lambda o: o.sam() and o.some_free(),
        "M14 caller is stuck": lambda o: o.sam() and o.on_two == "forbid",
        "M14 caller leads without the opening card": lambda o: o.sam() and o.rules.lead.opening_must_include,
        "M16 leading uses a streak up": Case.streaks,
        "M16 a streak grows": lambda o: o.streaks() and o.cong(),
        "M16 a streak ends": Case.streaks,
        "M16 a called Sâm leaves a streak": lambda o: o.streaks() and o.sam(),
        "M16 tới trắng breaks a streak": lambda o: o.streaks() and o.instant(),
        "003#R42 barred from tới trắng": lambda o: o.instant() and o.rules.toi_trang.bars_last_winner,
    }


def _before(case: Case, word: str) -> tuple[str, ...]:
    order = case.rules.lead.next
    return order[: order.index(word)]


def _den_bao() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for fault in ("led lower", "followed lower", "passed"):
        clauses[f"K9 đền báo, {fault}"] = Case.den_bao
    for safe in ("his highest", "no single", "could not beat"):
        clauses[f"K9 safe, {safe}"] = lambda o: o.rules.den_bao is not None
    return clauses | {
        "K9 too few players": lambda o: o.rules.den_bao and o.fewest_active() < o.rules.den_bao.min_active,
        "K9 his highest would not have held": lambda o: o.den_bao() and o.rules.den_bao.requires_effect,
        "M15 passed before a lead": Case.den_bao,
        "M15 pays cards of another": lambda o: (
            o.den_bao(others=True) and o.rules.count_cards is not None and o.rules.prices.rac > 0
        ),
        "M15 pays thoi of another": lambda o: (
            o.den_bao(others=True) and (o.thoi_to_first() or (o.one_by_one() and o.rules.cong.items))
        ),
        "M15 pays cong of another": lambda o: o.den_bao(others=True) and o.one_by_one(),
        "M15 pays thui_3_bich of another": lambda o: (
            o.den_bao(others=True) and o.thoi_to_first() and o.rules.thoi.ba_bich > 0
        ),
        "M15 pays place of another": lambda o: o.den_bao(others=True) and o.pays_first(),
        "M15 is cóng himself": lambda o: o.den_bao() and o.one_by_one(),
        "M15 chops stand": lambda o: o.den_bao() and o.links(1),
    }


def _president() -> dict[str, Condition]:
    clauses: dict[str, Condition] = {}
    for tie in ("lowest_suit_first", "highest_suit_first"):
        clauses[f"L13 of equal ranks, {tie}"] = lambda o, t=tie: o.president(exchange_tie=t) and bool(o.gifts())
    return clauses | {
        "L9 quad on a quad turns the order": lambda o: o.president(revolution=True),
        "L11 quad without a revolution": lambda o: o.president(revolution=False),
        "L12 quad is the last play": lambda o: o.president(revolution=True) and o.rules.finish.with_hang,
        "004#R13 a title does not exchange": Case.idle_title,
        "004#R14 gives several cards": lambda o: any(number > 1 for number in o.gifts()),
        "004#R15 gives one card": lambda o: 1 in o.gifts(),
        "004#R16 returns a card just received": lambda o: bool(o.gifts()),
        "004#R16 returns another card": lambda o: bool(o.gifts()),
        "004#R19 the first play is free": lambda o: o.president() and not o.rules.lead.opening_must_include,
        "004#R23 revolution": lambda o: o.president(revolution=True),
        "004#R24 the order is restored": lambda o: o.president(revolution=True),
        "004#R24 beats in the reversed order": lambda o: o.president(revolution=True),
    }


def house() -> dict[str, Condition]:
    """Clauses that no preset has."""
    clauses: dict[str, Condition] = {}
    for bomb in EVERY_LONG:
        clauses[f"N3 a chop by {bomb} costs more"] = lambda o, b=bomb: _dearer(o, b)
        clauses[f"N5 three 2s chopped by {bomb}"] = lambda o, b=bomb: o.chops_triple(b)
        clauses[f"N9 out first by {bomb}"] = lambda o, b=bomb: o.doubles(b)
    for reason, paid in _PAID.items():
        clauses[f"N9 doubled: {reason}"] = lambda o, p=paid: any(map(o.doubles, EVERY_LONG)) and p(o)
    for length, name in ((5, "nam_doi_thong"), (6, "sau_doi_thong")):
        clauses[f"N4 own price of {length} pairs"] = lambda o, n=name: (
            o.long_runs and any(o.pays(bomb, "bon_doi_thong") for bomb in BOMBS) and _own_price(o, n)
        )
    return clauses | {
        "N2 a last 2 is fined": lambda o: bool(o.rules.finish.two_fine) and o.on_two == "allow",
        "N4 own price of two 2s": lambda o: (
            _own_price(o, "doi_heo") and (o.any_chop(targets=["doi_heo"]) or o.rules.chop.chain_includes_overlaid_twos)
        ),
        "N4 own price of three 2s": lambda o: _own_price(o, "ba_heo") and o.chops_triple(),
        "N7 cóng counted, so many times": lambda o: o.one_by_one() and (o.rules.cong.times or 1) > 1 and _counts(o),
        "N8 items of cóng, so many times": lambda o: (
            o.cong() and o.rules.cong.items and (o.rules.cong.items_times or 1) > 1 and _items_cost(o)
        ),
        "N10 3♠ in place of a card": _priced_3s,
        "N10 3♠ on top of a bomb": lambda o: _priced_3s(o) and o.rules.thoi.hang and _bombs_compete(o.rules.prices),
        "N11 exchange by the number of players": lambda o: (
            bool(o.gifts()) and isinstance(o.rules.president.exchange[0], tuple)
        ),
    }


def _own_price(case: Case, name: str) -> bool:
    return case.rules.chop is not None and getattr(case.rules.chop.prices, name) is not None


def _dearer(case: Case, bomb: str) -> bool:
    """A chop by this bomb is paid, and costs more for it."""
    by = case.rules.chop and case.rules.chop.by
    if not by or not getattr(by, bomb):
        return False
    as_bomb = bomb if bomb in BOMBS else "bon_doi_thong" if case.long_runs else None
    return case.chops_triple(bomb) or any(case.pays(as_bomb, target) for target in TARGETS if as_bomb)


def _items_cost(case: Case) -> bool:
    """Twos and bombs left cost something."""
    prices, thoi = case.rules.prices, case.rules.thoi
    names = (*HEO, *(BOMBS if thoi is None or thoi.hang else ()))
    return any(getattr(prices, name) > 0 for name in names)


def _counts(case: Case) -> bool:
    """Cards left cost something where they are counted."""
    return case.rules.prices.rac > 0 or (case.rules.thoi is not None and _items_cost(case))


def _priced_3s(case: Case) -> bool:
    rules = case.rules
    return bool(rules.thoi and rules.thoi.ba_bich and rules.count_cards and rules.count_cards.items == "replace")


# When something is paid to the first player out that a last bomb doubles.
_PAID: dict[str, Condition] = {
    "cards": lambda o: o.rules.count_cards is not None and o.rules.prices.rac > 0,
    "thoi": lambda o: _items_cost(o) and (
        o.thoi_to_first() or (o.rules.thoi and o.n == 2) or (o.cong() and (o.rules.cong.items or o.rules.cong.times))
    ),
    "cong": lambda o: o.cong(),
    "den_cong": lambda o: o.den() and o.n > 2,
    "thui_3_bich": lambda o: (o.thoi_to_first() or o.n == 2) and o.rules.thoi and o.rules.thoi.ba_bich > 0,
    "place": Case.pays_first,
}  # fmt: skip


PATTERNS = (
    "sanh_rong", "sanh_rong_dong_hoa", "sau_doi_thong", "nam_doi_thong", "bon_bo_ba", "bon_bo_ba_thong",
    "ba_bo_ba_thong", "hai_tu_quy", "ba_tu_quy", "muoi_hai_dong_chat", "muoi_hai_dong_mau", "tu_quy_2", "tu_quy_3",
    "sau_doi", "ba_doi_thong_3_bich", "bon_doi_thong_3_bich", "sanh_rong_3_q", "ba_doi_thong_3", "ba_bo_ba",
    "muoi_dong_mau", "nam_doi",
)  # fmt: skip

CLAUSES = (
    _deal_and_lead() | _combinations() | _passing() | _chop_money() | _toi_trang(PATTERNS) | _cong() | _settlement()
    | _specials() | _sam() | _den_bao() | _president() | house()
)  # fmt: skip
# Those that no rules of Tiến Lên have, nor a table of four.
NOT_OF_TIEN_LEN = {
    *(name for name in CLAUSES if name.startswith("H1") and "5" in name),
    *_sam(), *_den_bao(), *_president(), *house(), "E2 doubling_links", "B7 next leads: sam_caller",
    "B7 next leads: cong_streak",
    "B7 next leads: last_place", "G1 cóng of 4",
}  # fmt: skip


def can_happen(rules, players: int) -> set[str]:
    """The clauses that can have an effect under these rules."""
    case = Case(rules, players)
    return {name for name, condition in CLAUSES.items() if condition(case)}


def table(counts: Mapping[str, Counter[str]]) -> str:
    """Lines of clause by column; ``counts`` has a counter for each, and what cannot happen has no number."""
    names = sorted({name for column in counts.values() for name in column}, key=_order)
    widest = max(map(len, names), default=0)
    lines = [" " * widest + "".join(f"  {column:>9}" for column in counts)]
    for name in names:
        cells = (f"{column[name]:>9,}" if name in column else " " * 9 for column in counts.values())
        lines.append(f"{name:<{widest}}  " + "  ".join(cells))
    return "\n".join(lines)


def _order(name: str) -> tuple[str, int, str]:
    """By the number in RULES.md: C2 before C16; rules of a seed behind them."""
    found = re.match(r"(\d+#)?([A-Z])(\d+)", name)
    return (found[1] or "") + found[2], int(found[3]), name
