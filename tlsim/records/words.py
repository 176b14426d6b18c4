"""Words of the notation with their places, so that a fault can point at them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tlsim.cards import hand_of, strip_marks
from tlsim.catalogue import N_
from tlsim.errors import CardError, Sentence, either, suggestion
from tlsim.folders import brought
from tlsim.records.model import RecordError, refuse

_WORD = re.compile(r"!|[^\s;!]+")
_WIDEST = 100  # of a line that is shown
_LONGEST = 20  # of a name
MIN_SEATS, MOST_SEATS = 2, 5
_NAME = re.compile(r"[^\W\d_](\w|[.'-])*")
CARET = "\n    "
KEYWORDS = ("rules", "players", "set", "game", "hand", "left", "result")
_VIETNAMESE = brought("records/keywords.toml")


@dataclass(frozen=True)
class Word:
    """A word of a line: the file and the number of the line, where it begins in it, and the whole line, printable."""

    text: str
    file: str
    line: int
    start: int
    source: str

    def fault(self, message: str, /, **values: Any) -> Sentence:
        """Return a fault at this word: its place, what is wrong, the line, and a caret below the word."""
        first = 0 if self.start < _WIDEST - 10 else self.start - _WIDEST // 2
        shown = self.source[first : first + _WIDEST].rstrip()
        return Sentence("{place}{fault}\n    {line}\n    {gap}^", place=f"{self.file}:{self.line}: ", line=shown,
                        fault=Sentence(message, **values), gap=" " * (self.start - first))  # fmt: skip

    def refused(self, message: str, /, **values: Any) -> RecordError:
        """Return the error of one fault at this word."""
        return RecordError([self.fault(message, **values)])


def plain(word: str) -> str:
    """Return a word without marks and capitals, by which it is known."""
    return strip_marks(word).casefold()


_PHRASES = {tuple(form.split()): said.split() for words, said in _VIETNAMESE.items() for form in (words, plain(words))}


def in_english(words: list[Word], names: Sequence[str]) -> list[Word]:
    """Return a statement with keywords in English; what may be the name of a player stays.

    A first word that may be one is a keyword where it stands alone, or before the name of a player.
    """
    found, rest = list[Word](), words
    people = {*map(str.casefold, names), *map(plain, names)}
    while rest and not (found and found[0].text in ("rules", "players", "set")):
        said = tuple(word.text.casefold() for word in rest[:4])
        head = rest is words and (len(words) == 1 or said[1] in people)
        least = 2 if said[0] in people and not head else 1
        size = next((size for size in range(len(said), least - 1, -1) if said[:size] in _PHRASES), 0)
        found += [replace(rest[0], text=each) for each in _PHRASES[said[:size]]] if size else rest[:1]
        rest = rest[size or 1 :]
    return found + rest


def is_notation(text: str) -> bool:
    """Whether a text holds games as people type them: a line of it names the players."""
    said = (in_english(words, ()) for line in text.splitlines() for words in statements(line, "", 0))
    return any(plain(words[0].text) == "players" for words in said)


def statements(line: str, file: str, number: int) -> Iterator[list[Word]]:
    """Yield the statements of a line, each a list of words; what stands behind ``#`` is left out."""
    text = unicodedata.normalize("NFC", line).expandtabs(4).rstrip()
    source = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    at = 0
    for part in text.partition("#")[0].split(";"):
        words = [Word(found[0], file, number, at + found.start(), source) for found in _WORD.finditer(part)]
        if words:
            yield words
        at += len(part) + 1


def read_cards(words: Sequence[Word]) -> int:
    """Return the cards that words name, 52 bits; raise at the first word that is no card."""
    try:
        return hand_of(" ".join(word.text for word in words))
    except CardError as error:
        said = error.sentence  # without the words that are shown above the caret
        short = Sentence(said.text, **said.values | {"within": ""}) if said.values else said
        raise _blamed(words, error).refused(short) from None


def _blamed(words: Sequence[Word], error: CardError) -> Word:
    """Return the word at which a card begins that cannot be read, or at which one ends that is there twice."""
    for number, word in enumerate(words, 1):
        text = " ".join(each.text for each in words[:number])
        try:
            hand_of(text)
        except CardError as found:
            if found.at == error.at and (found.at is None or found.at < len(text)):
                return word
    return words[-1]


def is_card(word: Word) -> bool:
    """Whether a word names cards."""
    try:
        return hand_of(word.text) > 0
    except CardError:
        return False


def check_names(head: Word, words: Sequence[Word]) -> tuple[str, ...]:
    """Return the names of the players; raise where two are the same, or one cannot be a name."""
    faults = []
    for at, word in enumerate(words):
        if not _NAME.fullmatch(word.text) or plain(word.text) in KEYWORDS or len(word.text) > _LONGEST:
            text = N_("{word!r} cannot be a name: one word that begins with a letter, of {most} at most, and not "
                      "'rules' or the like")  # fmt: skip
            faults.append(word.fault(text, word=word.text[:_LONGEST], most=_LONGEST))
        elif word.text.casefold() in [other.text.casefold() for other in words[:at]]:
            faults.append(word.fault("{word!r} is there twice; each player has a name of his own", word=word.text))
    if not MIN_SEATS <= len(words) <= MOST_SEATS:
        text = N_("names {number}; {least} to {most} can play")
        faults.append(head.fault(text, number=len(words), least=MIN_SEATS, most=MOST_SEATS))
    refuse(faults)
    return tuple(word.text for word in words)


def seat_of(word: Word, names: Sequence[str], others: Sequence[str] = ()) -> int:
    """Return the seat of a player, named with marks or without, in any case."""
    for known in (str.casefold, plain):
        found = [seat for seat, name in enumerate(names) if known(name) == known(word.text)]
        if len(found) == 1:
            return found[0]
        if found:
            both = either(names[seat] for seat in found)
            raise word.refused("{word!r} may be {both}; write it with its marks", word=word.text, both=both)
    near = suggestion(word.text, [*names, *others])
    text = N_("{word!r} is no player; they are {names}{near}")
    raise word.refused(text, word=word.text[:40], names=", ".join(names), near=near)
