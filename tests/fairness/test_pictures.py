"""Pictures of whole games."""

import numpy as np
import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness.drawing import PICTURES
from tlsim.plotting.axes import new_axes, save
from tlsim.plotting.lines import plot_convergence, plot_squares
from tlsim.plotting.rows import Marks, plot_amounts, plot_rows

NAMES = ["nhà 0: smart[hold_3s=1]", "nhà 1: rollout[n=50,declare=0]", "nhà 2: $a$"]
OF_GAMES = [view for view in PICTURES if view != "prices"]


@pytest.fixture(scope="module")
def fairness():
    return tlsim.payout_fairness("doithuong", games=480, policies="smart,lowest,lowest,smart", opening=True)


def inside(axes):
    figure = axes.figure
    figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    box = figure.get_tightbbox()
    return box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01


@pytest.mark.parametrize("lang", ["vi", "en"])
@pytest.mark.parametrize("view", OF_GAMES)
def test_nothing_is_clipped(fairness, view, lang, tmp_path):
    axes = fairness.plot(new_axes(), lang=lang, view=view)
    assert inside(axes)
    save(axes.figure, tmp_path / "x.png")


@pytest.mark.parametrize("view", OF_GAMES)
def test_words_are_in_the_language(fairness, view):
    labels = {lang: fairness.plot(new_axes(), lang=lang, view=view).get_xlabel() for lang in ("vi", "en")}
    assert labels["vi"] != labels["en"]


def test_money_by_reason(fairness):
    axes = fairness.plot(new_axes(), lang="en", view="reasons")
    rows = {row["reason"]: row["money_per_game"] for row in fairness.rows("reasons") if row["money_per_game"]}
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == sorted(rows.values(), reverse=True)
    assert axes.get_yticklabels()[0].get_text() == "cards left"
    (bars,) = (c for c in axes.containers if c.__class__.__name__ == "ErrorbarContainer")
    low, high = bars.lines[2][0].get_segments()[0][:, 0]
    assert axes.child_axes[0].get_yticklabels()[0].get_text().startswith(f"{widths[0]:.1f}")
    error = next(row["money_error"] for row in fairness.rows("reasons") if row["reason"] == "cards")
    assert high - low == pytest.approx(2 * 1.96 * error)


def test_who_pays_whom(fairness):
    """Every square has what its row pays its column; all of them are the money of the game."""
    axes = fairness.plot(new_axes(), lang="en", view="flows")
    texts = [text.get_text() for text in axes.texts[:16]]
    assert texts[::5] == ["–"] * 4
    paid = np.array([0.0 if text == "–" else float(text) for text in texts]).reshape(4, 4)
    assert paid.sum() == pytest.approx(sum(row["money_per_game"] or 0 for row in fairness.rows("reasons")), rel=0.01)
    nets = [row["mean"] for row in fairness.played.stats.rows("seats")]
    assert (paid.sum(axis=0) - paid.sum(axis=1)).tolist() == pytest.approx(nets, abs=0.05)
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"seat {seat}: {policy}" for seat, policy in enumerate(("smart", "lowest", "lowest", "smart"))
    ]


@pytest.mark.parametrize(("view", "first"), [("seats", "nhà 0: smart"), ("leading", "đi đầu")])
def test_means_have_joint_intervals(fairness, view, first):
    axes = fairness.plot(new_axes(), lang="vi", view=view)
    rows = [row for row in fairness.rows(view) if view == "leading" or (row["group"], row["which"]) == ("seat", "all")]
    segments = axes.containers[0].lines[2][0].get_segments()
    for row, ends in zip(rows, segments, strict=True):
        assert ends[:, 0].tolist() == pytest.approx([row["ci_low"], row["ci_high"]])
    assert axes.get_yticklabels()[0].get_text() == first
    assert "khoảng 95% chung" in axes.get_xlabel()


def test_the_estimate_ends_where_the_table_says(fairness):
    axes = fairness.plot(new_axes(), lang="vi", view="convergence")
    (row,) = fairness.rows("skill")
    line = axes.lines[0]
    assert line.get_ydata()[-1] == pytest.approx(row["mean"])
    assert line.get_xdata()[-1] == sum(games.games for games in fairness.played.answer("skill").found[:4])
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert band.max() >= row["ci_high"]
    label = tlsim.load_rules("doithuong").label
    assert axes.get_title(loc="left") == f"{label}: smart giữa các lowest: ước lượng dần ổn định"
    assert axes.texts[-1].get_text() == "luật doithuong · số nhà 4 · ván khởi đầu ✓ · số ván 480 · hạt giống 0"


def test_every_picture_says_of_what_it_is(fairness):
    for view in OF_GAMES[:-1]:
        axes = fairness.plot(new_axes(), lang="en", view=view)
        assert axes.get_title(loc="left").startswith(f"{tlsim.load_rules('doithuong').label}: ")
        assert axes.texts[-1].get_text().replace("\n", " ") == (
            "rules doithuong · players 4 · opening game ✓ · policies smart,lowest,lowest,smart · games 480 · seed 0"
        )


def test_points_settle_where_the_table_says():
    """Points do not sum to zero: what counts is how far above the table's mean the better player is."""
    fairness = tlsim.payout_fairness("tong_thong", games=48)
    axes = fairness.plot(new_axes(), view="convergence")
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(fairness.rows("skill")[0]["mean"])
    assert not fairness.plot(new_axes(), view="flows").has_data()  # nobody pays anybody


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: plot_squares(ax, NAMES, NAMES, [[(1.5, "1")] * 3] * 3, ("$", "$")),
        lambda ax: plot_convergence(ax, [10, 20], [(1.0, 0.5), (1.2, 0.3)], "$", "$1 ± 2$", "vi"),
        lambda ax: plot_amounts(ax, NAMES, [1, 2, 3], "$", "vi", ["1", "2", "$3$"], errors=[0.1, None, 2]),
        lambda ax: plot_rows(ax, NAMES, [Marks("$", [1, -2, 3], [(0, 2), None, (1, 5)])], "$", "vi"),
    ],
)
def test_long_names_and_dollars(draw):
    assert inside(draw(new_axes()))


def test_unknown_picture(fairness):
    with pytest.raises(UsageError, match=r"view = 'flow': must be one of prices, .*; did you mean 'flows'"):
        fairness.plot(view="flow")


def test_pictures_of_games_take_games():
    with pytest.raises(UsageError, match="takes simulated games"):
        tlsim.payout_fairness("tong_thong", games=0).plot(view="flows")


def test_points_have_pictures_too():
    fairness = tlsim.payout_fairness("tong_thong", games=48)
    for view in OF_GAMES:
        assert inside(fairness.plot(new_axes(), lang="vi", view=view))
