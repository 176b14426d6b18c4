"""`GameStats`: what `tlsim.simulate` returns, and the paired difference of two of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tlsim.engine.games import GameTally
from tlsim.engine.tables import REASONS
from tlsim.errors import UsageError, suggestion
from tlsim.exact.hands import HandBook
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.row import Ints
from tlsim.results.parts import Provenance, Row, frame
from tlsim.terms import term

VIEWS = ("seats", "roles", "events", "toi_trang", "reasons", "flows", "distribution", "length", "extremes")
PICTURES = ("distribution", "seats", "roles", "events", "reasons")
_ENDINGS = {
    c.NORMAL: "played_out", c.WHOLE_TABLE_CONG: "cong_table", c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang",
    c.ALL_STUCK: "all_stuck", c.INSTANT: "toi_trang",
}  # fmt: skip
BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
TARGETS = ("heo", "doi_heo", "ba_heo", *BOMBS)
ITEMS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co", *BOMBS, "ba_bich")
_EVENTS = {
    **{f"chop_{bomb}_{target}": c.EV_CHOPS + c.N_TARGETS * i + j
       for i, bomb in enumerate(BOMBS) for j, target in enumerate(TARGETS)},
    **{f"chain_of_{n + 1}": c.EV_CHAINS + n for n in range(c.MOST_LINKS)},
    "void_chain": c.EV_VOID_CHAIN, "free_chop": c.EV_FREE_CHOP, "huong_sai": c.EV_HUONG_SAI,
    "out_on_two": c.EV_OUT_ON_TWO, "ket_3_bich_tried": c.EV_KET_TRIED, "ket_3_bich_made": c.EV_KET_MADE,
    "ket_3_bich_blocked": c.EV_KET_BLOCKED, **{f"thoi_{item}": c.EV_THOI + n for n, item in enumerate(ITEMS)},
}  # fmt: skip
_CONG = ("one", "two", "three", "four")
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
        Ids of the tới trắng list of regular games, and of opening games.
    books
        All hands by what they hold under each list, for the exact shares; None where cards are given.
    complete
        False where the run was interrupted.
    seconds
        Time that the games took.
    stopped
        Why it stopped; see `tlsim.engine.run.REASONS`.
    """

    provenance: Provenance
    policies: tuple[str, ...]
    match_length: int
    matches: int
    tally: GameTally
    patterns: tuple[tuple[str, ...], tuple[str, ...]]
    books: tuple[HandBook | None, HandBook | None]
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.policies)

    @cached_property
    def _sums(self) -> list[list[int]]:
        """Sums over the batches: of regular games, of opening games, and of the money of whole matches."""
        return [[int(value) for value in kind.sum(axis=0)] for kind in self.tally.batches]

    @cached_property
    def exact(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """By list, the exact share of hands of which each pattern is the strongest; None where cards are given."""
        shares: list[tuple[Fraction | None, ...]] = []
        for ids, book in zip(self.patterns, self.books, strict=True):
            counted = book.count() if book else None
            shares.append(tuple(Fraction(n, counted.hands) for n in counted.counts) if counted else (None,) * len(ids))
        return tuple(shares)

    def _both(self, at: int) -> int:
        """Return a sum over regular and opening games."""
        return self._sums[m.REGULAR_GAMES][at] + self._sums[m.OPENING_GAMES][at]

    @property
    def games(self) -> int:
        """Number of games played."""
        return self._both(m.S_GAMES)

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
            ``seats``: mean money per game with its standard error over matches, spread, share of each place, the mean
            in opening and in regular games; ``roles``: the same by distance from the leader; ``events``: how often each
            thing happens per game and per hand; ``toi_trang``: by pattern; ``reasons``: money by reason; ``flows``: who
            pays whom; ``distribution``: quantiles of a seat's money per game; ``length``: entries of a game;
            ``extremes``: where the extreme games are, to be replayed.
        """
        rows = self.rows(view)
        return frame(rows, tuple(dict.fromkeys(key for row in rows for key in row)))

    def _mean(self, kind: int, at: int) -> Row:
        """Return the mean per game of a kind, and its standard error over matches (of a ratio: Cochran 1977, §2.11)."""
        sums, n = self._sums[kind], self.matches
        games = self.games if kind == m.ALL_GAMES else sums[m.S_GAMES]
        if not games:
            return {"mean": None, "std_error": None}
        total, squares, products = (sums[at + part] for part in (m.NET_SUM, m.NET_SQUARES, m.NET_GAMES))
        residual = squares * games**2 - 2 * total * games * products + total**2 * sums[m.S_GAME_SQUARES]
        error = math.sqrt(Fraction(residual * n, (n - 1) * games**4)) / 2 if n > 1 else None
        return {"mean": total / 2 / games, "std_error": error}

    def _money(self, at: int) -> Row:
        """Return the money per game, its spread, the shares of the places, and opening and regular games apart."""
        games = max(1, self.games)
        mean = self._sums[m.ALL_GAMES][at + m.NET_SUM] / games
        spread = math.sqrt(max(0.0, self._both(at + m.GAME_SQUARES) / games - mean**2)) / 2
        row = self._mean(m.ALL_GAMES, at) | {"spread": spread}
        row |= {f"place_{i + 1}": self._both(at + m.PLACE_COUNTS + i) / games for i in range(self.players)}
        for name, kind in (("opening", m.OPENING_GAMES), ("regular", m.REGULAR_GAMES)):
            row |= {f"{name}_{key}": value for key, value in self._mean(kind, at).items()}
        return row

    def _seats(self) -> list[Row]:
        return [
            {"seat": seat, "policy": policy} | self._money(m.S_SEATS + seat * m.N_PER_SEAT)
            for seat, policy in enumerate(self.policies)
        ]

    def _roles(self) -> list[Row]:
        return [{"role": role} | self._money(m.S_ROLES + role * m.N_PER_SEAT) for role in range(self.players)]

    def _events(self) -> list[Row]:
        places = {name: m.S_ENDINGS + ending for ending, name in _ENDINGS.items()}
        places |= {f"cong_{_CONG[n - 1]}": m.S_CONG + n for n in range(1, self.players)}
        places["den_cong"] = m.S_DEN
        rows = [self._event(name, at, once=True) for name, at in places.items()]
        rows += [self._event(name, m.S_EVENTS + event, once=False) for name, event in _EVENTS.items()]
        return [self._opening_games(), *rows]

    def _opening_games(self) -> Row:
        """Return how many games were opening games; per match one at least."""
        games = self.tally.batches[:2, :, m.S_GAMES]
        return self._rate("opening_games", games[m.OPENING_GAMES], games.sum(axis=0), once=True)

    def _event(self, name: str, at: int, *, once: bool) -> Row:
        """Return how often something happens that can happen once in a game, or several times."""
        counts, games = self.tally.batches[:2, :, at], self.tally.batches[:2, :, m.S_GAMES]
        row = self._rate(name, counts.sum(axis=0), games.sum(axis=0), once=once)
        row["per_hand"] = row["per_game"] / self.players
        for kind, word in ((m.OPENING_GAMES, "opening"), (m.REGULAR_GAMES, "regular")):
            played = int(games[kind].sum())
            row[f"per_{word}_game"] = int(counts[kind].sum()) / played if played else None
        return row

    def _rate(self, name: str, counts: Ints, games: Ints, *, once: bool) -> Row:
        """Return how often something happens per game, with an error from the batches of matches."""
        from tlsim.intervals import korn_graubard, level_after, rate_interval, ratio_design_effect

        count, played = int(counts.sum()), int(games.sum())
        effect = ratio_design_effect(counts[games > 0], games[games > 0])
        rest = 1 - count / max(1, played)
        if once:
            low, high = korn_graubard(count, played, effect / rest if 0 < rest < 1 else 1.0, level_after(self.stopped))
        else:
            low, high = rate_interval(count, played, effect, level_after(self.stopped))
        error = math.sqrt(effect * count) / played if played and self.matches > 1 and not (once and rest == 0) else None
        return {
            "event": name, "count": count, "per_game": count / max(1, played), "std_error": error, "ci_low": low,
            "ci_high": high,
        }  # fmt: skip

    def _toi_trang(self) -> list[Row]:
        return [
            self._pattern(kind, at, pattern)
            for kind in (m.OPENING_GAMES, m.REGULAR_GAMES)
            for at, pattern in enumerate(self.patterns[kind])
        ]

    def _pattern(self, kind: int, at: int, pattern: str) -> Row:
        """Return how many games a pattern won, and of how many hands it was the strongest, beside the exact share."""
        from tlsim.intervals import korn_graubard, level_after

        games = self._sums[kind][m.S_GAMES]
        won, held = (int(self.tally.patterns[what, kind, at]) for what in (m.WINNERS, m.HOLDERS))
        low, high = korn_graubard(won, games, level=level_after(self.stopped))
        exact = self.exact[kind][at]
        return {
            "list": "opening" if kind == m.OPENING_GAMES else "regular", "pattern": pattern, "count": won,
            "per_game": won / max(1, games), "ci_low": low, "ci_high": high, "hands": held,
            "per_hand": held / max(1, games * self.players), "exact_per_hand": None if exact is None else float(exact),
        }  # fmt: skip

    def _reasons(self) -> list[Row]:
        rows = []
        for at, reason in enumerate(REASONS):
            count, halves = (self._both(m.S_REASONS + 2 * at + part) for part in range(2))
            games = max(1, self.games)
            rows.append(
                {"reason": reason, "payments": count, "money": halves / 2, "payments_per_game": count / games,
                 "money_per_game": halves / 2 / games}
            )  # fmt: skip
        return rows

    def _flows(self) -> list[Row]:
        flows = self.tally.flows.sum(axis=0)
        return [
            {"reason": REASONS[reason], "from": payer, "to": receiver, "money": int(flows[reason, payer, receiver]) / 2}
            for reason, payer, receiver in np.argwhere(flows).tolist()
        ]

    def _distribution(self) -> list[Row]:
        rows = []
        for seat in range(self.players):
            below = np.cumsum(self.tally.money[:, seat].sum(axis=0))
            row: dict[str, Any] = {"seat": seat}
            for q in _QUANTILES:
                at = int(np.searchsorted(below, math.ceil(q * self.games), side="left"))
                row[f"q{100 * q:g}"] = self._amount(at)
            rows.append(row)
        return rows

    @staticmethod
    def _amount(at: int) -> float:
        """Return the amount of a bin of the histogram; the outermost bins hold all that lies beyond."""
        if at in (0, 2 * m.HALF_WIDTH):
            return math.inf if at else -math.inf
        return (at - m.HALF_WIDTH) / 2

    def _length(self) -> list[Row]:
        return [{"entries": at, "games": int(n)} for at, n in enumerate(self.tally.lengths.sum(axis=0).tolist()) if n]

    def _extremes(self) -> list[Row]:
        return [
            {"extreme": name, "value": value / 2 if name == "largest_loss" else value, "match": match, "game": game}
            for name, (value, match, game) in zip(_EXTREMES, self.tally.extremes.tolist(), strict=True)
            if value >= 0
        ]

    def plot(self, ax: Any = None, view: str = "distribution", lang: str | None = None) -> Any:
        """Draw a view.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; None makes new ones.
        view
            ``distribution``: every seat's money per game; ``seats``, ``roles``: mean money with 95 % intervals;
            ``events``: how often each thing happens, with intervals; ``reasons``: money by reason.
        lang
            Language of the words in it.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        UsageError
            If there is no picture of this view.
        """
        if view not in PICTURES:
            raise UsageError(f"view = {view!r}: must be one of {', '.join(PICTURES)}{suggestion(view, PICTURES)}")
        return getattr(self, f"_plot_{view}")(ax, lang)

    def _plot_distribution(self, ax: Any, lang: str | None) -> Any:
        from tlsim.plotting import plot_money

        money = self.tally.money.sum(axis=0)
        used = np.flatnonzero(money.sum(axis=0))
        low, high = (int(used[0]), int(used[-1]) + 1) if len(used) else (m.HALF_WIDTH, m.HALF_WIDTH + 1)
        amounts = (np.arange(low, high) - m.HALF_WIDTH) / 2
        shares = (money[:, low:high] / max(1, self.games)).tolist()
        return plot_money(ax, amounts.tolist(), shares, self._seat_names(), self.provenance.unit or "", lang)

    def _seat_names(self) -> list[str]:
        return [f"{seat}: {policy}" for seat, policy in enumerate(self.policies)]

    def _plot_seats(self, ax: Any, lang: str | None) -> Any:
        return self._plot_means(ax, self._seat_names(), self.rows("seats"), lang)

    def _plot_roles(self, ax: Any, lang: str | None) -> Any:
        names = [f"{term('leads', lang)}" if role == 0 else f"+{role}" for role in range(self.players)]
        return self._plot_means(ax, names, self.rows("roles"), lang)

    def _plot_means(self, ax: Any, names: list[str], rows: list[Row], lang: str | None) -> Any:
        from tlsim.plotting import plot_means

        means, errors = ([row[key] for row in rows] for key in ("mean", "std_error"))
        return plot_means(ax, names, means, errors, self.provenance.unit or "", lang)

    def _plot_reasons(self, ax: Any, lang: str | None) -> Any:
        from tlsim.plotting import plot_amounts

        rows = [row for row in self.rows("reasons") if row["payments"]]
        names = [reason_name(row["reason"], lang) for row in rows]
        return plot_amounts(ax, names, [row["money_per_game"] for row in rows], self.provenance.unit or "", lang)

    def _plot_events(self, ax: Any, lang: str | None) -> Any:
        from tlsim.plotting import plot_rates

        rows = [row for row in self.rows("events") if row["count"]]
        names = [event_name(row["event"], lang) for row in rows]
        intervals = [(row["ci_low"], row["ci_high"]) for row in rows]
        return plot_rates(ax, names, [row["per_game"] for row in rows], intervals, lang)

    def _repr_html_(self) -> str:
        about = f"{self.games:,} {term('games_played')} · {self.provenance.rules} · seed {self.provenance.seed}"
        html: str = self.to_frame("seats")._repr_html_()
        return f"<p>{about}</p>{html}"

    def seat_money(self) -> Ints:
        """Return the money of each seat by batch of matches, in half units; int64, shape (256, players)."""
        at = [m.S_SEATS + seat * m.N_PER_SEAT for seat in range(self.players)]
        money: Ints = self.tally.batches[m.ALL_GAMES][:, at]
        return money

    def batch_games(self) -> Ints:
        """Return the number of games by batch of matches; int64, shape (256,)."""
        games: Ints = self.tally.batches[:2, :, m.S_GAMES].sum(axis=0)
        return games


def event_name(event: str, lang: str | None = None) -> str:
    """Return an event in words.

    >>> event_name("chop_tu_quy_doi_heo", "vi"), event_name("chain_of_2", "en"), event_name("thoi_heo_co", "vi")
    ('tứ quý chặt đôi heo', 'chain of 2 chops', 'thối heo cơ')
    """
    if event.startswith("chop_"):
        bomb = next(bomb for bomb in BOMBS if event.startswith(f"chop_{bomb}_"))
        target = event.removeprefix(f"chop_{bomb}_")
        return term("chopped_by", lang).format(bomb=term(bomb, lang), target=term(target, lang))
    if event.startswith("chain_of_"):
        return term("chain_of", lang).format(n=event.removeprefix("chain_of_"))
    if event.startswith("thoi_"):
        return term("left_with", lang).format(item=term(event.removeprefix("thoi_"), lang))
    return term(event, lang)


def reason_name(reason: str, lang: str | None = None) -> str:
    """Return a reason to pay in words."""
    return term("cards_left" if reason == "cards" else reason, lang)


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
    games = [np.maximum(1, stats.batch_games()) for stats in (one, two)]
    used = one.batch_games() > 0
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
        ("given", one.provenance.given, two.provenance.given),
    ):
        if mine != theirs:
            raise UsageError(f"these results do not belong together: {name} = {mine!r} and {theirs!r}; play both alike")
    if not one.complete or not two.complete:
        raise UsageError("one of these results was interrupted, so they are not over the same games")


def _same_question(one: GameStats, two: GameStats, names: Sequence[str]) -> None:
    pairs = [(name, getattr(one, name), getattr(two, name)) for name in names]
    pairs += [
        (name, getattr(one.provenance, name), getattr(two.provenance, name)) for name in ("digest", "players", "given")
    ]
    for name, mine, theirs in pairs:
        if mine != theirs:
            raise UsageError(f"these results answer different questions: {name} = {mine!r} and {theirs!r}")


def _seeds(stats: GameStats) -> tuple[int, ...]:
    seed = stats.provenance.seed
    return seed if isinstance(seed, tuple) else () if seed is None else (seed,)
