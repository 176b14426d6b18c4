"""Squares of numbers from one to another: titles, payments; the larger the darker."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from tlsim.plotting.axes import own_axes

Cell = tuple[float | None, str]
"""A number and what is written of it; None where there is none."""
_DARKEST = 0.55  # of the scale of colours, on which black letters are still read


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
