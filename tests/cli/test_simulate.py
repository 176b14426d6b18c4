"""``tlsim simulate``: tables of Sâm lốc and Tổng thống, the same deals against other rules or policies."""

import csv
import importlib
import io
import json
from dataclasses import replace

import pytest

import tlsim
from tlsim.results.game_stats import PICTURES
from tlsim.results.game_views import DIFFERENCES

COMMAND = importlib.import_module("tlsim.cli.simulate")  # `tlsim.cli.simulate` is the command of that name, too

SAM = ["simulate", "--rules", "sam_loc", "--games", "600", "--seed", "5"]
TONG_THONG = ["simulate", "--rules", "tong_thong", "--games", "400", "--seed", "5"]
CALLING = "smart[sam=1],smart,smart,smart"


def tables_of(out):
    return json.loads(out)["tables"]


def test_json_has_the_views_of_the_rules(run):
    for words, rules in ((SAM, "sam_loc"), (TONG_THONG, "tong_thong")):
        status, out, _ = run(*words, "--policies", "smart", "--format", "json")
        stats = tlsim.simulate(rules, games=int(words[4]), policies="smart", seed=5)
        assert status == 0
        assert tables_of(out) == {view: json.loads(json.dumps(stats.rows(view))) for view in stats.views}


def test_the_same_deals_against_other_policies(run):
    words = ["--policies", CALLING, "--leader", "0", "--against-policies", CALLING.replace("1", "0")]
    status, out, _ = run(*SAM, *words, "--format", "json")
    runs = [tlsim.simulate("sam_loc", games=600, policies=p, seed=5, leader=0)
            for p in (CALLING, CALLING.replace("1", "0"))]  # fmt: skip
    assert status == 0
    found, gap = tables_of(out), tlsim.compare(*runs)
    assert set(found) == {*runs[0].views, "difference_seats", "difference_reasons", "difference_sam_calls"}
    assert found["difference_sam_calls"] == gap.rows("sam_calls")
    assert found["difference_seats"] == gap.rows()
    assert found["seats"][0]["mean"] == runs[0].rows("seats")[0]["mean"]
    assert json.loads(out)["provenance"]["against"] == CALLING.replace("1", "0")


def test_the_same_deals_against_other_rules(run):
    words = ["--set", "match_length=8", "--against-set", "president.exchange=[]",
             "--against-set", "president.revolution=false"]  # fmt: skip
    status, out, _ = run(*TONG_THONG, *words, "--format", "json")
    rules = tlsim.load_rules("tong_thong").replace("match_length", 8)
    other = rules.replace({"president.exchange": [], "president.revolution": False})
    gap = tlsim.compare(*(tlsim.simulate(each, games=400, seed=5) for each in (rules, other)))
    assert status == 0
    assert tables_of(out)["difference_titles"] == gap.rows("titles")
    assert tables_of(out)["difference_title_worth"] == gap.rows("title_worth")
    assert json.loads(out)["provenance"]["against"] == "president.exchange=[], president.revolution=false"


def test_what_a_clause_changed_stands_first(run):
    """Only the reason that the clause is about differs, by as much as its fine, which is 26."""
    words = ("simulate", "--rules", "doithuong", "--games", "600", "--against-set", "cong.fine=13")
    _, out, _ = run(*words, "--format", "json")
    rows = {row["reason"]: row for row in tables_of(out)["difference_reasons"]}
    cong = rows.pop("cong")
    assert cong["money_per_game"] == pytest.approx(2 * cong["other_money_per_game"])
    assert cong["difference"] == pytest.approx(cong["other_money_per_game"])
    assert cong["difference"] > 3 * cong["std_error"] > 0
    assert {row["difference"] for row in rows.values()} == {0}
    shown = run(*words, "--lang", "en")[1]
    assert shown.startswith("Difference by reason to pay, per game")


def test_calls_of_sam_add_up(run):
    """What neither succeeds nor is blocked was made void, and each view of calls says so."""
    words = ("simulate", "--rules", "sam_loc", "--games", "2400", "--lang", "en")
    found = tables_of(run(*words, "--format", "json")[1])
    events = {row["event"]: row["count"] for row in found["events"]}
    (whole,) = (row for row in found["sam_calls"] if row["strength_from"] is None)
    assert whole["void"] > 0
    assert whole["calls"] == whole["void"] + events["sam_made"] + events["sam_blocked"]
    for view in ((), ("--view", "sam_calls")):
        out = run(*words, *view)[1]
        assert "was made void" in out
        assert ("strength: the chance" in out) is bool(view)  # said beside the column alone


def test_csv_names_the_tables(run):
    _, out, _ = run(*TONG_THONG, "--against-set", "president.exchange=[]", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    moves = [row for row in rows if row["view"] == "titles"]
    assert [(row["from"], row["to"]) for row in moves[:2]] == [
        ("tong_thong", "tong_thong"), ("tong_thong", "pho_tong_thong"),
    ]  # fmt: skip
    stats = tlsim.simulate("tong_thong", games=400, seed=5)
    assert [float(row["share"]) for row in moves] == [row["share"] for row in stats.rows("titles")]
    assert {row["view"] for row in rows} >= {"title_runs", "title_worth", "match_wins", "difference_title_worth"}


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("vi", ["Báo Sâm theo sức bài", "hòa vốn", "tất cả", "95–100%", "sức bài: cơ hội", "tiền khi báo × 5.000"]),
        ("en", ["Calls of Sâm by strength of the hand", "break-even", "all", "95–100%", "strength: the chance"]),
    ],
)
@pytest.mark.parametrize("fmt", ["table", "markdown"])
def test_calls_for_people(run, lang, words, fmt):
    status, out, _ = run(
        *SAM, "--policies", CALLING, "--lang", lang, "--stake", "5000", "--format", fmt, "--view", "all",
        "--against-policies", CALLING.replace("1", "0"),
    )  # fmt: skip
    assert status == 0
    assert all(word in out for word in words)
    assert "smart[sam=1]" in out
    assert ("Chênh lệch theo sức bài" if lang == "vi" else "Difference by strength") in out
    assert "difference_" not in out
    assert "sam_calls" not in out


def test_calls_for_people_are_the_numbers(run):
    stats = tlsim.simulate("sam_loc", games=600, policies=CALLING, seed=5)
    whole = next(row for row in stats.rows("sam_calls") if row["strength_to"] is None)
    _, out, _ = run(*SAM, "--policies", CALLING, "--lang", "en", "--format", "markdown")
    line = next(line for line in out.splitlines() if "smart[sam=1] | all" in line)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[2:6] == [str(whole[key]) for key in ("hands", "calls", "void", "made")]
    ends = f"{100 * whole['ci_low']:.1f} … {100 * whole['ci_high']:.1f}%"
    assert cells[6] == f"{100 * whole['success']:.2f}% ({ends})"
    assert cells[-1] == "50.00%"


@pytest.mark.parametrize(
    ("lang", "titles"), [("vi", ("Tổng thống", "Cận nghèo")), ("en", ("President", "Near-pauper"))]
)
def test_titles_for_people(run, lang, titles):
    status, out, _ = run(*TONG_THONG, "--lang", lang, "--against-set", "president.exchange=[]", "--format", "markdown")
    assert status == 0
    old = "title of the game before" if lang == "en" else "danh hiệu ván trước"
    head = next(line for line in out.splitlines() if line.startswith(f"| {old}"))
    assert all(title in head for title in titles)
    stats = tlsim.simulate("tong_thong", games=400, seed=5)
    stay = stats.rows("titles")[0]
    line = next(line for line in out.splitlines() if line.startswith(f"| {titles[0]} | {100 * stay['share']:.0f}"[:-1]))
    assert "±" in line
    for view in ("difference_titles", "difference_title_worth", "title_worth", "match_wins", "title_runs"):
        assert tlsim.terms.term(f"view_{view}", lang) in out
        assert view not in out


def test_a_picture_of_each_view(run, tmp_path):
    for number, (words, view) in enumerate([
        (SAM, "sam_calls"), (TONG_THONG, "titles"), (TONG_THONG, "title_runs"), (TONG_THONG, "match_wins"),
        ([*TONG_THONG, "--against-policies", "random"], "difference_titles"),
    ]):  # fmt: skip
        file = tmp_path / f"{number}.png"
        status, _, _ = run(*words, "--plot", file, "--plot-view", view)
        assert status == 0
        assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*SAM, "--plot", "x.png", "--plot-view", "titles"], "sam_loc has no titles (president)"),
        ([*TONG_THONG, "--plot", "x.png", "--plot-view", "sam_calls"], "tong_thong has no báo Sâm"),
        ([*SAM, "--plot", "x.png", "--plot-view", "difference_seats"], "add --against-set or --against-policies"),
        ([*SAM, "--against-policies", "clever"], "clever"),
        ([*SAM, "--against-set", "bao_sam.pay=3"], "bao_sam.pay"),
        ([*SAM, "--plot-view", "title"], "title"),
    ],
)
def test_wrong_words(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert message in err
    assert not (tmp_path / "x.png").exists()


def test_every_picture_can_be_chosen():
    """The command names them itself, so that its help needs no numpy."""
    assert sorted(COMMAND._PICTURES) == sorted([*PICTURES, *(f"difference_{view.name}" for view in DIFFERENCES)])


def test_an_interrupted_second_run_leaves_the_first(run, monkeypatch):
    whole, runs = COMMAND.run, []

    def once(question, how):
        runs.append(str(question.policies[0]))
        return replace(whole(question, how), complete=len(runs) < 2)

    monkeypatch.setattr(COMMAND, "run", once)
    status, out, _ = run(*SAM, "--policies", "smart", "--against-policies", "smart[sam=0]", "--format", "json")
    assert status == 130
    assert runs == ["smart", "smart[sam=0]"]
    assert json.loads(out)["complete"] is False
    assert "sam_calls" in tables_of(out)
    assert not [view for view in tables_of(out) if view.startswith("difference")]
