"""Shorter ways to what Numba computes tens of thousands of times for one search.

Whenever a call is typed, Numba looks up its settings in tables. Its hash of settings, and their
comparison, go through all options every time; these give the same answers.

A call of a kernel is compared with every specialisation of it so far, more and more in a long
process, though the right one has just been made. A record that begins like that of an older
specialisation was even taken for one of its kind, with a warning.

What `a + b` means for two types is found by trying one definition after the other, with a message
written for each that does not fit; the answer depends on the types alone, so it is kept. So is
what an attribute of a value of some type is.

Variables of instructions are listed again and again by walking through all that an instruction has.
Everything that Numba does is announced to listeners, which but for one kind only measure time.
"""

import functools
from typing import Any

import numpy as np
from numba.core import event
from numba.core import types as numba_types
from numba.core.dispatcher import Dispatcher
from numba.core.ir import Inst, Loc, Var
from numba.core.targetconfig import TargetConfig
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import make_concrete_template

types: Any = numba_types
equal_option_by_option = TargetConfig.__eq__
_template_of_all = Dispatcher.get_call_template
_resolve: Any = types.Function.get_call_type
_resolved: dict[Any, tuple[Any, Any]] = {}  # signature and key of the implementation
_resolve_attribute = BaseContext.resolve_getattr
_attributes: dict[Any, Any] = {}
_announce_start, _announce_end = event.start_event, event.end_event
HEARD = "numba:compile"  # the one kind of event that `bundle` listens to
LEAVES = (str, int, Loc, type(None), bool, float)  # of an instruction: no variable is in them


@functools.cache
def _hash_of_names(settings: type[Any]) -> int:
    """Return Numba's hash of all settings of a class: that of the names of its options."""
    return hash(tuple(sorted(settings.options)))


def _hash(settings: Any) -> int:
    return _hash_of_names(settings.__class__)


def _equal(settings: Any, other: Any) -> Any:
    """Return whether all options are equal; at once where the same ones are set to the same."""
    if type(settings) is type(other) and settings._values == other._values:
        return True
    return equal_option_by_option(settings, other)


def _template_of_one(dispatcher: Any, args: Any, kws: Any) -> Any:
    """Return what types a call: the specialisation for these very types where there is one."""
    template, signature, folded, rest = _template_of_all(dispatcher, args, kws)
    made = dispatcher.overloads.get(tuple(folded))
    if made is not None:
        template = make_concrete_template(template.__name__, template.key, [made.signature])
    return template, signature, folded, rest


def _resolve_once(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return the signature of a call of a function that Numba itself knows."""
    key = function, id(context), tuple(args), tuple(kws.items())
    found = _resolved.get(key)
    if found is None:
        signature: Any = _resolve(function, context, args, kws)
        _resolved[key] = signature, function._impl_keys[signature.args]
        return signature
    signature, function._impl_keys[signature.args] = found
    return signature


def _resolve_attribute_once(context: Any, kind: Any, name: str) -> Any:
    """Return the type of an attribute of values of a type.

    Those of users' modules may change, and a type does not keep its compiled function alive.
    """
    key = id(context), kind, name
    found = _attributes.get(key)
    if found is None:
        found = _resolve_attribute(context, kind, name)
        if isinstance(kind, types.Module):
            is_fixed = kind.pymod is np
        else:
            is_fixed = not isinstance(found, types.Callable)
        if found is not None and is_fixed:
            _attributes[key] = found
    return found


def _list_variables(instruction: Any, value: Any) -> list[Any]:
    """Return the variables in what an instruction has, in their order."""
    if isinstance(value, Var):
        return [value]
    if isinstance(value, Inst):
        variables: list[Any] = value.list_vars()
        return variables
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    return [
        variable
        for part in value
        if type(part) not in LEAVES
        for variable in _list_variables(instruction, part)
    ]


def _start_event(kind: str, data: Any = None) -> None:
    """Announce that something begins, if somebody may listen to it."""
    if kind == HEARD:
        _announce_start(kind, data)


def _end_event(kind: str, data: Any = None, exc_details: Any = None) -> None:
    """Announce that something is over, if somebody may listen to it."""
    if kind == HEARD:
        _announce_end(kind, data, exc_details)


def install() -> None:
    """Have Numba use these."""
    contexts: Any = BaseContext
    contexts.resolve_getattr = _resolve_attribute_once
    instructions: Any = Inst
    instructions._rec_list_vars = _list_variables
    event.start_event, event.end_event = _start_event, _end_event
    functions: Any = types.Function
    functions.get_call_type = _resolve_once
    dispatchers: Any = Dispatcher
    dispatchers.get_call_template = _template_of_one
    TargetConfig.__hash__ = _hash
    TargetConfig.__eq__ = _equal
