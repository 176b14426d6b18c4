"""What hands are worth in whole games: declare a tới trắng or play on, call Sâm or not, over the same deals."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Row, declared
from tlsim.engine.moments import Estimate, Moments, Weights
from tlsim.engine.paired import PER_CALL, Lane
from tlsim.intervals import FEW, LEVEL, korn_graubard, level_after
from tlsim.results.pictures import HANDS
from tlsim.results.provenance import Known, Listed, one_in
from tlsim.results.result import RunResult
from tlsim.results.titles import CallStakes
from tlsim.show import numbers
from tlsim.show.numbers import local
from tlsim.terms import distance_name, term

PER = 1000
"""Hands dealt, on which the total is given."""
PATTERNS, TOTAL = declared("declare.patterns"), declared("declare.total")
DISTANCES = declared("declare.distances", distance=lambda at, _row, lang: distance_name(at, lang))


def less(one: Weights, two: Weights) -> Weights:
    """Return the weights of a difference."""
    return {at: one.get(at, 0.0) - two.get(at, 0.0) for at in {**one, **two}}


def estimates(found: dict[str, Estimate], level: float = LEVEL) -> Row:
    """Return estimates by name, each with its error, and the interval of ``difference``."""
    low, high = found["difference"].interval(level)
    return {key: each.known for key, each in found.items()} | {"ci_low": low, "ci_high": high}


def both_ways(moments: Moments, declare: Lane, play_on: Lane, level: float) -> Row:
    """Return what declaring and playing on are worth, and their difference."""
    ways = {"declare": declare.mean_money, "play_on": play_on.mean_money}
    ways["difference"] = less(*ways.values())
    return estimates({way: moments.mean(weights) for way, weights in ways.items()}, level)


def break_even(moments: Moments, declare: Lane, play_on: Lane, pays: float, payers: int) -> Row:
    """Return a price, and the one at which declaring and playing on are worth the same.

    What declaring brings is linear in the price: every payer pays it where the hand wins the table. So they are equal
    at the price less the difference per payer and win.
    """
    wins = {at: payers * weight for at, weight in declare.mean_first.items()}
    even = moments.ratio(less(declare.mean_money, play_on.mean_money), wins)
    return {"pays": pays, "break_even": None if even is None else (pays - even.mean, even.std_error)}


def amount(value: float, lang: str, sign: str = "", error: float | None = None) -> str:
    """Return an amount as it stands in a sentence."""
    return local(numbers.amount(value, error, sign), lang)


def gap_ends(row: Row, lang: str) -> dict[str, str]:
    """Return the ends of the interval of a difference, as they stand beside it in words: of how much more, or less."""
    low, high = row["ci_low"], row["ci_high"]
    between = low <= 0 <= high
    nearer, further = (low, high) if between else sorted((abs(low), abs(high)))
    sign, error = "+" if between else "", (high - low) / 4
    return {end: amount(at, lang, sign, error) for end, at in (("ci_low", nearer), ("ci_high", further))}


def _gap(row: Row, lang: str) -> str:
    return amount(abs(row["difference"]), lang, error=row["std_error"])


def verdict_of(row: Row) -> str:
    """Return what a row says is to be done: ``declare``, ``play_on``, or ``either`` where that is not sure."""
    return "declare" if row["ci_low"] > 0 else "play_on" if row["ci_high"] < 0 else "either"


def declare_advice(whole: Row, by_distance: list[Row], games: int, lang: str, name: str = "") -> str:
    """Return what is to be done in words: by distance from the leader, where not the same is best at each."""
    ways = [verdict_of(row) for row in by_distance]
    if len(set(ways)) < 2:
        return declare_sentence(whole, games, lang, name)
    parts = []
    for way in dict.fromkeys(ways):
        rows = [row for row, other in zip(by_distance, ways, strict=True) if other == way]
        at = (f"{distance_name(row['distance'], lang)} ({_gap(row, lang)})" for row in rows)
        parts.append(term(f"verdict_{way}_at", lang).format(at=", ".join(at)))
    text = term("verdict_by_distance", lang).format(said="; ".join(parts))
    return f"{name}: {text}" if name else text


def declare_sentence(row: Row, games: int, lang: str, name: str = "") -> str:
    """Return the verdict on a row in words: declare, play on, or too close to tell."""
    key = f"verdict_{verdict_of(row)}"
    said = {way: amount(row[way], lang, "+", row[f"{way}_std_error"]) for way in ("declare", "play_on")}
    said |= gap_ends(row, lang) | {"gap": _gap(row, lang), "games": local(f"{games:,}", lang)}
    text, even = term(key, lang).format(**said), row["break_even"]
    if even is not None:
        price = term("verdict_break_even" if even > 0 else "verdict_any_price", lang)
        even_price = amount(even, lang, error=row["break_even_std_error"])
        text += "; " + price.format(even=even_price, pays=amount(row["pays"], lang))
    return f"{name}: {text}" if name else text


class Worth(RunResult):
    """What is found in games that are played several times: from every distance, and in every way."""

    TOLD = ("policies", "games")

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return super().about() | ({} if self.stopped in {"", "size"} else {"stopped": self.stopped})

    def verdicts(self, lang: str | None = None) -> tuple[str, ...]:
        """Return in words what is to be done."""
        return tuple(self.said(language(lang)))


@dataclass(frozen=True)
class PatternWorth:
    """What a pattern is worth over hands that count as it."""

    entry: Listed
    hands: int  # exact number of those that count as it
    of: int  # and of all
    moments: Moments = field(repr=False)  # sums over the games
    declare: Lane  # their columns
    play_on: Lane
    stopped: str = field(default="", compare=False)  # why its games stopped

    @property
    def games(self) -> int:
        """Number of deals."""
        return self.moments.matches

    def row(self, payers: int) -> Row:
        """Return its row; payers : number of seats that pay a tới trắng."""
        share, lanes = self.hands / self.of, (self.moments, self.declare, self.play_on)
        return PATTERNS.row(pattern=self.entry.id, hands=self.hands, probability=share, one_in=one_in(share),
                            **both_ways(*lanes, level_after(self.stopped)),
                            **break_even(*lanes, self.entry.pays, payers))  # fmt: skip

    def by_distance(self) -> list[Row]:
        """Return a row for each distance from the leader; none where only one was asked about."""
        level, number = level_after(self.stopped), len(self.declare.money)
        lanes = [(self.declare.at(at), self.play_on.at(at)) for at in range(number)] if number > 1 else []
        found = (both_ways(self.moments, *both, level) for both in lanes)
        return [DISTANCES.row(pattern=self.entry.id, distance=at, **row) for at, row in enumerate(found)]


@dataclass(frozen=True)
class DeclareWorth(Worth):
    """Declare or play on, for patterns of a list, over hands drawn exactly given the pattern."""

    policies: tuple[str, ...]  # policy of each seat, from the holder on
    patterns: tuple[PatternWorth, ...]  # one entry per pattern that some hand counts as

    VIEWS = (PATTERNS, DISTANCES, TOTAL)
    PICTURES = HANDS

    @property
    def games(self) -> int:
        """Deals of each pattern, each played from every distance, declared and played on."""
        return min((each.games for each in self.patterns), default=0)

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (each is asked for by its name)
        """Return what declaring brings, with its error: a hand of the pattern, of several per 1,000 hands dealt."""
        row = self.rows()[0] if len(self.patterns) == 1 else self.total()
        return {"declare": (row["difference"], row["std_error"]) if self.patterns else (None, None)}

    def said(self, lang: str) -> list[str]:
        """Return for every pattern whether to declare, in words."""
        pairs = zip(self.patterns, self.rows(), strict=True)
        return [declare_advice(row, each.by_distance(), each.games, lang, each.entry.name(lang)) for each, row in pairs]

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        return [term("note_drawn", lang).format(games=local(f"{self.games:,}", lang))]

    def total(self) -> Row:
        """Return what the list is worth to a seat per 1,000 hands dealt: exact weights times means given the pattern.

        ``declare``: its money in games in which it holds a pattern and declares; ``play_on``: the same, always playing
        on; and their difference. Patterns are drawn apart, so their errors add up in squares.
        """
        found: dict[str, Estimate] = {}
        for key in ("declare", "play_on", "difference"):
            parts = [(PER * row["probability"], row[key], row[PATTERNS[key].error]) for row in self.rows()]
            known = all(noise is not None for _, _, noise in parts)
            both = math.sqrt(sum((weight * noise) ** 2 for weight, _, noise in parts)) if known and parts else None
            found[key] = Estimate(math.fsum(weight * mean for weight, mean, _ in parts), both, max(2, self.games))
        level = max((level_after(each.stopped) for each in self.patterns), default=LEVEL)
        return TOTAL.row(**estimates(found, level))

    def _patterns(self) -> list[Row]:
        return [each.row(len(self.policies) - 1) for each in self.patterns]

    def _distances(self) -> list[Row]:
        return [row for each in self.patterns for row in each.by_distance()]

    def _total(self) -> list[Row]:
        return [self.total()] if self.complete else []


def _where(distance: int | None, row: Row, lang: str) -> str:
    """Return the distance of a row in words; it has none in an opening game, and where it is of all distances."""
    if distance is not None:
        return distance_name(distance, lang)
    return term("opening_word" if row["which"] == "opening" else "any_distance", lang)


VALUE, DECLARED, SAM = (declared(f"hand.{name}", distance=_where) for name in ("value", "declare", "sam"))


@dataclass(frozen=True)
class HandValue(Worth):
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
            found["declare"] = mean(less(self.lanes["declare"].mean_money, self.lanes["play_on"].mean_money))
        if self.calls:
            stood, _, money, without = self._call_columns(None)
            gap = {at: weight / 2 for at, weight in less(money, without).items()}
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
        return both_ways(*lanes, self.level) | break_even(*lanes, pays, len(self.policies) - 1)

    def _sam_at(self, which: int | None) -> Row:
        """Return what a call is worth in the games in which it stands: no tới trắng, and nobody has called before."""
        stood, made, money, without = self._call_columns(which)
        count, trials = (sum(self.moments.product(0, at) for at in columns) for columns in (made, stood))
        share, row = self.moments.ratio(made, stood), {"stands": trials / self.games / len(stood)}
        if share is None:
            return row
        low, high = share_interval(count, trials, share.std_error, len(stood), self.level)
        ways = {"call_mean": money, "silent_mean": without, "difference": less(money, without)}
        found = {
            way: self.moments.ratio({at: weight / 2 for at, weight in columns.items()}, stood) or share  # they stood
            for way, columns in ways.items()
        }
        silent = found["silent_mean"]
        even, above = (
            None if self.stakes is None or noise is None else self.stakes.against(silent.mean + noise)
            for noise in (0.0, silent.std_error)
        )
        row |= {"success": share.mean, "success_low": low, "success_high": high} | estimates(found, self.level)
        return row | {"break_even": (even, None if even is None or above is None else above - even)}

    def _call_columns(self, which: int | None) -> list[Weights]:
        """Return the columns of calls: whether they stood, whether they were made, money with and without the call."""
        calls = self.calls if which is None else (self.calls[which],)
        return [dict.fromkeys((at + part for at in calls), 1.0) for part in range(PER_CALL)]

    def said(self, lang: str) -> list[str]:
        """Return in words whether to declare, and whether to call."""
        (*by_distance, whole), calls = self.rows("declare") or [{}], self.rows("sam")[-1:]
        said = [declare_advice(whole, by_distance, self.games, lang)] if whole else []
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
    said = gap_ends(row, lang) | {way: amount(*mean) for way, mean in means.items()}
    shares = ("stands", "success", "success_low", "success_high")
    said |= {each: local(numbers.percent(row[each]), lang) for each in shares}
    said |= {"gap": _gap(row, lang), "games": local(f"{games:,}", lang)}
    text = term(key, lang).format(**said)
    if row["break_even"] is None:
        return text
    return text + "; " + term("verdict_call_from", lang).format(even=local(numbers.percent(row["break_even"]), lang))
