"""Exact and simulated odds of Vietnamese climbing card games: Tiến Lên, Sâm lốc, Tổng thống."""

import importlib
from typing import TYPE_CHECKING, Any

from tlsim.version import __version__ as __version__

if TYPE_CHECKING:
    from tlsim.engine.keep import Keep
    from tlsim.engine.run import Until
    from tlsim.errors import CardError, RulesError, RunError, TlsimError, UsageError
    from tlsim.questions.advise import advise
    from tlsim.questions.event import estimate_event
    from tlsim.questions.fair import payout_fairness
    from tlsim.questions.games import compare, mean_money, simulate, write_games
    from tlsim.questions.hand import hand_value, worth_of_declaring
    from tlsim.questions.odds import estimate_odds, exact_odds
    from tlsim.questions.playing import play, replay, settle
    from tlsim.questions.review import review
    from tlsim.questions.single_hands import classify_hand, draw_hands
    from tlsim.questions.train import train
    from tlsim.records import RecordError
    from tlsim.reports import report
    from tlsim.rules import Rules, list_rules, load_rules

# Public names by where they come from; imported when first used, so that ``import tlsim`` is quick.
_NAMES = {
    "tlsim.engine.keep": ("Keep",),
    "tlsim.engine.run": ("Until",),
    "tlsim.errors": ("CardError", "RulesError", "RunError", "TlsimError", "UsageError"),
    "tlsim.questions.advise": ("advise",),
    "tlsim.questions.event": ("estimate_event",),
    "tlsim.questions.fair": ("payout_fairness",),
    "tlsim.questions.games": ("compare", "mean_money", "simulate", "write_games"),
    "tlsim.questions.hand": ("hand_value", "worth_of_declaring"),
    "tlsim.questions.review": ("review",),
    "tlsim.questions.single_hands": ("classify_hand", "draw_hands"),
    "tlsim.questions.odds": ("estimate_odds", "exact_odds"),
    "tlsim.questions.playing": ("play", "replay", "settle"),
    "tlsim.questions.train": ("train",),
    "tlsim.records": ("RecordError",),
    "tlsim.reports": ("report",),
    "tlsim.rules": ("Rules", "list_rules", "load_rules"),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}
__all__ = [
    "CardError", "Keep", "RecordError", "Rules", "RulesError", "RunError", "TlsimError", "Until", "UsageError",
    "advise", "classify_hand", "compare", "draw_hands", "estimate_event", "estimate_odds", "exact_odds", "hand_value",
    "list_rules", "load_rules", "mean_money", "payout_fairness", "play", "replay", "report", "review", "settle",
    "simulate", "train", "worth_of_declaring", "write_games",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "policy":  # what a policy of one's own is shown; imports the compiler
        return importlib.import_module("tlsim.policy")
    if name not in _HOMES:
        raise AttributeError(f"module 'tlsim' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
