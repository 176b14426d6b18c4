"""A named row for each thing: marks with intervals, bars, or the shape of a distribution, and the numbers beside."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tlsim.catalogue import local
from tlsim.plotting.axes import COLOURS, FAINT, MARKS, PALE, SOFT, beside, legend_below, nothing, own_axes, percent
from tlsim.terms import term

Scale: TypeAlias = Literal["linear", "share", "chance", "price"]
"""Of the axis below; those of chances and of prices are logarithmic."""
_ROW, _CLOSE, _MANY = 0.4, 0.25, 12  # height of a row in inches; where there are many rows
_APART = 0.16  # how far two marks of a row stand from its middle
_MOST_BARS = 60  # of a distribution; where more amounts come up they are put together


@dataclass(frozen=True)
class Marks:
    """Marks of one kind, one in each row."""

    name: str  # what they stand for
    at: Sequence[float | None]  # where each stands; None for none
    ends: Sequence[tuple[float, float] | None] | None = None  # their intervals (low, high)
    texts: Sequence[str] = ()  # what is written beside each, or nothing


def plot_rows(
    ax: Any, names: Sequence[str], kinds: Sequence[Marks], label: str, lang: str, *, numbers: Sequence[str] = (),
    scale: Scale = "linear", level: float | None = None, joined: bool = False, empty: str = "nothing_to_draw",
) -> Any:  # fmt: skip
    """Draw a row for each name, the first on top, with a mark of each kind in it, and its numbers on the right.

    Of chances that were never seen an arrow is drawn at the upper end of the interval. Where ``joined``, a line joins
    the marks of a row, with their texts at its ends. The ``level`` line is drawn unless all marks are far from it.
    """
    if not names:
        return nothing(ax, lang, empty)
    ax = _named(ax, names)
    ax.set_xscale("log" if scale in {"chance", "price"} else "linear")
    if joined:
        _join(ax, kinds)
    for number, marks in enumerate(kinds):
        shift = 0 if joined else _APART * (2 * number - len(kinds) + 1)
        _draw(ax, marks, number, shift, lang)
    _limits(ax, kinds, scale, level)
    beside(ax, numbers or [""] * len(names))
    ax.set_xlabel(label, parse_math=False)
    if len(kinds) > 1:
        legend_below(ax)
    return ax


def _named(ax: Any, names: Sequence[str], row: float = _ROW) -> Any:
    """Return axes with a named row for each, the first on top, and a faint line along each."""
    height = _CLOSE if len(names) > _MANY else row
    ax = own_axes(ax, 1.9 + height * len(names))
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="both", color=FAINT, linewidth=0.8)
    return ax


def _draw(ax: Any, marks: Marks, number: int, shift: float, lang: str) -> None:
    """Draw the marks of one kind with their intervals."""
    colour, logged = COLOURS[number], ax.get_xscale() == "log"
    found = [(at + shift, x, *_reach(marks, at)) for at, x in enumerate(marks.at) if x is not None]
    seen = [each for each in found if each[1] > 0 or not logged]
    places, values = [at for at, *_ in seen], [x for _, x, *_ in seen]
    reach = [[x - low for _, x, low, _ in seen], [high - x for _, x, _, high in seen]]
    ax.errorbar(
        values, places, xerr=reach if marks.ends else None, fmt=MARKS[number], color=colour, ms=6 - 0.5 * number,
        markerfacecolor="white" if number % 2 else colour, markeredgewidth=1.4, elinewidth=1.3, capsize=3.5, zorder=4,
        label=marks.name,
    )  # fmt: skip
    unseen = [(high, at) for at, x, _, high in found if logged and x == 0 < high]
    if unseen:
        ax.scatter(*zip(*unseen, strict=True), marker="<", s=42, color=colour, zorder=4, label=term("not_seen", lang))


def _join(ax: Any, kinds: Sequence[Marks]) -> None:
    """Join the marks of each row, and write their texts at the ends of the line, outside of their intervals."""
    for row, places in enumerate(zip(*(marks.at for marks in kinds), strict=True)):
        there = sorted((x, number) for number, x in enumerate(places) if x is not None)
        ax.plot([x for x, _ in there], [row] * len(there), color="0.7", linewidth=2.5, zorder=2)
        ends = [_reach(kinds[number], row) for _, number in there]
        sides = (("right", -8, min(low for low, _ in ends)), ("left", 8, max(high for _, high in ends)))
        for (_, number), (side, away, x) in zip(there, sides, strict=False):
            if kinds[number].texts:
                ax.annotate(kinds[number].texts[row], (x, row), (away, 0), textcoords="offset points", ha=side,
                            va="center", fontsize="small", color=COLOURS[number], zorder=5)  # fmt: skip


def _reach(marks: Marks, row: int) -> tuple[float, float]:
    """Return from where to where a mark reaches with its interval."""
    at = marks.at[row] or 0.0
    return (marks.ends[row] if marks.ends else None) or (at, at)


def _limits(ax: Any, kinds: Sequence[Marks], scale: Scale, level: float | None) -> None:
    """Set the ends of the axis: whole powers of ten for chances, else with room for texts; and draw the level line."""
    values = [x for marks in kinds for x in marks.at if x is not None and (x > 0 or scale != "chance")]
    if scale == "share":
        percent(ax.xaxis)
    if scale == "chance":
        low, high = (math.log10(end) for end in (min(values, default=0.1), max(values, default=0.1)))
        ax.set_xlim(10 ** math.floor(low - 0.1), 10 ** (0.05 if -1 < high <= 0 else math.ceil(high + 0.1)))
        ax.minorticks_off()
    elif any(marks.texts for marks in kinds):
        ax.margins(x=0.14)
    if scale == "price":
        _prices(ax)
    if level is not None and values:
        span = max(values) - min(values)
        if min(values) - span <= level <= max(values) + span:
            ax.axvline(level, color=SOFT, linewidth=1, linestyle="--", zorder=1)


def _prices(ax: Any) -> None:
    """Write prices along a log axis as people write them."""
    from matplotlib.ticker import LogLocator, NullLocator

    low, high = ax.get_xlim()
    ax.set_xlim(min(low, 0.45 * math.sqrt(low * high)), max(high, 2.2 * math.sqrt(low * high)))
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(lambda value, _=None: f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}")


def plot_amounts(
    ax: Any, names: Sequence[str], amounts: Sequence[float], label: str, lang: str, numbers: Sequence[str],
    *, errors: Sequence[float | None] | None = None,
) -> Any:  # fmt: skip
    """Draw amounts as bars with their numbers, one row each, the first on top; errors as 95 % intervals."""
    if not names:
        return nothing(ax, lang)
    ax = _named(ax, names)
    reach = None if errors is None else [1.96 * (error or 0.0) for error in errors]
    ax.barh(range(len(names)), amounts, color=COLOURS[0], height=0.6, xerr=reach, ecolor="black", capsize=3.5)
    ax.axvline(0, color=SOFT, linewidth=1)
    beside(ax, numbers)
    ax.set_xlabel(label, parse_math=False)
    return ax


def plot_money(
    ax: Any, names: Sequence[str], amounts: Sequence[float], shares: Sequence[Sequence[float]], label: str, lang: str
) -> Any:
    """Draw for each seat in which shares of its games it wins the amounts, which ascend, and its mean.

    What brings money is dark, what costs some is pale; right of each seat how many of its games bring money.
    """
    if not names or not amounts:
        return nothing(ax, lang)
    ax = _named(ax, names, row=0.85)
    ax.set_ylim(len(names) - 0.9, -0.95)
    ax.axvline(0, color=SOFT, linewidth=1)
    numbers, drawn = [], [_bars(amounts, share) for share in shares]
    tallest = max(bar / width for _, bars, width in drawn for bar in bars)
    for seat, (share, (at, bars, width)) in enumerate(zip(shares, drawn, strict=True)):
        heights = [-0.85 * bar / width / tallest for bar in bars]  # the axis points down
        colours = [COLOURS[0] if x > 0 else PALE if x < 0 else SOFT for x in at]
        ax.bar(at, heights, 0.9 * width, bottom=seat, color=colours, zorder=2)
        mean = math.fsum(x * p for x, p in zip(amounts, share, strict=True))
        ax.plot([mean], [seat], marker="^", ms=8, color="black", markeredgecolor="white", zorder=4, clip_on=False)
        said = f"▲ {term('mean', lang)} {mean:{'+' if amounts[0] < 0 else ''}.3g}"
        if amounts[0] < 0:
            ahead = 100 * math.fsum(p for x, p in zip(amounts, share, strict=True) if x > 0)
            said += f"\n{term('ahead_share', lang)} {ahead:.3g}%"
        numbers.append(local(said, lang))
    beside(ax, numbers)
    ax.set_xlabel(label, parse_math=False)
    return ax


def _bars(amounts: Sequence[float], share: Sequence[float]) -> tuple[list[float], list[float], int]:
    """Return where bars stand, how high and wide they are; what comes up once in 2,000 games at most is cut off."""
    low, high = _tails(amounts, share)
    shown = [(x, p) for x, p in zip(amounts, share, strict=True) if low <= x <= high]
    if len(shown) <= _MOST_BARS and all(x == round(x) for x, p in shown if p):
        return [x for x, _ in shown], [p for _, p in shown], 1
    width = max(1, math.ceil((high - low) / _MOST_BARS))
    found: dict[float, float] = {}
    for x, p in shown:
        # A bar holds the amounts up to its end away from zero, so that none has both gains and losses.
        place = math.copysign(math.ceil(abs(x) / width) - 0.5, x) * width if x else 0.0
        found[place] = found.get(place, 0.0) + p
    return list(found), list(found.values()), width


def _tails(amounts: Sequence[float], share: Sequence[float], cut: float = 2.5e-4) -> tuple[float, float]:
    """Return the amounts beyond which hardly anything comes up."""
    total, ends = 0.0, []
    for x, p in zip(amounts, share, strict=True):
        if total < cut <= total + p or total < 1 - cut <= total + p:
            ends.append(x)
        total += p
    return (ends[0], ends[-1]) if ends else (amounts[0], amounts[-1])
