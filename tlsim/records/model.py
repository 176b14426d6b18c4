"""The form of a record: read and checked by pydantic, written back in one canonical way."""

import json
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from tlsim.cards import N_CARDS, card_name
from tlsim.catalogue import N_
from tlsim.errors import Sentence, TlsimError, joined, reason, shorten, suggestion
from tlsim.patterns import read_card
from tlsim.rules.checks import in_words

FORMAT = "tlsim-game/1"
MOST_FAULTS = 20
MOST_BYTES = 1 << 20
"""The longest line that can be a record."""
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_LONGEST_KEY = 60
_LONGEST_NAME = 12  # of a card
_CARD_NAMES = tuple(map(card_name, range(N_CARDS)))


class RecordError(TlsimError, ValueError):
    """A record breaks the rules, or cannot be read; ``faults`` lists what is wrong, each with its place.

    Attributes
    ----------
    faults : tuple of str
        One line each: the record, the place in it, what is wrong, by which rule, and what was legal.
    decision : int or None
        Index into ``plays`` of the faulty decision, where there is one.
    rule : str or None
        Source of the rule that was broken, such as ``001#R30``.
    """

    exit_code = 1

    def __init__(self, faults: Iterable[str], decision: int | None = None, rule: str | None = None) -> None:
        self.faults = tuple(faults)
        self.decision = decision
        self.rule = rule
        super().__init__(joined(self.faults, "\n"))


def placed(where: str, text: str, /, **values: Any) -> Sentence:
    """Return a fault with its place before it."""
    return Sentence("{where}: {fault}", where=where, fault=Sentence(text, **values))


def broken(where: str, text: str, /, **values: Any) -> RecordError:
    """Return the error of one fault."""
    return RecordError([placed(where, text, **values)])


def refuse(faults: Iterable[str]) -> None:
    """Raise all faults at once, if there are any."""
    if every := list(faults):
        raise RecordError(every)


_known_card = lru_cache(maxsize=512)(read_card)


def _bits(value: Any) -> int:
    if not isinstance(value, list | tuple):
        raise ValueError(Sentence("must be a list of cards, such as ['3S', '10H']"))  # noqa: TRY004 (pydantic gathers it)
    hand = 0
    for item in value:
        known = isinstance(item, str) and len(item) <= _LONGEST_NAME
        card = _known_card(item) if known else read_card(item)
        if hand >> card & 1:
            raise ValueError(Sentence("card {card} is there twice{within}; each card may be named once",
                                      card=card_name(card, symbols=True), within=""))  # fmt: skip
        hand |= 1 << card
    return hand


def _halves(value: Any) -> int:
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12
    if not number or value * 2 != int(value * 2):
        raise ValueError(Sentence("must be a number in steps of ½, such as 1 or -2.5"))
    return int(value * 2)


def _source(value: dict[str, Any]) -> dict[str, Any]:
    """Refuse what a record could not hold when it is written: endless, deep or unspeakable values."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        raise ValueError(Sentence("must hold text, finite numbers, lists and tables alone")) from None
    if len({name.casefold() for name in names_in(value)}) < len(names_in(value)):
        raise ValueError(Sentence("two players have one name; each player has a name of his own"))
    return value


def names_in(source: Mapping[str, Any] | None) -> list[str]:
    """Return the names of players that a source gives, composed and without needless space."""
    names = (source or {}).get("names")
    said = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return [" ".join(unicodedata.normalize("NFC", name).split()) for name in said]


def names(cards: int) -> list[str]:
    """Return cards as a record writes them: in ascending order."""
    found = []
    while cards:  # faster than a generator, and called for every decision
        low = cards & -cards
        found.append(_CARD_NAMES[low.bit_length() - 1])
        cards ^= low
    return found


def amount(halves: int) -> float | int:
    """Return half units as a record writes them: whole where it can be."""
    return halves // 2 if halves % 2 == 0 else halves / 2


Cards = Annotated[int, BeforeValidator(_bits), PlainSerializer(names)]
"""Cards as 52 bits, written as a list of names."""
HalfUnits = Annotated[int, BeforeValidator(_halves), PlainSerializer(amount)]
"""An amount as whole half units, written as a number."""
Seat = Annotated[int, Field(ge=0, le=4)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Call(_Part):
    """A call before the first play."""

    seat: Seat
    call: Literal["toi_trang", "sam"]
    pattern: str | None = None


class Entry(_Part):
    """One decision."""

    seat: Seat
    cards: Cards
    interrupt: bool = False
    as_: Annotated[Literal["quad", "pair_run_4"] | None, Field(alias="as")] = None
    stuck: bool = False


class Transfer(_Part):
    """Money from one seat to another."""

    from_: Annotated[Seat, Field(alias="from")]
    to: Seat
    amount: HalfUnits
    reason: str


class Gift(_Part):
    """Cards exchanged before a game of Tổng thống."""

    from_: Annotated[Seat, Field(alias="from")]
    to: Seat
    cards: Cards


class GameRecord(_Part):
    """A record as it was read; cards are 52 bits, amounts half units. See ``tlsim settle --help`` for the format."""

    format: Literal["tlsim-game/1"]
    rules: str
    players: Annotated[int, Field(ge=2, le=5)]
    opening: bool
    leader: Seat
    hands: Annotated[list[Cards], Field(min_length=2, max_length=5)]
    calls: list[Call]
    plays: Annotated[list[Entry], Field(max_length=600)]
    rules_digest: str | None = None
    source: Annotated[dict[str, Any], AfterValidator(_source)] | None = None
    direction: Literal[1, -1] = 1
    undealt: Cards | None = None
    barred: Seat | None = None
    titles: list[Seat] | None = None
    exchange: list[Gift] | None = None
    places: list[Seat] | None = None
    transfers: list[Transfer] | None = None
    points: list[HalfUnits] | None = None
    net: list[HalfUnits] | None = None

    def seat_at(self, position: int) -> int:
        """Return the seat of a position in turn, or the position of a seat."""
        return position * self.direction % self.players


def read_record(value: Any, where: str = "record") -> GameRecord:
    """Check the form of a record; raise `RecordError` with everything that is wrong with it."""
    try:
        if not isinstance(value, dict):
            raise broken(where, '{value}: must be one JSON object per game, {{"format": …}}', value=shorten(value))
        return GameRecord.model_validate(value)
    except ValidationError as error:
        raise RecordError(describe_faults(error, where, GameRecord)) from None
    except RecursionError:
        raise broken(where, "is nested too deeply; a record is a flat object") from None


def read_json(text: str | bytes, where: str) -> Any:
    """Parse a line; whatever it may be, say what is wrong with it."""
    text = decoded(text, where)
    try:
        return JSON.decode(text)
    except (ValueError, RecursionError) as error:
        raise no_json(error, where) from None


def no_json(error: Exception, where: str) -> RecordError:
    """Return what is wrong with JSON that could not be read."""
    if isinstance(error, RecursionError):
        return broken(where, "is nested too deeply; a record is a flat object")
    many = "integer string conversion" in str(error)
    what = Sentence("a number has too many digits") if many else reason(error)
    if isinstance(error, json.JSONDecodeError):
        text = N_("{what}: line {line} column {column} (char {char})")
        what = Sentence(text, what=Sentence(error.msg), line=error.lineno, column=error.colno, char=error.pos)
    return broken(where, "no JSON: {what}; a record is one JSON object", what=what)


def decoded(text: str | bytes, where: str) -> str:
    """Return the text of a line in UTF-8, without a byte-order mark."""
    if len(text) > MOST_BYTES:
        raise broken(where, "is longer than {most:,} bytes; a record has some thousand", most=MOST_BYTES)
    try:
        text = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        if error.object.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise broken(where, "is UTF-16 text (byte {byte}); save it as UTF-8", byte=error.start + 1) from None
        raise broken(where, "is no UTF-8 text (byte {byte}); save it as UTF-8", byte=error.start + 1) from None
    if "\0" in text:
        raise broken(where, "is no text (it holds zero bytes); a record is text in UTF-8")
    return text.removeprefix(BOM)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(Sentence("key {key} is there twice", key=shorten(twice, 40)))
    return found


def _no_constant(word: str) -> float:
    raise ValueError(Sentence("{word} is no number of JSON", word=word))


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(Sentence("{number} is too large a number", number=shorten(text, 40)))
    return number


JSON = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
"""Reads JSON and passes over nothing: no key twice, no endless number."""


def _spelled(step: int | str) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() and len(step) <= _LONGEST_KEY else f".{shorten(step, _LONGEST_KEY)}"


def describe_faults(error: ValidationError, where: str, model: type[BaseModel]) -> list[str]:
    """Return one line for each fault in the form of a value, with its place."""
    keys = [field.alias or name for name, field in model.model_fields.items()]
    every = error.errors(include_url=False)
    faults: list[str] = []
    for fault in every[:MOST_FAULTS]:
        path = "".join(map(_spelled, fault["loc"])).lstrip(".")
        if fault["type"] == "missing":
            text = Sentence("is missing; a record needs it")
        elif fault["type"] == "extra_forbidden":
            near = suggestion(str(fault["loc"][-1])[:_LONGEST_KEY], keys)
            text = Sentence("is no key of a record{near}", near=near)
        else:
            message = Sentence("must be an object, {…}") if fault["type"] == "model_type" else in_words(fault)
            text = Sentence("= {value}: {message}", value=shorten(fault["input"], 40), message=message)
        faults.append(placed(where, "{path} {text}", path=path, text=text))
    more = len(every) - len(faults)
    return [*faults, placed(where, "and {number} more", number=more)] if more else faults


def read_values(lines: Iterable[str | bytes], name: str) -> Iterator[tuple[str, Any]]:
    """Yield the values of JSON Lines with their places, and for a line that is none a `RecordError`."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or (isinstance(line, bytes) and line.strip() == BOM.encode()):
            continue
        where = f"{name}:{number}"
        try:
            yield where, read_json(line, where)
        except RecordError as error:
            yield where, error
