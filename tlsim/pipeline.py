"""How steps become parts of their kernel, by pipelines and libraries of our own: nothing of numba's is changed.

numba makes machine code of every function by itself, with all that it calls within it once more, and then again as a
part of what calls it: most of the time of compiling, for nothing. Here a step is only translated. Its kernel links all
steps, each once, makes them internal (nobody else calls them: they may be inlined, or lose arguments that they do not
use), and optimises the whole. ``pipeline_class`` is numba's hook for that; the libraries and passes are internals, so
where they are not as known, or with ``TLSIM_PLAIN_NUMBA=1``, numba compiles as it always does: slower, same numbers.
"""

import logging
import os
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numba

from tlsim.catalogue import N_, say

log = logging.getLogger("tlsim")

TESTED = ("0.68", "0.68")  # the range of numba's versions that the tests have seen; 0.61 refuses an attribute


def _define() -> dict[str, Any]:
    """Return the compilers of kernels, of steps and of scalar steps; raise where internals are not as known."""
    from numba.core import ir, typed_passes, types, untyped_passes
    from numba.core.codegen import CodeLibrary, CPUCodeLibrary, JITCodeLibrary
    from numba.core.compiler import Compiler, CompilerBase, Flags
    from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass

    for owner, names in {
        CodeLibrary: ("_ensure_finalized", "_raise_if_finalized", "add_linking_library"),
        CPUCodeLibrary: (
            "finalize", "_optimize_functions", "_optimize_final_module", "_finalize_final_module",
            "_finalize_dynamic_globals", "_get_module_for_linking",
        ),
        JITCodeLibrary: ("get_pointer_to_function", "_unserialize"),
        CompilerBase: ("compile_extra", "define_pipelines"),
    }.items():  # fmt: skip
        missing = [name for name in names if not callable(getattr(owner, name, None))]
        if missing:
            raise AttributeError(f"{owner.__name__} has no {missing[0]}")

    def make_internal(function: Any, library: Any) -> None:
        """Let nobody outside of a library call a function: its form may change, so no other may find it by its name.

        LLVM's linker looks up names that are internal, too: a function of the same name that is no part of a kernel
        would be taken for this one.
        """
        function.linkage, function.name = "internal", f"{function.name}.in.{library.name}"

    class _NoEnvironments:
        """The code generator, but for what a step would keep of its own in memory."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def set_env(self, name: str, environment: Any) -> None:
            pass

    class StepLibrary(JITCodeLibrary):
        """A step, translated and no more."""

        attributes: tuple[str, ...] = ()  # of its functions, where they are a part of a kernel

        def __init__(self, codegen: Any, name: str) -> None:
            super().__init__(codegen, name)
            self._no_environments = _NoEnvironments(codegen)

        @property
        def codegen(self) -> Any:
            return self._no_environments

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
            return 0

        def own_module(self) -> Any:
            """Return the step alone."""
            return super()._get_module_for_linking()

        def _get_module_for_linking(self) -> Any:
            """Return the step with all that it calls, for a function that is compiled in numba's own way."""
            module = self.own_module().clone()
            outer = {function.name for function in module.functions if not function.is_declaration}
            for library in steps_of(self, {}):
                own = library.own_module() if isinstance(library, StepLibrary) else library._get_module_for_linking()
                module.link_in(own, preserve=True)
            for function in module.functions:
                if function.name not in outer and not function.is_declaration:
                    make_internal(function, self)
            return module

    def steps_of(library: Any, seen: dict[Any, None]) -> Iterator[Any]:
        """Yield the libraries that one needs, steps of steps too, each once."""
        for other in library._linking_libraries:
            if other not in seen:
                seen[other] = None
                yield other
                if isinstance(other, StepLibrary):
                    yield from steps_of(other, seen)

    class KernelLibrary(JITCodeLibrary):
        """A kernel with its steps."""

        attributes: tuple[str, ...] = ()

        def finalize(self) -> None:
            self._internal: dict[str, tuple[str, ...]] = {}
            whole = []
            for library in steps_of(self, {}):
                if not isinstance(library, StepLibrary):
                    whole.append(library)
                    continue
                module = library.own_module()
                self._final_module.link_in(module, preserve=True)
                for function in module.functions:
                    if not function.is_declaration:
                        self._internal[function.name] = library.attributes
            self._linking_libraries = whole
            super().finalize()

        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                if function.is_declaration:
                    continue
                for attribute in self._internal.get(function.name, self.attributes):
                    function.add_function_attribute(attribute)
                if function.name in self._internal:
                    make_internal(function, self)
            super()._optimize_final_module()

    class _Flags(Flags):
        """Flags of which it costs little to ask whether they are those of another function."""

        __slots__ = ()

        def __hash__(self) -> int:
            return hash(tuple(sorted(self.options)))

        def __eq__(self, other: object) -> bool:
            if isinstance(other, _Flags) and self._values == other._values:
                return True
            return bool(super().__eq__(other))

    @register_pass(mutates_CFG=False, analysis_only=False)
    class NamesAreNumbers(FunctionPass):
        """Put the number for a name such as ``r.CONG_FINE``, which is one statement in place of two."""

        _name = "names are numbers"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            for block in state.func_ir.blocks.values():
                modules: dict[str, ModuleType] = {}
                kept = []
                for statement in block.body:
                    value = getattr(statement, "value", None)
                    if isinstance(value, ir.Global) and isinstance(value.value, ModuleType):
                        modules[statement.target.name] = value.value
                        continue
                    if isinstance(value, ir.Expr) and value.op == "getattr" and value.value.name in modules:
                        found = getattr(modules.pop(value.value.name), value.attr)
                        statement.value = ir.Global(value.attr, found, statement.loc)
                        state.func_ir._definitions[statement.target.name] = [statement.value]
                    kept.append(statement)
                if not modules:
                    block.body = kept
            return True

    def unsigned(index: Any) -> Any:
        """Return the type of an index that is not asked whether it is below 0."""
        if isinstance(index, types.BaseTuple):
            return types.Tuple(tuple(map(unsigned, index.types)))
        return types.uint64 if isinstance(index, types.Integer) else index

    @register_pass(mutates_CFG=False, analysis_only=False)
    class IndexesAreNotNegative(FunctionPass):
        """In a step no index of an array is below 0, and none is asked whether it is: four instructions of each."""

        _name = "indexes are not negative"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            for used, signature in list(state.calltypes.items()):
                item = isinstance(used, ir.SetItem) or (isinstance(used, ir.Expr) and used.op == "getitem")
                if item and isinstance(signature.args[0], types.Array):
                    array, index, *rest = signature.args
                    signature = signature.replace(args=(array, unsigned(index), *rest))  # noqa: PLW2901
                    dict.__setitem__(state.calltypes, used, signature)  # it lets nothing be written twice
            return True

    class Kept(Compiler):
        """Compile a kernel."""

        library: Any = KernelLibrary

        def compile_extra(self, function: Any) -> Any:
            self.state.flags = _Flags(self.state.flags)
            self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
            self.state.library.enable_object_caching()
            return super().compile_extra(function)

    class Step(Kept):
        """Translate a step; what only closures, generated functions and expressions over arrays need is left out."""

        library = StepLibrary

        def define_pipelines(self) -> list[Any]:
            manager = PassManager("step")
            for one in (
                untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, NamesAreNumbers,
                untyped_passes.IRProcessing,
                untyped_passes.GenericRewrites, untyped_passes.InlineInlinables, untyped_passes.ReconstructSSA,
                typed_passes.NopythonTypeInference, typed_passes.PreLowerStripPhis, IndexesAreNotNegative,
                typed_passes.IRLegalization,
                typed_passes.NativeLowering, typed_passes.NoPythonBackend,
            ):  # fmt: skip
                manager.add_pass(one, one.__name__)
            manager.finalize()
            return [manager]

    def with_attributes(compiler: type[Kept], *attributes: str) -> type[Kept]:
        library = type(compiler.library.__name__, (compiler.library,), {"attributes": attributes})
        return type(compiler.__name__, (compiler,), {"library": library})

    scalar, inner = (with_attributes(Step, "noimplicitfloat", *more) for more in ((), ("alwaysinline",)))
    part = with_attributes(Kept, "noimplicitfloat")
    return {"kernel": Kept, "part": part, "step": Step, "scalar": scalar, "inner": inner}


@cache
def _compilers() -> dict[str, Any]:
    if os.environ.get("TLSIM_PLAIN_NUMBA"):
        return {}
    try:
        return _define()
    except (ImportError, AttributeError, TypeError) as error:
        text = N_("numba {version} is not one that tlsim knows ({why}); it compiles more slowly")
        log.warning(say(text, version=numba.__version__, why=error))
        return {}


def pipeline(kind: str) -> dict[str, Any]:
    """Return the options that choose how a ``kernel``, a ``part`` or a kind of step is compiled."""
    found = _compilers()
    return {"pipeline_class": found[kind]} if found else {}
