"""Exact odds and simulated ones side by side: what ``tlsim odds`` shows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Column, Row, declared
from tlsim.results.estimated import EstimatedOdds, shown_estimate, shown_z
from tlsim.results.exact import ExactOdds, exactly
from tlsim.results.provenance import Listed, one_in
from tlsim.show import Page
from tlsim.show.numbers import general, local
from tlsim.terms import term

HANDS = declared("odds.hands", simulated=shown_estimate, z=shown_z)
TABLE = declared("odds.table", exact=exactly, simulated=shown_estimate)


def _money_in_words(rows: Sequence[Row], lang: str) -> tuple[list[Row], tuple[Column, ...]]:
    """Return what one loser pays, what the winner gets, and what đếm heo adds."""
    shown: list[Row] = []
    for row in rows:
        for key, times in (("per_loser", 1), ("per_deal", row["payers"])):
            low, high, mean, estimate, noise = (
                None if (value := row[f"per_loser{part}"]) is None else float(value * times)
                for part in ("_low", "_high", "", "_estimate", "_std_error")
            )
            bounds = () if low is None or high is None or low == high else (general(low), general(high))
            between = local(" … ".join(bounds), lang)
            shown.append({"what": term(key, lang), "mean": mean, "between": between, "estimate": estimate,
                          "std_error": noise})  # fmt: skip
        if row["dem_heo_estimate"] is not None:
            shown.append({"what": term("dem_heo_mean", lang), "mean": None, "between": "",
                          "estimate": row["dem_heo_estimate"], "std_error": row["dem_heo_std_error"]})  # fmt: skip
    return shown, declared("odds.paid").columns


PAYMENT = declared("odds.payment", prepare=_money_in_words)


def odds_page(exact: ExactOdds, simulated: EstimatedOdds, lang: str | None = None, *, table: bool = True) -> Page:
    """Return what there is to show of a list: exact odds and simulated ones, in one hand and at the table.

    ``table`` says whether the exact law of the table is there, or was left out when it was interrupted.
    """
    spoken, about = language(lang), exact.provenance
    both = (exact, "exact"), (simulated, "simulated"), (exact, "exact_table"), (simulated, "simulated_table")
    rows = {name: odds.rows(name) if table or name != "exact_table" else [] for odds, name in both}
    tables = [about.table(replace(odds.view(name), people=False), rows[name]) for odds, name in both]
    dealt = rows["simulated_table"]
    found = [row for row in dealt if row["quantity"] != "dem_heo"]
    known: list[Row] = rows["exact_table"] if table else [{} for _ in found]
    tables += [
        about.table(HANDS, hand_rows(exact, simulated, final=True)),
        about.table(TABLE, _table_rows(exact.listed, known, found, spoken)),
        about.table(PAYMENT, [_payment(exact, simulated, dealt, table=table)] if exact.listed else []),
    ]
    notes = [term("note_z", spoken), term("note_declare", spoken), _speed(simulated, spoken)]
    said = notes if exact.listed else exact.notes(spoken)
    return Page("odds", simulated.about(), tables, simulated.complete and table, (), said)


def hand_rows(exact: ExactOdds, simulated: EstimatedOdds | None, *, final: bool = False) -> list[Row]:
    """Return one row per pattern, the strongest first, and one for any; ``final`` adds z."""
    counts = range(len(exact.listed))
    estimates = (simulated.rows() if final else simulated.estimates()) if simulated else [{} for _ in counts]
    rows = [
        row | {key: value for key, value in found.items() if key != "pattern"} | {"pays": entry.pays}
        for entry, row, found in zip(exact.listed, exact.rows("exact"), estimates, strict=True)
    ]
    if rows:
        anything = {"pattern": "any", "probability": float(exact.any), "one_in": one_in(exact.any)}
        rows.append(anything | (simulated.any_row() if simulated else {}))
    return rows


def _table_rows(listed: Sequence[Listed], known: Sequence[Row], found: Sequence[Row], lang: str) -> list[Row]:
    """Return the odds at the table, exact beside simulated."""
    names = {entry.id: entry.name(lang) for entry in listed}
    rows = []
    for one, two in zip(known, found, strict=True):
        what = {
            "someone": term("someone", lang),
            "wins": f"{term('wins', lang)} {names.get(two['pattern'], '')}",
            "seats": f"{term('seats_holding', lang)}: {two['seats']}",
        }[two["quantity"]]
        exactly = {key: one.get(key) for key in ("probability", "one_in", "probability_low", "probability_high")}
        rows.append(two | exactly | {"what": what})
    return rows


def _payment(exact: ExactOdds, simulated: EstimatedOdds, dealt: Sequence[Row], *, table: bool) -> Row:
    """Return what one loser pays per deal, and what đếm heo adds for the winner, in the unit of the rules."""
    low, high = exact.payment_bounds if table else (None, None)
    estimate, noise = simulated.payment()
    dem_heo: dict[str, Any] = next((row for row in dealt if row["quantity"] == "dem_heo"), {})
    return {
        "payers": (exact.provenance.players or 1) - 1, "per_loser": None if low is None or low != high else low,
        "per_loser_low": low, "per_loser_high": high, "per_loser_estimate": estimate, "per_loser_std_error": noise,
        "dem_heo_estimate": dem_heo.get("estimate"), "dem_heo_std_error": dem_heo.get("std_error"),
    }  # fmt: skip


def _speed(simulated: EstimatedOdds, lang: str) -> str:
    """Return sizes and speed in words."""
    sizes = {"deals": simulated.deals, "hands": simulated.hands}
    said = ", ".join(f"{local(f'{n:,}', lang)} {term(key, lang)}" for key, n in sizes.items())
    if not simulated.seconds:
        return said
    rates = (f"{local(f'{n / simulated.seconds:,.0f}', lang)} {term(key, lang)}" for key, n in sizes.items())
    each, seconds = term("per_second", lang), local(f"{simulated.seconds:.2f}", lang)
    return f"{said}; {seconds} s: {', '.join(f'{rate} {each}' for rate in rates)}"
