"""A seat that has learned: a network, taught by games of its own, tells what each play is worth.

It sees its own hand, the rules, the public state and the public log, never another hand; see `tlsim.kernels.features`.
"""

from tlsim.jit import Part, call_part, offset, row_at
from tlsim.kernels import row as r
from tlsim.kernels.features import HIDDEN, MOST_FACTS, N_NET, add_facts, facts_of_play, facts_of_state, worth
from tlsim.kernels.rollout import MOST_TRIED, PLAYS_TRIED, SQUARES, list_answers

# Room of an expert: plays as a rollout lists them; facts; hidden units by the state alone, and with a play.
FACTS = SQUARES + MOST_TRIED
STATE_SUMS = FACTS + MOST_FACTS
SUMS = STATE_SUMS + HIDDEN
N_EXPERT_ROOM = SUMS + HIDDEN


@Part
def expert(game, what, value):  # noqa: ARG001
    """Return the answer that is worth most by the network, of equal ones the first, for the seat that is asked."""
    seat, question, room = game[r.ASKED_SEAT], game[r.ASKED], row_at(game[r.EXPERT_ROOM])
    hand = game[r.HANDS + seat]
    if game[r.LESSON_PART]:
        call_part(game[r.LESSON_PART], game, r.DECIDE, 0)
    number = list_answers(game, hand, question, room, call_part(game[r.SMART_PART], game, r.DECIDE, 0))
    if number == 1:
        return room[PLAYS_TRIED]
    net = offset(row_at(game[r.ADDRESS + seat]), N_NET * game[r.FAMILY])
    facts, base, sums = offset(room, FACTS), offset(room, STATE_SUMS), offset(room, SUMS)
    known, unseen, fewest, held = facts_of_state(game, hand, seat, question, facts)
    add_facts(net, facts, 0, known, net, base)
    best, most = 0, 0
    for at in range(number):
        play = room[PLAYS_TRIED + at]
        end = facts_of_play(game, hand, seat, question, play, at == 0, unseen, fewest, held, facts, known)
        add_facts(net, facts, known, end, base, sums)
        brings = worth(net, sums)
        if at == 0 or brings > most:
            best, most = at, brings
    return room[PLAYS_TRIED + best]
