"""Declare a tới trắng or play on: what each is worth over the same deals, for one hand or a whole pattern."""

import math
from dataclasses import dataclass, field
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Row, declared
from tlsim.engine.moments import Estimate, Moments, Weights
from tlsim.engine.paired import Lane
from tlsim.intervals import LEVEL, level_after
from tlsim.results.pictures import HANDS
from tlsim.results.provenance import Known, Listed, one_in
from tlsim.results.result import RunResult
from tlsim.show.numbers import about, local
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
    return local(about(value, error, sign), lang)


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
