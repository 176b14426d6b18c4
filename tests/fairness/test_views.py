"""The declared columns, as people see them on a screen of 80 columns, in both languages."""

import json
import re

import pytest
from rich.cells import cell_len

import tlsim
from tlsim.columns import Table
from tlsim.fairness import views
from tlsim.show import Asked, rendered
from tlsim.show.cells import grid
from tlsim.terms import known_term

ALL = (*views.VIEWS, views.TABLE, views.TABLE_SUMMARY)
WIDTH = 80


@pytest.fixture(scope="module")
def pages():
    """Return pages of real games by rules and language: money, points, and points by place alone."""
    found = {}
    for rules, more in (("doithuong", {"rake": 0.05}), ("luckywin_points", {}), ("tong_thong", {"rake": 0.05})):
        fairness = tlsim.payout_fairness(rules, games=240, policies="lowest", judge_from=0, **more)
        table = fairness.fair_table("logarithmic") if fairness.lists else None
        found |= {(rules, lang): fairness.page("fair", lang, table) for lang in ("vi", "en")}
    return found


def plain(page, width=WIDTH, **asked):
    return re.sub(r"\x1b\[[0-9;]*m", "", rendered(page, Asked("table", **asked), width))


def grids(page, lang):
    """Return the tables in words by the names of their views."""
    return {table.view.name: grid(table, lang) for table in page.tables}


def headings(page, view):
    return [heading.text for heading in grids(page, "en")[view].headings]


# --- what is declared ---


@pytest.mark.parametrize("view", ALL, ids=lambda view: view.name)
@pytest.mark.parametrize("lang", ["vi", "en"])
def test_every_column_has_a_heading_and_every_view_a_title(view, lang):
    assert known_term(view.heading, lang)
    columns = view.columns if view.prepare is None else view.prepare([], lang)[1]
    assert all(known_term(column.heading, lang) for column in columns if column.shown)


@pytest.mark.parametrize("view", ALL, ids=lambda view: view.name)
def test_errors_and_ends_are_columns_and_nothing_is_declared_twice(view):
    keys = [column.key for column in view.columns]
    assert len(set(keys)) == len(keys)
    for column in view.columns:
        assert {column.error, *column.ends} - {""} <= set(keys)
    behind = {column.error for column in view.columns} | {end for column in view.columns for end in column.ends}
    assert {column.key for column in view.columns if column.kind == "error"} <= behind


def test_people_see_prices_pairs_and_the_whole_list_first():
    assert [view.name for view in ALL if view.first] == ["prices", "pairs", "table", "table_summary"]


# --- what is seen ---


@pytest.mark.parametrize("lang", ["vi", "en"])
@pytest.mark.parametrize("rules", ["doithuong", "luckywin_points", "tong_thong"])
@pytest.mark.parametrize("view", [(), ("all",)])
def test_nothing_is_wider_than_the_screen(pages, rules, lang, view):
    for line in plain(pages[rules, lang], lang=lang, view=view).splitlines():
        assert cell_len(line) <= WIDTH, line


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_what_identifies_a_row_and_its_judgement_stay(pages, lang):
    """However short the room: names, price, fair price and their ratio, whole, and no number is cut."""
    page = pages["doithuong", lang]
    shown = grids(page, lang)["prices"]
    text = plain(page, lang=lang, view=("prices",))
    at = [shown.headings.index(heading) for heading in shown.headings if not heading.leave]
    assert len(at) == 4
    for row in shown.rows:
        for cell in (row[place] for place in at):
            assert all(word in text for word in cell.split()), cell


def test_verdicts_are_said_first_those_beyond_a_threshold_with_a_mark(pages):
    lines = plain(pages["doithuong", "en"]).splitlines()
    assert lines[0].startswith("– Seats are alike and money sums to zero: every list is fair on average.")
    assert any(
        line.startswith("▲ 13 of 28 pairs stand in the wrong order; the worst: Run of 5 pairs") for line in lines
    )
    assert any(line.startswith("– ") for line in lines)
    assert "▲ regular game: Four 2s costs 3" in plain(pages["luckywin_points", "en"])


@pytest.mark.parametrize("rules", [name for name in tlsim.list_rules() if name != "tong_thong"])
def test_a_price_list_fits_a_screen(rules):
    """At 80 columns, in both languages: what is wrong before all tables, and no more than 52 lines."""
    fairness = tlsim.payout_fairness(rules, games=1200)
    for lang in ("vi", "en"):
        lines = rendered(fairness.page(lang=lang), Asked(lang=lang), 80).splitlines()
        assert len(lines) <= 52, "\n".join(lines)
        marked = [at for at, line in enumerate(lines) if line.startswith("▲")]
        assert len(marked) >= len(fairness.findings)
        assert not marked or marked[-1] < lines.index("")


def test_notes_say_what_numbers_rest_on(pages):
    words = " ".join(plain(pages["doithuong", "en"]).split())
    assert "judged at its best moment" not in words  # its view is not shown
    whole = " ".join(plain(pages["doithuong", "en"], view=("all",)).split())
    assert "Going out with 3♠: judged at its best moment" in whole
    assert "what things cost and bring, the spread by reason, the rake on games" in whole
    assert "240 simulated games, policies lowest" in words
    assert "rake 0.05" in words
    assert "these rules have no instant win here" in plain(pages["tong_thong", "en"])


def test_what_there_is_more_is_named(pages):
    words = " ".join(plain(pages["doithuong", "en"]).split())
    assert "There is more: --view summary | notions | rake | verdicts | items | risks | ket_3_bich" in words
    assert "2s, bombs, 3♠" not in words


def test_errors_stand_behind_their_means_to_the_same_digit(pages):
    for row in grids(pages["doithuong", "en"], "en")["leading"].rows:
        value, error = re.fullmatch(r"([+-][\d.]+) ± ([\d.]+)", row[1]).groups()
        assert len(value.partition(".")[2]) == len(error.partition(".")[2])


def test_an_interval_stands_behind_its_mean(pages):
    page = pages["doithuong", "en"]
    assert headings(page, "leading")[1:] == ["mean", "joint 95% interval", "ahead of the mean of the others"]
    assert headings(page, "seats")[3:] == ["mean", "joint 95% interval"]
    assert headings(page, "skill")[2:4] == ["mean", "95% interval"]
    assert headings(page, "direction")[-2:] == ["difference", "joint 95% interval"]


def test_numbers_of_games_have_their_interval(pages):
    (row,) = grids(pages["doithuong", "en"], "en")["skill"].rows
    assert [bool(re.fullmatch(r"[\d,]+ \([\d,]+ … ([\d,]+|∞)\)", cell)) for cell in row].count(True) in {0, 2}


def test_ids_are_put_in_words(pages):
    tables = grids(pages["doithuong", "en"], "en")
    assert tables["pairs"].rows[0][:2] == ("Run of 5 pairs", "12 cards of one suit")
    assert tables["pairs"].rows[1][:2] == ("Dragon straight", "12 cards of one suit")
    assert "strength and price" in tables["pairs"].rows[1]
    assert tables["rake"].rows[-1][0] == "whole list, mean of a win"
    assert tables["direction"].rows[-1][0] == "after less before him"
    assert tables["game_rake"].rows[-1][0] == "whole table"
    assert [row[0] for row in tables["table_summary"].rows] == ["before", "after"]
    assert tables["ket_3_bich"].rows[0][:2] == ("all still playing", "✓")


def test_points_are_not_called_money(pages):
    english, vietnamese = (plain(pages["tong_thong", lang], lang=lang, view=("all",)) for lang in ("en", "vi"))
    assert headings(pages["tong_thong", "en"], "skill")[2:4] == ["above the table's mean", "95% interval"]
    assert "points per game" in english
    for absent in ("money per game", "above 0", "3♠", "cost and bring", "đếm heo"):
        assert absent not in english
    assert "điểm mỗi ván" in vietnamese
    assert "tiền mỗi ván" not in vietnamese
    assert "trên 0" not in vietnamese


def test_numbers_are_in_the_way_of_the_language(pages):
    text = plain(pages["doithuong", "vi"], lang="vi")
    assert re.search(r"\b1\.\d{3}\.\d{3}\b", text)  # 12 of a suit, at equal cost
    assert re.search(r"đắt gấp \d,\d+ lần", text)


def test_bounds_stand_where_nothing_is_exact(listed):
    rows = listed([("a", 1, (9, 11)), ("b", 1, (20, 20))]).rows()
    cells = [row[2] for row in grid(Table(views.PRICES, rows), "en").rows]
    assert cells == ["0.009000 … 0.01100", "0.02000"]


def test_a_reason_that_hardly_hangs_together_with_another_is_for_files(pages):
    (table,) = (table for table in pages["doithuong", "en"].tables if table.view.name == "covariances")
    assert any(abs(row["correlation"]) < 0.005 for row in table.rows)
    shown = grid(table, "en").rows
    assert len(shown) == sum(abs(row["correlation"]) >= 0.005 for row in table.rows)
    assert len(grid(table, "en", whole=True).rows) == len(table.rows)


def test_money_times_a_stake(pages):
    shown = {table.view.name: grid(table, "en", 5000) for table in pages["doithuong", "en"].tables}
    names = [heading.text for heading in shown["prices"].headings]
    assert shown["prices"].rows[0][names.index("price × 5,000")] == "45,000"
    assert "mean × 5,000" in [heading.text for heading in shown["leading"].headings]
    in_points = grid(pages["luckywin_points", "en"].tables[0], "en", 5000)
    assert not any("×" in heading.text for heading in in_points.headings)


def test_files_have_every_column_and_every_row(pages):
    page = pages["doithuong", "en"]
    found = json.loads(rendered(page, Asked("json")))["tables"]
    assert list(found)[:8] == ["prices", "pairs", "summary", "notions", "rake", "table", "table_summary", "verdicts"]
    for view in ALL:
        for row in found.get(view.name, ()):
            assert tuple(row) == view.keys
    assert "game_verdicts" not in found
    assert {row["list"] for row in found["verdicts"]} == {"regular", "all"}


def test_a_notebook_shows_verdicts_and_prices_and_plays_nothing():
    fairness = tlsim.payout_fairness("doithuong", games=10**9, judge_from=0)
    html = fairness._repr_html_()
    assert "13 of 28 pairs stand in the wrong order" in html
    assert html.count("<table>") == 2
    assert fairness.complete
    table = fairness.fair_table()._repr_html_()
    assert "old price" in table
    assert "method reordered" in table
