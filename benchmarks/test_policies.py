"""How well policies play: one among three others, its seat rotated over the same deals.

It prints the tables of docs/explanation/policies.md: every pair of policies in every preset, and how quickly they play.

It takes a quarter of an hour, nearly all of it for `rollout`.
"""

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from strength import advantage

import tlsim

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac", "sam_loc",
    "tong_thong",
)  # fmt: skip
ROLLOUT, DEEP = "rollout[n=20]", "rollout[n=50,base=expert]"
PAIRS = {  # of one and the others: matches played in each seat
    ("lowest", "random"): 8192, ("smart", "random"): 8192, ("smart", "lowest"): 8192,
    ("expert", "random"): 1024, ("expert", "lowest"): 1024, ("expert", "smart"): 2048,
    (ROLLOUT, "random"): 128, (ROLLOUT, "lowest"): 128, (ROLLOUT, "smart"): 256, (ROLLOUT, "expert"): 128,
    (DEEP, "expert"): 16,
}  # fmt: skip
GOALS = {  # what rollout[n=20] gained among smart seats before there was an expert
    "luckywin": 0.31, "doithuong": 1.9, "mien_bac": 0.29, "tong_thong": 0.34,
}  # fmt: skip
MUST = {
    ("smart", "lowest"): PRESETS, ("smart", "random"): PRESETS, ("expert", "smart"): PRESETS,
    (ROLLOUT, "smart"): ("doithuong", "luckywin", "sam_loc", "tong_thong"),
}  # fmt: skip
SPEED = {"random": 24_000, "lowest": 240_000, "smart": 120_000, "expert": 12_000, ROLLOUT: 96}
_found = {}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_one_among_others(pair, preset):
    """One-sided at 1e-3; what is not asserted is reported."""
    names = [name.replace("random", "random[sam=0]") if preset == "sam_loc" else name for name in pair]
    found = _found[pair, preset] = advantage(preset, 4, *names, matches=PAIRS[pair])
    if preset in MUST.get(pair, ()):
        assert found.errors > 3.09
    if pair == ("expert", "smart") and preset in GOALS:
        assert found.mean + 3.09 * found.error > GOALS[preset]


def test_table(capsys):
    with capsys.disabled():
        for first in sorted({one for one, _ in PAIRS}, key=[one for one, _ in PAIRS].index):
            pairs = [pair for pair in PAIRS if pair[0] == first]
            print("\n\n| rules |", " | ".join(f"{one} among {others}" for one, others in pairs), "|")
            print("| :--- |", " ---: |" * len(pairs), sep="")
            for preset in PRESETS:
                found = [_found.get((pair, preset)) for pair in pairs]
                cells = (f"{a.mean:+.3f} ± {a.error:.2g}" if a else "" for a in found)
                print(f"| `{preset}` |", " | ".join(cells), "|")


def test_games_a_second(capsys):
    """Policy on all seats of `luckywin`, one thread."""
    with capsys.disabled():
        print("\n\n| policy | games a second |\n| :--- | ---: |")
        for name, games in SPEED.items():
            tlsim.simulate("luckywin", games=12, policies=name, threads=1)
            begun = time.perf_counter()
            assert tlsim.simulate("luckywin", games=games, policies=name, threads=1).games == games
            print(f"| `{name}` | {games / (time.perf_counter() - begun):,.0f} |")
