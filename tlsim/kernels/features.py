"""What an expert seat looks at: its own hand, a play, what is public, each as the number of a feature that holds.

A feature is a fact such as "two queens are out" or "three cards would be left". Facts of the state are the same for
all plays of a decision; those of a play are of the cards laid and of the hand that it leaves.

What holds is added up in hidden units, which give the worth of a play. All is whole numbers, so that every processor
gives the same answer. A network is a row of int64: the biases of the hidden units, for each fact what it adds to each
of them, and what each is worth. The first unit counts as it is, the others only where they are above zero.
"""

from tlsim.bits import popcount
from tlsim.jit import offset, scalar_step, step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels.call import call_strength
from tlsim.kernels.smart import load_of, public_state

_HELD = 15  # numbers of cards that are told apart, 0 … 14 and more
_ROOM = r.Layout().next

# Facts of the state.
_PLAYERS, _ACTIVE, _QUESTION = _ROOM(6), _ROOM(6), _ROOM(6)
_PENALTIES = r.HAS_CONG, r.HAS_THOI, r.HAS_DEN, r.HAS_KET
_RULES = *_PENALTIES, r.COUNT_CARDS, r.PASS_LOCKS, r.CHOPS + r.RUN_3, r.WHOLE_TABLE, r.ANY_TIME
_CLAUSES = _ROOM(len(_RULES))
_LEFT = _ROOM(4 * _HELD)  # cards of each other seat in turn
_PASSED, _PLAYED, _OWNS = _ROOM(4), _ROOM(4), _ROOM(5)
_KIND, _LENGTH, _TARGET, _CHAIN = _ROOM(7), _ROOM(14), _ROOM(9), _ROOM()
_TOP = _ROOM(3 * 13)  # rank on top, of a single card, a pair, another set
_OUT, _OUT_TWOS = _ROOM(13 * 5), _ROOM(4)  # cards of a rank that others may hold; which 2s
_UNPLAYED, _OWN, _FINISHED, _CALLER, _REVERSED = _ROOM(), _ROOM(_HELD), _ROOM(5), _ROOM(3), _ROOM()
# Facts of a play.
PASS, SMART, _PLAY_KIND, _PLAY_SIZE = _ROOM(), _ROOM(), _ROOM(8), _ROOM(14)
_PLAY_TOP, _PLAY_TWO = _ROOM(5 * 13), _ROOM(4)
_HIGHER = _ROOM(5 * 13)  # by kind: how many cards or sets that may be out are higher
_REST, _REST_SIZE, _REST_TWOS, _REST_3S = _ROOM(13 * 5), _ROOM(_HELD), _ROOM(4), _ROOM()
_REST_PAIRS, _REST_STRAIGHTS, _REST_QUADS, _REST_RUNS = _ROOM(7), _ROOM(8), _ROOM(3), _ROOM(3)
_LOAD, _LOSERS, _SINGLES = _ROOM(24), _ROOM(9), _ROOM(9)
_NEAR = _ROOM(6 * _HELD)  # cards that would be left, by the fewest of another seat
_NEAR_LOSERS = _ROOM(6 * 6)  # sets that can be beaten, by the same
_FITS_NEXT, _FITS_ANY = _ROOM(4), _ROOM(4)  # as many cards as the next, as any other seat holds
_CALLS, _STRENGTH = _ROOM(2), _ROOM(21)
N_FEATURES = _ROOM(0)
MOST_FACTS = 96
"""Facts that can hold at once."""


@scalar_step
def _one_of(facts, n, first, value, number):
    """Add the fact that something has a value, the last of so many standing for all above."""
    facts[n] = first + min(max(value, 0), number - 1)
    return n + 1


@scalar_step
def _if(facts, n, fact, holds):
    """Add a fact where it holds."""
    facts[n] = fact
    return n + (1 if holds else 0)


@scalar_step
def _ranks(facts, n, first, cards):
    """Add how many cards of each rank there are, and return the number of facts."""
    for rank in range(13):
        facts[n + rank] = first + 5 * rank + popcount((cards >> 4 * rank) & 15)
    return n + 13


@scalar_step
def facts_of_state(game, hand, seat, question, facts):
    """Write what holds whatever is played; facts : int64[MOST_FACTS].

    Return how many facts, the cards that others may hold, the fewest cards of another seat, and those of all others.
    """
    players, owner, n = game[r.PLAYERS], game[r.OWNER], 0
    unseen, fewest, held = public_state(game, hand, seat)
    n = _one_of(facts, n, _PLAYERS, players, 6)
    n = _one_of(facts, n, _ACTIVE, popcount(game[r.ACTIVE]), 6)
    n = _one_of(facts, n, _QUESTION, question, 6)
    for distance in range(1, players):
        other = (seat + distance) % players
        n = _one_of(facts, n, _LEFT + _HELD * (distance - 1), popcount(game[r.HANDS + other]), _HELD)
        n = _if(facts, n, _PASSED + distance - 1, (game[r.PASSED] >> other) & 1)
        n = _if(facts, n, _PLAYED + distance - 1, (game[r.PLAYED] >> other) & 1)
    n = _ranks(facts, n, _OUT, unseen)
    for suit in range(4):
        n = _if(facts, n, _OUT_TWOS + suit, (unseen >> (48 + suit)) & 1)
    n = _if(facts, n, _UNPLAYED, (game[r.PLAYED] >> seat) & 1 == 0)
    n = _one_of(facts, n, _OWN, popcount(hand), _HELD)
    n = _one_of(facts, n, _FINISHED, game[r.FINISHED], 5)
    n = _one_of(facts, n, _CALLER, 0 if game[r.CALLER] == 0 else 1 if game[r.CALLER] == seat + 1 else 2, 3)
    n = _if(facts, n, _REVERSED, game[r.REVERSED])
    for at, clause in enumerate(_RULES):
        n = _if(facts, n, _CLAUSES + at, game[clause])
    if question != r.LEAD and question < r.CALL:
        kind = game[r.KIND]
        n = _one_of(facts, n, _OWNS, (owner - seat) % players, 5)
        n = _one_of(facts, n, _KIND, kind, 7)
        n = _one_of(facts, n, _LENGTH, game[r.LENGTH], 14)
        n = _one_of(facts, n, _TARGET, game[r.TARGET], 9)
        n = _if(facts, n, _CHAIN, game[r.CHAIN_LINKS])
        n = _one_of(facts, n, _TOP + 13 * (0 if kind == r.SINGLE else 1 if kind == r.PAIR else 2), game[r.TOP] >> 2, 13)
    return n, unseen, fewest, held


@scalar_step
def facts_of_play(game, hand, seat, question, play, is_smart, unseen, fewest, held, facts, n):
    """Write what holds of a play behind the ``n`` facts of the state, and return how many there are with it."""
    n = _if(facts, n, SMART, is_smart)
    if question == r.CALL:
        n = _one_of(facts, n, _CALLS, play, 2)
        return _one_of(facts, n, _STRENGTH, call_strength(game, hand, seat) // 50, 21)
    cards = play & r.ALL_CARDS
    rest = hand & ~cards
    if play == 0:
        n = _if(facts, n, PASS, True)
    elif question != r.RETURN:
        n = _of_cards(game, seat, play, unseen, facts, n)
    return _of_rest(game, rest, unseen, fewest, held, facts, n)


@scalar_step
def _of_cards(game, seat, play, unseen, facts, n):
    """Add what is laid, and what of that kind is higher."""
    kind, length, top = c.describe(game, play)
    size, players = popcount(play & r.ALL_CARDS), game[r.PLAYERS]
    row = 4 if kind == r.QUAD or kind == r.PAIR_RUN else min(kind, r.QUAD) - 1
    n = _one_of(facts, n, _PLAY_KIND, kind + (play > r.ALL_CARDS), 8)
    n = _one_of(facts, n, _PLAY_SIZE, size, 14)
    n = _one_of(facts, n, _PLAY_TOP + 13 * row, top >> 2, 13)
    n = _if(facts, n, _PLAY_TWO + (top & 3), play & r.TWOS)
    above = unseen & (-2 << top)
    if row == 3:
        higher = popcount(c.run_tops(c.ranks_of(unseen, 1) & c.RUN_RANKS, length) & (-16 << (top & ~3)))
    else:
        higher = popcount(above) if kind == r.SINGLE else popcount(c.ranks_of(above, min(kind, 4)))
    n = _one_of(facts, n, _HIGHER + 13 * row, higher, 13)
    following, fits = popcount(game[r.HANDS + (seat + 1) % players]), False
    for distance in range(1, players):
        fits |= popcount(game[r.HANDS + (seat + distance) % players]) == size
    n = _if(facts, n, _FITS_NEXT + min(size, 4) - 1, following == size)
    return _if(facts, n, _FITS_ANY + min(size, 4) - 1, fits)


@scalar_step
def _of_rest(game, rest, unseen, fewest, held, facts, n):
    """Add what would be left in the hand, and how well it goes together."""
    left = popcount(rest)
    near = (fewest > 1) + (fewest > 2) + (fewest > 3) + (fewest > 5) + (fewest > 8)
    load, losers, singles = load_of(game, rest, unseen, held, fewest)
    ones, twos = c.ranks_of(rest, 1) & c.RUN_RANKS, c.ranks_of(rest, 2)
    n = _ranks(facts, n, _REST, rest)
    n = _one_of(facts, n, _REST_SIZE, left, _HELD)
    for suit in range(4):
        n = _if(facts, n, _REST_TWOS + suit, (rest >> (48 + suit)) & 1)
    n = _if(facts, n, _REST_3S, rest & 1)
    n = _one_of(facts, n, _REST_PAIRS, popcount(twos), 7)
    n = _one_of(facts, n, _REST_STRAIGHTS, popcount(c.run_tops(ones, 3)), 8)
    n = _one_of(facts, n, _REST_QUADS, popcount(c.ranks_of(rest, 4) & c.RUN_RANKS), 3)
    n = _one_of(facts, n, _REST_RUNS, popcount(c.run_tops(twos & c.RUN_RANKS, 3)), 3)
    n = _one_of(facts, n, _LOAD, int(2.0 * load + 6.0), 24)
    n = _one_of(facts, n, _LOSERS, losers, 9)
    n = _one_of(facts, n, _SINGLES, popcount(singles), 9)
    n = _one_of(facts, n, _NEAR + _HELD * near, left, _HELD)
    return _one_of(facts, n, _NEAR_LOSERS + 6 * near, losers, 6)


HIDDEN = 64
N_NET = HIDDEN * (N_FEATURES + 2)
SCALE = 1 << 10  # of what a fact adds, and of what a unit is worth


@step
def add_facts(net, facts, first, end, start, sums):
    """Add what facts bring to the hidden units; start, sums : int64[HIDDEN], which may be one."""
    for unit in range(HIDDEN):
        sums[unit] = start[unit]
    for at in range(first, end):
        row = offset(net, HIDDEN * (1 + facts[at]))
        for unit in range(HIDDEN):
            sums[unit] += row[unit]


@scalar_step
def worth(net, sums):
    """Return the worth of a play by its hidden units, in thousandths of what the net was taught in."""
    out, total = offset(net, HIDDEN * (1 + N_FEATURES)), sums[0] * SCALE
    for unit in range(1, HIDDEN):
        total += max(sums[unit], 0) * out[unit]
    return total
