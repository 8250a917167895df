"""What a learner looks at where a game says nothing of its own: the board, and who is to move.

With a picture, an input for every cell and kind of piece: 1 for a piece of side 0, -1 for one
of side 1; where cells hold numbers of things, an input for every cell: that number, negative for
side 1. Without a picture, an input for every bit of the position. The last input is 1 if side 0 is
to move and -1 if side 1 is.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from plywise.kernel import head
from plywise.kernel.bits import ONE, Position
from plywise.picture import Picture

Function = Callable[..., Any]


def kinds_of_pieces(picture: Picture) -> int:
    """Return how many kinds of pieces a picture can show; a number of things is one kind."""
    if picture.has_counts:
        return 1
    return max((abs(code) for code in picture.pieces), default=1)


def inputs_of_cells(cells: Function, side: Function, picture: Picture) -> tuple[Function, int]:
    """Return the function that writes the inputs of a board, and how many they are."""
    count, kinds = len(picture.cells), kinds_of_pieces(picture)

    def inputs(position: Position, out: Any) -> None:
        cells(position, head(out, count))
        if kinds > 1:
            for cell in range(count - 1, -1, -1):  # from the end: codes are read before they go
                code = out[cell]
                for kind in range(kinds):
                    owner = np.float32(code == kind + 1) - np.float32(code == -kind - 1)
                    out[cell * kinds + kind] = owner
        out[count * kinds] = np.float32(1) if side(position) == 0 else np.float32(-1)

    return inputs, count * kinds + 1


def inputs_of_bits(side: Function, words: int) -> tuple[Function, int]:
    """Return the function that writes a position's bits as inputs, and how many they are."""

    def inputs(position: Position, out: Any) -> None:
        for word in range(words):
            for bit in range(64):
                out[64 * word + bit] = np.float32((position[word] >> np.uint64(bit)) & ONE)
        out[64 * words] = np.float32(1) if side(position) == 0 else np.float32(-1)

    return inputs, 64 * words + 1
