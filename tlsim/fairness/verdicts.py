"""Verdicts on price lists and on whole games: short sentences, each with its figure and the threshold."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tlsim.columns import Row
from tlsim.fairness.notion import ALL, Tolerances, tolerances
from tlsim.fairness.plays import Played
from tlsim.fairness.price_list import Prices, Which
from tlsim.fairness.sample import BOMBS
from tlsim.fairness.views import VERDICTS
from tlsim.results.provenance import Listed
from tlsim.show.numbers import amount, local, percents, plus_minus
from tlsim.terms import reason_name, term

ERRORS = 4  # standard errors that a finding takes: 6 in 100,000 each, where nothing is there to be found
MEDIUM = 0.5  # of the spread of a seat's money per game: what leading may be worth, which is won by winning
SLIGHT = 0.1  # of that spread: what a place to sit may be worth, which nobody earns
SLOW = 1000  # games in which a better player should be ahead of all others
LARGEST = 0.5  # share of the spread that one fine may make
_ORDINARY = ("cards", "place", "points")  # what a game is about; all else are fines and prizes


@dataclass(frozen=True)
class Verdict:
    """One thing said about a list, or about whole games (list ``all``).

    Kinds: ``order``: pairs in the wrong order; ``dear``, ``cheap``: a price out of line; ``free``: a pattern that wins
    and costs nothing; ``never``: one that never wins; ``bounds``: too little is known; ``in_order``, ``in_line``: all
    is well; ``unjudged``: prices are not asked about; those on games: see `verdicts_on_games`.
    """

    list: Which | Literal["all"]
    kind: str
    finding: bool  # whether a threshold was crossed
    pattern: str | None
    figure: float | None  # what the sentence rests on
    threshold: float | None  # what it was held against
    said: str  # which sentence says it
    words: Row  # and what stands in it
    open: bool = False  # whether it is no finding, but more games may make it one

    def sentence(self, lang: str) -> str:
        """Return the sentence in a language."""
        return "".join(self._parts(lang))

    def short(self, lang: str) -> str:
        """Return the sentence without the threshold, which the view has."""
        return self._parts(lang)[0]

    def _parts(self, lang: str) -> Sequence[str]:
        """Return the sentence and, where it has one, the threshold: the glossary has ``|`` between them."""
        words = {key: _word(key, word, lang) for key, word in self.words.items()}
        return [part.format(**words) for part in term(f"verdict_{self.said}", lang).split("|")]

    def row(self, lang: str) -> Row:
        """Return the verdict as a row."""
        told = {key: getattr(self, key) for key in VERDICTS.keys if key != "sentence"}
        return told | {"sentence": self.sentence(lang)}


def _word(key: str, word: Any, lang: str) -> Any:
    """Return what stands in a sentence: patterns, things and reasons by name, numbers in the way of the language."""
    if isinstance(word, Listed):
        return word.name(lang)
    if key == "how":
        return term(f"how_{word}", lang)
    if key in {"thing", "reason"}:
        return reason_name(word, lang)
    return local(word, lang) if isinstance(word, str) and key not in {"policy", "others"} else word


# --- price lists ---


def verdicts_on(prices: Prices, tolerance: float | Tolerances | Sequence[tuple[str, float]]) -> tuple[Verdict, ...]:
    """Return what there is to say about a list: its order, then prices out of line, the most money first."""
    if not prices.listed:
        return ()
    if not prices.known:
        return (_of_list(prices, "bounds", finding=False),)
    return (*_on_order(prices), *_on_prices(prices, tolerances(tolerance)))


def _on_order(prices: Prices) -> Iterator[Verdict]:
    wrong = prices.wrong_pairs
    if not wrong:
        said = {0: "no_pair", 1: "in_order_1"}.get(prices.pairs, "in_order")
        yield _of_list(prices, "in_order", finding=False, figure=0, threshold=0, said=said, all=prices.pairs)
        return
    worst, names = wrong[0], {entry.id: entry for entry in prices.listed}
    yield _of_list(
        prices, "order", finding=True, figure=len(wrong), threshold=0, all=prices.pairs,
        said="order" if len(wrong) > 1 else "order_1" if prices.pairs > 1 else "order_1_of_1",
        pattern=names[worst["pattern"]], rarer=names[worst["rarer"]], factor=amount(worst["factor"]), how=worst["by"],
    )  # fmt: skip


def _on_prices(prices: Prices, factors: Tolerances) -> Iterator[Verdict]:
    if not prices.notion.by_price:
        yield _of_list(prices, "unjudged", finding=False, said=f"unjudged_{prices.notion.method}")
        return
    if not prices.paid:
        yield _of_list(prices, "all_free", finding=True, figure=0, threshold=0)
        return
    by_money = sorted(range(len(prices.listed)), key=lambda at: -prices.prices[at] * prices.probabilities[at])
    known = [at for at in by_money if at in prices.judged or at not in prices.winning]
    found = [verdict for at in known if (verdict := _on_price(prices, at, factors))]
    yield from found
    tolerance = factors[ALL]
    if math.isinf(tolerance):
        yield _of_list(prices, "unjudged", finding=False)
    elif not any(verdict.finding for verdict in found):
        own = (float(ratio) for entry, ratio in zip(prices.listed, prices.ratios, strict=True)
               if ratio and entry.id not in factors)  # fmt: skip
        factor = max((max(ratio, 1 / ratio) for ratio in own), default=1.0)
        yield _of_list(prices, "in_line", finding=False, figure=factor, threshold=tolerance, factor=amount(factor))


def _on_price(prices: Prices, at: int, factors: Tolerances) -> Verdict | None:
    """Return a verdict on one price, if it is out of line."""
    entry, fair, ratio = prices.listed[at], prices.fair[at], prices.ratios[at]
    tolerance = factors.get(entry.id, factors[ALL])
    if fair is None or ratio is None:
        held = prices.odds.hand.holds[at]  # as far as single hands tell
        never = "never_held" if not held else "never_covered" if at in prices.covered else "never"
        return _of_list(prices, "never", finding=False, said=never, pattern=entry, figure=0, threshold=0)
    fair_price = amount(float(fair))
    if ratio == 0:
        return _of_list(prices, "free", finding=True, pattern=entry, figure=0, threshold=1 / tolerance, fair=fair_price)
    factor = float(max(ratio, 1 / ratio))
    if factor <= tolerance:
        return None
    kind, heo = "dear" if ratio > 1 else "cheap", prices.heo.get(entry.id)
    return _of_list(
        prices, kind, finding=True, said=f"{kind}_heo" if heo else kind, pattern=entry, figure=float(ratio),
        threshold=tolerance if ratio > 1 else 1 / tolerance, price=amount(entry.pays), fair=fair_price,
        factor=amount(factor), heo=amount(heo[0]) if heo else "",
    )  # fmt: skip


def _of_list(
    prices: Prices, kind: str, *, finding: bool, figure: float | None = None, threshold: float | None = None,
    said: str = "", **words: object,
) -> Verdict:  # fmt: skip
    """Return a verdict on a list."""
    limit = None if threshold is None else amount(max(threshold, 1 / threshold) if threshold else 0)
    ident = pattern.id if isinstance(pattern := words.get("pattern"), Listed) else None
    whole = {"figure": figure, "limit": limit} | words
    return Verdict(prices.which, kind, finding, ident, figure, threshold, said or kind, whole)


# --- whole games ---


def verdicts_on_games(played: Played) -> tuple[Verdict, ...]:
    """Return what there is to say about whole games, each with its figure and the threshold.

    A finding is beyond its threshold and at least `ERRORS` standard errors away from nothing. Of what has no error (one
    match alone, a thing that never came up) nothing is said.
    """
    said = (_on_leading, _on_direction, _on_skill, _on_spread, _on_bombs, _on_3_bich, _on_rake)
    return tuple(verdict for each in said for verdict in each(played))


def _spread(played: Played) -> float:
    """Return the spread of a seat's money per game, the mean of all seats."""
    seats = played.stats.rows("seats")
    return float(sum(seat["spread"] for seat in seats) / len(seats))


def _on_leading(played: Played) -> Iterator[Verdict]:
    row = played.rows("leading")[0]
    yield from _beyond("leads", row["ahead"], row["ahead_error"], MEDIUM * _spread(played))


def _on_direction(played: Played) -> Iterator[Verdict]:
    if rows := played.rows("direction"):
        ways = ("straight", "alternating")
        now, other = ways[::-1] if played.rules.turn.alternate_direction_each_hand else ways
        row = rows[-1]
        words = {"other": amount(row[other], row[f"{other}_error"], "+")}
        yield from _beyond(f"neighbours_{now}", row[now], row[f"{now}_error"], SLIGHT * _spread(played), words)


def _beyond(kind: str, value: float, error: float | None, threshold: float, words: Row | None = None
            ) -> Iterator[Verdict]:  # fmt: skip
    if error is not None:
        finding = abs(value) > threshold and abs(value) > ERRORS * error
        words = _estimate(value, error) | (words or {})
        more = not finding and abs(value) + ERRORS * error > threshold
        yield _of_games(kind, value, threshold, words, finding=finding, more=more)


def _estimate(value: float, error: float) -> Row:
    return {"value": amount(value, error, "+"), "error": plus_minus(error).removeprefix(" ± ") or "0"}


def _on_skill(played: Played) -> Iterator[Verdict]:
    row = played.rows("skill")[0]
    if row["std_error"] is None:
        return
    points, needed = "_points" if played.rules.place_points is not None else "", row["games_to_lead_all"]
    words = {"policy": row["policy"], "others": row["others"]} | _estimate(row["mean"], row["std_error"])
    words |= {"zero": _some(row["games_to_lead_zero"]), "all": _some(needed)}
    if needed is None:
        yield _of_games("no_skill", row["mean"], 0.0, words, finding=True, said=f"no_skill{points}")
    else:
        yield _of_games("skill", needed, SLOW, words, finding=needed > SLOW, said=f"skill{points}")


def _some(value: int | None) -> str:
    """Return a number of games, of which two digits are known."""
    return "–" if value is None else f"{float(f'{value:.2g}'):,.0f}"


def _on_spread(played: Played) -> Iterator[Verdict]:
    rows = [row for row in played.rows("reasons") if None not in (row["spread_share"], row["spread_error"])]
    fines = [row for row in rows if row["reason"] not in _ORDINARY]
    if fines:
        row = max(fines, key=lambda row: row["spread_share"])
        share, error = row["spread_share"], row["spread_error"]
        words = {"reason": row["reason"], "value": f"{share:.0%}", "error": f"{error:.1%}", "limit": f"{LARGEST:.0%}"}
        words["money"] = f"{row['share'] or 0:.0%}"
        finding = share > LARGEST and share - LARGEST > ERRORS * error
        more = not finding and share + ERRORS * error > LARGEST
        yield _of_games("spread", share, LARGEST, words, finding=finding, more=more)


def _on_bombs(played: Played) -> Iterator[Verdict]:
    rows = [row for row in played.rows("risks") if row["thing"] in BOMBS and row["held"] and row["net_if_held_error"]]
    costly = [row for row in rows if row["net_if_held"] < -ERRORS * row["net_if_held_error"]]
    least = [] if costly or not rows else [min(rows, key=lambda row: row["net_if_held"])]
    for row in costly or least:
        words = {"thing": row["thing"]} | _estimate(row["net_if_held"], row["net_if_held_error"])
        more = not costly and row["net_if_held"] < ERRORS * row["net_if_held_error"]
        kind, said = ("bomb", "bomb") if costly else ("bombs", "bombs_open" if more else "bombs")
        yield _of_games(kind, row["net_if_held"], 0.0, words, finding=bool(costly), said=said, more=more)


ACROSS = {"leads": _on_leading, "spread": _on_spread, "bombs": _on_bombs}
"""What the policies of a table decide; skill, direction and 3♠ are asked of policies of their own."""


def _on_3_bich(played: Played) -> Iterator[Verdict]:
    """Say whether trying pays at its best moment, under the reading in force, and what tries came to."""
    for row in played.rows("ket_3_bich"):
        if row["in_force"] and row["tried"] and row["break_even"] is not None:
            words: Row = {"value": percents(row["success_low"], row["success_high"]), "best": f"{row['best']:.0%}"}
            words |= {"limit": f"{100 * row['break_even']:.3g}%", "tried": f"{row['tried']:,}"}
            finding = row["best"] < row["break_even"]
            yield _of_games("3_bich", row["best"], row["break_even"], words, finding=finding)


def _on_rake(played: Played) -> Iterator[Verdict]:
    row = played.rows("skill")[0]
    after, error = row["mean_after_rake"], row["std_error"]
    if after is not None and error is not None and played.rake is not None:
        words = {"policy": row["policy"], "others": row["others"]} | _estimate(after, error)
        words |= {"mean": amount(row["mean"], error, "+"), "rake": f"{100 * float(played.rake):g}%"}
        yield _of_games("rake", after, 0.0, words, finding=after < -ERRORS * error)


def _of_games(
    kind: str, figure: float, threshold: float, words: Row, *, finding: bool, said: str = "", more: bool = False
) -> Verdict:
    """Return a verdict on whole games."""
    whole = {"limit": amount(threshold)} | words
    return Verdict("all", kind, finding, None, figure, threshold, said or kind, whole, more)


# --- whole games held against other play: which findings stay, and which turn with who plays ---

STATES = ("finding", "open", "none")  # open: more games may make it a finding
LONG = {"expert": 10, "rollout": 1000}  # policies that think long, and by how many times fewer games they play


def games_of(policies: str, games: int) -> int:
    """Return how many games policies play that are only held against others."""
    return max(1, games // max((part for name, part in LONG.items() if name in policies), default=1))


def across_rows(played: Sequence[Played], lang: str) -> list[Row]:
    """Return for each topic, and each way to play, whether there is a finding, and whether that turns."""
    return [
        {"topic": topic, "policies": policies, "finding": state == "finding", "state": state, "turns": turns(states),
         "figure": verdict.figure, "threshold": verdict.threshold, "sentence": verdict.sentence(lang)}
        for topic, states, said in _topics(played)
        for (policies, state), verdict in zip(states.items(), said, strict=True)
    ]  # fmt: skip


def turns(states: Mapping[str, str]) -> bool:
    """Whether what is a finding among some is surely none among others."""
    return {"finding", "none"} <= set(states.values())


def across_said(played: Sequence[Played], lang: str) -> list[str]:
    """Return in words which findings stay, and which turn."""
    lines = []
    for topic, states, _ in _topics(played):
        names = {state: ", ".join(name for name, own in states.items() if own == state) for state in STATES}
        found = set(states.values())
        key = "turns" if turns(states) else found.pop() if len(found) == 1 else "open_" + min(found - {"open"})
        mark = "▲ " if turns(states) else "– "
        lines.append(mark + term(f"across_{key}", lang).format(topic=term(f"across_{topic}", lang), **names))
    return lines


def _topics(played: Sequence[Played]) -> Iterator[tuple[str, dict[str, str], list[Verdict]]]:
    """Yield each topic, what it is by who plays, one of `STATES`, and the first verdict of each."""
    for topic, says in ACROSS.items():
        found = {each.policies: said for each in played if (said := tuple(says(each)))}
        if len(found) > 1:
            states = {
                name: "finding" if any(v.finding for v in said) else "open" if any(v.open for v in said) else "none"
                for name, said in found.items()
            }
            yield topic, states, [said[0] for said in found.values()]
