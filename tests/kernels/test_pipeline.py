"""How steps are compiled changes nothing of numba's, and where numba is not as known it compiles in its own way."""

import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tlsim
from tlsim import pipeline

OWN = """
import sys
if "with" in sys.argv:
    import numpy
    from tlsim.kernels.leftover import add_values
    from tlsim.kernels.rng import DRAWS, bounded_numbers, stream_key
    bounded_numbers(stream_key(1), DRAWS, 0, 1000, numpy.zeros(5, numpy.int64))
import numba, numpy
@numba.njit
def inner(values, at):
    return values[at] // (at + 5)
@numba.njit
def own(values):
    total = 0.0
    for at in range(-3, len(values)):
        total += inner(values, at) % 7
    return total / values[-1]
own(numpy.arange(5))
print(own.inspect_asm(own.signatures[0]))
"""
NUMBERS = """
import numpy as np
from tlsim.kernels.rng import DRAWS, bounded_numbers, stream_key
out = np.zeros(5, np.int64)
bounded_numbers(stream_key(1), DRAWS, 0, 1000, out)
print(*out)
"""
CALLERS = """
import numba
import numpy as np
import tlsim
from tlsim.engine.rule_numbers import game_row
from tlsim.jit import pointer
from tlsim.kernels.combos import describe
from tlsim.kernels.moves import lowest_chop
row = game_row(tlsim.load_rules("luckywin"), 4)
@numba.njit
def chop(row, hand):
    return lowest_chop(pointer(row), hand, 0, 1)
@numba.njit
def kind(row, cards):
    return describe(pointer(row), cards)[0]
print(chop(row, 15), *(kind(row, cards) for cards in (1, 3, 7, 15, 0x1110)))
"""


def run(code, *words, **environment):
    env = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1])} | environment
    command = [sys.executable, "-P", "-c", code, *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def test_functions_of_users_are_compiled_as_without_tlsim():
    """The same machine code, but for running numbers and addresses in names."""
    alone, beside = (re.sub(r"B\d+v\d+|picklebuf\.\d+", "", run(OWN, word)) for word in ("without", "with"))
    assert len(alone) > 1000
    assert beside == alone


def test_functions_of_users_that_call_the_same_steps_do_not_meet():
    """In the first `describe` is an inner step, and so of another form than in the second, which must not find it.

    A single, a pair, a triple, a quad and a straight; on an empty table there is nothing to chop.
    """
    assert run(CALLERS) == "0 1 2 3 4 5\n"


def test_nothing_of_numba_is_changed():
    code = (
        "from numba.core import codegen, compiler\nfrom numba.np import arrayobj\n"
        "kinds = codegen.CPUCodeLibrary, codegen.JITCodeLibrary, codegen.JITCPUCodegen, compiler.Compiler, arrayobj\n"
        "before = [dict(vars(kind)) for kind in kinds]\n"
        "import tlsim.kernels.hall\n"
        "print([dict(vars(kind)) for kind in kinds] == before)\n"
    )
    assert run(code) == "True\n"


def test_without_the_pipeline_the_numbers_are_the_same(tmp_path):
    plain = run(NUMBERS, TLSIM_PLAIN_NUMBA="1", TLSIM_CACHE_DIR=str(tmp_path / "plain"))
    assert plain == run(NUMBERS, TLSIM_CACHE_DIR=str(tmp_path / "own"))
    assert len(plain.split()) == 5


@pytest.mark.parametrize("name", ["finalize", "_optimize_final_module", "_finalize_dynamic_globals"])
def test_where_numba_is_not_as_known_it_compiles_in_its_own_way(name, monkeypatch, caplog):
    from numba.core.codegen import CPUCodeLibrary

    monkeypatch.setattr(CPUCodeLibrary, name, None)
    with caplog.at_level(logging.WARNING, "tlsim"):
        assert pipeline._compilers.__wrapped__() == {}
    (record,) = caplog.records
    assert f"CPUCodeLibrary has no {name}" in record.message
    assert "more slowly" in record.message


def test_the_tested_range_is_the_one_that_is_asked_for():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    low, high = pipeline.TESTED
    major, minor = high.split(".")
    assert f'"numba>={low},<{major}.{int(minor) + 1}"' in text
