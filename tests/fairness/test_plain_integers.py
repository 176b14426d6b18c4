"""All figures of three price lists once more, by a few lines of plain integers that share nothing with the package.

A table of exact counts (deals that each pattern wins, of all deals) is the one thing taken from it; that these counts
are right is shown elsewhere, by brute force and by dealing.
"""

import math

import pytest

import tlsim

LISTS = [("luckywin", False, 4), ("zing", True, 4), ("sam_loc", False, 4)]
SCALE = 10**12  # fair prices are whole numbers of this part of a half unit, which is all the digits of a float


@pytest.fixture(scope="module", params=LISTS, ids=lambda asked: asked[0])
def both(request):
    """Return the rows of prices, of the summary and of wrong pairs, and prices in half units with their wins."""
    name, opening, seats = request.param
    fairness = tlsim.payout_fairness(name, players=seats, opening=opening)
    odds = tlsim.exact_odds(name, players=seats, opening=opening)
    wins, deals = [low for low, _ in odds.table.wins], odds.table.deals
    halves = [int(2 * entry.pays) for entry in odds.listed]
    judged = [at for at, won in enumerate(wins) if won * 10**6 >= deals]
    return fairness, halves, wins, deals, judged, seats


def test_prices(both):
    fairness, halves, wins, deals, judged, seats = both
    paid = sum(halves[at] * wins[at] for at in judged)  # by one loser in all deals
    for at, row in enumerate(fairness.rows("prices")):
        assert row["price"] == halves[at] / 2
        assert row["probability"] == pytest.approx(wins[at] / deals, rel=1e-14)
        assert row["one_in"] == (pytest.approx(deals / wins[at], rel=1e-14) if wins[at] else math.inf)
        assert row["cost_per_1000"] == pytest.approx(1000 * halves[at] * wins[at] * (seats - 1) / (2 * deals * seats))
        if at in judged:
            fair = SCALE * paid // (len(judged) * wins[at])
            assert row["fair_price"] == pytest.approx(fair / SCALE / 2, rel=1e-9)
            assert row["ratio"] == pytest.approx(SCALE * halves[at] / fair, rel=1e-9)
            assert row["rarity_rank"] == 1 + sum(wins[other] < wins[at] for other in judged)
            assert row["strength_rank"] == 1 + sum(other < at for other in judged)
        else:
            assert row["fair_price"] is row["ratio"] is row["rarity_rank"] is None


def test_pairs(both):
    fairness, halves, wins, _, judged, _ = both
    ids = [row["pattern"] for row in fairness.rows("prices")]
    expected = {}
    for one in judged:
        for two in judged:
            stronger, dearer = one < two, halves[one] > halves[two]
            if wins[one] > wins[two] and (stronger or dearer):
                by = "both" if stronger and dearer else "strength" if stronger else "price"
                expected[ids[one], ids[two]] = by, wins[one] / wins[two]
    found = {
        (row["pattern"], row["rarer"]): (row["by"], pytest.approx(row["factor"])) for row in fairness.rows("pairs")
    }
    assert found == expected
    assert len(found) == fairness.rows("summary")[0]["wrong_pairs"]


def test_summary(both):
    fairness, halves, wins, deals, judged, seats = both
    (row,) = fairness.rows("summary")
    paid = sum(halves[at] * wins[at] for at in judged)
    assert row["cost_per_1000"] == pytest.approx(
        1000 * sum(h * w for h, w in zip(halves, wins, strict=True)) * (seats - 1) / (2 * deals * seats)
    )
    apart = sum(
        abs(len(judged) * halves[at] * wins[at] - paid) for at in judged
    )  # n times what is to be paid for others
    assert row["misplaced"] == pytest.approx(apart / (2 * len(judged) * paid))
    squares = sum(h * h * w for h, w in zip(halves, wins, strict=True))
    assert row["spread"] == pytest.approx(math.sqrt((seats - 1) * squares / deals) / 2)
    assert row["someone"] == pytest.approx(sum(wins) / deals)
    costs = [halves[at] * wins[at] * len(judged) for at in judged]
    assert row["worst_ratio"] == pytest.approx(max(costs, key=lambda c: max(c / paid, paid / c)) / paid)
    signs = [
        (wins[two] > wins[one], halves[one] - halves[two]) for one in judged for two in judged if one < two
    ]  # whether the stronger one is the rarer, and by how much it is dearer
    right = sum(rarer for rarer, _ in signs)
    assert row["tau_strength"] == pytest.approx((2 * right - len(signs)) / len(signs))
    told = [(rarer, more) for rarer, more in signs if more]
    if told:
        agree = sum(1 if (more > 0) == rarer else -1 for rarer, more in told)
        assert row["tau_price"] == pytest.approx(agree / math.sqrt(len(signs) * len(told)))
    else:
        assert row["tau_price"] is None


def test_what_the_house_takes(both):
    fairness, halves, wins, deals, _, seats = both
    rake = tlsim.payout_fairness(
        fairness.rules, players=seats, opening=fairness.provenance.opening, rake=0.05
    ).rows("rake")  # fmt: skip
    for at, row in enumerate(rake[:-1]):
        assert row["received"] == pytest.approx(halves[at] * (seats - 1) / 2)
        assert row["house"] == pytest.approx(halves[at] * (seats - 1) / 40)
        assert row["house_per_1000"] == pytest.approx(1000 * halves[at] * (seats - 1) * wins[at] / (40 * deals))
    won = sum(h * w for h, w in zip(halves, wins, strict=True)) * (seats - 1)
    assert rake[-1]["received"] == pytest.approx(won / (2 * sum(wins)))
    assert rake[-1]["loss_per_1000"] == pytest.approx(1000 * won / (40 * deals * seats))
