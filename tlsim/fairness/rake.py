"""What the house takes of what winners get, and what that costs the players."""

from __future__ import annotations

import math
from fractions import Fraction

from tlsim.errors import UsageError, shorten
from tlsim.fairness.prices import DEALS, Prices
from tlsim.results.parts import Row

RAKE_COLUMNS = ("list", "pattern", "received", "house", "left", "house_per_1000", "loss_per_1000")


def check_rake(rake: float) -> Fraction:
    """Return a rake as a fraction of what a winner gets.

    >>> check_rake(0.05)
    Fraction(1, 20)
    """
    number = isinstance(rake, int | float | Fraction) and not isinstance(rake, bool)
    if not number or not math.isfinite(rake) or not 0 <= rake <= 1:
        raise UsageError(f"rake = {shorten(rake)}: must be from 0 to 1 of what a winner gets, such as 0.05 (5 %)")
    return Fraction(str(rake)) if isinstance(rake, float) else Fraction(rake)


def rake_rows(prices: Prices, rake: Fraction) -> list[Row]:
    """Return per pattern what the winner receives, what the house takes and what is left; the whole list at the end.

    ``house_per_1000`` is the house's take in 1,000 deals, ``loss_per_1000`` what that costs each player: before the
    rake all that is lost is won, so a player's mean loss is his share of the take.
    """
    losers = prices.players - 1
    received = [price * losers for price in prices.prices]
    rows = [
        _row(prices, entry.id, amount, amount * p, rake)
        for entry, amount, p in zip(prices.listed, received, prices.probabilities, strict=True)
    ]
    won = prices.paid * losers
    someone = sum(prices.probabilities, Fraction(0))
    return [*rows, _row(prices, None, won / someone if someone else None, won, rake)]


def _row(prices: Prices, pattern: str | None, amount: Fraction | None, won: Fraction, rake: Fraction) -> Row:
    """Return a row: of one win of so much, and of so much won per deal."""
    row: Row = {"list": prices.which, "pattern": pattern, "received": None, "house": None, "left": None}
    if amount is not None:
        row |= {"received": float(amount), "house": float(amount * rake), "left": float(amount * (1 - rake))}
    house = won * rake * DEALS
    return row | {"house_per_1000": float(house), "loss_per_1000": float(house / prices.players)}
