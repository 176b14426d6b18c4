"""How views are drawn: for each a declaration; the rest follows from its rows and its columns."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Any, TypeAlias

from tlsim import plotting
from tlsim.catalogue import language
from tlsim.columns import Column, Row, Table
from tlsim.show.cells import cell
from tlsim.show.numbers import amount, local, one_in, percent
from tlsim.show.page import provenance_line
from tlsim.terms import known_term, term, term_of

Picture: TypeAlias = Callable[[Any, Table, str], Any]
"""Draws a table on axes, in a language, and returns the axes."""
_SAID = ("rules", "players", "opening", "given", "holding", "dead", "hand", "cards", "policies", "against", "deals",
         "games", "seed")  # fmt: skip
_WIDEST, _BOLD = 100, 70  # letters of a line below the title, and of the title
_REACH = 1.96


def draw(
    picture: Picture, ax: Any, table: Table, about: Mapping[str, Any], lang: str | None, said: str | None = None
) -> Any:
    """Draw a table and what its numbers rest on, with a title: what is said, or what the glossary calls it."""
    spoken = language(lang)
    ax = picture(ax, table, spoken)
    facts = {key: about.get(key) for key in _SAID if about.get(key) is not False}
    heading = term_of(table.view.heading, spoken, points=table.points)
    title = said or known_term(f"picture_{table.view.heading.removeprefix('view_')}", spoken) or heading
    plotting.titled(ax, "\n".join(wrap(title[0].upper() + title[1:], _BOLD)), _lines_of(provenance_line(facts, spoken)))
    return plotting.spoken(ax, spoken)


def _lines_of(said: str) -> list[str]:
    """Return the lines below a title: facts are kept whole."""
    whole = said.replace(" ", "\N{NO-BREAK SPACE}").replace("·\N{NO-BREAK SPACE}", "· ")
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in wrap(whole, _WIDEST)]


def _kept(table: Table, key: str) -> list[Row]:
    """Return the rows that people see which have a value."""
    keep = table.view.keep or bool
    return [row for row in table.rows if keep(row) and row.get(key) is not None]


def _label(column: Column, table: Table, lang: str, interval: str = "interval") -> str:
    """Return what stands at an axis: the heading of a column, the unit of money, what the intervals are."""
    text = term_of(column.heading, lang, points=table.points)
    unit = f" ({table.unit})" if column.is_money and table.unit else ""
    return f"{text}{unit}, {term(interval, lang)}" if interval else f"{text}{unit}"


def _name(row: Row, by: Sequence[str], table: Table, lang: str) -> str:
    """Return what a row is called: a seat with its number, all else as it stands in the table."""
    words = [(key, cell(table.view[key], row, table, lang)) for key in by]
    return ": ".join(f"{term('seat_word', lang)} {word}" if key == "seat" else word for key, word in words)


def _ends(rows: Sequence[Row]) -> list[tuple[float, float]]:
    return [(row["ci_low"], row["ci_high"]) for row in rows]


def _around(rows: Sequence[Row], column: Column) -> list[tuple[float, float] | None]:
    """Return 95 % intervals around values, of those whose error is known."""
    found = ((row[column.key], row[column.error]) for row in rows)
    return [None if error is None else (at - _REACH * error, at + _REACH * error) for at, error in found]


def means(
    key: str, by: Sequence[str], ax: Any, table: Table, lang: str, *, equal: bool = False, interval: str = "interval",
    own: bool = False,
) -> Any:  # fmt: skip
    """Draw means (or rates) with intervals and their numbers, a row each, named by some columns.

    They stand beside 0, or where all are ``equal``; the intervals are the rows' ``own``, or follow from the errors.
    """
    column, rows = table.view[key], _kept(table, key)
    around = [ends if ends[0] is not None else None for ends in _ends(rows)] if own else _around(rows, column)
    marks, rate = plotting.Marks("", [row[key] for row in rows], around), column.kind == "rate"
    return plotting.plot_rows(
        ax, [_name(row, by, table, lang) for row in rows], [marks], _label(column, table, lang, interval), lang,
        numbers=[cell(column, row, table, lang) for row in rows],
        level=None if rate else 1 / len(rows) if equal and rows else 0.0,
        scale="chance" if rate else "share" if column.kind == "share" else "linear",
    )  # fmt: skip


_PER_GAME = Column("money_per_game", "money")


def pairs(one: str, other: str, by: str, ax: Any, table: Table, lang: str) -> Any:
    """Draw two ways to play with a hand, joined row by row, and of their difference in numbers."""
    rows, gap = _kept(table, one), table.view["difference"]
    kinds = [
        plotting.Marks(term(key, lang), [row[key] for row in rows], _around(rows, table.view[key]),
                       [cell(table.view[key], row, table, lang).partition(" ±")[0] for row in rows])
        for key in (one, other)
    ]  # fmt: skip
    ways = [term(f"better_{one if row['ci_low'] > 0 else other if row['ci_high'] < 0 else 'either'}", lang)
            for row in rows]  # fmt: skip
    numbers = [f"{way}\n{cell(gap, row, table, lang)}" for way, row in zip(ways, rows, strict=True)]
    return plotting.plot_rows(
        ax, [_name(row, [by], table, lang) for row in rows], kinds, _label(_PER_GAME, table, lang), lang,
        numbers=numbers, joined=True,
    )  # fmt: skip


def amounts(key: str, by: str, ax: Any, table: Table, lang: str, *, sort: bool = False) -> Any:
    """Draw amounts of money as bars with their numbers, with intervals where errors are known."""
    column = table.view[key]
    rows = [row for row in _kept(table, key) if row[key]]
    rows = sorted(rows, key=lambda row: -row[key]) if sort else rows
    return plotting.plot_amounts(
        ax, [_name(row, [by], table, lang) for row in rows], [row[key] for row in rows],
        _label(column, table, lang, "interval" if column.error else ""), lang,
        [cell(column, row, table, lang) if column.error else local(amount(row[key]), lang) for row in rows],
        errors=[row[column.error] for row in rows] if column.error else None,
    )  # fmt: skip


def _distribution(ax: Any, table: Table, lang: str) -> Any:
    paid = sorted({row["amount"] for row in table.rows})
    seats = list(dict.fromkeys(_name(row, ["seat", "policy"], table, lang) for row in table.rows))
    shares = [[0.0] * len(paid) for _ in seats]
    for row in table.rows:
        shares[row["seat"]][paid.index(row["amount"])] = row["share"]
    return plotting.plot_money(ax, seats, paid, shares, _label(table.view["amount"], table, lang, ""), lang)


def _strength(row: Row) -> float:
    """Return the middle of a step of strength."""
    return float(row["strength_from"] + row["strength_to"]) / 2


def _calls(ax: Any, table: Table, lang: str) -> Any:
    rows = [row for row in _kept(table, "success") if row["strength_from"] is not None]
    lines = []
    for policy in dict.fromkeys(row["policy"] for row in rows):
        own = [row for row in rows if row["policy"] == policy]
        at, shares = [_strength(row) for row in own], [row["success"] for row in own]
        lines.append(plotting.Line(str(policy), at, shares, _ends(own)))
    return plotting.plot_calls(ax, lines, rows[0]["break_even"] if rows else None, lang)


def _call_gaps(ax: Any, table: Table, lang: str) -> Any:
    rows = [row for row in _kept(table, "difference") if row["strength_from"] is not None]
    gaps, errors = ([row[key] for row in rows] for key in ("difference", "std_error"))
    label = _label(table.view["difference"], table, lang, "")
    return plotting.plot_by_strength(ax, list(map(_strength, rows)), gaps, errors, label, lang)


def _titles(ax: Any, table: Table, lang: str) -> Any:
    assert table.view.prepare is not None  # noqa: S101 (for mypy)
    rows, (name, *columns) = table.view.prepare(table.rows, lang)
    cells = [[_share(row[column.key], row[column.error], column.signed, lang) for column in columns] for row in rows]
    heads = [term(column.key, lang) for column in columns]
    labels = term("next_title", lang), term("old_title", lang)
    return plotting.plot_squares(ax, [row[name.key] for row in rows], heads, cells, labels)


def _share(value: float | None, error: float | None, signed: bool, lang: str) -> tuple[float | None, str]:
    """Return a share, and what stands in its square: the number in percent, its error below."""
    if value is None:
        return None, ""
    number, _, noise = local(percent(value, error, "+" if signed else ""), lang).removesuffix("%").partition(" ± ")
    return value, f"{number}%\n± {noise}" if noise else f"{number}%"


def _runs(ax: Any, table: Table, lang: str) -> Any:
    from tlsim.intervals import FEW

    found = {(row["title"], row["games_held"]): row for row in table.rows if row["at_risk"] >= FEW}
    if not found:
        return plotting.plot_rows(ax, [], [], "", lang)
    titles, held = (list(dict.fromkeys(key[at] for key in found)) for at in (0, 1))
    cells = [[_share(row["share"], row["std_error"], False, lang) if (row := found.get((title, games))) else (None, "")
              for games in sorted(held)] for title in titles]  # fmt: skip
    heads = [cell(table.view["games_held"], {"games_held": games}, table, lang) for games in sorted(held)]
    labels = term("games_held", lang), term("keeps_title", lang)
    return plotting.plot_squares(ax, [term(title, lang) for title in titles], heads, cells, labels)


def _odds(exact: str, estimate: str | None, ax: Any, table: Table, lang: str) -> Any:
    rows = table.rows
    kinds = [plotting.Marks(term("exact", lang), [row[exact] or None for row in rows])]
    if estimate is not None:
        word = f"{term('simulated', lang)}, {term('interval', lang)}"
        kinds.append(plotting.Marks(word, [row[estimate] for row in rows], _ends(rows)))
    one = term("one_in", lang)
    chances = [f"{one} {local(one_in(1 / row[exact]), lang)}" if row[exact] else "–" for row in rows]
    return plotting.plot_rows(
        ax, [_name(row, ["pattern"], table, lang) for row in rows], kinds, term("axis_probability", lang), lang,
        numbers=chances, scale="chance", empty="no_list",
    )  # fmt: skip


_by_seat = partial(means, "mean", ["seat", "policy"])
GAMES: Mapping[str, Picture] = {
    "distribution": _distribution, "seats": _by_seat, "roles": partial(means, "mean", ["role"]),
    "events": partial(means, "per_game", ["event"], own=True), "reasons": partial(amounts, "money_per_game", "reason"),
    "sam_calls": _calls, "titles": _titles, "title_runs": _runs,
    "title_worth": partial(means, "next_points", ["title"]),
    "match_wins": partial(means, "share", ["seat", "policy"], equal=True),
}  # fmt: skip
DIFFERENCES: Mapping[str, Picture] = {
    "seats": partial(means, "difference", ["seat"]), "reasons": partial(means, "difference", ["reason"]),
    "sam_calls": _call_gaps, "titles": _titles, "title_worth": partial(means, "difference", ["title"]),
}  # fmt: skip
HANDS: Mapping[str, Picture] = {
    "declare": partial(pairs, "declare", "play_on", "distance"),
    "sam": partial(pairs, "call_mean", "silent_mean", "distance"), "value": partial(means, "mean", ["distance"]),
    "patterns": partial(pairs, "declare", "play_on", "pattern"),
}  # fmt: skip
MONEY: Mapping[str, Picture] = {"precise": _by_seat}
ODDS: Mapping[str, Picture] = {
    "exact": partial(_odds, "probability", None), "simulated": partial(_odds, "exact", "estimate"),
}  # fmt: skip
