"""How often things happen, on a log scale: odds of patterns, exact beside simulated, and events."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import in_words, named_rows, nothing, own_axes, size_of
from tlsim.terms import term

_APART = 0.16  # how far exact and simulated stand from the middle of their row


def plot_odds(
    ax: Any,
    names: Sequence[str],
    *,
    exact: Sequence[float],
    estimate: Sequence[float] | None = None,
    intervals: Sequence[tuple[float, float]] | None = None,
    title: str | None = None,
    lang: str | None = None,
) -> Any:
    """Draw odds on a log scale, one row per pattern, the first on top.

    Parameters
    ----------
    ax
        Axes to draw on; None makes new ones by pyplot.
    names
        Names of the patterns.
    exact
        Exact probabilities; what is impossible is left out.
    estimate, intervals
        Simulated probabilities and their intervals (low, high), or None. What was never seen is drawn as an arrow from
        the upper end.
    title
        Title of the picture.
    lang
        Language of the words in it.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = own_axes(ax, size_of(len(names)), title)
    if not names:
        return nothing(ax, lang, "no_list")
    places = range(len(names))
    apart = _APART if estimate is not None else 0.0
    ax.set_xscale("log")
    ax.scatter(
        [p if p > 0 else math.nan for p in exact], [at - apart for at in places],
        marker="D", s=42, facecolors="white", edgecolors="black", linewidths=1.3, zorder=3, label=term("exact", lang),
    )  # fmt: skip
    if estimate is not None and intervals is not None:
        draw_simulated(ax, estimate, intervals, apart, lang)
    ax.set_yticks(places, names, parse_math=False)  # a dollar sign in a label is a dollar sign
    right = ax.secondary_yaxis("right")
    right.set_yticks(
        places, [f"{term('one_in', lang)} {in_words(f'{1 / p:,.0f}', lang)}" if p > 0 else "–" for p in exact]
    )
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(term("axis_probability", lang))
    ax.grid(axis="x", which="major", color="0.8", linewidth=0.8)
    ax.grid(axis="x", which="minor", color="0.93", linewidth=0.5)
    ax.set_axisbelow(True)
    for at in places[1:]:
        ax.axhline(at - 0.5, color="0.9", linewidth=0.8, zorder=0)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08 - 0.6 / len(names)), ncols=3, frameon=False)
    return ax


def plot_rates(
    ax: Any, names: Sequence[str], rates: Sequence[float], intervals: Sequence[tuple[float, float]], label: str,
    lang: str | None,
) -> Any:  # fmt: skip
    """Draw how often things happen, on a log scale with intervals; return the axes."""
    if not names:
        return nothing(own_axes(ax, size_of(1)), lang)
    ax = named_rows(ax, names)
    draw_simulated(ax, rates, intervals, 0.0, lang)
    ax.set_xscale("log")
    ax.set_xlabel(label)
    ax.legend(frameon=False)
    return ax


def draw_simulated(
    ax: Any, estimate: Sequence[float], intervals: Sequence[tuple[float, float]], apart: float, lang: str | None
) -> None:
    """Draw shares with their intervals, a row each; what was never seen as an arrow from the upper end."""
    seen = [(at + apart, p, *intervals[at]) for at, p in enumerate(estimate) if p > 0]
    unseen = [(at + apart, intervals[at][1]) for at, p in enumerate(estimate) if p == 0]
    if seen:
        y, x, low, high = zip(*seen, strict=True)
        reach = [[p - end for p, end in zip(x, low, strict=True)], [end - p for p, end in zip(x, high, strict=True)]]
        label = f"{term('simulated', lang)}, {term('interval', lang)}"
        ax.errorbar(x, y, xerr=reach, fmt="o", color="black", ecolor="0.35", ms=4.5, capsize=4, zorder=4, label=label)
    if unseen:
        y, x = zip(*unseen, strict=True)
        ax.scatter(x, y, marker="<", s=42, color="0.35", zorder=4, label=term("not_seen", lang))
