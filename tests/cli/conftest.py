"""The command line over a stand-in for `tlsim.api`: the exact side as it is, and a simulation of a few deals by numpy.

The commands are what is tested here, not the numbers, so the stand-in may be slow and small.
"""

import sys
import types
from fractions import Fraction

import numpy as np
import pytest

import tlsim
import tlsim.games
import tlsim.values  # before anything stands in for tlsim.api
from tlsim.cards import format_cards, hand_of
from tlsim.cli import main
from tlsim.errors import UsageError
from tlsim.exact.automaton import READ_ORDER
from tlsim.exact.classes import class_law
from tlsim.exact.hands import HandBook, HandCounts, patterns_of
from tlsim.exact.table import Table, count_table
from tlsim.results import DealLaw, EstimatedOdds, ExactOdds, HandReport, Listed, Provenance
from tlsim.tally import BATCHES, OddsTally


def question(rules, players, opening, holding, dead, **more):
    rules.check_players(players)
    size = rules.deal.hand_size if rules.deal.hand_size != "all" else 13
    wins = rules.instant_wins(opening, players)
    listed = tuple(Listed(w.id, w.label, w.pays, w.count_heo) for w in wins)
    texts = {k: format_cards(hand_of(v)) if v else None for k, v in (("holding", holding), ("dead", dead))}
    provenance = Provenance(
        version=tlsim.__version__, rules=rules.name, digest=rules.digest, unit=rules.unit, players=players,
        opening=opening, hand_size=size, **texts, **more,
    )  # fmt: skip
    patterns = tuple(w.pattern for w in wins)
    book = HandBook(patterns, size, hand_of(holding or ""), hand_of(dead or ""))
    counts = book.count() if patterns else HandCounts(1, (), ())
    return provenance, listed, patterns, book, counts


def exact_odds(rules, players=4, opening=False, holding=None, dead=None):
    provenance, listed, patterns, book, counts = question(rules, players, opening, holding, dead)
    table = Table(patterns, provenance.hand_size, players, rules.priority(opening), book.holding, book.dead)
    return ExactOdds(provenance, listed, counts, lambda: count_table(table))


def deal_law(patterns, size, players):
    def law(at, classes):
        one = [patterns[at]] if classes is None else patterns
        hit = 1 if classes is None else at + 1
        found = [Fraction(0)] * (players + 1)
        every = class_law(one, size, (players,))
        for (seats,), n in every.items():
            found[seats.count(hit)] += Fraction(n, sum(every.values()))
        return found

    def pair(at):
        every = class_law([patterns[at]], size, (2,))
        return Fraction(every.get(((1, 1),), 0), sum(every.values()))

    pairs = tuple(pair(at) for at in range(len(patterns)))
    return DealLaw(pairs, pairs, lambda at: law(at, None), lambda at: law(at, True))


def tally(book, patterns, players, deals, seed):
    rng = np.random.default_rng(seed)
    found = OddsTally.zero(len(patterns), players)
    for deal in range(deals):
        cards = rng.permutation(52)[: players * book.hand_size].reshape(players, -1)
        held = np.zeros((players, len(patterns)), dtype=np.int64)
        for seat in range(players):
            state, hand = 0, hand_of(cards[seat].tolist())
            for rank, targets in zip(READ_ORDER, book.automaton.following, strict=True):
                state = int(targets[state, hand >> 4 * rank & 15])
            held[seat] = int(book.automaton.output[state]) >> np.arange(len(patterns)) & 1
        counts = held & (np.cumsum(held, axis=1) == 1)
        at = deal % BATCHES
        found.deals[at] += 1
        for name, each in (("held", held), ("counts", counts)):
            getattr(found, name)[at] += each.sum(axis=0)
            getattr(found, f"{name}_squares")[at] += each.sum(axis=0) ** 2
        found.seats[at, counts.sum()] += 1
        if counts.any():
            found.wins[at, np.flatnonzero(counts.any(axis=0))[0]] += 1
    return found


def estimate_odds(rules, *, deals, players=4, opening=False, holding=None, dead=None, seed=0, progress=None, **_unused):
    if not 0 < deals <= 10**12:
        raise UsageError(f"deals = {deals}: must be 1 to 1,000,000,000,000")
    provenance, listed, patterns, book, counts = question(
        rules, players, opening, holding, dead, deals=deals, seed=seed
    )
    found = tally(book, patterns, players, deals, seed) if patterns else OddsTally.zero(0, players)
    result = EstimatedOdds(
        provenance, listed, found, 1 if holding or dead else players, counts,
        lambda: deal_law(patterns, book.hand_size, players), seconds=0.5,
    )  # fmt: skip
    if progress:
        progress(deals, deals, result)
    return result


def classify_hand(cards, rules, opening=False):
    hand = hand_of(cards)
    provenance, listed, patterns, book, _ = question(rules, rules.deal.min_players, opening, None, None)
    if hand.bit_count() != book.hand_size:
        raise UsageError(f"{hand.bit_count()} cards: {rules.name} is played with {book.hand_size}")
    held = patterns_of(hand, patterns, book.hand_size) if patterns else []
    low = bool(rules.combinations.straight and rules.combinations.straight.low)
    return HandReport(provenance, hand, tuple(listed[at] for at in held), low)


@pytest.fixture
def api(monkeypatch):
    """Stand in for `tlsim.api`; return the module, for further replacements."""
    module = types.ModuleType("tlsim.api")
    for function in (exact_odds, estimate_odds, classify_hand):
        setattr(module, function.__name__, function)
    monkeypatch.setitem(sys.modules, "tlsim.api", module)
    monkeypatch.setattr(tlsim, "api", module, raising=False)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    return module


@pytest.fixture
def run(api, capfd):  # noqa: ARG001 (stands in)
    """Run a command; return its exit status, standard output and standard error."""

    def call(*arguments):
        status = main([str(word) for word in arguments])
        captured = capfd.readouterr()
        return status, captured.out, captured.err

    return call
