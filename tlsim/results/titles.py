"""Titles of Tổng thống: from one game to the next, how long they last, what they are worth; and who wins matches.

A title is a place of the game before. All is counted within matches: a match begins without titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tlsim.columns import Row
from tlsim.kernels import matches as m
from tlsim.kernels.row import MOST_SEATS, Ints
from tlsim.results.batches import jackknife, mean, paired, share, with_error
from tlsim.results.provenance import Known
from tlsim.rules import Rules
from tlsim.rules.schema_values import half_units

FEW_RUNS = 100
"""Of the longest runs at least so many are taken together for the rate at which longer ones go on."""


@dataclass(frozen=True)
class Ladder:
    """Titles of a table, best first."""

    titles: tuple[str, ...]  # their ids
    points: tuple[int, ...]  # half points of each place

    @classmethod
    def of(cls, rules: Rules, players: int) -> Ladder | None:
        """Return the titles of a table; None where the rules have none.

        >>> from tlsim.rules import load_rules
        >>> Ladder.of(load_rules("tong_thong"), players=4).titles
        ('tong_thong', 'pho_tong_thong', 'can_ngheo', 'dan_ngheo')
        """
        if rules.president is None:
            return None
        points = dict(rules.place_points or ()).get(players, (0,) * players)
        return cls(dict(rules.president.titles)[players], tuple(map(half_units, points)))

    def __len__(self) -> int:
        return len(self.titles)


def _moves(sums: Ints, ladder: Ladder) -> Ints:
    """Return how many seats went from which title to which; shape (batches, from, to)."""
    n = len(ladder)
    found: Ints = sums[:, m.T_MOVES : m.T_RUNS].reshape(-1, MOST_SEATS, MOST_SEATS)[:, :n, :n]
    return found


def _runs(sums: Ints, ladder: Ladder) -> Ints:
    """Return how many seats had a title for k = 1, 2, … games and how many kept it; shape (batches, titles, k, 2)."""
    found: Ints = sums[:, m.T_RUNS : m.T_WON].reshape(-1, MOST_SEATS, m.MOST_IN_A_ROW, 2)[:, : len(ladder)]
    return found


def _wins(sums: Ints, at: int, number: int) -> Ints:
    """Return matches won alone, together, and shares of them; shape (batches, number, 3)."""
    found: Ints = sums[:, at : at + m.N_WON * MOST_SEATS].reshape(-1, MOST_SEATS, m.N_WON)[:, :number]
    return found


def _matches(sums: Ints) -> Ints:
    """Return the number of matches of each batch, in parts of which a winner gets a share."""
    found: Ints = _wins(sums, m.T_WON, MOST_SEATS)[:, :, m.WON_SHARES].sum(axis=1)
    return found


def transition_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return which title follows which, as shares of those who had the first; see `GameStats`.

    sums : those of `tlsim.kernels.matches.add_titles`, int64[batches, N_TITLE_SUMS], here and below
    """
    moves = _moves(sums, ladder)
    return [
        {"from": old, "to": new, "games": int(moves[:, i, j].sum())} | share(moves[:, i, j], moves[:, i].sum(axis=1))
        for i, old in enumerate(ladder.titles)
        for j, new in enumerate(ladder.titles)
        if moves[:, i].any()
    ]


def run_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return how often a title is kept by how many games in a row it has been held; the last stands for more too."""
    runs = _runs(sums, ladder)
    return [
        {"title": title, "games_held": k + 1, "at_risk": int(at_risk.sum()), "kept": int(kept.sum())}
        | share(kept, at_risk)
        for i, title in enumerate(ladder.titles)
        for k, (at_risk, kept) in enumerate(zip(runs[:, i, :, 0].T, runs[:, i, :, 1].T, strict=True))
        if at_risk.any()
    ]


def worth_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return what each title is worth: points in the next game, games that it lasts, matches won."""
    moves, runs, won = _moves(sums, ladder), _runs(sums, ladder), _wins(sums, m.T_WON_FIRST, len(ladder))
    return [
        {"title": title}
        | with_error("next_points", mean(*_next_points(moves[:, i], ladder)))
        | with_error("games_lasts", _lasts(runs[:, i]))
        | with_error("matches_won", mean(won[:, i, m.WON_SHARES], _matches(sums)))
        for i, title in enumerate(ladder.titles)
    ]


def _next_points(moves: Ints, ladder: Ladder) -> tuple[Ints, Ints]:
    """Return the half points of the next game, and twice the number of games, by batch."""
    return moves @ np.array(ladder.points, np.int64), 2 * moves.sum(axis=1)


def _lasts(runs: Ints) -> Known:
    """Return how many games in a row a title lasts once it has been won, and the error.

    One game, and every further one with the chance that the title is kept so long: the product of the rates after 1, 2,
    … games. Where runs get rare, the rate of the longest ones is taken to hold on.
    runs : int64[batches, k, 2], at risk and kept after 1, 2, … games
    """
    at_risk = runs[:, :, 0].sum(axis=0)
    tail = max((k for k in range(m.MOST_IN_A_ROW) if at_risk[k:].sum() >= FEW_RUNS), default=0)

    def games(sums: Ints) -> float | None:
        survive, total = 1.0, 1.0
        for k in range(tail):
            if not sums[k, 0]:
                return None
            survive *= int(sums[k, 1]) / int(sums[k, 0])
            total += survive
        longest, kept = (int(each) for each in sums[tail:].sum(axis=0))
        if not longest or kept == longest:
            return None
        return total + survive * kept / (longest - kept)

    return jackknife(runs, games)


def win_rows(sums: Ints, policies: Sequence[str]) -> list[Row]:
    """Return who wins matches: the most points, several alike together (004#R22)."""
    won, parts = _wins(sums, m.T_WON, len(policies)), _matches(sums)
    rows = []
    for seat, policy in enumerate(policies):
        found, error = mean(won[:, seat, m.WON_SHARES], parts)
        rows.append(
            {"seat": seat, "policy": policy, "matches": int(parts.sum()) // m.WHOLE_SHARE,
             "alone": int(won[:, seat, m.WON_ALONE].sum()), "together": int(won[:, seat, m.WON_TOGETHER].sum()),
             "share": found, "std_error": error}
        )  # fmt: skip
    return rows


def transition_difference_rows(sums: tuple[Ints, Ints], ladder: Ladder) -> list[Row]:
    """Return how the shares of two results over the same deals differ, with paired errors."""
    both = [_moves(each, ladder) for each in sums]
    rows = []
    for i, old in enumerate(ladder.titles):
        of = [moves[:, i].sum(axis=1) for moves in both]
        for j, new in enumerate(ladder.titles):
            to = [moves[:, i, j] for moves in both]
            shares = {key: mean(to[at], of[at])[0] for at, key in enumerate(("share", "other_share"))}
            found = paired((to[0], of[0]), (to[1], of[1]))
            rows.append({"from": old, "to": new} | shares | with_error("difference", found))
    return [row for row in rows if row["difference"] is not None]


def worth_difference_rows(sums: tuple[Ints, Ints], ladders: tuple[Ladder, Ladder]) -> list[Row]:
    """Return how the points of the game after a title differ between two results, with paired errors."""
    rows = []
    for i, title in enumerate(ladders[0].titles):
        one, two = (
            _next_points(_moves(each, ladder)[:, i], ladder) for each, ladder in zip(sums, ladders, strict=True)
        )
        row: Row = {"title": title, "next_points": mean(*one)[0], "other_next_points": mean(*two)[0]}
        rows.append(row | with_error("difference", paired(one, two)))
    return [row for row in rows if row["difference"] is not None]
