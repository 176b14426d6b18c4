"""``tlsim simulate``: whole games with all their money."""

from __future__ import annotations

from functools import partial

import click

from tlsim.cli.options import chosen_hands, chosen_rules, flags
from tlsim.cli.output import emit
from tlsim.cli.running import computed
from tlsim.terms import language, term


@click.command()
@flags(
    "rules", "set", "players", "games", "policies", "match_length", "hand", "leader", "deal", "seed", "threads",
    "executor", "dask", "stake", "lang", "format", "plot", "out",
)  # fmt: skip
@click.option(
    "--plot-view", type=click.Choice(("distribution", "seats", "roles", "events", "reasons")), default="distribution",
    show_default=True, help="What --plot draws.",
)  # fmt: skip
def simulate(
    *,
    rules_name: str,
    settings: tuple[str, ...],
    players: int | None,
    games: int,
    policies: str,
    match_length: int | None,
    hands: tuple[str, ...],
    leader: int | None,
    deals: str | None,
    seed: int,
    threads: int | None,
    executor: str,
    dask: str | None,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    plot_view: str,
    out: str | None,
) -> None:
    """Whole games with all their money, simulated.

    Games come in matches of consecutive games. Money is in the unit of the rules; standard errors are taken
    over matches. Extreme games are named, so that
    'tlsim replay' can show them.
    """
    from tlsim import games as api
    from tlsim.cli.stats import VIEWS as FOR_PEOPLE
    from tlsim.cli.stats import for_people, with_stake
    from tlsim.results.games import VIEWS

    rules = chosen_rules(rules_name, settings)
    spoken = language(lang)
    stats, stopped = computed(partial(
        api.simulate, rules, games=games, players=players, policies=policies, match_length=match_length, seed=seed,
        executor=dask or executor, threads=threads, hands=chosen_hands(hands), leader=leader, deals=deals,
    ))  # fmt: skip
    tables = {view: with_stake(stats.rows(view), stake) for view in VIEWS}
    if fmt in {"table", "markdown"}:
        tables = {view: for_people(view, tables[view], spoken) for view in FOR_PEOPLE}
    provenance = stats.provenance.as_dict() | {
        "policies": ",".join(stats.policies), "match_length": stats.match_length, "matches": stats.matches,
        "games": stats.games,
    }  # fmt: skip
    speed = f"{stats.games:,} {term('games_played', spoken)}; {stats.seconds:.2f} s"
    titles = {view: term(f"view_{view}", spoken) for view in FOR_PEOPLE}
    emit(
        "simulate", provenance, tables, fmt=fmt, complete=stats.complete, titles=titles, notes=[speed], lang=spoken,
        out=out,
    )  # fmt: skip
    if plot:
        from tlsim.plotting import new_axes, save

        axes = new_axes(10 if plot_view != "events" else len(stats.rows("events")))
        stats.plot(axes, plot_view, lang=spoken)
        save(axes.figure, plot)
    if stopped is not None:
        raise stopped
