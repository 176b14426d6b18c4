"""The kinds of pattern: what they declare, how they come down to elementary tests, and what they refuse.

The elementary tests are read here card by card and held to the declared meaning (`naive.holds`), which chooses actual
cards; so the reduction in `tlsim.patterns` is checked apart from automata and kernels.
"""

import random
from itertools import combinations

import pytest
from hostile import CORES, hostile_hands, near_hand, pattern, shaped_hand, user_patterns
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import NAMED, class_of, hand_set, held, holds, mask_of, meets, named, of_rank, winner
from pydantic import ValidationError

from tlsim.patterns import Count, Flush, Holds, Lacks, Pattern, Run, Ways, position_rank
from tlsim.rules import list_rules, load_rules

PAIR_RUN = {"kind": "groups", "size": 2, "count": 2, "consecutive": True}
LINE = "A23456789TJQKA2"  # the fifteen positions of a run


def passes(test, hand):  # noqa: PLR0911 (one kind of test after another)
    """One elementary test, read from its docstring."""
    match test:
        case Run(level, length, starts):
            windows = [["3456789TJQKA2".index(LINE[start + i]) for i in range(length)] for start in starts]
            if level:
                return any(all(len(of_rank(hand, rank)) >= level for rank in window) for window in windows)
            return any(all((rank, suit) in hand for rank in window) for window in windows for suit in range(4))
        case Count(size, count, ranks, quad_as):
            groups = 0
            for rank in ranks:
                cards = len(of_rank(hand, rank))
                groups += quad_as if cards == 4 else int(cards >= size)
            return groups >= count
        case Flush(others, parts):
            return any(len(hand - hand_set(part)) <= others for part in parts)
        case Holds(cards):
            return hand_set(cards) <= hand
        case Lacks(cards, 0):
            return not hand_set(cards) & hand
        case Ways(demands):
            return any(
                all(len(of_rank(hand, rank)) >= demand >> 4 * rank & 15 for rank in range(13)) for demand in demands
            )
    raise AssertionError(test)


def reduced(some_pattern, hand):
    return all(passes(test, hand) for test in some_pattern.tests(len(hand)))


def preset_patterns(hand_size):
    """Every pattern of the presets for a hand size, by id; one id is one pattern."""
    found = {}
    for name in list_rules():
        rules = load_rules(name)
        if rules.deal.hand_size == hand_size:
            for opening in (False, True):
                for win in rules.instant_wins(opening):
                    found.setdefault(win.id, Pattern(id=win.id, all_of=win.pattern.all_of))
                    assert found[win.id].all_of == win.pattern.all_of
    return found


def test_the_presets_have_exactly_the_patterns_of_the_design():
    assert set(preset_patterns(13)) == set(NAMED[13])
    assert set(preset_patterns(10)) == set(NAMED[10])


@pytest.mark.parametrize("hand_size", [13, 10])
def test_the_declarations_say_what_the_rules_say(hand_size):
    """F3 and K7 by hand, the declared meaning and the elementary tests agree; each pattern is met and missed."""
    patterns = preset_patterns(hand_size)
    rng = random.Random(hand_size)
    seen = {ident: set() for ident in patterns}
    for mask in hostile_hands(rng, hand_size, 1000):
        hand = hand_set(mask)
        for ident, declared in patterns.items():
            expected = named(ident, hand)
            assert holds(declared, hand, hand_size) == expected, (ident, mask)
            assert reduced(declared, hand) == expected, (ident, mask)
            seen[ident].add(expected)
    assert all(values == {True, False} for values in seen.values()), seen


@pytest.mark.parametrize(("hand_size", "ident"), [(size, ident) for size in (13, 10) for ident in CORES[size]])
def test_hands_one_or_two_cards_off_a_pattern(hand_size, ident):
    patterns = preset_patterns(hand_size)
    rng = random.Random(f"{hand_size} {ident}")
    for _ in range(60):
        mask = near_hand(rng, CORES[hand_size][ident], hand_size)
        hand = hand_set(mask)
        expected = {name for name in patterns if named(name, hand)}
        assert {name for name, declared in patterns.items() if reduced(declared, hand)} == expected, mask


@settings(max_examples=150)
@given(st.data(), st.sampled_from([3, 5, 7, 10, 13]), st.integers(0, 2**32))
def test_any_pattern_comes_down_to_its_elementary_tests(data, hand_size, seed):
    declared = data.draw(user_patterns(hand_size))
    rng = random.Random(seed)
    for _ in range(12):
        hand = hand_set(shaped_hand(rng, hand_size))
        assert reduced(declared, hand) == holds(declared, hand, hand_size), hand


@pytest.mark.parametrize(
    ("fields", "deck", "size"),
    [
        ({"kind": "groups", "size": 2, "count": 2, "quad_as": 2}, "3S 3C 3D 3H 4S 4C 5S 5C 5D 6S", 5),
        ({"kind": "groups", "size": 2, "count": 2, "quad_as": 1}, "3S 3C 3D 3H 4S 4C 5S 5C 5D 6S", 5),
        ({"kind": "groups", "size": 2, "count": 3, "quad_as": 2, "containing": "3C"}, "3S 3C 3D 3H 4S 4C 4D 4H 2S", 6),
        ({"kind": "groups", "size": 3, "count": 1, "containing": "4D"}, "3S 3C 3D 3H 4S 4C 4D 4H 2S", 5),
        ({"kind": "groups", "size": 1, "count": 3, "containing": "2S"}, "3S 3C 4S 5S 5H 2S 2D 2H", 4),
        (PAIR_RUN | {"containing": "4H"}, "3S 3C 3D 4S 4C 4H 5S 5H 6S", 5),
        (PAIR_RUN, "KS KC AS AC AD 2S 2C 3S 3C", 5),
        (PAIR_RUN | {"ranks": "3-2"}, "KS KC AS AC AD 2S 2C 3S 3C", 5),
        ({"kind": "groups", "size": 2, "count": 2, "ranks": ["3", "2"]}, "3S 3C 4S 4C 2S 2C 2D AS AC", 5),
        ({"kind": "straight", "length": 3}, "QS KC AD AS 2C 2D 3S 3H 4S 5S", 4),
        ({"kind": "straight", "length": 3, "starts": ["A"]}, "QS KC AD AS 2C 2D 3S 3H 4S 5S", 4),
        ({"kind": "straight", "length": 3, "starts": ["2", "Q"]}, "QS KC AD AS 2C 2D 3S 3H 4S 5S", 4),
        ({"kind": "straight", "length": 3, "same_suit": True}, "3S 4S 5S 5C 6C 6S 7C 7D 8C 9S", 5),
        ({"kind": "straight", "length": 2, "starts": ["A", "3"], "same_suit": True}, "AS AC 2S 2D 3C 3D 4D 4S", 3),
        ({"kind": "flush", "count": 3, "of": "suit"}, "3S 4S 5S 3C 4C 5C 3D 4D 5H", 4),
        ({"kind": "flush", "count": 4, "of": "colour"}, "3S 4S 5S 3C 4C 5C 3D 4D 5H", 5),
        ({"kind": "holds", "cards": "3S 5H"}, "3S 4S 5S 3C 4C 5C 3D 4D 5H", 4),
    ],
)
def test_every_hand_of_a_small_deck(fields, deck, size):
    declared = pattern(fields)
    answers = []
    for cards in combinations(sorted(hand_set(mask_of(deck))), size):
        answers.append(holds(declared, set(cards), size))
        assert reduced(declared, set(cards)) == answers[-1], cards
    assert set(answers) == {True, False}


class TestMeaning:
    """Hands written out for the points on which readings differ."""

    def meets(self, text, **fields):
        hand = hand_set(mask_of(text))
        declared = pattern(fields)
        assert holds(declared, hand, len(hand)) == reduced(declared, hand)
        return reduced(declared, hand)

    def test_a_quad_is_two_pairs_where_it_says_so(self):  # 001#R40
        six = {"kind": "groups", "size": 2, "count": 6}
        text = "3S 3C 3D 3H 5S 5C 5D 5H 8C 8D TS TC 7C"
        assert self.meets(text, **six, quad_as=2)
        assert not self.meets(text, **six)

    def test_a_triple_supplies_one_pair(self):  # F3
        assert not self.meets("3S 3C 3D 4S 4C 4D 5S 5C 5D 6S 6C 6D 7S", kind="groups", size=2, count=5, quad_as=2)
        assert self.meets("3S 3C 3D 4S 4C 4D 5S 5C 5D 6S 6C 6D 7S", kind="groups", size=2, count=4, quad_as=2)

    def test_no_run_goes_through_a_2_unless_ranks_say_so(self):  # 002#R12
        run = {"kind": "groups", "size": 2, "count": 3, "consecutive": True}
        assert not self.meets("KS KC AS AC 2S 2C 5D", **run)
        assert self.meets("KS KC AS AC 2S 2C 5D", **run, ranks="3-2")
        assert not self.meets("AS AC 2S 2C 3S 3C 9D", **run, ranks="3-2")  # no wrap

    def test_straights_start_low_at_ace_or_two_only_where_asked(self):  # 003#R23
        assert not self.meets("AS 2C 3D 9S", kind="straight", length=3)
        assert self.meets("AS 2C 3D 9S", kind="straight", length=3, starts=["A"])
        assert not self.meets("2S 3C 4D 9S", kind="straight", length=3, starts=["A"])
        assert self.meets("2S 3C 4D 9S", kind="straight", length=3, starts=["A", "2"])
        assert not self.meets("KS AC 2D 9S", kind="straight", length=3, starts=["A", "2"])
        assert self.meets("QS KC AD 9S", kind="straight", length=3)

    def test_the_card_must_be_one_of_the_group(self):  # F2
        run = {"kind": "groups", "size": 2, "count": 3, "consecutive": True, "containing": "3S"}
        assert self.meets("3S 3C 4S 4D 5C 5H 8S 9D", **run)
        assert self.meets("3S 3C 3D 4S 4D 5C 5H 8S", **run)  # any two of the threes, so the 3♠ too
        assert not self.meets("3C 3D 4S 4D 5C 5H 8S 9D", **run)
        assert not self.meets("3S 6S 6C 7S 7D 8C 8H 9D", **run)

    def test_thirteen_of_a_colour_are_twelve_too(self):  # F3
        black = "3S 4S 5C 6S 7C 8S 9C JS QC KS AS 2C 4C"
        assert self.meets(black, kind="flush", count=12, of="colour")
        assert not self.meets(black, kind="flush", count=12, of="suit")

    def test_five_pairs_and_a_triple(self):  # DESIGN §4, a user's own pattern
        declared = pattern(
            {"kind": "groups", "size": 2, "count": 6, "quad_as": 1}, {"kind": "groups", "size": 3, "count": 1}
        )
        for text, expected in [
            ("3S 3C 5S 5C 7S 7C 9S 9C JS JC KS KC KD", True),
            ("3S 3C 5S 5C 7S 7C 9S 9C JS JC KS KC AD", False),
            ("3S 3C 3D 3H 5S 5C 7S 7C 9S 9C JS JC JD", False),  # the quad is one pair here, so there are five
            ("3S 3C 3D 3H 5S 5C 7S 7C 9S 9C JS JC KD", False),
        ]:
            hand = hand_set(mask_of(text))
            assert holds(declared, hand, 13) == reduced(declared, hand) == expected, text


def refused(fields):
    with pytest.raises(ValidationError) as caught:
        pattern(fields)
    return str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "straight", "length": 3, "starts": ["K"]}, "of 3 cannot start at K: it may not run past the ace"),
        ({"kind": "straight", "length": 3, "starts": ["3", "K", "A"]}, "a straight of 3 cannot start at K"),
        ({"kind": "straight", "length": 13}, "a straight of 13 cannot start at 3"),
        ({"kind": "straight", "length": 10, "starts": ["6"]}, "A and 2 are low ends"),
        ({"kind": "straight", "length": 14}, "less than or equal to 13"),
        ({"kind": "straight", "length": 1}, "greater than or equal to 2"),
        ({"kind": "straight", "length": 3, "starts": []}, "must be a list of ranks"),
        ({"kind": "straight", "length": 3, "starts": ["1"]}, "'1' is not a rank"),
        ({"kind": "straight", "length": "3"}, "valid integer"),
        ({"kind": "groups", "size": 2, "count": 2, "ranks": ["3", "4"], "containing": "5S"}, "'5S' is outside ranks"),
        (PAIR_RUN | {"containing": "2S"}, "'2S' is outside ranks"),
        ({"kind": "groups", "size": 2, "count": 3, "ranks": ["3", "4"]}, "3 groups cannot come from 2 ranks"),
        ({"kind": "groups", "size": 2, "count": 5, "ranks": ["3", "4"], "quad_as": 2}, "5 groups cannot come from 2"),
        (PAIR_RUN | {"count": 13}, "13 groups cannot come from 12 ranks"),
        (PAIR_RUN | {"count": 3, "ranks": ["3", "4", "6"]}, "no 3 consecutive ranks"),
        (PAIR_RUN | {"count": 3, "ranks": ["K", "A", "2", "3"], "containing": "3S"}, "no wrap"),
        ({"kind": "groups", "size": 3, "count": 2, "quad_as": 2}, "quad_as = 2 is for pairs"),
        (PAIR_RUN | {"quad_as": 2}, "quad_as = 2 is for pairs"),
        ({"kind": "groups", "size": 2, "count": 2, "quad_as": 3}, "Input should be 1 or 2"),
        ({"kind": "groups", "size": 5, "count": 1}, "less than or equal to 4"),
        ({"kind": "groups", "size": 0, "count": 1}, "greater than or equal to 1"),
        ({"kind": "groups", "size": 2, "count": 0}, "greater than or equal to 1"),
        ({"kind": "groups", "size": 2, "count": True}, "valid integer"),
        ({"kind": "groups", "size": 2, "count": 1, "ranks": "A-3"}, "runs backwards"),
        ({"kind": "groups", "size": 2, "count": 1, "ranks": True}, "must be a list of ranks"),
        ({"kind": "groups", "size": 2, "count": 1, "ranks": ["joker"]}, "'joker' is not a rank"),
        ({"kind": "groups", "size": 2, "count": 1, "containing": "3S 3C"}, "must be one card in quotes"),
        ({"kind": "groups", "size": 2, "count": 1, "containing": 0}, "must be one card in quotes"),
        ({"kind": "groups", "size": 2, "count": 1, "color": "red"}, "Extra inputs are not permitted"),
        ({"kind": "flush", "count": 12, "of": "rank"}, "'suit' or 'colour'"),
        ({"kind": "flush", "count": 14, "of": "suit"}, "less than or equal to 13"),
        ({"kind": "holds", "cards": ""}, "must name at least one card"),
        ({"kind": "holds", "cards": "3S 3S"}, "there twice"),
        ({"kind": "holds", "cards": [3]}, "must be cards in quotes, such as '3S 3C' or ['3S', '3C']"),
        ({"kind": "holds", "cards": 3}, "must be cards in quotes"),
        ({"kind": "holds", "cards": []}, "must name at least one card"),
        ({"kind": "holds", "cards": ["3S", "3C 3S"]}, "there twice"),
        ({"kind": "holds", "cards": ["3S", "3X"]}, "cannot read '3X'"),
        ({"kind": "holds", "cards": "3X"}, "cannot read '3X'"),
        ({"kind": "pairs"}, "'groups', 'straight', 'flush', 'holds'"),
        ({}, "Unable to extract tag"),
    ],
)  # fmt: skip
def test_what_no_hand_can_hold_or_nobody_can_mean_is_refused(fields, message):
    assert message in refused(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "straight", "length": 13, "starts": ["A"]},
        {"kind": "straight", "length": 13, "starts": ["2"]},
        {"kind": "straight", "length": 10, "starts": ["A", "2", "3", "4", "5"]},
        {"kind": "straight", "length": 12, "starts": "3"},
        {"kind": "straight", "length": 3, "starts": "3-Q"},
        {"kind": "groups", "size": 2, "count": 4, "ranks": ["3", "4"], "quad_as": 2},
        {"kind": "groups", "size": 1, "count": 13},
        {"kind": "groups", "size": 2, "count": 1, "ranks": 3},
        {"kind": "groups", "size": 2, "count": 1, "ranks": ["10", "T", 2]},
        PAIR_RUN | {"ranks": ["A", "2"], "containing": "2H"},
    ],
)
def test_the_outermost_values_are_taken(fields):
    assert pattern(fields)


@pytest.mark.parametrize("ident", ["", "P", "5_doi", "năm_đôi", "a b", "a-b", "_a", "x" * 61])
def test_a_wrong_id_is_refused(ident):
    with pytest.raises(ValidationError):
        pattern({"kind": "holds", "cards": "3S"}, ident=ident)


@pytest.mark.parametrize("number", [0, 17])
def test_a_pattern_has_one_to_sixteen_conditions(number):
    with pytest.raises(ValidationError, match="all_of"):
        pattern(*[{"kind": "holds", "cards": "3S"}] * number)


def test_the_line_of_positions():
    assert "".join("3456789TJQKA2"[position_rank(p)] for p in range(15)) == LINE


def test_a_test_that_two_conditions_share_comes_once():
    twice = pattern({"kind": "holds", "cards": "3S"}, {"kind": "holds", "cards": "3S"})
    assert twice.tests(13) == [Holds(1)]


def test_lists_of_the_slow_twin():
    rules = load_rules("doithuong")
    patterns = [win.pattern for win in rules.instant_wins()]
    ids = [p.id for p in patterns]
    both = mask_of("5S 5C 6S 6D 7C 7H 8S 8D 9C 9H TD TS 2H")  # 6ĐT ⊂ 5ĐT ⊂ 6 đôi (F6)
    assert [ids[at] for at in held(patterns, both, 13)] == ["sau_doi_thong", "nam_doi_thong", "sau_doi"]
    assert class_of(patterns, both, 13) == 1 + ids.index("sau_doi_thong")


@pytest.mark.parametrize(
    ("classes", "leader", "priority", "expected"),
    [
        ([0, 0, 0, 0], 0, "turn", None),
        ([0, 3, 1, 0], 0, "turn", (1, 3)),
        ([0, 3, 1, 0], 0, "strength", (2, 1)),
        ([0, 3, 1, 0], 2, "turn", (2, 1)),
        ([2, 0, 0, 2], 1, "strength", (3, 2)),
        ([2, 0, 0, 2], 0, "strength", (0, 2)),
        ([2, 2], 1, "turn", (1, 2)),
    ],
)
def test_the_winner_of_the_slow_twin(classes, leader, priority, expected):  # F5
    assert winner(classes, leader, priority) == expected


def test_every_condition_kind_is_told_by_the_twin():
    with pytest.raises(AssertionError, match="pairs"):
        meets(type("Other", (), {"kind": "pairs"}), set())
