"""What is added up over games and matches, and what a game of a match carries over to the next."""

from typing import NamedTuple

import numpy as np

from tlsim.bits import popcount, trailing_zeros
from tlsim.jit import pointer, step
from tlsim.kernels import row as r
from tlsim.kernels.call import CERTAIN
from tlsim.kernels.deal import GROUP
from tlsim.kernels.detect import MOST_PATTERNS
from tlsim.kernels.row import Ints

# What carries over to the next game of a match, by seat; the last three are of the game just played.
IS_OPENING, FIRST_SEAT, DIRECTION, BARRED_SEAT, WAS_OPENING, LED_BY, WENT = range(7)
# By seat: games in a row in which it was cóng; its place in the last game, games in a row in that place, first place.
IN_A_ROW, PLACE_OF, GAMES_AT, FIRST_PLACE_OF = (7 + r.MOST_SEATS * at for at in range(4))
N_CARRIED = 7 + 4 * r.MOST_SEATS
# Kinds of games that are added up apart; of the money of a match also the whole.
REGULAR_GAMES, OPENING_GAMES, ALL_GAMES = range(3)
HOLDERS, WINNERS = range(2)  # of tới trắng: hands of which a pattern is the strongest, games won by it
# Sums of a batch; those by seat, role or reason take as many columns as there are.
S_GAMES, S_PLAYS, S_UNBALANCED, S_DEN, S_CONG = range(5)
S_ENDINGS = S_CONG + r.MOST_SEATS  # games by number of cóng seats come before
S_EVENTS = S_ENDINGS + r.N_ENDINGS
S_REASONS = S_EVENTS + r.N_EVENTS  # number of payments, then half units
S_SEATS = S_REASONS + 2 * r.N_REASONS
# By seat: net; over matches its square, its product with the number of games; over games its square; places.
NET_SUM, NET_SQUARES, NET_GAMES, GAME_SQUARES, PLACE_COUNTS = range(5)
N_PER_SEAT = PLACE_COUNTS + r.MOST_SEATS
S_ROLES = S_SEATS + r.MOST_SEATS * N_PER_SEAT
S_GAME_SQUARES = S_ROLES + r.MOST_SEATS * N_PER_SEAT  # of the number of games of a kind in a match
N_SUMS = S_GAME_SQUARES + 1
HALF_WIDTH = 4000  # half units that the histogram of money reaches, each way
LENGTHS = 300
# Sums of calls of Sâm by seat and strength of the hand: games in which it was asked, called, called in vain because of
# a tới trắng, called with success; its money where it called, and where it did not.
N_STRENGTHS = 20
C_ASKED, C_CALLED, C_VOID, C_MADE, C_MONEY, C_SILENT_MONEY, N_CALL_SUMS = range(7)
# Sums of titles: seats by place in one game and the next; by place and games in it so far, how many might keep it and
# did; matches won alone, together with others, and shares in sixtieths, by seat and by place in the first game.
MOST_IN_A_ROW = 12
WON_ALONE, WON_TOGETHER, WON_SHARES, N_WON = range(4)
T_MOVES = 0
T_RUNS = T_MOVES + r.MOST_SEATS * r.MOST_SEATS
T_WON = T_RUNS + 2 * r.MOST_SEATS * MOST_IN_A_ROW
T_WON_FIRST = T_WON + N_WON * r.MOST_SEATS
N_TITLE_SUMS = T_WON_FIRST + N_WON * r.MOST_SEATS
WHOLE_SHARE = 60  # can be split among 1 to 5
EXTREMES = 3  # largest loss, longest chain, longest game: value, match, game


class Sums(NamedTuple):
    """Integer sums; the first axis is the kind of game where there are two or three."""

    batches: Ints  # int64[3, 256, N_SUMS]
    flows: Ints  # int64[2, reasons, players, players]
    patterns: Ints  # int64[2, 2, 62]
    money: Ints  # int64[2, players, 2 * HALF_WIDTH + 1]
    lengths: Ints  # int64[2, LENGTHS]
    extremes: Ints  # int64[3, 3]
    calls: Ints  # int64[256, players, N_STRENGTHS, N_CALL_SUMS]; this and the next empty where the rules have none
    titles: Ints  # int64[256, N_TITLE_SUMS]


def empty_sums(players: int, *, calls: bool = False, titles: bool = False) -> Sums:
    """Return sums of nothing."""
    shapes: tuple[tuple[int, ...], ...] = (
        (3, GROUP, N_SUMS), (2, r.N_REASONS, players, players), (2, 2, MOST_PATTERNS), (2, players, 2 * HALF_WIDTH + 1),
        (2, LENGTHS), (EXTREMES, 3), (GROUP * calls, players, N_STRENGTHS, N_CALL_SUMS), (GROUP * titles, N_TITLE_SUMS),
    )  # fmt: skip
    sums = Sums(*(np.zeros(shape, np.int64) for shape in shapes))
    sums.extremes[:, 0] = -1
    return sums


@step
def seat_of(position, turn, players):
    """Return the seat of a position in turn, or the position of a seat: with the direction back it is mirrored."""
    return position if turn == 1 or position == 0 else players - position


@step
def _seat_and_role(game, position, turn):
    """Return the numbers of a position by seat and, behind all seats, by distance from the leader."""
    players = game[r.PLAYERS]
    return seat_of(position, turn, players), r.MOST_SEATS + (position - game[r.LEADER]) % players


@step
def add_game(game, turn, to):
    """Add what happened in a game to a batch; turn : its direction."""
    to[S_GAMES] += 1
    to[S_PLAYS] += game[r.PLAYS]
    to[S_ENDINGS + game[r.ENDING]] += 1
    if game[r.CONG_SEATS]:
        to[S_CONG + popcount(game[r.CONG_SEATS])] += 1
        to[S_DEN] += game[r.LIABLE] > 0
    for event in range(r.N_EVENTS):
        to[S_EVENTS + event] += game[r.EVENTS + event]
    for at in range(game[r.N_PLACES]):
        for of in _seat_and_role(game, game[r.PLACES + at], turn):
            to[S_SEATS + N_PER_SEAT * of + PLACE_COUNTS + at] += 1
    sum_of_all = 0
    for position in range(game[r.PLAYERS]):
        won = game[r.NET + position]
        sum_of_all += won
        for of in _seat_and_role(game, position, turn):
            to[S_SEATS + N_PER_SEAT * of + GAME_SQUARES] += won * won
    to[S_UNBALANCED] += sum_of_all != game[r.POINTS_GIVEN]
    for at in range(r.FLOWS, r.FLOWS + 4 * game[r.N_FLOWS], 4):
        alike = 0  # what a seat pays another for one reason is one payment, however it came about (M23)
        for before in range(r.FLOWS, at, 4):
            same = game[before] == game[at] and game[before + 1] == game[at + 1] and game[before + 2] == game[at + 2]
            alike += same
        to[S_REASONS + 2 * game[at]] += alike == 0
        to[S_REASONS + 2 * game[at] + 1] += game[at + 3]


@step
def add_money(game, turn, net, sums, kind):
    """Add the money of a game to that of its match, to who pays whom, to the histograms."""
    players = game[r.PLAYERS]
    for at in range(r.FLOWS, r.FLOWS + 4 * game[r.N_FLOWS], 4):
        payer, receiver = seat_of(game[at + 1], turn, players), seat_of(game[at + 2], turn, players)
        sums.flows[kind, game[at], payer, receiver] += game[at + 3]
    for position in range(players):
        (seat, role), won = _seat_and_role(game, position, turn), game[r.NET + position]
        net[kind, seat] += won
        net[kind, role] += won
        sums.money[kind, seat, min(max(won + HALF_WIDTH, 0), 2 * HALF_WIDTH)] += 1
        if game[r.HELD + position]:
            strongest = trailing_zeros(game[r.HELD + position])
            sums.patterns[HOLDERS, kind, strongest] += 1
            sums.patterns[WINNERS, kind, strongest] += game[r.ENDING] == r.INSTANT and position == game[r.PLACES]
    sums.lengths[kind, min(game[r.PLAYS], LENGTHS - 1)] += 1


@step
def add_calls(game, turn, to):
    """Add by seat and strength which seats were asked whether they call Sâm, what they did and what came of it."""
    for position in range(game[r.PLAYERS]):
        strength, won = game[r.STRENGTHS + position] - 1, game[r.NET + position]
        if strength < 0:
            continue
        seat = seat_of(position, turn, game[r.PLAYERS])
        at = min(strength * N_STRENGTHS // CERTAIN, N_STRENGTHS - 1)
        to[seat, at, C_ASKED] += 1
        if game[r.CALLER] - 1 == position:
            to[seat, at, C_CALLED] += 1
            to[seat, at, C_VOID] += game[r.ENDING] == r.INSTANT
            to[seat, at, C_MADE] += game[r.ENDING] == r.CALL_MADE
            to[seat, at, C_MONEY] += won
        else:
            to[seat, at, C_SILENT_MONEY] += won


@step
def add_titles(game, carried, turn, to, number):
    """Add who moved from which place to which, and who kept his after so many games in it; note the new places."""
    players = game[r.PLAYERS]
    for place in range(players):
        seat = seat_of(game[r.PLACES + place], turn, players)
        if number == 0:
            carried[FIRST_PLACE_OF + seat] = place
            carried[GAMES_AT + seat] = 0
        else:
            old = carried[PLACE_OF + seat]
            to[T_MOVES + r.MOST_SEATS * old + place] += 1
            at = T_RUNS + 2 * (MOST_IN_A_ROW * old + min(carried[GAMES_AT + seat], MOST_IN_A_ROW) - 1)
            to[at] += 1
            to[at + 1] += old == place
            if old != place:
                carried[GAMES_AT + seat] = 0
        carried[GAMES_AT + seat] += 1
        carried[PLACE_OF + seat] = place


@step
def add_winners(hall, match, to):
    """Add who has won a match: the most points, several alike together (004#R22, L17)."""
    players, net, carried = pointer(hall.game)[r.PLAYERS], hall.net[match, ALL_GAMES], hall.carried[match]
    most, winners = net[0], 0
    for seat in range(players):
        winners = 1 if net[seat] > most else winners + (net[seat] == most)
        most = max(most, net[seat])
    for seat in range(players):
        if net[seat] == most:
            for at in (T_WON + N_WON * seat, T_WON_FIRST + N_WON * carried[FIRST_PLACE_OF + seat]):
                to[at + (WON_ALONE if winners == 1 else WON_TOGETHER)] += 1
                to[at + WON_SHARES] += WHOLE_SHARE // winners


@step
def add_extremes(game, extremes, index, number):
    """Remember the game where it is the most extreme so far; of equal ones the earlier game."""
    most = 0
    for position in range(game[r.PLAYERS]):
        most = max(most, -game[r.NET + position])
    for at, value in enumerate((most, game[r.LONGEST_CHAIN], game[r.PLAYS])):
        old, match, game_number = extremes[at, 0], extremes[at, 1], extremes[at, 2]
        first = index < match or (index == match and number < game_number)
        if value > old or (value == old and first):
            extremes[at, 0], extremes[at, 1], extremes[at, 2] = value, index, number


@step
def close_match(hall, match, batches):
    """Add the money of a whole match by seat and by role: its sum, its square, its product with the number of games."""
    played, net = hall.played[match], hall.net[match]
    played[ALL_GAMES] = played[REGULAR_GAMES] + played[OPENING_GAMES]
    for at in range(2 * r.MOST_SEATS):
        net[ALL_GAMES, at] = net[REGULAR_GAMES, at] + net[OPENING_GAMES, at]
    for kind in range(3):
        to = batches[kind, match]
        to[S_GAME_SQUARES] += played[kind] * played[kind]
        for of in range(2 * r.MOST_SEATS):  # by seat, by role; 0 where nobody sits
            at, won = S_SEATS + N_PER_SEAT * of, net[kind, of]
            to[at + NET_SUM] += won
            to[at + NET_SQUARES] += won * won
            to[at + NET_GAMES] += won * played[kind]
