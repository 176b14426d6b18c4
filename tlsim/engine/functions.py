"""Users' functions: found by ``module:function``, known by a digest of their source.

A compiled function never travels. What travels is where it is found and the digest; the worker that finds another
source there refuses it. A function that is nowhere to be found, as one defined in a notebook, stays in its process.
"""

import ast
import hashlib
import importlib
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tlsim.errors import Sentence, UsageError, reason, suggestion

_NOT_FOLLOWED = {"tlsim", "numba", "numpy", "math", "builtins"}  # known by their version


@lru_cache(maxsize=256)
def load_function(path: str, word: str) -> Callable[..., Any]:
    """Return the function of a path ``package.module:function``, looked for here too; word : its name in messages."""
    module_name, _, name = path.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever a user's module raises)
        raise UsageError("{word}: {path!r}: cannot import {module_name}: {kind}: {error}; it must be a module of this "
                         "folder or an installed one", word=word, path=path, module_name=module_name,
                         kind=type(error).__name__, error=reason(error)) from None  # fmt: skip
    function = getattr(module, name, None)
    if function is None:
        names = [other for other in vars(module) if not other.startswith("_")]
        raise UsageError("{word}: {path!r}: {module_name} has no {name!r}{near}", word=word, path=path,
                         module_name=module_name, name=name, near=suggestion(name, names))  # fmt: skip
    return function  # type: ignore[no-any-return]


def place_of(function: Callable[..., Any]) -> str:
    """Return where a function says that it is defined, as ``module:function``."""
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or repr(function)
    return f"{getattr(function, '__module__', '?')}:{name}"


def check_travels(function: Callable[..., Any], word: str) -> None:
    """Refuse a function that another process could not find where it says that it is."""
    module, _, name = place_of(function).partition(":")
    if module == "__main__" or getattr(sys.modules.get(module), name, None) is not function:
        here = Sentence("a notebook or in the program itself")
        where = here if module == "__main__" else Sentence("another function, or replaced")
        raise UsageError("{word}: {name!r} is defined in {where}, so other processes cannot find it and it runs on "
                         "threads only; put it into a module and name it as module:function", word=word, name=name,
                         where=where)  # fmt: skip


def compiler_words(error: Exception) -> str:
    """Return the first line of a compiler's message that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return next((line for line in lines if not line.startswith("Failed in")), lines[0])


def answer_of(function: Any, *takes: Any) -> Any:
    """Compile a user's function for some types; return the type that it answers with, and whether that is whole."""
    from numba.core import types
    from numba.core.registry import cpu_target

    found: Any = types.Dispatcher(function).get_call_type(cpu_target.typing_context, takes, {})
    return found.return_type, isinstance(found.return_type, types.Integer | types.Boolean)


def check_source(found: str, digest: str, path: str, word: str) -> None:
    """Refuse a function, or networks, of another source than the one that was meant, by their digests."""
    if found != digest:
        raise UsageError("{word}: {path!r} has another source here (digest {found}) than where the run was started "
                         "({digest}); bring the same file to every machine and restart the workers", word=word,
                         path=path, found=found[:12], digest=digest[:12])  # fmt: skip


def source_digest(function: Callable[..., Any]) -> str:
    """Return the hex SHA-256 of a function's source and of all that it uses; comments and layout do not count."""
    return hashlib.sha256("\n".join(_sources(function, set())).encode()).hexdigest()


def _sources(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield the text of a value and of what it uses, each once."""
    function = getattr(value, "py_func", value)
    if isinstance(function, types.FunctionType):
        if id(function) in seen or _is_known(function.__module__):
            yield function.__qualname__
            return
        seen.add(id(function))
        yield _text(function)
        for name, used in _used(function):
            yield name
            yield from _sources(used, seen)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    elif isinstance(value, types.ModuleType):
        yield value.__name__
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _sources(item, seen)
    else:
        text = repr(value)
        yield text if " at 0x" not in text else type(value).__qualname__


def _is_known(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _NOT_FOLLOWED


def _text(function: types.FunctionType) -> str:
    """Return the source of a function without comments, documentation and layout."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):  # typed in, or a lambda within an expression
        code = function.__code__
        return f"{code.co_code.hex()} {[constant for constant in code.co_consts if not hasattr(constant, 'co_code')]!r}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _used(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield name and value of what a function takes from outside: globals, what modules have, closures, defaults."""
    names = sorted(_names(function.__code__))
    for name in names:
        if name in function.__globals__:
            yield name, (value := function.__globals__[name])
            if isinstance(value, types.ModuleType) and not _is_known(value.__name__):
                yield from ((f"{name}.{of}", getattr(value, of)) for of in names if hasattr(value, of))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    yield "defaults", function.__defaults__


def _names(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))
