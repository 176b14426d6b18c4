"""Shares, means and differences over batches of matches, with errors that take whole matches as independent.

Games of a match hang together, matches do not, and each match counts in one batch; so what differs from batch to batch
tells the error of everything that is added up over them (Cochran, *Sampling Techniques*, 1977, §2.11).
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tlsim.columns import Row, known
from tlsim.intervals import clustered_interval, ratio_mean
from tlsim.kernels.row import Ints
from tlsim.results.provenance import Known


def share(counts: Ints, trials: Ints, level: float = 0.95, of: str = "share") -> Row:
    """Return the share of trials in which something happened, once at most, from the events and trials of each batch.

    ``share`` is None without trials; ``std_error`` where the batches show none: there are fewer than two, or it
    happened never or always; ``ci_low`` and ``ci_high`` are the interval of Korn and Graubard.
    """
    count, number = int(counts.sum()), int(trials.sum())
    low, high = clustered_interval(counts, trials, level)
    error = mean(counts, trials)[1] if 0 < count < number else None
    noise = "std_error" if of == "share" else f"{of}_std_error"
    return {of: count / number if number else None, noise: error, "ci_low": low, "ci_high": high}


def mean(sums: Ints, trials: Ints) -> Known:
    """Return a mean per trial and its error, each None where there is none, from the sums and trials of each batch."""
    found, error = ratio_mean(sums, trials)
    return known(found), known(error)


def paired(one: tuple[Ints, Ints], two: tuple[Ints, Ints]) -> Known:
    """Return the mean of one run less that of another over the same deals, and its error, as of `mean`.

    A batch holds the same matches in both, so what they have in common falls away.
    """
    numbers = [int(trials.sum()) for _, trials in (one, two)]
    if not all(numbers):
        return None, None
    means = [Fraction(int(sums.sum()), n) for (sums, _), n in zip((one, two), numbers, strict=True)]
    parts = [(sums - float(m) * trials) / trials.sum() for (sums, trials), m in zip((one, two), means, strict=True)]
    gap, used = float(means[0] - means[1]), (one[1] > 0) | (two[1] > 0)
    n = int(used.sum())
    residuals = (parts[0] - parts[1])[used]
    return gap, math.sqrt(float((residuals**2).sum()) * n / (n - 1)) if n > 1 else None


def jackknife(batches: Ints, statistic: Callable[[Ints], float | None]) -> Known:
    """Return a statistic of the sums of batches, and its error by leaving out one after another; empty ones are none.

    B. Efron, C. Stein, "The jackknife estimate of variance", Annals of Statistics 9 (1981) 586–596.
    """
    used = batches[batches.reshape(len(batches), -1).any(axis=1)]
    total, n = used.sum(axis=0), len(used)
    found = statistic(total)
    without = [] if found is None or n < 2 else [statistic(total - batch) for batch in used]
    if not without or any(value is None for value in without):
        return found, None
    values: Any = np.array(without, dtype=float)
    return found, math.sqrt((n - 1) / n * float(((values - values.mean()) ** 2).sum()))
