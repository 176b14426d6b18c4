"""Verdicts on whole games: what leading, the direction, skill, 2s and bombs, 3♠ and a rake come to."""

from __future__ import annotations

from collections.abc import Iterator

from tlsim.fairness.played import Played
from tlsim.fairness.sample import BOMBS
from tlsim.fairness.verdicts import Verdict, amount
from tlsim.results.game_events import reason_name
from tlsim.results.parts import Row
from tlsim.terms import term

ERRORS = 4  # standard errors that a finding takes: 6 in 100,000 each, where nothing is there to be found
MEDIUM = 0.5  # of the spread of a seat's money per game: what leading may be worth, which is won by winning
SLIGHT = 0.1  # of that spread: what a place to sit may be worth, which nobody earns
SLOW = 1000  # games in which a better player should be ahead of all others
LARGEST = 0.5  # share of the spread that one fine may make
_ORDINARY = ("cards", "place", "points")  # what a game is about; all else are fines and prizes


def verdicts_on_games(played: Played) -> tuple[Verdict, ...]:
    """Return what there is to say about whole games, each with its figure and the threshold.

    A finding is beyond its threshold and at least `ERRORS` standard errors away from nothing. Of what has no error (one
    match alone, a thing that never came up) nothing is said.
    """
    said = (_on_leading, _on_direction, _on_skill, _on_spread, _on_bombs, _on_3_bich, _on_rake)
    return tuple(verdict for each in said for verdict in each(played))


def _on_leading(played: Played) -> Iterator[Verdict]:
    row = played.rows("leading")[0]
    yield from _beyond("leads", row["ahead"], row["ahead_error"], MEDIUM * _spread(played))


def _on_direction(played: Played) -> Iterator[Verdict]:
    rows = played.rows("direction")
    if rows:
        now = "alternating" if played.rules.turn.alternate_direction_each_hand else "straight"
        row, other = rows[-1], "straight" if now == "alternating" else "alternating"
        yield from _beyond(f"neighbours_{now}", row[now], row[f"{now}_error"], SLIGHT * _spread(played), row[other])


def _spread(played: Played) -> float:
    """Return the spread of a seat's money per game, the mean of all seats."""
    rows = played.stats.rows("seats")
    return float(sum(row["spread"] for row in rows) / len(rows))


def _beyond(
    kind: str, value: float, error: float | None, threshold: float, other: float | None = None
) -> Iterator[Verdict]:
    if error is None:
        return
    finding = abs(value) > threshold and abs(value) > ERRORS * error
    words = {"value": f"{value:+.3g}", "error": f"{error:.2g}", "other": None if other is None else f"{other:+.3g}"}
    yield _say(kind, value, threshold, words, finding=finding)


def _on_skill(played: Played) -> Iterator[Verdict]:
    row = played.rows("skill")[0]
    if row["std_error"] is None:
        return
    points = "_points" if played.rules.place_points is not None else ""
    words = {key: row[key] for key in ("policy", "others")} | {
        "value": f"{row['mean']:+.3g}", "error": f"{row['std_error']:.2g}", "zero": _count(row["games_to_lead_zero"]),
        "all": _count(row["games_to_lead_all"]),
    }  # fmt: skip
    if row["games_to_lead_all"] is None:
        yield _say("no_skill", row["mean"], 0.0, words, finding=True, said=f"no_skill{points}")
    else:
        slow = row["games_to_lead_all"] > SLOW
        yield _say("skill", row["games_to_lead_all"], SLOW, words, finding=slow, said=f"skill{points}")


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _on_spread(played: Played) -> Iterator[Verdict]:
    rows = [
        row for row in played.rows("reasons") if row["spread_share"] is not None and row["spread_error"] is not None
    ]
    fines = [row for row in rows if row["reason"] not in _ORDINARY]
    if fines:
        row = max(fines, key=lambda row: row["spread_share"])
        share, error = row["spread_share"], row["spread_error"]
        words = {"reason": row["reason"], "value": f"{share:.0%}", "error": f"{error:.1%}", "limit": f"{LARGEST:.0%}"}
        words["money"] = f"{row['share'] or 0:.0%}"
        finding = share > LARGEST and share - LARGEST > ERRORS * error
        yield _say("spread", share, LARGEST, words, finding=finding)


def _on_bombs(played: Played) -> Iterator[Verdict]:
    rows = [row for row in played.rows("risks") if row["thing"] in BOMBS and row["held"] and row["net_if_held_error"]]
    costly = [row for row in rows if row["net_if_held"] < -ERRORS * row["net_if_held_error"]]
    for row in costly:
        yield _say("bomb", row["net_if_held"], 0.0, _net(row), finding=True)
    if rows and not costly:
        row = min(rows, key=lambda row: row["net_if_held"])
        yield _say("bombs", row["net_if_held"], 0.0, _net(row), finding=False)


def _net(row: Row) -> Row:
    error = f"{row['net_if_held_error']:.2g}"
    return {"thing": row["thing"], "value": f"{row['net_if_held']:+.3g}", "error": error}


def _on_3_bich(played: Played) -> Iterator[Verdict]:
    """Say that trying surely does not pay, where it does not, under the reading in force."""
    for row in played.rows("ket_3_bich"):
        if row["in_force"] and row["tried"] and row["break_even"] is not None:
            words = {
                "value": f"{row['success']:.2%}",
                "limit": f"{row['break_even']:.1%}",
                "tried": _count(row["tried"]),
            }
            words |= {"low": f"{row['success_low']:.2%}", "high": f"{row['success_high']:.2%}"}
            yield _say(
                "3_bich", row["success"], row["break_even"], words, finding=row["success_high"] < row["break_even"]
            )


def _on_rake(played: Played) -> Iterator[Verdict]:
    row = played.rows("skill")[0]
    after, error = row["mean_after_rake"], row["std_error"]
    if after is not None and error is not None and played.rake is not None:
        words = {
            "policy": row["policy"],
            "others": row["others"],
            "value": f"{after:+.3g}",
            "mean": f"{row['mean']:+.3g}",
        }
        words |= {"error": f"{error:.2g}", "rake": f"{100 * float(played.rake):g} %"}
        yield _say("rake", after, 0.0, words, finding=after < -ERRORS * error)


def _say(kind: str, figure: float, threshold: float, words: Row, *, finding: bool, said: str = "") -> Verdict:
    """Return a verdict with its sentence in all languages, that of its kind where no other is given.

    Names of things and reasons are put in words.
    """
    sentences = []
    for lang in ("vi", "en"):
        named = {key: reason_name(words[key], lang) for key in ("thing", "reason") if key in words}
        with_limit = {"limit": amount(threshold)} | words | named
        sentences.append((lang, term(f"verdict_{said or kind}", lang).format(**with_limit)))
    return Verdict("all", kind, finding, None, figure, threshold, tuple(sentences))
