"""Chops read from the log of a game: what was chopped, by what, and who paid whom for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tlsim.kernels import row as c
from tlsim.kernels.row import Ints


class Link(NamedTuple):
    """A chop: who laid what, and who chopped it by what; seats are positions in turn."""

    trick: int
    victim: int
    chopper: int
    target: int  # what was chopped: `tlsim.kernels.row.TWO` …
    bomb: int  # by what: `RUN_3` …; longer runs that are no bombs count as `RUN_5`, `RUN_6`
    cards: int  # that were chopped, 52 bits


def links_of(row: Ints) -> list[Link]:
    """Return the chops of a game that has been played, in order.

    Where everybody else with cards has passed, the next cards are a lead, but for a chop marked as one out of turn.
    """
    players = int(row[c.PLAYERS])
    left = [int(hand).bit_count() for hand in row[c.DEALT : c.DEALT + players]]
    active, passed, owner, trick, table, links = (1 << players) - 1, 0, 0, 0, 0, []
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        seat, cards = entry >> c.SEAT_SHIFT & 7, entry & c.ALL_CARDS
        if not cards:
            passed |= 0 if entry & c.IS_STUCK else 1 << seat
            continue
        closed = not table or not active & ~passed & ~(1 << owner)
        if closed and not entry & c.INTERRUPT:
            passed, trick = 0, trick + 1
        elif bomb := _chops(row, entry, table):
            links.append(Link(trick, owner, seat, _target(row, table), bomb, table & c.ALL_CARDS))
            passed = 0 if row[c.PASS_RESET_ON_CHOP] else passed
        passed = passed & ~(1 << seat) if row[c.PASS_LOCKS] else 0
        owner, table = seat, entry
        left[seat] -= cards.bit_count()
        if not left[seat]:
            active &= ~(1 << seat)
            if row[c.FINISHED] and seat == row[c.FINISHERS]:
                active &= ~int(row[c.CONG_SEATS])
    return links


def _chops(row: Ints, play: int, table: int) -> int:
    """Return the bomb by which a play chops what lies on the table; 0 where it is no chop."""
    bomb, target, pairs = _bomb(row, play), _target(row, table), _pairs(play & c.ALL_CARDS)
    if target == c.THREE_TWOS and pairs >= 5:  # these may be no bombs
        bomb = min(pairs - 1, c.RUN_6)
    return bomb if target and bomb and int(row[c.CHOPS + bomb]) >> target & 1 else 0


def _target(row: Ints, play: int) -> int:
    """Return what a set is for a bomb."""
    cards = play & c.ALL_CARDS
    if bomb := _bomb(row, play):
        return c.ON_RUN_3 + bomb - c.RUN_3
    only_twos = cards & ~c.TWOS == 0 and cards.bit_count() <= 3
    return (c.TWO, c.TWO_TWOS, c.THREE_TWOS)[cards.bit_count() - 1] if only_twos else c.NO_TARGET


def _bomb(row: Ints, play: int) -> int:
    """Return which bomb a set is, if any."""
    cards = play & c.ALL_CARDS
    if play & (c.AS_QUAD | c.AS_RUN_4):
        return c.QUAD_BOMB if play & c.AS_QUAD else c.RUN_4
    if cards.bit_count() == 4 and len(_ranks(cards)) == 1:
        return c.QUAD_BOMB
    pairs = _pairs(cards)
    if 3 <= pairs <= 4:
        return c.RUN_3 if pairs == 3 else c.RUN_4
    return pairs - 1 if row[c.SUPERSET] and 5 <= pairs <= 6 else c.NO_BOMB


def _pairs(cards: int) -> int:
    """Return how many pairs follow one another where cards are a run of pairs, else 0."""
    ranks = _ranks(cards)
    run = ranks == list(range(min(ranks, default=0), min(ranks, default=0) + len(ranks)))
    return len(ranks) if run and all((cards >> 4 * rank & 15).bit_count() == 2 for rank in ranks) else 0


def _ranks(cards: int) -> list[int]:
    return [rank for rank in range(13) if cards >> 4 * rank & 15]


def paid_links(
    links: list[Link], flows: Iterable[list[int]], *, each_own: bool = False
) -> list[tuple[Link | None, int, int, int]]:  # fmt: skip
    """Return what was paid for chops: the chop that it was for, payer, receiver, half units.

    A payment belongs to the last chop of a trick in which the receiver chopped the payer (the first, where
    ``each_own``: each victim pays for himself); what belongs to none is a bonus.
    """
    found: list[tuple[Link | None, int, int, int]] = []
    at = 0
    for reason, payer, receiver, amount in flows:
        if reason != c.CHOP:
            continue
        same = [n for n in range(at, len(links)) if (links[n].victim, links[n].chopper) == (payer, receiver)]
        same = [n for n in same if links[n].trick == links[same[0]].trick]
        chosen = same[:1] if each_own else same[-1:]
        found.append((links[chosen[0]] if chosen else None, payer, receiver, amount))
        at = chosen[0] + 1 if chosen else at
    return found
