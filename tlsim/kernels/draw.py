"""Random numbers of a seat in a game, and cards drawn by them."""

import numpy as np

from tlsim.bits import deposit, popcount, wide_product
from tlsim.jit import offset, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.rng import mix


@scalar_step
def below(game, seat, bound):
    """Return the next number of a seat's stream, uniform below a bound; the bias is under bound / 2**64."""
    return next_below(offset(game, r.STREAMS + 3 * seat), bound)


@scalar_step
def next_below(words, bound):
    """Return the next number of a stream; words : int64, its start, its step, how many have been used."""
    word = mix(np.uint64(words[0]) + np.uint64(words[2]) * np.uint64(words[1]))
    words[2] += 1
    high, _ = wide_product(word, np.uint64(bound))
    return np.int64(high)


@scalar_step
def draw_cards(game, seat, cards, number):
    """Return so many of some cards by the stream of a seat, all choices equally likely."""
    total = popcount(cards)
    taken = 0
    for _ in range(min(number, total - number)):  # the cards to take, or the fewer to leave
        card = deposit(1 << below(game, seat, total), cards)
        taken |= card
        cards ^= card
        total -= 1
    return taken if popcount(taken) == number else cards


@scalar_step
def set_stream(game, seat, of):
    """Begin a seat's stream; of : its start and its step."""
    at = r.STREAMS + 3 * seat
    game[at], game[at + 1], game[at + 2] = np.int64(of[0]), np.int64(of[1]), 0
