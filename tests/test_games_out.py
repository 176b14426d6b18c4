"""Games one by one in Parquet: the games of the simulation, whole files only, whatever ends the run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tlsim
from tlsim.cli import main
from tlsim.engine import gamesout
from tlsim.errors import UsageError
from tlsim.games import write_games

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra 'parquet' is not installed")
ASKED = {"rules": "luckywin", "games": 3000, "seed": 6, "policies": "smart,lowest,random,lowest"}


@pytest.fixture(autouse=True)
def _small_files(monkeypatch):
    monkeypatch.setattr(gamesout, "ROWS", 48 * 16)  # 16 matches


def rows_of(folder):
    return parquet.read_table(folder).to_pandas()


def test_they_are_the_games_of_the_simulation(tmp_path):
    assert write_games(tmp_path, **ASKED) == 3000
    rows, stats = rows_of(tmp_path), tlsim.simulate(**ASKED)
    assert len(rows) == 4 * 3000
    assert len(list(tmp_path.iterdir())) == -(-250 // 16)
    assert not rows.duplicated(["match", "game", "seat"]).any()
    assert rows.groupby(["match", "game"]).net.sum().abs().max() == 0
    for row in stats.rows("seats"):
        own = rows[rows.seat == row["seat"]]
        assert own.net.sum() == pytest.approx(row["mean"] * 3000)
        assert set(own.policy) == {row["policy"]}
        for place in (1, 2, 3, 4):
            assert (own.place == place).sum() == round(row[f"place_{place}"] * 3000)
    for row in stats.rows("roles"):
        assert rows[rows.role == row["role"]].net.sum() == pytest.approx(row["mean"] * 3000)
    one = rows[rows.seat == 0]
    assert one.opening.sum() == stats.rows("events")[0]["count"]
    lengths = {row["entries"]: row["games"] for row in stats.rows("length")}
    assert one.plays.value_counts().to_dict() == lengths
    endings = {row["event"]: row["count"] for row in stats.rows("events") if row["count"]}
    assert all(count == endings[ending] for ending, count in one.ending.value_counts().items())


def test_where_the_direction_turns_seats_are_seats(tmp_path):
    asked = ASKED | {"rules": "doithuong", "games": 600}
    write_games(tmp_path, **asked)
    rows = rows_of(tmp_path)
    for row in tlsim.simulate(**asked).rows("seats"):
        assert rows[rows.seat == row["seat"]].net.sum() == pytest.approx(row["mean"] * 600)


@pytest.mark.parametrize("how", [{"threads": 3}, {"executor": "processes", "threads": 2}])
def test_the_files_do_not_depend_on_what_does_the_work(tmp_path, monkeypatch, how):
    monkeypatch.setattr(gamesout, "ROWS", 1 << 15)  # processes know nothing of the small files
    asked = ASKED | {"games": 10_000}
    for name, each in (("one", {"threads": 1}), ("two", how)):
        write_games(tmp_path / name, **asked, **each)
    files = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert files == sorted(file.name for file in (tmp_path / "two").iterdir())
    assert all(
        parquet.read_table(tmp_path / "one" / file).equals(parquet.read_table(tmp_path / "two" / file))
        for file in files
    )


def test_more_games_later_write_what_is_missing(tmp_path):
    write_games(tmp_path, **ASKED)
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    write_games(tmp_path, **ASKED | {"games": 4200})
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    kept = [name for name in before if after.get(name) == before[name]]
    assert len(kept) == len(before) - 1  # the last was of fewer matches
    rows = rows_of(tmp_path)
    assert len(rows) == 4 * 4200
    assert not rows.duplicated(["match", "game", "seat"]).any()


def test_games_of_another_run_are_refused(tmp_path):
    write_games(tmp_path, **ASKED)
    with pytest.raises(UsageError, match=r"has games of another run: seed is 6 there and 7 here; name another folder"):
        write_games(tmp_path, **ASKED | {"seed": 7})


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write in"):
        write_games(tmp_path / "file" / "folder", **ASKED)


def test_a_full_disk_leaves_whole_files(tmp_path, monkeypatch):
    write, files = parquet.write_table, []

    def full(table, file, **how):
        write(table, file, **how)
        files.append(file)
        if len(files) == 5:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(UsageError, match="No space left on device; whole files are kept, the same command goes on"):
        write_games(tmp_path, **ASKED, threads=1)
    monkeypatch.setattr(parquet, "write_table", write)
    assert not list(tmp_path.glob(".*.part"))
    assert len(list(tmp_path.iterdir())) == 4
    assert write_games(tmp_path, **ASKED) == 3000
    assert len(rows_of(tmp_path)) == 4 * 3000


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'tlsim\[parquet\]'"):
        write_games(tmp_path, **ASKED)


def test_a_killed_run_leaves_whole_files(tmp_path):
    """Killed as soon as there is a file; what is there can be read, and the same command ends with all of it."""
    words = [
        "simulate",
        "--rules",
        "luckywin",
        "--games",
        "18000",
        "--games-out",
        str(tmp_path / "out"),
        "--lang",
        "en",
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])}
    program = subprocess.Popen([sys.executable, "-m", "tlsim", *words], env=environment, stdout=subprocess.DEVNULL)
    while not list((tmp_path / "out").glob("*.parquet")):
        time.sleep(0.02)
    program.send_signal(signal.SIGKILL)
    program.wait()
    rows = rows_of(tmp_path / "out")
    assert 0 < len(rows) < 4 * 18_000
    assert (rows.groupby(["match", "game"]).size() == 4).all()
    command = [sys.executable, "-m", "tlsim", *words]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    assert len(rows_of(tmp_path / "out")) == 4 * 18_000
    assert not list((tmp_path / "out").glob(".*.part"))


def test_the_command(tmp_path, capfd):
    assert main(["simulate", "--games", "600", "--games-out", str(tmp_path), "--format", "json"]) == 0
    assert capfd.readouterr().err == ""
    assert len(rows_of(tmp_path)) == 4 * 600
