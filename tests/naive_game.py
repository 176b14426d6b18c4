"""The slow twin of the game engine: whole games of every preset, straight from the text of RULES.md.

Nothing here knows the kernels. Cards are numbers (rank * 4 + suit), a set of cards is a 52-bit mask, money is in half
units. `Game` is told what everybody answers and knows what may be asked next; every rule has its place and its number
(C2 is RULES.md §2, M6 is §6). Parameters of the rule file are honoured, not only the values of the presets. What a set
of cards is stands in `naive_sets`; what only Sâm lốc and only President have, in `naive_sam` and `naive_president`.

`Game.fired` counts the clauses that had an effect, by a short name that begins with the number in RULES.md;
`clause_counts` lists the names, and from what rules each can happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import naive
import naive_president
from naive_president import PresidentRules
from naive_sam import SamRules
from naive_sets import (
    ENGLISH,
    HEO,
    KINDS,
    NO,
    PASS,
    RUN_BOMBS,
    THREE,
    TWO,
    YES,
    Box,
    Combo,
    Play,
    all_twos,
    beats,
    bomb_class,
    chops,
    combination,
    counts_of,
    follows,
    groups_of,
    groups_with,
    half,
    has_two,
    is_pair_run,
    names_of,
    same_suit,
    straight_rows,
    suit_mask,
    target_class,
    top_card,
)

from tlsim.cards import DECK, card_name, cards_in

LONG_RUNS = {3: "ba_doi_thong", 4: "bon_doi_thong", 5: "nam_doi_thong", 6: "sau_doi_thong"}
WINS = ("cards", "thoi", "cong", "den_cong", "thui_3_bich", "place")
SPADE_3 = 1  # the mask of 3♠
SAM_BY_CHANCE = 0.15  # how often a policy without thought calls
MOST_ANSWERS = 5000  # far beyond any game: 52 plays, a circuit of passes and windows after each


class Link(NamedTuple):
    """One paid chop of a chain."""

    victim: int
    chopper: int
    value: int
    victim_out: bool  # the chopped play was the victim's last


Question = tuple[int, str]
Script = Generator[Question, Play, None]


# Twos and bombs left in a hand (H4, M7)


class Left(NamedTuple):
    """Half units for what is left of a hand."""

    junk: int
    items: int  # twos and bombs


def bomb_name(combo: Combo) -> str:
    """What rule files call four of a kind, or a run of pairs."""
    return "tu_quy" if combo.kind == "quad" else LONG_RUNS[combo.length]


def price_of_twos(prices, cards: int) -> int:
    return sum(half(getattr(prices, HEO[suit])) for suit in range(4) if suit_mask(cards, TWO) >> suit & 1)


def bombs_of(rules, counts: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every bomb in a hand without its 2s: its class and the cards that it takes of each rank."""
    for rank in range(12):
        if counts[rank] == 4:
            yield "tu_quy", tuple(4 * (r == rank) for r in range(12))
    for length, name in RUN_BOMBS.items():
        for low in range(12 - length + 1):
            ranks = list(range(low, low + length))
            if is_pair_run(rules, ranks) and all(counts[rank] >= 2 for rank in ranks):
                yield name, tuple(2 * (r in ranks) for r in range(12))


def left_over(rules, hand: int, junk: float = 0.0, partition: str = "max_total", hang: bool = True) -> Left:
    """Price a hand: each 2 by itself, the rest in bombs and junk as the partition says."""
    twos = price_of_twos(rules.prices, hand)
    counts = tuple(counts_of(hand)[:12])
    prices = {name: half(getattr(rules.prices, name)) for name in ("ba_doi_thong", "tu_quy", "bon_doi_thong")}
    if not hang:
        return Left(sum(counts) * half(junk), twos)
    split = greedy_split if partition == "greedy" else best_split
    in_bombs, cards = split(rules, counts, prices, half(junk))
    return Left((sum(counts) - cards) * half(junk), twos + in_bombs)


def best_split(rules, counts: tuple[int, ...], prices: dict[str, int], junk: int) -> tuple[int, int]:
    """(price of bombs, cards in bombs) of the dearest disjoint partition; of equal ones that with most bomb cards."""
    best = (sum(counts) * junk, 0, 0)
    for name, taken in bombs_of(rules, counts):
        rest = tuple(n - t for n, t in zip(counts, taken, strict=True))
        bombs, cards = best_split(rules, rest, prices, junk)
        bombs, cards = bombs + prices[name], cards + sum(taken)
        best = max(best, (bombs + (sum(counts) - cards) * junk, cards, bombs))
    return best[2], best[1]


def greedy_split(rules, counts: tuple[int, ...], prices: dict[str, int], _junk: int) -> tuple[int, int]:
    """The dearest bomb first; of equal price 4 pairs, quad, 3 pairs; of one kind the lowest rank."""
    order = ["bon_doi_thong", "tu_quy", "ba_doi_thong"]
    bombs = [(name, taken) for name, taken in bombs_of(rules, counts) if prices[name]]  # what costs nothing is none
    found = [(-prices[name], order.index(name), at, taken) for at, (name, taken) in enumerate(bombs)]
    if not found:
        return 0, 0
    price, _, _, taken = min(found)
    value, cards = greedy_split(rules, tuple(n - t for n, t in zip(counts, taken, strict=True)), prices, _junk)
    return value - price, cards + sum(taken)


def holds_4_pairs(rules, hand: int) -> bool:
    return any(name == "bon_doi_thong" for name, _ in bombs_of(rules, counts_of(hand)[:12]))


# Who leads


def opening_leader(rules, hands: Sequence[int]) -> int:
    """Who leads an opening game: the holder of the opening card, or else of the lowest card dealt (B2, J1)."""
    card = 1 << rules.lead.opening_card
    if not any(hand & card for hand in hands):
        if rules.lead.opening_fallback == "random":
            raise ValueError("the opening card is not dealt and the leader is drawn: he is given from outside")
        card = min(hand & -hand for hand in hands if hand)
    return next(seat for seat, hand in enumerate(hands) if hand & card)


class Game(SamRules, PresidentRules):
    """One game. ``asked`` says who is to answer what; `choose` answers."""

    def __init__(
        self,
        rules,
        hands: Sequence[int],
        leader: int,
        opening: bool,
        direction: int = 1,
        barred: int | None = None,
        streaks: Sequence[int] | None = None,
        titles: Sequence[int] | None = None,
    ):
        self.rules, self.leader, self.opening, self.direction, self.barred = rules, leader, opening, direction, barred
        self.dealt = tuple(hands)
        self.hands = list(hands)
        self.players = len(self.hands)
        if sum(map(int.bit_count, self.hands)) != self._all_cards().bit_count() or not all(self.hands):
            raise ValueError("hands must be disjoint and not empty")

        self.calls: list[dict] = []
        self.plays: list[dict] = []
        self.places: list[int] = []
        self.transfers: Counter = Counter()
        self.points = None if rules.place_points is None else [0] * self.players
        self.net: list[int] = []
        self.next_leader: int | None = None
        self.next_opening = False
        self.next_direction = -direction if rules.turn.alternate_direction_each_hand else direction  # B6
        self.next_barred: int | None = None

        self.active = list(range(self.players))  # who may still play
        self.out: list[int] = []  # who went out, in order
        self.late: list[int] = []  # out on a 2 where that counts as last (J8), or blocked (I3): placed from behind
        self.cong: list[int] = []
        self.den_payer: int | None = None
        self.laid: set[int] = set()  # who has laid a card in this game
        self.history: list[tuple[int, Combo]] = []
        self.ended = ""  # how
        self.last_of_first: Combo | None = None  # the set by which the first went out

        self.top: Combo | None = None
        self.owner = leader
        self.top_led = self.top_last = False  # the top is the lead of the trick; the last play of its owner
        self.passed: set[int] = set()  # in this trick
        self.trick_laid: set[int] = set()
        self.chain: list[Link] = []  # the last unbroken run of paid chops in the trick (M3)
        self.chain_broken = False  # a beat that moves no money has come after it
        self.overlaid = 0  # price of twos beaten by twos (E3)
        self.blockable = False  # the top is a last 3♠ that waits for an answer (I1)
        self.free: Callable[[Combo], bool] = lambda _: False  # what the seat asked "free" may lay

        self.fired: Counter[str] = Counter()  # clauses that had an effect, by name
        self.trick_passed: set[int] = set()  # who has passed in this trick, even if he may play again
        self.chain_paid = False  # money of chops has moved

        self.quad_residual = 0  # cards that may be played as the quad of 3s (J2)
        self.run_residual = False  # two 6s may be played as 3-4-5-6 (J3)

        self._start_sam(streaks)
        self._start_president(titles)
        if self._required() & ~self.hands[leader]:
            raise ValueError("the leader of an opening game holds the card that must be played first")
        self._count_start()
        self.answers = 0
        self.asked: Question | None = None
        self._script = self._run()
        self._go_on(None)

    # Answering

    def _go_on(self, play: Play | None) -> None:
        try:
            self.asked = next(self._script) if play is None else self._script.send(play)
        except StopIteration:
            self.asked = None
            self._close_books()

    def choose(self, play: Play) -> None:
        """Answer the question."""
        if not self.is_legal(play):
            raise ValueError(f"{play} is not legal for {self.asked}")
        self._count_answer(play)
        self.answers += 1
        assert self.answers < MOST_ANSWERS
        self._go_on(play)

    def count(self, clause: str, times: int = 1) -> None:
        """Note that a clause had an effect."""
        if times:
            self.fired[clause] += times

    def is_legal(self, play: Play) -> bool:
        """Whether an answer is legal, from the definition."""
        if self.asked is None:
            return False
        seat, what = self.asked
        if what in ("declare", "sam"):
            return play in (YES, NO)
        if what == "return":
            return play in self._returns()
        if not play.cards:
            return what != "lead" and play.as_ is None  # D6: never forced to beat, always to lead
        if play.cards & ~self.hands[seat]:
            return False
        combo = self._combo(seat, play)
        return combo is not None and self._allowed(seat, what, combo)

    def _allowed(self, seat: int, what: str, combo: Combo) -> bool:
        """Whether a combination that the seat holds answers the question."""
        if not self._may_finish(seat, combo):
            return False
        if what == "lead":
            return not (self._required() & ~combo.cards)
        if what == "free":
            return self.free(combo)
        return beats(self.rules, combo, self.top, self.reversed)

    def _returns(self) -> set[Play]:
        """004#R14-R16: any so many cards of his hand."""
        return naive_president.choices(self.hands[self.asked[0]], self.to_return)

    def _combo(self, seat: int, play: Play) -> Combo | None:
        """The combination that a play is, with what is left of an opening bomb (R47, R48, M11)."""
        if play.as_ is None:
            return combination(self.rules, play.cards)
        if not self.opening or seat != self._starter():
            return None
        if play.as_ == "quad" and play.cards == self.quad_residual:
            return Combo("quad", 1, THREE, top_card(play.cards) % 4, play.cards, "quad")
        sixes = play.cards.bit_count() == 2 and suit_mask(play.cards, 3).bit_count() == 2
        if play.as_ == "pair_run_4" and self.run_residual and sixes:
            return Combo("pair_run", 4, 3, top_card(play.cards) % 4, play.cards, "pair_run_4")
        return None

    def _may_finish(self, seat: int, combo: Combo) -> bool:
        """What the last play may be (C12, K10)."""
        if combo.cards != self.hands[seat]:
            return True
        finish = self.rules.finish
        if not finish.with_hang and bomb_class(self.rules, combo):
            return False
        return not (finish.on_two == "forbid" and self._finishes_on_two(combo))

    def _finishes_on_two(self, combo: Combo) -> bool:
        spared = combo.kind == "straight" and self.rules.finish.on_two_in_straight
        return has_two(combo.cards) and not spared

    def _required(self) -> int:
        """The card that the first play of an opening game must hold (B2, B8), as a mask."""
        if self.history or self.caller is not None:  # M14
            return 0
        return self._opening_card()

    def _opening_card(self) -> int:
        """That card for a nominal leader, as a mask."""
        if not self.opening or not self.rules.lead.opening_must_include:
            return 0
        card, dealt = 1 << self.rules.lead.opening_card, self._all_cards()
        if dealt & card:
            return card
        return dealt & -dealt if self.rules.lead.opening_fallback == "lowest_must_include" else 0

    def _all_cards(self) -> int:
        cards = 0
        for hand in self.dealt:
            cards |= hand
        return cards

    # What may be answered

    def boxes(self, must: int = 0) -> list[Box]:
        """All legal plays (not the pass), as products of choices rank by rank; with ``must`` those that hold a card."""
        seat, what = self.asked
        return list(self._boxes_of(seat, self.hands[seat], must or self._required(), what))

    def _boxes_of(self, seat: int, hand: int, must: int, what: str) -> Iterator[Box]:
        def legal(cards: int, as_: str | None = None) -> bool:
            combo = self._combo(seat, Play(cards, as_))
            return combo is not None and not must & ~cards and self._allowed(seat, what, combo)

        wanted = self._kinds_wanted(what)
        for size, kind in KINDS.items():
            if wanted is None or kind in wanted:
                for rank in range(13):
                    groups = tuple(cards for cards in groups_of(hand, rank, size) if legal(cards))
                    if groups:
                        yield Box(kind, rank, 1, (groups,))
        if wanted is None or "straight" in wanted:
            yield from self._row_boxes("straight", hand, must, what, legal)
        if wanted is None or "pair_run" in wanted:
            yield from self._row_boxes("pair_run", hand, must, what, legal)
        yield from self._residual_boxes(hand, legal)

    def _residual_boxes(self, hand: int, legal) -> Iterator[Box]:
        if self.quad_residual and legal(self.quad_residual, "quad"):
            yield Box("quad", THREE, 1, ((self.quad_residual,),), "quad")
        groups = groups_of(hand, 3, 2) if self.run_residual else ()
        groups = tuple(cards for cards in groups if legal(cards, "pair_run_4"))
        if groups:
            yield Box("pair_run", 3, 4, (groups,), "pair_run_4")

    def _kinds_wanted(self, what: str) -> set[str] | None:
        """Only to save time: the kinds that could answer."""
        if what == "lead":
            return None
        bombs = {"quad", "pair_run"}
        return bombs if what == "free" else bombs | {self.top.kind}

    def _row_boxes(self, kind: str, hand: int, must: int, what: str, legal) -> Iterator[Box]:
        """Boxes of straights or pair runs.

        Of one row of ranks the suits of the lowest and of the deciding card can matter, and in the North all suits must
        be one; so these two ranks are tried out, and the ranks between them are free.
        """
        size = 1 if kind == "straight" else 2
        north = kind == "straight" and self.rules.combinations.suit_match == "north"
        there = {rank for rank, count in enumerate(counts_of(hand)) if count >= size}
        for ranks in self._rows(kind, what):
            if not there.issuperset(ranks):
                continue
            groups = [groups_with(must, hand, rank, size) for rank in ranks]
            tried = sorted({ranks.index(min(ranks)), len(ranks) - 1})
            for chosen in product(*(groups[at] for at in tried)):
                fixed = dict(zip(tried, chosen, strict=True))
                options = [
                    (fixed[at],)
                    if at in fixed
                    else tuple(c for c in groups[at] if not north or same_suit(c, chosen[0]))
                    for at in range(len(ranks))
                ]
                if all(options) and legal(sum(option[0] for option in options)):
                    yield Box(kind, ranks[-1], len(ranks), tuple(options))

    def _rows(self, kind: str, what: str) -> Iterator[tuple[int, ...]]:
        """The ranks of every straight or pair run, leaving out (only to save time) lengths that cannot follow."""
        forms = self.rules.combinations
        form = forms.straight if kind == "straight" else forms.pair_run
        if form is None:
            return
        low = kind == "straight" and form.low
        exact = what == "follow" and kind == "straight" and not form.longer_beats
        for length in [self.top.length] if exact else range(form.min_length, 14):
            for _, ranks in straight_rows(low, length):
                yield ranks

    def legal(self) -> set[Play]:
        """Every legal answer; it may be huge where the hand has long straights."""
        if self.asked is None:
            return set()
        if self.asked[1] in ("declare", "sam"):
            return {YES, NO}
        if self.asked[1] == "return":
            return self._returns()
        plays = {play for box in self.boxes() for play in box.plays()}
        return plays if self.asked[1] == "lead" else plays | {PASS}

    def choices(self) -> set[tuple[str, int, int]]:
        """(kind, top rank, number of ranks) of every legal play."""
        return {(f"as_{box.as_}" if box.as_ else box.kind, box.rank, box.length) for box in self.boxes()}

    # The course of a game

    def _after(self, seat: int) -> list[int]:
        """The active seats in playing order, those after the seat."""
        return [s for s in self._order(seat) if s in self.active and s != seat]

    def _order(self, seat: int) -> list[int]:
        """All seats in playing order from a seat, itself first."""
        return [(seat + self.direction * step) % self.players for step in range(self.players)]

    def _run(self) -> Script:
        yield from self._exchange_cards()
        yield from self._ask_for_sam()
        yield from self._toi_trang()
        leader: int | None = self._starter()
        while not self.ended:
            leader = self._unstuck(leader)
            if leader is None:
                self._end("stuck" if self.caller is None else "sam_stuck")
            else:
                yield from self._trick(leader)
                leader = self._next_to_lead()

    def _toi_trang(self) -> Script:
        """Tới trắng (2.F): who holds a pattern, who calls, who wins."""
        wins = self.rules.instant_wins(self.opening, self.players)
        if not wins:
            return
        called = {}
        for seat in self._order(self.leader):
            hand = self.hands[seat]
            at = naive.class_of([win.pattern for win in wins], hand, hand.bit_count())
            if not at or seat == self.barred:
                self.count("003#R42 barred from tới trắng", bool(at))
                continue
            if self.rules.toi_trang.declare == "automatic" or (yield seat, "declare") == YES:  # F7
                called[seat] = at
                self.count("F7 everybody calls" if self.rules.toi_trang.declare == "automatic" else "F7 called")
                self.calls.append({"seat": seat, "call": "toi_trang", "pattern": wins[at - 1].id})
        by_seat = [called.get(seat, 0) for seat in range(self.players)]
        leader = self.leader
        if self.direction == -1:  # `naive.winner` knows one direction
            by_seat, leader = by_seat[::-1], self.players - 1 - leader
        won = naive.winner(by_seat, leader, self.rules.priority(self.opening))  # F5
        if won is None:
            return
        self._count_calls(called, won[1], wins)
        winner = won[0] if self.direction == 1 else self.players - 1 - won[0]
        self._count_sam_and_toi_trang(winner)
        win = wins[won[1] - 1]
        for seat in self._order(winner)[1:]:
            self._pay(seat, winner, "toi_trang", half(win.pays))  # F8
            if win.count_heo:
                self._pay(seat, winner, "thoi", self._items(self.hands[seat]))  # F9
        self.places = [winner]
        self._end("toi_trang")

    def _stuck(self, seat: int) -> bool:
        """K10: with the lead and nothing but 2s, where nobody may go out on a 2."""
        return self.rules.finish.on_two == "forbid" and all_twos(self.hands[seat])

    def _unstuck(self, leader: int) -> int | None:
        for seat in [leader, *self._after(leader)]:
            if not self._stuck(seat):
                return seat
            self.count("K10 stuck leader")
            self.plays.append({"seat": seat, "cards": [], "stuck": True})
            if self.caller is not None:
                return None  # M14
        return None

    def _next_to_lead(self) -> int:
        """The owner of the closed trick, or the nearest after him if he is out (hưởng sái, B9)."""
        if self.owner in self.active:
            return self.owner
        heir = next(iter(self._after(self.owner)), self.owner)
        if not self.ended:
            self.count("B9 next seat leads")
            self.count("B9 it has passed in the trick", heir in self.trick_passed)
        return heir

    def _trick(self, leader: int) -> Script:
        """A lượt: a lead, then circuits from whoever owns the top until nobody beats it."""
        self.top = None
        self.passed, self.trick_laid, self.trick_passed = set(), set(), set()
        self._lay(leader, (yield leader, "lead"))
        taken = True
        while taken and not self.ended:
            taken = yield from self._circuit()
        if self.ended:
            return
        self._settle_chain()
        self.count("C13 three 2s unbeaten", self.top.kind == "triple" and self.top.rank == TWO)
        if self.blockable:
            self._success_of_3_spades()

    def _circuit(self) -> Generator[Question, Play, bool]:
        """Ask the seats after the owner of the top; true as soon as somebody beats it."""
        for seat in self._after(self.owner):
            if seat in self.passed:
                if not self._can_chop(seat, self._chop_after_pass):
                    self.count("D1 locked seat is left out")
                    continue
                unlocked = [s for s in self._after(self.owner) if s not in self.passed]
                if (yield from self._window(unlocked[0] if unlocked else None)):
                    return True
                if (yield from self._ask_free(seat, self._chop_after_pass, interrupt=True)):
                    return True
                continue
            if (yield from self._window(seat)):
                return True
            play = yield seat, "follow"
            if play.cards:
                self._lay(seat, play)
                return True
            self._note_decision(seat, None)
            self.plays.append({"seat": seat, "cards": []})
            self.passed.add(seat)
            self.trick_passed.add(seat)
            self.count("D6 pass")
        return (yield from self._window(None))

    def _window(self, turn: int | None) -> Generator[Question, Play, bool]:
        """D4: the free chop, offered before every decision of the circuit and before the trick closes."""
        if self.rules.chop is None or self.rules.chop.free_4dt_mode != "any_time":
            return False
        for seat in self._after(self.owner):
            if (yield from self._ask_free(seat, self._free_chop, interrupt=seat != turn)):
                self.count("D4.4 free chop before the trick closes", turn is None)
                return True
        return False

    def _ask_free(self, seat: int, free: Callable[[Combo], bool], interrupt: bool) -> Generator[Question, Play, bool]:
        if not self._can_chop(seat, free):
            return False
        play = yield seat, "free"
        if play.cards:
            self._count_free(seat, play, interrupt)
            self._lay(seat, play, interrupt)
        self.count("M21 chop declined", not play.cards)
        return bool(play.cards)

    def _can_chop(self, seat: int, free: Callable[[Combo], bool]) -> bool:
        self.free = free
        if target_class(self.rules, self.top) is None:  # only to save time: neither kind of chop takes it
            return False
        return next(self._boxes_of(seat, self.hands[seat], 0, "free"), None) is not None

    def _free_chop(self, combo: Combo) -> bool:
        """Four pairs on what they may chop freely (D3, D4, J6)."""
        target = target_class(self.rules, self.top)
        free = bomb_class(self.rules, combo) == "bon_doi_thong" and target in self.rules.chop.free_targets
        return free and chops(self.rules, combo, self.top, self.reversed)

    def _chop_after_pass(self, combo: Combo) -> bool:
        """Bombs that ignore the lock when the turn comes round (D2, D3a); with any_time, 4 pairs have their windows."""
        chop = self.rules.chop
        bomb = bomb_class(self.rules, combo)
        if chop is None or bomb is None or (chop.free_4dt_mode == "any_time" and bomb == "bon_doi_thong"):
            return False
        if bomb == "bon_doi_thong" and (bomb in chop.after_pass or chop.free_4dt_mode == "after_pass_in_turn"):
            return self._free_chop(combo)
        in_table = target_class(self.rules, self.top) is not None
        return bomb in chop.after_pass and in_table and chops(self.rules, combo, self.top, self.reversed)

    # One play

    def _lay(self, seat: int, play: Play, interrupt: bool = False) -> None:
        combo = self._combo(seat, play)
        entry = {"seat": seat, "cards": [card_name(card) for card in cards_in(play.cards)]}
        if play.as_:
            entry["as"] = play.as_
        if interrupt:
            entry["interrupt"] = True
        self.plays.append(entry)

        beaten, victim = self.top, self.owner
        was_alone = self.laid == {victim}
        first = not self.history
        payees = self._block_payees(seat)
        self._count_play(seat, combo)
        self._note_decision(seat, combo)
        if beaten is not None:
            self._link(seat, combo)
        self._clear_passes(seat, beaten is not None and chops(self.rules, combo, beaten, self.reversed))
        self._use_residual(seat, combo, first)
        self.hands[seat] &= ~play.cards
        self.top, self.owner = combo, seat
        self.top_led, self.top_last = beaten is None, not self.hands[seat]
        self.laid.add(seat)
        self.trick_laid.add(seat)
        self.history.append((seat, combo))
        self._turn_the_order(combo)

        if self._is_block(seat):
            self._count_block(combo, interrupt)
            self._end("sam_blocked")
        elif self.blockable:
            self._blocked(victim, seat, payees)
        elif beaten is not None and was_alone:
            self._den_ca_lang(victim, seat)
        if not self.ended and not self.hands[seat]:
            self._went_out(seat, combo)
        if not self.ended and not self.blockable and len(self.active) < 2:
            self._end("normal")  # M1

    def _clear_passes(self, seat: int, is_chop: bool) -> None:
        """Who may play again: the chopper himself (D4.6), all after a chop where that is so, all without locks (D1)."""
        if seat in self.passed:
            self.passed.remove(seat)
            self.trick_passed.remove(seat)
        if not self.rules.turn.pass_locks or (is_chop and self.rules.turn.pass_reset_on_chop):
            self.count("D1 a chop lets passers in", self.rules.turn.pass_locks and bool(self.passed))
            self.passed = set()

    def _use_residual(self, seat: int, combo: Combo, first: bool) -> None:
        """Huế (R47, R48, J2, J3, M11): what the opening play leaves of a bomb, and when that is used up."""
        if first and self.opening and self.rules.residual:
            self._grant_residual(seat, combo)
            return
        if seat == self._starter():
            if combo.cards & self.quad_residual:
                self.count("J2 power lost", combo.as_ is None)
                self.quad_residual = 0
            if combo.as_ == "pair_run_4":
                self.run_residual = False

    def _grant_residual(self, seat: int, combo: Combo) -> None:
        kind = self.rules.residual.quad3_residual
        dealt = self.dealt[seat]
        card = 1 << self.rules.lead.opening_card
        if not combo.cards & card:
            return
        threes = 15 & ~card
        if dealt & 15 == 15:
            if kind == "3S_alone" and not combo.cards & SPADE_3:
                self.quad_residual = SPADE_3
            if kind == "remaining_threes" and not combo.cards & threes:
                self.quad_residual = threes
        four = all(n >= 2 for n in counts_of(dealt)[:4])
        three = combo.kind == "pair_run" and combo.length == 3 and combo.rank == 2
        self.run_residual = self.rules.residual.pair_run_4 and four and three

    # Chops and their money (2.E)

    def _link(self, seat: int, combo: Combo) -> None:
        """Add a beat to the chain of its trick; after a beat that is no paid chop the next one starts it anew (M3)."""
        if self._is_paid(combo):
            if self.chain_broken:
                self.count("M3 chain starts anew", bool(self.chain))
                self.chain, self.chain_broken = [], False
            self._count_link(combo)
            value = self._chop_price(self.top) + self.overlaid + self._price_by(combo)
            self.chain.append(Link(self.owner, seat, value, self.top_last))
            self.overlaid = 0
            return
        self.chain_broken = True
        self._count_unpaid(combo)
        two_on_two = all_twos(combo.cards) and all_twos(self.top.cards) and combo.kind in ("single", "pair")
        if two_on_two and self.rules.chop is not None and self.rules.chop.chain_includes_overlaid_twos:  # E3
            self.overlaid += self._chop_price(self.top)
        else:
            self.overlaid = 0

    def _is_paid(self, combo: Combo) -> bool:
        if not chops(self.rules, combo, self.top, self.reversed):
            return False
        bomb = bomb_class(self.rules, self.top)
        if bomb is None:
            return True
        if bomb == bomb_class(self.rules, combo) and not self.rules.chop.pay_same_class:  # E6
            return False
        return self.rules.chop.pay_led_hang or not self.top_led  # E6

    def _chop_price(self, combo: Combo) -> int:
        """What a chopped combination costs: twos by the card (E4), four 2s as the rules say (C14), bombs by class."""
        prices = self.rules.chop.prices
        own = {("pair", True): prices.doi_heo, ("triple", True): prices.ba_heo}.get((combo.kind, combo.rank == TWO))
        if combo.kind == "pair_run" and combo.length > 4:
            own = prices.nam_doi_thong if combo.length == 5 else prices.sau_doi_thong
        if own is not None:
            what = {"pair": "two 2s", "triple": "three 2s"}.get(combo.kind, f"{combo.length} pairs")
            self.count(f"N4 own price of {what}")
            return half(own)
        quad_of_twos = combo.kind == "quad" and combo.rank == TWO
        if combo.rank == TWO and not (quad_of_twos and self.rules.chop.four_twos_price == "quad"):
            return sum(self._chopped(HEO[card % 4]) for card in cards_in(combo.cards))
        return self._chopped(bomb_class(self.rules, combo))

    def _price_by(self, combo: Combo) -> int:
        """What a chop costs more by the bomb that chops."""
        by = self.rules.chop.by
        if by is None:
            return 0
        name = bomb_name(combo)
        price = half(getattr(by, name) or 0)
        self.count(f"N3 a chop by {name} costs more", price > 0)
        return price

    def _chopped(self, name: str) -> int:
        own = getattr(self.rules.chop.prices, name)
        return half(getattr(self.rules.prices, name) if own is None else own)

    def _settle_chain(self) -> None:
        """E2, E5: the last victim pays the last chopper for all, unless his chopped play was his last."""
        chain, self.chain, self.chain_broken, self.overlaid = self.chain, [], False, 0
        scope = self.rules.chop.finisher_void_scope if self.rules.chop else "none"
        self._count_voids(chain, scope)
        if scope == "link":
            part: list[Link] = []
            for link in chain:
                if link.victim_out:
                    self._pay_chain(part)
                    part = []
                else:
                    part.append(link)
            self._pay_chain(part)
        elif not (scope == "chain_if_last_victim_out" and chain and chain[-1].victim_out):
            self._pay_chain(chain)

    def _pay_chain(self, chain: list[Link]) -> None:
        if not chain:
            return
        last = chain[-1]
        self._count_chain(chain)
        match self.rules.chop.chain:
            case "last_pays_sum":
                self._pay(last.victim, last.chopper, "chop", sum(link.value for link in chain))
            case "each_pays_own":
                for link in chain:
                    self._pay(link.victim, link.chopper, "chop", link.value)
            case "doubling_links":
                value = sum(link.value * 2**at for at, link in enumerate(chain))
                self._pay(last.victim, last.chopper, "chop", value)
            case "doubling":
                self._pay(last.victim, last.chopper, "chop", chain[0].value * 2 ** (len(chain) - 1))

    # Going out

    def _went_out(self, seat: int, combo: Combo) -> None:
        self.active.remove(seat)
        self._count_last_play(combo)
        if self.caller is not None:
            self._end("sam_made")
        elif self.rules.finish.on_two == "counts_last" and self._finishes_on_two(combo):  # J8
            self.late.append(seat)
            self.count("J8 out on a 2 is last")
            self.count("M13 two are out on a 2", len(self.late) == 2)
        elif self._ends_on_3_spades(combo):
            self.blockable = True
            self.count("I1 3♠ is the last play" if combo.cards == SPADE_3 else "I1 3♠ is in the last play")
            if self.rules.ket_3_bich.window == "none":
                self._success_of_3_spades()
        else:
            self.out.append(seat)
            self._fine_for_two(seat, combo)
            if len(self.out) == 1:
                self.last_of_first = combo
                self.failed_to_hold = self._who_failed_to_hold(seat, combo)
                self._find_cong(seat)
            if self.ended:
                return
            if self.rules.dut_3_bich and combo.cards == SPADE_3 and not combo.as_ and len(self.out) < 3:
                self._dut_3_bich(seat)
            elif self.rules.end_condition == "first_out":  # A1
                self.count("A1 first out ends the game")
                self._end("normal")

    def _fine_for_two(self, seat: int, combo: Combo) -> None:
        """Who goes out on a 2 pays each of the others, where that is fined."""
        fine = half(self.rules.finish.two_fine or 0)
        if fine and self._finishes_on_two(combo):
            self.count("N2 a last 2 is fined")
            for other in range(self.players):
                if other != seat:
                    self._pay(seat, other, "ve_heo", fine)

    def _double_the_win(self) -> None:
        """What the first to go out is paid at the end counts double where his last set is one that doubles."""
        double = self.rules.finish.double or ()
        if not self.out or self.last_of_first.kind not in ("quad", "pair_run"):
            return
        combo = self.last_of_first
        name = bomb_name(combo)
        if name not in double:
            return
        for key in self.transfers:
            if key[1] == self.out[0] and key[2] in WINS:
                self.transfers[key] *= 2
                self.count(f"N9 doubled: {key[2]}", self.transfers[key] > 0)
        self.count(f"N9 out first by {name}")

    def _ends_on_3_spades(self, combo: Combo) -> bool:
        """Kết 3 bích (I1): as the first to go out, 3♠ alone or (not single_only) in the last play."""
        rule = self.rules.ket_3_bich
        if rule is None or self.out:
            return False
        return combo.cards == SPADE_3 if rule.single_only else bool(combo.cards & SPADE_3)

    def _success_of_3_spades(self) -> None:
        """R28, I3: everybody still in pays, and nothing else is settled."""
        for seat in self.active:
            self._pay(seat, self.owner, "ket_3_bich", half(self.rules.ket_3_bich.pays))
        self.places = [self.owner]
        self.count("I3 3♠ unbeaten" if self.rules.ket_3_bich.window == "response" else "I1 3♠ without an answer")
        self._end("ket_3_bich")

    def _block_payees(self, blocker: int) -> list[int]:
        """I2: who would receive if this play blocks 3♠; as things stand before it."""
        match self.rules.ket_3_bich and self.rules.ket_3_bich.block_payees:
            case "active":
                return list(self.active)
            case "not_passed":
                return [seat for seat in self.active if seat not in self.passed or seat == blocker]
            case "laid_card":
                return [seat for seat in self.active if seat in self.trick_laid or seat == blocker]
        return [blocker]

    def _blocked(self, victim: int, blocker: int, payees: list[int]) -> None:
        """R29, I3: the blocked player pays; the hand ends, or he is out behind everybody."""
        self.blockable = False
        self.count(f"I2 blocked, {self.rules.ket_3_bich.block_payees}")
        self.count("M4 block with the last card", not self.hands[blocker])
        for seat in payees:
            self._pay(victim, seat, "chan_3_bich", half(self.rules.ket_3_bich.block_pays))
        self.count(f"I3 after the block, {self.rules.ket_3_bich.after_block}")
        if self.rules.ket_3_bich.after_block == "hand_ends":
            self.places = [blocker]
            self._end("block")
        else:
            self.late.append(victim)

    def _den_ca_lang(self, victim: int, beater: int) -> None:
        """J9: alone so far and one play from the end, and beaten."""
        rule = self.rules.den_ca_lang
        if rule is None or combination(self.rules, self.hands[victim]) is None:
            return
        self.count("J9 pays the table, the game ends" if rule.hand_ends else "J9 pays the table, the game goes on")
        self.count("M13 his last set has a 2", has_two(self.hands[victim]))
        self.count("M13 the beat is a paid chop", bool(self.chain) and not self.chain_broken)
        for seat in range(self.players):
            if seat != victim:
                self._pay(victim, seat, "den_ca_lang", half(rule.pays))
        if rule.hand_ends:
            self.places = [beater]
            self._end("den_ca_lang")

    # Cóng (2.G)

    def _find_cong(self, winner: int) -> None:
        """G1: who has not laid a card when the first player goes out; they leave the game."""
        rule = self.rules.cong
        if rule is None:
            return
        self.cong = [seat for seat in self._after(winner) if seat not in self.laid]
        self.active = [seat for seat in self.active if seat not in self.cong]
        if not self.cong:
            return
        self.count(f"G1 cóng of {len(self.cong)}")
        self.count("M5 late finisher and cóng", bool(self.late))
        fine = half(self._amount(rule.fine))
        if rule.method == "whole_table":
            self._cong_for_table(winner, fine)
            return
        self.den_payer = self._who_must_den(winner)
        if self.rules.end_condition == "last_one":
            self.count("G3 two or more play on beside cóng", len(self.active) > 1)
            self.count("G3 second beside cóng pays nothing", len(self.active) == 1)
        for seat in self.cong:
            self._cong_pays(seat, winner, "cong", fine)
            if rule.times:
                self._cong_counted(seat, winner, rule.times)
            elif rule.items:
                self.count("G2 items of cóng", self._items(self.hands[seat]) > 0)
                self._cong_pays(seat, winner, "thoi", self._cong_items(seat))

    def _cong_counted(self, seat: int, winner: int, times: int) -> None:
        """A cóng seat pays for its cards like who is counted, so many times."""
        left = self._counted(self.hands[seat])
        spade = half(self.rules.thoi.ba_bich) if self.rules.thoi and self.hands[seat] & SPADE_3 else 0
        self.count("N7 cóng counted, so many times", times > 1 and sum(left) > 0)
        self._cong_pays(seat, winner, "cards", left.junk * times)
        self._cong_pays(seat, winner, "thoi", (left.items + spade) * times)

    def _cong_items(self, seat: int) -> int:
        """Heo and hàng of a cóng seat, so many times as the rules say."""
        items, times = self._items(self.hands[seat]), self.rules.cong.items_times or 1
        self.count("N8 items of cóng, so many times", items > 0 and times > 1)
        return items * times

    def _cong_pays(self, seat: int, winner: int, reason: str, amount: int) -> None:
        """G6: the liable player pays for all."""
        if self.den_payer in (None, seat):
            self._pay(seat, winner, reason, amount)
        else:
            self.count("G6 đền pays for another")
            self._pay(self.den_payer, winner, "den_cong", amount)

    def _cong_for_table(self, winner: int, fine: int) -> None:
        """001#R56, G7, M10: one cóng house stands for the whole table; the game is over."""
        self.count(f"G7 whole table, {self.rules.cong.payee}")
        if self.rules.cong.payee == "on_behalf":
            self._split(fine * (self.players - 1), winner, "cong")
        else:
            for seat in self.cong:
                self._pay(seat, winner, "cong", fine)
            for seat in range(self.players):
                if seat != winner and seat not in self.cong:
                    self._split(fine, seat, "cong")
        if self.rules.cong.items:
            self.count("G7 items of cóng", any(self._items(self.hands[seat]) for seat in self.cong))
            for seat in self.cong:
                self._pay(seat, winner, "thoi", self._cong_items(seat))
        self.places = [winner]
        if len(self.active) < 2:
            self.places += self.active + self.late[::-1] + self.cong
        self._end("cong_table")

    def _split(self, total: int, receiver: int, reason: str) -> None:
        """An amount in even shares of the cóng seats; odd half units fall to the first of them."""
        each, odd = divmod(total, len(self.cong))
        self.count("M10 odd half units", odd > 0)
        for at, seat in enumerate(self.cong):
            self._pay(seat, receiver, reason, each + (at < odd))

    def _who_must_den(self, winner: int) -> int | None:
        """G4, G5, M8: all opponents are cóng, and one of them could have beaten."""
        rule = self.rules.den_cong
        if rule is None or len(self.cong) < max(self.players - 1, rule.min_opponents):
            self.count("G5 too few for đền", rule is not None and len(self.cong) == self.players - 1)
            return None
        plays = [combo for seat, combo in self.history if seat == winner][:-1]

        def liable(seat: int, top: Combo) -> bool:
            able = self._able(seat, top)
            if rule.method == "sole_holder":
                return able and not any(self._able(other, top) for other in self.cong if other != seat)
            return able

        by_seat = [(seat, top) for seat in self.cong for top in plays]
        by_play = [(seat, top) for top in plays for seat in self.cong]
        found = [next((seat for seat, top in pairs if liable(seat, top)), None) for pairs in (by_seat, by_play)]
        self.count("G4 the scan decides", found[0] != found[1])
        payer = found[0] if rule.scan == "seat_first" else found[1]
        self._count_den(payer, plays)
        return payer

    def _able(self, seat: int, top: Combo) -> bool:
        """Whether a seat that has played nothing could beat a play at its turn."""
        kept, self.top = self.top, top
        able = next(self._boxes_of(seat, self.hands[seat], 0, "follow"), None) is not None
        self.top = kept
        return able

    def _dut_3_bich(self, seat: int) -> None:
        """J4, M11: out on 3♠ alone, first or second; all that are left are last."""
        rule = self.rules.dut_3_bich
        first = self.out[0]
        left = self._after(seat)
        self.count("M11 cóng fines beside đút", bool(self.cong))
        if seat == first:
            self.count("J4 đút as the first")
            for other in left:
                self._pay(other, seat, "place", half(rule.first_pays))
        else:
            second = seat if rule.dut_second_payee == "third_to_second" else first
            self.count("J4 đút as the second")
            self.count(f"J4 two are last, {rule.dut_second_payee}", len(left) > 1)
            for other in left:
                last = other == left[-1] and not self.cong
                self._pay(other, first if last else second, "place", half(rule.second_pays))
        self.places = [*self.out, *((*left, *self.late[::-1], *self.cong) if len(left) < 2 else ())]  # M5
        self._end("dut_3_bich")

    # The end

    def _end(self, how: str) -> None:
        self.ended = how
        if how.startswith("sam_"):
            self._settle_sam(how)
        self.count("M1 chain open at the end", bool(self.chain) and not self.chain_broken)
        self._settle_chain()  # M2
        if how == "stuck":
            self.places = list(self.out)
            self.count("M14 all are stuck")
        if how == "normal":
            self._settle()
            self._double_the_win()
            self._pay_den_bao()
            self._four_pairs_bonus()
        elif how in ("cong_table", "dut_3_bich"):
            self._double_the_win()
            if how == "cong_table":
                self._four_pairs_bonus()
        self._next(how)

    def _settle(self) -> None:
        first_out = self.rules.end_condition == "first_out"
        order = [*self.out, *(self.active if len(self.active) == 1 else ())]
        self.places = order[:1] if first_out else [*order, *self.late[::-1], *self.cong]  # M5, M24
        self.count("A2 the last holder ends the game", not first_out)
        if not self.places:  # everybody is out behind everybody
            return
        if self.rules.count_cards:
            self._count_cards()
        else:
            if self.rules.place_transfers:
                self._place_transfers()
            self._thoi()
        if self.points is not None:
            points = dict(self.rules.place_points)[self.players]
            for place, seat in enumerate(self.places):
                self.points[seat] = 0 if seat in self.cong else half(points[place])  # M9
                self.count("M9 cóng without points", seat in self.cong)
            self.count("E8 points by place")

    def _place_transfers(self) -> None:
        """H1; cóng seats have paid their fine instead (G3, M6)."""
        for row in dict(self.rules.place_transfers)[self.players]:
            if max(row.from_place, row.to_place) <= len(self.places):
                payer, receiver = self.places[row.from_place - 1], self.places[row.to_place - 1]
                self.count("M6 place money of cóng falls away", payer in self.cong or receiver in self.cong)
                if payer not in self.cong and receiver not in self.cong:
                    self.count(f"H1 place {row.from_place} pays place {row.to_place}")
                    self._pay(payer, receiver, "place", half(row.pays))

    def _thoi(self) -> None:
        """H2, H3, H7: the last player pays what rots in his hand; every loser where the game stops at the first."""
        rule = self.rules.thoi
        if rule is None:
            return
        winner = self.places[0]
        if self.rules.end_condition == "first_out":
            pairs = [(seat, winner) for seat in self.active if seat != winner]
        elif self.cong or len(self.places) < 2:
            self.count("H7 no thối beside cóng", bool(self.cong))
            pairs = []  # M6
        else:
            above = self.places[-2] if rule.receiver == "above_last" and self.players > 2 else winner
            pairs = [(self.places[-1], above)] if self.places[-1] in self.active else []  # M13
            self.count("M13 last on a 2 pays no thối", not pairs)
        for seat, receiver in pairs:
            self._count_thoi(receiver)
            self._pay(seat, receiver, "thoi", self._items(self.hands[seat]))
            self._thui_3_bich(seat, receiver)

    def _thui_3_bich(self, seat: int, receiver: int) -> None:
        """J5: 3♠ left."""
        if self.hands[seat] & SPADE_3:
            self.count("J5 3♠ left", self.rules.thoi.ba_bich > 0)
            self.count("J5 four 3s left", self.rules.thoi.ba_bich > 0 and self.hands[seat] & 15 == 15)
            self._pay(seat, receiver, "thui_3_bich", half(self.rules.thoi.ba_bich))

    def _items(self, hand: int) -> int:
        """Twos and bombs by their prices alone (M7)."""
        thoi = self.rules.thoi
        self._count_partition(hand, 0.0)
        if thoi is None:
            return left_over(self.rules, hand).items
        return left_over(self.rules, hand, 0.0, thoi.hang_partition, thoi.hang).items

    def _count_cards(self) -> None:
        """Đếm lá (H5, G9, §5): whoever still holds cards pays the winner for them."""
        winner, thoi = self.places[0], self.rules.thoi
        for seat in self.active:
            if seat == winner:
                continue
            left = self._counted(self.hands[seat])
            self.count("H5 cards counted")
            if thoi is not None:
                self.count(f"H5 priced cards {self.rules.count_cards.items}", left.items > 0)
            self.count("G9 counted beside cóng", bool(self.cong))
            self._pay(seat, winner, "cards", left.junk)
            self._pay(seat, winner, "thoi", left.items)
            if thoi is not None:
                self._thui_3_bich(seat, winner)

    def _counted(self, hand: int) -> Left:
        """What a hand costs where cards are counted."""
        thoi, junk = self.rules.thoi, self.rules.prices.rac
        if thoi is None:
            return Left(hand.bit_count() * half(junk), 0)
        if self.rules.count_cards.items == "replace":
            self._count_partition(hand, junk)
            return self._replaced(hand, junk)
        return Left(hand.bit_count() * half(junk), self._items(hand))

    def _replaced(self, hand: int, junk: float) -> Left:
        """What a price of its own has stands for the card count; 3♠ too, unless it makes a bomb dearer than it is."""
        thoi = self.rules.thoi
        whole = left_over(self.rules, hand, junk, thoi.hang_partition, thoi.hang)
        if not hand & SPADE_3 or not thoi.ba_bich:
            return whole
        apart = left_over(self.rules, hand & ~SPADE_3, junk, thoi.hang_partition, thoi.hang)
        replaced = sum(apart) + half(junk) >= sum(whole)
        self.count("N10 3♠ in place of a card" if replaced else "N10 3♠ on top of a bomb")
        return apart if replaced else whole

    def _four_pairs_bonus(self) -> None:
        """J6: paid to whoever still holds four pairs."""
        bonus = half(self.rules.chop.four_pairs_bonus) if self.rules.chop else 0
        for holder in range(self.players):
            if bonus and holds_4_pairs(self.rules, self.hands[holder]):
                self.count("J6 bonus for four pairs")
                for seat in range(self.players):
                    if seat != holder:
                        self._pay(seat, holder, "four_pairs", bonus)

    def _next(self, how: str) -> None:
        """Who leads the next game (B4, B7, K8)."""
        toi_trang = self.rules.toi_trang
        self.next_streaks = self._streaks_after(how)
        self.count("B6 the direction turns", self.next_direction != self.direction)
        if how == "toi_trang":
            self.count(f"B4 after tới trắng, {toi_trang.after_instant_win}")
            if toi_trang.bars_last_winner:
                self.next_barred = self.places[0]
            if toi_trang.after_instant_win == "winner_leads":
                self.next_leader = self.places[0]
        else:
            entitled = {"den_payer": self.den_payer, "cong_streak": self._leads_by_streak()}
            entitled["sam_caller"] = self.caller if how == "sam_made" else None
            if self.places:
                entitled |= {"winner": self.places[0], "last_place": self.places[-1]}
            found = [word for word in self.rules.lead.next if entitled.get(word) is not None]
            if not found and self.places:
                found = ["winner"]  # 001#R25, 003#R15: as long as no rule says another
            self.next_leader = entitled[found[0]] if found else None
            self.count(f"B7 next leads: {found[0] if found else 'nobody'}")
            self._count_next_by_streak(found[0] if found else "")
        self.next_opening = self.next_leader is None
        self.next_titles = self._titles_after()

    # Counting the clauses

    def _count_start(self) -> None:
        self.count("B1 cards lie aside", self._all_cards() != DECK)
        self.count("M18 the other direction", self.direction == -1)
        if not self.opening:
            return
        lead = self.rules.lead
        if self._all_cards() >> lead.opening_card & 1:
            self.count("B2 the opening card leads")
        else:
            self.count(f"B2 it is not dealt, {lead.opening_fallback}")

    def _count_answer(self, play: Play) -> None:
        seat, what = self.asked
        if what == "declare":
            self.count("F7 not called", play == NO)
        if what not in ("lead", "follow", "free"):
            return
        finish, hand = self.rules.finish, self.hands[seat]
        if finish.with_hang and finish.on_two != "forbid":
            return
        combo = combination(self.rules, hand)
        if combo is None or (what == "follow" and not beats(self.rules, combo, self.top, self.reversed)):
            return
        self.count("C12 not out with a bomb", not finish.with_hang and bomb_class(self.rules, combo) is not None)
        self.count("J8 not out on a 2", finish.on_two == "forbid" and self._finishes_on_two(combo))

    def _count_calls(self, called: dict[int, int], won: int, wins) -> None:
        self.count(f"F1 {'opening' if self.opening else 'other'} list")
        self.count(f"F3 {wins[won - 1].id}")
        self.count("F9 heo and hàng counted", wins[won - 1].count_heo)
        if len(called) > 1:
            priority = self.rules.priority(self.opening)
            self.count(f"F5 several, {priority}")
            nearest = next(called[seat] for seat in self._order(self.leader) if seat in called)
            if len(set(called.values())) > 1:
                self.count("F5 the stronger before the nearer", won != nearest)
                self.count("F5 the nearer before the stronger", won > min(called.values()))

    def _count_free(self, seat: int, play: Play, interrupt: bool) -> None:
        """A chop out of the order, or in a window of one's own turn."""
        combo = self._combo(seat, play)
        bomb, target = bomb_class(self.rules, combo), target_class(self.rules, self.top)
        any_time = self.rules.chop.free_4dt_mode == "any_time" and bomb == "bon_doi_thong"
        if any_time:
            self.count(f"D4 free chop on {ENGLISH[target]}")
            self.count("D4.6 free chop after a pass", seat in self.passed)
            self.count("D4 free chop out of turn", interrupt and seat not in self.passed)
            self.count("D4.8 free chop on one who is out", self.owner not in self.active)
            self.count("D5 free chop is the first play", interrupt and seat not in self.laid)
        else:
            self.count(f"D2 {ENGLISH[bomb]} after a pass")

    def _count_play(self, seat: int, combo: Combo) -> None:
        """What a play is; before it is laid."""
        required = self._required()
        if required:
            self.count("B8 the first play has the card" + ("" if combo.cards == required else " in a set"))
        if combo.as_ == "quad":
            self.count("J2 3♠ as a quad" if combo.cards == SPADE_3 else "J2 three 3s as a quad")
            self.count("J2 it is led", self.top is None)
        elif combo.as_:
            self.count("J3 sixes as four pairs")
        low = combo.kind == "straight" and has_two(combo.cards)
        self.count("C9 low straight", low)
        self.count("C10 long low straight", low and combo.length > 3)
        self.count("C14 four 2s", combo.kind == "quad" and combo.rank == TWO)
        self.count("C13 three 2s", combo.kind == "triple" and combo.rank == TWO)
        self._count_president_play(combo)
        if self.caller is not None and not self.history:
            self._count_sam_lead(combo)
        if self.top is None:
            self.count("C11 bomb is led", bomb_class(self.rules, combo) is not None)
            return
        if seat in self.trick_passed and seat not in self.passed:
            self.count("D1 plays again after a pass")
        if follows(self.rules, combo, self.top, self.reversed):
            self._count_follow(combo)
        elif not chops(self.rules, combo, self.top, self.reversed):
            self.count("J6 three pairs as a trump" if combo.length == 3 else "C6 longer run")
        if chops(self.rules, combo, self.top, self.reversed):
            self._count_chop(combo)

    def _count_follow(self, combo: Combo) -> None:
        top, match = self.top, self.rules.combinations.suit_match
        self.count("C2 longer straight", combo.length > top.length)
        if combo.kind in ("triple", "quad"):
            self.count("C4 triple on triple" if combo.kind == "triple" else "C11 quad on quad")
            return
        if match == "north" and combo.kind != "pair_run":
            if combo.rank == TWO:
                self.count(f"J7 {combo.kind} of 2s on {'2s' if top.rank == TWO else 'others'}")
            else:
                self.count(f"J7 {combo.kind} follows suit")
            return
        by_suit = combo.rank == top.rank and combo.length == top.length
        self.count(f"C1 {combo.kind} by the suit", by_suit)
        self.count("C21 2 on a 2", by_suit and combo.rank == TWO)
        self.count("C6 five pairs or more on as many", combo.kind == "pair_run" and combo.length > 4)
        if match == "match_first_card_only":
            self.count(f"J7 {combo.kind} follows the lowest card's suit")

    def _count_chop(self, combo: Combo) -> None:
        top, rules = self.top, self.rules
        bomb, target = bomb_class(rules, combo), target_class(rules, top)
        if target is None:
            self.count("C13 three 2s chopped")
            self.count(f"N5 three 2s chopped by {bomb_name(combo)}")
            return
        self.count(f"C16 {ENGLISH[bomb]} on {ENGLISH[target]}")
        self.count("C6 five pairs chop", combo.kind == "pair_run" and combo.length > 4)
        self.count("C6 five pairs are chopped", top.kind == "pair_run" and top.length > 4)
        self.count("J2 it chops", combo.as_ == "quad")
        self.count("J2 it is chopped", top.as_ == "quad")
        self.count("J3 they are chopped", top.as_ == "pair_run_4")

    def _count_link(self, combo: Combo) -> None:
        """A paid chop; before it joins its chain."""
        top, chop = self.top, self.rules.chop
        if top.kind == "pair" and top.rank == TWO:
            suits = [card % 4 >= 2 for card in cards_in(top.cards)]
            self.count(f"E4 two 2s, {('black', 'mixed', 'red')[sum(suits)]}")
        if top.kind == "quad" and top.rank == TWO:
            self.count(f"C14 four 2s chopped, {chop.four_twos_price}")
        same = bomb_class(self.rules, top) is not None and bomb_class(self.rules, top) == bomb_class(self.rules, combo)
        self.count("E6 same kind is paid", same)
        self.count("E6 led bomb is paid", self.top_led and bomb_class(self.rules, top) is not None)
        self.count("E3 the beaten 2 counts", self.overlaid > 0)
        if not chop.chain_includes_overlaid_twos and top.rank == TWO and len(self.history) > 1 and not self.top_led:
            below = self.history[-2][1]
            self.count("E3 the beaten 2 does not count", below.rank == TWO and below.kind == top.kind)

    def _count_unpaid(self, combo: Combo) -> None:
        """A beat that moves no money."""
        bomb, beaten = bomb_class(self.rules, combo), bomb_class(self.rules, self.top)
        if bomb is None or beaten is None:
            return
        if not chops(self.rules, combo, self.top, self.reversed):
            self.count("M12 bomb beats bomb, no chop")
        elif bomb == beaten and not self.rules.chop.pay_same_class:
            self.count("E6 same kind is not paid")
        else:
            self.count("E6 led bomb is not paid")

    def _count_voids(self, chain: list[Link], scope: str) -> None:
        """E5: of chains in which somebody went out with what was chopped."""
        if not any(link.victim_out for link in chain):
            return
        if scope == "link":
            self.count("E5 link is void")
        elif scope == "none":
            self.count("E5 nothing is void")
        else:
            self.count("E5 chain is void" if chain[-1].victim_out else "E5 chain stands, an earlier victim is out")

    def _count_chain(self, chain: list[Link]) -> None:
        """A chain that is paid."""
        self.chain_paid = True
        self.count(f"E2 chain of {min(len(chain), 3)}{' or more' * (len(chain) > 2)}")
        self.count(f"E2 {self.rules.chop.chain}", len(chain) > 1)
        self.count("M3 own earlier victim", any(link.victim == chain[-1].chopper for link in chain))
        self.count("M2 chop with the last card", self.top_last and self.owner == chain[-1].chopper)

    def _count_last_play(self, combo: Combo) -> None:
        self.count("C12 out with a bomb", bomb_class(self.rules, combo) is not None)
        if not has_two(combo.cards):
            return
        if combo.kind == "straight":
            self.count("K10 out on a straight with a 2", self.rules.finish.on_two_in_straight)
        elif self.rules.finish.on_two == "allow":
            self.count("J8 out on a 2")

    def _count_den(self, payer: int | None, plays: Sequence[Combo]) -> None:
        """G4, G5: who was found, and what the other ways would have found."""
        rule = self.rules.den_cong
        if payer is not None:
            self.count(f"G4 đền, {rule.method}, {rule.scan}")
            return
        self.count("G4 nobody must đền")
        if rule.method == "sole_holder":
            able = any(self._able(seat, top) for seat in self.cong for top in plays)
            self.count("G4 two were able, nobody must đền", able)

    def _count_thoi(self, receiver: int) -> None:
        if self.rules.end_condition == "first_out":
            self.count("H2 thối of every loser")
            return
        self.count("H2 thối of the last")
        self.count("H3 it goes to the first" if receiver == self.places[0] else "H3 it goes to the place above")

    def _count_partition(self, hand: int, junk: float) -> None:
        """H4: what is left in a hand, and whether the partition matters."""
        thoi = self.rules.thoi
        self.count("H4 heo left", has_two(hand))
        if thoi is not None and not thoi.hang:
            return
        names = [name for name, _ in bombs_of(self.rules, counts_of(hand)[:12])]
        for name in set(names):
            self.count(f"H4 {ENGLISH[name]} left")
        if len(names) > 2:
            best, greedy = (left_over(self.rules, hand, junk, way) for way in ("max_total", "greedy"))
            self.count("H4 the best partition is not the greedy one", sum(best) != sum(greedy))

    def _amount(self, amount) -> float:
        return dict(amount)[self.players] if isinstance(amount, tuple) else amount

    def _pay(self, payer: int, receiver: int, reason: str, amount: int) -> None:
        if amount:
            assert payer != receiver
            assert amount > 0
            self.transfers[payer, receiver, reason] += amount

    def _close_books(self) -> None:
        net = [0] * self.players
        for (payer, receiver, _), amount in self.transfers.items():
            net[payer] -= amount
            net[receiver] += amount
        assert sum(net) == 0  # H9
        self.count("G8 chops stand beside cóng", self.chain_paid and bool(self.cong))
        self.net = net if self.points is None else [n + p for n, p in zip(net, self.points, strict=True)]
        self.transfers = dict(self.transfers)


# Policies and records


def lowest(game: Game) -> Play:
    """The policy `lowest`: leads its lowest card in as long a set as it can, beats as cheaply as it can.

    It never calls Sâm; in a revolution low and high are as in the order in force, suits too.
    """
    seat, what = game.asked
    hand = game.hands[seat]
    if what in ("declare", "sam"):
        return YES if what == "declare" else NO
    if what == "return":
        return Play(naive_president.lowest(hand, game.to_return))
    least, sign = (Box.most, -1) if game.reversed else (Box.least, 1)
    if what == "lead":
        low = 1 << top_card(hand) if game.reversed else hand & -hand
        plays = [least(box) for box in game.boxes(game._required() or low) if not box.as_]
        spare_twos = game.rules.president is None

        def cost(play: Play) -> tuple:
            alike = all_twos(play.cards) and not spare_twos  # where places give titles, but not in a straight
            twos = 0 if alike else suit_mask(play.cards, TWO).bit_count()
            return twos, -play.cards.bit_count(), sign * play.cards

        return min(plays, key=cost)

    def key(box: Box) -> tuple:
        play = least(box)
        same = box.kind == game.top.kind and (box.kind == "straight" or box.length == game.top.length) and not box.as_
        size = {"quad": 1, "pair_run": box.length - 2 if box.length > 3 else 0}.get(box.kind, -1)
        return not same, size, play.cards.bit_count(), sign * play.cards, box.as_ is not None

    best = min(game.boxes(), key=key, default=None)
    return PASS if best is None else least(best)


def at_random(rng: Random) -> Callable[[Game], Play]:
    """A policy without thought: any shape that may be played, or the pass, then any cards of it."""

    def decide(game: Game) -> Play:
        seat, what = game.asked
        if what == "declare":
            return rng.choice([YES, NO])
        if what == "sam":
            return YES if rng.random() < SAM_BY_CHANCE else NO
        if what == "return":
            return Play(sum(1 << card for card in rng.sample(list(cards_in(game.hands[seat])), game.to_return)))
        shapes: dict[tuple, list[Box]] = {}
        for box in game.boxes():
            shapes.setdefault((box.kind, box.rank, box.length, box.as_), []).append(box)
        answers = [*shapes, *([] if what == "lead" else [None])]
        shape = rng.choice(answers)
        if shape is None:
            return PASS
        box = rng.choice(shapes[shape])
        return Play(sum(rng.choice(options) for options in box.options), box.as_)

    return decide


def play(
    rules,
    hands: Sequence[int],
    leader: int,
    opening: bool,
    direction: int = 1,
    decide: Callable[[Game], Play] = lowest,
    barred: int | None = None,
    streaks: Sequence[int] | None = None,
    titles: Sequence[int] | None = None,
) -> Game:
    """Play a whole game by one policy."""
    game = Game(rules, hands, leader, opening, direction, barred, streaks, titles)
    while game.asked:
        game.choose(decide(game))
    return game


def amount_of(halves: int) -> float | int:
    return halves // 2 if halves % 2 == 0 else halves / 2


def record_of(game: Game) -> dict:
    """A complete record of a game that is over, as RECORD.md describes it, without a source."""
    record = {
        "format": "tlsim-game/1",
        "rules": game.rules.name,
        "rules_digest": game.rules.digest,
        "players": game.players,
        "opening": game.opening,
        "direction": game.direction,
        "leader": game.leader,
        "hands": [names_of(hand) for hand in game.dealt],
        "undealt": names_of(DECK & ~game._all_cards()),
        "calls": game.calls,
        "plays": game.plays,
        "places": game.places,
        "transfers": [
            {"from": payer, "to": receiver, "amount": amount_of(amount), "reason": reason}
            for (payer, receiver, reason), amount in sorted(game.transfers.items())
        ],
        "net": [amount_of(amount) for amount in game.net],
    }
    if game.points is not None:
        record["points"] = [amount_of(amount) for amount in game.points]
    if game.rules.toi_trang and game.rules.toi_trang.bars_last_winner:
        record["barred"] = game.barred
    if game.rules.president:
        record["titles"], record["exchange"] = game.titles, game.exchange
    return record
