"""Given cards: of some seats, from a file of deals, or the pattern that a seat holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tlsim.cards import card_name, cards_in, hand_of
from tlsim.catalogue import N_
from tlsim.engine.given_deals import GivenDeals
from tlsim.errors import CardError, Sentence, UsageError, joined, reason, shorten, suggestion, wrong
from tlsim.folders import existing
from tlsim.records.game_files import deals_of
from tlsim.records.model import Cards, RecordError, Seat, describe_faults, placed, refuse
from tlsim.rules import Rules

_PATTERN_ID = re.compile("[a-z]+(_[a-z0-9]+)+")


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
    for seat, given in (hands or {}).items():
        if seat not in range(players):
            raise UsageError("hand of seat {seat!r}: seats are 0 to {players}", seat=seat, players=players - 1)
        if isinstance(given, str) and _PATTERN_ID.fullmatch(given.strip()):
            if pattern is not None:
                raise UsageError("hand of seat {seat}: {given!r}: one seat alone may be given a pattern", seat=seat,
                                 given=given)  # fmt: skip
            name = given.strip()
            pattern = seat, _pattern(rules, players, name, opening=leader is None)
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
    try:
        lines = existing(source).read_bytes().splitlines()
    except OSError as error:
        raise UsageError("cannot read {source!r}: {reason}", source=str(source), reason=reason(error)) from None
    yield from deals_of(lines, Path(source).name, rules)


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
