"""Every command in a real terminal of 80 columns, in both languages: nothing breaks, no line too long, no number cut.

What must stand on the screen is known from the same command in this process: the cells of the columns that fit.
"""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
from terminal import run_in_terminal
from tqdm import tqdm

import tlsim
from tlsim.cli import COMMANDS, main
from tlsim.show.cells import fit, grid
from tlsim.show.output import complain
from tlsim.show.page import _chosen

WIDTH = 80
DRAGON = "3S 4D 5H 6C 7H 8D 9D 10S JH QS KC AC 2H"
SAM = "2S 2C 2H AS AC 9D 9S 9H 5S 5H"
LOW = ("--policies", "lowest")
SHOWN = {
    "odds": ("odds", "--rules", "luckywin", "--players", "2", "--deals", "30k"),
    "odds, wide": ("odds", "--rules", "luckywin", "--opening", "--players", "2", "--deals", "30k", "--view", "all",
                   "--stake", "5000"),
    "hand": ("hand", DRAGON, "--rules", "all"),
    "hand in games": ("hand", DRAGON, "--ev", "--games", "100", *LOW, "--stake", "5000"),
    "hand of Sâm": ("hand", SAM, "--ev", "--rules", "sam_loc", "--games", "100", *LOW),
    "hand, whole list": ("hand", "toi_trang", "--ev", "--games", "40", "--distance", "0", *LOW),
    "simulate": ("simulate", "--games", "240", "--stake", "5000", "--view", "all"),
    "simulate Sâm": ("simulate", "--rules", "sam_loc", "--games", "240", "--policies",
                     "smart[sam=1],smart,smart,smart", "--against-policies", "smart", "--leader", "0",
                     "--view", "sam_calls", "--view", "difference_sam_calls", "--view", "difference_seats"),
    "simulate titles": ("simulate", "--rules", "tong_thong", "--players", "5", "--games", "80", *LOW, "--view", "all"),
    "simulate, precise": ("simulate", "--rules", "luckywin", "--games", "2400", "--precise", "--stake", "5000", *LOW),
    "fair": ("fair", "--rules", "luckywin", "--players", "2", "--games", "48", *LOW, "--rake", "5%", "--method",
             "proportional", "--view", "all", "--stake", "5000"),
    "advise": ("advise", "--rules", "luckywin", "--hand", DRAGON.replace("AC", "KD"), "--so-far", "3 3D",
               "--games", "64", "--stake", "5000"),
    "review": ("review", "GAMES", "--games", "32", "--player", "P1", *LOW, "--stake", "5000"),
    "report": ("report", "--rules", "luckywin", "--players", "2", "--games", "0", "--format", "table"),
    "settle": ("settle", "GAMES", "--stake", "5000"),
    "rules list": ("rules", "list"),
    "rules diff": ("rules", "diff", "luckywin", "zing"),
    "runs list": ("runs", "list", "STORE"),
    "runs show": ("runs", "show", "STORE", "odds zing"),
    "runs merge": ("runs", "merge", "STORE", "OTHER"),
}  # fmt: skip
SAID = {
    "play": (("play", "--rules", "hue", "--games", "12", "--format", "text", *LOW), "♠"),
    "replay": (("replay", "--rules", "sam_loc", "--match", "3", "--game", "1"), "♠"),
    "rules show": (("rules", "show", "doithuong"), "[deal]"),
    "rules check": (("rules", "check", "zing"), "zing"),
    "bench": (("bench", "--threads", "1"), "chia đủ bốn nhà"),
    "warm": (("warm",), "table"),
    "train": (
        (
            "train",
            "--rules",
            "luckywin",
            "--players",
            "2",
            "--rounds",
            "0",
            "--answers",
            "2k",
            "--games",
            "24",
            "--out",
            "WEIGHTS",
        ),
        "rollout[n=20]",
    ),
    "completion": (("completion", "bash"), "tlsim"),
    "odds, planned": (("odds", "--deals", "1e9", "--dry-run"), "odds doithuong"),
    "fair, planned": (("fair", "--dry-run", "--rules", "luckywin"), "fair luckywin"),
}
EXIT = {"rules diff": 1}
FRESH = {"play", "warm", "completion"}
every_language = pytest.mark.parametrize("lang", ["vi", "en"])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return what stands for the names of files."""
    folder = tmp_path_factory.mktemp("terminal")
    names = {name: folder / f"{name.lower()}.db" for name in ("GAMES", "STORE", "OTHER")}
    names["WEIGHTS"] = folder / "weights.npz"
    for number, name in enumerate(("STORE", "OTHER")):
        tlsim.estimate_odds("zing", 50_000, 2, opening=True, store=tlsim.Keep(names[name], shard=(number + 1, 2)))
    tlsim.simulate("luckywin", games=120, store=names["STORE"], progress=lambda *_: None)
    records = tlsim.play("luckywin", games=12, seed=3)
    names["GAMES"].write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return names


def with_files(words, files):
    return [str(files.get(word, word)) for word in words]


def in_terminal(words, lang, status=0, columns=WIDTH):
    """Run a command in a terminal and hold what every command must hold there; return the screen."""
    screen = run_in_terminal(*words, "--lang", lang, columns=columns)
    assert screen.status == status, screen.text
    assert "Traceback" not in screen.text
    assert b"Traceback" not in screen.raw
    assert max(map(len, screen.lines)) <= columns
    assert "None" not in screen.text
    return screen


def one_line(text):
    return " ".join(text.split())


@every_language
@pytest.mark.parametrize("columns", [WIDTH, *(pytest.param(each, marks=pytest.mark.look) for each in (60, 120))])
@pytest.mark.parametrize("name", SHOWN)
def test_every_number_of_the_columns_shown_stands_whole(name, columns, lang, files, monkeypatch, capfd):
    words, pages = with_files(SHOWN[name], files), []
    screen = in_terminal(words, lang, EXIT.get(name, 0), columns)
    monkeypatch.setattr("tlsim.cli.flags.show", lambda page, asked: pages.append((page, asked)))
    assert main([*words, "--lang", lang]) == EXIT.get(name, 0)
    capfd.readouterr()
    ((page, asked),) = pages
    tables, _ = _chosen(page, asked, people=True)
    text, lines, numbers = one_line(screen.text), screen.lines, 0
    for table in tables:
        shown = grid(table, lang, asked.stake)
        if not shown.rows:
            continue
        fitted = fit(shown, columns)
        assert one_line(shown.title) in text
        for row in shown.rows:
            for at in fitted.columns:
                if not shown.headings[at].number or not row[at]:
                    continue
                assert any(row[at] in line for line in lines), (table.view.name, shown.headings[at].text, row[at])
                numbers += 1
            first = next(at for at in fitted.columns)
            assert all(word in text for word in row[first].split())
        for left in fitted.left_out:
            assert one_line(left) in text
    assert numbers >= 3 or name in {"rules list", "rules diff"}


@pytest.mark.parametrize(("name", "lang"), [(name, "vi") for name in SAID] + [("play", "en"), ("replay", "en")])
def test_what_is_no_table_fits_too(name, lang, files):
    """Some of it by the program itself, as a person starts it; the rest is forked from one that has started."""
    words, said = SAID[name]
    found = run_in_terminal(*with_files(words, files), "--lang", lang, columns=WIDTH, fresh=name in FRESH)
    assert found.status == 0, found.text
    assert "Traceback" not in found.text
    assert said in found.text
    assert max(map(len, found.lines)) <= WIDTH


@every_language
def test_what_is_wrong_with_games_breaks_between_words_and_points_at_its_word(tmp_path, lang):
    """Faults and notices of the referee; the line that is shown, and the caret below it, are not broken."""
    shown = "An 3S 3C; Bình 4D 4H; Chi 7D 7X; An 2S 2C; Dũng !4S 4C 5S 5C 6D 6H 7S 7C; Bình 5D 5C"
    (tmp_path / "x.txt").write_text(
        f"rules luckywin\nplayers An Bình Chi Dũng\ngame opening\n{shown}\n", encoding="utf-8"
    )
    found = run_in_terminal("settle", str(tmp_path / "x.txt"), "--lang", lang, columns=WIDTH)
    assert found.status == 1
    at = next(number for number, line in enumerate(found.lines) if line.lstrip() == "^")
    assert found.lines[at - 1].strip() in shown
    assert found.lines[at - 1][found.lines[at].index("^") :].startswith("7X")
    wide = run_in_terminal("settle", str(tmp_path / "x.txt"), "--lang", lang, columns=250)
    said, whole = ([line for line in each.lines if not line.startswith("    ")] for each in (found, wide))
    assert one_line(" ".join(said)) == one_line(" ".join(whole))


def test_every_command_is_here():
    assert {words[0] for words in SHOWN.values()} | {words[0] for words, _ in SAID.values()} == set(COMMANDS)


# Bars


LONG = {
    "odds": (("odds", "--deals", "1e12"), "worst"),
    "simulate": (("simulate", "--rules", "luckywin", "--games", "1e9"), "simulate luckywin"),
    "hand": (("hand", "tu_quy_2", "--ev", "--games", "1e9"), "hand doithuong, tu_quy_2"),
    "fair": (("fair", "--rules", "doithuong", "--games", "1e9"), "fair doithuong, games"),
}


@pytest.mark.parametrize("name", LONG)
def test_a_bar_shows_rate_time_left_and_the_estimate(name):
    """A bar comes after a second, and the estimate another one later; each question has its share of the time."""
    words, label = LONG[name]
    seconds = 10 if name == "fair" else 3
    found = run_in_terminal(*words, "--max-time", f"{seconds}s", "--threads", "1", "--lang", "en", columns=160)
    assert found.status == 0, found.text
    raw = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", found.raw.decode(errors="replace"))
    assert "Traceback" not in raw
    if name != "odds":
        assert label in raw
        assert re.search(r"\d+:\d\d", raw)
    assert re.search(r"/ ?s", raw)
    assert "±" in raw


@pytest.mark.parametrize(("lang", "name", "point"), [("vi", "nhà 0", ","), ("en", "seat 0", r"\.")])
def test_a_bar_fits_a_narrow_terminal(lang, name, point):
    """Numbers in the way of the language; the estimate is whole or absent, and there is some bar."""
    words = ("simulate", "--rules", "luckywin", "--games", "1e9", "--max-time", "4s", "--threads", "1")
    found = run_in_terminal(*words, "--lang", lang, columns=WIDTH)
    raw = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", found.raw.decode(errors="replace"))
    bars = [part.rstrip() for part in re.split(r"[\r\n]+", raw) if "%|" in part]
    number = rf"[+-]?[\d{point}]+(e-\d+)?"
    form = rf"simulate luckywin: \d+%\|.+\| [\d:]+<[\d:?]+ {number}[kM]?/s(, {name} {number} ± {number})?"
    assert bars
    assert [bar for bar in bars if not re.fullmatch(form, bar)] == []
    assert max(map(len, bars)) <= WIDTH
    assert any("±" in bar for bar in bars)


def test_what_is_said_beside_a_bar_stands_above_it(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with tqdm(total=10, file=sys.stderr) as bar:
        bar.update(5)
        complain("interrupted; what is being computed is ended first")
    assert re.search(r"\r *\rinterrupted; what is being computed is ended first\n\r? *50%", sys.stderr.getvalue())


@every_language
@pytest.mark.parametrize("words", [
    ("simulate", "--policies", "smart,lowest"), ("simulate", "--rules", "no_such_rules_at_all_in_this_folder"),
    ("fair", "--policies", "smart[hold=1]"), ("hand", "3S 3S 4C"),
    ("simulate", "--games", "2,5"), ("odds", "--rake", "5%"), ("settle", "/dev/null"), ("rules", "check", "/dev/null"),
])  # fmt: skip
def test_errors_break_between_words(words, lang):
    found = run_in_terminal(*words, "--lang", lang, columns=60)
    wide = run_in_terminal(*words, "--lang", lang, columns=250)
    assert found.status == wide.status != 0
    assert max(map(len, found.lines)) <= 60
    assert len(found.lines) > len(wide.lines)
    assert one_line(found.text) == one_line(wide.text)
