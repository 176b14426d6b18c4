"""Squares of numbers from one to another: titles, payments; the larger the darker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, in_words, nothing, own_axes
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
                color = "white" if abs(value) > 0.7 * most else "black"
                ax.text(j, i, in_words(text, lang), ha="center", va="center", color=color)
    ax.set_xticks(range(len(names)), names, parse_math=False)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlabel(term("next_title", lang))
    ax.set_ylabel(term("old_title", lang))
    ax.set_title(label, loc="left", fontsize="medium", parse_math=False)
    ax.tick_params(length=0)
    return ax


def plot_flows(ax: Any, names: Sequence[str], amounts: Sequence[Sequence[float]], unit: str, lang: str | None) -> Any:
    """Draw who pays whom how much per game: payers in rows, receivers in columns, the more the darker.

    Every square has its number; who pays himself has none. Returns the axes.
    """
    ax = own_axes(ax, (WIDTH, 1.6 + 0.8 * len(names)))
    most = max((value for row in amounts for value in row), default=0.0)
    if not most:  # nobody pays
        return nothing(ax, lang)
    ax.imshow(amounts, cmap="Greys", vmin=0, vmax=2.4 * most, aspect="auto")  # the darkest still bears black figures
    for payer, row in enumerate(amounts):
        for receiver, value in enumerate(row):
            text = "–" if payer == receiver else in_words(f"{value:.3g}", lang)
            ax.text(receiver, payer, text, ha="center", va="center")
    ax.set_xticks(range(len(names)), names, parse_math=False, rotation=20, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlabel(f"{term('receives', lang)} ({term('money_per_game', lang)}, {unit})", parse_math=False)
    ax.set_ylabel(term("pays_out", lang))
    ax.tick_params(length=0)
    return ax
