"""Several runs together: a block plays the same matches in each, so that what there is can always be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import Block
from tlsim.engine.game_work import GameTally, GameWork
from tlsim.engine.identity import Identity, identity_of_all


@dataclass(frozen=True)
class TogetherTally:
    """The tally of each run, over the same matches."""

    tallies: tuple[GameTally, ...]

    def __add__(self, other: TogetherTally) -> TogetherTally:
        return TogetherTally(tuple(one + two for one, two in zip(self.tallies, other.tallies, strict=True)))


@dataclass(frozen=True)
class TogetherWork:
    """Play the same matches in several runs.

    Parameters
    ----------
    runs
        What is played; all with one seed and one length of matches.
    """

    runs: tuple[GameWork, ...]

    @property
    def unit(self) -> int:
        """Matches of a unit of work."""
        return min(run.unit for run in self.runs)

    def zero(self) -> TogetherTally:
        """Return the tally of no games."""
        return TogetherTally(tuple(run.zero() for run in self.runs))

    def identity(self) -> Identity:
        """Return what changes the answer."""
        return identity_of_all("together", [run.identity() for run in self.runs])

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> TogetherTally | None:
        """Return the tally of a block of matches, or None where it was stopped."""
        tallies = []
        for run in self.runs:
            tally = run.tally_of(block.first * self.unit, block.deals, stop)
            if tally is None:
                return None
            tallies.append(tally)
        return TogetherTally(tuple(tallies))
