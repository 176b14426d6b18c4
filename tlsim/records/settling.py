"""Refereeing records one after another: games of a match must follow from one another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tlsim.errors import shorten
from tlsim.records.model import GameRecord, RecordError
from tlsim.records.referee import Settlement, named_rules, referee
from tlsim.rules import Rules, load_rules


def settle_read(
    record: GameRecord, rules: Rules | None = None, where: str = "record", in_a_row: tuple[int, ...] | None = None
) -> Settlement:
    """Referee a record whose form has been checked; see `settle` and `tlsim.records.referee.referee`."""
    if rules is not None and rules.name != record.rules:
        named = shorten(record.rules, 40)
        raise RecordError(
            [f"{where}: rules = {named}: cannot be refereed by {rules.name!r}; give the rules that it was played by"]
        )
    return referee(record, named_rules(record, where) if rules is None else rules, where, in_a_row)


def settle_all(
    records: Iterable[tuple[str, GameRecord | RecordError]], rules: Rules | str | Path | None = None
) -> Iterator[tuple[str, Settlement | RecordError]]:
    """Referee many records, and whether games of a match follow one another; yield one after another with its place.

    A record that does not follow from the game before it is a fault too, and the game after it is held against it.
    """
    chosen = None if rules is None else load_rules(rules)
    before: tuple[dict[str, Any], Settlement] | None = None
    for where, record in records:
        last, before = before, None
        if isinstance(record, RecordError):
            yield where, record
            continue
        follows = last is not None and _follows(last, record)
        known = last is not None and follows and bool(last[1].cong_in_a_row)
        begins = record.source is not None and record.source.get("game") == 0
        try:
            done = settle_read(record, chosen, where, last[1].cong_in_a_row if last is not None and known else None)
        except RecordError as error:
            yield where, error
            continue
        faults = (
            _not_following(last[1], record, where, chosen or named_rules(record, where))
            if last is not None and follows
            else []
        )
        if record.source:
            before = record.source, done if known or begins or not done.cong_in_a_row else _without_rows(done)
        yield where, RecordError(faults) if faults else done


def _without_rows(done: Settlement) -> Settlement:
    """Return what is known where it is not known who was cóng in the games before."""
    cong = any(entry["reason"] == "cong" for entry in done.record["transfers"])
    return replace(done, cong_in_a_row=(), next_leader=None if cong else done.next_leader)


def _follows(before: tuple[dict[str, Any], Settlement], record: GameRecord) -> bool:
    """Whether a record is of the game after another one in the same match."""
    source, last = before
    if record.source is None:
        return False
    same = all(source.get(key) == record.source.get(key) for key in ("seed", "match", "match_length", "policies"))
    same = same and (record.rules, record.players) == (last.record["rules"], last.record["players"])
    game = source.get("game")
    return same and isinstance(game, int) and record.source.get("game") == game + 1


def _not_following(last: Settlement, record: GameRecord, where: str, rules: Rules) -> list[str]:
    """Check what carries over from the game before."""
    faults = []
    for name, said, found in (
        ("opening", record.opening, last.next_opening),
        ("direction", record.direction, last.next_direction),
        ("barred", record.barred, last.next_barred),
        ("titles", record.titles, None if last.next_titles is None else list(last.next_titles)),
    ):
        if said != found:
            faults.append(f"{where}: {name} = {json.dumps(said)}: after the game before it must be {json.dumps(found)}")
    faults += _wrong_dealer(last, record, where, rules)
    if not record.opening and last.next_leader is not None and record.leader != last.next_leader:
        faults.append(f"{where}: leader = {record.leader}: after the game before seat {last.next_leader} leads")
    return faults


def _wrong_dealer(last: Settlement, record: GameRecord, where: str, rules: Rules) -> list[str]:
    """Check that the dealer has moved on by a seat, or stayed, where some hands get more cards than others (L1)."""
    sizes = [len(hand) for hand in last.record["hands"]]
    if rules.deal.uneven_deal == "rotating_dealer":
        sizes = sizes[-1:] + sizes[:-1]
    found = [hand.bit_count() for hand in record.hands]
    if found == sizes:
        return []
    source = rules.source_of("deal.uneven_deal")
    return [f"{where}: hands of {found} cards: after the game before it must be {sizes}, by the dealer ({source})"]
