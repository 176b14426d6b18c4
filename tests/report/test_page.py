"""A report without a browser: what stands in its page, what it keeps, and what an interrupt leaves."""

import json
import math
import re
from html.parser import HTMLParser

import pytest
from terminal import run_in_terminal

import tlsim
from tlsim.cli import main
from tlsim.columns import WORDS
from tlsim.questions.kept import list_runs
from tlsim.reports import Report
from tlsim.show import Asked, rendered
from tlsim.show.numbers import local as numbers_local
from tlsim.terms import term

FULL = {"games": 600, "policies": "lowest", "skill": "smart,lowest", "rake": 0.05}
HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"
RULES = f"""
extends = "doithuong"
name = "hostile"
label = {json.dumps(HOSTILE)}
[[toi_trang.add]]
id = "nam_doi_mot_sam"
label = {json.dumps("<img src=x onerror=alert(2)>")}
all_of = [{{kind = "groups", size = 2, count = 6, quad_as = 1}}, {{kind = "groups", size = 3, count = 1}}]
pays = 3
above = "sau_doi"
"""


class Tables(HTMLParser):
    """The cells of the tables of a page, by language and caption."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.lang, self.caption, self.into = {}, "", "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "main":
            self.lang = dict(attributes)["lang"]
        elif tag == "caption":
            self.caption, self.into = "", "caption"
        elif tag == "tr":
            self.tables.setdefault((self.lang, self.caption), []).append([])
        elif tag in {"td", "th"}:
            self.tables[self.lang, self.caption][-1].append("")
            self.into = tag

    def handle_endtag(self, tag):
        if tag == self.into:
            self.into = None

    def handle_data(self, text):
        if self.into == "caption":
            self.caption += text
        elif self.into is not None:
            self.tables[self.lang, self.caption][-1][-1] += text


def numbers(text):
    """Return the numbers of a cell in English, each with what its last digit is worth."""
    found = []
    for sign, digits, power in re.findall(r"([-+]?)(\d[\d,]*(?:\.\d+)?|∞)(e[-+]?\d+)?", text):
        if digits == "∞":
            found.append((math.inf, 0))
            continue
        value = float(f"{sign}{digits.replace(',', '')}{power}")
        places = len(digits.partition(".")[2])
        found.append((value, 10.0 ** (float(power[1:] or 0) - places)))
    return found


def stands(value, texts):
    """Whether a number stands in a row as it is, in percent, or as one in so many, to the digits that are shown."""
    ways = [value, 100 * value, *([1 / value] if value else [])]
    return any(abs(way - number) <= digit * 0.51 for text in texts for number, digit in numbers(text) for way in ways
               if math.isfinite(number))  # fmt: skip


@pytest.fixture(scope="module")
def full(pages):
    return pages("doithuong", **FULL)


def test_every_number_of_the_json_stands_in_the_page(full):
    """As data; and in the tables those of the columns that people see, with errors and intervals, row by row.

    What a column writes in a way of its own has no error beside it: chances that are exact, or known to 0.1 %.
    """
    report, file = full
    document, text = report.page(lang="en"), file.read_text(encoding="utf-8")
    shown = Tables(text)
    data = re.search(r'<script type="application/json" id="views">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data) == json.loads(rendered(document, Asked("json", "en")))
    looked = 0
    for table in document.tables:
        view = table.view
        if not table.rows or not view.files or view.prepare is not None:
            continue
        rows = next(
            rows for (lang, caption), rows in shown.tables.items() if lang == "en" and caption == caption_of(table)
        )
        body = [tuple(row) for row in rows[1:]]
        assert len(body) == len(table.rows), view.name
        told = [column for column in view.columns if column.shown]
        seen = {key for column in told for key in (column.key, *column.ends, *[column.error] * (not column.write))}
        for row in table.rows:
            values = [value for key, value in row.items()
                      if key in seen and isinstance(value, int | float) and not isinstance(value, bool)
                      and view[key].kind not in WORDS and math.isfinite(value) and value]  # fmt: skip
            assert any(all(stands(value, cells) for value in values) for cells in body), (view.name, row)
            looked += len(values)
    assert looked > 500


def caption_of(table):
    from tlsim.terms import term_of

    return term_of(table.view.heading, "en", points=table.points)


def test_json_is_its_views(full, capsys):
    report, _ = full
    assert main(["report", "--games", "0", "--format", "json", "--lang", "en"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "report"
    assert set(document["tables"]) <= set(report.views)
    assert document["tables"]["prices"] == json.loads(
        json.dumps(tlsim.payout_fairness("doithuong", games=0).rows("prices"))
    )
    assert {"odds", "clauses", "rests", "table", "verdicts"} <= set(document["tables"])
    assert report.to_frame("distances").groupby("pattern").size().tolist() == [4] * 8


def test_a_page_goes_to_a_file_which_is_named(tmp_path, capsys, monkeypatch):
    """A terminal is no place for it; a pipe still gets it. An interrupt leaves a part, which is said."""
    words, file = ["report", "--games", "0", "--lang", "en"], tmp_path / "report.html"
    assert main([*words, "--out", str(file)]) == 0
    assert capsys.readouterr() == ("", f"wrote {file}\n")
    assert main(words) == 0
    assert capsys.readouterr() == (file.read_text(encoding="utf-8"), "")
    monkeypatch.setattr(Report, "complete", False)
    assert main([*words, "--out", str(file)]) == 130
    assert capsys.readouterr().err == f"wrote {file}\npartial: the run was interrupted\n"
    found = run_in_terminal(*words)
    assert found.status == 2
    assert "--out report.html" in found.text


def test_both_languages_and_nothing_from_outside(full):
    _, file = full
    text = file.read_text(encoding="utf-8")
    assert len(text.encode()) < 2 * 2**20
    assert [text.index(f'<main lang="{lang}"') < text.index(f'<main lang="{other}"') for lang, other in (("en", "vi"),)]
    assert '<main lang="vi" hidden' in text
    assert re.findall(r"""(?:src|href|action|data)=["'](?!#|data:)[^"']*|url\((?!#|data:)|@import""", text) == []
    assert "default-src 'none'" in text
    for said in ("Four 2s", "Tứ quý 2", "Swings and bankroll", "Lên xuống và vốn", "000#R16", "11c62c18526644a4"):
        assert said in text


def test_a_label_is_hostile_text(tmp_path, pages):
    file = tmp_path / "hostile.toml"
    file.write_text(RULES, encoding="utf-8")
    report, page = pages(str(file), games=0, title=f"{HOSTILE} title", author="</main><b>me</b>")
    text = page.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<b>me" not in text
    assert "49" not in text.partition("<h1>")[2].partition("</h1>")[0]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert report.chapters[0].rules.label == HOSTILE


def test_the_same_command_makes_the_same_page(full):
    report, file = full
    again = tlsim.report("doithuong", progress=lambda *_: None, **FULL)
    assert again.html("en") == file.read_text(encoding="utf-8")
    assert report.question.again == ("tlsim report --rules doithuong --games 600 --rake 0.05 --policies lowest")


@pytest.mark.parametrize(("lang", "words"), [("en", "house takes"), ("vi", "nhà cái lấy")])
def test_the_rake_is_told_in_short(pages, lang, words):
    """What it takes of instant wins for each list, and what it leaves a better player."""
    report, _ = pages("doithuong", **FULL)
    short = report.html(lang).partition('<ul class="said">')[2].partition("</ul>")[0]
    assert words in short
    (row,) = (row for row in report.rows("rake") if row["pattern"] is None)
    assert numbers_local(f"{row['house_per_1000']:.3g}", lang) in short
    (rake,) = (verdict for verdict in report.chapters[0].fairness.game_verdicts if verdict.kind == "rake")
    assert rake.short(lang) in short


def test_lists_side_by_side_are_told_in_a_sentence(pages):
    report, file = pages("doithuong", "luckywin", games=0)
    beside = file.read_text(encoding="utf-8").partition('id="en-beside"')[2].partition("</section>")[0]
    said = re.findall(r"<li[^>]*>(.*?): it costs each player ([\d.]+) cược in 1,000 deals, ([\d.]+)%", beside)
    rows = {f"{row['rules']} ({term(row['list'], 'en')})": row for row in report.rows("summary")}
    rows["doithuong"] = rows.pop("doithuong (regular game)")  # which has one list
    assert [name for name, _, _ in said] == sorted(rows, key=lambda name: rows[name]["misplaced"])
    for name, cost, share in said:
        assert float(cost) == pytest.approx(rows[name]["cost_per_1000"], rel=5e-3)
        assert float(share) == pytest.approx(100 * rows[name]["misplaced"], abs=0.051)


def test_of_several_rule_sets_every_row_says_by_which(pages):
    report, _ = pages("doithuong", "luckywin", games=0)
    frame = report.to_frame("prices")
    assert list(frame.columns)[:3] == ["rules", "list", "pattern"]
    assert frame.groupby("rules").size().to_dict() == {"doithuong": 8, "luckywin": 14}
    with pytest.raises(tlsim.UsageError, match="each with a name of its own"):
        tlsim.report(["zing", "zing"], games=0)


class NoMore:
    """An executor that must not be asked."""

    def submit(self, *_args, **_kwargs):
        raise AssertionError("something is played again")


def test_no_game_is_played_twice(tmp_path):
    store, asked = tmp_path / "runs.db", {"games": 600, "policies": "lowest", "progress": lambda *_: None}
    first = tlsim.report("luckywin", store=store, **asked)
    labels = {row["label"] for row in list_runs(store)}
    assert {"report luckywin, games", "report luckywin, odds regular", "report luckywin, skill"} <= labels
    assert all(label.startswith("report luckywin, ") for label in labels)
    again = tlsim.report("luckywin", store=store, executor=NoMore(), **asked)
    one, two = (json.loads(rendered(each.page(lang="vi"), Asked("json", "vi"))) for each in (first, again))
    assert one["tables"] == two["tables"]


def test_an_interrupt_leaves_a_partial_report():
    """After some of the parts: what they found is there, the rest is not, and the page says so."""
    done = []

    def stop(at, total, _partial):
        done.append((at, total))
        if at == total and len([each for each in done if each[0] == each[1]]) == 3:
            raise KeyboardInterrupt

    report = tlsim.report("doithuong", games=600, policies="lowest", progress=stop)
    assert not report.complete
    assert report.rows("items")
    assert "skill" not in report.views
    assert "partial: the run was interrupted" in report.html("en")
    document = report.page(lang="en")
    assert not document.complete
