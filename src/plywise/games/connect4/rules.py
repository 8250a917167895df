"""Connect Four.

Bit 7 * column + row, row 0 at the bottom; the seventh bit of every column stays empty:

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

A position is (mine, filled): the stones of the side to move, and all stones. A move is a
column, 0-6, written 1-7.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywise.errors import BadPosition
from plywise.game import DRAW, LOSS, ONGOING, About, Bench, Game, Row
from plywise.kernel.bits import ONE, ZERO, Position, Whole, Word, popcount
from plywise.picture import Grid

ROWS, COLUMNS = 6, 7
SEVEN = np.uint64(7)
BOTTOM = np.uint64(sum(1 << 7 * column for column in range(COLUMNS)))
TOP = np.uint64(int(BOTTOM) << ROWS - 1)
FULL = np.uint64(int(BOTTOM) * 0b111111)
DIRECTIONS = tuple(np.uint64(shift) for shift in (1, 6, 7, 8))


def initial() -> Position:
    return ZERO, ZERO


def moves(position: Position, out: Row) -> Whole:
    _, filled = position
    count: Whole = 0
    for column in range(COLUMNS):  # without branches: a full column's entry is overwritten
        out[count] = column
        count += np.int64(~(filled >> np.uint64(7 * column + 5)) & ONE)
    return count


def count(position: Position, out: Row) -> Whole:
    return COLUMNS - popcount(position[1] & TOP)


def apply(position: Position, move: Word) -> Position:
    mine, filled = position
    return mine ^ filled, filled | (filled + (ONE << SEVEN * move))


def has_four(stones: Word) -> bool:
    for shift in DIRECTIONS:
        pairs = stones & (stones >> shift)
        if pairs & (pairs >> (shift + shift)) != ZERO:
            return True
    return False


def result(position: Position) -> Whole:
    mine, filled = position
    if has_four(mine ^ filled):
        return LOSS
    return DRAW if filled == FULL else ONGOING


def side(position: Position) -> Whole:
    return popcount(position[1]) & 1


def cells(position: Position, out: Any) -> None:
    mine, filled = position
    own = 1 if side(position) == 0 else -1
    for row in range(ROWS):
        for column in range(COLUMNS):
            bit = np.uint64(7 * column + (ROWS - 1 - row))
            code = 0
            if (filled >> bit) & ONE:
                code = own if (mine >> bit) & ONE else -own
            out[row * COLUMNS + column] = code


def from_cells(codes: Sequence[int], mover: int) -> tuple[int, int]:
    """Return the position with these stones; columns are filled from the bottom."""
    stones = {1: 0, -1: 0}
    for column in range(COLUMNS):
        fallen = [codes[row * COLUMNS + column] for row in range(ROWS - 1, -1, -1)]
        height = ROWS - fallen.count(0)
        if any(fallen[height:]):
            raise BadPosition(f"A stone in column {column + 1} has nothing below it.")
        for row, code in enumerate(fallen[:height]):
            stones[code] |= 1 << 7 * column + row
    first, second = stones[1].bit_count(), stones[-1].bit_count()
    if first - second != mover:
        raise BadPosition(
            f"With {first} x and {second} o it cannot be {'xo'[mover]}'s turn: x moves first."
        )
    return stones[-1 if mover else 1], stones[1] | stones[-1]


def format_move(position: tuple[int, ...], move: int) -> str:
    return str(move + 1)


ABOUT = About(
    evaluators={"threats": "plywise.games.connect4.judgement:threats"},
    solver="plywise.games.connect4.solver:Solver",
    bench=Bench(
        depth=11,
        positions=(
            "start",
            "......./......./......./...o.../...x.../..oxx.. o",
            "......./...o.../..xx.../..oo.../.oxxo../.xoxx.o x",
        ),
    ),
)

connect4 = Game(
    "connect4",
    words=2,
    initial=initial,
    moves=moves,
    apply=apply,
    result=result,
    side=side,
    count=count,
    max_moves=COLUMNS + 1,  # one to spare for writing without branches
    sides=("yellow", "red"),
    cells=cells,
    mirror=range(ROWS * COLUMNS + 1),  # who plays x and who o makes no difference
    cell_mirror=range(ROWS * COLUMNS),
    from_cells=from_cells,
    format_move=format_move,
    picture=Grid(ROWS, COLUMNS, column_labels="1234567", row_labels=[""] * ROWS),
    about=ABOUT,
)
