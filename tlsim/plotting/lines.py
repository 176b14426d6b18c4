"""Lines along an axis, told apart by colour, mark and stroke; squares of numbers from one thing to another."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tlsim.catalogue import local
from tlsim.plotting.axes import COLOURS, FAINT, MARKS, SOFT, nothing, own_axes, percent
from tlsim.terms import term

_HEIGHT = 5.0  # inches
_STROKES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)))


Cell = tuple[float | None, str]
"""A number and what is written of it; None where there is none."""
_DARKEST = 0.55  # of the scale of colours, on which black letters are still read


@dataclass(frozen=True)
class Line:
    """Shares along an axis."""

    name: str  # what the line stands for
    at: Sequence[float]  # where each share stands
    shares: Sequence[float]
    intervals: Sequence[tuple[float, float]]  # low, high


def plot_calls(ax: Any, lines: Sequence[Line], break_even: float | None, lang: str) -> Any:
    """Draw how often calls succeed by strength of the hand, a line for each policy, and where they break even."""
    if not lines:
        return nothing(ax, lang)
    ax = _by_strength(ax, lang)
    ax.plot([0, 1], [0, 1], color=SOFT, linewidth=1, linestyle=(0, (1, 3)), label=term("as_estimated", lang))
    if break_even is not None:
        said = local(f"{term('break_even', lang)} {100 * break_even:.3g}%", lang)
        ax.axhline(break_even, color=SOFT, linewidth=1, linestyle=(0, (8, 3)), label=said)
    for number, line in enumerate(lines):
        shift, colour = 0.006 * (number - (len(lines) - 1) / 2), COLOURS[number % len(COLOURS)]
        ends = zip(line.shares, line.intervals, strict=True)
        reach = [(share - low, high - share) for share, (low, high) in ends]
        ax.errorbar(
            [at + shift for at in line.at], line.shares, yerr=list(zip(*reach, strict=True)), label=line.name,
            marker=MARKS[number % len(MARKS)], linestyle=_STROKES[number % len(_STROKES)], color=colour, ms=5.5,
            markerfacecolor="white" if number % 2 else colour, linewidth=1.4, elinewidth=0.9, capsize=3,
        )  # fmt: skip
    ax.legend(edgecolor="none", framealpha=0.9, title=term("interval", lang), title_fontsize="small")
    ax.set_ylim(-0.02, 1.02)
    percent(ax.yaxis)
    ax.set_ylabel(term("success", lang))
    return ax


def plot_by_strength(
    ax: Any, at: Sequence[float], gaps: Sequence[float], errors: Sequence[float | None], label: str, lang: str
) -> Any:
    """Draw differences of money by strength of the hand, with 95 % intervals; hollow what one batch alone has."""
    if not at:
        return nothing(ax, lang)
    ax = _by_strength(ax, lang)
    ax.axhline(0, color=SOFT, linewidth=1, linestyle="--")
    found = list(zip(at, gaps, errors, strict=True))
    known = [(x, y, 1.96 * error) for x, y, error in found if error is not None]
    if known:
        x, y, reach = zip(*known, strict=True)
        ax.errorbar(x, y, yerr=reach, fmt="o", color=COLOURS[0], ms=5, elinewidth=1.2, capsize=3)
    alone = [(x, y) for x, y, error in found if error is None]
    if alone:
        ax.scatter(*zip(*alone, strict=True), marker="o", s=28, facecolors="white", edgecolors=COLOURS[0], zorder=3)
    ax.set_ylabel(f"{label}, {term('interval', lang)}", parse_math=False)
    return ax


def _by_strength(ax: Any, lang: str) -> Any:
    """Return axes along which hands stand by their strength."""
    ax = own_axes(ax, _HEIGHT)
    ax.set_xlim(0, 1)
    ax.grid(color=FAINT, linewidth=0.8)
    percent(ax.xaxis)
    ax.set_xlabel(term("axis_strength", lang))
    return ax


def plot_convergence(
    ax: Any, games: Sequence[int], points: Sequence[tuple[float, float]], label: str, last: str, lang: str
) -> Any:
    """Draw how an estimate settles: its mean and error by then, with a band of 95 %; the last one in words."""
    if not points:
        return nothing(ax, lang)
    ax = own_axes(ax, _HEIGHT)
    means = [mean for mean, _ in points]
    low, high = ([mean + times * 1.96 * error for mean, error in points] for times in (-1, 1))
    ax.fill_between(games, low, high, color=COLOURS[0], alpha=0.2, linewidth=0, label=term("interval", lang), zorder=1)
    ax.plot(games, means, color=COLOURS[0], linewidth=1.6, label=term("mean_so_far", lang), zorder=3)
    ax.axhline(means[-1], color=SOFT, linewidth=1, linestyle="--", zorder=2)
    ax.annotate(last, (1, means[-1]), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                va="center", annotation_clip=False)  # fmt: skip
    settled = points[len(points) // 20 :]  # the first means lie anywhere, and would make the rest a line
    ends = [mean + times * 2.5 * error for mean, error in settled for times in (-1, 1)]
    ax.set_ylim(min(ends), max(ends))
    ax.set_xlim(0, games[-1])
    ax.set_xlabel(term("games_played", lang))
    ax.set_ylabel(label, parse_math=False)
    ax.legend(frameon=False)
    return ax


def plot_squares(
    ax: Any, rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[Cell]], labels: tuple[str, str]
) -> Any:
    """Draw squares with the numbers in them: the larger the darker, and what is below zero hatched in another colour.

    rows, columns : their names, one at least; labels : what columns and rows are
    """
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    ax = own_axes(ax, 1.9 + 0.62 * len(rows))
    most = max(abs(value) for row in cells for value, _ in row if value is not None) or 1.0
    for i, row in enumerate(cells):
        for j, (value, text) in enumerate(row):
            below = value is not None and value < 0
            face = colormaps["Oranges" if below else "Blues"](_DARKEST * abs(value or 0.0) / most)
            square = partial(Rectangle, (j - 0.5, i - 0.5), 1, 1, edgecolor="white")
            ax.add_patch(square(facecolor=face, linewidth=2))
            if below:
                ax.add_patch(square(fill=False, hatch="//", linewidth=0))
            ax.text(j, i, text, ha="center", va="center", parse_math=False)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xticks(range(len(columns)), columns, parse_math=False)
    ax.set_yticks(range(len(rows)), rows, parse_math=False)
    ax.set_xlabel(labels[0], parse_math=False)
    ax.set_ylabel(labels[1], parse_math=False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax
