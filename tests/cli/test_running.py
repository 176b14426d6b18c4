"""The flags of a long run: when it stops, a look ahead, what is refused."""

import json
import signal

import pytest

import tlsim
from tlsim.engine.executors import cores, opened
from tlsim.numerals import duration, shard, share
from tlsim.show import output


def test_a_run_says_why_it_stopped(run):
    words = ("odds", "--deals", "1e9", "--rel-error", "5%", "--of", "sanh_rong", "--seed", "3")
    status, out, _ = run(*words, "--format", "json")
    document = json.loads(out)
    assert (status, document["complete"], document["provenance"]["stopped"]) == (0, True, "error")
    until = tlsim.Until(rel_error=0.05, of="sanh_rong")
    odds = tlsim.estimate_odds("doithuong", deals=10**9, seed=3, until=until)
    assert document["provenance"]["deals"] == odds.deals
    assert "stopped: the wanted error is reached" in run(*words, "--lang", "en")[1]
    assert "dừng vì: đã đạt sai số yêu cầu" in run(*words, "--lang", "vi")[1]


def test_time(run):
    """The blocks begun before are finished, so there is always something."""
    status, out, _ = run("simulate", "--games", "1e9", "--max-time", "0.5s", "--format", "json")
    document = json.loads(out)
    assert (status, document["complete"], document["provenance"]["stopped"]) == (0, True, "time")
    assert 0 < document["provenance"]["games"] < 10**9


@pytest.mark.parametrize("command", [("odds", "--deals"), ("simulate", "--games")])
def test_a_look_ahead_computes_little_and_keeps_nothing(run, command, tmp_path):
    file = tmp_path / "runs.db"
    status, out, err = run(*command, "1e9", "--dry-run", "--store", file, "--format", "json")
    [row] = json.loads(out)["tables"]["plan"]
    assert (status, err) == (0, "")
    each = 1 if command[0] == "odds" else 12  # whole matches
    assert row[command[1][2:]] == row["left"] == -(-(10**9) // each) * each
    assert row["blocks"] > 10
    assert row["seconds"] == pytest.approx(10**9 / row["per_second"], rel=0.01)
    assert row["run"] == f"{command[0]} doithuong"
    assert row["workers"] == cores()
    assert not file.exists()


def test_a_look_ahead_says_how_many_threads_it_was_measured_with(run):
    status, out, _ = run("odds", "--deals", "1e9", "--dry-run", "--threads", "3", "--lang", "en")
    assert status == 0
    assert "measured with 3 threads (--threads)" in out


def test_a_look_ahead_knows_what_is_stored_and_what_an_error_takes(run, tmp_path):
    file = tmp_path / "runs.db"
    tlsim.estimate_odds("doithuong", deals=200_000, store=tlsim.Keep(file, "mine"))
    words = ("odds", "--deals", "1e12", "--dry-run", "--store", file, "--label", "mine", "--format", "json")
    [row] = json.loads(run(*words)[1])["tables"]["plan"]
    assert (row["stored"], row["left"]) == (195 * 1024, 10**12 - 195 * 1024)  # a chunk that was cut is done again
    [row] = json.loads(run(*words, "--rel-error", "1%", "--of", "tu_quy_2")[1])["tables"]["plan"]
    hits = 100**2  # a relative error of 1 %
    assert row["deals"] == pytest.approx(hits / (4 * 0.002641), rel=0.1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rel-error", "20%"), "--rel-error 0.2: must be a number over 0, at most 0.1"),
        (("--rel-error", "x"), "write it as 1% or 0.01"),
        (("--max-time", "0"), "--max-time 0.0: must be a number over 0"),
        (("--abs-error", "0"), "--abs-error 0.0: must be a number over 0"),
        (("--max-time", "soon"), "write it as 90, 90s, 10m or 1h30m"),
        (("--of", "sau_doi"), "give --rel-error or --abs-error"),
        (("--label", "x"), "give --store FILE"),
        (("--dask", "tcp://127.0.0.1:1", "--threads", "0"), "--threads 0"),
    ],
)
def test_what_is_refused(run, words, message):
    status, out, err = run("odds", "--deals", "1000", *words)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("text", ["", "1x", "1.2.3", "h", "%"])
def test_no_times_and_no_shares(text):
    for read in (duration, share, shard):
        with pytest.raises(tlsim.UsageError):
            read(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--store", "", "--shard", "1/2"), "--store '': must be the path of a file"),
        (("--label", ""), "--label and --shard say how a run is kept; give --store FILE with them"),
    ],
)
@pytest.mark.parametrize("command", ["odds", "simulate", "fair"])
def test_an_empty_name_is_no_name(run, command, words, message):
    status, out, err = run(command, *words)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("shard", ["1/2", (1, 2, 3), (1.0, 2), (True, 2), (1, 0), (0, 2), None])
def test_a_shard_is_two_numbers(shard):
    with pytest.raises(tlsim.UsageError, match="must be a part and the number of parts"):
        tlsim.Keep("runs.db", shard=shard)


@pytest.mark.parametrize("words", [("--out", "FILE"), ("--out=FILE",)])
def test_an_early_interrupt_writes_to_the_file(run, monkeypatch, tmp_path, words):
    """An old file must not be taken for the result."""
    file = tmp_path / "odds.json"
    file.write_text('{"complete": true}')
    monkeypatch.setattr("tlsim.show.output.has_written", False)

    def interrupted(_words):
        raise KeyboardInterrupt

    monkeypatch.setattr("tlsim.cli._run", interrupted)
    status, out, _ = run("odds", "--format", "json", *(word.replace("FILE", str(file)) for word in words))
    assert (status, out, json.loads(file.read_text())["complete"]) == (130, "", False)


def test_what_was_written_before_an_interrupt_stays(run, monkeypatch, tmp_path):
    file = tmp_path / "odds.json"

    def interrupted(_words):
        output.write("a part\n", file)
        raise KeyboardInterrupt

    monkeypatch.setattr("tlsim.show.output.has_written", False)
    monkeypatch.setattr("tlsim.cli._run", interrupted)
    assert run("odds", "--format", "json", "--out", file)[:2] == (130, "")
    assert file.read_text() == "a part\n"


def test_processes_have_interrupts_blocked_from_their_beginning():
    with opened("processes", 1) as pool:
        assert pool.executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result() >= {signal.SIGINT}
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
