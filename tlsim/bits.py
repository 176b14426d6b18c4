"""Single processor instructions for kernels, and what stands in for them where the processor lacks one.

A program that uses ``pdep`` on a processor without BMI2 would be ended by LLVM with no message, so the processor
is asked first. Both forms give the same numbers. ``TLSIM_NO_BMI2=1`` chooses the stand-in.
"""

from __future__ import annotations

import os
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


@intrinsic
def wide_product(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Return the high and the low 64 bits of a product of two uint64."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        low = builder.trunc(product, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, [high, low])

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), code


@intrinsic
def wide_multiply_add(typing_context: Any, total: Any, value: Any, factor: Any) -> Any:  # noqa: ARG001
    """Return ``total + value * factor`` modulo 2**128; the first two are (high, low) pairs of uint64."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, wide = ir.IntType(64), ir.IntType(128)
        shift = ir.Constant(wide, 64)

        def widen(pair: Any) -> Any:
            high, low = (builder.zext(builder.extract_value(pair, at), wide) for at in range(2))
            return builder.or_(builder.shl(high, shift), low)

        result = builder.add(widen(args[0]), builder.mul(widen(args[1]), builder.zext(args[2], wide)))
        parts = [builder.trunc(builder.lshr(result, shift), word), builder.trunc(result, word)]
        return context.make_tuple(builder, signature.return_type, parts)

    pair = types.UniTuple(types.uint64, 2)
    return pair(pair, pair, types.uint64), code


@intrinsic
def popcount(typing_context: Any, x: Any) -> Any:  # noqa: ARG001
    """Return the number of bits set in an int64."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic
def float_of_bits(typing_context: Any, x: Any) -> Any:  # noqa: ARG001
    """Return the float64 that has the bits of an int64."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), code


@intrinsic
def reverse_bits(typing_context: Any, x: Any) -> Any:  # noqa: ARG001
    """Return an int64 with its bits in the opposite order."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.bitreverse", [word])
        return builder.call(function, args)

    return types.int64(types.int64), code


@intrinsic
def trailing_zeros(typing_context: Any, x: Any) -> Any:  # noqa: ARG001
    """Return the number of zero bits below the lowest bit of an int64; 64 for 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), code


@intrinsic
def highest(typing_context: Any, x: Any) -> Any:  # noqa: ARG001
    """Return the number of the highest bit set in an int64; -1 for 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0)))

    return types.int64(types.int64), code


@intrinsic
def _pdep_instruction(typing_context: Any, source: Any, mask: Any) -> Any:  # noqa: ARG001
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), code


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
    deposit = _pdep_instruction
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
