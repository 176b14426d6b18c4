"""Hands and patterns made to be hard: near each pattern of the presets, or with few ranks or suits.

Everything comes from a `random.Random` that the test seeds, or from hypothesis.
"""

from hypothesis import strategies as st
from naive import RANKS, TWO, mask_of
from pydantic import ValidationError

from tlsim.patterns import Pattern

DECK = [(rank, suit) for rank in range(13) for suit in range(4)]


def of(rng, rank, number):
    return {(rank, suit) for suit in rng.sample(range(4), number)}


def groups(rng, ranks, size):
    return set().union(*(of(rng, rank, size) for rank in ranks))


def run(rng, number, size, ranks=12):
    start = rng.randrange(ranks - number + 1)
    return groups(rng, range(start, start + number), size)


def quad_and_pairs(rng, pairs):
    ranks = rng.sample(range(13), pairs + 1)
    return groups(rng, ranks[:1], 4) | groups(rng, ranks[1:], 2)


def ten_positions(rng):
    """Ten neighbours on the line A 2 3 … K A 2; one start too many, so that K A 2 comes up."""
    start = rng.randrange(6)
    return range(start, start + 10)


def with_3_of_spades(rng, number):
    cards = groups(rng, range(1, number), 2)
    return cards | {(0, 0), (0, rng.randrange(1, 4))}


def alike(rng, number, suits):
    deck = [card for card in DECK if card[1] in suits]
    return set(rng.sample(deck, number))


# The least cards of each pattern; the rest of the hand is filled up.
CORES = {
    13: {
        "sanh_rong": lambda rng: groups(rng, range(12), 1),
        "sanh_rong_dong_hoa": lambda rng: {(rank, suit) for suit in [rng.randrange(4)] for rank in range(12)},
        "sau_doi": lambda rng: groups(rng, rng.sample(range(13), 6), 2),
        "sau_doi_tu_quy": lambda rng: quad_and_pairs(rng, 4),
        "nam_doi_thong": lambda rng: run(rng, 5, 2, 13),
        "sau_doi_thong": lambda rng: run(rng, 6, 2, 13),
        "ba_doi_thong_3_bich": lambda rng: with_3_of_spades(rng, 3),
        "bon_doi_thong_3_bich": lambda rng: with_3_of_spades(rng, 4),
        "bon_bo_ba": lambda rng: groups(rng, rng.sample(range(13), 4), 3),
        "ba_bo_ba_thong": lambda rng: run(rng, 3, 3, 13),
        "bon_bo_ba_thong": lambda rng: run(rng, 4, 3, 13),
        "hai_tu_quy": lambda rng: groups(rng, rng.sample(range(13), 2), 4),
        "ba_tu_quy": lambda rng: groups(rng, rng.sample(range(13), 3), 4),
        "tu_quy_2": lambda rng: of(rng, TWO, 4),
        "tu_quy_3": lambda rng: of(rng, 0, 4),
        "muoi_hai_dong_chat": lambda rng: alike(rng, rng.choice((12, 13)), {rng.randrange(4)}),
        "muoi_hai_dong_mau": lambda rng: alike(rng, rng.choice((12, 13)), rng.choice(({0, 1}, {2, 3}))),
        "muoi_hai_hai_chat": lambda rng: alike(rng, 12, rng.choice(({0, 2}, {1, 3}, {0, 3}))),  # two suits, no colour
    },
    10: {
        "sanh_rong": lambda rng: groups(rng, [(at - 2) % 13 for at in ten_positions(rng)], 1),
        "sanh_rong_3_q": lambda rng: groups(rng, range(10), 1),
        "nam_doi": lambda rng: groups(rng, rng.sample(range(13), 5), 2),
        "nam_doi_tu_quy": lambda rng: quad_and_pairs(rng, 3),
        "ba_bo_ba": lambda rng: groups(rng, rng.sample(range(13), 3), 3),
        "tu_quy_2": lambda rng: of(rng, TWO, 4),
        "hai_tu_quy": lambda rng: groups(rng, rng.sample(range(13), 2), 4),
        "muoi_dong_mau": lambda rng: alike(rng, 10, rng.choice(({0, 1}, {2, 3}))),
        "muoi_hai_chat": lambda rng: alike(rng, 10, rng.choice(({0, 2}, {1, 3}))),
        "tu_quy_3": lambda rng: of(rng, 0, 4),
        "ba_doi_thong_3": lambda rng: groups(rng, range(3), 2),
    },
}


def near_hand(rng, core, hand_size):
    """A hand around the cards of a pattern, with none, one or two of its cards changed."""
    hand = core(rng)
    hand = set(rng.sample(sorted(hand), min(len(hand), hand_size)))
    ranks = {rank for rank, _ in hand}
    while len(hand) < hand_size:
        hand.add(rng.choice([c for c in DECK if c not in hand and (rng.random() < 0.5 or c[0] in ranks)] or DECK))
    for _ in range(rng.randrange(3)):
        rank, suit = rng.choice(sorted(hand))
        near = [c for c in DECK if c not in hand and (abs(c[0] - rank) <= 1 or c[1] == suit)]
        hand = hand - {(rank, suit)} | {rng.choice(near)}
    return mask_of(hand)


def shaped_hand(rng, hand_size):
    """A hand from few ranks, from few suits, or from the whole deck."""
    ranks = rng.sample(range(13), rng.randrange(-(-hand_size // 4), 14))
    suits = rng.sample(range(4), rng.randrange(1, 5))
    deck = [card for card in DECK if card[0] in ranks and card[1] in suits]
    hand = set(rng.sample(deck, min(len(deck), hand_size)))
    rest = [card for card in DECK if card not in hand and (card[0] in ranks or len(ranks) < 4)]
    return mask_of(hand | set(rng.sample(rest, hand_size - len(hand))))


def hostile_hands(rng, hand_size, number):
    """So many hands: a third of them shaped, the others near the patterns of the presets."""
    cores = list(CORES[hand_size].values())
    hands = [shaped_hand(rng, hand_size) for _ in range(number // 3)]
    return hands + [near_hand(rng, cores[at % len(cores)], hand_size) for at in range(number - len(hands))]


def pattern(*conditions, ident="p"):
    return Pattern(id=ident, all_of=list(conditions))


def _made(make):
    """Keep what the pattern kinds take."""

    @st.composite
    def strategy(draw, hand_size):
        for _ in range(20):
            fields = draw(make(hand_size))
            try:
                return pattern(fields).all_of[0]
            except ValidationError:
                continue
        return pattern({"kind": "holds", "cards": "3S"}).all_of[0]

    return strategy


_RANK_SETS = st.one_of(
    st.none(),
    st.lists(st.sampled_from(RANKS), min_size=1, max_size=13, unique=True),
    st.tuples(st.integers(0, 12), st.integers(0, 12)).map(lambda ends: f"{RANKS[min(ends)]}-{RANKS[max(ends)]}"),
)
_CARDS = st.integers(0, 51).map(lambda card: RANKS[card // 4] + "SCDH"[card % 4])


@_made
def groups_conditions(hand_size):
    def fields(size):
        return st.fixed_dictionaries(
            {
                "kind": st.just("groups"),
                "size": st.just(size),
                "count": st.integers(1, max(1, hand_size // size)),
                "consecutive": st.booleans(),
                "ranks": _RANK_SETS,
                "quad_as": st.sampled_from([1, 2]),
                "containing": st.one_of(st.none(), _CARDS),
            }
        )

    return st.integers(1, 4).flatmap(fields)


@_made
def straight_conditions(hand_size):
    return st.fixed_dictionaries(
        {
            "kind": st.just("straight"),
            "length": st.integers(2, min(13, max(2, hand_size))),
            "starts": st.one_of(st.none(), st.lists(st.sampled_from(RANKS), min_size=1, max_size=4, unique=True)),
            "same_suit": st.booleans(),
        }
    )


@_made
def flush_conditions(hand_size):
    return st.fixed_dictionaries(
        {
            "kind": st.just("flush"),
            "count": st.integers(1, min(13, hand_size)),
            "of": st.sampled_from(["suit", "colour"]),
        }
    )


@_made
def holds_conditions(hand_size):
    cards = st.lists(_CARDS, min_size=1, max_size=min(3, hand_size), unique=True)
    return st.fixed_dictionaries({"kind": st.just("holds"), "cards": cards.map(" ".join)})


@_made
def lacks_conditions(_hand_size):
    cards = st.fixed_dictionaries(
        {"kind": st.just("lacks"), "cards": st.lists(_CARDS, min_size=1, max_size=6, unique=True).map(" ".join)}
    )
    ranks = st.lists(st.sampled_from(RANKS), min_size=1, max_size=4, unique=True)
    return st.one_of(cards, st.fixed_dictionaries({"kind": st.just("lacks"), "ranks": ranks}))


def conditions(hand_size):
    return st.one_of(
        groups_conditions(hand_size),
        groups_conditions(hand_size),
        straight_conditions(hand_size),
        flush_conditions(hand_size),
        holds_conditions(hand_size),
        lacks_conditions(hand_size),
    )


def user_patterns(hand_size):
    """Patterns as a user may declare them: one to three conditions, which may share no card where they can say so."""
    parts = st.lists(conditions(hand_size), min_size=1, max_size=3)
    return st.tuples(parts, st.booleans()).map(lambda drawn: pattern_of(*drawn))


def pattern_of(parts, disjoint):
    try:
        return Pattern(id="p", all_of=tuple(parts), disjoint=disjoint)
    except ValidationError:
        return pattern(*parts)
