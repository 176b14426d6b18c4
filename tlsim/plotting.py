"""Pictures. The only file that imports matplotlib, and only when a picture is drawn.

What is exact and what is simulated differ in shape, not only in colour, so that a picture can be printed in black and
white.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tlsim.errors import UsageError
from tlsim.terms import term

_WIDTH, _ROW = 8.0, 0.42  # inches
_LINE = 0.055  # height of a line of text, of the height of the axes
_APART = 0.16  # how far exact and simulated stand from the middle of their row


def new_axes(rows: int) -> Any:
    """Return axes for so many rows, in a figure of their own that no window shows."""
    from matplotlib.figure import Figure

    return Figure(figsize=_size(rows), layout="constrained").subplots()


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
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=_size(len(names)), layout="constrained")[1]
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
        _draw_simulated(ax, estimate, intervals, apart, lang)
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
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08 - 0.6 / len(names)), ncols=3, frameon=False)
    return ax


def plot_money(
    ax: Any, amounts: Sequence[float], shares: Sequence[Sequence[float]], labels: Sequence[str], unit: str,
    lang: str | None,
) -> Any:  # fmt: skip
    """Draw how often each seat ends a game with how much money, shares on a log scale; return the axes."""
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(_WIDTH, 5), layout="constrained")[1]
    for share, label in zip(shares, labels, strict=True):
        ax.step(amounts, [p if p > 0 else math.nan for p in share], where="mid", label=label, linewidth=1.2)
    ax.set_yscale("log")
    ax.set_xlabel(f"{term('net', lang)} ({unit})", parse_math=False)
    ax.set_ylabel(term("per_game", lang))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return ax


def plot_means(
    ax: Any, names: Sequence[str], means: Sequence[float], errors: Sequence[float | None], unit: str, lang: str | None,
    *, reach: float = 1.96, interval: str = "interval",
) -> Any:  # fmt: skip
    """Draw mean money per game with 95 % intervals, one row each, the first on top; return the axes.

    reach : standard errors on each side; interval : the term that says what they are
    """
    ax = _rows(ax, names)
    bars = [reach * (error or 0.0) for error in errors]
    ax.axvline(0, color="0.6", linewidth=0.8)
    ax.errorbar(means, range(len(names)), xerr=bars, fmt="o", color="black", ecolor="0.35", ms=4.5, capsize=4)
    ax.set_xlabel(f"{term('mean', lang)}, {term('per_game', lang)} ({unit}), {term(interval, lang)}", parse_math=False)
    return ax


def plot_amounts(
    ax: Any, names: Sequence[str], amounts: Sequence[float], unit: str, lang: str | None,
    *, errors: Sequence[float | None] | None = None,
) -> Any:  # fmt: skip
    """Draw amounts per game as bars with their numbers, one row each, the first on top; return the axes.

    errors : standard errors, drawn as 95 % intervals
    """
    ax = _rows(ax, names)
    reach = None if errors is None else [1.96 * (error or 0.0) for error in errors]
    bars = ax.barh(
        range(len(names)), amounts, color="0.75", edgecolor="black", height=0.6, xerr=reach, ecolor="black", capsize=4
    )
    ax.bar_label(bars, labels=[f"{amount:.3g}" for amount in amounts], padding=6)
    ax.margins(x=0.12)
    interval = "" if errors is None else f", {term('interval', lang)}"
    ax.set_xlabel(f"{term('money_per_game', lang)} ({unit}){interval}", parse_math=False)
    return ax


def plot_flows(ax: Any, names: Sequence[str], amounts: Sequence[Sequence[float]], unit: str, lang: str | None) -> Any:
    """Draw who pays whom how much per game: payers in rows, receivers in columns, the more the darker.

    Every square has its number; who pays himself has none. Returns the axes.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(_WIDTH, 1.6 + 0.8 * len(names)), layout="constrained")[1]
    most = max((value for row in amounts for value in row), default=0.0) or 1.0
    ax.imshow(amounts, cmap="Greys", vmin=0, vmax=1.6 * most, aspect="auto")  # the darkest still bears black figures
    for payer, row in enumerate(amounts):
        for receiver, value in enumerate(row):
            ax.text(receiver, payer, "–" if payer == receiver else f"{value:.3g}", ha="center", va="center")
    ax.set_xticks(range(len(names)), names, parse_math=False, rotation=20, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlabel(f"{term('receives', lang)} ({term('money_per_game', lang)}, {unit})", parse_math=False)
    ax.set_ylabel(term("pays_out", lang))
    ax.tick_params(length=0)
    return ax


def plot_convergence(
    ax: Any, games: Sequence[int], points: Sequence[tuple[float, float]], unit: str, lang: str | None,
    *, title: str | None = None,
) -> Any:  # fmt: skip
    """Draw how an estimate settles: the mean of the games so far, with its band of 95 %, and the last mean as a line.

    games : games played by then; points : mean and standard error by then. Returns the axes.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(_WIDTH, 5), layout="constrained")[1]
    if title:
        ax.set_title(title, loc="left", parse_math=False)
    means = [mean for mean, _ in points]
    low, high = ([mean + times * 1.96 * error for mean, error in points] for times in (-1, 1))
    ax.fill_between(games, low, high, color="0.85", label=term("interval", lang), zorder=1)
    ax.plot(games, means, color="black", linewidth=1.4, label=term("mean_so_far", lang), zorder=3)
    if points:
        ax.axhline(means[-1], color="0.35", linewidth=0.9, linestyle="--", zorder=2)
    ax.set_xlabel(term("games_played", lang))
    ax.set_ylabel(f"{term('mean', lang)}, {term('per_game', lang)} ({unit})", parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return ax


def plot_rates(
    ax: Any, names: Sequence[str], rates: Sequence[float], intervals: Sequence[tuple[float, float]], lang: str | None
) -> Any:
    """Draw how often things happen per game, on a log scale with intervals; return the axes."""
    ax = _rows(ax, names)
    _draw_simulated(ax, rates, intervals, 0.0, lang)
    ax.set_xscale("log")
    ax.set_xlabel(term("view_events", lang))
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
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(_WIDTH, 6), layout="constrained")[1]
    if title:
        ax.set_title(title, loc="left", parse_math=False)
    if not points:
        ax.text(0.5, 0.5, term("no_prices", lang), ha="center", va="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
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
    ax.spines[["top", "right"]].set_visible(False)
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


def _rows(ax: Any, names: Sequence[str]) -> Any:
    """Return axes with a named row for each, the first on top."""
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=_size(len(names)), layout="constrained")[1]
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _draw_simulated(
    ax: Any, estimate: Sequence[float], intervals: Sequence[tuple[float, float]], apart: float, lang: str | None
) -> None:
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


def check_name(file: str | Path) -> None:
    """Raise `UsageError` unless the end of a file's name tells a format that can be drawn."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if Path(file).suffix.lower().lstrip(".") not in kinds:
        raise UsageError(f"cannot draw {str(file)!r}: the name must end in one of {', '.join(f'.{k}' for k in kinds)}")


def save(figure: Any, file: str | Path) -> None:
    """Write a figure to a file; the end of its name tells the format.

    Raises
    ------
    UsageError
        If the format is unknown or the file cannot be written.
    """
    check_name(file)
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:
        raise UsageError(f"cannot write {str(file)!r}: {error.strerror or error}") from None


def _size(rows: int) -> tuple[float, float]:
    return _WIDTH, 1.6 + _ROW * max(rows, 1)
