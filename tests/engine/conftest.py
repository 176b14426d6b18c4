"""Small pieces of work for the engine, without kernels."""

from dataclasses import dataclass, field

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


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def nothing():
    return Deals()
