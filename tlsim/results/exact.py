"""`ExactOdds`: what `tlsim.exact_odds` returns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tlsim.columns import Row, declared
from tlsim.exact.hand_book import HandCounts
from tlsim.exact.table_counts import Bounds, TableCounts
from tlsim.numerals import claim as read_claim
from tlsim.options import OPTIONS
from tlsim.results.chances import ANYONE, HAND, ME, WINS, Chance, Chances
from tlsim.results.pictures import ODDS
from tlsim.results.provenance import Listed, one_in
from tlsim.results.result import Result
from tlsim.terms import find_pattern, term

HANDS, TABLE = declared("odds.exact"), declared("odds.exact_table")


@dataclass(frozen=True)
class OddsOfAList(Result):
    """What is found about a tới trắng list."""

    listed: tuple[Listed, ...]  # the list, strongest first; empty where the rules have none for the question

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables: that there is no list, where there is none."""
        return [] if self.listed else [term("no_list", lang)]

    def _at_the_table(
        self, deals: Callable[[Any], Row], someone: Any, wins: Iterable[Any], seats: Iterable[Any]
    ) -> list[Row]:
        """Return the rows of what is known of a table; ``deals`` says what is known of some deals."""
        quantities: list[tuple[str, str | None, int | None, Any]] = [("someone", None, None, someone)]
        quantities += [("wins", entry.id, None, each) for entry, each in zip(self.listed, wins, strict=True)]
        quantities += [("seats", None, number, each) for number, each in enumerate(seats)]
        return [
            {"quantity": quantity, "pattern": pattern, "seats": number} | deals(known)
            for quantity, pattern, number, known in quantities
            if self.listed
        ]


@dataclass(frozen=True)
class ExactOdds(OddsOfAList):
    """Exact odds of the patterns of a list: in one hand, and at the table.

    With prefix ``counts_``: that a pattern is the hand's strongest. The table is that of `table_frame`.
    """

    hand: HandCounts  # numbers of hands
    table_source: Callable[[], TableCounts] = field(compare=False, repr=False)  # called when `table` is first asked for
    alone: Callable[[int], TableCounts] | None = field(default=None, compare=False, repr=False)  # of one pattern's list

    VIEWS = (HANDS, TABLE)
    PICTURES = ODDS

    @cached_property
    def table(self) -> TableCounts:
        """Numbers of deals; the first time this may take a while."""
        return self.table_source()

    @property
    def any(self) -> Fraction:
        """Probability that a hand holds at least one pattern."""
        return Fraction(self.hand.any, self.hand.hands)

    @property
    def payment_bounds(self) -> tuple[Fraction, Fraction]:
        """Lowest and highest mean payment of one loser per deal, in the unit of the rules; equal where exact.

        Without đếm heo; per deal the winner gets it from each of the others, ``players - 1`` times.
        """
        low, high = self.table.payment([Fraction(entry.pays) for entry in self.listed])
        return low, high

    @property
    def expected_payment(self) -> Fraction | None:
        """Mean payment of one loser per deal, as in `payment_bounds`; None where only bounds are known."""
        low, high = self.payment_bounds
        return low if low == high else None

    def chances(
        self, pattern: str | Sequence[str], evening: int = 40, claim: str | tuple[Fraction, str] | None = None
    ) -> Chances:
        """Return how often patterns come up: in a hand, at one's own seat, of anyone at the table, winning it.

        Parameters
        ----------
        pattern
            Id or name of a pattern, with marks or without, or several.
        evening
            Games of an evening, 1 … 10,000.
        claim
            How often somebody says that it comes up: ``"1/1000 ván"``, ``"0.1% hand"``; a game (*ván*) means that
            anyone at the table holds it, a hand (*bài*) one hand.
        """
        asked = (pattern,) if isinstance(pattern, str) else tuple(pattern)
        names = {entry.id: entry.label for entry in self.listed}
        places = dict.fromkeys(list(names).index(find_pattern(text, names)) for text in asked)
        meant = read_claim(claim) if isinstance(claim, str) else claim
        games = OPTIONS["evening"].check("evening", evening)
        return Chances(self.provenance, tuple(each for at in places for each in self._chances_of(at)), games, meant)

    def _chances_of(self, at: int) -> Iterator[Chance]:
        alone = self.table if self.alone is None else self.alone(at)
        held, counted = (Fraction(hands[at], self.hand.hands) for hands in (self.hand.holds, self.hand.counts))
        found: list[tuple[str, str, TableCounts | None, Any]] = [
            ("holds", HAND, None, held), ("holds", ME, None, held), ("holds", ANYONE, alone, alone.someone),
            ("strongest", HAND, None, counted), ("strongest", ME, None, counted),
            ("strongest", ANYONE, self.table, self.table.strongest[at]),
            ("strongest", WINS, self.table, self.table.wins[at]),
        ]  # fmt: skip
        for kind, scope, table, share in found:
            low, high = (share, share) if table is None else (Fraction(deals, table.deals) for deals in share)
            yield Chance(self.listed[at], kind, scope, low, high)

    def _exact(self) -> list[Row]:
        return [
            {"pattern": entry.id} | self._share(holds) | self._share(counts, "counts_")
            for entry, holds, counts in zip(self.listed, self.hand.holds, self.hand.counts, strict=True)
        ]

    def _exact_table(self) -> list[Row]:
        if not self.listed:
            return []
        return self._at_the_table(self._of_deals, self.table.someone, self.table.wins, self.table.seats)

    def table_frame(self) -> Any:
        """Return the odds at the table as a pandas frame.

        One row for ``someone``, one per pattern for ``wins`` (every holder declares), one per number of ``seats``.
        ``kind`` is ``exact``, or ``bounds``: then only ``probability_low`` and ``probability_high`` are known.
        """
        return self.to_frame("exact_table")

    def _share(self, hands: int, prefix: str = "") -> Row:
        share = Fraction(hands, self.hand.hands)
        return {f"{prefix}hands": hands, f"{prefix}probability": float(share), f"{prefix}one_in": one_in(share)}

    def _of_deals(self, known: Bounds) -> Row:
        low, high = (Fraction(deals, self.table.deals) for deals in known)
        row: Row = dict.fromkeys(TABLE.keys[3:])
        if low == high:
            return row | {"probability": float(low), "one_in": one_in(low), "deals": known[0], "kind": "exact"}
        return row | {"kind": "bounds", "probability_low": float(low), "probability_high": float(high)}
