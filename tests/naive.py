"""The slow twin: what hands hold and who wins, written from the rules with sets and plain loops.

Nothing here knows kernels or automata. A hand is a set of (rank, suit); ranks 3 4 … A 2 are 0 … 12, suits ♠ ♣ ♦ ♥ are
0 … 3. `holds` follows the declared meaning of a pattern by choosing actual cards; `NAMED` has every pattern of the
presets once more, by hand from the text of RULES.md F2, F3 and K7.
"""

from itertools import combinations

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
TWO = 12
ROW = ["A", "2", *"3456789TJQKA"]  # the ranks as straights see them: an ace may be the low or the high end


def hand_set(mask):
    """The cards of a 52-bit hand."""
    digits = f"{int(mask):b}"[::-1]
    return {(bit // 4, bit % 4) for bit, digit in enumerate(digits) if digit == "1"}


def mask_of(cards):
    """The 52 bits of cards: a set of (rank, suit), or text such as "3S TD"."""
    if isinstance(cards, str):
        cards = {(RANKS.index(word[0]), SUITS.index(word[1])) for word in cards.split()}
    return sum(1 << (4 * rank + suit) for rank, suit in cards)


def of_rank(hand, rank):
    return {card for card in hand if card[0] == rank}


# By the declared meaning of the kinds


def holds(pattern, hand, hand_size):
    """Whether a hand meets all conditions of a pattern."""
    assert len(hand) == hand_size
    if pattern.disjoint:
        lacks = [condition for condition in pattern.all_of if condition.kind == "lacks"]
        rest = [condition for condition in pattern.all_of if condition.kind != "lacks"]
        return all(meets(condition, hand) for condition in lacks) and _apart(rest, hand)
    return all(meets(condition, hand) for condition in pattern.all_of)


def _apart(conditions, hand):
    """Choose actual cards for one condition after another, each from what is left."""
    if not conditions:
        return True
    return any(_apart(conditions[1:], hand - cards) for cards in _choices(conditions[0], hand))


def _lowest(hand, rank, number):
    return set(sorted(of_rank(hand, rank))[:number])  # suits do not matter here


def _choices(condition, hand):
    """Sets of cards by which groups or a straight can be met."""
    if condition.kind == "straight":
        starts = range(11) if condition.starts is None else condition.starts
        rows = [ROW[ROW.index(RANKS[s]) : ROW.index(RANKS[s]) + condition.length] for s in starts]
        for names in rows:
            cards = set().union(*(_lowest(hand, RANKS.index(name), 1) for name in names))
            if len(cards) == condition.length == len(names):
                yield cards
        return
    size, count = condition.size, condition.count
    ranks = [r for r in range(13) if r != TWO or not condition.consecutive]
    ranks = ranks if condition.ranks is None else list(condition.ranks)
    if condition.consecutive:
        windows = [range(start, start + count) for start in range(13)]
        chosen = [window for window in windows if all(rank in ranks for rank in window)]
    else:
        chosen = set(combinations(sorted(ranks * condition.quad_as), count))
    for window in chosen:
        cards = set().union(*(_lowest(hand, rank, size * list(window).count(rank)) for rank in window))
        if len(cards) == size * count:
            yield cards


def meets(condition, hand):
    match condition.kind:
        case "groups":
            return _runs(condition, hand) if condition.consecutive else _groups(condition, hand)
        case "straight":
            return _straight(condition, hand)
        case "flush":
            kinds = [{0}, {1}, {2}, {3}] if condition.of == "suit" else [{0, 1}, {2, 3}]
            return any(sum(suit in kind for _, suit in hand) >= condition.count for kind in kinds)
        case "holds":
            return {(card // 4, card % 4) for card in condition.cards} <= hand
        case "lacks":
            cards = {(card // 4, card % 4) for card in condition.cards or ()}
            return not cards & hand and not any(rank in (condition.ranks or ()) for rank, _ in hand)
    raise AssertionError(condition.kind)


def _card(number):
    return None if number is None else (number // 4, number % 4)


def _groups(condition, hand):
    """Choose disjoint groups, rank by rank; a rank gives one group, or a quad two pairs where it may."""
    ranks = range(13) if condition.ranks is None else condition.ranks
    wanted = _card(condition.containing)

    def choose(left, number, chosen):
        if number == condition.count:
            return wanted is None or wanted in chosen
        if not left:
            return False
        for groups in _groups_of(of_rank(hand, left[0]), condition.size, condition.quad_as):
            if number + len(groups) <= condition.count and choose(
                left[1:], number + len(groups), chosen.union(*map(set, groups))
            ):
                return True
        return False

    useful = [rank for rank in ranks if len(of_rank(hand, rank)) >= condition.size]
    return choose(useful, 0, set())


def _groups_of(cards, size, quad_as):
    """All ways to take groups of a size from the cards of one rank."""
    single = list(combinations(sorted(cards), size))
    yield from ([], *([group] for group in single))
    if quad_as == 2 and len(cards) == 4:
        yield from ([a, b] for a, b in combinations(single, 2) if not set(a) & set(b))


def _runs(condition, hand):
    """Try every window of consecutive ranks, 3 up to 2, and every choice of a group from each of its ranks."""
    ranks = [r for r in range(13) if r != TWO] if condition.ranks is None else list(condition.ranks)
    wanted = _card(condition.containing)
    for start in range(13):
        window = list(range(start, start + condition.count))
        if not all(rank in ranks for rank in window):
            continue
        choices = [list(combinations(sorted(of_rank(hand, rank)), condition.size)) for rank in window]
        if wanted is None and all(choices):
            return True
        if any(any(wanted in group for group in groups) for groups in choices) and all(choices):
            return True
    return False


def _straight(condition, hand):
    """Lay the straight along the row A 2 3 … K A, from every start."""
    starts = range(11) if condition.starts is None else condition.starts  # by default 3 … K, up to the high ace
    for start in starts:
        at = ROW.index(RANKS[start])  # A and 2 are found at the low end
        names = ROW[at : at + condition.length]
        if len(names) < condition.length:
            continue
        ranks = [RANKS.index(name) for name in names]
        if condition.same_suit:
            if any(all((rank, suit) in hand for rank in ranks) for suit in range(4)):
                return True
        elif all(of_rank(hand, rank) for rank in ranks):
            return True
    return False


# Each pattern of the presets by hand, from RULES.md F2, F3 and K7


def _counts(hand):
    return [len(of_rank(hand, rank)) for rank in range(13)]


def _consecutive(hand, number, each):
    """So many neighbours among 3 … A with so many cards each: "no 2" (F3)."""
    counts = _counts(hand)
    return any(all(n >= each for n in counts[s : s + number]) for s in range(12 - number + 1))


def _disjoint_pairs(hand):
    return sum(n // 2 for n in _counts(hand))  # a quad is two pairs, a triple supplies one


def _ranks_with(hand, least):
    return sum(n >= least for n in _counts(hand))


def _most_in_suit(hand):
    return max(sum(suit == s for _, suit in hand) for s in range(4))


def _most_in_colour(hand):
    black = sum(suit <= 1 for _, suit in hand)
    return max(black, len(hand) - black)


def _one_suit_dragon(hand):
    return any({(rank, suit) for rank in range(12)} <= hand for suit in range(4))


def _run_with_3_of_spades(hand, number):
    """The 3♠ itself is one of the threes of a run that begins with a pair of 3s (F2)."""
    return (0, 0) in hand and all(n >= 2 for n in _counts(hand)[:number])


def _ten_in_a_row(hand):
    """Any ten consecutive ranks: A … T, 2 … J, 3 … Q, 4 … K, 5 … A (K7, M14)."""
    held = {RANKS[rank] for rank, _ in hand}
    return any(set(ROW[s : s + 10]) <= held for s in range(5))


NAMED = {
    13: {
        "sanh_rong": lambda h: all(_counts(h)[:12]),
        "sanh_rong_dong_hoa": _one_suit_dragon,
        "sau_doi": lambda h: _disjoint_pairs(h) >= 6,
        "nam_doi_thong": lambda h: _consecutive(h, 5, 2),
        "sau_doi_thong": lambda h: _consecutive(h, 6, 2),
        "ba_doi_thong_3_bich": lambda h: _run_with_3_of_spades(h, 3),
        "bon_doi_thong_3_bich": lambda h: _run_with_3_of_spades(h, 4),
        "bon_bo_ba": lambda h: _ranks_with(h, 3) >= 4,
        "ba_bo_ba_thong": lambda h: _consecutive(h, 3, 3),
        "bon_bo_ba_thong": lambda h: _consecutive(h, 4, 3),
        "hai_tu_quy": lambda h: _ranks_with(h, 4) >= 2,
        "ba_tu_quy": lambda h: _ranks_with(h, 4) >= 3,
        "tu_quy_2": lambda h: _counts(h)[TWO] == 4,
        "tu_quy_3": lambda h: _counts(h)[0] == 4,
        "muoi_hai_dong_chat": lambda h: _most_in_suit(h) >= 12,
        "muoi_hai_dong_mau": lambda h: _most_in_colour(h) >= 12,
    },
    10: {
        "sanh_rong": _ten_in_a_row,
        "sanh_rong_3_q": lambda h: all(_counts(h)[:10]),
        "nam_doi": lambda h: _disjoint_pairs(h) >= 5,
        "ba_bo_ba": lambda h: _ranks_with(h, 3) >= 3,
        "tu_quy_2": lambda h: _counts(h)[TWO] == 4,
        "hai_tu_quy": lambda h: _ranks_with(h, 4) >= 2,
        "muoi_dong_mau": lambda h: _most_in_colour(h) == 10,
        "tu_quy_3": lambda h: _counts(h)[0] == 4,
        "ba_doi_thong_3": lambda h: all(n >= 2 for n in _counts(h)[:3]),
    },
}


def named(ident, hand):
    """Whether a hand of 13 or 10 cards holds a pattern of the presets."""
    return bool(NAMED[len(hand)][ident](hand))


# Lists and tables


def held(patterns, mask, hand_size):
    """Indices of the patterns that a hand holds."""
    hand = hand_set(mask)
    return [at for at, pattern in enumerate(patterns) if holds(pattern, hand, hand_size)]


def class_of(patterns, mask, hand_size):
    """One more than the index of the strongest pattern held (F6), or 0."""
    hand = hand_set(mask)
    return next((at + 1 for at, pattern in enumerate(patterns) if holds(pattern, hand, hand_size)), 0)


def classes(patterns, masks, hand_size):
    """The class of every hand of a table."""
    return [class_of(patterns, mask, hand_size) for mask in masks]


def winner(classes_by_seat, leader, priority):
    """Return (seat, class) of the winner if every holder declares, or None (F5).

    ``strength``: the strongest pattern, equal ones by turn; ``turn``: the nearest to the leader, himself included.
    """
    players = len(classes_by_seat)
    holders = [(leader + step) % players for step in range(players)]
    holders = [seat for seat in holders if classes_by_seat[seat]]
    if not holders:
        return None
    if priority == "strength":
        best = min(classes_by_seat[seat] for seat in holders)
        holders = [seat for seat in holders if classes_by_seat[seat] == best]
    return holders[0], classes_by_seat[holders[0]]


def leader_of(masks, opening_suit=0):
    """The seat that leads an opening game: who holds the 3 of a suit, or else the lowest card dealt (B2, B3)."""
    dealt = {card: seat for seat, mask in enumerate(masks) for card in hand_set(mask)}
    return dealt.get((0, opening_suit), dealt[min(dealt)])
