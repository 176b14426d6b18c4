"""Endings in which nothing is hidden any more and two seats are left: solved, each of them playing its best."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from tlsim.kernels import row as c
from tlsim.kernels.choices import choices
from tlsim.kernels.table import table
from tlsim.records.position import Position

_MOST_POSITIONS = 6_000
# Places in the state of a game on which no later decision depends.
_FORGET = np.array([*range(c.EVENTS, c.EVENTS + c.N_EVENTS), c.PLAYS, c.LONGEST_CHAIN]) - c.REQUIRED


class TooMany(Exception):  # noqa: N818 (no error: it is left to chance then)
    """An ending is too long to be solved."""


def solve(position: Position) -> list[tuple[int, int, int]] | None:
    """Return what every answer brings if both seats that are left play their best: money, whether first, whether cóng.

    None where more than two seats may act, where suits matter below the highest card, or where it takes too long.
    """
    game = position.row
    if int(game[c.ACTIVE]).bit_count() != 2 or game[c.SUIT_MATCH] or game[c.REQUIRED] or game[c.STAGE] != c.AT_PLAY:
        return None
    own, seen = int(game[c.ASKED_SEAT]), dict[bytes, tuple[int, ...]]()
    try:
        ended = [_after(game, answer) for answer in position.answers()]
        values = [_value(row, own, seen) for row in ended]
    except TooMany:
        return None
    return [(value[own], int(value[c.MOST_SEATS] == own), value[c.MOST_SEATS + 1] >> own & 1) for value in values]


def _after(game: c.Ints, answer: int) -> c.Ints:
    after = game.copy()
    table(after, c.PLAY_ON, answer)
    return after


def _value(game: c.Ints, own: int, seen: dict[bytes, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the money of every seat at the end, who is first, and who is cóng."""
    if game[c.ENDING]:
        nets = game[c.NET : c.NET + c.MOST_SEATS].tolist()
        return (*nets, int(game[c.PLACES]) if game[c.N_PLACES] else -1, int(game[c.CONG_SEATS]))
    state = np.concatenate([game[c.REQUIRED : c.END_OF_STATE], game[c.FINISHERS : c.END_OF_HANDS]])
    state[_FORGET] = 0
    key = state.tobytes()
    if key not in seen:
        if len(seen) >= _MOST_POSITIONS:
            raise TooMany
        seen[key] = ()  # counted at once, so that a deep search ends too
        seat, sign = int(game[c.ASKED_SEAT]), 1 if game[c.ASKED_SEAT] == own else -1
        found = (_value(_after(game, answer), own, seen) for answer in all_answers(game))
        seen[key] = max(found, key=lambda value: (value[seat], sign * value[own]))
    return seen[key]


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
