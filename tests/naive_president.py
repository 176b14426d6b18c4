"""President for the slow twin: titles, the exchange of cards, the revolution (RULES.md 2.L, 004#R12-R25).

`PresidentRules` is a part of `naive_game.Game`, which plays the cards.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import combinations

from naive_sets import Combo, Play, bomb_class, follows, higher, names_of

from tlsim.cards import cards_in

Gift = tuple[int, int, int]  # from, to, cards


def highest(hand: int, number: int, tie: str) -> int:
    """So many of the highest cards in the usual order (004#R14, R25); of equal ranks as the rules say (L13)."""
    low_first = tie == "lowest_suit_first"
    ordered = sorted(cards_in(hand), key=lambda card: (-(card // 4), card % 4 if low_first else -(card % 4)))
    return sum(1 << card for card in ordered[:number])


def lowest(hand: int, number: int) -> int:
    return sum(1 << card for card in sorted(cards_in(hand))[:number])


def choices(hand: int, number: int) -> set[Play]:
    """Every choice of so many cards."""
    return {Play(sum(1 << card for card in chosen)) for chosen in combinations(list(cards_in(hand)), number)}


def exchange_rows(president, players: int):
    """The exchanges before a game, in order: the same at every table, or by the number of players."""
    rows = president.exchange
    return dict(rows)[players] if rows and isinstance(rows[0], tuple) else rows


def _who_exchange(rows) -> set[str]:
    return {title for row in rows for title in (row.from_title, row.to_title)}


class PresidentRules:
    """Exchange and revolution."""

    def _start_president(self, titles) -> None:
        self.titles = None if titles is None else list(titles)
        self.exchange: list[dict] | None = None
        self.to_return = 0  # how many cards the seat asked "return" gives back
        self.reversed = False  # the order in force (004#R25: each game begins in the usual one)
        self.next_titles: list[int] | None = None
        if titles is None:
            return
        if self.rules.president is None or self.opening or sorted(titles) != list(range(self.players)):
            raise ValueError("titles are the places of the game before, under rules with titles")

    # The exchange

    def _exchange_cards(self) -> Generator[tuple[int, str], Play, None]:
        """004#R14-R18, L14: gifts up as dealt, then returns of any cards."""
        if self.titles is None:
            return
        self.exchange = []
        gifts = list(self._gifts())
        for giver, receiver, cards in gifts:
            self._hand_over(giver, receiver, cards)
        for giver, receiver, cards in gifts:
            self.to_return = cards.bit_count()
            play = yield receiver, "return"
            self.count("004#R16 returns a card just received", bool(play.cards & cards))
            self.count("004#R16 returns another card", bool(play.cards & ~cards))
            self._hand_over(receiver, giver, play.cards)
        rows = exchange_rows(self.rules.president, self.players)
        idle = set(dict(self.rules.president.titles)[self.players]) - _who_exchange(rows)
        self.count("004#R13 a title does not exchange", bool(gifts) and bool(idle))

    def _gifts(self) -> Generator[Gift, None, None]:
        """Who gives what to whom; of a title that gives twice, from what it still has."""
        president = self.rules.president
        seats = dict(zip(dict(president.titles)[self.players], self.titles, strict=True))
        kept = list(self.dealt)
        for row in exchange_rows(president, self.players):
            giver = seats[row.from_title]
            if kept[giver].bit_count() < row.cards:
                raise ValueError(f"seat {giver} has fewer than {row.cards} cards to give")
            cards = highest(kept[giver], row.cards, president.exchange_tie)
            self._count_gift(kept[giver], cards)
            kept[giver] &= ~cards
            yield giver, seats[row.to_title], cards

    def _hand_over(self, giver: int, receiver: int, cards: int) -> None:
        self.hands[giver] &= ~cards
        self.hands[receiver] |= cards
        self.exchange.append({"from": giver, "to": receiver, "cards": names_of(cards)})

    # The revolution

    def _turn_the_order(self, combo: Combo) -> None:
        """004#R23, R24: a quad reverses the order at once, another restores it."""
        if self.rules.president and self.rules.president.revolution and combo.kind == "quad":
            self.reversed = not self.reversed
            self.count("004#R23 revolution" if self.reversed else "004#R24 the order is restored")

    # What carries over

    def _titles_after(self) -> list[int] | None:
        """004#R12: places are the titles of the next game."""
        placed = self.rules.president is not None and len(self.places) == self.players
        return list(self.places) if placed and not self.next_opening else None

    # Counting the clauses

    def _count_gift(self, held: int, cards: int) -> None:
        tie = self.rules.president.exchange_tie
        rows = self.rules.president.exchange
        self.count("N11 exchange by the number of players", isinstance(rows[0], tuple))
        self.count("004#R14 gives several cards" if cards.bit_count() > 1 else "004#R15 gives one card")
        ranks = {card // 4 for card in cards_in(cards)}
        self.count(f"L13 of equal ranks, {tie}", any(card // 4 in ranks for card in cards_in(held & ~cards)))

    def _count_president_play(self, combo: Combo) -> None:
        """A play before it is laid."""
        president = self.rules.president
        if president is None:
            return
        first = self.opening and not self.history
        if first and not self.rules.lead.opening_must_include:
            without = not combo.cards >> self.rules.lead.opening_card & 1
            self.count("004#R19 the first play is free", without)
        quad = bomb_class(self.rules, combo) == "tu_quy"
        self.count("L11 quad without a revolution", quad and not president.revolution)
        self.count("L12 quad is the last play", quad and president.revolution and combo.cards == self._holder(combo))
        if self.top is None or not follows(self.rules, combo, self.top, self.reversed):
            return
        if self.reversed:
            self.count("004#R24 beats in the reversed order", not higher(self.rules, combo, self.top))
        self.count("L9 quad on a quad turns the order", quad and president.revolution)

    def _holder(self, combo: Combo) -> int:
        return next(hand for hand in self.hands if hand & combo.cards)
