"""How fast this machine is: what ``tlsim bench`` shows. Every answer that is timed is checked."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from tlsim.catalogue import N_
from tlsim.errors import Sentence, TlsimError
from tlsim.exact.hand_book import HandCounts
from tlsim.rules import load_rules
from tlsim.tally import OddsTally

_ROUNDS = 7
_DEALS = 512 * 1024


@dataclass(frozen=True)
class Speed:
    """One line: what was done, on how many threads, how often a second (best and median of several rounds).

    ``unit`` is what is counted: deals, hands, or lists of patterns.
    """

    what: str
    unit: str
    threads: int
    best: float
    median: float

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds of one unit at the best rate."""
        return 1e9 / self.best


def measure_speed(threads: int | None = None) -> list[Speed]:
    """Time dealing, detecting and exact counting under ``doithuong`` at four seats.

    Parameters
    ----------
    threads
        Threads of the last line; default all cores.

    Returns
    -------
    list of Speed

    Raises
    ------
    TlsimError
        If an answer is wrong, which no speed makes up for.
    """
    from tlsim.engine.blocks import CHUNK, Block
    from tlsim.engine.executors import cores
    from tlsim.engine.work import OddsWork
    from tlsim.exact.hand_book import HandBook
    from tlsim.kernels.deal import deal, dealer
    from tlsim.kernels.rng import stream_key
    from tlsim.questions.odds import estimate_odds

    rules = load_rules("doithuong")
    patterns = tuple(win.pattern for win in rules.instant_wins())
    work = OddsWork(0, patterns, 13, 4, rules.priority())
    key, tables = stream_key(0), dealer(4, 13)
    exact = HandBook(patterns, 13).count()
    _check(exact.hands == 635_013_559_600, N_("the number of hands"))
    _check(_counts_six_pairs(work(Block(0, _DEALS)), exact), N_("the share of six pairs"))
    workers = threads or cores()

    def all_cores() -> None:
        estimate_odds("doithuong", deals=8 * _DEALS, threads=workers, progress=lambda *_: None)

    return [
        _rate("deal", "deal", 1, lambda: deal(key, tables, 0, 64), 64 * CHUNK),
        _rate("deal_detect", "hand", 1, lambda: work(Block(0, _DEALS)), 4 * _DEALS),
        _rate("deal_detect_threads", "hand", workers, all_cores, 32 * _DEALS),
        _rate("exact_hand", "list", 1, lambda: HandBook(patterns, 13).count(), 1),
    ]


def _counts_six_pairs(tally: OddsTally | None, exact: HandCounts) -> bool:
    """Whether the simulated share is within 8 % of the exact one, eight standard errors at this size."""
    if tally is None:
        return False
    share = tally.total("held")[7] / (4 * tally.total("deals"))
    return bool(abs(share / (exact.holds[7] / exact.hands) - 1) < 0.08)


def _check(right: bool, what: str) -> None:
    if not right:
        raise TlsimError("{what} came out wrong on this machine; please report it with your processor's name",
                         what=Sentence(what))  # fmt: skip


def _rate(what: str, unit: str, threads: int, work: Callable[[], object], units: int) -> Speed:
    work()
    rates = []
    for _ in range(_ROUNDS):
        begin = time.perf_counter()
        work()
        rates.append(units / (time.perf_counter() - begin))
    return Speed(what, unit, threads, max(rates), statistics.median(rates))
