"""`FairTable`: a list with other prices, and who then wins a contested table."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from tlsim.errors import UsageError, suggestion
from tlsim.fairness.fit import level, rounded
from tlsim.fairness.prices import DEALS, Prices, Which
from tlsim.results.exact import ExactOdds
from tlsim.results.parts import Row, frame
from tlsim.rules import Rules

METHODS = ("reordered", "proportional", "logarithmic")
UNITS = {"half": Fraction(1, 2), "whole": Fraction(1)}
CAP = 10  # times the dearest price of today, where no cap is given
MOST_PRICE = 1_000_000  # that a rule file may hold
MOST_ROUNDS = 20
TABLE_COLUMNS = (
    "list", "pattern", "price_before", "price", "strength_before", "strength_rank", "probability", "one_in",
    "cost_per_1000", "fair_price", "ratio",
)  # fmt: skip

Ask: TypeAlias = Callable[[Rules, Which], ExactOdds]
Order: TypeAlias = tuple[tuple[str, Fraction], ...]
"""Ids and prices, strongest first."""


@dataclass(frozen=True)
class FairTable:
    """The lists of a rule set with fairer prices.

    Parameters
    ----------
    method
        One of `METHODS`.
    rules
        The rules with the new prices.
    lists
        Each list before and after.
    origin
        Preset or file that the rules came from.
    """

    method: str
    rules: Rules
    lists: tuple[Repriced, ...]
    origin: str | None = None

    @property
    def changed(self) -> bool:
        """Whether any list has other prices or another order."""
        return any(each.changed for each in self.lists)

    def rows(self) -> list[Row]:
        """Return one row per pattern and list, in the new order."""
        return [row for each in self.lists for row in each.rows()]

    def to_frame(self) -> Any:
        """Return the rows as a pandas frame."""
        return frame(self.rows(), TABLE_COLUMNS)

    def write(self, file: str | Path, extends: str | None = None) -> Rules:
        """Write a rule file that extends the original, and return its rules as they load.

        Parameters
        ----------
        file
            File to write, ending in ``.toml``.
        extends
            Preset or file to extend; default `origin`. Where a short file would not say the same, it holds all rules.

        Raises
        ------
        UsageError
            If nothing changes, or the file cannot be written.
        """
        from tlsim.fairness.file import write_table

        return write_table(self, Path(file), extends or self.origin)

    def summary(self) -> list[Row]:
        """Return one row per list: what it costs and how fair it is, before and after."""
        return [{"list": each.before.which, "method": self.method} | each.summary() for each in self.lists]


@dataclass(frozen=True)
class Repriced:
    """One list before and after.

    Parameters
    ----------
    before, after
        Prices and probabilities. Those after are taken under the new order.
    settled
        Whether prices and probabilities agree; False where each order makes another one fairer, in a circle, and the
        fairest of them was taken, or the list was left as it is, where none of them is fairer.
    method
        One of `METHODS`.
    """

    before: Prices
    after: Prices
    settled: bool
    method: str = METHODS[0]

    @property
    def changed(self) -> bool:
        """Whether prices or order differ."""
        return _order(self.before) != _order(self.after)

    @property
    def notes(self) -> tuple[str, ...]:
        """Ids of the terms that say what is special about it."""
        if not self.settled:
            return ("note_circle",) if self.changed else ("note_no_better",)
        if self.changed:
            return ()
        if self.method != METHODS[0]:
            return ("note_rounded_same",)
        return ("note_one_price",) if len(set(self.before.prices)) == 1 else ("note_unchanged",)

    def rows(self) -> list[Row]:
        """Return one row per pattern, in the new order."""
        before = zip(self.before.listed, self.before.strength, strict=True)
        old = {entry.id: (rank, entry.pays) for entry, rank in before}
        rows = []
        for row in self.after.rows():
            rank, price = old[row["pattern"]]
            whole = row | {"price_before": price, "strength_before": rank}
            rows.append({key: whole[key] for key in TABLE_COLUMNS})
        return rows

    def summary(self) -> Row:
        """Return mean cost and unfairness, before and after."""
        before, after = self.before, self.after
        costs = [float(prices.cost * DEALS) for prices in (before, after)]
        row: Row = {
            "changed": self.changed, "settled": self.settled, "cost_per_1000_before": costs[0],
            "cost_per_1000": costs[1], "cost_change": costs[1] / costs[0] - 1 if costs[0] else None,
        }  # fmt: skip
        for key in ("misplaced", "worst_ratio", "wrong_pairs", "tau_strength", "tau_price"):
            row |= {f"{key}_before": before.summary()[key], key: after.summary()[key]}
        return row


def make_table(
    lists: tuple[Prices, ...], rules: Rules, ask: Ask, method: str, cap: float | None, units: str, origin: str | None
) -> FairTable:
    """Return a fair table of all lists; ``ask`` gives the exact odds of a list under other rules."""
    check_method(method, cap, units)
    done = []
    for prices in lists:
        if not prices.known:
            raise UsageError(
                f"the {prices.which} list of {rules.name} is too long for exact odds at {prices.players} seats, and "
                f"their bounds are too wide to make prices of; ask for fewer players, or take patterns out"
            )
        step = float(UNITS[units])
        top = min(float(max(prices.prices)) * CAP or CAP, MOST_PRICE) if cap is None else cap
        repriced, rules = _reprice(prices, rules, ask, method, max(top, step), step)
        done.append(repriced)
    return FairTable(method, rules, tuple(done), origin)


def check_method(method: str, cap: float | None, units: str) -> None:
    """Refuse a method, cap or unit that cannot be."""
    for name, value, allowed in (("method", method, METHODS), ("units", units, tuple(UNITS))):
        if value not in allowed:
            near = suggestion(value, allowed) if isinstance(value, str) else ""
            raise UsageError(f"{name} = {value!r}: must be one of {', '.join(allowed)}{near}")
    step = UNITS[units]
    if cap is not None:
        _check_cap(cap, step, units)
    if method == "reordered" and (cap is not None or units != "half"):
        raise UsageError(
            "cap and units are about new prices; reordered hands out those that there are: leave them out, or choose "
            "proportional or logarithmic"
        )


def _check_cap(cap: float, step: Fraction, units: str) -> None:
    number = isinstance(cap, int | float) and not isinstance(cap, bool) and math.isfinite(cap)
    if not number or not step <= cap <= MOST_PRICE or Fraction(cap) % step:
        raise UsageError(f"cap = {cap!r}: must be a price from {float(step):g} to {MOST_PRICE:,}, in {units} units")


def _reprice(before: Prices, rules: Rules, ask: Ask, method: str, cap: float, step: float) -> tuple[Repriced, Rules]:
    """Give out prices by rarity, look who then wins a contested table, and again, until nothing changes."""
    start = _order(before)
    if method == "reordered" and len({price for _, price in start}) == 1:
        return Repriced(before, before, True, method), rules
    seen: dict[Order, tuple[Prices, Rules]] = {start: (before, rules)}
    now, settled = start, False
    for _ in range(MOST_ROUNDS):
        wanted = _wanted(before, seen[now][0], method, cap, step)
        settled = wanted == now
        if wanted in seen:
            break
        changed = with_prices(rules, before.which, wanted, before.players)
        seen[wanted], now = (Prices(before.which, ask(changed, before.which)), changed), wanted
    if not settled:  # in a circle
        circle = list(seen)[list(seen).index(wanted) if wanted in seen else 1 :]
        now = min(circle, key=lambda order: _unfairness(seen[order][0]))
        if not _is_fairer(seen[now][0], before):
            now = start
    after, repriced = seen[now]
    return Repriced(before, after, settled, method), repriced


def _order(prices: Prices) -> Order:
    return tuple((entry.id, price) for entry, price in zip(prices.listed, prices.prices, strict=True))


def _unfairness(prices: Prices) -> tuple[int, int, Fraction]:
    """Return what is wrong with a list, the worst first: patterns that cannot win, wrong pairs, misplaced money."""
    return len(prices.covered), len(prices.wrong_pairs), prices.misplaced or Fraction(0)


def _is_fairer(one: Prices, other: Prices) -> bool:
    """Whether a list is better in something and worse in nothing."""
    (covered, pairs, money), (old_covered, old_pairs, old_money) = _unfairness(one), _unfairness(other)
    no_worse = covered <= old_covered and pairs <= old_pairs and money <= old_money
    return no_worse and _unfairness(one) != _unfairness(other)


def _wanted(before: Prices, now: Prices, method: str, cap: float, step: float) -> Order:
    """Return the prices that a method gives for the probabilities of now, the dearest first, equal ones by rarity.

    A pattern that is covered now is as rare as hands that hold it: what lies within another one rises above it, what is
    the same as another one stays below. Its price costs nothing, and lies between those of its neighbours by rarity.
    """
    hand = now.odds.hand
    chances = {
        entry.id: p or min(Fraction(now.players * held, hand.hands), Fraction(1))
        for entry, p, held in zip(now.listed, now.probabilities, hand.holds, strict=True)
    }
    wins = {now.listed[at].id for at in now.winning}
    prices = dict(_order(before))
    ids = [entry.id for entry in before.listed]
    changed = sorted((i for i in ids if chances[i]), key=lambda i: (chances[i], i not in wins, ids.index(i)))
    if method == "reordered":
        prices |= dict(zip(changed, sorted((prices[i] for i in changed), reverse=True), strict=True))
    elif changed:
        p = [float(chances[i]) for i in changed]
        paid = [float(chances[i]) if i in wins else 0.0 for i in changed]
        ideal = level([_shape(x, method) for x in p], paid, float(before.paid), step, cap)
        real = [at for at, i in enumerate(changed) if i in wins]
        found = rounded(ideal[real], [p[at] for at in real], float(before.paid), step, cap)
        new = dict(zip([changed[at] for at in real], map(Fraction, found.tolist()), strict=True))
        dearest = Fraction(cap)
        for at, i in enumerate(changed):  # from the rarest on
            free = max(Fraction(round(ideal[at] / step)) * Fraction(step), Fraction(step))
            cheaper = max((new[other] for other in changed[at:] if other in wins), default=Fraction(0))
            dearest = prices[i] = new[i] if i in wins else min(max(free, cheaper), dearest)
    order = sorted(ids, key=lambda i: (-prices[i], chances[i], i not in wins, ids.index(i)))
    return tuple((i, prices[i]) for i in order)


def _shape(probability: float, method: str) -> float:
    """Return what a price is to be proportional to: 1/p, or log 1/p; what never wins is as dear as may be."""
    if not probability:
        return math.inf
    return 1 / probability if method == "proportional" else -math.log(probability)


def with_prices(rules: Rules, which: Which, order: Order, players: int) -> Rules:
    """Return rules with a list in another order and at other prices.

    A price that a file gives by number of players changes for this number alone. An opening list that was an addition
    to the regular one becomes a list of its own: all of its prices may change.

    Examples
    --------
    >>> from tlsim.rules import load_rules
    >>> points = load_rules("luckywin_points")
    >>> order = (("tu_quy_3", Fraction(5)), ("ba_doi_thong_3_bich", Fraction(2)))
    >>> changed = with_prices(points, "opening", order, players=4)
    >>> [(win.id, win.pays) for win in changed.instant_wins(opening=True, players=4)]
    [('tu_quy_3', 5.0), ('ba_doi_thong_3_bich', 2.0)]
    >>> [win.pays for win in changed.instant_wins(opening=True, players=3)]
    [2.0, 2.0]
    """
    lists: dict[str, Any] = tomllib.loads(rules.to_toml())["toi_trang"]
    additional = which == "opening" and lists["opening_list_mode"] == "additional"
    entries = [*lists.get(which, ()), *(lists.get("regular", ()) if additional else ())]
    named: dict[str, dict[str, Any]] = {entry["id"]: entry for entry in reversed(entries)}
    changes: dict[str, Any] = {
        f"toi_trang.{which}": [named[i] | {"pays": _amount(named[i], lists, price, players)} for i, price in order]
    }
    if additional:
        changes["toi_trang.opening_list_mode"] = "exclusive"
    return rules.replace(changes)


def _amount(entry: Mapping[str, Any], lists: Mapping[str, Any], price: Fraction, players: int) -> Any:
    """Return a price as the file has it: a number, or a table by number of players."""
    old = entry.get("pays", lists["instant_pay"])
    return old | {str(players): float(price)} if isinstance(old, dict) else float(price)
