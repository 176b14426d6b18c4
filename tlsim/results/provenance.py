"""Where numbers come from, and the entries of a tới trắng list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, TypeAlias

from tlsim import terms
from tlsim.catalogue import language
from tlsim.columns import Row, Table, View
from tlsim.rules import InstantWin, Rules
from tlsim.version import __version__


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What a result rests on; with it, the same numbers come again."""

    version: str  # of tlsim
    rules: str | None = None  # name of the rule set
    digest: str | None = None  # hex SHA-256 of what changes an outcome
    unit: str | None = None  # of its money
    players: int | None = None
    opening: bool | None = None  # whether it is an opening game
    hand_size: int | None = None
    holding: str | None = None  # cards known to be in the hand of seat 0
    dead: str | None = None  # cards known to be elsewhere
    out_of_play: str | None = None  # cards that nobody holds
    predicate: str | None = None  # name of the user's
    deals: int | None = None  # that were simulated
    seed: int | tuple[int, ...] | None = None  # of their random streams; several where results were added
    given: str | None = None  # cards that seats were given, and who led
    names: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # of the patterns of the rules
    points: bool = field(default=False, compare=False, repr=False)  # whether it is about points, not about money

    @classmethod
    def of(cls, rules: Rules, **more: Any) -> "Provenance":
        """Return what numbers about rules rest on."""
        names = {win.id: win.label for opening in (False, True) for win in rules.instant_wins(opening)}
        return cls(version=__version__, rules=rules.name, digest=rules.digest, unit=rules.unit, names=names,
                   points=rules.place_points is not None, **more)  # fmt: skip

    @property
    def seeds(self) -> tuple[int, ...]:
        """All seeds."""
        return self.seed if isinstance(self.seed, tuple) else () if self.seed is None else (self.seed,)

    def as_dict(self) -> dict[str, Any]:
        """Return what applies, in order."""
        return {f.name: value for f in fields(self) if f.compare and (value := getattr(self, f.name)) is not None}

    def table(self, view: View, rows: Sequence[Row]) -> Table:
        """Return the rows of a view, with what is needed to put them into words."""
        return Table(view, rows, self.unit or "", self.points, self.names)


@dataclass(frozen=True)
class Listed:
    """A pattern of a tới trắng list."""

    id: str
    label: str  # its Vietnamese name, from the rule file
    pays: float  # by each loser, in the unit of the rule set
    count_heo: bool = False  # whether twos and bombs are charged as well

    @classmethod
    def of(cls, win: InstantWin) -> "Listed":
        """Return the entry of a pattern of the rules."""
        return cls(win.id, win.label, win.pays, win.count_heo)

    def name(self, lang: str | None = None) -> str:
        """Return the name in a language; a pattern that the glossary does not know keeps its label."""
        known = language(lang) != "vi" and self.id in terms.chapters()["patterns"]
        return terms.term(self.id, lang) if known else self.label


def one_in(probability: Fraction | float) -> float:
    """Return ``1 / probability``; infinite for what never happens."""
    return float(1 / probability) if probability else float("inf")


Known: TypeAlias = tuple[float | None, float | None]
"""An estimate and its standard error."""
