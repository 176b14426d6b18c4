"""How well policies play: one among three others, its seat rotated over the same deals.

It prints the table of docs/explanation/policies.md.

It takes some minutes, nearly all of them for `rollout`.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from strength import advantage

PRESETS = (
    "doithuong", "luckywin", "luckywin_points", "luckywin_cong_table", "zing", "hue", "da_nang", "mien_bac", "sam_loc",
    "tong_thong",
)  # fmt: skip
PAIRS = {  # of one and the others: matches played in each seat, whether the one must do better
    ("smart", "lowest"): (8192, True),
    ("smart", "random"): (8192, True),
    ("lowest", "random"): (8192, False),
    ("rollout[n=20]", "smart"): (256, False),
}
MUST = {("rollout[n=20]", "smart"): ("doithuong", "luckywin", "sam_loc", "tong_thong")}
_found = {}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_one_among_others(pair, preset):
    """One-sided at 1e-3; what is not asserted is reported."""
    matches, must = PAIRS[pair]
    names = [name.replace("random", "random[sam=0]") if preset == "sam_loc" else name for name in pair]
    found = _found[pair, preset] = advantage(preset, 4, *names, matches=matches)
    if must or preset in MUST.get(pair, ()):
        assert found.errors > 3.09


def test_table(capsys):
    with capsys.disabled():
        print("\n\n| rules |", " | ".join(f"{one} among {others}" for one, others in PAIRS), "|")
        print("| :--- |", " ---: |" * len(PAIRS), sep="")
        for preset in PRESETS:
            found = [_found.get((pair, preset)) for pair in PAIRS]
            print(f"| `{preset}` |", " | ".join(f"{a.mean:+.3f} ± {a.error:.2g}" if a else "" for a in found), "|")
