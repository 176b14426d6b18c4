"""Blocks: ranges of chunks that are computed as one piece of work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

CHUNK = 1024  # deals of one random stream
_MOST_CHUNKS = 512  # about 20 ms of work
_LEAST_CHUNKS = 8
_BLOCKS_PER_WORKER = 16  # so that the last block does not keep everybody waiting


@dataclass(frozen=True)
class Block:
    """``deals`` deals from chunk ``first`` on."""

    first: int
    deals: int


def plan(deals: int, workers: int) -> Iterator[Block]:
    """Yield the blocks of a run; the numbers do not depend on how it is cut.

    >>> [block.deals for block in plan(20_000, 1)]
    [8192, 8192, 3616]
    """
    chunks = -(-deals // CHUNK)
    step = min(_MOST_CHUNKS, max(_LEAST_CHUNKS, chunks // (workers * _BLOCKS_PER_WORKER)))
    for first in range(0, chunks, step):
        yield Block(first, min(step * CHUNK, deals - first * CHUNK))
