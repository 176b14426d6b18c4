"""What stands in a cell, by the kind of its column."""

from typing import get_args

import pytest

from tlsim.columns import WORDS, Column, Kind, Table, View, ends, error, interval
from tlsim.show.cells import cell, grid

ROW = {"x": 0.25, "noise": 0.0125, "low": 0.2, "high": 0.3}
NUMBERS = {
    "count": (1234567, "1,234,567"), "whole": (2**70, f"{2**70:,}"), "index": (1234, "1234"),
    "probability": (0.25, "0.2500"), "rate": (0.25, "0.2500"), "one_in": (1720.44, "1,720"), "share": (0.25, "25.00%"),
    "money": (-1234.5, "-1,234.5"), "price": (9.0, "9"), "amount": (5.512, "5.51"), "number": (0.25, "0.25"),
    "correlation": (0.5, "+0.500"), "error": (0.0125, "0.0125"), "end": (0.2, "0.2"),
}  # fmt: skip
NOISY = {
    "probability": "0.2500 ± 0.013", "rate": "0.2500 ± 0.013", "share": "25.0 ± 1.2%", "money": "0.250 ± 0.013",
    "amount": "0.250 ± 0.013", "number": "0.250 ± 0.013",
}  # fmt: skip
SPOKEN = {
    "pattern": ("tu_quy_2", "Four 2s", "Tứ quý 2"), "term": ("opening", "opening game", "ván khởi đầu"),
    "event": ("cong_one", "one shut out", "cóng một nhà"), "reason": ("chop", "chop", "chặt"),
    "text": ("as it is", "as it is", "as it is"), "sentence": ("A sentence.", "A sentence.", "A sentence."),
    "cards": ("3S 3C", "3♠ 3♣", "3♠ 3♣"), "flag": (True, "✓", "✓"), "list": ([1, 2], "1, 2", "1, 2"),
}  # fmt: skip


def table(*columns, rows=(), **more):
    return Table(View("v", columns, "view_seats"), list(rows), **more)


def shown(column, row, lang="en", **more):
    return cell(column, row, table(column, rows=[row], **more), lang)


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_by_kind(kind):
    value, text = NUMBERS[kind]
    assert shown(Column("x", kind), {"x": value}) == text
    assert shown(Column("x", kind), {"x": value}, "vi") == text.translate(str.maketrans(",.", ".,"))


@pytest.mark.parametrize("kind", NOISY)
def test_an_error_stands_behind_its_value(kind):
    assert shown(Column("x", kind, error="noise"), ROW) == NOISY[kind]
    assert shown(Column("x", kind, error="noise"), ROW | {"noise": None}) == NUMBERS_OF_A_QUARTER[kind]


NUMBERS_OF_A_QUARTER = {
    "probability": "0.2500", "rate": "0.2500", "share": "25.00%", "money": "0.25", "amount": "0.25", "number": "0.25",
}  # fmt: skip


@pytest.mark.parametrize("kind", SPOKEN)
def test_words_by_kind(kind):
    value, english, vietnamese = SPOKEN[kind]
    assert shown(Column("x", kind), {"x": value}) == english
    assert shown(Column("x", kind), {"x": value}, "vi") == vietnamese


def test_every_kind_is_here():
    assert set(SPOKEN) == WORDS
    assert set(get_args(Kind)) == {*SPOKEN, *NUMBERS, "interval"}


@pytest.mark.parametrize("kind", [*NUMBERS, *SPOKEN, "interval"])
def test_what_is_not_known_is_empty(kind):
    column = interval() if kind == "interval" else Column("x", kind)
    assert shown(column, {"x": None}) == shown(column, {}) == ""
    if kind in NUMBERS:
        assert shown(column, {"x": float("nan")}) == ""


def test_signs():
    assert shown(Column("x", "money", signed=True), {"x": 12.0}) == "+12"
    assert shown(Column("x", "money", signed=True, error="noise"), ROW) == "+0.250 ± 0.013"
    assert shown(Column("x", "share", signed=True), {"x": -0.03}) == "-3.00%"


def test_intervals():
    assert shown(interval("low", "high"), ROW) == "+0.200 … +0.300"
    assert shown(interval("low", "high"), ROW, "vi") == "+0,200 … +0,300"
    assert shown(interval("low", "high"), {"low": None, "high": 0.5}) == "-∞ … +0.5"
    assert shown(Column("x", "share", ends=("low", "high")), ROW) == "25.00% (20.0 … 30.0%)"
    assert shown(Column("x", "number", ends=("low", "high")), ROW) == "0.25 (0.2 … 0.3)"


def test_a_column_may_write_itself():
    column = Column("x", "probability", write=lambda value, row, _lang: f"{value} of {row['low']}")
    assert shown(column, ROW, "vi") == "0,25 of 0,2"
    word = Column("x", "text", write=lambda value, _row, lang: f"{value} {lang}")
    assert shown(word, ROW, "vi") == "0.25 vi"
    assert shown(Column("x", "text", write=lambda *_: None), ROW) == ""


def test_names_of_patterns_of_ones_own():
    names = {"nam_doi_mot_sam": "5 đôi + 1 sám", "tu_quy_2": "Tứ quý của quán"}
    for lang, own, known in (("vi", "5 đôi + 1 sám", "Tứ quý của quán"), ("en", "5 đôi + 1 sám", "Four 2s")):
        column = Column("x", "pattern")
        assert shown(column, {"x": "nam_doi_mot_sam"}, lang, names=names) == own
        assert shown(column, {"x": "tu_quy_2"}, lang, names=names) == known
    assert shown(Column("x", "pattern"), {"x": "unheard"}) == "unheard"


def test_a_prefix_finds_the_word():
    assert shown(Column("x", "term", prefix="stop_"), {"x": "size"}) == "complete"


# The whole table


MONEY = (Column("seat", "index", "seat_word"), Column("mean", "money", error="std_error", signed=True),
         error("std_error"), *ends(), interval(), Column("pays", "price"))  # fmt: skip
ROWS = [{"seat": 0, "mean": 1.5, "std_error": 0.25, "ci_low": 1.0, "ci_high": 2.0, "pays": 3.0}]


def test_headings_and_what_is_not_shown():
    found = grid(table(*MONEY, rows=ROWS), "en")
    assert [heading.text for heading in found.headings] == ["seat", "mean", "95% interval", "price"]
    assert found.rows == (("0", "+1.50 ± 0.25", "+1.00 … +2.00", "3"),)
    assert grid(table(*MONEY, rows=ROWS), "vi").headings[0].text == "nhà"


def test_a_stake_stands_beside_all_money():
    found = grid(table(*MONEY, rows=ROWS), "en", 5000)
    assert [heading.text for heading in found.headings] == [
        "seat", "mean", "mean × 5,000", "95% interval", "price", "price × 5,000",
    ]  # fmt: skip
    assert found.rows[0][2] == "+7,500"
    assert found.rows[0][5] == "15,000"
    assert grid(table(*MONEY, rows=ROWS), "vi", 5000).headings[2].text == "trung bình × 5.000"
    points = grid(table(*MONEY, rows=ROWS, points=True), "en", 5000)
    assert not [heading for heading in points.headings if "×" in heading.text]


def test_a_small_stake_keeps_its_digits():
    assert grid(table(*MONEY, rows=ROWS), "en", 1).rows[0][2] == "+1.5"


def test_what_never_is_has_no_column():
    columns = (Column("seat", "index"), Column("place_3", "share", known=True), Column("absent", "count"), interval())
    assert len(grid(table(*columns, rows=[{"seat": 0, "place_3": 0.0}]), "en").headings) == 1
    some = [{"seat": 0, "place_3": 0.0}, {"seat": 1, "place_3": 0.5}]
    assert len(grid(table(*columns, rows=some), "en").headings) == 2


def test_rows_that_say_nothing_are_kept_where_all_is_asked_for():
    view = View("v", (Column("count", "count"),), "view_seats", keep=lambda row: row["count"])
    asked = Table(view, [{"count": 0}, {"count": 2}])
    assert grid(asked, "en").rows == (("2",),)
    assert grid(asked, "en", whole=True).rows == (("0",), ("2",))


def test_a_view_may_prepare_its_rows():
    view = View("v", (Column("a", "count"),), "view_seats", prepare=lambda rows, lang: (
        [{"b": f"{row['a']} {lang}"} for row in rows], (Column("b", "text"),)))  # fmt: skip
    assert grid(Table(view, [{"a": 1}]), "vi").rows == (("1 vi",),)
