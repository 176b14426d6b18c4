"""`Prices`: what the patterns of a list cost, held against how rare they are."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tlsim.columns import Row
from tlsim.fairness.notion import BY_PRICE, Notion
from tlsim.fairness.views import NOTIONS, PAIRS, PRICES, SUMMARY
from tlsim.options import METHODS
from tlsim.results.exact import ExactOdds
from tlsim.results.provenance import Listed, one_in

Which: TypeAlias = Literal["regular", "opening"]
DEALS = 1000  # costs are per so many deals
_TIGHT = 2  # bounds further apart than by this factor tell no price


class Heo(NamedTuple):
    """What đếm heo adds for each loser where a pattern wins."""

    mean: float = 0.0
    error: float = 0.0  # standard error of the mean
    noise: float = 0.0  # added to the mean square of a player's money, since it is not the same each time


@dataclass(frozen=True)
class Prices:
    """The prices of a list beside the exact probability that each pattern wins the table."""

    which: Which
    odds: ExactOdds  # the list with its exact odds
    notion: Notion = field(default_factory=Notion)  # what prices are held against, and which patterns are judged
    heo: Mapping[str, Heo] = field(default_factory=dict)  # by id of a pattern; none for most
    # which share of its wins a pattern keeps where not every holder declares, by id; 1 for the others
    kept: Mapping[str, float] = field(default_factory=dict)

    @property
    def listed(self) -> tuple[Listed, ...]:
        """The list, strongest first."""
        return self.odds.listed

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.odds.provenance.players or 1

    @cached_property
    def added(self) -> tuple[Fraction, ...]:
        """What đếm heo adds to the price of each pattern, on average."""
        return tuple(Fraction(self.heo.get(entry.id, Heo()).mean) for entry in self.listed)

    @cached_property
    def prices(self) -> tuple[Fraction, ...]:
        """What each loser pays where a pattern wins: its price, and đếm heo."""
        return tuple(Fraction(entry.pays) + heo for entry, heo in zip(self.listed, self.added, strict=True))

    @cached_property
    def bounds(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Lowest and highest probability that each pattern wins the table; equal where exact."""
        if not self.listed:
            return ()
        table, kept = self.odds.table, [Fraction(self.kept.get(entry.id, 1)) for entry in self.listed]
        each = zip(table.wins, kept, strict=True)
        return tuple((Fraction(low, table.deals) * k, Fraction(high, table.deals) * k) for (low, high), k in each)

    @property
    def exact(self) -> bool:
        """Whether all probabilities are exact."""
        return all(low == high for low, high in self.bounds)

    @property
    def known(self) -> bool:
        """Whether the probabilities are exact, or so tightly bounded that they tell prices."""
        return all(high <= _TIGHT * low for low, high in self.bounds)

    @cached_property
    def probabilities(self) -> tuple[Fraction, ...]:
        """Probability that each pattern wins the table; the middle where there are only bounds."""
        return tuple((low + high) / 2 for low, high in self.bounds)

    @cached_property
    def winning(self) -> tuple[int, ...]:
        """Places of the patterns that win at all."""
        return tuple(at for at, (_, high) in enumerate(self.bounds) if high)

    @cached_property
    def judged(self) -> tuple[int, ...]:
        """Places of the patterns that win often enough to be judged; the others have no rank, pair and ratio."""
        return tuple(at for at in self.winning if self.probabilities[at] >= self.notion.judge_from)

    @property
    def unjudged(self) -> tuple[Listed, ...]:
        """The patterns that win, too rarely to be judged."""
        return tuple(self.listed[at] for at in self.winning if at not in self.judged)

    @property
    def covered(self) -> tuple[int, ...]:
        """Places of the patterns that some hand holds, though never as its strongest."""
        hand = self.odds.hand
        return tuple(at for at in range(len(self.listed)) if hand.holds[at] and not hand.counts[at])

    @property
    def paid(self) -> Fraction:
        """What one loser pays per deal, on average."""
        return sum((c * p for c, p in zip(self.prices, self.probabilities, strict=True)), Fraction(0))

    @property
    def cost(self) -> Fraction:
        """What a player pays per deal, on average: a loser's payment, in the deals that he does not win himself."""
        return self.paid * self._losing

    @property
    def _losing(self) -> Fraction:
        """Probability that a given player is not the one who wins a tới trắng, given that somebody does."""
        return Fraction(self.players - 1, self.players)

    @cached_property
    def fair(self) -> tuple[Fraction | None, ...]:
        """Fair price of each pattern that is judged; by equal cost all cost the same, and together what they do now."""
        if not self.known or not self.judged:
            return (None,) * len(self.listed)
        p, added = ([values[at] for at in self.judged] for values in (self.probabilities, self.added))
        found = dict(zip(self.judged, self.notion.fair(p, added, self._judged_paid), strict=True))
        return tuple(found.get(at) for at in range(len(self.listed)))

    @property
    def _judged_paid(self) -> Fraction:
        return sum((self.prices[at] * self.probabilities[at] for at in self.judged), Fraction(0))

    @property
    def ratios(self) -> tuple[Fraction | None, ...]:
        """Price over fair price: above 1 too dear, below 1 too cheap; None where there is no fair price."""
        return tuple(c / fair if fair else None for c, fair in zip(self.prices, self.fair, strict=True))

    @property
    def misplaced(self) -> Fraction | None:
        """Share of all payments that would have to be paid for other patterns; 0 is fair."""
        if not self.known or not self._judged_paid:
            return None
        apart = (abs(self.prices[at] - (self.fair[at] or 0)) * self.probabilities[at] for at in self.judged)
        return sum(apart, Fraction(0)) / (2 * self._judged_paid)

    def least_misplaced(self, cap: float) -> Fraction | None:
        """Misplaced money that must remain where no price is above a cap: what is fair beyond it."""
        if self.misplaced is None:
            return None
        tops = [(at, Fraction(cap) + self.added[at]) for at in self.judged]
        beyond = (max(Fraction(self.fair[at] or 0) - top, Fraction(0)) * self.probabilities[at] for at, top in tops)
        return sum(beyond, Fraction(0)) / self._judged_paid

    def notions(self, cap: float) -> list[Row]:
        """Return what each convention would make of the list: in force, the order alone, equal cost, by logs."""
        won, p, rows = self.winning, self.probabilities, list[Row]()
        dearest_first = sorted((self.prices[at] for at in won), reverse=True)
        reordered = dict(zip(sorted(won, key=lambda at: p[at]), dearest_first, strict=True))
        lists: dict[str, Mapping[int, Fraction]] = {"in_force": dict(enumerate(self.prices)), "reordered": reordered}
        for method in ("in_force", *METHODS) if self.known and won else ():
            misplaced: Row = {}
            if method in BY_PRICE:
                judged = replace(self, notion=replace(self.notion, method=method, cap=None, step=None))
                misplaced = {"misplaced": judged.misplaced, "misplaced_least": judged.least_misplaced(cap)}
                every = replace(judged, notion=replace(judged.notion, judge_from=0.0))
                lists[method] = {at: Fraction(fair or 0) for at, fair in enumerate(every.fair)}
            prices = lists[method]
            dearest = max(won, key=lambda at, prices=prices: prices[at])  # type: ignore[misc]
            swing = self._spread_of([prices.get(at, Fraction(0)) for at in range(len(p))])
            rows.append(NOTIONS.row(list=self.which, method=method, dearest=self.listed[dearest].id,
                                    price=prices[dearest], spread=swing, **misplaced))  # fmt: skip
        return rows

    @property
    def spread(self) -> float:
        """Standard deviation of a player's tới trắng money per deal: of ``Σ p·(c² (n − 1) + noise)`` the root."""
        return self._spread_of(self.prices)

    @property
    def noise(self) -> tuple[Fraction, ...]:
        """What the noise of đếm heo adds to a player's mean square where each pattern wins."""
        return tuple(Fraction(self.heo.get(entry.id, Heo()).noise) for entry in self.listed)

    def _spread_of(self, prices: Sequence[Fraction]) -> float:
        each = zip(prices, self.noise, self.probabilities, strict=True)
        return math.sqrt(sum(((c * c * (self.players - 1) + noise) * p for c, noise, p in each), Fraction(0)))

    def with_error(self, figure: "Callable[[Prices], Fraction | None]") -> tuple[Fraction | None, float | None]:
        """Return a figure and its error: each đếm heo moved by its own error, one after another."""
        value = figure(self)
        if not self.heo:
            return value, None
        moved = (replace(self, heo={**self.heo, i: Heo(h.mean + h.error, 0.0, h.noise)}) for i, h in self.heo.items())
        return value, math.sqrt(sum(float((figure(each) or 0) - (value or 0)) ** 2 for each in moved))

    @property
    def worst(self) -> Fraction | None:
        """The ratio that lies furthest from 1, as a factor."""
        ratios = [ratio for ratio in self.ratios if ratio is not None]
        return max(ratios, key=lambda ratio: max(ratio, 1 / ratio) if ratio else float("inf")) if ratios else None

    @cached_property
    def rarity(self) -> tuple[int | None, ...]:
        """Rank by rarity, the rarest first; equally rare ones share the better rank. None for what is not judged."""
        p, judged = self.probabilities, self.judged
        return tuple(1 + sum(p[i] < p[at] for i in judged) if at in judged else None for at in range(len(p)))

    @cached_property
    def strength(self) -> tuple[int | None, ...]:
        """Rank by strength among the patterns that are judged; None for the others."""
        return tuple(self.judged.index(at) + 1 if at in self.judged else None for at in range(len(self.listed)))

    @cached_property
    def wrong_pairs(self) -> tuple[Row, ...]:
        """Pairs of which the one that surely comes up more often stands above the rarer one, or is dearer.

        Where the order alone is judged, what đếm heo adds makes no pair wrong: no order of the prices could mend it.
        """
        p, found, method = self.probabilities, [], self.notion.method
        asked = tuple(Fraction(entry.pays) for entry in self.listed) if method == "reordered" else self.prices
        for strong, weak in combinations(self.judged, 2):
            for common, rare in ((strong, weak), (weak, strong)):
                stronger, price, other = common < rare, self.prices[common], self.prices[rare]
                dearer = price > other and asked[common] > asked[rare] and method != "none"
                if (stronger or dearer) and self.bounds[common][0] > self.bounds[rare][1]:
                    by = "both" if stronger and dearer else "strength" if stronger else "price"
                    found.append(PAIRS.row(
                        list=self.which, pattern=self.listed[common].id, rarer=self.listed[rare].id,
                        factor=p[common] / p[rare], by=by, price=price, rarer_price=other,
                    ))  # fmt: skip
        return tuple(sorted(found, key=lambda row: -row["factor"]))

    def rows(self) -> list[Row]:
        """Return one row per pattern, the strongest first."""
        return [self._row(at) for at in range(len(self.listed))]

    def _row(self, at: int) -> Row:
        entry, (low, high), p = self.listed[at], self.bounds[at], self.probabilities[at]
        heo, error, _ = self.heo.get(entry.id, (None, None, None))
        row: Row = {
            "list": self.which, "pattern": entry.id, "price": entry.pays, "dem_heo": entry.count_heo,
            "hand_one_in": one_in(Fraction(self.odds.hand.counts[at], self.odds.hand.hands)),
            "kind": "exact" if low == high else "bounds", "strength_rank": self.strength[at], "heo": (heo, error),
        }  # fmt: skip
        if low != high:
            row |= {"probability_low": low, "probability_high": high}
        if self.known:
            each = p * self._losing * DEALS
            row |= {
                "probability": p, "one_in": one_in(p), "rarity_rank": self.rarity[at],
                "cost_per_1000": (self.prices[at] * each, None if error is None else error * float(each)),
                "fair_price": self.with_error(lambda prices: prices.fair[at]),
                "ratio": self.with_error(lambda prices: prices.ratios[at]),
            }  # fmt: skip
        return PRICES.row(**row)

    @property
    def pairs(self) -> int:
        """Number of pairs of patterns that are judged."""
        return len(self.judged) * (len(self.judged) - 1) // 2

    def summary(self) -> Row:
        """Return the whole list in one row; by τ-b 1 is where the stronger (dearer) pattern is always the rarer one."""
        row: Row = {
            "list": self.which, "patterns": len(self.listed), "pairs": self.pairs, "wrong_pairs": len(self.wrong_pairs),
            "someone": Fraction(sum(self.odds.table.someone), 2 * self.odds.table.deals),
            "kind": "exact" if self.exact else "bounds",
        }  # fmt: skip
        if self.known:
            cost, p = self.with_error(lambda it: it.cost * DEALS), [self.probabilities[at] for at in self.judged]
            row |= {
                "cost_per_1000": cost, "misplaced": self.with_error(lambda it: it.misplaced), "worst_ratio": self.worst,
                "spread": self.spread, "tau_strength": tau(self.judged, p),
                "tau_price": tau([-self.prices[at] for at in self.judged], p),
            }  # fmt: skip
            if self.heo:
                heo = sum((c * p for c, p in zip(self.added, self.probabilities, strict=True)), Fraction(0))
                row["heo_per_1000"] = heo * self._losing * DEALS, cost[1]
        return SUMMARY.row(**row)


def tau(one: Sequence[object], two: Sequence[object]) -> float | None:
    """Return Kendall's τ-b of two rankings, None where one has no order (M. Kendall, Biometrika 33, 1945)."""
    x, y = (np.sign(np.subtract.outer(ranks, ranks)) for ranks in (_ranks(one), _ranks(two)))
    if not (x.any() and y.any()):
        return None
    together = float((x * y).sum() / 2 / math.sqrt((x != 0).sum() / 2) / math.sqrt((y != 0).sum() / 2))
    return max(-1.0, min(together, 1.0))  # rounding may lead beyond


def _ranks(values: Sequence[object]) -> list[int]:
    """Return ranks, which keep apart what floats would not."""
    order = sorted(set(values))  # type: ignore[type-var]
    return [order.index(value) for value in values]
