"""Refereeing records one after another: games of a match must follow from one another."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from tlsim.catalogue import N_
from tlsim.errors import UsageError, shorten
from tlsim.records.model import GameRecord, RecordError, broken, placed, read_record
from tlsim.records.referee import Settlement, preset_named, referee
from tlsim.rules import Rules, load_rules

Settled: TypeAlias = tuple[str, Settlement | RecordError]
"""The place of a game, and what it comes to or what is wrong with it."""
UNCHECKED = N_("who leads, and what else depends on the game before, is taken as it is written: that game is not told")
_ALIKE = ("seed", "match", "match_length", "policies", "names")  # of the sources of two games of a match


def settle_read(record: GameRecord, rules: Rules | None = None, where: str = "record") -> Settlement:
    """Referee a record whose form has been checked; see `settle` and `tlsim.records.referee.referee`."""
    return referee(record, _chosen(record, rules, where), where)


def _chosen(record: GameRecord, rules: Rules | None, where: str) -> Rules:
    if rules is not None and rules.name != record.rules:
        named = shorten(record.rules, 40)
        raise broken(where, "rules = {named}: cannot be refereed by {rules!r}; give the rules that it was played by",
                     named=named, rules=rules.name)  # fmt: skip
    try:
        return preset_named(record.rules) if rules is None else rules
    except UsageError as error:
        raise broken(where, "rules = {error}", error=error) from None


def settle_after(record: GameRecord, rules: Rules, where: str, last: Settlement | None) -> Settlement:
    """Referee a game that follows another one; None where that is not told."""
    rows = last.cong_in_a_row if last is not None else ()
    done = referee(record, rules, where, rows or None)
    if last is not None:
        done = replace(done, notices=tuple(_dealt_otherwise(last, record, where, rules)))
    first = last is None and (record.source or {}).get("game") == 0
    if not done.cong_in_a_row or rows or first:
        return done
    cong = any(entry["reason"] == "cong" for entry in done.record["transfers"])
    return replace(done, cong_in_a_row=(), next_leader=None if cong else done.next_leader)


def settle_all(records: Iterable[tuple[str, Any]], rules: Rules | str | Path | None = None) -> Iterator[Settled]:
    """Referee records, or values that are to be some; each is held against the one before it, right or wrong."""
    chosen = None if rules is None else load_rules(rules)
    told = False  # that games whose sources say nothing are not held against each other
    before: tuple[dict[str, Any], Settlement] | None = None
    for where, value in records:
        last, before = before, None
        try:
            if isinstance(value, RecordError):
                raise value
            record = value if isinstance(value, GameRecord) else read_record(value, where)
            after = last[1] if last is not None and follows(last, record) else None
            done = settle_after(record, _chosen(record, chosen, where), where, after)
        except RecordError as error:
            yield where, error
            continue
        faults = list(_wrong_beginning(record, where) if after is None else _not_following(after, record, where))
        if record.source:
            before = record.source, done
        if after is None and not record.opening and not (told and record.source is None):
            told = told or record.source is None
            done = replace(done, notices=(*done.notices, placed(where, UNCHECKED)))
        yield where, RecordError(faults) if faults else done


def follows(before: tuple[dict[str, Any], Settlement], record: GameRecord) -> bool:
    """Whether a record is of the game after another one in the same match."""
    source, last = before
    if record.source is None:
        return False
    same = all(source.get(key) == record.source.get(key) for key in _ALIKE)
    same = same and (record.rules, record.players) == (last.record["rules"], last.record["players"])
    game = source.get("game")
    return same and isinstance(game, int) and record.source.get("game") == game + 1


def _not_following(last: Settlement, record: GameRecord, where: str) -> Iterator[str]:
    """Yield what does not carry over from the game before."""
    carried = {"opening": last.next_opening, "direction": last.next_direction, "barred": last.next_barred}
    for name, found in (carried | {"titles": last.next_titles and list(last.next_titles)}).items():
        if (said := getattr(record, name)) != found:
            yield placed(where, "{name} = {said}: after the game before it must be {found}", name=name,
                         said=json.dumps(said), found=json.dumps(found))  # fmt: skip
    if not record.opening and last.next_leader is not None and record.leader != last.next_leader:
        yield placed(where, "leader = {leader}: after the game before seat {seat} leads", leader=record.leader,
                     seat=last.next_leader)  # fmt: skip


def _wrong_beginning(record: GameRecord, where: str) -> Iterator[str]:
    """Yield that a match does not begin with an opening game, unless cards or the leader were given (M29)."""
    source = record.source or {}
    old = str(source.get("version", "0.1.0")).startswith("0.1.")  # when it did not say yet what was given
    if not record.opening and source.get("game") == 0 and not source.get("given") and not old:
        yield placed(where, "opening = false: a match begins with an opening game (source.game = 0), unless cards or "
                     "the leader were given (source.given)")  # fmt: skip


def _dealt_otherwise(last: Settlement, record: GameRecord, where: str, rules: Rules) -> Iterator[str]:
    """Say where the dealer has not moved on by a seat, or not stayed, though some hands get more cards (L1, M30)."""
    sizes = [len(hand) for hand in last.record["hands"]]
    if rules.deal.uneven_deal == "rotating_dealer":
        sizes = sizes[-1:] + sizes[:-1]
    found = [hand.bit_count() for hand in record.hands]
    if found != sizes:
        yield placed(where, "hands of {found} cards: after the game before it the dealer gives {sizes} ({source})",
                     found=found, sizes=sizes, source=rules.cited("deal.uneven_deal"))  # fmt: skip
