"""``tlsim rules``: list, show, check and compare rule sets."""

from __future__ import annotations

from typing import Any

import click

from tlsim import __version__
from tlsim.cli.output import FORMATS, emit, write
from tlsim.errors import RulesError
from tlsim.rules import Rules, list_rules, load_rules, moot_here, parse_setting
from tlsim.rules.toml import write_value

_format = click.option("--format", "fmt", type=click.Choice(FORMATS), default="table", show_default=True)
_out = click.option("--out", metavar="FILE", help="Write to FILE instead of standard output.")


@click.group()
def rules() -> None:
    """List, show, check and compare rule sets."""


@rules.command("list")
@_format
@_out
def list_command(fmt: str, out: str | None) -> None:
    """List the rule sets that come with tlsim."""
    rows = [_summary(load_rules(name)) for name in list_rules()]
    emit("rules list", {"version": __version__}, {"rules": rows}, fmt=fmt, out=out)


@rules.command()
@click.argument("name")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a clause; may be repeated.")
@_format
@_out
def show(name: str, settings: tuple[str, ...], fmt: str, out: str | None) -> None:
    """Show all rules of a preset or file, each with its source; the table format is a rule file."""
    shown = load_rules(name).replace(dict(map(parse_setting, settings)))
    if fmt == "table":
        write(shown.to_toml(), out)
    else:
        rows = [{"key": key, "value": _shown(value, fmt), "source": source} for key, value, source in shown.clauses()]
        provenance = {"version": __version__, "rules": shown.name, "digest": shown.digest}
        emit("rules show", provenance, {"rules": rows}, fmt=fmt, out=out)


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_format
@_out
@click.pass_context
def check(context: click.Context, files: tuple[str, ...], fmt: str, out: str | None) -> None:
    """Check rule files; exit status 1 if any has a fault.

    A clause of the file that cannot matter under the others is named, too; that is no fault.
    """
    good: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    idle: list[dict[str, Any]] = []
    lines: list[str] = []
    for file in files:
        try:
            found = load_rules(file)
        except RulesError as error:
            faults += [
                {"file": error.file, "where": f.where, "value": f.value, "fault": f.message} for f in error.faults
            ]
            lines.append(str(error))
            continue
        wrong = found.unplayable()
        faults += [{"file": file, "where": f.where, "value": f.value, "fault": f.message} for f in wrong]
        lines += [f"{file}: {fault}" for fault in wrong]
        if not wrong:
            good.append({"file": file, **_summary(found)})
            lines.append(f"{file}: no faults ({found.name}, digest {found.digest[:12]})")
        idle += [{"file": file, "where": path, "why": why} for path, why in moot_here(found)]
        lines += [f"{file}: {path}: cannot matter: {why}" for path, why in moot_here(found)]
    if fmt == "table":
        write("\n".join(lines) + "\n", out)
    else:
        emit("rules check", {"version": __version__}, {"good": good, "faults": faults, "moot": idle}, fmt=fmt, out=out)
    context.exit(1 if faults else 0)


@rules.command()
@click.argument("a")
@click.argument("b")
@_format
@_out
@click.pass_context
def diff(context: click.Context, a: str, b: str, fmt: str, out: str | None) -> None:
    """Show what differs between two rule sets; exit status 1 if anything does."""
    ours, theirs = load_rules(a), load_rules(b)
    names = ("a", "b") if ours.name == theirs.name else (ours.name, theirs.name)
    found = ours.describe_difference(theirs)
    rows = [{"key": key, names[0]: _shown(one, fmt), names[1]: _shown(two, fmt)} for key, one, two in found]
    provenance = {"version": __version__, "a": f"{a} {ours.digest[:12]}", "b": f"{b} {theirs.digest[:12]}"}
    emit("rules diff", provenance, {"diff": rows}, fmt=fmt, columns={"diff": ("key", *names)}, out=out)
    context.exit(1 if found else 0)


def _summary(found: Rules) -> dict[str, Any]:
    deal = found.deal
    return {
        "name": found.name,
        "label": found.label,
        "family": found.family,
        "unit": found.unit,
        "players": f"{deal.min_players}–{deal.max_players}",
        "cards": deal.hand_size,
        "toi_trang": len(found.instant_wins(opening=False)),
        "toi_trang_opening": len(found.instant_wins(opening=True)),
        "digest": found.digest[:12],
    }


def _shown(value: Any, fmt: str) -> Any:
    """Return a value as TOML for people, as it is for programs."""
    return write_value(value) if value is not None and fmt in {"table", "markdown"} else value
