"""Blocks of simulated deals: deal, detect, tally."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import trailing_zeros
from tlsim.jit import call_kernel, kernel, step
from tlsim.kernels import row as r
from tlsim.kernels.deal import CHUNK, GROUP, Dealer, desk
from tlsim.kernels.detect import Tests, bench, where_dealt
from tlsim.kernels.leftover import ItemPrices, add_values
from tlsim.kernels.rng import DEALS, stream
from tlsim.kernels.row import Ints

# Columns of the sums of a batch: single sums, then deals by number of holders, then five sums for each pattern.
_DEALS, _HEO, _HEO_SQUARES, _SEATS = range(4)
_HELD, _HELD_SQUARES, _COUNTS, _COUNTS_SQUARES, _WINS = range(5)
_PER_PATTERN = 5


class Question(NamedTuple):
    """What is counted at a table."""

    players: int  # seats that take part
    counted: int  # seats whose hands are counted, 1 where cards of seat 0 are known
    by_turn: bool  # the holder nearest to the leader wins, else the strongest
    opening_card: int  # card of the leader, or -1 where the leader is any seat
    lowest: bool  # where that card was not dealt, the lowest card leads, else any seat
    count_heo: int  # bits of the patterns whose winner is paid for the losers' twos and bombs


def empty_sums(batches: int, players: int, patterns: int) -> Ints:
    """Return sums of nothing, int64, shape (batches, columns)."""
    return np.zeros((batches, _SEATS + players + 1 + _PER_PATTERN * patterns), dtype=np.int64)


def named_sums(sums: Ints, players: int) -> dict[str, Ints]:
    """Return the columns by the names of `tlsim.tally.OddsTally`."""
    each = sums[:, _SEATS + players + 1 :].reshape(len(sums), -1, _PER_PATTERN)
    names = "held", "held_squares", "counts", "counts_squares", "wins"
    singles = {"deals": sums[:, _DEALS], "heo": sums[:, _HEO], "heo_squares": sums[:, _HEO_SQUARES]}
    seats = {"seats": sums[:, _SEATS : _SEATS + players + 1]}
    return singles | dict(zip(names, np.moveaxis(each, 2, 0), strict=True)) | seats


def count_block(
    key: NDArray[np.uint64], dealer: Dealer, tests: Tests, question: Question, prices: ItemPrices | None, first: int,
    deals: int, stop: Ints, to: Ints,
) -> bool:  # fmt: skip
    """Deal and count ``deals`` deals from chunk ``first`` on; return False where ``stop`` ended it early.

    prices : of twos and bombs, where some pattern has đếm heo; stop : int64[1], looked at before every chunk;
    to : the sums of `empty_sums`; chunk c is added to batch c modulo their number
    """
    hands = np.zeros((dealer.seats, GROUP), np.int64)
    rooms = (desk(), bench(question.players * GROUP), np.zeros(GROUP, np.int64))
    charged = np.zeros((4 * CHUNK if question.count_heo else 0, question.players), np.int64)
    where = where_dealt(dealer, rooms[0], hands, tests, rooms[1])
    while deals:
        done, rows = _count_chunks(key, dealer, tests, question, where, first, deals, stop, to, hands, rooms, charged)
        if rows:
            _charge(charged[:rows], prices, to)
        if not done:
            return False
        first, deals = first + -(-done // CHUNK), deals - done
    return True


def _charge(charged: Ints, prices: ItemPrices | None, to: Ints) -> None:
    """Add what đếm heo brings: rows of a batch and the hands of the losers (F9)."""
    value = np.zeros(len(charged), np.int64)
    add_values(charged[:, 1:], prices.row() if prices else np.zeros(r.N_PRICES, np.int64), value)
    np.add.at(to[:, _HEO], charged[:, 0], value)
    np.add.at(to[:, _HEO_SQUARES], charged[:, 0], value * value)


@kernel
def _count_chunks(key, dealer, tests, question, where, first, deals, stop, to, hands, rooms, charged):
    """Count until all is done or there is no room to write losers' hands; return the deals done and rows written."""
    done, rows, chunk = 0, 0, first
    while done < deals and not stop[0] and (question.count_heo == 0 or rows + CHUNK <= len(charged)):
        of = stream(key, DEALS, chunk)
        batch = chunk % len(to)
        for group in range(CHUNK // GROUP):
            taken = min(deals - done, GROUP)
            if taken > 0:
                call_kernel(where, (dealer, of, group, rooms[0], hands, tests, question.players, rooms[1]))
                rows = _tally_group(question, hands, rooms, taken, group * GROUP, batch, to[batch], charged, rows)
                done += taken
        chunk += 1
    return done, rows


@step
def _tally_group(question, hands, rooms, deals, first, batch, sums, charged, rows):
    """Tally a group; most deals hold nothing and are only counted. Return the rows of ``charged`` that are written."""
    held, joined, nothing = rooms[1].held, rooms[2], 0
    for deal in range(GROUP):
        joined[deal] = held[deal]
    for seat in range(1, question.players):
        own = held[seat * GROUP : (seat + 1) * GROUP]
        for deal in range(GROUP):
            joined[deal] |= own[deal]
    for deal in range(deals):
        if joined[deal] == 0:
            nothing += 1
        else:
            first_seat = (first + deal) % question.players
            winner, pattern = _tally_deal(question, hands, held, deal, joined[deal], first_seat, sums)
            if (question.count_heo >> pattern) & 1:
                charged[rows, 0] = batch
                for distance in range(1, question.players):
                    charged[rows, distance] = hands[(winner + distance) % question.players, deal]
                rows += 1
    sums[_SEATS] += nothing
    sums[_DEALS] += deals
    return rows


@step
def _tally_deal(question, hands, held, deal, any_held, first_seat, sums):
    """Tally a deal in which some seat holds a pattern; return the seat that wins and its pattern."""
    holders = 0
    for seat in range(question.players):
        holders += held[seat * GROUP + deal] != 0
    sums[_SEATS + holders] += 1
    patterns = _SEATS + question.players + 1
    while any_held:
        bit = any_held & -any_held
        any_held ^= bit
        holding = counting = 0
        for seat in range(question.counted):
            bits = held[seat * GROUP + deal]
            holding += (bits & bit) != 0
            counting += (bits & -bits) == bit
        at = patterns + _PER_PATTERN * trailing_zeros(bit)
        sums[at + _HELD] += holding
        sums[at + _HELD_SQUARES] += holding * holding
        sums[at + _COUNTS] += counting
        sums[at + _COUNTS_SQUARES] += counting * counting
    winner, pattern = _winner(question, held, deal, _leader(question, hands, deal, first_seat))
    sums[patterns + _PER_PATTERN * pattern + _WINS] += 1
    return winner, pattern


@step
def _leader(question, hands, deal, any_seat):
    """Return the seat with the opening card, or else with the lowest card dealt or any seat (B2)."""
    if question.opening_card < 0:
        return any_seat
    lowest, leader = 64, any_seat
    for seat in range(question.players):
        hand = hands[seat, deal]
        if (hand >> question.opening_card) & 1:
            return seat
        if question.lowest and trailing_zeros(hand) < lowest:
            lowest, leader = trailing_zeros(hand), seat
    return leader


@step
def _winner(question, held, deal, leader):
    """Return the seat that wins and its pattern: the strongest, or the first in turn; ties by turn (F5)."""
    winner, strongest, seat = -1, 64, leader
    for _ in range(question.players):
        pattern = trailing_zeros(held[seat * GROUP + deal])
        if pattern < strongest and (winner < 0 or not question.by_turn):
            winner, strongest = seat, pattern
        seat = seat + 1 if seat + 1 < question.players else 0
    return winner, strongest
