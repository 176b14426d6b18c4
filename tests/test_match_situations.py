"""Situations of RULES.md §3 that are matches, and what only a record can get wrong; both engines play them, by number.

What one game shows stands in `situations/*.toml`. Sâm lốc: who leads after streaks of cóng, calls and tới trắng
(003#R12, R15-R18, R42; K8, M16, S7). Tổng thống: titles and the exchange (004#R12-R19, R25).
"""

import naive_game
import pytest
from situation_files import after, exchanged
from situations import SEATS, Records, Situation, Twin, changed, deal, holders, line, moves_of, record_of

import tlsim
from tlsim.cards import card_name, cards_in, hand_of
from tlsim.records.model import RecordError

ENGINES = pytest.mark.parametrize("engine", [Twin(), Records()], ids=["twin", "compiled"])


def refused(situation, **changes):
    """Whether the referee refuses a record before any decision."""
    with pytest.raises(RecordError) as caught:
        tlsim.settle(record_of(situation) | changes, situation.rules)
    return caught.value.decision is None


# Sâm lốc


def dealt(*texts, players=4, opening=False, white=False, out=""):
    """Whole hands without a tới trắng; with `white` those that are given may hold one."""
    rules = tlsim.load_rules("sam_loc")
    given = {seat for seat, text in enumerate(texts) if text} if white else set()

    def good(hands):
        return all(
            set(holders(rules, hands, opening=each)) <= given for each in ({opening} if not white else {True, False})
        )

    return deal(*texts, sizes=[10] * players, out=out, good=good)


def situation(hands, moves, changes=None, leader="A", **more):
    """Letters are seats; a caller leads."""
    rules = changed("sam_loc", changes)
    lead = SEATS.index(leader)
    sam = tuple(SEATS.index(seat) for seat in more.pop("sam", ""))
    direction, players = more.get("direction", 1), len(hands)
    first = next((s for step in range(players) if (s := (lead + direction * step) % players) in sam), lead)
    if isinstance(moves, str):
        moves = line(moves, hands, first, direction, locks=rules.turn.pass_locks)
    return Situation(rules, hands, lead, moves=moves, sam=sam, **more)


SURE = "KS 3D 4H 5D 6H 7D 8H 9D TH JD"  # a call of these: a king, then nine in a row
MADE = f"A KS /, A {SURE.removeprefix('KS ')}"
FIVE_PAIRS, RUN_3 = "4S 4D 6S 6C 8S 8D TS TD KS KC", "3D 3H 4S 4C 5S 5C"
FOLLOWS = []


def plain(leader, winner, cong="", players=4, direction=1, changes=None, **more):
    """A game where the leader lays 3S and all others one card, but those who are cóng; then the winner goes out."""
    order = [(SEATS.index(leader) + direction * step) % players for step in range(players)]
    spades = ["3S", "4S", "5S", "6S", "7S"]
    texts, moves = [""] * players, []
    for seat in order:
        if SEATS[seat] not in cong:
            texts[seat] = spades.pop(0)
            moves.append(f"{SEATS[seat]} {texts[seat]}")
    last = moves[-1][0]
    texts[SEATS.index(winner)] += " AS 3D 4H 5D 6H 7D 8H 9D TH"
    moves.append(f"{'/' if last == winner else ''}, {winner} AS /, {winner} 3D 4H 5D 6H 7D 8H 9D TH")
    hands = dealt(*texts, players=players, opening=more.get("opening", False))
    return situation(hands, ", ".join(moves), changes, leader, direction=direction, **more)


def called(leader, caller, blocker=None, players=4, changes=None, **more):
    """A game that is called: made, or blocked."""
    texts = [""] * players
    texts[SEATS.index(caller)] = SURE
    moves = MADE.replace("A ", f"{caller} ")
    if blocker:
        texts[SEATS.index(blocker)] = "AS"
        moves = f"{caller} KS, {blocker} AS"
    return situation(dealt(*texts, players=players), moves, changes, leader, sam=caller, **more)


def won_white(leader, winner, changes=None, **more):
    """A game that ends before the first card."""
    texts = [""] * 4
    texts[SEATS.index(winner)] = RUN_3 if more.get("opening") else FIVE_PAIRS
    texts[SEATS.index(leader)] += " 3S"
    return situation(dealt(*texts, white=True), "", changes, leader, **more)


def led_by(seat, players=4, **more):
    """Any game that this seat leads."""
    return plain(seat, seat, "", players, **more)


def then(number, leader, *games, note=""):
    """After these games this seat leads and nobody else."""
    FOLLOWS.append(pytest.param(games, leader, id="-".join(filter(None, (number, note)))))


def first(winner, cong="", **more):
    """The first game of a match."""
    return plain("A", winner, cong, opening=True, **more)


then("R15", "C", first("C"))
then("R15", "C", first("A"), plain("A", "C", "D"))
then("R17", "D", first("A", "D"), plain("A", "A", "D"))
then("R17", "D", first("A", "D"), plain("A", "C", "BD"), note="B once")
then("R17", "C", first("A", "D"), plain("A", "C"), note="not in a row")
then("R17", "C", first("A", "D"), plain("A", "A"), plain("A", "C", "D"), note="not in a row, again")
then("T141", "B", first("A", "BD"), plain("A", "A", "BD"))
then("R18", "D", first("C", "BD"), plain("C", "C", "BD"), note="nearest to C")
then("R18", "D", first("A", "BD"), plain("A", "C", "BD"), note="nearest to the last winner, not to the leader")
TURNS = {"turn.alternate_direction_each_hand": True}
then("R18", "D", first("A", "BD", changes=TURNS), plain("A", "A", "BD", direction=-1, changes=TURNS),
     note="the other direction")  # fmt: skip
then("R18", "E", first("A", "BE", players=5), plain("A", "D", "BE", players=5), note="five players")
then("R18", "B", first("A", "BE", players=5), plain("A", "A", "BE", players=5), note="five players, winner A")
LONG_STREAK = {"lead.cong_streak": 3}
then("R17", "A", first("A", "D", changes=LONG_STREAK), plain("A", "A", "D", changes=LONG_STREAK), note="two of three")
then("R17", "D", first("A", "D", changes=LONG_STREAK), plain("A", "A", "D", changes=LONG_STREAK),
     plain("A", "A", "D", changes=LONG_STREAK), note="three of three")  # fmt: skip
NO_STREAK = {"lead.next": ["sam_caller", "winner"]}
then(
    "K8",
    "A",
    first("A", "D", changes=NO_STREAK),
    plain("A", "A", "D", changes=NO_STREAK),
    note="no streak in lead.next",
)
STREAK_D = (first("A", "D"), plain("A", "A", "D"))
then("M16", "A", *STREAK_D, plain("D", "A"), note="leading uses it up")
then("M16", "B", *STREAK_D, called("D", "D", "B"), note="his own call uses it up")
then("M16", "D", *STREAK_D, called("D", "D"), note="his own call, made")
then("S7", "D", *STREAK_D, called("D", "A"), note="another's call leaves it: before the caller")
then("S7", "D", *STREAK_D, called("D", "A", "B"), note="another's call leaves it: before the blocker")
SAM_FIRST = {"lead.next": ["sam_caller", "cong_streak", "winner"]}
STREAK_FIRST = (first("A", "D", changes=SAM_FIRST), plain("A", "A", "D", changes=SAM_FIRST))
then("K8", "A", *STREAK_FIRST, called("D", "A", changes=SAM_FIRST), note="the caller before the streak")
then("M16", "D", first("A", "D"), called("A", "A"), plain("A", "A", "D"), note="a call does not break it")
then("M16", "D", first("A", "D"), called("A", "A", "B"), plain("B", "B", "D"), note="nor a failed one")
then("M16", "A", first("A", "D"), called("A", "A"), note="a call does not add")
then("M16", "B", first("A", "D"), called("A", "A", "B"), note="nor a failed one adds")
then("T139", "C", first("A"), called("A", "C"))
then("M16", "B", first("A", "D"), won_white("A", "B"), plain("C", "B", "D", opening=True, barred=1),
     note="a tới trắng breaks it")  # fmt: skip
then("M16", "D", first("A", "D"), won_white("A", "B"), plain("C", "B", "D", opening=True, barred=1),
     plain("B", "B", "D"), note="and it begins anew")  # fmt: skip
then(
    "M16", "B", *STREAK_D, won_white("D", "B"), plain("C", "B", "A", opening=True, barred=1), note="a streak of two too"
)
BOTH_LEAD = (first("A", "BD"), plain("A", "A", "BD"))
then("K8", "D", *BOTH_LEAD, plain("B", "B", "D"), note="B has used it up, D has three")
then("K8", "B", *BOTH_LEAD, plain("B", "B"), note="D has played")


@ENGINES
@pytest.mark.parametrize(("games", "leader"), FOLLOWS)
def test_who_leads_after_several_games(engine, games, leader):
    last = games[-1]
    turn = -last.direction if last.rules.turn.alternate_direction_each_hand else last.direction
    for seat in SEATS[: len(last.hands)]:
        follow = led_by(seat, len(last.hands), direction=turn)._replace(rules=last.rules)
        assert engine.follows([*games, follow]) == (None if seat == leader else len(games)), seat


@ENGINES
@pytest.mark.parametrize(
    ("follow", "right"),
    [
        (plain("C", "C", opening=True, barred=1), True),
        (plain("B", "B", barred=1), False),  # not the winner of tới trắng, as a plain engine has it (B4)
        (plain("C", "C", barred=1), False),  # it must be an opening game: 3S is to be played
        (plain("C", "C", opening=True), False),  # nobody barred
        (plain("C", "C", opening=True, barred=2), False),
    ],
    ids=["right", "winner leads", "no opening game", "nobody barred", "another barred"],
)
def test_r42_the_game_after_a_toi_trang(engine, follow, right):
    assert engine.follows([won_white("A", "B", opening=True), follow]) == (None if right else 1)


@ENGINES
def test_r42_the_bar_is_for_one_game(engine):
    games = [won_white("A", "B", opening=True), plain("C", "C", opening=True, barred=1)]
    assert engine.follows([*games, won_white("C", "B")]) is None
    assert engine.follows([*games, plain("C", "C", barred=1)]) == 2


@ENGINES
def test_m22_after_a_stuck_caller_comes_an_opening_game(engine):
    hands = dealt("2H 4H 5D 6H 7D 8H 9D TH JD QS", "AS", "", "")
    stuck = situation(hands, "A 4H 5D 6H 7D 8H 9D TH JD QS /, A #", leader="B", sam="A")
    start = first("B")
    assert engine.follows([start, stuck, plain("C", "C", opening=True)]) is None
    assert engine.follows([start, stuck, plain("C", "C")]) == 2


# Sâm lốc: what only a record can get wrong


def test_t153_five_players_of_ten_cards():
    game = plain("A", "A", players=5)
    record = tlsim.settle(record_of(game)).record
    assert len(record["undealt"]) == 2
    hands = [naive_game.names_of(hand) for hand in game.hands]
    assert refused(game, hands=[*hands[:4], hands[4][1:]])
    assert refused(game, hands=[*hands[:4], hands[4] + record["undealt"][:1]])
    assert refused(game, hands=[*hands[:4], hands[4][1:] + hands[3][:1]])


def test_k1_one_call_at_most_and_by_a_seat_at_the_table():
    game = called("A", "C")
    assert refused(game, calls=[{"seat": 2, "call": "sam"}, {"seat": 2, "call": "sam"}])
    assert refused(game, calls=[{"seat": 4, "call": "sam"}])
    assert refused(game, titles=[0, 1, 2, 3])
    none = {"bao_sam": False, "lead.next": ["cong_streak", "winner"]}
    assert refused(game._replace(rules=changed("sam_loc", none)))


def test_k4_money_of_a_failed_call_is_checked():
    hands = dealt(SURE, "AS", "2S", "2C 2D")
    game = situation(hands, "A KS, B AS", leader="B", sam="A")
    assert refused(game, net=[-80, 80, 0, 0])
    assert refused(game, places=[1, 0])
    assert not tlsim.settle(record_of(game) | {"net": [-60, 60, 0, 0], "places": [1]}).next_opening


# Tổng thống

SIZES = {4: (13, 13, 13, 13), 5: (11, 11, 10, 10, 10)}
SEVENS = "7S 7C 7D 7H"


def dealt_with_titles(*texts, players=4, sizes=None):
    return deal(*texts, sizes=sizes or SIZES[players])


def titled(hands, moves="", changes=None, leader=None, titles=None, returns=None, **more):
    """An opening game led by the holder of 3C, or with titles (letters, best first) one led by the last of them."""
    rules = changed("tong_thong", changes)
    opening = more.pop("opening", titles is None)
    exchange = more.pop("exchange", None)
    seats = titles and tuple(SEATS.index(seat) for seat in titles)
    if exchange is None:
        exchange = exchanged(hands, seats, returns) if titles else ()
    first = seats[-1] if titles else next(seat for seat, hand in enumerate(hands) if hand & hand_of("3C"))
    lead = first if leader is None else SEATS.index(leader)
    if isinstance(moves, str):
        held = after(hands, exchange)
        moves = line(moves, held, lead, more.get("direction", 1), locks=rules.turn.pass_locks, stops=False)
    return Situation(rules, hands, lead, opening, moves, titles=seats, exchange=tuple(exchange), **more)


def ending(order, hands, leader, titles=None, returns=None):
    """Moves by which the players go out in this order: each takes the lead with his highest card and lays all."""
    exchange = exchanged(hands, titles, returns) if titles else ()
    left = after(hands, exchange)
    seats, lead, moves = [SEATS.index(seat) for seat in order], leader, []
    still = set(seats)
    for seat in seats[:-1]:
        if lead != seat:
            low, high = min(cards_in(left[lead])), max(cards_in(left[seat]))
            assert high // 4 > low // 4, "he cannot take the lead"
            moves.append(f"{SEATS[lead]} {card_name(low)}, {SEATS[seat]} {card_name(high)} /")
            left[lead] &= ~(1 << low)
            left[seat] &= ~(1 << high)
        moves.append(f"{SEATS[seat]} *")
        still.discard(seat)
        lead = next(s for step in range(1, len(hands)) if (s := (seat + step) % len(hands)) in still)
    return ", ".join(moves)


def whole(order, leader="A", titles=None, players=4, sizes=None, returns=None, **more):
    """A whole game that ends in this order; an opening game is led by the holder of 3C."""
    texts = [""] * players
    if titles is None:
        texts[SEATS.index(leader)] = "3C"
    hands = dealt_with_titles(*texts, players=players, sizes=sizes)
    seats = titles and [SEATS.index(seat) for seat in titles]
    first = seats[-1] if titles else SEATS.index(leader)
    return titled(hands, ending(order, hands, first, seats, returns), titles=titles, returns=returns, **more)


T160 = dealt_with_titles("3S 3D 4S 2C", "5S 2D", "AC KC 3C", "2S 2H AS KD 3H")
GIFTS = ((3, 0, "2S 2H"), (2, 1, "AC"))


@ENGINES
@pytest.mark.parametrize(
    ("follow", "right"),
    [
        (whole("ABCD", titles="BDAC"), True),
        (whole("ABCD", titles="DBAC"), False),
        (whole("ABCD", titles="BDCA"), False),
        (whole("ABCD", titles="BDAC")._replace(leader=1), False),
        (whole("ABCD"), False),
    ],
    ids=["titles are the places", "other titles", "the last two swapped", "the winner leads", "no opening game"],
)
def test_r12_places_are_the_next_titles(engine, follow, right):
    assert engine.follows([whole("BDAC"), follow]) == (None if right else 1)


@ENGINES
def test_r12_over_a_match(engine):
    games = [whole("BDAC"), whole("CABD", titles="BDAC"), whole("DCBA", titles="CABD"), whole("ABCD", titles="DCBA")]
    assert engine.follows(games) is None
    assert engine.follows([*games[:3], whole("ABCD", titles="CABD")]) == 3


REVOLT = dealt_with_titles(f"3S 3C 3D 4S 4C 4D 5S 5C 5D {SEVENS}", "", "", "")
REVOLT_ORDER = "A 3S 3C 3D /, A 4S 4C 4D /, A 5S 5C 5D /, A 7S 7C 7D 7H /, B *, C *"


@ENGINES
def test_t161_r25_each_game_begins_in_the_usual_order(engine):
    """After a game that ended in a revolution the highest cards are given by the usual order, which is in force."""
    ended = titled(REVOLT, REVOLT_ORDER)
    assert engine.outcome(ended).places == [0, 1, 2, 3]
    follow = titled(T160, ending("ABCD", T160, 3, (0, 1, 2, 3)), titles="ABCD")
    assert follow.exchange[:2] == GIFTS
    assert engine.follows([ended, follow]) is None
    usual = titled(T160, "D 3H", titles="ABCD")
    assert engine.legal(usual, moves_of("A 4S")[0])


@ENGINES
def test_m17_the_game_ends_when_the_last_but_one_goes_out(engine):
    """The last card of the last but one is not beaten, nor passed on."""
    game = whole("ABCD")
    over = game._replace(moves=game.moves)
    assert engine.outcome(over).places == [0, 1, 2, 3]
    for move in ("D", f"D {card_name(max(cards_in(game.hands[3])))}"):
        assert not engine.legal(over, moves_of(move)[0])


# Tổng thống: what only a record can get wrong


def test_t169_in_a_record():
    game = whole("ABCD", titles="BDAC")
    assert refused(game, leader=1)  # not the winner (B35)
    assert refused(game, titles=None)
    assert refused(game, titles=[1, 3, 0])
    assert refused(game, titles=[1, 3, 0, 0])
    assert refused(game, titles=[3, 1, 0, 2])  # the exchange is of other seats then
    assert refused(game, exchange=[])
    assert refused(game, exchange=record_of(game)["exchange"][:2])
    assert refused(game, calls=[{"seat": 0, "call": "sam"}])
    assert refused(game, barred=0)


def test_r19_no_titles_in_the_first_game():
    game = whole("ABCD")
    assert refused(game, titles=[0, 1, 2, 3])
    assert refused(game, opening=False)
    assert refused(game, leader=1)


def test_l1_sizes_in_a_record():
    """P9: a rotation of 11 11 10 10 10."""
    for sizes in ((11, 10, 11, 10, 10), (10, 11, 10, 11, 10), (12, 10, 10, 10, 10), (11, 11, 11, 10, 9)):
        assert refused(whole("ABCDE", players=5, sizes=sizes))
    assert refused(whole("ABCD", sizes=(14, 13, 13, 12)))
    game = whole("ABCD")
    assert refused(game, hands=[*record_of(game)["hands"][:3]], players=3)  # for four or five (004#R1)


def test_r28_points_and_no_money_in_a_record():
    game = whole("BDAC")
    assert tlsim.settle(record_of(game)).record["points"] == [1, 3, 0, 2]
    assert refused(game, points=[3, 2, 1, 0])
    assert refused(game, transfers=[{"from": 0, "to": 1, "amount": 1, "reason": "place"}])
