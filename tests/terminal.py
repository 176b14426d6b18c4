"""A real terminal: a command in a pseudo-terminal of some width, and the screen that a person sees of it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import ptyprocess
import pyte

ROWS = 50


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


def run_in_terminal(*words: str, columns: int = 80, env: dict[str, str] | None = None) -> Screen:
    """Run ``tlsim`` with these words in a terminal of so many columns, with bars and colours on."""
    program = str(Path(sys.executable).with_name("tlsim"))  # of this environment, whether or not it is on the PATH
    surroundings = {**os.environ, "TERM": "xterm-256color", **(env or {})}
    for name in ("COLUMNS", "LINES", "NO_COLOR", "CI"):
        if name not in (env or {}):
            surroundings.pop(name, None)
    process = ptyprocess.PtyProcess.spawn([program, *words], dimensions=(ROWS, columns), env=surroundings)
    screen = pyte.HistoryScreen(columns, ROWS, history=20_000, ratio=1)
    stream, raw = pyte.ByteStream(screen), b""
    try:
        while True:
            data = process.read(65536)
            raw += data
            stream.feed(data)
    except EOFError:
        pass
    process.wait()
    status = process.exitstatus if process.signalstatus is None else 128 + process.signalstatus

    def text(line: dict[int, pyte.screens.Char]) -> str:
        return "".join(line[at].data for at in range(columns)).rstrip()

    lines = [text(line) for line in screen.history.top] + [text(screen.buffer[at]) for at in range(ROWS)]
    while lines and not lines[-1]:
        lines.pop()
    return Screen(tuple(lines), raw, status)
