"""Means with their intervals, a row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import in_words, named_rows, nothing, own_axes, percent, size_of
from tlsim.terms import term


def plot_means(
    ax: Any, names: Sequence[str], means: Sequence[float], errors: Sequence[float | None], label: str, lang: str | None,
    beside: float = 0.0, *, reach: float = 1.96, interval: str = "interval", share: bool = False,
) -> Any:  # fmt: skip
    """Draw means with 95 % intervals beside a line, one row each, the first on top; return the axes.

    reach : standard errors on each side; interval : the term that says what the intervals are; share : in percent
    """
    if not names:
        return nothing(own_axes(ax, size_of(1)), lang)
    ax = named_rows(ax, names)
    bars = [reach * (error or 0.0) for error in errors]
    ax.axvline(beside, color="0.6", linewidth=0.8)
    ax.errorbar(means, range(len(names)), xerr=bars, fmt="o", color="black", ecolor="0.35", ms=4.5, capsize=4)
    ax.set_xlabel(f"{label}, {term(interval, lang)}", parse_math=False)
    if share:
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
    ax.bar_label(
        bars, labels=[in_words(f"{amount:.3g}", lang) for amount in amounts], padding=3 if reach is None else 6
    )
    ax.margins(x=0.12)
    interval = "" if errors is None else f", {term('interval', lang)}"
    ax.set_xlabel(f"{term('money_per_game', lang)} ({unit}){interval}", parse_math=False)
    return ax
