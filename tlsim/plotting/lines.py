"""Lines of shares with intervals, told apart by mark and stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
        ax.legend(frameon=False, title=term("interval", lang), title_fontsize="small")


def percent(axis: Any) -> None:
    """Show the shares of an axis in percent."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(xmax=1))
