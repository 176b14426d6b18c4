"""Sâm lốc for the slow twin: calling Sâm, đền báo, and the lead after games in a row of cóng (RULES.md 2.K, M14-M16).

`SamRules` is a part of `naive_game.Game`, which plays the cards.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from naive_sets import YES, Combo, Play, half, has_two, top_card

NO_SINGLE = "no single"
SHARED = ("cards", "thoi", "cong", "thui_3_bich", "place")  # what đền báo pays for the others (S9)


class Decision(NamedTuple):
    """The last decision of a seat, as far as đền báo asks for it."""

    fault: str  # what was wrong with it while the next seat held one card
    safe: str  # why nothing was, while it held one
    highest: int  # rank of the highest card that the seat held


class SamRules:
    """Báo Sâm, đền báo and the streaks of cóng."""

    def _start_sam(self, streaks) -> None:
        self.caller: int | None = None
        self.streaks = tuple(streaks or [0] * self.players)
        if len(self.streaks) != self.players:
            raise ValueError("streaks are numbers by seat")
        self.next_streaks = self.streaks
        self.decided: dict[int, Decision] = {}
        self.failed_to_hold: int | None = None  # liable if the game ends as usual
        self.den_bao_payer: int | None = None

    # Calling

    def _ask_for_sam(self) -> Generator[tuple[int, str], Play, None]:
        """003#R47, K1: everybody is asked once, from the nominal leader on; the first yes wins."""
        if self.rules.bao_sam is None:
            return
        for seat in self._order(self.leader):
            if (yield seat, "sam") == YES:
                self.caller = seat
                self.calls.append({"seat": seat, "call": "sam"})
                self.count("K1 Sâm is called")
                self.count("K1 the caller is not the leader", seat != self.leader)
                return
            self.count("K1 Sâm is not called")

    def _starter(self) -> int:
        """Who leads the game: the caller before the nominal leader (003#R47)."""
        return self.leader if self.caller is None else self.caller

    def _is_block(self, seat: int) -> bool:
        """003#R49: any set of another seat beats the caller."""
        return self.caller is not None and seat != self.caller

    def _settle_sam(self, how: str) -> None:
        """The money of a called game; nothing else is settled (K2, K4)."""
        self.count("K4 no chop money", bool(self.chain) and not self.rules.bao_sam.chop_money)
        self.count("K4 chop money", bool(self.chain) and self.rules.bao_sam.chop_money)
        if not self.rules.bao_sam.chop_money:
            self.chain = []
        match how:
            case "sam_made":
                self._pay_for_sam()
            case "sam_blocked":
                self._pay_blocker(self.owner)
            case "sam_stuck":
                self.count("M14 caller is stuck")
                self._pay_opponents()

    def _pay_for_sam(self) -> None:
        """003#R48, K2: everybody pays the same; heo and hàng on top where the rules say so."""
        rule = self.rules.bao_sam
        self.places = [self.caller]
        self.count("K2 Sâm is made")
        for seat in self._order(self.caller)[1:]:
            self._pay(seat, self.caller, "sam", half(rule.pays))
            if rule.items:
                items = self._items(self.hands[seat])
                self.count("K2 heo and hàng of a made Sâm", items > 0)
                self._pay(seat, self.caller, "thoi", items)

    def _pay_blocker(self, blocker: int) -> None:
        """003#R49, K3: once for each opponent or each player, to the blocker or to each opponent."""
        rule = self.rules.bao_sam
        self.places = [blocker]
        self.count(f"K3 Sâm is blocked, {rule.fail_multiplier}, {rule.fail_payee}")
        self.count("K3 blocked with the last card", not self.hands[blocker])
        fine, opponents = half(rule.fail_pays), self.players - 1
        if rule.fail_payee == "each_opponent":
            self._pay_opponents()
            if rule.fail_multiplier == "players":
                self._pay(self.caller, blocker, "sam_blocked", fine)
        else:
            times = opponents if rule.fail_multiplier == "opponents" else self.players
            self._pay(self.caller, blocker, "sam_blocked", fine * times)

    def _pay_opponents(self) -> None:
        for seat in self._order(self.caller)[1:]:
            self._pay(self.caller, seat, "sam_blocked", half(self.rules.bao_sam.fail_pays))

    # Đền báo

    def _note_decision(self, seat: int, combo: Combo | None) -> None:
        """K9, M15: keep the last decision of a seat, a play or a pass, before it takes effect."""
        if self.rules.den_bao is None or self.caller is not None:
            return
        fault = safe = ""
        if self.hands[self._order(seat)[1]].bit_count() == 1:
            fault, safe = self._fault_of_pass(seat) if combo is None else self._fault_of_play(seat, combo)
        self.decided[seat] = Decision(fault, safe, top_card(self.hands[seat]) // 4)

    def _fault_of_play(self, seat: int, combo: Combo) -> tuple[str, str]:
        """A single, led or followed, below his highest rank; other sets are safe."""
        if combo.cards.bit_count() > 1:
            return "", NO_SINGLE
        if combo.rank == top_card(self.hands[seat]) // 4:
            return "", "his highest"
        return "led lower" if self.top is None else "followed lower", ""

    def _fault_of_pass(self, seat: int) -> tuple[str, str]:
        """A pass on a single that he could have beaten."""
        if self.top.cards.bit_count() > 1:
            return "", NO_SINGLE
        return ("passed", "") if self._able(seat, self.top) else ("", "could not beat")

    def _who_failed_to_hold(self, winner: int, combo: Combo) -> int | None:
        """003#R50, K9, M15: the seat before the one-card player, by its last decision before he goes out."""
        rule = self.rules.den_bao
        before = self._order(winner)[-1]
        last = self.decided.get(before)
        if rule is None or last is None:
            return None
        if not last.fault:
            self.count(f"K9 safe, {last.safe}", bool(last.safe))
            return None
        if len(self.active) + 1 < rule.min_active:
            self.count("K9 too few players")
            return None
        if rule.requires_effect and combo.rank > last.highest:
            self.count("K9 his highest would not have held")
            return None
        self.count(f"K9 đền báo, {last.fault}")
        self.count("M15 passed before a lead", last.fault == "passed" and self.top_led)
        return before

    def _pay_den_bao(self) -> None:
        """M15: the liable seat pays the winner what the others would; chops stand."""
        payer = self.den_bao_payer = self.failed_to_hold
        if payer is None:
            return
        winner = self.out[0]
        for (other, receiver, reason), amount in list(self.transfers.items()):
            if receiver == winner and other != payer and reason in SHARED:
                del self.transfers[other, receiver, reason]
                self._pay(payer, winner, "den_bao", amount)
                self.count(f"M15 pays {reason} of another")
        self.count("M15 is cóng himself", payer in self.cong)
        self.count("M15 chops stand", self.chain_paid)

    # Streaks of cóng

    def _streaks_after(self, how: str) -> tuple[int, ...]:
        """003#R17, M16: scored games in a row in which each seat was cóng."""
        limit = self.rules.lead.cong_streak
        if how == "toi_trang":
            self.count("M16 tới trắng breaks a streak", limit is not None and any(self.streaks))
            return (0,) * self.players
        numbers = list(self.streaks)
        first = self.history[0][0] if self.history else None
        if limit and first == self._starter() and numbers[first] >= limit:
            numbers[first] = 0
            self.count("M16 leading uses a streak up")
        if self.caller is not None:
            self.count("M16 a called Sâm leaves a streak", limit is not None and any(numbers))
            return tuple(numbers)
        if limit:
            self.count("M16 a streak grows", any(numbers[seat] for seat in self.cong))
            self.count("M16 a streak ends", any(n and seat not in self.cong for seat, n in enumerate(numbers)))
        return tuple(numbers[seat] + 1 if seat in self.cong else 0 for seat in range(self.players))

    def _leads_by_streak(self) -> int | None:
        """003#R17, 003#R18: who was cóng often enough; of several the nearest to the winner."""
        limit = self.rules.lead.cong_streak
        if limit is None or not self.places:
            return None
        found = [seat for seat in self._order(self.places[0]) if self.next_streaks[seat] >= limit]
        return found[0] if found else None

    # Counting the clauses

    def _count_sam_lead(self, combo: Combo) -> None:
        """The first play of a called game."""
        self.count("M14 caller leads without the opening card", bool(self._opening_card() & ~combo.cards))

    def _count_block(self, combo: Combo, interrupt: bool) -> None:
        self.count("K14 blocked out of turn", interrupt)
        self.count("K3 a 2 is the block", has_two(combo.cards) and combo.kind != "straight")

    def _count_sam_and_toi_trang(self, winner: int) -> None:
        """K5."""
        if self.caller is not None:
            self.count("K5 caller wins by tới trắng" if winner == self.caller else "K5 tới trắng before the call")

    def _count_next_by_streak(self, word: str) -> None:
        """K8: a streak gives the lead."""
        if word != "cong_streak":
            return
        limit = self.rules.lead.cong_streak
        self.count("K8 of several the nearest", sum(number >= limit for number in self.next_streaks) > 1)
        self.count("K8 a streak before the caller", self.ended == "sam_made")
