"""What follows from the declaration of a column: the dtype of a frame, the keys of files; and all views."""

import pytest

from tlsim.catalogue import LANGUAGES
from tlsim.columns import WORDS, Column, View, ends, error, frame, interval
from tlsim.fairness import views as of_fairness
from tlsim.questions import kept
from tlsim.questions.report import CLAUSES
from tlsim.results import estimated, exact, game_views, hand_report, odds_page, worth
from tlsim.results import estimated as of_odds
from tlsim.terms import known_term, term, term_of

HOMES = (of_fairness, kept, estimated, exact, of_odds, odds_page, game_views, hand_report, worth)


def declared():
    """Return every view that is declared, by its home and name."""
    found = {}
    for home in HOMES:
        for name, each in vars(home).items():
            several = each if isinstance(each, tuple) else (each,)
            found |= {(home.__name__.rpartition(".")[2], name, view.name): view for view in several
                      if isinstance(view, View)}  # fmt: skip
    return found


VIEWS = declared()


def test_there_are_many():
    assert len({view.name for view in VIEWS.values()}) > 35


def test_keys_are_there_once():
    for where, view in VIEWS.items():
        keys = [column.key for column in view.columns]
        assert len(set(keys)) == len(keys), where


def test_errors_and_ends_belong_to_a_column_that_is_there():
    """What a column says of others is there, and nothing that hangs on another one is shown alone without a word."""
    for where, view in VIEWS.items():
        keys = {column.key for column in view.columns}
        for column in view.columns:
            assert not column.error or column.error in keys, (where, column.key)
            assert set(column.ends) <= keys, (where, column.key)
            if column.kind == "interval":
                assert len(column.ends) == 2, (where, column.key)
                assert not column.filed, (where, column.key)
            if column.kind in {"error", "end"}:
                assert not column.shown, (where, column.key)


def test_an_error_is_one_of_a_number():
    for where, view in VIEWS.items():
        for column in view.columns:
            assert not (column.error and column.kind in WORDS), (where, column.key)
            assert view[column.key] is column, (where, column.key)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_column_that_people_see_has_a_heading_and_every_view_a_title(lang):
    for where, view in VIEWS.items():
        assert term_of(view.heading, lang), where
        assert term_of(view.heading, lang, points=True), where
        if view.people and view.prepare is None:
            shown = [column for column in view.columns if column.shown]
            for twin in (False, True):  # columns of what is the strongest stand behind those of what is held
                words = [term(column.heading, lang) for column in shown if column.key.startswith("counts_") is twin]
                assert len(set(words)) == len(words), (where, words)


def test_the_first_column_that_people_see_is_never_left_out_for_the_name_of_the_row():
    for where, view in VIEWS.items():
        named = [column for column in view.columns if column.shown and column.kind in WORDS | {"index"}]
        assert not view.people or not named or any(not column.leave for column in named), where


# Frames


DTYPES = {
    "count": "Int64", "index": "Int64", "flag": "bool", "whole": "object", "text": "object", "pattern": "object",
    "money": "float64", "share": "float64", "probability": "float64", "one_in": "float64", "error": "float64",
}  # fmt: skip


@pytest.mark.parametrize("kind", DTYPES)
def test_dtypes(kind):
    value = {"count": 3, "index": 3, "flag": True, "whole": 2**70, "text": "x", "pattern": "sau_doi"}.get(kind, 0.5)
    found = frame([{"a": value}, {"a": value}], [Column("a", kind)])
    assert str(found["a"].dtype) == DTYPES[kind]
    assert found["a"].tolist() == [value, value]


def test_what_is_not_known_in_a_frame():
    columns = [Column("n", "count"), Column("x", "money"), Column("f", "flag"), Column("w", "whole")]
    found = frame([{"n": None, "x": None, "f": None, "w": None}, {"n": 3, "x": 1.5, "f": True, "w": 2**70}], columns)
    assert found["n"].isna().tolist() == [True, False]
    assert str(found["n"].dtype) == "Int64"
    assert found["x"].isna().tolist() == [True, False]
    assert found["f"].tolist() == [None, True]
    assert found["w"].tolist() == [None, 2**70]


def test_a_number_that_is_a_word_somewhere():
    assert frame([{"x": 1.5}, {"x": "∞"}], [Column("x", "money")])["x"].tolist() == [1.5, "∞"]


def test_no_rows_have_all_columns_and_what_is_made_of_others_is_in_no_frame():
    columns = (Column("mean", "money", error="std_error"), error("std_error"), *ends(), interval())
    view = View("v", columns)
    assert view.keys == ("mean", "std_error", "ci_low", "ci_high")
    assert list(frame([], columns)) == list(view.keys)


def test_a_view_without_some_of_its_columns():
    view = View("v", (Column("a", "count"), Column("b", "count")))
    assert view.without("a").keys == ("b",)
    assert view["b"].heading == "b"
    assert view.heading == "view_v"
    assert View("v", (), "title").heading == "title"


def test_headings_about_points_are_those_of_points():
    for lang in LANGUAGES:
        assert known_term("view_seats_points", lang) or term_of("view_seats", lang, points=True)
        assert term_of("view_seats", lang, points=True) != term_of("view_seats", lang)


def test_a_value_that_people_read_in_two_columns_is_in_files_once():
    assert [(column.key, column.filed) for column in CLAUSES.columns][:2] == [("key", True), ("key", False)]
    assert CLAUSES.keys == ("key", "value", "source")
