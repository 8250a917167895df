"""Compiled code: plain Python functions as compile-time constants, cached on disk.

This package alone knows Numba.
"""

from plywise.kernel.bundle import (
    INTERPRETED,
    Bundle,
    announce_compiling,
    compile_seconds,
    compiled,
    compiled_here,
    signatures,
)
from plywise.kernel.cache import (
    cache_folder,
    cache_root,
    cached_versions,
    clear_cache,
    source_digest,
)
from plywise.kernel.plain import is_plain, plain_functions
from plywise.kernel.words import borrow, head, lowest, part, popcount

__all__ = [
    "INTERPRETED",
    "Bundle",
    "announce_compiling",
    "borrow",
    "cache_folder",
    "cache_root",
    "cached_versions",
    "clear_cache",
    "compile_seconds",
    "compiled",
    "compiled_here",
    "head",
    "is_plain",
    "lowest",
    "part",
    "plain_functions",
    "popcount",
    "signatures",
    "source_digest",
]
