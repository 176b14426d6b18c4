"""Fairer prices: of a wanted shape, at the same mean cost, and again under the order that follows from them."""

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tlsim.columns import Row
from tlsim.fairness.notion import BY_PRICE, Floats, Notion, level, shape
from tlsim.fairness.price_list import DEALS, Prices, Which
from tlsim.fairness.views import COMPARED, TABLE, TABLE_SUMMARY
from tlsim.rules import Rules
from tlsim.show.numbers import amount, local, percent
from tlsim.terms import term

MOST_ROUNDS = 20
MOST_TUNED = 12  # patterns, the commonest, that are rounded up or down to meet the mean cost; the others matter little
MOST_MOVES = 1000  # steps by which what is missing is made up
NEAR = 1e-3  # of the mean cost: what is less is no reason to choose a price by, fairness decides
TARGETS = 13  # mean costs that are tried, where it may move
CLOSE = 0.01  # of the mean cost: what new prices that are to cost as much are off by at most, where steps allow it
PART = 0.1  # of what is missing: a step that makes up less is not worth its unfairness
REORDERED = "reordered"

Ask: TypeAlias = Callable[[Rules, Which], Prices]
Order: TypeAlias = tuple[tuple[str, Fraction], ...]
"""Ids and prices, strongest first."""


class Aim(NamedTuple):
    """What new prices are to be."""

    method: str
    cap: float
    step: float
    cost: tuple[float, float] = (0.0, 0.0)  # by which share of it the mean cost may fall, and rise


@dataclass(frozen=True)
class Repriced:
    """One list before and after; probabilities after are those under the new order."""

    before: Prices
    after: Prices
    settled: bool  # False where each order makes another one fairer, in a circle
    method: str = REORDERED
    better: bool = True  # False where new prices are not fairer than those in force, and are not proposed

    @property
    def changed(self) -> bool:
        """Whether prices or order differ."""
        return _order(self.before) != _order(self.after)

    @property
    def notes(self) -> tuple[str, ...]:
        """Ids of the terms that say what is special about it."""
        if not self.settled:
            return ("note_circle",) if self.changed else ("note_no_better",)
        if self.changed or not self.better:
            return () if self.better else ("note_not_better",)
        if self.method != REORDERED:
            return ("note_rounded_same",)
        return ("note_one_price",) if len(set(self.before.prices)) == 1 else ("note_unchanged",)

    def rows(self) -> list[Row]:
        """Return one row per pattern, in the new order."""
        before = zip(self.before.listed, self.before.strength, strict=True)
        old = {entry.id: {"price_before": entry.pays, "strength_before": rank} for entry, rank in before}
        whole = (row | old[row["pattern"]] for row in self.after.rows())
        return [{key: row[key] for key in TABLE.keys} for row in whole]

    def said(self, lang: str, kept: Notion) -> str:
        """Return what it costs, misplaces and swings before and after; ``kept`` : what its file is judged by."""
        row, words = self.summary(), dict[str, str]()
        for key, write in (("cost_per_1000", amount), ("misplaced", percent), ("wrong_pairs", str), ("spread", amount)):
            words |= {f"{key}{end}": local(write(row[f"{key}{end}"] or 0), lang) for end in ("_before", "")}
        capped = percent(float(replace(self.after, notion=kept).misplaced or 0))
        words |= {"cap": local(amount(kept.cap or 0), lang), "capped": local(capped, lang)}
        said = "said_table" if self.method in BY_PRICE else "said_order"
        return term(said, lang).format(change=local(f"{row['cost_change'] or 0:+.2%}", lang), **words)

    def summary(self) -> Row:
        """Return mean cost and unfairness, before and after."""
        before, after = (prices.summary() for prices in (self.before, self.after))
        old, new = (float(prices.cost * DEALS) for prices in (self.before, self.after))
        compared = {f"{key}{end}": of[key] for key in COMPARED for end, of in (("_before", before), ("", after))}
        return TABLE_SUMMARY.row(
            list=self.before.which, method=self.method, changed=self.changed, settled=self.settled,
            cost_per_1000_before=old, cost_per_1000=new, cost_change=new / old - 1 if old else None, **compared,
        )  # fmt: skip


def reprice(before: Prices, rules: Rules, ask: Ask, aim: Aim) -> tuple[Repriced, Rules]:
    """Return a list with fairer prices, and again, until no table is fairer: so proposing again changes nothing."""
    done, repriced = _fairer(before, rules, ask, aim)
    found = done
    while found.changed:
        found, repriced = _fairer(done.after, repriced, ask, aim._replace(cost=(0.0, 0.0)))
        done = replace(done, after=found.after)
    return done, repriced


def _fairer(before: Prices, rules: Rules, ask: Ask, aim: Aim) -> tuple[Repriced, Rules]:
    """Give out prices by rarity, look who then wins a contested table, and again, until nothing changes."""
    start = _order(before)
    if aim.method == REORDERED and len({price for _, price in start}) == 1:
        return Repriced(before, before, True, aim.method), rules
    seen: dict[Order, tuple[Prices, Rules]] = {start: (before, rules)}
    now, settled = start, False
    for _ in range(MOST_ROUNDS):
        wanted = _wanted(before, seen[now][0], aim)
        settled = wanted == now
        if wanted in seen:
            break
        changed = with_prices(rules, before.which, wanted, before.players)
        seen[wanted], now = (replace(ask(changed, before.which), notion=before.notion), changed), wanted
    if not settled:  # in a circle
        circle = list(seen)[list(seen).index(wanted) if wanted in seen else 1 :]
        now = min(circle, key=lambda order: _unfairness(seen[order][0], aim))
    better = now == start or _is_fairer(seen[now][0], before, aim)
    after, repriced = seen[now if better else start]
    return Repriced(before, after, settled, aim.method, better), repriced


def _order(prices: Prices) -> Order:
    return tuple((entry.id, Fraction(entry.pays)) for entry in prices.listed)


def _unfairness(prices: Prices, aim: Aim) -> tuple[tuple[int, int], tuple[Fraction, ...]]:
    """Return what is wrong with a list: patterns that cannot win, wrong pairs; misplaced money, also within ends."""
    ends = [(None, None), (aim.cap, aim.step)] if aim.method in BY_PRICE else [(None, None)]
    notions = (replace(prices.notion, cap=cap, step=step) for cap, step in ends)
    money = (replace(prices, notion=notion).misplaced for notion in notions)
    return (len(prices.covered), len(prices.wrong_pairs)), tuple(Fraction(1) if m is None else m for m in money)


def _is_fairer(one: Prices, other: Prices, aim: Aim) -> bool:
    """Whether a list is better in something and worse in nothing; money counts last where only the order is judged."""
    (counts, money), (old_counts, old_money) = _unfairness(one, aim), _unfairness(other, aim)
    less = [old - new for old, new in zip(old_money, money, strict=True)]
    if counts == old_counts:
        return max(less) > (NEAR if aim.method in BY_PRICE else 0) and min(less) >= 0
    no_worse = all(count <= old for count, old in zip(counts, old_counts, strict=True))
    return no_worse and (min(less) >= 0 or aim.method not in BY_PRICE)


def _wanted(before: Prices, now: Prices, aim: Aim) -> Order:
    """Return the prices that a method gives for the probabilities of now, the dearest first, equal ones by rarity.

    A pattern that is covered now is as rare as hands that hold it: it costs nothing, and lies between its neighbours.
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
    added = {entry.id: heo if aim.method in BY_PRICE else 0 for entry, heo in zip(now.listed, now.added, strict=True)}
    if aim.method == REORDERED:
        prices |= dict(zip(changed, sorted((prices[i] for i in changed), reverse=True), strict=True))
    elif changed:
        p, heo = (np.array([float(values[i]) for i in changed]) for values in (chances, added))
        real = np.array([i in wins for i in changed])
        found, ideal = _new_prices(p, heo, real, float(before.paid), aim)
        new = {i: Fraction(price) for i, price in zip(changed, found.tolist(), strict=True)}
        dearest = Fraction(aim.cap)
        for at, i in enumerate(changed):  # from the rarest on
            free = max(Fraction(round(ideal[at] / aim.step)) * Fraction(aim.step), Fraction(aim.step))
            cheaper = max((new[other] for other in changed[at:] if other in wins), default=Fraction(0))
            dearest = prices[i] = new[i] if i in wins else min(max(free, cheaper), dearest)
    order = sorted(ids, key=lambda i: (-prices[i] - added[i], chances[i], i not in wins, ids.index(i)))
    return tuple((i, prices[i]) for i in order)


def _new_prices(p: Floats, heo: Floats, real: Any, paid: float, aim: Aim) -> tuple[Floats, Floats]:
    """Return prices in whole steps, and before rounding, from the rarest on: those that misplace the least."""
    wanted = np.array([shape(x, aim.method) for x in p])
    least = np.maximum.accumulate((heo + aim.step)[::-1])[::-1]  # no rarer pattern costs less than a commoner one
    wins = np.where(real, p, 0.0)
    share = wins[real] * wanted[real] / (wins[real] @ wanted[real])
    found: list[tuple[float, float, Floats, Floats]] = []
    for target in np.unique(np.linspace(paid * (1 - aim.cost[0]), paid * (1 + aim.cost[1]), TARGETS)).tolist():
        ideal = level(wanted, wins, target, least, aim.cap + heo) - heo
        prices = np.zeros(len(p))
        prices[real] = rounded(ideal[real], p[real], target - float(wins @ heo), aim.step, aim.cap, heo[real])
        costs = wins * (prices + heo)
        change = costs.sum() / paid - 1 if paid else 0.0
        within = -aim.cost[0] <= change <= aim.cost[1] or aim.cost == (0, 0)
        misplaced = float(np.abs(costs[real] / costs.sum() - share).sum()) if within else math.inf
        found.append((misplaced, abs(change), prices, ideal))
    best = min(found, key=lambda each: each[:2])
    if aim.cost == (0, 0) and best[1] > CLOSE:  # steps allow a cost that is nearer
        return _new_prices(p, heo, real, paid, aim._replace(cost=(CLOSE, CLOSE)))
    return best[2], best[3]


def with_prices(rules: Rules, which: Which, order: Order, players: int) -> Rules:
    """Return rules with a list in another order and at other prices, where prices go by players for this number alone.

    An opening list that was an addition becomes a list of its own: all of its prices may change.
    """
    lists: dict[str, Any] = tomllib.loads(rules.to_toml())["toi_trang"]
    which = "regular" if lists["opening_list_mode"] == "one_list" else which
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


# --- plain numbers in, plain numbers out; a pattern is its probability ---


def rounded(ideal: Floats, probabilities: Any, paid: float, step: float, high: float, added: Any = 0) -> Floats:
    """Round prices to whole steps so that the mean payment is as wanted, and no rarer pattern is cheaper.

    The `MOST_TUNED` commonest go up or down: of all ways within a thousandth of the nearest mean payment the one that
    is nearest to the ideal prices, by ratio. What is missing is then made up by single steps. ``added`` : by đếm heo.
    """
    p, paid = np.asarray(probabilities, dtype=float), max(0.0, paid)  # đếm heo alone may be more than is to be paid
    nearest = np.maximum(np.rint(ideal / step), 1)
    free = [at for at in np.argsort(-p, kind="stable")[:MOST_TUNED] if ideal[at] % step]
    up = (np.arange(1 << len(free))[:, None] >> np.arange(len(free))) & 1
    steps = np.tile(nearest, (len(up), 1))
    steps[:, free] = np.maximum(np.floor(ideal[free] / step) + up, 1)
    wrong = _wrong(steps * step + added, p)
    steps = steps[wrong == wrong.min()]
    apart = np.abs(steps @ p * step - paid)
    steps = steps[apart <= float(apart.min()) + NEAR * paid]
    off = (np.log((steps * step + added) / (ideal + added)) ** 2).sum(axis=1)
    return _trimmed(steps[int(off.argmin())] * step, ideal, p, paid, step, high, added)


def _wrong(prices: Floats, p: Floats) -> Any:
    """Return of each list how often a pattern is cheaper than the next commoner one."""
    return (np.diff(prices[:, np.argsort(-p, kind="stable")], axis=1) < 0).sum(axis=1)


def _trimmed(prices: Floats, ideal: Floats, p: Floats, paid: float, step: float, high: float, added: Any) -> Floats:
    """Move prices by single steps, the one first that brings the payment nearer at the least cost of ratio."""
    for _ in range(MOST_MOVES):
        if abs(missing := paid - float(prices @ p)) <= NEAR * paid:
            break
        moves = prices + np.sign(missing) * step * np.eye(len(p))
        nearer = abs(missing) - np.abs(moves @ p - paid) >= max(PART * abs(missing), NEAR * paid)
        allowed = (moves >= step).all(axis=1) & (moves <= high).all(axis=1)
        in_order = _wrong(moves + added, p) <= _wrong(prices[None] + added, p)
        if not (good := nearer & allowed & in_order).any():
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            whole = ideal + added
            off = (np.log((moves + added) / whole) ** 2).sum(axis=1) - (np.log((prices + added) / whole) ** 2).sum()
            prices = moves[int(np.where(good, off / np.where(good, p, 1), np.inf).argmin())]
    return np.asarray(prices, dtype=float)
