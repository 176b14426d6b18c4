"""What the columns of whole games are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tlsim.columns import Column, Row, View, ends, error, interval, measured
from tlsim.kernels.matches import MOST_IN_A_ROW
from tlsim.kernels.row import MOST_SEATS
from tlsim.terms import distance_name, term

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_MONEY = (
    *measured("mean", "money", signed=True), Column("spread", "amount", leave=2),
    *(Column(f"place_{n}", "share", leave=3 + (n > 1), known=True) for n in range(1, MOST_SEATS + 1)),
    *measured("opening_mean", "money", noise="opening_std_error", signed=True, leave=5),
    *measured("regular_mean", "money", noise="regular_std_error", signed=True, leave=6),
)  # fmt: skip


def _happened(row: Row) -> bool:
    return bool(row.get("count") or row.get("hands"))


def _ends(row: Row) -> bool:
    """Whether an event is how a game began or ended; chops, chains and what rots have a table of their own."""
    return _happened(row) and not row["event"].startswith(("chop_", "chain_", "free_chop", "thoi_"))


SEATS = View("seats", (Column("seat", "index", "seat_word"), Column("policy", "text", varies=True), *_MONEY))
ROLES = View(
    "roles", (Column("role", "index", write=lambda role, _row, lang: distance_name(role, lang)), *_MONEY), first=False
)
EVENTS = View("events", (
    Column("event", "event"), Column("count", "count", leave=2), *measured("per_game", "rate"), *ends(),
    Column("per_hand", "rate", leave=3), Column("per_opening_game", "rate", leave=5),
    Column("per_regular_game", "rate", leave=4),
), keep=_happened, first=False)  # fmt: skip
HOW_GAMES_END = replace(EVENTS, name="endings", title="", keep=_ends, first=True, files=False)
TOI_TRANG = View("toi_trang", (
    Column("list", "term"), Column("pattern", "pattern"), Column("count", "count"), Column("per_game", "rate"), *ends(),
    Column("hands", "count", leave=3), Column("per_hand", "rate", leave=2), Column("exact_per_hand", "rate", leave=1),
), keep=_happened, first=False)  # fmt: skip
REASONS = View("reasons", (
    Column("reason", "reason"), Column("payments", "count", leave=4), Column("money", "money", leave=3),
    Column("payments_per_game", "rate", leave=2), Column("money_per_game", "money"),
), keep=lambda row: bool(row["payments"]))  # fmt: skip
FLOWS = View("flows", (
    Column("reason", "reason"), Column("from", "index", "payer"), Column("to", "index", "receiver"),
    Column("money", "money"),
), first=False)  # fmt: skip
DISTRIBUTION = View("distribution", (
    Column("seat", "index", "seat_word"), *(Column(f"q{100 * q:g}", "money", signed=True) for q in QUANTILES),
), first=False)  # fmt: skip
AMOUNTS = View("amounts", (
    Column("seat", "index", "seat_word"), Column("policy", "text"), Column("amount", "money", "net"),
    Column("share", "share", "per_game"),
), "view_seats")  # fmt: skip
LENGTH = View("length", (Column("entries", "index"), Column("games", "count")), first=False)
EXTREMES = View("extremes", (
    Column("extreme", "term"), Column("value", "number"), Column("match", "index"), Column("game", "index"),
), first=False)  # fmt: skip


_STRENGTH = (
    Column("strength_from", "text", "strength", none="all_strengths",
           write=lambda least, row, _lang: f"{100 * least:.0f}–{100 * row['strength_to']:.0f}%"),
    Column("strength_to", "end", shown=False),
)  # fmt: skip
SAM_CALLS = View("sam_calls", (
    Column("policy", "text"), *_STRENGTH, Column("hands", "count"), Column("calls", "count"),
    Column("void", "count", leave=4), Column("made", "count", leave=3),
    Column("success", "share", ends=("ci_low", "ci_high")), error("success_std_error"), *ends(),
    *measured("call_mean", "money", noise="call_mean_std_error", signed=True),
    *measured("silent_mean", "money", noise="silent_mean_std_error", signed=True),
    Column("break_even", "share", leave=2),
), first=False)  # fmt: skip


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


_FROM_TO = (Column("from", "term", "old_title"), Column("to", "term", "next_title"))
TITLES = View("titles", (
    *_FROM_TO, Column("games", "count"), *measured("share", "share"), *ends(),
), first=False, prepare=lambda rows, lang: as_matrix(rows, "share", lang, signed=False))  # fmt: skip


TITLE_RUNS = View("title_runs", (
    Column("title", "term"),
    Column("games_held", "index", write=lambda n, _row, _lang: f"{n}+" if n == MOST_IN_A_ROW else f"{n}"),
    Column("at_risk", "count"), Column("kept", "count"), *measured("share", "share"), *ends(),
), first=False)  # fmt: skip
TITLE_WORTH = View("title_worth", (
    Column("title", "term"),
    *measured("next_points", "number", noise="next_points_std_error"),
    *measured("games_lasts", "number", noise="games_lasts_std_error"),
    *measured("matches_won", "share", noise="matches_won_std_error"),
), first=False)  # fmt: skip
MATCH_WINS = View("match_wins", (
    Column("seat", "index", "seat_word"), Column("policy", "text"), Column("matches", "count"),
    Column("alone", "count"), Column("together", "count"),
    *measured("share", "share", "matches_won"),
), first=False)  # fmt: skip
CALL_VIEWS = (SAM_CALLS,)
TITLE_VIEWS = (TITLES, TITLE_RUNS, TITLE_WORTH, MATCH_WINS)
GAME_VIEWS = (
    SEATS, ROLES, EVENTS, TOI_TRANG, REASONS, FLOWS, DISTRIBUTION, LENGTH, EXTREMES, *CALL_VIEWS, *TITLE_VIEWS,
)  # fmt: skip

_GAP = measured("difference", "money", signed=True)
SEAT_GAPS = View("seats", (
    Column("seat", "index", "seat_word"), *_GAP, Column("std_error_unpaired", "money"),
), "view_difference_seats")  # fmt: skip
CALL_GAPS = View("sam_calls", (
    *_STRENGTH, Column("hands", "count"), Column("other_hands", "count"), *_GAP,
    Column("success", "share", ends=("ci_low", "ci_high")), error("success_std_error"), *ends(),
    Column("break_even", "share"),
), "view_difference_sam_calls")  # fmt: skip
TITLE_GAPS = View("titles", (
    *_FROM_TO, Column("share", "share"), Column("other_share", "share"), *measured("difference", "share", signed=True),
), "view_difference_titles", prepare=lambda rows, lang: as_matrix(rows, "difference", lang, signed=True))  # fmt: skip
WORTH_GAPS = View("title_worth", (
    Column("title", "term"), Column("next_points", "number"), Column("other_next_points", "number"),
    *measured("difference", "number", signed=True),
), "view_difference_title_worth")  # fmt: skip
DIFFERENCES = (SEAT_GAPS, CALL_GAPS, TITLE_GAPS, WORTH_GAPS)
PRECISE = View("precise", (
    Column("seat", "index", "seat_word"), Column("policy", "text"),
    *measured("mean", "money", signed=True), *ends(), interval(leave=2),
    *measured("plain_mean", "money", noise="plain_std_error", signed=True, leave=3),
    Column("variance_ratio", "amount"),
))  # fmt: skip
