"""What the house takes of what winners get, and what that costs the players."""

from __future__ import annotations

import math
from fractions import Fraction

from tlsim.columns import Row
from tlsim.errors import wrong
from tlsim.fairness.price_list import DEALS, Prices
from tlsim.fairness.sample import Sample
from tlsim.fairness.views import GAME_RAKE, RAKE
from tlsim.results.provenance import known


def check_rake(rake: float) -> Fraction:
    """Return a rake as a fraction of what a winner gets.

    >>> check_rake(0.05)
    Fraction(1, 20)
    """
    number = isinstance(rake, int | float | Fraction) and not isinstance(rake, bool)
    if not number or not math.isfinite(rake) or not 0 <= rake <= 1:
        raise wrong("rake", rake, "must be from 0 to 1 of what a winner gets, such as 0.05 (5 %)")
    return Fraction(str(rake)) if isinstance(rake, float) else Fraction(rake)


def rake_rows(prices: Prices, rake: Fraction) -> list[Row]:
    """Return per pattern what the winner receives, what the house takes and what is left; the whole list at the end."""
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
    row: Row = dict.fromkeys(RAKE.keys) | {"list": prices.which, "pattern": pattern}
    if amount is not None:
        row |= {"received": float(amount), "house": float(amount * rake), "left": float(amount * (1 - rake))}
    house = won * rake * DEALS
    return row | {"house_per_1000": float(house), "loss_per_1000": float(house / prices.players)}


def game_rake_rows(sample: Sample, policies: tuple[str, ...], rake: Fraction) -> list[Row]:
    """Return per seat what the house takes of what it is ahead at the end of a game, and last of the whole table.

    ``net_per_1000`` is what a player has of 1,000 games after the rake: for the whole table the mean of a player.
    """
    seats = [_seat(sample, [seat], policy, rake) | {"seat": seat} for seat, policy in enumerate(policies)]
    return [*seats, _seat(sample, list(range(sample.players)), None, rake)]


def _seat(sample: Sample, seats: list[int], policy: str | None, rake: Fraction) -> Row:
    won, wins = (values[:, seats].sum(axis=1) for values in (sample.won, sample.wins))
    net = sample.money[:, seats].sum(axis=(1, 2))
    share = float(rake)
    (taken, error), (after, after_error) = (sample.per_game(values) for values in (won * share, net - won * share))
    received = float(won.sum()) / 2 / float(wins.sum()) if wins.any() else None
    row: Row = dict.fromkeys(GAME_RAKE.keys) | {"policy": policy, "wins": float(wins.sum()) / sample.games}
    if received is not None:
        row |= {"received": received, "house": received * share, "left": received * (1 - share)}
    of_one = DEALS / 2 / len(seats)
    return row | {
        "house_per_1000": taken * DEALS / 2, "house_error": known(error * DEALS / 2), "net_per_1000": after * of_one,
        "net_error": known(after_error * of_one),
    }  # fmt: skip
