"""A plan covers every deal exactly once, in pieces that are neither too small nor too large."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlsim.engine.work import CHUNK, FIRST_POINT, Block, Pace, Plan, gaps, point, stretch
from tlsim.kernels import deal


def blocks(plan, units=512, workers=2):
    return list(iter(lambda: plan.take(units, workers), None))


@given(st.integers(1, 3_000_000), st.integers(1, 64), st.integers(1, 600))
def test_a_plan_covers_all_deals_exactly_once(deals, workers, units):
    at = 0
    for block in blocks(Plan(deals, CHUNK), units, workers):
        assert block.first * CHUNK == at
        assert 1 <= block.deals <= units * CHUNK
        at += block.deals
    assert at == deals


@given(st.integers(1, 3_000_000), st.integers(1, 64))
def test_a_chunk_that_is_cut_is_a_block_of_its_own(deals, workers):
    found = blocks(Plan(deals, CHUNK), 512, workers)
    assert all(block.deals % CHUNK == 0 for block in found[:-1])
    assert found[-1].deals % CHUNK in (0, found[-1].deals)


@given(st.integers(1, 3_000_000))
def test_no_block_crosses_a_set_point(deals):
    for block in blocks(Plan(deals, CHUNK)):
        end = block.first + -(-block.deals // CHUNK)
        assert stretch(block.first) == stretch(end - 1)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 40)), max_size=12), st.integers(1, 300_000), st.data())
def test_what_is_done_is_left_out(pieces, deals, data):
    done, at = [], 0
    for skip, length in pieces:
        done.append((at + skip, at + skip + length))
        at += skip + length
    units = -(-deals // CHUNK)
    first = data.draw(st.integers(0, units))
    end = data.draw(st.integers(first, units + 5))
    wanted = set(range(first, min(end, units))) - {unit for a, b in done for unit in range(a, b)}
    plan = Plan(deals, CHUNK, done, (first, end))
    assert plan.left == len(wanted)
    taken = [unit for block in blocks(plan, 7) for unit in range(block.first, block.first + -(-block.deals // CHUNK))]
    assert taken == sorted(wanted)


@given(st.integers(0, 10**12))
def test_a_stretch_lies_between_two_set_points(unit):
    number = stretch(unit)
    assert point(number) <= unit < point(number + 1)


def test_set_points_are_two_to_the_octave():
    assert [point(number) for number in range(1, 6)] == [8, 12, 16, 24, 32]
    assert all(point(number + 2) == 2 * point(number) for number in range(1, 70))
    assert point(1) == FIRST_POINT
    assert stretch(10**12 // CHUNK) < 60  # sums of so many stretches are all that a store keeps


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_the_last_blocks_are_small(workers):
    """Whoever takes the last block of the run has at most an eighth of a whole one to do."""
    found = blocks(Plan(10_000 * CHUNK, CHUNK), 512, workers)
    assert found[-1].deals <= 512 // 8 * CHUNK
    assert max(block.deals for block in found) == 512 * CHUNK


def test_a_plan_of_a_huge_run_is_made_piece_by_piece():
    """10**12 deals are two million blocks; nobody makes a list of them."""
    plan = Plan(10**12, CHUNK)
    assert plan.take(512, 2) == Block(0, FIRST_POINT * CHUNK)
    assert plan.left == -(-(10**12) // CHUNK) - FIRST_POINT


def test_gaps_at_the_ends():
    assert gaps([], (3, 5)) == [(3, 5)]
    assert gaps([(0, 9)], (3, 5)) == []
    assert gaps([(0, 4)], (3, 5)) == [(4, 5)]
    assert gaps([(4, 9)], (3, 5)) == [(3, 4)]
    assert gaps([(6, 9)], (3, 5)) == [(3, 5)]


def test_a_pace_finds_the_wanted_time_from_below_and_from_above():
    pace, took = Pace(seconds=0.05), []
    for _ in range(20):
        took.append(pace.units * 1e-4)
        pace.note(pace.units, took[-1])
    assert max(took) <= 0.05
    assert pace.units == 500
    pace.note(500, 5.0)  # the machine became a hundred times slower
    assert pace.units == 5
    pace.note(5, 100.0)
    assert pace.units == 1
    pace.note(1, 0.0)  # a clock that shows nothing
    assert pace.units == 2


def test_the_engine_and_the_dealer_mean_the_same_chunk():
    assert CHUNK == deal.CHUNK
