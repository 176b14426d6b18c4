"""The slow twin of what a leftover hand costs (H4): every way to take it apart, with sets of cards."""

from functools import cache

from naive import TWO, hand_set


def bombs_in(counts):
    """All bombs that can be taken: (kind, first rank); counts by rank 3 … A."""
    found = [("quad", rank) for rank in range(12) if counts[rank] == 4]
    for kind, length in (("pair_run_3", 3), ("pair_run_4", 4)):
        found += [(kind, s) for s in range(13 - length) if all(n >= 2 for n in counts[s : s + length])]
    return found


def without(counts, bomb):
    kind, rank = bomb
    counts = list(counts)
    if kind == "quad":
        counts[rank] -= 4
    else:
        for at in range(rank, rank + int(kind[-1])):
            counts[at] -= 2
    return tuple(counts)


def best_total(counts, prices):
    """The greatest sum over disjoint bombs: try each bomb first, in every order."""

    @cache
    def best(left):
        return max((getattr(prices, bomb[0]) + best(without(left, bomb)) for bomb in bombs_in(left)), default=0)

    return best(tuple(counts))


def greedy_totals(counts, prices):
    """Every sum that comes of taking a dearest bomb again and again, whichever of equal price is taken."""

    @cache
    def totals(left):
        bombs = [bomb for bomb in bombs_in(left) if getattr(prices, bomb[0]) > 0]
        if not bombs:
            return frozenset({0})
        dearest = max(getattr(prices, kind) for kind, _ in bombs)
        taken = [bomb for bomb in bombs if getattr(prices, bomb[0]) == dearest]
        return frozenset(dearest + rest for bomb in taken for rest in totals(without(left, bomb)))

    return totals(tuple(counts))


def counts_of(mask):
    hand = hand_set(mask)
    return tuple(sum(rank == r for rank, _ in hand) for r in range(12))


def twos_of(mask, prices):
    return sum(prices.twos[suit] for rank, suit in hand_set(mask) if rank == TWO)


def values_of(mask, prices):
    """All values that a hand may have, in half units; only `greedy` leaves a choice."""
    totals = greedy_totals(counts_of(mask), prices) if prices.greedy else {best_total(counts_of(mask), prices)}
    return {twos_of(mask, prices) + total for total in totals}
