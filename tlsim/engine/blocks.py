"""Blocks: ranges of chunks that are computed as one piece of work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

CHUNK = 1024  # deals of one random stream
MOST_CHUNKS = 512  # about 20 ms of work
_LEAST_CHUNKS = 8
_BLOCKS_PER_WORKER = 16  # so that the last block does not keep everybody waiting


@dataclass(frozen=True)
class Block:
    """``deals`` deals from chunk ``first`` on."""

    first: int
    deals: int


def plan(deals: int, workers: int, unit: int = CHUNK, most: int = MOST_CHUNKS) -> Iterator[Block]:
    """Yield the blocks of a run, up to ``most`` units each; the numbers do not depend on how it is cut.

    >>> [block.deals for block in plan(20_000, 1)]
    [8192, 8192, 3616]
    """
    chunks = -(-deals // unit)
    step = min(most, max(min(_LEAST_CHUNKS, most), chunks // (workers * _BLOCKS_PER_WORKER)))
    for first in range(0, chunks, step):
        yield Block(first, min(step * unit, deals - first * unit))
