"""A user's own policy: a compiled function that is shown what its seat may know, and chooses a play."""

import os
from typing import Any

import numpy as np

from tlsim import jit
from tlsim.bits import deposit, highest, popcount
from tlsim.errors import Sentence
from tlsim.kernels import row as r
from tlsim.kernels.before import returned_cards
from tlsim.kernels.choices import choice_at
from tlsim.kernels.combos import TWO_RANK, true_cards
from tlsim.kernels.policies import REFUSED
from tlsim.kernels.row import Ints, Layout

# The sheet that a policy is shown. `tlsim.policy` documents it.
COLUMNS, CARDS_COLUMN = 4, 3  # of a play: kind, top rank, length, cards
MOST_SHOWN = 4 * r.MOST_CHOICES
_next = Layout().next
ANSWER, N_SHOWN, N_ENTRIES = _next(), _next(), _next()
CALLS_LEFT = _next()  # that look at every index
OWN_HAND = _next()
TABLE = _next(10 + r.MOST_SEATS)
RANDOM_WORDS = _next(3)
SHOWN = _next(COLUMNS * MOST_SHOWN)
SHOWN_LOG = _next(r.MOST_PLAYS)
N_SHEET = _next()
# Columns of the table.
(
    T_SEAT, T_PLAYERS, T_QUESTION, T_OWNER, T_KIND, T_TOP, T_LENGTH, T_CARDS, T_REVERSED, T_CALLER, T_LEFT,
) = range(11)  # fmt: skip
SAM_CALL, GIVEN_BACK = 9, 10  # kinds of what is chosen before the first play
UNANSWERED, RAISED = -1 << 40, -2 << 40
FIRST_CALLS = 1000  # of a function in a block of games, which look at every index
DEBUG = "TLSIM_DEBUG_POLICY"  # in the environment: all calls do


def own_room() -> Ints:
    """Return room for users' policies: the sheet that functions are shown, and behind it the plays on it."""
    room = np.zeros(N_SHEET + MOST_SHOWN, np.int64)
    room[CALLS_LEFT] = 1 << 60 if os.environ.get(DEBUG) else FIRST_CALLS
    return room


def entry_of(function: Any) -> Any:
    """Return the compiled entry of a user's function, to be called by its ``address``."""
    careful = jit.checked(function)

    def call(pointer: Any) -> None:
        sheet = jit.carray(pointer, (N_SHEET,))
        plays = sheet[SHOWN : SHOWN + COLUMNS * sheet[N_SHOWN]].reshape((-1, COLUMNS))
        log = sheet[SHOWN_LOG : SHOWN_LOG + sheet[N_ENTRIES]]
        table, words = sheet[TABLE:RANDOM_WORDS], sheet[RANDOM_WORDS:SHOWN]
        try:
            if sheet[CALLS_LEFT] > 0:
                sheet[CALLS_LEFT] -= 1
                sheet[ANSWER] = careful(plays, sheet[OWN_HAND], table, log, words)
            else:
                sheet[ANSWER] = function(plays, sheet[OWN_HAND], table, log, words)
        except Exception:  # noqa: BLE001 (compiled code knows no other)
            sheet[ANSWER] = RAISED

    return jit.callback(call)


def failure(function: Any, game: Ints, sheet: Ints) -> Sentence:
    """Say what a function did with the sheet that it was shown last: it is called once more, from Python."""
    seat, number = sheet[TABLE + T_SEAT], sheet[N_SHOWN]
    if sheet[ANSWER] != RAISED:
        return Sentence("answered {answer}: must be the number of one of the plays that it was shown, 0 to {most}",
                        answer=int(sheet[ANSWER]), most=int(number) - 1)  # fmt: skip
    plays = sheet[SHOWN : SHOWN + COLUMNS * number].reshape((-1, COLUMNS))
    log = sheet[SHOWN_LOG : SHOWN_LOG + sheet[N_ENTRIES]]
    words = game[r.STREAMS + 3 * seat : r.STREAMS + 3 * seat + 3].copy()
    text = Sentence("raised an exception")
    for form in (jit.checked, jit.interpreted):  # compiled code does not say which index it was, Python does
        shown = plays.copy(), int(sheet[OWN_HAND]), sheet[TABLE:RANDOM_WORDS].copy(), log.copy(), words.copy()
        try:
            form(function)(*shown)
        except Exception as error:  # noqa: BLE001 (whatever a user's function raises)
            text = Sentence("raised {kind}: {error}", kind=type(error).__name__, error=str(error))
            if not isinstance(error, IndexError):
                break
    return text


@jit.scalar_step
def _show_returns(game, hand, sheet, plays):
    """Write what may be returned and give the number: every choice of cards, ascending, as far as there is room."""
    size, number = returned_cards(game, game[r.STEP]), 0
    chosen = (1 << size) - 1  # which of the cards of the hand, by number
    while chosen < 1 << popcount(hand) and number < MOST_SHOWN:
        cards = deposit(chosen, hand)
        number = _show(game, sheet, plays, number, GIVEN_BACK, highest(cards) >> 2, size, cards)
        low = chosen & -chosen
        carry = chosen + low
        chosen = carry | ((chosen ^ carry) // low >> 2)
    return number


@jit.scalar_step
def _show_plays(game, question, sheet, plays):
    """Write the legal plays and return their number: a pass first, then every choice with every highest card."""
    number = 0
    if question != r.LEAD:
        number = _show(game, sheet, plays, 0, 0, 0, 0, 0)
    for choice in range(jit.call_part(game[r.CHOICES_PART], game, r.LIST_CHOICES, 0)):
        kind, rank, length = choice_at(game, choice)
        last = 0
        for suit in range(4):
            play = jit.call_part(game[r.CHOICES_PART], game, r.PLAY_OF, choice << 4 | 1 << suit)
            if play and play != last:
                number = _show(game, sheet, plays, number, kind, rank, length, play)
                last = play
    return number


@jit.scalar_step
def _show(game, sheet, plays, number, kind, rank, length, play):
    """Write a play as the log would have it, in a revolution too; return the number of plays."""
    at = SHOWN + COLUMNS * number
    true_rank = TWO_RANK - rank if game[r.REVERSED] and play else rank
    sheet[at], sheet[at + 1], sheet[at + 2] = kind, true_rank, length
    sheet[at + CARDS_COLUMN] = true_cards(game, play & r.ALL_CARDS)
    plays[number] = play
    return number + 1


@jit.scalar_step
def _show_table(game, hand, seat, question, sheet):
    """Write the own hand, the set on the table, how many cards each seat holds, the log, the random numbers."""
    sheet[OWN_HAND] = true_cards(game, hand)
    sheet[TABLE + T_SEAT], sheet[TABLE + T_PLAYERS], sheet[TABLE + T_QUESTION] = seat, game[r.PLAYERS], question
    sheet[TABLE + T_OWNER] = -1 if question == r.LEAD or question >= r.CALL else game[r.OWNER]
    sheet[TABLE + T_KIND], sheet[TABLE + T_LENGTH] = game[r.KIND], game[r.LENGTH]
    sheet[TABLE + T_TOP] = TWO_RANK - (game[r.TOP] >> 2) if game[r.REVERSED] else game[r.TOP] >> 2
    sheet[TABLE + T_CARDS] = 0 if question == r.LEAD or question >= r.CALL else true_cards(game, game[r.CARDS_ON])
    sheet[TABLE + T_REVERSED], sheet[TABLE + T_CALLER] = game[r.REVERSED], game[r.CALLER] - 1
    for other in range(game[r.PLAYERS]):
        sheet[TABLE + T_LEFT + other] = popcount(game[r.HANDS + other])
    sheet[N_ENTRIES] = game[r.PLAYS]
    for at in range(game[r.PLAYS]):
        sheet[SHOWN_LOG + at] = game[r.LOG + at]
    for word in range(3):
        sheet[RANDOM_WORDS + word] = game[r.STREAMS + 3 * seat + word]


@jit.Part
def own(game, what, value):  # noqa: ARG001
    """Show the function of the seat that is asked what it may answer, and take what it names, or `REFUSED`."""
    seat, question, sheet = game[r.ASKED_SEAT], game[r.ASKED], jit.row_at(game[r.SHEET])
    hand, plays = game[r.HANDS + seat], jit.offset(sheet, N_SHEET)
    if question == r.CALL:
        _show(game, sheet, plays, 0, 0, 0, 0, 0)
        number = _show(game, sheet, plays, 1, SAM_CALL, 0, 0, 1)
        sheet[SHOWN + COLUMNS + CARDS_COLUMN] = 0
    elif question == r.RETURN:
        number = _show_returns(game, hand, sheet, plays)
    else:
        number = _show_plays(game, question, sheet, plays)
    if number == 1:
        return plays[0]
    sheet[N_SHOWN], sheet[ANSWER] = number, UNANSWERED
    _show_table(game, hand, seat, question, sheet)
    jit.call_address(game[r.ADDRESS + seat], sheet)
    answer = sheet[ANSWER]
    if answer < 0 or answer >= number:
        game[r.FAULT] = r.NO_CHOICE
        return REFUSED
    for word in range(3):
        game[r.STREAMS + 3 * seat + word] = sheet[RANDOM_WORDS + word]
    return plays[answer]
