"""Where the pieces of chess reach, on 64 bits: a1 is bit 0, h1 bit 7, h8 bit 63.

How far a slider gets on a line depends on what stands on the line's six inner squares. One
multiplication brings these bits together in the highest byte, where they are the index of a small
table ("kindergarten bitboards"): the tables of all lines together take 12 KB.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plywise.kernel.bits import ONE, Whole, Word, lowest

EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)
FILE_A, FILE_H = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
THREE, SEVEN, EIGHT, NINE = (np.uint64(n) for n in (3, 7, 8, 9))
TOP_SIX = np.uint64(58)

# A line that meets every file once: its bits of files b to g go to bits 58 to 63.
GATHER_LINE = FILE_A << ONE
# The file a: its bits of ranks 2 to 7 go there as well.
INNER_FILE = np.uint64(sum(1 << 8 * rank for rank in range(1, 7)))
GATHER_FILE = np.uint64(sum(1 << 57 - 7 * rank for rank in range(1, 7)))


def _squares_towards(square: int, down: int, right: int, reach: int = 7) -> int:
    """Return the squares on the way from a square to the edge, at most so many, as bits."""
    found = 0
    rank, file = square // 8, square % 8
    for _ in range(reach):
        rank, file = rank + down, file + right
        if 0 <= rank < 8 and 0 <= file < 8:
            found |= 1 << 8 * rank + file
    return found


def _table(ways: Sequence[tuple[int, int]], reach: int) -> NDArray[np.uint64]:
    """Return for every square what lies that many steps or fewer in some directions."""
    squares = [
        sum(_squares_towards(square, down, right, reach) for down, right in ways)
        for square in range(64)
    ]
    return np.array(squares, np.uint64)


def _sweep(place: int, standing: int) -> int:
    """Return what is reached from a place on a line of eight, up to what stands there, as bits."""
    reached = 0
    for way in (-1, 1):
        at = place + way
        while 0 <= at < 8:
            reached |= 1 << at
            if standing >> at & 1:
                break
            at += way
    return reached


def _spread(byte: int) -> int:
    """Return the bits of a byte one above the other, on the file a."""
    return sum(1 << 8 * bit for bit in range(8) if byte >> bit & 1)


KNIGHT_REACH = _table(
    [(d, r) for d in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(d) != abs(r)], 1
)
KING_REACH = _table([(d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r], 1)
RISING = _table([(1, 1), (-1, -1)], 7)
FALLING = _table([(1, -1), (-1, 1)], 7)
LEVEL = _table([(0, 1), (0, -1)], 7)

_SWEEPS = [[_sweep(place, inner << 1) for inner in range(64)] for place in range(8)]
# [file, inner bits of a line that meets every file once]: the files that are reached
FILES_REACHED = np.array([[byte * int(FILE_A) for byte in row] for row in _SWEEPS], np.uint64)
# [rank, inner bits of the file a]: the squares of the file a that are reached
RANKS_REACHED = np.array([[_spread(byte) for byte in row] for row in _SWEEPS], np.uint64)


def first(word: Word) -> Word:
    """Return the lowest square of a set that is not empty."""
    return np.uint64(lowest(word))


def along(line: Word, file: Word, filled: Word) -> Word:
    """Return what is reached on a rank or diagonal from its square on a file."""
    reached: Word = FILES_REACHED[file, ((filled & line) * GATHER_LINE) >> TOP_SIX]
    return line & reached


def slant_reach(square: Word, filled: Word) -> Word:
    """Return where a bishop on a square reaches, the first piece in each direction included."""
    file = square & SEVEN
    return along(RISING[square], file, filled) | along(FALLING[square], file, filled)


def straight_reach(square: Word, filled: Word) -> Word:
    """Return where a rook on a square reaches, the first piece in each direction included."""
    file = square & SEVEN
    standing = (((filled >> file) & INNER_FILE) * GATHER_FILE) >> TOP_SIX
    upright: Word = RANKS_REACHED[square >> THREE, standing] << file
    return along(LEVEL[square], file, filled) | upright


def forward(squares: Word, side: Whole) -> Word:
    """Return the squares one step ahead, as a side sees it."""
    return squares << EIGHT if side == 0 else squares >> EIGHT


def forward_left(squares: Word, side: Whole) -> Word:
    """Return the squares one step ahead and towards the file a."""
    inner = squares & ~FILE_A
    return inner << SEVEN if side == 0 else inner >> NINE


def forward_right(squares: Word, side: Whole) -> Word:
    """Return the squares one step ahead and towards the file h."""
    inner = squares & ~FILE_H
    return inner << NINE if side == 0 else inner >> SEVEN


def pawn_reach(pawns: Word, side: Whole) -> Word:
    """Return the squares on which pawns of a side take."""
    return forward_left(pawns, side) | forward_right(pawns, side)
