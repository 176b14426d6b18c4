"""The situations of RULES.md §3 and the bug kinds of §4, played on every engine; they stand in `situations/*.toml`.

Expected values come from RULES.md alone. Ids that are no number of §3 are rules (E5, M8, 003#R50: R50) whose
alternatives and details they show; B12 is bug 12 of §4.
"""

import re
from pathlib import Path

import pytest
from naive import class_of, hand_set, held, mask_of, named, winner
from situation_files import entries, hands_and_tables
from situations import SEATS, Rows, Twin, balanced, changed, hands_of

from tlsim import list_rules, load_rules
from tlsim.cards import hand_of
from tlsim.exact.automaton import patterns_of

# Every number of RULES.md §3, and the test that shows it where no situation does.
NUMBERS = (
    "1-10 12-15 17-18 20-27 29-30 32 34-35 37-40 42-44 46-52 55 58-60 62 64-65 67-70 72 74 76 78 80-83 85-86 88-91"
)
NUMBERS += " 93-94 96 98-99 102 104-106 108-111 113 115-116 118-120 122-124 126-127 129-130 132-136 138-139 141-142"
NUMBERS += " 144-148 150-153 155-156 158-163 165 167-169"
IN_CODE = {
    "T141": "test_match_situations.py", "T153": "test_match_situations.py", "T161": "test_match_situations.py",
    "T167": "test_game_properties.py",
}  # fmt: skip


@pytest.mark.parametrize("entry", entries(), ids=str)
def test_situation(entry):
    """Every preset that it names, on both engines."""
    asked = 0
    for check in entry.checks():
        for engine in entry.engines:
            asked += 1
            what = check.situation.rules.name, check.move, type(engine).__name__
            if check.move:
                assert engine.legal(check.situation, check.move) is check.legal, what
            elif check.accepted is not None:
                assert engine.accepts(check.situation) is check.accepted, what
            else:
                compare(engine.outcome(check.situation), check.situation.rules, check.outcome, what)
    assert asked


def compare(found, rules, expected, what):
    if "net" in expected:
        assert list(found.net) == expected["net"], what
        assert rules.place_points or balanced(found.net), what
    if "places" in expected:
        assert "".join(SEATS[seat] for seat in found.places) == expected["places"], what
    if "next" in expected:
        leader = "opening" if found.next_opening else SEATS[found.next_leader]
        assert leader == expected["next"], what
        assert (found.next_leader is None) == found.next_opening, what
    for reason, amounts in expected.get("paid", {}).items():
        paid = {SEATS[a] + SEATS[b]: amount for (a, b, why), amount in found.payments.items() if why == reason}
        assert paid == amounts, (what, reason)
    if rules.president:  # points alone: no money moves (004#R28, L19); the last leads (004#R18, L3)
        assert not found.payments, what
        assert (found.next_leader, found.next_opening) == (found.places[-1], False), what


# Which patterns a hand holds: by the automaton, by the declared meaning of the patterns, by the text of F2, F3 and K7

HANDS, TABLES = hands_and_tables()


def holds(rules, text, opening):
    """Ids of the patterns held, strongest first."""
    wins, size, mask = rules.instant_wins(opening), rules.deal.hand_size, hand_of(text)
    patterns = [win.pattern for win in wins]
    assert mask == mask_of(text)
    assert mask.bit_count() == size
    ids = [wins[at].id for at in patterns_of(mask, patterns, size)]
    assert [wins[at].id for at in held(patterns, mask, size)] == ids
    assert [win.id for win in wins if named(win.id, hand_set(mask))] == ids
    return ids


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: f"{hand['id']}-{hand['text']}")
def test_hand(hand):
    for name in [hand["rules"]] if isinstance(hand["rules"], str) else hand["rules"]:
        assert holds(changed(name, hand.get("set")), hand["cards"], hand.get("opening", False)) == hand["holds"], name


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['id']}-{table['text']}")
def test_table(table):
    """Who wins where all declare."""
    masks = hands_of(*table["hands"])
    opening = table.get("opening", False)
    for name, leader, seat, pattern, price in table["wins"]:
        rules = load_rules(name)
        wins = rules.instant_wins(opening)
        classes = [class_of([win.pattern for win in wins], mask, rules.deal.hand_size) for mask in masks]
        won, at = winner(classes, SEATS.index(leader), rules.priority(opening))
        assert (SEATS[won], wins[at - 1].id, wins[at - 1].pays) == (seat, pattern, price), (name, leader)


def test_j1_mien_bac_and_hue():
    """Miền Bắc has four threes alone in opening games; Huế has no opening list, Tổng thống none at all."""
    assert [win.id for win in load_rules("mien_bac").instant_wins(opening=True)] == ["tu_quy_3"]
    assert load_rules("hue").instant_wins(opening=True) == ()
    assert load_rules("tong_thong").instant_wins() == ()


def test_f9_heo_are_counted_for_one_pattern_alone():
    assert [win.id for win in load_rules("doithuong").instant_wins() if win.count_heo] == ["nam_doi_thong"]


@pytest.mark.parametrize("engine", [Twin(), Rows()], ids=["twin", "compiled"])
@pytest.mark.parametrize(
    ("name", "hands", "seat"),
    [
        pytest.param("hue", ("3S", "4S", "3C 4C", "5S"), "C", id="T86-hue"),
        pytest.param("luckywin", ("3C", "4S", "3S 4C", "5S"), "C", id="T76-luckywin"),
        pytest.param("zing", ("4C 5S", "3D 7S", "3H 8S"), "B", id="B2-zing"),
        pytest.param("hue", ("3S 5S", "3D 7S"), "A", id="B2-hue"),
    ],
)
def test_opening_leader(engine, name, hands, seat):
    assert engine.opening_leader(load_rules(name), hands_of(*hands)) == SEATS.index(seat)


def numbers():
    for part in NUMBERS.split():
        first, _, last = part.partition("-")
        yield from (f"T{number}" for number in range(int(first), int(last or first) + 1))


def test_every_number_is_there():
    """With the words of RULES.md, and no other number."""
    told = {entry.get("id") for entry in entries() if entry.get("text") and entry.get("rests_on")}
    for number, file in IN_CODE.items():
        text = (Path(__file__).parent / file).read_text(encoding="utf-8")
        assert re.search(rf"(?i)(\b|_){number}(\b|_)", text), number
    assert sorted(told | set(IN_CODE)) == sorted(numbers())
    numbered = {entry.get("id") for entry in entries() if re.fullmatch(r"T\d+", entry.get("id"))}
    assert numbered <= set(numbers())


def test_every_preset_has_situations():
    named = {check.situation.rules.name for entry in entries() for check in entry.checks()}
    assert named == set(list_rules())
