"""What a smart seat weighs, by number; how much each weighs, in plays, stands in ``engine/weights.toml``."""

from tlsim.bits import float_of_bits
from tlsim.jit import scalar_step
from tlsim.kernels import row as r

(
    SINGLE_SLOPE, PAIR_SLOPE, TRIPLE_SLOPE, STRAIGHT_SLOPE, OUT, HOLD, HOLD_LATE, CARD, FAR, BOMB,
    WEAK, TWO_LATE, THREE_OF_SPADES, SURE, LEAD_STRENGTH, LEAD_CARD, LEAD_TOP, DANGER, BOMB_LED,
    MARGIN, MARGIN_LATE, CONG, CONG_NEAR, DEN, GAIN, GAIN_LATE, READY,
) = range(r.N_WEIGHTS)  # fmt: skip


@scalar_step
def weight(game, which):
    """Return a weight of the rules that a row holds."""
    return float_of_bits(game[r.WEIGHTS + which])
