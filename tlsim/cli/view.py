"""The tables of ``tlsim odds``, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tlsim.cli.output import Number
from tlsim.results import EstimatedOdds, ExactOdds
from tlsim.results.parts import Row, one_in, shown, shown_error, shown_one_in, shown_z
from tlsim.terms import term

View = tuple[dict[str, list[Row]], dict[str, Any], list[str]]
"""Tables, provenance, notes."""


@dataclass(frozen=True)
class Words:
    """How words and money are shown.

    Parameters
    ----------
    lang
        Language.
    unit
        Unit of the rules' money.
    stake
        What one unit is worth; None to leave that out.
    """

    lang: str
    unit: str = ""
    stake: int | None = None

    def __getitem__(self, key: str) -> str:
        return term(key, self.lang)

    @property
    def titles(self) -> dict[str, str]:
        """Headings of the tables."""
        return {"hands": self["one_hand"], "table": self["table"], "payment": f"{self['payment']} ({self.unit})"}

    def money(self, amount: float) -> Row:
        """Return the column of an amount times the stake, where that is asked for."""
        if self.stake is None:
            return {}
        worth = amount * self.stake
        return {f"× {self.stake:,}": Number(f"{worth:,.0f}" if worth >= 100 else f"{worth:.4g}")}

    def provenance(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return a provenance in words; twelve digits of a digest tell rules apart."""
        return {self[key]: value[:12] if key == "digest" else value for key, value in known.items()}


def for_programs(exact: ExactOdds, simulated: EstimatedOdds, words: Words, *, table: bool) -> View:  # noqa: ARG001
    """Return the rows of all frames, and what is paid."""
    tables = {
        "exact": exact.rows(),
        "simulated": simulated.rows(),
        "exact_table": exact.table_rows() if table else [],
        "simulated_table": simulated.table_rows(),
        "payment": [_payment(exact, simulated, table=table)] if exact.listed else [],
    }
    return tables, simulated.provenance.as_dict(), []


def for_people(exact: ExactOdds, simulated: EstimatedOdds, words: Words, *, table: bool) -> View:
    """Return the tables in words: one hand, the table, money; and below them sizes and speed."""
    provenance = words.provenance(simulated.provenance.as_dict())
    if not exact.listed:
        return {}, provenance, [words["no_list"]]
    tables = {
        "hands": hand_rows(exact, simulated, words, final=True),
        "table": _table_rows(exact, simulated, words, table=table),
        "payment": _money_rows(exact, simulated, words, table=table),
    }
    return tables, provenance, [words["note_z"], words["note_declare"], _speed(simulated, words)]


def hand_rows(exact: ExactOdds, simulated: EstimatedOdds | None, words: Words, *, final: bool = False) -> list[Row]:
    """Return one row per pattern, the strongest first, and one for any; ``final`` adds z."""
    estimates = simulated.estimates() if simulated else [None] * len(exact.listed)
    against = simulated.rows() if simulated and final else [None] * len(exact.listed)
    rows = []
    for entry, one, estimate, full in zip(exact.listed, exact.rows(), estimates, against, strict=True):
        row = {words["pattern"]: entry.name(words.lang)} | _exact(one["probability"], one["one_in"], words)
        row |= _simulated(full or estimate, words) | {words["z"]: Number(shown_z(full)) if full else None}
        rows.append(row | {words["pays"]: Number(f"{entry.pays:g}")} | words.money(entry.pays))
    anything = {words["pattern"]: words["any"]} | _exact(float(exact.any), one_in(exact.any), words)
    rows.append(anything | _simulated(simulated.any_row() if simulated else None, words))
    return rows


def _exact(probability: float, rarity: float, words: Words) -> Row:
    return {words["exact"]: Number(shown(probability)), words["one_in"]: Number(shown_one_in(rarity))}


def _simulated(row: Row | None, words: Words) -> Row:
    if row is None:
        return {words["simulated"]: None, words["std_error"]: None}
    error = shown_error(row["std_error"])
    if row["estimate"] == 0 and "ci_high" in row:  # never seen: no error, but an upper end
        error = f"≤ {row['ci_high']:.2g}"
    return {words["simulated"]: Number(shown(row["estimate"])), words["std_error"]: Number(error)}


def _table_rows(exact: ExactOdds, simulated: EstimatedOdds, words: Words, *, table: bool) -> list[Row]:
    """Return the odds at the table, exact beside simulated."""
    names = {entry.id: entry.name(words.lang) for entry in exact.listed}
    simulated_rows = [row for row in simulated.table_rows() if row["quantity"] != "dem_heo"]
    exact_rows: Sequence[Row | None] = exact.table_rows() if table else [None] * len(simulated_rows)
    rows = []
    for known, found in zip(exact_rows, simulated_rows, strict=True):
        what = {
            "someone": words["someone"],
            "wins": f"{words['wins']} {names.get(found['pattern'], '')}",
            "seats": f"{words['seats_holding']}: {found['seats']}",
        }[found["quantity"]]
        row: Row = {words["quantity"]: what, words["exact"]: None, words["one_in"]: None}
        if known and known["kind"] == "exact":
            row |= _exact(known["probability"], known["one_in"], words)
        elif known:
            row[words["exact"]] = Number(f"{shown(known['probability_low'])} … {shown(known['probability_high'])}")
            row[words["one_in"]] = Number(f"({words['bounds']})")
        rows.append(row | _simulated(found, words))
    return rows


def _payment(exact: ExactOdds, simulated: EstimatedOdds, *, table: bool) -> Row:
    """Return what one loser pays per deal, and what đếm heo adds for the winner, in the unit of the rules."""
    low, high = exact.payment_bounds if table else (None, None)
    estimate, error = simulated.payment()
    dem_heo = next((row for row in simulated.table_rows() if row["quantity"] == "dem_heo"), {})
    return {
        "payers": (exact.provenance.players or 1) - 1,
        "per_loser": None if low is None or low != high else low,
        "per_loser_low": low,
        "per_loser_high": high,
        "per_loser_estimate": estimate,
        "per_loser_std_error": error,
        "dem_heo_estimate": dem_heo.get("estimate"),
        "dem_heo_std_error": dem_heo.get("std_error"),
    }


def _money_rows(exact: ExactOdds, simulated: EstimatedOdds, words: Words, *, table: bool) -> list[Row]:
    found = _payment(exact, simulated, table=table)
    rows = []
    for key, times in (("per_loser", 1), ("per_deal", found["payers"])):
        low, high = found["per_loser_low"], found["per_loser_high"]
        estimate, error = found["per_loser_estimate"] * times, found["per_loser_std_error"] * times
        row: Row = {words["quantity"]: words[key], words["exact"]: None if low is None else _between(low, high, times)}
        row |= _simulated({"estimate": estimate, "std_error": error}, words)
        rows.append(row | words.money(estimate if found["per_loser"] is None else float(found["per_loser"] * times)))
    if found["dem_heo_estimate"] is not None:
        row = {words["quantity"]: words["dem_heo_mean"], words["exact"]: None}
        row |= _simulated({"estimate": found["dem_heo_estimate"], "std_error": found["dem_heo_std_error"]}, words)
        rows.append(row | words.money(found["dem_heo_estimate"]))
    return rows


def _between(low: Fraction, high: Fraction, times: int) -> Number:
    ends = [shown(float(end * times)) for end in (low, high)]
    return Number(ends[0] if low == high else " … ".join(ends))


def _speed(simulated: EstimatedOdds, words: Words) -> str:
    deals, hands, seconds = simulated.deals, simulated.hands, simulated.seconds
    sizes = f"{deals:,} {words['deals']}, {hands:,} {words['hands']}"
    if not seconds:
        return sizes
    each = words["per_second"]
    rates = f"{deals / seconds:,.0f} {words['deals']} {each}, {hands / seconds:,.0f} {words['hands']} {each}"
    return f"{sizes}; {seconds:.2f} s: {rates}"
