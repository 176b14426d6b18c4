"""A term of the glossary."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A term in both languages."""

    vi: str
    en: str
