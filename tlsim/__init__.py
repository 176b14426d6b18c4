"""Exact and simulated odds of Vietnamese climbing card games: Tiến Lên, Sâm lốc, Tổng thống."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tlsim.version import __version__ as __version__

if TYPE_CHECKING:
    from tlsim.api import classify_hand, draw_hands, estimate_event, estimate_odds, exact_odds
    from tlsim.engine.kept import Keep
    from tlsim.engine.until import Until
    from tlsim.errors import CardError, RulesError, RunError, TlsimError, UsageError
    from tlsim.games import compare, play, replay, settle, simulate
    from tlsim.payouts import payout_fairness
    from tlsim.records import RecordError
    from tlsim.rules import Rules, list_rules, load_rules
    from tlsim.values import hand_value, mean_money, worth_of_declaring

# Public names and where they come from; imported when first used, so that ``import tlsim`` is quick.
_HOMES = {
    "CardError": "tlsim.errors",
    "Keep": "tlsim.engine.kept",
    "RecordError": "tlsim.records",
    "Rules": "tlsim.rules",
    "RulesError": "tlsim.errors",
    "RunError": "tlsim.errors",
    "TlsimError": "tlsim.errors",
    "Until": "tlsim.engine.until",
    "UsageError": "tlsim.errors",
    "classify_hand": "tlsim.api",
    "compare": "tlsim.games",
    "draw_hands": "tlsim.api",
    "estimate_event": "tlsim.api",
    "estimate_odds": "tlsim.api",
    "exact_odds": "tlsim.api",
    "hand_value": "tlsim.values",
    "list_rules": "tlsim.rules",
    "load_rules": "tlsim.rules",
    "mean_money": "tlsim.values",
    "payout_fairness": "tlsim.payouts",
    "play": "tlsim.games",
    "replay": "tlsim.games",
    "settle": "tlsim.games",
    "simulate": "tlsim.games",
    "worth_of_declaring": "tlsim.values",
}

__all__ = [
    "CardError",
    "Keep",
    "RecordError",
    "Rules",
    "RulesError",
    "RunError",
    "TlsimError",
    "Until",
    "UsageError",
    "classify_hand",
    "compare",
    "draw_hands",
    "estimate_event",
    "estimate_odds",
    "exact_odds",
    "hand_value",
    "list_rules",
    "load_rules",
    "mean_money",
    "payout_fairness",
    "play",
    "replay",
    "settle",
    "simulate",
    "worth_of_declaring",
]


def __getattr__(name: str) -> Any:
    if name == "policy":  # what a policy of one's own is shown; imports the compiler
        return importlib.import_module("tlsim.policy")
    if name not in _HOMES:
        raise AttributeError(f"module 'tlsim' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
