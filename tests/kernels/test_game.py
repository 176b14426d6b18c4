"""Whole games on the compiled engine and on the slow twin (`naive_game`): the same deals, the same game.

The policy `lowest` is played on both; games by chance are the engine's, and the twin is led through them decision by
decision: who is asked what, what is legal, what is written down and what is paid must agree. The presets are played on
fair and on stacked deals (bombs, twos and 3♠ in the hands), variants of their parameters on stacked ones, and where a
clause has not fired yet on deals aimed at it (`aimed_deals`): every clause that can fire under the rules has to
(`clause_counts`).

TLSIM_TEST_GAMES sets the games per preset and number of players. The long run (``slow``, `make slow`) plays 20,000 and
takes hours; it shows how far it is, and in the end how often each clause fired. Parts of it: TLSIM_SLOW_PRESETS and
TLSIM_SLOW_PLAYERS (words with commas between), TLSIM_SLOW_GAMES; TLSIM_SLOW_MINUTES ends it earlier, with the games of
all presets alike, and TLSIM_SLOW_CORES is the number of processes.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from multiprocessing import get_context
from typing import NamedTuple

import clause_counts
import naive_game
import numba
import numpy as np
import pytest
from aimed_deals import AIMED, PATTERN_HANDS

import tlsim
from tlsim import load_rules
from tlsim.cards import cards_in, hand_of, parse_cards
from tlsim.engine.tables import REASONS, game_row
from tlsim.errors import UsageError
from tlsim.kernels import row as c
from tlsim.kernels.choices import REST_OF_QUAD, choice_at, list_choices
from tlsim.kernels.game import begin, close_trick, next_question, pass_lead_on, take
from tlsim.kernels.moves import is_legal
from tlsim.kernels.policies import LOWEST, RANDOM, REFUSED, SCRIPT, decide_script
from tlsim.kernels.table import play_one

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac",
)  # fmt: skip
GAMES = int(os.environ.get("TLSIM_TEST_GAMES", "48"))  # per preset and number of players
VARIANTS = 6 * GAMES  # rule sets with changed parameters, one preset after the other
BLOCK = 500  # games of the long run between two signs of life
OF_TOI_TRANG = ("F", "B4", "M18")  # clauses of games that begin with it, and of both directions
MOST_ROUNDS = 1500  # of deals aimed at clauses that have not fired
ENDINGS = {
    c.NORMAL: "normal", c.WHOLE_TABLE_CONG: "cong_table", c.THREE_SPADES: "ket_3_bich", c.BLOCKED: "block",
    c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang", c.ALL_STUCK: "stuck",
}  # fmt: skip
QUESTIONS = {c.LEAD: "lead", c.FOLLOW: "follow", c.FREE: "free", c.AFTER_PASS: "free"}
KINDS = ("", "single", "pair", "triple", "quad", "straight", "pair_run", "as_quad", "as_pair_run_4")
AS = {0: None, c.AS_QUAD: "quad", c.AS_RUN_4: "pair_run_4"}


class Deal(NamedTuple):
    """What a game starts from; `required` are cards of which the first play must hold one."""

    hands: list[int]
    leader: int
    opening: bool
    required: int


class Outcome(NamedTuple):
    """What a game was, in the words of both engines."""

    plays: list[tuple]
    ending: str
    places: list[int]
    transfers: dict[tuple[int, int, str], int]
    points: list[int] | None
    den_payer: int | None


# The engine


NO_SCRIPT = np.zeros(0, np.int64)


def start(rules, deal):
    """The row of a game before the first question."""
    players = len(deal.hands)
    game = game_row(rules, players)
    game[c.DEALT : c.DEALT + players] = deal.hands
    game[c.LEADER], game[c.OPENING], game[c.REQUIRED_FIRST] = deal.leader, deal.opening, deal.required
    return game


def engine_game(rules, deal, policy, words=None):
    """Play a game on the engine and return its row."""
    players = len(deal.hands)
    game = start(rules, deal)
    game[c.POLICY : c.POLICY + players] = policy
    for seat, pair in enumerate(words or ()):
        game[c.STREAMS + 3 * seat : c.STREAMS + 3 * seat + 2] = np.array(pair, np.uint64).astype(np.int64)
    play_one(game, NO_SCRIPT, 1)
    assert game[c.FAULT] == c.FINE
    if not game[c.HAS_POINTS]:
        assert game[c.NET : c.NET + players].sum() == 0
    return game


@numba.njit
def retrace(game, script, asked, choices):
    """Play a log again; asked : int64[n, 4], seat, question, play and number of choices of each decision."""
    begin(game)
    decisions, at = 0, 0
    pass_lead_on(game)
    while game[c.ENDING] == c.PLAYING:
        seat = next_question(game)
        if seat < 0:
            close_trick(game)
            continue
        hand, question = game[c.HANDS + seat], game[c.ASKED]
        n = list_choices(game, hand, seat, question)
        for row in range(n):
            choices[at + row, 0], choices[at + row, 1], choices[at + row, 2] = choice_at(game, row)
        play = decide_script(game, hand, seat, question, script)
        asked[decisions, 0], asked[decisions, 1], asked[decisions, 2], asked[decisions, 3] = seat, question, play, n
        decisions, at = decisions + 1, at + n
        if play == REFUSED:
            return -1
        take(game, seat, play)
    return decisions


ASKED = np.zeros((2000, 4), np.int64)
CHOICES = np.zeros((60_000, 3), np.int64)


def log_of(game):
    return game[c.LOG : c.LOG + game[c.PLAYS]]


def decisions_of(rules, game, deal):
    """Every decision of a game: seat, question, play, legal choices."""
    log, again = log_of(game), start(rules, deal)
    number = retrace(again, log, ASKED, CHOICES)
    assert number >= 0, "the engine does not take its own log"
    assert (log_of(again) == log).all()
    ends = list(accumulate(ASKED[:number, 3].tolist()))
    for (seat, question, play, n), end in zip(ASKED[:number].tolist(), ends, strict=True):
        yield seat, question, play, {tuple(row) for row in CHOICES[end - n : end].tolist()}


def flows_of(game):
    return game[c.FLOWS : c.FLOWS + 4 * game[c.N_FLOWS]].reshape(-1, 4)


def places_of(game):
    return game[c.PLACES : c.PLACES + game[c.N_PLACES]].tolist()


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
    points = net if game[c.HAS_POINTS] else None
    payer = int(game[c.LIABLE]) - 1
    return Outcome(
        plays, ENDINGS[int(game[c.ENDING])], places_of(game), dict(transfers), points, None if payer < 0 else payer
    )


# The twin


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
    return Outcome(plays, game.ended, list(game.places), game.transfers, game.points, game.den_payer)


def name_of(choice):
    """The twin's name of a choice of the engine: kind, top rank, length."""
    kind, rank, length = choice
    return KINDS[kind], rank, 1 if kind == REST_OF_QUAD else length


def play_of(play):
    return naive_game.Play(play & c.ALL_CARDS, AS[play & (c.AS_QUAD | c.AS_RUN_4)])


def same_lowest(rules, deal, seen=None):
    """Play `lowest` on both engines; return the twin's game."""
    played = engine_game(rules, deal, LOWEST)
    game = naive_game.play(rules, deal.hands, deal.leader, deal.opening)
    assert engine_outcome(played) == twin_outcome(game)
    if seen is not None:
        note(seen, rules, played, game)
    return game


def same_by_chance(rules, deal, rng, seen=None):
    """Play a game by chance on the engine and lead the twin through it; return the twin's game."""
    words = [(rng.getrandbits(64), rng.getrandbits(64) | 1) for _ in deal.hands]
    played = engine_game(rules, deal, RANDOM, words)
    game = naive_game.Game(rules, deal.hands, deal.leader, deal.opening)
    for seat, question, play, choices in decisions_of(rules, played, deal):
        assert game.asked == (seat, QUESTIONS[question])
        assert {name_of(choice) for choice in choices} == game.choices()
        game.choose(play_of(play))
        if seen is not None and play == 0 and question >= c.FREE:
            seen["declined"] += 1
    assert game.asked is None
    assert engine_outcome(played) == twin_outcome(game)
    if seen is not None:
        note(seen, rules, played, game)
    return game


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


# Deals


def start_of(rules, hands, rng):
    """Draw whether a game is an opening one (it is without ``rng``); who leads, and with what."""
    opening = rng is None or rng.random() < 0.5
    dealt = sum(hands)
    card = 1 << rules.lead.opening_card
    fallback = rules.lead.opening_fallback
    leader = rng.randrange(len(hands)) if rng else 0
    if opening and (dealt & card or fallback != "random"):
        leader = naive_game.opening_leader(rules, hands)
    required = 0
    if opening and rules.lead.opening_must_include:
        required = card if dealt & card else dealt & -dealt if fallback == "lowest_must_include" else 0
    return Deal(hands, leader, opening, required)


def fair(rng, players):
    cards = rng.sample(range(52), 13 * players)
    return [sum(1 << card for card in cards[at : at + 13]) for at in range(0, len(cards), 13)]


def stacked(rng, players):
    """Deal whole bombs, twos, straights and 3♠ first, then single cards; hands of 1 to 13 cards."""
    left = set(range(52))
    most = rng.choice([3, 5, 7, 9, 13])
    sizes = [rng.randint(1, most) if rng.random() < 0.4 else most for _ in range(players)]
    hands = [set() for _ in range(players)]
    theme = rng.random()
    if theme < 0.1:  # what leaves residual powers in Huế
        sizes[0] = max(sizes[0], 9)
        hands[0].update(rng.choice([(0, 1, 2, 3), (0, 1, 4, 5, 8, 9, 12, 13, 14)]))
    elif theme < 0.2:  # leaders with nothing but twos
        sizes = [rng.randint(1, 3) for _ in range(players)]
        hands[rng.randrange(players)].update(rng.sample(range(48, 52), 1))
    elif theme < 0.45:  # a bomb for everybody, the stronger the later
        quads = rng.sample(range(1, 12), players)
        for seat, rank in enumerate(sorted(quads)):
            sizes[seat] = max(sizes[seat], 6)
            hands[seat].update({4 * rank, 4 * rank + 1, 4 * rank + 2, 4 * rank + 3, 48 + seat})
    left -= set().union(*hands)
    for _ in range(rng.randint(1, 3)):
        for seat in rng.sample(range(players), players):
            piece = {card for card in _piece(rng) if card in left}
            if len(hands[seat] | piece) <= sizes[seat]:
                hands[seat] |= piece
                left -= piece
    for seat, hand in enumerate(hands):
        more = rng.sample(sorted(left), sizes[seat] - len(hand))
        hand.update(more)
        left -= set(more)
    return [sum(1 << card for card in hand) for hand in hands]


def _piece(rng):
    """Cards that belong together, as numbers."""
    rank, suit = rng.randrange(8), rng.randrange(4)
    length = rng.choice([3, 3, 4, 4, 4, 5, 6])
    low = rng.choice([0, rng.randrange(13 - length)])
    quad = 4 * rng.randrange(12)
    pieces = {
        "quad": range(quad, quad + 4),
        "run": [4 * r + s for r in range(low, low + length) for s in rng.choice([(0, 1), (2, 3), (0, 3), (1, 2)])],
        "twos": rng.sample(range(48, 52), rng.randint(1, 4)),
        "three of spades": [0],
        "threes": range(4),
        "low straight": [4 * r + rng.randrange(4) for r in (11, 12, 0, 1, 2)],
        "one suit": [4 * r + suit for r in range(rank, rank + 4)],
        "straight": [4 * r + rng.randrange(4) for r in range(rank, rank + rng.randint(3, 5))],
    }
    return pieces[rng.choice([*pieces, "quad", "run", "run"])]


# Games that begin with tới trắng, and what carries over to the next one


def with_patterns(rng, rules, players, opening):
    """Deal 13 cards to everybody, one to all of them holding a pattern."""
    ids = [win.id for win in rules.instant_wins(opening, players)]
    left, hands = set(range(52)), [set() for _ in range(players)]
    for seat in rng.sample(range(players), rng.randint(1, players)):
        held = set(cards_in(hand_of(rng.choice(PATTERN_HANDS[rng.choice(ids)])))) if ids else set()
        if held <= left:
            hands[seat] = held
            left -= held
    for hand in hands:
        more = rng.sample(sorted(left), 13 - len(hand))
        hand.update(more)
        left -= set(more)
    return [sum(1 << card for card in hand) for hand in hands]


def same_settled(rules, players, rng):
    """Play a game of the twin, with tới trắng, and let the referee of records settle it; return the game."""
    opening = rng.random() < 0.5
    hands = with_patterns(rng, rules, players, opening)
    leader = naive_game.opening_leader(rules, hands) if opening else rng.randrange(players)
    direction = rng.choice((1, -1)) if rules.turn.alternate_direction_each_hand else 1
    decide = naive_game.at_random(rng) if rng.random() < 0.5 else naive_game.lowest
    game = naive_game.play(rules, hands, leader, opening, direction, decide)
    record = naive_game.record_of(game)
    told = {key: value for key, value in record.items() if key not in ("places", "transfers", "net", "points")}
    settled = tlsim.settle(told)
    assert [round(2 * value) for value in settled.net] == list(game.net)
    assert list(settled.places) == list(game.places)
    assert by_text(settled.record["transfers"]) == by_text(record["transfers"])
    assert settled.record.get("points") == record.get("points")
    carried = settled.next_leader, settled.next_opening, settled.next_direction
    assert carried == (game.next_leader, game.next_opening, game.next_direction)
    return game


def check_matches(name, players, games, seed):
    """Play the games of whole matches of the engine, by `lowest`, on the twin too: tới trắng, and who leads next."""
    rules = load_rules(name)
    records = tlsim.play(name, games=games, players=players, seed=seed)
    fired = Counter()
    for record, following in zip(records, [*records[1:], None], strict=True):
        hands = [hand_of(" ".join(cards)) for cards in record["hands"]]
        start = record["leader"], record["opening"], record["direction"]
        if record["opening"]:
            assert record["leader"] == naive_game.opening_leader(rules, hands)
        game = naive_game.play(rules, hands, *start)
        for key, value in naive_game.record_of(game).items():
            unordered = key in ("transfers", "calls")
            assert (by_text(record[key]) == by_text(value)) if unordered else record[key] == value, key
        if following and following["source"]["match"] == record["source"]["match"]:
            assert (following["opening"], following["direction"]) == (game.next_opening, game.next_direction)
            assert following["opening"] or following["leader"] == game.next_leader
        fired.update(game.fired)
    return fired


def by_text(transfers):
    """The transfers or calls of a record, whose order means nothing (M23)."""
    return sorted(transfers, key=str)


# Presets


def plain(name):
    """A preset without tới trắng, which is no matter of play."""
    return load_rules(name).replace("toi_trang", False)


def check_preset(name, players, games, seed=""):
    """Play games of a preset, by turns of every kind; return how often each clause fired."""
    rng, rules, whole = random.Random(f"{name} {players}{seed}"), plain(name), load_rules(name)
    fired: Counter = Counter()
    for at in range(games):
        if at % 5 == 4:
            fired.update(same_settled(whole, players, rng).fired)
            continue
        deal = start_of(rules, (fair, stacked)[at % 2](rng, players), rng)
        with told(name, {}, deal):
            one = same_by_chance(rules, deal, rng) if at % 4 < 2 else same_lowest(rules, deal)
        fired.update(one.fired)
    return fired


@contextmanager
def told(name, changes, deal):
    """Say what was played when the engines differ."""
    try:
        yield
    except (AssertionError, ValueError) as error:
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
        if any(clause.startswith(OF_TOI_TRANG) for clause in missing):
            fired.update(same_settled(whole, players, rng).fired)
            games += 1
        if not missing:
            break
    return games


def aimed_deal(rules, aimed, players):
    hands = [hand_of(text) for text in aimed.hands[:players]]
    if not aimed.opening:
        return Deal(hands, 0, opening=False, required=0)
    return start_of(rules, hands, None)


def check_clauses(name, players, fired):
    """Every clause that can fire under the rules has fired, and no other."""
    possible = clause_counts.can_happen(load_rules(name), players)
    assert sorted(possible - set(fired)) == [], "never fired"
    assert sorted(set(fired) - possible) == [], "cannot fire under these rules"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", PRESETS)
def test_presets(name, players):
    fired = check_preset(name, players, GAMES) + check_matches(name, players, GAMES // 2, seed=21)
    aim(name, players, fired)
    check_clauses(name, players, fired)


# The long run


def words_of(key, usual):
    return os.environ.get(key, usual).replace(",", " ").split()


def play_block(name, players, block, games):
    """One block of the long run, in a process of its own."""
    return check_preset(name, players, games - 12, f" block {block}") + check_matches(name, players, 12, seed=block)


@pytest.mark.slow
def test_presets_at_length(capsys):
    """20,000 games for each preset and number of players; prints how far it is, and the table of clauses."""
    names = words_of("TLSIM_SLOW_PRESETS", " ".join(PRESETS))
    cells = [(name, int(players)) for players in words_of("TLSIM_SLOW_PLAYERS", "2 3 4") for name in names]
    games = int(os.environ.get("TLSIM_SLOW_GAMES", "20000"))
    sizes = [min(BLOCK, games - at) for at in range(0, games, BLOCK)]
    cores = int(os.environ.get("TLSIM_SLOW_CORES", os.cpu_count() or 1))
    blocks = [(*cell, block, size) for block, size in enumerate(sizes) for cell in cells]
    fired, done, start = {cell: Counter() for cell in cells}, 0, time.monotonic()
    most = float(os.environ.get("TLSIM_SLOW_MINUTES", "inf"))
    with ProcessPoolExecutor(cores, get_context("fork")) as pool:
        waiting = {pool.submit(play_block, *block): block for block in blocks}
        for ready in as_completed(waiting):
            name, players, _, size = waiting[ready]
            fired[name, players].update(ready.result())
            done, minutes = done + size, (time.monotonic() - start) / 60
            with capsys.disabled():
                print(f"{done:,} of {games * len(cells):,} games, {minutes:.1f} min", flush=True)  # noqa: T201
            if minutes > most:
                pool.shutdown(cancel_futures=True)
                break
    for cell, counts in fired.items():
        aim(*cell, counts)
        possible = clause_counts.can_happen(load_rules(cell[0]), cell[1])
        counts.update(dict.fromkeys(possible, 0))  # so that a clause that never fired has its zero in the table
    with capsys.disabled():
        for name in names:
            columns = {f"{name} {players}": counts for (preset, players), counts in fired.items() if preset == name}
            print(f"\n{clause_counts.table(columns)}", flush=True)  # noqa: T201
    for cell, counts in fired.items():
        check_clauses(*cell, +counts)


# Variants

BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
TARGETS = ("heo", "doi_heo", *BOMBS)


def some(rng, words):
    return [word for word in words if rng.random() < 0.6]


def by_place(rng):
    """A settlement by place, of points or of money."""
    if rng.random() < 0.5:
        points = {str(n): [rng.randint(0, 8) / 2 for _ in range(n)] for n in (2, 3, 4)}
        return {"place_points": points, "place_transfers": False, "count_cards": False}
    rows = {}
    for n in (2, 3, 4):
        ends = [rng.sample(range(1, n + 1), 2) for _ in range(rng.randint(1, 3))]
        rows[str(n)] = [{"from_place": a, "to_place": b, "pays": rng.randint(0, 6) / 2} for a, b in ends]
    return {"place_points": False, "place_transfers": rows, "count_cards": False}


def counted(rng):
    items = {"items": rng.choice(["replace", "add"])}
    return {"place_points": False, "place_transfers": False, "count_cards": items}


def price(rng):
    return rng.randint(0, 12) / 2


def one_of(*values):
    return lambda rng: rng.choice(values)


YES_NO = one_of(True, False)

# Every parameter that the engine honours, by the way of drawing a value of it.
PARAMETERS = {
    "turn.pass_locks": YES_NO,
    "turn.pass_reset_on_chop": YES_NO,
    "lead.opening_card": one_of("3S", "3C", "3H", "4D"),
    "lead.opening_must_include": YES_NO,
    "lead.opening_fallback": one_of("lowest_must_include", "lowest_free", "random"),
    "combinations.compare": one_of("top_card", "top_rank"),
    "combinations.suit_match": one_of("off", "north", "match_first_card_only"),
    "combinations.straight.min_length": one_of(3, 3, 4, 5),
    "combinations.straight.low": YES_NO,
    "combinations.straight.longer_beats": YES_NO,
    "combinations.pair_run.min_length": one_of(3, 3, 3, 4),
    "combinations.pair_run.long_runs": one_of("as_ordinary", "superset_of_4"),
    "combinations.pair_run.three": one_of("ordinary", "trump"),
    "finish.on_two": one_of("allow", "counts_last", "forbid"),
    "finish.on_two_in_straight": YES_NO,
    "finish.with_hang": YES_NO,
    **{f"prices.{name}": price for name in ("rac", *naive_game.HEO, *BOMBS)},
    **{f"chop.prices.{name}": price for name in (*naive_game.HEO, *BOMBS)},
    **{f"chop.beats.{name}": (lambda rng: some(rng, TARGETS)) for name in BOMBS},
    "chop.triple2_beaten_by": lambda rng: some(rng, ["tu_quy", "bon_doi_thong", "nam_doi_thong"]),
    "chop.after_pass": lambda rng: some(rng, BOMBS),
    "chop.free_4dt_mode": one_of("any_time", "after_pass_in_turn", "none"),
    "chop.free_targets": lambda rng: some(rng, TARGETS),
    "chop.chain": one_of("last_pays_sum", "each_pays_own", "doubling"),
    "chop.chain_includes_overlaid_twos": YES_NO,
    "chop.finisher_void_scope": one_of("none", "chain_if_last_victim_out", "link"),
    "chop.pay_same_class": YES_NO,
    "chop.pay_led_hang": YES_NO,
    "chop.four_twos_price": one_of("heo_sum", "quad"),
    "chop.four_pairs_bonus": one_of(0, 0, 1.5),
    "end_condition": one_of("first_out", "last_one"),
    "thoi.payer": one_of("last", "losers"),
    "thoi.receiver": one_of("above_last", "first"),
    "thoi.hang": YES_NO,
    "thoi.hang_partition": one_of("max_total", "greedy"),
    "thoi.ba_bich": one_of(0, 1, 2.5),
    "cong.fine": price,
    "cong.items": YES_NO,
    "cong.method": one_of("per_player", "per_player", "whole_table"),
    "cong.payee": one_of("on_behalf", "to_each"),
    "den_cong.method": one_of("sole_holder", "first_in_order"),
    "den_cong.scan": one_of("seat_first", "play_first"),
    "den_cong.min_opponents": one_of(1, 2, 3),
    "ket_3_bich.pays": price,
    "ket_3_bich.block_pays": price,
    "ket_3_bich.window": one_of("response", "response", "none"),
    "ket_3_bich.single_only": YES_NO,
    "ket_3_bich.block_payees": one_of("active", "not_passed", "laid_card", "blocker_only"),
    "ket_3_bich.after_block": one_of("hand_ends", "continue"),
    "dut_3_bich.first_pays": price,
    "dut_3_bich.second_pays": price,
    "dut_3_bich.dut_second_payee": one_of("third_to_second", "both_to_first"),
    "residual.quad3_residual": one_of("3S_alone", "remaining_threes", "none"),
    "residual.pair_run_4": YES_NO,
    "den_ca_lang.pays": price,
    "den_ca_lang.hand_ends": YES_NO,
}
# Tables that a game may be without, and what they are where a preset has none.
TABLES = {
    "thoi": {"payer": "last", "receiver": "above_last", "hang": True, "hang_partition": "max_total", "ba_bich": 1},
    "cong": {"fine": 2, "items": True, "method": "per_player", "payee": "on_behalf"},
    "den_cong": {"method": "first_in_order", "scan": "seat_first", "min_opponents": 2},
    "ket_3_bich": {
        "pays": 26, "block_pays": 13, "window": "response", "single_only": True, "block_payees": "active",
        "after_block": "hand_ends",
    },
    "dut_3_bich": {"first_pays": 1, "second_pays": 1.5, "dut_second_payee": "third_to_second"},
    "residual": {"quad3_residual": "3S_alone", "pair_run_4": True},
    "den_ca_lang": {"pays": 1, "hand_ends": True},
    "chop": None,  # every preset has it
    "combinations.pair_run": {"min_length": 3, "long_runs": "as_ordinary", "three": "ordinary"},
    "combinations.straight": None,
}  # fmt: skip


def variant(rng, name):
    """A preset with some parameters drawn anew, and what was changed."""
    while True:
        changes = {}
        for table, usual in TABLES.items():
            if rng.random() < 0.1:
                changes[table] = False
            elif usual and rng.random() < 0.35:
                changes[table] = usual
        if rng.random() < 0.4:
            changes |= rng.choice([by_place, counted])(rng)
        share = rng.choice([0.05, 0.2, 0.5])
        for key, draw in PARAMETERS.items():
            if rng.random() < share:
                changes[key] = draw(rng)
        rules = changed(plain(name), changes)
        if rules:
            return rules, changes


def changed(rules, changes):
    """Rules with changes, those left out whose table is not there; None where the rest is refused."""
    tables = {table: value for table, value in changes.items() if table in TABLES or isinstance(value, dict)}
    try:
        rules = rules.replace(tables | {k: False for k, v in changes.items() if v is False and k not in PARAMETERS})
        return rules.replace({k: v for k, v in changes.items() if k in PARAMETERS and has(rules, k)})
    except UsageError:
        return None


def has(rules, key):
    """Whether the table of a parameter is there."""
    at = rules
    for part in key.split(".")[:-1]:
        at = getattr(at, part)
        if at is None:
            return False
    return True


def check_variants(number, seed="variants"):
    """Play stacked deals under variants of every preset in turn; return what happened, and which clauses fired."""
    seen, fired = Counter(), Counter()
    for at in range(number):
        name = PRESETS[at % len(PRESETS)]
        rng = random.Random(f"{seed} {at}")
        rules, changes = variant(rng, name)
        for _ in range(2):
            deal = start_of(rules, stacked(rng, rng.choice([2, 3, 4])), rng)
            play_variant(rules, changes, name, deal, rng, fired, seen)
    return seen, fired


def play_variant(rules, changes, name, deal, rng, fired, seen=None):
    """Play a deal by both policies; only what can happen under the rules may have fired."""
    possible = clause_counts.can_happen(rules, len(deal.hands))
    with told(name, changes, deal):
        for game in same_lowest(rules, deal, seen), same_by_chance(rules, deal, rng, seen):
            assert sorted(set(game.fired) - possible) == [], "cannot fire under these rules"
            fired.update(game.fired)


def aim_variants(wanted, fired):
    """Play deals aimed at the clauses that have not fired, under variants under which they can."""
    for at in range(MOST_ROUNDS):
        missing = wanted - set(fired)
        if not missing:
            return
        name, rng = PRESETS[at % len(PRESETS)], random.Random(f"aimed variant {at}")
        rules, changes = variant(rng, name)
        for players in (2, 3, 4):
            possible = missing & clause_counts.can_happen(rules, players)
            for aimed in AIMED:
                if any(clause.startswith(aimed.clauses) for clause in possible):
                    play_variant(rules, changes, name, aimed_deal(rules, aimed, players), rng, fired)


def test_variants():
    seen, fired = check_variants(VARIANTS)
    wanted = {clause for clause in clause_counts.CLAUSES if not clause.startswith(OF_TOI_TRANG)}
    wanted -= clause_counts.NOT_OF_TIEN_LEN
    aim_variants(wanted, fired)
    assert sorted(wanted - set(fired)) == [], "never fired"
    expected = [f"ending {ending}" for ending in ENDINGS.values()]
    expected += ["declined", "interrupt", "as quad", "late finisher", "liable", "longer chain", "four 2s"]
    expected += ["low straight", "5 or 6 pairs", "stuck leader, play goes on", "kind straight", "kind pair_run"]
    expected += [f"reason {reason}" for reason in REASONS if reason != "toi_trang"]
    assert [what for what in expected if not seen[what]] == []


# Deals on which the two engines once differed

FOUND = {
    "a game to the first out has no second place": (
        "luckywin", {"end_condition": "first_out"}, ["7C KD 2H", "JC 2C"], 0,
    ),
    "late ones of such a game have none": (
        "luckywin", {"end_condition": "first_out", "finish.on_two": "counts_last"}, ["7C KD 2H", "JC 2C"], 0,
    ),
    "windows of free chops beside bombs after a pass": (
        "zing", {"chop.after_pass": [*naive_game.RUN_BOMBS.values(), "tu_quy"], "finish.with_hang": True},
        ["4S 5D 5H 6S 7H 8S 8H JS AD", "6C 9H TH JH QS QC", "3S 3C 3D 3H JD KH 2S 2C 2H", "4C 4D 4H 5S 5C 6D 6H 7S 7C"],
        2,
    ),
    "after đút a single holder has the last place": ("hue", {}, ["5C 9S QH", "3S 9D TC", "6S 8D 8H"], 2),
    "a longer straight follows suit too": (
        "luckywin", {"combinations.suit_match": "match_first_card_only", "combinations.straight.longer_beats": True},
        ["3S 3C 3D 3H 4S 5H 6C 6H 9S", "4D 5S 6S TD QS QC QD QH 2H"], 1,
    ),
    "who cannot lay his last set need not đền": (
        "hue", {"finish.with_hang": False}, ["6S 6C 6D 6H", "TH QC QH 2D 2H", "4C 5D AS", "3S 3C 3D 3H KD"], 3,
    ),
    "a beat without money leaves the chain before it": (
        "doithuong", {"chop.pay_same_class": False}, ["2S 4D JS", "5S 5C 5D 5H 8S 8C", "9S 9C 9D 9H JC"], 0,
    ),
    "a void chain takes back what each has paid": (
        "luckywin", {"chop.chain": "each_pays_own"},
        ["2S 4D JS", "5S 5C 5D 5H 8S", "9S 9C 9D 9H", "TS TC JC JD QS QC KS KC"], 0,
    ),
    "a straight of one suit from an ace": (
        "luckywin", {"combinations.suit_match": "north", "combinations.straight.low": True},
        ["3S 3C 4C 5C 6C 6H 7C AD 2H", "4S 6S 7S 8S 8C 8D 8H JS KS", "3D 3H 4H 5S 5D 9C 9H TC JD"], 0,
    ),
    "of low straights the lowest cards": (
        "luckywin", {"combinations.straight.low": True}, ["3S 4S 5S AS 2S 9D", "4C 5C 6C 2C 3C TD", "7S 8C 2D 3D"], 0,
    ),
    "the first leader is stuck": ("luckywin", {"finish.on_two": "forbid"}, ["8H 2C", "2S 2D 2H", "3S TC KS"], 1),
    "a blocked 3♠ leaves one": (
        "doithuong", {"end_condition": "last_one", "ket_3_bich.after_block": "continue"},
        ["7D JS JC JD JH QC QH", "3S"], 1,
    ),
    "runs too short to be played are worth nothing": (
        "luckywin", {"combinations.pair_run.min_length": 4},
        ["KC KD AS", "3S 3C 3D 3H 6S 6C 6D 6H", "5S 9C JS JD JH QS QC KS KH", "9S QH"], 3,
    ),
    "four pairs on three where the table does not say so": (
        "luckywin", {"combinations.pair_run.long_runs": "superset_of_4", "chop.beats.bon_doi_thong": ["heo"]},
        ["TS TC JD JH QC QD 4D", "3D 3H 4S 4C 5S 5H 6S 6C KS"], 0,
    ),
    "pair runs do not follow suit in the North": (
        "luckywin", {"combinations.suit_match": "north"}, ["3S 3C 4S 4C 5D 5H KS", "4H 5S 5C 6S 6H 7S 7C"], 0,
    ),
    "who chops out of turn and lets all back in": (
        "luckywin", {"turn.pass_reset_on_chop": True},
        ["3S 3C 4C 4D 4H 5S 5C 6S 6H 7S 8C", "3D 3H 5H 6D 9S 9H TS TD TH JS JC KS KD", "4S 7H 9D JD JH AS 2S 2H"], 1,
    ),
    "cóng for the whole table comes before đút": (
        "luckywin_cong_table", {"dut_3_bich": TABLES["dut_3_bich"]}, ["3S", "5S KC AC"], 0,
    ),
    "the bonus for four pairs is paid with cóng for the whole table": (
        "luckywin_cong_table", {"chop.four_pairs_bonus": 1}, ["AS", "5S 5C 6S 6C 7S 7C 8S 8C", "9S"], 0,
    ),
    "cóng stays where all the others are stuck": (
        "luckywin", {"finish.on_two": "forbid"}, ["3S 4S", "2S 6S", "2C 5C", "2D 2H"], 0,
    ),
    "five pairs on three 2s": (
        "luckywin", {"chop.triple2_beaten_by": ["nam_doi_thong"]},
        ["2S 2C 2D 4H", "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C KD"], 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_once_different(what):
    name, changes, texts, leader = FOUND[what]
    rules, rng = plain(name).replace(changes), random.Random(what)
    deal = Deal([hand_of(text) for text in texts], leader, opening=False, required=0)
    same_lowest(rules, deal)
    for _ in range(20):
        same_by_chance(rules, deal, rng)


# Every parameter matters

MOOT = {"thoi.payer"}  # with cards in hand at the end: the last, or every loser, who is last too (H2, K12)


@cache
def hands_to_try():
    """A fixed set of stacked deals, with what the chances of each are drawn from."""
    rng = random.Random("deals")
    able = [hand_of(text) for text in ("9S 6H KS", "4C 7C", "TS 4D", "5D 4H")]  # who must đền depends on the scan
    return [(stacked(rng, 2 + at % 3), f"deal {at}") for at in range(120)] + [(able, f"able {at}") for at in range(60)]


def outcomes(rules):
    """What the engine makes of them: log, payments and places of each game."""
    for hands, seed in hands_to_try():
        rng = random.Random(seed)
        deal = start_of(rules, hands, rng)
        words = [(rng.getrandbits(64), rng.getrandbits(64) | 1) for _ in hands]
        for policy in (LOWEST, RANDOM):
            game = engine_game(rules, deal, policy, words)
            yield (
                log_of(game).tobytes(),
                flows_of(game).tobytes(),
                places_of(game),
                game[c.NET : c.NET + len(hands)].tolist(),
            )


def matters(key, value):
    """Whether changing a parameter alone changes a game; ``value`` draws its new value."""
    table = next((table for table in TABLES if key == table or key.startswith(f"{table}.")), None)
    for at in range(400):
        rng = random.Random(f"{key} {at}")
        rules, _ = variant(rng, PRESETS[at % len(PRESETS)])
        for needed in (table, "cong") if table == "den_cong" else (table,):
            if needed and TABLES[needed] and not has(rules, f"{needed}.any"):
                rules = rules.replace(needed, TABLES[needed])
        if not has(rules, f"{table}.any" if table else key):
            continue
        other = changed(rules, {key: value(rng)})
        if other is None or other.digest == rules.digest:
            continue
        if any(one != two for one, two in zip(outcomes(rules), outcomes(other), strict=True)):
            return True
    return False


@pytest.mark.parametrize("key", PARAMETERS)
def test_every_parameter_matters(key):
    assert matters(key, PARAMETERS[key]) is (key not in MOOT)


@pytest.mark.parametrize("table", TABLES)
def test_every_table_matters(table):
    assert matters(table, lambda _: False)


# Legal plays from the definition: every set of cards of a hand is tried


@numba.njit
def legal_plays(game, hand, seat, question, out):
    """Write every legal play of a hand and return their number."""
    n, cards = 0, hand
    while cards:
        for power in (0, c.AS_QUAD, c.AS_RUN_4):
            if is_legal(game, hand, seat, question, cards | power):
                out[n] = cards | power
                n += 1
        cards = (cards - 1) & hand
    return n


def state_after(rules, deal, plays):
    """The engine's state at the first question after some moves in the twin's words."""
    game = start(rules, deal)
    game[c.POLICY : c.POLICY + len(deal.hands)] = SCRIPT
    play_one(game, np.array([*map(entry_of, plays)], np.int64), 1)
    assert (game[c.FAULT], game[c.PLAYS]) == (c.ENDED_EARLY, len(plays))
    return game


def entry_of(entry):
    cards = sum(1 << card for card in parse_cards(" ".join(entry["cards"]))) if entry["cards"] else 0
    power = {None: 0, "quad": c.AS_QUAD, "pair_run_4": c.AS_RUN_4}[entry.get("as")]
    marks = (c.INTERRUPT if "interrupt" in entry else 0) | (c.IS_STUCK if "stuck" in entry else 0)
    return entry["seat"] << c.SEAT_SHIFT | cards | power | marks


@pytest.mark.parametrize("name", PRESETS)
def test_legal_plays_are_those_of_the_definition(name):
    rng = random.Random(name)
    out = np.zeros(3 << 9, np.int64)
    for _ in range(GAMES // 4):
        rules, changes = variant(rng, name)
        hands = [sum(1 << card for card in list(cards_in(hand))[:9]) for hand in stacked(rng, rng.choice([2, 3, 4]))]
        deal = start_of(rules, hands, rng)
        game, decide = naive_game.Game(rules, deal.hands, deal.leader, deal.opening), naive_game.at_random(rng)
        while game.asked:
            seat, what = game.asked
            if what != "free":
                state = state_after(rules, deal, game.plays)
                assert QUESTIONS[int(state[c.ASKED])] == what
                n = legal_plays(state, game.hands[seat], seat, state[c.ASKED], out)
                assert {play_of(play) for play in out[:n].tolist()} == game.legal() - {naive_game.PASS}, changes
            game.choose(decide(game) if what != "free" else naive_game.PASS)
