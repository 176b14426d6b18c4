"""A plan covers every deal exactly once, in pieces that are neither too small nor too large."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlsim.engine.blocks import _BLOCKS_PER_WORKER, _LEAST_CHUNKS, CHUNK, MOST_CHUNKS, plan
from tlsim.kernels import deal


@given(st.integers(1, 3_000_000), st.integers(1, 64))
def test_a_plan_covers_all_deals_exactly_once(deals, workers):
    at = 0
    for block in plan(deals, workers):
        assert block.first * CHUNK == at
        assert block.deals >= 1
        at += block.deals
    assert at == deals


@given(st.integers(1, 3_000_000), st.integers(1, 64))
def test_only_the_last_block_ends_inside_a_chunk(deals, workers):
    blocks = list(plan(deals, workers))
    assert all(block.deals % CHUNK == 0 for block in blocks[:-1])
    assert all(block.deals <= MOST_CHUNKS * CHUNK for block in blocks)
    assert all(block.deals >= _LEAST_CHUNKS * CHUNK for block in blocks[:-1])


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_many_deals_give_every_worker_many_blocks(workers):
    deals = workers * _BLOCKS_PER_WORKER * _LEAST_CHUNKS * CHUNK * 3
    assert len(list(plan(deals, workers))) >= workers * _BLOCKS_PER_WORKER


def test_a_plan_of_a_huge_run_is_made_piece_by_piece():
    """10**12 deals are two million blocks; nobody makes a list of them."""
    blocks = plan(10**12, 2)
    assert next(blocks).first == 0
    assert next(blocks).first == MOST_CHUNKS


def test_the_engine_and_the_dealer_mean_the_same_chunk():
    assert CHUNK == deal.CHUNK
