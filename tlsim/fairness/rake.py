"""What the house takes of what winners get, and what that costs the players."""

import math
from fractions import Fraction

from tlsim.columns import Row
from tlsim.errors import wrong
from tlsim.fairness.price_list import DEALS, Prices
from tlsim.fairness.sample import Sample
from tlsim.fairness.views import GAME_RAKE, RAKE


def check_rake(rake: float) -> Fraction:
    """Return a rake as a fraction of what a winner gets."""
    number = isinstance(rake, int | float | Fraction) and not isinstance(rake, bool)
    if not number or not math.isfinite(rake) or not 0 <= rake <= 1:
        raise wrong("rake", rake, "must be from 0 to 1 of what a winner gets, such as 0.05 (5 %)")
    return Fraction(str(rake)) if isinstance(rake, float) else Fraction(rake)


def rake_rows(prices: Prices, rake: Fraction) -> list[Row]:
    """Return per pattern what the winner receives, what the house takes and what is left; the whole list at the end."""
    losers, someone = prices.players - 1, sum(prices.probabilities, Fraction(0))
    each = zip(prices.listed, prices.prices, prices.probabilities, strict=True)
    wins = [(entry.id, price * losers, p) for entry, price, p in each]
    rows = []
    for pattern, amount, p in [*wins, (None, prices.paid * losers / someone if someone else None, someone)]:
        house = (amount or 0) * p * rake * DEALS
        rows.append(RAKE.row(list=prices.which, pattern=pattern, house_per_1000=house,
                             loss_per_1000=house / prices.players, **_split(amount, rake)))  # fmt: skip
    return rows


def _split(amount: Fraction | float | None, rake: Fraction) -> Row:
    """Return what the winner receives, what the house takes of it, what is left."""
    return {} if amount is None else {"received": amount, "house": amount * rake, "left": amount * (1 - rake)}


def game_rake_rows(sample: Sample, policies: tuple[str, ...], rake: Fraction) -> list[Row]:
    """Return per seat what the house takes of what it is ahead at the end of a game, and last of the whole table."""
    seats = [_seat(sample, [seat], rake) | {"seat": seat, "policy": policy} for seat, policy in enumerate(policies)]
    return [*seats, _seat(sample, list(range(sample.players)), rake)]


def _seat(sample: Sample, seats: list[int], rake: Fraction) -> Row:
    won, wins = (values[:, seats].sum(axis=1) for values in (sample.won, sample.wins))
    taken, net = won * float(rake), sample.money[:, seats].sum(axis=(1, 2))
    received = float(won.sum()) / 2 / float(wins.sum()) if wins.any() else None
    return GAME_RAKE.row(
        wins=float(wins.sum()) / sample.games, house_per_1000=sample.per_game(taken * DEALS / 2),
        net_per_1000=sample.per_game((net - taken) * DEALS / 2 / len(seats)), **_split(received, rake),
    )  # fmt: skip
