"""The only place that knows the options of the just-in-time compiler, and where compiled kernels are kept.

Compiled kernels are kept in a folder whose name is a digest of the sources of *all* kernels, so that an edit in any
file makes every kernel fresh; numba's own file cache only looks at the file of the function itself. Where the folder
cannot be written the kernels are compiled again in every process: slower, and everything works.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba.core import caching, codegen, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic
from numba.np import arrayobj

from tlsim import bits
from tlsim.folders import cache_folder

log = logging.getLogger("tlsim")

_PACKAGE = Path(__file__).parent
_KERNEL_SOURCES = ("jit.py", "bits.py", "policy.py", "kernels/*.py", "exact/*.py")


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
    return _step(function, scalar=False)


def scalar_step(function: Callable[..., Any]) -> Any:
    """Compile a step whose loops go over a few seats or cards: vectors would cost more than they save."""
    return _step(function, scalar=True)


def _step(function: Callable[..., Any], *, scalar: bool) -> Any:
    compiled = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)
    compile_step = compiled.compile

    def compile_as_part(signature: Any) -> Any:
        with global_compiler_lock, _part_of_a_kernel(scalar=scalar):
            return compile_step(signature)

    template = compiled.get_call_template

    def template_of_types(args: Any, kws: Any) -> Any:
        """Not one compilation for every constant that the step is called with."""
        return template(tuple(map(numba.types.unliteral, args)), kws)

    compiled.compile = compile_as_part
    compiled.get_call_template = template_of_types
    return compiled


_compiling: list[bool] = []  # the steps being compiled, each within the one before; whether they are scalar


@contextmanager
def _part_of_a_kernel(*, scalar: bool) -> Iterator[None]:
    _compiling.append(scalar)
    try:
        yield
    finally:
        _compiling.pop()


_steps: dict[str, bool] = {}  # compiled ones by name; whether they are scalar


def _optimize(self: Any) -> None:
    if _compiling:
        return
    for function in self._final_module.functions:
        if function.name in _steps:  # nobody else calls it: it may be inlined, or lose arguments that it does not use
            function.linkage = "internal"
            if _steps[function.name]:
                function.add_function_attribute("noimplicitfloat")
    _optimize_whole(self)


def _finalize(self: Any) -> None:
    if not _compiling:
        _finalize_whole(self)
        return
    self._finalize_dynamic_globals()
    self._verify_declare_only_symbols()
    self._finalized = True
    own = (function.name for function in self._final_module.functions if not function.is_declaration)
    _steps.update((name, _compiling[-1]) for name in own if name not in _steps)


def _set_environment(self: Any, name: str, environment: Any) -> None:
    if not _compiling:  # a step has no place in memory of its own
        _set_environment_whole(self, name, environment)


def _fix_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """In a step no index is below 0, and none is asked whether it is: four instructions of every access."""
    if _compiling:
        return context.cast(builder, index, kind, types.intp)
    return _fix_any_index(context, builder, kind, index, size)


_fix_any_index = arrayobj.fix_integer_index
arrayobj.fix_integer_index = _fix_index

# A step is optimised and made machine code as a part of its kernel. The compiler would do that for each step as well,
# and for the steps within it once more: most of the time of compiling, and all of it for nothing.
_optimize_whole = codegen.CPUCodeLibrary._optimize_final_module
_finalize_whole = codegen.CPUCodeLibrary._finalize_final_module
_set_environment_whole = codegen.JITCPUCodegen.set_env
codegen.CPUCodeLibrary._optimize_final_module = _optimize
codegen.CPUCodeLibrary._finalize_final_module = _finalize
codegen.JITCPUCodegen.set_env = _set_environment


@intrinsic
def call_address(context: Any, address: Any, numbers: Any) -> Any:  # noqa: ARG001
    """Call the C function at an address with a pointer to the first of some int64; see `callback`."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = context.make_array(signature.args[1])(context, builder, args[1]).data
        kind = ir.FunctionType(ir.VoidType(), [pointer.type])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [pointer])
        return context.get_dummy_value()

    return types.void(types.int64, numbers), lower


carray = numba.carray


def callback(function: Callable[..., Any]) -> Any:
    """Compile a function of a pointer to int64 that kernels call by its ``address``."""
    return numba.cfunc(types.void(types.CPointer(types.int64)))(function)


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a user's function, and those of his that it calls, once more: an index outside an array is an error."""
    return numba.njit(boundscheck=True)(_copied(function, checked))


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a user's function, and those of his that it calls, as Python runs them: errors say what was wrong."""
    return _copied(function, interpreted)  # type: ignore[no-any-return]


def _copied(function: Any, form: Callable[..., Any]) -> Any:
    """Copy a function so that what it calls, compiled and not of tlsim, is called in another form."""
    plain = getattr(function, "py_func", function)
    names = plain.__globals__
    copied = FunctionType(plain.__code__, dict(names), plain.__name__, plain.__defaults__, plain.__closure__)
    for name in plain.__code__.co_names:
        used = names.get(name)
        ours = (getattr(used, "__module__", None) or "tlsim").partition(".")[0] in ("tlsim", "numba", "numpy")
        if hasattr(used, "py_func") and not ours and used is not function:
            copied.__globals__[name] = form(used)
    return copied
