"""Pictures."""

import pytest

from tlsim.errors import UsageError
from tlsim.plotting import check_name, new_axes, plot_odds, save

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
