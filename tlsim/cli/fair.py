"""``tlsim fair``: prices against exact odds, and fairer tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from tlsim.cli.options import RUNNING, chosen_players, chosen_rules, flags, size, writable
from tlsim.cli.output import emit
from tlsim.cli.running import arguments, forecasts
from tlsim.cli.waiting import patience
from tlsim.errors import UsageError
from tlsim.fairness import METHODS, PICTURES, Fairness, FairTable
from tlsim.rules import Rules
from tlsim.terms import language, term

_SHARE = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<percent>%?)")


def share(text: str) -> float:
    """Read a share: ``5%`` or ``0.05``.

    >>> share("5%"), share("0.05"), share("2.5 %")
    (0.05, 0.05, 0.025)
    """
    match = _SHARE.fullmatch(text.strip())
    number = float(match["number"]) / (100 if match["percent"] else 1) if match else -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{text!r}: must be from 0% to 100%, such as 5% or 0.05")
    return number


@click.command()
@flags("rules", "set", "players")
@click.option("--opening/--regular", default=None, help="Only the list of opening games, or of regular ones.")
@click.option(
    "--tolerance", type=float, default=2.0, show_default=True, metavar="FACTOR",
    help="How many times dearer or cheaper than fair a price may be; inf asks about the order alone.",
)  # fmt: skip
@click.option("--rake", type=share, metavar="SHARE", help="What the house takes of a win, such as 5%.")
@click.option(
    "--method", type=click.Choice(METHODS),
    help="Propose a fairer table: the same prices reordered, or new ones. [with --write: reordered]",
)  # fmt: skip
@click.option("--cap", type=float, metavar="PRICE", help="Highest proposed price. [default: 10 × the dearest of today]")
@click.option(
    "--units", type=click.Choice(("half", "whole")), default="half", show_default=True, help="Steps of proposed prices."
)
@click.option("--write", metavar="FILE", callback=writable, help="Write the proposed table as a rule file.")
@click.option(
    "--games", type=size, default="24_000", show_default=True, metavar="N",
    help="Games to simulate for each question about whole games; 0 for none.",
)  # fmt: skip
@click.option("--policies", default="smart", show_default=True, metavar="NAMES", help="As in 'tlsim simulate'.")
@click.option(
    "--skill", default="smart,lowest", show_default=True, metavar="BETTER,OTHERS",
    help="A better policy and that of all the others: what skill is worth, and which seats are good beside it.",
)  # fmt: skip
@flags("seed", *RUNNING)
@click.option("--check", is_flag=True, help="End with exit status 1 if a threshold is crossed.")
@flags("stake", "lang", "format", "plot", "out")
@click.option(
    "--plot-view", type=click.Choice(PICTURES), default="prices", show_default=True, help="What --plot draws."
)  # fmt: skip
@click.pass_context
def fair(
    context: click.Context,
    /,
    *,
    rules_name: str,
    settings: tuple[str, ...],
    players: int | None,
    opening: bool | None,
    tolerance: float,
    rake: float | None,
    method: str | None,
    cap: float | None,
    units: str,
    write: str | None,
    games: int,
    policies: str,
    skill: str,
    seed: int,
    check: bool,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    plot_view: str,
    out: str | None,
    **how: Any,
) -> None:
    """Hold prices against exact odds, and propose fairer ones.

    Fair means that every pattern costs a player the same: price × probability of winning the table is equal for all.
    Probabilities are exact; what whole games cost and bring is simulated. With --method, a fairer table is
    proposed, and with --write it becomes a rule file.
    """
    from tlsim.cli import prices as view
    from tlsim.payouts import fair_tasks, payout_fairness

    rules = chosen_rules(rules_name, settings)
    spoken = language(lang)
    asked: dict[str, Any] = {
        "players": chosen_players(rules, players), "games": games, "policies": policies, "skill": skill, "seed": seed,
    }  # fmt: skip
    running = arguments(how)
    if not games and any(value is not None for value in running.values()):
        raise UsageError("games = 0: there is nothing to run, to keep or to stop; leave the flags of games out")
    method = method or ("reordered" if write else None)
    _check_flags(context, rules, games, method)
    if how["dry_run"]:
        plan = forecasts(fair_tasks(rules, **asked), running)
        emit("fair", {"rules": rules.name}, {"plan": plan}, fmt=fmt, lang=spoken, out=out)
        return
    fairness = payout_fairness(rules, opening=opening, tolerance=tolerance, rake=rake, **asked, **running)
    with patience(term("computing_table", spoken)):
        table = fairness.fair_table(method, cap, units) if method else None
        tables = view.tables(fairness, table, spoken)
    played, unplayable, stopped = view.game_tables(fairness, spoken)
    tables["verdicts"] += played.pop("verdicts", [])
    tables |= played
    if write and table:
        _write(table, write, rules_name, spoken)
    if unplayable:
        click.echo(unplayable, err=True)
    notes = view.notes(fairness, table, spoken, playable=not unplayable and stopped is None)
    provenance = fairness.provenance.as_dict() | view.question(fairness, table, cap, units)
    titles = {}
    if fmt in {"table", "markdown"}:
        tables = view.for_people(tables, fairness, spoken, stake)
        titles = {name: view.title_of(name, fairness, spoken) for name in tables}
        provenance = view.in_words(provenance, spoken)
    emit(
        "fair", provenance, tables, fmt=fmt, complete=stopped is None, titles=titles, notes=notes, lang=spoken, out=out
    )  # fmt: skip
    if stopped is not None:
        raise stopped
    if plot:
        _draw(fairness, plot, plot_view, spoken)
    found = fairness.findings or (not unplayable and fairness.game_findings)
    context.exit(1 if check and found else 0)


def _check_flags(context: click.Context, rules: Rules, games: int, method: str | None) -> None:
    """Refuse flags that would mean nothing beside others, before anything is computed."""
    default = click.core.ParameterSource.DEFAULT
    told = {name for name in context.params if context.get_parameter_source(name) is not default}
    new = method in METHODS[1:]
    for name in ("cap", "units"):
        if name in told and not new:
            raise UsageError(f"--{name} is about new prices: give --method proportional or logarithmic with it")
    if context.params["plot"] is None and "plot_view" in told:
        raise UsageError("--plot-view says what --plot FILE draws; add it")
    if not games:
        for name in ("policies", "skill", "seed"):
            if name in told:
                raise UsageError(f"games = 0: there is nothing to play; leave --{name} out")
    if (view := context.params["plot_view"]) != PICTURES[0]:
        if not games:
            raise UsageError(f"--plot-view {view}: takes simulated games; leave --games 0 out")
        rules.check_playable()


def _draw(fairness: Fairness, file: str, view: str, lang: str) -> None:
    """Draw a picture; say on standard error where there is nothing in it."""
    from tlsim.plotting import new_axes, save

    axes = new_axes(12)
    if not fairness.plot(axes, lang=lang, view=view).has_data():
        click.echo(f"{file}: {term('no_prices' if view == PICTURES[0] else 'nothing_to_draw', lang)}", err=True)
    save(axes.figure, file)


def _write(table: FairTable, file: str, origin: str, lang: str) -> None:
    """Write the table, or say on standard error that there is nothing to write."""
    if not table.changed:
        return
    table.write(Path(file), extends=origin)
    click.echo(term("note_written", lang).format(file=file), err=True)
