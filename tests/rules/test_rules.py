"""What can be asked of rules."""

import copy
import dataclasses
import pickle
import subprocess
import sys

import pydantic
import pytest

from tlsim.errors import UsageError
from tlsim.patterns import Pattern
from tlsim.rules import list_rules, load_rules, parse_setting


def test_replace_one_and_several():
    rules = load_rules("doithuong")
    assert rules.replace("toi_trang.declare", "automatic").toi_trang.declare == "automatic"
    changed = rules.replace({"cong.fine": 20, "prices.tu_quy": 9.5, "toi_trang.regular[2].pays": 1})
    assert (changed.cong.fine, changed.prices.tu_quy, changed.instant_wins()[2].pays) == (20, 9.5, 1)
    assert rules.cong.fine == 26
    assert changed.replace({"cong.fine": 26, "prices.tu_quy": 8, "toi_trang.regular[2].pays": 7}).digest == rules.digest
    assert rules.replace({}).digest == rules.digest


def test_replace_a_whole_table():
    rules = load_rules("doithuong").replace("cong", {"fine": 1, "items": False})
    assert (rules.cong.fine, rules.cong.items, rules.cong.method) == (1, False, "per_player")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cong.fine=1.500", "'1.500' may mean 1.5 or 1500; write 1.5 or 1500"),
        ("cong.fine=2,5k", "'2,5k' may mean 2500 or 25000; write 2500 or 25000"),
    ],
)
def test_a_value_that_may_mean_two_things_is_refused(text, said):
    with pytest.raises(UsageError) as caught:
        parse_setting(text)
    assert str(caught.value) == said
    assert [parse_setting(f"x={good}")[1] for good in ("1.5", "0.125", "1500", "'1.500'")] == [
        1.5,
        0.125,
        1500,
        "1.500",
    ]


def test_a_clause_is_replaced_once():
    rules = load_rules("doithuong")
    for other in ("toi_trang.regular[0].pays", "toi_trang.regular[sanh_rong]"):
        with pytest.raises(UsageError, match=r"is to be changed, too; say it once"):
            rules.replace({"toi_trang.regular[sanh_rong].pays": 2, other: 3})
    assert rules.replace({"cong.fine": 2, "cong.items": False}).cong.items is False


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("cong.fin", 3, "cong.fin: no such key; did you mean 'cong.fine'?"),
        ("declare", "automatic", "declare: no such key; did you mean 'toi_trang.declare'?"),
        ("cong.zzzz", 3, "cong.zzzz: no such key; cong holds fine, items, times, items_times, method, payee"),
        ("qqq", 3, "`tlsim rules show NAME` lists the keys"),
        ("", 3, ": no such key"),
        ("cong.fine.x.y", 3, "no such key"),
        ("cong.fine", 3.2, "cong.fine = 3.2: must be a multiple of ½"),
        ("cong.fine", None, "cong.fine: must be a number"),
        ("toi_trang.regular[sau_do].pays", 3, "has no pattern 'sau_do'; did you mean 'sau_doi'?"),
        ("toi_trang.regular[9].pays", 3, "there is no entry [9]"),
        ("toi_trang.regular[sau_doi].pay", 3, "unknown key; did you mean 'pays'?"),
        ("deal.hand_size", 10, "needs 12 cards, a hand has 10"),
        ("deal.max_players", 5, "5 players × 13 cards need 65"),
        ("deal[0]", 5, "numbered"),
        ("extends", "zing", "no such key"),
    ],
)
def test_replace_refuses(path, value, message):
    with pytest.raises(UsageError) as caught:
        load_rules("doithuong").replace(path, value)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_replace_tells_every_fault():
    with pytest.raises(UsageError) as caught:
        load_rules("zing").replace({"cong.fine": -1, "thoi.payer": "first"})
    assert "cong.fine" in str(caught.value)
    assert "thoi.payer" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cong.fine=20", ("cong.fine", 20)),
        ("cong.fine=2,5", ("cong.fine", 2.5)),
        ("cong.fine=1,500", ("cong.fine", 1500)),
        (" cong.fine = 1.5 ", ("cong.fine", 1.5)),
        ("toi_trang.declare=automatic", ("toi_trang.declare", "automatic")),
        ('toi_trang.declare="automatic"', ("toi_trang.declare", "automatic")),
        ("chop.pay_same_class=false", ("chop.pay_same_class", False)),
        ("lead.opening_card=3C", ("lead.opening_card", "3C")),
        ("label=Quán bà Tám", ("label", "Quán bà Tám")),
        ("label=a=b", ("label", "a=b")),
        ('chop.after_pass=["tu_quy"]', ("chop.after_pass", ["tu_quy"])),
        ("toi_trang.regular[sau_doi].pays=3", ("toi_trang.regular[sau_doi].pays", 3)),
        ("cong.fine={2 = 1, 3 = 2, 4 = 3}", ("cong.fine", {"2": 1, "3": 2, "4": 3})),
    ],
)
def test_parse_setting(text, expected):
    assert parse_setting(text) == expected


@pytest.mark.parametrize(
    "text", ["", "=", "cong.fine", "cong.fine=", "=3", "a=[1", 'a="x', "a=1\nb=2", "a=" + "[" * 9999]
)
def test_parse_setting_refuses(text):
    with pytest.raises(UsageError):
        parse_setting(text)


def test_hand_sizes():
    assert load_rules("doithuong").hand_sizes(3) == (13, 13, 13)
    assert load_rules("tong_thong").hand_sizes(4) == (13, 13, 13, 13)
    assert load_rules("tong_thong").hand_sizes(5) == (11, 11, 10, 10, 10)


@pytest.mark.parametrize("players", [1, 5, 0, -1, True, 2.0, "4"])
def test_players_out_of_range(players):
    with pytest.raises(UsageError, match="doithuong is for 2 to 4 players"):
        load_rules("doithuong").hand_sizes(players)
    if players is not None:
        with pytest.raises(UsageError):
            load_rules("doithuong").instant_wins(players=players)


def test_instant_win():
    win = load_rules("doithuong").instant_wins()[5]
    assert isinstance(win.pattern, Pattern)
    assert (win.id, win.label, win.pays, win.pays_half, win.count_heo) == ("nam_doi_thong", "5 đôi thông", 4.0, 8, True)
    assert win.source == "000#R12, 000#R17, 000#R33"
    with pytest.raises(dataclasses.FrozenInstanceError):
        win.pays = 3
    assert win.pattern.tests(13)


def test_half_units_are_whole():
    for name in list_rules():
        for opening in (True, False):
            for win in load_rules(name).instant_wins(opening):
                assert type(win.pays_half) is int
                assert win.pays_half == 2 * win.pays


@pytest.mark.parametrize("name", list_rules())
def test_frozen_hashable_picklable(name):
    rules = load_rules(name)
    with pytest.raises(pydantic.ValidationError):
        rules.name = "x"
    with pytest.raises(pydantic.ValidationError):
        rules.deal.hand_size = 3
    for twin in (pickle.loads(pickle.dumps(rules)), copy.copy(rules), copy.deepcopy(rules)):
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert twin.digest == rules.digest
        assert twin.to_toml() == rules.to_toml()
    assert hash(rules.instant_wins())
    assert {rules: 1}[load_rules(name)] == 1


def test_difference():
    luckywin, zing = load_rules("luckywin"), load_rules("zing")
    found = {path: (a, b) for path, a, b in luckywin.describe_difference(zing)}
    assert found["prices.tu_quy"] == (2, 1.5)
    assert found["den_cong.method"] == ("sole_holder", "first_in_order")
    assert found["toi_trang.opening"][1] == ["tu_quy_3", "ba_doi_thong_3_bich"]
    assert "cong.fine" not in found
    assert "name" not in found
    assert zing.describe_difference(zing) == []
    assert {path: (b, a) for path, a, b in zing.describe_difference(luckywin)} == found


def test_difference_of_a_table_that_one_side_lacks():
    found = {path: (a, b) for path, a, b in load_rules("zing").describe_difference(load_rules("mien_bac"))}
    assert found["den_ca_lang.pays"] == (None, 1)
    assert found["combinations.pair_run.min_length"] == (3, None)


def test_loading_is_quick_and_light():
    code = """
import sys, time
import pydantic
import tlsim.rules
slowest = 0
for name in tlsim.rules.list_rules():
    start = time.perf_counter(); tlsim.rules.load_rules(name); slowest = max(slowest, time.perf_counter() - start)
heavy = [m for m in ("numba", "numpy", "pandas", "scipy", "matplotlib", "rich") if m in sys.modules]
print(slowest < 0.5, heavy)  # some ten milliseconds; half a second allows for a busy machine
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split(maxsplit=1) == ["True", "[]\n"]
