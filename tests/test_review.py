"""What was played: losses against the best play known, marks, and luck apart from skill."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import tlsim
from tlsim.engine.moments import Estimate
from tlsim.engine.work import Block
from tlsim.kernels import row as c
from tlsim.kernels.rng import stream_key
from tlsim.questions.advise import Advise, advised
from tlsim.questions.how import How
from tlsim.questions.review import AsDealt, Review
from tlsim.records.model import RecordError, read_record
from tlsim.records.position import positions_of
from tlsim.results.advice import CLEAR, MARKS, Decided, Reviewed
from tlsim.results.provenance import Provenance

FAMILIES = ("luckywin", "doithuong", "mien_bac", "sam_loc", "tong_thong")
EVENING = """\
rules luckywin
players An Bình
game leader An
An 3♠ 3♣; An 4♠ 4♣; An 5♠ 5♣; An 6♠ 6♣; An 7♦ 8♠ 9♠ 10♠ J♦
left Bình 3♦ 3♥ 4♦ 4♥ 5♦ 5♥ 6♦ 6♥ 7♠ 8♦ 9♦ 10♦ J♠
"""


@cache
def played(preset, policies="smart,lowest,random,smart", games=12, seed=3):
    return tlsim.play(preset, games=games, policies=policies, match_length=games, seed=seed)


@cache
def found(preset, games=48, **more):
    return tlsim.review(played(preset), games=games, **more)


# Sums


@pytest.mark.parametrize("preset", FAMILIES)
def test_luck_losses_and_the_rest_are_the_result(preset):
    """To the last bit but for rounding; over all seats the luck is nothing where money only changes hands."""
    result = found(preset)
    rows, lost = result.rows("luck"), dict.fromkeys(["P0", "P1", "P2", "P3"], 0.0)
    net = np.sum([record["net"] for record in played(preset)], axis=0)
    for row in result.rows("decisions"):
        lost[row["player"]] += row["loss"]
    for row, of_records in zip(rows, net, strict=True):
        parts = row["seat"] + row["hand"] + row["others"] - row["lost"] + row["rest"]
        assert parts == pytest.approx(row["net"], abs=1e-9)
        assert row["net"] == of_records
        assert row["lost"] == pytest.approx(lost[row["player"]])
        assert row["adjusted"] == pytest.approx(row["net"] - 0.75 * (row["hand"] + row["others"]))
        assert row["ci_low"] < row["adjusted"] < row["ci_high"]
    if preset != "tong_thong":
        assert sum(row["seat"] for row in rows) == pytest.approx(0.0, abs=1e-9)
        assert sum(row["hand"] + row["others"] for row in rows) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("preset", FAMILIES)
def test_every_decision_is_there(preset):
    """Each play of a record once, but for stuck leaders; forced ones cost nothing."""
    rows = found(preset).rows("decisions")
    for game, record in enumerate(played(preset)):
        own = [row for row in rows if row["game"] == game]
        plays = [at for at, entry in enumerate(record["plays"]) if not entry.get("stuck")]
        assert sorted(row["at"] for row in own if row["at"] is not None and row["at"] >= 0) == plays
        for row in own:
            if row["at"] is not None and row["at"] >= 0:
                entry = record["plays"][row["at"]]
                assert row["player"] == f"P{entry['seat']}"
                assert row["played"] == (" ".join(entry["cards"]).replace("10", "T") or "pass")
    assert all(row["loss"] == 0 == row["loss_error"] for row in rows if row["forced"])
    assert all(row["loss"] == 0 for row in rows if row["played"] == row["best"])
    assert any(row["loss"] > 0 for row in rows)
    assert sum(row["forced"] for row in rows) == sum(row["forced"] for row in found(preset).rows("players"))


def test_a_chop_that_is_declined_is_a_decision():
    """Three pairs in a row may chop a 2 out of turn; who lets them lie is asked, and no play says so."""
    rules, seen = tlsim.load_rules("luckywin"), 0
    for record in map(read_record, played("luckywin", "random", 240, 1)):
        log = [entry for entry in record.plays if not entry.stuck]
        questions = positions_of(record, rules)
        assert [number for number, _ in questions if number is not None] == list(range(len(log)))
        for (number, position), (_, after) in pairwise([*questions, *questions[-1:]]):
            if number is None:
                assert position is after or after.seat != position.seat or after.row[c.PLAYS] > position.row[c.PLAYS]
                assert position.question in (c.FREE, c.AFTER_PASS)
                assert position.played == 0
                seen += 1
    assert seen


# Losses


def test_what_is_given_away_is_what_advice_says():
    """On other deals, with other seeds: |z| < 5.5 fails by chance once in 2.6e7 a decision, 1.5e6 for all of these."""
    rules, record = tlsim.load_rules("luckywin"), played("luckywin")[0]
    rows = tlsim.review(record, games=800, seed=1).rows("decisions")
    tried = 0
    for row in rows:
        if row["exact"] or row["loss"] == 0:
            continue
        asked = Advise.of_record(read_record(record), rules, row["at"], games=3000, seed=9)
        advice = advised(asked, How())
        both = [asked.answers.index(asked.asked.played), [*advice.answers].index(row["best"])]
        gap = advice.behind(*reversed(both))
        assert abs(gap.mean - row["loss"]) < 5.5 * math.hypot(gap.std_error, row["loss_error"])
        tried += 1
    assert tried >= 8


def test_a_loss_is_not_measured_where_the_best_was_chosen():
    """Losses of plays that are worth as much as the best are 0 on average, not above it.

    Where two suits of a play are alike each loss is 0; so these are plays of `smart` whose gap is within its error:
    with the best chosen on the same deals, the mean of z of these would be over 0.8, by 5 errors.
    """
    losses = [row for preset in ("luckywin", "doithuong") for row in found(preset).rows("decisions")]
    z = [row["loss"] / row["loss_error"] for row in losses if row["loss_error"] and row["player"] in ("P0", "P3")]
    assert min(z) < -0.5  # the other play was not always better on other deals
    assert all(row["loss"] >= 0 for row in losses if row["exact"])


def test_endings_are_exact():
    rows = found("luckywin").rows("decisions")
    exact = [row for row in rows if row["exact"] and not row["forced"]]
    assert exact
    assert all(row["loss_error"] == 0 for row in exact)
    assert any(row["loss"] > 0 for row in exact)


def test_the_only_deal_is_exact_where_it_is_solved():
    """One that is too long to be solved is played out by the policies, which is not the last word on it."""
    seen = set()
    for preset in ("luckywin", "doithuong"):
        rules, records = tlsim.load_rules(preset), played(preset)
        alone = [each for each in found(preset).decided if each.loss.matches == 1 < len(each.answers)]
        for each in (each for each in alone if each.at is not None):
            asked = Advise.of_record(read_record(records[each.game]), rules, each.at, games=24)
            assert each.exact == (asked.solved is not None)
            rows = advised(asked, How()).rows()
            assert {row["exact"] for row in rows} == {each.exact}
            assert {row["std_error"] for row in rows} == {0.0}
            seen.add(each.exact)
    assert seen == {True, False}


@pytest.mark.parametrize(("preset", "games", "deals"), [
    ("sam_loc", 36, 64), pytest.param("doithuong", 144, 32, marks=pytest.mark.slow),
])  # fmt: skip
def test_who_plays_worse_gives_more_away(preset, games, deals):
    """Of a decision, lowest more than smart and random most, each among its like, by 3.5 errors.

    Games are independent but for who leads; either holds by chance once in 4,000 where they are alike.
    """
    rows = {}
    for policy in ("smart", "lowest", "random"):
        rows[policy] = tlsim.review(played(preset, policy, games, 5), games=deals).quantities()["per_decision"]
    for worse, better in (("lowest", "smart"), ("random", "lowest")):
        gap = rows[worse][0] - rows[better][0]
        assert gap > 3.5 * math.hypot(rows[worse][1], rows[better][1]), (worse, rows)


TOLD_APART = {  # games in each of four seatings, and who gives away less than the next
    "luckywin": (96, ["expert", "lowest", "random"]), "doithuong": (576, ["expert", "smart", "lowest", "random"]),
    "mien_bac": (96, ["expert", "random"]), "sam_loc": (288, ["expert", "smart", "lowest", "random"]),
    "tong_thong": (96, ["expert", "random"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("preset", FAMILIES)
def test_at_one_table_too(preset):
    """One of each at a table, seats in turn. False alarm: two errors are passed by chance once in 40 by who are alike.

    Power: measured once, the gaps are 2.8 errors at least (`docs/howto/review.md`); in miền Bắc and Tổng thống all but
    random seats give away the same, as far as these deals, played on by smart seats, can tell.
    """
    games, order = TOLD_APART[preset]
    seats, found = ["expert", "smart", "lowest", "random"], defaultdict(list)
    for first in range(4):
        policies = [*seats[first:], *seats[:first]]
        asked = ",".join("random[sam=0]" if (preset, name) == ("sam_loc", "random") else name for name in policies)
        result = tlsim.review(
            tlsim.play(preset, games=games, policies=asked, match_length=12, seed=5 + first), games=32
        )
        for name, row in zip(policies, result.rows("players"), strict=True):
            found[name].append((row["per_decision"], row["per_decision_error"]))
    for better, worse in pairwise(order):
        gap = np.mean([loss for loss, _ in found[worse]]) - np.mean([loss for loss, _ in found[better]])
        assert gap > 2 * math.hypot(*(error for name in (better, worse) for _, error in found[name])) / 4, (
            better,
            worse,
        )


# Marks


def reviewed(*losses, stake=2.0):
    decided = [Decided(0, 1, at, "An", ("3S", "4S"), 0, 1, Estimate(loss, noise, 100))
               for at, (loss, noise) in enumerate(losses)]  # fmt: skip
    return Reviewed(Provenance(version="x"), ("smart",), 100, stake, tuple(decided), ())


def test_marks_stand_on_each_side_of_their_thresholds():
    edges = [least * 2.0 for least in MARKS.values()]
    low = reviewed(*((edge * 0.999, 0.001) for edge in edges))
    high = reviewed(*((edge, 0.001) for edge in edges))
    assert [row["mark"] for row in high.rows("decisions")] == ["blunder", "bad", "doubtful"]
    assert [row["mark"] for row in low.rows("decisions")] == ["bad", "doubtful", None]


def test_only_clear_losses_are_marked():
    told = reviewed((1.0, 1.0 / CLEAR), (1.0, 0.99 / CLEAR), (-1.0, 0.01), (1.0, 0.0))
    assert [row["mark"] for row in told.rows("decisions")] == [None, "blunder", None, "blunder"]
    assert list(told.marks("en")) == [1, 3]
    assert told.marks("vi")[3] == "sai nặng: 4♠ hơn 1"


def test_the_worst_are_the_worst():
    result = found("luckywin")
    clear = [row for row in result.rows("decisions") if row["loss"] > CLEAR * row["loss_error"]]
    worst = sorted((row["loss"] for row in clear), reverse=True)[:5]
    assert [row["loss"] for row in result.rows("worst")] == worst
    for row in result.rows("players"):
        own = [each for each in result.rows("decisions") if each["player"] == row["player"] and not each["forced"]]
        assert row["decisions"] == len(own)
        assert row["within"] == pytest.approx(1 - sum(each in clear for each in own) / len(own))
        assert {mark: row[mark] for mark in MARKS} == {
            mark: sum(each["mark"] == mark for each in own) for mark in MARKS
        }
        by_game = [sum(each["loss"] for each in own if each["game"] == game) for game in range(12)]
        assert row["per_game"] == pytest.approx(np.mean(by_game))
        assert row["per_game_error"] == pytest.approx(np.std(by_game, ddof=1) / math.sqrt(12))
        assert row["per_decision"] == pytest.approx(sum(by_game) / len(own))


# Luck


def test_the_luck_of_a_hand_is_what_the_hand_is_worth():
    """From the seat that leads: `hand --ev` plays other deals. |z| < 5.5 fails by chance once in 2.6e7."""
    hand = "3S 5D 5H 6C 7H 8D 9D TS JH QS KC AC 2H"
    record = tlsim.replay("luckywin", seed=1, match=0, game=0, hands={0: hand}, leader=0)
    row = tlsim.review(record, player="P0", games=2000).rows("luck")[0]
    worth = tlsim.hand_value(hand, "luckywin", distance=0, games=4000, seed=4).rows()[0]
    z = (row["seat"] + row["hand"] - worth["mean"]) / math.hypot(row["hand_error"], worth["std_error"])
    assert abs(z) < 5.5
    roles = tlsim.simulate("luckywin", games=24_000, seed=8, hands={0: ""}, leader=0).rows("seats")[0]
    assert abs(row["seat"] - roles["mean"]) < 5.5 * math.hypot(row["seat_error"], roles["std_error"])


def luck_of(records, games):
    """Return what each game brought each seat, and that less the luck: float[games, seats]."""
    question = Review(records, games=games)
    work, tally = question.work(), question.work().zero()
    for at, (_, number) in enumerate(question.looks):
        if number < 0:
            tally += work(Block(at, 1))
    sums = tally.deals[:, 1:33].reshape(-1, 4, 4, 2)[..., 0] / 2 / games
    net = np.array([record["net"] for record in question.told])
    return net, net - 0.75 * (sums[:, :, 1] + sums[:, :, 2])


@pytest.mark.parametrize("preset", ["luckywin", "sam_loc"])
def test_luck_is_nothing_on_average(preset):
    """So less the luck the mean is the same: |z| < 5.5 for each seat fails by chance once in 6e6."""
    net, less = luck_of(played(preset, "smart,lowest,lowest,smart", 240, 7), 40)
    luck = net - less
    assert np.all(np.abs(luck.mean(axis=0)) < 5.5 * luck.std(axis=0) / math.sqrt(len(luck)))
    assert luck.std() > 0.2 * net.std()  # it is not nothing at all


def test_less_the_luck_there_is_less_spread():
    """Where the players play like the policies; by the deals of a ratio of 1.3 this fails once in 1e6."""
    net, less = luck_of(played("luckywin", "smart", 240, 7), 100)
    assert net.var(axis=0).sum() > 1.1 * less.var(axis=0).sum()


def test_a_seat_is_the_same_whichever_way_play_goes():
    """A game with the direction back is the same game between mirrored seats: every seat keeps its own luck."""
    record = next(
        each for each in played("doithuong", "lowest", 12, 1) if each["direction"] < 0 and not each["opening"]
    )
    seats = [-seat % 4 for seat in range(4)]
    entries = [each | {"seat": seats[each["seat"]]} for each in record["plays"]]
    mirrored = {key: record[key] for key in ("format", "rules", "players", "opening")} | {
        "leader": seats[record["leader"]], "hands": [record["hands"][seat] for seat in seats], "calls": [],
        "plays": entries,
    }  # fmt: skip
    one, two = (tlsim.review(each, games=64).rows("luck") for each in (record, mirrored))
    for seat, row in enumerate(one):
        assert row | {"player": 0} == two[seats[seat]] | {"player": 0}
    assert len({row["hand"] for row in one}) == 4


def test_cards_that_are_over_go_to_the_same_seats():
    """52 cards among five: whoever was dealt eleven is dealt eleven in every deal that the luck is told by."""
    rules = tlsim.load_rules("tong_thong")
    for record in tlsim.play("tong_thong", games=4, players=5, policies="lowest"):
        hands = tuple(read_record(record).hands)
        rows = tuple(tuple(hand * (at == own) for at, hand in enumerate(hands)) for own in range(5))
        given = AsDealt(rules, rows, (0,), whole=hands).of(stream_key(0), 0, 5)
        assert rules.seat_sizes(5, int(given.dealers[0])) == tuple(hand.bit_count() for hand in hands)
        assert len(set(given.dealers.tolist())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["luckywin", "doithuong"])
def test_intervals_of_the_adjusted_result_cover(preset):
    """95 % intervals over twelve games: about 91 % of evenings, since money is skewed; under 85 % is three errors."""
    policies = "smart,lowest,smart,lowest"
    truth = tlsim.simulate(preset, games=480_000, policies=policies, match_length=12, seed=99).rows("seats")
    covered: list[bool] = []
    records = tlsim.play(preset, games=2400, policies=policies, match_length=12, seed=7)
    for begin in range(0, len(records), 12):
        _, less = luck_of(records[begin : begin + 12], 50)
        for seat, values in enumerate(less.T):
            low, high = Estimate(values.mean(), values.std(ddof=1) / math.sqrt(12), 12).interval()
            covered.append(low <= truth[seat]["mean"] <= high)
    assert 0.85 < np.mean(covered) < 0.99


# How it is asked


def test_the_same_seed_gives_the_same_and_threads_change_nothing():
    one = found("luckywin", 32, threads=1)
    for view in one.views:
        assert one.rows(view) == found("luckywin", 32, threads=2).rows(view)
    assert one.rows("luck") != found("luckywin", 32, seed=1).rows("luck")


def test_one_player_alone():
    """The same numbers as among all, and nobody else's."""
    one, every = found("luckywin", player="p1"), found("luckywin")
    for view in ("decisions", "players", "luck"):
        assert one.rows(view) == [row for row in every.rows(view) if row["player"] == "P1"]
    with pytest.raises(tlsim.UsageError, match="P0"):
        tlsim.review(played("luckywin"), player="An")


def test_an_error_that_is_good_enough_saves_deals():
    record = played("luckywin")[1]
    quick = tlsim.review(record, games=2000, until=tlsim.Until(abs_error=0.05))
    whole = tlsim.review(record, games=2000)
    for row in quick.rows("decisions"):
        assert row["loss_error"] <= 0.05
    deals = [sum(each.loss.matches for each in result.decided if not each.exact) for result in (quick, whole)]
    assert deals[0] < deals[1] / 2
    again = tlsim.review(record, games=2000, until=tlsim.Until(abs_error=0.05), threads=1)
    assert quick.rows("decisions") == again.rows("decisions")


def test_time_that_is_up_leaves_a_part():
    result = tlsim.review(played("luckywin"), games=4000, until=tlsim.Until(max_time=0.05))
    assert result.stopped == "time"
    assert result.left > 0
    assert str(result.left) in result.notes("en")[-1]
    for row in result.rows("luck"):
        assert row["seat"] + row["hand"] + row["others"] - row["lost"] + row["rest"] == pytest.approx(row["net"])


def test_records_and_notation_are_read(tmp_path):
    """A record, several, a file of either form; the names of the notation, with marks or without."""
    file = tmp_path / "evening.txt"
    file.write_text("# Chơi tối thứ bảy\n" + EVENING, encoding="utf-8")
    told = tlsim.review(file, games=32, player="binh")
    assert [row["player"] for row in told.rows("players")] == ["Bình"]
    assert tlsim.review(file, games=32).rows("decisions")[0]["line"] == 4
    one = tlsim.review(played("luckywin")[0], games=32)
    file.write_text(json.dumps(played("luckywin")[:1], indent=1), encoding="utf-8")
    assert tlsim.review(str(file), games=32).rows("luck") == one.rows("luck")


@pytest.mark.parametrize(("records", "words"), [
    ([], "no game"),
    ([*played("luckywin"), *played("sam_loc")], "several rules"),
    ("nowhere.txt", "cannot read"),
])  # fmt: skip
def test_what_cannot_be_is_named(records, words):
    with pytest.raises(tlsim.UsageError, match=words):
        tlsim.review(records)


def test_a_fault_in_a_game_is_named():
    record = played("luckywin")[0]
    with pytest.raises(RecordError, match="records:2"):
        tlsim.review([record, record | {"leader": (record["leader"] + 1) % 4}])


def test_there_are_pictures():
    """Of what players gave away a game, and of what plays bring; both are drawn of the rows that the view shows."""
    axes = found("luckywin").plot()
    assert [label.get_text() for label in axes.get_yticklabels()][:1] == [
        found("luckywin").rows("players")[0]["player"]
    ]
    advice = tlsim.advise("luckywin", "3S 5D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "3 3D", games=64)
    assert len(advice.plot().get_yticklabels()) == len(advice.rows())


@pytest.mark.parametrize("records", [5, 5.0, tlsim])
def test_what_holds_no_records_is_refused(records):
    with pytest.raises(tlsim.UsageError, match="records"):
        tlsim.review(records)
