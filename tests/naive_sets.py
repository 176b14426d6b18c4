"""Sets of cards for the slow twin: what they are when they are played, and which beats which.

Cards are numbers (rank * 4 + suit), a set of cards is a 52-bit mask. Nothing here knows the kernels. ``reverse`` is the
order of a revolution (004#R23): ranks and suits the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from tlsim.cards import card_name, cards_in

TWO, ACE, THREE = 12, 11, 0
KINDS = {1: "single", 2: "pair", 3: "triple", 4: "quad"}
HEO = ("heo_bich", "heo_chuon", "heo_ro", "heo_co")
RUN_BOMBS = {3: "ba_doi_thong", 4: "bon_doi_thong"}
ENGLISH = {
    "heo": "a 2", "doi_heo": "two 2s", "ba_doi_thong": "3 pairs", "tu_quy": "quad", "bon_doi_thong": "4 pairs",
    "nam_doi_thong": "5 pairs",
}  # fmt: skip


class Play(NamedTuple):
    """An answer: cards, none of them is a pass; ``as_`` is "quad" or "pair_run_4" for what is left of a bomb."""

    cards: int
    as_: str | None = None


PASS = Play(0)
YES, NO = Play(1), Play(0)  # answers to "declare" and to "sam"


class Combo(NamedTuple):
    """Cards that form one combination: what it is, and the card that decides (C1, 001#R14)."""

    kind: str
    length: int  # number of ranks
    rank: int  # of the deciding card
    suit: int
    cards: int
    as_: str | None = None


class Box(NamedTuple):
    """Combinations of one shape: one option of each rank, in any way; they are all legal."""

    kind: str
    rank: int
    length: int
    options: tuple[tuple[int, ...], ...]
    as_: str | None = None

    def plays(self) -> Iterator[Play]:
        for chosen in product(*self.options):
            yield Play(sum(chosen), self.as_)

    def most(self) -> Play:
        """The play with the greatest mask."""
        return Play(sum(map(max, self.options)), self.as_)

    def least(self) -> Play:
        """The play with the smallest mask: ranks do not overlap, so each rank takes its smallest."""
        return Play(sum(map(min, self.options)), self.as_)


# Cards


def suit_mask(mask: int, rank: int) -> int:
    """The four suits held of a rank, as four bits."""
    return mask >> (4 * rank) & 15


def counts_of(mask: int) -> list[int]:
    return [suit_mask(mask, rank).bit_count() for rank in range(13)]


@cache
def selections(suits: int, size: int) -> tuple[int, ...]:
    """Every choice of so many suits out of four bits."""
    held = [1 << suit for suit in range(4) if suits >> suit & 1]
    return tuple(sum(chosen) for chosen in combinations(held, size))


def groups_of(mask: int, rank: int, size: int) -> tuple[int, ...]:
    """Every choice of so many cards of one rank."""
    return tuple(chosen << (4 * rank) for chosen in selections(suit_mask(mask, rank), size))


def groups_with(must: int, hand: int, rank: int, size: int) -> tuple[int, ...]:
    """Those of them that hold the card that must be in it, if it is of this rank."""
    wanted = must & 15 << (4 * rank)
    return tuple(group for group in groups_of(hand, rank, size) if not wanted & ~group)


def same_suit(a: int, b: int) -> bool:
    return top_card(a) % 4 == top_card(b) % 4


def top_card(mask: int) -> int:
    return mask.bit_length() - 1


def low_card(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def is_red(card: int) -> bool:
    return card % 4 >= 2


def one_suit(cards: int) -> bool:
    return len({card % 4 for card in cards_in(cards)}) == 1


def one_colour(cards: int) -> bool:
    return len({is_red(card) for card in cards_in(cards)}) == 1


# Combinations (RULES.md 2.C)


def combination(rules, cards: int) -> Combo | None:
    """What a set of cards is when it is played; ``None`` if it is no combination."""
    if not cards:
        return None
    counts = {rank: n for rank, n in enumerate(counts_of(cards)) if n}
    each = set(counts.values())
    ranks = sorted(counts)
    top = top_card(cards)
    if len(ranks) == 1:
        kind, length = KINDS[counts[ranks[0]]], 1
        if kind == "pair" and rules.combinations.suit_match == "north" and not one_colour(cards):  # J7
            return None
    elif each == {1} and (last := straight_top(rules, ranks)) is not None:
        kind, length = "straight", len(ranks)
        top = top_card(cards & 15 << (4 * last))
        if rules.combinations.suit_match == "north" and not one_suit(cards):  # J7
            return None
    elif each == {2} and is_pair_run(rules, ranks):
        kind, length = "pair_run", len(ranks)
    else:
        return None
    return Combo(kind, length, top // 4, top % 4, cards)


def straight_top(rules, ranks: list[int]) -> int | None:
    """The highest rank of a straight, or ``None``: no 2 (C7), but where A-2-3 counts, A and 2 may be low (C9)."""
    straight = rules.combinations.straight
    if straight is None or len(ranks) < straight.min_length:
        return None
    for last, row in straight_rows(straight.low, len(ranks)):
        if sorted(row) == ranks:
            return last
    return None


@cache
def straight_rows(low: bool, length: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """(top rank, ranks) of every straight of a length, the highest first; with ``low`` along A 2 3 … K A."""
    line = [ACE, TWO, *range(12)] if low else list(range(12))
    rows = [tuple(line[at : at + length]) for at in range(len(line) - length + 1)]
    return tuple((row[-1], row) for row in reversed(rows) if len(set(row)) == length)


def is_pair_run(rules, ranks: list[int]) -> bool:
    """Whether pairs of these ranks are a đôi thông: consecutive, never a 2 (C7, C8)."""
    run = rules.combinations.pair_run
    if run is None or len(ranks) < run.min_length or ranks[-1] == TWO:
        return False
    return ranks[-1] - ranks[0] == len(ranks) - 1


def bomb_class(rules, combo: Combo) -> str | None:
    """Its name in the chop table: quads, 3 and 4 pairs; 5 pairs and more where they are a superset of 4 (C6)."""
    if combo.kind == "quad":
        return "tu_quy"
    if combo.kind != "pair_run":
        return None
    if combo.length > 4 and rules.combinations.pair_run.long_runs == "as_ordinary":
        return None
    return RUN_BOMBS[min(combo.length, 4)]


def target_class(rules, combo: Combo) -> str | None:
    """What a combination is to a bomb: one heo, a pair of heo, a bomb; anything else is no target (C18)."""
    if combo.rank == TWO and combo.kind in ("single", "pair"):
        return "heo" if combo.kind == "single" else "doi_heo"
    return bomb_class(rules, combo)


def higher(rules, new: Combo, top: Combo, reverse: bool = False) -> bool:
    """By the deciding card: rank first, then the suit where suits count (C1, C3, C5); 004#R24."""
    if reverse:  # of sets of one rank; their strongest card is the lowest
        lower = low_card(new.cards) < low_card(top.cards)
        return new.rank < top.rank if rules.combinations.compare == "top_rank" else lower
    if rules.combinations.compare == "top_rank":
        return new.rank > top.rank
    return (new.rank, new.suit) > (top.rank, top.suit)


def follows(rules, new: Combo, top: Combo, reverse: bool = False) -> bool:
    """Same kind, same length, higher (001#R28, C2), with the suits that the North wants (J7)."""
    if new.kind != top.kind:
        return False
    longer = False
    if new.length != top.length:
        straights = new.kind == "straight" and rules.combinations.straight.longer_beats
        longer = straights and new.length > top.length
        if not longer:
            return False
    match = rules.combinations.suit_match
    if match == "north" and new.kind in ("single", "pair", "straight"):
        return follows_north(new, top, longer, reverse)
    if match == "match_first_card_only" and new.kind not in ("triple", "quad"):
        free = all_twos(new.cards) and not all_twos(top.cards)
        if not free and low_card(new.cards) % 4 != low_card(top.cards) % 4:
            return False
    return longer or higher(rules, new, top, reverse)


def all_twos(cards: int) -> bool:
    return cards >> (4 * TWO) << (4 * TWO) == cards


def follows_north(new: Combo, top: Combo, longer: bool, reverse: bool) -> bool:
    """J7: the same suit, or for pairs the same colour; a 2 beats anything, a 2 on a 2 by suit, pairs likewise."""
    above = new.rank < top.rank if reverse else new.rank > top.rank
    if new.kind == "straight":
        return new.suit == top.suit and (longer or above)
    if new.rank == TWO:
        if top.rank != TWO:
            return True
        return new.suit > top.suit if new.kind == "single" else new.suit // 2 > top.suit // 2
    same = new.suit == top.suit if new.kind == "single" else new.suit // 2 == top.suit // 2
    return same and above


def chops(rules, new: Combo, top: Combo, reverse: bool = False) -> bool:
    """Chặt: a bomb on what the chop table names; of its own kind only on a lower one."""
    bomb = bomb_class(rules, new)
    if bomb is None or rules.chop is None:
        return chops_triple_2(rules, new, top)
    target = target_class(rules, top)
    if target is None:
        return chops_triple_2(rules, new, top)
    if target not in getattr(rules.chop.beats, bomb):
        return False
    return target != bomb or stronger_bomb(rules, new, top, reverse)


def stronger_bomb(rules, new: Combo, top: Combo, reverse: bool) -> bool:
    """Of one class: higher, or a longer run where 5 and 6 pairs are a superset of 4."""
    return follows(rules, new, top, reverse) or (new.kind == top.kind == "pair_run" and new.length > top.length)


def chops_triple_2(rules, new: Combo, top: Combo) -> bool:
    """C13: three 2s are beaten by nothing, or by what the rules name."""
    if rules.chop is None or top.kind != "triple" or top.rank != TWO:
        return False
    names = rules.chop.triple2_beaten_by
    if new.kind == "pair_run" and new.length >= 5:
        six = new.length == 6 and "sau_doi_thong" in names
        return six or "nam_doi_thong" in names or bomb_class(rules, new) in names
    return bomb_class(rules, new) in names


def beats(rules, new: Combo, top: Combo, reverse: bool = False) -> bool:
    """Whether a combination may be laid on another."""
    if follows(rules, new, top, reverse) or chops(rules, new, top, reverse):
        return True
    if new.kind != "pair_run":
        return False
    run = rules.combinations.pair_run
    if run.three == "trump" and new.length == 3 and not has_two(top.cards) and bomb_class(rules, top) is None:
        return True  # J6 (b)
    return run.long_runs == "superset_of_4" and top.kind == "pair_run" and new.length > max(top.length, 3)  # C6


def has_two(cards: int) -> bool:
    return cards >> (4 * TWO) != 0


def names_of(cards: int) -> list[str]:
    return [card_name(card) for card in cards_in(cards)]


# Money


def half(value: float) -> int:
    return round(2 * value)
