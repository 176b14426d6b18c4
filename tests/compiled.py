"""Compiled functions of tests that call kernels: kept beside the kernels, as some take longer than what they test."""

import hashlib
from pathlib import Path

from tlsim import jit


class _Locator(jit._Locator):
    """As of a kernel; an edit of the file of the test makes it fresh too."""

    def __init__(self, function):
        super().__init__(function)
        self._own = hashlib.sha256(Path(function.__code__.co_filename).read_bytes()).hexdigest()[:20]

    def get_source_stamp(self):
        return f"{super().get_source_stamp()} {self._own}"

    def get_disambiguator(self):
        return f"test-{super().get_disambiguator()}"


class _CacheImpl(jit._CacheImpl):
    _locator_classes = (_Locator,)


class _Cache(jit._KernelCache):
    _impl_class = _CacheImpl


def kept(function):
    """Compile a function over numbers and arrays; what it calls is a step, or stands in the same file."""
    compiled = jit.kernel(function)
    if isinstance(compiled._cache, jit._KernelCache):
        compiled._cache = _Cache(function)
    return compiled
