"""A page in every format: nothing is left out of files, and what people do not see is named."""

import csv
import io
import json
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from rich.text import Text

from tlsim.columns import Column, Table, View, ends, error
from tlsim.errors import UsageError
from tlsim.options import FORMATS
from tlsim.show import Asked, Page, as_html, output, rendered, show
from tlsim.show.formats import plain
from tlsim.show.page import provenance_line

SEATS = View("seats", (
    Column("seat", "index", "seat_word"), Column("mean", "money", error="std_error", signed=True), error("std_error"),
    *ends(), Column("spread", "amount", leave=2), Column("policy", "text"),
))  # fmt: skip
LENGTH = View("length", (Column("entries", "index"), Column("games", "count")), first=False)
FILED = View("exact", (Column("hands", "whole"), Column("share", "text")), "view_seats", people=False)
READ = View("reasons", (Column("reason", "reason"),), files=False)
ROWS = [
    {"seat": 0, "mean": 1.5, "std_error": 0.25, "ci_low": 1.0, "ci_high": 2.0, "spread": 3.0, "policy": "a|b\nc"},
    {"seat": 1, "mean": float("nan"), "std_error": None, "ci_low": None, "ci_high": None, "spread": 3.0,
     "policy": "[bold]x[/bold]"},
]  # fmt: skip
PAGE = Page(
    "simulate",
    {"version": "0.1.0", "rules": "Đà Nẵng", "digest": "ab" * 32, "seed": 0, "opening": False, "holding": None,
     "stopped": "size", "policies": ["smart", "lowest"]},
    [Table(SEATS, ROWS, "cược"), Table(LENGTH, [{"entries": 30, "games": 1234}]),
     Table(FILED, [{"hands": 2**60, "share": Fraction(1, 3)}]), Table(READ, [{"reason": "chop"}])],
    said=["First this."], notes=["Then that."],
)  # fmt: skip
EMPTY = replace(PAGE, tables=[Table(SEATS, [])])
every_format = pytest.mark.parametrize("fmt", FORMATS)


def text(fmt="table", page=PAGE, width=None, **asked):
    return rendered(page, Asked(fmt, "en", **asked), width)


# Files


def test_json_has_everything():
    document = json.loads(text("json", replace(PAGE, complete=False)))
    assert list(document) == ["command", "provenance", "complete", "tables"]
    assert (document["command"], document["complete"]) == ("simulate", False)
    assert document["provenance"]["rules"] == "Đà Nẵng"
    assert document["provenance"]["digest"] == "ab" * 32
    assert list(document["tables"]) == ["seats", "length", "exact"]
    assert document["tables"]["seats"] == [ROWS[0], ROWS[1] | {"mean": None}]
    assert document["tables"]["exact"] == [{"hands": str(2**60), "share": "1/3"}]
    assert "Đà Nẵng" in text("json")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2**53, 2**53), (2**53 + 1, str(2**53 + 1)), (-(2**60), str(-(2**60))), (float("inf"), None),
        (np.int64(5), 5), (np.float64("nan"), None), (np.bool_(True), True), (np.array([1, 2]), [1, 2]),
        ((1, Fraction(1, 2)), [1, "1/2"]), ({"a": 2**60}, {"a": str(2**60)}), ({3}, [3]), (None, None),
    ],
)  # fmt: skip
def test_values_as_json_can_hold_them(value, expected):
    assert plain(value) == expected
    page = replace(PAGE, tables=[Table(READ, [{"x": value}], "")])
    page = replace(page, tables=[Table(replace(READ, files=True), [{"x": value}])])
    assert json.loads(text("json", page))["tables"]["reasons"] == [{"x": expected}]


def test_csv_of_several_tables():
    rows = list(csv.DictReader(io.StringIO(text("csv"))))
    assert [row["view"] for row in rows] == ["seats", "seats", "length", "exact"]
    assert (rows[0]["mean"], rows[0]["policy"], rows[0]["games"]) == ("1.5", "a|b\nc", "")
    assert (rows[1]["mean"], rows[1]["std_error"]) == ("", "")
    assert (rows[3]["hands"], rows[3]["share"]) == (str(2**60), "1/3")


def test_csv_of_one_table_has_no_view():
    rows = list(csv.reader(io.StringIO(text("csv", view=("length",)))))
    assert rows == [["entries", "games"], ["30", "1234"]]
    flags = replace(PAGE, tables=[Table(LENGTH, [{"entries": True, "games": [1, 2]}])])
    assert list(csv.reader(io.StringIO(text("csv", flags))))[1] == ["true", "[1, 2]"]


def test_csv_of_an_empty_table_has_its_columns():
    assert text("csv", EMPTY) == "seat,mean,std_error,ci_low,ci_high,spread,policy\n"


def test_files_have_the_stake_of_every_amount_and_of_its_error():
    row = json.loads(text("json", stake=5000))["tables"]["seats"][0]
    assert row == ROWS[0] | {"mean × 5,000": 7500.0, "std_error × 5,000": 1250.0}
    assert json.loads(text("json", stake=5000))["tables"]["seats"][1]["std_error × 5,000"] is None
    points = replace(PAGE, tables=[Table(SEATS, ROWS, points=True)])
    assert json.loads(text("json", points, stake=5000))["tables"]["seats"][0] == ROWS[0]


# People


def test_markdown_leaves_nothing_out():
    found = text("markdown")
    assert "### By seat: money per game\n\n| seat | mean | spread | policy |\n| ---: | ---: | ---: | :--- |" in found
    assert "| 0 | +1.50 ± 0.25 | 3 | a\\|b<br>c |" in found
    assert "### Length of games" in found
    assert "There is more" not in found


def test_a_table_says_what_more_there_is():
    found = text()
    assert "Length of games" not in found
    assert "There is more: --view length, or --view all." in found
    for view in (("length",), ("seats", "length"), ("all",)):
        assert "Length of games" in text(view=view)
        assert "There is more" not in text(view=view)
    assert text(view=("length",)).count("By seat") == 0
    assert "Who pays whom" not in text(view=("all",))


def test_where_no_table_comes_first_all_do():
    page = replace(PAGE, tables=[Table(LENGTH, [{"entries": 30, "games": 1234}])])
    assert "1,234" in text(page=page)
    assert "There is more" not in text(page=page)
    assert "1,234" in as_html(page, "en")


@every_format
def test_a_view_is_chosen_in_every_format(fmt):
    assert "1234" in text(fmt, view=("length",)).replace(",", "")
    assert "1.5" not in text(fmt, view=("length",))
    with pytest.raises(UsageError, match=r"--view lenght: must be one of seats, .*, all; did you mean 'length'"):
        text(fmt, view=("lenght",))


def test_columns_left_out_are_named_and_wide_shows_them():
    narrow = replace(PAGE, tables=[Table(SEATS, [ROWS[0] | {"policy": "smart", "spread": 123456.0}])])
    found = Text.from_ansi(text(page=narrow, width=30)).plain
    assert "Columns left out where room is short: spread; --wide shows" in " ".join(found.split())
    assert "123,456" not in found
    wide = text(page=narrow, width=30, wide=True)
    assert "123,456" in wide
    assert "left out" not in wide


def test_a_table_in_a_pipe_is_never_cut():
    long = "Thùng phá sảnh (sảnh rồng đồng hoa) " * 12
    found = text(page=replace(PAGE, tables=[Table(SEATS, [ROWS[0] | {"policy": long.strip()}])], said=[long * 3]))
    assert long.strip() in found
    assert (long * 3).strip() in found
    assert "…" not in found
    assert "\x1b" not in found


def test_text_is_no_markup():
    assert "[bold]x[/bold]" in text()


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_are_left_out_where_nobody_wants_them(monkeypatch, variable, value):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv(variable, value)
    assert "\x1b[3" not in text(width=80)
    assert "\x1b[9" not in text(width=80)


@pytest.mark.parametrize("fmt", ["table", "markdown"])
def test_partial_is_said_first(fmt):
    assert "partial" not in text(fmt)
    found = text(fmt, replace(PAGE, complete=False))
    assert found.index("partial: the run was interrupted") < found.index("First this.")
    html = as_html(replace(PAGE, complete=False), "en")
    assert html.startswith("<ul><li>partial")


@every_format
def test_nothing_to_show(fmt):
    for page in (EMPTY, replace(PAGE, tables=[])):
        found = text(fmt, page)
        assert found.endswith("\n")
        if fmt == "json":
            assert json.loads(found)["tables"] in ({}, {"seats": []})
    assert "–" in text("markdown", EMPTY)
    assert "By seat" not in text("table", EMPTY)


def test_what_numbers_rest_on_without_what_is_false_or_empty():
    line = provenance_line(PAGE.provenance, "en")
    assert line == "version 0.1.0 · rules Đà Nẵng · digest abababababab · seed 0 · policies smart, lowest"
    assert provenance_line({"opening": True, "games": 1200, "nope": 2.5}, "vi") == (
        "ván khởi đầu ✓ · số ván 1.200 · nope 2,5"
    )


def test_html_is_escaped():
    page = replace(PAGE, tables=[Table(SEATS, [ROWS[0] | {"policy": "6 <đôi>"}])], said=["<b>"], notes=["<i>"])
    html = as_html(page, "vi")
    assert "6 &lt;đôi&gt;" in html
    assert not {"<b>", "<i>", "<đôi>"} & {html[at : at + 5].rstrip("/") for at in range(len(html))}
    assert "&lt;b&gt;" in html
    assert html.count("<table>") == html.count("</table>") == 1


# Where it goes


def test_out(tmp_path, capsys):
    path = tmp_path / "o.md"
    show(PAGE, Asked("markdown", out=path))
    assert capsys.readouterr().out == ""
    assert "Đà Nẵng" in path.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="cannot write"):
        show(PAGE, Asked("csv", out=tmp_path))


def test_an_unknown_format():
    with pytest.raises(UsageError, match="format = 'xml': must be one of table, json, csv, markdown"):
        text("xml")


@every_format
def test_a_stream_that_knows_no_vietnamese(monkeypatch, fmt):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    show(replace(PAGE, tables=[Table(SEATS, [ROWS[0] | {"policy": "Đà Nẵng"}])]), Asked(fmt))
    sys.stdout.flush()
    assert "Đà Nẵng" in raw.getvalue().decode("utf-8")


def test_the_width_of_a_screen(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert output.screen_width() is None  # a pipe
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdout", terminal)
    for columns, width in (("123", 123), ("0", 80), ("", 80), ("wide", 80)):
        monkeypatch.setenv("COLUMNS", columns)
        assert output.screen_width() == width
