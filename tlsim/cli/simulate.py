"""``tlsim simulate``: whole games with all their money."""

from __future__ import annotations

import click

from tlsim.cli.options import chosen_players, chosen_rules, flags
from tlsim.cli.output import emit
from tlsim.results.parts import Row
from tlsim.terms import language, term

_FOR_PEOPLE = ("seats", "roles", "events", "toi_trang", "reasons", "distribution", "extremes")


@click.command()
@flags(
    "rules", "set", "players", "games", "policies", "match_length", "seed", "threads", "executor", "stake", "lang",
    "format", "plot", "out",
)  # fmt: skip
def simulate(
    *,
    rules_name: str,
    settings: tuple[str, ...],
    players: int | None,
    games: int,
    policies: str,
    match_length: int | None,
    seed: int,
    threads: int | None,
    executor: str,
    stake: int | None,
    lang: str | None,
    fmt: str,
    plot: str | None,
    out: str | None,
) -> None:
    """Whole games with all their money, simulated.

    Games come in matches of consecutive games. Money is in the unit of the rules; standard errors are taken
    over matches. Extreme games are named, so that
    'tlsim replay' can show them.
    """
    from tlsim import games as api
    from tlsim.results.games import VIEWS

    rules = chosen_rules(rules_name, settings)
    spoken = language(lang)
    stats = api.simulate(
        rules, games=games, players=chosen_players(rules, players), policies=policies, match_length=match_length,
        seed=seed, executor=executor, threads=threads,
    )  # fmt: skip
    people = fmt in {"table", "markdown"}
    tables = {view: _rows(stats.rows(view), stake, people=people) for view in (_FOR_PEOPLE if people else VIEWS)}
    provenance = stats.provenance.as_dict() | {
        "policies": ",".join(stats.policies), "match_length": stats.match_length, "matches": stats.matches,
        "games": stats.games,
    }  # fmt: skip
    speed = f"{stats.games:,} {term('games_played', spoken)}; {stats.seconds:.2f} s"
    titles = {view: term(f"view_{view}", spoken) for view in _FOR_PEOPLE}
    emit(
        "simulate", provenance, tables, fmt=fmt, complete=stats.complete, titles=titles, notes=[speed], lang=spoken,
        out=out,
    )  # fmt: skip
    if plot:
        from tlsim.plotting import new_axes, save

        axes = new_axes(10)
        stats.plot(axes, lang=spoken)
        save(axes.figure, plot)
    if not stats.complete:
        raise KeyboardInterrupt


def _rows(rows: list[Row], stake: int | None, *, people: bool) -> list[Row]:
    """Leave out for people what did not happen; add the money at a stake."""
    if people:
        rows = [row for row in rows if row.get("count", 1) and row.get("payments", 1)]
    if stake is None:
        return rows
    money = ("mean", "std_error", "money_per_game")
    return [row | {f"{key} × {stake:,}": row[key] * stake for key in money if row.get(key) is not None} for row in rows]
