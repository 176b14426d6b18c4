"""`MeanMoney`: mean money of every seat or player, less the luck of the deal as far as it is known exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tlsim.columns import Row
from tlsim.engine.moments import Estimate, Moments
from tlsim.results.game_views import PRECISE
from tlsim.results.pictures import MONEY
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult, games_played
from tlsim.terms import term


@dataclass(frozen=True)
class MeanMoney(RunResult):
    """Mean money per game of every seat; where seats are rotated, of the player who begins in that seat."""

    policies: tuple[str, ...]  # policy of each seat
    rotated: bool  # whether every deal was played by each player in each seat
    match_length: int  # games of a match
    moments: Moments = field(repr=False)  # sums over matches
    money: tuple[int, ...]  # column of each seat's money
    controls: tuple[tuple[Sequence[int], Sequence[Fraction]], ...] = field(repr=False)  # of each seat: columns, means

    VIEWS = (PRECISE,)
    PICTURES = MONEY
    TOLD = ("policies", "match_length", "games", "stopped")

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

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (all are common)
        """Return all quantities by name, with their errors: the mean money of each seat, ``seat_0`` and so on."""
        return {f"seat_{seat}": self.estimate(seat).known for seat in range(len(self.policies))}

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the table."""
        few = all(row["variance_ratio"] in (1, None) for row in self.rows())
        said = ["note_rotated"] * self.rotated + ["note_few_matches" if few else "note_precise"]
        return [*(term(note, lang) for note in said), games_played(self.games, self.seconds, lang)]

    def _precise(self) -> list[Row]:
        rows = []
        for seat, policy in enumerate(self.policies if self.games else ()):
            plain, found = self.estimate(seat, adjusted=False), self.estimate(seat)
            low, high = found.interval(self.level)
            ratio = (plain.std_error / found.std_error) ** 2 if plain.std_error and found.std_error else None
            rows.append(PRECISE.row(seat=seat, policy=policy, mean=found.known, ci_low=low, ci_high=high,
                                    plain_mean=plain.known, variance_ratio=ratio))  # fmt: skip
        return rows
