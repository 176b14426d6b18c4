"""Counts of single hands, and hands by number, against enumeration of shortened decks."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hostile import DECK, pattern, user_patterns
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import class_of, hand_set, held, mask_of, named

from tlsim.cards import DECK as FULL
from tlsim.exact.automaton import HandBook
from tlsim.rules import load_rules


def hands_of(deck, size, holding=()):
    """All hands of a size from a deck that hold some cards."""
    rest = sorted(set(deck) - set(holding))
    return [mask_of({*holding, *cards}) for cards in combinations(rest, size - len(holding))]


def book_of(patterns, size, deck, holding=()):
    return HandBook(tuple(patterns), size, mask_of(set(holding)), FULL & ~mask_of(set(deck)))


def compare(patterns, size, deck, holding=(), holds=held):
    """Hold counts, "counts" and all hands against the list of hands."""
    hands = hands_of(deck, size, holding)
    found = [holds(patterns, mask, size) for mask in hands]
    count = book_of(patterns, size, deck, holding).count()
    assert count.hands == len(hands)
    assert count.holds == tuple(sum(at in f for f in found) for at in range(len(patterns)))
    assert count.counts == tuple(sum(bool(f) and f[0] == at for f in found) for at in range(len(patterns)))
    assert count.any == sum(map(bool, found))
    return hands, found, count


def by_name(patterns, mask, _size):
    hand = hand_set(mask)
    return [at for at, p in enumerate(patterns) if named(p.id, hand)]


# 16 cards each: 560 hands of 13 cards, and 1,001 of 10 from the lowest 14; many hold what the deck is made for.
DECKS = {
    "dragons": "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 3C 4C 2S 2C",
    "pairs": "3S 3C 4S 4C 4D 5S 5C 6D 6H 7S 7H 8S 8C 8H 2S 2C",
    "quads": "3S 3C 3D 3H 4S 4C 4D 4H 9S 9C 9D 9H 2S 2C 2D 2H",
    "triples": "3S 3C 3D 4S 4C 4D 5C 5D 5H 6S 6D 6H 7S 2S 2C 2D",
    "colours": "3S 4C 5S 6C 7S 8C 9S TC JS QC KS AC 2S 2C 3D 4H",
    "pair runs": "9S 9C TS TC JS JC QD QH KS KC KD AS AC 2S 3S 3C",
}


@pytest.mark.parametrize("deck", DECKS)
def test_hands_of_13_cards_from_16(deck):
    """All patterns of the presets in one list."""
    patterns = {}
    for preset in ("doithuong", "luckywin", "zing"):
        for opening in (False, True):
            patterns |= {win.id: win.pattern for win in load_rules(preset).instant_wins(opening)}
    assert len(patterns) == 16
    _, found, _ = compare(list(patterns.values()), 13, hand_set(mask_of(DECKS[deck])), holds=by_name)
    assert any(found)


@pytest.mark.parametrize("deck", DECKS)
def test_sam_hands_of_10_cards_from_14(deck):
    rules = load_rules("sam_loc")
    patterns = [win.pattern for opening in (True, False) for win in rules.instant_wins(opening)]
    cards = sorted(hand_set(mask_of(DECKS[deck])))[:14]
    compare(patterns, 10, cards, holds=by_name)


def test_sam_dragons_of_every_start():
    """A … T, 2 … J, 3 … Q, 4 … K, 5 … A, from one card of each rank and one more (K7, M14)."""
    rules = load_rules("sam_loc")
    patterns = [win.pattern for win in rules.instant_wins()]
    deck = hand_set(mask_of("3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH 2S 7D"))
    _, _, count = compare(patterns, 10, deck, holds=by_name)
    assert count.holds[[p.id for p in patterns].index("sanh_rong")] == 5 * 2  # each has one of two sevens


@settings(max_examples=25)
@given(st.data(), st.integers(2, 6), st.integers(0, 2**32))
def test_user_patterns_on_shortened_decks(data, size, seed):
    patterns = data.draw(st.lists(user_patterns(size), min_size=1, max_size=3))
    rng = random.Random(seed)
    ranks = rng.sample(range(13), rng.randrange(3, 7))
    near = [card for card in DECK if card[0] in ranks]
    compare(patterns, size, rng.sample(near, 11))


@pytest.mark.parametrize(
    "conditions",
    [
        [{"kind": "groups", "size": 2, "count": 2, "quad_as": 2}],
        [{"kind": "groups", "size": 2, "count": 2}],
        [{"kind": "groups", "size": 2, "count": 2, "quad_as": 2, "containing": "4H"}],
        [{"kind": "groups", "size": 2, "count": 2, "consecutive": True, "containing": "3S"}],
        [{"kind": "groups", "size": 2, "count": 2, "consecutive": True, "ranks": "3-2"}],
        [{"kind": "groups", "size": 3, "count": 1}, {"kind": "groups", "size": 2, "count": 2}],
        [{"kind": "straight", "length": 4, "starts": ["A", "2", "J"]}],
        [{"kind": "straight", "length": 3, "same_suit": True}],
        [{"kind": "flush", "count": 4, "of": "suit"}],
        [{"kind": "flush", "count": 5, "of": "colour"}, {"kind": "groups", "size": 2, "count": 1}],
        [{"kind": "holds", "cards": "3S 2H"}],
    ],
)
def test_each_kind_on_a_deck_of_16(conditions):
    """Hands of five cards from 3 4 5 A 2 in full suits but for four cards."""
    deck = [card for card in DECK if card[0] in (0, 1, 2, 11, 12)]
    deck = [card for card in deck if card not in {(0, 3), (1, 2), (11, 1), (12, 1)}]
    assert len(deck) == 16
    _, found, _ = compare([pattern(*conditions)], 5, deck)
    assert any(found)


@pytest.mark.parametrize(
    ("size", "conditions"),
    [
        (3, {"kind": "groups", "size": 2, "count": 1}),
        (2, {"kind": "groups", "size": 2, "count": 1, "containing": "9D"}),
        (3, {"kind": "straight", "length": 3, "starts": ["A", "2", "3", "Q"]}),
        (3, {"kind": "straight", "length": 3, "same_suit": True}),
        (2, {"kind": "straight", "length": 2, "same_suit": True, "starts": ["A", "K", "2"]}),
        (3, {"kind": "flush", "count": 3, "of": "suit"}),
        (3, {"kind": "flush", "count": 2, "of": "colour"}),
        (3, {"kind": "holds", "cards": "3S"}),
        (2, {"kind": "groups", "size": 2, "count": 1, "ranks": ["2", "3"]}),
        (1, {"kind": "flush", "count": 1, "of": "suit"}),
    ],
)
def test_small_hands_from_the_whole_deck(size, conditions):
    compare([pattern(conditions)], size, DECK)


@pytest.mark.parametrize(("holding", "missing"), [("3S", ""), ("3S 3C", "4S 9H"), ("", "3S 3C 3D"), ("5H 6H", "7S")])
def test_known_cards(holding, missing):
    """``holding`` is in every hand, ``dead`` in none."""
    patterns = [
        pattern({"kind": "groups", "size": 2, "count": 2, "quad_as": 2}),
        pattern({"kind": "straight", "length": 4}),
        pattern({"kind": "flush", "count": 4, "of": "colour"}),
    ]
    deck = set(random.Random(5).sample([card for card in DECK if card[0] < 7], 14))
    deck = (deck | hand_set(mask_of(holding))) - hand_set(mask_of(missing))
    compare(patterns, 5, deck, sorted(hand_set(mask_of(holding))))


def test_known_cards_out_of_the_whole_deck():
    """By counting: four 2s given two of them; given one that is elsewhere; a hand known but for one card."""
    quad = (pattern({"kind": "holds", "cards": "2S 2C 2D 2H"}),)
    two = mask_of("2S 2C")
    count = HandBook(quad, 13, holding=two).count()
    assert (count.hands, count.holds) == (comb(50, 11), (comb(48, 9),))
    count = HandBook(quad, 13, holding=two, dead=mask_of("2D")).count()
    assert (count.hands, count.holds) == (comb(49, 11), (0,))
    twelve = mask_of("2S 2C 2D 4S 5S 6S 7S 8S 9S TS JS QS")
    count = HandBook(quad, 13, holding=twelve, dead=mask_of("3S 3C")).count()
    assert (count.hands, count.holds) == (38, (1,))


def test_number_of_hands():
    assert HandBook((), 13).count().hands == 635_013_559_600  # DESIGN §6
    assert HandBook((), 10).count().hands == 15_820_024_220
    assert HandBook((), 13, holding=0b11, dead=0b100).count().hands == comb(49, 11)


FIND = [
    pattern({"kind": "groups", "size": 3, "count": 1}),
    pattern({"kind": "groups", "size": 2, "count": 2, "quad_as": 2}),
    pattern({"kind": "straight", "length": 4, "starts": ["A", "3"]}),
    pattern({"kind": "flush", "count": 4, "of": "suit"}),
]


@pytest.mark.parametrize("counting", [False, True])
@pytest.mark.parametrize("holding", ["", "3S", "2H 3D"])
@pytest.mark.parametrize("at", range(len(FIND)))
def test_every_number_is_one_hand_and_every_hand_has_a_number(at, holding, counting):
    held_cards = hand_set(mask_of(holding))
    deck = set(random.Random(at).sample([c for c in DECK if c[0] in (0, 1, 2, 3, 11, 12)], 14)) | held_cards
    hands = hands_of(deck, 5, sorted(held_cards))
    if counting:
        wanted = {mask for mask in hands if class_of(FIND, mask, 5) == at + 1}
    else:
        wanted = {mask for mask in hands if at in held(FIND, mask, 5)}
    book = book_of(FIND, 5, deck, sorted(held_cards))
    found = book.find(np.arange(len(wanted)), at, counting=counting)
    assert found.dtype == np.int64
    assert len(set(found.tolist())) == len(found)
    assert set(found.tolist()) == wanted
    backwards = book.find(np.arange(len(wanted))[::-1].copy(), at, counting=counting)
    assert backwards.tolist() == found[::-1].tolist()  # a hand depends on its number alone


def test_numbers_of_all_four_2s_of_the_whole_deck():
    """First, last and some between, out of C(48, 9): distinct, and all hold the four 2s."""
    rules = load_rules("doithuong")
    patterns = tuple(win.pattern for win in rules.instant_wins())
    at = [p.id for p in patterns].index("tu_quy_2")
    book = HandBook(patterns, 13)
    total = comb(48, 9)
    numbers = np.array([0, 1, 2, total // 2, total - 2, total - 1])
    for counting in (False, True):
        numbers = numbers if not counting else numbers * 0 + np.array([0, 1, 2, 3, 4, book.count().counts[at] - 1])
        hands = book.find(numbers, at, counting=counting).tolist()
        assert len(set(hands)) == 6
        for mask in hands:
            hand = hand_set(mask)
            assert len(hand) == 13
            assert named("tu_quy_2", hand)
            stronger = [p.id for p in patterns[:at] if named(p.id, hand)]
            assert not (counting and stronger)


@pytest.mark.parametrize("preset", ["doithuong", "luckywin", "zing", "sam_loc"])
def test_hands_by_number_hold_every_pattern_of_a_list(preset):
    """Numbers spread over the whole range, the ends included; 000's order of strength is not that of rarity."""
    rules = load_rules(preset)
    size = rules.deal.hand_size
    book = HandBook(tuple(win.pattern for win in rules.instant_wins()), size)
    count = book.count()
    for at, p in enumerate(book.patterns):
        for counting, total in ((False, count.holds[at]), (True, count.counts[at])):
            step = max(1, total // 7)
            numbers = np.array(sorted({*range(0, total, step), total - 1}))
            hands = book.find(numbers, at, counting=counting).tolist()
            assert len(set(hands)) == len(numbers)
            for mask in hands:
                found = by_name(book.patterns, mask, size)
                assert len(hand_set(mask)) == size
                assert at in found, p.id
                assert not counting or found[0] == at
