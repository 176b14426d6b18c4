"""A game as it is told in the notation: what belongs to it, and what follows from that alone."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partialmethod
from typing import Any, Literal, cast

from tlsim.cards import DECK, N_CARDS, cards_in, count_cards, format_cards
from tlsim.catalogue import N_
from tlsim.errors import Sentence, UsageError
from tlsim.records.model import FORMAT, Call, Entry, GameRecord, Gift, RecordError, refuse
from tlsim.records.referee import MARK, Settlement
from tlsim.records.words import CARET, KEYWORDS, Word, is_card, plain, read_cards, seat_of
from tlsim.rules import Rules

_PASSES = ("-", "–", "—", "pass", "bo", "qua")
_HALF = ("½", ".5", ",5")
_AMOUNT = re.compile(r"([+\-−]?)(\d{1,9})?(½|[.,]5|[.,]0)?")
_ENTRY = re.compile(r"^(plays|calls|exchange)\[(\d+)\](\.\w+ =)?:? ")
_SEAT = re.compile(r"\b(seat |nhà |(leader = |barred = |from |to |từ nhà |cho nhà ))(\d)\b(?! players| cards)")


@dataclass
class Told:
    """What is told of a game."""

    head: Word
    options: list[Word]
    names: tuple[str, ...]  # of the players, by seat
    plays: list[tuple[Entry, Word]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    gifts: list[Gift] = field(default_factory=list)
    said: dict[str, list[Word]] = field(default_factory=lambda: {"calls": [], "exchange": []})  # where they are named
    hands: dict[int, tuple[int, Word]] = field(default_factory=dict)
    left: dict[int, tuple[int, Word]] = field(default_factory=dict)
    results: list[tuple[int, int, Word]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def where(self) -> str:
        """Its place in the file."""
        return f"{self.head.file}:{self.head.line}"

    def take_hand(self, head: Word, words: list[Word], kind: Literal["hands", "left"] = "hands") -> None:
        """Read what a player holds."""
        found = getattr(self, kind)
        if not words:
            raise head.refused("names a player and cards, such as: left Bình 9S 9C")
        seat = seat_of(words[0], self.names)
        if seat in found:
            raise words[0].refused("{name} is there twice", name=self.names[seat])
        found[seat] = read_cards(words[1:]), words[0]

    take_left = partialmethod(take_hand, kind="left")

    def take_result(self, _head: Word, words: list[Word]) -> None:
        """Read what players say that they got."""
        if len(words) % 2:
            raise words[-1].refused("names players and amounts in turn, such as: result An +2 Bình -2")
        for name, number in zip(words[::2], words[1::2], strict=True):
            match = _AMOUNT.fullmatch(number.text)
            if match is None or not (match[2] or match[3] == "½"):
                text = N_("{word!r} is no amount in steps of ½, such as +2, -1.5 or ½")
                raise number.refused(text, word=number.text[:20])
            halves = 2 * int(match[2] or 0) + (match[3] in _HALF)
            sign = -1 if match[1] and match[1] in "-−" else 1
            self.results.append((seat_of(name, self.names), sign * halves, number))

    def act(self, name: Word, words: list[Word]) -> None:
        """Read what a player does: lays cards, passes, calls, gives cards."""
        seat = seat_of(name, self.names, KEYWORDS)
        if not words:
            raise name.refused("{name} does what? write cards, '-' for a pass, 'calls …' or 'gives … to …'",
                               name=name.text)  # fmt: skip
        verb = plain(words[0].text)
        if verb == "calls":
            self.calls.append(_call(seat, words))
            self.said["calls"].append(words[1])
        elif verb == "gives":
            if len(words) < 4 or plain(words[-2].text) != "to":
                raise words[0].refused("names cards and who gets them, such as: An gives AH 2S to Chi")
            to = seat_of(words[-1], self.names)
            self.gifts.append(Gift.model_construct(from_=seat, to=to, cards=read_cards(words[1:-2])))
            self.said["exchange"].append(words[1])
        elif len(words) == 1 and verb in _PASSES:
            self.plays.append((Entry.model_construct(seat=seat, cards=0), words[0]))
        else:
            self.plays.append((_play(seat, words), words[0]))

    def begins(self) -> dict[str, Any]:
        """Return what the line of a game says of its beginning."""
        said: dict[str, Any] = {}
        words = list(self.options)
        while words:
            word = words.pop(0)
            option = plain(word.text)
            if option == "opening":
                said["opening"] = True
            elif option == "reversed":
                said["direction"] = -1
            elif option in ("leader", "barred") and words:
                said[option] = seat_of(words.pop(0), self.names)
            elif option == "titles" and len(words) >= len(self.names):
                said["titles"] = [seat_of(words.pop(0), self.names) for _ in self.names]
            else:
                text = N_("{word!r} says nothing of a game, or lacks a name; it may say opening, leader NAME, "
                          "reversed, barred NAME, titles NAMES (of all, best first)")  # fmt: skip
                raise word.refused(text, word=word.text[:20])
        if "leader" in said:
            said.setdefault("opening", False)
        return said

    def record(
        self, rules: Rules, begins: dict[str, Any], hands: list[int], plays: Sequence[Entry] = (), /, **source: int
    ) -> GameRecord:
        """Return what is told of a game as a record."""
        return GameRecord.model_construct(
            format=cast(Any, FORMAT), rules=rules.name, players=len(self.names), hands=hands, calls=self.calls,
            plays=list(plays), exchange=self.gifts if rules.president or self.gifts else None,
            source={"names": list(self.names), **source}, **begins,
        )  # fmt: skip

    def known_hands(self) -> list[int]:
        """Return what is known of the deal: what was played and what was left, before cards changed hands."""
        hands, faults, laid = [0] * len(self.names), list[str](), dict[int, tuple[int, int]]()
        told = [(entry.seat, entry.cards, word) for entry, word in self.plays]
        told += [(seat, cards, word) for seat, (cards, word) in self.left.items()]
        for seat, cards, word in told:
            twice: dict[tuple[int, int], int] = {}  # by where they are already
            for card in cards_in(cards):
                if card in laid:
                    twice[laid[card]] = twice.get(laid[card], 0) | 1 << card
                laid.setdefault(card, (seat, word.line))
            for (other, line), again in twice.items():
                first, _, others = format_cards(again, symbols=True).partition(" ")
                one = N_("{card} is there already, with {name} on line {line}")
                text = N_("{card} is there already, with {name} on line {line}; so are {others}") if others else one
                faults.append(word.fault(text, card=first, name=self.names[other], line=line, others=others))
            hands[seat] |= cards
        for gift in reversed(self.gifts):
            hands[gift.to] &= ~gift.cards
            hands[gift.from_] |= gift.cards
        for seat, (cards, word) in self.hands.items():
            if cards != hands[seat] and (seat in self.left or hands[seat] & ~cards):
                text = N_("{name} has laid, given and kept {cards}; this is another hand")
                shown = format_cards(hands[seat], symbols=True)
                faults.append(word.fault(text, name=self.names[seat], cards=shown))
            hands[seat] |= cards
        refuse(faults)
        return hands

    def completed(self, hands: list[int], rules: Rules) -> list[int]:
        """Return hands of the right sizes: the last one follows from the others where all cards are dealt."""
        try:
            deals = [rules.seat_sizes(len(hands), dealer) for dealer in range(len(hands))]
        except UsageError as error:
            raise self.head.refused(error.sentence) from None
        found, rest = tuple(map(int.bit_count, hands)), DECK & ~sum(hands)
        for sizes in deals:
            lack = [seat for seat, size in enumerate(sizes) if found[seat] != size]
            if len(lack) == 1 and lack[0] not in self.left and sum(found) + rest.bit_count() == sum(sizes) == N_CARDS:
                hands[lack[0]] |= rest
                found = sizes
        if found not in deals:
            refuse(self._wrong_sizes(found, deals[0], rules))
        return hands

    def _wrong_sizes(self, found: Sequence[int], sizes: Sequence[int], rules: Rules) -> Iterator[str]:
        for seat, (number, size) in enumerate(zip(found, sizes, strict=True)):
            text = N_("{name} has {cards} in all; {rules} deals {size}")
            if number < size and seat not in self.left:
                text = N_("{name} has {cards} in all; {rules} deals {size}; what was left is missing: left {name} …")
            word, held = self.left[seat][1] if seat in self.left else self.head, count_cards(number)
            if number != size:
                yield word.fault(text, name=self.names[seat], cards=held, rules=rules.name, size=size)

    def wrong_results(self, done: Settlement) -> Iterator[str]:
        """Yield results that are not those of the rules."""
        for seat, halves, word in self.results:
            if halves != (found := round(2 * done.net[seat])):
                text, name = N_("{name} {amount}: by the rules it is {found:+,g}"), self.names[seat]
                yield word.fault(text, name=name, amount=word.text, found=found / 2)

    @contextmanager
    def blame(self, word: Word) -> Iterator[None]:
        """Let the referee say what is wrong at a word, of players by name."""

        def name(match: re.Match[str]) -> str:
            seat = int(match[3])
            return (match[2] or "") + self.names[seat] if seat < len(self.names) else match[0]

        def word_of(text: str) -> Word:
            entry = _ENTRY.match(text.removeprefix(f"{self.where}: "))
            return word if entry is None or entry[1] == "plays" else self.said[entry[1]][int(entry[2])]

        def by_name(text: str) -> str:
            text = _ENTRY.sub("", text.removeprefix(f"{self.where}: "))
            return _SEAT.sub(name, text.replace(MARK, "!"))

        try:
            yield
        except RecordError as error:
            faults = map(Sentence, error.faults)
            located = [text if CARET in text else word_of(text).fault(text.changed(by_name)) for text in faults]
            raise RecordError(located, error.decision, error.rule) from None


def _call(seat: int, words: list[Word]) -> Call:
    if len(words) < 2:
        raise words[0].refused("names a pattern or sam, such as: An calls sanh_rong")
    called = "_".join(plain(word.text) for word in words[1:]).replace("_heo", "_2")
    if called == "sam":
        return Call(seat=seat, call="sam")
    return Call(seat=seat, call="toi_trang", pattern=None if called == "toi_trang" else called)


def _play(seat: int, words: list[Word]) -> Entry:
    interrupt = words[0].text == "!"
    cards, as_ = words[interrupt:], None
    if len(cards) > 2 and plain(cards[-2].text) == "as" and not is_card(cards[-1]):  # A♠ is written so, too
        as_, cards = cards[-1].text.casefold(), cards[:-2]
        if as_ not in ("quad", "pair_run_4"):
            text = N_("{word!r} is nothing that cards can be played as: quad or pair_run_4")
            raise words[-1].refused(text, word=as_[:20])
    if not cards:
        raise words[0].refused("names the cards of a chop, such as: Dũng !4S 4C 5S 5C 6S 6C 7S 7C")
    return Entry.model_construct(seat=seat, cards=read_cards(cards), interrupt=interrupt, as_=cast(Any, as_))
