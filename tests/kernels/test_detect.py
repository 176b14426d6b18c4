"""The detection kernel against the slow twin: presets, hostile hands, patterns of every kind with any parameters."""

import random
from functools import cache

import numpy as np
import pytest
from compiled import kept
from hostile import hostile_hands, pattern, user_patterns
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import RANKS, SUITS, held, mask_of

from tlsim.kernels.detect import MOST_PATTERNS, bench, compile_tests, detect
from tlsim.rules import list_rules, load_rules


@kept
def _detect(tests, hands, room):
    detect(tests, hands, room)


def bits_of(patterns, hands, hand_size):
    """The bits of the patterns that each hand holds, by the kernel."""
    room = bench(len(hands))
    room.held[:] = -1  # what stood there must not matter
    _detect(compile_tests(patterns, hand_size), np.array(hands, dtype=np.int64), room)
    return room.held.tolist()


def slow_bits(patterns, hands, hand_size):
    return [sum(1 << at for at in held(patterns, hand, hand_size)) for hand in hands]


def agree(patterns, hands, hand_size):
    assert bits_of(patterns, hands, hand_size) == slow_bits(patterns, hands, hand_size)


def random_hands(seed, number, hand_size):
    rng = random.Random(seed)
    return [sum(1 << card for card in rng.sample(range(52), hand_size)) for _ in range(number)]


@cache
def some_hands(hand_size):
    """Hands near the patterns of the presets, and hands as they come."""
    return hostile_hands(random.Random(1), hand_size, 800) + random_hands(2, 200, hand_size)


def preset_lists():
    found, seen = {}, set()
    for name in list_rules():
        for opening in (False, True):
            patterns = tuple(win.pattern for win in load_rules(name).instant_wins(opening))
            tests = tuple(pattern.all_of for pattern in patterns)
            if patterns and tests not in seen:
                seen.add(tests)
                found[f"{name}-{'opening' if opening else 'regular'}"] = patterns
    return found


LISTS = preset_lists()


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_the_presets(name):
    patterns = LISTS[name]
    size = 10 if name.startswith("sam_loc") else 13
    agree(patterns, some_hands(size), size)
    seen = np.bitwise_or.reduce(bits_of(patterns, some_hands(size), size))
    assert seen == (1 << len(patterns)) - 1  # each pattern came up


@settings(max_examples=250)
@given(user_patterns(13), st.integers(0, 2**32))
def test_patterns_of_a_user_with_13_cards(one, seed):
    agree([one], hostile_hands(random.Random(seed), 13, 24), 13)


@settings(max_examples=150)
@given(user_patterns(10), st.integers(0, 2**32))
def test_patterns_of_a_user_with_10_cards(one, seed):
    agree([one], hostile_hands(random.Random(seed), 10, 24), 10)


@settings(max_examples=60)
@given(st.lists(user_patterns(13), min_size=2, max_size=8), st.integers(0, 2**32))
def test_lists_of_a_user(patterns, seed):
    agree(patterns, hostile_hands(random.Random(seed), 13, 24), 13)


def near(rng, cards, hand_size):
    """Hands that hold some cards, and the same hands without one of them."""
    found = []
    for _ in range(3):
        rest = [card for card in range(52) if not cards >> card & 1]
        hand = cards | sum(1 << card for card in rng.sample(rest, hand_size - cards.bit_count()))
        missing = rng.choice([card for card in range(52) if cards >> card & 1])
        instead = rng.choice([card for card in range(52) if not hand >> card & 1])
        found += [hand, hand & ~(1 << missing) | 1 << instead]
    return found


ROW = "A23456789TJQKA"


@pytest.mark.parametrize("same_suit", [False, True])
@pytest.mark.parametrize("length", range(2, 14))
def test_straights_of_every_length_and_start(length, same_suit):
    """Low starts, where A and 2 stand below the 3, among them."""
    rng = random.Random(length)
    for at in range(14 - length + 1):
        ranks = ROW[at : at + length]
        one = pattern({"kind": "straight", "length": length, "starts": [ranks[0]], "same_suit": same_suit})
        if at == 13 or one.all_of[0].start_positions[0] != at:
            continue  # the high ace starts nothing
        suit = rng.choice(SUITS)
        core = mask_of({(RANKS.index(r), SUITS.index(suit if same_suit else rng.choice(SUITS))) for r in ranks})
        every = pattern({"kind": "straight", "length": min(length, 12), "same_suit": same_suit})
        agree([one, every], near(rng, core, 13) + random_hands(at, 3, 13), 13)


def test_a_run_goes_neither_round_nor_past_the_ace():
    low = pattern({"kind": "straight", "length": 3, "starts": ["A", "2"]})
    usual = pattern({"kind": "straight", "length": 3})
    rest = " 6S 8S 8D 8H TS TD TH TC 6D"
    for run, wanted in (("QS KD AH 2C", 0b10), ("KC KD AH 2C", 0b00), ("KD AH 2C 3S", 0b01), ("KD 2C 3S 4S", 0b01)):
        assert bits_of([low, usual], [mask_of(run + rest)], 13) == [wanted]


@pytest.mark.parametrize("of", ["suit", "colour"])
@pytest.mark.parametrize("others", [0, 1, 2, 5, 12])
def test_flushes_with_so_many_other_cards(others, of):
    """None and one have loops of their own; a hand with one card more does not fit."""
    one = pattern({"kind": "flush", "count": 13 - others, "of": of})
    rng = random.Random(others)
    hands = random_hands(others, 60, 13)
    for part in ([{0}, {1}, {2}, {3}] if of == "suit" else [{0, 1}, {2, 3}]) * 10:
        inside = [card for card in range(52) if card % 4 in part]
        outside = [card for card in range(52) if card % 4 not in part]
        for extra in (max(0, others - 1), others, min(13, others + 1)):
            cards = rng.sample(inside, 13 - extra) + rng.sample(outside, extra)
            hands.append(sum(1 << card for card in cards))
    agree([one], hands, 13)
    if others < 8:
        assert 0 < sum(bits_of([one], hands, 13)) < len(hands)


@pytest.mark.parametrize("quad_as", [1, 2])
@pytest.mark.parametrize("count", range(1, 7))
def test_pairs_with_a_quad_as_one_or_two(count, quad_as):
    one = pattern({"kind": "groups", "size": 2, "count": count, "quad_as": quad_as})
    part = pattern({"kind": "groups", "size": 2, "count": min(count, 4), "quad_as": quad_as, "ranks": "9-Q"})
    agree([one, part], some_hands(13)[:400], 13)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("consecutive", [False, True])
def test_groups_that_contain_a_card(size, consecutive):
    rng = random.Random(size)
    for card in ("3S", "7D", "AH", "KC"):
        count = rng.randrange(1, 1 + min(4, 13 // size))
        conditions = {"kind": "groups", "size": size, "count": count, "consecutive": consecutive, "containing": card}
        agree([pattern(conditions)], some_hands(13)[:200], 13)


def test_a_list_of_as_many_patterns_as_there_are_bits():
    """One pattern for each of 52 cards and ten more; the highest bits are neither lost nor a sign."""
    cards = [pattern({"kind": "holds", "cards": RANKS[c // 4] + SUITS[c % 4]}, ident=f"card_{c}") for c in range(52)]
    ranks = [pattern({"kind": "groups", "size": 2, "count": n}, ident=f"pairs_{n}") for n in range(1, 7)]
    runs = [pattern({"kind": "straight", "length": n}, ident=f"run_{n}") for n in (3, 5, 7, 12)]
    patterns = cards + ranks + runs
    assert len(patterns) == MOST_PATTERNS
    hands = some_hands(13)[:300]
    found = bits_of(patterns, hands, 13)
    assert [bits & (1 << 52) - 1 for bits in found] == hands
    assert found == slow_bits(patterns, hands, 13)
    assert min(found) >= 0
    backwards = bits_of(patterns[::-1], hands, 13)
    assert backwards == [int(f"{bits:062b}"[::-1], 2) for bits in found]


def test_a_list_of_no_patterns():
    assert bits_of([], random_hands(0, 5, 13), 13) == [0] * 5


def test_a_pattern_with_all_conditions_at_once():
    conditions = [
        {"kind": "groups", "size": 2, "count": 2},
        {"kind": "straight", "length": 4},
        {"kind": "flush", "count": 6, "of": "suit"},
        {"kind": "holds", "cards": "2S"},
    ]
    patterns = [pattern(*conditions), *map(pattern, conditions)]
    hands = [hand | 1 << 48 for hand in random_hands(5, 3000, 12) if not hand >> 48 & 1]
    found = bits_of(patterns, hands, 13)
    assert all((bits & 1) == (bits >> 1 == 0b1111) for bits in found)
    assert sum(bits & 1 for bits in found) > 20


@pytest.mark.parametrize("number", [1, 2, 3, 255, 256, 257, 1000])
def test_any_number_of_hands(number):
    """Vectors end at multiples of some number; the hands after them count too."""
    patterns = LISTS["luckywin-regular"]
    hands = [mask_of("3S 3C 3D 4S 4C 4D 5S 5C 5D 6S 6C 6D 2H")] * number
    found = bits_of(patterns, hands, 13)
    assert found == slow_bits(patterns, hands[:1], 13) * number
    assert found[0]
