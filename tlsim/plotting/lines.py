"""Lines: shares and means with their intervals along an axis, told apart by mark and stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tlsim.plotting.axes import WIDTH, in_words, nothing, own_axes, percent
from tlsim.terms import term

MARKS, _STROKES = "oDs^v", ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)))


@dataclass(frozen=True)
class Line:
    """Shares along an axis.

    Parameters
    ----------
    name
        What the line stands for.
    at
        Where each share stands.
    shares, intervals
        Shares, and their intervals (low, high).
    """

    name: str
    at: Sequence[float]
    shares: Sequence[float]
    intervals: Sequence[tuple[float, float]]


def draw_lines(ax: Any, lines: Sequence[Line], apart: float, lang: str | None) -> None:
    """Draw lines with their intervals, each a little apart from the others so that no interval hides another."""
    for number, line in enumerate(lines):
        shift = apart * (number - (len(lines) - 1) / 2)
        ends = zip(line.shares, line.intervals, strict=True)
        reach = [(share - low, high - share) for share, (low, high) in ends]
        ax.errorbar(
            [at + shift for at in line.at], line.shares, yerr=list(zip(*reach, strict=True)), label=line.name,
            marker=MARKS[number % len(MARKS)], linestyle=_STROKES[number % len(_STROKES)], color=f"{0.13 * number:g}",
            markerfacecolor="white" if number % 2 else None, ms=5.5, linewidth=1.2, elinewidth=0.9, capsize=3,
        )  # fmt: skip
    if lines:
        ax.legend(edgecolor="none", framealpha=0.9, title=term("interval", lang), title_fontsize="small")


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
            f"{term('break_even', lang)} {in_words(f'{100 * break_even:.3g}', lang)} %", (0, break_even), (2, 3),
            va="bottom", textcoords="offset points",
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


def plot_runs(ax: Any, lines: Sequence[Line], most: int, lang: str | None) -> Any:
    """Draw how often titles are kept by the number of games in a row, one line each; ``most`` stands for more too."""
    ax = own_axes(ax, (WIDTH, 5.5))
    if not lines:
        return nothing(ax, lang)
    draw_lines(ax, lines, 0.07, lang)
    longest = int(max(line.at[-1] for line in lines))
    ax.set_xticks(range(1, longest + 1), [f"{k}+" if k == most else str(k) for k in range(1, longest + 1)])
    ax.set_ylim(-0.02, 1.02)
    percent(ax.yaxis)
    ax.set_xlabel(term("games_held", lang))
    ax.set_ylabel(term("keeps_title", lang))
    return ax


def plot_convergence(
    ax: Any, games: Sequence[int], points: Sequence[tuple[float, float]], unit: str, lang: str | None,
    *, title: str | None = None,
) -> Any:  # fmt: skip
    """Draw how an estimate settles: the mean of the games so far, with its band of 95 %, and the last mean as a line.

    games : games played by then; points : mean and standard error by then. Returns the axes.
    """
    ax = own_axes(ax, (WIDTH, 5), title)
    means = [mean for mean, _ in points]
    low, high = ([mean + times * 1.96 * error for mean, error in points] for times in (-1, 1))
    ax.fill_between(games, low, high, color="0.85", label=term("interval", lang), zorder=1)
    ax.plot(games, means, color="black", linewidth=1.4, label=term("mean_so_far", lang), zorder=3)
    if points:
        ax.axhline(means[-1], color="0.35", linewidth=0.9, linestyle="--", zorder=2)
    ax.set_xlabel(term("games_played", lang))
    ax.set_ylabel(f"{term('mean', lang)}, {term('per_game', lang)} ({unit})", parse_math=False)
    ax.legend(frameon=False)
    return ax
