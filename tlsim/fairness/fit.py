"""Prices of a wanted shape that cost as much as a list does now: levelled between two ends, then rounded.

Plain numbers in, plain numbers out; a pattern is its probability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_TUNED = 12  # patterns, the commonest, that are rounded up or down to meet the mean cost; the others matter little
MOST_MOVES = 1000  # steps by which what is missing is made up
NEAR = 1e-3  # of the mean cost: what is less is no reason to choose a price by, fairness decides
PART = 0.1  # of what is missing: a step that makes up less is not worth its unfairness

Floats = NDArray[np.float64]


def level(shape: Sequence[float], probabilities: Sequence[float], paid: float, low: float, high: float) -> Floats:
    """Return prices ``k · shape``, none below ``low`` or above ``high``, that are paid as much on average as wanted.

    Parameters
    ----------
    shape
        What prices are to be proportional to; may be infinite.
    probabilities
        Probability of each pattern.
    paid
        Wanted mean payment, ``Σ probability · price``.
    low, high
        Smallest and largest price. Where even these do not reach the wanted payment, all prices are there.

    Examples
    --------
    >>> level([1, 2, 100], [0.5, 0.25, 0.01], 2.0, 0.5, 20).tolist()    # 0.5 · 1.8 + 0.25 · 3.6 + 0.01 · 20 = 2
    [1.8, 3.6, 20.0]
    """
    s, p = np.asarray(shape, dtype=float), np.asarray(probabilities, dtype=float)

    def at(k: float) -> Floats:
        return np.asarray(np.clip(k * s, low, high), dtype=float)

    ends = np.concatenate([end / s[(s > 0) & np.isfinite(s)] for end in (low, high)])
    corners = np.unique(ends)  # between two of them the payment grows in a straight line
    paid_at = np.array([p @ at(k) for k in corners])
    if not len(corners):
        return np.where(s > 0, high, low).astype(float)
    return at(float(np.interp(paid, paid_at, corners)))


def rounded(ideal: Floats, probabilities: Sequence[float], paid: float, step: float, high: float) -> Floats:
    """Round prices to whole steps so that the mean payment is as wanted, and no rarer pattern is cheaper.

    Of all ways to round up or down, those count whose mean payment is the nearest to the wanted one, or at most a
    thousandth of it further off; among them the prices win that lie nearest to the ideal ones, by ratio. Beyond the
    `MOST_TUNED` commonest patterns prices are rounded to the nearest step. What is still missing is then made up step
    by step, each of which must make up a tenth of it, and a thousandth of the whole: rare patterns, whose prices bring
    next to nothing, stay where fairness puts them.

    Examples
    --------
    >>> rounded(np.array([1.5, 2.5]), [0.2, 0.1], 0.5, 1, 9).tolist()     # 0.2 · 1 + 0.1 · 3
    [1.0, 3.0]
    """
    p = np.asarray(probabilities, dtype=float)
    nearest = np.maximum(np.rint(ideal / step), 1)
    free = [at for at in np.argsort(-p, kind="stable")[:MOST_TUNED] if ideal[at] % step]
    up = (np.arange(1 << len(free))[:, None] >> np.arange(len(free))) & 1
    steps = np.tile(nearest, (len(up), 1))
    steps[:, free] = np.maximum(np.floor(ideal[free] / step) + up, 1)
    by_rarity = np.argsort(-p, kind="stable")
    steps = steps[(np.diff(steps[:, by_rarity], axis=1) >= 0).all(axis=1)]
    apart = np.abs(steps @ p * step - paid)
    steps = steps[apart <= float(apart.min()) + NEAR * paid]
    off = (np.log(steps * step / ideal) ** 2).sum(axis=1)
    return _trimmed(steps[int(off.argmin())] * step, ideal, p, paid, step, high)


def _trimmed(prices: Floats, ideal: Floats, p: Floats, paid: float, step: float, high: float) -> Floats:
    """Move prices by single steps, each time the one that brings the payment nearer at the least cost of ratio.

    A step counts that makes up a material part: `PART` of what is missing and `NEAR` of the whole.
    """
    by_rarity = np.argsort(-p, kind="stable")
    for _ in range(MOST_MOVES):
        if abs(missing := paid - float(prices @ p)) <= NEAR * paid:
            break
        moves = prices + np.sign(missing) * step * np.eye(len(p))
        nearer = abs(missing) - np.abs(moves @ p - paid) >= max(PART * abs(missing), NEAR * paid)
        allowed = (moves >= step).all(axis=1) & (moves <= high).all(axis=1)
        in_order = (np.diff(moves[:, by_rarity], axis=1) >= 0).all(axis=1)
        if not (good := nearer & allowed & in_order).any():
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            off = (np.log(moves / ideal) ** 2).sum(axis=1) - (np.log(prices / ideal) ** 2).sum()
            prices = moves[int(np.where(good, off / np.where(good, p, 1), np.inf).argmin())]
    return np.asarray(prices, dtype=float)
