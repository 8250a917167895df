"""Shorter ways to what Numba computes tens of thousands of times for one search.

Whenever a call is typed, Numba looks up its settings in tables. Its hash of settings, and their
comparison, go through all options every time; these give the same answers.

A call of a kernel is compared with every specialisation of it so far, more and more in a long
process, though the right one has just been made. A record that begins like that of an older
specialisation was even taken for one of its kind, with a warning.
"""

import functools
from typing import Any

from numba.core.dispatcher import Dispatcher
from numba.core.targetconfig import TargetConfig
from numba.core.typing.templates import make_concrete_template

equal_option_by_option = TargetConfig.__eq__
_template_of_all = Dispatcher.get_call_template


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


def install() -> None:
    """Have Numba use these."""
    dispatchers: Any = Dispatcher
    dispatchers.get_call_template = _template_of_one
    TargetConfig.__hash__ = _hash
    TargetConfig.__eq__ = _equal
