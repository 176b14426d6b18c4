"""Small pieces of work for the engine, without kernels."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

import pytest


@dataclass(frozen=True)
class Deals:
    """A tally that remembers which deals were counted."""

    deals: int = 0
    firsts: frozenset = frozenset()

    def __add__(self, other):
        assert not self.firsts & other.firsts, "a block was counted twice"
        return Deals(self.deals + other.deals, self.firsts | other.firsts)


@dataclass(frozen=True)
class Recorder:
    """Work that writes down its blocks."""

    seen: list = field(default_factory=list)

    def __call__(self, block, _stop=None):
        self.seen.append(block)
        return Deals(block.deals, frozenset({block.first}))


@pytest.fixture(scope="session")
def processes():
    """Two processes for all tests that leave them alive: starting them takes longer than what they are asked."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def nothing():
    return Deals()
