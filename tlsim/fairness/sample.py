"""`Sample`: games looked at one by one, for what their sums do not tell; everything is added up by match."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from tlsim.engine.game_work import GameWork
from tlsim.engine.identity import Identity, identity_of_all
from tlsim.engine.rule_numbers import REASONS, leftover_prices
from tlsim.engine.work import Flag, Work
from tlsim.intervals import ratio_mean
from tlsim.kernels import row as c
from tlsim.kernels.deal import GROUP
from tlsim.kernels.hall import Hall
from tlsim.kernels.matches import WENT
from tlsim.kernels.money import EACH_PAYS_OWN
from tlsim.kernels.row import Ints
from tlsim.results.game_stats import ITEMS
from tlsim.tally import Tally

TWOS, BOMBS = ITEMS[:4], ITEMS[4:7]
THINGS = (*ITEMS, "cong", "bao_sam")
LEFT, CHOPPED, USED, LEFT_COST, CHOPPED_COST, GAIN, N_FACTS = range(7)
MONEY = (*REASONS, "points")  # reasons why a seat's money moves; points by place are paid by nobody
_UNITS = 64  # of a whole sample
_THREE_SPADES, _CONG, _SAM = (THINGS.index(name) for name in ("ba_bich", "cong", "bao_sam"))
_PAID = {  # reason: thing, and what it is to who holds it
    c.THUI_3_BICH: (_THREE_SPADES, LEFT_COST), c.CHAN_3_BICH: (_THREE_SPADES, CHOPPED_COST),
    c.KET_3_BICH: (_THREE_SPADES, GAIN), c.CONG: (_CONG, LEFT_COST), c.DEN_CONG: (_CONG, LEFT_COST),
    c.SAM: (_SAM, GAIN), c.SAM_BLOCKED: (_SAM, CHOPPED_COST),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sample(Tally):
    """Sums over the games of each match, with room for all that may be played; money in half units, int64."""

    done: Ints  # [matches]: 1 for those that were played
    things: Ints  # [matches, things, facts]: how often left over (cóng: happened), chopped, used; its cost, its gain
    money: Ints  # [matches, players, reasons]: what each seat got less what it paid, by `MONEY`
    products: Ints  # [matches, reasons, reasons]: of a seat's money of one game by two reasons, over all seats
    with_net: Ints  # [matches, players, reasons]: of a seat's money of one game by a reason and all of it
    nets: Ints  # [matches, games of a match, players]: what a seat gained

    @property
    def played(self) -> "Sample":
        """The matches that were played."""
        return Sample(*(getattr(self, f.name)[self.done == 1] for f in fields(self)))

    @property
    def won(self) -> Ints:
        """What a seat gained in the games in which it gained, [matches, players]."""
        return np.asarray(self.nets.clip(min=0).sum(axis=1))

    @property
    def wins(self) -> Ints:
        """How many games these were, [matches, players]."""
        return np.asarray((self.nets > 0).sum(axis=1))

    @property
    def length(self) -> int:
        """Games of a match."""
        return int(self.nets.shape[1])

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.nets.shape[2])

    @property
    def matches(self) -> int:
        """Number of matches."""
        return len(self.money)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.matches * self.length

    def per_game(self, by_match: Ints) -> tuple[float, float]:
        """Return the mean per game of sums by match, and its error over matches; NaN for a single match."""
        return ratio_mean(by_match, np.full(self.matches, self.length))

    def per_hand(self, thing: int, *facts: tuple[int, int]) -> tuple[float, float]:
        """Return the mean per hand dealt of facts of a thing, each times a number, and its error over matches."""
        sums = sum(times * self.things[:, thing, fact] for fact, times in facts)
        mean, error = self.per_game(np.asarray(sums))
        return mean / self.players, error / self.players


@dataclass(frozen=True)
class SampleWork(Work[Sample]):
    """Play matches and look at every game."""

    work: GameWork
    matches: int  # no more can be asked for

    @property
    def unit(self) -> int:
        """Matches of a unit of work: few enough to be told often, and units few enough to be added with ease."""
        return -(-self.matches // _UNITS)

    def identity(self) -> Identity:
        """Return what changes the answer."""
        return identity_of_all("sample", [self.work.identity()], matches=self.matches)

    def zero(self) -> Sample:
        """Return the sums of no games."""
        matches, players, reasons = self.matches, self.work.players, len(MONEY)
        each = (self.work.match_length, players)
        shapes = ((), (len(THINGS), N_FACTS), (players, reasons), (reasons, reasons), (players, reasons), each)
        return Sample(*(np.zeros((matches, *shape), np.int64) for shape in shapes))

    def tally_of(self, first: int, number: int, stop: Flag) -> Sample | None:
        """Return the sums of so many matches from one on, or None where it was stopped."""
        tally, prices = self.zero(), leftover_prices(self.work.rules)
        items = (*prices.twos, prices.pair_run_3, prices.quad, prices.pair_run_4)
        matches = range(first, first + number)
        for at, hall in enumerate(self.work.games_of(*matches)):
            if stop is not None and stop[0]:
                return None
            match, game = first + at // self.work.match_length, at % self.work.match_length
            _add_money(tally, hall, match, game)
            _add_things(tally.things[match], hall.game, items)
        tally.done[matches.start : matches.stop] = 1
        return tally


def _add_money(sample: Sample, hall: Hall, match: int, game: int) -> None:
    """Add the money of a game that has just been played to the sums of its match."""
    row, players = hall.game, sample.nets.shape[2]
    turn = int(hall.carried[match % GROUP, WENT])
    seats = [position * turn % players for position in range(players)]
    money = np.zeros((players, len(MONEY)), np.int64)
    for reason, payer, receiver, amount in _flows(row):
        money[seats[payer], reason] -= amount
        money[seats[receiver], reason] += amount
    net = np.zeros(players, np.int64)
    net[seats] = row[c.NET : c.NET + players]
    money[:, -1] = net - money.sum(axis=1)
    sample.money[match] += money
    sample.products[match] += money.T @ money
    sample.with_net[match] += money * net[:, None]
    sample.nets[match, game] = net


def _flows(row: Ints) -> list[list[int]]:
    """Return the payments of a game in order: reason, payer, receiver, half units."""
    flows: list[list[int]] = row[c.FLOWS : c.FLOWS + 4 * row[c.N_FLOWS]].reshape(-1, 4).tolist()
    return flows


def _add_things(things: Ints, row: Ints, items: tuple[int, ...]) -> None:
    """Add what happened to 2s, bombs, 3♠, who was cóng and who called; what is left over costs its price."""
    events, flows = row[c.EVENTS : c.EVENTS + c.N_EVENTS], _flows(row)
    left = events[c.EV_THOI : c.EV_THOI + c.N_THOI]
    rotten = left[: len(items)] * items
    things[: c.N_THOI, LEFT] += left
    things[: len(items), LEFT_COST] += rotten
    things[_THREE_SPADES, CHOPPED] += events[c.EV_KET_BLOCKED]
    things[_THREE_SPADES, USED] += events[c.EV_KET_MADE]
    things[_CONG, LEFT] += int(row[c.CONG_SEATS]).bit_count()
    things[_SAM, USED] += row[c.ENDING] == c.CALL_MADE
    things[_SAM, CHOPPED] += row[c.ENDING] in {c.CALL_BLOCKED, c.CALL_STUCK}
    for reason, _, _, amount in flows:
        if reason in _PAID:
            things[_PAID[reason]] += amount
    if row[c.LIABLE]:  # who pays for a cóng table pays for what is left over, too
        things[_CONG, LEFT_COST] -= rotten.sum() - sum(flow[3] for flow in flows if flow[0] == c.THOI)
    if events[c.EV_CHOPS : c.EV_CHAINS].any():
        _add_chops(things, row, flows)


def _add_chops(things: Ints, row: Ints, flows: list[list[int]]) -> None:
    links = links_of(row)
    for link in links:
        things[_bomb_at(link.bomb), USED] += 1
        for thing, _ in _shares_of(row, link.target, link.cards):
            things[thing, CHOPPED] += 1
    for paid, _, _, amount in paid_links(links, flows, each_own=row[c.CHAIN] == EACH_PAYS_OWN):
        things[_bomb_at(c.RUN_4 if paid is None else paid.bomb), GAIN] += amount
        if paid is not None:
            split = _shares_of(row, paid.target, paid.cards)
            whole, rest = sum(share for _, share in split), amount
            for thing, share in split[:-1]:
                part = amount * share // whole if whole else 0
                things[thing, CHOPPED_COST] += part
                rest -= part
            things[split[-1][0], CHOPPED_COST] += rest


def _bomb_at(bomb: int) -> int:
    """Return the thing that a bomb is; four pairs and more are one."""
    return len(TWOS) + min(bomb, c.RUN_4) - c.RUN_3


def _shares_of(row: Ints, target: int, cards: int) -> list[tuple[int, int]]:
    """Return the things that a chopped set is made of, with their prices: 2s by suit, or a bomb."""
    if target > c.TWO_TWOS and target != c.THREE_TWOS:
        return [(_bomb_at(target - c.ON_RUN_3 + c.RUN_3), 1)]
    return [(suit, int(row[c.TWO_PRICES + suit])) for suit in range(4) if cards >> 48 + suit & 1]


# --- chops, read from the log ---


class Link(NamedTuple):
    """A chop in the log of a game: who laid what, and who chopped it by what; seats are positions in turn."""

    trick: int
    victim: int
    chopper: int
    target: int  # what was chopped: `tlsim.kernels.row.TWO` …
    bomb: int  # by what: `RUN_3` …; longer runs that are no bombs count as `RUN_5`, `RUN_6`
    cards: int  # that were chopped, 52 bits


def links_of(row: Ints) -> list[Link]:
    """Return the chops of a game that has been played, in order."""
    players = int(row[c.PLAYERS])
    left = [int(hand).bit_count() for hand in row[c.DEALT : c.DEALT + players]]
    active, passed, owner, trick, table, links = (1 << players) - 1, 0, 0, 0, 0, []
    for entry in row[c.LOG : c.LOG + row[c.PLAYS]].tolist():
        seat, cards = entry >> c.SEAT_SHIFT & 7, entry & c.ALL_CARDS
        if not cards:
            passed |= 0 if entry & c.IS_STUCK else 1 << seat
            continue
        closed = not table or not active & ~passed & ~(1 << owner)
        if closed and not entry & c.INTERRUPT:
            passed, trick = 0, trick + 1
        elif bomb := _chops(row, entry, table):
            links.append(Link(trick, owner, seat, _target(row, table), bomb, table & c.ALL_CARDS))
            passed = 0 if row[c.PASS_RESET_ON_CHOP] else passed
        passed = passed & ~(1 << seat) if row[c.PASS_LOCKS] else 0
        owner, table = seat, entry
        left[seat] -= cards.bit_count()
        if not left[seat]:
            active &= ~(1 << seat)
            if row[c.FINISHED] and seat == row[c.FINISHERS]:
                active &= ~int(row[c.CONG_SEATS])
    return links


def _chops(row: Ints, play: int, table: int) -> int:
    """Return the bomb by which a play chops what lies on the table; 0 where it is no chop."""
    bomb, target, pairs = _bomb(row, play), _target(row, table), _pairs(play & c.ALL_CARDS)
    if target == c.THREE_TWOS and pairs >= 5:  # these may be no bombs
        bomb = min(pairs - 1, c.RUN_6)
    return bomb if target and bomb and int(row[c.CHOPS + bomb]) >> target & 1 else 0


def _target(row: Ints, play: int) -> int:
    """Return what a set is for a bomb."""
    cards = play & c.ALL_CARDS
    if bomb := _bomb(row, play):
        return c.ON_RUN_3 + bomb - c.RUN_3
    only_twos = cards & ~c.TWOS == 0 and cards.bit_count() <= 3
    return (c.TWO, c.TWO_TWOS, c.THREE_TWOS)[cards.bit_count() - 1] if only_twos else c.NO_TARGET


def _bomb(row: Ints, play: int) -> int:
    """Return which bomb a set is, if any."""
    cards = play & c.ALL_CARDS
    if play & (c.AS_QUAD | c.AS_RUN_4):
        return c.QUAD_BOMB if play & c.AS_QUAD else c.RUN_4
    if cards.bit_count() == 4 and len(_ranks(cards)) == 1:
        return c.QUAD_BOMB
    pairs = _pairs(cards)
    if 3 <= pairs <= 4:
        return c.RUN_3 if pairs == 3 else c.RUN_4
    return pairs - 1 if row[c.SUPERSET] and 5 <= pairs <= 6 else c.NO_BOMB


def _pairs(cards: int) -> int:
    """Return how many pairs follow one another where cards are a run of pairs, else 0."""
    ranks = _ranks(cards)
    run = ranks == list(range(min(ranks, default=0), min(ranks, default=0) + len(ranks)))
    return len(ranks) if run and all((cards >> 4 * rank & 15).bit_count() == 2 for rank in ranks) else 0


def _ranks(cards: int) -> list[int]:
    return [rank for rank in range(13) if cards >> 4 * rank & 15]


def paid_links(
    links: list[Link], flows: Iterable[list[int]], *, each_own: bool = False
) -> list[tuple[Link | None, int, int, int]]:  # fmt: skip
    """Return what was paid for chops: the chop that it was for, payer, receiver, half units.

    A payment is for the last chop of a trick (``each_own``: the first) of the receiver on the payer, or a bonus.
    """
    found: list[tuple[Link | None, int, int, int]] = []
    at = 0
    for reason, payer, receiver, amount in flows:
        if reason != c.CHOP:
            continue
        same = [n for n in range(at, len(links)) if (links[n].victim, links[n].chopper) == (payer, receiver)]
        same = [n for n in same if links[n].trick == links[same[0]].trick]
        chosen = same[:1] if each_own else same[-1:]
        found.append((links[chosen[0]] if chosen else None, payer, receiver, amount))
        at = chosen[0] + 1 if chosen else at
    return found
