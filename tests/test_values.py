"""What hands and seats are worth: against records of the same deals, plain simulation, exact counts, repeated runs."""

import math
import re

import numpy as np
import pytest
from scipy.stats import binom

import tlsim
from tlsim.cards import cards_in, hand_of
from tlsim.engine.given_deals import DrawnDeals
from tlsim.errors import UsageError
from tlsim.intervals import korn_graubard
from tlsim.kernels.rng import stream_key
from tlsim.questions.hand import Hand, own_seed
from tlsim.results.worth import DECLARED, share_interval

DRAGON = "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
PLAIN = "3S 4D 5H 5C 7H 8D 9D 9S JH QS KC AC 2H"
SAM = "2S 2C 2H AS AC 9D 9S 9H 5S 5H"  # succeeds in 5 of 8 calls


def dealt(rules, hand, games, seed, players=4, dead=0, pattern=None):
    """The deals that hand_value plays, by seat, as cards."""
    cards = (hand_of(hand) if hand else 0, *(0,) * (players - 1))
    deals = DrawnDeals(tlsim.load_rules(rules), (cards,), (0,), pattern, dead=dead)
    return [[list(map(card_text, cards_in(hand))) for hand in row]
            for row in deals.hands(stream_key(seed), 0, games).tolist()]  # fmt: skip


def card_text(card):
    return "3456789TJQKA2"[card // 4] + "SCDH"[card % 4]


@pytest.mark.parametrize(
    ("rules", "hand", "policies"),
    [("luckywin", PLAIN, "smart,lowest,lowest,smart"), ("doithuong", DRAGON, "smart[declare=0],lowest,smart,lowest")],
)
def test_every_distance_is_the_mean_of_its_games(rules, hand, policies):
    """The same deals as given deals, and every game's money and places: equal, not just near."""
    value = tlsim.hand_value(hand, rules, policies=policies, games=300, seed=5)
    hands = dealt(rules, hand, 300, 5)
    for row, distance in zip(value.rows(), range(4), strict=False):
        leader = (4 - distance) % 4
        deals = [{"hands": deal, "leader": leader} for deal in hands]
        stats = tlsim.simulate(rules, games=300, deals=deals, policies=policies, seed=5)
        seat = stats.rows("seats")[0]
        assert row["mean"] == pytest.approx(seat["mean"], rel=1e-12)
        assert row["std_error"] == pytest.approx(seat["std_error"], rel=1e-9)
        assert row["spread"] == pytest.approx(seat["spread"], rel=1e-9)
        assert row["win"] == pytest.approx(seat["place_1"], rel=1e-12)
        assert (row["which"], row["distance"]) == ("distance", distance)
    rows = value.rows()
    assert rows[4]["which"] == "all"
    for key in ("mean", "win"):
        assert rows[4][key] == pytest.approx(sum(row[key] for row in rows[:4]) / 4)
    assert rows[4]["games"] == 1200


def test_an_opening_game():
    value = tlsim.hand_value(PLAIN, "luckywin", games=200, opening=True, seed=2)
    deals = [{"hands": deal} for deal in dealt("luckywin", PLAIN, 200, 2)]
    stats = tlsim.simulate("luckywin", games=200, deals=deals, policies="smart", seed=2)
    (row,) = value.rows()
    assert (row["which"], row["distance"]) == ("opening", None)
    assert row["mean"] == pytest.approx(stats.rows("seats")[0]["mean"])


def test_one_distance_has_the_same_deals():
    every, one = (tlsim.hand_value(PLAIN, "luckywin", games=200, distance=d, seed=2) for d in (None, 3))
    assert one.rows() == [every.rows()[3]]


def test_dead_cards_are_nowhere():
    """Three players of Sâm, some cards being out of the game: nobody holds them in the deals that are played."""
    dead = "2C 2D 2S 3S 4S 5S"
    value = tlsim.hand_value("2H AS KC QD 9H 8H 8C 6C 6D 3H", "sam_loc", players=3, out_of_play=dead, games=300, seed=1)
    deals = [{"hands": deal, "leader": 0} for deal in
             dealt("sam_loc", "2H AS KC QD 9H 8H 8C 6C 6D 3H", 300, 1, players=3, dead=hand_of(dead))]  # fmt: skip
    assert not {"2C", "2D", "2S", "3S"} & {card for deal in deals for hand in deal["hands"] for card in hand}
    stats = tlsim.simulate("sam_loc", games=300, deals=deals, policies="smart", seed=1)
    assert value.rows()[0]["mean"] == pytest.approx(stats.rows("seats")[0]["mean"])
    assert value.provenance.out_of_play == "3S 4S 5S 2S 2C 2D"


def test_dead_cards_are_in_other_hands_as_in_odds():
    """Hands of 6 pairs without a 2: the others hold all four of them, and the hand is still drawn as odds count it."""
    value = Hand("sau_doi", "doithuong", dead="2S 2C 2D 2H", games=400, policies="lowest", distance=0)
    hands = value.deals.hands(np.array([5, 6], np.uint64), 0, 400)
    assert not (hands[:, 0] >> 48).any()
    assert ((hands[:, 1:] >> 48).sum(axis=1) == 15).all()
    counted = tlsim.exact_odds("doithuong", dead="2S 2C 2D 2H").hand
    assert value.deals.counted == counted
    assert value.provenance().dead == "2S 2C 2D 2H"


def test_dead_cards_change_nothing_for_a_known_hand():
    plain, dead = (
        tlsim.hand_value(PLAIN, "doithuong", games=40, policies="lowest", **more) for more in ({}, {"dead": "3C"})
    )
    assert plain.rows() == dead.rows()


def test_it_agrees_with_plain_simulation():
    """Other deals, drawn by the kernel: four distances, money and first places at 5 errors, false alarm 5e-6.

    20,000 deals: an error of 0.05 in the mean money would be noticed.
    """
    value = tlsim.hand_value(PLAIN, "luckywin", games=20_000, policies="lowest", seed=3)
    for distance, row in enumerate(value.rows()[:4]):
        leader = (4 - distance) % 4
        stats = tlsim.simulate("luckywin", games=20_000, hands={0: PLAIN}, leader=leader, policies="lowest", seed=4)
        seat = stats.rows("seats")[0]
        assert abs(row["mean"] - seat["mean"]) < 5 * math.hypot(row["std_error"], seat["std_error"])
        spread = math.sqrt(2 * row["win"] * (1 - row["win"]) / 20_000)
        assert abs(row["win"] - seat["place_1"]) < 5 * spread


@pytest.mark.parametrize("more", [{"threads": 2}, {"executor": "processes", "threads": 2}])
def test_the_numbers_are_the_same_on_any_workers(more):
    one, two = (tlsim.hand_value("tu_quy_2", "doithuong", games=700, policies="lowest", seed=9, **how)
                for how in ({"threads": 1}, more))  # fmt: skip
    assert one.moments == two.moments


def test_declare_or_play_on_is_over_the_same_deals():
    value = tlsim.hand_value(DRAGON, "doithuong", games=400, policies="smart", seed=6)
    yes, no = (tlsim.hand_value(DRAGON, "doithuong", games=400, policies=f"smart{option},smart,smart,smart", seed=6)
               for option in ("", "[declare=0]"))  # fmt: skip
    for row, said, played in zip(value.rows("declare"), yes.rows(), no.rows(), strict=True):
        assert (row["declare"], row["play_on"]) == (said["mean"], played["mean"])
        assert row["difference"] == pytest.approx(said["mean"] - played["mean"])
        assert row["std_error"] > 0
        assert row["ci_low"] < row["difference"] < row["ci_high"]
    assert value.rows() == yes.rows()
    assert "play on" in value.verdicts("en")[0]
    more, low, high = re.search(r"([\d.]+) more \(95%: ([\d.]+) … ([\d.]+)\)", value.verdicts("en")[0]).groups()
    assert float(low) < float(more) < float(high)  # how much more by playing on, with its own interval
    assert "đánh tiếp" in value.verdicts("vi")[0]
    assert value.pattern.id == "sanh_rong"


def test_the_break_even_price_does_not_depend_on_the_price():
    rows = []
    for pays in (3, 10):
        rules = tlsim.load_rules("doithuong").replace("toi_trang.regular[6].pays", pays)
        rows.append(tlsim.hand_value("tu_quy_2", rules, games=500, policies="lowest", seed=8).rows("declare")[-1])
    assert rows[0]["break_even"] == pytest.approx(rows[1]["break_even"])
    wins = (rows[1]["declare"] - rows[0]["declare"]) / 7 / 3
    assert 0.9 < wins <= 1
    assert rows[0]["difference"] == pytest.approx(3 * wins * (3 - rows[0]["break_even"]))
    assert rows[0]["break_even_std_error"] == pytest.approx(rows[0]["std_error"] / 3 / wins, rel=0.1)


def test_calls_of_sam_are_those_of_the_records():
    hands = dealt("sam_loc", SAM, 120, 4)
    deals = [{"hands": deal, "leader": 2} for deal in hands]
    value = tlsim.hand_value(SAM, "sam_loc", games=120, distance=2, seed=4)
    records, silent = (tlsim.play("sam_loc", deals=deals, policies=f"smart[sam={call}],smart,smart,smart", seed=4)
                       for call in (1, 0))  # fmt: skip
    called = [{"seat": 0, "call": "sam"} in record["calls"] for record in records]
    stood = [yes and not any(e["reason"] == "toi_trang" for e in record["transfers"])
             for yes, record in zip(called, records, strict=True)]  # fmt: skip
    made = [yes and any(e["reason"] == "sam" for e in record["transfers"])
            for yes, record in zip(stood, records, strict=True)]  # fmt: skip
    (row,) = value.rows("sam")
    assert 0 < sum(stood) < 120
    assert row["stands"] == sum(stood) / 120
    assert row["success"] == sum(made) / sum(stood)
    money, without = ([record["net"][0] for record, yes in zip(games, stood, strict=True) if yes]
                      for games in (records, silent))  # fmt: skip
    assert (row["call_mean"], row["silent_mean"]) == pytest.approx((np.mean(money), np.mean(without)))
    assert row["difference"] == pytest.approx(np.mean(money) - np.mean(without))
    assert row["std_error"] == pytest.approx(np.std(np.subtract(money, without), ddof=1) / sum(stood) ** 0.5, rel=0.05)
    assert row["success_low"] < row["success"] < row["success_high"]


def test_a_call_pays_from_the_chance_at_which_it_is_worth_silence():
    """003#R48, K3: success brings 3 · 20, failure costs as much."""
    value = tlsim.hand_value(SAM, "sam_loc", games=1000, seed=4)
    row = value.rows("sam")[-1]
    assert 0 < row["success"] < 1
    assert row["call_mean"] == pytest.approx(60 * row["success"] - 60 * (1 - row["success"]))
    even = row["break_even"]
    assert 60 * even - 60 * (1 - even) == pytest.approx(row["silent_mean"])
    (said,) = value.verdicts("en")
    assert said.startswith("do not call")
    assert row["success"] < row["break_even"] - 3 * row["break_even_std_error"]
    never = tlsim.hand_value("2S 2H AS AC KD KC QD QC JS 9H", "sam_loc", games=100).rows("sam")[-1]
    assert never["success"] == 0  # one of the two singles is beaten; what a success would bring is in the rules
    assert 60 * never["break_even"] - 60 * (1 - never["break_even"]) == pytest.approx(never["silent_mean"])


def test_nobody_is_asked_to_call_with_a_toi_trang():
    """003#R37: it has won before."""
    value = tlsim.hand_value("2S 2C 2D AS AC AD KS KC KD 9H", "sam_loc", games=50)
    assert value.rows("sam") == value.rows("declare") == []
    assert value.rows()[0]["mean"] == 60


def test_worth_of_declaring_by_pattern():
    worth = tlsim.worth_of_declaring("doithuong", policies="lowest", games=200, seed=2)
    exact = tlsim.exact_odds("doithuong").to_frame().set_index("pattern")
    for row in worth.rows():
        assert row["hands"] == exact.loc[row["pattern"], "counts_hands"]
        assert row["probability"] == pytest.approx(exact.loc[row["pattern"], "counts_probability"])
        assert row["difference"] == pytest.approx(row["declare"] - row["play_on"])
    assert len(worth.rows()) == len(worth.verdicts()) == 8
    one = tlsim.worth_of_declaring("doithuong", policies="lowest", games=200, seed=2, pattern="tu_quy_2")
    assert one.rows() == [row for row in worth.rows() if row["pattern"] == "tu_quy_2"]
    total, weights = worth.rows("total")[0], [1000 * row["probability"] for row in worth.rows()]
    for key in ("declare", "play_on", "difference"):
        assert total[key] == pytest.approx(sum(w * row[key] for w, row in zip(weights, worth.rows(), strict=True)))
    squares = sum((w * row["std_error"]) ** 2 for w, row in zip(weights, worth.rows(), strict=True))
    assert total["std_error"] == pytest.approx(math.sqrt(squares))


def test_every_pattern_has_deals_of_its_own():
    """Errors of patterns add up in squares only where their deals are independent."""
    worth = tlsim.worth_of_declaring("doithuong", policies="lowest", games=100, seed=2)
    assert len({own_seed(2, number) for number in range(8)}) == 8
    keys = [key for key in DECLARED.keys if key not in {"which", "distance"}]
    assert len(keys) == 11
    for number, row in ((6, worth.rows()[6]), (7, worth.rows()[7])):
        ask = {"policies": "lowest", "games": 100, "seed": own_seed(2, number)}
        alone = tlsim.hand_value(row["pattern"], "doithuong", **ask).rows("declare")[-1]
        assert {key: row[key] for key in keys} == {key: alone[key] for key in keys}


def test_a_share_of_trials_that_are_all_alike():
    """800 games of 200 deals, all won: as little as 200 independent ones may say."""
    assert share_interval(800, 800, 0.0, 4) == korn_graubard(200, 200)
    assert share_interval(0, 800, None, 4) == korn_graubard(0, 200)
    assert share_interval(200, 800, (0.25 * 0.75 / 400) ** 0.5, 4) == pytest.approx(korn_graubard(100, 400))


def test_the_whole_list_agrees_with_plain_simulation():
    """Free deals, seat 0 declaring or not, at every distance: a regular game each; 5 errors, false alarm 6e-7.

    Plain errors are about 3 per 1,000 hands from 200,000 games, ours 0.7 from 64,000 of which half end at once.
    """
    worth = tlsim.worth_of_declaring("doithuong", policies="lowest", games=4000, seed=2)
    gap = noise = 0.0
    for leader in range(4):
        runs = [
            tlsim.simulate(
                "doithuong", games=50_000, leader=leader, seed=30 + leader, policies=[first] + ["lowest"] * 3
            )
            for first in ("lowest", "lowest[declare=0]")
        ]
        row = tlsim.compare(*runs).rows()[0]
        gap, noise = gap + 250 * row["difference"], noise + (250 * row["std_error"]) ** 2
    total = worth.total()
    assert total["std_error"] < math.sqrt(noise) / 3
    assert abs(total["difference"] - gap) < 5 * math.hypot(total["std_error"], math.sqrt(noise))


def test_intervals_of_a_hand_cover_as_they_claim():
    """200 runs of 128 deals against one of 40,000: mean money, its difference over the same deals, first places.

    95 % intervals of each must cover in 86 % of the runs at least, false alarm 1e-6 in all; errors that are a third
    too small would be noticed.
    """
    hits, runs = np.zeros(3), 200

    def found(games, seed):
        ask = {"games": games, "policies": "lowest", "seed": seed, "threads": 1}
        value = tlsim.hand_value("tu_quy_2", "doithuong", distance=1, **ask)
        plain = tlsim.hand_value(PLAIN, "luckywin", **ask).rows()[-1]
        return value.rows("declare")[0], plain

    gap, truth = found(40_000, 10**6)
    for seed in range(runs):
        declare, plain = found(128, seed)
        hits += [
            declare["ci_low"] <= gap["difference"] <= declare["ci_high"],
            plain["ci_low"] <= truth["mean"] <= plain["ci_high"],
            plain["win_low"] <= truth["win"] <= plain["win_high"],
        ]
    assert (hits >= binom.ppf(3e-7, runs, 0.95)).all()


def test_a_declared_hand_that_hardly_ever_fails_has_an_honest_interval():
    """Four 2s that are declared win 9 in all but one game of a hundred, and then lose some 24.

    The truth is that of 100,000 deals, within 0.011. Of 100 runs of 300 deals, some 5 see no loss and say so. The
    others cover with 95 % at least; under 86 of 100 has a probability of 1e-4. A normal law gives 82 %.
    """

    def worth(games, seed):
        asked = {"games": games, "policies": "lowest", "distance": 0, "seed": seed}
        return tlsim.hand_value("tu_quy_2", "doithuong", **asked).rows()[0]

    truth = worth(100_000, 1)
    assert truth["ci_high"] - truth["ci_low"] < 0.05
    found = [worth(300, 1000 + seed) for seed in range(100)]
    for row in found:
        assert (row["ci_low"] is None) == (row["ci_high"] is None) == (row["win"] == 1)
    ends = [row for row in found if row["ci_low"] is not None]
    assert len(ends) >= 80
    assert sum(row["ci_low"] <= truth["mean"] <= row["ci_high"] for row in ends) >= 0.86 * len(ends)


def test_mean_money_plays_the_games_of_simulate():
    found = tlsim.mean_money("luckywin", games=2400, policies="smart,lowest,lowest,lowest", seed=4)
    seats = tlsim.simulate("luckywin", games=2400, policies="smart,lowest,lowest,lowest", seed=4).rows("seats")
    for row, seat in zip(found.rows(), seats, strict=True):
        assert row["plain_mean"] == pytest.approx(seat["mean"])
        assert row["plain_std_error"] == pytest.approx(seat["std_error"], rel=1e-9)
        assert row["policy"] == seat["policy"]
    assert (found.games, found.provenance.opening) == (2400, None)


def test_rotated_seats_are_those_of_as_many_simulations():
    names = ["smart", "lowest", "smart[hold_3s=1]", "lowest"]
    found = tlsim.mean_money("luckywin", games=4 * 1200, policies=names, rotate=True, seed=4)
    money = np.zeros(4)
    for turn in range(4):
        seated = [names[(seat - turn) % 4] for seat in range(4)]
        rows = tlsim.simulate("luckywin", games=1200, policies=seated, seed=4).rows("seats")
        money += [rows[(player + turn) % 4]["mean"] / 4 for player in range(4)]
    assert [row["plain_mean"] for row in found.rows()] == pytest.approx(money.tolist())
    assert found.games == 4800


def test_mean_money_agrees_with_plain_simulation():
    """Three presets, other seeds: 5 errors of each of 12 seats, false alarm 7e-6; a bias of 6 errors is noticed."""
    for rules in ("luckywin", "doithuong", "sam_loc"):
        policies = "lowest,smart,lowest,smart"
        found = tlsim.mean_money(rules, games=48_000, policies=policies, seed=1)
        seats = tlsim.simulate(rules, games=96_000, policies=policies, seed=2).rows("seats")
        for row, seat in zip(found.rows(), seats, strict=True):
            assert abs(row["mean"] - seat["mean"]) < 5 * math.hypot(row["std_error"], seat["std_error"])
            assert row["variance_ratio"] > 1.05


def test_intervals_of_mean_money_cover_as_they_claim():
    """Seats are exchangeable and money sums to zero, so the mean is 0; 200 runs of 1,536 games, false alarm 1e-6.

    95 % intervals must cover in 86 % of the runs at least, so errors that are a third too small would be noticed; the
    mean of all runs must be 0 within 5 errors (6e-7), so a bias of half an error of one run would be.
    """
    hits, found, plain, runs = 0, [], [], 200
    for seed in range(runs):
        money = tlsim.mean_money("luckywin", games=1536, match_length=1, policies="lowest", seed=seed, threads=1)
        estimate = money.estimate(0)
        low, high = estimate.interval()
        hits += low <= 0 <= high
        found.append(estimate.mean)
        plain.append(money.estimate(0, adjusted=False).mean)
    assert hits >= binom.ppf(5e-7, runs, 0.95)
    assert abs(np.mean(found)) < 5 * np.std(found) / math.sqrt(runs)
    assert np.std(np.subtract(found, plain)) > 0.2 * np.std(plain)  # the controls were at work


def test_an_interrupted_run_has_what_was_computed():
    def stop(_done, _total, partial):
        assert partial.rows()
        raise KeyboardInterrupt

    value = tlsim.hand_value(PLAIN, "luckywin", games=10**6, progress=stop, threads=1)
    assert not value.complete
    assert 0 < value.games < 10**6
    assert value.rows()[-1]["games"] == 4 * value.games


def test_frames_and_pictures():
    value = tlsim.hand_value(DRAGON, "doithuong", games=64, policies="lowest")
    assert value.to_frame()["distance"].tolist()[:4] == [0, 1, 2, 3]
    assert "break_even" in value.to_frame("declare")
    assert len(value.to_frame("sam")) == 0
    assert "<table>" in value._repr_html_()
    axes = value.plot(lang="vi")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["đi đầu", "+1", "+2", "+3", "mọi chỗ ngồi"]
    ways = [box.lines[0].get_xdata().tolist() for box in axes.containers]
    assert ways == [[row[way] for row in value.rows("declare")] for way in ("declare", "play_on")]
    gap = value.rows("declare")[-1]["difference"]
    advice = {True: "nên báo", False: "nên đánh tiếp"}[gap > 0]
    assert axes.child_axes[0].get_yticklabels()[-1].get_text().startswith(f"{advice}\n{gap:+.1f}".replace(".", ","))
    assert axes.get_title(loc="left").startswith("Tùy chỗ ngồi")  # the advice stands first
    worth = tlsim.worth_of_declaring("doithuong", games=32, policies="lowest", pattern="sau_doi")
    assert worth.to_frame().loc[0, "pattern"] == "sau_doi"
    assert len(worth.to_frame("total")) == 1
    assert "6 pairs" in worth._repr_html_()
    money = tlsim.mean_money("luckywin", games=120, policies="lowest")
    assert list(money.to_frame())[:3] == ["seat", "policy", "mean"]
    assert "lowest" in money._repr_html_()
    with pytest.raises(UsageError, match="view = 'sum'"):
        value.to_frame("sum")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hand": "3S 3C"}, "2 cards given; a hand of doithuong has 13"),
        ({"hand": "3S 3S"}, "hand: .*twice"),
        ({"hand": 1.5}, "hand = 1.5: must be text"),
        ({"hand": None}, "hand = None: must be text"),
        ({"hand": "tu_quy_3"}, "the regular list of doithuong has .*did you mean"),
        ({"hand": PLAIN, "dead": "3S"}, "3♠ cannot be both in the hand and dead"),
        ({"hand": PLAIN, "out_of_play": "3C"}, "doithuong deals 52 of 52 to 4 players; no card can be out of play"),
        ({"hand": PLAIN, "dead": "hello"}, "dead: cannot read"),
        ({"hand": PLAIN, "distance": 4}, r"distance = 4: must be 0 \(the hand leads\) to 3"),
        ({"hand": PLAIN, "distance": -1}, "distance = -1"),
        ({"hand": PLAIN, "distance": 0, "opening": True}, "leave the distance from the leader out"),
        ({"hand": PLAIN, "opening": 1}, "opening = 1: must be True or False"),
        ({"hand": PLAIN, "players": 5}, "doithuong is for 2 to 4 players"),
        ({"hand": PLAIN, "games": 0}, "games = 0"),
        ({"hand": PLAIN, "policies": "clever"}, "policies: 'clever'"),
        ({"hand": PLAIN, "rules": "luckywin", "policies": "smart[declare=0]"}, "counts every tới trắng at once"),
        ({"hand": PLAIN, "policies": "smart[sam=1]"}, "no call of Sâm"),
        ({"hand": "tu_quy_2", "players": 3, "dead": "2S"}, "no hand has 'tu_quy_2'"),
        ({"hand": "tu_quy_2", "rules": "hue", "opening": True}, "the opening list of hue has none"),
    ],
)
def test_what_cannot_be_asked_of_a_hand(arguments, words):
    with pytest.raises(UsageError, match=words) as error:
        tlsim.hand_value(**{"rules": "doithuong", **arguments})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rules": "luckywin"}, "no choice; ask with toi_trang.declare = 'optional'"),
        ({"rules": "tong_thong"}, "tong_thong has no tới trắng in a regular game"),
        ({"rules": "hue", "opening": True}, "hue has no tới trắng in an opening game"),
        ({"rules": "doithuong", "pattern": "tu_quy_3"}, "the regular list of doithuong has"),
        ({"rules": "doithuong", "distance": 9}, "distance = 9"),
    ],
)
def test_where_there_is_nothing_to_declare(arguments, words):
    with pytest.raises(UsageError, match=words):
        tlsim.worth_of_declaring(**arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rules": "tong_thong", "players": 5}, "deals 10 or 11 cards, and exact means need hands of one size"),
        ({"rules": "luckywin", "games": 0}, "games = 0"),
        ({"rules": "luckywin", "match_length": 0}, "match_length = 0"),
        ({"rules": "luckywin", "rotate": 1}, "rotate = 1: must be True or False"),
    ],
)
def test_what_cannot_be_asked_of_seats(arguments, words):
    with pytest.raises(UsageError, match=words):
        tlsim.mean_money(**arguments)


def test_a_hand_in_tong_thong():
    """Points, no tới trắng; a hand of 11 of five players is that of a seat that gets an odd card."""
    eleven = "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC"
    value = tlsim.hand_value(eleven, "tong_thong", players=5, games=100, policies="lowest")
    assert len(value.rows()) == 6
    assert 0 <= value.rows()[-1]["win"] <= 1
    policies = ["smart", "lowest", "smart", "lowest", "random"]  # from the seat with the hand on, which is seat 1
    value = tlsim.hand_value(eleven, "tong_thong", players=5, games=100, policies=policies, distance=2, seed=3)
    cards = (0, hand_of(eleven), 0, 0, 0)
    hands = DrawnDeals(tlsim.load_rules("tong_thong"), (cards,), (0,)).hands(stream_key(3), 0, 100).tolist()
    deals = [{"hands": [list(map(card_text, cards_in(hand))) for hand in row], "leader": 4} for row in hands]
    stats = tlsim.simulate("tong_thong", games=100, deals=deals, policies=policies[-1:] + policies[:-1], seed=3)
    assert value.rows()[0]["mean"] == pytest.approx(stats.rows("seats")[1]["mean"])
    with pytest.raises(UsageError, match="a hand of tong_thong has 10 or 11"):
        tlsim.hand_value(PLAIN, "tong_thong", players=5)
