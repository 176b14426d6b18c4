"""Where things are printed: standard output in UTF-8 whatever the locale, or a file; only here is anything written."""

import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TextIO

from tlsim.errors import UsageError, reason, unwritable
from tlsim.terms import term

has_written = False  # whether anything was printed, or written to the file that was asked for


def write(text: str, out: str | Path | None = None) -> None:
    """Write text to a file, or to standard output in UTF-8 whatever the locale; say why where it cannot be written."""
    global has_written  # noqa: PLW0603 (a command has one output)
    has_written = True
    if out is not None:
        try:
            Path(out).write_text(text, encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:
            raise unwritable(out, error) from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except UnicodeEncodeError:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        why = reason(error)
        give_up(sys.stdout)
        raise UsageError("cannot write to standard output: {why}; --out FILE writes to a file", why=why) from None


def give_up(printed: TextIO) -> None:
    """Send what is left of a stream nowhere: what could not be written must not be tried again as Python ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), printed.fileno())


@contextmanager
def stream(out: str | Path | None) -> Iterator[Callable[[str], Any]]:
    """Give a function that writes text as it comes, to a file or to standard output; an interrupt leaves a part."""
    try:
        with nullcontext() if out is None else Path(out).open("w", encoding="utf-8", newline="\n") as file:
            yield write if file is None else file.write
    except KeyboardInterrupt:
        complain(term("partial"))
        raise
    except OSError as error:
        if out is None:
            raise
        raise unwritable(out, error) from None


def complain(*said: str) -> None:
    """Write what is wrong, or to be known, to standard error, above a bar that stands there."""
    bars = getattr(sys.modules.get("tqdm"), "tqdm", None)
    with bars.external_write_mode(sys.stderr) if bars else nullcontext():
        sys.stderr.write(wrapped(said, sys.stderr))
        sys.stderr.flush()


def wrapped(said: Iterable[str], printed: TextIO) -> str:
    """Return what is to be printed, for a terminal cut between words; what points at a place stays as it is."""
    lines, width = "\n".join(said).splitlines(), screen_width(printed)
    if width is not None:
        between = textwrap.TextWrapper(width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        lines = [line if line.startswith("    ") else between.fill(line) for line in lines]
        for at, line in enumerate(lines):
            if line.strip() == "^" and len(lines[at - 1]) > width:  # what it points at stays above it
                first = max(4, len(line) - width // 2)
                lines[at - 1 : at + 1] = ["    " + each[first : first + width - 4] for each in lines[at - 1 : at + 1]]
    return "".join(f"{line}\n" for line in lines)


def screen_width(stream: TextIO | None = None) -> int | None:
    """Return the width of the terminal that a stream is, by default standard output; None where it is none."""
    stream = stream or sys.stdout
    if not stream.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    with suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
