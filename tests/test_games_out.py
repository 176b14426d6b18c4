"""Games one by one in Parquet: the games of the simulation, whole files only, whatever ends the run."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tlsim
from tlsim.cli import main
from tlsim.engine import game_files
from tlsim.errors import UsageError

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra 'parquet' is not installed")
ASKED = {"rules": "luckywin", "games": 3000, "seed": 6, "policies": "smart,lowest,random,lowest"}


@pytest.fixture(autouse=True)
def _small_files(monkeypatch):
    monkeypatch.setattr(game_files, "ROWS", 48 * 16)  # 16 matches


def rows_of(folder):
    return parquet.read_table(folder).to_pandas()


def test_they_are_the_games_of_the_simulation(tmp_path):
    assert tlsim.write_games(tmp_path, **ASKED) == 3000
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
    tlsim.write_games(tmp_path, **asked)
    rows = rows_of(tmp_path)
    for row in tlsim.simulate(**asked).rows("seats"):
        assert rows[rows.seat == row["seat"]].net.sum() == pytest.approx(row["mean"] * 600)


def test_the_files_do_not_depend_on_what_does_the_work(tmp_path, monkeypatch, processes):
    monkeypatch.setattr(game_files, "ROWS", 1 << 15)  # processes know nothing of the small files
    asked, hows = ASKED | {"games": 10_000}, [{"threads": 1}, {"threads": 3}, {"executor": processes, "threads": 2}]
    found = []
    for at, how in enumerate(hows):
        tlsim.write_games(tmp_path / str(at), **asked, **how)
        found.append({file.name: parquet.read_table(file) for file in sorted((tmp_path / str(at)).iterdir())})
    assert len(found[0]) > 1
    assert found[0].keys() == found[1].keys() == found[2].keys()
    assert all(found[0][name].equals(other[name]) for name in found[0] for other in found[1:])


def test_more_games_later_write_what_is_missing(tmp_path):
    tlsim.write_games(tmp_path, **ASKED)
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    tlsim.write_games(tmp_path, **ASKED | {"games": 4200})
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    kept = [name for name in before if after.get(name) == before[name]]
    assert len(kept) == len(before) - 1  # the last was of fewer matches
    rows = rows_of(tmp_path)
    assert len(rows) == 4 * 4200
    assert not rows.duplicated(["match", "game", "seat"]).any()


def names_in(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("games", [12, 600, 2988, 3000])
def test_fewer_games_later_write_nothing(tmp_path, games):
    """Not even where the last of the fewer matches is within a file of more."""
    tlsim.write_games(tmp_path, **ASKED)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert tlsim.write_games(tmp_path, **ASKED | {"games": games}) == games
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before
    assert len(rows_of(tmp_path)) == 4 * 3000


def test_two_files_of_one_match_become_one(tmp_path):
    """As two processes leave them that want different numbers of games at once."""
    tlsim.write_games(tmp_path / "fewer", **ASKED)
    tlsim.write_games(tmp_path / "more", **ASKED | {"games": 4200})
    for file in (tmp_path / "fewer").iterdir():
        file.rename(tmp_path / "more" / file.name)
    assert len(rows_of(tmp_path / "more")) > 4 * 4200
    tlsim.write_games(tmp_path / "more", **ASKED)
    assert len(rows_of(tmp_path / "more")) == 4 * 4200


def short_of_rows(file):
    parquet.write_table(parquet.read_table(file).slice(0, 100), file)


def of_other_matches(file):
    other = file.with_name("matches-000000000032-000000000047.parquet")
    file.write_bytes(other.read_bytes())


DAMAGES = {
    "empty": lambda file: file.write_bytes(b""),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "torn": lambda file: file.write_bytes(file.read_bytes()[:-100]),
    "footer": lambda file: file.write_bytes(file.read_bytes()[:-300] + bytes(range(1, 251)) + file.read_bytes()[-50:]),
    "rows": short_of_rows,
    "range": of_other_matches,
}


@pytest.mark.parametrize(
    ("damage", "at"), [(damage, (0, 16, 240)[at % 3]) for at, damage in enumerate(DAMAGES.values())], ids=DAMAGES
)
def test_a_damaged_file_is_written_again(tmp_path, damage, at, caplog):
    tlsim.write_games(tmp_path, **ASKED)
    names = names_in(tmp_path)
    (file,) = tmp_path.glob(f"matches-{at:012}-*")
    whole = parquet.read_table(file)
    damage(file)
    assert tlsim.write_games(tmp_path, **ASKED) == 3000
    assert names_in(tmp_path) == names
    assert parquet.read_table(file).equals(whole)
    assert f"{file.name} is damaged and is written again" in caplog.text


@pytest.mark.parametrize("name", ["mine.parquet", "matches-000000000003-000000000004.parquet"])
def test_a_file_that_is_no_part_of_the_games_is_refused(tmp_path, name):
    tlsim.write_games(tmp_path, **ASKED)
    (tmp_path / name).write_bytes((tmp_path / names_in(tmp_path)[0]).read_bytes())
    with pytest.raises(UsageError, match=rf"{name}' is no file of the games of this run; name another folder"):
        tlsim.write_games(tmp_path, **ASKED)
    assert (tmp_path / name).exists()


def test_each_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    done, sync, replace = [], os.fsync, Path.replace

    def synced(number):
        done.append("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file")
        sync(number)

    def renamed(self, target):
        done.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    tlsim.write_games(tmp_path, **ASKED | {"games": 12}, threads=1)
    assert done == ["file", "rename", "folder"]


@pytest.mark.parametrize("folder", ["", " ", "file", "file/folder", "a\0b"])
def test_a_folder_that_cannot_be_is_refused_before_anything_is_played(tmp_path, monkeypatch, capfd, folder):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    monkeypatch.setattr("tlsim.engine.run.run", pytest.fail)
    with pytest.raises(UsageError, match=r"cannot write in|give it a name"):
        tlsim.write_games(folder, **ASKED)
    assert main(["simulate", "--games", "600", "--games-out", folder]) == 2
    captured = capfd.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert names_in(tmp_path) == ["file"]


def test_games_of_another_run_are_refused(tmp_path):
    tlsim.write_games(tmp_path, **ASKED)
    with pytest.raises(UsageError, match=r"has games of another run: seed is 6 there and 7 here; name another folder"):
        tlsim.write_games(tmp_path, **ASKED | {"seed": 7})


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot write in"):
        tlsim.write_games(tmp_path / "file" / "folder", **ASKED)


def test_a_full_disk_leaves_whole_files(tmp_path, monkeypatch):
    write, files = parquet.write_table, []

    def full(table, file, **how):
        write(table, file, **how)
        files.append(file)
        if len(files) >= 5:  # and stays full for what is begun by then
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(UsageError, match="No space left on device; whole files are kept, the same command goes on"):
        tlsim.write_games(tmp_path, **ASKED, threads=1)
    monkeypatch.setattr(parquet, "write_table", write)
    assert not list(tmp_path.glob(".*.part"))
    assert len(list(tmp_path.iterdir())) == 4
    assert tlsim.write_games(tmp_path, **ASKED) == 3000
    assert len(rows_of(tmp_path)) == 4 * 3000


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'tlsim\[parquet\]'"):
        tlsim.write_games(tmp_path, **ASKED)


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
