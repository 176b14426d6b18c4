"""What commands say of themselves, in the language that is asked for when it is shown."""

from __future__ import annotations

import click

from tlsim.catalogue import N_, say

OPTIONS, ARGUMENTS = N_("[OPTIONS]"), N_("COMMAND [ARGS]...")
HELP = {"help_option_names": ["-h", "--help"]}


class Spoken(click.Command):
    """A command whose help, and what click puts into it, is in the catalogue."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words that stand for options and arguments."""
        return [say(piece) for piece in super().collect_usage_pieces(ctx)]

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
        """Return its commands, and what each is for."""
        raise NotImplementedError

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        with formatter.section(say("Commands")):
            formatter.write_dl(self.summaries())
