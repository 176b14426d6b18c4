"""Báo Sâm: how likely a hand is to shut out the table, and in what order its sets are led.

The caller always leads, so all his sets but the last must stand; the weakest is kept for the end. Chances are those of
hands drawn from the unseen cards, a set against each higher one apart.
"""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.combos import FORBID, ranks_of, run_tops, slots_of
from tlsim.kernels.plan import peel

CERTAIN = 1000  # strengths are in thousandths
_RUNS_AT_ONCE = 0.5  # of the expected number of runs of three pairs, the part that is not in the same hand


@scalar_step
def call_strength(game, hand, seat):
    """Return about how likely a call of Sâm with a hand is to succeed, in thousandths."""
    return int(CERTAIN * best_plan(game, hand, seat)[0])


@scalar_step
def best_plan(game, hand, seat):
    """Return the chance, and the lead, of the better of two ways to take a hand apart."""
    best = _plan_of(game, hand, seat, True)
    if game[r.STRAIGHT_MIN]:
        other = _plan_of(game, hand, seat, False)
        if other[0] > best[0]:
            best = other
    return best


@scalar_step
def _plan_of(game, hand, seat, straights):
    """Take a hand apart; return the chance that all sets but the last stand, and the surest set.

    Where no 2 may be the last, the last set is the weakest of those without.
    """
    chance, surest, best = 1.0, 0, -1.0
    last, weakest = 0, 2.0
    unseen = r.ALL_CARDS & ~hand
    for at in range(game[r.PLAYS]):
        unseen &= ~game[r.LOG + at]
    opponents, each = game[r.PLAYERS] - 1, popcount(game[r.DEALT + seat])
    rest, stage = hand, 0
    while rest:
        cards, stage = peel(game, rest, stage, straights)
        if rest & ~r.TWOS == 0:
            cards = rest
        rest &= ~cards
        stands = _stands(game, cards, opponents, each, unseen)
        chance *= stands
        if stands > best:
            surest, best = cards, stands
        if stands < weakest and (game[r.ON_TWO] != FORBID or cards & r.TWOS == 0):
            last, weakest = cards, stands
    if last == 0:  # nothing but 2s is left
        return 0.0, hand
    if surest == last and hand != last:  # equally strong: the other first
        rest = hand & ~last
        surest = peel(game, rest, 0, straights)[0] if rest & ~r.TWOS else rest
    return (chance / weakest if weakest > 0.0 else 0.0), surest


@scalar_step
def _stands(game, cards, opponents, each, unseen):
    """Return about how likely no opponent holds what beats a set."""
    size, top = popcount(cards), highest(cards) & ~3
    above = unseen & (-16 << top)
    number = popcount(unseen)
    low = trailing_zeros(cards) & ~3
    if low != top and size == popcount(ranks_of(cards, 1)):
        return _straight_stands(game, cards, opponents, each, unseen)
    if low != top:
        return max(0.0, 1.0 - opponents * _bombs(game, unseen, each, number))
    stands = 1.0
    if size == 1:
        held = opponents * each
        for higher in range(popcount(above)):
            stands *= max(0, number - held - higher) / (number - higher)
    else:
        for at in range(top + 4, 52, 4):
            k = popcount((unseen >> at) & 15)
            stands *= max(0.0, 1.0 - opponents * _ways(k, size) * _all_in(each, number, size))
    if cards & r.TWOS and size == 1:
        stands *= max(0.0, 1.0 - opponents * _bombs(game, unseen, each, number))
    return stands


@scalar_step
def _straight_stands(game, cards, opponents, each, unseen):
    """Return about how likely no opponent holds a higher straight of the same length."""
    length, stands = popcount(cards), 1.0
    number = popcount(unseen)
    slots = slots_of(ranks_of(unseen, 1), game[r.STRAIGHT_LOW])
    own = run_tops(slots_of(ranks_of(cards, 1), game[r.STRAIGHT_LOW]), length)
    tops = run_tops(slots, length) & (-16 << trailing_zeros(own))
    while tops:
        top = trailing_zeros(tops) >> 2
        tops &= tops - 1
        all_ranks = 1.0
        for slot in range(top - length + 1, top + 1):
            k = popcount((unseen >> (4 * ((slot + 11) % 13))) & 15)
            none = 1.0
            for card in range(k):
                none *= max(0, number - each - card) / (number - card)
            all_ranks *= 1.0 - none
        for _ in range(opponents):
            stands *= 1.0 - all_ranks
    return stands


@scalar_step
def _all_in(each, number, size):
    """Return how likely so many given cards are all in one hand."""
    chance = 1.0
    for card in range(size):
        chance *= max(0, each - card) / max(1, number - card)
    return chance


@scalar_step
def _ways(k, size):
    """Return in how many ways so many cards can be taken of k, 0 … 4."""
    ways = 1.0
    for card in range(size):
        ways *= (k - card) / (card + 1)
    return ways


@scalar_step
def _bombs(game, unseen, each, number):
    """Return how many quads a hand holds on average, and how likely a run of three pairs is, together."""
    quads, ways = popcount(ranks_of(unseen, 4)) * _all_in(each, number, 4), 0.0
    if game[r.RUN_MIN] == 0:
        return quads
    for at in range(0, 40, 4):
        product = 1.0
        for rank in range(at, at + 12, 4):
            product *= _ways(popcount((unseen >> rank) & 15), 2)
        ways += product
    return quads + _RUNS_AT_ONCE * ways * _all_in(each, number, 6)
