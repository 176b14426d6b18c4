"""What a seat and a place after the leader are worth, from simulated games."""

from __future__ import annotations

from tlsim.intervals import joint_reach
from tlsim.results.games import GameStats
from tlsim.results.parts import Row

SEAT_COLUMNS = ("group", "at", "which", "mean", "std_error", "ci_low", "ci_high")


def seat_rows(games: GameStats) -> list[Row]:
    """Return mean money per game by seat and by distance from the leader, over all and over regular games.

    The intervals hold together with 95 %: each one has 1 − 0.05 / seats (C. E. Bonferroni, 1936), so that looking at
    several seats at once finds no difference by chance more often than that. Errors are taken over matches. Who leads
    is at distance 0; his mean in regular games is what leading is worth, skill included where policies differ.
    """
    reach = joint_reach(games.players)
    rows = []
    for view, at in (("seats", "seat"), ("roles", "role")):
        for prefix, which in (("", "all"), ("regular_", "regular")):
            for row in games.rows(view):
                mean, error = row[f"{prefix}mean"], row[f"{prefix}std_error"]
                if mean is not None and error is not None:
                    ends = {"ci_low": mean - reach * error, "ci_high": mean + reach * error}
                    rows.append({"group": at, "at": row[at], "which": which, "mean": mean, "std_error": error} | ends)
    return rows
