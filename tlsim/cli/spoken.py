"""What commands say of themselves, in the language that is asked for when it is shown."""

import re

import click

from tlsim.catalogue import N_, say
from tlsim.errors import UsageError
from tlsim.folders import brought

PIECES = N_("[OPTIONS]"), N_("COMMAND [ARGS]..."), N_("[COMMAND] [ARGS]...")
HELP = {"help_option_names": ["-h", "--help"]}
SAID = brought("cli/commands.toml")
"""What commands are for, and what `tlsim` alone proposes to ask."""


class Spoken(click.Command):
    """A command whose help, and what click puts into it, is in the catalogue."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words that stand for options and arguments."""
        pieces = super().collect_usage_pieces(ctx)
        return [re.sub(r"[A-Z|]+", lambda word: say(word[0]), piece) if say(piece) == piece else say(piece)
                for piece in pieces]  # fmt: skip

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; of several ``--rules``, which `report` and `train` take, none is silently lost elsewhere."""
        one = any(each.name == "rules" and not getattr(each, "multiple", True) for each in self.params)
        if one and sum(word.partition("=")[0] == "--rules" for word in args) > 1:
            raise UsageError("{flag} is given twice; it takes one value", flag="--rules")
        return super().parse_args(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return ``--help``, which click keeps in the language of its first call, in that of the catalogue."""
        if (found := super().get_help_option(ctx)) is not None:
            found.help = "Show this message and exit."
        return found

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command is for."""
        text = self.help
        self.help = say(text) if text else text
        super().format_help_text(ctx, formatter)
        self.help = text

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by their groups, and the commands of a group."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                group = getattr(getattr(each, "option", None), "group", None) or self.usual_group
                groups.setdefault(say(group), []).append((record[0], say(record[1])))
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)

    usual_group = N_("Other")


class SpokenGroup(Spoken, click.Group):
    """A command of several, which knows what each is for."""

    usual_group = N_("Options")

    def summaries(self) -> list[tuple[str, str]]:
        """Return its commands, and what each is for, without importing them."""
        before, commands = "" if self.name == "tlsim" else f"{self.name} ", SAID["commands"]
        own = [key for key in commands if key.startswith(before) and " " not in key.removeprefix(before)]
        first = (say(commands[key]["help"]).split("\n\n")[0].replace("\n", " ") for key in own)
        return [(key.removeprefix(before), text) for key, text in zip(own, first, strict=True)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        with formatter.section(say("Commands")):
            formatter.write_dl(self.summaries())
