"""Single hands: drawn among those that hold a pattern, and told what they hold. Nothing is simulated."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tlsim.cards import count_cards
from tlsim.errors import CardError, UsageError, either
from tlsim.exact.automaton import patterns_of
from tlsim.options import OPTIONS, truth, whole
from tlsim.questions.odds import ListOdds
from tlsim.questions.question import AnyCards, AnyRules, read_hand
from tlsim.results.hand_report import HandReport
from tlsim.results.provenance import Listed, Provenance
from tlsim.rules import load_rules

MOST_HANDS = 10**8


def draw_hands(
    rules: AnyRules,
    pattern: str,
    n: int = 1000,
    opening: bool = False,
    seed: int = 0,
    holding: AnyCards = None,
    dead: AnyCards = None,
    counting: bool = False,
) -> NDArray[np.int64]:
    """Draw uniformly random hands among those that hold a pattern; exact, without rejection.

    Parameters
    ----------
    rules, opening, holding, dead
        As in `exact_odds`.
    pattern
        Id of a pattern of the list.
    n
        Number of hands, 1 … 10**8; hands may repeat.
    seed
        Seed; the first hands are the same whatever ``n``.
    counting
        Draw among the hands for which the pattern is the strongest, not among all that hold it.

    Returns
    -------
    numpy.ndarray
        Hands of 52 bits, int64, shape (n,).

    Raises
    ------
    UsageError
        If the rules have no such pattern, or no hand holds it with the known cards.

    Examples
    --------
    >>> from tlsim.cards import format_cards
    >>> hands = draw_hands("doithuong", "tu_quy_2", n=1000, seed=3)
    >>> bool(((hands >> 48) == 15).all())
    True
    """
    asked = ListOdds(rules, None, opening, holding, dead)
    n, seed = whole(1, MOST_HANDS)("n", n), OPTIONS["seed"].check("seed", seed)
    at = asked.index(pattern)
    counts = asked.book.count()
    hands = (counts.counts if counting else counts.holds)[at]
    if not hands:
        if counting:
            raise UsageError("no hand counts as {pattern!r} with these known cards", pattern=pattern)
        raise UsageError("no hand holds {pattern!r} with these known cards", pattern=pattern)

    from tlsim.kernels.rng import DRAWS, bounded_numbers, stream_key

    numbers = np.zeros(n, dtype=np.int64)
    bounded_numbers(stream_key(seed), DRAWS, 0, hands, numbers)
    return asked.book.find(numbers, at, counting=counting)


def classify_hand(cards: str | int | Iterable[int], rules: AnyRules, opening: bool = False) -> HandReport:
    """Tell which tới trắng patterns a hand holds under a rule set, and how its cards group.

    Parameters
    ----------
    cards
        The hand: text such as ``"3S 3C 4D …"``, card numbers, or 52 bits.
    rules, opening
        As in `exact_odds`.

    Returns
    -------
    HandReport

    Raises
    ------
    UsageError
        If the cards cannot be read, or are not as many as the rules deal.

    Examples
    --------
    >>> report = classify_hand("3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H", "doithuong")
    >>> [entry.id for entry in report.held]
    ['sanh_rong']
    """
    chosen, opening = load_rules(rules), truth("opening", opening)
    hand = read_hand("cards", cards)
    allowed = range(chosen.deal.min_players, chosen.deal.max_players + 1)
    sizes = sorted({size for n in allowed for size in chosen.hand_sizes(n)})
    if hand.bit_count() not in sizes:
        wanted = either(sizes)
        raise CardError("{cards} given; a hand of {rules} has {wanted}", cards=count_cards(hand.bit_count()),
                        rules=chosen.name, wanted=wanted)  # fmt: skip
    wins = chosen.instant_wins(opening)
    held = patterns_of(hand, [win.pattern for win in wins], hand.bit_count()) if wins else []
    provenance = Provenance.of(chosen, opening=opening, hand_size=hand.bit_count())
    straight = chosen.combinations.straight
    low = straight is not None and straight.low
    return HandReport(provenance, hand, tuple(Listed.of(wins[at]) for at in held), low)
