"""Names of the numbers that a game runs on: the clauses of the rules, the state of a game, reasons to pay.

A kernel takes rules as one row of int64, ``rules[PASS_LOCKS]``; what each number means stands in `tlsim.rules.schema`,
in the order of the words there (0 is the first, or "no"). Money is in half units.
"""

from __future__ import annotations

# Kinds of combination.
NOTHING, SINGLE, PAIR, TRIPLE, QUAD, STRAIGHT, PAIR_RUN = range(7)
# Bombs, weakest first; runs of 5 and 6 pairs are bombs only where they can do what 4 pairs can.
NO_BOMB, RUN_3, QUAD_BOMB, RUN_4, RUN_5, RUN_6 = range(6)
# What a bomb may chop: its bit in a row of the chop table.
NO_TARGET, TWO, TWO_TWOS, ON_RUN_3, ON_QUAD, ON_RUN_4, ON_RUN_5, ON_RUN_6, THREE_TWOS = range(9)
# What a seat is asked.
LEAD, FOLLOW, FREE, AFTER_PASS = range(4)
# Why money moves; the order of `tlsim.engine.tables.REASONS`.
(
    TOI_TRANG, CHOP, CARDS, THOI, CONG, DEN_CONG, PLACE, KET_3_BICH, CHAN_3_BICH, THUI_3_BICH, DEN_CA_LANG,
    N_REASONS,
) = range(12)  # fmt: skip

# Clauses of the rules.
_CLAUSES = iter(range(120))
TOP_RANK_ONLY, SUIT_MATCH = next(_CLAUSES), next(_CLAUSES)
STRAIGHT_MIN, STRAIGHT_LOW, LONGER_BEATS = (next(_CLAUSES) for _ in range(3))
RUN_MIN, SUPERSET, TRUMP = (next(_CLAUSES) for _ in range(3))
ON_TWO, ON_TWO_IN_STRAIGHT, WITH_HANG = (next(_CLAUSES) for _ in range(3))
PASS_LOCKS, PASS_RESET_ON_CHOP, CHOP_AFTER_PASS, ANY_TIME, FREE_TARGETS = (next(_CLAUSES) for _ in range(5))
CHOPS, *_ = [next(_CLAUSES) for _ in range(6)]  # by bomb: bits of targets
CHAIN, OVERLAID_TWOS, VOID_SCOPE, PAY_SAME_CLASS, PAY_LED_HANG, FOUR_TWOS_AS_QUAD, FOUR_PAIRS_BONUS = (
    next(_CLAUSES) for _ in range(7)
)
TWO_PRICES, *_ = [next(_CLAUSES) for _ in range(4)]  # of chopped twos by suit
BOMB_PRICES, *_ = [next(_CLAUSES) for _ in range(6)]  # of chopped bombs
FIRST_OUT, COUNT_CARDS, JUNK_PRICE = (next(_CLAUSES) for _ in range(3))
HAS_PLACES, HAS_POINTS = next(_CLAUSES), next(_CLAUSES)
HAS_THOI, THOI_TO_FIRST, BA_BICH = (next(_CLAUSES) for _ in range(3))
HAS_CONG, CONG_FINE, CONG_ITEMS, WHOLE_TABLE, TO_EACH = (next(_CLAUSES) for _ in range(5))
HAS_DEN, SOLE_HOLDER, PLAY_FIRST, DEN_MIN_OPPONENTS = (next(_CLAUSES) for _ in range(4))
HAS_KET, KET_PAYS, KET_BLOCK_PAYS, KET_WINDOW, KET_SINGLE_ONLY, KET_PAYEES, KET_CONTINUES = (
    next(_CLAUSES) for _ in range(7)
)
HAS_DUT, DUT_FIRST, DUT_SECOND, DUT_BOTH_TO_FIRST = (next(_CLAUSES) for _ in range(4))
RESIDUAL_QUAD, RESIDUAL_RUN, OPENING_CARD = (next(_CLAUSES) for _ in range(3))
HAS_DEN_CA_LANG, DEN_CA_LANG_PAYS, DEN_CA_LANG_ENDS = (next(_CLAUSES) for _ in range(3))
DEN_LEADS, LAST_LEADS = next(_CLAUSES), next(_CLAUSES)  # before the winner
N_CLAUSES = next(_CLAUSES)

# The state of a game. Seats are positions in turn: the next after p is p + 1 (the direction is none of its business).
_STATE = iter(range(120))
PLAYERS, OPENING, REQUIRED = (next(_STATE) for _ in range(3))  # required: the card that the first play must contain
ACTIVE, PASSED, PLAYED, LAID, CONG_SEATS = (next(_STATE) for _ in range(5))  # bits of seats; laid: in this trick
SEAT, ASKED, ASKED_SEAT, WINDOW, PLAYS = (next(_STATE) for _ in range(5))  # last to act; question; free chops; log
OWNER, CARDS_ON, KIND, LENGTH, TOP, TARGET, LED, WENT_OUT = (next(_STATE) for _ in range(8))  # the set on the table
FREE_SEATS = next(_STATE)  # seats that might chop the set on the table freely
CHAIN_SUM, CHAIN_LINKS, CHAIN_FIRST, CHAIN_PENDING, CHAIN_VICTIM, CHAIN_CHOPPER, CHAIN_VICTIM_OUT, CHAIN_BROKEN = (
    next(_STATE) for _ in range(8)
)
FINISHED, LATE = next(_STATE), next(_STATE)  # numbers of finishers, and of those that count as last
FINISHERS, *_ = [next(_STATE) for _ in range(8)]
LATE_FINISHERS, *_ = [next(_STATE) for _ in range(8)]
TRYING, RESIDUAL_SEAT, RESIDUAL_POWERS = (next(_STATE) for _ in range(3))
ENDING, N_FLOWS, LIABLE, N_PLACES, STUCK, FAULT, BLOCKER, LONGEST_CHAIN = (next(_STATE) for _ in range(8))
PLACES, *_ = [next(_STATE) for _ in range(8)]
NET, *_ = [next(_STATE) for _ in range(8)]
N_STATE = next(_STATE)

# How a game ended.
PLAYING, NORMAL, WHOLE_TABLE_CONG, THREE_SPADES, BLOCKED, DUT, BEATEN_LAST, ALL_STUCK, INSTANT = range(9)

# Bits of a play beside its 52 cards, and of an entry of the log.
SEAT_SHIFT = 52
INTERRUPT = 1 << 56
AS_QUAD = 1 << 57
AS_RUN_4 = 1 << 58
IS_STUCK = 1 << 59
ALL_CARDS = (1 << 52) - 1
TWOS = 15 << 48
# What is wrong with a scripted decision.
FINE, WRONG_TURN, ILLEGAL, ENDED_EARLY = range(4)
MOST_PLAYS = 600
MOST_FLOWS = 160
