"""Parts are compiled side by side in children, once; a second policy compiles that policy alone."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import started

import tlsim
from tlsim import warm
from tlsim.engine.parts import names_of
from tlsim.engine.policies import read_policies
from tlsim.rules import load_rules


def test_the_parts_that_games_need():
    def names(policies, rules="luckywin"):
        return names_of(read_policies(policies, 4), load_rules(rules))

    assert names("lowest") == {"hands", "hall", "table"}
    assert names("smart") - names("lowest") == {"smart"}
    assert names("random") - names("lowest") == {"choices"}
    assert names("rollout") - names("smart") == {"rollout", "choices"}
    assert names("lowest", "tong_thong") == names("lowest", "doithuong") == names("lowest")
    assert names("rollout") < set(warm.PARTS)


def test_an_unknown_part_is_not_compiled(tmp_path):
    with pytest.raises(KeyError):
        warm.compile_part(tmp_path, "no_such_part")


@pytest.mark.slow
def test_everything_is_compiled_once_by_children(tmp_path):
    """From an empty cache, by two programs at once; a third finds all of it."""
    env = {"TLSIM_CACHE_DIR": str(tmp_path)}
    told = [program.communicate() for program in [started("warm", "--format", "csv", env=env) for _ in range(2)]]
    for out, err in told:
        assert [row["part"] for row in csv.DictReader(out.splitlines())] == list(warm.PARTS), err
    assert sorted("compiling kernels" in err for _, err in told) == [False, True]
    code = "import tlsim; tlsim.simulate('sam_loc', games=4, policies='rollout[n=2],smart,random,lowest')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_with(env))
    assert done.stderr == ""


def _with(env):
    return os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])} | env


def test_where_the_cache_cannot_be_written_parts_are_compiled_in_the_process(monkeypatch):
    called = []
    monkeypatch.setattr(warm.jit, "kernel_folder", lambda: None)
    monkeypatch.setattr(warm, "_here", set())
    monkeypatch.setattr(warm, "_compile_all", lambda *_: called.append(1))
    warm.ready("table", "hall")
    assert called == []
    assert warm.seconds() == {}
