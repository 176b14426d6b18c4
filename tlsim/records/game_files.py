"""Files of games: JSON Lines, one indented JSON document or several, or the notation; and of deals, given cards."""

import contextlib
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tlsim.cards import card_name, cards_in, hand_of
from tlsim.catalogue import N_
from tlsim.engine.given_deals import GivenDeals
from tlsim.errors import CardError, Sentence, UsageError, joined, reason, shorten, suggestion, wrong
from tlsim.folders import existing
from tlsim.patterns import is_pattern_word
from tlsim.records import model
from tlsim.records.model import BOM, Cards, RecordError, Seat, broken, describe_faults, placed, refuse
from tlsim.records.notation import read_notation
from tlsim.records.referee import Settlement
from tlsim.records.settling import Settled, settle_all, settle_read
from tlsim.rules import Rules
from tlsim.terms import known_pattern

Values: TypeAlias = Iterator[tuple[str, Any]]
NOTATION = ""
NO_GAME = N_("holds no game; a game is one JSON object on a line, or notation (docs/records.md)")
_JSON_BEGINS = '{["0123456789'
_FOREIGN = (
    (b"\x1f\x8b", N_("gzip: unpack it (gunzip)")), (b"PK\x03\x04", N_("a zip archive: unpack it")),
    (b"\xff\xfe", N_("UTF-16 text: save it as UTF-8")), (b"\xfe\xff", N_("UTF-16 text: save it as UTF-8")),
)  # fmt: skip
_MOST_OF_A_DOCUMENT = 64 * model.MOST_BYTES


def settle_lines(lines: Iterable[str | bytes], name: str, rules: Rules | None = None) -> Iterator[Settled]:
    """Settle the games of a file, in any of the three forms; yield each with its place, or what is wrong with it."""
    kind, lines = _told(lines, name)
    if kind == NOTATION:
        return read_notation(lines, name, rules)
    return settle_all(json_values(lines, name, kind), rules)


def settle_text(text: str | bytes, rules: Rules | None = None) -> Settlement:
    """Settle the one game that a text holds, JSON or notation."""
    kind, _ = _told([text], "record")
    if kind != NOTATION:
        return settle_read(model.read_record(model.read_json(text, "record"), "record"), rules)
    found: list[Settlement] = []
    for _, done in settle_lines(text.splitlines(), "record", rules):
        if isinstance(done, RecordError):
            raise done
        found.append(done)
    if len(found) != 1:
        raise broken("record", "holds {number} games; it must be one", number=len(found))
    return found[0]


def _told(lines: Iterable[str | bytes], name: str) -> tuple[str, Iterator[str | bytes]]:
    """Return the first line that is not blank, or `NOTATION`, and all lines."""
    rest = iter(lines)
    for number, line in enumerate(rest):
        if isinstance(line, bytes) and (kind := next((word for sign, word in _FOREIGN if line.startswith(sign)), None)):
            raise broken(name, "is {kind}; a file of games is text in UTF-8", kind=Sentence(kind))
        text = (line.decode(errors="replace") if isinstance(line, bytes) else line).removeprefix(BOM).strip()
        if text:
            whole = itertools.chain([b""] * number, [line], rest)
            return text if text[0] in _JSON_BEGINS else NOTATION, whole
    return NOTATION, iter(())


def lines_of(file: str | Path) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input; of one too long to be a record only the beginning."""
    if file == "-" and sys.stdin is None:
        raise UsageError("standard input is closed; name a FILE, or pipe records in")
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if file == "-" else existing(file).open("rb") as stream:
            while line := stream.readline(model.MOST_BYTES + 1):
                yield line
                while len(line) > model.MOST_BYTES and not line.endswith(b"\n"):
                    line = stream.readline(model.MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError("cannot read {file!r}: {reason}", file=str(file), reason=reason(error)) from None


def settled_game(file: str | Path, line: int | None, rules: Rules | None = None) -> Settlement:
    """Return the game of a file that begins on a line or goes on there; the first where no line is named."""
    name, found, read = Path(file).name, None, itertools.count()
    lines = (text for text, _ in zip(lines_of(file), read, strict=False))  # counted: standard input is read but once
    for where, done in settle_lines(lines, name, rules):
        if line is not None and int(where.rpartition(":")[2]) > line:
            break
        found = done
        if line is None:
            break
    else:
        found = None if line is not None and line > next(read) else found
    if found is None:
        if line is None:
            raise broken(name, NO_GAME)
        raise UsageError("{file}: there is no game on line {line}", file=name, line=line)
    if isinstance(found, RecordError):
        raise found
    return found


def json_values(lines: Iterator[str | bytes], name: str, first: str) -> Values:
    """Yield the values of JSON, one a line, or of documents over several; first : the first line that is not blank."""
    if first[0] == "[":
        return _documents(lines, name)
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        lines, ahead = itertools.tee(lines)
        as_bytes = (line.encode(errors="replace") if isinstance(line, str) else line for line in ahead)
        second = next(itertools.islice(filter(bytes.strip, as_bytes), 1, None), b"{")
        if not second.startswith(b"{"):
            return _documents(lines, name)
    return model.read_values(lines, name)


def _documents(lines: Iterable[str | bytes], name: str) -> Values:
    """Yield the records of JSON over several lines: objects one after another, or in an array."""
    text, size = [], 0
    for number, line in enumerate(lines, 1):
        try:
            text.append(model.decoded(line, f"{name}:{number}"))
        except RecordError as error:
            yield f"{name}:{number}", error
            return
        size += len(line)
        if size > _MOST_OF_A_DOCUMENT:
            yield f"{name}:{number}", broken(name, "is longer than {most:,} bytes; write one record on each line",
                                             most=_MOST_OF_A_DOCUMENT)  # fmt: skip
            return
    yield from _objects("".join(one if one.endswith("\n") else f"{one}\n" for one in text), name)


def _objects(text: str, name: str) -> Values:
    at, depth, read = 0, 0, model.JSON.raw_decode
    while at < len(text):
        sign, place = text[at], f"{name}:{text.count(chr(10), 0, at) + 1}"
        if sign.isspace() or (sign == "," and depth):
            at += 1
        elif sign == "[" and not depth:
            at, depth = at + 1, 1
        elif sign == "]" and depth:
            at, depth = at + 1, 0
        else:
            try:
                value, at = read(text, at)
            except (ValueError, RecursionError) as error:
                yield place, model.no_json(error, place)
                return
            yield place, value
    if depth:
        yield place, broken(place, "the array is not closed by ]; the file may have been cut")


class Deal(BaseModel):
    """A line of a file of deals: a record, or just what is dealt."""

    model_config = ConfigDict(extra="ignore", strict=True)

    hands: Annotated[list[Cards], Field(min_length=2, max_length=5)]
    leader: Seat | None = None
    opening: bool | None = None
    barred: Seat | None = None
    titles: list[Seat] | None = None

    def leads(self) -> int:
        """Return who leads a regular game, -1 for an opening game."""
        return -1 if self.leader is None or self.opening else self.leader


def given_hands(rules: Rules, players: int, hands: Mapping[int, Any] | None, leader: int | None) -> GivenDeals:
    """Return deals of which some hands are given: cards, or the id of a pattern; without a leader they open."""
    if leader is not None and leader not in range(players):
        raise wrong("leader", leader, "seats are 0 to {players}", players=players - 1)
    cards, pattern, name = [0] * players, None, ""
    listed = {win.id: win.label for win in rules.instant_wins(leader is None, players)}
    for seat, given in (hands or {}).items():
        if seat not in range(players):
            raise UsageError("hand of seat {seat!r}: seats are 0 to {players}", seat=seat, players=players - 1)
        word = known_pattern(given, listed) if isinstance(given, str) else ""
        if is_pattern_word(word) or word in listed:
            if pattern is not None:
                raise UsageError("hand of seat {seat}: {given!r}: one seat alone may be given a pattern", seat=seat,
                                 given=given)  # fmt: skip
            name, pattern = word, (seat, _pattern(rules, players, word, opening=leader is None))
            continue
        named = isinstance(given, Sequence) and all(isinstance(card, str) for card in given)
        try:
            cards[seat] = hand_of(" ".join(given) if named and not isinstance(given, str) else given)
        except (CardError, TypeError, ValueError) as error:
            raise UsageError("hand of seat {seat}: {why}", seat=seat, why=reason(error)) from None
    if faults := list(_wrong_cards(rules, cards)):
        raise UsageError(joined(faults, "\n"))
    found = GivenDeals(rules, (tuple(cards),), (-1 if leader is None else leader,), pattern)
    if not found.possible:
        raise UsageError("hand of seat {seat}: no hand holds {name!r} beside the other given cards; give fewer cards, "
                         "or another pattern", seat=pattern[0] if pattern else 0, name=name)  # fmt: skip
    return found


def _pattern(rules: Rules, players: int, name: str, *, opening: bool) -> int:
    ids = [win.id for win in rules.instant_wins(opening, players)]
    if name in ids:
        return ids.index(name)
    text = N_("pattern {name!r} is not on the list of {rules} for a regular game; must be one of {known}{near}")
    if opening:
        text = N_("pattern {name!r} is not on the list of {rules} for an opening game; with a leader it is a regular "
                  "one; must be one of {known}{near}")  # fmt: skip
    known = ", ".join(ids) or Sentence("none")
    raise UsageError(text, name=name, rules=rules.name, known=known, near=suggestion(name, ids))


def _wrong_cards(rules: Rules, hands: Sequence[int]) -> Iterable[str]:
    """Yield what is wrong with given cards: too many, or one in two places."""
    seen = 0
    sizes = rules.seat_sizes(len(hands), rules.dealer_of(hands))
    for seat, (hand, size) in enumerate(zip(hands, sizes, strict=True)):
        if hand.bit_count() > size:
            yield Sentence("hand of seat {seat} has {number} cards; {rules} deals {size}", seat=seat,
                           number=hand.bit_count(), rules=rules.name, size=size)  # fmt: skip
        for card in cards_in(hand & seen):
            yield Sentence("hand of seat {seat}: {card} is in two places at once", seat=seat,
                           card=card_name(card, symbols=True))  # fmt: skip
        seen |= hand


def read_deals(rules: Rules, source: str | Path | Iterable[Any]) -> GivenDeals:
    """Return the deals of a file, JSON or notation, or of dicts; a record is a deal too.

    What a hand lacks is dealt. With ``leader`` it is a regular game, otherwise, or with ``"opening": true``, an opening
    game; without titles nothing is exchanged.
    """
    faults, deals = list[str](), list[Deal]()
    for where, value in _values(source, rules):
        try:
            if isinstance(value, RecordError):
                raise value
            deals.append(Deal.model_validate(value))
            faults += _faults(rules, deals[-1], len(deals[0].hands), where)
        except RecordError as error:
            faults += error.faults
        except ValidationError as error:
            faults += describe_faults(error, where, Deal)
    refuse(faults)
    if not deals:
        raise UsageError("{source} holds no deal; a deal is one JSON object on a line, with its hands",
                         source=shorten(source))  # fmt: skip
    return GivenDeals(
        rules,
        tuple(tuple(deal.hands) for deal in deals),
        tuple(deal.leads() for deal in deals),
        barred=tuple(-1 if deal.barred is None else deal.barred for deal in deals),
        titles=tuple(tuple(deal.titles or ()) for deal in deals),
    )


def _values(source: str | Path | Iterable[Any], rules: Rules) -> Iterable[tuple[str, Any]]:
    if not isinstance(source, str | Path):
        yield from ((f"deal {number}", value) for number, value in enumerate(source))
        return
    name = Path(source).name
    kind, lines = _told(lines_of(source), name)
    if kind != NOTATION:
        yield from json_values(lines, name, kind)
        return
    for where, done in read_notation(lines, name, usual=rules):
        yield where, done if isinstance(done, RecordError) else done.record


def _faults(rules: Rules, deal: Deal, players: int, where: str) -> Iterable[str]:
    least, most, number = rules.deal.min_players, rules.deal.max_players, len(deal.hands)
    if not least <= number <= most:
        yield placed(where, "hands of {number} seats; {rules} is for {least} to {most} players", number=number,
                     rules=rules.name, least=least, most=most)  # fmt: skip
        return
    if number != players:
        yield placed(where, "hands of {number} seats; the first deal has {players}", number=number, players=players)
        return
    if deal.leader is not None and deal.leader >= players:
        yield placed(where, "leader = {leader}: seats are 0 to {most}", leader=deal.leader, most=players - 1)
    if deal.opening is False and deal.leader is None:
        yield placed(where, "leader is missing; a regular game needs it")
    bars = rules.toi_trang is not None and rules.toi_trang.bars_last_winner
    if deal.barred is not None and (deal.barred >= players or not bars):
        yield placed(where, "barred = {barred}: {rules} bars nobody, or there is no such seat", barred=deal.barred,
                    rules=rules.name)  # fmt: skip
    if deal.titles is not None:
        yield from _wrong_titles(rules, deal, deal.titles, where)
    yield from (placed(where, fault) for fault in _wrong_cards(rules, deal.hands))


def _wrong_titles(rules: Rules, deal: Deal, titles: list[int], where: str) -> Iterable[str]:
    """Yield what is wrong with titles: they are for regular games of Tổng thống, and say who leads."""
    if rules.president is None:
        yield placed(where, "titles: belongs to Tổng thống; {rules} has no exchange", rules=rules.name)
    elif sorted(titles) != list(range(len(deal.hands))):
        yield placed(where, "titles = {titles}: must be the {number} seats by their places in the last game, best "
                     "first", titles=titles, number=len(deal.hands))  # fmt: skip
    elif deal.leads() < 0:
        yield placed(where, "titles: an opening game has none; give its leader too")
    elif rules.lead.next[0] == "last_place" and deal.leader != titles[-1]:
        yield placed(where, "leader = {leader}: by titles seat {seat} leads ({source})", leader=deal.leader,
                    seat=titles[-1], source=rules.cited("lead.next"))  # fmt: skip
