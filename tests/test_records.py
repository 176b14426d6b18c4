"""Records: what is written can be refereed, and what is wrong in one is named."""

import json
import random

import naive_game
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlsim
from tlsim.cards import cards_in, format_cards, hand_of
from tlsim.records.model import MOST_BYTES, RecordError, read_record, read_values
from tlsim.records.settling import UNCHECKED, settle_after, settle_all, settle_read
from tlsim.records.text import Notation

FOUR_PAIRS = ["4S", "4C", "5S", "5C", "6S", "6C", "7S", "7C"]
STRAIGHT = ["8D", "9D", "TD", "JD", "QD"]
NEEDED = ("format", "rules", "players", "opening", "leader", "hands", "calls", "plays", "direction")
PRESETS = ["doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac"]


def read_records(lines, name):
    for where, value in read_values(lines, name):
        try:
            yield where, value if isinstance(value, RecordError) else read_record(value, where)
        except RecordError as error:
            yield where, error


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
    plain, turning = rules, rules.replace("turn.alternate_direction_each_hand", True)
    for number in range(24):
        players = rng.choice((2, 3, 4))
        deck = rng.sample(range(52), 13 * players)
        hands = [sum(1 << card for card in deck[13 * seat : 13 * seat + 13]) for seat in range(players)]
        opening = rng.random() < 0.4
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
        decide = naive_game.at_random(rng) if number % 2 else naive_game.lowest
        direction = rng.choice((1, -1))
        rules = turning if direction < 0 else plain
        game = naive_game.play(rules, hands, leader, opening, direction, decide=decide)
        settled = tlsim.settle(naive_game.record_of(game), rules)
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

    assert "holds 3♠ and leads" in str(broken(record, change))


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


STRANGE = {
    "a key twice": ('"leader": 0', '"leader": 0, "leader": 1', "key 'leader' is there twice"),
    "no number": ('"leader": 0', '"leader": NaN', "NaN is no number"),
    "an endless number": ('"leader": 0', '"leader": 1e999', "too large a number"),
    "a number of 5,000 digits": ('"leader": 0', f'"leader": {"9" * 5000}', "too many digits"),
    "a huge number": ('"leader": 0', f'"leader": {"9" * 400}', "leader = 999"),
    "a bool for a number": ('"leader": 0', '"leader": true', "leader = True"),
    "a number with a point": ('"leader": 0', '"leader": 0.0', "leader = 0.0"),
    "half a half": ('"leader": 0', '"leader": 0, "net": [0.25]', "steps of ½"),
    "a zero byte": ('"leader": 0', '"leader": 0\0', "zero bytes"),
    "depth": ('"leader": 0', f'"leader": {"[" * 50_000}', "too deep"),
    "depth that is closed": ('"leader": 0', f'"leader": {"[" * 700}{"]" * 700}', "leader = "),
    "a key that is none": ('"leader": 0', '"leader": 0, "leeder": 0', "did you mean 'leader'"),
    "a long key": ('"leader": 0', f'"leader": 0, "{"k" * 100_000}": 0', "kkk…"),
    "a key that moves the cursor": ('"leader": 0', '"leader": 0, "\\u001b[2J": 0', r"'\x1b[2J' is no key"),
    "a surrogate in the source": ('"leader": 0', '"leader": 0, "source": {"a": "\\ud800"}', "source = "),
    "rules of nobody": ('"luckywin"', '"lukywin"', "did you mean 'luckywin'"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGE)
def test_strange_values_are_named(record, name):
    old, new, words = STRANGE[name]
    text = json.dumps(bare(record) | {"leader": 0}).replace(old, new)
    assert new in text
    [(where, fault)] = settle_all(read_records([text.encode()], "file"))
    assert isinstance(fault, RecordError)
    assert where == "file:1"
    assert str(fault).startswith("file:1: ")
    assert words in str(fault)
    assert len(str(fault)) < 1000


def test_values_of_python_that_json_has_not(record):
    itself = []
    itself.append(itself)
    for source in (float("inf"), {1, 2}, itself):
        with pytest.raises(RecordError, match="source"):
            tlsim.settle(bare(record) | {"source": {"who": source}})
    with pytest.raises(RecordError, match="leader = a value"):
        tlsim.settle(bare(record) | {"leader": 10**5000})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{}".encode("utf-16"), "UTF-16"),
        (b'{"rules": "\xff"}', "no UTF-8 text (byte 12)"),
        (b"x" * (MOST_BYTES + 1), "longer than 1,048,576 bytes"),
        (bytes(range(1, 256)), "no UTF-8"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "zero bytes"),
    ],
)
def test_what_is_no_text_is_named(line, words):
    [(_, fault)] = read_records([line], "file")
    assert isinstance(fault, RecordError)
    assert words in str(fault)


def test_marks_of_other_editors_do_no_harm(record):
    text = json.dumps(record)
    lines = [b"\xef\xbb\xbf" + text.encode() + b"\r\n", b"\r\n", b"  \n", text.encode(), b"\xef\xbb\xbf\n"]
    found = list(read_records(lines, "file"))
    assert [where for where, _ in found] == ["file:1", "file:4"]
    assert all(settle_read(read).record == record for _, read in found)
    assert tlsim.settle("\ufeff" + text).record == record


def test_a_record_cut_anywhere_is_a_fault(record):
    line = json.dumps(record, ensure_ascii=False).encode()
    for end in range(1, len(line)):
        [(_, fault)] = read_records([line[:end]], "file")
        assert isinstance(fault, RecordError)
        assert fault.faults[0].startswith("file:1: no JSON: ")


@given(st.lists(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), max_size=4))
def test_junk_is_named_line_by_line(lines):
    for where, fault in settle_all(read_records(lines, "junk")):
        assert isinstance(fault, RecordError)
        assert all(text.startswith(f"{where}: ") for text in fault.faults)


@given(data=st.data())
def test_a_byte_that_is_changed_changes_no_money(record, data):
    """A full record says its money, so whatever byte is changed there is a fault, or the same settlement."""
    line = bytearray(json.dumps(record).encode())
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    for _, done in settle_all(read_records([bytes(line)], "file")):
        if not isinstance(done, RecordError):
            assert list(done.net) == record["net"]
            assert done.record["transfers"] == record["transfers"]
            assert done.record["plays"] == record["plays"]


@pytest.fixture(scope="module")
def games():
    """One game or two of each preset, and of one where a leader may be stuck, with the rules."""
    strict = tlsim.load_rules("luckywin").replace("finish.on_two", "forbid")
    each = [(name, tlsim.load_rules(name), 4) for name in PRESETS] + [("stuck", strict, 5)]
    return [
        (rules, {key: found[key] for key in NEEDED})
        for _, rules, seed in each
        for policy in ("random", "lowest")
        if (found := tlsim.replay(rules, seed, 1, 0, policies=policy, match_length=6))["plays"]
    ]


@given(data=st.data())
def test_one_decision_changed_is_legal_or_named_no_earlier(games, data):
    rules, record = data.draw(st.sampled_from(games))
    copy = json.loads(json.dumps(record))
    at = data.draw(st.integers(0, len(copy["plays"]) - 1))
    entry = copy["plays"][at]
    hand = st.sampled_from(copy["hands"][entry["seat"]])
    changes = {
        "seat": st.integers(0, 3),
        "cards": st.lists(hand, max_size=5, unique=True)
        | st.just(entry["cards"][:-1])
        | st.lists(st.sampled_from([card for cards in copy["hands"] for card in cards]), max_size=3, unique=True),
        "interrupt": st.just(not entry.get("interrupt", False)),
        "as": st.sampled_from(["quad", "pair_run_4"]),
        "stuck": st.just(not entry.get("stuck", False)),
    }
    key = data.draw(st.sampled_from(sorted(changes)))
    entry[key] = data.draw(changes[key])
    try:
        settled = tlsim.settle(copy, rules)
    except RecordError as error:
        assert error.decision is not None  # noqa: PT017 (a legal change is as good)
        assert error.decision >= at  # noqa: PT017
        assert f"plays[{error.decision}]" in str(error) or "plays ends after" in str(error)  # noqa: PT017
        assert "plays ends after" in str(error) or "game is over" in str(error) or "legal: " in str(error)  # noqa: PT017
    else:
        assert sum(settled.net) == 0
        assert tlsim.settle(settled.record, rules).record == settled.record
        played = [(play["seat"], sorted(play["cards"])) for play in settled.record["plays"]]
        assert played == [(play["seat"], sorted(play["cards"])) for play in copy["plays"]]


def test_leaders_who_are_stuck():
    rules = tlsim.load_rules("luckywin").replace("finish.on_two", "forbid")
    records = tlsim.play(rules, games=1200, seed=5, policies="random", match_length=6)
    record = next(one for one in records if any(play.get("stuck") for play in one["plays"][4:]))
    stuck = [at for at, play in enumerate(record["plays"]) if play.get("stuck")]
    assert tlsim.settle(record, rules).record == record
    at = stuck[0]
    for wrong in (
        {"seat": record["plays"][at]["seat"], "cards": []},
        None,
        {"seat": 9 % 4, "cards": [], "stuck": True},
    ):
        if wrong is not None and record["plays"][at] == wrong:
            continue
        copy = json.loads(json.dumps(bare(record)))
        copy["plays"][at : at + 1] = [wrong] if wrong else []
        with pytest.raises(RecordError, match=r'holds nothing that it may lead .* legal: .*"stuck": true') as caught:
            tlsim.settle(copy, rules)
        assert caught.value.decision == at
    with pytest.raises(RecordError, match="not stuck") as caught:
        tlsim.settle(broken_stuck(record, 3), rules)
    assert caught.value.decision == 3


def broken_stuck(record, at):
    copy = json.loads(json.dumps(bare(record)))
    copy["plays"][at] = {"seat": copy["plays"][at]["seat"], "cards": [], "stuck": True}
    return copy


def test_a_last_play_with_a_2_is_named():
    rules = tlsim.load_rules("luckywin").replace("finish.on_two", "forbid")
    copy = two_seats([])
    copy["hands"][0] = ["3D", "4D", "5D", "6D", "7D", "8C", "9C", "TC", "JC", "QC", "3S", "AH", "2S"]
    for cards in (copy["hands"][0][:10], ["3S"], ["AH"]):
        copy["plays"] += [{"seat": 0, "cards": cards}, {"seat": 1, "cards": []}]
    copy["plays"] += [{"seat": 0, "cards": [], "stuck": True}, {"seat": 1, "cards": ["4S"]}]
    copy["plays"] += [{"seat": 0, "cards": ["2S"]}]
    with pytest.raises(RecordError, match=r"plays\[8\]: seat 0, 2♠: the last play may not hold a 2") as caught:
        tlsim.settle(copy, rules)
    assert caught.value.decision == 8


def two_seats(plays):
    other = "2S 3S 3C 4D 4H 5D 8C 9C TC JC KD KC AH"
    return {
        "format": "tlsim-game/1", "rules": "luckywin", "players": 2, "opening": False, "leader": 0, "calls": [],
        "hands": [other.split(), FOUR_PAIRS + STRAIGHT], "plays": plays,
    }  # fmt: skip


def test_a_free_chop_in_turn_is_written_without_a_mark():
    chop = {"seat": 1, "cards": FOUR_PAIRS}
    rest = [{"seat": 0, "cards": []}, {"seat": 1, "cards": STRAIGHT}]
    plain, marked = (
        tlsim.settle(two_seats([{"seat": 0, "cards": ["2S"]}, chop | mark, *rest]))
        for mark in ({}, {"interrupt": True})
    )
    assert plain == marked
    assert plain.record["plays"][1] == chop


@pytest.mark.parametrize("wrong", [{"barred": 1}, {"titles": [0, 1]}, {"exchange": []}, {"points": [1, -1]}])
def test_what_these_rules_do_not_know_is_not_passed_over(wrong):
    plays = [{"seat": 0, "cards": ["2S"]}, {"seat": 1, "cards": FOUR_PAIRS}]
    plays += [{"seat": 0, "cards": []}, {"seat": 1, "cards": STRAIGHT}]
    assert tlsim.settle(two_seats(plays) | dict.fromkeys(wrong)).places == (1, 0)
    with pytest.raises(RecordError, match=f"^record: {next(iter(wrong))}"):
        tlsim.settle(two_seats(plays) | wrong)


def test_a_barred_seat_holds_no_instant_win():
    rules = tlsim.load_rules("luckywin").replace("toi_trang.bars_last_winner", True)
    records = [r for r in tlsim.play("luckywin", games=1200, seed=3) if r["calls"]]
    for opening, words in ((True, r"seat {} holds no tới trắng .*barred"), (False, r"barred = {}: .*\(M27\)")):
        record = next(r for r in records if r["opening"] == opening)
        seat = record["calls"][0]["seat"]
        with pytest.raises(RecordError, match=words.format(seat)):
            tlsim.settle(bare(record) | {"barred": seat}, rules)


def settled_all(records):
    return [done for _, done in settle_all((f"f:{n}", read_record(record)) for n, record in enumerate(records, 1))]


def test_a_match_begins_with_an_opening_game(record):
    """M29: a fault in records that could say what was given; in older ones the leader is taken as it is written."""
    source = {"seed": 1, "match": 0, "game": 0, "policies": [], "match_length": 12}
    told = [
        record | {"source": source | more} for more in ({"version": "0.2.0"}, {"version": "0.1.0"}, {"given": True})
    ]
    done = [settled_all([one])[0] for one in told]
    assert "opening = false: a match begins with an opening game" in str(done[0])
    for each in done[1:]:
        assert each.notices == (f"f:1: {UNCHECKED}",)
    given = tlsim.play("luckywin", leader=2, seed=3)[0]
    assert (given["source"]["given"], given["opening"], given["source"]["game"]) == (True, False, 0)


def test_what_is_taken_as_written_is_said_once_where_sources_say_nothing(record):
    games = settled_all([bare(record)] * 3)
    assert [len(game.notices) for game in games] == [1, 0, 0]


def test_a_deal_that_did_not_rotate_is_a_notice():
    """M30: at five seats the dealer moves on, so the first seats to get a card more do."""
    first, second = tlsim.play("tong_thong", games=2, players=5, seed=3, match_length=2)
    assert [game.notices for game in settled_all([first, second])] == [(), ()]
    opening = {key: value for key, value in first.items() if key in NEEDED} | {"titles": None, "exchange": []}
    follows = {"source": first["source"] | {"game": 1}}
    again = settled_all([first, opening | follows])[1]  # the same deal again; that it is no opening game is a fault
    assert "opening = true: after the game before it must be false" in str(again)
    rules = tlsim.load_rules("tong_thong")
    last = tlsim.settle(first)
    found = settle_after(read_record(opening | follows), rules, "f:2", last)
    expected = "after the game before it the dealer gives [10, 10, 11, 11, 10]"
    source = rules.cited("deal.uneven_deal")
    assert found.notices == (f"f:2: hands of [10, 11, 11, 10, 10] cards: {expected} ({source})",)


def test_messages_name_what_may_be_played_and_the_clause():
    by_hand = tlsim.load_rules("luckywin").replace("turn.pass_locks", True)
    north = tlsim.load_rules("mien_bac")
    for rules, wrong, words in (
        (
            "luckywin",
            {"seat": 1, "cards": ["8D"], "interrupt": True},
            "a free chop takes four pairs in a row, and a set",
        ),
        (
            north,
            {"seat": 1, "cards": ["8D"], "interrupt": True},
            "nothing is played out of turn or after a pass by these",
        ),
        (by_hand, {"seat": 0, "cards": ["3S"]}, "out of turn (001#R27)"),
    ):
        copy = two_seats([{"seat": 0, "cards": ["2S"]}, wrong]) | ({"rules": "mien_bac"} if rules is north else {})
        with pytest.raises(RecordError) as caught:
            tlsim.settle(copy, rules)
        assert words in str(caught.value)
    with pytest.raises(RecordError, match=r"\(turn\.pass_locks, set by hand\)"):
        tlsim.settle(locked(by_hand), by_hand)


def locked(rules):
    """A game in which a seat passes, the next one beats, and the first plays again."""
    records = tlsim.play(rules, games=36, players=3, policies="random", seed=3)
    copy, at = next(
        (bare(record), n)
        for record in records
        for n in range(1, len(record["plays"]) - 1)
        if [bool(play["cards"]) for play in record["plays"][n - 1 : n + 2]] == [True, False, True]
        and len({play["seat"] for play in record["plays"][n - 1 : n + 2]}) == 3
    )
    passer = copy["plays"][at]["seat"]
    laid = {card for play in copy["plays"][:at] if play["seat"] == passer for card in play["cards"]}
    card = next(card for card in copy["hands"][passer] if card not in laid)
    copy["plays"][at + 2 :] = [{"seat": passer, "cards": [card]}]
    return copy


def test_a_file_that_a_record_names_is_not_opened(record, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(f'extends = "luckywin"\nname = "{file.as_posix()}"\n', encoding="utf-8")
    copy = bare(record) | {"rules": str(file)}
    with pytest.raises(RecordError, match="is no rule set of tlsim") as caught:
        tlsim.settle(copy)
    assert "--rules FILE" in str(caught.value)
    assert tlsim.settle(copy, file).net == tuple(record["net"])
    with pytest.raises(RecordError, match="cannot be refereed by 'hue'"):
        tlsim.settle(copy, "hue")
    with pytest.raises(tlsim.UsageError, match="there is no rule set"):
        tlsim.settle(copy, "nonsense")


@pytest.mark.parametrize("game", ["1", None, [1], {}, 1.5, 10**30])
def test_whatever_a_source_says_games_are_settled(record, game):
    copies = [bare(record) | {"source": {"game": game}}] * 2
    done = [done for _, done in settle_all((str(at), read_record(c)) for at, c in enumerate(copies))]
    assert [one.net for one in done] == [tuple(record["net"])] * 2


@pytest.mark.parametrize("again", [False, True])
def test_a_game_that_does_not_follow_is_a_fault_and_the_next_is_held_against_it(again):
    records = tlsim.play("luckywin", games=12, policies="lowest", seed=3)
    leads = [tlsim.settle(record).next_leader for record in records]
    at = next(at for at in range(9) if records[at + 2]["leader"] != leads[at] and not records[at + 2]["opening"])
    wrong = next(other for other in records if other["leader"] != leads[at + 2] and not other["opening"])
    follower = json.loads(json.dumps(wrong if again else records[at + 3]))
    moved = [records[at], records[at + 2], follower]
    for number, record in enumerate(moved, 1):  # not the first, which would be an opening game
        record["source"]["game"] = number
    done = [done for _, done in settle_all((f"line {n}", read_record(r)) for n, r in enumerate(moved))]
    assert [isinstance(each, RecordError) for each in done] == [False, True, again]
    assert str(done[1]).startswith(
        f"line 1: leader = {moved[1]['leader']}: after the game before seat {leads[at]} leads"
    )


def test_games_of_other_rules_do_not_follow():
    ours, theirs = (tlsim.play(name, games=12, match_length=12, seed=3) for name in ("luckywin", "mien_bac"))
    leads = [tlsim.settle(record).next_leader for record in ours]
    at = next(at for at in range(11) if not theirs[at + 1]["opening"] and theirs[at + 1]["leader"] != leads[at])
    pair = [("1", read_record(ours[at])), ("2", read_record(theirs[at + 1]))]
    assert [done.record for _, done in settle_all(pair)] == [ours[at], theirs[at + 1]]


def test_what_was_settled_before_a_failure_is_had(record):
    def lines():
        yield json.dumps(record)
        raise OSError("the disk is gone")

    found = settle_all(read_records(lines(), "file"))
    assert next(found)[1].record == record
    with pytest.raises(OSError, match="the disk is gone"):
        next(found)


def test_cards_are_read_as_people_write_them(record):
    copy = bare(record)
    copy["hands"] = [[card.replace("T", "10") for card in hand] for hand in copy["hands"]]
    assert tlsim.settle(copy).record["hands"] == record["hands"]
    assert sorted(c for h in record["hands"] for c in h) == sorted(format_cards(cards_in((1 << 52) - 1)).split())


@pytest.mark.parametrize("names", [["a", "a", "b", "c"], ["An", "b", "c", "AN"], ["B\u00ecnh", "c", "d", "Bi\u0300nh"]])
def test_two_players_of_one_name_are_refused(record, names):
    """A debt of one to the other would vanish."""
    told = record | {"source": {"names": names}}
    with pytest.raises(RecordError, match="two players have one name"):
        tlsim.settle(told)
    assert tlsim.settle(told | {"source": {"names": ["a", "b", "c", "d"]}}).net == tuple(record["net"])


def test_no_game_goes_round_backwards_that_cannot(record):
    """The direction turns only where the rules say so, and never before the first game of a match (M18)."""
    with pytest.raises(RecordError, match=r"direction = -1: turns go the other way \(001#R27"):
        tlsim.settle(record | {"direction": -1})
    games = tlsim.play("doithuong", games=12, seed=4)
    back = next(game for game in games if game["direction"] == -1)
    assert tlsim.settle(back).record == back
    with pytest.raises(RecordError, match="direction = -1"):
        tlsim.settle(back | {"source": back["source"] | {"game": 0}})


def exchanged_otherwise():
    """A record in which a giver gives another suit of a rank that he keeps: everywhere behind the deal both change."""
    for record in tlsim.play("tong_thong", games=40, seed=5):
        for at, gift in enumerate((record.get("exchange") or [])[:2]):
            hand = record["hands"][gift["from"]]
            for card in gift["cards"]:
                for other in hand:
                    if other[0] == card[0] and other not in gift["cards"]:
                        there = {card: other, other: card}
                        text = json.dumps({key: record[key] for key in ("exchange", "plays")})
                        text = text.replace(card, "??").replace(other, card).replace("??", other)
                        changed = record | json.loads(text)
                        for play in changed["plays"] + changed["exchange"]:
                            play["cards"] = sorted(play["cards"], key=lambda name: next(cards_in(hand_of(name))))
                        yield record, changed, at, there


def test_of_equal_ranks_any_suit_is_given_in_an_exchange():
    """Suits never compare in Tổng thống (004#R6, L13): which of them goes up is the giver's own choice."""
    found = list(exchanged_otherwise())
    assert len(found) > 5
    for record, changed, at, _ in found:
        assert changed["exchange"][at] != record["exchange"][at]
        settled = tlsim.settle(changed)
        assert settled.record["exchange"] == changed["exchange"]
        assert (settled.net, settled.places) == (tuple(record["net"]), tuple(record["places"]))
        text = Notation().write(settled.record, settled.rules)
        assert tlsim.settle(text).record["exchange"] == changed["exchange"]


def test_a_lower_rank_or_a_foreign_card_is_no_gift():
    record, changed, at, there = next(exchanged_otherwise())
    gift = changed["exchange"][at]
    low = next(card for card in record["hands"][gift["from"]] if card[0] not in {name[0] for name in gift["cards"]})
    foreign = next(card for card in record["hands"][gift["to"]] if card not in there)
    for card in (low, foreign):
        told = json.loads(json.dumps(changed))
        told["exchange"][at]["cards"][-1] = card
        with pytest.raises(RecordError, match=rf"exchange\[{at}\].cards = .* must be .*, the highest"):
            tlsim.settle(told)


def test_gifts_and_returns_are_told_in_any_order_among_themselves():
    record = next(game for game in tlsim.play("tong_thong", games=4, seed=5) if game["exchange"])
    gifts, half = record["exchange"], len(record["exchange"]) // 2
    told = record | {"exchange": gifts[:half][::-1] + gifts[half:][::-1]}
    assert told["exchange"] != gifts
    assert tlsim.settle(told).net == tuple(record["net"])
    with pytest.raises(RecordError, match="by titles it goes from"):
        tlsim.settle(record | {"exchange": gifts[half:] + gifts[:half]})
