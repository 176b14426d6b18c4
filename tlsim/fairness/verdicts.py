"""Verdicts on a price list: short sentences, each with the figure that it rests on and the threshold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from tlsim.errors import UsageError, shorten
from tlsim.fairness.prices import Prices, Which
from tlsim.results.parts import Listed, Row
from tlsim.terms import term

TOLERANCE = 2.0
VERDICT_COLUMNS = ("list", "kind", "finding", "pattern", "figure", "threshold", "sentence")


@dataclass(frozen=True)
class Verdict:
    """One thing said about a list, or about whole games.

    Parameters
    ----------
    list
        ``regular`` or ``opening``; ``all`` for whole games.
    kind
        ``order``: pairs in the wrong order; ``dear``, ``cheap``: a price out of line; ``free``: a pattern that wins and
        costs nothing; ``never``: one that never wins; ``bounds``: too little is known; ``in_order``, ``in_line``: all
        is well; ``unjudged``: prices are not asked about. Those on games: see `tlsim.fairness.findings`.
    finding
        Whether a threshold was crossed.
    pattern
        Pattern that it is about, if one.
    figure, threshold
        What the sentence rests on, and what it was held against.
    sentences
        By language.
    """

    list: Which | Literal["all"]
    kind: str
    finding: bool
    pattern: str | None
    figure: float | None
    threshold: float | None
    sentences: tuple[tuple[str, str], ...]

    def sentence(self, lang: str) -> str:
        """Return the sentence in a language."""
        return dict(self.sentences)[lang]

    def row(self, lang: str) -> Row:
        """Return the verdict as a row."""
        return {key: value for key, value in asdict(self).items() if key != "sentences"} | {
            "sentence": self.sentence(lang)
        }


def check_tolerance(tolerance: float) -> float:
    """Return a tolerance, or refuse it."""
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not tolerance >= 1:
        raise UsageError(
            f"tolerance = {shorten(tolerance)}: must be a factor of 1 or more, such as 2 (half to twice the fair price)"
        )
    return float(tolerance)


def verdicts_on(prices: Prices, tolerance: float) -> tuple[Verdict, ...]:
    """Return what there is to say about a list: its order, then prices out of line, the most money first."""
    if not prices.listed:
        return ()
    if not prices.known:
        return (_say(prices, "bounds", finding=False),)
    return (*_on_order(prices), *_on_prices(prices, tolerance))


def _on_order(prices: Prices) -> Iterator[Verdict]:
    wrong = prices.wrong_pairs
    if not wrong:
        words = {0: "no_pair", 1: "in_order_1"}.get(prices.pairs, "in_order")
        yield _say(prices, "in_order", finding=False, figure=0, threshold=0, words=words, all=prices.pairs)
        return
    worst = wrong[0]
    names = {entry.id: entry for entry in prices.listed}
    yield _say(
        prices, "order", finding=True, figure=len(wrong), threshold=0, all=prices.pairs,
        words="order" if len(wrong) > 1 else "order_1" if prices.pairs > 1 else "order_1_of_1",
        pattern=names[worst["pattern"]], rarer=names[worst["rarer"]], factor=amount(worst["factor"]), by=worst["by"],
    )  # fmt: skip


def _on_prices(prices: Prices, tolerance: float) -> Iterator[Verdict]:
    if not prices.paid:
        yield _say(prices, "all_free", finding=True, figure=0, threshold=0)
        return
    by_money = sorted(range(len(prices.listed)), key=lambda at: -prices.prices[at] * prices.probabilities[at])
    said = [verdict for at in by_money if (verdict := _on_price(prices, at, tolerance))]
    yield from said
    if math.isinf(tolerance):
        yield _say(prices, "unjudged", finding=False)
    elif not any(verdict.finding for verdict in said):
        ratio = float(prices.worst or 1)
        yield _say(
            prices, "in_line", finding=False, figure=max(ratio, 1 / ratio), threshold=tolerance,
            factor=amount(max(ratio, 1 / ratio)),
        )  # fmt: skip


def _on_price(prices: Prices, at: int, tolerance: float) -> Verdict | None:
    """Return a verdict on one price, if it is out of line."""
    entry, fair, ratio = prices.listed[at], prices.fair[at], prices.ratios[at]
    if fair is None or ratio is None:
        return _say(prices, "never", finding=False, words=_never(prices, at), pattern=entry, figure=0, threshold=0)
    if ratio == 0:
        return _say(prices, "free", finding=True, pattern=entry, figure=0, threshold=1 / tolerance, fair=amount(fair))
    factor = float(max(ratio, 1 / ratio))
    if factor <= tolerance:
        return None
    return _say(
        prices, "dear" if ratio > 1 else "cheap", finding=True, pattern=entry, figure=float(ratio),
        threshold=tolerance if ratio > 1 else 1 / tolerance, price=amount(entry.pays), fair=amount(fair),
        factor=amount(factor),
    )  # fmt: skip


def _never(prices: Prices, at: int) -> str:
    """Say why a pattern never wins, as far as single hands tell."""
    return "never_held" if not prices.odds.hand.holds[at] else "never_covered" if at in prices.covered else "never"


def _say(
    prices: Prices, kind: str, *, finding: bool, figure: float | None = None, threshold: float | None = None,
    words: str = "", **named: object,
) -> Verdict:  # fmt: skip
    """Return a verdict with its sentence in all languages, that of its kind where no other is given."""
    pattern = named.get("pattern")
    sentences = []
    for lang in ("vi", "en"):
        said = {key: word.name(lang) if isinstance(word, Listed) else word for key, word in named.items()}
        if "by" in named:
            said["how"] = term(f"how_{named['by']}", lang)
        limit = None if threshold is None else amount(max(threshold, 1 / threshold) if threshold else 0)
        sentence = term(f"verdict_{words or kind}", lang).format(figure=figure, limit=limit, **said)
        sentences.append((lang, sentence))
    ident = pattern.id if isinstance(pattern, Listed) else None
    return Verdict(prices.which, kind, finding, ident, figure, threshold, tuple(sentences))


def amount(value: object) -> str:
    """Return an amount with three digits, whole from 100 on.

    >>> amount(5.512), amount(1016432.4), amount(0.7234), amount(float("inf"))
    ('5.51', '1,016,432', '0.723', '∞')
    """
    number = float(value)  # type: ignore[arg-type]
    if math.isinf(number):
        return "∞"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
