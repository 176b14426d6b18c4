"""What the pictures of `Fairness` show, read from its rows."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Any

import numpy as np

from tlsim import plotting
from tlsim.errors import UsageError, suggestion
from tlsim.fairness.played import Played
from tlsim.intervals import joint_reach, ratio_mean
from tlsim.results.game_events import reason_name
from tlsim.terms import term, term_of

_WIDEST = 70  # letters of a line of a title
PICTURES = ("prices", "reasons", "flows", "seats", "leading", "convergence")


def check_picture(view: str) -> None:
    """Refuse the name of a picture that there is not."""
    if view not in PICTURES:
        raise UsageError(f"view = {view!r}: must be one of {', '.join(PICTURES)}{suggestion(view, PICTURES)}")


def draw_played(played: Played, view: str, ax: Any, lang: str | None) -> Any:
    """Draw a picture of whole games, any of `PICTURES` but the first; return the axes."""
    unit = played.rules.unit
    pictures: dict[str, Callable[[Played, Any, str, str | None], Any]] = {
        "reasons": _reasons, "flows": _flows, "seats": _seats, "leading": _leading, "convergence": _convergence,
    }  # fmt: skip
    ax = pictures[view](played, ax, unit, lang)
    ax.set_title("\n".join(_title(played, view, lang)), loc="left", fontsize="medium", parse_math=False)
    return ax


def _title(played: Played, view: str, lang: str | None) -> list[str]:
    """Return what a picture shows, by what rules, with how many seats and with which policies, line by line."""
    one, others = played.skill_names
    if view == "convergence":
        said = [term("picture_convergence", lang).format(one=one, others=others)]
    else:
        points = played.rules.place_points is not None
        said = [term_of(f"picture_{view}", lang, points=points), played.policies]
    table = f"{played.rules.label}, {played.players} {term('seats_at_table', lang)}"
    return [line for text in (said[0], table, *said[1:]) for line in wrap(text, _WIDEST) or [text]]


def _reasons(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = [row for row in played.rows("reasons") if row["money_per_game"]]
    rows.sort(key=lambda row: -row["money_per_game"])
    return plotting.plot_amounts(
        ax, [reason_name(row["reason"], lang) for row in rows], [row["money_per_game"] for row in rows], unit, lang,
        errors=[row["money_error"] for row in rows],
    )  # fmt: skip


def seat_names(played: Played, lang: str | None) -> list[str]:
    """Return the names of the seats: number and policy."""
    return [f"{term('seat', lang)} {seat}: {policy}" for seat, policy in enumerate(played.stats.policies)]


def _flows(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    stats = played.stats
    amounts = np.zeros((stats.players, stats.players))
    for row in stats.rows("flows"):
        amounts[row["from"], row["to"]] += row["money"] / max(1, stats.games)
    return plotting.plot_flows(ax, seat_names(played, lang), amounts.tolist(), unit, lang)


def _seats(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = [row for row in played.rows("seats") if (row["group"], row["which"]) == ("seat", "all")]
    return _means(ax, seat_names(played, lang), rows, unit, lang)


def _leading(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = played.rows("leading")
    return _means(ax, [distance_name(row["at"], lang) for row in rows], rows, unit, lang)


def distance_name(at: int, lang: str | None) -> str:
    """Return a distance from the leader in words."""
    return term("leads", lang) if at == 0 else f"+{at}"


def _means(ax: Any, names: list[str], rows: list[dict[str, Any]], unit: str, lang: str | None) -> Any:
    label = f"{term('mean', lang)}, {term('per_game', lang)} ({unit})"
    return plotting.plot_means(
        ax, names[: len(rows)], [row["mean"] for row in rows], [row["std_error"] for row in rows], label, lang,
        reach=joint_reach(max(1, len(rows))), interval="interval_together",
    )  # fmt: skip


def _convergence(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    """Draw how far above the table's mean a better player is found to be, as more of the deals are played."""
    games = played.contests
    tables = [each.seat_money() for each in games]
    money = np.sum([table[:, seat] - table.mean(axis=1) for seat, table in enumerate(tables)], axis=0) / 2
    deals = np.sum([each.batch_games() for each in games], axis=0)
    used = np.flatnonzero(deals)
    points = [ratio_mean(money[used[:n]], deals[used[:n]]) for n in range(2, len(used) + 1)]
    played_by_then = np.cumsum(deals[used])[1:].tolist()
    return plotting.plot_convergence(ax, played_by_then, points, unit, lang)
