"""Legal plays from the definition: every set of cards of a hand is tried on the engine, and held against the twin."""

from __future__ import annotations

import random

import naive_game
import numpy as np
from both_engines import QUESTIONS, play_of, start, table_sizes, twin_of
from compiled import kept
from game_deals import start_of
from game_variants import hands_of, variant_of

from tlsim.cards import cards_in, parse_cards
from tlsim.jit import pointer
from tlsim.kernels import row as c
from tlsim.kernels.combos import true_cards
from tlsim.kernels.moves import is_legal
from tlsim.kernels.policies import SCRIPT
from tlsim.kernels.table import play_script


@kept
def legal_plays(row, hand, seat, question, out):
    """Write every legal play of a hand and return their number; in a revolution too as the cards are."""
    game = pointer(row)
    n, cards = 0, hand
    while cards:
        for power in (0, c.AS_QUAD, c.AS_RUN_4):
            if is_legal(game, hand, seat, question, cards | power):
                out[n] = true_cards(game, cards) | power
                n += 1
        cards = (cards - 1) & hand
    return n


def state_after(rules, deal, game):
    """The engine's state at the first question to play a card after some moves of the twin's game."""
    row, players = start(rules, deal), len(deal.hands)
    row[c.POLICY : c.POLICY + players] = SCRIPT
    row[c.CALLS_SAM : c.CALLS_SAM + players] = c.NEVER
    if game.caller is not None:
        row[c.CALLS_SAM + game.caller] = c.ALWAYS
    for at, gift in enumerate((game.exchange or [])[len(game.exchange or []) // 2 :]):
        row[c.SCRIPTED + at] = sum(1 << card for card in parse_cards(" ".join(gift["cards"])))
    script = np.array([*map(entry_of, game.plays)], np.int64)
    play_script(row, script)
    assert (row[c.FAULT], row[c.PLAYS]) == (c.ENDED_EARLY, len(game.plays))
    return row


def entry_of(entry):
    cards = sum(1 << card for card in parse_cards(" ".join(entry["cards"]))) if entry["cards"] else 0
    power = {None: 0, "quad": c.AS_QUAD, "pair_run_4": c.AS_RUN_4}[entry.get("as")]
    marks = (c.INTERRUPT if "interrupt" in entry else 0) | (c.IS_STUCK if "stuck" in entry else 0)
    return entry["seat"] << c.SEAT_SHIFT | cards | power | marks


def check_legal_plays(family, name, variants):
    """Hold every question of games by chance, of hands of up to nine cards, against the definition."""
    rng, out = random.Random(name), np.zeros(3 << 13, np.int64)
    for _ in range(variants):
        rules, changes = variant_of(rng, name, family)
        rules = rules.replace("toi_trang", False)
        hands = hands_of(rng, rules, rng.choice(table_sizes(name)))
        hands = [sum(1 << card for card in list(cards_in(hand))[:9]) for hand in hands]
        deal = start_of(rules, hands, rng)
        game, decide = twin_of(rules, deal), naive_game.at_random(rng)
        while game.asked:
            seat, what = game.asked
            if what in ("lead", "follow") and game.hands[seat].bit_count() <= 13:
                state = state_after(rules, deal, game)
                assert QUESTIONS[int(state[c.ASKED])] == what
                hand = int(state[c.HANDS + seat])
                n = legal_plays(state, hand, seat, state[c.ASKED], out)
                assert {play_of(play) for play in out[:n].tolist()} == game.legal() - {naive_game.PASS}, changes
            game.choose(decide(game) if what != "free" else naive_game.PASS)
