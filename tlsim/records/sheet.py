"""The score sheet of games: who gets what, who stands where after each game, who pays whom in the fewest payments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tlsim.columns import Column, Row, Table, View, declared
from tlsim.records.referee import Settlement
from tlsim.records.text import NAMES, names_of

GAMES, SCORES, TRANSFERS, PAYMENTS, RUNNING = (
    declared(f"settle.{name}") for name in ("games", "scores", "transfers", "payments", "running")
)
_SEATS = ("seat", "from", "to", "places")
_MOST_EXACT = 12  # people for whom all groupings are looked through


class Evening:
    """Games by the names of the players, and how all stand after each; different units are never added."""

    def __init__(self) -> None:
        self.running: list[dict[str, Any]] = []
        self._scores: dict[str, dict[str, int]] = {}

    def add(self, where: str, game: Settlement) -> None:
        """Add a game that was settled."""
        scores = self._scores.setdefault(game.unit, {})
        for name, value in zip(names_of(game.record), game.net, strict=True):
            scores[name] = scores.get(name, 0) + round(2 * value)
        row = {"game": len(self.running), "line": int(where.rpartition(":")[2]), "unit": game.unit}
        self.running.append(row | {name: value / 2 for name, value in scores.items()})

    def payments(self) -> list[dict[str, Any]]:
        """Return who pays whom at the end; nothing of units whose scores do not sum to zero (place points)."""
        return [
            {"from": payer, "to": receiver, "amount": halves / 2, "unit": unit}
            for unit, scores in sorted(self._scores.items())
            if sum(scores.values()) == 0
            for payer, receiver, halves in fewest_payments(scores)
        ]

    @property
    def unpayable(self) -> list[str]:
        """Units whose scores do not sum to zero, so that nobody owes them to anybody."""
        return sorted(unit for unit, scores in self._scores.items() if sum(scores.values()))


@dataclass
class Sheet:
    """Sums by seat, and the rows of the games, of each table no more than ``most`` or else none; perhaps an evening."""

    evening: Evening | None
    most: int | None
    games: int = 0
    rows: list[Row] = field(default_factory=list)
    transfers: list[Row] = field(default_factory=list)
    scores: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)  # (unit, seat): games, net
    names: dict[int, dict[str, None]] = field(default_factory=dict)  # who sat where, in order

    def add(self, where: str, game: Settlement) -> None:
        """Add a game that was settled."""
        if self.evening is not None:
            self.evening.add(where, game)
        for seat, (value, name) in enumerate(zip(game.net, names_of(game.record), strict=True)):
            self.names.setdefault(seat, {})[name] = None
            games, net = self.scores.get((game.unit, seat), (0, 0))
            self.scores[game.unit, seat] = games + 1, net + value
        if self.most is None or len(self.rows) <= self.most:
            row = {"game": self.games, "line": int(where.rpartition(":")[2]), "places": " ".join(map(str, game.places))}
            self.rows.append(row | {f"net {seat}": value for seat, value in enumerate(game.net)})
        if self.most is None or len(self.transfers) <= self.most:
            self.transfers += [{"game": self.games} | transfer for transfer in game.record["transfers"]]
        self.games += 1

    def _by_name(self, view: View, rows: Sequence[Row], _lang: str) -> tuple[Sequence[Row], tuple[Column, ...]]:
        """Return what people read of a table: names instead of seats, where the games have them."""
        named = {str(seat): " / ".join(names) for seat, names in self.names.items()}
        if tuple(named.values()) == NAMES[: len(named)]:
            return rows, view.columns
        shown = [
            row | {key: " ".join(named[seat] for seat in str(row[key]).split()) for key in _SEATS if key in row}
            for row in rows
        ]
        words = {f"net {seat}": name for seat, name in named.items()} | {"seat": "player"}
        columns = (replace(column, word=words.get(column.key, column.word)) for column in view.columns)
        return shown, tuple(replace(c, kind="text") if c.key in _SEATS else c for c in columns)

    def tables(self) -> list[Table]:
        """Return what was settled; units of different rules are never added."""
        scores = [
            {"seat": seat, "games": games, "net": net, "unit": unit}
            for (unit, seat), (games, net) in sorted(self.scores.items())
        ]
        rows = {GAMES: self.rows, SCORES: scores, TRANSFERS: self.transfers}
        tables = [Table(replace(view, prepare=partial(self._by_name, view)), own) for view, own in rows.items()]
        if self.evening is not None:
            running = self.evening.running
            names = dict.fromkeys(key for row in running for key in row if key not in {"game", "line", "unit"})
            columns = (*RUNNING.columns, *(Column(name, "money", signed=True) for name in names))
            tables += [Table(replace(RUNNING, columns=columns), running), Table(PAYMENTS, self.evening.payments())]
        if self.most is None:
            return tables
        return [table for table in tables if table.view in (SCORES, PAYMENTS) or len(table.rows) <= self.most]


def fewest_payments(scores: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return payments (payer, receiver, amount) that settle scores whose sum is zero, as few as there can be."""
    # A group that owes nothing to others needs one payment less than it has people, so there are to be many groups.
    people = [name for name, score in scores.items() if score]
    groups = _groups([scores[name] for name in people]) if len(people) <= _MOST_EXACT else [range(len(people))]
    parts = [{people[member]: scores[people[member]] for member in group} for group in groups]
    return [payment for part in parts for payment in _within(part)]


def _groups(scores: Sequence[int]) -> list[list[int]]:
    """Part people into as many groups as possible whose scores sum to zero."""
    sums, best, last = [0], [0], [0]  # by set of people, as bits: sum, groups that it holds, who came last to it
    for some in range(1, 1 << len(scores)):
        low = (some & -some).bit_length() - 1
        sums.append(sums[some & some - 1] + scores[low])
        came = max((one for one in range(len(scores)) if some >> one & 1), key=lambda one: best[some ^ 1 << one])
        best.append(best[some ^ 1 << came] + (sums[some] == 0))
        last.append(came)
    groups: list[list[int]] = []
    some = len(sums) - 1
    while some:
        if sums[some] == 0:
            groups.append([])
        groups[-1].append(last[some])
        some ^= 1 << last[some]
    return [sorted(group) for group in sorted(groups)]


def _within(scores: dict[str, int]) -> list[tuple[str, str, int]]:
    """Return payments within a group: the largest debt to who gets most, until all are settled."""
    payments = []
    while any(scores.values()):
        payer, receiver = min(scores, key=scores.__getitem__), max(scores, key=scores.__getitem__)
        amount = min(-scores[payer], scores[receiver])
        scores[payer] += amount
        scores[receiver] -= amount
        payments.append((payer, receiver, amount))
    return payments
