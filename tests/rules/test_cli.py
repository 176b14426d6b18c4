"""``tlsim rules`` on the command line."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from small_lists import entries_of

from tlsim.cli import main
from tlsim.cli.rules import rules
from tlsim.errors import TlsimError
from tlsim.rules import list_rules, load_rules
from tlsim.terms import clause_said, rule_keys


def run(*arguments):
    """Run the group; return exit status, standard output, and the error that the top level would print."""
    result = CliRunner().invoke(rules, list(map(str, arguments)))
    if isinstance(result.exception, TlsimError):
        return result.exception.exit_code, result.stdout, str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def files(tmp_path):
    (tmp_path / "good.toml").write_text('extends = "zing"\nset."cong.fine" = 3\n')
    (tmp_path / "bad.toml").write_text('extends = "zing"\nset."cong.fin" = 3\n[turn]\npass_locks = 1\n')
    return tmp_path


def test_list():
    status, out, _ = run("list", "--format", "json")
    assert status == 0
    rows = json.loads(out)["tables"]["rules"]
    assert [row["name"] for row in rows] == list_rules()
    assert rows[0]["family"] == "ăn bét"
    assert "Tiến lên kiểu Đà Nẵng" in run("list")[1]


def test_show_is_a_rule_file_with_sources(tmp_path):
    status, out, _ = run("show", "doithuong")
    assert status == 0
    assert "fine = 26  # 000#R25, G2" in out
    (tmp_path / "x.toml").write_text(out, encoding="utf-8")
    assert load_rules(tmp_path / "x.toml").digest == load_rules("doithuong").digest


@pytest.mark.parametrize(
    ("lang", "word"), [("vi", "# Mỗi nhà được chia mấy lá."), ("en", "# How many cards each seat is dealt.")]
)
def test_show_says_each_clause_in_words(tmp_path, lang, word):
    """In a rule file all the same; every clause that the reference explains is explained, and toml has no words."""
    out = run("show", "sam_loc", "--lang", lang)[1]
    assert f"\n{word}" in out
    told = " ".join(line.removeprefix("#").strip() for line in out.splitlines() if line.startswith("# "))
    there = [path for path, _, _ in load_rules("sam_loc").clauses() if path in rule_keys()]
    assert len(there) > 50
    assert [path for path in there if " ".join(getattr(rule_keys()[path], lang).split()) not in told] == []
    assert max(map(len, (line for line in out.splitlines() if line.startswith("# ")))) <= 80
    bare = run("show", "sam_loc", "--lang", lang, "--format", "toml")[1]
    assert bare == load_rules("sam_loc").to_toml()
    assert [line for line in out.splitlines() if line and not line.startswith("# ")] == [
        *filter(None, bare.splitlines())
    ]
    (tmp_path / "x.toml").write_text(out, encoding="utf-8")
    assert load_rules(tmp_path / "x.toml").digest == load_rules("sam_loc").digest


def test_what_differs_is_said_in_words_and_so_is_that_nothing_does():
    out = run("diff", "luckywin", "mien_bac", "--lang", "vi")[1]
    for key in ("finish.on_two", "den_cong.scan", "chop.beats.tu_quy"):
        assert f"{key} " in out or f"{key}\n" in out
        assert rule_keys()[key].vi in out
    status, out, _ = run("diff", "zing", "zing", "--lang", "vi")
    assert (status, out.splitlines()[0]) == (0, "không khác gì nhau: luật như nhau")


@pytest.mark.parametrize("preset", list_rules())
def test_every_clause_has_words_also_what_is_switched_off_and_every_pattern(preset):
    rules = load_rules(preset)
    switched_off = [key for key, value in rules._tree.items() if value is False]
    keys = [key for key, _, _ in rules.clauses()] + switched_off + ["combinations.pair_run", "chop.by"]
    for lang in ("vi", "en"):
        assert [key for key in keys if not clause_said(key, None, lang)] == []
    assert "Sảnh rồng" in clause_said("toi_trang.regular[sanh_rong].pays", None, "vi")


def test_where_a_clause_comes_from_is_said_in_words():
    out = run("show", "mien_bac", "--lang", "vi")[1]
    assert out.startswith("# Sau dấu # là nguồn của mỗi giá trị; `inherited`: lấy từ bộ luật gốc,")
    assert "# invented: " in out


def test_show_with_a_change():
    out = run("show", "doithuong", "--set", "cong.fine=20", "--set", "toi_trang.declare=automatic")[1]
    assert "fine = 20  # set by hand" in out
    assert 'declare = "automatic"  # set by hand' in out


def test_show_as_json_and_csv():
    document = json.loads(run("show", "zing", "--format", "json")[1])
    assert document["command"] == "rules show"
    assert document["complete"] is True
    assert document["provenance"]["digest"] == load_rules("zing").digest
    rows = {row["key"]: row for row in document["tables"]["rules"]}
    assert rows["cong.fine"] == {"key": "cong.fine", "value": 2.0, "source": "002#R30, G2"}
    table = list(csv.DictReader(io.StringIO(run("show", "zing", "--format", "csv")[1])))
    assert {row["key"] for row in table} == set(rows)


def test_check(files):
    status, out, _ = run("check", files / "good.toml", "zing")
    assert status == 0
    assert out.count("no faults") == 2
    status, out, _ = run("check", files / "good.toml", files / "bad.toml")
    assert status == 1
    assert "bad.toml: set.\"cong.fin\" = 3: no such key; did you mean 'cong.fine'?" in out
    assert "bad.toml: turn.pass_locks = 1: must be true or false" in out
    status, out, _ = run("check", "--format", "json", files / "good.toml", files / "bad.toml")
    tables = json.loads(out)["tables"]
    assert status == 1
    assert [row["name"] for row in tables["good"]] == ["good"]
    assert [row["where"] for row in tables["faults"]] == ['set."cong.fin"', "turn.pass_locks"]


def test_diff(files):
    status, out, _ = run("diff", "zing", files / "good.toml")
    assert status == 1
    assert "cong.fine" in out
    assert run("diff", "zing", "zing")[0] == 0
    rows = json.loads(run("diff", "zing", files / "good.toml", "--format", "json")[1])["tables"]["diff"]
    assert rows == [{"key": "cong.fine", "zing": 2.0, "good": 3.0}]


def test_diff_of_a_list_shows_what_one_side_lacks(tmp_path):
    """People read which pattern was added and which field changed; files have both lists, and so has another order."""
    (tmp_path / "more.toml").write_text(MORE, encoding="utf-8")
    out = run("diff", "zing", tmp_path / "more.toml", "--lang", "en")[1]
    cells = [line.split()[:2] for line in out.splitlines() if line.startswith("toi_trang.regular")]
    assert cells == [["toi_trang.regular", '["hai_doi"]'], ["toi_trang.regular[sau_doi].pays", "7"]]
    rows = json.loads(run("diff", "zing", tmp_path / "more.toml", "--format", "json")[1])["tables"]["diff"]
    assert [len(rows[0][name]) for name in ("zing", "more")] == [7, 8]
    order = load_rules("zing").replace("toi_trang.regular", [*reversed(entries_of(load_rules("zing")))]).to_toml()
    (tmp_path / "turned.toml").write_text(order.replace('"zing"', '"turned"'), encoding="utf-8")
    assert run("diff", "zing", tmp_path / "turned.toml", "--lang", "en")[1].count("sau_doi") == 2


MORE = """extends = "zing"
name = "more"
set."toi_trang.regular.sau_doi.pays" = 7
[[toi_trang.add]]
id = "hai_doi"
pays = 1
all_of = [{kind = "groups", size = 2, count = 5}]
"""


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("show", "doithong"), 2, "did you mean 'doithuong'?"),
        (("show", "zing", "--set", "cong.fin=3"), 2, "did you mean 'cong.fine'?"),
        (("show", "zing", "--set", "cong.fine"), 2, "write key=value"),
        (("diff", "zing", "nowhere.toml"), 2, "there is no rule file"),
        (("check", "nowhere.toml"), 2, "there is no rule file"),
        (("check",), 2, "Missing argument"),
        (("list", "--format", "xml"), 2, "'xml' is not one of"),
        (("list", "--out", "/nowhere/at/all.txt"), 2, "there is no folder '/nowhere/at'"),
    ],
)
def test_wrong_usage(arguments, status, message):
    found, out, error = run(*arguments)
    assert found == status
    assert message in error
    assert out == ""


def test_a_faulty_file_given_as_rules(files):
    status, _, error = run("show", files / "bad.toml")
    assert status == 1
    assert "turn.pass_locks" in error


def test_out(tmp_path):
    path = tmp_path / "x.json"
    status, out, _ = run("list", "--format", "json", "--out", path)
    assert (status, out) == (0, "")
    assert json.loads(path.read_text(encoding="utf-8"))["command"] == "rules list"


def test_keys_are_never_translated(capfd, tmp_path):
    text = 'extends = "luckywin"\n[[toi_trang.add]]\nid = "x_y"\nabove = "sảnh rồng"\npays = 1\n'
    text += 'all_of = [{kind = "groups", size = 2, count = 6}]\n'
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    assert main(["rules", "check", str(tmp_path / "x.toml"), "--lang", "vi"]) == 1
    assert "toi_trang.regular" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "there"),
    [
        (["--price", "Sảnh rồng=20", "--price", "tu quy heo=4.5"], ["pays = 20", "pays = 4.5"]),
        (["--set", "toi_trang.sanh_rong.pays=20"], ["pays = 20"]),
        (["--price", "regular.sanh_rong=20k"], None),
        (["--price", "sanh_rong=2.500"], None),
        (["--price", "sanh_rong=2", "--price", "Sảnh Rồng=3"], None),
        (["--price", "sanh_rog=2"], None),
        (["--price", "sanh_rong"], None),
    ],
)
def test_prices_on_the_command_line(capfd, words, there):
    """By id or name, with marks or without; what can be meant in two ways, or is told twice, is refused."""
    assert main(["rules", "show", "doithuong", *words]) == (2 if there is None else 0)
    out = capfd.readouterr().out
    assert all(f"{line}\n" in out for line in there or ())


def test_every_command_that_takes_rules_takes_prices(capfd):
    asked = ["--rules", "doithuong", "--price", "tu_quy_2=5", "--format", "json"]
    digest = load_rules("doithuong").replace("toi_trang.tu_quy_2.pays", 5).digest
    for words in (
        ["odds", "--deals", "1000"], ["simulate", "--games", "12", "--policies", "lowest"], ["fair", "--games", "0"],
        ["hand", "2S 2C 2D 2H 3S 4S 5S 6S 7S 8S 9S TS JS", "--ev", "--games", "6", "--policies", "lowest"],
    ):  # fmt: skip
        assert main([*words, *asked]) == 0
        assert json.loads(capfd.readouterr().out)["provenance"]["digest"] == digest, words
