"""`Fairness`: what `tlsim.payout_fairness` returns."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tlsim.catalogue import language
from tlsim.columns import Row, Table, frame
from tlsim.errors import RunError, UsageError
from tlsim.fairness.around import declaring_rows
from tlsim.fairness.drawing import draw_view
from tlsim.fairness.fair_table import FairTable, default_cap, make_table
from tlsim.fairness.notion import ALL, BY_PRICE, Notion, tolerances
from tlsim.fairness.plays import Played, parts_of
from tlsim.fairness.price_list import Prices
from tlsim.fairness.repricing import Ask
from tlsim.fairness.skill import check_skill
from tlsim.fairness.swings import rake_rows
from tlsim.fairness.verdicts import Verdict, across_rows, across_said, verdicts_on, verdicts_on_games
from tlsim.fairness.views import PLAYED_VIEWS, VIEWS
from tlsim.results.result import Result
from tlsim.rules import Rules
from tlsim.show import Note, Page
from tlsim.show.numbers import local, one_in
from tlsim.terms import term

_PLAYED = tuple(view.name for view in PLAYED_VIEWS)
_OF_A_LIST: dict[str, Callable[[Any, Prices], Iterable[Row]]] = {
    "prices": lambda _, prices: prices.rows(),
    "pairs": lambda _, prices: prices.wrong_pairs,
    "summary": lambda _, prices: [prices.summary()],
    "notions": lambda it, prices: prices.notions(it.notion.cap or default_cap(it.lists)),
    "rake": lambda it, prices: [] if it.rake is None else rake_rows(prices, it.rake),
}


@dataclass(frozen=True)
class Fairness(Result):
    """The price lists of a rule set, held against exact odds.

    Pictures: ``prices``: what each pattern costs beside what would be fair, on a log scale. Of whole games:
    ``reasons``: money by reason; ``flows``: who pays whom; ``seats``, ``leading``: mean money by seat, and by distance
    from the leader, with intervals that hold together; ``convergence``: what a better player wins, as games add up.
    """

    rules: Rules
    lists: tuple[Prices, ...]  # one for each tới trắng list; none where the rules have none
    ask: Ask = field(compare=False, repr=False)  # gives the exact odds of a list under other rules
    tolerance: float | tuple[tuple[str, float], ...]  # how many times too dear or cheap a price may be, or of some each
    rake: Fraction | None = None  # share that the house takes of what a winner gets
    origin: str | None = None  # preset or file that the rules came from, if known
    played: Played | None = None  # whole games, for what cannot be counted
    others: tuple[Played, ...] = ()  # by other policies, against which findings are held

    VIEWS = VIEWS

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What there is to say about each list."""
        return tuple(verdict for prices in self.lists for verdict in verdicts_on(prices, self.tolerance))

    @property
    def notion(self) -> Notion:
        """What prices are held against."""
        return self.lists[0].notion if self.lists else Notion.of(self.rules)

    @cached_property
    def game_verdicts(self) -> tuple[Verdict, ...]:
        """What there is to say about whole games; they are played when this is first asked for."""
        played = self.played  # which every part has to have games for
        has_all = played is not None and all(played.answer(part).games for part in parts_of(self.rules))
        return verdicts_on_games(played) if played is not None and has_all else ()

    @property
    def findings(self) -> tuple[Verdict, ...]:
        """The verdicts on the lists that crossed a threshold."""
        return tuple(verdict for verdict in self.verdicts if verdict.finding)

    @property
    def lacks_opening(self) -> bool:
        """Whether opening games, asked about with the others, have no list while regular ones have one."""
        one = self.rules.toi_trang is not None and self.rules.toi_trang.opening_list_mode == "one_list"
        return self.provenance.opening is None and not one and [p.which for p in self.lists] == ["regular"]

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """Whether no games were interrupted so far; what was is partial, and stays so."""
        return all(played.complete for played in (self.played, *self.others) if played is not None)

    @property
    def stopped(self) -> str:  # type: ignore[override]
        """Why games stopped so far, where that was not for their number; see `tlsim.engine.run.REASONS`."""
        return "" if self.played is None else self.played.stopped

    def fair_table(self, method: str = "reordered", cap: float | None = None, units: str = "half",
                   cost: tuple[float, float] = (0.0, 0.0)) -> FairTable:  # fmt: skip
        """Return a table of fairer prices, and the odds under the order that follows from them.

        Parameters
        ----------
        method
            ``reordered``: the same prices, handed out by rarity; ``proportional``: prices proportional to 1/p;
            ``logarithmic``: proportional to log 1/p. The last two cost as much per deal as the list does now, as near
            as rounding and the cap allow.
        cap
            Highest new price; default what the rule file was made with, or ten times the dearest price of today.
        units
            New prices in ``half`` or ``whole`` units; none is below one of them.
        cost
            By which share the mean cost may fall, and rise, where that makes a fairer table.

        Raises
        ------
        UsageError
            If an argument is out of its allowed values or means nothing for the method, or there is no list.
        """
        if not self.lists:
            raise UsageError("{rules} has no tới trắng list, so there are no prices to make fairer",
                             rules=self.rules.name)  # fmt: skip
        cap = self.notion.cap if cap is None and method in BY_PRICE else cap
        return make_table(self.lists, self.rules, self.ask, method, cap, units, self.origin, self.provenance, cost)

    def rows(self, view: str | None = None, lang: str | None = None) -> list[Row]:
        """Return the rows of a view, by default ``prices``; sentences in them are in a language."""
        if view == "across":
            return across_rows(self._across, language(lang))
        if view in {"verdicts", "game_verdicts"}:
            verdicts: tuple[Verdict, ...] = getattr(self, view)
            return [verdict.row(language(lang)) for verdict in verdicts]
        return super().rows(view)

    def _rows_of(self, view: str) -> list[Row]:
        if view in _PLAYED and view != "declaring":
            return [] if self.played is None else self.played.rows(view)
        if view in _OF_A_LIST:
            return [row for prices in self.lists for row in _OF_A_LIST[view](self, prices)]
        return super()._rows_of(view)

    @property
    def _across(self) -> tuple[Played, ...]:
        """All ways to play that findings are held against, where there are any."""
        return (self.played, *self.others) if self.others and self.played is not None else ()

    def applies(self, view: str) -> bool:
        """Whether a view was asked about."""
        return view != "across" or bool(self.others)

    def _declaring(self) -> list[Row]:
        """Return the regular list, where holders may play on."""
        lists = [prices for prices in self.lists if prices.which == "regular" and prices.known]
        worth = self.played.declared if lists and self.played is not None else None
        return [] if worth is None or not worth.patterns else declaring_rows(lists[0], self.rules, worth)

    def to_frame(self, view: str | None = None, lang: str | None = None) -> Any:
        """Return a view as a pandas frame; money in the unit of the rules, verdicts in a language."""
        name = view or self.views[0]
        return frame(self.rows(name, lang), self.view(name).columns)

    def plot(
        self, ax: Any = None, view: str | None = None, lang: str | None = None, opening: bool | None = None
    ) -> Any:
        """Draw a picture, by default of the prices of the first list, or of the one of opening games; see `Result`."""
        which = None if opening is None else "opening" if opening else "regular"
        chosen = next((prices for prices in self.lists if which in (None, prices.which)), None)
        return draw_view(view or "prices", ax, language(lang), self.rules, chosen, self.played, self.about())

    # --- what a command shows ---

    @property
    def unplayable(self) -> str:
        """Why no games can be played by these rules, whose prices can be judged all the same; empty where they can."""
        try:
            self.rules.check_playable()
        except UsageError as error:
            return error.sentence
        return ""

    @cached_property
    def _run(self) -> tuple[tuple[str, ...], BaseException | None]:
        """Views of whole games as far as they could be played, and what ended them too soon."""
        there: list[str] = []
        try:
            names = () if self.played is None or self.unplayable else _PLAYED
            for name in (*names, *(("across",) if names and self.others else ())):
                self.rows(name)
                there.append(name)
                if not self.complete:
                    return tuple(there), KeyboardInterrupt()
        except (KeyboardInterrupt, RunError) as error:
            if isinstance(error, RunError) and error.result is None:
                raise
            return tuple(there), error
        return tuple(there), None

    @property
    def ended(self) -> BaseException | None:
        """What ended the games too soon, an interrupt or an executor that broke; all are played to know it."""
        return self._run[1]

    @property
    def _has_played(self) -> bool:
        """Whether all games were played, so that they can be spoken of."""
        return "_run" in self.__dict__ and bool(self._run[0]) and self._run[1] is None

    def page(self, command: str = "fair", lang: str | None = None, table: FairTable | None = None) -> Page:
        """Return what a command shows of it, a fairer table with it; all games are played."""
        spoken, ended = language(lang), self.ended
        about = self.about() | (table.asked if table is not None else {})
        notes = [*self.notes(spoken), *(table.notes(spoken) if table is not None else ())]
        tables = list(self._tables(spoken, table))
        said = self.said(spoken) + ([] if table is None else table.said(spoken))
        return Page(command, about, tables, ended is None, said, notes)

    def _tables(self, lang: str, table: FairTable | None) -> Iterator[Table]:
        yield from map(self.table_of, ("prices", "pairs", "summary", "notions"))
        if self.rake is not None:
            yield self.table_of("rake")
        yield from () if table is None else table.tables()
        rows = self.rows("verdicts", lang) + (self.rows("game_verdicts", lang) if self._has_played else [])
        yield self.provenance.table(self.view("verdicts"), rows)
        yield from (self.table_of(name) for name in self._run[0] if name != "across")
        if "across" in self._run[0]:
            yield self.provenance.table(self.view("across"), self.rows("across", lang))

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        factors = tolerances(self.tolerance)
        own = [f"{key}={factor:g}" for key, factor in factors.items() if key != ALL]
        asked: dict[str, Any] = {"tolerance": [f"{factors[ALL]:g}", *own] if own else factors[ALL]}
        asked |= {"method": self.notion.method, "judge_from": self.notion.judge_from}
        asked |= {} if self.notion.cap is None else {"cap": self.notion.cap}
        if self.rake is not None:
            asked["rake"] = float(self.rake)
        if self.played is not None:
            asked |= {"games": self.played.had, "policies": self.played.policies, "skill": self.played.skill}
            asked["seed"] = self.played.seed
            asked |= {"across": [each.policies for each in self.others]} if self.others else {}
            asked |= {"stopped": self.stopped} if self.stopped else {}
        return self.provenance.as_dict() | asked

    def said(self, lang: str) -> list[str]:
        """Return the verdicts, those that crossed a threshold with a mark; on whole games once they were played."""
        verdicts, several = [*self.verdicts, *(self.game_verdicts if self._has_played else ())], len(self.lists) > 1

        def of(name: str) -> str:
            return f"{term(name, lang)}: " if several and name != "all" else ""

        first = [f"– {term(f'fair_by_{self.notion.method}', lang)}"] if self.lists else []
        shown = [v for v in verdicts if v.finding or v.list != "all"]
        said = [(v.list, f"{'▲' if v.finding else '–'} {of(v.list)}{v.short(lang)}") for v in shown]
        for row in self.rows("summary"):
            first += [line for which, line in said if which == row["list"]]
            if row["cost_per_1000"]:
                cost = local(f"{row['cost_per_1000']:.3g}", lang)
                words = {"cost": cost, "unit": self.rules.unit, "misplaced": local(f"{row['misplaced']:.0%}", lang)}
                first.append(f"– {of(row['list'])}{term('fair_cost', lang).format(**words)}")
        first += [line for which, line in said if which == "all"]
        first += [f"– {term('fair_quiet', lang).format(n=n)}"] if (n := len(verdicts) - len(shown)) else []
        return first + self.across_said(lang)

    def across_said(self, lang: str) -> list[str]:
        """Return which findings on games stay where others play, and which turn; once they were played."""
        return across_said(self._across, lang) if self._has_played else []

    def notes(self, lang: str) -> list[str]:
        """Return what is said below the tables."""
        cost, on_lists = Note.on(term("note_cost", lang), "summary", "notions", "table_summary"), list[str]()
        on_lists += [term(f"note_fair_{self.notion.method}", lang)] if self.lists else []
        if rare := {entry.id: entry.name(lang) for prices in self.lists for entry in prices.unjudged}:
            deals = local(one_in(1 / self.notion.judge_from), lang)
            on_lists.append(term("note_unjudged", lang).format(names=", ".join(rare.values()), n=deals))
        if self.notion.cap is not None:
            on_lists.append(term("note_capped", lang).format(cap=local(f"{self.notion.cap:g}", lang)))
        said: list[str] = [cost] if self.lists else [term("no_list", lang)]
        said += [term("note_no_stakes", lang)] if self.provenance.points and self.rules.prices is None else []
        said += [term("note_no_opening", lang)] if self.lacks_opening else []
        on_lists += [] if all(prices.exact for prices in self.lists) else [term("note_bounds", lang)]
        on_lists += [term("note_heo", lang)] if any(prices.heo for prices in self.lists) else []
        said = [Note.on(text, "prices", "pairs", "verdicts", "table", *cost.views) for text in on_lists] + said
        return said + (self._notes_on(self.played, lang) if self.played is not None and self._has_played else [])

    def _notes_on(self, played: Played, lang: str) -> list[str]:
        games, (one, others) = local(f"{played.had:,}", lang), check_skill(played.skill)
        said = [term("note_games", lang).format(games=games, policies=played.policies)]
        said += [Note.on(term("note_ket", lang), "ket_3_bich")] if played.rows("ket_3_bich") else []
        sampled = [term(f"sampled_{view}", lang) for view in ("risks", "reasons", "game_rake") if played.rows(view)]
        if sampled:
            looked = local(f"{played.sample.games:,}", lang)
            note = term("note_sample", lang).format(games=looked, what=", ".join(sampled))
            said.append(Note.on(note, "risks", "reasons", "covariances", "swing", "game_rake"))
        said.append(Note.on(term("note_skill", lang).format(one=one, others=others), "skill", "direction"))
        return said + ([term("note_points_rake", lang)] if self.provenance.points and self.rake is not None else [])
