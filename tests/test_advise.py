"""What to play: plays tried on deals of what is hidden, enumerated or solved where little is."""

from __future__ import annotations

import math
import random
from itertools import combinations

import naive_game
import pytest
from naive_sets import Play

import tlsim
from tlsim.cards import cards_in, hand_of
from tlsim.engine.rule_numbers import game_row
from tlsim.kernels import row as c
from tlsim.kernels.table import table
from tlsim.questions.advise import Advise, advised
from tlsim.questions.how import How
from tlsim.records.model import RecordError, read_record
from tlsim.records.position import Position, all_answers, position_at, possible_deals, solve, waiting

DRAGON = "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
PLAIN = DRAGON.replace("AC", "KD")


def record(preset, seed=7, **more):
    return read_record(tlsim.replay(preset, seed=seed, match=0, game=0, **more))


def of_record(told, rules, at, **more):
    return advised(Advise.of_record(told, rules, at, **({"games": 200} | more)), How())


@pytest.mark.parametrize("preset", ["luckywin", "doithuong", "mien_bac", "sam_loc", "tong_thong"])
def test_hidden_cards_change_nothing(preset):
    """What is told to two hands of which the seat sees nothing may be exchanged between them."""
    rules, rng, told = tlsim.load_rules(preset), random.Random(preset), record(preset)
    tried = 0
    for at in range(2, len(told.plays), 9):
        try:
            asked = position_at(told, rules, "game", at)
        except RecordError:  # a leader who is stuck decides nothing
            continue
        laid = sum({entry.cards for entry in told.plays[:at]} - {0})
        one, two = rng.sample([seat for seat in range(told.players) if seat != asked.seat], 2)
        hidden = [told.hands[seat] & ~laid for seat in (one, two)]
        if not all(hidden):
            continue
        low = [hand & -hand for hand in hidden]
        hands = list(told.hands)
        for seat, gives, gets in ((one, low[0], low[1]), (two, low[1], low[0])):
            hands[seat] = hands[seat] & ~gives | gets
        other = told.model_copy(update={"hands": hands})
        try:
            again = position_at(other, rules, "game", at)
        except RecordError:  # so the game cannot have gone
            continue
        if again.seat != asked.seat or again.question != asked.question:
            continue
        assert of_record(told, rules, at, games=32).rows() == of_record(other, rules, at, games=32).rows()
        tried += 1
    assert tried >= 2


def test_means_are_those_of_the_hand():
    """The leader knows nothing of the others: what the smart play brings is what the hand is worth where it leads.

    Two estimates over other deals; |z| < 5.5 fails by chance once in 2.6e7 and sees a difference of 0.1 cược.
    """
    hand = "3S 5D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
    found = tlsim.advise("luckywin", hand, games=2000, seed=3)
    best = {row["cards"]: row for row in found.rows()}
    smart = tlsim.replay("luckywin", seed=1, match=0, game=0, hands={0: hand}, leader=0)["plays"][0]["cards"]
    row = best[" ".join(smart).replace("10", "T")]
    worth = tlsim.hand_value(hand, "luckywin", distance=0, games=8000, seed=4).rows()[0]
    z = (row["mean"] - worth["mean"]) / math.hypot(row["std_error"], worth["std_error"])
    assert abs(z) < 5.5
    share = math.sqrt(worth["win"] * (1 - worth["win"]) / 500)
    assert abs(row["first"] - worth["win"]) < 5.5 * share


def test_differences_are_of_the_same_deals():
    found = tlsim.advise("luckywin", "3S 5D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", games=4000)
    rows = found.rows()
    assert rows[0]["difference"] == 0
    second = rows[1]
    apart = math.hypot(rows[0]["std_error"], second["std_error"])
    assert second["difference_error"] < apart  # what the deals have alike is not in it
    apart = {(row["difference"], row["difference_error"]): row["sure"] for row in rows[1:] if row["difference_error"]}
    assert rows[0]["sure"] == pytest.approx(max(0.0, 1 - sum(apart.values())))
    assert all(row["sure"] <= 0.5 for row in rows if row["difference"] < 0)
    first = found.stages[0]
    assert len(first.answers) > len(found.stages[-1].answers)  # what falls far behind is tried no longer
    assert found.games == 4000


def test_the_same_seed_gives_the_same_and_threads_change_nothing():
    asked = ("doithuong", "3C 5D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "1 4S; 2 8S; 3 QD")
    one = tlsim.advise(*asked, games=400, seed=5, threads=1)
    assert one.rows() == tlsim.advise(*asked, games=400, seed=5, threads=3).rows()
    assert one.rows() != tlsim.advise(*asked, games=400, seed=6).rows()


def test_what_must_be_is_seen():
    """Cards that nobody can beat, and a pass that loses the last chance."""
    so_far = "0 3S 3C; 0 4S 4C; 0 5S 5C; 0 6S 6C; 0 9D 9H; 0 KD; 1 AS"
    rows = tlsim.advise("luckywin", "7S 2H", so_far, players=2, games=600).rows()
    assert rows[0]["cards"] == "2H"
    assert rows[0]["first"] > rows[-1]["first"]


def test_few_deals_are_all_played():
    """One card is out in two seats: every deal is played once, so nothing is left to chance and no seed matters."""
    rules, told = tlsim.load_rules("luckywin"), record("luckywin")
    found = 0
    for at in range(len(told.plays)):
        asked = position_at(told, rules, "game", at)
        deals = possible_deals(asked, 50)
        if deals is None or len(deals) < 2 or len(asked.answers()) < 2:
            continue
        hidden = [int(asked.row[c.HANDS + seat]).bit_count() for seat in range(4)]
        assert len({tuple(row) for row in deals.tolist()}) == len(deals)
        assert all([hand.bit_count() for hand in row] == hidden for row in deals.tolist())
        one, two = (of_record(told, rules, at, seed=seed) for seat, seed in ((0, 1), (0, 2)))
        assert one.exact
        assert one.games == len(deals)
        assert one.rows() == two.rows()
        assert all(row["std_error"] == row["difference_error"] == 0 for row in one.rows())
        found += 1
    assert found


def ending(rng, rules, cards):
    """Return two small hands, as the twin and as the engine have them; the first leads."""
    deck = rng.sample(range(52), 2 * cards)
    hands = [sum(1 << card for card in deck[at::2]) for at in range(2)]
    row = game_row(rules, 2)
    row[c.DEALT : c.DEALT + 2], row[c.LEADER], row[c.TITLES] = hands, 0, -1
    table(waiting(row))
    return hands, row


def best_by_twin(rules, hands, answers=()):
    """Return what both seats get if they play their best on after some answers, and what every next answer gives."""
    game = naive_game.Game(rules, hands, 0, opening=False)
    for answer in answers:
        game.choose(answer)
    if game.asked is None:
        return tuple(game.net), {}
    seat, _ = game.asked
    cards = [1 << card for card in cards_in(game.hands[seat])]
    sets = [sum(some) for size in range(len(cards) + 1) for some in combinations(cards, size)]
    found = {
        play.cards: best_by_twin(rules, hands, (*answers, play))[0] for play in map(Play, sets) if game.is_legal(play)
    }
    return max(found.values(), key=lambda nets: (nets[seat], nets[0] if seat == 0 else -nets[0])), found


def check_endings(preset, number, cards):
    rules, rng, told_apart = tlsim.load_rules(preset), random.Random(f"ending {preset}"), 0
    for _ in range(number):
        hands, row = ending(rng, rules, cards)
        if row[c.ENDING] or row[c.ASKED] != c.LEAD:
            continue
        position = Position(rules, row)
        solved = solve(position)
        _, twin = best_by_twin(rules, hands)
        assert sorted(twin) == sorted(all_answers(row))
        ours = {position.true(a): value[0] for a, value in zip(position.answers(), solved, strict=True)}
        assert ours == {play: twin[play][0] for play in ours}
        assert max(ours.values()) == max(nets[0] for nets in twin.values())
        told_apart += len(set(ours.values())) > 1
    assert told_apart >= number // 4


@pytest.mark.parametrize("preset", ["luckywin", "doithuong", "zing", "hue"])
def test_endings_are_solved(preset):
    """A plain search on the twin, which knows nothing of the engine, finds the same money for every play."""
    check_endings(preset, 6, 3)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["luckywin", "doithuong", "zing", "hue", "da_nang"])
def test_many_endings_are_solved(preset):
    check_endings(preset, 40, 4)


def test_an_ending_of_a_record_is_exact():
    rules, solved = tlsim.load_rules("luckywin"), 0
    told = record("luckywin")
    for at in range(len(told.plays)):
        asked = position_at(told, rules, "game", at)
        if int(asked.row[c.ACTIVE]).bit_count() == 2 and len(asked.answers()) > 1:
            found = of_record(told, rules, at)
            solved += found.solved
            assert not found.solved or all(row["exact"] for row in found.rows())
    assert solved


def test_a_call_and_a_return_are_answered():
    """Sâm with cards that nobody can beat is called; before titles' exchange lower cards are given back than higher."""
    found = tlsim.advise("sam_loc", "2S 2C 2D AH AD KS KC KD 9H 9S", games=200)
    assert found.rows()[0]["cards"] == "call"
    assert {row["cards"] for row in found.rows()} == {"call", "silent"}


def test_declaring_is_weighed():
    found = tlsim.advise("doithuong", DRAGON, games=300)
    assert found.value is not None
    declare = found.value.rows("declare")[0]
    assert declare["declare"] == 27  # 3 · 9
    assert found.said("en")[0].startswith("play on")


@pytest.mark.parametrize(("asked", "words"), [
    ({"hand": DRAGON}, "wins at once"),
    ({"hand": "3S 3C", "so_far": "1 4S"}, "2 cards with what it has laid"),
    ({"hand": PLAIN, "so_far": "1 4S; 2 5S 5C"}, "play 2: by the rules seat 2"),
    ({"hand": PLAIN, "so_far": "1 4D"}, "another seat has laid it"),
    ({"hand": PLAIN, "so_far": "1 4S; 2 7x"}, "cannot read '7x'"),
    ({"hand": PLAIN, "seat": 4}, "must be a seat, 0 to 3"),
    ({"hand": PLAIN, "leader": 2}, "seat 2 is to lead"),
    ({"hand": "3S 5D 5H 6C 7H 8D 9D TS JH QS KC AC 2H", "so_far": "3 3D; 2 4D"}, "seat 3 is to follow"),
    ({"rules": "tong_thong", "hand": DRAGON}, "give its record"),
])  # fmt: skip
def test_what_cannot_be_is_named(asked, words):
    with pytest.raises((tlsim.UsageError, tlsim.RecordError), match=words):
        tlsim.advise(**{"rules": "luckywin"} | asked)


def test_a_return_of_an_exchange():
    """Who gets the best cards gives back low ones: no answer that keeps a higher card is worth less by many errors."""
    rules, told = tlsim.load_rules("tong_thong"), read_record(tlsim.replay("tong_thong", seed=3, match=0, game=1))
    returned = told.exchange[-1]
    found = of_record(told, rules, -1, games=100)
    assert found.seat == returned.from_
    assert all(len(row["cards"].split()) == returned.cards.bit_count() for row in found.rows())
    assert hand_of(found.rows()[0]["cards"]) < hand_of(found.rows()[-1]["cards"])
