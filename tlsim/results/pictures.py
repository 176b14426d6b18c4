"""Pictures of whole games: which numbers of a result are drawn how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tlsim import plotting
from tlsim.intervals import FEW
from tlsim.kernels import matches as m
from tlsim.results.game_events import event_name, reason_name
from tlsim.results.parts import Row
from tlsim.results.titles import matrix
from tlsim.terms import term

if TYPE_CHECKING:
    from tlsim.results.games import GameStats


def draw(stats: GameStats, ax: Any, view: str, lang: str | None) -> Any:
    """Draw a view and return the axes; see `GameStats.plot`."""
    return _PICTURES[view](stats, ax, lang)


def _seat_names(stats: GameStats) -> list[str]:
    return [f"{seat}: {policy}" for seat, policy in enumerate(stats.policies)]


def _distribution(stats: GameStats, ax: Any, lang: str | None) -> Any:
    money = stats.tally.money.sum(axis=0)
    used = np.flatnonzero(money.sum(axis=0))
    low, high = (int(used[0]), int(used[-1]) + 1) if len(used) else (m.HALF_WIDTH, m.HALF_WIDTH + 1)
    amounts = (np.arange(low, high) - m.HALF_WIDTH) / 2
    shares = (money[:, low:high] / max(1, stats.games)).tolist()
    return plotting.plot_money(ax, amounts.tolist(), shares, _seat_names(stats), stats.provenance.unit or "", lang)


def _seats(stats: GameStats, ax: Any, lang: str | None) -> Any:
    return _means(stats, ax, _seat_names(stats), stats.rows("seats"), lang)


def _roles(stats: GameStats, ax: Any, lang: str | None) -> Any:
    names = [f"{term('leads', lang)}" if role == 0 else f"+{role}" for role in range(stats.players)]
    return _means(stats, ax, names, stats.rows("roles"), lang)


def _means(stats: GameStats, ax: Any, names: list[str], rows: list[Row], lang: str | None) -> Any:
    label = f"{term('mean', lang)}, {term('per_game', lang)} ({stats.provenance.unit or ''})"
    return plotting.plot_means(
        ax, names, [row["mean"] for row in rows], [row["std_error"] for row in rows], label, lang
    )


def _reasons(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows = [row for row in stats.rows("reasons") if row["payments"]]
    names = [reason_name(row["reason"], lang) for row in rows]
    amounts = [row["money_per_game"] for row in rows]
    return plotting.plot_amounts(ax, names, amounts, stats.provenance.unit or "", lang)


def _events(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows = [row for row in stats.rows("events") if row["count"]]
    names = [event_name(row["event"], lang) for row in rows]
    return plotting.plot_rates(ax, names, [row["per_game"] for row in rows], _intervals(rows), lang)


def _intervals(rows: list[Row]) -> list[tuple[float, float]]:
    return [(row["ci_low"], row["ci_high"]) for row in rows]


def _sam_calls(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows = [row for row in stats.rows("sam_calls") if row["success"] is not None and row["strength_from"] is not None]
    lines = []
    for policy in dict.fromkeys(row["policy"] for row in rows):
        own = [row for row in rows if row["policy"] == policy]
        middles = [(row["strength_from"] + row["strength_to"]) / 2 for row in own]
        lines.append(plotting.Line(policy, middles, [row["success"] for row in own], _intervals(own)))
    return plotting.plot_calls(ax, lines, stats.stakes.break_even if stats.stakes else None, lang)


def _titles(stats: GameStats, ax: Any, lang: str | None) -> Any:
    names, cells = matrix(stats.rows("titles"), "share", lang)
    return plotting.plot_matrix(ax, names, cells, f"{term('share', lang)} (%)", lang)


def _title_runs(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows, lines = [row for row in stats.rows("title_runs") if row["at_risk"] >= FEW], []
    for title in dict.fromkeys(row["title"] for row in rows):
        own = [row for row in rows if row["title"] == title]
        held, kept = [row["games_held"] for row in own], [row["share"] for row in own]
        lines.append(plotting.Line(term(title, lang), held, kept, _intervals(own)))
    return plotting.plot_runs(ax, lines, m.MOST_IN_A_ROW, lang)


def _title_worth(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows = [row for row in stats.rows("title_worth") if row["next_points"] is not None]
    means, errors = ([row[key] for row in rows] for key in ("next_points", "next_points_std_error"))
    names = [term(row["title"], lang) for row in rows]
    return plotting.plot_means(ax, names, means, errors, term("next_points", lang), lang)


def _match_wins(stats: GameStats, ax: Any, lang: str | None) -> Any:
    rows = stats.rows("match_wins")
    means, errors = [row["share"] for row in rows], [row["std_error"] for row in rows]
    return plotting.plot_match_wins(ax, _seat_names(stats), means, errors, lang)


_PICTURES = {
    "distribution": _distribution, "seats": _seats, "roles": _roles, "reasons": _reasons, "events": _events,
    "sam_calls": _sam_calls, "titles": _titles, "title_runs": _title_runs, "title_worth": _title_worth,
    "match_wins": _match_wins,
}  # fmt: skip
