"""Matches: games one after another, what carries over between them, and the sums over them.

A group is 256 matches. Game g of all its matches is dealt at once, from the stream of (game, chunk of 1,024 matches),
so any game of any match can be played alone, and rules, policies and players change no deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import popcount, trailing_zeros
from tlsim.jit import kernel, step
from tlsim.kernels.call import CERTAIN
from tlsim.kernels.deal import CHUNK, GROUP, Dealer, Desk, deal_group
from tlsim.kernels.detect import MOST_PATTERNS, Bench, Tests, detect
from tlsim.kernels.draw import below, set_stream
from tlsim.kernels.given import Given, deal_given, deal_odd_cards, given_row
from tlsim.kernels.own import Own
from tlsim.kernels.rng import CHOICES as CHOICES_OF_SEAT
from tlsim.kernels.rng import GAMES, LEADERS, stream
from tlsim.kernels.row import (
    ALTERNATES,
    BARRED,
    CALL_MADE,
    CALLER,
    CONG_IN_A_ROW,
    CONG_SEATS,
    DEALT,
    ENDING,
    EVENTS,
    FAULT,
    FLOWS,
    HAS_SAM,
    HAS_TITLES,
    HELD,
    INSTANT,
    INSTANT_PATTERNS,
    LEAD_CARD,
    LEADER,
    LIABLE,
    LONGEST_CHAIN,
    MOST_SEATS,
    N_ENDINGS,
    N_EVENTS,
    N_FLOWS,
    N_ODD_CARDS,
    N_OPTIONS,
    N_PLACES,
    N_REASONS,
    NET,
    NEXT_BARRED,
    NEXT_LEADER,
    NEXT_OPENING,
    OPENING,
    PLACES,
    PLAYERS,
    PLAYS,
    POINTS_GIVEN,
    POLICY,
    REQUIRED_FIRST,
    STRENGTHS,
    TITLES,
    Ints,
)  # fmt: skip
from tlsim.kernels.table import NO_ONE, find_lead, play_game

# What carries over to the next game of a match, by seat; the last three are of the game just played.
IS_OPENING, FIRST_SEAT, DIRECTION, BARRED_SEAT, WAS_OPENING, LED_BY, WENT = range(7)
# By seat: games in a row in which it was cóng; its place in the last game, games in a row in that place, first place.
IN_A_ROW, PLACE_OF, GAMES_AT, FIRST_PLACE_OF = (7 + MOST_SEATS * at for at in range(4))
N_CARRIED = 7 + 4 * MOST_SEATS
# Kinds of games that are added up apart; of the money of a match also the whole.
REGULAR_GAMES, OPENING_GAMES, ALL_GAMES = range(3)
HOLDERS, WINNERS = range(2)  # of tới trắng: hands of which a pattern is the strongest, games won by it
# Sums of a batch; those by seat, role or reason take as many columns as there are.
S_GAMES, S_PLAYS, S_UNBALANCED, S_DEN, S_CONG = range(5)
S_ENDINGS = S_CONG + MOST_SEATS  # games by number of cóng seats come before
S_EVENTS = S_ENDINGS + N_ENDINGS
S_REASONS = S_EVENTS + N_EVENTS  # number of payments, then half units
S_SEATS = S_REASONS + 2 * N_REASONS
# By seat: net; over matches its square, its product with the number of games; over games its square; places.
NET_SUM, NET_SQUARES, NET_GAMES, GAME_SQUARES, PLACE_COUNTS = range(5)
N_PER_SEAT = PLACE_COUNTS + MOST_SEATS
S_ROLES = S_SEATS + MOST_SEATS * N_PER_SEAT
S_GAME_SQUARES = S_ROLES + MOST_SEATS * N_PER_SEAT  # of the number of games of a kind in a match
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
T_RUNS = T_MOVES + MOST_SEATS * MOST_SEATS
T_WON = T_RUNS + 2 * MOST_SEATS * MOST_IN_A_ROW
T_WON_FIRST = T_WON + N_WON * MOST_SEATS
N_TITLE_SUMS = T_WON_FIRST + N_WON * MOST_SEATS
WHOLE_SHARE = 60  # can be split among 1 to 5
STOPPED, FAULTY = 1, 2
EXTREMES = 3  # largest loss, longest chain, longest game: value, match, game


class Sums(NamedTuple):
    """Integer sums; the first axis is the kind of game where there are two or three.

    batches : int64[3, 256, N_SUMS]; flows : int64[2, reasons, players, players]; patterns : int64[2, 2, 62];
    money : int64[2, players, 2 * HALF_WIDTH + 1]; lengths : int64[2, LENGTHS]; extremes : int64[3, 3];
    calls : int64[256, players, N_STRENGTHS, N_CALL_SUMS]; titles : int64[256, N_TITLE_SUMS]; these two are empty where
    the rules have none
    """

    batches: Ints
    flows: Ints
    patterns: Ints
    money: Ints
    lengths: Ints
    extremes: Ints
    calls: Ints
    titles: Ints


def empty_sums(players: int, *, calls: bool = False, titles: bool = False) -> Sums:
    """Return sums of nothing."""
    extremes = np.zeros((EXTREMES, 3), np.int64)
    extremes[:, 0] = -1
    return Sums(
        np.zeros((3, GROUP, N_SUMS), np.int64),
        np.zeros((2, N_REASONS, players, players), np.int64),
        np.zeros((2, 2, MOST_PATTERNS), np.int64),
        np.zeros((2, players, 2 * HALF_WIDTH + 1), np.int64),
        np.zeros((2, LENGTHS), np.int64),
        extremes,
        np.zeros((GROUP if calls else 0, players, N_STRENGTHS, N_CALL_SUMS), np.int64),
        np.zeros((GROUP if titles else 0, N_TITLE_SUMS), np.int64),
    )


class Hall(NamedTuple):
    """Room for a group of matches; the row holds the rules and the policies.

    game : int64[N_ROW]; seats : int64[N_OPTIONS, MOST_SEATS], policy and its options; hands : int64[seats, 256];
    carried : int64[256, N_CARRIED]; net : int64[256, 3, 2 * MOST_SEATS], by kind, then by seat and by role;
    played : int64[256, 3], games by kind
    """

    game: Ints
    seats: Ints
    hands: Ints
    carried: Ints
    net: Ints
    played: Ints
    desk: Desk
    opening: Bench
    regular: Bench


@step
def start_matches(hall):
    """Every match begins with an opening game in the usual direction (M18)."""
    for match in range(GROUP):
        hall.carried[match, IS_OPENING], hall.carried[match, FIRST_SEAT] = 1, 0
        hall.carried[match, DIRECTION], hall.carried[match, BARRED_SEAT] = 1, NO_ONE
        for at in range(IN_A_ROW, N_CARRIED):
            hall.carried[match, at] = 0
        for kind in range(3):
            hall.played[match, kind] = 0
            for at in range(2 * MOST_SEATS):
                hall.net[match, kind, at] = 0


@kernel
def play_games(
    key: NDArray[np.uint64],
    dealer: Dealer,
    tests: tuple[Tests, Tests],
    given: Given | None,
    hall: Hall,
    chance: int | None,
    smart: int | None,
    rollout: Ints | None,
    own: Own | None,
    before: int | None,
    group: int,
    matches: tuple[int, int],
    games: tuple[int, int],
    sums: Sums,
    stop: Ints,
) -> int:
    """Play games ``games[0]`` … of matches ``matches[0]`` … of a group, and add them up; the ends are not played.

    Game after game, each for all the matches, from game 0 on: what carries over stays in the hall.
    chance, smart, rollout, own, before : as for `play_game`

    Returns
    -------
    int
        0 where all was played, `STOPPED` where ``stop`` ended it, `FAULTY` where a policy chose no play.
    """
    script = hall.game[:0]
    if games[0] == 0:
        start_matches(hall)
    for number in range(games[0], games[1]):
        deal_games(key, dealer, tests, given, hall, group, matches, number)
        for match in range(matches[0], matches[1]):
            if stop[0]:
                return STOPPED
            seat_players(given, hall, group, match)
            begin_game(key, given, hall, group * GROUP + match, number)
            if chance is not None:
                begin_streams(key, hall, group * GROUP + match, number)
            play_game(hall.game, script, chance, smart, rollout, own, before)
            if hall.game[FAULT]:
                return FAULTY
            finish_game(hall, sums, group * GROUP + match, number)
    for match in range(matches[0], matches[1]):
        close_match(hall, match, sums.batches)
        if hall.game[HAS_TITLES]:
            add_winners(hall, match, sums.titles[match])
    return 0


@step
def deal_games(key, dealer, tests, given, hall, group, matches, number):
    """Deal game ``number`` of the matches of a group and look for tới trắng."""
    if given is None:
        of = stream(key, GAMES, (np.int64(number) << 40) + group // (CHUNK // GROUP))
        deal_group(dealer, of, group % (CHUNK // GROUP), hall.desk, hall.hands)
        if hall.game[N_ODD_CARDS]:
            deal_odd_cards(key, hall.game, hall.hands, group, matches[0], matches[1], number)
    else:
        deal_given(key, given, hall.game, hall.hands, group, matches[0], matches[1], number)
    seen = hall.hands.reshape(-1)[: hall.game[PLAYERS] * GROUP]
    if tests[REGULAR_GAMES].patterns:
        detect(tests[REGULAR_GAMES], seen, hall.regular)
    if tests[OPENING_GAMES].patterns:
        detect(tests[OPENING_GAMES], seen, hall.opening)


@step
def seat_players(given, hall, group, match):
    """Write hands and policies into the row by position in turn: with the direction back seats are mirrored."""
    game, carried = hall.game, hall.carried[match]
    players, turn = game[PLAYERS], carried[DIRECTION]
    if given is not None:
        at = given_row(given, group * GROUP + match)
        leader = given.leaders[at]
        carried[IS_OPENING], carried[FIRST_SEAT], carried[BARRED_SEAT] = leader < 0, leader, given.barred[at]
    opening = carried[IS_OPENING]
    game[OPENING] = opening
    held = hall.opening.held if opening else hall.regular.held
    listed = game[INSTANT_PATTERNS + opening]
    for position in range(players):
        seat = seat_of(position, turn, players)
        game[DEALT + position] = hall.hands[seat, match]
        for option in range(N_OPTIONS):
            game[POLICY + option * MOST_SEATS + position] = hall.seats[option, seat]
        game[HELD + position] = held[seat * GROUP + match] if listed else 0


@step
def begin_streams(key, hall, index, number):
    """Begin the random numbers of every seat, which depend on nothing but the seed, the match, the game, the seat."""
    game, turn = hall.game, hall.carried[index % GROUP, WENT]
    for position in range(game[PLAYERS]):
        seat = seat_of(position, turn, game[PLAYERS])
        set_stream(game, position, stream(key, CHOICES_OF_SEAT, ((np.int64(index) << 14) + number) * 8 + seat))


@step
def begin_game(key, given, hall, index, number):
    """Write into the row who leads, and who is barred from tới trắng."""
    game, carried = hall.game, hall.carried[index % GROUP]
    players, turn, opening = game[PLAYERS], carried[DIRECTION], game[OPENING]
    game[BARRED] = seat_of(carried[BARRED_SEAT], turn, players) if carried[BARRED_SEAT] >= 0 else NO_ONE
    if opening:
        _opening_lead(key, game, index, number)
    else:
        game[LEADER] = seat_of(carried[FIRST_SEAT], turn, players)
        game[REQUIRED_FIRST] = game[LEAD_CARD] = 0
    game[TITLES] = NO_ONE
    for seat in range(players):
        position = seat_of(seat, turn, players)
        game[CONG_IN_A_ROW + position] = carried[IN_A_ROW + seat]
        if game[HAS_TITLES] and not opening and given is None:
            game[TITLES + carried[PLACE_OF + seat]] = position
    if given is not None:
        _give_titles(given, game, index, turn)
    carried[WAS_OPENING], carried[LED_BY], carried[WENT] = opening, seat_of(game[LEADER], turn, players), turn


@step
def _give_titles(given, game, index, turn):
    """Write the titles of a given game, where it has any."""
    at = given_row(given, index)
    if given.titles[at, 0] >= 0:
        for place in range(game[PLAYERS]):
            game[TITLES + place] = seat_of(given.titles[at, place], turn, game[PLAYERS])


@step
def seat_of(position, turn, players):
    """Return the seat of a position in turn, or the position of a seat: with the direction back it is mirrored."""
    return position if turn == 1 or position == 0 else players - position


@step
def _opening_lead(key, game, index, number):
    """Find who leads an opening game, by which card, and whether his first play must contain it (B2, B8).

    For a lot the row lends its random numbers.
    """
    if find_lead(game) == 0:
        set_stream(game, 0, stream(key, LEADERS, (np.int64(index) << 14) + number))
        game[LEADER] = below(game, 0, game[PLAYERS])


@step
def finish_game(hall, sums, index, number):
    """Note what carries over, and add the game to the sums."""
    match = index % GROUP
    game, carried, turn = hall.game, hall.carried[match], hall.carried[match, WENT]
    players, kind = game[PLAYERS], game[OPENING]
    add_game(game, turn, sums.batches[kind, match])
    add_money(game, turn, hall.net[match], sums, kind)
    add_extremes(game, sums.extremes, index, number)
    if game[HAS_SAM]:
        add_calls(game, turn, sums.calls[match])
    if game[HAS_TITLES]:
        add_titles(game, carried, turn, sums.titles[match], number)
    hall.played[match, kind] += 1
    carried[IS_OPENING] = game[NEXT_OPENING]
    carried[FIRST_SEAT] = seat_of(game[NEXT_LEADER], turn, players)
    carried[BARRED_SEAT] = seat_of(game[NEXT_BARRED], turn, players) if game[NEXT_BARRED] >= 0 else NO_ONE
    carried[DIRECTION] = -turn if game[ALTERNATES] else turn
    for position in range(players):
        carried[IN_A_ROW + seat_of(position, turn, players)] = game[CONG_IN_A_ROW + position]


@step
def add_game(game, turn, to):
    """Add what happened in a game to a batch; turn : its direction."""
    to[S_GAMES] += 1
    to[S_PLAYS] += game[PLAYS]
    to[S_ENDINGS + game[ENDING]] += 1
    if game[CONG_SEATS]:
        to[S_CONG + popcount(game[CONG_SEATS])] += 1
        to[S_DEN] += game[LIABLE] > 0
    for event in range(N_EVENTS):
        to[S_EVENTS + event] += game[EVENTS + event]
    players, sum_of_all = game[PLAYERS], 0
    for position in range(players):
        sum_of_all += game[NET + position]
    to[S_UNBALANCED] += sum_of_all != game[POINTS_GIVEN]
    for at in range(game[N_PLACES]):
        position = game[PLACES + at]
        to[S_SEATS + N_PER_SEAT * seat_of(position, turn, players) + PLACE_COUNTS + at] += 1
        to[S_ROLES + N_PER_SEAT * ((position - game[LEADER]) % players) + PLACE_COUNTS + at] += 1
    for position in range(players):
        square = game[NET + position] * game[NET + position]
        to[S_SEATS + N_PER_SEAT * seat_of(position, turn, players) + GAME_SQUARES] += square
        to[S_ROLES + N_PER_SEAT * ((position - game[LEADER]) % players) + GAME_SQUARES] += square
    for at in range(FLOWS, FLOWS + 4 * game[N_FLOWS], 4):
        to[S_REASONS + 2 * game[at]] += 1
        to[S_REASONS + 2 * game[at] + 1] += game[at + 3]


@step
def add_money(game, turn, net, sums, kind):
    """Add the money of a game to that of its match, to who pays whom, to the histograms."""
    players = game[PLAYERS]
    for at in range(FLOWS, FLOWS + 4 * game[N_FLOWS], 4):
        payer, receiver = seat_of(game[at + 1], turn, players), seat_of(game[at + 2], turn, players)
        sums.flows[kind, game[at], payer, receiver] += game[at + 3]
    for position in range(players):
        seat, won = seat_of(position, turn, players), game[NET + position]
        net[kind, seat] += won
        net[kind, MOST_SEATS + (position - game[LEADER]) % players] += won
        sums.money[kind, seat, min(max(won + HALF_WIDTH, 0), 2 * HALF_WIDTH)] += 1
    sums.lengths[kind, min(game[PLAYS], LENGTHS - 1)] += 1
    for position in range(players):
        if game[HELD + position]:
            won = game[ENDING] == INSTANT and position == game[PLACES]
            strongest = trailing_zeros(game[HELD + position])
            sums.patterns[HOLDERS, kind, strongest] += 1
            sums.patterns[WINNERS, kind, strongest] += won


@step
def add_calls(game, turn, to):
    """Add by seat and strength which seats were asked whether they call Sâm, what they did and what came of it."""
    for position in range(game[PLAYERS]):
        strength, won = game[STRENGTHS + position] - 1, game[NET + position]
        if strength < 0:
            continue
        seat = seat_of(position, turn, game[PLAYERS])
        at = min(strength * N_STRENGTHS // CERTAIN, N_STRENGTHS - 1)
        to[seat, at, C_ASKED] += 1
        if game[CALLER] - 1 == position:
            to[seat, at, C_CALLED] += 1
            to[seat, at, C_VOID] += game[ENDING] == INSTANT
            to[seat, at, C_MADE] += game[ENDING] == CALL_MADE
            to[seat, at, C_MONEY] += won
        else:
            to[seat, at, C_SILENT_MONEY] += won


@step
def add_titles(game, carried, turn, to, number):
    """Add who moved from which place to which, and who kept his after so many games in it; note the new places."""
    players = game[PLAYERS]
    for place in range(players):
        seat = seat_of(game[PLACES + place], turn, players)
        if number == 0:
            carried[FIRST_PLACE_OF + seat] = place
            carried[GAMES_AT + seat] = 0
        else:
            old = carried[PLACE_OF + seat]
            to[T_MOVES + MOST_SEATS * old + place] += 1
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
    players, net, carried = hall.game[PLAYERS], hall.net[match, ALL_GAMES], hall.carried[match]
    most = net[0]
    for seat in range(players):
        most = max(most, net[seat])
    winners = 0
    for seat in range(players):
        winners += net[seat] == most
    for seat in range(players):
        if net[seat] == most:
            _add_win(to, T_WON + N_WON * seat, winners)
            _add_win(to, T_WON_FIRST + N_WON * carried[FIRST_PLACE_OF + seat], winners)


@step
def _add_win(to, at, winners):
    to[at + (WON_ALONE if winners == 1 else WON_TOGETHER)] += 1
    to[at + WON_SHARES] += WHOLE_SHARE // winners


@step
def add_extremes(game, extremes, index, number):
    """Remember the game where it is the most extreme so far; of equal ones the earlier game."""
    most = 0
    for position in range(game[PLAYERS]):
        most = max(most, -game[NET + position])
    _extreme(extremes[0], most, index, number)
    _extreme(extremes[1], game[LONGEST_CHAIN], index, number)
    _extreme(extremes[2], game[PLAYS], index, number)


@step
def _extreme(row, value, match, number):
    first = match < row[1] or (match == row[1] and number < row[2])
    if value > row[0] or (value == row[0] and first):
        row[0], row[1], row[2] = value, match, number


@step
def close_match(hall, match, batches):
    """Add the money of a whole match by seat and by role: its sum, its square, its product with the number of games."""
    played, net, players = hall.played[match], hall.net[match], hall.game[PLAYERS]
    played[ALL_GAMES] = played[REGULAR_GAMES] + played[OPENING_GAMES]
    for at in range(2 * MOST_SEATS):
        net[ALL_GAMES, at] = net[REGULAR_GAMES, at] + net[OPENING_GAMES, at]
    for kind in range(3):
        to = batches[kind, match]
        to[S_GAME_SQUARES] += played[kind] * played[kind]
        for seat in range(players):
            _add_match(to, S_SEATS + N_PER_SEAT * seat, net[kind, seat], played[kind])
            _add_match(to, S_ROLES + N_PER_SEAT * seat, net[kind, MOST_SEATS + seat], played[kind])


@step
def _add_match(to, at, won, games):
    to[at + NET_SUM] += won
    to[at + NET_SQUARES] += won * won
    to[at + NET_GAMES] += won * games
