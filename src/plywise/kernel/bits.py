"""Words for rules on 64-bit boards: counting and finding bits, and mixing words into a hash.

These work inside a game's functions, compiled or interpreted.
"""

from typing import Any

import numpy as np

from plywise.kernel.words import lowest, popcount

__all__ = ["ONE", "ZERO", "Position", "Whole", "Word", "lowest", "mix", "popcount"]

Word = np.uint64
Whole = Any  # a whole number in a kernel: int64 there, int or np.int64 interpreted
Position = tuple[np.uint64, ...]  # how a position looks inside kernels

ZERO = np.uint64(0)
ONE = np.uint64(1)

_HALF = np.uint64(32)
_SHIFT = np.uint64(29)
_SEED = np.uint64(0xD1B54A32D192ED03)
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)  # of splitmix64's finaliser


def mix(words: Position) -> Word:
    """Return a 64-bit hash of a tuple of words.

    Each word is folded and multiplied into what came before: a sum of products would let
    differences in two words cancel out, and a top bit that is not folded down moves nothing.
    """
    total = _SEED
    for word in words:
        total = (total ^ word ^ (word >> _HALF)) * _FACTOR
        total ^= total >> _SHIFT
    total *= _FACTOR
    return total ^ (total >> _HALF)
