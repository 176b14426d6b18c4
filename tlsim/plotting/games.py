"""Money and events of whole games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, draw_simulated, named_rows, nothing, own_axes, size_of
from tlsim.plotting.lines import MARKS, percent
from tlsim.terms import term


def plot_money(
    ax: Any, amounts: Sequence[float], shares: Sequence[Sequence[float]], labels: Sequence[str], unit: str,
    lang: str | None,
) -> Any:  # fmt: skip
    """Draw how often each seat ends a game with how much money, shares on a log scale; return the axes.

    Amounts that never came up have no mark: most rules have no halves of a unit, so a line would fall apart.
    """
    ax = own_axes(ax, (WIDTH, 5))
    for number, (share, label) in enumerate(zip(shares, labels, strict=True)):
        ax.plot(
            amounts, [p if p > 0 else math.nan for p in share], label=label, linestyle="", ms=3.6,
            marker=MARKS[number % len(MARKS)], color=f"{0.15 * number:g}", markeredgewidth=0.9,
            markerfacecolor="white" if number % 2 else None,
        )  # fmt: skip
    ax.set_yscale("log")
    ax.set_xlabel(f"{term('net', lang)} ({unit})", parse_math=False)
    ax.set_ylabel(term("per_game", lang))
    ax.legend(frameon=False)
    return ax


def plot_means(
    ax: Any, names: Sequence[str], means: Sequence[float], errors: Sequence[float | None], label: str, lang: str | None,
    beside: float = 0.0, *, reach: float = 1.96, interval: str = "interval",
) -> Any:  # fmt: skip
    """Draw means with 95 % intervals beside a line, one row each, the first on top; return the axes.

    reach : standard errors on each side; interval : the term that says what the intervals are
    """
    if not names:
        return nothing(own_axes(ax, size_of(1)), lang)
    ax = named_rows(ax, names)
    bars = [reach * (error or 0.0) for error in errors]
    ax.axvline(beside, color="0.6", linewidth=0.8)
    ax.errorbar(means, range(len(names)), xerr=bars, fmt="o", color="black", ecolor="0.35", ms=4.5, capsize=4)
    ax.set_xlabel(f"{label}, {term(interval, lang)}", parse_math=False)
    return ax


def plot_match_wins(
    ax: Any, names: Sequence[str], shares: Sequence[float], errors: Sequence[float | None], lang: str | None
) -> Any:
    """Draw the share of matches that each seat wins, beside the share of all alike; return the axes."""
    ax = plot_means(ax, names, shares, errors, term("matches_won", lang), lang, beside=1 / len(names))
    percent(ax.xaxis)
    return ax


def plot_amounts(
    ax: Any, names: Sequence[str], amounts: Sequence[float], unit: str, lang: str | None,
    *, errors: Sequence[float | None] | None = None,
) -> Any:  # fmt: skip
    """Draw amounts per game as bars with their numbers, one row each, the first on top; return the axes.

    errors : standard errors, drawn as 95 % intervals
    """
    if not names:
        return nothing(own_axes(ax, size_of(1)), lang)
    ax = named_rows(ax, names)
    reach = None if errors is None else [1.96 * (error or 0.0) for error in errors]
    bars = ax.barh(
        range(len(names)), amounts, color="0.75", edgecolor="black", height=0.6, xerr=reach, ecolor="black", capsize=4
    )
    ax.bar_label(bars, labels=[f"{amount:.3g}" for amount in amounts], padding=3 if reach is None else 6)
    ax.margins(x=0.12)
    interval = "" if errors is None else f", {term('interval', lang)}"
    ax.set_xlabel(f"{term('money_per_game', lang)} ({unit}){interval}", parse_math=False)
    return ax


def plot_rates(
    ax: Any, names: Sequence[str], rates: Sequence[float], intervals: Sequence[tuple[float, float]], lang: str | None
) -> Any:
    """Draw how often things happen per game, on a log scale with intervals; return the axes."""
    if not names:
        return nothing(own_axes(ax, size_of(1)), lang)
    ax = named_rows(ax, names)
    draw_simulated(ax, rates, intervals, 0.0, lang)
    ax.set_xscale("log")
    ax.set_xlabel(term("view_events", lang))
    ax.legend(frameon=False)
    return ax
