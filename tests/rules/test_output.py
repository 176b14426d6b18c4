"""How tables are printed."""

import csv
import io
import json
import sys
from fractions import Fraction

import numpy as np
import pytest

from tlsim.cli.output import emit
from tlsim.errors import UsageError

ROWS = [
    {"pattern": "sanh_rong", "hands": 369_098_752, "one_in": 1720.4435, "ok": True},
    {"pattern": "sau_doi", "hands": 2**60, "one_in": float("nan"), "exact": Fraction(1, 3)},
]
TABLES = {"odds": ROWS, "seats": [{"seats": 0, "probability": 0.5}]}
PROVENANCE = {"version": "0.1.0", "seed": 7, "rules": "Đà Nẵng"}


def shown(capsys, fmt, tables=None, **options):
    emit("odds", PROVENANCE, TABLES if tables is None else tables, fmt=fmt, **options)
    found = capsys.readouterr()
    assert found.err == ""
    return found.out


def test_json(capsys):
    text = shown(capsys, "json", complete=False)
    assert "Đà Nẵng" in text
    document = json.loads(text)
    assert list(document) == ["command", "provenance", "complete", "tables"]
    assert document["complete"] is False
    first, second = document["tables"]["odds"]
    assert first == ROWS[0]
    assert second == {"pattern": "sau_doi", "hands": str(2**60), "one_in": None, "exact": "1/3"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2**53, 2**53),
        (2**53 + 1, str(2**53 + 1)),
        (-(2**60), str(-(2**60))),
        (float("inf"), None),
        (np.int64(5), 5),
        (np.float64("nan"), None),
        (np.bool_(True), True),
        (np.array([1, 2]), [1, 2]),
        ((1, Fraction(1, 2)), [1, "1/2"]),
        ({"a": 2**60}, {"a": str(2**60)}),
        ({3}, [3]),
        (None, None),
    ],
)
def test_json_values(capsys, value, expected):
    assert json.loads(shown(capsys, "json", {"t": [{"x": value}]}))["tables"]["t"] == [{"x": expected}]


def test_csv_of_one_table(capsys):
    rows = list(csv.reader(io.StringIO(shown(capsys, "csv", {"odds": ROWS}))))
    assert rows[0] == ["pattern", "hands", "one_in", "ok", "exact"]
    assert rows[1] == ["sanh_rong", "369098752", "1720.4435", "true", ""]
    assert rows[2] == ["sau_doi", str(2**60), "", "", "1/3"]


def test_csv_of_several_tables(capsys):
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "csv"))))
    assert [row["view"] for row in rows] == ["odds", "odds", "seats"]
    assert (rows[2]["seats"], rows[2]["probability"], rows[2]["hands"]) == ("0", "0.5", "")


def test_markdown(capsys):
    text = shown(capsys, "markdown", {"t": [{"name": "a|b\nc", "n": 1234}]}, titles={"t": "Tới trắng"})
    assert "### Tới trắng\n\n| name | n |\n| :--- | ---: |\n| a\\|b<br>c | 1,234 |" in text
    assert "seed 7" in text


def test_table_is_never_cut(capsys):
    wide = "Thùng phá sảnh (sảnh rồng đồng hoa) " * 12
    text = shown(capsys, "table", {"t": [{"name": wide.strip(), "hands": 5, "more": "đuôi"}]})
    assert wide.strip() in text
    assert "đuôi" in text
    assert "…" not in text


def test_numbers_stand_right(capsys):
    lines = shown(capsys, "table", {"t": [{"n": 1, "x": "a"}, {"n": 12_345, "x": "b"}]}).splitlines()
    one, many = (next(line for line in lines if word in line) for word in (" a", " b"))
    assert one.index("1") == many.index("5")
    assert "12,345" in many


def test_text_is_no_markup(capsys):
    assert "[bold]x[/bold]" in shown(capsys, "table", {"t": [{"[red]k": "[bold]x[/bold]"}]})


def test_partial_is_said(capsys):
    for fmt in ("table", "markdown"):
        assert "partial" in shown(capsys, fmt, complete=False)
        assert "partial" not in shown(capsys, fmt)


@pytest.mark.parametrize("fmt", ["table", "json", "csv", "markdown"])
def test_empty(capsys, fmt):
    text = shown(capsys, fmt, {"t": []})
    if fmt == "json":
        assert json.loads(text)["tables"] == {"t": []}
    else:
        assert text
    assert shown(capsys, fmt, {})


def test_columns(capsys):
    text = shown(capsys, "csv", {"t": [{"a": 1, "b": 2}]}, columns={"t": ["b", "c"]})
    assert text == "b,c\n2,\n"
    assert shown(capsys, "csv", {"t": []}, columns={"t": ["b", "c"]}) == "b,c\n"


def test_out(tmp_path, capsys):
    path = tmp_path / "o.md"
    assert shown(capsys, "markdown", out=path) == ""
    assert "sanh_rong" in path.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="cannot write"):
        emit("odds", {}, TABLES, fmt="csv", out=tmp_path)


def test_unknown_format():
    with pytest.raises(UsageError, match="format = 'xml': must be one of table, json, csv, markdown"):
        emit("odds", {}, TABLES, fmt="xml")


@pytest.mark.parametrize("fmt", ["table", "json", "csv", "markdown"])
def test_a_terminal_that_knows_no_vietnamese(monkeypatch, fmt):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    emit("odds", PROVENANCE, {"t": [{"x": "Đà Nẵng"}]}, fmt=fmt)
    sys.stdout.flush()
    assert "Đà Nẵng" in raw.getvalue().decode("utf-8")
