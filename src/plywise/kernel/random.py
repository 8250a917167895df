"""Random numbers for kernels: xorshift64*, its state the field `random` of a record."""

from typing import Any

import numpy as np

from plywise.kernel.bits import Whole
from plywise.kernel.bundle import compiled

_A, _B, _C, _HALF = (np.uint64(n) for n in (12, 25, 27, 32))
_FACTOR = np.uint64(0x2545F4914F6CDD1D)


def random_word(generator: np.random.Generator) -> np.uint64:
    """Return a first state."""
    return np.uint64(generator.integers(1, 1 << 63))


@compiled
def below(memory: Any, bound: Whole) -> Whole:
    """Return a random number in [0, bound), for bounds far below 2**32."""
    word = memory.random
    word ^= word >> _A
    word ^= word << _B
    word ^= word >> _C
    memory.random = word
    return np.int64((((word * _FACTOR) >> _HALF) * np.uint64(bound)) >> _HALF)
