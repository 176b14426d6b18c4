"""House rules in a few lines."""

import re
from pathlib import Path

import pytest

from tlsim.errors import RulesError, UsageError
from tlsim.rules import load_rules

# verbatim from the design
QUAN_BA_TAM = """
extends = "doithuong"
name = "quan-ba-tam"
label = "Quán bà Tám"
set."cong.fine" = 20                       # one clause changed, by key path
[prices]
tu_quy = 10
[[toi_trang.add]]                          # a pattern of one's own
id = "nam_doi_mot_sam"
label = "5 đôi + 1 sám"
all_of = [{kind = "groups", size = 2, count = 6, quad_as = 1}, {kind = "groups", size = 3, count = 1}]
pays = 3
above = "sau_doi"
"""


def load(tmp_path, text, name="house"):
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return load_rules(path)


def ids(rules, opening=False):
    return [win.id for win in rules.instant_wins(opening)]


def test_quan_ba_tam(tmp_path):
    rules, parent = load(tmp_path, QUAN_BA_TAM), load_rules("doithuong")
    assert (rules.name, rules.label) == ("quan-ba-tam", "Quán bà Tám")
    assert rules.cong.fine == 20
    assert (rules.prices.tu_quy, rules.prices.heo_co) == (10, 6)
    assert ids(rules) == [*ids(parent)[:-1], "nam_doi_mot_sam", "sau_doi"]
    assert ids(rules, opening=True) == ids(rules)
    added = rules.instant_wins()[-2]
    assert (added.label, added.pays, added.pays_half, added.count_heo) == ("5 đôi + 1 sám", 3, 6, False)
    assert rules.source_of("cong.fine") == rules.source_of("prices.tu_quy") == "set in quan-ba-tam"
    assert rules.source_of("cong.items") == "inherited: 000#R25, M7"
    assert [path for path, _, _ in parent.describe_difference(rules)] == [
        "prices.tu_quy",
        "cong.fine",
        "toi_trang.regular",
    ]


def test_the_example_of_the_documentation(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "house_rule.md").read_text(encoding="utf-8")
    rules = load(tmp_path, page.split("```toml\n")[3].partition("```")[0])
    assert ids(rules)[-2:] == ["nam_doi_mot_sam", "sau_doi"]
    assert "tu_quy_2" not in ids(rules)
    assert rules.ket_3_bich is None
    assert rules.source_of("cong.fine") == "so we agreed"


def test_a_parent_is_not_changed_by_its_child(tmp_path):
    before = load_rules("doithuong").to_toml()
    load(tmp_path, QUAN_BA_TAM)
    assert load_rules("doithuong").to_toml() == before


def test_name_and_label_default_to_the_file(tmp_path):
    rules = load(tmp_path, 'extends = "zing"', name="nhà tôi")
    assert (rules.name, rules.label) == ("nhà tôi", "nhà tôi")
    assert rules.digest == load_rules("zing").digest


ENTRY = '[[toi_trang.add]]\nid = "{}"\nall_of = [{{kind = "groups", size = 2, count = 3}}]\n'


def test_where_an_added_pattern_goes(tmp_path):
    text = 'extends = "zing"\n'
    text += ENTRY.format("weakest") + ENTRY.format("over") + 'above = "bon_bo_ba"\n'
    text += ENTRY.format("under") + 'below = "bon_bo_ba"\n'
    text += ENTRY.format("start") + 'list = "opening"\nabove = "tu_quy_3"\n'
    text += ENTRY.format("everywhere") + 'list = "both"\nabove = "tu_quy_3"\n'
    rules = load(tmp_path, text)
    parent = ids(load_rules("zing"))
    assert ids(rules) == ["over", "bon_bo_ba", "under", *parent[1:], "weakest", "everywhere"]
    assert ids(rules, opening=True) == ["start", "everywhere", "tu_quy_3", "ba_doi_thong_3_bich"]
    assert {win.pays for win in rules.instant_wins()} == {1}  # without a price of its own: toi_trang.instant_pay


def test_a_pattern_in_both_lists_counts_once_where_they_are_added_up(tmp_path):
    text = (
        'extends = "zing"\nset."toi_trang.opening_list_mode" = "additional"\n' + ENTRY.format("p") + 'list = "both"\n'
    )
    assert ids(load(tmp_path, text), opening=True).count("p") == 1


def test_a_set_with_one_list_takes_additions_there(tmp_path):
    for word in ("opening", "regular", "both"):
        rules = load(tmp_path, 'extends = "doithuong"\n' + ENTRY.format("p") + f'list = "{word}"\n')
        assert ids(rules)[-1] == ids(rules, opening=True)[-1] == "p"


def test_remove(tmp_path):
    rules = load(tmp_path, 'extends = "luckywin"\ntoi_trang.remove = ["sau_doi", "tu_quy_3"]')
    assert ids(rules) == [ident for ident in ids(load_rules("luckywin")) if ident != "sau_doi"]
    assert ids(rules, opening=True) == ["bon_doi_thong_3_bich", "ba_doi_thong_3_bich"]


def test_cards_in_a_list_are_the_same_rules(tmp_path):
    text = 'extends = "doithuong"\n[[toi_trang.add]]\nid = "p"\npays = 1\nall_of = [{kind = "holds", cards = %s}]\n'
    one, two = (load(tmp_path, text % cards) for cards in ('"3S 10H 2D"', '["2D", "3S", "10H"]'))
    assert one.digest == two.digest
    assert one.describe_difference(two) == []
    assert load(tmp_path, two.to_toml()).digest == one.digest


def test_the_example_of_the_docs_moves_a_pattern(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "house_rule.md").read_text(encoding="utf-8")
    example = next(part for part in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "remove" in part)
    rules = load(tmp_path, 'extends = "doithuong"\n' + example)
    before = [ident for ident in ids(load_rules("doithuong")) if ident not in ("muoi_hai_dong_chat", "sau_doi")]
    assert ids(rules) == ["sau_doi", *before]


def test_the_clauses_that_the_docs_name(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "howto" / "house_rule.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| .* \| `(.*?) = (.*?)` \|$", page, re.MULTILINE)
    assert len(named) > 10
    for key, value in named:
        text = f'set."{key}" = {value}\n'
        bases = ("luckywin",) if "opening_list_mode" in key else ("doithuong", "luckywin")
        changed = (load(tmp_path, f'extends = "{base}"\n{text}').digest != load_rules(base).digest for base in bases)
        assert any(changed), key


def test_remove_and_add_again_with_the_same_id(tmp_path):
    text = 'extends = "zing"\ntoi_trang.remove = ["sau_doi"]\n' + ENTRY.format("sau_doi") + 'above = "bon_bo_ba"\n'
    assert ids(load(tmp_path, text))[0] == "sau_doi"


def test_a_list_of_its_own(tmp_path):
    rules = load(tmp_path, 'extends = "zing"\n' + ENTRY.format("only").replace("add", "regular"))
    assert ids(rules) == ["only"]


def test_set_by_pattern_id_and_as_a_table(tmp_path):
    text = 'extends = "doithuong"\nset."toi_trang.regular[sau_doi].pays" = 2.5\nset.cong = {fine = 13, items = false}'
    rules = load(tmp_path, text)
    assert rules.instant_wins()[-1].pays_half == 5
    assert (rules.cong.fine, rules.cong.items, rules.cong.method) == (13, False, "per_player")
    assert rules.source_of("toi_trang.regular[sau_doi].pays") == "set in house"
    assert rules.source_of("cong.items") == "set in house"


def test_own_sources(tmp_path):
    rules = load(tmp_path, 'extends = "zing"\n[cong]\nfine = 3\n[sources]\n"cong.fine" = "nhà ông Ba"\n')
    assert rules.source_of("cong.fine") == "nhà ông Ba"


def test_files_extend_files_beside_them(tmp_path):
    load(tmp_path, QUAN_BA_TAM, name="parent")
    rules = load(tmp_path, 'extends = "parent.toml"\nset."cong.fine" = 21\n', name="child")
    assert (rules.name, rules.cong.fine, rules.prices.tu_quy) == ("child", 21, 10)
    assert rules.source_of("prices.tu_quy") == "inherited: set in quan-ba-tam"


def test_tong_thong_takes_a_list_when_it_is_given_whole(tmp_path):
    with pytest.raises(RulesError, match=r"toi_trang\.declare: is missing; allowed: 'optional', 'automatic'"):
        load(tmp_path, 'extends = "tong_thong"\n' + ENTRY.format("p"))
    text = """
        extends = "tong_thong"
        [toi_trang]
        declare = "automatic"
        opening_list_mode = "one_list"
        priority = "turn"
        opening_priority = "turn"
        instant_pay = 3
        count_heo = false
        after_instant_win = "winner_leads"
        bars_last_winner = false
    """
    assert ids(load(tmp_path, text + ENTRY.format("p"))) == ["p"]


BOTH = "\n".join(
    f'[[toi_trang.{which}]]\nid = "bon_hai"\nlabel = "Bốn con 2"\nall_of = [{{kind = "holds", cards = "2S 2C 2D 2H"}}]'
    for which in ("opening", "regular")
)


def prices(rules, ident):
    return [win.pays for opening in (True, False) for win in rules.instant_wins(opening) if win.id == ident]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("toi_trang.bon_hai.pays", [7, 7]),
        ("toi_trang.opening.bon_hai.pays", [7, 2]),
        ("toi_trang.regular.bon_hai.pays", [2, 7]),
        ("toi_trang.regular[bon_hai].pays", [2, 7]),
    ],
)
def test_a_price_by_the_id_of_its_pattern(tmp_path, key, expected):
    """In both lists where it is in both; instant_pay = 2 where a pattern has no price of its own."""
    house = 'extends = "luckywin"\nset."toi_trang.opening_list_mode" = "exclusive"\nset."toi_trang.instant_pay" = 2\n'
    rules = load(tmp_path, house + BOTH)
    assert prices(rules, "bon_hai") == [2, 2]
    assert prices(rules.replace(key, 7), "bon_hai") == expected
    set_in_file = load(tmp_path, f'{house}set."{key}" = 7\n{BOTH}')
    assert set_in_file.digest == rules.replace(key, 7).digest
    assert rules.replace(key, 7).source_of(key) == "set by hand"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("toi_trang.sanh_rog.pays", "toi_trang has no pattern 'sanh_rog'; did you mean 'sanh_rong'?"),
        ("toi_trang.opening.sanh_rong.pays", "toi_trang.opening has no pattern 'sanh_rong'"),
        ("sanh_rong.pays", "no such key; did you mean 'toi_trang.sanh_rong.pays'?"),
        ("ket3bich.pays", "no such key; did you mean 'ket_3_bich.pays'"),
    ],
)
def test_a_price_of_no_pattern_names_the_near_keys(tmp_path, key, message):
    with pytest.raises(UsageError) as caught:
        load_rules("doithuong").replace(key, 3)
    assert message in str(caught.value)
    with pytest.raises(RulesError) as broken:
        load(tmp_path, f'extends = "doithuong"\nset."{key}" = 3')
    assert message in str(broken.value)


@pytest.mark.parametrize("word", ["declare", "instant_pay", "opening", "pays", "add"])
def test_an_id_is_no_word_of_rule_files(tmp_path, word):
    with pytest.raises(RulesError, match=rf"is a word of rule files \(toi_trang.{word}\); choose another id"):
        load(tmp_path, 'extends = "zing"\n' + ENTRY.format(word))
