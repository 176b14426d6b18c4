"""The only place that knows the options of the just-in-time compiler, and where compiled kernels are kept.

Compiled kernels are kept in a folder whose name is a digest of the sources of *all* kernels, so that an edit in any
file makes every kernel fresh; numba's own file cache only looks at the file of the function itself. Where the folder
cannot be written the kernels are compiled again in every process: slower, and everything works.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from tlsim import bits
from tlsim.folders import cache_folder

log = logging.getLogger("tlsim")

_PACKAGE = Path(__file__).parent
_KERNEL_SOURCES = ("jit.py", "bits.py", "kernels/*.py", "exact/*.py")


@cache
def sources_digest() -> str:
    """Return the digest of all kernel sources, the compiler's version and the choice of instructions."""
    digest = hashlib.sha256(f"numba {numba.__version__} bmi2 {bits.HAS_BMI2}".encode())
    for pattern in _KERNEL_SOURCES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:20]


@cache
def _kernel_folder() -> Path | None:
    """Return the folder of compiled kernels, or None where there can be none."""
    folder = cache_folder() / f"kernels-{sources_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        log.warning("cannot keep compiled kernels in %s (%s); compiling them anew in every run", folder, error.strerror)
        return None
    return folder


@cache
def _tell_of_compiling() -> None:
    log.warning("compiling kernels; this takes some seconds, once")


class _Locator(caching._CacheLocator):
    """Where the compiled form of one kernel lies."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._line = function.__code__.co_firstlineno
        self._module = function.__module__

    def get_cache_path(self) -> str:
        return str(_kernel_folder())

    def get_source_stamp(self) -> str:
        return sources_digest()

    def get_disambiguator(self) -> str:
        return f"{self._module}-{self._line}"

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:  # noqa: ARG003
        return cls(function)


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _KernelCache(caching.FunctionCache):
    """A file cache that never stops the program: what cannot be read or written is compiled again."""

    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception as error:  # noqa: BLE001 (a spoilt pickle can raise anything)
            log.debug("compiled kernel not readable: %s", error)
            found = None
        if found is None:
            _tell_of_compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:  # noqa: BLE001 (the index is read before it is written)
            log.debug("compiled kernel not kept: %s", error)
            with suppress(Exception):  # over a spoilt index an empty one
                self.flush()
                super().save_overload(sig, data)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function over numbers and arrays that Python calls; it releases the interpreter lock."""
    compiled = numba.njit(nogil=True)(function)
    if _kernel_folder() is not None and not numba.config.DISABLE_JIT:
        compiled._cache = _KernelCache(function)
    return compiled


def step(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call, and that makes no arrays.

    It has no entry for Python, which would take longer to compile than the function, and counts no references to
    arrays, which would take longer than its work.
    """
    return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)
