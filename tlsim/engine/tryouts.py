"""Answers to a question tried on the same deals of what is hidden, as work: sums of products over deals."""

from dataclasses import dataclass

import numpy as np

from tlsim.engine.moments import Moments
from tlsim.engine.parts import link
from tlsim.engine.policies import Policy, options_of
from tlsim.engine.work import Flag, Work
from tlsim.kernels import row as c
from tlsim.kernels.row import Ints
from tlsim.rules import Rules
from tlsim.warm import ready

UNIT = 16
"""Deals of a unit of work."""


@dataclass(frozen=True, eq=False)
class Tryouts(Work[Moments]):
    """Try answers on deals."""

    seed: int
    rules: Rules
    row: Ints  # a game that waits for an answer, int64[N_ROW]
    policies: tuple[Policy, ...]  # by which all play on, by position
    answers: tuple[int, ...]
    begin: int  # number of the first deal
    deals: Ints  # hands of every deal that is possible, int64[n, seats]; empty where deals are drawn

    unit = UNIT

    def zero(self) -> Moments:
        """Return the sums of no deals."""
        from tlsim.kernels.rollout import N_FOUND

        return Moments.zero(1 + N_FOUND * len(self.answers))

    def tally_of(self, first: int, number: int, stop: Flag) -> Moments | None:
        """Return the sums of so many deals from one on, or None where it was stopped."""
        ready("tryout")
        from tlsim.kernels.rng import stream_key
        from tlsim.kernels.rollout import N_FOUND, N_ROOM, try_answers

        game, first = self.row.copy(), self.begin + first
        rooms = link(game, self.policies, self.rules)
        game[c.POLICY : c.POLICY + c.N_OPTIONS * c.MOST_SEATS] = options_of(self.policies).ravel()
        found = np.zeros((number, len(self.answers), N_FOUND), np.int64)
        flag = np.zeros(1, np.int64) if stop is None else stop
        room = np.zeros(N_ROOM, np.int64)
        answers = np.array(self.answers, np.int64)
        done = try_answers(stream_key(self.seed), game, room, answers, self.deals, first, flag, found)
        del rooms  # the row holds their addresses up to here
        if not done:
            return None
        columns = found.transpose(0, 2, 1).reshape(number, -1)
        return Moments.of(np.concatenate([np.ones((number, 1), np.int64), columns], axis=1), first)
