"""The dealer: a slow twin in plain Python, invariants of every deal, exactness of the alias tables."""

import random
from fractions import Fraction
from math import comb, prod

import numpy as np
import pytest
import uniform
from naive import mask_of
from scipy import stats
from slow_deal import DECK, first_word, rows_of, slow_table, words_with

from tlsim.kernels import deal as module
from tlsim.kernels.deal import CHUNK, ROW, alias_table, deal, dealer
from tlsim.kernels.rng import stream_key

TABLES = [*((players, 13) for players in (1, 2, 3, 4)), *((players, 10) for players in (1, 2, 3, 4, 5))]
KNOWN = {
    "13 held": ("3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC 2H", ""),
    "12 held": ("3S 4D 5H 6C 7H 8D 9D TS JH QS KC AC", "2H"),
    "1 held": ("2H", ""),
    "38 dead": ("", " ".join(r + s for r in "456789TJQ" for s in "SCDH") + " 3S 3C"),
    "39 dead, the hand is known": ("", " ".join(r + s for r in "3456789TJ" for s in "SCDH") + " QS QC QD"),
    "1 dead": ("", "3S"),
    "both": ("2S 2C 2D", "3S 3C 3D 3H KH"),
    "a block and more": ("", " ".join(r + s for r in "345678" for s in "SCDH") + " 9S"),
}  # fmt: skip
KEY = stream_key(6)


def hands_of(*case, first=0, chunks=2, **known):
    return deal(KEY, dealer(*case, **known), first, chunks)


def raised(made, bits=62):
    """Reject far more words than need be: remainders below a quarter of the range."""
    return made._replace(least=np.full_like(made.least, 1 << bits), bound=np.full_like(made.bound, 1 << bits))


@pytest.mark.parametrize("rejecting", [False, True])
@pytest.mark.parametrize(("players", "size", "holding", "dead"), [
    (4, 13, "", ""), (2, 13, "2S 2H", "3S"), (1, 13, "", "3S 4S 5S"), (1, 7, "", ""), (5, 10, "", ""),
    (3, 10, "2S 2H AD", "3S 3C"), (10, 5, "", "3S"), (17, 3, "", ""),
])  # fmt: skip
def test_deals_are_those_of_the_slow_twin(players, size, holding, dead, rejecting):
    known = {"holding": mask_of(holding), "dead": mask_of(dead)}
    made = dealer(players, size, **known)
    if rejecting:
        made = raised(made)
    chunk, rng, rejected = 70_000_000, random.Random(1), 0
    dealt = deal(KEY, made, chunk, 2)
    for at in [0, 1, 255, 256, 1023, *rng.sample(range(1024), 25)]:
        slow, times = slow_table(KEY, made, players, size, *known.values(), chunk + 1, at)
        assert dealt[:, CHUNK + at].tolist() == slow
        rejected += times
    assert (rejected > 5) == rejecting


# Invariants of every deal


def check_partition(dealt, players, size):
    assert (np.bitwise_count(dealt) == size).all()
    assert (np.bitwise_count(np.bitwise_or.reduce(dealt)) == size * len(dealt)).all()
    assert dealt.min() > 0
    assert dealt.max() <= DECK
    if size == 13 and players > 1:
        assert len(dealt) == 4
        assert (np.bitwise_or.reduce(dealt) == DECK).all()
    else:
        assert len(dealt) == players


@pytest.mark.parametrize(("players", "size"), TABLES)
def test_hands_do_not_overlap(players, size):
    check_partition(hands_of(players, size, chunks=20), players, size)


@pytest.mark.parametrize("size", [1, 2, 12, 14, 25, 26, 27, 39, 50, 51])
def test_single_hands_of_any_size(size):
    check_partition(hands_of(1, size, chunks=4), 1, size)


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("known", KNOWN)
def test_known_cards_are_respected(known, players):
    holding, dead = map(mask_of, KNOWN[known])
    dealt = hands_of(players, 13, holding=holding, dead=dead)
    check_partition(dealt, players, 13)
    assert (dealt[0] & holding == holding).all()
    assert not (dealt[0] & dead).any()
    free = 52 - (holding | dead).bit_count()
    ways = comb(free, 13 - holding.bit_count())
    assert len(np.unique(dealt[0])) == (ways if ways < 100 else len(np.unique(dealt[0])))
    if ways == 1:
        assert (dealt[0] == (holding or DECK & ~dead)).all()
    if players == 4:  # the cards that seat 0 lacks go to the others
        assert (np.bitwise_or.reduce(dealt[1:]) & dead == dead).all()


def test_known_cards_with_ten_cards_and_five_players():
    holding, dead = mask_of("2S 2C 2D 2H 3S 4S 5S 6S 7S"), mask_of("8S 9S")
    dealt = hands_of(5, 10, holding=holding, dead=dead)
    check_partition(dealt, 5, 10)
    assert set((dealt[0] & ~holding).tolist()) == {1 << c for c in range(52) if not (holding | dead) >> c & 1}
    assert (np.bitwise_or.reduce(dealt[1:]) & dead).any()


def test_tables_of_two_three_and_four_players_see_the_same_hands():
    four = hands_of(4, 13)
    for players in (2, 3):
        assert (hands_of(players, 13) == four).all()
    assert (hands_of(1, 13) == four[:1]).all()


def test_more_players_with_ten_cards_see_the_same_hands_at_the_same_seats():
    five = hands_of(5, 10)
    for players in (1, 2, 3, 4):
        assert (hands_of(players, 10) == five[:players]).all()


@pytest.mark.parametrize(("players", "size"), [(4, 13), (5, 10)])
def test_a_chunk_alone_is_the_chunk_in_a_longer_run(players, size):
    whole = hands_of(players, size, first=100, chunks=9)
    for at in (0, 4, 8):
        alone = hands_of(players, size, first=100 + at, chunks=1)
        assert (alone == whole[:, at * CHUNK : (at + 1) * CHUNK]).all()
    assert len(np.unique(whole[0])) > 9 * CHUNK * 0.999


def test_no_two_draws_of_a_chunk_share_a_word():
    """Any number of seats: what group and seat a word is for is told by its number."""
    starts = [first_word(group, draw) for group in range(4) for draw in range(52)]
    assert len(set(starts)) == len(starts)
    assert all(start % (2 * 256) == 0 for start in starts)
    many = hands_of(52, 1, chunks=1)
    check_partition(many, 52, 1)
    groups = many.reshape(52, 4, 256)
    for draw in range(8, 51):
        for group in range(3):
            assert (groups[draw, group] == groups[draw - 8, group + 1]).mean() < 0.2


def test_other_seeds_and_chunks_give_other_deals():
    table = dealer(4, 13)
    cases = [(seed, chunk) for seed in range(5) for chunk in (0, 1, 2**40, 10**12 // CHUNK)]
    every = [deal(stream_key(seed), table, chunk, 1)[0] for seed, chunk in cases]
    assert len(np.unique(np.concatenate(every))) > len(every) * CHUNK - 5


# Tables


def exact_words(n, threshold, alias):
    """Of all 2**64 words, how many choose each row: column and fraction of word · n, as the kernel takes them."""
    words = [0] * n
    for column in range(n):
        begin, end = (-(-(c << 64) // n) for c in (column, column + 1))
        own = ((column << 64) + int(threshold[column])) // n + 1 - begin  # fraction ≤ threshold
        words[column] += own
        words[int(alias[column])] += end - begin - own
    assert sum(words) == 1 << 64
    return words


def draws_of(players, size, known=0, held=0):
    draws = [((52 - known, size - held),)]
    if players > 1 and size == 13:
        return [*draws, ((39, 13), (26, 13))]
    return draws + [((52 - size * seat, size),) for seat in range(1, players)]


CASES = [(4, 13, 0, 0), (5, 10, 0, 0), (4, 13, 1, 0), (4, 13, 5, 3), (4, 13, 13, 13), (4, 13, 39, 0), (2, 13, 13, 1),
         (2, 10, 7, 2), (1, 1, 0, 0), (1, 26, 0, 0), (1, 51, 0, 0), (1, 5, 0, 0)]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_composition_is_drawn_with_its_exact_probability(case):
    """Off by less than 2**-60 for each composition, and by less than 2**-54 in total variation."""
    players, size, known, held = case
    holding = (1 << held) - 1
    made = dealer(players, size, holding, ((1 << known) - 1) & ~holding)
    draws = draws_of(players, size, known, held)
    assert len(made.begin) == len(draws) + 1
    for draw, hands in enumerate(draws):
        begin, end = int(made.begin[draw]), int(made.begin[draw + 1])
        rows = rows_of(*hands)
        assert end - begin == len(rows)
        weights = [prod(comb(w, k) for w, k in row) for row in rows]
        total = sum(weights)
        assert total == prod(comb(*hand) for hand in hands)
        choice = [int(c) for c in made.choice[begin:end]]
        assert [c & 0xFFFF for c in choice] == list(range(len(rows)))
        assert all(c >> 16 < len(rows) for c in choice)
        words = exact_words(len(rows), made.threshold[begin:end], [c >> 16 for c in choice])
        errors = [abs(Fraction(n, 1 << 64) - Fraction(w, total)) for n, w in zip(words, weights, strict=True)]
        assert max(errors) < Fraction(1, 1 << 60)
        assert sum(errors) / 2 < Fraction(1, 1 << 54)
        check_row_tables(made, draw, rows, weights)


def check_row_tables(made, draw, rows, weights):
    begin = int(made.begin[draw])
    table = made.blocks[begin * ROW : (begin + len(rows)) * ROW].reshape(-1, ROW).tolist()
    for row, (blocks, weight) in enumerate(zip(rows, weights, strict=True)):
        numbers, starts = table[row][: len(blocks)], table[row][5 : 5 + len(blocks)]
        assert numbers == [comb(width, cards) for width, cards in blocks]
        for (width, cards), n, start in zip(blocks, numbers, starts, strict=True):
            words = made.words[start : start + n].tolist()
            assert words == [word for word in words_with(cards) if word < 1 << width]
        assert table[row][len(blocks) : 5] == [1] * (5 - len(blocks))
        assert int(made.least[begin + row]) == (1 << 64) % weight
    assert int(made.bound[draw]) == max((1 << 64) % weight for weight in weights)


def test_all_words_of_13_bits_are_there_once():
    words = module._words().tolist()
    assert sorted(words) == list(range(1 << 13))
    assert [word.bit_count() for word in words] == sorted(word.bit_count() for word in range(1 << 13))


@pytest.mark.parametrize("weights", [[1], [1, 1], [1, 10**12], [10**15, 1, 1, 1], [3, 3, 3], list(range(1, 40))])
def test_alias_tables_of_any_weights(weights):
    words = exact_words(len(weights), *alias_table(weights))
    for n, weight in zip(words, weights, strict=True):
        assert abs(Fraction(n, 1 << 64) - Fraction(weight, sum(weights))) < Fraction(len(weights), 1 << 62)


def test_an_alias_table_of_32_bits_would_be_noticed():
    """Rare compositions would be far off, which no sample shows."""
    rows = rows_of((52, 13))
    weights = [prod(comb(w, k) for w, k in row) for row in rows]
    threshold, alias = alias_table(weights)
    coarse = exact_words(len(rows), threshold >> np.uint64(32) << np.uint64(32), alias)
    off = [abs(Fraction(n, 1 << 64) - Fraction(w, sum(weights))) for n, w in zip(coarse, weights, strict=True)]
    assert max(off) > Fraction(1, 1 << 60)


# Rejected words


@pytest.mark.parametrize(("players", "size", "known"), [(4, 13, ""), (5, 10, ""), (4, 13, "2S 2H")])
def test_hands_after_many_rejections_are_uniform_too(players, size, known):
    """Every fourth word is drawn again: still a partition, still uniform (1e-6 for all tests together)."""
    holding = mask_of(known)
    made = raised(dealer(players, size, holding))
    dealt = deal(KEY, made, 0, 512)
    check_partition(dealt, players, size)
    assert (dealt[0] & holding == holding).all()
    usual = hands_of(players, size, chunks=512, holding=holding)
    assert 0.2 < (dealt[0] != usual[0]).mean() < 0.3
    if known:
        unknown = np.full(dealt.shape[1], DECK & ~holding)
        samples = [(uniform.positions_among(dealt[0] & ~holding, unknown), 50, size - 2)]
    else:
        samples = [(seat, 52, size) for seat in dealt]
    for words, n, h in samples:
        for test, value, freedom in uniform.chi_squares(words, n, h):
            assert stats.chi2.ppf(1e-8, freedom) < value < stats.chi2.isf(1e-8, freedom), test


def test_words_are_rejected_in_the_usual_run_too():
    """Five factors come to 10**15, so the pair draw rejects a word in some ten thousand; the slow twin says which."""
    made = dealer(4, 13)
    dealt = hands_of(4, 13, chunks=128)
    without = deal(KEY, made._replace(bound=np.zeros_like(made.bound)), 0, 128)
    seats, places = np.nonzero(dealt != without)
    assert 1 <= len(set(places.tolist())) <= 30
    for place in set(places.tolist()):
        chunk, at = divmod(place, CHUNK)
        slow, rejected = slow_table(KEY, made, 4, 13, 0, 0, chunk, at)
        assert rejected >= 1
        assert dealt[:, place].tolist() == slow
    assert 0 not in seats  # four factors stay so small that a word in a hundred million is rejected
