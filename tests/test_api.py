"""The public functions: what they return, what they refuse and how they say so."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import numba
import numpy as np
import pytest
import uniform
from naive import class_of, holds
from naive import hand_set as cards_of
from scipy import stats

import tlsim
from tlsim.cards import format_cards, hand_of
from tlsim.errors import CardError, RulesError, TlsimError, UsageError
from tlsim.exact import table_counts, table_law
from tlsim.exact.automaton import HandBook
from tlsim.exact.table_counts import Table
from tlsim.questions.how import _bar
from tlsim.questions.odds import ListOdds

FEW = {"deals": 2000, "threads": 1}
THIRTEEN = "3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC 2H"

QUAN_BA_TAM = """
extends = "doithuong"
name = "quan-ba-tam"
label = "Quán bà Tám"
set."cong.fine" = 20
[prices]
tu_quy = 10
[[toi_trang.add]]
id = "nam_doi_mot_sam"
label = "5 đôi + 1 sám"
all_of = [{kind = "groups", size = 2, count = 6, quad_as = 1}, {kind = "groups", size = 3, count = 1}]
pays = 3
above = "sau_doi"
"""
ANY_LIST = """
extends = "{extends}"
name = "{name}"
label = "{name}"
[toi_trang]
declare = "automatic"
opening_list_mode = "one_list"
priority = "{priority}"
opening_priority = "{priority}"
instant_pay = 1
count_heo = false
after_instant_win = "winner_leads"
bars_last_winner = false
opening = []
regular = [{patterns}]
"""


def rule_file(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def own_rules(folder, *patterns, extends="zing", priority="strength"):
    """Rules whose list is what the test wants."""
    entries = ", ".join(f'{{id = "p{at}", all_of = {conditions}}}' for at, conditions in enumerate(patterns))
    return rule_file(folder, ANY_LIST.format(extends=extends, name="mine", priority=priority, patterns=entries))


@pytest.fixture
def quan_ba_tam(tmp_path):
    return rule_file(tmp_path, QUAN_BA_TAM, "quan-ba-tam.toml")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder of kept tables that is empty."""
    monkeypatch.setenv("TLSIM_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


# What is refused: the message names the argument, its value and what is allowed, and it is a `TlsimError`


def message(call, kind=UsageError):
    """The text of the error that a call raises; of this kind, on one line."""
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, TlsimError)
    text = str(caught.value)
    assert text
    assert len(text) < 900
    return text


FUNCTIONS = {
    "exact_odds": lambda **more: tlsim.exact_odds(**{"rules": "zing"} | more),
    "estimate_odds": lambda **more: tlsim.estimate_odds(**{"rules": "zing"} | FEW | more),
    "draw_hands": lambda **more: tlsim.draw_hands(**{"rules": "zing", "pattern": "sau_doi", "n": 2} | more),
}
every_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)

WRONG_CARDS = [
    ("XX", "'XX'"), ("3S 3S", "3S"), ("11H", "11H"), ("3", "'3'"), ("3S-4X", "4X"), ([0, 0], "3♠"), ([52], "52"),
    ([-1], "-1"), (-1, "-1"), (2**52, str(2**52)), (1.5, "1.5"), (True, "True"), ([1.5], "1.5"), (["3S"], "3S"),
    ([None], "None"), (b"3S", "3S"), (object(), "object"), (float("nan"), "nan"), (np.array(1.0), "array(1.)"),
    ([[1]], "1"), ({"a": 1}, "a"),
]  # fmt: skip


@pytest.mark.parametrize(("cards", "shown"), WRONG_CARDS, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("argument", ["holding", "dead"])
@every_function
def test_wrong_cards(function, argument, cards, shown):
    text = message(lambda: function(**{argument: cards}), CardError)
    assert text.startswith(argument)
    assert shown in text
    assert any(word in text for word in ("such as", "0 (3♠) to 51 (2♥)", "0 to 2**52 - 1", "named once"))


@pytest.mark.parametrize(("cards", "shown"), WRONG_CARDS, ids=lambda value: repr(value)[:20])
def test_wrong_cards_of_a_hand(cards, shown):
    assert shown in message(lambda: tlsim.classify_hand(cards, "zing"), CardError)


@every_function
def test_known_cards_that_cannot_be(function):
    fourteen = THIRTEEN + " 2S"
    assert message(lambda: function(holding=fourteen), CardError) == "holding names 14 cards; a hand has 13"
    assert "2♠ 2♥ cannot be both" in message(lambda: function(holding="2S 2H 3S", dead="2H 2S"), CardError)
    forty = (1 << 40) - 1
    assert "dead names 40 cards" in message(lambda: function(dead=forty), CardError)


@pytest.mark.parametrize("number", [12, 14, 0, 52, 10])
def test_hands_of_the_wrong_size(number):
    text = message(lambda: tlsim.classify_hand(list(range(number)), "zing"), CardError)
    assert text == f"{number} cards given; a hand of zing has 13"
    assert "has 10" in message(lambda: tlsim.classify_hand(THIRTEEN, "sam_loc"), CardError)


@pytest.mark.parametrize("players", [1, 5, 0, -3, True, "4", 4.0, 2.5, [4], 10**18])
@pytest.mark.parametrize("name", ["exact_odds", "estimate_odds"])
def test_wrong_numbers_of_players(name, players):
    assert message(lambda: FUNCTIONS[name](players=players)) == f"players = {players!r}: zing is for 2 to 4 players"


def test_the_number_of_players_is_that_of_the_rules():
    assert "tong_thong is for 4 to 5 players" in message(lambda: tlsim.exact_odds("tong_thong", players=3))
    assert "sam_loc is for 2 to 5 players" in message(lambda: tlsim.exact_odds("sam_loc", players=6))


SIZES = [0, -1, 10**18, 1.5, 1e6, "100", None, True, [5], float("inf"), float("nan")]


@pytest.mark.parametrize("value", SIZES, ids=repr)
def test_wrong_sizes(value):
    calls = {
        "deals": lambda: tlsim.estimate_odds("zing", deals=value),
        "deals ": lambda: tlsim.estimate_event(lambda hand: hand > 0, deals=value),
        "n": lambda: tlsim.draw_hands("zing", "sau_doi", n=value),
        "hand_size": lambda: tlsim.estimate_event(lambda hand: hand > 0, deals=5, hand_size=value),
    }
    for name, call in calls.items():
        text = message(call)
        assert text.startswith(f"{name.strip()} = {value!r}: must be a whole number from 1 to ")


@pytest.mark.parametrize("size", [52, 53])
def test_hands_of_a_whole_deck(size):
    text = message(lambda: tlsim.estimate_event(lambda hand: hand > 0, deals=5, hand_size=size))
    assert text == f"hand_size = {size}: must be a whole number from 1 to 51"


@pytest.mark.parametrize("seed", [-1, 2**128, 1.0, "1", None, True, [1]], ids=repr)
def test_wrong_seeds(seed):
    for call in (
        lambda: tlsim.estimate_odds("zing", **FEW, seed=seed),
        lambda: tlsim.estimate_event(lambda hand: hand > 0, deals=5, seed=seed),
        lambda: tlsim.draw_hands("zing", "sau_doi", n=1, seed=seed),
    ):
        assert message(call) == f"seed = {seed!r}: must be a whole number from 0 to 2**128 - 1"


def id_of(value):
    """Return an id that is the same in every process."""
    return "an object" if type(value) is object else repr(value)


@pytest.mark.parametrize(
    "rules", ["doithong", "", "nowhere.toml", None, 5, ["zing"], b"zing", "a\0b", object()], ids=id_of
)
@pytest.mark.parametrize("function", [*FUNCTIONS.values(), lambda rules: tlsim.classify_hand(THIRTEEN, rules)])
def test_wrong_rules(function, rules):
    text = message(lambda: function(rules=rules))
    if rules == "doithong":
        assert text == "there is no rule set 'doithong'; did you mean 'doithuong'?"


@pytest.mark.parametrize("opening", ["no", 1, None, "yes"], ids=repr)
def test_opening_is_true_or_false(opening):
    calls = [lambda f=f: f(opening=opening) for f in FUNCTIONS.values()]
    for call in [*calls, lambda: tlsim.classify_hand(THIRTEEN, "zing", opening=opening)]:
        assert message(call) == f"opening = {opening!r}: must be True or False"


@pytest.mark.parametrize("pattern", ["tu_quy", "", None, 5, ["sau_doi"]], ids=repr)
def test_an_unknown_pattern(pattern):
    text = message(lambda: tlsim.draw_hands("zing", pattern))
    assert text.startswith(f"pattern = {pattern!r}: the regular list of zing has bon_bo_ba, ")
    if pattern == "tu_quy":
        assert text.endswith("did you mean 'tu_quy_2'?")
    opening = message(lambda: tlsim.draw_hands("zing", "sau_doi", opening=True))
    assert "the opening list of zing has tu_quy_3, ba_doi_thong_3_bich" in opening
    assert "tong_thong has none" in message(lambda: tlsim.draw_hands("tong_thong", "sau_doi"))


@pytest.mark.parametrize("progress", [5, "bar", True])
def test_progress_must_be_a_function(progress):
    for call in (
        lambda: tlsim.estimate_odds("zing", **FEW, progress=progress),
        lambda: tlsim.estimate_event(lambda hand: hand > 0, **FEW, progress=progress),
    ):
        assert message(call).startswith(f"progress = {progress!r}: must be a function")


def test_wrong_executors_and_threads():
    for executor in ("cloud", 5, object()):
        assert "must be None or 'threads'" in message(lambda e=executor: tlsim.estimate_odds("zing", **FEW, executor=e))
    for threads in (0, -1, 10**6, "2", 1.5, True):
        text = message(lambda t=threads: tlsim.estimate_odds("zing", deals=10, threads=t))
        assert f"threads = {threads!r}" in text
        assert f"threads = {threads!r}" in message(
            lambda t=threads: tlsim.estimate_event(lambda hand: hand > 0, deals=10, threads=t)
        )


def test_wrong_predicates():
    for predicate in (5, None, "f", len, lambda hand: hand.suit, lambda a, b: a > b):
        assert "predicate" in message(lambda p=predicate: tlsim.estimate_event(p, deals=100))
    text = message(lambda: tlsim.estimate_event(lambda hand: 1 // (hand & 1) > 0, deals=100))
    assert "raised ZeroDivisionError" in text


CONTRADICTORY = {
    "seven pairs of 13 cards": '[{kind = "groups", size = 2, count = 7}]',
    "four quads": '[{kind = "groups", size = 4, count = 4}]',
    "a run past the ace": '[{kind = "straight", length = 5, starts = ["J"]}]',
    "a card outside its ranks": '[{kind = "groups", size = 2, count = 2, ranks = "4-6", containing = "3S"}]',
    "an unknown kind": '[{kind = "rainbow"}]',
    "nothing": "[]",
    "a wrong type": '[{kind = "groups", size = "2", count = 2}]',
}


@pytest.mark.parametrize("what", CONTRADICTORY)
@every_function
def test_contradictory_patterns_of_a_rule_file(function, what, tmp_path):
    text = message(lambda: function(rules=own_rules(tmp_path, CONTRADICTORY[what])), RulesError)
    assert "mine.toml: toi_trang.regular[0]" in text
    assert RulesError.exit_code == 1


def test_conditions_that_no_hand_meets_together(tmp_path):
    """Each condition alone can be met, so the file is right; the answer is nought, and there is nothing to draw."""
    path = own_rules(tmp_path, '[{kind = "holds", cards = "3S 4D"}, {kind = "flush", count = 13, of = "colour"}]',
                     '[{kind = "groups", size = 4, count = 1, ranks = ["2"]}]')  # fmt: skip
    exact = tlsim.exact_odds(path, players=2)
    assert exact.hand.holds[0] == 0
    assert exact.to_frame()["one_in"][0] == float("inf")
    assert exact.table.wins[0] == (0, 0)
    simulated = tlsim.estimate_odds(path, **FEW, players=2)
    assert simulated.to_frame()["count"][0] == 0
    assert simulated.to_frame()["tail"][0] == 1
    assert "no hand holds 'p0'" in message(lambda: tlsim.draw_hands(path, "p0"))
    assert "no hand counts as 'p0'" in message(lambda: tlsim.draw_hands(path, "p0", counting=True))
    assert "no hand holds 'p1'" in message(lambda: tlsim.draw_hands(path, "p1", dead="2S"))


@pytest.mark.parametrize("text", ["x = " + "[" * 5000 + "]" * 5000, "x" * 3_000_000, "\0", "name = 5\n" * 2, "[[["])
def test_broken_and_malicious_files(text, tmp_path):
    path = rule_file(tmp_path, text)
    assert "mine.toml" in message(lambda: tlsim.exact_odds(path), TlsimError)


def test_a_file_in_another_encoding(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes('label = "Quán"'.encode("utf-16"))
    assert "mine.toml" in message(lambda: tlsim.exact_odds(path), RulesError)


def test_a_table_with_hands_of_other_sizes(tmp_path):
    """The cards of the deck do not go round evenly; with a list of one's own that would give wrong odds."""
    path = own_rules(tmp_path, '[{kind = "groups", size = 4, count = 1}]', extends="tong_thong")
    for call in (lambda: tlsim.exact_odds(path, players=5), lambda: tlsim.estimate_odds(path, players=5, **FEW)):
        text = message(call)
        assert "players = 5: mine deals 11, 11, 10, 10, 10 cards" in text
        assert "another number of players" in text
    assert tlsim.estimate_odds(path, players=4, **FEW).to_frame()["count"][0] > 0


# Empty lists


@pytest.mark.parametrize(("name", "opening"), [("tong_thong", False), ("tong_thong", True), ("hue", True)])
def test_a_rule_set_with_no_list_gives_empty_tables(name, opening):
    for players in (4, 5) if name == "tong_thong" else (2, 4):
        exact = tlsim.exact_odds(name, players=players, opening=opening)
        simulated = tlsim.estimate_odds(name, **FEW, players=players, opening=opening)
        for frame in (exact.to_frame(), exact.table_frame(), simulated.to_frame(), simulated.table_frame()):
            assert frame.empty
            assert len(frame.columns) > 5
        assert exact._repr_html_()
        assert simulated._repr_html_()
        assert simulated.complete
    size = 13
    report = tlsim.classify_hand(THIRTEEN, name, opening=opening)
    assert report.held == ()
    assert report.hand.bit_count() == size


# Provenance and repetition


def test_provenance():
    held = tlsim.estimate_odds("sam_loc", deals=3000, players=5, opening=True, holding="3S", dead="2H 2D", seed=2**100)
    assert held.provenance.as_dict() == {
        "version": tlsim.__version__, "rules": "sam_loc", "digest": tlsim.load_rules("sam_loc").digest,
        "unit": tlsim.load_rules("sam_loc").unit, "players": 5, "opening": True, "hand_size": 10, "holding": "3S",
        "dead": "2D 2H", "deals": 3000, "seed": 2**100,
    }  # fmt: skip
    exact = tlsim.exact_odds("zing", players=2).provenance
    assert (exact.rules, exact.players, exact.deals, exact.seed) == ("zing", 2, None, None)
    event = tlsim.estimate_event(lambda hand: hand > 0, deals=100, hand_size=7, seed=3).provenance
    assert (event.hand_size, event.deals, event.seed) == (7, 100, 3)
    assert "lambda" in event.predicate
    assert json.dumps(held.provenance.as_dict())


def test_whole_numbers_of_numpy_are_taken():
    odds = tlsim.estimate_odds("zing", deals=np.int64(100), seed=np.uint32(3), threads=1)
    assert odds.deals == 100
    assert odds.tally == tlsim.estimate_odds("zing", deals=100, seed=3, threads=2).tally
    assert tlsim.exact_odds("zing", holding=np.int64(3)).provenance.holding == "3S 3C"
    assert tlsim.exact_odds("zing", holding=np.array([0, 51])).provenance.holding == "3S 2H"
    assert json.dumps(odds.provenance.as_dict())


def test_the_same_seed_gives_the_same_numbers():
    one, again = (tlsim.estimate_odds("doithuong", deals=20_000, seed=9, threads=t) for t in (1, 3))
    assert one == again
    assert one != tlsim.estimate_odds("doithuong", deals=20_000, seed=10)
    event = [tlsim.estimate_event(lambda hand: hand & 1 == 1, deals=20_000, seed=9, threads=t) for t in (1, 2)]
    assert event[0].count == event[1].count
    hands = [tlsim.draw_hands("zing", "sau_doi", n=n, seed=4) for n in (10, 100)]
    assert hands[0].tolist() == hands[1][:10].tolist()


def test_the_default_number_of_players():
    assert tlsim.exact_odds("sam_loc").provenance.players == 4
    assert tlsim.estimate_odds("tong_thong", **FEW).provenance.players == 4
    pair = tlsim.load_rules("zing").replace("deal.max_players", 3)
    assert tlsim.exact_odds(pair).provenance.players == 3


def test_known_cards_in_all_their_forms():
    """Text, numbers, bits, anything that yields numbers."""
    counts = {
        tlsim.exact_odds("zing", holding=cards).hand.holds
        for cards in (
            "2S 2H",
            [48, 51],
            (51, 48),
            {48, 51},
            1 << 48 | 1 << 51,
            iter([48, 51]),
            "♠2♥2",
            hand_of("2S 2H"),
        )
    }
    assert len(counts) == 1
    assert tlsim.exact_odds("zing", holding="").hand == tlsim.exact_odds("zing").hand


def test_progress_is_told_with_partial_results():
    told = []
    whole = tlsim.estimate_odds("doithuong", deals=300_000, threads=1, progress=lambda *what: told.append(what))
    done, total, partial = told[-1]
    assert done == total == 300_000
    assert partial == whole
    assert partial.provenance.deals == 300_000


def test_an_interrupt_gives_a_partial_result():
    def interrupt(*_):
        raise KeyboardInterrupt

    odds = tlsim.estimate_odds("doithuong", deals=10**9, threads=1, progress=interrupt)
    assert not odds.complete
    assert 0 < odds.deals < 10**9
    assert odds.provenance.deals == odds.deals
    event = tlsim.estimate_event(lambda hand: hand & 1 == 1, deals=10**9, threads=1, progress=interrupt)
    assert not event.complete
    assert 0 < event.hands < 10**9
    assert abs(event.estimate - 0.25) < 6 * event.std_error


# Events against known probabilities


@numba.njit
def no_card_above_nine(hand):
    return hand >> 28 == 0


EVENTS = [
    ("a card", lambda hand: hand & 1 == 1, 13, Fraction(1, 4)),
    ("four 2s", lambda hand: hand >> 48 == 15, 13, Fraction(comb(48, 9), comb(52, 13))),
    ("no card above 9", no_card_above_nine, 13, Fraction(comb(28, 13), comb(52, 13))),
    ("the only card", lambda hand: hand == 1 << 20, 1, Fraction(1, 52)),
    ("the card that is missing", lambda hand: hand >> 51 & 1 == 0, 51, Fraction(1, 52)),
    ("all red", lambda hand: hand & 0x3333333333333 == 0, 5, Fraction(comb(26, 5), comb(52, 5))),
    ("half the deck", lambda hand: hand & 1 == hand >> 51, 26, Fraction(25, 51)),
]


@pytest.mark.parametrize(("name", "predicate", "size", "p"), EVENTS, ids=[event[0] for event in EVENTS])
def test_events_of_known_probability(name, predicate, size, p):  # noqa: ARG001
    """Fails with probability 1e-7 each; catches "a card" off by 0.7 %."""
    odds = tlsim.estimate_event(predicate, deals=500_000, hand_size=size, seed=12)
    assert odds.hands == 500_000
    low, high = stats.binom.ppf([5e-8, 1 - 5e-8], 500_000, float(p))
    assert low <= odds.count <= high
    inside = odds.interval(level=1 - 1e-7)
    assert inside[0] <= p <= inside[1]


def test_a_certain_and_an_impossible_event():
    assert tlsim.estimate_event(lambda hand: hand > 0, deals=5000).estimate == 1
    never = tlsim.estimate_event(lambda hand: hand < 0, deals=5000)
    assert never.estimate == 0
    assert never.interval()[0] == 0
    assert 0 < never.interval()[1] < 0.001


# Uniform hands given a pattern


def test_all_hands_of_twelve_of_a_suit(tmp_path):
    """All 2,032 hands, each equally likely. 1e-6; catches a hand that comes twice as often as it should."""
    path = own_rules(tmp_path, '[{kind = "flush", count = 12, of = "suit"}]')
    n = 200_000
    found = Counter(tlsim.draw_hands(path, "p0", n=n, seed=1).tolist())
    assert len(found) == 4 + 4 * 13 * 39 == 2032
    assert all(max((hand & suit).bit_count() for suit in SUITS) >= 12 for hand in found)
    value = sum((count - n / 2032) ** 2 for count in found.values()) / (n / 2032)
    assert stats.chi2.ppf(5e-7, 2031) < value < stats.chi2.isf(5e-7, 2031)
    assert n / 2032 > 0.25 * uniform.least_noncentrality(2031, 5e-7) ** 0.5  # a hand twice as often adds n / 2032


SUITS = [0x1111111111111 << suit for suit in range(4)]


@pytest.mark.parametrize("counting", [False, True])
def test_drawn_hands_of_a_common_pattern_by_class(counting):
    """Six pairs in doithuong, by the strongest pattern and by the number of cards of each rank; 1e-6 together."""
    book = ListOdds("doithuong").book
    at = 7
    assert book.patterns[at].id == "sau_doi"
    n = 30_000
    hands = tlsim.draw_hands("doithuong", "sau_doi", n=n, seed=5, counting=counting)
    assert hands.dtype == np.int64
    assert hands.shape == (n,)
    sample = hands[: 100 if counting else 2000].tolist()
    assert all(holds(book.patterns[at], cards_of(hand), 13) for hand in sample[:100])
    classes = Counter(class_of(book.patterns, hand, 13) for hand in sample)
    if counting:
        assert set(classes) == {at + 1}
    law = classes_given(book, at)
    counts = np.array([classes[c] for c in law] if not counting else [len(sample)])
    shares = np.array([float(p) for p in law.values()] if not counting else [1.0])
    if not counting:
        value, freedom = uniform.of_cells(counts, shares)
        assert stats.chi2.ppf(1e-7, freedom) < value < stats.chi2.isf(1e-7, freedom)
    # suits of one rank: given its number of cards, all sets of suits are equally likely
    for rank in (0, 5, 12):
        nibbles = hands >> 4 * rank & 15
        for cards in (1, 2, 3):
            sets = [s for s in range(16) if s.bit_count() == cards]
            found = np.array([(nibbles == s).sum() for s in sets])
            value, freedom = uniform.of_cells(found, np.full(len(sets), 1 / len(sets)))
            if freedom > 0:
                assert stats.chi2.ppf(1e-8, freedom) < value < stats.chi2.isf(1e-8, freedom)


def classes_given(book, at):
    """Probability of each class of a hand that holds a pattern: from lists of the stronger patterns and that one."""
    total = book.count().holds[at]
    law = {}
    for stronger in range(at + 1):
        both = HandBook((*book.patterns[:stronger], joined(book.patterns[stronger], book.patterns[at])), 13).count()
        law[stronger + 1] = Fraction(both.counts[-1], total)
    assert sum(law.values()) == 1
    return law


def joined(one, two):
    return one.model_copy(update={"all_of": one.all_of + two.all_of})


def test_drawn_hands_with_known_cards():
    hold, lack = hand_of("3S 3C 5H"), hand_of("2S 2C 2D 2H AS")
    hands = tlsim.draw_hands("doithuong", "sau_doi", n=3000, seed=6, holding=hold, dead=lack)
    assert (hands & hold == hold).all()
    assert not (hands & lack).any()
    pattern = tlsim.load_rules("doithuong").instant_wins()[7].pattern
    assert all(holds(pattern, cards_of(hand), 13) for hand in hands[:300].tolist())
    assert len(set(hands.tolist())) > 2900
    (only,) = set(tlsim.draw_hands("zing", "tu_quy_2", n=5, holding="2S 2C 2D 2H", dead=all_but(13)).tolist())
    assert only.bit_count() == 13


def all_but(n):
    """Dead cards that leave n cards, the 2s among them."""
    return (1 << 52 - n) - 1


def test_drawn_hands_of_an_opening_list():
    hands = tlsim.draw_hands("zing", "ba_doi_thong_3_bich", n=500, opening=True)
    for hand in hands.tolist():
        counts = [(hand >> 4 * rank & 15).bit_count() for rank in range(3)]
        assert min(counts) >= 2
        assert hand & 1


def test_repeated_draws_are_likely_among_few_hands():
    """With replacement: 52 hands of 13 of a suit or the 3♠, drawn 500 times."""
    hands = tlsim.draw_hands("zing", "tu_quy_2", n=500, holding="2S 2C 2D 2H", dead=all_but(14))
    assert len(set(hands.tolist())) == comb(10, 9)


# Rules of one's own


def test_a_pattern_of_ones_own_everywhere(quan_ba_tam, cache):  # noqa: ARG001
    """The example of the design, exactly and simulated, with no code."""
    exact = tlsim.exact_odds(quan_ba_tam)
    frame = exact.to_frame().set_index("pattern")
    assert frame.index.tolist()[-2:] == ["nam_doi_mot_sam", "sau_doi"]
    # five pairs and a triple: by rank counts 3 2 2 2 2 2, and no other shape of 13 cards has six pairs and a triple
    shape = 13 * comb(12, 5) * comb(4, 3) * comb(4, 2) ** 5
    assert frame.loc["nam_doi_mot_sam", "hands"] == shape
    assert frame.loc["sau_doi", "counts_hands"] < tlsim.exact_odds("doithuong").to_frame()["counts_hands"].iloc[-1]

    simulated = tlsim.estimate_odds(quan_ba_tam, deals=400_000, seed=3)
    row = simulated.to_frame().set_index("pattern").loc["nam_doi_mot_sam"]
    assert abs(row["z"]) < 5.5
    assert row["exact"] == float(Fraction(shape, comb(52, 13)))
    assert simulated.provenance.rules == "quan-ba-tam"
    assert simulated.provenance.digest != tlsim.load_rules("doithuong").digest

    hands = tlsim.draw_hands(quan_ba_tam, "nam_doi_mot_sam", n=40)
    for hand in hands.tolist():
        counts = sorted((hand >> 4 * rank & 15).bit_count() for rank in range(13))
        assert counts[-6:] == [2, 2, 2, 2, 2, 3]
        report = tlsim.classify_hand(hand, quan_ba_tam)
        assert "nam_doi_mot_sam" in [entry.id for entry in report.held]
    counting = tlsim.draw_hands(quan_ba_tam, "nam_doi_mot_sam", n=40, counting=True)
    assert all(tlsim.classify_hand(hand, quan_ba_tam).counts.id == "nam_doi_mot_sam" for hand in counting.tolist())

    report = tlsim.classify_hand("3S 3C 5S 5C 7S 7C 9S 9C JS JC KS KC KD", quan_ba_tam)
    assert [(entry.id, entry.name("vi"), entry.pays) for entry in report.held] == [
        ("nam_doi_mot_sam", "5 đôi + 1 sám", 3.0),
        ("sau_doi", "6 đôi", 2.0),
    ]
    table = tlsim.exact_odds(quan_ba_tam, players=2)
    assert table.table.exact
    assert table.table_frame().set_index("pattern").loc["nam_doi_mot_sam", "probability"] > 0


@pytest.mark.parametrize(("size", "players"), [(26, 2), (17, 3), (5, 4), (2, 4)])
def test_hands_of_other_sizes(size, players, tmp_path, cache):  # noqa: ARG001
    """A rule file may deal other hands; both roads follow. Fails with probability 2e-8."""
    text = ANY_LIST.format(
        extends="zing", name="mine", priority="turn",
        patterns='{id = "pairs", all_of = [{kind = "groups", size = 2, count = 1, ranks = "3-5"}]}',
    )  # fmt: skip
    settings = f'set."deal.hand_size" = {size}\nset."deal.max_players" = {players}\n[toi_trang]'
    rules = tlsim.load_rules(rule_file(tmp_path, text.replace("[toi_trang]", settings)))
    odds = tlsim.estimate_odds(rules, deals=100_000, players=players)
    assert odds.provenance.hand_size == size
    (row,) = odds.rows()
    assert abs(row["z"]) < 5.6
    assert row["exact"] == float(tlsim.exact_odds(rules, players=players).any)


def test_classify_hand_in_all_forms():
    for cards in (THIRTEEN, hand_of(THIRTEEN), np.int64(hand_of(THIRTEEN)), np.array([0, *range(5, 52, 4)])):
        report = tlsim.classify_hand(cards, "doithuong")
        assert report.cards == format_cards(report.hand)
        assert [entry.id for entry in report.held][:1] == ["sanh_rong"]
    assert tlsim.classify_hand("3S 4S 5S 6S 7S 8S 9S TS JS QS", "sam_loc").held[0].id == "sanh_rong"


# Kept tables


@pytest.fixture
def computed(monkeypatch):
    """The tables that were computed, not read."""
    calls, count = [], table_law.count_table
    monkeypatch.setattr(table_law, "count_table", lambda asked, **more: calls.append(asked) or count(asked, **more))
    return calls


def ask(**more):
    return tlsim.exact_odds(**{"rules": "zing", "players": 4, "opening": True} | more).table


def test_a_table_is_computed_once(cache, computed):
    first = ask()
    assert len(computed) == 1
    assert ask() == first
    assert len(computed) == 1
    (file,) = (cache / "tables").iterdir()
    assert json.loads(file.read_text())["deals"] == first.deals


def test_only_what_changes_the_numbers_makes_another_file(cache, computed):
    ask()
    ask(rules=tlsim.load_rules("zing").replace("cong.fine", 7))  # has no part in these odds
    ask(rules=tlsim.load_rules("zing").replace("label", "another"))
    assert len(computed) == 1
    changes = [
        {"players": 3}, {"players": 2}, {"holding": "3S"}, {"dead": "3S"}, {"holding": "3C"}, {"rules": "luckywin"},
        {"rules": "mien_bac"}, {"rules": tlsim.load_rules("zing").replace("lead.opening_fallback", "random")},
        {"rules": tlsim.load_rules("zing").replace("toi_trang.opening_priority", "strength")},
    ]  # fmt: skip
    for number, change in enumerate(changes, 2):
        ask(**change)
        assert len(computed) == number, change
    assert len(list((cache / "tables").iterdir())) == len(computed)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "null", "5", '{"deals": "x"}', "\x00\xff", "[" * 100_000, "half"]
)
def test_a_torn_or_strange_file_is_computed_anew(text, cache, computed):
    first = ask()
    (file,) = (cache / "tables").iterdir()
    whole = file.read_text()
    file.write_text(whole[: len(whole) // 2] if text == "half" else text, encoding="latin-1")
    assert ask() == first
    assert len(computed) == 2
    assert file.read_text() == whole


@pytest.mark.parametrize("where", ["a file", "a folder below a file", "/proc/nowhere", "a folder in its place"])
def test_a_cache_folder_that_cannot_be_used(where, tmp_path, monkeypatch, computed):
    if where == "a folder in its place":
        monkeypatch.setenv("TLSIM_CACHE_DIR", str(tmp_path))
        ask()
        (file,) = (tmp_path / "tables").iterdir()
        file.unlink()
        file.mkdir()
        computed.clear()
    else:
        (tmp_path / "file").write_text("")
        paths = {"a file": tmp_path / "file", "a folder below a file": tmp_path / "file" / "cache"}
        monkeypatch.setenv("TLSIM_CACHE_DIR", str(paths.get(where, where)))
    assert ask() == ask()
    assert len(computed) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_cache_folder(cache, computed):
    cache.mkdir(mode=0o500)
    assert ask() == ask()
    assert len(computed) == 2


def test_nobody_reads_half_a_file(cache, monkeypatch):
    """It is written beside and moved; a full disk leaves nothing behind."""

    def full(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    ask()
    assert list((cache / "tables").iterdir()) == []


def test_the_digest_of_a_table_sees_each_of_its_parts():
    patterns = tuple(win.pattern for win in tlsim.load_rules("zing").instant_wins())
    base = {"patterns": patterns, "hand_size": 13, "players": 4, "priority": "turn"}
    others = [{}, {"patterns": patterns[::-1]}, {"patterns": patterns[1:]}, {"hand_size": 12}, {"players": 3},
              {"priority": "strength"}, {"holding": 1}, {"dead": 1}, {"opening_card": 0}, {"opening_card": 1},
              {"opening_card": 0, "opening_random": True}]  # fmt: skip
    digests = [table_counts._digest(Table(**base | other)) for other in others]
    assert len(set(digests)) == len(others)
    renamed = tuple(p.model_copy(update={"id": f"q{at}"}) for at, p in enumerate(patterns))
    assert table_counts._digest(Table(**base | {"patterns": renamed})) == digests[0]


def test_the_sources_are_part_of_the_digest(tmp_path, monkeypatch):
    sources = [path for pattern in table_counts._SOURCES for path in Path(tlsim.__file__).parent.glob(pattern)]
    assert {"joint.py", "table_law.py", "classes.py", "automaton.py", "patterns.py", "bits.py"} <= {
        p.name for p in sources
    }
    before = table_counts._sources_digest.__wrapped__()
    copy = tmp_path / "tlsim" / "exact"
    copy.mkdir(parents=True)
    for path in sources:
        target = tmp_path / "tlsim" / path.relative_to(Path(tlsim.__file__).parent)
        target.write_bytes(path.read_bytes())
    monkeypatch.setattr(table_counts, "__file__", str(copy / "table_counts.py"))
    assert table_counts._sources_digest.__wrapped__() == before
    (copy / "joint.py").write_text("# edited")
    assert table_counts._sources_digest.__wrapped__() != before


# Other processes


def test_importing_is_light_and_quiet():
    """numba, pandas and matplotlib are loaded when they are used."""
    script = "import sys, tlsim; print([m for m in ('numba', 'pandas', 'matplotlib', 'scipy') if m in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])}
    run = subprocess.run(
        [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_results_of_other_seeds_add():
    one, two = (tlsim.estimate_odds("zing", deals=3000, seed=seed, threads=1) for seed in (1, 2))
    both = one + two
    assert both.deals == 6000
    assert both.tally == one.tally + two.tally
    assert "same deals" in message(lambda: one + one)
    for a, b in itertools.combinations([one, tlsim.estimate_odds("hue", **FEW, seed=3)], 2):
        assert "different questions" in message(lambda a=a, b=b: a + b)


def test_one_card_is_no_cards():
    with pytest.raises(CardError, match=r"^1 card given; "):
        tlsim.classify_hand("3S", "doithuong")
    with pytest.raises(CardError, match=r"^2 cards given; "):
        tlsim.classify_hand("3S 3C", "doithuong")


# --- bars ---


class _Bar:
    """Stands for a bar; remembers how it was made."""

    def __init__(self, **options):
        self.options = options


@pytest.mark.parametrize(("where", "said"), [("tqdm.std", None), ("tqdm.notebook", False)])
def test_a_bar_is_shown_where_one_can_be_seen(monkeypatch, where, said):
    """Whether a terminal shows one is up to the terminal (None); the output of a notebook is none, so it is told."""
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr("tqdm.auto.tqdm", type("tqdm", (_Bar,), {"__module__": where}))
    assert _bar(total=3).options == {"total": 3, "disable": said}
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert bool(_bar(total=3).options["disable"]) == (where == "tqdm.notebook")
