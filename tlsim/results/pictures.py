"""How views are drawn: for each a declaration; the rest follows from its rows and its columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any, TypeAlias

from tlsim import plotting
from tlsim.catalogue import language
from tlsim.columns import Column, Row, Table
from tlsim.intervals import FEW
from tlsim.show.cells import cell
from tlsim.show.page import provenance_line
from tlsim.terms import term, term_of

Picture: TypeAlias = Callable[[Any, Table, str], Any]
"""Draws a table on axes, in a language, and returns the axes."""
_SAID = ("rules", "players", "opening", "given", "holding", "dead", "policies", "against", "deals", "games", "seed")
_WIDEST = 70  # letters of a line of a title


def draw(picture: Picture, ax: Any, table: Table, about: Mapping[str, Any], lang: str | None) -> Any:
    """Draw a table, with a title that says of what it is; return the axes.

    Parameters
    ----------
    picture, table
        How and what is drawn.
    ax
        Axes to draw on; None makes new ones by pyplot.
    about
        What the numbers rest on.
    lang
        Language of the words in it.
    """
    spoken = language(lang)
    ax = picture(ax, table, spoken)
    facts = {key: about.get(key) for key in _SAID if about.get(key) is not False}
    lines = [term_of(table.view.heading, spoken, points=table.points), *_lines_of(provenance_line(facts, spoken))]
    ax.set_title("\n".join(lines), loc="left", fontsize="medium", parse_math=False)
    return plotting.spoken(ax, spoken)


def _lines_of(said: str) -> list[str]:
    """Return the lines of a title: facts are kept whole.

    >>> _lines_of(" · ".join(["deals 1,000"] * 6))
    ['deals 1,000 · deals 1,000 · deals 1,000 · deals 1,000 · deals 1,000 ·', 'deals 1,000']
    """
    whole = said.replace(" ", "\N{NO-BREAK SPACE}").replace("·\N{NO-BREAK SPACE}", "· ")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in wrap(whole, _WIDEST)]


def _kept(table: Table, key: str) -> list[Row]:
    """Return the rows that people see which have a value."""
    keep = table.view.keep or bool
    return [row for row in table.rows if keep(row) and row.get(key) is not None]


def _label(columns: Sequence[Column], table: Table, lang: str) -> str:
    """Return what stands at an axis: the headings of columns, and the unit of money."""
    text = ", ".join(term_of(column.heading, lang, points=table.points) for column in columns)
    return f"{text} ({table.unit})" if columns[0].is_money and table.unit else text


def _name(row: Row, by: Sequence[str], table: Table, lang: str) -> str:
    """Return what a row is called: a seat with its number, all else as it stands in the table."""
    words = [(key, cell(table.view[key], row, table, lang)) for key in by]
    return ": ".join(f"{term('seat_word', lang)} {word}" if key == "seat" else word for key, word in words)


def _ends(rows: Sequence[Row], prefix: str = "ci") -> list[tuple[float, float]]:
    return [(row[f"{prefix}_low"], row[f"{prefix}_high"]) for row in rows]


def means(*keys: str, by: Sequence[str], equal: bool = False) -> Picture:
    """Return a picture of means with intervals, a row of the picture for each row and column.

    Parameters
    ----------
    keys
        The columns that are drawn.
    by
        The columns that name a row.
    equal
        Beside a line where all are alike, and not beside 0.
    """

    def picture(ax: Any, table: Table, lang: str) -> Any:
        columns = [table.view[key] for key in keys]
        drawn = [(row, column) for row in _kept(table, keys[0]) for column in columns]
        words = [f" · {term(column.heading, lang)}" if len(keys) > 1 else "" for _, column in drawn]
        names = [_name(row, by, table, lang) + word for (row, _), word in zip(drawn, words, strict=True)]
        return plotting.plot_means(
            ax, names, [row[column.key] for row, column in drawn], [row[column.error] for row, column in drawn],
            _label(columns, table, lang), lang, 1 / len(drawn) if equal and drawn else 0.0,
            share=columns[0].kind == "share",
        )  # fmt: skip

    return picture


def _amounts(ax: Any, table: Table, lang: str) -> Any:
    rows = _kept(table, "money_per_game")
    names = [_name(row, ["reason"], table, lang) for row in rows]
    return plotting.plot_amounts(ax, names, [row["money_per_game"] for row in rows], table.unit, lang)


def _rates(ax: Any, table: Table, lang: str) -> Any:
    rows = _kept(table, "per_game")
    names, label = [_name(row, ["event"], table, lang) for row in rows], _label([table.view["per_game"]], table, lang)
    return plotting.plot_rates(ax, names, [row["per_game"] for row in rows], _ends(rows), label, lang)


def _distribution(ax: Any, table: Table, lang: str) -> Any:
    amounts = sorted({row["amount"] for row in table.rows})
    seats = list(dict.fromkeys(_name(row, ["seat", "policy"], table, lang) for row in table.rows))
    shares = [[0.0] * len(amounts) for _ in seats]
    for row in table.rows:
        shares[row["seat"]][amounts.index(row["amount"])] = row["share"]
    return plotting.plot_money(ax, amounts, shares, seats, table.unit, lang)


def _strength(row: Row) -> float:
    """Return the middle of a step of strength."""
    return float(row["strength_from"] + row["strength_to"]) / 2


def _lines(rows: Sequence[Row], by: str, key: str, at: Callable[[Row], float], name: Callable[[Row], str]) -> list[Any]:
    """Return a line of a column for all rows that are alike in another."""
    lines = []
    for which in dict.fromkeys(row[by] for row in rows):
        own = [row for row in rows if row[by] == which]
        lines.append(plotting.Line(name(own[0]), [at(row) for row in own], [row[key] for row in own], _ends(own)))
    return lines


def _calls(ax: Any, table: Table, lang: str) -> Any:
    rows = [row for row in _kept(table, "success") if row["strength_from"] is not None]
    lines = _lines(rows, "policy", "success", _strength, lambda row: str(row["policy"]))
    return plotting.plot_calls(ax, lines, rows[0]["break_even"] if rows else None, lang)


def _runs(ax: Any, table: Table, lang: str) -> Any:
    from tlsim.kernels.matches import MOST_IN_A_ROW  # which imports the compiler

    rows = [row for row in table.rows if row["at_risk"] >= FEW]
    lines = _lines(
        rows, "title", "share", lambda row: row["games_held"], lambda row: _name(row, ["title"], table, lang)
    )
    return plotting.plot_runs(ax, lines, MOST_IN_A_ROW, lang)


def _call_gaps(ax: Any, table: Table, lang: str) -> Any:
    rows = [row for row in _kept(table, "difference") if row["strength_from"] is not None]
    gaps, errors = ([row[key] for row in rows] for key in ("difference", "std_error"))
    label = _label([table.view["difference"]], table, lang)
    return plotting.plot_by_strength(ax, list(map(_strength, rows)), gaps, errors, label, lang)


def _matrix(ax: Any, table: Table, lang: str) -> Any:
    assert table.view.prepare is not None  # noqa: S101 (for mypy)
    rows, (name, *columns) = table.view.prepare(table.rows, lang)
    cells = [[(row[column.key], row[column.error]) for column in columns] for row in rows]
    signed = any(column.signed for column in columns)
    return plotting.plot_matrix(ax, [row[name.key] for row in rows], cells, "", lang, signed=signed)


def _odds(exact: str, estimate: str | None = None) -> Picture:
    def picture(ax: Any, table: Table, lang: str) -> Any:
        rows, more = table.rows, {}
        if estimate is not None:
            more = {"estimate": [row[estimate] for row in rows], "intervals": _ends(rows)}
        names = [_name(row, ["pattern"], table, lang) for row in rows]
        return plotting.plot_odds(ax, names, exact=[row[exact] for row in rows], **more, lang=lang)  # type: ignore[arg-type]

    return picture


GAMES: Mapping[str, Picture] = {
    "distribution": _distribution, "seats": means("mean", by=["seat", "policy"]), "roles": means("mean", by=["role"]),
    "events": _rates, "reasons": _amounts, "sam_calls": _calls, "titles": _matrix, "title_runs": _runs,
    "title_worth": means("next_points", by=["title"]), "match_wins": means("share", by=["seat", "policy"], equal=True),
}  # fmt: skip
DIFFERENCES: Mapping[str, Picture] = {
    "seats": means("difference", by=["seat"]), "sam_calls": _call_gaps, "titles": _matrix,
    "title_worth": means("difference", by=["title"]),
}  # fmt: skip
HANDS: Mapping[str, Picture] = {
    "declare": means("declare", "play_on", by=["distance"]), "value": means("mean", by=["distance"]),
    "sam": means("call_mean", "silent_mean", by=["distance"]),
    "patterns": means("declare", "play_on", by=["pattern"]),
}  # fmt: skip
MONEY: Mapping[str, Picture] = {"precise": means("mean", by=["seat", "policy"])}
ODDS: Mapping[str, Picture] = {"exact": _odds("probability"), "simulated": _odds("exact", "estimate")}
