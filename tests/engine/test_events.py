"""A user's predicate: compiled, counted over the same hands in any cut, refused where it cannot be used."""

import functools
import threading
import time
from math import comb

import numba
import numpy as np
import pytest

from tlsim.engine.odds_work import Counter, EventTally, EventWork
from tlsim.engine.run import run
from tlsim.engine.work import CHUNK, Block
from tlsim.errors import UsageError
from tlsim.kernels.deal import deal, dealer
from tlsim.kernels.rng import stream_key

TWO_HEARTS = 1 << 51


@numba.njit
def has_two_of_hearts(hand):
    return hand >> 51 & 1 == 1


def work(predicate=has_two_of_hearts, size=13, seed=8):
    return EventWork(seed, size, Counter(predicate))


def test_the_hands_are_those_of_the_dealer():
    deals = 18 * CHUNK + 7
    dealt = deal(stream_key(8), dealer(1, 13), 5, 19)[0, :deals]
    assert work()(Block(5, deals)) == EventTally(deals, int(((dealt & TWO_HEARTS) != 0).sum()))


@pytest.mark.parametrize("size", [1, 10, 26, 51])
def test_hands_of_any_size(size):
    @numba.njit
    def rightly_sized(hand):
        cards = 0
        while hand:
            hand &= hand - 1
            cards += 1
        return cards == size

    assert work(rightly_sized, size)(Block(0, 3000)) == EventTally(3000, 3000)


def test_any_cut_and_number_of_threads():
    once = work()(Block(0, 40 * CHUNK + 5))
    parts = [work()(Block(first, deals)) for first, deals in ((0, CHUNK), (1, 39 * CHUNK), (40, 5))]
    assert sum(parts, start=EventTally()) == once
    for threads in (1, 3):
        assert run(work(), 40 * CHUNK + 5, EventTally(), threads=threads).tally == once


def test_a_plain_function_is_compiled():
    def low(hand):
        return hand & 0xF != 0

    found = work(low)(Block(0, 100_000))
    exact = 1 - comb(48, 13) / comb(52, 13)
    assert abs(found.count / 100_000 - exact) < 6 * (exact * (1 - exact) / 100_000) ** 0.5
    assert work(numba.njit(low))(Block(0, 100_000)) == found
    assert work(lambda hand: hand & 0xF != 0)(Block(0, 100_000)) == found


def test_whole_numbers_are_true_or_false_as_in_python():
    found = work(lambda hand: hand >> 51 & 1)(Block(0, 5000))
    assert found == work()(Block(0, 5000))
    assert found == work(numba.njit("boolean(int64)")(lambda hand: hand >> 51 & 1 == 1))(Block(0, 5000))


def test_other_compiled_functions_and_arrays_may_be_used():
    table = np.arange(16)

    @numba.njit
    def suits_of_rank(hand, rank):
        return table[hand >> 4 * rank & 15]

    found = work(lambda hand: suits_of_rank(hand, 12) >= 8)(Block(0, 5000))
    assert found == work()(Block(0, 5000))


def test_the_flag_stops_a_block():
    stop = np.zeros(1, dtype=np.int64)
    found, counting = [], work()
    counting(Block(0, 10))
    thread = threading.Thread(target=lambda: found.append(counting(Block(0, 10**9), stop)))
    thread.start()
    time.sleep(0.05)
    stop[0] = 1
    thread.join(5)
    assert found == [None]


def uncompilable(hand):
    return f"{hand:b}".count("1") > 3 and open("nothing")  # noqa: PTH123


def two_arguments(hand, other):
    return hand > other


def attribute(hand):
    return hand.bit_count() > 3


def unknown_name(hand):
    return hand > undefined_name  # noqa: F821


def gives_text(hand):  # noqa: ARG001
    return "yes"


def gives_nothing(hand):  # noqa: ARG001
    return None


def gives_an_array(hand):
    return np.zeros(hand & 3)


def gives_a_pair(hand):
    return hand, hand


class Callable:
    def __call__(self, hand):
        return hand > 0


@numba.vectorize
def universal(hand):
    return hand > 0


REFUSED = [
    uncompilable, two_arguments, attribute, unknown_name, gives_text, gives_nothing, gives_an_array, gives_a_pair,
    Callable(), Callable, len, int, universal, functools.partial(two_arguments, 3),
    numba.njit("boolean(int64, int64)")(two_arguments), None, 5, "f", b"f", [has_two_of_hearts], np.zeros(3), object(),
]  # fmt: skip


def named(predicate):
    return getattr(predicate, "__name__", type(predicate).__name__)


@pytest.mark.parametrize("predicate", REFUSED, ids=named)
def test_what_is_no_predicate_is_refused(predicate):
    with pytest.raises(UsageError) as caught:
        Counter(predicate)
    text = str(caught.value)
    assert "predicate" in text
    assert "\n" not in text
    assert len(text) < 600
    assert "int64" in text  # what it gets


def test_the_message_names_function_and_reason():
    with pytest.raises(UsageError, match=r"'unknown_name' .*undefined_name"):
        Counter(unknown_name)
    with pytest.raises(UsageError, match=r"'gives_text' .*true or false"):
        Counter(gives_text)


def test_an_exception_of_the_predicate_is_told():
    @numba.njit
    def divides(hand):
        if hand & 1:
            raise ValueError("a 3 of spades")
        return True

    with pytest.raises(UsageError, match="'divides' raised ValueError: a 3 of spades"):
        work(divides)(Block(0, 5000))
    with pytest.raises(UsageError, match="ZeroDivisionError"):
        run(work(lambda hand: 5 // (hand & 1) > 0), 5000, EventTally(), threads=2)
