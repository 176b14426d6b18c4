"""The automata against the slow twin: what a hand holds, by walking and by choosing cards."""

import random

import pytest
from hostile import hostile_hands, pattern, shaped_hand, user_patterns
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import hand_set, held, named

from tlsim.exact.automaton import READ_ORDER, build, patterns_of, strongest, with_output
from tlsim.rules import load_rules


def walk(automaton, mask):
    """Patterns held, as bits."""
    state = 0
    for rank, following in zip(READ_ORDER, automaton.following, strict=True):
        state = following[state, mask >> 4 * rank & 15]
        assert state >= 0
    return int(automaton.output[state])


def as_bits(indices):
    return sum(1 << at for at in indices)


@pytest.mark.parametrize("opening", [False, True])
@pytest.mark.parametrize("preset", ["doithuong", "luckywin", "zing", "hue", "mien_bac", "sam_loc"])
def test_the_lists_of_the_presets_on_hostile_hands(preset, opening):
    rules = load_rules(preset)
    patterns = [win.pattern for win in rules.instant_wins(opening)]
    size = rules.deal.hand_size
    automaton = build(patterns, size)
    rng = random.Random(f"{preset} {opening}")
    for mask in hostile_hands(rng, size, 400):
        hand = hand_set(mask)
        assert walk(automaton, mask) == as_bits(at for at, p in enumerate(patterns) if named(p.id, hand)), mask


@settings(max_examples=50)
@given(st.data(), st.sampled_from([2, 3, 5, 8, 10, 13]), st.integers(0, 2**32))
def test_lists_that_a_user_may_declare(data, hand_size, seed):
    patterns = data.draw(st.lists(user_patterns(hand_size), min_size=1, max_size=4))
    automaton = build(patterns, hand_size)
    rng = random.Random(seed)
    for _ in range(12):
        mask = shaped_hand(rng, hand_size)
        assert walk(automaton, mask) == as_bits(held(patterns, mask, hand_size)), mask


@settings(max_examples=20)
@given(st.data(), st.integers(0, 2**32))
def test_patterns_of_one_hand(data, seed):
    patterns = data.draw(st.lists(user_patterns(7), min_size=1, max_size=3))
    mask = shaped_hand(random.Random(seed), 7)
    assert patterns_of(mask, patterns, 7) == held(patterns, mask, 7)


@pytest.mark.parametrize("cards", [0, 6, 8, 13])
def test_a_hand_of_another_size_is_refused(cards):
    with pytest.raises(ValueError, match="it must have 7"):
        patterns_of((1 << cards) - 1, [pattern({"kind": "holds", "cards": "3S"})], 7)


def test_a_pattern_that_needs_more_cards_than_a_hand_has_is_never_held():
    """It also leaves the others alone."""
    pair = {"kind": "groups", "size": 2, "count": 1}
    for big in (
        {"kind": "flush", "count": 4, "of": "suit"},
        {"kind": "flush", "count": 5, "of": "suit"},
        {"kind": "flush", "count": 13, "of": "colour"},
        {"kind": "groups", "size": 2, "count": 2},
        {"kind": "groups", "size": 4, "count": 1, "ranks": ["2"]},
        {"kind": "straight", "length": 4},
        {"kind": "straight", "length": 4, "same_suit": True},
        {"kind": "holds", "cards": "3S 4S 5S 6S"},
    ):
        automaton = build([pattern(pair), pattern(big), pattern({"kind": "holds", "cards": "3S"})], 3)
        assert walk(automaton, 0b0011 << 4 | 1) == 0b101
        assert walk(automaton, 0b0010 << 4 | 1 | 1 << 51) == 0b100
        assert walk(automaton, 0b0111 << 48) == 0b001


def test_the_automaton_is_minimal_in_every_layer():
    """No two states of a layer read the same cards and go the same ways."""
    rules = load_rules("zing")
    automaton = build([win.pattern for win in rules.instant_wins()], 13)
    for cards, following in zip(automaton.cards, automaton.following, strict=False):
        rows = {(int(n), *map(int, row)) for n, row in zip(cards, following, strict=True)}
        assert len(rows) == len(following)
        assert all(max(row[1:]) >= 0 for row in rows)
    assert len(set(automaton.output.tolist())) == len(automaton.output)


def test_equal_patterns_in_other_words_give_the_same_automaton():
    """A rank with four cards is a quad by `groups` and by `holds`; a straight is a run of single cards."""
    pairs = [
        ({"kind": "holds", "cards": "2S 2C 2D 2H"}, {"kind": "groups", "size": 4, "count": 1, "ranks": ["2"]}),
        ({"kind": "straight", "length": 12}, {"kind": "groups", "size": 1, "count": 12, "ranks": "3-A"}),
        ({"kind": "straight", "length": 5}, {"kind": "groups", "size": 1, "count": 5, "consecutive": True}),
        ({"kind": "groups", "size": 1, "count": 1, "containing": "9D"}, {"kind": "holds", "cards": "9D"}),
    ]
    for one, other in pairs:
        a, b = build([pattern(one)], 13), build([pattern(other)], 13)
        assert [len(cards) for cards in a.cards] == [len(cards) for cards in b.cards]
        both = build([pattern(one), pattern(other)], 13)
        assert set(both.output.tolist()) == {0, 3}


def test_with_output_keeps_what_it_is_told():
    patterns = [win.pattern for win in load_rules("doithuong").instant_wins()]
    plain = build(patterns, 13)
    classes = with_output(plain, strongest)
    assert sum(map(len, classes.cards)) < sum(map(len, plain.cards))
    rng = random.Random(1)
    for mask in hostile_hands(rng, 13, 200):
        assert walk(classes, mask) == strongest(walk(plain, mask))


def test_strongest():
    assert [strongest(bits) for bits in (0, 1, 2, 3, 0b1010, 1 << 61)] == [0, 1, 2, 1, 2, 62]
