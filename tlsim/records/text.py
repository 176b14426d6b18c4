"""A game record as a person would follow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from tlsim.cards import format_cards, parse_cards
from tlsim.kernels import row as c
from tlsim.records.model import read_record
from tlsim.records.steps import Steps, code_of
from tlsim.rules import Rules
from tlsim.terms import known_term, reason_name, term

Record = dict[str, Any]


def as_text(record: Record, rules: Rules, lang: str, marks: Mapping[int, str] | None = None) -> str:
    """Return a game to be read: what it starts from, every decision, who pays whom; marks : of plays by number."""
    begun = chain(_head(record, lang), _before(record, rules, lang), _plays(record, rules, lang, marks or {}))
    return "\n".join(chain(begun, _money(record, rules, lang))) + "\n\n"


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


def _plays(record: Record, rules: Rules, lang: str, said: Mapping[int, str]) -> Iterator[str]:
    """Yield the decisions; who leads a trick and what is a quad says the engine, which plays them again."""
    turns = rules.president is not None and rules.president.revolution
    told, seat, reverse = read_record(record), term("seat_word", lang), False
    steps, log = Steps(told, rules, "record"), [code_of(entry, told) for entry in told.plays]
    for at, entry in enumerate(record["plays"]):
        who, mark = f"{seat} {entry['seat']}", f"  [{said[at]}]" if at in said else ""
        if entry.get("stuck"):
            yield f"  {who}: {term('stuck_word', lang)}"
        elif not entry["cards"]:
            yield f"    {who}: {term('passes', lang)}{mark}"
        else:
            steps.go_to(log[: at + 1])
            marks = [term("free_chop", lang)] if entry.get("interrupt") else [entry["as"]] if "as" in entry else []
            if turns and steps.state[c.KIND] == c.QUAD:
                reverse = not reverse
                marks.append(term("turned_over" if reverse else "turned_back", lang))
            text = "".join(f"  [{each}]" for each in marks) + mark
            yield f"  {'>' if steps.state[c.LED] else ' '} {who}: {_cards(entry['cards'])}{text}"


def _money(record: Record, rules: Rules, lang: str) -> Iterator[str]:
    seat = term("seat_word", lang)
    yield f"  {term('places_word', lang)}: {' '.join(map(str, record['places']))}"
    for transfer in record["transfers"]:
        reason = reason_name(transfer["reason"], lang)
        yield f"  {transfer['from']} → {transfer['to']}: {transfer['amount']:g} {rules.unit} ({reason})"
    net = "  ".join(f"{seat} {at} {value:+g}" for at, value in enumerate(record["net"]))
    yield f"  {term('net', lang)}: {net} {rules.unit}"
