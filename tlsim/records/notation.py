"""The notation that people type, ``tlsim-notation/1``, read: games are settled as they are read.

What a game leaves out follows from the rules (who is passed over has passed), and from the game before it (who leads).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from tlsim.catalogue import N_
from tlsim.errors import Sentence, UsageError, suggestion
from tlsim.records.model import MOST_FAULTS, Entry, GameRecord, RecordError, decoded, placed, refuse
from tlsim.records.referee import Settlement, preset_named, referee
from tlsim.records.settling import UNCHECKED, Settled, settle_after
from tlsim.records.start import opening_leader
from tlsim.records.steps import Steps, code_of, entry_of
from tlsim.records.told import Told
from tlsim.records.words import KEYWORDS, Word, check_names, in_english, plain, statements
from tlsim.rules import Rules, parse_setting
from tlsim.rules.load import preset

_OF_A_GAME = ("hand", "left", "result")
_LEAVES_ALL = {"opening": False, "leader": None, "direction": 1, "barred": None, "titles": None}


def read_notation(
    lines: Iterable[str | bytes], file: str, rules: Rules | None = None, usual: Rules | None = None
) -> Iterator[Settled]:
    """Yield the games of a notation with their places, settled; for one that is wrong what is wrong with it.

    rules : those to go by, else the preset that the file names; usual : of a file that names none.
    """
    reader = _Reader(file, rules, usual)
    for number, line in enumerate(lines, 1):
        yield from reader.read(line, number)
    yield from reader.end()


def read_so_far(text: str, rules: Rules, names: Sequence[str], begins: str, where: str) -> GameRecord:
    """Return a game as far as a text tells it; its hands hold what is known; begins : what the line ``game`` says."""
    reader = _Reader(where, rules, None)
    reader.names = tuple(names)
    list(reader.read(f"game {begins}", 0))
    game = cast(Told, reader.game)
    found = [done for number, line in enumerate(text.splitlines(), 1) for _, done in reader.read(line, number)]
    faults = [fault for done in found if isinstance(done, RecordError) for fault in done.faults]
    refuse((faults + game.faults)[:MOST_FAULTS])
    if reader.game is not game:
        refuse([placed(where, "holds more than one game; write what was played in the one that is asked about")])
    plays = [entry for entry, _ in game.plays]
    told = game.record(rules, reader.beginning(game, None, None)[0], game.known_hands(), plays)
    return told.model_copy(update={"exchange": game.gifts or None})


class _Reader:
    """Reads line after line, and holds what stands until it is given again."""

    def __init__(self, file: str, rules: Rules | None, usual: Rules | None) -> None:
        self.file, self.given, self.usual = file, rules, usual
        self.rules = self.base = rules or usual
        self.changes: dict[str, Any] = {}
        self.names: tuple[str, ...] = ()
        self.game: Told | None = None
        self.last: Settlement | None = None
        self.broken: Word | None = None  # head of the game before, where it has faults
        self.match, self.number = -1, 0
        self.begun = set[str]()  # words that stand until they are given again, and were given, right or wrong

    def read(self, line: str | bytes, number: int) -> Iterator[Settled]:
        """Read a line; yield the game that it ends, or what is wrong outside of games."""
        where = f"{self.file}:{number}"
        try:
            text = decoded(line, where)
        except RecordError as error:
            yield from self._fault(where, error)
            return
        mode = ""  # of a line, until another word changes it
        for words in (in_english(each, self.names) for each in statements(text, self.file, number)):
            word = plain(words[0].text)
            if word in KEYWORDS:
                mode = word if word in _OF_A_GAME else ""
                if not mode:
                    yield from self.end()
            try:
                if mode:
                    getattr(self._of_game(words[0]), f"take_{mode}")(words[0], words[word in KEYWORDS :])
                elif word in KEYWORDS:
                    self.begun.add(word)
                    getattr(self, f"_take_{word}")(words[0], words[1:])
                else:
                    self._of_game(words[0]).act(words[0], words[1:])
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
            if self.rules is None or not self.names:  # a line before it is wrong, which was said
                return
            self.last, self.broken = self._settled(game, last, bad), None
        except RecordError as error:
            yield game.where, error
        else:
            yield game.where, self.last

    def _take_rules(self, head: Word, words: list[Word]) -> None:
        self.rules = self.base = None
        if not words:
            raise head.refused("names a rule set, such as: rules luckywin")
        name = " ".join(word.text for word in words)
        name = preset(name) or name
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
        self.game = Told(head, words, self.names)
        if self.rules is None and "rules" not in self.begun:
            raise head.refused("the rules of this game are not known; a line before it names them: rules luckywin")
        if not self.names and "players" not in self.begun:
            raise head.refused("the players of this game are not known; a line before it names them: players An Bình "
                               "Chi Dũng")  # fmt: skip

    def _of_game(self, word: Word) -> Told:
        if self.game is None:
            near = suggestion(plain(word.text), KEYWORDS)
            text = N_("belongs to a game, and none has begun: write 'game' on a line before it{near}")
            raise word.refused(text, near=near)
        if not self.names:
            raise RecordError([])
        return self.game

    def _settled(self, game: Told, last: Settlement | None, bad: Word | None) -> Settlement:
        rules = cast(Rules, self.rules)
        begins, follows = self.beginning(game, last, bad)
        match = self.match if follows else self.match + 1
        number = self.number + 1 if follows else int(not begins["opening"] or begins["direction"] < 0)
        hands = game.completed(game.known_hands(), rules)
        record = game.record(rules, begins, hands, match=match, game=number)
        if record.opening and record.leader is None:
            first = game.plays[0][0].seat if game.plays else 0
            leader = opening_leader(record, rules)
            record = record.model_copy(update={"leader": first if leader is None else leader})
        with game.blame(game.head):
            done = settle_after(self._whole(game, record, rules), rules, game.where, last if follows else None)
        refuse(game.wrong_results(done))
        self.match, self.number = match, number
        notice = None if follows else self._notice(record, last)
        said = () if notice is None else (placed(game.where, notice),)
        return replace(done, notices=(*done.notices, *said))

    def _whole(self, game: Told, record: GameRecord, rules: Rules) -> GameRecord:
        """Return the record with all its decisions, those too that nobody names."""

        def with_plays(log: list[int], *more: Entry) -> GameRecord:
            plays = [entry_of(code, record.direction, record.players) for code in log]
            return record.model_copy(update={"plays": [*plays, *more]})

        steps, word = Steps(record, rules, game.where), game.head
        for entry, word in game.plays:
            if not steps.take(code_of(entry, record)):
                with game.blame(word):
                    referee(with_plays(steps.refused, entry), rules, game.where)
        if not steps.finish():
            with game.blame(word):
                referee(with_plays(steps.log), rules, game.where)
        return with_plays(steps.log)

    def beginning(self, game: Told, last: Settlement | None, bad: Word | None) -> tuple[dict[str, Any], bool]:
        """Return how a game begins, as it says, else as it follows from the game before; and whether it follows it."""
        said = game.begins()
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

    def _notice(self, record: GameRecord, last: Settlement | None) -> Sentence | None:
        """Say what a game that begins anew takes as it is written."""
        if last is None:
            return None if record.opening else Sentence(UNCHECKED)
        if last.next_opening:
            return Sentence("begins anew; after the game before it would be an opening game")
        name = self.names[last.next_leader or 0]
        return Sentence("begins anew; after the game before it would be led by {name}", name=name)
