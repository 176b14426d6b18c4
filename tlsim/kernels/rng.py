"""Keyed random streams: any word of any stream can be computed alone.

A stream is a function of (seed, purpose, index). ``SeedSequence(seed)`` gives a key of two words; purpose and index
are mixed into it by the finaliser of SplitMix64 (Steele, Lea & Flood, *Fast splittable pseudorandom number
generators*, 2014), a bijection, so that no two indices of one purpose share a start. Word *i* of the stream is that of
SplitMix64 with its own odd step: ``mix(start + i * step)``. There is no state to carry along, so the processor works
on several words at once.
"""

import numpy as np
from numpy.typing import NDArray

from tlsim.bits import wide_product
from tlsim.jit import kernel, step

# What a stream is for; part of its key, so that streams of one seed do not meet.
DEALS, DRAWS, GAMES, CHOICES, LEADERS, GIVEN, ODD_CARDS, TRYOUTS = range(1, 9)

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_AGAIN = np.uint64(1 << 40)  # a word that has to be drawn again is replaced by the one so much later


def stream_key(seed: int) -> NDArray[np.uint64]:
    """Return the key of a seed: two words, uint64, shape (2,)."""
    return np.asarray(np.random.SeedSequence(seed).generate_state(2, np.uint64), dtype=np.uint64)


@step
def mix(x):
    """Return the finaliser of SplitMix64; a bijection of uint64."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


@step
def stream(key, purpose, index):
    """Return the stream of (key, purpose, index): its start and its odd step, two uint64."""
    start = mix(key[1] + np.uint64(index) * _STEP) ^ mix(key[0] + np.uint64(purpose) * _STEP)
    return mix(start), mix(start + _STEP) | np.uint64(1)


@step
def fill_words(of, first, out):
    """Write the words ``first``, ``first + 1``, … of a stream; out : uint64[n]."""
    start, step = of
    start += np.uint64(first) * step
    for at in range(len(out)):
        out[at] = mix(start + np.uint64(at) * step)


@step
def word_again(of, number, times):
    """Return what stands in for word ``number`` when it was rejected so many times."""
    return mix(of[0] + (np.uint64(number) + np.uint64(times) * _AGAIN) * of[1])


@kernel
def bounded_numbers(key, purpose, first, bound, out):
    """Fill ``out`` with uniform numbers below ``bound``; entry i depends on (key, purpose, first + i) alone.

    Exact: of a product of 64 and 64 bits the high half is the number; a low half under 2**64 mod bound is drawn again
    (Lemire, *Fast random integer generation in an interval*, 2019). out : int64[n]
    """
    of = stream(key, purpose, 0)
    bound = np.uint64(bound)
    least = (np.uint64(0) - bound) % bound
    for at in range(len(out)):
        high, low = wide_product(word_again(of, first + at, 0), bound)
        times = 0
        while low < least:
            times += 1
            high, low = wide_product(word_again(of, first + at, times), bound)
        out[at] = np.int64(high)
