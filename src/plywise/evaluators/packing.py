"""Packed arrays: large tables with many zeros, rounded and compressed, for files that ship.

A packed array is one of bytes: all numbers as multiples of a step, 16 bits each, the lower bytes of
all of them and then the higher ones, by zlib.
"""

import math
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywise.errors import PlywiseError

Numbers = NDArray[Any]
STEP = 1 / 2048
MOST = 32767  # steps of a number, at most


def pack(array: Numbers, step: float = STEP) -> Numbers:
    """Return an array as bytes; numbers that are too large are cut off."""
    steps = np.clip(np.round(array.astype(np.float64) / step), -MOST, MOST).astype("<i2")
    planes = steps.reshape(-1).view(np.uint8).reshape(-1, 2).T
    return np.frombuffer(zlib.compress(np.ascontiguousarray(planes).tobytes(), 9), np.uint8)


def unpack(packed: Numbers, shape: tuple[int, ...], step: float) -> Numbers:
    """Return the array that was packed; a file that holds more or less is refused."""
    size = 2 * math.prod(shape)
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(packed.tobytes(), size)
    except zlib.error as error:
        raise PlywiseError(f"A packed array cannot be read: {error}.") from None
    if len(data) != size or reader.decompress(reader.unconsumed_tail, 1):
        raise PlywiseError(f"A packed array does not have the shape {shape}.")
    planes = np.frombuffer(data, np.uint8).reshape(2, -1)
    steps = np.ascontiguousarray(planes.T).view("<i2")
    return (steps.reshape(shape) * step).astype(np.float32)
