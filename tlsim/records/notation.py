"""The notation that people type, ``tlsim-notation/1``, read: games are settled as they are read.

What a game leaves out follows from the rules (who is passed over has passed), and from the game before it (who leads).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast

from tlsim.cards import DECK, N_CARDS, card_name, cards_in, count_cards, format_cards
from tlsim.catalogue import N_
from tlsim.errors import Sentence, UsageError, suggestion
from tlsim.records.model import FORMAT, MOST_FAULTS, Call, Entry, GameRecord, Gift, RecordError, decoded, placed, refuse
from tlsim.records.referee import MARK, Settlement, preset_named, referee
from tlsim.records.settling import UNCHECKED, settle_after
from tlsim.records.start import opening_leader
from tlsim.records.steps import Steps, code_of, entry_of
from tlsim.records.words import CARET, KEYWORDS, Word, check_names, is_card, plain, read_cards, seat_of, statements
from tlsim.rules import Rules, parse_setting

Settled: TypeAlias = "tuple[str, Settlement | RecordError]"
_OF_A_GAME = ("hand", "left", "result")
_PASSES = ("-", "–", "—", "pass", "bo", "qua")
_HALF = ("½", ".5", ",5")
_AMOUNT = re.compile(r"([+\-−]?)(\d{1,9})?(½|[.,]5|[.,]0)?")
_LEAVES_ALL = {"opening": False, "leader": None, "direction": 1, "barred": None, "titles": None}
_SEAT = re.compile(r"\b(seat |nhà |(leader = |barred = |from |to |từ nhà |cho nhà ))(\d)\b(?! players| cards)")


def read_notation(
    lines: Iterable[str | bytes], file: str, rules: Rules | None = None, usual: Rules | None = None
) -> Iterator[Settled]:
    """Yield the games of a notation with their places, settled; for one that is wrong what is wrong with it.

    rules : those to go by, else the preset that the file names; usual : those of a file that names none, or no preset.
    """
    reader = _Reader(file, rules, usual)
    for number, line in enumerate(lines, 1):
        yield from reader.read(line, number)
    yield from reader.end()


def read_so_far(text: str, rules: Rules, names: Sequence[str], begins: str, where: str) -> GameRecord:
    """Return a game as far as a text tells it; its hands hold what is known of them.

    names : of the players; begins : what the line ``game`` says; where : what the text is called in messages.
    """
    reader = _Reader(where, rules, None)
    for line in (f"players {' '.join(names)}", f"game {begins}"):
        list(reader.read(line, 0))
    game = cast(_Game, reader.game)
    found = [done for number, line in enumerate(text.splitlines(), 1) for _, done in reader.read(line, number)]
    faults = [fault for done in found if isinstance(done, RecordError) for fault in done.faults]
    refuse((faults + game.faults)[:MOST_FAULTS])
    if reader.game is not game:
        refuse([placed(where, "holds more than one game; write what was played in the one that is asked about")])
    plays = [entry for entry, _ in game.plays]
    told = reader.record(game, reader.beginning(game, None, None)[0], reader.known_hands(game), plays)
    return told.model_copy(update={"exchange": game.gifts or None})


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

    @property
    def where(self) -> str:
        return f"{self.head.file}:{self.head.line}"


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
            text = decoded(line, where)
        except RecordError as error:
            yield from self._fault(where, error)
            return
        mode = ""  # of a line, until another word changes it
        for words in statements(text, self.file, number):
            word = plain(words[0].text)
            if word in KEYWORDS:
                mode = word if word in _OF_A_GAME else ""
                if not mode:
                    yield from self.end()
            try:
                if word in KEYWORDS or mode:
                    getattr(self, f"_take_{mode or word}")(words[0], words[word in KEYWORDS :])
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
        self.last, last = None, self.last
        self.broken, bad = game.head, self.broken
        try:
            refuse(game.faults[:MOST_FAULTS])
            self.last, self.broken = self._settled(game, last, bad), None
        except RecordError as error:
            yield game.where, error
        else:
            yield game.where, self.last

    # What stands until it is given again.

    def _take_rules(self, head: Word, words: list[Word]) -> None:
        self.rules = self.base = None
        if len(words) != 1:
            raise head.refused("names a rule set, such as: rules luckywin")
        name = words[0].text
        if self.given is not None and name != self.given.name:
            raise words[0].refused("these are not the rules {rules!r} that were asked for", rules=self.given.name)
        try:
            usual = self.usual if self.usual is not None and self.usual.name == name else None
            self.base = self.given or usual or preset_named(name)
        except UsageError as error:
            raise words[0].refused(error.sentence) from None
        if self.last is not None and self.last.record["rules"] != name:
            self.last = None
        self.rules, self.changes = self.base, {}

    def _take_set(self, head: Word, words: list[Word]) -> None:
        base, self.rules = self.base, None
        if base is None:
            raise head.refused("comes after the rules that it changes")
        if len(words) < 2:
            raise head.refused("changes a clause, such as: set cong.fine 20")
        try:
            key, value = parse_setting(f"{words[0].text}={' '.join(word.text for word in words[1:])}")
            self.changes |= {key: value}
            self.rules = base.replace(self.changes)
        except UsageError as error:
            raise words[0].refused(error.sentence) from None

    def _take_players(self, head: Word, words: list[Word]) -> None:
        self.names, self.last = (), None
        self.names = check_names(head, words)

    def _take_game(self, head: Word, words: list[Word]) -> None:
        self.game = _Game(head, words)
        if self.rules is None:
            raise head.refused("the rules of this game are not known; a line before it names them: rules luckywin")
        if not self.names:
            raise head.refused("the players of this game are not known; a line before it names them: players An Bình "
                               "Chi Dũng")  # fmt: skip

    # What belongs to a game.

    def _of_game(self, word: Word) -> _Game:
        if self.game is None:
            near = suggestion(plain(word.text), KEYWORDS)
            text = N_("belongs to a game, and none has begun: write 'game' on a line before it{near}")
            raise word.refused(text, near=near)
        if not self.names:
            raise RecordError([])
        return self.game

    def _take_hand(self, head: Word, words: list[Word], kind: Literal["hands", "left"] = "hands") -> None:
        found = getattr(self._of_game(head), kind)
        if not words:
            raise head.refused("names a player and cards, such as: left Bình 9S 9C")
        seat = seat_of(words[0], self.names)
        if seat in found:
            raise words[0].refused("{name} is there twice", name=self.names[seat])
        found[seat] = read_cards(words[1:]), words[0]

    def _take_left(self, head: Word, words: list[Word]) -> None:
        self._take_hand(head, words, "left")

    def _take_result(self, head: Word, words: list[Word]) -> None:
        game = self._of_game(head)
        if len(words) % 2:
            raise words[-1].refused("names players and amounts in turn, such as: result An +2 Bình -2")
        for name, number in zip(words[::2], words[1::2], strict=True):
            match = _AMOUNT.fullmatch(number.text)
            if match is None or not (match[2] or match[3] == "½"):
                text = N_("{word!r} is no amount in steps of ½, such as +2, -1.5 or ½")
                raise number.refused(text, word=number.text[:20])
            halves = 2 * int(match[2] or 0) + (match[3] in _HALF)
            sign = -1 if match[1] and match[1] in "-−" else 1
            game.results.append((seat_of(name, self.names), sign * halves, number))

    def _act(self, name: Word, words: list[Word]) -> None:
        """Read what a player does: lays cards, passes, calls, gives cards."""
        game, seat = self._of_game(name), seat_of(name, self.names, KEYWORDS)
        if not words:
            raise name.refused("{name} does what? write cards, '-' for a pass, 'calls …' or 'gives … to …'",
                               name=name.text)  # fmt: skip
        verb = plain(words[0].text)
        if verb == "calls":
            game.calls.append(_call(seat, words))
        elif verb == "gives":
            if len(words) < 4 or plain(words[-2].text) != "to":
                raise words[0].refused("names cards and who gets them, such as: An gives AH 2S to Chi")
            to = seat_of(words[-1], self.names)
            game.gifts.append(Gift.model_construct(from_=seat, to=to, cards=read_cards(words[1:-2])))
        elif len(words) == 1 and verb in _PASSES:
            game.plays.append((Entry.model_construct(seat=seat, cards=0), words[0]))
        else:
            game.plays.append((_play(seat, words), words[0]))

    # The whole game.

    def _settled(self, game: _Game, last: Settlement | None, bad: Word | None) -> Settlement:
        rules = cast(Rules, self.rules)
        begins, follows = self.beginning(game, last, bad)
        match = self.match if follows else self.match + 1
        number = self.number + 1 if follows else int(not begins["opening"])
        hands = self._completed(self.known_hands(game), game, rules)
        record = self.record(game, begins, hands, match=match, game=number)
        if record.opening and record.leader is None:
            first = game.plays[0][0].seat if game.plays else 0
            leader = opening_leader(record, rules)
            record = record.model_copy(update={"leader": first if leader is None else leader})
        with self._told(game, game.head):
            done = settle_after(self._whole(game, record, rules), rules, game.where, last if follows else None)
        refuse(self._wrong_results(game, done))
        self.match, self.number = match, number
        notice = None if follows else self._notice(record, last)
        said = () if notice is None else (placed(game.where, notice),)
        return replace(done, notices=(*done.notices, *said))

    def record(
        self, game: _Game, begins: dict[str, Any], hands: list[int], plays: Sequence[Entry] = (), /, **source: int
    ) -> GameRecord:
        """Return what is told of a game as a record."""
        rules = cast(Rules, self.rules)
        return GameRecord.model_construct(
            format=cast(Any, FORMAT), rules=rules.name, players=len(self.names), hands=hands, calls=game.calls,
            plays=list(plays), exchange=game.gifts if rules.president or game.gifts else None,
            source={"names": list(self.names), **source}, **begins,
        )  # fmt: skip

    def _whole(self, game: _Game, record: GameRecord, rules: Rules) -> GameRecord:
        """Return the record with all its decisions, those too that nobody names."""

        def with_plays(log: list[int], *more: Entry) -> GameRecord:
            plays = [entry_of(code, record.direction, record.players) for code in log]
            return record.model_copy(update={"plays": [*plays, *more]})

        steps, word = Steps(record, rules, game.where), game.head
        for entry, word in game.plays:
            if not steps.take(code_of(entry, record)):
                with self._told(game, word):
                    referee(with_plays(steps.refused, entry), rules, game.where)
        if not steps.finish():
            with self._told(game, word):
                referee(with_plays(steps.log), rules, game.where)
        return with_plays(steps.log)

    @contextmanager
    def _told(self, game: _Game, word: Word) -> Iterator[None]:
        """Let the referee say what is wrong at a word, of players by name."""

        def name(match: re.Match[str]) -> str:
            seat = int(match[3])
            return (match[2] or "") + self.names[seat] if seat < len(self.names) else match[0]

        def by_name(text: str) -> str:
            text = re.sub(r"^plays\[\d+\]: ", "", text.removeprefix(f"{game.where}: "))
            return _SEAT.sub(name, text.replace(MARK, "!"))

        try:
            yield
        except RecordError as error:
            faults = map(Sentence, error.faults)
            located = [text if CARET in text else word.fault(text.changed(by_name)) for text in faults]
            raise RecordError(located, error.decision, error.rule) from None

    def beginning(self, game: _Game, last: Settlement | None, bad: Word | None) -> tuple[dict[str, Any], bool]:
        """Return how a game begins, as it says, else as it follows from the game before; and whether it follows it."""
        said = self._options(game)
        if last is not None:
            titles = None if last.next_titles is None or last.next_opening else list(last.next_titles)
            after = {
                "opening": last.next_opening, "leader": None if last.next_opening else last.next_leader,
                "direction": last.next_direction, "barred": last.next_barred, "titles": titles,
            }  # fmt: skip
            if all(after[key] in (None, value) or after[key] == value for key, value in said.items()):
                after |= said
                if after["opening"] or after["leader"] is not None:
                    return after, True
        if not said.get("opening") and "leader" not in said:
            why = Sentence("no game goes before it here")
            if last is not None:
                why = Sentence("who leads it depends on games that are not told")
            elif bad is not None:
                text = N_("it follows from the game on line {line}, which has faults; mend that first")
                why = Sentence(text, line=bad.line)
            text = N_("{why}; or write 'game opening', or 'game leader {name}'")
            raise game.head.refused(text, why=why, name=self.names[0])
        return _LEAVES_ALL | said, False

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

    def known_hands(self, game: _Game) -> list[int]:
        """Return what is known of the deal: what was played and what was left, before cards changed hands."""
        hands, faults, laid = [0] * len(self.names), list[str](), dict[int, tuple[int, int]]()
        told = [(entry.seat, entry.cards, word) for entry, word in game.plays]
        told += [(seat, cards, word) for seat, (cards, word) in game.left.items()]
        for seat, cards, word in told:
            for card in cards_in(cards):
                if card in laid:
                    other, line = laid[card]
                    text = N_("{card} is there already, with {name} on line {line}")
                    shown = card_name(card, symbols=True)
                    faults.append(word.fault(text, card=shown, name=self.names[other], line=line))
                laid.setdefault(card, (seat, word.line))
            hands[seat] |= cards
        for gift in reversed(game.gifts):
            hands[gift.to] &= ~gift.cards
            hands[gift.from_] |= gift.cards
        for seat, (cards, word) in game.hands.items():
            if cards != hands[seat] and (seat in game.left or hands[seat] & ~cards):
                text = N_("{name} has laid, given and kept {cards}; this is another hand")
                shown = format_cards(hands[seat], symbols=True)
                faults.append(word.fault(text, name=self.names[seat], cards=shown))
            hands[seat] |= cards
        refuse(faults)
        return hands

    def _completed(self, hands: list[int], game: _Game, rules: Rules) -> list[int]:
        """Return hands of the right sizes: the last one follows from the others where all cards are dealt."""
        try:
            deals = [rules.seat_sizes(len(hands), dealer) for dealer in range(len(hands))]
        except UsageError as error:
            raise game.head.refused(error.sentence) from None
        found, rest = tuple(map(int.bit_count, hands)), DECK & ~sum(hands)
        for sizes in deals:
            lack = [seat for seat, size in enumerate(sizes) if found[seat] != size]
            if len(lack) == 1 and lack[0] not in game.left and sum(found) + rest.bit_count() == sum(sizes) == N_CARDS:
                hands[lack[0]] |= rest
                found = sizes
        if found not in deals:
            refuse(self._wrong_sizes(game, found, deals[0], rules))
        return hands

    def _wrong_sizes(self, game: _Game, found: Sequence[int], sizes: Sequence[int], rules: Rules) -> Iterator[str]:
        for seat, (number, size) in enumerate(zip(found, sizes, strict=True)):
            text = N_("{name} has {cards} in all; {rules} deals {size}")
            if number < size and seat not in game.left:
                text = N_("{name} has {cards} in all; {rules} deals {size}; what was left is missing: left {name} …")
            word, held = game.left[seat][1] if seat in game.left else game.head, count_cards(number)
            if number != size:
                yield word.fault(text, name=self.names[seat], cards=held, rules=rules.name, size=size)

    def _wrong_results(self, game: _Game, done: Settlement) -> Iterator[str]:
        for seat, halves, word in game.results:
            if halves != (found := round(2 * done.net[seat])):
                text, name = N_("{name} {amount}: by the rules it is {found:+g}"), self.names[seat]
                yield word.fault(text, name=name, amount=word.text, found=found / 2)

    def _notice(self, record: GameRecord, last: Settlement | None) -> Sentence | None:
        """Say what a game that begins anew takes as it is written."""
        if last is None:
            return None if record.opening else Sentence(UNCHECKED)
        if last.next_opening:
            return Sentence("begins anew; after the game before it would be an opening game")
        name = self.names[last.next_leader or 0]
        return Sentence("begins anew; after the game before it would be led by {name}", name=name)


def _call(seat: int, words: list[Word]) -> Call:
    if len(words) != 2:
        raise words[0].refused("names a pattern or sam, such as: An calls sanh_rong")
    called = plain(words[1].text)
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
