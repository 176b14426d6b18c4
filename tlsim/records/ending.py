"""Endings in which nothing is hidden any more and two seats are left: solved, each of them playing its best."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from tlsim.kernels import row as c
from tlsim.kernels.choices import choices
from tlsim.kernels.table import table
from tlsim.records.position import Position

_MOST_POSITIONS = 6_000
_FORGET = (*range(c.EVENTS, c.EVENTS + c.N_EVENTS), c.PLAYS, c.LONGEST_CHAIN)  # what no later decision depends on


class TooMany(Exception):  # noqa: N818 (no error: it is left to chance then)
    """An ending is too long to be solved."""


def solve(position: Position) -> list[tuple[int, int, int]] | None:
    """Return for every answer of a position what it brings if both seats that are left play their best from then on.

    Each takes what brings itself most, and of what is alike for it the seat that is asked is given the worst. What an
    answer brings: money in half units, whether the seat is first, whether it is cóng.

    Returns
    -------
    list or None
        None where more than two seats may still act, where the rules make suits matter for more than the highest card,
        or where it would take too long.
    """
    game = position.row
    if int(game[c.ACTIVE]).bit_count() != 2 or game[c.SUIT_MATCH] or game[c.REQUIRED] or game[c.STAGE] != c.AT_PLAY:
        return None
    own, seen = int(game[c.ASKED_SEAT]), dict[bytes, tuple[int, ...]]()
    try:
        ended = [_after(game, answer) for answer in position.answers()]
        return [_brought(_value(row, own, seen), own) for row in ended]
    except TooMany:
        return None


def _after(game: c.Ints, answer: int) -> c.Ints:
    after = game.copy()
    table(after, c.PLAY_ON, answer)
    return after


def _brought(value: tuple[int, ...], own: int) -> tuple[int, int, int]:
    return value[own], int(value[c.MOST_SEATS] == own), value[c.MOST_SEATS + 1] >> own & 1


def _value(game: c.Ints, own: int, seen: dict[bytes, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the money of every seat at the end, who is first, and who is cóng."""
    if game[c.ENDING]:
        nets = game[c.NET : c.NET + c.MOST_SEATS].tolist()
        return (*nets, int(game[c.PLACES]) if game[c.N_PLACES] else -1, int(game[c.CONG_SEATS]))
    key = _state(game)
    if key not in seen:
        if len(seen) >= _MOST_POSITIONS:
            raise TooMany
        seen[key] = ()  # counted at once, so that a deep search ends too
        seat, sign = int(game[c.ASKED_SEAT]), 1 if game[c.ASKED_SEAT] == own else -1
        found = (_value(_after(game, answer), own, seen) for answer in all_answers(game))
        seen[key] = max(found, key=lambda value: (value[seat], sign * value[own]))
    return seen[key]


def _state(game: c.Ints) -> bytes:
    state = np.concatenate([game[c.REQUIRED : c.END_OF_STATE], game[c.FINISHERS : c.END_OF_HANDS]])
    for at in _FORGET:
        state[at - c.REQUIRED] = 0
    return state.tobytes()


def all_answers(game: c.Ints) -> Iterator[int]:
    """Yield every legal answer with all its suits; suits must matter for no more than the highest card."""
    hand = int(game[c.HANDS + game[c.ASKED_SEAT]])
    if game[c.ASKED] != c.LEAD:
        yield 0
    for choice in range(choices(game, c.LIST_CHOICES)):
        for suit in range(4):
            play = choices(game, c.PLAY_OF, choice << 4 | 1 << suit)
            if play:
                yield from _like(play, hand)


def _like(play: int, hand: int) -> Iterator[int]:
    """Yield the plays of the same ranks, as many cards of each, and with the same highest card."""
    cards, marks = play & c.ALL_CARDS, play & ~c.ALL_CARDS
    if marks:  # what is left of a bomb
        yield play
        return
    highest = 1 << cards.bit_length() - 1
    parts = []
    for rank in range(13):
        number, suits = (cards >> 4 * rank & 15).bit_count(), range(4 * rank, 4 * rank + 4)
        if number:
            every = [sum(some) for some in combinations([1 << at for at in suits if hand >> at & 1], number)]
            top = highest >> 4 * rank & 15
            parts.append([some for some in every if not top or some.bit_length() == highest.bit_length()])
    for whole in product(*parts):
        yield sum(whole)
