"""Cards and hands: 52 bits, one per card.

``card = rank * 4 + suit``; ranks 3 4 5 6 7 8 9 T J Q K A 2 are 0 … 12, suits ♠ ♣ ♦ ♥ are 0 … 3. So 3♠ is bit 0,
2♥ is bit 51, a rank is one nibble, and the higher bit is the stronger card. A hand is the ``int`` with the bits of its
cards set.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from tlsim.errors import CardError, Sentence

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
SUIT_SYMBOLS = "♠♣♦♥"
N_RANKS, N_SUITS, N_CARDS = 13, 4, 52
DECK = (1 << N_CARDS) - 1
RANK_2 = 12

# How people write a suit: symbols (filled and outlined), English letters, Vietnamese names without marks.
_SUIT_WORDS = {
    "♠": 0, "♤": 0, "S": 0, "BICH": 0,
    "♣": 1, "♧": 1, "C": 1, "CHUON": 1, "TEP": 1, "NHEP": 1,
    "♦": 2, "♢": 2, "D": 2, "RO": 2,
    "♥": 3, "♡": 3, "H": 3, "CO": 3,
}  # fmt: skip
_RANK_WORDS = {**{r: i for i, r in enumerate(RANKS)}, "10": RANKS.index("T")}


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_RANK = f"(?P<rank>{_alternatives(_RANK_WORDS)})"
_SUIT = f"(?P<suit>{_alternatives(_SUIT_WORDS)})"
_GAP = r"[\s,;.|/_\-\[\]()]*"
_RANK_FIRST = re.compile(_GAP + _RANK + r"\s*" + _SUIT)
_SUIT_FIRST = re.compile(_GAP + _SUIT + r"\s*" + _RANK)
_BLANK = re.compile(_GAP)


def strip_marks(text: str) -> str:
    """Return ``text`` without Vietnamese marks (đ becomes d).

    >>> strip_marks("đôi thông Huế")
    'doi thong Hue'
    """
    decomposed = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _scan(text: str, pattern: re.Pattern[str]) -> tuple[list[int], int]:
    """Read cards from the left; return them and where reading stopped."""
    cards, at = [], 0
    while match := pattern.match(text, at):
        cards.append(_RANK_WORDS[match["rank"]] * N_SUITS + _SUIT_WORDS[match["suit"]])
        at = match.end()
    blank = _BLANK.match(text, at)
    return cards, blank.end() if blank else at


def _scan_either(text: str) -> tuple[list[int], int]:
    """Read cards written in one of the two orders, whichever gets further."""
    return max((_scan(text, pattern) for pattern in (_RANK_FIRST, _SUIT_FIRST)), key=lambda found: found[1])


def _scan_words(text: str) -> tuple[list[int], int]:
    """Read cards word by word, each in an order of its own; return them and where reading stopped."""
    cards: list[int] = []
    for word in re.finditer(r"\S+", text):
        found, at = _scan_either(word[0])
        cards += found
        if at < len(word[0]):
            return cards, word.start() + at
    return cards, len(text)


def parse_cards(text: str) -> list[int]:
    """Read cards as people write them, in the order written.

    Rank then suit (``3S``, ``10♥``, ``t d``) or suit then rank (``♥2♦2``), in upper or lower case, with or without
    separators; Vietnamese suit names (``3 bích``) are read with or without marks.

    Parameters
    ----------
    text
        The cards.

    Returns
    -------
    list of int
        Card numbers 0 … 51.

    Raises
    ------
    CardError
        If a part cannot be read, or a card comes twice.

    Examples
    --------
    >>> parse_cards("3S 10♥")
    [0, 31]
    >>> format_cards(parse_cards("♥2♦2♣2♠2"))
    '2S 2C 2D 2H'
    >>> parse_cards("3S 3S")
    Traceback (most recent call last):
    ...
    tlsim.errors.CardError: card 3S is there twice in '3S 3S'; each card may be named once
    """
    within = Sentence(" in {text!r}", text=text if len(text) <= 120 else text[:119] + "…")
    plain = strip_marks(text.replace("\N{VARIATION SELECTOR-16}", "").replace("\N{VARIATION SELECTOR-15}", "")).upper()
    cards, at = _scan_either(plain)
    if at < len(plain):
        cards, at = _scan_words(plain)
    if at < len(plain):
        word = plain[at:].split()[0][:12]
        raise CardError("cannot read {word!r} as a card{within}; write rank then suit, such as 3S, 10♥ or 2D (ranks 3 "
                        "… 10 J Q K A 2; suits S ♠, C ♣, D ♦, H ♥)", word=word, within=within)  # fmt: skip
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise CardError("card {card} is there twice{within}; each card may be named once", card=card_name(card),
                            within=within)  # fmt: skip
        seen.add(card)
    return cards


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
    hand = 0
    for card in cards:
        if card != int(card) or not 0 <= int(card) < N_CARDS:
            raise CardError("{card!r} is not a card number; cards are 0 (3♠) to 51 (2♥)", card=card)
        if hand >> int(card) & 1:
            raise CardError("card {card} is there twice{within}; each card may be named once",
                            card=card_name(int(card)), within="")  # fmt: skip
        hand |= 1 << int(card)
    return hand


def cards_in(hand: int) -> Iterator[int]:
    """Yield the card numbers of a hand, weakest first."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low


def card_name(card: int, symbols: bool = False) -> str:
    """Return the name of a card: ``3S``, or ``3♠`` with symbols."""
    return RANKS[card // N_SUITS] + (SUIT_SYMBOLS if symbols else SUITS)[card % N_SUITS]


def format_cards(hand: int | Iterable[int], symbols: bool = False) -> str:
    """Write cards in ascending order.

    >>> format_cards(hand_of("2H 3S TD"), symbols=True)
    '3♠ T♦ 2♥'
    """
    cards = cards_in(int(hand)) if not isinstance(hand, Iterable) else sorted(hand)
    return " ".join(card_name(card, symbols) for card in cards)


def count_cards(number: int) -> str:
    """Return so many cards in words.

    >>> count_cards(1), count_cards(12)
    ('1 card', '12 cards')
    """
    return Sentence("1 card") if number == 1 else Sentence("{number} cards", number=number)


def rank_of(word: str | int) -> int:
    """Read a rank (``"3"`` … ``"10"``, ``"T"``, ``"J"`` …) as 0 … 12.

    >>> rank_of("10"), rank_of("2"), rank_of(3)
    (7, 12, 0)
    """
    text = str(word).strip().upper()
    if text not in _RANK_WORDS:
        raise CardError("{word!r} is not a rank; ranks are 3 4 5 6 7 8 9 10 J Q K A 2", word=word)
    return _RANK_WORDS[text]
