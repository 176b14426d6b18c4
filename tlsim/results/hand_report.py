"""`HandReport`: what `tlsim.classify_hand` returns."""

from dataclasses import dataclass
from typing import Any

from tlsim.cards import N_RANKS, cards_in, format_cards
from tlsim.columns import Row, declared
from tlsim.patterns import COLOUR_CARDS, LOW_POSITIONS, N_POSITIONS, SUIT_CARDS, position_rank
from tlsim.results.provenance import Listed
from tlsim.results.result import Result
from tlsim.terms import term

HELD, GROUPS = declared("hand.held"), declared("hand.groups")
_SHORTEST_RUN = 3
_GROUPS = ((2, "pair"), (3, "triple"), (4, "quad"))
_PARTS = (
    *zip(("spades", "clubs", "diamonds", "hearts"), SUIT_CARDS, strict=True),
    *zip(("black", "red"), COLOUR_CARDS, strict=True),
)


@dataclass(frozen=True)
class HandReport(Result):
    """Which patterns of a list a hand holds, and how its cards group."""

    hand: int  # the hand, 52 bits
    held: tuple[Listed, ...]  # patterns that it holds, the strongest first; the first one is what counts
    low_straights: bool = False  # whether A-2-3 … is a straight

    @property
    def counts(self) -> Listed | None:
        """The pattern that counts: the strongest that the hand holds."""
        return self.held[0] if self.held else None

    @property
    def cards(self) -> str:
        """The cards, weakest first."""
        return format_cards(self.hand)

    VIEWS = (HELD, GROUPS)

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables: that there is no pattern, where there is none."""
        return [] if self.held else [f"{term('held', lang)}: {term('no_pattern', lang)}"]

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return {"hand": self.cards} | self.provenance.as_dict()

    def _held(self) -> list[Row]:
        held, best = self.held, self.counts
        return [{"pattern": it.id, "counts": it == best, "pays": it.pays, "count_heo": it.count_heo} for it in held]

    def groups(self) -> list[Row]:
        """Return how the cards group: ``group``, ``size``, ``cards``.

        Pairs, triples and quads by rank (each rank once, as its largest group); straights and pair runs of three or
        more ranks, as long as they go, with all cards that fit; cards of each suit and colour.
        """
        by_rank = [self.hand >> 4 * rank & 15 for rank in range(N_RANKS)]
        rows = [
            _row(name, size, nibble << 4 * rank)
            for size, name in _GROUPS
            for rank, nibble in enumerate(by_rank)
            if nibble.bit_count() == size
        ]
        start = 0 if self.low_straights else LOW_POSITIONS
        for name, level, first in (("straight", 1, start), ("pair_run", 2, LOW_POSITIONS)):
            runs = _runs([nibble.bit_count() >= level for nibble in by_rank], first)
            rows += [_row(name, len(run), sum(by_rank[rank] << 4 * rank for rank in run)) for run in runs]
        rows += [_row(name, (self.hand & part).bit_count(), self.hand & part) for name, part in _PARTS]
        return rows

    _groups = groups


def _row(name: str, size: int, cards: int) -> Row:
    return {"group": name, "size": size, "cards": format_cards(cards_in(cards))}


def _runs(there: list[bool], first: int) -> list[list[int]]:
    """Return the maximal runs of three or more ranks on the line A 2 3 … K A, from a position on."""
    runs: list[list[int]] = [[]]
    for position in range(first, N_POSITIONS - 1):  # a 2 is never above an A
        rank = position_rank(position)
        if there[rank]:
            runs[-1].append(rank)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) >= _SHORTEST_RUN]
