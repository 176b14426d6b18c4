"""Where a command has a hard time: closed streams, names too long, folders that are gone, files that are none."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

LONG = "a" * 300


def shell(command, **options):
    return subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    ("words", "closed", "status", "prints"),
    [("odds --deals 1000", "2>&-", 0, True), ("rules list", "2>/dev/full", 0, True),
     ("rules list", "2>&- <&-", 0, True), ("odds --rules nope", "2>&-", 2, False),
     ("odds --nope", "2>/dev/full", 2, False), ("settle nowhere.txt", "2>/dev/full", 2, False),
     ("settle nowhere.txt", "2>&- <&-", 2, False)],
)  # fmt: skip
def test_closed_standard_error(closed, words, status, prints):
    """Each way to print and to fail, each way to close: what is said in one place goes through one function."""
    done = shell(f"'{sys.executable}' -m tlsim {words} {closed}")
    assert (done.returncode, bool(done.stdout)) == (status, prints)


RULES, GAMES = 'extends = "zing"\n', "rules zing\nplayers An Bình\n"
WORK = {
    "mine.toml": RULES.encode(), "evening.txt": GAMES.encode(), "buoi_toi.txt": "người chơi An Bình\n".encode(),
    "runs.db": b"SQLite format 3\0", "letter.odt": b"PK\3\4\0",
}  # fmt: skip


@pytest.mark.parametrize("name", WORK)
def test_what_may_be_somebodys_work_is_not_written_over(run, tmp_path, name):
    """Neither by tables nor by rules; --force does it."""
    file = tmp_path / name
    file.write_bytes(WORK[name])
    words = ["fair", "--games", "0", "--write"] if name.endswith(".toml") else ["rules", "list", "--out"]
    status, _, err = run(*words, file)
    assert (status, file.read_bytes()) == (2, WORK[name])
    assert "is there already" in err
    assert "--force" in err
    assert run(*words, file, "--force")[0] == 0
    assert file.read_bytes() != WORK[name]


@pytest.mark.parametrize(
    ("name", "words"),
    [("x.csv", ("rules", "list", "--format", "csv", "--out")), ("x.txt", ("rules", "list", "--out")),
     ("x.html", ("report", "--games", "0", "--rules", "zing", "--out")),
     ("x.png", ("odds", "--rules", "zing", "--deals", "1000", "--plot")), ("x", ("rules", "list", "--out")),
     ("empty.toml", ("rules", "show", "zing", "--out"))],
)  # fmt: skip
def test_what_is_made_again_is_written_over(run, tmp_path, name, words):
    """Pages, tables and pictures; and whatever is still empty."""
    file = tmp_path / name
    file.write_bytes(b"" if "empty" in name else b"old")
    assert run(*words, file)[0] == 0
    assert file.read_bytes() not in {b"", b"old"}


def test_weights_are_not_taught_away(run, tmp_path):
    file = tmp_path / "mine.npz"
    file.write_bytes(b"weights\0")
    status, _, err = run("train", "--out", file)
    assert (status, file.read_bytes()) == (2, b"weights\0")
    assert "--force" in err


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "--deals", "1000", "--out", LONG],
        ["odds", "--deals", "1000", "--plot", f"{LONG}.png"],
        ["odds", "--deals", "1000", "--store", LONG],
        ["odds", "--rules", f"{LONG}.toml"],
        ["rules", "check", LONG],
        ["runs", "list", LONG],
        ["runs", "merge", LONG, LONG],
        ["runs", "export", LONG, "--out", LONG],
        ["settle", LONG],
        ["settle", "-", "--out", LONG],
        ["replay", LONG],
        ["simulate", "--games", "12", "--deal", LONG],
        ["play", "--games", "1", "--out", LONG],
        ["fair", "--write", LONG],
    ],
)
def test_a_name_too_long_is_one_sentence(run, words):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    assert "File name too long" in err


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["rules", "list"], 0),
        (["odds", "--deals", "1000"], 0),
        (["rules", "check", "x.toml"], 2),
        (["odds", "--deals", "1000", "--out", "x"], 2),
        (["odds", "--deals", "1000", "--plot", "x.png"], 2),
        (["odds", "--deals", "1000", "--store", "x.db"], 2),
        (["simulate", "--games", "12", "--policies", "own:policy"], 2),
        (["settle", "x.txt"], 2),
        (["fair", "--write", "x.toml"], 2),
    ],
)
def test_a_working_folder_that_is_gone(run, tmp_path, monkeypatch, words, status):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    found, out, err = run(*words)
    assert (found, bool(out)) == (status, status == 0)
    assert (err == "") == (status == 0)


@pytest.mark.parametrize("file", [":memory:", "/dev/null"])
@pytest.mark.parametrize("words", [["odds", "--deals", "1000", "--store"], ["runs", "list"], ["runs", "merge", "x.db"]])
def test_what_keeps_nothing_is_no_store(run, tmp_path, monkeypatch, words, file):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words, file)
    assert (status, out) == (2, "")
    assert f"{file!r} is no file that keeps anything; a store is a file, name one" in err


@pytest.mark.parametrize(("there", "asked"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_name_whose_marks_are_written_otherwise(run, tmp_path, monkeypatch, there, asked):
    monkeypatch.chdir(tmp_path)
    text = 'extends = "zing"\nname = "tam"\nset."cong.fine" = 3\n'
    for name in ("quán-bà-tám.toml", "của quán.toml"):
        (tmp_path / unicodedata.normalize(there, name)).write_text(text, encoding="utf-8")
    status, out, err = run("rules", "check", unicodedata.normalize(asked, "quán-bà-tám.toml"))
    assert (status, err) == (0, "")
    assert "no faults (tam" in out
    (tmp_path / "child.toml").write_text(
        f'extends = "{unicodedata.normalize(asked, "của quán.toml")}"\nname = "x"\n', encoding="utf-8"
    )
    assert run("rules", "check", "child.toml")[0] == 0
    game = "rules zing\nplayers An Bình\n"
    (tmp_path / unicodedata.normalize(there, "tối thứ bảy.txt")).write_text(game, encoding="utf-8")
    for words in (["settle"], ["replay"], ["simulate", "--games", "12", "--deal"]):
        assert "No such file" not in run(*words, unicodedata.normalize(asked, "tối thứ bảy.txt"))[2]
    store = unicodedata.normalize(there, "đêm.db")
    assert run("odds", "--deals", "1000", "--store", store)[0] == 0
    assert "1,000" in run("runs", "list", unicodedata.normalize(asked, "đêm.db"))[1]
    assert Path(store).exists()
