"""The command ``tlsim``: each subcommand is imported only when it is called.

Exit status: 0 done; 1 a finding, or a fault inside a user's file; 2 wrong usage; 130 Ctrl-C, 143 SIGTERM, 141 closed
pipe. Data goes to standard output in UTF-8, everything else to standard error.
"""

import gc
import importlib
import io
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click
from click.shell_completion import CompletionItem, shell_complete

from tlsim.catalogue import LANGUAGES, N_, ask, click_speaks, say, told
from tlsim.cli.spoken import HELP, SAID, SpokenGroup
from tlsim.errors import TlsimError, UsageError, reason, suggestion
from tlsim.show import output
from tlsim.show.formats import as_json
from tlsim.version import __version__

COMMANDS = {
    name: (f"tlsim.cli.{said.get('home', name)}:{name}", said["help"].split("\n")[0])
    for name, said in SAID["commands"].items() if " " not in name
}  # fmt: skip
"""Of each command where it is found when it is called, and what it is for."""
EXAMPLES = tuple(SAID["examples"].items())
COMPLETE = "_TLSIM_COMPLETE"  # the variable by which a shell asks for completion

_SOON = 2.0  # seconds after an interrupt in which most things end
_BUSY = N_("interrupted; what is being compiled or computed exactly is ended first (Ctrl-C once more ends at once)")
_ONE_SIGNAL = 0.5  # seconds in which repeated signals are one
_MANY_OBJECTS = 50_000  # made between two collections of garbage; modules that load make many, and hardly any garbage


class LazyGroup(SpokenGroup):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that may be meant, without importing them."""
        names = [CompletionItem(name, help=text) for name, text in self.summaries() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find a command, or say which one may be meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = told(suggestion(name, COMMANDS))
            ctx.fail(say("no such command {name!r}{near}", name=name, near=near))
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup, context_settings=HELP, invoke_without_command=True,
    help=N_("Exact and simulated odds of Vietnamese climbing card games: Tiến Lên, Sâm lốc, Tổng thống."),
)  # fmt: skip
@click.option("--lang", type=click.Choice(LANGUAGES), help=N_("Language, before or after the command."))
@click.version_option(__version__, prog_name="tlsim", message="%(prog)s %(version)s")
@click.pass_context
def tlsim(context: click.Context, lang: str | None) -> None:  # noqa: ARG001 (`main` has read it, wherever it stands)
    """Say what can be asked, where nothing is asked."""
    if context.invoked_subcommand is None:
        head = say("tlsim knows the odds and the money of Tiến Lên, Sâm lốc, Tổng thống. Ask:")
        output.write("\n".join([head, *(f"  {asked:36}{say(what)}" for asked, what in EXAMPLES), ""]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these words, by default those that the program was started with; return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    interrupted, since = 130, float("-inf")

    def interrupt(number: int, _frame: FrameType | None) -> None:
        """Print what was computed; a signal that comes twice (a program and its group) is one; a later one ends it."""
        nonlocal interrupted, since
        if time.monotonic() - since < _ONE_SIGNAL:
            return
        if since > 0:  # what a store has committed is whole whenever this comes
            os._exit(128 + number)
        interrupted, since = 128 + number, time.monotonic()
        patience.start()
        raise KeyboardInterrupt

    gc.set_threshold(_MANY_OBJECTS, *gc.get_threshold()[1:])
    _speak_utf8()
    asked = _after("--lang", words)
    ask(next((lang for lang in LANGUAGES if lang == asked), None))
    if asked in LANGUAGES:  # groups of commands and their commands take it anywhere
        words = [w for at, w in enumerate(words) if not w.startswith("--lang") and words[at - 1 : at] != ["--lang"]]
    patience = threading.Timer(_SOON, lambda: output.complain(say(_BUSY)))
    patience.daemon = True
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with click_speaks():
            status = _run(words)
        sys.stdout.flush()
    except TlsimError as error:
        with _perhaps_unheard():
            output.complain(f"{say('Error')}: {told(error)}")
        return _ended(error.exit_code, stuck=arguments is None and getattr(error, "stuck", False))
    except KeyboardInterrupt:
        if _after("--format", words) == "json" and not output.has_written:
            output.write(as_json(words[0], {}, {}, complete=False), _after("--out", words))
        others = {*threading.enumerate()} - {threading.main_thread()}
        return _ended(interrupted, stuck=arguments is None and not all(thread.daemon for thread in others))
    except BrokenPipeError:
        output.give_up(sys.stdout)
        return 141
    finally:
        patience.cancel()
        ask(None)
        # An interrupt within an exec of text, as imports do it, leaves a mark by which Python ends itself by SIGINT,
        # whatever the exit status; the next exec takes it away.
        exec("")  # noqa: S102 (of nothing)
        # All is printed: the program ends now, and a signal that comes once more must not change its exit status.
        ending = arguments is None and since > 0
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if ending else handler)
    return status


def _ended(status: int, *, stuck: bool) -> int:
    """Return an exit status, or end the program with it: nothing else ends a thread whose policy never returns."""
    if stuck:
        sys.stdout.flush()
        os._exit(status)
    return status


@contextmanager
def _perhaps_unheard() -> Iterator[None]:
    """Where nobody can be told, the exit status tells."""
    try:
        yield
    except OSError:
        output.give_up(sys.stderr)


def _after(flag: str, words: Sequence[str]) -> str | None:
    """Return what follows a flag: it may be needed before the words are read."""
    after = [two for one, two in itertools.pairwise(words) if one == flag]
    joined = [word.removeprefix(f"{flag}=") for word in words if word.startswith(f"{flag}=")]
    return next(iter([*after, *joined]), None)


def _run(arguments: list[str]) -> int:
    """Invoke the command; click's own ``main`` has other exit statuses for interrupts and closed pipes."""
    try:
        if asked := os.environ.get(COMPLETE):
            return shell_complete(tlsim, {}, "tlsim", COMPLETE, asked)
        with tlsim.make_context("tlsim", arguments) as context:
            tlsim.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show(said := io.StringIO())
        with _perhaps_unheard():
            output.complain(said.getvalue())
        return error.exit_code
    except BrokenPipeError:
        raise
    except OSError as error:  # of a file or a folder that no place foresaw
        name = str(error.filename or ".")
        raise UsageError("cannot use {name!r}: {why}", name=name[:80], why=reason(error)) from error
    return 0


def _speak_utf8() -> None:
    """Print UTF-8 whatever the locale says; what a terminal cannot show is no reason to stop."""
    if sys.stdout is None:  # it was closed; what is to be written there cannot be
        sys.stdout = Path(os.devnull).open()  # noqa: SIM115 (lives as long as the program)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
