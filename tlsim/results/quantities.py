"""The quantities of a result by name, each with its standard error: what a run can be told to find well enough."""

from __future__ import annotations

import math
from typing import Any

from tlsim.errors import UsageError, suggestion
from tlsim.intervals import clustered_error
from tlsim.results.estimated import EstimatedOdds
from tlsim.results.event import EventOdds
from tlsim.results.parts import shown, shown_error
from tlsim.terms import term

Known = tuple[float, float]


def quantity(result: Any, name: str, floor: float = 0.0) -> Known:
    """Return the estimate of a quantity of a result, and its standard error (NaN where it is not known).

    Parameters
    ----------
    result
        Of odds: ``tu_quy_2`` (a hand holds it), ``counts_tu_quy_2`` (it is the strongest), ``wins_tu_quy_2`` (it wins
        the deal), ``someone``, ``worst``. Of games: ``seat_0`` and ``role_0`` (mean money per game), the names of the
        table of events. Of an event: ``event``. Of a hand: ``mean``, ``win``, ``declare``, ``sam``, ``distance_0``; of
        a pattern: ``declare``.
    name
        Name of the quantity.
    floor
        Least exact probability of the patterns that ``worst`` looks at.

    Raises
    ------
    UsageError
        If the result has no such quantity.
    """
    known = quantities(result, floor)
    if name not in known:
        raise UsageError(f"of = {name!r}: must be one of {', '.join(known)}{suggestion(name, known)}")
    estimate, error = known[name]
    return (math.nan if estimate is None else estimate), (math.nan if error is None else error)


def quantities(result: Any, floor: float = 0.0) -> dict[str, Any]:
    """Return all quantities of a result: name → estimate and standard error.

    >>> from tlsim.results.parts import Provenance
    >>> estimate, error = quantities(EventOdds(Provenance(version="0.1.0", deals=100), count=50))["event"]
    >>> estimate, round(error, 6)  # √(0.5 · 0.5 / 99)
    (0.5, 0.050252)
    """
    if isinstance(result, EventOdds):
        return {"event": (result.estimate, result.std_error)}
    if hasattr(result, "quantities"):
        found: dict[str, Any] = result.quantities()
        return found
    return _odds(result, floor) if isinstance(result, EstimatedOdds) else _games(result)


def _odds(result: EstimatedOdds, floor: float) -> dict[str, Known]:
    found = {}
    for name, prefix in (("held", ""), ("counts", "counts_")):
        totals, squares = result.tally.total(name).tolist(), result.tally.total(f"{name}_squares").tolist()
        for entry, total, square in zip(result.listed, totals, squares, strict=True):
            found[prefix + entry.id] = _share(total, square, result.deals, result.hands_per_deal)
    for entry, total in zip(result.listed, result.tally.total("wins").tolist(), strict=True):
        found[f"wins_{entry.id}"] = _share(total, total, result.deals, 1)
    someone = int(result.tally.total("seats")[1:].sum())
    found["someone"] = _share(someone, someone, result.deals, 1)
    common = [
        found[entry.id]
        for entry, holds in zip(result.listed, result.exact.holds, strict=True)
        if holds >= floor * result.exact.hands and holds
    ]
    return found | {"worst": max(common, key=_relative, default=(math.nan, math.nan))}


def _share(total: int, squares: int, deals: int, each: int) -> Known:
    if not deals:
        return math.nan, math.nan
    return total / (deals * each), clustered_error(total, squares, deals, each)


def _relative(known: Known) -> float:
    return known[1] / known[0] if known[0] and known[1] == known[1] else math.inf


def _games(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for view in ("seats", "roles"):
        found |= {f"{view[:-1]}_{at}": (row["mean"], row["std_error"]) for at, row in enumerate(result.rows(view))}
    return found | {row["event"]: (row["per_game"], row["std_error"]) for row in result.rows("events")}


def headline(result: Any, lang: str | None = None) -> str:
    """Return what a run shows of its result while it runs: one quantity with its error.

    >>> from tlsim.results.parts import Provenance
    >>> headline(EventOdds(Provenance(version="0.1.0", predicate="f", deals=100), count=50))
    'f 0.5000 ± 0.05'
    """
    if isinstance(result, EventOdds):
        name, (value, error) = result.provenance.predicate or "", quantity(result, "event")
    elif isinstance(result, EstimatedOdds):
        name, (value, error) = term("someone", lang), quantity(result, "someone")
    elif hasattr(result, "headline"):
        name, value, error = result.headline(lang)
    else:
        row = result.rows("seats")[0]
        name, value, error = f"{term('seat_word', lang)} 0", row["mean"], row["std_error"]
    return (
        "" if value is None else f"{name} {shown(value)} {shown_error(math.nan if error is None else error)}".rstrip()
    )
