"""A faulty file names every fault at once: key path as the file spells it, value, what is allowed, the likely mend."""

import copy
import re

import pytest

from tlsim.catalogue import told
from tlsim.errors import RulesError
from tlsim.rules import load_rules
from tlsim.rules.extend import lay_over, places
from tlsim.rules.keypath import known_paths
from tlsim.rules.load import _finish


def faults_of(tmp_path, text, extends="zing"):
    path = tmp_path / "rules.toml"
    path.write_text(f'extends = "{extends}"\nname = "x"\n{text}\n' if extends else text, encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    assert caught.value.exit_code == 1
    shown = str(caught.value)
    for inner in ("Value error", "pydantic", "http", "function-", "union", "[type=", "Input should"):
        assert inner not in shown
    told = {}
    for fault in caught.value.faults:
        told[fault.where] = told.get(fault.where, "") + fault.message
    return told


ENTRY = '[[toi_trang.add]]\nid = "p"\nall_of = [{kind = "groups", size = 2, count = 3}]\n'


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("nane = 1", "nane", "unknown key; did you mean 'name'?"),
        ("extend = 1", "extend", "unknown key; did you mean 'extends'?"),
        ("zzz = 1", "zzz", "unknown key; keys here: name, label, unit,"),
        ("[cong]\nfin = 1", "cong.fin", "unknown key; did you mean 'fine'?"),
        ("[toi_trang]\nremov = []", "toi_trang.remov", "unknown key; did you mean 'remove'?"),
        ("[cong]\nfine = -1", "cong.fine", "must be at least 0"),
        ("[cong]\nfine = 1_000_001", "cong.fine", "must be at most 1,000,000"),
        ("[cong]\nfine = inf", "cong.fine", "must be a finite number"),
        ("[cong]\nfine = nan", "cong.fine", "must be a finite number"),
        ("[cong]\nfine = 1.25", "cong.fine", "must be a multiple of ½"),
        ("[cong]\nfine = '2'", "cong.fine", "must be a number"),
        ("[cong]\nfine = true", "cong.fine", "must be a number"),
        ("[cong]\nfine = {2 = 1}", "cong.fine", "says nothing for 3, 4 players"),
        ("[cong]\nfine = {two = 1, 2 = 1, 3 = 1, 4 = 1}", "cong.fine.two", "by number of players"),
        ("[cong]\nfine = {2 = 1, 3 = 0.3, 4 = 1}", "cong.fine.3", "must be a multiple of ½"),
        ("cong = 3", "cong", "must be a table"),
        ("[cong]\nitems = 1", "cong.items", "must be true or false"),
        ("[deal]\nhand_size = '13'", "deal.hand_size", "must be a whole number of cards, 1 … 26, or 'all'"),
        ("[deal]\nhand_size = 12.5", "deal.hand_size", "must be a whole number of cards"),
        ("[deal]\nmin_players = 1", "deal.min_players", "must be at least 2"),
        ("[deal]\nmin_players = 4\nmax_players = 3", "deal.min_players", "must not be above deal.max_players = 3"),
        ("[deal]\nmax_players = 5", "deal.max_players", "5 players × 13 cards need 65, the deck has 52; at most 4"),
        ("[deal]\nhand_size = 17", "deal.max_players", "4 players × 17 cards need 68"),
        ("[turn]\ndirection = 'clockwize'", "turn.direction", "did you mean 'clockwise'?"),
        ("[lead]\nopening_card = '3S 3C'", "lead.opening_card", "must be one card in quotes"),
        ("[lead]\nopening_card = '1S'", "lead.opening_card", "cannot read '1S' as a card"),
        ("[lead]\nnext = ['winer']", "lead.next[0]", "did you mean 'winner'?"),
        ("[lead]\nnext = ['sam_caller', 'winner']", "lead.next[0]", "needs bao_sam"),
        ("[lead]\nnext = ['cong_streak', 'winner']", "lead.next[0]", "needs lead.cong_streak"),
        ("[lead]\nnext = 'winner'", "lead.next", "must be a list in square brackets"),
        ("[lead]\nnext = []", "lead.next", "must hold at least 1 entry"),
        ("[chop.beats]\ntu_quy = ['heo', 'doi_hoe']", "chop.beats.tu_quy[1]", "did you mean 'doi_heo'?"),
        ("[chop.beats]\ntu_quy = ['heo', 'heo']", "chop.beats.tu_quy", "names 'heo' twice"),
        ("prices = false", "prices", "is needed by chop"),
        ("[count_cards]\nitems = 'add'", "place_transfers", "exactly one of count_cards, place_transfers"),
        ("place_transfers = false", "count_cards", "has none of them"),
        ("[place_transfers]\n4 = [{from_place = 4, to_place = 5, pays = 1}]", "place_transfers.4[0]",
         "must go between two different places from 1 to 4"),
        ("place_transfers = false\n[place_points]\n2 = [1, 0]\n3 = [2, 1]\n4 = [3, 2, 1, 0]", "place_points.3",
         "must list 3 points"),
        ("unit = 'đồng'", "unit", "must be one of 'cược', 'lá', 'điểm'"),
        ("match_length = 0", "match_length", "must be at least 1"),
        ("label = ''", "label", "must not be empty"),
        ("label = 'a\\tb'\nlabel2 = 1", "label2", "unknown key; did you mean 'label'?"),
        ('label = "a\\nb"', "label", "must be one line of text"),
        (f"label = '{'x' * 121}'", "label", "must have at most 120 characters"),
        ("[bao_sam]\npays = 20", "bao_sam.fail_multiplier", "is missing; allowed: 'opponents', 'players'"),
        ("set = 3", "set", 'must be lines such as set."cong.fine" = 20'),
        ('set."cong.fin" = 3', 'set."cong.fin"', "no such key; did you mean 'cong.fine'?"),
        ('set."fine" = 3', "set.fine", "no such key; did you mean 'cong.fine'?"),
        ('set."cong.fine" = -3', 'set."cong.fine"', "must be at least 0"),
        ('set."cong..fine" = 3', 'set."cong..fine"', "no such key"),
        ('set."toi_trang.regular[x].pays" = 3', 'set."toi_trang.regular[x].pays"', "has no pattern 'x'"),
        ('set."toi_trang.regular[50].pays" = 3', 'set."toi_trang.regular[50].pays"', "there is no entry [50]"),
        ('set."toi_trang.regular[sau_doi].pays" = -1', 'set."toi_trang.regular[sau_doi].pays"', "must be at least 0"),
        ('set."cong.fine" = 20\n[cong]\nfine = 3', 'set."cong.fine"', "cong.fine stands in this file, too; say it"),
        ('set."cong.fine" = 20\n[cong]\nfine = {2 = 1, 3 = 1, 4 = 1}', 'set."cong.fine"', "stands in this file, too"),
        ('set."cong" = {fine = 2}\nset."cong.fine" = -1', 'set."cong.fine"', "set.cong stands in this file, too"),
        ('set."toi_trang.regular[2].pays" = 2\nset."toi_trang.regular[sanh_rong].pays" = 3',
         'set."toi_trang.regular[sanh_rong].pays"', 'set."toi_trang.regular[2].pays" stands in this file, too'),
        ("toi_trang.opening = 1", "toi_trang.opening", "must be a list in square brackets"),
        ("toi_trang.regular = 'x'", "toi_trang.regular", "must be a list in square brackets"),
        ("toi_trang.regular = 1\n" + ENTRY, "toi_trang.regular", "must be a list in square brackets"),
        ("toi_trang.opening = [1]", "toi_trang.opening[0]", "must be a table"),
        ("toi_trang.opening = [{id = 'x', all_of = [1]}]", "toi_trang.opening[0].all_of[0]", "must be a table"),
        ('label = "quán \\u202eTám"', "label", "must be one line of text, without control characters"),
        ('label = "quán\\u200bTám"', "label", "without control characters"),
        (ENTRY + 'label = "a\\u2066b"', "toi_trang.add[0].label", "without control characters"),
        (ENTRY + 'source = "a\\u2028b"', "toi_trang.add[0].source", "without control characters"),
        ("sources = 3", "sources", "must be a table of key paths and texts"),
        ('[sources]\n"cong.fein" = "x"', 'sources."cong.fein"', "did you mean 'cong.fine'?"),
        ('[sources]\n"cong.fine" = 3', 'sources."cong.fine"', "must be text in quotes"),
        ("[toi_trang]\nremove = 'sau_doi'", "toi_trang.remove", "must be a list of pattern ids"),
        ("[toi_trang]\nremove = ['sau_doj']", "toi_trang.remove[0]", "did you mean 'sau_doi'?"),
        ("[toi_trang]\nadd = 3", "toi_trang.add", "must be a list of patterns"),
        ("[toi_trang]\nadd = [3]", "toi_trang.add[0]", "must be a table"),
        (ENTRY + "above = 'sau_doj'", "toi_trang.add[0].above", "did you mean 'sau_doi'?"),
        (ENTRY + "above = 'tu_quy_3'", "toi_trang.add[0].above", "there is no such pattern in toi_trang.regular"),
        (ENTRY + "above = 3", "toi_trang.add[0].above", "there is no such pattern"),
        (ENTRY + "above = 'sau_doi'\nbelow = 'sau_doi'", "toi_trang.add[0].below", "give one of them"),
        (ENTRY + "list = 'openin'", "toi_trang.add[0].list", "did you mean 'opening'?"),
        (ENTRY + "list = ['opening']", "toi_trang.add[0].list", "must be one of 'opening', 'regular', 'both'"),
        (ENTRY + "pays = -2", "toi_trang.add[0].pays", "must be at least 0"),
        (ENTRY + "color = 1", "toi_trang.add[0].color", "unknown key"),
        (ENTRY.replace("'p'", "'P'").replace('"p"', '"P p"'), "toi_trang.add[0].id", "an id is made of a-z"),
        (ENTRY.replace('"p"', '"sau_doi"'), "toi_trang.add[0].id", "is there twice in toi_trang.regular"),
        (ENTRY.replace('"p"', '"sau_doi"') + "list = 'opening'", "toi_trang.add[0].id", "one id is one pattern"),
        (ENTRY.replace('id = "p"\n', ""), "toi_trang.add[0].id", "is missing"),
        (ENTRY.replace("groups", "grups"), "toi_trang.add[0].all_of[0].kind", "did you mean 'groups'?"),
        (ENTRY.replace('kind = "groups", ', ""), "toi_trang.add[0].all_of[0].kind", "is missing; it must be one of"),
        (ENTRY.replace("size = 2", "size = 5"), "toi_trang.add[0].all_of[0].size", "must be at most 4"),
        (ENTRY.replace("size", "sise"), "toi_trang.add[0].all_of[0].sise", "unknown key; did you mean 'size'?"),
        (ENTRY.replace("count = 3", "count = 7"), "toi_trang.add[0].all_of[0]", "needs 14 cards, a hand has 13"),
        (ENTRY.replace("groups", "holds"), "toi_trang.add[0].all_of[0].cards", "is missing"),
        ("[deal]\nhand_size = 10", "toi_trang.regular[2].all_of[0]", "needs 12 cards, a hand has 10"),
        ("[toi_trang]\nopening_list_mode = 'one_list'", "toi_trang.opening", "must be empty"),
    ],
)  # fmt: skip
def test_one_fault(tmp_path, text, where, message):
    faults = faults_of(tmp_path, text)
    assert message in faults[where], faults


@pytest.mark.parametrize(
    ("text", "told", "others"),
    [
        ("[deal]\nhand_size = 10", "toi_trang.regular[0].all_of[0]: needs 12 cards, a hand has 10 (deal.hand_size)", 4),
        ('set."place_transfers.4" = [{from_place = 9, to_place = 1, pays = 1}]',
         'set."place_transfers.4"[0].from_place = 9: must be at most 5', 0),
        ('[president]\ntitles = {4 = ["a"]}', "president.titles.4[0] = 'a': must be one of", 0),
    ],
)  # fmt: skip
def test_one_wrong_line_is_one_fault(tmp_path, text, told, others):
    """What follows from it for patterns that are taken over is counted, not told; the faults themselves hold them."""
    base = "tong_thong" if "president" in text else "luckywin" if "place" in text else "doithuong"
    file = tmp_path / "x.toml"
    file.write_text(f'extends = "{base}"\nname = "x"\n{text}', encoding="utf-8")
    with pytest.raises(RulesError) as error:
        load_rules(file)
    first, *more = str(error.value).splitlines()
    assert f"x.toml: {told}" in first
    assert len(error.value.faults) == 1 + others
    assert len(more) == bool(others)
    assert not others or more[0].endswith(f"x.toml: and {others} more faults")


def test_a_fault_hides_no_letter(tmp_path):
    text = '"\u202efine" = "\u202e"\nunit = "\u2066x"\n[cong]\n"fi\u200bne" = 1\n'
    path = tmp_path / "quán\u202e.toml"
    path.write_text(f'extends = "zing"\nname = "x"\n{text}', encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    for shown in (str(caught.value), told(caught.value, "en"), told(caught.value, "vi")):
        assert not set(shown) & set("\u202e\u2066\u200b"), shown
        assert "\\u202e" in shown
        assert "fi\\u200bne" in shown


def test_twenty_faults_are_told_and_how_many_more(tmp_path):
    path = tmp_path / "many.toml"
    path.write_text("extends = 'zing'\nname = 'x'\n" + "".join(f"key{n} = 1\n" for n in range(1000)), encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    assert len(caught.value.faults) == 1000
    for shown in (str(caught.value), told(caught.value, "en")):
        lines = shown.splitlines()
        assert len(lines) == 21
        assert "many.toml: key0 = 1: unknown key" in lines[0]
        assert lines[20].endswith("many.toml: and 980 more faults")


_ODD = [1, -1, 10**30, 1.5, float("nan"), "x", "", True, False, [], {}, [1], ["x"], [[1]], {"a": 1}, {"2": 1}, [{}],
        [{"id": ["x"]}], {"2": [{}]}, [{"id": "x", "all_of": [{"kind": []}]}], {"2": [{"from_place": []}]}]  # fmt: skip


@pytest.mark.parametrize(("number", "base"), [(0, "doithuong"), (1, "tong_thong"), (2, "sam_loc")])
def test_any_value_anywhere_is_taken_or_named(number, base):
    """Nothing that a file may say is a traceback, and no fault speaks as a library does.

    A value stands in its table, or under ``set``: by turns, so that each is tried both ways.
    """
    tables = [("set",), ("sources",), ("extends",), ("toi_trang", "add"), ("toi_trang", "remove")]
    for path in [*(tuple(key.split(".")) for key in known_paths()), *tables]:
        for at, value in enumerate(_ODD, number):
            own = nested(path, value) if at % 2 else {"set": {".".join(path): copy.deepcopy(value)}}
            try:
                _finish(lay_over(load_rules(base), own, "x.toml", places(own)))
            except RulesError as error:
                for fault in error.faults:
                    assert not re.search(r"Input should|valid |Value error|instance", fault.message), fault


def nested(path, value):
    for key in reversed(path):
        value = {key: value}
    return copy.deepcopy(value)


def test_all_faults_at_once(tmp_path):
    text = """
        nane = "x"
        set."cong.fin" = 20
        set."thoi.ba_bich" = -3
        [prices]
        tu_quy = 10.3
        [deal]
        max_players = 5
        [turn]
        direction = "counterclockwise"
        [toi_trang]
        declare = "automatik"
        remove = ["sau_doii"]
        [[toi_trang.add]]
        id = "sanh_rong"
        all_of = [{kind = "groups", size = 5, count = 6}, {kind = "grups"}]
        above = "sau_doi_thog"
        [sources]
        "cong.fein" = "x"
    """
    assert set(faults_of(tmp_path, text)) == {
        "nane",
        'set."cong.fin"',
        'set."thoi.ba_bich"',
        "prices.tu_quy",
        "deal.max_players",
        "turn.direction",
        "toi_trang.declare",
        "toi_trang.remove[0]",
        "toi_trang.add[0].id",
        "toi_trang.add[0].all_of[0].size",
        "toi_trang.add[0].all_of[1].kind",
        "toi_trang.add[0].above",
        'sources."cong.fein"',
    }


def test_faults_stand_in_the_order_of_the_file(tmp_path):
    lines = [
        ("nane = 1", "nane"),
        ('set."cong.fin" = 3', 'set."cong.fin"'),
        ('set."cong.fine" = -3', 'set."cong.fine"'),
        ("[turn]\npass_locks = 1", "turn.pass_locks"),
        ("[[toi_trang.add]]\nid = 'P'\nall_of = []", "toi_trang.add[0].id"),
        ("[[toi_trang.add]]\nid = 'q'\nabove = 'nobody'\nall_of = [{kind = 'pears'}]", "toi_trang.add[1].above"),
        ("[deal]\nhand_size = 12.5", "deal.hand_size"),
        ("[lead]\nnext = ['winner', 'loser', 'looser']", "lead.next[1]"),
        ("[sources]\n'cong.fin' = 'x'", 'sources."cong.fin"'),
    ]
    for order in (lines, lines[:3] + lines[:2:-1]):
        path = tmp_path / "rules.toml"
        text = "\n".join(line for line, _ in order)
        path.write_text(f'extends = "zing"\nname = "x"\n{text}\n', encoding="utf-8")
        with pytest.raises(RulesError) as caught:
            load_rules(path)
        places = [fault.where for fault in caught.value.faults]
        wanted = [where for _, where in order]
        if order is not lines:  # a list counts from its top
            wanted[wanted.index("toi_trang.add[0].id")] = "toi_trang.add[1].id"
            wanted[wanted.index("toi_trang.add[1].above")] = "toi_trang.add[0].above"
        assert [where for where in places if where in wanted] == wanted


def test_what_the_file_does_not_say_is_told_last(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('name = "x"\n[cong]\nfine = -1\n', encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    places = [fault.where for fault in caught.value.faults]
    said = [where for where in places if where.startswith("cong")]
    assert places[: len(said)] == said
    assert "cong.fine" in said
    assert "turn" in places[len(said) :]


def test_a_file_of_its_own_is_told_all_that_is_missing(tmp_path):
    faults = faults_of(tmp_path, 'name = "x"\n', extends=None)
    assert {"unit", "deal", "turn", "lead", "combinations", "finish", "end_condition"} <= set(faults)
    assert faults["deal"] == 'is missing; extends = "…" takes over what another rule set says'
    assert "'cược', 'lá', 'điểm'" in faults["unit"]


def test_president_tables(tmp_path):
    text = """
        [president.titles]
        4 = ["tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo"]
        5 = ["tong_thong", "pho_tong_thong", "thuong_dan", "can_ngheo"]
    """
    faults = faults_of(tmp_path, text, extends="tong_thong")
    assert "must list 5 titles" in faults["president.titles.5"]
    assert "is no title at 4 players" in faults["president.exchange[0].from_title"]


def test_no_message_is_endless(tmp_path):
    faults = faults_of(tmp_path, f'[cong]\nfine = "{"x" * 50_000}"')
    assert all(len(text) < 600 for text in faults.values())


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ('"doithong"', "there is no such rule set; did you mean 'doithuong'?"),
        ('"nowhere.toml"', "there is no file"),
        ("3", "must be the name of a preset or of a rule file"),
        ('["zing"]', "must be the name of a preset or of a rule file"),
    ],
)
def test_unknown_parent_and_what_can_be_said_of_the_rest(tmp_path, extends, message):
    faults = faults_of(tmp_path, f"extends = {extends}\n[cong]\nfine = -1\nfeine = 2\n", extends=None)
    assert message in faults["extends"]
    assert set(faults) == {"extends", "cong.fine", "cong.feine"}


def test_circles(tmp_path):
    for name, parent in (("a", "b"), ("b", "c"), ("c", "a"), ("self", "self")):
        (tmp_path / f"{name}.toml").write_text(f'extends = "{parent}.toml"\n')
    with pytest.raises(RulesError, match=re.escape("goes round in a circle: a.toml → b.toml → c.toml → a.toml")):
        load_rules(tmp_path / "a.toml")
    with pytest.raises(RulesError, match=re.escape("goes round in a circle: self.toml → self.toml")):
        load_rules(tmp_path / "self.toml")


def test_a_long_line_of_files_is_refused(tmp_path):
    for n in range(40):
        (tmp_path / f"r{n}.toml").write_text(f'extends = "r{n + 1}.toml"\n')
    with pytest.raises(RulesError, match="more than 16 generations"):
        load_rules(tmp_path / "r0.toml")


def test_a_fault_of_a_parent_is_told_of_the_parent(tmp_path):
    (tmp_path / "parent.toml").write_text('extends = "zing"\n[cong]\nfine = -1\n')
    (tmp_path / "child.toml").write_text('extends = "parent.toml"\n')
    with pytest.raises(RulesError) as caught:
        load_rules(tmp_path / "child.toml")
    assert caught.value.file.endswith("parent.toml")
