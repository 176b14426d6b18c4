"""Reads the situations of `situations/*.toml`: a game up to some point, and what is expected of it.

Each `[[situation]]` has an `id`, the number in RULES.md §3 (T12) or the rule that it is a detail of (E5, 003#R50: R50),
and for a number the words of RULES.md. What it is played on:

- `rules`, a preset, a list of presets, or a name of `[groups]`; `set`, clauses that are changed;
- `hands`, or the name of some in `[hands]`; `fill` says what is added: nothing (`exact`), one plain card each (`some`),
  or cards on which nothing depends until all are whole (`whole`; `out` stays undealt, and `holds = true` lets the given
  hands hold a tới trắng, nobody else does);
- `leader`, `opening`, `direction`, `barred`, `titles` (seats, the best first), `sam`, `declared` (seats that call),
  `exchange`, `returns`, `calls`: what went before the first play;
- `moves` as `situations` writes them; where the file says `passes = "unsaid"`, passes go without saying.

What is expected: moves that are `legal` or `illegal` then; `net` money (by preset where it differs), `places`, payments
by reason (`paid`), who leads `next` (a seat, or "opening"); whether a game may begin so (`accepted`). Short forms: `on`
is what A has led, and `legal` and `illegal` are what B offers; `lead = true`, what A leads with. `[[chain]]` is a trick
with chops among four who have all played, and its winner then goes out first.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from situations import SEATS, Move, Records, Rows, Situation, Twin, changed, deal, hands_of, holders, line, moves_of

from tlsim import load_rules
from tlsim.cards import DECK, card_name, cards_in, hand_of

FOLDER = Path(__file__).parent / "situations"


class Check(NamedTuple):
    """What one engine is asked of one situation."""

    situation: Situation
    move: Move | None = None
    legal: bool | None = None
    accepted: bool | None = None
    outcome: Mapping | None = None


@dataclass(frozen=True)
class Entry:
    """One table of a file, with what the file says of all of them."""

    file: str
    number: int  # within the file
    told: dict = field(repr=False)
    form: str = "situation"

    def __str__(self):
        return f"{self.file}-{self.number}-{self.told['id']}"

    def get(self, key, usual=None):
        return self.told.get(key, usual)

    @property
    def engines(self):
        """Whole hands are refereed as a record."""
        return (Twin(), Records() if self.get("fill") == "whole" else Rows())

    def checks(self):
        """All that is asked of it, preset by preset."""
        names = self.get("rules") if self.form == "situation" else list(self.get("price"))
        names = self.get("groups", {}).get(names, [names]) if isinstance(names, str) else names
        for name in names:
            rules = changed(name, ({} if self.get("toi_trang") else {"toi_trang": False}) | self.get("set", {}))
            yield from self._chain(name, rules) if self.form == "chain" else self._situations(name, rules)

    def _situations(self, name, rules):
        offers = [(text, right) for right in (True, False) for text in self.get("legal" if right else "illegal", [])]
        if "on" in self.told or "lead" in self.told:
            for cards, right in offers:
                top = self.get("on", cards)
                hands, moves = ([top, cards], f"A {top}") if "on" in self.told else ([cards], "")
                hands = hands + [""] * (self.get("players", 4) - len(hands))
                situation = self._situation(rules, hands, moves)
                yield Check(situation, moves_of(f"{'B' if moves else 'A'} {cards}")[0], right)
            return
        hands = self.get("hands")
        hands = self.get("named")[hands] if isinstance(hands, str) else hands
        situation = self._situation(rules, hands, self.get("moves", ""))
        for text, right in offers:
            yield Check(situation, moves_of(text)[0], right)
        if "accepted" in self.told:
            yield Check(situation, accepted=self.get("accepted"))
        outcome = {key: self.get(key) for key in ("net", "places", "paid", "next") if key in self.told}
        if isinstance(outcome.get("net"), dict):
            outcome["net"] = outcome["net"][name]
        if outcome:
            yield Check(situation, outcome=outcome)

    def _situation(self, rules, texts, moves):
        hands = self._hands(rules, texts)
        titles = self.get("titles")
        titles = None if titles is None else tuple(map(SEATS.index, titles))
        opening = self.get("opening", rules.president is not None and titles is None)
        exchange = [_gift(text) for text in self.get("exchange", [])]
        if titles and not exchange and "exchange" not in self.told:
            exchange = exchanged(hands, titles, self.get("returns"))
        leader = self._leader(rules, hands, titles)
        sam, declared = (tuple(map(SEATS.index, self.get(key, ""))) for key in ("sam", "declared"))
        direction = self.get("direction", 1)
        calls, barred = self.get("calls"), self.get("barred")
        if self.get("passes") == "unsaid":
            order = [(leader + direction * step) % len(hands) for step in range(len(hands))]
            first = next((seat for seat in order if seat in sam), leader)
            stops = rules.president is None
            moves = line(moves, after(hands, exchange), first, direction, locks=rules.turn.pass_locks, stops=stops)
        else:
            moves = moves_of(moves)
        return Situation(
            rules, hands, leader, opening, moves, declared, sam, direction,
            None if barred is None else SEATS.index(barred), titles, tuple(exchange),
            None if calls is None else tuple(calls),
        )  # fmt: skip

    def _leader(self, rules, hands, titles):
        if "leader" in self.told:
            return SEATS.index(self.told["leader"])
        if titles:
            return titles[-1]
        if rules.president:
            return next(seat for seat, hand in enumerate(hands) if hand & hand_of("3C"))
        return 0

    def _hands(self, rules, texts):
        if rules.president and "hands" not in self.told and "3C" not in texts[0]:
            texts = [f"3C {texts[0]}", *texts[1:]]  # A leads
        if self.get("fill") == "exact":
            return hands_of(*texts)
        if self.get("fill") == "some":
            return _with_plain_cards(texts)
        given = {seat for seat, text in enumerate(texts) if text} if self.get("holds") else set()
        opening = self.get("opening", False)

        def good(hands):
            lists = (True, False) if self.get("holds") else (opening,)
            return all(set(holders(rules_of_deal, hands, opening=each)) <= given for each in lists)

        rules_of_deal = load_rules(rules.name)
        sizes = self.get("sizes", rules.hand_sizes(len(texts)))
        if rules.president:
            sizes = sorted(sizes, reverse=True) if "sizes" not in self.told else sizes
        return deal(*texts, sizes=sizes, out=self.get("out", ""), good=good)

    # Chops: all lay a queen first, the last of them A, who leads the trick; then its winner goes out on a jack

    def _chain(self, name, rules):
        price, winner = self.get("price")[name], SEATS.index(self.get("winner"))
        order = [(winner + step) % 4 for step in range(4)]
        jacks = dict(zip(order, ("JS", "JC", "JD", "JH"), strict=True))
        outs = [f"{SEATS[seat]} {jacks[seat]}" for seat in order[:3]]
        if rules.end_condition == "first_out":
            outs = outs[:1]
        queens = ("QH", "QS", "QC", "QD")
        hands = hands_of(*(f"{self.get('hands')[seat]} {jacks[seat]} {queens[seat]}" for seat in range(4)))
        net = [_rest_of_the_money(name)[(seat - winner) % 4] for seat in range(4)]
        for payer, taker in self.get("pays", []):
            net[SEATS.index(payer)] -= price
            net[SEATS.index(taker)] += price
        moves = moves_of(", ".join(["B QS, C QC, D QD, A QH, B, C, D", self.get("trick"), *outs]))
        yield Check(Situation(rules, hands, 1, False, moves), outcome={"net": net})


def _rest_of_the_money(name):
    """What is paid beside the chops where each who is left holds one jack: by place, or by card."""
    return {"doithuong": (3, -1, -1, -1), "luckywin_points": (3, 2, 1, 0)}.get(name, (1, 0.5, -0.5, -1))


@cache
def entries() -> list[Entry]:
    """All tables of all files."""
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        common = told.get("file", {}) | {"groups": told.get("groups", {}), "named": told.get("hands", {})}
        for form in ("situation", "chain"):
            for table in told.get(form, []):
                found.append(Entry(file.stem, len(found), common | table, form))
    return found


def hands_and_tables():
    """Which patterns hands hold, and who wins a table of them."""
    told = tomllib.loads((FOLDER / "toi_trang_hands.toml").read_text(encoding="utf-8"))
    return told["hand"], told["table"]


def _with_plain_cards(texts):
    """Hands with one plain card more, so that nobody goes out and nothing depends on it."""
    hands = hands_of(*texts)
    spare = [card for card in cards_in(DECK & ~sum(hands)) if card < 48]
    return [hand | 1 << card for hand, card in zip(hands, spare, strict=False)]


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


def _gift(text):
    """Read "DA 2S 2H": D gives A two 2s."""
    seats, _, cards = text.partition(" ")
    return SEATS.index(seats[0]), SEATS.index(seats[1]), cards
