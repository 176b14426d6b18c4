"""``tlsim simulate``: whole games with all their money."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tlsim.cli.options import RUNNING, chosen_hands, chosen_rules, flags
from tlsim.cli.output import emit
from tlsim.cli.running import arguments, computed, forecast, stopped_note
from tlsim.terms import language, term

if TYPE_CHECKING:
    from tlsim.results.games import GameStats


@click.command()
@flags(
    "rules", "set", "players", "games", "policies", "match_length", "hand", "leader", "deal", "seed", *RUNNING,
    "stake", "lang", "format", "plot", "out",
)  # fmt: skip
@click.option(
    "--plot-view", type=click.Choice(("distribution", "seats", "roles", "events", "reasons")), default="distribution",
    show_default=True, help="What --plot draws.",
)  # fmt: skip
@click.option(
    "--games-out", metavar="DIR", help="Write the games one by one to DIR too, as Parquet (needs tlsim[parquet])."
)
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
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    plot_view: str,
    games_out: str | None,
    out: str | None,
    **how: Any,
) -> None:
    """Whole games with all their money, simulated.

    Games come in matches of consecutive games. Money is in the unit of the rules; standard errors are taken
    over matches. Extreme games are named, so that
    'tlsim replay' can show them.
    """
    from tlsim import games as api

    rules = chosen_rules(rules_name, settings)
    spoken = language(lang)
    play = partial(
        api.simulate, rules, games, players, policies, match_length, seed, hands=chosen_hands(hands), leader=leader,
        deals=deals,
    )  # fmt: skip
    play_out = partial(
        api.write_games, rules=rules, players=players, policies=policies, match_length=match_length, seed=seed,
        executor=how["dask"] or how["executor"], threads=how["threads"], hands=chosen_hands(hands), leader=leader,
        deals=deals,
    )  # fmt: skip
    if how["dry_run"]:
        row = forecast(play, games, arguments(how), "games")
        emit("simulate", {"rules": rules.name}, {"plan": [row]}, fmt=fmt, lang=spoken, out=out)
        return
    stats, stopped = computed(partial(play, **arguments(how)))
    show(stats, "simulate", stake=stake, fmt=fmt, lang=spoken, out=out)
    if plot:
        from tlsim.plotting import new_axes, save

        axes = new_axes(10 if plot_view != "events" else len(stats.rows("events")))
        stats.plot(axes, plot_view, lang=spoken)
        save(axes.figure, plot)
    if stopped is not None:
        raise stopped
    if games_out is not None and play_out(games_out, games=stats.games) < stats.games:
        raise KeyboardInterrupt


def show(stats: GameStats, command: str, *, stake: int | None, fmt: str, lang: str, out: str | None) -> None:
    """Print all tables of whole games."""
    from tlsim.cli.stats import VIEWS as FOR_PEOPLE
    from tlsim.cli.stats import for_people, with_stake
    from tlsim.results.games import VIEWS

    tables = {view: with_stake(stats.rows(view), stake) for view in VIEWS}
    if fmt in {"table", "markdown"}:
        tables = {view: for_people(view, tables[view], lang) for view in FOR_PEOPLE}
    provenance = stats.provenance.as_dict() | {
        "policies": ",".join(stats.policies), "match_length": stats.match_length, "matches": stats.matches,
        "games": stats.games, "stopped": stats.stopped,
    }  # fmt: skip
    speed = f"{stats.games:,} {term('games_played', lang)}; {stats.seconds:.2f} s"
    titles = {view: term(f"view_{view}", lang) for view in FOR_PEOPLE}
    emit(
        command, provenance, tables, fmt=fmt, complete=stats.complete, titles=titles,
        notes=[speed, stopped_note(stats, lang)], lang=lang, out=out,
    )  # fmt: skip
