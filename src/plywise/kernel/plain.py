"""Plain functions as an author writes them: what they name, whom they call, what they compute."""

import hashlib
from collections.abc import Mapping
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

NUMBERS = (int, float, str, bytes, bool, np.generic, type(None))


def is_plain(value: Any) -> bool:
    """Return whether a value is a function written in Python."""
    return isinstance(value, FunctionType)


def referenced(function: FunctionType) -> dict[str, Any]:
    """Return the globals that a function names, by name, and its closure's values."""
    found = {}
    for name in _names(function.__code__):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    return found


def _names(code: CodeType) -> list[str]:
    """Return the names of globals and attributes in a function and in those inside of it."""
    inside = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [*code.co_names, *(name for one in inside for name in _names(one))]


def plain_functions(function: FunctionType) -> list[FunctionType]:
    """Return a function and all plain ones that it calls, directly or not."""
    found = [function]
    for one in found:  # which grows meanwhile
        called = (value for value in referenced(one).values() if is_plain(value))
        found += [value for value in called if value not in found]
    return found


def calls_itself(function: FunctionType) -> bool:
    """Return whether a function calls itself, or is called by what it calls."""
    called = [value for one in plain_functions(function) for value in referenced(one).values()]
    return any(value is function for value in called)


def digest_of(members: Mapping[str, Any], has_places: bool = True) -> str:
    """Return a digest of what the members compute: code, constants, helpers.

    Cached code refers to the modules of functions, so these count as well, unless told otherwise.
    """
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        plain = getattr(value, "py_func", value)
        if is_plain(plain):
            if id(plain) in seen:
                return
            seen.add(id(plain))
            if has_places:
                digest.update(str(plain.__module__).encode())
            add(plain.__code__)
            for default in (plain.__defaults__, *sorted((plain.__kwdefaults__ or {}).items())):
                add(default or ())
            for name, used in sorted(referenced(plain).items()):
                digest.update(name.encode())
                add(used)
                if isinstance(used, ModuleType):
                    add(_constants(used, plain.__code__))
        elif isinstance(value, CodeType):
            digest.update(value.co_code)
            digest.update(repr((value.co_names, value.co_varnames)).encode())
            for constant in value.co_consts:
                add(constant)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
        elif isinstance(value, tuple):
            for item in value:
                add(item)
        elif isinstance(value, frozenset):
            digest.update(repr(sorted(map(repr, value))).encode())
        elif isinstance(value, type) and issubclass(value, Enum):
            digest.update(repr([(one.name, one.value) for one in value]).encode())
        elif isinstance(value, NUMBERS):
            digest.update(f"{type(value).__name__}{value!r}".encode())

    for name, value in sorted(members.items()):
        digest.update(name.encode())
        add(value)
    return digest.hexdigest()[:10]


def _constants(module: ModuleType, code: CodeType) -> tuple[Any, ...]:
    """Return the numbers and tables of a module that a function may read."""
    found = (getattr(module, name, None) for name in sorted(set(_names(code))))
    return tuple(one for one in found if isinstance(one, (*NUMBERS, tuple, np.ndarray)))
