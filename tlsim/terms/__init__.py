"""The glossary: every term that tlsim prints, in Vietnamese and in English.

Its chapters: ``games`` (the ids of the presets' patterns, the words of the games, titles of Tổng thống, what happens in
games), ``output`` (headings, quantities and notes), ``fairness`` (prices), ``values`` (what hands are worth).
Vietnamese is written with all marks, composed (NFC).
"""

from __future__ import annotations

import locale
import os
import unicodedata
from typing import Literal, TypeAlias

from tlsim.cards import strip_marks
from tlsim.errors import UsageError, suggestion
from tlsim.terms.fairness import FAIRNESS
from tlsim.terms.games import EVENTS, GAME, PATTERNS, TITLES
from tlsim.terms.output import OUTPUT
from tlsim.terms.values import VALUES

Language: TypeAlias = Literal["vi", "en"]
LANGUAGES: tuple[Language, ...] = ("vi", "en")

_TERMS = {**PATTERNS, **GAME, **TITLES, **EVENTS, **OUTPUT, **FAIRNESS, **VALUES}


def term(key: str, lang: str | None = None) -> str:
    """Return a term.

    Parameters
    ----------
    key
        Its id.
    lang
        ``vi``, ``en``, or None for the language of the locale.

    Raises
    ------
    KeyError
        If the glossary has no such id.

    Examples
    --------
    >>> term("pair_run", "vi"), term("pair_run", "en")
    ('đôi thông', 'pair run')
    """
    return str(getattr(_TERMS[key], language(lang)))


def term_of(key: str, lang: str | None = None, *, points: bool = False) -> str:
    """Return a term, in words for points where the glossary has such and nothing is for money.

    >>> term_of("view_seats", "en"), term_of("view_seats", "en", points=True), term_of("mean", "en", points=True)
    ('By seat: money per game', 'By seat: points per game', 'mean')
    """
    return term(f"{key}_points" if points and f"{key}_points" in _TERMS else key, lang)


def language(lang: str | None = None) -> Language:
    """Return the language to print in.

    Parameters
    ----------
    lang
        ``vi`` or ``en``; None asks the locale: English where it is of another language than Vietnamese. A locale that
        names no language (``C``) is answered in the language of the games.

    Raises
    ------
    UsageError
        If it is another language.

    Examples
    --------
    >>> language("vi")
    'vi'
    """
    if lang is None:
        # As POSIX has it: the first that is set and not empty decides. Elsewhere the system is asked.
        names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
        chosen = next(filter(None, names), None) or locale.getlocale()[0] or ""
        named = chosen.lower().partition(".")[0]
        return "vi" if named in {"", "c", "posix"} or named.startswith("vi") else "en"
    for known in LANGUAGES:
        if lang == known:
            return known
    raise UsageError(f"lang = {lang!r}: must be one of {', '.join(LANGUAGES)}")


def find(text: str) -> str:
    """Return the id of a pattern or of a word of the games.

    Parameters
    ----------
    text
        An id, or the Vietnamese (with or without marks) or English term, in any case.

    Raises
    ------
    UsageError
        If the glossary has no such term.

    Examples
    --------
    >>> find("đôi thông"), find("Tu quy 2"), find("four 2s"), find("sau_doi")
    ('pair_run', 'tu_quy_2', 'tu_quy_2', 'sau_doi')
    """
    forms = {_form(form): key for key, both in {**GAME, **PATTERNS}.items() for form in (key, *both)}
    wanted = _form(text)
    if wanted not in forms:
        raise UsageError(f"{text!r} is not in the glossary{suggestion(wanted, forms)}")
    return forms[wanted]


def _form(text: str) -> str:
    """Return what is compared: no marks, no case, one kind of gap."""
    return " ".join(strip_marks(unicodedata.normalize("NFC", text)).casefold().replace("_", " ").split())
