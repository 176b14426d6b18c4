"""Pictures."""

import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.plotting import (
    Line,
    check_name,
    new_axes,
    plot_by_strength,
    plot_calls,
    plot_matrix,
    plot_money,
    plot_odds,
    plot_runs,
    save,
)  # fmt: skip
from tlsim.results.games import PICTURES

NAMES = ["Thùng phá sảnh (sảnh rồng đồng hoa)", "3 đôi thông có 3♠", "$a$ 6 đôi"]
EXACT = [6.6e-11, 5e-3, 4.5e-3]
ESTIMATE = [0.0, 5.1e-3, 4.4e-3]
INTERVALS = [(0.0, 3.7e-6), (4.9e-3, 5.3e-3), (4.2e-3, 4.6e-3)]


def drawn(**more):
    options = {"exact": EXACT, "estimate": ESTIMATE, "intervals": INTERVALS, "lang": "vi"} | more
    return plot_odds(new_axes(len(NAMES)), NAMES, **options)


def texts(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_names_and_scale():
    axes = drawn(title="Tiến lên đổi thưởng")
    assert [label.get_text() for label in axes.get_yticklabels()] == NAMES
    assert axes.get_xscale() == "log"
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first is on top
    assert axes.get_title(loc="left") == "Tiến lên đổi thưởng"
    assert axes.child_axes[0].get_yticklabels()[1].get_text() == "1 trong 200"


def test_exact_and_simulated_differ_in_shape():
    axes = drawn()
    assert sorted(texts(axes)) == sorted(["chính xác", "mô phỏng, khoảng tin cậy 95 %", "không gặp: cận trên"])
    exact, unseen = (group.get_paths()[0].vertices for group in (axes.collections[0], axes.collections[-1]))
    assert exact.shape != unseen.shape or not (exact == unseen).all()
    assert axes.lines[0].get_marker() == "o"


def test_english():
    axes = drawn(lang="en")
    assert "exact" in texts(axes)
    assert axes.get_xlabel() == "probability per hand (log scale)"


def test_everything_lies_inside_the_picture():
    figure = drawn(title="Tiến lên đổi thưởng").figure
    figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox()
    assert box.x0 >= -0.01
    assert box.y0 >= -0.01
    assert box.x1 <= width + 0.01
    assert box.y1 <= height + 0.01


def test_exact_alone():
    assert texts(drawn(estimate=None, intervals=None)) == ["chính xác"]


def test_what_is_impossible_is_left_out():
    axes = drawn(exact=[0.0, 5e-3, 4.5e-3])
    assert axes.child_axes[0].get_yticklabels()[0].get_text() == "–"
    axes.figure.draw_without_rendering()


def test_nothing_but_impossible(tmp_path):
    save(drawn(exact=[0.0] * 3, estimate=None, intervals=None).figure, tmp_path / "x.png")


def test_empty(tmp_path):
    axes = plot_odds(new_axes(0), [], exact=[], estimate=[], intervals=[], lang="en")
    assert "no instant win" in axes.texts[0].get_text()
    save(axes.figure, tmp_path / "x.png")


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


# Calls of Sâm, titles

STEPS = [Line("smart", [0.325, 0.875], [0.4, 0.9], [(0.2, 0.6), (0.8, 0.95)]),
         Line("rollout[n=50]", [0.875], [1.0], [(0.7, 1.0)])]  # fmt: skip


def words_of(axes):
    legend = axes.get_legend()
    return [text.get_text() for text in [*axes.texts, *(legend.get_texts() if legend else ())]]


def test_calls_by_strength():
    axes = plot_calls(new_axes(10), STEPS, 0.5, "vi")
    assert words_of(axes) == ["hòa vốn 50 %", "đúng như ước lượng", "smart", "rollout[n=50]"]
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
    assert "hòa" not in " ".join(words_of(plot_calls(new_axes(10), STEPS, None, "vi")))


def test_differences_by_strength():
    axes = plot_by_strength(new_axes(10), [0.325, 0.875], [-3.0, 2.0], [0.5, None], "difference (lá)", "en")
    assert axes.containers[0].lines[0].get_xydata().tolist() == [[0.325, -3.0]]
    low, high = axes.containers[0].lines[1]
    assert (low.get_ydata()[0], high.get_ydata()[0]) == (pytest.approx(-3.98), pytest.approx(-2.02))
    assert axes.collections[-1].get_offsets().tolist() == [[0.875, 2.0]]  # without an error: hollow
    assert any(set(line.get_ydata()) == {0} for line in axes.lines)
    assert axes.get_ylabel() == "difference (lá), 95 % interval"


def test_a_matrix_of_titles():
    cells = [[(0.75, 0.01), (0.25, None)], [(None, None), (0.0, None)]]
    axes = plot_matrix(new_axes(2), ["Tổng thống", "Dân nghèo"], cells, "tỉ lệ (%)", "vi")
    assert [text.get_text() for text in axes.texts] == ["75,0\n± 1", "25,0", "0,0"]
    assert [text.get_color() for text in axes.texts] == ["white", "black", "black"]
    assert axes.texts[1].get_position() == (1, 0)  # rows are from, columns to
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Tổng thống", "Dân nghèo"]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("danh hiệu ván trước", "danh hiệu ván sau")
    signed = plot_matrix(new_axes(2), ["a", "b"], [[(0.1, None), (-0.1, None)]] * 2, "", "en", signed=True)
    assert [text.get_text() for text in signed.texts[:2]] == ["+10.00", "-10.00"]


def test_runs_of_titles_differ_in_shape():
    lines = [Line(name, [1, 2, 12], [0.5, 0.4, 0.3], [(0.4, 0.6), (0.3, 0.5), (0.1, 0.7)]) for name in "abcde"]
    axes = plot_runs(new_axes(10), lines, 12, "en")
    drawn = [box.lines[0] for box in axes.containers]
    assert len({line.get_marker() for line in drawn}) == 5
    assert len({str(line._unscaled_dash_pattern) for line in drawn}) == 5
    assert axes.get_xticklabels()[-1].get_text() == "12+"
    assert words_of(axes) == list("abcde")


@pytest.mark.parametrize("draw", [
    lambda ax: plot_calls(ax, [], 0.5, "vi"), lambda ax: plot_matrix(ax, [], [], "", "vi"),
    lambda ax: plot_runs(ax, [], 12, "vi"), lambda ax: plot_by_strength(ax, [], [], [], "", "vi"),
])  # fmt: skip
def test_nothing_to_draw(draw, tmp_path):
    axes = draw(new_axes(5))
    assert words_of(axes) == ["không có gì để vẽ"]
    save(axes.figure, tmp_path / "x.png")


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
        assert len(pictures) == (6, 9, 2, 3)[number]
        for view in pictures:
            for lang in ("vi", "en"):
                axes = new_axes(10)
                assert result.plot(axes, view=view, lang=lang) is axes
                empty = view == "reasons" and number == 1  # points alone: nobody pays anybody
                assert bool({"nothing to draw", "không có gì để vẽ"} & set(words_of(axes))) == empty
            save(axes.figure, tmp_path / f"{number}_{view}.png")


def test_pictures_show_the_rows(special):
    sam, ladder, calls, titles = special
    drawn = [box.lines[0] for box in sam.plot(new_axes(9), "sam_calls").containers]
    bins = [row for row in sam.rows("sam_calls") if row["strength_to"] and row["success"] is not None]
    assert sorted(y for line in drawn for y in line.get_ydata()) == sorted(row["success"] for row in bins)
    texts = [text.get_text().partition("\n")[0] for text in ladder.plot(new_axes(9), "titles").texts]
    assert texts == [f"{100 * row['share']:.1f}" for row in ladder.rows("titles")]
    lines = ladder.plot(new_axes(9), "title_runs").containers
    kept = [row["share"] for row in ladder.rows("title_runs") if row["at_risk"] >= 25]
    assert [y for line in lines for y in line.lines[0].get_ydata()] == kept
    won = ladder.plot(new_axes(9), "match_wins")
    assert list(won.containers[0].lines[0].get_xdata()) == [row["share"] for row in ladder.rows("match_wins")]
    assert list(won.lines[0].get_xdata()) == [0.25, 0.25]
    gaps = titles.plot(new_axes(9), "title_worth").containers[0].lines[0].get_xdata()
    assert list(gaps) == [row["difference"] for row in titles.rows("title_worth")]
    gaps = calls.plot(new_axes(9), "sam_calls").containers[0].lines[0].get_ydata()
    known = [row for row in calls.rows("sam_calls") if row["strength_to"] and row["std_error"] is not None]
    assert list(gaps) == [row["difference"] for row in known]
    assert calls.plot(new_axes(9)).get_xlabel() == "difference (lá), 95 % interval"


def test_views_that_there_are_not(special):
    with pytest.raises(UsageError, match="sam_loc has no titles"):
        special[0].plot(view="titles")
    with pytest.raises(UsageError, match="must be one of seats, titles, title_worth; did you mean 'titles'"):
        special[3].plot(view="title")


def test_money_of_seats_is_told_apart_by_mark():
    """Amounts in halves, of which only whole ones come up: one mark for each that did, and none for the others."""
    shares = [[0.2, 0, 0.5, 0, 0.3], [0.1, 0, 0.6, 0, 0.3], [0.3, 0, 0.4, 0, 0.3], [0, 0, 0.7, 0, 0.3]]
    axes = plot_money(new_axes(8), [-1, -0.5, 0, 0.5, 1], shares, ["0: a", "1: a", "2: b", "3: b"], "cược", "en")
    assert len({line.get_marker() for line in axes.lines}) == 4
    assert {line.get_linestyle() for line in axes.lines} == {"None"}
    seen = [[y for y in line.get_ydata() if y == y] for line in axes.lines]  # noqa: PLR0124 (not a number)
    assert seen == [[0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.3, 0.4, 0.3], [0.7, 0.3]]
