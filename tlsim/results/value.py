"""`HandValue`: what a hand is worth in whole games, and whether to declare with it or to call."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tlsim.columns import Row, declared
from tlsim.engine.moments import Estimate, Moments, Weights
from tlsim.engine.paired import PER_CALL, Lane
from tlsim.intervals import FEW, LEVEL, korn_graubard
from tlsim.results import worth
from tlsim.results.calls import CallStakes
from tlsim.results.pictures import HANDS
from tlsim.results.provenance import Known, Listed
from tlsim.show.numbers import local
from tlsim.terms import distance_name, term


def _where(distance: int | None, row: Row, lang: str) -> str:
    """Return the distance of a row in words; it has none in an opening game, and where it is of all distances."""
    if distance is not None:
        return distance_name(distance, lang)
    return term("opening_word" if row["which"] == "opening" else "any_distance", lang)


VALUE, DECLARED, SAM = (declared(f"hand.{name}", distance=_where) for name in ("value", "declare", "sam"))


@dataclass(frozen=True)
class HandValue(worth.Worth):
    """What a hand is worth: chance to win, mean money and spread, by distance from the leader.

    A view that does not apply has no rows.
    """

    policies: tuple[str, ...]  # policy of each seat, from the one with the hand on
    distances: tuple[int | None, ...]  # distances from the leader that were played; None alone for an opening game
    moments: Moments = field(repr=False)  # sums over the deals; every distance and every way to play has the same deals
    lanes: Mapping[str, Lane]  # ``value`` as policies say; ``declare``, ``play_on`` where a tới trắng may be declined
    calls: tuple[int, ...] = ()  # first column of a call of Sâm, by distance; empty where there is none
    stakes: CallStakes | None = None  # what a call of Sâm wins and loses under the rules
    pattern: Listed | None = None  # what the hand counts as
    titles: bool = False  # whether cards are exchanged by titles

    VIEWS = (VALUE, DECLARED, SAM)
    PICTURES = HANDS

    @property
    def games(self) -> int:
        """Number of deals; each was played once from every distance and in every way."""
        return self.moments.matches

    @property
    def declared(self) -> bool:
        """Whether the value is that of declaring the hand: it may be, and the policy does."""
        value = self.lanes["value"]
        return self.pattern is not None and self.lanes.get("declare", value) == value

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (there are no rare ones)
        """Return all quantities by name, with their errors.

        ``mean`` (money), ``win``, ``declare`` and ``sam`` (what declaring and calling bring), ``distance_0`` …
        """
        value, mean = self.lanes["value"], self.moments.mean
        found = {"mean": mean(value.mean_money), "win": mean(value.mean_first)}
        if "declare" in self.lanes:
            found["declare"] = mean(worth.less(self.lanes["declare"].mean_money, self.lanes["play_on"].mean_money))
        if self.calls:
            stood, _, money, without = self._call_columns(None)
            gap = {at: weight / 2 for at, weight in worth.less(money, without).items()}
            found["sam"] = self.moments.ratio(gap, stood) or Estimate(math.nan, None, 0)
        for which, distance in enumerate(self.distances):
            if distance is not None:
                found[f"distance_{distance}"] = mean(value.at(which).mean_money)
        return {name: each.known for name, each in found.items()}

    def _rows_of(self, view: str) -> list[Row]:
        """Return the rows of each distance, and of all of them where there are several; none if nothing was played."""
        asked = {"value": True, "declare": "declare" in self.lanes, "sam": bool(self.calls)}
        at: Callable[[int | None], Row] = getattr(self, f"_{view}_at")
        places = ["opening" if distance is None else "distance" for distance in self.distances]
        found = [*zip(places, self.distances, range(len(places)), strict=True), ("all", None, None)]
        return [
            self.view(view).row(which=place, distance=distance, **at(which))
            for place, distance, which in (found if len(places) > 1 else found[:1])
            if self.games and asked[view]
        ]

    def _value_at(self, which: int | None) -> Row:
        lane, n = self.lanes["value"].at(which), self.games
        money, trials = self.moments.mean(lane.mean_money), n * len(lane.firsts)
        squares = math.fsum(self.moments.product(at, at) for at in lane.money) / len(lane.money) / n / 4
        won = self.moments.mean(lane.mean_first)
        count = sum(self.moments.product(0, at) for at in lane.firsts)
        win = share_interval(count, trials, won.std_error, len(lane.firsts), self.level)
        rare = self.declared and min(count, trials - count) < FEW
        low, high = self._rare_interval(lane, count, win) if rare else money.interval(self.level)
        return {
            "games": trials, "win": won.mean, "win_low": win[0], "win_high": win[1], "mean": money.known, "ci_low": low,
            "ci_high": high, "spread": math.sqrt(max(0.0, squares - money.mean**2)),
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

    def _declare_at(self, which: int | None) -> Row:
        pays = self.pattern.pays if self.pattern else 0.0
        lanes = self.moments, self.lanes["declare"].at(which), self.lanes["play_on"].at(which)
        return worth.both_ways(*lanes, self.level) | worth.break_even(*lanes, pays, len(self.policies) - 1)

    def _sam_at(self, which: int | None) -> Row:
        """Return what a call is worth in the games in which it stands: no tới trắng, and nobody has called before."""
        stood, made, money, without = self._call_columns(which)
        count, trials = (sum(self.moments.product(0, at) for at in columns) for columns in (made, stood))
        share, row = self.moments.ratio(made, stood), {"stands": trials / self.games / len(stood)}
        if share is None:
            return row
        low, high = share_interval(count, trials, share.std_error, len(stood), self.level)
        ways = {"call_mean": money, "silent_mean": without, "difference": worth.less(money, without)}
        found = {
            way: self.moments.ratio({at: weight / 2 for at, weight in columns.items()}, stood) or share  # they stood
            for way, columns in ways.items()
        }
        silent = found["silent_mean"]
        even, above = (
            None if self.stakes is None or noise is None else self.stakes.against(silent.mean + noise)
            for noise in (0.0, silent.std_error)
        )
        row |= {"success": share.mean, "success_low": low, "success_high": high} | worth.estimates(found, self.level)
        return row | {"break_even": (even, None if even is None or above is None else above - even)}

    def _call_columns(self, which: int | None) -> list[Weights]:
        """Return the columns of calls: whether they stood, whether they were made, money with and without the call."""
        calls = self.calls if which is None else (self.calls[which],)
        return [dict.fromkeys((at + part for at in calls), 1.0) for part in range(PER_CALL)]

    def said(self, lang: str) -> list[str]:
        """Return in words whether to declare, and whether to call."""
        (*by_distance, whole), calls = self.rows("declare") or [{}], self.rows("sam")[-1:]
        said = [worth.declare_advice(whole, by_distance, self.games, lang)] if whole else []
        return said + [_call_sentence(row, self.games, lang) for row in calls if row["difference"] is not None]

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        one_kind = self.declared and any(row["ci_low"] is None for row in self.rows("value"))
        declared = "note_declared" if "declare" in self.lanes else "note_declared_at_once"
        said = [declared] * self.declared + ["note_one_kind"] * one_kind + ["note_value"]
        said += ["note_no_exchange"] * (self.titles and not self.provenance.opening)
        return [term(note, lang).format(games=local(f"{self.games:,}", lang)) for note in said]


def share_interval(
    count: int, trials: int, noise: float | None, most: int, level: float = LEVEL
) -> tuple[float, float]:
    """Return the interval of a share of trials that hang together by up to so many.

    The interval of Korn and Graubard at the design effect that the error shows; where all trials are alike it shows
    none, and is taken to be the largest there can be.
    """
    rest = trials - count
    binomial = count * rest / trials**3 if trials else 0.0
    return korn_graubard(count, trials, noise**2 / binomial if binomial and noise else float(most), level)


def _call_sentence(row: Row, games: int, lang: str) -> str:
    key = "verdict_call" if row["ci_low"] > 0 else "verdict_no_call" if row["ci_high"] < 0 else "verdict_call_either"
    means = {way: (row[f"{way}_mean"], lang, "+", row[f"{way}_mean_std_error"]) for way in ("call", "silent")}
    said = worth.gap_ends(row, lang) | {way: worth.amount(*mean) for way, mean in means.items()}
    said |= {each: _percent(row[each], lang) for each in ("stands", "success", "success_low", "success_high")}
    said |= {
        "gap": worth.amount(abs(row["difference"]), lang, "", row["std_error"]),
        "games": local(f"{games:,}", lang),
    }
    text = term(key, lang).format(**said)
    if row["break_even"] is None:
        return text
    return text + "; " + term("verdict_call_from", lang).format(even=_percent(row["break_even"], lang))


def _percent(value: float, lang: str) -> str:
    return f"{worth.amount(100 * value, lang)} %"
