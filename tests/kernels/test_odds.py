"""Blocks of odds against a slow tally: the same deals, the slow twin, plain loops."""

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hostile import pattern
from naive import RANKS, SUITS, hand_set, held, leader_of, mask_of, named, winner
from slow_bombs import values_of

from tlsim.engine.odds_work import OddsWork
from tlsim.engine.work import Block
from tlsim.kernels.deal import CHUNK, deal, dealer
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.odds import empty_sums, named_sums
from tlsim.kernels.rng import stream_key
from tlsim.rules import load_rules
from tlsim.tally import BATCHES, OddsTally

SEED = 17
# Patterns that come up in most deals, so that several seats hold one
OFTEN = (
    pattern({"kind": "groups", "size": 4, "count": 1}, ident="quad"),
    pattern({"kind": "straight", "length": 8}, ident="straight"),
    pattern({"kind": "groups", "size": 3, "count": 2}, ident="triples"),
    pattern({"kind": "holds", "cards": "2H AH"}, ident="red"),
    pattern({"kind": "groups", "size": 2, "count": 4, "quad_as": 2}, ident="pairs"),
)
PRICES = ItemPrices((3, 5, 7, 11), 13, 18, 29, greedy=False)


@cache  # many tests look at the same hands
def held_by(patterns, hand, size):
    return held(patterns, hand, size)


def slow_tally(work, dealt, first, deals):
    """Count one deal after the other; dealt : the hands of chunk ``first`` on."""
    tally = OddsTally.zero(len(work.patterns), work.players)
    for at in range(deals):
        batch = (first + at // CHUNK) % BATCHES
        masks = [int(hand) for hand in dealt[: work.players, at]]
        every = [held_by(work.patterns, mask, work.hand_size) for mask in masks]
        tally.deals[batch] += 1
        tally.seats[batch, sum(map(bool, every))] += 1
        counted = every[:1] if work.holding | work.dead else every
        for p in range(len(work.patterns)):
            holding = sum(p in found for found in counted)
            counting = sum(found[:1] == [p] for found in counted)
            tally.held[batch, p] += holding
            tally.held_squares[batch, p] += holding**2
            tally.counts[batch, p] += counting
            tally.counts_squares[batch, p] += counting**2
        classes = [min(found) + 1 if found else 0 for found in every]
        won = winner(classes, leader(work, masks, at % CHUNK), work.priority)
        if won:
            seat, won_by = won
            tally.wins[batch, won_by - 1] += 1
            if work.count_heo >> won_by - 1 & 1:
                paid = sum(min(values_of(masks[s], work.prices)) for s in range(work.players) if s != seat)
                tally.heo[batch] += paid
                tally.heo_squares[batch] += paid**2
    return tally


def leader(work, masks, number):
    """Who leads: seats take turns over the deals of a chunk, but for an opening game (B2, B3)."""
    if work.opening_card is None:
        return number % work.players
    dealt = any(mask >> work.opening_card & 1 for mask in masks)
    if work.opening_random and not dealt:
        return number % work.players
    return leader_of(masks, work.opening_card)


def work_of(patterns=OFTEN, size=13, players=4, priority="strength", **more):
    return OddsWork(seed=SEED, patterns=patterns, hand_size=size, players=players, priority=priority, **more)


@cache
def hands(size, players, first, chunks, holding, dead):
    return deal(stream_key(SEED), dealer(players, size, holding, dead), first, chunks)


def check(work, first=255, deals=CHUNK + 200):
    """The block begins in batch 255, its last chunk is a part of batch 0."""
    dealt = hands(work.hand_size, work.players, first, -(-deals // CHUNK), work.holding, work.dead)
    found = work(Block(first, deals))
    slow = slow_tally(work, dealt, first, deals)
    for name in vars(slow):
        assert (getattr(found, name) == getattr(slow, name)).all(), name
    return found


@pytest.mark.parametrize("priority", ["strength", "turn"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tallies_with_any_leader(players, priority):
    found = check(work_of(players=players, priority=priority))
    assert np.flatnonzero(found.deals).tolist() == [0, 255]
    assert found.total("seats")[2:].all()


@pytest.mark.parametrize(("players", "priority"), [(2, "turn"), (3, "turn"), (3, "strength"), (4, "turn")])
@pytest.mark.parametrize("opening_random", [False, True])
@pytest.mark.parametrize("opening_card", [0, 1, 3])
def test_tallies_with_the_leader_of_an_opening_game(players, opening_card, opening_random, priority):
    """At two and three seats the card is often not dealt: the lowest card leads, or any seat."""
    check(work_of(players=players, priority=priority, opening_card=opening_card, opening_random=opening_random))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("opening_card", [None, 0])
def test_tallies_with_ten_cards(players, opening_card):
    check(work_of(size=10, players=players, priority="turn", opening_card=opening_card))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("holding", "dead"), [("2H AH", ""), ("", "3S 2H"), ("3S 4S 5S 6S 7S", "2H")])
def test_tallies_with_known_cards_count_the_hand_of_seat_0_alone(players, holding, dead):
    known = {"holding": mask_of(holding), "dead": mask_of(dead)}
    for opening_card in (None, 0):
        found = check(work_of(players=players, priority="turn", opening_card=opening_card, **known))
        assert (found.held == found.held_squares).all()


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("count_heo", [0b00001, 0b10100, 0b11111])
@pytest.mark.parametrize(("players", "priority"), [(2, "turn"), (3, "strength"), (4, "turn")])
def test_what_the_losers_pay_for_twos_and_bombs(players, priority, count_heo, greedy):
    """Only the winner's pattern decides, and only the losers pay."""
    prices = PRICES._replace(greedy=greedy)
    found = check(work_of(players=players, priority=priority, count_heo=count_heo, prices=prices))
    assert found.total("heo") > 0


def test_the_room_for_losers_is_emptied_and_used_again():
    """Nearly every deal has a winner who is paid, over more chunks than the room holds."""
    every = (pattern({"kind": "groups", "size": 2, "count": 1}, ident="pair"),)
    cheap = ItemPrices((1, 1, 1, 1), 0, 0, 0, greedy=False)
    deals = 10 * CHUNK + 5
    work = work_of(every, players=2, count_heo=1, prices=cheap)
    found = work(Block(3, deals))
    dealt = hands(13, 2, 3, 11, 0, 0)[:2, :deals]
    winner_hands = work_of(every, players=2)(Block(3, deals))
    assert (found.wins == winner_hands.wins).all()
    assert found.total("wins")[0] > 0.99 * deals
    twos = np.bitwise_count(dealt & mask_of("2S 2C 2D 2H"))
    has_pair = np.array([[bool(held(every, int(hand), 13)) for hand in seat] for seat in dealt[:, :2000]])
    turn = np.arange(2000) % CHUNK % 2
    losers = np.where(has_pair.all(axis=0), 1 - turn, has_pair[0])  # of two holders the leader wins
    paid = np.where(has_pair.any(axis=0), twos[losers, np.arange(2000)], 0)
    assert found.heo[3] == paid[:CHUNK].sum()
    assert work(Block(3, 2000)).total("heo") == paid.sum()
    assert (found.deals[3:13] == CHUNK).all()
    assert found.deals[13] == 5


PRESETS = [("doithuong", 4, False), ("luckywin", 3, False), ("luckywin", 4, True), ("sam_loc", 5, False),
           ("sam_loc", 2, True), ("zing", 2, True)]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "opening"), PRESETS)
def test_tallies_of_presets(name, players, opening):
    """Rare patterns, as `naive.NAMED` has them; whether another list sees the same deals."""
    rules = load_rules(name)
    patterns = tuple(win.pattern for win in rules.instant_wins(opening))
    size = rules.deal.hand_size
    work = work_of(patterns, size, players, rules.priority(opening), opening_card=0 if opening else None)
    chunks = 3
    dealt = hands(size, players, 0, chunks, 0, 0)[:players]
    found = work(Block(0, chunks * CHUNK))
    for p, one in enumerate(patterns):
        there = np.array([[slow_named(one.id, int(hand)) for hand in seat[:CHUNK]] for seat in dealt])
        per_deal = there.sum(axis=0)
        assert found.held[0, p] == per_deal.sum()
        assert found.held_squares[0, p] == (per_deal**2).sum()
    assert found.total("held").any()
    alone = work_of(patterns[-1:], size, players, rules.priority(opening))(Block(0, chunks * CHUNK))
    assert (alone.held[:, 0] == found.held[:, -1]).all()  # the same deals, whatever the list


def slow_named(ident, hand):
    return named(ident, hand_set(hand))


# Where a block begins and ends


def test_a_block_is_the_sum_of_its_parts():
    work = work_of(priority="turn", count_heo=0b11111, prices=PRICES)
    rng = random.Random(1)
    whole = work(Block(1000, 40 * CHUNK + 77))
    for _ in range(5):
        cuts = sorted({0, 40, *(rng.randrange(41) for _ in range(6))})
        parts = [Block(1000 + a, (b - a) * CHUNK) for a, b in pairwise(cuts)]
        parts.append(Block(1040, 77))
        rng.shuffle(parts)
        assert sum(map(work, parts), start=work.zero()) == whole


@pytest.mark.parametrize("deals", [1, 255, 256, 257, 1023, 1024, 1025])
def test_any_number_of_deals(deals):
    found = check(work_of(), first=7, deals=deals)
    assert found.total("deals") == deals
    assert found.total("seats").sum() == deals
    assert found.deals[7] == min(deals, 1024)


@pytest.mark.parametrize("first", [0, 255, 256, 511, 10**9 + 7])
def test_the_batch_is_the_number_of_the_chunk_modulo_256(first):
    found = work_of()(Block(first, 3 * CHUNK))
    assert np.flatnonzero(found.deals).tolist() == sorted((first + k) % 256 for k in range(3))


def test_a_raised_flag_stops_a_block_and_drops_it():
    stop = np.ones(1, dtype=np.int64)
    for count_heo in (0, 0b11111):
        work = work_of(count_heo=count_heo, prices=PRICES)
        assert work(Block(0, 5 * CHUNK), stop) is None
        stop[0] = 0
        assert work(Block(0, 5 * CHUNK), stop) == work(Block(0, 5 * CHUNK))
        stop[0] = 1


def test_sums_of_nothing():
    sums = named_sums(empty_sums(BATCHES, 5, 3), 5)
    assert OddsTally(**sums) == OddsTally.zero(3, 5)
    with pytest.raises(ValueError, match="shape"):
        _ = OddsTally(**sums) + OddsTally.zero(4, 5)


def test_a_list_with_as_many_patterns_as_there_are_bits():
    """Pattern 61 is counted where it belongs."""
    cards = tuple(pattern({"kind": "holds", "cards": RANKS[c // 4] + SUITS[c % 4]}, ident=f"c{c}") for c in range(52))
    more = tuple(pattern({"kind": "groups", "size": 2, "count": n}, ident=f"p{n}") for n in range(1, 7))
    runs = tuple(pattern({"kind": "straight", "length": n}, ident=f"r{n}") for n in (3, 5, 7, 9))
    found = work_of(cards + more + runs)(Block(0, CHUNK))
    assert (found.total("held")[:52] == CHUNK).all()
    backwards = work_of((cards + more + runs)[::-1])(Block(0, CHUNK))
    assert (backwards.total("held")[::-1] == found.total("held")).all()
    assert backwards.total("wins")[0] > 0
    assert found.total("wins")[0] == CHUNK  # 3♠ is always dealt at four seats
