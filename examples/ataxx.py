"""Ataxx on 6 x 6: a piece clones itself to a cell next to it, or jumps two cells away.

Pieces of the other side next to where it arrives change sides. Who has no move passes. When the
board is full or a side has no piece left, the larger side wins; jumps to and fro are a draw at the
third occurrence of a position. Bit i is cell i, row by row from the top. A move is
start << 6 | end, and a clone starts where it ends.
"""

import numpy as np

from plywise import DRAW, LOSS, ONGOING, WIN, Game, Grid, popcount
from plywise.game.bitboards import cells, from_cells

SIZE = 6
CELLS = SIZE * SIZE
FULL = (1 << CELLS) - 1
CORNERS = 1 | 1 << CELLS - 1, 1 << SIZE - 1 | 1 << CELLS - SIZE
PASS = CELLS << 6 | CELLS


def ring(middle, distance):
    """Return the cells at a distance, measured in steps of a king in chess."""
    row, column = divmod(middle, SIZE)
    steps = [max(abs(cell // SIZE - row), abs(cell % SIZE - column)) for cell in range(CELLS)]
    return sum(1 << cell for cell in range(CELLS) if steps[cell] == distance)


NEAR = tuple(ring(cell, 1) for cell in range(CELLS))
FAR = tuple(ring(cell, 2) for cell in range(CELLS))


def initial():
    return CORNERS[0], CORNERS[1], 0  # mine, theirs, turn


def moves(position, out):
    mine, theirs, _ = position
    count = 0
    for end in range(CELLS):
        if (mine | theirs) >> end & 1 == 0:
            for start in range(CELLS):
                is_jump = (mine & FAR[end]) >> start & 1 == 1
                if is_jump or (start == end and mine & NEAR[end] != 0):
                    out[count] = start << 6 | end
                    count += 1
    if count == 0:
        out[0] = PASS
    return max(count, 1)


def apply(position, move):
    mine, theirs, turn = np.int64(position[0]), np.int64(position[1]), np.int64(position[2])
    if move == PASS:
        return theirs, mine, 1 - turn
    start, end = np.int64(move) >> 6, np.int64(move) & 63
    turned = theirs & NEAR[end]
    return theirs ^ turned, mine & ~(1 << start) | 1 << end | turned, 1 - turn


def result(position):
    mine, theirs, _ = position
    if mine != 0 and theirs != 0 and mine | theirs != FULL:
        return ONGOING  # some empty cell is next to a piece, which can move
    lead = popcount(mine) - popcount(theirs)
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


def side(position):
    return position[2]


def format_move(position, move):
    if move == PASS:
        return "pass"
    start, end = board.cells[move >> 6].name, board.cells[move & 63].name
    return end if start == end else start + end


board = Grid(SIZE, SIZE)
rules = dict(initial=initial, moves=moves, apply=apply, result=result, side=side, repetitions=3)
text = dict(cells=cells, from_cells=from_cells, picture=board, format_move=format_move)
ataxx = Game("ataxx", words=3, **rules, **text, sides=("red", "blue"))
