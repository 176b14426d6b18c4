"""The glossary: every term that tlsim prints, in Vietnamese and in English; its words stand in ``glossary.toml``.

Its chapters: ``patterns`` (ids of the presets' patterns), ``game``, ``titles`` (of Tổng thống), ``events`` (what
happens in games), ``output`` (headings, quantities, notes), ``fairness`` (prices), ``values`` (what hands are worth).
Vietnamese is written with all marks, composed (NFC).
"""

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from tlsim.cards import strip_marks
from tlsim.catalogue import language
from tlsim.errors import UsageError, suggestion
from tlsim.folders import brought

BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")


class Term(NamedTuple):
    """A term in both languages."""

    vi: str
    en: str

    def said(self, lang: str) -> str:
        """Return it in a language; in English where that has no words for it."""
        return str(getattr(self, lang, self.en))


@cache
def chapters() -> dict[str, dict[str, Term]]:
    """Return the glossary, chapter by chapter."""
    read = brought("terms/glossary.toml")
    return {name: {key: Term(*both) for key, both in chapter.items()} for name, chapter in read.items()}


@cache
def rule_keys() -> dict[str, Term]:
    """Return what the keys of a rule file mean, in sentences."""
    return {key: Term(*both) for key, both in brought("terms/rule_keys.toml").items()}


def clause_said(key: str, _row: object, lang: str) -> str:
    """Return what a clause means: as its key says it, or what it is a part of; of a pattern with its name."""
    pattern, _, part = key.partition("[")[2].partition("].")
    if pattern:
        return term(f"pattern_{part}", lang).format(name=known_term(pattern, lang) or pattern)
    known = rule_keys()
    found = known.get(key) or known.get(key.rpartition(".")[0])
    return found.said(lang) if found else ""


@cache
def _terms() -> dict[str, Term]:
    return {key: both for chapter in chapters().values() for key, both in chapter.items()}


def term(key: str, lang: str | None = None) -> str:
    """Return a term by its id, in the language of the locale where none is named; a `KeyError` where there is none."""
    return _terms()[key].said(language(lang))


def term_of(key: str, lang: str | None = None, *, points: bool = False) -> str:
    """Return a term, in words for points where the glossary has such and nothing is for money."""
    return term(f"{key}_points" if points and f"{key}_points" in _terms() else key, lang)


def known_term(key: str, lang: str | None = None) -> str | None:
    """Return a term, or None where the glossary has none of that id."""
    return term(key, lang) if key in _terms() else None


def find_pattern(text: str, named: Mapping[str, str]) -> str:
    """Return the id of the pattern that somebody means, of some with their labels: with or without marks, any case."""
    forms: dict[str, list[str]] = {}
    for ident, label in named.items():
        for form in {*map(_spoken, (ident, label, *_terms().get(ident, ())))}:
            forms.setdefault(form, []).append(ident)
    found, ids = forms.get(_spoken(text), []), ", ".join(named) or "–"
    if len(found) > 1:
        raise UsageError("{given!r} may mean {ids}: write the one that is meant", given=text, ids=", ".join(found))
    if not found:
        near = suggestion(_spoken(text).replace(" ", "_"), named) or suggestion(text, [*named.values()])
        near = near or suggestion(_spoken(text), forms)
        raise UsageError("there is no pattern {given!r}; there are {ids}{near}", given=text, ids=ids, near=near)
    return found[0]


def known_pattern(text: str, named: Mapping[str, str]) -> str:
    """Return the id of the pattern that somebody means, or the text itself where that is none of them."""
    with suppress(UsageError):
        return find_pattern(text, named)
    return text.strip()


def _spoken(text: str) -> str:
    """Return what is compared of a pattern's name: no marks, no case, one kind of gap; heo is 2, and 3♠ is 3 bích."""
    plain = strip_marks(unicodedata.normalize("NFC", text.replace("♠", " bích"))).casefold()
    return " ".join(plain.replace("_", " ").replace("heo", "2").split())


def event_name(event: str, lang: str | None = None) -> str:
    """Return an event in words."""
    if event.startswith("chop_"):
        bomb = next(bomb for bomb in BOMBS if event.startswith(f"chop_{bomb}_"))
        target = event.removeprefix(f"chop_{bomb}_")
        return term("chopped_by", lang).format(bomb=term(bomb, lang), target=term(target, lang))
    if event.startswith("chain_of_"):
        return term("chain_of", lang).format(n=event.removeprefix("chain_of_"))
    if event.startswith("thoi_"):
        return term("left_with", lang).format(item=term(event.removeprefix("thoi_"), lang))
    return term(event, lang)


def reason_name(reason: str, lang: str | None = None) -> str:
    """Return a reason to pay in words."""
    return term("cards_left" if reason == "cards" else reason, lang)


def distance_name(distance: int, lang: str | None = None) -> str:
    """Return a distance from the leader in words."""
    return f"+{distance}" if distance else term("leads", lang)


def quantity_name(name: str, lang: str | None = None) -> str:
    """Return what a run can be told to find well enough in words."""
    for prefix, word in (("seat_", "seat_word"), ("role_", "role"), ("distance_", "distance"), ("wins_", "wins")):
        if name.startswith(prefix):
            rest = name.removeprefix(prefix)
            return f"{term(word, lang)} {known_term(rest, lang) or rest}"
    return known_term(name, lang) or name
