"""Makers of small lists."""

import pytest
from small_lists import TINY

from tlsim.exact.automaton import HandCounts
from tlsim.exact.table_counts import TableCounts
from tlsim.fairness.price_list import Prices
from tlsim.results.exact import ExactOdds
from tlsim.results.provenance import Listed, Provenance


@pytest.fixture
def tiny(tmp_path):
    """Return a maker of the tiny rule file, at two prices, 3♠ being the stronger pattern."""

    def make(spade=1, two=3, more="", name="tiny.toml"):
        file = tmp_path / name
        text = TINY.replace("{spade}", str(spade)).replace("{two}", str(two))
        file.write_text(text + more, encoding="utf-8")
        return file

    return make


@pytest.fixture
def listed():
    """Return a maker of prices from numbers of deals out of 1,000."""

    def make(entries, players=4, deals=1000):
        """Take (id, price, deals that it wins, or lowest and highest number of them); what wins 0 is covered."""
        bounds = tuple(won if isinstance(won, tuple) else (won, won) for _, _, won in entries)
        some = tuple(sum(ends) for ends in zip(*bounds, strict=True))
        table = TableCounts(deals=deals, someone=some, wins=bounds, seats=())
        hand = HandCounts(hands=deals, holds=(1,) * len(entries), counts=tuple(min(1, high) for _, high in bounds))
        names = tuple(Listed(ident, ident.upper(), float(price)) for ident, price, _ in entries)
        return Prices("regular", ExactOdds(Provenance(version="0", players=players), names, hand, lambda: table))

    return make
