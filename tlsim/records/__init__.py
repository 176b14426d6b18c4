"""Game records: what was dealt, every decision, the money. Format ``tlsim-game/1``."""

from tlsim.records.model import GameRecord, RecordError, read_records
from tlsim.records.referee import Settlement, referee

__all__ = ["GameRecord", "RecordError", "Settlement", "read_records", "referee"]
