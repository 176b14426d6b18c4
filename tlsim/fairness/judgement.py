"""`Fairness`: what `tlsim.payout_fairness` returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tlsim import terms
from tlsim.errors import UsageError, suggestion
from tlsim.fairness.findings import verdicts_on_games
from tlsim.fairness.pictures import PICTURES, check_picture, draw_played
from tlsim.fairness.played import PLAYED_VIEWS, Played
from tlsim.fairness.prices import PAIR_COLUMNS, PRICE_COLUMNS, SUMMARY_COLUMNS, Prices, Which
from tlsim.fairness.rake import RAKE_COLUMNS, rake_rows
from tlsim.fairness.table import Ask, FairTable, make_table
from tlsim.fairness.verdicts import VERDICT_COLUMNS, Verdict, amount, verdicts_on
from tlsim.results.parts import Provenance, Row, frame, html, provenance_note, shown, shown_one_in
from tlsim.rules import Rules

HEO_DEALS = 4_000_000  # deals from which the cost of đếm heo is known: a third of a second
VIEWS = {
    "prices": PRICE_COLUMNS, "summary": SUMMARY_COLUMNS, "pairs": PAIR_COLUMNS, "verdicts": VERDICT_COLUMNS,
    "rake": RAKE_COLUMNS, **PLAYED_VIEWS, "game_verdicts": VERDICT_COLUMNS,
}  # fmt: skip


@dataclass(frozen=True)
class Fairness:
    """The price lists of a rule set, held against exact odds.

    Parameters
    ----------
    provenance
        What the numbers rest on.
    rules
        The rules.
    lists
        One entry per tới trắng list; empty where the rules have none.
    ask
        Gives the exact odds of a list under other rules.
    tolerance
        How many times too dear or too cheap a price may be.
    rake
        Share that the house takes of what a winner gets, or None.
    origin
        Preset or file that the rules came from, if known.
    played
        Whole games, for what cannot be counted; None without.
    dem_heo
        Gives what đếm heo adds to the cost of a list, per player and 1,000 deals, and its standard error; None without.
    """

    provenance: Provenance
    rules: Rules
    lists: tuple[Prices, ...]
    ask: Ask = field(compare=False, repr=False)
    tolerance: float
    rake: Fraction | None = None
    origin: str | None = None
    played: Played | None = None
    dem_heo: Callable[[Which], tuple[float, float]] | None = field(default=None, compare=False, repr=False)

    @cached_property
    def _summary(self) -> tuple[Row, ...]:
        """One row per list; what đếm heo costs is dealt when this is first asked for."""
        rows = []
        for prices in self.lists:
            row = prices.summary()
            if self.dem_heo is not None and any(entry.count_heo for entry in prices.listed):
                row["heo_per_1000"], row["heo_error"] = self.dem_heo(prices.which)
            rows.append(row)
        return tuple(rows)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What there is to say about each list."""
        return tuple(verdict for prices in self.lists for verdict in verdicts_on(prices, self.tolerance))

    @property
    def lacks_opening(self) -> bool:
        """Whether opening games, asked about with the others, have no list while regular ones have one."""
        one = self.rules.toi_trang is not None and self.rules.toi_trang.opening_list_mode == "one_list"
        return self.provenance.opening is None and not one and [p.which for p in self.lists] == ["regular"]

    @property
    def complete(self) -> bool:
        """Whether no games were interrupted so far; what was is partial, and stays so."""
        return self.played is None or self.played.complete

    @property
    def stopped(self) -> str:
        """Why games stopped so far, where that was not for their number; see `tlsim.engine.run.REASONS`."""
        return "" if self.played is None else self.played.stopped

    @cached_property
    def game_verdicts(self) -> tuple[Verdict, ...]:
        """What there is to say about whole games; they are played when this is first asked for."""
        return () if self.played is None or not self.played.has_all else verdicts_on_games(self.played)

    @property
    def findings(self) -> tuple[Verdict, ...]:
        """The verdicts on the lists that crossed a threshold."""
        return tuple(verdict for verdict in self.verdicts if verdict.finding)

    @property
    def game_findings(self) -> tuple[Verdict, ...]:
        """The verdicts on whole games that crossed a threshold."""
        return tuple(verdict for verdict in self.game_verdicts if verdict.finding)

    def fair_table(self, method: str = "reordered", cap: float | None = None, units: str = "half") -> FairTable:
        """Return a table of fairer prices, and the odds under the order that follows from them.

        Parameters
        ----------
        method
            ``reordered``: the same prices, handed out by rarity; ``proportional``: prices proportional to 1/p;
            ``logarithmic``: proportional to log 1/p. The last two cost as much per deal as the list does now, as near
            as rounding and the cap allow.
        cap
            Highest new price; default ten times the dearest price of today.
        units
            New prices in ``half`` or ``whole`` units; none is below one of them.

        Raises
        ------
        UsageError
            If an argument is out of its allowed values or means nothing for the method, or there is no list.
        """
        if not self.lists:
            raise UsageError(f"{self.rules.name} has no tới trắng list, so there are no prices to make fairer")
        return make_table(self.lists, self.rules, self.ask, method, cap, units, self.origin)

    def rows(self, view: str = "prices", lang: str | None = None) -> list[Row]:
        """Return the rows of a view; see `to_frame`."""
        if view not in VIEWS:
            raise UsageError(f"view = {view!r}: must be one of {', '.join(VIEWS)}{suggestion(view, VIEWS)}")
        if view == "verdicts":
            return [verdict.row(terms.language(lang)) for verdict in self.verdicts]
        if view == "game_verdicts":
            return [verdict.row(terms.language(lang)) for verdict in self.game_verdicts]
        if view == "summary":
            return [dict(row) for row in self._summary]
        if view in PLAYED_VIEWS:
            return [] if self.played is None else self.played.rows(view)
        if view == "rake":
            return [row for prices in self.lists if self.rake is not None for row in rake_rows(prices, self.rake)]
        found = [prices.rows() if view == "prices" else prices.wrong_pairs for prices in self.lists]
        return [row for rows in found for row in rows]

    def to_frame(self, view: str = "prices", lang: str | None = None) -> Any:
        """Return a view as a pandas frame; money in the unit of the rules.

        Parameters
        ----------
        view
            ``prices``: per list and pattern, its price per loser, the exact ``probability`` that it wins the table,
            what it costs a player per 1,000 deals, its fair price, the ratio of the two, ranks by strength and by
            rarity; ``summary``: each list in one row; ``pairs``: every pair in the wrong order, by how many times the
            commoner one comes up more often; ``verdicts``; ``rake``: what the house takes. From simulated deals, in
            ``summary``: ``heo_per_1000``, what đếm heo adds to the cost of a list. From simulated games:
            ``items``: how often 2s and bombs are dealt (exact), left over, chop and are chopped; ``risks``: what they,
            3♠, being cóng and calling Sâm cost and bring who holds them, and each of the others; ``ket_3_bich``: tries
            to go out with 3♠, and from which chance of success on they pay, by who receives where it is blocked;
            ``reasons``: which reason moves how much money, and how much of its spread; ``covariances``: of the money by
            any two reasons; ``seats``: mean money by seat and by distance from the leader, with intervals that hold
            together; ``leading``: the same deals led from every seat; ``direction``: the seats around a better player
            without and with the direction rule; ``skill``: what a better player wins, and in how many games that
            shows; ``game_rake``: what the house takes of whole games; ``game_verdicts``.
        lang
            Language of the sentences in ``verdicts``.
        """
        return frame(self.rows(view, lang), VIEWS[view])

    def plot(self, ax: Any = None, lang: str | None = None, opening: bool | None = None, view: str = "prices") -> Any:
        """Draw a picture; return the axes.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; None makes new ones.
        lang
            Language of the words in it.
        opening
            Which list; default the first that there is.
        view
            ``prices``: price against fair price, on log scales with the line of fairness. Of whole games: ``reasons``:
            money by reason; ``flows``: who pays whom; ``seats``, ``leading``: mean money by seat, and by distance from
            the leader, with intervals that hold together; ``convergence``: what a better player wins, as games add up.

        Raises
        ------
        UsageError
            If there is no picture of this view, or no games were asked for.
        """
        check_picture(view)
        if view != PICTURES[0]:
            if self.played is None:
                raise UsageError(f"view = {view!r}: takes simulated games; ask for some by games=")
            return draw_played(self.played, view, ax, lang)
        from tlsim.plotting import plot_prices

        which = None if opening is None else "opening" if opening else "regular"
        chosen = next((prices for prices in self.lists if which in (None, prices.which)), None)
        points = [] if chosen is None else [
            (entry.name(lang), entry.pays, float(fair))
            for entry, fair in zip(chosen.listed, chosen.fair, strict=True)
            if fair and entry.pays
        ]  # fmt: skip
        title = self.rules.label if chosen is None else f"{self.rules.label} – {terms.term(chosen.which, lang)}"
        return plot_prices(ax, points, unit=self.provenance.unit or "", title=title, lang=lang)

    def _repr_html_(self) -> str:
        from html import escape

        title = terms.term("fair_prices")
        if not self.lists:
            return html(title, [], [], terms.term("no_list"))
        names = {entry.id: entry.name() for prices in self.lists for entry in prices.listed}
        cells = [
            [terms.term(row["list"]), names[row["pattern"]], f"{row['price']:g}", _shown(row["probability"], shown),
             _shown(row["one_in"], shown_one_in), _shown(row["fair_price"], amount), _shown(row["ratio"], amount)]
            for row in self.rows()
        ]  # fmt: skip
        keys = ("list", "pattern", "pays", "wins_table", "one_in", "fair_price", "ratio")
        table = html(title, [terms.term(key) for key in keys], cells, provenance_note(self.provenance))
        said = "".join(f"<li>{escape(verdict.sentence(terms.language()))}</li>" for verdict in self.verdicts)
        return f"{table}<ul>{said}</ul><p>{escape(terms.term('note_fair'))}</p>"


def _shown(value: float | None, write: Callable[[float], str]) -> str:
    return "" if value is None else write(value)
