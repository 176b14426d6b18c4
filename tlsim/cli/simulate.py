"""``tlsim simulate``: whole games with all their money."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from tlsim.cli.options import RUNNING, TARGETS, chosen_hands, chosen_rules, flags
from tlsim.cli.output import emit
from tlsim.cli.running import arguments, computed, forecasts, stopped_note
from tlsim.errors import UsageError
from tlsim.tasks import How, Task
from tlsim.terms import language, term

_OF_A_DIFFERENCE = ("seats", "sam_calls", "titles", "title_worth")
_PICTURES = (
    "distribution", "seats", "roles", "events", "reasons", "sam_calls", "titles", "title_runs", "title_worth",
    "match_wins", *(f"difference_{view}" for view in _OF_A_DIFFERENCE),
)  # fmt: skip


@click.command()
@flags(
    "rules", "set", "players", "games", "policies", "match_length", "hand", "leader", "deal", "seed", *RUNNING, *TARGETS
)
@click.option(
    "--against-set", "against_settings", multiple=True, metavar="KEY=VALUE",
    help="Play the same deals again with a clause of the rules changed, and show the differences; may be repeated.",
)  # fmt: skip
@click.option(
    "--against-policies", metavar="NAMES",
    help="Play the same deals again with these policies, and show the differences.",
)  # fmt: skip
@click.option(
    "--precise", is_flag=True,
    help="Only mean money by seat, from fewer games: less the luck of the deal, as far as it is known exactly.",
)  # fmt: skip
@click.option("--rotate", is_flag=True, help="With --precise: every deal once with each player in each seat.")
@flags("stake", "lang", "format", "plot", "out")
@click.option(
    "--plot-view", type=click.Choice(_PICTURES), default="distribution", show_default=True, help="What --plot draws."
)
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
    against_settings: tuple[str, ...],
    against_policies: str | None,
    precise: bool,
    rotate: bool,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    plot_view: str,
    out: str | None,
    games_out: str | None,
    **how: Any,
) -> None:
    """Whole games with all their money, simulated.

    Money by seat and role, events, tới trắng, payments, extremes. Games come in matches of consecutive games. Money
    is in the unit of the rules; standard errors are taken over matches. Extreme games are named, so that
    'tlsim replay' can show them.

    Rules with báo Sâm or titles have tables of their own. With --against-set or --against-policies the same
    deals are played twice, and the differences come with paired errors.
    """
    from tlsim import games as api

    rules, spoken = chosen_rules(rules_name, settings), language(lang)
    asked: dict[str, Any] = {
        "players": players, "policies": policies, "match_length": match_length, "seed": seed,
        "hands": chosen_hands(hands), "leader": leader, "deals": deals,
    }  # fmt: skip
    running = arguments(how)
    against = bool(against_settings or against_policies)
    _check_flags(how, precise=precise, rotate=rotate, games_out=games_out)
    if precise:
        from tlsim.cli.precise import show as show_precise

        show_precise(
            rules, asked | {"games": games}, running, rotate=rotate, stake=stake, lang=spoken, fmt=fmt, out=out,
            unused={"--against-…": against, "--plot": plot, "--games-out": games_out}, dry_run=how["dry_run"],
        )  # fmt: skip
        return
    other_rules = chosen_rules(rules_name, settings + against_settings)
    said = ", ".join([*against_settings, *filter(None, [against_policies])])
    tasks = [api.games_task(rules, games, **asked)]
    if against:
        other = api.games_task(other_rules, games, **asked | {"policies": against_policies or policies})
        tasks.append(replace(other, question=f"against {said}"))
    if how["dry_run"]:
        plan = forecasts(tasks, running)
        emit("simulate", {"rules": rules.name}, {"plan": plan}, fmt=fmt, lang=spoken, out=out)
        return
    _check_places(rules, other_rules if against else None, plot and plot_view, games_out, asked | {"games": games})
    (stats, stopped), gap = computed(partial(tasks[0].run, How(**running))), None
    if against and stopped is None:
        second, stopped = computed(partial(_beside(tasks[1], stats, how).run, _how_beside(running, how)))
        gap = api.compare(stats, second) if stopped is None and not how["shard"] else None
    about, note = {"against": said} if against else {}, term("note_shards", spoken) if against and how["shard"] else ""
    show(
        stats, "simulate", gap, about, stake=stake, fmt=fmt, lang=spoken, out=out, complete=stopped is None, note=note
    )  # fmt: skip
    if plot and (gap is not None or not plot_view.startswith("difference_")):
        _draw(stats, gap, plot, plot_view, spoken)
    if stopped is not None:
        raise stopped
    if games_out is not None:
        where = {key: running[key] for key in ("executor", "threads")}
        if api.write_games(games_out, rules, stats.games, **asked, **where) < stats.games:
            raise KeyboardInterrupt


def _check_flags(how: dict[str, Any], *, precise: bool, rotate: bool, games_out: str | None) -> None:
    """Refuse flags that would mean nothing beside others."""
    if rotate and not precise:
        raise UsageError("--rotate: seats are rotated with --precise; add it")
    if games_out is not None and how["shard"]:
        raise UsageError("--games-out writes the games from the first on, --shard plays a part; leave one of them out")


def _check_places(rules: Any, other: Any, view: str | None, games_out: str | None, asked: dict[str, Any]) -> None:
    """Refuse a picture that cannot be, or a folder that cannot be written, now rather than after hours."""
    from tlsim import games as api

    if view:
        _check_picture(view, rules, other)
    if games_out is not None:
        api.games_out(games_out, rules, **asked)


def _beside(task: Task[Any], stats: Any, how: dict[str, Any]) -> Task[Any]:
    """Return the task of the games that others are compared with: as many; of a shard, the same part of the run."""
    return task if how["shard"] else replace(task, wanted=stats.matches)


def _how_beside(running: dict[str, Any], how: dict[str, Any]) -> How:
    """Return how they are played: to their number, whatever ended the others; how shards differ is seen once merged."""
    return How(**running if how["shard"] else running | {"until": None})


def _check_picture(view: str, rules: Any, other: Any) -> None:
    """Refuse a picture of what the rules do not have before anything is played."""
    from tlsim.results.games import check_view, views_of

    if view.startswith("difference_") and other is None:
        raise UsageError(f"--plot-view {view}: there is nothing to compare; add --against-set or --against-policies")
    for each in (rules, other):
        if each is not None:
            views = views_of(calls=each.bao_sam is not None, titles=each.president is not None)
            check_view(view.removeprefix("difference_"), views, each.name)


def show(
    stats: Any, command: str, gap: Any = None, about: dict[str, Any] | None = None, *, stake: int | None, fmt: str,
    lang: str, out: str | None, complete: bool, note: str = "",
) -> None:  # fmt: skip
    """Print all tables of whole games, and of how they differ from others over the same deals."""
    people = fmt in {"table", "markdown"}
    provenance = stats.provenance.as_dict() | {
        "policies": ",".join(stats.policies), "match_length": stats.match_length, "matches": stats.matches,
        "games": stats.games, "stopped": stats.stopped,
    }  # fmt: skip
    views, notes = _tables(stats, gap, stake, lang, people=people)
    speed = f"{stats.games:,} {term('games_played', lang)}; {stats.seconds:.2f} s"
    titles = {view: term(f"view_{view}", lang) for view in views if people}
    emit(
        command, provenance | (about or {}), views, fmt=fmt, complete=complete, titles=titles,
        notes=[*notes, speed, stopped_note(stats, lang), note], lang=lang, out=out,
    )  # fmt: skip


def _tables(stats: Any, gap: Any, stake: int | None, lang: str, *, people: bool) -> tuple[dict[str, Any], list[str]]:
    """Return the tables by name, and what is to be said below them."""
    from tlsim.cli.special import special_rows
    from tlsim.cli.stats import VIEWS as FOR_PEOPLE
    from tlsim.cli.stats import for_people, with_stake
    from tlsim.results.games import VIEWS

    tables = {view: stats.rows(view) for view in stats.views}
    if gap is not None:
        tables |= {f"difference_{view}": list(gap.table(view)) for view in gap.views}
    tables = {view: with_stake(view, rows, stake) for view, rows in tables.items()}
    if not people:
        return tables, []
    shown = {view: for_people(view, tables[view], lang) for view in FOR_PEOPLE}
    shown |= {view: special_rows(view, rows, lang) for view, rows in tables.items() if view not in VIEWS}
    notes = {"note_strength": "sam_calls" in shown, "note_against": gap is not None}
    return shown, [term(note, lang) for note, says in notes.items() if says]


def _draw(stats: Any, gap: Any, file: str, view: str, lang: str) -> None:
    from tlsim.plotting import new_axes, save

    axes = new_axes(10 if view != "events" else len(stats.rows("events")))
    if view.startswith("difference_"):
        gap.plot(axes, view.removeprefix("difference_"), lang=lang)
    else:
        stats.plot(axes, view, lang=lang)
    save(axes.figure, file)
