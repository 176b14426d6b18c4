"""Blocks: ranges of units that are one piece of work, what is done with them, how that travels and what it adds up to.

A unit is what is never cut: a chunk of 1,024 deals, or some matches. Set points divide the units of every run in the
same way, two to the octave: a block lies between two of them, so that sums up to a set point depend on nothing but
the work. Rules and keys go out, tallies come back.
"""

import pickle
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.identity import Identity
from tlsim.errors import TlsimError
from tlsim.version import __version__

Flag = NDArray[np.int64] | None
"""int64[1], which is not 0 once a block is to stop."""


class Adds(Protocol):
    """What blocks return: it adds."""

    def __add__(self, other: Self, /) -> Self: ...


T = TypeVar("T", bound=Adds)


class Work(Generic[T]):
    """What is done with a block; a subclass is a frozen dataclass, of which the fields alone travel."""

    @property
    def unit(self) -> int:
        """Deals (or matches) of a unit of work, which is never cut."""
        return CHUNK

    def zero(self) -> T:
        """Return the tally of nothing."""
        raise NotImplementedError

    def identity(self) -> Identity:
        """Return what changes the answer and nothing else."""
        raise NotImplementedError

    def __call__(self, block: "Block", stop: Flag = None) -> T | None:
        """Return the tally of a block, or None where it was stopped."""
        return self.tally_of(block.first * self.unit, block.deals, stop)

    def tally_of(self, first: int, number: int, stop: Flag) -> T | None:
        """Return the tally of so many deals (or matches) from one on, or None where it was stopped."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was computed: tables are large, and addresses hold in this process alone."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True)
class Done(Generic[T]):
    """What comes back: the tally of a block (None where it was stopped) and the seconds it took, or what was raised."""

    tally: T | None = None
    seconds: float = 0.0
    error: Exception | None = None

    def result(self) -> T | None:
        """Return the tally, or raise what the work raised."""
        if self.error is not None:
            raise self.error
        return self.tally


@dataclass(frozen=True)
class Parcel:
    """Work ready to be sent: a few kilobytes, opened once by each process."""

    version: str
    content: bytes

    @classmethod
    def of(cls, work: Any) -> "Parcel":
        """Pack work; a part of it that cannot travel says so."""
        return cls(__version__, pickle.dumps(work))

    def open(self) -> Any:
        """Return the work; the same object each time."""
        if self.version != __version__:
            raise TlsimError("the run was started by tlsim {version}, this worker has {ours}; numbers of two versions "
                             "must not be mixed: install the same version on every machine", version=self.version,
                             ours=__version__)  # fmt: skip
        return _opened(self)


@lru_cache(maxsize=8)
def _opened(parcel: Parcel) -> Any:
    return pickle.loads(parcel.content)  # noqa: S301 (made by `Parcel.of` in the process that sent it)


_stop: Flag = None  # of the process pool that this process works for


def heed(stop: Any) -> None:
    """Have the blocks of this process stop where a flag in memory shared with another process says so."""
    global _stop  # noqa: PLW0603 (a process works for one pool)
    _stop = np.frombuffer(stop, dtype=np.int64)


def do(work: Any, block: "Block", stop: Flag = None) -> Done[Any]:
    """Do the work of a block; what it raises is brought back, so that all else that fails is the executor's."""
    sent = isinstance(work, Parcel)
    try:
        called, flag = (work.open(), _stop) if sent else (work, stop)
        begin = time.perf_counter()
        return Done(called(block, flag), time.perf_counter() - begin)
    except Exception as error:  # noqa: BLE001 (whatever the work raises)
        return Done(error=_portable(error) if sent else error)


def _portable(error: Exception) -> Exception:
    """Return an error that can travel."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    except Exception:  # noqa: BLE001 (errors of any kind, pickled in any way)
        error = RuntimeError("".join(traceback.format_exception_only(error)).strip())
    return error


CHUNK = 1024  # deals of one random stream
FIRST_POINT = 8  # units up to the first set point after 0
_BLOCKS_LEFT = 2  # for each worker, in what is left: so that the last block does not keep everybody waiting
_LEAST_PART = 8  # of a whole block, towards the end

Range: TypeAlias = tuple[int, int]
"""Units from the first up to the second, which is left out."""


@dataclass(frozen=True)
class Block:
    """``deals`` deals (or matches) from unit ``first`` on."""

    first: int
    deals: int


def point(number: int) -> int:
    """Return the units before a set point; those are 0, 8, 12, 16, 24, 32, 48 and so on."""
    if number == 0:
        return 0
    octave, half = divmod(number - 1, 2)
    return (FIRST_POINT << octave) + half * (FIRST_POINT // 2 << octave)


def stretch(unit: int) -> int:
    """Return the number of the last set point at or before a unit."""
    if unit < FIRST_POINT:
        return 0
    number = 2 * (unit // FIRST_POINT).bit_length() - 1
    return number + (unit >= point(number + 1))


@dataclass
class Plan:
    """What is left to be done, cut into blocks as they are asked for; the numbers do not depend on how it is cut."""

    deals: int  # deals (or matches) of the run
    unit: int  # deals of a unit
    done: Iterable[Range] = ()  # units that are done, in order
    within: Range | None = None  # units that this run is to do; all by default
    _gaps: list[Range] = field(init=False)

    def __post_init__(self) -> None:
        units = -(-self.deals // self.unit)
        first, end = self.within or (0, units)
        self._gaps = list(reversed(gaps(self.done, (first, min(end, units)))))

    @property
    def left(self) -> int:
        """Units that were not taken."""
        return sum(end - first for first, end in self._gaps)

    @property
    def deals_left(self) -> int:
        """Deals that were not taken."""
        return sum(min(end * self.unit, self.deals) - first * self.unit for first, end in self._gaps)

    def take(self, units: int, workers: int) -> Block | None:
        """Return the next block, of so many units at most; fewer towards the end. None where nothing is left."""
        if not self._gaps:
            return None
        share = max(-(-self.left // (_BLOCKS_LEFT * workers)), units // _LEAST_PART, 1)
        first, end = self._gaps.pop()
        whole = self.deals // self.unit  # a unit that is cut is a block of its own, which more deals will replace
        stop = min(end, first + min(units, share), point(stretch(first) + 1), whole if first < whole else end)
        if stop < end:
            self._gaps.append((stop, end))
        return Block(first, min(stop * self.unit, self.deals) - first * self.unit)


def gaps(done: Iterable[Range], within: Range) -> list[Range]:
    """Return the ranges of ``within`` that are not done.

    >>> gaps([(2, 4), (4, 5), (9, 12)], (0, 10))
    [(0, 2), (5, 9)]
    """
    (at, end), found = within, []
    for first, last in [*done, (end, end)]:
        if at < min(first, end):
            found.append((at, min(first, end)))
        at = max(at, last)
    return found


@dataclass
class Pace:
    """How many units make a block of the wanted seconds; it begins with one and doubles at most."""

    seconds: float
    units: int = 1
    noted: bool = field(default=False, init=False)

    def note(self, units: int, seconds: float) -> None:
        """Take notice of a block of so many units and seconds."""
        self.noted = True
        fitting = self.seconds * units / seconds if seconds > 0 else 2 * units
        self.units = max(1, int(min(fitting, 2 * max(units, self.units))))


@dataclass(frozen=True)
class _State(Generic[T]):
    """Sums at one moment; an interrupt, which may come between any two steps, finds this one or the next."""

    prefix: T
    number: int = 0
    deals: int = 0
    sums: dict[int, T] = field(default_factory=dict)
    missing: dict[int, int] = field(default_factory=dict)


class Ledger(Generic[T]):
    """Adds up blocks, of units of so many deals, that come in any order; memory does not grow with the run.

    What lies between two set points is a stretch. Stretches that are whole, from the first on, are one sum; the few
    after them that are under way have one each.
    """

    def __init__(self, zero: T, unit: int) -> None:
        self._zero, self._unit = zero, unit
        self._state: _State[T] = _State(zero)

    @property
    def deals(self) -> int:
        """Deals that are done."""
        return self._state.deals

    @property
    def total(self) -> T:
        """The sum of all that is done."""
        return sum(self._state.sums.values(), start=self._state.prefix)

    def add(self, block: Block, tally: T) -> list[tuple[int, T]]:
        """Add what was done between two set points; return the set points that are reached now, and the sums there."""
        state, at = self._state, stretch(block.first)
        prefix, number, sums, missing = state.prefix, state.number, dict(state.sums), dict(state.missing)
        sums[at] = sums.get(at, self._zero) + tally
        missing[at] = missing.get(at, (point(at + 1) - point(at)) * self._unit) - block.deals
        reached = []
        while missing.get(number) == 0:
            prefix = prefix + sums.pop(number)
            del missing[number]
            number += 1
            reached.append((point(number), prefix))
        self._state = _State(prefix, number, state.deals + block.deals, sums, missing)
        return reached
