"""``tlsim completion``: what makes a shell complete commands, options, rule sets, patterns and policies."""

import click
from click.shell_completion import get_completion_class

from tlsim.cli import COMPLETE
from tlsim.cli.flags import Given, command
from tlsim.show.output import write

_SHELL = click.Argument(["shell"], type=click.Choice(("bash", "zsh", "fish")))


@command("completion", None, _SHELL, shows=("lang",))
def completion(given: Given) -> None:
    """Answer ``tlsim completion``."""
    shell = get_completion_class(given["shell"])
    if shell is not None:
        write(shell(given.context.find_root().command, {}, "tlsim", COMPLETE).source())
