"""What the columns of whole games are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tlsim.columns import Column, Row, declared
from tlsim.kernels.matches import MOST_IN_A_ROW
from tlsim.terms import distance_name, term

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
AMOUNTS = declared("simulate.amounts")
PRECISE = declared("simulate.precise")


def _happened(row: Row) -> bool:
    return bool(row.get("count") or row.get("hands"))


def _ends(row: Row) -> bool:
    """Whether an event is how a game began or ended; chops, chains and what rots have a table of their own."""
    return _happened(row) and not row["event"].startswith(("chop_", "chain_", "free_chop", "thoi_"))


def _strength(least: float, row: Row, _lang: str) -> str:
    return f"{100 * least:.0f}–{100 * row['strength_to']:.0f}%"


def as_matrix(rows: Sequence[Row], value: str, lang: str, *, signed: bool) -> tuple[list[Row], tuple[Column, ...]]:
    """Return moves between titles as a matrix: a row for each old title, a column for each new one."""
    titles = list(dict.fromkeys(title for row in rows for title in (row["from"], row["to"])))
    found = {(row["from"], row["to"]): row for row in rows}
    shown: list[Row] = []
    for old in titles:
        line: Row = {"old_title": term(old, lang)}
        for new in titles:
            row: dict[str, Any] = found.get((old, new), {})
            line |= {new: row.get(value), f"{new}_error": row.get("std_error")}
        shown.append(line)
    cells = (Column(title, "share", error=f"{title}_error", signed=signed) for title in titles)
    return shown, (Column("old_title", "text"), *cells)


SEATS = declared("simulate.seats")
EVENTS = declared("simulate.events", keep=_happened)
HOW_GAMES_END = replace(EVENTS, name="endings", title="", keep=_ends, first=True, files=False)
TOI_TRANG = declared("simulate.toi_trang", keep=_happened)
SAM_CALLS = declared("simulate.sam_calls", strength=_strength)
TITLE_WORTH, MATCH_WINS = declared("simulate.title_worth"), declared("simulate.match_wins")
TITLE_VIEWS = (
    declared("simulate.titles", prepare=lambda rows, lang: as_matrix(rows, "share", lang, signed=False)),
    declared("simulate.title_runs", games_held=lambda n, _row, _lang: f"{n}+" if n == MOST_IN_A_ROW else f"{n}"),
    TITLE_WORTH, MATCH_WINS,
)  # fmt: skip
GAME_VIEWS = (
    SEATS, declared("simulate.roles", role=lambda role, _row, lang: distance_name(role, lang)), EVENTS, TOI_TRANG,
    declared("simulate.reasons", keep=lambda row: bool(row["payments"])), declared("simulate.flows"),
    declared("simulate.distribution"), declared("simulate.length"), declared("simulate.extremes"), SAM_CALLS,
    *TITLE_VIEWS,
)  # fmt: skip

CALL_GAPS, WORTH_GAPS = declared("difference.sam_calls", strength=_strength), declared("difference.title_worth")
TITLE_GAPS = declared("difference.titles", prepare=lambda rows, lang: as_matrix(rows, "difference", lang, signed=True))
REASON_GAPS = declared("difference.reasons")
DIFFERENCES = (declared("difference.seats"), REASON_GAPS, CALL_GAPS, TITLE_GAPS, WORTH_GAPS)
