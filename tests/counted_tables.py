"""Two joint laws of presets that take half a minute each to count: kept in ``counted/``, checked by `make look`.

``python tests/counted_tables.py`` writes them.
"""

from __future__ import annotations

from pathlib import Path

from tlsim.exact import table_counts
from tlsim.exact.table_counts import Table, TableCounts
from tlsim.folders import cache_folder
from tlsim.questions.odds import ListOdds

FILES = sorted((Path(__file__).parent / "counted").glob("*.json"))


def asked(file: Path) -> Table:
    """Return the table of a file: four seats in a regular game of the preset of its name."""
    question = ListOdds(file.stem, 4)
    return Table(players=question.seats, **question.deal)


def read(file: Path) -> TableCounts:
    """Return what was counted."""
    return table_counts._FORM.validate_json(file.read_bytes())


def keep() -> None:
    """Put them where a table that was counted is kept."""
    for file in FILES:
        there = cache_folder() / "tables" / f"{table_counts._digest(asked(file))}.json"
        if not there.exists():
            table_counts._write(there, read(file))


if __name__ == "__main__":
    from tlsim.exact.table_law import count_table

    for each in FILES:
        table_counts._write(each, count_table(asked(each)))
