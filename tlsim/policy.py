"""What a policy of your own is shown, and what it may use.

A policy is a function compiled by ``numba.njit`` that chooses among the legal plays that it is shown::

    import numba
    from tlsim import policy

    @numba.njit
    def stingy(plays, hand, table, log, random):
        for at in range(len(plays)):
            if plays[at, policy.KIND] != policy.PASS and plays[at, policy.TOP] < 12:
                return at              # the first play that takes no 2
        return 0

Name it in ``policies``, as the function itself or as ``"package.module:stingy"``.

Parameters of a policy
----------------------
plays : int64, shape (n, 4)
    Legal answers, columns `KIND`, `TOP` (rank of the highest card: 0 … 12 for 3 … 2), `LENGTH` (ranks of a run) and
    `CARDS` (52 bits: bit 4 * rank + suit, suits ♠ ♣ ♦ ♥). Row 0 is a pass (`PASS`, no cards) unless the seat leads.
    Plays of one kind, rank and length are shown once for each highest card that they may have, with the lowest cards
    beside it. A policy is asked only where there are two plays or more.

    Two questions come before the first play. Whether to call Sâm (`CALL`): row 0 is not to, row 1 (`SAM_CALL`) is to.
    What to return in an exchange of Tổng thống (`RETURN`): each row (`GIVEN_BACK`) is one choice of cards.
hand : int64
    The own hand, 52 bits.
table : int64, shape (15,)
    What lies open: ``table[SEAT]``, `PLAYERS`, `QUESTION`, `OWNER` of the set on the table (-1: none), `TABLE_KIND`,
    `TABLE_TOP`, `TABLE_LENGTH`, `TABLE_CARDS`, `REVERSED` (1 where a revolution has turned the order of ranks over),
    `CALLER` of Sâm (-1: nobody), and from `LEFT` on how many cards each seat holds. Seats are numbered in the order of
    turn: the next after p is p + 1.
log : int64, shape (m,)
    The plays so far, the oldest first: ``log[i] & ALL_CARDS`` are the cards (none: a pass),
    ``log[i] >> SEAT_SHIFT & 7`` is the seat.
random : int64, shape (3,)
    The seat's own stream; ``below(random, n)`` returns the next number.

Returns
-------
int
    The row of the chosen play.

The arrays are for reading. In the first thousand calls of a block of games, and in all with ``--debug-policy`` (in
Python: ``TLSIM_DEBUG_POLICY=1`` in the environment), every index is looked at, and one outside its array ends the run
with its number; in functions of your own that it calls by name, too. Later calls do not look, as compiled code never
does: a function that writes outside its arrays only then may end the process, or change what is not its own.

Other hands are not shown. The same seed gives the same games, as long as the function depends on nothing else.
"""

from tlsim.jit import step
from tlsim.kernels import own as _own
from tlsim.kernels import row as _row
from tlsim.kernels.draw import next_below

# Columns of a play.
KIND, TOP, LENGTH, CARDS = range(4)
# Kinds of play; the last two are what is left of a bomb (Huế). Before the first play also `SAM_CALL`, `GIVEN_BACK`.
PASS, SINGLE, PAIR, TRIPLE, QUAD, STRAIGHT, PAIR_RUN, REST_OF_QUAD, REST_OF_RUN = range(9)
GIVEN_BACK, SAM_CALL, ALL_CARDS, SEAT_SHIFT = _own.GIVEN_BACK, _own.SAM_CALL, _row.ALL_CARDS, _row.SEAT_SHIFT
# What lies open. `QUESTION` is to lead, to follow, to chop freely out of turn, to chop after a pass; to call Sâm, to
# return cards (`LEAD` … `RETURN`).
LEAD, FOLLOW, FREE, AFTER_PASS = _row.LEAD, _row.FOLLOW, _row.FREE, _row.AFTER_PASS
CALL, RETURN = _row.CALL, _row.RETURN
SEAT, PLAYERS, QUESTION, OWNER, CALLER, LEFT = (
    _own.T_SEAT, _own.T_PLAYERS, _own.T_QUESTION, _own.T_OWNER, _own.T_CALLER, _own.T_LEFT,
)  # fmt: skip
TABLE_KIND, TABLE_TOP, TABLE_LENGTH, TABLE_CARDS, REVERSED = (
    _own.T_KIND, _own.T_TOP, _own.T_LENGTH, _own.T_CARDS, _own.T_REVERSED,
)  # fmt: skip


@step
def below(random: _row.Ints, bound: int) -> int:
    """Return the next random number of a policy, uniform among 0 … bound - 1; for use within a policy.

    Parameters
    ----------
    random : int64, shape (3,)
        What the policy was given.
    bound : int
        Over 0. The bias is under bound / 2**64.
    """
    return next_below(random, bound)  # type: ignore[no-any-return]
