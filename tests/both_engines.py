"""Whole games on the compiled engine and on the slow twin (`naive_game`): the same deals, the same game.

The policy `lowest` is decided by both; games by chance and by `smart` are the engine's, and the twin is led through
them decision by decision: who is asked what, before the first play too, what is legal, what is written down, what is
paid and what carries over to the next game must agree.

`check_preset` plays fair and stacked deals of a preset (bombs, twos and 3♠ in the hands), `check_matches` whole
matches, and `aim` deals aimed at the clauses that have not fired yet.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import accumulate, zip_longest
from typing import NamedTuple

import clause_counts
import naive_game
import numpy as np
import pytest
from aimed_deals import AIMED
from compiled import kept
from game_deals import aimed_deal, fair, in_quads, stacked, start_of, with_patterns

import tlsim
from tlsim import load_rules
from tlsim.cards import hand_of, parse_cards
from tlsim.engine.parts import link_numbers, part_of
from tlsim.engine.rule_numbers import REASONS, game_row, pattern_tests
from tlsim.jit import pointer
from tlsim.kernels import row as c
from tlsim.kernels.before import ask_before, is_return, take_before
from tlsim.kernels.before import start as start_before
from tlsim.kernels.choices import REST_OF_QUAD, choice_at, list_choices
from tlsim.kernels.combos import TWO_RANK, true_cards
from tlsim.kernels.detect import bench, detect_all
from tlsim.kernels.game import begin, close_trick, next_question, pass_lead_on, take
from tlsim.kernels.policies import LOWEST, RANDOM, REFUSED, SMART, decide_script
from tlsim.kernels.table import instant_win, table
from tlsim.records.model import read_record
from tlsim.records.referee import referee

GAMES = int(os.environ.get("TLSIM_TEST_GAMES", "48"))  # per preset and number of players
MOST_ROUNDS = 1500  # of deals aimed at clauses that have not fired
ENDINGS = {
    c.NORMAL: "normal", c.WHOLE_TABLE_CONG: "cong_table", c.THREE_SPADES: "ket_3_bich", c.BLOCKED: "block",
    c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang", c.ALL_STUCK: "stuck", c.INSTANT: "toi_trang",
    c.CALL_MADE: "sam_made", c.CALL_BLOCKED: "sam_blocked", c.CALL_STUCK: "sam_stuck",
}  # fmt: skip
QUESTIONS = {
    c.LEAD: "lead", c.FOLLOW: "follow", c.FREE: "free", c.AFTER_PASS: "free", c.CALL: "sam", c.RETURN: "return",
}  # fmt: skip
KINDS = ("", "single", "pair", "triple", "quad", "straight", "pair_run", "as_quad", "as_pair_run_4")
TURNS = ("004#R23 revolution", "004#R24 the order is restored")
AS = {0: None, c.AS_QUAD: "quad", c.AS_RUN_4: "pair_run_4"}


class Outcome(NamedTuple):
    """What a game was, in the words of both engines."""

    caller: int | None
    exchange: list[tuple[int, int, int]]  # gifts, then returns: from, to, cards
    plays: list[tuple]
    ending: str
    places: list[int]
    transfers: dict[tuple[int, int, str], int]
    points: list[int] | None
    den_payer: int | None
    events: tuple[int, int]  # đền báo, revolutions
    carried: tuple  # next leader, whether the next is an opening game, who is barred, games of cóng in a row


# The engine


NO_SCRIPT = np.zeros(0, np.int64)
LINKS = (c.POLICY, c.HOLD_3S), (c.TABLE_PART, c.STREAMS)  # what a row knows of policies, and where parts are called


def start(rules, deal):
    """The row of a game before the first question."""
    players = len(deal.hands)
    game = game_row(rules, players)
    game[c.DEALT : c.DEALT + players] = deal.hands
    game[c.LEADER], game[c.OPENING], game[c.REQUIRED_FIRST] = deal.leader, deal.opening, deal.required
    game[c.BARRED] = -1 if deal.barred is None else deal.barred
    game[c.TITLES] = -1
    firsts = c.CONG_IN_A_ROW, c.TITLES, c.CALLS_SAM, c.DECLINES
    for first, values in zip(firsts, (deal.streaks, deal.titles, deal.calls, deal.declines), strict=True):
        for at, value in enumerate(values or ()):
            game[first + at] = value
    for seat, hand in enumerate(deal.hands if rules.toi_trang else ()):
        game[c.HELD + seat] = patterns_of(rules, players, hand, deal.opening)
    return game


def patterns_of(rules, players, hand, opening):
    """The bits of the tới trắng patterns that a hand holds."""
    tests, room = pattern_tests(rules, opening, players, hand.bit_count()), bench(1)
    if tests.patterns:
        detect_all(tests, np.array([hand]), room)
    return room.held[0]


def engine_game(rules, deal, policies, words=None):
    """Play a game on the engine and return its row."""
    players = len(deal.hands)
    game = start(rules, deal)
    linked = _linked(rules, players, policies if isinstance(policies, int) else tuple(policies))[0]
    for first, last in LINKS:
        game[first:last] = linked[first:last]
    for seat, pair in enumerate(words or ()):
        game[c.STREAMS + 3 * seat : c.STREAMS + 3 * seat + 2] = np.array(pair, np.uint64).astype(np.int64)
    table(game)
    assert game[c.FAULT] == c.FINE
    assert game[c.NET : c.NET + players].sum() == game[c.POINTS_GIVEN]
    return game


@lru_cache(maxsize=256)
def _linked(rules, players, policies):
    """A row in which policies are seated, and the rooms that must live as long as it is played on."""
    row = game_row(rules, players)
    return row, seat_policies(row, policies)


def seat_policies(game, policies):
    """Let policies by number, or one for all, play a row; what is returned must live as long as it is played on."""
    policies = np.broadcast_to(policies, game[c.PLAYERS]).tolist()
    for seat, policy in enumerate(policies):
        part = part_of(policy)
        game[c.POLICY + seat], game[c.PART + seat] = policy, part.address if part else 0
    return link_numbers(game, policies, strengths=bool(game[c.HAS_SAM]))


@kept
def retrace(row, played, asked, choices):
    """Play a game again; asked : int64[n, 6], seat, question, answer, number of choices, own hand, order, by decision.

    choices : of a return the cards, otherwise kind, top rank, length; all as the cards are, in a revolution too
    """
    game = pointer(row)
    begin(game)
    start_before(game)
    decisions, at = 0, 0
    while True:
        seat = ask_before(game)
        if seat < 0:
            break
        n, answer, hand = 0, np.int64(played[c.CALLER] - 1 == seat), game[c.HANDS + seat]
        if game[c.ASKED] == c.RETURN:
            n, answer = every_return(game, hand, choices[at:]), played[c.RETURNS + game[c.STEP]]
        note_decision(asked[decisions], seat, game[c.ASKED], answer, n, hand, 0)
        decisions, at = decisions + 1, at + n
        take_before(game, seat, answer)
    if instant_win(game):
        return decisions
    pass_lead_on(game)
    while game[c.ENDING] == c.PLAYING:
        seat = next_question(game)
        if seat < 0:
            close_trick(game)
            continue
        hand, question = game[c.HANDS + seat], game[c.ASKED]
        n = list_choices(game, hand, seat, question)
        for line in range(n):
            kind, rank, length = choice_at(game, line)
            choices[at + line, 0], choices[at + line, 2] = kind, length
            choices[at + line, 1] = TWO_RANK - rank if game[c.REVERSED] else rank
        play = decide_script(game, hand, seat, question)
        shown = play & ~c.ALL_CARDS | true_cards(game, play & c.ALL_CARDS)
        note_decision(asked[decisions], seat, question, shown, n, true_cards(game, hand), game[c.REVERSED])
        decisions, at = decisions + 1, at + n
        if play == REFUSED:
            return -1
        take(game, seat, play)
    return decisions


@kept
def note_decision(to, seat, question, answer, number, hand, order):
    to[0], to[1], to[2], to[3], to[4], to[5] = seat, question, answer, number, hand, order


@kept
def every_return(game, hand, found):
    """Write every set of cards of a hand that may be returned, and give their number."""
    n, cards = 0, hand
    while cards:
        if is_return(game, hand, cards):
            found[n, 0], found[n, 1], found[n, 2] = cards, 0, 0
            n += 1
        cards = (cards - 1) & hand
    return n


ASKED = np.zeros((2000, 6), np.int64)
CHOICES = np.zeros((200_000, 3), np.int64)


def log_of(game):
    return game[c.LOG : c.LOG + game[c.PLAYS]]


def decisions_of(rules, game, deal):
    """Every decision of a game: seat, question, answer, own hand, whether in a revolution, legal choices."""
    log, again = log_of(game), start(rules, deal)
    again[c.SCRIPT_LENGTH], again[c.SCRIPT_PLAYS : c.SCRIPT_PLAYS + len(log)] = len(log), log
    number = retrace(again, game, ASKED, CHOICES)
    assert number >= 0, "the engine does not take its own log"
    assert (log_of(again) == log).all()
    ends = list(accumulate(ASKED[:number, 3].tolist()))
    for (seat, question, play, n, hand, order), end in zip(ASKED[:number].tolist(), ends, strict=True):
        yield seat, question, play, hand, bool(order), {tuple(row) for row in CHOICES[end - n : end].tolist()}


def flows_of(game):
    return game[c.FLOWS : c.FLOWS + 4 * game[c.N_FLOWS]].reshape(-1, 4)


def places_of(game):
    return game[c.PLACES : c.PLACES + game[c.N_PLACES]].tolist()


def seat_or_none(seat):
    return None if seat < 0 else int(seat)


def party_of(game, at, side):
    """The seat that gives up cards in an exchange, or the one that gets them."""
    return game[c.TITLES + game[c.EXCHANGES + 3 * at + side]]


def exchange_of(game):
    """Gifts, then returns: from, to, cards."""
    if not game[c.HAS_TITLES] or game[c.TITLES] < 0:
        return []
    ends = [[int(party_of(game, at, side)) for side in range(2)] for at in range(game[c.N_EXCHANGES])]
    gifts = [(a, b, int(game[c.GIFTS + at])) for at, (a, b) in enumerate(ends)]
    return gifts + [(b, a, int(game[c.RETURNS + at])) for at, (a, b) in enumerate(ends)]


def carried_by(game):
    """What the row says of the next game."""
    players = int(game[c.PLAYERS])
    streaks = tuple(game[c.CONG_IN_A_ROW : c.CONG_IN_A_ROW + players].tolist()) if game[c.CONG_STREAK] else None
    leader, barred = seat_or_none(game[c.NEXT_LEADER]), seat_or_none(game[c.NEXT_BARRED])
    return leader, bool(game[c.NEXT_OPENING]), barred, streaks


def engine_outcome(game):
    players = int(game[c.PLAYERS])
    plays = []
    for entry in log_of(game).tolist():
        marks = AS[entry & (c.AS_QUAD | c.AS_RUN_4)], bool(entry & c.INTERRUPT), bool(entry & c.IS_STUCK)
        plays.append((entry >> c.SEAT_SHIFT & 7, entry & c.ALL_CARDS, *marks))
    transfers, net = Counter(), game[c.NET : c.NET + players].tolist()
    for reason, payer, receiver, amount in flows_of(game).tolist():
        transfers[payer, receiver, REASONS[reason]] += amount
        net[payer] += amount
        net[receiver] -= amount
    return Outcome(
        seat_or_none(game[c.CALLER] - 1),
        exchange_of(game),
        plays,
        ENDINGS[int(game[c.ENDING])],
        places_of(game),
        dict(transfers),
        net if game[c.HAS_POINTS] else None,
        seat_or_none(game[c.LIABLE] - 1),
        (int(game[c.EVENTS + c.EV_DEN_BAO]), int(game[c.EVENTS + c.EV_REVOLUTION])),
        carried_by(game),
    )


# The twin


def mask_of(names):
    return hand_of(" ".join(names)) if names else 0


def twin_outcome(game):
    plays = [
        (
            entry["seat"],
            sum(1 << card for card in parse_cards(" ".join(entry["cards"]))) if entry["cards"] else 0,
            entry.get("as"),
            "interrupt" in entry,
            "stuck" in entry,
        )
        for entry in game.plays
    ]
    streaks = tuple(game.next_streaks) if game.rules.lead.cong_streak else None
    return Outcome(
        game.caller,
        [(gift["from"], gift["to"], mask_of(gift["cards"])) for gift in game.exchange or ()],
        plays,
        game.ended,
        list(game.places),
        game.transfers,
        game.points,
        game.den_payer,
        (int(game.den_bao_payer is not None), sum(game.fired[name] for name in TURNS)),
        (game.next_leader, game.next_opening, game.next_barred, streaks),
    )  # fmt: skip


def name_of(choice):
    """The twin's name of a choice of the engine: kind, top rank, length."""
    kind, rank, length = choice
    return KINDS[kind], rank, 1 if kind == REST_OF_QUAD else length


def play_of(play):
    return naive_game.Play(play & c.ALL_CARDS, AS[play & (c.AS_QUAD | c.AS_RUN_4)])


def twin_of(rules, deal):
    """The twin's game before the first question."""
    return naive_game.Game(rules, deal.hands, deal.leader, deal.opening, **deal.before())


# Both


def same_lowest(rules, deal, seen=None):
    """Play `lowest` on both engines; return the twin's game."""
    played = engine_game(rules, deal, LOWEST)
    game = twin_of(rules, deal)
    while game.asked:
        told = deal.answer(*game.asked)
        game.choose(naive_game.lowest(game) if told is None else told)
    agree(played, game)
    if seen is not None:
        note(seen, rules, played, game)
    return game


def same_by_chance(rules, deal, rng, seen=None):
    """Play a game by chance, perhaps with smart seats, on the engine and lead the twin through; return its game."""
    words = [(rng.getrandbits(64), rng.getrandbits(64) | 1) for _ in deal.hands]
    smart = rng.choice([0, 0, 0, 0.5, 1])
    policies = [SMART if rng.random() < smart else RANDOM for _ in deal.hands]
    played = engine_game(rules, deal, policies, words)
    game = twin_of(rules, deal)
    for seat, question, play, hand, order, choices in decisions_of(rules, played, deal):
        declare(game, deal)
        assert game.asked == (seat, QUESTIONS[question])
        assert (game.hands[seat], game.reversed) == (hand, order)
        if question == c.CALL:
            game.choose(naive_game.YES if play else naive_game.NO)
            continue
        if question == c.RETURN:
            assert {cards for cards, _, _ in choices} == {answer.cards for answer in game.legal()}
        else:
            assert {name_of(choice) for choice in choices} == game.choices()
        game.choose(play_of(play))
        if seen is not None and play == 0 and question in (c.FREE, c.AFTER_PASS):
            seen["declined"] += 1
    declare(game, deal)
    assert game.asked is None
    agree(played, game)
    if seen is not None:
        note(seen, rules, played, game)
    return game


def agree(played, game):
    """Hold what the engine has made of a game against what the twin has, and say what differs."""
    one, two = engine_outcome(played)._asdict(), twin_outcome(game)._asdict()
    differ = {part: (one[part], two[part]) for part in one if one[part] != two[part]}
    if "plays" in differ:  # all that follows differs with them
        pairs = zip_longest(one["plays"], two["plays"])
        differ = next({"play": number} | {"is": a, "twin": b} for number, (a, b) in enumerate(pairs) if a != b)
    assert differ == {}, f"the engine and the twin differ: {differ}"


def declare(game, deal):
    """Let the twin's seats say whether they declare a tới trắng; the engine does not ask."""
    while game.asked and game.asked[1] == "declare":
        game.choose(deal.answer(*game.asked))


def note(seen, rules, played, game):
    """Count what happened."""
    seen["games"] += 1
    seen[f"ending {game.ended}"] += 1
    for reason in {reason for _, _, reason in game.transfers}:
        seen[f"reason {reason}"] += 1
    if game.ended != "stuck" and played[c.STUCK] == 0 and any("stuck" in entry for entry in game.plays):
        seen["stuck leader, play goes on"] += 1
    for entry in game.plays:
        seen["interrupt"] += "interrupt" in entry
        if "as" in entry:
            seen[f"as {entry['as']}"] += 1
    seen["late finisher"] += bool(game.late)
    seen["liable"] += game.den_payer is not None
    if played[c.LONGEST_CHAIN] > 1:
        seen["longer chain"] += 1
        seen[f"longer chain, {rules.chop.chain}"] += 1
        seen[f"longer chain, void {rules.chop.finisher_void_scope}"] += 1
    history = [combo for _, combo in game.history]
    for combo in history:
        seen[f"kind {combo.kind}"] += 1
        seen["5 or 6 pairs"] += combo.kind == "pair_run" and combo.length > 4
        seen["four 2s"] += combo.kind == "quad" and combo.rank == 12
        seen["low straight"] += combo.kind == "straight" and naive_game.has_two(combo.cards)
    seen["exchange"] += bool(game.exchange)
    seen["exchange of 3 and more"] += any(len(gift["cards"]) > 2 for gift in game.exchange or ())
    seen["two or more revolutions"] += played[c.EVENTS + c.EV_REVOLUTION] > 1
    limit = rules.lead.cong_streak
    seen["several streaks at the limit"] += bool(limit) and sum(n >= limit for n in game.streaks) > 1
    seen["den bao pays for others"] += any(reason == "den_bao" for _, _, reason in game.transfers)


# The referee of records, and what carries over from game to game


def same_settled(rules, players, rng):
    """Play a game of the twin, with tới trắng, and let the referee of records settle it; return the game."""
    opening = rng.random() < 0.5
    whole = rules.toi_trang is None or rng.random() < 0.3
    hands = fair(rng, rules, players) if whole else with_patterns(rng, rules, players, opening)
    deal = start_of(rules, hands, rng, opening, in_match=True)
    direction = rng.choice((1, -1)) if rules.turn.alternate_direction_each_hand else 1
    decide = naive_game.at_random(rng) if rng.random() < 0.5 else naive_game.lowest
    game = naive_game.play(rules, hands, deal.leader, deal.opening, direction, decide, **deal.before())
    record = naive_game.record_of(game)
    told = {key: value for key, value in record.items() if key not in ("places", "transfers", "net", "points")}
    settled = referee(read_record(told), rules, in_a_row=deal.streaks)
    assert [round(2 * value) for value in settled.net] == list(game.net)
    assert list(settled.places) == list(game.places)
    assert by_text(settled.record["transfers"]) == by_text(record["transfers"])
    assert settled.record.get("points") == record.get("points")
    carried = settled.next_leader, settled.next_opening, settled.next_direction, settled.next_barred
    assert carried == (game.next_leader, game.next_opening, game.next_direction, game.next_barred)
    assert list(settled.next_titles or ()) == list(game.next_titles or ())
    if rules.lead.cong_streak:
        assert settled.cong_in_a_row == game.next_streaks
    return game


def check_matches(rules, players, games, seed):
    """Play the games of whole matches of the engine, by `lowest`, on the twin too: tới trắng, and what carries over."""
    records = tlsim.play(rules, games=games, players=players, policies="lowest", seed=seed)
    fired, before = Counter(), None
    for number, record in enumerate(records):
        hands = [mask_of(cards) for cards in record["hands"]]
        assert tuple(map(int.bit_count, hands)) == rules.seat_sizes(players, record["source"]["game"])
        start = record["leader"], record["opening"], record["direction"]
        if record["opening"]:
            assert record["leader"] == naive_game.opening_leader(rules, hands)
        if record["source"]["game"] == 0:
            before = None
            assert (record["opening"], record["direction"]) == (True, 1)
        streaks = before and before.next_streaks
        titles = record.get("titles")
        game = naive_game.play(
            rules, hands, *start, barred=record.get("barred"), streaks=streaks, titles=titles
        )  # fmt: skip
        for key, value in naive_game.record_of(game).items():
            unordered = key in ("transfers", "calls")
            one, two = (by_text(record[key]), by_text(value)) if unordered else (record[key], value)
            assert one == two or (key == "exchange" and not one and not two), (number, key)
        if before:
            assert (record["opening"], record["direction"]) == (before.next_opening, before.next_direction)
            assert record["opening"] or record["leader"] == before.next_leader
            assert record.get("barred") == before.next_barred
            assert titles == before.next_titles
        before = game
        fired.update(game.fired)
    return fired


def by_text(transfers):
    """The transfers or calls of a record, whose order means nothing (M23)."""
    return sorted(transfers, key=str)


# Presets


@cache
def plain(name):
    """A preset without tới trắng, which is no matter of play."""
    return load_rules(name).replace("toi_trang", False)


def table_sizes(name):
    deal = load_rules(name).deal
    return range(deal.min_players, deal.max_players + 1)


def hostile(rng, rules, players):
    """Hands of all sizes, full of what fires; with titles also such as the order turns over in."""
    return in_quads(rng, players) if rules.president and rng.random() < 0.6 else stacked(rng, players)


def check_preset(name, players, games, seed=""):
    """Play games of a preset, by turns of every kind; return how often each clause fired."""
    rng, rules, whole = random.Random(f"{name} {players}{seed}"), plain(name), load_rules(name)
    fired: Counter = Counter()
    for at in range(games):
        if at % 5 == 4:
            fired.update(same_settled(whole, players, rng).fired)
            continue
        if whole.toi_trang and at % 10 == 3:
            fired.update(same_with_patterns(name, whole, players, rng).fired)
            continue
        deal = start_of(rules, fair(rng, rules, players) if at % 2 == 0 else hostile(rng, rules, players), rng)
        with told(name, {}, deal):
            one = same_by_chance(rules, deal, rng) if at % 4 < 2 else same_lowest(rules, deal)
        fired.update(one.fired)
    return fired


def same_with_patterns(name, rules, players, rng, changes=None):
    """Play a deal with patterns of tới trắng on both engines."""
    opening = rng.random() < 0.5
    deal = start_of(rules, with_patterns(rng, rules, players, opening), rng, opening)
    with told(name, changes or {}, deal):
        return same_by_chance(rules, deal, rng) if rng.random() < 0.5 else same_lowest(rules, deal)


@contextmanager
def told(name, changes, deal):
    """Say what was played when the engines differ."""
    try:
        yield
    except (AssertionError, ValueError, IndexError) as error:
        pytest.fail(f"{name} {changes}\n{deal}\n{error}")


def aim(name, players, fired):
    """Play on deals that let rare clauses fire as long as one that can has not; return the number of games."""
    rng, rules = random.Random(f"aimed {name} {players}"), plain(name)
    whole = load_rules(name)
    possible = clause_counts.can_happen(whole, players)
    games = 0
    for turn in range(MOST_ROUNDS):
        missing = possible - set(fired)
        for aimed in AIMED:
            if any(clause.startswith(aimed.clauses) for clause in missing):
                deal = aimed_deal(rules, aimed, players)
                with told(name, {}, deal):
                    one = same_by_chance(rules, deal, rng) if turn else same_lowest(rules, deal)
                fired.update(one.fired)
                games += 1
        if any(clause.startswith(clause_counts.OF_TOI_TRANG) for clause in missing):
            fired.update(same_settled(whole, players, rng).fired)
            fired.update(same_with_patterns(name, whole, players, rng).fired)
            games += 2
        if not missing:
            break
    return games


def check_clauses(name, players, fired):
    """Every clause that can fire under the rules has fired, and no other."""
    possible = clause_counts.can_happen(load_rules(name), players)
    assert sorted(possible - set(fired)) == [], "never fired"
    assert sorted(set(fired) - possible) == [], "cannot fire under these rules"
