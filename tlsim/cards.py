"""Cards and hands: 52 bits, one per card.

``card = rank * 4 + suit``; ranks 3 4 5 6 7 8 9 T J Q K A 2 are 0 … 12, suits ♠ ♣ ♦ ♥ are 0 … 3. So 3♠ is bit 0,
2♥ is bit 51, a rank is one nibble, and the higher bit is the stronger card. A hand is the ``int`` with the bits of its
cards set.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tlsim.errors import CardError, Sentence
from tlsim.folders import brought

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
SUIT_SYMBOLS = "♠♣♦♥"
N_RANKS, N_SUITS, N_CARDS = 13, 4, 52
DECK = (1 << N_CARDS) - 1
RANK_2 = 12

# How people write a suit and a rank: symbols (filled and outlined), English letters, Vietnamese names without marks.
_WORDS: dict[str, dict[str, int]] = brought("cards.toml")
_SUIT_WORDS, _RANK_NAMES = (_WORDS[key] for key in ("suits", "ranks"))
_RANK_WORDS = {**{r: i for i, r in enumerate(RANKS)}, "10": RANKS.index("T"), **_RANK_NAMES}


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_NO_LETTER = "(?![SCDH](?![A-Z]))"  # a name does not run into a letter: "ATS" is no card
_RANK = f"(?P<rank>(?:{_alternatives(_RANK_NAMES)}){_NO_LETTER}|{_alternatives({*RANKS, '10'})})"
_SUIT = f"(?P<suit>{_alternatives(_SUIT_WORDS)})"
_BETWEEN = r"\s,;.|/_\-\[\]()"
_GAP = f"[{_BETWEEN}]*"
_ORDERS = (re.compile(rf"{_GAP}{_RANK}\s*{_SUIT}"), re.compile(rf"{_GAP}{_SUIT}\s*{_RANK}"))
_WRITTEN = re.compile(rf"\b(?P<rank>[{RANKS}])(?P<suit>[{SUITS}])\b")
_BLANK, _WORD = re.compile(_GAP), re.compile(f"[^{_BETWEEN}]+")


def strip_marks(text: str) -> str:
    """Return ``text`` without Vietnamese marks (đ becomes d)."""
    decomposed = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(1024)
def _plain(letter: str) -> str:
    """Return a letter as it is compared: without marks, width, case, or how a symbol is drawn."""
    return "" if letter in "\ufe0e\ufe0f" else strip_marks(unicodedata.normalize("NFKC", letter)).upper()


def _card(match: re.Match[str]) -> int:
    return _RANK_WORDS[match["rank"]] * N_SUITS + _SUIT_WORDS[match["suit"]]


def _scan(text: str, order: re.Pattern[str]) -> tuple[list[int], int]:
    """Read cards written in one order from the left; return them and where reading stopped."""
    cards, at = [], 0
    while match := order.match(text, at):
        cards.append(_card(match))
        at = match.end()
    blank = _BLANK.match(text, at)
    return cards, blank.end() if blank else at


def _scan_words(text: str) -> tuple[list[int], int]:
    """Read cards word by word, each in an order of its own; return them and where reading stopped."""
    cards: list[int] = []
    at = 0
    while word := _WORD.search(text, at):
        for order in _ORDERS:
            found, end = _scan(word[0], order)
            if end == len(word[0]):
                break
        else:  # rank and suit are two words
            match = next(filter(None, (order.match(text, at) for order in _ORDERS)), None)
            if match is None or match.end() < word.end() or _WORD.match(text, match.end()):
                return cards, word.start()
            found, end = [_card(match)], match.end() - word.start()
        cards += found
        at = word.start() + end
    return cards, len(text)


def _bad(text: str, at: int) -> slice:
    """Return the word that is no card; what is only a rank or a suit has what follows it, unless that is a card."""
    words = [word for word in _WORD.finditer(text) if word.end() > at][:2]
    first = words[0]
    start = first.start() if text[max(at - 1, 0) : at + 1].isalpha() else max(at, first.start())
    half = text[start : first.end()] in {*_RANK_WORDS, *_SUIT_WORDS}
    joins = half and len(words) > 1 and not any(order.match(text, words[1].start()) for order in _ORDERS)
    return slice(start, words[-1].end() if joins else first.end())


def signs(text: str) -> str:
    """Return the code points of letters that only look like others, or like nothing."""
    odd = [letter for letter in dict.fromkeys(unicodedata.normalize("NFC", text)) if not _is_usual(letter)]
    return ", ".join(f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip() for letter in odd[:4])


def _is_usual(letter: str) -> bool:
    plain = _plain(letter)
    return letter.isspace() or plain in _SUIT_WORDS or (plain.isascii() and (plain.isprintable() or not plain))


def parse_cards(text: str) -> list[int]:
    """Read cards as people write them; return their numbers 0 … 51 in the order written.

    Rank then suit (``3S``, ``10♥``, ``t d``) or suit then rank (``♥2♦2``), in upper or lower case, with or without
    separators; Vietnamese names (``3 bích``, ``heo cơ``) are read with or without marks. A `CardError` says which part
    cannot be read, or which card comes twice.

    >>> parse_cards("3S 10♥")
    [0, 31]
    >>> format_cards(parse_cards("♥2♦2♣2♠2"))
    '2S 2C 2D 2H'
    """
    text = unicodedata.normalize("NFC", text)
    within = Sentence(" in {text!r}", text=text if len(text) <= 120 else text[:119] + "…")
    parts = [_plain(letter) for letter in text]
    plain = "".join(parts)
    cards, at = max((*(_scan(plain, order) for order in _ORDERS), _scan_words(plain)), key=lambda found: found[1])
    if at < len(plain):
        places = [place for place, part in enumerate(parts) for _ in part][_bad(plain, at)]
        word = text[places[0] : places[-1] + 1]
        odd = signs(word)
        error = CardError(
            "cannot read {word!r} as a card{within}{odd}; write rank then suit, such as 3S, 10♥ or 2D (ranks "
            "3 … 10 J Q K A 2; suits S ♠, C ♣, D ♦, H ♥)",
            word=word[:20], within=within, odd=Sentence(" (it holds {signs})", signs=odd) if odd else "",
        )  # fmt: skip
        error.at = places[0]
        raise error
    _together(cards, within)
    return cards


def _together(cards: Iterable[int], within: str = "") -> int:
    """Return the hand of cards; refuse one that comes twice."""
    hand = 0
    for card in cards:
        if hand >> card & 1:
            raise CardError("card {card} is there twice{within}; each card may be named once",
                            card=card_name(card, symbols=True), within=within)  # fmt: skip
        hand |= 1 << card
    return hand


def _number(card: int) -> int:
    if card != int(card) or not 0 <= int(card) < N_CARDS:
        raise CardError("{card!r} is not a card number; cards are 0 (3♠) to 51 (2♥)", card=card)
    return int(card)


def hand_of(cards: Iterable[int] | str | int) -> int:
    """Return the 52-bit hand of cards given as text, as card numbers, or already as bits.

    >>> hex(hand_of("3S 3C 2H"))
    '0x8000000000003'
    """
    if isinstance(cards, str):
        cards = parse_cards(cards)
    elif not isinstance(cards, Iterable):
        hand = int(cards)
        if not 0 <= hand <= DECK:
            raise CardError("{hand} is not a hand; a hand is a whole number from 0 to 2**52 - 1", hand=hand)
        return hand
    return _together(map(_number, cards))


def cards_in(hand: int) -> Iterator[int]:
    """Yield the card numbers of a hand, weakest first."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low


def card_name(card: int, symbols: bool = False) -> str:
    """Return the name of a card: ``TS`` in files, or ``10♠`` as people see it."""
    rank, suit = RANKS[card // N_SUITS], card % N_SUITS
    return rank.replace("T", "10") + SUIT_SYMBOLS[suit] if symbols else rank + SUITS[suit]


def format_cards(hand: int | Iterable[int], symbols: bool = False) -> str:
    """Write cards in ascending order.

    >>> format_cards(hand_of("2H 3S TD"), symbols=True)
    '3♠ 10♦ 2♥'
    """
    cards = cards_in(int(hand)) if not isinstance(hand, Iterable) else sorted(hand)
    return " ".join(card_name(card, symbols) for card in cards)


def as_seen(text: str) -> str:
    """Return text with its cards as people see them."""
    return _WRITTEN.sub(lambda match: card_name(_card(match), symbols=True), text)


def count_cards(number: int) -> str:
    """Return so many cards in words."""
    return Sentence("1 card") if number == 1 else Sentence("{number} cards", number=number)


def rank_of(word: str | int) -> int:
    """Read a rank (``"3"`` … ``"10"``, ``"T"``, ``"J"`` …, ``"heo"``) as 0 … 12."""
    text = "".join(map(_plain, unicodedata.normalize("NFC", str(word)))).strip()
    if text not in _RANK_WORDS:
        raise CardError("{word!r} is not a rank; ranks are 3 4 5 6 7 8 9 10 J Q K A 2", word=word)
    return _RANK_WORDS[text]
