"""Work that goes wrong on purpose, and functions of a user; a module, so that other processes find it too."""

import os
import signal
import struct
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numba

from tlsim import policy


@dataclass(frozen=True)
class Counted:
    """A tally of deals and of the sum of the units: any block lost or counted twice shows."""

    deals: int = 0
    units: int = 0

    def __add__(self, other):
        return Counted(self.deals + other.deals, self.units + other.units)


@dataclass(frozen=True)
class Adding:
    """Adds up the units of its block; takes its time for each where it is told to."""

    pause: float = 0.0

    def __call__(self, block, stop=None):
        end = time.monotonic() + self.pause * block.deals
        while time.monotonic() < end:
            if stop is not None and stop[0]:
                return None
            time.sleep(0.0005)
        return counted(block)


@dataclass(frozen=True)
class Deadly:
    """Kills the process that does the block with a unit, as often as there are files in a folder."""

    folder: str
    unit: int = 100
    deaths: int = 1
    pause: float = 0.0

    def __call__(self, block, _stop=None):
        time.sleep(self.pause)
        if block.first + block.deals > self.unit:
            for death in range(self.deaths):
                try:
                    (Path(self.folder) / f"death-{death}").touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return counted(block)


def counted(block, unit=1):
    units = range(block.first, block.first + -(-block.deals // unit))
    return Counted(block.deals, sum(units))


@dataclass(frozen=True)
class Torn:
    """Kills its process, once, when half of a tally is sent."""

    folder: str
    unit: int = 100

    def __call__(self, block, _stop=None):
        if block.first + block.deals > self.unit and not (Path(self.folder) / "torn").exists():
            (Path(self.folder) / "torn").touch()
            Connection._send_bytes = _send_half
        return counted(block)


def _send_half(connection, buf):
    os.write(connection.fileno(), struct.pack("!i", len(buf)) + bytes(buf[: len(buf) // 2]))
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Slow:
    """Takes its time, and says which process did it."""

    folder: str
    pause: float = 0.05

    def __call__(self, block, stop=None):
        (Path(self.folder) / f"process-{os.getpid()}").touch()
        end = time.monotonic() + self.pause * block.deals
        while time.monotonic() < end:
            if stop is not None and stop[0]:
                return None
            time.sleep(0.005)
        return counted(block)


class StubbornError(Exception):
    """An error that cannot be sent."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")

    def __reduce__(self):
        raise TypeError("not to be pickled")


@dataclass(frozen=True)
class Raising:
    """Raises an error that can be sent, or one that cannot."""

    stubborn: bool = False

    def __call__(self, block, _stop=None):
        if block.first >= 20:
            raise StubbornError("here", "I stay") if self.stubborn else ZeroDivisionError("of block work")
        return counted(block)


LIMIT = 12


@numba.njit
def helper(top):
    return top < LIMIT


@numba.njit
def stingy(plays, hand, table, log, random):  # noqa: ARG001
    """Play the first that takes no 2."""
    for at in range(len(plays)):
        if plays[at, policy.KIND] != policy.PASS and helper(plays[at, policy.TOP]):
            return at
    return 0


@numba.njit
def has_two_of_hearts(hand):
    return hand >> 51 & 1 == 1


plain = [numba.njit(lambda hand: hand > 0)]


@numba.njit
def by_own_chance(plays, hand, table, log, random):  # noqa: ARG001
    return policy.below(random, len(plays))
