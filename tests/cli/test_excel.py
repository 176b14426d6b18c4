"""CSV for spreadsheets."""

import csv
import io

import pytest

from tlsim.show.formats import as_csv


def read(text, excel=True):
    assert text.startswith("\ufeff") == excel
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=";" if excel else ","))


def test_it_has_a_mark_semicolons_and_decimal_commas(run, tmp_path):
    words = ("odds", "--deals", "20000", "--format", "csv", "--view", "simulated")
    plain, sheet = read(run(*words)[1], excel=False), read(run(*words, "--excel")[1])
    assert [[cell.replace(",", ".") for cell in row] for row in sheet] == plain
    assert sheet != plain
    file = tmp_path / "odds.csv"
    assert run(*words, "--excel", "--out", file) == (0, "", "")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read(file.read_bytes().decode()) == sheet


def test_no_text_begins_a_formula(run, tmp_path):
    rows = [{"=name": text, "n": -1, "x": -0.5} for text in ("=1+1", "+x", "-x", "@x", "\tx", "\rx", "a;b", 'q"', "x")]
    table = read(as_csv({"v": rows}, {}, excel=True))
    assert table[0] == ["'=name", "n", "x"]
    assert [row[0] for row in table[1:]] == ["'=1+1", "'+x", "'-x", "'@x", "'\tx", "'\rx", "a;b", 'q"', "x"]
    assert {tuple(row[1:]) for row in table[1:]} == {("-1", "-0,5")}
    file = tmp_path / "x.toml"
    file.write_text('extends = "zing"\nname = "=cmd"\nlabel = "=HYPERLINK(\\"x\\")"\n', encoding="utf-8")
    out = run("rules", "check", file, "--format", "csv", "--excel")[1]
    cells = [cell for row in read(out) for cell in row]
    assert "'=cmd" in cells
    assert not [cell for cell in cells if cell.startswith("=")]


@pytest.mark.parametrize("words", [["--format", "json"], ["--format", "table"], []])
def test_it_is_about_csv(run, words):
    assert run("odds", *words, "--excel") == (2, "", "Error: --excel is about --format csv; give both\n")
