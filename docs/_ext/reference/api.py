"""The chapter of Python."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import tlsim
from reference.columns import modules
from reference.text import load
from tlsim.results.result import Result

CHAPTERS = {
    "Odds": ("exact_odds", "estimate_odds", "estimate_event", "draw_hands", "classify_hand"),
    "Whole games": ("simulate", "compare", "mean_money", "write_games"),
    "What a hand is worth": ("hand_value", "worth_of_declaring"),
    "What to play, and what was played": ("advise", "review"),
    "Teaching a policy": ("train",),
    "Prices": ("payout_fairness", "report"),
    "Games to read, and records": ("play", "replay", "settle"),
    "Rules": ("load_rules", "list_rules", "Rules"),
    "How a run is run": ("Until", "Keep"),
    "Errors": ("TlsimError", "UsageError", "CardError", "RulesError", "RunError", "RecordError"),
}
RESULTS = (
    "Every result has `to_frame(view)`, `rows(view)` and `views`, and most have `plot(ax)`. Results of one question "
    "over other deals add by `+`."
)


def api() -> list[str]:
    """Return all public names by chapters, and what they return."""
    placed = {name for names in CHAPTERS.values() for name in names}
    chapters = {**CHAPTERS, "More": tuple(name for name in tlsim.__all__ if name not in placed)}
    lines: list[str] = []
    for title, names in chapters.items():
        there = [name for name in names if name in tlsim.__all__]
        if there:
            lines += ["", f"## {title}", ""]
        for name in there:
            if load(tlsim._HOMES[name]) is None:  # noqa: SLF001 (our own package)
                continue
            value = getattr(tlsim, name)
            lines += documented("autoclass" if inspect.isclass(value) else "autofunction", f"tlsim.{name}", name,
                                ("replace", "to_toml", "source_of", "describe_difference", "instant_wins")
                                if name == "Rules" else ())  # fmt: skip
    lines += ["", "## What the functions return", "", RESULTS, ""]
    for result in sorted(results(), key=lambda each: each.__name__):
        lines += documented("autoclass", f"{result.__module__}.{result.__name__}", result.__name__, public(result))
    lines += ["", "## A policy of one's own", ""]
    if load("tlsim.policy") is not None:
        lines += ["```{eval-rst}", ".. automodule:: tlsim.policy", "```", ""]
    return lines


def public(result: type[Any]) -> tuple[str, ...]:
    """Return the methods of a result that are its own."""
    return tuple(
        name for name, value in vars(result).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__doc__", None)
        and name not in {"applies", "view", "page", "tables", "table", "said", "notes", "quantities", "about"}
    )  # fmt: skip


def results() -> list[type[Any]]:
    """Return the kinds of result that there are."""
    list(modules())
    found: list[type[Any]] = []
    waiting: list[type[Any]] = [Result]
    while waiting:
        for each in waiting.pop().__subclasses__():
            waiting.append(each)
            if each.__doc__ and not each.__name__.startswith("_") and each.__module__.startswith("tlsim."):
                found.append(each)
    return list(dict.fromkeys(found))


def documented(directive: str, name: str, title: str, members: Sequence[str] = ()) -> list[str]:
    """Return what has autodoc write something."""
    options = [f"   :members: {', '.join(members)}"] if members else []
    return [f"### {title}", "", "```{eval-rst}", f".. {directive}:: {name}", *options, "```", ""]
