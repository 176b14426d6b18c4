"""The answers of some sixty commands over all questions and presets, kept so that a change of the code cannot change them.

``make answers`` records them anew in ``tests/answers.json.gz``: only after a change of numbers that was meant.
Version, time and speed are no answers. Every command names ``--policies``, so a change of a default changes none.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import re
import shlex
import sys
import tempfile
from collections import Counter
from pathlib import Path

FILE = Path(__file__).parent / "answers.json.gz"
DRAGON = "'3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H'"
SAM_HAND = "'3S 3C 4D 5H 6C 8D 9D KS AC 2H'"
ODDS = [
    "doithuong --players 4", "doithuong --players 3 --opening", "luckywin --players 2", "luckywin --opening",
    "zing --players 2", "zing --opening", "hue", "da_nang", "da_nang --opening", "mien_bac --players 3",
    "sam_loc --players 2", "sam_loc --opening --players 2", "tong_thong", "luckywin_points --players 2 --opening",
    "doithuong --holding '2S 2H' --dead '3S 4S'", "luckywin_cong_table --players 2",
]  # fmt: skip
GAMES = [
    "doithuong --policies smart,lowest,random,smart", "luckywin --policies lowest", "luckywin --policies smart --players 2",
    "zing --policies random", "hue --policies smart --players 3", "da_nang --policies smart", "mien_bac --policies smart",
    "mien_bac --policies lowest --players 3", "luckywin_points --policies smart", "luckywin_cong_table --policies smart",
    "sam_loc --policies smart", "sam_loc --policies smart --players 5", "tong_thong --policies smart",
    "tong_thong --policies lowest --players 5", "luckywin --policies smart[hold_3s=1],smart,lowest,random",
    "doithuong --policies smart --leader 2", "luckywin --policies lowest --hand 0:tu_quy_2 --leader 0",
    "doithuong --policies smart --hand '1:2S 2H' --leader 1", "luckywin --policies smart --set cong.fine=20",
]  # fmt: skip
FAIR = [
    "doithuong",
    "luckywin --opening",
    "hue",
    "da_nang",
    "mien_bac --players 3",
    "sam_loc --players 2",
    "luckywin_points --players 2",
]
COMMANDS = [
    *(f"odds --rules {words} --deals 40k --seed 3" for words in ODDS),
    *(f"simulate --rules {words} --games 1200 --seed 7" for words in GAMES),
    "simulate --rules luckywin --policies rollout[n=5],smart,smart,smart --games 24 --seed 7",
    "simulate --rules doithuong --policies smart --games 600 --stake 5000",
    "simulate --rules luckywin --policies smart --against-policies lowest --games 1200 --seed 2",
    "simulate --rules sam_loc --policies smart[sam=1],smart,smart,smart --against-policies smart --games 2400 --leader 0",
    "simulate --rules tong_thong --policies smart --against-set president.revolution=false --games 1200",
    "simulate --rules doithuong --policies smart,lowest,lowest,lowest --precise --games 2400 --seed 4",
    "simulate --rules luckywin --policies smart,lowest,lowest,lowest --precise --rotate --games 2400 --stake 5000",
    *(f"fair --rules {words} --policies smart --games 1200 --seed 1" for words in FAIR),
    "fair --rules doithuong --policies smart --games 1200 --rake 5% --method logarithmic --stake 5000",
    "fair --rules doithuong --games 0 --method proportional --rake 5%",
    "fair --rules hue --games 0 --method reordered --tolerance inf",
    f"hand {DRAGON} --rules doithuong",
    f"hand {DRAGON} --rules all --opening",
    f"hand {DRAGON} --rules doithuong --ev --policies smart --games 200 --stake 5000",
    f"hand {DRAGON} --rules luckywin --ev --policies lowest --games 200 --opening",
    "hand tu_quy_2 --rules doithuong --ev --policies smart --games 200 --distance 1",
    "hand toi_trang --rules doithuong --ev --policies smart --games 60",
    f"hand {SAM_HAND} --rules sam_loc --ev --policies smart --games 200",
    "play --rules luckywin --policies smart --games 12 --seed 5",
    "play --rules mien_bac --policies random --games 12 --seed 5",
    "play --rules tong_thong --policies smart --players 5 --seed 5",
    "replay --rules doithuong --policies smart --seed 7 --match 1 --game 2 --format jsonl",
    "replay --rules sam_loc --policies smart --seed 7 --match 3 --game 1 --format jsonl",
    "rules list",
    *(f"rules show {name}" for name in ("doithuong", "mien_bac", "sam_loc", "tong_thong")),
    "rules diff luckywin zing",
    "simulate --rules luckywin --policies smart --games 1200 --store STORE --label one",
    "hand tu_quy_2 --rules doithuong --ev --policies smart --games 100 --store STORE --label two",
    "odds --rules hue --deals 20k --store STORE --label three",
    "fair --rules hue --policies smart --games 240 --store STORE --label four",
    "runs list STORE",
    *(f"runs show STORE {label}" for label in ("one", "'two'", "three", "'four, games'", "'four, skill'")),
    "runs export STORE one --format json",
]  # fmt: skip
NO_ANSWER = {"version", "seconds", "per_second", "parts", "stopped", "source"}  # a clause's source is no answer


def answer(command: str, store: str) -> object:
    """Return what a command prints, read back: a document, or one for each line."""
    from tlsim.cli import main

    words = [store if word == "STORE" else word for word in shlex.split(command)]
    if "--format" not in words and words[0] != "play":
        words += ["--format", "json"]
    text, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(said):
        status = main(words)
    assert status in {0, 1}, f"{command}: {status} {said.getvalue()}"
    if words[0] == "play" or "jsonl" in words:
        return [stripped(json.loads(line)) for line in text.getvalue().splitlines()]
    return stripped(json.loads(text.getvalue()))


def stripped(value: object) -> object:
    """Return a document without what is no answer, and without money times a stake, which follows from the rest."""
    if isinstance(value, dict):
        return {key: stripped(item) for key, item in value.items() if key not in NO_ANSWER and " × " not in key}
    if isinstance(value, list):
        return [stripped(item) for item in value if not _never_happened(item)]
    return value


def _never_happened(row: object) -> bool:
    """Whether a row is of a reason for which nobody paid: a new clause may add such rows."""
    return isinstance(row, dict) and "reason" in row and row.get("payments_per_game") == 0


def apart(one: object, two: object, place: str = "") -> list[str]:
    """Return the places at which two documents differ; floats may differ in their last digits.

    >>> apart({"a": [1, 2.0]}, {"a": [1, 2.5]})
    ['.a[1]: 2.0, now 2.5']
    """
    if isinstance(one, float) and isinstance(two, float | int):
        same = math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-15)
        return [] if same else [f"{place}: {one!r}, now {two!r}"]
    if isinstance(one, dict) and isinstance(two, dict):
        keys = list(dict.fromkeys([*one, *two]))
        return [said for key in keys for said in apart(one.get(key), two.get(key), f"{place}.{key}")]
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [said for at, pair in enumerate(zip(one, two, strict=True)) for said in apart(*pair, f"{place}[{at}]")]
    return [] if one == two and type(one) is type(two) else [f"{place}: {one!r}, now {two!r}"]


def recorded() -> dict[str, object]:
    """Return the recorded answers."""
    found: dict[str, object] = json.loads(gzip.decompress(FILE.read_bytes()))
    return {command: stripped(document) for command, document in found.items()}


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return at which keys the answers of which commands differ, and how often.

    >>> changed({"odds": {"rows": [{"n": 1}, {"n": 2}]}}, {"odds": {"rows": [{"n": 3}, {"n": 4}]}})
    ['odds: .rows[].n (2)']
    """
    told = []
    for command, document in after.items():
        places = [re.sub(r"\[\d+\]", "[]", said.partition(": ")[0]) for said in apart(before.get(command), document)]
        told += [f"{command}: {place} ({number})" for place, number in Counter(places).items()]
    return told


if __name__ == "__main__":
    before = recorded() if FILE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        kept = {}
        for each in COMMANDS:
            kept[each] = answer(each, f"{folder}/store")
    FILE.write_bytes(gzip.compress(json.dumps(kept, ensure_ascii=False).encode(), mtime=0))
    print(*changed(before, recorded()), sep="\n", file=sys.stderr)  # noqa: T201 (it is a program)
