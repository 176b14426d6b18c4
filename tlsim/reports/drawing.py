"""Pictures of a report: inline SVG with a text alternative."""

from __future__ import annotations

import io
import re
from typing import Any

from tlsim.fairness.price_list import Which
from tlsim.plotting import new_axes
from tlsim.questions.report import Chapter
from tlsim.show.cells import Grid

_OF_FAIRNESS = {"reasons": "reasons", "flows": "flows", "seats": "seats", "leading": "leading", "skill": "convergence"}
_OF_GAMES = ("distribution", "sam_calls", "titles")
_SAID = 24  # rows that a text alternative tells


def of_prices(chapter: Chapter, which: Which, lang: str, salt: str) -> str:
    """Return the picture of prices beside fair prices."""
    return as_svg(chapter.fairness.plot(new_axes(), lang=lang, opening=which == "opening").figure, salt)


def of_view(chapter: Chapter, view: str, lang: str, salt: str) -> str:
    """Return the picture of a view of whole games that has rows; empty where there is none."""
    played = chapter.fairness.played
    if played is not None and chapter.played and view in _OF_FAIRNESS:
        return as_svg(chapter.fairness.plot(new_axes(), view=_OF_FAIRNESS[view], lang=lang).figure, salt)
    if played is not None and chapter.played and view in _OF_GAMES:
        return as_svg(played.stats.plot(new_axes(), view=view, lang=lang).figure, salt)
    return ""


def as_svg(figure: Any, salt: str) -> str:
    """Return a figure as SVG that may stand among others: its ids are its own, text stays text, the ground is clear."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = re.sub(r"<metadata>.*?</metadata>", "", out.getvalue(), flags=re.DOTALL)
    text = text[text.index("<svg") :]
    used = set(re.findall(r"(?:#|url\(#)([\w-]+)", text))
    text = re.sub(r'\s(?:id)="([\w-]+)"', lambda m: m[0] if m[1] in used else "", text)
    text = re.sub(r'\swidth="[\d.]+pt" height="[\d.]+pt"', "", text, count=1)
    return re.sub(r"\n\s*", "\n", text)


def alternative(shown: Grid) -> str:
    """Return what a picture of a table shows in words: its rows, as far as they can be listened to."""
    rows = ["; ".join(filter(None, row[:4])) for row in shown.rows[:_SAID]]
    return ". ".join([shown.title, *rows])
