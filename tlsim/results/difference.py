"""`Difference`: what `tlsim.compare` returns, two simulations over the same deals side by side."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tlsim.columns import Row, Table
from tlsim.errors import UsageError
from tlsim.kernels import matches as m
from tlsim.results.batches import paired
from tlsim.results.game_stats import GameStats
from tlsim.results.game_views import DIFFERENCES, REASON_GAPS
from tlsim.results.pictures import DIFFERENCES as PICTURES
from tlsim.results.result import Result
from tlsim.results.titles import call_difference_rows, transition_difference_rows, worth_difference_rows


@dataclass(frozen=True)
class Difference(Result):
    """The difference of two results over the same deals, the first less the second, paired by batch."""

    found: Mapping[str, tuple[Row, ...]]  # rows by view
    compared: Mapping[str, Any] = field(default_factory=dict)  # what was played, and what is different in the second

    VIEWS = DIFFERENCES
    PICTURES = PICTURES

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return self.provenance.as_dict() | dict(self.compared)

    def applies(self, view: str) -> bool:
        """Whether both results have a view."""
        return view in self.found

    def _rows_of(self, view: str) -> list[Row]:
        """Return the rows of a view that there is."""
        return list(self.found[view])

    def tables(self) -> list[Table]:
        """Return all views under names that tell them from those of one result; first for what money changes."""
        found = [self.table_of(view) for view in sorted(self.views, key="reasons".__ne__)]
        return [replace(t, view=replace(t.view, name=f"difference_{t.view.name}")) for t in found]


def difference(one: GameStats, two: GameStats) -> Difference:
    """Return the paired difference of two results over the same deals; see `tlsim.compare`."""
    _same_deals(one, two)
    tables = {"seats": tuple(_seat_rows(one, two)), "reasons": tuple(_reason_rows(one, two))}
    calls, titles = (one.tally.calls, two.tally.calls), (one.tally.titles, two.tally.titles)
    if one.stakes and two.stakes:
        differ = [seat for seat in range(one.players) if one.policies[seat] != two.policies[seat]]
        seats = differ or range(one.players)
        tables["sam_calls"] = tuple(call_difference_rows(calls, seats, (one.stakes, two.stakes)))
    if one.ladder and two.ladder and one.ladder.titles == two.ladder.titles:
        tables["titles"] = tuple(transition_difference_rows(titles, one.ladder))
        tables["title_worth"] = tuple(worth_difference_rows(titles, (one.ladder, two.ladder)))
    return Difference(one.provenance, tables, _compared(one, two))


def _compared(one: GameStats, two: GameStats) -> Row:
    """Return what was played in a result, and what is different in another."""
    mine, theirs = (",".join(stats.policies) for stats in (one, two))
    other = [theirs] if mine != theirs else []
    if one.provenance.digest != two.provenance.digest:
        other.append(f"{two.provenance.rules} {(two.provenance.digest or '')[:12]}")
    return {"policies": mine, "against": ", ".join(other), "games": one.games}


def _seat_rows(one: GameStats, two: GameStats) -> list[Row]:
    rows = []
    for seat, (mine, theirs) in enumerate(zip(one.rows("seats"), two.rows("seats"), strict=True)):
        halves = [(stats.seat_money()[:, seat], 2 * stats.batch_games()) for stats in (one, two)]
        found, error = paired(halves[0], halves[1])
        apart = None if error is None else math.hypot(mine["std_error"], theirs["std_error"])
        rows.append({"seat": seat, "difference": found, "std_error": error, "std_error_unpaired": apart})
    return rows


def _reason_rows(one: GameStats, two: GameStats) -> Iterator[Row]:
    """Yield for what money is paid more, or less."""
    for at, (mine, theirs) in enumerate(zip(one.rows("reasons"), two.rows("reasons"), strict=True)):
        if mine["payments"] or theirs["payments"]:
            halves = (each.tally.batches[:2, :, m.S_REASONS + 2 * at + 1].sum(axis=0) for each in (one, two))
            gap = paired(*zip(halves, (2 * one.batch_games(), 2 * two.batch_games()), strict=True))
            money = {"money_per_game": mine["money_per_game"], "other_money_per_game": theirs["money_per_game"]}
            yield REASON_GAPS.row(reason=mine["reason"], difference=gap, **money)


def _same_deals(one: GameStats, two: GameStats) -> None:
    """Refuse results that are not over the same deals, saying why."""
    for name in ("seed", "matches", "match_length", "players", "unit", "given"):
        mine, theirs = (getattr(each, name, getattr(each.provenance, name, None)) for each in (one, two))
        if mine != theirs:
            raise UsageError("these results do not belong together: {name} = {mine!r} and {theirs!r}; play both alike",
                             name=name, mine=mine, theirs=theirs)  # fmt: skip
    if not one.complete or not two.complete:
        raise UsageError("one of these results was interrupted, so they are not over the same games")
