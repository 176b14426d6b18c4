"""Game records: what was dealt, every decision, the money. Format ``tlsim-game/1``."""

from tlsim.records.model import GameRecord, RecordError, read_records
from tlsim.records.referee import Settlement, named_rules, referee
from tlsim.records.settling import settle_all, settle_read
from tlsim.records.written import record_of

__all__ = [
    "GameRecord", "RecordError", "Settlement", "named_rules", "read_records", "record_of", "referee", "settle_all",
    "settle_read",
]  # fmt: skip
