"""`ExactOdds`: what `tlsim.exact_odds` returns; `Chances`: in every way in which people ask, held against a claim."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Row, declared
from tlsim.exact.automaton import HandCounts
from tlsim.exact.table_counts import Bounds, TableCounts
from tlsim.numerals import claim as read_claim
from tlsim.options import OPTIONS
from tlsim.results.pictures import ODDS
from tlsim.results.provenance import Listed, one_in
from tlsim.results.result import Result
from tlsim.show import numbers
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


HAND, ME, ANYONE, WINS = "hand", "me", "anyone", "wins"


def exactly(value: float | None, row: Row, _lang: str) -> str | None:
    """Return an exact value, or the bounds between which it lies."""
    low, high = row.get("probability_low"), row.get("probability_high")
    if low is None or high is None or low == high:
        return None if value is None else numbers.probability(value)
    return f"{numbers.probability(low)} … {numbers.probability(high)}"


CHANCES, CLAIM = declared("odds.chances", probability=exactly), declared("odds.claim")


@dataclass(frozen=True)
class Chance:
    """How often a pattern comes up in one way: an exact share, or the ends between which it lies."""

    listed: Listed
    kind: str
    scope: str
    low: Fraction
    high: Fraction

    def row(self, evening: int | None) -> Row:
        """Return it as a row, with the wait for it, and how often so many games have it at least once."""
        found: Row = {"pattern": self.listed.id, "kind": self.kind, "scope": self.scope}
        if self.low != self.high:
            return CHANCES.row(**found, probability_low=self.low, probability_high=self.high)
        wait, some = one_in(self.low), None if evening is None else 1 - (1 - self.low) ** evening
        return CHANCES.row(**found, probability=self.low, one_in=wait, expected_wait=wait, evening=some)


@dataclass(frozen=True)
class Chances(Result):
    """How often patterns of a list come up, and whether a claim about them holds."""

    found: tuple[Chance, ...]  # all of it, as exact fractions
    evening: int | None = 40  # games of an evening; None where few of them are such games
    claim: tuple[Fraction, str] | None = None  # a share, and what it is of: ``hand`` or ``game``

    VIEWS = (CHANCES, CLAIM)
    TOLD = ("evening",)

    def applies(self, view: str) -> bool:
        """Whether there is a claim to look at."""
        return view != CLAIM.name or self.claim is not None

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        if self.evening is None:
            return [term("note_chances_of_some", lang)]
        return [term("note_chances", lang).format(n=numbers.local(f"{self.evening:,}", lang))]

    def said(self, lang: str) -> list[str]:
        """Return the verdicts on the claim."""
        return [] if self.claim is None else [self._verdict(chance, lang) for chance in self._claimed()]

    def _chances(self) -> list[Row]:
        return [chance.row(self.evening) for chance in self.found]

    def _claimed(self) -> list[Chance]:
        scope = HAND if self.claim is None or self.claim[1] == "hand" else ANYONE
        return [chance for chance in self.found if (chance.kind, chance.scope) == ("holds", scope)]

    def _claim(self) -> list[Row]:
        claimed, rows = Fraction(0 if self.claim is None else self.claim[0]), []
        for chance in self._claimed():
            exact = chance.low if chance.low == chance.high else None
            rows.append(CLAIM.row(
                pattern=chance.listed.id, scope=chance.scope, claimed=claimed, exact=exact,
                ratio=None if exact is None else exact / claimed, verdict=self._verdict(chance, language()),
            ))  # fmt: skip
        return rows

    def _verdict(self, chance: Chance, lang: str) -> str:
        """Return in words how far a claim is from what is so."""
        claimed = Fraction(0 if self.claim is None else self.claim[0])
        low, high = chance.low / claimed, chance.high / claimed
        factor = low if low > 1 else 1 / high if 0 < high < 1 else Fraction(1)
        said = "claim_rare" if low > 1 else "claim_never" if not high else "claim_common" if high < 1 else "claim_open"
        ends_of = [numbers.local(numbers.one_in(one_in(end)), lang) for end in (chance.high, chance.low)]
        return term("claim_right" if low == high == 1 else said, lang).format(
            pattern=chance.listed.name(lang), scope=term(f"claim_{chance.scope}", lang),
            factor=(term("at_least", lang) if low != high else "") + numbers.local(numbers.amount(float(factor)), lang),
            one_in=ends_of[0] if low == high else " … ".join(ends_of),
            claimed=numbers.local(numbers.one_in(one_in(claimed)), lang),
        )  # fmt: skip


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
        games, rests = OPTIONS["evening"].check("evening", evening), self.provenance
        few = rests.opening or rests.holding or rests.dead  # of the games of an evening
        found = tuple(each for at in places for each in self._chances_of(at))
        return Chances(rests, found, None if few else games, meant)

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
        each = zip(self.listed, self.hand.holds, self.hand.counts, strict=True)
        return [{"pattern": it.id} | self._share(held) | self._share(won, "counts_") for it, held, won in each]

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
