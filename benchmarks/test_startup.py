"""Start-up, first results in a fresh process, first ever with compiling, and memory."""

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 5


def _seconds(code, **env):
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **env}
    )
    return time.perf_counter() - begin, done.stdout


def _median(code, **env):
    _seconds(code, **env)
    return [_seconds(code, **env)[0] for _ in range(ROUNDS)]


def test_help(bench):
    code = "from tlsim.cli import main; raise SystemExit(main(['--help']))"
    bench.single("tlsim --help", "run", _median(code))
    assert "Usage" in _seconds(code)[1]


def test_import(bench):
    numpy, own = _median("import numpy"), _median("import numpy, tlsim")
    over = statistics.median(own) - statistics.median(numpy)
    bench.single("import tlsim, over import numpy", "import", [max(over, 0)], floor="floor 60 ms")
    loaded = _seconds("import tlsim, sys; print({'numba', 'pandas', 'matplotlib'} & set(sys.modules))")[1]
    assert loaded.strip() == "set()"


def test_first_table_in_a_fresh_process(bench):
    """Until the one-hand table is computed; and until it stands beside ten million simulated deals."""
    numba = statistics.median(_median("import numba"))
    exact = _median("import tlsim; r = tlsim.exact_odds('doithuong'); assert r.rows()[0]['hands'] == 369098752")
    ratio = {"import numba": statistics.median(exact) / numba}
    bench.single("one-hand table in a fresh process", "run", exact, ratios=ratio, floor="floor numba + 0.6 s")
    code = "import tlsim; r = tlsim.estimate_odds('doithuong', progress=lambda *_: None); assert r.deals == 10**7"
    both = _median(code)
    ratio = {"import numba": statistics.median(both) / numba}
    bench.single("the same and 10 M simulated deals", "run", both, ratios=ratio)
    games = _median("import tlsim; assert tlsim.simulate('luckywin', games=1200, policies='lowest').games == 1200")
    ratio = {"import numba": statistics.median(games) / numba}
    bench.single("1,200 games in a fresh process", "run", games, ratios=ratio, floor="floor numba + 0.8 s")


def test_first_commands(bench):
    """Warm commands until they have printed; beside them what it takes to import numba, in the same minute."""
    numba = statistics.median(_median("import numba"))
    for words, goal in ((["simulate", "--games", "1200"], 0.5), (["odds", "--deals", "1e6"], 0.4)):
        seconds = _median(f"from tlsim.cli import main; raise SystemExit(main({words}))")
        over = statistics.median(seconds) - numba
        ratio = {f"import numba, {over:.2f} s more": statistics.median(seconds) / numba}
        bench.single(f"tlsim {' '.join(words)}, warm", "run", seconds, ratios=ratio, floor=f"goal numba + {goal} s")


def test_first_ever(bench, tmp_path):
    code = "import tlsim; r = tlsim.estimate_odds('doithuong', deals=1000, progress=lambda *_: None); print(r.deals)"
    seconds, out = _seconds(code, TLSIM_CACHE_DIR=str(tmp_path / "simulated"))
    bench.single("first simulation ever, compiling", "run", [seconds], floor="floor 6 s")
    assert out.strip() == "1000"
    for policies in ("lowest", "smart", "rollout[n=2],smart,smart,smart"):
        code = f"import tlsim; print(tlsim.simulate('luckywin', games=12, policies='{policies}').games)"
        seconds, out = _seconds(code, TLSIM_CACHE_DIR=str(tmp_path / policies))
        bench.single(f"first games ever, {policies}, compiling", "run", [seconds], floor="floor 20 s")
        assert out.strip() == "12"
    code = "import tlsim; print(tlsim.exact_odds('doithuong').table.exact)"
    seconds, out = _seconds(code, TLSIM_CACHE_DIR=str(tmp_path / "exact"))
    bench.single("first exact law ever, compiling", "run", [seconds])
    assert out.strip() == "True"


def test_memory(bench):
    """Growth of the peak from one million to one hundred million deals; constant from there on by construction."""
    code = (
        "import resource, tlsim\n"
        "quiet = lambda *_: None\n"
        "tlsim.estimate_odds('doithuong', deals=10**6, progress=quiet)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "r = tlsim.estimate_odds('doithuong', deals=10**8, progress=quiet)\n"
        "print(r.deals, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    seconds, out = _seconds(code)
    deals, grown = out.split()
    bench.single(
        f"100 M deals; memory grew by {int(grown) / 1024:.1f} MB from 1 M deals on",
        "run",
        [seconds],
        floor="floor 10 MB",
    )
    assert deals == "100000000"
