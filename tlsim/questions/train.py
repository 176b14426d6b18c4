"""Teaching an expert: rounds of lessons from games of its own, and how well it plays after them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.columns import Row
from tlsim.engine.keep import as_keep
from tlsim.engine.lessons import Learner, Table, give_lessons
from tlsim.engine.nets import FAMILIES, digest_of, family_of, nets, read_arrays, write_arrays
from tlsim.engine.policies import Policy, policies_for
from tlsim.errors import UsageError, wrong
from tlsim.intervals import ratio_mean
from tlsim.kernels.row import Ints
from tlsim.options import option
from tlsim.questions.games import Games
from tlsim.questions.how import How, asks, run
from tlsim.questions.question import Question
from tlsim.results.provenance import Provenance
from tlsim.results.training import Training
from tlsim.rules import load_rules

_FIRST = 5  # times as many answers in the first round, which smart seats play out
_LOOKS = 4  # rounds after which strength is measured
_PATTERNS = (("expert",), ("expert", "smart"), ("expert", "smart", "smart", "smart", "smart"))  # of seats, repeated
ROLLOUT = "rollout[n=20]"


@dataclass(frozen=True)
class Train(Question[Training]):
    """How an expert is taught for rules of one family."""

    rules: Any = option("train.rules")
    players: int | None = option("train.players")
    rounds: int = option("rounds")
    answers: int = option("answers")
    among: str | None = option("among", kw_only=True)
    games: int = option("train.games", kw_only=True)
    seed: int = option("seed", kw_only=True)

    command, size = "train", "games"

    def _settle(self) -> None:
        asked = self.rules if isinstance(self.rules, list | tuple) else (self.rules,)
        rules = tuple(map(load_rules, asked))
        if len({family_of(each) for each in rules}) != 1:
            raise wrong("rules", [each.name for each in rules], "must be of one family: {names}",
                        names=", ".join(FAMILIES))  # fmt: skip
        for each in rules:
            if self.players is not None:
                each.check_players(self.players)
            for other in policies_for(each, self.among, each.deal.min_players) if self.among else ():
                if other.is_own or other.name == "rollout":
                    raise wrong("among", self.among, "must be lowest, random, smart or expert")
        self._set(rules=rules)

    @property
    def family(self) -> int:
        """Number of the family of its rules."""
        return family_of(self.rules[0])

    def provenance(self) -> Provenance:
        """Return what its numbers rest on."""
        names = ", ".join(each.name for each in self.rules)
        return replace(Provenance.of(self.rules[0], players=self.players, seed=self.seed), rules=names)

    @property
    def _others(self) -> Policy:
        """The policy of all seats but the expert's, where that is taught among others."""
        return policies_for(self.rules[0], self.among, self.rules[0].deal.min_players)[0]

    def tables(self) -> tuple[list[Table], list[float]]:
        """Return where lessons are given, and the share of each: half for the first rules."""
        found, shares = list[Table](), list[float]()
        for rules in self.rules:
            numbers = [self.players] if self.players else range(rules.deal.min_players, rules.deal.max_players + 1)
            own = [Table(rules, players, ",".join((each * players)[:players])) for players in numbers
                   for each in _PATTERNS[: 2 if players == 2 else 3]]  # fmt: skip
            if self.among:
                own = [Table(rules, n, ",".join(["expert", *[self.among] * (n - 1)]), 1) for n in numbers]
            weight = 1.0 if rules is self.rules[0] or len(self.rules) == 1 else 1 / (len(self.rules) - 1)
            found, shares = found + own, shares + [weight / len(own)] * len(own)
        return found, [share / sum(shares) for share in shares]

    def identity(self) -> dict[str, Any]:
        """Return what must be the same for teaching to go on."""
        digests = ",".join(each.digest for each in self.rules)
        asked = {"rules": digests, "players": self.players or 0, "answers": self.answers, "seed": self.seed}
        return asked | ({"among": self.among, "weights": self._others.source} if self.among else {})

    def taught(self, path: str | Path, how: How, tell: Callable[[Row], Any] = lambda _row: None) -> Training:
        """Teach round by round, keep each, and return how it went."""
        path = Path(path)
        if path.suffix != ".npz" or not path.parent.is_dir():
            raise wrong("out", str(path), "must be a file that ends in .npz, in a folder that is there")
        begun, kept, limit = time.perf_counter(), _Kept(self, how), how.until and how.until.max_time
        ended, stop = "", np.zeros(1, np.int64)  # of the lessons that other threads give
        if kept.rounds:
            self._write(kept, path)
        with ThreadPoolExecutor(how.threads) as executor:
            try:
                while kept.rounds <= self.rounds and not ended:
                    for row in self._round(kept, path, executor, how, stop):
                        tell(row)
                    if limit and time.perf_counter() - begun >= limit:
                        ended = "max_time"
            except KeyboardInterrupt:
                ended, stop[0] = "interrupt", 1
        if not kept.curve:
            raise KeyboardInterrupt
        digest = digest_of(str(path))
        return Training(self.provenance(), tuple(kept.curve), str(path), digest, complete=kept.rounds > self.rounds,
                        seconds=kept.seconds, stopped=ended or "size")  # fmt: skip

    def _write(self, kept: _Kept, path: Path) -> None:
        write_arrays(path, **{FAMILIES[self.family]: kept.learner.numbers().astype(np.int16)})

    def _round(self, kept: _Kept, path: Path, executor: ThreadPoolExecutor, how: How, stop: Ints) -> Iterator[Row]:
        """Give the lessons of a round, learn from them, and measure what came of it now and then."""
        number, start = kept.rounds, time.perf_counter()
        tables, shares = self.tables()
        lines = self.answers * (1 if number else _FIRST)
        lessons = give_lessons(tables, shares, self.family, kept.learner, self.seed, number, lines,
                               by_smart=number == 0 and not self.among, executor=executor, stop=stop)  # fmt: skip
        rate, times = (1e-3 / (1 + number / 8) ** 0.5, 3) if number else (2e-3, 4)
        foreseen = kept.learner.learn(number, lessons, rate, times)
        kept.answers += sum(len(each.gains) for each in lessons)
        kept.seconds += time.perf_counter() - start
        kept.rounds += 1
        self._write(kept, path)
        last = kept.rounds > self.rounds
        if number % _LOOKS == 0 or last:
            others = (self.among,) if self.among else ("smart", ROLLOUT)
            for against in others if last else others[:1]:
                row = self._measured(against, path, how) | {"round": number, "answers": kept.answers}
                kept.curve.append({"foreseen": foreseen, "seconds": kept.seconds} | row)
                yield kept.curve[-1]
        kept.write()

    def _measured(self, against: str, path: Path, how: How) -> Row:
        """Return how much one expert gains among others, seats in turn over the same deals; matches are independent."""
        rules, one = self.rules[0], f"expert[weights={path}]"
        seats = self.players or min(4, rules.deal.max_players)
        games = self.games if against != ROLLOUT else self.games // 20
        games = max(games, 4 * rules.match_length)  # of fewer matches the error is not known
        money, played = np.zeros(256), np.zeros(256)
        for seat in range(seats):
            policies = [one if other == seat else against for other in range(seats)]
            found = run(Games(rules, games, seats, policies, seed=self.seed + 1), replace(how, store=None, until=None))
            net = found.seat_money() / 2
            if not found.complete:
                raise KeyboardInterrupt
            money += net[:, seat] - net.mean(axis=1)
            played += found.batch_games()
        mean, noise = ratio_mean(money, played)
        return {"against": against, "mean": mean, "std_error": None if math.isnan(noise) else noise,
                "games": int(played.sum())}  # fmt: skip


class _Kept:
    """What was learned so far, and where it is kept: a file of its own, written anew after each round."""

    def __init__(self, question: Train, how: How) -> None:
        path = None if how.store is None else Path(as_keep(how.store).file)
        found = read_arrays(path, "store") if path is not None and path.exists() else {}
        self.path, self.identity = path, question.identity()
        if found and "about" not in found:
            raise UsageError("store = {path}: holds something else; name the file that --store kept, or a new one",
                             path=str(path))  # fmt: skip
        about: dict[str, Any] = json.loads(str(found["about"])) if found else {"identity": self.identity}
        if about["identity"] != self.identity:
            raise UsageError("store = {path}: was begun for {theirs}; go on with the same, or name another file",
                             path=str(path), theirs=about["identity"])  # fmt: skip
        self.rounds, self.answers = int(about.get("rounds", 0)), int(about.get("answers", 0))
        self.seconds: float = about.get("seconds", 0.0)
        self.curve: list[Row] = about.get("curve", [])
        start = nets()[question.family] if question.among else None  # what beats it is found from what is known
        self.learner = Learner(question.seed, {**found, "steps": about.get("steps", 0)} if found else {}, start)

    def write(self) -> None:
        """Keep it: first beside the file, so that a torn one is never met."""
        if self.path is None:
            return
        about = {name: getattr(self, name) for name in ("identity", "rounds", "answers", "seconds", "curve")}
        text = json.dumps(about | {"steps": self.learner.steps})
        write_arrays(self.path, about=np.array(text), **self.learner.arrays())


@asks(Train, "path")
def train(path: str | Path, question: Train, how: How) -> Training:
    """Teach an expert for some rules by games of its own, and write what it has learned to a file.

    Lessons are decisions of which every answer is played out; a network learns what each brings, and plays the next
    round. ``policies="expert[weights=PATH]"`` plays by it. With a ``store``, which is a file of its own, the same call
    goes on where teaching was; what was learned up to the last whole round is in the file in any case.

    Parameters
    ----------
    path
        Where the network goes, a file that ends in ``.npz``.

    >>> import tempfile
    >>> file = tempfile.mkdtemp() + "/mine.npz"
    >>> taught = train(file, "luckywin", players=4, rounds=0, answers=4_000, games=240)
    >>> [row["against"] for row in taught.rows()]
    ['smart', 'rollout[n=20]']
    """
    return question.taught(path, how)
