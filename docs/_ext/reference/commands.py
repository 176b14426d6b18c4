"""The chapters of commands and options."""

from __future__ import annotations

import textwrap

import click

from reference.text import cell, code, load, table
from tlsim.catalogue import say
from tlsim.cli import COMMANDS
from tlsim.options import OPTIONS, Option


def commands() -> list[str]:
    """Return a chapter for each command."""
    lines: list[str] = []
    for name, (home, _) in COMMANDS.items():
        module = load(home.partition(":")[0])
        if module is not None:
            lines += a_command(f"tlsim {name}", getattr(module, home.partition(":")[2]), 2)
    return lines


def a_command(name: str, command: click.Command, depth: int) -> list[str]:
    """Return what a command is for, its arguments and its options by groups."""
    parts = say(command.help or "", "en").split("\n\n") if command.help else []
    lines = ["", f"{'#' * depth} {name}", "", *(f"{cell(textwrap.dedent(part).strip())}\n" for part in parts)]
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                lines += a_command(f"{name} {each}", below, depth + 1)
        return lines
    asked = [each.metavar or (each.name or "").upper() for each in command.params if isinstance(each, click.Argument)]
    words = [name, *asked, "[OPTIONS]"]
    lines += ["```text", " ".join(words), "```", ""]
    groups: dict[str, list[list[str]]] = {}
    for each in command.params:
        option = getattr(each, "option", None)
        if isinstance(option, Option):
            row = [spelt(option), what(option, "en"), usual(option)]
            groups.setdefault(say(option.group, "en"), []).append(row)
        elif isinstance(each, click.Option):
            row = [code(", ".join(each.opts)), cell(say(each.help or "", "en")), ""]
            groups.setdefault("Other", []).append(row)
    rows = [[group if at == 0 else "", *row] for group, found in groups.items() for at, row in enumerate(found)]
    return lines + table(["group", "option", "what it is", "default"], rows) if rows else lines


def options() -> list[str]:
    """Return all options by groups, in both languages; those of one command alone stand in its chapter."""
    groups: dict[str, list[list[str]]] = {}
    for option in (option for key, option in OPTIONS.items() if "." not in key):
        python = code(option.name)
        row = [spelt(option), python, what(option, "en"), what(option, "vi"), usual(option)]
        groups.setdefault(option.group, []).append(row)
    lines: list[str] = []
    for group, rows in groups.items():
        lines += ["", f"## {say(group, 'en')} ({say(group, 'vi')})"]
        lines += table(["option", "in Python", "what it is", "nghĩa là", "default"], rows)
    return lines


def what(option: Option, lang: str) -> str:
    """Return what an option is, and which words it takes where these are few."""
    words = f" ({', '.join(map(code, option.choices))})" if option.choices else ""
    return cell(say(option.help, lang)) + words


def usual(option: Option) -> str:
    """Return what an option is where nobody says."""
    if option.usual:
        return cell(say(option.usual, "en"))
    if option.read is None or option.default in (None, (), ""):
        return ""
    return code(f"{option.default:,}" if isinstance(option.default, int) else option.default)


def spelt(option: Option) -> str:
    """Return a flag with what stands after it."""
    return code(option.flags if option.read is None else f"{option.flags} {option.metavar}")
