"""A report as a browser has it: what is edited in it is what the program says of such prices."""

import random
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pytest

import tlsim
from tlsim.cli import main
from tlsim.fairness.repricing import with_prices

pytestmark = pytest.mark.look  # as all that needs a browser

WIDTHS = (390, 768, 1280)
A4 = 703  # points of a screen between the margins of the paper: 186 mm
FULL = {"games": 600, "policies": "lowest", "skill": "smart,lowest", "rake": 0.05}
LOGS = """
extends = "doithuong"
name = "logs"
label = "Giá theo log"
[fair]
method = "logarithmic"
judge_from = 0
cap = 30
units = "half"
"""


def lists_of(report, number=0):
    return report.chapters[number].fairness.lists


def random_prices(prices, dice):
    """Return prices as somebody might try them: mostly near those in force, sometimes 0, equal or far too high."""
    if dice.random() < 0.1:
        return dict.fromkeys((entry.id for entry in prices.listed), 0.0)
    choose = [lambda p: p, lambda _: dice.randint(0, 40) / 2, lambda _: 0.0, lambda p: p * dice.randint(1, 400)]
    return {entry.id: float(dice.choice(choose)(entry.pays)) for entry in prices.listed}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    file = tmp_path_factory.mktemp("rules") / "logs.toml"
    file.write_text(LOGS, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("name", "method"),
    [("doithuong", None), ("doithuong", "reordered"), ("luckywin", None), ("zing", None), ("logs", None)],
)
def test_edited_prices_come_to_what_the_program_says(name, method, logs, pages, opened):
    """Random lists, in the order in force and in the one by rarity."""
    report, file = pages(logs if name == "logs" else name, games=0, tolerance=(("all", 3.0),), method=method)
    dice, chapter = random.Random(1), report.chapters[0]
    with opened(file) as page:
        for prices in lists_of(report):
            at = [each.which for each in lists_of(report)].index(prices.which)
            for number in range(12):
                order = ("force", "rarity")[number % 2]
                pays = random_prices(prices, dice)
                ours = page.evaluate(
                    "([at, pays, order]) => { const report = tlsim.reports[0];"
                    " return tlsim.judge(report.lists[at], report.players, pays, order) }", [at, pays, order],
                )  # fmt: skip
                listed = (prices if order == "force" else chapter.by_rarity[prices.which]).listed
                new = tuple((entry.id, Fraction(pays[entry.id])) for entry in listed)
                rules = with_prices(chapter.rules, prices.which, new, prices.players)
                opening = None if prices.which == "regular" else True
                fairness = tlsim.payout_fairness(rules, games=0, tolerance=3.0, opening=opening, method=method)
                same(ours, fairness, prices.which)


def near(mine, theirs):
    return mine == (None if theirs is None else pytest.approx(theirs, rel=1e-9, abs=1e-12))


def same(ours, fairness, which):
    """Compare what the page makes of prices with what the program makes of them."""
    summary = next(row for row in fairness.rows("summary") if row["list"] == which)
    for key in ("cost_per_1000", "misplaced", "wrong_pairs", "spread"):
        assert near(ours[key], summary[key]), key
    rows = {row["pattern"]: row for row in fairness.rows("prices") if row["list"] == which}
    n = fairness.provenance.players
    # the spread by its definition: who wins gets n - 1 prices, who does not pays one; đếm heo is not the same each time
    (prices,) = (prices for prices in fairness.lists if prices.which == which)
    noise = {entry.id: float(more) for entry, more in zip(prices.listed, prices.noise, strict=True)}
    whole = {key: row["price"] + (row["heo"] or 0.0) for key, row in rows.items()}
    each = {key: c**2 * ((n - 1) ** 2 + (n - 1)) / n + noise[key] for key, c in whole.items()}
    squares = sum(rows[key]["probability"] * square for key, square in each.items())
    assert ours["spread"] == pytest.approx(squares**0.5, rel=1e-9)
    verdicts = {each.pattern: each.kind for each in fairness.verdicts if each.list == which and each.finding}
    wrong = {pair[key] for pair in fairness.rows("pairs") if pair["list"] == which for key in ("pattern", "rarer")}
    for key, row in rows.items():
        one = ours["patterns"][key]
        assert one["cost"] == pytest.approx(row["cost_per_1000"], rel=1e-9)
        for mine, theirs in (("fair", "fair_price"), ("ratio", "ratio")):
            assert near(one[mine], row[theirs]), (key, mine)
        assert one["mark"] == (verdicts.get(key, "") if verdicts.get(key) in {"dear", "cheap", "free"} else "")
        assert one["wrong"] == (key in wrong)


def test_a_price_is_edited_and_saved(pages, opened, tmp_path, capsys):
    """What stands in the page, in both languages, is what the program finds in the file that was saved."""
    _, file = pages("doithuong", games=0)
    with opened(file) as page:
        before = page.text_content("main[lang=en] [data-figure=cost_per_1000]")
        assert page.locator("main[lang=en] .stale:visible").count() == 0
        page.fill("main[lang=en] tr[data-id=tu_quy_2] input", "1.5")
        page.fill("main[lang=en] tr[data-id=sau_doi] input", "1")
        assert page.locator("main[lang=en] .stale:visible").count() == 3
        cost = page.text_content("main[lang=en] [data-figure=cost_per_1000]")
        assert cost != before
        assert before in cost  # says what it was
        page.fill("main[lang=en] tr[data-id=sau_doi] input", "-3")  # no price: the last one stays
        assert page.text_content("main[lang=en] [data-figure=cost_per_1000]") == cost
        page.press("main[lang=en] tr[data-id=sau_doi] input", "Tab")
        with page.expect_download() as waiting:
            page.click("main[lang=en] button.save")
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        page.click("main[lang=en] button[data-lang=vi]")
        assert page.input_value("main[lang=vi] tr[data-id=tu_quy_2] input") == "1.5"
        marks = page.text_content("main[lang=vi] tr[data-id=tu_quy_2] [data-cell=mark]")
        page.click("main[lang=vi] button.reset")
        assert page.text_content("main[lang=en] [data-figure=cost_per_1000]") == before
        assert page.locator(".stale:visible").count() == 0
    pays = {win.id: win.pays for win in tlsim.load_rules(saved).instant_wins()}
    asked = {win.id: win.pays for win in tlsim.load_rules("doithuong").instant_wins()}
    assert pays == asked | {"tu_quy_2": 1.5, "sau_doi": 1.0}
    fairness = tlsim.payout_fairness(saved, games=0)
    row = fairness.rows("summary")[0]
    assert cost.startswith(f"{row['cost_per_1000']:.3g}")
    assert marks == ""  # 1.5 is nearly the fair price
    assert main(["fair", "--rules", str(saved), "--games", "0", "--lang", "en"]) == 0
    assert "doithuong-edited" in capsys.readouterr().out


def test_the_order_by_rarity_is_saved_as_well(pages, opened, tmp_path):
    """In `luckywin` the opening list is an addition to the regular one; both are written."""
    report, file = pages("luckywin", games=0)
    with opened(file) as page:
        for which in ("regular", "opening"):
            page.check(f"main[lang=en] [data-list={which}] input[value=rarity]")
        with page.expect_download() as waiting:
            page.click("main[lang=en] [data-list=regular] button.save")
        saved = tmp_path / "saved.toml"
        waiting.value.save_as(saved)
    rules, chapter = tlsim.load_rules(saved), report.chapters[0]
    for prices in lists_of(report):
        wins = [(win.id, win.pays) for win in rules.instant_wins(prices.which == "opening", 4)]
        pays = {entry.id: entry.pays for entry in prices.listed}
        assert wins == [(entry.id, pays[entry.id]) for entry in chapter.by_rarity[prices.which].listed]
    shown = {row["pattern"]: row["probability"] for row in tlsim.payout_fairness(rules, games=0).rows("prices")
             if row["list"] == "regular"}  # fmt: skip
    rare = chapter.by_rarity["regular"]
    assert shown == pytest.approx({e.id: float(p) for e, p in zip(rare.listed, rare.probabilities, strict=True)})


def test_it_says_when_an_order_needs_the_program(pages, opened):
    _, file = pages("doithuong", games=0)
    with opened(file) as page:
        line = page.locator("main[lang=en] p.order")
        assert line.text_content() == "Chances are those of the order of strength in force."
        page.fill("main[lang=en] tr[data-id=sau_doi] input", "100")
        assert "the program is needed" in line.text_content()
        assert "tlsim report --rules doithuong-edited.toml" in line.text_content()
        assert "6 pairs > Dragon straight" in line.text_content()


def test_lists_side_by_side_are_not_cut(pages, opened):
    _, file = pages("doithuong", "luckywin", "sam_loc", games=0)
    with opened(file, 1200) as page:
        for lang in ("en", "vi"):
            page.click(f"main:not([hidden]) button[data-lang={lang}]")
            for table in page.locator(f"#{lang}-beside .scroll").all():
                assert table.evaluate("each => each.scrollWidth <= each.clientWidth"), lang


@pytest.mark.look
@pytest.mark.parametrize("rules", [("doithuong",), ("sam_loc",), ("tong_thong",), ("doithuong", "luckywin")])
def test_it_fits_and_bars_nobody(rules, pages, opened):
    """No sideways scrolling at any width, nothing serious that axe finds, in both languages, light and dark."""
    _, file = pages(*rules, **FULL)
    axe = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js").read_text(encoding="utf-8")
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            with opened(file, width, color_scheme=scheme) as page:
                for lang in ("en", "vi"):
                    page.click(f"main:not([hidden]) button[data-lang={lang}]")
                    assert page.evaluate("document.documentElement.lang") == lang
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, lang)
                if width == WIDTHS[0]:
                    page.evaluate(axe)
                    found = page.evaluate("axe.run().then((found) => found.violations)")
                    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
                    assert not serious, [(each["id"], each["nodes"][0]["html"]) for each in serious]


@pytest.mark.look
def test_tables_are_sorted_by_any_column(pages, opened):
    _, file = pages("doithuong", **FULL)
    with opened(file) as page:
        for lang in ("en", "vi"):
            page.click(f"main:not([hidden]) button[data-lang={lang}]")
            head = page.locator(f"main[lang={lang}] table.prices thead th")
            names = f"main[lang={lang}] table.prices tbody th"
            at = head.count() - 2  # 1 in
            common, rare = {"en": ("6 pairs", "12 cards of one suit"), "vi": ("6 đôi", "12 lá đồng chất")}[lang]
            head.nth(at).locator("button").click()
            assert page.locator(names).first.text_content() == common
            assert head.nth(at).get_attribute("aria-sort") == "ascending"
            head.nth(at).locator("button").click()
            assert page.locator(names).first.text_content() == rare
            head.nth(2).locator("button").click()  # fair price: what has none comes last
            assert page.locator(names).last.text_content() == rare


@pytest.mark.look
@pytest.mark.parametrize("rules", [("doithuong",), ("tong_thong",), ("doithuong", "luckywin")])
def test_no_table_is_cut_on_paper(rules, pages, opened):
    _, file = pages(*rules, **FULL)
    with opened(file, A4) as page:
        page.emulate_media(media="print")
        cut = page.evaluate(
            "() => [...document.querySelectorAll('main:not([hidden]) :is(table, svg, pre, li)')].filter((each) =>"
            " each.getBoundingClientRect().right > innerWidth + 1 || each.scrollWidth > each.clientWidth + 1)"
            ".map((each) => each.caption?.textContent ?? each.outerHTML.slice(0, 80))"
        )  # fmt: skip
        assert cut == []
        hidden = page.evaluate(
            "() => [...document.querySelectorAll('main:not([hidden]) tbody tr')]"
            ".filter((row) => !row.offsetHeight).length"
        )
        assert hidden == 0
        assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")
