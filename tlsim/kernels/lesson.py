"""Lessons for a network: at some decisions every answer is played out with the very cards that lie on the table.

What an answer brings there, less what the others bring, is in the mean what it is worth to who knows his own cards
alone: the deals are the right ones, however the others have played.
"""

from tlsim.jit import Part, call_part, offset, row_at
from tlsim.kernels import row as r
from tlsim.kernels.features import MOST_FACTS, facts_of_play, facts_of_state
from tlsim.kernels.policies import SMART
from tlsim.kernels.rollout import MOST_TRIED, N_ROOM, PLAYS_TRIED, STOOD, copy_game, list_answers, play_out

# A notebook of lessons: how many decisions pass between two, decisions so far, lines written, room for lines, lessons,
# whether all play on as smart seats, the address of the networks that learn; then the room of a rollout; then the
# lines: number of the lesson, question, money in half units, number of facts, facts.
EVERY, DECISIONS, LINES, MOST_LINES, LESSON, BY_SMART, LEARNS = range(7)
_ROLLOUT = 8
FIRST_LINE = _ROLLOUT + N_ROOM
MOST_ANSWERS = MOST_TRIED
OF_DECISION, QUESTION, MONEY, N_FACTS, LINE_FACTS = range(5)
LINE = LINE_FACTS + MOST_FACTS


@Part
def lesson(game, what, value):  # noqa: ARG001
    """Make a lesson of every so manieth decision of the seats that learn: play all answers out, a line for each."""
    book, seat, question = row_at(game[r.LESSON_ROOM]), game[r.ASKED_SEAT], game[r.ASKED]
    if game[r.ADDRESS + seat] != book[LEARNS]:
        return 0
    book[DECISIONS] += 1
    if book[DECISIONS] % book[EVERY]:
        return 0
    hand, room = game[r.HANDS + seat], offset(book, _ROLLOUT)
    number = list_answers(game, hand, question, room, call_part(game[r.SMART_PART], game, r.DECIDE, 0))
    if number == 1 or book[LINES] + number > book[MOST_LINES]:
        return 0
    copy_game(game, room)
    room[STOOD + r.LESSON_PART] = 0
    if book[BY_SMART]:
        for other in range(game[r.PLAYERS]):
            room[STOOD + r.POLICY + other], room[STOOD + r.PART + other] = SMART, game[r.SMART_PART]
    for at in range(number):
        line = offset(book, FIRST_LINE + LINE * book[LINES])
        facts = offset(line, LINE_FACTS)
        play = room[PLAYS_TRIED + at]
        known, unseen, fewest, held = facts_of_state(game, hand, seat, question, facts)
        line[N_FACTS] = facts_of_play(game, hand, seat, question, play, at == 0, unseen, fewest, held, facts, known)
        line[OF_DECISION], line[QUESTION], line[MONEY] = book[LESSON], question, play_out(room, seat, play)
        book[LINES] += 1
    book[LESSON] += 1
    return 0
