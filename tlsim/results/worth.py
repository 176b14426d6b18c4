"""Declare a tới trắng or play on: what each is worth over the same deals, for one hand or a whole pattern."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tlsim import terms
from tlsim.engine.moments import Estimate, Moments, Weights
from tlsim.engine.paired import Lane
from tlsim.intervals import LEVEL, level_after
from tlsim.results.parts import Listed, Provenance, Row, frame, html, one_in

TOTAL_COLUMNS = (
    "declare", "declare_std_error", "play_on", "play_on_std_error", "difference", "std_error", "ci_low", "ci_high",
)  # fmt: skip
DECLARE_KEYS = (*TOTAL_COLUMNS, "pays", "break_even", "break_even_std_error")
WORTH_COLUMNS = ("pattern", "hands", "probability", "one_in", *DECLARE_KEYS)
PER = 1000
"""Hands dealt, on which the total is given."""


def less(one: Weights, two: Weights) -> Weights:
    """Return the weights of a difference.

    >>> less({1: 0.5}, {1: 0.5, 2: 1.0})
    {1: 0.0, 2: -1.0}
    """
    return {at: one.get(at, 0.0) - two.get(at, 0.0) for at in {**one, **two}}


def declare_row(moments: Moments, declare: Lane, play_on: Lane, pays: float, payers: int, level: float = LEVEL) -> Row:
    """Return what declaring and playing on are worth, their difference, and the price at which they are worth the same.

    What declaring brings is linear in the price: every payer pays it where the hand wins the table. So they are equal
    at the price less the difference per payer and win.
    """
    said, played = moments.mean(declare.mean_money), moments.mean(play_on.mean_money)
    gap = less(declare.mean_money, play_on.mean_money)
    wins = {at: payers * weight for at, weight in declare.mean_first.items()}
    even = moments.ratio(gap, wins)
    found = moments.mean(gap)
    low, high = found.interval(level)
    return {
        "declare": said.mean, "declare_std_error": said.std_error, "play_on": played.mean,
        "play_on_std_error": played.std_error, "difference": found.mean, "std_error": found.std_error, "ci_low": low,
        "ci_high": high, "pays": pays, "break_even": None if even is None else pays - even.mean,
        "break_even_std_error": None if even is None else even.std_error,
    }  # fmt: skip


def gap_ends(row: Row) -> dict[str, str]:
    """Return the ends of the interval of a difference, as they stand beside it in words: of how much more, or less.

    >>> gap_ends({"ci_low": -3.0, "ci_high": -1.0}), gap_ends({"ci_low": -1.0, "ci_high": 2.0})
    ({'ci_low': '1', 'ci_high': '3'}, {'ci_low': '-1', 'ci_high': '+2'})
    """
    low, high = row["ci_low"], row["ci_high"]
    if low <= 0 <= high:
        return {"ci_low": f"{low:+.3g}", "ci_high": f"{high:+.3g}"}
    nearer, further = sorted((abs(low), abs(high)))
    return {"ci_low": f"{nearer:.3g}", "ci_high": f"{further:.3g}"}


def declare_sentence(row: Row, games: int, lang: str | None = None, name: str = "") -> str:
    """Return the verdict on a row in words: declare, play on, or too close to tell."""
    key = "verdict_declare" if row["ci_low"] > 0 else "verdict_play_on" if row["ci_high"] < 0 else "verdict_either"
    shown = {key: f"{row[key]:+.3g}" for key in ("declare", "play_on")} | gap_ends(row)
    gap, even = f"{abs(row['difference']):.3g}", row["break_even"]
    text = terms.term(key, lang).format(**shown, gap=gap, games=f"{games:,}")
    if even is not None:
        said = "verdict_break_even" if even > 0 else "verdict_any_price"
        text += "; " + terms.term(said, lang).format(even=f"{even:.3g}", pays=f"{row['pays']:g}")
    return f"{name}: {text}" if name else text


@dataclass(frozen=True)
class PatternWorth:
    """What a pattern is worth over hands that count as it.

    Parameters
    ----------
    entry
        The pattern.
    hands, of
        Exact number of hands that count as it, and of all hands.
    moments
        Sums over the games.
    declare, play_on
        Their columns.
    complete, seconds, stopped
        As in `DeclareWorth`.
    """

    entry: Listed
    hands: int
    of: int
    moments: Moments = field(repr=False)
    declare: Lane
    play_on: Lane
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    def quantities(self) -> dict[str, tuple[float | None, float | None]]:
        """Return all quantities by name, with their errors: what declaring brings, over the same deals."""
        found = self.moments.mean(less(self.declare.mean_money, self.play_on.mean_money))
        return {"declare": (found.mean, found.std_error)}

    def headline(self, lang: str | None = None) -> tuple[str, float | None, float | None]:
        """Return what is shown while it runs."""
        return self.entry.name(lang), *self.quantities()["declare"]

    def row(self, payers: int) -> Row:
        """Return the row of `DeclareWorth`."""
        share = self.hands / self.of
        row: Row = {"pattern": self.entry.id, "hands": self.hands, "probability": share, "one_in": one_in(share)}
        level = level_after(self.stopped)
        return row | declare_row(self.moments, self.declare, self.play_on, self.entry.pays, payers, level)


@dataclass(frozen=True)
class DeclareWorth:
    """Declare or play on, for every pattern of a list, over hands drawn exactly given the pattern.

    Parameters
    ----------
    provenance
        What the numbers rest on.
    policies
        Policy of each seat, from the holder on.
    patterns
        One entry per pattern that some hand counts as.
    complete
        False where the run was interrupted; then the last patterns may be missing.
    seconds
        Time that the games took.
    stopped
        Why it stopped; see `tlsim.engine.run.REASONS`.
    """

    provenance: Provenance
    policies: tuple[str, ...]
    patterns: tuple[PatternWorth, ...]
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    views = ("patterns", "total")

    @property
    def payers(self) -> int:
        """Number of seats that pay a tới trắng."""
        return len(self.policies) - 1

    @property
    def games(self) -> int:
        """Deals of each pattern, each played from every distance, declared and played on."""
        return min((each.moments.matches for each in self.patterns), default=0)

    @cached_property
    def _rows(self) -> list[Row]:
        return [each.row(self.payers) for each in self.patterns]

    def rows(self, view: str = "patterns") -> list[Row]:
        """Return the rows of a view; see `to_frame`. Of an interrupted run there is no total."""
        if view == "total":
            return [self.total()] if self.complete else []
        return self._rows

    def total(self) -> Row:
        """Return what the list is worth to a seat per 1,000 hands dealt: exact weights times means given the pattern.

        ``declare``: its money in games in which it holds a pattern and declares; ``play_on``: the same, always playing
        on; and their difference. Patterns are drawn apart, so their errors add up in squares.
        """
        found: dict[str, Estimate] = {}
        for key, error in (
            ("declare", "declare_std_error"),
            ("play_on", "play_on_std_error"),
            ("difference", "std_error"),
        ):
            parts = [(PER * row["probability"], row[key], row[error]) for row in self._rows]
            known = all(noise is not None for _, _, noise in parts)
            noise = math.sqrt(sum((weight * noise) ** 2 for weight, _, noise in parts)) if known and parts else None
            found[key] = Estimate(math.fsum(weight * mean for weight, mean, _ in parts), noise, max(2, self.games))
        level = max((level_after(each.stopped) for each in self.patterns), default=LEVEL)
        low, high = found["difference"].interval(level)
        return {
            "declare": found["declare"].mean, "declare_std_error": found["declare"].std_error,
            "play_on": found["play_on"].mean, "play_on_std_error": found["play_on"].std_error,
            "difference": found["difference"].mean, "std_error": found["difference"].std_error, "ci_low": low,
            "ci_high": high,
        }  # fmt: skip

    def verdicts(self, lang: str | None = None) -> tuple[str, ...]:
        """Return for every pattern whether to declare, in words."""
        return tuple(
            declare_sentence(row, each.moments.matches, lang, each.entry.name(lang))
            for each, row in zip(self.patterns, self._rows, strict=True)
        )

    def to_frame(self, view: str = "patterns") -> Any:
        """Return a view as a pandas frame; money in the unit of the rules.

        Parameters
        ----------
        view
            ``patterns``: per pattern, the exact number of ``hands`` that count as it (it is their strongest), mean
            money where it is declared and where it is played on with, the difference over the same deals with its 95 %
            interval, the price in force and the one at which both are worth the same; ``total``: what all that is
            worth to a seat per 1,000 hands dealt.
        """
        return frame(self.rows(view), TOTAL_COLUMNS if view == "total" else WORTH_COLUMNS)

    def _repr_html_(self) -> str:
        keys = ("pattern", "declare", "play_on", "difference", "pays", "break_even")
        cells = [
            [each.entry.name(), *(f"{row[key]:+.4g}" for key in keys[1:4]), f"{row['pays']:g}",
             "" if row["break_even"] is None else f"{row['break_even']:.3g}"]
            for each, row in zip(self.patterns, self._rows, strict=True)
        ]  # fmt: skip
        note = f"{self.provenance.rules} · {', '.join(self.policies)}"
        return html(terms.term("view_declare"), [terms.term(key) for key in keys], cells, note)
