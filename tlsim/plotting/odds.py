"""Odds of patterns, exact beside simulated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import draw_simulated, own_axes, size_of
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
    ax = own_axes(ax, size_of(len(names)))
    if title:
        ax.set_title(title, loc="left", parse_math=False)
    if not names:
        ax.text(0.5, 0.5, term("no_list", lang), ha="center", va="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
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
    right.set_yticks(places, [f"{term('one_in', lang)} {1 / p:,.0f}" if p > 0 else "–" for p in exact])
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
