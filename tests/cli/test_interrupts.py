"""Interrupts of the program: one shows what there is, another ends at once."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import started

import tlsim

ENDLESS = """
import runpy, sys, time
from tlsim.engine.odds_work import OddsWork
call = OddsWork.__call__
def endless(self, block, stop=None):
    if block.first >= 64:
        print("stuck", file=sys.stderr, flush=True)
        while True:
            time.sleep(0.1)
    return call(self, block, stop)
OddsWork.__call__ = endless
sys.argv = ["tlsim", *sys.argv[1:]]
runpy.run_module("tlsim", run_name="__main__")
"""


def test_a_second_interrupt_ends_a_run_that_does_not_stop():
    """The work never looks at the flag, so that the first interrupt waits for it in vain."""
    program = started("odds", "--deals", "1e9", "--threads", "1", "--format", "json", code=ENDLESS)
    while program.stderr.readline() != "stuck\n":
        pass
    program.send_signal(signal.SIGINT)
    time.sleep(1.5)
    assert program.poll() is None
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=20)
    assert program.returncode == 130


def test_the_first_interrupt_ends_a_run_that_does_not_stop():
    """As a policy that never returns: after a while it is left behind, and the program ends with what was computed."""
    soon = ENDLESS.replace("call =", "from tlsim.engine import run\nrun._HEEDED = 0.5\ncall =", 1)
    program = started("odds", "--deals", "1e9", "--threads", "1", "--format", "json", code=soon)
    while program.stderr.readline() != "stuck\n":
        pass
    program.send_signal(signal.SIGINT)
    out, _ = program.communicate(timeout=60)
    assert program.returncode == 130
    page = json.loads(out)
    assert page["complete"] is False
    assert page["provenance"]["deals"] >= 1024


@pytest.mark.parametrize("words", [("play", "--games", "1000000"), ("settle", "{}", "--format", "notation")])
def test_games_that_are_written_until_an_interrupt_are_said_to_be_a_part(words, tmp_path):
    games = "".join(json.dumps(record) + "\n" for record in tlsim.play("luckywin", games=12))
    (tmp_path / "games").write_text(games * 1000, encoding="utf-8")
    out = tmp_path / "out"
    program = started(*(word.format(tmp_path / "games") for word in words), "--out", out)
    while not (out.exists() and out.stat().st_size):
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "partial: the run was interrupted" in err


WITHIN_EXEC = """
import sys
import tlsim.cli
from tlsim.show import output
from tlsim.show.formats import as_json
def interrupted(_words):
    output.write(as_json("odds", {}, {}, complete=False))
    exec("raise KeyboardInterrupt")
tlsim.cli._run = interrupted
sys.exit(tlsim.cli.main())
"""


def test_an_interrupt_while_something_is_imported_has_its_exit_status(tmp_path):
    """Imports execute texts, of dataclasses for one; Python ends by SIGINT after an interrupt there, if it may."""
    (tmp_path / "begin_within_exec.py").write_text(WITHIN_EXEC, encoding="utf-8")
    words = [sys.executable, "-m", "begin_within_exec", "odds", "--format", "json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(tlsim.__file__).parents[1])])}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")
    assert json.loads(done.stdout)["complete"] is False


def test_an_interrupted_run_with_a_store_goes_on(tmp_path):
    """The partial tables are valid JSON, say that they are partial, and the same command ends with all of it."""
    file = tmp_path / "runs.db"
    words = (
        "simulate",
        "--rules",
        "luckywin",
        "--games",
        "1.5e6",
        "--policies",
        "lowest",
        "--seed",
        "8",
        "--format",
        "json",
    )
    program = started(*words, "--store", file, "--threads", "1")  # for seconds, of which the first is stored
    while not file.exists() or not tlsim_runs(file):
        time.sleep(0.05)
    program.send_signal(signal.SIGTERM)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 143
    assert "Traceback" not in err
    document = json.loads(out)
    assert document["complete"] is False
    assert document["provenance"]["stopped"] == "interrupt"
    program = started(*words, "--store", file)
    out, _ = program.communicate(timeout=120)
    assert program.returncode == 0
    whole = tlsim.simulate("luckywin", games=1_500_000, policies="lowest", seed=8)
    assert [row["mean"] for row in json.loads(out)["tables"]["seats"]] == [row["mean"] for row in whole.rows("seats")]


def tlsim_runs(file):
    """Return whether something of a run is stored."""
    from tlsim.engine.store import StoreError
    from tlsim.questions.kept import list_runs

    try:
        return any(row["done"] for row in list_runs(file))
    except StoreError:  # it is being made
        return False


def test_a_store_that_cannot_be_written_still_shows_what_there_is(tmp_path):
    code = """
import runpy, sys
from tlsim.engine import keep
from tlsim.engine.store import Store, StoreError
def full(*_):
    raise StoreError("the disk is full")
Store.write, keep._COMMIT_EVERY = full, -1.0
sys.argv = ["tlsim", *sys.argv[1:]]
runpy.run_module("tlsim", run_name="__main__")
"""
    words = ("odds", "--deals", "100000", "--format", "json", "--store", tmp_path / "runs.db")
    program = started(*words, code=code)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 2
    assert "Error: the disk is full" in err
    assert json.loads(out)["complete"] is False
    assert 0 < json.loads(out)["provenance"]["deals"] <= 100_000
