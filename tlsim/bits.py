"""Single processor instructions for kernels, and what stands in for them where the processor lacks one.

A program that uses ``pdep`` on a processor without BMI2 would be ended by LLVM with no message, so the processor
is asked first. Both forms give the same numbers. ``TLSIM_NO_BMI2=1`` chooses the stand-in.
"""

import inspect
import os
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _has_bmi2() -> bool:
    if os.environ.get("TLSIM_NO_BMI2"):
        return False
    if numba.config.CPU_NAME or numba.config.CPU_FEATURES:  # code is made for a processor that the user chose
        return "+bmi2" in (numba.config.CPU_FEATURES or "")
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


HAS_BMI2 = _has_bmi2()


def instruction(signature: Any, code: Callable[..., Any]) -> Any:
    """Return a function for kernels, of what writes its instructions; a list of values is a tuple."""

    def made(typing_context: Any, *args: Any) -> Any:  # noqa: ARG001
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            found = code(builder, *args)
            if isinstance(found, list):
                return context.make_tuple(builder, signature.return_type, found)
            return context.get_dummy_value() if signature.return_type == types.void else found

        return signature, write

    made.__signature__ = inspect.signature(code)  # the compiler wants no *args
    return intrinsic(made)


_BIT, WORD, _WIDE = ir.IntType(1), ir.IntType(64), ir.IntType(128)
_PAIR = types.UniTuple(types.uint64, 2)
_OF_A_WORD = types.int64(types.int64)


def _halves(builder: Any, wide: Any) -> list[Any]:
    high = builder.lshr(wide, _WIDE(64))
    return [builder.trunc(high, WORD), builder.trunc(wide, WORD)]


def _multiply(builder: Any, a: Any, b: Any) -> list[Any]:
    return _halves(builder, builder.mul(builder.zext(a, _WIDE), builder.zext(b, _WIDE)))


def _multiply_add(builder: Any, total: Any, value: Any, factor: Any) -> list[Any]:
    def widen(pair: Any) -> Any:
        high, low = (builder.zext(builder.extract_value(pair, at), _WIDE) for at in range(2))
        return builder.or_(builder.shl(high, _WIDE(64)), low)

    product = builder.mul(widen(value), builder.zext(factor, _WIDE))
    return _halves(builder, builder.add(widen(total), product))


def _reverse(builder: Any, x: Any) -> Any:
    return builder.call(builder.module.declare_intrinsic("llvm.bitreverse", [WORD]), [x])


def _pdep(builder: Any, source: Any, mask: Any) -> Any:
    kind = ir.FunctionType(WORD, [WORD, WORD])
    return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), [source, mask])


wide_product = instruction(_PAIR(types.uint64, types.uint64), _multiply)
"""The high and the low 64 bits of a product of two uint64."""
wide_multiply_add = instruction(_PAIR(_PAIR, _PAIR, types.uint64), _multiply_add)
"""``total + value * factor`` modulo 2**128; the first two are (high, low) pairs of uint64."""
popcount = instruction(_OF_A_WORD, lambda builder, x: builder.ctpop(x))
"""The number of bits set in an int64."""
float_of_bits = instruction(types.float64(types.int64), lambda builder, x: builder.bitcast(x, ir.DoubleType()))
"""The float64 that has the bits of an int64."""
reverse_bits = instruction(_OF_A_WORD, _reverse)
"""An int64 with its bits in the opposite order."""
trailing_zeros = instruction(_OF_A_WORD, lambda builder, x: builder.cttz(x, _BIT(0)))
"""The number of zero bits below the lowest bit of an int64; 64 for 0."""
highest = instruction(_OF_A_WORD, lambda builder, x: builder.sub(WORD(63), builder.ctlz(x, _BIT(0))))
"""The number of the highest bit set in an int64; -1 for 0."""


def _byte_table() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """``table[mask, source]``: the low bits of a byte laid onto the set bits of a byte."""
    table = np.zeros((256, 256), dtype=np.uint8)
    source = np.arange(256)
    for mask in range(256):
        taken = 0
        for bit in range(8):
            if mask >> bit & 1:
                table[mask] |= ((source >> taken & 1) << bit).astype(np.uint8)
                taken += 1
    return table


if HAS_BMI2:
    deposit = instruction(types.int64(types.int64, types.int64), _pdep)
else:
    _DEPOSIT = _byte_table().ravel()
    _ONES = np.array([n.bit_count() for n in range(256)], dtype=np.int64)

    @numba.njit(inline="always")
    def deposit(source: int, mask: int) -> int:
        """Lay the low bits of ``source`` onto the set bits of ``mask``, lowest first."""
        result = 0
        for byte in range(8):
            part = (mask >> (8 * byte)) & 255
            result |= np.int64(_DEPOSIT[(part << 8) | (source & 255)]) << (8 * byte)
            source >>= _ONES[part]
        return result
