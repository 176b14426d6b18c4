"""Calls of Sâm by strength of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, nothing, own_axes
from tlsim.plotting.lines import Line, draw_lines, percent
from tlsim.terms import term


def plot_calls(ax: Any, lines: Sequence[Line], break_even: float | None, lang: str | None) -> Any:
    """Draw how often calls succeed by strength of the hand, one line for each policy.

    Parameters
    ----------
    ax
        Axes to draw on; None makes new ones by pyplot.
    lines
        Success by strength.
    break_even
        Chance of success at which a call is worth nothing on average, drawn as a level line; None for none.
    lang
        Language of the words in it.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = own_axes(ax, (WIDTH, 5.5))
    if not lines:
        return nothing(ax, lang)
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=1, linestyle=(0, (1, 3)), label=term("as_estimated", lang))
    if break_even is not None:
        ax.axhline(break_even, color="0.45", linewidth=1, linestyle=(0, (8, 3)))
        ax.annotate(
            f"{term('break_even', lang)} {100 * break_even:.3g} %", (0, break_even), (2, 3), va="bottom",
            textcoords="offset points",
        )  # fmt: skip
    draw_lines(ax, lines, 0.006, lang)
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.02, 1.02)
    percent(ax.xaxis)
    percent(ax.yaxis)
    ax.set_xlabel(term("axis_strength", lang))
    ax.set_ylabel(term("success", lang))
    return ax


def plot_by_strength(
    ax: Any, at: Sequence[float], gaps: Sequence[float], errors: Sequence[float | None], label: str, lang: str | None
) -> Any:
    """Draw differences of money by strength of the hand, with 95 % intervals, beside zero; return the axes.

    What shows no error, as it was seen in one batch alone, is drawn hollow.
    """
    ax = own_axes(ax, (WIDTH, 5.5))
    if not at:
        return nothing(ax, lang)
    ax.axhline(0, color="0.6", linewidth=0.8)
    found = list(zip(at, gaps, errors, strict=True))
    known = [(x, y, 1.96 * error) for x, y, error in found if error is not None]
    if known:
        x, y, reach = zip(*known, strict=True)
        ax.errorbar(x, y, yerr=reach, fmt="o", color="black", ecolor="0.35", ms=4.5, capsize=3)
    alone = [(x, y) for x, y, error in found if error is None]
    if alone:
        ax.scatter(*zip(*alone, strict=True), marker="o", s=24, facecolors="white", edgecolors="black", zorder=3)
    ax.set_xlim(0, 1)
    percent(ax.xaxis)
    ax.set_xlabel(term("axis_strength", lang))
    ax.set_ylabel(f"{label}, {term('interval', lang)}", parse_math=False)
    return ax
