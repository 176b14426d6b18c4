"""Titles of Tổng thống: how they follow, last, and what they are worth; who wins matches. Calls of Sâm.

A title is a place of the game before. All is counted within matches: a match begins without titles.

The strength of a hand is what `smart` takes for the chance that a call succeeds (`tlsim.kernels.call`), in steps of
5 %: a scale to sort hands by, not the truth; how often calls at that strength do succeed is what the tables say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tlsim.columns import Row
from tlsim.kernels import matches as m
from tlsim.kernels.row import MOST_SEATS, Ints
from tlsim.results import game_views as v
from tlsim.results.batches import jackknife, mean, paired, share
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
    def of(cls, rules: Rules, players: int) -> "Ladder | None":
        """Return the titles of a table; None where the rules have none."""
        if rules.president is None:
            return None
        points = dict(rules.place_points or ()).get(players, (0,) * players)
        return cls(dict(rules.president.titles)[players], tuple(map(half_units, points)))


class _Sums:
    """What is counted of titles, by batch: parts of the sums of `tlsim.kernels.matches.add_titles`."""

    def __init__(self, sums: Ints, titles: int) -> None:
        most, n = MOST_SEATS, titles
        self.moves: Ints = sums[:, m.T_MOVES : m.T_RUNS].reshape(-1, most, most)[:, :n, :n]  # from which to which
        # at risk and kept after k = 1, 2, … games, [batches, titles, k, 2]
        self.runs: Ints = sums[:, m.T_RUNS : m.T_WON].reshape(-1, most, m.MOST_IN_A_ROW, 2)[:, :n]
        # matches won alone, together, and shares of them, [batches, seats or titles, 3]
        won, first = (sums[:, at : at + m.N_WON * most].reshape(-1, most, m.N_WON) for at in (m.T_WON, m.T_WON_FIRST))
        self.won, self.won_first = won[:, :n], first[:, :n]
        self.matches: Ints = won[:, :, m.WON_SHARES].sum(axis=1)  # in parts of which a winner gets a share

    def next_points(self, title: int, ladder: Ladder) -> tuple[Ints, Ints]:
        """Return the half points of the game after a title, and twice the number of games, by batch."""
        moves = self.moves[:, title]
        return moves @ np.array(ladder.points, np.int64), 2 * moves.sum(axis=1)


def transition_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return which title follows which, as shares of those who had the first; see `GameStats`.

    sums : those of `tlsim.kernels.matches.add_titles`, int64[batches, N_TITLE_SUMS], here and below
    """
    moves = _Sums(sums, len(ladder.titles)).moves
    return [
        {"from": old, "to": new, "games": int(moves[:, i, j].sum())} | share(moves[:, i, j], moves[:, i].sum(axis=1))
        for i, old in enumerate(ladder.titles)
        for j, new in enumerate(ladder.titles)
        if moves[:, i].any()
    ]


def run_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return how often a title is kept by how many games in a row it has been held; the last stands for more too."""
    runs = _Sums(sums, len(ladder.titles)).runs
    return [
        {"title": title, "games_held": k + 1, "at_risk": int(at_risk.sum()), "kept": int(kept.sum())}
        | share(kept, at_risk)
        for i, title in enumerate(ladder.titles)
        for k, (at_risk, kept) in enumerate(zip(runs[:, i, :, 0].T, runs[:, i, :, 1].T, strict=True))
        if at_risk.any()
    ]


def worth_rows(sums: Ints, ladder: Ladder) -> list[Row]:
    """Return what each title is worth: points in the next game, games that it lasts, matches won."""
    found = _Sums(sums, len(ladder.titles))
    return [
        v.TITLE_WORTH.row(
            title=title, next_points=mean(*found.next_points(i, ladder)), games_lasts=_lasts(found.runs[:, i]),
            matches_won=mean(found.won_first[:, i, m.WON_SHARES], found.matches),
        )
        for i, title in enumerate(ladder.titles)
    ]  # fmt: skip


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
    found, rows = _Sums(sums, len(policies)), []
    for seat, policy in enumerate(policies):
        alone, together = (int(found.won[:, seat, at].sum()) for at in (m.WON_ALONE, m.WON_TOGETHER))
        rows.append(v.MATCH_WINS.row(
            seat=seat, policy=policy, matches=int(found.matches.sum()) // m.WHOLE_SHARE, alone=alone,
            together=together, share=mean(found.won[:, seat, m.WON_SHARES], found.matches),
        ))  # fmt: skip
    return rows


def transition_difference_rows(sums: tuple[Ints, Ints], ladder: Ladder) -> list[Row]:
    """Return how the shares of two results over the same deals differ, with paired errors."""
    both, rows = [_Sums(each, len(ladder.titles)).moves for each in sums], []
    for i, old in enumerate(ladder.titles):
        for j, new in enumerate(ladder.titles):
            one, two = ((moves[:, i, j], moves[:, i].sum(axis=1)) for moves in both)
            rows.append(v.TITLE_GAPS.row(**{"from": old, "to": new}, share=mean(*one)[0], other_share=mean(*two)[0],
                                       difference=paired(one, two)))  # fmt: skip
    return [row for row in rows if row["difference"] is not None]


def worth_difference_rows(sums: tuple[Ints, Ints], ladders: tuple[Ladder, Ladder]) -> list[Row]:
    """Return how the points of the game after a title differ between two results, with paired errors."""
    pairs = [(_Sums(each, len(ladder.titles)), ladder) for each, ladder in zip(sums, ladders, strict=True)]
    rows = []
    for i, title in enumerate(ladders[0].titles):
        one, two = (found.next_points(i, ladder) for found, ladder in pairs)
        rows.append(v.WORTH_GAPS.row(title=title, next_points=mean(*one)[0], other_next_points=mean(*two)[0],
                                   difference=paired(one, two)))  # fmt: skip
    return [row for row in rows if row["difference"] is not None]


@dataclass(frozen=True)
class CallStakes:
    """What a call of Sâm wins and loses under rules, in their unit."""

    gain: float  # what a caller gets in all where he succeeds
    loss: float  # and pays in all where he is blocked

    @classmethod
    def of(cls, rules: Rules, players: int) -> "CallStakes | None":
        """Return the stakes of a table; None where the rules have no báo Sâm."""
        sam = rules.bao_sam
        if sam is None:
            return None
        payments = players if sam.fail_multiplier == "players" else players - 1
        return cls(sam.pays * (players - 1), sam.fail_pays * payments)

    @property
    def break_even(self) -> float | None:
        """The chance of success at which a call is worth nothing on average; None where nothing is at stake.

        It is exact but for what the rules may add to a success (``bao_sam.items``), which lowers it.
        """
        return self.against(0.0)

    def against(self, silent: float | None) -> float | None:
        """Return the chance of success at which a call is worth as much as what the same hands win without calling."""
        whole = self.gain + self.loss
        return None if silent is None or not whole else (silent + self.loss) / whole


def call_rows(calls: Ints, policies: Sequence[str], stakes: CallStakes) -> list[Row]:
    """Return what came of calls, by policy of a seat and strength of the hand; see `GameStats`.

    calls : sums of `tlsim.kernels.matches.add_calls`, int64[batches, seats, strengths, sums]
    """
    rows = []
    for policy in dict.fromkeys(policies):
        seats = [seat for seat, name in enumerate(policies) if name == policy]
        for strength, sums in _by_strength(calls[:, seats].sum(axis=1)):
            asked, called, void, made = (sums[:, at] for at in (m.C_ASKED, m.C_CALLED, m.C_VOID, m.C_MADE))
            counts = {"hands": asked, "calls": called, "void": void, "made": made}
            rows.append(v.SAM_CALLS.row(
                policy=policy, **strength, **{key: int(each.sum()) for key, each in counts.items()},
                **share(made, called - void, of="success"), call_mean=mean(sums[:, m.C_MONEY], 2 * called),
                silent_mean=mean(sums[:, m.C_SILENT_MONEY], 2 * (asked - called)), break_even=stakes.break_even,
            ))  # fmt: skip
    return rows


def _by_strength(sums: Ints) -> list[tuple[Row, Ints]]:
    """Return the sums of each strength that was asked, by batch, then those of all; nothing where none was."""
    n = m.N_STRENGTHS
    found = [
        ({"strength_from": at / n, "strength_to": (at + 1) / n}, sums[:, at])
        for at in range(n)
        if sums[:, at, m.C_ASKED].any()
    ]
    whole: Row = {"strength_from": None, "strength_to": None}
    return [*found, (whole, sums.sum(axis=1))] if found else []


def call_difference_rows(
    calls: tuple[Ints, Ints], seats: Sequence[int], stakes: tuple[CallStakes, CallStakes]
) -> list[Row]:
    """Return what calling is worth against not calling, over the same deals, by strength of the hand at some seats."""
    both = [each[:, list(seats)].sum(axis=1) for each in calls]
    caller = max((0, 1), key=lambda at: int(both[at][:, :, m.C_CALLED].sum()))
    rows = []
    for strength, _ in _by_strength(both[0] + both[1]):
        at = slice(None) if strength["strength_from"] is None else round(strength["strength_from"] * m.N_STRENGTHS)
        pair = [each.sum(axis=1) if isinstance(at, slice) else each[:, at] for each in both]
        asked = [int(each[:, m.C_ASKED].sum()) for each in pair]
        one, two = ((each[:, m.C_MONEY] + each[:, m.C_SILENT_MONEY], 2 * each[:, m.C_ASKED]) for each in pair)
        found, calling = paired(one, two), pair[caller]
        success = share(calling[:, m.C_MADE], calling[:, m.C_CALLED] - calling[:, m.C_VOID], of="success")
        more = None if found[0] is None else found[0] if caller == 0 else -found[0]
        rows.append(v.CALL_GAPS.row(**strength, hands=asked[0], other_hands=asked[1], difference=found, **success,
                             break_even=_break_even(calling, success["success"], more, stakes[caller])))  # fmt: skip
    return rows


def _break_even(calling: Ints, success: float | None, more: float | None, stakes: CallStakes) -> float | None:
    """Return the chance of success at which calls would be worth no more than silence, being worth so much more.

    Hands that a tới trắng settles are worth the same either way, so they are left out: what a call that is played is
    worth more than silence is the whole difference over the calls that were played.
    """
    played = int((calling[:, m.C_CALLED] - calling[:, m.C_VOID]).sum())
    if success is None or more is None or not played:
        return None
    money = success * stakes.gain - (1 - success) * stakes.loss
    return stakes.against(money - more * int(calling[:, m.C_ASKED].sum()) / played)
