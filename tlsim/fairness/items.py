"""What 2s and bombs cost whoever holds them, from simulated games: how often they rot, chop and are chopped."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from tlsim.exact.hands import HandBook
from tlsim.fairness.prices import DEALS
from tlsim.patterns import Pattern
from tlsim.results.game_events import BOMBS, ITEMS, TARGETS
from tlsim.results.games import GameStats
from tlsim.results.parts import Row, one_in
from tlsim.rules import Rules

ITEM_COLUMNS = (
    "item", "price", "held", "held_one_in", "left_per_hand", "left_error", "left_if_held", "cost_per_1000",
    "cost_error", "chops_per_hand", "chops_error", "chopped_per_hand", "chopped_error",
)  # fmt: skip
REASON_COLUMNS = ("reason", "payments_per_game", "money_per_game", "share")
_CONDITIONS: dict[str, dict[str, Any]] = {
    "ba_doi_thong": {"kind": "groups", "size": 2, "count": 3, "consecutive": True},
    "tu_quy": {"kind": "groups", "size": 4, "count": 1},
    "bon_doi_thong": {"kind": "groups", "size": 2, "count": 4, "consecutive": True},
}
_TWOS = {"heo_bich": "2S", "heo_chuon": "2C", "heo_ro": "2D", "heo_co": "2H"}


@cache
def held(item: str, hand_size: int) -> Fraction:
    """Return the exact share of hands that hold a 2 or a bomb, whatever else they hold.

    Examples
    --------
    >>> held("heo_co", 13)
    Fraction(1, 4)
    >>> round(1 / float(held("tu_quy", 13)), 1)
    29.2
    """
    condition = _CONDITIONS.get(item) or {"kind": "holds", "cards": _TWOS[item]}
    counts = HandBook((Pattern.model_validate({"id": item, "all_of": [condition]}),), hand_size).count()
    return Fraction(counts.holds[0], counts.hands)


def item_rows(rules: Rules, games: GameStats) -> list[Row]:
    """Return one row per 2 and per bomb; empty where nothing has a price.

    Rates are per hand dealt. ``left``: the item was charged as left over; ``chops``: a bomb of this kind chopped
    something; ``chopped``: it was chopped itself, for 2s where one 2 was, of any suit. ``cost_per_1000`` is what
    leftovers cost a player in 1,000 games at the price of the item.
    """
    if rules.prices is None:
        return []
    events = {row["event"]: row for row in games.rows("events")}
    size = rules.hand_sizes(games.players)[0]
    return [_row(item, rules, size, games.players, events) for item in ITEMS if item in _TWOS or item in BOMBS]


def _row(item: str, rules: Rules, size: int, players: int, events: dict[str, Row]) -> Row:
    price, share = float(getattr(rules.prices, item)), held(item, size)
    left, left_error = _per_hand([f"thoi_{item}"], events, players)
    row: Row = dict.fromkeys(ITEM_COLUMNS) | {
        "item": item, "price": price, "held": float(share), "held_one_in": one_in(share), "left_per_hand": left,
        "left_error": left_error, "left_if_held": left / float(share), "cost_per_1000": left * price * DEALS,
        "cost_error": left_error * price * DEALS,
    }  # fmt: skip
    if item in BOMBS:
        row["chops_per_hand"], row["chops_error"] = _per_hand([f"chop_{item}_{t}" for t in TARGETS], events, players)
        chopped = [f"chop_{bomb}_{item}" for bomb in BOMBS]
        row["chopped_per_hand"], row["chopped_error"] = _per_hand(chopped, events, players)
    return row


def _per_hand(names: list[str], events: dict[str, Row], players: int) -> tuple[float, float]:
    """Return how often any of some things happens per hand, with its standard error (they hardly hang together)."""
    rates = [events[name]["per_game"] for name in names]
    errors = [events[name]["std_error"] or 0.0 for name in names]
    return sum(rates) / players, float(sum(error**2 for error in errors)) ** 0.5 / players


def reason_rows(games: GameStats) -> list[Row]:
    """Return how much of all the money that changes hands each reason moves."""
    rows = games.rows("reasons")
    total = sum(row["money_per_game"] for row in rows)
    return [
        {key: row[key] for key in REASON_COLUMNS[:-1]} | {"share": row["money_per_game"] / total if total else 0.0}
        for row in rows
        if row["payments"]
    ]
