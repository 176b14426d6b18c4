"""What a smart seat weighs, in plays. Found by trial against seats that play the lowest and seats like itself."""

from typing import NamedTuple

import numpy as np

from tlsim.bits import float_of_bits
from tlsim.jit import scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.row import Ints


class Weights(NamedTuple):
    """The weights; as they stand here, for the Tiến Lên games."""

    single_slope: float = 0.38  # of cards above
    pair_slope: float = 0.48  # of pairs above
    triple_slope: float = 0.21  # of triples above
    straight_slope: float = 0.68  # of straights above, by length
    out: float = 2.0  # of going out
    hold: float = 1.22  # part of a play that a sure lead is worth
    hold_late: float = 0.59  # less near the end
    card: float = 0.14  # of a card in hand
    far: float = 0.12  # by how far each card of the shortest other hand puts the end off
    bomb: float = 1.39  # of holding a bomb
    weak: float = 0.16  # against weak sets
    two_late: float = 0.01  # of a 2 near the end
    three_of_spades: float = 0.6  # of 3♠ under kết 3 bích
    sure: float = 0.84  # strength of a sure set
    lead_strength: float = 1.08  # of strength in a lead
    lead_card: float = 0.13  # of a card in a lead
    lead_top: float = 0.01  # of a top card in a lead, in suits
    danger: float = 0.14  # of leading what another may go out with
    bomb_led: float = 1.32  # of leading a bomb
    margin: float = 0.24  # that a play must be better than a pass by
    margin_late: float = 3.26  # less near the end
    cong: float = 0.17  # less where nothing has been played
    cong_near: float = 0.03  # for each card that the shortest hand is below 10
    den: float = 1.48  # where nobody but the leader has played
    gain: float = 0.09  # of taking the lead
    gain_late: float = 0.49  # more near the end
    ready: float = 0.15  # more where only one set left can be beaten

    def row(self) -> Ints:
        """Return the bits of the weights as the row of a game has them, int64[N_WEIGHTS]."""
        return np.array(self, np.float64).view(np.int64)


TIEN_LEN = Weights()
SAM = TIEN_LEN
# No lock after a pass, no straights, and going out early is all that counts.
TITLES = TIEN_LEN._replace(
    single_slope=0.94, pair_slope=0.36, out=1.59, hold=2.76, hold_late=1.43, card=0.05, far=0.21, bomb=1.78,
    two_late=-0.01, sure=0.94, lead_card=0.06, lead_top=0.03, danger=0.06, bomb_led=1.02, margin=0.31, margin_late=2.54,
    gain_late=0.8,
)  # fmt: skip

# Their numbers among those of the row, in the order of `Weights`.
(
    SINGLE_SLOPE, PAIR_SLOPE, TRIPLE_SLOPE, STRAIGHT_SLOPE, OUT, HOLD, HOLD_LATE, CARD, FAR, BOMB,
    WEAK, TWO_LATE, THREE_OF_SPADES, SURE, LEAD_STRENGTH, LEAD_CARD, LEAD_TOP, DANGER, BOMB_LED,
    MARGIN, MARGIN_LATE, CONG, CONG_NEAR, DEN, GAIN, GAIN_LATE, READY,
) = range(r.N_WEIGHTS)  # fmt: skip


@scalar_step
def weight(game, which):
    """Return a weight of the rules that a row holds."""
    return float_of_bits(game[r.WEIGHTS + which])
