"""`HandValue`: what a hand is worth in whole games, and whether to declare with it or to call."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tlsim import terms
from tlsim.engine.moments import Estimate, Moments, Weights
from tlsim.engine.paired import PER_CALL, Lane
from tlsim.errors import UsageError, suggestion
from tlsim.intervals import FEW, LEVEL, korn_graubard, level_after
from tlsim.results.calls import CallStakes
from tlsim.results.parts import Listed, Provenance, Row, frame, html
from tlsim.results.worth import DECLARE_KEYS, declare_row, declare_sentence, gap_ends, less

_WHERE = ("which", "distance")
VALUE_COLUMNS = (
    *_WHERE, "games", "win", "win_low", "win_high", "mean", "std_error", "ci_low", "ci_high", "spread",
)  # fmt: skip
SAM_KEYS = (
    "stands", "success", "success_low", "success_high", "call_mean", "call_mean_std_error", "silent_mean",
    "silent_mean_std_error", "difference", "std_error", "ci_low", "ci_high", "break_even", "break_even_std_error",
)  # fmt: skip
VIEWS = {"value": VALUE_COLUMNS, "declare": (*_WHERE, *DECLARE_KEYS), "sam": (*_WHERE, *SAM_KEYS)}


@dataclass(frozen=True)
class HandValue:
    """What a hand is worth: chance to win, mean money and spread, by distance from the leader.

    Parameters
    ----------
    provenance
        What the numbers rest on.
    policies
        Policy of each seat, from the one with the hand on.
    distances
        Distances from the leader that were played; None alone for an opening game.
    moments
        Sums over the deals; every distance and every way to play has the same deals.
    lanes
        Columns of each way to play: ``value`` as the policies say; ``declare`` and ``play_on`` where a tới trắng may
        be declined.
    calls
        First column of a call of Sâm, by distance; empty where there is none.
    stakes
        What a call of Sâm wins and loses under the rules.
    pattern
        What the hand counts as.
    complete
        False where the run was interrupted.
    seconds
        Time that the games took.
    stopped
        Why it stopped; see `tlsim.engine.run.REASONS`.
    """

    provenance: Provenance
    policies: tuple[str, ...]
    distances: tuple[int | None, ...]
    moments: Moments = field(repr=False)
    lanes: Mapping[str, Lane]
    calls: tuple[int, ...] = ()
    stakes: CallStakes | None = None
    pattern: Listed | None = None
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    views = tuple(VIEWS)

    @property
    def games(self) -> int:
        """Number of deals; each was played once from every distance and in every way."""
        return self.moments.matches

    def rows(self, view: str = "value") -> list[Row]:
        """Return the rows of a view; see `to_frame`. A view that does not apply has none."""
        if view not in VIEWS:
            raise UsageError(f"view = {view!r}: must be one of {', '.join(VIEWS)}{suggestion(view, VIEWS)}")
        there = {"value": True, "declare": "declare" in self.lanes, "sam": bool(self.calls)}[view]
        if not there or not self.games:
            return []
        return [self._where(which) | getattr(self, f"_{view}")(which) for which in self._whiches()]

    @property
    def declared(self) -> bool:
        """Whether the value is that of declaring the hand: it may be, and the policy does."""
        value = self.lanes["value"]
        return self.pattern is not None and self.lanes.get("declare", value) == value

    @property
    def _level(self) -> float:
        return level_after(self.stopped)

    def quantities(self) -> dict[str, tuple[float | None, float | None]]:
        """Return all quantities by name, with their errors; see `tlsim.results.quantities`."""
        value, mean = self.lanes["value"], self.moments.mean
        found = {"mean": mean(value.mean_money), "win": mean(value.mean_first)}
        if "declare" in self.lanes:
            found["declare"] = mean(less(self.lanes["declare"].mean_money, self.lanes["play_on"].mean_money))
        if self.calls:
            stood, _, money, without = self._call_columns(None)
            gap = {at: weight / 2 for at, weight in less(money, without).items()}
            found["sam"] = self.moments.ratio(gap, stood) or Estimate(math.nan, None, 0)
        for which, distance in enumerate(self.distances):
            if distance is not None:
                found[f"distance_{distance}"] = mean(value.at(which).mean_money)
        return {name: (each.mean, each.std_error) for name, each in found.items()}

    def headline(self, lang: str | None = None) -> tuple[str, float | None, float | None]:
        """Return what is shown while it runs: mean money."""
        return terms.term("mean", lang), *self.quantities()["mean"]

    def _whiches(self) -> list[int | None]:
        """Return each distance, and all of them where there are several."""
        each: list[int | None] = list(range(len(self.distances)))
        return [*each, None] if len(each) > 1 else each

    def _where(self, which: int | None) -> Row:
        if which is None:
            return {"which": "all", "distance": None}
        distance = self.distances[which]
        return {"which": "opening" if distance is None else "distance", "distance": distance}

    def _value(self, which: int | None) -> Row:
        lane, n = self.lanes["value"].at(which), self.games
        money = self.moments.mean(lane.mean_money)
        squares = math.fsum(self.moments.product(at, at) for at in lane.money) / len(lane.money) / n / 4
        won = self.moments.mean(lane.mean_first)
        count = sum(self.moments.product(0, at) for at in lane.firsts)
        win_low, win_high = _share_interval(count, n * len(lane.firsts), won.std_error, len(lane.firsts), self._level)
        low: float | None
        high: float | None
        low, high = money.interval(self._level)
        if self.declared and min(count, n * len(lane.firsts) - count) < FEW:
            low, high = self._rare_interval(lane, count, (win_low, win_high))
        return {
            "games": n * len(lane.money), "win": won.mean, "win_low": win_low, "win_high": win_high,
            "mean": money.mean, "std_error": money.std_error, "ci_low": low, "ci_high": high,
            "spread": math.sqrt(max(0.0, squares - money.mean**2)),
        }  # fmt: skip

    def _rare_interval(self, lane: Lane, count: int, win: tuple[float, float]) -> tuple[float | None, float | None]:
        """Return the interval of the money of a declared hand that hardly ever fails, or hardly ever succeeds.

        A few games then decide on the mean, and no normal law holds; so the ends are those of the chance to win, at the
        mean money of won and of lost games. Where only one kind was seen nobody knows what the other costs: no ends.
        """
        trials = self.games * len(lane.firsts)
        if count in {0, trials}:
            return None, None
        pairs = list(zip(lane.money, lane.firsts, strict=True))
        won = math.fsum(self.moments.product(*pair) for pair in pairs) / 2 / count
        lost = (math.fsum(self.moments.product(0, at) for at in lane.money) / 2 - won * count) / (trials - count)
        low, high = sorted(lost + share * (won - lost) for share in win)
        return low, high

    def _declare(self, which: int | None) -> Row:
        pays = self.pattern.pays if self.pattern else 0.0
        declare, play_on = (self.lanes[name].at(which) for name in ("declare", "play_on"))
        return declare_row(self.moments, declare, play_on, pays, len(self.policies) - 1, self._level)

    def _sam(self, which: int | None) -> Row:
        """Return what a call is worth in the games in which it stands: no tới trắng, and nobody has called before."""
        calls = self.calls if which is None else (self.calls[which],)
        stood, made, money, without = self._call_columns(which)
        count, trials = (sum(self.moments.product(0, at) for at in columns) for columns in (made, stood))
        found = self.moments.ratio(made, stood)
        if found is None:
            return {"stands": 0.0} | dict.fromkeys(SAM_KEYS[1:])
        row: Row = {"stands": trials / self.games / len(calls), "success": found.mean}
        row["success_low"], row["success_high"] = _share_interval(
            count, trials, found.std_error, len(calls), self._level
        )
        ways = (("call", money), ("silent", without), ("gap", less(money, without)))
        half = {name: self.moments.ratio({at: w / 2 for at, w in columns.items()}, stood) for name, columns in ways}
        call, silent, gap = (each or found for each in half.values())  # they stood, so there is no else
        low, high = gap.interval(self._level)
        even, above = (
            None if self.stakes is None or error is None else self.stakes.against(silent.mean + error)
            for error in (0.0, silent.std_error)
        )
        return row | {
            "call_mean": call.mean, "call_mean_std_error": call.std_error, "silent_mean": silent.mean,
            "silent_mean_std_error": silent.std_error, "difference": gap.mean, "std_error": gap.std_error,
            "ci_low": low, "ci_high": high, "break_even": even,
            "break_even_std_error": None if even is None or above is None else above - even,
        }  # fmt: skip

    def _call_columns(self, which: int | None) -> list[Weights]:
        """Return the columns of calls: whether they stood, whether they were made, money with and without the call."""
        calls = self.calls if which is None else (self.calls[which],)
        return [dict.fromkeys((at + part for at in calls), 1.0) for part in range(PER_CALL)]

    def verdicts(self, lang: str | None = None) -> tuple[str, ...]:
        """Return in words whether to declare, and whether to call."""
        said = []
        if declare := self.rows("declare"):
            said.append(declare_sentence(declare[-1], self.games, lang))
        if (calls := self.rows("sam")) and calls[-1]["difference"] is not None:
            said.append(_call_sentence(calls[-1], self.games, lang))
        return tuple(said)

    def to_frame(self, view: str = "value") -> Any:
        """Return a view as a pandas frame; money in the unit of the rules.

        Parameters
        ----------
        view
            ``value``: chance to be first and mean money with 95 % intervals, and spread, by distance from the leader
            and over all of them; ``declare``: where a tới trắng may be declined, mean money by declaring and by playing
            on, the difference over the same deals, and the price at which both are worth the same; ``sam``: where Sâm
            may be called, how often a call stands and succeeds, mean money with and without it in the games in which
            it stands, the difference, and the chance of success from which on a call pays.
        """
        found = frame(self.rows(view), VIEWS[view])
        kinds = {"which": "object", "distance": "Int64"}
        return found.astype({name: kind for name, kind in kinds.items() if name in found})

    def plot(self, ax: Any = None, lang: str | None = None) -> Any:
        """Draw mean money by distance from the leader, with 95 % intervals; return the axes.

        Where a tới trắng may be declined, both declaring and playing on are drawn.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; None makes new ones.
        lang
            Language of the words in it.
        """
        from tlsim.plotting import plot_means

        ways = ("declare", "play_on") if "declare" in self.lanes else ("mean",)
        drawn = [(row, way) for row in self.rows("declare" if len(ways) > 1 else "value") for way in ways]
        names = [where_name(row, lang) + (f" · {terms.term(way, lang)}" if len(ways) > 1 else "") for row, way in drawn]
        means = [row[way] for row, way in drawn]
        errors = [row["std_error" if way == "mean" else f"{way}_std_error"] for row, way in drawn]
        ax = plot_means(ax, names, means, errors, self.provenance.unit or "", lang)
        title = f"{self.provenance.given or ''} · {self.provenance.rules} · {', '.join(dict.fromkeys(self.policies))}"
        ax.set_title(title, fontsize="medium", parse_math=False)
        return ax

    def _repr_html_(self) -> str:
        from html import escape

        keys = ("distance", "win", "mean", "spread")
        cells = [
            [where_name(row), f"{100 * row['win']:.1f} %", f"{row['mean']:+.3g}", f"{row['spread']:.3g}"]
            for row in self.rows()
        ]
        note = f"{self.provenance.rules} · {', '.join(self.policies)}"
        table = html(self.provenance.given or "", [terms.term(key) for key in keys], cells, note)
        return table + "".join(f"<p>{escape(text)}</p>" for text in self.verdicts())


def where_name(row: Row, lang: str | None = None) -> str:
    """Return the distance of a row in words.

    >>> where_name({"which": "distance", "distance": 0}, "en"), where_name({"which": "distance", "distance": 2}, "en")
    ('leads', '+2')
    """
    if row["which"] == "distance":
        return terms.term("leads", lang) if row["distance"] == 0 else f"+{row['distance']}"
    return terms.term("opening_word" if row["which"] == "opening" else "any_distance", lang)


def _share_interval(
    count: int, trials: int, error: float | None, most: int, level: float = LEVEL
) -> tuple[float, float]:
    """Return the interval of a share of trials that hang together by up to so many.

    The interval of Korn and Graubard at the design effect that the error shows; where all trials are alike it shows
    none, and is taken to be the largest there can be.
    """
    rest = trials - count
    binomial = count * rest / trials**3 if trials else 0.0
    return korn_graubard(count, trials, error**2 / binomial if binomial and error else float(most), level)


def _call_sentence(row: Row, games: int, lang: str | None) -> str:
    key = "verdict_call" if row["ci_low"] > 0 else "verdict_no_call" if row["ci_high"] < 0 else "verdict_call_either"
    shown = gap_ends(row)
    shown |= {key: f"{row[f'{key}_mean']:+.3g}" for key in ("call", "silent")}
    shown |= {key: f"{100 * row[key]:.3g} %" for key in ("stands", "success", "success_low", "success_high")}
    text = terms.term(key, lang).format(**shown, gap=f"{abs(row['difference']):.3g}", games=f"{games:,}")
    if row["break_even"] is None:
        return text
    return text + "; " + terms.term("verdict_call_from", lang).format(even=f"{100 * row['break_even']:.3g} %")
