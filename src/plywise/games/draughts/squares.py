"""The 91 windows of the board that evolved networks look at: its sub-squares of 3 x 3 to 8 x 8."""

import numpy as np
from numpy.typing import NDArray

SIDES = range(3, 9)  # of windows, in squares of the 8 x 8 board


def _cell(square: int) -> tuple[int, int]:
    """Return row and column of a square 0-31 on the 8 x 8 board."""
    row, place = divmod(square, 4)
    return row, 2 * place + (1 - row % 2)


def windows() -> NDArray[np.bool_]:
    """Return which of the 32 squares lie in which of the 91 windows: [windows, squares]."""
    cells = [_cell(square) for square in range(32)]
    return np.array(
        [
            [top <= row < top + size and left <= column < left + size for row, column in cells]
            for size in SIDES
            for top in range(9 - size)
            for left in range(9 - size)
        ]
    )


WINDOWS = windows()
MEMBERS = np.argwhere(WINDOWS)  # [854, 2]: window and square of every connection
