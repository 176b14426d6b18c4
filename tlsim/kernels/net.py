"""The network of an expert seat: facts that hold, added up in hidden units, give the worth of a play.

All is whole numbers, so that every processor gives the same answer. A network is a row of int64: the biases of the
hidden units, for each fact what it adds to each of them, and what each is worth. The first unit counts as it is, the
others only where they are above zero.
"""

from tlsim.jit import offset, scalar_step, step
from tlsim.kernels.features import N_FEATURES

HIDDEN = 64
N_NET = HIDDEN * (N_FEATURES + 2)
SCALE = 1 << 10  # of what a fact adds, and of what a unit is worth


@step
def add_facts(net, facts, first, end, start, sums):
    """Add what facts bring to the hidden units; start, sums : int64[HIDDEN], which may be one."""
    for unit in range(HIDDEN):
        sums[unit] = start[unit]
    for at in range(first, end):
        row = offset(net, HIDDEN * (1 + facts[at]))
        for unit in range(HIDDEN):
            sums[unit] += row[unit]


@scalar_step
def worth(net, sums):
    """Return the worth of a play by its hidden units, in thousandths of what the net was taught in."""
    out, total = offset(net, HIDDEN * (1 + N_FEATURES)), sums[0] * SCALE
    for unit in range(1, HIDDEN):
        total += max(sums[unit], 0) * out[unit]
    return total
