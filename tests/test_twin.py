"""The slow twin by itself: what RULES.md §3.10-§3.12 decide plainly on Sâm lốc and President, and what holds always.

The numbered situations, the comparison with the compiled engine, and that every clause fires, stand elsewhere. Of the
presets of Tiến Lên those are played whose clauses differ where it matters.
"""

import math
import random
from functools import cache

import naive_game
import pytest
from naive_game import NO, PASS, YES, Game, Play

from tlsim import load_rules
from tlsim.cards import cards_in, hand_of


@cache
def plain(rules):
    """Without tới trắng, which small hands would win by."""
    return rules.replace("toi_trang", False)


SAM, PRESIDENT = load_rules("sam_loc"), load_rules("tong_thong")
TABLES = [(SAM, 2), (SAM, 3), (SAM, 4), (SAM, 5), (PRESIDENT, 4), (PRESIDENT, 5)]
EVERY_TABLE = pytest.mark.parametrize(("rules", "players"), TABLES, ids=[f"{rules.name} {n}" for rules, n in TABLES])


# Situations

NO_TOI_TRANG = plain(SAM)


def game_of(rules, *hands, leader=0, opening=False, **start):
    return Game(rules, [hand_of(text) for text in hands], leader, opening, **start)


def follow(game, *answers):
    """Answer the questions in turn by cards, "" for a pass or no, "yes"."""
    for answer in answers:
        while game.asked[1] == "sam" and answer != "yes":
            game.choose(NO)
        game.choose(YES if answer == "yes" else Play(hand_of(answer)) if answer else PASS)
    return game


def net(game):
    assert game.asked is None
    return [amount / 2 for amount in game.net]


def test_sam_is_made():
    """T136, T139."""
    game = game_of(NO_TOI_TRANG, "3S 4S", "5S 2S", "6S 7S", "KS AS", leader=1)
    game.choose(NO)
    game.choose(NO)
    assert game.asked == (3, "sam")
    follow(game, "yes", "KS", "", "", "", "AS")
    assert (net(game), game.places, game.ended) == ([-20, -20, -20, 60], [3], "sam_made")
    assert (game.next_leader, game.next_opening, game.calls) == (3, False, [{"seat": 3, "call": "sam"}])


@pytest.mark.parametrize(
    ("changes", "money"),
    [
        ({}, [-60, 0, 60, 0]),
        ({"bao_sam.fail_multiplier": "players"}, [-80, 0, 80, 0]),
        ({"bao_sam.fail_payee": "each_opponent"}, [-60, 20, 20, 20]),
        ({"bao_sam.fail_payee": "each_opponent", "bao_sam.fail_multiplier": "players"}, [-80, 20, 40, 20]),
        ({"bao_sam.chop_money": True}, [-80, 0, 80, 0]),
    ],
)
def test_sam_is_blocked(changes, money):
    """K3, K4: three pairs of the caller are chopped."""
    rules = NO_TOI_TRANG.replace(changes)
    game = game_of(rules, "4S 4C 5S 5C 6S 6C KS", "3S 8S", "7S 7C 7D 7H", "9S TS")
    follow(game, "yes", "4S 4C 5S 5C 6S 6C", "", "7S 7C 7D 7H")
    assert (net(game), game.places, game.ended) == (money, [2], "sam_blocked")
    assert (game.next_leader, game.next_opening) == (2, False)


def test_caller_with_nothing_but_twos():
    """M14, M22."""
    game = follow(game_of(NO_TOI_TRANG, "KS 2S", "3S 4S", "5S 6S"), "yes", "KS", "", "")
    assert (net(game), game.places, game.ended) == ([-40, 20, 20], [], "sam_stuck")
    assert game.next_opening
    assert game.plays[-1] == {"seat": 0, "cards": [], "stuck": True}


def test_toi_trang_after_a_call():
    """K5, 003#R42: the call is asked first and means nothing."""
    hands = ["3S 4C", "5D 6H", "7S 7C 9D TH", "2S 2C 2D 2H"]
    game = game_of(SAM, *hands, leader=1)
    follow(game, "yes")
    assert [call["call"] for call in game.calls] == ["sam", "toi_trang"]
    assert (net(game), game.ended, game.next_opening, game.next_barred) == ([-20, -20, -20, 60], "toi_trang", True, 3)
    game = game_of(SAM, *hands, leader=1, barred=3)
    assert follow(game, "5D").ended == ""


def den_bao(rules, *answers):
    """Seat 0 leads, seat 1 is before seat 2, who has one card."""
    return follow(game_of(rules, "3S 8C 2D", "4S KS", "TS", "6S 6C"), *answers)


def test_den_bao():
    """003#R50, M15: seat 1 follows with his lower single and pays the cards, the 2 and the cóng of the others."""
    game = den_bao(NO_TOI_TRANG, "3S", "4S", "TS")
    assert net(game) == [0, -1 - 12 - 15, 28, 0]
    assert (game.den_bao_payer, game.next_leader) == (1, 2)
    assert den_bao(NO_TOI_TRANG.replace("den_bao.requires_effect", True), "3S", "4S", "TS").den_bao_payer == 1
    assert den_bao(NO_TOI_TRANG.replace("den_bao.min_active", 5), "3S", "4S", "TS").den_bao_payer is None
    passed = den_bao(NO_TOI_TRANG, "3S", "", "TS")
    assert net(passed) == [0, -15 - 12 - 15, 42, 0]


def test_den_bao_of_who_could_not_help():
    """T150, T151."""
    game = follow(game_of(NO_TOI_TRANG, "3S 8C", "4S KS", "AS", "6S 6C"), "3S", "KS", "AS")
    assert (game.den_bao_payer, net(game)) == (None, [-1, -1, 17, -15])
    game = follow(game_of(NO_TOI_TRANG, "5S 4D", "7D", "9S 9C", leader=0), "5S", "7D")
    assert (game.den_bao_payer, net(game)) == (None, [-1, 16, -15])


def test_lead_after_cong():
    """003#R17, R18, T141, M16."""
    game = game_of(NO_TOI_TRANG, "KS AS", "4S 5S", "6S 7S", "8S 9S", streaks=(0, 1, 0, 1))
    follow(game, "KS", "", "", "", "AS")
    assert (game.next_streaks, game.next_leader) == ((0, 2, 1, 2), 1)
    game = game_of(NO_TOI_TRANG, "KS AS", "4S 5S", "6S 7S", "8S 9S", leader=1, streaks=(0, 2, 1, 2))
    follow(game, "yes", "4S", "", "8S")
    assert (game.ended, game.next_streaks, game.next_leader) == ("sam_blocked", (0, 0, 1, 2), 3)


def test_exchange():
    """T160, T169, L13, 004#R14-R18; the second highest of equal ranks."""
    hands = ["2S 2H AS 3S", "KS KD 4S 4C", "5S 6S 7S 8S", "5C 6C 7C 8C"]
    game = game_of(PRESIDENT, *hands, leader=0, titles=(3, 2, 1, 0))
    assert game.asked == (3, "return")
    assert len(game.legal()) == 15
    follow(game, "2S 2H", "KS")
    assert game.asked == (0, "lead")
    assert game.hands == [hand_of(text) for text in hands]
    assert [gift["cards"] for gift in game.exchange] == [["2S", "2H"], ["KS"], ["2S", "2H"], ["KS"]]


def test_revolution():
    """L9, T158, 004#R23-R25: after 7777 the order is reversed, 5555 beats it, 9999 does not."""
    game = game_of(PRESIDENT, "7S 7C 7D 7H 5S TS", "9S 9C 9D 9H 3S KS", "5C 4S 6S", "4C 8D 8C")
    follow(game, "7S 7C 7D 7H")
    assert game.reversed
    assert not game.is_legal(Play(hand_of("9S 9C 9D 9H")))
    follow(game, "", "", "", "TS")
    assert [game.is_legal(Play(hand_of(card))) for card in ("3S", "9S", "KS")] == [True, True, False]
    game = game_of(PRESIDENT, "7S 7C 7D 7H KS", "5S 5C 5D 5H 3S", "4S 6S", "4C 8D")
    follow(game, "7S 7C 7D 7H", "5S 5C 5D 5H")
    assert not game.reversed
    follow(game, "", "", "", "3S", "4S", "", "KS", "", "")
    assert (game.out, game.asked) == ([1, 0], (2, "lead"))


def test_points_and_titles():
    """T163, T165, 004#R20: the last holder is the last, and leads the next game."""
    game = follow(game_of(PRESIDENT, "AS", "KS", "QS", "JS 9S", leader=3), "9S", "AS", "", "", "")
    assert game.asked == (1, "lead")
    follow(game, "KS", "", "", "QS")
    assert (game.places, net(game), game.next_titles) == ([0, 1, 2, 3], [3, 2, 1, 0], [0, 1, 2, 3])
    assert (game.next_leader, game.next_opening) == (3, False)


# All games


def dealt(rng, rules, players):
    cards = rng.sample(range(52), 52)
    return [sum(1 << cards.pop() for _ in range(size)) for size in rules.hand_sizes(players)]


def matches(rules, players, number, seed):
    """The games of whole matches, by both policies in turn."""
    rng = random.Random(seed)
    for at in range(number):
        decide = (naive_game.lowest, naive_game.at_random(rng))[at % 2]
        start = {"opening": True}
        for _ in range(rules.match_length):
            hands = dealt(rng, rules, players)
            if start["opening"]:
                start["leader"] = naive_game.opening_leader(rules, hands)
            game = naive_game.play(rules, hands, decide=decide, **start)
            yield game
            start = {
                "leader": game.next_leader, "opening": game.next_opening, "barred": game.next_barred,
                "streaks": game.next_streaks, "titles": game.next_titles,
            }  # fmt: skip


@EVERY_TABLE
def test_whole_matches(rules, players):
    """Properties 1 and 2: money sums to zero, points to the stated sum; no card is lost; a match goes on."""
    for game in matches(rules, players, 72 // rules.match_length, seed=players):
        record = naive_game.record_of(game)
        laid = [card for entry in record["plays"] for card in entry["cards"]]
        left = [card for hand in game.hands for card in naive_game.names_of(hand)]
        assert len({*laid, *left, *record["undealt"]}) == 52 == len(laid + left + record["undealt"])
        points = players * (players - 1) / 2 if rules is PRESIDENT else 0
        assert sum(record["net"]) == points == sum(record.get("points", []))
        assert (rules is PRESIDENT) == ("titles" in record) == ("exchange" in record)
        assert (rules is SAM) == ("barred" in record)
        assert game.next_opening == (game.ended in ("toi_trang", "stuck", "sam_stuck"))


# Of Tiến Lên: counted cards and turns of direction, points, cóng of the table, what is left of bombs, chops of pairs,
# suits.
TIEN_LEN = ("doithuong", "luckywin_points", "luckywin_cong_table", "hue", "da_nang", "mien_bac")


@pytest.mark.parametrize(("name", "players"), [(name, 2 + at % 3) for at, name in enumerate(TIEN_LEN)])
def test_whole_games(name, players):
    """Money sums to zero (in `Game`), no card twice, none lost, the game ends (properties 1 and 2; B10, B24, B51)."""
    rng, rules = random.Random(f"{name} {players}"), load_rules(name)
    for decide in (naive_game.lowest, naive_game.at_random(rng)) * 6:
        hands, opening = dealt(rng, rules, players), rng.random() < 0.5
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
        game = naive_game.play(rules, hands, leader, opening, rng.choice([1, -1]), decide)
        record = naive_game.record_of(game)
        laid = [card for entry in record["plays"] for card in entry["cards"]]
        left = [card for hand in game.hands for card in naive_game.names_of(hand)]
        assert len({*laid, *left, *record["undealt"]}) == 52 == len(laid + left + record["undealt"])
        assert math.isclose(sum(record["net"]), sum(record.get("points", [])))


def test_direction_turns_after_every_hand():
    """B6: doithuong alone; the seat after A is D in the next game."""
    for name in TIEN_LEN:
        game = naive_game.play(plain(load_rules(name)), [hand_of(card) for card in ("3S", "4S", "5S")], 0, True)
        assert game.next_direction == (-1 if name == "doithuong" else 1), name
    game = game_of(plain(load_rules("luckywin")), "3S 3C", "4S 4C", "5S 5C", direction=-1)
    game.choose(Play(hand_of("3S")))
    assert game.asked == (2, "follow")


def retold(rules, game, move_seat, move_cards):
    """The same game with other names of seats or cards: the answers of the one are given in the other."""
    hands = [0] * game.players
    for seat, hand in enumerate(game.dealt):
        hands[move_seat(seat)] = move_cards(hand)
    streaks = [0] * game.players
    for seat, number in enumerate(game.streaks):
        streaks[move_seat(seat)] = number
    other = Game(
        rules, hands, move_seat(game.leader), game.opening,
        barred=None if game.barred is None else move_seat(game.barred),
        streaks=streaks,
        titles=game.titles and [*map(move_seat, game.titles)],
    )  # fmt: skip
    for (seat, what), play in game.answered:
        assert other.asked == (move_seat(seat), what)
        other.choose(play if what in ("sam", "declare") else Play(move_cards(play.cards)))
    assert other.asked is None
    assert other.places == [*map(move_seat, game.places)]
    moved = {(move_seat(a), move_seat(b), reason): amount for (a, b, reason), amount in game.transfers.items()}
    assert (other.transfers, other.ended) == (moved, game.ended)
    assert [other.next_streaks[move_seat(seat)] for seat in range(game.players)] == list(game.next_streaks)
    return other


@EVERY_TABLE
def test_rotated_seats(rules, players, monkeypatch):
    """Property 6."""
    remember(monkeypatch)
    for at, game in enumerate(matches(rules, players, 24 // rules.match_length, seed=players)):
        retold(rules, game, lambda seat, by=at % players: (seat + by) % players, lambda cards: cards)


@EVERY_TABLE
def test_renamed_suits(rules, players, monkeypatch):
    """Property 7, where no suit is named: without an opening card, ten cards of one colour, ties of the exchange."""
    remember(monkeypatch)
    rng = random.Random(players)
    rules = plain(rules)
    for _ in range(20):
        suits = rng.sample(range(4), 4)

        def rename(cards, suits=suits):
            return sum(1 << (card // 4 * 4 + suits[card % 4]) for card in cards_in(cards))

        hands = dealt(rng, rules, players)
        game = naive_game.play(rules, hands, rng.randrange(players), False, decide=naive_game.at_random(rng))
        retold(rules, game, lambda seat: seat, rename)


@pytest.mark.parametrize("players", [4, 5])
def test_renamed_suits_and_exchange(players):
    """Property 7: which of equal cards goes up changes nothing that follows."""
    rng = random.Random(players)
    for _ in range(15):
        suits = rng.sample(range(4), 4)
        hands = dealt(rng, PRESIDENT, players)
        titles = rng.sample(range(players), players)
        renamed = [sum(1 << (card // 4 * 4 + suits[card % 4]) for card in cards_in(hand)) for hand in hands]
        one, two = (naive_game.play(PRESIDENT, dealt, titles[-1], False, titles=titles) for dealt in (hands, renamed))
        assert ranks_of(one.exchange) == ranks_of(two.exchange)
        assert (ranks_of(one.plays), one.places) == (ranks_of(two.plays), two.places)


def ranks_of(entries):
    return [[card[0] for card in entry["cards"]] for entry in entries]


def remember(monkeypatch):
    """Let games keep their questions and answers."""
    choose = Game.choose

    def keep(game, play):
        game.__dict__.setdefault("answered", []).append((game.asked, play))
        choose(game, play)

    monkeypatch.setattr(Game, "choose", keep)


LEGAL_TABLES = [(SAM, 2), (SAM, 5), (PRESIDENT, 4), *((load_rules(name), 3) for name in TIEN_LEN[:1] + TIEN_LEN[3:])]


@pytest.mark.parametrize(("rules", "players"), LEGAL_TABLES, ids=[f"{rules.name} {n}" for rules, n in LEGAL_TABLES])
def test_the_legal_set_is_all_that_is_legal(rules, players):
    """Properties 3 and 4: what is generated is what the definition admits, of all sets of cards; a leader can lead."""
    rng = random.Random(players)
    at_random = naive_game.at_random(rng)
    marks = (None, "quad", "pair_run_4") if rules.residual else (None,)

    def decide(game):
        seat, what = game.asked
        if what not in ("sam", "declare"):
            found = {Play(cards, mark) for cards in subsets(game.hands[seat]) for mark in marks}
            found = {play for play in found if game.is_legal(play)}
            assert game.legal() == (found if what in ("lead", "return") else found | {PASS})
            assert found or what not in ("lead", "return")
        return at_random(game)

    for _ in range(6):
        low, each = rng.randrange(4), 36 // players
        cards = rng.sample(range(4 * low, 4 * low + 36), each * players)
        hands = [sum(1 << card for card in cards[at * each : (at + 1) * each][:8]) for at in range(players)]
        titles = rng.sample(range(players), players) if rules.president else None
        opening = titles is None and rng.random() < 0.5
        leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
        naive_game.play(rules, hands, leader, opening, decide=decide, titles=titles)


def subsets(hand):
    cards = hand
    while cards:
        yield cards
        cards = (cards - 1) & hand
