"""Matches: games one after another, what carries over between them, and the sums over them.

A group is 256 matches. Game g of all its matches is dealt at once, from the stream of (game, chunk of 1,024 matches),
so any game of any match can be played alone, and rules, policies and players change no deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import trailing_zeros, wide_product
from tlsim.jit import kernel, step
from tlsim.kernels.clauses import (
    CONG_SEATS,
    DEN_LEADS,
    ENDING,
    INSTANT,
    LAST_LEADS,
    LIABLE,
    LONGEST_CHAIN,
    N_FLOWS,
    N_PLACES,
    N_REASONS,
    N_STATE,
    NET,
    NORMAL,
    OPENING_CARD,
    PLACES,
    PLAYS,
    THOI,
    TOI_TRANG,
)  # fmt: skip
from tlsim.kernels.deal import CHUNK, GROUP, Dealer, Desk, deal_group
from tlsim.kernels.detect import Bench, Tests, detect
from tlsim.kernels.leftover import ItemPrices, items_value
from tlsim.kernels.money import pay
from tlsim.kernels.rng import CHOICES, GAMES, LEADERS, mix, stream
from tlsim.kernels.table import Room, play_game

Ints = NDArray[np.int64]

# What carries over to the next game of a match.
IS_OPENING, LEADER, DIRECTION, BARRED, WAS_OPENING, LED_BY, WENT = range(7)  # the last three: of the game just played
N_CARRIED = 7
# Sums of a batch; those by seat, role or reason take as many columns as there are.
(S_GAMES, S_OPENINGS, S_PLAYS, S_CONG_1, S_CONG_2, S_CONG_3, S_DEN, S_CHAINS) = range(8)
MOST_LINKS = 6
S_ENDINGS = S_CHAINS + MOST_LINKS + 1
S_REASONS = S_ENDINGS + 10  # number of payments, then half units
S_SEATS = S_REASONS + 2 * N_REASONS
_PER_SEAT = 3 + 6  # net, its square over matches, its square over games, places 1 … 6
MOST_SEATS = 5
S_ROLES = S_SEATS + MOST_SEATS * _PER_SEAT
N_SUMS = S_ROLES + 2 * MOST_SEATS
HALF_WIDTH = 4000  # half units that the histogram of money reaches, each way
LENGTHS = 300
EXTREMES = 3  # largest loss, longest chain, longest game: value, match, game
NO_ONE = -1


class InstantLists(NamedTuple):
    """Both tới trắng lists: tests, prices by pattern, bits with đếm heo, priority; every holder declares.

    pays : int64[patterns]
    """

    opening: Tests
    regular: Tests
    opening_pays: Ints
    regular_pays: Ints
    opening_heo: int
    regular_heo: int
    opening_by_turn: bool
    regular_by_turn: bool
    then_opening: bool
    bars: bool


class MatchRules(NamedTuple):
    """All that a match is played by."""

    clauses: Ints
    prices: ItemPrices
    transfers: Ints
    points: Ints
    lists: InstantLists
    must_include: bool
    lowest_must: bool
    random_leader: bool
    alternates: bool


class Sums(NamedTuple):
    """Integer sums.

    batches : int64[256, N_SUMS]; flows : int64[reasons, players, players]; patterns : int64[2, 62];
    money : int64[players, 2 * HALF_WIDTH + 1]; lengths : int64[LENGTHS]; extremes : int64[3, 3]
    """

    batches: Ints
    flows: Ints
    patterns: Ints
    money: Ints
    lengths: Ints
    extremes: Ints


def empty_sums(players: int) -> Sums:
    """Return sums of nothing."""
    extremes = np.zeros((EXTREMES, 3), np.int64)
    extremes[:, 0] = -1
    return Sums(
        np.zeros((GROUP, N_SUMS), np.int64),
        np.zeros((N_REASONS, players, players), np.int64),
        np.zeros((2, 62), np.int64),
        np.zeros((players, 2 * HALF_WIDTH + 1), np.int64),
        np.zeros(LENGTHS, np.int64),
        extremes,
    )


class Hall(NamedTuple):
    """Room for a group of matches.

    hands : int64[seats, 256]; carried : int64[256, N_CARRIED]; net : int64[256, 2 * MOST_SEATS], by seat, then by role
    """

    hands: Ints
    carried: Ints
    net: Ints
    desk: Desk
    opening: Bench
    regular: Bench
    room: Room


@step
def start_matches(hall):
    """Every match begins with an opening game in the usual direction (M18)."""
    for match in range(GROUP):
        hall.carried[match, IS_OPENING], hall.carried[match, LEADER] = 1, 0
        hall.carried[match, DIRECTION], hall.carried[match, BARRED] = 1, NO_ONE
        for at in range(hall.net.shape[1]):
            hall.net[match, at] = 0


@step
def deal_games(key, dealer, rules, hall, group, game):
    """Deal game ``game`` of all matches of a group and look for tới trắng."""
    chunk = group // (CHUNK // GROUP)
    of = stream(key, GAMES, (np.int64(game) << 40) + chunk)
    deal_group(dealer, of, group % (CHUNK // GROUP), hall.desk, hall.hands)
    seen = hall.hands.reshape(-1)[: len(hall.room.dealt) * GROUP]
    if rules.lists.opening.patterns:
        detect(rules.lists.opening, seen, hall.opening)
    if rules.lists.regular.patterns:
        detect(rules.lists.regular, seen, hall.regular)


@kernel
def play_group(
    key: NDArray[np.uint64],
    dealer: Dealer,
    rules: MatchRules,
    hall: Hall,
    policies: Ints,
    choices: Ints | None,
    smart: Ints | None,
    group: int,
    matches: int,
    match_length: int,
    only: int,
    sums: Sums,
) -> None:
    """Play the first matches of a group and add them up; where ``only`` is a game, stop behind it, with one match."""
    start_matches(hall)
    script = hall.room.log[:0]
    for game in range(match_length):
        deal_games(key, dealer, rules, hall, group, game)
        for match in range(matches):
            if only >= 0 and match != matches - 1:
                continue
            play_in_match(key, rules, hall, policies, choices, smart, group, match, game, script, sums)
        if only == game:
            return
    for match in range(matches):
        close_match(hall, match, len(hall.room.dealt), sums.batches[match])


@step
def play_in_match(key, rules, hall, policies, choices, smart, group, match, game, script, sums):
    """Play one game of one match; note what carries over and what it adds to the sums."""
    players, carried, room = len(hall.room.dealt), hall.carried[match], hall.room
    turn = carried[DIRECTION]
    for position in range(players):
        seat = seat_of(position, turn, players)
        room.dealt[position] = hall.hands[seat, match]
        room.policies[position] = policies[seat]
    number = group * GROUP + match
    opening = carried[IS_OPENING]
    leader = seat_of(carried[LEADER], turn, players)
    required = 0
    if opening:
        leader, required = opening_lead(key, rules, room.dealt, number, game)
    if choices is not None:
        for position in range(players):
            index = ((np.int64(number) << 14) + game) * 8 + seat_of(position, turn, players)
            room.streams[position, 0], room.streams[position, 1] = stream(key, CHOICES, index)
            room.streams[position, 2] = np.uint64(0)
    carried[WAS_OPENING], carried[LED_BY], carried[WENT] = opening, seat_of(leader, turn, players), turn
    held = hall.opening.held if opening else hall.regular.held
    listed = rules.lists.opening.patterns if opening else rules.lists.regular.patterns
    barred = seat_of(carried[BARRED], turn, players) if carried[BARRED] >= 0 else NO_ONE
    if listed == 0 or not instant_win(rules, room, held, match, turn, leader, opening, barred, sums.patterns):
        play_game(
            rules.clauses,
            rules.prices,
            rules.transfers,
            room,
            leader,
            opening,
            required,
            room.policies,
            script,
            choices,
            smart,
        )
        give_points(room.state, rules.points)
    add_game(room, turn, leader, opening, number, game, hall.net[match], sums, match)
    carry_over(rules, room.state, carried, turn, players)


@step
def seat_of(position, turn, players):
    """Return the seat of a position in turn, or the position of a seat: with the direction back it is mirrored."""
    return position if turn == 1 or position == 0 else players - position


@step
def opening_lead(key, rules, dealt, match, game):
    """Return who leads an opening game, and the cards one of which he must play (B2, B8)."""
    card, every = 1 << rules.clauses[OPENING_CARD], 0
    for position in range(len(dealt)):
        every |= dealt[position]
    must = rules.must_include
    if every & card == 0:
        if rules.random_leader:
            start, _ = stream(key, LEADERS, (np.int64(match) << 14) + game)
            high, _ = wide_product(mix(start), np.uint64(len(dealt)))
            return np.int64(high), 0
        card = every & -every
        must = must and rules.lowest_must
    leader = 0
    for position in range(len(dealt)):
        if dealt[position] & card:
            leader = position
    return leader, card if must else 0


@step
def instant_win(rules, room, held, match, turn, leader, opening, barred, counts):
    """Settle a tới trắng, if somebody has one; return whether (F5-F9)."""
    players, lists = len(room.dealt), rules.lists
    by_turn = lists.opening_by_turn if opening else lists.regular_by_turn
    winner, strongest = NO_ONE, 64
    for distance in range(players):
        position = (leader + distance) % players
        if position == barred:
            continue
        pattern = trailing_zeros(held[seat_of(position, turn, players) * GROUP + match])
        if pattern < strongest and (winner < 0 or not by_turn):
            winner, strongest = position, pattern
    if winner < 0:
        return False
    pays = lists.opening_pays[strongest] if opening else lists.regular_pays[strongest]
    heo = ((lists.opening_heo if opening else lists.regular_heo) >> strongest) & 1
    for at in range(N_STATE):
        room.state[at] = 0
    for position in range(players):
        if position != winner:
            pay(room.state, room.flows, TOI_TRANG, position, winner, pays)
            if heo:
                value = items_value(room.dealt[position], rules.prices, room.partition)
                pay(room.state, room.flows, THOI, position, winner, value)
    room.state[ENDING], room.state[N_PLACES], room.state[PLACES] = INSTANT, 1, winner
    counts[0 if opening else 1, strongest] += 1
    return True


@step
def give_points(state, points):
    """Add points by place to the money; a cóng seat gets none (E8, M9)."""
    if len(points) and state[ENDING] == NORMAL:
        for at in range(state[N_PLACES]):
            seat = state[PLACES + at]
            if (state[CONG_SEATS] >> seat) & 1 == 0:
                state[NET + seat] += points[at]


@step
def carry_over(rules, state, carried, turn, players):
    """Note who leads the next game, whether it is an opening game, its direction, who is barred (B4-B7)."""
    carried[BARRED] = NO_ONE
    carried[IS_OPENING] = 0
    if state[ENDING] == INSTANT:
        carried[IS_OPENING] = rules.lists.then_opening
        if rules.lists.bars:
            carried[BARRED] = seat_of(state[PLACES], turn, players)
    if state[N_PLACES] == 0:
        carried[IS_OPENING] = 1
    else:
        leads = state[PLACES + (state[N_PLACES] - 1 if rules.clauses[LAST_LEADS] else 0)]
        if state[LIABLE] and rules.clauses[DEN_LEADS]:
            leads = state[LIABLE] - 1
        carried[LEADER] = seat_of(leads, turn, players)
    if rules.alternates:
        carried[DIRECTION] = -turn


@step
def add_game(room, turn, leader, opening, match, game, net, sums, batch):
    """Add a game to the sums."""
    state, players, to = room.state, len(room.dealt), sums.batches[batch]
    to[S_GAMES] += 1
    to[S_OPENINGS] += opening
    to[S_PLAYS] += state[PLAYS]
    to[S_ENDINGS + state[ENDING]] += 1
    cong = 0
    for position in range(players):
        cong += (state[CONG_SEATS] >> position) & 1
    if cong:
        to[S_CONG_1 + cong - 1 if cong < 3 else S_CONG_3] += 1
        to[S_DEN] += state[LIABLE] > 0
    to[S_CHAINS + min(state[LONGEST_CHAIN], MOST_LINKS)] += 1
    for at in range(state[N_FLOWS]):
        reason, amount = room.flows[at, 0], room.flows[at, 3]
        to[S_REASONS + 2 * reason] += 1
        to[S_REASONS + 2 * reason + 1] += amount
        payer = seat_of(room.flows[at, 1], turn, players)
        sums.flows[reason, payer, seat_of(room.flows[at, 2], turn, players)] += amount
    most = np.int64(0)
    for position in range(players):
        seat, won = seat_of(position, turn, players), state[NET + position]
        to[S_SEATS + seat * _PER_SEAT + 2] += won * won
        net[seat] += won
        net[MOST_SEATS + (position - leader) % players] += won
        sums.money[seat, min(max(won + HALF_WIDTH, 0), 2 * HALF_WIDTH)] += 1
        most = max(most, -won)
    for at in range(state[N_PLACES]):
        seat = seat_of(state[PLACES + at], turn, players)
        to[S_SEATS + seat * _PER_SEAT + 3 + min(at, 5)] += 1
    sums.lengths[min(state[PLAYS], LENGTHS - 1)] += 1
    _extreme(sums.extremes[0], most, match, game)
    _extreme(sums.extremes[1], state[LONGEST_CHAIN], match, game)
    _extreme(sums.extremes[2], state[PLAYS], match, game)


@step
def _extreme(row, value, match, game):
    if value > row[0]:
        row[0], row[1], row[2] = value, match, game


@step
def close_match(hall, match, players, to):
    """Add the money of a whole match, and its square, by seat and by role."""
    for seat in range(players):
        won, as_role = hall.net[match, seat], hall.net[match, MOST_SEATS + seat]
        to[S_SEATS + seat * _PER_SEAT] += won
        to[S_SEATS + seat * _PER_SEAT + 1] += won * won
        to[S_ROLES + 2 * seat] += as_role
        to[S_ROLES + 2 * seat + 1] += as_role * as_role
