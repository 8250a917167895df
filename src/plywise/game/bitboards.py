"""Boards for games whose position is (mine, theirs, turn) with bit i for a stone on cell i.

Such a game passes these two functions to `Game` and has a picture and a text form.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.kernel.bits import ONE, ZERO, Position


def cells(position: Position, out: Any) -> None:
    """Write 1 for a stone of side 0 and -1 for one of side 1, for every cell of `out`."""
    mine, theirs, turn = position[0], position[1], position[2]
    for cell in range(len(out)):
        stone = np.int64((mine >> np.uint64(cell)) & ONE)
        stone -= np.int64((theirs >> np.uint64(cell)) & ONE)
        out[cell] = stone if turn == ZERO else -stone


def from_cells(codes: Sequence[int], side: int) -> tuple[int, int, int]:
    """Return the position with these stones and this side to move."""
    stones = [sum(1 << cell for cell, code in enumerate(codes) if code == own) for own in (1, -1)]
    return stones[side], stones[1 - side], side
