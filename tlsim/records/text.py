"""A game as text: to be read, or in the notation that people type, where what follows from the rules is left out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from tlsim.cards import format_cards, parse_cards
from tlsim.catalogue import local
from tlsim.errors import UsageError
from tlsim.kernels import row as c
from tlsim.records.model import GameRecord, names_in, read_record
from tlsim.records.referee import Settlement, preset_named
from tlsim.records.settling import follows, settle_after
from tlsim.records.steps import Steps, code_of, entry_of
from tlsim.rules import Rules
from tlsim.terms import known_term, reason_name, term

Record = dict[str, Any]
NAMES = ("P0", "P1", "P2", "P3", "P4")
"""Names of players where a record has none: their seats."""


def as_text(record: Record, rules: Rules, lang: str, marks: Mapping[int, str] | None = None) -> str:
    """Return a game to be read: what it starts from, every decision, who pays whom; marks : of plays by number."""
    names = names_of(record)
    who = [f"{term('seat_word', lang)} {at}" for at in range(len(names))] if names == NAMES[: len(names)] else names
    begun = chain(_head(record, who, lang), _before(record, rules, who, lang))
    plays = _plays(record, rules, who, lang, marks or {})
    return "\n".join(chain(begun, plays, _money(record, rules, who, lang))) + "\n\n"


def _cards(names: list[str]) -> str:
    return format_cards(parse_cards(" ".join(names)), symbols=True) if names else ""


def _head(record: Record, who: Sequence[str], lang: str) -> Iterator[str]:
    source = record.get("source", {})
    place = f"{source.get('match', '?')}/{source.get('game', '?')}"
    head = f"{record['rules']}, {term('game_word', lang).format(place=place)}"
    yield head + (f", {term('opening_word', lang)}" if record["opening"] else "")
    wide = max(map(len, who))
    for at, hand in enumerate(record["hands"]):
        policy = f"{source['policies'][at]:8} " if "policies" in source else ""
        yield f"  {who[at]:{wide}} {policy}{_cards(hand)}"


def _before(record: Record, rules: Rules, who: Sequence[str], lang: str) -> Iterator[str]:
    """Yield what carries over from the last game, and what happens before the first play."""
    if record.get("barred") is not None:
        yield "  " + term("barred_text", lang).format(seat=who[record["barred"]])
    if record.get("titles") and rules.president:
        titles = zip(dict(rules.president.titles)[record["players"]], record["titles"], strict=True)
        held = ", ".join(f"{who[at]} {term(title, lang)}" for title, at in titles)
        yield f"  {term('titles_text', lang)}: {held}"
    gifts = record.get("exchange") or []
    for at, gift in enumerate(gifts):
        words = term("gives_text" if 2 * at < len(gifts) else "returns_text", lang)
        yield f"  {words.format(giver=who[gift['from']], getter=who[gift['to']])}: {_cards(gift['cards'])}"
    for call in record["calls"]:
        words = "calls_sam" if call["call"] == "sam" else call.get("pattern", call["call"])
        yield f"  {who[call['seat']]}: {known_term(words, lang) or words}"


def _plays(record: Record, rules: Rules, who: Sequence[str], lang: str, said: Mapping[int, str]) -> Iterator[str]:
    """Yield the decisions; who leads a trick and what is a quad says the engine, which plays them again."""
    turns = rules.president is not None and rules.president.revolution
    told, reverse = read_record(record), False
    steps, log = Steps(told, rules, "record"), [code_of(entry, told) for entry in told.plays]
    for at, entry in enumerate(record["plays"]):
        name, mark = who[entry["seat"]], f"  [{said[at]}]" if at in said else ""
        if entry.get("stuck"):
            yield f"  {name}: {term('stuck_word', lang)}"
        elif not entry["cards"]:
            yield f"    {name}: {term('passes', lang)}{mark}"
        else:
            steps.go_to(log[: at + 1])
            marks = [term("free_chop", lang)] if entry.get("interrupt") else [entry["as"]] if "as" in entry else []
            if turns and steps.state[c.KIND] == c.QUAD:
                reverse = not reverse
                marks.append(term("turned_over" if reverse else "turned_back", lang))
            text = "".join(f"  [{each}]" for each in marks) + mark
            yield f"  {'>' if steps.state[c.LED] else ' '} {name}: {_cards(entry['cards'])}{text}"


def _money(record: Record, rules: Rules, who: Sequence[str], lang: str) -> Iterator[str]:
    short = [name.rpartition(" ")[2] for name in who]  # of a seat its number
    yield f"  {term('places_word', lang)}: {' '.join(short[at] for at in record['places'])}"
    for transfer in record["transfers"]:
        reason, amount = reason_name(transfer["reason"], lang), local(f"{transfer['amount']:g}", lang)
        yield f"  {short[transfer['from']]} → {short[transfer['to']]}: {amount} {rules.unit} ({reason})"
    net = "  ".join(f"{name} {local(f'{value:+g}', lang)}" for name, value in zip(who, record["net"], strict=True))
    yield f"  {term('net', lang)}: {net} {rules.unit}"


def names_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the players of a record, by seat."""
    names = names_in(record.get("source"))
    return tuple(names) if len(names) == record["players"] else NAMES[: record["players"]]


class Notation:
    """Writes games one after another, each as the text that reads back to its record."""

    def __init__(self) -> None:
        self._head: tuple[str, tuple[str, ...]] | None = None
        self._last: tuple[dict[str, Any], Settlement] | None = None

    def write(self, game: Mapping[str, Any], rules: Rules) -> str:
        """Return the text of a game that the referee has settled."""
        record, names = read_record(dict(game)), names_of(game)
        head = rules.digest, names
        after = self._last[1] if self._last and self._head == head and follows(self._last, record) else None
        done = settle_after(record, rules, "record", after)
        lines = [] if self._head is None else [""]
        lines += [] if self._head and self._head[0] == rules.digest else _rules(rules)
        lines += [f"players {' '.join(names)}", ""] if after is None else []
        self._head, self._last = head, (record.source or {}, done)
        return "\n".join([*lines, _beginning(record, names, after), *_game(record, rules, names), ""])


def _rules(rules: Rules) -> Iterator[str]:
    """Yield the lines that name the rules: a preset, and what differs from it."""
    yield f"rules {rules.name}"
    try:
        changes = preset_named(rules.name).describe_difference(rules)
    except UsageError:
        return
    for path, _, value in changes:
        yield f"set {path} {json.dumps(value, ensure_ascii=False)}"


def _beginning(record: GameRecord, names: tuple[str, ...], after: Settlement | None) -> str:
    if after is not None and (after.next_opening or after.next_leader is not None):
        return "game"
    words = ["game", "opening"] if record.opening else ["game", "leader", names[record.leader]]
    words += ["reversed"] if record.direction < 0 else []
    words += ["barred", names[record.barred]] if record.barred is not None else []
    words += ["titles", *(names[seat] for seat in record.titles)] if record.titles else []
    return " ".join(words)


def _game(record: GameRecord, rules: Rules, names: tuple[str, ...]) -> Iterator[str]:
    for gift in record.exchange or ():
        yield f"{names[gift.from_]} gives {format_cards(gift.cards)} to {names[gift.to]}"
    for call in record.calls:
        yield f"{names[call.seat]} calls {'sam' if call.call == 'sam' else call.pattern or call.call}"
    steps = Steps(record, rules, "record")
    log = [code_of(entry, record) for entry in record.plays]
    tricks: list[list[str]] = [[]]
    for code, leads in steps.tell(log):
        entry = entry_of(code, record.direction, record.players)
        mark, as_ = "!" if entry.interrupt else "", f" as {entry.as_}" if entry.as_ else ""
        tricks += [[]] if leads else []
        tricks[-1].append(f"{names[entry.seat]} {mark}{format_cards(entry.cards) or '-'}{as_}")
    yield from ("; ".join(trick) for trick in tricks if trick)
    left = [f"{names[seat]} {format_cards(hand)}" for seat, hand in enumerate(_left(record)) if hand]
    if left:
        yield f"left {'; '.join(left)}"


def _left(record: GameRecord) -> list[int]:
    hands = list(record.hands)
    for gift in record.exchange or ():
        hands[gift.from_] &= ~gift.cards
        hands[gift.to] |= gift.cards
    for entry in record.plays:
        hands[entry.seat] &= ~entry.cards
    return hands
