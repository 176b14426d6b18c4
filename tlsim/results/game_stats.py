"""`GameStats`, what `tlsim.simulate` returns: what happens in games, by name; `MeanMoney`: seats, less known luck."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from tlsim.columns import Row, Table, View
from tlsim.engine.game_work import GameTally
from tlsim.engine.moments import Estimate, Moments
from tlsim.engine.rule_numbers import REASONS
from tlsim.errors import Sentence, unknown, wrong
from tlsim.exact.automaton import HandBook
from tlsim.intervals import korn_graubard, rate_interval, ratio_design_effect
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.row import Ints
from tlsim.results import game_views as v
from tlsim.results.batches import share
from tlsim.results.game_views import AMOUNTS, GAME_VIEWS, HOW_GAMES_END, PRECISE, QUANTILES, SAM_CALLS, TITLE_VIEWS
from tlsim.results.pictures import GAMES, MONEY
from tlsim.results.provenance import Known
from tlsim.results.result import RunResult, games_played
from tlsim.results.titles import CallStakes, Ladder, call_rows, run_rows, transition_rows, win_rows, worth_rows
from tlsim.show import Note
from tlsim.terms import BOMBS, term

CALLS, TITLES = (SAM_CALLS.name,), tuple(view.name for view in TITLE_VIEWS)
PICTURES = tuple(GAMES)
_EXTREMES = ("largest_loss", "longest_chain", "longest_game")


ENDINGS = {
    c.NORMAL: "played_out", c.WHOLE_TABLE_CONG: "cong_table", c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang",
    c.ALL_STUCK: "all_stuck", c.INSTANT: "toi_trang", c.CALL_MADE: "sam_made", c.CALL_BLOCKED: "sam_blocked",
    c.CALL_STUCK: "sam_stuck",
}  # fmt: skip
TARGETS = ("heo", "doi_heo", "ba_heo", *BOMBS)
ITEMS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co", *BOMBS, "ba_bich")
EVENTS = {
    **{f"chop_{bomb}_{target}": c.EV_CHOPS + c.N_TARGETS * i + j
       for i, bomb in enumerate(BOMBS) for j, target in enumerate(TARGETS)},
    **{f"chain_of_{n + 1}": c.EV_CHAINS + n for n in range(c.MOST_LINKS)},
    "void_chain": c.EV_VOID_CHAIN, "free_chop": c.EV_FREE_CHOP, "huong_sai": c.EV_HUONG_SAI,
    "out_on_two": c.EV_OUT_ON_TWO, "ket_3_bich_tried": c.EV_KET_TRIED, "ket_3_bich_made": c.EV_KET_MADE,
    "ket_3_bich_blocked": c.EV_KET_BLOCKED, **{f"thoi_{item}": c.EV_THOI + n for n, item in enumerate(ITEMS)},
    "sam_called": c.EV_CALLS, "den_bao": c.EV_DEN_BAO, "revolution": c.EV_REVOLUTION,
}  # fmt: skip
CONG = ("one", "two", "three", "four")


@dataclass(frozen=True)
class GameStats(RunResult):
    """Whole games, simulated. Two results over different seeds add by ``+``; standard errors are over matches.

    Pictures: ``distribution``: every seat's money per game; ``seats``, ``roles``, ``events``, ``reasons``,
    ``sam_calls``, ``titles``, ``title_runs`` (of titles held 25 times or more), ``title_worth``, ``match_wins``.

    >>> import tlsim
    >>> stats = tlsim.simulate("tong_thong", games=4000, policies="smart", seed=7)
    >>> moves = stats.to_frame("titles").pivot(index="from", columns="to", values="share")
    >>> bool(moves.loc["tong_thong", "tong_thong"] > 0.3)  # a president stays more often than one in four
    True
    """

    policies: tuple[str, ...]  # policy of each seat
    match_length: int  # games of a match, the independent unit: standard errors are taken over matches
    matches: int  # number of matches played
    tally: GameTally  # integer sums; money in half units
    patterns: tuple[tuple[str, ...], tuple[str, ...]]  # ids of the tới trắng list of regular and of opening games
    books: tuple[HandBook | None, HandBook | None]  # all hands by what they hold; None where cards are given
    stakes: CallStakes | None = None  # what a call of Sâm wins and loses; None where the rules have none
    ladder: Ladder | None = None  # the titles of Tổng thống; None where the rules have none

    VIEWS = GAME_VIEWS
    PICTURES = GAMES
    TOLD = ("policies", "match_length", "matches", "games", "stopped")

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.policies)

    @cached_property
    def _sums(self) -> list[list[int]]:
        """Sums over the batches: of regular games, of opening games, and of the money of whole matches."""
        return [[int(value) for value in kind.sum(axis=0)] for kind in self.tally.batches]

    @cached_property
    def exact(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """By list, the exact share of hands of which each pattern is the strongest; None where cards are given."""
        found = zip(self.patterns, [book.count() if book else None for book in self.books], strict=True)
        return tuple(
            tuple(Fraction(n, counted.hands) for n in counted.counts) if counted else (None,) * len(ids)
            for ids, counted in found
        )

    def _both(self, at: int) -> int:
        """Return a sum over regular and opening games."""
        return self._sums[m.REGULAR_GAMES][at] + self._sums[m.OPENING_GAMES][at]

    @property
    def games(self) -> int:
        """Number of games played."""
        return self._both(m.S_GAMES)

    def __add__(self, other: "GameStats") -> "GameStats":
        if not isinstance(other, GameStats):
            return NotImplemented
        alike = ("policies", "match_length")
        return self._added(other, alike, matches=self.matches + other.matches, tally=self.tally + other.tally)

    def applies(self, view: str) -> bool:
        """Whether the rules give a view something to look at."""
        return view in views_of(calls=self.stakes is not None, titles=self.ladder is not None)

    def check_view(self, view: str) -> None:
        """Refuse a view that there is not, saying why."""
        check_view(view, self.views, self.provenance.rules)

    def view(self, name: str) -> View:
        """Return what the columns of a view are; the last place has a name of its own."""
        found, last = super().view(name), f"place_{self.players}"
        columns = (replace(c, word="place_last") if c.key == last else c for c in found.columns)
        return replace(found, columns=tuple(columns))

    def tables(self) -> list[Table]:
        """Return all views with their rows, and how games end before all that happens in them."""
        found = super().tables()
        return [found[0], replace(self.table_of("events"), view=HOW_GAMES_END), *found[1:]]

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        said = [Note.on(term("note_strength", lang), "sam_calls", "difference_sam_calls")] if self.stakes else []
        said += [Note.on(term("note_void", lang), "endings", "events", "sam_calls")] if self.stakes else []
        return [*said, games_played(self.games, self.seconds, lang)]

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (all are common)
        """Return all quantities by name, with their errors.

        ``seat_0`` and ``role_0`` …: mean money per game; the names of the table of events: how often per game.
        """
        found: dict[str, Known] = {}
        for view in ("seats", "roles"):
            found |= {f"{view[:-1]}_{at}": (row["mean"], row["std_error"]) for at, row in enumerate(self.rows(view))}
        return found | {row["event"]: (row["per_game"], row["std_error"]) for row in self.rows("events")}

    def _mean(self, kind: int, at: int) -> Row:
        """Return the mean per game of a kind, and its standard error over matches (of a ratio: Cochran 1977, §2.11)."""
        sums, n = self._sums[kind], self.matches
        games = self.games if kind == m.ALL_GAMES else sums[m.S_GAMES]
        if not games:
            return {"mean": None, "std_error": None}
        total, squares, products = (sums[at + part] for part in (m.NET_SUM, m.NET_SQUARES, m.NET_GAMES))
        residual = squares * games**2 - 2 * total * games * products + total**2 * sums[m.S_GAME_SQUARES]
        error = math.sqrt(Fraction(residual * n, (n - 1) * games**4)) / 2 if n > 1 else None
        return {"mean": total / 2 / games, "std_error": error}

    def _money(self, at: int) -> Row:
        """Return the money per game, its spread, the shares of the places, and opening and regular games apart."""
        games = max(1, self.games)
        mean = self._sums[m.ALL_GAMES][at + m.NET_SUM] / games
        spread = math.sqrt(max(0.0, self._both(at + m.GAME_SQUARES) / games - mean**2)) / 2
        row = self._mean(m.ALL_GAMES, at) | {"spread": spread}
        row |= {f"place_{i + 1}": self._both(at + m.PLACE_COUNTS + i) / games for i in range(self.players)}
        for name, kind in (("opening", m.OPENING_GAMES), ("regular", m.REGULAR_GAMES)):
            row |= {f"{name}_{key}": value for key, value in self._mean(kind, at).items()}
        return row

    def _seats(self) -> list[Row]:
        return [
            {"seat": seat, "policy": policy} | self._money(m.S_SEATS + seat * m.N_PER_SEAT)
            for seat, policy in enumerate(self.policies)
        ]

    def _roles(self) -> list[Row]:
        return [{"role": role} | self._money(m.S_ROLES + role * m.N_PER_SEAT) for role in range(self.players)]

    def _events(self) -> list[Row]:
        places = {name: m.S_ENDINGS + ending for ending, name in ENDINGS.items()}
        places |= {f"cong_{CONG[n - 1]}": m.S_CONG + n for n in range(1, self.players)}
        places["den_cong"] = m.S_DEN
        rows = [self._event(name, at, once=True) for name, at in places.items()]
        rows += [self._event(name, m.S_EVENTS + event, once=False) for name, event in EVENTS.items()]
        games = self.tally.batches[:2, :, m.S_GAMES]
        return [self._rate("opening_games", games[m.OPENING_GAMES], games.sum(axis=0), once=True), *rows]

    def _event(self, name: str, at: int, *, once: bool) -> Row:
        """Return how often something happens that can happen once in a game, or several times."""
        counts, games = self.tally.batches[:2, :, at], self.tally.batches[:2, :, m.S_GAMES]
        row = self._rate(name, counts.sum(axis=0), games.sum(axis=0), once=once)
        row["per_hand"] = row["per_game"] / self.players
        for kind, word in ((m.OPENING_GAMES, "opening"), (m.REGULAR_GAMES, "regular")):
            played = int(games[kind].sum())
            row[f"per_{word}_game"] = int(counts[kind].sum()) / played if played else None
        return row

    def _rate(self, name: str, counts: Ints, games: Ints, *, once: bool) -> Row:
        """Return how often something happens per game, with an error from the batches of matches."""
        count, played = int(counts.sum()), int(games.sum())
        row = {"event": name, "count": count, "per_game": count / max(1, played)}
        if once:
            found = share(counts, games, self.level)
            return row | {key: found[key] for key in ("std_error", "ci_low", "ci_high")}
        used = games > 0
        effect = ratio_design_effect(counts[used], games[used])
        low, high = rate_interval(count, played, effect, self.level)
        error = math.sqrt(effect * count) / played if count and used.sum() > 1 else None
        return row | {"std_error": error, "ci_low": low, "ci_high": high}

    def _toi_trang(self) -> list[Row]:
        """Return how many games patterns won, and of how many hands each was the strongest, beside the exact share."""
        rows = []
        for kind, which in ((m.OPENING_GAMES, "opening"), (m.REGULAR_GAMES, "regular")):
            games = self._sums[kind][m.S_GAMES]
            for at, pattern in enumerate(self.patterns[kind]):
                won, held = (int(self.tally.patterns[what, kind, at]) for what in (m.WINNERS, m.HOLDERS))
                low, high = korn_graubard(won, games, level=self.level)
                rows.append(v.TOI_TRANG.row(
                    list=which, pattern=pattern, count=won, per_game=won / max(1, games), ci_low=low, ci_high=high,
                    hands=held, per_hand=held / max(1, games * self.players), exact_per_hand=self.exact[kind][at],
                ))  # fmt: skip
        return rows

    def _reasons(self) -> list[Row]:
        rows, games = [], max(1, self.games)
        for at, reason in enumerate(REASONS):
            count, halves = (self._both(m.S_REASONS + 2 * at + part) for part in range(2))
            rows.append({"reason": reason, "payments": count, "money": halves / 2, "payments_per_game": count / games,
                         "money_per_game": halves / 2 / games})  # fmt: skip
        return rows

    def _flows(self) -> list[Row]:
        flows = self.tally.flows.sum(axis=0)
        return [
            {"reason": REASONS[reason], "from": payer, "to": receiver, "money": int(flows[reason, payer, receiver]) / 2}
            for reason, payer, receiver in np.argwhere(flows).tolist()
        ]

    def _distribution(self) -> list[Row]:
        amounts = [-math.inf, *((at - m.HALF_WIDTH) / 2 for at in range(1, 2 * m.HALF_WIDTH)), math.inf]
        rows: list[Row] = []
        for seat, below in enumerate(np.cumsum(self.tally.money.sum(axis=0), axis=1)):
            found = ((q, np.searchsorted(below, math.ceil(q * self.games), side="left")) for q in QUANTILES)
            rows.append({"seat": seat} | {f"q{100 * q:g}": amounts[at] for q, at in found})
        return rows

    def _length(self) -> list[Row]:
        return [{"entries": at, "games": int(n)} for at, n in enumerate(self.tally.lengths.sum(axis=0).tolist()) if n]

    def _extremes(self) -> list[Row]:
        return [
            {"extreme": name, "value": value / 2 if name == "largest_loss" else value, "match": match, "game": game}
            for name, (value, match, game) in zip(_EXTREMES, self.tally.extremes.tolist(), strict=True)
            if value >= 0
        ]

    def _rows_of(self, view: str) -> list[Row]:
        made = {"titles": transition_rows, "title_runs": run_rows, "title_worth": worth_rows}.get(view)
        return super()._rows_of(view) if made is None or self.ladder is None else made(self.tally.titles, self.ladder)

    def _sam_calls(self) -> list[Row]:
        return call_rows(self.tally.calls, self.policies, self.stakes) if self.stakes else []

    def _match_wins(self) -> list[Row]:
        return win_rows(self.tally.titles, self.policies)

    def drawn(self, view: str) -> Table:
        """Return what is drawn of a view: of ``distribution`` how often each seat ends a game with which money."""
        if view != "distribution":
            return super().drawn(view)
        money, games = self.tally.money.sum(axis=0), max(1, self.games)
        rows: list[Row] = [
            {"seat": seat, "policy": self.policies[seat], "amount": (at - m.HALF_WIDTH) / 2, "share": share}
            for seat, at in np.argwhere(money).tolist()
            for share in [int(money[seat, at]) / games]
        ]
        return self.provenance.table(AMOUNTS, rows)

    def seat_money(self) -> Ints:
        """Return the money of each seat by batch of matches, in half units; int64, shape (256, players)."""
        at = [m.S_SEATS + seat * m.N_PER_SEAT for seat in range(self.players)]
        return np.asarray(self.tally.batches[m.ALL_GAMES][:, at])

    def batch_games(self) -> Ints:
        """Return the number of games by batch of matches; int64, shape (256,)."""
        return np.asarray(self.tally.batches[:2, :, m.S_GAMES].sum(axis=0))


@dataclass(frozen=True)
class MeanMoney(RunResult):
    """Mean money per game of every seat; where seats are rotated, of the player who begins in that seat."""

    policies: tuple[str, ...]  # policy of each seat
    rotated: bool  # whether every deal was played by each player in each seat
    match_length: int  # games of a match
    moments: Moments = field(repr=False)  # sums over matches
    money: tuple[int, ...]  # column of each seat's money
    controls: tuple[tuple[Sequence[int], Sequence[Fraction]], ...] = field(repr=False)  # of each seat: columns, means

    VIEWS = (PRECISE,)
    PICTURES = MONEY
    TOLD = ("policies", "match_length", "games", "stopped")

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.moments.matches * self._each

    @property
    def _each(self) -> int:
        return self.match_length * (len(self.policies) if self.rotated else 1)

    def estimate(self, seat: int, *, adjusted: bool = True) -> Estimate:
        """Return the mean money per game of a seat, adjusted by the controls or plain."""
        weights = {self.money[seat]: 0.5}
        found = self.moments.adjusted(weights, *self.controls[seat]) if adjusted else self.moments.mean(weights)
        return found.times(1 / self._each)

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (all are common)
        """Return all quantities by name, with their errors: the mean money of each seat, ``seat_0`` and so on."""
        return {f"seat_{seat}": self.estimate(seat).known for seat in range(len(self.policies))}

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the table."""
        few = all(row["variance_ratio"] in (1, None) for row in self.rows())
        said = ["note_rotated"] * self.rotated + ["note_few_matches" if few else "note_precise"]
        return [*(term(note, lang) for note in said), games_played(self.games, self.seconds, lang)]

    def _precise(self) -> list[Row]:
        rows = []
        for seat, policy in enumerate(self.policies if self.games else ()):
            plain, found = self.estimate(seat, adjusted=False), self.estimate(seat)
            low, high = found.interval(self.level)
            ratio = (plain.std_error / found.std_error) ** 2 if plain.std_error and found.std_error else None
            rows.append(PRECISE.row(seat=seat, policy=policy, mean=found.known, ci_low=low, ci_high=high,
                                    plain_mean=plain.known, variance_ratio=ratio))  # fmt: skip
        return rows


def views_of(*, calls: bool, titles: bool) -> tuple[str, ...]:
    """Return the names of the views of games with or without calls of Sâm, and titles."""
    skipped = (() if calls else CALLS) + (() if titles else TITLES)
    return tuple(view.name for view in GAME_VIEWS if view.name not in skipped)


def check_view(view: str, views: Sequence[str], rules: str | None) -> None:
    """Refuse a view that is not among those of a result, saying why."""
    if view in views:
        return
    if view not in CALLS + TITLES:
        raise unknown("view", view, views)
    what = Sentence("báo Sâm (bao_sam)") if view in CALLS else Sentence("titles (president)")
    raise wrong("view", view, "{rules} has no {what}; its views are {names}", rules=rules, what=what,
                names=", ".join(views))  # fmt: skip
