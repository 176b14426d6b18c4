"""Pieces of work: what is done with a block, how that travels, and what comes back: rules and keys go, tallies come."""

from __future__ import annotations

import pickle
import time
import traceback
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import CHUNK, Block
from tlsim.engine.identity import Identity
from tlsim.errors import TlsimError
from tlsim.version import __version__

T = TypeVar("T")
Flag = NDArray[np.int64] | None
"""int64[1], which is not 0 once a block is to stop."""


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

    def __call__(self, block: Block, stop: Flag = None) -> T | None:
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
    def of(cls, work: Any) -> Parcel:
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


def do(work: Any, block: Block, stop: Flag = None) -> Done[Any]:
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
