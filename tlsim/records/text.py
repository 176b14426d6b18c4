"""A game record as a person would follow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tlsim.cards import format_cards, parse_cards
from tlsim.rules import Rules
from tlsim.terms import known_term, reason_name, term

Record = dict[str, Any]


def as_text(record: Record, rules: Rules, lang: str) -> str:
    """Return a game to be read: what it starts from, every decision, who pays whom."""
    lines = [
        *_head(record, lang),
        *_before(record, rules, lang),
        *_plays(record, rules, lang),
        *_money(record, rules, lang),
    ]
    return "\n".join(lines) + "\n\n"


def _cards(names: list[str]) -> str:
    return format_cards(parse_cards(" ".join(names)), symbols=True) if names else ""


def _head(record: Record, lang: str) -> Iterator[str]:
    source = record.get("source", {})
    head = f"{record['rules']}, {term('game_word', lang)} {source.get('match', '?')}/{source.get('game', '?')}"
    yield head + (f", {term('opening_word', lang)}" if record["opening"] else "")
    for at, hand in enumerate(record["hands"]):
        policy = source.get("policies", [""] * record["players"])[at]
        yield f"  {term('seat_word', lang)} {at} {policy:8} {_cards(hand)}"


def _before(record: Record, rules: Rules, lang: str) -> Iterator[str]:
    """Yield what carries over from the last game, and what happens before the first play."""
    seat = term("seat_word", lang)
    if record.get("barred") is not None:
        yield "  " + term("barred_text", lang).format(seat=record["barred"])
    if record.get("titles") and rules.president:
        titles = zip(dict(rules.president.titles)[record["players"]], record["titles"], strict=True)
        held = ", ".join(f"{seat} {at} {term(title, lang)}" for title, at in titles)
        yield f"  {term('titles_text', lang)}: {held}"
    gifts = record.get("exchange") or []
    for at, gift in enumerate(gifts):
        words = term("gives_text" if 2 * at < len(gifts) else "returns_text", lang)
        yield f"  {words.format(giver=gift['from'], getter=gift['to'])}: {_cards(gift['cards'])}"
    for call in record["calls"]:
        words = "calls_sam" if call["call"] == "sam" else call.get("pattern", call["call"])
        yield f"  {seat} {call['seat']}: {known_term(words, lang) or words}"


def _plays(record: Record, rules: Rules, lang: str) -> Iterator[str]:
    table, seat = _Table(record, rules), term("seat_word", lang)
    for entry in record["plays"]:
        who = f"{seat} {entry['seat']}"
        if entry.get("stuck"):
            yield f"  {who}: {term('stuck_word', lang)}"
        elif not entry["cards"]:
            table.passed.add(entry["seat"])
            yield f"    {who}: {term('passes', lang)}"
        else:
            lead = table.play(entry)
            marks = [term("free_chop", lang)] if entry.get("interrupt") else [entry["as"]] if "as" in entry else []
            if table.turned:
                marks.append(term("turned_over" if table.reversed else "turned_back", lang))
            text = "".join(f"  [{mark}]" for mark in marks)
            yield f"  {'>' if lead else ' '} {who}: {_cards(entry['cards'])}{text}"


class _Table:
    """Who leads a trick, and which order of the cards is in force; a record says neither."""

    def __init__(self, record: Record, rules: Rules) -> None:
        self.rules = rules
        self.left = [len(hand) for hand in record["hands"]]
        for gift in record.get("exchange") or []:
            self.left[gift["from"]] -= len(gift["cards"])
            self.left[gift["to"]] += len(gift["cards"])
        self.cong = {entry["from"] for entry in record["transfers"] if entry["reason"] == "cong"}
        self.owner: int | None = None
        self.passed: set[int] = set()
        self.reversed = self.turned = False

    def play(self, entry: Record) -> bool:
        """Lay cards; return whether they lead a trick."""
        seat = entry["seat"]
        others = {at for at, left in enumerate(self.left) if left} - {self.owner}
        if 0 in self.left:  # who was cóng left when the first went out
            others -= self.cong
        lead = self.owner is None or self.owner == seat or others <= self.passed
        if lead or not self.rules.turn.pass_locks or (self.rules.turn.pass_reset_on_chop and _is_bomb(entry)):
            self.passed = set()
        self.passed.discard(seat)
        self.owner = seat
        self.left[seat] -= len(entry["cards"])
        president = self.rules.president
        self.turned = bool(president and president.revolution and _is_quad(entry))
        self.reversed ^= self.turned
        return lead


def _is_quad(entry: Record) -> bool:
    return len(entry["cards"]) == 4 and len({name[0] for name in entry["cards"]}) == 1


def _is_bomb(entry: Record) -> bool:
    ranks = Counter(name[0] for name in entry["cards"])
    return _is_quad(entry) or (len(ranks) >= 3 and set(ranks.values()) == {2})


def _money(record: Record, rules: Rules, lang: str) -> Iterator[str]:
    seat = term("seat_word", lang)
    yield f"  {term('places_word', lang)}: {' '.join(map(str, record['places']))}"
    for transfer in record["transfers"]:
        reason = reason_name(transfer["reason"], lang)
        yield f"  {transfer['from']} → {transfer['to']}: {transfer['amount']:g} {rules.unit} ({reason})"
    net = "  ".join(f"{seat} {at} {value:+g}" for at, value in enumerate(record["net"]))
    yield f"  {term('net', lang)}: {net} {rules.unit}"
