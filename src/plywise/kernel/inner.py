"""Dispatchers whose functions cost as little to compile as their callers need.

Numba makes every function ready to be called from Python, also those that only compiled code calls:
with two wrappers, and machine code that contains all that the function calls. A kernel ten calls
deep is so translated ten times. Here a function that compiled code calls is kept as LLVM's code
alone, to be linked into its caller; machine code and a wrapper are made for what Python calls.

Functions of a recursion call each other by name, and linking finds them (`InnerLibrary`). Numba
would have them call addresses that a process notes after compiling: code out of the cache has none.
"""

import functools
from typing import Any
from weakref import WeakValueDictionary

from numba.core import cgutils, imputils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.funcdesc import default_mangler
from numba.core.lowering import Lower
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


_libraries: "WeakValueDictionary[str, InnerLibrary]" = WeakValueDictionary()  # by function


class InnerLibrary(JITCodeLibrary):
    """Code that waits to be linked into that of a caller, where it is optimised in full."""

    is_linking = False

    def _optimize_final_module(self) -> None:
        """Link what is missing and do the first of Numba's two optimisations, the cheap one."""
        self.is_linking = True
        while missing := self._missing():
            for library in missing:
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self.is_linking = False
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=self._codegen._loopvect,
            slp_vectorize=False,
            opt=self._codegen._opt_level,
            cost="cheap",
        )
        passes.run(self._final_module, builder)

    def _missing(self) -> "set[InnerLibrary]":
        """Return the libraries of functions that are called by name and not being linked now."""
        functions = self._final_module.functions
        names = [function.name for function in functions if function.is_declaration]
        found = {_libraries[name] for name in names if name in _libraries}
        return {library for library in found if not library.is_linking}

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

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """Return the types of a recursive call, of literals as of other numbers."""
        signature, folded = super().fold_argument_types(args, kws)
        return signature, tuple(unliteral(one) for one in folded)

    def add_overload(self, cres: Any) -> None:
        args = tuple(cres.signature.args)
        _libraries[cres.fndesc.llvm_func_name] = cres.library
        self.overloads[args] = cres
        self.keys[args] = object()
        self.targetctx.insert_user_function(self.keys[args], cres.fndesc, [cres.library])

    def get_overload(self, sig: Any) -> Any:
        return self.keys[tuple(sig)]


_lower_by_address = Lower._lower_call_RecursiveCall


def _lower_recursion(lower: Any, called: Any, expression: Any, signature: Any) -> Any:
    """Lower the call of a function that is being compiled: by name where it is an inner one."""
    overload = called.get_overloads(signature.args)
    tags = lower.fndesc.abi_tags
    mangler = lower.context.mangler or default_mangler
    name = mangler(overload.qualname, signature.args, abi_tags=tags, uid=overload.uid)
    is_itself = lower.builder.function.name.startswith(name)
    if is_itself or not isinstance(called.dispatcher_type.dispatcher, InnerDispatcher):
        return _lower_by_address(lower, called, expression, signature)
    return _call_by_name(lower, name, called, expression, signature)


def _call_by_name(lower: Any, name: str, called: Any, expression: Any, signature: Any) -> Any:
    """Return the answer of a call, as `BaseContext.call_unresolved` does it by address."""
    context, builder, convention = lower.context, lower.builder, lower.context.call_conv
    given = (expression.args, expression.vararg, expression.kws)
    values = lower.fold_call_args(called, signature, *given)
    form = convention.get_function_type(signature.return_type, signature.args)
    function = cgutils.get_or_insert_function(builder.module, form, name)
    status, answer = convention.call_function(
        builder, function, signature.return_type, signature.args, values
    )
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return imputils.fix_returning_optional(context, builder, signature, status, answer)


Lower._lower_call_RecursiveCall = _lower_recursion
