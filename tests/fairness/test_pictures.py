"""Pictures of whole games."""

import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness import PICTURES
from tlsim.plotting import new_axes, plot_amounts, plot_convergence, plot_flows, plot_means, save

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
    axes = fairness.plot(new_axes(12), lang=lang, view=view)
    assert inside(axes)
    save(axes.figure, tmp_path / "x.png")


@pytest.mark.parametrize("view", OF_GAMES)
def test_words_are_in_the_language(fairness, view):
    labels = {lang: fairness.plot(new_axes(12), lang=lang, view=view).get_xlabel() for lang in ("vi", "en")}
    assert labels["vi"] != labels["en"]


def test_money_by_reason(fairness):
    axes = fairness.plot(new_axes(12), lang="en", view="reasons")
    rows = {row["reason"]: row["money_per_game"] for row in fairness.rows("reasons") if row["money_per_game"]}
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == sorted(rows.values(), reverse=True)
    assert axes.get_yticklabels()[0].get_text() == "cards left"
    (bars,) = (c for c in axes.containers if c.__class__.__name__ == "ErrorbarContainer")
    low, high = bars.lines[2][0].get_segments()[0][:, 0]
    error = next(row["money_error"] for row in fairness.rows("reasons") if row["reason"] == "cards")
    assert high - low == pytest.approx(2 * 1.96 * error)


def test_who_pays_whom(fairness):
    """Every square has what its row pays its column; all of them are the money of the game."""
    axes = fairness.plot(new_axes(12), lang="en", view="flows")
    shown = axes.images[0].get_array()
    assert shown.sum() == pytest.approx(sum(row["money_per_game"] or 0 for row in fairness.rows("reasons")))
    nets = [row["mean"] for row in fairness.played.stats.rows("seats")]
    assert (shown.sum(axis=0) - shown.sum(axis=1)).tolist() == pytest.approx(nets)
    assert [text.get_text() for text in axes.texts][:6:5] == ["–", "–"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"seat {seat}: {policy}" for seat, policy in enumerate(("smart", "lowest", "lowest", "smart"))
    ]


@pytest.mark.parametrize(("view", "first"), [("seats", "nhà 0: smart"), ("leading", "đi đầu")])
def test_means_have_joint_intervals(fairness, view, first):
    axes = fairness.plot(new_axes(12), lang="vi", view=view)
    rows = [row for row in fairness.rows(view) if view == "leading" or (row["group"], row["which"]) == ("seat", "all")]
    (segments,) = (c.get_segments() for c in axes.collections)
    for row, ends in zip(rows, segments, strict=True):
        assert ends[:, 0].tolist() == pytest.approx([row["ci_low"], row["ci_high"]])
    assert axes.get_yticklabels()[0].get_text() == first
    assert "khoảng 95 % chung" in axes.get_xlabel()


def test_the_estimate_ends_where_the_table_says(fairness):
    axes = fairness.plot(new_axes(12), lang="vi", view="convergence")
    (row,) = fairness.rows("skill")
    line = axes.lines[0]
    assert line.get_ydata()[-1] == pytest.approx(row["mean"])
    assert line.get_xdata()[-1] == sum(games.games for games in fairness.played.contests)
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert band.max() >= row["ci_high"]
    assert axes.get_title(loc="left").splitlines() == [
        "smart giữa các lowest: ước lượng dần ổn định", f"{tlsim.load_rules('doithuong').label}, 4 nhà",
    ]  # fmt: skip


def test_every_picture_says_of_what_it_is(fairness):
    for view in OF_GAMES[:-1]:
        title = fairness.plot(new_axes(12), lang="en", view=view).get_title(loc="left").splitlines()
        assert title[0]
        assert title[1:] == [f"{tlsim.load_rules('doithuong').label}, 4 seats", "smart,lowest,lowest,smart"]


def test_points_settle_where_the_table_says():
    """Points do not sum to zero: what counts is how far above the table's mean the better player is."""
    fairness = tlsim.payout_fairness("tong_thong", games=48)
    axes = fairness.plot(new_axes(6), view="convergence")
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(fairness.rows("skill")[0]["mean"])
    assert not fairness.plot(new_axes(6), view="flows").has_data()  # nobody pays anybody


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: plot_flows(ax, NAMES, [[0, 1.5, 2], [0.1, 0, 3], [100, 2000, 0]], "$", "vi"),
        lambda ax: plot_convergence(ax, [10, 20], [(1.0, 0.5), (1.2, 0.3)], "$", "vi", title="$x$"),
        lambda ax: plot_amounts(ax, NAMES, [1, 2, 3], "$", "vi", errors=[0.1, None, 2]),
        lambda ax: plot_means(
            ax, NAMES, [1, -2, 3], [0.1, None, 2], "$", "vi", reach=2.5, interval="interval_together"
        ),
    ],
)
def test_long_names_and_dollars(draw):
    assert inside(draw(new_axes(6)))


def test_figures_can_be_read_on_the_darkest_square():
    """Black on the darkest gray that there is: a contrast of 7 to 1, as WCAG 2 asks at its best level (1.4.6)."""
    axes = plot_flows(new_axes(6), NAMES, [[0, 9, 1], [1, 0, 1], [1, 1, 0]], "x", "en")
    image = axes.images[0]
    red, green, blue, _ = image.cmap(image.norm(9.0))
    light = sum(
        weight * ((value + 0.055) / 1.055) ** 2.4 for weight, value in ((0.2126, red), (0.7152, green), (0.0722, blue))
    )
    assert (light + 0.05) / 0.05 > 7


def test_unknown_picture(fairness):
    with pytest.raises(UsageError, match=r"view = 'flow': must be one of prices, .*; did you mean 'flows'"):
        fairness.plot(view="flow")


def test_pictures_of_games_take_games():
    with pytest.raises(UsageError, match="takes simulated games"):
        tlsim.payout_fairness("tong_thong", games=0).plot(view="flows")


def test_points_have_pictures_too():
    fairness = tlsim.payout_fairness("tong_thong", games=48)
    for view in OF_GAMES:
        assert inside(fairness.plot(new_axes(6), lang="vi", view=view))
