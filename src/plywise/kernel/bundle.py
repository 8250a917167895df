"""Bundles: how plain Python functions become compile-time constants.

A `Bundle` is a named set of functions and
numbers (the rules of a game, an evaluator). Inside compiled code it is an opaque value
whose type is its key, so that a search written once is specialised for every
(game, evaluator) pair, inlined, and found again in the disk cache by the next process.

With NUMBA_DISABLE_JIT=1 everything here is plain Python: a bundle's functions are
plain attributes, and `compiled` only silences the wrap-around of 64-bit arithmetic.
"""

import functools
import gc
import time
import types as python_types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import event as numba_event
from numba.core import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import numpy_support

from plywise.kernel import shortcuts
from plywise.kernel.cache import LockedCache, cache_folder
from plywise.kernel.inner import InnerDispatcher, KernelDispatcher
from plywise.kernel.plain import calls_itself, digest_of, is_plain, referenced

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)

shortcuts.install()


# ---------------------------------------------------------------- compiling


def compiled(function: Function) -> Function:
    """Return the function as a cached kernel that runs without the GIL."""
    if INTERPRETED:
        return _wrapping_around(function)
    made: Any = KernelDispatcher(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        made._cache = LockedCache(function)
    finally:
        numba.config.CACHE_DIR = before
    kernel: Function = made
    return kernel


def _wrapping_around(function: Function) -> Function:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call  # type: ignore[return-value]


def signatures(kernel: Callable[..., Any]) -> list[Any]:
    """Return the argument types for which a kernel has been compiled or loaded."""
    if INTERPRETED:
        return []
    made: Any = kernel
    return list({*made.signatures, *made.inner.signatures})


COMPILING_THRESHOLD = 100_000  # objects between collections: compiling makes many that stay


class _CompileListener(numba_event.Listener):
    """Counts what is compiled (not what comes out of the cache) and tells who listens.

    Meanwhile garbage is collected less often.
    """

    def __init__(self) -> None:
        self.compiled: list[str] = []
        self.tell: Callable[[str], None] | None = None
        self.depth = 0
        self.seconds = 0.0  # that went by while something was compiled
        self.started = 0.0
        self.threshold = gc.get_threshold()

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        subjects = [t.bundle_key.split(":")[0] for t in event.data["args"] if _is_bundle(t)]
        name = " ".join([dispatcher.py_func.__name__, *subjects])
        self.compiled.append(name)
        if self.depth == 0:
            self.threshold = gc.get_threshold()
            gc.set_threshold(max(COMPILING_THRESHOLD, self.threshold[0]), *self.threshold[1:])
        if self.depth == 0 and self.tell is not None:
            self.tell(name)
        if self.depth == 0:
            self.started = time.perf_counter()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            gc.set_threshold(*self.threshold)
            self.seconds += time.perf_counter() - self.started


_listener = _CompileListener()
numba_event.register("numba:compile", _listener)


def compiled_here() -> list[str]:
    """Return the names of all kernels that this process compiled itself."""
    return list(_listener.compiled)


def compile_seconds() -> float:
    """Return how long this process has been compiling so far."""
    under_way = time.perf_counter() - _listener.started if _listener.depth else 0.0
    return _listener.seconds + under_way


def announce_compiling(tell: Callable[[str], None] | None) -> None:
    """Call `tell(name)` whenever a kernel has to be compiled from now on."""
    _listener.tell = tell


# ---------------------------------------------------------------- bundles


class Bundle:
    """A set of functions and numbers that compiled code knows while compiling.

    In a kernel that takes it as an argument, `bundle.name(...)` is a direct, inlinable
    call and `bundle.number` a constant.
    """

    def __init__(
        self,
        name: str,
        members: Mapping[str, Callable[..., Any] | int | bool],
        *,
        fastmath: bool = False,
        exact: tuple[str, ...] = (),
    ) -> None:
        """Compile the functions; `fastmath` lets sums be reordered to use vectors.

        Not so in functions named in `exact`: how sums are reordered depends on what else a process
        has compiled, so results may differ by a last bit between processes.
        """
        digest = digest_of({**members, "fastmath": fastmath, "exact": exact})
        self.key = f"{name}:{digest}"
        fast, strict = _PlainCompiler(digest, fastmath), _PlainCompiler(f"{digest}_exact", False)
        for member, value in members.items():
            compiler = strict if member in exact else fast
            setattr(self, member, compiler.compile(value) if callable(value) else value)
        self._members = dict(members)
        _REGISTRY[self.key] = self

    @functools.cached_property
    def meaning(self) -> str:
        """A digest of what the members compute, in whatever files they stand."""
        return digest_of(self._members, has_places=False)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self.__dict__.get('key', 'a bundle')} has no member {name!r}")

    def __repr__(self) -> str:
        return f"Bundle({self.key})"


_REGISTRY: dict[str, Bundle] = {}


class _PlainCompiler:
    """Makes plain functions, and the plain functions that they call, ready for compiled code.

    A function is copied with globals and closure of its own in which helpers are compiled
    too: a game's author writes plain functions and decorates nothing.

    Machine code out of the cache calls functions by name, and the names that Numba gives are unique
    in the process that compiled them only. So a copy is named after all that its bundle computes:
    two functions of one name with other constants would else be taken for each other.
    """

    def __init__(self, mark: str, fastmath: bool) -> None:
        self.mark = mark
        self.fastmath = fastmath
        self.done: dict[Any, Any] = {}

    def _dispatcher(self, value: Any, copy: Any) -> Any:
        """Return what compiles a copy of a function; only compiled code calls a recursion."""
        return (InnerDispatcher if calls_itself(value) else KernelDispatcher)(copy, self.fastmath)

    def compile(self, value: Any) -> Any:
        if INTERPRETED or not is_plain(value):
            return value
        if value not in self.done:
            own_globals = dict(value.__globals__)
            cells = [python_types.CellType(cell.cell_contents) for cell in value.__closure__ or ()]
            copy = python_types.FunctionType(
                value.__code__, own_globals, value.__name__, value.__defaults__, tuple(cells)
            )
            copy.__kwdefaults__ = value.__kwdefaults__
            copy.__module__ = value.__module__
            copy.__qualname__ = f"{value.__qualname__}_{self.mark}"
            self.done[value] = self._dispatcher(value, copy)
            for name in referenced(value):  # after `done` is set: a function may call itself
                if name in own_globals:
                    own_globals[name] = self.compile(own_globals[name])
            for cell in cells:
                cell.cell_contents = self.compile(cell.cell_contents)
        return self.done[value]


class BundleType(types.Type):
    """The Numba type of one bundle: its identity is a string, so it survives the cache."""

    def __init__(self, key: str) -> None:
        self.bundle_key = key
        super().__init__(name=f"Bundle({key})")


def _is_bundle(value: Any) -> bool:
    return isinstance(value, BundleType)


@typeof_impl.register(Bundle)
def _typeof_bundle(bundle: Bundle, context: Any) -> BundleType:
    return _bundle_type(bundle.key)


@functools.cache
def _bundle_type(key: str) -> BundleType:
    """Return the type from memory: every call of a kernel from Python asks for it."""
    return BundleType(key)


register_model(BundleType)(models.OpaqueModel)

_record_types: dict[int, tuple[Any, Any]] = {}  # by identity: hashing a dtype is slow as well


@typeof_impl.register(np.record)
def _typeof_record(record: np.record, context: Any) -> Any:
    """Return a record's type from memory: Numba would build it anew for every call."""
    dtype, known = _record_types.get(id(record.dtype), (None, None))
    if dtype is not record.dtype:
        known = numpy_support.from_dtype(record.dtype)
        _record_types[id(record.dtype)] = (record.dtype, known)
    return known


@unbox(BundleType)
def _unbox_bundle(typ: BundleType, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


_NUMBERS = {bool: types.boolean, int: types.int64}


@infer_getattr
class _BundleAttributes(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, typ: BundleType, name: str) -> Any:
        member = _REGISTRY[typ.bundle_key].__dict__.get(name)
        if type(member) in _NUMBERS:
            return _NUMBERS[type(member)]
        return types.Dispatcher(member) if member is not None else None


@lower_getattr_generic(BundleType)
def _lower_member(context: Any, builder: Any, typ: BundleType, value: Any, name: str) -> Any:
    member = _REGISTRY[typ.bundle_key].__dict__[name]
    if type(member) in _NUMBERS:
        return context.get_constant(_NUMBERS[type(member)], member)
    return context.get_dummy_value()
