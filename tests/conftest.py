"""Settings of all tests."""

import gc
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import settings

# Thousands of tests are many objects, and none of them garbage: looking for it takes a quarter of collecting them.
gc.set_threshold(100_000, 50, 100)

# Every test may import the slow twin (`naive`) and the makers of hostile hands (`hostile`) beside this file.
sys.path.insert(0, str(Path(__file__).parent))

# One thread for products of matrices: several, beside other processes, spend most of their time waiting for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What people read is in English here, whatever the machine speaks; tests of languages say which.
os.environ["LC_ALL"] = "en_US.UTF-8"

# A shell has what it starts in the background ignore interrupts, and tests of interrupts would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run; the first use of a kernel compiles it, so no deadline.
settings.register_profile("tlsim", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("tlsim")


@pytest.fixture(scope="session", autouse=True)
def _counted():
    """The laws that take longest to count are there from the first test on."""
    import counted_tables

    counted_tables.keep()


@pytest.fixture(scope="session")
def processes():
    """Two processes for all tests that leave them alive: starting them takes longer than what they are asked."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool
