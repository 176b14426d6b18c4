"""The score sheet of games: who gets what, who stands where after each game, who pays whom in the fewest payments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from tlsim.columns import Column, Row, Table, View, declared
from tlsim.records.referee import Settlement
from tlsim.records.text import NAMES, names_of
from tlsim.records.words import plain

GAMES, SCORES, TRANSFERS, PAYMENTS, RUNNING = (
    declared(f"settle.{name}") for name in ("games", "scores", "transfers", "payments", "running")
)
_SEATS = ("from", "to", "places")
_MOST_EXACT = 12  # people for whom all groupings are looked through
Kind: TypeAlias = tuple[str, str]  # unit, and family of the rules: a cược is a whole game here, and one card there
Named: TypeAlias = tuple[Row, Sequence[str]]  # a row of a game, and who sat where in it


@dataclass
class Evening:
    """Games that were settled, and how all stand by person; units that mean different things are never added."""

    whole: bool = True  # whether it tells how all stood after each game, and who pays whom
    most: int | None = None  # rows of a table, or else none
    games: int = 0
    seats: dict[str, int | None] = field(default_factory=dict)  # by person; None for who changed seats
    _rows: list[Named] = field(default_factory=list)
    _transfers: list[Named] = field(default_factory=list)
    _running: list[tuple[Kind, Row]] = field(default_factory=list)
    _scores: dict[Kind, dict[str, tuple[int, int]]] = field(default_factory=dict)  # games, half units

    def add(self, where: str, game: Settlement) -> None:
        """Add a game that was settled."""
        people, kind = self._people(names_of(game.record)), (game.unit, game.rules.family)
        scores = self._scores.setdefault(kind, {})
        for seat, (name, value) in enumerate(zip(people, game.net, strict=True)):
            games, halves = scores.get(name, (0, 0))
            scores[name] = games + 1, halves + round(2 * value)
            self.seats[name] = seat if self.seats.get(name, seat) == seat else None
        row: Row = {"game": self.games, "line": int(where.rpartition(":")[2])}
        if self.whole:
            self._running.append((kind, row | {"unit": ""} | {name: own / 2 for name, (_, own) in scores.items()}))
        if self.most is None or len(self._rows) <= self.most:
            row |= {"places": " ".join(map(str, game.places))}
            self._rows.append((row | {f"net {seat}": value for seat, value in enumerate(game.net)}, people))
        if self.most is None or len(self._transfers) <= self.most:
            self._transfers += [({"game": self.games} | transfer, people) for transfer in game.record["transfers"]]
        self.games += 1

    def _people(self, names: Sequence[str]) -> list[str]:
        """Return people by the names that they had first: in any case, with marks or without where that is clear."""
        found = []
        for name in names:
            word, bare = name.casefold(), plain(name)
            same = [each for each in self.seats if each.casefold() == word]
            alike = [each for each in self.seats if plain(each) == bare and bare in (word, each.casefold())]
            clear = len(alike) == 1 and sum(plain(each) == bare for each in names) == 1
            found.append(same[0] if same else alike[0] if clear else name)
        return found

    @property
    def units(self) -> dict[Kind, str]:
        """Units by what they mean; where one word means two things, with the family of the rules."""
        words = [unit for unit, _ in self._scores]
        return {
            kind: kind[0] if words.count(kind[0]) == 1 else "{} ({})".format(*kind) for kind in sorted(self._scores)
        }

    @property
    def running(self) -> list[Row]:
        """How all stand after each game."""
        return [row | {"unit": self.units[kind]} for kind, row in self._running]

    def payments(self) -> list[Row]:
        """Return who pays whom at the end; nothing of units whose scores do not sum to zero (place points)."""
        return [
            {"from": payer, "to": receiver, "amount": halves / 2, "unit": unit}
            for kind, unit in self.units.items()
            if unit not in self.unpayable
            for payer, receiver, halves in fewest_payments({name: own for name, (_, own) in self._scores[kind].items()})
        ]

    @property
    def unpayable(self) -> list[str]:
        """Units whose scores do not sum to zero, so that nobody owes them to anybody."""
        sums = {kind: sum(halves for _, halves in scores.values()) for kind, scores in self._scores.items()}
        return [unit for kind, unit in self.units.items() if sums[kind]]

    def _by_name(self, view: View, own: Sequence[Named], rows: Sequence[Row], _lang: str) -> tuple[Any, Any]:
        """Return what people read of a table: names instead of seats, where the games have them."""
        if {*self.seats} <= {*NAMES}:
            return rows, view.without("player").columns
        shown, nets = [], dict[str, Column]()
        for row, who in own:
            named = {key: " ".join(who[int(seat)] for seat in str(row[key]).split()) for key in _SEATS if key in row}
            money = {f"net {name}": row[f"net {seat}"] for seat, name in enumerate(who) if f"net {seat}" in row}
            nets |= {key: replace(view["net 0"], key=key, word=key.removeprefix("net ")) for key in money}
            shown.append({key: value for key, value in row.items() if key[:4] != "net "} | named | money)
        columns = [column for column in view.columns if column.key != "seat" and column.key[:4] != "net "]
        return shown, (*(replace(c, kind="text") if c.key in _SEATS else c for c in columns), *nets.values())

    def tables(self) -> list[Table]:
        """Return what was settled."""
        scores: list[Named] = [
            ({"seat": self.seats[name], "player": name, "games": games, "net": halves / 2, "unit": unit}, ())
            for kind, unit in self.units.items()
            for name, (games, halves) in self._scores[kind].items()
        ]
        tables = [
            Table(replace(view, prepare=partial(self._by_name, view, own)), [row for row, _ in own])
            for view, own in ((GAMES, self._rows), (SCORES, scores), (TRANSFERS, self._transfers))
        ]
        if self.whole:
            columns = (*RUNNING.columns, *(Column(name, "money", signed=True) for name in self.seats))
            tables += [Table(replace(RUNNING, columns=columns), self.running), Table(PAYMENTS, self.payments())]
        return [t for t in tables if self.most is None or t.view in (SCORES, PAYMENTS) or len(t.rows) <= self.most]


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
