"""How the network of an expert is taught: lessons from games of its own, and what it learns from them.

A lesson is a decision of which every answer was played out with the very cards of that game (`tlsim.kernels.lesson`).
Learnt is what an answer brings more than the others of its decision, by least squares; the steps are those of Adam
(Kingma & Ba, *Adam: a method for stochastic optimization*, 2015), and what is played is the running mean of the weights
(Polyak & Juditsky, *Acceleration of stochastic approximation by averaging*, 1992).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.game_work import GameWork
from tlsim.engine.nets import nets
from tlsim.engine.policies import policies_for
from tlsim.kernels import lesson as k
from tlsim.kernels.features import HIDDEN, N_FEATURES, SCALE, SMART
from tlsim.kernels.row import CALL, MOST_SEATS, Ints
from tlsim.rules import Rules
from tlsim.warm import ready

Floats = NDArray[np.float32]
_GROUP = 16  # matches that are played before the notebook is looked at
_BATCH = 4096  # answers of a step, about
_KEPT = (0.9, 0.999)  # of the running means of slopes and of their squares
_AVERAGED = 0.998  # of the running mean of the weights
_STATE = ("weights", "means", "squares", "averages")


class Lessons(NamedTuple):
    """Decisions whose answers were all played out, and what each answer brought."""

    starts: Ints  # [decisions]: where the answers of each begin
    counts: Ints  # [decisions]: how many they are
    gains: Floats  # [answers]: money above the mean of the decision, in its spread over all of its kind
    facts: NDArray[np.int16]  # [answers, facts]; `N_FEATURES` for none


@dataclass(frozen=True)
class Table:
    """Where lessons are given."""

    rules: Rules
    players: int
    policies: str  # of the seats
    learns: int = MOST_SEATS  # so many of them, the first, play by what is being learned

    def lessons(self, net: Ints, seed: int, first: int, lines: int, *, by_smart: bool,
                stop: Ints | None = None) -> Lessons:  # fmt: skip
        """Play from a match on until so many answers are written; by_smart : they are played out by smart seats."""
        ready("lesson")
        policies = policies_for(self.rules, self.policies, self.players)
        work = GameWork(seed, self.rules, self.players, policies, self.rules.match_length)
        book = np.zeros(k.FIRST_LINE + k.LINE * (lines + k.MOST_ANSWERS), np.int64)
        book[k.EVERY], book[k.MOST_LINES], book[k.BY_SMART] = 5 if by_smart else 3, lines, by_smart
        given, play = work.lesson_player(net, book, self.learns, stop)
        while book[k.LINES] < lines - k.MOST_ANSWERS:
            if not play(given, first, first + _GROUP, (0, work.match_length)):
                break
            first += _GROUP
        return _read(book[k.FIRST_LINE : k.FIRST_LINE + k.LINE * book[k.LINES]].reshape(-1, k.LINE))


def _read(written: Ints) -> Lessons:
    """Return the lessons of the lines of a notebook."""
    decision, question, money, size = (written[:, at] for at in (k.OF_DECISION, k.QUESTION, k.MONEY, k.N_FACTS))
    starts = np.flatnonzero(np.diff(decision, prepend=-1))
    counts = np.diff(starts, append=len(written))
    gains = money - np.repeat(np.add.reduceat(money, starts) / counts, counts)
    kinds = np.maximum(question, CALL - 1)  # a play, a call of Sâm, which is worth many plays, a return
    for kind in np.unique(kinds):
        gains[kinds == kind] /= max(1e-9, gains[kinds == kind].std())
    most = int(size.max())
    facts = np.where(np.arange(most) < size[:, None], written[:, k.LINE_FACTS : k.LINE_FACTS + most], N_FEATURES)
    return Lessons(starts, counts, gains.astype(np.float32), facts.astype(np.int16))


class Learner:
    """A network that is being taught, in floats."""

    def __init__(self, seed: int, found: dict[str, Any], start: Ints | None = None) -> None:
        self.seed, self.steps = seed, int(found.get("steps", 0))
        rng = np.random.default_rng(seed)
        units = rng.standard_normal((N_FEATURES + 1, HIDDEN)) * 0.05  # the last fact always holds
        units[:, 0], units[N_FEATURES] = 0, 0.1
        units[SMART, 0] = 0.3  # a seat that knows nothing plays as a smart one does
        worth = rng.standard_normal(HIDDEN) * 0.1
        worth[0] = 1
        self.weights = [each.astype(np.float32) for each in (units, worth)]
        if start is not None:  # goes on from a network that has been taught
            whole = start.reshape(-1, HIDDEN).astype(np.float32) / SCALE
            self.weights = [np.concatenate([whole[1:-1], whole[:1]]), whole[-1]]
        self.means, self.squares = ([np.zeros_like(each) for each in self.weights] for _ in range(2))
        self.averages = [each.copy() for each in self.weights]
        for name in _STATE if found else ():
            setattr(self, name, [found[f"{name}_{at}"] for at in range(2)])

    def learn(self, number: int, lessons: Sequence[Lessons], rate: float, times: int) -> float:
        """Go through the lessons of a round so many times; return the share of their gains foreseen in the last."""
        rng = np.random.default_rng([self.seed, number])
        for at in range(times):
            missed = there = 0.0
            for batch in _batches(lessons, rng):
                seen = self._step(*batch, rate * (1 - 0.9 * at / times))
                missed, there = missed + seen[0], there + seen[1]
        return 1 - missed / there

    def _step(self, starts: Ints, counts: Ints, gains: Floats, holds: Floats, rate: float) -> tuple[float, float]:
        """Take a step down the slope; return the squares of what was not foreseen, and of all."""
        units, worth = self.weights
        sums = holds @ units
        live = np.maximum(sums, 0)
        live[:, 0] = sums[:, 0]
        said = live @ worth
        miss = said - np.repeat(np.add.reduceat(said, starts) / counts, counts) - gains
        slope = (2 * miss / len(miss)).astype(np.float32)
        of_worth = live.T @ slope
        of_worth[0] = 0
        of_sums = slope[:, None] * worth
        of_sums[:, 1:] *= sums[:, 1:] > 0
        self.steps += 1
        for at, found in enumerate((holds.T @ of_sums, of_worth)):
            self.means[at] += (1 - _KEPT[0]) * (found - self.means[at])
            self.squares[at] += (1 - _KEPT[1]) * (found * found - self.squares[at])
            mean = self.means[at] / (1 - _KEPT[0] ** self.steps)
            square = self.squares[at] / (1 - _KEPT[1] ** self.steps)
            self.weights[at] -= np.float32(rate) * mean / (np.sqrt(square) + 1e-8)
            kept = min(_AVERAGED, self.steps / (self.steps + 9))
            self.averages[at] = np.float32(kept) * self.averages[at] + np.float32(1 - kept) * self.weights[at]
        return float(miss @ miss), float(gains @ gains)

    def numbers(self) -> Ints:
        """Return the network as whole numbers, int64[N_NET]."""
        units, worth = (np.clip(np.round(each * SCALE), -32768, 32767) for each in self.averages)
        return np.concatenate([units[N_FEATURES], units[:N_FEATURES].ravel(), worth]).astype(np.int64)

    def arrays(self) -> dict[str, Floats]:
        """Return what it takes to go on."""
        return {f"{name}_{at}": each for name in _STATE for at, each in enumerate(getattr(self, name))}


def _batches(lessons: Sequence[Lessons], rng: np.random.Generator) -> Iterator[tuple[Ints, Ints, Floats, Floats]]:
    """Yield the lessons in small parts, in any order: starts, counts, gains, and which facts hold."""
    parts = []
    for each in lessons:
        size = max(1, int(_BATCH / each.counts.mean()))
        parts += [(each, at, min(at + size, len(each.starts))) for at in range(0, len(each.starts), size)]
    for number in rng.permutation(len(parts)):
        each, begin, end = parts[number]
        first, last = each.starts[begin], each.starts[end - 1] + each.counts[end - 1]
        holds = np.zeros((last - first, N_FEATURES + 1), np.float32)
        holds[np.arange(last - first)[:, None], each.facts[first:last]] = 1
        holds[:, N_FEATURES] = 1
        yield each.starts[begin:end] - first, each.counts[begin:end], each.gains[first:last], holds


def give_lessons(
    tables: Sequence[Table], shares: Sequence[float], family: int, learner: Learner, seed: int, number: int, lines: int,
    *, by_smart: bool, executor: Executor, stop: Ints,
) -> list[Lessons]:  # fmt: skip
    """Return the lessons of a round: of each table its share, all with the network as it is; threads share the work."""
    net = nets("").copy()
    net[family] = learner.numbers()
    first = number << 20  # matches of a round are its own

    def of(table: Table, share: float) -> Lessons:
        return table.lessons(net, seed, first, max(2_000, int(lines * share)), by_smart=by_smart, stop=stop)

    return list(executor.map(of, tables, shares))
