"""Who pays whom, and how an estimate settles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tlsim.plotting.axes import WIDTH, nothing, own_axes
from tlsim.terms import term


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
            ax.text(receiver, payer, "–" if payer == receiver else f"{value:.3g}", ha="center", va="center")
    ax.set_xticks(range(len(names)), names, parse_math=False, rotation=20, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlabel(f"{term('receives', lang)} ({term('money_per_game', lang)}, {unit})", parse_math=False)
    ax.set_ylabel(term("pays_out", lang))
    ax.tick_params(length=0)
    return ax


def plot_convergence(
    ax: Any, games: Sequence[int], points: Sequence[tuple[float, float]], unit: str, lang: str | None,
    *, title: str | None = None,
) -> Any:  # fmt: skip
    """Draw how an estimate settles: the mean of the games so far, with its band of 95 %, and the last mean as a line.

    games : games played by then; points : mean and standard error by then. Returns the axes.
    """
    ax = own_axes(ax, (WIDTH, 5))
    if title:
        ax.set_title(title, loc="left", parse_math=False)
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
