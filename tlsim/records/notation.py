"""The notation that people type, ``tlsim-notation/1``, read: games are settled as they are read.

What a game leaves out follows from the rules (who is passed over has passed), and from the game before it (who leads).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from tlsim.cards import DECK, N_CARDS, card_name, cards_in, count_cards, format_cards
from tlsim.catalogue import N_
from tlsim.errors import Sentence, UsageError, suggestion
from tlsim.records.log import code_of, entry_of
from tlsim.records.model import BOM, FORMAT, MOST_FAULTS, Call, Entry, GameRecord, Gift, RecordError, amount, decoded
from tlsim.records.referee import MARK, Settlement, preset_named, referee
from tlsim.records.settling import UNCHECKED, settle_after
from tlsim.records.start import opening_leader
from tlsim.records.steps import Steps
from tlsim.records.words import CARET, KEYWORDS, Word, check_names, is_card, plain, read_cards, seat_of, statements
from tlsim.rules import Rules, parse_setting

Settled: TypeAlias = "tuple[str, Settlement | RecordError]"
_OF_A_GAME = ("hand", "left", "result")
_HALF = ("½", ".5", ",5")
_AMOUNT = re.compile(r"([+\-−]?)(\d{1,9})?(½|[.,]5|[.,]0)?")
_SEAT = re.compile(r"\b(seat |nhà |(leader = |barred = |from |to |từ nhà |cho nhà ))(\d)\b(?! players| cards)")


def read_notation(
    lines: Iterable[str | bytes], file: str, rules: Rules | None = None, usual: Rules | None = None
) -> Iterator[Settled]:
    """Yield the games of a notation with their places, settled; for one that is wrong what is wrong with it.

    Parameters
    ----------
    lines
        Lines of the file.
    file
        Its name, for messages.
    rules
        Rules to go by; by default the preset that the file names.
    usual
        Rules of a file that names none, or that names them without being a preset.

    Examples
    --------
    >>> text = '''rules luckywin
    ... players An Bình
    ... game leader An
    ... An 3S 3C; An 4S 4C; An 5S 5C; An 6S 6C; An 7D 8S 9S TS JD
    ... left Bình 3D 3H 4D 4H 5D 5H 6D 6H 7S 8D 9D TD JS
    ... '''
    >>> [(where, game.net) for where, game in read_notation(text.splitlines(), "evening.txt")]
    [('evening.txt:3', (4.5, -4.5))]
    """
    reader = _Reader(file, rules, usual)
    for number, line in enumerate(lines, 1):
        yield from reader.read(line, number)
    yield from reader.end()


@dataclass
class _Game:
    """What is told of a game."""

    head: Word
    options: list[Word]
    plays: list[tuple[Entry, Word]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    gifts: list[Gift] = field(default_factory=list)
    hands: dict[int, tuple[int, Word]] = field(default_factory=dict)
    left: dict[int, tuple[int, Word]] = field(default_factory=dict)
    results: list[tuple[int, int, Word]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class _Reader:
    """Reads line after line, and holds what stands until it is given again."""

    def __init__(self, file: str, rules: Rules | None, usual: Rules | None) -> None:
        self.file, self.given, self.usual = file, rules, usual
        self.rules = self.base = rules or usual
        self.changes: dict[str, Any] = {}
        self.names: tuple[str, ...] = ()
        self.game: _Game | None = None
        self.last: Settlement | None = None
        self.broken: Word | None = None  # head of the game before, where it has faults
        self.match, self.number = -1, 0

    def read(self, line: str | bytes, number: int) -> Iterator[Settled]:
        """Read a line; yield the game that it ends, or what is wrong outside of games."""
        where = f"{self.file}:{number}"
        try:
            text = decoded(line, where).removeprefix(BOM)
        except RecordError as error:
            yield from self._fault(where, error)
            return
        mode = ""  # of a line, until another word changes it
        for words in statements(text, number):
            word = plain(words[0].text)
            if word in KEYWORDS:
                mode = word if word in _OF_A_GAME else ""
                if not mode:
                    yield from self.end()
            try:
                if word in KEYWORDS:
                    _TAKES[word](self, words[0], words[1:])
                elif mode:
                    _TAKES[mode](self, words[0], words)
                else:
                    self._act(words[0], words[1:])
            except RecordError as error:
                yield from self._fault(where, error)

    def _fault(self, where: str, error: RecordError) -> Iterator[Settled]:
        if self.game is None:
            yield where, error
        else:
            self.game.faults += error.faults

    def end(self) -> Iterator[Settled]:
        """End the game that is being read, if there is one, and settle it."""
        game, self.game = self.game, None
        if game is None:
            return
        where, self.last, last = f"{self.file}:{game.head.line}", None, self.last
        if game.faults:
            self.broken = game.head
            yield where, RecordError(game.faults[:MOST_FAULTS])
            return
        try:
            done = self._settled(game, last)
        except RecordError as error:
            self.broken = game.head
            yield where, error
        else:
            self.last, self.broken = done, None
            yield where, done

    def _wrong(self, word: Word, message: str, /, **values: Any) -> RecordError:
        return RecordError([word.fault(self.file, message, **values)])

    def _seat(self, word: Word, *others: str) -> int:
        return seat_of(word, self.names, self.file, others)

    # What stands until it is given again.

    def _take_rules(self, head: Word, words: list[Word]) -> None:
        self.rules = self.base = None
        if len(words) != 1:
            raise self._wrong(head, "names a rule set, such as: rules luckywin")
        name = words[0].text
        if self.given is not None and name != self.given.name:
            raise self._wrong(words[0], "these are not the rules {rules!r} that were asked for", rules=self.given.name)
        try:
            usual = self.usual if self.usual is not None and self.usual.name == name else None
            self.base = self.given or usual or preset_named(name)
        except UsageError as error:
            raise self._wrong(words[0], error.sentence) from None
        if self.last is not None and self.last.record["rules"] != name:
            self.last = None
        self.rules, self.changes = self.base, {}

    def _take_set(self, head: Word, words: list[Word]) -> None:
        base, self.rules = self.base, None
        if base is None or len(words) < 2:
            text = N_("changes a clause, such as: set cong.fine 20")
            raise self._wrong(head, text if base else N_("comes after the rules that it changes"))
        try:
            key, value = parse_setting(f"{words[0].text}={' '.join(word.text for word in words[1:])}")
            self.changes |= {key: value}
            self.rules = base.replace(self.changes)
        except UsageError as error:
            raise self._wrong(words[0], error.sentence) from None

    def _take_players(self, head: Word, words: list[Word]) -> None:
        self.names, self.last = (), None
        self.names = check_names(head, words, self.file)

    def _take_game(self, head: Word, words: list[Word]) -> None:
        self.game = _Game(head, words)
        if self.rules is None or not self.names:
            if self.rules is None:
                raise self._wrong(head, "the rules of this game are not known; a line before it names them: rules "
                                  "luckywin")  # fmt: skip
            raise self._wrong(head, "the players of this game are not known; a line before it names them: players An "
                              "Bình Chi Dũng")  # fmt: skip

    # What belongs to a game.

    def _of_game(self, word: Word) -> _Game:
        if self.game is None:
            near = suggestion(plain(word.text), KEYWORDS)
            raise self._wrong(word, "belongs to a game, and none has begun: write 'game' on a line before it{near}",
                              near=near)  # fmt: skip
        if not self.names:
            raise RecordError([])
        return self.game

    def _take_hand(self, head: Word, words: list[Word]) -> None:
        self._take_cards(self._of_game(head).hands, head, words)

    def _take_left(self, head: Word, words: list[Word]) -> None:
        self._take_cards(self._of_game(head).left, head, words)

    def _take_cards(self, found: dict[int, tuple[int, Word]], head: Word, words: list[Word]) -> None:
        if not words:
            raise self._wrong(head, "names a player and cards, such as: left Bình 9S 9C")
        seat = self._seat(words[0])
        if seat in found:
            raise self._wrong(words[0], "{name} is there twice", name=self.names[seat])
        found[seat] = read_cards(words[1:], self.file), words[0]

    def _take_result(self, head: Word, words: list[Word]) -> None:
        game = self._of_game(head)
        if len(words) % 2:
            raise self._wrong(words[-1], "names players and amounts in turn, such as: result An +2 Bình -2")
        for name, number in zip(words[::2], words[1::2], strict=True):
            match = _AMOUNT.fullmatch(number.text)
            if match is None or not (match[2] or match[3] == "½"):
                text = N_("{word!r} is no amount in steps of ½, such as +2, -1.5 or ½")
                raise self._wrong(number, text, word=number.text[:20])
            halves = 2 * int(match[2] or 0) + (match[3] in _HALF)
            game.results.append((self._seat(name), -halves if match[1] in "-−" and match[1] else halves, number))

    def _act(self, name: Word, words: list[Word]) -> None:
        """Read what a player does: lays cards, passes, calls, gives cards."""
        game, seat = self._of_game(name), self._seat(name, *KEYWORDS)
        verb = plain(words[0].text) if words else ""
        if not words:
            text = N_("{name} does what? write cards, '-' for a pass, 'calls …' or 'gives … to …'")
            raise self._wrong(name, text, name=name.text)
        if verb == "calls":
            game.calls.append(self._call(seat, words))
        elif verb == "gives":
            self._take_gift(game, seat, words)
        elif [word.text for word in words] in (["-"], ["–"]):
            game.plays.append((Entry.model_construct(seat=seat, cards=0), words[0]))
        else:
            game.plays.append(self._play(seat, words))

    def _call(self, seat: int, words: list[Word]) -> Call:
        if len(words) != 2:
            raise self._wrong(words[0], "names a pattern or sam, such as: An calls sanh_rong")
        called = plain(words[1].text)
        if called == "sam":
            return Call(seat=seat, call="sam")
        return Call(seat=seat, call="toi_trang", pattern=None if called == "toi_trang" else called)

    def _take_gift(self, game: _Game, seat: int, words: list[Word]) -> None:
        if len(words) < 4 or plain(words[-2].text) != "to":
            raise self._wrong(words[0], "names cards and who gets them, such as: An gives AH 2S to Chi")
        cards = read_cards(words[1:-2], self.file)
        game.gifts.append(Gift.model_construct(from_=seat, to=self._seat(words[-1]), cards=cards))

    def _play(self, seat: int, words: list[Word]) -> tuple[Entry, Word]:
        interrupt = words[0].text == "!"
        cards = words[1:] if interrupt else words
        as_ = None
        if len(cards) > 2 and plain(cards[-2].text) == "as" and not is_card(cards[-1]):  # A♠ is written so, too
            as_, cards = cards[-1].text.casefold(), cards[:-2]
            if as_ not in ("quad", "pair_run_4"):
                text = N_("{word!r} is nothing that cards can be played as: quad or pair_run_4")
                raise self._wrong(words[-1], text, word=as_[:20])
        if not cards:
            raise self._wrong(words[0], "names the cards of a chop, such as: Dũng !4S 4C 5S 5C 6S 6C 7S 7C")
        bits = read_cards(cards, self.file)
        return Entry.model_construct(seat=seat, cards=bits, interrupt=interrupt, as_=cast(Any, as_)), words[0]

    # The whole game.

    def _settled(self, game: _Game, last: Settlement | None) -> Settlement:
        """Find what the game leaves out, and settle it."""
        rules, where = cast(Rules, self.rules), f"{self.file}:{game.head.line}"
        begins = self._beginning(game, last)
        follows = begins.pop("follows")
        match = self.match if follows else self.match + 1
        number = self.number + 1 if follows else int(not begins["opening"])
        record = GameRecord.model_construct(
            format=cast(Any, FORMAT), rules=rules.name, players=len(self.names), hands=self._hands(game, rules),
            calls=game.calls, plays=[], exchange=game.gifts if rules.president or game.gifts else None,
            source={"names": list(self.names), "match": match, "game": number}, **begins,
        )  # fmt: skip
        if record.opening and record.leader is None:
            first = game.plays[0][0].seat if game.plays else 0
            leader = opening_leader(record, rules)
            record = record.model_copy(update={"leader": first if leader is None else leader})
        try:
            done = settle_after(self._whole(game, record, rules, where), rules, where, last if follows else None)
        except RecordError as error:
            raise self._at(game.head, error, where) from None
        self._check_result(game, done)
        self.match, self.number = match, number
        notices = [] if follows else self._notices(record, last)
        return replace(
            done,
            notices=(
                *done.notices,
                *(Sentence("{where}: {fault}", where=where, fault=Sentence(text)) for text in notices),
            ),
        )

    def _whole(self, game: _Game, record: GameRecord, rules: Rules, where: str) -> GameRecord:
        """Return the record with all its decisions, those too that nobody names."""

        def with_plays(log: list[int], *more: Entry) -> GameRecord:
            plays = [entry_of(code, record.direction, record.players) for code in log]
            return record.model_copy(update={"plays": [*plays, *more]})

        steps, word = Steps(record, rules, where), game.head
        for entry, word in game.plays:
            if not steps.take(code_of(entry, record)):
                try:
                    referee(with_plays(steps.refused, entry), rules, where)
                except RecordError as error:
                    raise self._at(word, error, where) from None
        if not steps.finish():
            try:
                referee(with_plays(steps.log), rules, where)
            except RecordError as error:
                raise self._at(word, error, where) from None
        return with_plays(steps.log)

    def _at(self, word: Word, error: RecordError, where: str) -> RecordError:
        """Return what the referee says, of players by name, at a word."""

        def name(match: re.Match[str]) -> str:
            seat = int(match[3])
            return (match[2] or "") + self.names[seat] if seat < len(self.names) else match[0]

        def by_name(text: str) -> str:
            text = re.sub(r"^plays\[\d+\]: ", "", text.removeprefix(f"{where}: "))
            return _SEAT.sub(name, text.replace(MARK, "!"))

        faults = map(Sentence, error.faults)
        located = [word.fault(self.file, text.changed(by_name)) if CARET not in text else text for text in faults]
        return RecordError(located, error.decision, error.rule)

    def _beginning(self, game: _Game, last: Settlement | None) -> dict[str, Any]:
        """Return how a game begins: as it says, and what it does not say as it follows from the game before."""
        said = self._options(game)
        after = None if last is None else {
            "opening": last.next_opening, "leader": None if last.next_opening else last.next_leader,
            "direction": last.next_direction, "barred": last.next_barred,
            "titles": None if last.next_titles is None or last.next_opening else list(last.next_titles),
        }  # fmt: skip
        if after is not None and all(after[key] in (None, value) or after[key] == value for key, value in said.items()):
            after |= said
            if after["opening"] or after["leader"] is not None:
                return after | {"follows": True}
        if not said.get("opening") and "leader" not in said:
            if last is not None:
                why = Sentence("who leads it depends on games that are not told")
            elif self.broken is not None:
                text = N_("it follows from the game on line {line}, which has faults; mend that first")
                why = Sentence(text, line=self.broken.line)
            else:
                why = Sentence("no game goes before it here")
            text = N_("{why}; or write 'game opening', or 'game leader {name}'")
            raise self._wrong(game.head, text, why=why, name=self.names[0])
        fresh = {"opening": False, "leader": None, "direction": 1, "barred": None, "titles": None}
        return fresh | said | {"follows": False}

    def _options(self, game: _Game) -> dict[str, Any]:
        """Return what the line of a game says of its beginning."""
        said: dict[str, Any] = {}
        words = list(game.options)
        while words:
            word = words.pop(0)
            option = plain(word.text)
            if option == "opening":
                said["opening"] = True
            elif option == "reversed":
                said["direction"] = -1
            elif option in ("leader", "barred") and words:
                said[option] = self._seat(words.pop(0))
            elif option == "titles" and len(words) >= len(self.names):
                said["titles"] = [self._seat(words.pop(0)) for _ in self.names]
            else:
                raise self._wrong(word, "{word!r} says nothing of a game, or lacks a name; it may say opening, leader "
                                  "NAME, reversed, barred NAME, titles NAMES (of all, best first)",
                                  word=word.text[:20])  # fmt: skip
        if "leader" in said:
            said.setdefault("opening", False)
        return said

    def _hands(self, game: _Game, rules: Rules) -> list[int]:
        """Return what was dealt: what was played and what was left, before cards changed hands."""
        hands, faults, laid = [0] * len(self.names), list[str](), dict[int, tuple[int, int]]()
        told = [(entry.seat, entry.cards, word) for entry, word in game.plays]
        told += [(seat, cards, word) for seat, (cards, word) in game.left.items()]
        for seat, cards, word in told:
            for card in cards_in(cards):
                if card in laid:
                    other, line = laid[card]
                    text, who = N_("{card} is there already, with {name} on line {line}"), self.names[other]
                    shown = card_name(card, symbols=True)
                    faults.append(word.fault(self.file, text, card=shown, name=who, line=line))
                laid.setdefault(card, (seat, word.line))
            hands[seat] |= cards
        for gift in reversed(game.gifts):
            hands[gift.to] &= ~gift.cards
            hands[gift.from_] |= gift.cards
        for seat, (cards, word) in game.hands.items():
            if cards != hands[seat] and (seat in game.left or hands[seat] & ~cards):
                text = N_("{name} has laid, given and kept {cards}; this is another hand")
                shown = format_cards(hands[seat], symbols=True)
                faults.append(word.fault(self.file, text, name=self.names[seat], cards=shown))
            hands[seat] |= cards
        if faults:
            raise RecordError(faults)
        return self._completed(hands, game, rules)

    def _completed(self, hands: list[int], game: _Game, rules: Rules) -> list[int]:
        """Return hands of the right sizes: the last one follows from the others where all cards are dealt."""
        try:
            deals = [rules.seat_sizes(len(hands), dealer) for dealer in range(len(hands))]
        except UsageError as error:
            raise self._wrong(game.head, error.sentence) from None
        found, rest = tuple(map(int.bit_count, hands)), DECK & ~sum(hands)
        for sizes in deals:
            lack = [seat for seat, size in enumerate(sizes) if found[seat] != size]
            if len(lack) == 1 and lack[0] not in game.left and sum(found) + rest.bit_count() == sum(sizes) == N_CARDS:
                hands[lack[0]] |= rest
                found = sizes
        if found in deals:
            return hands
        faults = []
        for seat, (number, size) in enumerate(zip(found, deals[0], strict=True)):
            if number != size:
                name = self.names[seat]
                text = N_("{name} has {cards} in all; {rules} deals {size}")
                if number < size and seat not in game.left:
                    text = N_("{name} has {cards} in all; {rules} deals {size}; what was left is missing: left {name} "
                              "…")  # fmt: skip
                word = game.left[seat][1] if seat in game.left else game.head
                held = count_cards(number)
                faults.append(word.fault(self.file, text, name=name, cards=held, rules=rules.name, size=size))
        raise RecordError(faults)

    def _check_result(self, game: _Game, done: Settlement) -> None:
        faults = [
            word.fault(self.file, "{name} {amount}: by the rules it is {found:+g}", name=self.names[seat],
                       amount=word.text, found=amount(round(2 * done.net[seat])))
            for seat, halves, word in game.results
            if halves != round(2 * done.net[seat])
        ]  # fmt: skip
        if faults:
            raise RecordError(faults)

    def _notices(self, record: GameRecord, last: Settlement | None) -> list[str]:
        """Say what a game that begins anew takes as it is written."""
        if last is not None:
            text = N_("begins anew; after the game before it would be led by {name}")
            opening = N_("begins anew; after the game before it would be an opening game")
            return [Sentence(opening if last.next_opening else text, name=self.names[last.next_leader or 0])]
        return [] if record.opening else [UNCHECKED]


_TAKES: dict[str, Callable[[_Reader, Word, list[Word]], None]] = {
    "rules": _Reader._take_rules, "players": _Reader._take_players, "set": _Reader._take_set,  # noqa: SLF001
    "game": _Reader._take_game, "hand": _Reader._take_hand, "left": _Reader._take_left, "result": _Reader._take_result,  # noqa: SLF001
}  # fmt: skip
