"""The language that people read, and sentences in it: English stands in the code, Vietnamese in a gettext catalogue.

Terms of the games and headings have a home of their own, `tlsim.terms`; here are whole sentences. ``make words``
collects them anew from the code.
"""

import gettext
import locale
import os
import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tlsim.errors import Sentence, TlsimError, UsageError, unknown, visible

Language: TypeAlias = Literal["vi", "en"]
LANGUAGES: tuple[Language, ...] = ("vi", "en")
FOLDER = Path(__file__).parent / "locale"
_asked: list[Language] = []  # by ``--lang``, for all that a command says


def language(lang: str | None = None) -> Language:
    """Return the language to print in: as asked, by ``--lang``, by ``TLSIM_LANG``, by the locale, else English."""
    if lang is None and _asked:
        return _asked[-1]
    asked = lang if lang is not None else os.environ.get("TLSIM_LANG") or None
    if asked is None:
        # As POSIX has it: the first that is set and not empty decides. Elsewhere the system is asked.
        names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
        chosen = next(filter(None, names), None) or locale.getlocale()[0] or ""
        return "vi" if chosen.lower().startswith("vi") else "en"
    for known in LANGUAGES:
        if asked == known:
            return known
    raise unknown("lang" if lang is not None else "TLSIM_LANG", asked, LANGUAGES)


def ask(lang: Language | None) -> None:
    """Set the language of all that a command says; None for what the surroundings say."""
    _asked[:] = [] if lang is None else [lang]


@contextmanager
def click_speaks() -> Iterator[None]:
    """Let click, which asks gettext for its sentences when it prints them, find them in our catalogue."""
    try:
        spoken = language()
    except UsageError:
        ask("en")  # to say what is wrong
        raise
    before, asked = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain("tlsim", str(FOLDER))
    gettext.textdomain("tlsim")
    os.environ["LANGUAGE"] = spoken
    try:
        yield
    finally:
        gettext.textdomain(before)
        os.environ.pop("LANGUAGE")
        if asked is not None:
            os.environ["LANGUAGE"] = asked


def say(text: str, /, lang: str | None = None, **values: Any) -> str:
    """Return a sentence of the catalogue in a language, with its ``{names}`` filled in by values."""
    found = _catalogue(language(lang)).gettext(text) if text else text
    return _Filled(language(lang)).vformat(found, (), values) if values else found


class _Filled(string.Formatter):
    """Fills in a sentence: a number whose digits are grouped stands in the way of the language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def format_field(self, value: Any, form: str) -> str:
        """Return what stands in the sentence."""
        return local(format(value, form), self.lang) if "," in form else str(format(value, form))


def local(text: str, lang: str) -> str:
    """Return a number that was written in the C form in the way of a language."""
    return text if lang == "en" else text.translate(_separators(lang))


@cache
def _separators(lang: str) -> dict[int, str]:
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return str.maketrans({",": get_group_symbol(lang), ".": get_decimal_symbol(lang)})


def told(said: Any, lang: str | None = None) -> str:
    """Return an error or a sentence in a language, with all that stands in it; anything else as it is."""
    sentence = said.sentence if isinstance(said, TlsimError) else said
    if not isinstance(sentence, Sentence):
        return visible(str(sentence))
    every = sentence.values.items()
    inner = {key: told(one, lang) if isinstance(one, Sentence | TlsimError) else one for key, one in every}
    text = visible(say(sentence.text, lang, **inner))
    return text if sentence.change is None else sentence.change(text)


def N_(text: str) -> str:  # noqa: N802 (the name by which gettext's tools know it)
    """Mark a sentence for the catalogue where it is declared; `say` says it later."""
    return text


@cache
def _catalogue(lang: Language) -> gettext.NullTranslations:
    return gettext.translation("tlsim", FOLDER, [lang], fallback=True)
