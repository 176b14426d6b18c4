"""What 2s, bombs, 3♠, being cóng and calling Sâm cost and bring, to who holds them and to the others."""

from __future__ import annotations

from fractions import Fraction

from tlsim.fairness.items import held
from tlsim.fairness.prices import DEALS
from tlsim.fairness.sample import (
    CHOPPED,
    CHOPPED_COST,
    GAIN,
    LEFT,
    LEFT_COST,
    THINGS,
    USED,
    Sample,
)
from tlsim.results.parts import Row, known
from tlsim.rules import Rules

_NUMBERS = {
    "left": ((LEFT, 1),), "chopped": ((CHOPPED, 1),), "used": ((USED, 1),), "left_cost": ((LEFT_COST, 1),),
    "chopped_cost": ((CHOPPED_COST, 1),), "gain": ((GAIN, 1),),
    "net": ((GAIN, 1), (LEFT_COST, -1), (CHOPPED_COST, -1)),
}  # fmt: skip
_MONEY = ("left_cost", "chopped_cost", "gain", "net")
RISK_COLUMNS = (
    "thing", "held", *(name for key in _NUMBERS for name in (key, f"{key}_error")), "opponent", "opponent_error",
    "net_if_held", "net_if_held_error",
)  # fmt: skip


def risk_rows(rules: Rules, sample: Sample) -> list[Row]:
    """Return one row per thing that the rules put a price on, per 1,000 hands dealt, errors over matches.

    ``left``, ``chopped``, ``used``: how often it was left over (cóng: happened), chopped (3♠, Sâm: blocked), chopped
    something itself (3♠, Sâm: made). ``left_cost``, ``chopped_cost``, ``gain``: what that cost or brought its holder,
    ``net`` all together. What its holder loses the others win, so ``opponent``, the mean of each of them, is
    ``−net / (players − 1)``. ``held`` is the exact share of hands that have it, ``net_if_held`` is per hand that has
    it. Of a chain that its last victim pays, all is the cost of what this victim laid.
    """
    size = rules.hand_sizes(sample.players)[0]
    shares: dict[str, Fraction | None] = {
        thing: None if thing in {"cong", "bao_sam"} else Fraction(size, 52) if thing == "ba_bich" else held(thing, size)
        for thing in _priced(rules)
    }
    return [_row(thing, share, sample) for thing, share in shares.items()]


def _priced(rules: Rules) -> list[str]:
    """Return what the rules put a price on."""
    priced = dict.fromkeys(THINGS, rules.prices is not None)
    priced["ba_bich"] = rules.ket_3_bich is not None or bool(rules.thoi and rules.thoi.ba_bich)
    priced |= {"cong": rules.cong is not None, "bao_sam": rules.bao_sam is not None}
    return [thing for thing in THINGS if priced[thing]]


def _row(thing: str, share: Fraction | None, sample: Sample) -> Row:
    row: Row = dict.fromkeys(RISK_COLUMNS) | {"thing": thing, "held": None if share is None else float(share)}
    for key, facts in _NUMBERS.items():
        unit = 2 if key in _MONEY else 1  # sums are in half units
        mean, error = (value * DEALS / unit for value in sample.per_hand(THINGS.index(thing), *facts))
        row |= {key: mean, f"{key}_error": known(error) or None}  # what never happened shows no error
    others = sample.players - 1
    row |= {"opponent": -row["net"] / others, "opponent_error": _times(row["net_error"], 1 / others)}
    if share:
        each = 1 / (DEALS * float(share))
        row |= {"net_if_held": row["net"] * each, "net_if_held_error": _times(row["net_error"], each)}
    return row


def _times(error: float | None, factor: float) -> float | None:
    return None if error is None else error * factor
