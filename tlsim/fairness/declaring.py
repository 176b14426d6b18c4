"""What a list costs, and which prices are fair, where a pattern is declared only where that pays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tlsim.columns import Row
from tlsim.fairness.around import around
from tlsim.fairness.price_list import Prices
from tlsim.fairness.views import DECLARING
from tlsim.results.worth import DeclareWorth, verdict_of
from tlsim.rules import Rules


def declaring_rows(prices: Prices, rules: Rules, worth: DeclareWorth) -> list[Row]:
    """Return each pattern, and last the whole list: where all declare, and where each declares where it pays.

    A holder plays on at the distances from the leader at which that surely brings more, all others declaring. Which
    wins a pattern then keeps is counted over tables around its hands, of the exact number that it has.
    """
    plays_on = np.zeros((len(prices.listed), prices.players), np.bool_)
    ids = [entry.id for entry in prices.listed]
    for each in worth.patterns:
        for row in each.by_distance():
            plays_on[ids.index(each.entry.id), row["distance"]] = verdict_of(row) == "play_on"
    found = {
        entry.id: around(rules, at, prices.players, opening=prices.which == "opening").kept(~plays_on)
        for at, entry in enumerate(prices.listed)
        if prices.bounds[at][1]
    }
    other = replace(prices, kept={ident: share for ident, (share, _) in found.items()})
    rows = []
    for at, (one, two) in enumerate(zip(prices.rows(), other.rows(), strict=True)):
        kept, error = found.get(ids[at], (None, None))
        rows.append(_row(one, two) | {
            "pattern": ids[at], "kept": kept, "kept_error": error,
            "declares": " ".join(map(str, np.flatnonzero(~plays_on[at]))),
        })  # fmt: skip
    return [*rows, _row(prices.summary(), other.summary()) | {"pattern": None}]


def _row(one: Row, two: Row) -> Row:
    row: Row = dict.fromkeys(DECLARING.keys)
    for key, pays in (
        ("probability", "probability_pays"), ("cost_per_1000", "cost_pays"), ("fair_price", "fair_pays")
    ):  # fmt: skip
        row |= {key: one.get(key), pays: two.get(key)}
    return row
