"""Games written in the notation that people type; what follows from the rules is left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tlsim.cards import format_cards
from tlsim.errors import UsageError
from tlsim.records.model import GameRecord, read_record
from tlsim.records.referee import Settlement, preset_named
from tlsim.records.settling import follows, settle_after
from tlsim.records.steps import Steps, code_of, entry_of
from tlsim.rules import Rules

NAMES = ("P0", "P1", "P2", "P3", "P4")
"""Names of players where a record has none: their seats."""


def names_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the players of a record, by seat."""
    names = (record.get("source") or {}).get("names")
    names = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
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
        as_ = f" as {entry.as_}" if entry.as_ else ""
        tricks += [[]] if leads else []
        tricks[-1].append(
            f"{names[entry.seat]} {'!' if entry.interrupt else ''}{format_cards(entry.cards) or '-'}{as_}"
        )
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
