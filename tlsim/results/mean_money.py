"""`MeanMoney`: mean money of every seat or player, less the luck of the deal as far as it is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tlsim import terms
from tlsim.engine.moments import Estimate, Moments
from tlsim.intervals import level_after
from tlsim.results.parts import Provenance, Row, frame, html

COLUMNS = (
    "seat", "policy", "mean", "std_error", "ci_low", "ci_high", "plain_mean", "plain_std_error", "variance_ratio",
)  # fmt: skip


@dataclass(frozen=True)
class MeanMoney:
    """Mean money per game of every seat; where seats are rotated, of the player who begins in that seat.

    Parameters
    ----------
    provenance
        What the numbers rest on.
    policies
        Policy of each seat.
    rotated
        Whether every deal was played by each player in each seat.
    match_length
        Games of a match.
    moments
        Sums over matches.
    money
        Column of each seat's money.
    controls
        Columns of the controls of each seat, and their exact means.
    complete
        False where the run was interrupted.
    seconds
        Time that the games took.
    stopped
        Why it stopped; see `tlsim.engine.run.REASONS`.
    """

    provenance: Provenance
    policies: tuple[str, ...]
    rotated: bool
    match_length: int
    moments: Moments = field(repr=False)
    money: tuple[int, ...]
    controls: tuple[tuple[Sequence[int], Sequence[Fraction]], ...] = field(repr=False)
    complete: bool = True
    seconds: float = field(default=0.0, compare=False)
    stopped: str = field(default="", compare=False)

    views = ("precise",)

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.moments.matches * self._each

    @property
    def _each(self) -> int:
        return self.match_length * (len(self.policies) if self.rotated else 1)

    def estimate(self, seat: int, *, adjusted: bool = True) -> Estimate:
        """Return the mean money per game of a seat, adjusted by the controls or plain."""
        weights = {self.money[seat]: 0.5}
        found = self.moments.adjusted(weights, *self.controls[seat]) if adjusted else self.moments.mean(weights)
        return found.times(1 / self._each)

    def quantities(self) -> dict[str, tuple[float | None, float | None]]:
        """Return all quantities by name, with their errors: the mean money of each seat."""
        found = [self.estimate(seat) for seat in range(len(self.policies))]
        return {f"seat_{seat}": (each.mean, each.std_error) for seat, each in enumerate(found)}

    def headline(self, lang: str | None = None) -> tuple[str, float | None, float | None]:
        """Return what is shown while it runs."""
        found = self.estimate(0)
        return f"{terms.term('seat_word', lang)} 0", found.mean, found.std_error

    def rows(self, view: str = "precise") -> list[Row]:  # noqa: ARG002 (there is one)
        """Return one row per seat; see `to_frame`."""
        return [self._row(seat) for seat in range(len(self.policies))] if self.games else []

    def _row(self, seat: int) -> Row:
        plain, found = self.estimate(seat, adjusted=False), self.estimate(seat)
        low, high = found.interval(level_after(self.stopped))
        ratio = (plain.std_error / found.std_error) ** 2 if plain.std_error and found.std_error else None
        return {
            "seat": seat, "policy": self.policies[seat], "mean": found.mean, "std_error": found.std_error,
            "ci_low": low, "ci_high": high, "plain_mean": plain.mean, "plain_std_error": plain.std_error,
            "variance_ratio": ratio,
        }  # fmt: skip

    def to_frame(self) -> Any:
        """Return the rows as a pandas frame: adjusted mean, its error and 95 % interval, and what is plain.

        ``plain_mean`` and ``plain_std_error`` are those of the same games without controls; ``variance_ratio`` is how
        many times as many games the plain mean would need.
        """
        return frame(self.rows(), COLUMNS)

    def _repr_html_(self) -> str:
        keys = ("seat", "policy", "mean", "variance_ratio")
        cells = [
            [str(row["seat"]), row["policy"], f"{row['mean']:+.4g} ± {row['std_error'] or 0:.2g}",
             "" if row["variance_ratio"] is None else f"{row['variance_ratio']:.3g}"]
            for row in self.rows()
        ]  # fmt: skip
        about = f"{self.games:,} {terms.term('games_played')} · {self.provenance.rules}"
        return html(about, [terms.term(key) for key in keys], cells)
