"""Tables around hands drawn given the pattern that they count as: what losers hold, and where declaring pays."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tlsim.cards import N_CARDS
from tlsim.columns import Row
from tlsim.engine.rule_numbers import leftover_prices
from tlsim.exact.automaton import READ_ORDER, HandBook, strongest
from tlsim.fairness.price_list import Heo, Prices
from tlsim.fairness.views import DECLARING
from tlsim.intervals import ratio_mean
from tlsim.kernels.leftover import ItemPrices, add_values
from tlsim.kernels.row import Ints
from tlsim.results.worth import DeclareWorth, verdict_of
from tlsim.rules import Rules

HANDS, DEALS_OF_EACH = 1 << 15, 3  # a mean of what losers hold is then known to 0.1 %
_CARD = 6  # low bits of a random word, which say which card it is of
Declares = NDArray[np.bool_]
"""[patterns, distances from the leader]: whether a holder declares."""


@dataclass(frozen=True, eq=False)
class Around:
    """Tables of which seat 0 holds the pattern."""

    strength: Ints  # [hands, deals, seats]: place of each seat's strongest pattern; as many as there are for none
    leads: NDArray[np.bool_]  # [hands, deals, seats]: whether the seat may lead; all where any of them may
    value: Ints  # [hands, deals, others]: what 2s and bombs of each other seat come to, half units
    by_turn: bool  # the holder nearest to the leader wins, else the strongest

    def won(self, declares: Declares) -> NDArray[np.float64]:
        """Return of each table how often seat 0 wins it, over those who may lead; [hands, deals]."""
        seats = self.strength.shape[2]
        nobody = np.zeros((1, seats), np.bool_)  # who holds nothing declares nothing
        allowed, last = np.concatenate([declares, nobody]), seats * (len(declares) + 1)
        wins = np.zeros(self.value.shape[:2])
        for leader in range(seats):
            distance = (np.arange(seats) - leader) % seats
            before = distance + (0 if self.by_turn else seats * self.strength)
            before = np.where(allowed[self.strength, distance], before, last)
            first = (before[..., :1] < before[..., 1:]).all(axis=2)
            wins += first * self.leads[..., leader]
        return np.asarray(wins / self.leads.sum(axis=2))

    def heo(self) -> Heo:
        """Return what 2s and bombs of one loser come to where seat 0 wins."""
        losers = self.strength.shape[2] - 1
        wins = self.won(np.ones((self.strength.max() + 1, losers + 1), np.bool_))
        every = self.value.sum(axis=2)
        mean, error = ratio_mean((wins * every).sum(axis=1), wins.sum(axis=1))
        off_win, off_loss = (every - mean) ** 2, ((self.value - mean / losers) ** 2).sum(axis=2)
        noise = float((wins * (off_win + off_loss)).sum() / wins.sum()) / (losers + 1)
        return Heo(mean / losers / 2, error / losers / 2, noise / 4)

    def kept(self, declares: Declares) -> tuple[float, float]:
        """Return which share of its wins the pattern keeps where only some declare, and the error."""
        every = self.won(np.ones_like(declares))
        return ratio_mean(self.won(declares).sum(axis=1), every.sum(axis=1))


def around(rules: Rules, pattern: int, players: int, *, opening: bool) -> Around:
    """Return tables around hands that count as a pattern, every run the same ones."""
    patterns = tuple(win.pattern for win in rules.instant_wins(opening, players))
    book = HandBook(patterns, rules.hand_sizes(players)[0])
    lead = (rules.lead.opening_card, rules.lead.opening_fallback == "random") if opening else None
    prices = leftover_prices(rules) if rules.prices is not None else None
    return _around(book, pattern, players, lead, prices, rules.priority(opening) == "turn")


@lru_cache(maxsize=64)
def _around(
    book: HandBook, at: int, players: int, lead: tuple[int, bool] | None, prices: ItemPrices | None, by_turn: bool
) -> Around:
    random = np.random.default_rng([at, players])
    own = book.find(random.integers(0, book.count().counts[at], HANDS), at, counting=True)
    own = np.repeat(own, DEALS_OF_EACH)
    words = random.integers(0, 1 << 32 - _CARD, (len(own), N_CARDS), np.uint32) << np.uint32(_CARD)
    words |= np.arange(N_CARDS, dtype=np.uint32)
    words[own[:, None] >> np.arange(N_CARDS) & 1 == 1] |= np.uint32(2**32 - (1 << _CARD))  # these come last
    words.sort(axis=1)
    cards = (words[:, : book.hand_size * (players - 1)] & np.uint32((1 << _CARD) - 1)).astype(np.int64)
    others = np.left_shift(np.int64(1), cards).reshape(len(own), players - 1, book.hand_size).sum(axis=2)
    value = np.zeros(others.size, np.int64)
    if prices is not None:
        add_values(others.reshape(-1, 1), prices.row(), value)
    hands = np.concatenate([own[:, None], others], axis=1)
    shape = (HANDS, DEALS_OF_EACH)
    strength, leads = _strength(book, hands), _leads(hands, lead)
    value = value.reshape(*shape, players - 1)
    return Around(strength.reshape(*shape, players), leads.reshape(*shape, players), value, by_turn)


def _strength(book: HandBook, hands: Ints) -> Ints:
    """Return the place in the list of the strongest pattern of each hand; the length of the list for none."""
    state = np.zeros(hands.shape, np.int64)
    for rank, targets in zip(READ_ORDER, book.automaton.following, strict=True):
        state = targets[state, hands >> 4 * rank & 15]
    none = len(book.patterns)
    places = np.array([(strongest(held) or none + 1) - 1 for held in book.automaton.output.tolist()])
    return np.asarray(places[state])


def _leads(hands: Ints, lead: tuple[int, bool] | None) -> NDArray[np.bool_]:
    """Return who may lead: who has the opening card; where nobody has, who has the lowest one, or any seat."""
    if lead is None:
        return np.ones(hands.shape, np.bool_)
    holds: NDArray[np.bool_] = hands >> lead[0] & 1 == 1
    lowest = hands & -hands
    other = np.ones(hands.shape, np.bool_) if lead[1] else lowest == lowest.min(axis=1, keepdims=True)
    return np.where(holds.any(axis=1, keepdims=True), holds, other)


def declaring_rows(prices: Prices, rules: Rules, worth: DeclareWorth) -> list[Row]:
    """Return each pattern, and last the whole list: where all declare, and where each declares where it pays.

    A holder plays on where that surely brings more, all others declaring; wins are counted over tables around hands.
    """
    plays_on = np.zeros((len(prices.listed), prices.players), np.bool_)
    ids = [entry.id for entry in prices.listed]
    for each in worth.patterns:
        for row in each.by_distance():
            plays_on[ids.index(each.entry.id), row["distance"]] = verdict_of(row) == "play_on"
    found = {
        entry.id: around(rules, at, prices.players, opening=prices.which == "opening").kept(~plays_on)
        for at, entry in enumerate(prices.listed)
        if prices.bounds[at][1]
    }
    other = replace(prices, kept={ident: share for ident, (share, _) in found.items()})
    declares = [" ".join(map(str, np.flatnonzero(~away))) for away in plays_on]
    own = [{"pattern": i, "declares": at, "kept": found.get(i)} for i, at in zip(ids, declares, strict=True)]
    every = zip([*prices.rows(), prices.summary()], [*other.rows(), other.summary()], [*own, {}], strict=True)
    keys = {"probability": "probability_pays", "cost_per_1000": "cost_pays", "fair_price": "fair_pays"}
    return [
        DECLARING.row(**more, **{key: one.get(key) for key in keys}, **{keys[key]: two.get(key) for key in keys})
        for one, two, more in every
    ]
