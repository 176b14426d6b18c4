"""Game records: what was dealt, every decision, the money. Format ``tlsim-game/1``, and the notation people type."""

from tlsim.records.game_files import settle_lines, settle_text, settled_game
from tlsim.records.model import RecordError
from tlsim.records.referee import Settlement
from tlsim.records.settling import settle_all, settle_read
from tlsim.records.sheet import Evening
from tlsim.records.text import Notation
from tlsim.records.written import record_of

__all__ = [
    "Evening", "Notation", "RecordError", "Settlement", "record_of", "settle_all", "settle_lines", "settle_read",
    "settle_text", "settled_game",
]  # fmt: skip
