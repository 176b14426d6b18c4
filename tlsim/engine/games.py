"""Whole games as work: matches in groups of 256, rules as values out, integer sums back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tlsim.engine.blocks import Block
from tlsim.engine.tables import game_tables
from tlsim.kernels.choices import MOST_CHOICES
from tlsim.kernels.deal import GROUP, dealer, desk
from tlsim.kernels.detect import Tests, bench, compile_tests
from tlsim.kernels.matches import (
    MOST_SEATS,
    N_CARRIED,
    Hall,
    InstantLists,
    MatchRules,
    Sums,
    empty_sums,
    play_group,
)  # fmt: skip
from tlsim.kernels.policies import LOWEST, RANDOM, SMART
from tlsim.kernels.rng import stream_key
from tlsim.kernels.smart import N_OPTIONS
from tlsim.kernels.table import room
from tlsim.rules import InstantWin, Rules

Ints = NDArray[np.int64]

POLICIES = {"lowest": LOWEST, "random": RANDOM, "smart": SMART}


@dataclass(frozen=True, eq=False)
class GameTally:
    """Integer sums over games; see `tlsim.kernels.matches.Sums`."""

    batches: Ints
    flows: Ints
    patterns: Ints
    money: Ints
    lengths: Ints
    extremes: Ints

    def __add__(self, other: GameTally) -> GameTally:
        added = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        mine, theirs = self.extremes, other.extremes
        first = [_first(one, two) for one, two in zip(mine.tolist(), theirs.tolist(), strict=True)]
        return GameTally(**(added | {"extremes": np.array(first, dtype=np.int64)}))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTally):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]


def _first(one: list[int], two: list[int]) -> list[int]:
    """Return the greater extreme; of equal ones the earlier, whatever the order of adding."""
    return min(one, two, key=lambda row: (-row[0], row[1], row[2]))


def match_rules(rules: Rules, players: int) -> MatchRules:
    """Return all that matches are played by, as flat numbers."""
    tables, lead, lists = game_tables(rules, players), rules.lead, rules.toi_trang
    size = rules.hand_sizes(players)[0]
    wins = [rules.instant_wins(opening, players) for opening in (True, False)]
    opening, regular = wins
    listed = InstantLists(
        _tests(opening, size),
        _tests(regular, size),
        _pays(opening),
        _pays(regular),
        _heo(opening),
        _heo(regular),
        rules.priority(opening=True) == "turn",
        rules.priority(opening=False) == "turn",
        then_opening=bool(lists and lists.after_instant_win == "opening_hand"),
        bars=bool(lists and lists.bars_last_winner),
    )
    return MatchRules(
        tables.clauses,
        tables.prices,
        tables.transfers,
        np.array(tables.points or (), dtype=np.int64),
        listed,
        lead.opening_must_include,
        lead.opening_fallback == "lowest_must_include",
        lead.opening_fallback == "random",
        rules.turn.alternate_direction_each_hand,
    )


def _pays(wins: tuple[InstantWin, ...]) -> Ints:
    return np.array([win.pays_half for win in wins], dtype=np.int64)


def _heo(wins: tuple[InstantWin, ...]) -> int:
    return sum(1 << at for at, win in enumerate(wins) if win.count_heo)


def _tests(wins: tuple[InstantWin, ...], size: int) -> Tests:
    return compile_tests([win.pattern for win in wins], size)


@dataclass(frozen=True)
class GameWork:
    """Play matches and add them up.

    Parameters
    ----------
    seed
        Seed of deals and choices.
    rules, players
        What is played, by how many.
    policies
        Number of the policy of each seat.
    match_length
        Games of a match.
    """

    seed: int
    rules: Rules
    players: int
    policies: tuple[int, ...]
    match_length: int

    def zero(self) -> GameTally:
        """Return the tally of no games."""
        return GameTally(*empty_sums(self.players))

    @cached_property
    def _fixed(self) -> tuple[Any, ...]:
        size = self.rules.hand_sizes(self.players)[0]
        return (
            stream_key(self.seed),
            dealer(self.players, size),
            match_rules(self.rules, self.players),
            np.array(self.policies, dtype=np.int64),
        )

    def hall(self) -> Hall:
        """Return room for a group of matches."""
        deck = self._fixed[1]
        return Hall(
            np.zeros((deck.seats, GROUP), np.int64),
            np.zeros((GROUP, N_CARRIED), np.int64),
            np.zeros((GROUP, 2 * MOST_SEATS), np.int64),
            desk(),
            bench(self.players * GROUP),
            bench(self.players * GROUP),
            room(self.players),
        )

    def _deciding(self) -> tuple[Ints | None, Ints | None]:
        """Return what random and smart seats need, None where there is no such seat: then it is not compiled."""
        choices = np.zeros((MOST_CHOICES, 3), np.int64) if RANDOM in self.policies else None
        return choices, np.zeros(N_OPTIONS, np.int64) if SMART in self.policies else None

    def __call__(self, block: Block, stop: NDArray[np.int64] | None = None) -> GameTally | None:
        """Return the tally of a block of matches, or None where it was stopped."""
        key, deck, rules, policies = self._fixed
        hall, sums, deciding = self.hall(), empty_sums(self.players), self._deciding()
        for at in range(-(-block.deals // GROUP)):
            if stop is not None and stop[0]:
                return None
            matches = min(GROUP, block.deals - at * GROUP)
            play_group(
                key, deck, rules, hall, policies, *deciding, block.first + at, matches, self.match_length, -1, sums
            )
        return GameTally(*sums)

    def one(self, match: int, game: int) -> Hall:
        """Play one match up to a game; return where it was played, and what carried over."""
        key, deck, rules, policies = self._fixed
        hall, sums = self.hall(), empty_sums(self.players)
        group, at = divmod(match, GROUP)
        play_group(key, deck, rules, hall, policies, *self._deciding(), group, at + 1, self.match_length, game, sums)
        return hall


__all__ = ["POLICIES", "GameTally", "GameWork", "Sums", "match_rules"]
