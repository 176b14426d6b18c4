"""What comes up at a table: wins by brute force on small tables, identities on full ones, and bounds."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod

import counted_tables
import numpy as np
import pytest
from hostile import DECK, pattern
from naive import class_of, mask_of, winner

from tlsim.exact.automaton import HandBook
from tlsim.exact.classes import class_law
from tlsim.exact.joint import Leader
from tlsim.exact.table_law import Table, _bounded, all_deals, count_table
from tlsim.rules import load_rules

PAIR = pattern({"kind": "groups", "size": 2, "count": 1})
STRAIGHT = pattern({"kind": "straight", "length": 2})
SUIT = pattern({"kind": "flush", "count": 2, "of": "suit"})
THREE = pattern({"kind": "holds", "cards": "3S"})
SMALL = {"ranks": (PAIR, STRAIGHT), "suits": (STRAIGHT, SUIT), "cards": (THREE, PAIR, SUIT)}

MASKS = np.array([mask_of(cards) for cards in combinations(DECK, 2)])
APART = ((MASKS[:, None] & MASKS) == 0).astype(np.float32)  # for sums below 2**24

counted = cache(count_table)
bounded = cache(_bounded)


@cache
def deals_of_three(name, holding, dead, opening_suit, absent=0):
    """Deals of two cards to three seats by (classes of the seats, leader); one by one, by matrices of disjoint hands.

    The leader is who has the smallest of the keys; keys of disjoint hands differ. No seat gets the ``absent`` cards.
    """
    classes = np.array([class_of(SMALL[name], mask, 2) for mask in MASKS.tolist()])
    first = (MASKS & holding == holding) & (MASKS & dead == 0)
    opening = 1 << opening_suit
    key = np.array([0 if m & opening else (m & -m).bit_length() for m in MASKS.tolist()])
    dealt = MASKS & absent == 0
    first &= dealt
    apart = APART * dealt * dealt[:, None]
    led = apart * (key[:, None] < key)  # row before column
    n = len(SMALL[name]) + 1
    of_class = (classes[:, None] == np.arange(n)).astype(np.float32)
    law = Counter()
    for leader, c in product(range(3), range(n)):
        third = classes == c
        if leader == 2:  # seat 2 leads: it is before both others
            between = led[third].T @ led[third]
            ways = apart * between
        else:
            rows, columns = (led, apart) if leader == 0 else (apart, led)
            between = rows[:, third] @ columns[:, third].T
            ways = between * (led if leader == 0 else led.T)
        deals = ((of_class * first[:, None]).T @ ways).astype(np.float64) @ of_class
        for a, b in product(range(n), repeat=2):
            law[(a, b, c), leader] += int(deals[a, b])
    return law


def brute(name, priority, holding=0, dead=0, opening_suit=None):
    """(all deals, someone, wins, seats); without an opening card the leader is any seat, one as often as another."""
    law = deals_of_three(name, holding, dead, opening_suit or 0)
    wins, seats = [Fraction(0)] * len(SMALL[name]), [0] * 4
    for (classes, leader), deals in law.items():
        seats[sum(c > 0 for c in classes)] += deals
        for lead in range(3) if opening_suit is None else (leader,):
            if won := winner(classes, lead, priority):
                wins[won[1] - 1] += Fraction(deals, 3 if opening_suit is None else 1)
    total = sum(law.values())
    return total, total - seats[0], wins, seats


def point(bounds):
    low, high = bounds
    assert low == high
    return low


@pytest.mark.parametrize(("holding", "dead"), [("", ""), ("5H", "4C"), ("", "3S 4D")])
@pytest.mark.parametrize(("priority", "opening_card"), [("strength", 0), ("turn", None), ("turn", 0), ("turn", 1)])
@pytest.mark.parametrize("name", SMALL)
def test_three_seats_of_two_cards(name, priority, opening_card, holding, dead):
    known = mask_of(holding), mask_of(dead)
    table = Table(SMALL[name], 2, 3, priority, *known, opening_card=opening_card)
    total, someone, wins, seats = brute(name, priority, *known, opening_card)
    counts = count_table(table)
    leaders = 3 if any(known) and priority == "turn" and opening_card is None else 1  # deals are counted for each
    assert counts.exact
    assert all_deals(table) == total
    assert counts.deals == leaders * total
    assert point(counts.someone) == leaders * someone
    assert [point(w) for w in counts.wins] == [leaders * w for w in wins]
    assert [point(n) for n in counts.seats] == [leaders * n for n in seats]
    bounds = _bounded(table)
    assert contains(bounds, counts)
    assert bounds.deals == counts.deals


@pytest.mark.parametrize(("holding", "dead"), [("", ""), ("5H", "4C")])
@pytest.mark.parametrize("name", SMALL)
def test_any_seat_may_lead_where_the_opening_card_was_not_dealt(name, holding, dead):
    """The opening fallback of some tables; bounds only, around what all deals give."""
    known = mask_of(holding), mask_of(dead)
    law = deals_of_three(name, *known, 0)
    undealt = deals_of_three(name, *known, 0, mask_of("3S"))
    wins = [Fraction(0)] * len(SMALL[name])
    for (classes, leader), deals in law.items():
        rest = undealt[classes, leader]
        for lead, ways in (
            (leader, deals - rest),
            (0, Fraction(rest, 3)),
            (1, Fraction(rest, 3)),
            (2, Fraction(rest, 3)),
        ):
            if won := winner(classes, lead, "turn"):
                wins[won[1] - 1] += ways
    counts = count_table(Table(SMALL[name], 2, 3, "turn", *known, opening_card=0, opening_random=True))
    scale = Fraction(counts.deals, sum(law.values()))
    assert scale == (3 if any(known) else 1)
    assert all(low <= scale * exact <= high for (low, high), exact in zip(counts.wins, wins, strict=True))


def test_where_all_cards_are_dealt_the_opening_card_is():
    table = full_table("zing", 4, opening=True, opening_card=0)
    assert count_table(replace(table, opening_random=True)) == count_table(table)


def contains(bounds, counts):
    """Whether bounds hold the exact values."""
    pairs = [
        (bounds.someone, counts.someone),
        *zip(bounds.wins, counts.wins, strict=True),
        *zip(bounds.seats, counts.seats, strict=True),
    ]
    return all(low <= point(exact) <= high for (low, high), exact in pairs)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(("priority", "opening_card"), [("strength", None), ("turn", None), ("turn", 0)])
@pytest.mark.parametrize(("holding", "dead"), [("", ""), ("4S", ""), ("", "3S 3C")])
def test_bounds_hold_where_patterns_are_common(priority, players, opening_card, holding, dead):
    """Three cards a seat: a pair, a straight, one colour; half of all hands hold one."""
    patterns = (
        pattern({"kind": "groups", "size": 2, "count": 1}),
        pattern({"kind": "straight", "length": 3, "starts": ["A", "3", "6", "9", "Q"]}),
        pattern({"kind": "groups", "size": 1, "count": 2, "ranks": ["3", "A", "2"]}),
    )
    table = Table(patterns, 3, players, priority, mask_of(holding), mask_of(dead), opening_card)
    counts = count_table(table)
    assert sum(point(w) for w in counts.wins) == point(counts.someone)
    assert sum(point(n) for n in counts.seats) == counts.deals
    assert counts.deals in (all_deals(table), players * all_deals(table))
    assert contains(_bounded(table), counts)


@pytest.mark.parametrize("priority", ["strength", "turn"])
@pytest.mark.parametrize("players", [2, 3])
def test_the_laws_of_all_hands_leave_nothing_open_but_the_winner(players, priority):
    """With as many laws as seats the sums are complete."""
    table = Table(SMALL["suits"], 2, players, priority)
    counts, bounds = count_table(table), _bounded(table)
    assert bounds.someone == counts.someone
    assert bounds.seats == counts.seats
    assert players == 3 or bounds == counts


def test_four_holders_at_once_are_all_that_three_laws_leave_open():
    """S4 lies between 0 and the share of three given seats: so wide are the bounds, and no wider."""
    table = Table(SMALL["suits"], 2, 4, "turn")
    bounds = _bounded(table)
    law = class_law(table.patterns, 2, (3,))
    three = Fraction(sum(n for (entry,), n in law.items() if all(entry)), sum(law.values())) * bounds.deals
    for (low, high), ways in zip(bounds.seats, (1, 4, 6, 4, 1), strict=True):
        assert high - low <= ways * three
    assert bounds.someone[1] - bounds.someone[0] <= three


def full_table(preset, players, opening=False, **known):
    rules = load_rules(preset)
    patterns = tuple(win.pattern for win in rules.instant_wins(opening))
    priority = known.pop("priority", rules.priority(opening))
    return Table(patterns, rules.deal.hand_size, players, priority, **known)


FULL = [
    ("doithuong", False, 2),
    ("doithuong", False, 4),
    ("mien_bac", False, 2),
    ("sam_loc", False, 2),
    ("sam_loc", False, 3),
    ("luckywin", True, 4),
    ("zing", True, 3),
    ("mien_bac", True, 4),
    ("sam_loc", True, 5),
]


@pytest.mark.parametrize(("preset", "opening", "players"), FULL)
def test_identities_and_bounds_of_full_tables(preset, opening, players):
    """Wins make up someone, seats make up all, and the mean number of holders is that of single hands."""
    table = full_table(preset, players, opening)
    counts = counted(table)
    single = HandBook(table.patterns, table.hand_size).count()
    size = table.hand_size
    assert counts.exact
    assert counts.deals == prod(comb(52 - size * n, size) for n in range(players))
    assert sum(map(point, counts.wins)) == point(counts.someone)
    assert sum(map(point, counts.seats)) == counts.deals
    assert point(counts.someone) == counts.deals - point(counts.seats[0])
    holders = sum(n * point(deals) for n, deals in enumerate(counts.seats))
    assert Fraction(holders, counts.deals) == players * Fraction(single.any, single.hands)
    assert contains(bounded(table), counts)


@pytest.mark.parametrize("players", [2, 4])
def test_strength_against_turn(players):
    """Who holds is the same; a stronger list wins more often under strength, the strongest pattern above all."""
    strength = counted(full_table("doithuong", players, priority="strength"))
    turn = counted(full_table("doithuong", players, priority="turn"))
    assert (strength.someone, strength.seats, strength.deals) == (turn.someone, turn.seats, turn.deals)
    gains = [point(s) - point(t) for s, t in zip(strength.wins, turn.wins, strict=True)]
    assert sum(gains) == 0
    assert gains[0] > 0 > gains[-1]
    assert all(sum(gains[:at]) > 0 for at in range(1, len(gains)))


def test_two_players_by_hand():
    """From the law of two hands: by turn the leader's class, or the other's beside nothing; by strength the smaller."""
    table = full_table("doithuong", 2, priority="turn")
    law = class_law(table.patterns, 13, (1, 1))
    by_turn, by_strength = Counter(), Counter()
    for (leader,), (other,) in law:
        by_turn[leader or other] += law[(leader,), (other,)]
        by_strength[min(filter(None, (leader, other)), default=0)] += law[(leader,), (other,)]
    turn = counted(table)
    strength = counted(full_table("doithuong", 2, priority="strength"))
    for at in range(len(table.patterns)):
        assert point(turn.wins[at]) == by_turn[at + 1]
        assert point(strength.wins[at]) == by_strength[at + 1]


def test_two_players_with_known_cards_and_a_leader_that_is_any_seat():
    """Each deal counts once for either leader: the only deal with two holders is won by each of them once."""
    patterns = (
        pattern({"kind": "holds", "cards": "3S 3C 3D 3H 4S 4C 4D 4H 5S 5C 5D 5H 6S"}),
        pattern({"kind": "holds", "cards": "2S 2C 2D 2H AS AC AD AH KS KC KD KH QS"}),
    )
    own = mask_of("3S 3C 3D 3H 4S 4C 4D 4H 5S 5C 5D 5H 6S")
    counts = counted(Table(patterns, 13, 2, "turn", holding=own))
    assert counts.deals == point(counts.someone) == 2 * comb(39, 13)
    assert point(counts.seats[2]) == 2
    assert [point(w) for w in counts.wins] == [2 * comb(39, 13) - 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_twos_at_one_seat(players):
    """One seat at most has all four: players · C(48, 9) / C(52, 13); with 10 cards C(48, 6) / C(52, 10)."""
    for size, preset in ((13, "doithuong"), (10, "sam_loc")):
        quad = {win.id: win.pattern for win in load_rules(preset).instant_wins()}["tu_quy_2"]
        counts = counted(Table((quad,), size, players, "strength"))
        share = players * Fraction(comb(48, size - 4), comb(52, size))
        assert Fraction(point(counts.someone), counts.deals) == share
        assert [point(n) for n in counts.seats[2:]] == [0] * (players - 1)


def test_known_cards_of_one_seat():
    """Seat 0 holds two 2s: only it can have all four. Seat 0 lacks one: only the others can."""
    quad = (pattern({"kind": "holds", "cards": "2S 2C 2D 2H"}),)
    counts = counted(Table(quad, 13, 4, "strength", holding=mask_of("2S 2C")))
    assert Fraction(point(counts.someone), counts.deals) == Fraction(comb(48, 9), comb(50, 11))
    counts = counted(Table(quad, 13, 4, "strength", dead=mask_of("2S")))
    # the 2♠ is at one of the other seats; that seat needs the other three of 51 cards
    assert Fraction(point(counts.someone), counts.deals) == Fraction(comb(48, 9), comb(51, 12))


def test_an_opening_game_is_won_by_its_leader_in_zing():
    """Four threes and 3 đôi thông with 3♠ are the leader's, so who leads decides nothing (002#R27)."""
    table = full_table("zing", 4, opening=True)
    assert table.priority == "turn"
    known = full_table("zing", 4, opening=True, opening_card=0)
    counts, led = counted(table), counted(known)
    assert counts == led
    assert [point(n) for n in counts.seats[2:]] == [0, 0, 0]
    single = HandBook(table.patterns, 13).count()
    for wins, number in zip(counts.wins, single.counts, strict=True):
        assert Fraction(point(wins), counts.deals) == 4 * Fraction(number, single.hands)


def test_an_opening_game_of_two_under_an_additional_list():
    """By turn from the holder of 3♠, or of the lowest card: from the law that the leader's seat is told apart in."""
    rules = load_rules("mien_bac").replace("toi_trang.opening_list_mode", "additional")
    patterns = tuple(win.pattern for win in rules.instant_wins(opening=True))
    table = Table(patterns, 13, 2, "turn", opening_card=0)
    law = class_law(patterns, 13, (1, 1), leader=Leader(0, 0))
    wins = Counter()
    for ((leader,), (other,)), deals in law.items():
        wins[leader or other] += 2 * deals  # either seat leads
    counts = counted(table)
    assert [point(w) for w in counts.wins] == [wins[c] for c in range(1, len(patterns) + 1)]
    # four threes are always the leader's, and then he wins; with any leader another holder may be nearer
    anyone = counted(Table(patterns, 13, 2, "turn"))
    assert anyone.someone == counts.someone
    single = HandBook(patterns, 13).count()
    assert Fraction(point(counts.wins[0]), counts.deals) == 2 * Fraction(single.counts[0], single.hands)
    assert point(anyone.wins[0]) < point(counts.wins[0])


def test_an_opening_card_that_is_no_3_gives_bounds():
    counts = counted(full_table("mien_bac", 2, priority="turn", opening_card=5))
    assert not counts.exact
    assert contains(counts, counted(full_table("mien_bac", 2, priority="turn")))


@pytest.mark.parametrize("hand_size", [1, 2])
def test_a_table_that_may_be_dealt_nothing_but_twos(hand_size):
    """Then 2♠ may be the lowest card dealt; the deck is read from the 2s on, so such a table only gets bounds."""
    patterns = (pattern({"kind": "holds", "cards": "2S"}), pattern({"kind": "holds", "cards": "2H"}))
    counts = counted(Table(patterns, hand_size, 2, "turn", opening_card=0))
    assert contains(counts, counted(Table(patterns, hand_size, 2, "strength")))
    assert sum(low for low, _ in counts.wins) <= point(counted(Table(patterns, hand_size, 2, "turn")).someone)


@pytest.mark.parametrize(
    ("preset", "players", "known"),
    [
        ("doithuong", 4, {}),
        ("sam_loc", 3, {}),
        ("doithuong", 2, {"holding": mask_of("2S 2C 3S")}),
        ("sam_loc", 3, {"dead": mask_of("2S")}),
        ("mien_bac", 2, {"opening_card": 0}),
    ],
)
def test_bounds_where_the_law_is_out_of_reach(preset, players, known):
    """A tiny limit keeps the exact law away; what is given in its place holds it."""
    table = full_table(preset, players, **known)
    exact, bounds = counted(table), count_table(table, limit=0)
    assert exact.exact
    assert not bounds.exact
    assert contains(bounds, exact)
    for low, high in (bounds.someone, *bounds.wins, *bounds.seats):
        assert 0 <= low <= high <= bounds.deals


def test_bounds_of_a_common_table_are_close():
    """000 at four seats from the laws of one, two and three hands: three holders at once are left open."""
    table = full_table("doithuong", 4)
    low, high = bounded(table).someone
    assert high - low < low / 1_000


def test_mean_payment():
    """Wins times prices over deals; 000 pays 9 … 2 per loser."""
    rules = load_rules("doithuong")
    counts = counted(full_table("doithuong", 2))
    pays = [Fraction(win.pays) for win in rules.instant_wins()]
    assert pays == [9, 8, 7, 6, 5, 4, 3, 2]
    low, high = counts.payment(pays)
    assert low == high == sum(Fraction(point(w)) * p for w, p in zip(counts.wins, pays, strict=True)) / counts.deals
    assert 0 < low < 9
    low, high = bounded(full_table("doithuong", 4)).payment(pays)
    assert low < high


@pytest.mark.look
@pytest.mark.parametrize("file", counted_tables.FILES, ids=lambda file: file.stem)
def test_kept_tables_are_what_is_counted(file):
    """Those that other tests find in the cache."""
    assert count_table(counted_tables.asked(file)) == counted_tables.read(file)
