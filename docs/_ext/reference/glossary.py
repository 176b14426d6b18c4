"""The chapter of words: terms of the games in both languages."""

from __future__ import annotations

from reference.text import cell, code, table
from tlsim.terms import chapters

SHOWN = {
    "patterns": "Patterns",
    "game": "Words of the games, and reasons to pay",
    "titles": "Titles of Tổng thống",
    "events": "What happens in games",
}


def glossary() -> list[str]:
    """Return the chapters of the glossary that are about the games, and not headings of tables."""
    lines: list[str] = []
    for name, title in SHOWN.items():
        lines += ["", f"## {title}"]
        words = chapters()[name].items()
        lines += table(["id", "tiếng Việt", "English"], [[code(key), *map(cell, both)] for key, both in words])
    return lines
