"""Single instructions against plain Python, and that a processor without them gives the same numbers."""

import json
import os
import random
import subprocess
import sys

import numba
import numpy as np
import pytest

from tlsim import bits
from tlsim.bits import deposit, popcount, trailing_zeros, wide_multiply_add, wide_product

WORDS = [0, 1, 2, 2**31, 2**32 - 1, 2**52 - 1, 2**63, 2**64 - 1, 0x5555555555555555, 0x9E3779B97F4A7C15]


@numba.njit
def _wide_product(a, b):
    return wide_product(a, b)


@numba.njit
def _multiply_add(total, value, factor):
    return wide_multiply_add(total, value, factor)


@numba.njit
def _counts(x):
    return popcount(x), trailing_zeros(x)


@numba.njit
def _deposit(source, mask):
    return deposit(source, mask)


def halves(x):
    return np.uint64(x >> 64 & 2**64 - 1), np.uint64(x & 2**64 - 1)


def test_wide_product():
    rng = random.Random(1)
    for a, b in [(a, b) for a in WORDS for b in WORDS] + [
        (rng.getrandbits(64), rng.getrandbits(64)) for _ in range(500)
    ]:
        high, low = _wide_product(np.uint64(a), np.uint64(b))
        assert (int(high) << 64) + int(low) == a * b


def test_wide_multiply_add():
    rng = random.Random(2)
    for _ in range(500):
        total, value = (rng.getrandbits(rng.choice((1, 64, 127, 128))) for _ in range(2))
        factor = rng.choice(WORDS)
        high, low = _multiply_add(halves(total), halves(value), np.uint64(factor))
        assert (int(high) << 64) + int(low) == (total + value * factor) % 2**128


def test_counts_of_bits():
    rng = random.Random(3)
    for x in [0, 1, -1, 1 << 51, -(2**63), *(rng.getrandbits(52) for _ in range(500))]:
        plain = x & 2**64 - 1
        zeros = (plain & -plain).bit_length() - 1 if plain else 64
        assert _counts(np.int64(x)) == (plain.bit_count(), zeros)


def slow_deposit(source, mask):
    result = 0
    while mask:
        low = mask & -mask
        result |= low if source & 1 else 0
        mask ^= low
        source >>= 1
    return result


def test_deposit():
    rng = random.Random(4)
    cases = [(rng.getrandbits(52), rng.getrandbits(52)) for _ in range(2000)]
    cases += [
        (2**52 - 1, 2**52 - 1),
        (0, 2**52 - 1),
        (2**52 - 1, 0),
        (5, 1 << 51),
        (1, 1 << 51),
        (2**13 - 1, 255 << 20),
    ]
    for source, mask in cases:
        assert _deposit(np.int64(source), np.int64(mask)) == slow_deposit(source, mask)


def test_the_byte_table_of_the_stand_in():
    table = bits._byte_table()
    rng = random.Random(5)
    for mask, source in [(rng.randrange(256), rng.randrange(256)) for _ in range(1000)] + [(255, 255), (0, 255)]:
        assert table[mask, source] == slow_deposit(source, mask)


# Whether the processor is asked


@pytest.mark.parametrize(("cpu", "features", "chosen", "wanted"), [
    (None, None, "", None), (None, None, "1", False), ("generic", None, "", False), ("generic", "", "", False),
    ("znver3", "+avx2", "", False), ("znver3", "+avx2,+bmi2", "", True), ("znver3", "+bmi2", "1", False),
    (None, "-bmi2", "", False), (None, "+sse2,-bmi2,+avx", "", False),
])  # fmt: skip
def test_the_processor_that_code_is_made_for_is_asked(monkeypatch, cpu, features, chosen, wanted):
    monkeypatch.setattr(numba.config, "CPU_NAME", cpu)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", features)
    monkeypatch.setenv("TLSIM_NO_BMI2", chosen)
    for host in (True, False):
        monkeypatch.setattr(bits.llvm, "get_host_cpu_features", lambda host=host: {"bmi2": host})
        assert bits._has_bmi2() == (host if wanted is None else wanted)
    monkeypatch.setattr(bits.llvm, "get_host_cpu_features", dict)
    assert bits._has_bmi2() == bool(wanted)


TALLIES = """
import json, sys
import numpy as np
import tlsim
from tlsim import bits
from tlsim.kernels.deal import deal, dealer
from tlsim.kernels.rng import stream_key

found = {"bmi2": bits.HAS_BMI2}
for name, players in (("doithuong", 4), ("sam_loc", 5)):
    odds = tlsim.estimate_odds(name, deals=20_000, players=players, seed=3, threads=1)
    found[name] = [odds.tally.total(each).tolist() for each in ("held", "counts", "wins", "seats", "heo")]
found["hands"] = deal(stream_key(1), dealer(3, 13, 0b111, 1 << 51), 9, 1)[:, ::50].tolist()
found["drawn"] = tlsim.draw_hands("doithuong", "sau_doi", n=20, seed=2).tolist()
json.dump(found, sys.stdout)
"""


def tallies(**environment):
    run = subprocess.run(
        [sys.executable, "-c", TALLIES], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def here():
    return tallies()


@pytest.mark.parametrize("environment", [{"TLSIM_NO_BMI2": "1"}, {"NUMBA_CPU_NAME": "generic"}], ids=str)
def test_a_processor_without_pdep_gives_the_same_numbers(environment, here):
    """LLVM would end the process without a word if the instruction were used all the same."""
    there = tallies(**environment)
    assert there.pop("bmi2") is False
    assert there == {key: value for key, value in here.items() if key != "bmi2"}
    assert sum(here["doithuong"][0]) > 50
