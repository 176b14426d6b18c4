"""`payout_fairness` as a whole: arguments, frames, rake, picture, notebook."""

from fractions import Fraction

import pytest
from matplotlib.text import Text
from small_lists import DEALS, SPADE, TINY

import tlsim
from tlsim.errors import RulesError, UsageError
from tlsim.fairness.swings import check_rake, rake_rows
from tlsim.fairness.views import VIEWS
from tlsim.plotting.axes import new_axes, save

# --- rake ---


def test_rake_of_a_list(listed):
    """Of four players three pay 2 in 10 deals of 1,000: 60 are won, 3 go to the house, each player loses 0.75."""
    one, whole = rake_rows(listed([("a", 2, 10)]), Fraction(1, 20))
    assert (one["received"], one["house"], one["left"]) == (6, 0.3, 5.7)
    assert (one["house_per_1000"], one["loss_per_1000"]) == (3, 0.75)
    assert {key: whole[key] for key in one if key != "pattern"} == {key: one[key] for key in one if key != "pattern"}


def test_rake_takes_from_the_mean_win(listed):
    """10 deals pay 3 · 2 and 30 pay 3 · 1: 150 are won in 40 wins."""
    rows = rake_rows(listed([("a", 2, 10), ("b", 1, 30)]), Fraction(1, 10))
    assert rows[-1]["pattern"] is None
    assert rows[-1]["received"] == 150 / 40
    assert rows[-1]["house_per_1000"] == 15 == sum(row["house_per_1000"] for row in rows[:-1])


@pytest.mark.parametrize(("rake", "left"), [(0, 6), (1, 0)])
def test_nothing_and_everything(listed, rake, left):
    assert rake_rows(listed([("a", 2, 10)]), check_rake(rake))[0]["left"] == left


@pytest.mark.parametrize("rake", [1.2, -0.01, float("nan"), True, "5%"])
def test_bad_rake(rake):
    with pytest.raises(UsageError, match="must be from 0 to 1 of what a winner gets"):
        check_rake(rake)


def test_without_rake_there_is_no_table_of_it(tiny):
    assert tlsim.payout_fairness(tiny(), players=2).rows("rake") == []
    frame = tlsim.payout_fairness(tiny(), players=2, rake=0.5).to_frame("rake")
    assert frame["loss_per_1000"].iloc[-1] == pytest.approx(1000 * 1266 / DEALS / 2 / 2)


# --- views ---


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
@pytest.mark.parametrize(("rules", "players"), [("doithuong", 4), ("tong_thong", 4), ("hue", 2)])
def test_frames_have_all_columns(rules, players, view):
    games = 12 if rules == "doithuong" else 0
    frame = tlsim.payout_fairness(rules, players, rake=0.05, games=games).to_frame(view.name)
    assert tuple(frame) == view.keys


HEO = """
[toi_trang]
count_heo = true
priority = "strength"
opening_list_mode = "one_list"
opening = []
regular = [
  { id = "co_3_bich", label = "Có 3♠", pays = 1, count_heo = true, all_of = [{ kind = "holds", cards = "3S" }] },
]
"""


def test_what_dem_heo_costs(tmp_path):
    """3♠ meets each of the four 2s in 2 deals of 2,652, and 2s are ½, ½, 1, 1: 6 is paid, a player's half of it is 3.

    Within six errors (a false alarm in 5·10⁸ lots of hands); a mean that is 9 % off would show (the error is 1.3 %).
    """
    file = tmp_path / "heo.toml"
    file.write_text(TINY.split("[toi_trang]")[0] + HEO, encoding="utf-8")
    row = tlsim.payout_fairness(file, players=2, games=0).rows("summary")[0]
    assert abs(row["heo_per_1000"] - 1000 * 3 / DEALS) < 6 * row["heo_error"]
    assert row["heo_error"] < 0.015 * row["heo_per_1000"]
    assert row["cost_per_1000"] == pytest.approx(1000 * SPADE / DEALS / 2 + row["heo_per_1000"])
    assert row["cost_error"] == pytest.approx(row["heo_error"])


def test_no_dem_heo_where_nothing_counts():
    assert tlsim.payout_fairness("zing").to_frame("summary")["heo_per_1000"].isna().all()


def test_unknown_view(tiny):
    with pytest.raises(UsageError, match=r"view = 'price': must be one of prices, summary, .*did you mean 'prices'"):
        tlsim.payout_fairness(tiny(), players=2).rows("price")


def test_findings_are_those_that_crossed(tiny):
    fairness = tlsim.payout_fairness(tiny(), players=2, tolerance=1)
    assert [verdict.kind for verdict in fairness.findings] == ["order", "dear", "cheap"]
    assert tlsim.payout_fairness(tiny(3, 1), players=2, tolerance=float("inf")).findings == ()


def test_without_a_list_there_is_nothing_to_find():
    for fairness in (tlsim.payout_fairness("tong_thong"), tlsim.payout_fairness("hue", opening=True)):
        assert fairness.rows() == []
        assert fairness.verdicts == ()
        assert "no instant win" in fairness._repr_html_()


@pytest.mark.parametrize(("name", "lacks"), [("hue", True), ("doithuong", False), ("luckywin", False)])
def test_an_opening_game_without_a_list_is_spoken_of(name, lacks):
    assert tlsim.payout_fairness(name).lacks_opening == lacks


def test_digest_and_players_are_known(tiny):
    about = tlsim.payout_fairness(tiny(), players=2).provenance
    assert (about.rules, about.players, about.unit) == ("tiny", 2, "cược")
    assert about.digest == tlsim.load_rules(tiny()).digest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 9}, "players = 9: doithuong is for 2 to 4 players"),
        ({"opening": "yes"}, "opening = 'yes': must be True, False, or None"),
        ({"tolerance": 0}, "tolerance = 0"),
        ({"rake": 5}, "rake = 5"),
        ({"games": -5}, "games = -5: must be a whole number from 0"),
        ({"games": False}, "games = False"),
        ({"policies": "foo"}, "foo"),
        ({"policies": "smart,lowest"}, "policies names 2 policies"),
        ({"policies": "foo", "games": 0}, "foo"),
        ({"skill": "smart"}, "skill = 'smart': must name two policies that differ"),
        ({"skill": "lowest, lowest"}, "has nothing to be better by"),
        ({"seed": -1, "games": 0}, "seed = -1"),
    ],
)
def test_bad_arguments(options, words):
    with pytest.raises(UsageError, match=words):
        tlsim.payout_fairness("doithuong", **options)


def test_a_negative_price_is_a_fault_of_the_file(tiny):
    with pytest.raises(RulesError, match=r"toi_trang.regular\[0\].pays = -1: "):
        tlsim.payout_fairness(tiny(spade=-1))


# --- picture and notebook ---


def drawn(rules="doithuong", lang="vi", **more):
    axes = new_axes()
    tlsim.payout_fairness(rules, **more).plot(axes, lang=lang)
    axes.figure.draw_without_rendering()
    return axes


def test_every_pattern_has_its_row_with_both_prices():
    axes = drawn()
    rows = tlsim.payout_fairness("doithuong").rows()
    labels = [win.label for win in tlsim.load_rules("doithuong").instant_wins()]
    assert [label.get_text() for label in axes.get_yticklabels()] == labels
    price, fair = (box.lines[0].get_xdata().tolist() for box in axes.containers)
    assert price == [row["price"] + (row["heo"] or 0) for row in rows]
    assert fair == [row["fair_price"] for row in rows if row["ratio"] is not None]


def test_how_wrong_a_price_is_stands_beside_it():
    said = dict(zip(
        (row["pattern"] for row in tlsim.payout_fairness("doithuong").rows()),
        (label.get_text() for label in drawn(lang="en").child_axes[0].get_yticklabels()), strict=True,
    ))  # fmt: skip
    ratios = {row["pattern"]: row["ratio"] for row in tlsim.payout_fairness("doithuong").rows()}
    assert said["muoi_hai_dong_chat"] == "not judged"  # 1 in 92 million is rarer than 1 in a million
    assert said["sau_doi"] == f"{ratios['sau_doi']:.3g} times too dear"
    assert said["bon_bo_ba"] == f"{1 / ratios['bon_bo_ba']:.3g} times too cheap"
    everything = [label.get_text() for label in drawn(lang="en", judge_from=0).child_axes[0].get_yticklabels()]
    assert "not judged" not in everything


@pytest.mark.parametrize(
    ("lang", "label"), [("vi", "giá mỗi người thua trả (cược, thang log)"), ("en", "price per loser (cược, log scale)")]
)
def test_words_of_the_picture(lang, label):
    assert drawn(lang=lang).get_xlabel() == label
    assert drawn(lang=lang).get_xscale() == "log"


@pytest.mark.parametrize("rules", ["doithuong", "luckywin", "sam_loc"])
def test_no_name_is_clipped(rules):
    axes = drawn(rules, players=2)
    figure = axes.figure
    width, height = figure.get_size_inches() * figure.dpi
    texts = [*axes.texts, *axes.get_yticklabels(), *axes.child_axes[0].get_yticklabels()]
    boxes = [Text.get_window_extent(text) for text in texts]
    assert all(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height for box in boxes)


def test_nothing_to_draw(tmp_path):
    axes = drawn("tong_thong", lang="en")
    assert axes.texts[0].get_text() == "no prices to draw"
    save(axes.figure, tmp_path / "x.png")


def test_only_one_list_is_drawn():
    ids = {win.label for win in tlsim.load_rules("sam_loc").instant_wins(opening=True)}
    axes = new_axes()
    tlsim.payout_fairness("sam_loc").plot(axes, lang="vi", opening=True)
    assert {label.get_text() for label in axes.get_yticklabels()} == ids


def test_notebook_escapes_labels(tiny):
    rules = tlsim.load_rules(tiny()).replace("toi_trang.regular[co_heo].label", "<b>heo</b>")
    html = tlsim.payout_fairness(rules, players=2)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;heo&lt;/b&gt;" in html
    assert "3.8 times as often" in html


def test_a_price_of_zero_is_not_drawn(tiny, tmp_path):
    """A log scale has no zero."""
    axes = new_axes()
    tlsim.payout_fairness(tiny(spade=0), players=2).plot(axes, lang="vi")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Có heo"]
    save(axes.figure, tmp_path / "x.png")


def test_no_price_at_all(tiny):
    """What costs nothing cannot be kept: the smallest prices are as near as may be."""
    fairness = tlsim.payout_fairness(tiny(0, 0), players=2)
    assert [verdict.kind for verdict in fairness.findings] == ["all_free"]
    assert not fairness.fair_table("reordered").changed
    (each,) = fairness.fair_table("proportional").lists
    assert each.after.prices == (Fraction(1, 2), Fraction(1, 2))
    assert each.summary()["cost_change"] is None
