"""Properties of whole games of Sâm lốc and Tổng thống (RULES.md §3.12) on both engines, and what policies may know.

Games are played by the slow twin, by chance and by `lowest`, from fair deals and from deals where bombs abound; each is
then a situation that both engines play again, as it was and changed.
"""

import json
import random

import naive_game
import naive_president
import naive_sets
import numba
import pytest
from situations import Move, Records, Situation, Twin, balanced, record_of

import tlsim
from tlsim import policy
from tlsim.cards import card_name, cards_in, hand_of
from tlsim.kernels import matches as m
from tlsim.records.model import RecordError, read_record
from tlsim.records.settling import settle_all

ENGINE = Records()  # `test_twin` turns seats round and renames suits on the twin
ENGINES = pytest.mark.parametrize("engine", [Twin(), Records()], ids=["twin", "compiled"])
NAMES = ("sam_loc", "tong_thong")
TABLES = [("sam_loc", 2), ("sam_loc", 3), ("sam_loc", 4), ("sam_loc", 5), ("tong_thong", 4), ("tong_thong", 5)]
GAMES = 12


def drawn(rng, rules, players):
    """A deal, fair or with ranks kept together, so that bombs abound."""
    deck = list(range(52))
    rng.shuffle(deck)
    if rng.random() < 0.5:
        ranks = rng.sample(range(13), 13)
        deck.sort(key=lambda card: ranks[card // 4] // 2 + 2 * rng.random())
    hands = [sum(1 << deck.pop() for _ in range(size)) for size in rules.hand_sizes(players)]
    turn = rng.randrange(players)
    return hands[turn:] + hands[:turn]


def played(rng, rules, players, decide, *, opening=None):
    """A whole game of the twin."""
    while True:
        hands = drawn(rng, rules, players)
        first = rng.random() < 0.4 if opening is None else opening
        seats = rng.sample(range(players), players)
        more = {}
        if rules.president and not first:
            more = {"titles": seats}
        elif rules.toi_trang and first and rng.random() < 0.3:
            more = {"barred": seats[0]}
        leader = naive_game.opening_leader(rules, hands) if first else seats[-1]
        game = naive_game.play(rules, hands, leader, first, rng.choice([1, -1]), decide, **more)
        if game.ended != "toi_trang" or rng.random() < 0.2:
            return game


def situation_of(game):
    """The situation that a game of the twin is."""
    moves = [
        Move(play["seat"], " ".join(play["cards"]), None, play.get("interrupt", False), play.get("stuck", False))
        for play in game.plays
    ]
    callers = tuple(call["seat"] for call in game.calls if call["call"] == "sam")
    exchange = tuple((gift["from"], gift["to"], " ".join(gift["cards"])) for gift in game.exchange or ())
    titles = None if game.titles is None else tuple(game.titles)
    return Situation(
        game.rules, list(game.dealt), game.leader, game.opening, moves, sam=callers, direction=game.direction,
        barred=game.barred, titles=titles, exchange=exchange,
    )  # fmt: skip


def games_of(name, players, number=GAMES, **more):
    rules = tlsim.load_rules(name).replace("turn.alternate_direction_each_hand", value=True)  # of both directions
    rng = random.Random(f"{name} {players}")
    by_chance = naive_game.at_random(rng)
    for at in range(number):
        yield played(rng, rules, players, naive_game.lowest if at % 3 == 0 else by_chance, **more)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_both_engines_settle_alike(name, players):
    for game in games_of(name, players, 2 * GAMES):
        situation = situation_of(game)
        outcome = Records().outcome(situation)
        assert outcome == Twin().outcome(situation)
        assert outcome.net == tuple(halves / 2 for halves in game.net)


@ENGINES
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_p1_money_sums_to_nothing_and_points_to_those_of_the_places(engine, name, players):
    for game in games_of(name, players):
        found = engine.outcome(situation_of(game))
        assert balanced(found.net, players * (players - 1) // 2 if name == "tong_thong" else 0)
        assert name == "sam_loc" or not found.payments


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_p2_no_card_is_lost_or_twice(name, players):
    """Also B45: cards of one rank stay distinct, and B24, B10: neither a pass nor a play touches other hands."""
    for game in games_of(name, players):
        record = tlsim.settle(record_of(situation_of(game)), game.rules).record
        laid = [card for entry in record["plays"] for card in entry["cards"]]
        left = [card for hand in game.hands for card in naive_game.names_of(hand)]
        assert len(laid + left + record["undealt"]) == 52 == len({*laid, *left, *record["undealt"]})


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_p8_the_log_has_no_card_that_is_not_played(name, players):
    """Nor a trace of a free chop that was declined, of a call of Sâm that was not made (M21, D4.5)."""
    for game in games_of(name, players):
        record = tlsim.settle(record_of(situation_of(game)), game.rules).record
        assert set(record["plays"][0] if record["plays"] else ()) <= {"seat", "cards"}
        for entry in record["plays"]:
            assert entry["cards"] or not entry.get("interrupt")
        assert [call for call in record["calls"] if call["call"] == "sam"] == [
            {"seat": seat, "call": "sam"} for seat in ([] if game.caller is None else [game.caller])
        ]


def turned(situation, by):
    """The same game, everybody some seats further."""
    number = len(situation.hands)

    def to(seat):
        return None if seat is None else (seat + by) % number

    return _moved(situation, to)


def mirrored(situation):
    """The same game, seats in the other order and the direction too."""
    number = len(situation.hands)
    moved = _moved(situation, lambda seat: None if seat is None else (number - 1 - seat))
    return moved._replace(direction=-situation.direction)


def _moved(situation, to):
    s = situation
    hands = [0] * len(s.hands)
    for seat, hand in enumerate(s.hands):
        hands[to(seat)] = hand
    return s._replace(
        hands=hands, leader=to(s.leader), moves=[move._replace(seat=to(move.seat)) for move in s.moves],
        sam=tuple(map(to, s.sam)), barred=to(s.barred), titles=s.titles and tuple(map(to, s.titles)),
        exchange=tuple((to(giver), to(taker), cards) for giver, taker, cards in s.exchange),
    )  # fmt: skip


def seen_from(outcome, to):
    """An outcome with the seats renamed."""
    net = [0] * len(outcome.net)
    for seat, amount in enumerate(outcome.net):
        net[to(seat)] = amount
    payments = {(to(a), to(b), why): amount for (a, b, why), amount in outcome.payments.items()}
    leader = None if outcome.next_leader is None else to(outcome.next_leader)
    return tuple(net), [to(seat) for seat in outcome.places], leader, outcome.next_opening, payments


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_p6_seats_may_be_turned_round(name, players):
    for at, game in enumerate(games_of(name, players)):
        situation = situation_of(game)
        by = at % (players - 1) + 1
        if name == "tong_thong" or not game.opening or game.rules.lead.opening_fallback != "random":
            found = ENGINE.outcome(turned(situation, by))
            assert found == seen_from(ENGINE.outcome(situation), lambda seat, by=by: (seat + by) % players)


@pytest.mark.parametrize(("name", "players"), [table for table in TABLES if table != ("tong_thong", 5)])
def test_p6_seats_may_be_mirrored(name, players):
    for game in games_of(name, players):
        situation = situation_of(game)
        found = ENGINE.outcome(mirrored(situation))
        assert found == seen_from(ENGINE.outcome(situation), lambda seat: players - 1 - seat)


def renamed(situation, suits):
    """The same game with other suits."""

    def cards_of(cards):
        return sum(1 << (card // 4 * 4 + suits[card % 4]) for card in cards_in(cards))

    def text_of(text):
        return " ".join(map(card_name, cards_in(cards_of(hand_of(text)))))

    return situation._replace(
        hands=list(map(cards_of, situation.hands)),
        moves=[move._replace(cards=text_of(move.cards)) for move in situation.moves],
        exchange=tuple((giver, taker, text_of(cards)) for giver, taker, cards in situation.exchange),
    )


@pytest.mark.parametrize("players", [2, 5])
def test_p7_suits_mean_nothing_in_sam(players):
    """In regular games; colours stay colours, since ten cards of one colour are a tới trắng."""
    for suits in ((1, 0, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)):
        for game in games_of("sam_loc", players, 5, opening=False):
            situation = situation_of(game)
            assert ENGINE.outcome(renamed(situation, suits)) == ENGINE.outcome(situation)


@pytest.mark.parametrize("players", [4, 5])
def test_p7_suits_mean_nothing_in_tong_thong(players):
    """But for 3C, which leads the first game, and for which of equal cards is given (L13)."""
    for suits in ((2, 1, 3, 0), (3, 1, 0, 2), (0, 1, 3, 2)):
        for game in games_of("tong_thong", players, 5, opening=True):
            situation = situation_of(game)
            assert ENGINE.outcome(renamed(situation, suits)) == ENGINE.outcome(situation)


def subsets(hand):
    """Every set of cards of a hand but the empty one."""
    cards = hand
    while cards:
        yield cards
        cards = (cards - 1) & hand


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turned_over", [False, True])
def test_p5_beating_is_transitive_and_nothing_beats_itself(name, turned_over):
    """Within one kind and length, in both orders of Tổng thống; on the twin."""
    rules = tlsim.load_rules(name)
    if turned_over and not rules.president:
        return
    rng = random.Random(name)
    by_shape = {}
    while sum(map(len, by_shape.values())) < 300:
        hand = drawn(rng, rules, 4)[0]
        for cards in rng.sample(list(subsets(sum(1 << card for card in rng.sample(list(cards_in(hand)), 8)))), 255):
            combo = naive_sets.combination(rules, cards)
            if combo is not None:
                by_shape.setdefault((combo.kind, combo.length), []).append(combo)
    for combos in by_shape.values():
        some = combos[:25]
        for one in some:
            assert not naive_sets.beats(rules, one, one, turned_over)
            for two in some:
                below = naive_sets.beats(rules, one, two, turned_over)
                assert not (below and naive_sets.beats(rules, two, one, turned_over))
                for three in some if below else ():
                    if naive_sets.beats(rules, two, three, turned_over):
                        assert naive_sets.beats(rules, one, three, turned_over)


@pytest.mark.parametrize("name", NAMES)
def test_p4_the_compiled_engine_takes_what_the_twin_takes(name):
    """Of all sets of up to eight cards of the hand of who is asked, and the pass, at some decisions of some games."""
    rng = random.Random(name)
    for game in games_of(name, 4, 5):
        situation = situation_of(game)
        number = len(situation.moves)
        for at in rng.sample(range(number), min(number, 2)):
            move = situation.moves[at]
            if move.stuck or move.interrupt:
                continue
            before = situation._replace(moves=situation.moves[:at])
            twin = Twin()._after(before)
            while twin.asked and twin.asked[1] == "free":
                twin.choose(naive_game.PASS)
            assert twin.asked[0] == move.seat
            cards = list(cards_in(twin.hands[move.seat]))
            hand = sum(1 << card for card in rng.sample(cards, min(len(cards), 8)))
            for some in [*subsets(hand), 0]:
                tried = Move(move.seat, " ".join(map(card_name, cards_in(some))))
                assert Records().legal(before, tried) == twin.is_legal(naive_game.Play(some)), tried


@pytest.mark.parametrize(("name", "policies"), [("sam_loc", "random"), ("sam_loc", "lowest"), ("tong_thong", "random")])
def test_p9_a_replay_is_the_identical_game(name, policies):
    records = tlsim.play(name, games=8, match_length=4, policies=policies, seed=5)
    for record in records:
        source = record["source"]
        again = tlsim.replay(name, 5, source["match"], source["game"], policies=policies, match_length=4)
        assert json.dumps(again) == json.dumps(record)
        settled = tlsim.settle(record)
        assert settled.record == record


# Games that the compiled engine plays: what begins a match, who is dealt how much, who is asked for Sâm


@pytest.mark.parametrize("name", NAMES)
def test_r12_a_match_begins_with_an_opening_game(name):
    for record in tlsim.play(name, games=8, match_length=2, policies="random", seed=3):
        assert record["opening"] or record["source"]["game"]
        if name == "tong_thong":
            assert record["opening"] == (record["source"]["game"] == 0) == (record["titles"] is None)


def test_l1_the_dealer_seat_rotates():
    """M22, P9: dealer = game number mod players; the odd cards go to the first seats after him."""
    records = tlsim.play("tong_thong", games=6, players=5, match_length=6, seed=3)
    for dealer, record in enumerate(records):
        more = {(dealer + 1) % 5, (dealer + 2) % 5}
        assert [len(hand) for hand in record["hands"]] == [11 if seat in more else 10 for seat in range(5)]


@pytest.mark.parametrize(
    ("callers", "leader", "caller"),
    [("AC", "B", "C"), ("AC", "D", "A"), ("AC", "A", "A"), ("ABCD", "D", "D"), ("B", "C", "B"), ("", "C", None)],
)
def test_k1_the_first_who_wants_to_calls(callers, leader, caller):
    """T138: asked once each, from the nominal leader on."""
    policies = [f"lowest[sam={int(seat in callers)}]" for seat in "ABCD"]
    (record,) = tlsim.play("sam_loc", hands={0: "3S 5D"}, leader="ABCD".index(leader), policies=policies, seed=8)
    assert record["leader"] == "ABCD".index(leader)
    called = [call["seat"] for call in record["calls"] if call["call"] == "sam"]
    assert called == ([] if caller is None else ["ABCD".index(caller)])
    first = "ABCD".index(caller or leader)
    assert record["plays"][0]["seat"] == first


@pytest.mark.parametrize("direction", [1, -1])
def test_k1_everybody_is_asked_once_in_turn(direction):
    rules = tlsim.load_rules("sam_loc").replace("toi_trang", value=False)
    hands = [hand_of(text) for text in ("3S 4S", "3C 4C", "3D 4D", "3H 4H")]
    game = naive_game.Game(rules, hands, 2, False, direction)
    asked = []
    while game.asked[1] == "sam":
        asked.append(game.asked[0])
        game.choose(naive_game.NO)
    assert asked == [(2 + direction * step) % 4 for step in range(4)]
    assert game.asked == (2, "lead")
    game = naive_game.Game(rules, hands, 2, False, direction)
    game.choose(naive_game.NO)
    game.choose(naive_game.YES)
    assert game.asked == ((2 + direction) % 4, "lead")
    assert game.calls == [{"seat": (2 + direction) % 4, "call": "sam"}]


def test_s10_lowest_never_calls_of_itself():
    records = tlsim.play("sam_loc", games=60, policies="lowest", seed=2)
    assert not [call for record in records for call in record["calls"] if call["call"] == "sam"]


def test_p3_lowest_returns_its_lowest_cards():
    for record in tlsim.play("tong_thong", games=8, policies="lowest", match_length=4, seed=6):
        for up, back in zip(record["exchange"][:2], record["exchange"][2:], strict=True) if record["titles"] else ():
            held = {*record["hands"][up["to"]], *up["cards"]}
            assert hand_of(" ".join(back["cards"])) == naive_president.lowest(hand_of(" ".join(held)), len(up["cards"]))


def test_r42_what_the_compiled_engine_carries_over():
    """After a tới trắng an opening game with the winner barred, and after that nobody barred."""
    before, found = None, 0
    for record in tlsim.play("sam_loc", games=1200, players=5, policies="lowest", seed=4):
        if record["source"]["game"] == 0:
            before = None
            assert record["barred"] is None
            assert record["opening"]
        if before is not None:
            won = any(call["call"] == "toi_trang" for call in before["calls"])
            found += won
            assert record["opening"] == won
            assert record["barred"] == (before["places"][0] if won else None)
        before = record
    assert found > 5


@pytest.mark.parametrize("name", NAMES)
def test_records_of_a_match_follow_one_another(name):
    """Leaders by streaks of cóng, titles, bars: what the engine plays its referee finds right."""
    calling = "lowest[sam=1],random,random,lowest" if name == "sam_loc" else "lowest,random,random,lowest"
    for policies in ("lowest", calling):
        records = tlsim.play(name, games=48, policies=policies, seed=12, match_length=12)
        read = [(str(at), read_record(record)) for at, record in enumerate(records)]
        assert not [done for _, done in settle_all(read) if isinstance(done, RecordError)]
        leaders = {record["leader"] for record in records}
        assert len(leaders) > 1


def test_r22_the_highest_total_wins_a_match_and_equals_win_alike():
    """L17, of four games; over some matches, and some of them are drawn."""
    games = {"games": 400, "match_length": 4, "policies": "lowest", "seed": 9}
    found = tlsim.simulate("tong_thong", **games).tally.titles.sum(axis=0)[m.T_WON :].reshape(-1, m.N_WON)[:4]
    expected = [[0, 0, 0] for _ in range(4)]
    records = tlsim.play("tong_thong", **games)
    for match in range(100):
        four = [record["points"] for record in records[4 * match : 4 * match + 4]]
        totals = [sum(points) for points in zip(*four, strict=True)]
        winners = [seat for seat in range(4) if totals[seat] == max(totals)]
        for seat in winners:
            expected[seat][m.WON_ALONE if len(winners) == 1 else m.WON_TOGETHER] += 1
            expected[seat][m.WON_SHARES] += 60 // len(winners)
    assert found.tolist() == expected
    assert sum(row[m.WON_TOGETHER] for row in expected) > 5


@numba.njit
def mixed(plays, hand, table, log, last):
    """An answer that depends on everything that a policy is shown; of returns the first or the last."""
    if table[policy.QUESTION] == policy.RETURN:
        return len(plays) - 1 if last else 0
    mix = hand
    for number in table:
        mix = mix * 1000003 ^ number
    for number in log:
        mix = mix * 1000003 ^ number
    for number in plays.reshape(-1):
        mix = mix * 1000003 ^ number
    return (mix >> 17) % len(plays)


@numba.njit
def returns_first(plays, hand, table, log, _random):
    return mixed(plays, hand, table, log, last=False)


@numba.njit
def returns_last(plays, hand, table, log, _random):
    return mixed(plays, hand, table, log, last=True)


def test_t167_r17_only_the_two_parties_see_what_is_exchanged():
    """Seat 0 returns other cards: nobody else can tell, until one of the two plays otherwise."""
    told = 0
    one, two = (
        tlsim.play("tong_thong", games=300, match_length=2, players=5, seed=11, policies=[own, *[returns_first] * 4])
        for own in (returns_first, returns_last)
    )
    for first, second in zip(one, two, strict=True):
        assert first["hands"] == second["hands"]
        if first["exchange"] == second["exchange"]:
            assert first["plays"] == second["plays"]
            continue
        parties = {gift["to"] for gift in first["exchange"] if gift["from"] == 0} | {0}
        pairs = zip(first["plays"], second["plays"], strict=False)
        apart = next((at for at, (a, b) in enumerate(pairs) if a != b), None)
        if apart is not None:
            assert first["plays"][apart]["seat"] in parties
            told += apart > 2
    assert told > 9
