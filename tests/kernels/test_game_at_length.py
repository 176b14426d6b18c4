"""The long run (``slow``, `make slow`): 20,000 whole games of each preset and number of players on both engines.

It takes hours, shows how far it is, and in the end how often each clause fired. Parts of it: TLSIM_SLOW_PRESETS and
TLSIM_SLOW_PLAYERS (words with commas between), TLSIM_SLOW_GAMES; TLSIM_SLOW_MINUTES ends it earlier, with the games of
all presets alike, and TLSIM_SLOW_CORES is the number of processes.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import clause_counts
import pytest
from both_engines import aim, check_clauses, check_matches, check_preset, table_sizes
from game_variants import TIEN_LEN

from tlsim import load_rules

PRESETS = (*TIEN_LEN, "sam_loc", "tong_thong")
BLOCK = 500  # games between two signs of life


def words_of(key, usual):
    return os.environ.get(key, usual).replace(",", " ").split()


def play_block(name, players, block, games):
    """One block of the long run, in a process of its own."""
    return check_preset(name, players, games - 12, f" block {block}") + check_matches(
        load_rules(name), players, 12, seed=block
    )


def block_sizes(games):
    return [min(BLOCK, games - at) for at in range(0, games, BLOCK)]


@pytest.mark.slow
def test_presets_at_length(capsys):
    """20,000 games for each preset and number of players; prints how far it is, and the table of clauses."""
    names = words_of("TLSIM_SLOW_PRESETS", " ".join(PRESETS))
    sizes = sorted(map(int, words_of("TLSIM_SLOW_PLAYERS", "2 3 4 5")))
    cells = [(name, players) for players in sizes for name in names if players in table_sizes(name)]
    games = int(os.environ.get("TLSIM_SLOW_GAMES", "20000"))
    cores = int(os.environ.get("TLSIM_SLOW_CORES", os.cpu_count() or 1))
    blocks = [(*cell, block, size) for block, size in enumerate(block_sizes(games)) for cell in cells]
    fired, done, start = {cell: Counter() for cell in cells}, 0, time.monotonic()
    most = float(os.environ.get("TLSIM_SLOW_MINUTES", "inf"))
    with ProcessPoolExecutor(cores, get_context("fork")) as pool:
        waiting = {pool.submit(play_block, *block): block for block in blocks}
        for ready in as_completed(waiting):
            name, players, _, size = waiting[ready]
            fired[name, players].update(ready.result())
            done, minutes = done + size, (time.monotonic() - start) / 60
            with capsys.disabled():
                print(f"{done:,} of {games * len(cells):,} games, {minutes:.1f} min", flush=True)  # noqa: T201
            if minutes > most:
                pool.shutdown(cancel_futures=True)
                break
    for cell, counts in fired.items():
        aim(*cell, counts)
        possible = clause_counts.can_happen(load_rules(cell[0]), cell[1])
        counts.update(dict.fromkeys(possible, 0))  # so that a clause that never fired has its zero in the table
    with capsys.disabled():
        for name in names:
            columns = {f"{name} {players}": counts for (preset, players), counts in fired.items() if preset == name}
            print(f"\n{clause_counts.table(columns)}", flush=True)  # noqa: T201
    for cell, counts in fired.items():
        check_clauses(*cell, +counts)
