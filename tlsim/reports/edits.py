"""What a page needs for prices to be edited in it: chances under two orders of strength, and a rule file in pieces."""

import re
import tomllib
from fractions import Fraction
from typing import Any

from tlsim.catalogue import LANGUAGES
from tlsim.fairness import Prices
from tlsim.fairness.notion import tolerances
from tlsim.fairness.repricing import with_prices
from tlsim.questions.report import Chapter
from tlsim.rules.toml import write_value

_PRICE = 987654.5  # stands where a price is to be put in; no rule file has it


def edits_of(chapter: Chapter) -> dict[str, Any]:
    """Return all lists of a rule set that can be edited, and the rule file around them."""
    lists = [prices for prices in chapter.fairness.lists if prices.known]
    return {
        "rules": chapter.rules.name, "players": lists[0].players if lists else 0,
        "lists": [_list(prices, chapter) for prices in lists], "file": _file(chapter, lists),
    }  # fmt: skip


def _list(prices: Prices, chapter: Chapter) -> dict[str, Any]:
    notion, tolerance = prices.notion, tolerances(chapter.fairness.tolerance)
    return {
        "list": prices.which, "by_price": notion.by_price, "method": notion.method, "judge_from": notion.judge_from,
        "cap": notion.cap, "step": notion.step, "tolerance": tolerance,
        "prices": {entry.id: entry.pays for entry in prices.listed},
        "names": {entry.id: {lang: entry.name(lang) for lang in LANGUAGES} for entry in prices.listed},
        "orders": {"force": _order(prices), "rarity": _order(chapter.by_rarity.get(prices.which, prices))},
    }  # fmt: skip


def _order(prices: Prices) -> list[dict[str, Any]]:
    """Return patterns, the strongest first: the chance to win the table, its bounds, and what đếm heo adds."""
    every = zip(prices.listed, prices.probabilities, prices.bounds, prices.added, strict=True)
    return [{"id": entry.id, "p": float(p), "low": float(low), "high": float(high), "heo": float(heo)}
            for entry, p, (low, high), heo in every]  # fmt: skip


def _file(chapter: Chapter, lists: list[Prices]) -> dict[str, Any]:
    """Return the rule file in pieces: what stands before the lists, and each pattern before and after its price."""
    rules = chapter.rules
    if not lists:
        return {"name": "", "head": "", "patterns": {}}
    name, label = f"{rules.name[:100]}-edited", f"{rules.label[:100]} *"
    changed = rules.replace({"name": name, "label": label})
    for prices in lists:
        order = tuple((entry.id, Fraction(entry.pays)) for entry in prices.listed)
        changed = with_prices(changed, prices.which, order, prices.players)
    text = changed.to_toml()
    written, which = tomllib.loads(text)["toi_trang"], "|".join(prices.which for prices in lists)
    head = re.sub(rf"^\[\[toi_trang\.({which})\]\]\n(?:(?!\[).*\n)*", "", text, flags=re.MULTILINE)
    return {"name": name, "head": head, "patterns": {
        prices.which: {entry["id"]: _pieces(entry, prices.players) for entry in written[prices.which]}
        for prices in lists
    }}  # fmt: skip


def _pieces(entry: dict[str, Any], players: int) -> list[str]:
    """Return a pattern as it is written, before and after its price."""
    pays = entry.get("pays")
    priced = pays | {str(players): _PRICE} if isinstance(pays, dict) else _PRICE
    text = "".join(f"{key} = {write_value(value)}\n" for key, value in (entry | {"pays": priced}).items())
    return text.split(write_value(_PRICE))
