"""`GameStats`: what `tlsim.simulate` returns, and the paired difference of two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tlsim.engine.games import GameTally
from tlsim.engine.tables import REASONS
from tlsim.errors import UsageError
from tlsim.kernels import clauses as c
from tlsim.kernels import matches as m
from tlsim.results.parts import Provenance, Row, frame

VIEWS = ("seats", "roles", "events", "toi_trang", "reasons", "flows", "distribution", "length", "extremes")
_ENDINGS = {
    c.NORMAL: "played_out", c.WHOLE_TABLE_CONG: "cong_table", c.THREE_SPADES: "ket_3_bich_made",
    c.BLOCKED: "ket_3_bich_blocked", c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang", c.ALL_STUCK: "all_stuck",
    c.INSTANT: "toi_trang",
}  # fmt: skip
_EXTREMES = ("largest_loss", "longest_chain", "longest_game")
_QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True)
class GameStats:
    """Whole games, simulated. Two results over different seeds add by ``+``.

    Parameters
    ----------
    provenance
        What the numbers rest on: rules, seed, players.
    policies
        Policy of each seat.
    match_length
        Games of a match, the independent unit: standard errors are taken over matches.
    matches
        Number of matches played.
    tally
        Integer sums; money in half units.
    patterns
        Ids of the opening and of the regular tới trắng list.
    complete
        False where the run was interrupted.
    seconds
        Time that the games took.
    """

    provenance: Provenance
    policies: tuple[str, ...]
    match_length: int
    matches: int
    tally: GameTally
    patterns: tuple[tuple[str, ...], tuple[str, ...]]
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.policies)

    @cached_property
    def _sums(self) -> list[int]:
        return [int(value) for value in self.tally.batches.sum(axis=0)]

    @property
    def games(self) -> int:
        """Number of games played."""
        return self._sums[m.S_GAMES]

    def __add__(self, other: GameStats) -> GameStats:
        if not isinstance(other, GameStats):
            return NotImplemented
        _same_question(self, other, ("policies", "match_length"))
        one, two = _seeds(self), _seeds(other)
        if set(one) & set(two):
            raise UsageError(f"both results come from seed {min(set(one) & set(two))}; run one again with another seed")
        from dataclasses import replace

        provenance = replace(self.provenance, seed=tuple(sorted(one + two)))
        return replace(
            self, provenance=provenance, matches=self.matches + other.matches, tally=self.tally + other.tally,
            complete=self.complete and other.complete, seconds=self.seconds + other.seconds,
        )  # fmt: skip

    def rows(self, view: str) -> list[Row]:
        """Return the rows of a view; see `to_frame`."""
        if view not in VIEWS:
            raise UsageError(f"view = {view!r}: must be one of {', '.join(VIEWS)}")
        rows: list[Row] = getattr(self, f"_{view}")()
        return rows

    def to_frame(self, view: str = "seats") -> Any:
        """Return a view as a pandas frame; money in the unit of the rules.

        Parameters
        ----------
        view
            ``seats``: mean money per game with its standard error over matches, spread, share of each place; ``roles``:
            the same by distance from the leader; ``events``: how often each thing happens per game; ``toi_trang``: by
            pattern; ``reasons``: money by reason; ``flows``: who pays whom; ``distribution``: quantiles of a seat's
            money per game; ``length``: entries of a game; ``extremes``: where the extreme games are, to be replayed.
        """
        rows = self.rows(view)
        return frame(rows, tuple(dict.fromkeys(key for row in rows for key in row)))

    def _mean(self, total: int, squares: int) -> Row:
        """Return the mean per game and its standard error over matches."""
        n, length = self.matches, self.match_length
        mean = total / 2 / max(1, self.games)
        spread = (squares - total * total / n) / (n - 1) if n > 1 else math.nan
        return {"mean": mean, "std_error": math.sqrt(max(spread, 0) / n) / length / 2 if n > 1 else None}

    def _seats(self) -> list[Row]:
        rows = []
        for seat, policy in enumerate(self.policies):
            at = m.S_SEATS + seat * m._PER_SEAT  # noqa: SLF001 (the layout of the sums)
            total, squares, per_game, *places = self._sums[at : at + m._PER_SEAT]  # noqa: SLF001
            spread = math.sqrt(max(0.0, per_game / max(1, self.games) - (total / max(1, self.games)) ** 2)) / 2
            shares = {f"place_{i + 1}": places[i] / max(1, self.games) for i in range(self.players)}
            rows.append({"seat": seat, "policy": policy} | self._mean(total, squares) | {"spread": spread} | shares)
        return rows

    def _roles(self) -> list[Row]:
        return [
            {"role": role} | self._mean(*self._sums[m.S_ROLES + 2 * role : m.S_ROLES + 2 * role + 2])
            for role in range(self.players)
        ]

    def _events(self) -> list[Row]:
        sums = self._sums
        counts = {"opening_games": sums[m.S_OPENINGS]}
        counts |= {name: sums[m.S_ENDINGS + code] for code, name in _ENDINGS.items()}
        counts |= {"cong_one": sums[m.S_CONG_1], "cong_two": sums[m.S_CONG_2], "cong_three": sums[m.S_CONG_3]}
        counts |= {"den_cong": sums[m.S_DEN]}
        counts |= {f"chain_of_{n}": sums[m.S_CHAINS + n] for n in range(1, m.MOST_LINKS + 1)}
        return [self._share({"event": name}, count) for name, count in counts.items()]

    def _share(self, row: Row, count: int) -> Row:
        from tlsim import intervals

        low, high = intervals.korn_graubard(count, self.games) if self.games else (0.0, 1.0)
        return row | {"count": count, "per_game": count / max(1, self.games), "ci_low": low, "ci_high": high}

    def _toi_trang(self) -> list[Row]:
        return [
            self._share({"list": name, "pattern": pattern}, int(self.tally.patterns[at, i]))
            for at, name in enumerate(("opening", "regular"))
            for i, pattern in enumerate(self.patterns[at])
        ]

    def _reasons(self) -> list[Row]:
        rows = []
        for at, reason in enumerate(REASONS):
            count, halves = self._sums[m.S_REASONS + 2 * at : m.S_REASONS + 2 * at + 2]
            games = max(1, self.games)
            rows.append(
                {"reason": reason, "payments": count, "money": halves / 2, "payments_per_game": count / games,
                 "money_per_game": halves / 2 / games}
            )  # fmt: skip
        return rows

    def _flows(self) -> list[Row]:
        flows = self.tally.flows
        return [
            {"reason": REASONS[reason], "from": payer, "to": receiver, "money": int(flows[reason, payer, receiver]) / 2}
            for reason, payer, receiver in np.argwhere(flows).tolist()
        ]

    def _distribution(self) -> list[Row]:
        rows = []
        for seat in range(self.players):
            below = np.cumsum(self.tally.money[seat])
            row: dict[str, Any] = {"seat": seat}
            for q in _QUANTILES:
                at = int(np.searchsorted(below, math.ceil(q * self.games), side="left"))
                row[f"q{100 * q:g}"] = (at - m.HALF_WIDTH) / 2
            rows.append(row)
        return rows

    def _length(self) -> list[Row]:
        return [{"entries": at, "games": int(n)} for at, n in enumerate(self.tally.lengths.tolist()) if n]

    def _extremes(self) -> list[Row]:
        return [
            {"extreme": name, "value": value / 2 if name == "largest_loss" else value, "match": match, "game": game}
            for name, (value, match, game) in zip(_EXTREMES, self.tally.extremes.tolist(), strict=True)
            if value >= 0
        ]

    def plot(self, ax: Any = None, lang: str | None = None) -> Any:
        """Draw the distribution of every seat's money per game; return the axes."""
        from tlsim.plotting import plot_money

        money = self.tally.money
        used = np.flatnonzero(money.sum(axis=0))
        low, high = (int(used[0]), int(used[-1]) + 1) if len(used) else (m.HALF_WIDTH, m.HALF_WIDTH + 1)
        amounts = (np.arange(low, high) - m.HALF_WIDTH) / 2
        labels = [f"{seat}: {policy}" for seat, policy in enumerate(self.policies)]
        shares = (money[:, low:high] / max(1, self.games)).tolist()
        return plot_money(ax, amounts.tolist(), shares, labels, self.provenance.unit or "", lang)

    def seat_money(self) -> np.ndarray[Any, Any]:
        """Return the money of each seat by batch of matches, in half units; int64, shape (256, players)."""
        at = [m.S_SEATS + seat * m._PER_SEAT for seat in range(self.players)]  # noqa: SLF001
        return self.tally.batches[:, at]


@dataclass(frozen=True)
class Difference:
    """The difference of two results over the same deals, paired by batch.

    Parameters
    ----------
    rows
        One per seat: ``seat``, ``difference`` (mean money per game of the first less that of the second),
        ``std_error``, and ``std_error_unpaired`` as it would be over different deals.
    """

    rows: tuple[Row, ...]

    def to_frame(self) -> Any:
        """Return the rows as a pandas frame."""
        return frame(list(self.rows), ("seat", "difference", "std_error", "std_error_unpaired"))


def difference(one: GameStats, two: GameStats) -> Difference:
    """Return the paired difference of two results over the same deals; see `tlsim.compare`."""
    _same_deals(one, two)
    games = [np.maximum(1, stats.tally.batches[:, m.S_GAMES]) for stats in (one, two)]
    used = one.tally.batches[:, m.S_GAMES] > 0
    seats, rows = (one.rows("seats"), two.rows("seats")), []
    for seat in range(one.players):
        means = [stats.seat_money()[:, seat] / each / 2 for stats, each in zip((one, two), games, strict=True)]
        gap = (means[0] - means[1])[used]
        n = len(gap)
        paired = float(gap.std(ddof=1) / math.sqrt(n)) if n > 1 else math.nan
        mine, theirs = (rows_of[seat] for rows_of in seats)
        rows.append(
            {"seat": seat, "difference": mine["mean"] - theirs["mean"], "std_error": paired,
             "std_error_unpaired": math.hypot(mine["std_error"] or 0.0, theirs["std_error"] or 0.0)}
        )  # fmt: skip
    return Difference(tuple(rows))


def _same_deals(one: GameStats, two: GameStats) -> None:
    """Refuse results that are not over the same deals, saying why."""
    for name, mine, theirs in (
        ("seed", one.provenance.seed, two.provenance.seed),
        ("matches", one.matches, two.matches),
        ("match_length", one.match_length, two.match_length),
        ("players", one.players, two.players),
        ("unit", one.provenance.unit, two.provenance.unit),
    ):
        if mine != theirs:
            raise UsageError(f"these results do not belong together: {name} = {mine!r} and {theirs!r}; play both alike")
    if not one.complete or not two.complete:
        raise UsageError("one of these results was interrupted, so they are not over the same games")


def _same_question(one: GameStats, two: GameStats, names: Sequence[str]) -> None:
    pairs = [(name, getattr(one, name), getattr(two, name)) for name in names]
    pairs += [(name, getattr(one.provenance, name), getattr(two.provenance, name)) for name in ("digest", "players")]
    for name, mine, theirs in pairs:
        if mine != theirs:
            raise UsageError(f"these results answer different questions: {name} = {mine!r} and {theirs!r}")


def _seeds(stats: GameStats) -> tuple[int, ...]:
    seed = stats.provenance.seed
    return seed if isinstance(seed, tuple) else () if seed is None else (seed,)
