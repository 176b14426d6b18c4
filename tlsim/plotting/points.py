"""Points: prices against fair prices, amounts against how often they come up."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, nothing, own_axes
from tlsim.plotting.lines import MARKS
from tlsim.terms import term

_LINE = 0.055  # height of a line of text, of the height of the axes


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


def plot_prices(
    ax: Any, points: Sequence[tuple[str, float, float]], *, unit: str, title: str | None = None, lang: str | None = None
) -> Any:
    """Draw prices against fair prices on log scales, with the line of fairness and names beside the points.

    Parameters
    ----------
    ax
        Axes to draw on; None makes new ones by pyplot.
    points
        Name, price and fair price of each pattern; both prices over 0.
    unit
        Unit of the prices.
    title, lang
        Title of the picture; language of the words in it.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = own_axes(ax, (WIDTH, 6), title)
    if not points:
        return nothing(ax, lang, "no_prices")
    names, prices, fair = zip(*points, strict=True)
    ax.set_xscale("log")
    ax.set_yscale("log")
    (left, right), (low, high) = (_reach(values) for values in (prices, fair))
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    line = [left, right]
    ax.plot(line, line, color="black", linestyle="--", linewidth=1.2, label=term("line_fair", lang))
    ax.fill_between(line, line, high, color="0.95", zorder=0, label=term("too_cheap", lang))
    ax.scatter(prices, fair, marker="D", s=36, facecolors="white", edgecolors="black", linewidths=1.3, zorder=4)
    _name_points(ax, names, prices, fair)
    _label_prices(ax, unit, lang)
    return ax


def _reach(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a log axis: a factor beyond the values on each side."""
    low, high = min(values), max(values)
    beyond = max(1.6, (high / low) ** 0.08)
    return low / beyond, high * beyond


def _label_prices(ax: Any, unit: str, lang: str | None) -> None:
    for axis, word in ((ax.xaxis, "axis_price"), (ax.yaxis, "axis_fair")):
        axis.set_major_formatter(_price)
        axis.set_minor_formatter(_price if axis is ax.xaxis else "")
        axis.set_label_text(f"{term(word, lang)} ({unit}, {term('log_scale', lang)})", parse_math=False)
    ax.minorticks_on()
    ax.grid(which="major", color="0.85", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)


def _price(value: float, _: Any = None) -> str:
    return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"


def _name_points(ax: Any, names: Sequence[str], x: Sequence[float], y: Sequence[float]) -> None:
    """Write names to the right of their points, moved apart where they would lie on one another.

    They stand in a column right of the axes, each on a line to its point, so that none is cut off or hides a point.
    """
    to_point = {"arrowstyle": "-", "color": "0.6", "linewidth": 0.7, "shrinkB": 4}
    heights = ax.transAxes.inverted().transform(ax.transData.transform(list(zip(x, y, strict=True))))[:, 1]
    spread = _apart(heights.tolist(), min(_LINE, 1 / len(names)))
    for name, at_x, at_y, height in zip(names, x, y, spread, strict=True):
        ax.annotate(
            name, (at_x, at_y), xytext=(1.03, height), textcoords=ax.transAxes, ha="left", va="center",
            parse_math=False, annotation_clip=False, zorder=3, arrowprops=to_point,
        )  # fmt: skip


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return heights moved apart to a gap at least, in order, none far above 1 or below 0.

    >>> [round(height, 2) for height in _apart([0.5, 0.5, 0.9], 0.1)]
    [0.5, 0.6, 0.9]
    """
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    found = list(heights)
    for below, at in itertools.pairwise(order):
        found[at] = max(found[at], found[below] + gap)
    top = 1.0
    for at in reversed(order):
        found[at] = min(found[at], top)
        top = found[at] - gap
    return found
