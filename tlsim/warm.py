"""Compiling parts side by side: what a question needs and the cache lacks is compiled by as many children as cores.

A part is compiled once for all rules, policies, cards and leaders. Children are programs of their own (``python -m
tlsim``), so this works from scripts, standard input and notebooks. Processes that begin at once share a lock. Where
the cache cannot be written, or no child can be started, a part is compiled where it is needed.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np

from tlsim import jit
from tlsim.catalogue import say

_CHILD = "TLSIM_COMPILES"  # parts that a child is to compile; it starts none itself
_LOOK_EVERY = 0.1  # seconds


def _hands() -> None:
    from tlsim.kernels import deal, detect

    tests, none = detect.compile_tests([], 13), np.zeros((4, deal.GROUP), np.int64)
    detect.where_dealt(deal.dealer(4, 13), deal.desk(), none, tests, detect.bench(none.size))


def _hall() -> None:
    from tlsim.kernels import deal, detect, given, hall, matches

    tests, room, (one, two, three) = detect.compile_tests([], 13), detect.bench(deal.GROUP), _numbers(3)
    place = hall.Hall(one, two, two, two, three, two, deal.desk(), room, room, three)
    _compile(
        hall.play_games, np.zeros(2, np.uint64), deal.dealer(4, 13), (tests, tests), given.nothing_given(), place, 0, 0,
        (0, 0), (0, 0), matches.empty_sums(2), one,
    )  # fmt: skip


def _numbers(axes: int) -> list[Any]:
    """Return arrays of one, two … axes."""
    return [np.zeros((1,) * number, np.int64) for number in range(1, axes + 1)]


def _compile(kernel: Any, *values: Any) -> None:
    kernel.compile(tuple(map(numba.typeof, values)))


def _odds() -> None:
    from tlsim.kernels import deal, detect, leftover, odds

    deck, tests, stop = deal.dealer(4, 13), detect.compile_tests([], 13), np.ones(1, np.int64)
    question = odds.Question(4, 4, by_turn=False, opening_card=-1, lowest=False, count_heo=0)
    odds.count_block(np.zeros(2, np.uint64), deck, tests, question, None, 0, 1, stop, odds.empty_sums(1, 4, 1))
    none = np.zeros(0, np.int64)
    leftover.add_values(np.zeros((0, 4), np.int64)[:, 1:], none, none)


def _law() -> None:
    from tlsim.exact.table_counts import Table
    from tlsim.exact.table_law import count_table
    from tlsim.patterns import Groups, Pattern

    count_table(Table((Pattern(id="bon_bo_ba", all_of=(Groups(kind="groups", size=4, count=3),)),), 13, 2, "strength"))


def _others() -> None:
    from tlsim.kernels import deal, detect, rng

    key = rng.stream_key(0)
    rng.bounded_numbers(key, rng.DRAWS, 0, 10, np.zeros(1, np.int64))
    detect.detect_all(detect.compile_tests([], 13), np.zeros(1, np.int64), detect.bench(1))
    deal.deal(key, deal.dealer(4, 13), 0, 1)


def _tryout() -> None:
    from tlsim.kernels.rollout import try_answers

    one, two, three = _numbers(3)
    _compile(try_answers, np.zeros(2, np.uint64), one, one, one, two, 0, one, three)


def _part(name: str) -> Callable[[], None]:
    def load() -> None:
        from importlib import import_module

        _ = getattr(import_module(f"tlsim.kernels.{name}"), name).address

    return load


# What takes longest first.
PARTS: dict[str, Callable[[], None]] = {
    "table": _part("table"), "smart": _part("smart"), "hall": _hall, "choices": _part("choices"),
    "rollout": _part("rollout"), "hands": _hands, "law": _law, "odds": _odds, "own": _part("own"),
    "expert": _part("expert"), "lesson": _part("lesson"), "tryout": _tryout,
    "others": _others,
}  # fmt: skip

_here: set[str] = set()  # parts that this process has seen to
_one_at_a_time = threading.Lock()


def ready(*names: str) -> None:
    """See to it that parts are in the cache, or compiled here; one may be asked for as often as one likes."""
    if _here.issuperset(names) or os.environ.get(_CHILD) or not jit.compiles():
        return
    with _one_at_a_time:
        folder, missing = jit.kernel_folder(), [name for name in PARTS if name in names and name not in _here]
        if folder is not None and missing and any(not _mark(folder, name).exists() for name in missing):
            with _alone(folder):
                todo = [name for name in missing if not _mark(folder, name).exists()]
                if todo:
                    jit.tell_of_compiling()
                    _compile_all(folder, todo)
        _here.update(missing)


def seconds() -> dict[str, float]:
    """Return how long each part took that is in the cache."""
    folder, found = jit.kernel_folder(), {}
    for name in PARTS if folder is not None else ():
        with suppress(OSError, ValueError):
            found[name] = float(_mark(folder, name).read_text(encoding="ascii"))
    return found


def _mark(folder: Any, name: str, end: str = "part") -> Path:
    """Return the file that says that a part is compiled, or (``begun``) that a child has begun it."""
    return Path(folder) / f"{name}.{end}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; where a system has none, the work may be done twice."""
    with (folder / "lock").open("a") as file:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_part(folder: Path, name: str) -> None:
    """Compile a part in this process, and note how long it took."""
    begin = time.perf_counter()
    PARTS[name]()
    with suppress(OSError):
        _mark(folder, name).write_text(f"{time.perf_counter() - begin:.2f}", encoding="ascii")


def _compile_all(folder: Path, names: Sequence[str]) -> None:
    """Compile parts in children, and in this process what is left then, or is one alone."""
    number, begun, done = min(jit.cores(), len(names)), set[str](), set[str]()
    for name in names:
        _mark(folder, name, "begun").unlink(missing_ok=True)  # of a child that was killed
    children = [child for _ in range(number) if (child := _child(names))] if number > 1 else []
    with _bar(len(names)) as tell:
        try:
            while any(child.poll() is None for child in children):
                time.sleep(_LOOK_EVERY)
                for name in names:
                    if name not in begun and _mark(folder, name, "begun").exists():
                        begun.add(name)
                        tell(name, 0)
                    if name in begun - done and _mark(folder, name).exists():
                        done.add(name)
                        tell(name, 1)
        finally:
            for child in children:
                child.kill()
                child.wait()
        for name in names:
            if not _mark(folder, name).exists():
                tell(name, 0)
                compile_part(folder, name)
                tell(name, 1)


def _child(names: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Start a child that compiles what no other one has begun; None where none can be started."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    with suppress(OSError):
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "tlsim", "warm", "--child"], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {_CHILD: " ".join(names), "PYTHONPATH": path},
        )  # fmt: skip
    return None


def serve() -> None:
    """Compile the parts that this child was started for, each that no other child has begun."""
    if folder := jit.kernel_folder():
        for name in os.environ[_CHILD].split():
            with suppress(FileExistsError):
                _mark(folder, name, "begun").touch(exist_ok=False)
                compile_part(folder, name)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[str, int], None]]:
    """Show in a terminal or notebook which parts are compiled, and how many are left."""
    from tqdm.auto import tqdm

    bar = tqdm(total=total, unit=say(" parts"), disable=None, leave=False)
    at_work: list[str] = []

    def tell(name: str, done: int) -> None:
        if done:
            at_work.remove(name)
            bar.update()
        else:
            at_work.append(name)
        if at_work:  # the last one keeps its name
            bar.set_description(say("compiling {parts}", parts=", ".join(at_work)))

    with bar:
        yield tell
