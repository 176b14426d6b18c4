# What `tlsim` makes public, and where each name comes from: for type checkers, and for `tlsim` itself.

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
from tlsim.records.model import RecordError
from tlsim.reports import report
from tlsim.rules import Rules, list_rules, load_rules
from tlsim.version import __version__ as __version__

__all__ = [
    "CardError", "Keep", "RecordError", "Rules", "RulesError", "RunError", "TlsimError", "Until", "UsageError",
    "advise", "classify_hand", "compare", "draw_hands", "estimate_event", "estimate_odds", "exact_odds", "hand_value",
    "list_rules", "load_rules", "mean_money", "payout_fairness", "play", "replay", "report", "review", "settle",
    "simulate", "train", "worth_of_declaring", "write_games",
]  # fmt: skip
