"""`Chances`: how often patterns come up, in every way in which people ask for it, and whether a claim holds."""

from dataclasses import dataclass
from fractions import Fraction

from tlsim.catalogue import language
from tlsim.columns import Row, declared
from tlsim.results.provenance import Listed, one_in
from tlsim.results.result import Result
from tlsim.show import numbers
from tlsim.terms import term

HAND, ME, ANYONE, WINS = "hand", "me", "anyone", "wins"
_SHORT = 24  # letters of a fraction that is told


def exactly(value: float | None, row: Row, _lang: str) -> str | None:
    """Return an exact value, or the bounds between which it lies."""
    if value is not None:
        return numbers.probability(value)
    low, high = row.get("probability_low"), row.get("probability_high")
    return None if low is None or high is None else f"{numbers.probability(low)} … {numbers.probability(high)}"


CHANCES, CLAIM = declared("odds.chances", probability=exactly), declared("odds.claim")


@dataclass(frozen=True)
class Chance:
    """How often a pattern comes up in one way: an exact share, or the ends between which it lies."""

    listed: Listed
    kind: str
    scope: str
    low: Fraction
    high: Fraction

    def row(self, evening: int) -> Row:
        """Return it as a row, with the wait for it, and how often an evening has it at least once."""
        found: Row = {"pattern": self.listed.id, "kind": self.kind, "scope": self.scope}
        if self.low != self.high:
            return CHANCES.row(**found, probability_low=self.low, probability_high=self.high)
        wait, some = one_in(self.low), 1 - (1 - self.low) ** evening
        return CHANCES.row(**found, probability=self.low, one_in=wait, expected_wait=wait, evening=some)


@dataclass(frozen=True)
class Chances(Result):
    """How often patterns of a list come up, and whether a claim about them holds."""

    found: tuple[Chance, ...]  # all of it, as exact fractions
    evening: int = 40  # games of an evening
    claim: tuple[Fraction, str] | None = None  # a share, and what it is of: ``hand`` or ``game``

    VIEWS = (CHANCES, CLAIM)
    TOLD = ("evening",)

    def applies(self, view: str) -> bool:
        """Whether there is a claim to look at."""
        return view != CLAIM.name or self.claim is not None

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
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
        told = f"{factor.numerator}/{factor.denominator}" if factor.denominator > 1 else ""
        times = numbers.local(numbers.amount(float(factor)), lang) + (f" ({told})" if 0 < len(told) <= _SHORT else "")
        ends_of = [numbers.local(numbers.one_in(one_in(end)), lang) for end in (chance.high, chance.low)]
        return term("claim_right" if low == high == 1 else said, lang).format(
            pattern=chance.listed.name(lang), scope=term(f"claim_{chance.scope}", lang),
            factor=(term("at_least", lang) if low != high else "") + times,
            one_in=ends_of[0] if low == high else " … ".join(ends_of),
            claimed=numbers.local(numbers.one_in(one_in(claimed)), lang),
        )  # fmt: skip
