"""``tlsim bench``: the speed reached on this machine. Every answer that is timed is checked."""

import platform
import statistics
import time
from collections.abc import Callable
from functools import partial

from tlsim.catalogue import N_
from tlsim.cli.flags import Given, command
from tlsim.columns import Row, Table, declared
from tlsim.engine.odds_work import OddsWork
from tlsim.engine.work import CHUNK, Block
from tlsim.errors import Sentence, TlsimError
from tlsim.exact.automaton import HandBook
from tlsim.jit import cores
from tlsim.kernels.deal import deal, dealer
from tlsim.kernels.rng import stream_key
from tlsim.questions.odds import estimate_odds
from tlsim.rules import load_rules
from tlsim.terms import term

_ROUNDS = 7
_DEALS = 512 * 1024


def _work(value: str, row: Row, lang: str) -> str:
    return term(f"bench_{value}", lang) + (f": {row['threads']}" if row["threads"] > 1 else "")


SPEED = declared("bench.speed", work=_work)


@command("bench", None, "threads", shows=("lang", "format", "out"))
def bench(given: Given) -> None:
    """Answer ``tlsim bench``."""
    machine = platform.processor() or platform.machine()
    given.show_tables(Table(SPEED, measured(given["threads"])), rules="doithuong", players=4, machine=machine)


def measured(threads: int | None = None) -> list[Row]:
    """Time dealing, detecting and exact counting under ``doithuong`` at four seats; by default on all cores at last."""
    rules, workers = load_rules("doithuong"), threads or cores()
    patterns = tuple(win.pattern for win in rules.instant_wins())
    work = OddsWork(0, patterns, 13, 4, rules.priority())
    key, tables = stream_key(0), dealer(4, 13)
    exact = HandBook(patterns, 13).count()
    _check(exact.hands == 635_013_559_600, N_("the number of hands"))
    dealt = work(Block(0, _DEALS))
    share = 0.0 if dealt is None else dealt.total("held")[7] / (4 * dealt.total("deals"))
    near = abs(share / (exact.holds[7] / exact.hands) - 1) < 0.08  # eight standard errors at this size
    _check(bool(near), N_("the share of six pairs"))
    all_cores = partial(estimate_odds, "doithuong", deals=8 * _DEALS, threads=workers, progress=lambda *_: None)
    return [
        _rate("deal", "deal", 1, lambda: deal(key, tables, 0, 64), 64 * CHUNK),
        _rate("deal_detect", "hand", 1, lambda: work(Block(0, _DEALS)), 4 * _DEALS),
        _rate("deal_detect_threads", "hand", workers, all_cores, 32 * _DEALS),
        _rate("exact_hand", "list", 1, lambda: HandBook(patterns, 13).count(), 1),
    ]


def _check(right: bool, what: str) -> None:
    if not right:
        raise TlsimError("{what} came out wrong on this machine; please report it with your processor's name",
                         what=Sentence(what))  # fmt: skip


def _rate(what: str, unit: str, threads: int, work: Callable[[], object], units: int) -> Row:
    """Return how often a second something is done: best and median of several rounds."""
    work()
    rates = []
    for _ in range(_ROUNDS):
        begin = time.perf_counter()
        work()
        rates.append(units / (time.perf_counter() - begin))
    best = max(rates)
    row = {"work": what, "threads": threads, "unit": unit, "best": best, "median": statistics.median(rates)}
    return row | {"nanoseconds": 1e9 / best}
