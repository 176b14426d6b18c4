"""Game records: what was dealt, every decision, the money. Format ``tlsim-game/1``, and the notation people type."""

from tlsim.records.game_files import settle_lines, settle_text, settled_game
from tlsim.records.model import GameRecord, RecordError, read_records
from tlsim.records.notated import Notation, names_of
from tlsim.records.referee import Settlement, named_rules, referee
from tlsim.records.settling import settle_all, settle_read
from tlsim.records.sheet import Evening
from tlsim.records.written import record_of

__all__ = [
    "Evening", "GameRecord", "Notation", "RecordError", "Settlement", "named_rules", "names_of", "read_records",
    "record_of", "referee", "settle_all", "settle_lines", "settle_read", "settle_text", "settled_game",
]  # fmt: skip
