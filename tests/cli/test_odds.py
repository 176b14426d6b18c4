"""``tlsim odds``."""

import csv
import importlib
import io
import json
import re
import sys
import time
from dataclasses import replace

import pytest

from tlsim.cli import main
from tlsim.exact.table_counts import TableCounts
from tlsim.questions.odds import ListOdds

# `tlsim.cli.odds` is the command of that name, too
COMMAND = importlib.import_module("tlsim.cli.odds")

QUICK = ["odds", "--rules", "luckywin", "--opening", "--players", "2", "--deals", "40"]
IDS = ["bon_doi_thong_3_bich", "tu_quy_3", "ba_doi_thong_3_bich"]  # in the order of the file


def line_with(text, word):
    return next(line for line in text.splitlines() if word in line)


def test_the_tables_for_people(run):
    status, out, err = run(*QUICK)
    assert (status, err) == (0, "")
    names = ["Run of 4 pairs with 3♠", "Four 3s", "Run of 3 pairs with 3♠", "any pattern"]
    places = [out.index(f"\n{name} ") for name in names]
    assert places == sorted(places)
    # RULES.md F10: tứ quý 3 is one hand in 379, 3 đôi thông with 3♠ one in about 200
    assert "378.6" in line_with(out, "Four 3s ")
    for said in ("someone has one", "wins by Four 3s", "seats that hold one: 2", "paid by each loser", "seed 0"):
        assert said in out
    assert re.search(r"\n40 deals, 80 hands; \d\.\d\d s: [\d,]+ deals per second, [\d,]+ hands per second\n", out)
    assert "opening game ✓" in out
    assert "holding" not in out.splitlines()[-1]  # what nobody said


def test_in_vietnamese(run):
    out = run(*QUICK, "--lang", "vi")[1]
    for said in ("Một tay bài", "3 đôi thông có 3♠", "bất kỳ mẫu nào", "có người tới trắng", "hạt giống 0"):
        assert said in out


def test_what_was_never_seen_has_an_upper_end(run):
    # 0 of 80 hands; the design effect is a hair below 1, so the end is a hair below 1 - 0.025 ** (1 / 80) = 0.0451
    row = line_with(run(*QUICK)[1], "Run of 4 pairs with 3♠ ")
    assert " 0 (≤ 0.045) " in row


def test_stake(run):
    out = run(*QUICK, "--stake", "5_000", "--set", "toi_trang.instant_pay=3")[1]
    assert "× 5,000" in out
    assert line_with(out, "Four 3s ").split()[-2:] == ["3", "15,000"]


def test_json(run):
    status, out, err = run(*QUICK, "--format", "json", "--seed", "7")
    document = json.loads(out)
    assert (status, err, document["command"], document["complete"]) == (0, "", "odds", True)
    assert list(document["tables"]) == ["exact", "simulated", "exact_table", "simulated_table", "payment"]
    exact, simulated = document["tables"]["exact"], document["tables"]["simulated"]
    assert [row["pattern"] for row in exact] == [row["pattern"] for row in simulated] == IDS
    assert exact[1]["hands"] == 1_677_106_640  # as many as four 2s: DESIGN §6
    assert {"count", "estimate", "ci_low", "exact", "z", "tail", "counts_tail"} <= set(simulated[0])
    table = document["tables"]["exact_table"]
    assert [row["quantity"] for row in table] == ["someone", "wins", "wins", "wins", "seats", "seats", "seats"]
    total = sum(int(row["deals"]) for row in table if row["quantity"] == "seats")
    # C(52, 13) C(39, 13)
    assert total == 635_013_559_600 * 8_122_425_444
    provenance = document["provenance"]
    assert (provenance["seed"], provenance["deals"], provenance["players"]) == (7, 40, 2)
    assert (provenance["rules"], len(provenance["digest"])) == ("luckywin", 64)


def test_json_payment_is_a_fraction(run):
    payment = json.loads(run(*QUICK, "--format", "json")[1])["tables"]["payment"][0]
    someone = json.loads(run(*QUICK, "--format", "json")[1])["tables"]["exact_table"][0]
    above, below = map(int, payment["per_loser"].split("/"))
    assert above / below == pytest.approx(someone["probability"])  # every pattern pays 1
    assert payment["payers"] == 1


def test_csv(run):
    rows = list(csv.DictReader(io.StringIO(run(*QUICK, "--format", "csv")[1])))
    exact = [row for row in rows if row["view"] == "exact"]
    assert [row["pattern"] for row in exact] == IDS
    assert exact[1]["hands"] == "1677106640"


def test_markdown(run):
    out = run(*QUICK, "--format", "markdown")[1]
    assert "| pattern | holds it | 1 in | simulated | z | price |\n| :--- | ---: | ---: |" in out


def test_out(run, tmp_path):
    file = tmp_path / "odds.json"
    assert run(*QUICK, "--format", "json", "--out", file) == (0, "", "")
    assert json.loads(file.read_text(encoding="utf-8"))["complete"]


def test_plot(run, tmp_path):
    file = tmp_path / "odds.svg"
    assert run(*QUICK, "--plot", file)[0] == 0
    assert "<svg" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--out", "--plot"])
def test_files_are_tried_before_anything_is_computed(run, monkeypatch, option):
    monkeypatch.setattr(ListOdds, "counted", None)
    assert run(*QUICK, option, "no/such/x.png")[0] == 2


@pytest.mark.parametrize("words", [["--rules", "tong_thong"], ["--rules", "hue", "--opening"]])
@pytest.mark.parametrize("fmt", ["table", "json", "csv", "markdown"])
def test_rules_without_a_list(run, words, fmt):
    status, out, err = run("odds", *words, "--deals", "5", "--format", fmt)
    assert (status, err) == (0, "")
    if fmt == "json":
        assert set(map(len, json.loads(out)["tables"].values())) == {0}
    elif fmt != "csv":
        assert "these rules have no instant win here" in out


@pytest.mark.parametrize(
    ("text", "deals"), [("1e1", 10), ("1_0", 10), ("0_01_0", 10), ("10", 10), (" 10 ", 10), ("1E+1", 10)]
)
def test_sizes_as_people_write_them(run, text, deals):
    out = run(*QUICK[:-1], text, "--format", "json")[1]
    assert json.loads(out)["provenance"]["deals"] == deals


@pytest.mark.parametrize(
    ("words", "players"),
    [([], 4), (["--rules", "sam_loc"], 4), (["--set", "deal.max_players=3"], 3), (["--players", "2"], 2)],
)
def test_players_by_default(monkeypatch, words, players):
    asked = []
    monkeypatch.setattr(ListOdds, "counted", lambda question: asked.append(question.players) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["odds", *words])
    assert asked == [players]


def test_known_cards(run):
    out = run(*QUICK, "--holding", "3s 3C", "--dead", "♦3", "--format", "json")[1]
    document = json.loads(out)
    assert (document["provenance"]["holding"], document["provenance"]["dead"]) == ("3S 3C", "3D")
    assert [row["hands"] for row in document["tables"]["exact"]][1] == 0  # no four 3s without 3♦


def with_table(monkeypatch, source):
    """Take another exact law of the table; ``source`` gets the one that there is."""
    counted = ListOdds.counted

    def other(question):
        found = counted(question)
        return replace(found, table_source=lambda: source(found.table_source))

    monkeypatch.setattr(ListOdds, "counted", other)


def test_bounds_are_shown_as_bounds(run, monkeypatch):
    counts = TableCounts(1000, (30, 50), ((0, 20), (5, 20), (20, 20)), ((950, 970), (30, 50), (0, 20)))
    with_table(monkeypatch, lambda _: counts)
    out = run(*QUICK)[1]
    assert "0.03000 … 0.05000" in line_with(out, "someone has one")
    assert "between" in line_with(out[out.index("Money") :], "quantity")
    assert "0.025 … 0.06 " in line_with(out, "paid by each loser")


# --- interrupted ---


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C after some deals: the run returns what it has."""
    estimate = COMMAND.estimate
    monkeypatch.setattr(COMMAND, "estimate", lambda *asked: replace(estimate(*asked), complete=False))


@pytest.mark.usefixtures("interrupted")
def test_interrupted_run_prints_what_it_has(run):
    status, out, _ = run(*QUICK)
    assert status == 130
    assert "partial: the run was interrupted" in out
    assert "378.6" in line_with(out, "Four 3s ")


@pytest.mark.usefixtures("interrupted")
def test_interrupted_run_is_valid_json(run):
    status, out, _ = run(*QUICK, "--format", "json")
    document = json.loads(out)
    assert (status, document["complete"]) == (130, False)
    assert len(document["tables"]["simulated"]) == 3
    assert document["tables"]["exact_table"] == []


def test_interrupted_while_the_table_is_computed(run, monkeypatch):
    def table(_source):
        raise KeyboardInterrupt

    with_table(monkeypatch, table)
    status, out, _ = run(*QUICK, "--format", "json")
    document = json.loads(out)
    assert (status, document["complete"]) == (130, False)
    assert len(document["tables"]["simulated_table"]) == 7
    assert document["tables"]["payment"][0]["per_loser"] is None


@pytest.mark.parametrize(("slow", "told"), [(60, False), (0.1, True)])
def test_a_table_that_takes_long_is_spoken_of(run, monkeypatch, slow, told):
    monkeypatch.setattr("tlsim.cli.running.SLOW", slow)
    with_table(monkeypatch, lambda source: time.sleep(0.5) or source())
    status, out, err = run(*QUICK, "--format", "json")
    assert (status, json.loads(out)["complete"]) == (0, True)
    assert err == (
        "computing the law of the table; a long list takes about a minute, and only once …\n" if told else ""
    )


# --- in a terminal ---


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


def test_a_terminal_shows_the_exact_odds_at_once(monkeypatch):
    """On standard error, before a deal is dealt; the tables come on standard output."""
    out, err, seen, estimate = Terminal(), Terminal(), [], COMMAND.estimate

    def watched(*asked):
        seen.append(err.getvalue())
        return estimate(*asked)

    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(COMMAND, "estimate", watched)
    for name, value in {"TERM": "xterm", "COLUMNS": "140", "LINES": "50"}.items():
        monkeypatch.setenv(name, value)
    assert main(QUICK) == 0
    assert "378.6" in seen[0]
    assert "any pattern" in seen[0]
    assert "someone has one" in out.getvalue()


def test_a_terminal_is_told_at_once_what_goes_on(run, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    status, out, _ = run(*QUICK, "--format", "json")
    assert status == 0
    assert json.loads(out)["complete"]
    assert "computing the law of the table" in terminal.getvalue()
