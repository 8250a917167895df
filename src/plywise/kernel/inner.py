"""Dispatchers whose functions cost as little to compile as their callers need.

Numba makes every function ready to be called from Python, also those that only compiled code calls:
with two wrappers, and machine code that contains all that the function calls. A kernel ten calls
deep is so translated ten times. Here a function that compiled code calls is kept as LLVM's code
alone, to be linked into its caller; machine code and a wrapper are made for what Python calls.
"""

import functools
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class KernelDispatcher(CPUDispatcher):
    """What Python calls; compiled code that calls the same function is sent to `inner`."""

    def __init__(self, function: Any, fastmath: bool = False) -> None:
        self.fastmath = fastmath
        super().__init__(function, targetoptions={**OPTIONS, "fastmath": fastmath})

    @functools.cached_property
    def inner(self) -> "InnerDispatcher":
        """Return the dispatcher of calls from compiled code."""
        return InnerDispatcher(self.py_func, self.fastmath)

    @property
    def is_compiling(self) -> bool:
        """Return whether the function is being compiled, so that a call of it is a recursion."""
        return bool(self._compiling_counter) or bool(self.inner.is_compiling)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.inner.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.inner.get_overload(sig)


class InnerLibrary(JITCodeLibrary):
    """Optimised code that waits to be linked into that of a caller."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _InnerCompiler(Compiler):
    """Numba's compiler without its last step, machine code."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        flags.no_compile = True
        own = library or InnerLibrary(target.codegen(), "inner")
        super().__init__(typing, target, own, args, result, flags, names)


class InnerDispatcher(CPUDispatcher):
    """What compiled code calls, one specialisation for all literals of a type."""

    def __init__(self, function: Any, fastmath: bool) -> None:
        options = {**OPTIONS, "no_cpython_wrapper": True, "fastmath": fastmath}
        super().__init__(function, targetoptions=options, pipeline_class=_InnerCompiler)
        self.keys: dict[Any, object] = {}  # under which Numba finds a specialisation

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = tuple(unliteral(one) for one in args)
        return super().get_call_template(plain, {name: unliteral(one) for name, one in kws.items()})

    def add_overload(self, cres: Any) -> None:
        args = tuple(cres.signature.args)
        self.overloads[args] = cres
        self.keys[args] = object()
        self.targetctx.insert_user_function(self.keys[args], cres.fndesc, [cres.library])

    def get_overload(self, sig: Any) -> Any:
        return self.keys[tuple(sig)]
