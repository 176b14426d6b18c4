"""All answers of a seat to a question tried on the same deals: what it cannot know is dealt anew, and all play on."""

from __future__ import annotations

from tlsim.jit import kernel, offset, pointer, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import true_cards
from tlsim.kernels.draw import set_stream
from tlsim.kernels.rng import TRYOUTS, stream
from tlsim.kernels.rollout import COPY, STOOD, deal_hidden, play_out, recall

MONEY, FIRST, CONG, N_FOUND = range(4)  # of an answer: money in half units, whether first, whether cóng
_STREAMS = 8  # of a deal: one for each seat, one to deal by


@kernel
def try_answers(key, game, room, answers, deals, first, stop, found):
    """Try answers on the deals ``first``, ``first + 1``, …; return whether it was not stopped.

    game : int64[N_ROW], a game that waits for an answer, with the policies by which all play on; room : int64[N_ROOM];
    answers : int64[answers]; deals : int64[n, seats], the hands of all seats in every deal that is possible, empty
    where they are drawn; found : int64[deals, answers, N_FOUND]
    """
    row, tried = pointer(game), pointer(room)
    seat = row[r.ASKED_SEAT]
    stood = offset(tried, STOOD)
    for at in range(row[r.PLAYS]):
        tried[COPY + r.LOG + at] = row[r.LOG + at]
    for deal in range(len(found)):
        if stop[0]:
            return False
        for place in range(r.END_OF_HANDS):
            stood[place] = row[place]
        for other in range(row[r.PLAYERS]):
            set_stream(stood, other, stream(key, TRYOUTS, (first + deal) * _STREAMS + other))
        if len(deals):
            _hand_out(row, deals[first + deal], stood)
        else:
            set_stream(row, seat, stream(key, TRYOUTS, (first + deal) * _STREAMS + r.MOST_SEATS))
            deal_hidden(row, row[r.HANDS + seat], seat, stood)
        for at in range(len(answers)):
            play_out(tried, seat, answers[at])
            copy, brought = offset(tried, COPY), found[deal, at]
            brought[MONEY] = copy[r.NET + seat]
            brought[FIRST] = copy[r.N_PLACES] > 0 and copy[r.PLACES] == seat
            brought[CONG] = (copy[r.CONG_SEATS] >> seat) & 1
    return True


@scalar_step
def _hand_out(game, hands, to):
    """Give every seat what it holds in a deal that is possible."""
    for seat in range(game[r.PLAYERS]):
        laid = game[r.DEALT + seat] & ~true_cards(game, game[r.HANDS + seat])
        to[r.DEALT + seat] = laid | hands[seat]
        to[r.HANDS + seat] = true_cards(game, hands[seat])
    recall(game, to)
