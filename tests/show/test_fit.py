"""Tables that fit: no number is ever cut, no row loses its name, and what is left out is named."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tlsim.show.cells import Grid, Heading, drawn, fit

WORDS = ["seat", "nhà", "mean", "trung bình mỗi ván", "cách đánh", "exact", "1 in", "simulated", "per opening game"]
NAMES = ["smart", "Thùng phá sảnh", "3 đôi thông có 3♠", "smart[hold_3s=1]", "any pattern", "A-2-3", ""]
NUMBERS = ["1,234,567,890", "+0.250 ± 0.013", "0", "0.0005812 ± 2.1e-05", "25.31 ± 0.12%", "-∞ … +0.5", "",
           "100.00% (98.2 … 100.0%)", "3.194e-09", "9"]  # fmt: skip
SENTENCES = ["declare: +27 a game against +11.6 by playing on, 15.2 more (95%: 12.4 … 18)", "3S 4D 5H 6C 7H 8D", ""]


@st.composite
def grids(draw):
    """A table whose first column names its rows; numbers and words in the others."""
    headings = [Heading(draw(st.sampled_from(WORDS)), False)]
    for _ in range(draw(st.integers(0, 9))):
        number = draw(st.booleans())
        leave, folds = draw(st.integers(0, 6)), not number and draw(st.booleans())
        headings.append(Heading(f"{draw(st.sampled_from(WORDS))} {len(headings)}", number, leave, folds))
    rows = []
    for at in range(draw(st.integers(1, 6))):
        kinds = (NUMBERS if each.number else SENTENCES if each.folds else NAMES for each in headings[1:])
        rows.append((f"{draw(st.sampled_from(NAMES))} {at}".strip(), *(draw(st.sampled_from(kind)) for kind in kinds)))
    return Grid("Tựa đề", tuple(headings), tuple(rows))


def screen(grid, fitted, width):
    """Return what a terminal of some width shows."""
    out = io.StringIO()
    console = Console(file=out, width=width, height=100, highlight=False, markup=False, emoji=False)
    for part in drawn(grid, fitted):
        console.print(part)
    return out.getvalue()


def whole_words(text):
    return " ".join(text.split())


@given(grids(), st.integers(40, 250), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_number_is_cut_no_row_loses_its_name_and_what_is_left_out_is_named(grid, width, wide):
    fitted = fit(grid, width, wide=wide)
    text = screen(grid, fitted, width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert 0 in fitted.columns
    left = set(range(len(grid.headings))) - set(fitted.columns)
    assert set(fitted.left_out) == {grid.headings[at].text for at in left}
    assert all(grid.headings[at].leave for at in left)
    assert not (wide and left)
    assert not (fitted.stacked and left)  # lines have room for all
    numbers = [at for at in fitted.columns if grid.headings[at].number]
    for row in grid.rows:
        for at in numbers:
            assert row[at] in whole_words(text) if fitted.stacked else any(row[at] in line for line in lines)
    if not fitted.stacked:
        assert sum(fitted.widths) + 2 * (len(fitted.widths) - 1) <= width
        body = lines[next(at for at, line in enumerate(lines) if line.startswith("─")) + 1 :]
        names = " ".join(line[: fitted.widths[0]] for line in body)
        assert whole_words(names) == whole_words(" ".join(row[0] for row in grid.rows))  # folded between words alone
    else:
        assert all(whole_words(row[0]) in whole_words(text) for row in grid.rows)


@given(grids())
@settings(max_examples=50, deadline=None)
def test_without_a_width_all_is_there_in_one_line_each(grid):
    fitted = fit(grid, None)
    assert (fitted.columns, fitted.left_out) == (tuple(range(len(grid.headings))), ())
    lines = screen(grid, fitted, 4000).splitlines()
    for row in grid.rows:
        assert any(all(cell in line for cell in row) for line in lines)


def test_the_least_needed_goes_first():
    headings = (Heading("name", False), Heading("a", True, 1), Heading("b", True, 5), Heading("c", True, 0))
    grid = Grid("t", headings, (("x", "1" * 12, "2" * 12, "3" * 12),))
    assert fit(grid, 60).left_out == ()
    assert fit(grid, 34).left_out == ("b",)
    assert fit(grid, 20).left_out == ("a", "b")
    assert not fit(grid, 20).stacked
    assert fit(grid, 10).stacked
    assert fit(grid, 20, wide=True).stacked


def test_numbers_stand_right_and_words_left():
    grid = Grid("t", (Heading("name", False), Heading("n", True)), (("a", "1"), ("b", "12,345")))
    lines = screen(grid, fit(grid, 40), 40).splitlines()
    one, many = (next(line for line in lines if line.startswith(word)) for word in "ab")
    assert one.rstrip().endswith("     1")
    assert many.rstrip().endswith("12,345")
    assert len(one.rstrip()) == len(many.rstrip())


def test_letters_of_two_cells_are_counted_as_two():
    grid = Grid("t", (Heading("name", False), Heading("n", True)), (("麻雀" * 4, "1"),))
    assert fit(grid, 40).widths[0] == 16


def test_an_empty_table_is_a_dash():
    assert screen(Grid("t", (Heading("n", True),), ()), fit(Grid("t", (Heading("n", True),), ()), 40), 40).split() == [
        "t", "–",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [1, 5, 12])
def test_a_screen_too_narrow_for_anything_still_shows_each_letter(width):
    grid = Grid("t", (Heading("name", False), Heading("n", True)), (("abc", "1,234"),))
    text = screen(grid, fit(grid, width), width)
    assert "abc1,234" in "".join(text.split()).replace("name:", "").replace("n:", "")


def test_one_cell_too_few_leaves_a_column_out():
    """Names of 4, numbers of 3 and 2 cells, and two gaps of 2: 13 cells."""
    headings = (Heading("name", number=False), Heading("n", number=True), Heading("x", number=True, leave=1))
    table = Grid("t", headings, (("abcd", "123", "45"),))
    assert fit(table, 13).columns == (0, 1, 2)
    assert (fit(table, 12).columns, fit(table, 12).left_out) == ((0, 1), ("x",))


def test_room_goes_to_the_tallest_heading_and_a_taller_one_than_four_lines_stacks():
    headings = (Heading("n", number=False), Heading("one two", number=True), Heading("a b c d e", number=True))
    grid = Grid("t", headings, (("x", "123", "1"),))
    least = 1 + 3 + 1 + 2 * 2
    assert fit(grid, least).stacked  # the last heading would have five lines
    assert fit(grid, least + 2).widths == (1, 3, 3)  # two lines, three
    assert fit(grid, least + 4).widths == (1, 3, 5)  # two lines each
