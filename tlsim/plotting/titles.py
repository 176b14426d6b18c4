"""Titles of Tổng thống from one game to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, nothing, own_axes
from tlsim.plotting.lines import Line, draw_lines, percent
from tlsim.terms import term

Cell = tuple[float | None, float | None]
"""A share and its error, where they are known."""


def plot_matrix(
    ax: Any,
    names: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    label: str,
    lang: str | None,
    *,
    signed: bool = False,
) -> Any:
    """Draw a matrix of shares, or of their differences, with the numbers in it: the larger the darker.

    Parameters
    ----------
    ax
        Axes to draw on; None makes new ones by pyplot.
    names
        Titles, of rows and columns alike.
    cells
        Shares with errors, by row.
    label
        What the numbers are, in percent.
    lang
        Language of the words in it.
    signed
        Whether they are differences, shown with their sign.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = own_axes(ax, (WIDTH, 1.6 + 0.9 * max(1, len(names))))
    if not names:
        return nothing(ax, lang)
    sizes = [[abs(value or 0.0) for value, _ in row] for row in cells]
    most = max(map(max, sizes)) or 1.0
    ax.imshow(sizes, cmap="Greys", vmin=0, vmax=1.25 * most, aspect="auto")
    for i, row in enumerate(cells):
        for j, (value, error) in enumerate(row):
            if value is not None:
                text = f"{100 * value:+.2f}" if signed else f"{100 * value:.1f}"
                text += "" if error is None else f"\n± {100 * error:.2g}"
                ax.text(j, i, text, ha="center", va="center", color="white" if abs(value) > 0.7 * most else "black")
    ax.set_xticks(range(len(names)), names, parse_math=False)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlabel(term("next_title", lang))
    ax.set_ylabel(term("old_title", lang))
    ax.set_title(label, loc="left", fontsize="medium", parse_math=False)
    ax.tick_params(length=0)
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
