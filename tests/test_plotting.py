"""Pictures."""

import math
from itertools import pairwise

import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.plotting.axes import COLOURS, PALE, check_name, new_axes, save, spoken, titled
from tlsim.plotting.lines import Line, plot_by_strength, plot_calls, plot_squares
from tlsim.plotting.rows import Marks, plot_money, plot_rows  # fmt: skip
from tlsim.results.game_stats import PICTURES

NAMES = ["Thùng phá sảnh (sảnh rồng đồng hoa)", "3 đôi thông có 3♠", "$a$ 6 đôi"]
EXACT = Marks("chính xác", [6.6e-11, 5e-3, 4.5e-3])
DEALT = Marks("mô phỏng", [0.0, 5.1e-3, 4.4e-3], [(0.0, 3.7e-6), (4.9e-3, 5.3e-3), (4.2e-3, 4.6e-3)])


def drawn(*kinds, **more):
    options = {"scale": "chance", "numbers": ["1 trong 15 tỉ", "1 trong 200", "–"]} | more
    return plot_rows(new_axes(), NAMES, kinds or (EXACT, DEALT), "xác suất", "vi", **options)


def names_of(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def right_of(axes):
    return [label.get_text() for label in axes.child_axes[0].get_yticklabels()]


def inside(axes):
    figure = axes.figure
    figure.draw_without_rendering()
    (width, height), box = figure.get_size_inches(), figure.get_tightbbox()
    return box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01


def luminance(colour):
    """Relative luminance of sRGB (WCAG 2)."""
    from matplotlib.colors import to_rgb

    parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one, two):
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_rows_have_names_and_numbers():
    axes = drawn()
    assert [label.get_text() for label in axes.get_yticklabels()] == NAMES
    assert right_of(axes) == ["1 trong 15 tỉ", "1 trong 200", "–"]
    assert axes.get_xscale() == "log"
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first is on top
    assert inside(titled(axes, "Tiến lên đổi thưởng", ["luật doithuong", "hạt giống 7"]))


def test_kinds_differ_in_shape_and_filling():
    """So that a picture in black and white tells them apart."""
    exact, dealt = (box.lines[0] for box in drawn().containers)
    assert exact.get_marker() != dealt.get_marker()
    assert (exact.get_markerfacecolor(), dealt.get_markerfacecolor()) == (COLOURS[0], "white")
    assert sorted(names_of(drawn())) == sorted(["chính xác", "mô phỏng", "không gặp: cận trên"])
    assert drawn(EXACT).get_legend() is None  # of one kind there is nothing to tell apart
    assert contrast(COLOURS[0], PALE) > 2
    assert all(contrast(colour, "white") > 3 for colour in COLOURS if colour != COLOURS[3])


def test_marks_stand_where_they_should():
    axes = drawn()
    exact, dealt = axes.containers
    assert list(exact.lines[0].get_xdata()) == EXACT.at
    assert list(dealt.lines[0].get_xdata()) == DEALT.at[1:]  # of what was never seen an arrow at the upper end
    assert axes.collections[-1].get_offsets()[:, 0].tolist() == [3.7e-6]
    assert dealt.lines[2][0].get_segments()[0][:, 0].tolist() == pytest.approx([4.9e-3, 5.3e-3])
    assert drawn(Marks("", [None, 5e-3, 4.5e-3])).containers[0].lines[0].get_xdata().tolist() == [5e-3, 4.5e-3]


def test_chances_have_whole_powers_of_ten_at_their_ends():
    """Also where all are nearly alike: one decade at least, so that nothing looks far apart that is not."""
    low, high = drawn(Marks("", [2.6e-3, 5e-3, 4.5e-3])).get_xlim()
    assert (low, high) == (1e-3, 1e-2)
    assert drawn(Marks("", [0.9, 1.0, 0.2])).get_xlim() == pytest.approx((0.1, 10**0.05))


def test_a_level_line_only_near_the_marks():
    lines = [axes for level in (0.0, 40.0) for axes in [drawn(Marks("", [39, 41, 42.0]), scale="linear", level=level)]]
    assert [[list(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "--"] for axes in lines] == [
        [], [[40, 40]],
    ]  # fmt: skip


def test_joined_rows_have_their_numbers_at_the_ends():
    """Also where both prices are the same, and where one is missing."""
    price, fair = Marks("giá", [9, 3, 3], texts=["9", "3", "3"]), Marks("công bằng", [6, 3, None], texts=["6", "3", ""])
    axes = drawn(price, fair, scale="price", joined=True)
    said = {text.get_text(): text for text in axes.texts}
    assert said["9"].get_ha() == "left"
    assert said["6"].get_ha() == "right"
    low, high = axes.get_xlim()
    assert low < 3
    assert high > 9
    assert inside(axes)


def test_a_list_of_equal_prices_is_no_line():
    equal = Marks("giá", [3, 3, 3], texts=["3"] * 3)
    low, high = drawn(equal, scale="price", joined=True).get_xlim()
    assert high / low > 4


def test_nothing_but_impossible(tmp_path):
    axes = drawn(Marks("", [None] * 3), numbers=["–"] * 3)
    assert right_of(axes) == ["–"] * 3
    save(axes.figure, tmp_path / "x.png")


def test_empty(tmp_path):
    axes = plot_rows(new_axes(), [], [], "", "en", empty="no_list")
    assert "no instant win" in axes.texts[0].get_text()
    save(axes.figure, tmp_path / "x.png")


def test_the_picture_is_as_high_as_its_rows():
    """A picture of ours takes the size of what is drawn; one that somebody made keeps its own."""
    few, many = (
        plot_rows(new_axes(), list(names), [Marks("", [1.0] * len(names))], "", "en") for names in ("ab", "x" * 30)
    )
    assert few.figure.get_figheight() < 3
    assert 8 < many.figure.get_figheight() < 12
    from matplotlib.figure import Figure

    own = Figure(figsize=(3, 2)).subplots()
    assert plot_rows(own, ["a"], [Marks("", [1.0])], "", "en").figure.get_size_inches().tolist() == [3, 2]


@pytest.mark.parametrize(("name", "start"), [("x.png", b"\x89PNG"), ("x.PDF", b"%PDF"), ("x.svg", b"<?xml")])
def test_save(tmp_path, name, start):
    save(drawn().figure, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["x.doc", "x", ".png", "x.pn g"])
def test_unknown_format(name):
    with pytest.raises(UsageError, match=r"must end in one of .*\.png"):
        check_name(name)


def test_unwritable(tmp_path):
    with pytest.raises(UsageError, match=r"cannot write .*x\.png"):
        save(drawn().figure, tmp_path / "no" / "x.png")


# Calls of Sâm, squares

STEPS = [Line("smart", [0.325, 0.875], [0.4, 0.9], [(0.2, 0.6), (0.8, 0.95)]),
         Line("rollout[n=50]", [0.875], [1.0], [(0.7, 1.0)])]  # fmt: skip


def words_of(axes):
    legend = axes.get_legend()
    return [text.get_text() for text in [*axes.texts, *(legend.get_texts() if legend else ())]]


def test_calls_by_strength():
    axes = plot_calls(new_axes(), STEPS, 0.5, "vi")
    assert words_of(axes) == ["đúng như ước lượng", "hòa vốn 50%", "smart", "rollout[n=50]"]
    assert "sức bài" in axes.get_xlabel()
    first, second = (container.lines[0] for container in axes.containers)
    assert first.get_ydata().tolist() == [0.4, 0.9]
    assert first.get_xdata() == pytest.approx([0.325, 0.875], abs=0.005)
    low, high = axes.containers[0].lines[1]
    assert (low.get_ydata().tolist(), high.get_ydata().tolist()) == ([0.2, 0.8], [0.6, 0.95])
    assert (first.get_marker(), first.get_linestyle()) != (second.get_marker(), second.get_linestyle())
    level = next(line for line in axes.lines if list(line.get_ydata()) == [0.5, 0.5])
    assert level.get_linestyle() != "-"
    diagonal = next(line for line in axes.lines if list(line.get_xdata()) == list(line.get_ydata()) == [0, 1])
    assert diagonal.get_label() == "đúng như ước lượng"
    assert "hòa" not in " ".join(words_of(plot_calls(new_axes(), STEPS, None, "vi")))


def test_differences_by_strength():
    axes = plot_by_strength(new_axes(), [0.325, 0.875], [-3.0, 2.0], [0.5, None], "difference (lá)", "en")
    assert axes.containers[0].lines[0].get_xydata().tolist() == [[0.325, -3.0]]
    low, high = axes.containers[0].lines[1]
    assert (low.get_ydata()[0], high.get_ydata()[0]) == (pytest.approx(-3.98), pytest.approx(-2.02))
    assert axes.collections[-1].get_offsets().tolist() == [[0.875, 2.0]]  # without an error: hollow
    assert any(set(line.get_ydata()) == {0} for line in axes.lines)
    assert axes.get_ylabel() == "difference (lá), 95% interval"


def test_squares_show_their_sign_without_colour():
    """+26 and -21 are nearly as dark; what is below zero is hatched."""
    cells = [[(0.26, "+26%"), (-0.21, "-21%")], [(None, ""), (0.0, "0%")]]
    axes = plot_squares(new_axes(), ["Tổng thống", "Dân nghèo"], ["a", "b"], cells, ("sau", "trước"))
    assert [text.get_text() for text in axes.texts] == ["+26%", "-21%", "", "0%"]
    assert axes.texts[1].get_position() == (1, 0)  # rows are from, columns to
    assert [patch.get_xy() for patch in axes.patches if patch.get_hatch()] == [(0.5, -0.5)]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Tổng thống", "Dân nghèo"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("sau", "trước")
    faces = [patch.get_facecolor()[:3] for patch in axes.patches if patch.get_fill()]
    assert all(contrast(face, "black") > 7 for face in faces)  # as WCAG 2 asks at its best level (1.4.6)
    assert luminance(faces[0]) < luminance(faces[1]) < luminance(faces[-1])


@pytest.mark.parametrize("draw", [
    lambda ax: plot_calls(ax, [], 0.5, "vi"), lambda ax: plot_rows(ax, [], [], "", "vi"),
    lambda ax: plot_money(ax, [], [], [], "", "vi"), lambda ax: plot_by_strength(ax, [], [], [], "", "vi"),
])  # fmt: skip
def test_nothing_to_draw(draw, tmp_path):
    axes = draw(new_axes())
    assert words_of(axes) == ["không có gì để vẽ"]
    save(axes.figure, tmp_path / "x.png")


def test_numbers_are_in_the_way_of_the_language():
    shown = {}
    for lang in ("en", "vi"):
        axes = plot_rows(new_axes(), ["n=1.5", "b"], [Marks("", [0.25, 1.5])], "x", lang)
        spoken(spoken(axes, lang), lang)  # once more changes nothing
        axes.figure.draw_without_rendering()
        shown[lang] = [[text.get_text() for text in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis)]
    assert shown["vi"][0] == [text.replace(".", ",") for text in shown["en"][0]]
    assert any("." in text for text in shown["en"][0])
    assert shown["vi"][1] == shown["en"][1] == ["n=1.5", "b"]


@pytest.fixture(scope="module")
def special():
    rules = tlsim.load_rules("tong_thong")
    sam, other = (tlsim.simulate("sam_loc", games=1200, policies=p, seed=1) for p in ("smart[sam=1],smart,smart,smart",
                                                                                    "smart"))  # fmt: skip
    ladder, without = (tlsim.simulate(each, games=1200, policies="smart", seed=1)
                       for each in (rules, rules.replace("president.exchange", [])))  # fmt: skip
    return sam, ladder, tlsim.compare(sam, other), tlsim.compare(ladder, without)


def test_every_view_is_drawn(special, tmp_path):
    for number, result in enumerate(special):
        pictures = [view for view in result.views if number > 1 or view in PICTURES]
        assert len(pictures) == (6, 9, 3, 4)[number]
        for view in pictures:
            for lang in ("vi", "en"):
                axes = new_axes()
                assert result.plot(axes, view=view, lang=lang) is axes
                empty = view == "reasons" and number in (1, 3)  # points alone: nobody pays anybody
                assert bool({"nothing to draw", "không có gì để vẽ"} & set(words_of(axes))) == empty
            save(axes.figure, tmp_path / f"{number}_{view}.png")


def test_pictures_show_the_rows(special):
    sam, ladder, calls, titles = special
    drawn = [box.lines[0] for box in sam.plot(new_axes(), "sam_calls").containers]
    bins = [row for row in sam.rows("sam_calls") if row["strength_to"] and row["success"] is not None]
    assert sorted(y for line in drawn for y in line.get_ydata()) == sorted(row["success"] for row in bins)
    texts = [text.get_text().partition("%")[0] for text in ladder.plot(new_axes(), "titles").texts[:-1]]
    shares = [100 * row["share"] for row in ladder.rows("titles")]
    assert list(map(float, filter(None, texts))) == pytest.approx(shares, abs=0.06)
    kept = [100 * row["share"] for row in ladder.rows("title_runs") if row["at_risk"] >= 25]
    texts = [text.get_text().partition("%")[0] for text in ladder.plot(new_axes(), "title_runs").texts[:-1]]
    assert list(map(float, filter(None, texts))) == pytest.approx(kept, abs=0.6)
    won = ladder.plot(new_axes(), "match_wins")
    assert list(won.containers[0].lines[0].get_xdata()) == [row["share"] for row in ladder.rows("match_wins")]
    assert [list(line.get_xdata()) for line in won.lines if line.get_linestyle() == "--"] == [[0.25, 0.25]]
    gaps = titles.plot(new_axes(), "title_worth").containers[0].lines[0].get_xdata()
    assert list(gaps) == [row["difference"] for row in titles.rows("title_worth")]
    gaps = calls.plot(new_axes(), "sam_calls").containers[0].lines[0].get_ydata()
    known = [row for row in calls.rows("sam_calls") if row["strength_to"] and row["std_error"] is not None]
    assert list(gaps) == [row["difference"] for row in known]
    assert calls.plot(new_axes()).get_xlabel() == "difference (lá), 95% interval"


def test_a_title_says_what_and_of_what(special):
    """Rules, players, policies, games and seed; of a difference what it is held against."""
    sam, _, calls, _ = special
    axes = sam.plot(new_axes(), "seats", lang="vi")
    assert axes.get_title(loc="left") == "Từng nhà được bao nhiêu"
    assert axes.texts[-1].get_text().replace("\n", " ") == (
        "luật sam_loc · số nhà 4 · cách đánh smart[sam=1],smart,smart,smart · số ván 1.200 · hạt giống 1"
    )
    assert "against smart" in calls.plot(new_axes(), lang="en").texts[-1].get_text()


def test_views_that_there_are_not(special):
    with pytest.raises(UsageError, match="sam_loc has no titles"):
        special[0].plot(view="titles")
    with pytest.raises(UsageError, match="must be one of seats, reasons, titles, title_worth; did you mean 'titles'"):
        special[3].plot(view="title")


def test_each_seat_has_the_shape_of_its_money():
    """A bar for each amount, all seats on one scale, gains dark and losses pale, and the mean below."""
    shares = [[0.2, 0, 0.5, 0, 0.3], [0.1, 0, 0.7, 0, 0.2]]
    axes = plot_money(new_axes(), ["0: a", "1: b"], [-1, -0.5, 0, 0.5, 1], shares, "cược", "en")
    assert right_of(axes) == ["▲ mean +0.1\nahead 30%", "▲ mean +0.1\nahead 20%"]
    bars = [[patch for patch in axes.patches if patch.get_y() == seat and patch.get_height()] for seat in (0, 1)]
    heights = [[-patch.get_height() for patch in seat] for seat in bars]
    assert [[height / heights[1][1] for height in seat] for seat in heights] == [
        pytest.approx([2 / 7, 5 / 7, 3 / 7]), pytest.approx([1 / 7, 1, 2 / 7]),
    ]  # fmt: skip
    pale, _, dark = (patch.get_facecolor()[:3] for patch in bars[0])
    assert luminance(pale) > 0.4
    assert luminance(dark) < 0.2
    assert all(heights[1][1] < 1 for _ in "x")  # no seat reaches into the one above


def test_many_amounts_are_put_together():
    """No bar has both gains and losses, and nothing is lost."""
    from tlsim.plotting.rows import _bars

    amounts = [x / 2 for x in range(-300, 301)]
    at, bars, width = _bars(amounts, [1 / 601] * 601)
    assert len(at) <= 61
    assert math.fsum(bars) == pytest.approx(1)
    assert sum(bar for x, bar in zip(at, bars, strict=True) if x > 0) == pytest.approx(300 / 601)
    assert bars[at.index(0)] == pytest.approx(1 / 601)
    assert len({round(b - a, 9) for a, b in pairwise(at) if a * b > 0}) == 1
    assert width == 5
