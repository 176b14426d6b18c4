"""A game is one row of int64: the clauses of the rules, who plays, the state, the hands, the payments, the log.

``game[PASS_LOCKS]`` is a clause; what each number means stands in `tlsim.rules.schema`, in the order of the words there
(0 is the first, or "no"). Money is in half units. One row, so that a step takes one argument and a game in the middle
can be copied and played on.
"""

import numpy as np
from numpy.typing import NDArray

from tlsim.kernels.detect import MOST_PATTERNS

Ints = NDArray[np.int64]

# Kinds of combination.
NOTHING, SINGLE, PAIR, TRIPLE, QUAD, STRAIGHT, PAIR_RUN = range(7)
# Bombs, weakest first; runs of 5 and 6 pairs are bombs only where they can do what 4 pairs can.
NO_BOMB, RUN_3, QUAD_BOMB, RUN_4, RUN_5, RUN_6 = range(6)
# What a bomb may chop: its bit in a row of the chop table.
NO_TARGET, TWO, TWO_TWOS, ON_RUN_3, ON_QUAD, ON_RUN_4, ON_RUN_5, ON_RUN_6, THREE_TWOS = range(9)
# What a seat is asked; the last two before the first play.
LEAD, FOLLOW, FREE, AFTER_PASS, CALL, RETURN = range(6)
# Why money moves; the order of `tlsim.engine.rule_numbers.REASONS`.
(
    TOI_TRANG, CHOP, CARDS, THOI, CONG, DEN_CONG, PLACE, KET_3_BICH, CHAN_3_BICH, THUI_3_BICH, DEN_CA_LANG,
    SAM, SAM_BLOCKED, DEN_BAO, FOUR_PAIRS, VE_HEO, N_REASONS,
) = range(17)  # fmt: skip

# What happens in a game, counted; chops by bomb (3 pairs, quad, 4 pairs and more) and what they chop.
N_BOMBS, N_TARGETS = 3, 6  # targets: 2, two 2s, three 2s, 3 pairs, quad, 4 pairs and more
MOST_LINKS = 6  # of a chain, counted apart; a longer one counts with these
EV_CHOPS = 0
EV_CHAINS = EV_CHOPS + N_BOMBS * N_TARGETS  # that are paid, by number of chops
EV_VOID_CHAIN, EV_FREE_CHOP, EV_HUONG_SAI, EV_OUT_ON_TWO, EV_KET_TRIED, EV_KET_MADE, EV_KET_BLOCKED = range(
    EV_CHAINS + MOST_LINKS, EV_CHAINS + MOST_LINKS + 7
)
EV_THOI = EV_KET_BLOCKED + 1  # 2s by suit, 3 pairs, quads, 4 pairs, 3♠
N_THOI = 8
EV_CALLS, EV_DEN_BAO, EV_REVOLUTION = range(EV_THOI + N_THOI, EV_THOI + N_THOI + 3)
N_EVENTS = EV_REVOLUTION + 1

MOST_SEATS = 5
MOST_TRANSFERS = MOST_SEATS * (MOST_SEATS - 1)
MOST_PLAYS = 600  # 52 plays of a card, after each a pass of every other seat, before each as many stuck leaders: 468
MOST_FLOWS = 160
MOST_CHOICES = 160
MOST_LINES = 40  # of legal choices: a kind and a length each
MOST_OWN_LINKS = 16  # a link takes a bomb
MOST_EXCHANGES = 6
N_PRICES = 8  # of what is left in a hand; see `tlsim.kernels.leftover`
N_SCRATCH = 54  # two rounds of 27 states


class Layout:
    """Gives out the places of a row, one after another."""

    def __init__(self) -> None:
        self.size = 0

    def next(self, number: int = 1) -> int:
        """Return the first of the next so many places."""
        first, self.size = self.size, self.size + number
        return first


_next = Layout().next

# Clauses of the rules.
TOP_RANK_ONLY, SUIT_MATCH, STRAIGHT_MIN, STRAIGHT_LOW, LONGER_BEATS = (_next() for _ in range(5))
RUN_MIN, SUPERSET, TRUMP, ON_TWO, ON_TWO_IN_STRAIGHT, WITH_HANG = (_next() for _ in range(6))
PASS_LOCKS, PASS_RESET_ON_CHOP, CHOP_AFTER_PASS, ANY_TIME, FREE_TARGETS = (_next() for _ in range(5))
CHOPS = _next(6)  # by bomb: bits of targets
CHAIN, OVERLAID_TWOS, VOID_SCOPE, PAY_SAME_CLASS, PAY_LED_HANG = (_next() for _ in range(5))
FOUR_TWOS_AS_QUAD, FOUR_PAIRS_BONUS = _next(), _next()
TWO_PRICES = _next(4)  # of chopped twos by suit
PAIR_PRICE, TRIPLE_PRICE = _next(), _next()  # of a chopped pair or triple of 2s; -1 for the sum of its cards
CHOP_BY = _next(6)  # what a chop costs more, by the bomb that chops
BOMB_PRICES = _next(6)  # of chopped bombs
FIRST_OUT, COUNT_CARDS, JUNK_PRICE, HAS_PLACES, HAS_POINTS, N_TRANSFERS = (_next() for _ in range(6))
TRANSFERS = _next(3 * MOST_TRANSFERS)  # place that pays, place that gets, amount
POINTS = _next(MOST_SEATS)  # by place
HAS_THOI, THOI_TO_FIRST, BA_BICH = (_next() for _ in range(3))
ITEMS = _next(N_PRICES)
HAS_CONG, CONG_FINE, CONG_ITEMS, CONG_TIMES, WHOLE_TABLE, TO_EACH = (_next() for _ in range(6))  # items: how often
TWO_FINE, DOUBLED_BY = _next(), _next()  # bits of bombs by which the first to go out is paid double
HAS_DEN, SOLE_HOLDER, PLAY_FIRST, DEN_MIN_OPPONENTS = (_next() for _ in range(4))
HAS_KET, KET_PAYS, KET_BLOCK_PAYS, KET_WINDOW, KET_SINGLE_ONLY, KET_PAYEES, KET_CONTINUES = (_next() for _ in range(7))
HAS_DUT, DUT_FIRST, DUT_SECOND, DUT_BOTH_TO_FIRST, RESIDUAL_QUAD, RESIDUAL_RUN = (_next() for _ in range(6))
HAS_DEN_CA_LANG, DEN_CA_LANG_PAYS, DEN_CA_LANG_ENDS = (_next() for _ in range(3))
HAS_SAM, SAM_PAYS, SAM_FAIL_PAYS, SAM_BY_PLAYERS, SAM_TO_EACH, SAM_ITEMS, SAM_CHOP_MONEY = (_next() for _ in range(7))
HAS_DEN_BAO, DEN_BAO_MIN_ACTIVE, DEN_BAO_EFFECT = (_next() for _ in range(3))
N_ODD_CARDS, DEALER_ROTATES = _next(), _next()  # cards over that the first seats after the dealer get
HAS_TITLES, REVOLUTION, HIGH_SUIT_FIRST, N_EXCHANGES = (_next() for _ in range(4))
EXCHANGES = _next(3 * MOST_EXCHANGES)  # place that gives, place that gets, cards
# Clauses of the lead, and of what carries over to the next game.
OPENING_CARD, MUST_INCLUDE, LOWEST_MUST, RANDOM_LEADER = (_next() for _ in range(4))
N_ENTITLED = 5
ENTITLED = _next(N_ENTITLED)  # who leads the next game, the first of these whom the last game has
CONG_STREAK, ALTERNATES = _next(), _next()
# Clauses of tới trắng: of regular games, then of opening games.
INSTANT_PATTERNS, INSTANT_BY_TURN, INSTANT_HEO = _next(2), _next(2), _next(2)  # heo: bits of patterns with đếm heo
INSTANT_PAYS = _next(2 * MOST_PATTERNS)
THEN_OPENING, BARS_WINNER = (_next() for _ in range(2))

# What a smart seat weighs: the bits of numbers, see `tlsim.kernels.weights`.
N_WEIGHTS = 27
WEIGHTS = _next(N_WEIGHTS)
FAMILY = _next()  # of rules, for which an expert seat has learned apart; see `tlsim.engine.nets`

# Who plays, by seat. Seats are positions in turn: the next after p is p + 1 (the direction is none of its business).
N_OPTIONS = 8  # the policy and what it is told
POLICY = _next(MOST_SEATS)
PART = _next(MOST_SEATS)  # where its policy is called
HOLD_3S, DECLINES, CALLS_SAM, PLAYOUTS = (_next(MOST_SEATS) for _ in range(4))  # keeps 3♠; a tới trắng; …; games
BASE = _next(MOST_SEATS)  # the part by which a rollout plays on; 0 for that of smart seats
ADDRESS = _next(MOST_SEATS)  # of a user's function, or of the networks of an expert
TABLE_PART, CHOICES_PART, SMART_PART = _next(), _next(), _next()  # where parts are called
BY_CHANCE = _next()  # whether some seat needs random numbers
ROLLOUT_ROOM, EXPERT_ROOM, SHEET = (_next() for _ in range(3))  # where these lie; on the sheet, what users are shown
LESSON_PART, LESSON_ROOM = _next(), _next()  # 0 where nothing is learned
STREAMS = _next(3 * MOST_SEATS)  # start, step and words used of a seat's random numbers

# What a game starts from.
PLAYERS, LEADER, OPENING, REQUIRED_FIRST, LEAD_CARD, BARRED = (_next() for _ in range(6))
CONG_IN_A_ROW = _next(MOST_SEATS)  # games; `carry_over` brings it up to date
TITLES = _next(MOST_SEATS)  # seats by place in the last game; the first is -1 where there was none
SCRIPTED = _next(MOST_EXCHANGES)  # what a scripted seat returns
TOLD_GIFTS = _next(MOST_EXCHANGES)  # what was given up, where that is told; else 0
DEALT = _next(MOST_SEATS)
HELD = _next(MOST_SEATS)  # bits of the tới trắng patterns of each seat that declares

# The state of a game; from here on `begin` sets all to 0.
REQUIRED = _next()  # cards one of which the first play must contain
STAGE, STEP, CALLER, REVERSED, POINTS_GIVEN = (_next() for _ in range(5))  # caller: 0 nobody, else seat + 1
ACTIVE, PASSED, PLAYED, LAID, CONG_SEATS = (_next() for _ in range(5))  # bits of seats; laid: in this trick
SEAT, ASKED, ASKED_SEAT, WINDOW, PLAYS = (_next() for _ in range(5))  # last to act; question; free chops; log
OWNER, CARDS_ON, KIND, LENGTH, TOP, TARGET, LED, WENT_OUT = (_next() for _ in range(8))  # the set on the table
FREE_SEATS = _next()  # seats that might chop the set on the table freely
SEEN, SEEN_UP_TO = _next(), _next()  # cards laid, as the log has them, as far as somebody has looked
CHAIN_SUM, CHAIN_LINKS, CHAIN_FIRST, CHAIN_PENDING, CHAIN_BROKEN = (_next() for _ in range(5))
CHAIN_VICTIM, CHAIN_CHOPPER, CHAIN_VICTIM_OUT = (_next() for _ in range(3))
FINISHED, LATE = _next(), _next()  # numbers of finishers, and of those that count as last
TRYING, RESIDUAL_SEAT, RESIDUAL_POWERS = (_next() for _ in range(3))
ENDING, N_FLOWS, LIABLE, N_PLACES, STUCK, FAULT, BLOCKER, LONGEST_CHAIN = (_next() for _ in range(8))
STRENGTHS = _next(MOST_SEATS)  # for a call of Sâm, 1 and more; 0 where nobody has looked
NET, EVENTS, END_OF_STATE = _next(MOST_SEATS), _next(N_EVENTS), _next()
# Lists whose lengths stand in the state.
FINISHERS, LATE_FINISHERS, PLACES = (_next(MOST_SEATS) for _ in range(3))
OWN_LINKS = _next(3 * MOST_OWN_LINKS)  # of a chain in which each pays his own: victim, chopper, amount
GIFTS, RETURNS = _next(MOST_EXCHANGES), _next(MOST_EXCHANGES)  # cards given up, and returned
NEXT_LEADER, NEXT_OPENING, NEXT_BARRED = (_next() for _ in range(3))  # of the next game; -1 where there is none
HANDS = _next(MOST_SEATS)
END_OF_HANDS = _next()  # what a game in the middle is, but for its log, ends here
FLOWS = _next(4 * MOST_FLOWS)  # reason, payer, receiver, amount
LOG = _next(MOST_PLAYS)
SCRIPT_LENGTH, SCRIPT_PLAYS = _next(), _next(MOST_PLAYS)  # what scripted seats play
CHOICE_LINES, CHOICES = _next(), _next(3 * MOST_LINES)  # room for legal choices: kind, length, mask of top ranks
SCRATCH = _next(N_SCRATCH)  # room to take a hand apart
N_ROW = _next()

# How a game ended.
(
    PLAYING, NORMAL, WHOLE_TABLE_CONG, THREE_SPADES, BLOCKED, DUT, BEATEN_LAST, ALL_STUCK, INSTANT,
    CALL_MADE, CALL_BLOCKED, CALL_STUCK, N_ENDINGS,
) = range(13)  # fmt: skip
# What a game is at; the order in time.
AT_PLAY, AT_EXCHANGE, AT_CALLS = range(3)
# Who may be entitled to lead the next game.
NOBODY_LEADS, STREAK_LEADS, CALLER_LEADS, DEN_LEADS, WINNER_LEADS, LAST_LEADS = range(6)
# What parts are asked for (`tlsim.jit.Part`): a decision first; of the table, of the choices.
DECIDE = 0
PLAY_GAME, PLAY_ON, DECIDE_LOWEST, BEGIN_EXCHANGE, KIND_OF, FIND_LEAD = range(6)
LIST_CHOICES, PLAY_OF = 1, 2
# What a seat is told about calls of Sâm.
AS_IT_SEES_FIT, ALWAYS, NEVER = range(3)

# Bits of a play beside its 52 cards, and of an entry of the log.
SEAT_SHIFT = 52
INTERRUPT = 1 << 56
AS_QUAD = 1 << 57
AS_RUN_4 = 1 << 58
IS_STUCK = 1 << 59
ALL_CARDS = (1 << 52) - 1
TWOS = 15 << 48
# What is wrong with a scripted decision.
FINE, WRONG_TURN, ILLEGAL, ENDED_EARLY, NO_CHOICE = range(5)
