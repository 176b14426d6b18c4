"""Records: what is written can be refereed, and what is wrong in one is named."""

import json
import random

import naive_game
import pytest

import tlsim
import tlsim.games
from tlsim.cards import cards_in, format_cards
from tlsim.records.model import RecordError, read_record

NEEDED = ("format", "rules", "players", "opening", "leader", "hands", "calls", "plays", "direction")
PRESETS = ["doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"]


def bare(record):
    return {key: record[key] for key in NEEDED}


@pytest.fixture(scope="module")
def record():
    return next(r for r in tlsim.play("luckywin", games=12, seed=3) if len(r["plays"]) > 20 and not r["opening"])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("policies", ["lowest", "random"])
def test_what_is_written_can_be_refereed(preset, policies):
    for record in tlsim.play(preset, games=12, seed=4, policies=policies):
        settled = tlsim.settle(json.loads(json.dumps(record)))
        assert settled.record == record
        assert list(settled.net) == record["net"]
        again = tlsim.settle(bare(record))
        assert again.record["transfers"] == record["transfers"]


@pytest.mark.parametrize("preset", PRESETS)
def test_records_of_the_slow_twin_settle_alike(preset):
    rng, rules = random.Random(9), tlsim.load_rules(preset)
    for number in range(24):
        players = rng.choice((2, 3, 4))
        deck = rng.sample(range(52), 13 * players)
        hands = [sum(1 << card for card in deck[13 * seat : 13 * seat + 13]) for seat in range(players)]
        opening = rng.random() < 0.4
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
        decide = naive_game.at_random(rng) if number % 2 else naive_game.lowest
        game = naive_game.play(rules, hands, leader, opening, rng.choice((1, -1)), decide=decide)
        settled = tlsim.settle(naive_game.record_of(game))
        assert [round(2 * value) for value in settled.net] == list(game.net)
        carried = (settled.next_leader, settled.next_opening, settled.next_direction)
        assert carried == (game.next_leader, game.next_opening, game.next_direction)


def broken(record, change):
    copy = json.loads(json.dumps(bare(record)))
    change(copy)
    with pytest.raises(RecordError) as caught:
        tlsim.settle(copy)
    return caught.value


def follow_at(record):
    return next(at for at, play in enumerate(record["plays"]) if at and not play["cards"])


def test_a_wrong_turn_is_named(record):
    def change(copy):
        copy["plays"][1]["seat"] = (copy["plays"][1]["seat"] + 1) % 4

    error = broken(record, change)
    assert error.decision == 1
    assert "out of turn" in str(error)
    assert "001#R27" in str(error)


def test_a_locked_seat_is_named(record):
    plays = record["plays"]
    at = follow_at(record)
    passer = plays[at]["seat"]
    laid = {card for play in plays[:at] if play["seat"] == passer for card in play["cards"]}
    left = [card for card in record["hands"][passer] if card not in laid]

    def change(copy):
        copy["plays"][at + 1 :] = [{"seat": passer, "cards": left[-1:]}]

    error = broken(record, change)
    assert error.decision == at + 1
    assert "locked out" in str(error)
    assert error.rule == "001#R30, D1"


def test_a_card_that_is_not_held(record):
    elsewhere = record["hands"][(record["plays"][0]["seat"] + 1) % 4][0]

    def change(copy):
        copy["plays"][0]["cards"] = [elsewhere]

    assert "does not hold" in str(broken(record, change))


def test_a_leader_may_not_pass(record):
    def change(copy):
        copy["plays"][0]["cards"] = []

    error = broken(record, change)
    assert error.decision == 0
    assert "may not pass" in str(error)


def test_a_run_with_a_2_is_no_combination(record):
    hands = ["QS KD AH 2C 3S 4S 5S 6S 8S 8C 9D TD JC", "QC KS AS 2S 3C 4C 5C 6C 8D 9S TS TH 7S"]
    copy = bare(record) | {
        "players": 2, "leader": 0, "hands": [hand.split() for hand in hands], "calls": [],
        "plays": [{"seat": 0, "cards": ["QS", "KD", "AH", "2C"]}],
    }  # fmt: skip
    with pytest.raises(RecordError, match=r"no combination"):
        tlsim.settle(copy)


def test_a_record_that_stops_early_says_whose_turn_it_is(record):
    def change(copy):
        del copy["plays"][-1]

    error = broken(record, change)
    assert "before the game is over" in str(error)
    assert "legal:" in str(error)


def test_entries_after_the_end_are_named(record):
    def change(copy):
        copy["plays"].append({"seat": 0, "cards": []})

    assert "the game is over" in str(broken(record, change))


@pytest.mark.parametrize("key", ["net", "places", "transfers"])
def test_wrong_results_are_named(record, key):
    copy = json.loads(json.dumps(record))
    if key == "transfers":
        copy[key][0]["amount"] += 1
    else:
        copy[key] = copy[key][::-1]
    with pytest.raises(RecordError, match=key):
        tlsim.settle(copy)


def test_all_faults_of_a_deal_at_once(record):
    def change(copy):
        copy["hands"][0][0] = copy["hands"][1][0]
        copy["hands"][2].pop()

    error = broken(record, change)
    assert len(error.faults) == 2
    assert "in two places" in str(error)
    assert "has 12 cards" in str(error)


def test_the_opening_leader_is_checked():
    record = tlsim.play("luckywin", games=12, seed=3)[0]

    def change(copy):
        copy["leader"] = (copy["leader"] + 1) % 4

    assert "holds 3S and leads" in str(broken(record, change))


def test_a_hidden_instant_win_is_found():
    record = next(r for r in tlsim.play("luckywin", games=600, seed=3) if r["calls"])

    def change(copy):
        copy["calls"] = []

    assert "wins at once" in str(broken(record, change))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        b"\x00\xff\xfe",
        '{"format": "tlsim-game/2"}',
        "[" * 10_000,
        '{"format": "tlsim-game/1"}',
    ],
)
def test_no_record_is_a_fault_not_a_crash(value):
    with pytest.raises(RecordError):
        tlsim.settle(value)


@pytest.mark.parametrize("seed", range(60))
def test_a_record_with_one_thing_changed_never_crashes(record, seed):
    """Whatever is changed, the answer is a settlement that is right by the twin's own reading, or a named fault."""
    rng = random.Random(seed)
    copy = json.loads(json.dumps(bare(record)))
    at = rng.randrange(len(copy["plays"]))
    entry = copy["plays"][at]
    kind = rng.choice(["seat", "cards", "drop", "swap", "interrupt", "as", "leader"])
    if kind == "seat":
        entry["seat"] = rng.randrange(5)
    elif kind == "cards":
        entry["cards"] = format_cards(sum({1 << rng.randrange(52) for _ in range(rng.randrange(5))})).split()
    elif kind == "drop":
        del copy["plays"][at]
    elif kind == "swap":
        copy["plays"][at : at + 2] = copy["plays"][at : at + 2][::-1]
    elif kind == "interrupt":
        entry["interrupt"] = True
    elif kind == "as":
        entry["as"] = "quad"
    else:
        copy["leader"] = (copy["leader"] + 1) % 4
    [(_, done)] = tlsim.games.settle_all([("record", read_record(copy))])
    if isinstance(done, RecordError):
        assert all(fault.startswith("record: ") for fault in done.faults)
    else:
        assert sum(done.net) == 0


def test_cards_are_read_as_people_write_them(record):
    copy = bare(record)
    copy["hands"] = [[card.replace("T", "10") for card in hand] for hand in copy["hands"]]
    assert tlsim.settle(copy).record["hands"] == record["hands"]
    assert sorted(c for h in record["hands"] for c in h) == sorted(format_cards(cards_in((1 << 52) - 1)).split())
