"""Given cards: every game has them, the rest is dealt as it falls, and what cannot be is refused."""

import json

import numpy as np
import pytest
from compiled import kept
from uniform import bit_matrix

import tlsim
from tlsim.cards import hand_of
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.errors import TlsimError, UsageError
from tlsim.jit import pointer
from tlsim.kernels.deal import GROUP
from tlsim.kernels.given import deal_rest
from tlsim.records.game_files import given_hands
from tlsim.records.model import RecordError


@kept
def deal_group(key, given, game, hands, group):
    deal_rest(key, given, pointer(game), hands, group, 0, hands.shape[1], 0)


def counts_of(groups, seed, players, hands, leader):
    """How often each seat has each card in so many groups of 256 deals, which are not played; int64[players, 52]."""
    rules = tlsim.load_rules("luckywin")
    given = given_hands(rules, players, hands, leader)
    work = GameWork(seed, rules, players, read_policies("lowest", players), 1, given)
    key, hall, counts = work._fixed[0], work._hall(), np.zeros((players, 52), np.int64)
    cards = given.of(key, 0, groups * GROUP)
    for group in range(groups):
        deal_group(key, cards, hall.game, hall.hands, group)
        counts += [bit_matrix(seat.copy(), 52).sum(axis=0, dtype=np.int64) for seat in hall.hands[:players]]
    return counts


def hands_of(records):
    return [[hand_of(" ".join(hand)) for hand in record["hands"]] for record in records]


def test_every_game_has_the_given_cards():
    given = {0: "3S 3C", 2: ["2S", "2C", "2D"]}
    for hands in hands_of(tlsim.play("luckywin", games=40, seed=4, hands=given)):
        assert hands[0] & hand_of("3S 3C") == hand_of("3S 3C")
        assert hands[2] & hand_of("2S 2C 2D") == hand_of("2S 2C 2D")
        assert [hand.bit_count() for hand in hands] == [13] * 4
        assert sum(hands) == (1 << 52) - 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rest_is_dealt_uniformly(players):
    """Each of the 47 other cards is with each seat as often as its room says; 4,096 deals.

    With 47 cards by 4 places as chi-square cells; false alarm 1e-7 (6 standard deviations of the chi-square); a card
    that comes 15 % too often to one seat would be noticed.
    """
    deals, room = 16 * GROUP, [10, 11, 13, 13][:players]
    counts = counts_of(16, 9, players, {0: "3S 4S 5S", 1: "2H 2D"}, 0)
    free = [card for card in range(52) if not hand_of("3S 4S 5S 2H 2D") >> card & 1]
    square = 0.0
    for seat, places in enumerate(room):
        expected = deals * places / 47
        spread = expected * (1 - places / 47)
        square += sum((counts[seat][card] - expected) ** 2 for card in free) / spread
    freedom = 46 * players
    assert abs(square - freedom) < 6 * (2 * freedom * players) ** 0.5


def test_a_leader_makes_it_a_regular_game_and_none_an_opening_one():
    for record in tlsim.play("luckywin", games=10, seed=4, leader=3):
        assert (record["opening"], record["leader"]) == (False, 3)
    for record in tlsim.play("luckywin", games=10, seed=4, hands={1: "3S"}):
        assert (record["opening"], record["leader"]) == (True, 1)  # 001#R24


@pytest.mark.parametrize(("leader", "pattern", "held"), [(2, "tu_quy_2", 15 << 48), (None, "tu_quy_3", 15)])
def test_a_pattern_is_held_and_uniformly_so(leader, pattern, held):
    """A quad with any nine others: each other card 9 in 48 times; 5 standard errors over 48 cards, under 3e-5."""
    deals = 8 * GROUP
    for card, count in enumerate(counts_of(8, 6, 4, {2: pattern}, leader)[2].tolist()):
        if held >> card & 1:
            assert count == deals
        else:
            assert abs(count - deals * 9 / 48) < 5 * (deals * 9 / 48 * 39 / 48) ** 0.5


def test_a_pattern_beside_given_cards():
    """Whoever holds the dragon cannot have two of the four kings that another has, but for one."""
    for hands in hands_of(tlsim.play("luckywin", games=50, seed=6, hands={0: "sanh_rong", 1: "KS KC KD"}, leader=0)):
        assert hands[0] & hand_of("KH")
    with pytest.raises(UsageError, match="no hand holds"):
        tlsim.simulate("luckywin", games=10, hands={0: "sanh_rong", 1: "KS KC KD KH"}, leader=0)


def test_given_games_are_the_same_alone_and_on_threads():
    given = {"hands": {0: "sau_doi"}, "leader": 1, "policies": "smart,random,lowest,random", "seed": 5}
    stats = tlsim.simulate("doithuong", games=700, threads=2, **given)
    assert stats.tally == tlsim.simulate("doithuong", games=700, threads=1, **given).tally
    records = tlsim.play("doithuong", games=700, **given)
    assert stats.rows("seats")[0]["mean"] * 700 == pytest.approx(sum(record["net"][0] for record in records))
    assert tlsim.replay("doithuong", match=600, game=0, **given) == records[600]


def test_deals_of_a_file_in_turn(tmp_path):
    records = tlsim.play("luckywin", games=12, seed=3)
    file = tmp_path / "deals.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    again = tlsim.play("luckywin", deals=file)
    assert len(again) == 12
    for one, two in zip(records, again, strict=True):
        assert [one[key] for key in ("hands", "opening", "leader")] == [
            two[key] for key in ("hands", "opening", "leader")
        ]
    stats = tlsim.simulate("luckywin", games=36, deals=file)
    assert stats.rows("seats")[1]["mean"] * 12 == pytest.approx(sum(record["net"][1] for record in again))


def test_an_instant_win_may_be_declined():
    """000#R18: optional; the seat plays its hand out."""
    given = {"hands": {0: "tu_quy_2"}, "leader": 0, "games": 300, "seed": 1}
    policies = [f"smart{option},lowest,lowest,lowest" for option in ("", "[declare=0]")]
    yes, no = (tlsim.simulate("doithuong", policies=names, **given) for names in policies)
    won = [{row["event"]: row["count"] for row in stats.rows("events")}["toi_trang"] for stats in (yes, no)]
    assert won[0] == 300
    assert won[1] < 30
    with pytest.raises(UsageError, match="counts every tới trắng at once"):
        tlsim.simulate("luckywin", games=10, policies="smart[declare=0]")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"hands": {0: "3S 3S"}}, "3♠|3S"),
        ({"hands": {4: "3S"}}, "seats are 0 to 3"),
        ({"hands": {0: "3S", 1: "3S"}}, "two places at once"),
        ({"hands": {0: "3S 3C 3D 3H 4S 4C 4D 4H 5S 5C 5D 5H 6S 6C"}}, "14 cards"),
        ({"hands": {0: "tu_quy_2"}}, "is not on the list"),
        ({"hands": {0: "tu_quy_2", 1: "sau_doi"}, "leader": 0}, "one seat alone"),
        ({"hands": {0: "hello"}}, "hand of seat 0"),
        ({"leader": 4}, "seats are 0 to 3"),
        ({"hands": {0: "3S"}, "match_length": 12}, "every match is one game"),
        ({"deals": "nowhere.jsonl"}, "cannot read"),
        ({"deals": []}, "holds no deal"),
        ({"deals": [{"hands": [["3S"], ["4S"]]}], "players": 4}, "the deals have 2 hands"),
        ({"deals": [{"hands": [["3S"], ["4S"]]}], "leader": 0}, "give no hands and no leader"),
    ],
)
def test_what_cannot_be_is_refused(given, words):
    with pytest.raises(UsageError, match=words):
        tlsim.simulate("luckywin", games=12, **given)


def test_all_faults_of_a_file_at_once(tmp_path):
    file = tmp_path / "deals.jsonl"
    file.write_text(
        '{"hands": [["3S"], ["3S"], [], []]}\n{"hands": [["9X"], []]}\nnothing\n{"hands": [[], [], []], "leader": 1}\n'
        '{"hands": [[], [], [], []], "opening": false}\n',
        encoding="utf-8",
    )
    with pytest.raises(RecordError) as error:
        tlsim.simulate("luckywin", games=12, deals=file)
    text = str(error.value)
    for part in (*(f"deals.jsonl:{line}" for line in range(1, 6)), "leader is missing"):
        assert part in text


def test_deals_of_president_have_their_titles():
    """Records as deals: the same hands, the same gifts, the same leader; what is returned is up to the policy."""
    records = tlsim.play("tong_thong", 16, 5, "random", match_length=8, seed=4)
    again = tlsim.play("tong_thong", deals=records, policies="lowest")
    assert sum(record["titles"] is not None for record in records) == 14
    for one, two in zip(records, again, strict=True):
        assert [two[key] for key in ("hands", "titles", "leader", "opening")] == [
            one[key] for key in ("hands", "titles", "leader", "opening")
        ]
        assert two["exchange"][:2] == one["exchange"][:2]
    plain = [{key: record[key] for key in ("hands", "leader", "opening")} for record in records]
    assert all(record["exchange"] == [] for record in tlsim.play("tong_thong", deals=plain[:1]))


def test_deals_of_sam_have_their_barred_seat():
    records = tlsim.play("sam_loc", 360, 4, "lowest", seed=4)
    assert any(record["barred"] is not None for record in records)
    again = tlsim.play("sam_loc", deals=records, policies="lowest")
    assert [(r["hands"], r["barred"], r["plays"]) for r in again] == [
        (r["hands"], r["barred"], r["plays"]) for r in records
    ]


@pytest.mark.parametrize(
    ("rules", "change", "words"),
    [
        ("tong_thong", {"titles": [0, 1, 2, 3, 3], "leader": 3}, "must be the 5 seats by their places"),
        ("tong_thong", {"titles": [0, 1, 2, 3, 4], "leader": 0}, "leader = 0: by titles seat 4 leads"),
        ("tong_thong", {"titles": [0, 1, 2, 3, 4]}, "an opening game has none"),
        ("sam_loc", {"titles": [0, 1, 2, 3, 4], "leader": 0}, "titles: belongs to Tổng thống"),
        ("sam_loc", {"barred": 5, "leader": 0}, "barred"),
        ("tong_thong", {"barred": 1, "leader": 0}, "barred = 1: tong_thong bars nobody"),
    ],
)
def test_deals_with_wrong_titles(rules, change, words):
    with pytest.raises(TlsimError, match=words):
        tlsim.play(rules, deals=[{"hands": [[]] * 5} | change])
