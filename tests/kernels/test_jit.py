"""Where compiled kernels are kept: no edit leaves a stale one, and nothing about the folder stops the program.

Most cases run in a process of their own, on the smallest kernel, with a cache folder of their own.
"""

import errno
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import tlsim
from tlsim import jit

PACKAGE = Path(tlsim.__file__).parent
SCRIPT = """
import numpy as np
from tlsim.kernels.rng import DRAWS, bounded_numbers, stream_key
out = np.zeros(5, np.int64)
bounded_numbers(stream_key(1), DRAWS, 0, 1000, out)
print(*out)
"""
COMPILING = "compiling kernels"
NOT_KEPT = "cannot keep compiled kernels"


def start(cache, package_parent=PACKAGE.parent, script=SCRIPT):
    environment = os.environ | {"TLSIM_CACHE_DIR": str(cache), "PYTHONPATH": str(package_parent)}
    return subprocess.Popen(
        [sys.executable, "-P", "-B", "-c", script],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """Return the numbers and the lines on standard error."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    return out.split(), err.splitlines()


def run(*where, **more):
    return finish(start(*where, **more))


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """The numbers as they should be; five below 1000."""
    found, _ = run(tmp_path_factory.mktemp("cache"))
    assert len(found) == 5
    assert all(0 <= int(n) < 1000 for n in found)
    return found


def folders(cache):
    return sorted(folder.name for folder in cache.glob("kernels-*"))


def test_compiled_once_and_kept(tmp_path, numbers):
    cache = tmp_path / "not" / "there" / "yet"
    found, told = run(cache)
    assert found == numbers
    assert len(told) == 1
    assert COMPILING in told[0]
    assert folders(cache) == [f"kernels-{jit.sources_digest()}"]
    assert run(cache) == (numbers, [])


def test_an_edit_in_another_file_makes_every_kernel_fresh(tmp_path, numbers):
    """numba alone looks at the file of the kernel and would give the old numbers."""
    package, cache = tmp_path / "copy" / "tlsim", tmp_path / "cache"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    assert run(cache, package.parent)[0] == numbers
    helper = package / "bits.py"
    text = helper.read_text(encoding="utf-8")
    edited = text.replace("return [builder.trunc(high, WORD),", "return [builder.trunc(wide, WORD),", 1)
    assert edited != text
    helper.write_text(edited, encoding="utf-8")
    found, told = run(cache, package.parent)
    assert found != numbers
    assert COMPILING in told[0]
    assert len(folders(cache)) == 2
    helper.write_text(text, encoding="utf-8")
    assert run(cache, package.parent) == (numbers, [])


@pytest.mark.parametrize("file", ["jit.py", "bits.py", "kernels/deal.py", "kernels/leftover.py", "exact/joint.py"])
def test_every_kernel_source_is_in_the_digest(file, tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "_PACKAGE", tmp_path / "tlsim")
    shutil.copytree(PACKAGE, tmp_path / "tlsim", ignore=shutil.ignore_patterns("__pycache__"))
    before = jit.sources_digest.__wrapped__()
    assert before == jit.sources_digest()
    with (tmp_path / "tlsim" / file).open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    assert jit.sources_digest.__wrapped__() != before


def test_the_digest_knows_the_instructions_and_the_compiler(monkeypatch):
    before = jit.sources_digest.__wrapped__()
    monkeypatch.setattr(jit.bits, "HAS_BMI2", not jit.bits.HAS_BMI2)
    assert jit.sources_digest.__wrapped__() != before
    monkeypatch.undo()
    monkeypatch.setattr(jit.numba, "__version__", "0.0")
    assert jit.sources_digest.__wrapped__() != before


def test_every_file_with_a_kernel_is_among_the_sources():
    """A kernel in a file that the digest does not see could go stale."""
    seen = {path for pattern in jit._KERNEL_SOURCES for path in PACKAGE.glob(pattern)}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if any(mark in text for mark in ("@kernel", "@step", "@scalar_step", "@intrinsic")):
            assert path in seen, path


def unwritable(tmp_path, how):
    if how == "a file stands there":
        (tmp_path / "cache").write_text("")
        return tmp_path / "cache"
    if how == "no such file system":
        return Path("/proc/nowhere/cache")
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o500)
    return folder


@pytest.mark.parametrize("how", ["a file stands there", "no such file system", "read-only"])
def test_a_folder_that_cannot_be_written_slows_down_and_does_not_stop(how, tmp_path, numbers):
    if how == "read-only" and os.geteuid() == 0:
        pytest.skip("the superuser may write anywhere")
    cache = unwritable(tmp_path, how)
    found, told = run(cache)
    assert found == numbers
    assert len(told) == 1
    assert NOT_KEPT in told[0]
    assert str(cache) in told[0]


def spoil(cache, how):
    files = [path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc")]
    assert len(files) == 2
    for path in files:
        held = path.read_bytes()
        if how == "empty":
            path.write_bytes(b"")
        elif how == "half":
            path.write_bytes(held[: len(held) // 2])
        elif how == "garbage":
            path.write_bytes(bytes(range(7, 256)) * 4)
        elif how == "short index" and path.suffix == ".nbi":
            path.write_bytes(held[:-3])
        elif how == "short kernel" and path.suffix == ".nbc":
            path.write_bytes(held[:100])
        elif how == "no kernel" and path.suffix == ".nbc":
            path.unlink()
        elif how == "another pickle" and path.suffix == ".nbi":
            path.write_bytes(pickle.dumps(numba.__version__) + pickle.dumps([1, 2, 3]))
        elif how == "a folder" and path.suffix == ".nbi":
            path.unlink()
            path.mkdir()


def double(x):
    return 2 * x


def fresh_kernel(folder, monkeypatch):
    """The kernel as a new process would make it."""
    monkeypatch.setattr(jit, "kernel_folder", lambda: folder)
    return jit.kernel(double)


SPOILT = ["empty", "half", "garbage", "short index", "short kernel", "no kernel", "another pickle", "a folder"]


@pytest.mark.parametrize("how", SPOILT)
def test_spoilt_files_are_compiled_anew_and_mended(how, tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "tell_of_compiling", lambda: None)
    assert fresh_kernel(tmp_path, monkeypatch)(21) == 42
    spoil(tmp_path, how)
    spoilt = fresh_kernel(tmp_path, monkeypatch)
    assert spoilt(21) == 42
    assert not spoilt.stats.cache_hits
    mended = fresh_kernel(tmp_path, monkeypatch)
    assert mended(21) == 42
    assert bool(mended.stats.cache_hits) == (how != "a folder")


def test_spoilt_files_in_a_process_of_its_own(tmp_path, numbers):
    run(tmp_path)
    for path in tmp_path.rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:50])
    found, told = run(tmp_path)
    assert found == numbers
    assert len(told) == 1
    assert COMPILING in told[0]
    assert run(tmp_path) == (numbers, [])


@pytest.mark.parametrize("method", ["_save_index", "_save_data", "_load_index"])
def test_a_full_disk_does_not_stop(method, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(jit, "tell_of_compiling", lambda: None)
    monkeypatch.setattr(jit.caching.IndexDataCacheFile, method, fail)
    assert fresh_kernel(tmp_path, monkeypatch)(4) == 8


def test_several_processes_may_fill_the_folder_at_once(tmp_path, numbers):
    for found, _ in map(finish, [start(tmp_path) for _ in range(2)]):
        assert found == numbers
    assert run(tmp_path) == (numbers, [])


def test_without_the_compiler_nothing_is_kept(tmp_path):
    """`import tlsim` alone compiles nothing, and makes no folder."""
    found, told = run(tmp_path / "cache", script="import tlsim; tlsim.exact_odds('zing'); print(0)")
    assert (found, told) == (["0"], [])


def test_a_step_is_compiled_once_for_all_constants_and_is_part_of_its_kernel():
    @jit.step
    def scaled(value, factor):
        return value * factor

    @numba.njit
    def both(value):
        return scaled(value, 3) + scaled(value, 5)

    assert both(7) == 56
    assert len(scaled.signatures) == 1
    assert "scaled" not in "".join(
        line for line in both.inspect_asm(both.signatures[0]).splitlines() if ".globl" in line
    )
