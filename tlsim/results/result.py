"""What every result has: views with columns, and so frames, tables, pictures and what a bar says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from inspect import cleandoc
from textwrap import TextWrapper
from typing import Any, ClassVar, Self

from tlsim.catalogue import language
from tlsim.columns import Row, Table, View, frame
from tlsim.errors import UsageError, unknown
from tlsim.intervals import level_after
from tlsim.results.pictures import Picture, draw
from tlsim.results.provenance import Known, Provenance
from tlsim.show import Asked, Page, as_html, rendered
from tlsim.show.numbers import local
from tlsim.terms import term

_FREE = {"seed", "deals", "rules", "names", "points"}  # of results that add; the digest tells rules apart


@dataclass(frozen=True, repr=False)
class Shown:
    """Some views of a result: a notebook shows them as tables, ``print`` as text."""

    page: Page

    def __repr__(self) -> str:
        return rendered(self.page, Asked(view=("all",), wide=True)).rstrip()

    def _repr_html_(self) -> str:
        return as_html(self.page)


@dataclass(frozen=True)
class Result:
    """A frozen result.

    A subclass declares `VIEWS`, and has a method ``_name`` for the rows of each, or a `_rows_of`; `PICTURES` says how
    some are drawn.
    """

    VIEWS: ClassVar[tuple[View, ...]] = ()
    PICTURES: ClassVar[Mapping[str, Picture]] = {}
    TOLD: ClassVar[tuple[str, ...]] = ()  # what of it files have beside its provenance
    complete, seconds, stopped = True, 0.0, ""

    provenance: Provenance  # what the numbers rest on

    def __init_subclass__(cls, **more: Any) -> None:
        """Say in the documentation of a result what its views show."""
        super().__init_subclass__(**more)
        if "VIEWS" in vars(cls) and cls.__doc__:  # python -OO leaves it out
            wrap = TextWrapper(110, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False).fill
            said = [f"``{view.name}``\n" + wrap(f"{view.about.replace('`', '``')} Columns: {', '.join(view.keys)}.")
                    for view in cls.VIEWS]  # fmt: skip
            cls.__doc__ = "\n\n".join([cleandoc(cls.__doc__), "Its views, each a frame by ``to_frame``:", *said]) + "\n"

    def applies(self, view: str) -> bool:  # noqa: ARG002 (all views, by default)
        """Whether the question leaves anything to look at in a view."""
        return True

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views that there are."""
        return tuple(view.name for view in self.VIEWS if self.applies(view.name))

    def view(self, name: str) -> View:
        """Return what the columns of a view are."""
        return next(view for view in self.VIEWS if view.name == name)

    def check_view(self, view: str) -> None:
        """Refuse a view that there is not, saying why."""
        if view not in self.views:
            raise unknown("view", view, self.views)

    def rows(self, view: str | None = None) -> list[Row]:
        """Return the rows of a view, by default the first; its columns are those of `to_frame`."""
        name = self.views[0] if view is None else view
        self.check_view(name)
        key = name, language()
        if key not in self._made:
            self._made[key] = self._rows_of(name)
        return [dict(row) for row in self._made[key]]

    @cached_property
    def _made(self) -> dict[tuple[str, str], list[Row]]:
        """The rows that were asked for, by view and language."""
        return {}

    def _rows_of(self, view: str) -> list[Row]:
        """Return the rows of a view that there is: by its method, or as a subclass has it."""
        found: list[Row] = getattr(self, f"_{view}")()
        return found

    def to_frame(self, view: str | None = None) -> Any:
        """Return a view as a pandas frame, by default the first; money in the unit of the rules."""
        rows = self.rows(view)
        return frame(rows, self._columns(view or self.views[0], rows))

    def _columns(self, view: str, rows: list[Row]) -> tuple[Any, ...]:
        """Return the columns of a view that some row has; all where there are no rows."""
        columns = self.view(view).columns
        there = {key for row in rows for key in row}
        return tuple(column for column in columns if not rows or column.key in there)

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        told = {key: value for key in self.TOLD if (value := getattr(self, key)) != ""}
        return self.provenance.as_dict() | {k: ",".join(v) if isinstance(v, tuple) else v for k, v in told.items()}

    def table_of(self, view: str) -> Table:
        """Return a view with its rows."""
        return self.provenance.table(self.view(view), self.rows(view))

    def tables(self) -> list[Table]:
        """Return all views with their rows."""
        return [self.table_of(view) for view in self.views]

    def drawn(self, view: str) -> Table:
        """Return what is drawn of a view."""
        return self.table_of(view)

    def plot(self, ax: Any = None, view: str | None = None, lang: str | None = None) -> Any:
        """Draw a view, by default the first of `PICTURES` that has rows; return the axes.

        Parameters
        ----------
        ax
            Axes of matplotlib to draw on; None makes new ones.
        view
            One of `PICTURES`.
        lang
            Language of the words in it.
        """
        names = [name for name in self.PICTURES if name in self.views]
        if view is None:
            view = next((name for name in names if self.rows(name)), names[0] if names else "")
        if view not in self.PICTURES:
            raise unknown("view", view, names)
        self.check_view(view)
        said = self.said(language(lang)) if self.view(view).first else []  # of what people see first
        return draw(self.PICTURES[view], ax, self.drawn(view), self.about(), lang, said[0] if len(said) == 1 else None)

    def said(self, lang: str) -> list[str]:  # noqa: ARG002 (nothing, by default)
        """Return what is said first, in words."""
        return []

    def notes(self, lang: str) -> list[str]:  # noqa: ARG002 (nothing, by default)
        """Return what is said below the tables."""
        return []

    def page(self, command: str, lang: str | None = None) -> Page:
        """Return what a command shows of it."""
        spoken = language(lang)
        return Page(command, self.about(), self.tables(), self.complete, self.said(spoken), self.notes(spoken))

    def show(self, *views: str) -> Shown:
        """Return some views as people read them: tables in a notebook, text where they are printed.

        Parameters
        ----------
        views
            Names of views; none for those that are shown first.

        Returns
        -------
        Shown
            In the language of the surroundings (``TLSIM_LANG``, or the locale).

        Raises
        ------
        UsageError
            If there is no such view.

        Examples
        --------
        >>> import tlsim
        >>> print(tlsim.exact_odds("zing", opening=True).show("exact"))  # doctest: +ELLIPSIS
        One hand
        pattern ...
        """
        for view in views:
            self.check_view(view)
        tables = [self.table_of(view) for view in views] or self.tables()
        if views:
            tables = [replace(table, view=replace(table.view, first=True)) for table in tables]
        return Shown(Page("", self.about(), tables, self.complete))

    def quantities(self, floor: float = 0.0) -> dict[str, Known]:  # noqa: ARG002 (for those that have rare patterns)
        """Return all quantities by name, with their errors: what a run can be told to find well enough.

        Parameters
        ----------
        floor
            Least exact probability of the patterns that ``worst`` looks at.
        """
        return {}

    def _repr_html_(self) -> str:
        spoken, first = language(), [view for view in self.views if self.view(view).first]
        tables = [self.table_of(view) for view in first or self.views]
        return as_html(Page("", self.about(), tables, self.complete, self.said(spoken), self.notes(spoken)))


@dataclass(frozen=True)
class RunResult(Result):
    """What was found by a run."""

    complete: bool = field(default=True, kw_only=True)  # False where it was interrupted
    seconds: float = field(default=0.0, compare=False, kw_only=True)  # time that it took
    stopped: str = field(default="", compare=False, kw_only=True)  # why; see `tlsim.engine.run.REASONS`

    @property
    def level(self) -> float:
        """The level of its intervals, which cover with 95 %."""
        return level_after(self.stopped)

    def _added(self, other: Self, alike: Sequence[str] = (), **more: Any) -> Self:
        """Return two results as one; refuse those that answer different questions, or rest on the same deals."""
        one, two = self.provenance, other.provenance
        pairs = [(f.name, getattr(one, f.name), getattr(two, f.name)) for f in fields(one) if f.name not in _FREE]
        for name, mine, theirs in [*pairs, *((name, getattr(self, name), getattr(other, name)) for name in alike)]:
            if mine != theirs:
                raise UsageError("these results answer different questions: {name} = {one!r} and {two!r}; only "
                                 "results of one question add", name=name, one=mine, two=theirs)  # fmt: skip
        if common := set(one.seeds) & set(two.seeds):
            raise UsageError("both results come from seed {seed}, so they may be over the same deals; run one of them "
                             "again with another seed", seed=min(common))  # fmt: skip
        deals = None if one.deals is None or two.deals is None else one.deals + two.deals
        return replace(
            self, provenance=replace(one, deals=deals, seed=tuple(sorted(one.seeds + two.seeds))),
            complete=self.complete and other.complete, seconds=self.seconds + other.seconds, **more,
        )  # fmt: skip


def games_played(games: int, seconds: float, lang: str) -> str:
    """Return in words how many games took how long."""
    return f"{local(f'{games:,}', lang)} {term('games_played', lang)}; {local(f'{seconds:.2f}', lang)} s"
