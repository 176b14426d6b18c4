"""Bounds from one, two or three hands of a table whose law is known: they contain it, and tighten."""

import pytest

from tlsim.exact.classes import class_law
from tlsim.exact.table_counts import Table
from tlsim.exact.table_law import all_deals, count_table, few_hands_bounds, strongest_bounds
from tlsim.patterns import Pattern

# Common patterns of small hands, so that the terms of higher order weigh.
PATTERNS = (
    Pattern(id="doi", all_of=[{"kind": "groups", "size": 2, "count": 1}]),
    Pattern(id="heo", all_of=[{"kind": "groups", "size": 1, "count": 1, "ranks": ["2"]}]),
)


@pytest.mark.parametrize("priority", ["strength", "turn"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_bounds_contain_the_exact_numbers_and_tighten(players, priority):
    table = Table(PATTERNS, 3, players, priority)
    exact, deals = count_table(table), all_deals(table)
    assert exact.exact
    laws, before = [], None
    for hands in range(1, min(players, 3) + 1):
        laws.append(class_law(PATTERNS, 3, (hands,)))
        someone, wins, seats = few_hands_bounds(laws, players, len(PATTERNS), deals, priority)
        bounds = [someone, *wins, *seats, *strongest_bounds(laws, players, len(PATTERNS), deals)]
        known = [exact.someone, *exact.wins, *exact.seats, *exact.strongest]
        for (low, high), (value, _) in zip(bounds, known, strict=True):
            assert low <= value <= high
        widths = [high - low for low, high in bounds]
        assert before is None or sum(widths) < sum(before)
        before = widths
