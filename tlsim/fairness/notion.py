"""`Notion`: what fair means where somebody asks: by which shape of prices, between which ends, of which patterns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tlsim.options import EQUAL_COST, TOLERANCE
from tlsim.rules import Rules

Floats = NDArray[np.float64]
UNITS = {"half": Fraction(1, 2), "whole": Fraction(1)}
JUDGE_FROM = 1e-6
BY_PRICE = ("proportional", "logarithmic")
ALL = "all"
Tolerances: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class Notion:
    """What prices are held against.

    Methods: ``proportional``: equal cost, prices proportional to 1/p; ``logarithmic``: to log 1/p; ``reordered``: the
    order alone; ``none``: nothing of prices.
    """

    method: str = EQUAL_COST
    judge_from: float = 0.0  # patterns that win more rarely are shown, not judged
    cap: float | None = None  # ends of a fair price, where a rule file was made with such
    step: float | None = None

    @classmethod
    def of(cls, rules: Rules, method: str | None = None, judge_from: float | None = None) -> "Notion":
        """Return what is asked for; what nobody says is as the rule file was made, or usual."""
        made, first = rules.fair, judge_from
        if made is None:
            return cls(method or EQUAL_COST, JUDGE_FROM if first is None else first)
        first = next(given for given in (judge_from, made.judge_from, JUDGE_FROM) if given is not None)
        step = None if made.cap is None else float(UNITS[made.units])
        return cls(method or made.method or EQUAL_COST, first, made.cap, step)

    @property
    def by_price(self) -> bool:
        """Whether it says what a price is to be."""
        return self.method in BY_PRICE

    def fair(self, probabilities: Sequence[Fraction], added: Sequence[Fraction], paid: Fraction) -> list[Fraction]:
        """Return the fair prices, đếm heo included, of patterns that win so often and are paid so much together."""
        shapes = [Fraction(shape(p, self.method)) for p in probabilities]
        if self.cap is not None and self.step is not None:
            p, wanted, heo = (np.array(list(map(float, each))) for each in (probabilities, shapes, added))
            return list(map(Fraction, level(wanted, p, float(paid), self.step + heo, self.cap + heo).tolist()))
        unit = sum((each * p for each, p in zip(shapes, probabilities, strict=True)), Fraction(0))
        return [paid / unit * each if unit else Fraction(0) for each in shapes]


def shape(probability: Any, method: str) -> Any:
    """Return what a price is to be proportional to: 1/p, or log 1/p; what never wins is as dear as may be."""
    if not probability:
        return math.inf
    return -math.log(probability) if method == "logarithmic" else 1 / probability


def tolerances(given: float | Tolerances | Sequence[tuple[str, float]]) -> dict[str, float]:
    """Return the factor of all patterns (`ALL`) and of those that have their own."""
    return {ALL: float(given)} if isinstance(given, int | float) else {ALL: TOLERANCE} | dict(given)


def level(shape: Any, probabilities: Any, paid: float, low: Any, high: Any) -> Floats:
    """Return prices ``k · shape`` between ``low`` and ``high`` (one, or one each) that are paid as much as wanted.

    Where even the ends do not reach the wanted payment ``Σ probability · price``, all prices are there.
    """
    s, p = np.asarray(shape, dtype=float), np.asarray(probabilities, dtype=float)

    def at(k: float) -> Floats:
        found: Floats = np.clip(k * s, low, high)
        return found

    real = (s > 0) & np.isfinite(s)
    ends = np.concatenate([np.broadcast_to(end, s.shape)[real] / s[real] for end in (low, high)])
    corners = np.unique(ends)  # between two of them the payment grows in a straight line
    paid_at = np.array([p @ at(k) for k in corners])
    if not len(corners):
        return np.asarray(np.where(s > 0, high, low), dtype=float)
    return at(float(np.interp(paid, paid_at, corners)))
