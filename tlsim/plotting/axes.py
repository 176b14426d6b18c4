"""Axes and files of pictures."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tlsim.catalogue import local
from tlsim.errors import UsageError, unwritable
from tlsim.terms import term

WIDTH = 8.0  # inches
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000")
PALE, SOFT, FAINT = "#E69F00", "0.35", "0.88"
MARKS = "oDs^v"
_OURS = "tlsim"  # label of a figure that takes the size of what is drawn


def new_axes() -> Any:
    """Return axes in a figure of their own that no window shows, and that takes the size of what is drawn."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    figure.set_label(_OURS)
    return figure.subplots()


def own_axes(ax: Any, height: float) -> Any:
    """Return the axes that were given, or new ones by pyplot of a height in inches."""
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(WIDTH, height), layout="constrained")[1]
    elif ax.figure.get_label() == _OURS:
        ax.figure.set_size_inches(WIDTH, height)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    return ax


def nothing(ax: Any, lang: str, why: str = "nothing_to_draw") -> Any:
    """Say on axes that there is nothing to draw, and why; return them."""
    ax = own_axes(ax, 1.8)
    ax.text(0.5, 0.5, term(why, lang), ha="center", va="center", transform=ax.transAxes)
    ax.set_axis_off()
    return ax


def titled(ax: Any, title: str, facts: Sequence[str]) -> Any:
    """Write a title above axes, and below it in small letters, line by line, what the numbers rest on; return them.

    Both begin above the names of the rows, so that long ones leave them room.
    """
    ax.figure.draw_without_rendering()  # only then is it known how wide the names are
    names = min((label.get_window_extent().x0 for label in ax.get_yticklabels() if ax.axison), default=ax.bbox.x0)
    left = min(0.0, (names - ax.bbox.x0) / ax.bbox.width)
    ax.set_title(title, loc="left", x=left, fontweight="bold", fontsize=11, pad=8 + 12.5 * len(facts), parse_math=False)
    ax.annotate(
        "\n".join(facts), (left, 1), xytext=(0, 6), xycoords="axes fraction", textcoords="offset points", va="bottom",
        color=SOFT, fontsize="small", parse_math=False,
    )  # fmt: skip
    return ax


def beside(ax: Any, texts: Sequence[str]) -> None:
    """Write the numbers of the rows of axes right of them."""
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(texts)), texts, parse_math=False)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)


def legend_below(ax: Any) -> None:
    """Put the legend under the label of the axis below, wherever that is."""
    from matplotlib.transforms import ScaledTranslation

    below = ax.transAxes + ScaledTranslation(0, -0.5, ax.figure.dpi_scale_trans)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=below, ncols=3, frameon=False)


def percent(axis: Any) -> None:
    """Show the shares of an axis in percent."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(xmax=1))


def spoken(ax: Any, lang: str) -> Any:
    """Return axes whose numbers are in the way of a language; names that stand at ticks stay as they are."""
    from matplotlib.ticker import FixedLocator

    for ticks in (ax.xaxis.major, ax.xaxis.minor, ax.yaxis.major, ax.yaxis.minor):
        written = ticks.formatter.format_ticks
        if not isinstance(ticks.locator, FixedLocator) and not isinstance(written, partial):
            ticks.formatter.format_ticks = partial(_in_words, written, lang)
    return ax


def _in_words(written: Callable[[Any], list[str]], lang: str, values: Any) -> list[str]:
    return [local(text, lang) for text in written(values)]


def check_name(file: str | Path) -> None:
    """Raise `UsageError` unless the end of a file's name tells a format that can be drawn."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if Path(file).suffix.lower().lstrip(".") not in kinds:
        raise UsageError("cannot draw {file!r}: the name must end in one of {names}", file=str(file),
                         names=", ".join(f".{k}" for k in kinds))  # fmt: skip


def save(figure: Any, file: str | Path) -> None:
    """Write a figure to a file; the end of its name tells the format."""
    check_name(file)
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:
        raise unwritable(file, error) from None
