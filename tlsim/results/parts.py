"""What the results share: where numbers come from, the entries of a list, the law of a deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from tlsim import terms
from tlsim.terms.games import PATTERNS

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """What a result rests on; with it, the same numbers come again.

    Parameters
    ----------
    version
        Version of tlsim.
    rules, digest, unit
        Name of the rule set, hex SHA-256 of what changes an outcome, unit of its money.
    players, opening, hand_size
        Number of seats, whether it is an opening game, cards of a hand.
    holding, dead
        Cards known to be in the hand of seat 0, and known to be elsewhere, as text; None for none.
    predicate
        Name of the user's predicate.
    deals, seed
        Deals that were simulated, and the seed of their random streams; several seeds where results were added.
    given
        Cards that seats were given, and who led.

    Examples
    --------
    >>> Provenance(version="0.1.0", rules="zing", players=4, opening=False).as_dict()
    {'version': '0.1.0', 'rules': 'zing', 'players': 4, 'opening': False}
    """

    version: str
    rules: str | None = None
    digest: str | None = None
    unit: str | None = None
    players: int | None = None
    opening: bool | None = None
    hand_size: int | None = None
    holding: str | None = None
    dead: str | None = None
    predicate: str | None = None
    deals: int | None = None
    seed: int | tuple[int, ...] | None = None
    given: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return what applies, in order."""
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Listed:
    """A pattern of a tới trắng list.

    Parameters
    ----------
    id
        Id of the pattern.
    label
        Its Vietnamese name, from the rule file.
    pays
        What each loser pays, in the unit of the rule set.
    count_heo
        Whether twos and bombs are charged as well.
    """

    id: str
    label: str
    pays: float
    count_heo: bool = False

    def name(self, lang: str | None = None) -> str:
        """Return the name in a language; a pattern that the glossary does not know keeps its label.

        Examples
        --------
        >>> [Listed("tu_quy_2", "Tứ quý heo", 3.0).name(lang) for lang in ("vi", "en")]
        ['Tứ quý heo', 'Four 2s']
        """
        known = terms.language(lang) == "en" and self.id in PATTERNS
        return terms.term(self.id, "en") if known else self.label


@dataclass(frozen=True)
class DealLaw:
    """How the hands of one deal hang together, exact; what a simulated count is measured against.

    Parameters
    ----------
    held, counts
        Per pattern: probability that two given hands of a deal both hold it; that it is the strongest of both. None
        where that is out of reach.
    per_deal_held, per_deal_counts
        Functions of the index of a pattern: probability that k = 0, 1, … hands of a deal hold it, or have it as the
        strongest. None where that is out of reach.
    """

    held: tuple[Fraction | None, ...]
    counts: tuple[Fraction | None, ...]
    per_deal_held: Callable[[int], Sequence[Fraction] | None]
    per_deal_counts: Callable[[int], Sequence[Fraction] | None]


def one_in(probability: Fraction | float) -> float:
    """Return ``1 / probability``; infinite for what never happens.

    >>> one_in(Fraction(1, 8)), one_in(0)
    (8.0, inf)
    """
    return float(1 / probability) if probability else float("inf")


def known(value: float) -> float | None:
    """Return a number, or None where there is none.

    >>> known(0.5), known(float("nan"))
    (0.5, None)
    """
    return None if value != value else value  # noqa: PLR0124 (not a number)


def keys_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the keys of rows, in the order in which they come up."""
    return tuple(dict.fromkeys(key for row in rows for key in row))


def frame(rows: Sequence[Row], columns: Sequence[str]) -> Any:
    """Return rows as a pandas frame; whole numbers stay whole, big ones as Python integers."""
    import pandas as pd

    columned = {name: [row.get(name) for row in rows] for name in columns}
    return pd.DataFrame({name: pd.Series(values, dtype=_dtype(name, values)) for name, values in columned.items()})


def _dtype(name: str, values: Sequence[Any]) -> str:
    words = any(isinstance(value, str) for value in values)
    return "object" if words else _DTYPES.get(name, "float64")


_DTYPES = {
    **dict.fromkeys(("pattern", "quantity", "kind", "predicate"), "object"),
    **dict.fromkeys(("hands", "counts_hands", "deals"), "object"),  # larger than any fixed size: Python integers
    **dict.fromkeys(("policy", "event", "reason", "list", "extreme", "title"), "object"),
    **dict.fromkeys(("rarer", "by", "sentence", "method", "item", "block_payees", "which", "group"), "object"),
    **dict.fromkeys(("thing", "other", "others"), "object"),
    **{f"games_to_lead_{whom}{end}": "Int64" for whom in ("zero", "all") for end in ("", "_low", "_high")},
    **dict.fromkeys(("finding", "changed", "settled", "dem_heo", "in_force"), "bool"),
    **dict.fromkeys(("strength_rank", "rarity_rank", "strength_before", "patterns", "pairs", "wrong_pairs"), "Int64"),
    **dict.fromkeys(
        ("seats", "count", "counts_count", "seat", "role", "payments", "from", "to", "entries", "games", "match",
         "game", "other_hands", "calls", "void", "made", "games_held", "at_risk", "kept", "matches", "alone",
         "together", "tried", "at"),
        "Int64",
    ),
}  # fmt: skip


def html(title: str, headings: Sequence[str], cells: Sequence[Sequence[str]], note: str = "") -> str:
    """Return a small table for a notebook; all text is escaped."""
    from html import escape

    def line(tag: str, words: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(word)}</{tag}>" for word in words) + "</tr>"

    body = "".join(line("td", row) for row in cells)
    return (
        f"<table><caption>{escape(title)}</caption><thead>{line('th', headings)}</thead>"
        f"<tbody>{body}</tbody></table><p><small>{escape(note)}</small></p>"
    )


def provenance_note(provenance: Provenance) -> str:
    """Return the provenance on one line."""
    return " · ".join(f"{key} {value}" for key, value in provenance.as_dict().items())


def shown(probability: float) -> str:
    """Return a probability with four significant digits, never as a bare zero where it is not.

    >>> shown(0.00448), shown(3.194e-9), shown(0.0), shown(float("nan"))
    ('0.004480', '3.194e-09', '0', '')
    """
    if probability != probability:  # noqa: PLR0124 (not a number)
        return ""
    if probability in (0, 1):
        return f"{probability:.0f}"
    return f"{probability:#.4g}" if abs(probability) >= 1e-4 else f"{probability:.3e}"


def shown_error(value: float) -> str:
    """Return a standard error with two digits; nothing where it is not known.

    >>> shown_error(0.0123), shown_error(2.1e-5), shown_error(182.4), shown_error(float("nan"))
    ('± 0.012', '± 2.1e-05', '± 182', '')
    """
    if value != value:  # noqa: PLR0124 (not a number)
        return ""
    return f"± {value:.1e}" if 0 < value < 1e-3 else f"± {value:,.0f}" if value >= 100 else f"± {value:.2g}"


def shown_one_in(value: float) -> str:
    """Return "1 in N" with separators of thousands: three digits, or whole.

    >>> shown_one_in(223.43), shown_one_in(1720.44), shown_one_in(5.5e7), shown_one_in(float("inf"))
    ('223.4', '1,720', '55,000,000', '–')
    """
    if value == float("inf"):
        return "–"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def shown_z(row: Row) -> str:
    """Return z of a row, or the tail probability where there is none.

    >>> shown_z({"z": 1.234, "tail": None}), shown_z({"z": None, "tail": 0.5})
    ('+1.23', 'p 0.50')
    """
    if row["z"] is not None:
        return f"{row['z']:+.2f}"
    return "" if row["tail"] is None else f"p {row['tail']:.2g}" if row["tail"] < 0.01 else f"p {row['tail']:.2f}"
