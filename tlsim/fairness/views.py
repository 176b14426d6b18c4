"""What the columns of the views about fairness are."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tlsim.columns import Column, Row, View, ends, error, interval, measured
from tlsim.show import numbers
from tlsim.terms import distance_name, term

BANDS = ((0.05, 0), (0.25, 2), (0.5, 3), (0.75, 2), (0.95, 0))  # quantiles, and when they are left out
_SLIGHT = 0.005  # correlation of reasons whose money hardly hangs together


def _wins(value: float | None, row: Row, _lang: str) -> str | None:
    """Return a probability, or the bounds between which it lies."""
    if row.get("kind") == "bounds":
        return " … ".join(numbers.probability(row[f"probability_{end}"]) for end in ("low", "high"))
    return None if value is None else numbers.probability(value)


def _small(write: Callable[[float], str]) -> Callable[[Any, Row, str], str | None]:
    """Return what writes a number, and what is under a thousandth by its power of ten."""
    return lambda value, _row, _lang: None if value is None else f"{value:.1e}" if 0 < value < 1e-3 else write(value)


_ratio, _exactly = _small(numbers.amount), _small(partial(numbers.general, digits=4))


def _exact_money(key: str, word: str = "", leave: int = 0, noise: str = "") -> Column:
    """Return a column of money that is known exactly, or nearly so, so that it has no error to be rounded by."""
    return Column(key, "money", word, error=noise, leave=leave, write=_exactly)


def _mean(key: str, noise: str, word: str = "", kind: Any = "money", *, signed: bool = True, **more: Any
          ) -> tuple[Column, Column]:  # fmt: skip
    """Return the columns of an estimate and its error."""
    return measured(key, kind, word, noise, signed=signed, **more)


_LIST = Column("list", "term", leave=1, varies=True)
_RATIO = Column("ratio", "amount", write=_ratio)
_BOUNDS = (Column("kind", "text", shown=False), *ends("probability_low", "probability_high"))
_JOINT = (*ends(), interval(word="interval_together"))
_TAU = (Column("tau_strength", "correlation", leave=4), Column("tau_price", "correlation", leave=3))

PRICES = View("prices", (
    _LIST, Column("pattern", "pattern"), Column("price", "price", "pays"),
    *_mean("heo", "heo_error", "heo_per_loser", signed=False, known=True, leave=1),
    Column("probability", "probability", "wins_table", write=_wins, leave=3), Column("one_in", "one_in", leave=2),
    Column("hand_one_in", "one_in", shown=False), *_BOUNDS, _exact_money("cost_per_1000", "", 4, "cost_error"),
    error("cost_error"), Column("fair_price", "money", error="fair_error", write=_ratio), error("fair_error"),
    replace(_RATIO, error="ratio_error"), error("ratio_error"),
    Column("strength_rank", "index", leave=6), Column("rarity_rank", "index", leave=5),
    Column("dem_heo", "flag", shown=False),
))  # fmt: skip
SUMMARY = View("summary", (
    Column("list", "term", varies=True), Column("patterns", "index", leave=6),
    Column("someone", "probability", leave=5), _exact_money("cost_per_1000", "", 0, "cost_error"),
    error("cost_error"), *_mean("heo_per_1000", "heo_error", signed=False, known=True, leave=3),
    Column("misplaced", "share", error="misplaced_error"), error("misplaced_error"),
    _exact_money("spread", "spread_per_deal"),
    Column("worst_ratio", "amount", write=_ratio, leave=1),
    Column("pairs", "index", shown=False), Column("wrong_pairs", "index"), *_TAU, Column("kind", "text", shown=False),
), first=False)  # fmt: skip
NOTIONS = View("notions", (
    Column("list", "term", varies=True), Column("method", "term", "convention", prefix="method_"),
    Column("dearest", "pattern", "dearest_pattern"), Column("price", "money", "dearest_price", write=_ratio),
    _exact_money("spread", "spread_per_deal"), Column("misplaced", "share", leave=2),
    Column("misplaced_least", "share", leave=1),
), first=False)  # fmt: skip


PAIRS = View("pairs", (
    _LIST, Column("pattern", "pattern", "commoner"), Column("rarer", "pattern"), Column("factor", "amount"),
    Column("by", "term", prefix="by_", leave=2), Column("price", "price", "pays_with_heo", leave=4, write=_exactly),
    Column("rarer_price", "price", leave=3, write=_exactly),
))  # fmt: skip
VERDICTS = View("verdicts", (
    Column("list", "term"), Column("kind", "text", shown=False),
    Column("finding", "flag", write=lambda found, _row, _lang: "▲" if found else "–"),  # as the sentences have it
    Column("pattern", "pattern", shown=False), Column("figure", "number", shown=False),
    Column("threshold", "number", shown=False), Column("sentence", "sentence", "verdict"),
), first=False)  # fmt: skip


def _distances(value: str | None, _row: Row, lang: str) -> str | None:
    """Return distances from the leader in words."""
    if value is None:
        return None
    return ", ".join(distance_name(int(at), lang) for at in value.split()) or term("never_word", lang)


RAKE = View("rake", (
    _LIST, Column("pattern", "pattern", none="whole_list"), _exact_money("received"), _exact_money("house"),
    _exact_money("left", leave=2), _exact_money("house_per_1000"), _exact_money("loss_per_1000", leave=3),
), first=False)  # fmt: skip
TABLE = View("table", (
    _LIST, Column("pattern", "pattern"), Column("price_before", "price"), Column("price", "price", "new_price"),
    Column("strength_before", "index", leave=6), Column("strength_rank", "index", leave=5),
    Column("probability", "probability", "wins_table", leave=3), Column("one_in", "one_in", leave=2),
    _exact_money("cost_per_1000", leave=4), Column("fair_price", "money", write=_ratio), _RATIO,
))  # fmt: skip
COMPARED = ("misplaced", "spread", "worst_ratio", "wrong_pairs", "tau_strength", "tau_price")
"""What is told of a list before and after."""
_BEFORE_AND_AFTER = (
    Column("list", "term", varies=True), Column("when", "term", "before_after"), _exact_money("cost_per_1000"),
    Column("cost_change", "share", signed=True),
    *(SUMMARY[key] for key in COMPARED),
)  # fmt: skip


def _stacked(rows: Sequence[Row], _lang: str) -> tuple[list[Row], tuple[Column, ...]]:
    """Return what was before and what is after below each other."""
    shown: list[Row] = []
    for row in rows:
        before = {key: row[f"{key}_before"] for key in ("cost_per_1000", *COMPARED)}
        after = {key: row[key] for key in ("cost_per_1000", "cost_change", *COMPARED)}
        shown += [{"list": row["list"], "when": "before", **before}, {"list": row["list"], "when": "after", **after}]
    return shown, _BEFORE_AND_AFTER


TABLE_SUMMARY = View("table_summary", (
    Column("list", "term"), Column("method", "term", prefix="method_"), Column("changed", "flag"),
    Column("settled", "flag"), Column("cost_per_1000_before", "money"), Column("cost_per_1000", "money"),
    Column("cost_change", "share", signed=True),
    *(Column(f"{key}{end}", SUMMARY[key].kind) for key in COMPARED for end in ("_before", "")),
), prepare=_stacked)  # fmt: skip

# whole games

ITEMS = View("items", (
    Column("item", "term"), Column("price", "price", "pays", leave=2), Column("held", "share", shown=False),
    Column("held_one_in", "one_in", leave=1), *_mean("left_per_hand", "left_error", kind="rate", leave=4),
    Column("left_if_held", "rate"), *_mean("cost_per_1000", "cost_error", "cost_per_1000_games", signed=False),
    *_mean("chops_per_hand", "chops_error", kind="rate", leave=3),
    *_mean("chopped_per_hand", "chopped_error", kind="rate", leave=3),
), first=False)  # fmt: skip


def _one_in(value: float | None, _row: Row, _lang: str) -> str | None:
    return None if value is None else numbers.one_in(1 / value if value else float("inf"))


RISKS = View("risks", (
    Column("thing", "term"), Column("held", "share", "held_one_in", write=_one_in, leave=1),
    *_mean("left", "left_error", "lost", "amount", leave=7), *_mean("chopped", "chopped_error", kind="amount", leave=6),
    *_mean("used", "used_error", kind="amount", leave=5), *_mean("left_cost", "left_cost_error", signed=False),
    *_mean("chopped_cost", "chopped_cost_error", signed=False, leave=2),
    *_mean("gain", "gain_error", signed=False, leave=3), *_mean("net", "net_error", "net_of_all"),
    *_mean("opponent", "opponent_error", leave=4), *_mean("net_if_held", "net_if_held_error", leave=1),
), first=False)  # fmt: skip
KET_3_BICH = View("ket_3_bich", (
    Column("block_payees", "term"), Column("in_force", "flag"), Column("tried_per_1000", "amount", leave=4),
    Column("tried", "count", leave=3), Column("made", "count", leave=5),
    Column("success", "share", ends=("success_low", "success_high")), *ends("success_low", "success_high"),
    _exact_money("gain", leave=2), _exact_money("loss", leave=2), Column("break_even", "share"),
    Column("best", "share", leave=1), *_mean("net_if_tried", "net_error"),
    *_mean("opponent", "opponent_error", leave=1),
), first=False)  # fmt: skip
REASONS = View("reasons", (
    Column("reason", "reason"), Column("payments_per_game", "rate", leave=3),
    *_mean("money_per_game", "money_error", signed=False), *_mean("share", "share_error", "share_of_money", "share",
                                                                  signed=False),
    Column("spread_alone", "share", leave=2), Column("spread_together", "share", signed=True, leave=1),
    *_mean("spread_share", "spread_error", kind="share", signed=False),
), first=False)  # fmt: skip
COVARIANCES = View("covariances", (
    Column("reason", "reason"), Column("other", "reason"), *_mean("covariance", "covariance_error", kind="number"),
    Column("correlation", "correlation"),
), first=False, keep=lambda row: abs(row["correlation"]) >= _SLIGHT)  # fmt: skip
SEATS = View("seats", (
    Column("group", "term"), Column("at", "index"), Column("which", "term"), *_mean("mean", "std_error"), *_JOINT,
), first=False)  # fmt: skip
LEADING = View("leading", (
    Column("at", "index", "after_leader"), *_mean("mean", "std_error"), *_JOINT, *_mean("ahead", "ahead_error"),
), first=False)  # fmt: skip
DIRECTION = View("direction", (
    Column("at", "index", "after_better", none="neighbours"),
    *_mean("straight", "straight_error", "straight_way"), *_mean("alternating", "alternating_error"),
    *_mean("difference", "std_error"), *_JOINT,
), first=False)  # fmt: skip


def _games_to_lead(key: str) -> tuple[Column, ...]:
    """Return the columns of a number of games and its interval, which may be without end."""

    def write(value: int | None, row: Row, _lang: str) -> str | None:
        if value is None:
            return None
        low, high = row[f"{key}_low"], row[f"{key}_high"]
        return f"{value:,} ({low:,} … {'∞' if high is None else f'{high:,}'})"

    return Column(key, "count", write=write), *ends(f"{key}_low", f"{key}_high")


SKILL = View("skill", (
    Column("policy", "text"), Column("others", "text"), *_mean("mean", "std_error", "skill_mean"), *ends(), interval(),
    Column("spread", "money", leave=4), *_games_to_lead("games_to_lead_zero"), *_games_to_lead("games_to_lead_all"),
    Column("mean_after_rake", "money", error="std_error", signed=True, known=True),
    Column("rake_even", "share", error="rake_even_error", leave=1), error("rake_even_error"),
), first=False)  # fmt: skip
GAME_RAKE = View("game_rake", (
    Column("seat", "index", none="whole_table"), Column("policy", "text"),
    Column("wins", "rate", "ahead_per_game", leave=4), _exact_money("received", leave=3),
    _exact_money("house", leave=2), _exact_money("left", leave=3),
    *_mean("house_per_1000", "house_error", "house_per_1000_games", signed=False), *_mean("net_per_1000", "net_error"),
    Column("hold", "share", leave=1), Column("house_per_hour", "money", known=True),
), first=False)  # fmt: skip
SWING = View("swing", (
    Column("seat", "index"), Column("policy", "text"),
    *_mean("spread_game", "game_error", "spread_per_game", signed=False),
    *_mean("spread_match", "match_error", "spread_per_match", signed=False, leave=1),
    Column("toi_trang", "share", leave=2), Column("chop", "share", "chops", leave=3), Column("cong", "share", leave=4),
    Column("cards", "share", "cards_left", leave=5), Column("other", "share", "other_reasons", leave=6),
    _exact_money("largest_loss", "largest_loss_by_rules"), _exact_money("largest_seen", "largest_loss_seen", leave=7),
), first=False)  # fmt: skip
BANKROLL = View("bankroll", (
    Column("policy", "text", varies=True), Column("games", "count"),
    *(_exact_money(f"q{100 * q:g}", f"q{100 * q:g}", leave) for q, leave in BANDS),
    Column("ahead", "share", "seats_ahead"), _exact_money("bankroll_needed"), Column("bankroll", "money", known=True),
    Column("lost", "share", "bankroll_lost", known=True),
), first=False)  # fmt: skip
GAME_VERDICTS = View("game_verdicts", VERDICTS.columns, first=False)

DECLARING = View("declaring", (
    Column("pattern", "pattern", none="cost_of_list"), Column("declares", "text", "declared_at", write=_distances),
    *_mean("kept", "kept_error", "wins_kept", "share", signed=False, leave=3),
    Column("probability", "probability", "wins_all_declare", leave=5),
    Column("probability_pays", "probability", "wins_where_it_pays", leave=4), _exact_money("cost_per_1000", leave=1),
    _exact_money("cost_pays"), Column("fair_price", "money", write=_ratio, leave=2),
    Column("fair_pays", "money", write=_ratio),
), first=False)  # fmt: skip

PLAYED_VIEWS = (ITEMS, RISKS, KET_3_BICH, REASONS, COVARIANCES, SEATS, LEADING, DIRECTION, SKILL, GAME_RAKE, SWING,
                BANKROLL, DECLARING)  # fmt: skip
ACROSS = View("across", (
    Column("topic", "term", prefix="across_"), Column("policies", "text"), Column("finding", "flag", shown=False),
    Column("state", "term", prefix="state_", leave=2), Column("turns", "flag", shown=False),
    Column("figure", "number", shown=False),
    Column("threshold", "number", shown=False), Column("sentence", "sentence", "verdict", leave=1),
), first=False)  # fmt: skip

VIEWS = (PRICES, SUMMARY, NOTIONS, PAIRS, VERDICTS, RAKE, *PLAYED_VIEWS, GAME_VERDICTS, ACROSS)
