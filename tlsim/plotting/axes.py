"""Axes and files of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tlsim.catalogue import language, local
from tlsim.errors import UsageError, unwritable
from tlsim.terms import term

WIDTH, ROW = 8.0, 0.42  # inches


def new_axes(rows: int) -> Any:
    """Return axes for so many rows, in a figure of their own that no window shows."""
    from matplotlib.figure import Figure

    return Figure(figsize=size_of(rows), layout="constrained").subplots()


def own_axes(ax: Any, size: tuple[float, float], title: str | None = None) -> Any:
    """Return the axes that were given, or new ones by pyplot, with a title where there is one."""
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=size, layout="constrained")[1]
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        ax.set_title(title, loc="left", parse_math=False)
    return ax


def nothing(ax: Any, lang: str | None, why: str = "nothing_to_draw") -> Any:
    """Say on axes that there is nothing to draw, and why; return them."""
    ax.text(0.5, 0.5, term(why, lang), ha="center", va="center", transform=ax.transAxes)
    ax.set_axis_off()
    return ax


def named_rows(ax: Any, names: Sequence[str]) -> Any:
    """Return axes with a named row for each, the first on top."""
    ax = own_axes(ax, size_of(len(names)))
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    return ax


def percent(axis: Any) -> None:
    """Show the shares of an axis in percent."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(xmax=1))


def in_words(text: str, lang: str | None) -> str:
    """Return a number of a picture in the way of a language."""
    return local(text, language(lang))


def spoken(ax: Any, lang: str | None) -> Any:
    """Return axes whose numbers are in the way of a language; names that stand at ticks stay as they are."""
    from matplotlib.ticker import FixedLocator

    for ticks in (ax.xaxis.major, ax.xaxis.minor, ax.yaxis.major, ax.yaxis.minor):
        written = ticks.formatter.format_ticks
        if not isinstance(ticks.locator, FixedLocator) and not isinstance(written, partial):
            ticks.formatter.format_ticks = partial(_all_in_words, written, language(lang))
    return ax


def _all_in_words(written: Callable[[Any], list[str]], lang: str, values: Any) -> list[str]:
    return [local(text, lang) for text in written(values)]


def check_name(file: str | Path) -> None:
    """Raise `UsageError` unless the end of a file's name tells a format that can be drawn."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if Path(file).suffix.lower().lstrip(".") not in kinds:
        raise UsageError("cannot draw {file!r}: the name must end in one of {names}", file=str(file),
                         names=", ".join(f".{k}" for k in kinds))  # fmt: skip


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
        raise unwritable(file, error) from None


def size_of(rows: int) -> tuple[float, float]:
    """Return the size of a picture of so many rows, in inches."""
    return WIDTH, 1.6 + ROW * max(rows, 1)
