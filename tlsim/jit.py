"""The only place that knows the options of the just-in-time compiler, and where compiled kernels are kept.

Compiled kernels are kept in a folder whose name is a digest of the sources of *all* kernels, so that an edit in any
file makes every kernel fresh; numba's own file cache only looks at the file of the function itself. Where the folder
cannot be written the kernels are compiled again in every process: slower, and everything works.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba.core import caching, types
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from tlsim import bits
from tlsim.catalogue import N_, say, told
from tlsim.errors import reason
from tlsim.folders import cache_folder
from tlsim.pipeline import pipeline

log = logging.getLogger("tlsim")

_PACKAGE = Path(__file__).parent
_KERNEL_SOURCES = ("jit.py", "pipeline.py", "bits.py", "policy.py", "kernels/*.py", "exact/*.py")


@cache
def sources_digest() -> str:
    """Return the digest of all kernel sources, the compiler's version and the choice of instructions."""
    digest = hashlib.sha256(f"numba {numba.__version__} bmi2 {bits.HAS_BMI2}".encode())
    for pattern in _KERNEL_SOURCES:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def kernel_folder() -> Path | None:
    """Return the folder of compiled kernels, or None where there can be none."""
    folder = cache_folder() / f"kernels-{sources_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        text = N_("cannot keep compiled kernels in {folder} ({why}); compiling them anew in every run")
        log.warning(say(text, folder=folder, why=told(reason(error))))
        return None
    return folder


@cache
def tell_of_compiling() -> None:
    """Say once that something is being compiled."""
    log.warning(say("compiling kernels; this takes some fifteen seconds on two cores, once"))


class _Locator(caching._CacheLocator):
    """Where the compiled form of one kernel lies."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._line = function.__code__.co_firstlineno
        self._module = function.__module__

    def get_cache_path(self) -> str:
        return str(kernel_folder())

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
        """Load what is kept without all that numba can compile, which takes longer to import than games to play."""
        rtsys.initialize(target_context)
        load, found = getattr(self, "_load_overload", super().load_overload), None
        try:
            found = load(sig, target_context)
        except Exception as error:  # noqa: BLE001 (a spoilt pickle can raise anything)
            log.debug("compiled kernel not readable: %s", error)
        if found is None:
            tell_of_compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception as error:  # noqa: BLE001 (the index is read before it is written)
            log.debug("compiled kernel not kept: %s", error)
            with suppress(Exception):  # over a spoilt index an empty one
                self.flush()
                super().save_overload(sig, data)


def compiles() -> bool:
    """Return whether anything is compiled; ``NUMBA_DISABLE_JIT=1`` turns that off."""
    return not numba.config.DISABLE_JIT


def _kept(made: Any) -> Any:
    """Let a compiled function be kept in the folder."""
    if kernel_folder() is not None and compiles():
        made._cache = _KernelCache(made.py_func)
    return made


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function over numbers and arrays that Python calls, and keep it; it releases the interpreter lock."""
    return _kept(numba.njit(nogil=True, error_model="numpy", **pipeline("kernel"))(function))


def _step(function: Callable[..., Any], kind: str) -> Any:
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, "error_model": "numpy"}
    made = numba.njit(**options, **pipeline(kind))(function)
    template = made.get_call_template

    def template_of_types(args: Any, kws: Any) -> Any:
        """Not one compilation for every constant that the step is called with."""
        return template(tuple(map(numba.types.unliteral, args)), kws)

    made.get_call_template = template_of_types
    return made


step = partial(_step, kind="step")
"""Compile a function that only kernels call, and that makes no arrays.

It has no entry for Python, which would take longer to compile than the function, and counts no references to arrays,
which would take longer than its work.
"""
scalar_step = partial(_step, kind="scalar")
"""Compile a step whose loops go over a few seats or cards: vectors would cost more than they save."""
inner_step = partial(_step, kind="inner")
"""Compile a scalar step that stands within the loop over the plays of a game: it is always inlined."""

ROW = types.CPointer(types.int64)
_PART = types.int64(ROW, types.int64, types.int64)


class Part:
    """A function of a row and two numbers that is compiled apart, once, and called by its address."""

    def __init__(self, function: Callable[..., Any]) -> None:
        options = {"no_cpython_wrapper": True, "_nrt": False, "error_model": "numpy"}
        self.function = _kept(numba.njit(**options, **pipeline("part"))(function))

    @cached_property
    def address(self) -> int:
        """Where it can be called; compiles it, or finds it in the cache."""
        self.function.compile(_PART)
        done = self.function.overloads[_PART.args]
        return int(done.library.get_pointer_to_function(done.fndesc.llvm_cfunc_wrapper_name))

    def __call__(self, row: Any, what: int = 0, value: int = 0) -> int:
        """Call it from Python on a row, an array of int64."""
        if numba.config.DISABLE_JIT:
            return int(self.function(row, what, value))
        return int(_C_PART(self.address)(row.ctypes.data, what, value))


_C_PART = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@intrinsic
def call_kernel(context: Any, address: Any, values: Any) -> Any:  # noqa: ARG001
    """Call a compiled kernel without an answer at an address, with a tuple of what it takes; see `address_of`."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        takes = signature.args[1].types
        kind = context.call_conv.get_function_type(types.none, takes).as_pointer()
        unpacked = [builder.extract_value(args[1], at) for at in range(len(takes))]
        context.call_conv.call_function(builder, builder.inttoptr(args[0], kind), types.none, takes, unpacked)
        return context.get_dummy_value()

    return types.void(types.int64, values), lower


def address_of(compiled: Any, *values: Any) -> int:
    """Return where a kernel for arguments like these can be called by `call_kernel`."""
    takes = tuple(map(numba.typeof, values))
    compiled.compile(takes)
    done = compiled.overloads[takes]
    return int(done.library.get_pointer_to_function(done.fndesc.llvm_func_name))


@intrinsic
def pointer(context: Any, numbers: Any) -> Any:  # noqa: ARG001
    """Return where the first number of an array of int64 lies, which is what a step takes as a row."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return context.make_array(numbers)(context, builder, args[0]).data

    return ROW(numbers), lower


def _call(builder: Any, returns: Any, address: Any, *args: Any) -> Any:
    kind = ir.FunctionType(returns, [arg.type for arg in args])
    return builder.call(builder.inttoptr(address, kind.as_pointer()), args)


def _call_address(builder: Any, address: Any, row: Any) -> Any:
    return _call(builder, ir.VoidType(), address, row)


def _call_part(builder: Any, address: Any, row: Any, what: Any, value: Any) -> Any:
    return _call(builder, bits.WORD, address, row, what, value)


def _prefetch(builder: Any, row: Any) -> Any:
    place, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [place, flag, flag, flag])
    function = builder.module.declare_intrinsic("llvm.prefetch", [place], kind)
    return builder.call(function, [builder.bitcast(row, place), flag(1), flag(3), flag(1)])  # to write, to keep, data


call_address = bits.instruction(types.void(types.int64, ROW), _call_address)
"""Call the C function at an address with a row; see `callback`."""
call_part = bits.instruction(types.int64(types.int64, *_PART.args), _call_part)
"""Call a part at an address."""
offset = bits.instruction(ROW(ROW, types.int64), lambda builder, row, number: builder.gep(row, [number]))
"""The pointer to a later entry of a row."""
row_at = bits.instruction(ROW(types.int64), lambda builder, address: builder.inttoptr(address, bits.WORD.as_pointer()))
"""The row that lies at an address."""
fetch = bits.instruction(types.void(ROW), _prefetch)
"""Bid the processor bring the 64 bytes that a pointer points into near, since they will be written soon."""
carray = numba.carray


def callback(function: Callable[..., Any]) -> Any:
    """Compile a function of a pointer to int64 that kernels call by its ``address``."""
    return numba.cfunc(types.void(ROW))(function)


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
