"""``tlsim odds``: odds of every tới trắng pattern, exact and simulated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from tlsim.cli import view
from tlsim.cli.options import RUNNING, TARGETS, chosen_players, chosen_rules, flags
from tlsim.cli.output import emit, rich_table
from tlsim.cli.running import arguments, computed, forecasts, stopped_note
from tlsim.cli.waiting import patience
from tlsim.results import EstimatedOdds, ExactOdds
from tlsim.results.quantities import headline
from tlsim.terms import language, term

Progress = Callable[[int, int, EstimatedOdds], None]


@click.command()
@flags(
    "rules", "set", "players", "opening", "holding", "dead", "deals", "seed", *RUNNING, *TARGETS, "floor",
    "stake", "lang", "format", "plot", "out",
)  # fmt: skip
def odds(
    *,
    rules_name: str,
    settings: tuple[str, ...],
    players: int | None,
    opening: bool,
    holding: str | None,
    dead: str | None,
    deals: int,
    seed: int,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    out: str | None,
    **how: Any,
) -> None:
    """Odds of every tới trắng pattern, exact and simulated.

    In one hand: who holds it. At the table: someone has one, which pattern wins, how many seats hold one, what is paid.
    """
    from tlsim import api

    rules = chosen_rules(rules_name, settings)
    seats = chosen_players(rules, players)
    spoken = language(lang)
    known: dict[str, Any] = {"players": seats, "opening": opening, "holding": holding, "dead": dead}
    run = {"deals": deals, "seed": seed} | arguments(how)
    if how["dry_run"]:
        plan = forecasts([api.odds_task(rules, deals, seed=seed, **known)], arguments(how))
        emit("odds", {"rules": rules.name}, {"plan": plan}, fmt=fmt, lang=spoken, out=out)
        return
    exact = api.exact_odds(rules, **known)
    words = view.Words(spoken, unit=exact.provenance.unit or "", stake=stake)
    with _watch(exact, words, live=fmt == "table" and out is None) as progress:
        simulated, stopped = computed(partial(api.estimate_odds, rules, progress=progress, **run, **known))
    if stopped is None:
        try:
            _compute_table(exact, spoken)
        except KeyboardInterrupt as interrupt:  # the simulation is done: show it
            stopped = interrupt
    shown = view.for_people if fmt in {"table", "markdown"} else view.for_programs
    tables, provenance, notes = shown(exact, simulated, words, table=stopped is None)
    if simulated.stopped:
        provenance |= {"stopped": simulated.stopped}
    emit(
        "odds",
        provenance,
        tables,
        fmt=fmt,
        complete=stopped is None,
        titles=words.titles,
        notes=[*notes, stopped_note(simulated, spoken)],
        lang=spoken,
        out=out,
    )
    if plot:
        _draw(simulated, plot, spoken)
    if stopped is not None:
        raise stopped


@contextmanager
def _watch(exact: ExactOdds, words: view.Words, *, live: bool) -> Iterator[Progress | None]:
    """Show how far the simulation is: in a terminal the table that fills in, else a bar on standard error if any."""
    if live and sys.stdout.isatty():
        from rich.console import Group
        from rich.live import Live
        from rich.progress import Progress as Bar

        title, bar = words.titles["hands"], Bar()
        move = _mover(bar, words.lang)
        with Live(rich_table(title, view.hand_rows(exact, None, words)), transient=True) as screen:

            def fill(done: int, total: int, partial: EstimatedOdds) -> None:
                move(done, total, partial)
                table = rich_table(title, view.hand_rows(exact, partial, words))
                screen.update(Group(table, bar.get_renderable()))

            yield fill
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            yield _mover(bar, words.lang)
    else:
        yield None


def _mover(bar: Any, lang: str) -> Progress:
    """Return what moves a bar, and says on it the estimate and its error, the rate, and the time left."""
    name = term("deals", lang)
    task = bar.add_task(name, total=None)

    def move(done: int, total: int, partial: EstimatedOdds) -> None:
        rate = f"{done / partial.seconds:,.0f} / s" if partial.seconds else ""
        bar.update(
            task, completed=done, total=total, description=" · ".join([name, headline(partial, lang), rate])
        )  # fmt: skip

    return move


def _compute_table(exact: ExactOdds, lang: str) -> None:
    """Have the law of the table computed, and say that it takes a while: in a terminal at once, else where it does."""
    if not exact.listed:
        return
    with patience(term("computing_table", lang)):
        _ = exact.table


def _draw(simulated: EstimatedOdds, file: str, lang: str) -> None:
    from tlsim.plotting import new_axes, save

    axes = new_axes(len(simulated.listed))
    simulated.plot(axes, lang=lang)
    save(axes.figure, file)
