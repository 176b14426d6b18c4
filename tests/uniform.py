"""Whether random subsets are uniform: chi-squares with exact means and variances.

A *sample* is an array of subsets of n positions, h in each, as words of n bits. Every value here is chi-square with the
degrees of freedom beside it where all C(n, h) subsets are equally likely and independent.

The pair test: the deviations d_ij of the pair counts split into a part a_i + a_j of the cards and a residual, two
eigenspaces of the covariance (the Johnson scheme), so that both parts have exact variances.
"""

from functools import reduce
from itertools import product
from math import comb, prod

import numpy as np
from compiled import kept
from scipy import optimize, stats

LEAST_EXPECTED = 20  # cells below are pooled
POWER = 0.999


def bit_matrix(words, n):
    """Whether each position is in each subset; uint8, shape (len(words), n)."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")[:, :n]


@kept
def positions_among(words, left):
    """The subsets renumbered among the positions of ``left``, which holds them; bit by bit."""
    found = np.zeros_like(words)
    for at in range(len(words)):
        position = 0
        for bit in range(52):
            found[at] |= (words[at] >> bit & 1) << position
            position += left[at] >> bit & 1
    return found


def inside(n, h, m):
    """Probability that m given positions are all in the subset."""
    return comb(n - m, h - m) / comb(n, h) if m <= h else 0.0


def card_variance(n, h):
    """Each of the n - 1 contrasts of the card counts has this variance in each subset."""
    return h * (n - h) / (n * (n - 1))


def pair_variance(n, h):
    """Each of the n (n - 3) / 2 contrasts of the pair counts that the cards do not show has this variance."""
    return inside(n, h, 2) - 2 * inside(n, h, 3) + inside(n, h, 4)


def cards_and_pairs(words, n, h):
    size = len(words)
    counts = np.zeros((n, n))
    for part in np.array_split(words, -(-size // 200_000)):
        bits = bit_matrix(part, n).astype(np.float32)
        counts += bits.T @ bits  # whole numbers below 2**24 are exact
    card = np.diag(counts) - size * h / n
    deviation = counts - size * inside(n, h, 2)
    residual = deviation - (h - 1) / (n - 2) * (card[:, None] + card[None, :])
    above = residual[np.triu_indices(n, 1)]
    yield "cards", float((card**2).sum() / size / card_variance(n, h)), n - 1
    yield "pairs", float((above**2).sum() / size / pair_variance(n, h)), n * (n - 3) // 2


def of_cells(counts, shares):
    """Chi-square of counts against exact shares, small cells pooled."""
    expected = shares * counts.sum()
    small = expected < LEAST_EXPECTED
    counts, expected = (np.append(each[~small], each[small].sum()) for each in (counts, expected))
    there = expected > LEAST_EXPECTED / 2  # what is left of a pool with hardly anything in it is not tested
    return float(((counts - expected)[there] ** 2 / expected[there]).sum()), int(there.sum()) - 1


def compositions(words, n, h, parts):
    """Numbers of cards in each part of the positions: multivariate hypergeometric."""
    sizes = [part.bit_count() for part in parts]
    index = np.zeros(len(words), dtype=np.int64)
    for part in parts:
        index = index * (h + 1) + np.bitwise_count(words & part)
    found = np.bincount(index, minlength=(h + 1) ** len(parts))
    shares = np.zeros(len(found))
    for first in product(*(range(min(s, h) + 1) for s in sizes[:-1])):
        row = (*first, h - sum(first))
        if row[-1] >= 0:
            at = reduce(lambda so_far, k: so_far * (h + 1) + k, row)
            shares[at] = prod(map(comb, sizes, row)) / comb(n, h)
    assert not found[shares == 0].any()
    return of_cells(found[shares > 0], shares[shares > 0])


def block_values(words, n, h, at, width):
    """The word that stands in a block of positions."""
    found = np.bincount(words >> at & (1 << width) - 1, minlength=1 << width)
    ones = np.bitwise_count(np.arange(1 << width))
    by_ones = np.array(
        [comb(n - width, h - k) / comb(n, h) if 0 <= h - k <= n - width else 0 for k in range(width + 1)]
    )
    shares = by_ones[ones]
    assert not found[shares == 0].any()
    return of_cells(found[shares > 0], shares[shares > 0])


def blocks(n):
    return [(at, min(13, n - at)) for at in range(0, n, 13)]


def chi_squares(words, n, h):
    """All tests of one sample: (name, value, degrees of freedom)."""
    yield from cards_and_pairs(words, n, h)
    contiguous = [((1 << width) - 1) << at for at, width in blocks(n)]
    residues = [sum(1 << position for position in range(suit, n, 4)) for suit in range(4)]
    for name, parts in (("suits", residues), ("blocks", contiguous)):
        if len(parts) > 1:
            yield name, *compositions(words, n, h, parts)
    for at, width in blocks(n):
        yield f"value of block {at // 13}", *block_values(words, n, h, at, width)


def least_noncentrality(freedom, tail):
    """The noncentrality that a chi-square test with this false-alarm rate catches with probability 0.999."""
    limit = stats.chi2.isf(tail, freedom)
    return optimize.brentq(lambda x: stats.ncx2.sf(limit, freedom, x) - POWER, 1, 1e6)
