"""The joint law of all hands against brute force over tables of small hands dealt from the whole deck.

The brute force lists every hand with its class (`naive.class_of`) and multiplies matrices of disjoint hands, so every
deal is counted one by one; floats only hold integers that they hold exactly. The tables of 13 and 10 cards are held to
closed forms and to a small dynamic programme over ranks in this file.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, perm, prod

import numpy as np
import pytest
from hostile import DECK, pattern
from naive import class_of, mask_of

from tlsim.exact.automaton import HandBook, build, strongest, with_output
from tlsim.exact.classes import class_law
from tlsim.exact.joint import REJECTED, Leader, OutOfReachError, Role, joint_law
from tlsim.rules import load_rules

PAIR = {"kind": "groups", "size": 2, "count": 1}
STRAIGHT_2 = {"kind": "straight", "length": 2}
SUITED_2 = {"kind": "straight", "length": 2, "same_suit": True, "starts": ["A", "3", "4", "K"]}
SUIT = {"kind": "flush", "count": 2, "of": "suit"}
COLOUR = {"kind": "flush", "count": 2, "of": "colour"}
THREE_OF_SPADES = {"kind": "holds", "cards": "3S"}
TWO_OF_HEARTS = {"kind": "holds", "cards": "2H"}

LISTS = {
    "ranks": (pattern(PAIR), pattern(STRAIGHT_2)),
    "cards": (pattern(THREE_OF_SPADES), pattern(PAIR), pattern(TWO_OF_HEARTS)),
    "suits stronger": (pattern(SUITED_2), pattern(SUIT), pattern(STRAIGHT_2)),
    "suits weaker": (pattern(STRAIGHT_2), pattern(THREE_OF_SPADES), pattern(COLOUR)),
    "suits between": (pattern(PAIR), pattern(SUITED_2), pattern(STRAIGHT_2), pattern(SUIT)),
    "suits alone": (pattern(SUIT), pattern(COLOUR)),
    "mixed conditions": (pattern(STRAIGHT_2, COLOUR), pattern(PAIR, COLOUR), pattern(STRAIGHT_2)),
}


@cache
def hands(size):
    return np.array([mask_of(cards) for cards in combinations(DECK, size)])


@cache
def hand_classes(name, size):
    return np.array([class_of(LISTS[name], mask, size) for mask in hands(size).tolist()])


@cache
def lead_keys(size, opening_suit):
    """The smallest of a table leads: the opening card before all, then the lowest card (B2, B3)."""
    opening = 1 << opening_suit
    low = [0 if mask & opening else 1 + (mask & -mask).bit_length() for mask in hands(size).tolist()]
    return np.array(low)


def allowed(size, holding, dead):
    masks = hands(size)
    return (masks & holding == holding) & (masks & dead == 0)


@cache
def disjoint(size):
    masks = hands(size)
    return ((masks[:, None] & masks) == 0).astype(np.float32)  # for sums below 2**24


@cache
def three_seats(name, leader=None, opening_suit=0, holding=0, dead=0):
    """Deals by the classes of seats 0, 1 and 2, two cards each; seat 0 has known cards, the leader is seat 0 or 1."""
    classes, apart = hand_classes(name, 2), disjoint(2)
    key = lead_keys(2, opening_suit)
    first = allowed(2, holding, dead)
    anyone = np.ones_like(first)
    # rows: the leader, where there is one; columns: another seat; seat 2 is summed over
    rows, columns = (anyone, first) if leader == 1 else (first, anyone)
    led = apart if leader is None else apart * (key[:, None] < key)
    law = Counter()
    n = len(LISTS[name]) + 1
    of_class = (classes[:, None] == np.arange(n)).astype(np.float32)
    for c in range(n):
        there = classes == c
        ways = led * (led[:, there] @ apart[there])
        deals = by_class(of_class * rows[:, None], ways, of_class * columns[:, None])
        for a, b in product(range(n), repeat=2):
            law[(b, a, c) if leader == 1 else (a, b, c)] += int(deals[a, b])
    return law


def by_class(rows, ways, columns):
    """Ways of pairs of hands, summed by the classes of both."""
    return (rows.T @ ways).astype(np.float64) @ columns


def by_roles(ordered, seats):
    """A law by ordered seats as `class_law` gives it: sorted classes per role."""
    law = Counter()
    for classes, deals in ordered.items():
        entry, at = [], 0
        for n in seats:
            entry.append(tuple(sorted(classes[at : at + n])))
            at += n
        law[tuple(entry)] += deals
    return {entry: deals for entry, deals in law.items() if deals}


@pytest.mark.parametrize("name", LISTS)
def test_three_seats_of_two_cards(name):
    ordered = three_seats(name)
    assert sum(ordered.values()) == comb(52, 2) * comb(50, 2) * comb(48, 2)
    for seats in ((3,), (2, 1), (1, 1, 1)):
        assert class_law(LISTS[name], 2, seats) == by_roles(ordered, seats)


@pytest.mark.parametrize(("holding", "dead"), [("3S", ""), ("2H 4D", ""), ("", "3S 3C 2H 5D"), ("4S", "4C 4D 4H 3S")])
@pytest.mark.parametrize("name", ["cards", "suits between", "mixed conditions"])
def test_three_seats_with_known_cards_of_the_first(name, holding, dead):
    known = mask_of(holding), mask_of(dead)
    ordered = three_seats(name, None, 0, *known)
    for seats in ((1, 2), (1, 1, 1)):
        law = class_law(LISTS[name], 2, seats, holding=known[0], dead=known[1])
        assert law == by_roles(ordered, seats)


@pytest.mark.parametrize("opening_suit", [0, 1])
@pytest.mark.parametrize("name", ["ranks", "cards", "suits between", "suits weaker"])
def test_the_leader_of_an_opening_game_among_three_seats(name, opening_suit):
    """3♠ opens, or 3♣ as in Huế; where it was not dealt the lowest card does."""
    ordered = three_seats(name, 0, opening_suit)
    assert class_law(LISTS[name], 2, (1, 2), leader=Leader(0, opening_suit)) == by_roles(ordered, (1, 2))
    assert class_law(LISTS[name], 2, (1, 1, 1), leader=Leader(0, opening_suit)) == by_roles(ordered, (1, 1, 1))
    ordered = three_seats(name, 1, opening_suit)
    assert class_law(LISTS[name], 2, (1, 1, 1), leader=Leader(1, opening_suit)) == by_roles(ordered, (1, 1, 1))
    assert sum(ordered.values()) * 3 == comb(52, 2) * comb(50, 2) * comb(48, 2)


@pytest.mark.parametrize(("leader", "opening_suit"), [(0, 0), (1, 0), (1, 1)])
@pytest.mark.parametrize(("holding", "dead"), [("3S", ""), ("5C", "3C 4S"), ("", "3S 3C")])
@pytest.mark.parametrize("name", ["cards", "suits between"])
def test_the_leader_with_known_cards_of_seat_0(name, holding, dead, leader, opening_suit):
    known = mask_of(holding), mask_of(dead)
    law = class_law(LISTS[name], 2, (1, 1, 1), holding=known[0], dead=known[1], leader=Leader(leader, opening_suit))
    assert law == by_roles(three_seats(name, leader, opening_suit, *known), (1, 1, 1))


THREES = (
    pattern({"kind": "groups", "size": 3, "count": 1}),
    pattern({"kind": "straight", "length": 3, "same_suit": True}),
    pattern({"kind": "straight", "length": 3, "starts": ["A", "2", "3", "4", "5", "Q"]}),
    pattern({"kind": "flush", "count": 3, "of": "suit"}),
    pattern(PAIR),
)


def later_hands(of_class, key):
    """Per hand of three cards: the hands of each class with a larger key and no card in common.

    By inclusion and exclusion over the cards in common, while hands are taken in from the largest key down.
    """
    cards = np.array(list(combinations(range(52), 3)))
    pairs = [cards[:, at] for at in ([0, 1], [0, 2], [1, 2])]
    every, by_card, by_pair = (np.zeros((*shape, of_class.shape[1]), np.int64) for shape in ((), (52,), (52, 52)))
    ways = np.zeros_like(of_class)
    for level in sorted(set(key.tolist()), reverse=True):
        now = key == level
        one = sum(by_card[cards[now, at]] for at in range(3))
        two = sum(by_pair[pair[now, 0], pair[now, 1]] for pair in pairs)
        ways[now] = every - one + two  # a hand has not all three cards in common with another
        every += of_class[now].sum(axis=0)
        for at in range(3):
            np.add.at(by_card, cards[now, at], of_class[now])
        for pair in pairs:
            np.add.at(by_pair, (pair[now, 0], pair[now, 1]), of_class[now])
    return ways


def test_two_seats_of_three_cards():
    """A triple, a straight in one suit, a straight, one suit, a pair: with no leader, and with one by 3♠ or 3♣."""
    classes = np.array([class_of(THREES, mask, 3) for mask in hands(3).tolist()])
    of_class = (classes[:, None] == np.arange(6)).astype(np.int64)
    for suit in (0, 1):
        table = of_class.T @ later_hands(of_class, lead_keys(3, suit))
        led = {(a, b): int(table[a, b]) for a, b in product(range(6), repeat=2)}
        assert class_law(THREES, 3, (1, 1), leader=Leader(0, suit)) == by_roles(led, (1, 1))
        both = {(a, b): led[a, b] + led[b, a] for a, b in led}  # one of the two leads
        assert sum(both.values()) == comb(52, 3) * comb(49, 3)
        assert class_law(THREES, 3, (1, 1)) == by_roles(both, (1, 1))
        assert class_law(THREES, 3, (2,)) == by_roles(both, (2,))


ONES = (
    pattern({"kind": "holds", "cards": "3S"}),
    pattern({"kind": "groups", "size": 1, "count": 1, "ranks": ["2", "3", "4"]}),
    pattern({"kind": "groups", "size": 1, "count": 1, "ranks": "9-K"}),
)


@pytest.mark.parametrize("seats", [(5,), (1, 4), (2, 3), (1, 1, 3), (4,), (2, 1, 1)])
def test_four_and_five_seats_of_one_card(seats):
    number = Counter(class_of(ONES, 1 << card, 1) for card in range(52))
    ordered = {}
    for classes in product(range(4), repeat=sum(seats)):
        ordered[classes] = prod(perm(number[c], n) for c, n in Counter(classes).items())
    assert class_law(ONES, 1, seats) == by_roles(ordered, seats)


@pytest.mark.parametrize(("seats", "role"), [((1, 4), 0), ((1, 1, 3), 1), ((2, 1, 2), 1)])
@pytest.mark.parametrize("opening_suit", [0, 2])
def test_the_leader_among_five_seats_of_one_card(seats, role, opening_suit):
    """For each card of the leader the others have cards that are led later."""
    lead = sum(seats[:role])
    order = sorted(range(52), key=lambda card: (card != opening_suit, card))
    ordered = Counter()
    for at, card in enumerate(order):
        mine = class_of(ONES, 1 << card, 1)
        number = Counter(class_of(ONES, 1 << other, 1) for other in order[at + 1 :])
        for others in product(range(4), repeat=4):
            ways = prod(perm(number[c], n) for c, n in Counter(others).items())
            ordered[(*others[:lead], mine, *others[lead:])] += ways
    assert class_law(ONES, 1, seats, leader=Leader(role, opening_suit)) == by_roles(ordered, seats)


def test_four_seats_of_two_cards_with_one_hand_known():
    """Seat 0 holds 3♠ 4♠; the matrices run over the hands of the three others."""
    for name in ("suits stronger", "cards"):
        rest = allowed(2, 0, mask_of("3S 4S"))
        classes = hand_classes(name, 2)[rest]
        apart = disjoint(2)[np.ix_(rest, rest)]
        mine = class_of(LISTS[name], mask_of("3S 4S"), 2)
        n = len(LISTS[name]) + 1
        ordered = {}
        for c in range(n):
            there = classes == c
            ways = apart * (apart[:, there] @ apart[there])
            for a, b in product(range(n), repeat=2):
                ordered[mine, a, b, c] = int(ways[np.ix_(classes == a, classes == b)].sum(dtype=np.float64))
        law = class_law(LISTS[name], 2, (1, 3), holding=mask_of("3S 4S"))
        assert law == by_roles(ordered, (1, 3))


def test_outputs_that_a_role_does_not_allow():
    """Roles of their own automata: the second seat must have a pair."""
    plain = with_output(build(LISTS["ranks"], 2), strongest)
    only_pairs = with_output(build(LISTS["ranks"], 2), lambda bits: 7 if bits & 1 else REJECTED)
    law = joint_law([Role(1, plain), Role(1, only_pairs)])
    two_pairs = 13 * 6 * (12 * 6 + 1)
    # neighbours among 3 … A: of eleven pairs of ranks, a pair of the other seat may have halved one rank
    straights = 13 * 6 * 11 * 16 - 6 * 2 * 11 * 2 * 4
    assert law == {
        ((1,), (7,)): two_pairs,
        ((2,), (7,)): straights,
        ((0,), (7,)): 13 * 6 * comb(50, 2) - two_pairs - straights,
    }


def test_a_law_out_of_reach_is_told():
    patterns = tuple(win.pattern for win in load_rules("doithuong").instant_wins())
    with pytest.raises(OutOfReachError):
        class_law(patterns, 13, (4,), limit=100)


# Tables of full hands


def two_seats(step, want, size=13):
    """Deals in which both seats reach a wanted state, by a programme over ranks; step(state, rank, cards) -> state."""
    states = {(0, 0, 0, 0): 1}
    for rank in range(13):
        after = Counter()
        for (cards_a, cards_b, a, b), ways in states.items():
            for take_a in range(5):
                for take_b in range(5 - take_a):
                    if cards_a + take_a <= size and cards_b + take_b <= size:
                        key = (cards_a + take_a, cards_b + take_b, step(a, rank, take_a), step(b, rank, take_b))
                        after[key] += ways * comb(4, take_a) * comb(4 - take_a, take_b)
        states = after
    return sum(n for (x, y, a, b), n in states.items() if x == y == size and want(a) and want(b))


def capped(need, groups):
    return lambda state, rank, cards: min(need, state + groups(rank, cards))


@pytest.mark.parametrize(
    ("fields", "step", "need"),
    [
        ({"kind": "straight", "length": 12}, capped(12, lambda r, n: r < 12 and n > 0), 12),
        ({"kind": "groups", "size": 3, "count": 4}, capped(4, lambda _, n: n >= 3), 4),
        ({"kind": "groups", "size": 2, "count": 6, "quad_as": 2}, capped(6, lambda _, n: n // 2), 6),
        ({"kind": "groups", "size": 2, "count": 6}, capped(6, lambda _, n: n >= 2), 6),
        (
            {"kind": "groups", "size": 2, "count": 5, "consecutive": True},
            lambda s, r, n: 5 if s == 5 else (s + 1 if n >= 2 and r < 12 else 0),
            5,
        ),
    ],
)
def test_two_seats_that_both_hold_a_pattern(fields, step, need):
    both = two_seats(step, lambda state: state == need)
    law = class_law((pattern(fields),), 13, (2,))
    assert law[((1, 1),)] == both
    assert sum(law.values()) == comb(52, 13) * comb(39, 13)


def test_sam_two_seats_with_five_pairs():
    both = two_seats(capped(5, lambda _, n: n // 2), lambda state: state == 5, 10)
    nam_doi = {win.id: win.pattern for win in load_rules("sam_loc").instant_wins()}["nam_doi"]
    assert class_law((nam_doi,), 10, (2,))[((1, 1),)] == both


def test_four_dragons():
    """Each of four seats has one card of each rank 3 … A, and then a 2."""
    dragon = (pattern({"kind": "straight", "length": 12}),)
    assert class_law(dragon, 13, (4,))[((1, 1, 1, 1),)] == factorial(4) ** 13


def quads_at_four_seats():
    """Deals in which each of four seats has two quads: [q >= 2] = C(q, 2) - 2 C(q, 3), as q is at most 3."""
    total = 0
    for three in range(5):
        ranks = factorial(13) // (2 ** (4 - three) * 6**three * factorial(5 - three))
        rest = factorial(20 - 4 * three) // (factorial(5) ** (4 - three))
        total += comb(4, three) * (-2) ** three * ranks * rest
    return total


def test_four_seats_with_two_quads_each():
    quads = (pattern({"kind": "groups", "size": 4, "count": 2}),)
    assert class_law(quads, 13, (4,))[((1, 1, 1, 1),)] == quads_at_four_seats()


def test_four_seats_of_one_suit_each():
    """The marked seats: all four of 13 cards of a suit, and one of them alone."""
    suit = (pattern({"kind": "flush", "count": 13, "of": "suit"}),)
    law = class_law(suit, 13, (4,))
    ways = {k: perm(4, k) for k in range(5)}  # suits for k given seats
    held = [comb(4, k) * ways[k] * multinomial(4 - k) for k in range(5)]  # Σ C(seats, k), as in Jordan's sums
    exactly = [sum((-1) ** (j - k) * comb(j, k) * held[j] for j in range(k, 5)) for k in range(5)]
    for k in range(5):
        entry = (tuple([0] * (4 - k) + [1] * k),)
        assert law.get(entry, 0) == exactly[k]
    assert exactly[3] == 0


def multinomial(seats):
    """Deals of 13 cards to each of so many seats, out of as many cards."""
    return factorial(13 * seats) // factorial(13) ** seats


@cache
def whole_law(preset, opening, players):
    rules = load_rules(preset)
    patterns = tuple(win.pattern for win in rules.instant_wins(opening))
    return patterns, class_law(patterns, rules.deal.hand_size, (players,))


def share(law, wanted):
    """Probability that given seats have given classes; seats are exchangeable."""
    hits = Fraction(0)
    for (entry,), deals in law.items():
        left, ways = list(entry), 1
        for c in wanted:  # any seat with the class may be the given one
            ways *= left.count(c)
            if not ways:
                break
            left.remove(c)
        hits += deals * Fraction(ways, perm(len(entry), len(wanted)))
    return hits / sum(law.values())


def test_the_whole_law_of_doithuong():
    """Eight patterns, four seats: the total, single hands, pairs of hands, and what counting gives."""
    patterns, law = whole_law("doithuong", False, 4)
    assert sum(law.values()) == multinomial(4)
    single = HandBook(patterns, 13).count()
    _, pairs = whole_law("doithuong", False, 2)
    for c in range(1, 9):
        assert share(law, (c,)) == Fraction(single.counts[c - 1], single.hands)
        for d in range(c, 9):
            assert share(law, (c, d)) == share(pairs, (c, d))
    # the dragon is the strongest pattern, so whoever holds one has class 1
    assert law[((1, 1, 1, 1),)] == factorial(4) ** 13
    dragons = two_seats(capped(12, lambda r, n: r < 12 and n > 0), lambda state: state == 12)
    assert share(law, (1, 1)) == Fraction(dragons, comb(52, 13) * comb(39, 13))
    # seven patterns before it do not keep four 2s from being at one seat only
    assert share(law, (7, 7)) == 0


@pytest.mark.parametrize("preset", ["luckywin", "zing", "sam_loc"])
def test_the_laws_of_opening_lists(preset):
    """The patterns of TLMN hold the 3♠, so one seat has them; in Sâm dragons and pair runs can meet (T142)."""
    players = 5 if preset == "sam_loc" else 4
    patterns, law = whole_law(preset, True, players)
    single = HandBook(patterns, load_rules(preset).deal.hand_size).count()
    assert share(law, (0,)) == 1 - Fraction(single.any, single.hands)
    together = {entry for (entry,) in law if sum(c > 0 for c in entry) > 1}
    if preset != "sam_loc":
        assert not together
    else:
        assert all(1 not in entry for entry in together)
        assert (0, 0, 0, 3, 3) in together
        assert (0, 0, 0, 2, 3) in together
        assert (0, 2, 2, 2, 2) in together
        assert (0, 2, 2, 2, 3) not in together


@pytest.mark.parametrize("preset", ["doithuong", "hue"])
def test_leaders_make_up_all_deals(preset):
    """Over both seats, the deals that one leads are all deals; 3♣ opens in Huế."""
    rules = load_rules(preset)
    patterns = tuple(win.pattern for win in rules.instant_wins())
    suit = "SCDH".index(rules.lead.opening_card[-1]) if isinstance(rules.lead.opening_card, str) else None
    suit = rules.lead.opening_card if suit is None else suit
    first, second = (class_law(patterns, 13, (1, 1), leader=Leader(role, suit)) for role in (0, 1))
    both = Counter(first) + Counter(second)
    assert both == class_law(patterns, 13, (1, 1))
    assert {(a, b): n for (a, b), n in first.items()} == {(b, a): n for (a, b), n in second.items()}


def test_the_leader_holds_the_opening_card():
    """Who holds 3♠ leads: the leader's part of the law of that one card, at 2 … 5 seats."""
    for size, players in ((13, 2), (13, 3), (13, 4), (10, 5)):
        law = class_law((pattern(THREE_OF_SPADES),), size, (1, players - 1), leader=Leader(0, 0))
        deals = prod(comb(52 - size * n, size) for n in range(players))
        assert law[((1,), (0,) * (players - 1))] == deals * Fraction(size, 52)
        assert sum(law.values()) == Fraction(deals, players)
        assert all(not any(entry[1]) for entry in law)
