"""What the pictures of `Fairness` show, read from its rows."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from tlsim import plotting
from tlsim.columns import Column, Row, Table, View
from tlsim.errors import unknown, wrong
from tlsim.fairness import views as v
from tlsim.fairness.plays import Played
from tlsim.fairness.price_list import Prices
from tlsim.fairness.skill import check_skill
from tlsim.intervals import ratio_mean
from tlsim.results.game_stats import GameStats
from tlsim.results.pictures import Picture, amounts, draw, means
from tlsim.results.provenance import Provenance
from tlsim.rules import Rules
from tlsim.show.cells import cell
from tlsim.show.numbers import amount, local, with_error
from tlsim.terms import term, term_of

_FLOWS = View("flows", (Column("from", "text"), Column("to", "text"), Column("money", "money", "money_per_game")))
_SEATS = View("seats", (Column("seat", "index"), Column("policy", "text"), *v.SEATS.columns))
_LEADING = View("leading", (Column("at", "text", write=lambda at, _row, lang: f"+{at}" if at else term("leads", lang)),
                            *v.LEADING.columns[1:]))  # fmt: skip


def draw_view(
    view: str, ax: Any, lang: str, rules: Rules, prices: Prices | None, played: Played | None, about: Mapping[str, Any]
) -> Any:  # fmt: skip
    """Draw a picture of a list, or of whole games, any of `PICTURES`; return the axes."""
    if view not in PICTURES:
        raise unknown("view", view, PICTURES)
    if view != PICTURES[0] and played is None:
        raise wrong("view", view, "takes simulated games; ask for some by games=")
    resting, title, rows = Provenance.of(rules), term("picture_prices", lang), []
    about = {**about, "policies": None, "games": None, "seed": None}  # the odds of a list are exact
    if view == PICTURES[0] and prices is not None:
        title += f" – {term(prices.which, lang)}"
        rows = prices.rows()
    if view != PICTURES[0] and played is not None:
        title, rows = term_of(f"picture_{view}", lang, points=resting.points), _rows(view, played)
        title = title.format(**dict(zip(("one", "others"), check_skill(played.skill), strict=True)))
        about |= {"policies": None if view == "convergence" else played.policies, "games": played.had,
                  "seed": played.seed}  # fmt: skip
    shown, picture = _DRAWN[view]
    return draw(picture, ax, resting.table(shown, rows), about, lang, f"{rules.label}: {title}")


def _rows(view: str, played: Played) -> list[Row]:
    """Return the rows that a picture of whole games shows."""
    if view == "seats":
        rows = [row for row in played.rows("seats") if (row["group"], row["which"]) == ("seat", "all")]
        return [row | {"seat": at, "policy": played.stats.policies[at]} for at, row in enumerate(rows)]
    if view == "flows":
        stats = played.stats
        each = {"policies": stats.policies}
        return [row | each | {"money": row["money"] / max(1, stats.games)} for row in stats.rows("flows")]
    return _settling(played) if view == "convergence" else played.rows(view)


def _prices(ax: Any, table: Table, lang: str) -> Any:
    """Draw what each pattern costs and what would be fair; what is not judged has no fair price here."""
    rows = [row for row in table.rows if row["price"] and row["probability"]]
    paid = [row["price"] + (row.get("heo") or 0.0) for row in rows]
    fair = [row["fair_price"] if row["ratio"] is not None else None for row in rows]
    words = "price_with_heo" if any(row.get("heo") for row in rows) else "pays", "fair_price"
    kinds = [
        plotting.Marks(term(word, lang), at, texts=["" if x is None else local(amount(x), lang) for x in at])
        for word, at in zip(words, (paid, fair), strict=True)
    ]
    return plotting.plot_rows(
        ax, [cell(table.view["pattern"], row, table, lang) for row in rows], kinds,
        f"{term('axis_price', lang)} ({table.unit}, {term('log_scale', lang)})", lang, scale="price", joined=True,
        numbers=[_how_wrong(row["ratio"], lang) for row in rows], empty="no_prices",
    )  # fmt: skip


def _how_wrong(ratio: float | None, lang: str) -> str:
    if ratio is None:
        return term("unjudged", lang)
    key = "times_too_dear" if ratio >= 1 else "times_too_cheap"
    return local(term(key, lang).format(n=amount(max(ratio, 1 / ratio))), lang)


def _flows(ax: Any, table: Table, lang: str) -> Any:
    """Draw who pays whom how much: payers in rows; who pays himself has no number."""
    policies = table.rows[0]["policies"] if table.rows else ()
    names = [f"{term('seat', lang)} {seat}: {policy}" for seat, policy in enumerate(policies)]
    paid = np.zeros((len(names), len(names)))
    for row in table.rows:
        paid[row["from"], row["to"]] += row["money"]
    if not paid.any():  # nobody pays
        return plotting.plot_rows(ax, [], [], "", lang)
    cells = [
        [(None, "–") if at == to else (value, local(f"{value:.3g}", lang)) for to, value in enumerate(line)]
        for at, line in enumerate(paid.tolist())
    ]
    unit = f"{term('receives', lang)} ({term('money_per_game', lang)}, {table.unit})"
    return plotting.plot_squares(ax, names, names, cells, (unit, term("pays_out", lang)))


def _settling(played: Played) -> list[Row]:
    """Return how far above the table's mean a better player is found to be, as more of the deals are played."""
    games: list[GameStats] = played.answer("skill").found[: played.players]  # he in every seat, by the rules
    tables = [each.seat_money() for each in games]
    money = np.sum([table[:, seat] - table.mean(axis=1) for seat, table in enumerate(tables)], axis=0) / 2
    deals = np.sum([each.batch_games() for each in games], axis=0)
    used, by_then = np.flatnonzero(deals), np.cumsum(deals[np.flatnonzero(deals)]).tolist()
    found = [(by_then[n - 1], *ratio_mean(money[used[:n]], deals[used[:n]])) for n in range(2, len(used) + 1)]
    return [{"games": played_by_then, "mean": mean, "std_error": error} for played_by_then, mean, error in found]


def _convergence(ax: Any, table: Table, lang: str) -> Any:
    rows = table.rows
    label = f"{term('mean', lang)}, {term('per_game', lang)} ({table.unit})"
    last = local(with_error(rows[-1]["mean"], rows[-1]["std_error"], "+"), lang) if rows else ""
    points = [(row["mean"], row["std_error"]) for row in rows]
    return plotting.plot_convergence(ax, [row["games"] for row in rows], points, label, last, lang)


_together = partial(means, interval="interval_together", own=True)
_DRAWN: Mapping[str, tuple[View, Picture]] = {
    "prices": (v.PRICES, _prices),
    "reasons": (v.REASONS, partial(amounts, "money_per_game", "reason", sort=True)), "flows": (_FLOWS, _flows),
    "seats": (_SEATS, partial(_together, "mean", ["seat", "policy"])),
    "leading": (_LEADING, partial(_together, "mean", ["at"])), "convergence": (v.SKILL, _convergence),
}  # fmt: skip
PICTURES = tuple(_DRAWN)
