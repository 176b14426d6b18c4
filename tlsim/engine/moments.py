"""Integer sums of products over independent matches, and what follows from them: means, errors, adjusted means."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tlsim.errors import UsageError
from tlsim.kernels.row import Ints
from tlsim.tally import Tally

FOLDS = 8
"""A match belongs to the fold of its number modulo this."""
ENOUGH = 40
"""Matches for each control below which its coefficient is worth less than it costs."""
Weights: TypeAlias = Mapping[int, float]
"""A linear combination of columns."""
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean over matches with its standard error, None where there are too few matches to tell."""

    mean: float
    std_error: float | None
    matches: int

    @property
    def known(self) -> tuple[float, float | None]:
        """The mean and its error."""
        return self.mean, self.std_error

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of Student's t at a level; without bounds where there is no error."""
        if self.std_error is None:
            return -math.inf, math.inf
        from scipy.special import stdtrit

        reach = float(stdtrit(self.matches - 1, 0.5 + level / 2)) * self.std_error
        return self.mean - reach, self.mean + reach

    def times(self, factor: float) -> "Estimate":
        """Return the estimate of so many times as much."""
        error = None if self.std_error is None else abs(factor) * self.std_error
        return Estimate(factor * self.mean, error, self.matches)


@dataclass(frozen=True, eq=False)
class Moments(Tally):
    """Sums over matches of the products of all pairs of columns; column 0 is 1."""

    products: Ints  # int64[FOLDS, columns, columns]

    @classmethod
    def zero(cls, columns: int) -> "Moments":
        """Return the sums of no matches."""
        return cls(np.zeros((FOLDS, columns, columns), np.int64))

    @classmethod
    def of(cls, values: Ints, first: int) -> "Moments":
        """Return the sums of matches from one on; values : int64[matches, columns], the first column being 1."""
        products = cls.zero(values.shape[1]).products
        # Products of floats are much faster, and exact as long as no sum reaches 2**53.
        exact = len(values) * int(np.abs(values).max(initial=0)) ** 2 < 2**53
        quick: Any = values.astype(np.float64) if exact else values
        for fold in range(FOLDS):
            part = quick[(fold - first) % FOLDS :: FOLDS]
            products[fold] = part.T @ part
        return cls(products)

    def __add__(self, other: Self) -> Self:
        found = super().__add__(other)
        if (np.diagonal(found.products, axis1=1, axis2=2) < 0).any():  # no other product is larger than the squares
            raise UsageError("the sums of this run do not fit into 64 bits: ask for fewer games")
        return found

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.products[:, 0, 0].sum())

    @cached_property
    def _all(self) -> "_Part":
        return _Part.of(self.products.sum(axis=0))

    def mean(self, weights: Weights) -> Estimate:
        """Return the mean of a combination of columns."""
        part, w, n = self._all, self._dense(weights), self.matches
        error = math.sqrt(max(0.0, part.variance(w)) / n) if n > 1 else None
        return Estimate(part.mean(w) if n else math.nan, error, n)

    def ratio(self, top: Weights, bottom: Weights) -> Estimate | None:
        """Return the ratio of two means (Cochran, *Sampling Techniques*, 1977, §2.11); None where the lower is 0."""
        above, below = self.mean(top).mean, self.mean(bottom).mean
        if not self.matches or not below:
            return None
        share = above / below
        residual = dict(top)
        for column, weight in bottom.items():
            residual[column] = residual.get(column, 0.0) - share * weight
        error = self.mean(residual).std_error
        return Estimate(share, None if error is None else error / abs(below), self.matches)

    def product(self, one: int, two: int) -> int:
        """Return the sum of the products of two columns."""
        return int(self.products[:, one, two].sum())

    def adjusted(
        self, weights: Weights, controls: Sequence[int], means: Sequence[Fraction], enough: int = ENOUGH
    ) -> Estimate:
        """Return the mean of a combination of columns, less what controls with known means say of the luck in it.

        The coefficients of a fold are those of least squares over the other folds, so they know nothing of its
        controls, whose excess over their means is 0 on average: the estimate is unbiased, whatever the coefficients.
        The error is that of what is left within each fold. With fewer than ``enough`` matches in the other folds for
        each control the mean is the plain one. (A. N. Avramidis, J. R. Wilson, "A splitting scheme for control
        variates", Operations Research Letters 14 (1993) 187–198.)
        """
        n, w, columns = self.matches, self._dense(weights), list(controls)
        excess, noise = 0.0, 0.0
        for fold in range(FOLDS):
            own = _Part.of(self.products[fold])
            others = _Part.of(self.products.sum(axis=0) - self.products[fold])
            if not columns or others.n < enough * len(columns) or own.n < 2:
                return self.mean(weights)
            slopes = others.slopes(w, columns)
            left = w.copy()
            left[columns] -= slopes
            known = sum(slope * float(mean) for slope, mean in zip(slopes, means, strict=True))
            excess += own.n / n * (own.mean(left) + known)
            noise += own.n / n**2 * max(0.0, own.variance(left))
        return Estimate(excess, math.sqrt(noise), n)

    def _dense(self, weights: Weights) -> Floats:
        dense = np.zeros(self.products.shape[1])
        dense[list(weights)] = list(weights.values())
        return dense


@dataclass(frozen=True)
class _Part:
    """Means and covariances of some matches; the covariances from whole numbers, so that nothing cancels."""

    n: int
    means: Floats
    covariances: Floats

    @classmethod
    def of(cls, products: Ints) -> "_Part":
        n, whole = int(products[0, 0]), products.astype(object)
        sums = whole[0]
        spread: Any = n * whole - np.outer(sums, sums)
        freedom = max(1, n * (n - 1))
        return cls(n, (sums / max(1, n)).astype(float), (spread / freedom).astype(float))

    def mean(self, w: Floats) -> float:
        return float(w @ self.means)

    def variance(self, w: Floats) -> float:
        return float(w @ self.covariances @ w)

    def slopes(self, w: Floats, columns: list[int]) -> Floats:
        """Return the coefficients of least squares; columns that do not vary, or hang on others, do no harm."""
        inner = self.covariances[np.ix_(columns, columns)]
        scale = np.sqrt(np.diag(inner))
        scale[scale == 0] = 1.0
        inverse = np.linalg.pinv(inner / np.outer(scale, scale), rcond=1e-9, hermitian=True)
        found: Floats = inverse @ (self.covariances[columns] @ w / scale)
        return found / scale
