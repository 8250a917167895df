"""Reversi judged by hand: the values of squares, and the number of discs."""

import numpy as np

from plywise.kernel.bits import Position, popcount

# Fig. 2 of paper 003, the table of old Windows programs; a quarter of the board by rows.
_CORNER = ((99, -8, 8, 6), (-8, -24, -4, -3), (8, -4, 7, 4), (6, -3, 4, 0))


def _square_value(square: int) -> int:
    row, column = divmod(square, 8)
    return _CORNER[min(row, 7 - row)][min(column, 7 - column)]


# Squares of equal value are counted together: nine sets instead of 64 squares.
_SETS = tuple(
    (np.uint64(sum(1 << s for s in range(64) if _square_value(s) == worth)), worth)
    for worth in sorted({_square_value(square) for square in range(64)} - {0})
)
_MOST = float(sum(abs(_square_value(square)) for square in range(64)))


def positional(position: Position) -> float:
    """Sum the values of squares in paper 003's table."""
    mine, theirs, _ = position
    total = 0
    for squares, worth in _SETS:
        total += worth * (popcount(mine & squares) - popcount(theirs & squares))
    return total / _MOST


def pieces(position: Position) -> float:
    """Count discs."""
    return (popcount(position[0]) - popcount(position[1])) / 64.0
