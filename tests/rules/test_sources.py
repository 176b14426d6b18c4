"""Every clause of every preset says where it comes from."""

import re

import pytest

from tlsim.rules import list_rules, load_rules

SEEDS = {
    "doithuong": "000", "luckywin": "001", "luckywin_points": "001", "luckywin_cong_table": "001", "zing": "002",
    "hue": "002", "da_nang": "002", "mien_bac": "002", "sam_loc": "003", "tong_thong": "004",
}  # fmt: skip
RULES_OF_SEED = {"000": 41, "001": 77, "002": 57, "003": 50, "004": 28}
DECISIONS = dict(zip("ABCDEFGHIJKLM", (5, 9, 21, 6, 9, 10, 9, 9, 4, 10, 15, 19, 23), strict=True))
CITE = re.compile(r"(?P<mark>inherited: |invented: )?(?:(?P<seed>\d{3})#R(?P<rule>\d+)|(?P<letter>[A-M])(?P<no>\d+))")
INVENTED = re.compile(r"invented: DESIGN \d")


@pytest.mark.parametrize("preset", list_rules())
def test_every_clause_has_a_source(preset):
    assert [path for path, _, source in load_rules(preset).clauses() if not source] == []


@pytest.mark.parametrize("preset", list_rules())
def test_no_clause_of_a_preset_was_changed_without_a_source(preset):
    assert [path for path, _, source in load_rules(preset).clauses() if source and "set in" in source] == []


@pytest.mark.parametrize("preset", list_rules())
def test_every_citation_exists(preset):
    for path, _, source in load_rules(preset).clauses():
        foreign = False
        for cite in source.split(", "):
            if INVENTED.fullmatch(cite):
                continue
            match = CITE.fullmatch(cite)
            assert match, (path, source)
            foreign = foreign or match["mark"] is not None
            if match["seed"]:
                assert 1 <= int(match["rule"]) <= RULES_OF_SEED[match["seed"]], (path, source)
                assert match["seed"] == SEEDS[preset] or foreign, f"{path}: {source} is not marked as inherited"
            else:
                assert 1 <= int(match["no"]) <= DECISIONS[match["letter"]], (path, source)


def test_what_comes_from_a_parent_is_marked():
    rules = load_rules("doithuong")
    assert rules.source_of("lead.opening_card") == "inherited: 001#R24"
    assert rules.source_of("cong.fine") == "000#R25, G2"
    assert rules.source_of("toi_trang.regular[sau_doi].pays").startswith("000#R13")
    assert load_rules("hue").source_of("toi_trang.regular[sanh_rong].pays").startswith("inherited: 002#R26")


def test_what_no_description_says_is_marked_as_invented():
    sam = load_rules("sam_loc")
    for path in ("toi_trang.instant_pay", "prices.tu_quy", "chop.prices", "match_length", "hand_counts_public"):
        assert sam.source_of(path).startswith("invented: ")
    assert load_rules("luckywin_points").source_of("place_points").startswith("invented: ")


def test_a_change_by_hand_says_so():
    changed = load_rules("doithuong").replace({"cong.fine": 20, "toi_trang.regular[sau_doi].pays": 3})
    assert changed.source_of("cong.fine") == "set by hand"
    assert changed.source_of("toi_trang.regular[sau_doi].pays") == "set by hand"
    assert changed.source_of("cong.items") == "000#R25, M7"
