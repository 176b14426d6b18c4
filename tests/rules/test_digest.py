"""The digest changes with whatever changes an outcome, and with nothing else."""

import re
import subprocess
import sys

import pytest

from tlsim.errors import UsageError
from tlsim.rules import list_rules, load_rules

SHOWN_ONLY = "hand_counts_public"


def words_allowed(rules, path):
    """Read the allowed words of a clause off the message that refuses another one."""
    with pytest.raises(UsageError) as caught:
        rules.replace(path, ["???"] if path_is_list(rules, path) else "???")
    return re.findall(r"'([^'?]*)'", str(caught.value).partition("must be one of")[2])


def path_is_list(rules, path):
    return isinstance({p: v for p, v, _ in rules.clauses()}[path], list)


def others(rules, path, value):
    """Yield other values for a clause; some may not go with the rest of the rules."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, value + 4)
    elif path == "lead.opening_card":
        yield "4D"
    elif isinstance(value, str):
        yield from (word for word in words_allowed(rules, path) if word != value)
    elif value and isinstance(value[0], dict):
        yield from ([{**value[0], key: new}, *value[1:]] for key in value[0] for new in (1, 0.5, 3, "can_ngheo"))
    elif value and not isinstance(value[0], str):
        yield [value[0] + 1, *value[1:]]
    elif path.startswith("president.titles"):
        yield value[::-1]
    else:
        yield from (value[1:], *([word] for word in words_allowed(rules, path)))


@pytest.mark.parametrize("preset", list_rules())
def test_every_clause_changes_the_digest(preset):
    rules = load_rules(preset)
    for path, value, _ in rules.clauses():
        if "toi_trang." in path and path.rpartition(".")[2].startswith(("regular", "opening[", "all_of")):
            continue  # patterns: below
        if path in ("toi_trang.opening", "deal.hand_size", SHOWN_ONLY) or "[" in path:
            continue
        changed = None
        for other in others(rules, path, value):
            try:
                changed = rules.replace(path, other)
            except UsageError:
                continue
            if changed.digest != rules.digest:
                break
        assert changed is not None, path
        assert changed.digest != rules.digest, path
        assert changed.describe_difference(rules), path


def test_the_hand_size_changes_the_digest():
    for preset, size in (("sam_loc", 11), ("zing", 14), ("tong_thong", 13)):
        rules = load_rules(preset).replace({"deal.min_players": 2, "deal.max_players": 3} | BY_PLAYERS.get(preset, {}))
        assert rules.replace("deal.hand_size", size).digest != rules.digest


# what a president game of two and three needs
BY_PLAYERS = {
    "tong_thong": {
        "place_points": {"2": [1, 0], "3": [2, 1, 0]},
        "president.exchange": [],
        "president.titles": {"2": ["tong_thong", "dan_ngheo"], "3": ["tong_thong", "thuong_dan", "dan_ngheo"]},
    }
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pays", 2.5),
        ("count_heo", True),
        ("all_of[0].size", 1),
        ("all_of[0].count", 5),
        ("all_of[0].quad_as", 1),
        ("all_of[0].ranks", "3-A"),
        ("all_of[0].consecutive", True),
        ("all_of[0].containing", "3S"),
        ("all_of", [{"kind": "flush", "count": 12, "of": "suit"}]),
    ],
)
def test_every_part_of_a_pattern_changes_the_digest(path, value):
    rules = load_rules("doithuong")
    changes = {f"toi_trang.regular[sau_doi].{path}": value}
    if path.endswith(("consecutive", "size")):
        changes["toi_trang.regular[sau_doi].all_of[0].quad_as"] = 1
    assert rules.replace(changes).digest != rules.digest


def test_the_order_of_patterns_matters():
    rules = load_rules("doithuong")
    lists = rules.model_dump()["toi_trang"]["regular"]
    assert len(lists) == 8
    swapped = rules._tree["toi_trang"]["regular"][::-1]
    assert rules.replace("toi_trang.regular", swapped).digest != rules.digest
    assert rules.replace("toi_trang.regular", swapped[::-1]).digest == rules.digest


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("name", "another"),
        ("label", "Khác"),
        (SHOWN_ONLY, True),
        ("toi_trang.regular[sau_doi].label", "Sáu đôi"),
        ("toi_trang.regular[sau_doi].id", "six_pairs"),
        ("toi_trang.regular[sau_doi].source", "nowhere"),
    ],
)
def test_names_labels_and_sources_do_not(path, value):
    rules = load_rules("doithuong")
    assert rules.replace(path, value).digest == rules.digest


def test_the_way_of_writing_does_not():
    rules = load_rules("sam_loc")
    for path, value in {
        "toi_trang.regular[sanh_rong].all_of[0].starts": ["5", "4", "3", "2", "A"],
        "lead.opening_card": "3♠",
        "chop.after_pass": ("bon_doi_thong",),
        "chop.beats.tu_quy": ["tu_quy", "heo", "ba_doi_thong"],
        "cong.fine": 15.0,
        "prices.heo_co": 10,
    }.items():
        assert rules.replace(path, value).digest == rules.digest, path


def test_presets_differ():
    assert len({load_rules(name).digest for name in list_rules()}) == len(list_rules())


@pytest.mark.parametrize("name", list_rules())
def test_what_is_shown_can_be_loaded_again(name, tmp_path):
    rules = load_rules(name)
    path = tmp_path / "again.toml"
    path.write_text(rules.to_toml(), encoding="utf-8")
    again = load_rules(path)
    assert again.digest == rules.digest
    assert (again.name, again.label) == (rules.name, rules.label)
    assert not again.describe_difference(rules)


def test_the_digest_is_the_same_in_another_process():
    code = "import tlsim.rules as r; print(r.load_rules('hue').digest)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == load_rules("hue").digest
    assert re.fullmatch(r"[0-9a-f]{64}", load_rules("hue").digest)
