"""Small parts that everything else stands on, each by an example that a person can check."""

import textwrap
from fractions import Fraction

import numpy as np

from tlsim.cards import as_seen, count_cards, rank_of, signs, strip_marks
from tlsim.columns import known
from tlsim.engine import work
from tlsim.engine.functions import place_of, source_digest
from tlsim.engine.identity import apart_in_words, differences, identity_of, identity_of_all, some_of
from tlsim.engine.keep import Keep
from tlsim.engine.moments import Estimate
from tlsim.engine.odds_work import EventTally
from tlsim.engine.packed import pack, unpack
from tlsim.engine.paired import Control, marks
from tlsim.engine.policies import split_policies
from tlsim.engine.run import worst
from tlsim.engine.work import Block, Ledger, Pace, Parcel, Plan
from tlsim.errors import Sentence, either, suggestion, visible
from tlsim.exact.automaton import HandBook, build, strongest
from tlsim.exact.classes import class_law
from tlsim.exact.joint import Role, joint_law
from tlsim.patterns import Pattern
from tlsim.results.advice import basic_stake
from tlsim.rules import load_rules

QUAD_2 = Pattern(id="tu_quy_2", all_of=[{"kind": "groups", "size": 4, "count": 1, "ranks": ["2"]}])


def test_set_points_divide_every_run():
    assert [work.point(number) for number in range(8)] == [0, 8, 12, 16, 24, 32, 48, 64]
    assert [work.stretch(unit) for unit in (0, 7, 8, 11, 12, 16, 31, 32)] == [0, 0, 1, 1, 2, 3, 4, 5]
    assert work.gaps([(2, 4), (4, 5), (9, 12)], (0, 10)) == [(0, 2), (5, 9)]
    plan = Plan(20_000, 1024)
    assert [plan.take(8, workers=1) for _ in range(3)] == [Block(0, 8192), Block(8, 4096), Block(12, 4096)]


def test_blocks_grow_to_the_wanted_seconds():
    pace = Pace(seconds=1.0)
    for _ in range(4):
        pace.note(pace.units, pace.units / 5)  # five units a second
    assert pace.units == 5


def test_a_ledger_adds_blocks_in_any_order():
    ledger = Ledger(0, unit=10)
    assert ledger.add(Block(8, 40), 4) == []
    assert ledger.add(Block(0, 80), 8) == [(8, 8), (12, 12)]
    assert (ledger.total, ledger.deals) == (12, 120)


def test_identities_and_what_differs_in_them():
    assert identity_of("odds", seed=7, cards=(1, 2))["cards"] == [1, 2]
    found = identity_of_all("paired", [identity_of("games", seed=7, leader=at) for at in (0, 1)])
    assert (found["work"], found["seed"], found["runs"]) == ("paired", 7, [{"leader": 0}, {"leader": 1}])
    apart = differences({"seed": 1, "rules": {"cong.fine": 10}}, {"seed": 1, "rules": {"cong.fine": 20}})
    assert apart == [("rules.cong.fine", 10, 20)]
    assert apart_in_words({"work": "odds", "seed": 1}, {"work": "games", "seed": 2}) == [
        "the kind of run is 'odds' there and 'games' here", "seed is 1 there and 2 here",
    ]  # fmt: skip
    one = {"seed": 1, "policies": ["mine:stingy"], "sources": ["0123456789abcdef" * 4]}
    assert apart_in_words(one, one | {"sources": ["f" * 64]}) == [
        "the source of mine:stingy has changed: its digest is 0123456789ab… there and ffffffffffff… here"
    ]
    assert some_of(["a", "b", "c", "d", "e"]) == "a; b; c; and 2 more"


def test_labels_of_kept_runs():
    assert Keep("runs.db", "night").beside("against smart").label_of("simulate zing") == "night, against smart"
    assert Keep("runs.db").label_of("simulate zing") == "simulate zing"


def test_what_travels():
    assert unpack(pack(EventTally(hands=5, count=3)), EventTally()) == EventTally(hands=5, count=3)
    assert Parcel.of(max).open()(2, 3) == 3
    assert place_of(textwrap.dedent) == "textwrap:dedent"
    assert source_digest(textwrap.dedent) != source_digest(textwrap.indent)


def test_words_of_runs():
    assert (worst(["size", "interrupt", "stored"]), worst([])) == ("interrupt", "")
    assert split_policies("smart[sam=0,declare=0],lowest") == ["smart[sam=0,declare=0]", "lowest"]


def test_controls_and_estimates():
    quads = Control("quads", 0, 12, level=4)
    assert quads.mean(13) == Fraction(143, 4165)  # 13 ranks, each complete in C(48, 9) of the C(52, 13) hands
    assert quads.count(marks(np.array([0b1111_0000_1111, 0b0111_1111]))[4]).tolist() == [2, 1]
    assert [round(end, 3) for end in Estimate(1.0, 0.1, 1_000_000).interval()] == [0.804, 1.196]


def test_exact_laws_of_a_quad_of_2s():
    assert (strongest(0b1100), strongest(0)) == (3, 0)
    assert HandBook((QUAD_2,), 13).count().holds == (1677106640,)
    law = class_law([QUAD_2], 13, (1, 3), holding=1 << 48)
    assert sorted(law) == [((0,), (0, 0, 0)), ((1,), (0, 0, 0))]
    joint = joint_law([Role(4, build([QUAD_2], 13))])
    assert Fraction(joint[((0, 0, 0, 1),)], sum(joint.values())) == Fraction(44, 4165)


def test_cards_in_words():
    assert strip_marks("đôi thông Huế") == "doi thong Hue"
    assert (signs("3А"), signs("10♥ át bích")) == ("U+0410 CYRILLIC CAPITAL LETTER A", "")
    assert as_seen("0: TS 2H; 1: tu_quy_2") == "0: 10♠ 2♥; 1: tu_quy_2"
    assert (count_cards(1), count_cards(12)) == ("1 card", "12 cards")
    assert (rank_of("10"), rank_of("2"), rank_of(3), rank_of("át")) == (7, 12, 0, 11)


def test_sentences_keep_their_text_and_what_stands_in_them():
    said = Sentence("there is no card {card!r}", card="1X")
    assert (said, said.text, said.values) == ("there is no card '1X'", "there is no card {card!r}", {"card": "1X"})
    assert visible("10\u202e♥") == "10\\u202e♥"
    assert suggestion("doithong", ["doithuong", "zing"]) == "; did you mean 'doithuong'?"
    assert either([10, 13]) == "10 or 13"


def test_what_is_no_number_is_not_known():
    assert (known(0.5), known(float("nan"))) == (0.5, None)


def test_the_basic_stake_of_a_game():
    names = ("luckywin", "doithuong", "sam_loc", "tong_thong")
    assert [basic_stake(load_rules(name), 4) for name in names] == [1.0, 13.0, 10.0, 1.5]
