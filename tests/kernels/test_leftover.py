"""What the cards left in a hand cost, against every way to take the hand apart."""

import random
from fractions import Fraction

import numpy as np
import pytest
from compiled import kept
from hostile import hostile_hands
from naive import mask_of
from slow_bombs import values_of

from tlsim.jit import pointer
from tlsim.kernels.leftover import ItemPrices, add_values, counted_value, items_value
from tlsim.kernels.row import N_SCRATCH
from tlsim.rules import list_rules, load_rules


def prices_of(name, *, greedy=False):
    prices = load_rules(name).prices
    half = [
        int(Fraction(getattr(prices, key)) * 2)
        for key in ("heo_bich", "heo_chuon", "heo_ro", "heo_co", "ba_doi_thong", "tu_quy", "bon_doi_thong")
    ]
    return ItemPrices(tuple(half[:4]), *half[4:], greedy=greedy)


PRICED = [name for name in list_rules() if load_rules(name).prices]
CUSTOM = {
    "quad dearest": ItemPrices((1, 2, 3, 4), 5, 40, 9, False),
    "long run dearest": ItemPrices((1, 2, 3, 4), 5, 8, 40, False),
    "short run dearest": ItemPrices((0, 0, 0, 7), 50, 8, 40, False),
    "one kind free": ItemPrices((6, 6, 12, 12), 0, 16, 24, False),
    "all free": ItemPrices((0, 0, 0, 0), 0, 0, 0, False),
    "tens": ItemPrices((0, 0, 0, 0), 12, 20, 32, False),
}


def values(hands, prices):
    """The value of each hand alone."""
    out = np.full(len(hands), -1, dtype=np.int64)
    add_values(np.array(hands, dtype=np.int64).reshape(-1, 1), prices.row(), out)
    return out.tolist()


def in_cuoc(cards, *, greedy=False, prices=None):
    """Value of a hand in whole units; 000's prices unless others are given."""
    prices = prices or prices_of("doithuong")
    (value,) = values([mask_of(cards)], prices._replace(greedy=greedy))
    return value / 2


# Figures of RULES.md


def test_t111_a_run_of_pairs_and_a_red_two():
    assert in_cuoc("6S 6C 7S 7C 8S 8C 2H") == 6 + 6


def test_t113_a_quad_beside_a_run_or_a_long_run():
    assert in_cuoc("5S 5C 5D 5H 6S 6C 7S 7C 8S 8C") == 14


def test_h4_a_quad_that_could_be_part_of_a_run():
    """5555 66 77: the quad is 8, the run 6 (000#R32), and both cannot be."""
    for greedy in (False, True):
        assert in_cuoc("5S 5C 5D 5H 6S 6C 7S 7C", greedy=greedy) == 8


def test_h4_dearest_first_can_give_less():
    """4444 5555 66 77: two quads against a run of four pairs.

    With 000's list (quad 8, run of four 12; 000#R32) 16 against 12. H4 writes 20 and 16, which are the sums for a quad
    of 10 and a run of 16.
    """
    cards = "4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 7S 7C"
    assert (in_cuoc(cards), in_cuoc(cards, greedy=True)) == (16, 12)
    tens = CUSTOM["tens"]
    assert (in_cuoc(cards, prices=tens), in_cuoc(cards, greedy=True, prices=tens)) == (20, 16)


def test_t109_t110_t115_twos_by_card_never_as_a_quad():
    assert [in_cuoc(cards) for cards in ("2D 2H", "2S 2C", "2C 2D", "2S 2C 2D 2H")] == [12, 6, 9, 18]
    assert in_cuoc("2H 4S 4C 4D 4H 3S 6C 7D 9H TS JC QD KH") == 6 + 8


def test_a_run_of_pairs_does_not_take_in_twos():
    assert in_cuoc("KS KC AS AC 2S 2C") == 6
    assert in_cuoc("QS QC KS KC AS AC 2S 2C") == 6 + 6


@pytest.mark.parametrize(("pairs", "value"), [(2, 0), (3, 6), (4, 12), (5, 12), (6, 12)])
def test_long_runs_are_split(pairs, value):
    """000: 3ĐT 6, 4ĐT 12; five pairs give one run, six give two short ones."""
    assert in_cuoc(" ".join(f"{r}S {r}C" for r in "3456789"[:pairs])) == value


# All ways to take a hand apart


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("name", [*PRICED, *CUSTOM])
def test_values_are_those_of_the_slow_twin(name, greedy):
    prices = (CUSTOM.get(name) or prices_of(name))._replace(greedy=greedy)
    rng = random.Random(name)
    hands = hostile_hands(rng, 13, 200) + [many_pairs(rng) for _ in range(300)]
    found = values(hands, prices)
    for hand, value in zip(hands, found, strict=True):
        assert value in values_of(hand, prices)
    assert any(found) == (name != "all free")


def many_pairs(rng):
    """A hand of 13 cards or fewer with many neighbouring pairs, triples and quads."""
    start, hand = rng.randrange(9), set()
    for rank in rng.sample(range(start, min(13, start + 6)), min(13 - start, 6)):
        hand |= {(rank, suit) for suit in rng.sample(range(4), rng.choice((2, 2, 2, 3, 4, 1)))}
    return mask_of(set(sorted(hand, key=lambda card: (card[0], rng.random()))[:13]))


def test_dearest_first_is_never_more_than_the_best():
    rng = random.Random(3)
    hands = [many_pairs(rng) for _ in range(2000)]
    for prices in CUSTOM.values():
        best, greedy = values(hands, prices), values(hands, prices._replace(greedy=True))
        assert all(g <= b for g, b in zip(greedy, best, strict=True))
    assert sum(map(int.__lt__, values(hands, prices._replace(greedy=True)), values(hands, prices))) > 5


def test_more_cards_than_a_hand_has():
    """Any 52 bits are taken apart; ranks with four cards give a quad or two pairs of runs."""
    rng = random.Random(4)
    hands = [sum(1 << card for card in rng.sample(range(52), rng.choice((16, 20)))) for _ in range(40)]
    for prices in (CUSTOM["tens"], prices_of("doithuong")):
        assert all(value in values_of(hand, prices) for hand, value in zip(hands, values(hands, prices), strict=True))


def test_the_hands_of_a_row_are_summed():
    rng = random.Random(5)
    hands = np.array([[many_pairs(rng) for _ in range(3)] for _ in range(50)], dtype=np.int64)
    prices = prices_of("doithuong")
    out = np.full(50, 99, dtype=np.int64)
    add_values(hands, prices.row(), out)
    assert out.tolist() == np.sum([values(hands[:, at].tolist(), prices) for at in range(3)], axis=0).tolist()
    add_values(hands[:, :0], prices.row(), out)
    assert not out.any()


@kept
def values_and_kinds(prices, hand, junk, room):
    price, free = pointer(prices), pointer(room)
    return items_value(price, hand, free), counted_value(price, hand, junk, free)


@pytest.mark.parametrize("name", PRICED)
@pytest.mark.parametrize("greedy", [False, True])
def test_the_counted_bombs_are_those_of_the_value(name, greedy):
    """The twos and the bombs counted, by their prices, are the value."""
    prices, room = prices_of(name, greedy=greedy), np.zeros(N_SCRATCH, np.int64)
    each = (prices.pair_run_3, prices.quad, prices.pair_run_4)
    for hand in hostile_hands(random.Random(name), 13, 600):
        twos = sum(prices.twos[suit] for suit in range(4) if hand >> 48 + suit & 1)
        (value, kinds), (counted, of_counted, junk) = values_and_kinds(prices.row(), hand, 2, room)
        numbers = [[bits >> 6 * at & 63 for at in range(3)] for bits in (kinds, of_counted)]
        assert value == twos + sum(n * price for n, price in zip(numbers[0], each, strict=True))
        assert counted == twos + sum(n * price for n, price in zip(numbers[1], each, strict=True))
        in_bombs = sum(n * cards for n, cards in zip(numbers[1], (6, 4, 8), strict=True))
        assert junk == (hand & (1 << 48) - 1).bit_count() - in_bombs
