"""Shorter ways to what Numba computes tens of thousands of times for one search.

Whenever a call is typed, Numba looks up its settings in tables. Its hash of settings, and their
comparison, go through all options every time; these give the same answers.
"""

import functools
from typing import Any

from numba.core.targetconfig import TargetConfig

equal_option_by_option = TargetConfig.__eq__


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


def install() -> None:
    """Have Numba use these."""
    TargetConfig.__hash__ = _hash
    TargetConfig.__eq__ = _equal
