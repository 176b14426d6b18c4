"""How seats decide. A policy sees its own hand and what is in the public log; it returns a play, 0 to pass."""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels.before import is_return
from tlsim.kernels.moves import is_legal, lowest_chop, lowest_follow_same, lowest_groups

LOWEST, RANDOM, SMART, ROLLOUT, EXPERT, OWN, SCRIPT, OUTSIDE = range(8)  # the last: the game stops and waits
REFUSED = -1  # no play: a script or a user's policy answers what the rules do not allow


@inner_step
def decide_lowest(game, hand, seat, question):
    """Shed the lowest cards, as many as go together; beat with the lowest that beats; take every free chop."""
    if question == r.LEAD:
        return lowest_lead(game, hand)[0]
    if question >= r.FREE:
        return lowest_chop(game, hand, seat, question)
    play = lowest_follow_same(game, hand)
    if play:
        kind, length, _ = c.describe(game, play) if play & r.ALL_CARDS == hand else (r.NOTHING, 0, 0)  # else no matter
        if c.may_finish(game, hand, play, kind, length):
            return play
    return lowest_chop(game, hand, seat, question)


@inner_step
def lowest_lead(game, hand):
    """Return the largest set, of equal ones the lowest, with the required or lowest card; its kind; its length."""
    first = game[r.REQUIRED] or hand & -hand
    if first & r.TWOS and hand & ~r.TWOS == 0 and not game[r.HAS_TITLES]:
        return first, r.SINGLE, 1  # one by one; with titles a 2 is like any card
    at = trailing_zeros(first) & ~3
    play, kind = _lead_group(game, hand, first, at)
    length = 1
    if first & r.TWOS == 0:
        own = hand
        if game[r.SUIT_MATCH] == c.NORTH:
            own = hand & (c.ONES << (trailing_zeros(first) & 3))
        if game[r.STRAIGHT_MIN]:
            start, longest = _run_around(c.ranks_of(own, 1) & c.RUN_RANKS, at)
            if longest >= game[r.STRAIGHT_MIN]:
                play, kind, length = _lead_run(game, own, hand, first, r.STRAIGHT, start, longest, play, kind, kind)
        if game[r.RUN_MIN]:
            start, longest = _run_around(c.ranks_of(hand, 2) & c.RUN_RANKS, at)
            if longest >= game[r.RUN_MIN]:
                most = length if kind == r.STRAIGHT else kind
                found, other, pairs = _lead_run(game, hand, hand, first, r.PAIR_RUN, start, longest, play, kind, most)
                if found != play:
                    play, kind, length = found, other, pairs
    return play, kind, length


@scalar_step
def _lead_group(game, hand, first, at):
    """Return the largest single, pair, triple or quad with a card, and its number of cards."""
    nibble, card = (hand >> at) & 15, first >> at
    for size in range(popcount(nibble), 1, -1):
        rest = nibble & ~card
        if size == 2 and game[r.SUIT_MATCH] == c.NORTH:
            rest &= c.BLACK if card & c.BLACK else c.RED
        if popcount(rest) < size - 1:
            continue
        play = (card | c.lowest_of(rest, size - 1)) << at
        if c.may_finish(game, hand, play, size, 1):
            return play, size
    return first, 1


@scalar_step
def _run_around(ranks, at):
    """Return where the run of ranks begins in which one stands, and how many they are; 0 where it is not there."""
    filled = ranks * 15  # whole nibbles
    below = ~filled & ((1 << at) - 1)
    start = highest(below) + 1
    return start, (at + trailing_zeros(~(filled >> at)) - start) >> 2 if (ranks >> at) & 1 else 0


@scalar_step
def _lead_run(game, own, hand, first, kind, start, longest, best, best_kind, most):
    """Return the better of ``best``, of so many cards, and the longest straight or pair run that contains a card.

    start, longest : of the run of ranks around the card
    """
    size, at = 1 if kind == r.STRAIGHT else 2, trailing_zeros(first) & ~3
    least = game[r.STRAIGHT_MIN] if kind == r.STRAIGHT else game[r.RUN_MIN]
    for length in range(min(longest, 12 if size == 1 else 6), least - 1, -1):
        if length * size < most:
            break
        cards = lowest_groups(own, (c.ONES >> (4 * (13 - length))) << max(start, at - 4 * (length - 1)), size)
        nibble, card = (own >> at) & 15, first >> at
        play = cards & ~(15 << at) | (card | c.lowest_of(nibble & ~card, size - 1)) << at
        if c.may_finish(game, hand, play, kind, length):
            if length * size > most or play < best:
                return play, kind, length
            break
    return best, best_kind, 1


@scalar_step
def scripted_return(game, hand):
    """Return the cards that a script returns in an exchange; `REFUSED` where the rules do not allow it."""
    cards = game[r.SCRIPTED + game[r.STEP]]
    if not is_return(game, hand, cards):
        game[r.FAULT] = r.ILLEGAL
        return REFUSED
    return cards


@scalar_step
def decide_script(game, hand, seat, question):
    """Take the next entry of a script; `REFUSED` with the reason in the state where the rules do not allow it."""
    at, play, fault = game[r.PLAYS], 0, r.ENDED_EARLY
    if at < game[r.SCRIPT_LENGTH]:
        entry = game[r.SCRIPT_PLAYS + at]
        play = entry & ~(7 << r.SEAT_SHIFT | r.ALL_CARDS | r.INTERRUPT) | c.true_cards(game, entry & r.ALL_CARDS)
        fault = r.WRONG_TURN
        if (entry >> r.SEAT_SHIFT) & 7 == seat and (entry & r.INTERRUPT != 0) == (question >= r.FREE):
            fault = r.FINE if is_legal(game, hand, seat, question, play) else r.ILLEGAL
    if question >= r.FREE:  # who is not said to chop out of turn does not
        return play if fault == r.FINE else 0
    game[r.FAULT] = fault
    return play if fault == r.FINE else REFUSED
