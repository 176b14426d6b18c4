"""A group of matches played, game after game: who sits where, who leads, what carries over.

A group is 256 matches. Game g of all its matches is dealt at once, from the stream of (game, chunk of 1,024 matches),
so any game of any match can be played alone, and rules, policies and players change no deal.
"""

from typing import NamedTuple

import numpy as np

from tlsim.bits import popcount
from tlsim.jit import call_kernel, call_part, fetch, kernel, offset, pointer, step
from tlsim.kernels import matches as m
from tlsim.kernels import row as r
from tlsim.kernels.deal import CHUNK, GROUP, Desk
from tlsim.kernels.detect import NOT_DEALT, Bench
from tlsim.kernels.draw import below, set_stream
from tlsim.kernels.given import deal_rest, given_row, is_given
from tlsim.kernels.matches import seat_of
from tlsim.kernels.rng import CHOICES, GAMES, LEADERS, stream
from tlsim.kernels.row import Ints
from tlsim.kernels.table import NO_ONE, find_lead

STOPPED, FAULTY = 1, 2
# What is kept of a game; then by seat.
KEPT_OPENING, KEPT_ENDING, KEPT_PLAYS, KEPT_OF_GAME = range(4)
KEPT_ROLE, KEPT_PLACE, KEPT_NET, KEPT_CARDS, KEPT_OF_SEAT = range(5)  # places count from 1, 0 where there is none


class Hall(NamedTuple):
    """Room for a group of matches."""

    game: Ints  # int64[N_ROW], with the rules and the policies
    seats: Ints  # int64[N_OPTIONS, MOST_SEATS], policy and its options
    hands: Ints  # int64[seats, 256]
    carried: Ints  # int64[256, m.N_CARRIED]
    net: Ints  # int64[256, 3, 2 * MOST_SEATS], by kind, then by seat and by role
    played: Ints  # int64[256, 3], games by kind
    desk: Desk
    opening: Bench
    regular: Bench
    games: Ints  # int64[256, n, KEPT_OF_GAME + MOST_SEATS * KEPT_OF_SEAT], kept of the first n games of a match


@kernel
def play_games(key, dealer, tests, given, hall, where, group, matches, games, sums, stop):
    """Play games ``games[0]`` … of matches ``matches[0]`` … of a group, and add them up; the ends are not played.

    Game after game, each for all the matches, from game 0 on: what carries over stays in the hall. Return 0 where all
    was played, `STOPPED` where ``stop`` ended it, `FAULTY` where a policy chose no play.

    tests : of regular and of opening games; where : the address of `deal_hands`; stop : int64[1]
    """
    game, part = pointer(hall.game), hall.game[r.TABLE_PART]
    if games[0] == 0:  # every match begins with an opening game in the usual direction (M18)
        hall.carried[:, :] = 0
        hall.played[:, :] = 0
        hall.net[:, :, :] = 0
        for match in range(GROUP):
            hall.carried[match, m.IS_OPENING] = hall.carried[match, m.DIRECTION] = 1
            hall.carried[match, m.BARRED_SEAT] = NO_ONE
    for number in range(games[0], games[1]):
        deal_games(key, dealer, tests, given, hall, where, group, matches, number)
        for match in range(matches[0], matches[1]):
            if stop[0]:
                return STOPPED
            seat_players(given, hall, group, match)
            begin_game(key, given, hall, group * GROUP + match, number)
            if game[r.BY_CHANCE]:
                begin_streams(key, hall, group * GROUP + match, number)
            # Have the sums of the match at hand when its game is over: a group's are more than the near cache holds.
            batch = pointer(sums.batches[game[r.OPENING], match])
            for at in range(0, sums.batches.shape[2], 8):
                fetch(offset(batch, at))
            call_part(part, game, r.PLAY_GAME, 0)
            if game[r.FAULT]:
                return FAULTY
            finish_game(hall, sums, group * GROUP + match, number)
    for match in range(matches[0], matches[1]):
        m.close_match(hall, match, sums.batches)
        if hall.game[r.HAS_TITLES]:
            m.add_winners(hall, match, sums.titles[match])
    return 0


@step
def deal_games(key, dealer, tests, given, hall, where, group, matches, number):
    """Deal game ``number`` of the matches of a group and look for tới trắng."""
    game, dealt = pointer(hall.game), group % (CHUNK // GROUP)
    of = stream(key, GAMES, (np.int64(number) << 40) + group // (CHUNK // GROUP))
    if is_given(given) or game[r.N_ODD_CARDS]:
        if not is_given(given):
            call_kernel(where, (dealer, of, dealt, hall.desk, hall.hands, tests[0], 0, hall.regular))
        deal_rest(key, given, game, hall.hands, group, matches[0], matches[1], number)
        dealt = NOT_DEALT
    seats = game[r.PLAYERS]
    call_kernel(where, (dealer, of, dealt, hall.desk, hall.hands, tests[m.REGULAR_GAMES], seats, hall.regular))
    if tests[m.OPENING_GAMES].patterns:
        call_kernel(where, (dealer, of, NOT_DEALT, hall.desk, hall.hands, tests[m.OPENING_GAMES], seats, hall.opening))


@step
def seat_players(given, hall, group, match):
    """Write hands and policies into the row by position in turn: with the direction back seats are mirrored."""
    game, carried = pointer(hall.game), hall.carried[match]
    players, turn = game[r.PLAYERS], carried[m.DIRECTION]
    if is_given(given):
        at = given_row(given, group * GROUP + match)
        leader = given.leaders[at]
        carried[m.IS_OPENING], carried[m.FIRST_SEAT], carried[m.BARRED_SEAT] = leader < 0, leader, given.barred[at]
    opening = carried[m.IS_OPENING]
    game[r.OPENING] = opening
    held = hall.opening.held if opening else hall.regular.held
    listed = game[r.INSTANT_PATTERNS + opening]
    for position in range(players):
        seat = seat_of(position, turn, players)
        game[r.DEALT + position] = hall.hands[seat, match]
        for option in range(r.N_OPTIONS):
            game[r.POLICY + option * r.MOST_SEATS + position] = hall.seats[option, seat]
        game[r.HELD + position] = held[seat * GROUP + match] if listed else 0


@step
def begin_streams(key, hall, index, number):
    """Begin the random numbers of every seat, which depend on nothing but the seed, the match, the game, the seat."""
    game, turn = pointer(hall.game), hall.carried[index % GROUP, m.WENT]
    for position in range(game[r.PLAYERS]):
        seat = seat_of(position, turn, game[r.PLAYERS])
        set_stream(game, position, stream(key, CHOICES, ((np.int64(index) << 14) + number) * 8 + seat))


@step
def begin_game(key, given, hall, index, number):
    """Write into the row who leads, and who is barred from tới trắng."""
    game, carried = pointer(hall.game), hall.carried[index % GROUP]
    players, turn, opening = game[r.PLAYERS], carried[m.DIRECTION], game[r.OPENING]
    game[r.BARRED] = seat_of(carried[m.BARRED_SEAT], turn, players) if carried[m.BARRED_SEAT] >= 0 else NO_ONE
    if opening and find_lead(game) == 0:  # by lot; the row lends its random numbers
        set_stream(game, 0, stream(key, LEADERS, (np.int64(index) << 14) + number))
        game[r.LEADER] = below(game, 0, players)
    elif not opening:
        game[r.LEADER] = seat_of(carried[m.FIRST_SEAT], turn, players)
        game[r.REQUIRED_FIRST] = game[r.LEAD_CARD] = 0
    game[r.TITLES] = NO_ONE
    for seat in range(players):
        position = seat_of(seat, turn, players)
        game[r.CONG_IN_A_ROW + position] = carried[m.IN_A_ROW + seat]
        if game[r.HAS_TITLES] and not opening and not is_given(given):
            game[r.TITLES + carried[m.PLACE_OF + seat]] = position
    if is_given(given):
        titles = given.titles[given_row(given, index)]
        for place in range(players if titles[0] >= 0 else 0):
            game[r.TITLES + place] = seat_of(titles[place], turn, players)
    carried[m.WAS_OPENING], carried[m.LED_BY], carried[m.WENT] = opening, seat_of(game[r.LEADER], turn, players), turn


@step
def finish_game(hall, sums, index, number):
    """Note what carries over, and add the game to the sums."""
    match = index % GROUP
    game, carried, turn = pointer(hall.game), hall.carried[match], hall.carried[match, m.WENT]
    players, kind = game[r.PLAYERS], game[r.OPENING]
    m.add_game(game, turn, sums.batches[kind, match])
    m.add_money(game, turn, hall.net[match], sums, kind)
    m.add_extremes(game, sums.extremes, index, number)
    if game[r.HAS_SAM]:
        m.add_calls(game, turn, sums.calls[match])
    if game[r.HAS_TITLES]:
        m.add_titles(game, carried, turn, sums.titles[match], number)
    hall.played[match, kind] += 1
    if number < hall.games.shape[1]:
        _keep_game(hall.games[match, number], game, turn)
    carried[m.IS_OPENING] = game[r.NEXT_OPENING]
    carried[m.FIRST_SEAT] = seat_of(game[r.NEXT_LEADER], turn, players)
    carried[m.BARRED_SEAT] = seat_of(game[r.NEXT_BARRED], turn, players) if game[r.NEXT_BARRED] >= 0 else NO_ONE
    carried[m.DIRECTION] = -turn if game[r.ALTERNATES] else turn
    for position in range(players):
        carried[m.IN_A_ROW + seat_of(position, turn, players)] = game[r.CONG_IN_A_ROW + position]


@step
def _keep_game(to, game, turn):
    players = game[r.PLAYERS]
    to[KEPT_OPENING], to[KEPT_ENDING], to[KEPT_PLAYS] = game[r.OPENING], game[r.ENDING], game[r.PLAYS]
    for position in range(players):
        at = KEPT_OF_GAME + KEPT_OF_SEAT * seat_of(position, turn, players)
        to[at + KEPT_ROLE] = (position - game[r.LEADER]) % players
        to[at + KEPT_PLACE] = 0
        to[at + KEPT_NET], to[at + KEPT_CARDS] = game[r.NET + position], popcount(game[r.HANDS + position])
    for place in range(game[r.N_PLACES]):
        to[KEPT_OF_GAME + KEPT_OF_SEAT * seat_of(game[r.PLACES + place], turn, players) + KEPT_PLACE] = place + 1
