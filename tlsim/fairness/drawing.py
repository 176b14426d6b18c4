"""What the pictures of `Fairness` show, read from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from tlsim import plotting
from tlsim.columns import Row
from tlsim.errors import unknown, wrong
from tlsim.fairness.plays import Played
from tlsim.fairness.price_list import Prices
from tlsim.intervals import joint_reach, ratio_mean
from tlsim.rules import Rules
from tlsim.terms import reason_name, term, term_of

_WIDEST = 70  # letters of a line of a title
PICTURES = ("prices", "reasons", "flows", "seats", "leading", "convergence")


def draw(view: str, ax: Any, lang: str | None, rules: Rules, prices: Prices | None, played: Played | None) -> Any:
    """Draw a picture of a list, or of whole games, any of `PICTURES`; return the axes."""
    if view not in PICTURES:
        raise unknown("view", view, PICTURES)
    if view == PICTURES[0]:
        return plotting.spoken(_prices(rules, prices, ax, lang), lang)
    if played is None:
        raise wrong("view", view, "takes simulated games; ask for some by games=")
    ax = _OF_GAMES[view](played, ax, rules.unit, lang)
    ax.set_title("\n".join(_title(played, view, lang)), loc="left", fontsize="medium", parse_math=False)
    return plotting.spoken(ax, lang)


def _prices(rules: Rules, prices: Prices | None, ax: Any, lang: str | None) -> Any:
    fair = () if prices is None else zip(prices.listed, prices.fair, strict=True)
    points = [(entry.name(lang), entry.pays, float(price)) for entry, price in fair if price and entry.pays]
    title = rules.label if prices is None else f"{rules.label} – {term(prices.which, lang)}"
    return plotting.plot_prices(ax, points, unit=rules.unit, title=title, lang=lang)


def _title(played: Played, view: str, lang: str | None) -> list[str]:
    """Return what a picture shows, by what rules, with how many seats and with which policies, line by line."""
    one, others = played.skill_names
    points = played.rules.place_points is not None
    first = term_of(f"picture_{view}", lang, points=points).format(one=one, others=others)
    table = f"{played.rules.label}, {played.players} {term('seats_at_table', lang)}"
    said = [first, table] if view == "convergence" else [first, table, played.policies]
    return [line for text in said for line in wrap(text, _WIDEST) or [text]]


def _reasons(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = [row for row in played.rows("reasons") if row["money_per_game"]]
    rows.sort(key=lambda row: -row["money_per_game"])
    return plotting.plot_amounts(
        ax, [reason_name(row["reason"], lang) for row in rows], [row["money_per_game"] for row in rows], unit, lang,
        errors=[row["money_error"] for row in rows],
    )  # fmt: skip


def _seat_names(played: Played, lang: str | None) -> list[str]:
    """Return the names of the seats: number and policy."""
    return [f"{term('seat', lang)} {seat}: {policy}" for seat, policy in enumerate(played.stats.policies)]


def _flows(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    stats = played.stats
    amounts = np.zeros((stats.players, stats.players))
    for row in stats.rows("flows"):
        amounts[row["from"], row["to"]] += row["money"] / max(1, stats.games)
    return plotting.plot_flows(ax, _seat_names(played, lang), amounts.tolist(), unit, lang)


def _seats(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = [row for row in played.rows("seats") if (row["group"], row["which"]) == ("seat", "all")]
    return _means(ax, _seat_names(played, lang), rows, unit, lang)


def _leading(played: Played, ax: Any, unit: str, lang: str | None) -> Any:
    rows = played.rows("leading")
    return _means(ax, [term("leads", lang) if not row["at"] else f"+{row['at']}" for row in rows], rows, unit, lang)


def _means(ax: Any, names: Sequence[str], rows: list[Row], unit: str, lang: str | None) -> Any:
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


_OF_GAMES = {
    "reasons": _reasons, "flows": _flows, "seats": _seats, "leading": _leading, "convergence": _convergence,
}  # fmt: skip
