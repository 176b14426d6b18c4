"""A real terminal: a command in a pseudo-terminal of some width, and the screen that a person sees of it.

To start the program takes a second, most of it imports. A nursery is one that has imported everything and forks a child
for each command; `run_in_terminal` asks it unless the start itself is of interest.
"""

from __future__ import annotations

import atexit
import fcntl
import importlib
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyte

ROWS = 50
LOADED = (
    "odds --deals 1024 --players 2 --threads 1", "simulate --games 12 --threads 1 --policies smart",
    "hand '3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H'",
)  # fmt: skip


@dataclass(frozen=True)
class Screen:
    """What a command has written on its terminal by its end."""

    lines: tuple[str, ...]
    raw: bytes
    status: int | None

    @property
    def text(self) -> str:
        """The whole text, what has scrolled away first."""
        return "\n".join(self.lines)


def run_in_terminal(*words: str, columns: int = 80, env: dict[str, str] | None = None, fresh: bool = False) -> Screen:
    """Run ``tlsim`` with these words in a terminal of so many columns, with bars and colours on.

    fresh : start the program itself
    """
    surroundings = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    for name in ("COLUMNS", "LINES", "NO_COLOR", "CI"):
        if name not in (env or {}):
            surroundings.pop(name, None)
    ours, theirs = pty.openpty()
    try:
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
        asked = {"words": words, "terminal": os.ttyname(theirs), "env": surroundings, "folder": str(Path.cwd())}
        raw, status = _run_fresh(asked, ours) if fresh else _run(_nursery(), asked, ours)
    finally:
        os.close(ours)
        os.close(theirs)
    return Screen(_seen(raw, columns), raw, status)


def _seen(raw: bytes, columns: int) -> tuple[str, ...]:
    screen = pyte.HistoryScreen(columns, ROWS, history=20_000, ratio=1)
    pyte.ByteStream(screen).feed(raw)

    def text(line: dict[int, pyte.screens.Char]) -> str:
        return "".join(line[at].data for at in range(columns)).rstrip()

    lines = [text(line) for line in screen.history.top] + [text(screen.buffer[at]) for at in range(ROWS)]
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def _run(nursery: subprocess.Popen[str], asked: dict[str, object], ours: int) -> tuple[bytes, int]:
    """Let a nursery run a command; return what it has written, and its exit status."""
    nursery.stdin.write(f"{json.dumps(asked)}\n")
    nursery.stdin.flush()
    raw = b""
    while nursery.stdout not in select.select([ours, nursery.stdout], [], [])[0]:
        raw += os.read(ours, 65536)
    status = int(nursery.stdout.readline())
    while select.select([ours], [], [], 0)[0]:
        raw += os.read(ours, 65536)
    return raw, status


def _run_fresh(asked: dict[str, object], ours: int) -> tuple[bytes, int]:
    """Run the program itself, by a nursery of one child that has imported nothing."""
    program = str(Path(sys.executable).with_name("tlsim"))  # of this environment, whether or not it is on the PATH
    with _begun("alone", program) as nursery:
        return _run(nursery, asked, ours)


@cache
def _nursery() -> subprocess.Popen[str]:
    nursery = _begun("loaded")
    atexit.register(nursery.__exit__, None, None, None)
    atexit.register(nursery.stdin.close)
    return nursery


def _begun(*words: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-P", __file__, *words], **pipes)


# The nursery


def _serve(program: str | None) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _be(asked, program)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201 (to the test)


def _be(asked: dict[str, object], program: str | None) -> None:
    """Become a command in a terminal."""
    os.setsid()
    terminal = os.open(asked["terminal"], os.O_RDWR)
    for stream in range(3):
        os.dup2(terminal, stream)
    os.chdir(asked["folder"])
    if program is not None:
        os.execve(program, [program, *asked["words"]], asked["env"])
    status = 1
    with suppress(BaseException):
        os.environ.clear()
        os.environ.update(asked["env"])
        for stream, name in enumerate(("stdin", "stdout", "stderr")):
            setattr(sys, name, open(stream, "r" if stream == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115
        status = _main(asked["words"])
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def _main(words: list[str]) -> int:
    import traceback

    from tlsim.cli import main

    try:
        return main(words)
    except BaseException:
        traceback.print_exc()
        raise


def _load() -> None:
    """Import what commands import, and load compiled parts, by some small ones."""
    import contextlib
    import io
    import shlex

    from tlsim.cli import COMMANDS, main

    for place, _ in COMMANDS.values():
        importlib.import_module(place.partition(":")[0])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for words in LOADED:
            main(shlex.split(words))


if __name__ == "__main__":
    if sys.argv[1] == "loaded":
        _load()
    _serve(sys.argv[2] if sys.argv[1] == "alone" else None)
