"""Games looked at one by one: the same games as in a run, and as their records tell them."""

from collections import Counter

import numba
import numpy as np
import pytest

import tlsim
from tlsim.cards import hand_of, parse_cards
from tlsim.engine.game_work import GameWork
from tlsim.engine.policies import read_policies
from tlsim.engine.work import Block
from tlsim.fairness.sample import (
    CHOPPED,
    CHOPPED_COST,
    GAIN,
    LEFT,
    LEFT_COST,
    MONEY,
    THINGS,
    USED,
    Sample,
    SampleWork,
    _add_things,
)
from tlsim.kernels import row as c

MATCHES, SEED = 20, 11
NAMES = ["doithuong", "luckywin", "luckywin_points", "sam_loc"]


def take_sample(work, matches):
    """Play the first so many matches of a run, and look at every game."""
    return SampleWork(work, matches)(Block(0, matches)).played


@pytest.fixture(scope="module", params=NAMES)
def both(request):
    """Return a sample, and the records of the same games by match."""
    rules = tlsim.load_rules(request.param)
    work = GameWork(SEED, rules, 4, read_policies("smart", 4), rules.match_length)
    records = tlsim.play(rules, MATCHES * rules.match_length, policies="smart", seed=SEED)
    return rules, take_sample(work, MATCHES), records


def halves(amount):
    return round(2 * amount)


def test_money_by_seat_and_reason(both):
    _, sample, records = both
    money = np.zeros((MATCHES, 4, len(MONEY)), np.int64)
    products = np.zeros((MATCHES, len(MONEY), len(MONEY)), np.int64)
    for record in records:
        game = np.zeros((4, len(MONEY)), np.int64)
        for entry in record["transfers"]:
            game[entry["from"], MONEY.index(entry["reason"])] -= halves(entry["amount"])
            game[entry["to"], MONEY.index(entry["reason"])] += halves(entry["amount"])
        game[:, -1] = [halves(points) for points in record.get("points", [0] * 4)]
        money[record["source"]["match"]] += game
        for seat in range(4):
            products[record["source"]["match"]] += np.outer(game[seat], game[seat])
    assert (sample.money == money).all()
    assert (sample.products == products).all()
    assert sample.games == len(records)


def test_wins(both):
    _, sample, records = both
    for match in range(MATCHES):
        nets = [record["net"] for record in records if record["source"]["match"] == match]
        assert sample.wins[match].tolist() == [sum(net[seat] > 0 for net in nets) for seat in range(4)]
        assert sample.won[match].tolist() == [sum(max(0, halves(net[seat])) for net in nets) for seat in range(4)]


def test_they_are_the_games_of_the_run(both):
    rules, sample, _ = both
    stats = tlsim.simulate(rules, sample.games, policies="smart", seed=SEED)
    assert stats.seat_money().sum(axis=0).tolist() == sample.money.sum(axis=(0, 2)).tolist()
    events = {row["event"]: row["count"] for row in stats.rows("events")}
    things = dict(zip(THINGS, sample.things.sum(axis=0).tolist(), strict=True))
    for bomb in ("ba_doi_thong", "tu_quy", "bon_doi_thong"):
        chops = [count for event, count in events.items() if event.startswith(f"chop_{bomb}_")]
        chopped = [count for event, count in events.items() if event.startswith("chop_") and event.endswith(bomb)]
        assert (things[bomb][USED], things[bomb][CHOPPED]) == (sum(chops), sum(chopped))
    for item in THINGS[:8]:
        assert things[item][LEFT] == events[f"thoi_{item}"]
    assert things["cong"][LEFT] == sum(n * events[f"cong_{word}"] for n, word in ((1, "one"), (2, "two"), (3, "three")))


def test_chopped_2s_and_their_money(both):
    """A trick with one chop is told by its record alone: a bomb right after 2s, and who pays whom for it."""
    _, sample, records = both
    counted, cost = Counter(), Counter()
    for record in records:
        chops = [entry for entry in record["transfers"] if entry["reason"] == "chop"]
        for seat, victim, cards in chopped_2s(record):
            suits = sorted({"S": "heo_bich", "C": "heo_chuon", "D": "heo_ro", "H": "heo_co"}[card[1]] for card in cards)
            counted.update(suits)
            if len(chops) == 1 and len(suits) == 1 and (chops[0]["from"], chops[0]["to"]) == (victim, seat):
                cost[suits[0]] += halves(chops[0]["amount"])
    found = dict(zip(THINGS, sample.things.sum(axis=0).tolist(), strict=True))
    assert {suit: found[suit][CHOPPED] for suit in THINGS[:4] if found[suit][CHOPPED]} == dict(counted)
    assert all(found[suit][CHOPPED_COST] >= cost[suit] for suit in THINGS[:4])
    assert sum(found[suit][CHOPPED_COST] for suit in THINGS[:4]) <= 1.6 * sum(cost.values())


def chopped_2s(record):
    """Yield who laid a bomb right on 2s, who had laid them, and the 2s: no pass but of others lies between."""
    last = None
    for entry in record["plays"]:
        cards = entry["cards"]
        if not cards:
            continue
        twos = last is not None and all(card[0] == "2" for card in last["cards"])
        bomb = len(cards) >= 4 and all(sum(other[0] == card[0] for other in cards) in (2, 4) for card in cards)
        if twos and bomb and not closed(record, last, entry):
            yield entry["seat"], last["seat"], last["cards"]
        last = entry


def closed(record, last, entry):
    """Whether everybody who still held cards had passed on ``last`` before ``entry``, which then is a lead."""
    before = record["plays"][: record["plays"].index(entry)]
    since = before[before.index(last) + 1 :]
    left = [len(hand) for hand in record["hands"]]
    for play in before:
        left[play["seat"]] -= len(play["cards"])
    holding = {seat for seat in range(4) if left[seat]} - {last["seat"]}
    start = max((at for at, play in enumerate(before) if lead_at(before, at)), default=0)
    passed = {play["seat"] for play in before[start:] if not play["cards"]} - {
        play["seat"] for play in since if play["cards"]
    }
    return not entry.get("interrupt") and holding <= passed


def lead_at(before, at):
    """Whether a play begins a trick, as far as a same seat playing twice in a row tells it."""
    plays = [n for n in range(at) if before[n]["cards"]]
    return bool(before[at]["cards"]) and (not plays or before[plays[-1]]["seat"] == before[at]["seat"])


def test_money_of_things(both):
    """What rots is paid as thối unless somebody pays for others; all that is paid for chops is a cost and a gain."""
    _, sample, _ = both
    money, paid = sample.things.sum(axis=0), totals(both)
    if not paid["den_cong"] and not paid["den_bao"]:
        assert money[:7, LEFT_COST].sum() == paid["thoi"] > 0
        assert money[THINGS.index("cong"), LEFT_COST] == paid["cong"]
    assert money[:7, CHOPPED_COST].sum() == money[:7, GAIN].sum() == paid["chop"] > 0
    assert money[THINGS.index("ba_bich"), CHOPPED_COST] == paid["chan_3_bich"]
    sam = money[THINGS.index("bao_sam")]
    assert (sam[GAIN], sam[CHOPPED_COST]) == (paid["sam"], paid["sam_blocked"])


@numba.njit
def passes(plays, hand, table, log, random):  # noqa: ARG001 (the form of a policy)
    """Pass wherever that is legal: the way to be cóng, and to have to pay for it."""
    return 0


def test_who_pays_for_a_cong_table_pays_for_what_rots_too():
    """Leftovers at their price and the row of cóng come to all that is paid as thối, cóng and đền cóng."""
    rules = tlsim.load_rules("luckywin")
    policies = ["lowest", passes, passes]
    sample = take_sample(GameWork(1, rules, 3, read_policies(policies, 3), 12), 20)
    paid = totals((None, None, tlsim.play(rules, 240, players=3, policies=policies, seed=1)))
    assert paid["den_cong"] > 100
    rotten, cong = sample.things[:, :7, LEFT_COST].sum(), sample.things[:, THINGS.index("cong"), LEFT_COST].sum()
    assert rotten + cong == paid["thoi"] + paid["cong"] + paid["den_cong"]
    assert cong == 4 * sample.things[:, THINGS.index("cong"), LEFT].sum()  # 2 cược each


def totals(both):
    found = Counter()
    for record in both[2]:
        for entry in record["transfers"]:
            found[entry["reason"]] += halves(entry["amount"])
    return found


def test_2s_left_over(both):
    """Of who pays for leftovers, the 2s dealt and not laid."""
    _, sample, records = both
    if totals(both)["den_bao"] or totals(both)["den_cong"]:
        pytest.skip("somebody pays for others")
    left = Counter()
    for record in records:
        for seat in {entry["from"] for entry in record["transfers"] if entry["reason"] == "thoi"}:
            laid = [card for play in record["plays"] if play["seat"] == seat for card in play["cards"]]
            rest = sum(1 << card for card in map(number, set(record["hands"][seat]) - set(laid)))
            left.update(THINGS[suit] for suit in range(4) if rest >> 48 + suit & 1)
    found = dict(zip(THINGS, sample.things[:, :, LEFT].sum(axis=0).tolist(), strict=True))
    assert {suit: found[suit] for suit in THINGS[:4] if found[suit]} == dict(left)


def number(card):
    return parse_cards(card)[0]


def test_means_and_errors():
    """Two matches of two games with two seats: 1 and 3 things make a mean of 4 / 8 hands, error 1 / 4 per hand."""
    things = np.zeros((2, len(THINGS), 6), np.int64)
    things[:, 0, LEFT] = 1, 3
    money = np.zeros((2, 2, len(MONEY)), np.int64)
    products, nets = np.zeros((2, len(MONEY), len(MONEY)), np.int64), np.zeros((2, 2, 2), np.int64)
    sample = Sample(np.ones(2, np.int64), things, money, products, money[..., 0], nets)
    assert sample.per_hand(0, (LEFT, 1)) == (0.5, 0.25)
    assert sample.per_hand(0, (LEFT, -2)) == (-1.0, 0.5)


def test_a_pair_of_2s_shares_its_cost_by_price():
    """2♠ and 2♥ at 1 and 2 half units, chopped in a chain that costs 10: 3 and the rest, 7."""
    row = np.zeros(c.N_ROW, np.int64)
    row[c.PLAYERS], row[c.PLAYS] = 2, 2
    row[c.DEALT : c.DEALT + 2] = hand_of("2S 2H 3S"), hand_of("5S 5C 5D 5H 3C")
    row[c.LOG : c.LOG + 2] = hand_of("2S 2H"), hand_of("5S 5C 5D 5H") | 1 << c.SEAT_SHIFT
    row[c.CHOPS + c.QUAD_BOMB] = 1 << c.TWO_TWOS
    row[c.TWO_PRICES : c.TWO_PRICES + 4] = 1, 1, 2, 2
    row[c.EVENTS + c.EV_CHOPS + c.N_TARGETS + 1] = 1
    row[c.N_FLOWS], row[c.FLOWS : c.FLOWS + 4] = 1, (c.CHOP, 0, 1, 10)
    things = np.zeros((len(THINGS), 6), np.int64)
    _add_things(things, row, (0,) * 7)
    assert things[:, CHOPPED].tolist() == [1, 0, 0, 1, *[0] * 6]
    assert things[:, CHOPPED_COST].tolist() == [3, 0, 0, 7, *[0] * 6]
    assert (things[5, USED], things[5, GAIN]) == (1, 10)


def test_3_bich_kept_for_the_end():
    """What the run counts as blocked and pays for it."""
    rules, holders = tlsim.load_rules("doithuong"), "smart[hold_3s=1]"
    sample = take_sample(GameWork(0, rules, 4, read_policies(holders, 4), 12), 40)
    stats = tlsim.simulate(rules, 480, policies=holders)
    events = {row["event"]: row["count"] for row in stats.rows("events")}
    paid = next(row["money"] for row in stats.rows("reasons") if row["reason"] == "chan_3_bich")
    facts = sample.things[:, THINGS.index("ba_bich")].sum(axis=0).tolist()
    assert facts[CHOPPED] == events["ket_3_bich_blocked"] > 10
    assert facts[CHOPPED_COST] == 2 * paid == 2 * 78 * facts[CHOPPED]
